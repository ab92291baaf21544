//! Comprehensions whose conditions prune bindings early, compared with equivalent ones in which the conditions are
//! moved into the body, as factors or disjuncts, where they prune nothing.

use super::{common::instantiate, generated::random::Random};
use conjure_like::{EngineOptions, Model, SolveOptions, Text, analysis::model::DeclarationId, language::Stop};
use std::ops::ControlFlow;

/// A random comprehension: its names, generators and conditions.
struct Qualifiers {
    names: Vec<&'static str>,
    generators: Vec<String>,
    conditions: Vec<String>,
    /// True if a generator may be undefined for some values of earlier names.
    is_partial: bool,
}

impl Qualifiers {
    fn random(random: &mut Random) -> Self {
        let names = ["i", "j", "k", "l"][..=random.below(4)].to_vec();
        let (mut generators, mut is_partial) = (Vec::new(), false);
        for (at, name) in names.iter().enumerate() {
            let before = if at > 0 { Some(*random.pick(&names[..at])) } else { None };
            let low = random.between(-1, 2);
            let range = match (before, random.below(20)) {
                (_, 0 | 1) => {
                    generators.push(format!("{name} <- {}", numbers(random)));
                    continue;
                }
                (Some(before), 2..=5) => format!("{low}..{before} + {}", random.below(5)),
                (Some(before), 6) => format!("{before}..{}", random.between(3, 7)),
                (Some(before), 7 | 8) => {
                    is_partial = true;
                    format!("{low}..12 / {before}")
                }
                _ => format!("{low}..{}", random.between(3, 7)),
            };
            generators.push(format!("{name} : int({range})"));
        }
        let conditions = (0..=random.below(3)).map(|_| condition(random, &names, 1)).collect();
        Qualifiers { names, generators, conditions, is_partial }
    }

    /// The generators with the conditions inserted, each somewhere after the names that it mentions.
    fn with_conditions(&self, random: &mut Random) -> String {
        let mut all = self.generators.clone();
        for condition in &self.conditions {
            let is_needed = |(name, generator): &(&&str, &String)| {
                condition.contains(**name).then(|| all.iter().position(|other| other == *generator)).flatten()
            };
            let pairs = self.names.iter().zip(&self.generators);
            let first = pairs.filter_map(|pair| is_needed(&pair)).max().map_or(0, |last| last + 1);
            all.insert(first + random.below(all.len() - first + 1), condition.clone());
        }
        all.join(", ")
    }
}

fn numbers(random: &mut Random) -> String {
    let numbers: Vec<String> = (0..4).map(|_| random.between(-2, 7).to_string()).collect();
    format!("{{{}}}", numbers.join(", "))
}

fn term(random: &mut Random, names: &[&str]) -> String {
    let (one, other) = (*random.pick(names), *random.pick(names));
    match random.below(16) {
        0..=7 => one.to_owned(),
        8 | 9 => random.between(-1, 6).to_string(),
        10 | 11 => format!("{one} ** 2"),
        12 => format!("{one} * {other}"),
        13 => format!("{one} % 3"),
        14 => format!("6 / {one}"),
        _ => format!("-{one}"),
    }
}

fn sum(random: &mut Random, names: &[&str]) -> String {
    let mut sum = term(random, names);
    for _ in 0..random.weighted(&[(2, 0), (1, 1), (1, 2)]) {
        sum = format!("{sum} {} ({})", random.pick(&['+', '-']), term(random, names));
    }
    sum
}

fn condition(random: &mut Random, names: &[&str], depth: usize) -> String {
    match random.below(20) {
        0..=9 => format!("{} = {}", sum(random, names), sum(random, names)),
        10..=12 => {
            let comparison = *random.pick(&["<", "<=", "!=", ">"]);
            format!("{} {comparison} {}", sum(random, names), sum(random, names))
        }
        13..=15 => {
            let pairs: Vec<String> = (0..8).map(|_| format!("({}, {})", random.below(7), random.below(7))).collect();
            let (name, other) = (*random.pick(names), term(random, names));
            let pair = if random.percent(50) { format!("({name}, {other})") } else { format!("({other}, {name})") };
            format!("{pair} in {{{}}}", pairs.join(", "))
        }
        16 | 17 => format!("{} in {}", random.pick(names), numbers(random)),
        18 => format!("{} in {{{}, {}}}", random.pick(names), term(random, names), term(random, names)),
        _ if depth > 0 => {
            format!("({} /\\ {})", condition(random, names, depth - 1), condition(random, names, depth - 1))
        }
        _ => "true".to_owned(),
    }
}

/// Two equivalent expressions; the conditions prune bindings only in the first one.
fn pair(random: &mut Random, body: impl Fn(&mut Random, &[&str]) -> String) -> (String, String) {
    let qualifiers = Qualifiers::random(random);
    let all = qualifiers.conditions.iter().map(|condition| format!("({condition})")).collect::<Vec<_>>().join(" /\\ ");
    let (names, generators) = (&qualifiers.names, qualifiers.generators.join(", "));
    let body = body(random, names);
    match random.below(3) {
        // A condition before a partial generator guards it, so the two sums could differ in definedness.
        0 if !qualifiers.is_partial => {
            let value = format!("1 + 3 * {} + toInt({body})", names[names.len() - 1]);
            let cut = format!("sum([{value} | {}])", qualifiers.with_conditions(random));
            (cut, format!("sum([toInt({all}) * ({value}) | {generators}])"))
        }
        0 | 1 => (
            format!("toInt(and([({all}) -> ({body}) | {generators}]))"),
            format!("toInt(and([!({all}) \\/ ({body}) | {generators}]))"),
        ),
        _ => (
            format!("toInt(or([({all}) /\\ ({body}) | {generators}]))"),
            format!("toInt(or([!(!({all}) \\/ !({body})) | {generators}]))"),
        ),
    }
}

#[test]
fn conditions_that_cut_bindings_change_no_value() {
    let value = |expr: &str| {
        let mut instance = instantiate(&format!("letting it be {expr}\n"), "").expect("a model");
        match instance.environment.global(DeclarationId(0)) {
            Ok(value) => Some(value),
            Err(Stop::Undefined) => None,
            Err(Stop::Fault(fault)) => panic!("{expr}: {}", fault.message),
        }
    };
    for number in 0..1_500 {
        let random = &mut Random::new(7, number);
        let (cut, plain) = pair(random, |random, names| condition(random, names, 0));
        assert_eq!(value(&cut), value(&plain), "{number}:\n{cut}\n{plain}");
    }
}

#[test]
fn conditions_that_cut_bindings_lose_no_constraint() {
    for number in 0..150 {
        let random = &mut Random::new(8, number);
        let (cut, plain) = pair(random, |random, names| {
            let (one, other) = (term(random, names), term(random, names));
            format!("d[{one}] {} d[{other}] + {}", random.pick(&["<=", "!="]), random.between(0, 1))
        });
        let text = format!("find d : matrix indexed by [int(-2..8)] of int(0..2)\nsuch that ({cut}) != ({plain})\n");
        let model = Model::read(&Text::new("m.essence", &*text)).expect("a model");
        let mut found = None;
        let options = SolveOptions::default().search(EngineOptions::default());
        let solved = model.instance(&[]).expect("an instance").solve(&options, &mut |solution| {
            found = Some(solution.to_json());
            ControlFlow::Break(())
        });
        solved.expect("a search");
        assert_eq!(found, None, "{number}:\n{text}");
    }
}

#[test]
fn conditions_keep_comprehensions_small() {
    let count = |expr: &str| {
        let mut instance = instantiate(&format!("letting n be 500 letting it be {expr}\n"), "").expect("a model");
        match instance.environment.global(DeclarationId(1)) {
            Ok(value) => value.as_int(),
            Err(_) => panic!("{expr} is refused"),
        }
    };
    assert_eq!(count("sum([1 | a, b, c : int(1..n), a <= b, b <= c, a ** 2 + b ** 2 = c ** 2])"), 386);
    assert_eq!(count("sum([1 | a, b, c : int(1..n), a ** 2 + b ** 2 = c ** 2, a <= b, b <= c])"), 386);
    assert_eq!(count("sum([j | i : int(1..n), j : int(0..1000000000), j = i * 1000000])"), 125_250_000_000);
    let edges = "toSet([(i, (i * 7) % n + 1) | i : int(1..n)])";
    assert_eq!(count(&format!("sum([1 | i, j, k : int(1..n), (i, j) in {edges}, (j, k) in {edges}])")), 500);
    assert_eq!(count("sum([1 | a, b : int(1..100000), a <= b, b - 2 < a])"), 199_999);
    assert_eq!(count("sum([1 | a : int(1..n), b : int(1..1000000000), 2 * n - a >= b, b + a > 2 * n - 3])"), 1_500);
    assert_eq!(count("sum([1 | a, b, c : int(1..100000), b < a + 2, c <= b, a <= b, c >= a])"), 299_998);
}
