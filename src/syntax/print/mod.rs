//! Tree to text, in the layout that Conjure's users know.
//!
//! Parsing what is printed gives the same tree. Comments stay: one that stands behind something on its line
//! stays there, any other one comes before the statement or the constraint that it stood before or in. One blank line stays
//! between statements, constraints and comments where there was one or more.

mod document;
mod domains;
mod expressions;

use super::ast::{Comment, Domain, Expr, File, Identifier, LettingValue, Statement, StatementKind};
use crate::source::Span;
use document::Document::{self, Fill, Line, Sequence};

/// Enough for the deepest trees that the parser makes.
const STACK: usize = 512 << 20;

/// A file in canonical layout, in lines of at most `width` characters where that is possible.
pub fn file(file: &File, width: usize) -> String {
    formatted(file, "", width)
}

/// The same with the blank lines of its `source`.
pub fn formatted(file: &File, source: &str, width: usize) -> String {
    stacker::grow(STACK, || {
        let blank_lines = blank_lines(source);
        let mut printer = Printer { comments: &file.comments, blank_lines: &blank_lines, ..Printer::new(width) };
        printer.file(file);
        printer.text
    })
}

/// One statement, without a new line at its end.
pub fn statement(statement: &Statement, width: usize) -> String {
    stacker::grow(STACK, || {
        let mut printer = Printer::new(width);
        printer.statement(statement);
        printer.text
    })
}

/// An expression on as many lines as it needs.
pub fn expr(expr: &Expr, width: usize) -> String {
    stacker::grow(STACK, || expressions::expression(expr, expressions::ALONE).render(0, 0, width))
}

/// A domain on as many lines as it needs.
pub fn domain(domain: &Domain, width: usize) -> String {
    stacker::grow(STACK, || domains::domain(domain).render(0, 0, width))
}

struct Printer<'a> {
    text: String,
    width: usize,
    /// Those that are not yet printed.
    comments: &'a [Comment],
    /// Where the blank lines of the source begin that are not yet passed.
    blank_lines: &'a [u32],
    /// Where in the source what was printed last ended.
    ends: u32,
}

/// Where the blank lines of a text begin.
fn blank_lines(text: &str) -> Vec<u32> {
    let mut start = 0;
    let starts = text.split_inclusive('\n').filter_map(|line| {
        let begins = start;
        start += line.len() as u32;
        line.trim().is_empty().then_some(begins)
    });
    starts.collect()
}

impl Printer<'_> {
    fn new(width: usize) -> Self {
        Printer { text: String::new(), width, comments: &[], blank_lines: &[], ends: 0 }
    }

    fn file(&mut self, file: &File) {
        let header = file.effective_header();
        self.comments_before(header.span, 0);
        let version: Vec<String> = header.version.iter().map(u64::to_string).collect();
        self.line(0, format!("language {} {}", header.language, version.join(".")).trim_end());
        self.ends = header.span.end;
        for (number, statement) in file.statements.iter().enumerate() {
            if number == 0 {
                self.comments_behind(statement.span.start);
                self.text.push('\n');
                let next = self.comments.first().map_or(u32::MAX, |comment| comment.span.start);
                self.pass_blank_lines(next.min(statement.span.start));
            }
            self.comments_before(Span { end: statement.span.start, ..statement.span }, 0);
            self.blank_line(statement.span.start);
            self.statement(statement);
            self.ends = statement.span.end;
            self.pass_blank_lines(self.ends);
        }
        self.comments_before(Span { start: u32::MAX, end: u32::MAX, ..Span::default() }, 0);
        self.text.push('\n');
    }

    /// Begins a new line.
    fn line(&mut self, indent: usize, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.text.push_str(text);
    }

    /// Passes the blank lines before a place; whether there were any.
    fn pass_blank_lines(&mut self, before: u32) -> bool {
        let passed = self.blank_lines.partition_point(|start| *start < before);
        self.blank_lines = &self.blank_lines[passed..];
        passed > 0
    }

    /// Keeps one of the blank lines between what was printed last and a place.
    fn blank_line(&mut self, before: u32) {
        if self.pass_blank_lines(before) && !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Appends to the current line.
    fn append(&mut self, indent: usize, document: &Document) {
        let column = self.text.rsplit('\n').next().unwrap_or_default().chars().count();
        self.text.push_str(&document.render(column, indent, self.width));
    }

    fn next_comment(&mut self, before: u32) -> Option<Comment> {
        let (first, rest) = self.comments.split_first()?;
        (first.span.start < before).then(|| {
            self.comments = rest;
            first.clone()
        })
    }

    /// The comments on the current line.
    fn comments_behind(&mut self, before: u32) {
        while let Some(first) = self.comments.first()
            && !first.own_line
            && first.span.start >= self.ends
            && !self.text.is_empty()
            && let Some(comment) = self.next_comment(before)
        {
            self.text.push(' ');
            self.text.push_str(comment.text.trim_end());
        }
    }

    /// The comments before a part of the file and inside it.
    fn comments_before(&mut self, part: Span, indent: usize) {
        self.comments_behind(part.start);
        while let Some(comment) = self.next_comment(part.end) {
            self.blank_line(comment.span.start);
            self.line(indent, comment.text.trim_end());
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::SuchThat(constraints) => self.constraints("such that", constraints, statement.span),
            StatementKind::Where(conditions) => self.constraints("where", conditions, statement.span),
            kind => {
                self.comments_before(statement.span, 0);
                self.line(0, "");
                self.append(0, &simple_statement(kind));
            }
        }
    }

    /// One on the line of its keyword if it fits there, several below each other.
    fn constraints(&mut self, keyword: &str, constraints: &[Expr], span: Span) {
        self.line(0, keyword);
        self.ends = span.start;
        let first = constraints.first().map_or(span.start, |first| first.span.start);
        self.pass_blank_lines(self.comments.first().map_or(first, |comment| first.min(comment.span.start)));
        let commented = self.comments.first().is_some_and(|comment| comment.span.start < span.end);
        if let [only] = constraints
            && !commented
        {
            let document = Sequence(vec![Line, expressions::expression(only, expressions::ALONE)]).nest(4).group();
            return self.append(0, &document);
        }
        for (number, constraint) in constraints.iter().enumerate() {
            if number > 0 {
                self.text.push(',');
            }
            self.comments_before(constraint.span, 4);
            self.blank_line(constraint.span.start);
            self.line(4, "");
            self.append(4, &expressions::expression(constraint, expressions::ALONE));
            self.ends = constraint.span.end;
            self.pass_blank_lines(self.ends);
        }
    }
}

/// A statement that is no list of constraints.
fn simple_statement(kind: &StatementKind) -> Document {
    let continued =
        |head: String, rest: Document| Document::from(head).then(Sequence(vec![Line, rest]).nest(8)).group();
    match kind {
        StatementKind::Given { names, domain } => {
            continued(format!("given {}:", listed(names)), domains::domain(domain))
        }
        StatementKind::Find { names, domain } => continued(format!("find {}:", listed(names)), domains::domain(domain)),
        StatementKind::GivenEnum { names } => format!("given {} new type enum", listed(names)).into(),
        StatementKind::Letting { names, value } => {
            let head = format!("letting {} be", listed(names));
            match value {
                LettingValue::Expr(value) => continued(head, expressions::expression(value, expressions::ALONE)),
                LettingValue::Domain(value) => continued(head + " domain", domains::domain(value)),
                LettingValue::Enum(members) => {
                    let members = members.iter().map(|member| Document::from(&*member.text));
                    let members = Fill(Document::comma_separated(members)).align();
                    Document::from(head + " new type enum {").then(members).then("}")
                }
                LettingValue::Unnamed(size) => {
                    continued(head + " new type of size", expressions::expression(size, expressions::ALONE))
                }
            }
        }
        StatementKind::Objective { maximising, value } => {
            let word = if *maximising { "maximising" } else { "minimising" };
            continued(word.to_owned(), expressions::expression(value, expressions::ALONE))
        }
        StatementKind::BranchingOn(items) => list_of("branching on [", items).then("]"),
        StatementKind::Heuristic(name) => format!("heuristic {}", name.text).into(),
        StatementKind::SuchThat(items) => list_of("such that ", items),
        StatementKind::Where(items) => list_of("where ", items),
    }
}

fn list_of(head: &str, items: &[Expr]) -> Document {
    let items = items.iter().map(|item| expressions::expression(item, expressions::ALONE));
    Document::from(head).then(Fill(Document::comma_separated(items)).align())
}

fn listed(names: &[Identifier]) -> String {
    names.iter().map(|name| &*name.text).collect::<Vec<_>>().join(", ")
}
