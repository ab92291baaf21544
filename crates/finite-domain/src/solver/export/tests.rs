//! Random problems are exported, the texts are parsed according to their formats, solved, and the answers read back.

use super::*;
use crate::{
    IntSet, Sense,
    problem::{Bool, Builder, Extreme, Int, Role},
    solver::{
        SolverName,
        cadical::Cadical,
        test_problems::{key, random_problem, try_all},
    },
};
use std::collections::BTreeSet;

struct Words;

impl ProblemWords for Words {
    fn variable(&self, _: Variable) -> Option<String> {
        Some("board[1, 1]".to_owned())
    }

    fn value(&self, _: Variable, value: i64) -> String {
        format!("member {value}")
    }

    fn constraint(&self, _: usize) -> String {
        String::new()
    }
}

fn exported(problem: &Problem, format: ExportFormat) -> String {
    let mut export = Export::new(format, Box::new(Words));
    let status = export.solve(problem, &EngineOptions::default(), &mut |_| ControlFlow::Continue(()));
    assert_eq!(status, Ok(SearchEnd::Enough));
    export.text
}

/// The status of an answer, the decisions of its solutions, and the objective of the last one.
fn answered(problem: &Problem, format: ExportFormat, text: &str) -> (SearchEnd, BTreeSet<Vec<i64>>, Vec<i64>) {
    let answer = SolverAnswer::read(format, text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let (mut solutions, mut last) = (BTreeSet::new(), Vec::new());
    let status = AnswerReader::new(format, answer).solve(problem, &EngineOptions::default(), &mut |found| {
        solutions.insert(key(problem, found));
        last = problem
            .objective()
            .map(|objective| objective.terms.iter().map(|term| problem.int_value(*term, found)).collect())
            .unwrap_or_default();
        ControlFlow::Continue(())
    });
    (status.unwrap_or_else(|_| panic!("{problem}\n{text}")), solutions, last)
}

fn check(seed: u64, format: ExportFormat, solve: impl Fn(&str) -> String) {
    let (problem, variables) = random_problem(seed);
    let (expected, best) = try_all(&problem, &variables);
    let text = exported(&problem, format);
    let answer = solve(&text);
    let (status, found, objective) = answered(&problem, format, &answer);
    let context = format!("seed {seed}, {format:?}:\n{problem}\n{text}\n{answer}");
    assert!(found.is_subset(&expected), "{context}");
    assert_eq!(found.is_empty(), expected.is_empty(), "{context}");
    let objectives = problem.objective().map_or(0, |objective| objective.terms.len());
    let terms = objectives.min(format.objectives());
    if !expected.is_empty() {
        assert_eq!(objective.get(..terms), best.as_ref().map_or(Some(&[][..]), |best| best.get(..terms)), "{context}");
    }
    let proves = expected.is_empty() || objectives > 0 && terms == objectives;
    assert_eq!(status == SearchEnd::Complete, proves, "{context}");
}

/// A text as a problem, with the names of the variables that its answer has.
struct Parsed {
    builder: Builder,
    bools: FxHashMap<String, Bool>,
    ints: FxHashMap<String, Int>,
    shown: Vec<String>,
}

impl Parsed {
    fn new() -> Self {
        let (bools, ints, shown) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        Parsed { builder: Builder::new(), bools, ints, shown }
    }

    /// A literal such as `-3`, `~x3` or `x3`.
    fn literal(&mut self, word: &str) -> Bool {
        let variable = word.trim_start_matches(['-', '~']).trim_start_matches('x').to_owned();
        let builder = &mut self.builder;
        let term = *self.bools.entry(variable).or_insert_with(|| builder.new_bool(Role::Auxiliary));
        if word.starts_with(['-', '~']) { !term } else { term }
    }

    fn bool(&mut self, name: &str) -> Bool {
        match name {
            "true" => Bool::TRUE,
            "false" => Bool::FALSE,
            _ => *self.bools.get(name).unwrap_or_else(|| panic!("no Boolean {name}")),
        }
    }

    fn int(&mut self, name: &str) -> Int {
        match name.parse() {
            Ok(value) => self.builder.constant(value),
            Err(_) => *self.ints.get(name).unwrap_or_else(|| panic!("no integer {name}")),
        }
    }

    fn weighted(&mut self, words: &[&str]) -> Int {
        let terms: Vec<(i64, Int)> = words
            .chunks(2)
            .map(|pair| {
                let literal = self.literal(pair[1]);
                (pair[0].parse().expect("a weight"), self.builder.int_of(literal))
            })
            .collect();
        self.builder.linear(terms, 0)
    }

    /// The values of the Booleans, and the shown variables, for each solution; the best one is last.
    fn solve(self) -> Vec<(FxHashMap<String, bool>, Vec<String>)> {
        let problem = self.builder.finish().expect("small numbers");
        let mut solutions = Vec::new();
        let status = Cadical::default().solve(&problem, &EngineOptions::default(), &mut |assignment| {
            let bools = self.bools.iter().map(|(name, term)| (name.clone(), problem.bool_value(*term, assignment)));
            let shown = self.shown.iter().map(|name| match self.ints.get(name) {
                Some(term) => format!("{name} = {};", problem.int_value(*term, assignment)),
                None => format!("{name} = {};", problem.bool_value(self.bools[name], assignment)),
            });
            solutions.push((bools.collect(), shown.collect()));
            ControlFlow::Continue(())
        });
        assert_eq!(status, Ok(SearchEnd::Complete));
        solutions
    }

    /// The answer in the format of competitions.
    fn competition(self, optimises: bool) -> String {
        match self.solve().pop() {
            None => "s UNSATISFIABLE\n".to_owned(),
            Some((bools, _)) => {
                let literals = bools.into_iter().map(|(name, holds)| if holds { name } else { format!("-{name}") });
                let status = if optimises { "OPTIMUM FOUND" } else { "SATISFIABLE" };
                format!("s {status}\nv {} 0\n", literals.collect::<Vec<_>>().join(" "))
            }
        }
    }
}

fn solve_clauses(text: &str) -> String {
    let mut parsed = Parsed::new();
    let mut weighted = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with(['c', 'p'])) {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (hard, weight) = match (first.parse::<i64>(), text.contains("\np cnf ")) {
            (_, true) => (line, None),
            (Ok(weight), false) => (rest, Some(weight)),
            (Err(_), false) => (rest, None),
        };
        let literals: Vec<&str> = hard.split(' ').take_while(|word| *word != "0").collect();
        let literals: Vec<Bool> = literals.into_iter().map(|word| parsed.literal(word)).collect();
        let clause = parsed.builder.or(literals);
        match weight {
            None => parsed.builder.require(clause),
            Some(weight) => weighted.push((weight, parsed.builder.int_of(!clause))),
        }
    }
    let optimises = !weighted.is_empty();
    if optimises {
        let cost = parsed.builder.linear(weighted, 0);
        parsed.builder.set_objective(Sense::Minimise, vec![cost]);
    }
    // Without soft clauses, the best cost is 0.
    parsed.competition(optimises || !text.contains("\np cnf ") && text.contains("The objective is"))
}

fn solve_sums(text: &str) -> String {
    let mut parsed = Parsed::new();
    assert!(text.starts_with("* #variable= "), "{text}");
    let mut optimises = false;
    for line in text.lines().filter(|line| !line.starts_with('*')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["min:", terms @ .., ";"] => {
                optimises = true;
                let cost = parsed.weighted(terms);
                parsed.builder.set_objective(Sense::Minimise, vec![cost]);
            }
            [terms @ .., ">=", bound, ";"] => {
                let sum = parsed.weighted(terms);
                let bound: i64 = bound.parse().expect("a bound");
                let below = parsed.builder.at_most_constant(sum, bound - 1);
                parsed.builder.require(!below);
            }
            _ => panic!("{line}"),
        }
    }
    parsed.competition(optimises)
}

/// The arguments of a constraint, or the members of an array.
fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (position, sign) in list.char_indices() {
        match sign {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..position].trim());
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

fn members(array: &str) -> Vec<&str> {
    split(array.trim_start_matches('[').trim_end_matches(']'))
}

impl Parsed {
    fn declaration(&mut self, line: &str) {
        let (domain, name) = line.trim_end_matches(';').split_once(": ").expect("a name");
        let (name, shown) = name.split_once(" :: ").map_or((name, false), |(name, _)| (name, true));
        if shown {
            self.shown.push(name.to_owned());
        }
        let role = if shown { Role::Decision } else { Role::Auxiliary };
        if domain == "bool" {
            let term = self.builder.new_bool(role);
            assert_eq!(self.bools.insert(name.to_owned(), term), None, "{name} is declared twice");
            return;
        }
        let number = |text: &str| text.parse::<i64>().expect("a number");
        let values = match domain.split_once("..") {
            Some((low, high)) => IntSet::range(number(low), number(high)),
            None => IntSet::from_values(domain.trim_matches(['{', '}']).split(',').map(number)),
        };
        let term = self.builder.new_int(values, role);
        assert_eq!(self.ints.insert(name.to_owned(), term), None, "{name} is declared twice");
    }

    fn constraint(&mut self, line: &str) {
        let (name, arguments) = line.trim_end_matches(");").split_once('(').expect("arguments");
        let arguments = split(arguments);
        let holds = match name.strip_suffix("_reif") {
            Some(name) => {
                let (condition, arguments) = arguments.split_last().expect("a condition");
                let meaning = self.meaning(name, arguments);
                let condition = self.bool(condition);
                self.builder.equivalent(meaning, condition)
            }
            None => self.meaning(name, &arguments),
        };
        self.builder.require(holds);
    }

    fn bools_of(&mut self, array: &str) -> Vec<Bool> {
        members(array).into_iter().map(|name| self.bool(name)).collect()
    }

    fn ints_of(&mut self, names: &[&str]) -> Vec<Int> {
        names.iter().map(|name| self.int(name)).collect()
    }

    fn meaning(&mut self, name: &str, arguments: &[&str]) -> Bool {
        match (name, arguments) {
            ("bool_clause", [positive, negative]) => {
                let mut literals = self.bools_of(positive);
                literals.extend(self.bools_of(negative).into_iter().map(|term| !term));
                self.builder.or(literals)
            }
            ("array_bool_and", [parts, result]) => {
                let (parts, result) = (self.bools_of(parts), self.bool(result));
                let all = self.builder.and(parts);
                self.builder.equivalent(all, result)
            }
            ("bool_eq" | "bool_not", [left, right]) => {
                let (left, right) = (self.bool(left), self.bool(right));
                self.builder.equivalent(left, if name == "bool_eq" { right } else { !right })
            }
            ("bool2int", [condition, number]) => {
                let condition = self.bool(condition);
                let (condition, number) = (self.builder.int_of(condition), self.int(number));
                self.builder.equal(condition, number)
            }
            ("int_lin_le" | "int_lin_eq" | "int_lin_ne", [factors, terms, bound]) => {
                let terms = self.ints_of(&members(terms));
                let factors = members(factors).into_iter().map(|factor| factor.parse().expect("a factor"));
                let sum = self.builder.linear(factors.zip(terms), 0);
                let bound = bound.parse().expect("a bound");
                match name {
                    "int_lin_le" => self.builder.at_most_constant(sum, bound),
                    "int_lin_eq" => self.builder.equals_constant(sum, bound),
                    _ => !self.builder.equals_constant(sum, bound),
                }
            }
            ("array_int_element" | "array_var_int_element", [index, entries, result]) => {
                let (index, result) = (self.int(index), self.int(result));
                let entries = self.ints_of(&members(entries));
                let mut cases = Vec::new();
                for (position, entry) in (1..).zip(entries) {
                    let here = self.builder.equals_constant(index, position);
                    let equal = self.builder.equal(entry, result);
                    cases.push(self.builder.and([here, equal]));
                }
                self.builder.or(cases)
            }
            (_, numbers) => {
                let terms = self.ints_of(numbers);
                let builder = &mut self.builder;
                let (function, result) = match (name, terms.as_slice()) {
                    ("int_eq", [left, right]) => (*left, *right),
                    ("int_ne", [left, right]) => return !builder.equal(*left, *right),
                    ("int_le", [left, right]) => return builder.at_most(*left, *right),
                    ("int_times", [left, right, result]) => (builder.multiply(*left, *right), *result),
                    ("int_abs", [term, result]) => (builder.absolute(*term), *result),
                    ("int_min", [left, right, result]) => (builder.extreme(Extreme::Minimum, [*left, *right]), *result),
                    ("int_max", [left, right, result]) => (builder.extreme(Extreme::Maximum, [*left, *right]), *result),
                    _ => panic!("{name}/{}", arguments.len()),
                };
                builder.equal(function, result)
            }
        }
    }
}

fn solve_flatzinc(text: &str) -> String {
    let mut parsed = Parsed::new();
    for line in text.lines().filter(|line| !line.starts_with('%')) {
        let (word, rest) = line.split_once(' ').expect("a word");
        match (word, rest) {
            ("var", declaration) => parsed.declaration(declaration),
            ("constraint", constraint) => parsed.constraint(constraint),
            ("solve", goal) => {
                let (sense, target) = goal.trim_end_matches(';').split_once(' ').unwrap_or((goal, ""));
                let sense = match sense {
                    "minimize" => Sense::Minimise,
                    "maximize" => Sense::Maximise,
                    _ => continue,
                };
                let target = parsed.int(target);
                parsed.builder.set_objective(sense, vec![target]);
            }
            _ => panic!("{line}"),
        }
    }
    let solutions = parsed.solve();
    if solutions.is_empty() {
        return "=====UNSATISFIABLE=====\n".to_owned();
    }
    let solutions = solutions.iter().map(|(_, shown)| format!("{}\n----------\n", shown.join("\n")));
    solutions.collect::<String>() + "==========\n"
}

#[test]
fn sat_solvers_get_the_problem_without_its_objective() {
    for seed in 0..150 {
        check(seed, ExportFormat::Dimacs, solve_clauses);
    }
}

#[test]
fn max_sat_solvers_find_the_best() {
    for seed in 0..150 {
        check(seed, ExportFormat::Wcnf, solve_clauses);
    }
}

#[test]
fn pseudo_boolean_solvers_find_the_best() {
    for seed in 0..150 {
        check(seed, ExportFormat::Opb, solve_sums);
    }
}

#[test]
fn constraint_solvers_find_all_solutions() {
    for seed in 0..150 {
        let (problem, variables) = random_problem(seed);
        let (expected, best) = try_all(&problem, &variables);
        let text = exported(&problem, ExportFormat::FlatZinc);
        let answer = solve_flatzinc(&text);
        let (status, found, objective) = answered(&problem, ExportFormat::FlatZinc, &answer);
        let context = format!("seed {seed}:\n{problem}\n{text}\n{answer}");
        match best {
            None => assert_eq!(found, expected, "{context}"),
            Some(best) => assert_eq!(objective[0], best[0], "{context}"),
        }
        let has_several = problem.objective().is_some_and(|objective| objective.terms.len() > 1);
        assert_eq!(status == SearchEnd::Complete, expected.is_empty() || !has_several, "{context}");
    }
}

#[cfg(feature = "z3")]
#[test]
fn smt_solvers_find_the_best() {
    assert!(SolverName::Z3.is_installed(), "Z3 is missing");
    for seed in 0..150 {
        check(seed, ExportFormat::SmtLib, |text| {
            let optimize = ::z3::Optimize::new();
            optimize.from_string(text);
            match optimize.check(&[]) {
                ::z3::SatResult::Unsat => "unsat\n".to_owned(),
                ::z3::SatResult::Unknown => "unknown\n".to_owned(),
                ::z3::SatResult::Sat => {
                    let model = optimize.get_model().expect("a model").to_string();
                    let values = model.lines().filter_map(|line| line.split_once(" -> "));
                    let values: Vec<String> = values.map(|(name, value)| format!("({name} {value})")).collect();
                    let objectives = if text.contains("(get-objectives)") { "(objectives)" } else { "" };
                    format!("sat\n{objectives}\n({})\n", values.join("\n "))
                }
            }
        });
    }
}

#[test]
fn an_answer_to_another_text_is_refused() {
    let mut builder = Builder::new();
    let term = builder.new_int(IntSet::range(1, 3), Role::Decision);
    let large = builder.at_most_constant(term, 1);
    builder.require(!large);
    let problem = builder.finish().expect("small numbers");
    for (value, fits) in [(1, false), (2, true), (7, false)] {
        let answer =
            SolverAnswer::read(ExportFormat::FlatZinc, &format!("{term} = {value};\n----------\n")).expect("an answer");
        let mut reader = AnswerReader::new(ExportFormat::FlatZinc, answer);
        let status = reader.solve(&problem, &EngineOptions::default(), &mut |_| ControlFlow::Continue(()));
        assert_eq!(status.is_ok(), fits, "{value}");
    }
    assert!(exported(&problem, ExportFormat::FlatZinc).contains("(1 = member 1, 2 = member 2, 3 = member 3)"));
}
