//! Candidate solutions of an instance, and the votes of the models about them.
//!
//! If every model has few solutions, all of these are the candidate solutions, and each model accepts exactly its
//! own. Otherwise, the candidate solutions are some solutions of each model, and solutions that [`Model::review`] finds
//! for models with the same votes so far; each model then judges each of them.

use super::{Solved, candidates::CandidateModel, tested::is_violation};
use crate::{
    api::{Instance, Model, Solution, SolveOptions, Text},
    comparison::{CompareOptions, Judgement, ONE_LINE, lettings},
    solver::EngineOptions,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

/// The largest number of solutions of a model that are listed. Chosen.
const MOST_LISTED: usize = 400;

/// The number of solutions of each model that become candidate solutions if a model has too many to list. Chosen.
const MOST_EXAMPLES: usize = 8;

/// The time for each search on an instance. Chosen.
const SEARCH_TIME: Duration = Duration::from_secs(2);

/// The vote of a model about a candidate solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vote {
    Yes,
    No,
    /// A limit ended the search.
    Open,
}

/// A candidate solution.
#[derive(Clone, Debug)]
pub(super) struct CandidateSolution {
    /// The values, on a line each.
    pub solution: String,
    /// True if the vote is about a best solution.
    pub is_best: bool,
    /// The vote of each model.
    pub votes: Vec<Vote>,
}

/// The candidate solutions of an instance.
pub(super) struct Pool {
    pub points: Vec<CandidateSolution>,
    /// True if models with the same votes have the same solutions, and the same best ones.
    pub is_complete: bool,
    /// For each model, true if it refuses the data.
    pub refuses_data: Vec<bool>,
}

/// The models that vote, and the variables that they vote about.
pub(super) struct Voters<'a> {
    pub candidates: &'a [CandidateModel],
    pub variables: &'a [String],
    pub data: &'a [Text],
    pub search: &'a EngineOptions,
}

/// Solutions of a model on an instance.
#[derive(Default)]
struct ListedSolutions {
    solutions: BTreeSet<String>,
    /// True if these are all solutions.
    is_whole: bool,
}

/// Makes a candidate solution from a text. The lists are the solutions of each model; `None` for a model that refuses
/// the data.
type PointMaker<'a> = dyn Fn(&str, bool, &[Option<ListedSolutions>]) -> CandidateSolution + 'a;

impl Voters<'_> {
    pub(super) fn search(&self) -> EngineOptions {
        let limits = self.search.limits.clone();
        let end = limits.deadline.into_iter().chain(Instant::now().checked_add(SEARCH_TIME)).min();
        self.search.clone().limits(limits.deadline(end))
    }

    /// The values of the variables in a solution.
    pub(super) fn values(&self, model: &Model, solution: &Solution) -> String {
        lettings(&solution.to_essence(ONE_LINE), model, |name| self.variables.iter().any(|known| known == name))
    }

    fn listed(&self, model: &Model, instance: &Instance, most: usize) -> ListedSolutions {
        let search = self.search();
        let ways = SolveOptions::default().search(search.seed(Some(1)));
        match Solved::find(instance, &ways, most, None) {
            Ok(solved) => ListedSolutions {
                is_whole: solved.is_complete(),
                solutions: solved.solutions.iter().map(|solution| self.values(model, solution)).collect(),
            },
            Err(_) => ListedSolutions::default(),
        }
    }

    /// The solutions of a model, ignoring the objective; `None` if the data do not fit.
    fn solutions(&self, model: &Model, most: usize) -> Option<ListedSolutions> {
        let instance = model.without_objective().and_then(|model| model.instance(self.data)).ok()?;
        Some(self.listed(model, &instance, most))
    }

    fn best_solutions(&self, model: &Model) -> Option<ListedSolutions> {
        if !model.has_objective() {
            return self.solutions(model, MOST_LISTED);
        }
        Some(self.listed(model, &model.instance(self.data).ok()?, MOST_LISTED))
    }

    /// The smallest solution that is a best one for exactly one of two models; `None` if there is none, or if a search
    /// ended early.
    pub(super) fn best_of_one(&self, one: &Model, other: &Model) -> Option<String> {
        let [one, other] = [one, other].map(|model| self.best_solutions(model).filter(|best| best.is_whole));
        let (one, other) = (one?.solutions, other?.solutions);
        one.symmetric_difference(&other).min_by_key(|solution| (solution.len(), *solution)).cloned()
    }

    /// The vote of a model about a candidate solution.
    pub(super) fn vote(&self, model: &Model, solution: &str, is_best: bool) -> Vote {
        // Checking one solution is faster than listing all.
        if !is_best && model.finds().all(|name| self.variables.iter().any(|known| known == name)) {
            let fits = model.validate(self.data, &Text::new("the candidate solution", solution));
            return match fits {
                Ok(()) => Vote::Yes,
                Err(report) if is_violation(&report) => Vote::No,
                Err(_) if model.instance(self.data).is_err() => Vote::No,
                Err(_) => Vote::Open,
            };
        }
        let listed = if is_best { self.best_solutions(model) } else { self.solutions(model, MOST_LISTED) };
        self.vote_by(model, listed.as_ref(), solution, is_best)
    }

    fn vote_by(&self, model: &Model, listed: Option<&ListedSolutions>, solution: &str, is_best: bool) -> Vote {
        match listed {
            None => Vote::No,
            Some(listed) if listed.solutions.contains(solution) => Vote::Yes,
            Some(listed) if listed.is_whole => Vote::No,
            // Only a complete search shows that a candidate solution is a best one.
            Some(_) if is_best && model.has_objective() => Vote::Open,
            Some(_) => {
                let candidate = Text::new("the candidate solution", solution);
                match model.judgement(self.data, &candidate, &self.search()) {
                    Ok(Judgement::Accepted(_)) => Vote::Yes,
                    Ok(Judgement::Refused(_)) => Vote::No,
                    Ok(Judgement::Unknown) | Err(_) => Vote::Open,
                }
            }
        }
    }

    /// The candidate solutions of the instance.
    pub(super) fn pool(&self) -> Pool {
        // If one list is not whole, a few examples of each model are enough.
        let mut most = MOST_LISTED;
        let mut listed = Vec::new();
        for candidate in self.candidates {
            let solutions = self.solutions(&candidate.model, most);
            if solutions.as_ref().is_some_and(|solutions| !solutions.is_whole) {
                most = MOST_EXAMPLES;
            }
            listed.push(solutions);
        }
        let are_whole = most == MOST_LISTED;
        let texts: BTreeSet<&String> =
            listed.iter().flatten().flat_map(|listed| listed.solutions.iter().take(most)).collect();
        let point = |solution: &str, is_best: bool, listed: &[Option<ListedSolutions>]| {
            let votes = self.candidates.iter().zip(listed);
            let votes = votes.map(|(one, listed)| self.vote_by(&one.model, listed.as_ref(), solution, is_best));
            CandidateSolution { solution: solution.to_owned(), is_best, votes: votes.collect() }
        };
        let mut points: Vec<CandidateSolution> = texts.into_iter().map(|text| point(text, false, &listed)).collect();
        let mut is_complete = true;
        if !are_whole {
            is_complete = self.refine(&mut points, &listed, &point);
        }
        if self.candidates.iter().any(|candidate| candidate.model.has_objective()) {
            let best: Vec<_> = self.candidates.iter().map(|candidate| self.best_solutions(&candidate.model)).collect();
            is_complete &= best.iter().flatten().all(|best| best.is_whole);
            let texts: BTreeSet<&String> =
                best.iter().flatten().flat_map(|best| best.solutions.iter().take(MOST_EXAMPLES)).collect();
            points.extend(texts.into_iter().map(|text| point(text, true, &best)));
        }
        Pool { points, is_complete, refuses_data: listed.iter().map(Option::is_none).collect() }
    }

    /// Adds points that distinguish models with the same votes so far. Returns true if models that still have the same
    /// votes have the same solutions.
    fn refine(
        &self,
        points: &mut Vec<CandidateSolution>,
        listed: &[Option<ListedSolutions>],
        point: &PointMaker,
    ) -> bool {
        let (mut compared, mut is_complete) = (BTreeSet::new(), true);
        loop {
            let mut classes: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
            for voter in (0..self.candidates.len()).filter(|voter| listed[*voter].is_some()) {
                let votes = points.iter().map(|point| point.votes[voter] == Vote::Yes).collect();
                classes.entry(votes).or_default().push(voter);
            }
            // Equality of the solutions is transitive, so each model is compared only with the first of its class.
            let pairs = classes.values().flat_map(|class| class[1..].iter().map(|other| (class[0], *other)));
            let Some((one, other)) = pairs.into_iter().find(|pair| !compared.contains(pair)) else {
                return is_complete;
            };
            // Equal models stay in one class, so the loop would not end if pairs were compared twice.
            compared.insert((one, other));
            let options = CompareOptions::default().search(self.search());
            let [one, other] = [one, other].map(|voter| &self.candidates[voter].model);
            let Ok(review) = other.review(one, self.data, &options) else {
                is_complete = false;
                continue;
            };
            is_complete &= review.complete;
            for difference in review.gained.iter().chain(&review.lost) {
                let is_shared = |name: &str| self.variables.iter().any(|known| known == name);
                let solution = lettings(&difference.solution, one, is_shared);
                if points.iter().all(|known| known.is_best || known.solution != solution) {
                    points.push(point(&solution, false, listed));
                }
            }
        }
    }
}
