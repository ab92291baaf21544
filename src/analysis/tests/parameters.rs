//! Parameter files.

use super::check_with;
use crate::{
    analysis::model::ExprKind,
    language::{Collection, Type, Value},
};

const MODEL: &str = "
    letting extent be 3
    given n : int
    given hints : function (int, int) --> int
    given E new type enum
    given weight : matrix indexed by [E] of int
    find x : int(1..n)
";

#[test]
fn a_parameter_file_gives_values() {
    let parameters = check_with(
        MODEL,
        "
        letting half be 2
        letting n be half * 2
        letting hints be function((1, 1) --> n, (2, 2) --> -2)
        letting E be new type enum {red, green}
        letting weight be [1, 2]
        ",
    );
    assert_eq!(parameters.enums.len(), 1);
    assert_eq!(parameters.values.len(), 3);
    assert!(matches!(&parameters.values[2].1.kind, ExprKind::Constant(Value::Matrix(_))));
}

#[test]
fn what_is_wrong_in_a_parameter_file_is_reported_there() {
    check_with(
        "
        letting extent be 3
        given n : int
        given hints : function (int, int) --> int
        given E new type enum
        given weight : matrix indexed by [E] of int         $ E0401 `weight` has no value; write `letting weight be …`
        find x : int(1..n)
        ",
        "
        letting n be {1, 2}                     $ E0408 has type `int`, but this is `set of int`; declared here
        letting hint be function()              $ E0402 no parameter `hint`; did you mean `hints`
        letting E be new type enum {red, green}
        letting extent be 4                       $ E0402 fixed by the model
        letting x be 4                          $ E0402 a decision variable
        letting n be 3                          $ E0202 two values
        letting unused be n + 1                 $ W0404 the model does not need `unused`
        ",
    );
}

#[test]
fn a_literal_that_contradicts_itself_is_reported() {
    check_with(
        "
        given f : function int --> int
        given p : partition from int
        given g : permutation of int(1..4)
        ",
        "
        letting f be function(1 --> 2, 3 --> 4, 1 --> 5)    $ E0409 one argument to two images; the first time
        letting p be partition({1, 2}, {2, 3})              $ E0409 disjoint
        letting g be permutation((1, 2), (2, 3))            $ E0409 twice
        ",
    );
}

#[test]
fn variants_in_parameters_are_numbered_as_in_the_model() {
    let parameters = check_with(
        "given v : set of variant {a : int, b : bool}",
        "letting v be {variant {b = true}, variant {a = 1}}",
    );
    let Some((_, value)) = parameters.values.first() else { panic!("a value was expected") };
    let ExprKind::Constant(Value::Collection(Collection::Set, members)) = &value.kind else {
        panic!("a set was expected, not {value:?}")
    };
    assert!(matches!(&members[..], [Value::Variant(0, _), Value::Variant(1, _)]));
    let Some(Type::Variant(parts)) = value.ty.as_set() else { panic!("a set of variants") };
    assert_eq!(parts.len(), 2);
}

#[test]
fn a_model_is_no_parameter_file() {
    check_with(
        "find x : int(1..3)",
        "
        given n : int       $ E0407 cannot hold a `given` statement; name it first
        find y : int(1..n)
        such that y = n
        ",
    );
}

#[test]
fn a_missing_value_is_reported_at_the_declaration() {
    check_with("given n : int    $ E0401\ngiven E new type enum    $ E0401 new type enum", "");
}

#[test]
fn a_solution_names_the_members_of_unnamed_types() {
    let parameters = check_with(
        "letting U be new type of size 2 given u : set of U",
        "letting U be new type enum {U_1, U_2} letting u be {U_2}",
    );
    let Some((_, value)) = parameters.values.first() else { panic!("a value was expected") };
    assert!(matches!(&value.kind, ExprKind::Constant(members) if *members == Value::set(vec![Value::Int(2)])));
}
