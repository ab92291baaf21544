//! Plans that change, and goals that compete: searches that start from an earlier plan, and all undominated solutions.

use conjure_like::{
    Count, EngineOptions, ExplainOptions, Limits, Model, Report, Solution, SolveOptions, SolveSession, SolveStatus,
    SolverName, Text, Value,
};
use std::{collections::BTreeSet, ops::ControlFlow};

#[path = "plans/types.rs"]
mod types;

fn model(text: &str) -> Model {
    Model::read(&Text::new("m.essence", text)).unwrap_or_else(|report| panic!("{report}"))
}

/// The objectives of all reported solutions, the last solution, and the status.
fn solved(model: &Model, options: &SolveOptions) -> (Vec<i64>, String, SolveStatus) {
    let (mut values, mut last) = (Vec::new(), String::new());
    let instance = model.instance(&[]).unwrap_or_else(|report| panic!("{report}"));
    let summary = instance.solve(options, &mut |solution| {
        values.extend(solution.objective().and_then(|value| value.as_int()));
        last = solution.to_json();
        ControlFlow::Continue(())
    });
    (values, last, summary.unwrap_or_else(|report| panic!("{report}")).status)
}

/// All installed solvers, including the default.
fn solvers() -> impl Iterator<Item = SolverName> {
    SolverName::all().filter(|name| name.is_installed())
}

#[test]
fn a_plan_that_is_a_solution_comes_first_and_better_ones_follow() {
    let model = model("find x, y : int(0..9) such that x + y = 9 minimising x");
    for solver in solvers().filter(|solver| *solver != SolverName::Brute) {
        let start = |x: i64, y: i64| Text::new("last.solution", format!("letting x be {x} letting y be {y}"));
        let options = SolveOptions::default().solver(solver);
        let (values, last, status) = solved(&model, &options.clone().start(Some(start(3, 6))));
        assert_eq!((values.first(), values.last(), &status), (Some(&3), Some(&0), &SolveStatus::Optimal), "{solver}");
        assert_eq!(last, r#"{"x": 0, "y": 9}"#, "{solver}");
        // If the plan is optimal already, no other solution is reported.
        let (values, ..) = solved(&model, &options.clone().start(Some(start(0, 9))));
        assert_eq!(values, [0], "{solver}");
        // A plan that violates the constraint is only a starting point.
        let (values, _, status) = solved(&model, &options.start(Some(start(3, 3))));
        assert_eq!((values.last(), status), (Some(&0), SolveStatus::Optimal), "{solver}");
    }
}

#[test]
fn a_plan_that_is_a_solution_is_the_answer_where_one_is_wanted() {
    let model = model("find x : set of int(1..20) such that |x| = 3");
    let start = Text::new("last.solution", "letting x be {4, 11, 17}");
    let (_, last, status) = solved(&model, &SolveOptions::default().start(Some(start)));
    assert_eq!((&*last, status), (r#"{"x": [4, 11, 17]}"#, SolveStatus::Satisfied));
}

/// The parts of a plan that fit are kept: the answer differs from it only where it must.
#[test]
fn a_search_begins_near_a_plan_that_does_not_fit() {
    let cases = [
        (
            "x : matrix indexed by [int(1..8)] of int(0..40)",
            "[5, 11, 7, 33, 2, 90]",
            "allDiff(x)",
            &["5", "11", "7", "33"],
        ),
        (
            "x : function (total) int(1..8) --> int(0..40)",
            "function(1 --> 5, 3 --> 11, 9 --> 7)",
            "x(2) > 30",
            &["5", "11"],
        ),
        ("x : set (size 4) of int(1..40)", "{7, 11, 44, 23}", "sum(x) > 60", &["7", "11", "23"]),
        ("x : (int(0..40), set of int(1..9))", "(33, {2, 4, 12})", "|x[2]| = 3", &["33", "2", "4"]),
    ] as [(&str, &str, &str, &[&str]); 4];
    for (declaration, plan, requirement, kept) in cases {
        let model = model(&format!("find {declaration} such that {requirement}"));
        let start = Text::new("last.solution", format!("letting x be {plan}"));
        for solver in [SolverName::Cadical, SolverName::Z3].into_iter().filter(|solver| solver.is_installed()) {
            let options = SolveOptions::default().solver(solver).start(Some(start.clone()));
            let (_, last, status) = solved(&model, &options);
            assert_eq!(status, SolveStatus::Satisfied, "{declaration}, {solver}");
            let numbers: Vec<&str> = last.split(|letter: char| !letter.is_ascii_digit()).collect();
            assert!(kept.iter().all(|number| numbers.contains(number)), "{declaration}, {solver}: {last}");
        }
    }
}

#[test]
fn a_plan_that_cannot_be_read_is_refused() {
    let instance = model("find x : int(1..3)").instance(&[]).expect("an instance");
    let options = SolveOptions::default().start(Some(Text::new("last.solution", "letting x be {")));
    let report = instance.solve(&options, &mut |_| ControlFlow::Continue(())).expect_err("a mistake");
    assert!(report.to_string().contains("last.solution"), "{report}");
}

#[test]
fn a_plan_about_other_variables_is_refused() {
    let model = model("find x : int(1..3)");
    let plan = Text::new("last.solution", "letting y be 1");
    let instance = model.instance(&[]).expect("an instance");
    let options = SolveOptions::default().start(Some(plan.clone()));
    let start = instance.solve(&options, &mut |_| ControlFlow::Continue(())).expect_err("a mistake");
    let near = model.nearest_to(&plan).and_then(|near| near.instance(&[])).expect_err("a mistake");
    for report in [start, near] {
        assert!(report.to_string().contains("has no value for a decision variable of the model"), "{report}");
    }
}

/// The nearest plan, and its changes.
fn nearest(model: &Model, data: &[Text], plan: &Text) -> (Solution, Vec<String>) {
    let near = model.nearest_to(plan).unwrap_or_else(|report| panic!("{report}"));
    let instance = near.instance(data).unwrap_or_else(|report| panic!("{report}"));
    let mut last = None;
    let solved = instance.solve(&SolveOptions::default(), &mut |solution| {
        last = Some(solution.clone());
        ControlFlow::Continue(())
    });
    solved.unwrap_or_else(|report| panic!("{report}"));
    let last = last.expect("a solution");
    let changes = last.changes();
    (last, changes)
}

#[test]
fn an_image_that_is_gone_is_a_change() {
    let model = model("find f : function int(1..2) --> bool\nfind s : sequence (maxSize 2) of bool");
    let plan = "letting f be function(1 --> false, 2 --> false)\nletting s be sequence(false, false)\n";
    let (solution, changes) = nearest(&model, &[], &Text::new("last.solution", plan));
    assert_eq!((solution.objective(), changes), (Some(Value::Int(0)), Vec::new()));
    assert_eq!(solution.to_essence(120), format!("language Essence 1.3\n\n{plan}$ Objective: 0\n"));
}

#[test]
fn a_plan_may_name_members_that_are_gone() {
    let model = model(
        "given staff new type enum\nfind hours : matrix indexed by [staff] of int(0..9)\nfind team : set of staff\n\
         find first : staff\nsuch that |team| = 1",
    );
    let data = [Text::new("staff.param", "letting staff be new type enum {ben, mia}")];
    let json = r#"{"hours": {"zoe": 3, "ben": 4, "mia": 5}, "team": ["zoe", "mia"], "first": "zoe"}"#;
    let essence = "letting hours be [4, 5; int(1..2)] letting team be {zoe, mia} letting first be zoe";
    // In Essence, the matrix lists only the positions of its indices, so no element of it is lost with `zoe`.
    for (plan, gone) in [(Text::new("last.json", json), 1), (Text::new("last.solution", essence), 0)] {
        let (solution, changes) = nearest(&model, &data, &plan);
        assert_eq!(solution.objective(), Some(Value::Int(2 + gone)), "{changes:?}");
        let changes = &changes[gone as usize..];
        assert_eq!(changes[0], "team loses zoe");
        assert!(changes[1].starts_with("first: zoe becomes "), "{changes:?}");
        assert!(solution.to_json().contains(r#""team": ["mia"]"#), "{}", solution.to_json());
    }
}

/// A random model without goals, and two or three goals with their directions.
fn competing(seed: u64) -> (String, Vec<(bool, String)>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut number = |low: i64, high: i64| random.i64(low..=high);
    let mut text = format!("find a, b : int(0..{})\nfind s : set of int(1..{})\n", number(2, 5), number(2, 4));
    for _ in 0..number(0, 3) {
        let (left, right) = (number(-2, 3), number(-2, 3));
        let bound = number(-3, 8);
        text += &match number(0, 3) {
            0 => format!("such that {left} * a + {right} * b >= {bound}\n"),
            1 => format!("such that {left} * a + {right} * |s| <= {bound}\n"),
            2 => format!("such that a in s -> b > {}\n", number(0, 3)),
            _ => format!("such that sum(s) + {left} * b >= {bound}\n"),
        };
    }
    let goals = (0..number(2, 3)).map(|_| {
        let (left, right) = (number(-2, 3), number(-2, 3));
        let goal = match number(0, 5) {
            0 => format!("{left} * a + {right} * b"),
            1 => format!("sum(s) - {right} * a"),
            2 => "max([a, b])".to_owned(),
            3 => format!("|s| * {left} + b"),
            4 => "a in s".to_owned(),
            _ => "a".to_owned(),
        };
        (number(0, 1) == 1, goal)
    });
    let goals = goals.collect();
    (text, goals)
}

/// The model with its goals: either each with its own direction, in the notation of conjure-oxide, or all in one
/// direction.
fn with_goals(seed: u64, text: &str, goals: &[(bool, String)]) -> String {
    let word = |maximises: bool| if maximises { "maximising" } else { "minimising" };
    if seed.is_multiple_of(2) {
        let goals = goals.iter().map(|(maximises, goal)| format!("{} {goal}", word(*maximises)));
        return format!("{text}dominance relation pareto({})", goals.collect::<Vec<_>>().join(", "));
    }
    let first = goals[0].0;
    let goals = goals.iter().map(|(maximises, goal)| {
        let number = if goal.contains(" in ") { format!("toInt({goal})") } else { goal.clone() };
        if *maximises == first { number } else { format!("-({number})") }
    });
    format!("{text}{} pareto({})", word(first), goals.collect::<Vec<_>>().join(", "))
}

/// The undominated vectors among the goals of all solutions. Smaller values are better.
fn front_of_all(text: &str, goals: &[(bool, String)]) -> BTreeSet<Vec<i64>> {
    // The goals become decision variables, so that enumeration reports their values.
    let mut model_text = text.to_owned();
    for (place, (maximises, goal)) in (1..).zip(goals) {
        let number = if goal.contains(" in ") { format!("toInt({goal})") } else { goal.clone() };
        let sign = if *maximises { "-" } else { "" };
        model_text += &format!("find goal{place} : int(-99..99) such that goal{place} = {sign}({number})\n");
    }
    let mut all: BTreeSet<Vec<i64>> = BTreeSet::new();
    let instance = model(&model_text).instance(&[]).expect("an instance");
    let found = instance.solve(&SolveOptions::default().solutions(Count::All), &mut |solution| {
        let value = |place| solution.value(&format!("goal{place}")).and_then(|value| value.as_int()).expect("a goal");
        all.insert((1..=goals.len()).map(value).collect());
        ControlFlow::Continue(())
    });
    found.unwrap_or_else(|report| panic!("{report}"));
    let is_beaten = |vector: &Vec<i64>| {
        all.iter().any(|other| other != vector && other.iter().zip(vector).all(|(one, other)| one <= other))
    };
    all.iter().filter(|vector| !is_beaten(vector)).cloned().collect()
}

/// The vectors that a solver finds, each once. Smaller values are better.
fn front(model: &Model, solver: SolverName) -> BTreeSet<Vec<i64>> {
    let mut found = Vec::new();
    let instance = model.instance(&[]).unwrap_or_else(|report| panic!("{report}"));
    let options = SolveOptions::default().solver(solver).solutions(Count::All);
    let summary = instance.solve(&options, &mut |solution| {
        // The front of the oracle is in terms of minimisation.
        let sign = if model.maximises() == Some(true) { -1 } else { 1 };
        match solution.objective() {
            Some(Value::Tuple(items)) => {
                found.push(items.iter().filter_map(|item| Some(sign * item.as_int()?)).collect())
            }
            other => panic!("{other:?}"),
        }
        ControlFlow::Continue(())
    });
    let status = summary.unwrap_or_else(|report| panic!("{report}")).status;
    assert_eq!(status, if found.is_empty() { SolveStatus::Unsatisfiable } else { SolveStatus::AllSolutions });
    let all: BTreeSet<Vec<i64>> = found.iter().cloned().collect();
    assert_eq!(all.len(), found.len(), "a vector comes twice");
    all
}

#[test]
fn all_undominated_vectors_of_goals_are_found() {
    let mut sizes = Vec::new();
    for seed in 0..500 {
        let (text, goals) = competing(seed);
        let expected = front_of_all(&text, &goals);
        let whole = with_goals(seed, &text, &goals);
        let model = model(&whole);
        // Try the default on fewer seeds, because it takes longest to start.
        let solver = match seed % 10 {
            0 => SolverName::Auto,
            1..4 => SolverName::Z3,
            4 => SolverName::Brute,
            5 => SolverName::CpSat,
            _ => SolverName::Cadical,
        };
        let solver = if solver.is_installed() { solver } else { SolverName::Cadical };
        assert_eq!(front(&model, solver), expected, "{solver:?}:\n{whole}");
        sizes.push(expected.len());
    }
    assert!(sizes.contains(&0) && sizes.iter().any(|size| *size > 5), "{sizes:?}");
}

#[test]
fn the_first_trade_offs_can_be_enough() {
    let model = model("find x, y : int(0..9) such that x + y >= 9 minimising pareto(x, y)");
    let instance = model.instance(&[]).expect("an instance");
    let mut found = Vec::new();
    let summary = instance.solve(&SolveOptions::default().solutions(Count::First(3)), &mut |solution| {
        found.push(model.goal_values(solution).iter().map(|goal| goal.value).collect::<Vec<_>>());
        ControlFlow::Continue(())
    });
    assert_eq!(summary.expect("an answer").status, SolveStatus::Satisfied);
    assert_eq!(found, [[0, 9], [1, 8], [2, 7]]);
}

#[test]
fn goals_that_compete_are_numbers_or_conditions() {
    let wrong = |text: &str| Model::read(&Text::new("m.essence", text)).expect_err("a mistake").to_string();
    assert!(wrong("find x : set of int(1..3) minimising pareto(x, |x|)").contains("each goal in `pareto(…)`"));
    assert!(wrong("find x : int(1..3) such that pareto(x)").contains("`pareto` is not declared"));
    // `pareto` is not a reserved word.
    assert!(
        !model("given pareto : function int(1..3) --> int find x : int(1..3) minimising pareto(x)").has_trade_offs()
    );
}

/// The text with the names of a second solution.
fn renamed(text: &str) -> String {
    ["aa", "bb", "cc", "ss"].iter().fold(text.to_owned(), |text, name| text.replace(name, &format!("{name}2")))
}

/// A random model, the same model with a random dominance relation, and the condition that one solution dominates
/// another.
fn dominated(seed: u64) -> (String, String, String) {
    let mut random = fastrand::Rng::with_seed(seed + 5_000);
    let mut number = |low: i64, high: i64| random.i64(low..=high);
    let mut text = format!("find aa, bb : int(0..{})\nfind ss : set of int(1..{})\n", number(1, 3), number(1, 3));
    text += "letting cc be aa + |ss|\n";
    for _ in 0..number(0, 3) {
        text += &match number(0, 3) {
            0 => format!("such that aa + bb <= {}\n", number(2, 5)),
            1 => format!("such that aa + |ss| >= {}\n", number(0, 4)),
            2 => format!("such that aa in ss -> bb > {}\n", number(0, 2)),
            _ => format!("such that bb != {}\n", number(0, 3)),
        };
    }
    // `@` marks a `fromSolution`.
    let mut relation = String::new();
    for place in 0..number(1, 4) {
        let expression = ["aa", "bb", "cc", "aa + bb", "|ss|", "aa - |ss|", "ss", "cc * bb"][number(0, 7) as usize];
        let operators = if expression == "ss" {
            ["subset", "subsetEq", "subsetEq", "=", "!="]
        } else {
            ["=", "!=", "<", ">=", "<="]
        };
        let operator = operators[number(0, 4) as usize];
        let atom = match number(0, 6) {
            0 => format!("@({expression}) {operator} {expression}"),
            1 => "aa in @(ss)".to_owned(),
            2 => "exists x : int(0..2) . x in ss /\\ x > @(bb)".to_owned(),
            3 => "and([@(aa) >= x | x <- ss, x in @(ss)])".to_owned(),
            _ => format!("{expression} {operator} @({expression})"),
        };
        let sign = ["/\\", "/\\", "\\/", "->"][number(0, 3) as usize];
        relation = if place == 0 { format!("({atom})") } else { format!("({relation} {sign} ({atom}))") };
    }
    // A tautology, so that each relation mentions the other solution.
    relation += " /\\ @(bb) = @(bb)";
    let is_kept = seed.is_multiple_of(2);
    let keyword = if is_kept { "dominance_relation" } else { "dominance relation" };
    let mut whole = format!("{text}{keyword} {}\n", relation.replace('@', "fromSolution"));
    if number(0, 1) == 0 {
        // The order may contradict the relation, which must not change the answer.
        let order = ["ascending aa", "descending cc", "ascending |ss|", "descending aa * bb"][number(0, 3) as usize];
        whole += &format!("incomparability_function {order}\n");
    }
    // The condition replaces one of the two solutions by the renamed one; which of them depends on the keyword.
    let mut condition = String::new();
    for (place, part) in relation.split("@(").enumerate() {
        let (inside, outside) = if place == 0 { ("", part) } else { part.split_at(part.find(')').expect("an end")) };
        let between = if place == 0 { "" } else { "(" };
        condition += &match is_kept {
            true => format!("{between}{inside}{}", renamed(outside)),
            false => format!("{between}{}{outside}", renamed(inside)),
        };
    }
    let condition = if is_kept { format!("!({condition})") } else { condition };
    (text, whole, condition)
}

/// The values of these variables in all solutions.
fn all_values(text: &str, names: [&str; 3]) -> BTreeSet<String> {
    let options = SolveOptions::default().solutions(Count::All).solver(SolverName::Cadical);
    let mut found = BTreeSet::new();
    let instance = model(text).instance(&[]).unwrap_or_else(|report| panic!("{text}: {report}"));
    let summary = instance.solve(&options, &mut |solution| {
        found.insert(values_of(solution, names));
        ControlFlow::Continue(())
    });
    summary.unwrap_or_else(|report| panic!("{text}: {report}"));
    found
}

fn values_of(solution: &Solution, names: [&str; 3]) -> String {
    names.map(|name| format!("{:?}", solution.value(name))).join(" ")
}

#[test]
fn all_solutions_that_no_other_one_dominates_are_found() {
    let mut sizes = Vec::new();
    for seed in 0..500 {
        let (text, whole, condition) = dominated(seed);
        // A model of two solutions at once finds the dominated ones.
        let both = format!("{text}{}such that {condition}, (aa, bb, ss) != (aa2, bb2, ss2)", renamed(&text));
        let beaten = all_values(&both, ["aa2", "bb2", "ss2"]);
        let expected: BTreeSet<String> = all_values(&text, ["aa", "bb", "ss"]).difference(&beaten).cloned().collect();
        let solver = match seed % 10 {
            0 => SolverName::Auto,
            1 | 2 => SolverName::Z3,
            3 | 4 => SolverName::Brute,
            5 => SolverName::CpSat,
            _ => SolverName::Cadical,
        };
        let solver = if solver.is_installed() { solver } else { SolverName::Cadical };
        let instance = model(&whole).instance(&[]).unwrap_or_else(|report| panic!("{whole}: {report}"));
        let mut found = Vec::new();
        let options = SolveOptions::default().solver(solver).solutions(Count::All);
        let summary = instance.solve(&options, &mut |solution| {
            found.push(values_of(solution, ["aa", "bb", "ss"]));
            ControlFlow::Continue(())
        });
        let status = summary.unwrap_or_else(|report| panic!("{whole}: {report}")).status;
        assert_eq!(status, if found.is_empty() { SolveStatus::Unsatisfiable } else { SolveStatus::AllSolutions });
        let all: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(all.len(), found.len(), "a solution comes twice: {whole}");
        assert_eq!(all, expected, "{solver:?}:\n{whole}");
        sizes.push(expected.len());
    }
    assert!(sizes.contains(&0) && sizes.iter().filter(|size| **size > 5).count() > 50, "{sizes:?}");
}

/// The sums of the penalties of broken wishes at each level, compared with the sums in all solutions.
#[test]
fn the_fewest_wishes_are_broken() {
    let mut costs = BTreeSet::new();
    for seed in 0..500 {
        let (text, _) = competing(seed);
        let mut random = fastrand::Rng::with_seed(seed + 1_000);
        let levels = if seed % 2 == 0 { 1 } else { 3 };
        let wishes: Vec<(u32, u32, String)> = (0..random.usize(1..=4) * (1 + levels as usize / 2))
            .map(|_| {
                let constraint = match random.u32(0..5) {
                    0 => format!("a + b <= {}", random.u32(0..6)),
                    1 => format!("|s| > {}", random.u32(0..4)),
                    2 => "a in s".to_owned(),
                    3 => format!("b = {}", random.u32(0..6)),
                    _ => "a > b".to_owned(),
                };
                (random.u32(1..=4), random.u32(1..=levels), constraint)
            })
            .collect();
        // Enumerate all solutions, with their penalties as the values of another variable.
        let used: BTreeSet<u32> = wishes.iter().map(|(_, level, _)| *level).collect();
        let sum = |level: &u32| {
            let own = wishes.iter().filter(|wish| wish.1 == *level);
            let terms = own.map(|(price, _, wish)| format!("{price} * toInt(!({wish}))")).collect::<Vec<_>>();
            format!("sum([{}])", terms.join(", "))
        };
        let sums = used.iter().map(sum).collect::<Vec<_>>().join(", ");
        let (count, all) = (used.len(), SolveOptions::default().solutions(Count::All).solver(SolverName::Cadical));
        let priced =
            format!("{text}find cost : matrix indexed by [int(1..{count})] of int(0..99) such that cost = [{sums}]");
        let mut least: Option<Vec<i64>> = None;
        let found = model(&priced).instance(&[]).expect("an instance").solve(&all, &mut |solution| {
            let Some(Value::Matrix(cost)) = solution.value("cost") else { panic!("no cost") };
            let cost: Vec<i64> = cost.iter().filter_map(|(_, price)| price.as_int()).collect();
            least = Some(least.take().map_or(cost.clone(), |least| least.min(cost)));
            ControlFlow::Continue(())
        });
        found.unwrap_or_else(|report| panic!("{report}"));
        let lines = wishes.iter().map(|(price, level, wish)| match level {
            1 => format!("such that\n  $ wish {price}: {wish}\n  {wish}\n"),
            level => format!("such that\n  $ wish {price}, level {level}: {wish}\n  {wish}\n"),
        });
        let wishful = model(&(text.clone() + &lines.collect::<String>()));
        let soft = wishful.with_wishes_as_goal().unwrap_or_else(|report| panic!("{report}")).expect("wishes");
        let mut last = None;
        let options = SolveOptions::default().solver(SolverName::Cadical);
        let found = soft.instance(&[]).expect("an instance").solve(&options, &mut |solution| {
            last = Some(solution.clone());
            ControlFlow::Continue(())
        });
        found.unwrap_or_else(|report| panic!("{report}"));
        let value = last.as_ref().and_then(|last| last.objective()).map(|value| match value {
            Value::Tuple(levels) => levels.iter().filter_map(Value::as_int).collect(),
            only => Vec::from_iter(only.as_int()),
        });
        assert_eq!(value, least, "{}", wishful.text().text);
        // Evaluating wishes is slow, so only some models do it.
        if let (Some(last), true) = (&last, seed < 50) {
            let broken = wishful.broken_wishes(&[], last).unwrap_or_else(|report| panic!("{report}"));
            let own = |level: &u32| {
                let of_level = broken.iter().filter(|wish| wish.level == *level);
                of_level.map(|wish| i64::from(wish.price)).sum::<i64>()
            };
            assert_eq!(Some(used.iter().map(own).collect()), least);
        }
        costs.insert(value);
    }
    assert!(costs.contains(&None) && costs.len() > 12, "{costs:?}");
    assert!(costs.iter().flatten().any(|levels| levels.len() == 3 && levels[1..].iter().all(|cost| *cost > 0)));
}

#[test]
fn a_wish_that_cannot_be_read_is_a_mistake() {
    for wish in ["3 Mia off", "3, lvl 2: x", "3, level 0", "3, level x: y", "99999999999: x", "3 level 2"] {
        let text = format!("find x : int(1..3)\nsuch that\n  $ wish {wish}\n  x > 1");
        let wrong = Model::read(&Text::new("m.essence", text));
        assert!(wrong.is_err_and(|report| report.to_string().contains("cannot be read")), "{wish}");
    }
    // Other comments may start with the same word.
    assert_eq!(model("find x : int(1..3)\n$ wish list for later\nsuch that x > 1").wishes(), []);
}

/// A wish belongs to the constraint below it or before it; otherwise it is an error.
#[test]
fn a_wish_is_about_one_constraint() {
    let declared = "find x, y : int(0..9)\n";
    for (text, about) in [
        ("such that x > 1 $ wish 1", "x > 1"),
        ("such that x > 1, $ wish 1\n  y > 1", "x > 1"),
        ("such that x > 1,\n  $ wish 1\n  y > 1", "y > 1"),
        ("such that x > 1\n$ wish 1\nsuch that y > 1", "y > 1"),
        ("such that x > 1\n$ wish 1\n\n$ a remark\nsuch that\n  y > 1", "y > 1"),
        ("such that x > 1,\n  y\n    > 1 $ wish 1", "y\n    > 1"),
        ("such that\n  $ wish 1\n  y >\n  1, x > 1", "y >\n  1"),
    ] {
        let wishes = model(&format!("{declared}{text}")).wishes();
        let about_constraints: Vec<&str> = wishes.iter().map(|wish| &*wish.constraint).collect();
        assert_eq!(about_constraints, [about], "{text}");
    }
    for (text, message) in [
        ("such that x + y >= 10\nsuch that $ wish 3: a\n  x = 0", "no constraint belongs to this wish"),
        ("such that x > 1\n$ wish 1", "no constraint belongs to this wish"),
        ("such that x > 1\n, $ wish 1\n  y > 1", "no constraint belongs to this wish"),
        ("$ wish 1\nfind z : bool\nsuch that z", "this wish is not about a constraint"),
        ("find z : bool $ wish 1\nsuch that z", "this wish is not about a constraint"),
        ("such that x > 1\n$ wish 1\nminimising x", "this wish is not about a constraint"),
        ("such that forAll i : int(1..3) .\n  $ wish 1\n  x > i,\n  y > 1", "this wish stands inside a constraint"),
        ("such that (x > 1 \\/ $ wish 1\n  y > 1)", "this wish stands inside a constraint"),
        ("such that x > 1, y > 1 $ wish 1", "this wish can be about several constraints"),
        ("such that\n  $ wish 1\n  x > 1, y > 1", "this wish can be about several constraints"),
        ("$ wish 1\nsuch that\n  x > 1,\n  y > 1", "this wish can be about several constraints"),
        ("such that\n  $ wish 1\n  x > 1 $ wish 2", "two wishes are about one constraint"),
    ] {
        let wrong = Model::read(&Text::new("m.essence", format!("{declared}{text}")));
        assert!(wrong.is_err_and(|report| report.to_string().contains(message)), "{text}");
    }
}

/// A wish that cannot be evaluated is an error, and does not count as broken.
#[test]
fn wishes_are_evaluated_with_the_units_of_the_data() {
    let model = model(
        "given price : int(0..99999) $ unit price: 0.01\nfind x : int(0..99999)\n\
         find f : function int(1..2) --> bool\n\
         such that\n  $ wish 1: enough\n  x >= price,\n  $ wish 1: undefined\n  f(1)",
    );
    let data = [Text::new("d.json", r#"{"price": 12.5}"#)];
    let solution = model.solution(&data, &Text::new("s", "letting x be 1250 letting f be function(1 --> true)"));
    let solution = solution.unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(model.broken_wishes(&data, &solution).unwrap_or_else(|report| panic!("{report}")), []);
    let relaxed = model.relaxing(&[6, 8]).unwrap_or_else(|report| panic!("{report}"));
    let solution = relaxed.solution(&data, &Text::new("s", "letting x be 1249 letting f be function(2 --> true)"));
    let solution = solution.unwrap_or_else(|report| panic!("{report}"));
    let broken = model.broken_wishes(&data, &solution).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(broken.iter().map(|wish| &*wish.name).collect::<Vec<_>>(), ["enough", "undefined"]);
    // The data lack the price.
    assert!(model.broken_wishes(&[], &solution).is_err());
}

/// A loss in earlier goals, within the tolerance, must be a gain in later ones: among the solutions within the bounds,
/// the answer is lexicographically optimal.
#[test]
fn a_tolerance_gives_nothing_for_nothing() {
    const NAMES: [&str; 3] = ["a", "b", "y"];
    let folder = std::env::temp_dir().join(format!("conjure-like-within-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("m.essence");
    let mut gained = 0;
    // Each trial starts the program, so there are few.
    for seed in 0..40 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut text = "find a, b, y : int(0..7)\n".to_owned();
        let mut rules: Vec<([i64; 3], i64)> = Vec::new();
        for _ in 0..random.usize(1..=3) {
            let rule = ([random.i64(-1..=2), random.i64(-1..=2), random.i64(-1..=2)], random.i64(0..=9));
            let ([p, q, r], bound) = rule;
            text += &format!("such that {p} * a + {q} * b + {r} * y >= {bound}\n");
            rules.push(rule);
        }
        let mut goals: Vec<(usize, bool)> = (0..3).map(|goal| (goal, random.bool())).collect();
        random.shuffle(&mut goals);
        let first = goals[0].1;
        let item = |(goal, maximises): &(usize, bool)| match *maximises == first {
            true => NAMES[*goal].to_owned(),
            false => format!("-{}", NAMES[*goal]),
        };
        let word = if first { "maximising" } else { "minimising" };
        text += &format!("{word} ({})\n", goals.iter().map(item).collect::<Vec<_>>().join(", "));
        let (tolerance, by_percent) = (random.i64(0..=60), random.bool());
        // By brute force: optimise the goals one after the other with their tolerances, and then lexicographically.
        let values = (0..512_i64).map(|at| [at / 64, at / 8 % 8, at % 8]);
        let holds = |values: &[i64; 3]| {
            rules
                .iter()
                .all(|(rule, bound)| rule.iter().zip(values).map(|(one, value)| one * value).sum::<i64>() >= *bound)
        };
        let signed = |values: &[i64; 3], (goal, maximises): (usize, bool)| {
            if maximises { -values[goal] } else { values[goal] }
        };
        let mut left: Vec<[i64; 3]> = values.filter(holds).collect();
        for (goal, later) in goals.iter().zip((0..3).rev()) {
            let Some(best) = left.iter().map(|values| signed(values, *goal)).min() else { break };
            let given = if by_percent { best.abs() * tolerance / 100 } else { tolerance / 10 };
            // The last goal has no later goal that could profit, so it has no tolerance.
            let given = if later == 0 { 0 } else { given };
            left.retain(|values| signed(values, *goal) <= best + given);
        }
        let in_order = |values: &[i64; 3]| goals.iter().map(|goal| signed(values, *goal)).collect::<Vec<_>>();
        let expected = left.iter().min_by_key(|values| in_order(values));
        std::fs::write(&path, &text).expect("a file");
        let within = if by_percent { format!("{tolerance}%") } else { (tolerance / 10).to_string() };
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_conjure-like"))
            .args(["solve", "--solver=cadical", "--output-format=jsonstream", "--within", &within])
            .arg(&path)
            .output()
            .expect("the program");
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        let value = |values: &[i64; 3]| format!("\"a\": {}, \"b\": {}, \"y\": {}", values[0], values[1], values[2]);
        match expected {
            Some(expected) => assert!(found.contains(&value(expected)), "{text}{within}: {found}{expected:?}"),
            None => assert_eq!(found, "", "{text}"),
        }
        gained += usize::from(left.len() > 1);
    }
    std::fs::remove_dir_all(&folder).expect("a folder");
    assert!(gained > 10, "{gained}");
}

/// Less important wishes are not reasons for breaking a wish.
#[test]
fn a_wish_is_broken_for_wishes_of_its_level_and_earlier_ones() {
    let text = "find x : int(1..9)\nsuch that\n  $ wish 1: small\n  x < 3,\n  $ wish 2: large\n  x > 5,\n\
                $ wish 9, level 2: huge\n  x > 7";
    let model = model(text);
    let answer = model.why_wish(&[], "small", &ExplainOptions::default()).expect("an answer");
    let reasons: Vec<&str> = answer.reasons.iter().map(|reason| &*reason.says).collect();
    assert_eq!((answer.verdict, reasons), ("broken", vec!["x > 5"]));
}

/// A model with its data, requirements that sessions may add, and data that sessions may set.
type SessionModel = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// Each statement of the data is on one line.
const SESSION_MODELS: [SessionModel; 6] = [
    (
        "given n : int(1..9)\nfind x, y : int(0..n)\nfind s : set of int(1..5)\n\
         such that x + y <= n, |s| <= x\nmaximising 3 * x + 2 * y + sum(s)",
        "letting n be 6",
        &["x != y", "x < 3", "y >= 2", "|s| = 2", "!(5 in s)", "x + 2 * y <= 7", "x = 9", "sum(s) % 2 = 1"],
        &["letting n be 3", "letting n be 9", "letting n be 1"],
    ),
    (
        "given k : int\nfind m : matrix indexed by [int(1..4)] of int(1..6)\nsuch that allDiff(m), sum(m) >= k",
        "letting k be 12",
        &["m[1] < m[2]", "m[3] = 2", "m[4] > 4", "m[1] + m[2] = 9", "exists i : int(1..3) . m[i] > m[i + 1]"],
        &["letting k be 18", "letting k be 19", "letting k be 10"],
    ),
    (
        "given staff new type enum\ngiven cost : function staff --> int(0..9)\n\
         find does : function (total) int(1..4) --> staff\n\
         find most : int(0..4)\nsuch that forAll p : staff . |preImage(does, p)| <= most,\n\
         forAll (_, p) in does . p in defined(cost)\n\
         minimising (most, sum d : int(1..4) . cost(does(d)))",
        "letting staff be new type enum {Mia, Ben, Kim}\nletting cost be function(Mia --> 3, Ben --> 1, Kim --> 5)",
        &["does(1) = Mia", "does(2) != Ben", "|preImage(does, Kim)| >= 2", "does(3) = does(4)", "does(1) != does(2)"],
        &[
            "letting cost be function(Mia --> 1, Ben --> 9, Kim --> 2)",
            "letting staff be new type enum {Mia, Ben, Kim, Eva}\nletting cost be function(Mia --> 1, Ben --> 9, Eva --> 0)",
        ],
    ),
    (
        "given n : int(2..6)\nfind p : partition (numParts 2) from int(1..5)\n\
         find r : relation (size n) of (int(1..3) * int(1..3))\n\
         minimising |party(1, p)| + sum([x * y | (x, y) <- r])",
        "letting n be 3",
        &[
            "together({1, 2}, p)",
            "r(1, 1)",
            "!r(1, 2)",
            "apart({1, 3}, p)",
            "exists (x, y) in r . x > y",
            "|r(_, 2)| = 2",
        ],
        &["letting n be 2", "letting n be 5"],
    ),
    (
        "given w : int(1..60)\ngiven v : int(0..4)\nfind q : sequence (maxSize 4, injective) of int(1..8)\n\
         find b : bool\nsuch that sum([i | (_, i) <- q]) <= w, b <-> |q| > v\nmaximising sum([i | (_, i) <- q])",
        "letting w be 17\nletting v be 2",
        &[
            "b",
            "!b",
            "q(1) > 5",
            "|q| = 3",
            "forAll (i, x) in q . x != 8",
            "exists x : int(1..400) . x = q(1) * 2 /\\ x > 6",
        ],
        &["letting w be 9", "letting w be 2", "letting v be 0"],
    ),
    // The objective `pay` has a large domain, so the last solution is repaired by local search.
    (
        "given need : int(1..3)\nfind work : function (int(1..4), int(1..5)) --> int(1..2)\nfind pay : int(0..200000)\n\
         such that forAll d : int(1..5) . (sum p : int(1..4) . toInt((p, d) in defined(work))) >= need,\n\
         forAll p : int(1..4) . (sum d : int(1..5) . toInt((p, d) in defined(work))) <= 3,\n\
         pay = sum([1001 * max({p, 2}) + s | ((p, d), s) <- work])\nminimising pay",
        "letting need be 1",
        &[
            "!((1, 1) in defined(work))",
            "!((2, 1) in defined(work))",
            "work((2, 3)) = 2",
            "forAll p : int(1..4) . !((p, 2) in defined(work) /\\ (p, 3) in defined(work))",
            "(1, 4) in defined(work) \\/ (4, 4) in defined(work)",
            "|preImage(work, 2)| >= 2",
        ],
        &["letting need be 2", "letting need be 3"],
    ),
];

/// The data with the statements about the same names replaced.
fn replaced(data: &str, set: &str) -> String {
    let name = |line: &str| line.split(' ').nth(1).map(str::to_owned);
    let gone: Vec<Option<String>> = set.lines().map(name).collect();
    let kept = data.lines().filter(|line| !gone.contains(&name(line)));
    kept.chain(set.lines()).collect::<Vec<_>>().join("\n")
}

/// Random sequences of changes give the same answers as fresh searches. `SESSIONS=1000` tries more.
#[test]
fn sessions_answer_as_searches_that_begin_anew() {
    let count = std::env::var("SESSIONS").map_or(15, |count| count.parse().expect("a number"));
    for seed in 0..count {
        let (text, data, requirements, others) = SESSION_MODELS[seed as usize % SESSION_MODELS.len()];
        let mut random = fastrand::Rng::with_seed(seed);
        let model = model(text);
        let mut session =
            SolveSession::new(&model, &[Text::new("data", data)]).unwrap_or_else(|report| panic!("{report}"));
        // The expected states of the session: its data and its requirements.
        let mut held: Vec<(String, Vec<&str>)> = vec![(data.to_owned(), Vec::new())];
        let mut said = String::new();
        for _ in 0..random.usize(3..8) {
            let (mut today, mut required) = held.last().cloned().expect("a state");
            match random.u8(0..10) {
                0..5 => {
                    let new = requirements[random.usize(0..requirements.len())];
                    said += &format!("\nrequire {new}");
                    session.require(&[new]).unwrap_or_else(|report| panic!("{said}: {report}"));
                    required.push(new);
                    held.push((today, required));
                }
                5..7 => {
                    let set = others[random.usize(0..others.len())];
                    said += &format!("\nset {set}");
                    session.set(&[Text::new("data", set)]).unwrap_or_else(|report| panic!("{said}: {report}"));
                    today = replaced(&today, set);
                    held.push((today, required));
                }
                _ => {
                    said += "\nundo";
                    assert_eq!(session.undo(), held.len() > 1, "{said}");
                    if held.len() > 1 {
                        held.pop();
                    }
                }
            }
            let (today, required) = held.last().cloned().expect("a state");
            let mut last = None;
            let summary = session.solve(&EngineOptions::default(), &mut |solution| {
                last = Some(solution.clone());
                ControlFlow::Continue(())
            });
            let summary = summary.unwrap_or_else(|report| panic!("{said}: {report}"));
            let today = [Text::new("data", today)];
            let (known, rest) = model.with_members_of(&today).unwrap_or_else(|report| panic!("{report}"));
            let required: Vec<String> = required.iter().map(|&text| text.to_owned()).collect();
            let whole = known.requiring(&required).unwrap_or_else(|report| panic!("{said}: {report}"));
            let instance = whole.instance(&rest).unwrap_or_else(|report| panic!("{report}"));
            let mut fresh = None;
            let anew = instance.solve(&SolveOptions::default(), &mut |solution| {
                fresh = Some(solution.clone());
                ControlFlow::Continue(())
            });
            assert_eq!(summary.status, anew.unwrap_or_else(|report| panic!("{report}")).status, "{text}\n{said}");
            let value = |solution: &Option<Solution>| solution.as_ref().and_then(Solution::objective);
            assert_eq!(value(&last), value(&fresh), "{text}\n{said}");
            if let Some(last) = last {
                let solution = Text::new("last.solution", last.to_essence(120));
                whole.validate(&rest, &solution).unwrap_or_else(|report| panic!("{said}: {report}"));
            }
        }
    }
}

#[test]
fn a_session_begins_with_the_last_solution() {
    let model = model("find s : set of int(1..20) such that |s| = 3");
    let mut session = SolveSession::new(&model, &[]).expect("a session");
    let solve = |session: &mut SolveSession| {
        let mut last = String::new();
        let summary = session.solve(&EngineOptions::default(), &mut |solution| {
            last = solution.to_json();
            ControlFlow::Continue(())
        });
        (summary.expect("a summary").status, last)
    };
    session.require(&["17 in s"]).expect("a requirement");
    let first = solve(&mut session);
    session.require(&["sum(s) > 0"]).expect("a requirement");
    assert_eq!(solve(&mut session), first);
    session.require(&["!(17 in s)"]).expect("a requirement");
    assert_eq!(solve(&mut session).0, SolveStatus::Unsatisfiable);
    assert!(session.undo());
    assert_eq!(solve(&mut session), first);
}

#[test]
fn a_session_stays_as_it_is_where_a_step_is_refused() {
    let model = model("given n : int(1..9) find x : int(1..n) maximising x");
    let mut session = SolveSession::new(&model, &[Text::new("data", "letting n be 4")]).expect("a session");
    // The first requirement is correct, but must not be added alone.
    for wrong in ["y = 1", "x +", "x", "", "x = 1, x = 1)"] {
        assert!(session.require(&["x > 1", wrong]).is_err(), "{wrong}");
    }
    for wrong in ["letting n be 10", "letting n be {"] {
        assert!(session.set(&[Text::new("data", wrong)]).is_err(), "{wrong}");
    }
    assert_eq!((session.steps(), session.requirements().count()), (0, 0));
    let mut best = None;
    let solved = session.solve(&EngineOptions::default(), &mut |solution| {
        best = solution.objective();
        ControlFlow::Continue(())
    });
    assert_eq!((solved.expect("a summary").status, best), (SolveStatus::Optimal, Some(Value::Int(4))));
}

#[test]
fn a_session_is_cancelled_and_goes_on() {
    let model = model("find m : matrix indexed by [int(1..9)] of int(1..9) such that allDiff(m)");
    let mut session = SolveSession::new(&model, &[]).expect("a session");
    let limits = Limits::default();
    // The search is interrupted before it starts.
    limits.interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
    let options = EngineOptions::default().limits(limits);
    let stopped = session.solve(&options, &mut |_| ControlFlow::Continue(())).expect("a summary");
    assert_eq!(stopped.status, SolveStatus::Interrupted);
    let solved = session.solve(&EngineOptions::default(), &mut |_| ControlFlow::Continue(())).expect("a summary");
    assert_eq!(solved.status, SolveStatus::Satisfied);
}

/// A plan may number the members of an unnamed type, even if the data name them.
#[test]
fn a_plan_may_number_the_members_of_unnamed_types() {
    let data = Text::new("d.json", r#"{"U": ["anna", "bob", "cid"]}"#);
    let numbered = [
        r#"{"f": {"U_1": 1, "U_2": 2, "U_3": 3}, "s": ["U_2"]}"#,
        r#"{"U": ["U_1", "U_2", "U_3"], "f": {"U_1": 1, "U_2": 2, "U_3": 3}, "s": ["U_2"]}"#,
        r#"{"f": {"1": 1, "2": 2, "3": 3}, "s": [2]}"#,
        "letting f be function(U_1 --> 1, U_2 --> 2, U_3 --> 3) letting s be {U_2}",
        "letting U be new type enum {U_1, U_2, U_3}\n\
         letting f be function(U_1 --> 1, U_2 --> 2, U_3 --> 3) letting s be {U_2}",
    ];
    for plan in numbered {
        for data in [&[][..], std::slice::from_ref(&data)] {
            if let Err(report) = means_the_members_of_today(&Text::new("plan", plan), data) {
                panic!("{plan}\n{data:?}\n{report}");
            }
        }
    }
}

/// Checks that each reader of plans recognises this plan as a solution.
fn means_the_members_of_today(plan: &Text, data: &[Text]) -> Result<(), Report> {
    let model = model(
        "letting U be new type of size 3\nfind f : function (total) U --> int(1..3)\nfind s : set of U\n\
         such that forAll u in s . f(u) = 2, |s| = 1",
    );
    let options = ExplainOptions::default();
    model.validate(data, plan)?;
    assert_eq!(model.why_not(data, plan, &options)?.verdict, "right");
    assert_eq!(model.hint(data, Some(plan), false, &options)?.verdict, "solved");
    // The search must report the plan first.
    let mut first = None;
    model.instance(data)?.solve(&SolveOptions::default().start(Some(plan.clone())), &mut |solution| {
        first = Some(solution.to_json());
        ControlFlow::Break(())
    })?;
    let second = if data.is_empty() { r#""s": ["U_2"]"# } else { r#""s": ["bob"]"# };
    assert!(first.as_ref().is_some_and(|first| first.contains(second)), "{first:?}");
    // Requirements may mention the members, so the model must declare them.
    let (named, rest) = model.with_members(data, &[])?;
    named.validate(&rest, plan)?;
    assert_eq!(nearest(&named, &rest, plan).0.objective(), Some(Value::Int(0)));
    let changed = named.why_changed(&rest, plan, &Text::new("part", "s"), &options)?;
    assert!(changed.says.contains("does not change"), "{}", changed.says);
    let other = named.farthest_from(std::slice::from_ref(plan))?.instance(&rest)?;
    let mut distance = None;
    other.solve(&SolveOptions::default(), &mut |solution| {
        distance = solution.objective();
        ControlFlow::Continue(())
    })?;
    // All three images change, and a member of the set is replaced by another one, which counts twice.
    assert_eq!(distance, Some(Value::Int(5)));
    Ok(())
}

/// Members may always be numbered; their names may be used if the data list them.
#[test]
fn a_solution_may_number_the_members_of_unnamed_types_or_use_the_names_of_the_data() {
    let text = "letting bird be new type of size 2\ngiven weight : matrix indexed by [bird] of int(0..9)\n\
                find first : bird\nsuch that weight[first] = 7\n";
    let model = model(text);
    let data = [Text::new("d.json", r#"{"bird": ["robin", "wren"], "weight": {"robin": 4, "wren": 7}}"#)];
    let validated = |written: &str| {
        let plan = Text::new("plan.solution", format!("letting first be {written}"));
        model.solution(&data, &plan).map(|solution| solution.to_essence(120)).map_err(|report| format!("{report}"))
    };
    for written in ["wren", "bird_2"] {
        let solution = validated(written).expect("a solution");
        assert!(solution.contains("enum {robin, wren}") && solution.contains("first be wren"), "{solution}");
    }
    let misspelt = validated("wrenn").expect_err("a misspelt name");
    assert!(misspelt.contains("did you mean `wren`?"), "{misspelt}");
    let unknown = validated("ostrich").expect_err("an unknown name");
    assert!(unknown.contains("E0201") && unknown.contains("`bird_1`"), "{unknown}");
}
