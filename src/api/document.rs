//! Texts while they are written: the language services.

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

/// A text as an editor shows it, read as far as it can be read: a model, or a parameter file or a solution together
/// with its model.
///
/// Places are offsets in bytes. A [`Span`] says which text it is in: [`Document::MODEL`] is the model, and
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

    /// A model with another text. Statements that have not changed are not parsed again, so that this is faster than
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

    /// The text itself among the texts of the document.
    pub fn source(&self) -> SourceId {
        self.0.source
    }

    /// The texts that the document was read with, itself included.
    pub fn sources(&self) -> &Sources {
        &self.0.sources
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// What is wrong with the text, and warnings.
    pub fn report(&self) -> Report {
        let document = &self.0;
        let mut diagnostics = document.diagnostics.clone();
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

    /// Whether the text gives the parameters of its model their values, and nothing is wrong with them.
    pub fn has_instance(&self) -> bool {
        self.0.instance.is_some()
    }

    /// Explains what stands at an offset of the text; with data of the model, names have values.
    pub fn hover(&self, offset: usize, data: Option<&Document>) -> Option<Hover> {
        deep(|| hover::hover(&self.0, offset, data.unwrap_or(self).0.instance.as_ref()))
    }

    /// What can be written at an offset, the likeliest first.
    pub fn completions(&self, offset: usize) -> Vec<Completion> {
        deep(|| completion::completions(&self.0, offset))
    }

    /// The declaration of the name at an offset.
    pub fn declaration(&self, offset: usize) -> Option<Span> {
        self.0.declaration(offset)
    }

    /// The places in the text that name what is declared at a place, the declaration included.
    pub fn uses(&self, declaration: Span) -> Vec<Span> {
        self.0.uses(declaration)
    }

    /// The declaration of the name at an offset, all uses of which can be replaced by another name.
    ///
    /// # Errors
    ///
    /// Why the name cannot be changed to this one.
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

    /// The places of the comments of the text, in its order.
    pub fn comments(&self) -> Vec<Span> {
        self.0.file.comments.iter().map(|comment| comment.span).collect()
    }

    /// For each of several texts, the places of the model that it may replace without a further mistake: all
    /// expressions and domains are tried, or the given places. A `_`, which stands for a missing expression, is not
    /// counted as a mistake.
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

    /// What each word of the text is.
    pub fn semantic_tokens(&self) -> Vec<SemanticToken> {
        semantic_tokens::semantic_tokens(&self.0)
    }

    /// The types of quantified names in a part of the text.
    pub fn inlay_hints(&self, part: Span) -> Vec<InlayHint> {
        deep(|| hints::inlay_hints(&self.0, part))
    }

    /// The operands of what is called around an offset.
    pub fn signature_help(&self, offset: usize) -> Option<SignatureHelp> {
        deep(|| signature_help::signature_help(&self.0, offset))
    }

    /// The commands that can be offered beside the text.
    pub fn lenses(&self) -> Vec<CodeLens> {
        lenses::lenses(&self.0)
    }
}
