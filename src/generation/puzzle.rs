//! Makes puzzles from a model with open parameters.

use super::{
    clues::ClueParameter,
    open::{CluePlace, OpenProblem, RandomWish, checked},
};
use crate::{
    halt::Halt,
    instance::SolutionValues,
    problem::{Bool, Problem},
    solver::{AssumptionResult, Incremental, incremental},
    symbolic::{Symbolic, Term},
};
use rustc_hash::FxHashSet;

/// The wish for a puzzle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PuzzleWish<'a> {
    /// The parameters whose clues are chosen.
    pub clues: &'a [ClueParameter],
    /// The other parameters that can be empty and stay empty.
    pub empty: &'a [ClueParameter],
    /// True if the places of clues are symmetric about the centre of each parameter.
    pub symmetric: bool,
}

/// The result of an attempt to make a puzzle.
#[derive(Clone, Debug)]
pub(crate) enum Attempt {
    /// A puzzle: the values of the open parameters and the solution, and the number of clues.
    Made(SolutionValues, usize),
    /// The data have several solutions even with all clues.
    Several,
    /// A question took too much work.
    Unfinished,
    /// No data fit the model.
    NoData,
}

impl OpenProblem<'_> {
    /// Makes a puzzle from a random solution.
    pub(crate) fn make(&self, wanted: &PuzzleWish, seed: u64) -> Result<Attempt, Halt> {
        let mut random = fastrand::Rng::with_seed(seed);
        let empty: Vec<CluePlace> = wanted.empty.iter().flat_map(|parameter| parameter.places.clone()).collect();
        let wish = RandomWish { empty: &empty, density: None };
        let Some(assignment) = self.random_solution(&mut *self.solver(), wish, &mut random)? else {
            return Ok(Attempt::NoData);
        };
        let values = self.lowered.read_back(&assignment);
        let mut symbolic = Symbolic::from(self.problem.clone());
        let (mut same, mut fixed) = (Vec::new(), Vec::new());
        for (id, term) in &self.lowered.layout {
            let name = &self.instance.model.declaration(*id).name;
            let Some((_, value)) = values.iter().find(|(found, _)| found == id) else { continue };
            if wanted.clues.iter().any(|parameter| parameter.name == *name) {
                continue;
            }
            let equal = symbolic.equal(term, &Term::Value(value.clone()));
            if self.open.contains(name) { fixed.push(equal) } else { same.push(equal) }
        }
        let same = symbolic.problem.and(same);
        let problem = symbolic.finish()?;
        let solver = &mut *incremental(&problem, &self.options);
        let mut board = ClueBoard { puzzle: self, problem: &problem, solver, same, fixed, clues: Vec::new() };
        board.fill(wanted.clues, &mut random)?;
        match board.minimal(wanted.symmetric, &mut random)? {
            Ok(kept) => match board.values(&kept)? {
                Some(values) => Ok(Attempt::Made(values, kept.iter().filter(|kept| **kept).count())),
                None => Ok(Attempt::Unfinished),
            },
            Err(attempt) => Ok(attempt),
        }
    }

    /// True if the places of a clue parameter are numbered, so that a pattern of them can be symmetric.
    pub(crate) fn has_positions(&self, parameter: &ClueParameter) -> bool {
        parameter.places.iter().all(|place| self.position(*place).is_some())
    }

    fn position(&self, place: CluePlace) -> Option<Vec<i64>> {
        let labels = &self.cells[place.cell].labels;
        labels.iter().map(|label| label.parse().ok()).collect::<Option<Vec<i64>>>().filter(|labels| !labels.is_empty())
    }
}

/// A solution with its clues.
struct ClueBoard<'b, 'p> {
    puzzle: &'b OpenProblem<'b>,
    problem: &'p Problem,
    solver: &'b mut (dyn Incremental + 'p),
    /// True if the decision variables have the values of the solution.
    same: Bool,
    /// Each parameter without clues has its value.
    fixed: Vec<Bool>,
    /// The places for clues with their clues; `None` for places that stay blank.
    clues: Vec<(CluePlace, Option<Bool>)>,
}

impl ClueBoard<'_, '_> {
    /// Puts a clue into each place for which the solution allows one.
    fn fill(&mut self, parameters: &[ClueParameter], random: &mut fastrand::Rng) -> Result<(), Halt> {
        let mut places: Vec<CluePlace> = parameters.iter().flat_map(|parameter| parameter.places.clone()).collect();
        super::shuffle(&mut places, random);
        let mut assumed: Vec<Bool> = self.fixed.iter().copied().chain([self.same]).collect();
        for place in places {
            assumed.push(!self.puzzle.blank(place));
            let found = checked(self.solver, &assumed)?;
            assumed.pop();
            let clue = match found {
                Some(AssumptionResult::Satisfiable(found)) => {
                    let mut options = self.puzzle.cells[place.cell].options.iter().map(|option| option.term);
                    options.find(|term| self.problem.bool_value(*term, &found))
                }
                _ => None,
            };
            // Later clues must be compatible with this clue or blank.
            assumed.push(clue.unwrap_or(self.puzzle.blank(place)));
            self.clues.push((place, clue));
        }
        Ok(())
    }

    /// The assumptions that exactly the kept clues are present.
    fn assumptions(&self, kept: &[bool]) -> Vec<Bool> {
        let clue = |((place, clue), kept): (&(CluePlace, Option<Bool>), &bool)| match clue {
            Some(clue) if *kept => *clue,
            _ => self.puzzle.blank(*place),
        };
        self.fixed.iter().copied().chain(self.clues.iter().zip(kept).map(clue)).collect()
    }

    /// The kept clues that the solver uses to refute all other solutions; `None` if there is another solution.
    fn used(&mut self, kept: &[bool]) -> Result<Option<Result<Vec<bool>, Attempt>>, Halt> {
        let mut assumed = self.assumptions(kept);
        assumed.push(!self.same);
        Ok(match checked(self.solver, &assumed)? {
            Some(AssumptionResult::Satisfiable(_)) => None,
            Some(AssumptionResult::Refuted(core)) => {
                let core: FxHashSet<Bool> = core.into_iter().collect();
                let is_used = |((_, clue), kept): (&(_, Option<Bool>), &bool)| {
                    *kept && clue.is_some_and(|clue| core.contains(&clue))
                };
                Some(Ok(self.clues.iter().zip(kept).map(is_used).collect()))
            }
            None => Some(Err(Attempt::Unfinished)),
        })
    }

    /// A minimal set of clues; with symmetry, groups of symmetric places are kept or removed together.
    fn minimal(&mut self, symmetric: bool, random: &mut fastrand::Rng) -> Result<Result<Vec<bool>, Attempt>, Halt> {
        let mut groups = if symmetric { self.symmetric_groups() } else { Vec::new() };
        if groups.is_empty() {
            groups = (0..self.clues.len()).map(|clue| vec![clue]).collect();
        }
        super::shuffle(&mut groups, random);
        let mut kept: Vec<bool> = self.clues.iter().map(|(_, clue)| clue.is_some()).collect();
        let keep = |kept: &mut [bool], used: &[bool]| {
            for group in &groups {
                if group.iter().all(|clue| !used[*clue]) {
                    group.iter().for_each(|clue| kept[*clue] = false);
                }
            }
        };
        // All clues outside the core of one refutation can be removed at once, which saves a question for each.
        match self.used(&kept)? {
            None => return Ok(Err(Attempt::Several)),
            Some(Err(attempt)) => return Ok(Err(attempt)),
            Some(Ok(used)) => keep(&mut kept, &used),
        }
        // The deletion filter removes a group if the others still refute all other solutions.
        for group in &groups {
            if group.iter().all(|clue| !kept[*clue]) {
                continue;
            }
            let mut fewer = kept.clone();
            group.iter().for_each(|clue| fewer[*clue] = false);
            match self.used(&fewer)? {
                None => {}
                Some(Err(attempt)) => return Ok(Err(attempt)),
                Some(Ok(used)) => {
                    kept = fewer;
                    keep(&mut kept, &used);
                }
            }
        }
        Ok(Ok(kept))
    }

    /// The groups of places that a half turn of their parameter maps to each other; a clue without a position is a
    /// group by itself.
    fn symmetric_groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut seen = vec![false; self.clues.len()];
        for clue in 0..self.clues.len() {
            if !seen[clue] {
                let group: Vec<usize> = [Some(clue), self.opposite(clue)].into_iter().flatten().collect();
                group.iter().for_each(|member| seen[*member] = true);
                // The central place is opposite to itself.
                groups.push(if group.len() == 2 && group[0] == group[1] { vec![clue] } else { group });
            }
        }
        groups
    }

    fn opposite(&self, clue: usize) -> Option<usize> {
        let place = self.clues[clue].0;
        let variable = &self.puzzle.cells[place.cell].variable;
        let own = self.puzzle.position(place)?;
        let of_parameter = |(place, _): &(CluePlace, _)| {
            (self.puzzle.cells[place.cell].variable == *variable).then(|| self.puzzle.position(*place)).flatten()
        };
        let positions: Vec<Option<Vec<i64>>> = self.clues.iter().map(of_parameter).collect();
        let turned: Vec<i64> = (0..own.len())
            .map(|axis| {
                let along = positions.iter().flatten().filter_map(|position| position.get(axis));
                let (least, most) = (along.clone().min().unwrap_or(&0), along.max().unwrap_or(&0));
                least + most - own[axis]
            })
            .collect();
        positions.iter().position(|position| position.as_ref() == Some(&turned))
    }

    /// The values of the parameters and the solution with these clues.
    fn values(&mut self, kept: &[bool]) -> Result<Option<SolutionValues>, Halt> {
        let mut assumed = self.assumptions(kept);
        assumed.push(self.same);
        Ok(match checked(self.solver, &assumed)? {
            Some(AssumptionResult::Satisfiable(found)) => Some(self.puzzle.lowered.read_back(&found)),
            _ => None,
        })
    }
}
