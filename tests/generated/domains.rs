//! Random types, and small domains of given types.

use super::{generator::Generator, tree::*};
use conjure_like::{
    language::{Collection, Name, Type},
    syntax::ast::{DomainKind, DomainTree, ExprTree, ExprTreeKind, WrittenAttribute, WrittenRange},
};
use std::sync::Arc;

/// The properties of binary relations.
pub(crate) const BINARY: [&str; 19] = [
    "reflexive",
    "irreflexive",
    "coreflexive",
    "symmetric",
    "antiSymmetric",
    "aSymmetric",
    "transitive",
    "total",
    "leftTotal",
    "rightTotal",
    "connex",
    "Euclidean",
    "serial",
    "equivalence",
    "partialOrder",
    "linearOrder",
    "weakOrder",
    "preOrder",
    "strictPartialOrder",
];

/// The number of type constructors.
pub(crate) const FORMS: usize = 11;

impl Generator {
    /// A type with constructors nested at most `depth` deep.
    pub(crate) fn random_type(&mut self, depth: usize) -> Type {
        if depth == 0 || self.random.percent(15) {
            return self.simple_type();
        }
        let inner = |this: &mut Self| this.random_type(depth - 1);
        let form = if self.random.percent(30) { self.favourite } else { self.random.below(FORMS) };
        match form {
            0 => {
                let count = self.random.below(3) + 1;
                Type::Tuple((0..count).map(|_| self.random_type(depth - 1)).collect())
            }
            1 => Type::Record(self.fields("r", depth)),
            2 => Type::Variant(self.fields("v", depth)),
            3 => {
                let index = self.simple_type();
                Type::matrix(index, self.random_type(depth - 1))
            }
            4 => Type::of(Collection::Set, [inner(self)]),
            5 => Type::of(Collection::MSet, [inner(self)]),
            6 => Type::of(Collection::Function, [self.random_type(depth - 1), self.random_type(depth - 1)]),
            7 => Type::of(Collection::Sequence, [inner(self)]),
            8 => {
                let column = self.random_type(depth - 1);
                match self.random.below(4) {
                    0 | 1 => Type::of(Collection::Relation, [column.clone(), column]),
                    2 => Type::of(Collection::Relation, [column, self.simple_type()]),
                    _ => Type::of(Collection::Relation, [self.simple_type(), self.simple_type(), self.simple_type()]),
                }
            }
            9 => Type::of(Collection::Partition, [inner(self)]),
            _ if self.random.percent(75) => Type::of(Collection::Permutation, [self.simple_type()]),
            _ => Type::of(Collection::Permutation, [inner(self)]),
        }
    }

    pub(crate) fn simple_type(&mut self) -> Type {
        match self.random.below(8) {
            0 | 1 => Type::Bool,
            2 | 3 if !self.named.is_empty() => Type::Named(self.random.pick(&self.named).ty.clone()),
            _ => Type::INT,
        }
    }

    fn fields(&mut self, prefix: &str, depth: usize) -> Arc<[(Arc<str>, Type)]> {
        let count = self.random.below(2) + 1 + usize::from(prefix == "v");
        // Field names are unique in the model, because they identify the type.
        self.fresh += 1;
        let id = self.fresh;
        (0..count)
            .map(|number| (format!("{prefix}{id}{}", ["a", "b", "c"][number]).into(), self.random_type(depth - 1)))
            .collect()
    }

    /// A domain of the type, and an upper bound on its number of values, which is usually at most `limit`.
    pub(crate) fn domain(&mut self, ty: &Type, limit: u64) -> (DomainTree, u64) {
        let limit = limit.max(1);
        let named: Vec<(Name, u64)> = self
            .domains
            .iter()
            .filter(|(_, known, size)| known == ty && *size <= limit)
            .map(|(name, _, size)| (name.clone(), *size))
            .collect();
        if !named.is_empty() && self.random.percent(30) {
            let (name, size) = self.random.pick(&named);
            return (domain(DomainKind::Named(identifier(name), None)), *size);
        }
        match ty {
            Type::Bool => (domain(DomainKind::Bool), 2),
            Type::Named(named) => {
                let known = self.named.iter().find(|known| known.ty == *named).expect("a declared type");
                let (size, members) = (known.members.len(), known.members.clone());
                // The members of an unnamed or given type cannot be written.
                if !known.listed || size as u64 <= limit && self.random.percent(80) {
                    return (domain(DomainKind::Named(identifier(&named.name), None)), size as u64);
                }
                let low = self.random.below(size);
                let high = (low + self.random.below(size - low)).min(low + limit as usize - 1);
                let (first, last) = (name(&members[low]), name(&members[high]));
                let open = self.random.percent(40);
                let range = match (low, high) {
                    (same, other) if same == other && open => WrittenRange::Single(first),
                    (0, _) if open => WrittenRange::Interval(None, Some(last)),
                    (_, high) if open && high + 1 == size => WrittenRange::Interval(Some(first), None),
                    _ => WrittenRange::Interval(Some(first), Some(last)),
                };
                (domain(DomainKind::Named(identifier(&named.name), Some(vec![range]))), (high - low + 1) as u64)
            }
            Type::Tuple(items) => {
                let (items, size) = self.all_domains(items, limit);
                (domain(DomainKind::Tuple(items)), size)
            }
            Type::Record(fields) => {
                let types: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
                let (items, size) = self.all_domains(&types, limit);
                let names = fields.iter().map(|(name, _)| identifier(name));
                (domain(DomainKind::Record(names.zip(items.into_iter().map(Some)).collect())), size)
            }
            Type::Variant(fields) => {
                let mut sum = 0;
                let share = (limit / fields.len() as u64).max(1);
                let mut alternatives = Vec::new();
                for (name, ty) in fields.iter() {
                    let (inner, size) = self.domain(ty, share);
                    sum += size;
                    alternatives.push((identifier(name), Some(inner)));
                }
                (domain(DomainKind::Variant(alternatives)), sum)
            }
            Type::Matrix(parts) => {
                let (index, count) = self.domain(&parts[0], 3);
                let (element, size) = self.domain(&parts[1], root(limit, count));
                let indices = match element.kind {
                    // Use both notations for a matrix of matrices.
                    DomainKind::Matrix(inner, element) if self.random.percent(60) => {
                        let indices = [vec![index], inner].concat();
                        return (domain(DomainKind::Matrix(indices, element)), power(size, count));
                    }
                    _ => vec![index],
                };
                (domain(DomainKind::Matrix(indices, Box::new(element))), power(size, count))
            }
            Type::List(inner) => self.domain(&Type::matrix(Type::INT, (**inner).clone()), limit),
            Type::Collection(Collection::Set, inner) => {
                // A set has two to the power of its candidates as many values.
                let (inner, size) = self.domain(&inner[0], u64::from(limit.max(2).ilog2()));
                let attributes = self.size_attributes(size);
                (domain(DomainKind::Collection(Collection::Set, attributes, vec![inner])), power(2, size))
            }
            Type::Collection(Collection::MSet, inner) => self.mset_domain(&inner[0], limit),
            Type::Collection(Collection::Function, parts) => {
                // Few arguments, because the number of functions is exponential in them.
                let (from, arguments) = self.domain(&parts[0], 3);
                let (to, images) = self.domain(&parts[1], (root(limit, arguments) - 1).max(1));
                let mut attributes = if self.random.percent(30) { self.size_attributes(arguments) } else { Vec::new() };
                attributes.extend(self.words(&["total"], 40));
                attributes.extend(self.words(&["injective", "surjective", "bijective"], 30));
                let kind = DomainKind::Collection(Collection::Function, attributes, vec![from, to]);
                (domain(kind), power(images + 1, arguments))
            }
            Type::Collection(Collection::Sequence, inner) => {
                // Short sequences, because their number is exponential in the length.
                let longest = self.random.between(1, 3) as u64;
                let (inner, size) = self.domain(&inner[0], root(limit, longest) - u64::from(limit > 8));
                let longest_written = self.bound(longest as i64);
                let mut attributes = if self.random.percent(30) {
                    vec![attribute("size", Some(longest_written))]
                } else {
                    vec![attribute("maxSize", Some(longest_written))]
                };
                if &*attributes[0].name.text == "maxSize" && self.random.percent(30) {
                    let shortest = self.random.between(0, 2);
                    attributes.push(attribute("minSize", Some(self.bound(shortest))));
                }
                attributes.extend(self.words(&["injective", "surjective", "bijective"], 25));
                let kind = DomainKind::Collection(Collection::Sequence, attributes, vec![inner]);
                (domain(kind), (0..=longest).map(|length| power(size, length)).fold(0, u64::saturating_add))
            }
            Type::Collection(Collection::Relation, columns) => self.relation_domain(columns, limit),
            Type::Collection(Collection::Partition, inner) => {
                // The numbers of partitions of small sets (Bell numbers).
                let most = [1, 2, 5, 15, 52].iter().filter(|bell| **bell <= limit).count() as u64;
                let (inner, size) = self.domain(&inner[0], most.max(1));
                let mut attributes = Vec::new();
                if self.random.percent(30) {
                    attributes.extend(self.number_attributes("numParts", "minNumParts", "maxNumParts", size));
                }
                if self.random.percent(30) {
                    attributes.extend(self.number_attributes("partSize", "minPartSize", "maxPartSize", size));
                }
                attributes.extend(self.words(&["regular"], 20));
                let kind = DomainKind::Collection(Collection::Partition, attributes, vec![inner]);
                (domain(kind), [1, 1, 2, 5, 15, 52].get(size as usize).copied().unwrap_or(u64::MAX))
            }
            Type::Collection(Collection::Permutation, inner) => {
                let most = [1, 2, 6, 24, 120].iter().filter(|count| **count <= limit).count() as u64;
                let (inner, size) = self.domain(&inner[0], most.max(1));
                let attributes = if self.random.percent(30) {
                    self.number_attributes("numMoved", "minNumMoved", "maxNumMoved", size)
                } else {
                    Vec::new()
                };
                let kind = DomainKind::Collection(Collection::Permutation, attributes, vec![inner]);
                (domain(kind), [1, 1, 2, 6, 24, 120].get(size as usize).copied().unwrap_or(u64::MAX))
            }
            Type::Any | Type::Int(_) | Type::Domain(_) => self.int_domain(limit.clamp(1, 4)),
        }
    }

    fn int_domain(&mut self, limit: u64) -> (DomainTree, u64) {
        // The larger of two numbers, since small domains test little.
        let count = self.random.between(1, limit as i64).max(self.random.between(1, limit as i64));
        let low = self.random.between(-1, 2);
        let mut values: Vec<i64> = (low..low + count).collect();
        if self.random.percent(25) {
            // Spread the values, so that the domain has holes.
            values.iter_mut().enumerate().for_each(|(position, value)| *value += position as i64);
        } else if self.random.percent(15)
            && let Some(last) = values.last_mut()
        {
            *last += 2;
        }
        let mut ranges = Vec::new();
        if self.random.percent(4) {
            let members = values.iter().map(|value| self.bound(*value)).collect();
            // A domain given by a set: `int({1, 3})`.
            ranges.push(WrittenRange::Single(expr(ExprTreeKind::Collection(Collection::Set, members))));
            return (ints(ranges), count as u64);
        }
        for run in values.chunk_by(|left, right| left + 1 == *right) {
            let (low, high) = (self.bound(run[0]), self.bound(run[run.len() - 1]));
            let single = run.len() == 1 && self.random.percent(80);
            ranges.push(if single { WrittenRange::Single(low) } else { WrittenRange::Interval(Some(low), Some(high)) });
        }
        (ints(ranges), count as u64)
    }

    /// An expression for a number in a domain: the number, or an expression with its value.
    pub(crate) fn bound(&mut self, value: i64) -> ExprTree {
        use conjure_like::operators::symbols;
        // Rarely, an undefined bound.
        if self.random.below(300) == 0 {
            return apply(symbols::DIVIDE, vec![int(value), int(0)]);
        }
        if self.random.percent(75) {
            return int(value);
        }
        let known: Vec<_> =
            self.visible().iter().filter_map(|known| Some((known.name.clone(), known.value?))).collect();
        if known.is_empty() {
            return int(value);
        }
        let (known, is) = self.random.pick(&known).clone();
        match value - is {
            0 => name(&known),
            more @ 1.. => apply(symbols::PLUS, vec![name(&known), int(more)]),
            less => apply(symbols::MINUS, vec![name(&known), int(-less)]),
        }
    }

    fn all_domains(&mut self, types: &[Type], limit: u64) -> (Vec<DomainTree>, u64) {
        let (mut domains, mut product) = (Vec::new(), 1u64);
        for (position, ty) in types.iter().enumerate() {
            let share = root((limit / product).max(1), (types.len() - position) as u64);
            let (domain, size) = self.domain(ty, share);
            product = product.saturating_mul(size.max(1));
            domains.push(domain);
        }
        (domains, product)
    }

    fn mset_domain(&mut self, member: &Type, limit: u64) -> (DomainTree, u64) {
        let most = self.random.between(1, 2) as u64;
        let mut attributes;
        let (inner, size, count);
        if self.random.percent(50) {
            (inner, size) = self.domain(member, u64::from(limit.max(2).ilog(most + 1)));
            count = power(most + 1, size);
            attributes = vec![attribute("maxOccur", Some(self.bound(most as i64)))];
            if self.random.percent(20) {
                attributes.extend(self.size_attributes(size));
            }
        } else {
            let (word, members) = (*self.random.pick(&["size", "maxSize"]), self.random.between(0, 3) as u64);
            (inner, size) = self.domain(member, root(limit, members.max(1)));
            count = power(size + 1, members);
            attributes = vec![attribute(word, Some(self.bound(members as i64)))];
        }
        if self.random.percent(15) {
            attributes.push(attribute("minOccur", Some(self.bound(1))));
        }
        (domain(DomainKind::Collection(Collection::MSet, attributes, vec![inner])), count)
    }

    fn relation_domain(&mut self, columns: &[Type], limit: u64) -> (DomainTree, u64) {
        // A relation is a set of tuples, so the number of tuples is the logarithm of the limit.
        let most = u64::from(limit.max(2).ilog2());
        let mut attributes = self.size_attributes(most);
        if let [left, right] = columns
            && left == right
            && self.random.percent(70)
        {
            let (column, size) = self.domain(left, root(most, 2));
            for _ in 0..self.random.below(3) {
                let word = *self.random.pick(&BINARY);
                if attributes.iter().all(|known| &*known.name.text != word) {
                    attributes.push(attribute(word, None));
                }
            }
            return (
                domain(DomainKind::Collection(Collection::Relation, attributes, vec![column.clone(), column])),
                power(2, size * size),
            );
        }
        let (columns, size) = self.all_domains(columns, most);
        (domain(DomainKind::Collection(Collection::Relation, attributes, columns)), power(2, size))
    }

    pub(crate) fn words(&mut self, words: &[&str], chance: usize) -> Vec<WrittenAttribute> {
        if !self.random.percent(chance) {
            return Vec::new();
        }
        let word = *self.random.pick(words);
        vec![attribute(word, None)]
    }

    fn size_attributes(&mut self, most: u64) -> Vec<WrittenAttribute> {
        if self.random.percent(60) {
            return Vec::new();
        }
        self.number_attributes("size", "minSize", "maxSize", most)
    }

    fn number_attributes(&mut self, exact: &str, least: &str, most: &str, size: u64) -> Vec<WrittenAttribute> {
        let high = size.min(4) as i64;
        let low = self.random.between(0, high);
        let high = high - i64::from(self.random.percent(30));
        let (low, high) = (self.bound(low), self.bound(high));
        match self.random.below(4) {
            0 => vec![attribute(exact, Some(low))],
            1 => vec![attribute(least, Some(low))],
            2 => vec![attribute(most, Some(high))],
            _ => vec![attribute(least, Some(low)), attribute(most, Some(high))],
        }
    }
}

fn power(base: u64, exponent: u64) -> u64 {
    u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)).unwrap_or(u64::MAX)
}

/// The largest number whose `degree`th power is at most `limit`.
fn root(limit: u64, degree: u64) -> u64 {
    (1..=limit).rev().find(|base| power(*base, degree) <= limit).unwrap_or(1)
}
