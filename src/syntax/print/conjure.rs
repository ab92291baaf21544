//! Prints a tree as JSON in Conjure's format `astjson`, which its clients read.
//!
//! Most nodes are objects with one member: the name of Conjure's constructor, and its contents. The contents are `[]`
//! if there are none, the part itself if there is one, and otherwise a list. A literal that consists of constants is
//! itself a constant.

use crate::{
    language::{Collection, MemberForm, Name, Sense, Type, attributes::rows::ATTRIBUTES},
    operators::{Notation, OperatorSymbol, symbols},
    syntax::{
        ast::{
            DomainKind, DomainTree, ExprTree, ExprTreeKind, File, GeneratorSource, Identifier, LettingValue,
            PatternForm, PatternKind, PatternTree, Statement, StatementKind, WrittenAttribute, WrittenIndex,
            WrittenRange,
        },
        binding::{NameBinding, NameStep},
        parts,
    },
};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

/// The known types of declared names; they distinguish an image from a projection in a call.
pub(crate) type Types = FxHashMap<Name, Type>;

/// Returns the tree of a file.
pub(crate) fn file_as_json(file: &File, types: &Types) -> Value {
    let header = file.effective_header();
    json!({
        "mInfo": {
            "finds": [], "givens": [], "enumGivens": [], "enumLettings": [], "lettings": [], "unnameds": [],
            "strategyQ": {"Auto": {"Interactive": []}}, "strategyA": {"Auto": {"Interactive": []}},
            "trailCompact": [], "nameGenState": [], "nbExtraGivens": 0, "representations": [],
            "representationsTree": [], "originalDomains": [], "trailGeneralised": [], "trailVerbose": [],
            "trailRewrites": [],
        },
        "mLanguage": {"language": name_as_json(&header.language), "version": header.version},
        "mStatements": Printer { types }.statements(&file.statements, "Find"),
    })
}

/// Conjure's names for the operators that are not functions. The last column is the operator with exchanged operands if
/// Conjure does not have it.
const OPERATORS: [(OperatorSymbol, &str, Option<OperatorSymbol>); 34] = [
    (symbols::POWER, "Pow", None),
    (symbols::NEGATE, "Negate", None),
    (symbols::NOT, "Not", None),
    (symbols::FACTORIAL, "Factorial", None),
    (symbols::TIMES, "Product", None),
    (symbols::DIVIDE, "Div", None),
    (symbols::MODULO, "Mod", None),
    (symbols::INTERSECT, "Intersect", None),
    (symbols::PLUS, "Sum", None),
    (symbols::MINUS, "Minus", None),
    (symbols::UNION, "Union", None),
    (symbols::IN, "In", None),
    (symbols::EQUAL, "Eq", None),
    (symbols::UNEQUAL, "Neq", None),
    (symbols::LESS, "Lt", None),
    (symbols::AT_MOST, "Leq", None),
    (symbols::GREATER, "Gt", None),
    (symbols::AT_LEAST, "Geq", None),
    (symbols::SUBSET, "Subset", None),
    (symbols::SUBSET_EQ, "SubsetEq", None),
    (symbols::SUPERSET, "Supset", None),
    (symbols::SUPERSET_EQ, "SupsetEq", None),
    (symbols::SUBSEQUENCE, "Subsequence", None),
    (symbols::SUBSTRING, "Substring", None),
    (symbols::LEX_LESS, "LexLt", Some(symbols::LEX_GREATER)),
    (symbols::LEX_AT_MOST, "LexLeq", Some(symbols::LEX_AT_LEAST)),
    (symbols::DOT_LESS, "DotLt", Some(symbols::DOT_GREATER)),
    (symbols::DOT_AT_MOST, "DotLeq", Some(symbols::DOT_AT_LEAST)),
    (symbols::TILDE_LESS, "TildeLt", Some(symbols::TILDE_GREATER)),
    (symbols::TILDE_AT_MOST, "TildeLeq", Some(symbols::TILDE_AT_LEAST)),
    (symbols::AND, "And", None),
    (symbols::OR, "Or", None),
    (symbols::IMPLIES, "Imply", None),
    (symbols::IFF, "Iff", None),
];

/// An expression, and its form inside a literal of constants if it is a constant. In such a literal, negative numbers
/// are constants, too.
struct Printed {
    expression: Value,
    constant: Option<Value>,
}

impl Printed {
    fn constant(value: Value) -> Printed {
        Printed { expression: node("Constant", value.clone()), constant: Some(value) }
    }

    fn other(expression: Value) -> Printed {
        Printed { expression, constant: None }
    }

    /// Builds a literal from its parts with `literal`. It is a constant if all parts are constants.
    fn literal(constructor: &str, parts: Vec<Printed>, literal: impl Fn(Vec<Value>) -> Value) -> Printed {
        let constants = parts.iter().map(|part| part.constant.clone()).collect::<Option<Vec<Value>>>();
        match constants {
            Some(constants) => Printed::constant(node("ConstantAbstract", node(constructor, literal(constants)))),
            None => {
                let parts = parts.into_iter().map(|part| part.expression).collect();
                Printed::other(node("AbstractLiteral", node(constructor, literal(parts))))
            }
        }
    }
}

fn node(constructor: &str, contents: Value) -> Value {
    Value::Object(Map::from_iter([(constructor.to_owned(), contents)]))
}

fn operator(constructor: &str, operands: Vec<Value>) -> Printed {
    let contents = match <[Value; 1]>::try_from(operands) {
        Ok([only]) => only,
        Err(operands) => operands.into(),
    };
    Printed::other(node("Op", node(&format!("MkOp{constructor}"), contents)))
}

fn name_as_json(text: &str) -> Value {
    json!({"Name": text})
}

fn reference(text: &str) -> Value {
    json!({"Reference": [name_as_json(text), null]})
}

/// The tag of an integer type.
fn tag(tag: Option<&str>) -> Value {
    tag.map_or(json!({"TagInt": []}), |tag| json!({"TaggedInt": tag}))
}

fn integer_as_json(value: i64) -> Value {
    json!({"ConstantInt": [tag(None), value]})
}

fn capitalised(word: &str) -> String {
    word.split_at_checked(1).map_or(word.to_owned(), |(first, rest)| first.to_ascii_uppercase() + rest)
}

/// Returns `int(1..n)`, the index domain of a list. `bound` wraps the bounds as constants or as expressions.
fn up_to(length: usize, bound: impl Fn(Value) -> Value) -> Value {
    let bounds = [1, length as i64].map(|end| bound(integer_as_json(end)));
    json!({"DomainInt": [tag(None), [{"RangeBounded": bounds}]]})
}

fn as_expression(constant: Value) -> Value {
    node("Constant", constant)
}

struct Printer<'a> {
    types: &'a Types,
}

impl Printer<'_> {
    /// Prints statements. Inside expressions, decision variables are `LocalFind`s.
    fn statements(&self, statements: &[Statement], find: &str) -> Value {
        statements.iter().flat_map(|statement| self.statement(statement, find)).collect()
    }

    fn statement(&self, statement: &Statement, find: &str) -> Vec<Value> {
        let declarations = |names: &[Identifier], declaration: &dyn Fn(Value) -> Value| -> Vec<Value> {
            // In Conjure, each name has its own declaration.
            names.iter().map(|declared| node("Declaration", declaration(name_as_json(&declared.text)))).collect()
        };
        let declared = |kind: &str, names: &[Identifier], domain: &DomainTree| {
            let domain = self.domain(domain, false);
            declarations(names, &|name| json!({"FindOrGiven": [kind, name, domain]}))
        };
        match &statement.kind {
            StatementKind::Given { names, domain } => declared("Given", names, domain),
            StatementKind::Find { names, domain } => declared(find, names, domain),
            StatementKind::GivenEnum { names } => declarations(names, &|name| json!({"GivenDomainDefnEnum": name})),
            StatementKind::Letting { names, value } => {
                let (constructor, value) = match value {
                    LettingValue::Expr(value) => ("Letting", self.expr(value)),
                    LettingValue::Domain(domain) => ("Letting", json!({"Domain": self.domain(domain, false)})),
                    LettingValue::Enum(members) => {
                        ("LettingDomainDefnEnum", members.iter().map(|member| name_as_json(&member.text)).collect())
                    }
                    LettingValue::Unnamed(size) => ("LettingDomainDefnUnnamed", self.expr(size)),
                };
                declarations(names, &|name| node(constructor, json!([name, value])))
            }
            StatementKind::SuchThat(items) => vec![json!({"SuchThat": self.exprs(items)})],
            StatementKind::Where(items) => vec![json!({"Where": self.exprs(items)})],
            StatementKind::Objective { sense, value, .. } => {
                let sense = match sense {
                    Sense::Minimise => "Minimising",
                    Sense::Maximise => "Maximising",
                };
                vec![json!({"Objective": [sense, self.expr(value)]})]
            }
            StatementKind::Dominance { relation, .. } => vec![json!({"DominanceStmt": self.expr(relation)})],
            StatementKind::Incomparability { order, value } => {
                let order = match order {
                    Sense::Minimise => "Ascending",
                    Sense::Maximise => "Descending",
                };
                vec![json!({"IncomparabilityFunction": [order, self.expr(value)]})]
            }
            StatementKind::BranchingOn(items) => {
                let order = items.iter().map(|item| match &item.kind {
                    ExprTreeKind::Name(text) => json!({"BranchingOn": name_as_json(text)}),
                    _ => json!({"Cut": self.expr(item)}),
                });
                vec![json!({"SearchOrder": order.collect::<Vec<_>>()})]
            }
            StatementKind::Heuristic(word) => vec![json!({"SearchHeuristic": name_as_json(&word.text)})],
        }
    }

    fn expr(&self, expr: &ExprTree) -> Value {
        self.printed(expr).expression
    }

    fn exprs(&self, exprs: &[ExprTree]) -> Vec<Value> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn optional(&self, expr: Option<&ExprTree>) -> Value {
        expr.map_or(Value::Null, |expr| self.expr(expr))
    }

    fn all_printed(&self, exprs: &[ExprTree]) -> Vec<Printed> {
        exprs.iter().map(|expr| self.printed(expr)).collect()
    }

    fn printed(&self, expr: &ExprTree) -> Printed {
        match &expr.kind {
            ExprTreeKind::Bool(value) => Printed::constant(json!({"ConstantBool": value})),
            ExprTreeKind::Int(value) => Printed::constant(integer_as_json(*value)),
            ExprTreeKind::TaggedInt(value, written) => {
                Printed::constant(json!({"ConstantInt": [tag(Some(&written.text)), value]}))
            }
            ExprTreeKind::Name(text) => Printed::other(reference(text)),
            ExprTreeKind::Wildcard => Printed::other(Value::Null),
            ExprTreeKind::Apply(symbol, operands) => self.application(*symbol, operands),
            ExprTreeKind::Index(base, indices) => {
                let base = self.printed(base);
                indices.iter().fold(base, |base, index| match index {
                    WrittenIndex::At(index) => operator("Indexing", vec![base.expression, self.expr(index)]),
                    WrittenIndex::Slice(low, high) => {
                        let ends = [low, high].map(|end| self.optional(end.as_ref()));
                        operator("Slicing", [base.expression].into_iter().chain(ends).collect())
                    }
                })
            }
            ExprTreeKind::Call(callee, arguments) => self.call(callee, arguments),
            ExprTreeKind::Attribute(attribute, operands) => {
                let word = format!("AttrName_{}", attribute.text);
                let (of, value) = (self.optional(operands.first()), self.optional(operands.get(1)));
                operator("AttributeAsConstraint", vec![of, word.into(), value])
            }
            ExprTreeKind::Tuple(items) => Printed::literal("AbsLitTuple", self.all_printed(items), Value::from),
            ExprTreeKind::Record(fields) => {
                let values = fields.iter().map(|(_, value)| self.printed(value)).collect();
                Printed::literal("AbsLitRecord", values, |values| {
                    fields
                        .iter()
                        .zip(values)
                        .map(|((field, _), value)| json!([name_as_json(&field.text), value]))
                        .collect()
                })
            }
            // Conjure never treats a variant as a constant.
            ExprTreeKind::Variant(alternative, value) => Printed::other(json!({
                "AbstractLiteral": {"AbsLitVariant": [null, name_as_json(&alternative.text), self.expr(value)]}
            })),
            ExprTreeKind::Matrix(elements, None) => self.list(elements),
            ExprTreeKind::Matrix(elements, Some(index)) => self.matrix(elements, index),
            ExprTreeKind::Collection(kind, members) if kind.form() == MemberForm::Tuples => {
                let rows: Vec<&[ExprTree]> = members.iter().map(components_of_row).collect();
                self.groups(&constructor("AbsLit", *kind), &rows)
            }
            ExprTreeKind::Collection(kind, members) => {
                Printed::literal(&constructor("AbsLit", *kind), self.all_printed(members), Value::from)
            }
            ExprTreeKind::Pairs(kind, pairs) => {
                let ends = pairs.iter().flat_map(|(point, image)| [self.printed(point), self.printed(image)]).collect();
                let pairs = |ends: Vec<Value>| ends.chunks(2).map(Value::from).collect();
                Printed::literal(&constructor("AbsLit", *kind), ends, pairs)
            }
            ExprTreeKind::Grouped(kind, groups) => self.groups(&constructor("AbsLit", *kind), groups),
            ExprTreeKind::Comprehension(..) => Printed::other(self.comprehension(expr)),
            ExprTreeKind::Quantified(quantified) => {
                operator(&capitalised(quantified.quantifier.aggregate().text), vec![self.comprehension(expr)])
            }
            ExprTreeKind::Domain(domain) => Printed::other(json!({"Domain": self.domain(domain, false)})),
            ExprTreeKind::Typed(value, domain) => Printed::other(json!({"Typed": [self.expr(value), self.ty(domain)]})),
            ExprTreeKind::Bubble(value, statements) => {
                // Conjure distinguishes local variables with conditions, as in `{x @ find x : D such that c}`, from
                // conditions without variables.
                let is_find = |statement: &Statement| matches!(statement.kind, StatementKind::Find { .. });
                let locals = match statements.iter().any(is_find) {
                    true => json!({"AuxiliaryVars": self.statements(statements, "LocalFind")}),
                    false => {
                        let conditions = statements.iter().flat_map(|statement| match &statement.kind {
                            StatementKind::SuchThat(items) => self.exprs(items),
                            _ => Vec::new(),
                        });
                        json!({"DefinednessConstraints": conditions.collect::<Vec<_>>()})
                    }
                };
                Printed::other(json!({"WithLocals": [self.expr(value), locals]}))
            }
        }
    }

    fn application(&self, symbol: OperatorSymbol, operands: &[ExprTree]) -> Printed {
        if symbol == symbols::BARS {
            return operator("TwoBars", self.exprs(operands));
        }
        if let (symbols::NEGATE, [ExprTree { kind: ExprTreeKind::Int(value), .. }]) = (symbol, operands) {
            // `-1` applies an operator, except inside a literal of constants.
            let negative = operator("Negate", self.exprs(operands));
            return Printed { constant: Some(integer_as_json(-value)), ..negative };
        }
        if symbol.notation != Notation::Function {
            let row = OPERATORS.iter().find(|(own, _, exchanged)| *own == symbol || *exchanged == Some(symbol));
            let (own, constructor, _) = row.expect("every operator that is not a function");
            return match ["Sum", "Product", "And", "Or"].contains(constructor) {
                true => {
                    // Conjure applies these operators to a list, which is never a constant, even if all operands are.
                    let list = json!([up_to(operands.len(), as_expression), self.exprs(operands)]);
                    operator(constructor, vec![json!({"AbstractLiteral": {"AbsLitMatrix": list}})])
                }
                false if *own == symbol => operator(constructor, self.exprs(operands)),
                // `a >lex b` becomes `b <lex a`.
                false => operator(constructor, operands.iter().rev().map(|operand| self.expr(operand)).collect()),
            };
        }
        // Conjure stores the permutations of `transform` as a plain list, not as a matrix literal.
        let elements = |expr: &ExprTree| match &expr.kind {
            ExprTreeKind::Matrix(elements, _) => Value::from(self.exprs(elements)),
            _ => self.expr(expr),
        };
        let number = |expr: &ExprTree| match expr.kind {
            ExprTreeKind::Int(value) => value.into(),
            _ => self.expr(expr),
        };
        match (symbol.text, operands) {
            ("alldifferent_except", _) => operator("AllDiffExcept", self.exprs(operands)),
            ("gcc", _) => operator("GCC", self.exprs(operands)),
            ("atleast", _) => operator("AtLeast", self.exprs(operands)),
            ("atmost", _) => operator("AtMost", self.exprs(operands)),
            ("toSet", [of]) => operator("ToSet", vec![false.into(), self.expr(of)]),
            // Conjure stores `concatenate(m)` as `flatten(1, m)`.
            ("concatenate", [of]) => operator("Flatten", vec![1.into(), self.expr(of)]),
            ("flatten", [of]) => operator("Flatten", vec![Value::Null, self.expr(of)]),
            ("flatten", [depth, of]) => operator("Flatten", vec![number(depth), self.expr(of)]),
            ("transform" | "quickPermutationOrder", [list, of]) => {
                operator(&capitalised(symbol.text), vec![elements(list), self.expr(of)])
            }
            ("active", [of, ExprTree { kind: ExprTreeKind::Name(alternative), .. }]) => {
                operator("Active", vec![self.expr(of), name_as_json(alternative)])
            }
            _ => operator(&capitalised(symbol.text), self.exprs(operands)),
        }
    }

    /// Prints a call: a projection if the callee is a relation, and otherwise the image of a function.
    fn call(&self, callee: &ExprTree, arguments: &[ExprTree]) -> Printed {
        let is_relation = match &callee.kind {
            ExprTreeKind::Name(name) => self.types.get(name).is_some_and(|ty| ty.columns().is_some()),
            _ => false,
        };
        match arguments {
            [argument] if !is_relation && argument.kind != ExprTreeKind::Wildcard => {
                operator("Image", vec![self.expr(callee), self.expr(argument)])
            }
            _ => operator("RelationProj", vec![self.expr(callee), self.exprs(arguments).into()]),
        }
    }

    /// Prints a matrix with the indices 1, 2, …
    fn list(&self, elements: &[ExprTree]) -> Printed {
        let parts = self.all_printed(elements);
        let constant = parts.iter().all(|part| part.constant.is_some());
        let index = if constant { up_to(parts.len(), |end| end) } else { up_to(parts.len(), as_expression) };
        Printed::literal("AbsLitMatrix", parts, |parts| json!([index, parts]))
    }

    fn matrix(&self, elements: &[ExprTree], index: &DomainTree) -> Printed {
        let parts = self.all_printed(elements);
        // A matrix is a constant only if its index domain is a constant, too.
        let constant = parts.iter().all(|part| part.constant.is_some()) && self.is_constant(index);
        let index = self.domain(index, constant);
        match constant {
            true => Printed::literal("AbsLitMatrix", parts, |parts| json!([index, parts])),
            false => {
                let parts: Vec<Value> = parts.into_iter().map(|part| part.expression).collect();
                Printed::other(json!({"AbstractLiteral": {"AbsLitMatrix": [index, parts]}}))
            }
        }
    }

    /// Prints a literal of lists.
    fn groups<G: AsRef<[ExprTree]>>(&self, constructor: &str, groups: &[G]) -> Printed {
        let parts = groups.iter().flat_map(|group| self.all_printed(group.as_ref())).collect();
        Printed::literal(constructor, parts, |parts| {
            let mut parts = parts.into_iter();
            groups.iter().map(|group| parts.by_ref().take(group.as_ref().len()).collect::<Value>()).collect()
        })
    }

    fn comprehension(&self, expr: &ExprTree) -> Value {
        let Some(NameBinding { steps, body }) = NameBinding::of(expr) else { return Value::Null };
        let qualifiers = steps.into_iter().flat_map(|step| match step {
            NameStep::Generator(patterns, over) => self.generators(patterns, over),
            NameStep::Condition(condition, _) => vec![json!({"Condition": self.expr(condition)})],
            NameStep::Letting(bound, value) => {
                vec![json!({"ComprehensionLetting": [pattern_as_json(bound), self.expr(value)]})]
            }
            _ => Vec::new(),
        });
        json!({"Comprehension": [self.expr(body), qualifiers.collect::<Vec<_>>()]})
    }

    fn generators(&self, patterns: &[PatternTree], over: &GeneratorSource) -> Vec<Value> {
        let (constructor, over) = match over {
            GeneratorSource::Domain(domain) => ("GenDomainNoRepr", self.domain(domain, false)),
            GeneratorSource::Members(of) => ("GenInExpr", self.expr(of)),
            // Conjure stores `subsetEq` as membership in the power set.
            GeneratorSource::Subsets(of) => ("GenInExpr", operator("PowerSet", vec![self.expr(of)]).expression),
        };
        let generator = |bound| json!({"Generator": node(constructor, json!([pattern_as_json(bound), over]))});
        patterns.iter().map(generator).collect()
    }

    /// Prints a domain. The bounds are constants in the index domain of a constant matrix (`constant`).
    fn domain(&self, domain: &DomainTree, constant: bool) -> Value {
        let bound = |expr: &ExprTree| {
            let printed = self.printed(expr);
            printed.constant.filter(|_| constant).unwrap_or(printed.expression)
        };
        let range = |range: &WrittenRange| match range {
            WrittenRange::Single(value) => json!({"RangeSingle": bound(value)}),
            WrittenRange::Interval(None, None) => json!({"RangeOpen": []}),
            WrittenRange::Interval(Some(low), None) => json!({"RangeLowerBounded": bound(low)}),
            WrittenRange::Interval(None, Some(high)) => json!({"RangeUpperBounded": bound(high)}),
            WrittenRange::Interval(Some(low), Some(high)) => json!({"RangeBounded": [bound(low), bound(high)]}),
        };
        let ranges = |ranges: &Option<Vec<WrittenRange>>| -> Option<Vec<Value>> {
            ranges.as_ref().map(|ranges| ranges.iter().map(range).collect())
        };
        let of = |inner: &DomainTree| self.domain(inner, constant);
        let fields = |fields: &[(Identifier, Option<DomainTree>)]| -> Value {
            let field = |(field, inner): &(Identifier, Option<DomainTree>)| {
                json!([name_as_json(&field.text), inner.as_ref().map_or(json!({"DomainBool": []}), of)])
            };
            fields.iter().map(field).collect()
        };
        match &domain.kind {
            DomainKind::Bool => json!({"DomainBool": []}),
            DomainKind::Int { tag: written, ranges: bounds } => {
                let tag = tag(written.as_ref().map(|tag| &*tag.text));
                match bounds.as_deref() {
                    // `int(s)` has the members of the set `s` as values.
                    Some([WrittenRange::Single(members)]) if self.is_collection(members) => {
                        json!({"DomainIntE": [tag, self.expr(members)]})
                    }
                    _ => json!({"DomainInt": [tag, ranges(bounds).unwrap_or_default()]}),
                }
            }
            DomainKind::Named(named, bounds) => match self.types.get(&named.text) {
                // A `letting` of a domain has the same type, but only the name of the type itself is a `DomainEnum`.
                Some(Type::Named(of)) if *of.name == *named.text && !of.unnamed => {
                    json!({"DomainEnum": [name_as_json(&named.text), ranges(bounds), null]})
                }
                _ => json!({"DomainReference": [name_as_json(&named.text), null]}),
            },
            DomainKind::Tuple(items) => node("DomainTuple", items.iter().map(of).collect()),
            DomainKind::Record(items) => node("DomainRecord", fields(items)),
            DomainKind::Variant(items) => node("DomainVariant", fields(items)),
            DomainKind::Matrix(indices, element) => {
                // A matrix in Conjure has one index, so further indices become nested matrices.
                indices.iter().rfold(of(element), |element, index| json!({"DomainMatrix": [of(index), element]}))
            }
            DomainKind::Collection(kind, attributes, parts) => {
                let mut fields = vec![json!([]), self.attributes(*kind, attributes)];
                match kind.form() {
                    MemberForm::Tuples => fields.push(parts.iter().map(of).collect()),
                    _ => fields.extend(parts.iter().map(of)),
                }
                node(&constructor("Domain", *kind), fields.into())
            }
        }
    }

    fn attributes(&self, of: Collection, attributes: &[WrittenAttribute]) -> Value {
        let has = |word: &str| attributes.iter().any(|attribute| &*attribute.name.text == word);
        let value = |word: &str| {
            let attribute = attributes.iter().find(|attribute| &*attribute.name.text == word);
            attribute.and_then(|attribute| attribute.value.as_ref()).map(|value| self.expr(value))
        };
        // Conjure names the constructors `SizeAttr` and `OccurAttr` after the measure.
        let measure = |kind: &str, word: &str| {
            let limit = |limit: &str| value(&format!("{limit}{}", capitalised(word)));
            let constructor = |limit: &str| format!("{kind}Attr_{limit}");
            match (value(word), limit("min"), limit("max")) {
                (Some(exactly), ..) => node(&constructor(kind), exactly),
                (None, None, None) => node(&constructor("None"), json!([])),
                (None, Some(least), None) => node(&constructor(&format!("Min{kind}")), least),
                (None, None, Some(most)) => node(&constructor(&format!("Max{kind}")), most),
                (None, Some(least), Some(most)) => node(&constructor(&format!("MinMax{kind}")), json!([least, most])),
            }
        };
        let size = measure("Size", "size");
        let jectivity = match (has("bijective"), has("injective"), has("surjective")) {
            (true, ..) | (_, true, true) => "JectivityAttr_Bijective",
            (_, true, _) => "JectivityAttr_Injective",
            (_, _, true) => "JectivityAttr_Surjective",
            _ => "JectivityAttr_None",
        };
        match of {
            Collection::Set => size,
            Collection::MSet => json!([size, measure("Occur", "occur")]),
            Collection::Sequence => json!([size, jectivity]),
            Collection::Permutation => measure("Size", "numMoved"),
            Collection::Function => {
                json!([size, if has("total") { "PartialityAttr_Total" } else { "PartialityAttr_Partial" }, jectivity])
            }
            Collection::Relation => {
                // The attributes must be in Conjure's order, which is the order of the table.
                let properties = ATTRIBUTES.iter().filter(|row| row.of.contains(&of) && !row.takes_number());
                let words = properties.map(|row| row.word).filter(|word| has(word));
                let binary: Vec<String> = words.map(|word| format!("BinRelAttr_{}", capitalised(word))).collect();
                json!([size, binary])
            }
            Collection::Partition => json!({
                "partsNum": measure("Size", "numParts"),
                "partsSize": measure("Size", "partSize"),
                "isRegular": has("regular"),
            }),
        }
    }

    /// Prints the type of the values of a domain.
    fn ty(&self, domain: &DomainTree) -> Value {
        let fields = |fields: &[(Identifier, Option<DomainTree>)]| -> Value {
            let field = |(field, inner): &(Identifier, Option<DomainTree>)| {
                json!([
                    name_as_json(&field.text),
                    inner.as_ref().map_or(json!({"TypeBool": []}), |inner| self.ty(inner))
                ])
            };
            fields.iter().map(field).collect()
        };
        let all = |items: &[DomainTree]| -> Value { items.iter().map(|item| self.ty(item)).collect() };
        match &domain.kind {
            DomainKind::Bool => json!({"TypeBool": []}),
            DomainKind::Int { tag: written, .. } => json!({"TypeInt": tag(written.as_ref().map(|tag| &*tag.text))}),
            DomainKind::Named(named, _) => match self.types.get(&named.text) {
                Some(Type::Named(of)) if of.unnamed => json!({"TypeUnnamed": name_as_json(&of.name)}),
                Some(Type::Bool) => json!({"TypeBool": []}),
                Some(Type::Int(_)) => json!({"TypeInt": tag(None)}),
                _ => json!({"TypeEnum": name_as_json(&named.text)}),
            },
            DomainKind::Tuple(items) => node("TypeTuple", all(items)),
            DomainKind::Record(items) => node("TypeRecord", fields(items)),
            DomainKind::Variant(items) => node("TypeVariant", fields(items)),
            DomainKind::Matrix(indices, element) => {
                let element = self.ty(element);
                indices.iter().rfold(element, |element, index| json!({"TypeMatrix": [self.ty(index), element]}))
            }
            DomainKind::Collection(kind, _, parts) => {
                let inner = match &parts[..] {
                    [only] if kind.form() != MemberForm::Tuples => self.ty(only),
                    _ => all(parts),
                };
                node(&constructor("Type", *kind), inner)
            }
        }
    }

    /// Returns true if all bounds of an index domain are constants.
    fn is_constant(&self, domain: &DomainTree) -> bool {
        let mut constant = !matches!(domain.kind, DomainKind::Named(..));
        parts::in_domain(domain, &mut |expr| constant &= self.printed(expr).constant.is_some());
        constant
    }

    /// Returns true if the values of `int(e)` are the members of the collection `e`.
    fn is_collection(&self, members: &ExprTree) -> bool {
        match &members.kind {
            ExprTreeKind::Comprehension(..) | ExprTreeKind::Matrix(..) | ExprTreeKind::Collection(..) => true,
            ExprTreeKind::Name(name) => self.types.get(name).is_some_and(|ty| {
                ty.form() == Some(MemberForm::Values) || matches!(ty, Type::Matrix(_) | Type::List(_))
            }),
            ExprTreeKind::Apply(symbol, _) => {
                use symbols::{DEFINED, FLATTEN, INTERSECT, RANGE, TO_MSET, TO_SET, UNION};
                [UNION, INTERSECT, DEFINED, RANGE, TO_SET, TO_MSET, FLATTEN].contains(symbol)
            }
            _ => false,
        }
    }
}

/// Returns the name of a constructor of Conjure, which uses the same names for collections.
fn constructor(of: &str, kind: Collection) -> String {
    format!("{of}{kind:?}")
}

/// Returns the components of a member of a relation.
fn components_of_row(member: &ExprTree) -> &[ExprTree] {
    match &member.kind {
        ExprTreeKind::Tuple(components) => components,
        _ => std::slice::from_ref(member),
    }
}

fn pattern_as_json(pattern_: &PatternTree) -> Value {
    match &pattern_.kind {
        PatternKind::Name(text) => json!({"Single": name_as_json(text)}),
        PatternKind::Wildcard => json!({"Single": name_as_json("_")}),
        PatternKind::Parts(form, parts) => {
            let constructor = match form {
                PatternForm::Tuple => "AbsPatTuple",
                PatternForm::Matrix => "AbsPatMatrix",
                PatternForm::Members => "AbsPatSet",
            };
            node(constructor, parts.iter().map(pattern_as_json).collect())
        }
    }
}
