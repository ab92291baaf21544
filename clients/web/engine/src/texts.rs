//! Questions about texts while they are written.

use crate::{
    answer::{Outcome, diagnostics},
    places::{Units, place},
    request::{self, Request, refusal},
};
use conjure_like::{
    CompletionKind, Document, ExamineOptions, Model, OutlineItem, Report, SemanticKind, Span, SymbolKind, Text,
    check as check_texts, format as formatted,
};
use serde_json::{Value, json};

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
    fn uses(&self, declaration: Span) -> Vec<Value> {
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
fn at(request: &Request, place: &request::Place) -> Result<(Documents, usize), Report> {
    let documents = Documents::new(request, &place.subject)?;
    let byte = documents.units().byte(place.at);
    Ok((documents, byte))
}

pub(crate) fn check(request: &Request, check: &request::Check) -> Outcome {
    let model = request.model()?;
    let data = request.data();
    let mut reports = vec![check_texts(&model, if data.is_empty() { &[] } else { std::slice::from_ref(&data) })];
    // Warnings, and what comments say about pictures, are looked for only if the model is right.
    if let Ok(model) = Model::read(&model) {
        reports.extend(model.pictures().err());
        reports.push(model.warnings());
        if let Ok(instance) = model.instance(&data) {
            reports.push(instance.warnings());
            if check.examine {
                let options = ExamineOptions::default().search(check.limit.options(None));
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
    Ok(json!({"diagnostics": found}))
}

pub(crate) fn complete(request: &Request, place: &request::Place) -> Outcome {
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
        json!({
            "label": item.label,
            "kind": kind,
            "snippet": item.snippet,
            "from": from,
            "to": to,
            "detail": item.detail,
            "documentation": item.documentation,
            "fits": item.fits,
        })
    });
    Ok(json!({"items": items.collect::<Value>()}))
}

pub(crate) fn hover(request: &Request, place: &request::Place) -> Outcome {
    let (documents, byte) = at(request, place)?;
    let hover = documents.subject().hover(byte, documents.instance()).map(|hover| {
        let (from, to) = documents.units().of_span(hover.span);
        json!({"from": from, "to": to, "markdown": hover.text})
    });
    Ok(json!({"hover": hover}))
}

pub(crate) fn signature(request: &Request, place: &request::Place) -> Outcome {
    let (documents, byte) = at(request, place)?;
    let help = documents.subject().signature_help(byte).map(|help| {
        let signatures = help.signatures.into_iter().map(|signature| {
            json!({
                "label": signature.label,
                "operands": signature.operands,
                "documentation": signature.documentation,
            })
        });
        json!({"active": help.active, "signatures": signatures.collect::<Value>()})
    });
    Ok(json!({"signature": help}))
}

pub(crate) fn definition(request: &Request, place: &request::Place) -> Outcome {
    let (documents, byte) = at(request, place)?;
    let subject = documents.subject();
    let declaration = subject.declaration(byte).map(|span| self::place(&subject.report().sources, span));
    Ok(json!({"place": declaration}))
}

pub(crate) fn references(request: &Request, place: &request::Place) -> Outcome {
    let (documents, byte) = at(request, place)?;
    let declaration = documents.subject().declaration(byte);
    Ok(json!({"places": declaration.map_or(Vec::new(), |declaration| documents.uses(declaration))}))
}

pub(crate) fn rename(request: &Request, rename: &request::Rename) -> Outcome {
    let (documents, byte) = at(request, &rename.place)?;
    let declaration = documents.subject().rename(byte, &rename.name).map_err(refusal)?;
    let mut edits = documents.uses(declaration);
    edits.iter_mut().for_each(|edit| edit["text"] = rename.name.as_str().into());
    Ok(json!({"edits": edits}))
}

pub(crate) fn symbols(request: &Request, subject: &request::Subject) -> Outcome {
    let documents = Documents::new(request, subject)?;
    let units = documents.units();
    let items = documents.subject().outline();
    Ok(json!({"symbols": items.into_iter().map(|item| symbol(item, &units)).collect::<Value>()}))
}

fn symbol(item: OutlineItem, units: &Units) -> Value {
    let (from, to) = units.of_span(item.span);
    json!({
        "name": item.name,
        "kind": item.kind.map(name),
        "detail": item.detail,
        "from": from,
        "to": to,
        "selection": units.of_span(item.selection),
        "children": item.children.into_iter().map(|child| symbol(child, units)).collect::<Value>(),
    })
}

pub(crate) fn tokens(request: &Request, subject: &request::Subject) -> Outcome {
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
        json!([from, to, kind, token.is_declaration])
    });
    Ok(json!({"tokens": tokens.collect::<Value>()}))
}

pub(crate) fn inlay_hints(request: &Request, part: &request::Part) -> Outcome {
    let documents = Documents::new(request, &part.subject)?;
    let (subject, units) = (documents.subject(), documents.units());
    let from = part.from.map_or(0, |from| units.byte(from));
    let to = part.to.map_or(subject.text().len(), |to| units.byte(to)).max(from);
    let hints = subject.inlay_hints(Span::new(subject.source(), from, to)).into_iter();
    let hints = hints.map(|hint| json!({"at": units.of_byte(hint.at), "text": hint.text}));
    Ok(json!({"hints": hints.collect::<Value>()}))
}

pub(crate) fn folding(request: &Request, subject: &request::Subject) -> Outcome {
    let documents = Documents::new(request, subject)?;
    let units = documents.units();
    let ranges = documents.subject().folding_ranges().into_iter().map(|range| {
        let (from, to) = units.of_span(range.span);
        json!({"from": from, "to": to, "comment": range.is_comment})
    });
    Ok(json!({"ranges": ranges.collect::<Value>()}))
}

pub(crate) fn format(request: &Request, format: &request::Format) -> Outcome {
    let texts = [request.model()?].into_iter().chain(request.data());
    let mut texts = texts.filter(|text| format.subject.text.as_ref().is_none_or(|name| text.name == *name));
    let text: Text = texts.next().ok_or_else(|| refusal("`text` names none of the texts"))?;
    Ok(json!({"formatted": formatted(&text, format.width)?}))
}

/// The instances in a text of data: JSON may hold several.
pub(crate) fn instances(instances: &request::Instances) -> Value {
    let found = Text::from(&instances.file);
    let found = found.instances().map(Text::alone).map(|text| json!({"name": text.name, "text": text.text}));
    json!({"instances": found.collect::<Value>()})
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
