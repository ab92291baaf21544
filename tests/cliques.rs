//! The search for sets as cliques, compared with all subsets: which constraints are about pairs of members, and that
//! the pairs decide which sets are solutions.

use super::common::instantiate;
use conjure_like::{
    instance::{GroundInstance, SolutionValues},
    language::Value,
    lowering::{MemberPairs, representations},
    solution,
    solver::{self, EngineOptions},
};
use std::ops::ControlFlow;

/// Constraints on `s`, a set of integers from 1 to 7, and whether each is about single members and pairs only.
const CONSTRAINTS: [(&str, bool); 24] = [
    ("forAll {a, b} subsetEq s . |a - b| >= 2", true),
    ("forAll {a, b} in powerSet(s) . |a - b| >= 2", false),
    ("forAll a, b in s . a != b -> (a + b) % 3 != 0", true),
    ("forAll a, b in s . a < b -> 2 * a != b", true),
    ("forAll a in s . forAll b in s, a < b . b % a != 0", true),
    ("forAll a in s . a % 2 = 1", true),
    ("and([a + b != 8 | a <- s, b <- s])", true),
    ("and([a != 3 | a <- s]) /\\ forAll {a, b} subsetEq s . a + b != 6", true),
    ("and([forAll a in s . a != 2, forAll a in s . a != 5])", true),
    // The premise does not depend on `s`.
    ("2 > 1 -> forAll a in s . a > 2", true),
    ("forAll k : int(2..3) . forAll {a, b} subsetEq s . |a - b| != k", true),
    ("forAll {a, b} subsetEq s . exists k : int(1..3) . a + k = b \\/ b + k = a", true),
    // Undefined, and therefore false, for pairs with the sum 7.
    ("forAll {a, b} subsetEq s . 12 / (a + b - 7) > 1", true),
    // Three members at once.
    ("forAll {a, b, c} subsetEq s . a + b != c", false),
    ("forAll a, b, c in s . a + b != c", false),
    ("forAll a in s . forAll {b, c} subsetEq s . a + b != c", false),
    ("forAll a in s . exists b in s . a != b", false),
    // The size depends on all members.
    ("forAll a in s . a <= |s|", false),
    ("forAll a in s, a <= |s| . a != 2", false),
    ("forAll t subsetEq s . |t| <= 3", false),
    ("|s| <= 3", false),
    // The premise is about the whole set.
    ("3 in s -> forAll a in s . a > 2", false),
    ("sum(s) <= 9", false),
    ("!(forAll a in s . a > 1)", false),
];

fn instance(constraint: &str) -> GroundInstance {
    let text = format!("find s : set of int(1..7)\nmaximising |s|\nsuch that {constraint}");
    instantiate(&text, "").unwrap_or_else(|wrong| panic!("{constraint}: {}", super::common::words(&wrong)))
}

#[test]
fn pairs_tell_which_sets_are_solutions() {
    let options = EngineOptions::default();
    for (constraint, is_about_pairs) in CONSTRAINTS {
        let instance = instance(constraint);
        let wanted =
            representations::wanted_representations(&instance, &["s=explicit".to_owned()]).expect("a representation");
        let pairs = MemberPairs::of(&instance, &wanted, options.limits.clone()).expect("a small instance");
        assert_eq!(pairs.is_some(), is_about_pairs, "{constraint}");
        let Some(pairs) = pairs else { continue };
        let id = instance.finds[0].id;
        let is_solution = |solution: &SolutionValues| solution::verify(&instance, solution).is_ok();
        let subset = |members: u32| (1..=7).filter(move |member| members >> member & 1 == 1).map(Value::Int).collect();
        // Bit 0 is not a member, so only even numbers are subsets.
        let subsets = (0..256u32).step_by(2).filter(|members| is_solution(&vec![(id, Value::set(subset(*members)))]));
        let most = subsets.map(u32::count_ones).max().expect("the empty set");
        let mut last = 0;
        solver::cliques(&pairs.problem, &options, &mut |members| {
            assert!(is_solution(&pairs.solution(members)), "{constraint}: {:?}", pairs.solution(members));
            last = members.len();
            ControlFlow::Continue(())
        });
        assert_eq!(last as u32, most, "{constraint}");
    }
}
