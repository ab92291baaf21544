//! Requests about texts, translated: positions to offsets, and what the library says to the types of the protocol.

use super::{
    commands, mistakes, parameters,
    positions::{Encoding, LineOffsets},
    transport::{self, Answered, refusal},
    workspace::{Subject, Workspace},
};
use conjure_like::{
    Completion, CompletionKind, Diagnostic, Document, Edit, ModelCommand, OutlineItem, SemanticKind, Span, SymbolKind,
    Text, format,
};
use lsp_server::ErrorCode;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionParams, CodeActionProviderCapability,
    CodeLens, CodeLensOptions, CodeLensParams, Command, CompletionItem, CompletionItemKind, CompletionList,
    CompletionOptions, CompletionParams, CompletionResponse, CompletionTextEdit, DiagnosticRelatedInformation,
    DocumentFormattingParams, DocumentHighlight, DocumentHighlightParams, DocumentSymbol, DocumentSymbolParams,
    DocumentSymbolResponse, Documentation, ExecuteCommandOptions, FoldingRange, FoldingRangeKind, FoldingRangeParams,
    FoldingRangeProviderCapability, GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverContents, HoverParams,
    HoverProviderCapability, InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, InsertTextFormat, Location,
    MarkupContent, MarkupKind, OneOf, ParameterInformation, ParameterLabel, Position, PrepareRenameResponse,
    ReferenceParams, RenameOptions, RenameParams, SemanticToken, SemanticTokenModifier, SemanticTokenType,
    SemanticTokens, SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, SemanticTokensParams,
    SemanticTokensServerCapabilities, ServerCapabilities, SignatureHelp, SignatureHelpOptions, SignatureHelpParams,
    SignatureInformation, TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri,
    WorkspaceEdit,
    request::{
        CodeActionRequest, CodeLensRequest, DocumentHighlightRequest, DocumentSymbolRequest, FoldingRangeRequest,
        Formatting, GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest, References, Rename, Request,
        SemanticTokensFullRequest, SignatureHelpRequest,
    },
};
use serde_json::Value;
use std::{collections::HashMap, str::FromStr, sync::Arc};

/// What the server can do.
pub(super) fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let letters = |letters: &str| Some(letters.chars().map(String::from).collect());
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions { trigger_characters: letters("([{.:,="), ..Default::default() }),
        signature_help_provider: Some(SignatureHelpOptions { trigger_characters: letters("(,"), ..Default::default() }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..Default::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: None }),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: TOKEN_TYPES.to_vec(),
                    token_modifiers: vec![SemanticTokenModifier::DECLARATION, SemanticTokenModifier::READONLY],
                },
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..Default::default()
            },
        )),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: ModelCommand::ALL.into_iter().map(commands::name).chain([commands::TABLES.to_owned()]).collect(),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// The answer to a request about texts.
pub(super) fn answered(workspace: &mut Workspace, method: &str, params: Value) -> Answered {
    match method {
        HoverRequest::METHOD => to::<HoverRequest>(hover(workspace, parameters(params)?)),
        "textDocument/completion" => transport::result(completion(workspace, parameters(params)?)),
        SignatureHelpRequest::METHOD => to::<SignatureHelpRequest>(signature_help(workspace, parameters(params)?)),
        GotoDefinition::METHOD => to::<GotoDefinition>(definition(workspace, parameters(params)?)),
        References::METHOD => to::<References>(references(workspace, parameters(params)?)),
        DocumentHighlightRequest::METHOD => to::<DocumentHighlightRequest>(highlights(workspace, parameters(params)?)),
        PrepareRenameRequest::METHOD => to::<PrepareRenameRequest>(renamable(workspace, parameters(params)?)),
        Rename::METHOD => rename(workspace, parameters(params)?),
        DocumentSymbolRequest::METHOD => to::<DocumentSymbolRequest>(symbols(workspace, parameters(params)?)),
        FoldingRangeRequest::METHOD => to::<FoldingRangeRequest>(folding_ranges(workspace, parameters(params)?)),
        SemanticTokensFullRequest::METHOD => transport::result(semantic_tokens(workspace, parameters(params)?)),
        InlayHintRequest::METHOD => to::<InlayHintRequest>(inlay_hints(workspace, parameters(params)?)),
        CodeActionRequest::METHOD => to::<CodeActionRequest>(code_actions(workspace, parameters(params)?)),
        CodeLensRequest::METHOD => to::<CodeLensRequest>(lenses(workspace, parameters(params)?)),
        Formatting::METHOD => to::<Formatting>(formatting(workspace, parameters(params)?)),
        _ => Err(refusal(ErrorCode::MethodNotFound, format!("there is no request `{method}`"))),
    }
}

/// An answer of the type that belongs to a request.
fn to<R: Request>(result: R::Result) -> Answered {
    transport::result(result)
}

/// A text at a position.
struct RequestPosition {
    subject: Arc<Subject>,
    offset: usize,
    encoding: Encoding,
}

impl RequestPosition {
    fn new(workspace: &mut Workspace, params: &TextDocumentPositionParams) -> Option<RequestPosition> {
        let subject = workspace.subject(params.text_document.uri.as_str())?;
        let encoding = workspace.encoding;
        let offset = LineOffsets::new(subject.document.text(), encoding).offset(params.position);
        Some(RequestPosition { subject, offset, encoding })
    }

    fn document(&self) -> &Document {
        &self.subject.document
    }

    fn lines(&self) -> LineOffsets<'_> {
        LineOffsets::new(self.document().text(), self.encoding)
    }
}

fn uri(text: &str) -> Option<Uri> {
    Uri::from_str(text).ok()
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

fn range(lines: &LineOffsets, span: Span) -> lsp_types::Range {
    lines.range(span.start as usize, span.end as usize)
}

/// A span of any of the texts that a document was read with.
fn location(subject: &Subject, span: Span, encoding: Encoding) -> Option<Location> {
    let report = subject.document.report();
    let lines = LineOffsets::new(&report.sources.get(span.source).text, encoding);
    Some(Location::new(uri(subject.uri(span.source))?, range(&lines, span)))
}

/// What is wrong with a text.
pub(super) fn diagnostics(workspace: &Workspace, uri: &str, subject: &Subject) -> Vec<lsp_types::Diagnostic> {
    let encoding = workspace.encoding;
    let lines = LineOffsets::new(subject.document.text(), encoding);
    let found = known_of(workspace, uri, subject);
    found.iter().map(|diagnostic| translated(diagnostic, subject, &lines, encoding)).collect()
}

/// What is known to be wrong with a text, by itself and by a solver.
fn known_of(workspace: &Workspace, uri: &str, subject: &Subject) -> Vec<Diagnostic> {
    let mut found = subject.document.report().diagnostics;
    found.extend_from_slice(workspace.proved(uri));
    found
}

fn translated(
    diagnostic: &Diagnostic,
    subject: &Subject,
    lines: &LineOffsets,
    encoding: Encoding,
) -> lsp_types::Diagnostic {
    let own = subject.document.source();
    // A mistake elsewhere, or in no text, is shown where the text begins.
    let place = diagnostic.labels.first().filter(|label| label.span.source == own);
    let others = diagnostic.labels.iter().skip(usize::from(place.is_some()));
    let related = others.filter_map(|label| {
        Some(DiagnosticRelatedInformation {
            location: location(subject, label.span, encoding)?,
            message: label.text.clone(),
        })
    });
    let related: Vec<_> = related.collect();
    let range = place.map_or(lines.range(0, 0), |label| range(lines, label.span));
    lsp_types::Diagnostic {
        related_information: (!related.is_empty()).then_some(related),
        ..mistakes::shown(diagnostic, place, range)
    }
}

fn hover(workspace: &mut Workspace, params: HoverParams) -> Option<Hover> {
    let place = RequestPosition::new(workspace, &params.text_document_position_params)?;
    let data = workspace.data_of(place.subject.model());
    let data = data.iter().map(|data| &data.document).find(|data| data.has_instance());
    let hover = place.document().hover(place.offset, data)?;
    Some(Hover {
        contents: HoverContents::Markup(markdown(hover.text)),
        range: Some(range(&place.lines(), hover.span)),
    })
}

fn completion(workspace: &mut Workspace, params: CompletionParams) -> Option<CompletionResponse> {
    let place = RequestPosition::new(workspace, &params.text_document_position)?;
    let lines = place.lines();
    let items = place.document().completions(place.offset).into_iter().enumerate();
    let items = items.map(|(position, item)| completion_item(item, position, &lines)).collect();
    // What is offered depends on what has been typed.
    Some(CompletionResponse::List(CompletionList { is_incomplete: true, items }))
}

fn completion_item(item: Completion, position: usize, lines: &LineOffsets) -> CompletionItem {
    let kind = match item.kind {
        CompletionKind::Name(kind) => match kind {
            SymbolKind::Given | SymbolKind::Value => CompletionItemKind::CONSTANT,
            SymbolKind::Find | SymbolKind::Quantified => CompletionItemKind::VARIABLE,
            SymbolKind::Domain => CompletionItemKind::CLASS,
            SymbolKind::Type => CompletionItemKind::ENUM,
            SymbolKind::Member => CompletionItemKind::ENUM_MEMBER,
        },
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::Operator => CompletionItemKind::OPERATOR,
        CompletionKind::Attribute => CompletionItemKind::PROPERTY,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    };
    CompletionItem {
        label: item.label,
        kind: Some(kind),
        detail: Some(item.detail).filter(|detail| !detail.is_empty()),
        documentation: Some(item.documentation)
            .filter(|text| !text.is_empty())
            .map(|text| Documentation::MarkupContent(markdown(text))),
        sort_text: Some(format!("{position:04}")),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range(lines, item.span), item.snippet))),
        ..Default::default()
    }
}

fn signature_help(workspace: &mut Workspace, params: SignatureHelpParams) -> Option<SignatureHelp> {
    let place = RequestPosition::new(workspace, &params.text_document_position_params)?;
    let help = place.document().signature_help(place.offset)?;
    let signatures = help.signatures.into_iter().map(|signature| SignatureInformation {
        label: signature.label,
        documentation: Some(signature.documentation)
            .filter(|text| !text.is_empty())
            .map(|text| Documentation::MarkupContent(markdown(text))),
        parameters: Some(
            signature
                .operands
                .into_iter()
                .map(|operand| ParameterInformation { label: ParameterLabel::Simple(operand), documentation: None })
                .collect(),
        ),
        active_parameter: None,
    });
    Some(SignatureHelp {
        signatures: signatures.collect(),
        active_signature: None,
        active_parameter: Some(help.active as u32),
    })
}

fn definition(workspace: &mut Workspace, params: GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let place = RequestPosition::new(workspace, &params.text_document_position_params)?;
    let declaration = place.document().declaration(place.offset)?;
    location(&place.subject, declaration, place.encoding).map(GotoDefinitionResponse::Scalar)
}

/// The places that name what is declared at a place: in the text, its model, and the open data of the model.
fn uses(workspace: &mut Workspace, subject: &Arc<Subject>, declaration: Span) -> Vec<Location> {
    let encoding = workspace.encoding;
    let mut subjects = Vec::new();
    if declaration.source == Document::MODEL {
        let model = subject.model().to_owned();
        subjects.extend(workspace.model_text(&model));
        subjects.extend(workspace.data_of(&model));
    } else {
        subjects.push(subject.clone());
    }
    let mut found: Vec<Location> = Vec::new();
    for subject in subjects {
        let lines = LineOffsets::new(subject.document.text(), encoding);
        let Some(uri) = uri(subject.uri(subject.document.source())) else { continue };
        let spans = subject.document.uses(declaration).into_iter();
        found.extend(spans.map(|span| Location::new(uri.clone(), range(&lines, span))));
    }
    found
}

fn references(workspace: &mut Workspace, params: ReferenceParams) -> Option<Vec<Location>> {
    let place = RequestPosition::new(workspace, &params.text_document_position)?;
    let declaration = place.document().declaration(place.offset)?;
    let mut found = uses(workspace, &place.subject, declaration);
    if !params.context.include_declaration {
        let declaration = location(&place.subject, declaration, place.encoding);
        found.retain(|found| Some(found) != declaration.as_ref());
    }
    Some(found)
}

fn highlights(workspace: &mut Workspace, params: DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let place = RequestPosition::new(workspace, &params.text_document_position_params)?;
    let declaration = place.document().declaration(place.offset)?;
    let lines = place.lines();
    let spans = place.document().uses(declaration).into_iter();
    Some(spans.map(|span| DocumentHighlight { range: range(&lines, span), kind: None }).collect())
}

fn renamable(workspace: &mut Workspace, params: TextDocumentPositionParams) -> Option<PrepareRenameResponse> {
    let place = RequestPosition::new(workspace, &params)?;
    let declaration = place.document().declaration(place.offset)?;
    let mut spans = place.document().uses(declaration).into_iter();
    let here = spans.find(|span| (span.start as usize..=span.end as usize).contains(&place.offset))?;
    Some(PrepareRenameResponse::Range(range(&place.lines(), here)))
}

fn rename(workspace: &mut Workspace, params: RenameParams) -> Answered {
    let refused = |why: String| refusal(ErrorCode::RequestFailed, why);
    let Some(place) = RequestPosition::new(workspace, &params.text_document_position) else {
        return transport::result(());
    };
    let declaration = place.document().rename(place.offset, &params.new_name).map_err(refused)?;
    let places = uses(workspace, &place.subject, declaration);
    transport::result(workspace_edit(
        places.into_iter().map(|place| (place.uri, TextEdit::new(place.range, params.new_name.clone()))),
    ))
}

// The crate's type for URIs has a cache inside, which does not matter to its equality.
#[allow(clippy::mutable_key_type)]
fn workspace_edit(edits: impl Iterator<Item = (Uri, TextEdit)>) -> WorkspaceEdit {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (uri, edit) in edits {
        changes.entry(uri).or_default().push(edit);
    }
    WorkspaceEdit { changes: Some(changes), ..Default::default() }
}

fn symbols(workspace: &mut Workspace, params: DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
    let subject = workspace.subject(params.text_document.uri.as_str())?;
    let lines = LineOffsets::new(subject.document.text(), workspace.encoding);
    let items = subject.document.outline();
    Some(DocumentSymbolResponse::Nested(items.into_iter().map(|item| symbol(item, &lines)).collect()))
}

fn symbol(item: OutlineItem, lines: &LineOffsets) -> DocumentSymbol {
    let children: Vec<_> = item.children.into_iter().map(|child| symbol(child, lines)).collect();
    #[allow(deprecated)]
    DocumentSymbol {
        name: item.name,
        detail: Some(item.detail).filter(|detail| !detail.is_empty()),
        kind: match item.kind {
            Some(SymbolKind::Given | SymbolKind::Value) => lsp_types::SymbolKind::CONSTANT,
            Some(SymbolKind::Find | SymbolKind::Quantified) => lsp_types::SymbolKind::VARIABLE,
            Some(SymbolKind::Domain) => lsp_types::SymbolKind::CLASS,
            Some(SymbolKind::Type) => lsp_types::SymbolKind::ENUM,
            Some(SymbolKind::Member) => lsp_types::SymbolKind::ENUM_MEMBER,
            None => lsp_types::SymbolKind::EVENT,
        },
        tags: None,
        deprecated: None,
        range: range(lines, item.span),
        selection_range: range(lines, item.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

fn folding_ranges(workspace: &mut Workspace, params: FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let subject = workspace.subject(params.text_document.uri.as_str())?;
    let lines = LineOffsets::new(subject.document.text(), workspace.encoding);
    let ranges = subject.document.folding_ranges().into_iter();
    let folding = ranges.map(|folded| {
        let range = range(&lines, folded.span);
        FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            kind: Some(if folded.is_comment { FoldingRangeKind::Comment } else { FoldingRangeKind::Region }),
            ..Default::default()
        }
    });
    Some(folding.collect())
}

/// The types of tokens, in the order of their numbers in the protocol.
const TOKEN_TYPES: [SemanticTokenType; 11] = [
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::DECORATOR,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::NUMBER,
    SemanticTokenType::COMMENT,
];

/// The type of a token, and whether it is read only.
fn token_type(kind: SemanticKind) -> (SemanticTokenType, bool) {
    match kind {
        SemanticKind::Name(kind) => match kind {
            SymbolKind::Find => (SemanticTokenType::VARIABLE, false),
            SymbolKind::Given | SymbolKind::Value => (SemanticTokenType::VARIABLE, true),
            SymbolKind::Quantified => (SemanticTokenType::PARAMETER, false),
            SymbolKind::Domain => (SemanticTokenType::TYPE, false),
            SymbolKind::Type => (SemanticTokenType::ENUM, false),
            SymbolKind::Member => (SemanticTokenType::ENUM_MEMBER, false),
        },
        SemanticKind::Keyword => (SemanticTokenType::KEYWORD, false),
        SemanticKind::Attribute => (SemanticTokenType::DECORATOR, false),
        SemanticKind::Function => (SemanticTokenType::FUNCTION, false),
        SemanticKind::Operator => (SemanticTokenType::OPERATOR, false),
        SemanticKind::Number => (SemanticTokenType::NUMBER, false),
        SemanticKind::Comment => (SemanticTokenType::COMMENT, false),
    }
}

fn semantic_tokens(workspace: &mut Workspace, params: SemanticTokensParams) -> Option<SemanticTokens> {
    let subject = workspace.subject(params.text_document.uri.as_str())?;
    let text = subject.document.text();
    let encoding = workspace.encoding;
    let lines = LineOffsets::new(text, encoding);
    let mut before = Position::default();
    let mut data = Vec::new();
    for token in subject.document.semantic_tokens() {
        let (kind, is_read_only) = token_type(token.kind);
        let number = TOKEN_TYPES.iter().position(|known| *known == kind).unwrap_or_default();
        let modifiers = u32::from(token.is_declaration) | u32::from(is_read_only) << 1;
        // No token of the protocol goes on in the next line.
        let mut start = token.span.start as usize;
        for line in text[start..token.span.end as usize].split_inclusive('\n') {
            let position = lines.position(start);
            let part = line.trim_end_matches(['\n', '\r']);
            if !part.is_empty() {
                let delta_line = position.line - before.line;
                let same = if delta_line == 0 { before.character } else { 0 };
                data.push(SemanticToken {
                    delta_line,
                    delta_start: position.character - same,
                    length: encoding.length(part),
                    token_type: number as u32,
                    token_modifiers_bitset: modifiers,
                });
                before = position;
            }
            start += line.len();
        }
    }
    Some(SemanticTokens { result_id: None, data })
}

fn inlay_hints(workspace: &mut Workspace, params: InlayHintParams) -> Option<Vec<InlayHint>> {
    let subject = workspace.subject(params.text_document.uri.as_str())?;
    let lines = LineOffsets::new(subject.document.text(), workspace.encoding);
    let part = lines.offsets(params.range);
    let hints = subject.document.inlay_hints(Span::new(subject.document.source(), part.start, part.end)).into_iter();
    let hints = hints.map(|hint| InlayHint {
        position: lines.position(hint.at),
        label: InlayHintLabel::String(hint.text),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: None,
        padding_right: None,
        data: None,
    });
    Some(hints.collect())
}

/// The quick fixes: the help that can be applied.
fn code_actions(workspace: &mut Workspace, params: CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
    let wanted = params
        .context
        .only
        .is_none_or(|kinds| kinds.iter().any(|kind| kind.as_str().is_empty() || *kind == CodeActionKind::QUICKFIX));
    let uri = params.text_document.uri.as_str();
    let subject = workspace.subject(uri).filter(|_| wanted)?;
    let encoding = workspace.encoding;
    let lines = LineOffsets::new(subject.document.text(), encoding);
    let found = known_of(workspace, uri, &subject);
    let mut actions = Vec::new();
    for diagnostic in found.iter().filter(|diagnostic| !diagnostic.edits.is_empty()) {
        let shown = translated(diagnostic, &subject, &lines, encoding);
        // The fix mends all places of the mistake, and is offered at each.
        let own = diagnostic.labels.iter().filter(|label| label.span.source == subject.document.source());
        let mut places = own.map(|label| range(&lines, label.span)).chain([shown.range]);
        if !places.any(|place| params.range.start <= place.end && place.start <= params.range.end) {
            continue;
        }
        let edit = |edit: &Edit| {
            let Location { uri, range } = location(&subject, edit.span, encoding)?;
            Some((uri, TextEdit::new(range, edit.text.clone())))
        };
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: diagnostic.help.first().unwrap_or(&diagnostic.message).clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            edit: Some(workspace_edit(diagnostic.edits.iter().filter_map(edit))),
            diagnostics: Some(vec![shown]),
            is_preferred: Some(true),
            ..Default::default()
        }));
    }
    Some(actions)
}

fn lenses(workspace: &mut Workspace, params: CodeLensParams) -> Option<Vec<CodeLens>> {
    let text = params.text_document.uri.as_str();
    let subject = workspace.subject(text)?;
    let is_model = subject.document.source() == Document::MODEL;
    // A model is solved with its open data.
    let data: Vec<String> = match is_model {
        true => workspace
            .data_of(text)
            .first()
            .map(|data| data.uri(data.document.source()).to_owned())
            .into_iter()
            .collect(),
        false => vec![text.to_owned()],
    };
    let lines = LineOffsets::new(subject.document.text(), workspace.encoding);
    let lens = |lens: conjure_like::CodeLens| CodeLens {
        range: range(&lines, lens.span),
        command: Some(Command {
            title: lens.command.to_string(),
            command: commands::name(lens.command),
            arguments: Some(vec![subject.model().into(), data.clone().into()]),
        }),
        data: None,
    };
    Some(subject.document.lenses().into_iter().map(lens).collect())
}

/// The width of formatted texts, as `conjure-like fmt` has it.
const WIDTH: usize = 120;

fn formatting(workspace: &mut Workspace, params: DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let subject = workspace.subject(params.text_document.uri.as_str())?;
    let text = subject.document.text();
    let formatted = format(&Text::new("", text), WIDTH).ok()?;
    let lines = LineOffsets::new(text, workspace.encoding);
    let edit = TextEdit::new(lines.range(0, text.len()), formatted);
    Some(if edit.new_text == text { Vec::new() } else { vec![edit] })
}
