//! Steps in sentences: the conclusion of a derivation, and its premises.

use super::{
    Describer, ExplainedCase, Reason,
    cells::Cell,
    propagate::{Derivation, Fact, Knowledge, PropagationInput, as_stated},
    requirement_board::{Entailment, RequirementBoard},
    residues::differing_modulus,
};
use crate::{
    analysis::model::{Expr, ExprKind},
    lowering::{Requirement, RequirementOrigin},
    problem::Bool,
};
use std::collections::{BTreeMap, BTreeSet};

/// A sentence of a step.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub text: String,
    /// The sentence in Essence.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests hold it against the model"))]
    pub claim: EssenceClaim,
    /// The inference that the sentence states.
    pub follows: Entailment,
    /// The inferences that the sentence leaves out: if one of two options is excluded, the other follows.
    pub also: Vec<Entailment>,
}

/// A sentence in Essence, for independent checks.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(test), expect(dead_code, reason = "the tests hold it against the model"))]
pub(crate) struct EssenceClaim {
    pub requirements: Vec<String>,
    pub premises: Vec<String>,
    /// The conclusions; empty for a contradiction.
    pub conclusions: Vec<String>,
    /// True if Essence can express the whole sentence.
    pub is_whole: bool,
}

pub(crate) struct Wording<'g, 'p> {
    pub case: &'p ExplainedCase<'p>,
    pub board: &'p RequirementBoard,
    pub puzzle: &'p PropagationInput<'p>,
    pub describer: &'g mut Describer<'p>,
    pub knowledge: &'g Knowledge,
    /// The facts of earlier steps, with the numbers of the steps; clues have number 0.
    pub stated: &'g BTreeMap<Fact, usize>,
    /// True if the values of quantified names are shown with each requirement.
    pub with_values: bool,
    /// The attributes and domains that sentences cite.
    pub cited: Vec<Reason>,
}

/// Conclusions from the same premises, which share a sentence.
struct Sentence {
    facts: Vec<Fact>,
    rules: Vec<usize>,
    premises: BTreeSet<Fact>,
}

impl Wording<'_, '_> {
    /// The sentences for derivations, and the requirements that they use.
    pub(crate) fn lines(&mut self, derivations: &[(Fact, Derivation)]) -> (Vec<Line>, BTreeSet<usize>) {
        let mut sentences: Vec<Sentence> = Vec::new();
        for (fact, why) in derivations {
            let premises: BTreeSet<Fact> =
                why.premises.iter().map(|premise| as_stated(self.stated, self.knowledge, *premise)).collect();
            // One sentence combines the exclusions in a cell by one requirement, or the conclusions from the same
            // premises.
            let last = sentences.last_mut().filter(|last| {
                last.rules == why.rules
                    && last.facts.iter().all(|fact| !why.premises.contains(fact))
                    && (last.premises == premises
                        || matches!(fact, Fact::Not(..))
                            && last.facts.iter().all(|other| is_exclusion_of(*other, fact.cell())))
                    && (!why.rules.is_empty() || matches!(fact, Fact::Is(..)) == matches!(last.facts[0], Fact::Is(..)))
            });
            match last {
                Some(last) => {
                    last.facts.push(*fact);
                    last.premises.extend(premises);
                }
                None => sentences.push(Sentence { facts: vec![*fact], rules: why.rules.clone(), premises }),
            }
        }
        let mut lines: Vec<Line> = Vec::new();
        let mut rules = BTreeSet::new();
        for sentence in sentences {
            let facts = sentence.facts.iter().chain(&sentence.premises);
            let from = sentence.premises.iter().map(|fact| self.puzzle.term(*fact));
            let required = sentence.rules.iter().map(|rule| self.puzzle.requirements[*rule].condition);
            let inference = Entailment {
                conclusions: sentence.facts.iter().map(|fact| self.puzzle.term(*fact)).collect(),
                from: from.chain(required).collect(),
            };
            rules.extend(&sentence.rules);
            // If there are two options, excluding one and choosing the other are the same for a reader.
            let is_said = sentence.rules.is_empty()
                && facts.clone().all(|fact| fact.cell() == sentence.facts[0].cell())
                && self.is_either_or(sentence.facts[0].cell());
            match lines.last_mut() {
                Some(last) if is_said => last.also.push(inference),
                _ => {
                    let (text, claim) = (self.text(&sentence), self.claim(&sentence));
                    lines.push(Line { text, claim, follows: inference, also: Vec::new() });
                }
            }
        }
        (lines, rules)
    }

    /// The contradiction of requirements and facts, in short and as a sentence.
    pub(crate) fn contradiction(&mut self, rules: &[usize], premises: &BTreeSet<Fact>) -> (String, Line) {
        let premises: BTreeSet<Fact> =
            premises.iter().map(|premise| as_stated(self.stated, self.knowledge, *premise)).collect();
        let ruled_out = premises.iter().filter(|premise| matches!(premise, Fact::Not(..)));
        let cells: BTreeSet<usize> = ruled_out.map(|premise| premise.cell()).collect();
        let only = cells.first().filter(|cell| cells.len() == 1 && !self.is_either_or(**cell));
        let mut reasons = self.premises(&premises);
        let cited: Vec<Fact> = premises.iter().copied().collect();
        let domains = self.by_domain(&[], &cited, rules);
        let rules_in_words: Vec<String> = rules.iter().map(|rule| self.rule(*rule)).collect();
        let is_sentence = |rule: &usize| {
            use RequirementOrigin::{Defined, Domain};
            matches!(self.puzzle.requirements[*rule].origin, Defined { .. } | Domain { .. })
        };
        // A cell without options is the best name for the contradiction. A domain or a definedness is a sentence and
        // does not fit into "… cannot hold".
        let says = match (only, rules_in_words.is_empty()) {
            (Some(cell), _) => {
                reasons.extend(rules_in_words);
                format!("nothing is left for {}", self.cell(*cell).name)
            }
            (None, false) if rules.iter().any(is_sentence) => {
                reasons.extend(rules_in_words);
                "this is impossible".to_owned()
            }
            (None, false) => {
                reasons.extend(self.remainders(rules).filter(|_| premises.is_empty()));
                let together = if rules_in_words.len() > 1 { " together" } else { "" };
                format!("{} cannot hold{together}", listed_words(&rules_in_words))
            }
            (None, true) => format!("{} cannot hold together", listed_words(&std::mem::take(&mut reasons))),
        };
        reasons.extend(domains);
        let from = premises.iter().map(|fact| self.puzzle.term(*fact));
        let required = rules.iter().map(|rule| self.puzzle.condition(*rule));
        let follows = Entailment { conclusions: vec![Bool::FALSE], from: from.chain(required).collect() };
        let text = says.clone() + &because(reasons);
        let claim = self.claim(&Sentence { facts: Vec::new(), rules: rules.to_vec(), premises });
        (says, Line { text, claim, follows, also: Vec::new() })
    }

    /// The attributes of domains that facts need, in words.
    pub(super) fn by_domain(&mut self, facts: &[Fact], premises: &[Fact], rules: &[usize]) -> Vec<String> {
        let found = self.board.by_domain(self.describer, facts, premises, rules, self.case);
        self.cite(found)
    }

    /// All attributes of the variable of a fact, in words.
    pub(super) fn variable_attributes(&mut self, fact: Fact) -> Vec<String> {
        let found = self.board.variable_attributes(self.describer, fact, self.case);
        self.cite(found)
    }

    /// The attributes that imply that a cell has one of its options, in words.
    pub(super) fn has_option(&mut self, cell: usize) -> Vec<String> {
        let none: Vec<Fact> =
            (0..self.puzzle.cells[cell].options.len()).map(|option| Fact::Not(cell, option)).collect();
        let found = self.board.needed_attributes(self.describer, &[], &none, &[], self.case);
        self.cite(found)
    }

    fn cite(&mut self, reasons: Vec<Reason>) -> Vec<String> {
        let says = reasons.iter().map(|reason| reason.says.clone()).collect();
        for reason in reasons {
            if !self.cited.iter().any(|cited| cited.says == reason.says) {
                self.cited.push(reason);
            }
        }
        says
    }

    /// The sentence that the two sides of an equation leave different remainders, if they do.
    fn remainders(&mut self, rules: &[usize]) -> Option<String> {
        let [rule] = rules else { return None };
        let RequirementOrigin::Constraint { expr, bindings, context, .. } = &self.puzzle.requirements[*rule].origin
        else {
            return None;
        };
        self.describer.enter(bindings, context);
        let modulus = differing_modulus(expr, &mut self.describer.env)?;
        Some(match modulus {
            2 => "one side is even and the other is odd".to_owned(),
            _ => format!("divided by {modulus}, the two sides leave different remainders"),
        })
    }

    /// A requirement as a part of a sentence. If it is only one part of its rule, it follows the words of the rule.
    fn rule(&mut self, rule: usize) -> String {
        let reason = self.describer.reason(&self.puzzle.requirements[rule]);
        match reason.words.quoted() {
            Some(_) if !reason.words.is_filled && self.is_part_of_a_rule(rule) => {
                return format!("\"{}\" ({})", reason.words.headline(), reason.says);
            }
            Some(words) => return words,
            None => {}
        }
        let says = if reason.says.contains("->") { format!("({})", reason.says) } else { reason.says };
        let with =
            if self.with_values && !reason.with.is_empty() { format!(" ({})", reason.with) } else { String::new() };
        says + &with
    }

    /// Returns true if a rule states other requirements, too, not only instances of this one.
    fn is_part_of_a_rule(&self, rule: usize) -> bool {
        let model = &self.describer.instance.model;
        let span = |requirement: &Requirement| match &requirement.origin {
            RequirementOrigin::Constraint { expr, .. } => Some(expr.span),
            _ => None,
        };
        let Some(own) = span(&self.puzzle.requirements[rule]) else { return false };
        let Some(words) = model.words_for(own) else { return false };
        let mut others = self.puzzle.requirements.iter().filter_map(span);
        others.any(|other| other != own && words.rule.contains(other))
    }

    /// Several facts in words.
    pub(crate) fn says(&self, facts: &[Fact]) -> String {
        let mut by_cell: BTreeMap<usize, Vec<Fact>> = BTreeMap::new();
        for fact in facts {
            by_cell.entry(fact.cell()).or_default().push(*fact);
        }
        let mut whole: Vec<String> = Vec::new();
        // Cells with the same predicate share a sentence: `x and y are at least 2`.
        let mut alike: Vec<(String, Vec<String>)> = Vec::new();
        for facts in by_cell.values() {
            match self.conclusion(facts) {
                Conclusion::Whole(says) => whole.push(says),
                Conclusion::Of(cell, says) => match alike.iter_mut().find(|(other, _)| *other == says) {
                    Some((_, cells)) => cells.push(cell),
                    None => alike.push((says, vec![cell])),
                },
            }
        }
        whole.extend(alike.into_iter().map(|(says, cells)| match cells.as_slice() {
            [cell] => format!("{cell} is {says}"),
            cells => format!("{} are {says}", listed_words(cells)),
        }));
        listed_words(&whole)
    }

    /// The claim of a sentence, as Essence.
    pub(super) fn claim_of(&mut self, facts: &[Fact], rules: &[usize], premises: &BTreeSet<Fact>) -> EssenceClaim {
        self.claim(&Sentence { facts: facts.to_vec(), rules: rules.to_vec(), premises: premises.clone() })
    }

    /// The claim of a sentence, as Essence.
    fn claim(&mut self, sentence: &Sentence) -> EssenceClaim {
        let mut is_whole = true;
        let mut of = |fact: &Fact| {
            let (Fact::Is(cell, option) | Fact::Not(cell, option)) = fact;
            let is = &self.puzzle.cells[*cell].options[*option].is;
            // The model has no names for carries.
            is_whole &= !is.ends_with("is undefined") && !self.puzzle.cells[*cell].variable.is_empty();
            if matches!(fact, Fact::Is(..)) { is.clone() } else { format!("!({is})") }
        };
        let conclusions = sentence.facts.iter().map(&mut of).collect();
        let premises = sentence.premises.iter().map(&mut of).collect();
        let mut requirements = Vec::new();
        for rule in &sentence.rules {
            let requirement = &self.puzzle.requirements[*rule];
            match requirement.origin {
                RequirementOrigin::Defined { .. } => is_whole = false,
                // The declarations of the model already state these requirements.
                RequirementOrigin::Domain { .. } => {}
                _ => requirements.push(self.describer.reason(requirement).says),
            }
        }
        EssenceClaim { requirements, premises, conclusions, is_whole }
    }

    /// Returns true if a cell has two options that exclude each other, such as a truth value.
    fn is_either_or(&self, cell: usize) -> bool {
        let cell = &self.puzzle.cells[cell];
        cell.options.len() == 2 && !cell.numeric
    }

    fn cell(&self, number: usize) -> &Cell {
        &self.puzzle.cells[number]
    }

    fn text(&mut self, sentence: &Sentence) -> String {
        let Sentence { facts, rules, premises } = sentence;
        let own = |premise: &&Fact| facts.iter().any(|fact| fact.cell() == premise.cell());
        if let ([Fact::Is(cell, option)], []) = (facts.as_slice(), rules.as_slice())
            && premises.iter().all(|premise| premise.cell() == *cell)
        {
            let says = match self.is_either_or(*cell) {
                true => self.cell(*cell).options[*option].is.clone(),
                false => {
                    format!("only {} is left for {}", self.cell(*cell).options[*option].shown, self.cell(*cell).name)
                }
            };
            // The lines above state the facts that are derived in this step.
            let earlier = premises.iter().copied().filter(|premise| self.stated.contains_key(premise)).collect();
            return says + &because(self.premises(&earlier));
        }
        if let ([Fact::Is(cell, option)], [rule]) = (facts.as_slice(), rules.as_slice())
            && let Some(only) = self.only_place(*rule, *cell, *option, premises)
        {
            return only;
        }
        let mut reasons = self.premises(premises);
        reasons.extend(rules.iter().map(|rule| self.rule(*rule)));
        if !rules.is_empty() || !premises.iter().all(|premise| own(&premise)) {
            let premises: Vec<Fact> = premises.iter().copied().collect();
            reasons.extend(self.by_domain(facts, &premises, rules));
        }
        self.says(facts) + &because(reasons)
    }

    /// The reason "only place": there are as many values as all-different cells, and only one cell can take one of the
    /// values.
    fn only_place(&mut self, rule: usize, cell: usize, option: usize, premises: &BTreeSet<Fact>) -> Option<String> {
        let requirement = &self.puzzle.requirements[rule];
        let RequirementOrigin::Constraint { expr, .. } = &requirement.origin else { return None };
        if !is_all_different(expr) || premises.is_empty() {
            return None;
        }
        let scope = &self.puzzle.scopes[rule];
        let shown = |cell: usize| self.puzzle.cells[cell].options.iter().map(|option| option.shown.clone());
        let values: BTreeSet<String> = scope.iter().flat_map(|cell| shown(*cell)).collect();
        let wanted = &self.puzzle.cells[cell].options[option].shown;
        let elsewhere = premises.iter().all(|premise| match premise {
            Fact::Not(other, option) => *other != cell && self.puzzle.cells[*other].options[*option].shown == *wanted,
            Fact::Is(other, _) => *other != cell,
        });
        // Each value must be in one of the cells only if there are as many values as cells.
        if values.len() != scope.len() || !elsewhere {
            return None;
        }
        let (count, name) = (values.len(), self.puzzle.cells[cell].name.clone());
        let rule = self.rule(rule);
        let because = because(self.premises(premises));
        Some(format!("{count} values for {count} cells in {rule}: only {name} can be {wanted}{because}"))
    }

    /// Premises in words; those about one cell from one step are joined.
    pub(super) fn premises(&self, premises: &BTreeSet<Fact>) -> Vec<String> {
        let step = |fact: &Fact| self.stated.get(fact).copied().unwrap_or(0);
        let mut by_step: BTreeMap<(usize, usize), Vec<Fact>> = BTreeMap::new();
        for premise in premises {
            by_step.entry((step(premise), premise.cell())).or_default().push(*premise);
        }
        // The facts of one step share a reference to it; facts without a step are listed separately.
        let mut reasons: Vec<String> = Vec::new();
        let mut steps: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for ((step, _), facts) in by_step {
            steps.entry(step).or_default().push(self.says(&facts));
        }
        for (step, says) in steps {
            match step {
                0 => reasons.extend(says),
                step => reasons.push(format!("{} (step {step})", listed_words(&says))),
            }
        }
        reasons
    }

    /// The options that a cell has or lacks; exclusions at an end of its range become a bound.
    fn conclusion(&self, facts: &[Fact]) -> Conclusion {
        let Some(first) = facts.first() else { return Conclusion::Whole(String::new()) };
        let cell = self.cell(first.cell());
        if let Some(option) =
            facts.iter().find_map(|fact| if let Fact::Is(_, option) = fact { Some(*option) } else { None })
        {
            return Conclusion::Whole(cell.options[option].is.clone());
        }
        let ruled_out: BTreeSet<usize> = facts.iter().filter_map(|fact| not_option(*fact)).collect();
        if self.is_either_or(first.cell())
            && let Some(option) = ruled_out.first()
        {
            return Conclusion::Whole(cell.options[1 - option].is.clone());
        }
        let of = |says: String| Conclusion::Of(cell.name.clone(), says);
        let count = cell.options.len();
        // If only one option is left, the cell has this value.
        if ruled_out.len() + 1 == count
            && let Some(last) = (0..count).find(|option| !ruled_out.contains(option))
        {
            return Conclusion::Whole(cell.options[last].is.clone());
        }
        if cell.numeric && ruled_out.len() < count {
            let low = (0..count).take_while(|option| ruled_out.contains(option)).count();
            let high = (0..count).rev().take_while(|option| ruled_out.contains(option)).count();
            if low == ruled_out.len() {
                return of(format!("at least {}", cell.options[low].shown));
            }
            if high == ruled_out.len() {
                return of(format!("at most {}", cell.options[count - high - 1].shown));
            }
            if low + high == ruled_out.len() {
                let ends = [low, count - high - 1].map(|option| &cell.options[option].shown);
                return of(format!("at least {} and at most {}", ends[0], ends[1]));
            }
        }
        if ruled_out.iter().all(|option| cell.options[*option].is_undefined()) {
            return of("defined".to_owned());
        }
        let options: Vec<String> = ruled_out.iter().map(|option| cell.options[*option].shown.clone()).collect();
        of(format!("not {}", joined_words(&options, "or")))
    }
}

/// A conclusion, before its reasons.
enum Conclusion {
    /// A whole sentence.
    Whole(String),
    /// A cell and a predicate such as `at least 2`.
    Of(String, String),
}

fn is_exclusion_of(fact: Fact, cell: usize) -> bool {
    matches!(fact, Fact::Not(other, _) if other == cell)
}

fn not_option(fact: Fact) -> Option<usize> {
    match fact {
        Fact::Not(_, option) => Some(option),
        Fact::Is(..) => None,
    }
}

fn is_all_different(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Apply(operator, _) if operator.symbol.text == "allDiff")
}

/// The reasons after a conclusion.
pub(super) fn because(reasons: Vec<String>) -> String {
    if reasons.is_empty() { String::new() } else { format!(", because {}", listed_words(&reasons)) }
}

/// Joins words into a list: `a, b and c`.
pub(super) fn listed_words(items: &[String]) -> String {
    joined_words(items, "and")
}

/// Joins words into a list with this word before the last one: `a, b or c`.
fn joined_words(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [single] => single.clone(),
        [before @ .., last] => format!("{} {word} {last}", before.join(", ")),
    }
}
