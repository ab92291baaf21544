//! Compares the two definitions of every operator.
//!
//! For each row, the letters of its signature become tiny types, and each operand becomes a constant or a decision
//! variable (or, for collections, a loose term as literals and comprehensions make them). The row is lowered once.
//! Then, for every assignment of the variables, the value of the lowered term is compared with the row's `eval` on the
//! operands' values.

use super::*;
use crate::{
    language::{
        Collection, GroundDomain, IntSet, Stop,
        attributes::{Attributes, Limit, Size},
    },
    operators::signature::{TypePattern, parse_signature},
    problem::{Assignment, Problem, Role, Variable},
    symbolic::{IndexKind, Member, Members, Repetition, read},
};
use std::sync::Arc;

/// The number of assignments to try if there are too many to try all.
const MOST_ASSIGNMENTS: u128 = 3_000;
/// The number of values of a constant operand to try.
const CONSTANTS: usize = 5;

fn int(low: i64, high: i64) -> GroundDomain {
    GroundDomain::Int(IntSet::range(low, high))
}

/// The attribute "at most two members".
fn short() -> Attributes<i64> {
    Attributes::sized(Size::of(Limit::AtMost, 2))
}

/// The domains that all letters of a signature stand for, one after the other.
fn letters() -> Vec<GroundDomain> {
    let pair = GroundDomain::Tuple(vec![GroundDomain::Bool, int(1, 2)]);
    let set = GroundDomain::of(Collection::Set, [int(1, 2)]);
    vec![int(0, 3), GroundDomain::Bool, pair, set]
}

/// The further domains of letters that are the whole type of an operand.
fn more_letters() -> Vec<GroundDomain> {
    let small = || Box::new(int(1, 2));
    let tag = |name: &str, domain: GroundDomain| (name.into(), domain);
    vec![
        GroundDomain::Collection(Collection::MSet, short(), vec![*small()]),
        GroundDomain::of(Collection::Function, [*small(), *small()]),
        GroundDomain::Collection(Collection::Sequence, short(), vec![*small()]),
        GroundDomain::of(Collection::Relation, [int(1, 2), GroundDomain::Bool]),
        GroundDomain::of(Collection::Partition, [int(1, 3)]),
        GroundDomain::of(Collection::Permutation, [int(1, 3)]),
        GroundDomain::Matrix(Box::new(int(1, 2)), small()),
        GroundDomain::Record(vec![tag("a", int(1, 2)), tag("b", GroundDomain::Bool)]),
        GroundDomain::Variant(vec![tag("a", int(1, 2)), tag("b", GroundDomain::Bool)]),
        GroundDomain::Tuple(vec![
            GroundDomain::Collection(Collection::Set, Attributes::default(), vec![*small()]),
            int(1, 2),
        ]),
        GroundDomain::of(
            Collection::Set,
            [GroundDomain::Collection(Collection::Set, Attributes::default(), vec![*small()])],
        ),
    ]
}

/// A tiny domain of a form, with the letters' domain.
fn domain(form: &TypePattern, letter: &GroundDomain) -> Option<GroundDomain> {
    let inner = |form: &TypePattern| domain(form, letter).map(Box::new);
    // The domain is narrower than the letter, so that other operands of the same type may be outside it.
    let narrow = |form: &TypePattern| if *letter == int(0, 3) { Some(Box::new(int(1, 3))) } else { inner(form) };
    let scalar = |domain: &GroundDomain| matches!(domain, GroundDomain::Bool | GroundDomain::Int(_));
    Some(match form {
        TypePattern::Letter(_) | TypePattern::Innermost(_) => letter.clone(),
        TypePattern::Bool => GroundDomain::Bool,
        TypePattern::Int => int(-1, 2),
        TypePattern::List(element) => GroundDomain::Matrix(Box::new(int(1, 2)), inner(element)?),
        TypePattern::Matrix(_, element) => {
            // Some values of the letter are not indices.
            let index = if *letter == GroundDomain::Bool { GroundDomain::Bool } else { int(1, 2) };
            scalar(letter).then_some(())?;
            GroundDomain::Matrix(Box::new(index), inner(element)?)
        }
        TypePattern::Tuple(forms) => {
            GroundDomain::Tuple(forms.iter().map(|form| domain(form, letter)).collect::<Option<_>>()?)
        }
        TypePattern::Collection(kind, forms) => match (kind, &forms[..]) {
            (Collection::Set, [element]) => {
                GroundDomain::Collection(Collection::Set, Attributes::default(), vec![*inner(element)?])
            }
            (Collection::MSet, [element]) => {
                GroundDomain::Collection(Collection::MSet, short(), vec![*inner(element)?])
            }
            (Collection::Function, [from, to]) => GroundDomain::of(Collection::Function, [*inner(from)?, *inner(to)?]),
            (Collection::Sequence, [element]) => {
                GroundDomain::Collection(Collection::Sequence, short(), vec![*inner(element)?])
            }
            (Collection::Relation, columns) => GroundDomain::Collection(
                Collection::Relation,
                Default::default(),
                columns.iter().map(|column| domain(column, letter)).collect::<Option<_>>()?,
            ),
            // The letter of the tuples' type must be a tuple.
            (Collection::Partition, [element]) => {
                GroundDomain::Collection(Collection::Partition, Default::default(), vec![*narrow(element)?])
            }
            (Collection::Permutation, [element]) => {
                GroundDomain::Collection(Collection::Permutation, Attributes::default(), vec![*narrow(element)?])
            }
            _ => return None,
        },
        TypePattern::Tuples(..) => match letter {
            GroundDomain::Tuple(columns) => {
                GroundDomain::Collection(Collection::Relation, Default::default(), columns.clone())
            }
            _ => return None,
        },
        TypePattern::Domain(_) | TypePattern::Variant | TypePattern::Alternative => return None,
    })
}

/// The form of an operand.
#[derive(Clone, Debug)]
enum OperandKind {
    Constant(Value),
    /// A decision variable.
    Declared(GroundDomain),
    /// Two members or elements, each of which may be absent; possibly known to be different.
    Loose {
        domain: GroundDomain,
        distinct: bool,
    },
    /// A matrix in which each index may be missing.
    Slice(GroundDomain),
    /// The power set of a decision variable.
    Subsets(GroundDomain),
    /// One of two values, by a decision.
    Either(Value, Value),
}

fn choices(form: &TypePattern, letter: &GroundDomain) -> Vec<OperandKind> {
    if let TypePattern::Domain(_) = form {
        // Some choices are a part of the letter's domain, others go beyond it.
        let domains = [letter.clone(), int(1, 1), int(1, 3)];
        let count = if matches!(letter, GroundDomain::Int(_)) { 3 } else { 1 };
        let mut domains = domains[..count].to_vec();
        if let GroundDomain::Collection(Collection::Set, _, inner) = letter {
            domains.push(GroundDomain::Collection(
                Collection::Set,
                Attributes::sized(Size::of(Limit::Exactly, 1)),
                inner.clone(),
            ));
            domains.push(GroundDomain::of(Collection::Set, [int(2, 9)]));
        }
        return domains.into_iter().map(|domain| OperandKind::Constant(Value::Domain(domain.into()))).collect();
    }
    let Some(domain) = domain(form, letter) else { return Vec::new() };
    let values: Vec<Value> = domain.members().take(1_000).collect();
    // The positions are the first, the last and some between them.
    let mut positions: Vec<usize> =
        (0..CONSTANTS).map(|step| step * values.len().saturating_sub(1) / (CONSTANTS - 1)).collect();
    positions.dedup();
    let mut operands: Vec<OperandKind> =
        positions.into_iter().filter_map(|at| values.get(at).cloned()).map(OperandKind::Constant).collect();
    operands.push(OperandKind::Declared(domain.clone()));
    if let [.., other, last] = values.as_slice() {
        operands.push(OperandKind::Either(last.clone(), values[values.len() / 2].clone()));
        operands.push(OperandKind::Either(other.clone(), last.clone()));
    }
    use crate::language::Domain::Matrix;
    let kind = domain.as_collection().map(|(kind, ..)| kind);
    let listed = matches!(&domain, Matrix(index, _) if **index == int(1, 2));
    if let Matrix(index, element) = &domain {
        operands.push(OperandKind::Slice(domain.clone()));
        // This matrix has the same elements at other indices.
        if let (GroundDomain::Int(_), Some(Value::Matrix(last))) = (&**index, values.last()) {
            let moved = crate::language::value::Matrix { index: int(2, 3), elements: last.elements.clone() };
            let other = element.members().next().map_or(Vec::new(), |first| vec![first]);
            operands.push(OperandKind::Either(Value::Matrix(Arc::new(moved)), Value::Matrix(last.clone())));
            operands.push(OperandKind::Either(Value::list(other), Value::Matrix(last.clone())));
        }
    }
    if let GroundDomain::Collection(Collection::Set, _, inner) = &domain
        && let GroundDomain::Collection(Collection::Set, ..) = inner[0]
    {
        operands.push(OperandKind::Subsets(inner[0].clone()));
    }
    if listed || matches!(kind, Some(Collection::Set | Collection::MSet | Collection::Relation)) {
        operands.push(OperandKind::Loose { domain: domain.clone(), distinct: false });
    }
    if matches!(kind, Some(Collection::Set | Collection::Function | Collection::Relation)) {
        operands.push(OperandKind::Loose { domain, distinct: true });
    }
    operands
}

fn term(symbolic: &mut Symbolic, operand: &OperandKind) -> Term {
    let (domain, distinct) = match operand {
        OperandKind::Constant(value) => return Term::Value(value.clone()),
        OperandKind::Declared(domain) => return symbolic.declare(domain, Role::Decision).expect("a small domain"),
        OperandKind::Either(one, other) => {
            let first = symbolic.problem.new_bool(Role::Decision);
            return symbolic.choose(vec![(first, Term::Value(one.clone())), (!first, Term::Value(other.clone()))]);
        }
        OperandKind::Slice(GroundDomain::Matrix(index, element)) => {
            let entries = index.members().map(|index| {
                let there = symbolic.problem.new_bool(Role::Decision);
                (index.as_int(), Member::new(there, symbolic.declare(element, Role::Decision).expect("a small domain")))
            });
            let entries: Vec<(i64, Member)> = entries.collect();
            let kind = if **index == GroundDomain::Bool { IndexKind::Booleans } else { IndexKind::Integers };
            return Term::slice(kind, entries);
        }
        OperandKind::Subsets(domain) => {
            return Term::PowerSet(symbolic.declare(domain, Role::Decision).expect("a small domain").into());
        }
        OperandKind::Slice(other) => unreachable!("{other:?} is no matrix"),
        OperandKind::Loose { domain, distinct } => (domain, *distinct),
    };
    let (kind, element) = match domain {
        GroundDomain::Collection(kind, attributes, parts) => {
            (Some(*kind), kind.form().member_domain(attributes, parts.clone()))
        }
        GroundDomain::Matrix(_, element) => (None, GroundDomain::clone(element)),
        other => unreachable!("{other:?} has no loose form"),
    };
    let members: Vec<Member> = (0..2)
        .map(|_| {
            Member::new(
                symbolic.problem.new_bool(Role::Decision),
                symbolic.declare(&element, Role::Decision).expect("a small domain"),
            )
        })
        .collect();
    match kind {
        None => Term::guarded_list(members),
        Some(kind) => {
            if distinct {
                let key = |member: &Member| match kind {
                    Collection::Function => member.term.item(0),
                    _ => member.term.clone(),
                };
                let same = symbolic.equal(&key(&members[0]), &key(&members[1]));
                let clash = symbolic.problem.and([same, members[0].condition, members[1].condition]);
                symbolic.problem.require(!clash);
            }
            Term::Collection(kind, Arc::new(Members::new(members, Repetition::unless(distinct))))
        }
    }
}

/// Assignments of the decision variables: all of them, or evenly spread ones.
fn assignments(problem: &Problem) -> impl Iterator<Item = Assignment> + '_ {
    let choices: Vec<(Variable, Vec<i64>)> = problem
        .decisions()
        .iter()
        .map(|variable| match variable {
            Variable::Bool(_) => (*variable, vec![0, 1]),
            Variable::Int(term) => (*variable, problem.values(*term).iter().collect()),
        })
        .collect();
    let total: u128 = choices.iter().map(|(_, values)| values.len() as u128).product();
    // The stride is odd and near the golden section of the total, so it is unrelated to the numbers of values.
    let (count, stride) =
        if total <= MOST_ASSIGNMENTS { (total, 1) } else { (MOST_ASSIGNMENTS, (total * 618 / 1000) | 1) };
    (0..count).map(move |step| {
        let mut code = step * stride % total;
        let mut assignment = Assignment::default();
        for (variable, values) in &choices {
            let value = values[(code % values.len() as u128) as usize];
            code /= values.len() as u128;
            assignment.set(*variable, value);
        }
        assignment
    })
}

/// The number of comparisons of both definitions; `None` if there is nothing to lower, or lowering refused.
fn compare(row: &Operator, operands: &[OperandKind]) -> Option<usize> {
    let mut symbolic = Symbolic::new();
    let terms: Vec<Term> = operands.iter().map(|operand| term(&mut symbolic, operand)).collect();
    // At least one operand must depend on decisions; otherwise, nothing is lowered.
    if terms.iter().all(|term| term.as_value().is_some()) {
        return None;
    }
    let lowered = (row.lower)(&mut symbolic, &terms);
    let problem = &symbolic.finish().ok()?;
    let mut compared = 0;
    for assignment in assignments(problem) {
        if !problem.is_satisfied_by(&assignment) {
            continue;
        }
        let values: Vec<Value> = terms.iter().map(|term| read::value(problem, term, &assignment)).collect();
        let defined = problem.bool_value(lowered.defined, &assignment);
        let result = defined.then(|| read::value(problem, &lowered.term, &assignment));
        let expected = match (row.eval)(&values) {
            Ok(value) => Some(value),
            Err(Stop::Undefined) => None,
            Err(Stop::Fault(_)) => continue,
        };
        compared += 1;
        assert_eq!(
            result, expected,
            "left: lowered, right: evaluated, of {row:?} on {values:?}, given as {operands:?}"
        );
    }
    Some(compared)
}

/// All ways to choose one operand of each list.
fn combinations(choices: &[Vec<OperandKind>]) -> Vec<Vec<OperandKind>> {
    choices.iter().fold(vec![Vec::new()], |combinations, choices| {
        combinations
            .iter()
            .flat_map(|chosen| {
                choices.iter().map(|choice| {
                    let mut chosen = chosen.clone();
                    chosen.push(choice.clone());
                    chosen
                })
            })
            .collect()
    })
}

fn check(row: &Operator) {
    let signature = parse_signature(row.signature).expect("a signature");
    let mut compared = 0;
    let mut letters = letters();
    if signature.operands.iter().all(|form| matches!(form, TypePattern::Letter(_))) {
        letters.extend(more_letters());
    }
    for letter in letters {
        let ordered = matches!(letter, GroundDomain::Int(_) | GroundDomain::Bool);
        if row.signature.contains(" where ") && !ordered {
            continue;
        }
        if row.signature.contains(" enumerated") && letter == GroundDomain::Bool {
            continue;
        }
        let choices: Vec<Vec<OperandKind>> = signature.operands.iter().map(|form| choices(form, &letter)).collect();
        for operands in combinations(&choices) {
            compared += compare(row, &operands).unwrap_or(0);
        }
    }
    // An operator whose operands are all domains cannot depend on decisions.
    let lowerable = signature.operands.iter().any(|form| !matches!(form, TypePattern::Domain(_)));
    assert_eq!(compared > 0, lowerable, "{row:?} was compared {compared} times");
}

macro_rules! families {
    ($($name:ident: $title:literal;)*) => {
        $(#[test]
        fn $name() {
            let rows = families().filter(|(title, _)| *title == $title).flat_map(|(_, rows)| rows);
            // Rows with a form are tested by the fixtures.
            rows.filter(|row| row.form.is_none()).for_each(check);
        })*

        #[test]
        fn every_family_is_compared() {
            let tested = [$($title),*];
            assert!(families().all(|(title, _)| tested.contains(&title)));
        }
    };
}

families! {
    logic: "logic";
    arithmetic: "arithmetic";
    comparison: "comparison";
    aggregates: "aggregates";
    matrices: "matrices and lists";
    algebra: "set algebra";
    sets: "sets";
    multisets: "multisets";
    functions: "functions";
    sequences: "sequences";
    relations: "relations";
    partitions: "partitions";
    permutations: "permutations";
    domains: "enumerations and domains";
    order: "order";
    special: "special forms";
}
