//! Analysis of expressions: operators are resolved to rows, and the special forms become nodes.

use super::{
    Analysis, Reports, Signatures, coerce,
    domains::named_domain,
    highest, literals,
    mistakes::{self, described_type},
    model::{AttributeUse, Category, Expr, ExprKind},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::{MemberForm, Name, Type, Value, attributes::Attribute as Row},
    operators::{self, Form, Operator, OperatorSymbol, signature::Applied, symbols},
    source::Span,
    syntax::{ast, binding::NameBinding},
};
use std::sync::Arc;

impl Analysis<'_> {
    pub(super) fn expr(&mut self, expr: &ast::ExprTree) -> Expr {
        self.expr_expecting(expr, &Type::Any)
    }

    /// Analyses an expression in a place that expects a type. A literal takes from it the parts of its type that it
    /// leaves open; the caller still checks the type.
    pub(super) fn expr_expecting(&mut self, expr: &ast::ExprTree, expected: &Type) -> Expr {
        use ast::ExprTreeKind as Kind;
        let span = expr.span;
        match &expr.kind {
            Kind::Name(name) => match expected {
                // In data, `red` may be a string in JSON or a cell of a table, and the expected type determines the
                // member.
                Type::Named(named) if self.in_parameters => self.member_in_data(name, named, span),
                _ => self.name(name, span),
            },
            Kind::Wildcard => {
                let mistake = Diagnostic::error(Code::WRONG_KIND_OF_NAME, "`_` is not a value");
                let earlier = self.reports.diagnostics.last_mut();
                // Several empty cells of a table share one report, with a label for each cell.
                match earlier.filter(|earlier| self.in_parameters && earlier.message == mistake.message) {
                    Some(earlier) => earlier.also(span, "here, too"),
                    None if self.in_parameters => self.reports.add(
                        mistake
                            .at(span, "an empty entry")
                            .help("use a value such as 0 for an empty entry, and include it in the domain"),
                    ),
                    None => self.reports.add(
                        mistake
                            .at(span, "`_` means any value")
                            .note("you can use `_` in patterns, and for the free columns of a relation: `R(x, _)`"),
                    ),
                }
                Expr::wrong(span)
            }
            Kind::Apply(symbol, operands) => self.application(*symbol, operands, span),
            Kind::Index(base, indices) => self.index(base, indices, span),
            Kind::Call(callee, operands) => self.call(callee, operands, span),
            Kind::Attribute(name, operands) => self.attribute_constraint(name, operands, span),
            Kind::Domain(domain) => {
                let domain = self.domains().domain(domain);
                let ty = Type::Domain(Arc::new(domain.ty));
                Expr::new(ExprKind::Domain(Box::new(domain.domain)), ty, domain.category, span)
            }
            Kind::Typed(value, domain) => {
                let domain = self.domains().domain(domain);
                let value = self.expr_expecting(value, &domain.ty);
                if self.in_parameters && is_empty_matrix(&value) {
                    // The index types of `[]` in files from Conjure may differ from the parameter's.
                    return value;
                }
                Expr { span, ..self.reports.expect(value, &domain.ty, "the value before a domain") }
            }
            _ => match NameBinding::of(expr) {
                Some(binding) => self.binding(expr, binding),
                None => self.literal(expr, expected),
            },
        }
    }

    fn application(&mut self, symbol: OperatorSymbol, operands: &[ast::ExprTree], span: Span) -> Expr {
        // The second operand of `active(v, field)` is not an expression but the name of an alternative.
        if symbol == symbols::ACTIVE {
            return self.active(operands, span);
        }
        if symbol == symbols::IN
            && let [left, right] = operands
            && let ast::ExprTreeKind::Apply(symbols::NOT, negated) = &left.kind
            && let [member] = &negated[..]
        {
            return self.negated_member(left, member, right, span);
        }
        let typed = operands.iter().map(|operand| self.expr(operand)).collect();
        self.resolve(symbol, typed, span)
    }

    /// Resolves the application of an operator to typed operands: the first row whose signature fits.
    pub(super) fn resolve(&mut self, symbol: OperatorSymbol, mut operands: Vec<Expr>, span: Span) -> Expr {
        if let Some(mistake) = mistakes::before_resolution(symbol, &operands) {
            self.reports.add(mistake);
            return Expr::wrong(span);
        }
        // A wrong operand fits every row, so all rows are visited to find out if they have the same result.
        let category = highest(&operands);
        let any_wrong = operands.iter().any(Expr::is_wrong);
        let mut found: Option<(&'static Operator, Applied)> = None;
        let mut result = Type::Any;
        for row in operators::rows_of_symbol(symbol) {
            let Some((applied, hidden)) = self.signatures.fit(row, &operands, span) else { continue };
            match &found {
                None => {
                    operands.extend(hidden);
                    result = applied.result.clone();
                    found = Some((row, applied));
                    if !any_wrong {
                        break;
                    }
                }
                // If the rows have different results, the wrong operand hides the intended one.
                Some(_) if applied.result != result => result = Type::Any,
                Some(_) => {}
            }
        }
        let Some((row, applied)) = found else {
            if !any_wrong {
                let mistake = self.signatures.no_row(symbol, &operands, span);
                self.reports.add(mistake);
            }
            return Expr::wrong(span);
        };
        operands.iter_mut().zip(&applied.operands).for_each(|(operand, ty)| coerce::coerce(operand, ty));
        // This type depends on the value of an operand, which a signature cannot express.
        if symbol == symbols::FLATTEN && operands.len() == 2 {
            result = self.flattened(&operands);
        }
        // A negative literal becomes a constant, so that no operator occurs in `int(-1..1)` and in patterns.
        if let ([operand], symbols::NEGATE) = (&operands[..], symbol)
            && let ExprKind::Constant(Value::Int(value)) = operand.kind
        {
            return Expr::constant(Value::Int(-value), result, span);
        }
        if let Some(form) = row.form {
            return self.form(form, operands, result, category, span);
        }
        // In a parameter file, names stand for values, so operators on them are evaluated at once.
        if self.in_parameters
            && !any_wrong
            && let Some(operands) = operands.iter().map(literals::constant_value).collect::<Option<Vec<Value>>>()
            && let Ok(value) = (row.eval)(&operands)
        {
            return Expr::constant(value, result, span);
        }
        Expr::new(ExprKind::Apply(row, operands), result, category, span)
    }

    /// Returns the type of `flatten(k, m)`, which removes the `k` outermost dimensions. The type depends on `k`, so `k`
    /// must be a constant.
    fn flattened(&mut self, operands: &[Expr]) -> Type {
        let mut element = operands[1].ty.member().unwrap_or(Type::Any);
        let levels = match self.model.constant_int(&operands[0]) {
            Some(levels @ 0..) => levels,
            _ if operands[0].is_wrong() => return Type::Any,
            _ => {
                self.reports.add(
                    Diagnostic::error(Code::TYPE_MISMATCH, "the first operand of `flatten` must be a constant number")
                        .at(operands[0].span, "not a constant number, 0 or greater")
                        .note("the type of the result depends on it"),
                );
                return Type::Any;
            }
        };
        for level in 0..levels {
            match &element {
                Type::Matrix(_) | Type::List(_) | Type::Any => element = element.member().unwrap_or(Type::Any),
                _ => {
                    self.reports.add(
                        Diagnostic::error(
                            Code::TYPE_MISMATCH,
                            format!("`flatten({levels}, …)` needs {} dimensions", levels + 1),
                        )
                        .at(operands[1].span, format!("this is `{}`", operands[1].ty))
                        .help(format!("write `flatten({level}, …)`, or `flatten(…)` for all dimensions")),
                    );
                    return Type::Any;
                }
            }
        }
        Type::List(Arc::new(element))
    }

    /// Analyses `!x in S`, which the grammar reads as `(!x) in S`. If `x` is not Boolean, `!(x in S)` was meant.
    fn negated_member(
        &mut self,
        left: &ast::ExprTree,
        member: &ast::ExprTree,
        right: &ast::ExprTree,
        span: Span,
    ) -> Expr {
        let member = self.expr(member);
        let collection = self.expr(right);
        // A negated member is possible in a set of Booleans.
        if member.ty.join(&Type::Bool).is_some() {
            let negated = self.resolve(symbols::NOT, vec![member], left.span);
            return self.resolve(symbols::IN, vec![negated, collection], span);
        }
        if !collection.is_wrong() {
            self.reports.add(
                Diagnostic::error(Code::TYPE_MISMATCH, format!("`!` does not accept {}", described_type(&member.ty)))
                    .at(left.span, "`!` applies only to this")
                    .help("write `!(… in …)`, with parentheses")
                    .note("`!` binds tighter than `in`"),
            );
        }
        Expr::wrong(span)
    }

    /// Applies an operator that is a node of the typed model.
    fn form(&mut self, form: Form, operands: Vec<Expr>, ty: Type, category: Category, span: Span) -> Expr {
        let kind = match (form, <[Expr; 2]>::try_from(operands)) {
            (Form::Transform, Ok([permutations, value])) => {
                ExprKind::Transform(Box::new(permutations), Box::new(value))
            }
            (Form::PermutationOrder, Ok([permutations, value])) => {
                let transformed = self.resolve(symbols::TRANSFORM, vec![permutations, value.clone()], span);
                return self.resolve(symbols::DOT_AT_MOST, vec![value, transformed], span);
            }
            (Form::DoesNotCare, Err(mut operands)) if operands.len() == 1 => {
                ExprKind::DoesNotCare(Box::new(operands.remove(0)))
            }
            (form, operands) => unreachable!("{form:?} of {operands:?}"),
        };
        Expr::new(kind, ty, category, span)
    }

    /// Analyses `active(v, field)`.
    fn active(&mut self, operands: &[ast::ExprTree], span: Span) -> Expr {
        let [variant, field] = operands else {
            return self.reports.wrong_count("active", "a variant and the name of an alternative", span);
        };
        let variant = self.expr(variant);
        match self.reports.alternative(&variant, field) {
            Some((position, _)) => {
                let category = variant.category;
                Expr::new(ExprKind::Active(Box::new(variant), position), Type::Bool, category, span)
            }
            None => Expr::wrong(span),
        }
    }

    /// Analyses an attribute used as a constraint: `injective(f)`, `size(s, 3)`.
    fn attribute_constraint(&mut self, name: &ast::Identifier, operands: &[ast::ExprTree], span: Span) -> Expr {
        let mut typed: Vec<Expr> = operands.iter().map(|operand| self.expr(operand)).collect();
        let word = &*name.text;
        let takes_number = Row::named(word).any(Row::takes_number);
        let count = 1 + usize::from(takes_number);
        if typed.len() != count {
            let wanted = if takes_number { "a collection and a number" } else { "one collection" };
            return self.reports.wrong_count(word, wanted, span);
        }
        // In `size(s, 3)`, the last operand is the number.
        let number = if takes_number { typed.pop() } else { None };
        let number = number.map(|number| self.reports.expect(number, &Type::INT, &format!("the number of `{word}`")));
        let Some(operand) = typed.pop() else { return Expr::wrong(span) };
        // Only relations with two columns of the same type can have the properties of binary relations.
        let binary =
            operand.ty.columns().is_some_and(|columns| columns.len() == 2 && columns[0].join(&columns[1]).is_some());
        let fits = |row: &&Row| match operand.ty.collection() {
            Some(kind) => row.of.contains(&kind) && (binary || !row.is_of_binary_relations()),
            None => operand.ty == Type::Any,
        };
        let Some(row) = Row::named(word).find(fits) else {
            self.reports.add(
                Diagnostic::error(
                    Code::BAD_ATTRIBUTE,
                    format!("`{word}` is not a property of {}", described_type(&operand.ty)),
                )
                .at(operand.span, format!("this is `{}`", operand.ty)),
            );
            return Expr::wrong(span);
        };
        let category = operand.category.max(highest(&number));
        let attribute = AttributeUse { row, number };
        Expr::new(ExprKind::HasAttribute(Box::new(operand), Box::new(attribute)), Type::Bool, category, span)
    }

    /// Analyses a Boolean expression. A list of Booleans means that all of them hold.
    pub(super) fn condition(&mut self, condition: &ast::ExprTree, what: &str) -> Expr {
        let condition = self.expr(condition);
        match &condition.ty {
            Type::Bool | Type::Any => condition,
            Type::List(inner) if inner.join(&Type::Bool).is_some() => self.all(condition),
            Type::Matrix(parts) if parts[1].join(&Type::Bool).is_some() => self.all(condition),
            _ => {
                let mut mistake = Diagnostic::error(
                    Code::TYPE_MISMATCH,
                    format!("{what} must be true or false, but this is {}", described_type(&condition.ty)),
                )
                .at(condition.span, format!("this is `{}`", condition.ty));
                if condition.ty.form() == Some(MemberForm::Values) {
                    mistake = mistake.help("write `and([x | x <- …])` to require all members");
                }
                self.reports.add(mistake);
                Expr::wrong(condition.span)
            }
        }
    }

    fn all(&mut self, list: Expr) -> Expr {
        let span = list.span;
        self.resolve(symbols::ALL, vec![list], span)
    }

    /// Reports the call of an unknown name, with its likely meaning.
    pub(super) fn unknown_function(&mut self, name: &Name, span: Span) {
        let help = mistakes::other_name(name).or_else(|| {
            let words = operators::symbols().iter().filter(|symbol| symbol.notation == operators::Notation::Function);
            let known = crate::diagnostic::nearest(name, words.map(|symbol| symbol.text));
            // If a declared name is similar, it is probably meant instead of an operator.
            match (known, self.names.nearest(name)) {
                (Some(known), None) => Some(format!("did you mean `{known}`?")),
                _ => None,
            }
        });
        self.unknown(name, span, help);
    }
}

impl Reports<'_> {
    pub(super) fn wrong_count(&mut self, word: &str, wanted: &str, span: Span) -> Expr {
        self.add(Diagnostic::error(Code::NO_OVERLOAD, format!("`{word}` takes {wanted}")).at(span, "other operands"));
        Expr::wrong(span)
    }
}

impl Signatures {
    /// Fits a row to the operands. Also returns the hidden operand of rows such as `succ`, the domain of the operand's
    /// named type.
    fn fit(&mut self, row: &'static Operator, operands: &[Expr], span: Span) -> Option<(Applied, Option<Expr>)> {
        let signature = self.of(row);
        let types: Vec<&Type> = operands.iter().map(|operand| &operand.ty).collect();
        if let Some(Type::Named(named)) = signature.hidden_domain(&types) {
            let members = named_domain(&named);
            let hidden = Type::Domain(Arc::new(Type::Named(named)));
            let mut types = types;
            types.push(&hidden);
            let applied = signature.apply(&types)?;
            let kind = ExprKind::Domain(Box::new(members));
            return Some((applied, Some(Expr::new(kind, hidden, Category::Parameter, span))));
        }
        Some((signature.apply(&types)?, None))
    }
}

/// Returns true if an expression is an empty matrix literal.
fn is_empty_matrix(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Constant(Value::Matrix(matrix)) if matrix.elements.is_empty())
}
