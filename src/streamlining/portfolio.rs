//! Portfolios: combinations of streamliners in the order in which they are tried, as files in Essence.
//!
//! A file repeats the declarations of its model, so that its constraints can be checked and a file for another model is
//! recognised. Each `such that` is an entry; comments before it have its name and its budget.

use super::{BudgetedSearch, search_with_budget};
use crate::{
    api::{Model, Report, Solution, SolveStatus, Summary, Text, deep},
    diagnostic::{Code, Diagnostic},
    solver::EngineOptions,
    source::Span,
    syntax::ast::{Statement, StatementKind},
};

/// The comments of an entry.
const NAME: &str = "$ streamliner:";
const BUDGET: &str = "$ conflicts:";

/// The budget of an entry without a `$ conflicts:` comment. Chosen.
const DEFAULT_BUDGET: u64 = 10_000;

/// A combination of streamliners.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PortfolioEntry {
    /// The names of the streamliners.
    pub says: String,
    /// The constraints in Essence.
    pub constraints: Vec<String>,
    /// The number of conflicts after which the search under these constraints is given up.
    pub conflicts: u64,
}

/// Combinations of streamliners for a model, in the order in which they are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamlinerPortfolio {
    /// The entries, the best first.
    pub entries: Vec<PortfolioEntry>,
}

impl PortfolioEntry {
    /// An entry with constraints in Essence and a budget of conflicts.
    pub fn new(says: impl Into<String>, constraints: Vec<String>, conflicts: u64) -> Self {
        PortfolioEntry { says: says.into(), constraints, conflicts }
    }
}

impl StreamlinerPortfolio {
    /// A portfolio with these entries, the best first.
    pub fn new(entries: Vec<PortfolioEntry>) -> Self {
        StreamlinerPortfolio { entries }
    }
}

/// The result of the searches with the entries of a portfolio.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamlinedSearch {
    /// The number of entries that were tried.
    pub tried: usize,
    /// The number of conflicts of all searches.
    pub conflicts: u64,
    /// The solution with the name of the entry that found it; with an objective, the best one of all entries.
    pub found: Option<(String, Solution)>,
    /// The answer, if the model has no objective and a solution was found, or if a limit was reached.
    pub answer: Option<Summary>,
}

/// The statements that must be the same in a file and its model.
fn declarations(model: &Model) -> Vec<(String, Span)> {
    let is_declaration = |statement: &&Statement| {
        matches!(
            statement.kind,
            StatementKind::Given { .. } | StatementKind::Find { .. } | StatementKind::GivenEnum { .. }
        )
    };
    let line = |statement: &Statement| (model.on_one_line(statement.span), statement.span);
    model.read.file.statements.iter().filter(is_declaration).map(line).collect()
}

impl Model {
    /// The text of a file with a portfolio for this model.
    ///
    /// # Errors
    ///
    /// Does not fail: the declarations of a model are a model.
    pub fn portfolio_text(&self, portfolio: &StreamlinerPortfolio, comment: &str) -> Result<String, Report> {
        let mut text = format!("$ {comment}\n\n{}\n", self.declarations_alone()?.text().text);
        for PortfolioEntry { says, constraints, conflicts } in &portfolio.entries {
            let constraints = constraints.join(",\n    ");
            text += &format!("\n{NAME} {says}\n{BUDGET} {conflicts}\nsuch that\n    {constraints}\n");
        }
        Ok(text)
    }

    /// Reads a portfolio for this model.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a portfolio, or is a portfolio for another model.
    pub fn read_portfolio(&self, text: &Text) -> Result<StreamlinerPortfolio, Report> {
        deep(|| {
            let file = Model::read(text).map_err(|mut report| {
                let help = "`conjure-like streamline MODEL PARAM… -o FILE` writes files of streamliners";
                report.diagnostics.iter_mut().take(1).for_each(|first| *first = first.clone().help(help));
                report
            })?;
            let wrong = |error: Diagnostic| Report { sources: file.sources.clone(), diagnostics: vec![error] };
            let (own, other) = (declarations(self), declarations(&file));
            let is_missing = |line: &str, among: &[(String, Span)]| !among.iter().any(|(known, _)| known == line);
            let model = &self.text().name;
            let again = format!("choose streamliners for `{model}`: conjure-like streamline {model} PARAM… -o FILE");
            let message = format!("`{}` has streamliners for another model than `{model}`", text.name);
            if let Some((line, span)) = other.iter().find(|(line, _)| is_missing(line, &own)) {
                let error = Diagnostic::error(Code::STREAMLINERS, message);
                return Err(wrong(error.at(*span, format!("`{model}` has no `{line}`")).help(again)));
            }
            if let Some((line, _)) = own.iter().find(|(line, _)| is_missing(line, &other)) {
                let error = Diagnostic::error(Code::STREAMLINERS, message);
                return Err(wrong(error.note(format!("it has no `{line}`")).help(again)));
            }
            let entries = entries(&file).map_err(wrong)?;
            if entries.is_empty() {
                let error = Diagnostic::error(Code::STREAMLINERS, format!("`{}` has no streamliner", text.name));
                return Err(wrong(error.help(format!("{NAME} NAME before each `such that` starts an entry"))));
            }
            // The names in the constraints may have other declarations in this model.
            for entry in &entries {
                self.requiring(&entry.constraints)?;
            }
            Ok(StreamlinerPortfolio { entries })
        })
    }

    /// Searches for a solution, or a good one, with each entry of a portfolio in turn. Solutions are checked against
    /// this model. If none is found, nothing is proved.
    ///
    /// # Errors
    ///
    /// Returns the errors in the data, or an error if a solution does not satisfy this model.
    pub fn streamlined(
        &self,
        data: &[Text],
        portfolio: &StreamlinerPortfolio,
        search: &EngineOptions,
    ) -> Result<StreamlinedSearch, Report> {
        let mut all = StreamlinedSearch { tried: 0, conflicts: 0, found: None, answer: None };
        for entry in &portfolio.entries {
            let streamlined = self.requiring(&entry.constraints)?;
            // If only the entry makes the instance too large or an expression undefined, the entry is skipped.
            let Ok(searched) = search_with_budget(&streamlined, data, entry.conflicts, None, search) else { continue };
            let BudgetedSearch { summary, solution, conflicts } = searched;
            all.tried += 1;
            all.conflicts += conflicts;
            if let Some(solution) = solution {
                // `streamlined` is another model, so the text is read again to check the solution against this one.
                let solution = self.solution(data, &Text::new("", solution.to_essence(usize::MAX)))?;
                if all.found.as_ref().is_none_or(|(_, best)| self.is_better(&solution, best)) {
                    all.found = Some((entry.says.clone(), solution));
                }
            }
            if all.found.is_some() && !self.has_objective() {
                all.answer = Some(Summary { status: SolveStatus::Satisfied, solutions: 1, ..summary });
            } else if let Some(stopped) = search.reached() {
                // The status and the bound belong to the streamlined model: a refutation just before the limit must not
                // be taken for a refutation of this model.
                let solutions = usize::from(all.found.is_some());
                all.answer = Some(Summary { status: stopped.into(), solutions, statistics: None });
            }
            if all.answer.is_some() {
                break;
            }
        }
        Ok(all)
    }

    fn is_better(&self, solution: &Solution, than: &Solution) -> bool {
        match (super::objective_of(solution), super::objective_of(than)) {
            (Some(value), Some(best)) if self.maximises() == Some(true) => value > best,
            (Some(value), Some(best)) => value < best,
            _ => false,
        }
    }
}

/// The entries of a file.
fn entries(file: &Model) -> Result<Vec<PortfolioEntry>, Diagnostic> {
    let (mut entries, mut after) = (Vec::new(), 0);
    for statement in &file.read.file.statements {
        if let StatementKind::SuchThat(items) = &statement.kind {
            let comments = file
                .read
                .file
                .comments
                .iter()
                .filter(|comment| comment.span.start >= after && comment.span.end <= statement.span.start);
            let (mut says, mut conflicts) = (String::new(), DEFAULT_BUDGET);
            for comment in comments {
                if let Some(name) = comment.text.strip_prefix(NAME) {
                    says = name.trim().to_owned();
                } else if let Some(number) = comment.text.strip_prefix(BUDGET) {
                    conflicts = number.trim().parse().map_err(|_| {
                        let error = Diagnostic::error(Code::STREAMLINERS, "a budget that is not a number");
                        error.at(comment.span, format!("write a number: `{BUDGET} {DEFAULT_BUDGET}`"))
                    })?;
                }
            }
            let constraints: Vec<String> = items.iter().map(|item| file.on_one_line(item.span)).collect();
            let says = if says.is_empty() { constraints.join(", ") } else { says };
            entries.push(PortfolioEntry { says, constraints, conflicts });
        }
        after = statement.span.end;
    }
    Ok(entries)
}
