//! Operators on terms. A few follow the structure of their operands; the others try all combinations of values.

use super::{
    formula::{PbConstraint, PbFormula, PbLiteral},
    number::PbNumber,
    term::{
        Cases, Covered, MOST_CASES, MapEntry, PartialTerm, PbTerm, Summand, at_least, bounds, difference, not_covered,
    },
    variables::size,
};
use crate::{
    language::{Collection, Stop, Value},
    operators::{LARGEST, Operator, OperatorSymbol, symbols::*},
};
use std::collections::BTreeMap;

/// Up to this number of combinations, two numbers are compared value by value. Chosen.
const FEW_COMBINATIONS: usize = 400;
/// A sum of two numbers with more values than this together is long. Chosen.
const LONG_SUM: usize = 100;
/// The parts of a sum add up to at most 2 to this power, so that no number here exceeds 128 bits.
const LARGEST_PARTS: u32 = 64;

/// The result of an operator.
pub(super) enum OperatorOutcome {
    /// A Boolean that is true if all these constraints hold.
    Facts(Vec<PbConstraint>),
    Term(PartialTerm),
}

impl From<PbTerm> for OperatorOutcome {
    fn from(term: PbTerm) -> Self {
        OperatorOutcome::Term(term.into())
    }
}

impl From<PbLiteral> for OperatorOutcome {
    fn from(literal: PbLiteral) -> Self {
        OperatorOutcome::from(PbTerm::Bool(literal))
    }
}

impl PbTerm {
    pub(super) fn literal(&self) -> PbLiteral {
        match self {
            PbTerm::Bool(literal) => *literal,
            other => unreachable!("a Boolean was expected, not {other:?}"),
        }
    }
}

fn symbol_of(text: &'static str) -> OperatorSymbol {
    OperatorSymbol::function(text)
}

impl PbFormula {
    /// Applies an operator to terms that have values.
    pub(super) fn apply(&mut self, operator: &Operator, operands: &[PbTerm]) -> Covered<OperatorOutcome> {
        if let Some(constants) = operands.iter().map(PbTerm::constant).collect::<Option<Vec<Value>>>() {
            return match (operator.eval)(&constants) {
                Ok(value) => Ok(PbTerm::from(value).into()),
                Err(Stop::Undefined) => Ok(undefined()),
                Err(Stop::Fault(fault)) => not_covered(format!("this operator here ({})", fault.message)),
            };
        }
        match self.by_structure(operator.symbol, operands)? {
            Some(outcome) => Ok(outcome),
            None => self.by_trying(operator, operands),
        }
    }

    /// Computes an operator for all combinations of the operands' values.
    fn by_trying(&mut self, operator: &Operator, operands: &[PbTerm]) -> Covered<OperatorOutcome> {
        let combinations = self.combinations(operands).map_err(|mut missing| {
            missing.0 = format!("`{}` here: {}", operator.symbol.text, missing.0);
            missing
        })?;
        self.tried = Some(combinations.len());
        let (mut results, mut undefined) = (Vec::new(), Vec::new());
        for (values, literals) in combinations {
            match (operator.eval)(&values) {
                Ok(value) => results.push((value, literals)),
                Err(Stop::Undefined) => undefined.push(literals),
                Err(Stop::Fault(fault)) => {
                    return not_covered(format!("`{}` here ({})", operator.symbol.text, fault.message));
                }
            }
        }
        let is_boolean = |(value, _): &(Value, Vec<PbLiteral>)| matches!(value, Value::Bool(_));
        if !results.is_empty() && results.iter().all(is_boolean) {
            let (holding, failing): (Vec<_>, Vec<_>) = results.into_iter().partition(|(value, _)| value.as_bool());
            let failing: Vec<Vec<PbLiteral>> =
                failing.into_iter().map(|(_, literals)| literals).chain(undefined).collect();
            // If few combinations hold, a literal for each of them is shorter than a clause for each of the others.
            if holding.len() < failing.len() / 4 {
                let holding: Vec<PbLiteral> = holding.into_iter().map(|(_, literals)| self.all(literals)).collect();
                return Ok(self.any(holding).into());
            }
            // Each clause excludes a combination that fails.
            let clause = |literals: Vec<PbLiteral>| PbConstraint::clause(literals.into_iter().map(|one| !one));
            return Ok(OperatorOutcome::Facts(failing.into_iter().map(clause).collect()));
        }
        if results.is_empty() {
            return Ok(self::undefined());
        }
        let cases = results.into_iter().map(|(value, literals)| (value, self.all(literals))).collect();
        let wrong: Vec<PbLiteral> = undefined.into_iter().map(|literals| self.all(literals)).collect();
        let defined = !self.any(wrong);
        Ok(OperatorOutcome::Term(PartialTerm { term: self.of_cases(cases), defined }))
    }

    /// The values of a number with one summand, or with two if the sum would be long. Other terms stay as they are.
    fn by_values(&mut self, term: &PbTerm) -> Covered<PbTerm> {
        let is_long = |one: &Summand, other: &Summand| {
            let (one, other) = (one.cases.len(), other.cases.len());
            one + other > LONG_SUM && one * other <= MOST_CASES / 4
        };
        match term {
            PbTerm::Sum(summands, _) if summands.len() == 1 => Ok(PbTerm::Cases(self.cases(term)?)),
            PbTerm::Sum(summands, _) if summands.len() == 2 && is_long(&summands[0], &summands[1]) => {
                Ok(PbTerm::Cases(self.cases(term)?))
            }
            PbTerm::Sum(summands, _) if summands.is_empty() => {
                Ok(term.constant().map_or_else(|| term.clone(), PbTerm::from))
            }
            _ => Ok(term.clone()),
        }
    }

    fn by_structure(&mut self, symbol: OperatorSymbol, operands: &[PbTerm]) -> Covered<Option<OperatorOutcome>> {
        match operands {
            [one] => self.unary(symbol, one),
            [one, other] => self.binary(symbol, one, other),
            _ => Ok(None),
        }
    }

    fn binary(&mut self, symbol: OperatorSymbol, one: &PbTerm, other: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let outcome: OperatorOutcome = match symbol {
            AND => self.all([one.literal(), other.literal()]).into(),
            OR => self.any([one.literal(), other.literal()]).into(),
            IMPLIES => self.any([!one.literal(), other.literal()]).into(),
            EQUAL | IFF => {
                let (one, other) = (self.by_values(one)?, self.by_values(other)?);
                OperatorOutcome::Facts(self.equal(&one, &other)?)
            }
            UNEQUAL => self.unequal(one, other)?,
            LESS | AT_MOST | GREATER | AT_LEAST => match self.ordered(symbol, one, other)? {
                Some(outcome) => outcome,
                None => return Ok(None),
            },
            PLUS | MINUS => return self.added(symbol, one, other),
            TIMES => match (one.sum(), other.sum()) {
                // A product is linear only if one factor is constant.
                (Some((none, factor)), Some(sum)) | (Some(sum), Some((none, factor))) if none.is_empty() => {
                    scaled(sum, factor)?.into()
                }
                _ => return Ok(None),
            },
            UNION | INTERSECT => match self.algebra(symbol, one, other)? {
                Some(outcome) => outcome,
                None => return Ok(None),
            },
            SUBSET_EQ | SUBSET => return self.contained(one, other, symbol == SUBSET),
            SUPERSET_EQ | SUPERSET => return self.contained(other, one, symbol == SUPERSET),
            IN => match self.is_in(one, other)? {
                Some(literal) => literal.into(),
                None => return Ok(None),
            },
            INDEX => match one.elements(self) {
                Some((index, elements)) => {
                    let ways = index.members().zip(elements).collect::<Vec<_>>();
                    self.looked_up(&ways, other)?
                }
                None => return Ok(None),
            },
            IMAGE | IMAGE_WORD => return self.image(one, other),
            PRE_IMAGE => return self.pre_image(one, other),
            FREQUENCY => return self.frequency(one, other),
            LEX_LESS | LEX_AT_MOST | LEX_GREATER | LEX_AT_LEAST => {
                let (Some((_, left)), Some((_, right))) = (one.elements(self), other.elements(self)) else {
                    return Ok(None);
                };
                let strict = symbol == LEX_LESS || symbol == LEX_GREATER;
                // `a >lex b` means `b <lex a`, so the sides are exchanged.
                match symbol {
                    LEX_LESS | LEX_AT_MOST => self.lexicographic(&left, &right, strict)?.into(),
                    _ => self.lexicographic(&right, &left, strict)?.into(),
                }
            }
            _ if symbol == symbol_of("table") => return self.table(one, other),
            _ if symbol == symbol_of("party") || symbol == symbol_of("together") || symbol == symbol_of("apart") => {
                return self.in_parts(symbol, one, other);
            }
            _ => return Ok(None),
        };
        Ok(Some(outcome))
    }

    /// The sum or the difference of numbers, or of collections.
    fn added(&mut self, symbol: OperatorSymbol, one: &PbTerm, other: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let (summands, number) = match (one.sum(), other.sum()) {
            (Some((mut summands, number)), Some((more, rest))) if symbol == PLUS => {
                summands.extend(more);
                (summands, number + rest)
            }
            (Some(one), Some(other)) => difference(one, other),
            _ => return self.algebra(symbol, one, other),
        };
        Ok(Some(bounded(summands, number)?.into()))
    }

    fn contained(&mut self, small: &PbTerm, large: &PbTerm, is_strict: bool) -> Covered<Option<OperatorOutcome>> {
        let Some(mut facts) = self.subset(small, large)? else { return Ok(None) };
        if is_strict {
            let same = self.equal(small, large)?;
            // A strict subset lacks a member: not all members are the same.
            let same = self.holds(same);
            facts.push(PbConstraint::clause([!same]));
        }
        Ok(Some(OperatorOutcome::Facts(facts)))
    }

    fn pre_image(&mut self, function: &PbTerm, value: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let Some((Collection::Function | Collection::Sequence, entries)) = function.entries(self) else {
            return Ok(None);
        };
        let mut members = Vec::new();
        for MapEntry { argument, present, image } in entries.iter() {
            let equal = self.equal(image, value)?;
            let equal = self.holds(equal);
            members.push((argument.clone(), self.all([*present, equal])));
        }
        Ok(Some(PbTerm::Members(Collection::Set, members.into()).into()))
    }

    /// The values of terms, each with the condition that the term is present and has the value.
    fn values_of(&mut self, terms: impl IntoIterator<Item = (PbLiteral, PbTerm)>) -> Covered<Vec<(Value, PbLiteral)>> {
        let mut members = Vec::new();
        for (present, term) in terms {
            for (value, literal) in self.cases(&term)?.iter() {
                members.push((value.clone(), self.all([present, *literal])));
            }
        }
        Ok(members)
    }

    fn all_different(&mut self, list: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let Some(elements) = list.listed(self) else { return Ok(None) };
        // The constraints are grouped by value: at most one element may have each value.
        let mut among: BTreeMap<Value, Vec<PbLiteral>> = BTreeMap::new();
        for (value, there) in self.values_of(elements)? {
            among.entry(value).or_default().push(there);
        }
        // If only one element can have the value, it cannot occur twice.
        let several = among.into_values().filter(|literals| literals.len() > 1);
        Ok(Some(OperatorOutcome::Facts(several.map(PbConstraint::at_most_one).collect())))
    }

    fn set_from(&mut self, term: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let members = match term.members(self)? {
            Some((_, members)) => members.to_vec(),
            None => match (term.listed(self), term.entries(self)) {
                (Some(elements), _) => self.values_of(elements)?,
                (None, Some((_, entries))) => {
                    entries.iter().map(|entry| (entry.argument.clone(), entry.present)).collect()
                }
                _ => return Ok(None),
            },
        };
        Ok(Some(self.set_of(members).into()))
    }

    fn unary(&mut self, symbol: OperatorSymbol, one: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let outcome: OperatorOutcome = match symbol {
            NOT => (!one.literal()).into(),
            NEGATE => match one.sum() {
                Some(sum) => scaled(sum, -PbNumber::ONE)?.into(),
                None => return Ok(None),
            },
            ALL | ANY => match one.listed(self) {
                // If the element is absent, it does not count, so its absence is an alternative.
                Some(elements) if symbol == ALL => {
                    let implied = |(present, element): &(PbLiteral, PbTerm)| [!*present, element.literal()];
                    OperatorOutcome::Facts(elements.iter().map(|one| PbConstraint::clause(implied(one))).collect())
                }
                Some(elements) => {
                    let ways: Vec<PbLiteral> =
                        elements.iter().map(|(present, element)| self.all([*present, element.literal()])).collect();
                    self.any(ways).into()
                }
                None => return Ok(None),
            },
            SUM => match self.numbers(one)? {
                Some(elements) => self.sum_of(elements)?.into(),
                None => return Ok(None),
            },
            MIN | MAX => match self.numbers(one)? {
                Some(elements) => self.extreme(elements, symbol == MAX)?,
                None => return Ok(None),
            },
            // Bars around a number mean its absolute value, for which all values are tried.
            BARS if one.sum().is_none() => size(self, one)?.into(),
            ALL_DIFFERENT => return self.all_different(one),
            TO_SET => return self.set_from(one),
            DEFINED | RANGE => match one.entries(self) {
                Some((Collection::Function | Collection::Sequence, entries)) => {
                    let members = match symbol {
                        DEFINED => entries.iter().map(|entry| (entry.argument.clone(), entry.present)).collect(),
                        _ => self.values_of(entries.iter().map(|entry| (entry.present, entry.image.clone())))?,
                    };
                    self.set_of(members).into()
                }
                _ => return Ok(None),
            },
            _ if symbol == symbol_of("toInt") => PbTerm::indicator(one.literal()).into(),
            _ if symbol == symbol_of("toRelation") => match one.members(self)? {
                Some((_, members)) => PbTerm::Members(Collection::Relation, members).into(),
                None => return Ok(None),
            },
            _ if symbol == symbol_of("parts") => match one.members(self)? {
                // The parts are sets, so they can be the members of a set of sets as they are.
                Some((_, parts)) => PbTerm::Members(Collection::Set, parts).into(),
                None => return Ok(None),
            },
            _ if symbol == symbol_of("participants") => match one.members(self)? {
                Some((_, parts)) => {
                    let members = parts.iter().flat_map(|(part, literal)| {
                        part.items().iter().map(|value| (value.clone(), *literal)).collect::<Vec<_>>()
                    });
                    self.set_of(members.collect()).into()
                }
                None => return Ok(None),
            },
            FLATTEN => match self.flat(one)? {
                Some(elements) => PbTerm::List(elements.into()).into(),
                None => return Ok(None),
            },
            _ if symbol == symbol_of("concatenate") => match self.concatenated(one) {
                Some(elements) => PbTerm::List(elements.into()).into(),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(outcome))
    }

    /// The elements of the lists in a list, each with the literal that it is present.
    fn concatenated(&mut self, lists: &PbTerm) -> Option<Vec<(PbLiteral, PbTerm)>> {
        let mut all = Vec::new();
        for (present, list) in lists.listed(self)? {
            for (there, element) in list.listed(self)? {
                all.push((self.all([present, there]), element));
            }
        }
        Some(all)
    }

    /// The innermost elements of a matrix.
    fn flat(&mut self, term: &PbTerm) -> Covered<Option<Vec<(PbLiteral, PbTerm)>>> {
        let Some(elements) = term.listed(self) else { return Ok(None) };
        let mut all = Vec::new();
        for (present, element) in elements {
            match self.flat(&element)? {
                Some(inner) => {
                    for (there, element) in inner {
                        all.push((self.all([present, there]), element));
                    }
                }
                None if element.is_matrix() == Some(true) => {
                    return not_covered("`flatten` of matrices that depend on decisions");
                }
                None => all.push((present, element)),
            }
        }
        Ok(Some(all))
    }

    pub(super) fn set_of(&mut self, members: Vec<(Value, PbLiteral)>) -> PbTerm {
        let mut among: BTreeMap<Value, Vec<PbLiteral>> = BTreeMap::new();
        members.into_iter().for_each(|(value, literal)| among.entry(value).or_default().push(literal));
        let members: Cases = among.into_iter().map(|(value, literals)| (value, self.any(literals))).collect();
        PbTerm::Members(Collection::Set, members)
    }

    fn unequal(&mut self, one: &PbTerm, other: &PbTerm) -> Covered<OperatorOutcome> {
        let (one, other) = (self.by_values(one)?, self.by_values(other)?);
        one.must_be_like(&other)?;
        // The terms are compared value by value: no value may belong to both.
        if let (PbTerm::Cases(one), PbTerm::Cases(other)) = (&one, &other) {
            let mut facts = Vec::new();
            for (value, literal) in one.iter() {
                let same = other.iter().filter(|(second, _)| second == value);
                facts.extend(same.map(|(_, second)| PbConstraint::clause([!*literal, !*second])));
            }
            return Ok(OperatorOutcome::Facts(facts));
        }
        let same = self.equal(&one, &other)?;
        Ok((!self.holds(same)).into())
    }

    fn ordered(&mut self, symbol: OperatorSymbol, one: &PbTerm, other: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let (Some(left), Some(right)) = (one.sum(), other.sum()) else { return Ok(None) };
        let combinations = |sum: &(Vec<Summand>, PbNumber)| match &sum.0[..] {
            [] => 1,
            [only] => only.cases.len(),
            _ => FEW_COMBINATIONS + 1,
        };
        // If there are few combinations, trying them gives shorter constraints than sums.
        if combinations(&left) * combinations(&right) <= FEW_COMBINATIONS {
            return Ok(None);
        }
        // Between integers, a strict comparison is a comparison with a distance of 1.
        let strict = PbNumber::from(i64::from(symbol == LESS || symbol == GREATER));
        let (small, large) = if symbol == LESS || symbol == AT_MOST { (left, right) } else { (right, left) };
        let (summands, number) = difference(large, small);
        Ok(Some(OperatorOutcome::Facts(vec![at_least(&summands, number, strict)])))
    }

    /// Unions, intersections and differences of sets and relations.
    fn algebra(&mut self, symbol: OperatorSymbol, one: &PbTerm, other: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let (Some((kind, one)), Some((_, other))) = (one.members(self)?, other.members(self)?) else { return Ok(None) };
        if !matches!(kind, Collection::Set | Collection::Relation) {
            return Ok(None);
        }
        // If a value is on one side only, its literal on the other side is false.
        let mut together: BTreeMap<Value, [PbLiteral; 2]> = BTreeMap::new();
        for (position, side) in [one, other].into_iter().enumerate() {
            for (value, literal) in side.iter() {
                together.entry(value.clone()).or_insert([PbLiteral::FALSE; 2])[position] = *literal;
            }
        }
        let members = together.into_iter().map(|(value, [one, other])| {
            let literal = match symbol {
                UNION => self.any([one, other]),
                INTERSECT => self.all([one, other]),
                _ => self.all([one, !other]),
            };
            (value, literal)
        });
        let members: Cases = members.filter(|(_, literal)| *literal != PbLiteral::FALSE).collect();
        Ok(Some(PbTerm::Members(kind, members).into()))
    }

    fn subset(&mut self, small: &PbTerm, large: &PbTerm) -> Covered<Option<Vec<PbConstraint>>> {
        let (Some((kind, small)), Some((_, large))) = (small.members(self)?, large.members(self)?) else {
            return Ok(None);
        };
        if !matches!(kind, Collection::Set | Collection::Relation | Collection::Function) {
            return Ok(None);
        }
        let large: BTreeMap<&Value, PbLiteral> = large.iter().map(|(value, literal)| (value, *literal)).collect();
        let fact = |(value, literal): &(Value, PbLiteral)| {
            // If the larger side cannot have a value, the smaller side must not have it.
            PbConstraint::clause([!*literal, large.get(value).copied().unwrap_or(PbLiteral::FALSE)])
        };
        Ok(Some(small.iter().map(fact).collect()))
    }

    fn is_in(&mut self, one: &PbTerm, collection: &PbTerm) -> Covered<Option<PbLiteral>> {
        let members = match collection.entries(self) {
            Some((Collection::MSet, entries)) => {
                entries.iter().map(|entry| (entry.argument.clone(), entry.present)).collect()
            }
            _ => match collection.members(self)? {
                Some((_, members)) => members,
                None => return Ok(None),
            },
        };
        let mut ways = Vec::new();
        for (member, literal) in members.iter() {
            if *literal != PbLiteral::FALSE {
                let is = self.is(one, member)?;
                ways.push(self.all([is, *literal]));
            }
        }
        Ok(Some(self.any(ways)))
    }

    /// Selects the term for the value of an index.
    fn looked_up(&mut self, ways: &[(Value, PbTerm)], index: &PbTerm) -> Covered<OperatorOutcome> {
        let mut chosen = Vec::new();
        for (value, term) in ways {
            // If the term cannot have the index, the index needs no selection.
            let way = self.is(index, value)?;
            if way != PbLiteral::FALSE {
                chosen.push((way, term.clone()));
            }
        }
        if chosen.is_empty() {
            return Ok(undefined());
        }
        let defined = self.any(chosen.iter().map(|(way, _)| *way));
        Ok(OperatorOutcome::Term(PartialTerm { term: self.select(&chosen)?, defined }))
    }

    fn image(&mut self, map: &PbTerm, argument: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        if let Some((Collection::Function | Collection::Sequence, entries)) = map.entries(self) {
            let mut chosen = Vec::new();
            for entry in entries.iter() {
                let is = self.is(argument, &entry.argument)?;
                let way = self.all([is, entry.present]);
                if way != PbLiteral::FALSE {
                    chosen.push((way, entry.image.clone()));
                }
            }
            if chosen.is_empty() {
                return Ok(Some(undefined()));
            }
            let defined = self.any(chosen.iter().map(|(way, _)| *way));
            return Ok(Some(OperatorOutcome::Term(PartialTerm { term: self.select(&chosen)?, defined })));
        }
        match map.members(self)? {
            // For a relation, `R(a, b)` is true if the tuple is in it.
            Some((Collection::Relation, _)) => Ok(self.is_in(argument, map)?.map(OperatorOutcome::from)),
            _ => Ok(None),
        }
    }

    /// The elements of a list, or the members of a set of numbers or of a multiset.
    fn numbers(&mut self, term: &PbTerm) -> Covered<Option<Vec<(PbLiteral, PbTerm)>>> {
        if let Some(elements) = term.listed(self) {
            return Ok(Some(elements));
        }
        if let Some((Collection::MSet, entries)) = term.entries(self) {
            let mut elements = Vec::new();
            for entry in entries.iter() {
                for copy in 1..=self.most(&entry.image)? {
                    let there = self.reached(&entry.image, copy)?;
                    elements.push((there, entry.argument.clone().into()));
                }
            }
            return Ok(Some(elements));
        }
        let Some((Collection::Set, members)) = term.members(self)? else { return Ok(None) };
        Ok(Some(members.iter().map(|(value, literal)| (*literal, value.clone().into())).collect()))
    }

    /// The largest value of a number.
    pub(super) fn most(&mut self, term: &PbTerm) -> Covered<i64> {
        Ok(self.cases(term)?.iter().map(|(value, _)| value.as_int()).max().unwrap_or(0))
    }

    /// The literal that is true if a number is at least `least`.
    pub(super) fn reached(&mut self, term: &PbTerm, least: i64) -> Covered<PbLiteral> {
        // A number has exactly one value, so it is at least `least` if one of these values is its own.
        let cases = self.cases(term)?;
        let ways = cases.iter().filter(|(value, _)| value.as_int() >= least).map(|(_, literal)| *literal);
        Ok(self.any(ways.collect::<Vec<_>>()))
    }

    fn sum_of(&mut self, elements: Vec<(PbLiteral, PbTerm)>) -> Covered<PbTerm> {
        let (mut summands, mut number) = (Vec::new(), PbNumber::ZERO);
        for (present, element) in elements {
            // Other elements, such as tuples, cannot be summed.
            let Some((more, constant)) = element.sum() else { return not_covered("sums of these values") };
            match present {
                PbLiteral::TRUE => {
                    summands.extend(more);
                    number += constant;
                }
                PbLiteral::FALSE => {}
                _ => {
                    for Summand { factor, cases } in more {
                        let there = cases.iter().map(|(value, literal)| (*value, self.all([present, *literal])));
                        // If the element is absent, it adds 0.
                        let cases = there.chain([(PbNumber::ZERO, !present)]).collect();
                        summands.push(Summand { factor, cases });
                    }
                    // The constant belongs to the element, so it counts only if the element is present.
                    summands.push(Summand::indicator(constant, present));
                }
            }
        }
        bounded(summands, number)
    }

    /// The smallest or the largest element.
    fn extreme(&mut self, elements: Vec<(PbLiteral, PbTerm)>, largest: bool) -> Covered<OperatorOutcome> {
        let mut among: BTreeMap<Value, Vec<PbLiteral>> = BTreeMap::new();
        for (present, element) in elements {
            for (value, literal) in self.cases(&element)?.iter() {
                let there = self.all([present, *literal]);
                among.entry(value.clone()).or_default().push(there);
            }
        }
        let mut values: Vec<(Value, PbLiteral)> =
            among.into_iter().map(|(value, ways)| (value, self.any(ways))).collect();
        if largest {
            values.reverse();
        }
        // A value is the extreme if it is present and no better value is.
        let (mut before, mut cases) = (PbLiteral::FALSE, Vec::new());
        for (value, there) in values {
            cases.push((value, self.all([there, !before])));
            before = self.any([before, there]);
        }
        // The extreme is defined if any element is present.
        Ok(OperatorOutcome::Term(PartialTerm { term: self.of_cases(cases), defined: before }))
    }

    /// The number of occurrences of a value in a multiset or a list.
    fn frequency(&mut self, among: &PbTerm, value: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        if let Some(elements) = among.listed(self) {
            let mut there = Vec::new();
            for (present, element) in elements {
                let equal = self.equal(&element, value)?;
                let equal = self.holds(equal);
                there.push((1, self.all([present, equal])));
            }
            return Ok(Some(PbTerm::count(there).into()));
        }
        let Some((Collection::MSet, entries)) = among.entries(self) else { return Ok(None) };
        // The arguments differ, so at most one of the alternatives applies.
        let (mut ways, mut others) = (Vec::new(), PbLiteral::TRUE);
        for entry in entries.iter() {
            let is = self.is(value, &entry.argument)?;
            others = self.all([others, !is]);
            ways.push((is, entry.image.clone()));
        }
        // If the value equals no argument, it occurs 0 times.
        ways.push((others, Value::Int(0).into()));
        Ok(Some(self.select(&ways)?.into()))
    }

    fn less(&mut self, one: &PbTerm, other: &PbTerm) -> Covered<PbLiteral> {
        if let (Some(_), Some(_)) = (one.sum(), other.sum())
            && let Some(OperatorOutcome::Facts(facts)) = self.ordered(LESS, one, other)?
        {
            return Ok(self.holds(facts));
        }
        let combinations = self.combinations(&[one.clone(), other.clone()])?;
        let less = combinations.into_iter().filter(|(values, _)| values[0] < values[1]);
        let ways: Vec<PbLiteral> = less.map(|(_, literals)| self.all(literals)).collect();
        Ok(self.any(ways))
    }

    fn lexicographic(&mut self, one: &[PbTerm], other: &[PbTerm], strict: bool) -> Covered<PbLiteral> {
        // The loop runs from the last position to the first, and `holds` compares the rest.
        let mut holds = PbLiteral::of(one.len() < other.len() || one.len() == other.len() && !strict);
        for (one, other) in one.iter().zip(other).rev() {
            let less = self.less(one, other)?;
            let equal = self.equal(one, other)?;
            let equal = self.holds(equal);
            let rest = self.all([equal, holds]);
            holds = self.any([less, rest]);
        }
        Ok(holds)
    }

    fn table(&mut self, row: &PbTerm, rows: &PbTerm) -> Covered<Option<OperatorOutcome>> {
        let (Some((_, row)), Some(rows)) = (row.elements(self), rows.listed(self)) else { return Ok(None) };
        let mut ways = Vec::new();
        for (present, one) in rows {
            let Some((_, one)) = one.elements(self) else { return Ok(None) };
            if one.len() != row.len() {
                return Ok(None);
            }
            let mut same = vec![present];
            for (left, right) in row.iter().zip(&one) {
                let equal = self.equal(left, right)?;
                same.push(self.holds(equal));
            }
            ways.push(self.all(same));
        }
        Ok(Some(self.any(ways).into()))
    }

    /// Translates `party`, `together` and `apart`.
    fn in_parts(
        &mut self,
        symbol: OperatorSymbol,
        one: &PbTerm,
        partition: &PbTerm,
    ) -> Covered<Option<OperatorOutcome>> {
        let Some((Collection::Partition, parts)) = partition.members(self)? else { return Ok(None) };
        if symbol == symbol_of("party") {
            let mut members = Vec::new();
            for (part, literal) in parts.iter() {
                let inside = self.is_in(one, &Value::Collection(Collection::Set, part.items().into()).into())?;
                let here = self.all([*literal, inside.unwrap_or(PbLiteral::FALSE)]);
                // At most one part contains the element, so the members of the other parts are excluded.
                members.extend(part.items().iter().map(|value| (value.clone(), here)));
            }
            return Ok(Some(self.set_of(members).into()));
        }
        let Some((_, members)) = one.members(self)? else { return Ok(None) };
        let mut together = Vec::new();
        for (part, literal) in parts.iter() {
            // The set must not have a member outside the part.
            let outside = members.iter().filter(|(member, _)| !part.items().contains(member));
            let inside = outside.map(|(_, there)| !*there).chain([*literal]);
            together.push(self.all(inside.collect::<Vec<_>>()));
        }
        let together = self.any(together);
        if symbol == symbol_of("together") {
            return Ok(Some(together.into()));
        }
        // `apart` also requires that each member is in the partition.
        let mut facts = vec![PbConstraint::clause([!together])];
        for (member, there) in members.iter() {
            let holding = parts.iter().filter(|(part, _)| part.items().contains(member));
            facts.push(PbConstraint::clause(holding.map(|(_, literal)| *literal).chain([!*there])));
        }
        Ok(Some(OperatorOutcome::Facts(facts)))
    }
}

/// An undefined result.
pub(super) fn undefined() -> OperatorOutcome {
    OperatorOutcome::Term(PartialTerm { term: PbTerm::Cases([].into()), defined: PbLiteral::FALSE })
}

fn scaled((summands, number): (Vec<Summand>, PbNumber), factor: PbNumber) -> Covered<PbTerm> {
    let scaled = summands.into_iter().map(|one| Some(Summand { factor: one.factor.checked_mul(factor)?, ..one }));
    match (scaled.collect(), number.checked_mul(factor)) {
        (Some(summands), Some(number)) => bounded(summands, number),
        _ => too_large(),
    }
}

/// A sum, or a refusal if a value may leave the range of integers, because the model has no value there either.
fn bounded(mut summands: Vec<Summand>, number: PbNumber) -> Covered<PbTerm> {
    summands.retain(|one| one.factor != PbNumber::ZERO && one.cases.iter().any(|(value, _)| *value != PbNumber::ZERO));
    let mut parts = number.abs();
    for Summand { factor, cases } in &summands {
        let Some(largest) =
            cases.iter().map(|(value, _)| value.abs()).max().unwrap_or_default().checked_mul(factor.abs())
        else {
            return too_large();
        };
        parts += largest;
    }
    if parts > PbNumber::power_of_two(LARGEST_PARTS) {
        return too_large();
    }
    let (low, high) = bounds(&summands, number);
    let largest = PbNumber::from(LARGEST);
    if low < -largest || high > largest {
        return too_large();
    }
    Ok(PbTerm::Sum(summands, number))
}

fn too_large<T>() -> Covered<T> {
    not_covered("sums that may be larger than 2^62")
}
