//! Checks the claims of `why` and `hint` about an instance with the solver. Each repair that is offered is applied to
//! the text, which must then have a solution. Each line of a hint follows from the reasons that it cites, is true in
//! all solutions, and is Essence if it looks like it; the last step leads to the solution. The claims of `why --steps`
//! are checked with all values of the decision variables: each line follows from the lines that it cites, these follow
//! from earlier lines, and the last line of the proof, and of each supposition, is a contradiction.

use conjure_like::{
    Model, Text,
    diagnostic::Diagnostics,
    explain::{
        ChangeKind, ExplainedCase, Explanation, FindingKind, Findings, NextStep, PartlySolved, ProofStep, ProofVerdict,
        RequirementBoard, WhyVerdict, guided, proof, why_unsatisfiable,
    },
    halt::{Halt, StopReason},
    instance::{SolutionValues, oracle},
    pipeline, solution,
    solver::{self, EngineOptions, SearchEnd},
    source::{SourceId, Sources},
    syntax::ast::StatementKind,
};
use std::{ops::ControlFlow, sync::Arc};

/// The numbers of checked claims.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked {
    pub changes: usize,
    pub steps: usize,
    pub statements: usize,
    /// Parts that must be defined, according to the conflicts.
    pub needs: usize,
    /// Inferences of proofs that were checked with all values.
    pub inferences: usize,
}

impl Checked {
    #[allow(dead_code)] // not by every runner
    pub(crate) fn add(&mut self, other: Checked) {
        self.changes += other.changes;
        self.steps += other.steps;
        self.statements += other.statements;
        self.needs += other.needs;
        self.inferences += other.inferences;
    }
}

/// An instance as texts.
struct Texts {
    sources: Sources,
    model: SourceId,
    data: Vec<SourceId>,
}

impl Texts {
    fn read(&self, sources: &Sources) -> Option<PartlySolved> {
        let mut diagnostics = Vec::new();
        let model = pipeline::read_model_text(sources, self.model, &mut diagnostics).ok()?.model;
        pipeline::read_instance(&model, sources, &self.data, &mut diagnostics).ok().map(PartlySolved::from)
    }

    /// True if the instance of the edited texts has a solution; `None` if the solver does not answer.
    fn is_solvable(&self, sources: &Sources) -> Option<bool> {
        let Some(known) = self.read(sources) else { return Some(false) };
        let options = EngineOptions::default();
        let lowered = pipeline::lower_instance(&known.instance, &options).ok()?;
        let mut solver = solver::backend(solver::SolverName::Z3).expect("a backend");
        let mut found = false;
        let search = pipeline::Search::new(&known.instance, &lowered, &options);
        let end = search.solutions(&mut *solver, &mut |_, _| {
            found = true;
            ControlFlow::Break(())
        });
        (found || matches!(end, Ok(SearchEnd::Complete))).then_some(found)
    }

    /// The declarations of the model with one constraint; `None` if the constraint is not Essence.
    fn declared_with(&self, constraint: &str) -> Option<Texts> {
        let mut diagnostics = Vec::new();
        let text = &self.sources.get(self.model).text;
        let file = pipeline::parse_text(&self.sources, self.model, &mut diagnostics).ok()?;
        let is_declaration = |kind: &StatementKind| {
            use StatementKind::{BranchingOn, Heuristic, Objective, SuchThat, Where};
            !matches!(kind, SuchThat(_) | Where(_) | Objective { .. } | BranchingOn(_) | Heuristic(_))
        };
        let kept = file.statements.iter().filter(|statement| is_declaration(&statement.kind));
        let kept = kept.map(|statement| &text[statement.span.start as usize..statement.span.end as usize]);
        let declarations = kept.collect::<Vec<_>>().join("\n");
        let mut sources = self.sources.clone();
        let model = sources.add("declarations", format!("{declarations}\nsuch that {constraint}"));
        let texts = Texts { sources, model, data: self.data.clone() };
        texts.read(&texts.sources).map(|_| texts)
    }

    /// Counts the parts that must be defined if a requirement holds; the error names one that need not be.
    fn needs(&self, explanation: &Explanation) -> Result<usize, String> {
        let with = |constraints: &str| self.declared_with(constraints).map(|texts| texts.is_solvable(&texts.sources));
        let said = explanation.reasons.iter().flat_map(|reason| {
            let own = Some((&reason.says, &reason.findings)).filter(|_| reason.instances.is_empty());
            own.into_iter().chain(reason.instances.iter().map(|said| (&said.says, &said.findings)))
        });
        let mut count = 0;
        for (says, Findings { shown, .. }) in said {
            for needed in shown.iter().filter(|finding| finding.kind == FindingKind::Required) {
                count += 1;
                // `t = t` is false exactly if `t` is undefined, since undefinedness makes the nearest Boolean false.
                if with(&format!("{says}, !({0} = {0})", needed.says)) != Some(Some(false)) {
                    return Err(format!("`{says}` may hold where `{}` is not defined", needed.says));
                }
            }
        }
        Ok(count)
    }

    /// True if the conclusions follow from the premises for all values of the declared domains. An empty list of
    /// conclusions means a contradiction. The error names a statement that cannot be parsed.
    fn follows(&self, premises: &[String], conclusions: &[String]) -> Result<bool, String> {
        let all = |statements: &[String]| match statements {
            [] => "true".to_owned(),
            statements => statements.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(" /\\ "),
        };
        let denied = if conclusions.is_empty() { "true".to_owned() } else { format!("!({})", all(conclusions)) };
        let statement = format!("{}, {denied}", all(premises));
        let texts = self.declared_with(&statement).ok_or_else(|| format!("not Essence: {statement}"))?;
        let known = texts.read(&texts.sources).ok_or_else(|| format!("not Essence: {statement}"))?;
        match oracle::solutions(&known.instance, 1) {
            Ok(found) => Ok(found.is_empty()),
            Err(stop) => Err(format!("{stop:?}: {statement}")),
        }
    }

    /// Counts the inferences of a proof. Each must follow from the lines that it cites, and these from earlier lines;
    /// the error names a violation.
    fn proved(&self, steps: &[ProofStep], mut known: Vec<String>) -> Result<usize, String> {
        let mut count = 0;
        let mut refuted: Option<&String> = None;
        let mut ends = false;
        for step in steps {
            ends = false;
            match step {
                ProofStep::Supposed(_, says, _, inside) => {
                    let with = known.iter().chain([says]).cloned().collect();
                    // Lines inside may cite the supposition, later ones only its negation.
                    count += self.proved(inside, with)?;
                    refuted = Some(says);
                }
                ProofStep::Taken(number, step) => {
                    if let Some(says) = refuted.take() {
                        known.push(format!("!({says})"));
                        continue;
                    }
                    for line in &step.lines {
                        let (claim, before) = (&line.claim, known.len());
                        ends = claim.conclusions.is_empty();
                        known.extend(claim.conclusions.iter().filter(|said| !said.contains("is undefined")).cloned());
                        // Some lines summarise several inferences; only whole ones state all their premises.
                        if !claim.is_whole {
                            continue;
                        }
                        let from = [claim.requirements.as_slice(), &claim.premises].concat();
                        if !self.follows(&from, &claim.conclusions)? {
                            return Err(format!("step {number}: `{}` does not follow from what it cites", line.text));
                        }
                        if !claim.premises.is_empty() && !self.follows(&known[..before], &claim.premises)? {
                            return Err(format!("step {number}: `{}` cites what was not said before", line.text));
                        }
                        count += 1;
                    }
                }
            }
        }
        if !ends {
            return Err(format!("there is no contradiction at the end of {} steps", steps.len()));
        }
        Ok(count)
    }

    /// The statements that are false in a solution, or not Essence.
    fn wrong(&self, known: &PartlySolved, found: &SolutionValues, statements: &[String]) -> Vec<String> {
        let mut sources = self.sources.clone();
        let values = sources.add("solution", solution::print(&known.instance, found, 120));
        let files: Vec<SourceId> = self.data.iter().copied().chain([values]).collect();
        let faults = |statements: &str| {
            let mut sources = sources.clone();
            let text = format!("{}\nsuch that {statements}", sources.get(self.model).text);
            let with = sources.add("with", text);
            let mut diagnostics = Vec::new();
            let valid = pipeline::parse_text(&sources, with, &mut diagnostics)
                .and_then(|file| pipeline::validate(&sources, &file, &files, &mut diagnostics));
            let messages =
                |wrong: Diagnostics| wrong.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<_>>();
            valid.err().map(|halt| messages(halt.into_diagnostics()).join("; "))
        };
        // Usually all are true, and then one check is enough.
        if statements.is_empty() || faults(&statements.join(",\n    ")).is_none() {
            return Vec::new();
        }
        let one = |statement: &String| faults(statement).map(|messages| format!("`{statement}`: {messages}"));
        statements.iter().filter_map(one).collect()
    }
}

/// The instances to explain, and the claims to check.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// Check the hints if there is a solution.
    pub hints: bool,
    /// Stop after this many steps towards the solution.
    pub most_steps: usize,
    /// Skip instances with more combinations of values.
    pub most_combinations: Option<u128>,
}

/// Skip proofs of instances with more combinations of values.
const MOST_COMBINATIONS: u128 = 3_000;

/// Counts the inferences of the proof that a case has no solution; the error names a wrong one.
fn proved(texts: &Texts, case: &ExplainedCase) -> Result<usize, String> {
    match proof(case, &texts.sources, &mut |_| {}) {
        Ok(ProofVerdict::Refuted(proof, _)) => texts.proved(&proof.steps, proof.given.clone()),
        Ok(ProofVerdict::Solvable(_)) => Err("the proof found a solution".to_owned()),
        Err(halt) => Err(format!("{halt:?}")),
    }
}

/// Checks all claims about an instance; the error names a wrong one.
pub(crate) fn check(model: &str, data: &str, wanted: Wanted) -> Result<Checked, String> {
    // Claims may mention members that the data list, so these are written into the model.
    let files = if data.is_empty() { Vec::new() } else { vec![Text::new("data", data)] };
    let Ok((model, files)) = Model::read(&Text::new("model", model)).and_then(|model| model.with_members_of(&files))
    else {
        return Ok(Checked::default());
    };
    let mut sources = Sources::default();
    let model = sources.add("model", model.text().text);
    let data = files.into_iter().map(|file| sources.add("data", file.text)).collect();
    let texts = Arc::new(Texts { sources, model, data });
    // An instance with errors is not explained.
    let Some(known) = texts.read(&texts.sources) else { return Ok(Checked::default()) };
    let is_small = |most| oracle::combinations(&known.instance).is_some_and(|combinations| combinations <= most);
    if !wanted.most_combinations.is_none_or(is_small) {
        return Ok(Checked::default());
    }
    let engine_options = EngineOptions::default();
    let again = |sources: &Sources| texts.read(sources);
    let case = ExplainedCase { again: Some(&again), ..known.case(&engine_options) };
    let found = match why_unsatisfiable(&case, &texts.sources) {
        Ok(WhyVerdict::Solvable(found)) if wanted.hints => found,
        Ok(WhyVerdict::Solvable(_)) => return Ok(Checked::default()),
        Ok(WhyVerdict::Conflict(explanation)) => {
            for change in &explanation.changes {
                let edited = texts.sources.edited(change.edit.span, &change.edit.text);
                if texts.is_solvable(&edited) != Some(true) {
                    let file = edited.get(change.edit.span.source).text.clone();
                    return Err(format!("{}: this does not help:\n{file}", change.says));
                }
                if let ChangeKind::Number(_, to) = change.kind
                    && !change.says.contains(&to.to_string())
                {
                    return Err(format!("`{}` does not name {to}", change.says));
                }
            }
            let needs = texts.needs(&explanation)?;
            let inferences = match oracle::combinations(&known.instance) {
                Some(combinations) if combinations <= MOST_COMBINATIONS => proved(&texts, &case)?,
                _ => 0,
            };
            return Ok(Checked { changes: explanation.changes.len(), needs, inferences, ..Checked::default() });
        }
        // Instances that cannot be lowered are not explained.
        Err(_) => return Ok(Checked::default()),
    };
    let trouble = |error: Halt| format!("{error:?}");
    let status = |status: StopReason| format!("{status:?}");
    let board = RequirementBoard::new(&case, Some(&found), &texts.sources).map_err(trouble)?;
    let mut checked = Checked::default();
    let mut statements = Vec::new();
    let mut lines = Vec::new();
    let end = guided(&case, &board, &texts.sources, |guide| {
        guide.given()?;
        while checked.steps < wanted.most_steps {
            match guide.next_step()? {
                NextStep::Step(step) => {
                    checked.steps += 1;
                    for line in step.lines {
                        statements.extend(line.claim.requirements);
                        statements.extend(line.claim.premises);
                        statements.extend(line.claim.conclusions);
                        lines.extend(line.also.into_iter().map(|inference| (line.text.clone(), inference)));
                        lines.push((line.text, line.follows));
                    }
                }
                end => return Ok(Some(end)),
            }
        }
        Ok(None)
    });
    let end = end.map_err(trouble)?;
    let (words, inferences): (Vec<String>, Vec<_>) = lines.into_iter().unzip();
    if let Some(position) = board.unsound(&inferences, &engine_options).map_err(status)? {
        return Err(format!("`{}` does not follow from what it cites, or is not always true", words[position]));
    }
    // "f(x) is undefined" is a sentence, not Essence.
    statements.retain(|statement| !statement.contains("is undefined"));
    statements.sort();
    statements.dedup();
    checked.statements = statements.len();
    if let Some(wrong) = texts.wrong(&known, &found, &statements).first() {
        return Err(wrong.clone());
    }
    if matches!(end, Some(NextStep::Solved)) && !board.has_one_solution(&engine_options).map_err(status)? {
        return Err("there are other solutions than the one that the hints lead to".to_owned());
    }
    Ok(checked)
}
