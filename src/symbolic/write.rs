//! Writes a value into the variables of a term: the reverse of [`super::read`].
//!
//! Each value of a domain has one assignment, which follows from the representation, and the term shows the
//! representation: slots are filled in ascending order, and unused variables have the first value of their domain.

use super::*;
use crate::{
    language::Value,
    problem::{BoolNode, Variable},
};

/// The variables of a term, and how values are written into them.
#[derive(Debug)]
pub(crate) struct Writing {
    /// The variables, each once, in the order of the term.
    variables: Vec<Variable>,
    /// The meaning of the numbers of a value.
    leaves: Vec<WrittenLeaf>,
    shape: WrittenShape,
}

/// The meaning of one number of a written value.
#[derive(Clone, Copy, Debug)]
enum WrittenLeaf {
    /// The number must have this value.
    Constant(i64),
    /// The number is the value of the variable at this position; a Boolean may be negated.
    Variable(usize, bool),
    /// The number is 1 if the variable at this position is greater than this bound.
    Above(usize, i64),
}

/// The structure by which a value becomes numbers.
#[derive(Debug)]
enum WrittenShape {
    /// Only this value can be written.
    Constant(Value),
    WrittenLeaf,
    /// The components of a tuple or a record, or the elements of a matrix.
    Items(Vec<WrittenShape>),
    /// The tag, and for each alternative its shape with the value to write while another alternative is active.
    Variant(Vec<Option<(WrittenShape, Value)>>),
    /// A number for each element, in ascending order: the position of its part if parts are ordered by their least
    /// elements.
    Blocks(Vec<Value>),
    /// A number for each of these values: 1 if it is present. A multiset lists a value once for each occurrence.
    Occurrence(Vec<Value>),
    /// A number for each key, 1 if it is present, and its member; an absent key has this image.
    Keyed(Vec<(Value, WrittenShape)>, Value),
    /// Members in ascending order; an unused slot has this value.
    Slots(Vec<WrittenShape>, Value),
}

impl Writing {
    /// The writing of values of this domain into a term; `None` if the term does not consist of variables.
    pub(crate) fn of(problem: &Problem, term: &Term, domain: &GroundDomain) -> Option<Writing> {
        let mut builder = WritingBuilder { problem, places: FxHashMap::default(), variables: vec![], leaves: vec![] };
        let shape = builder.shape(term, domain)?;
        Some(Writing { variables: builder.variables, leaves: builder.leaves, shape })
    }

    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The numbers for the variables, with 0 and 1 for Booleans; `None` if the value is not in the domain.
    pub(crate) fn write(&self, value: &Value) -> Option<Vec<i64>> {
        self.assigned(&self.numbers(value, &[])?)
    }

    /// The numbers of a value. If numbers are given as `near`, members of both values stay in their slots, which may
    /// violate the order of slots.
    pub(crate) fn numbers(&self, value: &Value, near: &[i64]) -> Option<Vec<i64>> {
        let mut numbers = Vec::with_capacity(self.leaves.len());
        numbers_of(&self.shape, value, near, &mut numbers)?;
        Some(numbers)
    }

    /// Returns the values of the variables from which these numbers follow; `None` if a constant has another number.
    pub(crate) fn assigned(&self, numbers: &[i64]) -> Option<Vec<i64>> {
        // This marks a variable that no number has set yet.
        let mut written = vec![i64::MIN; self.variables.len()];
        for (leaf, &number) in self.leaves.iter().zip(numbers) {
            match *leaf {
                WrittenLeaf::Constant(constant) if constant != number => return None,
                WrittenLeaf::Constant(_) => {}
                WrittenLeaf::Variable(place, negated) => written[place] = if negated { 1 - number } else { number },
                // The bounds of a variable ascend, so the last one with the number 1 decides.
                WrittenLeaf::Above(place, below) if number == 1 => written[place] = written[place].max(below + 1),
                WrittenLeaf::Above(place, below) if written[place] == i64::MIN => written[place] = below,
                WrittenLeaf::Above(..) => {}
            }
        }
        Some(written)
    }
}

struct WritingBuilder<'p> {
    problem: &'p Problem,
    places: FxHashMap<Variable, usize>,
    variables: Vec<Variable>,
    leaves: Vec<WrittenLeaf>,
}

impl WritingBuilder<'_> {
    fn shape(&mut self, term: &Term, domain: &GroundDomain) -> Option<WrittenShape> {
        Some(match (term, domain) {
            (Term::Value(value), _) => {
                self.leaves.push(WrittenLeaf::Constant(0));
                WrittenShape::Constant(value.clone())
            }
            (Term::Bool(term), _) => {
                self.condition(*term)?;
                WrittenShape::WrittenLeaf
            }
            (Term::Int(term), _) => {
                self.int(*term)?;
                WrittenShape::WrittenLeaf
            }
            (Term::Tuple(items), GroundDomain::Tuple(domains)) => self.items(items, domains.iter())?,
            (Term::Tuple(items), GroundDomain::Record(fields)) => {
                self.items(items, fields.iter().map(|(_, domain)| domain))?
            }
            (Term::Matrix(_, elements), GroundDomain::Matrix(_, element)) => {
                self.items(elements, std::iter::repeat(&**element))?
            }
            (Term::Variant(tag, alternatives), GroundDomain::Variant(domains)) => {
                self.int(*tag)?;
                let mut shapes = Vec::with_capacity(alternatives.len());
                for (alternative, (_, domain)) in alternatives.iter().zip(domains) {
                    shapes.push(match alternative {
                        Some(term) => Some((self.shape(term, domain)?, domain.members().next()?)),
                        None => None,
                    });
                }
                WrittenShape::Variant(shapes)
            }
            (Term::Collection(_, members), GroundDomain::Collection(kind, attributes, parts)) => {
                let form = kind.form();
                if form == MemberForm::Blocks {
                    let (elements, numbers): (Vec<Value>, Vec<Int>) = members.numbered_elements().into_iter().unzip();
                    numbers.into_iter().try_for_each(|number| self.int(number))?;
                    return Some(WrittenShape::Blocks(elements));
                }
                self.collection(&members.members, form, form.member_domain(attributes, parts.clone()))?
            }
            _ => return None,
        })
    }

    fn items<'d>(&mut self, items: &[Term], domains: impl Iterator<Item = &'d GroundDomain>) -> Option<WrittenShape> {
        let shapes: Option<Vec<WrittenShape>> =
            items.iter().zip(domains).map(|(item, domain)| self.shape(item, domain)).collect();
        shapes.map(WrittenShape::Items)
    }

    fn collection(&mut self, members: &[Member], form: MemberForm, domain: GroundDomain) -> Option<WrittenShape> {
        if members.iter().all(|member| member.term.as_value().is_some()) && !form.is_keyed() {
            let mut values = Vec::with_capacity(members.len());
            for member in members {
                self.condition(member.condition)?;
                self.leaves.push(WrittenLeaf::Constant(0));
                values.extend(member.term.as_value().cloned());
            }
            return Some(WrittenShape::Occurrence(values));
        }
        if members.is_empty() {
            return Some(WrittenShape::Occurrence(Vec::new()));
        }
        let first = domain.members().next()?;
        let key = |member: &Member| match &member.term {
            Term::Tuple(items) if form.is_keyed() => items[0].as_value().cloned(),
            Term::Value(Value::Tuple(items)) if form.is_keyed() => items.first().cloned(),
            _ => None,
        };
        if members.iter().all(|member| key(member).is_some()) {
            let mut keyed = Vec::with_capacity(members.len());
            for member in members {
                self.condition(member.condition)?;
                keyed.push((key(member)?, self.shape(&member.term, &domain)?));
            }
            return Some(WrittenShape::Keyed(keyed, first.components().get(1)?.clone()));
        }
        let mut slots = Vec::with_capacity(members.len());
        for member in members {
            self.condition(member.condition)?;
            slots.push(self.shape(&member.term, &domain)?);
        }
        Some(WrittenShape::Slots(slots, first))
    }

    fn place(&mut self, variable: Variable) -> usize {
        let next = self.variables.len();
        let place = *self.places.entry(variable).or_insert(next);
        if place == next {
            self.variables.push(variable);
        }
        place
    }

    fn int(&mut self, term: Int) -> Option<()> {
        let leaf = match self.problem.int_constant(term) {
            Some(constant) => WrittenLeaf::Constant(constant),
            None if self.problem.is_variable(Variable::Int(term)) => {
                WrittenLeaf::Variable(self.place(Variable::Int(term)), false)
            }
            None => return None,
        };
        self.leaves.push(leaf);
        Some(())
    }

    fn condition(&mut self, term: Bool) -> Option<()> {
        let (id, negated) = term.node();
        let leaf = match (term.constant(), self.problem.bool_node(id)) {
            (Some(constant), _) => WrittenLeaf::Constant(constant.into()),
            (None, BoolNode::Variable) => WrittenLeaf::Variable(self.place(Variable::Bool(id.positive())), negated),
            (None, node) => {
                let (term, below) = self.lower_bound(node, negated)?;
                WrittenLeaf::Above(self.place(Variable::Int(term)), below)
            }
        };
        self.leaves.push(leaf);
        Some(())
    }
}

impl WritingBuilder<'_> {
    /// The variable and the bound of a condition `variable > bound`. An equation with the smallest or largest value of
    /// the domain is such a condition, too.
    fn lower_bound(&self, node: &BoolNode, negated: bool) -> Option<(Int, i64)> {
        let (term, below) = match (node, negated) {
            (BoolNode::AtMost(term, value), true) => (*term, *value),
            (BoolNode::Equals(term, value), true) if *value == self.problem.bounds(*term).0 => (*term, *value),
            (BoolNode::Equals(term, value), false) if *value == self.problem.bounds(*term).1 => (*term, value - 1),
            _ => return None,
        };
        self.problem.is_variable(Variable::Int(term)).then_some((term, below))
    }
}

/// Appends the numbers of a value, similar to `near`; `None` if the value cannot be written.
fn numbers_of(shape: &WrittenShape, value: &Value, near: &[i64], numbers: &mut Vec<i64>) -> Option<()> {
    match (shape, value) {
        (WrittenShape::Constant(constant), _) => {
            numbers.push(0);
            return (constant == value).then_some(());
        }
        (WrittenShape::WrittenLeaf, Value::Bool(value)) => numbers.push((*value).into()),
        (WrittenShape::WrittenLeaf, Value::Int(value)) => numbers.push(*value),
        (WrittenShape::Items(shapes), Value::Tuple(items)) => {
            shapes.iter().zip(items.iter()).try_for_each(|(shape, item)| numbers_of(shape, item, near, numbers))?;
        }
        (WrittenShape::Items(shapes), Value::Matrix(matrix)) => {
            shapes.iter().zip(&matrix.elements).try_for_each(|(shape, item)| numbers_of(shape, item, near, numbers))?;
        }
        (WrittenShape::Variant(alternatives), Value::Variant(tag, active)) => {
            numbers.push((*tag).into());
            for (position, alternative) in (0..).zip(alternatives) {
                match alternative {
                    Some((shape, _)) if position == *tag => numbers_of(shape, active, near, numbers)?,
                    // Inactive alternatives have the first value of their domain, so that each value has one
                    // assignment.
                    Some((shape, first)) => numbers_of(shape, first, near, numbers)?,
                    None if position == *tag => return None,
                    None => {}
                }
            }
        }
        (WrittenShape::Blocks(elements), Value::Collection(_, blocks)) => {
            return numbers_of_blocks(elements, blocks, numbers);
        }
        (WrittenShape::Occurrence(values), _) => return numbers_of_occurrences(values, value, numbers),
        (WrittenShape::Keyed(keyed, first), _) => return numbers_of_images(keyed, first, value, near, numbers),
        (WrittenShape::Slots(shapes, first), _) => return numbers_of_slots(shapes, first, value, near, numbers),
        _ => return None,
    }
    Some(())
}

/// Appends the number of the block of each element, in the order of the first elements of the blocks.
fn numbers_of_blocks(elements: &[Value], blocks: &[Value], numbers: &mut Vec<i64>) -> Option<()> {
    let mut order: Vec<usize> = Vec::new();
    for element in elements {
        let block = blocks.iter().position(|block| block.items().contains(element))?;
        let number = order.iter().position(|other| *other == block).unwrap_or(order.len());
        if number == order.len() {
            order.push(block);
        }
        numbers.push(number as i64 + 1);
    }
    Some(())
}

/// Appends a number for each possible value, which is 1 if it is a member.
fn numbers_of_occurrences(values: &[Value], value: &Value, numbers: &mut Vec<i64>) -> Option<()> {
    let mut left: FxHashMap<&Value, usize> = FxHashMap::default();
    let members = value.listed();
    members.iter().for_each(|member| *left.entry(member).or_default() += 1);
    let mut written = 0;
    for possible in values {
        let there = left.get_mut(possible).filter(|count| **count > 0);
        let is_there = there.map(|count| *count -= 1).is_some();
        written += usize::from(is_there);
        // The member is a constant, whose number is 0.
        numbers.extend([is_there.into(), 0]);
    }
    (written == members.len()).then_some(())
}

/// Appends a number for each key, which is 1 if it has an image, and the numbers of the image.
fn numbers_of_images(
    keyed: &[(Value, WrittenShape)],
    first: &Value,
    value: &Value,
    near: &[i64],
    numbers: &mut Vec<i64>,
) -> Option<()> {
    let pair = |key: &Value, image: &Value| Value::tuple([key.clone(), image.clone()]);
    let mut written = 0;
    for (position, (key, shape)) in keyed.iter().enumerate() {
        let image = match value {
            Value::Mapping(_, pairs) => {
                let found = pairs.binary_search_by(|(argument, _)| argument.cmp(key)).ok();
                found.map(|found| &pairs[found].1)
            }
            _ => value.items().get(position),
        };
        written += usize::from(image.is_some());
        // A point that does not move is its own image.
        let fixed = value.form() == Some(MemberForm::Cycles);
        numbers.push((fixed || image.is_some()).into());
        numbers_of(shape, &pair(key, image.unwrap_or(if fixed { key } else { first })), near, numbers)?;
    }
    let members = if value.pairs().is_empty() { value.items().len() } else { value.pairs().len() };
    (written == members).then_some(())
}

/// Appends a number for each slot, which is 1 if the slot is used, and the numbers of its member.
fn numbers_of_slots(
    shapes: &[WrittenShape],
    first: &Value,
    value: &Value,
    near: &[i64],
    numbers: &mut Vec<i64>,
) -> Option<()> {
    let members = value.listed();
    // All slots have the same shape.
    let Some(shape) = shapes.first() else { return members.is_empty().then_some(()) };
    let mut slots = Vec::with_capacity(members.len());
    for member in members.iter() {
        let mut slot = Vec::new();
        numbers_of(shape, member, &[], &mut slot)?;
        slots.push(slot);
    }
    // A value fills its slots in ascending order, so they are sorted by their numbers.
    slots.sort_unstable();
    let mut unused = Vec::new();
    numbers_of(shape, first, &[], &mut unused)?;
    if slots.len() > shapes.len() {
        return None;
    }
    if let Some(near) = near.get(numbers.len()..).filter(|near| !near.is_empty()) {
        slots = near_slots(slots, near);
    }
    for place in 0..shapes.len() {
        numbers.push((place < slots.len()).into());
        numbers.extend(slots.get(place).unwrap_or(&unused));
    }
    Some(())
}

/// Assigns members to slots, given the numbers that were written before. A member that was there keeps its slot, and a
/// slot whose member is gone gets the most similar new one. In `near`, the number before each slot is 1 if the slot is
/// used.
fn near_slots(members: Vec<Vec<i64>>, near: &[i64]) -> Vec<Vec<i64>> {
    let Some(width) = members.first().map(Vec::len) else { return members };
    let slots: Vec<&[i64]> = near.chunks_exact(1 + width).take(members.len()).collect();
    let mut places: FxHashMap<&[i64], Vec<usize>> = FxHashMap::default();
    for (place, slot) in slots.iter().enumerate().filter(|(_, slot)| slot[0] == 1) {
        places.entry(&slot[1..]).or_default().push(place);
    }
    let mut placed = vec![None; members.len()];
    let mut others = Vec::new();
    for member in members {
        match places.get_mut(&*member).and_then(Vec::pop) {
            Some(place) => placed[place] = Some(member),
            None => others.push(member),
        }
    }
    let fill = |(place, member): (usize, Option<Vec<i64>>)| {
        member.unwrap_or_else(|| {
            let differs =
                |other: &Vec<i64>| other.iter().zip(&slots[place][1..]).filter(|(one, other)| one != other).count();
            // The remaining members go to the slots in which they change the fewest numbers.
            let nearest = (0..others.len()).min_by_key(|other| differs(&others[*other]));
            others.swap_remove(nearest.unwrap_or_default())
        })
    };
    placed.into_iter().enumerate().map(fill).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stay_in_their_slots() {
        let near = [1, 5, 5, 1, 7, 7, 1, 9, 9, 0, 1, 1];
        let slots = |members: &[[i64; 2]]| near_slots(members.iter().map(|member| member.to_vec()).collect(), &near);
        // The member 5 5 disappears, 9 9 changes, and 2 3 is new.
        assert_eq!(slots(&[[2, 3], [7, 7], [9, 8]]), [[2, 3], [7, 7], [9, 8]]);
        assert_eq!(slots(&[[0, 9], [5, 5], [7, 7], [9, 9]]), [[5, 5], [7, 7], [9, 9], [0, 9]]);
        // The first slot becomes free, and the last member moves there.
        assert_eq!(slots(&[[7, 7], [9, 9]]), [[9, 9], [7, 7]]);
        assert!(slots(&[]).is_empty());
    }
}
