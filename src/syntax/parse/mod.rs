//! Parsing: text to tree.
//!
//! [`scan`] splits the text into statements, finds the comments, and makes all checks that need only characters. The
//! grammar (`grammar/essence.pest`) matches each statement separately. [`statements`], [`expressions`] and [`domains`]
//! convert the matches to trees, and [`mistakes`] explains the texts that do not match. The tree contains every correct
//! statement, even if others are wrong: [`recovery`] corrects a mistake if its intention is clear, and otherwise cuts
//! out the constraint or declaration ([`reading`]).
//!
//! You may add rules to the grammar. Editors rely on recovery: a mistake in a statement leaves the other statements in
//! the tree.

mod domains;
mod expressions;
mod mistakes;
mod reading;
mod recovery;
mod repeated;
mod scan;
mod statements;
mod subjects;
mod tokenised;

use crate::{
    diagnostic::{Diagnostic, Diagnostics},
    language::{
        Name,
        quotation::{quoted, unquoted},
    },
    memory,
    operators::{self, Associativity, Notation},
    source::{SourceId, Span},
    syntax::{
        ast,
        tokens::{is_word_character, word_length},
    },
};
pub(crate) use mistakes::help_for_foreign_word;
use pest::{
    Parser,
    iterators::Pair,
    pratt_parser::{Assoc, Op, PrattParser},
};
use reading::Reading;
pub(crate) use repeated::KnownStatements;
use rustc_hash::{FxHashMap, FxHashSet};
pub(crate) use scan::{CONTEXTUAL_WORDS, DEEPEST, STATEMENT_WORDS, starts_statement};
use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
    sync::LazyLock,
};

#[derive(pest_derive::Parser)]
#[grammar = "grammar/essence.pest"]
struct EssenceGrammar;

/// Parses a model, a parameter file or a solution. Errors are added to `diagnostics`; the tree contains all statements
/// without syntax errors.
pub(crate) fn parse_file(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> ast::File {
    parse_with(source, text, None, diagnostics)
}

/// Parses a text. Statements that are `known` from an earlier version are not parsed again; afterwards, `known`
/// contains the statements of this text.
pub(crate) fn parse_with(
    source: SourceId,
    text: &str,
    mut known: Option<&mut KnownStatements>,
    diagnostics: &mut Diagnostics,
) -> ast::File {
    // The recursion is as deep as the expressions of the text are nested.
    memory::with_deep_stack(|| {
        let scan::Scan { pieces, comments } = scan::scan(source, text, diagnostics);
        // Without comments, the grammar does not have to allow them between tokens.
        let text = &*without_comments(text, &comments);
        let parser = FileParser { source, text, ..FileParser::default() };
        let mut file = ast::File { comments, ..ast::File::default() };
        // Only the statements of this text are kept; otherwise, old ones would accumulate.
        let mut seen = KnownStatements::default();
        for piece in pieces {
            // Editors need fast answers, so unchanged pieces are taken from the last version.
            match &known {
                Some(known) => parser.piece_again(piece, known, &mut seen, &mut file),
                None => parser.piece(piece, &mut file),
            }
        }
        if let Some(known) = &mut known {
            **known = seen;
        }
        let renamed = parser.renamed.into_inner().into_values();
        // A renamed reserved word is declared under its new name. Statements that could not be corrected may still use
        // the old one, which must not be reported as unknown.
        let unknown = renamed
            .filter(|(name, _)| !name.is_empty())
            .map(|(name, _)| ast::Identifier { text: name.as_str().into(), span: Span::default() });
        file.broken.extend(unknown);
        file.mended.append(&mut parser.guessed.into_inner());
        subjects::find_subjects(text, &mut file);
        let faults = parser.faults.into_inner();
        // A text in another language would cause hundreds of reports.
        if let Some(foreign) = mistakes::foreign_text(source, text, &faults) {
            diagnostics.push(foreign);
            return ast::File { comments: file.comments, ..ast::File::default() };
        }
        diagnostics.extend(faults);
        // The scanner and the parser report separately, so their reports are sorted by position.
        diagnostics.sort_by_key(|diagnostic| diagnostic.span().map(|span| span.start));
        file
    })
}

/// Replaces comments with blanks, so that all other text keeps its position.
fn without_comments<'t>(text: &'t str, comments: &[ast::Comment]) -> Cow<'t, str> {
    if comments.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut without = String::with_capacity(text.len());
    let mut end = 0;
    for comment in comments {
        let (start, behind) = (comment.span.start as usize, comment.span.end as usize);
        without.push_str(&text[end..start]);
        // Spans count bytes, so each byte becomes a blank. Newlines stay, because some mistakes depend on lines.
        without.extend(text[start..behind].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        end = behind;
    }
    without.push_str(&text[end..]);
    Cow::Owned(without)
}

/// Returns true if a character is not allowed in a quoted name.
fn is_unseen(character: char) -> bool {
    let mut bytes = [0; 4];
    EssenceGrammar::parse(Rule::unseen, character.encode_utf8(&mut bytes)).is_ok()
}

/// Returns true if a word is reserved, so that it cannot be a name.
pub(crate) fn is_reserved(word: &str) -> bool {
    EssenceGrammar::parse(Rule::name, word).is_err()
}

/// Returns true if a text can be declared as a name.
pub(crate) fn is_name(text: &str) -> bool {
    EssenceGrammar::parse(Rule::name, text).is_ok_and(|pairs| pairs.as_str() == text)
}

/// Returns true if a text can be declared as a name without quotation marks.
pub(crate) fn is_plain_name(text: &str) -> bool {
    text.chars().all(is_word_character) && is_name(text)
}

/// Returns the name for a text: the text itself, or the text in quotation marks.
pub(crate) fn name_of(text: &str) -> Name {
    if is_plain_name(text) { text.into() } else { quoted(text).into() }
}

/// Returns true if a word is the name of an attribute, such as `minSize`.
pub(crate) fn is_attribute(word: &str) -> bool {
    EssenceGrammar::parse(Rule::attribute_word, word).is_ok_and(|pairs| pairs.as_str() == word)
}

/// Returns true for the two pairs that the grammar produces for an expression: a row of operators and operands, or a
/// single integer.
fn is_expression(pair: &Pair<'_, Rule>) -> bool {
    matches!(pair.as_rule(), Rule::expression | Rule::plain_integer)
}

/// The grammar rules of operators, each with one operator of its precedence.
const OPERATOR_RULES: &[(Rule, &str)] = &[
    (Rule::implication, "->"),
    (Rule::disjunction, "\\/"),
    (Rule::conjunction, "/\\"),
    (Rule::comparison, "="),
    (Rule::membership, "in"),
    (Rule::additive, "+"),
    (Rule::multiplicative, "*"),
    (Rule::prefix, "!"),
    (Rule::power, "**"),
];

/// The Pratt parser, with the precedences of the table of operators.
static PRECEDENCES: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let mut levels: Vec<(u16, Op<Rule>)> = Vec::new();
    for (rule, text) in OPERATOR_RULES {
        match operators::infix(text).or_else(|| operators::prefix(text)).map(|symbol| symbol.notation) {
            // The Pratt parser has no non-associative operators. They are parsed as left-associative, and `infix`
            // reports chains.
            Some(Notation::Infix { precedence, associativity }) => {
                let side = if associativity == Associativity::Right { Assoc::Right } else { Assoc::Left };
                levels.push((precedence, Op::infix(*rule, side)));
            }
            Some(Notation::Prefix { precedence }) => levels.push((precedence, Op::prefix(*rule))),
            _ => unreachable!("the table of operators has `{text}`"),
        }
    }
    // The Pratt parser expects the weakest operators first.
    levels.sort_by_key(|level| level.0);
    let pratt = levels.into_iter().fold(PrattParser::new(), |pratt, (_, op)| pratt.op(op));
    // A sign after `**` belongs to the first operand of the exponent, so this prefix binds more tightly than `**`.
    let suffixes = [Rule::call, Rule::factorial, Rule::typed, Rule::tag];
    pratt
        .op(Op::prefix(Rule::tight_prefix))
        .op(suffixes.into_iter().fold(Op::postfix(Rule::index), |ops, rule| ops | Op::postfix(rule)))
});

/// Parses the statements of a file.
#[derive(Default)]
struct FileParser<'a> {
    source: SourceId,
    /// The text without comments.
    text: &'a str,
    tokens: OnceCell<mistakes::TokenIndex>,
    /// Each name once, so that equal names share their text.
    names: RefCell<FxHashSet<Name>>,
    faults: RefCell<Diagnostics>,
    /// The reserved words and semicolons that are used by mistake, each with its replacement and the index of its
    /// report.
    renamed: RefCell<FxHashMap<String, (String, usize)>>,
    /// The spans of expressions that contain a mistake but match the grammar.
    guessed: RefCell<Vec<Span>>,
    /// The reports about signs of other languages, each with the offset of its first sign.
    notations: RefCell<Vec<(usize, usize)>>,
}

impl<'a> FileParser<'a> {
    fn report(&self, diagnostic: Diagnostic) {
        self.faults.borrow_mut().push(diagnostic);
    }

    /// Returns the name for a token. Quoted names are normalised, so that different escapes do not make different
    /// names.
    fn intern(&self, text: &str) -> Name {
        let mut names = self.names.borrow_mut();
        // A model mentions each name many times, so equal names share their text.
        if let Some(name) = names.get(text) {
            return name.clone();
        }
        // Hardly any name has escapes, so all other names need not be normalised.
        let is_escaped = text.starts_with('"') && text.contains('\\');
        let name = if is_escaped { quoted(&unquoted(text)).into() } else { Name::from(text) };
        names.insert(name.clone());
        name
    }
}

/// A match of the grammar, and the reading in which it was found.
#[derive(Clone, Copy)]
struct MatchedText<'p, 'a> {
    file: &'p FileParser<'a>,
    reading: &'p Reading<'a>,
}

impl MatchedText<'_, '_> {
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        self.reading.span(self.file.source, span.start(), span.end())
    }

    fn identifier(&self, pair: Pair<'_, Rule>) -> ast::Identifier {
        ast::Identifier { text: self.file.intern(pair.as_str()), span: self.span(&pair) }
    }

    /// Returns the names of a list `a, b, c`.
    fn names(&self, pair: Pair<'_, Rule>) -> Vec<ast::Identifier> {
        pair.into_inner().map(|name| self.identifier(name)).collect()
    }
}
