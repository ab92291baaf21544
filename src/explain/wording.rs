//! Steps in sentences: what a derivation concludes, and from what.

use super::{
    Describer,
    cells::Cell,
    propagate::{Derivation, Fact, Puzzle},
};
use crate::{
    analysis::model::{Expr, ExprKind},
    lowering::Origin,
};
use std::collections::{BTreeMap, BTreeSet};

pub struct Wording<'g, 'p> {
    pub puzzle: &'p Puzzle<'p>,
    pub describer: &'g mut Describer<'p>,
    /// What has been said already.
    pub said: BTreeSet<Fact>,
}

/// What a sentence says before its reasons.
enum Conclusion {
    /// A sentence by itself.
    Whole(String),
    /// `at least 2`, of a cell that it names.
    Of(String, String),
}

/// A conclusion, perhaps about several cells, and its reasons.
struct Sentence {
    cells: Vec<String>,
    says: String,
    because: String,
}

impl Sentence {
    /// Adds a conclusion to sentences; what is alike is one sentence.
    fn add(sentences: &mut Vec<Sentence>, conclusion: Conclusion, because: String) {
        match (conclusion, sentences.last_mut()) {
            (Conclusion::Of(cell, says), Some(last))
                if !last.cells.is_empty() && last.says == says && last.because == because =>
            {
                last.cells.push(cell);
            }
            (Conclusion::Of(cell, says), _) => sentences.push(Sentence { cells: vec![cell], says, because }),
            (Conclusion::Whole(says), _) => sentences.push(Sentence { cells: Vec::new(), says, because }),
        }
    }

    fn text(&self) -> String {
        let Sentence { cells, says, because } = self;
        match cells.as_slice() {
            [] => format!("{says}{because}"),
            [cell] => format!("{cell} is {says}{because}"),
            cells => format!("{} are {says}{because}", listed(cells)),
        }
    }
}

impl Wording<'_, '_> {
    /// Derivations in sentences.
    pub fn lines(&mut self, derivations: &[(Fact, Derivation)]) -> Vec<String> {
        let mut sentences: Vec<Sentence> = Vec::new();
        let mut rest = derivations;
        while let Some((first, why)) = rest.first() {
            // What one requirement excludes for one cell is one conclusion.
            let together = |(fact, other): &&(Fact, Derivation)| {
                matches!((first, fact), (Fact::Not(left, _), Fact::Not(right, _)) if left == right)
                    && other.rules == why.rules
            };
            let count = 1 + rest[1..].iter().take_while(together).count();
            let (group, others) = rest.split_at(count);
            rest = others;
            let facts: Vec<Fact> = group.iter().map(|(fact, _)| *fact).collect();
            let premises: BTreeSet<Fact> = group.iter().flat_map(|(_, why)| why.premises.iter().copied()).collect();
            let is_obvious = why.rules.is_empty() && self.is_either_or(first.cell()) && !sentences.is_empty();
            if !(is_obvious && matches!(first, Fact::Is(..))) {
                let (conclusion, because) = self.sentence(&facts, &why.rules, &premises);
                Sentence::add(&mut sentences, conclusion, because);
            }
            self.said.extend(&facts);
        }
        sentences.iter().map(Sentence::text).collect()
    }

    /// What some options being excluded says.
    pub fn exclusions(&self, facts: &[Fact]) -> String {
        let mut by_cell: BTreeMap<usize, Vec<Fact>> = BTreeMap::new();
        for fact in facts {
            by_cell.entry(fact.cell()).or_default().push(*fact);
        }
        let mut sentences = Vec::new();
        for facts in by_cell.values() {
            Sentence::add(&mut sentences, self.exclusion(facts), String::new());
        }
        listed(&sentences.iter().map(Sentence::text).collect::<Vec<_>>())
    }

    /// Whether a cell has two options that are each the opposite of the other.
    fn is_either_or(&self, cell: usize) -> bool {
        let cell = &self.puzzle.cells[cell];
        cell.options.len() == 2 && !cell.numeric
    }

    fn cell(&self, number: usize) -> &Cell {
        &self.puzzle.cells[number]
    }

    /// A conclusion, and its reasons.
    fn sentence(&mut self, facts: &[Fact], rules: &[usize], premises: &BTreeSet<Fact>) -> (Conclusion, String) {
        let conclusion = match facts {
            [Fact::Is(cell, option)] => {
                let says = self.cell(*cell).options[*option].is.clone();
                if rules.is_empty() {
                    let left = || {
                        let cell = self.cell(*cell);
                        format!("only {} is left for {}", cell.options[*option].shown, cell.name)
                    };
                    let says = if self.is_either_or(*cell) { says } else { left() };
                    return (Conclusion::Whole(says), String::new());
                }
                if let [rule] = rules
                    && let Some(only) = self.only_place(*rule, *cell, *option, premises)
                {
                    return (Conclusion::Whole(only), String::new());
                }
                Conclusion::Whole(says)
            }
            _ => self.exclusion(facts),
        };
        let mut because = self.premises(premises);
        for rule in rules {
            let says = self.describer.reason(&self.puzzle.requirements[*rule]).says;
            because.push(if says.contains("->") { format!("({says})") } else { says });
        }
        if let ([], Some(fact)) = (rules, facts.first()) {
            because.push(format!("the domain of `{}`", self.cell(fact.cell()).variable));
        }
        let because = if because.is_empty() { String::new() } else { format!(", because {}", listed(&because)) };
        (conclusion, because)
    }

    /// As many values as there are cells that must all differ, and a single cell that can take one of them.
    fn only_place(&mut self, rule: usize, cell: usize, option: usize, premises: &BTreeSet<Fact>) -> Option<String> {
        let requirement = &self.puzzle.requirements[rule];
        let Origin::Constraint { expr, .. } = &requirement.origin else { return None };
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
        if values.len() != scope.len() || !elsewhere {
            return None;
        }
        let (count, name) = (values.len(), self.puzzle.cells[cell].name.clone());
        let says = self.describer.reason(requirement).says;
        Some(format!("{count} values for {count} cells in {says}: only {name} can be {wanted}"))
    }

    /// Premises, those about one cell together.
    fn premises(&self, premises: &BTreeSet<Fact>) -> Vec<String> {
        let mut by_cell: BTreeMap<usize, Vec<Fact>> = BTreeMap::new();
        for premise in premises {
            by_cell.entry(premise.cell()).or_default().push(*premise);
        }
        let one = |facts: Vec<Fact>| match facts.as_slice() {
            [Fact::Is(cell, option)] => self.puzzle.cells[*cell].options[*option].is.clone(),
            facts => self.exclusions(facts),
        };
        by_cell.into_values().map(one).collect()
    }

    /// What a cell is not: in short as a bound, where together with what was said before nothing else is left.
    fn exclusion(&self, facts: &[Fact]) -> Conclusion {
        let Some(first) = facts.first() else { return Conclusion::Whole(String::new()) };
        let number = first.cell();
        let cell = self.cell(number);
        let excluded: BTreeSet<usize> = facts.iter().filter_map(|fact| not_option(*fact)).collect();
        let known = |option: usize| excluded.contains(&option) || self.said.contains(&Fact::Not(number, option));
        if self.is_either_or(number)
            && let Some(option) = excluded.first()
        {
            return Conclusion::Whole(cell.options[1 - option].is.clone());
        }
        let of = |says: String| Conclusion::Of(cell.name.clone(), says);
        if cell.numeric {
            let low = (0..cell.options.len()).take_while(|option| known(*option)).count();
            let high = (0..cell.options.len()).rev().take_while(|option| known(*option)).count();
            if excluded.iter().all(|option| *option < low)
                && let Some(least) = cell.options.get(low)
            {
                return of(format!("at least {}", least.shown));
            }
            let last = cell.options.len() - high;
            if excluded.iter().all(|option| *option >= last) && last > 0 {
                return of(format!("at most {}", cell.options[last - 1].shown));
            }
        }
        let options: Vec<String> = excluded.iter().map(|option| cell.options[*option].shown.clone()).collect();
        of(format!("not {}", joined(&options, "or")))
    }
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

fn listed(items: &[String]) -> String {
    joined(items, "and")
}

/// `a, b and c`
fn joined(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [single] => single.clone(),
        [before @ .., last] => format!("{} {word} {last}", before.join(", ")),
    }
}
