//! The tree of a text, for clients that display a model in another form, such as blocks.

use super::{AnalysedText, types::types_by_place};
use crate::{
    language::{Sense, Type},
    source::Span,
    syntax::ast::{
        DomainKind, DomainTree, ExprTree, ExprTreeKind, GeneratorSource, Identifier, LettingValue, PatternKind,
        PatternTree, QualifierTree, Statement, StatementKind, WrittenIndex, WrittenRange,
    },
};
use rustc_hash::FxHashMap;

/// A part of a text: a statement, an expression, a domain or a declared name. The characters between its parts belong
/// to the node itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeNode {
    /// The kind of the part.
    pub kind: TreeNodeKind,
    /// The word that distinguishes the node from others of its kind: the keyword of a statement, the sign of an
    /// operator, a name or a number. Empty if there is none.
    pub word: String,
    /// The type of an expression; empty if it is unknown.
    pub of_type: String,
    /// True if the node is an element of a list, which may have further elements, separated by commas.
    pub is_listed: bool,
    /// The span, including parentheses.
    pub span: Span,
    /// The parts, in the order of the text.
    pub parts: Vec<TreeNode>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeNodeKind {
    /// A statement. If it shares its keyword with the previous statement, it starts at its name.
    Statement,
    /// A declared name, of a statement or of a quantifier.
    Declaration,
    /// A domain.
    Domain,
    /// An application of an operator of the table.
    Operator,
    /// A number, or `true` and `false`.
    Literal,
    /// The name of a declaration.
    Name,
    /// `_`, a placeholder for a missing expression.
    Hole,
    /// A quantified expression.
    Quantified,
    /// Another expression.
    Expression,
}

/// Returns the statements of a text, in its order. Unreadable statements are left out, and statements that were read by
/// guessing have no parts.
pub(crate) fn tree_of_text(document: &AnalysedText) -> Vec<TreeNode> {
    let builder = TreeBuilder { types: types_by_place(&document.model) };
    let is_guessed = |span: Span| document.file.mended.iter().any(|mended| span.contains(*mended));
    let statements = document.file.statements.iter().map(|statement| {
        let node = builder.statement(statement);
        if is_guessed(statement.span) { TreeNode { parts: Vec::new(), ..node } } else { node }
    });
    statements.collect()
}

struct TreeBuilder<'a> {
    types: FxHashMap<Span, &'a Type>,
}

impl TreeBuilder<'_> {
    /// Returns a node. If a part was created while parsing and has no span in the text, the node has no parts.
    fn node(kind: TreeNodeKind, word: impl Into<String>, span: Span, mut parts: Vec<TreeNode>) -> TreeNode {
        parts.sort_by_key(|part| part.span.start);
        let is_inside = |part: &TreeNode| span.contains(part.span) && part.span.start < part.span.end;
        let is_apart = |pair: &[TreeNode]| pair[0].span.end <= pair[1].span.start;
        if !parts.iter().all(is_inside) || !parts.windows(2).all(is_apart) {
            parts.clear();
        }
        TreeNode { kind, word: word.into(), of_type: String::new(), is_listed: false, span, parts }
    }

    fn listed(node: TreeNode) -> TreeNode {
        TreeNode { is_listed: true, ..node }
    }

    fn declared(names: &[Identifier]) -> Vec<TreeNode> {
        let declared = |name: &Identifier| Self::node(TreeNodeKind::Declaration, &*name.text, name.span, Vec::new());
        names.iter().map(declared).map(Self::listed).collect()
    }

    fn expressions(&self, items: &[ExprTree]) -> Vec<TreeNode> {
        items.iter().map(|item| self.expression(item)).collect()
    }

    fn list(&self, items: &[ExprTree]) -> Vec<TreeNode> {
        items.iter().map(|item| Self::listed(self.expression(item))).collect()
    }

    fn statement(&self, statement: &Statement) -> TreeNode {
        let (word, parts) = match &statement.kind {
            StatementKind::Given { names, domain } => ("given", self.declaration(names, domain)),
            StatementKind::GivenEnum { names } => ("given", Self::declared(names)),
            StatementKind::Find { names, domain } => ("find", self.declaration(names, domain)),
            StatementKind::Letting { names, value } => {
                let mut parts = Self::declared(names);
                match value {
                    LettingValue::Expr(value) | LettingValue::Unnamed(value) => parts.push(self.expression(value)),
                    LettingValue::Domain(domain) => parts.push(self.domain(domain)),
                    LettingValue::Enum(members) => parts.extend(Self::declared(members)),
                }
                ("letting", parts)
            }
            StatementKind::SuchThat(items) => ("such that", self.list(items)),
            StatementKind::Where(items) => ("where", self.list(items)),
            StatementKind::BranchingOn(items) => ("branching on", self.list(items)),
            StatementKind::Objective { sense, value, directions } => {
                let word = match sense {
                    _ if !directions.is_empty() => "dominance relation",
                    Sense::Minimise => "minimising",
                    Sense::Maximise => "maximising",
                };
                (word, vec![self.expression(value)])
            }
            StatementKind::Dominance { form, relation } => (form.keyword(), vec![self.expression(relation)]),
            StatementKind::Incomparability { value, .. } => ("incomparability_function", vec![self.expression(value)]),
            StatementKind::Heuristic(_) => ("heuristic", Vec::new()),
        };
        Self::node(TreeNodeKind::Statement, word, statement.span, parts)
    }

    fn declaration(&self, names: &[Identifier], domain: &DomainTree) -> Vec<TreeNode> {
        Self::declared(names).into_iter().chain([self.domain(domain)]).collect()
    }

    fn expression(&self, expr: &ExprTree) -> TreeNode {
        use TreeNodeKind::{Expression, Hole, Literal, Name, Operator};
        let (kind, word, parts): (_, &str, _) = match &expr.kind {
            ExprTreeKind::Bool(value) => (Literal, if *value { "true" } else { "false" }, Vec::new()),
            // This arm returns early, because the word is a temporary value.
            ExprTreeKind::Int(value) => return self.typed(expr, Literal, &value.to_string(), Vec::new()),
            ExprTreeKind::TaggedInt(..) => (Expression, "", Vec::new()),
            ExprTreeKind::Name(name) => (Name, name, Vec::new()),
            ExprTreeKind::Wildcard => (Hole, "", Vec::new()),
            ExprTreeKind::Apply(symbol, operands) => (Operator, symbol.text, self.expressions(operands)),
            ExprTreeKind::Index(base, indices) => {
                let mut parts = vec![self.expression(base)];
                for index in indices {
                    match index {
                        WrittenIndex::At(index) => parts.push(Self::listed(self.expression(index))),
                        WrittenIndex::Slice(low, high) => {
                            parts.extend([low, high].into_iter().flatten().map(|end| self.expression(end)));
                        }
                    }
                }
                (Expression, "[]", parts)
            }
            ExprTreeKind::Call(callee, items) => {
                (Expression, "()", [self.expression(callee)].into_iter().chain(self.list(items)).collect())
            }
            ExprTreeKind::Attribute(name, items) => (Expression, &*name.text, self.expressions(items)),
            ExprTreeKind::Tuple(items) => (Expression, "tuple", self.list(items)),
            ExprTreeKind::Matrix(items, index) => {
                let index = index.iter().map(|index| self.domain(index));
                (Expression, "matrix", self.list(items).into_iter().chain(index).collect())
            }
            ExprTreeKind::Collection(kind, items) => (Expression, kind.keyword(), self.list(items)),
            ExprTreeKind::Record(fields) => {
                (Expression, "record", fields.iter().map(|(_, value)| self.expression(value)).collect())
            }
            ExprTreeKind::Variant(_, value) => (Expression, "variant", vec![self.expression(value)]),
            ExprTreeKind::Pairs(kind, pairs) => {
                let parts = pairs.iter().flat_map(|(argument, image)| [argument, image]);
                (Expression, kind.keyword(), parts.map(|part| self.expression(part)).collect())
            }
            ExprTreeKind::Grouped(kind, groups) => {
                (Expression, kind.keyword(), groups.iter().flatten().map(|part| self.expression(part)).collect())
            }
            ExprTreeKind::Comprehension(body, qualifiers) => {
                let mut parts = vec![self.expression(body)];
                for qualifier in qualifiers {
                    match qualifier {
                        QualifierTree::Generator(patterns, over) => {
                            patterns.iter().for_each(|pattern| Self::pattern(pattern, &mut parts));
                            parts.push(self.over(over));
                        }
                        QualifierTree::Condition(condition) => parts.push(self.expression(condition)),
                        QualifierTree::Letting(pattern, value) => {
                            Self::pattern(pattern, &mut parts);
                            parts.push(self.expression(value));
                        }
                    }
                }
                (Expression, "comprehension", parts)
            }
            ExprTreeKind::Quantified(quantified) => {
                let mut parts = Vec::new();
                quantified.patterns.iter().for_each(|pattern| Self::pattern(pattern, &mut parts));
                parts.push(self.over(&quantified.over));
                parts.extend(quantified.guard.iter().chain([&quantified.body]).map(|part| self.expression(part)));
                (TreeNodeKind::Quantified, quantified.quantifier.word(), parts)
            }
            ExprTreeKind::Domain(domain) => (Expression, "domain", vec![self.domain(domain)]),
            ExprTreeKind::Typed(value, domain) => (Expression, ":", vec![self.expression(value), self.domain(domain)]),
            ExprTreeKind::Bubble(..) => (Expression, "@", Vec::new()),
        };
        self.typed(expr, kind, word, parts)
    }

    fn typed(&self, expr: &ExprTree, kind: TreeNodeKind, word: &str, parts: Vec<TreeNode>) -> TreeNode {
        let of_type = self.types.get(&expr.span).map(ToString::to_string).unwrap_or_default();
        TreeNode { of_type, ..Self::node(kind, word, expr.span, parts) }
    }

    fn over(&self, over: &GeneratorSource) -> TreeNode {
        match over {
            GeneratorSource::Domain(domain) => self.domain(domain),
            GeneratorSource::Members(value) | GeneratorSource::Subsets(value) => self.expression(value),
        }
    }

    /// Appends the names that a pattern declares.
    fn pattern(pattern: &PatternTree, into: &mut Vec<TreeNode>) {
        match &pattern.kind {
            PatternKind::Name(name) => {
                into.push(Self::node(TreeNodeKind::Declaration, &**name, pattern.span, Vec::new()));
            }
            PatternKind::Wildcard => {}
            PatternKind::Parts(_, parts) => parts.iter().for_each(|part| Self::pattern(part, into)),
        }
    }

    fn domain(&self, domain: &DomainTree) -> TreeNode {
        let domains = |parts: &[DomainTree]| parts.iter().map(|part| self.domain(part)).collect::<Vec<TreeNode>>();
        let listed = |parts: &[DomainTree]| domains(parts).into_iter().map(Self::listed).collect::<Vec<TreeNode>>();
        let (word, parts) = match &domain.kind {
            DomainKind::Bool => ("bool", Vec::new()),
            DomainKind::Int { ranges, .. } => ("int", self.ranges(ranges.as_deref())),
            DomainKind::Named(name, ranges) => (&*name.text, self.ranges(ranges.as_deref())),
            DomainKind::Tuple(parts) => ("tuple", listed(parts)),
            DomainKind::Record(fields) => {
                ("record", fields.iter().filter_map(|(_, part)| part.as_ref()).map(|part| self.domain(part)).collect())
            }
            DomainKind::Variant(fields) => {
                ("variant", fields.iter().filter_map(|(_, part)| part.as_ref()).map(|part| self.domain(part)).collect())
            }
            DomainKind::Matrix(indices, element) => {
                ("matrix", listed(indices).into_iter().chain([self.domain(element)]).collect())
            }
            DomainKind::Collection(kind, attributes, parts) => {
                let values = attributes.iter().filter_map(|attribute| attribute.value.as_ref());
                (kind.keyword(), values.map(|value| self.expression(value)).chain(domains(parts)).collect())
            }
        };
        Self::node(TreeNodeKind::Domain, word, domain.span, parts)
    }

    fn ranges(&self, ranges: Option<&[WrittenRange]>) -> Vec<TreeNode> {
        let mut parts = Vec::new();
        for range in ranges.into_iter().flatten() {
            match range {
                WrittenRange::Single(value) => parts.push(Self::listed(self.expression(value))),
                WrittenRange::Interval(low, high) => {
                    parts.extend([low, high].into_iter().flatten().map(|end| self.expression(end)));
                }
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::fitting::fitting_places;

    const MODEL: &str = "$ Two numbers
given n : int(1..9), m : bool
find x, y : int(1..n) $ found
such that (x + y) * 2 = n,
    forAll i : int(1..n), i > 1 . x != i,
    _ -> m
minimising |x - y|";

    fn statements(text: &str) -> Vec<TreeNode> {
        tree_of_text(&AnalysedText::model("m.essence", text))
    }

    /// Renders a node on one line: its text, with its parts in brackets.
    fn outline(text: &str, node: &TreeNode) -> String {
        let (mut made, mut at) = (String::new(), node.span.start as usize);
        for part in &node.parts {
            made += &text[at..part.span.start as usize];
            made += &format!("[{}]", outline(text, part));
            at = part.span.end as usize;
        }
        made + &text[at..node.span.end as usize]
    }

    #[test]
    fn nodes_have_the_characters_between_their_parts() {
        let outlines: Vec<String> = statements(MODEL).iter().map(|node| outline(MODEL, node)).collect();
        let such_that = "such that [[[([x] + [y])] * [2]] = [n]],
    [forAll [i] : [int([1]..[n])], [[i] > [1]] . [[x] != [i]]],
    [[_] -> [m]]";
        assert_eq!(
            outlines,
            [
                "given [n] : [int([1]..[9])]",
                "[m] : [bool]",
                "find [x], [y] : [int([1]..[n])]",
                such_that,
                "minimising [|[[x] - [y]]|]",
            ]
        );
    }

    #[test]
    fn nodes_have_kinds_words_and_types() {
        let constraint = &statements(MODEL)[3].parts[0];
        assert_eq!((constraint.kind, &*constraint.word, &*constraint.of_type), (TreeNodeKind::Operator, "=", "bool"));
        assert!(constraint.is_listed);
        let hole = &statements(MODEL)[3].parts[2].parts[0];
        assert_eq!((hole.kind, &*hole.of_type), (TreeNodeKind::Hole, ""));
    }

    #[test]
    fn what_is_read_by_guessing_has_no_parts() {
        let text = "find x : int(1..3)\nsuch that x == 2\nsuch that x > 1";
        let [_, guessed, read] = &statements(text)[..] else { panic!("three statements") };
        assert!(guessed.parts.is_empty() && !read.parts.is_empty());
    }

    #[test]
    fn a_text_fits_where_it_makes_no_further_mistake() {
        let text = "find x : int(1..3)\nfind b : bool\nsuch that x = _, b -> _, b = 1";
        let document = AnalysedText::model("m.essence", text);
        let places = |fitting: &[Span]| -> Vec<String> {
            let around = |span: &Span| text[..span.end as usize].chars().rev().take(3).collect::<String>();
            fitting.iter().map(|span| around(span).chars().rev().collect()).collect()
        };
        let constraints = &tree_of_text(&document)[2].parts;
        let spans = vec![constraints[0].parts[1].span, constraints[1].parts[1].span];
        let fitting = fitting_places(&document, Some(spans), &["x", "b", "(_ + _)", "(_ /\\ _)", "bool", "(1 +"]);
        let fitting: Vec<Vec<String>> = fitting.iter().map(|one| places(one)).collect();
        let [number, truth] = ["= _".to_owned(), "> _".to_owned()];
        assert_eq!(fitting, [vec![number.clone()], vec![truth.clone()], vec![number], vec![truth], vec![], vec![]]);
    }
}
