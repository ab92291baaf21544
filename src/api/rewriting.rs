//! Prints texts: in the canonical layout, rewritten, or as a tree in JSON.

use super::{
    Model, Report, Text,
    stack::{Deep, deep},
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    json, pipeline,
    services::{self, names::Symbol},
    source::Sources,
    syntax::{self, ast::File, print::conjure},
};
use std::borrow::Cow;

/// Formats a text in the canonical layout, with at most `width` columns; comments and blank lines are kept.
///
/// ```
/// use conjure_like::{Text, format};
///
/// let text = Text::new("x.essence", "find x:int( 1 .. 3 ) $ small\nsuch that x>1/\\x!=2");
/// assert_eq!(format(&text, 80)?, "language Essence 1.3\n\nfind x: int(1..3) $ small\nsuch that x > 1 /\\ x != 2\n");
/// # Ok::<(), conjure_like::Report>(())
/// ```
///
/// # Errors
///
/// Returns an error if the text is not Essence.
pub fn format(text: &Text, width: usize) -> Result<String, Report> {
    Rewriting::default().to_essence(text, width)
}

with_setters! {
    /// Changes to a text that preserve its meaning.
    ///
    /// ```
    /// use conjure_like::{Rewriting, Text};
    ///
    /// let model = "letting n be 3\nfind s : set of int(1..9)\nsuch that forAll member in s . member > 2";
    /// let text = Text::new("m.essence", model);
    /// let rewriting = Rewriting::default().normalise_quantified(true).remove_unused(true);
    /// let rewritten = rewriting.to_essence(&text, 80)?;
    /// assert_eq!(rewritten, "language Essence 1.3\n\nfind s: set of int(1..9)\nsuch that forAll q1 in s . q1 > 2\n");
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Rewriting {
        /// Rename the quantified names to `q1`, `q2` and so on, from the outside in.
        pub normalise_quantified: bool,
        /// Remove the declarations of unused names.
        pub remove_unused: bool,
    }
}

impl Rewriting {
    /// Prints the text in the canonical layout, with at most `width` columns; comments and blank lines are kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not Essence.
    pub fn to_essence(&self, text: &Text, width: usize) -> Result<String, Report> {
        deep(|| {
            let (file, rewritten) = self.rewritten(text)?;
            // Before a file is overwritten, the new text is parsed as a check.
            syntax::formatted(&file, &rewritten, width).ok_or_else(|| {
                let message = format!(
                    "`{}` cannot be put into the canonical layout: its text would mean something else",
                    text.name
                );
                let bug = Diagnostic::error(Code::LAYOUT, message)
                    .note("the file stays as it is")
                    .help("this is a bug in conjure-like: please report it with the file");
                bug.into()
            })
        })
    }

    /// Returns the syntax tree as JSON, in Conjure's format `astjson`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not Essence.
    pub fn to_conjure_tree(&self, text: &Text) -> Result<String, Report> {
        deep(|| {
            let (file, rewritten) = self.rewritten(text)?;
            let document = analysed_document(text, &rewritten);
            let declarations = document.model.declarations.iter();
            let types = declarations.map(|declared| (declared.name.clone(), declared.ty.clone())).collect();
            Ok(json::spaced(&conjure::file_as_json(&file, &types)))
        })
    }

    /// Returns the tree, and the text that its spans refer to.
    fn rewritten<'a>(&self, text: &'a Text) -> Result<(Deep<File>, Cow<'a, str>), Report> {
        let file = parse_deep(text)?;
        let mut rewritten = Cow::from(&text.text);
        if !self.normalise_quantified && !self.remove_unused {
            return Ok((file, rewritten));
        }
        let mut document = analysed_document(text, &rewritten);
        if self.normalise_quantified {
            rewritten = document.with_normalised_names().into();
            // In the renamed text, the spans of the old tree are wrong.
            document = self::analysed_document(text, &rewritten);
        }
        let file = if self.remove_unused { document.without_unused() } else { document.file.clone() };
        Ok((Deep::new(file), rewritten))
    }
}

impl Model {
    /// Returns this model with other names for its declarations; each pair is an old name and its new one.
    ///
    /// # Errors
    ///
    /// Returns an error if a new name already has a meaning in the model.
    pub(crate) fn renamed(&self, names: &[(String, String)]) -> Result<Model, Report> {
        let text = self.text();
        let renamed = deep(|| {
            let document = analysed_document(&text, &text.text);
            let known = &document.names;
            let new_name = |symbol: &Symbol| {
                let pair = names.iter().find(|(old, _)| symbol.scope.is_none() && **old == *symbol.name);
                pair.map(|(_, new)| new.as_str())
            };
            // A quantified name that is equal to the new name would capture it.
            let is_taken =
                |symbol: &&Symbol| new_name(symbol).is_none() && names.iter().any(|(_, new)| **new == *symbol.name);
            if let Some(taken) = known.symbols.iter().find(is_taken) {
                let message = format!("`{}` already means something else in `{}`", taken.name, text.name);
                return Err(Report::from(Diagnostic::error(Code::COMMAND_LINE, message).help("rename it there")));
            }
            let (mut renamed, mut end) = (String::new(), 0);
            for used in &known.all_uses() {
                let Some(new) = new_name(&known.symbols[used.symbol]) else { continue };
                renamed += &text.text[end..used.span.start as usize];
                renamed += new;
                end = used.span.end as usize;
            }
            Ok(renamed + &text.text[end..])
        })?;
        Model::read(&Text::new(text.name, renamed))
    }
}

fn parse_deep(text: &Text) -> Result<Deep<File>, Report> {
    let mut sources = Sources::default();
    let source = text.add_to(&mut sources);
    let mut warnings = Diagnostics::new();
    let file = pipeline::parse_text(&sources, source, &mut warnings).map(Deep::new);
    file.map_err(|halt| Report::halted(&sources, warnings, halt))
}

fn analysed_document(text: &Text, rewritten: &str) -> Deep<services::AnalysedText> {
    Deep::new(services::AnalysedText::model(&text.name, rewritten))
}
