//! Symmetry in proofs: constraints that exclude some of the solutions that differ only in names.
//!
//! Values, members of unnamed types, rows of matrices and parts of a collection are candidates for being
//! interchangeable. A swap of two of them is a symmetry if it maps each constraint of the formula to another one. Then
//! the proof may require that a literal is at least as true as its image, by a redundance step with the swap as the
//! witness: a solution in which only the image is true can be swapped. The first member gets such a step with each
//! other one, then the second with each later one for another literal, and so on. In this order, the swaps of later
//! steps map the constraints of earlier ones to each other.
//!
//! Nothing here needs to be trusted: the checker verifies each step. A step that would fail is left out.

use super::log::ProofLog;
use crate::{
    language::{Collection, Value},
    reference::{PbConstraint, PbLiteral, PbNumber, Reference},
    solver::EngineOptions,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, collections::BTreeSet};

/// The maximum number of interchangeable members. Chosen.
const MOST_MEMBERS: usize = 64;
/// The maximum number of literals in the constraints that are compared: about half a second. Chosen.
const WORK: usize = 5_000_000;
/// The maximum number of literals in all witnesses. Chosen.
const MOST_MAPPED: usize = 400_000;

/// The literal that replaces each variable.
type LiteralSwap = FxHashMap<i32, PbLiteral>;

/// A constraint with its terms in a fixed order, for comparisons.
type SortedConstraint = (Vec<(i32, PbNumber)>, PbNumber);

/// Positions in paths, each the number of the decision variable and the depth, with the members that occur there.
struct MemberFamily {
    sites: FxHashSet<(Value, usize)>,
    members: Vec<i64>,
}

/// The state of the search for symmetries.
struct SymmetrySearch<'a> {
    reference: &'a Reference,
    places: Vec<(Vec<Value>, PbLiteral)>,
    by_path: FxHashMap<Vec<Value>, PbLiteral>,
    /// The auxiliary variables in their order with the positions of their definitions, and the variables by definition.
    auxiliary: Vec<(i32, usize)>,
    by_definition: FxHashMap<SortedConstraint, i32>,
    known: FxHashSet<SortedConstraint>,
    /// The positions of the at-most-one constraints on each literal.
    exclusive: FxHashMap<i32, FxHashSet<usize>>,
    /// The number of constraints with each variable.
    occurrences: FxHashMap<i32, usize>,
    size: usize,
    work: usize,
    mapped: usize,
    /// The clauses so far: a literal, and the negated image.
    steps: Vec<(PbLiteral, PbLiteral)>,
}

/// Logs steps that exclude symmetric solutions. Returns their clauses with their numbers.
pub(super) fn symmetry_steps(
    reference: &Reference,
    log: &mut ProofLog,
    options: &EngineOptions,
) -> Vec<(Vec<i32>, u64)> {
    let constraints = reference.formula.constraints.iter();
    let size = constraints.map(|constraint| constraint.terms.len()).sum::<usize>() + reference.formula.variables();
    if size > WORK / 4 {
        return Vec::new();
    }
    let mut search = SymmetrySearch::new(reference, size);
    let mut clauses = Vec::new();
    for family in search.families() {
        let mut used: Vec<(PbLiteral, i64)> = Vec::new();
        for (position, member) in family.members.iter().enumerate() {
            let later = &family.members[position + 1..];
            let Some(other) = later.first() else { break };
            // If these two are not interchangeable, the others need not be tried.
            if options.reached().is_some() || search.swap(&family, *member, *other).is_none() {
                break;
            }
            let Some(pivot) = search.pivot(&family, *member, &used) else { continue };
            used.push((pivot, *member));
            for other in later {
                if let Some(line) = search.step(&family, pivot, *member, *other, log) {
                    let (literal, image) = search.steps[search.steps.len() - 1];
                    clauses.push((vec![literal.number(), image.number()], log.linked_step(&line)));
                }
            }
        }
    }
    clauses
}

impl<'a> SymmetrySearch<'a> {
    fn new(reference: &'a Reference, size: usize) -> Self {
        let places = reference.places();
        let by_path = places.iter().cloned().collect();
        let constraints = &reference.formula.constraints;
        let (mut first, mut exclusive, mut occurrences) =
            (FxHashMap::default(), FxHashMap::<i32, FxHashSet<usize>>::default(), FxHashMap::default());
        for (position, PbConstraint { terms, least }) in constraints.iter().enumerate() {
            let is_exclusive = PbNumber::count(terms.len()) == *least + PbNumber::ONE
                && terms.iter().all(|(factor, _)| *factor == PbNumber::ONE);
            for (_, literal) in terms {
                first.entry(literal.number().abs()).or_insert(position);
                *occurrences.entry(literal.number().abs()).or_default() += 1;
                if is_exclusive {
                    exclusive.entry((!*literal).number()).or_default().insert(position);
                }
            }
        }
        let auxiliary: Vec<(i32, usize)> =
            reference.formula.auxiliary().filter_map(|one| Some((one, *first.get(&one)?))).collect();
        let definition = |(variable, position): &(i32, usize)| {
            (defining_terms(&constraints[*position], *variable, &LiteralSwap::default()), *variable)
        };
        SymmetrySearch {
            by_definition: auxiliary.iter().map(definition).collect(),
            known: constraints.iter().map(|one| sorted(one, &LiteralSwap::default())).collect(),
            reference,
            places,
            by_path,
            auxiliary,
            exclusive,
            occurrences,
            size,
            work: WORK,
            mapped: MOST_MAPPED,
            steps: Vec::new(),
        }
    }

    /// The families that may be interchangeable: for each set of members, first all positions together.
    fn families(&self) -> Vec<MemberFamily> {
        let mut sites: FxHashMap<(Value, usize), BTreeSet<i64>> = FxHashMap::default();
        for (path, _) in &self.places {
            for (depth, part) in path.iter().enumerate().skip(1) {
                members_in(part, sites.entry((path[0].clone(), depth)).or_default());
            }
        }
        let mut together: FxHashMap<Vec<i64>, Vec<(Value, usize)>> = FxHashMap::default();
        for (site, members) in sites {
            if (2..=MOST_MEMBERS).contains(&members.len()) {
                together.entry(members.into_iter().collect()).or_default().push(site);
            }
        }
        let mut families = Vec::new();
        for (members, sites) in together {
            let family = |sites: &[(Value, usize)]| MemberFamily {
                sites: sites.iter().cloned().collect(),
                members: members.clone(),
            };
            families.push((Reverse(sites.len()), sites.iter().min().cloned(), family(&sites)));
            if sites.len() > 1 {
                families
                    .extend(sites.iter().map(|one| (Reverse(1), Some(one.clone()), family(std::slice::from_ref(one)))));
            }
        }
        // Larger families come first; the rest of the order only makes proofs reproducible.
        families.sort_by_key(|(count, first, family)| (*count, Reverse(family.members.len()), first.clone()));
        families.into_iter().map(|(_, _, family)| family).collect()
    }

    /// A path in which two members of a family have changed places.
    fn swapped(family: &MemberFamily, path: &[Value], one: i64, other: i64) -> Vec<Value> {
        let part = |(depth, value): (usize, &Value)| match family.sites.contains(&(path[0].clone(), depth)) {
            true => with_swap(value, one, other),
            false => value.clone(),
        };
        path.iter().enumerate().map(part).collect()
    }

    /// The swap of two members of a family; `None` if it is not a symmetry of the formula.
    fn swap(&mut self, family: &MemberFamily, one: i64, other: i64) -> Option<LiteralSwap> {
        self.work = self.work.checked_sub(self.size)?;
        let mut swap = LiteralSwap::default();
        for (path, literal) in &self.places {
            let image = *self.by_path.get(&Self::swapped(family, path, one, other))?;
            if image != *literal && !maps(&mut swap, *literal, image) {
                return None;
            }
        }
        let constraints = &self.reference.formula.constraints;
        for (variable, position) in &self.auxiliary {
            let terms = &constraints[*position].terms;
            if terms.iter().any(|(_, literal)| swap.contains_key(&literal.number().abs())) {
                let definition = defining_terms(&constraints[*position], *variable, &swap);
                let image = PbLiteral::numbered(*self.by_definition.get(&definition)?);
                if image.number() != *variable {
                    swap.insert(*variable, image);
                }
            }
        }
        let is_mapped = |terms: &[(PbNumber, PbLiteral)]| {
            terms.iter().any(|(_, literal)| swap.contains_key(&literal.number().abs()))
        };
        let mut moved = constraints.iter().filter(|one| is_mapped(&one.terms));
        if !moved.all(|one| self.known.contains(&sorted(one, &swap))) {
            return None;
        }
        // The image of a solution must have the same value of the objective.
        let objective = PbConstraint::new(self.reference.formula.objective.clone().unwrap_or_default(), PbNumber::ZERO);
        let is_same =
            !is_mapped(&objective.terms) || sorted(&objective, &swap) == sorted(&objective, &LiteralSwap::default());
        (is_same && !swap.is_empty()).then_some(swap)
    }

    /// Returns the literal about a member that must be at least as true as its images. No earlier pivot excludes it;
    /// among such literals, it is the one with the most images that earlier pivots exclude.
    fn pivot(&self, family: &MemberFamily, member: i64, used: &[(PbLiteral, i64)]) -> Option<PbLiteral> {
        let mut best = None;
        for (path, literal) in &self.places {
            let has_member = |(depth, part): (usize, &Value)| {
                let mut members = BTreeSet::new();
                members_in(part, &mut members);
                members.contains(&member) && family.sites.contains(&(path[0].clone(), depth))
            };
            let is_about = path.iter().enumerate().skip(1).any(has_member);
            if !is_about || used.iter().any(|(earlier, _)| self.exclude(*earlier, *literal)) {
                continue;
            }
            let excluded = used.iter().filter(|(earlier, other)| {
                let image = self.by_path.get(&Self::swapped(family, path, member, *other));
                image.is_some_and(|image| self.exclude(*earlier, *image))
            });
            let occurrences = self.occurrences.get(&literal.number().abs()).copied().unwrap_or(0);
            let score = (excluded.count(), occurrences, Reverse(literal.number()));
            if best.is_none_or(|(other, _)| score > other) {
                best = Some((score, *literal));
            }
        }
        best.map(|(_, literal)| literal)
    }

    /// Returns true if a constraint forbids that both literals are true.
    fn exclude(&self, one: PbLiteral, other: PbLiteral) -> bool {
        let of = |literal: PbLiteral| self.exclusive.get(&literal.number());
        let shared = of(one).zip(of(other)).is_some_and(|(left, right)| !left.is_disjoint(right));
        one != other && shared
    }

    /// Returns the proof line that makes a literal at least as true as its image; `None` if there is no such step.
    fn step(
        &mut self,
        family: &MemberFamily,
        pivot: PbLiteral,
        member: i64,
        other: i64,
        log: &ProofLog,
    ) -> Option<String> {
        let swap = self.swap(family, member, other)?;
        let image = image_of(&swap, pivot);
        if image == pivot {
            return None;
        }
        let has_image = |(literal, negated): &(PbLiteral, PbLiteral)| {
            let clause = [image_of(&swap, *literal), image_of(&swap, *negated)];
            // If the new clause is violated, the image is true and the literal is false.
            clause.contains(&image)
                || clause.contains(&!pivot)
                || self.steps.contains(&(clause[0], clause[1]))
                || self.steps.contains(&(clause[1], clause[0]))
        };
        if !self.steps.iter().all(has_image) {
            return None;
        }
        self.mapped = self.mapped.checked_sub(swap.len())?;
        self.steps.push((pivot, !image));
        let mut mapped: Vec<(&i32, &PbLiteral)> = swap.iter().collect();
        mapped.sort_unstable();
        let mut line = format!("red 1 {} 1 {} >= 1 :", log.name(pivot), log.name(!image));
        for (variable, image) in mapped {
            line += &format!(" {} -> {}", log.name(PbLiteral::numbered(*variable)), log.name(*image));
        }
        Some(line + ";")
    }
}

fn image_of(swap: &LiteralSwap, literal: PbLiteral) -> PbLiteral {
    match swap.get(&literal.number().abs()) {
        Some(image) if literal.number() < 0 => !*image,
        Some(image) => *image,
        None => literal,
    }
}

/// Adds the image of a literal to a swap; returns false if the literal already has another image.
fn maps(swap: &mut LiteralSwap, literal: PbLiteral, image: PbLiteral) -> bool {
    let image = if literal.number() < 0 { !image } else { image };
    *swap.entry(literal.number().abs()).or_insert(image) == image
}

fn sorted(constraint: &PbConstraint, swap: &LiteralSwap) -> SortedConstraint {
    let images = constraint.terms.iter().map(|(factor, literal)| (image_of(swap, *literal).number(), *factor));
    let mut terms: Vec<(i32, PbNumber)> = images.collect();
    terms.sort_unstable();
    (terms, constraint.least)
}

/// The image of the definition of an auxiliary variable, without the variable itself.
fn defining_terms(constraint: &PbConstraint, variable: i32, swap: &LiteralSwap) -> SortedConstraint {
    let others = constraint.terms.iter().filter(|(_, literal)| literal.number().abs() != variable);
    sorted(&PbConstraint::new(others.copied().collect(), constraint.least), swap)
}

/// Collects the integers in a value, among them the positions of members of enumerated and unnamed types.
fn members_in(value: &Value, members: &mut BTreeSet<i64>) {
    match value {
        Value::Int(number) => drop(members.insert(*number)),
        Value::Tuple(items) | Value::Collection(_, items) => items.iter().for_each(|item| members_in(item, members)),
        _ => {}
    }
}

/// A value in which two integers have changed places.
fn with_swap(value: &Value, one: i64, other: i64) -> Value {
    let swapped = |items: &[Value]| items.iter().map(|item| with_swap(item, one, other)).collect::<Vec<_>>();
    match value {
        Value::Int(number) if *number == one => Value::Int(other),
        Value::Int(number) if *number == other => Value::Int(one),
        Value::Tuple(items) => Value::tuple(swapped(items)),
        Value::Collection(kind, items) => {
            let mut items = swapped(items);
            if *kind != Collection::Sequence {
                items.sort_unstable();
            }
            Value::Collection(*kind, items.into())
        }
        _ => value.clone(),
    }
}
