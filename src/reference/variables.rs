//! Declares the Booleans of each decision variable in the reference formula, with the constraints of its domain.
//!
//! Certificates are about this formula, so the constraints must admit exactly the values of the domain. A constraint
//! that is too strong can certify a false "no solution"; a weak one makes proofs fail. Use only the typed model,
//! domains and `eval`, never `lowering` or `symbolic`. Return `not_covered` for what cannot be expressed exactly. You
//! may change the limits; people read the names of the Booleans in certificates.

use super::{
    formula::{PbConstraint, PbFormula, PbLiteral},
    number::PbNumber,
    term::{Cases, Covered, MapEntry, PbTerm, Summand, at_least, at_most, not_covered},
};
use crate::language::{
    Collection, GroundDomain, Type, Value,
    attributes::{Attributes, Clause, Measure, Property, PropertyForm, SOME, Size, points_between},
    print::MemberNames,
};
use std::rc::Rc;

/// The maximum number of values of a number with a Boolean for each; numbers with more values are written in binary.
/// Chosen.
const MOST_DIRECT: u128 = 600;
/// The maximum number of members or arguments that a collection may have. Chosen.
const MOST_MEMBERS: u128 = 5_000;

/// Declares the Booleans of one decision variable.
pub(super) struct FindDeclarer<'a> {
    pub formula: &'a mut PbFormula,
    pub names: &'a MemberNames,
}

impl FindDeclarer<'_> {
    fn value(&self, value: &Value, ty: &Type) -> String {
        self.names.show(value, ty)
    }

    /// Adds a constraint that must hold if `present` is true.
    fn require(&mut self, present: PbLiteral, constraint: PbConstraint) {
        self.formula.require(&[!present], constraint);
    }

    /// A new Boolean, which is false if `present` is.
    fn decision(&mut self, present: PbLiteral, name: &str) -> PbLiteral {
        // If a part is absent, its decisions are fixed, so it adds no solutions.
        let literal = self.formula.decision(name);
        // If the part is absent, all of its Booleans are false, so that it has only one assignment.
        self.formula.require(&[], PbConstraint::clause([!literal, present]));
        literal
    }

    fn require_all(&mut self, present: PbLiteral, facts: Vec<PbConstraint>) {
        facts.into_iter().for_each(|fact| self.require(present, fact));
    }

    /// Declares a value of the domain. If `present` is false, all its Booleans are.
    pub(super) fn declare(
        &mut self,
        domain: &GroundDomain,
        ty: &Type,
        path: &str,
        present: PbLiteral,
    ) -> Covered<PbTerm> {
        match domain {
            GroundDomain::Bool => Ok(PbTerm::Bool(self.decision(present, &format!("{path} holds")))),
            GroundDomain::Int(set) => match set.size() {
                Some(size) if size <= MOST_DIRECT => {
                    let name = |value: &Value| format!("{path} is {}", self.names.show(value, ty));
                    let values: Vec<(Value, String)> =
                        set.iter().map(Value::Int).map(|value| (value.clone(), name(&value))).collect();
                    Ok(PbTerm::Cases(self.exactly_one(present, values)))
                }
                // If each value had a literal, formulas about large numbers would be too long.
                _ => self.declare_binary(domain, path, present),
            },
            GroundDomain::Tuple(domains) => {
                let of = |position: usize| match ty {
                    Type::Tuple(types) => types.get(position).cloned().unwrap_or(Type::Any),
                    _ => Type::Any,
                };
                let items = domains.iter().enumerate();
                let items = items.map(|(position, domain)| {
                    self.declare(domain, &of(position), &format!("{path}[{}]", position + 1), present)
                });
                Ok(PbTerm::Tuple(items.collect::<Covered<_>>()?))
            }
            GroundDomain::Record(fields) => {
                let of = |position: usize| match ty {
                    Type::Record(types) => types.get(position).map_or(Type::Any, |(_, ty)| ty.clone()),
                    _ => Type::Any,
                };
                let items = fields.iter().enumerate();
                let items = items.map(|(position, (name, domain))| {
                    self.declare(domain, &of(position), &format!("{path}[{name}]"), present)
                });
                Ok(PbTerm::Tuple(items.collect::<Covered<_>>()?))
            }
            GroundDomain::Variant(_) => not_covered("variants"),
            GroundDomain::Matrix(index, element) => self.declare_matrix(index, element, ty, path, present),
            GroundDomain::Collection(kind, attributes, parts) => {
                let term = self.declare_collection(*kind, attributes, parts, ty, path, present)?;
                for (measure, bounds) in attributes.measures() {
                    let facts = measured(self.formula, *measure, bounds, &term)?;
                    self.require_all(present, facts);
                }
                let sides = domain.sides();
                for property in attributes.properties() {
                    let facts = has_property(self.formula, *property, &term, &sides)?;
                    self.require_all(present, facts);
                }
                Ok(term)
            }
        }
    }

    /// Declares a collection, whose attributes hold only as far as its declaration needs them.
    fn declare_collection(
        &mut self,
        kind: Collection,
        attributes: &Attributes<i64>,
        parts: &[GroundDomain],
        ty: &Type,
        path: &str,
        present: PbLiteral,
    ) -> Covered<PbTerm> {
        let types = match ty {
            Type::Collection(_, types) => types.to_vec(),
            _ => Vec::new(),
        };
        let ty = |position: usize| types.get(position).cloned().unwrap_or(Type::Any);
        match kind {
            Collection::Set => self.declare_members(kind, &parts[0], &ty(0), path, present),
            Collection::Relation => {
                let member = Type::of_tuple(&types.clone().into());
                self.declare_members(kind, &GroundDomain::Tuple(parts.into()), &member, path, present)
            }
            Collection::Partition => self.declare_parts(attributes, &parts[0], &ty(0), path, present),
            Collection::Function => {
                self.must_be_few(&parts[0], "functions with more than")?;
                let total = attributes.has(Property::Total);
                let mut entries = Vec::new();
                for argument in parts[0].members() {
                    let path = format!("{path}({})", self.value(&argument, &ty(0)));
                    entries.push(self.declare_entry(argument, total, &parts[1], &ty(1), &path, present)?);
                }
                Ok(PbTerm::Map(kind, entries.into()))
            }
            Collection::Sequence => self.declare_sequence(attributes.size(), &parts[0], &ty(0), path, present),
            Collection::MSet => self.declare_mset(attributes, &parts[0], &ty(0), path, present),
            Collection::Permutation => not_covered("permutations"),
        }
    }

    fn declare_matrix(
        &mut self,
        index: &GroundDomain,
        element: &GroundDomain,
        ty: &Type,
        path: &str,
        present: PbLiteral,
    ) -> Covered<PbTerm> {
        let (index_type, element_type) = match ty {
            Type::Matrix(parts) => (parts[0].clone(), parts[1].clone()),
            Type::List(inner) => (Type::INT, (**inner).clone()),
            _ => (Type::Any, Type::Any),
        };
        self.must_be_few(index, "matrices with more than")?;
        let mut elements = Vec::new();
        for index in index.members() {
            let path = format!("{path}[{}]", self.value(&index, &index_type));
            elements.push(self.declare(element, &element_type, &path, present)?);
        }
        Ok(PbTerm::Matrix(Rc::new(index.clone()), elements.into()))
    }

    fn declare_sequence(
        &mut self,
        size: &Size<i64>,
        element: &GroundDomain,
        ty: &Type,
        path: &str,
        present: PbLiteral,
    ) -> Covered<PbTerm> {
        let Some(most) = size.max.filter(|most| (0..=MOST_MEMBERS as i64).contains(most)) else {
            return not_covered("sequences that may be longer than 5000");
        };
        let mut entries: Vec<MapEntry> = Vec::new();
        for position in 1..=most {
            let path = format!("{path}({position})");
            // The first elements exist in every sequence, so their presence is certain.
            let there = size.min.is_some_and(|least| position <= least);
            let entry = self.declare_entry(Value::Int(position), there, element, ty, &path, present)?;
            // A sequence has no gaps, so an element requires the one before it.
            if let Some(previous) = entries.last() {
                let previous = previous.present;
                self.require(present, PbConstraint::clause([!entry.present, previous]));
            }
            entries.push(entry);
        }
        Ok(PbTerm::Map(Collection::Sequence, entries.into()))
    }

    fn must_be_few(&self, domain: &GroundDomain, what: &str) -> Covered<()> {
        match domain.size() {
            Some(size) if size <= MOST_MEMBERS => Ok(()),
            _ => not_covered(format!("{what} {MOST_MEMBERS} possible members or arguments")),
        }
    }

    /// Declares a Boolean for each of these values, with their names. Exactly one of them is true.
    fn exactly_one(&mut self, present: PbLiteral, values: Vec<(Value, String)>) -> Cases {
        let case = |(value, name): (Value, String)| (value, self.formula.decision(&name));
        let cases: Cases = values.into_iter().map(case).collect();
        let literals = || cases.iter().map(|(_, literal)| *literal);
        self.formula.require(&[], PbConstraint::at_most_one(literals().chain([!present])));
        self.require(present, PbConstraint::clause(literals()));
        cases
    }

    /// Declares an integer with many values in binary.
    fn declare_binary(&mut self, domain: &GroundDomain, path: &str, present: PbLiteral) -> Covered<PbTerm> {
        let GroundDomain::Int(set) = domain else { return not_covered("these numbers") };
        let [(low, high)] = set.ranges() else {
            return not_covered(format!("integers with more than {MOST_DIRECT} values and gaps between them"));
        };
        let Some(span) = high.checked_sub(*low).filter(|span| *span < 1 << 40) else {
            return not_covered("integers with more than 2^40 values");
        };
        let mut summands = Vec::new();
        let mut bit = 1;
        while bit <= span {
            let literal = self.decision(present, &format!("{path} - {low} has the binary digit {bit}"));
            summands.push(Summand::indicator(bit.into(), literal));
            bit *= 2;
        }
        // The digits alone could represent numbers above the bound.
        self.require(present, at_most(&summands, PbNumber::ZERO, span.into()));
        Ok(PbTerm::Sum(summands, PbNumber::from(*low)))
    }

    fn declare_members(
        &mut self,
        kind: Collection,
        domain: &GroundDomain,
        ty: &Type,
        path: &str,
        present: PbLiteral,
    ) -> Covered<PbTerm> {
        let (what, is_in) = match kind {
            Collection::Partition => ("partitions with more than", "is a part of"),
            _ => ("collections with more than", "is in"),
        };
        self.must_be_few(domain, what)?;
        let mut members = Vec::new();
        for member in domain.members() {
            let literal = self.decision(present, &format!("{} {is_in} {path}", self.value(&member, ty)));
            members.push((member, literal));
        }
        Ok(PbTerm::Members(kind, members.into()))
    }

    fn declare_entry(
        &mut self,
        argument: Value,
        surely: bool,
        images: &GroundDomain,
        ty: &Type,
        path: &str,
        present: PbLiteral,
    ) -> Covered<MapEntry> {
        let there = if surely { present } else { self.decision(present, &format!("{path} is defined")) };
        Ok(MapEntry { argument, present: there, image: self.declare(images, ty, path, there)? })
    }

    fn declare_mset(
        &mut self,
        attributes: &Attributes<i64>,
        domain: &GroundDomain,
        ty: &Type,
        path: &str,
        present: PbLiteral,
    ) -> Covered<PbTerm> {
        self.must_be_few(domain, "multisets with more than")?;
        let occurrences = attributes.bounds(Measure::Occurrences);
        let most = occurrences.max.into_iter().chain(attributes.size().max).min();
        let Some(most) = most.filter(|most| (0..=MOST_DIRECT as i64).contains(most)) else {
            return not_covered(format!("multisets in which a value may occur more than {MOST_DIRECT} times"));
        };
        let mut entries = Vec::new();
        for argument in domain.members() {
            let shown = self.value(&argument, ty);
            let counts = occurrences.min.unwrap_or(0).max(0)..=most;
            let name = |count: i64| (Value::Int(count), format!("{shown} occurs {count} times in {path}"));
            let cases = self.exactly_one(present, counts.map(name).collect());
            let there: Vec<PbLiteral> =
                cases.iter().filter(|(count, _)| *count != Value::Int(0)).map(|(_, literal)| *literal).collect();
            let there = self.formula.any(there);
            entries.push(MapEntry { argument, present: there, image: PbTerm::Cases(cases) });
        }
        Ok(PbTerm::Map(Collection::MSet, entries.into()))
    }

    fn declare_parts(
        &mut self,
        attributes: &Attributes<i64>,
        domain: &GroundDomain,
        ty: &Type,
        path: &str,
        present: PbLiteral,
    ) -> Covered<PbTerm> {
        let size = attributes.bounds(Measure::PartSize).clone();
        let size = Size { min: Some(size.min.unwrap_or(1).max(1)), max: size.max };
        let sets = GroundDomain::set_of_size(size, domain.clone());
        let term = self.declare_members(Collection::Partition, &sets, &Type::set(ty.clone()), path, present)?;
        let PbTerm::Members(_, parts) = &term else { return Ok(term) };
        for value in domain.members() {
            let holding: Vec<PbLiteral> =
                parts.iter().filter(|(part, _)| part.items().contains(&value)).map(|(_, literal)| *literal).collect();
            self.require(present, PbConstraint::at_most_one(holding.iter().copied()));
            self.require(present, PbConstraint::clause(holding));
        }
        Ok(term)
    }
}

/// The constraints that must hold for the measure of a collection to be within bounds.
pub(super) fn measured(
    formula: &mut PbFormula,
    measure: Measure,
    bounds: &Size<i64>,
    term: &PbTerm,
) -> Covered<Vec<PbConstraint>> {
    let counts: Vec<PbTerm> = match (measure, term) {
        (Measure::Size, _) => vec![size(formula, term)?],
        (Measure::Parts, PbTerm::Members(_, parts)) => vec![PbTerm::count(ones(parts))],
        (Measure::PartSize, PbTerm::Members(_, parts)) => {
            let wrong = |part: &Value| {
                let size = part.items().len() as i64;
                bounds.min.is_some_and(|min| size < min) || bounds.max.is_some_and(|max| size > max)
            };
            let wrong = parts.iter().filter(|(part, _)| wrong(part));
            return Ok(wrong.map(|(_, literal)| PbConstraint::clause([!*literal])).collect());
        }
        // A decision variable counts the occurrences of all values in its domain.
        (Measure::Occurrences, PbTerm::Map(_, entries)) => entries.iter().map(|entry| entry.image.clone()).collect(),
        _ => return not_covered("this attribute here"),
    };
    let mut facts = Vec::new();
    for count in counts {
        let Some((summands, number)) = count.sum() else { return not_covered("this attribute here") };
        if let Some(min) = bounds.min {
            facts.push(at_least(&summands, number, min.into()));
        }
        if let Some(max) = bounds.max {
            facts.push(at_most(&summands, number, max.into()));
        }
    }
    Ok(facts)
}

fn ones(members: &Cases) -> impl Iterator<Item = (i64, PbLiteral)> {
    members.iter().map(|(_, literal)| (1, *literal))
}

/// The number of members; of a partition, the number of values in its parts.
pub(super) fn size(formula: &mut PbFormula, term: &PbTerm) -> Covered<PbTerm> {
    if let Some((kind, entries)) = term.entries(formula) {
        if kind != Collection::MSet {
            return Ok(PbTerm::count(entries.iter().map(|entry| (1, entry.present))));
        }
        let (mut summands, mut number) = (Vec::new(), PbNumber::ZERO);
        for entry in entries.iter() {
            let Some((more, least)) = entry.image.sum() else { return not_covered("the size of this multiset") };
            summands.extend(more);
            number += least;
        }
        return Ok(PbTerm::Sum(summands, number));
    }
    match term.members(formula)? {
        Some((Collection::Partition, parts)) => {
            Ok(PbTerm::count(parts.iter().map(|(part, literal)| (part.items().len() as i64, *literal))))
        }
        Some((_, members)) => Ok(PbTerm::count(ones(&members))),
        None => not_covered("the size of this value"),
    }
}

/// The constraints that must hold for a collection to have a property. Its pairs are between `sides`.
pub(super) fn has_property(
    formula: &mut PbFormula,
    property: Property,
    term: &PbTerm,
    sides: &[&GroundDomain],
) -> Covered<Vec<PbConstraint>> {
    let mut facts = Vec::new();
    match property.form() {
        PropertyForm::Covers(0) if matches!(term, PbTerm::Map(..)) => {
            let Some((_, entries)) = term.entries(formula) else { return not_covered("this attribute here") };
            for argument in sides[0].members() {
                let present = entries.iter().find(|entry| entry.argument == argument).map(|entry| entry.present);
                facts.push(PbConstraint::clause(present));
            }
        }
        PropertyForm::Covers(position) => {
            let Some((_, members)) = term.members(formula)? else { return not_covered("this attribute here") };
            for value in sides[position].members() {
                let with = members.iter().filter(|(member, _)| member.components().get(position) == Some(&value));
                facts.push(PbConstraint::clause(with.map(|(_, literal)| *literal)));
            }
        }
        PropertyForm::Injective => {
            let Some((_, members)) = term.members(formula)? else { return not_covered("this attribute here") };
            let mut images: Vec<&Value> = members.iter().filter_map(|(pair, _)| pair.components().get(1)).collect();
            images.sort_unstable();
            images.dedup();
            for image in images {
                let with = members.iter().filter(|(pair, _)| pair.components().get(1) == Some(image));
                facts.push(PbConstraint::at_most_one(with.map(|(_, literal)| *literal)));
            }
        }
        PropertyForm::Regular => {
            let Some((_, parts)) = term.members(formula)? else { return not_covered("this attribute here") };
            let mut sizes: Vec<usize> = parts.iter().map(|(part, _)| part.items().len()).collect();
            sizes.sort_unstable();
            sizes.dedup();
            // Each possible size has a literal, which is true if some part has this size. Parts of equal size make at
            // most one of these literals true.
            let mut used = Vec::new();
            for size in sizes {
                let of_size = parts.iter().filter(|(part, _)| part.items().len() == size);
                used.push(formula.any(of_size.map(|(_, literal)| *literal).collect::<Vec<_>>()));
            }
            facts.push(PbConstraint::at_most_one(used));
        }
        PropertyForm::Clause(clause) => {
            let Some((_, pairs)) = term.members(formula)? else { return not_covered("this attribute here") };
            facts.extend(clause_facts(clause, &pairs, &points_between(sides))?);
        }
    }
    Ok(facts)
}

/// The constraints that make a relation with these pairs satisfy a clause for all points.
fn clause_facts(clause: Clause, pairs: &[(Value, PbLiteral)], points: &[Value]) -> Covered<Vec<PbConstraint>> {
    let related = |one: &Value, other: &Value| {
        let found = pairs.iter().find(|(pair, _)| matches!(pair.components(), [a, b] if a == one && b == other));
        found.map_or(PbLiteral::FALSE, |(_, literal)| *literal)
    };
    let count = clause.points();
    if points.len().pow(count as u32) > 1_000_000 {
        return not_covered("this attribute for relations between more values");
    }
    let table: Vec<Vec<PbLiteral>> =
        points.iter().map(|one| points.iter().map(|other| related(one, other)).collect()).collect();
    let mut facts = Vec::new();
    for code in 0..points.len().pow(count as u32) {
        // The digits of `code` select the points.
        let at = |position: usize| code / points.len().pow(position as u32) % points.len();
        // For equal points, the clause holds.
        if clause.or_same && at(0) == at(1) {
            continue;
        }
        let mut literals: Vec<PbLiteral> =
            clause.given.iter().map(|(one, other)| !table[at(*one)][at(*other)]).collect();
        for pair in clause.then {
            match *pair {
                (SOME, other) => literals.extend(table.iter().map(|row| row[at(other)])),
                (one, SOME) => literals.extend(&table[at(one)]),
                (one, other) => literals.push(table[at(one)][at(other)]),
            }
        }
        facts.push(PbConstraint::clause(literals));
    }
    Ok(facts)
}

/// The literals for a value of a decision variable; `None` if the variable cannot have it.
pub(super) fn literals_of(term: &PbTerm, value: &Value, literals: &mut Vec<PbLiteral>) -> Option<()> {
    let signed = |literal: PbLiteral, holds: bool| if holds { literal } else { !literal };
    match (term, value) {
        (PbTerm::Bool(literal), Value::Bool(value)) => literals.push(signed(*literal, *value)),
        (PbTerm::Cases(cases), _) => literals.push(cases.iter().find(|(other, _)| other == value)?.1),
        (PbTerm::Sum(bits, low), Value::Int(value)) => {
            let rest = Some(PbNumber::from(*value) - *low).filter(|rest| *rest >= PbNumber::ZERO)?;
            literals.extend((0..).zip(bits).map(|(digit, bit)| signed(bit.cases[1].1, rest.has_digit(digit))));
        }
        (PbTerm::Tuple(items), Value::Tuple(values)) if items.len() == values.len() => {
            for (item, value) in items.iter().zip(values.iter()) {
                literals_of(item, value, literals)?;
            }
        }
        (PbTerm::Matrix(index, elements), Value::Matrix(matrix)) if **index == matrix.index => {
            for (element, value) in elements.iter().zip(&matrix.elements) {
                literals_of(element, value, literals)?;
            }
        }
        (PbTerm::Members(_, candidates), _) => {
            let members = value.members();
            literals.extend(candidates.iter().map(|(one, literal)| signed(*literal, members.contains(one))));
            if members.iter().any(|member| !candidates.iter().any(|(candidate, _)| candidate == member)) {
                return None;
            }
        }
        (PbTerm::Map(Collection::MSet, entries), _) => {
            for entry in entries.iter() {
                let count = value.items().iter().filter(|item| **item == entry.argument).count();
                literals_of(&entry.image, &Value::Int(count as i64), literals)?;
            }
        }
        (PbTerm::Map(_, entries), _) => {
            let members = value.members();
            for entry in entries.iter() {
                let pair = members.iter().map(Value::components).find(|pair| pair[0] == entry.argument);
                if !entry.present.is_constant() {
                    literals.push(signed(entry.present, pair.is_some()));
                }
                if let Some(pair) = pair {
                    literals_of(&entry.image, &pair[1], literals)?;
                }
            }
        }
        _ => return None,
    }
    Some(())
}

/// Collects the literals of a term, each with the path to what it is about: the number of the decision variable,
/// indices, components, arguments, and the member or the value.
pub(super) fn places_of(term: &PbTerm, path: &mut Vec<Value>, places: &mut Vec<(Vec<Value>, PbLiteral)>) {
    let mut add = |path: &[Value], last: &Value, literal: PbLiteral| {
        if !literal.is_constant() {
            places.push(([path, std::slice::from_ref(last)].concat(), literal));
        }
    };
    let parts: Vec<(Value, &PbTerm)> = match term {
        PbTerm::Bool(literal) => return add(path, &Value::TRUE, *literal),
        PbTerm::Cases(cases) | PbTerm::Members(_, cases) => {
            return cases.iter().for_each(|(value, literal)| add(path, value, *literal));
        }
        PbTerm::Sum(bits, _) => {
            let digits = (0..).map(Value::Int).zip(bits);
            return digits.for_each(|(digit, bit)| add(path, &digit, bit.cases[1].1));
        }
        PbTerm::Tuple(items) | PbTerm::Matrix(_, items) => (1..).map(Value::Int).zip(items.iter()).collect(),
        PbTerm::Map(_, entries) => {
            entries.iter().for_each(|entry| add(path, &entry.argument, entry.present));
            entries.iter().map(|entry| (entry.argument.clone(), &entry.image)).collect()
        }
        PbTerm::List(_) => return,
    };
    for (value, part) in parts {
        path.push(value);
        places_of(part, path, places);
        path.pop();
    }
}
