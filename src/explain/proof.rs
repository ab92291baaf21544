//! Refutations in words: numbered steps with their reasons.
//!
//! A step that uses given values only is merged into the step that needs it, if there is exactly one. The solver checks
//! each line before it is printed.

use super::{
    Describer, ExplainedCase, HintStep, Reason,
    alike::{AlikeOptions, Symmetries},
    case::key,
    columns::{in_columns, is_long_equation},
    counting::Counting,
    counting_words::CountingLine,
    group,
    propagate::{Derivation, Fact, Knowledge, PropagationInput},
    refutation::{self, RefutationStep, Refuter},
    requirement_board::{Entailment, RequirementBoard},
    why::{ConflictResult, minimal_contradiction, undefined_domain},
    wording::{EssenceClaim, Line, Wording, listed_words},
};
use crate::{
    halt::{Halt, StopReason},
    instance::SolutionValues,
    lowering::Requirement,
    problem::Bool,
    source::Sources,
};
use std::collections::{BTreeMap, BTreeSet};

/// A step does not absorb others if it would then cite more requirements than this. Chosen.
const MOST_RULES: usize = 6;
/// The limit on questions in the search for a refutation; some tens of thousands take a second. Chosen.
const MOST_QUESTIONS: usize = 200_000;
/// The numbers of refuted suppositions to compare before the shortest is taken; each number is tried. Chosen.
const SUPPOSITIONS: [usize; 4] = [4, 1, 12, 40];
/// The number of steps above which whole equations are preferred to columns, unless they take as many steps. Chosen.
const MOST_COLUMN_STEPS: usize = 150;
/// The number of requirements above which counting starts without propagation. Chosen.
const MOST_COUNTED: usize = 1_000;
/// The number of requirements above which only a minimal conflict is refuted. Chosen.
const MOST_REQUIREMENTS: usize = 400;

/// A refutation in words.
#[derive(Clone, Debug)]
pub(crate) struct StepwiseProof {
    /// The values that requirements state, such as `board[1, 1] = 2`.
    pub given: Vec<String>,
    pub steps: Vec<ProofStep>,
    /// The requirements that are used.
    pub reasons: Vec<Reason>,
}

/// A step of a refutation; the steps are numbered through.
#[derive(Clone, Debug)]
pub(crate) enum ProofStep {
    Taken(usize, HintStep),
    /// A supposition, and the steps that lead to a contradiction. The next step rules it out.
    Supposed(usize, String, Fact, Vec<ProofStep>),
}

impl StepwiseProof {
    /// The number of steps, including those under suppositions.
    pub(crate) fn length(&self) -> usize {
        fn count(steps: &[ProofStep]) -> usize {
            let own = |step: &ProofStep| match step {
                ProofStep::Taken(..) => 1,
                ProofStep::Supposed(_, _, _, inside) => 1 + count(inside),
            };
            // The supposition itself is also a step.
            steps.iter().map(own).sum()
        }
        count(&self.steps)
    }
}

/// The answer for a case: a solution, or the steps that show that there is none.
pub(crate) enum ProofVerdict {
    Solvable(SolutionValues),
    /// The steps, and the board that their facts refer to, if there is one.
    Refuted(StepwiseProof, Option<Box<RequirementBoard>>),
}

/// Shows in steps why a case has no solution, or returns a solution. `started` is called with the reasons before the
/// search for steps.
pub(crate) fn proof(
    case: &ExplainedCase,
    sources: &Sources,
    started: &mut dyn FnMut(Vec<Reason>),
) -> Result<ProofVerdict, Halt> {
    let mut describer = Describer::new(case.instance, sources);
    if let Some(variable) = case.instance.undefined_domain {
        let reason = undefined_domain(&mut describer, variable);
        let name = &case.instance.model.declaration(variable).name;
        let part = reason.findings.shown.first().map_or("a part of it", |finding| finding.says.as_str());
        let text = format!("{part} is undefined, so the domain of `{name}` has no values");
        return Ok(ProofVerdict::Refuted(in_one_step(text, vec![reason.clone()], vec![reason]), None));
    }
    describer.written = case.written;
    let board = RequirementBoard::new(case, None, sources)?;
    let with_attributes = board.with_attributes();
    // On the second board, the attributes of domains are requirements, too. It is used only if nothing can be shown on
    // the plain board.
    let mut boards: Vec<RequirementBoard> = [Some(board), with_attributes].into_iter().flatten().collect();
    // A counting argument works without a minimal conflict, and the search for a conflict may take long.
    for position in 0..boards.len() {
        let board = &boards[position];
        let puzzle = PropagationInput::new(&board.problem, &board.cells, &board.requirements);
        let clues = clues(&puzzle, &mut describer);
        // A long equation is easier to follow in columns, so it is left to the refutation below.
        let long = |step: &RefutationStep| step.rules.iter().any(|rule| is_long_equation(board, *rule));
        if let Some(steps) = counted(case, &puzzle, &clues)?.filter(|steps| !steps.iter().any(long)) {
            let proof = stated(case, board, (&puzzle, &clues), sources, &steps)?;
            // The puzzle borrows the board, which is moved out of the vector below.
            drop(puzzle);
            started(proof.reasons.clone());
            return Ok(ProofVerdict::Refuted(proof, Some(Box::new(boards.swap_remove(position)))));
        }
    }
    let conflict = match minimal_contradiction(case, &mut |_| {})? {
        ConflictResult::No(solution) => return Ok(ProofVerdict::Solvable(solution)),
        ConflictResult::Yes(conflict) => conflict,
    };
    started(group::reasons_in_words(&mut describer, &conflict.members).0);
    for board in boards {
        let puzzle = PropagationInput::new(&board.problem, &board.cells, &board.requirements);
        let clues = clues(&puzzle, &mut describer);
        let symmetries = |rules: &[usize]| board.symmetries(case, rules);
        let steps = refuted(case, &puzzle, &clues, &conflict.members, &symmetries)?;
        drop(puzzle);
        let (board, steps) = match split_equations(case, &board, &steps, &conflict.members, &mut describer)? {
            Some(in_columns) => in_columns,
            None => (board, steps),
        };
        // The domains of this board contradict each other without any constraint, so the step would have nothing to
        // cite. The next board may show more.
        if !matches!(steps.as_slice(), [only] if only.rules.is_empty() && only.premises.is_empty()) {
            let puzzle = PropagationInput::new(&board.problem, &board.cells, &board.requirements);
            let clues = self::clues(&puzzle, &mut describer);
            let proof = stated(case, &board, (&puzzle, &clues), sources, &steps)?;
            drop(puzzle);
            return Ok(ProofVerdict::Refuted(proof, Some(Box::new(board))));
        }
    }
    Ok(ProofVerdict::Refuted(at_once(&mut describer, &conflict.members), None))
}

/// A refutation that uses the columns of long equations, if no inference in it needs several requirements.
fn split_equations(
    case: &ExplainedCase,
    board: &RequirementBoard,
    steps: &[RefutationStep],
    conflict: &[Requirement],
    describer: &mut Describer,
) -> Result<Option<(RequirementBoard, Vec<RefutationStep>)>, Halt> {
    let Some((in_columns, added)) = in_columns(board, case.instance, case.engine_options) else { return Ok(None) };
    // The equations of columns are redundant, so they can join the conflict as further rules.
    let conflict: Vec<Requirement> =
        conflict.iter().cloned().chain(added.iter().map(|rule| in_columns.requirements[*rule].clone())).collect();
    let puzzle = PropagationInput::new(&in_columns.problem, &in_columns.cells, &in_columns.requirements);
    let clues = clues(&puzzle, describer);
    let symmetries = |rules: &[usize]| in_columns.symmetries(case, rules);
    let found = refuted(case, &puzzle, &clues, &conflict, &symmetries)?;
    // Columns should avoid steps that need several requirements at once.
    let hardest = |steps: &[RefutationStep]| steps.iter().map(RefutationStep::difficulty).max().unwrap_or(0);
    let is_short = refutation::inference_count(&found) <= MOST_COLUMN_STEPS.max(refutation::inference_count(steps));
    // The puzzle borrows the board, which is moved into the result below.
    drop(puzzle);
    Ok((hardest(&found) <= 1 && is_short).then_some((in_columns, found)))
}

/// Puts a refutation into words and checks each line.
fn stated(
    case: &ExplainedCase,
    board: &RequirementBoard,
    (puzzle, clues): (&PropagationInput, &BTreeSet<usize>),
    sources: &Sources,
    steps: &[RefutationStep],
) -> Result<StepwiseProof, Halt> {
    let mut describer = Describer::new(case.instance, sources);
    describer.written = case.written;
    let mut writer = StepWriter {
        case,
        board,
        puzzle,
        clues,
        describer,
        uses: refutation::fact_uses(steps),
        stated: BTreeMap::new(),
        given: Vec::new(),
        rules: BTreeSet::new(),
        cited: Vec::new(),
        inferences: Vec::new(),
        number: 0,
    };
    let stated = writer.state(steps);
    if board.unconfirmed(&writer.inferences, case.engine_options)?.is_some() {
        return Err(Halt::Stopped(StopReason::Unknown("a step does not follow from what it uses".into())));
    }
    let used: Vec<Requirement> = writer.rules.iter().map(|rule| board.requirements[*rule].clone()).collect();
    let mut reasons = group::reasons_in_words(&mut writer.describer, &used).0;
    // Several steps may cite an attribute, but the list names it once.
    for cited in writer.cited {
        if !reasons.iter().any(|reason| reason.says == cited.says) {
            reasons.push(cited);
        }
    }
    Ok(StepwiseProof { given: writer.given, steps: stated, reasons })
}

/// The refutation in a single step that names the contradictory requirements; used if no cell could carry steps.
fn at_once(describer: &mut Describer, conflict: &[Requirement]) -> StepwiseProof {
    let reasons: Vec<Reason> = conflict.iter().map(|member| describer.reason(member)).collect();
    let says: Vec<String> = reasons.iter().map(|reason| reason.says.clone()).collect();
    let together = if says.len() > 1 { " together" } else { "" };
    let text = format!("{} cannot hold{together}", listed_words(&says));
    in_one_step(text, reasons, group::reasons_in_words(describer, conflict).0)
}

/// A refutation of one step: its text, its reasons, and the reasons listed below it.
fn in_one_step(text: String, reasons: Vec<Reason>, list: Vec<Reason>) -> StepwiseProof {
    let follows = Entailment { conclusions: Vec::new(), from: Vec::new() };
    let line = Line { text: text.clone(), claim: EssenceClaim::default(), follows, also: Vec::new() };
    let step = HintStep { says: text, lines: vec![line], reasons, learnt: Vec::new(), used: BTreeSet::new() };
    StepwiseProof { given: Vec::new(), steps: vec![ProofStep::Taken(1, step)], reasons: list }
}

/// A refutation that ends with a counting argument after propagation.
fn counted(
    case: &ExplainedCase,
    puzzle: &PropagationInput,
    clues: &BTreeSet<usize>,
) -> Result<Option<Vec<RefutationStep>>, Halt> {
    let possible: Vec<Vec<bool>> = puzzle.cells.iter().map(|cell| vec![false; cell.options.len()]).collect();
    let all: Vec<usize> = (0..puzzle.requirements.len()).collect();
    let mut refuter = Refuter::new(puzzle, &all, clues, &possible, case.engine_options, MOST_QUESTIONS);
    // Propagation makes the sets of a counting argument smaller, but takes time for each requirement.
    let is_large = puzzle.requirements.len() > MOST_COUNTED;
    // With this number of requirements, propagation would take longer than counting.
    let steps = match refuter.counted_at_once(is_large)? {
        None if !is_large => refuter.without_suppositions()?,
        steps => steps,
    };
    Ok(steps.filter(|steps| steps.last().is_some_and(|last| last.counted.is_some())))
}

/// The best refutation found, of a minimal conflict or of all requirements.
pub(crate) fn refuted(
    case: &ExplainedCase,
    puzzle: &PropagationInput,
    clues: &BTreeSet<usize>,
    conflict: &[Requirement],
    symmetries: &dyn Fn(&[usize]) -> Symmetries,
) -> Result<Vec<RefutationStep>, Halt> {
    let possible: Vec<Vec<bool>> = puzzle.cells.iter().map(|cell| vec![false; cell.options.len()]).collect();
    let keys: Vec<_> = conflict.iter().map(|member| key(&member.origin)).collect();
    let all: Vec<usize> = (0..puzzle.requirements.len()).collect();
    let few: Vec<usize> =
        all.iter().copied().filter(|rule| keys.contains(&key(&puzzle.requirements[*rule].origin))).collect();
    let mut candidates = vec![few];
    // Redundant requirements allow easier steps, so all of them often give a shorter refutation than a minimal
    // conflict.
    if all.len() <= MOST_REQUIREMENTS && candidates[0].len() < all.len() {
        candidates.push(all);
    }
    let refuter =
        |rules: &Vec<usize>| Refuter::new(puzzle, rules, clues, &possible, case.engine_options, MOST_QUESTIONS);
    let mut refuters: Vec<Refuter> = candidates.iter().map(refuter).collect();
    let mut best: Option<((usize, usize, usize), Vec<RefutationStep>)> = None;
    let mut keep = |steps: Vec<RefutationStep>, refuter: &Refuter| {
        let hardest = steps.iter().map(RefutationStep::difficulty).max().unwrap_or(0);
        let cost = (hardest, refutation::supposition_depth(&steps), refuter.cost(&steps));
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, steps));
        }
    };
    let mut is_found = false;
    for refuter in &mut refuters {
        if let Some(steps) = refuter.without_suppositions()? {
            is_found = true;
            keep(steps, refuter);
        }
    }
    // Suppositions and arguments by symmetry are harder to follow, so they are tried only if propagation fails on every
    // set.
    if !is_found {
        let with = |(refuter, rules): (_, &Vec<usize>)| Refuter::with_symmetries(refuter, symmetries(rules));
        refuters = refuters.into_iter().zip(&candidates).map(with).collect();
    }
    for refuter in refuters.iter_mut().filter(|_| !is_found) {
        for suppositions in SUPPOSITIONS {
            if let Some(steps) = refuter.refutation(suppositions)? {
                keep(steps, refuter);
            }
            if !refuter.is_patient() {
                break;
            }
        }
    }
    let steps = best.map(|(_, steps)| steps);
    steps.ok_or_else(|| Halt::Stopped(StopReason::Unknown("the solver contradicts itself".into())))
}

/// The requirements that only give a cell its value.
pub(crate) fn clues(puzzle: &PropagationInput, describer: &mut Describer) -> BTreeSet<usize> {
    let is_clue = |rule: &usize| {
        let [cell] = puzzle.scopes[*rule].as_slice() else { return false };
        // A requirement is a clue if it has the text of an option, such as `board[1, 1] = 2`.
        let says = describer.reason(&puzzle.requirements[*rule]).says;
        puzzle.cells[*cell].options.iter().any(|option| option.is == says)
    };
    (0..puzzle.requirements.len()).filter(is_clue).collect()
}

struct StepWriter<'p> {
    case: &'p ExplainedCase<'p>,
    board: &'p RequirementBoard,
    puzzle: &'p PropagationInput<'p>,
    clues: &'p BTreeSet<usize>,
    describer: Describer<'p>,
    uses: BTreeMap<Fact, usize>,
    /// The facts stated so far that still hold, with the numbers of their steps; given facts have number 0.
    stated: BTreeMap<Fact, usize>,
    given: Vec<String>,
    rules: BTreeSet<usize>,
    /// The cited attributes and domains.
    cited: Vec<Reason>,
    inferences: Vec<Entailment>,
    number: usize,
}

impl StepWriter<'_> {
    /// Puts steps into words.
    fn state(&mut self, steps: &[RefutationStep]) -> Vec<ProofStep> {
        let mut stated = Vec::new();
        // The steps to merge into the step that needs them.
        let mut waiting: Vec<&RefutationStep> = Vec::new();
        for (position, step) in steps.iter().enumerate() {
            self.rules.extend(&step.rules);
            if self.is_given(step) {
                for fact in &step.facts {
                    self.stated.insert(*fact, 0);
                    self.given.push(self.option(*fact).to_owned());
                }
            } else if let Some((supposed, inside)) = &step.supposed {
                stated.extend(self.write_case(*supposed, inside, step));
            } else if let Some(alike) = &step.alike {
                stated.push(self.write_alike(step, alike));
            } else if let Some(counting) = &step.counted {
                stated.extend(self.write_counted(step, counting));
            } else if self.can_wait(step, &steps[position + 1..], &waiting) {
                waiting.push(step);
            } else {
                let own = waiting.extract_if(.., |before| step.premises.iter().any(|used| before.facts.contains(used)));
                let own: Vec<&RefutationStep> = own.collect();
                stated.push(self.write_one(&own, step));
            }
        }
        stated
    }

    fn option(&self, fact: Fact) -> &str {
        let (Fact::Is(cell, option) | Fact::Not(cell, option)) = fact;
        &self.puzzle.cells[cell].options[option].is
    }

    /// Returns true if a step restates a clue.
    fn is_given(&self, step: &RefutationStep) -> bool {
        matches!((step.facts.as_slice(), step.rules.as_slice()), ([Fact::Is(..)], [rule]) if self.clues.contains(rule))
            && step.premises.is_empty()
    }

    /// Returns true if a step excludes options by given values alone, exactly one later step uses it, and that step
    /// stays within the limit on requirements.
    fn can_wait(&self, step: &RefutationStep, later: &[RefutationStep], waiting: &[&RefutationStep]) -> bool {
        let is_plain = step.facts.iter().all(|fact| matches!(fact, Fact::Not(..)))
            && step.premises.iter().all(|premise| self.stated.get(premise) == Some(&0));
        let needs =
            |step: &RefutationStep, other: &RefutationStep| other.facts.iter().any(|fact| step.premises.contains(fact));
        let users: Vec<&RefutationStep> = later.iter().filter(|later| needs(later, step)).collect();
        let [user] = users.as_slice() else { return false };
        let others = waiting.iter().filter(|other| needs(user, other)).flat_map(|other| &other.rules);
        let rules: BTreeSet<usize> = others.chain(&step.rules).chain(&user.rules).copied().collect();
        is_plain
            && user.supposed.is_none()
            && user.alike.is_none()
            && !user.facts.is_empty()
            && step.facts.iter().all(|fact| self.uses.get(fact).is_none_or(|uses| *uses <= 1))
            && rules.len() <= MOST_RULES
    }

    /// The values stated so far, which sentences may refer to.
    fn knowledge(&self) -> Knowledge {
        let mut knowledge = Knowledge::new(self.puzzle.cells);
        for fact in self.stated.keys().filter(|fact| matches!(fact, Fact::Is(..))) {
            knowledge.learn(*fact, Derivation::default());
        }
        knowledge
    }

    /// Runs a wording function; returns its words, and the attributes and domains that it cites.
    fn with_words<T>(&mut self, run: impl FnOnce(&mut Wording) -> T) -> (T, Vec<Reason>) {
        let knowledge = self.knowledge();
        let mut wording = Wording {
            case: self.case,
            board: self.board,
            puzzle: self.puzzle,
            describer: &mut self.describer,
            knowledge: &knowledge,
            stated: &self.stated,
            with_values: true,
            cited: Vec::new(),
        };
        let words = run(&mut wording);
        let cited = wording.cited;
        for reason in &cited {
            if !self.cited.iter().any(|known| known.says == reason.says) {
                self.cited.push(reason.clone());
            }
        }
        (words, cited)
    }

    /// Puts a step into words, together with the steps merged into it.
    fn write_one(&mut self, before: &[&RefutationStep], step: &RefutationStep) -> ProofStep {
        let of = |step: &RefutationStep| {
            let why = Derivation { rules: step.rules.clone(), premises: step.premises.iter().copied().collect() };
            step.facts.iter().map(move |fact| (*fact, why.clone())).collect::<Vec<_>>()
        };
        let mut derivations: Vec<(Fact, Derivation)> = before.iter().flat_map(|step| of(step)).collect();
        derivations.extend(of(step));
        let ((says, lines), cited) = self.with_words(|wording| {
            let (mut lines, _) = wording.lines(&derivations);
            if !step.facts.is_empty() {
                return (wording.says(&step.facts), lines);
            }
            let (says, line) = wording.contradiction(&step.rules, &step.premises);
            lines.push(line);
            (says, lines)
        });
        for line in &lines {
            self.inferences.extend(line.also.iter().chain([&line.follows]).cloned());
        }
        self.number += 1;
        for fact in before.iter().flat_map(|step| &step.facts).chain(&step.facts) {
            self.stated.entry(*fact).or_insert(self.number);
        }
        let rules: BTreeSet<usize> = before.iter().flat_map(|step| &step.rules).chain(&step.rules).copied().collect();
        let reasons = self.reasons(&rules, cited);
        let steps = || before.iter().copied().chain([step]);
        let learnt: Vec<Fact> = steps().flat_map(|step| step.facts.iter().copied()).collect();
        let used = steps().flat_map(|step| step.premises.iter().copied());
        let used = used.filter(|premise| !learnt.contains(premise)).collect();
        ProofStep::Taken(self.number, HintStep { says, lines, reasons, learnt, used })
    }

    fn reasons(&mut self, rules: &BTreeSet<usize>, cited: Vec<Reason>) -> Vec<Reason> {
        let own = rules.iter().map(|rule| self.describer.reason(&self.puzzle.requirements[*rule]));
        own.chain(cited).collect()
    }

    /// Puts a step without loss of generality into words.
    fn write_alike(&mut self, step: &RefutationStep, alike: &AlikeOptions) -> ProofStep {
        self.number += 1;
        let ((says, text), cited) = self.with_words(|wording| wording.alike(step, alike));
        step.facts.iter().for_each(|fact| _ = self.stated.insert(*fact, self.number));
        let follows = match alike {
            AlikeOptions::Options(..) => Entailment { conclusions: Vec::new(), from: Vec::new() },
            AlikeOptions::Cells(cells) => {
                let none = cells.iter().map(|cell| self.puzzle.term(Fact::Not(*cell, 1)));
                let premises = step.premises.iter().map(|fact| self.puzzle.term(*fact));
                let rules = step.rules.iter().map(|rule| self.puzzle.condition(*rule));
                Entailment { conclusions: vec![Bool::FALSE], from: none.chain(premises).chain(rules).collect() }
            }
        };
        self.inferences.push(follows.clone());
        let claim = EssenceClaim { is_whole: false, ..EssenceClaim::default() };
        let line = Line { text, claim, follows, also: Vec::new() };
        let reasons = self.reasons(&step.rules.iter().copied().collect(), cited);
        let (learnt, used) = (step.facts.clone(), step.premises.clone());
        ProofStep::Taken(self.number, HintStep { says, lines: vec![line], reasons, learnt, used })
    }

    /// The lines of a counting argument, each as a step.
    fn write_counted(&mut self, step: &RefutationStep, counting: &Counting) -> Vec<ProofStep> {
        let first = self.number + 1;
        let (lines, cited) = self.with_words(|wording| wording.counting(step, counting, first));
        let count = lines.len();
        let state = |(position, counted): (usize, CountingLine)| {
            let CountingLine { says, line, rules } = counted;
            self.inferences.extend(line.also.iter().cloned());
            self.number += 1;
            // Only the last line, which is the contradiction, uses the premises.
            let (used, cited) = match position + 1 == count {
                true => (step.premises.clone(), cited.clone()),
                false => (BTreeSet::new(), Vec::new()),
            };
            let reasons = self.reasons(&rules, cited);
            ProofStep::Taken(self.number, HintStep { says, lines: vec![line], reasons, learnt: Vec::new(), used })
        };
        lines.into_iter().enumerate().map(state).collect()
    }

    /// A supposition with its steps, and the step that rules it out.
    fn write_case(&mut self, supposed: Fact, inside: &[RefutationStep], step: &RefutationStep) -> [ProofStep; 2] {
        let before = self.stated.clone();
        self.number += 1;
        let number = self.number;
        self.stated.insert(supposed, number);
        let says = self.option(supposed).to_owned();
        let inside = self.state(inside);
        let to = self.number;
        // Facts that depend on the supposition do not hold after it.
        self.stated = before;
        self.number += 1;
        let (conclusion, _) = self.with_words(|wording| wording.says(&step.facts));
        step.facts.iter().for_each(|fact| _ = self.stated.insert(*fact, self.number));
        let text = format!("{conclusion}, because steps {number} to {to} end in a contradiction");
        let follows = Entailment { conclusions: Vec::new(), from: Vec::new() };
        let line = Line { text, claim: EssenceClaim::default(), follows, also: Vec::new() };
        let (learnt, used) = (step.facts.clone(), BTreeSet::new());
        let so = HintStep { says: conclusion, lines: vec![line], reasons: Vec::new(), learnt, used };
        [ProofStep::Supposed(number, says, supposed, inside), ProofStep::Taken(self.number, so)]
    }
}
