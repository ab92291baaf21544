//! The properties of a model: its text can be parsed again, it has the intended types, and several [`ways`] of solving
//! find the same solutions as trying all values.

use super::{generator::Generated, random::Random};
use conjure_like::{
    diagnostic::{Code, Diagnostic, Diagnostics, short},
    halt::{Halt, Limits, StopReason},
    instance::{self, GroundInstance, oracle},
    language::{GroundDomain, Stop, Value},
    lowering::{self, Representations},
    pipeline, solution,
    solver::{BACKENDS, EngineOptions, SearchEnd, Solver, SolverName, Theory, Z3},
    source::{SourceId, Sources},
    symbolic::representation::{Path, Representation, inner_domains, possible},
    syntax::print,
};
use std::{
    cell::RefCell,
    collections::BTreeSet,
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    time::{Duration, Instant},
};

/// Hard limit on the combinations of values that are tried.
const MOST_COMBINATIONS: u128 = 2_000;

/// CP-SAT enumerates at most this many solutions, because each takes a search.
const MOST_SEARCHES: usize = 50;
/// The time limit of a solver. The integer theory does not terminate on some products.
const PATIENCE: Duration = Duration::from_secs(20);
const PATIENCE_WITH_INTEGERS: Duration = Duration::from_secs(3);

/// Errors about limits, not about mistakes in the model.
const REFUSALS: [Code; 5] =
    [Code::NOT_SUPPORTED, Code::TOO_LARGE, Code::OVERFLOW, Code::TOO_MANY_BITS, Code::WHERE_FALSE];

#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// The solver and the oracle find the same solutions.
    Agree(usize),
    /// Not compared, with the reason.
    Skipped(String),
    Fault(Fault),
}

#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The kind of fault, which shrinking preserves.
    pub kind: String,
    pub details: String,
}

fn fault(kind: impl Into<String>, details: impl Into<String>) -> Verdict {
    Verdict::Fault(Fault { kind: kind.into(), details: details.into() })
}

thread_local! {
    /// The message of the program's last panic while a model is checked.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Silences the program's panics and records the last one.
pub(crate) fn remember_panics() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if PANIC.with_borrow(Option::is_none) {
            return usual(info);
        }
        let place = info.location().map_or_else(String::new, |place| format!("{}:{}", place.file(), place.line()));
        PANIC.set(Some(format!("{place}: {}", info.payload_as_str().unwrap_or_default())));
    }));
}

pub(crate) fn check(model: &Generated) -> Verdict {
    PANIC.set(Some(String::new()));
    let verdict = panic::catch_unwind(AssertUnwindSafe(|| check_or_panic(model)));
    let message = PANIC.take().unwrap_or_default();
    verdict.unwrap_or_else(|_| {
        let place: Vec<&str> = message.splitn(3, ':').take(2).collect();
        fault(format!("panic at {}", place.join(":")), message.clone())
    })
}

/// The messages, one on each line.
fn messages(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    diagnostics.iter().map(|diagnostic| short::render_short(diagnostic, sources)).collect::<Vec<_>>().join("\n")
}

/// The verdict on errors of a phase.
fn judge(diagnostics: &[Diagnostic], phase: &str, sources: &Sources) -> Verdict {
    // A phase that fails must say why.
    let Some(first) = diagnostics.first() else { return fault(format!("no reason from {phase}"), "") };
    if diagnostics.iter().all(|diagnostic| REFUSALS.contains(&diagnostic.code)) {
        let message = if first.code == Code::NOT_SUPPORTED { format!(" {}", first.message) } else { String::new() };
        return Verdict::Skipped(format!("{}{message}", first.code));
    }
    fault(format!("{} from {phase}", first.code), messages(diagnostics, sources))
}

fn check_or_panic(model: &Generated) -> Verdict {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::new();
    let text = print::print_file(&model.file, 120);
    let source = sources.add("model", text.clone());
    let read = match pipeline::parse_text(&sources, source, &mut diagnostics) {
        Ok(read) => read,
        Err(halt) => return fault("what is printed cannot be parsed", messages(&halt.into_diagnostics(), &sources)),
    };
    if read != model.file {
        return fault("what is printed is parsed as another tree", print::print_file(&read, 120).to_string());
    }
    let read = match pipeline::read_model_text(&sources, source, &mut diagnostics) {
        Ok(read) => read,
        Err(halt) => return judge(&halt.into_diagnostics(), "analysis", &sources),
    };
    let data: Vec<SourceId> = match model.parameters.is_empty() {
        true => Vec::new(),
        false => vec![sources.add("parameters", model.parameters.clone())],
    };
    let instance = match pipeline::read_instance(&read.model, &sources, &data, &mut diagnostics) {
        Ok(instance) => instance,
        Err(halt) => return judge(&halt.into_diagnostics(), "instance", &sources),
    };
    compare(&instance, model.choice, &sources, &mut |printed| {
        let mut sources = sources.clone();
        let mut diagnostics = Diagnostics::new();
        let mut data = data.clone();
        data.push(sources.add("solution", printed));
        let valid = pipeline::validate(&sources, &read.file, &data, &mut diagnostics);
        valid.err().map(|halt| messages(&halt.into_diagnostics(), &sources))
    })
}

/// A way to solve a model.
struct Way {
    name: String,
    solver: Box<dyn Solver>,
    representations: Representations,
    /// True if quantified names get auxiliary variables wherever possible.
    auxiliaries: bool,
    patience: Duration,
    /// True if the solver may give up.
    may_give_up: bool,
}

/// Visits a domain and its inner domains, with their paths.
fn for_each_part(domain: &GroundDomain, path: &mut Path, visit: &mut impl FnMut(&Path, &GroundDomain)) {
    visit(path, domain);
    for (step, inner) in inner_domains(domain, None) {
        path.push(step);
        for_each_part(inner, path, visit);
        path.pop();
    }
}

/// The ways to solve an instance: clauses with the default representations, sometimes the integer theory with the last
/// candidates, and each solver with random representations, with or without auxiliary variables for quantified names.
fn ways(instance: &GroundInstance, choice: u64, solutions: usize) -> Vec<Way> {
    let mut random = Random::new(choice, 0);
    let represented = |choose: &mut dyn FnMut(&[Representation]) -> Option<Representation>| {
        let mut wanted = Representations::new();
        for find in &instance.finds {
            for_each_part(&find.domain, &mut Path::new(), &mut |path, domain| {
                wanted.extend(choose(&possible(domain)).map(|chosen| ((find.id, path.clone()), chosen)));
            });
        }
        wanted
    };
    let usual = Way {
        name: "clauses".into(),
        solver: Box::new(Z3::from(Theory::Clauses)),
        representations: Representations::new(),
        auxiliaries: false,
        patience: PATIENCE,
        may_give_up: false,
    };
    let integers = Way {
        name: "integers".into(),
        solver: Box::new(Z3::from(Theory::Integers)),
        representations: represented(&mut |possible| possible.last().copied()),
        auxiliaries: false,
        patience: PATIENCE_WITH_INTEGERS,
        may_give_up: true,
    };
    let mut ways = vec![usual];
    // The integer theory takes most of the time, so it runs on a third of the models.
    if choice.is_multiple_of(3) {
        ways.push(integers);
    }
    for backend in BACKENDS.iter().filter(|backend| backend.solver.is_installed()) {
        let representations =
            represented(&mut |possible| (!possible.is_empty() && random.percent(60)).then(|| *random.pick(possible)));
        let auxiliaries = random.percent(50);
        let slow = backend.solver == SolverName::CpSat && solutions > MOST_SEARCHES;
        // Z3 with the default representations is the first way already.
        if slow || backend.solver == SolverName::Z3 && representations.is_empty() && !auxiliaries {
            continue;
        }
        let name = format!("{}{}", backend.solver.name(), if auxiliaries { " with auxiliary variables" } else { "" });
        let solver = (backend.make)();
        ways.push(Way { name, solver, representations, auxiliaries, patience: PATIENCE, may_give_up: false });
    }
    ways
}

/// Solves in all ways and compares with the oracle. `objection` returns the fault of a printed solution.
fn compare(
    instance: &GroundInstance,
    choice: u64,
    sources: &Sources,
    objection: &mut dyn FnMut(String) -> Option<String>,
) -> Verdict {
    // An infinite domain has no size, and the product may overflow.
    let mut sizes = instance.finds.iter().map(|find| find.domain.size());
    let combinations = sizes.try_fold(1u128, |product: u128, size| product.checked_mul(size?));
    if combinations.is_none_or(|combinations| combinations > MOST_COMBINATIONS) {
        return Verdict::Skipped("too many combinations".into());
    }
    let expected = match oracle::solutions(instance, usize::MAX) {
        Ok(solutions) => solutions,
        Err(Stop::Fault(diagnostic)) => return judge(&[*diagnostic], "evaluation", sources),
        Err(Stop::Undefined) => return fault("undefined constraint", ""),
    };
    let values = |solution: &[(_, Value)]| solution.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>();
    // With an objective, the oracle returns only the optimal solutions.
    let expected: BTreeSet<Vec<Value>> = expected.iter().map(|solution| values(solution)).collect();
    let optimising = instance.model.objective.is_some();
    for Way { name: form, mut solver, representations, auxiliaries, patience, may_give_up } in
        ways(instance, choice, expected.len())
    {
        let lower = if auxiliaries { lowering::lower_with_auxiliaries } else { lowering::lower };
        let lowered = match lower(&instance.environment, &representations, Limits::default()) {
            Ok(lowered) => lowered,
            Err(Halt::Wrong(wrong)) => return judge(&wrong, "lowering", sources),
            Err(Halt::Stopped(stopped)) => return Verdict::Skipped(format!("{stopped:?}")),
        };
        let engine_options = EngineOptions::default().limits(Instant::now() + patience);
        let mut found: Vec<Vec<Value>> = Vec::new();
        let status = solver.solve(&lowered.problem, &engine_options, &mut |assignment| {
            found.push(values(&lowered.read_back(assignment)));
            // Some further solutions are enough to show that there are too many.
            if optimising || found.len() <= expected.len() + 5 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        let print = |solution: &Vec<Value>| {
            let named = instance.finds.iter().zip(solution).map(|(find, value)| (find.id, value.clone()));
            solution::print(instance, &named.collect::<Vec<_>>(), 120)
        };
        let show = |solution: &Vec<Value>| {
            let text = print(solution);
            text.lines().skip(1).filter(|line| !line.starts_with('$')).collect::<Vec<_>>().join(" ")
        };
        match status {
            Ok(SearchEnd::Stopped(StopReason::TimeLimit | StopReason::Interrupted)) => {
                return Verdict::Skipped(format!("time ({form})"));
            }
            // Too many values for clauses, so this way is skipped.
            Err(_) => continue,
            Ok(SearchEnd::Stopped(StopReason::Unknown(_))) if may_give_up => {
                return Verdict::Skipped(format!("unknown ({form})"));
            }
            Ok(SearchEnd::Stopped(StopReason::Unknown(reason))) => return fault(format!("unknown ({form})"), reason),
            Ok(SearchEnd::Complete | SearchEnd::Enough) => {}
        }
        // An undefined domain has no values, whatever the oracle enumerates.
        if instance.undefined_domain.is_some() {
            if found.is_empty() { continue } else { return fault(format!("undefined domain ({form})"), "") }
        }
        if optimising {
            match found.last() {
                Some(best) if expected.contains(best) => continue,
                None if expected.is_empty() => continue,
                best => {
                    let best = best.map_or("none".to_owned(), show);
                    let wanted = expected.first().map_or("none".to_owned(), show);
                    return fault(format!("another optimum ({form})"), format!("solver: {best}\noracle: {wanted}"));
                }
            }
        }
        if let Some(wrong) = found.iter().find(|found| !expected.contains(*found)) {
            let count = expected.len();
            return fault(
                format!("wrong solution ({form})"),
                format!("{}\nthe oracle has {count} others", show(wrong)),
            );
        }
        if let Some(first) = found.first()
            && let Some(why) = objection(print(first))
        {
            return fault("a printed solution is rejected", format!("{}\n{why}", show(first)));
        }
        let different: BTreeSet<&Vec<Value>> = found.iter().collect();
        if different.len() < found.len() {
            return fault(format!("repeated solution ({form})"), "");
        }
        if let Some(missing) = expected.iter().find(|expected| !different.contains(expected)) {
            let counts = format!("{} of {}", found.len(), expected.len());
            return fault(format!("missing solution ({form})"), format!("{}\nfound {counts}", show(missing)));
        }
    }
    if let Err(kind) = with_symmetries_broken(instance, &expected) {
        return fault(kind, format!("the oracle has {} solutions", expected.len()));
    }
    Verdict::Agree(expected.len())
}

/// Checks that breaking the symmetries that the model shows keeps a solution, or a best one, and invents none.
fn with_symmetries_broken(instance: &GroundInstance, expected: &BTreeSet<Vec<Value>>) -> Result<(), String> {
    let Ok(lowered) = lowering::lower(&instance.environment, &Representations::new(), Limits::default()) else {
        return Ok(());
    };
    let simplified = lowered.problem.simplify();
    let broken = lowering::break_interchangeable(&instance.model, &lowered, &simplified);
    if broken.symmetry_breaking().is_empty() {
        return Ok(());
    }
    let options = EngineOptions::default().limits(Instant::now() + PATIENCE);
    let mut found: Vec<Vec<Value>> = Vec::new();
    let status = Z3::from(Theory::Clauses).solve(&broken, &options, &mut |assignment| {
        let solution = lowered.read_back(&simplified.restore(assignment));
        found.push(solution.into_iter().map(|(_, value)| value).collect());
        ControlFlow::Continue(())
    });
    let best = found.last();
    match status {
        Ok(SearchEnd::Complete) if best.is_none() != expected.is_empty() => Err("symmetry breaking loses all".into()),
        Ok(SearchEnd::Complete) if instance.model.objective.is_some() => match best {
            Some(best) if !expected.contains(best) => Err("symmetry breaking loses the best".into()),
            _ => Ok(()),
        },
        Ok(SearchEnd::Complete) if found.iter().any(|found| !expected.contains(found)) => {
            Err("symmetry breaking invents".into())
        }
        _ => Ok(()),
    }
}

/// The instance of a model; `None` if it has errors.
pub(crate) fn instance_of(model: &Generated) -> Option<GroundInstance> {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("model", print::print_file(&model.file, 120));
    let data = match model.parameters.is_empty() {
        true => Vec::new(),
        false => vec![sources.add("parameters", model.parameters.clone())],
    };
    let typed = pipeline::read_model_text(&sources, source, &mut diagnostics).ok()?.model;
    pipeline::read_instance(&typed, &sources, &data, &mut diagnostics).ok()
}

/// The truth of each constraint for random values of the decision variables; `None` if a domain is empty or too large.
pub(crate) fn some_truth(model: &Generated, random: &mut Random) -> Option<Vec<bool>> {
    let instance = instance_of(model)?;
    let mut environment = instance.environment.clone();
    for find in &instance.finds {
        let size = usize::try_from(find.domain.size()?).ok().filter(|size| (1..=1_000).contains(size))?;
        environment.bind_global(find.id, find.domain.members().nth(random.below(size))?);
    }
    let holds = |constraint| instance::holds(constraint, &mut environment).ok();
    instance.model.constraints.iter().map(holds).collect()
}

/// A `letting` with a random value of the model's last decision variable; `None` if its domain is empty.
pub(crate) fn some_value(model: &Generated, name: &str, random: &mut Random) -> Option<String> {
    let instance = instance_of(model)?;
    let find = instance.finds.last()?;
    let size = usize::try_from(find.domain.size()?).ok().filter(|size| *size > 0)?;
    let value = find.domain.members().nth(random.below(size.min(200)))?;
    let ty = &instance.model.declarations[find.id.0 as usize].ty;
    Some(solution::print_value(&name.into(), &value, ty, &instance.names, 120))
}
