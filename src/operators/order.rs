//! Orders on more than single values. `<lex` compares lists position by position. `.<` is a total order on every type,
//! for breaking symmetries: here, the order of [`Value`]. `~<` compares collections by the occurrences of their
//! members: the smallest member that does not occur equally often in both decides, and the collection with fewer
//! occurrences of it is smaller.

use super::{
    Operator,
    collections::is_member_of,
    evaluation::{boolean, items},
    sequence::{lower_listed, sequence_as_list},
    symbols::*,
};
use crate::{
    language::{Collection, MemberForm, Value},
    problem::Bool,
    symbolic::{Member, Members, Symbolic, Term, collection_kind_of},
};
use std::{cmp::Ordering, sync::Arc};

/// Four operators for each order, with its symbols, operand types, name, example, comparison of values and order of
/// terms.
macro_rules! rows {
    ($(
        $less:ident $less_text:literal, $at_most:ident $at_most_text:literal,
        $greater:ident $greater_text:literal, $at_least:ident $at_least_text:literal:
        $operands:literal, $order:literal, $small:literal, $large:literal, $compare:expr, $lower:expr;
    )*) => {
        &[$(
            Operator::new(
                $less,
                concat!($operands, " -> bool"),
                concat!("the first is smaller in ", $order),
                (concat!($small, $less_text, $large), "true"),
                |args| boolean($compare(&args[0], &args[1]) == Ordering::Less),
                |s, args| $lower(s, &args[0], &args[1]).into(),
            ).ordering_members(),
            Operator::new(
                $at_most,
                concat!($operands, " -> bool"),
                concat!("the first is smaller or equal in ", $order),
                (concat!($small, $at_most_text, $large), "true"),
                |args| boolean($compare(&args[0], &args[1]) != Ordering::Greater),
                |s, args| (!$lower(s, &args[1], &args[0])).into(),
            ).ordering_members(),
            Operator::new(
                $greater,
                concat!($operands, " -> bool"),
                concat!("the first is greater in ", $order),
                (concat!($small, $greater_text, $large), "false"),
                |args| boolean($compare(&args[0], &args[1]) == Ordering::Greater),
                |s, args| $lower(s, &args[1], &args[0]).into(),
            ).ordering_members(),
            Operator::new(
                $at_least,
                concat!($operands, " -> bool"),
                concat!("the first is greater or equal in ", $order),
                (concat!($small, $at_least_text, $large), "false"),
                |args| boolean($compare(&args[0], &args[1]) != Ordering::Less),
                |s, args| (!$lower(s, &args[0], &args[1])).into(),
            ).ordering_members(),
        )*]
    };
}

pub(crate) static OPERATORS: &[Operator] = rows! {
    LEX_LESS " <lex ", LEX_AT_MOST " <=lex ", LEX_GREATER " >lex ", LEX_AT_LEAST " >=lex ":
        "([T], [T])", "the lexicographic order", "[1, 2]", "[1, 3]", lexicographic, Symbolic::less_lists;
    LEX_LESS " <lex ", LEX_AT_MOST " <=lex ", LEX_GREATER " >lex ", LEX_AT_LEAST " >=lex ":
        "(T, T)", "the lexicographic order of what they consist of", "(1, 2)", "(1, 3)", Value::cmp, Symbolic::less;
    DOT_LESS " .< ", DOT_AT_MOST " .<= ", DOT_GREATER " .> ", DOT_AT_LEAST " .>= ":
        "(T, T)", "some total order, for breaking symmetries", "{1, 2}", "{1, 3}", Value::cmp, Symbolic::less;
    TILDE_LESS " ~< ", TILDE_AT_MOST " ~<= ", TILDE_GREATER " ~> ", TILDE_AT_LEAST " ~>= ":
        "(T, T)", "the order by occurrences of the smallest members", "{2, 3}", "{1}", tilde, tilde_less;
    LEX_LESS " <lex ", LEX_AT_MOST " <=lex ", LEX_GREATER " >lex ", LEX_AT_LEAST " >=lex ":
        "(sequence of T, [T])", "the lexicographic order", "sequence(1, 2)", "[1, 3]", lexicographic, less_lists;
    LEX_LESS " <lex ", LEX_AT_MOST " <=lex ", LEX_GREATER " >lex ", LEX_AT_LEAST " >=lex ":
        "([T], sequence of T)", "the lexicographic order", "[1, 2]", "sequence(1, 3)", lexicographic, less_lists;
    DOT_LESS " .< ", DOT_AT_MOST " .<= ", DOT_GREATER " .> ", DOT_AT_LEAST " .>= ":
        "(sequence of T, [T])", "the order of lists", "sequence(1, 2)", "[1, 3]", as_lists, less_as_lists;
    DOT_LESS " .< ", DOT_AT_MOST " .<= ", DOT_GREATER " .> ", DOT_AT_LEAST " .>= ":
        "([T], sequence of T)", "the order of lists", "[1, 2]", "sequence(1, 3)", as_lists, less_as_lists;
    TILDE_LESS " ~< ", TILDE_AT_MOST " ~<= ", TILDE_GREATER " ~> ", TILDE_AT_LEAST " ~>= ":
        "(sequence of T, [T])", "the order of lists", "sequence(1, 2)", "[1, 3]", as_lists, less_as_lists;
    TILDE_LESS " ~< ", TILDE_AT_MOST " ~<= ", TILDE_GREATER " ~> ", TILDE_AT_LEAST " ~>= ":
        "([T], sequence of T)", "the order of lists", "[1, 2]", "sequence(1, 3)", as_lists, less_as_lists;
};

/// The order of lists, one of which may be a sequence.
fn as_lists(left: &Value, right: &Value) -> Ordering {
    sequence_as_list(left).cmp(&sequence_as_list(right))
}

fn less_as_lists(symbolic: &mut Symbolic, left: &Term, right: &Term) -> Bool {
    let (left, right) = (lower_listed(symbolic, left), lower_listed(symbolic, right));
    symbolic.less(&left, &right)
}

/// The lexicographic order of lists, one of which may be a sequence.
fn less_lists(symbolic: &mut Symbolic, left: &Term, right: &Term) -> Bool {
    let (left, right) = (lower_listed(symbolic, left), lower_listed(symbolic, right));
    symbolic.less_lists(&left, &right)
}

fn lexicographic(left: &Value, right: &Value) -> Ordering {
    items(left).cmp(items(right))
}

fn tilde(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Tuple(left), Value::Tuple(right)) => left
            .iter()
            .zip(right.iter())
            .map(|(l, r)| tilde(l, r))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal),
        _ => match left.collection() {
            Some(kind) if by_members(kind) => by_occurrences(left.listed().into_owned(), right.listed().into_owned()),
            _ => left.cmp(right),
        },
    }
}

/// Returns true if collections are compared by the occurrences of their members.
fn by_members(kind: Collection) -> bool {
    !matches!(kind.form(), MemberForm::Positions | MemberForm::Cycles)
}

/// Compares sorted members. At the first difference, the smaller of the two members is the smallest that occurs
/// unequally often, and the side that has it is the greater one.
fn by_occurrences(mut left: Vec<Value>, mut right: Vec<Value>) -> Ordering {
    left.sort_by(tilde);
    right.sort_by(tilde);
    let difference = left.iter().zip(&right).map(|(l, r)| tilde(l, r)).find(|order| order.is_ne());
    difference.map_or(left.len().cmp(&right.len()), Ordering::reverse)
}

/// `left ~< right`: some member of the right occurs more often there than on the left, and no smaller member of
/// either side occurs unequally often.
fn tilde_less(symbolic: &mut Symbolic, left: &Term, right: &Term) -> Bool {
    match (left, right) {
        (Term::Value(left), Term::Value(right)) => Bool::from(tilde(left, right) == Ordering::Less),
        (Term::Tuple(_), _) | (_, Term::Tuple(_)) => {
            let mut less = Bool::FALSE;
            // The loop runs from the last item to the first, and `less` compares the items after the current one.
            for (left, right) in left.items().iter().zip(&right.items()).rev() {
                let (before, same) = (tilde_less(symbolic, left, right), symbolic.equal(left, right));
                let later = symbolic.problem.and([same, less]);
                less = symbolic.problem.or([before, later]);
            }
            less
        }
        _ => match collection_kind_of(left).or(collection_kind_of(right)) {
            Some(kind) if by_members(kind) => {
                let (left, right) = (symbolic.members(left), symbolic.members(right));
                less_by_occurrences(symbolic, kind, &left, &right)
            }
            _ => symbolic.less(left, right),
        },
    }
}

fn less_by_occurrences(symbolic: &mut Symbolic, kind: Collection, left: &Arc<Members>, right: &Arc<Members>) -> Bool {
    // For each possible member, `differing` has the condition that it occurs unequally often, and `increasing` the
    // condition that it occurs more often on the right.
    let mut differing: Vec<Member> = Vec::new();
    let mut increasing: Vec<Member> = Vec::new();
    for (mine, other, increases) in [(left, right, false), (right, left, true)] {
        for member in &mine.members {
            let (more, differs) = match kind {
                _ if kind.row().has_occurrences() => {
                    let here = symbolic.frequency(&mine.members, &member.term);
                    let there = symbolic.frequency(&other.members, &member.term);
                    (symbolic.problem.less(there, here), !symbolic.problem.equal(here, there))
                }
                _ => {
                    let there = is_member_of(symbolic, kind, other, &member.term);
                    (!there, !there)
                }
            };
            let differs = symbolic.problem.and([member.condition, differs]);
            differing.push(Member::new(differs, member.term.clone()));
            if increases {
                let more = symbolic.problem.and([member.condition, more]);
                increasing.push(Member::new(more, member.term.clone()));
            }
        }
    }
    // The least differing member must occur more often on the right.
    let mut ways = Vec::with_capacity(increasing.len());
    for member in &increasing {
        let mut parts = vec![member.condition];
        for other in &differing {
            let before = tilde_less(symbolic, &other.term, &member.term);
            parts.push(!symbolic.problem.and([other.condition, before]));
        }
        ways.push(symbolic.problem.and(parts));
    }
    symbolic.problem.or(ways)
}
