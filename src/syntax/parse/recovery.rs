//! Reads statements one by one, whatever is wrong with them: mistakes that can be mended are read as they were meant,
//! and others are cut out, so that one mistake does not hide another.

use super::{
    EssenceGrammar, FileParser, MatchedText, Rule,
    mistakes::Mistake,
    reading::{Reading, Replacement, names_before_colon},
    scan::{self, StatementText},
    tokenised::Tokenised,
};
use crate::{
    diagnostic::{Diagnostic, Edit},
    source::Span,
    syntax::{
        ast::{File, Identifier},
        tokens::words,
    },
};
use pest::Parser;
use std::ops::Range;

/// The largest number of mistakes that are reported for one statement.
const MOST_MISTAKES: usize = 64;
/// Each mistake costs a further pass over its statement: no more than this is read of a statement in all.
const MOST_BYTES: usize = 500_000;
/// A constraint is shown as it was meant if it is not longer.
const LONGEST_SHOWN: usize = 72;

/// The rule that matches a whole statement.
pub(super) fn rule(keyword: &str) -> Rule {
    if keyword == "language" { Rule::header_alone } else { Rule::statement_alone }
}

impl<'a> FileParser<'a> {
    /// Reads one statement and appends it to the file.
    pub(crate) fn piece(&self, piece: StatementText, file: &mut File) {
        let mut reading = Reading::new(self.text, piece.start..piece.end);
        match piece.fault {
            None => self.read(reading, Vec::new(), file),
            Some(fault) => {
                if self.without_unmatched_brackets(&mut reading, fault, file) {
                    self.read(reading, Vec::new(), file);
                } else {
                    self.leave_out(&reading, 0..reading.text.len(), file);
                }
            }
        }
    }

    /// Reads a statement in which some mistakes are mended already: each report's position, and where in the file the
    /// mistake is.
    fn read(&self, mut reading: Reading<'a>, mut mended: Vec<(usize, usize)>, file: &mut File) {
        let mut last = None;
        let tries = (MOST_BYTES / (reading.text.len() + 1)).clamp(3, MOST_MISTAKES);
        for _ in 0..tries {
            let matched = EssenceGrammar::parse(rule(reading.keyword()), &reading.text);
            let misread = matched.is_ok().then(|| self.misread(&reading, reading.text.len())).flatten();
            let (at, mistake) = match (matched, misread) {
                (Ok(_), Some(misread)) => misread,
                (Ok(pairs), None) => {
                    self.note_mended(&reading, &mended, file);
                    MatchedText { file: self, reading: &reading }.add(pairs, file);
                    self.show_what_was_meant(&reading, &mended);
                    return;
                }
                (Err(error), _) => self.mistake(&reading, &error),
            };
            let origin = reading.origin(at);
            // A mistake at the place of the one before, or before it, comes from mending it.
            let again = last.is_some_and(|last| origin <= last);
            last = last.max(Some(origin));
            let Mistake { diagnostic, changes, mut also, notation, general } = mistake;
            // Signs of another language in one constraint are one mistake.
            if notation
                && also.is_none()
                && let Some(span) = diagnostic.span()
            {
                also = self.earlier_notation(&reading, at).map(|report| (report, span));
            }
            if again || changes.is_empty() {
                if !again {
                    self.report(diagnostic);
                }
                // A constraint that is cut out cannot be shown.
                if let Some(item) = reading.item_at(at) {
                    let (start, end) = (reading.origin(item.start), reading.origin(item.end));
                    mended.retain(|(_, place)| *place < start || end < *place);
                }
                if !self.cut(&mut reading, at, again, file) {
                    return;
                }
                continue;
            }
            match also {
                Some((report, span)) => {
                    let label = diagnostic.labels.first().filter(|_| notation).map_or("here, too", |label| &label.text);
                    self.also(report, span, label, &changes, &reading);
                }
                None => {
                    let edits = self.edits(&changes, &reading);
                    if notation {
                        self.notations.borrow_mut().push((self.faults.borrow().len(), origin));
                    }
                    if !general {
                        mended.push((self.faults.borrow().len(), origin));
                    }
                    self.report(Diagnostic { edits, ..diagnostic });
                }
            }
            reading.apply(&changes);
            if reading.text.trim().is_empty() {
                return;
            }
            // A statement may begin where something else seemed to go on.
            if let Some(change) = changes.iter().find(|change| begins_behind(change)) {
                let behind = reading.split_off(change.range.start);
                let (before, after) = mended.into_iter().partition(|(_, place)| *place < origin);
                self.read(reading, before, file);
                (reading, mended) = (behind, after);
            }
        }
        self.leave_out(&reading, 0..reading.text.len(), file);
    }

    /// Notes which parts of a file were mended, and which domains were guessed.
    fn note_mended(&self, reading: &Reading<'a>, mended: &[(usize, usize)], file: &mut File) {
        let span = |(_, origin): &(usize, usize)| {
            let item = reading.item_at(reading.position(*origin))?;
            Some(reading.span(self.source, item.start, item.end))
        };
        file.mended.extend(mended.iter().filter_map(span));
        let domains = mended.iter().filter(|(report, _)| self.is_about_domain(*report));
        file.guessed.extend(domains.filter_map(span));
    }

    /// Whether what mends a mistake writes a domain.
    fn is_about_domain(&self, report: usize) -> bool {
        const DOMAINS: [&str; 6] = ["int", "set", "matrix", "function", "domain", "enum"];
        let faults = self.faults.borrow();
        let edits = faults.get(report).map_or(&[][..], |fault| &fault.edits);
        edits.iter().any(|edit| words(&edit.text).any(|(_, word)| DOMAINS.contains(&word)))
    }

    /// The report about a sign of another language in the constraint or the declaration at an offset.
    fn earlier_notation(&self, reading: &Reading, at: usize) -> Option<usize> {
        let item = reading.item_at(at)?;
        let (start, end) = (reading.origin(item.start), reading.origin(item.end));
        let notations = self.notations.borrow();
        notations.iter().find(|(_, origin)| (start..=end).contains(origin)).map(|(report, _)| *report)
    }

    /// The help for a short mended constraint is the constraint as it was meant.
    fn show_what_was_meant(&self, reading: &Reading, mended: &[(usize, usize)]) {
        let keyword = reading.keyword();
        for (report, origin) in mended {
            let Some(item) = reading.item_at(reading.position(*origin)) else { continue };
            let span = reading.span(self.source, item.start, item.end);
            // It may have a mistake that the grammar lets through.
            if self.guessed.borrow().iter().any(|guess| span.start <= guess.start && guess.end <= span.end) {
                continue;
            }
            let text = reading.text[item].split_whitespace().collect::<Vec<_>>().join(" ");
            if text.chars().count() > LONGEST_SHOWN || text.contains('`') {
                continue;
            }
            let first = reading.items().first().is_some_and(|first| reading.position(*origin) < first.start);
            let text = match keyword {
                "such" if first => format!("such that {text}"),
                "such" | "where" if !first => text,
                _ => format!("{keyword} {text}"),
            };
            let fault = &mut self.faults.borrow_mut()[*report];
            let help = format!("write `{text}`");
            match fault.help.first_mut() {
                // The first help says in general what is shown here.
                Some(first) => *first = help,
                None => fault.help.push(help),
            }
        }
    }

    /// Cuts out the constraint or the declaration with a mistake; whether anything is left to be read. Of a
    /// constraint, only the element of a list is cut out, so that the names beside it are checked, unless that has not
    /// helped.
    fn cut(&self, reading: &mut Reading, at: usize, again: bool, file: &mut File) -> bool {
        let keyword = reading.keyword().to_owned();
        let Some(item) = reading.item_at(at) else {
            self.leave_out(reading, 0..reading.text.len(), file);
            return false;
        };
        match &*keyword {
            "such" | "where" if at >= item.start => {
                let element = list_element_at(&Tokenised::new(&reading.text), at)
                    .filter(|element| !again && element.start > item.start);
                if element.is_some() {
                    // Its types are wrong because of the cut.
                    file.mended.push(reading.span(self.source, item.start, item.end));
                }
                let item = element.unwrap_or(item);
                self.leave_out(reading, item.clone(), file);
                reading.apply(&[Replacement::new(item, "true")]);
                true
            }
            "find" | "given" | "letting" => {
                self.leave_out(reading, item.clone(), file);
                let items = reading.items();
                let Some(position) = items.iter().position(|other| *other == item) else { return false };
                // The range includes the comma before the next item, or after the one before.
                let range = match (items.get(position + 1), position.checked_sub(1)) {
                    (Some(next), _) => item.start..next.start,
                    (None, Some(before)) => items[before].end..item.end,
                    (None, None) => return false,
                };
                reading.apply(&[Replacement::new(range, "")]);
                true
            }
            _ => {
                file.unread.push(reading.span(self.source, 0, reading.text.len()));
                // Whatever it is, it may declare names.
                let first = &reading.text[..reading.text.find('\n').unwrap_or(reading.text.len())];
                for (at, word) in words(first).filter(|(_, word)| !super::is_reserved(word)) {
                    self.broken(reading, at..at + word.len(), file);
                }
                false
            }
        }
    }

    /// Notes that a part of a statement is not read, and the names that it declares.
    fn leave_out(&self, reading: &Reading, range: Range<usize>, file: &mut File) {
        file.unread.push(reading.span(self.source, range.start, range.end));
        let keyword = reading.keyword();
        if !matches!(keyword, "find" | "given" | "letting") {
            return;
        }
        let tokens = Tokenised::new(&reading.text);
        let declaration = tokens.position(range.start).max(1)..tokens.position(range.end);
        for name in names_before_colon(&tokens, declaration) {
            if !super::is_reserved(tokens.get(name)) {
                self.broken(reading, tokens.offsets(name..name + 1), file);
            }
        }
    }

    /// Notes a name whose declaration is not read.
    fn broken(&self, reading: &Reading, name: Range<usize>, file: &mut File) {
        let span = reading.span(self.source, name.start, name.end);
        file.broken.push(Identifier { text: self.intern(&reading.text[name]), span });
    }

    /// Adds a further place to an earlier report.
    fn also(&self, report: usize, span: Span, label: &str, changes: &[Replacement], reading: &Reading) {
        if let Some(fault) = self.faults.borrow_mut().get_mut(report) {
            fault.also(span, label);
            fault.edits.extend(self.edits(changes, reading));
        }
    }

    fn edits(&self, changes: &[Replacement], reading: &Reading) -> Vec<Edit> {
        let edit = |change: &Replacement| Edit {
            span: reading.span(self.source, change.range.start, change.range.end),
            text: change.text.clone(),
        };
        changes.iter().map(edit).collect()
    }

    /// Cuts out the constraints whose brackets do not match, and reports each; `false` if nothing can be read.
    fn without_unmatched_brackets(&self, reading: &mut Reading, fault: Diagnostic, file: &mut File) -> bool {
        if !matches!(reading.keyword(), "such" | "where") {
            self.report(fault);
            return false;
        }
        let mut changes = Vec::new();
        for lines in constraints_by_lines(&Tokenised::new(&reading.text)) {
            let mut alone = " ".repeat(reading.origin(lines.start));
            alone.push_str(&reading.text[lines.clone()]);
            let mut faults = scan::scan(self.source, &alone, &mut Vec::new()).pieces;
            if let Some(fault) = faults.iter_mut().find_map(|piece| piece.fault.take()) {
                self.report(fault);
                file.unread.push(reading.span(self.source, lines.start, lines.end));
                let closes = reading.text[lines.clone()].chars().all(|character| ")]};, ".contains(character));
                changes.push(Replacement::new(lines, if closes { "" } else { "true" }));
            }
        }
        if changes.is_empty() {
            self.report(fault);
            return false;
        }
        reading.apply(&changes);
        true
    }
}

/// The element at an offset of the list in the innermost brackets. Comprehensions have none: a generator may bind the
/// names that the other parts use.
fn list_element_at(tokens: &Tokenised, at: usize) -> Option<Range<usize>> {
    let here = tokens.position(at);
    let open = tokens.around(here)?;
    let elements = tokens.split(open + 1..tokens.partner(open)?, ",");
    let element = elements.into_iter().find(|element| here <= element.end)?;
    let bound = |at: usize| matches!(tokens.get(at), "|" | "@") && tokens.around(at) == Some(open);
    (!(open..element.end).any(bound)).then(|| tokens.offsets(element))
}

/// Whether a statement begins in the text that replaces something behind the beginning of another statement.
fn begins_behind(change: &Replacement) -> bool {
    let mut words = change.text.split_whitespace().map(Some).chain(std::iter::repeat(None));
    let mut next = || words.next().flatten().unwrap_or_default();
    change.range.start > 0 && scan::begins_statement(next(), next())
}

/// The constraints of a statement whose brackets do not match, as its lines tell them apart: one ends with the comma
/// at the end of a line if the next line is indented no more than the first one below the keyword.
fn constraints_by_lines(tokens: &Tokenised) -> Vec<Range<usize>> {
    let firsts: Vec<usize> = (0..tokens.len()).filter(|at| tokens.begins_line(*at)).collect();
    let indentation = |first: usize| {
        let start = tokens.start(first);
        start - tokens.text[..start].rfind('\n').map_or(0, |end| end + 1)
    };
    let least = firsts.get(1).map_or(0, |first| indentation(*first));
    let mut constraints: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for first in firsts {
        let end = tokens.line_end(first);
        let start = match (first, tokens.get(1)) {
            (0, "that") => 2,
            (0, _) => 1,
            _ => first,
        };
        if start >= end {
            continue;
        }
        match constraints.last_mut().filter(|_| open && indentation(first) >= least) {
            Some(last) => last.end = end,
            None => constraints.push(start..end),
        }
        let next = end < tokens.len() && indentation(end) <= least;
        open = !(tokens.get(end - 1) == "," && next);
    }
    let without_comma = |lines: Range<usize>| {
        let end = lines.clone().rev().find(|at| tokens.get(*at) != ",").map_or(lines.start, |last| last + 1);
        tokens.offsets(lines.start..end)
    };
    constraints.into_iter().map(without_comma).collect()
}
