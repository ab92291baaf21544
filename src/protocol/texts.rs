//! Questions about texts while they are written.

use super::{
    Service, diagnostics,
    places::{Units, place},
    refusal,
    reply::{
        CallSignatures, CheckResult, CompletionItem, CompletionsResult, DeclareResult, Declared, DeclaredDomain,
        DefinitionResult, EditsResult, FoldingRange, FoldingResult, FormatResult, HoverResult, HoverText, InlayHint,
        InlayHintsResult, InstanceText, InstancesResult, ReferencesResult, Signature, SignatureResult, Symbol,
        SymbolsResult, TokensResult,
    },
    request::{self, Request},
    shapes::Place,
};
use crate::{
    CompletionKind, DeclaredKind, DeclaredName, Document, DomainOutline, ExamineOptions, Model, OutlineItem, Report,
    Rewriting, SemanticKind, Span, SymbolKind, Text, api,
};
use serde_json::Value;

/// The texts of a request: the model, then the data.
struct Documents {
    texts: Vec<Document>,
    /// The position of the text that the request is about.
    subject: usize,
}

impl Documents {
    fn new(request: &Request, subject: &request::Subject) -> Result<Self, Report> {
        let model = request.model()?;
        let data = request.data();
        let subject = match &subject.text {
            None => Some(0),
            Some(name) => [&model].into_iter().chain(&data).position(|text| text.name == *name),
        };
        let subject = subject.ok_or_else(|| refusal("`text` names none of the texts"))?;
        let model = Document::model(&model);
        let read = |(position, text)| {
            let mut others = data.clone();
            others.remove(position);
            Document::data(&model, &others, text)
        };
        let data: Vec<Document> = data.iter().enumerate().map(read).collect();
        Ok(Documents { texts: [model].into_iter().chain(data).collect(), subject })
    }

    fn subject(&self) -> &Document {
        &self.texts[self.subject]
    }

    fn units(&self) -> Units<'_> {
        Units::new(self.subject().text())
    }

    /// The data that give names their values.
    fn instance(&self) -> Option<&Document> {
        self.texts[1..].iter().find(|data| data.has_instance())
    }

    /// The spans in all texts that name what is declared at a place, with the texts that they are in.
    fn uses(&self, declaration: Span) -> Vec<Place> {
        let in_model = declaration.source == Document::MODEL;
        let texts = self.texts.iter().enumerate().filter(|(position, _)| in_model || *position == self.subject);
        let uses = texts.flat_map(|(_, text)| {
            let sources = text.report().sources;
            text.uses(declaration).into_iter().map(move |span| place(&sources, span))
        });
        uses.collect()
    }
}

/// The subject of a request at a position, as a byte.
fn at(request: &Request, place: &request::Position) -> Result<(Documents, usize), Report> {
    let documents = Documents::new(request, &place.subject)?;
    let byte = documents.units().byte(place.at);
    Ok((documents, byte))
}

pub(super) fn check(service: &Service, request: &Request, check: &request::Check) -> Result<CheckResult, Report> {
    let model = request.model()?;
    let data = request.data();
    let mut reports = vec![api::check(&model, if data.is_empty() { &[] } else { std::slice::from_ref(&data) })];
    // Warnings, and what comments say about pictures, are looked for only if the model is right.
    if let Ok(model) = Model::read(&model) {
        reports.extend(model.pictures().err());
        reports.push(model.warnings());
        if let Ok(instance) = model.instance(&data) {
            reports.push(instance.warnings());
            if check.examine {
                let options = ExamineOptions::default().search(service.options(&check.limit, None));
                reports.push(model.examine(&[instance], &options));
            }
        }
    }
    let mut found: Vec<Value> = Vec::new();
    for report in &reports {
        if let Value::Array(more) = diagnostics(report) {
            for diagnostic in more {
                // Several reports begin with what was noticed while the model was read.
                if !found.contains(&diagnostic) {
                    found.push(diagnostic);
                }
            }
        }
    }
    Ok(CheckResult { diagnostics: found.into() })
}

/// What the model declares, whatever is wrong with its constraints.
pub(super) fn declare(request: &Request) -> Result<DeclareResult, Report> {
    let text = request.model()?;
    // What is wrong with the syntax is told; the rest is not needed.
    Rewriting::default().to_essence(&text, usize::MAX)?;
    Ok(DeclareResult { declared: DeclaredName::all(&text).iter().filter_map(Declared::of).collect() })
}

impl Declared {
    /// A declaration with its domain.
    pub fn of(declared: &DeclaredName) -> Option<Declared> {
        let kind = match declared.kind {
            DeclaredKind::Given => "given",
            DeclaredKind::Find => "find",
            DeclaredKind::EnumeratedType if declared.text.is_none() => "given type",
            _ => "letting",
        };
        let domain = DeclaredDomain::of(declared.domain.as_ref()?);
        // A name in quotation marks is a string of JSON.
        let name = serde_json::from_str(&declared.name).unwrap_or_else(|_| declared.name.clone());
        Some(Declared { kind, name, text: declared.text.clone(), domain })
    }
}

impl DeclaredDomain {
    fn of(outline: &DomainOutline) -> Self {
        DeclaredDomain {
            kind: outline.kind,
            parts: outline.parts.iter().map(DeclaredDomain::of).collect(),
            names: outline.names.clone(),
            name: outline.name.clone(),
            limits: outline.limits.iter().map(|(first, last)| [first.clone(), last.clone()]).collect(),
            unit: outline.unit.clone(),
        }
    }
}

pub(super) fn complete(request: &Request, place: &request::Position) -> Result<CompletionsResult, Report> {
    let (documents, byte) = at(request, place)?;
    let units = documents.units();
    let items = documents.subject().completions(byte).into_iter().map(|item| {
        let (from, to) = units.of_span(item.span);
        let kind = match item.kind {
            CompletionKind::Name(kind) => name(kind),
            CompletionKind::Field => "field",
            CompletionKind::Function => "function",
            CompletionKind::Operator => "operator",
            CompletionKind::Attribute => "attribute",
            CompletionKind::Keyword => "keyword",
            CompletionKind::Snippet => "snippet",
        };
        let (label, snippet) = (item.label.to_string(), item.snippet.to_string());
        let (detail, documentation) = (item.detail.to_string(), item.documentation.to_string());
        CompletionItem { label, kind, snippet, from, to, detail, documentation, fits: item.fits }
    });
    Ok(CompletionsResult { items: items.collect() })
}

pub(super) fn hover(request: &Request, place: &request::Position) -> Result<HoverResult, Report> {
    let (documents, byte) = at(request, place)?;
    let hover = documents.subject().hover(byte, documents.instance()).map(|hover| {
        let (from, to) = documents.units().of_span(hover.span);
        HoverText { from, to, markdown: hover.text }
    });
    Ok(HoverResult { hover })
}

pub(super) fn signature(request: &Request, place: &request::Position) -> Result<SignatureResult, Report> {
    let (documents, byte) = at(request, place)?;
    let signature = documents.subject().signature_help(byte).map(|help| {
        let signatures = help.signatures.into_iter().map(|signature| Signature {
            label: signature.label,
            operands: signature.operands,
            documentation: signature.documentation,
        });
        CallSignatures { active: help.active, signatures: signatures.collect() }
    });
    Ok(SignatureResult { signature })
}

pub(super) fn definition(request: &Request, place: &request::Position) -> Result<DefinitionResult, Report> {
    let (documents, byte) = at(request, place)?;
    let subject = documents.subject();
    let place = subject.declaration(byte).map(|span| self::place(&subject.report().sources, span));
    Ok(DefinitionResult { place })
}

pub(super) fn references(request: &Request, place: &request::Position) -> Result<ReferencesResult, Report> {
    let (documents, byte) = at(request, place)?;
    let declaration = documents.subject().declaration(byte);
    Ok(ReferencesResult { places: declaration.map_or(Vec::new(), |declaration| documents.uses(declaration)) })
}

pub(super) fn rename(request: &Request, rename: &request::Rename) -> Result<EditsResult, Report> {
    let (documents, byte) = at(request, &rename.place)?;
    let declaration = documents.subject().rename(byte, &rename.name).map_err(refusal)?;
    let mut edits = documents.uses(declaration);
    edits.iter_mut().for_each(|edit| edit.text = Some(rename.name.clone()));
    Ok(EditsResult { edits })
}

pub(super) fn symbols(request: &Request, subject: &request::Subject) -> Result<SymbolsResult, Report> {
    let documents = Documents::new(request, subject)?;
    let units = documents.units();
    let items = documents.subject().outline();
    Ok(SymbolsResult { symbols: items.into_iter().map(|item| symbol(item, &units)).collect() })
}

fn symbol(item: OutlineItem, units: &Units) -> Symbol {
    let (from, to) = units.of_span(item.span);
    Symbol {
        name: item.name,
        kind: item.kind.map(name),
        detail: item.detail,
        from,
        to,
        selection: units.of_span(item.selection),
        children: item.children.into_iter().map(|child| symbol(child, units)).collect(),
    }
}

pub(super) fn tokens(request: &Request, subject: &request::Subject) -> Result<TokensResult, Report> {
    let documents = Documents::new(request, subject)?;
    let units = documents.units();
    let tokens = documents.subject().semantic_tokens().into_iter().map(|token| {
        let (from, to) = units.of_span(token.span);
        let kind = match token.kind {
            SemanticKind::Name(kind) => name(kind),
            SemanticKind::Keyword => "keyword",
            SemanticKind::Attribute => "attribute",
            SemanticKind::Function => "function",
            SemanticKind::Operator => "operator",
            SemanticKind::Number => "number",
            SemanticKind::Comment => "comment",
        };
        (from, to, kind, token.is_declaration)
    });
    Ok(TokensResult { tokens: tokens.collect() })
}

pub(super) fn inlay_hints(request: &Request, part: &request::Part) -> Result<InlayHintsResult, Report> {
    let documents = Documents::new(request, &part.subject)?;
    let (subject, units) = (documents.subject(), documents.units());
    let from = part.from.map_or(0, |from| units.byte(from));
    let to = part.to.map_or(subject.text().len(), |to| units.byte(to)).max(from);
    let hints = subject.inlay_hints(Span::new(subject.source(), from, to)).into_iter();
    let hints = hints.map(|hint| InlayHint { at: units.of_byte(hint.at), text: hint.text });
    Ok(InlayHintsResult { hints: hints.collect() })
}

pub(super) fn folding(request: &Request, subject: &request::Subject) -> Result<FoldingResult, Report> {
    let documents = Documents::new(request, subject)?;
    let units = documents.units();
    let ranges = documents.subject().folding_ranges().into_iter().map(|range| {
        let (from, to) = units.of_span(range.span);
        FoldingRange { from, to, comment: range.is_comment }
    });
    Ok(FoldingResult { ranges: ranges.collect() })
}

pub(super) fn format(request: &Request, format: &request::Format) -> Result<FormatResult, Report> {
    let texts = [request.model()?].into_iter().chain(request.data());
    let mut texts = texts.filter(|text| format.subject.text.as_ref().is_none_or(|name| text.name == *name));
    let text: Text = texts.next().ok_or_else(|| refusal("`text` names none of the texts"))?;
    Ok(FormatResult { formatted: api::format(&text, format.width)? })
}

/// The instances in a text of data: JSON may hold several.
pub(super) fn instances(instances: &request::DataFile) -> InstancesResult {
    let found = Text::from(&instances.file);
    let texts = found.instances().map(Text::alone);
    InstancesResult { instances: texts.map(|text| InstanceText { name: text.name, text: text.text }).collect() }
}

/// The kind of a name.
fn name(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Given => "given",
        SymbolKind::Find => "find",
        SymbolKind::Value => "value",
        SymbolKind::Domain => "domain",
        SymbolKind::Type => "type",
        SymbolKind::Member => "member",
        SymbolKind::Quantified => "quantified",
    }
}
