//! Turns of engines that share fewer threads than they are: whoever has searched least goes on. An engine passes its
//! turn on where it looks at the limits, so it keeps what it has learnt.

use crate::Limits;
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How much longer than the others an engine may have searched before it passes its turn on.
const QUANTUM: Duration = Duration::from_millis(50);

/// The interval at which an engine that waits looks at the limits.
const INTERVAL: Duration = Duration::from_millis(20);

/// Engines that take turns.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<TurnsState>,
    changed: Condvar,
}

#[derive(Debug)]
struct TurnsState {
    /// The most engines that search at a time.
    most: usize,
    engines: Vec<EngineTime>,
}

#[derive(Clone, Copy, Debug, Default)]
struct EngineTime {
    /// How long it has searched before this turn.
    spent: Duration,
    /// When its turn began; `None` while it waits.
    since: Option<Instant>,
    ended: bool,
}

impl TurnsState {
    /// How long an engine has searched.
    fn spent(&self, position: usize) -> Duration {
        let EngineTime { spent, since, .. } = self.engines[position];
        spent + since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// How long the one has searched that waits and has searched least.
    fn least_waiting(&self) -> Option<Duration> {
        let waits = |engine: &&EngineTime| engine.since.is_none() && !engine.ended;
        self.engines.iter().filter(waits).map(|engine| engine.spent).min()
    }

    fn searching(&self) -> usize {
        self.engines.iter().filter(|engine| engine.since.is_some()).count()
    }
}

impl Turns {
    /// Turns of engines of which at most `most` search at a time.
    pub(super) fn new(most: usize) -> Arc<Turns> {
        Arc::new(Turns { state: Mutex::new(TurnsState { most, engines: Vec::new() }), changed: Condvar::new() })
    }

    /// The turn of one more engine, which waits for now.
    pub(super) fn join(self: &Arc<Turns>) -> EngineTurn {
        let engines = &mut self.state().engines;
        engines.push(EngineTime::default());
        EngineTurn { turns: self.clone(), place: engines.len() - 1 }
    }

    fn state(&self) -> MutexGuard<'_, TurnsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an engine knows of its turns.
#[derive(Clone, Debug)]
pub(super) struct EngineTurn {
    turns: Arc<Turns>,
    place: usize,
}

impl EngineTurn {
    /// Waits until it is this engine's turn, or a limit is reached.
    pub(super) fn begin(&self, limits: &Limits) {
        let mut state = self.turns.state();
        loop {
            let is_next = state.least_waiting() == Some(state.engines[self.place].spent);
            if (is_next && state.searching() < state.most) || limits.reached().is_some() {
                state.engines[self.place].since = Some(Instant::now());
                return;
            }
            let waited = self.turns.changed.wait_timeout(state, INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Lets others search first if this engine has searched longer.
    pub(super) fn pass(&self, limits: &Limits) {
        let mut state = self.turns.state();
        let spent = state.spent(self.place);
        if state.engines[self.place].since.is_some()
            && state.least_waiting().is_some_and(|least| spent > least + QUANTUM)
        {
            state.engines[self.place] = EngineTime { spent, since: None, ended: false };
            drop(state);
            self.turns.changed.notify_all();
            self.begin(limits);
        }
    }

    /// The engine has ended.
    pub(super) fn end(&self) {
        self.turns.state().engines[self.place] = EngineTime { ended: true, ..EngineTime::default() };
        self.turns.changed.notify_all();
    }
}
