//! Puzzles: data for a model with exactly one solution, from which no clue can be left out.

use super::{
    Count, Instance, Model, Outline, Pictures, Report, Solution, SolveOptions, Text, Values, manner::statements_of,
    stack::deep,
};
use crate::{
    diagnostic::{Code, Diagnostic, counted},
    generation::{self, Attempt, ClueParameter, Difficulty, OpenProblem, Pools, PuzzleWish},
    halt::{Halt, StopReason},
    language::{Name, Type, Value},
    picture::{self, Picture, PictureFormat, Sheet},
    rewriting::parameter_generator::GeneratorOptions,
    solver::EngineOptions,
};
use rustc_hash::FxHashSet;
use std::{collections::BTreeSet, num::NonZeroUsize, ops::ControlFlow};

/// The number of puzzles that are measured to set the bands: the easiest third of them is easy, the hardest third hard.
/// Chosen.
const MEASURED_FIRST: usize = 12;
/// The search gives up after this number of attempts plus [`ATTEMPTS_FOR_EACH`] per wanted puzzle. Chosen.
const ATTEMPTS: u64 = 60;
const ATTEMPTS_FOR_EACH: u64 = 10;
/// After this number of attempts, new random members are drawn for parameters with too many possible ones. Chosen.
const ATTEMPTS_WITH_POOL: u64 = 2;

/// A band of difficulty: the easiest, the middle or the hardest third of the puzzles of a model with the same data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleBand {
    /// The easiest third.
    Easy,
    /// The middle third.
    Medium,
    /// The hardest third.
    Hard,
}

with_setters! {
    /// Options for making puzzles.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct PuzzleOptions {
        /// The parameters that get clues; if empty, the ones whose values fix parts of the answer.
        pub clues: Vec<String>,
        /// Place the clues symmetrically about the centre.
        pub symmetric: bool,
        /// The band of difficulty; any by default.
        pub band: Option<PuzzleBand>,
        /// The number of puzzles.
        pub number: usize,
        /// The seed: the same seed makes the same puzzles.
        pub seed: u64,
        /// The limits of the search.
        pub search: EngineOptions,
    }
}

impl Default for PuzzleOptions {
    fn default() -> Self {
        PuzzleOptions {
            clues: Vec::new(),
            symmetric: false,
            band: None,
            number: 1,
            seed: 1,
            search: EngineOptions::default(),
        }
    }
}

/// A puzzle: data with exactly one solution.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Puzzle {
    /// The data, as statements of a parameter file.
    pub data: String,
    /// The only solution.
    pub solution: Solution,
    /// The number of clues. None of them can be left out; with symmetry, no group of symmetric clues can.
    pub clues: usize,
    /// The difficulty, measured by the steps to the solution.
    pub difficulty: Difficulty,
    /// The seed of this puzzle.
    pub seed: u64,
}

/// A series of puzzles, with the number of attempts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PuzzleSeries {
    /// The parameters whose clues were chosen.
    pub clues: Vec<String>,
    /// The parameters that were left empty.
    pub empty: Vec<String>,
    /// The number of puzzles that were made.
    pub made: usize,
    /// The number of attempts.
    pub attempts: u64,
    /// The number of attempts whose data have several solutions even with all clues.
    pub several: u64,
    /// The number of attempts that were given up because a question to the solver took too much work.
    pub unfinished: u64,
    /// The number of puzzles of another difficulty.
    pub other_band: u64,
    /// The least and the largest effort of the puzzles of another difficulty. Measuring stops above the wanted efforts.
    pub other_efforts: Option<(usize, usize)>,
    /// The least and the largest effort in the band, once it is known.
    pub band: Option<(usize, usize)>,
    /// The limit that ended the search before all puzzles were made.
    pub stopped: Option<StopReason>,
}

impl PuzzleSeries {
    /// Reports that there are fewer puzzles than wanted, and what was tried; `None` if there are enough.
    pub fn failure(&self, options: &PuzzleOptions) -> Option<Report> {
        let message = match self.made {
            made if made >= options.number => return None,
            0 => "no puzzle was found".to_owned(),
            some => format!("only {some} of {} were found", counted(options.number, "puzzle")),
        };
        let error = Diagnostic::error(Code::COMMAND_LINE, message).note(self.tried());
        let error = match options.band {
            _ if self.attempts == 0 => error.help("change the values that stay, or the `where` that no data satisfy"),
            Some(_) if self.other_band > 0 => {
                error.help("try another seed or another size, or leave out the difficulty")
            }
            _ => error.help(format!(
                "try another size or another seed, or name more parameters for clues: `--clues {}`",
                self.clues.iter().map(String::as_str).chain(["…"]).collect::<Vec<_>>().join(",")
            )),
        };
        Some(error.into())
    }

    /// The efforts in the band, in words; `None` if any difficulty is wanted.
    pub fn band_in_words(&self) -> Option<String> {
        self.band.map(|band| format!("an effort of {}", effort(band)))
    }

    /// Summarises the attempts in a sentence.
    fn tried(&self) -> String {
        let mut parts = Vec::new();
        let mut part = |number: u64, what: &str| {
            if number > 0 {
                parts.push(format!("{number} {what}"));
            }
        };
        let other = match (self.other_efforts, self.band) {
            (Some(others), Some(band)) => {
                format!("of another difficulty (an effort of {} instead of {})", effort(others), effort(band))
            }
            _ => "of another difficulty".to_owned(),
        };
        part(self.several, "with several solutions even with all clues");
        part(self.unfinished, "given up because a question took too long");
        part(self.other_band, &other);
        match (self.attempts, parts.is_empty()) {
            (0, _) => "no data fit the model".to_owned(),
            (attempts, true) => {
                format!("of {attempts} attempts, the others found the same puzzles again, or no data fit")
            }
            (attempts, false) => format!("of {attempts} attempts: {}", parts.join(", ")),
        }
    }
}

fn effort(range: (usize, usize)) -> String {
    match range {
        (least, usize::MAX) => format!("{least} or more"),
        (0, most) => format!("{most} or less"),
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// The state of making puzzles from a model.
struct PuzzleParameters<'a> {
    model: &'a Model,
    data: &'a [Text],
    /// The parameters with a value in the data.
    given: BTreeSet<String>,
    /// The parameters without a value in the data.
    absent: Vec<String>,
    search: EngineOptions,
}

impl Model {
    /// Makes puzzles, and reports each of them: data with exactly one solution, from which no clue can be left out. The
    /// values in `data` are kept, except for the clues.
    ///
    /// ```
    /// use conjure_like::{Model, PuzzleOptions, Text};
    /// use std::ops::ControlFlow;
    ///
    /// let text = "given hints : function int(1..3) --> int(1..3)\n\
    ///     find order : matrix indexed by [int(1..3)] of int(1..3)\n\
    ///     such that allDiff(order), forAll (place, number) in hints . order[place] = number";
    /// let model = Model::read(&Text::new("order.essence", text))?;
    /// let mut clues = Vec::new();
    /// model.puzzles(&[], &PuzzleOptions::default(), &mut |puzzle| {
    ///     clues.push(puzzle.clues);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(clues, [2]);
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the data do not fit the model, if a parameter that others depend on has no value, or if no
    /// parameter can hold clues.
    pub fn puzzles(
        &self,
        data: &[Text],
        options: &PuzzleOptions,
        found: &mut dyn FnMut(&Puzzle) -> ControlFlow<()>,
    ) -> Result<PuzzleSeries, Report> {
        if let Some(objective) = &self.typed().objective {
            let error = Diagnostic::error(Code::COMMAND_LINE, "a model with an objective makes no puzzles");
            let error = error.at(objective.value.span, "a puzzle has one solution, not a best one");
            return Err(Report::of(&self.sources, vec![error.help("leave this statement out")]));
        }
        self.must_be_without_dominance("a model with a dominance relation makes no puzzles")?;
        let given: BTreeSet<String> = data.iter().flat_map(|text| Outline::read(text).values).collect();
        // A repeatable search with one thread makes the same puzzles for the same seed.
        let search = options.search.clone().threads(NonZeroUsize::new(1)).repeatable(true);
        let absent = self.givens().filter(|name| !given.contains(*name)).map(str::to_owned).collect();
        let parameters = PuzzleParameters { model: self, data, given, absent, search };
        match parameters.clues(options)? {
            Ok((chosen, empty)) => parameters.series(options, &chosen, &empty, found),
            Err(stopped) => Ok(PuzzleSeries { stopped: Some(stopped), ..PuzzleSeries::default() }),
        }
    }
}

/// The result, or the limit that ended the work.
type Limited<T> = Result<T, StopReason>;

impl PuzzleParameters<'_> {
    /// Runs a function with the problem in which these parameters are open. Parameters with too many possible members
    /// get random ones, which depend on the number.
    fn opened<T>(
        &self,
        open: &[String],
        number: u64,
        run: impl FnOnce(&OpenProblem, &Instance, &Pools) -> Result<T, Halt>,
    ) -> Result<Limited<T>, Report> {
        let model = self.model;
        let fixed: FxHashSet<Name> =
            model.givens().filter(|name| !open.iter().any(|open| open == name)).map(Name::from).collect();
        let opened = model.with_open_parameters(&fixed, GeneratorOptions::default())?;
        let data = self.data.iter().map(|text| self.fixed_part(text, open)).collect::<Result<Vec<_>, Report>>()?;
        let instance = opened.instance(&data)?;
        let pools = Pools::new(&instance.bound, open, &|name| self.known(name), number);
        deep(|| {
            let ran = pools.lower(&instance.bound, &self.search).and_then(|lowered| {
                let problem = OpenProblem::new(&instance.bound, &lowered, &instance.sources, open, &self.search)?;
                run(&problem, &instance, &pools)
            });
            match ran {
                Ok(ran) => Ok(Ok(ran)),
                Err(halt) => instance.limit(halt).map(Err),
            }
        })
    }

    /// The value of a parameter in the data, if all data fit the model.
    fn known(&self, name: &str) -> Option<Value> {
        if !self.given.contains(name) {
            return None;
        }
        let bound = self.model.instance(self.data).ok()?.bound;
        let (id, _) = bound.model.declared().find(|(_, declaration)| *declaration.name == *name)?;
        bound.environment.clone().global(id).ok()
    }

    /// The values of a text without the open parameters.
    fn fixed_part(&self, text: &Text, open: &[String]) -> Result<Text, Report> {
        if !Outline::read(text).values.iter().any(|name| open.contains(name)) {
            return Ok(text.clone());
        }
        let values = Values::read(Some(self.model), text)?;
        let fixed = values.iter().map(|(name, _)| name).filter(|name| !open.iter().any(|open| open == name));
        let letting = |name: &str| Some(format!("letting {name} be {}\n", values.essence(name)?));
        Ok(Text::new(&*text.name, fixed.filter_map(letting).collect::<String>()))
    }

    /// The parameters that get clues, and the ones that stay empty.
    #[expect(clippy::type_complexity, reason = "two lists, or the limit that ended the search for them")]
    fn clues(&self, options: &PuzzleOptions) -> Result<Limited<(Vec<String>, Vec<String>)>, Report> {
        let unknown = options.clues.iter().find(|name| !self.model.givens().any(|given| given == *name));
        if let Some(name) = unknown {
            let error = Diagnostic::error(Code::COMMAND_LINE, format!("the model has no parameter `{name}`"));
            let givens: Vec<String> = self.model.givens().map(|name| format!("`{name}`")).collect();
            return Err(error.help(format!("its parameters are {}", givens.join(", "))).into());
        }
        let detect = |open: &[String]| {
            self.opened(open, options.seed, |puzzle, _, _| puzzle.clue_parameters(options.seed)).map(|found| {
                found.map(|found| found.into_iter().map(|one| (one.name.to_string(), one.fixes)).collect::<Vec<_>>())
            })
        };
        if !options.clues.is_empty() {
            let absent = self.absent.iter().filter(|name| !options.clues.contains(name)).cloned().collect();
            return Ok(Ok((options.clues.clone(), absent)));
        }
        let mut found = match self.absent.as_slice() {
            [] => Vec::new(),
            absent => match detect(absent)? {
                Ok(found) => found,
                Err(stopped) => return Ok(Err(stopped)),
            },
        };
        // Even a parameter with a value may hold clues: the value is only an example and is replaced.
        for name in self.model.givens().filter(|name| self.given.contains(*name) && self.may_hold_clues(name)) {
            let open: Vec<String> = self.absent.iter().cloned().chain([name.to_owned()]).collect();
            match detect(&open) {
                Ok(Ok(detected)) => found.extend(detected.into_iter().filter(|(other, _)| other == name)),
                Ok(Err(stopped)) => return Ok(Err(stopped)),
                // This parameter is too large to stay open.
                Err(_) => {}
            }
        }
        let any_fixes = found.iter().any(|(_, fixes)| *fixes);
        // If no clue alone fixes a part of the answer, clues of several parameters may fix it together.
        let is_chosen = |(name, fixes): &(String, bool)| *fixes || (!any_fixes && self.absent.contains(name));
        let chosen: Vec<String> = found.iter().filter(|one| is_chosen(one)).map(|(name, _)| name.clone()).collect();
        let empty = self.absent.iter().filter(|name| !chosen.contains(name)).cloned().collect::<Vec<_>>();
        if chosen.is_empty() && self.absent.is_empty() {
            return Err(self.without_clues());
        }
        Ok(Ok((chosen, empty)))
    }

    fn may_hold_clues(&self, name: &str) -> bool {
        let declarations = &self.model.typed().declarations;
        let declared = declarations.iter().find(|declaration| *declaration.name == *name);
        declared.is_some_and(|declared| match &declared.ty {
            Type::Collection(..) => true,
            // If the elements were collections, there would be too many values to list.
            Type::Matrix(parts) => !parts.iter().any(Type::mentions_collection),
            _ => false,
        })
    }

    fn may_be_made_up(&self, name: &str) -> bool {
        let declarations = &self.model.typed().declarations;
        let declared = declarations.iter().find(|declaration| *declaration.name == *name);
        declared.is_some_and(|declared| matches!(declared.ty, Type::Collection(..) | Type::Matrix(_)))
    }

    fn without_clues(&self) -> Report {
        let message = "no parameter of the model holds clues: none can be empty and fixes parts of the answer";
        let error = Diagnostic::error(Code::COMMAND_LINE, message);
        let names: Vec<&str> = self.model.givens().filter(|name| self.may_be_made_up(name)).collect();
        match names.is_empty() {
            true => error.help(
                "give the model a parameter, such as `given hints : function (int(1..9), int(1..9)) --> int(1..9)`",
            ),
            false => error.help(format!(
                "leave parameters out of the data, or name the ones to choose clues for: `--clues {}`",
                names.join(",")
            )),
        }
        .into()
    }

    /// Makes the puzzles.
    fn series(
        &self,
        options: &PuzzleOptions,
        chosen: &[String],
        others: &[String],
        found: &mut dyn FnMut(&Puzzle) -> ControlFlow<()>,
    ) -> Result<PuzzleSeries, Report> {
        let open: Vec<String> = chosen.iter().chain(others).cloned().collect();
        let most = ATTEMPTS.saturating_add(ATTEMPTS_FOR_EACH.saturating_mul(options.number as u64));
        let mut search = PuzzleSearch {
            parameters: self,
            options,
            open: &open,
            chosen,
            band: BandSearch::new(options),
            known: BTreeSet::new(),
            series: PuzzleSeries::default(),
            wrong: None,
        };
        let first = options.seed.wrapping_mul(1_000_003);
        for number in 0.. {
            let before = search.series.attempts;
            let ran = self.opened(&open, first.wrapping_add(number), |puzzle, opened, pools| {
                let until = if pools.is_random { most.min(before + ATTEMPTS_WITH_POOL) } else { most };
                search.attempts(puzzle, opened, until, found)?;
                Ok(pools.is_random)
            })?;
            if let Some(report) = search.wrong {
                return Err(report);
            }
            match ran {
                Err(stopped) => search.series.stopped = Some(stopped),
                Ok(true) if !search.is_done(most) && search.series.attempts > before => continue,
                Ok(_) => {}
            }
            break;
        }
        search.band.end(found);
        (search.series.made, search.series.other_band) = (search.band.made, search.band.others);
        (search.series.other_efforts, search.series.band) = (search.band.other_efforts, search.band.wanted_efforts());
        Ok(search.series)
    }

    /// The data of a puzzle: the values that stay, and the values of the open parameters.
    fn data_of(&self, opened: &Instance, solution: &Solution, open: &[String]) -> String {
        opened.data() + &statements_of(&solution.clone().showing(open))
    }

    /// Solves the data again, and measures the puzzle up to an effort.
    fn verified(&self, data: String, clues: usize, seed: u64, most: usize) -> Result<Verified, Report> {
        let instance = self.model.instance(&[Text::new("the puzzle", data.as_str())])?;
        let options = SolveOptions { solutions: Count::First(2), search: self.search.clone(), ..Default::default() };
        let mut solutions = Vec::new();
        let summary = instance.solve(&options, &mut |solution| {
            solutions.push(solution.clone());
            ControlFlow::Continue(())
        })?;
        let [solution] = solutions.as_slice() else { return Ok(Verified::Several) };
        if !summary.status.knows_all() {
            return Ok(Verified::Several);
        }
        let measured =
            deep(|| generation::difficulty(&instance.bound, solution.decided(), &instance.sources, &self.search, most));
        match measured {
            Ok(difficulty) if difficulty.effort > most => Ok(Verified::Harder(difficulty.effort)),
            Ok(difficulty) => {
                let solution = solution.clone();
                Ok(Verified::Puzzle(Box::new(Puzzle { data, solution, clues, difficulty, seed })))
            }
            Err(halt) => instance.limit(halt).map(|_| Verified::Several),
        }
    }
}

/// The result of solving the data of a puzzle again.
enum Verified {
    Puzzle(Box<Puzzle>),
    /// The puzzle takes at least this effort, more than was wanted.
    Harder(usize),
    /// The data have several solutions, or a limit was reached.
    Several,
}

/// The search for the puzzles of a series.
struct PuzzleSearch<'a> {
    parameters: &'a PuzzleParameters<'a>,
    options: &'a PuzzleOptions,
    open: &'a [String],
    chosen: &'a [String],
    band: BandSearch,
    /// The data of the puzzles so far.
    known: BTreeSet<String>,
    series: PuzzleSeries,
    wrong: Option<Report>,
}

impl PuzzleSearch<'_> {
    fn is_done(&self, most: u64) -> bool {
        self.band.is_done() || self.series.stopped.is_some() || self.series.attempts >= most
    }

    /// Makes puzzles of a problem, up to this number of attempts in all.
    fn attempts(
        &mut self,
        puzzle: &OpenProblem,
        opened: &Instance,
        until: u64,
        found: &mut dyn FnMut(&Puzzle) -> ControlFlow<()>,
    ) -> Result<(), Halt> {
        let options = self.options;
        let parameters = puzzle.clue_parameters(options.seed)?;
        let (clues, empty): (Vec<ClueParameter>, Vec<ClueParameter>) =
            parameters.into_iter().partition(|parameter| self.chosen.iter().any(|name| **name == *parameter.name));
        let names = |list: &[ClueParameter]| list.iter().map(|one| one.name.to_string()).collect::<Vec<_>>();
        (self.series.clues, self.series.empty) = (names(&clues), names(&empty));
        if options.symmetric && !clues.iter().any(|parameter| puzzle.has_positions(parameter)) {
            let message = "the places of these clues have no numbers, so that no pattern of them is symmetric";
            return Err(Diagnostic::error(Code::COMMAND_LINE, message).help("leave out --symmetric").into());
        }
        let wanted = PuzzleWish { clues: &clues, empty: &empty, symmetric: options.symmetric };
        while !self.is_done(until) {
            let seed = options.seed.wrapping_mul(1_000_003).wrapping_add(self.series.attempts);
            self.series.attempts += 1;
            match puzzle.make(&wanted, seed)? {
                Attempt::Made(values, count) => {
                    let solution = Solution::new(opened.bound.clone(), values);
                    let data = self.parameters.data_of(opened, &solution, self.open);
                    if !self.known.insert(data.clone()) {
                        continue;
                    }
                    match self.parameters.verified(data, count, seed, self.band.most_effort()) {
                        Ok(Verified::Puzzle(puzzle)) => self.band.take(*puzzle, found),
                        Ok(Verified::Harder(effort)) => self.band.reject(effort),
                        Ok(Verified::Several) => self.series.several += 1,
                        Err(report) => {
                            self.wrong = Some(report);
                            break;
                        }
                    }
                }
                Attempt::Several => self.series.several += 1,
                Attempt::Unfinished => self.series.unfinished += 1,
                Attempt::NoData => {
                    self.series.attempts -= 1;
                    break;
                }
            }
            self.series.stopped = self.parameters.search.reached();
        }
        Ok(())
    }
}

/// The puzzles of a band, among all that are made.
struct BandSearch {
    band: Option<PuzzleBand>,
    wanted: usize,
    /// The puzzles that are measured before the bands are known.
    first: Vec<Puzzle>,
    /// The least and the largest effort of the band, once it is known.
    range: Option<(usize, usize)>,
    made: usize,
    others: u64,
    /// The least and the largest effort of the others.
    other_efforts: Option<(usize, usize)>,
    ended: bool,
}

impl BandSearch {
    fn new(options: &PuzzleOptions) -> Self {
        BandSearch {
            band: options.band,
            wanted: options.number,
            first: Vec::new(),
            range: options.band.is_none().then_some((0, usize::MAX)),
            made: 0,
            others: 0,
            other_efforts: None,
            ended: false,
        }
    }

    fn is_done(&self) -> bool {
        self.ended || self.made >= self.wanted
    }

    fn take(&mut self, puzzle: Puzzle, found: &mut dyn FnMut(&Puzzle) -> ControlFlow<()>) {
        if self.range.is_some() {
            return self.offer(&puzzle, found);
        }
        self.first.push(puzzle);
        if self.first.len() == MEASURED_FIRST {
            self.end(found);
        }
    }

    /// Derives the band from the puzzles so far, and reports the ones in it.
    fn end(&mut self, found: &mut dyn FnMut(&Puzzle) -> ControlFlow<()>) {
        if self.range.is_none() {
            self.range = self.band.and_then(|band| band.range(&self.first));
        }
        for puzzle in std::mem::take(&mut self.first) {
            if !self.is_done() {
                self.offer(&puzzle, found);
            }
        }
    }

    fn offer(&mut self, puzzle: &Puzzle, found: &mut dyn FnMut(&Puzzle) -> ControlFlow<()>) {
        let effort = puzzle.difficulty.effort;
        if self.range.is_some_and(|(least, most)| least <= effort && effort <= most) {
            self.made += 1;
            self.ended = found(puzzle).is_break();
        } else {
            self.reject(effort);
        }
    }

    fn reject(&mut self, effort: usize) {
        self.others += 1;
        let (least, most) = self.other_efforts.unwrap_or((effort, effort));
        self.other_efforts = Some((least.min(effort), most.max(effort)));
    }

    /// The largest effort of the wanted puzzles, as far as it is known.
    fn most_effort(&self) -> usize {
        self.range.map_or(usize::MAX, |(_, most)| most)
    }

    fn wanted_efforts(&self) -> Option<(usize, usize)> {
        self.range.filter(|_| self.band.is_some())
    }
}

impl PuzzleBand {
    /// The least and the largest effort of the band, estimated from these puzzles; `None` if there are none.
    fn range(self, puzzles: &[Puzzle]) -> Option<(usize, usize)> {
        let mut efforts: Vec<usize> = puzzles.iter().map(|puzzle| puzzle.difficulty.effort).collect();
        efforts.sort_unstable();
        let last = efforts.len().checked_sub(1)?;
        let (low, high) = (efforts[last / 3], efforts[last - last / 3]);
        Some(match self {
            PuzzleBand::Easy => (0, low),
            PuzzleBand::Medium => (low, high),
            PuzzleBand::Hard => (high, usize::MAX),
        })
    }
}

impl Puzzle {
    /// A drawing of the puzzle, with the clues that the picture of a variable can show; `None` if no picture has room
    /// for values.
    pub fn drawing(&self, how: &Pictures) -> Option<String> {
        let pictures = self.pictures(how, true);
        (!pictures.is_empty()).then(|| PictureFormat::Svg.render("", &[Sheet { pictures, ..Sheet::default() }], false))
    }

    /// A drawing of the solution; `None` if the variables have no pictures.
    pub fn solved_drawing(&self, how: &Pictures) -> Option<String> {
        let pictures = self.pictures(how, false);
        (!pictures.is_empty()).then(|| PictureFormat::Svg.render("", &[Sheet { pictures, ..Sheet::default() }], false))
    }

    /// The data that the drawing of the puzzle does not show, as statements. Numbers, such as the size of a board, are
    /// left out.
    pub fn undrawn(&self, how: &Pictures) -> String {
        let model = &self.solution.instance().model;
        let is_drawn = !self.pictures(how, true).is_empty();
        let drawn: BTreeSet<&str> = match is_drawn {
            true => how.directives.iter().flat_map(|directive| directive.names(model)).collect(),
            false => BTreeSet::new(),
        };
        let is_shown = |statement: &&str| {
            let name = statement.split_whitespace().next().unwrap_or_default();
            let declared = model.declarations.iter().find(|declared| *declared.name == *name);
            !drawn.contains(name) && declared.is_none_or(|declared| !matches!(declared.ty, Type::Int(_)))
        };
        let statements = self.data.split("letting ").skip(1).filter(is_shown);
        statements.map(|statement| format!("letting {statement}")).collect()
    }

    fn pictures(&self, how: &Pictures, unsolved: bool) -> Vec<Picture> {
        let mut pictures = self.solution.pictures(how);
        pictures.retain_mut(|picture| match unsolved {
            true => picture::stage::unsolved(picture),
            false => picture.is_drawn(),
        });
        pictures
    }
}
