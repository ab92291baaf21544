//! Parses statements one by one and recovers from mistakes, so that one mistake does not hide another. A mistake is
//! corrected if its intention is clear, and otherwise cut out.

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

/// The maximum number of mistakes that are reported for one statement. Chosen.
const MOST_MISTAKES: usize = 64;
/// The maximum number of bytes of a statement that are parsed in all passes together. Each mistake needs a further pass
/// over its statement. Chosen.
const MOST_BYTES: usize = 500_000;
/// The maximum length of a constraint that is shown in its corrected form. Chosen.
const LONGEST_SHOWN: usize = 72;

/// The grammar rule that matches a whole statement.
pub(super) fn rule(keyword: &str) -> Rule {
    if keyword == "language" { Rule::header_alone } else { Rule::statement_alone }
}

impl<'a> FileParser<'a> {
    /// Parses one statement and appends it to the file.
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

    /// Parses a statement in which some mistakes are already corrected. Each of these is given by the index of its
    /// report and its offset in the file.
    fn read(&self, mut reading: Reading<'a>, mut mended: Vec<(usize, usize)>, file: &mut File) {
        let mut last = None;
        // Even a statement of the maximum length is tried three times.
        let tries = (MOST_BYTES / (reading.text.len() + 1)).clamp(3, MOST_MISTAKES);
        for _ in 0..tries {
            // A match may have another meaning than intended: for the grammar, `for (i, j) in s, …` is a call.
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
            // A mistake at or before the previous one is probably a consequence of its correction.
            let again = last.is_some_and(|last| origin <= last);
            last = last.max(Some(origin));
            let Mistake { diagnostic, changes, mut also, notation, general } = mistake;
            // Several signs of another language in the same constraint share a report.
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
                // A constraint that is cut out has no corrected form.
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
            // A statement that Essence does not need, such as `solve satisfy;`, leaves nothing.
            if reading.text.trim().is_empty() {
                return;
            }
            // The change may start a new statement inside this one: `x = 1 minimize y`.
            if let Some(change) = changes.iter().find(|change| starts_behind(change)) {
                let behind = reading.split_off(change.range.start);
                let (before, after) = mended.into_iter().partition(|(_, place)| *place < origin);
                self.read(reading, before, file);
                (reading, mended) = (behind, after);
            }
        }
        // After too many mistakes, the rest of the statement is left out.
        self.leave_out(&reading, 0..reading.text.len(), file);
    }

    /// Records the corrected spans, and the corrected spans whose domains are guesses.
    fn note_mended(&self, reading: &Reading<'a>, mended: &[(usize, usize)], file: &mut File) {
        let span = |(_, origin): &(usize, usize)| {
            let item = reading.item_at(reading.position(*origin))?;
            Some(reading.span(self.source, item.start, item.end))
        };
        file.mended.extend(mended.iter().filter_map(span));
        // A guessed domain makes the types of all its uses uncertain, but any other guess affects only its own
        // constraint.
        let domains = mended.iter().filter(|(report, _)| self.is_about_domain(*report));
        file.guessed.extend(domains.filter_map(span));
    }

    /// Returns true if an edit of a report contains a domain.
    fn is_about_domain(&self, report: usize) -> bool {
        const DOMAINS: [&str; 6] = ["int", "set", "matrix", "function", "domain", "enum"];
        let faults = self.faults.borrow();
        let edits = faults.get(report).map_or(&[][..], |fault| &fault.edits);
        edits.iter().any(|edit| words(&edit.text).any(|(_, word)| DOMAINS.contains(&word)))
    }

    /// Returns the report about a sign of another language in the constraint or declaration at an offset.
    fn earlier_notation(&self, reading: &Reading, at: usize) -> Option<usize> {
        let item = reading.item_at(at)?;
        let (start, end) = (reading.origin(item.start), reading.origin(item.end));
        let notations = self.notations.borrow();
        notations.iter().find(|(_, origin)| (start..=end).contains(origin)).map(|(report, _)| *report)
    }

    /// Replaces the first help message about a corrected constraint with the intended constraint, if it is short.
    fn show_what_was_meant(&self, reading: &Reading, mended: &[(usize, usize)]) {
        let keyword = reading.keyword();
        for (report, origin) in mended {
            let Some(item) = reading.item_at(reading.position(*origin)) else { continue };
            let span = reading.span(self.source, item.start, item.end);
            // If the expression contains a mistake that the grammar accepts, the help would show a wrong text.
            if self.guessed.borrow().iter().any(|guess| span.start <= guess.start && guess.end <= span.end) {
                continue;
            }
            let text = reading.text[item].split_whitespace().collect::<Vec<_>>().join(" ");
            if text.chars().count() > LONGEST_SHOWN || text.contains('`') {
                continue;
            }
            // A mistake before the first constraint is in the keyword, so the help shows the keyword, too.
            let first = reading.items().first().is_some_and(|first| reading.position(*origin) < first.start);
            let text = match keyword {
                "such" if first => format!("such that {text}"),
                "such" | "where" if !first => text,
                _ => format!("{keyword} {text}"),
            };
            let fault = &mut self.faults.borrow_mut()[*report];
            let help = format!("write `{text}`");
            match fault.help.first_mut() {
                // The first help message is general; the full text says more.
                Some(first) => *first = help,
                None => fault.help.push(help),
            }
        }
    }

    /// Cuts out the constraint or declaration with a mistake, and returns true if text is left. In a list inside a
    /// constraint, only the element is cut out, so that the names in the other elements are still checked. If that has
    /// not helped (`again`), the whole constraint is cut out.
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
                    // Without the element, the types in the constraint may be wrong.
                    file.mended.push(reading.span(self.source, item.start, item.end));
                }
                let item = element.unwrap_or(item);
                self.leave_out(reading, item.clone(), file);
                reading.apply(&[Replacement::new(item, "true")]);
                true
            }
            // A declaration is removed together with its comma. A constraint is replaced by `true`, because a list of
            // constraints must not be empty.
            "find" | "given" | "letting" => {
                self.leave_out(reading, item.clone(), file);
                let items = reading.items();
                let Some(position) = items.iter().position(|other| *other == item) else { return false };
                // The comma before or after the declaration must go, too.
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
                // Any statement may declare names. So all words of its first line count as broken declarations, and
                // their uses cause no errors.
                let first = &reading.text[..reading.text.find('\n').unwrap_or(reading.text.len())];
                for (at, word) in words(first).filter(|(_, word)| !super::is_reserved(word)) {
                    self.broken(reading, at..at + word.len(), file);
                }
                false
            }
        }
    }

    /// Records that a part of a statement was not read, and the names that it declares.
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

    /// Records a name whose declaration was not read.
    fn broken(&self, reading: &Reading, name: Range<usize>, file: &mut File) {
        let span = reading.span(self.source, name.start, name.end);
        file.broken.push(Identifier { text: self.intern(&reading.text[name]), span });
    }

    /// Adds another place to an earlier report.
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

    /// Cuts out the constraints with unmatched brackets and reports each of them; returns false if nothing is left to
    /// parse.
    fn without_unmatched_brackets(&self, reading: &mut Reading, fault: Diagnostic, file: &mut File) -> bool {
        if !matches!(reading.keyword(), "such" | "where") {
            self.report(fault);
            return false;
        }
        let mut changes = Vec::new();
        // Unmatched brackets make commas unreliable, so lines separate the constraints.
        for lines in constraints_by_lines(&Tokenised::new(&reading.text)) {
            // With leading blanks, the line has the same offset as in the file, so its faults have correct spans.
            let mut alone = " ".repeat(reading.origin(lines.start));
            alone.push_str(&reading.text[lines.clone()]);
            let mut faults = scan::scan(self.source, &alone, &mut Vec::new()).pieces;
            if let Some(fault) = faults.iter_mut().find_map(|piece| piece.fault.take()) {
                self.report(fault);
                file.unread.push(reading.span(self.source, lines.start, lines.end));
                // A line that only closes brackets is not a constraint, so nothing replaces it.
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

/// Returns the element at an offset in the innermost list. Comprehensions are excluded, because their parts share
/// names.
fn list_element_at(tokens: &Tokenised, at: usize) -> Option<Range<usize>> {
    let here = tokens.position(at);
    let open = tokens.around(here)?;
    let elements = tokens.split(open + 1..tokens.partner(open)?, ",");
    let element = elements.into_iter().find(|element| here <= element.end)?;
    let bound = |at: usize| matches!(tokens.get(at), "|" | "@") && tokens.around(at) == Some(open);
    (!(open..element.end).any(bound)).then(|| tokens.offsets(element))
}

/// Returns true if the replacement starts a new statement inside another one.
fn starts_behind(change: &Replacement) -> bool {
    let mut words = change.text.split_whitespace().map(Some).chain(std::iter::repeat(None));
    let mut next = || words.next().flatten().unwrap_or_default();
    change.range.start > 0 && scan::starts_statement(next(), next())
}

/// Separates the constraints of a statement with unmatched brackets by lines. A comma at the end of a line ends a
/// constraint if the next line is not indented more than the first line after the keyword.
fn constraints_by_lines(tokens: &Tokenised) -> Vec<Range<usize>> {
    let firsts: Vec<usize> = (0..tokens.len()).filter(|at| tokens.starts_line(*at)).collect();
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
            // `such that` consists of two words, `where` of one.
            (0, "that") => 2,
            (0, _) => 1,
            _ => first,
        };
        // The keyword may have a line to itself.
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
