//! The constants of the engines, one table for each: the unit, the reason, and the measurement.
//!
//! "Chosen" marks a value that was not measured against others: it only keeps something bounded, and a comment says
//! what. Change a value with figures of `benches/run.py --against`, and write them beside it. Bounds that keep numbers
//! from overflowing are not here; each is declared beside the arithmetic that relies on it.
//!
//! Users set none of these values. They set the engine, its threads, the seed and the limits ([`EngineOptions`]); a
//! further knob would have to be right for every instance of a model, and its best value changes with each version of
//! an engine. So a value that suits only some problems is a reason to recognise these problems (`portfolio::BULKY`).
//! Budgets are counted in conflicts, checks or units of work instead of seconds wherever the answer depends on them, so
//! that the same input gives the same answer on every machine.
//!
//! [`EngineOptions`]: super::EngineOptions

/// The race, and what decides who takes part in it.
pub(super) mod portfolio {
    use std::time::Duration;

    /// The interval at which a race checks the limits. Chosen: a tenth of the 0.2 s within which Ctrl-C ends a command.
    pub(crate) const INTERVAL: Duration = Duration::from_millis(20);
    /// The minimum number of threads of CP-SAT in a race. With two, one searches for a proof and the other one near the
    /// best assignment: a round trip of 58 places ends at 697 after 20 s, with one thread at 2,661 (two processors).
    pub(crate) const LEAST_THREADS: usize = 2;
    /// The delay of engines that easy instances do not need: Z3 has just had its trial, and local search proves
    /// nothing. Without the delay, CaDiCaL took four times as long for instances that it solves in a tenth of a second
    /// (two processors).
    pub(crate) const DELAY: Duration = Duration::from_millis(400);
    /// The time that a race waits for the statistics of its engines once it is decided or has reached a limit. CP-SAT
    /// may stop half a second late: Steiner triples on 9 points took 0.58 s with a wait for all engines and take 0.13 s
    /// without.
    pub(crate) const GRACE: Duration = Duration::from_millis(100);
    /// At this ratio of clauses to terms, an encoding is bulky: constraints that are one constraint for CP-SAT, such as
    /// a sum of integers, become many clauses. Of the instances of `benches/members.py` that have sums of integers,
    /// CP-SAT is the best for the bulky ones: it proves a Golomb ruler of order 9 in 0.4 s, CaDiCaL in 4.7.
    pub(crate) const BULKY: u64 = 70;
    /// The constraints of routes and schedules. CP-SAT propagates them as a whole, clauses value by value: eight
    /// vehicles take CP-SAT 0.6 s and CaDiCaL more than 12. Of the instances of `benches/members.py` with one of these
    /// constraints, CaDiCaL is the best for only one, which it solves within a tenth of a second.
    pub(crate) const FOR_CP_SAT: [&str; 3] = ["circuits", "machines", "resources"];
    /// The maximum number of terms for which these constraints are looked for: recognising them takes as long as a
    /// translation for CP-SAT. Chosen.
    pub(crate) const MOST_TERMS: usize = 500_000;
    /// The steps by which the priority of CaDiCaL's threads is lowered, so that an engine does not get more of the
    /// processors because it has more threads; the second number is for problems in which CP-SAT goes first. Other
    /// engines that take its place, such as BatSat, have the same steps. With ten steps, CP-SAT has nearly both of two
    /// processors. Chosen.
    pub(crate) const STEPS_OF_CADICAL: [i32; 2] = [0, 10];
    /// The same for CP-SAT, which has at least two threads. Chosen.
    #[cfg(feature = "cpsat")]
    pub(crate) const STEPS_OF_CP_SAT: [i32; 2] = [3, 0];
    /// The same for Z3, which has had its trial. Chosen.
    #[cfg(feature = "z3")]
    pub(crate) const STEPS_OF_Z3: [i32; 2] = [4, 10];
    /// The stack size of an engine's thread in bytes; functions that recurse over the problem allocate more. Chosen.
    pub(crate) const STACK: usize = 16 << 20;
    /// The maximum number of assignments that an engine runs ahead of its caller, so that an enumeration does not
    /// switch threads for each assignment. Chosen.
    pub(crate) const MOST_AHEAD: usize = 200;
}

/// Engines that share a thread.
pub(super) mod turns {
    use std::time::Duration;

    /// The lead in search time over the others at which an engine passes its turn on. Chosen: long beside a switch of
    /// threads, short beside the 0.4 s after which the first engines have had their chance.
    pub(crate) const QUANTUM: Duration = Duration::from_millis(50);
    /// The interval at which a waiting engine checks the limits. Chosen, as for a race.
    pub(crate) const INTERVAL: Duration = Duration::from_millis(20);
}

/// The thread that interrupts an engine without a callback.
#[cfg(any(feature = "z3", feature = "cpsat"))]
pub(super) mod watch {
    use std::time::Duration;

    /// The interval at which the limits are checked. Chosen, as for a race.
    pub(crate) const INTERVAL: Duration = Duration::from_millis(20);
    /// The stack size of the second thread in bytes, which calls little. Chosen.
    pub(crate) const STACK: usize = 128 << 10;
}

/// The second engine, which confirms claims.
pub(super) mod claims {
    use std::time::Duration;

    /// The divisor of the search time that gives the time for a brief confirmation: it costs at most 4 %. Chosen.
    pub(crate) const BRIEF_PART: u32 = 25;
    /// The least time for a brief confirmation: a twentieth of the 9 ms that the process takes for a small instance.
    pub(crate) const LEAST_TIME: Duration = Duration::from_micros(500);
    /// An estimate of the time to translate one term of a problem for an engine: 200,000 terms take a few tenths of a
    /// second.
    pub(crate) const TERM_TIME: Duration = Duration::from_micros(2);
    /// The maximum number of literals in the blocking clauses of a brief confirmation. Chosen: it bounds the clauses
    /// that only the second engine needs.
    pub(crate) const MOST_BLOCKED: usize = 2_000;
}

/// The search of a SAT solver for the best assignment (`docs/decisions/near-the-best.md`).
pub(super) mod search {
    /// The conflicts of the first complete search for a better assignment, after which a search near the best one takes
    /// its turn. Problems that take fewer conflicts never see a neighbourhood. It is small in tests, so that both
    /// searches take place there. Chosen.
    pub(crate) const FIRST_SLICE: u64 = if cfg!(test) { 2 } else { 2_000 };
    /// The conflicts for one neighbourhood. Vehicle routes for 30 customers cost 1,477 after 30 s with neighbourhoods
    /// and 1,931 without; other budgets were not measured.
    pub(crate) const NEAR_CONFLICTS: u64 = 300;
    /// The cost of a neighbourhood apart from its conflicts, in conflicts. Chosen: without it, neighbourhoods that fail
    /// by propagation alone would cost nothing, and their turn would not end.
    pub(crate) const NEAR_WORK: u64 = 20;
    /// The fractions of a hint that are dropped, one after the other, while the search looks for an assignment near it.
    /// Chosen: the whole hint comes first, because it often is an assignment.
    pub(crate) const RELEASED: [f64; 6] = [0.0, 0.05, 0.1, 0.2, 0.4, 0.6];
}

/// The neighbourhoods of the best assignment.
pub(super) mod neighbourhood {
    /// The maximum number of terms that are visited to find the scopes of all constraints. Chosen: it bounds the time
    /// before the first neighbourhood.
    pub(crate) const MOST_VISITS: usize = 3_000_000;
    /// The minimum number of free variables. Chosen.
    pub(crate) const FEWEST: f64 = 4.0;
    /// The number of decisions for each free one at the start. Chosen: [`GROWTH`] corrects it.
    pub(crate) const FIRST_PART: f64 = 10.0;
    /// The factor by which a neighbourhood without a better assignment makes the next one of its kind larger, and one
    /// that takes too long makes it smaller. Chosen: five steps double the size.
    pub(crate) const GROWTH: f64 = 1.15;
}

/// Assumption-based solving with a SAT solver and Z3's integer theory in turn.
pub(super) mod incremental {
    /// The cost of one check apart from its conflicts, in conflicts. Chosen.
    pub(crate) const CHECK_WORK: u64 = 20;
    /// The budget of conflicts after which a check goes to the other engine: about a tenth of a second. It grows by
    /// [`FACTOR`] for the next turn. Chosen.
    pub(crate) const FIRST_TURN: u64 = 2_000;
    /// The growth of the budget. Chosen: the engine that answers takes at most a small multiple of its time alone.
    pub(crate) const FACTOR: u64 = 4;
    /// A turn with at least this budget of conflicts has no end.
    pub(crate) const LAST_TURN: u64 = 1 << 40;
    /// The maximum number of terms for a second engine, as for a trial of Z3. Chosen.
    pub(crate) const TERMS_FOR_TWO: usize = 200_000;
    /// The number of conflicts of a SAT solver that a conflict of the integer theory stands for. Chosen.
    pub(crate) const INTEGERS_SHARE: u64 = 100;
}

/// A SAT solver that is kept for further searches.
pub(super) mod kept {
    /// The number of integer terms that a problem may get before it is encoded again. Chosen: a session seldom adds as
    /// many.
    pub(crate) const RESERVED: usize = 1 << 15;
    /// The maximum number of clauses that are kept: more take too much time and memory beside the searches of other
    /// engines. Chosen.
    pub(crate) const MOST_CLAUSES: u64 = 2_000_000;
}

/// The translation into clauses, for every SAT solver.
pub(super) mod encoding {
    use super::Footprint;

    /// The maximum number of clauses for a solver that does not set its own: beyond it, another backend may do better.
    /// Chosen.
    pub(crate) const MOST_CLAUSES: u64 = 4_000_000;
    /// The memory of a solver that does not set its own, fitted to CaDiCaL (`benches/growth.py`).
    pub(crate) const FOOTPRINT: Footprint = Footprint { variable: 300, clause: 80, literal: 20 };
    /// The divisor of the clause budget for the share of one constraint. Chosen: a constraint that takes a sixtieth of
    /// all clauses as partial sums is written in a smaller way.
    pub(crate) const SHARE: u64 = 60;
    /// The number of tasks between two checks of the limits. Chosen.
    pub(crate) const STOP_INTERVAL: u32 = 256;
    /// Terms with more values than this have the log encoding: bits instead of a literal for each value or bound. On
    /// domains of 200,000 values, products and divisions take a few hundredths of a second with it instead of up to a
    /// minute; on small domains it is slower, because unit propagation derives little from bits.
    pub(crate) const LOG_ABOVE: u128 = 4_096;
    /// The maximum number of pairs of values of a function of two terms that is written value by value. Chosen.
    pub(crate) const BY_PAIRS: u128 = 20_000;
    /// The clauses of a literal of a value that is made of bits, roughly: such a function takes more. Chosen.
    pub(crate) const LOG_LITERAL: u128 = 50;
    /// The maximum number of clauses of a linear constraint as partial sums; a larger one becomes a pseudo-Boolean
    /// constraint. With 20,000 instead of 3,000, Z3 took 0.4 s instead of 9 s for a magic square of order 5, and half
    /// the time for Golomb rulers.
    pub(crate) const PARTIAL_SUMS: u64 = 20_000;
    /// The maximum number of clauses for the partial sums of a sum that is used as a number. Chosen: a number has no
    /// pseudo-Boolean constraint, so the bits that remain are worse than for a comparison.
    pub(crate) const NUMBER: u64 = 100_000;
    /// The maximum number of clauses of a pseudo-Boolean constraint as a decision diagram, if the solver does not
    /// support such constraints; a larger one becomes a network of adders. Chosen.
    pub(crate) const DIAGRAM: u64 = 50_000;
    /// Terms with at most this number of values are compared value by value, others by bounds. Chosen.
    pub(crate) const BY_VALUE: u128 = 128;
    /// Up to this number of values, the direct encoding has a clause per pair of values. Chosen: 24 values have 276
    /// pairs; an order encoding has about three clauses for each value.
    pub(crate) const PAIRWISE: usize = 24;
    /// Beyond this number of values, the direct encoding does not bring in an order encoding. Without it, the first
    /// solution for 400 queens takes half the time, while 50 queens and Golomb rulers take longer.
    pub(crate) const LADDER: usize = 256;
    /// Beyond this number of values, literals of values are made one by one. Chosen.
    pub(crate) const SPARSE: usize = 512;
    /// Up to this number of literals, at most one of them is a clause per pair. Chosen: 40 literals have 780 pairs. The
    /// product encoding has about two clauses for each literal, but auxiliary variables.
    pub(crate) const PAIRS: usize = 40;
    /// A disjunction of at most this number of operands is inlined into its clause if it occurs only once. Chosen.
    pub(crate) const INLINE: usize = 12;
    /// In a sum, a term with at most this number of values contributes its bounds as weighted literals. Chosen.
    pub(crate) const WEIGHTED: u128 = 12;
    /// Up to this number of earlier conditions are repeated in the clauses of an alternative. Chosen.
    pub(crate) const REPEATED: usize = 3;
    /// If an index has at most this number of values, every remaining set of them bounds the entry. Chosen: quadratic.
    pub(crate) const SUPPORTED: usize = 40;
}

/// CaDiCaL.
#[cfg(feature = "cadical")]
pub(super) mod cadical {
    /// The maximum number of clauses. Chosen: the memory cap is reached first on most machines.
    pub(crate) const MOST_CLAUSES: u64 = 16_000_000;
    /// The solutions that are blocked one by one before the search enters a part of the space. Many, because CaDiCaL
    /// itself detects clauses that others have made redundant. Chosen.
    pub(crate) const MOST_BLOCKED: usize = 5_000;
    /// The largest seed that CaDiCaL accepts.
    pub(crate) const LARGEST_SEED: u32 = 2_000_000_000;
}

/// BatSat.
pub(super) mod batsat {
    use super::Footprint;

    /// The number of calls of `stop` between two checks of the limits: BatSat calls it at every decision. Chosen.
    pub(crate) const INTERVAL: u32 = 256;
    /// The maximum number of clauses. Chosen, as for CaDiCaL.
    pub(crate) const MOST_CLAUSES: u64 = 16_000_000;
    /// Fitted to measurements (`benches/growth.py`).
    pub(crate) const FOOTPRINT: Footprint = Footprint { variable: 200, clause: 60, literal: 8 };
    /// The solutions that are blocked one by one before the search enters a part of the space. Chosen: fewer than for
    /// CaDiCaL, because BatSat keeps redundant clauses.
    pub(crate) const MOST_BLOCKED: usize = 1_000;
}

/// A SAT solver that runs as a process, and texts of clauses.
pub(super) mod export {
    /// The maximum number of clauses. Chosen, as for CaDiCaL.
    pub(crate) const MOST_CLAUSES: u64 = 16_000_000;
}

/// Z3.
#[cfg(feature = "z3")]
pub(super) mod z3 {
    use super::Footprint;

    /// The ratio of the memory of the integer theory to the memory of the problem.
    pub(crate) const INTEGERS_FOOTPRINT: u64 = 60;
    /// The additional bytes of the integer theory for each pair of terms in a sum: a sum of 50,000 terms took 1 GB, one
    /// of 100,000 more than 4.
    pub(crate) const PAIR_FOOTPRINT: f64 = 0.5;
    /// Z3 makes two terms for each variable, and a term for each clause before it becomes a clause
    /// (`benches/growth.py`).
    pub(crate) const FOOTPRINT: Footprint = Footprint { variable: 2000, clause: 200, literal: 50 };
    /// The maximum number of terms for a trial: a problem of this size takes a few tenths of a second to encode.
    pub(crate) const TRIAL_TERMS: usize = 200_000;
    /// The budget of a trial in Z3's own units, which take 0.05 to 0.2 s. With 400,000, a trial took 0.2 to 0.5 s,
    /// longer than CP-SAT takes for small equations over large domains.
    pub(crate) const TRIAL_UNITS: u32 = 100_000;
    /// The budget of a trial in conflicts: Z3 does not count all its work on sums in units. Chosen.
    pub(crate) const TRIAL_CONFLICTS: u32 = 500;
    /// The maximum number of variables and clauses for a trial. Of the instances of `benches/members.py`, a trial
    /// answers 75, the largest with 7,900 variables and clauses; the 78 with more than 10,000 take up to a second to
    /// translate, and Z3's budget is used up before its first decision.
    pub(crate) const MOST_IN_TRIAL: u64 = 10_000;
    /// The units of work of the first slice of a search that takes turns with other engines. Chosen.
    pub(crate) const FIRST_SLICE: f64 = 1e6;
    /// The factor by which the slices grow. Chosen.
    pub(crate) const SLICE_GROWTH: f64 = 1.5;
    /// The units of a slice after which the search ends without an answer: Z3's limit has 32 bits.
    pub(crate) const LONGEST_SLICE: f64 = 4e9;
    /// Units of work per conflict of the budget of assumption-based solving: some of Z3's theories search without
    /// conflicts. Chosen.
    pub(crate) const RESOURCES: u64 = 20_000;
    /// Units of work for each fraction of a hint that is tried. Chosen.
    pub(crate) const HINT_UNITS: u32 = 5_000_000;
    /// The minimum number of assignments before a solver is replaced: Z3 keeps all clauses and variables. With new
    /// solvers, 100,000 assignments take 26 s instead of 67.
    pub(crate) const MOST_FOUND: usize = 2_000;
    /// The number of clauses per assignment before a solver is replaced: making a new one takes as long as finding some
    /// assignments. Chosen.
    pub(crate) const CLAUSES_PER_FOUND: usize = 20;
    /// The solutions that are blocked one by one before the search enters a part of the space. With this value, all
    /// 32,768 subsets of 15 things took 6 s instead of 17.
    pub(crate) const MOST_BLOCKED: usize = 500;
}

/// CP-SAT.
#[cfg(feature = "cpsat")]
pub(super) mod cpsat {
    use std::time::Duration;

    /// The length of the first slice, in deterministic seconds of CP-SAT. Each slice starts afresh: learnt clauses are
    /// lost.
    pub(crate) const FIRST_SLICE: f64 = 2.0;
    /// The factor by which the slices grow. With slices of 1, 2, 4 s and so on, CP-SAT alone took 5.8 s for armies of
    /// queens that it proves in 3.0 with this factor; the best values after 20 s are as good.
    pub(crate) const SLICE_GROWTH: f64 = 3.0;
    /// The time before the deadline at which CP-SAT stops in a race for the best assignment: a maximum, and the divisor
    /// of the remaining time. CP-SAT takes a moment to return its solution, and the race does not wait for it. Chosen.
    pub(crate) const HEAD_START: (Duration, u32) = (Duration::from_secs(1), 20);
    /// The divisor of the memory for clauses that gives the largest model: the solver keeps the model, a presolved
    /// model, and its data for each thread. Chosen.
    pub(crate) const MODEL_PART: u64 = 8;
    /// The maximum number of rows in the table of a power or of a lookup by two indices. Chosen.
    pub(crate) const MOST_ROWS: u128 = 20_000;
    /// The maximum number of ranges in the domain of a variable that is a function of others. Chosen: presolve removes
    /// values again, so that a hull loses little.
    pub(crate) const MOST_RANGES: usize = 1_000;
    /// The number of constraints between two checks of the limits. Chosen.
    pub(crate) const STOP_INTERVAL: usize = 256;
    /// The maximum number of steps to compare tasks with each other or with each time. Chosen: a fraction of a second.
    pub(crate) const SCHEDULE_STEPS: usize = 20_000_000;
    /// The minimum number of tasks for which a machine or a resource pays. Chosen: of two tasks, one is before the
    /// other, which a disjunction says as well.
    pub(crate) const FEWEST_TASKS: usize = 3;
    /// The maximum number of steps to tabulate the costs of neighbours in a tour. Chosen.
    pub(crate) const TOUR_STEPS: usize = 20_000_000;
    /// The maximum number of values of a permutation that becomes a circuit: there is an arc for each pair of values.
    /// Chosen.
    pub(crate) const TOUR_VALUES: usize = 200;
}

/// The enumeration (`docs/decisions/dense-solutions.md`).
pub(super) mod enumeration {
    use super::Footprint;

    /// The search gives up when the number of conflicts exceeds this plus [`FRUITFUL`] times the number up to the last
    /// assignment. Quasigroup 9, which has no solution, takes 1.2 s with this search before the others, and 0.8
    /// without.
    pub(crate) const PATIENCE: u64 = if cfg!(test) { 2_000 } else { 20_000 };
    /// The patience for each conflict that led to an assignment, in conflicts. Chosen.
    pub(crate) const FRUITFUL: u64 = 3;
    /// The number of search steps between two checks of the limits. Chosen.
    pub(crate) const INTERVAL: u64 = 1_024;
    /// The number of cubes per thread, so that no thread is idle for long at the end. Chosen.
    pub(crate) const CUBES: usize = 64;
    /// The maximum number of assignments that a thread sends together while the caller is busy: waking the caller takes
    /// as long as finding an assignment. Chosen.
    pub(crate) const BATCH: usize = 32;
    /// The maximum number of batches that wait for the caller. Chosen.
    pub(crate) const MOST_AHEAD: usize = 16;
    /// The stack size of a thread in bytes, which calls little. Chosen.
    pub(crate) const STACK: usize = 1 << 20;
    /// The memory of the encoder's formula and of each thread's copy of it.
    pub(crate) const FOOTPRINT: Footprint = Footprint { variable: 200, clause: 60, literal: 8 };
    /// Longer learnt clauses are not kept; the search backtracks as it would without them. Chosen: long clauses seldom
    /// propagate, and each one slows propagation down.
    pub(crate) const MOST_LITERALS: usize = 16;
    /// At this number of learnt clauses, half of them are deleted. With a thousand short ones, `langford 11` takes 1.6
    /// s instead of more than 60. Few in tests, so that this takes place there.
    pub(crate) const MOST_LEARNED: usize = if cfg!(test) { 4 } else { 1_000 };
}

/// Local search (`docs/decisions/near-values-of-the-model.md`).
pub(super) mod local {
    use std::time::Duration;

    /// The number of changes in the first round; later rounds are longer. Chosen.
    pub(crate) const FIRST_ROUND: u64 = 20_000;
    /// The factor by which the rounds get longer. Chosen.
    pub(crate) const GROWTH: f64 = 1.3;
    /// The maximum number of changes in a round. Chosen.
    pub(crate) const LONGEST_ROUND: f64 = 3_000_000.0;
    /// The temperature at the start of a hot round, as a fraction of the average cost of a change. Chosen.
    pub(crate) const HOT: f64 = 0.3;
    /// The temperature at the start of a warm round. Chosen.
    pub(crate) const WARM: f64 = 0.1;
    /// The temperature at the start of a cool round. Chosen.
    pub(crate) const COOL: f64 = 0.03;
    /// The ratio of the temperatures at the start and at the end of a round. Chosen.
    pub(crate) const COOLING: f64 = 100.0;
    /// The number of changes between two adjustments of the price of violations, which also check the limits. Chosen.
    pub(crate) const INTERVAL: u64 = 256;
    /// The factor by which the price rises or falls after an interval. Chosen.
    pub(crate) const PRICE_STEP: f64 = 1.05;
    /// The lowest price of a violation. Chosen: prices rise by a factor, so they must not reach 0.
    pub(crate) const LEAST_PRICE: f64 = 0.01;
    /// The percentage of changes that satisfy all constraints below which the price rises. Chosen.
    pub(crate) const SELDOM: u64 = 5;
    /// The percentage at which the price starts to fall; it is the target of the last part of a round that settles.
    /// Chosen.
    pub(crate) const OFTEN: u64 = 60;
    /// The number of intervals without an assignment that satisfies all constraints after which a round is given up, if
    /// there is an incumbent for the next round to start with. Chosen: prices rise by a factor of 130 in this time.
    pub(crate) const LONGEST_AWAY: u64 = 100;
    /// The fraction of a round after which it settles. Chosen.
    pub(crate) const LAST_PART: f64 = 0.7;
    /// The number of changes that are tried to measure the average cost of a change. Chosen.
    pub(crate) const SAMPLE: usize = 200;
    /// The number of rounds in vain after which the search leaves most of its time to other engines. Chosen.
    pub(crate) const PATIENCE: u32 = 6;
    /// The pause after each of the following rounds. Chosen.
    pub(crate) const REST: Duration = Duration::from_secs(1);
    /// The interval at which a pause checks the limits. Chosen, as for a race.
    pub(crate) const LOOK: Duration = Duration::from_millis(20);
    /// The maximum number of terms; with more, a change takes too long. Chosen.
    pub(crate) const MOST_TERMS: usize = 2_000_000;
    /// If a term is compared with at most this many numbers, each comparison has a graded distance. Chosen: each of
    /// them is evaluated at every change of the term.
    pub(crate) const FEW_COMPARISONS: usize = 8;
    /// If a table has at most this many rows, its distance is the number of columns that differ from the nearest row.
    /// Chosen: all rows are compared at every change.
    pub(crate) const FEW_ROWS: usize = 100;
}

/// Local search for a large clique.
pub(super) mod clique {
    /// The number of exchanges without success after which the search ends. Chosen.
    pub(crate) const PATIENCE: u64 = 100_000;
    /// The number of pairs that are evaluated without success after which the search ends. Chosen.
    pub(crate) const PAIRS: u64 = 10_000_000;
    /// The number of exchanges without success after which a random value is added, and all members that it excludes
    /// are removed. Chosen.
    pub(crate) const RESTART: u64 = 1_000;
    /// The maximum number of exchanges for which a removed value is tabu if there was no other choice. Chosen.
    pub(crate) const TENURE: u64 = 7;
    /// The maximum number of exchanges that are added to the tabu period, one for each other choice. Chosen.
    pub(crate) const MOST_CHOICES: u64 = 20;
    /// The maximum size of the cached rows, in words of 64 bits (256 MB). Chosen.
    pub(crate) const MOST_KEPT: usize = 32 << 20;
    /// The number of values between two checks of the limits. Chosen.
    pub(crate) const INTERVAL: usize = 1_024;
}

/// The bytes that a solver takes for a variable, for a clause and for each literal in it, fitted to measurements
/// (`benches/growth.py`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    pub(crate) variable: u64,
    pub(crate) clause: u64,
    pub(crate) literal: u64,
}
