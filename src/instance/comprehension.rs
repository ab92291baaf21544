//! Comprehensions: generators, conditions and patterns, driven one binding at a time.

use super::{Environment, PruningRun, evaluate, ground, power_set};
use crate::{
    analysis::{
        model::{Category, Comprehension, Expr, GeneratorRange, Pattern, PatternForm, Pruning, Qualifier},
        pruning::is_surely_defined,
    },
    diagnostic::{Code, Diagnostic},
    language::{
        Evaluated, GroundDomain, IntSet, MemberForm, Stop, Value,
        attributes::Size,
        domain::{DomainRole, ValueIterator},
        subsets_of,
        value::Matrix,
    },
};
use std::{ops::ControlFlow, sync::Arc};

/// The maximum number of bindings that one comprehension may have; more are refused before the first. Chosen.
pub(crate) const MOST_BINDINGS: u128 = 20_000_000;
/// The maximum number of bindings that nested comprehensions may have together. Chosen.
const MOST_BINDINGS_IN_ALL: u64 = 2_000_000_000;

/// Calls `body` for each binding of the qualifiers' patterns, in order.
pub(crate) fn for_each_binding(
    qualifiers: &[Qualifier],
    env: &mut Environment,
    body: &mut dyn FnMut(&mut Environment) -> Evaluated<()>,
) -> Evaluated<()> {
    let mut on = |env: &mut Environment| body(env).map(|()| ControlFlow::Continue(false));
    start(qualifiers, None, env, &mut on).map(drop)
}

/// Removes the values of the names that qualifiers bind.
pub(crate) fn unbind(qualifiers: &[Qualifier], env: &mut Environment) {
    for qualifier in qualifiers {
        if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
            pattern.names(&mut |name| env.unbind_local(name));
        }
    }
}

/// The list of values of a comprehension.
pub(super) fn comprehension_values(comprehension: &Comprehension, env: &mut Environment) -> Evaluated {
    let mut elements = Vec::new();
    let mut undefined = false;
    start(&comprehension.qualifiers, comprehension.pruning(None), env, &mut |env| {
        match evaluate(&comprehension.body, env) {
            // Evaluation continues after an undefined element, because later elements may also contain choices.
            Err(Stop::Undefined) if env.choices.is_some() => undefined = true,
            value => elements.push(value?),
        }
        Ok(ControlFlow::Continue(false))
    })
    .map(drop)?;
    if undefined { Err(Stop::Undefined) } else { Ok(Value::list(elements)) }
}

/// Calls `body` for every way to bind the first qualifiers of a comprehension under `and`, none of which depends on
/// decisions, except for bindings that leave nothing to check.
pub(super) fn for_each_fixed_binding(
    comprehension: &Comprehension,
    count: usize,
    env: &mut Environment,
    body: &mut dyn FnMut(&mut Environment) -> Evaluated<ControlFlow<()>>,
) -> Evaluated<()> {
    // Pruning may use only what is fixed, because the decisions change between two checks.
    let pruning = comprehension.pruning(Some(false)).map(PruningRun::new);
    let is_fixed = |expr: &Expr| expr.category < Category::Decision;
    let mut body = |env: &mut Environment| Ok(body(env)?.map_continue(|()| false));
    run(QualifierWalk { qualifiers: &comprehension.qualifiers[..count], pruning, is_fixed, body: &mut body }, env)
        .map(drop)
}

/// Evaluates `and` or `or` of a comprehension without building its list; `absorbing` is the element that decides. The
/// names of the first `bound` qualifiers have values.
pub(super) fn junction(
    comprehension: &Comprehension,
    bound: usize,
    absorbing: bool,
    env: &mut Environment,
) -> Evaluated {
    // An undefined generator makes the whole expression false. A conjunction that is false so far stays false, but a
    // disjunction that is true so far may still become false.
    let thorough = env.choices.is_some();
    // With choices, each binding must be evaluated, because it may contain a choice.
    let may_stop = !thorough
        && (!absorbing || comprehension.qualifiers.iter().skip(1).all(|one| is_surely_defined(one, env.model())));
    let mut decided = false;
    let mut unknown = None;
    // Pruning has a check for each qualifier in order, so it needs the walk from the first one.
    let pruning = if bound == 0 { comprehension.pruning(Some(absorbing)) } else { None };
    start(&comprehension.qualifiers[bound..], pruning, env, &mut |env| {
        match evaluate(&comprehension.body, env) {
            Ok(value) => decided |= value.as_bool() == absorbing,
            // Another element may still decide the result without this one.
            Err(Stop::Fault(fault)) if fault.code == Code::TOO_LARGE => unknown = Some(fault),
            Err(stop) => return Err(stop),
        }
        Ok(if decided && may_stop { ControlFlow::Break(()) } else { ControlFlow::Continue(decided) })
    })
    .map(drop)?;
    match unknown {
        Some(fault) if !decided => Err(Stop::Fault(fault)),
        _ => Ok(Value::Bool(decided == absorbing)),
    }
}

/// `Break` if the rest does not matter, otherwise true if the result is already decided.
type BindingStep = ControlFlow<(), bool>;

type Body<'a> = &'a mut dyn FnMut(&mut Environment) -> Evaluated<BindingStep>;

fn start(
    qualifiers: &[Qualifier],
    pruning: Option<&Arc<Pruning>>,
    env: &mut Environment,
    body: Body,
) -> Evaluated<BindingStep> {
    // Pruning skips bindings, but each binding may contain a choice for a local decision variable.
    let pruning = pruning.filter(|_| env.choices.is_none()).map(PruningRun::new);
    run(QualifierWalk { qualifiers, pruning, is_fixed: |_| true, body }, env)
}

fn run(mut walk: QualifierWalk, env: &mut Environment) -> Evaluated<BindingStep> {
    if env.depth == 0 {
        env.bindings = 0;
    }
    env.depth += 1;
    let result = walk.from(0, env, 1);
    env.depth -= 1;
    result
}

/// A walk over the bindings of some qualifiers.
struct QualifierWalk<'a> {
    qualifiers: &'a [Qualifier],
    pruning: Option<PruningRun>,
    /// The expressions that conditions may use to cut bindings.
    is_fixed: fn(&Expr) -> bool,
    body: Body<'a>,
}

impl QualifierWalk<'_> {
    /// Visits the qualifiers, starting at this position. `around` is the number of bindings of the generators since the
    /// last condition, because the share that passes a condition is unknown.
    fn from(&mut self, position: usize, env: &mut Environment, around: u128) -> Evaluated<BindingStep> {
        let around = match self.pruning.as_ref().and_then(|pruning| pruning.holds(position, env, self.is_fixed)) {
            Some(false) => return Ok(ControlFlow::Continue(false)),
            Some(true) => 1,
            None => around,
        };
        let qualifiers = self.qualifiers;
        let Some(qualifier) = qualifiers.get(position) else {
            env.bindings += 1;
            // `visited` counts the bindings of all comprehensions in a check, `bindings` only up to the limit of the
            // outermost one.
            env.visited += 1;
            if env.bindings > MOST_BINDINGS_IN_ALL {
                return Err(too_many_values(&format!("more than {MOST_BINDINGS_IN_ALL} combinations")).into());
            }
            return (self.body)(env);
        };
        match qualifier {
            Qualifier::Condition(condition) => {
                // If the condition is undefined, `evaluate` returns false.
                if evaluate(condition, env)?.as_bool() {
                    // After a condition, few combinations may remain, so the count restarts.
                    return self.from(position + 1, env, 1);
                }
            }
            Qualifier::Letting(pattern, value) => {
                // The name stands for the expression, so if this is undefined, only uses of the name are.
                let matches = match evaluate(value, env) {
                    Ok(value) => bind(pattern, &value, env),
                    Err(Stop::Undefined) => {
                        pattern.names(&mut |local| env.unbind_local(local));
                        true
                    }
                    Err(fault) => return Err(fault),
                };
                if matches {
                    return self.from(position + 1, env, around);
                }
            }
            Qualifier::Generator(pattern, over) => return self.generator(position, pattern, over, env, around),
        }
        Ok(ControlFlow::Continue(false))
    }

    fn generator(
        &mut self,
        position: usize,
        pattern: &Pattern,
        over: &GeneratorRange,
        env: &mut Environment,
        around: u128,
    ) -> Evaluated<BindingStep> {
        // A witness, such as the value of a Skolem variable, often makes the search for a value unnecessary.
        if let Some(step) = self.try_witnesses(position, pattern, over, env)? {
            return Ok(step);
        }
        let (values, size) = self.values(position, pattern, over, env)?;
        let around = match size.and_then(|size| size.checked_mul(around)) {
            Some(bindings) if bindings <= MOST_BINDINGS => bindings,
            Some(bindings) => return Err(too_many_values(&format!("{bindings} combinations")).into()),
            None => return Err(too_many_values("more combinations than can be counted").into()),
        };
        let mut decided = false;
        for value in values {
            if bind(pattern, &value, env) {
                // Each value repeats the bindings of the inner generators, so the inner count includes this generator.
                match self.from(position + 1, env, around)? {
                    ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
                    ControlFlow::Continue(by_now) => decided = by_now,
                }
            }
        }
        Ok(ControlFlow::Continue(decided))
    }

    /// The values of a generator and their number, without values that a condition on its name rules out.
    fn values(
        &mut self,
        position: usize,
        pattern: &Pattern,
        over: &GeneratorRange,
        env: &mut Environment,
    ) -> Evaluated<(ValueIterator, Option<u128>)> {
        let pruning = self.pruning.as_mut().filter(|pruning| pruning.narrows(position));
        let (Some(pruning), Pattern::Name(name), GeneratorRange::Domain(domain)) = (pruning, pattern, over) else {
            // Only domains of integers are narrowed; others are enumerated as they are.
            return generate(pattern, over, env);
        };
        let domain = ground(domain, env)?;
        if let GroundDomain::Int(integers) = &domain
            && let Some(few) = pruning.values(position, *name, integers, env, self.is_fixed)
        {
            let size = Some(few.len() as u128);
            return Ok((Box::new(few.into_iter().map(Value::Int)), size));
        }
        Ok(values_of_domain(&domain))
    }

    /// Tries the known witnesses of a generator's name. Returns the step of the first one that decides the result.
    fn try_witnesses(
        &mut self,
        position: usize,
        pattern: &Pattern,
        over: &GeneratorRange,
        env: &mut Environment,
    ) -> Evaluated<Option<BindingStep>> {
        let (Some(name), GeneratorRange::Domain(domain)) = (pattern.first_name(), over) else { return Ok(None) };
        env.first_witness(name, |env, values| {
            // A witness outside the domain belongs to another binding of the same name.
            if ground(domain, env)?.check(&values[0], DomainRole::Decision).is_err() || !bind(pattern, &values[0], env)
            {
                return Ok(None);
            }
            let step = self.from(position + 1, env, 1)?;
            Ok((step != ControlFlow::Continue(false)).then_some(step))
        })
    }
}

fn too_many_values(what: &str) -> Diagnostic {
    Diagnostic::error(Code::TOO_LARGE, format!("this ranges over {what}"))
        .note(format!("the limit is {MOST_BINDINGS}"))
        .help("narrow the domains, or range over the members of a smaller collection")
}

/// The values of a generator and their number, without sets whose size a set pattern cannot match.
pub(crate) fn generate(
    pattern: &Pattern,
    over: &GeneratorRange,
    env: &mut Environment,
) -> Evaluated<(ValueIterator, Option<u128>)> {
    Ok(match over {
        GeneratorRange::Domain(domain) => values_of_domain(&ground(domain, env)?),
        GeneratorRange::Subsets(set) => subset_values(pattern, evaluate(set, env)?),
        GeneratorRange::Members(collection) => match power_set::base(collection, env)? {
            Some(set) => subset_values(pattern, set),
            None => {
                let members = members_of(&evaluate(collection, env)?);
                let size = Some(members.len() as u128);
                (Box::new(members.iter()), size)
            }
        },
    })
}

fn values_of_domain(domain: &GroundDomain) -> (ValueIterator, Option<u128>) {
    let size = domain.amount_gone_through().number;
    (domain.members(), (size < u128::MAX).then_some(size))
}

fn subset_values(pattern: &Pattern, set: Value) -> (ValueIterator, Option<u128>) {
    let members = members_of(&set);
    let size = match pattern {
        Pattern::Parts(PatternForm::Members, items) => {
            Size { min: Some(items.len() as i64), max: Some(items.len() as i64) }
        }
        _ => Size::default(),
    };
    // There are as many subsets of the members as of their positions.
    let positions = GroundDomain::Int(IntSet::range(1, members.len() as i64));
    let count = GroundDomain::set_of_size(size.clone(), positions).size();
    (Box::new(subsets_of(members.iter().collect(), &size)), count)
}

/// The values of a generator over a collection: elements, pairs of a function, a sequence or a permutation, tuples of a
/// relation, parts of a partition.
#[derive(Clone)]
pub(crate) enum Yield {
    Items(Arc<[Value]>),
    Numbered(Arc<[Value]>),
    Pairs(Arc<[(Value, Value)]>),
    Elements(Arc<Matrix>),
}

pub(crate) fn members_of(collection: &Value) -> Yield {
    match collection {
        Value::Collection(kind, items) if kind.form() == MemberForm::Positions => Yield::Numbered(items.clone()),
        Value::Collection(_, items) => Yield::Items(items.clone()),
        Value::Mapping(_, pairs) => Yield::Pairs(pairs.clone()),
        Value::Matrix(matrix) => Yield::Elements(matrix.clone()),
        other => unreachable!("a collection was expected, not {other:?}"),
    }
}

impl Yield {
    pub(crate) fn len(&self) -> usize {
        match self {
            Yield::Items(items) | Yield::Numbered(items) => items.len(),
            Yield::Pairs(pairs) => pairs.len(),
            Yield::Elements(matrix) => matrix.elements.len(),
        }
    }

    pub(crate) fn get(&self, position: usize) -> Value {
        match self {
            Yield::Items(items) => items[position].clone(),
            Yield::Numbered(items) => Value::tuple([Value::Int(position as i64 + 1), items[position].clone()]),
            Yield::Pairs(pairs) => Value::tuple([pairs[position].0.clone(), pairs[position].1.clone()]),
            Yield::Elements(matrix) => matrix.elements[position].clone(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Value> + 'static {
        let this = self.clone();
        (0..self.len()).map(move |position| this.get(position))
    }
}

/// Binds the names of a pattern to the parts of a value; returns false if the value has another shape.
pub(crate) fn bind(pattern: &Pattern, value: &Value, env: &mut Environment) -> bool {
    let parts = match (pattern, value) {
        (Pattern::Wildcard, _) => return true,
        (Pattern::Name(local), _) => {
            env.bind_local(*local, value.clone());
            return true;
        }
        (Pattern::Parts(PatternForm::Tuple, patterns), Value::Tuple(items))
        | (Pattern::Parts(PatternForm::Members, patterns), Value::Collection(_, items)) => (patterns, &items[..]),
        (Pattern::Parts(PatternForm::Matrix, patterns), Value::Matrix(matrix)) => (patterns, &matrix.elements[..]),
        _ => return false,
    };
    parts.0.len() == parts.1.len() && parts.0.iter().zip(parts.1).all(|(pattern, item)| bind(pattern, item, env))
}
