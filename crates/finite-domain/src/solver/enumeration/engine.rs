//! A search that visits each assignment of the decision variables once.
//!
//! The search learns clauses from conflicts but backtracks chronologically: a decision without further assignments is
//! replaced by its negation one level below (Gebser, Kaufmann, Neumann, Schaub, "Conflict-driven answer set
//! enumeration", 2007). So no blocking clauses are needed, nothing is searched twice, and after a solution only its
//! last decision is undone. Decision variables are assigned first; below them, one assignment of the other variables is
//! enough (Gebser, Kaufmann, Schaub, "Solution enumeration for projected Boolean search problems", 2009).
//!
//! Only a few short learnt clauses are kept: with dense solutions, most clauses cost more than the conflicts that
//! they prevent.

use crate::solver::encoding::Literal;
use crate::solver::tuning::enumeration::{MOST_LEARNED, MOST_LITERALS};
use std::{cmp::Reverse, ops::ControlFlow};

/// The clauses of a problem as the encoder gives them.
#[derive(Default)]
pub(super) struct Formula {
    /// The clauses, each preceded by its length.
    clauses: Vec<u32>,
}

impl Formula {
    pub(super) fn add(&mut self, clause: &[Literal]) {
        self.clauses.push(clause.len() as u32);
        for literal in clause {
            self.clauses.push(code(*literal));
        }
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = &self.clauses[..];
        std::iter::from_fn(move || {
            let (length, after) = rest.split_first()?;
            let (clause, after) = after.split_at(*length as usize);
            rest = after;
            Some(clause)
        })
    }
}

/// A literal as an index: twice the number of its variable, plus one if it is negated.
fn code(literal: Literal) -> u32 {
    2 * literal.number().unsigned_abs() + u32::from(literal.number() < 0)
}

#[inline]
fn variable(literal: u32) -> usize {
    (literal >> 1) as usize
}

/// Assignments of all variables in one allocation, because freeing memory of another thread waits for that thread.
pub(super) struct TruthAssignments {
    variables: usize,
    truths: Vec<bool>,
}

impl TruthAssignments {
    /// Makes room for this number of assignments.
    pub(super) fn new(engine: &Enumerator, count: usize) -> Self {
        let variables = engine.levels.len();
        TruthAssignments { variables, truths: Vec::with_capacity(variables * count) }
    }

    pub(super) fn push(&mut self, engine: &Enumerator) {
        // Positive literals have even positions, so only these values are stored.
        self.truths.extend(engine.values.iter().step_by(2).map(|value| *value > 0));
    }

    pub(super) fn len(&self) -> usize {
        self.truths.len() / self.variables
    }

    /// Takes all assignments out.
    pub(super) fn take(&mut self) -> Self {
        let empty = Vec::with_capacity(self.truths.capacity());
        TruthAssignments { variables: self.variables, truths: std::mem::replace(&mut self.truths, empty) }
    }

    /// Returns for each assignment a function from literals to their values.
    pub(super) fn iter(&self) -> impl Iterator<Item = impl Fn(Literal) -> bool> {
        self.truths.chunks_exact(self.variables).map(|truths| {
            move |literal: Literal| truths[literal.number().unsigned_abs() as usize] == (literal.number() > 0)
        })
    }
}

/// The reason why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ImplicationReason {
    /// A decision, or the negation of a decision without further assignments.
    None,
    /// A binary clause, whose other literal is false.
    Binary(u32),
    /// The clause at this position; the literal is its first one.
    Clause(u32),
}

/// An entry of the watch list of a literal.
#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Another literal of the clause: while it is true, the clause is satisfied and need not be read.
    blocker: u32,
}

/// A literal that a learnt clause implies already at a lower level than the current one.
#[derive(Clone, Copy)]
struct LateImplication {
    literal: u32,
    reason: ImplicationReason,
    level: usize,
}

/// The state of a search.
#[derive(Clone)]
pub(super) struct Enumerator {
    /// The literals of each decision variable.
    decisions: Vec<Vec<u32>>,
    /// True for each variable of one of these literals.
    decides: Vec<bool>,
    /// 1 for a true literal, -1 for a false one, 0 for an unassigned one.
    values: Vec<i8>,
    /// The level of each variable and its reason.
    levels: Vec<u32>,
    reasons: Vec<ImplicationReason>,
    /// The literals that each literal implies by binary clauses, from its start to the next one.
    implied_starts: Vec<u32>,
    implied: Vec<u32>,
    /// The longer clauses, each preceded by its length; learnt ones come last.
    clauses: Vec<u32>,
    first_learned: usize,
    learned: Vec<u32>,
    watches: Vec<Vec<Watch>>,
    /// The true literals in the order of their assignment, and the length of the trail before each level.
    trail: Vec<u32>,
    starts: Vec<usize>,
    propagated: usize,
    /// The number of levels of the cube, which the search does not leave.
    floor: usize,
    /// The levels up to this one have negated decisions; a conflict never leads below it.
    backtrack: usize,
    late: Vec<LateImplication>,
    /// All variables with a lower number have values, except variables of decision variables.
    next_variable: usize,
    /// All decision variables before this position have values and need not be visited.
    first_open: usize,
    seen: Vec<bool>,
    pub(super) decided: u64,
    pub(super) conflicts: u64,
    pub(super) propagations: u64,
    contradiction: bool,
}

/// The false literals of a conflict.
enum FalseClause {
    Binary([u32; 2]),
    Clause(u32),
}

impl Enumerator {
    pub(super) fn new(formula: &Formula, variables: u32, decisions: &[Vec<Literal>]) -> Self {
        let variables = variables as usize + 1;
        let decisions = decisions.iter().map(|literals| literals.iter().copied().map(code).collect()).collect();
        let mut engine = Enumerator {
            decisions,
            decides: vec![false; variables],
            values: vec![0; 2 * variables],
            levels: vec![0; variables],
            reasons: vec![ImplicationReason::None; variables],
            implied_starts: vec![0; 2 * variables + 1],
            implied: Vec::new(),
            clauses: Vec::new(),
            first_learned: 0,
            learned: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            trail: Vec::new(),
            starts: Vec::new(),
            propagated: 0,
            floor: 0,
            backtrack: 0,
            late: Vec::new(),
            next_variable: 1,
            first_open: 0,
            seen: vec![false; variables],
            decided: 0,
            conflicts: 0,
            propagations: 0,
            contradiction: false,
        };
        engine.decisions.iter().flatten().for_each(|literal| engine.decides[variable(*literal)] = true);
        // Binary clauses are stored by literal and propagated without watch lists.
        engine.add_binary(formula);
        for clause in formula.iter() {
            match *clause {
                [] => engine.contradiction = true,
                [literal] => engine.contradiction |= !engine.imply(literal, ImplicationReason::None),
                [_, _] => {}
                _ => drop(engine.add(clause)),
            }
        }
        engine.first_learned = engine.clauses.len();
        // Units are propagated once, before the engine is cloned for threads.
        engine.contradiction |= engine.propagate().is_some();
        engine
    }

    fn add_binary(&mut self, formula: &Formula) {
        let each = |visit: &mut dyn FnMut(u32, u32)| {
            for clause in formula.iter() {
                if let [one, other] = *clause {
                    visit(one ^ 1, other);
                    visit(other ^ 1, one);
                }
            }
        };
        each(&mut |literal, _| self.implied_starts[literal as usize + 1] += 1);
        for literal in 1..self.implied_starts.len() {
            self.implied_starts[literal] += self.implied_starts[literal - 1];
        }
        let mut next = self.implied_starts.clone();
        self.implied = vec![0; self.implied_starts.last().map_or(0, |end| *end as usize)];
        each(&mut |literal, other| {
            self.implied[next[literal as usize] as usize] = other;
            next[literal as usize] += 1;
        });
    }

    /// Adds a clause of at least two literals and watches its first two.
    fn add(&mut self, clause: &[u32]) -> u32 {
        let place = self.clauses.len() as u32;
        self.clauses.push(clause.len() as u32);
        self.clauses.extend(clause);
        self.watch(place);
        place
    }

    fn watch(&mut self, clause: u32) {
        let [one, other] = [1, 2].map(|position| self.clauses[clause as usize + position]);
        self.watches[one as usize].push(Watch { clause, blocker: other });
        self.watches[other as usize].push(Watch { clause, blocker: one });
    }

    fn literals(&self, clause: u32) -> &[u32] {
        let place = clause as usize;
        &self.clauses[place + 1..][..self.clauses[place] as usize]
    }

    #[inline]
    fn value(&self, literal: u32) -> i8 {
        self.values[literal as usize]
    }

    /// Returns true if a literal is true.
    pub(super) fn holds(&self, literal: Literal) -> bool {
        self.value(code(literal)) > 0
    }

    fn level(&self) -> usize {
        self.starts.len()
    }

    #[inline]
    fn assign(&mut self, literal: u32, reason: ImplicationReason) {
        self.values[literal as usize] = 1;
        self.values[literal as usize ^ 1] = -1;
        self.levels[variable(literal)] = self.starts.len() as u32;
        self.reasons[variable(literal)] = reason;
        self.trail.push(literal);
    }

    /// Makes a literal true; returns false if it is false.
    #[inline]
    fn imply(&mut self, literal: u32, reason: ImplicationReason) -> bool {
        if self.value(literal) == 0 {
            self.assign(literal, reason);
        }
        self.value(literal) > 0
    }

    fn decide(&mut self, literal: u32) {
        self.starts.push(self.trail.len());
        self.assign(literal, ImplicationReason::None);
    }

    /// Undoes all assignments above a level.
    fn undo(&mut self, level: usize) {
        if let Some(start) = self.starts.get(level) {
            for literal in self.trail.drain(*start..) {
                self.values[literal as usize] = 0;
                self.values[literal as usize ^ 1] = 0;
            }
            self.starts.truncate(level);
            self.propagated = self.trail.len();
            // Variables before these positions may have become unassigned.
            self.next_variable = 1;
            self.first_open = 0;
        }
    }

    /// Propagates units to the fixed point; returns a false clause if there is a conflict.
    fn propagate(&mut self) -> Option<FalseClause> {
        while let Some(literal) = self.trail.get(self.propagated) {
            let literal = *literal;
            let negation = literal ^ 1;
            self.propagated += 1;
            self.propagations += 1;
            let start = self.implied_starts[literal as usize] as usize;
            let end = self.implied_starts[literal as usize + 1] as usize;
            for place in start..end {
                let other = self.implied[place];
                match self.value(other) {
                    0 => self.assign(other, ImplicationReason::Binary(negation)),
                    1 => {}
                    _ => return Some(FalseClause::Binary([negation, other])),
                }
            }
            // Propagation moves watches to other lists, so this list is taken out.
            let mut watches = std::mem::take(&mut self.watches[negation as usize]);
            let conflict = self.propagate_watched(negation, &mut watches);
            self.watches[negation as usize] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that watch a literal that has become false.
    fn propagate_watched(&mut self, negation: u32, watches: &mut Vec<Watch>) -> Option<FalseClause> {
        let (mut kept, mut conflict) = (0, None);
        let mut place = 0;
        'watches: while let Some(watch) = watches.get(place) {
            let Watch { clause, blocker } = *watch;
            place += 1;
            if self.value(blocker) > 0 {
                watches[kept] = Watch { clause, blocker };
                kept += 1;
                continue;
            }
            let start = clause as usize + 1;
            let length = self.clauses[start - 1] as usize;
            let literals = &mut self.clauses[start..start + length];
            // With the false literal in the second place, only the first one can become a unit.
            if literals[0] == negation {
                literals.swap(0, 1);
            }
            let first = literals[0];
            if self.values[first as usize] <= 0 {
                for position in 2..length {
                    if self.values[literals[position] as usize] >= 0 {
                        literals.swap(1, position);
                        self.watches[literals[1] as usize].push(Watch { clause, blocker: first });
                        continue 'watches;
                    }
                }
            }
            watches[kept] = Watch { clause, blocker: first };
            kept += 1;
            if !self.imply(first, ImplicationReason::Clause(clause)) {
                conflict = Some(FalseClause::Clause(clause));
                break;
            }
        }
        // After a conflict, the watches that were not visited must be kept.
        if kept < place {
            watches.copy_within(place.., kept);
            watches.truncate(watches.len() - (place - kept));
        }
        conflict
    }

    /// Visits the assignments in a cube, which is given by its literals. `found` returns whether to continue after an
    /// assignment, and `goes_on` is called after each step. Returns true if the cube is exhausted.
    pub(super) fn search(
        &mut self,
        cube: &[u32],
        found: &mut dyn FnMut(&Self) -> ControlFlow<()>,
        goes_on: &mut dyn FnMut(&Self) -> bool,
    ) -> bool {
        if !self.enter(cube) {
            return true;
        }
        loop {
            let left = match self.propagate() {
                Some(conflict) => self.resolve(conflict),
                None => match self.choose().or_else(|| self.next_other()) {
                    Some(literal) => {
                        self.decided += 1;
                        self.decide(literal);
                        true
                    }
                    None if found(self).is_break() => return false,
                    None => {
                        // One assignment of the other variables is enough, so the search goes on at the last decision
                        // variable.
                        self.leave_others();
                        self.flip()
                    }
                },
            };
            if !left {
                return true;
            }
            if !goes_on(self) {
                return false;
            }
        }
    }

    /// Enters a cube; returns false if it is empty.
    fn enter(&mut self, cube: &[u32]) -> bool {
        self.backtrack = 0;
        self.undo(0);
        if self.contradiction || !self.imply_late() || self.propagate().is_some() {
            // If the conflict does not depend on the cube, it refutes all cubes.
            self.contradiction = true;
            return false;
        }
        for literal in cube {
            self.starts.push(self.trail.len());
            if !self.imply(*literal, ImplicationReason::None) || self.propagate().is_some() {
                return false;
            }
        }
        self.floor = cube.len();
        self.backtrack = cube.len();
        true
    }

    /// Returns about this many disjoint cubes that cover the space, fewer if there are too few decision variables.
    pub(super) fn cubes(&mut self, count: usize) -> Vec<Vec<u32>> {
        let (mut open, mut decided) = (std::collections::VecDeque::from([Vec::new()]), Vec::new());
        while open.len() + decided.len() < count
            && let Some(cube) = open.pop_front()
        {
            if !self.enter(&cube) {
                continue;
            }
            match self.choose() {
                Some(literal) => open.extend([literal, literal ^ 1].map(|literal| [&cube[..], &[literal]].concat())),
                None => decided.push(cube),
            }
        }
        decided.extend(open);
        decided
    }

    /// Returns a literal of the decision variable with the fewest unassigned literals.
    fn choose(&mut self) -> Option<u32> {
        let is_decided = |literals: &Vec<u32>| literals.iter().all(|literal| self.value(*literal) != 0);
        self.first_open += self.decisions[self.first_open..].iter().take_while(|literals| is_decided(literals)).count();
        let (mut fewest, mut chosen) = (usize::MAX, None);
        for literals in &self.decisions[self.first_open..] {
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
        chosen
    }

    /// Returns a literal of a variable that does not belong to a decision variable.
    fn next_other(&mut self) -> Option<u32> {
        while self.next_variable < self.levels.len() {
            let literal = 2 * self.next_variable as u32 + 1;
            if self.value(literal) == 0 {
                return Some(literal);
            }
            self.next_variable += 1;
        }
        None
    }

    /// Undoes the decisions above the last one of a decision variable.
    fn leave_others(&mut self) {
        let of_decision = |start: &usize| self.decides[variable(self.trail[*start])];
        let last = self.starts.iter().skip(self.floor).rposition(of_decision);
        self.undo(self.floor + last.map_or(0, |last| last + 1));
    }

    /// Replaces the last decision, which has no further assignments, with its negation; returns false if there is no
    /// decision left.
    fn flip(&mut self) -> bool {
        loop {
            if self.level() == self.floor {
                return false;
            }
            let decision = self.trail[self.starts[self.level() - 1]];
            self.undo(self.level() - 1);
            // The other half of the decision is exhausted, so later conflicts must not jump back over its negation.
            self.backtrack = self.level();
            self.assign(decision ^ 1, ImplicationReason::None);
            if self.imply_late() {
                return true;
            }
        }
    }

    /// Assigns literals again that learnt clauses still imply after backtracking.
    fn imply_late(&mut self) -> bool {
        let level = self.level();
        self.late.retain(|implied| implied.level <= level);
        for place in 0..self.late.len() {
            let LateImplication { literal, reason, level } = self.late[place];
            let is_new = self.value(literal) == 0;
            if !self.imply(literal, reason) {
                return false;
            }
            if is_new && level == 0 {
                self.levels[variable(literal)] = 0;
            }
        }
        true
    }

    /// Learns from a conflict and backtracks; returns false if nothing is left.
    fn resolve(&mut self, conflict: FalseClause) -> bool {
        self.conflicts += 1;
        // A learnt clause must not lead below `backtrack`, so only the last decision can be flipped.
        if self.level() <= self.backtrack {
            return self.flip();
        }
        let clause = self.analyse(&conflict);
        if clause.len() > MOST_LITERALS {
            return self.flip();
        }
        // From the second greatest level on, the clause is a unit.
        let level = clause.get(1).map_or(0, |second| self.levels[variable(*second)] as usize);
        if self.learned.len() >= MOST_LEARNED {
            self.forget();
        }
        let reason = if clause.len() == 1 {
            ImplicationReason::None
        } else {
            let place = self.add(&clause);
            self.learned.push(place);
            ImplicationReason::Clause(place)
        };
        // Assignments below the negated decisions have already been visited.
        self.undo(level.max(self.backtrack));
        self.assign(clause[0], reason);
        // The clause is a unit from `level` on, so the literal must survive backtracking to that level.
        if level < self.level() {
            self.late.push(LateImplication { literal: clause[0], reason, level });
            if level == 0 {
                self.levels[variable(clause[0])] = 0;
            }
        }
        true
    }

    /// Returns the clause of the first unique implication point. Its first literal is the negation of a literal of the
    /// current level; its second one has the greatest level among the others.
    fn analyse(&mut self, conflict: &FalseClause) -> Vec<u32> {
        let level = self.starts.len() as u32;
        let mut clause = vec![0];
        let mut seen = Vec::new();
        let mut open = 0;
        let mut note = |engine: &mut Self, clause: &mut Vec<u32>, literal: u32| {
            let of = variable(literal);
            if engine.levels[of] > 0 && !std::mem::replace(&mut engine.seen[of], true) {
                seen.push(of);
                if engine.levels[of] == level {
                    return 1;
                }
                clause.push(literal);
            }
            0
        };
        match conflict {
            FalseClause::Binary(literals) => {
                literals.iter().for_each(|literal| open += note(self, &mut clause, *literal));
            }
            FalseClause::Clause(place) => {
                for position in 1..=self.clauses[*place as usize] as usize {
                    open += note(self, &mut clause, self.clauses[*place as usize + position]);
                }
            }
        }
        // Resolution runs backwards along the trail until only one literal of this level is left.
        let mut place = self.trail.len();
        loop {
            place -= 1;
            let literal = self.trail[place];
            if !self.seen[variable(literal)] {
                continue;
            }
            open -= 1;
            if open == 0 {
                clause[0] = literal ^ 1;
                break;
            }
            match self.reasons[variable(literal)] {
                ImplicationReason::None => {}
                ImplicationReason::Binary(other) => open += note(self, &mut clause, other),
                ImplicationReason::Clause(place) => {
                    for position in 2..=self.clauses[place as usize] as usize {
                        open += note(self, &mut clause, self.clauses[place as usize + position]);
                    }
                }
            }
        }
        // Clause minimisation, one step deep: literals that the others imply are dropped.
        let mut position = 0;
        clause.retain(|literal| {
            position += 1;
            position == 1 || !self.follows(*literal)
        });
        seen.into_iter().for_each(|variable| self.seen[variable] = false);
        let second = (1..clause.len()).max_by_key(|position| self.levels[variable(clause[*position])]);
        second.into_iter().for_each(|second| clause.swap(1, second));
        clause
    }

    /// Returns true if the other literals of a clause that is being learnt imply that this one is false.
    fn follows(&self, literal: u32) -> bool {
        let known = |literal: &u32| self.seen[variable(*literal)] || self.levels[variable(*literal)] == 0;
        match self.reasons[variable(literal)] {
            ImplicationReason::None => false,
            ImplicationReason::Binary(other) => known(&other),
            ImplicationReason::Clause(place) => self.literals(place)[1..].iter().all(known),
        }
    }

    /// Deletes half of the learnt clauses, the longest and oldest ones, but no clause that is a reason.
    fn forget(&mut self) {
        let is_reason = |engine: &Self, place: u32| {
            let first = engine.literals(place)[0];
            let reason = ImplicationReason::Clause(place);
            engine.value(first) > 0 && engine.reasons[variable(first)] == reason
                || engine.late.iter().any(|implied| implied.reason == reason)
        };
        let mut learned = std::mem::take(&mut self.learned);
        learned.sort_by_key(|place| (self.clauses[*place as usize], Reverse(*place)));
        let mut position = 0;
        learned.retain(|place| {
            position += 1;
            position <= MOST_LEARNED / 2 || is_reason(self, *place)
        });
        // In ascending order, each clause moves to a lower position.
        learned.sort_unstable();
        // Kept clauses move over deleted ones, so their watches and all references are renewed.
        let first_learned = self.first_learned as u32;
        self.watches.iter_mut().for_each(|watches| watches.retain(|watch| watch.clause < first_learned));
        let mut end = self.first_learned;
        for place in &mut learned {
            let (from, length) = (*place as usize, self.clauses[*place as usize] as usize);
            let (old, new) = (ImplicationReason::Clause(*place), ImplicationReason::Clause(end as u32));
            let first = self.clauses[from + 1];
            if self.value(first) > 0 && self.reasons[variable(first)] == old {
                self.reasons[variable(first)] = new;
            }
            self.late.iter_mut().filter(|implied| implied.reason == old).for_each(|implied| implied.reason = new);
            self.clauses.copy_within(from..=from + length, end);
            *place = end as u32;
            self.watch(*place);
            end += length + 1;
        }
        self.clauses.truncate(end);
        self.learned = learned;
    }
}
