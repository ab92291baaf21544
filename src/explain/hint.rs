//! Hints: a chain of small steps from the known facts to the solution, as a person would take them.
//!
//! The hints are step-wise explanations (Bogaerts, Gamba, Guns, "A framework for step-wise explaining how to solve
//! constraint satisfaction problems", Artificial Intelligence 300, 2021; Gamba, Bogaerts, Guns, "Efficiently explaining
//! CSPs with unsatisfiable subset optimization", JAIR 78, 2023): the next step is the fact with the cheapest
//! explanation, a minimal set of requirements and known facts that refute the fact's negation. Unlike there, candidates
//! come from propagation ([`super::propagate`]); their derivations are cut at facts of earlier steps, and then shrunk.
//! A step that would need too many requirements is prepared by steps that exclude options of a cell. When no single
//! requirement yields a new fact, facts are derived from several requirements at once.

use super::{
    Describer, ExplainedCase, Reason,
    conflict::Conditions,
    propagate::{Derivation, Derivations, Fact, Propagation, PropagationInput, Singles, as_stated},
    requirement_board::{RequirementBoard, possible_options},
    wording::{Line, Wording},
};
use crate::{
    halt::{Halt, StopReason},
    problem::{Bool, Problem},
    solver::{AssumptionResult, EngineOptions, Incremental, incremental},
    source::Sources,
};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The number of requirements above which a step is prepared by smaller ones, if possible. Chosen.
const MOST_RULES: usize = 6;
/// The number of cheapest candidates to shrink before the best one is chosen. Chosen.
const CANDIDATES: usize = 4;
/// The number of facts from several requirements to compare. Chosen.
const DEEP_CANDIDATES: usize = 6;
/// Encoding the clauses of a term takes as long as this many checks of it. So a conflict is shrunk in a separate
/// problem if it has many members, or a small part of all terms.
const ENCODING: usize = 30;
/// The work limit for shrinking the candidates from several requirements: about a second. Chosen.
const DEEP: u64 = 10_000;

/// A step: a conclusion and its premises.
#[derive(Clone, Debug)]
pub(crate) struct HintStep {
    /// `board[2, 3] = 5`
    pub says: String,
    /// The lines that derive the conclusion.
    pub lines: Vec<Line>,
    /// The requirements that are used.
    pub reasons: Vec<Reason>,
    /// The facts that are new after the step.
    pub learnt: Vec<Fact>,
    /// The earlier facts that the step uses.
    pub used: BTreeSet<Fact>,
}

/// The continuation of a chain of steps.
#[derive(Debug)]
pub(crate) enum NextStep {
    Step(HintStep),
    /// All cells are known.
    Solved,
    /// Nothing more follows: these names have different values in different solutions.
    Open(Vec<String>),
}

/// Takes one step after the other.
pub(crate) struct Guide<'a> {
    case: &'a ExplainedCase<'a>,
    board: &'a RequirementBoard,
    puzzle: &'a PropagationInput<'a>,
    describer: Describer<'a>,
    all: Vec<usize>,
    background: Propagation<'a>,
    solver: &'a mut dyn Incremental,
    singles: Singles<'a>,
    engine_options: &'a EngineOptions,
    /// True if steps show the values of quantified names with each requirement.
    pub with_values: bool,
    /// The stated facts with the numbers of their steps; clues have step 0.
    stated: BTreeMap<Fact, usize>,
    /// The number of steps so far.
    steps: usize,
    /// The last shrunk support of each fact, with the support that it was shrunk from.
    shrunk: BTreeMap<Fact, (Vec<Fact>, BTreeSet<usize>, Support)>,
    /// Facts that follow from several requirements at once; such a fact becomes a separate step before it is used.
    deep: BTreeSet<Fact>,
}

/// Calls a function with the guide of a board.
pub(crate) fn guided<T>(
    case: &ExplainedCase,
    board: &RequirementBoard,
    sources: &Sources,
    run: impl FnOnce(&mut Guide) -> Result<T, Halt>,
) -> Result<T, Halt> {
    let puzzle = PropagationInput::new(&board.problem, &board.cells, &board.requirements);
    let mut solver = incremental(&board.problem, case.engine_options);
    let all: Vec<usize> = (0..board.requirements.len()).collect();
    let mut describer = Describer::new(case.instance, sources);
    describer.written = case.written;
    let possible = possible_options(&puzzle, case.engine_options)?;
    let background = Propagation::new(&puzzle, &possible, all.iter().copied());
    let mut guide = Guide {
        case,
        board,
        puzzle: &puzzle,
        describer,
        all,
        background,
        solver: &mut *solver,
        singles: Singles::new(&puzzle, case.engine_options),
        engine_options: case.engine_options,
        with_values: false,
        stated: BTreeMap::new(),
        steps: 0,
        shrunk: BTreeMap::new(),
        deep: BTreeSet::new(),
    };
    run(&mut guide)
}

/// The requirements and known facts that imply a fact.
#[derive(Clone, Debug, Default)]
struct Support {
    rules: BTreeSet<usize>,
    facts: BTreeSet<Fact>,
    /// The number of derived facts in between.
    steps: usize,
}

impl Support {
    /// The cost of a step; requirements weigh most, since a reader has to think about each.
    fn cost(&self) -> usize {
        20 * self.rules.len() + self.facts.len()
    }
}

impl<'p> Guide<'p> {
    /// The values that single requirements give without premises: the clues.
    pub(crate) fn given(&mut self) -> Result<Vec<String>, Halt> {
        self.background.round(&mut self.singles, &self.all)?;
        let mut given = Vec::new();
        for (cell, known) in self.background.knowledge.fixed.iter().enumerate() {
            if let Some((option, why)) = known
                && why.rules.len() == 1
                && why.premises.is_empty()
            {
                self.stated.insert(Fact::Is(cell, *option), 0);
                given.push(self.puzzle.cells[cell].options[*option].is.clone());
            }
        }
        Ok(given)
    }

    /// The next step.
    pub(crate) fn next_step(&mut self) -> Result<NextStep, Halt> {
        loop {
            let fixed = self.background.knowledge.fixed.iter().enumerate();
            let unstated: Vec<Fact> = fixed
                .filter_map(|(cell, known)| known.as_ref().map(|(option, _)| Fact::Is(cell, *option)))
                .filter(|fact| !self.stated.contains_key(fact))
                .collect();
            // New propagation is needed only if no value is known but unstated.
            if !unstated.is_empty() {
                return Ok(NextStep::Step(self.step(unstated)?));
            }
            let open = self.background.knowledge.unknown();
            if open.is_empty() {
                let unsettled = self.unsettled()?;
                return Ok(if unsettled.is_empty() { NextStep::Solved } else { NextStep::Open(unsettled) });
            }
            let several =
                |cell: &usize| self.background.possible[*cell].iter().filter(|possible| **possible).count() > 1;
            // If every open cell has several possible values in solutions, no value can follow.
            let settled = open.iter().all(several);
            if !settled && (!self.background.round(&mut self.singles, &self.all)?.is_empty() || self.think(&open)?) {
                continue;
            }
            let name = |cell: &usize| self.puzzle.cells[*cell].name.clone();
            return Ok(NextStep::Open(self.background.knowledge.unknown().iter().map(name).collect()));
        }
    }

    /// The decision variables with different values in different solutions.
    fn unsettled(&mut self) -> Result<Vec<String>, Halt> {
        let conditions: Vec<Bool> = self.board.requirements.iter().map(|requirement| requirement.condition).collect();
        let mut unsettled = Vec::new();
        for (name, settled) in &self.board.settled {
            let assumptions: Vec<Bool> = conditions.iter().copied().chain([!*settled]).collect();
            if self.solver.refute(&assumptions)?.is_none() {
                unsettled.push(name.to_string());
            }
        }
        Ok(unsettled)
    }

    /// The step for the cheapest of these facts, or a step that prepares it.
    fn step(&mut self, facts: Vec<Fact>) -> Result<HintStep, Halt> {
        let mut candidates: Vec<(Support, Fact)> = facts.iter().map(|fact| (self.support(&[*fact]), *fact)).collect();
        candidates.sort_by_key(|(support, fact)| (support.cost(), support.steps, *fact));
        candidates.truncate(CANDIDATES);
        let mut shrunk = Vec::new();
        for (support, fact) in candidates {
            shrunk.push((self.shrunk(support, fact)?, fact));
        }
        let least = shrunk.iter().map(|(support, _)| support.cost()).min();
        shrunk.retain(|(support, _)| Some(support.cost()) == least);
        if let [(support, fact)] = shrunk.as_slice() {
            let (support, fact) = (support.clone(), *fact);
            if let Some(deep) = self.deep_before(fact, &support) {
                return self.step(vec![deep]);
            }
            if support.rules.len() > MOST_RULES
                && let Some(smaller) = self.preparation(fact)
            {
                let support = self.support(&smaller);
                let derivations = self.derivations(&smaller, &support)?;
                return self.state(smaller, derivations);
            }
        }
        // Among equally cheap facts, take the one with the shortest derivation.
        let mut best: Option<(Fact, Derivations)> = None;
        // If there is only one candidate, it is taken even if its step is long.
        let is_single = shrunk.len() == 1;
        for (support, fact) in shrunk {
            if !is_single && (support.rules.len() > MOST_RULES || self.deep_before(fact, &support).is_some()) {
                if best.is_none() {
                    return self.step(vec![fact]);
                }
                continue;
            }
            let derivations = self.derivations(&[fact], &support)?;
            if best.as_ref().is_none_or(|(_, best)| derivations.len() < best.len()) {
                best = Some((fact, derivations));
            }
        }
        let Some((fact, derivations)) = best else {
            return Err(Halt::Stopped(StopReason::Unknown("there is no candidate".into())));
        };
        let (facts, derivations) = self.with_alike(fact, derivations, &facts)?;
        self.state(facts, derivations)
    }

    /// Adds the other facts that follow from the same requirements and premises as the fact of a step.
    fn with_alike(
        &mut self,
        fact: Fact,
        mut derivations: Derivations,
        others: &[Fact],
    ) -> Result<(Vec<Fact>, Derivations), Halt> {
        let mut facts = vec![fact];
        let own = |fact: Fact| derivations.iter().find(|(other, _)| *other == fact).map(|(_, why)| why);
        let Some((root, why)) = origin(fact, own).map(|(root, why)| (root, why.clone())) else {
            return Ok((facts, derivations));
        };
        // The last option of a cell follows from the exclusions in this cell, which no other fact has as premises.
        if why.rules.is_empty() && why.premises.iter().all(|premise| premise.cell() == fact.cell()) {
            return Ok((facts, derivations));
        }
        for other in others {
            let known = origin(*other, |fact| self.background.knowledge.derivation(fact));
            let Some((other_root, other_why)) = known else { continue };
            let is_alike = other_why.rules == why.rules && other_why.premises.len() >= why.premises.len();
            let is_same_kind = matches!(root, Fact::Is(..)) == matches!(other_root, Fact::Is(..));
            let is_said = derivations.iter().any(|(said, _)| said == other || *said == other_root);
            if !is_alike || !is_same_kind || is_said {
                continue;
            }
            // The other fact must follow from the premises of this step; following from its own premises is not enough.
            let premises = why.premises.iter().map(|premise| self.puzzle.term(*premise));
            let rules = why.rules.iter().map(|rule| self.puzzle.requirements[*rule].condition);
            let mut assumptions: Vec<Bool> = premises.chain(rules).collect();
            assumptions.push(!self.puzzle.term(other_root));
            if self.solver.refute(&assumptions)?.is_some() {
                facts.push(*other);
                let place = derivations.iter().position(|(said, _)| *said == root).map_or(0, |place| place + 1);
                derivations.insert(place, (other_root, why.clone()));
                if other_root != *other {
                    derivations.push((*other, Derivation { rules: Vec::new(), premises: vec![other_root] }));
                }
            }
        }
        facts.sort_unstable();
        Ok((facts, derivations))
    }

    /// The support of facts, traced back to facts of earlier steps.
    fn support(&self, facts: &[Fact]) -> Support {
        let mut support = Support::default();
        let mut seen = BTreeSet::new();
        let mut open: Vec<Fact> = facts.to_vec();
        while let Some(fact) = open.pop() {
            if !seen.insert(fact) {
                continue;
            }
            if self.is_stated(fact) {
                support.facts.insert(self.as_stated(fact));
            } else if let Some(why) = self.background.knowledge.derivation(fact) {
                support.rules.extend(&why.rules);
                support.steps += 1;
                open.extend(&why.premises);
            }
        }
        support
    }

    fn is_stated(&self, fact: Fact) -> bool {
        self.stated.contains_key(&self.as_stated(fact))
    }

    fn as_stated(&self, fact: Fact) -> Fact {
        as_stated(&self.stated, &self.background.knowledge, fact)
    }

    /// A minimal part of a support that still implies a fact. Stated values of the same cells may replace premises.
    fn shrunk(&mut self, support: Support, fact: Fact) -> Result<Support, Halt> {
        let facts = self.premises(&support, fact);
        // Most preparatory steps change nothing for the other candidates, so their results are kept.
        if let Some((from, rules, shrunk)) = self.shrunk.get(&fact)
            && (from, rules) == (&facts, &support.rules)
        {
            return Ok(shrunk.clone());
        }
        let rules = support.rules.clone();
        let shrunk = self.shrunk_from(&facts, support, fact)?;
        self.shrunk.insert(fact, (facts, rules, shrunk.clone()));
        Ok(shrunk)
    }

    /// The facts of a support, and the stated values of its cells.
    fn premises(&self, support: &Support, fact: Fact) -> Vec<Fact> {
        let cells: BTreeSet<usize> =
            support.rules.iter().flat_map(|rule| self.puzzle.scopes[*rule].iter().copied()).collect();
        let near = self.stated.keys().filter(|stated| {
            matches!(stated, Fact::Is(..)) && cells.contains(&stated.cell()) && stated.cell() != fact.cell()
        });
        support.facts.iter().chain(near).copied().collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn shrunk_from(&mut self, facts: &[Fact], support: Support, fact: Fact) -> Result<Support, Halt> {
        let rules: Vec<usize> = support.rules.iter().copied().collect();
        // Deletion starts from the end, and a step should cite few requirements, so these come last.
        let conditions: Vec<Bool> = facts
            .iter()
            .map(|fact| self.puzzle.term(*fact))
            .chain(rules.iter().map(|rule| self.puzzle.requirements[*rule].condition))
            .collect();
        let Some(members) = self.shrink(&conditions, !self.puzzle.term(fact), &mut None)? else { return Ok(support) };
        let mut shrunk = Support::default();
        for member in members {
            match member.checked_sub(facts.len()) {
                Some(rule) => {
                    shrunk.rules.insert(rules[rule]);
                }
                None => {
                    shrunk.facts.insert(facts[member]);
                }
            }
        }
        // Stated values are included, so the minimal subset may cost more than the original support.
        Ok(if shrunk.cost() <= support.cost() { shrunk } else { support })
    }

    /// The positions of a minimal subset of conditions that contradict an assumption, within the work limit; `None` if
    /// there is no contradiction.
    fn shrink(
        &mut self,
        conditions: &[Bool],
        assumed: Bool,
        work: &mut Option<u64>,
    ) -> Result<Option<Vec<usize>>, StopReason> {
        let terms: Vec<Bool> = conditions.iter().copied().chain([assumed]).collect();
        let part = self.puzzle.part_of(&terms);
        let (whole, size) = (self.puzzle.problem.size(), part.problem.size());
        // All questions share the encoded problem, so encoding the part again pays only if the part is much smaller.
        if whole.saturating_sub(size) * conditions.len() < ENCODING * size {
            return minimal(self.puzzle.problem, self.solver, &terms, self.engine_options, work);
        }
        let own: Vec<Bool> = terms.iter().filter_map(|term| part.term(*term)).collect();
        let mut solver = incremental(&part.problem, self.engine_options);
        minimal(&part.problem, &mut *solver, &own, self.engine_options, work)
    }

    /// The unstated facts in the derivation of a goal.
    fn way(&self, goal: Fact) -> BTreeSet<Fact> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![goal]);
        while let Some(fact) = open.pop() {
            // The reader knows the stated facts, so their derivations are left out.
            if !self.is_stated(fact) && seen.insert(fact) {
                open.extend(self.background.knowledge.derivation(fact).iter().flat_map(|why| why.premises.iter()));
            }
        }
        seen.remove(&goal);
        seen
    }

    /// The first fact in the derivation of a goal that follows from several requirements at once, all of which the
    /// support has.
    fn deep_before(&self, goal: Fact, support: &Support) -> Option<Fact> {
        let is_used = |fact: &Fact| {
            let why = self.background.knowledge.derivation(*fact);
            why.is_some_and(|why| why.rules.iter().all(|rule| support.rules.contains(rule)))
        };
        let mut deep = self.way(goal);
        deep.retain(|fact| self.deep.contains(fact) && is_used(fact));
        // The derivation of the earliest fact contains none of the other facts.
        deep.iter().copied().find(|fact| self.way(*fact).is_disjoint(&deep))
    }

    /// Exclusions of options of one cell, from the derivation of a goal, that need only a few requirements.
    fn preparation(&self, goal: Fact) -> Option<Vec<Fact>> {
        let mut groups: BTreeMap<usize, Vec<Fact>> = BTreeMap::new();
        for fact in self.way(goal) {
            groups.entry(fact.cell()).or_default().push(fact);
        }
        let all: Vec<Fact> = groups.values().flatten().copied().collect();
        let mut best: Option<(usize, usize, Vec<Fact>)> = None;
        for mut facts in groups.into_values() {
            facts.sort_unstable();
            facts.retain(|fact| matches!(fact, Fact::Not(..)));
            let rules = self.support(&facts).rules.len();
            // A step that cites many requirements is as hard as the goal itself.
            if facts.is_empty() || rules > MOST_RULES {
                continue;
            }
            // More exclusions are better. If the numbers are equal, fewer requirements are better.
            let better = best.as_ref().is_none_or(|(count, least, _)| (facts.len(), *least) > (*count, rules));
            if better {
                best = Some((facts.len(), rules, facts));
            }
        }
        let (_, _, mut facts) = best?;
        // Exclusions in other cells belong to the same step if they follow from the same premises.
        let origin = |fact: &Fact| self.background.knowledge.derivation(*fact).map(|why| (&why.rules, &why.premises));
        let first = origin(facts.first()?);
        if facts.iter().all(|fact| origin(fact) == first) {
            let alike = |fact: &Fact| matches!(fact, Fact::Not(..)) && origin(fact) == first;
            facts.extend(all.into_iter().filter(alike));
            facts.sort_unstable();
            facts.dedup();
        }
        Some(facts)
    }

    /// The derivations of facts from a support if single requirements suffice for each step, otherwise from all known
    /// facts.
    fn derivations(&mut self, facts: &[Fact], support: &Support) -> Result<Derivations, Halt> {
        if let Some(derivations) = self.retraced(facts, support)? {
            return Ok(derivations);
        }
        let (stated, knowledge) = (&self.stated, &self.background.knowledge);
        let known = |fact| stated.contains_key(&as_stated(stated, knowledge, fact));
        Ok(self.background.trace(&mut self.singles, facts, &known)?)
    }

    /// Makes a step of facts, and marks them and all facts of their derivations as stated.
    fn state(&mut self, facts: Vec<Fact>, derivations: Derivations) -> Result<HintStep, Halt> {
        let mut wording = Wording {
            case: self.case,
            board: self.board,
            puzzle: self.puzzle,
            describer: &mut self.describer,
            knowledge: &self.background.knowledge,
            stated: &self.stated,
            with_values: self.with_values,
            cited: Vec::new(),
        };
        let (lines, rules) = wording.lines(&derivations);
        let says = wording.says(&facts);
        let cited = wording.cited;
        let reasons = rules.iter().map(|rule| self.describer.reason(&self.puzzle.requirements[*rule]));
        let reasons = reasons.chain(cited).collect();
        self.steps += 1;
        let learnt: Vec<Fact> = derivations.iter().map(|(fact, _)| *fact).collect();
        let used = derivations.iter().flat_map(|(_, why)| why.premises.iter().copied());
        let used = used.filter(|premise| !learnt.contains(premise)).collect();
        for (fact, why) in derivations {
            if self.background.knowledge.learn(fact, why) {
                self.background.settle(fact.cell(), &self.all);
            }
            // A fact keeps the number of the first step that has stated it.
            self.stated.entry(fact).or_insert(self.steps);
        }
        Ok(HintStep { says, lines, reasons, learnt, used })
    }

    /// The derivations of facts from a support alone; `None` if some step would need several requirements.
    fn retraced(&mut self, facts: &[Fact], support: &Support) -> Result<Option<Derivations>, Halt> {
        let rules: Vec<usize> = support.rules.iter().copied().collect();
        let mut local = Propagation::new(self.puzzle, self.background.possible, rules.iter().copied());
        // The facts of the support are premises without a derivation.
        for fact in &support.facts {
            local.knowledge.learn(*fact, Derivation::default());
        }
        while !facts.iter().all(|fact| local.knowledge.knows(*fact)) {
            // If a round finds nothing more, single requirements are not enough.
            if local.round(&mut self.singles, &rules)?.is_empty() {
                return Ok(None);
            }
        }
        if facts.iter().any(|fact| local.knowledge.derivation(*fact).is_none()) {
            return Ok(None);
        }
        Ok(Some(local.trace(&mut self.singles, facts, &|fact| support.facts.contains(&fact))?))
    }

    /// Returns the options that the conditions refute, each with its cost for a reader and the positions of the
    /// conditions in its core. The first conditions are `facts`, the others requirements.
    fn refuted_options(
        &mut self,
        open: &[usize],
        conditions: &[Bool],
        facts: usize,
    ) -> Result<Vec<(usize, Fact, Vec<usize>)>, Halt> {
        let mut seen: BTreeSet<Fact> = BTreeSet::new();
        let mut refuted: Vec<(usize, Fact, Vec<usize>)> = Vec::new();
        for cell in open {
            for option in self.background.knowledge.open(*cell).collect::<Vec<_>>() {
                let assumed = Fact::Is(*cell, option);
                // An option that some solution has cannot be excluded.
                if seen.contains(&assumed) || self.background.possible[*cell][option] {
                    continue;
                }
                let mut assumptions = conditions.to_vec();
                assumptions.push(self.puzzle.term(assumed));
                match self.solver.check(&assumptions)? {
                    AssumptionResult::Satisfiable(assignment) => {
                        // Every option of this solution is possible, so it needs no check of its own.
                        for cell in open {
                            let options = &self.puzzle.cells[*cell].options;
                            let holds = |term: Bool| self.puzzle.problem.bool_value(term, &assignment);
                            let held = (0..options.len()).filter(|option| holds(options[*option].term));
                            seen.extend(held.map(|option| Fact::Is(*cell, option)));
                        }
                    }
                    AssumptionResult::Refuted(core) => {
                        let core: FxHashSet<Bool> = core.into_iter().collect();
                        let used: Vec<usize> =
                            (0..conditions.len()).filter(|position| core.contains(&conditions[*position])).collect();
                        let rules = used.iter().filter(|position| **position >= facts).count();
                        // A reader looks up each requirement, so requirements weigh more than facts.
                        refuted.push((20 * rules + used.len(), Fact::Not(*cell, option), used));
                    }
                }
            }
        }
        Ok(refuted)
    }

    /// Looks for facts that follow from several requirements at once; returns true if there is one.
    fn think(&mut self, open: &[usize]) -> Result<bool, Halt> {
        let knowledge = &self.background.knowledge;
        let cells = 0..self.puzzle.cells.len();
        let facts: Vec<Fact> = cells.flat_map(|cell| knowledge.facts(cell)).collect();
        let conditions: Vec<Bool> = facts
            .iter()
            .map(|fact| self.puzzle.term(*fact))
            .chain(self.puzzle.requirements.iter().map(|requirement| requirement.condition))
            .collect();
        let mut refuted = self.refuted_options(open, &conditions, facts.len())?;
        // Shrinking is expensive, so only the cheapest refutations are shrunk.
        refuted.sort();
        refuted.truncate(DEEP_CANDIDATES);
        let mut least = usize::MAX;
        let mut best: Vec<(Fact, Derivation)> = Vec::new();
        // All refutations share the work, so hard ones leave less for later ones.
        let mut work = Some(DEEP);
        for (_, fact, used) in refuted {
            let used_conditions: Vec<Bool> = used.iter().map(|position| conditions[*position]).collect();
            let members = match self.shrink(&used_conditions, !self.puzzle.term(fact), &mut work) {
                Ok(Some(members)) => members.into_iter().map(|member| used[member]).collect(),
                // If the work is not enough for a minimal subset, the core is a derivation, too, only a longer one.
                _ => used,
            };
            let (premises, rules): (Vec<usize>, Vec<usize>) =
                members.into_iter().partition(|member| *member < facts.len());
            let why = Derivation {
                rules: rules.into_iter().map(|rule| rule - facts.len()).collect(),
                premises: premises.into_iter().map(|member| facts[member]).collect(),
            };
            let cost = 20 * why.rules.len() + why.premises.len();
            if cost < least {
                (least, best) = (cost, Vec::new());
            }
            if cost == least {
                best.push((fact, why));
            }
        }
        if let Some(status) = self.engine_options.reached() {
            return Err(status.into());
        }
        let found = !best.is_empty();
        for (fact, why) in best {
            self.background.knowledge.learn(fact, why);
            // If the exclusion settles the cell, the settled value is the step; otherwise, the exclusion is.
            self.background.settle(fact.cell(), &self.all);
            if self.background.knowledge.fixed[fact.cell()].is_none() {
                self.deep.insert(fact);
            }
        }
        Ok(found)
    }
}

/// The positions of a minimal subset of terms that contradicts the last term.
fn minimal(
    problem: &Problem,
    solver: &mut dyn Incremental,
    terms: &[Bool],
    engine_options: &EngineOptions,
    work: &mut Option<u64>,
) -> Result<Option<Vec<usize>>, StopReason> {
    let Some((assumed, conditions)) = terms.split_last() else { return Ok(None) };
    let members: Vec<usize> = (0..conditions.len()).collect();
    let before = solver.allow(*work);
    let always = &[*assumed];
    let mut shrinking = Conditions { problem, solver, conditions, always, engine_options, smaller: &mut |_| {} };
    let found = shrinking.shrink(&members);
    *work = solver.allow(before);
    Ok(found?.map(|conflict| conflict.members))
}

/// The derivation behind a fact. The value of a cell whose only other option is excluded has the derivation of the
/// exclusion.
fn origin<'d>(fact: Fact, why: impl Fn(Fact) -> Option<&'d Derivation>) -> Option<(Fact, &'d Derivation)> {
    let own = why(fact)?;
    match (own.rules.as_slice(), own.premises.as_slice()) {
        ([], [Fact::Not(cell, option)]) if *cell == fact.cell() => {
            let root = Fact::Not(*cell, *option);
            Some((root, why(root)?))
        }
        _ => Some((fact, own)),
    }
}
