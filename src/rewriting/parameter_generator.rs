//! Models whose solutions are parameters of another model.
//!
//! Each parameter becomes a decision variable, and each `where` a constraint. The domain of a decision variable must be
//! finite and may not depend on other decisions, but parameters have domains such as `function (total) int(1..n) -->
//! int`. So the variable gets a domain that is large enough for all values of the other parameters, and constraints
//! exclude the rest. If there is no such domain, as for a matrix that is indexed by `int(1..n)`, the parameters that it
//! depends on need a value.

use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    language::{Collection, MemberForm, Name},
    operators::symbols,
    source::Span,
    syntax::{
        ast::{
            DomainKind, DomainTree, ExprTree, ExprTreeKind, File, GeneratorSource, Identifier, LettingValue,
            PatternKind, PatternTree, QualifierTree, Quantified, Quantifier, Statement, StatementKind,
            WrittenAttribute, WrittenIndex, WrittenRange,
        },
        parts,
    },
};
use rustc_hash::{FxHashMap, FxHashSet};

with_setters! {
    /// Options for the generation of parameters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct GeneratorOptions {
        /// The smallest integer if a domain has no lower bound.
        pub least: i64,
        /// The largest integer if a domain has no upper bound, and the largest size of a collection without one.
        pub most: i64,
        /// The number of members of each enumerated type that is a parameter.
        pub members: u32,
        /// Clip integers at `most` even if a domain has larger ones.
        pub clipped: bool,
    }
}

impl Default for GeneratorOptions {
    fn default() -> Self {
        GeneratorOptions { least: 0, most: 100, members: 3, clipped: false }
    }
}

/// The model whose solutions are the parameters of `model`, with some values that are decided already.
pub(crate) fn parameter_generator(
    model: &File,
    text: &str,
    values: &[File],
    options: GeneratorOptions,
    diagnostics: &mut Diagnostics,
) -> File {
    let decided = values.iter().flat_map(|file| &file.statements).flat_map(decided).collect();
    let mut generator = GeneratorBuilder { decided, ..GeneratorBuilder::new(text, options, diagnostics) };
    let statements = generator.statements(model);
    let is_parameter =
        |statement: &Statement| matches!(statement.kind, StatementKind::Given { .. } | StatementKind::GivenEnum { .. });
    if !model.statements.iter().any(is_parameter) {
        let nothing =
            Diagnostic::error(Code::COMMAND_LINE, "the model has no parameters, so there is nothing to generate");
        diagnostics.push(nothing.help("solve it without a parameter file"));
    }
    File { header: model.header.clone(), statements: without_unused_lettings(model, statements), ..File::default() }
}

/// The model in which all parameters but the fixed ones are decision variables: each solution consists of data and a
/// solution for these data.
pub(crate) fn with_open_parameters(
    model: &File,
    text: &str,
    fixed: &FxHashSet<Name>,
    options: GeneratorOptions,
    diagnostics: &mut Diagnostics,
) -> File {
    let mut generator = GeneratorBuilder { fixed: Some(fixed), ..GeneratorBuilder::new(text, options, diagnostics) };
    File { header: model.header.clone(), statements: generator.statements(model), ..File::default() }
}

struct GeneratorBuilder<'a> {
    options: GeneratorOptions,
    /// The parameters that remain, if the decision variables and constraints of the model remain, too.
    fixed: Option<&'a FxHashSet<Name>>,
    lettings: FxHashMap<Name, LettingValue>,
    /// The parameters, and the names whose meaning depends on them.
    dependent: FxHashSet<Name>,
    /// The parameters without a value; for integers, with the least and the largest value.
    open: FxHashMap<Name, Option<(i64, i64)>>,
    decided: FxHashMap<Name, ExprTree>,
    /// The text of the model. New names must not occur in it.
    text: &'a str,
    fresh: usize,
    diagnostics: &'a mut Diagnostics,
}

/// The values in a parameter file.
fn decided(statement: &Statement) -> Vec<(Name, ExprTree)> {
    match &statement.kind {
        StatementKind::Letting { names, value: LettingValue::Expr(value) } => {
            names.iter().map(|name| (name.text.clone(), value.clone())).collect()
        }
        _ => Vec::new(),
    }
}

impl<'a> GeneratorBuilder<'a> {
    fn new(text: &'a str, options: GeneratorOptions, diagnostics: &'a mut Diagnostics) -> Self {
        GeneratorBuilder {
            options,
            fixed: None,
            lettings: FxHashMap::default(),
            dependent: FxHashSet::default(),
            open: FxHashMap::default(),
            decided: FxHashMap::default(),
            text,
            fresh: 0,
            diagnostics,
        }
    }

    fn is_fixed(&self, name: &Identifier) -> bool {
        self.fixed.is_some_and(|fixed| fixed.contains(&name.text))
    }

    fn statements(&mut self, model: &File) -> Vec<Statement> {
        let mut statements = Vec::new();
        for statement in &model.statements {
            let mut add = |kind| statements.push(Statement { kind, span: statement.span });
            match &statement.kind {
                StatementKind::Given { names, domain } => {
                    for name in names {
                        if self.is_fixed(name) {
                            add(StatementKind::Given { names: vec![name.clone()], domain: domain.clone() });
                            continue;
                        }
                        let mut constraints = Vec::new();
                        let value = ExprTree::made(ExprTreeKind::Name(name.text.clone())).at(name.span);
                        let domain = self.large_enough(domain, &value, &mut constraints);
                        match self.decided.get(&name.text) {
                            Some(known) => constraints.push(ExprTree::equal(value, known.clone())),
                            None => _ = self.open.insert(name.text.clone(), self.interval_of(&domain)),
                        }
                        self.dependent.insert(name.text.clone());
                        add(StatementKind::Find { names: vec![name.clone()], domain });
                        if !constraints.is_empty() {
                            add(StatementKind::SuchThat(constraints));
                        }
                    }
                }
                StatementKind::GivenEnum { names } if names.iter().all(|name| self.is_fixed(name)) => {
                    add(statement.kind.clone());
                }
                StatementKind::GivenEnum { names } => {
                    // In solutions, the members of an unnamed type have names, so the names become data.
                    let size = ExprTree::made(ExprTreeKind::Int(i64::from(self.options.members)));
                    add(StatementKind::Letting { names: names.clone(), value: LettingValue::Unnamed(size) });
                }
                StatementKind::Letting { names, value } => {
                    let mut value = value.clone();
                    let mut depends = false;
                    in_statement(statement, &mut |name| depends |= self.dependent.contains(name));
                    for name in names {
                        self.lettings.insert(name.text.clone(), value.clone());
                        if depends {
                            self.dependent.insert(name.text.clone());
                        }
                    }
                    match &mut value {
                        // If the domain depends on decisions, the statement is dropped.
                        LettingValue::Domain(_) if depends => continue,
                        LettingValue::Unnamed(size) => self.inline(size, true),
                        _ => {}
                    }
                    add(StatementKind::Letting { names: names.clone(), value });
                }
                StatementKind::Where(items) => {
                    let mut items = items.clone();
                    items.iter_mut().for_each(|item| self.inline(item, false));
                    add(StatementKind::SuchThat(items));
                }
                StatementKind::Find { names, domain } if self.fixed.is_some() => {
                    let mut domain = domain.clone();
                    self.inline_in_domain(&mut domain, false);
                    self.must_be_decided(&domain, "the domain of a decision variable depends");
                    add(StatementKind::Find { names: names.clone(), domain });
                }
                StatementKind::SuchThat(items) if self.fixed.is_some() => {
                    let mut items = items.clone();
                    items.iter_mut().for_each(|item| self.inline(item, false));
                    add(StatementKind::SuchThat(items));
                }
                _ => {}
            }
        }
        statements
    }

    /// A domain for a decision variable that holds all values of this domain, and the constraints that exclude the
    /// others.
    fn large_enough(&mut self, domain: &DomainTree, value: &ExprTree, constraints: &mut Vec<ExprTree>) -> DomainTree {
        let mut domain = domain.clone();
        // The domain must not depend on other decisions, not even through names.
        self.inline_in_domain(&mut domain, true);
        self.enlarged(&domain, value, constraints)
    }

    /// The interval that replaces the ranges of an integer domain; `None` if they may stay.
    fn enlarged_interval(
        &mut self,
        domain: &DomainTree,
        ranges: &[WrittenRange],
        value: &ExprTree,
        constraints: &mut Vec<ExprTree>,
    ) -> Option<WrittenRange> {
        let (least, most) = self.interval_of(domain)?;
        if self.is_open(domain) {
            let within = ranges.iter().map(|range| range_condition(value, range));
            constraints.extend(within.reduce(ExprTree::or));
        } else if self.is_finite(ranges) {
            let is_interval = matches!(ranges, [WrittenRange::Interval(..)]);
            if !self.options.clipped || !is_interval || most <= self.options.most {
                return None;
            }
        }
        let most = match self.options.clipped {
            // The interval has at least two values, so that there is a choice.
            true => most.min(self.options.most.max(least + 1)),
            false => most,
        };
        let [low, high] = [least, most].map(|end| Some(ExprTree::made(ExprTreeKind::Int(end))));
        Some(WrittenRange::Interval(low, high))
    }

    fn enlarged(&mut self, domain: &DomainTree, value: &ExprTree, constraints: &mut Vec<ExprTree>) -> DomainTree {
        let kind = match &domain.kind {
            DomainKind::Int { tag, ranges } => {
                let ranges = ranges.as_deref().unwrap_or_default();
                let Some(interval) = self.enlarged_interval(domain, ranges, value, constraints) else {
                    return domain.clone();
                };
                DomainKind::Int { tag: tag.clone(), ranges: Some(vec![interval]) }
            }
            DomainKind::Bool | DomainKind::Named(..) => return domain.clone(),
            DomainKind::Tuple(items) => {
                let mut enlarged = Vec::new();
                for (position, item) in (1..).zip(items) {
                    enlarged.push(self.enlarged(item, &indexed_expr(value, ExprTreeKind::Int(position)), constraints));
                }
                DomainKind::Tuple(enlarged)
            }
            DomainKind::Record(fields) => {
                let component = |field: &Identifier| indexed_expr(value, ExprTreeKind::Name(field.text.clone()));
                DomainKind::Record(self.fields(fields, component, |_, inner| inner, constraints))
            }
            DomainKind::Variant(fields) => {
                let component = |field: &Identifier| indexed_expr(value, ExprTreeKind::Name(field.text.clone()));
                let if_active = |field: &Identifier, inner| {
                    let field = ExprTree::made(ExprTreeKind::Name(field.text.clone()));
                    let active = ExprTree::made(ExprTreeKind::Apply(symbols::ACTIVE, vec![value.clone(), field]));
                    ExprTree::made(ExprTreeKind::Apply(symbols::IMPLIES, vec![active, inner]))
                };
                DomainKind::Variant(self.fields(fields, component, if_active, constraints))
            }
            DomainKind::Matrix(indices, element) => {
                indices.iter().for_each(|index| self.must_be_decided(index, "the indices of another parameter depend"));
                let names: Vec<Name> = indices.iter().map(|_| self.fresh_name()).collect();
                let at = names.iter().map(|name| WrittenIndex::At(ExprTree::made(ExprTreeKind::Name(name.clone()))));
                let component = ExprTree::made(ExprTreeKind::Index(Box::new(value.clone()), at.collect()));
                let mut inner = Vec::new();
                let element = self.enlarged(element, &component, &mut inner);
                if let Some(inner) = conjunction(inner) {
                    let quantified = names.into_iter().zip(indices).rfold(inner, |body, (name, index)| {
                        for_all(name, GeneratorSource::Domain(index.clone()), body)
                    });
                    constraints.push(quantified);
                }
                DomainKind::Matrix(indices.clone(), Box::new(element))
            }
            DomainKind::Collection(kind, attributes, parts) if kind.form() == MemberForm::Pairs => {
                self.function(*kind, attributes, parts, value, constraints)
            }
            DomainKind::Collection(kind, attributes, columns) if kind.form() == MemberForm::Tuples => {
                if asks_for_property(attributes) {
                    columns
                        .iter()
                        .for_each(|column| self.must_be_decided(column, "the attributes of another parameter depend"));
                }
                let mut enlarged = Vec::new();
                for (position, column) in (1..).zip(columns) {
                    enlarged.push(self.members(column, value, Some(position), constraints));
                }
                let attributes = self.attributes(attributes, are_few(&enlarged), value, constraints);
                DomainKind::Collection(*kind, attributes, enlarged)
            }
            DomainKind::Collection(kind, attributes, parts) => {
                let inner = &parts[0];
                if kind.form().open_parts(1).is_empty() {
                    self.must_be_decided(inner, "the members of another parameter depend");
                } else if has(attributes, &["surjective", "bijective"]) {
                    self.must_be_decided(inner, "the attributes of another parameter depend");
                }
                let member = (kind.form() == MemberForm::Positions).then_some(2);
                // Partitions and permutations contain all members of their domain.
                let has_all = kind.form().open_parts(1).is_empty() || has(attributes, &["surjective", "bijective"]);
                let enlarged = self.whole_if(has_all, |own| own.members(inner, value, member, constraints));
                let bounded = are_few(std::slice::from_ref(&enlarged)) && !kind.row().needs_size();
                let attributes = self.attributes(attributes, bounded, value, constraints);
                DomainKind::Collection(*kind, attributes, vec![enlarged])
            }
        };
        DomainTree { kind, span: domain.span }
    }

    /// The domains of fields. `condition` turns the constraints on a component into constraints on the whole.
    fn fields(
        &mut self,
        fields: &[(Identifier, Option<DomainTree>)],
        component: impl Fn(&Identifier) -> ExprTree,
        condition: impl Fn(&Identifier, ExprTree) -> ExprTree,
        constraints: &mut Vec<ExprTree>,
    ) -> Vec<(Identifier, Option<DomainTree>)> {
        let mut enlarged = Vec::new();
        for (field, inner) in fields {
            let mut about = Vec::new();
            let inner = inner.as_ref().map(|inner| self.enlarged(inner, &component(field), &mut about));
            constraints.extend(about.into_iter().map(|constraint| condition(field, constraint)));
            enlarged.push((field.clone(), inner));
        }
        enlarged
    }

    /// The domain of the members of a collection, or of their components at a position.
    fn members(
        &mut self,
        inner: &DomainTree,
        collection: &ExprTree,
        position: Option<i64>,
        constraints: &mut Vec<ExprTree>,
    ) -> DomainTree {
        let name = self.fresh_name();
        let member = ExprTree::made(ExprTreeKind::Name(name.clone()));
        let component = position.map_or(member.clone(), |position| indexed_expr(&member, ExprTreeKind::Int(position)));
        let mut about = Vec::new();
        let enlarged = self.enlarged(inner, &component, &mut about);
        let about = conjunction(about).map(|about| for_all(name, GeneratorSource::Members(collection.clone()), about));
        constraints.extend(about);
        enlarged
    }

    /// Enlarges the domain of a function. `total` and `surjective` depend on the smaller domains, so constraints
    /// replace them.
    fn function(
        &mut self,
        kind: Collection,
        attributes: &[WrittenAttribute],
        parts: &[DomainTree],
        value: &ExprTree,
        constraints: &mut Vec<ExprTree>,
    ) -> DomainKind {
        let [from, to] = parts else { unreachable!("a function has arguments and images") };
        let mut kept = attributes.to_vec();
        let mut drop = |words: &[&str]| kept.retain(|attribute| !words.contains(&&*attribute.name.text));
        let enlarged_from = self.whole_if(true, |own| own.members(from, value, Some(1), constraints));
        if has(attributes, &["total"]) && self.is_open(from) {
            drop(&["total"]);
            let (name, is_argument) = self.member_of(from);
            let argument = ExprTree::made(ExprTreeKind::Name(name.clone()));
            let defined = ExprTree::made(ExprTreeKind::Apply(symbols::DEFINED, vec![value.clone()]));
            let body = ExprTree::implies(is_argument, ExprTree::is_in(argument, defined));
            constraints.push(for_all(name, GeneratorSource::Domain(enlarged_from.clone()), body));
        }
        let is_onto = has(attributes, &["surjective", "bijective"]);
        let enlarged_to = self.whole_if(is_onto, |own| own.members(to, value, Some(2), constraints));
        if has(attributes, &["surjective", "bijective"]) && self.is_open(to) {
            drop(&["surjective", "bijective"]);
            if has(attributes, &["bijective"]) {
                let name = Identifier { text: "injective".into(), span: Span::default() };
                constraints.push(ExprTree::made(ExprTreeKind::Attribute(name, vec![value.clone()])));
            }
            let (name, is_image) = self.member_of(to);
            let image = ExprTree::made(ExprTreeKind::Name(name.clone()));
            let range = ExprTree::made(ExprTreeKind::Apply(symbols::RANGE, vec![value.clone()]));
            let body = ExprTree::implies(is_image, ExprTree::is_in(image, range));
            constraints.push(for_all(name, GeneratorSource::Domain(enlarged_to.clone()), body));
        }
        let attributes = self.attributes(
            &kept,
            // A total function has one pair for each argument.
            are_few(std::slice::from_ref(&enlarged_from)) || has(attributes, &["total"]),
            value,
            constraints,
        );
        DomainKind::Collection(kind, attributes, vec![enlarged_from, enlarged_to])
    }

    /// Runs a function without clipping domains if a collection needs all their values.
    fn whole_if<T>(&mut self, needs_all: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        let clipped = self.options.clipped;
        self.options.clipped &= !needs_all;
        let done = work(self);
        self.options.clipped = clipped;
        done
    }

    /// A new name, and the condition that it is in a domain.
    fn member_of(&mut self, domain: &DomainTree) -> (Name, ExprTree) {
        let name = self.fresh_name();
        let mut conditions = Vec::new();
        self.enlarged(domain, &ExprTree::made(ExprTreeKind::Name(name.clone())), &mut conditions);
        (name, conjunction(conditions).unwrap_or(ExprTree::made(ExprTreeKind::Bool(true))))
    }

    /// The attributes that do not depend on decisions; constraints replace the others. A size without a limit gets one
    /// unless the members have few values.
    fn attributes(
        &self,
        attributes: &[WrittenAttribute],
        bounded: bool,
        value: &ExprTree,
        constraints: &mut Vec<ExprTree>,
    ) -> Vec<WrittenAttribute> {
        let number = |word: &str, number: i64| WrittenAttribute {
            name: Identifier { text: word.into(), span: Span::default() },
            value: Some(ExprTree::made(ExprTreeKind::Int(number))),
        };
        let mut kept = Vec::new();
        let mut limited = bounded;
        for attribute in attributes {
            let is_limit = ["size", "maxSize"].contains(&&*attribute.name.text);
            limited |= is_limit;
            match &attribute.value {
                Some(bound) if self.mentions_open(bound) => {
                    // The bound depends on an open parameter, so it becomes a constraint, and the domain gets the
                    // largest possible bound.
                    let operands = vec![value.clone(), bound.clone()];
                    constraints.push(ExprTree::made(ExprTreeKind::Attribute(attribute.name.clone(), operands)));
                    let most = self.interval(bound).map_or(self.options.most, |(_, most)| most);
                    match &*attribute.name.text {
                        "maxOccur" => kept.push(number("maxOccur", most)),
                        _ if is_limit => kept.push(number("maxSize", most)),
                        _ => {}
                    }
                }
                _ => kept.push(attribute.clone()),
            }
        }
        if !limited {
            kept.push(number("maxSize", self.options.most));
        }
        kept
    }

    /// Reports the parameters without a value that a domain depends on.
    fn must_be_decided(&mut self, domain: &DomainTree, what_depends: &str) {
        let mut names = Vec::new();
        in_domain(domain, &mut |name| {
            if self.open.contains_key(name) && !names.contains(name) {
                names.push(name.clone());
            }
        });
        for name in names {
            let wanted = format!("`{name}` needs a value");
            if !self.diagnostics.iter().any(|diagnostic| diagnostic.message.starts_with(&wanted)) {
                let message = format!("{wanted}: {what_depends} on it");
                let error = Diagnostic::error(Code::MISSING_PARAMETER, message);
                let help = format!("give it one: -D 'letting {name} be …'");
                self.diagnostics.push(error.at(domain.span, format!("depends on `{name}`")).help(help));
            }
        }
    }

    fn fresh_name(&mut self) -> Name {
        loop {
            self.fresh += 1;
            let name = format!("i{}", self.fresh);
            if !self.text.contains(&name) {
                return name.into();
            }
        }
    }

    /// Returns true if a domain depends on parameters without a value.
    fn is_open(&self, domain: &DomainTree) -> bool {
        let mut open = false;
        in_domain(domain, &mut |name| open |= self.open.contains_key(name));
        open
    }

    fn mentions_open(&self, expr: &ExprTree) -> bool {
        let mut open = false;
        in_expr(expr, &mut |name| open |= self.open.contains_key(name));
        open
    }

    fn is_finite(&self, ranges: &[WrittenRange]) -> bool {
        !ranges.is_empty()
            && ranges
                .iter()
                .all(|range| !matches!(range, WrittenRange::Interval(None, _) | WrittenRange::Interval(_, None)))
    }

    /// The least and the largest integer of a domain of integers.
    fn interval_of(&self, domain: &DomainTree) -> Option<(i64, i64)> {
        let DomainKind::Int { ranges, .. } = &domain.kind else { return None };
        let all = (self.options.least, self.options.most);
        let interval = |range: &WrittenRange| match range {
            WrittenRange::Single(value) => self.interval(value).unwrap_or(all),
            WrittenRange::Interval(low, high) => {
                let end = |end: &Option<ExprTree>| end.as_ref().and_then(|end| self.interval(end));
                let least = end(low).map_or(all.0, |(least, _)| least);
                (least, end(high).map_or(all.1.max(least), |(_, most)| most))
            }
        };
        let intervals = ranges.iter().flatten().map(interval);
        Some(intervals.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))).unwrap_or(all))
    }

    /// The least and the largest value of an expression, as far as they are easy to find.
    fn interval(&self, expr: &ExprTree) -> Option<(i64, i64)> {
        let of_all =
            |operands: &[ExprTree]| operands.iter().map(|operand| self.interval(operand)).collect::<Option<Vec<_>>>();
        let ends = |candidates: Vec<Option<i64>>| -> Option<(i64, i64)> {
            let candidates: Vec<i64> = candidates.into_iter().collect::<Option<_>>()?;
            Some((*candidates.iter().min()?, *candidates.iter().max()?))
        };
        match &expr.kind {
            ExprTreeKind::Int(value) => Some((*value, *value)),
            ExprTreeKind::Name(name) => match (self.open.get(name), self.lettings.get(name)) {
                (Some(interval), _) => *interval,
                (None, Some(LettingValue::Expr(value))) => self.interval(value),
                _ => None,
            },
            ExprTreeKind::Apply(symbol, operands) => match (*symbol, of_all(operands)?.as_slice()) {
                (symbols::PLUS, [a, b]) => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
                (symbols::MINUS, [a, b]) => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
                (symbols::NEGATE, [a]) => Some((a.1.checked_neg()?, a.0.checked_neg()?)),
                // The product of two negative ends may be the largest, so all four products are compared.
                (symbols::TIMES, [a, b]) => {
                    ends([(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(a, b)| a.checked_mul(b)).to_vec())
                }
                // With a negative base, the powers alternate in sign, so the ends do not bound them.
                (symbols::POWER, [a, b]) if a.0 >= 0 && b.0 >= 0 => {
                    let power = |base: i64, exponent: i64| base.checked_pow(u32::try_from(exponent).ok()?);
                    ends(vec![power(a.0, b.0), power(a.0, b.1), power(a.1, b.1)])
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Replaces names of domains that depend on parameters with the domains and, if `values` is set, names of values
    /// with the values.
    fn inline(&self, expr: &mut ExprTree, values: bool) {
        if let ExprTreeKind::Name(name) = &expr.kind
            && values
        {
            let letting = || match self.lettings.get(name) {
                Some(LettingValue::Expr(value)) if self.dependent.contains(name) => Some(value),
                _ => None,
            };
            if let Some(value) = self.decided.get(name).or_else(letting) {
                *expr = value.clone();
                return self.inline(expr, values);
            }
        }
        for domain in domains_mut(expr) {
            self.inline_in_domain(domain, values);
        }
        for part in expr.parts_mut() {
            self.inline(part, values);
        }
    }

    fn inline_in_domain(&self, domain: &mut DomainTree, values: bool) {
        if let DomainKind::Named(name, None) = &domain.kind
            && let Some(LettingValue::Domain(named)) = self.lettings.get(&name.text)
            && (values || self.dependent.contains(&name.text))
        {
            let span = domain.span;
            *domain = DomainTree { span, ..named.clone() };
            return self.inline_in_domain(domain, values);
        }
        for inner in parts::beside_domains_mut(domain, &mut |expr| self.inline(expr, values)) {
            self.inline_in_domain(inner, values);
        }
    }
}

/// The condition that a value is in a range.
fn range_condition(value: &ExprTree, range: &WrittenRange) -> ExprTree {
    match range {
        WrittenRange::Single(bound) => ExprTree::equal(value.clone(), bound.clone()),
        WrittenRange::Interval(low, high) => {
            let low = low.as_ref().map(|low| ExprTree::at_most(low.clone(), value.clone()));
            let high = high.as_ref().map(|high| ExprTree::at_most(value.clone(), high.clone()));
            conjunction(low.into_iter().chain(high).collect()).unwrap_or(ExprTree::made(ExprTreeKind::Bool(true)))
        }
    }
}

fn conjunction(conditions: Vec<ExprTree>) -> Option<ExprTree> {
    conditions.into_iter().reduce(ExprTree::and)
}

fn indexed_expr(value: &ExprTree, index: ExprTreeKind) -> ExprTree {
    ExprTree::made(ExprTreeKind::Index(Box::new(value.clone()), vec![WrittenIndex::At(ExprTree::made(index))]))
}

fn for_all(name: Name, over: GeneratorSource, body: ExprTree) -> ExprTree {
    let patterns = vec![PatternTree { kind: PatternKind::Name(name), span: Span::default() }];
    let quantified = Quantified { quantifier: Quantifier::ForAll, patterns, over, guard: None, body };
    ExprTree::made(ExprTreeKind::Quantified(Box::new(quantified)))
}

fn has(attributes: &[WrittenAttribute], words: &[&str]) -> bool {
    attributes.iter().any(|attribute| words.contains(&&*attribute.name.text))
}

/// Returns true if the attributes require more than numbers.
fn asks_for_property(attributes: &[WrittenAttribute]) -> bool {
    attributes.iter().any(|attribute| attribute.value.is_none())
}

/// The number of possible members above which a collection gets a limit on its size. Chosen.
const FEW: i64 = 100_000;

/// Returns true if the tuples of these domains can be listed.
fn are_few(domains: &[DomainTree]) -> bool {
    let product = domains.iter().map(domain_size).try_fold(1_i64, |product, count| product.checked_mul(count?));
    product.is_some_and(|product| product <= FEW)
}

/// The number of values of a domain, if it is easy to find; types are assumed to be small.
fn domain_size(domain: &DomainTree) -> Option<i64> {
    match &domain.kind {
        DomainKind::Bool | DomainKind::Named(..) => Some(2),
        DomainKind::Tuple(items) => {
            items.iter().map(domain_size).try_fold(1, |product: i64, count| product.checked_mul(count?))
        }
        DomainKind::Int { ranges: Some(ranges), .. } => match ranges.as_slice() {
            [WrittenRange::Interval(Some(low), Some(high))] => match (&low.kind, &high.kind) {
                (ExprTreeKind::Int(low), ExprTreeKind::Int(high)) => high.checked_sub(*low)?.checked_add(1),
                _ => Some(2),
            },
            _ => Some(2),
        },
        _ => None,
    }
}

/// The statements without lettings that no later statement uses: some mention the decision variables of the model.
fn without_unused_lettings(model: &File, statements: Vec<Statement>) -> Vec<Statement> {
    // The members of an enumerated type belong to the data even if nothing else there mentions them.
    let types = model.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::GivenEnum { names } => Some(names),
        _ => None,
    });
    let mut used: FxHashSet<Name> = types.flatten().map(|name| name.text.clone()).collect();
    let mut kept = Vec::new();
    for statement in statements.into_iter().rev() {
        let is_used = match &statement.kind {
            StatementKind::Letting { names, value } => {
                let members = match value {
                    LettingValue::Enum(members) => members.as_slice(),
                    _ => &[],
                };
                names.iter().chain(members).any(|name| used.contains(&name.text))
            }
            _ => true,
        };
        if is_used {
            in_statement(&statement, &mut |name| _ = used.insert(name.clone()));
            kept.push(statement);
        }
    }
    kept.reverse();
    kept
}

/// The domains that are directly a part of an expression.
fn domains_mut(expr: &mut ExprTree) -> Vec<&mut DomainTree> {
    match &mut expr.kind {
        ExprTreeKind::Domain(domain) | ExprTreeKind::Typed(_, domain) | ExprTreeKind::Matrix(_, Some(domain)) => {
            vec![domain]
        }
        ExprTreeKind::Quantified(quantified) => match &mut quantified.over {
            GeneratorSource::Domain(domain) => vec![domain],
            _ => Vec::new(),
        },
        ExprTreeKind::Comprehension(_, qualifiers) => {
            let domains = qualifiers.iter_mut().filter_map(|qualifier| match qualifier {
                QualifierTree::Generator(_, GeneratorSource::Domain(domain)) => Some(domain),
                _ => None,
            });
            domains.collect()
        }
        _ => Vec::new(),
    }
}

/// Calls `visit` for each name that a statement uses.
fn in_statement(statement: &Statement, visit: &mut dyn FnMut(&Name)) {
    match &statement.kind {
        StatementKind::Given { domain, .. }
        | StatementKind::Find { domain, .. }
        | StatementKind::Letting { value: LettingValue::Domain(domain), .. } => in_domain(domain, visit),
        _ => parts::for_each_in_statement(statement, &mut |expr| in_expr(expr, visit)),
    }
}

fn in_expr(expr: &ExprTree, visit: &mut dyn FnMut(&Name)) {
    // The expression is copied, because the only traversal is the one that can change the tree.
    visit_names(&mut expr.clone(), visit);
}

fn in_domain(domain: &DomainTree, visit: &mut dyn FnMut(&Name)) {
    names_of_domain(&mut domain.clone(), visit);
}

fn visit_names(expr: &mut ExprTree, visit: &mut dyn FnMut(&Name)) {
    if let ExprTreeKind::Name(name) = &expr.kind {
        visit(name);
    }
    for domain in domains_mut(expr) {
        names_of_domain(domain, visit);
    }
    for part in expr.parts_mut() {
        visit_names(part, visit);
    }
}

fn names_of_domain(domain: &mut DomainTree, visit: &mut dyn FnMut(&Name)) {
    if let DomainKind::Named(name, _) = &domain.kind {
        visit(&name.text);
    }
    for inner in parts::beside_domains_mut(domain, &mut |expr| visit_names(expr, visit)) {
        names_of_domain(inner, visit);
    }
}
