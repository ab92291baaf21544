//! Expressions and their values.

use super::{
    Report, Text, Value,
    stack::{Deep, deep},
};
use crate::{
    diagnostic::{Code, Diagnostics},
    halt::{Halt, reported},
    json::spaced,
    pipeline::{self, ExpressionTexts, TypedExpression},
    source::{SourceId, Sources},
    syntax::{
        self,
        ast::StatementKind,
        parse::STATEMENT_WORDS,
        tokens::{TokenKind, tokens},
    },
};
use serde_json::json;
use std::collections::BTreeSet;

/// A place to try expressions. They may mention the declarations of a model, parameters if there are data, and decision
/// variables if there is a solution, which need not be correct. Statements can be added to the model.
///
/// ```
/// use conjure_like::{EntryOutcome, Text, Workbench};
///
/// let mut bench = Workbench::default();
/// bench.enter(&Text::new("1", "letting odd be {1, 3, 5, 7, 9}"))?;
/// let entered = bench.enter(&Text::new("2", "sum([i ** 2 | i : int(1..10), i in odd])"))?;
/// let EntryOutcome::Value(evaluated) = entered else { panic!("an expression has a value") };
/// assert_eq!((evaluated.ty.as_str(), evaluated.essence.as_str()), ("int", "165"));
/// # Ok::<(), conjure_like::Report>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Workbench {
    /// The model.
    pub model: Option<Text>,
    /// The parameter files.
    pub data: Vec<Text>,
    /// A solution.
    pub solution: Option<Text>,
    /// The entered statements, each with the names that it declares.
    statements: Vec<(Text, BTreeSet<String>)>,
}

/// The value of an expression, with its type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EvaluatedExpression {
    /// The type, as in messages: `set of int`.
    pub ty: String,
    /// The value.
    pub value: Value,
    /// The value in Essence, on one line.
    pub essence: String,
    /// Warnings about the texts.
    pub warnings: Report,
}

/// The result of entering a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EntryOutcome {
    /// The value of an expression.
    Value(EvaluatedExpression),
    /// Statements, which are part of the model from now on.
    Statements,
}

impl EvaluatedExpression {
    /// A JSON object with the type, the value, and the value in Essence.
    pub fn to_json(&self) -> String {
        spaced(&json!({ "type": self.ty, "value": self.value.to_value(), "essence": self.essence }))
    }
}

impl Workbench {
    pub(crate) fn new(model: Option<Text>, data: Vec<Text>, solution: Option<Text>) -> Self {
        Workbench { model, data, solution, ..Workbench::default() }
    }

    /// Evaluates an expression, or adds statements to the model. Statements replace earlier ones that declare the same
    /// names.
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts; then the model is unchanged.
    pub fn enter(&mut self, text: &Text) -> Result<EntryOutcome, Report> {
        let Some(names) = declared_in_text(text) else { return self.evaluate(text).map(EntryOutcome::Value) };
        let mut changed = self.clone();
        changed.statements.retain(|(_, earlier)| earlier.is_disjoint(&names));
        changed.statements.push((text.clone(), names));
        // A trivial expression is evaluated to check the new statements before they are kept.
        changed.with(&Text::new("", "true"), |_, _| Ok(()))?;
        *self = changed;
        Ok(EntryOutcome::Statements)
    }

    /// Evaluates an expression.
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts, or an error if the expression, or a name in it, has no value.
    pub fn evaluate(&self, expression: &Text) -> Result<EvaluatedExpression, Report> {
        let (evaluated, warnings) = self.with(expression, |typed, diagnostics| {
            let mut bound = typed.bind(diagnostics)?;
            let value = bound.value()?;
            let (ty, names) = (bound.ty(), &bound.instance.names);
            Ok((ty.to_string(), Value::new(&value, ty, names).sorted(), names.show(&value, ty)))
        })?;
        let (ty, value, essence) = evaluated;
        Ok(EvaluatedExpression { ty, value, essence, warnings })
    }

    /// Returns the type of an expression.
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts.
    pub fn type_of(&self, expression: &Text) -> Result<String, Report> {
        self.with(expression, |typed, _| Ok(typed.ty().to_string())).map(|(ty, _)| ty)
    }

    /// Returns the set of values that an expression can have, as a domain; for a name, its domain with all numbers
    /// evaluated.
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts.
    pub fn domain_of(&self, expression: &Text) -> Result<String, Report> {
        let domain = self.with(expression, |typed, diagnostics| {
            let mut bound = typed.bind(diagnostics)?;
            let domain = bound.domain();
            Ok(bound.instance.names.domain(&domain, bound.ty()).on_one_line())
        });
        domain.map(|(domain, _)| domain)
    }

    /// The model with the entered statements.
    pub fn model_text(&self) -> Text {
        let name = self.model.as_ref().map_or("", |model| &model.name);
        let texts: Vec<&str> = self.texts().map(|text| text.text.as_str()).collect();
        Text::new(name, texts.join("\n"))
    }

    fn texts(&self) -> impl Iterator<Item = &Text> {
        self.model.iter().chain(self.statements.iter().map(|(text, _)| text))
    }

    /// Runs `then` with an expression in its instance; the result comes with the warnings about the texts.
    fn with<T>(
        &self,
        expression: &Text,
        then: impl FnOnce(&TypedExpression, &mut Diagnostics) -> Result<T, Halt>,
    ) -> Result<(T, Report), Report> {
        deep(|| {
            let mut sources = Sources::default();
            let model: Vec<SourceId> = self.texts().map(|text| text.add_to(&mut sources)).collect();
            let data: Vec<SourceId> = self.data.iter().map(|text| text.add_to(&mut sources)).collect();
            let solution = self.solution.as_ref().map(|text| text.add_to(&mut sources));
            let expression = expression.add_to(&mut sources);
            let mut diagnostics = Diagnostics::new();
            let texts = ExpressionTexts { sources: &sources, model: &model, data: &data, solution, expression };
            let result = pipeline::read_expression(&texts, &mut diagnostics)
                .and_then(|typed| then(&Deep::new(typed), &mut diagnostics));
            let result = reported(result, &mut diagnostics);
            for missing in diagnostics.iter_mut().filter(|diagnostic| diagnostic.code == Code::MISSING_PARAMETER) {
                // The original help refers to the command line, but this is the library.
                missing.help = vec!["give the data of an instance, in which it has a value".to_owned()];
            }
            let report = Report::of(&sources, diagnostics);
            match result {
                Some(result) => Ok((result, report)),
                None => Err(report),
            }
        })
    }
}

/// Returns the names that the statements of a text declare; `None` if the text is an expression.
fn declared_in_text(text: &Text) -> Option<BTreeSet<String>> {
    deep(|| {
        let file = Deep::new(syntax::parse_file(SourceId::default(), &text.text, &mut Diagnostics::new()));
        let first = tokens(&text.text, &file.comments).into_iter().next()?;
        // The first word decides, because a text with errors may still be a list of statements.
        if !STATEMENT_WORDS.contains(&&text.text[first.start..first.end]) {
            return None;
        }
        let mut names = BTreeSet::new();
        for statement in &file.statements {
            if let StatementKind::Letting { names: declared, .. }
            | StatementKind::Given { names: declared, .. }
            | StatementKind::GivenEnum { names: declared }
            | StatementKind::Find { names: declared, .. } = &statement.kind
            {
                names.extend(declared.iter().map(|name| name.text.to_string()));
            }
        }
        Some(names)
    })
}

/// Returns true if a text that is being typed must continue: a bracket is open, or the last sign or word needs an
/// operand.
pub fn is_unfinished(text: &str) -> bool {
    const WANT_MORE: [&str; 10] = ["be", "domain", "that", "where", "of", "from", "in", "find", "given", "letting"];
    let file = deep(|| Deep::new(syntax::parse_file(SourceId::default(), text, &mut Diagnostics::new())));
    let tokens = tokens(text, &file.comments);
    // An unfinished text has no tree, so its tokens are inspected.
    let texts = tokens.iter().filter(|token| token.kind != TokenKind::Comment);
    let mut open = 0_i64;
    let mut last = None;
    for token in texts {
        let text = &text[token.start..token.end];
        open += match text {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        };
        last = Some((token.kind, text));
    }
    open > 0
        || match last {
            // A bar or bracket may be a closing one, and other signs need no operand or are mistakes.
            Some((TokenKind::Sign, text)) => !text.chars().all(|sign| ")]}|!;?&".contains(sign)),
            Some((TokenKind::Word, text)) => WANT_MORE.contains(&text),
            _ => false,
        }
}
