//! Sets as cliques. If each constraint is about one member or two members of a set, then a set is a solution if each
//! member and each pair satisfies the constraints. So a problem with two members expresses all constraints, even if the
//! set is large.

use super::{Lowered, Representations, lower_within, with_size};
use crate::{
    analysis::model::{Comprehension, Expr, ExprKind, GeneratorRange, Pattern, PatternForm, Qualifier, TypedModel},
    halt::{Halt, Limits},
    instance::{Find, GroundInstance, SolutionValues},
    language::{
        Collection, GroundDomain, Sense, Value,
        attributes::{Attributes, Size},
    },
    operators::symbols,
    problem::{Assignment, PairProblem, Variable},
    symbolic::{Member, Term, write::Writing},
};

/// The maximum number of possible members of a set. Chosen.
const MOST_VALUES: u128 = 200_000;

/// The possible members of a set, and a problem for two of them.
pub(crate) struct MemberPairs<'a> {
    find: &'a Find,
    members: Vec<Value>,
    pub problem: PairProblem,
    /// The possible sizes of the set.
    pub size: Size<i64>,
}

impl<'a> MemberPairs<'a> {
    /// Lowers the instance with one member and with two members of the set whose size is maximised; `None` if the model
    /// does not have this form.
    pub(crate) fn of(
        instance: &'a GroundInstance,
        wanted: &Representations,
        limits: Limits,
    ) -> Result<Option<Self>, Halt> {
        let Some((find, attributes, inner)) = set_about_pairs(instance) else { return Ok(None) };
        let lower = |members: i64| -> Result<Option<(Lowered, Vec<Writing>)>, Halt> {
            let exactly = Size { min: Some(members), max: Some(members) };
            let Some(domains) = with_size(find, exactly) else { return Ok(None) };
            let lowered = lower_within(&instance.environment, wanted, &domains, limits.clone())?;
            let [(_, Term::Collection(_, slots))] = lowered.layout.as_slice() else { return Ok(None) };
            let writing = |slot: &Member| Writing::of(&lowered.problem, &slot.term, inner);
            // If a slot does not consist of variables, its value cannot be set.
            let writings: Option<Vec<Writing>> = slots.members.iter().map(writing).collect();
            let writings = writings.filter(|writings| writings.len() == members as usize);
            Ok(writings.map(|writings| (lowered, writings)))
        };
        // The problem with one member tests single members, and the problem with two members tests pairs.
        let (Some((alone, one)), Some((both, two))) = (lower(1)?, lower(2)?) else { return Ok(None) };
        let places: [Vec<Variable>; 2] = [0, 1].map(|place| two[place].variables().to_vec());
        let mut known: Vec<(Vec<i64>, Value)> = Vec::new();
        for member in inner.members() {
            if let Some(reason) = limits.reached() {
                return Err(reason.into());
            }
            let Some(numbers) = one[0].write(&member) else { continue };
            let mut assignment = Assignment::default();
            for (variable, number) in one[0].variables().iter().zip(&numbers) {
                assignment.set(*variable, *number);
            }
            // A member that violates a constraint on its own cannot be in a solution.
            if alone.problem.constraints().iter().all(|term| alone.problem.bool_value(*term, &assignment)) {
                known.push((numbers, member));
            }
        }
        let (values, members) = known.into_iter().unzip();
        // A pair has no order, so either member can be in either slot.
        let problem = PairProblem { problem: both.problem.without(&both.slot_order), places, values };
        Ok(Some(MemberPairs { find, members, problem, size: attributes.size().clone() }))
    }

    /// Returns the solution whose set has these members.
    pub(crate) fn solution(&self, members: &[usize]) -> SolutionValues {
        vec![(self.find.id, Value::set(members.iter().map(|member| self.members[*member].clone()).collect()))]
    }
}

/// Returns the set whose size is maximised, with its attributes and the domain of its members, if each constraint is
/// about one or two members.
pub(super) fn set_about_pairs(instance: &GroundInstance) -> Option<(&Find, &Attributes<i64>, &GroundDomain)> {
    let model = &instance.model;
    let ([find], Some(objective)) = (instance.finds.as_slice(), &model.objective) else { return None };
    let GroundDomain::Collection(Collection::Set, attributes, parts) = &*find.domain else { return None };
    // Any other use of the set, such as its size in a constraint, concerns all members at once.
    let is_find = |expr: &Expr| matches!(expr.kind, ExprKind::Global(id) if id == find.id);
    let is_size = match &objective.value.kind {
        ExprKind::Apply(operator, parts) => operator.symbol == symbols::BARS && parts.iter().all(is_find),
        _ => false,
    };
    let about = AboutPairs { model, is_find: &is_find };
    let is_wanted = is_size && objective.sense == Sense::Maximise && parts[0].amount().number <= MOST_VALUES;
    (is_wanted && about.all(&model.constraints, 2)).then_some((find, attributes, &parts[0]))
}

/// Checks the number of members that a constraint is about.
struct AboutPairs<'a> {
    model: &'a TypedModel,
    is_find: &'a dyn Fn(&Expr) -> bool,
}

impl AboutPairs<'_> {
    /// Returns true if a constraint is about at most this number of members.
    fn holds_for(&self, constraint: &Expr, members: usize) -> bool {
        match &constraint.kind {
            _ if !self.names_set(constraint) => true,
            ExprKind::Apply(operator, parts) if operator.is_implication() => {
                // An assumption about the set may depend on members outside the pair.
                !self.names_set(&parts[0]) && self.holds_for(&parts[1], members)
            }
            ExprKind::Apply(operator, parts) if operator.is_conjunction() => match parts.as_slice() {
                [Expr { kind: ExprKind::Comprehension(comprehension), .. }] => self.instances(comprehension, members),
                [Expr { kind: ExprKind::Matrix(parts, _), .. }] => self.all(parts, members),
                parts => self.all(parts, members),
            },
            _ => false,
        }
    }

    fn all(&self, constraints: &[Expr], members: usize) -> bool {
        constraints.iter().all(|constraint| self.holds_for(constraint, members))
    }

    fn instances(&self, comprehension: &Comprehension, mut members: usize) -> bool {
        for qualifier in &comprehension.qualifiers {
            let bound = match qualifier {
                Qualifier::Generator(_, GeneratorRange::Members(set)) if (self.is_find)(set) => 1,
                Qualifier::Generator(Pattern::Parts(PatternForm::Members, parts), GeneratorRange::Subsets(set))
                    if (self.is_find)(set) =>
                {
                    parts.len()
                }
                _ => {
                    let mut names_set = false;
                    qualifier.for_each_part(&mut |part| names_set |= self.names_set(part));
                    if names_set {
                        return false;
                    }
                    // Conditions and domains without the set restrict the instances, but do not name a member.
                    0
                }
            };
            let Some(left) = members.checked_sub(bound) else { return false };
            members = left;
        }
        self.holds_for(&comprehension.body, members)
    }

    fn names_set(&self, expr: &Expr) -> bool {
        self.model.has_part(expr, &mut |part| (self.is_find)(part))
    }
}
