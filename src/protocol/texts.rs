//! Requests about texts that are being written.

use super::{
    Service, diagnostics,
    places::place_of_span,
    positions::{Encoding, Positions},
    refusal,
    reply::{
        CallSignatures, CheckResult, CompletionItem, CompletionsResult, DeclareResult, Declared, DeclaredDomain,
        DefinitionResult, EditsResult, FitResult, FixResult, FixedMistake, FoldingRange, FoldingResult, FormatResult,
        HoverResult, HoverText, InlayHint, InlayHintsResult, InstanceText, InstancesResult, ReferencesResult,
        Signature, SignatureResult, Symbol, SymbolsResult, TokensResult, TreePart, TreeResult,
    },
    request::{self, Request},
    shapes::Place,
};
use crate::{
    CompletionKind, DeclaredKind, DeclaredName, Document, DomainOutline, ExamineOptions, Fix, Instance, Model,
    OutlineItem, Report, Rewriting, SemanticKind, Span, SymbolKind, Text, TreeNode, TreeNodeKind, api,
};
use serde_json::Value;

/// The texts of a request: the model, then the data.
struct Documents {
    texts: Vec<Document>,
    /// The index of the text that the request is about.
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
            // Together, the texts of the data are one instance, so each text is read with the others.
            others.remove(position);
            Document::data(&model, &others, text)
        };
        let data: Vec<Document> = data.iter().enumerate().map(read).collect();
        Ok(Documents { texts: [model].into_iter().chain(data).collect(), subject })
    }

    fn subject(&self) -> &Document {
        &self.texts[self.subject]
    }

    fn units(&self) -> Positions<'_> {
        Positions::new(self.subject().text(), Encoding::Utf16)
    }

    /// The data that form an instance.
    fn instance(&self) -> Option<&Document> {
        self.texts[1..].iter().find(|data| data.has_instance())
    }

    /// The places of a declaration's uses in all texts.
    fn uses(&self, declaration: Span) -> Vec<Place> {
        // Other texts see only the names of the model.
        let in_model = declaration.source == Document::MODEL;
        let texts = self.texts.iter().enumerate().filter(|(position, _)| in_model || *position == self.subject);
        let uses = texts.flat_map(|(_, text)| {
            text.uses(declaration).into_iter().map(move |span| place_of_span(text.sources(), span))
        });
        uses.collect()
    }
}

/// The subject of a request, with its position as a byte offset.
fn subject_at(request: &Request, place: &request::Position) -> Result<(Documents, usize), Report> {
    let documents = Documents::new(request, &place.subject)?;
    let byte = documents.units().byte(place.at);
    Ok((documents, byte))
}

pub(super) fn answer_check(
    service: &Service,
    request: &Request,
    check: &request::Check,
) -> Result<CheckResult, Report> {
    let model = request.model()?;
    let data = request.data();
    let mut reports = vec![api::check(&model, if data.is_empty() { &[] } else { std::slice::from_ref(&data) })];
    // The model must be correct before warnings and comments about pictures are checked.
    if let Ok(model) = Model::read(&model) {
        reports.extend(model.pictures().err());
        reports.push(model.warnings());
        reports.extend(check.level.map(|level| model.beyond_level(level)));
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
                // Several reports may contain the same warnings about the model.
                if !found.contains(&diagnostic) {
                    found.push(diagnostic);
                }
            }
        }
    }
    Ok(CheckResult { diagnostics: found.into() })
}

/// Answers `examine`: the warnings that a solver decides about instances of a model.
pub(super) fn answer_examine(
    service: &Service,
    request: &Request,
    examine: &request::Examine,
) -> Result<CheckResult, Report> {
    let model = Model::read(&request.model()?)?;
    let data: Vec<Text> = examine.instances.iter().map(Text::from).collect();
    let instances: Vec<Instance> = match model.givens().next() {
        // If the data are wrong, `check` reports it.
        Some(_) => data.iter().flat_map(Text::instances).filter_map(|data| model.instance(&[data]).ok()).collect(),
        None => model.instance(&[]).into_iter().collect(),
    };
    let options = ExamineOptions::default().search(service.options(&examine.limit, None));
    Ok(CheckResult { diagnostics: diagnostics(&model.examine(&instances, &options)) })
}

/// Answers `declare`: the declarations of a model, even if its constraints have errors.
pub(super) fn answer_declare(request: &Request) -> Result<DeclareResult, Report> {
    let text = request.model()?;
    // Syntax errors are reported, because they hide declarations; the other errors do not matter here.
    Rewriting::default().to_essence(&text, usize::MAX)?;
    Ok(DeclareResult { declared: DeclaredName::all(&text).iter().filter_map(Declared::of).collect() })
}

impl Declared {
    /// Returns a declaration with its domain.
    pub fn of(declared: &DeclaredName) -> Option<Declared> {
        let kind = match declared.kind {
            DeclaredKind::Given => "given",
            DeclaredKind::Find => "find",
            // The members of this type are in the data.
            DeclaredKind::EnumeratedType if declared.text.is_none() => "given type",
            _ => "letting",
        };
        let domain = DeclaredDomain::of(declared.domain.as_ref()?);
        // A quoted name has the syntax of a JSON string.
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

pub(super) fn answer_complete(request: &Request, place: &request::Position) -> Result<CompletionsResult, Report> {
    let (documents, byte) = subject_at(request, place)?;
    let units = documents.units();
    let items = documents.subject().completions(byte).into_iter().map(|item| {
        let (from, to) = units.of_span(item.span);
        let kind = match item.kind {
            CompletionKind::Name(kind) => symbol_kind_name(kind),
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

pub(super) fn answer_hover(request: &Request, place: &request::Position) -> Result<HoverResult, Report> {
    let (documents, byte) = subject_at(request, place)?;
    let hover = documents.subject().hover(byte, documents.instance()).map(|hover| {
        let (from, to) = documents.units().of_span(hover.span);
        HoverText { from, to, markdown: hover.text }
    });
    Ok(HoverResult { hover })
}

pub(super) fn answer_signature(request: &Request, place: &request::Position) -> Result<SignatureResult, Report> {
    let (documents, byte) = subject_at(request, place)?;
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

pub(super) fn answer_definition(request: &Request, place: &request::Position) -> Result<DefinitionResult, Report> {
    let (documents, byte) = subject_at(request, place)?;
    let subject = documents.subject();
    let place = subject.declaration(byte).map(|span| self::place_of_span(subject.sources(), span));
    Ok(DefinitionResult { place })
}

pub(super) fn answer_references(request: &Request, place: &request::Position) -> Result<ReferencesResult, Report> {
    let (documents, byte) = subject_at(request, place)?;
    let declaration = documents.subject().declaration(byte);
    Ok(ReferencesResult { places: declaration.map_or(Vec::new(), |declaration| documents.uses(declaration)) })
}

pub(super) fn answer_rename(request: &Request, rename: &request::Rename) -> Result<EditsResult, Report> {
    let (documents, byte) = subject_at(request, &rename.place)?;
    let declaration = documents.subject().rename(byte, &rename.name).map_err(refusal)?;
    let mut edits = documents.uses(declaration);
    edits.iter_mut().for_each(|edit| edit.text = Some(rename.name.clone()));
    Ok(EditsResult { edits })
}

pub(super) fn answer_symbols(request: &Request, subject: &request::Subject) -> Result<SymbolsResult, Report> {
    let documents = Documents::new(request, subject)?;
    let units = documents.units();
    let items = documents.subject().outline();
    Ok(SymbolsResult { symbols: items.into_iter().map(|item| symbol(item, &units)).collect() })
}

fn symbol(item: OutlineItem, units: &Positions) -> Symbol {
    let (from, to) = units.of_span(item.span);
    Symbol {
        name: item.name,
        kind: item.kind.map(symbol_kind_name),
        detail: item.detail,
        from,
        to,
        selection: units.of_span(item.selection),
        children: item.children.into_iter().map(|child| symbol(child, units)).collect(),
    }
}

pub(super) fn answer_tokens(request: &Request, subject: &request::Subject) -> Result<TokensResult, Report> {
    let documents = Documents::new(request, subject)?;
    let units = documents.units();
    let tokens = documents.subject().semantic_tokens().into_iter().map(|token| {
        let (from, to) = units.of_span(token.span);
        let kind = match token.kind {
            SemanticKind::Name(kind) => symbol_kind_name(kind),
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

pub(super) fn answer_inlay_hints(request: &Request, part: &request::Part) -> Result<InlayHintsResult, Report> {
    let documents = Documents::new(request, &part.subject)?;
    let (subject, units) = (documents.subject(), documents.units());
    let bytes = units.bytes(part.from, part.to);
    let hints = subject.inlay_hints(Span::new(subject.source(), bytes.start, bytes.end)).into_iter();
    let hints = hints.map(|hint| InlayHint { at: units.of_byte(hint.at), text: hint.text });
    Ok(InlayHintsResult { hints: hints.collect() })
}

pub(super) fn answer_folding(request: &Request, subject: &request::Subject) -> Result<FoldingResult, Report> {
    let documents = Documents::new(request, subject)?;
    let units = documents.units();
    let ranges = documents.subject().folding_ranges().into_iter().map(|range| {
        let (from, to) = units.of_span(range.span);
        FoldingRange { from, to, comment: range.is_comment }
    });
    Ok(FoldingResult { ranges: ranges.collect() })
}

pub(super) fn answer_tree(request: &Request, subject: &request::Subject) -> Result<TreeResult, Report> {
    let documents = Documents::new(request, subject)?;
    let (subject, units) = (documents.subject(), documents.units());
    let statements = subject.tree().into_iter().map(|statement| tree_part(statement, &units));
    let comments = subject.comments().into_iter().map(|comment| units.of_span(comment));
    Ok(TreeResult { statements: statements.collect(), comments: comments.collect() })
}

fn tree_part(node: TreeNode, units: &Positions) -> TreePart {
    let kind = match node.kind {
        TreeNodeKind::Statement => "statement",
        TreeNodeKind::Declaration => "declaration",
        TreeNodeKind::Domain => "domain",
        TreeNodeKind::Operator => "operator",
        TreeNodeKind::Literal => "literal",
        TreeNodeKind::Name => "name",
        TreeNodeKind::Hole => "hole",
        TreeNodeKind::Quantified => "quantified",
        TreeNodeKind::Expression => "expression",
    };
    let (from, to) = units.of_span(node.span);
    let parts = node.parts.into_iter().map(|part| tree_part(part, units)).collect();
    TreePart { kind, word: node.word, of_type: node.of_type, listed: node.is_listed, from, to, parts }
}

pub(super) fn answer_fit(request: &Request, fit: &request::Fit) -> Result<FitResult, Report> {
    let model = Document::model(&request.model()?);
    let units = Positions::new(model.text(), Encoding::Utf16);
    let place = |&(from, to): &(usize, usize)| {
        let bytes = units.bytes(Some(from), Some(to));
        Span::new(Document::MODEL, bytes.start, bytes.end)
    };
    let places = fit.places.as_ref().map(|places| places.iter().map(place).collect());
    let texts: Vec<&str> = fit.texts.iter().map(String::as_str).collect();
    let fitting = model.fitting_places(places, &texts).into_iter();
    let fitting = fitting.map(|places| places.into_iter().map(|place| units.of_span(place)).collect());
    Ok(FitResult { fitting: fitting.collect() })
}

pub(super) fn answer_format(request: &Request, format: &request::Format) -> Result<FormatResult, Report> {
    let texts = [request.model()?].into_iter().chain(request.data());
    let mut texts = texts.filter(|text| format.subject.text.as_ref().is_none_or(|name| text.name == *name));
    let text: Text = texts.next().ok_or_else(|| refusal("`text` names none of the texts"))?;
    Ok(FormatResult { formatted: api::format(&text, format.width)? })
}

/// The model after all certain fixes.
pub(super) fn answer_fix(request: &Request) -> Result<FixResult, Report> {
    let fixed = api::fix(&request.model()?);
    let fixes = fixed.fixes.into_iter().map(|Fix { line, message, help, .. }| FixedMistake { line, message, help });
    let report = api::check(&fixed.text, &[]);
    Ok(FixResult { fixes: fixes.collect(), diagnostics: diagnostics(&report), text: fixed.text.text })
}

/// Returns the instances in a text of data; JSON may contain several.
pub(super) fn answer_instances(instances: &request::DataFile) -> InstancesResult {
    let found = Text::from(&instances.file);
    let texts = found.instances().map(Text::alone);
    InstancesResult { instances: texts.map(|text| InstanceText { name: text.name, text: text.text }).collect() }
}

/// The name of a kind of symbol.
fn symbol_kind_name(kind: SymbolKind) -> &'static str {
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
