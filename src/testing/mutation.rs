//! Mutation testing: the share of the mutants of a model that its test cases notice.

use super::{FoundDifference, Mutant, TestCase, TestFile, TestOptions, TestVerdict};
use crate::{
    api::{Model, Text},
    comparison::CompareOptions,
    diagnostic::counted,
};
use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

/// With a fixed seed for the small instances, the score of a model changes only with its cases.
const SEED: u32 = 1;

/// The time limit for comparing a mutant on one instance. Chosen.
const COMPARISON_TIME: Duration = Duration::from_secs(2);

/// The time limit of a case on a mutant is this many times the time that it takes with the model, and at least this
/// duration. Chosen.
const SLOWER: u32 = 10;
const LEAST_TIME: Duration = Duration::from_secs(1);

/// A test case that a model passes.
#[derive(Clone, Debug)]
pub struct PassedCase<'c> {
    file: &'c TestFile,
    case: &'c TestCase,
    /// The texts that [`TestCase::data`] names.
    files: Vec<Text>,
    /// The time that the case takes with the model.
    time: Duration,
}

/// The result for a mutant.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MutantStatus {
    /// A case does not pass on the mutant.
    Noticed,
    /// Mutant and model agree on the small instances, and no other instance shows a difference; the number of instances
    /// on which they were compared completely.
    Same(usize),
    /// No difference was found, but not all solutions were compared.
    Unknown,
    /// No case notices this difference.
    NotNoticed(Box<FoundDifference>),
}

/// The number of mutants with each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MutationScore {
    /// Mutants that a case notices.
    pub noticed: usize,
    /// Mutants that no case notices, although they differ from the model.
    pub not_noticed: usize,
    /// Mutants that mean the same as the model; they do not count.
    pub same: usize,
    /// Mutants for which no difference was found, which is not certain; they do not count.
    pub unknown: usize,
}

/// The cases that a model passes, and the instances on which mutants that no case notices are compared with the model.
pub struct MutationTest<'m> {
    model: &'m Model,
    /// The cases, the fastest first: if a fast one notices a mutant, the slow ones need not run.
    cases: Vec<PassedCase<'m>>,
    /// The data of the cases, each once.
    of_cases: Vec<Vec<Text>>,
    /// The number of small instances to generate.
    wanted: usize,
    small: OnceLock<Vec<Vec<Text>>>,
}

impl<'c> PassedCase<'c> {
    /// A case that takes `time` with the model. `files` are the texts that [`TestCase::data`] names.
    pub fn new(file: &'c TestFile, case: &'c TestCase, files: Vec<Text>, time: Duration) -> Self {
        PassedCase { file, case, files, time }
    }

    fn notices(&self, mutant: &Mutant, options: &TestOptions) -> bool {
        let options = options.clone().case_time((self.time * SLOWER).max(LEAST_TIME).min(options.case_time));
        self.file.run(self.case, &mutant.text, &self.files, &options).verdict != TestVerdict::Passed
    }
}

impl<'m> MutationTest<'m> {
    /// Mutants of the model are run on these cases, and compared on `small` generated instances and the data of the
    /// cases.
    pub fn new(model: &'m Model, mut cases: Vec<PassedCase<'m>>, small: usize) -> Self {
        cases.sort_by_key(|case| case.time);
        let mut of_cases: Vec<Vec<Text>> = Vec::new();
        for case in &cases {
            let data = case.file.data_of(case.case, &case.files);
            if !data.is_empty() && !of_cases.contains(&data) {
                of_cases.push(data);
            }
        }
        MutationTest { model, cases, of_cases, wanted: small, small: OnceLock::new() }
    }

    /// Runs the cases on a mutant. If no case notices it, looks for a difference between the mutant and the model.
    /// Returns nothing if a limit of the search in `options` was reached.
    pub fn status(&self, mutant: &Mutant, options: &TestOptions) -> Option<MutantStatus> {
        let limits = &options.search.limits;
        let is_noticed = self.cases.iter().any(|case| limits.reached().is_none() && case.notices(mutant, options));
        // At a limit, a case is not decided, which shows nothing about the mutant.
        if limits.reached().is_some() {
            return None;
        }
        let status = if is_noticed { MutantStatus::Noticed } else { self.difference(mutant, options) };
        (limits.reached().is_none() || matches!(status, MutantStatus::NotNoticed(_))).then_some(status)
    }

    /// The number of instances on which mutants that no case notices are compared.
    pub fn instances(&self) -> usize {
        self.small().len() + self.of_cases.len()
    }

    /// Returns the small instances. They are generated for the first mutant that no case notices, because this is slow.
    fn small(&self) -> &[Vec<Text>] {
        self.small.get_or_init(|| self.model.small_instances(self.wanted, SEED).unwrap_or_default())
    }

    /// Looks for a difference on the small instances, the smallest first, and then on the data of the cases.
    fn difference(&self, mutant: &Mutant, options: &TestOptions) -> MutantStatus {
        let Ok(changed) = Model::read(&mutant.text) else { return MutantStatus::Unknown };
        let small = self.small();
        let (mut are_all, mut compared_whole) = (!small.is_empty(), 0);
        for (at, data) in small.iter().chain(&self.of_cases).enumerate() {
            let is_small = at < small.len();
            let mut compare = CompareOptions::default().search(options.search.clone());
            let limits = &mut compare.search.limits;
            limits.deadline = limits.deadline.into_iter().chain(Instant::now().checked_add(COMPARISON_TIME)).min();
            match changed.compare(self.model, data, &compare) {
                Ok(compared) => match compared.difference {
                    Some(difference) => {
                        let case = self.model.case_against(mutant, data, &difference, options);
                        let found = FoundDifference { data: data.clone(), difference, case };
                        return MutantStatus::NotNoticed(Box::new(found));
                    }
                    None => {
                        are_all &= compared.complete || !is_small;
                        compared_whole += usize::from(compared.complete);
                    }
                },
                // One of the models may be too large, or a domain of the mutant may be empty.
                Err(_) => are_all &= !is_small,
            }
        }
        if are_all { MutantStatus::Same(compared_whole) } else { MutantStatus::Unknown }
    }
}

impl MutantStatus {
    /// The status in a few words, for people and programs.
    pub fn words(&self) -> &'static str {
        match self {
            MutantStatus::Noticed => "noticed",
            MutantStatus::NotNoticed(_) => "not noticed",
            MutantStatus::Same(_) => "means the same",
            MutantStatus::Unknown => "not certain",
        }
    }
}

impl MutationScore {
    /// Counts another mutant.
    pub fn count(&mut self, status: &MutantStatus) {
        *match status {
            MutantStatus::Noticed => &mut self.noticed,
            MutantStatus::NotNoticed(_) => &mut self.not_noticed,
            MutantStatus::Same(_) => &mut self.same,
            MutantStatus::Unknown => &mut self.unknown,
        } += 1;
    }

    /// The sum of the counts of two models.
    #[must_use]
    pub fn plus(self, other: MutationScore) -> Self {
        MutationScore {
            noticed: self.noticed + other.noticed,
            not_noticed: self.not_noticed + other.not_noticed,
            same: self.same + other.same,
            unknown: self.unknown + other.unknown,
        }
    }

    /// The number of mutants with a status.
    pub fn tested(self) -> usize {
        self.noticed + self.not_noticed + self.same + self.unknown
    }

    /// The share of the mutants that count, in per cent, rounded down; `None` if none counts.
    pub fn percent(self) -> Option<usize> {
        (self.noticed * 100).checked_div(self.noticed + self.not_noticed)
    }

    /// The score in sentences, such as "the cases notice 15 of 16 mutants (93 %)."
    pub fn in_words(self) -> String {
        let percent = self.percent().map_or_else(String::new, |percent| format!(" ({percent} %)"));
        let all = counted(self.noticed + self.not_noticed, "mutant");
        let mut text = format!("the cases notice {} of {all}{percent}.", self.noticed);
        if self.same > 0 {
            let mean = if self.same == 1 { "means" } else { "mean" };
            text += &format!(" {} {mean} the same as the model.", counted(self.same, "further mutant"));
        }
        if self.unknown > 0 {
            let number = counted(self.unknown, "further mutant");
            text += &format!(" For {number}, no difference was found, but this is not certain.");
        }
        text
    }
}
