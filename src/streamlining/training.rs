//! The choice of streamliners on training instances: best-first search among their combinations.
//!
//! The value of a combination is the share of conflicts that it saves. It saves nothing on an instance if it finds no
//! solution within the conflicts of the whole search. The best combination so far is extended first. A combination that
//! fails on most instances is pruned together with its supersets, which have even fewer solutions. See Spracklen, Dang,
//! Akgün and Miguel, "Automated streamliner portfolios for constraint satisfaction problems"; they search by Monte
//! Carlo.

use super::{PortfolioEntry, Streamliner, StreamlinerPortfolio, objective_of, search_with_budget};
use crate::{
    api::{Model, Report, Text, deep},
    diagnostic::{Code, Diagnostic},
    solver::EngineOptions,
};
use std::collections::BTreeSet;

/// The cost of starting a search, in conflicts, so that a search without conflicts does not count as free. Chosen.
const SEARCH_WORK: u64 = 20;

/// An instance with fewer conflicts is too easy, because the savings would be noise. Chosen.
const LEAST_CONFLICTS: u64 = 100;

/// The share of single streamliners among the combinations to try; the others extend single ones that work. Chosen.
const SINGLE_SHARE: (usize, usize) = (3, 5);

/// The number of extensions of a combination that are tried before the next best combination is extended. Chosen.
const EXTENSIONS: usize = 8;

/// The largest number of streamliners in a combination. Chosen: each one excludes further solutions.
const MOST_COMBINED: usize = 4;

/// The minimum share of saved work for which a combination is worth its budget. Chosen.
const LEAST_SAVED: f64 = 0.1;

/// The budget of an entry: a multiple of the largest number of conflicts that it took in training, and at least a
/// minimum, because the instances to solve are larger than the training instances. Chosen.
const BUDGET_FACTOR: u64 = 4;
const LEAST_BUDGET: u64 = 2_000;

with_setters! {
    /// Options for the choice of streamliners.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct StreamlineOptions {
        /// The number of combinations to try.
        pub combinations: usize,
        /// The conflicts of each search of the whole space.
        pub conflicts: u64,
        /// The largest number of entries of the portfolio.
        pub entries: usize,
        /// The seed and the limits.
        pub search: EngineOptions,
    }
}

impl Default for StreamlineOptions {
    fn default() -> Self {
        StreamlineOptions { combinations: 300, conflicts: 100_000, entries: 3, search: EngineOptions::default() }
    }
}

/// The use of an instance for training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrainingUse {
    /// The search of the whole space finds a solution, or the best one, with this number of conflicts.
    Solved(u64),
    /// The search of the whole space finds nothing within the budget.
    Unsolved,
    /// The instance has no solution, so no streamliner can find one.
    NoSolution,
    /// The search takes fewer than a hundred conflicts, so that savings would be noise.
    Easy(u64),
}

/// A training instance.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrainingInstance {
    /// The name of its first text.
    pub name: String,
    /// Its use.
    pub use_for: TrainingUse,
}

/// A combination of streamliners with its results.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TriedCombination {
    /// The positions of the streamliners.
    pub streamliners: Vec<usize>,
    /// The mean share of work that the combination saves on the training instances.
    pub saved: f64,
    /// The number of instances for which the combination finds a solution.
    pub solved: usize,
    /// True if the combination fails on most instances.
    pub is_pruned: bool,
    /// For each instance, the conflicts if a solution was found, and the saved share.
    results: Vec<Option<(u64, f64)>>,
}

/// The result of a training.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Training {
    /// The streamliners of the model.
    pub streamliners: Vec<Streamliner>,
    /// All instances.
    pub instances: Vec<TrainingInstance>,
    /// The combinations that were tried.
    pub tried: Vec<TriedCombination>,
    /// The chosen combinations, the best first.
    pub chosen: Vec<TriedCombination>,
    /// The conflicts of all searches.
    pub conflicts: u64,
}

/// An instance that trains.
struct Trainer<'a> {
    data: &'a [Text],
    /// The work of the search of the whole space.
    work: u64,
    /// The budget for a combination.
    budget: u64,
    /// The value of the objective to reach.
    target: Option<i64>,
}

/// The search in the lattice.
struct LatticeSearch<'a> {
    model: &'a Model,
    streamliners: &'a [Streamliner],
    trainers: &'a [Trainer<'a>],
    options: &'a StreamlineOptions,
    tried: Vec<TriedCombination>,
    seen: BTreeSet<Vec<usize>>,
    conflicts: u64,
}

impl Training {
    /// The chosen combinations as a portfolio; `None` if nothing was chosen.
    pub fn portfolio(&self) -> Option<StreamlinerPortfolio> {
        let entry = |combination: &TriedCombination| {
            let parts = || combination.streamliners.iter().map(|position| &self.streamliners[*position]);
            let most = combination.results.iter().flatten().map(|(conflicts, _)| *conflicts).max().unwrap_or_default();
            PortfolioEntry {
                says: parts().map(|part| &*part.says).collect::<Vec<_>>().join("; "),
                constraints: parts().map(|part| part.constraint.clone()).collect(),
                conflicts: most.saturating_mul(BUDGET_FACTOR).max(LEAST_BUDGET),
            }
        };
        let entries: Vec<_> = self.chosen.iter().map(entry).collect();
        (!entries.is_empty()).then_some(StreamlinerPortfolio { entries })
    }

    /// The number of instances on which combinations are compared.
    pub fn training(&self) -> usize {
        let trains = |of: &&TrainingInstance| matches!(of.use_for, TrainingUse::Solved(_) | TrainingUse::Unsolved);
        self.instances.iter().filter(trains).count()
    }
}

impl Model {
    /// Chooses streamliners on training instances. The same options give the same choice, unless a limit ends it.
    ///
    /// # Errors
    ///
    /// Returns an error if the data do not fit the model, or if the model has several goals or a dominance relation.
    pub fn train_streamliners(&self, instances: &[Vec<Text>], options: &StreamlineOptions) -> Result<Training, Report> {
        deep(|| {
            self.must_be_without_dominance("streamliners are not chosen for a model with a dominance relation")?;
            if self.has_several_goals() || self.has_trade_offs() {
                let message = "streamliners are not chosen for a model with several goals";
                return Err(Diagnostic::error(Code::COMMAND_LINE, message).into());
            }
            let streamliners = self.streamliners();
            let (mut of, mut trainers, mut conflicts) = (Vec::new(), Vec::new(), 0);
            for data in instances {
                let name = data.first().map_or_else(|| self.text().name, |text| text.name.clone());
                self.instance(data)?;
                if options.search.reached().is_some() {
                    break;
                }
                let (use_for, trainer) = self.trainer(data, options, &mut conflicts)?;
                of.push(TrainingInstance { name, use_for });
                trainers.extend(trainer);
            }
            let (seen, tried) = (BTreeSet::new(), Vec::new());
            let mut lattice = LatticeSearch {
                model: self,
                streamliners: &streamliners,
                trainers: &trainers,
                options,
                tried,
                seen,
                conflicts,
            };
            if !trainers.is_empty() {
                lattice.search();
            }
            let LatticeSearch { tried, conflicts, .. } = lattice;
            let chosen = chosen(&tried, trainers.len(), options.entries);
            Ok(Training { streamliners, instances: of, tried, chosen, conflicts })
        })
    }

    /// Searches the whole space of an instance, which is what combinations are compared with.
    fn trainer<'d>(
        &self,
        data: &'d [Text],
        options: &StreamlineOptions,
        conflicts: &mut u64,
    ) -> Result<(TrainingUse, Option<Trainer<'d>>), Report> {
        let most = options.conflicts;
        let mut whole = search_with_budget(self, data, most, None, &options.search)?;
        *conflicts += whole.conflicts;
        if whole.summary.status.is_unsatisfiable() {
            return Ok((TrainingUse::NoSolution, None));
        }
        let Some(solution) = &whole.solution else {
            // The whole search found nothing, so its work is at least as large as the budget.
            let trainer = Trainer { data, work: most + SEARCH_WORK, budget: most, target: None };
            return Ok((TrainingUse::Unsolved, Some(trainer)));
        };
        let target = objective_of(solution);
        if target.is_some() {
            // Streamliners shorten only the search for the best value and not the proof of optimality, so only the
            // former is measured.
            whole = search_with_budget(self, data, most, target, &options.search)?;
            *conflicts += whole.conflicts;
        }
        if whole.conflicts < LEAST_CONFLICTS {
            return Ok((TrainingUse::Easy(whole.conflicts), None));
        }
        let (work, budget) = (whole.conflicts + SEARCH_WORK, whole.conflicts);
        Ok((TrainingUse::Solved(budget), Some(Trainer { data, work, budget, target })))
    }
}

impl LatticeSearch<'_> {
    fn search(&mut self) {
        let mut order: Vec<usize> = (0..self.streamliners.len()).collect();
        order.sort_by_key(|position| self.streamliners[*position].weight);
        // The budget may not suffice for all of them, so the streamliners without words such as "half of" come first.
        let (share, of) = SINGLE_SHARE;
        for position in order.into_iter().take(self.options.combinations * share / of) {
            if self.is_over() {
                return;
            }
            self.attempt(vec![position]);
        }
        // Only streamliners that succeed alone are combined.
        let mut singles: Vec<(usize, f64)> = self.tried.iter().filter(|tried| !tried.is_pruned).map(single).collect();
        singles.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut exhausted: BTreeSet<Vec<usize>> = BTreeSet::new();
        while !self.is_over() {
            let open = self.tried.iter().filter(|tried| {
                !tried.is_pruned && tried.streamliners.len() < MOST_COMBINED && !exhausted.contains(&tried.streamliners)
            });
            let best = open.reduce(|best, tried| if tried.saved > best.saved { tried } else { best });
            let Some(best) = best.map(|best| best.streamliners.clone()) else { return };
            let mut extensions = singles.iter().filter_map(|(position, _)| self.extended(&best, *position));
            let next: Vec<_> = extensions.by_ref().take(EXTENSIONS).collect();
            if next.len() < EXTENSIONS {
                exhausted.insert(best);
            }
            for combination in next {
                if self.is_over() {
                    return;
                }
                self.attempt(combination);
            }
        }
    }

    fn is_over(&self) -> bool {
        self.tried.len() >= self.options.combinations || self.options.search.reached().is_some()
    }

    /// The combination with one more streamliner, unless it is known, has two streamliners of a group, or contains a
    /// pruned combination.
    fn extended(&self, combination: &[usize], position: usize) -> Option<Vec<usize>> {
        let group = |position: usize| &self.streamliners[position].group;
        if combination.iter().any(|part| group(*part) == group(position)) {
            return None;
        }
        let mut extended = combination.to_vec();
        extended.push(position);
        extended.sort_unstable();
        let contains = |pruned: &TriedCombination| pruned.streamliners.iter().all(|part| extended.contains(part));
        let is_known = self.seen.contains(&extended);
        let is_pruned = || self.tried.iter().any(|tried| tried.is_pruned && contains(tried));
        (!is_known && !is_pruned()).then_some(extended)
    }

    /// Tries a combination on all instances, or until it has failed on most of them.
    fn attempt(&mut self, streamliners: Vec<usize>) {
        self.seen.insert(streamliners.clone());
        let constraints: Vec<String> =
            streamliners.iter().map(|position| self.streamliners[*position].constraint.clone()).collect();
        let Ok(model) = self.model.requiring(&constraints) else { return };
        let (mut results, mut failures) = (Vec::new(), 0);
        for trainer in self.trainers {
            let Trainer { data, budget, target, .. } = *trainer;
            // An expression may be undefined only under the streamliner, which then fails.
            let searched = search_with_budget(&model, data, budget, target, &self.options.search).ok();
            self.conflicts += searched.as_ref().map_or(0, |searched| searched.conflicts);
            let found = searched.filter(|searched| match (target, searched.solution.as_ref()) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(target), Some(solution)) => match objective_of(solution) {
                    Some(value) if self.model.maximises() == Some(true) => value >= target,
                    Some(value) => value <= target,
                    None => false,
                },
            });
            let result = found.map(|found| {
                let share = (found.conflicts + SEARCH_WORK) as f64 / trainer.work as f64;
                (found.conflicts, (1.0 - share).max(0.0))
            });
            failures += usize::from(result.is_none());
            results.push(result);
            if 2 * failures > self.trainers.len() {
                break;
            }
        }
        // If the limit ended the last search, its failure is not a result.
        if self.options.search.reached().is_some() {
            return;
        }
        let saved = results.iter().flatten().map(|(_, saved)| saved).sum::<f64>() / self.trainers.len() as f64;
        let solved = results.iter().flatten().count();
        let is_pruned = 2 * failures > self.trainers.len();
        self.tried.push(TriedCombination { streamliners, saved, solved, is_pruned, results });
    }
}

fn single(tried: &TriedCombination) -> (usize, f64) {
    (tried.streamliners[0], tried.saved)
}

/// The best combination, followed by the combinations that save most on the instances for which the earlier ones find
/// nothing.
fn chosen(tried: &[TriedCombination], instances: usize, most: usize) -> Vec<TriedCombination> {
    let mut chosen: Vec<TriedCombination> = Vec::new();
    let mut open = vec![true; instances];
    while chosen.len() < most {
        let gain = |tried: &TriedCombination| -> f64 {
            let saved = tried.results.iter().zip(&open).filter(|(_, open)| **open);
            saved.filter_map(|(result, _)| result.map(|(_, saved)| saved)).sum::<f64>() / instances.max(1) as f64
        };
        let mut best: Option<(&TriedCombination, f64)> = None;
        // The first entry must work on most instances. A later entry gets only instances without a result so far, and
        // for these, a combination that was pruned may be good.
        for tried in tried.iter().filter(|tried| !tried.is_pruned || !chosen.is_empty()) {
            let gain = gain(tried);
            let is_better = best.is_none_or(|(known, most)| {
                // Among equally good combinations, the one with fewer constraints excludes fewer solutions of other
                // instances.
                gain > most || (gain == most && tried.streamliners.len() < known.streamliners.len())
            });
            if is_better {
                best = Some((tried, gain));
            }
        }
        let Some((best, _)) = best.filter(|(_, gain)| *gain >= LEAST_SAVED) else { break };
        for (open, result) in open.iter_mut().zip(&best.results) {
            *open &= result.is_none();
        }
        chosen.push(best.clone());
    }
    chosen
}
