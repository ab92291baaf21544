//! Requests about texts: translates positions to offsets, and the library's results to the objects of the Language
//! Server Protocol.

use super::{
    Answered, ErrorCode, commands,
    diagnostics::{location, published},
    message_json, message_parameters,
    ranges::{Location, TextDocumentIdentifier, TextPosition, TextRange},
    refused_message, without_nulls,
    workspace::{Subject, Workspace},
};
use crate::{
    Completion, CompletionKind, Diagnostic, Document, Edit, OutlineItem, SemanticKind, Span, SymbolKind, Text, api,
    protocol::{Encoding, Positions},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};

/// The parameters of a request about a text. Each request uses some of them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TextRequest {
    text_document: TextDocumentIdentifier,
    #[serde(default)]
    position: TextPosition,
    #[serde(default)]
    range: TextRange,
    #[serde(default)]
    new_name: String,
    #[serde(default)]
    context: RequestContext,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RequestContext {
    include_declaration: bool,
    /// The requested kinds of code actions.
    only: Option<Vec<String>>,
}

/// The capabilities of the server.
pub(super) fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": match encoding {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
        },
        // The kind 2 is incremental: changes are sent as parts of the text.
        "textDocumentSync": 2,
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["(", "[", "{", ".", ":"] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": {},
        "documentFormattingProvider": true,
        "renameProvider": { "prepareProvider": true },
        "foldingRangeProvider": true,
        "inlayHintProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": TOKEN_TYPES, "tokenModifiers": ["declaration", "readonly"] },
            "full": true,
        },
        "executeCommandProvider": { "commands": commands::command_names() },
    })
}

/// Answers a request about texts.
pub(super) fn answered(workspace: &mut Workspace, method: &str, params: &Value) -> Answered {
    let answer: fn(&Asked, &mut Workspace) -> String = match method {
        "textDocument/hover" => |asked, workspace| message_json(&handle_hover(asked, workspace)),
        "textDocument/completion" => |asked, workspace| message_json(&completion(asked, workspace)),
        "textDocument/signatureHelp" => |asked, workspace| message_json(&handle_signature(asked, workspace)),
        "textDocument/definition" => |asked, workspace| message_json(&handle_definition(asked, workspace)),
        "textDocument/references" => |asked, workspace| message_json(&handle_references(asked, workspace)),
        "textDocument/documentHighlight" => |asked, workspace| message_json(&highlights(asked, workspace)),
        "textDocument/prepareRename" => |asked, workspace| message_json(&renamable(asked, workspace)),
        "textDocument/rename" => |asked, workspace| message_json(&handle_edits(asked, workspace)),
        "textDocument/documentSymbol" => |asked, workspace| message_json(&handle_symbols(asked, workspace)),
        "textDocument/foldingRange" => |asked, workspace| message_json(&handle_folding(asked, workspace)),
        "textDocument/semanticTokens/full" => {
            |asked, workspace| message_json(&handle_semantic_tokens(asked, workspace))
        }
        "textDocument/inlayHint" => |asked, workspace| message_json(&handle_inlay_hints(asked, workspace)),
        "textDocument/codeAction" => |asked, workspace| message_json(&code_actions(asked, workspace)),
        "textDocument/codeLens" => |asked, workspace| message_json(&handle_lenses(asked, workspace)),
        "textDocument/formatting" => |asked, workspace| message_json(&formatting(asked, workspace)),
        _ => return Err(refused_message(ErrorCode::MethodNotFound, format!("there is no request `{method}`"))),
    };
    let params: TextRequest = message_parameters(params)?;
    let Some(subject) = workspace.subject(&params.text_document.uri) else { return Ok(message_json(&())) };
    let asked = Asked { encoding: workspace.encoding, subject, params };
    // The handlers themselves cannot fail, so a refused name is reported here.
    if method == "textDocument/rename" {
        let renamed = asked.document().rename(asked.offset(), &asked.params.new_name);
        renamed.map_err(|why| refused_message(ErrorCode::RequestFailed, why))?;
    }
    Ok(answer(&asked, workspace))
}

/// A request about an open text.
struct Asked {
    params: TextRequest,
    subject: Arc<Subject>,
    encoding: Encoding,
}

impl Asked {
    fn uri(&self) -> &str {
        &self.params.text_document.uri
    }

    fn document(&self) -> &Document {
        &self.subject.document
    }

    fn positions(&self) -> Positions<'_> {
        Positions::new(self.document().text(), self.encoding)
    }

    /// The byte offset of the request.
    fn offset(&self) -> usize {
        self.params.position.byte(&self.positions())
    }

    fn range(&self, span: Span) -> TextRange {
        TextRange::of(&self.positions(), span)
    }

    /// The declaration of the name at the position of the request.
    fn declaration(&self) -> Option<Span> {
        self.document().declaration(self.offset())
    }
}

fn markdown_content(text: String) -> Value {
    if text.is_empty() { Value::Null } else { json!({ "kind": "markdown", "value": text }) }
}

/// The diagnostics of a text, including the ones proved by a solver.
pub(super) fn known_of(workspace: &Workspace, uri: &str, subject: &Subject) -> Vec<Diagnostic> {
    let mut found = subject.document.report().diagnostics;
    found.extend_from_slice(workspace.proved(uri));
    found
}

fn handle_hover(asked: &Asked, workspace: &mut Workspace) -> Option<Value> {
    let data = workspace.data_of(asked.subject.model());
    // Any open data are good enough, because a hover shows one example of the values.
    let data = data.iter().map(|data| &data.document).find(|data| data.has_instance());
    let hover = asked.document().hover(asked.offset(), data)?;
    Some(json!({ "contents": markdown_content(hover.text), "range": asked.range(hover.span) }))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CompletionList {
    is_incomplete: bool,
    items: Vec<CompletionItem>,
}

fn completion(asked: &Asked, _: &mut Workspace) -> CompletionList {
    let positions = asked.positions();
    let items = asked.document().completions(asked.offset()).into_iter().enumerate();
    // The items depend on the typed letters, so the editor must ask again after each one.
    let is_incomplete = true;
    CompletionList { is_incomplete, items: items.map(|(rank, item)| completion_item(item, rank, &positions)).collect() }
}

/// A completion item.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CompletionItem {
    label: String,
    kind: u8,
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    documentation: Value,
    sort_text: String,
    insert_text_format: u8,
    text_edit: TextEdit,
}

/// A change of a text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TextEdit {
    range: TextRange,
    new_text: String,
}

fn completion_item(item: Completion, rank: usize, positions: &Positions) -> CompletionItem {
    // These are the numbers of `CompletionItemKind` in the protocol.
    let kind = match item.kind {
        CompletionKind::Function => 3,
        CompletionKind::Field => 5,
        CompletionKind::Name(SymbolKind::Find | SymbolKind::Quantified) => 6,
        CompletionKind::Name(SymbolKind::Domain) => 7,
        CompletionKind::Attribute => 10,
        CompletionKind::Name(SymbolKind::Type) => 13,
        CompletionKind::Keyword => 14,
        CompletionKind::Snippet => 15,
        CompletionKind::Name(SymbolKind::Member) => 20,
        CompletionKind::Name(SymbolKind::Given | SymbolKind::Value) => 21,
        CompletionKind::Operator => 24,
    };
    CompletionItem {
        label: item.label,
        kind,
        detail: item.detail,
        documentation: markdown_content(item.documentation),
        // Editors sort by this text, so the rank in it keeps the items in order.
        sort_text: format!("{rank:04}"),
        // In the protocol, the format 2 is a snippet.
        insert_text_format: 2,
        text_edit: TextEdit { range: TextRange::of(positions, item.span), new_text: item.snippet },
    }
}

fn handle_signature(asked: &Asked, _: &mut Workspace) -> Option<Value> {
    let help = asked.document().signature_help(asked.offset())?;
    let signatures = help.signatures.into_iter().map(|signature| {
        without_nulls(json!({
            "label": signature.label,
            "documentation": markdown_content(signature.documentation),
            "parameters": signature.operands.iter().map(|operand| json!({ "label": operand })).collect::<Value>(),
        }))
    });
    Some(json!({ "signatures": signatures.collect::<Value>(), "activeParameter": help.active }))
}

fn handle_definition(asked: &Asked, _: &mut Workspace) -> Option<Location> {
    Some(location(&asked.subject, asked.declaration()?, asked.encoding))
}

/// The uses of a declaration in the text, its model, and the open data of the model.
fn places_of_uses(workspace: &mut Workspace, subject: &Arc<Subject>, declaration: Span) -> Vec<Location> {
    let encoding = workspace.encoding;
    let mut subjects = Vec::new();
    if declaration.source == Document::MODEL {
        let model = subject.model().to_owned();
        // A name of the model may be used in all of its data, a name of the data only there.
        subjects.extend(workspace.model_text(&model));
        subjects.extend(workspace.data_of(&model));
    } else {
        subjects.push(subject.clone());
    }
    let mut found = Vec::new();
    for subject in subjects {
        let positions = Positions::new(subject.document.text(), encoding);
        let uri = subject.uri(subject.document.source());
        let spans = subject.document.uses(declaration).into_iter();
        found.extend(spans.map(|span| Location { uri: uri.to_owned(), range: TextRange::of(&positions, span) }));
    }
    found
}

fn handle_references(asked: &Asked, workspace: &mut Workspace) -> Option<Vec<Location>> {
    let declaration = asked.declaration()?;
    let mut found = places_of_uses(workspace, &asked.subject, declaration);
    if !asked.params.context.include_declaration {
        let declaration = location(&asked.subject, declaration, asked.encoding);
        found.retain(|found| *found != declaration);
    }
    Some(found)
}

fn highlights(asked: &Asked, _: &mut Workspace) -> Option<Value> {
    let positions = asked.positions();
    let spans = asked.document().uses(asked.declaration()?).into_iter();
    Some(spans.map(|span| json!({ "range": TextRange::of(&positions, span) })).collect())
}

fn renamable(asked: &Asked, _: &mut Workspace) -> Option<Value> {
    let mut spans = asked.document().uses(asked.declaration()?).into_iter();
    // A cursor directly after a name counts as on the name.
    let here = spans.find(|span| (span.start as usize..=span.end as usize).contains(&asked.offset()))?;
    Some(json!(asked.range(here)))
}

/// The edits that rename a declaration.
fn handle_edits(asked: &Asked, workspace: &mut Workspace) -> Option<Value> {
    let edit = |Location { uri, range }| (uri, TextEdit { range, new_text: asked.params.new_name.clone() });
    Some(workspace_edit(places_of_uses(workspace, &asked.subject, asked.declaration()?).into_iter().map(edit)))
}

fn workspace_edit(edits: impl Iterator<Item = (String, TextEdit)>) -> Value {
    let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    edits.for_each(|(uri, edit)| changes.entry(uri).or_default().push(edit));
    json!({ "changes": changes })
}

/// A statement, or a part of it, in the outline.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentSymbol {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
    kind: u8,
    range: TextRange,
    selection_range: TextRange,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<DocumentSymbol>,
}

fn handle_symbols(asked: &Asked, _: &mut Workspace) -> Vec<DocumentSymbol> {
    let positions = asked.positions();
    asked.document().outline().into_iter().map(|item| document_symbol(item, &positions)).collect()
}

fn document_symbol(item: OutlineItem, positions: &Positions) -> DocumentSymbol {
    DocumentSymbol {
        name: item.name,
        detail: item.detail,
        // These are the numbers of `SymbolKind` in the protocol.
        kind: match item.kind {
            Some(SymbolKind::Domain) => 5,
            Some(SymbolKind::Type) => 10,
            Some(SymbolKind::Find | SymbolKind::Quantified) => 13,
            Some(SymbolKind::Given | SymbolKind::Value) => 14,
            Some(SymbolKind::Member) => 22,
            None => 24,
        },
        range: TextRange::of(positions, item.span),
        selection_range: TextRange::of(positions, item.selection),
        children: item.children.into_iter().map(|child| document_symbol(child, positions)).collect(),
    }
}

fn handle_folding(asked: &Asked, _: &mut Workspace) -> Option<Value> {
    let positions = asked.positions();
    let ranges = asked.document().folding_ranges().into_iter().map(|folded| {
        let TextRange { start, end } = TextRange::of(&positions, folded.span);
        let kind = if folded.is_comment { "comment" } else { "region" };
        json!({ "startLine": start.line, "endLine": end.line, "kind": kind })
    });
    Some(ranges.collect())
}

/// The token types; their indices are the numbers in the protocol.
const TOKEN_TYPES: [&str; 11] = [
    "variable",
    "parameter",
    "type",
    "enum",
    "enumMember",
    "keyword",
    "decorator",
    "function",
    "operator",
    "number",
    "comment",
];

/// Returns the type of a token, and true if it is read-only.
fn token_type(kind: SemanticKind) -> (&'static str, bool) {
    match kind {
        SemanticKind::Name(kind) => match kind {
            SymbolKind::Find => ("variable", false),
            SymbolKind::Given | SymbolKind::Value => ("variable", true),
            SymbolKind::Quantified => ("parameter", false),
            SymbolKind::Domain => ("type", false),
            SymbolKind::Type => ("enum", false),
            SymbolKind::Member => ("enumMember", false),
        },
        SemanticKind::Keyword => ("keyword", false),
        SemanticKind::Attribute => ("decorator", false),
        SemanticKind::Function => ("function", false),
        SemanticKind::Operator => ("operator", false),
        SemanticKind::Number => ("number", false),
        SemanticKind::Comment => ("comment", false),
    }
}

#[derive(Serialize)]
struct SemanticTokens {
    data: Vec<usize>,
}

fn handle_semantic_tokens(asked: &Asked, _: &mut Workspace) -> SemanticTokens {
    let (text, positions) = (asked.document().text(), asked.positions());
    let mut before = TextPosition::default();
    let mut data = Vec::new();
    for token in asked.document().semantic_tokens() {
        let (kind, is_read_only) = token_type(token.kind);
        let number = TOKEN_TYPES.iter().position(|known| *known == kind).unwrap_or_default();
        let modifiers = usize::from(token.is_declaration) | usize::from(is_read_only) << 1;
        // In the protocol, a token must not span lines, so a comment is split.
        let mut start = token.span.start as usize;
        for line in text[start..token.span.end as usize].split_inclusive('\n') {
            let position = TextPosition::of(&positions, start);
            let part = line.trim_end_matches(['\n', '\r']);
            if !part.is_empty() {
                // The protocol requires that the position of each token is relative to the previous one.
                let lines = position.line - before.line;
                let same = if lines == 0 { before.character } else { 0 };
                data.extend([lines, position.character - same, asked.encoding.length(part), number, modifiers]);
                before = position;
            }
            start += line.len();
        }
    }
    SemanticTokens { data }
}

fn handle_inlay_hints(asked: &Asked, _: &mut Workspace) -> Option<Value> {
    let positions = asked.positions();
    let part = asked.params.range.bytes(&positions);
    let hints = asked.document().inlay_hints(Span::new(asked.document().source(), part.start, part.end)).into_iter();
    // In the protocol, the kind 1 is "type".
    let hint = |at, text| json!({ "position": TextPosition::of(&positions, at), "label": text, "kind": 1 });
    Some(hints.map(|found| hint(found.at, found.text)).collect())
}

/// Returns the quick fixes: the diagnostics with edits.
fn code_actions(asked: &Asked, workspace: &mut Workspace) -> Option<Value> {
    let wanted = asked.params.context.only.as_ref();
    // The empty kind includes all others.
    let wanted = wanted.is_none_or(|kinds| kinds.iter().any(|kind| kind.is_empty() || kind == "quickfix"));
    let known = if wanted { known_of(workspace, asked.uri(), &asked.subject) } else { Vec::new() };
    let Asked { subject, encoding, .. } = asked;
    let positions = asked.positions();
    let mut actions = Vec::new();
    for diagnostic in known.into_iter().filter(|diagnostic| !diagnostic.edits.is_empty()) {
        let (range, shown) = published(&diagnostic, subject, &positions, *encoding);
        // The fix mends all places of the mistake, so it is offered at each of them.
        let own = diagnostic.labels.iter().filter(|label| label.span.source == asked.document().source());
        let mut places = own.map(|label| TextRange::of(&positions, label.span)).chain([range]);
        if !places.any(|place| asked.params.range.touches(place)) {
            continue;
        }
        let edit = |edit: &Edit| {
            let Location { uri, range } = location(subject, edit.span, *encoding);
            (uri, TextEdit { range, new_text: edit.text.clone() })
        };
        actions.push(json!({
            "title": diagnostic.help.first().unwrap_or(&diagnostic.message),
            "kind": "quickfix",
            "edit": workspace_edit(diagnostic.edits.iter().map(edit)),
            "diagnostics": [shown],
            "isPreferred": true,
        }));
    }
    Some(actions.into())
}

fn handle_lenses(asked: &Asked, workspace: &mut Workspace) -> Option<Value> {
    let text = asked.uri();
    let is_model = asked.document().source() == Document::MODEL;
    // A model is solved with the first of its open data.
    let data = match is_model {
        true => workspace.data_of(text).first().map(|data| data.uri(data.document.source()).to_owned()),
        false => Some(text.to_owned()),
    };
    let positions = asked.positions();
    let lens = |lens: crate::CodeLens| {
        json!({
            "range": TextRange::of(&positions, lens.span),
            "command": {
                "title": lens.command.to_string(),
                "command": commands::command_name(lens.command),
                "arguments": [asked.subject.model(), data.as_slice()],
            },
        })
    };
    Some(asked.document().lenses().into_iter().map(lens).collect())
}

/// The width of formatted texts, as in `conjure-like fmt`.
const WIDTH: usize = 120;

fn formatting(asked: &Asked, _: &mut Workspace) -> Option<Vec<TextEdit>> {
    let text = asked.document().text();
    let new_text = api::format(&Text::new("", text), WIDTH).ok()?;
    let range = asked.range(Span::new(asked.document().source(), 0, text.len()));
    Some(if new_text == text { Vec::new() } else { vec![TextEdit { range, new_text }] })
}
