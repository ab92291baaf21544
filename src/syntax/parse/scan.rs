//! One pass over the characters, before any grammar: where the statements begin, what the comments are,
//! and whether brackets match.
//!
//! A statement begins at a statement's keyword outside brackets. Inside brackets such a keyword is either at
//! home there (`letting` in a comprehension, anything after `@`) or the sign of a bracket that was never
//! closed. So every statement can be parsed by itself, and a mistake in one does not spread to the next.
//!
//! The pass also measures how deep an expression nests, so that what is too deep for any recursive
//! algorithm is refused here.

use super::{
    is_reserved, is_unseen, is_word_character,
    mistakes::FOREIGN_OPERATORS,
    reading::{quantifier_head, words},
    word_length,
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Edit, nearest, visible},
    language::{Collection, quotation::quoted_length},
    operators,
    source::{SourceId, Span},
    syntax::{ast::Comment, tokens::beginning},
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
    open: u8,
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
        diagnostics,
    };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.abandon_brackets();
    scanner.scan
}

impl Scanner<'_> {
    fn step(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let first = rest.as_bytes()[0];
        if let b'/' | b'#' | b'%' | b'-' = first
            && let Some(mark) = self.foreign_comment(rest)
        {
            self.report_comment(mark);
            return;
        }
        match first {
            b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
            b'$' => self.comment(rest.find('\n').map_or(rest.len(), |end| rest[..end].trim_end_matches('\r').len())),
            b'/' if rest.starts_with("/*") => match rest.find("*/") {
                Some(end) => self.comment(end + 2),
                None => {
                    let what = Diagnostic::error(Code::SYNTAX, "this comment is never closed")
                        .at(self.span(start, start + 2), "begins here")
                        .help("end the comment with `*/`");
                    self.diagnostics.push(what);
                    self.comment(rest.len());
                }
            },
            b'"' => {
                let closed = quoted_length(rest);
                let length = closed.unwrap_or_else(|| rest.find('\n').unwrap_or(rest.len()));
                self.token(length, Previous::Operand);
                self.quoted_name(start, &rest[1..length - usize::from(closed.is_some())], closed.is_some());
            }
            b'0'..=b'9' => self.token(rest.bytes().take_while(u8::is_ascii_digit).count(), Previous::Operand),
            b'(' | b'[' | b'{' => self.open(first),
            b')' | b']' | b'}' => self.close(first),
            _ if rest.starts_with(is_word_character) => self.word(rest),
            _ if first.is_ascii() => self.operator(rest),
            _ => {
                let character = rest.chars().next().unwrap_or_default();
                if character.is_whitespace() {
                    self.at += character.len_utf8();
                } else {
                    self.token(character.len_utf8(), Previous::Operator);
                }
            }
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    fn comment(&mut self, length: usize) {
        let text = &self.text[self.at..self.at + length];
        let line_so_far = self.text[..self.at].rsplit('\n').next().unwrap_or_default();
        self.scan.comments.push(Comment {
            text: text.into(),
            own_line: line_so_far.trim().is_empty(),
            span: self.span(self.at, self.at + length),
        });
        self.at += length;
    }

    /// The mark with which another language begins a comment, if one begins here: where no operator can stand, or where
    /// no operand follows.
    fn foreign_comment(&self, rest: &str) -> Option<&'static str> {
        let mark = COMMENT_MARKS.into_iter().find(|mark| rest.starts_with(mark))?;
        if rest.trim_start_matches('-').starts_with('>') {
            return None;
        }
        // A line of data may be megabytes long.
        let seen = &rest[mark.len()..rest.floor_char_boundary(MOST_PROSE)];
        let line = seen.split('\n').next().unwrap_or_default();
        let before = self.text[..self.at].trim_end_matches([' ', '\t', '\r']);
        let begins_line = before.is_empty() || before.ends_with('\n');
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
        let length = word_length(line);
        let (word, behind) = line.split_at(length);
        let behind = behind.trim_start();
        if word.is_empty() {
            let ornament = !line.is_empty() && line.chars().all(|character| "%/#*=-~ ".contains(character));
            return ornament || is_prose(line);
        }
        if !word.starts_with(char::is_alphabetic) || is_prose(line) {
            return is_prose(line);
        }
        let alone = behind.is_empty();
        let goes_on =
            behind.starts_with(": ") || words(behind).next().is_some_and(|(at, next)| at == 0 && !is_operator(next));
        match is_reserved(word) {
            true => match word {
                "true" | "false" => false,
                "forAll" | "exists" | "sum" | "product" => alone,
                _ => !behind.starts_with('('),
            },
            false => (alone || goes_on) && self.is_unknown(word, alone),
        }
    }

    /// Whether a word stands nowhere in the code of a text of normal length, nor, if it is `alone`, one that resembles
    /// it.
    fn is_unknown(&self, word: &str, alone: bool) -> bool {
        let in_comment = |at: usize| {
            let line = self.text[..at].rsplit('\n').next().unwrap_or_default();
            line.contains('$') || COMMENT_MARKS.iter().any(|mark| line.replace("-->", "").contains(mark))
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
        let line = self.text[self.at..].split('\n').next().unwrap_or_default();
        let length = line.trim_end().len();
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
                let text = line.trim_end()[mark.len()..].trim_start().to_owned();
                let mut mistake = Diagnostic::error(Code::SYNTAX, "a comment begins with `$`")
                    .at(span, format!("`{mark}` does not begin a comment"))
                    .help(format!("write `$ {text}`"));
                mistake.edits.push(Edit { span, text: "$".to_owned() });
                self.diagnostics.push(mistake);
            }
        }
        self.comment(length);
    }

    /// Passes over a token that is part of the current statement.
    fn token(&mut self, length: usize, kind: Previous) {
        let start = self.at;
        self.at += length;
        self.previous = kind;
        match self.scan.pieces.last_mut() {
            Some(piece) => piece.end = self.at,
            None => self.scan.pieces.push(StatementText { start, end: self.at, fault: None }),
        }
    }

    fn word(&mut self, rest: &str) {
        let length = word_length(rest);
        let word = &rest[..length];
        let begins_statement = STATEMENT_WORDS.contains(&word) || self.begins_objective(word, &rest[length..]);
        if begins_statement && !self.inside_expression(word) {
            self.abandon_brackets();
            self.scan.pieces.push(StatementText { start: self.at, end: self.at, fault: None });
            self.token(length, Previous::Operator);
            return;
        }
        let quantifier = matches!(word, "forAll" | "exists")
            || matches!(word, "sum" | "product") && rest.as_bytes().get(length) != Some(&b'(');
        let operand = !quantifier && !matches!(word, "be" | "that" | "of" | "in" | "union" | "intersect");
        self.token(length, if operand { Previous::Operand } else { Previous::Operator });
        if quantifier || matches!(word, "of" | "from") {
            self.nest(|nesting| &mut nesting.open);
        }
    }

    /// Whether a word is meant as `minimising` or `maximising`, which it resembles: no operator stands between it and
    /// an operand.
    fn begins_objective(&self, word: &str, behind: &str) -> bool {
        let line_so_far = || self.text[..self.at].rsplit('\n').next().unwrap_or_default();
        OTHER_OBJECTIVES.contains(&word)
            && (self.previous == Previous::Operand || line_so_far().trim().is_empty())
            && behind.starts_with([' ', '\t', '\n'])
            && behind.trim_start().starts_with(|first| is_word_character(first) || first == '|')
    }

    /// Whether a statement's keyword is at home in the brackets around it.
    fn inside_expression(&self, word: &str) -> bool {
        self.brackets.iter().any(|bracket| bracket.bubble)
            || !self.brackets.is_empty() && word == "letting" && self.previous == Previous::Separator
            || word == "where" && self.closed_on_this_line()
            || matches!(word, "where" | "such") && self.in_head_on_this_line()
    }

    /// Whether a quantifier's head began on this line and has no dot yet, though one follows: a condition was meant.
    fn in_head_on_this_line(&self) -> bool {
        let start = self.text[..self.at].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[self.at..].split('\n').next().unwrap_or_default();
        quantifier_head(&self.text[start..self.at]) && line.replace("..", "").contains('.')
    }

    /// Whether the innermost bracket was opened on this line and is closed on it: a statement does not begin inside.
    fn closed_on_this_line(&self) -> bool {
        let Some(bracket) = self.brackets.last() else { return false };
        let line = self.text[self.at..].split('\n').next().unwrap_or_default();
        let mut depth = 0i32;
        let closes = line.chars().any(|character| {
            depth += i32::from(matches!(character, '(' | '[' | '{')) - i32::from(matches!(character, ')' | ']' | '}'));
            depth < 0
        });
        closes && !self.text[bracket.at..self.at].contains('\n')
    }

    fn operator(&mut self, rest: &str) {
        let after_operand = self.previous == Previous::Operand;
        match rest.as_bytes()[0] {
            b',' | b';' => {
                let separator = rest.starts_with(',');
                self.depth -= self.nesting.open + self.nesting.run;
                self.nesting = Nesting::default();
                self.token(1, if separator { Previous::Separator } else { Previous::Operator });
            }
            b'|' if after_operand => {
                self.end_run();
                if self.nesting.open > 0 {
                    self.nesting.open -= 1;
                    self.depth -= 1;
                }
                // Either the end of `|x|`, or the bar of a comprehension, where a minus sign after it is taken
                // for a subtraction; that does no harm.
                let comprehension = self.brackets.last().is_some_and(|bracket| bracket.open == b'[');
                self.token(1, if comprehension { Previous::Separator } else { Previous::Operand });
            }
            b'|' => {
                self.token(1, Previous::Separator);
                self.nest(|nesting| &mut nesting.open);
            }
            b'!' if after_operand && !rest.starts_with("!=") => self.token(1, Previous::Operand),
            b'-' | b'!' if !after_operand => {
                self.token(1, Previous::Operator);
                self.nest(|nesting| &mut nesting.run);
            }
            b'`' => self.token(1, Previous::Operand),
            b'@' => {
                if let Some(bracket) = self.brackets.last_mut().filter(|bracket| bracket.open == b'{') {
                    bracket.bubble = true;
                }
                self.token(1, Previous::Operator);
            }
            _ => {
                let sign = beginning(rest, &["<->", "-->", "**", "->", "<-", "!=", "/\\", "\\/"]).unwrap_or(&rest[..1]);
                self.token(sign.len(), Previous::Operator);
                match sign {
                    "**" => self.nest(|nesting| &mut nesting.run),
                    "-->" => self.nest(|nesting| &mut nesting.open),
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

    /// Reports a mistake in a name in quotation marks.
    fn quoted_name(&mut self, at: usize, name: &str, closed: bool) {
        let mut offsets = name.char_indices();
        if !closed {
            self.report(
                Diagnostic::error(Code::SYNTAX, "this quotation mark is never closed")
                    .at(self.span(at, at + 1), "a quoted name begins here")
                    .help("end the name with `\"` on the same line"),
            );
        } else if let Some((offset, character)) = offsets.find(|(_, character)| is_unseen(*character)) {
            let start = at + 1 + offset;
            self.report(
                Diagnostic::error(Code::SYNTAX, format!("a name cannot contain {}", visible::shown_as(character)))
                    .at(self.span(start, start + character.len_utf8()), "this character is invisible")
                    .note("a name cannot contain control characters or marks that change the direction of writing"),
            );
        }
    }

    fn open(&mut self, open: u8) {
        let outside = std::mem::take(&mut self.nesting);
        self.brackets.push(Bracket { open, at: self.at, bubble: false, outside });
        self.token(1, Previous::Operator);
        self.deeper();
    }

    fn close(&mut self, close: u8) {
        let at = self.at;
        self.token(1, Previous::Operand);
        let Some(bracket) = self.brackets.pop() else {
            self.report(
                Diagnostic::error(Code::SYNTAX, format!("`{}` without an opening bracket", close as char))
                    .at(self.span(at, at + 1), "closes nothing"),
            );
            return;
        };
        self.depth -= 1 + self.nesting.open + self.nesting.run;
        self.nesting = bracket.outside;
        let wanted = closing(bracket.open);
        if wanted != close {
            self.report(
                Diagnostic::error(Code::SYNTAX, format!("`{}` is closed by `{}`", bracket.open as char, close as char))
                    .at(self.span(at, at + 1), format!("`{}` is needed here or earlier", wanted as char))
                    .at(self.span(bracket.at, bracket.at + 1), "opened here"),
            );
        }
    }

    /// Reports the brackets that are still open at the end of a statement.
    fn abandon_brackets(&mut self) {
        if let Some(bracket) = self.brackets.last() {
            let (open, at) = (bracket.open as char, bracket.at);
            let end = self.scan.pieces.last().map_or(at + 1, |piece| piece.end);
            let last = self.text[..end].chars().next_back().map_or(0, char::len_utf8);
            let close = char::from(closing(bracket.open)).to_string();
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
    const WORDS: [&str; 9] = ["of", "forAll", "exists", "sum", "product", "be", "domain", "new", "type"];
    // Words of domains stand side by side in the types of literals.
    const DOMAINS: [&str; 7] = ["matrix", "indexed", "by", "from", "tuple", "record", "variant"];
    let is_domain = |word: &str| DOMAINS.contains(&word) || Collection::named(word).is_some();
    let is_essence = |word: &str| WORDS.contains(&word) || is_domain(word) || is_operator(word);
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
pub(crate) fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}
