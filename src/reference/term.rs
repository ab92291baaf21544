//! Terms of the reference formula (`reference/mod.rs`): a value that depends on decisions is a list of values, each
//! with a pseudo-Boolean literal. Exactly one literal is true if the expression is defined. Otherwise any may be, and
//! the user of the value checks its definedness.
//!
//! Like all of `reference`, this may use the typed model, domains and `eval`, but nothing of the way to the answer.

use super::{
    formula::{PbConstraint, PbFormula, PbLiteral},
    number::PbNumber,
};
use crate::language::{Collection, GroundDomain, IntSet, Value, value::Matrix};
use std::{collections::BTreeMap, rc::Rc, sync::Arc};

/// The maximum number of values, or combinations of values, that are listed for one expression. Chosen.
pub(super) const MOST_CASES: usize = 20_000;

/// The part of an instance that the formula cannot express, in words that follow "certificates do not cover".
#[derive(Debug)]
pub(crate) struct NotCovered(pub String);

pub(crate) type Covered<T> = Result<T, NotCovered>;

pub(super) fn not_covered<T>(what: impl Into<String>) -> Covered<T> {
    Err(NotCovered(what.into()))
}

/// Values, each with the literal that is true if it is the value.
pub(super) type Cases = Rc<[(Value, PbLiteral)]>;

/// A factor times a number that has one of several values.
#[derive(Clone, Debug)]
pub(super) struct Summand {
    pub factor: PbNumber,
    pub cases: Rc<[(PbNumber, PbLiteral)]>,
}

impl Summand {
    /// The number if the literal is true, and 0 otherwise.
    pub(super) fn indicator(number: PbNumber, literal: PbLiteral) -> Self {
        Summand { factor: number, cases: [(PbNumber::ZERO, !literal), (PbNumber::ONE, literal)].into() }
    }
}

/// An argument of a function with its image, a position of a sequence with its element, or a value with the number of
/// its occurrences in a multiset. If `present` is false, the image is any fixed value.
#[derive(Clone, Debug)]
pub(super) struct MapEntry {
    pub argument: Value,
    pub present: PbLiteral,
    pub image: PbTerm,
}

/// A value that depends on decisions.
#[derive(Clone, Debug)]
pub(super) enum PbTerm {
    Bool(PbLiteral),
    /// Exactly one of the literals is true if the expression is defined.
    Cases(Cases),
    Sum(Vec<Summand>, PbNumber),
    /// Tuples, and records with their fields sorted by name.
    Tuple(Rc<[PbTerm]>),
    Matrix(Rc<GroundDomain>, Rc<[PbTerm]>),
    /// Sets, relations, and the parts of partitions: each possible member once.
    Members(Collection, Cases),
    /// Functions, sequences and multisets: each argument once, ascending.
    Map(Collection, Rc<[MapEntry]>),
    /// The elements of a comprehension, each with the literal that it is present.
    List(Rc<[(PbLiteral, PbTerm)]>),
}

/// A term, and the literal that it is defined.
#[derive(Clone, Debug)]
pub(super) struct PartialTerm {
    pub term: PbTerm,
    pub defined: PbLiteral,
}

impl From<PbTerm> for PartialTerm {
    fn from(term: PbTerm) -> Self {
        PartialTerm { term, defined: PbLiteral::TRUE }
    }
}

impl From<Value> for PbTerm {
    fn from(value: Value) -> Self {
        match value {
            Value::Bool(value) => PbTerm::Bool(PbLiteral::of(value)),
            value => PbTerm::Cases([(value, PbLiteral::TRUE)].into()),
        }
    }
}

impl PbTerm {
    /// Returns whether this is a matrix; `None` if the term does not show it.
    pub(super) fn is_matrix(&self) -> Option<bool> {
        match self {
            PbTerm::Cases(cases) => cases.first().map(|(value, _)| matches!(value, Value::Matrix(_))),
            PbTerm::Matrix(..) | PbTerm::List(_) => Some(true),
            PbTerm::Map(..) | PbTerm::Members(..) => Some(false),
            PbTerm::Bool(_) | PbTerm::Sum(..) | PbTerm::Tuple(_) => None,
        }
    }

    /// Refuses to compare a matrix with another value. A matrix may equal a sequence, but their values differ.
    pub(super) fn must_be_like(&self, other: &PbTerm) -> Covered<()> {
        match (self.is_matrix(), other.is_matrix()) {
            (Some(one), Some(other)) if one != other => not_covered("comparisons of matrices with other values"),
            _ => Ok(()),
        }
    }

    /// The value, if it does not depend on decisions.
    pub(super) fn constant(&self) -> Option<Value> {
        match self {
            PbTerm::Bool(PbLiteral::TRUE) => Some(Value::TRUE),
            PbTerm::Bool(PbLiteral::FALSE) => Some(Value::FALSE),
            PbTerm::Cases(cases) => match &cases[..] {
                [(value, PbLiteral::TRUE)] => Some(value.clone()),
                _ => None,
            },
            PbTerm::Sum(summands, number) if summands.is_empty() => number.small().map(Value::Int),
            PbTerm::Tuple(items) => Some(Value::Tuple(items.iter().map(PbTerm::constant).collect::<Option<_>>()?)),
            _ => None,
        }
    }

    /// A number as a sum.
    pub(super) fn sum(&self) -> Option<(Vec<Summand>, PbNumber)> {
        match self {
            PbTerm::Sum(summands, number) => Some((summands.clone(), *number)),
            PbTerm::Cases(cases) => {
                let number = |(value, literal): &(Value, PbLiteral)| match value {
                    Value::Int(value) => Some((PbNumber::from(*value), *literal)),
                    _ => None,
                };
                let cases: Rc<[(PbNumber, PbLiteral)]> = cases.iter().map(number).collect::<Option<_>>()?;
                match cases[..] {
                    [(number, PbLiteral::TRUE)] => Some((Vec::new(), number)),
                    _ => Some((vec![Summand { factor: PbNumber::ONE, cases }], PbNumber::ZERO)),
                }
            }
            _ => None,
        }
    }

    /// The number 1 if the literal is true, and 0 otherwise.
    pub(super) fn indicator(literal: PbLiteral) -> PbTerm {
        match literal {
            PbLiteral::TRUE => PbTerm::Sum(Vec::new(), PbNumber::ONE),
            PbLiteral::FALSE => PbTerm::Sum(Vec::new(), PbNumber::ZERO),
            _ => PbTerm::Sum(vec![Summand::indicator(PbNumber::ONE, literal)], PbNumber::ZERO),
        }
    }

    /// The sum of the factors of the true literals.
    pub(super) fn count(literals: impl IntoIterator<Item = (i64, PbLiteral)>) -> PbTerm {
        let (mut summands, mut number) = (Vec::new(), PbNumber::ZERO);
        for (factor, literal) in literals {
            let factor = PbNumber::from(factor);
            if let PbTerm::Sum(more, least) = PbTerm::indicator(literal) {
                summands.extend(more.into_iter().map(|one| Summand { factor, ..one }));
                number += factor * least;
            }
        }
        PbTerm::Sum(summands, number)
    }

    /// The components of a tuple.
    pub(super) fn components(&self, formula: &mut PbFormula) -> Option<Vec<PbTerm>> {
        match self {
            PbTerm::Tuple(items) => Some(items.to_vec()),
            PbTerm::Cases(cases) => {
                let Value::Tuple(first) = &cases.first()?.0 else { return None };
                let width = first.len();
                let part = |position: usize, value: &Value| value.components().get(position).cloned();
                (0..width).map(|position| formula.projected(cases, |value| part(position, value))).collect()
            }
            _ => None,
        }
    }

    /// The index domain and the elements of a matrix or a list.
    pub(super) fn elements(&self, formula: &mut PbFormula) -> Option<(Rc<GroundDomain>, Vec<PbTerm>)> {
        match self {
            PbTerm::Matrix(index, elements) => Some((index.clone(), elements.to_vec())),
            PbTerm::List(elements) => {
                let index = GroundDomain::Int(IntSet::range(1, elements.len() as i64));
                let there = elements.iter().all(|(present, _)| *present == PbLiteral::TRUE);
                there.then(|| (Rc::new(index), elements.iter().map(|(_, element)| element.clone()).collect()))
            }
            PbTerm::Cases(cases) => {
                let Value::Matrix(first) = &cases.first()?.0 else { return None };
                if cases.iter().any(|(value, _)| !matches!(value, Value::Matrix(one) if one.index == first.index)) {
                    return None;
                }
                let part = |position: usize, value: &Value| match value {
                    Value::Matrix(matrix) if matrix.index == first.index => matrix.elements.get(position).cloned(),
                    _ => None,
                };
                let elements =
                    (0..first.elements.len()).map(|position| formula.projected(cases, |value| part(position, value)));
                Some((Rc::new(first.index.clone()), elements.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// The elements of a matrix or a list, each with the literal that it is present.
    pub(super) fn listed(&self, formula: &mut PbFormula) -> Option<Vec<(PbLiteral, PbTerm)>> {
        match self {
            PbTerm::List(elements) => Some(elements.to_vec()),
            _ => {
                let (_, elements) = self.elements(formula)?;
                Some(elements.into_iter().map(|element| (PbLiteral::TRUE, element)).collect())
            }
        }
    }

    /// The kind of collection, and each possible member with the literal that it is one.
    pub(super) fn members(&self, formula: &mut PbFormula) -> Covered<Option<(Collection, Cases)>> {
        match self {
            PbTerm::Members(kind, members) => Ok(Some((*kind, members.clone()))),
            PbTerm::Map(kind, entries) if *kind != Collection::MSet => {
                let mut members = Vec::new();
                for entry in entries.iter() {
                    for (image, literal) in formula.cases(&entry.image)?.iter() {
                        let there = formula.all([entry.present, *literal]);
                        members.push((Value::tuple([entry.argument.clone(), image.clone()]), there));
                    }
                }
                Ok(Some((*kind, members.into())))
            }
            PbTerm::Cases(cases) => {
                let Some(kind) = cases.first().and_then(|(value, _)| value.collection()) else { return Ok(None) };
                // The members of a multiset do not show how often each one occurs.
                if kind == Collection::MSet {
                    return Ok(None);
                }
                let mut among: BTreeMap<Value, Vec<PbLiteral>> = BTreeMap::new();
                for (value, literal) in cases.iter() {
                    value.members().into_iter().for_each(|member| among.entry(member).or_default().push(*literal));
                }
                let members = among.into_iter().map(|(member, literals)| (member, formula.any(literals)));
                Ok(Some((kind, members.collect())))
            }
            _ => Ok(None),
        }
    }

    /// The entries of a function, a sequence or a multiset.
    pub(super) fn entries(&self, formula: &mut PbFormula) -> Option<(Collection, Rc<[MapEntry]>)> {
        match self {
            PbTerm::Map(kind, entries) => Some((*kind, entries.clone())),
            PbTerm::Cases(cases) => {
                let kind = cases.first()?.0.collection()?;
                let mut among: BTreeMap<Value, BTreeMap<Value, Vec<PbLiteral>>> = BTreeMap::new();
                for (value, literal) in cases.iter() {
                    let mut put = |argument: Value, image: Value| {
                        among.entry(argument).or_default().entry(image).or_default().push(*literal);
                    };
                    match (kind, value) {
                        (Collection::MSet, _) => value
                            .items()
                            // In a multiset, equal members are neighbours, so each run is one entry.
                            .chunk_by(|one, other| one == other)
                            .for_each(|run| put(run[0].clone(), Value::Int(run.len() as i64))),
                        (Collection::Function, _) => {
                            value.pairs().iter().for_each(|(argument, image)| put(argument.clone(), image.clone()));
                        }
                        (Collection::Sequence, _) => (1..)
                            .zip(value.items())
                            .for_each(|(position, element)| put(Value::Int(position), element.clone())),
                        _ => return None,
                    }
                }
                let entry = |(argument, images): (Value, BTreeMap<Value, Vec<PbLiteral>>)| {
                    let images: Vec<(Value, PbLiteral)> =
                        images.into_iter().map(|(image, literals)| (image, formula.any(literals))).collect();
                    let present = formula.any(images.iter().map(|(_, literal)| *literal));
                    let image = match kind {
                        // If a multiset lacks the value, it occurs 0 times.
                        Collection::MSet => {
                            PbTerm::Cases(images.into_iter().chain([(Value::Int(0), !present)]).collect())
                        }
                        _ => formula.of_cases(images),
                    };
                    MapEntry { argument, present, image }
                };
                Some((kind, among.into_iter().map(entry).collect()))
            }
            _ => None,
        }
    }
}

impl PbFormula {
    /// A term with one of these values; equal values are joined.
    pub(super) fn of_cases(&mut self, cases: Vec<(Value, PbLiteral)>) -> PbTerm {
        let mut joined: BTreeMap<Value, Vec<PbLiteral>> = BTreeMap::new();
        cases.into_iter().for_each(|(value, literal)| joined.entry(value).or_default().push(literal));
        // If all values are Booleans, one literal is enough.
        if !joined.is_empty() && joined.keys().all(|value| matches!(value, Value::Bool(_))) {
            let literals = joined.remove(&Value::TRUE).unwrap_or_default();
            return PbTerm::Bool(self.any(literals));
        }
        let joined = joined.into_iter().map(|(value, literals)| (value, self.any(literals)));
        PbTerm::Cases(joined.filter(|(_, literal)| *literal != PbLiteral::FALSE).collect())
    }

    /// A term for a part of each value.
    fn projected(&mut self, cases: &Cases, part: impl Fn(&Value) -> Option<Value>) -> Option<PbTerm> {
        let parts = cases.iter().map(|(value, literal)| Some((part(value)?, *literal))).collect::<Option<_>>()?;
        Some(self.of_cases(parts))
    }

    /// All values that a term may have, each with the literal that it is the value.
    pub(super) fn cases(&mut self, term: &PbTerm) -> Covered<Cases> {
        match term {
            PbTerm::Bool(PbLiteral::TRUE) => Ok([(Value::TRUE, PbLiteral::TRUE)].into()),
            PbTerm::Bool(PbLiteral::FALSE) => Ok([(Value::FALSE, PbLiteral::TRUE)].into()),
            PbTerm::Bool(literal) => Ok([(Value::FALSE, !*literal), (Value::TRUE, *literal)].into()),
            PbTerm::Cases(cases) => Ok(cases.clone()),
            PbTerm::Sum(summands, number) => self.cases_of_sum(summands, *number),
            PbTerm::Tuple(items) => self.product(items, &|values| Some(Value::Tuple(values.into()))),
            PbTerm::Matrix(index, elements) => self.product(elements, &|elements| {
                Some(Value::Matrix(Arc::new(Matrix { index: (**index).clone(), elements })))
            }),
            PbTerm::Members(kind, members) => {
                // Each combination of present members is one value.
                let literals: Vec<PbTerm> = members.iter().map(|(_, literal)| PbTerm::Bool(*literal)).collect();
                self.product(&literals, &|chosen| {
                    let members = members.iter().zip(chosen).filter(|(_, chosen)| *chosen == Value::TRUE);
                    Value::of(*kind, members.map(|((member, _), _)| member.clone()).collect())
                })
            }
            PbTerm::Map(kind, entries) => {
                let mut images = Vec::new();
                for entry in entries.iter() {
                    let mut with = Vec::new();
                    for (image, literal) in self.cases(&entry.image)?.iter() {
                        with.push((Value::tuple([image.clone()]), self.all([entry.present, *literal])));
                    }
                    // Without the absent case, the product would leave out the combinations without this argument. The
                    // empty tuple represents it.
                    with.push((Value::tuple([]), !entry.present));
                    with.retain(|(_, literal)| *literal != PbLiteral::FALSE);
                    images.push(PbTerm::Cases(with.into()));
                }
                let kind = *kind;
                self.product(&images, &|images| {
                    let mut members = Vec::new();
                    for (position, (entry, image)) in entries.iter().zip(&images).enumerate() {
                        match (kind, image.components()) {
                            (_, []) => {}
                            (Collection::Function, [image]) => {
                                members.push(Value::tuple([entry.argument.clone(), image.clone()]));
                            }
                            (Collection::MSet, [Value::Int(count)]) => {
                                members.extend((0..*count).map(|_| entry.argument.clone()));
                            }
                            // A sequence has no gaps, so these combinations are impossible.
                            (_, [_]) if members.len() < position => return None,
                            (_, [image, ..]) => members.push(image.clone()),
                        }
                    }
                    match kind {
                        Collection::Function => {
                            let pairs = members.iter().map(|pair| pair.components().to_vec());
                            let pairs = pairs.map(|pair| (pair[0].clone(), pair[1].clone()));
                            Some(Value::Mapping(kind, pairs.collect()))
                        }
                        _ => Value::of(kind, members),
                    }
                })
            }
            PbTerm::List(elements) => {
                let there = elements.iter().all(|(present, _)| *present == PbLiteral::TRUE);
                if !there {
                    return not_covered("lists whose length depends on decisions here");
                }
                let elements: Vec<PbTerm> = elements.iter().map(|(_, element)| element.clone()).collect();
                self.product(&elements, &|elements| Some(Value::list(elements)))
            }
        }
    }

    /// All combinations of values of terms for which there is a value.
    fn product(&mut self, terms: &[PbTerm], value: &dyn Fn(Vec<Value>) -> Option<Value>) -> Covered<Cases> {
        let combinations = self.combinations(terms)?;
        let cases = combinations.into_iter().filter_map(|(values, literals)| Some((value(values)?, literals)));
        let cases: Vec<(Value, Vec<PbLiteral>)> = cases.collect();
        Ok(cases.into_iter().map(|(value, literals)| (value, self.all(literals))).collect())
    }

    /// All combinations of values of terms, each with the literals that it requires.
    pub(super) fn combinations(&mut self, terms: &[PbTerm]) -> Covered<Vec<(Vec<Value>, Vec<PbLiteral>)>> {
        let mut all: Vec<(Vec<Value>, Vec<PbLiteral>)> = vec![(Vec::new(), Vec::new())];
        for term in terms {
            let cases = self.cases(term)?;
            // This is checked before the loop, so that the combinations never take more memory than allowed.
            if all.len().saturating_mul(cases.len()) > MOST_CASES {
                return not_covered(format!("expressions whose operands have more than {MOST_CASES} values together"));
            }
            // Each combination so far is extended by each value of this term.
            let mut longer = Vec::with_capacity(all.len() * cases.len());
            for (values, literals) in &all {
                for (value, literal) in cases.iter() {
                    // The combination contradicts itself, for example if both operands depend on the same variable.
                    if literals.contains(&!*literal) {
                        continue;
                    }
                    let (mut values, mut literals) = (values.clone(), literals.clone());
                    values.push(value.clone());
                    // A literal that is true or repeated adds no condition.
                    if *literal != PbLiteral::TRUE && !literals.contains(literal) {
                        literals.push(*literal);
                    }
                    longer.push((values, literals));
                }
            }
            all = longer;
        }
        Ok(all)
    }

    fn cases_of_sum(&mut self, summands: &[Summand], number: PbNumber) -> Covered<Cases> {
        // The values of one or two numbers are combined. For more, there is a literal for each number that the sum may
        // reach.
        if let [one] = summands {
            let cases = one.cases.iter();
            return cases.map(|(value, literal)| Ok((integer(number + one.factor * *value)?, *literal))).collect();
        }
        if let [one, other] = summands {
            let mut joined: BTreeMap<PbNumber, Vec<PbLiteral>> = BTreeMap::new();
            if one.cases.len() * other.cases.len() > MOST_CASES {
                return not_covered(format!("numbers with more than {MOST_CASES} values here"));
            }
            for (first, a) in one.cases.iter() {
                for (second, b) in other.cases.iter() {
                    let both = self.all([*a, *b]);
                    joined.entry(number + one.factor * *first + other.factor * *second).or_default().push(both);
                }
            }
            let mut cases = Vec::new();
            for (value, ways) in joined {
                cases.push((integer(value)?, self.any(ways)));
            }
            cases.retain(|(_, literal)| *literal != PbLiteral::FALSE);
            return Ok(cases.into());
        }
        // Each number between the bounds gets a literal. Together, they also state that the sum has exactly one value.
        let (low, high) = bounds(summands, number);
        // A range that is too long is refused before its literals are made.
        let (Some(low), Some(high), false) = (low.small(), high.small(), high - low > PbNumber::count(MOST_CASES))
        else {
            return not_covered(format!("numbers with more than {MOST_CASES} values here"));
        };
        let mut cases = Vec::new();
        let mut reached = PbLiteral::TRUE;
        for value in low..=high {
            // The sum has this value if it reaches the number but not the next one.
            let next = self.reaches(at_least(summands, number, PbNumber::from(value) + PbNumber::ONE));
            cases.push((Value::Int(value), self.all([reached, !next])));
            reached = next;
        }
        cases.retain(|(_, literal)| *literal != PbLiteral::FALSE);
        Ok(cases.into())
    }

    /// The literal that is true if a term has this value.
    pub(super) fn is(&mut self, term: &PbTerm, value: &Value) -> Covered<PbLiteral> {
        Ok(match (term, value) {
            (PbTerm::Bool(literal), Value::Bool(value)) => {
                if *value {
                    *literal
                } else {
                    !*literal
                }
            }
            (PbTerm::Cases(cases), _) => {
                let found: Vec<PbLiteral> =
                    cases.iter().filter(|(other, _)| other == value).map(|(_, literal)| *literal).collect();
                self.any(found)
            }
            // The sum of one number is compared by its cases, which is shorter.
            (PbTerm::Sum(summands, number), Value::Int(value)) if summands.len() != 1 => {
                let value = PbNumber::from(*value);
                let below = self.reaches(at_least(summands, *number, value));
                let above = self.reaches(at_least(summands, *number, value + PbNumber::ONE));
                self.all([below, !above])
            }
            (PbTerm::Tuple(items), Value::Tuple(values)) if items.len() == values.len() => {
                let parts: Vec<PbLiteral> = items
                    .iter()
                    .zip(values.iter())
                    .map(|(item, value)| self.is(item, value))
                    .collect::<Covered<_>>()?;
                self.all(parts)
            }
            (PbTerm::Sum(..) | PbTerm::Bool(_), _) => {
                let cases = self.cases(term)?;
                self.is(&PbTerm::Cases(cases), value)?
            }
            _ => {
                let facts = self.equal(term, &PbTerm::Cases([(value.clone(), PbLiteral::TRUE)].into()))?;
                self.holds(facts)
            }
        })
    }

    /// The literal that is true if all these constraints hold.
    pub(super) fn holds(&mut self, facts: Vec<PbConstraint>) -> PbLiteral {
        let literals: Vec<PbLiteral> = facts.into_iter().map(|fact| self.reaches(fact)).collect();
        self.all(literals)
    }

    /// The constraints that must hold for two terms to have the same value.
    pub(super) fn equal(&mut self, left: &PbTerm, right: &PbTerm) -> Covered<Vec<PbConstraint>> {
        left.must_be_like(right)?;
        match (left, right) {
            (PbTerm::Bool(left), PbTerm::Bool(right)) => return Ok(same(*left, *right)),
            // A single case is a constant, and the other term equals it if the literal of this value is true.
            (PbTerm::Cases(cases), other) | (other, PbTerm::Cases(cases))
                if cases.len() == 1 && matches!(other, PbTerm::Cases(_)) =>
            {
                let is = self.is(other, &cases[0].0)?;
                return Ok(vec![PbConstraint::clause([is])]);
            }
            (PbTerm::Cases(one), PbTerm::Cases(other)) => {
                let mut facts = Vec::new();
                for (from, to) in [(one, other), (other, one)] {
                    for (value, literal) in from.iter() {
                        let is = self.is(&PbTerm::Cases(to.clone()), value)?;
                        facts.push(PbConstraint::clause([!*literal, is]));
                    }
                }
                return Ok(facts);
            }
            (PbTerm::Tuple(_), _) | (_, PbTerm::Tuple(_)) => {
                if let (Some(one), Some(other)) = (left.components(self), right.components(self)) {
                    return self.equal_all(&one, &other);
                }
            }
            _ => {}
        }
        if let (Some(one), Some(other)) = (left.sum(), right.sum()) {
            let (summands, number) = difference(one, other);
            return Ok(vec![at_least(&summands, number, PbNumber::ZERO), at_most(&summands, number, PbNumber::ZERO)]);
        }
        if let (Some((one_index, one)), Some((other_index, other))) = (left.elements(self), right.elements(self)) {
            // If their indices differ, the matrices differ.
            if one_index != other_index {
                return Ok(vec![PbConstraint::clause([])]);
            }
            return self.equal_all(&one, &other);
        }
        if let (Some((kind, one)), Some((_, other))) = (left.entries(self), right.entries(self)) {
            return self.equal_maps(kind, &one, &other);
        }
        if let (Some((_, one)), Some((_, other))) = (left.members(self)?, right.members(self)?) {
            let mut together: BTreeMap<Value, [PbLiteral; 2]> = BTreeMap::new();
            for (position, side) in [one, other].into_iter().enumerate() {
                for (value, literal) in side.iter() {
                    together.entry(value.clone()).or_insert([PbLiteral::FALSE; 2])[position] = *literal;
                }
            }
            return Ok(together.into_values().flat_map(|[one, other]| same(one, other)).collect());
        }
        not_covered("comparisons of these two types of values")
    }

    fn equal_all(&mut self, one: &[PbTerm], other: &[PbTerm]) -> Covered<Vec<PbConstraint>> {
        if one.len() != other.len() {
            // If their lengths differ, the lists differ.
            return Ok(vec![PbConstraint::clause([])]);
        }
        let mut facts = Vec::new();
        for (one, other) in one.iter().zip(other) {
            facts.extend(self.equal(one, other)?);
        }
        Ok(facts)
    }

    fn equal_maps(&mut self, kind: Collection, one: &[MapEntry], other: &[MapEntry]) -> Covered<Vec<PbConstraint>> {
        let mut together: BTreeMap<&Value, [Option<&MapEntry>; 2]> = BTreeMap::new();
        for (position, side) in [one, other].into_iter().enumerate() {
            side.iter().for_each(|entry| together.entry(&entry.argument).or_default()[position] = Some(entry));
        }
        let mut facts = Vec::new();
        for entries in together.into_values() {
            match entries {
                [Some(one), Some(other)] => {
                    facts.extend(same(one.present, other.present));
                    let images = self.equal(&one.image, &other.image)?;
                    if kind == Collection::MSet {
                        // An absent value has the count 0, so the counts are compared unconditionally.
                        facts.extend(images);
                    } else {
                        let images = self.holds(images);
                        facts.push(PbConstraint::clause([!one.present, !other.present, images]));
                    }
                }
                [entry, other] => {
                    // If only one side may have the entry, it must be absent there.
                    let present = entry.or(other).map_or(PbLiteral::FALSE, |entry| entry.present);
                    facts.push(PbConstraint::clause([!present]));
                }
            }
        }
        Ok(facts)
    }

    /// Selects the term whose literal is true; if none is, the result has any value.
    pub(super) fn select(&mut self, ways: &[(PbLiteral, PbTerm)]) -> Covered<PbTerm> {
        if let [(_, only)] = ways {
            return Ok(only.clone());
        }
        // If an alternative always holds, it excludes the others.
        if let Some((_, chosen)) = ways.iter().find(|(way, _)| *way == PbLiteral::TRUE) {
            return Ok(chosen.clone());
        }
        // The components of tuples are selected separately, which avoids combining them.
        let tuples: Option<Vec<_>> =
            ways.iter().map(|(_, term)| matches!(term, PbTerm::Tuple(_)).then_some(term)).collect();
        if let Some(tuples) = tuples.filter(|tuples| !tuples.is_empty()) {
            let tuples: Vec<Vec<PbTerm>> = tuples.iter().filter_map(|tuple| tuple.components(self)).collect();
            let position = |position: usize| {
                ways.iter().zip(&tuples).map(move |((way, _), items)| (*way, items[position].clone()))
            };
            let items = (0..tuples[0].len()).map(|at| self.select(&position(at).collect::<Vec<_>>()));
            return Ok(PbTerm::Tuple(items.collect::<Covered<_>>()?));
        }
        let structured = |term: &PbTerm| matches!(term, PbTerm::Matrix(..) | PbTerm::Members(..) | PbTerm::Map(..));
        if ways.iter().any(|(_, term)| structured(term)) {
            return self.select_structured(ways);
        }
        let mut cases = Vec::new();
        for (way, term) in ways {
            for (value, literal) in self.cases(term)?.iter() {
                cases.push((value.clone(), self.all([*way, *literal])));
            }
        }
        Ok(self.of_cases(cases))
    }

    fn select_structured(&mut self, ways: &[(PbLiteral, PbTerm)]) -> Covered<PbTerm> {
        let matrices: Option<Vec<_>> = ways.iter().map(|(_, term)| term.elements(self)).collect();
        if let Some(matrices) = matrices {
            let (index, first) = &matrices[0];
            if matrices.iter().any(|(other, _)| other != index) {
                return not_covered("matrices with different indices here");
            }
            let mut elements = Vec::new();
            for place in 0..first.len() {
                let ways: Vec<_> =
                    ways.iter().zip(&matrices).map(|((way, _), (_, items))| (*way, items[place].clone())).collect();
                elements.push(self.select(&ways)?);
            }
            return Ok(PbTerm::Matrix(index.clone(), elements.into()));
        }
        let maps: Option<Vec<_>> = ways.iter().map(|(_, term)| term.entries(self)).collect();
        if let Some(maps) = maps {
            let mut among: BTreeMap<Value, Vec<(PbLiteral, PbTerm)>> = BTreeMap::new();
            for ((way, _), (_, entries)) in ways.iter().zip(&maps) {
                for entry in entries.iter() {
                    let here = self.all([*way, entry.present]);
                    among.entry(entry.argument.clone()).or_default().push((here, entry.image.clone()));
                }
            }
            let kind = maps[0].0;
            if kind == Collection::MSet {
                return not_covered("a choice between multisets");
            }
            let mut entries = Vec::new();
            for (argument, ways) in among {
                let present = self.any(ways.iter().map(|(way, _)| *way));
                entries.push(MapEntry { argument, present, image: self.select(&ways)? });
            }
            return Ok(PbTerm::Map(kind, entries.into()));
        }
        let mut among: BTreeMap<Value, Vec<PbLiteral>> = BTreeMap::new();
        let mut kind = None;
        for (way, term) in ways {
            let Some((this, members)) = term.members(self)? else {
                return not_covered("a choice between these values");
            };
            kind = Some(this);
            for (member, literal) in members.iter() {
                let both = self.all([*way, *literal]);
                among.entry(member.clone()).or_default().push(both);
            }
        }
        let Some(kind) = kind else { return not_covered("a choice between no values") };
        let members: Cases = among.into_iter().map(|(member, ways)| (member, self.any(ways))).collect();
        Ok(PbTerm::Members(kind, members))
    }
}

/// A value of a sum as an integer of the language.
fn integer(number: PbNumber) -> Covered<Value> {
    match number.small() {
        Some(number) => Ok(Value::Int(number)),
        None => not_covered("sums of such large numbers"),
    }
}

fn same(one: PbLiteral, other: PbLiteral) -> Vec<PbConstraint> {
    vec![PbConstraint::clause([!one, other]), PbConstraint::clause([one, !other])]
}

/// One sum minus another.
pub(super) fn difference(one: (Vec<Summand>, PbNumber), other: (Vec<Summand>, PbNumber)) -> (Vec<Summand>, PbNumber) {
    let (mut summands, number) = one;
    summands.extend(other.0.into_iter().map(|summand| Summand { factor: -summand.factor, ..summand }));
    (summands, number - other.1)
}

/// The constraint that the sum is at least this number. The smallest value of each summand moves to the other side.
pub(super) fn at_least(summands: &[Summand], number: PbNumber, least: PbNumber) -> PbConstraint {
    let (terms, smallest) = terms_of(summands, number);
    PbConstraint::new(terms, least - smallest)
}

/// The constraint that the sum is at most this number.
pub(super) fn at_most(summands: &[Summand], number: PbNumber, most: PbNumber) -> PbConstraint {
    let opposite: Vec<Summand> = summands.iter().map(|one| Summand { factor: -one.factor, ..one.clone() }).collect();
    at_least(&opposite, -number, -most)
}

/// The sum as literals with coefficients, and a constant.
pub(super) fn terms_of(summands: &[Summand], number: PbNumber) -> (Vec<(PbNumber, PbLiteral)>, PbNumber) {
    let (mut terms, mut smallest) = (Vec::new(), number);
    for Summand { factor, cases } in summands {
        // The coefficients count from the smallest value, so this value needs no literal.
        let low = cases.iter().map(|(value, _)| *factor * *value).min().unwrap_or_default();
        smallest += low;
        terms.extend(cases.iter().map(|(value, literal)| (*factor * *value - low, *literal)));
    }
    (terms, smallest)
}

/// The smallest and the largest value of a sum.
pub(super) fn bounds(summands: &[Summand], number: PbNumber) -> (PbNumber, PbNumber) {
    summands.iter().fold((number, number), |(low, high), Summand { factor, cases }| {
        let values = || cases.iter().map(|(value, _)| *factor * *value);
        (low + values().min().unwrap_or_default(), high + values().max().unwrap_or_default())
    })
}
