//! Plans of every type: each text that the program writes can be read again by every reader of plans, and distances are
//! those found by comparing all values.
//!
//! Each number selects a type whose constructors are nested two deep, and a plan of this type. To run more of them,
//! with another seed:
//!
//! ```text
//! PLANS=3000 PLANS_SEED=2 cargo test --test plans types:: -- --nocapture
//! ```
//!
//! `PLANS_ONLY=17` tries one number and prints its model.

#[allow(dead_code)]
#[path = "../generated/random.rs"]
mod random;

use conjure_like::{
    Count, EngineOptions, ExplainOptions, JsonShape, Model, Solution, SolveOptions, SolveSession, SolveStatus,
    SolverName, TableCell, TableLayout, Text, Value, Values,
};
use random::Random;
use std::{collections::BTreeMap, env, ops::ControlFlow};

/// The number of trials in the test suite.
const PLANS: u64 = 48;

/// Hard limit on the values of a type, since all pairs of them are compared.
const MOST_VALUES: u128 = 300;

/// The types that domains mention. The data list the members of `given_type`.
const TYPES: &str = "letting listed be new type enum {low, mid, \"very high\"}\n\
                     given given_type new type enum\n\
                     letting unnamed be new type of size 2\n";

const MEMBERS: &str = "letting given_type be new type enum {anna, \"Zoë Ø\"}\n";

/// The constructors, taken in turn by the numbers.
const CONSTRUCTORS: [&str; 13] = [
    "scalar",
    "tuple",
    "record",
    "variant",
    "matrix",
    "set",
    "mset",
    "function",
    "total",
    "sequence",
    "relation",
    "partition",
    "permutation",
];

fn scalar(random: &mut Random) -> &'static str {
    const SCALARS: [&str; 7] =
        ["int(1..2)", "int(-1, 1)", "listed", "given_type", "unnamed", "bool", "listed(low..mid)"];
    SCALARS[random.below(SCALARS.len())]
}

/// A domain with this outermost constructor, nested `depth` deep.
fn domain(random: &mut Random, constructor: &str, depth: u32) -> String {
    let inner = |random: &mut Random| match depth {
        0 | 1 => scalar(random).to_owned(),
        _ => {
            let constructor = *random.pick(&CONSTRUCTORS);
            domain(random, constructor, depth - 1)
        }
    };
    match constructor {
        "tuple" => format!("({}, {})", scalar(random), inner(random)),
        "record" => format!("record {{first : {}, other : {}}}", inner(random), scalar(random)),
        "variant" => format!("variant {{one : {}, two : {}}}", inner(random), scalar(random)),
        "matrix" => format!("matrix indexed by [{}] of {}", scalar(random), inner(random)),
        "set" => format!("set (maxSize 2) of {}", inner(random)),
        "mset" => format!("mset (maxSize 2) of {}", inner(random)),
        "function" => match random.percent(50) {
            true => format!("function {} --> {}", scalar(random), inner(random)),
            false => format!("function (maxSize 2) {} --> {}", inner(random), scalar(random)),
        },
        "total" => format!("function (total) {} --> {}", scalar(random), inner(random)),
        "sequence" => format!("sequence (maxSize 2) of {}", inner(random)),
        "relation" => format!("relation (maxSize 2) of ({} * {})", scalar(random), inner(random)),
        "partition" => format!("partition from {}", inner(random)),
        "permutation" => format!("permutation of {}", inner(random)),
        _ => scalar(random).to_owned(),
    }
}

/// The number of differences between two values, by the table in the manual.
fn distance(old: &Value, new: &Value) -> i64 {
    let count = |all: &[Value], one: &Value| all.iter().filter(|other| *other == one).count() as i64;
    let members = |old: &[Value], new: &[Value]| -> i64 {
        let mut all: Vec<&Value> = old.iter().chain(new).collect();
        all.sort();
        all.dedup();
        all.into_iter().map(|member| (count(old, member) - count(new, member)).abs()).sum()
    };
    let images = |old: &[(Value, Value)], new: &[(Value, Value)]| -> i64 {
        let (old, new): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (old.iter().cloned().collect(), new.iter().cloned().collect());
        let gone = old.keys().filter(|key| !new.contains_key(key)).count();
        (gone + new.iter().filter(|(key, image)| old.get(key) != Some(image)).count()) as i64
    };
    let places =
        |items: &[Value]| -> Vec<(Value, Value)> { (1..).map(Value::Int).zip(items.iter().cloned()).collect() };
    match (old, new) {
        (Value::Tuple(old), Value::Tuple(new)) => old.iter().zip(new).map(|(old, new)| distance(old, new)).sum(),
        (Value::Record(old), Value::Record(new)) => {
            old.iter().zip(new).map(|(old, new)| distance(&old.1, &new.1)).sum()
        }
        (Value::Matrix(old), Value::Matrix(new)) => {
            old.iter().zip(new).map(|(old, new)| distance(&old.1, &new.1)).sum()
        }
        (Value::Set(old), Value::Set(new)) | (Value::MSet(old), Value::MSet(new)) => members(old, new),
        (Value::Relation(old), Value::Relation(new)) => {
            let rows = |rows: &[Vec<Value>]| rows.iter().cloned().map(Value::Tuple).collect::<Vec<_>>();
            members(&rows(old), &rows(new))
        }
        (Value::Function(old), Value::Function(new)) => images(old, new),
        (Value::Sequence(old), Value::Sequence(new)) => images(&places(old), &places(new)),
        // Partitions differ in the pairs of elements that are in one part.
        (Value::Partition(old), Value::Partition(new)) => {
            let pairs = |parts: &[Vec<Value>]| -> Vec<Value> {
                let pairs = parts.iter().flat_map(|part| {
                    let later =
                        |at: usize| part[at + 1..].iter().map(move |other| vec![part[at].clone(), other.clone()]);
                    (0..part.len()).flat_map(later).collect::<Vec<_>>()
                });
                pairs
                    .map(|mut pair| {
                        pair.sort();
                        Value::Tuple(pair)
                    })
                    .collect()
            };
            members(&pairs(old), &pairs(new))
        }
        (old, new) => i64::from(old != new),
    }
}

/// The value with each unordered collection in a canonical order.
fn sorted(value: Value) -> Value {
    let each = |values: Vec<Value>| values.into_iter().map(sorted).collect::<Vec<_>>();
    let ordered = |values: Vec<Value>| {
        let mut values = each(values);
        values.sort();
        values
    };
    let pairs = |pairs: Vec<(Value, Value)>| -> Vec<(Value, Value)> {
        pairs.into_iter().map(|(one, other)| (sorted(one), sorted(other))).collect()
    };
    match value {
        Value::Tuple(items) => Value::Tuple(each(items)),
        Value::Sequence(items) => Value::Sequence(each(items)),
        Value::Record(fields) => Value::Record(fields.into_iter().map(|(name, field)| (name, sorted(field))).collect()),
        Value::Variant(name, inner) => Value::Variant(name, Box::new(sorted(*inner))),
        Value::Matrix(entries) => Value::Matrix(pairs(entries)),
        Value::Set(items) => Value::Set(ordered(items)),
        Value::MSet(items) => Value::MSet(ordered(items)),
        Value::Function(items) => {
            let mut items = pairs(items);
            items.sort();
            Value::Function(items)
        }
        Value::Relation(rows) => {
            let mut rows: Vec<Vec<Value>> = rows.into_iter().map(each).collect();
            rows.sort();
            Value::Relation(rows)
        }
        Value::Partition(parts) => {
            let mut parts: Vec<Vec<Value>> = parts.into_iter().map(ordered).collect();
            parts.sort();
            Value::Partition(parts)
        }
        Value::Permutation(cycles) => {
            // A cycle has no first element.
            let rotated = |cycle: Vec<Value>| {
                let mut cycle = each(cycle);
                let first = (0..cycle.len()).min_by_key(|at| &cycle[*at]).unwrap_or(0);
                cycle.rotate_left(first);
                cycle
            };
            let mut cycles: Vec<Vec<Value>> = cycles.into_iter().map(rotated).collect();
            cycles.sort();
            Value::Permutation(cycles)
        }
        other => other,
    }
}

/// A reader of plans under test; the error describes what is wrong.
type PlanCheck = fn(&Trial, &Text) -> Result<(), String>;

/// The inputs for one number.
struct Trial {
    /// The domain of the plan.
    domain: String,
    solutions: Vec<Solution>,
    /// The values of the solutions.
    values: Vec<Value>,
    plan: usize,
    /// The indices of the allowed values.
    allowed: Vec<usize>,
}

fn model(text: &str) -> Result<Model, String> {
    Model::read(&Text::new("m.essence", format!("{TYPES}{text}"))).map_err(|report| format!("{report}"))
}

fn members() -> Text {
    Text::new("members.param", MEMBERS)
}

/// The text of the value of `x` in a solution.
fn written(solution: &Solution) -> String {
    let text = solution.to_essence(usize::MAX);
    let from = text.find("letting x be ").expect("a value") + "letting x be ".len();
    text[from..].split("\n$ Visualisation").next().unwrap_or_default().trim().to_owned()
}

fn csv(rows: &[Vec<TableCell>]) -> String {
    let cell = |cell: &TableCell| match cell {
        TableCell::Text(text) if text.contains([',', '"', '\n', ';']) => format!("\"{}\"", text.replace('"', "\"\"")),
        TableCell::Text(text) | TableCell::Number(text) => text.clone(),
        _ => String::new(),
    };
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n").collect()
}

/// A workbook with the table as its only sheet.
fn workbook(table: &Text) -> Text {
    Text::workbook("plan.xlsx", vec![table.clone().named("plan.xlsx#x")])
}

impl Trial {
    /// A plan of a random type, and the values that a solution may have.
    fn new(number: u64, seed: u64) -> Trial {
        let mut random = Random::new(seed, number);
        // Each constructor is outermost in the same number of trials.
        let constructor = CONSTRUCTORS[number as usize % CONSTRUCTORS.len()];
        loop {
            let depth = if random.percent(75) { 2 } else { 3 };
            let domain = domain(&mut random, constructor, depth);
            if let Some(trial) = Trial::of(domain, &mut random) {
                return trial;
            }
        }
    }

    /// A plan of this type; `None` if the type has too many values or none.
    fn of(domain: String, random: &mut Random) -> Option<Trial> {
        let instance = model(&format!("find x : {domain}")).ok()?.instance(&[members()]).ok()?;
        if !instance.combinations().is_some_and(|count| (1..=MOST_VALUES).contains(&count)) {
            return None;
        }
        let mut solutions = Vec::new();
        // Independent of representations and their order of enumeration.
        let options = SolveOptions::default().solver(SolverName::Brute).solutions(Count::All);
        let solved = instance.solve(&options, &mut |solution| {
            solutions.push(solution.clone());
            ControlFlow::Continue(())
        });
        solved.unwrap_or_else(|report| panic!("{domain}: {report}"));
        if solutions.is_empty() {
            return None;
        }
        let values = solutions.iter().map(|solution| sorted(solution.value("x").expect("a value"))).collect();
        let plan = random.below(solutions.len());
        let allowed = (0..1 + random.below(5)).map(|_| random.below(solutions.len())).collect();
        Some(Trial { domain, solutions, values, plan, allowed })
    }

    /// The faults of all texts of the plan, each with its text.
    fn all_faults(&self) -> Vec<String> {
        let texts = self.texts();
        let mut faults = Vec::new();
        for (form, text) in &texts {
            let same = self.differences(&texts[0].1, text).map_err(|wrong| format!("diff: {wrong}")).err();
            let wrong = self.faults(text).into_iter().chain(same);
            faults.extend(wrong.map(|fault| format!("{}, {form}:\n{}\n{fault}", self.domain, text.text)));
        }
        faults
    }

    /// The plan in all formats that the program writes.
    fn texts(&self) -> Vec<(&'static str, Text)> {
        let plan = &self.solutions[self.plan];
        let mut texts = vec![
            ("Essence", Text::new("plan.solution", plan.to_essence(120))),
            ("JSON of Conjure", Text::new("plan.json", plan.to_json())),
            ("plain JSON", Text::new("plan.json", plan.shaped(JsonShape::Plain).to_string())),
        ];
        // People do not list the members of unnamed types, which are numbered then.
        let mut short = plan.shaped(JsonShape::Plain);
        let listed = short.as_object_mut().and_then(|object| object.remove("unnamed"));
        if listed.is_some() {
            texts.push(("plain JSON without lists of members", Text::new("plan.json", short.to_string())));
        }
        for (name, layout) in [("a long table", TableLayout::Long), ("a wide table", TableLayout::Wide)] {
            if let Some(rows) = plan.table("x", layout) {
                let table = Text::table("x.csv", csv(&rows), "x", "");
                texts.push((if name == "a long table" { "a workbook" } else { "a wide workbook" }, workbook(&table)));
                texts.push((name, table));
            }
        }
        texts
    }

    /// A model whose solutions are the allowed values, with its data.
    fn allowing(&self, allowed: &[usize]) -> Result<(Model, Vec<Text>), String> {
        let model = model(&format!("given allowed : set of {0}\nfind x : {0}\nsuch that x in allowed", self.domain))?;
        let values: Vec<String> = allowed.iter().map(|at| written(&self.solutions[*at])).collect();
        let values = Text::new("allowed.param", format!("letting allowed be {{{}}}", values.join(", ")));
        model.with_members(&[members(), values], &[]).map_err(|report| format!("{report}"))
    }

    fn distances(&self, allowed: &[usize]) -> Vec<i64> {
        allowed.iter().map(|at| distance(&self.values[self.plan], &self.values[*at])).collect()
    }

    /// The faults when this text of the plan is read.
    fn faults(&self, plan: &Text) -> Vec<String> {
        let checks: [(&str, PlanCheck); 9] = [
            ("start", Trial::start),
            ("near", Trial::near),
            ("different", Trial::different),
            ("validate", Trial::validate),
            ("why --expect", Trial::why_expected),
            ("hint", Trial::hint),
            ("why --changed", Trial::why_changed),
            ("data", Trial::data),
            ("session", Trial::session),
        ];
        let wrong = |(name, check): &(&str, PlanCheck)| check(self, plan).err().map(|wrong| format!("{name}: {wrong}"));
        checks.iter().filter_map(wrong).collect()
    }

    /// The plan is a solution, so it must be the answer.
    fn start(&self, plan: &Text) -> Result<(), String> {
        let (model, data) = self.allowing(&[&self.allowed[..], &[self.plan]].concat())?;
        let options = SolveOptions::default().start(Some(plan.clone()));
        let (solution, _) = last(&model, &data, &options)?;
        let value = sorted(solution.ok_or("no solution")?.value("x").expect("a value"));
        expect(&self.values[self.plan], &value)
    }

    fn near(&self, plan: &Text) -> Result<(), String> {
        let (model, data) = self.allowing(&self.allowed)?;
        let model = model.nearest_to(plan).map_err(|report| format!("{report}"))?;
        let (solution, status) = last(&model, &data, &SolveOptions::default())?;
        let solution = solution.ok_or("no solution")?;
        expect(&SolveStatus::Optimal, &status)?;
        let least = self.distances(&self.allowed).into_iter().min().expect("a value");
        expect(&Some(least), &solution.objective().and_then(|value| value.as_int()))?;
        let value = sorted(solution.value("x").expect("a value"));
        expect(&least, &distance(&self.values[self.plan], &value))?;
        let changes = solution.changes();
        // Each difference is reported as one change.
        if changes.len() as i64 == least { Ok(()) } else { Err(format!("{least} changes are told as {changes:?}")) }
    }

    fn different(&self, plan: &Text) -> Result<(), String> {
        let (model, data) = self.allowing(&self.allowed)?;
        let model = model.farthest_from(std::slice::from_ref(plan)).map_err(|report| format!("{report}"))?;
        let (solution, _) = last(&model, &data, &SolveOptions::default())?;
        // A plan equal to the given one is not different, so there may be none.
        let most = self.distances(&self.allowed).into_iter().max().filter(|most| *most > 0);
        expect(&most, &solution.and_then(|solution| solution.objective()?.as_int()))
    }

    fn validate(&self, plan: &Text) -> Result<(), String> {
        let (model, data) = self.allowing(&self.allowed)?;
        match (model.solution(&data, plan), self.allowed.contains(&self.plan)) {
            (Ok(solution), true) => expect(&self.values[self.plan], &sorted(solution.value("x").expect("a value"))),
            (Err(report), false) if format!("{report}").contains("E0604") => Ok(()),
            (Ok(_), false) => Err("the plan is not a solution".to_owned()),
            (Err(report), _) => Err(format!("{report}")),
        }
    }

    fn why_expected(&self, plan: &Text) -> Result<(), String> {
        let (model, data) = self.allowing(&self.allowed)?;
        let answer = model.why_not(&data, plan, &ExplainOptions::default()).map_err(|report| format!("{report}"))?;
        expect(&if self.allowed.contains(&self.plan) { "right" } else { "wrong" }, &answer.verdict)
    }

    /// A complete plan leaves no hint.
    fn hint(&self, plan: &Text) -> Result<(), String> {
        let (model, data) = self.allowing(&[&self.allowed[..], &[self.plan]].concat())?;
        let answer = model.hint(&data, Some(plan), true, &ExplainOptions::default());
        expect(&"solved", &answer.map_err(|report| format!("{report}"))?.verdict)
    }

    fn why_changed(&self, plan: &Text) -> Result<(), String> {
        let (model, data) = self.allowing(&self.allowed)?;
        let part = Text::new("--changed", "x");
        let answer = model.why_changed(&data, plan, &part, &ExplainOptions::default());
        let answer = answer.map_err(|report| format!("{report}"))?;
        let wanted = if self.allowed.contains(&self.plan) { "not forced" } else { "forced" };
        expect(&wanted, &answer.verdict)
    }

    /// Reads the plan as data.
    fn data(&self, plan: &Text) -> Result<(), String> {
        let model = model(&format!("given x : {0}\nfind y : {0}\nsuch that y = x", self.domain))?;
        // A table does not list the members of unnamed types, so the model must declare them.
        let (model, data) =
            model.with_members(&[members(), plan.clone()], &[]).map_err(|report| format!("{report}"))?;
        let (solution, _) = last(&model, &data, &SolveOptions::default())?;
        expect(&self.values[self.plan], &sorted(solution.ok_or("no solution")?.value("y").expect("y")))
    }

    /// Reads the plan as new data of a session.
    fn session(&self, plan: &Text) -> Result<(), String> {
        let model = model(&format!("given x : {0}\nfind y : {0}\nsuch that y = x", self.domain))?;
        let other = Text::new("x.param", format!("letting x be {}", written(&self.solutions[self.allowed[0]])));
        let report = |report| format!("{report}");
        let mut session = SolveSession::new(&model, &[members(), other]).map_err(report)?;
        for value in [self.allowed[0], self.plan] {
            if value == self.plan {
                session.set(std::slice::from_ref(plan)).map_err(report)?;
            }
            let mut last = None;
            let solved = session.solve(&EngineOptions::default(), &mut |solution| {
                last = solution.value("y");
                ControlFlow::Continue(())
            });
            solved.map_err(report)?;
            expect(&self.values[value], &sorted(last.ok_or("no solution")?))?;
        }
        Ok(())
    }

    /// Compares two texts of the plan.
    fn differences(&self, one: &Text, other: &Text) -> Result<(), String> {
        let model = model(&format!("find x : {}", self.domain))?;
        let model = model.with_members(&[members()], &[]).map_err(|report| format!("{report}"))?.0;
        let read = |text: &Text| Values::read(Some(&model), text).map_err(|report| format!("{report}"));
        let (one, other) = (read(one)?, read(other)?);
        if one.get("x").is_none() {
            return Err("no value".to_owned());
        }
        let mut differences = one.differences(&other);
        differences.retain(|name| *name == "x");
        if differences.is_empty() { Ok(()) } else { Err(format!("{:?} and {:?}", one.get("x"), other.get("x"))) }
    }
}

fn expect<T: PartialEq + std::fmt::Debug>(wanted: &T, found: &T) -> Result<(), String> {
    if wanted == found { Ok(()) } else { Err(format!("wanted {wanted:?}, not {found:?}")) }
}

/// The last solution, and the status of the search.
fn last(model: &Model, data: &[Text], options: &SolveOptions) -> Result<(Option<Solution>, SolveStatus), String> {
    let instance = model.instance(data).map_err(|report| format!("{report}"))?;
    let mut last = None;
    let summary = instance.solve(options, &mut |solution| {
        last = Some(solution.clone());
        ControlFlow::Continue(())
    });
    Ok((last, summary.map_err(|report| format!("{report}"))?.status))
}

#[test]
fn what_the_program_writes_it_reads_again() {
    let setting = |name: &str| env::var(name).ok().map(|value| value.parse::<u64>().expect("a number"));
    let (count, seed) = (setting("PLANS").unwrap_or(PLANS), setting("PLANS_SEED").unwrap_or(1));
    let only = setting("PLANS_ONLY");
    let (mut faults, mut texts) = (Vec::new(), BTreeMap::new());
    for number in only.map_or(0..count, |only| only..only + 1) {
        let trial = Trial::new(number, seed);
        for (form, _) in trial.texts() {
            *texts.entry(form).or_insert(0) += 1;
        }
        faults.extend(trial.all_faults().into_iter().map(|fault| format!("{number}, {fault}")));
        if only.is_some() {
            eprintln!("{}\nallowed: {:?}, plan: {:?}", trial.domain, trial.allowed, trial.values[trial.plan]);
        }
    }
    eprintln!("{count} plans from seed {seed}: {texts:?}");
    assert!(faults.is_empty(), "{} faults\n\n{}", faults.len(), faults[..faults.len().min(40)].join("\n\n"));
}

/// JSON arrays do not state the indices of a matrix.
#[test]
fn matrices_in_permutations_have_the_indices_of_their_declaration() {
    let domain = "permutation of matrix indexed by [bool] of int(-1, 1)";
    let trial = Trial::of(domain.to_owned(), &mut Random::new(2, 2391)).expect("few values");
    assert_eq!(trial.all_faults(), Vec::<String>::new());
}
