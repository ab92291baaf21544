//! Moves trees to another position in their file.

use super::ast::{
    DomainKind, DomainTree, ExprTree, ExprTreeKind, GeneratorSource, Identifier, LettingValue, PatternKind,
    PatternTree, QualifierTree, Statement, StatementKind, WrittenAttribute, WrittenIndex, WrittenRange,
};
use crate::source::Span;

/// Returns a statement moved by a number of bytes.
pub(super) fn moved_statement(statement: &Statement, by: u32) -> Statement {
    let mut statement = statement.clone();
    // Most edits do not move the statements before them.
    if by != 0 {
        Mover { by }.statement(&mut statement);
    }
    statement
}

/// Returns an expression moved by a number of bytes.
pub(super) fn moved_expression(mut expr: ExprTree, by: u32) -> ExprTree {
    Mover { by }.expr(&mut expr);
    expr
}

struct Mover {
    /// The distance; a negative distance wraps around.
    by: u32,
}

impl Mover {
    fn span(&self, span: &mut Span) {
        span.start = span.start.wrapping_add(self.by);
        span.end = span.end.wrapping_add(self.by);
    }

    fn name(&self, name: &mut Identifier) {
        self.span(&mut name.span);
    }

    fn statement(&self, statement: &mut Statement) {
        self.span(&mut statement.span);
        match &mut statement.kind {
            StatementKind::Given { names, domain } | StatementKind::Find { names, domain } => {
                names.iter_mut().for_each(|name| self.name(name));
                self.domain(domain);
            }
            StatementKind::GivenEnum { names } => names.iter_mut().for_each(|name| self.name(name)),
            StatementKind::Letting { names, value } => {
                names.iter_mut().for_each(|name| self.name(name));
                match value {
                    LettingValue::Expr(value) | LettingValue::Unnamed(value) => self.expr(value),
                    LettingValue::Domain(domain) => self.domain(domain),
                    LettingValue::Enum(members) => members.iter_mut().for_each(|member| self.name(member)),
                }
            }
            StatementKind::SuchThat(items) | StatementKind::Where(items) | StatementKind::BranchingOn(items) => {
                self.exprs(items);
            }
            StatementKind::Objective { value, .. }
            | StatementKind::Incomparability { value, .. }
            | StatementKind::Dominance { relation: value, .. } => self.expr(value),
            StatementKind::Heuristic(name) => self.name(name),
        }
    }

    fn exprs(&self, items: &mut [ExprTree]) {
        items.iter_mut().for_each(|item| self.expr(item));
    }

    fn expr(&self, expr: &mut ExprTree) {
        self.span(&mut expr.span);
        match &mut expr.kind {
            ExprTreeKind::Bool(_) | ExprTreeKind::Int(_) | ExprTreeKind::Name(_) | ExprTreeKind::Wildcard => {}
            ExprTreeKind::TaggedInt(_, tag) => self.name(tag),
            ExprTreeKind::Apply(_, items) | ExprTreeKind::Tuple(items) | ExprTreeKind::Collection(_, items) => {
                self.exprs(items)
            }
            ExprTreeKind::Attribute(name, items) => {
                self.name(name);
                self.exprs(items);
            }
            ExprTreeKind::Index(base, indices) => {
                self.expr(base);
                for index in indices {
                    match index {
                        WrittenIndex::At(index) => self.expr(index),
                        WrittenIndex::Slice(low, high) => {
                            low.iter_mut().chain(high).for_each(|end| self.expr(end));
                        }
                    }
                }
            }
            ExprTreeKind::Call(callee, items) => {
                self.expr(callee);
                self.exprs(items);
            }
            ExprTreeKind::Record(fields) => {
                for (name, value) in fields {
                    self.name(name);
                    self.expr(value);
                }
            }
            ExprTreeKind::Variant(name, value) => {
                self.name(name);
                self.expr(value);
            }
            ExprTreeKind::Matrix(items, index) => {
                self.exprs(items);
                index.iter_mut().for_each(|index| self.domain(index));
            }
            ExprTreeKind::Pairs(_, pairs) => {
                for (point, image) in pairs {
                    self.expr(point);
                    self.expr(image);
                }
            }
            ExprTreeKind::Grouped(_, groups) => {
                groups.iter_mut().for_each(|group| self.exprs(group));
            }
            ExprTreeKind::Comprehension(body, qualifiers) => {
                self.expr(body);
                qualifiers.iter_mut().for_each(|qualifier| self.qualifier(qualifier));
            }
            ExprTreeKind::Quantified(quantified) => {
                quantified.patterns.iter_mut().for_each(|pattern| self.pattern(pattern));
                self.over(&mut quantified.over);
                quantified.guard.iter_mut().for_each(|guard| self.expr(guard));
                self.expr(&mut quantified.body);
            }
            ExprTreeKind::Domain(domain) => self.domain(domain),
            ExprTreeKind::Typed(value, domain) => {
                self.expr(value);
                self.domain(domain);
            }
            ExprTreeKind::Bubble(value, statements) => {
                self.expr(value);
                statements.iter_mut().for_each(|statement| self.statement(statement));
            }
        }
    }

    fn qualifier(&self, qualifier: &mut QualifierTree) {
        match qualifier {
            QualifierTree::Generator(patterns, over) => {
                patterns.iter_mut().for_each(|pattern| self.pattern(pattern));
                self.over(over);
            }
            QualifierTree::Condition(condition) => self.expr(condition),
            QualifierTree::Letting(pattern, value) => {
                self.pattern(pattern);
                self.expr(value);
            }
        }
    }

    fn over(&self, over: &mut GeneratorSource) {
        match over {
            GeneratorSource::Domain(domain) => self.domain(domain),
            GeneratorSource::Members(value) | GeneratorSource::Subsets(value) => self.expr(value),
        }
    }

    fn pattern(&self, pattern: &mut PatternTree) {
        self.span(&mut pattern.span);
        match &mut pattern.kind {
            PatternKind::Name(_) | PatternKind::Wildcard => {}
            PatternKind::Parts(_, parts) => {
                parts.iter_mut().for_each(|part| self.pattern(part));
            }
        }
    }

    fn domain(&self, domain: &mut DomainTree) {
        self.span(&mut domain.span);
        match &mut domain.kind {
            DomainKind::Bool => {}
            DomainKind::Int { tag, ranges } => {
                tag.iter_mut().for_each(|tag| self.name(tag));
                self.ranges(ranges);
            }
            DomainKind::Named(name, ranges) => {
                self.name(name);
                self.ranges(ranges);
            }
            DomainKind::Tuple(items) => items.iter_mut().for_each(|item| self.domain(item)),
            DomainKind::Record(fields) | DomainKind::Variant(fields) => {
                for (name, domain) in fields {
                    self.name(name);
                    domain.iter_mut().for_each(|domain| self.domain(domain));
                }
            }
            DomainKind::Matrix(indices, element) => {
                indices.iter_mut().for_each(|index| self.domain(index));
                self.domain(element);
            }
            DomainKind::Collection(_, attributes, parts) => {
                self.attributes(attributes);
                parts.iter_mut().for_each(|part| self.domain(part));
            }
        }
    }

    fn ranges(&self, ranges: &mut Option<Vec<WrittenRange>>) {
        for range in ranges.iter_mut().flatten() {
            match range {
                WrittenRange::Single(value) => self.expr(value),
                WrittenRange::Interval(low, high) => low.iter_mut().chain(high).for_each(|end| self.expr(end)),
            }
        }
    }

    fn attributes(&self, attributes: &mut [WrittenAttribute]) {
        for attribute in attributes {
            self.name(&mut attribute.name);
            attribute.value.iter_mut().for_each(|value| self.expr(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{source::SourceId, syntax::parse_file};

    /// A text with every kind of node. Moving its tree must give the same tree as parsing the text at the other
    /// position.
    #[test]
    fn a_moved_tree_is_the_tree_of_the_moved_text() {
        let text = "given E new type enum, k : int:A(1..2, 4)
given n : int(1..3)
find r : record {a : int(1..n), b : bool}, v : variant {w : bool}
find f : function (minSize 1) (int(1..2), E) --> set of E, g : relation (size 2) of (E * E)
find m : matrix indexed by [int(1..2)] of tuple (bool), p : partition (regular) from E, q : permutation of E
letting T be new type enum {one, two}
letting U be new type of size n + 1
letting D be domain T(one..)
where n > 1, k = 3:A
such that forAll (i, _), [j], {l} in [(1, 2)], i > 1 . exists x : D . sum y subsetEq {1} . -i + |y| = 1,
    [a | a : int(1..2), b <- {1}, a != b, letting c be a + b][1, .., 1..n] = [1; int(1..)],
    f(1) = {x @ find x : bool such that x}, injective(f), size(p, 3), r[a] = record {a = 1, b = true},
    v = variant {w = true}, function(1 --> 2) = f, partition({1}, {2}) = p, permutation((1, 2)) = q, mset(1) = s,
    |`int(1..3)`| = 3, ({} : `set of int`) = {}, relation((1, 2)) = g, sequence(1)! = tuple (1)
branching on [n, f]
heuristic static
minimising n";
        let tree = |before: &str| {
            let mut faults = Vec::new();
            let file = parse_file(SourceId(0), &format!("{before}{text}"), &mut faults);
            assert_eq!(faults, []);
            file.statements
        };
        let there = format!("{:?}", tree("     "));
        let moved: Vec<Statement> = tree("").iter().map(|statement| moved_statement(statement, 5)).collect();
        assert_eq!(format!("{moved:?}"), there);
        let back: Vec<Statement> =
            moved.iter().map(|statement| super::moved_statement(statement, 5u32.wrapping_neg())).collect();
        assert_eq!(format!("{back:?}"), format!("{:?}", tree("")));
    }
}
