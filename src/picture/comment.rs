//! Comments in a model that describe the picture of a variable:
//!
//! ```essence
//! $ picture: board as grid, hints from hints, signs from less_than
//! ```
//!
//! A comment names a variable, a shape, and the sources of the roles in the picture. `type-check` and the commands that
//! draw pictures check it like the rest of the model; other commands ignore it.

use crate::{
    analysis::model::{Declaration, DeclarationId, DeclarationKind, TypedModel},
    diagnostic::{Code, Diagnostic, Diagnostics, nearest},
    language::{Type, quotation::quoted_length},
    picture::roles::{FORMS, PictureRole, ROLES, RoleRow, ShapeName, can_be},
    source::Span,
    syntax::ast::Comment,
};

/// The description of a variable's picture.
#[derive(Clone, Debug)]
pub(crate) struct Directive {
    pub variable: DeclarationId,
    pub form: ShapeName,
    pub overlays: Vec<(PictureRole, RoleSource)>,
}

impl Directive {
    /// Returns the source of a role.
    pub(crate) fn overlay(&self, role: PictureRole) -> Option<&RoleSource> {
        self.overlays.iter().find(|(other, _)| *other == role).map(|(_, source)| source)
    }

    /// Returns the names whose values the picture shows in addition to the variable.
    pub(crate) fn names<'m>(&self, model: &'m TypedModel) -> impl Iterator<Item = &'m str> {
        self.overlays.iter().filter_map(|(_, source)| match source {
            RoleSource::Named(id) => Some(&*model.declaration(*id).name),
            _ => None,
        })
    }
}

/// The sources of roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoleSource {
    Named(DeclarationId),
    Number(i64),
    /// The role has no source.
    Itself,
}

/// Reads the picture comments of a model and reports their mistakes.
pub(crate) fn directives(comments: &[Comment], model: &TypedModel, diagnostics: &mut Diagnostics) -> Vec<Directive> {
    let mut directives: Vec<(Directive, Span)> = Vec::new();
    for comment in comments {
        let Some(text) = comment.text.strip_prefix('$').and_then(|text| text.trim_start().strip_prefix("picture:"))
        else {
            diagnostics.extend(picture_without_colon(comment, model));
            continue;
        };
        // The text ends where the comment ends, so its start is counted from there.
        let start = comment.span.start as usize + comment.text.len() - text.len();
        let reader = DirectiveReader { model, comment: comment.span, words: comment_words(text, start, comment.span) };
        match reader.directive() {
            Ok((directive, span)) => match directives.iter().find(|(other, _)| other.variable == directive.variable) {
                // The first comment counts, and a second one is a mistake.
                Some((_, first)) => diagnostics.push(
                    picture_error("two comments describe the picture of the same variable")
                        .at(span, "the second one")
                        .at(*first, "the first one")
                        .help("remove one of them"),
                ),
                None => directives.push((directive, span)),
            },
            Err(mistake) => diagnostics.push(*mistake),
        }
    }
    directives.into_iter().map(|(directive, _)| directive).collect()
}

/// Returns the error about a comment such as `$ picture x as row`. Because `x` is declared, a picture was intended, but
/// without the colon the comment has no effect.
fn picture_without_colon(comment: &Comment, model: &TypedModel) -> Option<Diagnostic> {
    let text = comment.text.strip_prefix('$')?.trim_start();
    let (word, rest) = text.split_at(text.find(|letter: char| !letter.is_alphabetic())?);
    // Comments for other tools may start with `$`, too.
    if !["picture", "pictures"].contains(&&*word.to_ascii_lowercase()) {
        return None;
    }
    let rest = rest.trim_start_matches(':').trim();
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [name, "as", _, ..] = words[..] else { return None };
    let is_declared = model.declarations.iter().any(|declaration| *declaration.name == *name);
    is_declared.then(|| {
        let mistake = picture_error("this comment about a picture cannot be read").at(comment.span, "this comment");
        mistake.help(format!("write `$ picture: {rest}`"))
    })
}

fn picture_error(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::PICTURE_COMMENT, message)
}

/// Splits a text that starts at an offset of the file into words and commas.
fn comment_words(text: &str, start: usize, within: Span) -> Vec<(&str, Span)> {
    let mut words = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return words };
        let end = match first {
            ',' => 1,
            // A quoted name may contain blanks and commas.
            '"' => quoted_length(rest).unwrap_or(rest.len()),
            _ => rest.find(|character: char| character == ',' || character.is_whitespace()).unwrap_or(rest.len()),
        };
        let at = start + text.len() - rest.len();
        words.push((&rest[..end], Span::new(within.source, at, at + end)));
        rest = &rest[end..];
    }
}

struct DirectiveReader<'a> {
    model: &'a TypedModel,
    comment: Span,
    words: Vec<(&'a str, Span)>,
}

type DirectiveResult<T> = std::result::Result<T, Box<Diagnostic>>;

const EXAMPLE: &str = "write `$ picture: board as grid`, or with data `$ picture: board as grid, hints from hints`";

impl DirectiveReader<'_> {
    fn directive(&self) -> DirectiveResult<(Directive, Span)> {
        let mut parts = self.words.split(|(word, _)| *word == ",");
        let first = parts.next().unwrap_or_default();
        let [(name, name_span), ("as", _), (form, form_span)] = first else {
            // If nothing follows `$ picture:`, the error can only point at the comment.
            let span = first.first().map_or(self.comment, |(_, start)| start.to(first[first.len() - 1].1));
            return Err(Box::new(
                picture_error("a picture needs a variable and a shape")
                    .at(span, "expected `VARIABLE as SHAPE`")
                    .help(EXAMPLE),
            ));
        };
        let is_find = |declaration: &Declaration| matches!(declaration.kind, DeclarationKind::Find(_));
        let variable = self.declaration(name, *name_span, &is_find, "decision variable")?;
        let Some((_, form, needs)) = FORMS.iter().find(|(word, ..)| word == form) else {
            let known = FORMS.iter().map(|(word, ..)| *word);
            return Err(unknown(&format!("there is no shape `{form}`"), form, *form_span, known));
        };
        let overlays = parts.map(|part| self.overlay(part, *form, variable)).collect::<DirectiveResult<Vec<_>>>()?;
        let declaration = self.model.declaration(variable);
        if !can_be(
            *form,
            &declaration.ty,
            overlays.iter().any(|(role, _)| [PictureRole::Edges, PictureRole::Arrows].contains(role)),
        ) {
            return Err(Box::new(
                picture_error(format!("`{name}` cannot be drawn in this shape"))
                    .at(*form_span, format!("this shape needs {needs}"))
                    .at(declaration.span, format!("this is `{}`", declaration.ty)),
            ));
        }
        Ok((Directive { variable, form: *form, overlays }, *name_span))
    }

    fn overlay(
        &self,
        words: &[(&str, Span)],
        form: ShapeName,
        variable: DeclarationId,
    ) -> DirectiveResult<(PictureRole, RoleSource)> {
        let Some((word, span)) = words.first() else {
            return Err(Box::new(
                picture_error("there is nothing after the comma").at(self.comment, "in this comment").help(EXAMPLE),
            ));
        };
        let known = || ROLES.iter().filter(|row| row.form == form);
        // Both spellings are accepted, British and American.
        let Some(row) = known().find(|row| row.word == *word || row.word == "colours" && *word == "colors") else {
            return Err(match known().next() {
                // This shape has no roles, so there are no words to suggest.
                None => Box::new(
                    picture_error(format!("this shape has no role `{word}`"))
                        .at(*span, "not needed here")
                        .help("leave out the rest of the comment"),
                ),
                Some(_) => {
                    unknown(&format!("this shape has no role `{word}`"), word, *span, known().map(|row| row.word))
                }
            });
        };
        let source = match (row.fits, words) {
            (None, [_]) => RoleSource::Itself,
            (Some(fits), [_, ("from" | "of", _), (value, span)]) => self.source(row, fits, value, *span, variable)?,
            (None, [_, rest @ ..]) => {
                let rest = rest[0].1.to(rest[rest.len() - 1].1);
                return Err(Box::new(
                    picture_error(format!("`{}` needs no data", row.word))
                        .at(rest, "not needed here")
                        .help(format!("write `{}` alone", row.word)),
                ));
            }
            (Some(_), _) => {
                let all = span.to(words[words.len() - 1].1);
                return Err(Box::new(
                    picture_error("this part of a picture is incomplete")
                        .at(all, format!("expected `{} from NAME`", row.word))
                        .help(EXAMPLE),
                ));
            }
            // This case cannot occur, because the first word was found above.
            (None, []) => RoleSource::Itself,
        };
        Ok((row.role, source))
    }

    fn source(
        &self,
        row: &RoleRow,
        fits: fn(&Type, &Type) -> bool,
        value: &str,
        span: Span,
        variable: DeclarationId,
    ) -> DirectiveResult<RoleSource> {
        let variable = self.model.declaration(variable);
        let misfit = || picture_error(format!("`{value}` cannot be the {} of this picture", row.word));
        if let Ok(number) = value.parse::<i64>() {
            return match fits(&variable.ty, &Type::INT) && number > 0 {
                true => Ok(RoleSource::Number(number)),
                false => Err(Box::new(misfit().at(span, format!("this role needs {}", row.needs)))),
            };
        }
        let has_value = |declaration: &Declaration| {
            matches!(
                declaration.kind,
                DeclarationKind::Find(_) | DeclarationKind::Given(_) | DeclarationKind::Letting(_)
            )
        };
        let id = self.declaration(value, span, &has_value, "parameter")?;
        let declaration = self.model.declaration(id);
        if !fits(&variable.ty, &declaration.ty) {
            return Err(Box::new(
                misfit()
                    .at(span, format!("this is `{}`", declaration.ty))
                    .at(variable.span, format!("the variable is `{}`", variable.ty))
                    .help(format!("this role needs {}", row.needs)),
            ));
        }
        Ok(RoleSource::Named(id))
    }

    fn declaration(
        &self,
        name: &str,
        span: Span,
        suits: &dyn Fn(&Declaration) -> bool,
        what: &str,
    ) -> DirectiveResult<DeclarationId> {
        match self.model.declared().find(|(_, declaration)| &*declaration.name == name) {
            Some((id, declaration)) if suits(declaration) => Ok(id),
            Some((_, declaration)) => Err(Box::new(
                picture_error(format!("`{name}` is not a {what}"))
                    .at(span, format!("expected a {what}"))
                    .at(declaration.span, "declared here"),
            )),
            None => {
                let known = self.model.declarations.iter().filter(|declaration| suits(declaration));
                let known = known.map(|declaration| &*declaration.name);
                let mistake = Diagnostic::error(Code::UNKNOWN_NAME, format!("there is no {what} `{name}`"))
                    .at(span, "not declared in this model");
                Err(Box::new(suggested(mistake, name, known)))
            }
        }
    }
}

fn unknown<'a>(message: &str, word: &str, span: Span, known: impl Iterator<Item = &'a str> + Clone) -> Box<Diagnostic> {
    Box::new(suggested(picture_error(message).at(span, "not known"), word, known))
}

fn suggested<'a>(mistake: Diagnostic, word: &str, known: impl Iterator<Item = &'a str> + Clone) -> Diagnostic {
    match nearest(word, known.clone()) {
        Some(near) => mistake.help(format!("did you mean `{near}`?")),
        None => {
            mistake.help(format!("there are {}", known.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")))
        }
    }
}
