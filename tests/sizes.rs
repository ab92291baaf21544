//! The sizes of lowered problems: what need not grow with the product of two numbers.

use super::common::instantiate;
use conjure_like::{
    halt::Limits,
    lowering::{self, Representations},
};

/// The number of Boolean terms of a model without parameters.
fn terms(model: &str) -> usize {
    let instance = instantiate(model, "").expect("a model");
    match lowering::lower(&instance.environment, &Representations::new(), Limits::default()) {
        Ok(lowered) => lowered.problem.bool_count(),
        Err(_) => panic!("{model} is refused"),
    }
}

#[test]
fn equality_of_collections_in_slots_is_linear() {
    for domain in ["set (maxSize {}) of int(1..20000)", "mset (maxSize {}) of int(1..20000)"] {
        let terms = |slots: &str| terms(&format!("find s, t : {}\nsuch that s = t\n", domain.replace("{}", slots)));
        let (few, many) = (terms("40"), terms("80"));
        assert!(many < 5 * few / 2, "{domain}: {few} terms become {many}");
    }
}

#[test]
fn different_values_are_counted_by_value() {
    let terms = |n: usize| {
        let find = format!("find a : matrix indexed by [int(1..{n})] of int(1..10)\n");
        terms(&format!("{find}such that |toSet([a[i] | i : int(1..{n})])| >= 5\n"))
    };
    let (few, many) = (terms(100), terms(200));
    assert!(many < 5 * few / 2, "{few} terms become {many}");
}
