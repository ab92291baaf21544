//! Checks the comments for the app of a model, such as `$ app: label less_than as Signs`. A comment that starts with
//! `app:` and has no meaning is a mistake.

use super::{
    model::{DeclarationKind, TypedModel},
    wishes::{text_behind, text_for_app},
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, nearest},
    language::{Name, quotation::unquoted},
    source::Span,
    syntax::ast::Comment,
};

/// The verbs of comments for the app, each with an example of the whole comment.
const FORMS: [(&str, &str); 12] = [
    ("title", "title Rota of the ward"),
    ("label", "label guest as Guests"),
    ("hide", "hide offset, total"),
    ("fix", "fix capacity"),
    ("order", "order guest, tables"),
    ("group", "group chairs, tables as The room"),
    ("view", "view seat as list"),
    ("axes", "axes rota as person, day"),
    ("colour", "colour rota by shift"),
    ("clock", "clock opens, closes"),
    ("optional", "optional"),
    ("say", "say \"The guests.\" as \"Who is coming?\""),
];

/// The ways to show a decision variable that `view` can choose.
const VIEWS: [&str; 2] = ["table", "list"];

/// The orders of the labels along an axis, written after its name. By default, they follow the model and the data.
const ORDERS: [&str; 2] = [" by name", " reversed"];

/// A comment for the app, split into its parts.
struct AppComment<'c> {
    span: Span,
    /// The language of the texts, such as `de` in `in de …`; empty if the comment names none.
    language: &'c str,
    verb: &'c str,
    rest: &'c str,
}

impl<'c> AppComment<'c> {
    fn new(span: Span, text: &'c str) -> Self {
        let text = text.trim();
        let inside = text.strip_prefix("in ").and_then(|text| text.trim_start().split_once(char::is_whitespace));
        let (language, text) = inside.map_or(("", text), |(language, text)| (language, text.trim_start()));
        // `optional` has no arguments, so the whole text is the verb.
        let (verb, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        AppComment { span, language, verb, rest: rest.trim() }
    }

    /// The example of this comment's verb; `None` if the verb is unknown.
    fn form(&self) -> Option<&'static str> {
        FORMS.iter().find(|(verb, _)| *verb == self.verb).map(|(_, form)| *form)
    }

    /// The texts before and after ` as `, or ` by ` for a colour, without quotation marks.
    fn two_sides(&self) -> Option<(&'c str, &'c str)> {
        // A paragraph may contain ` as `, so if both sides are quoted, the quotation marks separate them.
        let quoted = self.rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')?.split_once("\" as \""));
        let word = if self.verb == "colour" { " by " } else { " as " };
        let (before, text) = quoted.or_else(|| self.rest.split_once(word))?;
        let (before, text) = (before.trim(), text.trim().trim_matches('"'));
        (!before.is_empty() && !text.is_empty()).then_some((before, text))
    }

    /// The parameters and decision variables that the comment names.
    fn names(&self) -> Vec<&'c str> {
        let listed = match self.verb {
            "hide" | "fix" | "order" | "clock" => self.rest,
            "label" | "group" | "view" | "axes" | "colour" => self.two_sides().map_or("", |(names, _)| names),
            _ => "",
        };
        listed.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
    }

    /// The axes of a decision variable that the comment names: types, or positions counted from 1. The order of their
    /// labels is left out.
    fn axes(&self) -> Vec<&'c str> {
        let listed = match self.verb {
            "axes" | "colour" => self.two_sides().map_or("", |(_, axes)| axes),
            _ => "",
        };
        let without_order = |axis: &'c str| match self.verb {
            "axes" => ORDERS.iter().find_map(|order| axis.strip_suffix(order)).unwrap_or(axis).trim_end(),
            _ => axis,
        };
        listed.split(',').map(str::trim).map(without_order).filter(|axis| !axis.is_empty()).collect()
    }

    /// Returns true if the comment has all parts that its verb needs.
    fn is_complete(&self) -> bool {
        match self.verb {
            "view" => self.names().len() == 1 && self.two_sides().is_some_and(|(_, view)| VIEWS.contains(&view)),
            "axes" => self.names().len() == 1 && (1..=3).contains(&self.axes().len()),
            "colour" => self.names().len() == 1 && self.axes().len() == 1,
            "optional" => self.rest.is_empty(),
            "title" => !self.rest.is_empty(),
            "say" => self.two_sides().is_some(),
            "label" => self.names().len() == 1,
            _ => !self.names().is_empty(),
        }
    }

    /// The key that at most one comment may have: the title in a language, the label of a name, or the replaced
    /// paragraph.
    fn subject(&self) -> Option<(&'c str, &'c str, &'c str)> {
        match self.verb {
            "title" => Some((self.language, self.verb, "")),
            "label" | "say" | "view" | "axes" | "colour" => Some((self.language, self.verb, self.two_sides()?.0)),
            _ => None,
        }
    }

    fn error(&self, message: impl Into<String>, label: &str) -> Diagnostic {
        Diagnostic::error(Code::APP_COMMENT, message).at(self.span, label)
    }
}

/// Returns the parameters and decision variables that are minutes after midnight.
pub(super) fn clocks(comments: &[Comment]) -> Vec<Name> {
    let said = comments.iter().filter_map(|comment| Some(AppComment::new(comment.span, text_for_app(comment)?)));
    said.filter(|said| said.verb == "clock").flat_map(|said| said.names()).map(Name::from).collect()
}

/// Reports comments for the app that cannot be read, that repeat an earlier one, or that name something that the model
/// does not declare. A type whose members the model lists counts as declared: it may have been a parameter before the
/// data were written into the model.
pub(super) fn check_app_comments(comments: &[Comment], model: &TypedModel, diagnostics: &mut Diagnostics) {
    let is_shown = |kind: &DeclarationKind| {
        matches!(
            kind,
            DeclarationKind::Given(_)
                | DeclarationKind::GivenEnum
                | DeclarationKind::Enum(_)
                | DeclarationKind::Find(_)
        )
    };
    let known = model.declarations.iter().filter(|declaration| is_shown(&declaration.kind));
    let known: Vec<_> = known.map(|declaration| unquoted(&declaration.name)).collect();
    let known: Vec<&str> = known.iter().map(|name| &**name).collect();
    let mut earlier: Vec<AppComment> = Vec::new();
    for comment in comments {
        let Some(text) = text_for_app(comment) else {
            diagnostics.extend(without_colon(comment, &known));
            continue;
        };
        let said = AppComment::new(comment.span, text);
        // Each comment gets one report, so a comment that is wrong by itself is not compared with earlier ones.
        let mistakes = mistakes(&said, &known, comments);
        if mistakes.is_empty() {
            let again = said.subject().and_then(|subject| {
                let first = earlier.iter().find(|other| other.subject() == Some(subject))?;
                Some(
                    said.error("two comments for the app say the same thing", "the second one")
                        .at(first.span, "the first one"),
                )
            });
            diagnostics.extend(again.map(|again| again.help("remove one of them")));
        }
        diagnostics.extend(mistakes);
        earlier.push(said);
    }
}

fn mistakes(said: &AppComment, known: &[&str], comments: &[Comment]) -> Diagnostics {
    let verb = said.verb;
    let Some(form) = said.form() else {
        let words = FORMS.map(|(verb, _)| verb);
        let error = said.error(format!("`{verb}` means nothing to the app"), "this comment");
        return vec![match nearest(verb, words) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(format!("write one of these words after `app:`: {}", words.join(", "))),
        }];
    };
    if !said.is_complete() {
        let error = said.error(format!("this comment with `{verb}` cannot be read"), "this comment");
        return vec![error.help(format!("write it as in `$ app: {form}`"))];
    }
    let unknown = said.names().into_iter().filter(|name| !known.contains(name));
    let unknown = unknown.map(|name| {
        let message = format!("the model has no parameter and no decision variable `{name}`");
        let error = said.error(message, "named in this comment");
        match nearest(name, known.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        }
    });
    let is_known = |axis: &&str| known.contains(axis) || axis.parse::<usize>().is_ok_and(|position| position > 0);
    let no_axes = said.axes().into_iter().filter(|axis| !is_known(axis)).map(|axis| {
        let error = said.error(format!("`{axis}` is not an axis"), "named in this comment");
        match nearest(axis, known.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("name a type of the model, or give the number of an axis, starting from 1"),
        }
    });
    unknown.chain(no_axes).chain(unknown_paragraph(said, comments)).collect()
}

/// Returns the error that no comment has the paragraph that a `say` comment replaces.
fn unknown_paragraph(said: &AppComment, comments: &[Comment]) -> Option<Diagnostic> {
    let (wanted, _) = said.two_sides().filter(|_| said.verb == "say")?;
    let known = paragraphs(comments);
    if known.iter().any(|paragraph| paragraph == wanted) {
        return None;
    }
    let error = said.error(format!("no comment has the paragraph `{wanted}`"), "another text for this paragraph");
    Some(match nearest(wanted, known.iter().map(String::as_str)) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help("copy the whole paragraph, with its lines joined by spaces"),
    })
}

/// The paragraphs of the comments on lines without code, and each suffix of a paragraph, because its first line may be
/// a title that the app shows separately.
fn paragraphs(comments: &[Comment]) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for comment in comments.iter().filter(|comment| comment.own_line) {
        let line = comment.text.trim_start_matches('$').trim();
        // Empty comment lines separate paragraphs, and directives belong to none.
        if line.is_empty() || line.starts_with("app:") {
            open.clear();
            continue;
        }
        open.push(line);
        found.extend((0..open.len()).map(|first| open[first..].join(" ")));
    }
    found
}

/// Returns the error about a comment that is meant for the app but lacks the colon or has a capital letter. Prose about
/// "the app" is left alone: the next word must be a verb of [`FORMS`], and a name after it must be declared.
fn without_colon(comment: &Comment, known: &[&str]) -> Option<Diagnostic> {
    let text = text_behind(comment, "app").or_else(|| text_behind(comment, "App"))?;
    let said = AppComment::new(comment.span, text.strip_prefix(':').unwrap_or(text));
    let is_meant = said.form().is_some() && said.names().iter().any(|name| known.contains(name));
    is_meant.then(|| {
        let error = said.error("this comment for the app cannot be read", "this comment");
        let language = if said.language.is_empty() { String::new() } else { format!("in {} ", said.language) };
        error.help(format!("write `$ app: {language}{} {}`", said.verb, said.rest))
    })
}
