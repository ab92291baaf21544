//! Language services for editors, notebooks and web pages, for texts that are being written.
//!
//! An [`AnalysedText`] is a text that has been read as far as possible, together with its model if it is a parameter
//! file or a solution. Each service is a function of such a text and an offset, and returns plain data with spans. The
//! services are independent of any protocol; `language_server` and `protocol` translate.
//!
//! You may add services. Editors call them after each keystroke, so a service only reads the text and never solves.

pub(crate) mod completion;
mod context;
pub(crate) mod fitting;
pub(crate) mod folding;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod lenses;
pub(crate) mod names;
pub(crate) mod rename;
pub(crate) mod semantic_tokens;
pub(crate) mod signature_help;
pub(crate) mod symbols;
pub(crate) mod tree;
mod types;

use crate::{
    analysis::model::TypedModel,
    diagnostic::{Code, Diagnostics, Severity},
    halt::reported,
    instance::GroundInstance,
    pipeline::{self, ReadModel},
    source::{SourceId, Sources, Span},
    syntax::{
        self, KnownStatements,
        ast::File,
        json,
        tokens::{Token, TokenKind, tokens},
    },
};
use names::{Names, SymbolKind};
use std::{ops::Range, sync::Arc};

/// A text with the results of its analysis.
#[derive(Clone, Debug)]
pub(crate) struct AnalysedText {
    /// The text, after the model and the parameter files that it belongs to.
    pub sources: Sources,
    pub source: SourceId,
    /// True for Essence; parameter files may also be JSON.
    pub is_essence: bool,
    pub file: File,
    /// The statements of a model, for parsing the next version of its text.
    known: KnownStatements,
    pub tokens: Vec<Token>,
    /// The typed model of the text, or of the model that it belongs to.
    pub model: Arc<TypedModel>,
    pub names: Names,
    pub diagnostics: Diagnostics,
    /// The instance of the model with these parameters, if there are no errors.
    pub instance: Option<GroundInstance>,
}

impl AnalysedText {
    /// The id of the model, which is the first source.
    pub(crate) const MODEL: SourceId = SourceId(0);

    /// Reads a model. Data without a known model are read like a model.
    pub(crate) fn model(name: &str, text: &str) -> AnalysedText {
        AnalysedText::with_known(KnownStatements::default(), name, text)
    }

    /// Returns the text after a change. Unchanged statements are not parsed again.
    pub(crate) fn changed(&self, text: &str) -> AnalysedText {
        AnalysedText::with_known(self.known.clone(), &self.sources.get(self.source).name, text)
    }

    fn with_known(mut known: KnownStatements, name: &str, text: &str) -> AnalysedText {
        let mut sources = Sources::default();
        let source = sources.add_part(name, text, first_instance(text));
        let mut diagnostics = Diagnostics::new();
        let is_essence = !json::is_json(text);
        let ReadModel { file, model } = match is_essence {
            true => pipeline::read_in_part(&sources, source, Some(&mut known), &mut diagnostics),
            false => {
                diagnostics.extend(json::parse_instance(source, sources.get(source)).err().map(|wrong| *wrong));
                ReadModel { file: File::default(), model: Arc::default() }
            }
        };
        let tokens = if is_essence { tokens(text, &file.comments) } else { Vec::new() };
        let names = Names::of_model(&file, text, &tokens);
        AnalysedText { sources, source, is_essence, file, known, tokens, model, names, diagnostics, instance: None }
    }

    /// Reads a parameter file, or a solution for some parameter files, and checks it against its model.
    pub(crate) fn data(model: &AnalysedText, parameters: &[(&str, &str)], name: &str, text: &str) -> AnalysedText {
        let mut sources = model.sources.clone();
        let mut data: Vec<SourceId> = parameters.iter().map(|(name, text)| sources.add(*name, *text)).collect();
        let source = sources.add_part(name, text, first_instance(text));
        data.push(source);
        let is_essence = !json::is_json(text);
        let (file, tokens, names) = match is_essence {
            true => {
                let file = syntax::parse_file(source, text, &mut Diagnostics::new());
                let tokens = tokens(text, &file.comments);
                let names = Names::of_data(&model.names, &file, text, &tokens);
                (file, tokens, names)
            }
            false => {
                let object = json::parse_instance(source, sources.get(source));
                let names = object.map(|(members, _)| Names::of_json(&model.names, &members, text));
                (File::default(), Vec::new(), names.unwrap_or_else(|_| model.names.clone()))
            }
        };
        let is_find = |name: &names::Use| names.symbols[name.symbol].kind == SymbolKind::Find;
        let is_solution = names.uses.iter().any(is_find);
        let mut diagnostics = Diagnostics::new();
        let mut instance = None;
        if model.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            pipeline::data_of_broken_model(&sources, Self::MODEL, &data, &mut diagnostics);
        } else if is_solution {
            let valid = pipeline::validate(&sources, &model.file, &data, &mut diagnostics);
            reported(valid, &mut diagnostics);
            // The parameters may be in a file that is not known here.
            if parameters.is_empty() {
                diagnostics.retain(|diagnostic| diagnostic.code != Code::MISSING_PARAMETER);
            }
        } else {
            let bound = pipeline::read_instance(&model.model, &sources, &data, &mut diagnostics);
            instance = reported(bound, &mut diagnostics);
        }
        let model = model.model.clone();
        let known = KnownStatements::default();
        AnalysedText { sources, source, is_essence, file, known, tokens, model, names, diagnostics, instance }
    }

    /// Returns true if the text is a model.
    pub(crate) fn is_model(&self) -> bool {
        self.source == Self::MODEL
    }

    pub(crate) fn text(&self) -> &str {
        &self.sources.get(self.source).text
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    pub(crate) fn text_of(&self, token: &Token) -> &str {
        &self.text()[token.start..token.end]
    }

    /// The token at an offset, or the one that ends there; a word has priority over a sign.
    fn token_at(&self, offset: usize) -> Option<&Token> {
        let behind = self.tokens.partition_point(|token| token.start <= offset);
        // At most two tokens touch an offset.
        let touching = self.tokens[..behind].iter().rev().take(2).filter(|token| offset <= token.end);
        touching.max_by_key(|token| (token.kind != TokenKind::Sign, token.start))
    }

    /// The text of a span on one line.
    fn on_one_line(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The first instance in data with several; editors check this one.
fn first_instance(text: &str) -> Option<Range<usize>> {
    json::instance_spans(text).into_iter().next()
}
