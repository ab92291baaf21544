//! Converts matches of expressions to trees.

use super::{MatchedText, PRECEDENCES, Rule, is_expression, statements::child};
use crate::{
    diagnostic::{Code, Diagnostic, Edit},
    language::{Collection, MemberForm},
    operators::{self, Associativity, Notation, OperatorSymbol},
    source::Span,
    syntax::ast::{
        ExprTree, ExprTreeKind, GeneratorSource, Identifier, PatternForm, PatternKind, PatternTree, QualifierTree,
        Quantified, Quantifier, WrittenIndex, WrittenRange,
    },
};
use pest::iterators::{Pair, Pairs};

/// The maximum number of operators and operands in a row. A row of left-associative operators becomes a tree whose
/// depth is the length of the row. Chosen.
const LONGEST_ROW: usize = 20_000;

/// An operand of a row while the Pratt parser works on the row.
struct RowOperand {
    expr: ExprTree,
    /// The operator that made this operand, unless it is in parentheses. It shows chains of non-associative operators.
    operator: Option<(OperatorSymbol, Span)>,
    /// True if such a chain has been reported.
    reported: bool,
}

impl From<ExprTree> for RowOperand {
    fn from(expr: ExprTree) -> Self {
        RowOperand { expr, operator: None, reported: false }
    }
}

impl MatchedText<'_, '_> {
    pub(crate) fn expression(&self, pair: Pair<'_, Rule>) -> ExprTree {
        let span = self.span(&pair);
        if pair.as_rule() == Rule::plain_integer {
            return self.integer(&pair);
        }
        let row = pair.into_inner();
        // The grammar matches a row in a loop, but later phases recurse into its tree.
        if row.len() > LONGEST_ROW {
            // A guess must not cause type errors.
            self.file.guessed.borrow_mut().push(span);
            self.file.report(
                Diagnostic::error(Code::TOO_DEEP, "this chain of operators is too long")
                    .at(span, format!("more than {} operands", LONGEST_ROW / 2))
                    .help("use a quantifier, or a list: `and([a, b, …])`, `sum([a, b, …])`"),
            );
            return ExprTree { kind: ExprTreeKind::Wildcard, span };
        }
        PRECEDENCES
            .map_primary(|primary| self.primary(primary).into())
            .map_prefix(|operator, operand: RowOperand| {
                let span = self.span(&operator).to(operand.expr.span);
                match operators::prefix(operator.as_str()) {
                    Some(symbol) => ExprTree { kind: ExprTreeKind::Apply(symbol, vec![operand.expr]), span }.into(),
                    None => self.no_such_operator(&operator).into(),
                }
            })
            .map_postfix(|operand, suffix| self.suffix(operand.expr, suffix).into())
            .map_infix(|left, operator, right| self.infix(left, operator, right))
            .parse(row)
            .expr
    }

    pub(crate) fn expressions(&self, parts: Pairs<'_, Rule>) -> Vec<ExprTree> {
        parts.filter(is_expression).map(|part| self.expression(part)).collect()
    }

    /// Parses a member of a relation literal, which is always a tuple: here, `(x)` is a tuple with one component.
    fn relation_member(&self, pair: Pair<'_, Rule>) -> ExprTree {
        let span = self.span(&pair);
        let mut row = pair.clone().into_inner();
        match (row.next(), row.next()) {
            // A member with more than a pair of parentheses, such as `t` or `(a, b)[1]`, is an ordinary expression.
            (Some(only), None) if only.as_rule() == Rule::parenthesis => {
                ExprTree { kind: ExprTreeKind::Tuple(self.expressions(only.into_inner())), span }
            }
            _ => self.expression(pair),
        }
    }

    pub(crate) fn only_expression(&self, mut parts: Pairs<'_, Rule>) -> ExprTree {
        match parts.find(is_expression) {
            Some(part) => self.expression(part),
            None => unreachable!("the grammar has an expression here"),
        }
    }

    fn infix(&self, left: RowOperand, operator: Pair<'_, Rule>, right: RowOperand) -> RowOperand {
        let span = left.expr.span.to(right.expr.span);
        let Some(symbol) = operators::infix(operator.as_str()) else {
            return self.no_such_operator(&operator).into();
        };
        let place = self.span(&operator);
        let mut reported = left.reported || right.reported;
        for earlier in [left.operator, right.operator].into_iter().flatten() {
            // `a < b < c` is parsed from the left, so the inner comparison is an operand of the outer one.
            if symbol.precedence() == earlier.0.precedence() && is_chain_forbidden(symbol) && !reported {
                reported = true;
                // A chain is reported once, even if it has many operators.
                self.report_chain(earlier, (symbol, place), &left.expr, &right.expr);
                self.file.guessed.borrow_mut().push(span);
            }
        }
        let expr = ExprTree { kind: ExprTreeKind::Apply(symbol, vec![left.expr, right.expr]), span };
        RowOperand { expr, operator: Some((symbol, place)), reported }
    }

    fn report_chain(
        &self,
        first: (OperatorSymbol, Span),
        second: (OperatorSymbol, Span),
        left: &ExprTree,
        right: &ExprTree,
    ) {
        let (one, two) = (first.0.text, second.0.text);
        let text = |span: Span| &self.file.text[span.start as usize..span.end as usize];
        let mistake = Diagnostic::error(Code::NON_ASSOCIATIVE, format!("`{one}` and `{two}` cannot be chained"))
            .at(second.1, "which operator comes first?")
            .at(first.1, "the first one");
        self.file.report(match &left.kind {
            _ if matches!(one, "->" | "<->") => mistake.help("put parentheses around one of the two"),
            ExprTreeKind::Apply(_, operands) if operands.len() == 2 && right.span.end - left.span.start < 60 => {
                let [a, b, c] = [&operands[0], &operands[1], right].map(|operand| text(operand.span));
                let meant = format!("{a} {one} {b} /\\ {b} {two} {c}");
                // The chain may be an operand of another operator, so it needs parentheses.
                let edits = vec![Edit { span: left.span.to(right.span), text: format!("({meant})") }];
                let mistake = mistake.help(format!("write `{meant}`")).help("or put parentheses around one of the two");
                Diagnostic { edits, ..mistake }
            }
            _ => mistake.help("write two comparisons, joined by `/\\`, or put parentheses around one of the two"),
        });
    }

    fn no_such_operator(&self, operator: &Pair<'_, Rule>) -> ExprTree {
        let (span, text) = (self.span(operator), operator.as_str());
        self.file.guessed.borrow_mut().push(span);
        self.file.report(
            Diagnostic::error(Code::NOT_SUPPORTED, format!("`{text}` has no meaning in a model"))
                .at(span, "a word of the reference implementation's own rules"),
        );
        ExprTree { kind: ExprTreeKind::Wildcard, span }
    }

    /// Parses a suffix of an operand: `[…]`, `(…)`, `!`, a domain, a tag.
    fn suffix(&self, operand: ExprTree, suffix: Pair<'_, Rule>) -> ExprTree {
        let span = operand.span.to(self.span(&suffix));
        let rule = suffix.as_rule();
        let text = suffix.as_str();
        let parts = suffix.into_inner();
        let kind = match rule {
            Rule::index => {
                let indices = parts.map(|part| match self.range(part) {
                    WrittenRange::Single(index) => WrittenIndex::At(index),
                    WrittenRange::Interval(low, high) => WrittenIndex::Slice(low, high),
                });
                ExprTreeKind::Index(Box::new(operand), indices.collect())
            }
            // The grammar knows the words of operators and attributes, so their calls do not get here.
            Rule::call => ExprTreeKind::Call(Box::new(operand), self.expressions(parts)),
            Rule::typed => ExprTreeKind::Typed(Box::new(operand), Box::new(self.domain(child(parts, Rule::domain)))),
            Rule::tag => {
                let tag = self.identifier(child(parts, Rule::name));
                match operand.kind {
                    ExprTreeKind::Int(value) => ExprTreeKind::TaggedInt(value, tag),
                    other => other,
                }
            }
            _ => match operators::postfix(text) {
                Some(symbol) => ExprTreeKind::Apply(symbol, vec![operand]),
                None => operand.kind,
            },
        };
        ExprTree { kind, span }
    }

    fn integer(&self, pair: &Pair<'_, Rule>) -> ExprTree {
        let span = self.span(pair);
        let value = pair.as_str().parse().ok().filter(|value| *value <= operators::LARGEST).unwrap_or_else(|| {
            // The literal 0 keeps the tree complete, and `guessed` prevents type errors about it.
            self.file.guessed.borrow_mut().push(span);
            self.file.report(
                Diagnostic::error(Code::LITERAL_TOO_LARGE, "this integer is too large")
                    .at(span, format!("the largest integer is {}", operators::LARGEST))
                    .note("integers lie between -(2^62-1) and 2^62-1"),
            );
            0
        });
        ExprTree { kind: ExprTreeKind::Int(value), span }
    }

    fn primary(&self, pair: Pair<'_, Rule>) -> ExprTree {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let text = pair.as_str();
        if rule == Rule::integer {
            return self.integer(&pair);
        }
        let mut parts = pair.into_inner();
        let kind = match rule {
            Rule::name if text == "_" => ExprTreeKind::Wildcard,
            Rule::name => ExprTreeKind::Name(self.file.intern(text)),
            Rule::boolean => ExprTreeKind::Bool(text == "true"),
            Rule::parenthesis => {
                let mut items = self.expressions(parts);
                match items.pop() {
                    // `(x)` is just `x`, and `(x, y)` is a tuple.
                    Some(only) if items.is_empty() => return ExprTree { span, ..only },
                    last => {
                        items.extend(last);
                        ExprTreeKind::Tuple(items)
                    }
                }
            }
            Rule::bars => ExprTreeKind::Apply(OperatorSymbol::bars(), vec![self.only_expression(parts)]),
            Rule::domain_expression => ExprTreeKind::Domain(Box::new(self.domain(child(parts, Rule::domain)))),
            Rule::application | Rule::spaced_application => {
                let word = parts.next().expect("the grammar puts a word there");
                match operators::function(word.as_str()) {
                    Some(symbol) => ExprTreeKind::Apply(symbol, self.expressions(parts)),
                    None => return self.no_such_operator(&word),
                }
            }
            Rule::attribute_constraint => {
                let name = self.identifier(child(&mut parts, Rule::attribute_word));
                ExprTreeKind::Attribute(name, self.expressions(parts))
            }
            Rule::quantified => ExprTreeKind::Quantified(Box::new(self.quantified(parts))),
            Rule::square => self.square(parts),
            // `{e @ find …}` and `{a, b}` have the same start; the `@` distinguishes them.
            Rule::brace => {
                let mut statements = Vec::new();
                let mut items = Vec::new();
                let mut bubble = false;
                for part in parts {
                    match part.as_rule() {
                        Rule::at => bubble = true,
                        _ if is_expression(&part) => items.push(self.expression(part)),
                        _ => self.statement(part, &mut statements),
                    }
                }
                match items.pop() {
                    Some(value) if bubble => ExprTreeKind::Bubble(Box::new(value), statements),
                    last => {
                        items.extend(last);
                        ExprTree::set(items)
                    }
                }
            }
            Rule::tuple_literal => ExprTreeKind::Tuple(self.expressions(parts)),
            Rule::record_literal => ExprTreeKind::Record(self.assignments(parts)),
            Rule::variant_literal => match self.assignments(parts).pop() {
                Some((name, value)) => ExprTreeKind::Variant(name, Box::new(value)),
                None => unreachable!("a variant literal has an alternative"),
            },
            other => match collection_kind(text) {
                Some(kind) => self.collection_literal(kind, parts),
                None => unreachable!("{other:?} is not an operand"),
            },
        };
        ExprTree { kind, span }
    }

    /// Parses the text after the keyword of a collection.
    fn collection_literal(&self, kind: Collection, parts: Pairs<'_, Rule>) -> ExprTreeKind {
        match kind.form() {
            MemberForm::Values | MemberForm::Positions => ExprTreeKind::Collection(kind, self.expressions(parts)),
            MemberForm::Tuples => {
                let members = parts.filter(is_expression).map(|part| self.relation_member(part));
                ExprTreeKind::Collection(kind, members.collect())
            }
            MemberForm::Pairs => {
                let mut items = parts.filter(is_expression);
                let mut pairs = Vec::new();
                while let (Some(argument), Some(image)) = (items.next(), items.next()) {
                    pairs.push((self.expression(argument), self.expression(image)));
                }
                ExprTreeKind::Pairs(kind, pairs)
            }
            MemberForm::Blocks => ExprTreeKind::Grouped(kind, self.groups(parts, Rule::part)),
            MemberForm::Cycles => ExprTreeKind::Grouped(kind, self.groups(parts, Rule::cycle)),
        }
    }

    fn groups(&self, parts: Pairs<'_, Rule>, rule: Rule) -> Vec<Vec<ExprTree>> {
        parts.filter(|part| part.as_rule() == rule).map(|group| self.expressions(group.into_inner())).collect()
    }

    fn assignments(&self, parts: Pairs<'_, Rule>) -> Vec<(Identifier, ExprTree)> {
        parts
            .filter(|part| part.as_rule() == Rule::assignment)
            .map(|assignment| {
                let mut parts = assignment.into_inner();
                (self.identifier(child(&mut parts, Rule::name)), self.only_expression(parts))
            })
            .collect()
    }

    /// Parses a matrix or a comprehension.
    fn square(&self, parts: Pairs<'_, Rule>) -> ExprTreeKind {
        let (mut items, mut qualifiers, mut index) = (Vec::new(), None, None);
        for part in parts {
            match part.as_rule() {
                Rule::qualifiers => qualifiers = Some(part.into_inner().map(|part| self.qualifier(part)).collect()),
                Rule::domain => index = Some(Box::new(self.domain(part))),
                _ => items.push(self.expression(part)),
            }
        }
        match (qualifiers, items.pop()) {
            (Some(qualifiers), Some(body)) => ExprTreeKind::Comprehension(Box::new(body), qualifiers),
            (_, last) => {
                items.extend(last);
                ExprTreeKind::Matrix(items, index)
            }
        }
    }

    fn qualifier(&self, pair: Pair<'_, Rule>) -> QualifierTree {
        match pair.as_rule() {
            Rule::generator => {
                let mut parts = pair.into_inner();
                let patterns = self.patterns(child(&mut parts, Rule::patterns));
                QualifierTree::Generator(patterns, self.over(parts))
            }
            Rule::local_letting => {
                let mut parts = pair.into_inner();
                let pattern = self.pattern(child(&mut parts, Rule::pattern));
                QualifierTree::Letting(pattern, self.only_expression(parts))
            }
            _ => QualifierTree::Condition(self.expression(pair)),
        }
    }

    /// Parses the source of a generator: the text after `:`, `in`, `<-` or `subsetEq`.
    fn over(&self, parts: Pairs<'_, Rule>) -> GeneratorSource {
        let mut subsets = false;
        for part in parts {
            match part.as_rule() {
                Rule::word_subset_eq => subsets = true,
                Rule::domain => return GeneratorSource::Domain(self.domain(part)),
                _ if is_expression(&part) && subsets => return GeneratorSource::Subsets(self.expression(part)),
                _ if is_expression(&part) => return GeneratorSource::Members(self.expression(part)),
                _ => {}
            }
        }
        unreachable!("a generator ranges over something")
    }

    fn quantified(&self, mut parts: Pairs<'_, Rule>) -> Quantified {
        let word = child(&mut parts, Rule::quantifier).as_str();
        let Some(quantifier) = Quantifier::ALL.into_iter().find(|quantifier| quantifier.word() == word) else {
            unreachable!("{word} is not a quantifier")
        };
        let patterns = self.patterns(child(&mut parts, Rule::patterns));
        let over = self.over(child(&mut parts, Rule::over).into_inner());
        let mut rest = self.expressions(parts);
        // In `forAll i : D, g . e`, the guard comes before the body.
        match (rest.pop(), rest.pop()) {
            (Some(body), guard) => Quantified { quantifier, patterns, over, guard, body },
            _ => unreachable!("a quantifier has a body"),
        }
    }

    fn patterns(&self, pair: Pair<'_, Rule>) -> Vec<PatternTree> {
        pair.into_inner().map(|pattern| self.pattern(pattern)).collect()
    }

    fn pattern(&self, pair: Pair<'_, Rule>) -> PatternTree {
        let span = self.span(&pair);
        let Some(inner) = pair.into_inner().next() else { unreachable!("a pattern has one form") };
        let (rule, text) = (inner.as_rule(), inner.as_str());
        let items = || -> Vec<PatternTree> {
            let items = inner.into_inner().filter(|part| part.as_rule() == Rule::pattern);
            items.map(|pattern| self.pattern(pattern)).collect()
        };
        let kind = match rule {
            Rule::name if text == "_" => PatternKind::Wildcard,
            Rule::name => PatternKind::Name(self.file.intern(text)),
            Rule::tuple_pattern => PatternKind::Parts(PatternForm::Tuple, items()),
            Rule::matrix_pattern => PatternKind::Parts(PatternForm::Matrix, items()),
            _ => PatternKind::Parts(PatternForm::Members, items()),
        };
        PatternTree { kind, span }
    }
}

/// Returns the kind of collection that the first word of a literal or a domain names.
pub(super) fn collection_kind(text: &str) -> Option<Collection> {
    let end = text.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(text.len());
    Collection::named(&text[..end])
}

fn is_chain_forbidden(symbol: OperatorSymbol) -> bool {
    matches!(symbol.notation, Notation::Infix { associativity: Associativity::None, .. })
}
