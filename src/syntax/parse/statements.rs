//! Converts matches of statements to trees.

use super::{MatchedText, Rule, is_expression};
use crate::{
    language::Sense,
    source::Span,
    syntax::ast::{
        DominanceForm, ExprTree, ExprTreeKind, File, Header, LettingValue, PARETO, Statement, StatementKind,
    },
};
use pest::iterators::{Pair, Pairs};

impl MatchedText<'_, '_> {
    /// Adds the match of an entry rule of the grammar to the file.
    pub(crate) fn add(&self, mut pairs: Pairs<'_, Rule>, file: &mut File) {
        match pairs.peek() {
            Some(header) if header.as_rule() == Rule::header => self.header(header, file),
            Some(first) if is_expression(&first) => {
                // After a correction between two constraints, the rest of the statement has no keyword.
                let span = self.span(&first);
                file.statements.push(Statement { kind: StatementKind::SuchThat(self.expressions(pairs)), span });
            }
            _ => {
                if let Some(statement) = pairs.next() {
                    self.statement(statement, &mut file.statements);
                }
            }
        }
    }

    fn header(&self, pair: Pair<'_, Rule>, file: &mut File) {
        let span = self.span(&pair);
        let (mut language, mut version) = (None, Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::any_word => language = Some(self.file.intern(part.as_str())),
                // A number that is too large cannot be the number of a known version.
                Rule::version_number => version.push(part.as_str().parse().unwrap_or(u64::MAX)),
                _ => {}
            }
        }
        if let Some(language) = language {
            file.header = Some(Header { language, version, span });
        }
    }

    /// Appends the statements that one keyword introduces.
    pub(crate) fn statement(&self, pair: Pair<'_, Rule>, statements: &mut Vec<Statement>) {
        let whole = self.span(&pair);
        let rule = pair.as_rule();
        let mut parts = pair.into_inner();
        let kind = match rule {
            Rule::given | Rule::find | Rule::letting => {
                let items = parts
                    .filter(|part| matches!(part.as_rule(), Rule::given_item | Rule::find_item | Rule::letting_item));
                for (position, item) in items.enumerate() {
                    let mut span = self.span(&item);
                    // The span of the first declaration includes the keyword.
                    if position == 0 {
                        span.start = whole.start;
                    }
                    statements.push(Statement { kind: self.declaration(item), span });
                }
                return;
            }
            Rule::such_that => StatementKind::SuchThat(self.expressions(parts)),
            Rule::where_ => StatementKind::Where(self.expressions(parts)),
            Rule::branching => StatementKind::BranchingOn(self.expressions(parts)),
            Rule::objective => {
                let first = parts.next();
                match first.filter(|first| first.as_rule() == Rule::direction) {
                    Some(direction) => {
                        let (sense, directions) = (parse_sense(&direction), Vec::new());
                        StatementKind::Objective { sense, value: self.only_expression(parts), directions }
                    }
                    None => self.trade_offs(parts, whole),
                }
            }
            Rule::dominance => {
                let form = match parts.next().map(|word| word.as_rule()) {
                    Some(Rule::word_dominance_relation) => DominanceForm::IsKept,
                    _ => DominanceForm::Dominates,
                };
                StatementKind::Dominance { form, relation: self.only_expression(parts) }
            }
            Rule::incomparability => {
                let order = parts.find(|part| part.as_rule() == Rule::order);
                let descends = order.is_some_and(|order| order.as_str().starts_with('d'));
                let order = if descends { Sense::Maximise } else { Sense::Minimise };
                StatementKind::Incomparability { order, value: self.only_expression(parts) }
            }
            Rule::heuristic => StatementKind::Heuristic(self.identifier(child(parts, Rule::name))),
            other => unreachable!("{other:?} is not a statement"),
        };
        statements.push(Statement { kind, span: whole });
    }

    /// Parses `dominance relation pareto(minimising x, maximising y)` as an objective.
    fn trade_offs(&self, parts: Pairs<'_, Rule>, whole: Span) -> StatementKind {
        let (mut name, mut directions, mut goals) = (whole, Vec::new(), Vec::new());
        for part in parts {
            match part.as_rule() {
                Rule::word_pareto => name = self.span(&part),
                Rule::directed => {
                    let mut parts = part.into_inner();
                    directions.extend(parts.next().map(|direction| parse_sense(&direction)));
                    goals.push(self.only_expression(parts));
                }
                _ => {}
            }
        }
        let span = Span { end: whole.end, ..name };
        let name = ExprTree { kind: ExprTreeKind::Name(self.file.intern(PARETO)), span: name };
        let value = ExprTree { kind: ExprTreeKind::Call(name.into(), goals), span };
        // Each goal has its own direction; analysis negates the goals that are maximised.
        StatementKind::Objective { sense: Sense::Minimise, value, directions }
    }

    fn declaration(&self, item: Pair<'_, Rule>) -> StatementKind {
        let rule = item.as_rule();
        let mut parts = item.into_inner();
        let names = self.names(child(&mut parts, Rule::names));
        let value = parts.find(|part| matches!(part.as_rule(), Rule::domain | Rule::new_type) || is_expression(part));
        match (rule, value) {
            (Rule::given_item, None) => StatementKind::GivenEnum { names },
            (Rule::given_item, Some(domain)) => StatementKind::Given { names, domain: self.domain(domain) },
            (Rule::find_item, Some(domain)) => StatementKind::Find { names, domain: self.domain(domain) },
            (Rule::letting_item, Some(value)) => {
                let value = match value.as_rule() {
                    Rule::domain => LettingValue::Domain(self.domain(value)),
                    Rule::new_type => self.new_type(value),
                    _ => LettingValue::Expr(self.expression(value)),
                };
                StatementKind::Letting { names, value }
            }
            (other, _) => unreachable!("{other:?} is not a declaration"),
        }
    }

    fn new_type(&self, pair: Pair<'_, Rule>) -> LettingValue {
        let mut members = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::names => members = self.names(part),
                Rule::expression => return LettingValue::Unnamed(self.expression(part)),
                _ => {}
            }
        }
        LettingValue::Enum(members)
    }
}

fn parse_sense(direction: &Pair<'_, Rule>) -> Sense {
    if direction.as_str().starts_with("max") { Sense::Maximise } else { Sense::Minimise }
}

/// Returns the first child that matches a rule; the grammar guarantees its existence.
pub(super) fn child<'i>(pairs: impl IntoIterator<Item = Pair<'i, Rule>>, rule: Rule) -> Pair<'i, Rule> {
    match pairs.into_iter().find(|pair| pair.as_rule() == rule) {
        Some(pair) => pair,
        None => unreachable!("the grammar has a {rule:?} here"),
    }
}
