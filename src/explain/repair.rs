//! Single changes of the texts after which the instance has a solution; each is tried.
//!
//! A change is an edit of the model or of the data. It is applied to the text, everything is read again, and the solver
//! decides whether there is a solution. Reading again is needed because a number in a model occurs in all instances of
//! its constraint, and an entry of the data may be read in many places. A cheaper check comes first: if the instance
//! has no solution without the affected requirements, no edit of them helps.

use super::{
    Describer,
    case::{Change, ChangeKind, DomainConflict, ExplainedCase, conditions, key},
    describe::with_single_blanks,
    statement::{Substitution, printed},
};
use crate::{
    analysis::model::{Category, DeclarationId, DeclarationKind, Expr, ExprKind, LocalId},
    diagnostic::Edit,
    language::Value,
    language::attributes::Limit,
    lowering::{Parts, Requirement, RequirementOrigin},
    problem::{Bool, Problem},
    solver::{Incremental, incremental},
    source::{FIX, Sources, Span},
    syntax::json::is_json,
};
use std::{mem, sync::Arc};

/// The work limit of one trial. Chosen.
const TRIAL: u64 = 30_000;
/// The work limit of a check under assumptions; above it, requiring the conditions and simplifying is faster. Chosen.
const ASSUMING: u64 = 1_000;
/// The work limit of all trials: the sizes of the problems that the changed texts give, and the solver's work. Chosen.
const ALL: u64 = 2_000_000;
/// The minimum cost of reading a changed text; long texts cost one unit per byte. Chosen.
const READING: u64 = 2_000;
/// The largest distance over which a bound is moved, as a power of 2. Chosen.
const FARTHEST: u32 = 24;
/// A problem with another number in the data is tried if it is at most this many times as large. Chosen.
const GROWN: usize = 2;
/// Around a number that is required exactly, each number up to this distance is tried. Chosen.
const NEAR: i64 = 16;

/// A change before it is tried.
struct Proposal {
    kind: ChangeKind,
    edit: Edit,
    what: String,
    /// True if the change affects all instances of a constraint that has several.
    all: bool,
}

/// Looks for single changes of the members of a conflict that make the instance solvable.
pub(super) struct Repairs<'a> {
    pub case: &'a ExplainedCase<'a>,
    pub found: &'a DomainConflict,
    /// The position of the reason that each member belongs to.
    reason_of: &'a [usize],
    pub sources: &'a Sources,
    /// A callback for the changes found so far.
    pub so_far: &'a mut dyn FnMut(&[Change]),
    changes: Vec<Change>,
    /// The edits that were tried, each with true if it is known to be enough.
    tried: Vec<(Edit, bool)>,
    /// The nearest numbers that are enough, by the spans of the written numbers.
    numbers: Vec<(Span, Option<i64>)>,
    /// Constraints whose change may be enough, with the positions of their reasons.
    named: Vec<(usize, Arc<Expr>)>,
    /// True if it is known that leaving out any single requirement is not enough.
    none: bool,
    work: u64,
    /// The maximum size of a problem that is tried.
    largest: usize,
}

impl<'a> Repairs<'a> {
    pub(crate) fn new(
        case: &'a ExplainedCase,
        found: &'a DomainConflict,
        reason_of: &'a [usize],
        sources: &'a Sources,
        so_far: &'a mut dyn FnMut(&[Change]),
    ) -> Self {
        Repairs {
            case,
            found,
            reason_of,
            sources,
            so_far,
            changes: Vec::new(),
            tried: Vec::new(),
            numbers: Vec::new(),
            named: Vec::new(),
            none: true,
            work: ALL,
            largest: usize::MAX,
        }
    }

    /// The changes that are enough, and true if it is known that leaving out any single requirement is not enough.
    pub(crate) fn changes(mut self, describer: &mut Describer) -> (Vec<Change>, bool) {
        if self.case.again.is_none() {
            return (Vec::new(), false);
        }
        let found = self.found;
        let mut plain = incremental(&found.plain.lowered.problem, self.case.engine_options);
        let mut widened =
            found.widened.as_ref().map(|widened| incremental(&widened.lowered.problem, self.case.engine_options));
        for (member, position) in found.members.iter().zip(self.reason_of) {
            let position = *position;
            match (&member.origin, &found.widened, &mut widened) {
                (RequirementOrigin::Domain { span, .. }, Some(parts), Some(widened)) => {
                    let same = |other: &Requirement| match &other.origin {
                        RequirementOrigin::Domain { span: Some(other), .. } => Some(*other) == *span,
                        _ => key(&other.origin) == key(&member.origin),
                    };
                    if self.is_solvable(parts, &mut **widened, same) != Some(false) {
                        self.domain(position, member, describer);
                    }
                }
                (RequirementOrigin::Domain { .. }, ..) => {
                    // The bound cannot be left out for a check, because there are no widened domains. So it is unknown
                    // whether leaving it out would be enough.
                    self.none = false;
                    self.domain(position, member, describer);
                }
                (RequirementOrigin::Constraint { .. }, ..) => self.constraint(position, member, &mut *plain, describer),
                (RequirementOrigin::Value { value, .. }, ..) => {
                    let same = |other: &Requirement| key(&other.origin) == key(&member.origin);
                    if self.is_solvable(&found.plain, &mut *plain, same) != Some(false) {
                        self.value(position, member, value, describer);
                    }
                }
                (RequirementOrigin::Defined { .. }, ..) => self.none = false,
            }
        }
        // Last, because a number may need many trials, and all trials share a limit. If the problem grows with the
        // number, it is a size, such as `n` in `int(1..n)`, whose search would end with the largest problem that fits.
        self.largest = GROWN * found.plain.lowered.problem.size();
        for (position, expr) in mem::take(&mut self.named) {
            let is_number = |change: &Change| matches!(change.kind, ChangeKind::Number(..));
            if !self.changes.iter().any(|change| is_number(change) && change.reasons.contains(&position)) {
                self.parameters(position, &expr);
            }
        }
        // A negative number is rarely intended if the old one was not negative.
        self.changes.sort_by_key(|change| matches!(change.kind, ChangeKind::Number(0.., ..0)));
        (self.changes, self.none)
    }

    /// Returns true if there is a solution without these requirements; `None` if unknown.
    fn is_solvable(
        &mut self,
        parts: &Parts,
        solver: &mut dyn Incremental,
        without: impl Fn(&Requirement) -> bool,
    ) -> Option<bool> {
        let rest = parts.requirements.iter().filter(|other| !without(other)).map(|other| other.condition);
        let rest: Vec<Bool> = rest.collect();
        // Under assumptions, the solver keeps learnt clauses for later checks. If this takes too much work, the
        // conditions become constraints, so that simplification can use them.
        solver.allow(Some(ASSUMING));
        let answer = match solver.refute(&rest) {
            Ok(core) => Some(core.is_none()),
            Err(_) => self.can_hold(&parts.lowered.problem, &rest).0,
        };
        // With an unknown answer, the repair may still be possible.
        self.none &= answer == Some(false);
        answer
    }

    /// Returns true if there is a solution after an edit; `None` if unknown. Each edit is tried once.
    fn works(&mut self, edit: &Edit) -> Option<bool> {
        if let Some((_, works)) = self.tried.iter().find(|(tried, _)| tried == edit) {
            return Some(*works);
        }
        let works = self.trial(edit);
        self.tried.push((edit.clone(), works == Some(true)));
        works
    }

    fn trial(&mut self, edit: &Edit) -> Option<bool> {
        let again = self.case.again?;
        if self.work == 0 || self.case.engine_options.reached().is_some() {
            return None;
        }
        let edited = self.sources.edited(edit.span, &edit.text);
        let length = edited.get(edit.span.source).text.len() as u64;
        self.work = self.work.saturating_sub(READING.max(length));
        // If the edited texts have errors, the edit is useless.
        let Some(known) = again(&edited) else { return Some(false) };
        if known.instance.undefined_domain.is_some() {
            return Some(false);
        }
        let parts = known.case(self.case.engine_options).parts(None).ok()?;
        let problem = &parts.lowered.problem;
        if problem.size() > self.largest {
            return None;
        }
        let (answer, work) = self.can_hold(problem, &conditions(&parts.requirements));
        self.work = self.work.saturating_sub(problem.size() as u64).saturating_sub(work);
        answer
    }

    /// Returns true if conditions of a problem can hold together (`None` if unknown), and the work of the check.
    fn can_hold(&self, problem: &Problem, conditions: &[Bool]) -> (Option<bool>, u64) {
        let mut problem = problem.clone();
        conditions.iter().for_each(|condition| problem.require(*condition));
        let simplified = problem.simplify();
        let mut solver = incremental(&simplified.problem, self.case.engine_options);
        solver.allow(Some(TRIAL));
        let answer = solver.refute(&[]).ok().map(|core| core.is_none());
        (answer, TRIAL - solver.allow(None).unwrap_or(0).min(TRIAL))
    }

    /// Keeps a change if it is enough; returns true if it is.
    fn propose(&mut self, position: usize, proposal: Proposal) -> bool {
        let Proposal { kind, edit, what, all } = proposal;
        if let Some(known) = self.changes.iter_mut().find(|change| change.edit == edit) {
            // The same change may have several reasons.
            if !known.reasons.contains(&position) {
                known.reasons.push(position);
            }
            known.says = says(&what, all, &known.reasons);
            return true;
        }
        let works = self.works(&edit) == Some(true);
        if works {
            let says = says(&what, all, &[position]);
            self.changes.push(Change { kind, reasons: vec![position], edit, says });
            (self.so_far)(&self.changes);
        }
        works
    }

    fn constraint(
        &mut self,
        position: usize,
        member: &Requirement,
        solver: &mut dyn Incremental,
        describer: &mut Describer,
    ) {
        let RequirementOrigin::Constraint { expr, bindings, entries, .. } = &member.origin else { return };
        let plain = &self.found.plain;
        let is_same = |other: &Expr| other.span == expr.span;
        let is_instance =
            |other: &Requirement| matches!(&other.origin, RequirementOrigin::Constraint { expr, .. } if is_same(expr));
        let instances = plain.requirements.iter().filter(|other| is_instance(other)).count();
        let own = key(&member.origin);
        // The constraint is tried without this instance and then without all of its instances: in `forAll i . p(i)`, an
        // exception for one `i` may be enough.
        let alone = self.is_solvable(plain, solver, |other| key(&other.origin) == own);
        let without_all = match (alone, instances) {
            (Some(true), _) | (_, 1) => alone,
            _ => self.is_solvable(plain, solver, is_instance),
        };
        let text = self.sources.text(expr.span);
        let several = instances > 1 || bindings.iter().any(|(_, value)| value.is_none());
        let mut without_entry = false;
        for entry in entries {
            if let Some(span) = describer.span_of_entry(entry) {
                let shown = with_single_blanks(self.sources.text(span));
                let what = format!("leave out the entry `{shown}` in {}", self.line(span));
                let edit = without_item(self.sources, span, ListItem::Entry);
                let kind = ChangeKind::LeaveOutEntry(shown);
                without_entry |= self.propose(position, Proposal { kind, edit, what, all: false });
            }
        }
        // If a reason has several members, it lists their instances together, but an exception could name only one of
        // them.
        let stated_together = self.reason_of.iter().filter(|reason| **reason == position).count() > 1;
        let is_exception = alone == Some(true) && several && !without_entry && !stated_together;
        if let Some((condition, words)) = is_exception.then(|| exception(bindings, describer)).flatten() {
            let edit = Edit { span: expr.span, text: format!("({condition} \\/ ({text}))") };
            let what = format!("leave out ({}) for {words} only", position + 1);
            self.propose_as(position, ChangeKind::Exception, edit, what);
        } else if without_all == Some(true) && !without_entry {
            // With `true` instead of the constraint, the list around it stays valid.
            let edit = Edit { span: expr.span, text: "true".to_owned() };
            let what = match several {
                true => format!("leave out `{}` in {}", with_single_blanks(text), self.line(expr.span)),
                false => "leave out".to_owned(),
            };
            self.propose(position, Proposal { kind: ChangeKind::LeaveOut, edit, what, all: several });
        }
        // In `x <= n`, a larger `n` may be enough.
        if let Some((number, side)) = bounding_number(expr) {
            let from = plain.requirements.iter().find(|other| key(&other.origin) == own);
            let from = from.and_then(|requirement| requirement.bound.as_ref());
            let from = from.map(|bound| bound.number + bound.offset);
            let causes = describer.causes_of_undefined(number, bindings);
            if !causes.is_empty() {
                // A number instead of an undefined expression would hide the cause, so the cause itself is changed.
                let sites = causes.into_iter().flat_map(|cause| self.sites(cause, None, several)).collect();
                return self.numbers(position, sites, Limit::Exactly);
            }
            let mut sites = Vec::new();
            if number.category <= Category::Parameter && without_all != Some(false) {
                sites.extend(self.sites(number.span, from, several));
            }
            // The constraint may read numbers from the data, such as `need[3]`. The first label is the constraint
            // itself.
            let data = describer.reason(member).labels;
            let mut looked_up = Vec::new();
            describer.lookups(expr, &mut looked_up);
            for (from, label) in from.iter().flat_map(|from| data.iter().skip(1).map(move |label| (*from, label))) {
                let place = looked_up.iter().find(|(span, _)| *span == label.span);
                let name = place.and_then(|(_, part)| Some(printed(&describer.tree(part, Substitution::Names)?)));
                sites.extend(self.site_in_entry(label.span, from).map(|site| Site { name, ..site }));
            }
            self.numbers(position, sites, side);
        }
        if without_all != Some(false) {
            self.named.push((position, expr.clone()));
        }
    }

    /// Proposes changes of numbers in the data that a constraint names anywhere, as in `exists w . far[v, w] <= most`.
    fn parameters(&mut self, position: usize, expr: &Expr) {
        let mut named: Vec<Span> = Vec::new();
        let model = &self.case.instance.model;
        names_in(expr, &mut |id, span: Span| {
            let is_first = !named.iter().any(|known| self.sources.text(*known) == self.sources.text(span));
            if is_first && matches!(model.declaration(id).kind, DeclarationKind::Given(_)) {
                named.push(span);
            }
        });
        let sites: Vec<Site> = named.into_iter().flat_map(|span| self.sites(span, None, false)).collect();
        for site in sites {
            if !self.numbers.iter().any(|(known, _)| *known == site.span) {
                // The constraint does not show the side on which the number bounds something.
                let nearest = [Limit::AtMost, Limit::AtLeast].map(|side| self.nearest(&site, side));
                let nearest = nearest.into_iter().flatten().min_by_key(|number| number.abs_diff(site.number));
                self.numbers.push((site.span, nearest));
            }
            self.numbers(position, vec![site], Limit::Exactly);
        }
    }

    /// Proposes changes of a bound or an attribute of a domain.
    fn domain(&mut self, position: usize, member: &Requirement, describer: &mut Describer) {
        let RequirementOrigin::Domain { span, word, .. } = &member.origin else { return };
        match span {
            Some(span) => {
                if let Some(attribute) = self.attribute(*span) {
                    let edit = without_item(self.sources, attribute, ListItem::Attribute);
                    let what = format!("leave out `{}` in {}", self.sources.text(attribute), self.line(attribute));
                    self.propose(position, Proposal { kind: ChangeKind::LeaveOut, edit, what, all: false });
                }
                let side = member.bound.as_ref().map_or(Limit::Exactly, |bound| bound.side);
                let sites = self.sites(*span, member.bound.as_ref().map(|bound| bound.number), false);
                self.numbers(position, sites, side);
            }
            None => {
                let span = describer.reason(member).labels.first().map(|label| label.span);
                if let Some(span) = span.filter(|span| self.sources.text(*span) == *word) {
                    let edit = without_item(self.sources, span, ListItem::Attribute);
                    let what = format!("leave out `{word}` in {}", self.line(span));
                    self.propose(position, Proposal { kind: ChangeKind::LeaveOut, edit, what, all: false });
                }
            }
        }
    }

    /// The span of the attribute that a number belongs to: `size 3`.
    fn attribute(&self, number: Span) -> Option<Span> {
        let before = &self.sources.get(number.source).text[..number.start as usize];
        let rest = before.trim_end().trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let has_word = rest.len() < before.trim_end().len();
        let is_item = rest.trim_end().ends_with(['(', ',']);
        (has_word && is_item).then(|| Span::new(number.source, rest.len(), number.end as usize))
    }

    /// Proposes changes of a value in a partial solution.
    fn value(&mut self, position: usize, member: &Requirement, value: &Value, describer: &mut Describer) {
        let Some(span) = describer.reason(member).labels.first().map(|label| label.span) else { return };
        let shown = with_single_blanks(self.sources.text(span));
        let edit = Edit { span, text: "_".to_owned() };
        let what = format!("write `_` for `{shown}` in {}", self.line(span));
        self.propose(position, Proposal { kind: ChangeKind::LeaveOut, edit, what, all: false });
        if let Value::Int(number) = value
            && shown == number.to_string()
        {
            let sites = self.sites(span, None, false);
            self.numbers(position, sites, Limit::Exactly);
        }
    }

    fn propose_as(&mut self, position: usize, kind: ChangeKind, edit: Edit, says: String) {
        if self.works(&edit) == Some(true) {
            self.changes.push(Change { kind, reasons: vec![position], edit, says });
            (self.so_far)(&self.changes);
        }
    }

    /// Proposes the number at the first of these sites where another number is enough.
    fn numbers(&mut self, position: usize, sites: Vec<Site>, side: Limit) {
        for site in sites {
            // Several reasons may contain the same number, but one search is enough.
            let known = match self.numbers.iter().find(|(span, _)| *span == site.span) {
                Some((_, known)) => *known,
                None => {
                    let nearest = self.nearest(&site, side);
                    self.numbers.push((site.span, nearest));
                    nearest
                }
            };
            let Some(to) = known else { continue };
            let what = match (site.entry, &site.name) {
                (None, Some(name)) => {
                    format!("change `{name}` from {} to {to} in {}", site.number, self.line(site.span))
                }
                (Some(_), _) => {
                    let [before, after] = [&site.shown(site.number, self.sources), &site.shown(to, self.sources)];
                    format!("change the entry `{before}` to `{after}` in {}", self.line(site.span))
                }
                (None, None) => {
                    let before = with_single_blanks(self.sources.text(site.span));
                    let before = if before == site.number.to_string() { before } else { format!("`{before}`") };
                    format!("change {before} to {to} in {}", self.line(site.span))
                }
            };
            let kind = ChangeKind::Number(site.number, to);
            if self.propose(position, Proposal { kind, edit: site.edit(to), what, all: site.all }) {
                return;
            }
        }
    }

    /// The number nearest to the one at a site that makes the instance solvable. A bound is moved in doubling steps,
    /// then back by binary search, which finds the nearest number if all beyond some number work.
    fn nearest(&mut self, site: &Site, side: Limit) -> Option<i64> {
        let sign = match side {
            Limit::AtMost => 1,
            Limit::AtLeast => -1,
            Limit::Exactly => {
                let near = (1..=NEAR).flat_map(|distance| [site.number + distance, site.number - distance]);
                return near.into_iter().find(|number| self.works(&site.edit(*number)) == Some(true));
            }
        };
        let at = |distance: i64| site.number + sign * distance;
        let mut works = |distance: i64| self.works(&site.edit(at(distance)));
        let (mut close, mut far) = (0, 1);
        // If a trial is undecided (`?`), the nearest number remains unknown, so the search ends.
        while !works(far)? {
            close = far;
            far *= 2;
            if far > 1 << FARTHEST {
                return None;
            }
        }
        while far - close > 1 {
            let middle = close + (far - close) / 2;
            match works(middle)? {
                true => far = middle,
                false => close = middle,
            }
        }
        Some(at(far))
    }

    /// The sites at which the number of an expression can be changed: in the data or the `letting` that it names, or in
    /// the expression itself, if its value is known.
    fn sites(&self, span: Span, value: Option<i64>, all: bool) -> Vec<Site> {
        let text = self.sources.text(span).trim();
        let site = |span: Span, number: i64, all: bool| Site {
            span,
            number,
            entry: None,
            name: None,
            all,
            is_json: self.is_json(span),
        };
        let here = |number: i64| site(span, number, all);
        // A literal is changed where it stands, and a name where its value is written.
        if let Ok(number) = text.parse() {
            return vec![here(number)];
        }
        let model = &self.case.instance.model;
        let parameters = &self.case.instance.parameters.values;
        let written = model.id_of(text).and_then(|id| match &model.declaration(id).kind {
            DeclarationKind::Letting(value) => Some(value),
            _ => parameters.iter().find(|(parameter, _)| *parameter == id).map(|(_, value)| value),
        });
        let span = written.map(|written| written.span);
        let number = span.and_then(|span| Some((span, self.sources.text(span).trim().parse().ok()?)));
        let elsewhere = number.map(|(span, number)| site(span, number, false));
        elsewhere.into_iter().chain(value.map(here)).collect()
    }

    /// The site of a number in an entry of the data: in its image, or elsewhere if the number occurs exactly once.
    fn site_in_entry(&self, entry: Span, number: i64) -> Option<Site> {
        let text = self.sources.text(entry);
        let wanted = number.to_string();
        let is_part = |character: Option<char>| {
            character.is_some_and(|character| character.is_alphanumeric() || character == '_')
        };
        let places = |from: usize| {
            let found = text[from..].match_indices(&wanted).map(move |(at, _)| from + at);
            found.filter(|at| {
                !is_part(text[..*at].chars().next_back()) && !is_part(text[at + wanted.len()..].chars().next())
            })
        };
        let is_json = self.is_json(entry);
        let image = match is_json {
            // Entries look like `"tomato": 4` or `["tomato", 4]`.
            true => text.rfind([':', ',']).map_or(0, |before| before + 1),
            false => text.rfind("-->").map_or(0, |arrow| arrow + 3),
        };
        let found: Vec<usize> = places(image).collect();
        // If the number occurs several times, the edit might change the wrong occurrence.
        let [at] = found[..] else { return None };
        let start = entry.start as usize + at;
        let span = Span::new(entry.source, start, start + wanted.len());
        Some(Site { span, number, entry: (entry != span).then_some(entry), name: None, all: false, is_json })
    }

    /// Returns true if a span is in data written in JSON.
    fn is_json(&self, span: Span) -> bool {
        is_json(&self.sources.get(span.source).text)
    }

    /// Names the line of a span, `line 3`, and the file unless it is the model.
    fn line(&self, span: Span) -> String {
        if let Some(requirement) = self.sources.added_around(span) {
            return format!("{FIX} '{requirement}'");
        }
        let source = self.sources.get(span.source);
        let line = source.line_and_column(span.start as usize).0;
        let model = self.case.instance.model.declarations.first().map(|declaration| declaration.span.source);
        match model == Some(span.source) {
            true => format!("line {line}"),
            false => format!("line {line} of {}", source.name),
        }
    }
}

/// A written number that can be changed.
struct Site {
    span: Span,
    number: i64,
    /// The surrounding entry of the data.
    entry: Option<Span>,
    /// The expression that reads the number, such as `need[3]`.
    name: Option<String>,
    /// True if other instances of the constraint change with it.
    all: bool,
    is_json: bool,
}

impl Site {
    fn edit(&self, number: i64) -> Edit {
        // In Essence, `-1` is an operator applied to a number, so it may need parentheses.
        let text = if number < 0 && !self.is_json { format!("({number})") } else { number.to_string() };
        Edit { span: self.span, text }
    }

    /// The text of the entry with another number.
    fn shown(&self, number: i64, sources: &Sources) -> String {
        let entry = self.entry.unwrap_or(self.span);
        let text = sources.text(entry);
        let [start, end] = [self.span.start, self.span.end].map(|at| (at - entry.start) as usize);
        with_single_blanks(&format!("{}{}{}", &text[..start], self.edit(number).text, &text[end..]))
    }
}

/// Describes a change with its reasons: `change 3 to 5 in line 2 (all instances of (1))`.
fn says(what: &str, all: bool, reasons: &[usize]) -> String {
    let reasons: Vec<String> = reasons.iter().map(|position| format!("({})", position + 1)).collect();
    let reasons = reasons.join(", ");
    if all { format!("{what} (all instances of {reasons})") } else { format!("{what} {reasons}") }
}

/// Returns the bindings as a condition, `(i = 1 /\ j = 2)`, and as a list, `i = 1, j = 2`; `None` if there are none or
/// a name has no value.
fn exception(bindings: &[(LocalId, Option<Value>)], describer: &Describer) -> Option<(String, String)> {
    let one = |(local, value): &(LocalId, Option<Value>)| Some(describer.equation(*local, value.as_ref()?));
    let equations: Vec<String> = bindings.iter().map(one).collect::<Option<_>>()?;
    (!equations.is_empty()).then(|| (format!("({})", equations.join(" /\\ ")), equations.join(", ")))
}

/// The number in a comparison, and the side on which it bounds the other operand.
fn bounding_number(expr: &Expr) -> Option<(&Expr, Limit)> {
    let ExprKind::Apply(operator, operands) = &expr.kind else { return None };
    let [left, right] = operands.as_slice() else { return None };
    // `3 <= x` is a lower bound of `x`, and `x <= 3` an upper bound.
    let turned = left.category < Category::Decision;
    let number = if turned { left } else { right };
    if number.category == Category::Decision {
        return None;
    }
    let (limit, _) = operator.limit?;
    Some((number, if turned { limit.turned() } else { limit }))
}

/// Passes the declarations that an expression names, with their spans.
fn names_in(expr: &Expr, found: &mut impl FnMut(DeclarationId, Span)) {
    if let ExprKind::Global(id) = expr.kind {
        found(id, expr.span);
    }
    expr.for_each_part(&mut |part| names_in(part, found));
}

/// The kinds of items in comma-separated lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListItem {
    /// An entry of the data.
    Entry,
    /// An attribute of a domain.
    Attribute,
}

/// Removes an item from a list, and the parentheses around the only attribute of a domain.
fn without_item(sources: &Sources, item: Span, kind: ListItem) -> Edit {
    let text = &sources.get(item.source).text;
    let (before, after) = (&text[..item.start as usize], &text[item.end as usize..]);
    let (mut start, mut end) = (item.start as usize, item.end as usize);
    // One of the commas beside the item must go with it.
    if let Some(rest) = after.trim_start().strip_prefix(',') {
        end = text.len() - rest.trim_start().len();
    } else if let Some(rest) = before.trim_end().strip_suffix(',') {
        start = rest.len();
    } else if kind == ListItem::Attribute
        && let Some(before) = before.trim_end().strip_suffix('(')
        && let Some(after) = after.trim_start().strip_prefix(')')
    {
        (start, end) = (before.len(), text.len() - after.len());
    }
    Edit { span: Span::new(item.source, start, end), text: String::new() }
}
