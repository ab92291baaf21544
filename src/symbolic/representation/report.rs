//! What is said about representations: which one was chosen for a variable and why, and why there is none.

use super::{Candidate, Representation, choose};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::{GroundDomain, Type, print::MemberNames},
    problem::Variable,
    symbolic::Symbolic,
};
use std::fmt::Write;

/// The representation of a variable and of the collections in it, a few lines each.
pub fn describe(
    name: &str,
    domain: &GroundDomain,
    ty: &Type,
    names: &MemberNames,
    wanted: Option<Representation>,
) -> String {
    let mut text = String::new();
    let part = Part { label: name.to_owned(), domain, ty };
    describe_part(&part, names, wanted, 0, &mut text);
    text
}

/// A domain inside a domain, with what it stands for.
struct Part<'a> {
    label: String,
    domain: &'a GroundDomain,
    ty: &'a Type,
}

fn describe_part(part: &Part, names: &MemberNames, wanted: Option<Representation>, depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    let domain = names.domain(part.domain, part.ty).on_one_line();
    // Writing into a string does not fail.
    let _ = writeln!(text, "{indent}{} : {domain}", part.label);
    let chosen = match choose(part.domain, wanted) {
        Ok(chosen) => chosen,
        Err(candidates) => {
            let reasons: Vec<String> = candidates.iter().map(too_many).collect();
            let _ = writeln!(text, "{indent}  too large: {}", reasons.join("; "));
            return;
        }
    };
    let representation = chosen.representation;
    if representation != Representation::Variable {
        let _ = writeln!(text, "{indent}  {representation}: {}", reason(part.domain, &chosen, wanted));
    }
    let _ = writeln!(text, "{indent}  {}", cost(part.domain, wanted));
    // A representation that was asked for is that of the outermost collections.
    let wanted = wanted.filter(|_| representation == Representation::Components);
    for inner in parts(part, representation) {
        if inner.domain.has_collection() {
            describe_part(&inner, names, wanted, depth + 1, text);
        }
    }
}

fn reason(domain: &GroundDomain, chosen: &Candidate, wanted: Option<Representation>) -> String {
    let mut text = amount(chosen);
    if chosen.limit < u128::MAX {
        text += &format!(", at most {}", chosen.limit);
    }
    if Some(chosen.representation) == wanted {
        return text + "; asked for";
    }
    let earlier = super::candidates(domain);
    for other in earlier.iter().take_while(|other| other.representation != chosen.representation) {
        text += &format!("; {}", too_many(other));
    }
    text
}

fn amount(candidate: &Candidate) -> String {
    let units = candidate.representation.unit();
    let unit = if candidate.needs.number == 1 { units.trim_end_matches('s') } else { units };
    format!("{} {unit}", candidate.needs)
}

/// `occurrence would need about 2^512 possible members, more than 10000`
fn too_many(candidate: &Candidate) -> String {
    format!("{} would need {}, more than {}", candidate.representation, amount(candidate), candidate.limit)
}

/// The decision variables that a domain takes, found by declaring it.
fn cost(domain: &GroundDomain, wanted: Option<Representation>) -> String {
    let mut symbolic = Symbolic::new();
    symbolic.declare_as(domain, wanted, true);
    if symbolic.refusal.is_some() || symbolic.problem.exhausted() {
        return "too large: see what it consists of".to_owned();
    }
    let decisions = symbolic.problem.decisions();
    let bools = decisions.iter().filter(|variable| matches!(variable, Variable::Bool(_))).count();
    let ints = decisions.len() - bools;
    let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    match (bools, ints) {
        (_, 0) => plural(bools, "Boolean"),
        (0, _) => plural(ints, "integer"),
        _ => format!("{} and {}", plural(bools, "Boolean"), plural(ints, "integer")),
    }
}

/// The domains inside a domain for which there are variables of their own.
fn parts<'a>(part: &Part<'a>, representation: Representation) -> Vec<Part<'a>> {
    let one = |label: &str, domain, ty| Part { label: label.to_owned(), domain, ty };
    match (part.domain, part.ty) {
        (GroundDomain::Tuple(items), ty) => {
            numbered("item", items, if let Type::Tuple(types) = ty { types } else { &[] })
        }
        (GroundDomain::Record(items) | GroundDomain::Variant(items), Type::Record(types) | Type::Variant(types)) => {
            let named = items.iter().zip(types.iter());
            named.map(|((name, domain), (_, ty))| Part { label: name.to_string(), domain, ty }).collect()
        }
        (GroundDomain::Matrix(_, element), Type::Matrix(types)) => vec![one("each element", element, &types.1)],
        (GroundDomain::Set(_, inner) | GroundDomain::MSet(_, _, inner), Type::Set(ty) | Type::MSet(ty))
            if representation == Representation::Explicit =>
        {
            vec![one("each member", inner, ty)]
        }
        (GroundDomain::Function(_, from, to), Type::Function(types)) => {
            let mut parts = vec![one("each image", to, &types.1)];
            if representation == Representation::Pairs {
                parts.insert(0, one("each argument", from, &types.0));
            }
            parts
        }
        (GroundDomain::Sequence(_, inner), Type::Sequence(ty)) => vec![one("each element", inner, ty)],
        (GroundDomain::Relation(_, columns), Type::Relation(types)) if representation == Representation::Explicit => {
            numbered("column", columns, types)
        }
        (GroundDomain::Permutation(_, inner), Type::Permutation(ty)) => vec![one("each image", inner, ty)],
        _ => Vec::new(),
    }
}

fn numbered<'a>(what: &str, domains: &'a [GroundDomain], types: &'a [Type]) -> Vec<Part<'a>> {
    let types = types.iter().chain(std::iter::repeat(&Type::Any));
    let numbered = (1..).zip(domains.iter().zip(types));
    numbered.map(|(number, (domain, ty))| Part { label: format!("{what} {number}"), domain, ty }).collect()
}

/// The error for a domain that none of its representations fits, and what to change.
pub(super) fn too_large(domain: &GroundDomain, candidates: &[Candidate]) -> Diagnostic {
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

/// What a domain is, and which part of it to change where it is too large.
fn advice(domain: &GroundDomain) -> (&'static str, &'static str) {
    match domain {
        GroundDomain::Matrix(..) => ("a matrix", "use a smaller index domain"),
        GroundDomain::Set(..) => {
            ("the set", "bound its size with `maxSize` (or `size`), or use a smaller domain for its members")
        }
        GroundDomain::MSet(..) => (
            "the multiset",
            "bound its size with `maxSize` (or `size`), or use `maxOccur` and a smaller domain for its members",
        ),
        GroundDomain::Function(attributes, ..) if attributes.total => (
            "the function",
            "use a smaller domain for its arguments, or drop `total` and bound its size with `maxSize`",
        ),
        GroundDomain::Function(..) => {
            ("the function", "bound its size with `maxSize` (or `size`), or use a smaller domain for its arguments")
        }
        GroundDomain::Sequence(..) => ("the sequence", "bound its length with a smaller `maxSize` (or `size`)"),
        GroundDomain::Relation(..) => {
            ("the relation", "bound its size with `maxSize` (or `size`), or use smaller domains for its columns")
        }
        GroundDomain::Partition(..) => ("the partition", "use a smaller domain after `from`"),
        GroundDomain::Permutation(..) => ("the permutation", "use a smaller domain after `of`"),
        _ => ("a value", "use a smaller domain"),
    }
}
