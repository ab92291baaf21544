//! Symmetries of unnamed types. The members of an unnamed type are indistinguishable, so any permutation of them maps
//! solutions to solutions. One solution of each class of images is enough: the least one, in the order `.<` of the
//! tuple of all decision variables as they are declared.
//!
//! A solution is kept if it is not greater than its images under some list of permutations, one *lex-leader* condition
//! for each (Crawford, Ginsberg, Luks, Roy: Symmetry-breaking predicates for search problems, KR 1996). With all
//! permutations, exactly the least solutions remain. With fewer, others may also remain; for neighbouring pairs see
//! Flener and others: Breaking row and column symmetries in matrix models, CP 2002.

use super::{GroundInstance, SolutionValues, transform};
use crate::{
    analysis::{self, model::DeclarationKind},
    diagnostic::{Code, Diagnostic},
    language::{Collection, Evaluated, GroundDomain, IntSet, NamedType, Type, Value},
};
use std::{cmp::Ordering, str::FromStr};

/// The maximum number of lex-leader conditions. Chosen.
const MOST: u128 = 50_000;

/// The permutations to use for each unnamed type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymmetryScope {
    /// Exchanges of a member and the next one.
    Consecutive,
    /// Exchanges of two members.
    AllPairs,
    /// All permutations of the members.
    AllPermutations,
}

/// The symmetries to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymmetryBreaking {
    /// The permutations to use.
    pub scope: SymmetryScope,
    /// True to combine permutations of all unnamed types; otherwise each permutation is of one type.
    pub together: bool,
}

impl SymmetryBreaking {
    /// Symmetry breaking that is cheap but may keep several solutions that are images of each other.
    pub const FAST: SymmetryBreaking = SymmetryBreaking { scope: SymmetryScope::Consecutive, together: false };
    /// Symmetry breaking that keeps exactly one solution of each class.
    pub const FULL: SymmetryBreaking = SymmetryBreaking { scope: SymmetryScope::AllPermutations, together: true };
}

impl FromStr for SymmetryBreaking {
    type Err = &'static str;

    /// Reads `fast`, `full`, or one of Conjure's words such as `Quick-AllPairs-Independently`. Conjure writes `Quick`
    /// for a cheaper order than `Complete`; here, both mean the same order.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.split('-').collect();
        Ok(match parts[..] {
            ["fast"] => SymmetryBreaking::FAST,
            ["full"] => SymmetryBreaking::FULL,
            ["Quick" | "Complete", scope, types @ ("Independently" | "Altogether")] => {
                let scope = match scope {
                    "Consecutive" => SymmetryScope::Consecutive,
                    "AllPairs" => SymmetryScope::AllPairs,
                    "AllPermutations" => SymmetryScope::AllPermutations,
                    _ => return Err("the second part is one of Consecutive, AllPairs and AllPermutations"),
                };
                SymmetryBreaking { scope, together: types == "Altogether" }
            }
            _ => return Err("one of `none`, `fast` and `full`"),
        })
    }
}

/// The search for symmetries that are visible in a model (values, rows and columns that can be exchanged), which are
/// then broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymmetryDetection {
    /// Break symmetries if one solution or the best one is wanted and the solver is the portfolio, unless its trial has
    /// already found the answer. If several solutions are wanted, keep all of them.
    #[default]
    Auto,
    /// Break symmetries if one solution or the best one is wanted, with any solver.
    On,
    /// Never.
    Off,
}

/// For each unnamed type that a symmetry permutes, the members that it moves in ascending order, with their images.
pub(crate) type Symmetry = Vec<(Type, Vec<(Value, Value)>)>;

/// The symmetries of an instance to break, without the identity. It is an error if the model distinguishes members of
/// an unnamed type, or if there are too many symmetries.
pub(crate) fn symmetries(
    instance: &GroundInstance,
    breaking: SymmetryBreaking,
) -> Result<Vec<Symmetry>, Box<Diagnostic>> {
    // If no decision contains an unnamed type, no symmetry needs breaking.
    let types = permuted_types(instance);
    if types.is_empty() {
        return Ok(Vec::new());
    }
    if let Some((span, reason)) = analysis::distinguishes_members(&instance.model) {
        return Err(Box::new(
            Diagnostic::error(Code::NOT_SYMMETRIC, "the model distinguishes the members of an unnamed type")
                .at(span, reason)
                .note(
                    "the option keeps one of the solutions that differ only in such members, and this may rule it out",
                )
                .help(
                    "if this is only there to break symmetries, remove it; otherwise, leave out \
                    --unnamed-symmetry-breaking",
                ),
        ));
    }
    // The symmetries are counted before they are listed, because there may be too many.
    let of_each = |size: i64| -> u128 {
        let size = size.unsigned_abs().into();
        match breaking.scope {
            SymmetryScope::Consecutive => size - 1,
            SymmetryScope::AllPairs => size * (size - 1) / 2,
            SymmetryScope::AllPermutations => {
                (1..=size).try_fold(1u128, |all, factor| all.checked_mul(factor)).unwrap_or(u128::MAX)
            }
        }
    };
    let counts = types.iter().map(|(_, size)| of_each(*size));
    let count = match breaking.together {
        true => counts.fold(1, u128::saturating_mul),
        false => counts.fold(0, u128::saturating_add),
    };
    if count > MOST {
        return Err(Box::new(too_many_symmetries(instance, breaking, &types, count)));
    }
    let each: Vec<Vec<Symmetry>> = types
        .iter()
        .map(|(ty, size)| {
            let symmetry = |pairs: Vec<(Value, Value)>| vec![(Type::Named(ty.clone()), pairs)];
            permutations(breaking.scope, *size).into_iter().map(symmetry).collect()
        })
        .collect();
    let mut all = match breaking.together {
        false => each.concat(),
        // Each combination has one permutation for each type, which may be the identity.
        true => each.into_iter().fold(vec![Symmetry::new()], |before, next| {
            let combine =
                |first: &Symmetry| next.iter().map(|second| [&first[..], &second[..]].concat()).collect::<Vec<_>>();
            before.iter().flat_map(combine).collect()
        }),
    };
    // The identity breaks no symmetry, so it is dropped.
    all.retain(|symmetry| symmetry.iter().any(|(_, pairs)| !pairs.is_empty()));
    Ok(all)
}

/// Returns true if a solution is not greater than any of its images.
pub(crate) fn is_least(
    instance: &GroundInstance,
    symmetries: &[Symmetry],
    solution: &SolutionValues,
) -> Evaluated<bool> {
    for symmetry in symmetries {
        let mut order = Ordering::Equal;
        for (id, value) in solution {
            let ty = &instance.model.declaration(*id).ty;
            let mut image = value.clone();
            for (points, pairs) in symmetry {
                image = transform::apply_permutation(pairs, points, &image, ty)?;
            }
            order = value.cmp(&image);
            // Solutions are ordered like tuples: the first decision variable that differs decides.
            if order.is_ne() {
                break;
            }
        }
        if order.is_gt() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The unnamed types of two members or more that decision variables mention, with their sizes.
fn permuted_types(instance: &GroundInstance) -> Vec<(NamedType, i64)> {
    let model = &instance.model;
    let mut types = Vec::new();
    for (id, declaration) in model.declared() {
        let unnamed = NamedType { name: declaration.name.clone(), id: id.0, unnamed: true };
        let is_this = |ty: &Type| matches!(ty, Type::Named(named) if *named == unnamed);
        if matches!(declaration.kind, DeclarationKind::Unnamed(_))
            && instance.finds.iter().any(|find| model.declaration(find.id).ty.mentions(&is_this))
            && let Some(size) = instance.environment.size_of_type(id.0)
            && size > 1
        {
            types.push((unnamed, size));
        }
    }
    types
}

/// The permutations of 1 to `size`, each as the points that it moves with their images.
fn permutations(scope: SymmetryScope, size: i64) -> Vec<Vec<(Value, Value)>> {
    let exchange = |first: i64, second: i64| {
        let (first, second) = (Value::Int(first), Value::Int(second));
        vec![(first.clone(), second.clone()), (second, first)]
    };
    match scope {
        SymmetryScope::Consecutive => (1..size).map(|first| exchange(first, first + 1)).collect(),
        SymmetryScope::AllPairs => (1..size)
            .flat_map(|first| (first + 1..=size).map(move |second| (first, second)))
            .map(|(first, second)| exchange(first, second))
            .collect(),
        SymmetryScope::AllPermutations => {
            let points = GroundDomain::Int(IntSet::range(1, size));
            let moved = |value| match value {
                Value::Mapping(_, pairs) => pairs.to_vec(),
                other => unreachable!("a permutation was expected, not {other:?}"),
            };
            GroundDomain::of(Collection::Permutation, [points]).members().map(moved).collect()
        }
    }
}

fn too_many_symmetries(
    instance: &GroundInstance,
    breaking: SymmetryBreaking,
    types: &[(NamedType, i64)],
    count: u128,
) -> Diagnostic {
    let sizes: Vec<String> = types.iter().map(|(ty, size)| format!("`{}` has {size} members", ty.name)).collect();
    let count = if count == u128::MAX { "more than 10^38".to_owned() } else { count.to_string() };
    let error = Diagnostic::error(Code::TOO_LARGE, format!("there are too many symmetries to break: {count}"))
        .at(instance.model.declarations[types[0].0.id as usize].span, "each permutation of its members is a symmetry")
        .note(format!("{}; the limit is {MOST} permutations", sizes.join(" and ")));
    match breaking == SymmetryBreaking::FAST {
        true => error.help("leave out --unnamed-symmetry-breaking"),
        false => error.help(
            "use --unnamed-symmetry-breaking=fast, which breaks one symmetry for each pair of neighbouring members",
        ),
    }
}
