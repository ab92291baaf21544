//! Laws: relations between the answers of an instance and the answers of a changed instance.

use super::{
    MOST_SOLUTIONS, Solved,
    read::{Check, Law, Relation},
    result::{TestDetail, TestFinding},
    tested::{TestedInstance, WIDTH, is_violation},
};
use crate::{
    api::{Report, SolveOptions, Text, Values, Workbench, deep},
    diagnostic::counted,
    source::{SourceId, Span},
    syntax::{
        self,
        ast::{File, LettingValue, StatementKind},
    },
};
use std::{cmp::Ordering, collections::BTreeSet, ops::Range};

/// A law, with the answers before and after the change.
struct ChangedAnswers<'a> {
    tested: &'a TestedInstance<'a>,
    check: &'a Check,
    law: &'a Law,
    changed: Vec<Text>,
    before: Solved,
    after: Solved,
}

/// The finding if the answers violate a law. The error is also a finding: the law could not be checked.
pub(super) fn wrong_law(
    tested: &TestedInstance,
    check: &Check,
    changes: &Range<usize>,
    law: &Law,
) -> Result<Option<TestFinding>, TestFinding> {
    let changed =
        changed(tested, changes).map_err(|report| check.broken("the change does not fit the model", report))?;
    let instance = tested.model.instance(&changed);
    let instance = instance.map_err(|report| check.broken("the changed data do not fit the model", report))?;
    // For an optimum, one best solution is enough.
    let most = if matches!(law, Law::Optimum(_)) { 1 } else { MOST_SOLUTIONS };
    let ways = SolveOptions::default().search(tested.options.search.clone());
    let find = |instance| {
        let solved = Solved::find(instance, &ways, most, None);
        let solved = solved.map_err(|report| check.broken("the instance cannot be solved", report))?;
        if solved.is_complete() { Ok(solved) } else { Err(check.undecided(Some(&solved.status))) }
    };
    let (before, after) = (find(tested.instance)?, find(&instance)?);
    let answers = ChangedAnswers { tested, check, law, changed, before, after };
    match law {
        Law::Optimum(relation) => Ok(answers.wrong_optimum(*relation)),
        Law::Solutions(relation) => Ok(answers.wrong_number(*relation)),
        Law::Become(image) => answers.wrong_image(image),
    }
}

impl ChangedAnswers<'_> {
    fn wrong_optimum(&self, relation: Relation) -> Option<TestFinding> {
        // In the comparison, having no solution is worse than any value.
        let worst = if self.tested.model.maximises() == Some(true) { i128::MIN } else { i128::MAX };
        let value = |solved: &Solved| match solved.solutions.last() {
            Some(solution) => solution.objective().and_then(|value| value.as_int()).map(i128::from),
            None => Some(worst),
        };
        let (Some(before), Some(after)) = (value(&self.before), value(&self.after)) else {
            let says = "the objective is not a number, so it is not compared";
            return Some(TestFinding::failed(self.check.line, says));
        };
        if relation.holds(after.cmp(&before)) {
            return None;
        }
        let shown = |solved: &Solved| solved.optimum().unwrap_or_else(|| "none".to_owned());
        let expected = self.tested.file.on_one_line(&self.check.place);
        let (before, after) = (shown(&self.before), shown(&self.after));
        let says = format!("expected `{expected}`, but the optimum is {before} before the change and {after} after it");
        Some(self.with_both(TestFinding::failed(self.check.line, says)))
    }

    fn wrong_number(&self, relation: Relation) -> Option<TestFinding> {
        let is_right = relation.holds(self.after.solutions.len().cmp(&self.before.solutions.len()));
        (!is_right).then(|| self.with_both(TestFinding::failed(self.check.line, self.numbers())))
    }

    /// The first solution whose image is not a solution; otherwise the numbers of solutions, if they differ.
    fn wrong_image(&self, image: &Range<usize>) -> Result<Option<TestFinding>, TestFinding> {
        let (tested, check) = (self.tested, self.check);
        for solution in &self.before.solutions {
            let own = Text::new("the solution", solution.to_essence(WIDTH));
            let bench = Workbench::new(Some(tested.model.text()), tested.data.to_vec(), Some(own));
            let (values, names) = evaluated(tested, &bench, image)
                .map_err(|report| check.broken("this does not fit the model", report))?;
            // The variables that the law does not mention keep their values.
            let kept = solution.essence_values().filter(|(name, _)| !names.contains(*name));
            let kept: String = kept.map(|(name, value)| format!("letting {name} be {value}\n")).collect();
            let image = Text::new("the changed solution", values + &kept);
            match tested.model.validate(&self.changed, &image) {
                Ok(()) => {}
                Err(report) if is_violation(&report) => {
                    let says = "the image of a solution is not a solution after the change";
                    let finding = TestFinding::failed(check.line, says).with(self.changed_data());
                    let finding = finding.with(TestDetail::Says("The solution before the change:".to_owned()));
                    let finding = finding.with(tested.shown(solution));
                    let finding = finding.with(TestDetail::Says("Its image:".to_owned()));
                    let finding = finding.with(TestDetail::Solution(image.text.clone(), Vec::new()));
                    return Ok(Some(finding.with(TestDetail::Report(report))));
                }
                Err(report) => return Err(check.broken("this does not fit the model", report)),
            }
        }
        // The image of each solution must be a solution. Equal numbers are a (weak) check of the other direction.
        let are_as_many = self.before.solutions.len() == self.after.solutions.len();
        let finding = || TestFinding::failed(check.line, self.numbers()).with(self.changed_data());
        Ok((!are_as_many).then(finding))
    }

    /// The sentence about the numbers of solutions.
    fn numbers(&self) -> String {
        let (before, after) = (counted(self.before.solutions.len(), "solution"), self.after.solutions.len());
        let found = format!("found {before} before the change, {after} after it");
        match self.law {
            Law::Become(_) => format!("expected as many solutions, {found}"),
            _ => format!("expected `{}`, {found}", self.tested.file.on_one_line(&self.check.place)),
        }
    }

    fn changed_data(&self) -> TestDetail {
        TestDetail::Says(format!("The changed data:\n\n{}", indented(&changes_of(&self.changed))))
    }

    /// The finding, with a solution before and one after the change.
    fn with_both(&self, finding: TestFinding) -> TestFinding {
        let shown = |solved: &Solved, says: &str| {
            let solution = solved.solutions.last().map(|solution| self.tested.shown(solution));
            solution.map(|solution| [TestDetail::Says(says.to_owned()), solution])
        };
        let before = shown(&self.before, "A solution before the change:");
        let after = shown(&self.after, "A solution after the change:");
        finding.with(self.changed_data()).with_all(before.into_iter().chain(after).flatten())
    }
}

impl Relation {
    fn holds(self, after: Ordering) -> bool {
        match self {
            Relation::NotMore => after.is_le(),
            Relation::NotLess => after.is_ge(),
            Relation::More => after.is_gt(),
            Relation::Less => after.is_lt(),
            Relation::Same => after.is_eq(),
        }
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// The statements of the change, which come last.
fn changes_of(data: &[Text]) -> String {
    data.last().map_or(String::new(), |text| text.text.clone())
}

/// The data with the changed values, which may be defined by the old ones: `letting n be n + 1`.
fn changed(tested: &TestedInstance, changes: &Range<usize>) -> Result<Vec<Text>, Report> {
    let bench = Workbench::new(Some(tested.model.text()), tested.data.to_vec(), None);
    let (values, names) = evaluated(tested, &bench, changes)?;
    let mut data = Vec::new();
    for text in tested.data {
        data.push(without(tested, text, &names)?);
    }
    data.push(Text::new("the changed data", values));
    Ok(data)
}

/// The statements `letting x be E` with each `E` replaced by its value, and the names.
fn evaluated(
    tested: &TestedInstance,
    bench: &Workbench,
    place: &Range<usize>,
) -> Result<(String, BTreeSet<String>), Report> {
    let text = tested.file.alone(place);
    // Other mistakes in the statements are reported when their values are read.
    Values::read(Some(tested.model), &text).map(drop).or_else(|report| {
        let is_syntax = report.diagnostics.iter().any(|error| error.code.number < 200);
        if is_syntax { Err(report) } else { Ok(()) }
    })?;
    let (mut values, mut names) = (String::new(), BTreeSet::new());
    for (name, _, value) in named_values(&text.text) {
        let place = value.start as usize..value.end as usize;
        let value = bench.evaluate(&tested.file.alone(&place))?;
        values += &format!("letting {name} be {}\n", value.essence);
        names.insert(name);
    }
    Ok((values, names))
}

/// The names that a text defines, with their spans.
pub(super) fn letting_spans(text: &str) -> Vec<(String, Span)> {
    named_values(text).into_iter().map(|(name, place, _)| (name, place)).collect()
}

/// The names that a text defines, with their spans and the spans of the values.
fn named_values(text: &str) -> Vec<(String, Span, Span)> {
    deep(|| {
        let file = syntax::parse_file(SourceId::default(), text, &mut Vec::new());
        let named = file.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Letting { names, value: LettingValue::Expr(value) } => Some((names, value.span)),
            _ => None,
        });
        named.flat_map(|(names, span)| names.iter().map(move |name| (name.text.to_string(), name.span, span))).collect()
    })
}

/// A data file without the definitions of some names. They become blanks, so that positions stay the same.
fn without(tested: &TestedInstance, text: &Text, names: &BTreeSet<String>) -> Result<Text, Report> {
    // JSON cannot be edited as Essence, so the data are converted first.
    let essence = match text.text.trim_start().starts_with(['{', '[']) {
        true => Text::new(text.name.as_str(), Values::read(Some(tested.model), text)?.to_essence(WIDTH)),
        false => text.clone(),
    };
    let spans = deep(|| {
        let file: File = syntax::parse_file(SourceId::default(), &essence.text, &mut Vec::new());
        let is_replaced = |kind: &StatementKind| match kind {
            StatementKind::Letting { names: declared, .. } => declared.iter().all(|name| names.contains(&*name.text)),
            _ => false,
        };
        let replaced = file.statements.iter().filter(|statement| is_replaced(&statement.kind));
        replaced.map(|statement| statement.span).collect::<Vec<Span>>()
    });
    let mut changed = essence.text;
    // The spans are replaced from the end, because a blank may be shorter than the character that it replaces.
    for span in spans.into_iter().rev() {
        let (start, end) = (span.start as usize, span.end as usize);
        let blank: String = changed[start..end].chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
        changed.replace_range(start..end, &blank);
    }
    Ok(Text::new(essence.name, changed))
}
