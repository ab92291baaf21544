//! Enumeration of all assignments of a problem without an objective if they are dense: a search on the clauses of the
//! encoder that visits each assignment once ([`engine`]). The space is cut into cubes, which the threads take one after
//! the other.
//!
//! If assignments are rare, a SAT solver that learns more is better. So this search gives up if it finds nothing for a
//! long time, and the portfolio continues with other engines.

mod engine;

use super::{
    EngineOptions, SearchEnd, Solver, Statistics,
    encoding::{ClauseSink, Encoder, Literal, Refused},
};
use crate::solver::tuning::{
    self,
    enumeration::{BATCH, CUBES, FRUITFUL, INTERVAL, MOST_AHEAD, PATIENCE, STACK},
};
use crate::{
    SolverError, StopReason, memory,
    problem::{Assignment, Problem},
};
use engine::{Enumerator, Formula, TruthAssignments};
use std::{
    cell::RefCell,
    ops::ControlFlow,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Instant,
};

/// The name of this engine in statistics.
pub(super) const NAME: &str = "enumeration";

/// Enumeration as a backend.
#[derive(Default)]
pub(crate) struct Enumeration {
    statistics: Statistics,
}

impl Solver for Enumeration {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        if problem.objective().is_some() {
            return Ok(StopReason::Unknown("there is an objective".into()).into());
        }
        let start = Instant::now();
        let threads = options.thread_count();
        // Each thread has a clone of the engine, in addition to this one.
        let Ok((encoder, engine)) = memory::shared(threads + 1, || encode(problem, options)) else {
            return options.reached().map_or(Err(SolverError::EnumerationTooLarge), |stopped| Ok(stopped.into()));
        };
        let encoding = start.elapsed();
        let mut read = |model: &dyn Fn(Literal) -> bool| found(&encoder.assignment(&mut |literal| model(literal)));
        let (status, counters) = search(engine, threads, options, &mut read);
        let out = &encoder.literals.out;
        self.statistics = Statistics {
            method: "enumeration on clauses".into(),
            encoding,
            sizes: vec![("variables", out.variable_count().into()), ("clauses", out.clause_count())],
            clauses: encoder.clauses_by_kind(),
            counters: ["decisions", "conflicts", "propagations"].into_iter().zip(counters).collect(),
            claimed_by: vec![NAME],
            ..Statistics::default()
        };
        Ok(status)
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// A sink that collects the clauses of a problem.
struct Sink {
    formula: Formula,
    options: EngineOptions,
}

impl ClauseSink for Sink {
    const FOOTPRINT: tuning::Footprint = tuning::enumeration::FOOTPRINT;

    fn clause(&mut self, literals: &[Literal]) {
        self.formula.add(literals);
    }

    fn is_stopped(&self) -> bool {
        self.options.reached().is_some()
    }
}

fn encode<'p>(problem: &'p Problem, options: &EngineOptions) -> Result<(Encoder<'p, Sink>, Enumerator), Refused> {
    let sink = Sink { formula: Formula::default(), options: options.clone() };
    let mut encoder = Encoder::new(problem, sink)?;
    for constraint in problem.symmetry_breaking() {
        encoder.require_if(Literal::TRUE, *constraint)?;
    }
    let mut decisions = encoder.decisions()?;
    if let Some(seed) = options.seed {
        fastrand::Rng::with_seed(seed.into()).shuffle(&mut decisions);
    }
    let formula = std::mem::take(&mut encoder.literals.out.sink.formula);
    let engine = Enumerator::new(&formula, encoder.literals.out.variable_count(), &decisions);
    Ok((encoder, engine))
}

/// The receiver of assignments, each as a function from literals to truth values.
type Reader<'a> = &'a mut dyn FnMut(&dyn Fn(Literal) -> bool) -> ControlFlow<()>;

/// A search by several threads, each with its own engine.
struct ParallelSearch<'a> {
    options: &'a EngineOptions,
    cubes: Mutex<Vec<Vec<u32>>>,
    /// The number of cubes that are not exhausted.
    open: AtomicUsize,
    stopped: AtomicBool,
    conflicts: AtomicU64,
    /// The number of conflicts up to the last assignment.
    fruitful: AtomicU64,
    counters: Mutex<[u64; 3]>,
}

/// Finds all assignments; returns the way the search ended and its decisions, conflicts and propagations.
fn search(mut engine: Enumerator, threads: usize, options: &EngineOptions, found: Reader) -> (SearchEnd, [u64; 3]) {
    // A single thread has one cube, the whole space.
    let cubes = if threads == 1 { vec![Vec::new()] } else { engine.cubes(threads * CUBES) };
    let search = ParallelSearch {
        options,
        open: cubes.len().into(),
        cubes: Mutex::new(cubes),
        stopped: AtomicBool::new(false),
        conflicts: AtomicU64::new(0),
        fruitful: AtomicU64::new(0),
        counters: Mutex::default(),
    };
    if threads == 1 {
        search.work(engine, &mut |engine| found(&|literal| engine.holds(literal)), &mut || ());
    } else {
        search.together(&engine, threads, found);
    }
    let status = if search.stopped.into_inner() {
        SearchEnd::Enough
    } else if search.open.into_inner() == 0 {
        SearchEnd::Complete
    } else {
        options.reached().unwrap_or(StopReason::Unknown("assignments are rare".into())).into()
    };
    (status, search.counters.into_inner().unwrap_or_else(PoisonError::into_inner))
}

impl ParallelSearch<'_> {
    /// Runs an engine on each thread; the calling thread passes the assignments on.
    fn together(&self, engine: &Enumerator, threads: usize, found: Reader) {
        // The number of batches that were sent but not yet handled.
        let waiting = AtomicUsize::new(0);
        let waiting = &waiting;
        thread::scope(|scope| {
            let (models, inbox) = mpsc::sync_channel(MOST_AHEAD);
            for _ in 0..threads {
                let models = models.clone();
                let run = move || {
                    // Each thread clones the engine itself, because lists that grow lock the memory arena of the thread
                    // that allocated them.
                    let engine = engine.clone();
                    // The caller handles the assignments of all threads, so it gets priority.
                    conjure_like_system::go_after_others(1);
                    let batch = RefCell::new(TruthAssignments::new(&engine, BATCH));
                    let send = || {
                        waiting.fetch_add(1, Relaxed);
                        match models.send(batch.borrow_mut().take()) {
                            Ok(()) => ControlFlow::Continue(()),
                            Err(_) => ControlFlow::Break(()),
                        }
                    };
                    let mut found = |engine: &Enumerator| {
                        let mut collected = batch.borrow_mut();
                        collected.push(engine);
                        let is_full = collected.len() >= BATCH;
                        drop(collected);
                        // If the caller is idle, it gets each assignment at once, so the first ones appear immediately.
                        if is_full || waiting.load(Relaxed) == 0 { send() } else { ControlFlow::Continue(()) }
                    };
                    let mut flush = || {
                        if batch.borrow().len() > 0 {
                            // If enough assignments were found, the receiver is gone.
                            let _ = send();
                        }
                    };
                    self.work(engine, &mut found, &mut flush);
                };
                // If there is no memory for another thread, the others do its work.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            }
            drop(models);
            while let Ok(batch) = inbox.recv() {
                // When the caller has enough assignments, batches are still received, because a thread must not block
                // at a full channel.
                for holds in batch.iter() {
                    if !self.stopped.load(Relaxed) && found(&holds).is_break() {
                        self.stopped.store(true, Relaxed);
                    }
                }
                waiting.fetch_sub(1, Relaxed);
            }
        });
    }

    /// Searches one cube after the other. At each check of the limits and at the end, `flush` sends the pending
    /// assignments.
    fn work(
        &self,
        mut engine: Enumerator,
        found: &mut dyn FnMut(&Enumerator) -> ControlFlow<()>,
        flush: &mut dyn FnMut(),
    ) {
        let (mut steps, mut counted) = (0_u64, 0);
        let mut goes_on = |engine: &Enumerator| {
            steps += 1;
            if steps % INTERVAL != 0 {
                return true;
            }
            flush();
            let conflicts = self.conflicts.fetch_add(engine.conflicts - counted, Relaxed);
            counted = engine.conflicts;
            let fruitful = self.fruitful.load(Relaxed);
            let is_rare = conflicts > PATIENCE + FRUITFUL * fruitful;
            !is_rare && !self.stopped.load(Relaxed) && self.options.reached().is_none()
        };
        let mut found = |engine: &Enumerator| {
            self.fruitful.store(self.conflicts.load(Relaxed), Relaxed);
            let flow = found(engine);
            if flow.is_break() {
                self.stopped.store(true, Relaxed);
            }
            flow
        };
        while let Some(cube) = self.next_cube() {
            if !engine.search(&cube, &mut found, &mut goes_on) {
                break;
            }
            self.open.fetch_sub(1, Relaxed);
        }
        flush();
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = [engine.decided, engine.conflicts, engine.propagations];
        counters.iter_mut().zip(counted).for_each(|(all, own)| *all += own);
    }

    fn next_cube(&self) -> Option<Vec<u32>> {
        self.cubes.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
