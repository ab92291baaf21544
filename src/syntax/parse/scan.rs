//! A pass over the tokens before the grammar. It splits the text into statements, collects the comments, and checks
//! that brackets match.
//!
//! Outside brackets, a keyword starts a statement. Inside brackets, it either belongs there (`letting` in a
//! comprehension, or anything after `@`), or a bracket was never closed. So every statement can be parsed separately,
//! and a mistake in one statement does not affect the next.
//!
//! The pass also measures the nesting of expressions, so that the depth of recursive algorithms stays within the stack.

use super::{
    is_reserved, is_unseen, mistakes::FOREIGN_OPERATORS, reading::quantifier_head, tokenised::Tokenised, word_length,
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Edit, nearest, visible},
    language::{Collection, attributes::Attribute},
    operators,
    source::{SourceId, Span},
    syntax::{
        ast::{Comment, CommentSubject, PARETO},
        tokens::{Token, TokenKind, next_token, tokens_from, words},
    },
};

/// The maximum nesting of brackets, quantifiers, bars and prefix operators together. In WebAssembly, the engine
/// determines the size of the stack.
pub(crate) const DEEPEST: u32 = if cfg!(target_family = "wasm") { 200 } else { 1000 };

/// The words that start a statement.
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

/// The keywords of statements that may also be names.
pub(crate) const CONTEXTUAL_WORDS: [&str; 5] =
    ["dominance", "dominance_relation", "incomparability_function", "ascending", "descending"];

/// Returns true if a word starts a statement, alone or together with the next word. A contextual word may still be a
/// name.
pub(crate) fn starts_statement(word: &str, next: &str) -> bool {
    STATEMENT_WORDS.contains(&word)
        || matches!(word, "dominance_relation" | "incomparability_function")
        || word == "dominance" && next == "relation"
}

/// The keywords of objectives.
const DIRECTIONS: &[&str] = &["minimising", "maximising", "minimizing", "maximizing"];

/// The first words of objectives in other languages.
const OTHER_OBJECTIVES: &[&str] = &["minimise", "maximise", "minimize", "maximize"];

/// The text of one statement, without surrounding white space and comments.
#[derive(Debug)]
pub(crate) struct StatementText {
    pub start: usize,
    pub end: usize,
    /// The first bracket without a partner, or the first position that nests too deeply.
    pub fault: Option<Diagnostic>,
}

#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub pieces: Vec<StatementText>,
    pub comments: Vec<Comment>,
}

/// The kind of the previous token.
#[derive(Clone, Copy, PartialEq)]
enum Previous {
    /// A token before an operand: an operator, an opening bracket, or the start of the text.
    Operator,
    /// A `,` or a `|`, after which a comprehension may continue.
    Separator,
    /// The end of an operand.
    Operand,
}

/// An open bracket, and the nesting around it.
struct Bracket {
    open: char,
    at: usize,
    /// True after an `@`, so that statements are allowed inside.
    bubble: bool,
    /// The nesting outside the bracket.
    outside: Nesting,
}

#[derive(Clone, Copy, Default)]
struct Nesting {
    /// The number of quantifiers, bars and words of domains whose operand is incomplete.
    open: u32,
    /// The number of prefix operators and `**` since the last other operator.
    run: u32,
}

struct Scanner<'a> {
    source: SourceId,
    text: &'a str,
    at: usize,
    brackets: Vec<Bracket>,
    nesting: Nesting,
    /// The total nesting of all open brackets.
    depth: u32,
    previous: Previous,
    scan: Scan,
    /// The comment marks of other languages that were reported, with the indices of the reports.
    comments_of_others: Vec<(&'static str, usize)>,
    /// The keywords that are declared as names by mistake.
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
                        .at(self.span(start, start + 2), "starts here")
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

    /// The text from the current position to the end of the line.
    fn line(&self) -> &'a str {
        self.text[self.at..].split('\n').next().unwrap_or_default()
    }

    /// The text from the start of the line to the current position.
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
            line_below: None,
        });
        self.at = end;
    }

    /// Returns the comment mark of another language if a comment starts here: no operator is possible at this position,
    /// or the text cannot be an operand.
    fn foreign_comment(&self) -> Option<&'static str> {
        let rest = &self.text[self.at..];
        let mark = COMMENT_MARKS.into_iter().find(|mark| rest.starts_with(mark))?;
        // `-->` is the arrow of a function and does not start a comment.
        if rest.trim_start_matches('-').starts_with('>') {
            return None;
        }
        // A line of data may have megabytes, so only its first bytes are inspected.
        let seen = &rest[mark.len()..rest.floor_char_boundary(MOST_PROSE)];
        let line = seen.split('\n').next().unwrap_or_default();
        let before = self.line_so_far().trim_end();
        let starts_line = before.is_empty();
        if mark == "#" && starts_line && line.starts_with("define ") {
            return None;
        }
        // A bar may end `|x|` or precede the generators of a comprehension.
        let operand = self.previous == Previous::Operand || before.ends_with('|');
        let is_comment = match mark {
            _ if self.after_domain() => true,
            // `x #= 2` and `x #\= 2` use operators of Prolog.
            "#" if operand => !line.starts_with(['=', '\\', '<', '>']),
            "#" => line.starts_with([' ', '#', '!']) || line.is_empty() || is_prose(line),
            // Neither a statement nor an operand starts with `//`.
            "//" if starts_line => true,
            // `--x` may be a double negation.
            "--" if !operand => is_prose(line),
            // After an operand, `%` is an operator, unless the rest of the line cannot be an operand.
            _ => !operand || self.is_no_operand(line),
        };
        is_comment.then_some(mark)
    }

    /// Returns true if the statement is a declaration that ends with a domain, after which no operator can follow.
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

    /// Returns true if the text after the sign of an operator cannot be an operand: a sentence, a reserved word, or a
    /// name that occurs nowhere else.
    fn is_no_operand(&self, line: &str) -> bool {
        let line = line.trim().trim_start_matches(['(', '[']);
        let (word, behind) = line.split_at(word_length(line));
        let behind = behind.trim_start();
        let alone = behind.is_empty();
        let goes_on =
            || behind.starts_with(": ") || words(behind).next().is_some_and(|(at, next)| at == 0 && !is_operator(next));
        is_prose(line)
            || match word {
                // Ornaments such as `//----` contain no words.
                "" => !line.is_empty() && line.chars().all(|character| "%/#*=-~ ".contains(character)),
                "true" | "false" => false,
                "forAll" | "exists" | "sum" | "product" => alone,
                _ if !word.starts_with(char::is_alphabetic) => false,
                _ if is_reserved(word) => !behind.starts_with('('),
                _ => (alone || goes_on()) && self.is_unknown(word, alone),
            }
    }

    /// Returns true if a word does not occur in the code of a text of moderate length. If the word is `alone` on its
    /// line, similar words must not occur either.
    fn is_unknown(&self, word: &str, alone: bool) -> bool {
        let in_comment = |at: usize| {
            let line = self.text[..at].rsplit('\n').next().unwrap_or_default();
            // The arrow of a function contains `--`, which is not a comment.
            COMMENT_MARKS.iter().any(|mark| line.replace("-->", "").contains(mark))
        };
        let mut others = words(self.text).filter(|(at, _)| !in_comment(*at)).map(|(_, other)| other);
        self.text.len() <= MOST_SEARCHED
            && match alone {
                true => word.chars().count() > 2 && nearest(word, others).is_none(),
                false => others.all(|other| other != word),
            }
    }

    /// Skips a comment of another language. All comments with the same mark share a report.
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
                let mut mistake = Diagnostic::error(Code::SYNTAX, "a comment starts with `$`")
                    .at(span, format!("`{mark}` does not start a comment"))
                    .help(format!("write `$ {text}`"));
                mistake.edits.push(Edit { span, text: "$".to_owned() });
                self.diagnostics.push(mistake);
            }
        }
        self.comment(self.at + line.len());
    }

    /// Skips a token of the current statement.
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
        let starts_statement = STATEMENT_WORDS.contains(&word)
            || self.starts_objective(word, end)
            // `dominance_relation` may also be a name. It is a keyword only at the start of a line or after an operand.
            || word.starts_with(['d', 'i'])
                && starts_statement(word, next())
                && (!word.contains('_') || self.previous == Previous::Operand || self.line_so_far().is_empty());
        let starts_statement = starts_statement && !self.is_name(word, end);
        // If a keyword cannot belong to its brackets, they were never closed.
        if starts_statement && !self.inside_expression(word) {
            // Earlier statements were checked at the next keyword, so only the last one can have open brackets.
            self.abandon_brackets();
            self.scan.pieces.push(StatementText { start: self.at, end, fault: None });
            self.token(end, Previous::Operator);
            return;
        }
        // `sum(` is a function, but `sum i` is a quantifier, whose body nests.
        let quantifier = matches!(word, "forAll" | "exists")
            || matches!(word, "sum" | "product") && !self.text[end..].starts_with('(');
        let operand = !quantifier && !matches!(word, "be" | "that" | "of" | "in" | "union" | "intersect");
        self.token(end, if operand { Previous::Operand } else { Previous::Operator });
        if quantifier || matches!(word, "of" | "from") {
            self.nest(|nesting| &mut nesting.open);
        }
    }

    /// Returns true if a keyword is used as a name, which is reported later. In brackets or in a declaration, the next
    /// token decides. If the word is declared, it is a name wherever an operand is needed.
    fn is_name(&mut self, word: &str, end: usize) -> bool {
        let next = next_token(self.text, end).map_or("", |next| &self.text[next.start..next.end]);
        let piece = self.scan.pieces.last().map_or("", |piece| &self.text[piece.start..piece.end]);
        let declares = |keyword: &str| {
            let names = piece.strip_prefix(keyword);
            names.is_some_and(|names| names.is_empty() || names.starts_with(' ') && names.ends_with(','))
        };
        let is_declared = match self.brackets.is_empty() {
            // Outside brackets, only a declaration such as `find where : bool` can have a name at this position.
            true => matches!(next, "," | ":" | "be") && ["find", "given", "letting"].into_iter().any(declares),
            false => matches!(next, "," | ":" | "=" | "}" | "]" | ")"),
        };
        if is_declared && !self.reserved_names.iter().any(|known| known == word) {
            self.reserved_names.push(word.to_owned());
        }
        let is_operand = || self.previous == Previous::Operator && !self.line_so_far().trim().is_empty();
        is_declared || self.reserved_names.iter().any(|known| known == word) && is_operand()
    }

    /// Returns true if a statement may start here: after an operand, or on a new line.
    fn may_start(&self) -> bool {
        self.previous == Previous::Operand || self.line_so_far().trim().is_empty()
    }

    /// Returns true if a word such as `minimise` is meant as `minimising`: an operand follows it without an operator
    /// between them.
    fn starts_objective(&self, word: &str, end: usize) -> bool {
        OTHER_OBJECTIVES.contains(&word)
            && self.may_start()
            && next_token(self.text, end).is_some_and(|next| {
                let operand = next.kind != TokenKind::Sign || self.text[next.start..].starts_with('|');
                next.start > end && operand
            })
    }

    /// Returns true if the innermost bracket belongs to `pareto(minimising x, maximising y)`.
    fn is_among_goals(&self) -> bool {
        self.brackets.last().is_some_and(|bracket| self.text[..bracket.at].trim_end().ends_with(PARETO))
    }

    /// Returns true if a keyword belongs to the expression in the brackets around it.
    fn inside_expression(&self, word: &str) -> bool {
        self.brackets.iter().any(|bracket| bracket.bubble)
            || !self.brackets.is_empty() && word == "letting" && self.previous == Previous::Separator
            || DIRECTIONS.contains(&word) && self.is_among_goals()
            || word == "where" && self.closed_on_this_line()
            || matches!(word, "where" | "such") && self.in_head_on_this_line()
    }

    /// Returns true if the head of a quantifier has started on this line and its dot has not come yet, so the keyword
    /// was meant as a condition.
    fn in_head_on_this_line(&self) -> bool {
        let before = Tokenised::new(self.line_so_far());
        let mut behind = self.rest_of_line();
        quantifier_head(&before, 0..before.len()) && behind.any(|sign| sign == ".")
    }

    /// Returns true if the innermost bracket is opened and closed on this line; then no statement starts inside.
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
                // A comma ends all operands, together with their nesting.
                self.depth -= self.nesting.open + self.nesting.run;
                self.nesting = Nesting::default();
                self.token(end, if sign == "," { Previous::Separator } else { Previous::Operator });
            }
            "|" if after_operand => {
                self.end_run();
                // The bar of a comprehension has no matching bar.
                if self.nesting.open > 0 {
                    self.nesting.open -= 1;
                    self.depth -= 1;
                }
                // The bar ends `|x|`, or it belongs to a comprehension. Inside `[…]`, both count as a separator, so the
                // minus sign in `[|x| - y]` is read as a prefix operator. The measured depth can only be too large.
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
                    // An unknown character cannot be an operator.
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
        // Only the first level beyond the limit is reported.
        if self.depth == DEEPEST + 1 {
            self.report(
                Diagnostic::error(Code::TOO_DEEP, format!("this is nested more than {DEEPEST} levels deep"))
                    .at(self.span(self.at - 1, self.at), "too deep from here on")
                    .help("name a part of it with `letting`"),
            );
        }
    }

    /// Skips a quoted name and reports invisible characters in it.
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

    /// Skips a quoted name that is not closed on its line.
    fn open_quotation(&mut self) {
        let start = self.at;
        self.token(start + self.line().len(), Previous::Operand);
        self.report(
            Diagnostic::error(Code::SYNTAX, "this quotation mark is never closed")
                .at(self.span(start, start + 1), "a quoted name starts here")
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
        // The closing bracket ends all nesting inside.
        self.depth -= 1 + self.nesting.open + self.nesting.run;
        self.nesting = bracket.outside;
        // A wrong bracket closes, too: the fault is recorded, and the nesting stays balanced.
        let wanted = closing(bracket.open);
        if !close.starts_with(wanted) {
            self.report(
                Diagnostic::error(Code::SYNTAX, format!("`{}` is closed by `{close}`", bracket.open))
                    .at(self.span(at, end), format!("`{wanted}` is needed here or earlier"))
                    .at(self.span(bracket.at, bracket.at + 1), "opened here"),
            );
        }
    }

    /// Reports the brackets that are open at the end of a statement.
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

    /// Records the first fault of the current statement, because later ones are usually consequences.
    fn report(&mut self, diagnostic: Diagnostic) {
        if let Some(piece) = self.scan.pieces.last_mut() {
            // Other statements are parsed normally, so the fault is stored with its statement.
            piece.fault.get_or_insert(diagnostic);
        }
    }
}

/// The marks that start comments in other languages.
const COMMENT_MARKS: [&str; 4] = ["//", "#", "%", "--"];

/// The number of bytes of a line that are inspected for prose. Chosen.
const MOST_PROSE: usize = 200;

/// In longer texts, words are not searched for. Chosen.
const MOST_SEARCHED: usize = 20_000;

/// Returns true if a line reads like a sentence: it has two adjacent words that do not belong to Essence.
fn is_prose(line: &str) -> bool {
    // In the types of literals, words of domains are adjacent.
    const ESSENCE: &str = "of forAll exists sum product be domain new type matrix indexed by from tuple record variant";
    let is_essence = |word: &str| {
        ESSENCE.split(' ').any(|known| known == word)
            || Collection::named(word).is_some()
            || Attribute::named(word).next().is_some()
            || is_operator(word)
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

/// Returns true if a word is an operator in Essence or another language.
fn is_operator(word: &str) -> bool {
    operators::symbols().iter().any(|symbol| symbol.text == word)
        || FOREIGN_OPERATORS.iter().any(|(foreign, _)| *foreign == word)
}

/// Returns the closing bracket for an opening one.
pub(crate) fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}
