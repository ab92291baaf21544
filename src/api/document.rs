//! Texts in an editor: the language services.

use super::{
    Report, Text,
    stack::{Deep, deep},
};
use crate::{
    diagnostic::Code,
    pipeline,
    services::{
        self,
        completion::{self, Completion},
        fitting,
        folding::{self, FoldingRange},
        hints::{self, InlayHint},
        hover::{self, Hover},
        lenses::{self, CodeLens},
        semantic_tokens::{self, SemanticToken},
        signature_help::{self, SignatureHelp},
        symbols::{self, OutlineItem},
        tree::{self, TreeNode},
    },
    source::{SourceId, Sources, Span},
    warnings::{self, ModelText},
};

/// A text as an editor shows it, read as far as possible: a model, or a parameter file or solution together with its
/// model.
///
/// Positions are offsets in bytes. A [`Span`] names its text: [`Document::MODEL`] is the model, and
/// [`Document::source`] the text itself.
///
/// ```
/// use conjure_like::{Document, Text};
///
/// let model = Document::model(&Text::new("m.essence", "given n : int\nfind x : int(1..n)\nsuch that x > y, x = "));
/// assert_eq!(model.report().diagnostics.len(), 2);
/// assert!(model.hover(19, None).expect("about x").text.contains("find x : int(1..n)"));
/// assert!(model.completions(53).iter().any(|item| item.label == "n"));
///
/// let data = Document::data(&model, &[], &Text::new("1.param", "letting n be 3"));
/// assert_eq!(data.declaration(8), model.declaration(6));
/// ```
#[derive(Clone, Debug)]
pub struct Document(Deep<services::AnalysedText>);

impl Document {
    /// The model among the texts of a document.
    pub const MODEL: SourceId = services::AnalysedText::MODEL;

    /// Reads a model.
    pub fn model(text: &Text) -> Document {
        deep(|| Document(Deep::new(services::AnalysedText::model(&text.name, &text.text))))
    }

    /// Returns the model with another text. Unchanged statements are not parsed again, so this is faster than
    /// [`Document::model`].
    pub fn changed(&self, text: &str) -> Document {
        deep(|| Document(Deep::new(self.0.changed(text))))
    }

    /// Reads a parameter file, in Essence or JSON, and checks it against its model; or a solution, for the parameters
    /// in other texts.
    pub fn data(model: &Document, parameters: &[Text], text: &Text) -> Document {
        let parameters: Vec<(&str, &str)> =
            parameters.iter().map(|text| (text.name.as_str(), text.text.as_str())).collect();
        deep(|| Document(Deep::new(services::AnalysedText::data(&model.0, &parameters, &text.name, &text.text))))
    }

    /// The id of the text among the texts of the document.
    pub fn source(&self) -> SourceId {
        self.0.source
    }

    /// The texts of the document, including the text itself.
    pub fn sources(&self) -> &Sources {
        &self.0.sources
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// The errors and warnings of the text.
    pub fn report(&self) -> Report {
        let document = &self.0;
        let mut diagnostics = document.diagnostics.clone();
        // A file with test cases may consist of comments only.
        if pipeline::is_case_file(&document.file) {
            diagnostics.retain(|diagnostic| diagnostic.code != Code::FILE_EMPTY);
        }
        if document.is_essence && document.is_model() {
            let (source, text) = (document.source, document.text());
            let subject = ModelText { source, text, file: &document.file, model: &document.model };
            deep(|| warnings::of_model(&subject, &document.names, &mut diagnostics));
        }
        Report::of(&document.sources, diagnostics)
    }

    /// Returns true if the text gives values to the parameters of its model, without errors.
    pub fn has_instance(&self) -> bool {
        self.0.instance.is_some()
    }

    /// Explains the code at an offset. With data of the model, names are shown with their values.
    pub fn hover(&self, offset: usize, data: Option<&Document>) -> Option<Hover> {
        deep(|| hover::hover(&self.0, offset, data.unwrap_or(self).0.instance.as_ref()))
    }

    /// The possible completions at an offset, the likeliest first.
    pub fn completions(&self, offset: usize) -> Vec<Completion> {
        deep(|| completion::completions(&self.0, offset))
    }

    /// The declaration of the name at an offset.
    pub fn declaration(&self, offset: usize) -> Option<Span> {
        self.0.declaration(offset)
    }

    /// The spans in the text that name a declaration, including the declaration itself.
    pub fn uses(&self, declaration: Span) -> Vec<Span> {
        self.0.uses(declaration)
    }

    /// Returns the declaration of the name at an offset, if all its uses can be renamed to `name`.
    ///
    /// # Errors
    ///
    /// Returns the reason why the name cannot be changed to this one.
    pub fn rename(&self, offset: usize, name: &str) -> Result<Span, String> {
        self.0.rename(offset, name)
    }

    /// The statements of the text.
    pub fn outline(&self) -> Vec<OutlineItem> {
        symbols::outline(&self.0)
    }

    /// The tree of the text.
    pub fn tree(&self) -> Vec<TreeNode> {
        deep(|| tree::tree_of_text(&self.0))
    }

    /// The spans of the comments of the text, in their order.
    pub fn comments(&self) -> Vec<Span> {
        self.0.file.comments.iter().map(|comment| comment.span).collect()
    }

    /// Finds, for each text, the places in the model where it can be inserted without a further mistake. All
    /// expressions and domains are tried, or only the given places. A `_`, which stands for a missing expression, is
    /// not a mistake.
    ///
    /// ```
    /// use conjure_like::{Document, Text};
    ///
    /// let model = Document::model(&Text::new("m.essence", "find x : int(1..3)\nfind b : bool\nsuch that x = _"));
    /// let hole = model.tree()[2].parts[0].parts[1].span;
    /// let fitting = model.fitting_places(Some(vec![hole]), &["x", "b", "(_ + _)"]);
    /// assert_eq!(fitting, [vec![hole], vec![], vec![hole]]);
    /// ```
    pub fn fitting_places(&self, places: Option<Vec<Span>>, texts: &[&str]) -> Vec<Vec<Span>> {
        deep(|| fitting::fitting_places(&self.0, places, texts))
    }

    /// The parts of the text that can be folded.
    pub fn folding_ranges(&self) -> Vec<FoldingRange> {
        folding::folding_ranges(&self.0)
    }

    /// The kind of each word of the text.
    pub fn semantic_tokens(&self) -> Vec<SemanticToken> {
        semantic_tokens::semantic_tokens(&self.0)
    }

    /// The types of the quantified names in a part of the text.
    pub fn inlay_hints(&self, part: Span) -> Vec<InlayHint> {
        deep(|| hints::inlay_hints(&self.0, part))
    }

    /// The operands of the call around an offset.
    pub fn signature_help(&self, offset: usize) -> Option<SignatureHelp> {
        deep(|| signature_help::signature_help(&self.0, offset))
    }

    /// The commands that an editor can offer beside the text.
    pub fn lenses(&self) -> Vec<CodeLens> {
        lenses::lenses(&self.0)
    }
}
