//! Questions that determine which of several models is meant: instances and candidate solutions on which the models
//! disagree.
//!
//! The instances are small; unless data are given, they are generated for the first model. [`Voters`] collects
//! candidate solutions of an instance with the vote of each model. The next question is about the candidate solution
//! that splits the models most evenly, in the smallest instance among several. Once the remaining models agree, a
//! question is about a candidate solution on which most refuted models disagree with them; an unexpected answer refutes
//! all remaining models. Then, up to the usual number of questions, questions are about mutants of a remaining model,
//! because all models may be wrong.

use super::{
    candidates::CandidateModel,
    consensus::consensus,
    mutants::{Mutant, comment},
    votes::{CandidateSolution, Pool, Vote, Voters},
};
use crate::{
    api::{Model, Report, Text},
    comparison::{CompareOptions, DifferenceKind, Judgement, data_statements, lettings, lettings_of},
    diagnostic::{Code, Diagnostic, counted},
    picture::{Picture, PictureFormat, Sheet},
    solver::EngineOptions,
};
use serde_json::{Value, json};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// The number of open answers after which candidate solutions with the same votes are not asked about. Chosen.
const MOST_OPEN: usize = 2;

/// The number of questions after which none is asked about mutants. Chosen.
const USUAL_QUESTIONS: usize = 4;

/// The maximum number of questions about the remaining models. Chosen.
const MOST_QUESTIONS: usize = 8;

/// The number of candidates for which small instances are generated. Chosen.
const MOST_SOURCES: usize = 6;

/// The number of instances that are searched for a candidate solution that splits the models evenly. Chosen.
const ENOUGH_INSTANCES: usize = 8;

/// The number of instances whose collections are varied to distinguish two models. Chosen.
const TELLING_TRIES: usize = 3;

/// The number of further instances that are generated to distinguish two models by their best solutions. Chosen.
const FURTHER_INSTANCES: usize = 24;

/// The number of remaining models whose mutants are asked about. Chosen.
const MOST_MUTATED: usize = 3;

/// The maximum number of mutants of the remaining models. Chosen.
const MOST_MUTANTS: usize = 48;

/// The number of instances, the smallest ones, on which mutants are compared with a remaining model. Chosen.
const MUTANT_INSTANCES: usize = 4;

with_setters! {
    /// Options for questions about models.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct InquiryOptions {
        /// Variables and parameters of the first model as expressions over another one, if the names differ.
        pub mapping: Vec<(String, String)>,
        /// Also treat the mutants of the first model as candidates.
        pub mutants: bool,
        /// The data of the instances; if empty, small data are generated.
        pub instances: Vec<Vec<Text>>,
        /// The number of instances to generate.
        pub made_up: usize,
        /// The seed for generated instances.
        pub seed: u32,
        /// The limits of each search.
        pub search: EngineOptions,
    }
}

impl Default for InquiryOptions {
    fn default() -> Self {
        InquiryOptions {
            mapping: Vec::new(),
            mutants: false,
            instances: Vec::new(),
            made_up: 8,
            seed: 1,
            search: EngineOptions::default(),
        }
    }
}

/// Questions about several models, at most one of which is meant.
///
/// ```
/// use conjure_like::{Inquiry, InquiryOptions, QuestionAnswer, Text};
///
/// let models = ["x < y", "x <= y", "x != y"].map(|constraint| {
///     Text::new(constraint, format!("find x, y : int(1..2)\nsuch that {constraint}"))
/// });
/// let mut inquiry = Inquiry::new(&models, InquiryOptions::default())?;
/// while let Some(question) = inquiry.next_question() {
///     let is_allowed = question.solution != "letting x be 2\nletting y be 1\n";
///     inquiry.answer(&question, if is_allowed { QuestionAnswer::Yes } else { QuestionAnswer::No });
/// }
/// assert_eq!(inquiry.left().collect::<Vec<_>>(), ["x <= y"]);
/// # Ok::<(), conjure_like::Report>(())
/// ```
pub struct Inquiry {
    candidates: Vec<CandidateModel>,
    /// The variables that all models have.
    variables: Vec<String>,
    instances: Vec<Vec<Text>>,
    are_made_up: bool,
    has_mutants: bool,
    pools: Vec<Option<Pool>>,
    /// The instances that cannot happen.
    impossible: Vec<bool>,
    /// The pairs of models for which a distinguishing instance was already searched for.
    told_apart: BTreeSet<(usize, usize)>,
    /// The consensus texts that no question distinguishes from the model that they are based on.
    like_consensus: BTreeSet<String>,
    /// For each model, the position of the answer that refutes it.
    refuted: Vec<Option<usize>>,
    answers: Vec<(Question, QuestionAnswer)>,
    /// The seed for generated instances.
    seed: u32,
    search: EngineOptions,
}

/// A question: is this candidate solution allowed? Or: is it a best one?
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Question {
    /// The data of the instance.
    pub data: Vec<Text>,
    /// The candidate solution in Essence, a line for each variable.
    pub solution: String,
    /// True if the question is about a best solution.
    pub is_best: bool,
    /// The comments about variables in the first model, indexed by the names of the variables.
    pub words: BTreeMap<String, String>,
    /// The pictures of the candidate solution, without variables that are best shown as text.
    pub pictures: Vec<Picture>,
    /// The names of the remaining models that answer "yes".
    pub yes: Vec<String>,
    /// The names of the remaining models that answer "no".
    pub no: Vec<String>,
    votes: Vec<Vote>,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionAnswer {
    /// The candidate solution is allowed, or is a best one.
    Yes,
    /// It is not.
    No,
    /// The instance cannot happen.
    CannotHappen,
    /// The question stays open.
    Unknown,
}

impl QuestionAnswer {
    /// All answers with their words; the first word is the name.
    pub const WORDS: [(QuestionAnswer, &'static [&'static str]); 4] = [
        (QuestionAnswer::Yes, &["yes", "y", "allowed"]),
        (QuestionAnswer::No, &["no", "n", "not allowed"]),
        (QuestionAnswer::CannotHappen, &["cannot happen", "c", "cannot", "impossible"]),
        (QuestionAnswer::Unknown, &["don't know", "d", "dont know", "unknown", "?"]),
    ];

    /// The answer that a word stands for.
    pub fn read(word: &str) -> Option<QuestionAnswer> {
        let word = word.trim().to_lowercase();
        let row = Self::WORDS.iter().find(|(_, words)| words.contains(&word.as_str()));
        row.map(|(answer, _)| *answer)
    }

    /// The answer in words.
    pub fn name(self) -> &'static str {
        Self::WORDS.iter().find(|(answer, _)| *answer == self).map_or("", |(_, words)| words[0])
    }
}

impl Inquiry {
    /// Starts an inquiry about these models, with the names of the first one.
    ///
    /// # Errors
    ///
    /// Returns the errors in the texts, or an error if variables or parameters do not correspond or if no instances can
    /// be generated.
    pub fn new(models: &[Text], options: InquiryOptions) -> Result<Inquiry, Report> {
        let [first, others @ ..] = models else {
            return Err(Diagnostic::error(Code::COMMAND_LINE, "questions need a model").into());
        };
        let first = readable(first)?;
        let mut candidates = vec![CandidateModel::first(first.clone())];
        for other in others {
            candidates.push(CandidateModel::like(&first, readable(other)?, &options.mapping)?);
        }
        if options.mutants {
            for mutant in first.mutants() {
                let name = format!("line {}: {}", mutant.line, mutant.says);
                let model = Model::read(&mutant.text)?;
                candidates.push(CandidateModel { name, ..CandidateModel::first(model) });
            }
        }
        if candidates.len() < 2 {
            let error = Diagnostic::error(Code::COMMAND_LINE, "with only one model, there is nothing to ask");
            return Err(error.help("name another model, or compare it with its mutants: `--mutants`").into());
        }
        let is_shared = |name: &&str| candidates.iter().all(|one| one.model.finds().any(|known| known == *name));
        let variables: Vec<String> = first.finds().filter(is_shared).map(str::to_owned).collect();
        if variables.is_empty() {
            let message = "the models have no decision variable that all of them share";
            let error = Diagnostic::error(Code::COMMAND_LINE, message);
            return Err(error
                .help("add a comment to the other model: `$ map: first_variable = other_variable`")
                .into());
        }
        let are_made_up = options.instances.is_empty();
        let instances = if are_made_up { made_up_for(&candidates, &options)? } else { options.instances };
        Ok(Inquiry {
            pools: instances.iter().map(|_| None).collect(),
            impossible: vec![false; instances.len()],
            told_apart: BTreeSet::new(),
            like_consensus: BTreeSet::new(),
            refuted: vec![None; candidates.len()],
            candidates,
            variables,
            instances,
            are_made_up,
            has_mutants: options.mutants,
            answers: Vec::new(),
            seed: options.seed,
            search: options.search,
        })
    }

    /// The names of the models that no answer has refuted.
    pub fn left(&self) -> impl Iterator<Item = &str> {
        self.still_in().map(|at| self.candidates[at].name.as_str())
    }

    /// The names of the refuted models, each with the number of the question whose answer refuted it, counted from 1.
    pub fn refuted(&self) -> impl Iterator<Item = (&str, usize)> {
        let all = self.candidates.iter().zip(&self.refuted);
        all.filter_map(|(candidate, refuted)| Some((candidate.name.as_str(), (*refuted)? + 1)))
    }

    /// The decision variables that the questions are about.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The number of questions that were answered.
    pub fn answered(&self) -> usize {
        self.answers.len()
    }

    fn still_in(&self) -> impl Iterator<Item = usize> {
        (0..self.candidates.len()).filter(|at| self.refuted[*at].is_none())
    }

    fn voters<'a>(&'a self, data: &'a [Text]) -> Voters<'a> {
        Voters { candidates: &self.candidates, variables: &self.variables, data, search: &self.search }
    }

    /// The next question; `None` if the remaining models agree on all instances, or if no model remains.
    pub fn next_question(&mut self) -> Option<Question> {
        let left: Vec<usize> = self.still_in().collect();
        if left.is_empty() {
            return None;
        }
        let found = loop {
            match self.best_split(&left) {
                None if self.make_up_telling(&left) => {}
                found => break found,
            }
        };
        let found = found.or_else(|| self.against_consensus(&left));
        let found = found.or_else(|| self.doubtful(&left)).or_else(|| self.lonely(&left));
        let (point, instance) = match found {
            Some(found) => found,
            None => self.beside(&left).or_else(|| self.other_kind())?,
        };
        Some(self.question(point, instance, &left))
    }

    /// The candidate solution that splits the models most evenly. The search for an even split does not visit all
    /// instances.
    fn best_split(&mut self, left: &[usize]) -> Option<(CandidateSolution, usize)> {
        let best_split = left.len() / 2;
        let mut best: Option<(usize, CandidateSolution, usize)> = None;
        for instance in (0..self.instances.len()).filter(|at| !self.impossible[*at]).collect::<Vec<_>>() {
            if best.is_some() && instance >= ENOUGH_INSTANCES {
                break;
            }
            if self.pools[instance].is_none() {
                self.pools[instance] = Some(self.voters(&self.instances[instance]).pool());
            }
            let points = self.pools[instance].iter().flat_map(|pool| &pool.points);
            let open = points.filter(|point| !self.is_answered(instance, point));
            let rated = open.filter_map(|point| Some((split(point, left)?, point)));
            let found = rated.max_by_key(|(score, point)| (*score, Reverse((point.is_best, size(&point.solution)))));
            if let Some((score, point)) = found
                && best.as_ref().is_none_or(|(known, ..)| score > *known)
            {
                best = Some((score, point.clone(), instance));
                // No instance can split the models better, so the pools of larger instances are not needed.
                if score >= best_split {
                    break;
                }
            }
        }
        best.map(|(_, point, instance)| (point, instance))
    }

    /// Generates an instance on which models that agree so far have different solutions: it keeps the numbers and types
    /// of a known instance, and searches for other collections together with such a solution. Returns false if there is
    /// none.
    fn make_up_telling(&mut self, left: &[usize]) -> bool {
        if !self.are_made_up || self.answers.len() >= MOST_QUESTIONS {
            return false;
        }
        for other in &left[1..] {
            if !self.told_apart.insert((left[0], *other)) {
                continue;
            }
            let [one, other] = [left[0], *other].map(|at| &self.candidates[at].model);
            if let Some(data) = self.telling(one, other) {
                self.add_instance(data);
                return true;
            }
        }
        false
    }

    /// Data on which two models have different solutions, or different best ones; `None` if none is found.
    fn telling(&self, one: &Model, other: &Model) -> Option<Vec<Text>> {
        // The largest instances come first, because small ones were already compared and leave little room for a
        // difference.
        let mut tried = (0..self.instances.len()).rev().step_by(3).take(TELLING_TRIES);
        let data = tried.find_map(|at| telling_data([one, other], &self.instances[at], &self.voters(&[]).search()));
        let is_new = |data: &[Text]| !self.instances.iter().any(|known| same_data(known, data));
        data.filter(|data| is_new(data)).or_else(|| {
            // No search can find data for which other solutions are best, so more instances are generated and solved.
            let further = one.has_objective() || other.has_objective();
            let further = further.then(|| one.small_instances(FURTHER_INSTANCES, self.seed + 1).ok()).flatten()?;
            further.into_iter().find(|data| is_new(data) && self.voters(data).best_of_one(one, other).is_some())
        })
    }

    /// Adds an instance, and returns its position.
    fn add_instance(&mut self, data: Vec<Text>) -> usize {
        let name = format!("instance {}", self.instances.len() + 1);
        self.instances.push(data.into_iter().map(|text| Text::new(name.clone(), text.text)).collect());
        self.pools.push(None);
        self.impossible.push(false);
        self.instances.len() - 1
    }

    /// A candidate solution on which most of the refuted models contradict the remaining ones. A refusal does not count
    /// if the model has wrongly refused a candidate before, and an acceptance does not count if it has wrongly accepted
    /// one.
    fn doubtful(&self, left: &[usize]) -> Option<(CandidateSolution, usize)> {
        if self.answers.len() >= MOST_QUESTIONS {
            return None;
        }
        let known_for = |at: usize, wrong: Vote| {
            self.answers.iter().any(|(question, answer)| {
                question.votes[at] == wrong
                    && match answer {
                        QuestionAnswer::Yes => wrong == Vote::No,
                        QuestionAnswer::No => wrong == Vote::Yes,
                        _ => false,
                    }
            })
        };
        let others: Vec<(usize, bool, bool)> = (0..self.candidates.len())
            .filter(|at| !left.contains(at))
            .map(|at| (at, known_for(at, Vote::Yes), known_for(at, Vote::No)))
            .collect();
        let doubt = |votes: &[Vote]| {
            let own = votes[left[0]];
            if own == Vote::Open || left.iter().any(|at| votes[*at] != own) {
                return 0;
            }
            let counted = others.iter().filter(|(at, too_much, too_little)| match votes[*at] {
                Vote::Yes => !too_much,
                Vote::No => !too_little,
                Vote::Open => false,
            });
            let (mut with, mut against) = (0, 0);
            for (at, ..) in counted {
                if votes[*at] == own { with += 1 } else { against += 1 }
            }
            if against > with { against } else { 0 }
        };
        let points = self.open_points().filter(|(point, _)| {
            doubt(&point.votes) > 0 && self.answers.iter().all(|(question, _)| question.votes != point.votes)
        });
        let best = points.min_by_key(|(point, instance)| {
            (Reverse(doubt(&point.votes)), *instance, point.is_best, size(&point.solution))
        })?;
        Some((best.0.clone(), best.1))
    }

    /// A candidate solution with a pattern of votes that was not asked about yet, because all models may share a
    /// mistake.
    fn other_kind(&self) -> Option<(CandidateSolution, usize)> {
        if self.answers.len() >= USUAL_QUESTIONS {
            return None;
        }
        let is_new = |point: &CandidateSolution| self.answers.iter().all(|(question, _)| question.votes != point.votes);
        let found = self.open_points().filter(|(point, _)| is_new(point) && !point.votes.contains(&Vote::Open));
        let smallest = found.min_by_key(|(point, instance)| (*instance, point.is_best, size(&point.solution)))?;
        Some((smallest.0.clone(), smallest.1))
    }

    /// The candidate solutions that were not asked about, of instances that can happen.
    fn open_points(&self) -> impl Iterator<Item = (&CandidateSolution, usize)> {
        let possible = self.pools.iter().enumerate().filter(|(instance, _)| !self.impossible[*instance]);
        let points = possible.flat_map(|(instance, pool)| {
            pool.iter().flat_map(move |pool| pool.points.iter().map(move |point| (point, instance)))
        });
        points.filter(|(point, instance)| !self.is_answered(*instance, point))
    }

    /// A candidate solution on which the remaining models disagree with three quarters of the others.
    fn lonely(&self, left: &[usize]) -> Option<(CandidateSolution, usize)> {
        let others: Vec<usize> = (0..self.candidates.len()).filter(|at| !left.contains(at)).collect();
        let stands_alone = |votes: &[Vote]| {
            let own = votes[left[0]];
            let other = match own {
                Vote::Yes => Vote::No,
                Vote::No => Vote::Yes,
                Vote::Open => return None,
            };
            let against = others.iter().filter(|at| votes[**at] == other).count();
            let holds = left.iter().all(|at| votes[*at] == own) && against * 4 >= others.len() * 3;
            holds.then_some(own)
        };
        if others.len() < 2 || self.answers.len() >= USUAL_QUESTIONS {
            return None;
        }
        // One such question with the vote yes and one with the vote no are enough.
        let asked: Vec<Vote> = self.answers.iter().filter_map(|(question, _)| stands_alone(&question.votes)).collect();
        let mut points: Vec<(&CandidateSolution, usize)> = self
            .open_points()
            .filter(|(point, _)| stands_alone(&point.votes).is_some_and(|vote| !asked.contains(&vote)))
            .collect();
        points.sort_by_key(|(point, instance)| (*instance, point.is_best, size(&point.solution)));
        points.first().map(|(point, instance)| ((*point).clone(), *instance))
    }

    /// True if a model agrees with all answers.
    fn agrees(&self, model: &Model) -> bool {
        self.answers.iter().all(|(question, answer)| {
            let vote = self.voters(&question.data).vote(model, &question.solution, question.is_best);
            !matches!((answer, vote), (QuestionAnswer::Yes, Vote::No) | (QuestionAnswer::No, Vote::Yes))
        })
    }

    /// The first candidate solution on which a variant of a model differs from it, and the instance; without votes.
    fn difference(
        &self,
        variant: &Model,
        model: &Model,
        instances: impl IntoIterator<Item = usize>,
    ) -> Option<(CandidateSolution, usize)> {
        let (point, instance) = instances.into_iter().find_map(|instance| {
            let voters = self.voters(&self.instances[instance]);
            let options = CompareOptions::default().search(voters.search());
            let difference = variant.compare(model, voters.data, &options).ok()?.difference?;
            let is_best = matches!(difference.kind, DifferenceKind::Objective(..));
            // Other values of the objective do not mean that other solutions are best.
            let solution = if is_best {
                voters.best_of_one(variant, model)?
            } else {
                lettings(&difference.solution, model, |name| self.variables.iter().any(|one| one == name))
            };
            Some((CandidateSolution { solution, is_best, votes: Vec::new() }, instance))
        })?;
        Some((point, instance)).filter(|(point, instance)| !self.is_answered(*instance, point))
    }

    fn with_votes(&self, (mut point, instance): (CandidateSolution, usize)) -> (CandidateSolution, usize) {
        let voters = self.voters(&self.instances[instance]);
        let votes = self.candidates.iter().map(|one| voters.vote(&one.model, &point.solution, point.is_best));
        point.votes = votes.collect();
        (point, instance)
    }

    /// The instances that can happen.
    fn possible_instances(&self) -> impl Iterator<Item = usize> {
        (0..self.instances.len()).filter(|at| !self.impossible[*at])
    }

    /// A candidate solution on which the first remaining model differs from its consensus with the other candidates.
    fn against_consensus(&mut self, left: &[usize]) -> Option<(CandidateSolution, usize)> {
        if self.answers.len() >= MOST_QUESTIONS {
            return None;
        }
        let own = &self.candidates[left[0]].model;
        let others = self.candidates.iter().enumerate().filter(|(at, _)| *at != left[0]);
        let text = consensus(&own.text(), others.map(|(_, other)| other.model.text()))?;
        if self.like_consensus.contains(&text.text) {
            return None;
        }
        let variant = Model::read(&text).ok().filter(|variant| own.correspond(variant, &[]).is_ok())?;
        if !self.agrees(&variant) {
            return None;
        }
        if let Some(found) = self.difference(&variant, own, self.possible_instances()) {
            return Some(self.with_votes(found));
        }
        if let Some(data) = self.are_made_up.then(|| self.telling(own, &variant)).flatten() {
            let instance = self.add_instance(data);
            let found = self.difference(&variant, &self.candidates[left[0]].model, [instance])?;
            return Some(self.with_votes(found));
        }
        self.like_consensus.insert(text.text);
        None
    }

    /// The candidate solution on which the remaining models disagree with the largest number of their mutants that
    /// agree with the answers.
    fn beside(&self, left: &[usize]) -> Option<(CandidateSolution, usize)> {
        // If mutants are already candidates, they must not be added again.
        if self.answers.len() >= USUAL_QUESTIONS || self.has_mutants {
            return None;
        }
        let models: Vec<&Model> = left.iter().take(MOST_MUTATED).map(|at| &self.candidates[*at].model).collect();
        let mut mutants: Vec<(Mutant, &Model, Model)> = Vec::new();
        for model in &models {
            let all = model.mutants();
            let step = (all.len() * models.len()).div_ceil(MOST_MUTANTS).max(1);
            for mutant in all.into_iter().step_by(step) {
                if let Ok(changed) = Model::read(&mutant.text)
                    && self.agrees(&changed)
                {
                    mutants.push((mutant, model, changed));
                }
            }
        }
        // Each mutant contributes one difference, on the first instance that shows one; the other mutants vote about
        // it.
        let mut points: Vec<(CandidateSolution, usize)> = Vec::new();
        for (_, model, changed) in &mutants {
            let small = self.possible_instances().take(MUTANT_INSTANCES);
            if let Some((point, instance)) = self.difference(changed, model, small)
                && !points.iter().any(|(known, other)| *other == instance && known.solution == point.solution)
            {
                points.push((point, instance));
            }
        }
        let rated = points.into_iter().filter_map(|(point, instance)| {
            let voters = self.voters(&self.instances[instance]);
            let own = voters.vote(models[0], &point.solution, point.is_best);
            let against = match own {
                Vote::Yes => Vote::No,
                Vote::No => Vote::Yes,
                Vote::Open => return None,
            };
            let against =
                mutants.iter().filter(|(_, _, mutant)| voters.vote(mutant, &point.solution, point.is_best) == against);
            // One question refutes all mutants of a line together, so the number of different lines comes first.
            let lines: BTreeSet<usize> = against.clone().map(|(mutant, ..)| mutant.line).collect();
            let rating = (lines.len(), against.count());
            (rating.0 > 0).then_some((rating, point, instance))
        });
        let (_, point, instance) = rated.max_by_key(|(rating, point, instance)| {
            (*rating, Reverse((*instance, point.is_best, point.solution.len(), point.solution.clone())))
        })?;
        Some(self.with_votes((point, instance)))
    }

    /// True if a candidate solution was asked about, or if several with the same votes got open answers.
    fn is_answered(&self, instance: usize, point: &CandidateSolution) -> bool {
        let data = &self.instances[instance];
        let is_same = |question: &Question| {
            question.solution == point.solution && question.is_best == point.is_best && same_data(&question.data, data)
        };
        let is_alike = |(question, answer): &&(Question, QuestionAnswer)| {
            *answer == QuestionAnswer::Unknown && question.votes == point.votes && question.is_best == point.is_best
        };
        self.answers.iter().any(|(question, _)| is_same(question))
            || self.answers.iter().filter(is_alike).count() >= MOST_OPEN
    }

    fn question(&self, point: CandidateSolution, instance: usize, left: &[usize]) -> Question {
        let data = self.instances[instance].clone();
        let names = |wanted: Vote| {
            let voters = left.iter().filter(|at| point.votes[**at] == wanted);
            voters.map(|at| self.candidates[*at].name.clone()).collect()
        };
        let form = self.candidates[0].model.form(&data);
        let variables = form["variables"].as_array().into_iter().flatten();
        let words = variables.filter_map(|variable| {
            let (name, comment) = (variable["name"].as_str()?, variable["comment"].as_str()?);
            (!comment.trim().is_empty()).then(|| (name.to_owned(), comment.trim().to_owned()))
        });
        Question {
            pictures: self.pictures(&data, &point.solution),
            yes: names(Vote::Yes),
            no: names(Vote::No),
            words: words.collect(),
            solution: point.solution,
            is_best: point.is_best,
            votes: point.votes,
            data,
        }
    }

    /// The pictures of a candidate solution, as the first model that has it draws them.
    fn pictures(&self, data: &[Text], solution: &str) -> Vec<Picture> {
        let text = Text::new("the candidate solution", solution);
        let drawn = self.candidates.iter().find_map(|candidate| {
            let model = &candidate.model;
            if let Ok(whole) = model.solution(data, &text) {
                return Some(model.drawn(&whole));
            }
            let Ok(Judgement::Accepted(answer)) = model.judgement(data, &text, &self.search) else { return None };
            let (essence, _) = answer.solution?;
            let whole = model.solution(data, &Text::new("the solution", essence)).ok()?;
            Some(model.drawn(&whole))
        });
        let mut pictures = drawn.unwrap_or_default();
        pictures.retain(|picture| self.variables.contains(&picture.name));
        pictures
    }

    /// Records the answer to a question, and returns the names of the models that it refutes.
    pub fn answer(&mut self, question: &Question, answer: QuestionAnswer) -> Vec<String> {
        let number = self.answers.len();
        self.answers.push((question.clone(), answer));
        let wrong = match answer {
            QuestionAnswer::Yes => Some(Vote::No),
            QuestionAnswer::No => Some(Vote::Yes),
            QuestionAnswer::CannotHappen => {
                for (impossible, data) in self.impossible.iter_mut().zip(&self.instances) {
                    *impossible |= same_data(data, &question.data);
                }
                None
            }
            QuestionAnswer::Unknown => None,
        };
        let mut names = Vec::new();
        for (at, vote) in question.votes.iter().enumerate() {
            if Some(*vote) == wrong && self.refuted[at].is_none() {
                self.refuted[at] = Some(number);
                names.push(self.candidates[at].name.clone());
            }
        }
        names
    }

    /// Records an answer to a question that another inquiry about the same models has asked.
    pub fn answer_again(
        &mut self,
        data: &[Text],
        solution: &str,
        is_best: bool,
        answer: QuestionAnswer,
    ) -> Vec<String> {
        let voters = self.voters(data);
        let votes = self.candidates.iter().map(|candidate| voters.vote(&candidate.model, solution, is_best)).collect();
        let question = Question {
            data: data.to_vec(),
            solution: solution.to_owned(),
            is_best,
            words: BTreeMap::new(),
            pictures: Vec::new(),
            yes: Vec::new(),
            no: Vec::new(),
            votes,
        };
        self.answer(&question, answer)
    }

    /// The answer that a reference gives to a question.
    ///
    /// # Errors
    ///
    /// Returns the errors in the reference, or an error if its variables do not correspond.
    pub fn answer_of(
        &self,
        reference: &Text,
        question: &Question,
        mapping: &[(String, String)],
    ) -> Result<QuestionAnswer, Report> {
        let reference = CandidateModel::like(&self.candidates[0].model, readable(reference)?, mapping)?;
        // If the reference refuses the data, the instance cannot happen.
        if reference.model.instance(&question.data).is_err() {
            return Ok(QuestionAnswer::CannotHappen);
        }
        let vote = self.voters(&question.data).vote(&reference.model, &question.solution, question.is_best);
        Ok(match vote {
            Vote::Yes => QuestionAnswer::Yes,
            Vote::No => QuestionAnswer::No,
            Vote::Open => QuestionAnswer::Unknown,
        })
    }

    /// The result in sentences: the remaining models, and the extent of the checks.
    pub fn says(&self) -> String {
        let left: Vec<&str> = self.left().collect();
        let questions = counted(self.answers.len(), "question");
        let mut text = match left.as_slice() {
            [] => format!("None of the models is right: {questions} refute all of them.\n"),
            [one] => format!("After {questions}, this model remains: {one}\n"),
            several => format!("After {questions}, these models remain: {}\n", several.join(", ")),
        };
        if left.is_empty() {
            return text;
        }
        let pools: Vec<&Pool> = self
            .pools
            .iter()
            .zip(&self.impossible)
            .filter_map(|(pool, impossible)| pool.as_ref().filter(|_| !impossible))
            .collect();
        let kind = if self.are_made_up { "small instance" } else { "instance" };
        let number = match self.instances.as_slice() {
            [data] if data.is_empty() => "the one instance".to_owned(),
            _ => counted(pools.len(), kind),
        };
        let still: Vec<usize> = self.still_in().collect();
        let are_split = pools.iter().any(|pool| pool.points.iter().any(|point| split(point, &still).is_some()));
        let is_complete = pools.iter().all(|pool| pool.is_complete);
        let has_all = pools.len() + self.impossible.iter().filter(|impossible| **impossible).count();
        text += &match (left.len(), is_complete) {
            _ if are_split || has_all < self.instances.len() => {
                "They still differ: there are questions without an answer.\n".to_owned()
            }
            (1, true) => format!("All candidate solutions of {number} were considered.\n"),
            (1, false) => {
                format!("Some candidate solutions of {number} were considered; there are too many for all.\n")
            }
            (_, true) => format!("They have the same solutions on {number}.\n"),
            (_, false) => format!("No difference between them was found on {number}, but this is not certain.\n"),
        };
        if pools.iter().any(|pool| still.iter().any(|at| pool.refuses_data[*at])) {
            text += "Some of the instances do not fit a remaining model.\n";
        }
        text
    }

    /// The answers as test cases for a model: a remaining one, or else the first one. Unless another name is given, `$
    /// model:` has the name of its text.
    pub fn cases(&self, named: impl Fn(&str) -> String) -> String {
        let model = &self.candidates[self.still_in().next().unwrap_or(0)];
        let file = model.model.text().name;
        let mut text = format!("$ model: {}\n", named(&file));
        for (number, (question, answer)) in (1..).zip(&self.answers) {
            let key = match (answer, question.is_best) {
                (QuestionAnswer::Yes, false) => "accepts",
                (QuestionAnswer::No, false) => "refuses",
                (QuestionAnswer::Yes, true) => "solution",
                (QuestionAnswer::No, true) => "worse",
                _ => continue,
            };
            // For a best solution, all decision variables of the model must have values.
            if question.is_best && model.model.finds().count() > self.variables.len() {
                continue;
            }
            let Some(solution) = model.in_own_names(&question.solution, question.is_best) else { continue };
            text += &format!("\n$ case: question {number}\n");
            for data in &question.data {
                if !self.are_made_up {
                    text += &comment("data", &named(&data.name));
                    continue;
                }
                let lines = data_statements(&data.text);
                let own = model.in_own_names(&lines, true).unwrap_or(lines);
                text += &comment("with", &own);
            }
            text += &comment(key, &solution);
        }
        text
    }
}

impl Question {
    /// The question for people.
    pub fn to_text(&self, bold: bool) -> String {
        let indented = |text: &str| {
            text.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect::<String>()
        };
        let data: String = self.data.iter().map(|data| data_statements(&data.text)).collect();
        let mut text = String::new();
        if let (true, Some(data)) = (data.is_empty(), self.data.first()) {
            text += &format!("Instance: {}\n\n", data.name);
        }
        if !data.is_empty() {
            text += &format!("On this instance:\n\n{}\n", indented(&data));
        }
        let mut solution = String::new();
        for line in self.solution.lines() {
            let name = line.strip_prefix("letting ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
            if let Some(words) = self.words.get(name) {
                solution.extend(words.lines().map(|line| format!("$ {line}\n")));
            }
            solution += &format!("{line}\n");
        }
        text += &format!("{}\n{}", self.asks(), format_args!("\n{}", indented(&solution)));
        let sheet = Sheet { pictures: self.pictures.clone(), ..Sheet::default() };
        let drawn = PictureFormat::Text.render("", &[sheet], bold);
        if !drawn.trim().is_empty() {
            text += &format!("\n{}", indented(drawn.trim_end()));
        }
        text
    }

    /// The question for programs.
    pub fn to_value(&self) -> Value {
        let data = self.data.iter().map(|data| json!({"name": data.name, "text": data.text}));
        json!({
            "asks": self.asks(),
            "data": data.collect::<Vec<_>>(),
            "solution": self.solution,
            "best": self.is_best,
            "yes": self.yes,
            "no": self.no,
            "text": self.to_text(false),
        })
    }

    /// The question in a sentence.
    pub fn asks(&self) -> &'static str {
        if self.is_best { "Is this a best solution?" } else { "Is this allowed?" }
    }
}

/// Generates small instances for the candidates in turn, because a candidate that allows too little has few instances
/// with a solution.
fn made_up_for(candidates: &[CandidateModel], options: &InquiryOptions) -> Result<Vec<Vec<Text>>, Report> {
    let (mut lists, mut reason) = (Vec::new(), None);
    for candidate in candidates.iter().take(MOST_SOURCES) {
        match candidate.model.small_instances(options.made_up, options.seed) {
            Ok(list) => lists.push(list),
            Err(report) => reason = reason.or(Some(report)),
        }
    }
    let mut instances: Vec<Vec<Text>> = Vec::new();
    for rank in 0..options.made_up.max(1) {
        for data in lists.iter().filter_map(|list| list.get(rank)) {
            if !instances.iter().any(|known| same_data(known, data)) {
                let name = |text: &Text| Text::new(format!("instance {}", instances.len() + 1), text.text.as_str());
                instances.push(data.iter().map(name).collect());
            }
        }
    }
    match reason {
        Some(report) if instances.is_empty() => Err(report),
        _ => Ok(instances),
    }
}

/// Data on which two models have different solutions: the numbers and types of these data, with other collections.
fn telling_data(models: [&Model; 2], data: &[Text], search: &EngineOptions) -> Option<Vec<Text>> {
    let (one, fixed) = models[0].with_open_collections().ok()?;
    let (other, _) = models[1].with_open_collections().ok()?;
    let open: BTreeSet<&str> = models[0].givens().filter(|name| !fixed.iter().any(|known| known == name)).collect();
    if open.is_empty() {
        return None;
    }
    let kept: String =
        data.iter().map(|text| lettings_of(&text.text, |name| fixed.iter().any(|known| known == name))).collect();
    let options = CompareOptions::default().search(search.clone());
    let compared = one.compare(&other, &[Text::new("the numbers", kept.clone())], &options).ok()?;
    let difference = compared.difference.filter(|found| !matches!(found.kind, DifferenceKind::Objective(..)))?;
    let solution = difference.solution;
    Some(vec![Text::new("", kept + &lettings_of(&solution, |name| open.contains(name)))])
}

/// Reads a model that questions can be asked about.
fn readable(text: &Text) -> Result<Model, Report> {
    let model = Model::read(text)?;
    model.must_be_without_dominance("questions about models with a dominance relation cannot be asked")?;
    model.must_be_without_trade_offs("questions about models with goals that compete cannot be asked")?;
    Ok(model)
}

/// The size of the smaller part into which the votes split the models; `None` if all votes agree.
fn split(point: &CandidateSolution, left: &[usize]) -> Option<usize> {
    let count = |wanted: Vote| left.iter().filter(|at| point.votes[**at] == wanted).count();
    Some(count(Vote::Yes).min(count(Vote::No))).filter(|smaller| *smaller > 0)
}

/// The size of a candidate solution, for an order.
fn size(solution: &str) -> (usize, &str) {
    (solution.len(), solution)
}

fn same_data(one: &[Text], other: &[Text]) -> bool {
    let values = |text: &Text| data_statements(&text.text);
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| values(one) == values(other))
}
