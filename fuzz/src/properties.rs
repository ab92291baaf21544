//! The properties that hold for every text. A property that does not hold panics. This file is compiled into the
//! library when it is fuzzed, because it uses private items.

use conjure_like::{
    diagnostic::{Code, Diagnostic, Diagnostics, json_lines, short, terminal},
    halt::{Halt, reported},
    import::{self, ImportFormat},
    instance::{GroundInstance, oracle},
    language::Value,
    lowering::Lowered,
    memory,
    pipeline::{self, Search},
    problem::Variable,
    solution,
    solver::{self, EngineOptions, ProblemWords, Refutation, SearchEnd, SolverName},
    source::{SourceId, Sources, Span},
    syntax::{ast, print},
};
use std::{
    cell::RefCell,
    collections::BTreeSet,
    io::{self, Write},
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

/// The line that separates a model from its data in an input.
pub const SEPARATOR: &str = "%%%%\n";

/// With at most this many combinations of values, all of them are tried.
const MOST_COMBINATIONS: u128 = 2_000;

/// Larger problems are left out, because each input should take milliseconds.
const MOST_TERMS: usize = 20_000;

/// The time limit of a solver. Undecided results are not compared.
const PATIENCE: Duration = Duration::from_secs(2);

/// Refusals that depend on the solver or the representation, not on the model.
const REFUSALS: [Code; 4] = [Code::NOT_SUPPORTED, Code::TOO_LARGE, Code::OVERFLOW, Code::TOO_MANY_BITS];

/// Runs a property with the stack size of the program.
pub fn on_a_large_stack(property: impl FnOnce()) {
    memory::with_deep_stack(property);
}

/// Each text has a tree, or diagnostics that can be rendered. A tree is printed as a text with the same tree.
pub fn parse(text: &str) {
    let (mut sources, source) = one(text);
    let mut diagnostics = Diagnostics::new();
    let file = pipeline::parse_text(&sources, source, &mut diagnostics);
    let file = reported(file, &mut diagnostics);
    render(&diagnostics, &sources);
    let Some(file) = file else {
        return assert!(!diagnostics.is_empty(), "no tree and no error");
    };
    comments_in_order(&file, text);
    for width in [120, 20] {
        let printed = print::print_file(&file, width);
        let again = sources.add("printed", printed.clone());
        let mut faults = Diagnostics::new();
        let tree = pipeline::parse_text(&sources, again, &mut faults);
        let tree = reported(tree, &mut faults);
        assert!(
            tree.is_some(),
            "width {width}: what is printed does not parse: {}\n{printed}",
            listed(&faults, &sources)
        );
        assert!(tree == Some(file.clone()), "width {width}: what is printed has another tree\n{printed}");
    }
    // The analysis finishes for all names and types, and its messages can be rendered.
    let model = pipeline::read_model_text(&sources, source, &mut diagnostics);
    reported(model, &mut diagnostics);
    render(&diagnostics, &sources);
}

/// Formatting preserves the tree and the order of the comments, and is idempotent.
pub fn format(text: &str) {
    let Some((file, printed)) = formatted(text, 120) else { return };
    let Some((again, twice)) = formatted(&printed, 120) else { panic!("the formatted text does not parse\n{printed}") };
    assert!(file == again, "the formatted text has another tree\n{printed}");
    let comments = |file: &ast::File| -> Vec<String> {
        file.comments.iter().map(|comment| comment.text.trim_end().to_owned()).collect()
    };
    assert_eq!(comments(&file), comments(&again), "the formatted text has other comments\n{printed}");
    assert_eq!(printed, twice, "formatting again changes the text");
    if let Some((_, narrow)) = formatted(text, 20) {
        assert_eq!(formatted(&narrow, 20).map(|(_, text)| text), Some(narrow), "in narrow lines");
    }
}

/// A JSON file of parameters binds, or its errors can be rendered. If it binds, it means the same as its translation to
/// Essence.
pub fn json(text: &str) {
    let Some((model, data)) = text.split_once(SEPARATOR) else { return };
    let (mut sources, source) = one(model);
    let mut diagnostics = Diagnostics::new();
    let Ok(read) = pipeline::read_model_text(&sources, source, &mut diagnostics) else { return };
    let data = sources.add("data.json", data);
    let instance = pipeline::read_instance(&read.model, &sources, &[data], &mut diagnostics);
    let instance = reported(instance, &mut diagnostics);
    render(&diagnostics, &sources);
    assert!(instance.is_some() || !diagnostics.is_empty(), "no instance and no error");
}

/// Parameters bind to a model and the instance becomes a problem, or the errors can be rendered.
pub fn bind(text: &str) {
    instance(text, |instance, sources| {
        if let Err(Halt::Wrong(wrong)) = pipeline::lower_instance(instance, &EngineOptions::default()) {
            assert!(!wrong.is_empty(), "no problem and no error");
            render(&wrong, sources);
        }
    });
}

/// A puzzle becomes a parameter file that parses, or the error can be rendered.
pub fn import(text: &str) {
    for format in ImportFormat::ALL {
        let (mut sources, source) = one(text);
        match import::import_puzzle_text(format, source, text) {
            Ok(parameters) => {
                let imported = sources.add("imported", parameters.clone());
                let mut faults = Diagnostics::new();
                let file = pipeline::parse_text(&sources, imported, &mut faults);
                let file = reported(file, &mut faults);
                assert!(
                    file.is_some(),
                    "{}: does not parse: {}\n{parameters}",
                    format.name(),
                    listed(&faults, &sources)
                );
            }
            Err(diagnostic) => render(&[diagnostic], &sources),
        }
    }
}

/// Each solution satisfies the model. Two solvers agree on satisfiability and on the optimum. If there are few
/// combinations of values, trying all of them finds the same solutions. If there is no solution, there is a proof.
pub fn solve(text: &str) {
    instance(text, |instance, sources| {
        let Ok(lowered) = pipeline::lower_instance(instance, &EngineOptions::default()) else { return };
        if lowered.problem.size() > MOST_TERMS {
            return;
        }
        let first: Vec<_> =
            [SolverName::Cadical, SolverName::Z3].map(|name| search(instance, sources, &lowered, name, 1)).into();
        if let Some((found, true)) = &first[0]
            && found.is_empty()
        {
            prove(instance, sources, &lowered);
        }
        if let [Some((one, _)), Some((other, _))] = &first[..] {
            assert_eq!(one.is_empty(), other.is_empty(), "the solvers do not agree whether there is a solution");
            if let (Some(one), Some(other), true) = (one.last(), other.last(), instance.model.objective.is_some()) {
                let value = |solution| solution::objective_value(instance, solution);
                assert_eq!(format!("{:?}", value(one)), format!("{:?}", value(other)), "the best values differ");
            }
        }
        let few = oracle::combinations(instance).is_some_and(|combinations| combinations <= MOST_COMBINATIONS);
        if few && instance.model.objective.is_none() {
            let Some((found, true)) =
                search(instance, sources, &lowered, SolverName::Cadical, 2 * MOST_COMBINATIONS as usize)
            else {
                return;
            };
            let Ok(expected) = oracle::solutions(instance, usize::MAX) else { return };
            let found: BTreeSet<Vec<Value>> = found.iter().map(values).collect();
            let expected: BTreeSet<Vec<Value>> = expected.iter().map(values).collect();
            assert_eq!(found, expected, "trying all values finds other solutions");
        }
    });
}

type Solution = conjure_like::instance::SolutionValues;

/// At most this many solutions, and true if they are all; `None` if a limit or a refusal ended the search.
fn search(
    instance: &GroundInstance,
    sources: &Sources,
    lowered: &Lowered,
    name: SolverName,
    most: usize,
) -> Option<(Vec<Solution>, bool)> {
    let mut solver = solver::backend(name).expect("a solver");
    let engine_options = EngineOptions::default().limits(Instant::now() + PATIENCE);
    let mut found = Vec::new();
    let best = instance.model.objective.is_some();
    let search = Search::new(instance, lowered, &engine_options);
    let end = search.solutions(&mut *solver, &mut |solution, _| {
        found.push(solution.clone());
        if found.len() >= most && !best { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match end {
        Ok(SearchEnd::Complete) => Some((found, true)),
        Ok(SearchEnd::Enough) => Some((found, false)),
        Ok(SearchEnd::Stopped(_)) | Err(Halt::Stopped(_)) => None,
        Err(Halt::Wrong(wrong)) => {
            assert_refused(&wrong, sources);
            None
        }
    }
}

/// Asserts that a problem was refused for its size, and that nothing else is wrong.
fn assert_refused(wrong: &[Diagnostic], sources: &Sources) {
    assert!(wrong.iter().all(|wrong| REFUSALS.contains(&wrong.code)), "{}", listed(wrong, sources));
}

/// Asserts that unsatisfiability is proved, and that the checker accepts the proof.
fn prove(instance: &GroundInstance, sources: &Sources, lowered: &Lowered) {
    let (steps, clauses) = (Shared::default(), Shared::default());
    let mut solver = solver::backend(SolverName::Cadical).expect("a solver");
    let output = |shared: &Shared| Box::new(Shared(shared.0.clone()));
    solver.prove(Refutation {
        draft: Box::new(io::Cursor::new(Vec::new())),
        steps: output(&steps),
        clauses: output(&clauses),
        words: Box::new(NoWords),
    });
    let engine_options = EngineOptions::default().limits(Instant::now() + PATIENCE);
    let search = Search::new(instance, lowered, &engine_options);
    let end = search.solutions(&mut *solver, &mut |_, _| panic!("a solution where there is none"));
    if let Err(Halt::Wrong(wrong)) = &end {
        assert_refused(wrong, sources);
    }
    if matches!(end, Ok(SearchEnd::Complete)) {
        let (steps, clauses) = (steps.0.borrow(), clauses.0.borrow());
        assert!(!clauses.is_empty(), "there is no proof");
        if let Err(fault) = proof::check(&mut &clauses[..], &mut &steps[..]) {
            panic!("the proof is wrong: {fault:?}");
        }
    }
}

#[derive(Default)]
struct Shared(Arc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct NoWords;

impl ProblemWords for NoWords {
    fn variable(&self, _: Variable) -> Option<String> {
        None
    }

    fn value(&self, _: Variable, value: i64) -> String {
        value.to_string()
    }

    fn constraint(&self, position: usize) -> String {
        position.to_string()
    }
}

fn values(solution: &Solution) -> Vec<Value> {
    solution.iter().map(|(_, value)| value.clone()).collect()
}

/// Binds the data of an input to its model.
fn instance(text: &str, then: impl FnOnce(&GroundInstance, &Sources)) {
    let (model, data) = text.split_once(SEPARATOR).map_or((text, None), |(model, data)| (model, Some(data)));
    let (mut sources, source) = one(model);
    let mut diagnostics = Diagnostics::new();
    let read = pipeline::read_model_text(&sources, source, &mut diagnostics);
    let Some(read) = reported(read, &mut diagnostics) else {
        render(&diagnostics, &sources);
        return assert!(!diagnostics.is_empty(), "no model and no error");
    };
    let data: Vec<SourceId> = data.map(|data| sources.add("data", data)).into_iter().collect();
    let instance = pipeline::read_instance(&read.model, &sources, &data, &mut diagnostics);
    let instance = reported(instance, &mut diagnostics);
    render(&diagnostics, &sources);
    match instance {
        Some(instance) => then(&instance, &sources),
        None => assert!(!diagnostics.is_empty(), "no instance and no error"),
    }
}

fn one(text: &str) -> (Sources, SourceId) {
    let mut sources = Sources::default();
    let source = sources.add("input", text);
    (sources, source)
}

/// The tree of a text without errors, and the formatted text.
fn formatted(text: &str, width: usize) -> Option<(ast::File, String)> {
    let (sources, source) = one(text);
    let file = pipeline::parse_text(&sources, source, &mut Diagnostics::new()).ok()?;
    let printed = print::print_with_comments(&file, text, width);
    Some((file, printed))
}

/// Asserts that each rendering of diagnostics finishes, and mentions only existing places.
fn render(diagnostics: &[Diagnostic], sources: &Sources) {
    for diagnostic in diagnostics {
        assert!(!diagnostic.message.is_empty());
        for label in &diagnostic.labels {
            let Span { source, start, end } = label.span;
            let text = &sources.get(source).text;
            assert!(text.get(start as usize..end as usize).is_some(), "a label outside the text: {diagnostic:?}");
        }
        terminal::render_terminal(diagnostic, sources, false);
        short::render_short(diagnostic, sources);
        json_lines::render_json(diagnostic, sources);
    }
}

fn comments_in_order(file: &ast::File, text: &str) {
    let mut end = 0;
    for comment in &file.comments {
        assert!(comment.span.start >= end, "comments overlap");
        assert_eq!(&text[comment.span.start as usize..comment.span.end as usize], &*comment.text);
        end = comment.span.end;
    }
}

fn listed(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    diagnostics.iter().map(|diagnostic| short::render_short(diagnostic, sources)).collect::<Vec<_>>().join("\n")
}
