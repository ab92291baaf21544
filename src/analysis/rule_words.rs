//! The words for rules in explanations: the comment above a constraint or a condition, and templates in comments such
//! as `$ why: {a} and {b} cannot share {room}`.
//!
//! The braces of a template hold expressions over declared names and over the quantified names around the smallest
//! requirements of the rule, which have values in each instance. A template that cannot be filled in gets a warning,
//! not an error: repairs replace constraints with `true`, and must not be refused because of a comment.

use super::{
    Analysis,
    model::{Category, Expr, ExprKind, LocalId, Pattern, Qualifier, RuleWords, Template, TemplatePart, TypedModel},
    names::NameMeaning,
    wishes::constraint_below,
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::Halt,
    language::Type,
    source::Span,
    syntax::{
        self,
        ast::{Comment, ExprTree, File, StatementKind},
        remarks::{Remarks, comment_text},
    },
};

/// The help for a template that cannot be read.
const FORM: &str = "write it on the line above a constraint, with expressions in braces: `$ why: {a} and {b} differ`";

/// Returns the words for the constraints and conditions of a file, and the warnings about its templates.
pub(super) fn rule_words(file: &File, analysis: &mut Analysis) -> (Vec<RuleWords>, Diagnostics) {
    let (mut words, mut wrong) = (Vec::new(), Diagnostics::new());
    if file.comments.is_empty() {
        return (words, wrong);
    }
    let remarks = Remarks::new(&file.comments);
    let templates: Vec<(&Comment, TemplateText)> =
        file.comments.iter().filter_map(|comment| Some((comment, TemplateText::of(comment)?))).collect();
    let rules: Vec<Span> =
        file.statements.iter().flat_map(|statement| rules(&statement.kind)).map(|rule| rule.span).collect();
    for rule in rules.iter().copied() {
        let comment = remarks.above(rule);
        let mut made: Vec<Template> = Vec::new();
        for (place, text) in templates.iter().filter(|(place, _)| place.subject.span() == Some(rule)) {
            if made.iter().any(|other| *other.language == *text.language) {
                let again = warning("two texts for explanations are about one rule").at(place.span, "the second one");
                wrong.push(again.at(rule, "this rule"));
            }
            match analysis.template(text, rule) {
                Ok(template) => made.push(template),
                Err(faults) => wrong.extend(faults),
            }
        }
        if !comment.is_empty() || !made.is_empty() {
            words.push(RuleWords { rule, comment, templates: made });
        }
    }
    for (comment, _) in &templates {
        if !comment.subject.span().is_some_and(|subject| rules.contains(&subject)) {
            wrong.extend(misplaced(comment));
        }
    }
    words.sort_by_key(|words| words.rule.start);
    (words, wrong)
}

/// The constraints or conditions of a statement.
fn rules(statement: &StatementKind) -> &[ExprTree] {
    match statement {
        StatementKind::SuchThat(rules) | StatementKind::Where(rules) => rules,
        _ => &[],
    }
}

fn warning(message: impl Into<String>) -> Diagnostic {
    Diagnostic::warning(Code::WHY_COMMENT, message)
}

/// Returns the warning about a template that belongs to no rule.
fn misplaced(comment: &Comment) -> Option<Diagnostic> {
    let error = |message: &str| warning(message).at(comment.span, "this text");
    constraint_below(comment, "text for explanations", error).err().map(|wrong| wrong.help(FORM))
}

/// The text of a template, with its position.
struct TemplateText<'c> {
    /// The language of the readers, such as `de`; empty for all other readers.
    language: &'c str,
    text: &'c str,
    /// The span of the text.
    span: Span,
}

impl<'c> TemplateText<'c> {
    fn of(comment: &'c Comment) -> Option<Self> {
        let text = comment_text(comment).strip_prefix("why")?;
        let (language, text) = text.split_once(':')?;
        let language = match language.trim() {
            "" => "",
            language => language.strip_prefix("in ")?.trim(),
        };
        let is_word = language.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
        let text = text.trim();
        let start = comment.span.start as usize + (text.as_ptr() as usize - comment.text.as_ptr() as usize);
        is_word.then(|| TemplateText {
            language,
            text,
            span: Span::new(comment.span.source, start, start + text.len()),
        })
    }

    /// The span of a part of the text.
    fn part(&self, start: usize, end: usize) -> Span {
        let from = self.span.start as usize;
        Span::new(self.span.source, from + start, from + end)
    }

    /// Splits the text into plain texts and the spans of the expressions in braces.
    fn split(&self) -> Result<Vec<Result<&'c str, Span>>, Diagnostic> {
        let (mut parts, mut plain, mut depth, mut open) = (Vec::new(), 0, 0_usize, 0);
        for (at, sign) in self.text.char_indices() {
            match sign {
                '{' => {
                    if depth == 0 {
                        parts.push(Ok(&self.text[plain..at]));
                        open = at;
                    }
                    depth += 1;
                }
                '}' if depth == 0 => {
                    let wrong =
                        warning("this brace closes nothing").at(self.part(at, at + 1), "without a `{` before it");
                    return Err(wrong.help(FORM));
                }
                '}' => {
                    depth -= 1;
                    if depth == 0 {
                        parts.push(Err(self.part(open + 1, at)));
                        plain = at + 1;
                    }
                }
                _ => {}
            }
        }
        if depth > 0 {
            let wrong = warning("this brace is never closed").at(self.part(open, open + 1), "without a `}` after it");
            return Err(wrong.help(FORM));
        }
        parts.push(Ok(&self.text[plain..]));
        Ok(parts)
    }
}

impl Analysis<'_> {
    /// The template of a rule, with typed expressions.
    fn template(&mut self, written: &TemplateText, rule: Span) -> Result<Template, Diagnostics> {
        let parts = written.split().map_err(|wrong| vec![wrong])?;
        let scope = self.names.known.enter();
        let model = &self.model;
        let typed = model.constraints.iter().chain(&model.wheres).find(|typed| typed.span.contains(rule));
        let (mut around, mut inside) = (Vec::new(), Vec::new());
        if let Some(typed) = typed {
            names_around(typed, &mut around);
            all_names(typed, model, &mut inside);
        }
        for id in around {
            let local = &self.model.local_names[id.0 as usize];
            let (name, meaning) = (local.name.clone(), NameMeaning::Local(id, local.ty.clone(), Category::Quantified));
            let span = local.span;
            self.names.known.bind(name, (meaning, span));
        }
        let (mut made, mut wrong) = (Vec::new(), Diagnostics::new());
        for part in parts {
            match part {
                Ok("") => {}
                Ok(text) => made.push(TemplatePart::Text(text.to_owned())),
                Err(span) => match self.value_in_template(written, span, &inside) {
                    Ok(value) => made.push(TemplatePart::Value(value)),
                    Err(fault) => wrong.push(fault),
                },
            }
        }
        self.names.known.leave(scope);
        match wrong.is_empty() {
            true => Ok(Template { language: written.language.into(), parts: made }),
            false => Err(wrong),
        }
    }

    /// An expression of a template; `inside` has the names that the rule binds anywhere.
    fn value_in_template(
        &mut self,
        written: &TemplateText,
        span: Span,
        inside: &[LocalId],
    ) -> Result<Expr, Diagnostic> {
        let from = (span.start - written.span.start) as usize;
        let text = &written.text[from..from + (span.end - span.start) as usize];
        let faulty = |found: Diagnostics, message: &str| {
            let wrong = warning(format!("this text for explanations cannot be filled in: {message}"));
            match found.into_iter().next() {
                Some(first) => Diagnostic { labels: first.labels, help: first.help, edits: first.edits, ..wrong },
                None => wrong.at(span, "here"),
            }
        };
        let tree = match syntax::parse_expression_in(span, text) {
            Ok(tree) => tree,
            Err(Halt::Wrong(found)) => {
                let message = found.first().map_or(String::new(), |first| first.message.clone());
                return Err(faulty(found, &message));
            }
            Err(_) => return Err(faulty(Diagnostics::new(), "an expression is expected")),
        };
        let before = self.reports.diagnostics.len();
        self.names.forget_reports();
        let value = self.expr(&tree);
        let found = self.reports.diagnostics.split_off(before);
        self.names.forget_reports();
        if let Some(first) = found.first() {
            let name = text.trim();
            let hidden = inside.iter().find(|id| *self.model.local_names[id.0 as usize].name == *name);
            if let Some(hidden) = hidden.filter(|_| first.code == Code::UNKNOWN_NAME) {
                let bound = self.model.local_names[hidden.0 as usize].span;
                let message = format!("`{name}` has many values in one instance of the rule");
                return Err(faulty(Diagnostics::new(), &message).at(bound, "ranges over its values here"));
            }
            let message = first.message.clone();
            return Err(faulty(found, &message));
        }
        if let Some((id, span)) = self.model.first_decision(&value) {
            let name = &self.model.declaration(id).name;
            let wrong = warning(format!("this text for explanations cannot be filled in: `{name}` has no value"));
            return Err(wrong.at(span, "found by the solver").help("use quantified names and parameters only"));
        }
        match value.ty {
            Type::Domain(_) => Err(faulty(Diagnostics::new(), "this is a domain, not a value")),
            Type::Any => Err(faulty(Diagnostics::new(), "this has no type")),
            _ => Ok(value),
        }
    }
}

/// Collects the names that are bound around the smallest requirements of a rule, as explanations take it apart.
fn names_around(rule: &Expr, names: &mut Vec<LocalId>) {
    let ExprKind::Apply(operator, parts) = &rule.kind else { return };
    if operator.is_implication() {
        names_around(&parts[1], names);
    } else if operator.is_conjunction() {
        for part in parts {
            match &part.kind {
                ExprKind::Comprehension(comprehension) if parts.len() == 1 => {
                    for qualifier in &comprehension.qualifiers {
                        pattern_of(qualifier, &mut |pattern| pattern.names(&mut |local| names.push(local)));
                    }
                    names_around(&comprehension.body, names);
                }
                ExprKind::Matrix(elements, _) if parts.len() == 1 => {
                    elements.iter().for_each(|element| names_around(element, names));
                }
                _ => names_around(part, names),
            }
        }
    }
}

/// Collects all names that an expression binds.
fn all_names(expr: &Expr, model: &TypedModel, names: &mut Vec<LocalId>) {
    model.has_part(expr, &mut |part| {
        if let ExprKind::Comprehension(comprehension) = &part.kind {
            for qualifier in &comprehension.qualifiers {
                pattern_of(qualifier, &mut |pattern| pattern.names(&mut |local| names.push(local)));
            }
        }
        false
    });
}

fn pattern_of(qualifier: &Qualifier, visit: &mut impl FnMut(&Pattern)) {
    if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
        visit(pattern);
    }
}

impl TypedModel {
    /// The words for the rule that a part of the text belongs to.
    pub(crate) fn words_for(&self, part: Span) -> Option<&RuleWords> {
        let after = self.rule_words.partition_point(|words| words.rule.start <= part.start);
        self.rule_words[..after].last().filter(|words| words.rule.contains(part))
    }
}
