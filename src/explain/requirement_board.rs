//! The board for hints and refutations: requirements, the cells that they mention, and their symmetries and attributes.

use super::{
    Describer, ExplainedCase, Reason,
    alike::Symmetries,
    case::key,
    cells::{Cell, cells_of_variables},
    conflict::Conditions,
    propagate::{Fact, PropagationInput},
    why::without_attributes,
};
use crate::{
    diagnostic::Label,
    halt::{Halt, StopReason},
    instance::{
        GroundInstance, SolutionValues,
        symmetry::{self, Symmetry, SymmetryBreaking},
    },
    language::{Name, Type, Value},
    lowering::{Lowered, Requirement, RequirementOrigin, exchanges},
    problem::{Bool, Problem},
    solver::{AssumptionResult, EngineOptions, incremental},
    source::Sources,
    symbolic::{Symbolic, Term},
};

/// The number of solutions that are collected first: an option that occurs in one of them cannot be excluded and needs
/// no check. Chosen.
const SOLUTIONS: usize = 200;
/// Solutions are collected until this many options in a row are refuted. Chosen.
const MOST_REFUSALS: usize = 20;

/// Conclusions, and the facts and requirements that imply each conclusion.
#[derive(Clone, Debug)]
pub(crate) struct Entailment {
    pub conclusions: Vec<Bool>,
    pub from: Vec<Bool>,
}

/// The requirements of a case with its cells.
pub(crate) struct RequirementBoard {
    pub(super) problem: Problem,
    pub(super) requirements: Vec<Requirement>,
    pub(super) cells: Vec<Cell>,
    /// For each decision variable, the condition that it has its value in the given solution; not every part of it need
    /// be a cell.
    pub(super) settled: Vec<(Name, Bool)>,
    attributes: Option<AttributeProblem>,
    /// The terms of the variables; the problem inside is empty.
    lowered: Lowered,
}

/// The attributes of the decision variables' domains as requirements of a separate problem: in the board's problem,
/// they cannot be distinguished from the constraints of the representations.
struct AttributeProblem {
    problem: Problem,
    requirements: Vec<Requirement>,
    /// The conditions of the board's requirements in this problem; `None` if there is no counterpart.
    rules: Vec<Option<Bool>>,
    cells: Vec<Cell>,
    lowered: Lowered,
}

impl RequirementBoard {
    /// The board of a case, with a solution if there is one.
    pub(crate) fn new(
        case: &ExplainedCase,
        solution: Option<&SolutionValues>,
        sources: &Sources,
    ) -> Result<RequirementBoard, Halt> {
        let parts = case.parts(None)?;
        let describer = Describer::new(case.instance, sources);
        let mut lowered = parts.lowered;
        let mut symbolic = Symbolic::from(std::mem::take(&mut lowered.problem));
        let cells = cells_of_variables(case.instance, &describer, &mut symbolic, &lowered.layout);
        let mut settled = Vec::new();
        for (id, term) in &lowered.layout {
            if let Some((_, value)) = solution.and_then(|solution| solution.iter().find(|(found, _)| found == id)) {
                let name = case.instance.model.declaration(*id).name.clone();
                settled.push((name, symbolic.equal(term, &Term::Value(value.clone()))));
            }
        }
        let attributes = AttributeProblem::of(case, &describer, &parts.requirements)?;
        Ok(RequirementBoard {
            problem: symbolic.finish()?,
            requirements: parts.requirements,
            cells,
            settled,
            attributes,
            lowered,
        })
    }

    /// The board with attributes of domains as requirements; `None` if there are no attributes.
    pub(super) fn with_attributes(&self) -> Option<RequirementBoard> {
        let attributes = self.attributes.as_ref()?;
        let own = self.requirements.iter().zip(&attributes.rules);
        let own = own.filter_map(|(requirement, condition)| {
            Some(Requirement { condition: (*condition)?, bound: None, needs: Vec::new(), ..requirement.clone() })
        });
        Some(RequirementBoard {
            problem: attributes.problem.clone(),
            requirements: own.chain(attributes.requirements.iter().cloned()).collect(),
            cells: attributes.cells.clone(),
            settled: Vec::new(),
            attributes: None,
            lowered: attributes.lowered.clone(),
        })
    }

    /// The board with other requirements and cells, in a problem that extends this one.
    pub(super) fn with(&self, problem: Problem, requirements: Vec<Requirement>, cells: Vec<Cell>) -> RequirementBoard {
        let lowered = self.lowered.clone();
        RequirementBoard { problem, requirements, cells, settled: Vec::new(), attributes: None, lowered }
    }

    /// The exchanges of values that map these requirements to themselves.
    pub(super) fn symmetries(&self, case: &ExplainedCase, rules: &[usize]) -> Symmetries {
        // The order of slots only makes the representation of a set unique, so symmetries may change it.
        let mut problem = self.problem.without(&self.lowered.slot_order);
        rules.iter().for_each(|rule| problem.require(self.requirements[*rule].condition));
        let lowered = Lowered { problem, ..self.lowered.clone() };
        let symmetries = Symmetries::new(&lowered.problem, &self.cells, &exchanges(&case.instance.model, &lowered));
        // Members of unnamed types are interchangeable in the whole instance, but not necessarily under a subset of its
        // requirements.
        let is_whole = rules.len() == self.requirements.len() && case.values.is_empty() && case.denied.is_empty();
        match symmetry::symmetries(case.instance, SymmetryBreaking::FAST) {
            Ok(found) if is_whole => symmetries.with_members(&self.cells, &exchanged_members(case.instance, &found)),
            _ => symmetries,
        }
    }

    /// The attributes of domains that these facts need, in addition to the premises and requirements, to follow.
    pub(super) fn by_domain(
        &self,
        describer: &mut Describer,
        facts: &[Fact],
        premises: &[Fact],
        rules: &[usize],
        case: &ExplainedCase,
    ) -> Vec<Reason> {
        let needed = self.needed_attributes(describer, facts, premises, rules, case);
        if !needed.is_empty() {
            return needed;
        }
        match facts.iter().chain(premises).next() {
            Some(fact) if rules.is_empty() => vec![self.domain(*fact, case)],
            _ => Vec::new(),
        }
    }

    /// Returns the attributes as [`RequirementBoard::by_domain`] does, but without the domain as a fallback; without
    /// facts, the attributes that a contradiction needs.
    pub(super) fn needed_attributes(
        &self,
        describer: &mut Describer,
        facts: &[Fact],
        premises: &[Fact],
        rules: &[usize],
        case: &ExplainedCase,
    ) -> Vec<Reason> {
        let attributes = self.attributes.as_ref();
        let needed = attributes.and_then(|attributes| attributes.needed(self, facts, premises, rules, case));
        needed.unwrap_or_default().iter().map(|requirement| describer.reason(requirement)).collect()
    }

    /// The attributes of the variable of a fact.
    pub(super) fn variable_attributes(
        &self,
        describer: &mut Describer,
        fact: Fact,
        case: &ExplainedCase,
    ) -> Vec<Reason> {
        let name = &self.cells[fact.cell()].variable;
        let is_own = |requirement: &&Requirement| match requirement.origin {
            RequirementOrigin::Domain { variable, .. } => case.instance.model.declaration(variable).name == *name,
            _ => false,
        };
        let attributes = self.attributes.iter().flat_map(|attributes| &attributes.requirements).filter(is_own);
        let mut found: Vec<Reason> = Vec::new();
        for reason in attributes.map(|requirement| describer.reason(requirement)) {
            if !found.iter().any(|known| known.says == reason.says) {
                found.push(reason);
            }
        }
        if found.is_empty() { vec![self.domain(fact, case)] } else { found }
    }

    /// The domain of the variable of a fact, as a requirement.
    fn domain(&self, fact: Fact, case: &ExplainedCase) -> Reason {
        let name = &self.cells[fact.cell()].variable;
        let declared = case.instance.model.declarations.iter().find(|declaration| declaration.name == *name);
        let kind = declared.and_then(|declaration| declaration.ty.collection()).map(|kind| kind.row().noun());
        let says = match kind {
            Some(kind) => format!("`{name}` is a {kind}"),
            None => format!("`{name}` has a value of its domain"),
        };
        let label = declared.map(|declaration| Label { span: declaration.span, text: String::new() });
        Reason { says, labels: label.into_iter().collect(), ..Reason::default() }
    }
}

impl RequirementBoard {
    /// The position of the first inference that the solver does not confirm.
    pub(super) fn unconfirmed(
        &self,
        inferences: &[Entailment],
        engine_options: &EngineOptions,
    ) -> Result<Option<usize>, StopReason> {
        let mut solver = incremental(&self.problem, engine_options);
        for (position, inference) in inferences.iter().enumerate() {
            for conclusion in &inference.conclusions {
                let assumptions: Vec<Bool> = inference.from.iter().copied().chain([!*conclusion]).collect();
                if solver.refute(&assumptions)?.is_none() {
                    return Ok(Some(position));
                }
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
impl RequirementBoard {
    /// The position of the first unsound inference: its conclusion does not follow from its premises, or does not hold
    /// in all solutions.
    pub(crate) fn unsound(
        &self,
        inferences: &[Entailment],
        engine_options: &EngineOptions,
    ) -> Result<Option<usize>, StopReason> {
        let all: Vec<Bool> = self.requirements.iter().map(|requirement| requirement.condition).collect();
        let in_all = |inference: &Entailment| Entailment { from: all.clone(), ..inference.clone() };
        let in_all: Vec<Entailment> = inferences.iter().map(in_all).collect();
        Ok(match self.unconfirmed(inferences, engine_options)? {
            Some(position) => Some(position),
            None => self.unconfirmed(&in_all, engine_options)?,
        })
    }

    /// Returns true if the solution that the board was made with is the only one.
    pub(crate) fn has_one_solution(&self, engine_options: &EngineOptions) -> Result<bool, StopReason> {
        let from = self.requirements.iter().map(|requirement| requirement.condition).collect();
        let conclusions = self.settled.iter().map(|(_, settled)| *settled).collect();
        self.unsound(&[Entailment { conclusions, from }], engine_options).map(|unsound| unsound.is_none())
    }
}

/// The pairs of members that symmetries exchange, by their names.
fn exchanged_members(instance: &GroundInstance, symmetries: &[Symmetry]) -> Vec<[Name; 2]> {
    let names = |symmetry: &Symmetry| match symmetry.as_slice() {
        [(Type::Named(named), pairs)] => match pairs.as_slice() {
            [(Value::Int(one), Value::Int(other)), _] => {
                Some([*one, *other].map(|at| instance.names.member(named, at)))
            }
            _ => None,
        },
        _ => None,
    };
    symmetries.iter().filter_map(names).collect()
}

impl AttributeProblem {
    fn of(
        case: &ExplainedCase,
        describer: &Describer,
        board: &[Requirement],
    ) -> Result<Option<AttributeProblem>, Halt> {
        let domains = without_attributes(case.instance);
        if domains.is_empty() {
            return Ok(None);
        }
        let parts = case.parts(Some(&domains))?;
        let mut lowered = parts.lowered;
        let mut symbolic = Symbolic::from(std::mem::take(&mut lowered.problem));
        let cells = cells_of_variables(case.instance, describer, &mut symbolic, &lowered.layout);
        let is_domain = |requirement: &Requirement| matches!(requirement.origin, RequirementOrigin::Domain { .. });
        let (requirements, others): (Vec<_>, Vec<_>) = parts.requirements.into_iter().partition(is_domain);
        let others: Vec<_> = others.iter().map(|other| (key(&other.origin), other.condition)).collect();
        // The two problems have different terms, so their requirements are matched by origin.
        let rule = |rule: &Requirement| {
            let own = key(&rule.origin);
            others.iter().find(|(other, _)| *other == own).map(|(_, condition)| *condition)
        };
        let rules = board.iter().map(rule).collect();
        Ok(Some(AttributeProblem { problem: symbolic.finish()?, requirements, rules, cells, lowered }))
    }

    /// The attributes needed for facts to follow from premises and requirements, or for a contradiction if there are no
    /// facts; `None` if unknown.
    fn needed(
        &self,
        board: &RequirementBoard,
        facts: &[Fact],
        premises: &[Fact],
        rules: &[usize],
        case: &ExplainedCase,
    ) -> Option<Vec<Requirement>> {
        // The cells and options of the two problems are matched by their texts.
        let term = |fact: &Fact| {
            let (Fact::Is(number, option) | Fact::Not(number, option)) = fact;
            let own = &board.cells[*number];
            let cell = self.cells.iter().find(|cell| cell.name == own.name)?;
            let same = cell.options.iter().find(|other| other.is == own.options[*option].is)?.term;
            Some(if matches!(fact, Fact::Is(..)) { same } else { !same })
        };
        let conditions: Vec<Bool> = self.requirements.iter().map(|requirement| requirement.condition).collect();
        let members: Vec<usize> = (0..conditions.len()).collect();
        let mut needed = Vec::new();
        let denied: Vec<Vec<Bool>> = match facts {
            // Without facts, nothing is denied: the contradiction itself is to be explained.
            [] => vec![Vec::new()],
            facts => facts.iter().map(|fact| Some(vec![!term(fact)?])).collect::<Option<_>>()?,
        };
        for denied in denied {
            let mut always: Vec<Bool> = premises.iter().map(term).collect::<Option<_>>()?;
            for rule in rules {
                always.push(self.rules[*rule]?);
            }
            always.extend(denied);
            let mut solver = incremental(&self.problem, case.engine_options);
            let mut conditions = Conditions {
                problem: &self.problem,
                solver: &mut *solver,
                conditions: &conditions,
                always: &always,
                engine_options: case.engine_options,
                smaller: &mut |_| {},
            };
            needed.extend(conditions.shrink(&members).ok()??.members);
        }
        needed.sort_unstable();
        needed.dedup();
        Some(needed.into_iter().map(|position| self.requirements[position].clone()).collect())
    }
}

/// The options of each cell that occur in the collected solutions.
pub(super) fn possible_options(
    puzzle: &PropagationInput,
    engine_options: &EngineOptions,
) -> Result<Vec<Vec<bool>>, StopReason> {
    let mut problem = puzzle.problem.clone();
    puzzle.requirements.iter().for_each(|requirement| problem.require(requirement.condition));
    let mut solver = incremental(&problem, engine_options);
    let mut possible: Vec<Vec<bool>> = puzzle.cells.iter().map(|cell| vec![false; cell.options.len()]).collect();
    let (mut found, mut refused) = (0, 0);
    // The options of all cells are tried in turn, so that a cell with one possible value does not use up all refusals.
    let most = puzzle.cells.iter().map(|cell| cell.options.len()).max().unwrap_or(0);
    for option in 0..most {
        for (cell, options) in puzzle.cells.iter().map(|cell| cell.options.len()).enumerate() {
            if option >= options || possible[cell][option] {
                continue;
            }
            if found >= SOLUTIONS || refused >= MOST_REFUSALS {
                return Ok(possible);
            }
            match solver.check(&[puzzle.term(Fact::Is(cell, option))])? {
                AssumptionResult::Satisfiable(assignment) => {
                    (found, refused) = (found + 1, 0);
                    for (cell, possible) in puzzle.cells.iter().zip(&mut possible) {
                        for (option, possible) in cell.options.iter().zip(possible) {
                            *possible |= puzzle.problem.bool_value(option.term, &assignment);
                        }
                    }
                }
                AssumptionResult::Refuted(_) => refused += 1,
            }
        }
    }
    Ok(possible)
}
