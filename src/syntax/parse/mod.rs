//! Text to tree.
//!
//! [`scan`] cuts the text into statements, finds the comments and checks what can be checked by characters alone; the
//! grammar (`grammar/essence.pest`) matches each statement by itself; [`statements`], [`expressions`] and [`domains`]
//! turn what matched into the tree, and [`mistakes`] turns what did not match into messages. Whatever is wrong, the
//! statements that are right are in the tree: [`recovery`] mends a mistake in the text if it says what was meant, and
//! cuts out the constraint or the declaration otherwise ([`reading`]).
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
pub(crate) use scan::{CONTEXTUAL_WORDS, DEEPEST, STATEMENT_WORDS, begins_statement};
use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
    sync::LazyLock,
};

#[derive(pest_derive::Parser)]
#[grammar = "grammar/essence.pest"]
struct EssenceGrammar;

/// Reads a model, a parameter file or a solution. What is wrong goes to `diagnostics`; the tree holds all
/// statements without syntax errors.
pub(crate) fn parse_file(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> ast::File {
    parse_with(source, text, None, diagnostics)
}

/// Reads a text. Statements that are known from an earlier version are not read again; afterwards, the statements of
/// this text are known.
pub(crate) fn parse_with(
    source: SourceId,
    text: &str,
    mut known: Option<&mut KnownStatements>,
    diagnostics: &mut Diagnostics,
) -> ast::File {
    memory::with_deep_stack(|| {
        let scan::Scan { pieces, comments } = scan::scan(source, text, diagnostics);
        let text = &*without_comments(text, &comments);
        let parser = FileParser { source, text, ..FileParser::default() };
        let mut file = ast::File { comments, ..ast::File::default() };
        let mut seen = KnownStatements::default();
        for piece in pieces {
            match &known {
                Some(known) => parser.piece_again(piece, known, &mut seen, &mut file),
                None => parser.piece(piece, &mut file),
            }
        }
        if let Some(known) = &mut known {
            **known = seen;
        }
        let renamed = parser.renamed.into_inner().into_values();
        let unknown = renamed
            .filter(|(name, _)| !name.is_empty())
            .map(|(name, _)| ast::Identifier { text: name.as_str().into(), span: Span::default() });
        file.broken.extend(unknown);
        file.mended.append(&mut parser.guessed.into_inner());
        subjects::find_subjects(text, &mut file);
        let faults = parser.faults.into_inner();
        if let Some(foreign) = mistakes::foreign_text(source, text, &faults) {
            diagnostics.push(foreign);
            return ast::File { comments: file.comments, ..ast::File::default() };
        }
        diagnostics.extend(faults);
        diagnostics.sort_by_key(|diagnostic| diagnostic.span().map(|span| span.start));
        file
    })
}

/// The text with blanks in place of its comments: all other text keeps its position.
fn without_comments<'t>(text: &'t str, comments: &[ast::Comment]) -> Cow<'t, str> {
    if comments.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut without = String::with_capacity(text.len());
    let mut end = 0;
    for comment in comments {
        let (start, behind) = (comment.span.start as usize, comment.span.end as usize);
        without.push_str(&text[end..start]);
        without.extend(text[start..behind].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        end = behind;
    }
    without.push_str(&text[end..]);
    Cow::Owned(without)
}

/// Whether a character cannot stand in a quoted name.
fn is_unseen(character: char) -> bool {
    let mut bytes = [0; 4];
    EssenceGrammar::parse(Rule::unseen, character.encode_utf8(&mut bytes)).is_ok()
}

/// Whether a word is reserved: it cannot be a name.
pub(crate) fn is_reserved(word: &str) -> bool {
    EssenceGrammar::parse(Rule::name, word).is_err()
}

/// Whether a text can be declared.
pub(crate) fn is_name(text: &str) -> bool {
    EssenceGrammar::parse(Rule::name, text).is_ok_and(|pairs| pairs.as_str() == text)
}

/// Whether a text can be declared without quotation marks.
pub(crate) fn is_plain_name(text: &str) -> bool {
    text.chars().all(is_word_character) && is_name(text)
}

/// The name that stands for a text: the text itself, or the text in quotation marks.
pub(crate) fn name_of(text: &str) -> Name {
    if is_plain_name(text) { text.into() } else { quoted(text).into() }
}

/// Whether a word is the name of an attribute, such as `minSize`.
pub(crate) fn is_attribute(word: &str) -> bool {
    EssenceGrammar::parse(Rule::attribute_word, word).is_ok_and(|pairs| pairs.as_str() == word)
}

/// Expressions leave one of two marks: a row of operators and operands, or a lone integer.
fn is_expression(pair: &Pair<'_, Rule>) -> bool {
    matches!(pair.as_rule(), Rule::expression | Rule::plain_integer)
}

/// The rules of the grammar that match operators, each with one of its operators.
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

/// The rules of operators with the precedences that the table of operators gives them.
static PRECEDENCES: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let mut levels: Vec<(u16, Op<Rule>)> = Vec::new();
    for (rule, text) in OPERATOR_RULES {
        match operators::infix(text).or_else(|| operators::prefix(text)).map(|symbol| symbol.notation) {
            // A chain that the table forbids is read from the left, and reported.
            Some(Notation::Infix { precedence, associativity }) => {
                let side = if associativity == Associativity::Right { Assoc::Right } else { Assoc::Left };
                levels.push((precedence, Op::infix(*rule, side)));
            }
            Some(Notation::Prefix { precedence }) => levels.push((precedence, Op::prefix(*rule))),
            _ => unreachable!("the table of operators has `{text}`"),
        }
    }
    levels.sort_by_key(|level| level.0);
    let pratt = levels.into_iter().fold(PrattParser::new(), |pratt, (_, op)| pratt.op(op));
    let suffixes = [Rule::call, Rule::factorial, Rule::typed, Rule::tag];
    pratt
        .op(Op::prefix(Rule::tight_prefix))
        .op(suffixes.into_iter().fold(Op::postfix(Rule::index), |ops, rule| ops | Op::postfix(rule)))
});

/// Turns the statements of one file into trees.
#[derive(Default)]
struct FileParser<'a> {
    source: SourceId,
    /// The text without comments.
    text: &'a str,
    tokens: OnceCell<mistakes::TokenIndex>,
    /// Each name once, however often it is used.
    names: RefCell<FxHashSet<Name>>,
    faults: RefCell<Diagnostics>,
    /// The reserved words that are used as names, and `;`, with what is read instead and the report's position.
    renamed: RefCell<FxHashMap<String, (String, usize)>>,
    /// Expressions with a mistake that the grammar lets through.
    guessed: RefCell<Vec<Span>>,
    /// The reports about signs of other languages, and where in the file the first of the signs stands.
    notations: RefCell<Vec<(usize, usize)>>,
}

impl<'a> FileParser<'a> {
    fn report(&self, diagnostic: Diagnostic) {
        self.faults.borrow_mut().push(diagnostic);
    }

    /// The name that is written like this; the escapes in a quoted name make no other name of it.
    fn intern(&self, text: &str) -> Name {
        let mut names = self.names.borrow_mut();
        if let Some(name) = names.get(text) {
            return name.clone();
        }
        let is_escaped = text.starts_with('"') && text.contains('\\');
        let name = if is_escaped { quoted(&unquoted(text)).into() } else { Name::from(text) };
        names.insert(name.clone());
        name
    }
}

/// A text that the grammar was matched against, in its file.
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

    /// The names of `a, b, c`.
    fn names(&self, pair: Pair<'_, Rule>) -> Vec<ast::Identifier> {
        pair.into_inner().map(|name| self.identifier(name)).collect()
    }
}
