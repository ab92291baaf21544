//! Counting arguments in sentences.

use super::{
    alike::AlikeOptions,
    counting::{Counting, CountingArgument},
    group::reasons_in_words,
    propagate::Fact,
    refutation::RefutationStep,
    requirement_board::Entailment,
    rules,
    sums::{CountedSum, Exclusion, SumBound, SumTerm, SumsArgument},
    wording::{Line, Wording, because, listed_words},
};
use crate::{lowering::Requirement, problem::Bool};
use std::collections::BTreeSet;

/// The maximum length of a list; longer ones are truncated. Chosen.
const MOST_ITEMS: usize = 12;
/// If the values of quantified names take more letters, their number is given instead. Chosen.
const MOST_LETTERS: usize = 60;

/// A sentence of an argument, in short and in full, with the rules it uses.
pub(crate) struct CountingLine {
    pub says: String,
    pub line: Line,
    pub rules: BTreeSet<usize>,
}

/// Lists items; only the first if there are many.
fn cut_words(items: &[String]) -> String {
    match items.len() {
        0..=MOST_ITEMS => listed_words(items),
        count => format!("{}, … ({count} in all)", items[..MOST_ITEMS / 2].join(", ")),
    }
}

impl Wording<'_, '_> {
    /// The sentences of a counting argument; `number` is the number of its first step.
    pub(crate) fn counting(&mut self, step: &RefutationStep, counting: &Counting, number: usize) -> Vec<CountingLine> {
        let premises = self.premises(&step.premises);
        let names = |wording: &Self, cells: &[usize]| {
            cells.iter().map(|cell| wording.puzzle.cells[*cell].name.clone()).collect::<Vec<_>>()
        };
        let rules: BTreeSet<usize> = step.rules.iter().copied().collect();
        let mut reasons = self.instances(&rules);
        reasons.extend(self.attributes(&counting.exclusions));
        match &counting.argument {
            CountingArgument::Values(cells, values) => {
                let all = cut_words(&names(self, cells));
                let (cell_count, value_count) = (cells.len(), values.len());
                let left = match value_count {
                    0 => "no value is".to_owned(),
                    1 => format!("only the value {} is", values[0]),
                    _ => format!("only the {value_count} values {} are", cut_words(values)),
                };
                let says = format!("{all} are all different{}; {left} left for these {cell_count}", because(reasons));
                let left = premises.into_iter().chain(self.has_option(cells[0])).collect();
                let says = says + &because(left);
                vec![self.counting_line(
                    format!(
                        "{} for {cell_count} cells",
                        if value_count == 1 { "1 value".to_owned() } else { format!("{value_count} values") }
                    ),
                    says,
                    step,
                    counting,
                )]
            }
            CountingArgument::Lengths(cells, from, to) => {
                let premises = premises.into_iter().chain(self.has_option(cells[0].0)).collect();
                let all = cut_words(&names(self, &cells.iter().map(|(cell, _)| *cell).collect::<Vec<_>>()));
                let lengths: Vec<String> = cells.iter().map(|(_, length)| length.to_string()).collect();
                let (needed, room): (i64, i64) = (cells.iter().map(|(_, length)| length).sum(), to - from);
                let says = format!(
                    "{all} do not overlap{}; they take {} = {needed} together, but from {from} to {to} there is room \
                     for {room}{}",
                    because(reasons),
                    lengths.join(" + "),
                    because(premises)
                );
                vec![self.counting_line(format!("{needed} do not fit into {room}"), says, step, counting)]
            }
            CountingArgument::Pairs(sets, members) => {
                let name = |cells: &Vec<usize>| {
                    // A cell such as `3 in s` is about the set `s`.
                    let says = &self.puzzle.cells[cells[0]].options[1].is;
                    says.rsplit_once(" in ").map_or(says.clone(), |(_, name)| name.to_owned())
                };
                let all: Vec<String> = sets.iter().map(|(cells, _)| name(cells)).collect();
                let choose_two = |count: usize| count * count.saturating_sub(1) / 2;
                let count: usize = sets.iter().map(|(_, size)| choose_two(*size)).sum();
                let least = sets.iter().map(|(_, size)| *size).min().unwrap_or(0);
                let is_same = sets.iter().all(|(_, size)| *size == least);
                let each = match is_same {
                    true => format!("each has at least {least} members, and so {} pairs of them", choose_two(least)),
                    false => "their sizes give their pairs of members".to_owned(),
                };
                let sizes = because(self.variable_attributes(Fact::Is(sets[0].0[0], 1)));
                let says = format!(
                    "no two of {} have two members in common{}; {each}{sizes}; these are {count} pairs, but {members} \
                     members have only {} pairs",
                    cut_words(&all),
                    because(reasons),
                    choose_two(*members)
                );
                let short = format!("{count} pairs of members where there are {}", choose_two(*members));
                vec![self.counting_line(short, says, step, counting)]
            }
            CountingArgument::Sums(argument) => self.sums(argument, step, counting, number),
        }
    }

    /// The choice without loss of generality, in short and as a sentence.
    pub(crate) fn alike(&mut self, step: &RefutationStep, alike: &AlikeOptions) -> (String, String) {
        let says = self.says(&step.facts);
        let why = match alike {
            AlikeOptions::Options(cell, classes) => {
                let cell = &self.puzzle.cells[*cell];
                let shown = |class: &Vec<usize>| {
                    listed_words(&class.iter().map(|option| cell.options[*option].shown.clone()).collect::<Vec<_>>())
                };
                let classes: Vec<String> = classes.iter().filter(|class| class.len() > 1).map(shown).collect();
                let name = cell.name.clone();
                let because = because(self.premises(&step.premises));
                format!("the requirements treat {} of {name} alike{because}", classes.join(", and "))
            }
            AlikeOptions::Cells(cells) => {
                let all: Vec<String> =
                    cells.iter().map(|cell| self.puzzle.cells[*cell].options[1].is.clone()).collect();
                let mut reasons = self.premises(&step.premises);
                reasons.extend(self.instances(&step.rules.iter().copied().collect()));
                let (denied, rules) = (cells.iter().map(|cell| Fact::Not(*cell, 1)), &step.rules);
                let cited: Vec<Fact> = step.premises.iter().copied().chain(denied).collect();
                reasons.extend(self.by_domain(&[], &cited, rules));
                let because = because(reasons);
                format!("the requirements treat alike {}, and one of them holds{because}", cut_words(&all))
            }
        };
        (says.clone(), format!("{says}, without loss of generality: {why}"))
    }

    /// A line with its claim; the solver checks all exclusions.
    fn counting_line(
        &mut self,
        says: String,
        text: String,
        step: &RefutationStep,
        counting: &Counting,
    ) -> CountingLine {
        let rules: BTreeSet<usize> = step.rules.iter().copied().collect();
        let claim = self.claim_of(&[], &step.rules, &step.premises);
        let follows = Entailment { conclusions: Vec::new(), from: Vec::new() };
        let also = counting.exclusions.iter().map(|exclusion| self.entailment(exclusion)).collect();
        CountingLine { says, line: Line { text, claim, follows, also }, rules }
    }

    fn entailment(&self, exclusion: &Exclusion) -> Entailment {
        let facts = exclusion.facts.iter().map(|fact| self.puzzle.term(*fact));
        let rules = exclusion.rules.iter().map(|rule| self.puzzle.condition(*rule));
        Entailment { conclusions: vec![Bool::FALSE], from: facts.chain(rules).collect() }
    }

    /// The requirements in words; instances of one constraint share one text.
    fn instances(&mut self, rules: &BTreeSet<usize>) -> Vec<String> {
        let used: Vec<Requirement> = rules.iter().map(|rule| self.puzzle.requirements[*rule].clone()).collect();
        let (reasons, _) = reasons_in_words(self.describer, &used);
        let words = reasons.chunk_by(rules::is_same_rule).map(|rule| {
            if let Some(words) = rules::together(rule).quoted() {
                return words;
            }
            let [reason] = rule else { return String::new() };
            // Without parentheses, an implication would merge with the words around it.
            let says = if reason.says.contains("->") { format!("({})", reason.says) } else { reason.says.clone() };
            match (reason.with.len(), reason.instances.len()) {
                (0, _) => says,
                (1..=MOST_LETTERS, 0) => format!("{says} ({})", reason.with),
                (1..=MOST_LETTERS, _) => format!("{says} for {}", reason.with),
                // The list of values would be too long, so the sentence gives only their number.
                (_, count) => format!("{says} ({count} instances)"),
            }
        });
        words.collect()
    }

    /// The attributes behind exclusions that need no requirement.
    fn attributes(&mut self, exclusions: &[Exclusion]) -> Vec<String> {
        let mut by_domain = exclusions
            .iter()
            // Rules after the requirements come from domains.
            .filter(|exclusion| exclusion.rules.iter().all(|rule| *rule >= self.puzzle.requirements.len()));
        match by_domain.next() {
            Some(first) => self.by_domain(&[], &first.facts, &[]),
            None => Vec::new(),
        }
    }

    fn sums(
        &mut self,
        argument: &SumsArgument,
        step: &RefutationStep,
        counting: &Counting,
        number: usize,
    ) -> Vec<CountingLine> {
        let mut lines = Vec::new();
        // Most sums have the factor 1, so the sums are grouped by factor.
        let mut by_times: Vec<(i64, Vec<usize>)> = Vec::new();
        for (sum, number) in argument.sums.iter().zip(number..) {
            // The sums with the same factor are named together: "2 times steps 1 and 3".
            match by_times.iter_mut().find(|(times, _)| *times == sum.times) {
                Some((_, numbers)) => numbers.push(number),
                None => by_times.push((sum.times, vec![number])),
            }
            let says = self.sum_in_words(sum);
            let options: BTreeSet<Fact> = sum.terms.iter().filter_map(|(_, term)| option_fact(*term)).collect();
            // A sum without a requirement follows from exclusions among its options.
            let own: Vec<Exclusion> = match sum.rule {
                Some(_) => Vec::new(),
                None => {
                    let is_own = |one: &&Exclusion| one.facts.iter().all(|fact| options.contains(fact));
                    counting.exclusions.iter().filter(is_own).cloned().collect()
                }
            };
            let rules = own.iter().flat_map(|exclusion| exclusion.rules.iter().copied()).chain(sum.rule);
            let rules: BTreeSet<usize> = rules.filter(|rule| *rule < self.puzzle.requirements.len()).collect();
            let mut reasons = self.instances(&rules);
            reasons.extend(self.attributes(&own));
            if sum.rule.is_some_and(|rule| rule >= self.puzzle.requirements.len())
                && let Some(first) = options.first()
            {
                reasons.extend(self.variable_attributes(*first));
            }
            let text = says.clone() + &because(reasons);
            let claim = self.claim_of(&[], &rules.iter().copied().collect::<Vec<_>>(), &BTreeSet::new());
            // A sum is not a claim about a single cell, so it has no form in Essence.
            let claim = super::wording::EssenceClaim { is_whole: false, ..claim };
            let follows = Entailment { conclusions: Vec::new(), from: Vec::new() };
            let also = own.iter().map(|exclusion| self.entailment(exclusion)).collect();
            lines.push(CountingLine { says, line: Line { text, claim, follows, also }, rules });
        }
        let parts = by_times.iter().map(|(times, numbers)| {
            let steps = step_numbers(numbers);
            if *times == 1 { steps } else { format!("{times} times {steps}") }
        });
        let says = format!("{} contradict each other when they are added up", listed_words(&parts.collect::<Vec<_>>()));
        let mut text = says.clone();
        text += &match argument.rest.as_slice() {
            [] => format!(": what is at least {} is at most {}", argument.least, argument.most),
            rest => format!(": {} would be at least {}", self.terms_in_words(rest), argument.least - argument.most),
        };
        if !argument.cells.is_empty() {
            let names = argument.cells.iter().map(|cell| self.puzzle.cells[*cell].name.clone()).collect::<Vec<_>>();
            let have = if names.len() == 1 { "has" } else { "each have" };
            let attributes = argument.cells.first().map(|cell| self.has_option(*cell)).unwrap_or_default();
            text += &format!(", as {} {have} one value{}", cut_words(&names), because(attributes));
        }
        // The lines about the single sums already give the exclusions.
        lines.push(self.counting_line(says, text, step, &Counting { exclusions: Vec::new(), ..counting.clone() }));
        lines
    }

    fn sum_in_words(&self, sum: &CountedSum) -> String {
        let (is_least, bound) = match sum.bound {
            SumBound::AtLeast(bound) => (true, bound),
            SumBound::AtMost(bound) => (false, bound),
        };
        let amount = if is_least { format!("at least {bound}") } else { format!("at most {bound}") };
        let option = |term: SumTerm| match term {
            SumTerm::Option(cell, option) => self.puzzle.cells[cell].options[option].is.clone(),
            SumTerm::Number(cell) => self.puzzle.cells[cell].name.clone(),
        };
        if sum.terms.iter().all(|(factor, term)| *factor == 1 && matches!(term, SumTerm::Option(..))) {
            let options: Vec<String> = sum.terms.iter().map(|(_, term)| option(*term)).collect();
            let holds = if bound == 1 { "holds" } else { "hold" };
            // "none of … hold" is easier to read than "at most 0".
            let amount = if bound == 0 && !is_least { "none".to_owned() } else { amount };
            return format!("{amount} of {} {holds}", cut_words(&options));
        }
        format!("{} is {amount}", self.terms_in_words(&sum.terms))
    }

    /// Writes a sum as an expression: `2 * x + toInt(y = 3)`.
    fn terms_in_words(&self, terms: &[(i64, SumTerm)]) -> String {
        let term = |(position, (factor, term)): (usize, &(i64, SumTerm))| {
            let text = match term {
                SumTerm::Option(cell, option) => format!("toInt({})", self.puzzle.cells[*cell].options[*option].is),
                SumTerm::Number(cell) => self.puzzle.cells[*cell].name.clone(),
            };
            let sign = match (position, *factor < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let factor = if factor.abs() == 1 { String::new() } else { format!("{} * ", factor.abs()) };
            format!("{sign}{factor}{text}")
        };
        terms.iter().enumerate().map(term).collect()
    }
}

fn option_fact(term: SumTerm) -> Option<Fact> {
    match term {
        SumTerm::Option(cell, option) => Some(Fact::Is(cell, option)),
        SumTerm::Number(_) => None,
    }
}

/// Refers to steps by their numbers: `step 3`, `steps 1 to 4 and 6`.
fn step_numbers(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut().filter(|(_, last)| last + 1 == *number) {
            Some((_, last)) => *last = *number,
            None => runs.push((*number, *number)),
        }
    }
    let run = |(first, last): &(usize, usize)| match last - first {
        0 => vec![first.to_string()],
        1 => vec![first.to_string(), last.to_string()],
        _ => vec![format!("{first} to {last}")],
    };
    let runs: Vec<String> = runs.iter().flat_map(run).collect();
    format!("step{} {}", if numbers.len() == 1 { "" } else { "s" }, listed_words(&runs))
}
