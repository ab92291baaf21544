//! The search for wanted instances: generates data, solves them, and decides if they are kept.

use super::{
    arms::{self, Arm},
    attempts::{Attempts, InstanceAttempt, KEPT},
    worker::{InstanceAnswer, InstanceJob, solved},
};
use crate::{
    inputs::digest::Digest,
    runtime::{
        files::{FileKind, Pending},
        interrupt,
    },
};
use conjure_like::{DataWish, Diagnostic, Model, ParameterManner, Report, SolverName};
use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// The search gives up after this many attempts, and some more for each wanted instance. Chosen.
const ATTEMPTS: usize = 100;
const ATTEMPTS_FOR_EACH: usize = 20;
/// The factor by which the second of two solvers must be slower. Chosen.
const TIMES: f64 = 5.0;
/// The minimum processor time, in seconds, that is compared: shorter times are noise. Chosen.
const LEAST_COMPARED: f64 = 0.05;

/// The wanted instances.
pub(super) struct WantedInstances {
    pub number: usize,
    pub folder: PathBuf,
    /// The prefix of the file names.
    pub name: String,
    /// True if instances need a solution, false if they must have none.
    pub solution: Option<bool>,
    /// The minimum processor time of a graded instance.
    pub graded: Option<Duration>,
    /// The maximum processor time for an answer.
    pub most: Duration,
    /// The solver; or two, of which the first one must be faster.
    pub solvers: Vec<SolverName>,
    pub seed: u64,
    pub memory: u64,
    pub is_optimising: bool,
}

pub(super) struct InstanceSearch<'a> {
    model: &'a Model,
    manner: &'a [ParameterManner],
    wanted: WantedInstances,
    state: Mutex<SearchState>,
}

pub(super) struct SearchState {
    arms: Vec<Arm>,
    attempts: Attempts,
    /// The number of attempts that were started.
    started: usize,
    failure: Option<Report>,
}

/// Data that were generated for an arm.
struct MadeData {
    arm: Arm,
    number: usize,
    data: Result<String, &'static str>,
}

impl<'a> InstanceSearch<'a> {
    pub(super) fn new(
        model: &'a Model,
        manner: &'a [ParameterManner],
        wanted: WantedInstances,
        attempts: Attempts,
    ) -> Self {
        let densities: Vec<f64> = manner.iter().filter_map(|parameter| parameter.density).collect();
        let learnt = (!densities.is_empty()).then(|| densities.iter().sum::<f64>() / densities.len() as f64);
        let has_members = manner.iter().any(|parameter| !parameter.is_integer && !parameter.is_type);
        let mut arms = arms::arms(learnt, has_members);
        // The attempts of earlier runs count, so a continued run knows as much as before.
        for attempt in attempts.all() {
            if let Some(arm) = arms.get_mut(attempt.arm) {
                arm.tries += 1;
                arm.reward += attempt.reward;
            }
        }
        let started = attempts.len();
        InstanceSearch {
            model,
            manner,
            wanted,
            state: Mutex::new(SearchState { arms, attempts, started, failure: None }),
        }
    }

    pub(super) fn attempts(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches until there are enough instances, or too many attempts.
    pub(super) fn run(&self, jobs: usize) -> Result<(), Report> {
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| while self.attempt() {});
            }
        });
        self.attempts().failure.take().map_or(Ok(()), Err)
    }

    /// Makes an attempt; returns true if another one may follow.
    fn attempt(&self) -> bool {
        let (number, arm) = {
            let mut state = self.attempts();
            let most = ATTEMPTS + ATTEMPTS_FOR_EACH * self.wanted.number;
            let is_done = state.attempts.kept() >= self.wanted.number || state.started >= most;
            if is_done || state.failure.is_some() || interrupt::stopping() {
                return false;
            }
            state.started += 1;
            let arm = arms::next(&state.arms);
            // Until the result is known, other threads count this attempt as a failure.
            state.arms[arm].tries += 1;
            (state.started, arm)
        };
        let made = match self.made(number, arm) {
            Ok(made) => made,
            Err(report) => {
                self.attempts().failure = Some(report);
                return false;
            }
        };
        let attempt = self.judged(&made, arm);
        // An interrupted attempt shows nothing about the data.
        if interrupt::stopping() {
            return false;
        }
        let mut state = self.attempts();
        // In the meantime, other threads may have completed the number.
        if attempt.0.result == KEPT && state.attempts.kept() >= self.wanted.number {
            return false;
        }
        state.arms[arm].reward += attempt.0.reward;
        if let Err(error) = self.written(&mut state, attempt, &made) {
            state.failure = Some(error.into());
            return false;
        }
        true
    }

    fn made(&self, number: usize, arm: usize) -> Result<MadeData, Report> {
        let arm = self.attempts().arms[arm];
        // With different multiples, different runs have different seeds.
        let seed = self.wanted.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
        let wish = DataWish::default()
            .scale(arm.scale)
            .density(arm.density)
            .seed(seed)
            .search(interrupt::engine_options(None));
        let data = match self.model.random_data(self.manner, &wish)? {
            None => Err("without data of these sizes"),
            // Equal data would give the same instance again.
            Some(data) if self.attempts().attempts.is_new(&Digest::of([data.as_str()]).to_string()) => Ok(data),
            Some(_) => Err("made before"),
        };
        Ok(MadeData { arm, number, data })
    }

    /// Solves the data and judges the answers.
    fn judged(&self, made: &MadeData, arm: usize) -> (InstanceAttempt, Vec<InstanceAnswer>) {
        let mut attempt = InstanceAttempt {
            arm,
            scale: made.arm.scale,
            density: made.arm.density,
            result: String::new(),
            seconds: Vec::new(),
            statuses: Vec::new(),
            data: None,
            reward: 0.0,
        };
        let data = match &made.data {
            Ok(data) => data,
            Err(why) => return (InstanceAttempt { result: (*why).to_owned(), ..attempt }, Vec::new()),
        };
        attempt.data = Some(Digest::of([data.as_str()]).to_string());
        let mut answers = Vec::new();
        for solver in &self.wanted.solvers {
            answers.push(self.answer(data, *solver));
            // The second solver need not run if the first answer is already unwanted.
            if let Some(result) = self.unwanted(&answers) {
                attempt.result = result.to_owned();
                break;
            }
        }
        if attempt.result.is_empty() {
            // An instance is kept only if a second run gives the same results.
            let again: Vec<_> = self.wanted.solvers.iter().map(|solver| self.answer(data, *solver)).collect();
            attempt.result = self.unwanted(&again).map_or(KEPT, |_| "not the same a second time").to_owned();
        }
        attempt.seconds = answers.iter().map(|answer| answer.seconds).collect();
        attempt.statuses = answers.iter().map(|answer| answer.status.clone()).collect();
        attempt.reward = match attempt.result.as_str() {
            KEPT => 1.0,
            _ => self.nearness(&answers),
        };
        (attempt, answers)
    }

    fn answer(&self, data: &str, solver: SolverName) -> InstanceAnswer {
        solved(&InstanceJob {
            model: self.model.text().text,
            data: data.to_owned(),
            solver: solver.name().to_owned(),
            seconds: self.wanted.most.as_secs_f64(),
            memory: self.wanted.memory,
        })
    }

    /// The reason why an instance with these answers is not wanted; the answers of further solvers may be missing.
    fn unwanted(&self, answers: &[InstanceAnswer]) -> Option<&'static str> {
        let first = answers.first()?;
        let most = self.wanted.most.as_secs_f64();
        if !first.is_definite || first.seconds > most {
            return Some("without an answer in time");
        }
        match (self.wanted.solution, first.has_solution) {
            (Some(true), Some(false)) => return Some("without a solution"),
            (Some(false), Some(true)) => return Some("with a solution"),
            _ => {}
        }
        if self.wanted.graded.is_some_and(|least| first.seconds < least.as_secs_f64()) {
            return Some("too fast");
        }
        let second = answers.get(1)?;
        let is_slow = !second.is_definite || second.seconds >= TIMES * first.seconds.max(LEAST_COMPARED);
        (!is_slow).then_some("about as fast with both solvers")
    }

    /// The distance of an unwanted instance from a wanted one, below 1.
    fn nearness(&self, answers: &[InstanceAnswer]) -> f64 {
        let Some(first) = answers.first() else { return 0.0 };
        match (self.wanted.graded, answers.get(1)) {
            // Even without success, an arm gets a small part of the reward, so that such arms can be compared.
            (Some(least), _) if first.is_definite => (first.seconds / least.as_secs_f64().max(0.01)).min(1.0) * 0.3,
            (None, Some(second)) => (second.seconds / (TIMES * first.seconds.max(LEAST_COMPARED))).min(1.0) * 0.3,
            _ => 0.0,
        }
    }

    /// Writes an attempt, and the parameter file of a kept one.
    fn written(
        &self,
        state: &mut SearchState,
        (attempt, answers): (InstanceAttempt, Vec<InstanceAnswer>),
        made: &MadeData,
    ) -> Result<(), Diagnostic> {
        if attempt.result == KEPT
            && let Ok(data) = &made.data
        {
            let file = format!("{}-instance-{:03}.param", self.wanted.name, state.attempts.kept() + 1);
            let text = format!("{}language Essence 1.3\n\n{data}", self.comment(&attempt, &answers, made.number));
            Pending::whole(&self.wanted.folder.join(file), FileKind::Essence, &text)?;
        }
        state.attempts.add(attempt)
    }

    /// The comment at the top of a kept instance, with its measurements.
    fn comment(&self, attempt: &InstanceAttempt, answers: &[InstanceAnswer], number: usize) -> String {
        let density = attempt.density.map_or(String::new(), |density| format!(", density {density:.2}"));
        let mut text =
            format!("$ attempt {number} with seed {}: sizes × {}{density}\n", self.wanted.seed, attempt.scale);
        for (solver, answer) in self.wanted.solvers.iter().zip(answers) {
            let answered = match (answer.has_solution, &answer.objective) {
                (Some(true), Some(objective)) if self.wanted.is_optimising => format!("the best value is {objective}"),
                (Some(true), _) => "there is a solution".to_owned(),
                (Some(false), _) => "there is no solution".to_owned(),
                (None, _) => "no answer".to_owned(),
            };
            text += &format!("$ {}: {answered}, {:.2} s of processor time\n", solver.name(), answer.seconds);
        }
        text
    }
}

impl std::ops::Deref for SearchState {
    type Target = Attempts;

    fn deref(&self) -> &Attempts {
        &self.attempts
    }
}
