//! Expressions that do not mean what they seem to: `allDiff` of a matrix with rows, and quotients of numbers.

use super::ModelText;
use crate::{
    analysis::model::{self, DeclarationKind},
    diagnostic::{Code, Diagnostic, Diagnostics, Edit},
    language::Type,
    operators::symbols,
    source::Span,
    syntax::{
        ast::{ExprTree, ExprTreeKind, LettingValue, StatementKind},
        parts,
    },
};

/// Warns about these expressions.
pub(super) fn warn_of_misread(subject: &ModelText, found: &mut Diagnostics) {
    let model = subject.model;
    let lettings = model.declarations.iter().filter_map(|declaration| match &declaration.kind {
        DeclarationKind::Letting(value) => Some(value),
        _ => None,
    });
    model.constraints.iter().chain(lettings).chain(model.preferences()).for_each(|expr| rows_compared(expr, found));
    for statement in &subject.file.statements {
        match &statement.kind {
            StatementKind::SuchThat(items) | StatementKind::Where(items) => {
                items.iter().for_each(|item| quotients(subject, item, found));
            }
            StatementKind::Objective { value, .. }
            | StatementKind::Incomparability { value, .. }
            | StatementKind::Dominance { relation: value, .. }
            | StatementKind::Letting { value: LettingValue::Expr(value), .. } => {
                quotients(subject, value, found);
            }
            _ => {}
        }
    }
}

/// Warns about `allDiff(grid)`, which compares rows: two rows differ if they differ anywhere. An explicit list of rows
/// is meant.
fn rows_compared(expr: &model::Expr, found: &mut Diagnostics) {
    if let model::ExprKind::Apply(row, operands) = &expr.kind
        && row.symbol == symbols::ALL_DIFFERENT
        && let [matrix] = &operands[..]
        && !matches!(matrix.kind, model::ExprKind::Comprehension(_) | model::ExprKind::Matrix(..))
        && let Type::Matrix(types) = &matrix.ty
        && matches!(types[1], Type::Matrix(_))
    {
        let Span { source, start, end } = matrix.span;
        let insert = |at: u32, text: &str| Edit { span: Span { source, start: at, end: at }, text: text.to_owned() };
        let warning = Diagnostic::warning(Code::ROWS_COMPARED, "`allDiff` compares the rows of this matrix")
            .at(matrix.span, "two rows may have equal elements")
            .help("write `flatten(…)` around it to compare the elements")
            .help("if you mean the rows, list them: `[row | row <- …]`");
        found.push(Diagnostic { edits: vec![insert(start, "flatten("), insert(end, ")")], ..warning });
    }
    expr.for_each_part(&mut |part| rows_compared(part, found));
}

/// Warns about `3/5 * b`, in which the quotient is rounded before the multiplication, and quotients of numbers that
/// are 0.
fn quotients(subject: &ModelText, expr: &ExprTree, found: &mut Diagnostics) {
    let mut reported = None;
    if let ExprTreeKind::Apply(symbols::TIMES, factors) = &expr.kind
        && let Some((position, quotient)) =
            factors.iter().enumerate().find_map(|(at, part)| Some((at, rounded_quotient(part)?)))
    {
        let whole = subject.on_one_line(expr.span);
        let other = factors.get(1 - position.min(1)).map(|other| subject.on_one_line(other.span)).unwrap_or_default();
        let Quotient { dividend, divisor, .. } = quotient;
        let warning = quotient.warning(factors[position].span);
        // The span of an expression excludes its parentheses, so the text between the factors is compared.
        let is_plain = position == 0
            && whole
                .strip_prefix(&subject.on_one_line(factors[0].span))
                .is_some_and(|rest| rest.trim_start().strip_prefix('*').is_some_and(|rest| rest.trim_start() == other));
        found.push(match is_plain {
            true => {
                let text = format!("{dividend} * {other} / {divisor}");
                let warning = warning.help(format!("multiply first: `{text}`"));
                Diagnostic { edits: vec![Edit { span: expr.span, text }], ..warning }
            }
            false => warning.help(format!("multiply by {dividend} first, then divide by {divisor}")),
        });
        reported = Some(position);
    }
    let mut at = 0;
    parts::for_each_part(expr, &mut |part| {
        match rounded_quotient(part) {
            // The quotient has been reported with its product.
            _ if reported == Some(at) => {}
            Some(quotient) if quotient.value() == 0 => {
                let help = format!("multiply both sides by {} instead", quotient.divisor);
                found.push(quotient.warning(part.span).help(help));
            }
            _ => {}
        }
        quotients(subject, part, found);
        at += 1;
    });
}

/// A quotient of two positive numbers with a remainder.
#[derive(Clone, Copy)]
struct Quotient {
    dividend: i64,
    divisor: i64,
}

impl Quotient {
    fn value(self) -> i64 {
        self.dividend / self.divisor
    }

    fn warning(self, span: Span) -> Diagnostic {
        let Quotient { dividend, divisor } = self;
        Diagnostic::warning(Code::ROUNDED_QUOTIENT, format!("`{dividend}/{divisor}` is {}", self.value()))
            .at(span, "`/` divides integers and rounds down")
    }
}

fn rounded_quotient(expr: &ExprTree) -> Option<Quotient> {
    let ExprTreeKind::Apply(symbols::DIVIDE, operands) = &expr.kind else { return None };
    match (&operands.first()?.kind, &operands.get(1)?.kind) {
        (&ExprTreeKind::Int(dividend), &ExprTreeKind::Int(divisor)) => {
            (dividend > 0 && divisor > 0 && dividend % divisor != 0).then_some(Quotient { dividend, divisor })
        }
        _ => None,
    }
}
