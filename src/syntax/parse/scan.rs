//! One pass over the tokens, before any grammar: where the statements begin, what the comments are,
//! and whether brackets match.
//!
//! A statement begins at a statement's keyword outside brackets. Inside brackets such a keyword is either at
//! home there (`letting` in a comprehension, anything after `@`) or the sign of a bracket that was never
//! closed. So every statement can be parsed by itself, and a mistake in one does not spread to the next.
//!
//! The pass also measures how deep an expression nests, so that what is too deep for any recursive
//! algorithm is refused here.

use super::{
    is_reserved, is_unseen, mistakes::FOREIGN_OPERATORS, reading::quantifier_head, tokenised::Tokenised, word_length,
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Edit, nearest, visible},
    language::Collection,
    operators,
    source::{SourceId, Span},
    syntax::{
        ast::{Comment, CommentSubject, PARETO},
        tokens::{Token, TokenKind, next_token, tokens_from, words},
    },
};

/// The greatest depth to which brackets, quantifiers, bars and prefix operators may nest, all together. A
/// WebAssembly module has no more stack than its engine gives it.
pub(crate) const DEEPEST: u32 = if cfg!(target_family = "wasm") { 200 } else { 1000 };

/// The words that begin a statement.
pub(crate) const STATEMENT_WORDS: &[&str] = &[
    "language",
    "given",
    "find",
    "letting",
    "such",
    "where",
    "minimising",
    "maximising",
    "minimizing",
    "maximizing",
    "branching",
    "heuristic",
];

/// The words of statements that can be names, too.
pub(crate) const CONTEXTUAL_WORDS: [&str; 5] =
    ["dominance", "dominance_relation", "incomparability_function", "ascending", "descending"];

/// Whether a word begins a statement, alone or with the word after it. A contextual word may be a name, too.
pub(crate) fn begins_statement(word: &str, next: &str) -> bool {
    STATEMENT_WORDS.contains(&word)
        || matches!(word, "dominance_relation" | "incomparability_function")
        || word == "dominance" && next == "relation"
}

/// The words before what is optimised.
const DIRECTIONS: &[&str] = &["minimising", "maximising", "minimizing", "maximizing"];

/// What an objective begins with in other languages.
const OTHER_OBJECTIVES: &[&str] = &["minimise", "maximise", "minimize", "maximize"];

/// The text of one statement, without the white space and comments around it.
#[derive(Debug)]
pub(crate) struct StatementText {
    pub start: usize,
    pub end: usize,
    /// The first bracket that does not match, or what nests too deep.
    pub fault: Option<Diagnostic>,
}

#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub pieces: Vec<StatementText>,
    pub comments: Vec<Comment>,
}

/// The kind of the token before the current place.
#[derive(Clone, Copy, PartialEq)]
enum Previous {
    /// Something after which an operand may follow: an operator, an opening bracket, the beginning.
    Operator,
    /// A `,` or a `|`, after which a comprehension may continue.
    Separator,
    /// The end of an operand.
    Operand,
}

/// An open bracket, and what nests inside it.
struct Bracket {
    open: char,
    at: usize,
    /// After an `@`: statements are at home here.
    bubble: bool,
    /// The nesting outside it.
    outside: Nesting,
}

#[derive(Clone, Copy, Default)]
struct Nesting {
    /// Quantifiers, bars and words of domains whose operand is not finished.
    open: u32,
    /// Prefix operators and `**` since the last operator of another kind.
    run: u32,
}

struct Scanner<'a> {
    source: SourceId,
    text: &'a str,
    at: usize,
    brackets: Vec<Bracket>,
    nesting: Nesting,
    /// The sum over all open brackets.
    depth: u32,
    previous: Previous,
    scan: Scan,
    /// The marks of other languages for comments that have been reported, and the reports' positions.
    comments_of_others: Vec<(&'static str, usize)>,
    /// The words of statements that are declared as names by mistake.
    reserved_names: Vec<String>,
    diagnostics: &'a mut Diagnostics,
}

pub(crate) fn scan(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Scan {
    let mut scanner = Scanner {
        source,
        text,
        at: 0,
        brackets: Vec::new(),
        nesting: Nesting::default(),
        depth: 0,
        previous: Previous::Operator,
        scan: Scan::default(),
        comments_of_others: Vec::new(),
        reserved_names: Vec::new(),
        diagnostics,
    };
    while let Some(token) = next_token(text, scanner.at) {
        scanner.at = token.start;
        scanner.step(token);
    }
    scanner.abandon_brackets();
    scanner.scan
}

impl<'a> Scanner<'a> {
    fn step(&mut self, Token { kind, start, end }: Token) {
        let text = &self.text[start..end];
        match kind {
            TokenKind::Comment => {
                if text.starts_with("/*") && !text.ends_with("*/") {
                    let what = Diagnostic::error(Code::SYNTAX, "this comment is never closed")
                        .at(self.span(start, start + 2), "begins here")
                        .help("end the comment with `*/`");
                    self.diagnostics.push(what);
                }
                self.comment(end);
            }
            TokenKind::Word => self.word(text, end),
            TokenKind::Number => self.token(end, Previous::Operand),
            TokenKind::Quoted => self.quoted_name(&text[1..text.len() - 1], end),
            TokenKind::Sign => match self.foreign_comment() {
                Some(mark) => self.report_comment(mark),
                None => self.sign(text, end),
            },
        }
    }

    /// The text from the place of the scan to the end of the line.
    fn line(&self) -> &'a str {
        self.text[self.at..].split('\n').next().unwrap_or_default()
    }

    /// The line before the place of the scan.
    fn line_so_far(&self) -> &'a str {
        self.text[..self.at].rsplit('\n').next().unwrap_or_default()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    fn comment(&mut self, end: usize) {
        self.scan.comments.push(Comment {
            text: self.text[self.at..end].into(),
            own_line: self.line_so_far().trim().is_empty(),
            span: self.span(self.at, end),
            subject: CommentSubject::Nothing,
        });
        self.at = end;
    }

    /// The mark with which another language begins a comment, if one begins here: where no operator can stand, or where
    /// no operand follows.
    fn foreign_comment(&self) -> Option<&'static str> {
        let rest = &self.text[self.at..];
        let mark = COMMENT_MARKS.into_iter().find(|mark| rest.starts_with(mark))?;
        if rest.trim_start_matches('-').starts_with('>') {
            return None;
        }
        // A line of data may be megabytes long.
        let seen = &rest[mark.len()..rest.floor_char_boundary(MOST_PROSE)];
        let line = seen.split('\n').next().unwrap_or_default();
        let before = self.line_so_far().trim_end();
        let begins_line = before.is_empty();
        if mark == "#" && begins_line && line.starts_with("define ") {
            return None;
        }
        // A bar may close a size, or begin the generators of a comprehension.
        let operand = self.previous == Previous::Operand || before.ends_with('|');
        let is_comment = match mark {
            _ if self.after_domain() => true,
            "#" if operand => !line.starts_with(['=', '\\', '<', '>']),
            "#" => line.starts_with([' ', '#', '!']) || line.is_empty() || is_prose(line),
            "//" if begins_line => true,
            "--" if !operand => is_prose(line),
            _ => !operand || self.is_no_operand(line),
        };
        is_comment.then_some(mark)
    }

    /// Whether the statement so far declares something and ends with a domain, which no operator can follow.
    fn after_domain(&self) -> bool {
        let Some(piece) = self.scan.pieces.last().filter(|_| self.brackets.is_empty()) else { return false };
        let text = &self.text[piece.start..self.at];
        let begin = &text[..text.floor_char_boundary(MOST_PROSE)];
        let mut first = words(begin).map(|(_, word)| word);
        match first.next() {
            Some("find" | "given") => true,
            Some("letting") => first.skip_while(|word| *word != "be").nth(1).is_some_and(|word| word == "domain"),
            _ => false,
        }
    }

    /// Whether the text after an operator's sign to the end of the line cannot be its operand: a sentence, a reserved
    /// word, or a name that stands nowhere else.
    fn is_no_operand(&self, line: &str) -> bool {
        let line = line.trim().trim_start_matches(['(', '[']);
        let (word, behind) = line.split_at(word_length(line));
        let behind = behind.trim_start();
        let alone = behind.is_empty();
        let goes_on =
            || behind.starts_with(": ") || words(behind).next().is_some_and(|(at, next)| at == 0 && !is_operator(next));
        is_prose(line)
            || match word {
                // An ornament.
                "" => !line.is_empty() && line.chars().all(|character| "%/#*=-~ ".contains(character)),
                "true" | "false" => false,
                "forAll" | "exists" | "sum" | "product" => alone,
                _ if !word.starts_with(char::is_alphabetic) => false,
                _ if is_reserved(word) => !behind.starts_with('('),
                _ => (alone || goes_on()) && self.is_unknown(word, alone),
            }
    }

    /// Whether a word stands nowhere in the code of a text of normal length, nor, if it is `alone`, one that resembles
    /// it.
    fn is_unknown(&self, word: &str, alone: bool) -> bool {
        let in_comment = |at: usize| {
            let line = self.text[..at].rsplit('\n').next().unwrap_or_default();
            COMMENT_MARKS.iter().any(|mark| line.replace("-->", "").contains(mark))
        };
        let mut others = words(self.text).filter(|(at, _)| !in_comment(*at)).map(|(_, other)| other);
        self.text.len() <= MOST_SEARCHED
            && match alone {
                true => word.chars().count() > 2 && nearest(word, others).is_none(),
                false => others.all(|other| other != word),
            }
    }

    /// Passes over a comment of another language; all of them are one mistake.
    fn report_comment(&mut self, mark: &'static str) {
        let line = self.line().trim_end();
        let span = self.span(self.at, self.at + mark.len());
        match self.comments_of_others.iter().find(|(known, _)| *known == mark) {
            Some((_, report)) => {
                if let Some(report) = self.diagnostics.get_mut(*report) {
                    report.also(span, "here, too");
                    report.edits.push(Edit { span, text: "$".to_owned() });
                }
            }
            None => {
                self.comments_of_others.push((mark, self.diagnostics.len()));
                let text = line[mark.len()..].trim_start().to_owned();
                let mut mistake = Diagnostic::error(Code::SYNTAX, "a comment begins with `$`")
                    .at(span, format!("`{mark}` does not begin a comment"))
                    .help(format!("write `$ {text}`"));
                mistake.edits.push(Edit { span, text: "$".to_owned() });
                self.diagnostics.push(mistake);
            }
        }
        self.comment(self.at + line.len());
    }

    /// Passes over a token that is part of the current statement.
    fn token(&mut self, end: usize, kind: Previous) {
        let start = self.at;
        (self.at, self.previous) = (end, kind);
        match self.scan.pieces.last_mut() {
            Some(piece) => piece.end = end,
            None => self.scan.pieces.push(StatementText { start, end, fault: None }),
        }
    }

    fn word(&mut self, word: &str, end: usize) {
        let next = || next_token(self.text, end).map_or("", |next| &self.text[next.start..next.end]);
        let begins_statement = STATEMENT_WORDS.contains(&word)
            || self.begins_objective(word, end)
            || word.starts_with(['d', 'i'])
                && begins_statement(word, next())
                && (!word.contains('_') || self.previous == Previous::Operand || self.line_so_far().is_empty());
        let begins_statement = begins_statement && !self.is_name(word, end);
        if begins_statement && !self.inside_expression(word) {
            self.abandon_brackets();
            self.scan.pieces.push(StatementText { start: self.at, end, fault: None });
            self.token(end, Previous::Operator);
            return;
        }
        let quantifier = matches!(word, "forAll" | "exists")
            || matches!(word, "sum" | "product") && !self.text[end..].starts_with('(');
        let operand = !quantifier && !matches!(word, "be" | "that" | "of" | "in" | "union" | "intersect");
        self.token(end, if operand { Previous::Operand } else { Previous::Operator });
        if quantifier || matches!(word, "of" | "from") {
            self.nest(|nesting| &mut nesting.open);
        }
    }

    /// Whether a word that begins statements is used as a name, which is a mistake of another kind: in a list in
    /// brackets or in a declaration, as no statement goes on like this; afterwards, wherever an operand is needed.
    fn is_name(&mut self, word: &str, end: usize) -> bool {
        let next = next_token(self.text, end).map_or("", |next| &self.text[next.start..next.end]);
        let piece = self.scan.pieces.last().map_or("", |piece| &self.text[piece.start..piece.end]);
        let declares = |keyword: &str| {
            let names = piece.strip_prefix(keyword);
            names.is_some_and(|names| names.is_empty() || names.starts_with(' ') && names.ends_with(','))
        };
        let is_declared = match self.brackets.is_empty() {
            true => matches!(next, "," | ":" | "be") && ["find", "given", "letting"].into_iter().any(declares),
            false => matches!(next, "," | ":" | "=" | "}" | "]" | ")"),
        };
        if is_declared && !self.reserved_names.iter().any(|known| known == word) {
            self.reserved_names.push(word.to_owned());
        }
        let is_operand = || self.previous == Previous::Operator && !self.line_so_far().trim().is_empty();
        is_declared || self.reserved_names.iter().any(|known| known == word) && is_operand()
    }

    /// Whether a statement can begin here: behind an operand, or on a new line.
    fn may_begin(&self) -> bool {
        self.previous == Previous::Operand || self.line_so_far().trim().is_empty()
    }

    /// Whether a word is meant as `minimising` or `maximising`, which it resembles: no operator stands between it and
    /// an operand.
    fn begins_objective(&self, word: &str, end: usize) -> bool {
        OTHER_OBJECTIVES.contains(&word)
            && self.may_begin()
            && next_token(self.text, end).is_some_and(|next| {
                let operand = next.kind != TokenKind::Sign || self.text[next.start..].starts_with('|');
                next.start > end && operand
            })
    }

    /// Whether the innermost bracket belongs to `pareto(minimising x, maximising y)`.
    fn is_among_goals(&self) -> bool {
        self.brackets.last().is_some_and(|bracket| self.text[..bracket.at].trim_end().ends_with(PARETO))
    }

    /// Whether a statement's keyword is at home in the brackets around it.
    fn inside_expression(&self, word: &str) -> bool {
        self.brackets.iter().any(|bracket| bracket.bubble)
            || !self.brackets.is_empty() && word == "letting" && self.previous == Previous::Separator
            || DIRECTIONS.contains(&word) && self.is_among_goals()
            || word == "where" && self.closed_on_this_line()
            || matches!(word, "where" | "such") && self.in_head_on_this_line()
    }

    /// Whether a quantifier's head began on this line and has no dot yet, though one follows: a condition was meant.
    fn in_head_on_this_line(&self) -> bool {
        let before = Tokenised::new(self.line_so_far());
        let mut behind = self.rest_of_line();
        quantifier_head(&before, 0..before.len()) && behind.any(|sign| sign == ".")
    }

    /// Whether the innermost bracket was opened on this line and is closed on it: a statement does not begin inside.
    fn closed_on_this_line(&self) -> bool {
        let Some(bracket) = self.brackets.last() else { return false };
        let mut depth = 0i32;
        let closes = self.rest_of_line().any(|sign| {
            depth += i32::from(matches!(sign, "(" | "[" | "{")) - i32::from(matches!(sign, ")" | "]" | "}"));
            depth < 0
        });
        closes && !self.text[bracket.at..self.at].contains('\n')
    }

    fn rest_of_line(&self) -> impl Iterator<Item = &'a str> {
        let line = self.line();
        tokens_from(line, 0).map(move |token| &line[token.start..token.end])
    }

    fn sign(&mut self, sign: &'a str, end: usize) {
        let after_operand = self.previous == Previous::Operand;
        match sign {
            "(" | "[" | "{" => self.open(sign, end),
            ")" | "]" | "}" => self.close(sign, end),
            "," | ";" => {
                self.depth -= self.nesting.open + self.nesting.run;
                self.nesting = Nesting::default();
                self.token(end, if sign == "," { Previous::Separator } else { Previous::Operator });
            }
            "|" if after_operand => {
                self.end_run();
                if self.nesting.open > 0 {
                    self.nesting.open -= 1;
                    self.depth -= 1;
                }
                // Either the end of `|x|`, or the bar of a comprehension, where a minus sign after it is taken
                // for a subtraction; that does no harm.
                let comprehension = self.brackets.last().is_some_and(|bracket| bracket.open == '[');
                self.token(end, if comprehension { Previous::Separator } else { Previous::Operand });
            }
            "|" => {
                self.token(end, Previous::Separator);
                self.nest(|nesting| &mut nesting.open);
            }
            "!" if after_operand => self.token(end, Previous::Operand),
            "-" | "!" if !after_operand => {
                self.token(end, Previous::Operator);
                self.nest(|nesting| &mut nesting.run);
            }
            "`" => self.token(end, Previous::Operand),
            "@" => {
                if let Some(bracket) = self.brackets.last_mut().filter(|bracket| bracket.open == '{') {
                    bracket.bubble = true;
                }
                self.token(end, Previous::Operator);
            }
            "\"" => self.open_quotation(),
            _ => {
                self.token(end, Previous::Operator);
                match sign {
                    "**" => self.nest(|nesting| &mut nesting.run),
                    "-->" => self.nest(|nesting| &mut nesting.open),
                    // It is not an operator.
                    _ if !sign.is_ascii() => {}
                    _ => self.end_run(),
                }
            }
        }
    }

    fn end_run(&mut self) {
        self.depth -= self.nesting.run;
        self.nesting.run = 0;
    }

    fn nest(&mut self, kind: impl Fn(&mut Nesting) -> &mut u32) {
        *kind(&mut self.nesting) += 1;
        self.deeper();
    }

    fn deeper(&mut self) {
        self.depth += 1;
        if self.depth == DEEPEST + 1 {
            self.report(
                Diagnostic::error(Code::TOO_DEEP, format!("this nests deeper than {DEEPEST} levels"))
                    .at(self.span(self.at - 1, self.at), "too deep from here on")
                    .help("name a part of it with `letting`"),
            );
        }
    }

    /// Passes over a name in quotation marks, and reports a mistake in it.
    fn quoted_name(&mut self, name: &str, end: usize) {
        let start = end - 1 - name.len();
        self.token(end, Previous::Operand);
        if let Some((offset, character)) = name.char_indices().find(|(_, character)| is_unseen(*character)) {
            let start = start + offset;
            self.report(
                Diagnostic::error(Code::SYNTAX, format!("a name cannot contain {}", visible::shown_as(character)))
                    .at(self.span(start, start + character.len_utf8()), "this character is invisible")
                    .note("a name cannot contain control characters or marks that change the direction of writing"),
            );
        }
    }

    /// Passes over a name in quotation marks that does not end on its line.
    fn open_quotation(&mut self) {
        let start = self.at;
        self.token(start + self.line().len(), Previous::Operand);
        self.report(
            Diagnostic::error(Code::SYNTAX, "this quotation mark is never closed")
                .at(self.span(start, start + 1), "a quoted name begins here")
                .help("end the name with `\"` on the same line"),
        );
    }

    fn open(&mut self, sign: &str, end: usize) {
        let outside = std::mem::take(&mut self.nesting);
        let open = sign.chars().next().unwrap_or_default();
        self.brackets.push(Bracket { open, at: self.at, bubble: false, outside });
        self.token(end, Previous::Operator);
        self.deeper();
    }

    fn close(&mut self, close: &str, end: usize) {
        let at = self.at;
        self.token(end, Previous::Operand);
        let Some(bracket) = self.brackets.pop() else {
            self.report(
                Diagnostic::error(Code::SYNTAX, format!("`{close}` without an opening bracket"))
                    .at(self.span(at, end), "closes nothing"),
            );
            return;
        };
        self.depth -= 1 + self.nesting.open + self.nesting.run;
        self.nesting = bracket.outside;
        let wanted = closing(bracket.open);
        if !close.starts_with(wanted) {
            self.report(
                Diagnostic::error(Code::SYNTAX, format!("`{}` is closed by `{close}`", bracket.open))
                    .at(self.span(at, end), format!("`{wanted}` is needed here or earlier"))
                    .at(self.span(bracket.at, bracket.at + 1), "opened here"),
            );
        }
    }

    /// Reports the brackets that are still open at the end of a statement.
    fn abandon_brackets(&mut self) {
        if let Some(bracket) = self.brackets.last() {
            let (open, at) = (bracket.open, bracket.at);
            let end = self.scan.pieces.last().map_or(at + 1, |piece| piece.end);
            let last = self.text[..end].chars().next_back().map_or(0, char::len_utf8);
            let close = closing(bracket.open).to_string();
            let mistake = Diagnostic::error(Code::SYNTAX, format!("`{open}` is never closed"))
                .at(self.span(at, at + 1), "opened here")
                .at(self.span(end - last, end), "the statement ends here")
                .help(format!("add a `{close}`"));
            let edits = vec![Edit { span: self.span(end, end), text: close }];
            self.report(Diagnostic { edits, ..mistake });
        }
        self.brackets.clear();
        self.nesting = Nesting::default();
        self.depth = 0;
    }

    /// Notes a fault in the current statement, the first one only.
    fn report(&mut self, diagnostic: Diagnostic) {
        if let Some(piece) = self.scan.pieces.last_mut() {
            piece.fault.get_or_insert(diagnostic);
        }
    }
}

/// What begins a comment in other languages.
const COMMENT_MARKS: [&str; 4] = ["//", "#", "%", "--"];

/// The number of bytes of a line that decide whether it is prose.
const MOST_PROSE: usize = 200;

/// The longest text that is searched for another place of a word.
const MOST_SEARCHED: usize = 20_000;

/// Whether a line reads like a sentence: two words are adjacent that are not in Essence.
fn is_prose(line: &str) -> bool {
    // Words of domains stand side by side in the types of literals.
    const ESSENCE: &str = "of forAll exists sum product be domain new type matrix indexed by from tuple record variant";
    let is_essence = |word: &str| {
        ESSENCE.split(' ').any(|known| known == word) || Collection::named(word).is_some() || is_operator(word)
    };
    let ends = |word: &&str| STATEMENT_WORDS.contains(word) || word.starts_with(['#', '$']) || word.starts_with("//");
    let words: Vec<&str> = line.split_whitespace().take_while(|word| !ends(word)).collect();
    let number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let plain = |word: &str| {
        let word = word.trim_end_matches(['.', ',', ':', '!', '?']);
        let letters = |character: char| character.is_alphabetic() || character == '\'';
        !word.is_empty() && word.chars().all(letters) && !is_essence(word)
    };
    let first = |word: &str| plain(word) || number(word);
    words.windows(2).any(|two| first(two[0]) && plain(two[1]) && !two[0].ends_with([',', ':']))
}

/// Whether a word is an operator, here or in another language.
fn is_operator(word: &str) -> bool {
    operators::symbols().iter().any(|symbol| symbol.text == word)
        || FOREIGN_OPERATORS.iter().any(|(foreign, _)| *foreign == word)
}

/// The bracket that closes another one.
pub(crate) fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}
