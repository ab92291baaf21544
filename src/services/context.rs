//! The context of an offset in a text that is being written. It is found in the tokens before the offset, because half
//! a statement has no tree. Completion uses [`context`], signature help uses [`call`].
//!
//! The order of the checks in `StatementTokens::position` matters: keywords, domains, heads of quantifiers,
//! declarations, and then operators and operands. New syntax belongs in the first check that it concerns. The text
//! after the offset is read only for names that are bound there, as in `[x | x <- s]`.

use super::{AnalysedText, names::SymbolKind};
use crate::{
    language::Collection,
    operators,
    source::Span,
    syntax::{
        ast::Quantifier,
        parse::{is_reserved, starts_statement},
        tokens::{Token, TokenKind},
    },
};

/// The kind of text that can be written at an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// A new statement.
    Statement,
    /// One of these words or signs.
    Words(Vec<&'static str>),
    /// A name that is declared here.
    NewName,
    Domain,
    /// An attribute of this constructor that is not in the list; after `function`, also a domain.
    Attribute(Collection, Vec<String>),
    /// The meaning of a name, after `letting x be`.
    Meaning,
    Operand(Expected),
    /// An operator after an operand, which is a range of the text.
    Operator(std::ops::Range<usize>),
}

/// The requirement on an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Anything,
    /// A collection, whose members a name ranges over.
    Collection,
    /// The right side of an infix operator; the left side is a range of the text.
    Right(&'static str, std::ops::Range<usize>),
    /// An operand of a function, with the number of operands before it.
    Argument(String, usize),
    /// An index (`[`) or argument (`(`) of a value, which is a range of the text, with the number of indices or
    /// arguments before it.
    Part(u8, std::ops::Range<usize>, usize),
}

/// The context of an offset.
#[derive(Clone, Debug)]
pub(super) struct CursorContext {
    /// The word that is being written.
    pub word: Span,
    pub position: Position,
    /// The start of the statement; names that are declared there or later are not visible.
    pub statement: usize,
    /// True if a statement may start here as well.
    pub starts_line: bool,
    /// The generators around the offset, the outermost first, in the notation of comprehensions.
    pub generators: Vec<BoundNames>,
}

/// Names that a quantifier, a comprehension or a local `find` binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoundNames {
    pub kind: SymbolKind,
    pub names: Vec<String>,
    /// `i, j : D` or `i <- s`.
    pub text: String,
}

/// The tokens of a statement before an offset.
struct StatementTokens<'d> {
    document: &'d AnalysedText,
    tokens: Vec<Token>,
    /// The open brackets at the offset, the innermost last.
    open: Vec<usize>,
    offset: usize,
    /// True if the statement is inside an expression.
    is_local: bool,
}

/// The first words of the statements in `{ e @ find … such that … }`.
const LOCAL_STATEMENTS: [&str; 2] = ["find", "such that"];

/// The words before a domain.
const BEFORE_DOMAIN: [&str; 6] = [":", "of", "from", "-->", "domain", "`"];

/// Returns the context at an offset; `None` in a comment or a number.
pub(super) fn context(document: &AnalysedText, offset: usize) -> Option<CursorContext> {
    let behind = document.tokens.partition_point(|token| token.start < offset);
    let mut before = &document.tokens[..behind];
    let mut word = document.span(offset, offset);
    if let Some((last, rest)) = before.split_last() {
        let inside = offset <= last.end;
        match last.kind {
            // At the end of a `$` comment, further text belongs to the comment, but after `*/` it does not.
            TokenKind::Comment if offset < last.end || document.text_of(last).starts_with('$') && inside => {
                return None;
            }
            TokenKind::Number | TokenKind::Quoted if inside => return None,
            // The word that is being written does not belong to the context.
            TokenKind::Word if inside => {
                word = document.span(last.start, last.end);
                before = rest;
            }
            _ => {}
        }
    }
    let whole = StatementTokens::new(document, before, word.start as usize);
    let before = whole.innermost_statement();
    let text = document.text();
    let line = text[..word.start as usize].rsplit('\n').next().unwrap_or_default();
    Some(CursorContext {
        word,
        position: before.position(),
        statement: whole.tokens.first().map_or(word.start as usize, |first| first.start),
        starts_line: line.trim().is_empty() && whole.open.is_empty(),
        generators: whole.generators(),
    })
}

/// Returns the call around an offset: the word, or the range of the value before its `(`, and the number of arguments
/// before the offset.
pub(super) fn call(document: &AnalysedText, offset: usize) -> Option<Expected> {
    let behind = document.tokens.partition_point(|token| token.start < offset);
    let before = StatementTokens::new(document, &document.tokens[..behind], offset);
    before.open.iter().rev().find_map(|open| match before.inside(*open) {
        // Inside the call, an index or a literal may be open, as in `f(m[1`.
        Expected::Part(b'[', ..) | Expected::Anything | Expected::Right(..) => None,
        call => Some(call),
    })
}

impl<'d> StatementTokens<'d> {
    fn new(document: &'d AnalysedText, tokens: &[Token], offset: usize) -> Self {
        let tokens: Vec<Token> = tokens.iter().filter(|token| token.kind != TokenKind::Comment).copied().collect();
        let before = StatementTokens { document, tokens, open: Vec::new(), offset, is_local: false };
        // After `@`, a statement belongs to the expression around it.
        let starts = |position: &usize| before.starts_statement(*position) && !before.is_local(*position);
        let start = (0..before.tokens.len()).rev().find(starts).unwrap_or(0);
        before.from(start)
    }

    /// The tokens at a position and after it, with the brackets that are open among them.
    fn from(&self, start: usize) -> Self {
        let tokens = self.tokens[start..].to_vec();
        let mut behind = StatementTokens { tokens, open: Vec::new(), ..*self };
        for position in 0..behind.tokens.len() {
            match behind.text(position) {
                "(" | "[" | "{" => behind.open.push(position),
                ")" | "]" | "}" => drop(behind.open.pop()),
                _ => {}
            }
        }
        behind
    }

    /// The innermost statement around the offset: after the `@` of `{ e @ find …}`, the last one there.
    fn innermost_statement(&self) -> Self {
        let end = self.tokens.len();
        let local = self.open.iter().rev().find_map(|open| Some((*open, self.at_sign(*open, end)?)));
        let start = local.map(|(open, at_sign)| self.statements_in(open, at_sign).last().unwrap_or(at_sign));
        StatementTokens { is_local: start.is_some(), ..self.from(start.unwrap_or(0)) }
    }

    /// The positions of the statements after an `@` in a bracket.
    fn statements_in(&self, open: usize, at_sign: usize) -> impl Iterator<Item = usize> {
        let starts = move |at: &usize| self.starts_statement(*at) && self.opening(at - 1) == Some(open);
        (at_sign + 1..self.tokens.len()).filter(starts)
    }

    fn starts_statement(&self, position: usize) -> bool {
        starts_statement(self.text(position), self.text(position + 1))
            // After `,` or `|`, a `letting` belongs to a comprehension.
            && !matches!(self.text(position.wrapping_sub(1)), "," | "|" if self.text(position) == "letting")
    }

    /// Returns true if the innermost bracket around a position has an `@` before it.
    fn is_local(&self, position: usize) -> bool {
        let Some(open) = position.checked_sub(1).and_then(|before| self.opening(before)) else { return false };
        self.at_sign(open, position).is_some()
    }

    /// The `@` in a bracket before a position.
    fn at_sign(&self, open: usize, end: usize) -> Option<usize> {
        (open + 1..end).find(|at| self.text(*at) == "@" && self.opening(at - 1) == Some(open))
    }

    /// The text of a token; empty before the first and after the last one.
    fn text(&self, position: usize) -> &'d str {
        self.tokens.get(position).map_or("", |token| self.document.text_of(token))
    }

    /// The text of a token, counted from the last one.
    fn last(&self, back: usize) -> &'d str {
        self.text(self.tokens.len().wrapping_sub(back + 1))
    }

    fn keyword(&self) -> &'d str {
        self.text(0)
    }

    fn position(&self) -> Position {
        use Position::*;
        // After the `@` of `{ e @ find … }`, only local statements may follow.
        if self.keyword() == "@" {
            return Words(LOCAL_STATEMENTS.to_vec());
        }
        if self.keyword() == "dominance" && self.tokens.len() == 1 {
            return Words(vec!["relation"]);
        }
        // In a parameter file, every statement is a `letting`.
        if self.tokens.is_empty() || !starts_statement(self.keyword(), self.text(1)) {
            return if self.document.is_model() { Statement } else { Words(vec!["letting"]) };
        }
        let words = |words: &[&'static str]| Words(words.to_vec());
        let last = self.last(0);
        match last {
            "such" => return words(&["that"]),
            "branching" => return words(&["on ["]),
            "incomparability_function" => return words(&["ascending", "descending"]),
            "language" => return words(&["Essence 1.3"]),
            "heuristic" => return words(&["static", "sdf", "conflict", "srf", "ldf", "wdeg", "domoverwdeg"]),
            "new" => return words(&["type enum {", "type of size"]),
            "type" if self.last(1) == "new" => return words(&["enum {", "of size"]),
            "of" if self.last(1) == "type" => return words(&["size"]),
            "matrix" => return words(&["indexed by ["]),
            "indexed" => return words(&["by ["]),
            "find" | "given" | "letting" => return NewName,
            "be" => return Meaning,
            _ => {}
        }
        if let Some(position) = self.in_domain() {
            return position;
        }
        if BEFORE_DOMAIN.contains(&last) && !self.closes_backquote() && !self.is_pair(last) {
            return Domain;
        }
        if let Some(position) = self.in_head() {
            return position;
        }
        if self.open.is_empty() && matches!(self.keyword(), "find" | "given" | "letting") {
            let names_only = (1..self.tokens.len()).all(|at| self.text(at) == "," || self.is_name(at));
            if last == "," {
                return NewName;
            }
            if names_only {
                return match self.keyword() {
                    "find" => words(&[":"]),
                    "given" => words(&[":", "new type enum"]),
                    _ => words(&["be", "be domain", "be new type enum {", "be new type of size"]),
                };
            }
            // The declaration is complete, so another statement may follow.
            if self.keyword() != "letting" || self.text(self.after_names()) == "be" && self.is_domain_letting() {
                return if self.is_local { Words(LOCAL_STATEMENTS.to_vec()) } else { Statement };
            }
        }
        match self.operand_start() {
            Some(start) => Operator(self.tokens[start].start..self.end()),
            None => Operand(self.expected()),
        }
    }

    /// The end of the last token.
    fn end(&self) -> usize {
        self.tokens.last().map_or(self.offset, |token| token.end)
    }

    fn is_name(&self, position: usize) -> bool {
        let kind = self.tokens.get(position).map(|token| token.kind);
        kind == Some(TokenKind::Quoted) || kind == Some(TokenKind::Word) && !is_reserved(self.text(position))
    }

    /// The position after the names at the start of a declaration.
    fn after_names(&self) -> usize {
        (1..self.tokens.len()).find(|at| self.text(*at) != "," && !self.is_name(*at)).unwrap_or(self.tokens.len())
    }

    fn is_domain_letting(&self) -> bool {
        matches!(self.text(self.after_names() + 1), "domain" | "new")
    }

    /// Returns true if the last token closes the backquotes around a domain.
    fn closes_backquote(&self) -> bool {
        self.last(0) == "`" && (0..self.tokens.len()).filter(|at| self.text(*at) == "`").count() % 2 == 0
    }

    /// Returns true if an arrow is in a literal of a function.
    fn is_pair(&self, last: &str) -> bool {
        let literal = |open: &usize| self.text(open.wrapping_sub(1)) == "function" && !self.is_domain(open - 1);
        last == "-->" && self.open.last().is_some_and(literal)
    }

    /// Returns true if a domain starts at a position.
    fn is_domain(&self, position: usize) -> bool {
        let before = self.text(position.wrapping_sub(1));
        match before {
            // After an odd number of backquotes, the last one opens a domain.
            "`" => (0..position).filter(|at| self.text(*at) == "`").count() % 2 == 1,
            "-->" | "of" | "from" | ":" | "domain" => true,
            ")" => self.is_domain_attributes(position - 1),
            "(" | "," | "*" | "[" => self.opening(position - 1).is_some_and(|open| self.is_domain_bracket(open)),
            _ => Collection::ALL.iter().any(|kind| kind.keyword() == before) && self.is_domain(position - 1),
        }
    }

    /// The bracket that is open before a position, or at it.
    fn opening(&self, position: usize) -> Option<usize> {
        let mut depth = 0;
        (0..=position).rev().find(|at| {
            match self.text(*at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth > 0 => depth -= 1,
                "(" | "[" | "{" => return true,
                _ => {}
            }
            false
        })
    }

    /// Returns true if the parenthesis closes the attributes of a domain.
    fn is_domain_attributes(&self, close: usize) -> bool {
        close > 0 && self.opening(close - 1).is_some_and(|open| self.constructor(open).is_some())
    }

    /// Returns true if a bracket contains domains: a tuple, or the brackets after `indexed by`.
    fn is_domain_bracket(&self, open: usize) -> bool {
        match (self.text(open), self.text(open.wrapping_sub(1))) {
            ("[", before) => before == "by",
            ("(", "tuple") => true,
            ("(", _) => self.is_domain(open),
            _ => false,
        }
    }

    /// The collection whose attributes are in a bracket.
    fn constructor(&self, open: usize) -> Option<Collection> {
        let word = self.text(open.wrapping_sub(1));
        let constructor = Collection::named(word)?;
        (self.text(open) == "(" && self.is_domain(open - 1)).then_some(constructor)
    }

    /// Returns the position inside the brackets of a domain, or after its words.
    fn in_domain(&self) -> Option<Position> {
        let last = self.last(0);
        let end = self.tokens.len();
        if let Some(constructor) = Collection::named(last)
            && self.is_domain(end - 1)
        {
            return Some(before_parts(constructor));
        }
        if last == ")" && self.is_domain_attributes(end - 1) {
            // The domain of the members follows the attributes, as in `set (size 3) of D`.
            let open = self.opening(end - 2)?;
            return Some(before_parts(self.constructor(open)?));
        }
        // After the list of indices, as in `matrix indexed by [int(1..3)]`, only `of` may follow.
        if last == "]" && self.opening(end - 2).is_some_and(|open| self.text(open.wrapping_sub(1)) == "by") {
            return Some(Position::Words(vec!["of"]));
        }
        let open = *self.open.last()?;
        if let Some(constructor) = self.constructor(open) {
            let words = (open + 1..end).map(|at| self.text(at).to_owned()).collect();
            return match last {
                "(" | "," => Some(Position::Attribute(constructor, words)),
                // The size in `set (size n)` is an expression.
                _ if self.is_attribute(end - 1) => Some(Position::Operand(Expected::Anything)),
                _ => None,
            };
        }
        let before = self.text(open.wrapping_sub(1));
        match (self.text(open), last) {
            ("{", "{" | ",") if matches!(before, "enum" | "record" | "variant") && self.names_fields(open) => {
                Some(Position::NewName)
            }
            // The sign `*` is between the columns in `relation of (int(1..3) * bool)`.
            ("(" | "[", "(" | "[" | "," | "*") if self.is_domain_bracket(open) => Some(Position::Domain),
            _ => None,
        }
    }

    /// Returns true if the braces contain new names, unlike the braces of a literal.
    fn names_fields(&self, open: usize) -> bool {
        self.text(open - 1) == "enum" || self.is_domain(open - 1)
    }

    fn is_attribute(&self, position: usize) -> bool {
        crate::syntax::parse::is_attribute(self.text(position))
    }

    /// Returns the position in the head of a quantifier, or after the bar of a comprehension.
    fn in_head(&self) -> Option<Position> {
        let last = self.last(0);
        if self.quantifier(self.tokens.len() - 1) {
            return Some(Position::NewName);
        }
        let end = self.tokens.len();
        let head = (0..end).rev().take_while(|at| self.text(*at) == "," || self.is_name(*at)).last()?;
        if head > 0 && self.quantifier(head - 1) {
            return Some(match last {
                "," => Position::NewName,
                _ => Position::Words(vec![":", "in"]),
            });
        }
        // The generator of a comprehension may be unfinished: `[x | i`.
        let starts = |at: usize| matches!(self.text(at.wrapping_sub(1)), "|" | ",") && self.is_name(at);
        let comprehension = self.open.last().is_some_and(|open| self.text(*open) == "[" && self.bar(*open).is_some());
        let declared = || self.document.names.global(last).is_some();
        (comprehension && starts(end - 1) && !declared()).then(|| Position::Words(vec![":", "<-"]))
    }

    /// Returns true if the word of a quantifier is at a position.
    fn quantifier(&self, position: usize) -> bool {
        let word = self.text(position);
        Quantifier::ALL.iter().any(|quantifier| quantifier.word() == word) && self.text(position + 1) != "("
    }

    /// The bar of the comprehension in a bracket, as opposed to the bars of `|x|`.
    fn bar(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open + 1..self.tokens.len()).find(|at| {
            match self.text(*at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                // The bar of a comprehension follows an operand; the first bar of `|x|` does not.
                "|" if depth == 0 => return self.ends_operand(at - 1),
                _ => {}
            }
            false
        })
    }

    fn ends_operand(&self, position: usize) -> bool {
        let Some(token) = self.tokens.get(position) else { return false };
        let text = self.document.text_of(token);
        match token.kind {
            TokenKind::Number | TokenKind::Quoted => true,
            TokenKind::Word => !is_reserved(text) || matches!(text, "true" | "false"),
            TokenKind::Sign => matches!(text, ")" | "]" | "}") || text == "`" && self.closes_backquote(),
            TokenKind::Comment => false,
        }
    }

    /// The first token of the operand that ends before the offset.
    fn operand_start(&self) -> Option<usize> {
        self.operand_before(self.tokens.len())
    }

    /// The first token of the operand that ends before a token.
    fn operand_before(&self, end: usize) -> Option<usize> {
        let mut at = end.checked_sub(1)?;
        if self.text(at) == "|" {
            // The operand may be between bars: `|x|`.
            let open = (0..at).rev().find(|open| self.text(*open) == "|")?;
            let same = self.opening(open) == self.opening(at);
            return (same && at > open + 1 && !self.ends_operand(open.wrapping_sub(1))).then_some(open);
        }
        if !self.ends_operand(at) {
            return None;
        }
        loop {
            if matches!(self.text(at), ")" | "]" | "}") {
                let open = self.opening(at.checked_sub(1)?)?;
                // `f(x)[1]` is one operand, so the search continues before the brackets if an operand ends there.
                let before = open.wrapping_sub(1);
                let continues = self.tokens.get(before).is_some_and(|token| token.kind == TokenKind::Word)
                    || matches!(self.text(before), ")" | "]");
                if self.text(open) == "{" || !continues || self.is_infix_word(before) {
                    return Some(open);
                }
                at = before;
            } else {
                return Some(at);
            }
        }
    }

    fn is_infix_word(&self, position: usize) -> bool {
        let word = self.text(position);
        operators::infix(word).is_some()
            || matches!(
                word,
                "that" | "where" | "be" | "minimising" | "maximising" | "on" | "ascending" | "descending" | "relation"
            )
    }

    /// Returns the requirement on the operand at the offset.
    fn expected(&self) -> Expected {
        let end = self.tokens.len();
        let last = self.last(0);
        let names = (0..end - 1).rev().take_while(|at| self.text(*at) == "," || self.is_name(*at)).last();
        // In the head of a quantifier such as `forAll i in s`, `in` is not an operator.
        let head = names.is_some_and(|first| first > 0 && self.quantifier(first - 1));
        if last == "<-" || head && matches!(last, "in" | "subsetEq") {
            return Expected::Collection;
        }
        if let Some(symbol) = operators::infix(last)
            && let Some(start) = self.operand_before(end - 1)
        {
            return Expected::Right(symbol.text, self.tokens[start].start..self.tokens[end - 2].end);
        }
        match (last, self.open.last()) {
            ("(" | "[" | ",", Some(open)) => self.inside(*open),
            _ => Expected::Anything,
        }
    }

    /// Returns the requirement on an operand in a bracket.
    fn inside(&self, open: usize) -> Expected {
        // In `f(a, g(b, c), `, only two of the three commas separate arguments of `f`.
        let mut depth = 0;
        let commas = (open + 1..self.tokens.len()).filter(|at| {
            match self.text(*at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                text => return text == "," && depth == 0,
            }
            false
        });
        let commas = commas.count();
        let before = self.text(open.wrapping_sub(1));
        let bracket = self.text(open).as_bytes().first().copied().unwrap_or_default();
        if bracket == b'(' && (operators::function(before).is_some() || open > 0 && self.is_attribute(open - 1)) {
            return Expected::Argument(before.to_owned(), commas);
        }
        match self.operand_before(open) {
            Some(start) if bracket != b'{' => {
                Expected::Part(bracket, self.tokens[start].start..self.tokens[open - 1].end, commas)
            }
            _ => Expected::Anything,
        }
    }

    /// The generators of the quantifiers whose bodies contain the offset, and of the comprehensions around it.
    fn generators(&self) -> Vec<BoundNames> {
        let mut found = Vec::new();
        for at in 0..self.tokens.len() {
            if self.quantifier(at) && self.is_around(at) {
                found.extend(self.head(at + 1));
            }
            if self.open.contains(&at) && self.text(at) == "{" {
                found.extend(self.local_finds(at));
            }
            if self.open.contains(&at) && self.text(at) == "[" {
                match self.bar(at) {
                    Some(bar) => found.extend(self.qualifiers(bar + 1, self.tokens.len())),
                    // The generators may follow the offset: in `[x | x <- s]`, `x` is written before its generator.
                    None => found.extend(self.later_qualifiers()),
                }
            }
        }
        found
    }

    /// The decision variables that are declared in the braces around the offset, before or after it.
    fn local_finds(&self, open: usize) -> Vec<BoundNames> {
        let start = self.tokens[open].start;
        let tokens = self.document.tokens.iter().skip_while(|token| token.start < start);
        let mut tokens: Vec<Token> = tokens.filter(|token| token.kind != TokenKind::Comment).copied().collect();
        let mut depth = 0;
        let close = tokens.iter().position(|token| {
            match self.document.text_of(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        // If the braces are not closed, they end at the offset.
        tokens.truncate(close.unwrap_or(self.tokens.len() - open));
        let inside = StatementTokens { tokens, open: Vec::new(), ..*self };
        let Some(at_sign) = inside.at_sign(0, inside.tokens.len()) else { return Vec::new() };
        let starts: Vec<usize> = inside.statements_in(0, at_sign).collect();
        let ends = starts.iter().skip(1).copied().chain([inside.tokens.len()]);
        let statements = starts.iter().copied().zip(ends).filter(|(start, end)| {
            // A declaration that is being written cannot refer to itself.
            let is_here = inside.tokens[*start].start < self.offset && self.offset <= inside.tokens[end - 1].end;
            inside.text(*start) == "find" && !is_here
        });
        let finds = statements.flat_map(|(start, end)| inside.qualifiers(start + 1, end));
        finds.map(|find| BoundNames { kind: SymbolKind::Find, ..find }).collect()
    }

    /// Returns true if no bracket around a token is closed before the offset.
    fn is_around(&self, position: usize) -> bool {
        let opening = position.checked_sub(1).and_then(|before| self.opening(before));
        opening.is_none_or(|open| self.open.contains(&open))
    }

    /// Parses `i, j : D .` after the word of a quantifier.
    fn head(&self, start: usize) -> Option<BoundNames> {
        let names = start..(start..self.tokens.len()).find(|at| matches!(self.text(*at), ":" | "in" | "subsetEq"))?;
        let over = names.end + 1;
        let mut depth = 0;
        // If no `.` or `,` follows, the head is still being written, and its names are not visible.
        let end = (over..self.tokens.len()).find(|at| {
            match self.text(*at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "." | "," => return depth == 0,
                _ => {}
            }
            false
        })?;
        self.generator(names, over..end)
    }

    fn generator(&self, names: std::ops::Range<usize>, over: std::ops::Range<usize>) -> Option<BoundNames> {
        let bound = names.clone().filter(|at| self.is_name(*at)).map(|at| self.text(at).to_owned()).collect();
        let written = |range: std::ops::Range<usize>| {
            let (first, last) = (self.tokens.get(range.start)?, self.tokens.get(range.end.checked_sub(1)?)?);
            self.document.text().get(first.start..last.end)
        };
        // The result has the notation of comprehensions, in which `in` is `<-`.
        let sign = if self.text(names.end) == ":" { ":" } else { "<-" };
        let sign = if self.text(names.end) == "subsetEq" { "subsetEq" } else { sign };
        Some(BoundNames {
            kind: SymbolKind::Quantified,
            names: bound,
            text: format!("{} {sign} {}", written(names)?, written(over)?),
        })
    }

    /// The generators between two tokens.
    fn qualifiers(&self, start: usize, end: usize) -> Vec<BoundNames> {
        let mut depth = 0;
        let mut from = start;
        let mut found = Vec::new();
        for at in start..end {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                // In `i, j : D`, the first comma separates names.
                "," if depth == 0 && (from..at).any(|sign| matches!(self.text(sign), ":" | "<-")) => {
                    found.extend(self.qualifier(from, at));
                    from = at + 1;
                }
                _ => {}
            }
        }
        found.extend(self.qualifier(from, end));
        found
    }

    fn qualifier(&self, from: usize, end: usize) -> Option<BoundNames> {
        let sign = (from..end).find(|at| matches!(self.text(*at), ":" | "<-"))?;
        self.generator(from..sign, sign + 1..end)
    }

    /// The generators after the offset, in the brackets around it.
    fn later_qualifiers(&self) -> Vec<BoundNames> {
        let first = self.document.tokens.partition_point(|token| token.end <= self.offset);
        let mut depth = 0i32;
        let mut bar = None;
        let mut end = None;
        for (at, token) in self.document.tokens.iter().enumerate().skip(first) {
            match self.document.text_of(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "|" if depth == 0 && bar.is_none() => bar = Some(at + 1),
                // If a bracket is not closed, it ends at the next statement.
                word if starts_statement(
                    word,
                    self.document.tokens.get(at + 1).map_or("", |next| self.document.text_of(next)),
                ) =>
                {
                    break;
                }
                _ => {}
            }
            if depth < 0 {
                end = Some(at);
                break;
            }
        }
        let (Some(bar), Some(end)) = (bar, end) else { return Vec::new() };
        let tokens = self.document.tokens[first..end].to_vec();
        let behind = StatementTokens { tokens, open: Vec::new(), ..*self };
        behind.qualifiers(bar - first, end - first)
    }
}

/// Returns the position after the keyword of a collection's domain and its attributes.
fn before_parts(kind: Collection) -> Position {
    kind.word_before_parts().map_or(Position::Domain, |word| Position::Words(vec![word]))
}
