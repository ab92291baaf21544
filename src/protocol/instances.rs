//! Requests about instances: solutions, explanations and searches.

use super::{
    Listener, Service, diagnostics,
    places::with_positions,
    refusal,
    reply::{
        self, BoardResult, Cells, EvaluateResult, ExplainResult, ExploreResult, FormResult, InstanceResult, Line,
        MadePuzzle, Phase, Progress, ProgressLine, PuzzleResult, SearchEnded, SearchResult, SearchRun, ShapeResult,
        SolutionLine, SolveResult, Statistics, TextResult, ValidateResult,
    },
    request::{self, AllStrategies, DrawingFormat, Limit, Request, Strategies, Symmetry, WantedDifficulty},
};
use crate::{
    Answer, BoardAnswer, BoardCell, BoardEvent, BoardOptions, BoardSlot, BoardStage, ExplainOptions, ExploreOptions,
    ExplorePage, Goal, Instance, Model, Picture, PictureFormat, Pictures, PuzzleBand, PuzzleOptions, Report,
    ResultShape, SearchOptions, SearchPage, Sheet, ShownValue, Solution, SolveOptions, SolverName, Strategy, Summary,
    SymmetryDetection, Text, Verdict, Workbench, api,
};
use serde_json::{Map, Value};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// The width of solutions in Essence, as in Conjure.
const WIDTH: usize = 120;

/// Returns the model of a request. If it has errors, the data are checked as well, as far as possible.
fn model_of_request(request: &Request) -> Result<Model, Report> {
    let (text, data) = (request.model()?, request.data());
    Model::read(&text).map_err(|_| api::check(&text, if data.is_empty() { &[] } else { std::slice::from_ref(&data) }))
}

/// The warnings of several reports.
fn warnings<'r>(reports: impl IntoIterator<Item = &'r Report>) -> Value {
    let lists = reports.into_iter().map(diagnostics);
    lists.flat_map(|list| list.as_array().cloned().unwrap_or_default()).collect()
}

pub(super) fn answer_instance(request: &Request) -> Result<InstanceResult, Report> {
    let model = model_of_request(request)?;
    let instance = model.instance(&request.data())?;
    Ok(InstanceResult {
        givens: model.givens().map(str::to_owned).collect(),
        finds: model.finds().map(str::to_owned).collect(),
        optimising: model.has_objective(),
        warnings: warnings([&model.warnings(), &instance.warnings()]),
    })
}

/// Answers `form`: the data for an input form.
pub(super) fn answer_form(request: &Request) -> Result<FormResult, Report> {
    Ok(FormResult(model_of_request(request)?.form(&request.data())))
}

/// A model whose wishes may be broken, as in `conjure-like solve`: the prices of broken wishes come before its goals.
struct WishedModel {
    model: Model,
    /// If there are wishes: the model with their prices as goals, and the model without them.
    forms: Option<[Model; 2]>,
}

impl WishedModel {
    fn new(model: Model) -> Result<Self, Report> {
        let forms = model.with_wishes_as_goal()?.zip(model.without_wishes()?);
        Ok(WishedModel { forms: forms.map(|(soft, own)| [soft, own]), model })
    }

    /// The model to solve.
    fn soft(&self) -> &Model {
        self.forms.as_ref().map_or(&self.model, |[soft, _]| soft)
    }

    /// The line of a solution, whose objective is the model's, without the prices.
    fn line(&self, solution: &Solution, number: usize, data: &[Text], pictures: Option<&Pictures>) -> SolutionLine {
        match &self.forms {
            None => solution_line(solution, number, pictures),
            Some([_, own]) => SolutionLine { distance: None, ..other(solution, number, own, data, pictures) },
        }
    }

    /// The names of the wishes that a solution breaks; `None` for a model without wishes.
    fn broken(&self, data: &[Text], solution: &Solution) -> Option<Vec<String>> {
        let broken = self.forms.as_ref().and_then(|_| self.model.broken_wishes(data, solution).ok());
        broken.map(|broken| broken.into_iter().map(|wish| wish.name).collect())
    }
}

/// Answers `board`: the possible values of the cells beside the set ones, and solutions that keep these.
pub(super) fn answer_board(
    service: &Service,
    request: &Request,
    board: &request::Board,
    tell: Listener,
) -> Result<BoardResult, Report> {
    let wished = WishedModel::new(model_of_request(request)?)?;
    let pictures = if board.pictures { Some(wished.model.pictures()?) } else { None };
    let model = wished.soft().clone();
    let (model, data) = match &board.different[..] {
        [] => (model, request.data()),
        // The goal of differing refers to members by name, also in unnamed types and in types from the data.
        _ => model.with_members(&request.data(), &[])?,
    };
    let instance: Instance = wanted_model(&model, &data, board)?.instance(&data)?;
    let options = BoardOptions::default()
        .set(board.set.clone())
        .solutions(board.solutions)
        .possible(board.possible)
        .first(board.first.clone())
        .pictures(pictures.clone())
        .search(service.options(&board.limit, board.seed));
    let mut number = 0;
    // For each variable: true if each of its cells is a yes or no.
    let mut is_ticked: BTreeMap<String, bool> = BTreeMap::new();
    let answer = instance.board(&options, &mut |event| match event {
        BoardEvent::Cells(cells, stage) => {
            for cell in cells {
                *is_ticked.entry(cell.variable.clone()).or_insert(true) &= matches!(cell.values.len(), 1 | 2);
            }
            tell(Line::Cells(Cells { cells: cells.iter().map(board_cell).collect(), stage: stage.map(drawing) }));
        }
        BoardEvent::Solution(solution, values) => {
            number += 1;
            let line = match (&board.different[..], &wished.forms) {
                ([], _) => wished.line(solution, number, &data, pictures.as_ref()),
                (_, None) => other(solution, number, &model, &data, pictures.as_ref()),
                (_, Some([_, own])) => other(solution, number, own, &request.data(), pictures.as_ref()),
            };
            let broken_wishes = wished.broken(&request.data(), solution);
            let position =
                |value: &ShownValue| if let ShownValue::Listed(position) = value { Some(*position) } else { None };
            let other = |(number, value): (usize, &ShownValue)| match value {
                ShownValue::Other(text) => Some((number.to_string(), text.clone())),
                _ => None,
            };
            let chosen = values.iter().map(position).collect();
            let shown = values.iter().enumerate().filter_map(other).collect();
            // The page itself fills the slots of the other pictures, and shows the members of a set as ticks.
            let adds = |picture: &Picture| {
                picture.is_whole() && !(picture.lists_members() && is_ticked.get(&picture.name) == Some(&true))
            };
            let whole = pictures.as_ref().and_then(|pictures| {
                let pictures: Vec<_> = solution.pictures(pictures).into_iter().filter(adds).collect();
                (!pictures.is_empty()).then(|| of_pictures(pictures, PictureFormat::Svg))
            });
            tell(Line::Solution(SolutionLine { chosen: Some(chosen), shown, whole, broken_wishes, ..line }));
        }
    })?;
    let BoardAnswer { possible, conflict, status, solutions, stopped, .. } = answer;
    Ok(BoardResult {
        possible: possible.iter().map(|values| values.iter().map(|value| value.known()).collect()).collect(),
        conflict,
        status: status.map(|status| status.to_string()),
        solutions,
        complete: stopped.is_none(),
    })
}

/// Returns the model of the wanted solutions: all, those better than a given one, or those that are as good as the
/// first given one and differ most from all given ones.
fn wanted_model(model: &Model, data: &[Text], board: &request::Board) -> Result<Model, Report> {
    let goals = |solution: &request::NamedText| -> Result<Vec<(Goal, i64)>, Report> {
        let values = model.goal_values(&model.solution(data, &solution.into())?);
        Ok(model.goals().into_iter().zip(values.into_iter().map(|value| value.value)).collect())
    };
    if let Some(solution) = &board.better {
        let goals = goals(solution)?;
        // A solution is better if some goal has a better value, and all goals before it are at least as good.
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

/// A solution that was found by its distance to others, with the objective of the original model.
fn other(
    farthest: &Solution,
    number: usize,
    model: &Model,
    data: &[Text],
    pictures: Option<&Pictures>,
) -> SolutionLine {
    let text = Text::new("solution", farthest.to_essence(WIDTH));
    let solution = model.solution(data, &text);
    let distance = farthest.objective().map(|value| value.to_value());
    // For `farthest`, the objective is the distance.
    SolutionLine { distance, ..solution_line(solution.as_ref().unwrap_or(farthest), number, pictures) }
}

fn drawing(stage: &BoardStage) -> reply::BoardStage {
    let slot = |slot: &BoardSlot| reply::BoardSlot {
        cell: slot.cell,
        value: slot.value,
        given: slot.given,
        mark: slot.mark.name(),
        rectangle: slot.rectangle,
        label: slot.label.clone(),
        paints: slot.paints.clone(),
    };
    reply::BoardStage {
        svg: stage.svg.clone(),
        slots: stage.slots.iter().map(slot).collect(),
        queen: BoardStage::QUEEN,
    }
}

fn board_cell(cell: &BoardCell) -> reply::BoardCell {
    let values = cell.values.iter().map(|value| [value.shown.clone(), value.says.clone()]);
    reply::BoardCell {
        name: cell.name.clone(),
        variable: cell.variable.clone(),
        labels: cell.labels.clone(),
        values: values.collect(),
    }
}

pub(super) fn answer_solve(
    service: &Service,
    request: &Request,
    solve: &request::Solve,
    tell: Listener,
) -> Result<SolveResult, Report> {
    let options = solve_options(service, solve)?;
    let mut phases = Phases::start();
    let wished = WishedModel::new(model_of_request(request)?)?;
    let (model, data) = (&wished.model, request.data());
    let pictures = if solve.pictures { Some(model.pictures()?) } else { None };
    phases.lap("model", &[("declarations", model.declarations() as u64)]);
    let instance = wished.soft().instance(&data)?;
    phases.lap("instance", &[("variables of the model", instance.finds() as u64)]);
    let compiled = instance.compile(&options)?;
    phases.lap("lowering", &compiled.sizes());
    let shape = |shape: &Value| ResultShape::new(shape.clone(), model, &data);
    let shape = solve.shape.as_ref().map(shape).transpose()?;
    let mut number = 0;
    let summary = compiled.solve(&options, &mut |solution| {
        number += 1;
        let shaped = shape.as_ref().map(|shape| shape.of(solution));
        let line = wished.line(solution, number, &data, pictures.as_ref());
        tell(Line::Solution(SolutionLine { shaped, broken_wishes: wished.broken(&data, solution), ..line }));
        ControlFlow::Continue(())
    })?;
    Ok(SolveResult {
        end: SearchEnded::new(&summary.status, summary.solutions),
        statistics: phases.end(options.solver, &summary),
        warnings: warnings([&model.warnings(), &instance.warnings()]),
    })
}

fn solve_options(service: &Service, solve: &request::Solve) -> Result<SolveOptions, Report> {
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
        .search(service.options(&solve.limit, solve.seed)))
}

/// Returns the line of a solution.
pub(super) fn solution_line(solution: &Solution, number: usize, pictures: Option<&Pictures>) -> SolutionLine {
    let values = solution.essence_values().map(|(name, value)| (name.to_owned(), Value::from(value)));
    SolutionLine {
        number,
        essence: solution.to_essence(WIDTH),
        json: solution.to_value(),
        values: values.collect(),
        objective: solution.objective_json(),
        objective_shown: solution.objective_shown(),
        svg: pictures.map(|pictures| svg(solution, pictures)),
        ..SolutionLine::default()
    }
}

fn svg(solution: &Solution, pictures: &Pictures) -> String {
    drawn(solution, pictures, PictureFormat::Svg)
}

fn drawn(solution: &Solution, pictures: &Pictures, format: PictureFormat) -> String {
    of_pictures(solution.pictures(pictures), format)
}

/// The pictures of a solution as one drawing; `None` if the solution is best shown as text.
pub(super) fn drawn_pictures(pictures: &[Picture]) -> Option<String> {
    (!pictures.is_empty()).then(|| of_pictures(pictures.to_vec(), PictureFormat::Svg))
}

fn of_pictures(pictures: Vec<Picture>, format: PictureFormat) -> String {
    format.render("", &[Sheet { pictures, ..Sheet::default() }], false)
}

/// Draws a given solution.
pub(super) fn answer_draw(request: &Request, draw: &request::Draw) -> Result<TextResult, Report> {
    let model = model_of_request(request)?;
    let format = match draw.format {
        DrawingFormat::Text => PictureFormat::Text,
        DrawingFormat::Svg => PictureFormat::Svg,
        DrawingFormat::Html => PictureFormat::Html,
    };
    let solution = model.solution(&request.data(), &(&draw.solution).into())?;
    Ok(TextResult { text: drawn(&solution, &model.pictures()?, format) })
}

/// Returns a given solution in a wanted shape.
pub(super) fn answer_shape(request: &Request, shape: &request::Shape) -> Result<ShapeResult, Report> {
    let (model, data) = (model_of_request(request)?, request.data());
    let wanted = ResultShape::new(shape.shape.clone(), &model, &data)?;
    let solution = model.solution(&data, &(&shape.solution).into())?;
    Ok(ShapeResult { shaped: wanted.of(&solution) })
}

/// The phases of a run, with their times and sizes.
struct Phases {
    begun: Instant,
    started: Instant,
    phases: Vec<Phase>,
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
        self.phases.push(Phase { phase: name.to_owned(), seconds: seconds(time), counts });
    }

    /// Ends the last phase, which is the search.
    fn end(mut self, solver: SolverName, summary: &Summary) -> Statistics {
        let search = self.started.elapsed();
        let mut found = vec![("solutions", summary.solutions as u64)];
        let counted = summary.statistics.clone().unwrap_or_default();
        self.add("encoding", counted.encoding, &counted.sizes);
        found.extend(counted.counters);
        // Encoding happens during the search, so its time is subtracted.
        self.add("search", search.saturating_sub(counted.encoding), &found);
        Statistics {
            solver: solver.name(),
            method: counted.method,
            seconds: seconds(self.begun.elapsed()),
            bound: counted.bound,
            phases: self.phases,
        }
    }
}

/// A time in seconds, rounded to microseconds.
fn seconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}

pub(super) fn answer_why(
    service: &Service,
    request: &Request,
    why: &request::Why,
    tell: Listener,
) -> Result<ExplainResult, Report> {
    explained(service, request, &why.limit, tell, |model, data, options| {
        let options = &options.clone().in_steps(why.steps);
        match &why.expected {
            Some(expected) => model.why_not(data, &expected.into(), options),
            None if why.better => model.why_nothing_better(data, options),
            None => model.why(data, options),
        }
    })
}

pub(super) fn answer_forced(
    service: &Service,
    request: &Request,
    forced: &request::Forced,
    tell: Listener,
) -> Result<ExplainResult, Report> {
    let constraint = Text::new("constraint", forced.constraint.as_str());
    explained(service, request, &forced.limit, tell, |model, data, options| model.forced(data, &constraint, options))
}

pub(super) fn answer_hint(
    service: &Service,
    request: &Request,
    hint: &request::Hint,
    tell: Listener,
) -> Result<ExplainResult, Report> {
    let known = hint.known.as_ref().map(Text::from);
    explained(service, request, &hint.limit, tell, |model, data, options| {
        model.hint(data, known.as_ref(), hint.all, options)
    })
}

/// Asks a question, and reports each intermediate answer.
fn explained(
    service: &Service,
    request: &Request,
    limit: &Limit,
    tell: Listener,
    ask: impl FnOnce(&Model, &[Text], &ExplainOptions) -> Result<Answer, Report>,
) -> Result<ExplainResult, Report> {
    let model = model_of_request(request)?;
    // Intermediate answers come through a `Fn`, but the listener needs exclusive access.
    let tell = RefCell::new(tell);
    let so_far = |answer: &Answer| {
        let progress = Progress { answer: positioned(answer), text: answer.to_text(false) };
        tell.borrow_mut()(Line::Progress(ProgressLine::Answer(progress)));
    };
    let options = ExplainOptions::default().search(service.options(limit, None)).so_far(Some(&so_far));
    let answer = ask(&model, &request.data(), &options)?;
    Ok(ExplainResult::new(&answer, &model.warnings()))
}

impl ExplainResult {
    /// Returns an explanation with the warnings about its model.
    pub fn new(answer: &Answer, about_model: &Report) -> ExplainResult {
        let about_data = Report { sources: answer.sources.clone(), diagnostics: answer.warnings.clone() };
        ExplainResult {
            answer: positioned(answer),
            text: answer.to_text(false),
            solution: answer.solution.as_ref().map(|(essence, _)| essence.clone()),
            complete: answer.complete,
            says: if answer.complete { String::new() } else { answer.known.to_owned() },
            warnings: warnings([about_model, &about_data]),
        }
    }
}

fn positioned(answer: &Answer) -> Value {
    with_positions(answer.to_value(), &answer.sources)
}

pub(super) fn answer_search(
    service: &Service,
    request: &Request,
    search: &request::Search,
) -> Result<SearchResult, Report> {
    let strategies: Vec<&str> = match &search.strategies {
        Strategies::Named(names) => names.iter().map(String::as_str).collect(),
        Strategies::All(AllStrategies::Compare) => Strategy::COMPARED.to_vec(),
    };
    let strategies = strategies.into_iter().map(|name| name.parse().map_err(|wrong: String| refusal(wrong)));
    let strategies = strategies.collect::<Result<Vec<Strategy>, Report>>()?;
    let model = model_of_request(request)?;
    let instance: Instance = model.instance(&request.data())?;
    let page = search.page.then(|| {
        let title = request.model().map_or(String::new(), |model| model.name);
        // A client of the protocol has typed no command, so the page shows none.
        model.pictures().map(|pictures| SearchPage::default().title(title).command(String::new()).pictures(pictures))
    });
    let options = SearchOptions::default()
        .strategies(strategies)
        .binary(search.binary)
        .transcript(search.transcript)
        .page(page.transpose()?)
        .search(service.options(&search.limit, None));
    let report = instance.search(&options)?;
    let searched = report.runs.iter().map(|run| SearchRun {
        strategy: run.strategy.to_string(),
        verdict: match run.verdict {
            Verdict::Solved => "solved",
            Verdict::Unsatisfiable => "unsatisfiable",
            Verdict::Stopped => "stopped",
        },
        nodes: run.counters.nodes,
        dead_ends: run.counters.dead_ends,
        checks: run.counters.checks,
        prunings: run.counters.prunings,
        seconds: seconds(run.time),
        solution: run.solution.as_ref().map(|found| found.to_essence(WIDTH)),
        transcript: run.transcript.clone(),
    });
    Ok(SearchResult {
        searched: searched.collect(),
        page: report.page,
        warnings: warnings([&model.warnings(), &instance.warnings()]),
    })
}

/// Answers `puzzle`: data with exactly one solution.
pub(super) fn answer_puzzle(
    service: &Service,
    request: &Request,
    wanted: &request::Puzzle,
) -> Result<PuzzleResult, Report> {
    let band = wanted.difficulty.map(|difficulty| match difficulty {
        WantedDifficulty::Easy => PuzzleBand::Easy,
        WantedDifficulty::Medium => PuzzleBand::Medium,
        WantedDifficulty::Hard => PuzzleBand::Hard,
    });
    let seed = u64::from(wanted.seed.unwrap_or(1));
    let options = PuzzleOptions::default()
        .clues(wanted.clues.clone())
        .symmetric(wanted.symmetric)
        .band(band)
        .number(usize::try_from(wanted.number).unwrap_or(usize::MAX))
        .seed(seed)
        .search(service.options(&wanted.limit, None));
    let mut puzzles = Vec::new();
    let series = model_of_request(request)?.puzzles(&request.data(), &options, &mut |puzzle| {
        let measured = puzzle.difficulty;
        puzzles.push(MadePuzzle {
            data: puzzle.data.clone(),
            clues: puzzle.clues,
            steps: measured.steps,
            combined: measured.combined,
            requirements: measured.requirements,
            depth: measured.depth,
        });
        ControlFlow::Continue(())
    })?;
    match series.failure(&options) {
        Some(report) if puzzles.is_empty() && series.stopped.is_none() => Err(report),
        _ => Ok(PuzzleResult { clues: series.clues, puzzles, complete: series.stopped.is_none() }),
    }
}

/// Answers `explore`.
pub(super) fn answer_explore(
    service: &Service,
    request: &Request,
    explore: &request::Explore,
) -> Result<ExploreResult, Report> {
    let model = model_of_request(request)?;
    let instance: Instance = model.instance(&request.data())?;
    let title = request.model().map_or(String::new(), |model| model.name);
    let page = match explore.page {
        true => Some(ExplorePage::default().title(title).pictures(model.pictures()?)),
        false => None,
    };
    let options = ExploreOptions::default()
        .most(explore.most)
        .sample(explore.sample)
        .seed(explore.seed)
        .page(page)
        .search(service.options(&explore.limit, None));
    let space = instance.explore(&options)?;
    Ok(ExploreResult {
        extent: space.extent.name(),
        found: space.found,
        estimate: space.estimate.map(|estimate| estimate.solutions),
        complete: space.stopped.is_none(),
        text: space.to_text(),
        space: space.without_solutions(),
        // If there are no solutions, the page has nothing to show.
        page: space.page.filter(|_| !space.solutions.is_empty()),
        warnings: warnings([&model.warnings(), &instance.warnings()]),
    })
}

pub(super) fn answer_evaluate(request: &Request, evaluate: &request::Evaluate) -> Result<EvaluateResult, Report> {
    let mut bench = Workbench::default();
    bench.model = request.optional_model();
    bench.data = request.data();
    bench.solution = evaluate.solution.as_ref().map(Text::from);
    let evaluated = bench.evaluate(&Text::new("the expression", evaluate.expression.as_str()))?;
    Ok(EvaluateResult {
        text: format!("{} : {}", evaluated.essence, evaluated.ty),
        json: evaluated.value.to_value(),
        warnings: warnings([&evaluated.warnings]),
        essence: evaluated.essence,
        of_type: evaluated.ty,
    })
}

pub(super) fn answer_validate(request: &Request, validate: &request::Validate) -> Result<ValidateResult, Report> {
    let model = model_of_request(request)?;
    let solution = model.solution(&request.data(), &(&validate.solution).into())?;
    let svg = svg(&solution, &model.pictures()?);
    Ok(ValidateResult { valid: true, svg, warnings: warnings([&model.warnings()]) })
}
