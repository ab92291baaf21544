//! The domain of an expression: names have their declared domains, and the domains of other expressions follow from
//! these. Attributes such as `total(f)` refer to this domain.

use super::{Environment, evaluate, ground};
use crate::{
    analysis::model::{
        Category, Comprehension, DeclarationId, DeclarationKind, Expr, ExprDomain, ExprKind, GeneratorRange, Index,
        Ints, LocalId, LocalOrigin, Qualifier, Range, expressions_in_domain,
    },
    language::{GroundDomain, IntSet, Stop, Type, Value, domain::shapes::*},
    operators::{Operator, results::OperandDomain},
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The domain of an expression. Integers without bounds may have any value.
pub(crate) fn domain_of(expr: &Expr, env: &mut Environment) -> GroundDomain {
    found(expr, &mut DomainFinder { env, lettings: FxHashMap::default(), locals: FxHashMap::default() })
}

/// The domains found for one expression. The domain of a name is found once, however often the expression mentions it.
struct DomainFinder<'e> {
    env: &'e mut Environment,
    lettings: FxHashMap<DeclarationId, GroundDomain>,
    locals: FxHashMap<LocalId, Option<GroundDomain>>,
}

fn found(expr: &Expr, finder: &mut DomainFinder) -> GroundDomain {
    match known(expr, finder).or_else(|| of_type(&expr.ty, &|ty| all_of_type(ty, finder.env))) {
        // If the domain is unbounded, the value of a constant may give a better one.
        Some(domain) if is_bounded(&domain) => domain,
        unbounded => of_constant(expr, finder).or(unbounded).unwrap_or_else(|| nothing(&expr.ty)),
    }
}

/// A domain for a known value, which is empty if the value is undefined. Only constants and parameters are evaluated: a
/// property must mean the same for a decision variable and for its value.
fn of_constant(expr: &Expr, finder: &mut DomainFinder) -> Option<GroundDomain> {
    let is_parameter = matches!(expr.kind, ExprKind::Global(_)) && expr.category == Category::Parameter;
    if expr.category != Category::Constant && !is_parameter {
        return None;
    }
    match evaluate(expr, finder.env) {
        Ok(value) => of_value(&value, &expr.ty, finder.env),
        Err(Stop::Undefined) => Some(nothing(&expr.ty)),
        Err(_) => None,
    }
}

fn known(expr: &Expr, finder: &mut DomainFinder) -> Option<GroundDomain> {
    match &expr.kind {
        ExprKind::Constant(value) => of_value(value, &expr.ty, finder.env),
        ExprKind::Global(id) => Some(of_global(*id, &expr.ty, finder)),
        ExprKind::Local(id) => {
            // The domain of a name is kept, because the name occurs in many places and its origin may be a deep
            // expression.
            if let Some(domain) = finder.locals.get(id) {
                return domain.clone();
            }
            let model = finder.env.model().clone();
            let domain = of_origin(model.locals.get(id.0 as usize)?, finder);
            finder.locals.insert(*id, domain.clone());
            domain
        }
        ExprKind::Apply(operator, operands) => of_application(operator, operands, finder),
        ExprKind::Tuple(items) => {
            let mut items = items.iter().map(|item| found(item, finder));
            Some(match &expr.ty {
                Type::Record(fields) => GroundDomain::Record(
                    fields.iter().map(|(name, _)| Some((name.clone(), items.next()?))).collect::<Option<_>>()?,
                ),
                _ => GroundDomain::Tuple(items.collect()),
            })
        }
        ExprKind::Variant(tag, inner) => {
            let inner = found(inner, finder);
            alternative(&expr.ty, *tag, inner)
        }
        ExprKind::Component(tuple, position) => component(found(tuple, finder), *position as usize),
        ExprKind::Alternative(variant, position) => match found(variant, finder) {
            GroundDomain::Variant(mut alternatives) => Some(alternatives.swap_remove(*position as usize).1),
            _ => None,
        },
        ExprKind::Matrix(elements, index) => {
            let element = join_all(elements, finder)?;
            let index = match index {
                Some(index) => ground(index, finder.env).unwrap_or(GroundDomain::Int(IntSet::empty())),
                None => GroundDomain::Int(IntSet::range(1, elements.len() as i64)),
            };
            Some(GroundDomain::Matrix(Box::new(index), Box::new(element)))
        }
        ExprKind::Slice(matrix, indices) => slice_domain(found(matrix, finder), indices),
        ExprKind::Projection(relation, columns) => match found(relation, finder) {
            GroundDomain::Collection(kind, _, domains) => {
                let free = domains.into_iter().zip(columns).filter(|(_, column)| column.is_none());
                Some(GroundDomain::of(kind, free.map(|(domain, _)| domain).collect::<Vec<_>>()))
            }
            _ => None,
        },
        ExprKind::Collection(kind, members) if !members.is_empty() => {
            collection_domain(*kind, join_all(members, finder)?).map(|domain| of_at_most(members.len(), domain))
        }
        ExprKind::Collection(..) => Some(nothing(&expr.ty)),
        ExprKind::Comprehension(comprehension) => Some(list_domain(found(&comprehension.body, finder))),
        ExprKind::Bubble(bubble) => Some(found(&bubble.value, finder)),
        ExprKind::Transform(permutations, value) => of_transform(permutations, value, finder),
        _ => None,
    }
}

/// The domain of a name that the model declares.
fn of_global(id: DeclarationId, ty: &Type, finder: &mut DomainFinder) -> GroundDomain {
    let model = finder.env.model().clone();
    let DeclarationKind::Letting(value) = &model.declaration(id).kind else {
        // If the domain is undefined, it contains no value.
        return finder.env.domain(id).map_or_else(|| nothing(ty), |domain| GroundDomain::clone(domain));
    };
    if let Some(domain) = finder.lettings.get(&id) {
        return domain.clone();
    }
    let domain = found(value, finder);
    finder.lettings.insert(id, domain.clone());
    domain
}

/// The domain of the image of a value under permutations.
fn of_transform(permutations: &Expr, value: &Expr, finder: &mut DomainFinder) -> Option<GroundDomain> {
    let before = found(value, finder);
    // An empty list may have an unknown type.
    let Some(Type::Collection(_, points)) = permutations.ty.member() else { return Some(before) };
    let Some(GroundDomain::Collection(_, _, moved)) = member(found(permutations, finder)) else { return None };
    let moved = of_type(&value.ty, &|ty| if *ty == points[0] { moved.first().cloned() } else { left_open(ty) });
    join(before, moved?)
}

fn of_origin(origin: &LocalOrigin, finder: &mut DomainFinder) -> Option<GroundDomain> {
    match origin {
        LocalOrigin::Domain(domain) => widest_domain(domain, finder),
        LocalOrigin::Value(value) | LocalOrigin::Subset(value) => Some(found(value, finder)),
        LocalOrigin::Member(collection) => member(found(collection, finder)),
        LocalOrigin::Component(whole, position) => component(of_origin(whole, finder)?, *position),
        LocalOrigin::Inner(whole) => member(of_origin(whole, finder)?),
    }
}

/// The domain of a generator. If its bounds depend on decisions, or on names that have no value now, it is the widest
/// domain that is possible.
fn widest_domain(domain: &ExprDomain, finder: &mut DomainFinder) -> Option<GroundDomain> {
    let mut depends_on_decisions = false;
    expressions_in_domain(domain, &mut |expr| depends_on_decisions |= expr.category == Category::Decision);
    // If a bound mentions a quantified name without a value, this fails, and the widest domain is found below.
    if !depends_on_decisions && let Ok(domain) = ground(domain, finder.env) {
        return Some(domain);
    }
    // Two closures need the finder in turn, so it is in a cell.
    let finder = RefCell::new(finder);
    let bounds = |set: &Ints| {
        let finder = &mut *finder.borrow_mut();
        let (ranges, (lowest, highest)) = match set {
            Ints::Ranges(ranges) => (ranges, (None, None)),
            Ints::Named(id, ranges) => (ranges, (Some(1), finder.env.size_of_type(id.0))),
            Ints::Members(_) => return Err(()),
        };
        let mut ends = |expr: &Expr| match found(expr, finder) {
            GroundDomain::Int(values) if values.is_finite() => IntSet::min(&values).zip(IntSet::max(&values)).ok_or(()),
            _ => Err(()),
        };
        // Each range extends from its smallest lower end to its largest upper end.
        let mut all = Vec::with_capacity(ranges.len());
        for range in ranges {
            all.push(match range {
                Range::Single(value) => ends(value)?,
                Range::Interval(low, high) => (
                    low.as_ref().map_or(lowest.ok_or(()), |low| ends(low).map(|ends| ends.0))?,
                    high.as_ref().map_or(highest.ok_or(()), |high| ends(high).map(|ends| ends.1))?,
                ),
            });
        }
        Ok(IntSet::from_ranges(all))
    };
    // If the number in an attribute is unknown, it has no widest value, so the domain is unknown.
    domain.try_map(&mut |set| bounds(set), &mut |_| Err(())).ok()
}

/// The largest number of elements of a list whose domain does not show it.
fn most_elements(expr: &Expr, finder: &mut DomainFinder) -> Option<i64> {
    match &expr.kind {
        ExprKind::Comprehension(comprehension) => most_bindings(comprehension, finder),
        ExprKind::Apply(operator, operands) if operator.is_flattening => {
            let mut most = 1i64;
            let mut lists = found(operands.last()?, finder);
            while let GroundDomain::Matrix(index, inner) = lists {
                most = most.checked_mul(domain_value_count(&index)?)?;
                lists = *inner;
            }
            Some(most)
        }
        _ => None,
    }
}

/// The largest number of elements of a comprehension.
fn most_bindings(comprehension: &Comprehension, finder: &mut DomainFinder) -> Option<i64> {
    let mut most = Some(1i64);
    for qualifier in &comprehension.qualifiers {
        let Qualifier::Generator(_, over) = qualifier else { continue };
        let choices = match over {
            GeneratorRange::Domain(domain) => {
                widest_domain(domain, finder).and_then(|domain| domain_value_count(&domain))
            }
            GeneratorRange::Members(collection) => most_members(&found(collection, finder)),
            GeneratorRange::Subsets(_) => None,
        };
        most = most.zip(choices).and_then(|(most, choices): (i64, i64)| most.checked_mul(choices));
    }
    most
}

fn slice_domain(domain: GroundDomain, indices: &[Index]) -> Option<GroundDomain> {
    let Some((first, rest)) = indices.split_first() else { return Some(domain) };
    let GroundDomain::Matrix(index, element) = domain else { return None };
    let element = slice_domain(*element, rest)?;
    Some(match first {
        Index::At(_) => element,
        Index::Slice(..) => GroundDomain::Matrix(index, Box::new(element)),
    })
}

/// The domain of an operator's result, from the domains of its operands.
fn of_application(operator: &Operator, operands: &[Expr], finder: &mut DomainFinder) -> Option<GroundDomain> {
    let mut operand = |operand: &Expr| {
        let domain = match &operand.kind {
            ExprKind::Domain(domain) => ground(domain, finder.env).ok()?,
            _ => found(operand, finder),
        };
        Some(OperandDomain { domain, most_elements: most_elements(operand, finder) })
    };
    (operator.results?)(operands.iter().map(&mut operand).collect::<Option<_>>()?)
}

fn join_all(exprs: &[Expr], finder: &mut DomainFinder) -> Option<GroundDomain> {
    let mut domains = exprs.iter().map(|expr| found(expr, finder));
    let first = domains.next()?;
    domains.try_fold(first, join)
}

/// A small domain that contains a value.
fn of_value(value: &Value, ty: &Type, env: &Environment) -> Option<GroundDomain> {
    let joined = |values: &[Value], ty: &Type| {
        let Some((first, rest)) = values.split_first() else { return Some(nothing(ty)) };
        let first = of_value(first, ty, env)?;
        rest.iter().try_fold(first, |joined, value| join(joined, of_value(value, ty, env)?))
    };
    let member = ty.member();
    Some(match (value, ty) {
        (Value::Int(value), Type::Int(_)) => GroundDomain::Int(IntSet::single(*value)),
        (Value::Tuple(items), Type::Tuple(types)) => {
            let items = items.iter().zip(types.iter()).map(|(item, ty)| of_value(item, ty, env));
            GroundDomain::Tuple(items.collect::<Option<_>>()?)
        }
        (Value::Tuple(items), Type::Record(fields)) => {
            let items = items.iter().zip(fields.iter());
            let items = items.map(|(item, (name, ty))| Some((name.clone(), of_value(item, ty, env)?)));
            GroundDomain::Record(items.collect::<Option<_>>()?)
        }
        (Value::Variant(tag, inner), Type::Variant(types)) => {
            return alternative(ty, *tag, of_value(inner, &types[*tag as usize].1, env)?);
        }
        (Value::Matrix(matrix), _) => {
            GroundDomain::Matrix(Box::new(matrix.index.clone()), Box::new(joined(&matrix.elements, &member?)?))
        }
        (Value::Collection(kind, _) | Value::Mapping(kind, _), _) => {
            collection_domain(*kind, joined(&value.listed(), &ty.listed_member()?)?)?
        }
        _ => return of_type(ty, &|ty| all_of_type(ty, env)),
    })
}

/// All values of a type without parts.
fn all_of_type(ty: &Type, env: &Environment) -> Option<GroundDomain> {
    match ty {
        Type::Bool => Some(GroundDomain::Bool),
        Type::Int(_) => Some(GroundDomain::Int(IntSet::all())),
        Type::Named(named) => Some(GroundDomain::Int(IntSet::range(1, env.size_of_type(named.id)?))),
        _ => None,
    }
}
