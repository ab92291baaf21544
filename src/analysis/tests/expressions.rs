//! Operators, literals, comprehensions.

use super::check;
use crate::language::Collection;
use crate::{
    analysis::model::{Category, DeclarationKind, Expr, ExprKind, Qualifier},
    language::Value,
};

/// The type of the last `letting` of a model without mistakes.
fn type_of(model: &str) -> String {
    letting(model).ty.to_string()
}

fn letting(model: &str) -> Expr {
    match check(model).declarations.pop().expect("a declaration").kind {
        DeclarationKind::Letting(value) => value,
        other => panic!("a letting was expected, not {other:?}"),
    }
}

#[test]
fn overloaded_operators_are_told_apart_by_their_operands() {
    for (expression, ty) in [
        ("s union {}", "set of int"),
        ("|s| + |f| - |[1 | i : int(1..2)]|", "int"),
        ("f - function()", "function int --> bool"),
        ("f(1)", "bool"),
        ("preImage(f, true)", "set of int"),
        ("toSet(f)", "set of (int, bool)"),
        ("R(1, _)", "relation of (bool)"),
        ("R(1, true)", "bool"),
        ("toSet(R)", "set of (int, bool)"),
        ("m[1]", "matrix indexed by [bool] of int"),
        ("m[1, true]", "int"),
        ("m[.., true]", "matrix indexed by [int] of int"),
        ("m[1..2]", "matrix indexed by [int, bool] of int"),
        ("flatten(m)", "list of int"),
        ("flatten(1, m)", "list of int"),
        ("flatten(1, [m])", "list of matrix indexed by [bool] of int"),
        ("concatenate(m)", "list of int"),
        ("max(s)", "int"),
        ("(1, true)[2]", "bool"),
        ("record {b = 1, a = true}[a]", "bool"),
        ("v[x]", "int"),
        ("active(v, y)", "bool"),
        ("parts(p)", "set of set of int"),
        ("hist(mset(true))", "list of (bool, int)"),
        ("transform([permutation((1, 2))], s)", "set of int"),
        ("catchUndef(f(1), false)", "bool"),
        ("injective(f)", "bool"),
        ("sum i in s . i", "int"),
        ("forAll (a, b) in f . b", "bool"),
        ("[(i, x) | i : int(1..2), x <- s, i < x]", "list of (int, int)"),
        ("[u | {u, w} <- powerSet(s), letting z be u + w, z > 2]", "list of int"),
        ("[q | (i, q) <- sequence(true)]", "list of bool"),
        ("({} : `set of bool`)", "set of bool"),
        ("3:A", "int:A"),
    ] {
        let model = format!(
            "
            given s : set of int, f : function int --> bool, R : relation of (int * bool)
            given m : matrix indexed by [int(1..2), bool] of int
            given v : variant {{x : int, y : bool}}, p : partition from int
            letting it be {expression}"
        );
        assert_eq!(type_of(&model), ty, "{expression}");
    }
}

#[test]
fn constants_become_values() {
    for (literal, value) in [
        ("-3", Value::Int(-3)),
        ("{2, 1, 2}", Value::set(vec![Value::Int(1), Value::Int(2)])),
        ("record {b = 1, a = true}", Value::tuple([Value::TRUE, Value::Int(1)])),
        (
            "permutation((1, 2))",
            Value::Mapping(Collection::Permutation, [1, 2].map(|n| (Value::Int(n), Value::Int(3 - n))).into()),
        ),
        ("[[1], [2]]", Value::list(vec![Value::list(vec![Value::Int(1)]), Value::list(vec![Value::Int(2)])])),
    ] {
        let expr = letting(&format!("letting it be {literal}"));
        assert!(matches!(expr.kind, ExprKind::Constant(found) if found == value), "{literal}");
    }
}

#[test]
fn repetitions_in_constant_literals_are_ignored() {
    let value =
        |literal: &str| match letting(&format!("letting E be new type enum {{a, b}} letting it be {literal}")).kind {
            ExprKind::Constant(value) => value,
            other => panic!("{literal} is not a constant but {other:?}"),
        };
    for (repeated, once) in [
        ("{1, 1}", "{1}"),
        ("{a, b, a}", "{b, a}"),
        ("{{1, 2}, {2, 1, 2}}", "{{1, 2}}"),
        ("relation((a, 1), (a, 1))", "relation((a, 1))"),
        ("function(a --> 1, a --> 1)", "function(a --> 1)"),
        ("partition({a, a}, {b})", "partition({a}, {b})"),
        ("partition({1, 2}, {2, 1})", "partition({1, 2})"),
    ] {
        assert_eq!(value(repeated), value(once), "{repeated}");
    }
    assert_ne!(value("mset(a, a)"), value("mset(a)"));
    assert_ne!(value("sequence(a, a)"), value("sequence(a)"));
}

#[test]
fn an_alternative_is_found_in_the_whole_variant() {
    let model = check("find v : variant {a : bool, b : int(1..2)} such that v = variant {b = 2}");
    let ExprKind::Apply(_, operands) = &model.constraints[0].kind else { panic!("an equation was expected") };
    assert!(matches!(&operands[1].kind, ExprKind::Constant(Value::Variant(1, _))));
    assert_eq!(operands[1].ty, model.declarations[0].ty);
}

#[test]
fn empty_literals_get_their_types_from_what_they_are_compared_with() {
    let model = check("find f : function int(1..2) --> bool such that function() = f");
    let ExprKind::Apply(_, operands) = &model.constraints[0].kind else { panic!("an equation was expected") };
    assert_eq!(operands[0].ty, model.declarations[0].ty);
}

#[test]
fn quantifiers_are_comprehensions() {
    let model = check("find s : set of int(1..9) such that forAll i, j in s, i < j . i + 1 < j");
    let ExprKind::Apply(row, operands) = &model.constraints[0].kind else { panic!("an operator was expected") };
    assert_eq!(row.symbol.text, "and");
    let ExprKind::Comprehension(list) = &operands[0].kind else { panic!("a comprehension was expected") };
    assert!(matches!(
        &list.qualifiers[..],
        [Qualifier::Generator(..), Qualifier::Generator(..), Qualifier::Condition(_)]
    ));
    assert_eq!(list.body.category, Category::Decision);
}

#[test]
fn categories_say_what_an_expression_depends_on() {
    for (expression, category) in [
        ("{1, 2}", Category::Constant),
        ("n + 1", Category::Parameter),
        ("sum([i | i : int(1..n)])", Category::Parameter),
        ("sum([i | i : int(1..n), x = i])", Category::Decision),
        ("[k | k <- s]", Category::Decision),
        ("(x, n)[2]", Category::Decision),
    ] {
        let model = format!("given n : int find x : int(1..2) find s : set of int(1..2) letting it be {expression}");
        assert_eq!(letting(&model).category, category, "{expression}");
    }
}

#[test]
fn the_successor_of_an_enumerated_value_gets_its_domain() {
    let model = check("given E new type enum find x : E find i : int(1..3) such that succ(x) = x, pred(i) = i");
    let count = |position: usize| match &model.constraints[position].kind {
        ExprKind::Apply(_, sides) => match &sides[0].kind {
            ExprKind::Apply(_, operands) => operands.len(),
            other => panic!("an operator was expected, not {other:?}"),
        },
        other => panic!("an equation was expected, not {other:?}"),
    };
    assert_eq!((count(0), count(1)), (2, 1));
}

#[test]
fn what_beginners_write_gets_its_own_answer() {
    check(
        r"
        given n : int
        find s, t : set of int(1..9)
        find f : function (int(1..3), int(1..3)) --> int(1..9)
        find m : matrix indexed by [int(1..3)] of int(1..9)
        find R : relation of (int(1..3) * int(1..3))
        find x : int(1..9)
        such that s <= t                       $ E0302 write `s subsetEq t`
        such that !x in s                      $ E0301 write `!(x in s)`; binds tighter
        such that sum i : int(1..3) . i = 3    $ E0301 write `(sum i : int(1..3) . i) = 3`; as far to the right
        such that f(1, 2) = 3                  $ E0302 write `f((1, 2)) = 3`
        such that allDifferent(m)              $ E0201 write `allDiff(m)`
        such that |m| = 3                      $ E0302 write `|flatten(m)| = 3`
        such that m(1) = 2                     $ E0301 write `m[1] = 2`
        such that f[1] = 2                     $ E0303 round parentheses
        such that R((1, 2))                    $ E0302 write `R(1, 2)`
        such that max(x, n) = 3                $ E0302 write `max([x, n]) = 3`
        such that m <= m                       $ E0302 write `m <=lex m`
        such that s union x = t                $ E0302 write `s union {x} = t`
        such that (x = 1) + 1 = 2              $ E0302 toInt
        such that forAll i : s . i > 0         $ E0203 write `forAll i in s . i > 0`
        such that alldif(m)                    $ E0201 did you mean `allDiff`?
        such that and(s)                       $ E0302
        such that m[1, 2] = 3                  $ E0303 an integer cannot be indexed
        such that forAll (a, b) in s . a = b   $ E0305
        such that s in t                       $ E0302 write `s subsetEq t`
        ",
    );
}

#[test]
fn the_members_of_a_literal_have_one_type() {
    check(
        "
        letting a be {1, true, 2, false}       $ E0301 one type, not both `int` and `bool`
        letting b be [[1], [true]]             $ E0301
        letting c be function(1 --> 2, 2 --> true)    $ E0301 the images of a function
        letting d be {{}, {1}}
        letting e be relation((1, 2), (1, 2, 3))      $ E0301
        letting g be [1, 2, 3; int(0..1)]      $ E0409 3 elements for 2 indices
        letting h be record {a = 1, a = 2}     $ E0202
        ",
    );
}

#[test]
fn what_an_operator_takes_is_said() {
    check(
        "
        letting E be new type enum {a, b}
        given c : E, p : partition from int
        letting f be c + 1                $ E0302 `succ(x)`
        letting g be c = 1                $ E0302 both sides of `=` must have the same type
        letting h be powerSet(1)          $ E0302 `powerSet` takes `set of T`; any type
        letting i be together([1], p)     $ E0302 write `together({1}, p)`
        letting j be gcc([1], [2])        $ E0302 takes 3 operands, not 2; `[T]` and `[T]` and `[int]`
        letting k be c < {c}              $ E0302 a capital letter is bool, int or an enumerated type
        letting l be sum x in {} . x
        ",
    );
}

#[test]
fn components_and_fields_exist() {
    check(
        "
        given t : (int, bool), r : record {alpha : int, beta : bool}, i : int
        letting a be t[3]           $ E0303 no component 3
        letting b be t[i]           $ E0303 a literal number
        letting c be r[alhpa]       $ E0303 did you mean `alpha`?
        letting d be r[1]           $ E0303 must be the name of a field
        letting k be 2
        letting e be t[k] /\\ r[beta]
        letting f be active(r, alpha)    $ E0301 a variant is needed here
        ",
    );
}
