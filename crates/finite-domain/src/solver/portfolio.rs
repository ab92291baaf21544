//! The portfolio of engines, which is the default.
//!
//! Z3 starts alone on the caller's thread with a fixed budget of work. An instance that it solves within the budget
//! costs no more than with Z3 alone and has the same solutions on every machine. If several assignments are wanted, an
//! enumeration follows, which gives up if assignments are rare. Then all engines race on separate threads, which share
//! the processors, and the first proof ends the race. The engines share the incumbent and the dual bound
//! ([`Incumbent`]).

use super::{
    EngineOptions, Guidance, HAS_THREADS, SearchEnd, Solver, SolverName, Statistics,
    enumeration::{self, Enumeration},
    incumbent::{Incumbent, false_claim, is_better},
    local::LocalSearch,
    turns::{EngineTurn, Turns},
};
#[cfg(feature = "cpsat")]
use crate::solver::tuning::portfolio::STEPS_OF_CP_SAT;
#[cfg(feature = "z3")]
use crate::solver::tuning::portfolio::STEPS_OF_Z3;
use crate::solver::tuning::portfolio::{
    BULKY, DELAY, FOR_CP_SAT, GRACE, INTERVAL, LEAST_THREADS, MOST_AHEAD, MOST_TERMS, STACK, STEPS_OF_CADICAL,
};
use crate::{
    Limits, SolverError, StopReason, memory,
    problem::{Assignment, Neighbours, Problem},
};
use rustc_hash::FxHashSet;
use std::{
    any::Any,
    hash::{DefaultHasher, Hash, Hasher},
    num::NonZeroUsize,
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The portfolio as a backend.
#[derive(Default)]
pub(crate) struct Portfolio {
    statistics: Statistics,
    /// The engines that are left out. If there are any, the portfolio has neither a trial nor an enumeration.
    without: Vec<&'static str>,
}

/// An engine that can take part.
#[derive(Clone, Copy)]
struct PortfolioMember {
    name: &'static str,
    /// True if the engine gets the problem with its symmetries broken. CP-SAT detects symmetries by itself, and
    /// constraints that break them make solutions rarer: a magic square of order 6 takes it 0.3 s, with symmetries
    /// broken more than 20.
    breaks_symmetries: bool,
    /// The steps by which the priority of its threads is lowered in a race, so that an engine does not get more of the
    /// processors because it has more threads. The second number is for problems that [`is_for_cp_sat`] picks.
    steps: [i32; 2],
    /// The time after the start of the race at which the engine enters, if Z3 has had its trial.
    delay: Duration,
    make: fn(Arc<Incumbent>, usize) -> Box<dyn Solver>,
}

/// Returns true if the other engines should yield to CP-SAT, which then has nearly both of two processors.
fn is_for_cp_sat(problem: &Problem, clauses: u64, options: &EngineOptions) -> bool {
    let is_integer = |term| problem.values(term).size().is_none_or(|size| size > 2);
    // A sum counts if at least two addends have more than two values; sums of Booleans do not.
    let has_sums = || problem.sums().any(|sum| sum.iter().filter(|(_, term)| is_integer(*term)).nth(1).is_some());
    let recognised = || super::recognised(problem, options).unwrap_or_default();
    (clauses > BULKY * problem.size() as u64 && has_sums())
        || (problem.size() <= MOST_TERMS && recognised().iter().any(|(kind, _)| FOR_CP_SAT.contains(kind)))
}

/// The engines, starting with the one that is most often the fastest. `make` gets the number of threads.
const MEMBERS: &[PortfolioMember] = &[
    #[cfg(feature = "cadical")]
    PortfolioMember {
        name: SolverName::Cadical.title(),
        breaks_symmetries: true,
        steps: STEPS_OF_CADICAL,
        delay: Duration::ZERO,
        make: |incumbent, _| Box::new(super::cadical::Cadical::sharing(incumbent)),
    },
    #[cfg(not(feature = "cadical"))]
    LAST_RESORT,
    #[cfg(feature = "cpsat")]
    PortfolioMember {
        name: SolverName::CpSat.title(),
        breaks_symmetries: false,
        steps: STEPS_OF_CP_SAT,
        delay: Duration::ZERO,
        make: |incumbent, threads| Box::new(super::cpsat::CpSat::sharing(incumbent, threads)),
    },
    #[cfg(feature = "z3")]
    PortfolioMember {
        name: SolverName::Z3.title(),
        breaks_symmetries: true,
        steps: STEPS_OF_Z3,
        delay: DELAY,
        make: |incumbent, _| Box::new(super::z3::Z3::sharing(incumbent)),
    },
];

/// The engine that is part of every build; it confirms claims that rest on all the others.
const LAST_RESORT: PortfolioMember = PortfolioMember {
    name: SolverName::BatSat.title(),
    breaks_symmetries: true,
    steps: STEPS_OF_CADICAL,
    delay: Duration::ZERO,
    make: |incumbent, _| Box::new(super::batsat::BatSat::sharing(incumbent)),
};

impl Solver for Portfolio {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        self.solve_with(&Arc::new(problem.clone()), Guidance::default(), options, found)
    }

    /// Runs the trial, then the enumeration or the race.
    fn solve_with(
        &mut self,
        problem: &Arc<Problem>,
        guidance: Guidance,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        let mut news = News::new(problem, found);
        news.incumbent.prepare(problem, &guidance);
        // A portfolio without some engines confirms a claim; a race for a single answer is enough for that.
        let has_all = self.without.is_empty();
        let trial = match has_all.then(|| self.trial(problem, &guidance, options, &mut news)) {
            Some(ControlFlow::Break(answer)) => return answer,
            Some(ControlFlow::Continue(trial)) => trial,
            None => Trial::default(),
        };
        // Symmetries are broken only if one assignment is wanted, or the best one.
        if has_all && guidance.break_symmetries.is_none() && problem.objective().is_none() {
            let mut enumeration = Enumeration::default();
            let answer = enumeration.solve(problem, options, &mut |found| news.report(found, enumeration::NAME));
            if !has_given_up(&answer) {
                self.statistics = enumeration.statistics().clone();
                return answer;
            }
        }
        // Easy instances end in the trial, so symmetries are searched for only after it.
        let broken = guidance.break_symmetries.map(|break_symmetries| Arc::new(break_symmetries()));
        let broken = broken.as_ref().unwrap_or(problem);
        let wants_one = !has_all || guidance.break_symmetries.is_some() || problem.objective().is_some();
        let answer = match options.repeatable || !HAS_THREADS {
            true => self.one_by_one(&mut news, broken, options),
            false => self.race(&mut news, broken, guidance.neighbours, options, RaceTrial { trial, wants_one }),
        };
        // The user has not chosen a single engine, so its error would be misleading.
        answer.map_err(|error| match error {
            SolverError::FalseClaim { .. } => error,
            _ => SolverError::TooLargeForAll { terms: problem.size() },
        })
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The result of Z3's trial.
#[derive(Clone, Copy, Default)]
struct Trial {
    /// False if the encoding was too large for a trial, so that Z3 has not searched.
    has_searched: bool,
    /// The number of variables and clauses of the encoding; 0 if there was no trial.
    clauses: u64,
}

/// Passes assignments on to the caller: each one once, or with an objective only better ones.
struct News<'a> {
    problem: &'a Arc<Problem>,
    incumbent: Arc<Incumbent>,
    /// The decisions of all assignments so far, as 128-bit hashes.
    seen: FxHashSet<u128>,
    found: &'a mut dyn FnMut(&Assignment) -> ControlFlow<()>,
}

impl<'a> News<'a> {
    fn new(problem: &'a Arc<Problem>, found: &'a mut dyn FnMut(&Assignment) -> ControlFlow<()>) -> Self {
        News { problem, incumbent: Arc::default(), seen: FxHashSet::default(), found }
    }

    fn report(&mut self, assignment: &Assignment, finder: &'static str) -> ControlFlow<()> {
        let is_new = match self.problem.objective() {
            Some(objective) => self.incumbent.offer(self.problem, objective, assignment, finder),
            None => self.seen.insert(self.key(assignment)),
        };
        if is_new { (self.found)(assignment) } else { ControlFlow::Continue(()) }
    }

    fn key(&self, assignment: &Assignment) -> u128 {
        let mut halves = [DefaultHasher::new(), DefaultHasher::new()];
        // With another prefix, the two hashes are independent, so a collision is practically impossible.
        halves[1].write_u8(1);
        for variable in self.problem.decisions() {
            let value = self.problem.value(*variable, assignment);
            halves.iter_mut().for_each(|half| value.hash(half));
        }
        let [low, high] = halves.map(|half| u128::from(half.finish()));
        high << 64 | low
    }
}

/// The result of an engine, or the error if it does not support the problem.
type EngineAnswer = Result<SearchEnd, SolverError>;

/// The messages of the engines to the race; each starts with the engine's place.
enum EngineEvent {
    Found(usize, Assignment),
    Ended(usize, thread::Result<EngineAnswer>, Statistics),
}

/// An engine in a race.
struct Entrant {
    name: &'static str,
    /// True if the engine can prove an answer. Local search cannot: it only helps the others.
    proves: bool,
    /// The thread of the engine, until it has ended.
    thread: Option<JoinHandle<()>>,
    /// Notifies the engine that the caller has seen an assignment; closed when the engine is to stop.
    seen: Option<Sender<()>>,
}

/// The state of a race.
#[derive(Default)]
struct Standings {
    entrants: Vec<Entrant>,
    /// The number of engines that search and can prove an answer.
    running: usize,
    /// The number of other entrants that search.
    helping: usize,
    /// The engine that has the answer.
    winner: Option<usize>,
    answer: Option<EngineAnswer>,
    statistics: Statistics,
    /// The payload of an engine's panic.
    panic: Option<Box<dyn Any + Send>>,
    /// The error of a claim that an assignment of another engine has refuted.
    false_claim: Option<SolverError>,
}

impl Standings {
    /// Adds an engine; returns its place and the receiver of its notifications.
    fn enter(&mut self, name: &'static str, proves: bool) -> (usize, Receiver<()>) {
        let (seen, ready) = mpsc::channel();
        self.entrants.push(Entrant { name, proves, thread: None, seen: Some(seen) });
        *(if proves { &mut self.running } else { &mut self.helping }) += 1;
        (self.entrants.len() - 1, ready)
    }

    fn take(&mut self, event: EngineEvent, news: &mut News) {
        self.take_event(event, news);
        if self.false_claim.is_none() {
            self.false_claim = news.incumbent.false_bound();
        }
    }

    fn take_event(&mut self, event: EngineEvent, news: &mut News) {
        match event {
            EngineEvent::Found(place, assignment) if self.winner.is_none() => {
                if news.report(&assignment, self.entrants[place].name).is_break() {
                    self.win(place, SearchEnd::Enough);
                } else if let Some(seen) = &self.entrants[place].seen {
                    // If the engine has just ended, the receiver is gone.
                    let _ = seen.send(());
                }
            }
            // Engines do not stop at once, so assignments may arrive after the winner's claim.
            EngineEvent::Found(place, assignment) => self.hold_against_claim(place, &assignment, news),
            EngineEvent::Ended(place, answer, statistics) => {
                let answer = match answer {
                    Ok(answer) => answer,
                    Err(panic) => {
                        self.panic = Some(panic);
                        return;
                    }
                };
                if !self.entrants[place].proves {
                    self.helping -= 1;
                    return;
                }
                self.running -= 1;
                // The statistics of the winner have just arrived, and `is_over` waits for them.
                self.entrants[place].thread = None;
                if self.winner.is_none() && answer == Ok(SearchEnd::Complete) {
                    self.win(place, SearchEnd::Complete);
                } else if self.winner.is_none() {
                    self.answer = weightier(self.answer.take(), answer);
                }
                // If no engine has an answer, the statistics of any engine are reported.
                if self.winner.is_none_or(|winner| winner == place) {
                    let first = if self.winner.is_some() { "ended first" } else { "took part" };
                    let method = format!("a portfolio; {} {first}: {}", self.entrants[place].name, statistics.method);
                    self.statistics = Statistics { method, ..statistics };
                }
            }
        }
    }

    /// Checks an assignment that arrives after the winner's claim that there is none beyond the earlier ones.
    fn hold_against_claim(&mut self, position: usize, assignment: &Assignment, news: &mut News) {
        let (Some(winner), Some(Ok(SearchEnd::Complete)), None) = (self.winner, &self.answer, &self.false_claim) else {
            return;
        };
        let best = news.incumbent.best();
        let refutes = match news.problem.objective() {
            Some(objective) => best.as_ref().is_none_or(|best| is_better(news.problem, objective, assignment, best)),
            // If assignments were found without an objective, several are wanted. Then the engines search one after the
            // other, so no other engine could have sent this one.
            None => news.seen.is_empty(),
        };
        if refutes && news.problem.is_satisfied_by(assignment) {
            let claimed_by = claimers(self.entrants[winner].name, news).join(", ");
            let (claim, refuted_by) =
                (false_claim(news.problem, best.as_ref(), assignment), self.entrants[position].name.to_owned());
            self.false_claim = Some(SolverError::FalseClaim { claimed_by, claim, refuted_by });
            // The caller gets the assignment as usual.
            let _ = (news.found)(assignment);
        }
    }

    /// Returns true if no engine needs to continue or to start.
    fn is_decided(&self) -> bool {
        self.winner.is_some() || self.panic.is_some() || self.false_claim.is_some()
    }

    /// Returns true if there is nothing to wait for. With a time limit, local search continues after all engines have
    /// given up.
    fn is_over(&self, has_time: bool) -> bool {
        (self.running == 0 && (self.is_decided() || self.helping == 0 || !has_time))
            || self.panic.is_some()
            || self.false_claim.is_some()
            || self.winner.is_some_and(|winner| self.entrants[winner].thread.is_none())
    }

    fn win(&mut self, position: usize, status: SearchEnd) {
        self.winner = Some(position);
        self.answer = Some(Ok(status));
        self.entrants.iter_mut().for_each(|entrant| entrant.seen = None);
    }
}

/// The engines on whose word an answer of the engine `name` rests: its own, and all that have proved a bound.
fn claimers(name: &'static str, news: &News) -> Vec<&'static str> {
    let provers = news.incumbent.provers().into_iter().filter(|prover| *prover != name);
    [name].into_iter().chain(provers).collect()
}

impl Portfolio {
    /// A portfolio without these engines, for a race for one answer.
    pub(super) fn without(engines: Vec<&'static str>) -> Self {
        Portfolio { without: engines, ..Portfolio::default() }
    }

    /// The engines that take part.
    fn members(&self) -> Vec<&'static PortfolioMember> {
        let takes_part = |member: &&PortfolioMember| !self.without.contains(&member.name);
        let members: Vec<_> = MEMBERS.iter().filter(takes_part).collect();
        if members.is_empty() { [&LAST_RESORT].into_iter().filter(takes_part).collect() } else { members }
    }

    /// Runs Z3 with a fixed budget of work; returns its answer, or the size of the encoding.
    fn trial(
        &mut self,
        problem: &Problem,
        guidance: &Guidance,
        options: &EngineOptions,
        news: &mut News,
    ) -> ControlFlow<EngineAnswer, Trial> {
        // The trial ignores hints, so its first assignment may be far from the hint. With an objective, this is
        // harmless, because it is only the first incumbent.
        #[cfg(feature = "z3")]
        if (guidance.hint.is_empty() || problem.objective().is_some())
            && let Some(mut z3) = super::z3::Z3::for_trial(problem)
        {
            let answer = z3.solve(problem, options, &mut |found| news.report(found, SolverName::Z3.title()));
            // If Z3's library is missing, the other engines solve the problem.
            if matches!(answer, Err(SolverError::LibraryMissing { .. })) {
                return ControlFlow::Continue(Trial::default());
            }
            if !has_given_up(&answer) {
                self.statistics = z3.statistics().clone();
                return ControlFlow::Break(answer);
            }
            // The size of Z3's encoding also decides if CP-SAT starts first in the race.
            let clauses = z3.statistics().sizes.iter().map(|(_, size)| *size).sum();
            return ControlFlow::Continue(Trial { has_searched: clauses <= super::tuning::z3::MOST_IN_TRIAL, clauses });
        }
        #[cfg(not(feature = "z3"))]
        let _ = (problem, guidance, options, news);
        ControlFlow::Continue(Trial::default())
    }

    /// Runs the engines one after the other until one has an answer.
    fn one_by_one(&mut self, news: &mut News, broken: &Problem, options: &EngineOptions) -> EngineAnswer {
        let mut answer = None;
        for member in self.members() {
            let mut engine = (member.make)(news.incumbent.seen_by(member.name), 1);
            let problem = if member.breaks_symmetries { broken } else { news.problem };
            let status = engine.solve(problem, options, &mut |assignment| news.report(assignment, member.name));
            let method = format!("{}: {}", member.name, engine.statistics().method);
            let claimed_by = claimers(member.name, news);
            self.statistics = Statistics { method, claimed_by, ..engine.statistics().clone() };
            if let Some(error) = news.incumbent.false_bound() {
                return Err(error);
            }
            if !has_given_up(&status) {
                return status;
            }
            answer = weightier(answer, status);
        }
        answer.unwrap_or(Ok(StopReason::Unknown("there is no solver".into()).into()))
    }

    /// Runs all engines at once until the first answer.
    fn race(
        &mut self,
        news: &mut News,
        broken: &Arc<Problem>,
        neighbours: Option<&dyn Neighbours>,
        options: &EngineOptions,
        trial: RaceTrial,
    ) -> EngineAnswer {
        let members = self.members();
        let (events, inbox) = mpsc::channel();
        let race = EngineRace::new(news.problem, broken, &members, options, trial, events);
        let mut standings = Standings::default();
        // Local search borrows the caller's moves, so its thread must end with the race. The engines own their data, so
        // their threads can be left behind.
        thread::scope(|scope| {
            if let Some(neighbours) = neighbours.filter(|_| news.problem.objective().is_some()) {
                race.start_local_search(scope, neighbours, news, &mut standings);
            }
            race.run(&members, inbox, news, &mut standings);
        });
        let Standings { entrants, winner, answer, statistics, panic, false_claim, .. } = standings;
        if let Some(panic) = panic {
            panic::resume_unwind(panic);
        }
        let claimed_by = winner.map_or(Vec::new(), |winner| claimers(entrants[winner].name, news));
        self.statistics = Statistics { bound: news.incumbent.bound().or(statistics.bound), claimed_by, ..statistics };
        if let Some(error) = false_claim {
            return Err(error);
        }
        // If there is no winner, the limit that was reached explains the end better than the engines' answers.
        match (winner, options.reached()) {
            (None, Some(reached)) => Ok(reached.into()),
            _ => answer.unwrap_or(Ok(StopReason::Unknown("there is no solver".into()).into())),
        }
    }
}

/// The inputs of a race beside the problem.
struct RaceTrial {
    trial: Trial,
    /// True if one assignment is wanted, or the best one.
    wants_one: bool,
}

/// Starts and stops the engines of a race.
struct EngineRace<'a> {
    /// The problem with its symmetries broken.
    broken: &'a Arc<Problem>,
    options: &'a EngineOptions,
    /// Interrupts the engines.
    stop: Arc<AtomicBool>,
    /// Schedules the engines if there are fewer threads than engines.
    turns: Option<Arc<Turns>>,
    /// True if all engines search at once. If several assignments are wanted, each engine would have to find all of
    /// them, so the engines take part one after the other.
    all_at_once: bool,
    trial: Trial,
    /// The number of threads of CP-SAT, which gets those that the other engines do not need.
    spare: usize,
    /// The number of searches that share the memory.
    sharers: usize,
    is_for_cp_sat: bool,
    events: Sender<EngineEvent>,
}

impl<'a> EngineRace<'a> {
    fn new(
        problem: &Problem,
        broken: &'a Arc<Problem>,
        members: &[&'static PortfolioMember],
        options: &'a EngineOptions,
        trial: RaceTrial,
        events: Sender<EngineEvent>,
    ) -> Self {
        let RaceTrial { trial, wants_one } = trial;
        // If the number of threads is limited, the engines take turns; otherwise, they share the processors.
        let limit = options.threads.map(NonZeroUsize::get).filter(|threads| *threads < members.len());
        let turns = limit.map(Turns::new);
        let all_at_once = turns.is_none() || wants_one;
        let least = if options.threads.is_none() { LEAST_THREADS } else { 1 };
        EngineRace {
            broken,
            options,
            stop: Arc::default(),
            turns,
            all_at_once,
            trial,
            spare: (options.thread_count() + 1).saturating_sub(members.len()).max(least),
            sharers: memory::sharers().saturating_mul(if all_at_once { members.len() } else { 1 }),
            is_for_cp_sat: is_for_cp_sat(problem, trial.clauses, options) && SolverName::CpSat.is_installed(),
            events,
        }
    }

    /// Makes the options of the next engine. Each call joins the turns.
    fn engine_options(&self) -> EngineOptions {
        let limits = Limits { interrupted: self.stop.clone(), ..self.options.limits.clone() };
        let turn = self.turns.as_ref().map(|turns| turns.join());
        EngineOptions { limits, turn, ..self.options.clone() }
    }

    fn start_local_search<'scope, 'n: 'scope>(
        &self,
        scope: &'scope thread::Scope<'scope, '_>,
        neighbours: &'scope dyn Neighbours,
        news: &News<'n>,
        standings: &mut Standings,
    ) {
        let name = "local search";
        let (place, ready) = standings.enter(name, false);
        let (problem, incumbent) = (news.problem, news.incumbent.seen_by(name));
        let (events, options) = (self.events.clone(), self.engine_options());
        let turn = options.turn.clone();
        let run = move || {
            let mut engine = LocalSearch { neighbours, incumbent, delay: DELAY, statistics: Statistics::default() };
            run_engine(&mut engine, place, problem, &options, &events, &ready);
        };
        // If there is no memory for the thread, the engines search without it, and `Turns` must not wait for it.
        if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).is_err() {
            turn.iter().for_each(EngineTurn::end);
            standings.helping -= 1;
        }
    }

    fn start(&self, member: &'static PortfolioMember, news: &News, standings: &mut Standings) {
        let (place, ready) = standings.enter(member.name, true);
        let problem = Arc::clone(if member.breaks_symmetries { self.broken } else { news.problem });
        let (events, incumbent) = (self.events.clone(), news.incumbent.seen_by(member.name));
        let (is_for_cp_sat, spare, sharers) = (self.is_for_cp_sat, self.spare, self.sharers);
        let options = self.engine_options();
        let turn = options.turn.clone();
        let run = move || {
            // The engine's threads inherit the priority, so it is set before the engine is made.
            conjure_like_system::go_after_others(member.steps[usize::from(is_for_cp_sat)]);
            let mut engine = (member.make)(incumbent, spare);
            memory::shared(sharers, || run_engine(&mut *engine, place, &problem, &options, &events, &ready));
        };
        match thread::Builder::new().stack_size(STACK).spawn(run) {
            Ok(thread) => standings.entrants[place].thread = Some(thread),
            Err(error) => {
                turn.iter().for_each(EngineTurn::end);
                standings.running -= 1;
                let reason = format!("there is not enough memory for a thread: {error}");
                let unknown = Ok(StopReason::Unknown(reason).into());
                standings.answer = weightier(standings.answer.take(), unknown);
            }
        }
    }

    /// Starts the engines and takes their events until the race is over. Then the inbox is dropped, so that an engine
    /// that still finds an assignment ends.
    fn run(
        &self,
        members: &[&'static PortfolioMember],
        inbox: Receiver<EngineEvent>,
        news: &mut News,
        standings: &mut Standings,
    ) {
        let mut stopped: Option<Instant> = None;
        let mut waiting = members.iter().copied().peekable();
        let start = Instant::now();
        loop {
            // The next engine starts when its time has come, or when all engines before it have given up.
            while stopped.is_none()
                && let Some(member) = waiting.next_if(|member| {
                    // With turns, a late engine catches up, so its delay would be pointless. Without a trial, Z3 is
                    // needed at once.
                    let is_time = self.turns.is_some() || !self.trial.has_searched || start.elapsed() >= member.delay;
                    standings.running == 0 || (self.all_at_once && is_time)
                })
            {
                self.start(member, news, standings);
            }
            // Unless the race is decided, an engine that has not started can still find the answer.
            let no_engine_waits = standings.is_decided() || waiting.peek().is_none();
            // A library may not return in time, so its thread is left behind.
            let is_late = stopped.is_some_and(|stopped| stopped.elapsed() > GRACE);
            let has_time = stopped.is_none() && self.options.limits.deadline.is_some();
            if (standings.is_over(has_time) && no_engine_waits) || is_late {
                self.stop.store(true, Ordering::Relaxed);
                inbox.try_iter().for_each(|event| standings.take(event, news));
                // An engine may wait for a reply about an assignment that it has just sent; closing the channel ends
                // this wait.
                standings.entrants.iter_mut().for_each(|entrant| entrant.seen = None);
                leave_behind(standings.entrants.iter_mut().filter_map(|entrant| entrant.thread.take()).collect());
                break;
            }
            if let Ok(event) = inbox.recv_timeout(INTERVAL) {
                standings.take(event, news);
            }
            if stopped.is_none() && (standings.is_decided() || self.options.reached().is_some()) {
                self.stop.store(true, Ordering::Relaxed);
                stopped = Some(Instant::now());
            }
        }
    }
}

/// Threads of engines that had not ended when their race was decided: CP-SAT checks limits every half second only.
static LEFT_BEHIND: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Stops waiting for these threads until the program exits: there, the libraries that they use are torn down.
fn leave_behind(threads: Vec<JoinHandle<()>>) {
    if !threads.is_empty() {
        let mut all = LEFT_BEHIND.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|thread| !thread.is_finished());
        all.extend(threads);
        conjure_like_system::at_exit(wait_for_those_left_behind);
    }
}

extern "C" fn wait_for_those_left_behind() {
    let threads = std::mem::take(&mut *LEFT_BEHIND.lock().unwrap_or_else(PoisonError::into_inner));
    for thread in threads {
        // If an engine has lost its race, its panic does not matter.
        let _ = thread.join();
    }
}

/// Returns true if an engine has ended without an answer although no limit was reached.
fn has_given_up(answer: &EngineAnswer) -> bool {
    matches!(answer, Ok(SearchEnd::Stopped(StopReason::Unknown(_))) | Err(_))
}

/// Returns the more informative answer: an end of the search, then a limit, then "unknown", then an error.
fn weightier(one: Option<EngineAnswer>, other: EngineAnswer) -> Option<EngineAnswer> {
    let weight = |answer: &EngineAnswer| match answer {
        Ok(SearchEnd::Complete | SearchEnd::Enough) => 3,
        Ok(SearchEnd::Stopped(StopReason::TimeLimit | StopReason::Interrupted)) => 2,
        Ok(SearchEnd::Stopped(StopReason::Unknown(_))) => 1,
        Err(_) => 0,
    };
    match one {
        Some(one) if weight(&one) >= weight(&other) => Some(one),
        _ => Some(other),
    }
}

/// Runs an engine of a race. The engine continues while the caller handles its assignments, but not before the caller
/// has asked for more than one, and by at most [`MOST_AHEAD`] assignments.
fn run_engine(
    engine: &mut dyn Solver,
    position: usize,
    problem: &Problem,
    options: &EngineOptions,
    events: &Sender<EngineEvent>,
    ready: &Receiver<()>,
) {
    let (mut sent, mut answered) = (0_usize, 0_usize);
    let mut found = |assignment: &Assignment| {
        if events.send(EngineEvent::Found(position, assignment.clone())).is_err() {
            return ControlFlow::Break(());
        }
        sent += 1;
        while ready.try_recv().is_ok() {
            answered += 1;
        }
        // The engine may be ahead by as many assignments as the caller has already accepted, so it does not search in
        // vain if only one is wanted.
        while sent - answered > answered.min(MOST_AHEAD) {
            match ready.recv() {
                Ok(()) => answered += 1,
                Err(_) => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    };
    if let Some(turn) = &options.turn {
        turn.prepare(&options.limits);
    }
    // A panic is resumed on the caller's thread, after the other engines have stopped.
    let status: Result<_, Box<dyn Any + Send>> =
        panic::catch_unwind(AssertUnwindSafe(|| engine.solve(problem, options, &mut found)));
    if let Some(turn) = &options.turn {
        turn.end();
    }
    // If a panic has ended the race, the receiver is gone.
    let _ = events.send(EngineEvent::Ended(position, status, engine.statistics().clone()));
}

/// A race without a trial, for tests.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct RaceAtOnce(Portfolio);

#[cfg(test)]
impl Solver for RaceAtOnce {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        let problem = Arc::new(problem.clone());
        let trial = RaceTrial { trial: Trial::default(), wants_one: true };
        self.0.race(&mut News::new(&problem, found), &problem, None, options, trial)
    }

    fn statistics(&self) -> &Statistics {
        self.0.statistics()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        FalseClaim, IntSet, Sense,
        problem::{Builder, Int, Role},
        solver::test_problems::{random_schedule, random_tour},
    };

    /// A sum of variables with this number of values each.
    fn sum(values: i64) -> Problem {
        let mut problem = Builder::new();
        let terms: Vec<_> = (0..3).map(|_| (1, problem.new_int(IntSet::range(1, values), Role::Decision))).collect();
        let sum = problem.linear(terms, 0);
        let low = problem.at_most_constant(sum, values);
        problem.require(low);
        problem.finish().expect("a sum")
    }

    #[test]
    fn bulky_sums_of_integers_and_routes_and_schedules_are_for_cp_sat() {
        let knows = cfg!(feature = "cpsat");
        let machine = (0..).map(random_schedule).find(|schedule| schedule.machines > 0).expect("most of them");
        for (problem, clauses, expected) in [
            (sum(50), 100_000, true),
            (sum(50), 10, false),
            (sum(2), 100_000, false),
            (random_tour(0).0, 10, knows),
            (machine.problem, 10, knows),
        ] {
            let found = is_for_cp_sat(&problem, clauses, &EngineOptions::default());
            assert_eq!(found, expected, "{clauses}\n{problem}");
        }
    }

    #[test]
    fn local_search_goes_on_alone_until_a_time_limit() {
        let problem = Arc::new(Builder::new().finish().expect("nothing"));
        let mut found = |_: &Assignment| ControlFlow::Continue(());
        let mut news = News::new(&problem, &mut found);
        let mut standings = Standings::default();
        let (helper, _ready) = standings.enter("local search", false);
        let (engine, _ready) = standings.enter("an engine", true);
        assert!(!standings.is_over(true) && !standings.is_over(false));
        let unknown = |why: &str| Ok(Ok(StopReason::Unknown(why.into()).into()));
        standings.take(EngineEvent::Ended(engine, unknown("too many values"), Statistics::default()), &mut news);
        assert!(!standings.is_over(true) && standings.is_over(false));
        standings.take(EngineEvent::Ended(helper, unknown("nothing near"), Statistics::default()), &mut news);
        assert!(standings.is_over(true));
    }

    #[test]
    fn a_panic_ends_a_race_while_others_run() {
        let problem = Arc::new(Builder::new().finish().expect("nothing"));
        let mut found = |_: &Assignment| ControlFlow::Continue(());
        let mut news = News::new(&problem, &mut found);
        let mut standings = Standings::default();
        let (place, _ready) = standings.enter("one", true);
        let _other = standings.enter("other", true);
        standings.take(EngineEvent::Ended(place, Err(Box::new("a bug")), Statistics::default()), &mut news);
        assert!(standings.is_decided() && standings.is_over(false));
    }

    /// A number from 1 to 5 that is maximised.
    fn largest() -> (Arc<Problem>, Int) {
        let mut problem = Builder::new();
        let number = problem.new_int(IntSet::range(1, 5), Role::Decision);
        problem.set_objective(Sense::Maximise, vec![number]);
        (Arc::new(problem.finish().expect("a number")), number)
    }

    /// The assignment that gives a number this value.
    fn with_value(number: Int, value: i64) -> Assignment {
        let mut assignment = Assignment::default();
        assignment.set_int(number, value);
        assignment
    }

    #[test]
    fn an_assignment_that_arrives_after_a_claim_refutes_it() {
        let (problem, number) = largest();
        for (late, is_false) in [(5, true), (4, false), (3, false)] {
            let mut handed_on = Vec::new();
            let mut found = |assignment: &Assignment| {
                handed_on.push(problem.int_value(number, assignment));
                ControlFlow::Continue(())
            };
            let mut news = News::new(&problem, &mut found);
            let mut standings = Standings::default();
            let (claimer, _ready) = standings.enter("one", true);
            let (other, _also_ready) = standings.enter("other", true);
            standings.take(EngineEvent::Found(claimer, with_value(number, 4)), &mut news);
            let complete = EngineEvent::Ended(claimer, Ok(Ok(SearchEnd::Complete)), Statistics::default());
            standings.take(complete, &mut news);
            assert!(standings.false_claim.is_none());
            standings.take(EngineEvent::Found(other, with_value(number, late)), &mut news);
            let expected = SolverError::FalseClaim {
                claimed_by: "one".into(),
                claim: FalseClaim::NoBetter(4, 5),
                refuted_by: "other".into(),
            };
            assert_eq!(standings.false_claim, is_false.then_some(expected));
            assert_eq!(handed_on, if is_false { vec![4, 5] } else { vec![4] });
        }
    }

    #[test]
    fn an_assignment_that_is_better_than_a_bound_refutes_it() {
        let (problem, number) = largest();
        for bound_is_first in [true, false] {
            let mut found = |_: &Assignment| ControlFlow::Continue(());
            let mut news = News::new(&problem, &mut found);
            let mut standings = Standings::default();
            let (place, _ready) = standings.enter("finder", true);
            let prover = news.incumbent.seen_by("prover");
            let prove = || prover.prove(Sense::Maximise, 3);
            if bound_is_first {
                prove();
            }
            standings.take(EngineEvent::Found(place, with_value(number, 3)), &mut news);
            assert!(standings.false_claim.is_none() && !standings.is_decided());
            standings.take(EngineEvent::Found(place, with_value(number, 5)), &mut news);
            if !bound_is_first {
                prove();
                standings.take(EngineEvent::Found(place, with_value(number, 1)), &mut news);
            }
            let expected = SolverError::FalseClaim {
                claimed_by: "prover".into(),
                claim: FalseClaim::NoBetter(3, 5),
                refuted_by: "finder".into(),
            };
            assert!(standings.is_decided() && standings.is_over(false));
            assert_eq!(standings.false_claim, Some(expected));
        }
    }
}
