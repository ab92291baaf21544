//! Finds the syntax trees that a typed model was made from, by their spans.

use crate::{
    source::{SourceId, Sources, Span},
    syntax::{
        self,
        ast::{ExprTree, File},
        parts::{for_each_in_statement, for_each_part},
    },
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub(crate) struct Trees<'a> {
    sources: &'a Sources,
    files: FxHashMap<SourceId, Arc<File>>,
}

impl<'a> Trees<'a> {
    pub(crate) fn new(sources: &'a Sources) -> Self {
        Trees { sources, files: FxHashMap::default() }
    }

    fn file(&mut self, source: SourceId) -> Arc<File> {
        let read = || Arc::new(syntax::parse_file(source, &self.sources.get(source).text, &mut Vec::new()));
        self.files.entry(source).or_insert_with(read).clone()
    }

    /// The expression that has exactly this span.
    pub(crate) fn at(&mut self, span: Span) -> Option<ExprTree> {
        self.path(span)?.pop().filter(|found| found.span == span)
    }

    /// The outermost expression around a span.
    pub(crate) fn around(&mut self, span: Span) -> Option<ExprTree> {
        self.path(span)?.into_iter().next()
    }

    /// The outermost expression around a span, and the one with this span or else the innermost one around it.
    fn path(&mut self, span: Span) -> Option<Vec<ExprTree>> {
        let file = self.file(span.source);
        let covers = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        let statement = file.statements.iter().find(|statement| covers(statement.span))?;
        let mut root = None;
        for_each_in_statement(statement, &mut |part| {
            if covers(part.span) && root.is_none() {
                root = Some(part);
            }
        });
        let root = root?;
        let mut found = root;
        while found.span != span {
            let mut next = None;
            for_each_part(found, &mut |part| {
                if covers(part.span) && next.is_none() {
                    next = Some(part);
                }
            });
            match next {
                Some(part) => found = part,
                None => break,
            }
        }
        Some(vec![root.clone(), found.clone()])
    }
}
