//! Comprehensions: generators, conditions and patterns, driven one binding at a time.

use super::{Environment, evaluate, ground, power_set};
use crate::{
    analysis::model::{
        Comprehension, Expr, ExprDomain, ExprKind, GeneratorRange, Ints, Pattern, PatternForm, Qualifier, Range,
    },
    diagnostic::{Code, Diagnostic},
    language::{
        Evaluated, GroundDomain, IntSet, MemberForm, Stop, Type, Value,
        attributes::Size,
        domain::{DomainRole, ValueIterator},
        subsets_of,
        value::Matrix,
    },
};
use std::{ops::ControlFlow, sync::Arc};

/// The most bindings that one comprehension may have; more are refused before the first.
pub(crate) const MOST_BINDINGS: u128 = 20_000_000;
/// The most bindings that nested comprehensions may have together.
const MOST_BINDINGS_IN_ALL: u64 = 2_000_000_000;

/// Calls `body` once for every way to bind the qualifiers' patterns, in order.
pub(crate) fn for_each_binding(
    qualifiers: &[Qualifier],
    env: &mut Environment,
    body: &mut dyn FnMut(&mut Environment) -> Evaluated<()>,
) -> Evaluated<()> {
    let mut on = |env: &mut Environment| body(env).map(|()| ControlFlow::Continue(false));
    start(qualifiers, env, &mut on).map(drop)
}

/// Takes away the values of the names that qualifiers bind.
pub(crate) fn unbind(qualifiers: &[Qualifier], env: &mut Environment) {
    for qualifier in qualifiers {
        if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
            pattern.names(&mut |name| env.unbind_local(name));
        }
    }
}

/// The list of values of a comprehension.
pub(super) fn list(comprehension: &Comprehension, env: &mut Environment) -> Evaluated {
    let mut elements = Vec::new();
    let mut undefined = false;
    for_each_binding(&comprehension.qualifiers, env, &mut |env| {
        match evaluate(&comprehension.body, env) {
            Err(Stop::Undefined) if env.choices.is_some() => undefined = true,
            value => elements.push(value?),
        }
        Ok(())
    })?;
    if undefined { Err(Stop::Undefined) } else { Ok(Value::list(elements)) }
}

/// `and` or `or` of a comprehension, without building its list; `absorbing` is the element that decides.
pub(super) fn junction(comprehension: &Comprehension, absorbing: bool, env: &mut Environment) -> Evaluated {
    // An undefined generator makes the whole false. A false conjunction cannot get more false, but a
    // disjunction that is true so far may yet be undefined.
    let thorough = env.choices.is_some();
    let may_stop = !thorough && (!absorbing || comprehension.qualifiers.iter().skip(1).all(is_surely_defined));
    let mut decided = false;
    let mut unknown = None;
    start(&comprehension.qualifiers, env, &mut |env| {
        match evaluate(&comprehension.body, env) {
            Ok(value) => decided |= value.as_bool() == absorbing,
            // Another element may decide.
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

/// Whether to go on, and if so whether the result is decided already.
type BindingStep = ControlFlow<(), bool>;

type Body<'a> = &'a mut dyn FnMut(&mut Environment) -> Evaluated<BindingStep>;

fn start(qualifiers: &[Qualifier], env: &mut Environment, body: Body) -> Evaluated<BindingStep> {
    if env.depth == 0 {
        env.bindings = 0;
    }
    env.depth += 1;
    let result = drive(qualifiers, env, 1, body);
    env.depth -= 1;
    result
}

/// `around` is how often this is done for one binding before it that no condition has filtered.
fn drive(qualifiers: &[Qualifier], env: &mut Environment, around: u128, body: Body) -> Evaluated<BindingStep> {
    let Some((first, rest)) = qualifiers.split_first() else {
        env.bindings += 1;
        if env.bindings > MOST_BINDINGS_IN_ALL {
            return Err(too_many(&format!("more than {MOST_BINDINGS_IN_ALL} combinations")).into());
        }
        return body(env);
    };
    match first {
        Qualifier::Condition(condition) => {
            if evaluate(condition, env)?.as_bool() {
                return drive(rest, env, 1, body);
            }
        }
        Qualifier::Letting(pattern, value) => {
            // The name stands for the expression: where it is undefined, only its uses are undefined.
            let matches = match evaluate(value, env) {
                Ok(value) => bind(pattern, &value, env),
                Err(Stop::Undefined) => {
                    pattern.names(&mut |local| env.unbind_local(local));
                    true
                }
                Err(fault) => return Err(fault),
            };
            if matches {
                return drive(rest, env, around, body);
            }
        }
        Qualifier::Generator(pattern, over) => {
            if let Some(step) = try_witnesses(pattern, over, rest, env, body)? {
                return Ok(step);
            }
            let (values, size) = generate(pattern, over, env)?;
            let around = match size.and_then(|size| size.checked_mul(around)) {
                Some(bindings) if bindings <= MOST_BINDINGS => bindings,
                Some(bindings) => return Err(too_many(&format!("{bindings} combinations")).into()),
                None => return Err(too_many("more combinations than can be counted").into()),
            };
            let mut decided = false;
            for value in values {
                if bind(pattern, &value, env) {
                    match drive(rest, env, around, body)? {
                        ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
                        ControlFlow::Continue(by_now) => decided = by_now,
                    }
                }
            }
            return Ok(ControlFlow::Continue(decided));
        }
    }
    Ok(ControlFlow::Continue(false))
}

/// The step that a value which is known to serve leads to, if it decides the result.
fn try_witnesses(
    pattern: &Pattern,
    over: &GeneratorRange,
    rest: &[Qualifier],
    env: &mut Environment,
    body: Body,
) -> Evaluated<Option<BindingStep>> {
    let (Some(name), GeneratorRange::Domain(domain)) = (pattern.first_name(), over) else { return Ok(None) };
    env.first_witness(name, |env, values| {
        if ground(domain, env)?.check(&values[0], DomainRole::Decision).is_err() || !bind(pattern, &values[0], env) {
            return Ok(None);
        }
        let step = drive(rest, env, 1, body)?;
        Ok((step != ControlFlow::Continue(false)).then_some(step))
    })
}

fn too_many(what: &str) -> Diagnostic {
    Diagnostic::error(Code::TOO_LARGE, format!("this ranges over {what}"))
        .note(format!("the limit is {MOST_BINDINGS}"))
        .help("narrow the domains, or range over the members of a smaller collection")
}

/// The values of a generator and their number, without those that a set pattern obviously cannot match.
pub(crate) fn generate(
    pattern: &Pattern,
    over: &GeneratorRange,
    env: &mut Environment,
) -> Evaluated<(ValueIterator, Option<u128>)> {
    Ok(match over {
        GeneratorRange::Domain(domain) => {
            let domain = ground(domain, env)?;
            let size = domain.amount_gone_through().number;
            (domain.members(), (size < u128::MAX).then_some(size))
        }
        GeneratorRange::Subsets(set) => subsets(pattern, evaluate(set, env)?),
        GeneratorRange::Members(collection) => match power_set::base(collection, env)? {
            Some(set) => subsets(pattern, set),
            None => {
                let members = members_of(&evaluate(collection, env)?);
                let size = Some(members.len() as u128);
                (Box::new(members.iter()), size)
            }
        },
    })
}

fn subsets(pattern: &Pattern, set: Value) -> (ValueIterator, Option<u128>) {
    let members = members_of(&set);
    let size = match pattern {
        Pattern::Parts(PatternForm::Members, items) => {
            Size { min: Some(items.len() as i64), max: Some(items.len() as i64) }
        }
        _ => Size::default(),
    };
    // Counting subsets of positions is counting subsets.
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

/// Binds the names of a pattern to the parts of a value; false if the value does not have this shape.
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

/// Whether a qualifier has a value whatever its names stand for. Conservative.
fn is_surely_defined(qualifier: &Qualifier) -> bool {
    match qualifier {
        Qualifier::Condition(_) | Qualifier::Letting(..) => true,
        Qualifier::Generator(_, GeneratorRange::Members(value) | GeneratorRange::Subsets(value)) => has_value(value),
        Qualifier::Generator(_, GeneratorRange::Domain(domain)) => match domain {
            ExprDomain::Bool => true,
            ExprDomain::Int(Ints::Ranges(ranges) | Ints::Named(_, ranges)) => ranges.iter().all(|range| match range {
                Range::Single(value) => has_value(value),
                Range::Interval(low, high) => low.iter().chain(high).all(has_value),
            }),
            _ => false,
        },
    }
}

fn has_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) => true,
        ExprKind::Apply(operator, operands) => {
            expr.ty == Type::Bool || operator.is_total && operands.iter().all(has_value)
        }
        // A letting may be undefined, and a name that it binds.
        _ => expr.ty == Type::Bool,
    }
}
