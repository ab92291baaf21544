//! Propagation of single requirements: facts about cells, each with its premises.
//!
//! Facts are derived in rounds, as in constraint programming, but the solver is the one propagator of all requirements:
//! a requirement rules out an option if the requirement, the option, and the facts known before the round about the
//! cells in its scope are unsatisfiable. The unsat core gives the facts that were used. So every fact has a derivation,
//! and rounds keep derivations shallow.

use super::cells::Cell;
use crate::{
    halt::StopReason,
    lowering::Requirement,
    problem::{Bool, Problem, SubProblem, Variable},
    solver::{AssumptionResult, EngineOptions, Incremental, incremental},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

/// The limit on stored solutions of one requirement. Chosen.
const MOST_SOLUTIONS: usize = 1000;

/// A known fact about a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Fact {
    /// The cell is this option.
    Is(usize, usize),
    /// The cell is not this option.
    Not(usize, usize),
}

impl Fact {
    pub(crate) fn cell(self) -> usize {
        match self {
            Fact::Is(cell, _) | Fact::Not(cell, _) => cell,
        }
    }
}

/// The derivation of a fact: the requirements that it uses, and the facts known before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Derivation {
    pub rules: Vec<usize>,
    pub premises: Vec<Fact>,
}

/// Facts with their derivations; premises come before their conclusions.
pub(crate) type Derivations = Vec<(Fact, Derivation)>;

/// The requirements and the cells that propagation works on.
pub(crate) struct PropagationInput<'a> {
    pub problem: &'a Problem,
    pub cells: &'a [Cell],
    pub requirements: &'a [Requirement],
    /// The scope of each rule: the cells that it mentions, ascending.
    pub scopes: Vec<Vec<usize>>,
    /// The problem's own constraints, in components without common variables.
    structure: Structure,
    /// The subproblem that each rule sees.
    parts: Vec<OnceCell<SubProblem>>,
}

/// The condition of a domain rule, which has no requirement: the problem's own constraints on its cells are enough.
const DOMAIN_ALONE: Bool = Bool::TRUE;

/// The connected components of the problem's own constraints.
#[derive(Default)]
struct Structure {
    constraints: Vec<Vec<Bool>>,
    of_variable: FxHashMap<Variable, usize>,
}

impl Structure {
    fn of(problem: &Problem) -> Self {
        let mut structure = Structure::default();
        for constraint in problem.constraints() {
            // A constraint merges all components that share a variable with it. Emptied components keep their
            // positions, so that numbers stay valid.
            let variables = variables(problem, *constraint);
            let joined: BTreeSet<usize> =
                variables.iter().filter_map(|variable| structure.of_variable.get(variable).copied()).collect();
            let own = joined.first().copied().unwrap_or(structure.constraints.len());
            if joined.is_empty() {
                structure.constraints.push(Vec::new());
            }
            for other in joined.into_iter().skip(1) {
                let moved = std::mem::take(&mut structure.constraints[other]);
                structure.constraints[own].extend(moved);
                structure.of_variable.values_mut().filter(|number| **number == other).for_each(|number| *number = own);
            }
            structure.constraints[own].push(*constraint);
            structure.of_variable.extend(variables.into_iter().map(|variable| (variable, own)));
        }
        structure
    }

    /// The cells of each component that has several.
    fn joined(&self, of_variable: &FxHashMap<Variable, Vec<usize>>) -> Vec<Vec<usize>> {
        let mut cells: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.constraints.len()];
        for (variable, part) in &self.of_variable {
            cells[*part].extend(of_variable.get(variable).into_iter().flatten());
        }
        cells.into_iter().filter(|cells| cells.len() > 1).map(|cells| cells.into_iter().collect()).collect()
    }

    /// The constraints in the components of the variables of these terms.
    fn about(&self, problem: &Problem, terms: &[Bool]) -> Vec<Bool> {
        let variables = terms.iter().flat_map(|term| variables(problem, *term));
        let numbers: BTreeSet<usize> =
            variables.filter_map(|variable| self.of_variable.get(&variable).copied()).collect();
        numbers.into_iter().flat_map(|number| self.constraints[number].iter().copied()).collect()
    }
}

impl<'a> PropagationInput<'a> {
    pub(crate) fn new(problem: &'a Problem, cells: &'a [Cell], requirements: &'a [Requirement]) -> Self {
        let mut of_variable: FxHashMap<Variable, Vec<usize>> = FxHashMap::default();
        for (position, cell) in cells.iter().enumerate() {
            let variables: FxHashSet<Variable> =
                cell.options.iter().flat_map(|option| variables(problem, option.term)).collect();
            for variable in variables {
                of_variable.entry(variable).or_default().push(position);
            }
        }
        let scope = |requirement: &Requirement| {
            let cells: BTreeSet<usize> = variables(problem, requirement.condition)
                .into_iter()
                .flat_map(|variable| of_variable.get(&variable).cloned().unwrap_or_default())
                .collect();
            cells.into_iter().collect()
        };
        let mut scopes: Vec<Vec<usize>> = requirements.iter().map(scope).collect();
        let structure = Structure::of(problem);
        scopes.extend(structure.joined(&of_variable));
        let parts = scopes.iter().map(|_| OnceCell::new()).collect();
        PropagationInput { problem, cells, requirements, scopes, structure, parts }
    }

    /// The rules without a requirement, for the problem's own constraints on several cells (for example, that a set has
    /// three members). They come after the requirements.
    pub(crate) fn domain_rules(&self) -> std::ops::Range<usize> {
        self.requirements.len()..self.scopes.len()
    }

    pub(crate) fn condition(&self, rule: usize) -> Bool {
        self.requirements.get(rule).map_or(DOMAIN_ALONE, |requirement| requirement.condition)
    }

    /// The subproblem of a rule: its requirement, the cells in its scope, and the problem's own constraints on them.
    fn part(&self, rule: usize) -> &SubProblem {
        self.parts[rule].get_or_init(|| {
            let options = self.scopes[rule].iter().flat_map(|cell| &self.cells[*cell].options);
            let terms = options.map(|option| option.term).chain([self.condition(rule)]);
            self.part_of(&terms.collect::<Vec<_>>())
        })
    }

    /// The subproblem with these terms, under the problem's own constraints on their variables.
    pub(crate) fn part_of(&self, terms: &[Bool]) -> SubProblem {
        let constraints = self.structure.about(self.problem, terms);
        let mut part = SubProblem::of(self.problem, terms.iter().chain(&constraints).copied());
        for constraint in constraints {
            if let Some(constraint) = part.term(constraint) {
                part.problem.require(constraint);
            }
        }
        part
    }

    pub(crate) fn term(&self, fact: Fact) -> Bool {
        match fact {
            Fact::Is(cell, option) => self.cells[cell].options[option].term,
            Fact::Not(cell, option) => !self.cells[cell].options[option].term,
        }
    }
}

/// The variables in a term.
fn variables(problem: &Problem, term: Bool) -> FxHashSet<Variable> {
    let mut seen = FxHashSet::default();
    let mut found = FxHashSet::default();
    let mut open = vec![Variable::Bool(term)];
    while let Some(term) = open.pop() {
        let term = match term {
            // A condition has the same variables as its negation.
            Variable::Bool(term) => Variable::Bool(term.node().0.positive()),
            term => term,
        };
        if !seen.insert(term) {
            continue;
        }
        let before = open.len();
        match term {
            Variable::Bool(term) => problem.bool_node(term.node().0).operands(&mut |part| open.push(part)),
            Variable::Int(term) => problem.int_node(term).operands(&mut |part| open.push(part)),
        }
        if open.len() == before {
            found.insert(term);
        }
    }
    found
}

/// Propagates single requirements, each with a separate solver: a solver of the whole problem would assign every other
/// variable for each answer.
pub(crate) struct Singles<'a> {
    puzzle: &'a PropagationInput<'a>,
    engine_options: &'a EngineOptions,
    solvers: FxHashMap<usize, Box<dyn Incremental + 'a>>,
    /// Solutions of each requirement, as the options of its cells: facts that hold in a solution need no check.
    solutions: FxHashMap<usize, Vec<Vec<usize>>>,
    /// The number of questions to the solvers so far.
    pub asked: usize,
}

/// The result of checking facts with a requirement.
pub(super) enum Single {
    /// The facts can hold together, in this solution: the options of the cells in the scope.
    Possible(Vec<usize>),
    /// The unsat core: these of the facts cannot hold together.
    Refuted(Vec<Fact>),
}

impl<'a> Singles<'a> {
    pub(crate) fn new(puzzle: &'a PropagationInput<'a>, engine_options: &'a EngineOptions) -> Self {
        Singles { puzzle, engine_options, solvers: FxHashMap::default(), solutions: FxHashMap::default(), asked: 0 }
    }

    /// A stored solution of a requirement that satisfies these facts.
    fn known(&self, rule: usize, facts: &[Fact]) -> Option<&Vec<usize>> {
        let scope = &self.puzzle.scopes[rule];
        let holds = |solution: &[usize], fact: Fact| {
            let is = |cell: usize, option: usize| {
                scope.binary_search(&cell).is_ok_and(|position| solution[position] == option)
            };
            match fact {
                Fact::Is(cell, option) => is(cell, option),
                Fact::Not(cell, option) => !is(cell, option),
            }
        };
        // Most solutions violate the last fact, which is the assumption, so checking it first fails early.
        let has_all = |solution: &&Vec<usize>| facts.iter().rev().all(|fact| holds(solution, *fact));
        self.solutions.get(&rule)?.iter().rev().find(has_all)
    }

    /// Checks if all these facts about the cells of a requirement can hold together, and with the condition if there is
    /// one.
    pub(super) fn ask(&mut self, rule: usize, facts: &[Fact], condition: Option<Bool>) -> Result<Single, StopReason> {
        let puzzle = self.puzzle;
        if condition.is_some()
            && let Some(options) = self.known(rule, facts)
        {
            return Ok(Single::Possible(options.clone()));
        }
        self.asked += 1;
        let part = puzzle.part(rule);
        let solver = self.solvers.entry(rule).or_insert_with(|| incremental(&part.problem, self.engine_options));
        let own = |term: Bool| part.term(term).ok_or_else(|| StopReason::Unknown("it is about another cell".into()));
        let mut assumptions = facts.iter().map(|fact| own(puzzle.term(*fact))).collect::<Result<Vec<Bool>, _>>()?;
        if let Some(condition) = condition {
            assumptions.push(own(condition)?);
        }
        Ok(match solver.check(&assumptions)? {
            AssumptionResult::Satisfiable(assignment) => {
                let holds = |term: Bool| part.term(term).is_some_and(|term| part.problem.bool_value(term, &assignment));
                let option = |cell: &usize| {
                    let options = &puzzle.cells[*cell].options;
                    // The options may lack the value of the cell.
                    options.iter().position(|option| holds(option.term)).unwrap_or(usize::MAX)
                };
                let options: Vec<usize> = puzzle.scopes[rule].iter().map(option).collect();
                // Only solutions of the requirement itself can answer later questions about it.
                if condition.is_some() {
                    let solutions = self.solutions.entry(rule).or_default();
                    if solutions.len() < MOST_SOLUTIONS {
                        solutions.push(options.clone());
                    }
                }
                Single::Possible(options)
            }
            AssumptionResult::Refuted(core) => {
                let used = facts.iter().zip(&assumptions).filter(|(_, term)| core.contains(term));
                Single::Refuted(used.map(|(fact, _)| *fact).collect())
            }
        })
    }
}

/// The known facts about the cells, with their derivations.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// The derivation for each excluded option of each cell.
    pub ruled_out: Vec<Vec<Option<Derivation>>>,
    /// The option of each cell with a known value, and its derivation.
    pub fixed: Vec<Option<(usize, Derivation)>>,
}

impl Knowledge {
    pub(crate) fn new(cells: &[Cell]) -> Self {
        Knowledge {
            ruled_out: cells.iter().map(|cell| vec![None; cell.options.len()]).collect(),
            fixed: vec![None; cells.len()],
        }
    }

    /// The known facts about a cell, without implied ones.
    pub(crate) fn facts(&self, cell: usize) -> Vec<Fact> {
        if let Some((option, _)) = self.fixed[cell] {
            return vec![Fact::Is(cell, option)];
        }
        let known = self.ruled_out[cell].iter().enumerate().filter(|(_, why)| why.is_some());
        known.map(|(option, _)| Fact::Not(cell, option)).collect()
    }

    /// The cells without a known value.
    pub(crate) fn unknown(&self) -> Vec<usize> {
        (0..self.fixed.len()).filter(|cell| self.fixed[*cell].is_none()).collect()
    }

    pub(crate) fn open(&self, cell: usize) -> impl Iterator<Item = usize> {
        let ruled_out = self.ruled_out[cell].iter().enumerate();
        let fixed = self.fixed[cell].as_ref().map(|(option, _)| *option);
        ruled_out
            .filter(move |(option, why)| why.is_none() && fixed.is_none_or(|fixed| fixed == *option))
            .map(|(option, _)| option)
    }

    pub(crate) fn knows(&self, fact: Fact) -> bool {
        match fact {
            Fact::Is(cell, option) => self.fixed[cell].as_ref().is_some_and(|(fixed, _)| *fixed == option),
            Fact::Not(cell, option) => {
                // The options may lack the value of the cell.
                self.ruled_out[cell].get(option).is_some_and(Option::is_some)
                    || self.fixed[cell].as_ref().is_some_and(|(fixed, _)| *fixed != option)
            }
        }
    }

    /// Returns true if a fact leaves its cell without options.
    fn contradicts(&self, fact: Fact) -> bool {
        let mut open = self.open(fact.cell());
        match fact {
            Fact::Is(_, option) => !open.any(|other| other == option),
            Fact::Not(_, option) => open.all(|other| other == option),
        }
    }

    /// All known facts about a cell, including implied ones.
    pub(crate) fn all_facts(&self, cell: usize) -> impl Iterator<Item = Fact> {
        let ruled_out = self.ruled_out[cell].iter().enumerate().filter(|(_, why)| why.is_some());
        let fixed = self.fixed[cell].iter().map(move |(option, _)| Fact::Is(cell, *option));
        ruled_out.map(move |(option, _)| Fact::Not(cell, option)).chain(fixed)
    }

    pub(crate) fn derivation(&self, fact: Fact) -> Option<&Derivation> {
        match fact {
            Fact::Is(cell, option) => {
                self.fixed[cell].as_ref().filter(|(fixed, _)| *fixed == option).map(|(_, why)| why)
            }
            Fact::Not(cell, option) => self.ruled_out[cell][option].as_ref(),
        }
    }

    /// Adds a fact unless it is known; returns true if it was new.
    pub(crate) fn learn(&mut self, fact: Fact, why: Derivation) -> bool {
        if self.knows(fact) {
            return false;
        }
        match fact {
            Fact::Is(cell, option) => self.fixed[cell] = Some((option, why)),
            Fact::Not(cell, option) => self.ruled_out[cell][option] = Some(why),
        }
        true
    }

    /// Gives a cell its value if one option is left.
    fn settle(&mut self, cell: usize) -> Option<Fact> {
        if self.fixed[cell].is_some() {
            return None;
        }
        let mut open = self.open(cell);
        let (Some(last), None) = (open.next(), open.next()) else { return None };
        drop(open);
        let premises = self.facts(cell);
        let fact = Fact::Is(cell, last);
        self.learn(fact, Derivation { rules: Vec::new(), premises });
        Some(fact)
    }
}

/// Propagation of some of the requirements.
#[derive(Clone)]
pub(crate) struct Propagation<'a> {
    pub puzzle: &'a PropagationInput<'a>,
    pub knowledge: Knowledge,
    /// The options of each cell that are known to occur in solutions; they are never tried.
    pub possible: &'a [Vec<bool>],
    /// The queue: requirements with new facts about cells in their scope.
    waiting: BTreeSet<usize>,
    /// Supports: solutions of each requirement, as the options of its cells. An option with a support is not excluded.
    supports: FxHashMap<usize, Vec<Vec<usize>>>,
    /// The violated rules, if contradictions are looked for.
    pub violated: Option<Vec<usize>>,
}

impl<'a> Propagation<'a> {
    pub(crate) fn new(
        puzzle: &'a PropagationInput<'a>,
        possible: &'a [Vec<bool>],
        rules: impl IntoIterator<Item = usize>,
    ) -> Self {
        let knowledge = Knowledge::new(puzzle.cells);
        let waiting = rules.into_iter().collect();
        Propagation { puzzle, knowledge, possible, waiting, supports: FxHashMap::default(), violated: None }
    }

    /// Propagates each requirement in the queue once, with the facts known before the round. Returns the new facts; if
    /// there are none, this is the fixed point.
    pub(crate) fn round(&mut self, singles: &mut Singles, rules: &[usize]) -> Result<Vec<Fact>, StopReason> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut found = Vec::new();
        // Facts from this round are added only after it, so each of them has its shallowest derivation.
        for rule in waiting {
            found.extend(self.consequences(singles, rule)?);
        }
        let mut new = Vec::new();
        // Values come before exclusions, so exclusions that a new value implies are not learnt separately.
        found.sort_by_key(|(fact, _)| matches!(fact, Fact::Not(..)));
        for (fact, why) in found {
            if let Some(violated) = &mut self.violated
                && self.knowledge.contradicts(fact)
            {
                violated.extend(&why.rules);
            } else if self.knowledge.learn(fact, why) {
                new.push(fact);
            }
        }
        let touched: BTreeSet<usize> = new.iter().map(|fact| fact.cell()).collect();
        for cell in &touched {
            new.extend(self.knowledge.settle(*cell));
        }
        self.wake(&touched, rules);
        Ok(new)
    }

    /// Gives a cell its value if one option is left after a fact from elsewhere.
    pub(crate) fn settle(&mut self, cell: usize, rules: &[usize]) -> Option<Fact> {
        let settled = self.knowledge.settle(cell);
        self.wake(&BTreeSet::from([cell]), rules);
        settled
    }

    /// Puts the requirements that mention these cells into the queue.
    fn wake(&mut self, cells: &BTreeSet<usize>, rules: &[usize]) {
        let concerned = |rule: &&usize| self.puzzle.scopes[**rule].iter().any(|cell| cells.contains(cell));
        self.waiting.extend(rules.iter().filter(concerned));
    }

    /// The facts that a requirement implies, given the known facts about its cells.
    fn consequences(&mut self, singles: &mut Singles, rule: usize) -> Result<Vec<(Fact, Derivation)>, StopReason> {
        let puzzle = self.puzzle;
        let scope = &puzzle.scopes[rule];
        let known: Vec<Fact> = scope.iter().flat_map(|cell| self.knowledge.facts(*cell)).collect();
        let mut supports = self.supports.remove(&rule).unwrap_or_default();
        // A support stays valid until one of its options is excluded.
        supports.retain(|options| {
            scope.iter().zip(options).all(|(cell, option)| !self.knowledge.knows(Fact::Not(*cell, *option)))
        });
        let mut found = Vec::new();
        // If there is no support, the known facts may violate the requirement.
        if supports.is_empty() && self.violated.is_some() {
            match singles.ask(rule, &known, Some(puzzle.condition(rule)))? {
                Single::Possible(options) => supports.push(options),
                Single::Refuted(_) => {
                    self.violated.iter_mut().for_each(|violated| violated.push(rule));
                    return Ok(found);
                }
            }
        }
        for (position, cell) in scope.iter().enumerate() {
            if self.knowledge.fixed[*cell].is_some() {
                continue;
            }
            let open: Vec<usize> = self.knowledge.open(*cell).collect();
            let mut left = Vec::new();
            // A support of one option may also support options of later cells, which then need no check.
            for option in &open {
                if self.possible[*cell][*option] || supports.iter().any(|support| support[position] == *option) {
                    left.push(*option);
                    continue;
                }
                match self.ask(singles, rule, &known, Fact::Is(*cell, *option))? {
                    Single::Possible(options) => {
                        supports.push(options);
                        left.push(*option);
                    }
                    Single::Refuted(premises) => {
                        found.push((Fact::Not(*cell, *option), Derivation { rules: vec![rule], premises }));
                    }
                }
            }
            if let [last] = left.as_slice()
                && open.len() > 1
            {
                let fact = Fact::Is(*cell, *last);
                // The simplest reason for a value is that no other cell in the scope can have it.
                let alike = |other: &&Fact| matches!(other, Fact::Is(..)) || self.shown(**other) == self.shown(fact);
                let simple: Vec<Fact> = known.iter().filter(alike).copied().collect();
                for known in [&simple, &known] {
                    if let Single::Refuted(premises) = self.ask(singles, rule, known, Fact::Not(*cell, *last))? {
                        found.push((fact, Derivation { rules: vec![rule], premises }));
                        break;
                    }
                }
            }
        }
        self.supports.insert(rule, supports);
        Ok(found)
    }

    /// The known facts that refute an assumption together with a requirement, or a solution with the assumption.
    fn ask(&self, singles: &mut Singles, rule: usize, known: &[Fact], assumed: Fact) -> Result<Single, StopReason> {
        let facts: Vec<Fact> = known.iter().copied().chain([assumed]).collect();
        Ok(match singles.ask(rule, &facts, Some(singles.puzzle.condition(rule)))? {
            Single::Refuted(mut used) => {
                used.retain(|fact| *fact != assumed);
                Single::Refuted(used)
            }
            possible => possible,
        })
    }

    fn shown(&self, fact: Fact) -> &str {
        let (Fact::Is(cell, option) | Fact::Not(cell, option)) = fact;
        &self.puzzle.cells[cell].options[option].shown
    }

    /// The derivation of a fact without superfluous premises; known values of other cells may replace premises.
    fn minimal(
        &self,
        singles: &mut Singles,
        fact: Fact,
        known: &dyn Fn(Fact) -> bool,
    ) -> Result<Derivation, StopReason> {
        let Some(mut why) = self.knowledge.derivation(fact).cloned() else { return Ok(Derivation::default()) };
        // If only one value is left, it follows without a rule from all its premises.
        let [rule] = why.rules[..] else { return Ok(why) };
        let denied = match fact {
            Fact::Is(cell, option) => Fact::Not(cell, option),
            Fact::Not(cell, option) => Fact::Is(cell, option),
        };
        let others = self.puzzle.scopes[rule].iter().filter(|cell| **cell != fact.cell());
        let values = others.flat_map(|cell| self.knowledge.facts(*cell));
        let values = values.filter(|value| matches!(value, Fact::Is(..)) && known(*value));
        let open: BTreeSet<Fact> = why.premises.drain(..).chain(values).collect();
        // Premises at the end are removed first, so exclusions of other options come last.
        let is_other = |premise: &Fact| matches!(premise, Fact::Not(..)) && self.shown(*premise) != self.shown(fact);
        let mut open: Vec<Fact> = open.into_iter().collect();
        open.sort_by_key(is_other);
        let mut needed = Vec::new();
        while let Some(candidate) = open.pop() {
            let rest: Vec<Fact> = open.iter().chain(&needed).copied().collect();
            match self.ask(singles, rule, &rest, denied)? {
                Single::Refuted(core) => open.retain(|fact| core.contains(fact)),
                Single::Possible(_) => needed.push(candidate),
            }
        }
        // The domain alone may imply the fact, without the requirement.
        let facts: Vec<Fact> = needed.iter().copied().chain([denied]).collect();
        if let Single::Refuted(core) = singles.ask(rule, &facts, None)? {
            needed.retain(|premise| core.contains(premise));
            why.rules.clear();
        }
        needed.sort_unstable();
        why.premises = needed;
        Ok(why)
    }

    /// The derivations of facts, back to facts for which `known` returns true; premises come before their conclusions.
    pub(crate) fn trace(
        &self,
        singles: &mut Singles,
        facts: &[Fact],
        known: &dyn Fn(Fact) -> bool,
    ) -> Result<Derivations, StopReason> {
        let mut derivations: BTreeMap<Fact, Derivation> = BTreeMap::new();
        let mut open: Vec<Fact> = facts.to_vec();
        while let Some(fact) = open.pop() {
            if !derivations.contains_key(&fact) && !known(fact) {
                let why = self.minimal(singles, fact, known)?;
                open.extend(&why.premises);
                derivations.insert(fact, why);
            }
        }
        // A fact is one deeper than its deepest premise. The loop iterates to a fixed point; the limit ends it if
        // derivations were cyclic.
        let mut depths: FxHashMap<Fact, usize> = FxHashMap::default();
        let mut changed = true;
        while changed {
            changed = false;
            for (fact, why) in &derivations {
                let depth =
                    why.premises.iter().filter_map(|premise| depths.get(premise)).max().map_or(1, |depth| depth + 1);
                changed |= depths.insert(*fact, depth) != Some(depth) && depth <= derivations.len() + 1;
            }
        }
        let mut ordered: Vec<(Fact, Derivation)> = derivations.into_iter().collect();
        ordered.sort_by_key(|(fact, why)| (depths[fact], why.rules.clone(), fact.cell(), *fact));
        Ok(ordered)
    }
}

/// The stated fact that covers a fact: a stated `Is(cell, v)` implies `Not(cell, w)` for every other `w`.
pub(super) fn as_stated(stated: &BTreeMap<Fact, usize>, knowledge: &Knowledge, fact: Fact) -> Fact {
    match (fact, &knowledge.fixed[fact.cell()]) {
        (Fact::Not(cell, other), Some((option, _)))
            if other != *option && stated.contains_key(&Fact::Is(cell, *option)) =>
        {
            Fact::Is(cell, *option)
        }
        _ => fact,
    }
}
