//! The proof that there are no other solutions: a search that visits each known solution once.
//!
//! The search runs on the clauses of the formula and learns from conflicts (the clause of the first unique implication
//! point). A visited solution is a conflict, too, because its exclusion is a constraint of the formula. After such a
//! conflict the search backtracks by one level only, and later conflicts do not jump over this level, so no part of the
//! space is searched twice (Gebser, Kaufmann, Neumann, Schaub, "Conflict-driven answer set enumeration", 2007). Unlike
//! that search, this one has a clause for every backtracking step, which becomes a line of the proof.
//!
//! If solutions are rare, CaDiCaL learns more, so this search gives up and hands over its clauses.

use super::log::ProofLog;
use crate::{reference::PbLiteral, solver::EngineOptions};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// The search gives up when its conflicts exceed this number plus [`FRUITFUL`] times the conflicts up to the last new
/// solution. Chosen.
const PATIENCE: u64 = 2_000;
/// The conflicts that each conflict up to the last new solution adds to the patience. Chosen.
const FRUITFUL: u64 = 3;
/// Longer learnt clauses are dropped when the search leaves their level, because they seldom propagate. Chosen.
const MOST_LITERALS: usize = 16;
/// Above this number of learnt clauses, half of them are dropped. Chosen.
const MOST_LEARNED: usize = 1_000;
/// The number of conflicts between two checks of the limits. Chosen.
const INTERVAL: u64 = 256;

/// The reason of a literal that is a decision.
const DECISION: u32 = u32::MAX;

/// The result of an enumeration.
pub(super) enum EnumerationEnd {
    /// There are no other solutions: the number of the contradiction, and the position of a listed solution that the
    /// formula rejects, if there is one.
    Refuted(u64, Option<usize>),
    /// The formula has a solution that is not listed: the values of the literals, indexed by [`code`].
    Other(Vec<i8>),
    /// Solutions are rare, or a limit was reached: the learnt clauses with their numbers, and the positions of the
    /// solutions that were not visited.
    GivenUp(Vec<(Vec<i32>, u64)>, Vec<usize>),
}

/// A literal as an index: twice the number of its variable, plus one if it is negated.
fn code(literal: i32) -> u32 {
    2 * literal.unsigned_abs() + u32::from(literal < 0)
}

fn number(code: u32) -> i32 {
    let variable = (code >> 1) as i32;
    if code & 1 == 1 { -variable } else { variable }
}

fn variable(code: u32) -> usize {
    (code >> 1) as usize
}

/// A clause with the constraint from which it follows by propagation.
struct NumberedClause {
    /// The start and the end of the literals.
    literals: (u32, u32),
    number: u64,
    /// True for a learnt clause that is needed only as the reason of a literal.
    is_temporary: bool,
}

/// An entry of the list of clauses that watch a literal.
#[derive(Clone, Copy)]
struct Watcher {
    clause: u32,
    /// Another literal of the clause: while it is true, the clause need not be read.
    blocker: u32,
    is_binary: bool,
}

/// A clause whose literals are all false.
struct ViolatedClause {
    literals: Vec<u32>,
    number: u64,
    /// True for the exclusion of a solution.
    is_solution: bool,
}

/// A literal that a learnt clause already implies at a lower level than the current one.
struct EarlierUnit {
    literal: u32,
    clause: u32,
    level: usize,
}

/// The known solutions by the values of all variables that occur in them.
#[derive(Default)]
struct SolutionsByValues {
    variables: Vec<u32>,
    positions: FxHashMap<Vec<bool>, usize>,
    visited: Vec<bool>,
}

/// The state of an enumeration.
pub(super) struct ProofEnumeration<'a> {
    log: &'a mut ProofLog,
    options: &'a EngineOptions,
    listed: SolutionsByValues,
    /// The number of the exclusion of each solution.
    exclusions: Vec<u64>,
    /// The literals of each decision variable.
    decisions: Vec<Vec<u32>>,
    literals: Vec<u32>,
    clauses: Vec<NumberedClause>,
    /// The learnt clauses that are watched.
    learned: Vec<u32>,
    watches: Vec<Vec<Watcher>>,
    /// 1 for a true literal, -1 for a false one, 0 for an unassigned one.
    values: Vec<i8>,
    /// For each variable: its level, its reason, its position in the trail, and at level 0 the constraint that states
    /// its value.
    levels: Vec<u32>,
    reasons: Vec<u32>,
    positions: Vec<u32>,
    units: Vec<u64>,
    seen: Vec<bool>,
    trail: Vec<u32>,
    starts: Vec<usize>,
    propagated: usize,
    /// All variables with a lower number have values.
    next_variable: usize,
    /// Backtracking from a higher level stops here, because a part of the space below this level was searched.
    floor: usize,
    earlier: Vec<EarlierUnit>,
    conflicts: u64,
    /// The number of conflicts up to the last new solution.
    fruitful: u64,
}

impl<'a> ProofEnumeration<'a> {
    /// `exclusions` are the numbers of the constraints that exclude the solutions; `decisions` are the literals of each
    /// decision variable.
    pub(super) fn new(
        log: &'a mut ProofLog,
        options: &'a EngineOptions,
        exclusions: Vec<u64>,
        decisions: &[Vec<i32>],
        clauses: &[(Vec<i32>, u64)],
    ) -> Self {
        let numbers = clauses.iter().flat_map(|(literals, _)| literals).chain(decisions.iter().flatten());
        let variables = 1 + numbers.map(|literal| literal.unsigned_abs() as usize).max().unwrap_or(0);
        let mut made = ProofEnumeration {
            log,
            options,
            listed: SolutionsByValues::default(),
            exclusions,
            decisions: decisions.iter().map(|literals| literals.iter().copied().map(code).collect()).collect(),
            literals: Vec::new(),
            clauses: Vec::new(),
            learned: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            values: vec![0; 2 * variables],
            levels: vec![0; variables],
            reasons: vec![DECISION; variables],
            positions: vec![0; variables],
            units: vec![0; variables],
            seen: vec![false; variables],
            trail: Vec::new(),
            starts: Vec::new(),
            propagated: 0,
            next_variable: 1,
            floor: 0,
            earlier: Vec::new(),
            conflicts: 0,
            fruitful: 0,
        };
        for (literals, number) in clauses {
            let codes: Vec<u32> = literals.iter().copied().map(code).collect();
            made.add(&codes, *number, false);
        }
        made
    }

    /// Adds a clause, and watches its first two literals unless it is temporary.
    fn add(&mut self, literals: &[u32], number: u64, is_temporary: bool) -> u32 {
        let place = self.clauses.len() as u32;
        let start = self.literals.len() as u32;
        self.literals.extend(literals);
        self.clauses.push(NumberedClause { literals: (start, self.literals.len() as u32), number, is_temporary });
        if let ([one, other, ..], false) = (literals, is_temporary) {
            let is_binary = literals.len() == 2;
            self.watches[*one as usize].push(Watcher { clause: place, blocker: *other, is_binary });
            self.watches[*other as usize].push(Watcher { clause: place, blocker: *one, is_binary });
        }
        place
    }

    fn literals(&self, clause: u32) -> &[u32] {
        let (start, end) = self.clauses[clause as usize].literals;
        &self.literals[start as usize..end as usize]
    }

    fn value(&self, literal: u32) -> i8 {
        self.values[literal as usize]
    }

    fn level(&self) -> usize {
        self.starts.len()
    }

    fn level_of(&self, literal: u32) -> usize {
        self.levels[variable(literal)] as usize
    }

    fn assign(&mut self, literal: u32, reason: u32) {
        self.values[literal as usize] = 1;
        self.values[literal as usize ^ 1] = -1;
        let of = variable(literal);
        self.levels[of] = self.starts.len() as u32;
        self.reasons[of] = reason;
        self.positions[of] = self.trail.len() as u32;
        self.trail.push(literal);
    }

    fn decide(&mut self, literal: u32) {
        self.starts.push(self.trail.len());
        self.assign(literal, DECISION);
    }

    /// Undoes all assignments above a level.
    fn undo(&mut self, level: usize) {
        let Some(start) = self.starts.get(level).copied() else { return };
        for literal in self.trail.split_off(start) {
            self.values[literal as usize] = 0;
            self.values[literal as usize ^ 1] = 0;
            let reason = self.reasons[variable(literal)];
            if reason != DECISION && self.clauses[reason as usize].is_temporary {
                self.log.delete(self.clauses[reason as usize].number);
            }
        }
        self.starts.truncate(level);
        self.propagated = start;
        self.next_variable = 1;
        self.floor = self.floor.min(level);
    }

    /// Reassigns the literals that learnt clauses still imply; returns a false clause if there is one.
    fn assign_earlier(&mut self) -> Option<u32> {
        let level = self.level();
        self.earlier.retain(|unit| unit.level <= level);
        for place in 0..self.earlier.len() {
            let EarlierUnit { literal, clause, .. } = self.earlier[place];
            match self.value(literal) {
                0 => self.assign(literal, clause),
                1 => {}
                _ => return Some(clause),
            }
        }
        None
    }

    /// Propagates units to the fixed point; returns a false clause if there is one.
    fn propagate(&mut self) -> Option<u32> {
        while let Some(literal) = self.trail.get(self.propagated) {
            let negation = literal ^ 1;
            self.propagated += 1;
            // Propagation moves watches to other lists, so this list is taken out.
            let mut watches = std::mem::take(&mut self.watches[negation as usize]);
            let mut conflict = None;
            let mut kept = 0;
            for place in 0..watches.len() {
                let watcher = watches[place];
                let Watcher { clause, blocker, is_binary } = watcher;
                watches[kept] = watcher;
                let value = self.values[blocker as usize];
                if value > 0 || conflict.is_some() {
                    kept += 1;
                    continue;
                }
                if is_binary {
                    kept += 1;
                    match value {
                        0 => self.assign(blocker, clause),
                        _ => conflict = Some(clause),
                    }
                    continue;
                }
                let (start, end) = self.clauses[clause as usize].literals;
                let literals = &mut self.literals[start as usize..end as usize];
                if literals[0] == negation {
                    literals.swap(0, 1);
                }
                let first = literals[0];
                let other = match self.values[first as usize] {
                    1 => None,
                    _ => (2..literals.len()).find(|at| self.values[literals[*at] as usize] >= 0),
                };
                if let Some(at) = other {
                    literals.swap(1, at);
                    self.watches[literals[1] as usize].push(Watcher { clause, blocker: first, is_binary });
                    continue;
                }
                watches[kept].blocker = first;
                kept += 1;
                match self.value(first) {
                    0 => self.assign(first, clause),
                    1 => {}
                    _ => conflict = Some(clause),
                }
            }
            watches.truncate(kept);
            self.watches[negation as usize] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Returns an unassigned literal of the decision variable that has the fewest; if all are assigned, of another
    /// variable.
    fn choose(&mut self) -> Option<u32> {
        let (mut fewest, mut chosen) = (usize::MAX, None);
        for literals in &self.decisions {
            let mut open = literals.iter().copied().filter(|literal| self.value(*literal) == 0);
            let Some(first) = open.next() else { continue };
            // Counting stops when the best number so far is reached.
            let count = 1 + open.take(fewest - 1).count();
            if count < fewest {
                (fewest, chosen) = (count, Some(first));
                if count <= 2 {
                    break;
                }
            }
        }
        chosen.or_else(|| {
            let variables = self.levels.len();
            self.next_variable = (self.next_variable..variables).find(|one| self.values[2 * one] == 0)?;
            Some(2 * self.next_variable as u32 + 1)
        })
    }

    /// Searches until the constraints contradict each other, or the search gives up.
    pub(super) fn run(mut self, solutions: &[Vec<PbLiteral>]) -> EnumerationEnd {
        self.listed.visited = vec![false; solutions.len()];
        if let Some(contradiction) = self.enter() {
            return self.refuted(contradiction);
        }
        if !self.list(solutions) {
            return self.given_up();
        }
        loop {
            let conflict = match self.propagate() {
                Some(clause) => self.false_clause(clause),
                None => match self.choose() {
                    Some(literal) => {
                        self.state_units();
                        self.decide(literal);
                        continue;
                    }
                    None => match self.visit(solutions) {
                        Some(exclusion) => exclusion,
                        None => return EnumerationEnd::Other(self.values),
                    },
                },
            };
            if let Some(contradiction) = self.resolve(conflict) {
                return self.refuted(contradiction);
            }
            self.conflicts += 1;
            let is_rare = self.conflicts > PATIENCE + FRUITFUL * self.fruitful;
            if is_rare || self.conflicts.is_multiple_of(INTERVAL) && self.options.reached().is_some() {
                return self.given_up();
            }
        }
    }

    /// Assigns the literals of unit clauses; returns the number of the contradiction if one of the clauses is false.
    fn enter(&mut self) -> Option<u64> {
        for place in 0..self.clauses.len() as u32 {
            let conflict = match *self.literals(place) {
                [] => true,
                [literal] if self.value(literal) == 0 => {
                    self.assign(literal, place);
                    false
                }
                [literal] => self.value(literal) < 0,
                _ => false,
            };
            if conflict {
                return self.resolve(self.false_clause(place));
            }
        }
        None
    }

    /// Lists the solutions. Returns false if propagation does not find their values, or a contradiction.
    fn list(&mut self, solutions: &[Vec<PbLiteral>]) -> bool {
        let literals = |solution: &[PbLiteral]| -> Vec<u32> {
            solution.iter().filter(|one| !one.is_constant()).map(|one| code(one.number())).collect()
        };
        let mut variables: Vec<u32> = solutions.iter().flat_map(|one| literals(one)).map(|one| one & !1).collect();
        variables.sort_unstable();
        variables.dedup();
        let mut before = Vec::new();
        for (position, solution) in solutions.iter().enumerate() {
            let solution = literals(solution);
            // Each literal has a level, so the common first literals of two successive solutions are propagated once.
            let common = solution.iter().zip(&before).take_while(|(one, other)| one == other).count();
            self.undo(common);
            for literal in &solution[common..] {
                self.starts.push(self.trail.len());
                match self.value(*literal) {
                    0 => self.assign(*literal, DECISION),
                    1 => {}
                    _ => return self.unlisted(),
                }
                if self.propagate().is_some() {
                    return self.unlisted();
                }
            }
            if variables.iter().any(|one| self.value(*one) == 0) {
                return self.unlisted();
            }
            let values = variables.iter().map(|one| self.value(*one) > 0).collect();
            // A solution that is listed twice would be visited only once.
            let is_known = self.listed.positions.insert(values, position).is_some();
            if is_known || (position as u64).is_multiple_of(INTERVAL) && self.options.reached().is_some() {
                return self.unlisted();
            }
            before = solution;
        }
        self.undo(0);
        self.listed.variables = variables;
        true
    }

    fn unlisted(&mut self) -> bool {
        self.undo(0);
        false
    }

    /// States the literals of level 0 as units, so that later steps can refer to them.
    fn state_units(&mut self) {
        if self.level() > 0 {
            return;
        }
        for place in 0..self.trail.len() {
            let literal = self.trail[place];
            if self.units[variable(literal)] == 0 {
                let reason = self.reasons[variable(literal)];
                let others = self.literals(reason).iter().filter(|other| **other != literal);
                let mut hints: Vec<u64> = others.map(|other| self.units[variable(*other)]).collect();
                hints.push(self.clauses[reason as usize].number);
                self.units[variable(literal)] = match hints[..] {
                    [number] if self.literals(reason).len() == 1 => number,
                    _ => self.log.implied(&[number(literal)], &hints),
                };
            }
        }
    }

    /// The exclusion of the current solution, as a false clause; `None` if the solution is not listed.
    fn visit(&mut self, solutions: &[Vec<PbLiteral>]) -> Option<ViolatedClause> {
        let values: Vec<bool> = self.listed.variables.iter().map(|one| self.value(*one) > 0).collect();
        let position = *self.listed.positions.get(&values)?;
        if !std::mem::replace(&mut self.listed.visited[position], true) {
            self.fruitful = self.conflicts;
        }
        let literals = solutions[position].iter().filter(|one| !one.is_constant());
        let literals = literals.map(|one| code(one.number()) ^ 1).collect();
        Some(ViolatedClause { literals, number: self.exclusions[position], is_solution: true })
    }

    /// Learns from a conflict and backtracks. Returns the number of the contradiction if nothing is left.
    fn resolve(&mut self, mut conflict: ViolatedClause) -> Option<u64> {
        loop {
            // The search is exhausted below the greatest level of the conflict.
            let level = conflict.literals.iter().map(|literal| self.level_of(*literal)).max().unwrap_or(0);
            self.undo(level);
            if level == 0 {
                self.state_units();
            }
            let (clause, hints) = self.analyse(&conflict);
            let numbers: Vec<i32> = clause.iter().copied().map(number).collect();
            let learnt = self.log.implied(&numbers, &hints);
            let Some(unit) = clause.first().copied() else { return Some(learnt) };
            // The clause implies its first literal from this level on.
            let asserted = clause.get(1).map_or(0, |second| self.level_of(*second));
            let is_temporary = clause.len() > MOST_LITERALS;
            let place = self.add(&clause, learnt, is_temporary);
            let is_closed = conflict.is_solution || level <= self.floor;
            let target = if is_closed || is_temporary { level - 1 } else { asserted.max(self.floor) };
            self.undo(target);
            if is_closed {
                self.floor = target;
            }
            if !is_temporary {
                self.learned.push(place);
                if asserted < target {
                    self.earlier.push(EarlierUnit { literal: unit, clause: place, level: asserted });
                }
            }
            self.assign(unit, place);
            match self.assign_earlier() {
                Some(place) => conflict = self.false_clause(place),
                None => break,
            }
        }
        if self.learned.len() > MOST_LEARNED {
            self.forget();
        }
        None
    }

    fn false_clause(&self, place: u32) -> ViolatedClause {
        let number = self.clauses[place as usize].number;
        ViolatedClause { literals: self.literals(place).to_vec(), number, is_solution: false }
    }

    /// Returns the clause of the first unique implication point, and the constraints from which it follows by
    /// propagation in this order. The first literal of the clause is the negation of a literal of the current level;
    /// the second one has the greatest level among the others. At level 0, the clause is empty.
    fn analyse(&mut self, conflict: &ViolatedClause) -> (Vec<u32>, Vec<u64>) {
        let level = self.level();
        let (mut clause, mut hints) = (Vec::new(), Vec::new());
        // The variables of the false literals, and those that resolution has removed from the clause.
        let (mut seen, mut resolved) = (Vec::new(), Vec::new());
        let mut open = 0;
        let mut reason = conflict.literals.clone();
        let mut place = self.trail.len();
        let uip = loop {
            for literal in reason {
                let of = variable(literal);
                if std::mem::replace(&mut self.seen[of], true) {
                    continue;
                }
                seen.push(of);
                match self.level_of(literal) {
                    0 => hints.push(self.units[of]),
                    at if at == level => open += 1,
                    _ => clause.push(literal),
                }
            }
            if open == 0 {
                break None;
            }
            // Resolution runs backwards along the trail until only one literal of this level is left.
            let literal = loop {
                place -= 1;
                if self.seen[variable(self.trail[place])] {
                    break self.trail[place];
                }
            };
            open -= 1;
            if open == 0 {
                break Some(literal ^ 1);
            }
            resolved.push(variable(literal));
            reason = self.literals(self.reasons[variable(literal)]).to_vec();
        };
        // Clause minimisation, one step deep: literals that the others imply are dropped.
        clause.retain(|literal| {
            let of = variable(*literal);
            let Some(others) = self.implied_by_seen(of) else { return true };
            hints.extend(others.iter().map(|other| self.units[variable(*other)]).filter(|unit| *unit > 0));
            resolved.push(of);
            false
        });
        seen.into_iter().for_each(|variable| self.seen[variable] = false);
        if let Some(second) = (0..clause.len()).max_by_key(|place| self.level_of(clause[*place])) {
            clause.swap(0, second);
        }
        clause.splice(0..0, uip);
        resolved.sort_unstable_by_key(|of| self.positions[*of]);
        hints.extend(resolved.iter().map(|of| self.clauses[self.reasons[*of] as usize].number));
        hints.push(conflict.number);
        // A constraint can be the reason of several literals.
        let mut known = FxHashSet::default();
        hints.retain(|hint| known.insert(*hint));
        (clause, hints)
    }

    /// Returns the reason of a variable's value if all its other literals are known to be false.
    fn implied_by_seen(&self, of: usize) -> Option<&[u32]> {
        let reason = (self.reasons[of] != DECISION).then(|| self.literals(self.reasons[of]))?;
        let is_known = |literal: &u32| {
            let other = variable(*literal);
            other == of || self.seen[other] || self.levels[other] == 0
        };
        reason.iter().all(is_known).then_some(reason)
    }

    /// Drops half of the learnt clauses, the longest and oldest ones, but no clause that is a reason.
    fn forget(&mut self) {
        let mut needed: FxHashSet<u32> = self.trail.iter().map(|literal| self.reasons[variable(*literal)]).collect();
        needed.extend(self.earlier.iter().map(|unit| unit.clause));
        let mut learned = std::mem::take(&mut self.learned);
        learned.sort_by_key(|place| (self.literals(*place).len(), Reverse(*place)));
        let dropped: FxHashSet<u32> =
            learned.split_off(MOST_LEARNED / 2).into_iter().filter(|place| !needed.contains(place)).collect();
        for watches in &mut self.watches {
            watches.retain(|watcher| !dropped.contains(&watcher.clause));
        }
        for place in &dropped {
            self.log.delete(self.clauses[*place as usize].number);
        }
        self.learned = learned;
    }

    fn refuted(&self, contradiction: u64) -> EnumerationEnd {
        EnumerationEnd::Refuted(contradiction, self.listed.visited.iter().position(|visited| !visited))
    }

    fn given_up(&self) -> EnumerationEnd {
        let reasons = self.trail.iter().map(|literal| self.reasons[variable(*literal)]);
        let temporary = reasons.filter(|reason| *reason != DECISION && self.clauses[*reason as usize].is_temporary);
        let clauses = self.learned.iter().copied().chain(temporary).map(|place| {
            let literals = self.literals(place).iter().copied().map(number).collect();
            (literals, self.clauses[place as usize].number)
        });
        let left = (0..).zip(&self.listed.visited).filter(|(_, visited)| !**visited).map(|(position, _)| position);
        EnumerationEnd::GivenUp(clauses.collect(), left.collect())
    }
}
