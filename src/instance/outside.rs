//! Warnings about indices and arguments that are known, or whose possible values are, and that no value is at: what asks for them is
//! false.

use super::{Environment, evaluate};
use crate::{
    analysis::model::{Category, DeclarationKind, Expr, ExprKind, Model, Qualifier},
    diagnostic::{Code, Diagnostic, Diagnostics},
    language::{GroundDomain, IntSet, Type, Value, print::MemberNames},
    operators::Lookup,
};

/// Warns of each such index in the constraints and the objective.
pub(crate) fn warn(model: &Model, env: &mut Environment, names: &MemberNames, diagnostics: &mut Diagnostics) {
    let objective = model.objective.as_ref().map(|objective| &objective.value);
    for expr in model.constraints.iter().chain(objective) {
        look(expr, env, names, diagnostics);
        never(expr, env, names, diagnostics);
    }
}

fn look(expr: &Expr, env: &mut Environment, names: &MemberNames, diagnostics: &mut Diagnostics) {
    if let ExprKind::Apply(row, operands) = &expr.kind
        && row.lookup.is_some()
        && let [collection, index] = &operands[..]
        && index.category <= Category::Parameter
        && let Some(domain) = domain_of(collection, env)
        && let Ok(value) = evaluate(index, env)
        && let Some((what, places)) = outside(&domain, &value)
    {
        diagnostics.push(warning(expr, (collection, index), (&value, what, &places), env, names));
    }
    // A quantifier's body is looked at, too: an index in it that is known is the same each time.
    expr.for_each_part(&mut |part| look(part, env, names, diagnostics));
}

/// Warns of indices all of whose possible values are outside. What a condition guards may never be reached.
fn never(expr: &Expr, env: &mut Environment, names: &MemberNames, diagnostics: &mut Diagnostics) {
    match &expr.kind {
        ExprKind::Comprehension(comprehension) => {
            let is_condition = |qualifier: &Qualifier| matches!(qualifier, Qualifier::Condition(_));
            if !comprehension.qualifiers.iter().any(is_condition) {
                never(&comprehension.body, env, names, diagnostics);
            }
            return;
        }
        ExprKind::Apply(row, operands) => {
            if row.lookup.is_some()
                && let [collection, index] = &operands[..]
                && index.category > Category::Parameter
                && let Some(domain) = domain_of(collection, env)
                && let GroundDomain::Int(values) = super::domain_of(index, env)
                && values.is_finite()
                && let (Some(first), Some(last)) = (IntSet::min(&values), IntSet::max(&values))
                && let Some((what, places)) = outside(&domain, &Value::Int(first))
                && let GroundDomain::Int(known) = &places
                && values.intersect(known).is_empty()
            {
                let warning = warning(expr, (collection, index), (&Value::Int(first), what, &places), env, names);
                let values = if first == last { format!("{first}") } else { format!("{first} to {last}") };
                diagnostics.push(warning.at(index.span, format!("always {values}")));
            }
            // What an implication or a disjunction says need not be reached, nor what replaces something undefined.
            if !row.polarity.is_empty() && !row.is_conjunction() || row.catches_undefined {
                return;
            }
        }
        _ => {}
    }
    expr.for_each_part(&mut |part| never(part, env, names, diagnostics));
}

/// What is asked for, if it is never there, and where there is something.
fn outside(domain: &GroundDomain, place: &Value) -> Option<(&'static str, GroundDomain)> {
    let (what, places) = match domain {
        GroundDomain::Matrix(index, _) => ("element", (**index).clone()),
        GroundDomain::Function(_, from, _) => ("image", (**from).clone()),
        GroundDomain::Sequence(attributes, _) => {
            let last = attributes.size().max?;
            ("member", GroundDomain::Int(IntSet::range(1, last)))
        }
        _ => return None,
    };
    (!places.contains(place)).then_some((what, places))
}

/// The domain of a variable or a parameter, of a row of it, or of a literal.
fn domain_of(expr: &Expr, env: &Environment) -> Option<GroundDomain> {
    match &expr.kind {
        ExprKind::Global(id) => match &env.model().declarations[id.0 as usize].kind {
            DeclarationKind::Find(_) | DeclarationKind::Given(_) => env.domain(*id).map(|domain| (**domain).clone()),
            DeclarationKind::Letting(value) => domain_of(value, env),
            _ => None,
        },
        ExprKind::Constant(Value::Matrix(matrix)) => {
            Some(GroundDomain::Matrix(Box::new(matrix.index.clone()), Box::new(GroundDomain::Bool)))
        }
        ExprKind::Apply(row, operands) if row.lookup == Some(Lookup::Element) => {
            match domain_of(operands.first()?, env)? {
                GroundDomain::Matrix(_, element) if !matches!(operands[0].kind, ExprKind::Constant(_)) => {
                    Some(*element)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn warning(
    expr: &Expr,
    (collection, index): (&Expr, &Expr),
    (place, what, places): (&Value, &str, &GroundDomain),
    env: &Environment,
    names: &MemberNames,
) -> Diagnostic {
    let name = match &collection.kind {
        ExprKind::Global(id) => format!("`{}`", env.model().declarations[id.0 as usize].name),
        ExprKind::Constant(_) => "this matrix".to_owned(),
        _ => "this row".to_owned(),
    };
    let shown = names.show_briefly(place, &index.ty);
    let domain = names.domain(places, &index.ty).on_one_line();
    let (message, label) = match what {
        "image" => (format!("{name} has no image of {shown}"), format!("its arguments are `{domain}`")),
        "member" => {
            (format!("{name} has no member {shown}"), format!("its members are counted from 1 to {}", last(places)))
        }
        _ => (format!("{name} has no element {shown}"), format!("its indices are `{domain}`")),
    };
    let warning = Diagnostic::warning(Code::NO_SUCH_ELEMENT, message)
        .at(expr.span, label)
        .note("an expression without a value makes the condition around it false");
    let from_nought = *place == Value::Int(0) && matches!(collection.ty, Type::Matrix(_));
    match (&collection.kind, from_nought) {
        (ExprKind::Constant(_), true) => {
            warning.help("elements are counted from 1; to count from 0, write the indices: `[1, 2, 3; int(0..2)]`")
        }
        _ => warning,
    }
}

fn last(places: &GroundDomain) -> String {
    match places {
        GroundDomain::Int(places) => places.max().map_or_else(String::new, |last| last.to_string()),
        _ => String::new(),
    }
}
