//! Reads values in Essence's notation, so that tests of operators need neither parser nor type checker.

use crate::language::{Collection, GroundDomain, IntSet, Value, value::Matrix};
use std::{str::FromStr, sync::Arc};

pub(crate) struct ValueReader<'a> {
    rest: &'a str,
}

impl<'a> ValueReader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        ValueReader { rest: text.trim_start() }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn accept(&mut self, text: &str) -> bool {
        let found = self.rest.strip_prefix(text);
        self.rest = found.unwrap_or(self.rest).trim_start();
        found.is_some()
    }

    fn expect(&mut self, text: &str) {
        assert!(self.accept(text), "{text} was expected before: {}", self.rest);
    }

    /// Everything up to the next blank.
    pub(crate) fn word(&mut self) -> &'a str {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        word
    }

    fn number<T: FromStr>(&mut self) -> Option<T> {
        let digits = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let length = self.rest.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = self.rest[..length].parse().ok()?;
        self.rest = self.rest[length..].trim_start();
        Some(number)
    }

    /// Items with commas between them, up to and including the closing bracket.
    fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut items = Vec::new();
        while !self.accept(close) {
            items.push(item(self));
            self.accept(",");
        }
        items
    }

    fn values(&mut self, close: &str) -> Vec<Value> {
        self.list(close, ValueReader::value)
    }

    pub(crate) fn value(&mut self) -> Value {
        if self.accept("true") {
            Value::TRUE
        } else if self.accept("false") {
            Value::FALSE
        } else if self.accept("(") {
            Value::tuple(self.values(")"))
        } else if self.accept("[") {
            self.matrix()
        } else if self.accept("{") {
            Value::set(self.values("}"))
        } else if self.accept("mset(") {
            Value::of(Collection::MSet, self.values(")")).expect("a multiset")
        } else if self.accept("sequence(") {
            Value::Collection(Collection::Sequence, self.values(")").into())
        } else if self.accept("relation(") {
            Value::of(Collection::Relation, self.values(")")).expect("a relation")
        } else if self.accept("partition(") {
            Value::of(Collection::Partition, self.values(")")).expect("a partition")
        } else if self.accept("function(") {
            let pairs = self.list(")", |reader| {
                let point = reader.value();
                reader.expect("-->");
                (point, reader.value())
            });
            Value::function(pairs).expect("a function")
        } else if self.accept("permutation(") {
            let mut pairs: Vec<(Value, Value)> = Vec::new();
            for cycle in self.list(")", |reader| {
                reader.expect("(");
                reader.values(")")
            }) {
                pairs.extend(cycle.iter().cloned().zip(cycle.iter().cycle().skip(1).cloned()));
            }
            pairs.sort();
            Value::Mapping(Collection::Permutation, pairs.into())
        } else if self.accept("`") {
            let domain = self.domain();
            self.expect("`");
            Value::Domain(domain.into())
        } else {
            Value::Int(self.number().unwrap_or_else(|| panic!("a value was expected before: {}", self.rest)))
        }
    }

    fn matrix(&mut self) -> Value {
        let mut elements = Vec::new();
        while !self.accept("]") {
            if self.accept(";") {
                let index = self.domain();
                self.expect("]");
                return Value::Matrix(Arc::new(Matrix { index, elements }));
            }
            elements.push(self.value());
            self.accept(",");
        }
        Value::list(elements)
    }

    /// Reads a domain: `bool`, `int(1..3, 5)`, tuples and sets of them.
    fn domain(&mut self) -> GroundDomain {
        if self.accept("bool") {
            GroundDomain::Bool
        } else if self.accept("set of ") {
            GroundDomain::of(Collection::Set, [self.domain()])
        } else if self.accept("(") {
            GroundDomain::Tuple(self.list(")", ValueReader::domain))
        } else {
            self.expect("int(");
            let ranges = self.list(")", |reader| {
                let low = reader.number().expect("a bound");
                (low, if reader.accept("..") { reader.number().expect("a bound") } else { low })
            });
            GroundDomain::Int(IntSet::from_ranges(ranges))
        }
    }
}
