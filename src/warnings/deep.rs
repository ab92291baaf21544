//! Expensive warnings: constraints that follow from others, and bounds that no solution reaches.

use super::{
    InstanceWarning, ModelText,
    proofs::{Prover, not, refuted_with},
};
use crate::{
    analysis::model::{Category, DeclarationId, DeclarationKind, Expr, ExprDomain, Ints, Range},
    diagnostic::{Code, Diagnostic},
    instance::GroundInstance,
    language::GroundDomain,
    lowering::Facts,
    problem::{Bool, Builder, Int},
    source::Span,
    symbolic::Term,
};

/// The work limit of one question, and of all questions. Chosen.
const WORK: u64 = 3_000;
const WORK_IN_ALL: u64 = 100_000;
/// The maximum number of integers of a variable that is checked. Chosen.
const MOST_INTEGERS: usize = 2_000;

/// Finds constraints that follow from others, and bounds that no solution reaches.
pub(crate) fn in_depth(subject: &ModelText, prover: &Prover) -> Vec<InstanceWarning> {
    let instance = prover.instance;
    let constraints = &instance.model.constraints;
    let both: Vec<Expr> =
        constraints.iter().flat_map(|constraint| [constraint.clone(), not(constraint.clone())]).collect();
    let Some(Facts { lowered, terms }) = prover.facts(&both) else { return Vec::new() };
    // Each term is a negated constraint, so its negation is the constraint.
    let required: Vec<Option<Bool>> =
        terms.iter().skip(1).step_by(2).map(|denial| denial.map(|denial| !denial)).collect();
    let denied: Vec<Option<Bool>> = terms.iter().step_by(2).map(|fact| fact.map(|fact| !fact)).collect();
    let mut problem = Builder::from(lowered.problem.clone());
    let bounds = warn_of_unreached_bounds(instance, &lowered.layout, &mut problem);
    let Ok(problem) = problem.finish() else { return Vec::new() };
    let mut solver = prover.solver(&problem);
    let mut left = WORK_IN_ALL;
    let all: Vec<Bool> = required.iter().flatten().copied().collect();
    let mut refute = |assumptions: &[Bool]| refuted_with(&mut *solver, assumptions, WORK, &mut left);
    // If the constraints contradict each other, they imply everything.
    if refute(&all).is_some() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let mut kept: Vec<usize> = (0..constraints.len()).filter(|position| required[*position].is_some()).collect();
    // The loop runs backwards, so that if two constraints imply each other, the first is kept.
    for position in (0..constraints.len()).rev() {
        let (Some(denial), Category::Decision) = (denied[position], constraints[position].category) else { continue };
        let others = kept.iter().copied().filter(|other| *other != position);
        let mut assumptions: Vec<Bool> = others.filter_map(|other| required[other]).collect();
        assumptions.push(denial);
        let Some(core) = refute(&assumptions) else { continue };
        // A constraint that the domains alone imply gets a different warning.
        let reasons = kept
            .iter()
            .filter(|other| **other != position && required[**other].is_some_and(|other| core.contains(&other)));
        let reasons: Vec<Span> = reasons.map(|other| constraints[*other].span).collect();
        if !reasons.is_empty() {
            findings.push(InstanceWarning {
                warning: implied_warning(constraints[position].span, &reasons),
                depends_on_data: false,
            });
            // Two constraints may imply each other, so a redundant one must not be a reason for another.
            kept.retain(|other| *other != position);
        }
    }
    for bound in bounds {
        let unreached = |values: &[Bool], refute: &mut dyn FnMut(&[Bool]) -> Option<Vec<Bool>>| {
            // The conditions are ordered from the bound inwards, and each implies those after it. So binary search
            // finds the last one that is refuted.
            let is_refuted = |step: usize, refute: &mut dyn FnMut(&[Bool]) -> Option<Vec<Bool>>| {
                let assumptions: Vec<Bool> = all.iter().copied().chain([values[step]]).collect();
                refute(&assumptions).is_some()
            };
            if values.is_empty() || !is_refuted(0, refute) {
                return 0;
            }
            let (mut known, mut open) = (1, values.len());
            while known < open {
                let middle = usize::midpoint(known, open);
                if is_refuted(middle, refute) { known = middle + 1 } else { open = middle }
            }
            known
        };
        let above = unreached(&bound.from_above, &mut refute);
        let below = unreached(&bound.from_below, &mut refute);
        if above + below > 0 {
            findings.push(InstanceWarning { warning: bound.warning(instance, above, below), depends_on_data: false });
        }
    }
    findings.retain(|finding| finding.warning.span().is_some_and(|span| span.source == subject.source));
    findings
}

fn implied_warning(span: Span, reasons: &[Span]) -> Diagnostic {
    // The maximum number of labels for reasons: more would hide the constraint itself in the excerpt. Chosen.
    const MOST_REASONS: usize = 3;
    let warning = Diagnostic::warning(Code::IMPLIED, "this constraint follows from the others").at(span, "follows");
    let warning = reasons.iter().take(MOST_REASONS).fold(warning, |warning, reason| warning.at(*reason, "from this"));
    warning.note("it may still help the solver, if it was added for that")
}

/// The integers of a decision variable, with the first and the last value of its domain.
struct LooseBounds {
    variable: DeclarationId,
    values: Vec<i64>,
    /// Conditions: some integer is at least the last value, at least the one before it, and so on.
    from_above: Vec<Bool>,
    /// Conditions: some integer is at most the first value, at most the second one, and so on.
    from_below: Vec<Bool>,
}

impl LooseBounds {
    /// The warning, given the numbers of values at the two ends that no solution has.
    fn warning(&self, instance: &GroundInstance, above: usize, below: usize) -> Diagnostic {
        let declaration = instance.model.declaration(self.variable);
        let name = &declaration.name;
        let (first, last) = (self.values[below], self.values[self.values.len() - 1 - above]);
        let says = match (above > 0, below > 0) {
            (true, true) => format!("no solution has a value of `{name}` below {first} or above {last}"),
            (true, false) => format!("no solution has a value of `{name}` above {last}"),
            _ => format!("no solution has a value of `{name}` below {first}"),
        };
        Diagnostic::warning(Code::LOOSE_BOUND, says)
            .at(declaration.span, "declared with more values")
            .help(format!("with these data, `int({first}..{last})` contains every value that occurs in a solution"))
    }
}

/// The bounds of decision variables that are integers or matrices of integers.
fn warn_of_unreached_bounds(
    instance: &GroundInstance,
    layout: &[(DeclarationId, Term)],
    problem: &mut Builder,
) -> Vec<LooseBounds> {
    let mut found = Vec::new();
    for (variable, term) in layout {
        let DeclarationKind::Find(written) = &instance.model.declaration(*variable).kind else { continue };
        let find = instance.finds.iter().find(|find| find.id == *variable);
        let Some(values) = find.and_then(|find| integer_values(&find.domain)).filter(|_| has_interval(written)) else {
            continue;
        };
        let mut ints = Vec::new();
        collect_ints(term, &mut ints);
        if ints.is_empty() || ints.len() > MOST_INTEGERS {
            continue;
        }
        let some = |problem: &mut Builder, condition: &dyn Fn(&mut Builder, Int) -> Bool| {
            let all: Vec<Bool> = ints.iter().map(|int| condition(problem, *int)).collect();
            problem.or(all)
        };
        // Every integer is at least the first value, so this condition is omitted.
        let from_above = values
            .iter()
            .rev()
            .skip(1)
            .map(|value| some(problem, &|problem, int| !problem.at_most_constant(int, *value)));
        let from_above = from_above.collect();
        let from_below = values.iter().take(values.len() - 1);
        let from_below =
            from_below.map(|value| some(problem, &|problem, int| problem.at_most_constant(int, *value))).collect();
        found.push(LooseBounds { variable: *variable, values, from_above, from_below });
    }
    found
}

/// The values of an integer domain, or of the integers in a matrix.
fn integer_values(domain: &GroundDomain) -> Option<Vec<i64>> {
    // The solver may be asked for each value. Chosen.
    const MOST_VALUES: u128 = 1_000;
    match domain {
        GroundDomain::Int(values) if (2..=MOST_VALUES).contains(&values.size()?) => Some(values.iter().collect()),
        GroundDomain::Matrix(_, element) => integer_values(element),
        _ => None,
    }
}

/// Returns true if a domain is written as one interval, so that its author has chosen the bounds.
fn has_interval(domain: &ExprDomain) -> bool {
    match domain {
        ExprDomain::Int(Ints::Ranges(ranges)) => matches!(ranges.as_slice(), [Range::Interval(Some(_), Some(_))]),
        ExprDomain::Matrix(_, element) => has_interval(element),
        _ => false,
    }
}

fn collect_ints(term: &Term, ints: &mut Vec<Int>) {
    match term.as_matrix() {
        Some((_, elements)) => elements.iter().for_each(|element| collect_ints(element, ints)),
        None => {
            if let Term::Int(int) = term {
                ints.push(*int);
            }
        }
    }
}
