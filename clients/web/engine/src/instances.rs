//! Questions about instances: solutions, explanations, searches.

use crate::{
    answer::{Outcome, diagnostics, write},
    places::with_positions,
    request::{self, Compared, Limit, Request, Strategies, Symmetry, refusal},
};
use conjure_like::{
    Answer, BoardAnswer, BoardCell, BoardEvent, BoardOptions, ExplainOptions, ExploreOptions, ExplorePage, Extent,
    Goal, Instance, Model, PictureFormat, Pictures, Possibility, Report, SearchOptions, SearchPage, Sheet, Solution,
    SolveOptions, SolveStatus, SolverName, Strategy, Summary, SymmetryDetection, Text, Values, Verdict, Workbench,
    check,
};
use serde_json::{Map, Value, json};
use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// The width of solutions in Essence.
const WIDTH: usize = 120;

/// The model of a request. The data are checked, too, as far as that is possible beside a model with mistakes.
fn model(request: &Request) -> Result<Model, Report> {
    let (text, data) = (request.model()?, request.data());
    Model::read(&text).map_err(|_| check(&text, if data.is_empty() { &[] } else { std::slice::from_ref(&data) }))
}

/// The warnings of several reports.
fn warnings<'r>(reports: impl IntoIterator<Item = &'r Report>) -> Value {
    let lists = reports.into_iter().map(diagnostics);
    lists.flat_map(|list| list.as_array().cloned().unwrap_or_default()).collect()
}

pub(crate) fn instance(request: &Request) -> Outcome {
    let model = model(request)?;
    let instance = model.instance(&request.data())?;
    Ok(json!({
        "givens": model.givens().collect::<Vec<_>>(),
        "finds": model.finds().collect::<Vec<_>>(),
        "optimising": model.has_objective(),
        "warnings": warnings([&model.warnings(), &instance.warnings()]),
    }))
}

/// What to ask people for.
pub(crate) fn form(request: &Request) -> Outcome {
    Ok(model(request)?.form(&request.data()))
}

/// What the cells of a board can be beside the set ones, and solutions that keep these.
pub(crate) fn board(request: &Request, board: &request::Board) -> Outcome {
    let model = model(request)?;
    let pictures = if board.pictures { Some(model.pictures()?) } else { None };
    let (model, data) = match &board.different[..] {
        [] => (model, request.data()),
        // The goal to differ names members of types that only the data list, and of unnamed types.
        _ => model.with_members(&request.data())?,
    };
    let instance: Instance = wanted(&model, &data, board)?.instance(&data)?;
    let options = BoardOptions::default()
        .set(board.set.clone())
        .solutions(board.solutions)
        .possible(board.possible)
        .first(board.first.clone())
        .search(board.limit.options(board.seed));
    let mut number = 0;
    let answer = instance.board(&options, &mut |event| match event {
        BoardEvent::Cells(cells) => write("cells", &json!({"cells": cells.iter().map(cell).collect::<Value>()})),
        BoardEvent::Solution(solution, chosen) => {
            number += 1;
            let mut line = match &board.different[..] {
                [] => shown(solution, pictures.as_ref()),
                _ => other(solution, (&model, &data), pictures.as_ref()),
            };
            line.insert("number".to_owned(), number.into());
            line.insert("chosen".to_owned(), chosen.iter().map(|option| json!(option)).collect());
            write("solution", &line.into());
        }
        _ => {}
    })?;
    let BoardAnswer { possible, conflict, status, solutions, stopped, .. } = answer;
    let possibility = |value: &Possibility| match value {
        Possibility::Possible => Value::Bool(true),
        Possibility::Impossible => Value::Bool(false),
        Possibility::Unknown => Value::Null,
    };
    let possible = possible.iter().map(|values| values.iter().map(possibility).collect::<Value>());
    Ok(json!({
        "possible": possible.collect::<Value>(),
        "conflict": conflict,
        "status": status.map(|status| status.to_string()),
        "solutions": solutions,
        "complete": stopped.is_none(),
    }))
}

/// The model of the solutions that are wanted: all, those that are better than one, or those that are as good as the
/// first of some and differ most from these.
fn wanted(model: &Model, data: &[Text], board: &request::Board) -> Result<Model, Report> {
    let goals = |solution: &request::NamedText| -> Result<Vec<(Goal, i64)>, Report> {
        let values = model.goal_values(&model.solution(data, &solution.into())?);
        Ok(model.goals().into_iter().zip(values.into_iter().map(|value| value.value)).collect())
    };
    if let Some(solution) = &board.better {
        let goals = goals(solution)?;
        // One goal is better, and those before it are as good.
        let better = (0..goals.len()).map(|place| {
            let parts = goals[..=place].iter().enumerate();
            let better_at = |at| if at < place { 0 } else { -1 };
            let parts = parts.map(|(at, (goal, value))| goal.at_least_as_good_as(*value, better_at(at)));
            format!("({})", parts.collect::<Vec<_>>().join(" /\\ "))
        });
        return model.requiring(&[better.collect::<Vec<_>>().join(" \\/ ")]);
    }
    let Some(first) = board.different.first() else { return Ok(model.clone()) };
    let goals = goals(first)?;
    let as_good: Vec<String> = goals.iter().map(|(goal, value)| goal.at_least_as_good_as(*value, 0)).collect();
    let plans: Vec<Text> = board.different.iter().map(Text::from).collect();
    model.requiring(&as_good)?.farthest_from(&plans)
}

/// The members of a line about a solution that was found for its distance to others: with the objective of the model.
fn other(farthest: &Solution, (model, data): (&Model, &[Text]), pictures: Option<&Pictures>) -> Map<String, Value> {
    let text = Text::new("solution", farthest.to_essence(WIDTH));
    let solution = model.solution(data, &text);
    let mut line = shown(solution.as_ref().unwrap_or(farthest), pictures);
    line.insert("distance".to_owned(), farthest.objective().map_or(Value::Null, |value| value.to_value()));
    line
}

fn cell(cell: &BoardCell) -> Value {
    let values = cell.values.iter().map(|value| json!([value.shown, value.says]));
    json!({"name": cell.name, "variable": cell.variable, "values": values.collect::<Value>()})
}

pub(crate) fn solve(request: &Request, solve: &request::Solve) -> Outcome {
    let options = solve_options(solve)?;
    let mut phases = Phases::start();
    let model = model(request)?;
    let pictures = if solve.pictures { Some(model.pictures()?) } else { None };
    phases.lap("model", &[("declarations", model.declarations() as u64)]);
    let instance = model.instance(&request.data())?;
    phases.lap("instance", &[("variables of the model", instance.finds() as u64)]);
    let compiled = instance.compile(&options)?;
    phases.lap("lowering", &compiled.sizes());
    let mut number = 0;
    let summary = compiled.solve(&options, &mut |solution| {
        number += 1;
        let mut line = shown(solution, pictures.as_ref());
        line.insert("number".to_owned(), number.into());
        write("solution", &line.into());
        ControlFlow::Continue(())
    })?;
    Ok(json!({
        "status": summary.status.to_string(),
        "says": says(&summary),
        "solutions": summary.solutions,
        "statistics": phases.end(options.solver, &summary),
        "warnings": warnings([&model.warnings(), &instance.warnings()]),
    }))
}

fn solve_options(solve: &request::Solve) -> Result<SolveOptions, Report> {
    let solver = match &solve.solver {
        None => SolverName::default(),
        Some(name) => name.parse().map_err(refusal)?,
    };
    let unnamed_symmetry = match &solve.unnamed_symmetry {
        None => None,
        Some(name) if name == "none" => None,
        Some(name) => {
            let breaking = name.parse();
            Some(breaking.map_err(|known| refusal(format!("`unnamed_symmetry` is `{name}`, and not {known}")))?)
        }
    };
    let symmetry = match solve.symmetry {
        Symmetry::Auto => SymmetryDetection::Auto,
        Symmetry::On => SymmetryDetection::On,
        Symmetry::Off => SymmetryDetection::Off,
    };
    Ok(SolveOptions::default()
        .solver(solver)
        .solutions(solve.solutions)
        .unnamed_symmetry(unnamed_symmetry)
        .symmetry(symmetry)
        .search(solve.limit.options(solve.seed)))
}

/// The members of a line about a solution.
pub(crate) fn shown(solution: &Solution, pictures: Option<&Pictures>) -> Map<String, Value> {
    let essence = solution.to_essence(WIDTH);
    let values = Values::read(None, &Text::new("solution", essence.as_str())).map_or(Map::new(), |values| {
        let named = values.iter().filter_map(|(name, _)| Some((name.to_owned(), values.essence(name)?.into())));
        named.collect()
    });
    let line = json!({
        "number": null,
        "essence": essence,
        "json": solution.to_value(),
        "values": values,
        "objective": solution.objective().map(|value| value.to_value()),
    });
    let mut line = line.as_object().cloned().unwrap_or_default();
    if let Some(pictures) = pictures {
        line.insert("svg".to_owned(), svg(solution, pictures).into());
    }
    line
}

fn svg(solution: &Solution, pictures: &Pictures) -> String {
    let sheet = Sheet { pictures: solution.pictures(pictures), ..Sheet::default() };
    PictureFormat::Svg.render("", &[sheet], false)
}

/// How a search ended, as a sentence.
pub(crate) fn says(summary: &Summary) -> String {
    let found = match summary.solutions {
        0 => "no solution was found until then".to_owned(),
        1 => "1 solution was found".to_owned(),
        count => format!("{count} solutions were found"),
    };
    match &summary.status {
        SolveStatus::Satisfied | SolveStatus::AllSolutions if summary.solutions == 1 => "1 solution found.".to_owned(),
        SolveStatus::Satisfied => format!("{} solutions found.", summary.solutions),
        SolveStatus::AllSolutions => format!("{} solutions found; there are no more.", summary.solutions),
        SolveStatus::Optimal => "This is a best solution.".to_owned(),
        SolveStatus::Unsatisfiable => "No solutions found.".to_owned(),
        SolveStatus::TimeLimit => format!("The time limit ended the search; {found}."),
        SolveStatus::Interrupted => format!("The search was ended; {found}."),
        SolveStatus::Unknown(reason) => format!("The solver gave up: {reason}; {found}."),
        other => format!("The search ended: {other}; {found}."),
    }
}

/// The phases of a run, with their times and sizes.
struct Phases {
    begun: Instant,
    started: Instant,
    phases: Vec<Value>,
}

impl Phases {
    fn start() -> Self {
        let now = Instant::now();
        Phases { begun: now, started: now, phases: Vec::new() }
    }

    fn lap(&mut self, name: &str, counts: &[(&'static str, u64)]) {
        self.add(name, self.started.elapsed(), counts);
        self.started = Instant::now();
    }

    fn add(&mut self, name: &str, time: Duration, counts: &[(&'static str, u64)]) {
        let counts: Map<String, Value> =
            counts.iter().map(|(name, count)| ((*name).to_owned(), (*count).into())).collect();
        self.phases.push(json!({"phase": name, "seconds": seconds(time), "counts": counts}));
    }

    /// The search ends here, the last phase.
    fn end(mut self, solver: SolverName, summary: &Summary) -> Value {
        let search = self.started.elapsed();
        let mut found = vec![("solutions", summary.solutions as u64)];
        let counted = summary.statistics.clone().unwrap_or_default();
        self.add("encoding", counted.encoding, &counted.sizes);
        found.extend(counted.counters);
        self.add("search", search.saturating_sub(counted.encoding), &found);
        json!({
            "solver": solver.name(),
            "method": counted.method,
            "seconds": seconds(self.begun.elapsed()),
            "bound": counted.bound,
            "phases": self.phases,
        })
    }
}

/// A time in seconds; digits beyond a microsecond are meaningless.
fn seconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}

pub(crate) fn why(request: &Request, why: &request::Why) -> Outcome {
    explained(request, &why.limit, |model, data, options| match &why.expected {
        Some(expected) => model.why_not(data, &expected.into(), options),
        None if why.better => model.why_nothing_better(data, options),
        None => model.why(data, options),
    })
}

pub(crate) fn forced(request: &Request, forced: &request::Forced) -> Outcome {
    let constraint = Text::new("constraint", forced.constraint.as_str());
    explained(request, &forced.limit, |model, data, options| model.forced(data, &constraint, options))
}

pub(crate) fn hint(request: &Request, hint: &request::Hint) -> Outcome {
    let known = hint.known.as_ref().map(Text::from);
    explained(request, &hint.limit, |model, data, options| model.hint(data, known.as_ref(), hint.all, options))
}

/// Asks a question and writes what is known so far whenever that becomes better.
fn explained(
    request: &Request,
    limit: &Limit,
    ask: impl FnOnce(&Model, &[Text], &ExplainOptions) -> Result<Answer, Report>,
) -> Outcome {
    let model = model(request)?;
    let so_far = |answer: &Answer| {
        write("progress", &json!({"answer": positioned(answer), "text": answer.to_text(false)}));
    };
    let options = ExplainOptions::default().search(limit.options(None)).so_far(&so_far);
    let answer = ask(&model, &request.data(), &options)?;
    let about_data = Report { sources: answer.sources.clone(), diagnostics: answer.warnings.clone() };
    Ok(json!({
        "answer": positioned(&answer),
        "text": answer.to_text(false),
        "solution": answer.solution.as_ref().map(|(essence, _)| essence),
        "complete": answer.complete,
        "says": if answer.complete { "" } else { answer.known },
        "warnings": warnings([&model.warnings(), &about_data]),
    }))
}

fn positioned(answer: &Answer) -> Value {
    with_positions(answer.to_value(), &answer.sources)
}

pub(crate) fn search(request: &Request, search: &request::Search) -> Outcome {
    let strategies: Vec<&str> = match &search.strategies {
        Strategies::Named(names) => names.iter().map(String::as_str).collect(),
        Strategies::Compared(Compared::Compare) => Strategy::COMPARED.to_vec(),
    };
    let strategies = strategies.into_iter().map(|name| name.parse().map_err(|wrong: String| refusal(wrong)));
    let strategies = strategies.collect::<Result<Vec<Strategy>, Report>>()?;
    let model = model(request)?;
    let instance: Instance = model.instance(&request.data())?;
    let page = search.page.then(|| {
        let title = request.model().map_or(String::new(), |model| model.name);
        model.pictures().map(|pictures| SearchPage::default().title(title).command(String::new()).pictures(pictures))
    });
    let options = SearchOptions::default()
        .strategies(strategies)
        .binary(search.binary)
        .transcript(search.transcript)
        .page(page.transpose()?)
        .search(search.limit.options(None));
    let report = instance.search(&options)?;
    let searched = report.runs.iter().map(|run| {
        json!({
            "strategy": run.strategy.to_string(),
            "verdict": match run.verdict {
                Verdict::Solved => "solved",
                Verdict::Unsatisfiable => "unsatisfiable",
                Verdict::Stopped => "stopped",
            },
            "nodes": run.counters.nodes,
            "dead_ends": run.counters.dead_ends,
            "checks": run.counters.checks,
            "prunings": run.counters.prunings,
            "seconds": seconds(run.time),
            "solution": run.solution.as_ref().map(|found| found.to_essence(WIDTH)),
            "transcript": run.transcript,
        })
    });
    Ok(json!({
        "searched": searched.collect::<Value>(),
        "page": report.page,
        "warnings": warnings([&model.warnings(), &instance.warnings()]),
    }))
}

/// The space of solutions, as a page.
pub(crate) fn explore(request: &Request, explore: &request::Explore) -> Outcome {
    let model = model(request)?;
    let instance: Instance = model.instance(&request.data())?;
    let title = request.model().map_or(String::new(), |model| model.name);
    let options = ExploreOptions::default()
        .most(explore.most)
        .sample(explore.sample)
        .seed(explore.seed)
        .page(Some(ExplorePage::default().title(title).pictures(model.pictures()?)))
        .search(explore.limit.options(None));
    let space = instance.explore(&options)?;
    Ok(json!({
        "extent": match space.extent {
            Extent::All => "all",
            Extent::Sample => "sample",
            Extent::First => "first",
        },
        "found": space.found,
        "estimate": space.estimate.map(|estimate| estimate.solutions),
        "complete": space.stopped.is_none(),
        "page": space.page.filter(|_| !space.solutions.is_empty()),
        "warnings": warnings([&model.warnings(), &instance.warnings()]),
    }))
}

pub(crate) fn evaluate(request: &Request, evaluate: &request::Evaluate) -> Outcome {
    let mut bench = Workbench::default();
    bench.model = request.optional_model();
    bench.data = request.data();
    bench.solution = evaluate.solution.as_ref().map(Text::from);
    let evaluated = bench.evaluate(&Text::new("the expression", evaluate.expression.as_str()))?;
    Ok(json!({
        "text": format!("{} : {}", evaluated.essence, evaluated.ty),
        "essence": evaluated.essence,
        "of_type": evaluated.ty,
        "json": evaluated.value.to_value(),
        "warnings": warnings([&evaluated.warnings]),
    }))
}

pub(crate) fn validate(request: &Request, validate: &request::Validate) -> Outcome {
    let model = model(request)?;
    let solution = model.solution(&request.data(), &(&validate.solution).into())?;
    Ok(json!({
        "valid": true,
        "svg": svg(&solution, &model.pictures()?),
        "warnings": warnings([&model.warnings()]),
    }))
}
