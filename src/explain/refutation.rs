//! Refutations in small steps: a chain of inferences from contradictory requirements to the contradiction.
//!
//! The inferences come from propagation, one requirement at a time ([`super::propagate`]), until a requirement cannot
//! hold. If propagation reaches a fixed point before that, the refuter supposes that a cell has one of its options; if
//! a contradiction follows, the cell does not have it. Suppositions that propagation refutes are preferred, starting
//! with the cells that have the fewest options; suppositions are nested only if there are none. If the cells do not
//! determine the decision variables, or if the questions run out, the last inference uses several requirements
//! together.
//!
//! The refutation is then traced backwards, which drops the inferences that are not used. The premises of each
//! inference are chosen again: the solver is asked for premises that took few inferences to derive, or that the
//! refutation uses anyway. Finally, the refuter tries to leave out each inference (compare Bleukx, Devriendt, Gamba,
//! Bogaerts and Guns, "Simplifying step-wise explanation sequences", CP 2023, and the articles that [`super::hint`]
//! names).

use super::{
    alike::{AlikeOptions, Symmetries},
    conflict::Conditions,
    counting::{CountedContradiction, Counter, Counting},
    propagate::{Fact, Propagation, PropagationInput, Single, Singles},
};
use crate::{
    halt::StopReason,
    problem::Bool,
    solver::{EngineOptions, incremental},
};
use rustc_hash::FxHashMap;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// The number of contradictions to trace and compare. Chosen.
const CONTRADICTIONS: usize = 6;
/// Cap on the number of inferences that are counted for one fact; sums of premises could overflow without it.
const MOST_WEIGHT: usize = 1_000_000;

/// An inference of a refutation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RefutationStep {
    /// The conclusions; none if this is the contradiction.
    pub facts: Vec<Fact>,
    /// The requirements that are used, without the problem's own constraints.
    pub rules: Vec<usize>,
    pub premises: BTreeSet<Fact>,
    /// The supposition that this step refutes, and the steps to its contradiction.
    pub supposed: Option<(Fact, Vec<RefutationStep>)>,
    /// The counting argument, if the contradiction is one.
    pub counted: Option<Counting>,
    /// The options one of which is taken without loss of generality.
    pub alike: Option<AlikeOptions>,
}

impl RefutationStep {
    /// Returns true if one of these facts is a premise.
    fn uses(&self, facts: &[Fact]) -> bool {
        facts.iter().any(|fact| self.premises.contains(fact))
    }

    /// True for an inference from the named requirements and premises alone.
    fn is_plain(&self) -> bool {
        self.supposed.is_none() && self.counted.is_none() && self.alike.is_none()
    }

    /// The number of requirements that a reader has to combine.
    pub(crate) fn difficulty(&self) -> usize {
        // A counting argument is a single idea, even if it uses many requirements.
        if self.counted.is_some() { 1 } else { self.rules.len() }
    }
}

/// The number of inferences, including nested ones.
pub(crate) fn inference_count(steps: &[RefutationStep]) -> usize {
    let inner = |step: &RefutationStep| step.supposed.as_ref().map_or(0, |(_, inside)| 1 + inference_count(inside));
    steps.iter().map(|step| 1 + inner(step)).sum()
}

/// The nesting depth of suppositions.
pub(crate) fn supposition_depth(steps: &[RefutationStep]) -> usize {
    let inner = |step: &RefutationStep| step.supposed.as_ref().map_or(0, |(_, inside)| 1 + supposition_depth(inside));
    steps.iter().map(inner).max().unwrap_or(0)
}

/// Searches for refutations of requirements that contradict each other.
pub(crate) struct Refuter<'a> {
    puzzle: &'a PropagationInput<'a>,
    singles: Singles<'a>,
    /// The rules that may be used: requirements, and the problem's own constraints.
    rules: Vec<usize>,
    /// The rules that only give a cell its value, and so need no explanation.
    clues: &'a BTreeSet<usize>,
    possible: &'a [Vec<bool>],
    engine_options: &'a EngineOptions,
    /// The limit on questions to the solvers.
    most_questions: usize,
    /// The number of refuted suppositions to compare before the shortest is taken.
    suppositions: usize,
    /// Looks for counting arguments; created when first needed.
    counter: Option<Counter<'a>>,
    symmetries: Option<Symmetries>,
}

/// The positions of rules, and the facts that imply something together with them.
type PremiseSet = (Vec<usize>, BTreeSet<Fact>);

/// The facts known at some point of the search, possibly under a supposition.
#[derive(Clone)]
struct Knowing<'a> {
    propagation: Propagation<'a>,
    /// The time at which each fact became known, and the number of inferences that it took.
    known: FxHashMap<Fact, (usize, usize)>,
    /// The facts that follow from refuted suppositions.
    cases: FxHashMap<Fact, Rc<RefutationStep>>,
    supposed: Option<Fact>,
    /// The facts taken without loss of generality.
    taken: BTreeSet<Fact>,
    /// The current time, and the time of the supposition.
    now: usize,
    begin: usize,
}

impl<'a> Knowing<'a> {
    fn suppose(&self, fact: Fact, rules: &[usize]) -> Self {
        let mut inner = self.clone();
        inner.now += 1;
        inner.begin = inner.now;
        inner.supposed = Some(fact);
        inner.note(fact, 0);
        inner.propagation.knowledge.learn(fact, Default::default());
        inner.propagation.settle(fact.cell(), rules);
        inner
    }

    fn note(&mut self, fact: Fact, weight: usize) {
        self.known.entry(fact).or_insert((self.now, weight.min(MOST_WEIGHT)));
    }

    fn weight(&self, fact: Fact) -> usize {
        self.known.get(&fact).map_or(0, |(_, weight)| *weight)
    }

    fn since(&self, fact: Fact) -> usize {
        self.known.get(&fact).map_or(0, |(since, _)| *since)
    }

    /// Returns true if a fact was known before the supposition, or is the supposition.
    fn is_outer(&self, fact: Fact) -> bool {
        Some(fact) == self.supposed || self.since(fact) < self.begin
    }

    /// Records the facts that a refuted supposition shows.
    fn learn(&mut self, step: RefutationStep, rules: &[usize]) {
        self.now += 1;
        let weight = inference_count(std::slice::from_ref(&step))
            + step.premises.iter().map(|premise| self.weight(*premise)).sum::<usize>();
        let step = Rc::new(step);
        for fact in &step.facts {
            self.note(*fact, weight);
            self.cases.insert(*fact, step.clone());
            let premises = step.premises.iter().copied().collect();
            self.propagation.knowledge.learn(*fact, super::propagate::Derivation { rules: Vec::new(), premises });
            if let Some(settled) = self.propagation.settle(fact.cell(), rules) {
                // The last option of a cell follows from the exclusion, so its time must be later: `traced` orders
                // steps by time.
                self.now += 1;
                self.note(settled, weight + 1);
            }
        }
    }
}

/// The result of trying suppositions.
enum Suppositions {
    /// A new fact is known.
    Learnt,
    /// A contradiction that does not use any supposition.
    Refuted(Vec<RefutationStep>),
    /// No supposition is left, or the limit on questions is reached.
    None,
}

impl<'a> Refuter<'a> {
    pub(crate) fn new(
        puzzle: &'a PropagationInput<'a>,
        rules: &[usize],
        clues: &'a BTreeSet<usize>,
        possible: &'a [Vec<bool>],
        engine_options: &'a EngineOptions,
        most_questions: usize,
    ) -> Self {
        let rules = rules.iter().copied().chain(puzzle.domain_rules()).collect();
        let singles = Singles::new(puzzle, engine_options);
        Refuter {
            puzzle,
            singles,
            rules,
            clues,
            possible,
            engine_options,
            most_questions,
            suppositions: 1,
            counter: None,
            symmetries: None,
        }
    }

    /// Allows the options that these symmetries map to each other to be taken without loss of generality.
    pub(crate) fn with_symmetries(self, symmetries: Symmetries) -> Self {
        Refuter { symmetries: Some(symmetries), ..self }
    }

    /// The state before any propagation.
    fn start(&self) -> Knowing<'a> {
        let mut propagation = Propagation::new(self.puzzle, self.possible, self.rules.iter().copied());
        propagation.violated = Some(Vec::new());
        let (known, cases) = (FxHashMap::default(), FxHashMap::default());
        let taken = BTreeSet::new();
        Knowing { propagation, known, cases, supposed: None, taken, now: 0, begin: 0 }
    }

    /// A refutation of the requirements without suppositions, if propagation or counting finds one.
    pub(crate) fn without_suppositions(&mut self) -> Result<Option<Vec<RefutationStep>>, StopReason> {
        let mut knowing = self.start();
        if !self.propagate(&mut knowing)? {
            return self.counted(&knowing);
        }
        let steps = self.shortest(&knowing)?;
        // A reader may not see why the solver refutes a requirement, but a count is easy to check.
        Ok(match self.counting(&knowing, false)? {
            Some(counted) if self.cost(&counted) <= self.cost(&steps) => Some(counted),
            _ => Some(steps),
        })
    }

    /// A counting argument from the requirements alone; it adds up linear sums only if `sums` is set.
    pub(crate) fn counted_at_once(&mut self, sums: bool) -> Result<Option<Vec<RefutationStep>>, StopReason> {
        let knowing = self.start();
        self.counting(&knowing, sums)
    }

    /// A refutation of the known facts whose last step is a counting argument.
    fn counted(&mut self, knowing: &Knowing) -> Result<Option<Vec<RefutationStep>>, StopReason> {
        self.counting(knowing, true)
    }

    fn counting(&mut self, knowing: &Knowing, sums: bool) -> Result<Option<Vec<RefutationStep>>, StopReason> {
        let mut counter = match self.counter.take() {
            Some(counter) => counter,
            None => Counter::new(self.puzzle, &self.rules, &mut self.singles, self.engine_options)?,
        };
        let found = counter.contradiction(&knowing.propagation.knowledge, sums);
        self.counter = Some(counter);
        let Some(CountedContradiction { counting, rules, premises }) = found? else { return Ok(None) };
        let rules = rules.into_iter().collect();
        let root = RefutationStep { rules, premises, counted: Some(counting), ..RefutationStep::default() };
        let steps = self.traced(knowing, root)?;
        self.shortened(knowing, steps).map(Some)
    }

    /// A refutation of the requirements; `None` if they do not contradict each other. It refutes up to `suppositions`
    /// suppositions before it takes the shortest.
    pub(crate) fn refutation(&mut self, suppositions: usize) -> Result<Option<Vec<RefutationStep>>, StopReason> {
        self.suppositions = suppositions;
        let mut knowing = self.start();
        match self.refute(&mut knowing)? {
            Some(steps) => Ok(Some(steps)),
            None => self.steps_from_several(&knowing),
        }
    }

    pub(crate) fn is_patient(&self) -> bool {
        self.singles.asked < self.most_questions
    }

    /// A refutation of the known facts that never combines several requirements in one inference.
    fn refute(&mut self, knowing: &mut Knowing<'a>) -> Result<Option<Vec<RefutationStep>>, StopReason> {
        loop {
            if self.propagate(knowing)? {
                return self.shortest(knowing).map(Some);
            }
            if let Some(steps) = self.counted(knowing)? {
                return Ok(Some(steps));
            }
            // Taking one of several symmetric options needs fewer steps than a case for each option.
            if self.take(knowing)? {
                continue;
            }
            match self.suppose(knowing)? {
                Suppositions::Learnt => {}
                Suppositions::Refuted(steps) => return Ok(Some(steps)),
                Suppositions::None => return Ok(None),
            }
        }
    }

    /// Takes an option without loss of generality and returns true if there is one. It never does so under a
    /// supposition, which may break the symmetry.
    fn take(&mut self, knowing: &mut Knowing) -> Result<bool, StopReason> {
        let Some(symmetries) = self.symmetries.take() else { return Ok(false) };
        let found = match knowing.supposed {
            None => self.alike(&symmetries, knowing),
            Some(_) => Ok(None),
        };
        self.symmetries = Some(symmetries);
        let Some(step) = found? else { return Ok(false) };
        knowing.taken.extend(&step.facts);
        knowing.learn(step, &self.rules);
        Ok(true)
    }

    /// The step that takes one of several options that are treated alike.
    fn alike(&mut self, symmetries: &Symmetries, knowing: &Knowing) -> Result<Option<RefutationStep>, StopReason> {
        let knowledge = &knowing.propagation.knowledge;
        if let Some(alike) = symmetries.best(&knowing.taken, knowledge) {
            // If one option is taken, the known facts exclude all others.
            let premises = match &alike {
                AlikeOptions::Options(cell, classes) if classes.len() == 1 => {
                    knowledge.facts(*cell).into_iter().collect()
                }
                _ => BTreeSet::new(),
            };
            let facts = alike.facts();
            return Ok(Some(RefutationStep { facts, premises, alike: Some(alike), ..RefutationStep::default() }));
        }
        // Cells are alike if permuting them changes nothing. If not all of them can differ from option 1, one of them
        // has it, and we may choose which.
        for group in symmetries.alike_cells(self.puzzle.cells, &knowing.taken, knowledge) {
            // Rules of domains come last and are easier to read than requirements, so they are tried first.
            for rule in self.rules.clone().into_iter().rev() {
                let scope = &self.puzzle.scopes[rule];
                let cells: Vec<usize> =
                    group.iter().copied().filter(|cell| scope.binary_search(cell).is_ok()).collect();
                if cells.len() < 2 {
                    continue;
                }
                let denied: Vec<Fact> = cells.iter().map(|cell| Fact::Not(*cell, 1)).collect();
                let known: Vec<Fact> = scope.iter().flat_map(|cell| knowledge.facts(*cell)).collect();
                let Some(core) = self.core(rule, &known, &denied)? else { continue };
                let premises = core.into_iter().filter(|fact| known.contains(fact)).collect();
                let alike = AlikeOptions::Cells(cells);
                let (facts, rules) = (alike.facts(), vec![rule]);
                let rules = rules.into_iter().filter(|rule| *rule < self.puzzle.requirements.len()).collect();
                return Ok(Some(RefutationStep {
                    facts,
                    rules,
                    premises,
                    alike: Some(alike),
                    ..RefutationStep::default()
                }));
            }
        }
        Ok(None)
    }

    /// Propagates single requirements to a fixed point; returns true if a requirement is violated.
    fn propagate(&mut self, knowing: &mut Knowing) -> Result<bool, StopReason> {
        loop {
            if let Some(status) = self.engine_options.reached() {
                return Err(status);
            }
            let new = knowing.propagation.round(&mut self.singles, &self.rules)?;
            // A round takes two units of time, because its facts precede the last options that follow from them.
            knowing.now += 2;
            for fact in &new {
                let why = knowing.propagation.knowledge.derivation(*fact).cloned().unwrap_or_default();
                let is_clue = matches!(why.rules.as_slice(), [rule] if self.clues.contains(rule));
                let weight = why.premises.iter().map(|premise| knowing.weight(*premise)).sum::<usize>();
                // A fact without a rule is the last option of a cell; it follows from exclusions in the same round.
                knowing.now += usize::from(why.rules.is_empty());
                knowing.note(*fact, weight + usize::from(!is_clue));
                knowing.now -= usize::from(why.rules.is_empty());
            }
            knowing.now += 1;
            if knowing.propagation.violated.as_ref().is_some_and(|violated| !violated.is_empty()) {
                return Ok(true);
            }
            if new.is_empty() || !self.is_patient() {
                return Ok(false);
            }
        }
    }

    /// The shortest refutation among those that end with a violated requirement.
    fn shortest(&mut self, knowing: &Knowing) -> Result<Vec<RefutationStep>, StopReason> {
        let mut best: Option<Vec<RefutationStep>> = None;
        for root in self.contradictions(knowing)?.into_iter().take(CONTRADICTIONS) {
            let steps = self.traced(knowing, root)?;
            let steps = self.shortened(knowing, steps)?;
            let cost = |steps: &[RefutationStep]| (supposition_depth(steps), self.cost(steps));
            if best.as_ref().is_none_or(|best| cost(&steps) < cost(best)) {
                best = Some(steps);
            }
        }
        best.ok_or_else(|| StopReason::Unknown("the solver contradicts itself".into()))
    }

    /// The first refutation that is found, without shortening, which is enough to compare lengths.
    fn some(&mut self, knowing: &Knowing) -> Result<Vec<RefutationStep>, StopReason> {
        let first = self.contradictions(knowing)?.into_iter().next();
        match first {
            Some(root) => self.traced(knowing, root),
            None => Err(StopReason::Unknown("the solver contradicts itself".into())),
        }
    }

    /// The possible last steps: one for each violated requirement. The one whose premises took the fewest inferences is
    /// first.
    fn contradictions(&mut self, knowing: &Knowing) -> Result<Vec<RefutationStep>, StopReason> {
        let mut violated = knowing.propagation.violated.clone().unwrap_or_default();
        violated.sort_unstable();
        violated.dedup();
        let mut roots = Vec::new();
        for rule in violated {
            if let Some((rules, premises)) = self.premises(knowing, &[rule], None, &|_| false)? {
                let weight: usize = premises.iter().map(|premise| knowing.weight(*premise)).sum();
                roots.push((weight, RefutationStep { rules, premises, ..RefutationStep::default() }));
            }
        }
        roots.sort_by_key(|(weight, _)| *weight);
        Ok(roots.into_iter().map(|(_, root)| root).collect())
    }

    /// The number of inferences, not counting clues.
    pub(crate) fn cost(&self, steps: &[RefutationStep]) -> usize {
        inference_count(steps) - steps.iter().filter(|step| self.is_clue(step)).count()
    }

    fn is_clue(&self, step: &RefutationStep) -> bool {
        matches!(step.rules.as_slice(), [rule] if self.clues.contains(rule)) && step.premises.is_empty()
    }

    /// The steps that lead to the last one, with premises that took few inferences to derive.
    fn traced(&mut self, knowing: &Knowing, root: RefutationStep) -> Result<Vec<RefutationStep>, StopReason> {
        let when = |fact: &Fact| (knowing.since(*fact), *fact);
        let mut wanted: BTreeSet<(usize, Fact)> = root.premises.iter().map(when).collect();
        let mut used: BTreeSet<Fact> = root.premises.clone();
        let mut found: Vec<(usize, RefutationStep)> = Vec::new();
        // Facts are visited from the latest to the earliest. Premises are earlier than conclusions, so each fact is
        // visited after all its uses.
        while let Some((since, fact)) = wanted.pop_last() {
            if knowing.is_outer(fact) {
                continue;
            }
            let step = match knowing.cases.get(&fact) {
                Some(case) => (**case).clone(),
                None => self.inference(knowing, fact, &|premise| used.contains(&premise))?,
            };
            used.extend(&step.premises);
            wanted.extend(step.premises.iter().map(when));
            match found.iter_mut().find(|(other, known)| *other == since && is_alike(known, &step)) {
                Some((_, known)) => {
                    known.facts.extend(step.facts);
                    known.premises.extend(step.premises);
                }
                None => found.push((since, step)),
            }
        }
        found.sort_by_key(|(since, step)| (*since, step.rules.clone(), step.facts.clone()));
        let mut steps: Vec<RefutationStep> = found.into_iter().map(|(_, step)| step).collect();
        steps.iter_mut().for_each(|step| {
            step.facts.sort_unstable();
            step.facts.dedup();
        });
        steps.push(root);
        Ok(steps)
    }

    /// The step that derives a fact from facts known before it.
    fn inference(
        &mut self,
        knowing: &Knowing,
        fact: Fact,
        is_used: &dyn Fn(Fact) -> bool,
    ) -> Result<RefutationStep, StopReason> {
        let knowledge = &knowing.propagation.knowledge;
        let why = knowledge.derivation(fact).cloned().unwrap_or_default();
        let mut rules = why.rules.clone();
        if rules.is_empty() {
            // The last option of a cell cites the requirement that excluded the option before it.
            let latest = why.premises.iter().max_by_key(|premise| (knowing.since(**premise), **premise));
            let latest = latest.filter(|latest| !knowing.cases.contains_key(latest) && !knowing.is_outer(**latest));
            rules = latest.and_then(|latest| knowledge.derivation(*latest)).map_or(rules, |why| why.rules.clone());
        }
        let found = match rules.len() {
            1 => self.premises(knowing, &rules, Some(fact), is_used)?,
            _ => None,
        };
        let (rules, premises) = found.unwrap_or((why.rules, why.premises.into_iter().collect()));
        Ok(RefutationStep { facts: vec![fact], rules, premises, ..RefutationStep::default() })
    }

    /// The premises from which a fact, or a contradiction, follows with a rule: facts known earlier, preferably those
    /// that took few inferences to derive.
    fn premises(
        &mut self,
        knowing: &Knowing,
        rules: &[usize],
        fact: Option<Fact>,
        is_used: &dyn Fn(Fact) -> bool,
    ) -> Result<Option<PremiseSet>, StopReason> {
        let [rule] = rules else { return Ok(None) };
        let before = fact.map_or(usize::MAX, |fact| knowing.since(fact));
        let scope = &self.puzzle.scopes[*rule];
        let facts = scope.iter().flat_map(|cell| knowing.propagation.knowledge.all_facts(*cell));
        let weight = |fact: Fact| if is_used(fact) { 0 } else { knowing.weight(fact) };
        let facts = facts.filter(|premise| knowing.since(*premise) < before);
        self.lightest(*rule, facts.map(|fact| (weight(fact), fact)).collect(), fact)
    }

    /// The lightest premises that suffice, given their weights; the rule is dropped if the premises suffice without it.
    fn lightest(
        &mut self,
        rule: usize,
        mut premises: Vec<(usize, Fact)>,
        fact: Option<Fact>,
    ) -> Result<Option<PremiseSet>, StopReason> {
        let denied: Vec<Fact> = fact.map(opposite).into_iter().collect();
        // If the weights are equal, values come before exclusions.
        premises.sort_unstable_by_key(|(weight, premise)| (*weight, matches!(premise, Fact::Not(..)), *premise));
        premises.dedup();
        let premises: Vec<Fact> = premises.into_iter().map(|(_, premise)| premise).collect();
        let (mut low, mut high) = (0, premises.len());
        if self.core(rule, &premises, &denied)?.is_none() {
            return Ok(None);
        }
        // A binary search finds the shortest prefix that is enough, which minimises the heaviest premise. Deletion then
        // removes superfluous premises from the prefix, starting with the heaviest.
        while low < high {
            let middle = (low + high) / 2;
            match self.core(rule, &premises[..middle], &denied)? {
                Some(_) => high = middle,
                None => low = middle + 1,
            }
        }
        let mut open = premises[..high].to_vec();
        let mut needed: Vec<Fact> = open.pop().into_iter().collect();
        while let Some(candidate) = open.pop() {
            let rest: Vec<Fact> = open.iter().chain(&needed).copied().collect();
            match self.core(rule, &rest, &denied)? {
                Some(core) => open.retain(|premise| core.contains(premise)),
                None => needed.push(candidate),
            }
        }
        let facts: Vec<Fact> = needed.iter().chain(&denied).copied().collect();
        let by_itself = matches!(self.singles.ask(rule, &facts, None)?, Single::Refuted(_));
        let rules = if by_itself || rule >= self.puzzle.requirements.len() { Vec::new() } else { vec![rule] };
        Ok(Some((rules, needed.into_iter().collect())))
    }

    /// The facts in an unsat core of a rule with these facts; `None` if they can hold together.
    fn core(&mut self, rule: usize, facts: &[Fact], denied: &[Fact]) -> Result<Option<Vec<Fact>>, StopReason> {
        let facts: Vec<Fact> = facts.iter().chain(denied).copied().collect();
        match self.singles.ask(rule, &facts, Some(self.puzzle.condition(rule)))? {
            Single::Refuted(core) => Ok(Some(core)),
            Single::Possible(_) => Ok(None),
        }
    }

    /// The steps without those that can be left out.
    fn shortened(
        &mut self,
        knowing: &Knowing,
        mut steps: Vec<RefutationStep>,
    ) -> Result<Vec<RefutationStep>, StopReason> {
        // Without one step, others may become removable or joinable, so the loop runs to a fixed point.
        loop {
            let before = self.cost(&steps);
            steps = joined_steps(steps, &is_alike);
            // The loop runs backwards. Removing a step may remove others, so the position must stay in range.
            let mut position = steps.len().saturating_sub(1);
            while position > 0 {
                position = position.min(steps.len() - 1) - 1;
                if !self.is_clue(&steps[position])
                    && let Some(fewer) = self.without(knowing, &steps, position)?
                    && self.cost(&fewer) < self.cost(&steps)
                {
                    steps = fewer;
                }
                position = position.min(steps.len() - 1);
            }
            if self.cost(&steps) >= before {
                return Ok(joined_steps(steps, &has_same_reasons));
            }
        }
    }

    /// The steps without a given step, if every step that uses its facts follows from other facts.
    fn without(
        &mut self,
        knowing: &Knowing,
        steps: &[RefutationStep],
        left_out: usize,
    ) -> Result<Option<Vec<RefutationStep>>, StopReason> {
        let removed = &steps[left_out].facts;
        let outer = steps.iter().flat_map(|step| step.premises.iter().copied());
        let outer = outer.filter(|premise| knowing.is_outer(*premise));
        let mut known: BTreeSet<Fact> = outer.chain(knowing.supposed).collect();
        known.extend(self.given(knowing).map(|(fact, _)| fact));
        let rules: BTreeSet<usize> = steps.iter().flat_map(|step| step.rules.iter().copied()).collect();
        let mut fewer: Vec<RefutationStep> = Vec::new();
        for (position, step) in steps.iter().enumerate() {
            if position == left_out {
                continue;
            }
            let mut step = step.clone();
            if position > left_out && step.uses(removed) {
                // Only plain inferences can be derived again; for cases and counting arguments, the whole search would
                // have to be repeated.
                if !step.is_plain() {
                    return Ok(None);
                }
                let other = rules.iter().copied().filter(|rule| !step.rules.contains(rule));
                let mut found = false;
                for rule in step.rules.clone().into_iter().chain(other) {
                    let scope = &self.puzzle.scopes[rule];
                    if !step.facts.iter().all(|fact| scope.binary_search(&fact.cell()).is_ok()) {
                        continue;
                    }
                    let near = known.iter().filter(|fact| scope.binary_search(&fact.cell()).is_ok());
                    let near: Vec<(usize, Fact)> = near.map(|fact| (0, *fact)).collect();
                    if let Some((rules, premises)) = self.all_from(rule, &near, &step.facts)? {
                        (step.rules, step.premises, found) = (rules, premises, true);
                        break;
                    }
                }
                if !found {
                    return Ok(None);
                }
            }
            known.extend(&step.facts);
            fewer.push(step);
        }
        let mut fewer = needed_steps(fewer);
        // A clue that had been removed may have become a premise, so it needs a step again.
        for (fact, rule) in self.given(knowing).filter(|(fact, _)| !knowing.is_outer(*fact)) {
            let is_used = fewer.iter().any(|step| step.uses(&[fact]));
            if is_used && !fewer.iter().any(|step| step.facts.contains(&fact)) {
                let (rules, premises) = (vec![rule], BTreeSet::new());
                fewer.insert(0, RefutationStep { facts: vec![fact], rules, premises, ..RefutationStep::default() });
            }
        }
        Ok(Some(fewer))
    }

    /// The values that clues give, each with its rule.
    fn given<'k>(&'k self, knowing: &'k Knowing) -> impl Iterator<Item = (Fact, usize)> + 'k {
        let knowledge = &knowing.propagation.knowledge;
        let fixed = knowledge.fixed.iter().enumerate();
        fixed.filter_map(|(cell, known)| match known {
            Some((option, why)) => match why.rules.as_slice() {
                [rule] if self.clues.contains(rule) => Some((Fact::Is(cell, *option), *rule)),
                _ => None,
            },
            None => None,
        })
    }

    /// The premises from which all these facts follow with a rule; without facts, a contradiction must follow.
    fn all_from(
        &mut self,
        rule: usize,
        near: &[(usize, Fact)],
        facts: &[Fact],
    ) -> Result<Option<PremiseSet>, StopReason> {
        if facts.is_empty() {
            return self.lightest(rule, near.to_vec(), None);
        }
        let (mut rules, mut premises) = (Vec::new(), BTreeSet::new());
        for fact in facts {
            let weighed =
                near.iter().map(|(weight, near)| (if premises.contains(near) { 0 } else { weight + 1 }, *near));
            let Some((own, needed)) = self.lightest(rule, weighed.collect(), Some(*fact))? else { return Ok(None) };
            rules.extend(own);
            premises.extend(needed);
        }
        rules.dedup();
        Ok(Some((rules, premises)))
    }

    /// Refutes a supposition by propagation or counting. If that fails for all suppositions, refutes all options but
    /// one of the most constrained cell.
    fn suppose(&mut self, knowing: &mut Knowing<'a>) -> Result<Suppositions, StopReason> {
        let knowledge = &knowing.propagation.knowledge;
        let mut mentions: Vec<usize> = vec![0; self.puzzle.cells.len()];
        self.rules.iter().flat_map(|rule| &self.puzzle.scopes[*rule]).for_each(|cell| mentions[*cell] += 1);
        let options = |cell: usize| knowledge.open(cell).collect::<Vec<_>>();
        let mut open: Vec<(usize, Vec<usize>)> = (0..mentions.len())
            .filter(|cell| mentions[*cell] > 0 && knowledge.fixed[*cell].is_none())
            .map(|cell| (cell, options(cell)))
            .collect();
        open.sort_by_key(|(cell, options)| (options.len(), Reverse(mentions[*cell]), *cell));
        let mut refuted: Vec<(usize, Option<Vec<RefutationStep>>, Knowing)> = Vec::new();
        'cells: for (cell, options) in &open {
            for option in options {
                if !self.is_patient() {
                    return Ok(Suppositions::None);
                }
                let mut inner = knowing.suppose(Fact::Is(*cell, *option), &self.rules);
                let is_refuted = self.propagate(&mut inner)?;
                let counted = if is_refuted { None } else { self.counted(&inner)? };
                if is_refuted || counted.is_some() {
                    let length = match &counted {
                        Some(steps) => inference_count(steps),
                        None => inference_count(&self.some(&inner)?),
                    };
                    refuted.push((length, counted, inner));
                    if refuted.len() >= self.suppositions {
                        break 'cells;
                    }
                }
            }
        }
        if let Some((_, counted, inner)) = refuted.into_iter().min_by_key(|(length, ..)| *length) {
            let steps = match counted {
                Some(steps) => steps,
                None => self.shortest(&inner)?,
            };
            return Ok(match case(steps, &inner) {
                Ok(case) => {
                    knowing.learn(case, &self.rules);
                    Suppositions::Learnt
                }
                Err(steps) => Suppositions::Refuted(steps),
            });
        }
        // If nothing is refuted at once, nested suppositions exclude all options of the first cell but one. This last
        // option then follows, and propagation continues from it.
        let Some((cell, options)) = open.first() else { return Ok(Suppositions::None) };
        for option in &options[1..] {
            let mut inner = knowing.suppose(Fact::Is(*cell, *option), &self.rules);
            let Some(steps) = self.refute(&mut inner)? else { return Ok(Suppositions::None) };
            match case(steps, &inner) {
                Ok(case) => knowing.learn(case, &self.rules),
                Err(steps) => return Ok(Suppositions::Refuted(steps)),
            }
        }
        Ok(Suppositions::Learnt)
    }

    /// A refutation whose last step combines several requirements; `None` if they can hold together.
    fn steps_from_several(&mut self, knowing: &Knowing) -> Result<Option<Vec<RefutationStep>>, StopReason> {
        let knowledge = &knowing.propagation.knowledge;
        let facts: Vec<Fact> = (0..self.puzzle.cells.len()).flat_map(|cell| knowledge.all_facts(cell)).collect();
        let rules: Vec<usize> =
            self.rules.iter().copied().filter(|rule| *rule < self.puzzle.requirements.len()).collect();
        let conditions: Vec<Bool> = facts
            .iter()
            .map(|fact| self.puzzle.term(*fact))
            .chain(rules.iter().map(|rule| self.puzzle.condition(*rule)))
            .collect();
        let mut solver = incremental(self.puzzle.problem, self.engine_options);
        let mut shrinking = Conditions {
            problem: self.puzzle.problem,
            solver: &mut *solver,
            conditions: &conditions,
            always: &[],
            engine_options: self.engine_options,
            smaller: &mut |_| {},
        };
        let members: Vec<usize> = (0..conditions.len()).collect();
        let Some(found) = shrinking.shrink(&members)? else { return Ok(None) };
        let (premises, used): (Vec<usize>, Vec<usize>) =
            found.members.into_iter().partition(|member| *member < facts.len());
        let root = RefutationStep {
            rules: used.into_iter().map(|member| rules[member - facts.len()]).collect(),
            premises: premises.into_iter().map(|member| facts[member]).collect(),
            ..RefutationStep::default()
        };
        self.traced(knowing, root).map(Some)
    }
}

/// The step that rules out a supposition; `Err` with the steps if they do not use the supposition.
fn case(steps: Vec<RefutationStep>, knowing: &Knowing) -> Result<RefutationStep, Vec<RefutationStep>> {
    let premises = steps.iter().flat_map(|step| step.premises.iter().copied());
    let mut premises: BTreeSet<Fact> = premises.filter(|premise| knowing.is_outer(*premise)).collect();
    match knowing.supposed.filter(|supposed| premises.remove(supposed)) {
        Some(supposed) => {
            let (facts, supposed) = (vec![opposite(supposed)], Some((supposed, steps)));
            Ok(RefutationStep { facts, premises, supposed, ..RefutationStep::default() })
        }
        None => Err(steps),
    }
}

fn opposite(fact: Fact) -> Fact {
    match fact {
        Fact::Is(cell, option) => Fact::Not(cell, option),
        Fact::Not(cell, option) => Fact::Is(cell, option),
    }
}

/// Returns true if two plain inferences use the same requirements and are about the same cells.
fn is_alike(one: &RefutationStep, other: &RefutationStep) -> bool {
    let cells = |step: &RefutationStep| step.facts.iter().map(|fact| fact.cell()).collect::<BTreeSet<_>>();
    one.rules == other.rules && one.is_plain() && other.is_plain() && cells(one) == cells(other)
}

/// The steps without those that no later step uses.
fn needed_steps(steps: Vec<RefutationStep>) -> Vec<RefutationStep> {
    let mut used: BTreeSet<Fact> = BTreeSet::new();
    let mut kept: Vec<RefutationStep> = Vec::new();
    for mut step in steps.into_iter().rev() {
        let is_last = step.facts.is_empty();
        step.facts.retain(|fact| used.contains(fact));
        if is_last || !step.facts.is_empty() {
            used.extend(&step.premises);
            kept.push(step);
        }
    }
    kept.reverse();
    kept
}

/// Returns true if two inferences have the same rules and premises, and both conclude values or both exclusions.
fn has_same_reasons(one: &RefutationStep, other: &RefutationStep) -> bool {
    let values = |step: &RefutationStep| step.facts.iter().all(|fact| matches!(fact, Fact::Is(..)));
    let is_inference = |step: &RefutationStep| step.is_plain() && !step.facts.is_empty();
    is_inference(one)
        && is_inference(other)
        && (&one.rules, &one.premises, values(one)) == (&other.rules, &other.premises, values(other))
}

/// Joins alike steps; the earlier one moves to the later one if no step between them uses it.
fn joined_steps(
    mut steps: Vec<RefutationStep>,
    is_alike: &dyn Fn(&RefutationStep, &RefutationStep) -> bool,
) -> Vec<RefutationStep> {
    let mut first = 0;
    while first < steps.len() {
        let alike = |later: &usize| {
            !steps[*later].facts.is_empty()
                && is_alike(&steps[first], &steps[*later])
                && !steps[first + 1..=*later].iter().any(|step| step.uses(&steps[first].facts))
        };
        match (first + 1..steps.len()).find(alike) {
            Some(later) => {
                let moved = steps.remove(first);
                // The removal has shifted the later step by one.
                let into = &mut steps[later - 1];
                into.facts.extend(moved.facts);
                into.facts.sort_unstable();
                into.premises.extend(moved.premises);
            }
            None => first += 1,
        }
    }
    steps
}

/// The first step that uses a fact that no earlier step and no enclosing supposition provides.
#[cfg(test)]
pub(crate) fn unfounded<'s>(steps: &'s [RefutationStep], known: &BTreeSet<Fact>) -> Option<&'s RefutationStep> {
    let mut known = known.clone();
    for step in steps {
        if !step.premises.is_subset(&known) {
            return Some(step);
        }
        if let Some((supposed, inside)) = &step.supposed {
            let with: BTreeSet<Fact> = known.iter().copied().chain([*supposed]).collect();
            let ends = inside.last().is_some_and(|last| last.facts.is_empty());
            if !ends || step.facts != [opposite(*supposed)] {
                return Some(step);
            }
            if let Some(wrong) = unfounded(inside, &with) {
                return Some(wrong);
            }
        }
        known.extend(&step.facts);
    }
    None
}

/// The number of uses of each fact in a refutation.
pub(crate) fn fact_uses(steps: &[RefutationStep]) -> BTreeMap<Fact, usize> {
    let mut count: BTreeMap<Fact, usize> = BTreeMap::new();
    for step in steps {
        step.premises.iter().for_each(|premise| *count.entry(*premise).or_default() += 1);
        if let Some((_, inside)) = &step.supposed {
            fact_uses(inside).into_iter().for_each(|(fact, more)| *count.entry(fact).or_default() += more);
        }
    }
    count
}
