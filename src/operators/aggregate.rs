//! Operators that fold a list or another collection into one value. Quantifiers are `and`, `or`, `sum` and
//! `product` of a comprehension.

use super::{
    Operator, OperatorSymbol,
    Polarity::*,
    arithmetic::multiply,
    evaluation::{boolean, integer_in_range, items},
    results,
    symbols::*,
};
use crate::{
    language::{Evaluated, IntSet, Stop, Value},
    problem::{Bool, Builder, Extreme, Int},
    symbolic::{MemberCounts, Partial, Symbolic, Term},
};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        ALL,
        "([bool]) -> bool",
        "all hold; true if there are none",
        ("and([true, false])", "false"),
        all_true,
        lower_all,
    )
    .polarity(&[Positive])
    .absorbing(false)
    .in_any_order(0),
    Operator::new(
        ALL,
        "(mset of bool) -> bool",
        "all hold; true if there are none",
        ("and(mset(true, true))", "true"),
        all_true,
        lower_all,
    )
    .polarity(&[Positive])
    .absorbing(false),
    Operator::new(
        ANY,
        "([bool]) -> bool",
        "at least one holds; false if there are none",
        ("or([x > 2 | x : int(1..3)])", "true"),
        any_true,
        lower_any,
    )
    .polarity(&[Positive])
    .absorbing(true)
    .in_any_order(0),
    Operator::new(
        ANY,
        "(mset of bool) -> bool",
        "at least one holds; false if there are none",
        ("or(mset(false, true))", "true"),
        any_true,
        lower_any,
    )
    .polarity(&[Positive])
    .absorbing(true),
    Operator::new(
        OperatorSymbol::function("xor"),
        "([bool]) -> bool",
        "an odd number of them hold",
        ("xor([true, true, true])", "true"),
        odd,
        lower_odd,
    )
    .in_any_order(0),
    Operator::new(
        OperatorSymbol::function("xor"),
        "(mset of bool) -> bool",
        "an odd number of them hold",
        ("xor(mset(true, true))", "false"),
        odd,
        lower_odd,
    ),
    Operator::new(
        SUM,
        "([int]) -> int",
        "the sum of the elements; 0 if there are none",
        ("sum([1, 2, 2])", "5"),
        sum_of_elements,
        lower_sum,
    )
    .in_any_order(0)
    .resulting_in(results::sum_domain),
    Operator::new(
        SUM,
        "(set of int) -> int",
        "the sum of the members; 0 if there are none",
        ("sum({1, 2})", "3"),
        sum_of_elements,
        lower_sum,
    )
    .resulting_in(results::sum_domain),
    Operator::new(
        SUM,
        "(mset of int) -> int",
        "the sum of the members, each as often as it occurs; 0 if there are none",
        ("sum(mset(1, 2, 2))", "5"),
        sum_of_elements,
        lower_sum,
    )
    .resulting_in(results::sum_domain),
    Operator::new(
        PRODUCT,
        "([int]) -> int",
        "the product of the elements; 1 if there are none",
        ("product([2, 3, 3])", "18"),
        product,
        lower_product,
    )
    .in_any_order(0)
    .resulting_in(results::product_domain),
    Operator::new(
        PRODUCT,
        "(set of int) -> int",
        "the product of the members; 1 if there are none",
        ("product({2, 3})", "6"),
        product,
        lower_product,
    )
    .resulting_in(results::product_domain),
    Operator::new(
        PRODUCT,
        "(mset of int) -> int",
        "the product of the members, each as often as it occurs; 1 if there are none",
        ("product(mset(2, 3, 3))", "18"),
        product,
        lower_product,
    )
    .resulting_in(results::product_domain),
    Operator::new(
        MIN,
        "([T]) -> T where T ordered",
        "the smallest element; undefined if there is none",
        ("min([3, 1, 2])", "1"),
        min,
        lower_min,
    )
    .in_any_order(0)
    .resulting_in(results::member_of_first),
    Operator::new(
        MIN,
        "(set of T) -> T where T ordered",
        "the smallest member; undefined if there is none",
        ("min({2, 5})", "2"),
        min,
        lower_min,
    )
    .resulting_in(results::member_of_first),
    Operator::new(
        MIN,
        "(mset of T) -> T where T ordered",
        "the smallest member; undefined if there is none",
        ("min(mset(4, 4))", "4"),
        min,
        lower_min,
    )
    .resulting_in(results::member_of_first),
    Operator::new(
        MAX,
        "([T]) -> T where T ordered",
        "the largest element; undefined if there is none",
        ("max([3, 1, 2])", "3"),
        max,
        lower_max,
    )
    .in_any_order(0)
    .resulting_in(results::member_of_first),
    Operator::new(
        MAX,
        "(set of T) -> T where T ordered",
        "the largest member; undefined if there is none",
        ("max({2, 5})", "5"),
        max,
        lower_max,
    )
    .resulting_in(results::member_of_first),
    Operator::new(
        MAX,
        "(mset of T) -> T where T ordered",
        "the largest member; undefined if there is none",
        ("max(mset(4, 4))", "4"),
        max,
        lower_max,
    )
    .resulting_in(results::member_of_first),
    Operator::new(
        ALL_DIFFERENT,
        "([T]) -> bool",
        "no two elements are equal",
        ("allDiff([1, 2, 1])", "false"),
        |args| boolean(all_different(items(&args[0]).iter())),
        lower_all_different,
    )
    .in_any_order(0),
    Operator::new(
        OperatorSymbol::function("alldifferent_except"),
        "([T], T) -> bool",
        "no two elements are equal, apart from those equal to the second operand",
        ("alldifferent_except([0, 1, 0, 2], 0)", "true"),
        |args| boolean(all_different(items(&args[0]).iter().filter(|item| **item != args[1]))),
        lower_all_different_except,
    )
    .in_any_order(0),
    Operator::new(
        OperatorSymbol::function("gcc"),
        "([T], [T], [int]) -> bool",
        "each of the values (second) occurs among the elements (first) as often as the third says",
        ("gcc([1, 2, 1, 5], [1, 2, 3], [2, 1, 0])", "true"),
        |args| counts(&args[0], &args[1], &args[2], |count, wanted| count == wanted),
        |s, args| lower_counts(s, &args[0], &args[1], &args[2], |problem, count, wanted| problem.equal(count, wanted)),
    )
    .in_any_order(0),
    Operator::new(
        OperatorSymbol::function("atleast"),
        "([T], [int], [T]) -> bool",
        "each of the values (third) occurs among the elements (first) at least as often as the second says",
        ("atleast([1, 2, 1], [2, 1], [1, 2])", "true"),
        |args| counts(&args[0], &args[2], &args[1], |count, wanted| count >= wanted),
        |s, args| {
            lower_counts(s, &args[0], &args[2], &args[1], |problem, count, wanted| problem.at_most(wanted, count))
        },
    )
    .in_any_order(0),
    Operator::new(
        OperatorSymbol::function("atmost"),
        "([T], [int], [T]) -> bool",
        "each of the values (third) occurs among the elements (first) at most as often as the second says",
        ("atmost([1, 2, 1], [1], [1])", "false"),
        |args| counts(&args[0], &args[2], &args[1], |count, wanted| count <= wanted),
        |s, args| {
            lower_counts(s, &args[0], &args[2], &args[1], |problem, count, wanted| problem.at_most(count, wanted))
        },
    )
    .in_any_order(0),
    Operator::new(
        OperatorSymbol::function("table"),
        "([T], [[T]]) -> bool",
        "the elements (first), in order, are one of the rows (second)",
        ("table([1, 2], [[2, 1], [1, 2]])", "true"),
        |args| boolean(items(&args[1]).iter().any(|row| items(row) == items(&args[0]))),
        lower_table,
    ),
];

fn all_true(args: &[Value]) -> Evaluated {
    boolean(items(&args[0]).iter().all(Value::as_bool))
}

fn any_true(args: &[Value]) -> Evaluated {
    boolean(items(&args[0]).iter().any(Value::as_bool))
}

fn odd(args: &[Value]) -> Evaluated {
    boolean(items(&args[0]).iter().filter(|item| item.as_bool()).count() % 2 == 1)
}

fn sum_of_elements(args: &[Value]) -> Evaluated {
    integer_in_range(items(&args[0]).iter().map(|item| i128::from(item.as_int())).sum())
}

fn product(args: &[Value]) -> Evaluated {
    // If a factor is 0, the product is 0 even if the other factors overflow.
    let factors = items(&args[0]);
    if factors.contains(&Value::Int(0)) { Ok(Value::Int(0)) } else { multiply(factors.iter().map(Value::as_int)) }
}

fn min(args: &[Value]) -> Evaluated {
    items(&args[0]).iter().min().cloned().ok_or(Stop::Undefined)
}

fn max(args: &[Value]) -> Evaluated {
    items(&args[0]).iter().max().cloned().ok_or(Stop::Undefined)
}

fn all_different<'a>(values: impl Iterator<Item = &'a Value>) -> bool {
    let mut sorted: Vec<&Value> = values.collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|two| two[0] != two[1])
}

/// Returns true if the number of occurrences of each value compares with the wanted number.
fn counts(elements: &Value, values: &Value, wanted: &Value, compare: fn(i64, i64) -> bool) -> Evaluated {
    boolean(items(values).iter().zip(items(wanted)).all(|(value, wanted)| {
        let count = items(elements).iter().filter(|element| *element == value).count();
        compare(count as i64, wanted.as_int())
    }))
}

fn lower_all(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let members = symbolic.elements(&args[0]);
    let parts: Vec<Bool> = members
        .iter()
        .map(|member| {
            let holds = member.term.bool();
            symbolic.problem.implies(member.condition, holds)
        })
        .collect();
    symbolic.problem.and(parts).into()
}

fn lower_any(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let parts = present_and_true(symbolic, &args[0]);
    symbolic.problem.or(parts).into()
}

fn lower_odd(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let parts = present_and_true(symbolic, &args[0]);
    // The negation of an equivalence is an exclusive disjunction.
    let odd = parts.into_iter().fold(Bool::FALSE, |odd, part| !symbolic.problem.equivalent(odd, part));
    odd.into()
}

/// For each element of a collection of Booleans, the condition that it is present and true.
fn present_and_true(symbolic: &mut Symbolic, collection: &Term) -> Vec<Bool> {
    let members = symbolic.elements(collection);
    members
        .iter()
        .map(|member| {
            let holds = member.term.bool();
            symbolic.problem.and([member.condition, holds])
        })
        .collect()
}

/// The elements as integers; an absent element counts as the neutral one.
fn integers_or(symbolic: &mut Symbolic, collection: &Term, neutral: i64) -> Vec<Int> {
    let members = symbolic.elements(collection);
    let neutral = symbolic.problem.constant(neutral);
    members
        .iter()
        .map(|member| {
            let value = symbolic.int(&member.term);
            match member.condition {
                Bool::TRUE => value,
                condition => symbolic.problem.choice([(condition, value), (Bool::TRUE, neutral)]),
            }
        })
        .collect()
}

fn lower_sum(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let terms = integers_or(symbolic, &args[0], 0);
    let sum = symbolic.problem.linear(terms.into_iter().map(|term| (1, term)), 0);
    symbolic.int_term(sum).into()
}

fn lower_product(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let terms = integers_or(symbolic, &args[0], 1);
    let one = symbolic.problem.constant(1);
    let product = terms.into_iter().fold(one, |product, term| symbolic.problem.multiply(product, term));
    symbolic.int_term(product).into()
}

fn lower_min(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    lower_extreme(symbolic, &args[0], Extreme::Minimum)
}

fn lower_max(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    lower_extreme(symbolic, &args[0], Extreme::Maximum)
}

fn lower_extreme(symbolic: &mut Symbolic, collection: &Term, extreme: Extreme) -> Partial {
    let members = symbolic.elements(collection);
    let defined = symbolic.problem.or(members.iter().map(|member| member.condition));
    // The minimum of Booleans is their conjunction, the maximum their disjunction.
    if members.iter().any(|member| matches!(member.term, Term::Bool(_) | Term::Value(Value::Bool(_)))) {
        let collection = std::slice::from_ref(collection);
        let partial = match extreme {
            Extreme::Minimum => lower_all(symbolic, collection),
            Extreme::Maximum => lower_any(symbolic, collection),
        };
        return Partial { term: partial.term, defined };
    }
    let terms: Vec<(Bool, Int)> = members.iter().map(|member| (member.condition, symbolic.int(&member.term))).collect();
    // An absent element gets the worst of all values, which does not change the result.
    let values = terms.iter().map(|(_, term)| symbolic.problem.values(*term));
    let worst = match extreme {
        Extreme::Minimum => values.filter_map(IntSet::max).max(),
        Extreme::Maximum => values.filter_map(IntSet::min).min(),
    };
    let Some(worst) = worst else { return Partial { term: Term::Value(Value::Int(0)), defined: Bool::FALSE } };
    let worst = symbolic.problem.constant(worst);
    let terms: Vec<Int> = terms
        .into_iter()
        .map(|(condition, term)| symbolic.problem.choice([(condition, term), (Bool::TRUE, worst)]))
        .collect();
    let term = symbolic.problem.extreme(extreme, terms);
    Partial { term: symbolic.int_term(term), defined }
}

fn lower_all_different(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let members = symbolic.elements(&args[0]);
    if members.iter().all(|member| {
        member.condition == Bool::TRUE && matches!(member.term, Term::Int(_) | Term::Value(Value::Int(_)))
    }) {
        let terms: Vec<Int> = members.iter().map(|member| symbolic.int(&member.term)).collect();
        // If all elements are integers and present, they form one global constraint.
        return symbolic.problem.all_different(terms).into();
    }
    let mut parts = Vec::new();
    for (position, left) in members.iter().enumerate() {
        for right in &members[position + 1..] {
            let same = symbolic.equal(&left.term, &right.term);
            parts.push(!symbolic.problem.and([left.condition, right.condition, same]));
        }
    }
    symbolic.problem.and(parts).into()
}

fn lower_all_different_except(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let mut members = symbolic.elements(&args[0]);
    for member in &mut members {
        let excepted = symbolic.equal(&member.term, &args[1]);
        member.condition = symbolic.problem.and([member.condition, !excepted]);
    }
    lower_all_different(symbolic, &[Term::guarded_list(members)])
}

/// The condition that the number of occurrences of each value compares with the wanted number. A value without a wanted
/// number is not restricted.
fn lower_counts(
    symbolic: &mut Symbolic,
    elements: &Term,
    values: &Term,
    wanted: &Term,
    compare: fn(&mut Builder, Int, Int) -> Bool,
) -> Partial {
    let elements = symbolic.elements(elements);
    let (values, wanted) = (symbolic.compact(values), symbolic.compact(wanted));
    let mut parts = Vec::new();
    let occurrences = MemberCounts::new(&elements);
    for (value, wanted) in values.iter().zip(&wanted) {
        let count = occurrences.frequency(symbolic, &value.term);
        let number = symbolic.int(&wanted.term);
        let holds = compare(&mut symbolic.problem, count, number);
        // If the value or the number is absent, nothing is required.
        parts.push(symbolic.problem.or([!value.condition, !wanted.condition, holds]));
    }
    symbolic.problem.and(parts).into()
}

fn lower_table(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let elements = args[0].list_members();
    let rows = args[1].list_members();
    // If the rows are constant and all entries are integers, this is a table constraint; otherwise it is a disjunction.
    let plain = elements.iter().all(|member| {
        member.condition == Bool::TRUE && matches!(member.term, Term::Int(_) | Term::Value(Value::Int(_)))
    });
    let constant: Option<Vec<Vec<i64>>> = rows
        .iter()
        .map(|row| match (&row.term, row.condition) {
            (Term::Value(row), Bool::TRUE) => items(row)
                .iter()
                .map(|item| match item {
                    Value::Int(item) => Some(*item),
                    _ => None,
                })
                .collect(),
            _ => None,
        })
        .collect();
    if let (true, Some(mut rows)) = (plain, constant) {
        // A row of another length cannot equal the list, so it is dropped.
        rows.retain(|row| row.len() == elements.len());
        let terms: Vec<Int> = elements.iter().map(|member| symbolic.int(&member.term)).collect();
        return symbolic.problem.table(&terms, rows).into();
    }
    let mut parts = Vec::new();
    for row in &rows {
        let same = symbolic.equal_elements(&args[0], &row.term);
        parts.push(symbolic.problem.and([row.condition, same]));
    }
    symbolic.problem.or(parts).into()
}
