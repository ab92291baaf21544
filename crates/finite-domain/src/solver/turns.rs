//! Scheduling of several engines on fewer threads: the engine that has searched least continues. An engine passes its
//! turn on when it checks the limits, so it keeps its learnt clauses.

use crate::Limits;
use crate::solver::tuning::turns::{INTERVAL, QUANTUM};
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Engines that take turns.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<TurnsState>,
    changed: Condvar,
}

#[derive(Debug)]
struct TurnsState {
    /// The maximum number of engines that search at a time.
    most: usize,
    engines: Vec<EngineTime>,
}

#[derive(Clone, Copy, Debug, Default)]
struct EngineTime {
    /// The search time before this turn.
    spent: Duration,
    /// The start of the current turn; `None` while the engine waits.
    since: Option<Instant>,
    ended: bool,
}

impl TurnsState {
    /// The search time of an engine.
    fn spent(&self, position: usize) -> Duration {
        let EngineTime { spent, since, .. } = self.engines[position];
        spent + since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The least search time of the engines that wait.
    fn least_waiting(&self) -> Option<Duration> {
        let waits = |engine: &&EngineTime| engine.since.is_none() && !engine.ended;
        self.engines.iter().filter(waits).map(|engine| engine.spent).min()
    }

    fn searching(&self) -> usize {
        self.engines.iter().filter(|engine| engine.since.is_some()).count()
    }
}

impl Turns {
    /// Schedules engines on `most` threads.
    pub(super) fn new(most: usize) -> Arc<Turns> {
        Arc::new(Turns { state: Mutex::new(TurnsState { most, engines: Vec::new() }), changed: Condvar::new() })
    }

    /// Adds an engine, which waits for its first turn.
    pub(super) fn join(self: &Arc<Turns>) -> EngineTurn {
        let engines = &mut self.state().engines;
        engines.push(EngineTime::default());
        EngineTurn { turns: self.clone(), place: engines.len() - 1 }
    }

    fn state(&self) -> MutexGuard<'_, TurnsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handle of one engine to its turns.
#[derive(Clone, Debug)]
pub(super) struct EngineTurn {
    turns: Arc<Turns>,
    place: usize,
}

impl EngineTurn {
    /// Waits for the engine's turn, or until a limit is reached.
    pub(super) fn prepare(&self, limits: &Limits) {
        let mut state = self.turns.state();
        loop {
            let is_next = state.least_waiting() == Some(state.engines[self.place].spent);
            // When a limit is reached, every engine may continue, so that it can stop on its own.
            if (is_next && state.searching() < state.most) || limits.reached().is_some() {
                state.engines[self.place].since = Some(Instant::now());
                return;
            }
            // With a timeout, a waiting engine notices limits.
            let waited = self.turns.changed.wait_timeout(state, INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for another turn if this engine has searched longer than one that waits.
    pub(super) fn pass(&self, limits: &Limits) {
        let mut state = self.turns.state();
        let spent = state.spent(self.place);
        if state.engines[self.place].since.is_some()
            && state.least_waiting().is_some_and(|least| spent > least + QUANTUM)
        {
            state.engines[self.place] = EngineTime { spent, since: None, ended: false };
            // `prepare` locks the state again.
            drop(state);
            self.turns.changed.notify_all();
            self.prepare(limits);
        }
    }

    /// Removes the engine, which has ended.
    pub(super) fn end(&self) {
        // An engine that has ended counts neither as waiting nor as searching.
        self.turns.state().engines[self.place] = EngineTime { ended: true, ..EngineTime::default() };
        self.turns.changed.notify_all();
    }
}
