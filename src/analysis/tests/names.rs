//! Names, domains and statements.

use super::check;
use crate::{
    analysis::{
        analyse_file,
        model::{DeclarationKind, ExprKind},
    },
    diagnostic::{Code, Diagnostics},
    language::Type,
    source::Sources,
    syntax,
};

#[test]
fn names_are_declared_before_they_are_used() {
    check(
        "
        find x : int(1..count)    $ E0201 not declared yet; further down; move the declaration of `count`
        given count : int
        such that count = conut    $ E0201 the name `conut` is not declared; did you mean `count`?
        such that colour = count  $ E0201 did you mean `color`?
        find color : int(1..3)
        ",
    );
}

#[test]
fn a_use_before_the_declaration_is_told_from_a_misspelling() {
    check(
        "
        such that late = 1    $ E0201 not declared yet
        find late : int(1..3)
        such that lale = 1    $ E0201 did you mean `late`?
        ",
    );
}

#[test]
fn names_are_declared_once() {
    check(
        "
        given n : int
        find n : int(1..3)    $ E0202 declared twice; first declared here
        letting E be new type enum {a, b}
        letting F be new type enum {b, c}    $ E0202 `b`
        such that forAll a : int(1..2) . a + n > 0
        ",
    );
}

#[test]
fn enumerated_types_keep_apart() {
    check(
        "
        letting E be new type enum {a, b, c}
        letting U be new type of size 3
        given G new type enum
        find x : E
        find y : E(a..b)
        find z : E(b..)
        find u, v : U
        find g : G
        find w : U(1..2)      $ E0203 no order
        find m : matrix indexed by [E, U] of bool
        such that x = y, x < z, x != a, succ(x) = z, u = v, m[a, u]
        such that x = 1       $ E0302 `E` and `int`
        such that u < v       $ E0302 an unnamed type have no order
        such that m[1, u]     $ E0303 indexed by `E`
        such that x + 1 = 2   $ E0302
        such that a[1] = 2    $ E0303 a value of type `E`
        ",
    );
}

#[test]
fn domains_hold_data() {
    check(
        "
        find n : int(1..5)
        find x : int(1..n)            $ E0307 found by the solver; declared here; constraint
        letting m be n + 1
        find y : set (size m) of int(1..3)    $ E0307 `n` is found by the solver
        such that forAll i : int(1..n) . i = i
        such that forAll i : int({n}) . i = i    $ E0307 `n` is found by the solver
        where n = 1                   $ E0307 `where`
        ",
    );
}

#[test]
fn domains_to_be_searched_are_finite() {
    check(
        "
        given a : int, b : int(1..), c : set of int
        letting D be domain set of int
        find x : int             $ E0306 must be finite; write two bounds
        find y : int(1..)        $ E0306
        find z : D               $ E0306 stands for an infinite domain
        find s : sequence of int(1..3)    $ E0306 maxSize
        find t : mset of int(1..3)        $ E0306 maxSize
        find u : mset (maxOccur 2) of int(1..3)
        find v : function int(1..3) --> set of int    $ E0306
        such that forAll i : int . i > 0    $ E0306
        ",
    );
}

#[test]
fn attributes_fit_their_domains() {
    check(
        "
        find s : set (size 3, maxSize 4) of int(1..5)    $ E0309 `size` and `maxSize` cannot be combined
        find t : set (minSize 3, maxSize 4) of int(1..5)
        find u : set (size true) of int(1..5)            $ E0301 must be `int`
        find v : set (size) of int(1..5)                 $ E0309 needs a number
        find f : function (total 3) int(1..5) --> bool   $ E0309 takes no number
        find g : function (total, total) int(1..5) --> bool    $ E0309 twice
        letting D be domain int(1..5)
        find r : relation (symmetric) of (D * int(1..5))
        find q : relation (symmetric) of (D * int(1..6)) $ E0309 between a domain and itself
        find p : relation (symmetric) of (D * D * D)     $ E0309 3 columns
        ",
    );
}

#[test]
fn what_is_no_domain_is_not_taken_for_one() {
    check(
        "
        given n : int
        given s : set of int
        find x : n                  $ E0203 `n` is an integer, not a domain; `int(1..n)`
        find y : s                  $ E0203 `int(s)`
        find z : Int                $ E0201 write `int`
        find m : matrix indexed by [(int(1..2), bool)] of bool    $ E0303 cannot be indexed by
        find f : record {a : bool, a : bool}    $ E0202
        such that |n| = 1, |s| = n
        ",
    );
}

#[test]
fn a_model_has_one_objective() {
    check(
        "
        find x, y : int(1..3)
        find b : bool
        minimising x
        maximising y              $ E0204 the first one
        minimising b              $ E0301 toInt     $ E0204
        heuristic wedg            $ E0203 did you mean `wdeg`?
        branching on [x, y = 2]
        branching on [x]          $ E0204
        ",
    );
}

#[test]
fn the_language_has_a_name() {
    check("language Esence 1.3    $ E0101 did you mean `Essence`?\nfind x : bool");
    check("language essence 1.3\nfind x : bool");
}

#[test]
fn constraints_are_true_or_false() {
    let model = check(
        "
        find x : int(1..3)
        find m : matrix indexed by [int(1..3)] of bool
        such that x               $ E0301 a constraint must be true or false, but this is an integer
        such that {x = 1, x = 2}  $ E0301 write `[x = 1, x = 2]`
        such that m, [x = 1, x = 2], [m[i] | i : int(1..2)]
        ",
    );
    assert!(model.constraints[2..].iter().all(|constraint| constraint.ty == Type::Bool));
    assert!(matches!(model.constraints[2].kind, ExprKind::Apply(row, _) if row.symbol.text == "and"));
}

#[test]
fn a_domain_with_a_name_is_an_operand_too() {
    let model = check(
        "
        letting D be domain int(1..9)
        letting E be new type enum {a, b}
        letting n be |D| + max(D) + |`bool`| + |E|
        find x : D
        such that x in D          $ E0302 a collection, not a domain
        such that forAll i in D . i = x    $ E0304 write `forAll i : D . i = x`
        such that x = D           $ E0302 a domain is not a value
        ",
    );
    assert!(matches!(model.declarations[0].kind, DeclarationKind::LettingDomain(_)));
}

#[test]
fn tagged_integers_keep_apart() {
    check(
        "
        find x, y : int:A(1..6)
        find z : int:B(1..6)
        such that x = y + 4:A, x < y
        such that x = y + 4       $ E0302 `int:A` and `int`
        such that x = z           $ E0302
        find w : int:A(1:A..6)
        find v : int:A(1:B..6)    $ E0301 must be `int:A`, not `int:B`
        ",
    );
}

#[test]
fn names_for_domains_are_not_nested_without_end() {
    let chain = |levels: usize, domain: &dyn Fn(&str) -> String| {
        let mut text = "letting d0 be domain bool\n".to_owned();
        for level in 1..=levels {
            text += &format!("letting d{level} be domain {}\n", domain(&format!("d{}", level - 1)));
        }
        let id = Sources::default().add("", text.as_str());
        let mut diagnostics = Diagnostics::new();
        let file = syntax::parse_file(id, &text, &mut diagnostics);
        analyse_file(&file, &mut diagnostics);
        diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
    };
    let set = |inner: &str| format!("set of {inner}");
    let pair = |inner: &str| format!("({inner}, {inner})");
    let size = |inner: &str| format!("int(1..|`{inner}`| + |`{inner}`|)");
    assert_eq!(chain(900, &set), []);
    assert_eq!(chain(5_000, &set), [Code::TOO_DEEP]);
    assert_eq!(chain(15, &pair), []);
    assert_eq!(chain(60, &pair), [Code::TOO_LARGE]);
    assert_eq!(chain(60, &size), [Code::TOO_LARGE]);
}
