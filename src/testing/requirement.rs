//! Finds the requirement that a test case names: by its comment, its text in Essence, or the variable whose domain it
//! is.

use crate::{
    api::Model,
    source::Span,
    syntax::ast::{Comment, CommentSubject, Statement, StatementKind},
};

/// A constraint or a declaration of a model.
struct NamedRequirement {
    span: Span,
    /// The names that the declaration introduces.
    names: Vec<String>,
    /// The text on one line.
    code: String,
    /// The comment on one line.
    words: String,
}

/// The span of the requirement named `wanted`, or an error message and help.
pub(super) fn requirement_named(model: &Model, wanted: &str) -> Result<Span, (String, String)> {
    let all = named_requirements(model);
    let wanted = wanted.trim().trim_end_matches('.');
    let is_name = |requirement: &&NamedRequirement| requirement.names.iter().any(|name| name == wanted);
    let is_whole = |requirement: &&NamedRequirement| {
        is_same_requirement(&requirement.code, wanted)
            || is_same_requirement(requirement.words.trim_end_matches('.'), wanted)
    };
    let is_part = |requirement: &&NamedRequirement| {
        let wanted = wanted.to_lowercase();
        requirement.code.to_lowercase().contains(&wanted) || requirement.words.to_lowercase().contains(&wanted)
    };
    // A name or a whole text has priority over a part: `x` means the variable, although constraints contain the letter.
    for found in [
        all.iter().filter(is_name).collect::<Vec<_>>(),
        all.iter().filter(is_whole).collect(),
        all.iter().filter(is_part).collect(),
    ] {
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one.span),
            several => {
                let lines: Vec<String> = several.iter().map(|one| line_of_span(model, one.span).to_string()).collect();
                let message = format!("{} requirements of the model say `{wanted}`", several.len());
                let help = format!("write more of the intended one; they are on lines {}", lines.join(", "));
                return Err((message, help));
            }
        }
    }
    let message = format!("no requirement of the model says `{wanted}`");
    let help = "write a part of a constraint, of the comment at a constraint, or the name of a variable";
    Err((message, help.to_owned()))
}

fn is_same_requirement(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

fn line_of_span(model: &Model, span: Span) -> usize {
    model.sources.get(Model::SOURCE).line_and_column(span.start as usize).0
}

fn named_requirements(model: &Model) -> Vec<NamedRequirement> {
    let file = &model.read.file;
    let mut found = Vec::new();
    for statement in &file.statements {
        match &statement.kind {
            StatementKind::SuchThat(items) | StatementKind::Where(items) => {
                let spans = items.iter().map(|item| item.span);
                found.extend(spans.map(|span| requirement(model, span, Vec::new())));
            }
            StatementKind::Find { names, .. } | StatementKind::Given { names, .. } => {
                let names = names.iter().map(|name| name.text.to_string()).collect();
                found.push(requirement(model, statement.span, names));
            }
            _ => {}
        }
    }
    // If `such that` has a single constraint, the comment above it belongs to this constraint.
    for (statement, comments) in
        file.statements.iter().filter_map(|statement| comments_above(statement, &file.comments))
    {
        let mut inside = found.iter_mut().filter(|one| statement.span.contains(one.span));
        if let (Some(only), None) = (inside.next(), inside.next())
            && only.words.is_empty()
        {
            only.words = comments;
        }
    }
    found
}

fn requirement(model: &Model, span: Span, names: Vec<String>) -> NamedRequirement {
    let comments = model.read.file.comments.iter().filter(|comment| comment.subject.span() == Some(span));
    NamedRequirement { span, names, code: model.on_one_line(span), words: joined_comment_words(comments) }
}

/// The words of the comments that describe a whole statement.
fn comments_above<'a>(statement: &'a Statement, comments: &[Comment]) -> Option<(&'a Statement, String)> {
    let is_above = |comment: &&Comment| match comment.subject {
        CommentSubject::Several(first, last) => statement.span.contains(first) && statement.span.contains(last),
        CommentSubject::Other(span) => span == statement.span,
        _ => false,
    };
    let words = joined_comment_words(comments.iter().filter(is_above));
    (!words.is_empty()).then_some((statement, words))
}

fn joined_comment_words<'a>(comments: impl Iterator<Item = &'a Comment>) -> String {
    let texts = comments.map(|comment| comment.text.trim_start_matches('$').to_string());
    let texts: Vec<String> = texts.collect();
    texts.iter().flat_map(|text| text.split_whitespace()).collect::<Vec<_>>().join(" ")
}
