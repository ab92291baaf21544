//! Mutants: a model with one planted mistake. A mutant that no test case notices shows that a case is missing.
//!
//! A requirement is left out, a bound is shifted, an operator is exchanged, or an attribute is dropped. A mutant that
//! has the same solutions as the model on small instances does not count.

use super::{TestFile, TestOptions, TestVerdict, requirement};
use crate::{
    api::{Model, Text},
    comparison::{Difference, DifferenceKind, data_statements},
    source::Span,
    syntax::{
        ast::{DomainKind, DomainTree, LettingValue, StatementKind},
        tokens::{Token, TokenKind, tokens_from},
    },
};
use std::{collections::BTreeSet, ops::Range};

/// A model with a planted mistake.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mutant {
    /// The line of the mistake, counted from 1.
    pub line: usize,
    /// The mistake in a few words.
    pub says: String,
    /// The text of the mutant.
    pub text: Text,
    /// The requirement that is left out, if the mistake is of this kind.
    left_out: Option<String>,
}

/// A difference between a mutant and its model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundDifference {
    /// The data of the instance.
    pub data: Vec<Text>,
    /// The difference. The mutant is compared as the model, and the model as the reference.
    pub difference: Difference,
    /// A test case that the model passes and the mutant fails, if one can be written.
    pub case: Option<String>,
}

/// The operators and their replacements.
const OPERATORS: [(&str, &str); 17] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("=", "!="),
    ("!=", "="),
    ("+", "-"),
    ("-", "+"),
    ("/\\", "\\/"),
    ("\\/", "/\\"),
    ("->", "<->"),
    ("forAll", "exists"),
    ("exists", "forAll"),
    ("subset", "subsetEq"),
    ("subsetEq", "subset"),
    ("minimising", "maximising"),
    ("maximising", "minimising"),
];

/// An integer beside one of these operators is a bound.
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "=", "!="];

/// Constraints with more characters are shown as an excerpt. Chosen.
const LONGEST: usize = 60;

/// Collects the mutants of a model.
struct MutantMaker<'m> {
    model: &'m Model,
    text: String,
    /// The texts so far, so that no mutant is added twice.
    known: BTreeSet<String>,
    mutants: Vec<Mutant>,
}

impl Model {
    /// The mutants of this model that are valid models, in the order of the text.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "find x, y : int(1..3)\nsuch that x < y"))?;
    /// let says: Vec<String> = model.mutants().into_iter().map(|mutant| mutant.says).collect();
    /// assert_eq!(says[0], "`..3` becomes `..2`");
    /// assert!(says.contains(&"`x < y` is left out".to_owned()));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn mutants(&self) -> Vec<Mutant> {
        let text = self.text().text;
        // The text of the model itself is not a mutant.
        let mut maker = MutantMaker { model: self, known: BTreeSet::from([text.clone()]), text, mutants: Vec::new() };
        for statement in &self.read.file.statements {
            match &statement.kind {
                StatementKind::SuchThat(constraints) => {
                    for constraint in constraints {
                        maker.left_out(constraint.span);
                        maker.tokens(constraint.span, true);
                    }
                }
                StatementKind::Find { domain, .. } => {
                    maker.attributes(domain);
                    maker.tokens(domain.span, false);
                }
                StatementKind::Letting { value: LettingValue::Domain(domain), .. } => {
                    maker.attributes(domain);
                    maker.tokens(domain.span, false);
                }
                StatementKind::Objective { .. } => maker.tokens(statement.span, true),
                _ => {}
            }
        }
        maker.mutants.sort_by_key(|mutant| mutant.line);
        maker.mutants
    }

    /// A case that this model passes and the mutant fails.
    pub(super) fn case_against(
        &self,
        mutant: &Mutant,
        data: &[Text],
        difference: &Difference,
        options: &TestOptions,
    ) -> Option<String> {
        let name = mutant.says.replace('`', "");
        let mut case = format!("$ case: {name}\n");
        for text in data {
            case += &comment("with", &data_statements(&text.text));
        }
        case += &match &difference.kind {
            DifferenceKind::Allowed => comment("refuses", &difference.solution),
            DifferenceKind::Refused => comment("accepts", &difference.solution),
            DifferenceKind::Objective(_, best) => comment("optimum", best.as_ref()?),
        };
        let reason = mutant.left_out.as_ref().filter(|reason| requirement::requirement_named(self, reason).is_ok());
        let with_reason = reason.map(|reason| case.clone() + &comment("because", reason));
        // A case with `because` is preferred, but may be wrong if another requirement refuses the solution as well.
        let is_right = |case: &String| {
            passes(case, &self.text(), options) == Some(true) && passes(case, &mutant.text, options) == Some(false)
        };
        with_reason.into_iter().chain([case]).find(is_right)
    }
}

impl FoundDifference {
    /// True if the case of this difference fails on another mutant of the model, too.
    pub fn is_noticed_in(&self, mutant: &Mutant, options: &TestOptions) -> bool {
        self.case.as_ref().is_some_and(|case| passes(case, &mutant.text, options) == Some(false))
    }
}

/// True if a model passes a case; `None` if the text has no case, or a limit was reached.
fn passes(case: &str, model: &Text, options: &TestOptions) -> Option<bool> {
    let file = TestFile::read(&Text::new("the case", format!("$ model: m\n{case}")));
    match file.run(file.cases.first()?, model, &[], options).verdict {
        TestVerdict::Undecided => None,
        verdict => Some(verdict == TestVerdict::Passed),
    }
}

/// A line of a test case with a value of several lines.
pub(super) fn comment(key: &str, value: &str) -> String {
    let lines: Vec<&str> = value.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('$')).collect();
    format!("$ {key}: {}\n", lines.join("\n$     "))
}

impl MutantMaker<'_> {
    /// Adds a mutant in which a part of the text is replaced, if it is a valid model.
    fn replace(&mut self, part: Range<usize>, by: &str, says: String, left_out: Option<String>) {
        let mut text = self.text.clone();
        text.replace_range(part.clone(), by);
        let line = self.text[..part.start].matches('\n').count() + 1;
        if !self.known.insert(text.clone()) {
            return;
        }
        let text = Text::new(self.model.text().name, text);
        if Model::read(&text).is_ok() {
            self.mutants.push(Mutant { line, says, text, left_out });
        }
    }

    /// Replaces a constraint with `true`.
    fn left_out(&mut self, span: Span) {
        let code = self.model.on_one_line(span);
        let says = format!("`{}` is left out", shortened_code(&code));
        self.replace(span.start as usize..span.end as usize, "true", says, Some(code));
    }

    /// Shifts bounds, and exchanges operators if `with_operators`.
    fn tokens(&mut self, span: Span, with_operators: bool) {
        let text = self.text.clone();
        let is_inside = |token: &Token| token.end <= span.end as usize;
        let tokens: Vec<Token> = tokens_from(&text, span.start as usize)
            .take_while(is_inside)
            .filter(|token| token.kind != TokenKind::Comment)
            .collect();
        let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.start..token.end]);
        for (at, token) in tokens.iter().enumerate() {
            let own = word(at);
            if with_operators && let Some((_, other)) = OPERATORS.iter().find(|(sign, _)| *sign == own) {
                // Before a number, a sign may be unary.
                let is_unary = ["+", "-"].contains(&own)
                    && !matches!(tokens.get(at.wrapping_sub(1)), Some(before) if ends_operand(before, &text));
                if !is_unary {
                    let parts = [own, other].map(|sign| {
                        let text = [&text[span.start as usize..token.start], sign, &text[token.end..span.end as usize]];
                        text.concat().split_whitespace().collect::<Vec<_>>().join(" ")
                    });
                    let [old, new] = match parts.iter().all(|part| part.chars().count() <= LONGEST) {
                        true => parts,
                        false => {
                            let around = [&text[span.start as usize..token.start], &text[token.end..span.end as usize]];
                            [own, other].map(|sign| excerpt(around, sign))
                        }
                    };
                    let says = match token.kind {
                        TokenKind::Word => format!("`{own}` becomes `{other}`"),
                        _ => format!("`{old}` becomes `{new}`"),
                    };
                    self.replace(token.start..token.end, other, says, None);
                }
            }
            if own == ".." {
                if let Some(after) = tokens.get(at + 1).filter(|_| ends_bound(word(at + 2))) {
                    self.shift(after, -1, |bound| format!("..{bound}"));
                }
                if let Some(before) = at.checked_sub(1).map(|before| &tokens[before])
                    && at.checked_sub(2).is_none_or(|before| starts_bound(word(before)))
                {
                    self.shift(before, 1, |bound| format!("{bound}.."));
                }
            }
            if with_operators && COMPARISONS.contains(&own) {
                // The number must be the whole right side: 3 is not a bound in `x < 3 + y`.
                let number = tokens.get(at + 1).filter(|next| next.kind == TokenKind::Number);
                if let Some(number) = number.filter(|_| ends_bound(word(at + 2))) {
                    self.shift(number, 1, |bound| format!("{own} {bound}"));
                }
            }
        }
    }

    /// Shifts a bound that is a number or a name: `n` becomes `n - 1`.
    fn shift(&mut self, bound: &Token, by: i64, shown: impl Fn(&str) -> String) {
        let old = self.text[bound.start..bound.end].to_owned();
        let new = match bound.kind {
            TokenKind::Number => match old.parse::<i64>().ok().and_then(|number| number.checked_add(by)) {
                Some(number) => number.to_string(),
                None => return,
            },
            TokenKind::Word if by < 0 => format!("{old} - {}", -by),
            TokenKind::Word => format!("{old} + {by}"),
            _ => return,
        };
        let says = format!("`{}` becomes `{}`", shown(&old), shown(&new));
        self.replace(bound.start..bound.end, &new, says, None);
    }

    /// Drops each attribute of a domain in turn.
    fn attributes(&mut self, domain: &DomainTree) {
        match &domain.kind {
            DomainKind::Collection(_, attributes, inside) => {
                let end = |at: usize| {
                    let attribute = &attributes[at];
                    attribute.value.as_ref().map_or(attribute.name.span.end, |value| value.span.end) as usize
                };
                let start = |at: usize| attributes[at].name.span.start as usize;
                for at in 0..attributes.len() {
                    // The part includes the comma before the next attribute, or after the previous one.
                    let part = match (at, attributes.len()) {
                        (_, 1) => {
                            let open = self.text[..start(at)].rfind('(').unwrap_or(start(at));
                            let close = self.text[end(at)..].find(')').map_or(end(at), |close| end(at) + close + 1);
                            open..close
                        }
                        (0, _) => start(0)..start(1),
                        (at, _) => end(at - 1)..end(at),
                    };
                    let says = format!("the attribute `{}` is dropped", &self.text[start(at)..end(at)]);
                    self.replace(part, "", says, None);
                }
                inside.iter().for_each(|domain| self.attributes(domain));
            }
            DomainKind::Tuple(inside) => inside.iter().for_each(|domain| self.attributes(domain)),
            DomainKind::Matrix(_, inside) => self.attributes(inside),
            DomainKind::Record(fields) | DomainKind::Variant(fields) => {
                fields.iter().filter_map(|(_, domain)| domain.as_ref()).for_each(|domain| self.attributes(domain));
            }
            DomainKind::Bool | DomainKind::Int { .. } | DomainKind::Named(..) => {}
        }
    }
}

fn ends_operand(token: &Token, text: &str) -> bool {
    token.kind != TokenKind::Sign || [")", "]", "}", "|"].contains(&&text[token.start..token.end])
}

/// True if a bound of one token ends before this token.
fn ends_bound(next: &str) -> bool {
    ["", ")", "]", ",", ";", "/\\", "\\/", "->", "."].contains(&next)
}

/// True if a bound of one token starts after this token.
fn starts_bound(before: &str) -> bool {
    ["", "(", "[", ","].contains(&before)
}

/// A sign with the text near it, on one line.
fn excerpt([before, after]: [&str; 2], sign: &str) -> String {
    let code = |line: &str| line.split('$').next().unwrap_or_default().to_owned();
    let one_line = |text: &str| {
        let words: Vec<String> = text.lines().map(code).collect();
        words.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ")
    };
    let (left, right) = (one_line(before), one_line(after));
    let start = left.char_indices().rev().nth(LONGEST / 3).map_or(0, |(at, _)| at);
    let end = right.char_indices().nth(LONGEST / 3).map_or(right.len(), |(at, _)| at);
    let [left, right] = [&left[start..], &right[..end]];
    let open = if start > 0 { "…" } else { "" };
    let close = if end < one_line(after).len() { "…" } else { "" };
    let space = |text: &str| if text.starts_with(char::is_whitespace) { " " } else { "" };
    let gap = if before.ends_with(char::is_whitespace) { " " } else { "" };
    format!("{open}{left}{gap}{sign}{}{right}{close}", space(after))
}

/// The beginning of a constraint.
fn shortened_code(code: &str) -> String {
    match code.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &code[..end]),
        None => code.to_owned(),
    }
}
