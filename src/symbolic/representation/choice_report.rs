//! Reports on representations: the one chosen for a variable and why, and the reason why a domain has none.

use super::{Candidate, Plan, Representation, choice, choose, inner_domains, representation_row};
use crate::{
    diagnostic::{Code, Diagnostic, counted},
    language::{GroundDomain, Type, print::MemberNames},
    memory,
    problem::{Role, Variable},
    symbolic::Symbolic,
};
use std::fmt::Write;

/// The representation of a variable and of the collections in it, a few lines each.
pub(crate) fn describe_variable(
    name: &str,
    domain: &GroundDomain,
    ty: &Type,
    names: &MemberNames,
    plan: &Plan,
) -> String {
    let mut text = String::new();
    describe_part(&NestedDomain { path: name.to_owned(), domain, ty }, names, plan, 0, &mut text);
    text
}

/// A domain inside a domain, with the path to it.
struct NestedDomain<'a> {
    path: String,
    domain: &'a GroundDomain,
    ty: &'a Type,
}

fn describe_part(part: &NestedDomain, names: &MemberNames, plan: &Plan, depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    let domain = names.domain(part.domain, part.ty).on_one_line();
    // Writing into a string does not fail.
    let _ = writeln!(text, "{indent}{} : {domain}", part.path);
    let chosen = match choose(part.domain, plan) {
        Ok(chosen) => chosen,
        Err(candidates) => {
            let reasons: Vec<String> = candidates.iter().map(too_many).collect();
            let _ = writeln!(text, "{indent}  too large: {}", reasons.join("; "));
            return;
        }
    };
    let representation = chosen.representation;
    if representation != Representation::Variable {
        let _ = writeln!(text, "{indent}  {representation}: {}", reason_for_choice(part.domain, &chosen, plan));
    }
    let _ = writeln!(text, "{indent}  {}", cost(part.domain, plan));
    let types = types_of_parts(part.ty, representation);
    let types = types.iter().chain(std::iter::repeat(&Type::Any));
    for ((step, domain), ty) in inner_domains(part.domain, Some(representation)).into_iter().zip(types) {
        if domain.has_collection() {
            let plan = plan.part(part.domain, representation, &step);
            let path = format!("{}.{step}", part.path);
            describe_part(&NestedDomain { path, domain, ty }, names, &plan, depth + 1, text);
        }
    }
}

fn reason_for_choice(domain: &GroundDomain, chosen: &Candidate, plan: &Plan) -> String {
    let mut text = amount(chosen);
    if chosen.is_small() && chosen.few < u128::MAX {
        text += &format!(", at most {}", chosen.few);
    }
    if Some(chosen.representation) == plan.wanted {
        return text + "; asked for";
    }
    let earlier = super::candidates(domain);
    for other in earlier.iter().take_while(|other| other.representation != chosen.representation) {
        text += "; ";
        text += &if !other.is_small() {
            too_many(other)
        } else if choice::is_crowded(plan, other, chosen) {
            format!(
                "with {}, {} quantifiers within each other would have {} combinations instead of {}",
                other.representation,
                plan.depth(),
                choice::combinations_of_parts(plan, other),
                choice::combinations_of_parts(plan, chosen)
            )
        } else {
            format!(
                "{} values, while {} would take {}",
                choice::total_values(domain, plan, chosen),
                other.representation,
                choice::total_values(domain, plan, other)
            )
        };
    }
    text
}

fn amount(candidate: &Candidate) -> String {
    let units = candidate.representation.unit();
    let unit = if candidate.needs.number == 1 { units.trim_end_matches('s') } else { units };
    format!("{} {unit}", candidate.needs)
}

/// Words such as `occurrence would need about 2^512 possible members, more than 10000`.
fn too_many(candidate: &Candidate) -> String {
    format!("{} would need {}, more than {}", candidate.representation, amount(candidate), candidate.few)
}

/// The decision variables that a domain takes, found by declaring it.
fn cost(domain: &GroundDomain, plan: &Plan) -> String {
    let too_large = || "too large: see its parts".to_owned();
    if choice::variable_count(domain, plan) > memory::most_terms() as u128 {
        return too_large();
    }
    let mut symbolic = Symbolic::new();
    let declared = symbolic.declare_as(domain, plan, Role::Decision);
    let Ok(problem) = declared.and_then(|_| symbolic.finish()) else { return too_large() };
    let decisions = problem.decisions();
    let bools = decisions.iter().filter(|variable| matches!(variable, Variable::Bool(_))).count();
    let ints = decisions.len() - bools;
    match (bools, ints) {
        (_, 0) => counted(bools, "Boolean"),
        (0, _) => counted(ints, "integer"),
        _ => format!("{} and {}", counted(bools, "Boolean"), counted(ints, "integer")),
    }
}

/// The types of the parts of a value that have variables in a representation.
fn types_of_parts(ty: &Type, representation: Representation) -> Vec<Type> {
    match ty {
        Type::Tuple(types) => types.to_vec(),
        Type::Collection(kind, types) => {
            let parts = (0..)
                .zip(types.iter())
                .filter(|(part, _)| representation_row(*kind).has_variables(*part, representation));
            parts.map(|(_, ty)| ty.clone()).collect()
        }
        Type::Record(fields) | Type::Variant(fields) => fields.iter().map(|(_, ty)| ty.clone()).collect(),
        Type::Matrix(types) => vec![types[1].clone()],
        _ => Vec::new(),
    }
}

/// The error for a domain that does not fit in any of its representations, with advice.
pub(super) fn too_large_domain(domain: &GroundDomain, candidates: &[Candidate]) -> Diagnostic {
    let (what, help) = advice(domain);
    let needs = candidates.first().map_or(String::new(), amount);
    let mut diagnostic = Diagnostic::error(Code::TOO_LARGE, format!("{what} here would have {needs}")).help(help);
    for candidate in candidates {
        diagnostic = diagnostic.note(format!(
            "the representation `{}` would need {}; at most {} are allowed",
            candidate.representation,
            amount(candidate),
            candidate.limit
        ));
    }
    diagnostic
}

/// The kind of a domain, and advice for making it smaller.
fn advice(domain: &GroundDomain) -> (String, &'static str) {
    match domain {
        GroundDomain::Matrix(..) => ("a matrix".to_owned(), "use a smaller index domain"),
        GroundDomain::Collection(kind, attributes, _) => {
            (format!("the {}", kind.row().noun()), representation_row(*kind).advice(attributes))
        }
        _ => ("a value".to_owned(), "use a smaller domain"),
    }
}
