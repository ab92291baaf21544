//! Compares the answers of an instance with the lines of a test case.
//!
//! Only checked solutions count: [`crate::Instance::solve`] checks the solutions that it finds, and a solution in a
//! case is read and checked like any other solution file.

use super::{
    MOST_SOLUTIONS, Solved, cross_check, laws,
    read::{Check, Expectation},
    requirement,
    result::{TestDetail, TestFinding},
    tested::{TestedInstance, is_violation},
};
use crate::{
    api::{Report, Solution, SolveOptions, Text},
    comparison::{Judgement, Refusal},
    diagnostic::{Code, Diagnostic, Severity, counted, nearest},
    explain::{Answer, questions},
    source::Span,
};
use std::{collections::BTreeSet, num::NonZeroUsize, ops::Range};

/// The detail that shows why a candidate is not a solution.
fn refused_by(refusal: Refusal) -> TestDetail {
    match refusal {
        Refusal::Requirements(answer) => TestDetail::Answer(answer),
        Refusal::Domain(report) => TestDetail::Report(report),
    }
}

impl Check {
    /// Compares the errors of a model or data with the expected ones.
    pub(super) fn of_errors(&self, report: Option<&Report>) -> Option<TestFinding> {
        let Expectation::Errors(expected) = &self.expects else { return None };
        let Some(report) = report else {
            let says = format!("expected {}, but there are no errors", expected.join(" "));
            return Some(self.corrected(TestFinding::failed(self.line, says), "none"));
        };
        let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let mut errors: Vec<_> = errors.map(|error| (error.span(), error.code)).collect();
        errors.sort_by_key(|(span, _)| *span);
        // A code may be followed by a line number, as in `$ error: E0403:3`.
        let with_lines = expected.iter().any(|code| code.contains(':'));
        let written = |(span, code): &(Option<Span>, Code)| match span {
            Some(span) if with_lines => {
                format!("{code}:{}", report.sources.get(span.source).line_and_column(span.start as usize).0)
            }
            _ => code.to_string(),
        };
        let found: Vec<String> = errors.iter().map(written).collect();
        if *expected == found {
            return None;
        }
        let says = format!("expected {}, found {}", expected.join(" "), found.join(" "));
        let finding = TestFinding::failed(self.line, says).with(TestDetail::Report(report.clone()));
        Some(self.corrected(finding, &found.join(" ")))
    }
}

impl TestedInstance<'_> {
    /// The findings for the lines of the case, and for other ways to solve the instance.
    pub(super) fn findings(&self) -> Vec<TestFinding> {
        let mut findings: Vec<TestFinding> =
            self.case.checks.iter().filter_map(|check| self.finding(check).unwrap_or_else(Some)).collect();
        if self.options.cross_check {
            self.solved.get_or_init(|| self.solve(self.most()));
        }
        if let Some(Ok(solved)) = self.solved.get() {
            findings.extend(self.twice(solved));
            if self.options.cross_check {
                findings.extend(cross_check::differences(self, solved));
            }
        }
        findings
    }

    /// The finding for a line of the case if the line does not hold. The error is also a finding: the line could not be
    /// checked.
    fn finding(&self, check: &Check) -> Result<Option<TestFinding>, TestFinding> {
        match &check.expects {
            Expectation::Errors(_) => {
                // Some errors are found only by solving the instance.
                let solved = self.solved.get_or_init(|| self.solve(self.most()));
                Ok(check.of_errors(solved.as_ref().err()))
            }
            Expectation::Solutions(expected, because) => self.solutions(check, *expected, because),
            Expectation::Optimum(expected) => self.optimum(check, expected),
            Expectation::Listed => self.listed(check),
            Expectation::Worse => self.worse(check),
            Expectation::Accepts => self.accepts(check),
            Expectation::Refuses(because) => self.refuses(check, because),
            Expectation::Always => self.always(check),
            Expectation::Sometimes => self.sometimes(check),
            Expectation::Conflicts(most) => self.conflicts(check, *most),
            Expectation::Then(changes, law) => laws::wrong_law(self, check, changes, law),
        }
    }

    /// The number of solutions to find: enough to exceed each expected number; one (or the best one) if solutions are
    /// neither counted nor compared.
    fn most(&self) -> usize {
        let counts = self.case.checks.iter().filter_map(|check| match check.expects {
            Expectation::Solutions(count, _) => Some(count.saturating_add(1).max(MOST_SOLUTIONS)),
            Expectation::Listed | Expectation::Worse => Some(MOST_SOLUTIONS),
            _ => None,
        });
        let compared = self.options.cross_check.then_some(MOST_SOLUTIONS);
        counts.chain(compared).max().unwrap_or(1)
    }

    fn solve(&self, most: usize) -> Result<Solved, Report> {
        let ways = SolveOptions::default().search(self.options.search.clone());
        Solved::find(self.instance, &ways, most, None)
    }

    /// The solutions of the instance.
    pub(super) fn solved(&self, check: &Check) -> Result<&Solved, TestFinding> {
        let solved = self.solved.get_or_init(|| self.solve(self.most())).as_ref();
        solved.map_err(|report| match self.is_stopped() {
            true => check.undecided(None),
            false => check.broken("the instance cannot be solved", report.clone()),
        })
    }

    fn is_stopped(&self) -> bool {
        self.options.search.reached().is_some()
    }

    /// The answer, or the finding that there is none.
    fn answered(&self, check: &Check, asked: Result<Answer, Report>) -> Result<Answer, TestFinding> {
        match asked {
            Ok(answer) if answer.verdict == "unknown" => Err(check.undecided(None)),
            Ok(answer) => Ok(answer),
            Err(_) if self.is_stopped() => Err(check.undecided(None)),
            Err(report) => Err(check.broken("this does not fit the model", report)),
        }
    }

    /// Explains why there is no solution.
    fn why(&self) -> Option<Answer> {
        let answer = self.model.why(self.data, &self.explain_options()).ok()?;
        (answer.verdict == "none").then_some(answer)
    }

    fn solutions(
        &self,
        check: &Check,
        expected: usize,
        because: &[Range<usize>],
    ) -> Result<Option<TestFinding>, TestFinding> {
        let solved = self.solved(check)?;
        let count = solved.solutions.len();
        let is_enough = self.model.has_objective() && count >= MOST_SOLUTIONS && count == expected;
        // If there are too many solutions, the check fails even if the search has not ended.
        if count <= expected && !solved.is_complete() && !is_enough {
            return Err(check.undecided(Some(&solved.status)));
        }
        if count == expected {
            return if because.is_empty() { Ok(None) } else { self.none_because(check, because) };
        }
        let number = match (count, solved.is_complete()) {
            (0, _) => "none".to_owned(),
            (count, true) => count.to_string(),
            (count, false) => format!("at least {count}"),
        };
        let kind = if self.model.has_objective() { "best solution" } else { "solution" };
        let says = match expected {
            0 => format!("expected no solution, found {number}"),
            _ => format!("expected {}, found {number}", counted(expected, kind)),
        };
        let finding = check.corrected(check.failed(says), &count.to_string());
        Ok(Some(match (count, expected) {
            (0, _) => finding.with_all(self.why().map(|answer| TestDetail::Answer(Box::new(answer)))),
            (_, 0) => finding.with_all(solved.solutions.first().map(|solution| self.shown(solution))),
            _ => self.unlisted(finding, solved),
        }))
    }

    /// Adds a solution that the case does not list, if it lists some.
    fn unlisted(&self, finding: TestFinding, solved: &Solved) -> TestFinding {
        let listed: Vec<Solution> = self
            .listed_places()
            .filter_map(|place| self.model.solution(self.data, &self.file.alone(place)).ok())
            .collect();
        let mut unlisted = solved.solutions.iter().filter(|solution| !listed.contains(solution));
        match unlisted.next() {
            Some(first) if !listed.is_empty() && solved.solutions.len() > listed.len() => {
                let detail = TestDetail::Says("This solution is not listed:".to_owned());
                finding.with(detail).with(self.shown(first))
            }
            _ => finding,
        }
    }

    fn listed_places(&self) -> impl Iterator<Item = &Range<usize>> {
        let checks = self.case.checks.iter();
        checks.filter(|check| matches!(check.expects, Expectation::Listed)).map(|check| &check.place)
    }

    /// For an instance without solutions, checks that the requirements of `because` are among the reasons.
    fn none_because(&self, check: &Check, because: &[Range<usize>]) -> Result<Option<TestFinding>, TestFinding> {
        let asked = self.model.why(self.data, &self.explain_options());
        let answer = self.answered(check, asked)?;
        self.blames(check, because, Refusal::Requirements(Box::new(answer)))
    }

    /// Checks that the requirements of `because` are among the reasons for a refusal.
    fn blames(
        &self,
        check: &Check,
        because: &[Range<usize>],
        refusal: Refusal,
    ) -> Result<Option<TestFinding>, TestFinding> {
        let places: Vec<Span> = refusal.places().collect();
        for wanted in because {
            let name = self.file.on_one_line(wanted);
            let meant = requirement::requirement_named(self.model, &name).map_err(|(message, help)| {
                let error = Diagnostic::error(Code::TEST_CASE, message).help(help);
                let error = error.at(self.file.span(wanted), "named here");
                check.broken("the named requirement is not in the model", self.file.report(vec![error]))
            })?;
            // The reason may be only a part of the requirement, such as an attribute of a domain.
            if !places.iter().any(|place| meant.contains(*place) || place.contains(meant)) {
                let line = self.file.text.text[..wanted.start].matches('\n').count() + 1;
                let says = format!("there is no solution, but not because of `{name}`");
                let says = match check.expects {
                    Expectation::Refuses(_) => format!("this is refused, but not because of `{name}`"),
                    _ => says,
                };
                return Ok(Some(TestFinding::failed(line, says).with(refused_by(refusal))));
            }
        }
        Ok(None)
    }

    fn optimum(&self, check: &Check, expected: &str) -> Result<Option<TestFinding>, TestFinding> {
        if !self.model.has_objective() {
            let error = Diagnostic::error(Code::TEST_CASE, "the model has no objective");
            let error = error.at(self.file.span(&check.place), "the best value");
            let error = error.help("write `minimising …` or `maximising …` in the model, or remove this line");
            return Err(check.broken("the case does not fit the model", self.file.report(vec![error])));
        }
        let solved = self.solved(check)?;
        let found = solved.optimum();
        if found.as_deref() == Some(expected) && (solved.is_complete() || self.is_optimal(solved)) {
            return Ok(None);
        }
        let steps = |text: &str| self.model.objective_steps(text);
        let is_better = match (found.as_deref().and_then(steps), steps(expected), self.model.maximises()) {
            (Some(found), Some(expected), Some(true)) => found > expected,
            (Some(found), Some(expected), _) => found < expected,
            _ => false,
        };
        // If a better value is found, the check fails even if the search has not ended.
        if !is_better && !solved.is_complete() {
            return Err(check.undecided(Some(&solved.status)));
        }
        let Some(found) = found else {
            let finding = check.failed(format!("expected the optimum {expected}, but there is no solution"));
            return Ok(Some(finding.with_all(self.why().map(|answer| TestDetail::Answer(Box::new(answer))))));
        };
        let finding = check.failed(format!("expected the optimum {expected}, found {found}"));
        let finding = check.corrected(finding, &found);
        let detail = match is_better {
            true => solved.solutions.last().map(|solution| self.shown(solution)),
            false => self.why_not_as_good_as(steps(expected)).map(|answer| TestDetail::Answer(Box::new(answer))),
        };
        Ok(Some(finding.with_all(detail)))
    }

    /// True if the search ended because it had found the requested number of best solutions.
    fn is_optimal(&self, solved: &Solved) -> bool {
        solved.status.found_enough() && solved.solutions.len() >= MOST_SOLUTIONS
    }

    /// Explains why no solution is as good as expected.
    fn why_not_as_good_as(&self, value: Option<i64>) -> Option<Answer> {
        let goals = self.model.goals();
        let [goal] = goals.as_slice() else { return None };
        let wish = Text::new("what is expected", format!("such that {}", goal.at_least_as_good_as(value?, 0)));
        let asked = self.model.ask(self.data, [&wish], &self.explain_options(), |subject, [wish], warnings| {
            questions::as_good_as(subject, wish, warnings)
        });
        asked.ok().filter(|answer| answer.verdict == "none")
    }

    /// Checks a solution that `solve` must print: with an objective, one of the best ones.
    fn listed(&self, check: &Check) -> Result<Option<TestFinding>, TestFinding> {
        let text = self.candidate(check)?;
        let solution = match self.model.solution(self.data, &text) {
            Ok(solution) => solution,
            Err(report) if is_violation(&report) => {
                let finding = check.failed("expected a solution, but the model refuses this");
                return Ok(Some(finding.with(TestDetail::Report(report))));
            }
            Err(report) => return Err(check.broken("this does not fit the model", report)),
        };
        let solved = self.solved(check)?;
        if solved.solutions.contains(&solution) {
            return Ok(None);
        }
        if !solved.is_complete() {
            // If no other solution can be better, satisfying the model is enough.
            if !self.model.has_objective() && !self.model.has_dominance() {
                return Ok(None);
            }
            let are_enough = self.model.has_objective() && solved.solutions.len() >= MOST_SOLUTIONS;
            let is_best = are_enough && solution.objective_shown() == solved.optimum();
            return if is_best { Ok(None) } else { Err(check.undecided(Some(&solved.status))) };
        }
        let says = match (solution.objective_shown(), solved.optimum()) {
            (Some(own), Some(best)) if own != best => {
                format!("expected a best solution, but the objective of this one is {own}, and the best is {best}")
            }
            _ => "expected a solution that is found, but this one is not".to_owned(),
        };
        let better = solved.solutions.last().filter(|_| self.model.has_objective());
        Ok(Some(check.failed(says).with_all(better.map(|solution| self.shown(solution)))))
    }

    /// Checks a solution that must not be a best one.
    fn worse(&self, check: &Check) -> Result<Option<TestFinding>, TestFinding> {
        let text = self.candidate(check)?;
        let solution = match self.model.solution(self.data, &text) {
            Ok(solution) => solution,
            Err(report) if is_violation(&report) => return Ok(None),
            Err(report) => return Err(check.broken("this does not fit the model", report)),
        };
        let solved = self.solved(check)?;
        match (solution.objective_shown(), solved.optimum()) {
            (Some(own), Some(best)) if own != best => Ok(None),
            _ if solved.is_complete() || solved.solutions.contains(&solution) => {
                Ok(Some(check.failed("expected something worse than a best solution, but this is a best one")))
            }
            _ => Err(check.undecided(Some(&solved.status))),
        }
    }

    /// The text of a solution or a part of one, which may name nothing but decision variables.
    fn candidate(&self, check: &Check) -> Result<Text, TestFinding> {
        let text = self.file.alone(&check.place);
        for (name, span) in laws::letting_spans(&text.text) {
            if self.model.finds().any(|known| known == name) {
                continue;
            }
            let error = Diagnostic::error(Code::TEST_CASE, format!("the model has no decision variable `{name}`"));
            let error = error.at(span, "this variable");
            let error = match nearest(&name, self.model.finds()) {
                Some(known) => error.help(format!("did you mean `{known}`?")),
                None => {
                    let known: Vec<String> = self.model.finds().map(|known| format!("`{known}`")).collect();
                    error.help(format!("the model finds {}", known.join(", ")))
                }
            };
            return Err(check.broken("this does not fit the model", self.file.report(vec![error])));
        }
        Ok(text)
    }

    /// The model's judgement of a solution or a part of one, ignoring the objective.
    fn judgement(&self, check: &Check) -> Result<Judgement, TestFinding> {
        let candidate = self.candidate(check)?;
        match self.model.judgement(self.data, &candidate, &self.options.search) {
            Ok(judgement) => Ok(judgement),
            Err(_) if self.is_stopped() => Ok(Judgement::Unknown),
            Err(report) => Err(check.broken("this does not fit the model", report)),
        }
    }

    fn accepts(&self, check: &Check) -> Result<Option<TestFinding>, TestFinding> {
        Ok(match self.judgement(check)? {
            Judgement::Accepted(_) => None,
            Judgement::Refused(refusal) => {
                Some(check.failed("expected to be accepted, but the model refuses it").with(refused_by(refusal)))
            }
            Judgement::Unknown => Some(check.undecided(None)),
        })
    }

    fn refuses(&self, check: &Check, because: &[Range<usize>]) -> Result<Option<TestFinding>, TestFinding> {
        match self.judgement(check)? {
            Judgement::Refused(refusal) => self.blames(check, because, refusal),
            Judgement::Unknown => Err(check.undecided(None)),
            Judgement::Accepted(answer) => {
                let finding = check.failed("expected to be refused, but the model accepts it");
                Ok(Some(match &answer.solution {
                    Some((essence, _)) => {
                        let says = "A solution that contains it:".to_owned();
                        finding.with(TestDetail::Says(says)).with(self.shown_text(essence))
                    }
                    None => finding.with(self.shown_text(&self.file.alone(&check.place).text)),
                }))
            }
        }
    }

    /// Answers whether an expression holds in every solution. If there is no solution, this is the finding.
    fn forced(&self, check: &Check, expression: &Text) -> Result<Result<Answer, TestFinding>, TestFinding> {
        let answer = self.answered(check, self.model.forced(self.data, expression, &self.explain_options()))?;
        if answer.verdict != "none" {
            return Ok(Ok(answer));
        }
        let finding = check.failed("there is no solution, so this says nothing");
        Ok(Err(finding.with_all(self.why().map(|answer| TestDetail::Answer(Box::new(answer))))))
    }

    fn always(&self, check: &Check) -> Result<Option<TestFinding>, TestFinding> {
        let answer = match self.forced(check, &self.file.alone(&check.place))? {
            Ok(answer) => answer,
            Err(empty) => return Ok(Some(empty)),
        };
        if answer.verdict == "forced" {
            return Ok(None);
        }
        let says = format!("`{}` is false in this solution", self.file.on_one_line(&check.place));
        let solution = answer.solution.map(|(essence, _)| self.shown_text(&essence));
        Ok(Some(check.failed(says).with_all(solution)))
    }

    fn sometimes(&self, check: &Check) -> Result<Option<TestFinding>, TestFinding> {
        let mut text = self.file.alone(&check.place);
        // At least two characters precede the expression; replacing them keeps its position in messages.
        let Range { start, .. } = check.place;
        text.text.replace_range(start - 2..start, "!(");
        text.text.push_str("\n)");
        let answer = match self.forced(check, &text)? {
            Ok(answer) => answer,
            Err(empty) => return Ok(Some(empty)),
        };
        if answer.verdict == "not forced" {
            return Ok(None);
        }
        let expression = self.file.on_one_line(&check.place);
        let says = format!("`{expression}` is false in every solution");
        let reasons = Answer { says: "These requirements rule it out:".to_owned(), ..answer };
        let detail = (!reasons.reasons.is_empty()).then(|| TestDetail::Answer(Box::new(reasons)));
        Ok(Some(check.failed(says).with_all(detail)))
    }

    fn conflicts(&self, check: &Check, most: u64) -> Result<Option<TestFinding>, TestFinding> {
        // The engines take turns on one thread, so that the number of conflicts is the same in each run.
        let search = self.options.search.clone().threads(NonZeroUsize::new(1)).repeatable(true);
        let options = SolveOptions::default().search(search);
        let summary = self.instance.solve(&options, &mut |_| std::ops::ControlFlow::Continue(()));
        let summary = summary.map_err(|report| match self.is_stopped() {
            true => check.undecided(None),
            false => check.broken("the instance cannot be solved", report),
        })?;
        let counters = summary.statistics.iter().flat_map(|statistics| &statistics.counters);
        let found: u64 = counters.filter(|(name, _)| *name == "conflicts").map(|(_, count)| count).sum();
        if found > most {
            let says = format!("expected at most {}, found {found}", counted(most, "conflict"));
            return Ok(Some(check.corrected(check.failed(says), &found.to_string())));
        }
        if summary.status.is_definite() { Ok(None) } else { Err(check.undecided(Some(&summary.status))) }
    }

    /// A finding if a solution was found more than once.
    fn twice(&self, solved: &Solved) -> Option<TestFinding> {
        let different: BTreeSet<String> = solved.solutions.iter().map(Solution::to_string).collect();
        let twice = solved.solutions.len() - different.len();
        let says = format!("{} found twice (this is a bug in conjure-like)", counted(twice, "solution"));
        (twice > 0).then(|| TestFinding::failed(self.case.line, says))
    }
}
