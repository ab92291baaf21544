//! Completions at a position: names, operators that fit the types around it, attributes, domains and statements.

use super::{
    AnalysedText,
    context::{CursorContext, Expected, Position, context},
    hover::meaning_in_markdown,
    names::SymbolKind,
};
use crate::{
    language::{Collection, Type, attributes::rows::ATTRIBUTES},
    manual::{self, WordKind},
    operators::{self, Notation, Operator, signature},
    source::Span,
    syntax::ast::Quantifier,
};

/// A text that can be inserted at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The word shown in the list.
    pub label: String,
    /// The kind of the word.
    pub kind: CompletionKind,
    /// The text to insert, with placeholders such as `${1:name}`; `$`, `}` and `\` are escaped by `\`.
    pub snippet: String,
    /// The replaced word.
    pub span: Span,
    /// A type or a notation, on one line.
    pub detail: String,
    /// An explanation in Markdown; may be empty.
    pub documentation: String,
    /// True unless its type is known not to fit. Items that fit come first.
    pub fits: bool,
}

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A declared name.
    Name(SymbolKind),
    /// A field of a record or an alternative of a variant.
    Field,
    /// An operator that is written as a word before parentheses.
    Function,
    /// An operator between or before its operands.
    Operator,
    /// An attribute of a domain.
    Attribute,
    /// A word of the language.
    Keyword,
    /// A form with placeholders.
    Snippet,
}

/// The first words of statements, each with its word in the manual.
const STATEMENTS: [(&str, &str, &str); 13] = [
    ("find", "find", "find ${1:x} : ${2:int(1..9)}"),
    ("given", "given", "given ${1:n} : ${2:int(1..)}"),
    ("letting", "letting", "letting ${1:name} be ${2:value}"),
    ("letting … be domain", "be domain", "letting ${1:Name} be domain ${2:int(1..9)}"),
    ("letting … be new type enum", "new type enum", "letting ${1:Name} be new type enum {${2:a, b}\\}"),
    ("such that", "such that", "such that ${1:constraint}"),
    ("where", "where", "where ${1:condition}"),
    ("minimising", "minimising", "minimising ${1:expression}"),
    ("maximising", "maximising", "maximising ${1:expression}"),
    ("dominance relation", "dominance", "dominance relation ${1:x} < fromSolution(${1:x})"),
    (
        "incomparability_function",
        "incomparability_function",
        "incomparability_function ${1|ascending,descending|} ${2:expression}",
    ),
    ("branching on", "branching on", "branching on [${1:x}]"),
    ("language Essence 1.3", "language", "language Essence 1.3"),
];

/// The first words of domains, each with its word in the manual.
const DOMAINS: [(&str, &str, &str); 13] = [
    ("int", "int", "int(${1:1..9})"),
    ("bool", "bool", "bool"),
    ("matrix", "matrix indexed by", "matrix indexed by [${1:int(1..9)}] of ${2:int(1..9)}"),
    ("set", "set", "set of ${1:int(1..9)}"),
    ("mset", "mset", "mset (size ${1:3}) of ${2:int(1..9)}"),
    ("function", "function", "function ${1:int(1..9)} --> ${2:int(1..9)}"),
    ("function (total)", "function", "function (total) ${1:int(1..9)} --> ${2:int(1..9)}"),
    ("sequence", "sequence", "sequence (maxSize ${1:9}) of ${2:int(1..9)}"),
    ("relation", "relation", "relation of (${1:int(1..9)} * ${2:int(1..9)})"),
    ("partition", "partition from", "partition from ${1:int(1..9)}"),
    ("permutation", "permutation", "permutation of ${1:int(1..9)}"),
    ("record", "record", "record {${1:name} : ${2:int(1..9)}\\}"),
    ("tuple", "tuple", "(${1:int(1..9)}, ${2:bool})"),
];

/// Returns the completions at an offset, the likeliest first.
pub(crate) fn completions(document: &AnalysedText, offset: usize) -> Vec<Completion> {
    let Some(context) = context(document, offset) else { return Vec::new() };
    let list = List { document, span: context.word, items: Vec::new() };
    if !document.is_essence {
        return Vec::new();
    }
    let mut items = list.of(&context);
    let typed = document.sources.text(Span { end: offset as u32, ..context.word });
    // Editors also filter by the typed text, but filtering here keeps the answer short.
    items.retain(|item| typed.is_empty() || is_abbreviated(&item.label, typed));
    // The sort is stable, so each group keeps its order.
    items.sort_by_key(|item| !item.fits);
    items
}

/// Returns true if the typed letters occur in a label in their order, and the first one starts a word of it.
fn is_abbreviated(label: &str, typed: &str) -> bool {
    let mut letters = label.chars().map(|letter| letter.to_ascii_lowercase());
    let mut typed = typed.chars().map(|letter| letter.to_ascii_lowercase());
    let first = typed.next();
    let starts =
        label.split([' ', '_']).any(|word| word.chars().next().map(|letter| letter.to_ascii_lowercase()) == first);
    starts && letters.any(|letter| Some(letter) == first) && typed.all(|wanted| letters.any(|letter| letter == wanted))
}

struct List<'d> {
    document: &'d AnalysedText,
    span: Span,
    items: Vec<Completion>,
}

impl List<'_> {
    fn of(mut self, context: &CursorContext) -> Vec<Completion> {
        // At the start of a line, a statement may start even if the last one could continue.
        if context.starts_line && context.position != Position::Statement {
            match self.document.is_model() {
                true => self.statements(),
                false => self.missing_values(),
            }
        }
        match &context.position {
            Position::Statement => self.statements(),
            Position::Words(words) => {
                for word in words {
                    self.keyword(word);
                }
                // In a parameter file, names without a value come first.
                if words == &["letting"] {
                    self.missing_values();
                }
            }
            Position::NewName => self.missing_names(),
            Position::Domain => self.domains(context),
            Position::Attribute(constructor, used) => self.attributes(context, *constructor, used),
            Position::Meaning => {
                for word in ["domain", "new type enum {", "new type of size"] {
                    self.keyword(word);
                }
                self.operands(context, &Expected::Anything);
            }
            Position::Operand(expected) => self.operands(context, expected),
            Position::Operator(operand) => self.operators(context, operand.clone()),
        }
        self.items
    }

    fn push(&mut self, label: &str, kind: CompletionKind, snippet: String, detail: String) -> &mut Completion {
        let (label, span) = (label.to_owned(), self.span);
        let item = Completion { label, kind, snippet, span, detail, documentation: String::new(), fits: true };
        self.items.push(item);
        self.items.last_mut().expect("pushed")
    }

    /// Adds an item with its explanation from the manual.
    fn explained(&mut self, label: &str, word: &str, kind: CompletionKind, snippet: String) {
        let meanings = manual::all_words().filter(|(known, _)| *known == word);
        // The word may also be an operator, but here the keyword is meant.
        let meaning = meanings.max_by_key(|(_, meaning)| meaning.kind == WordKind::Keyword);
        let item = self.push(label, kind, snippet, String::new());
        if let Some((word, meaning)) = meaning {
            item.detail.clone_from(&meaning.form);
            item.documentation = meaning_in_markdown(word, &meaning);
        }
    }

    fn keyword(&mut self, word: &str) {
        let snippet = match word.strip_suffix(['{', '[']) {
            // A snippet needs an escape before a closing brace.
            Some(_) if word.ends_with('{') => format!("{word}$1\\}}"),
            Some(_) => format!("{word}$1]"),
            None => word.to_owned(),
        };
        self.explained(
            word.trim_end_matches([' ', '{', '[']),
            word.trim_end_matches([' ', '{', '[']),
            CompletionKind::Keyword,
            snippet,
        );
    }

    fn statements(&mut self) {
        for (label, word, snippet) in STATEMENTS {
            self.explained(label, word, CompletionKind::Snippet, snippet.to_owned());
        }
    }

    /// The parameters of the model without a value in this parameter file.
    fn without_values(&self) -> Vec<(String, String)> {
        let names = &self.document.names;
        let given = names.symbols.iter().enumerate().filter(|(id, symbol)| {
            let is_set = names.uses.iter().any(|name| name.symbol == *id);
            symbol.kind == SymbolKind::Given && !is_set && symbol.span.source == AnalysedText::MODEL
        });
        given.map(|(_, symbol)| (symbol.name.to_string(), self.document.on_one_line(symbol.of))).collect()
    }

    fn missing_values(&mut self) {
        for (name, domain) in self.without_values() {
            let snippet = format!("letting {name} be $1");
            self.push(&format!("letting {name} be"), CompletionKind::Snippet, snippet, domain);
        }
    }

    fn missing_names(&mut self) {
        if !self.document.is_model() {
            for (name, domain) in self.without_values() {
                self.push(&name, CompletionKind::Name(SymbolKind::Given), format!("{name} be $1"), domain);
            }
        }
    }

    fn domains(&mut self, context: &CursorContext) {
        let document = self.document;
        for id in document.names.in_scope(document.source, context.statement) {
            let symbol = &document.names.symbols[id];
            if matches!(symbol.kind, SymbolKind::Domain | SymbolKind::Type) {
                let detail = document.on_one_line(symbol.of);
                self.push(&symbol.name, CompletionKind::Name(symbol.kind), symbol.name.to_string(), detail);
            }
        }
        for (label, word, snippet) in DOMAINS {
            self.explained(label, word, CompletionKind::Snippet, snippet.to_owned());
        }
    }

    fn attributes(&mut self, context: &CursorContext, constructor: Collection, used: &[String]) {
        let rows = ATTRIBUTES.iter().filter(|row| row.of.contains(&constructor));
        for row in rows.filter(|row| !used.iter().any(|used| used == row.word)) {
            let snippet = if row.takes_number() { format!("{} ${{1:n}}", row.word) } else { row.word.to_owned() };
            let meaning = manual::of_attribute(row);
            let item = self.push(row.word, CompletionKind::Attribute, snippet, meaning.form.clone());
            item.documentation = meaning_in_markdown(row.word, &meaning);
        }
        // The parenthesis after `function` may also be the start of the domain of the arguments.
        if constructor.word_before_parts().is_none() && used.len() == 1 {
            self.domains(context);
        }
    }

    /// Adds the operators that can follow an operand.
    fn operators(&mut self, context: &CursorContext, operand: std::ops::Range<usize>) {
        let text = self.document.text()[operand].to_owned();
        let generators: Vec<String> = context.generators.iter().map(|generator| generator.text.clone()).collect();
        let ty = self.document.type_of_text(&text, &generators);
        for symbol in operators::symbols() {
            if !matches!(symbol.notation, Notation::Infix { .. }) {
                continue;
            }
            let fits = |row: &&&'static Operator| ty.as_ref().is_none_or(|ty| accepts_operand(row, 0, ty));
            if let Some(row) = operators::rows_of_symbol(*symbol).iter().find(fits) {
                let meaning = manual::of_operator("", row);
                let item = self.push(
                    symbol.text,
                    CompletionKind::Operator,
                    symbol.text.replace('\\', "\\\\"),
                    meaning.form.clone(),
                );
                item.documentation = meaning_in_markdown(symbol.text, &meaning);
            }
        }
    }

    /// Adds names, functions, quantifiers and literals.
    fn operands(&mut self, context: &CursorContext, expected: &Expected) {
        let document = self.document;
        let generators: Vec<String> = context.generators.iter().map(|generator| generator.text.clone()).collect();
        let outside = match expected {
            Expected::Right(_, range) | Expected::Part(_, range, _) => {
                document.type_of_text(&document.text()[range.clone()], &generators)
            }
            _ => None,
        };
        let fits = |ty: &Type| match (expected, &outside) {
            (Expected::Right(sign, _), Some(left)) => operators::infix(sign)
                .is_some_and(|symbol| operators::rows_of_symbol(symbol).iter().any(|row| applies(row, &[left, ty]))),
            (Expected::Collection, _) => ty.member().is_some() && !matches!(ty, Type::Domain(_)),
            (Expected::Argument(word, position), _) => operators::function(word).is_none_or(|symbol| {
                operators::rows_of_symbol(symbol).iter().any(|row| accepts_operand(row, *position, ty))
            }),
            (Expected::Part(_, _, position), Some(whole)) => {
                type_of_part_at(whole, *position).is_none_or(|part| part.join(ty).is_some())
            }
            _ => true,
        };
        // The index of a record can only be a field.
        if let (Expected::Part(b'[', ..), Some(Type::Record(fields) | Type::Variant(fields))) = (expected, &outside) {
            for (name, ty) in fields.iter() {
                self.push(name, CompletionKind::Field, name.to_string(), ty.to_string());
            }
            return;
        }
        // The innermost names are the likeliest, so they come first.
        for generator in context.generators.iter().rev() {
            for name in &generator.names {
                let ty = document.type_of_text(name, &generators);
                let detail = ty.as_ref().map_or(generator.text.clone(), Type::to_string);
                let item = self.push(name, CompletionKind::Name(generator.kind), name.clone(), detail);
                item.fits = ty.is_none_or(|ty| fits(&ty));
            }
        }
        for id in document.names.in_scope(document.source, context.statement) {
            let symbol = &document.names.symbols[id];
            let bound =
                context.generators.iter().any(|generator| generator.names.iter().any(|name| **name == *symbol.name));
            // The bound name hides this symbol.
            if bound {
                continue;
            }
            let ty = document.names.type_of(id, &document.model);
            let ty = match symbol.kind {
                // The type of a domain or a type name is the type of its members.
                SymbolKind::Domain | SymbolKind::Type => ty.map(|ty| Type::Domain(ty.into())),
                _ => ty,
            };
            let detail = ty.as_ref().map_or(String::new(), Type::to_string);
            let item = self.push(&symbol.name, CompletionKind::Name(symbol.kind), symbol.name.to_string(), detail);
            item.fits = ty.is_none_or(|ty| fits(&ty));
        }
        for quantifier in Quantifier::ALL {
            let word = quantifier.word();
            let body =
                if matches!(quantifier, Quantifier::ForAll | Quantifier::Exists) { "condition" } else { "expression" };
            let snippet = format!("{word} ${{1:i}} : ${{2:int(1..9)}} . ${{3:{body}}}");
            self.explained(word, word, CompletionKind::Snippet, snippet);
        }
        let comprehension = "[${1:expression} | ${2:i} : ${3:int(1..9)}]".to_owned();
        self.explained("[ … | … ]", "<-", CompletionKind::Snippet, comprehension);
        for word in ["true", "false"] {
            self.explained(word, word, CompletionKind::Keyword, word.to_owned());
        }
        for symbol in operators::symbols().iter().filter(|symbol| symbol.notation == Notation::Function) {
            // Some functions, such as `sum`, are already listed as quantifiers.
            let is_listed = self.items.iter().any(|item| item.label == symbol.text);
            let Some(row) = operators::rows_of_symbol(*symbol).first().filter(|_| !is_listed) else { continue };
            let meaning = manual::of_operator("", row);
            let snippet = format!("{}($1)", symbol.text);
            let item = self.push(symbol.text, CompletionKind::Function, snippet, meaning.form.clone());
            item.documentation = meaning_in_markdown(symbol.text, &meaning);
        }
    }
}

/// Returns true if an operator accepts an operand of a type at a position.
fn accepts_operand(row: &Operator, position: usize, ty: &Type) -> bool {
    signature::parse_signature(row.signature).is_some_and(|signature| signature.accepts(position, ty))
}

fn applies(row: &Operator, operands: &[&Type]) -> bool {
    signature::parse_signature(row.signature).is_some_and(|signature| signature.apply(operands).is_some())
}

/// Returns the type of an index or argument of the values of a type.
fn type_of_part_at(whole: &Type, position: usize) -> Option<Type> {
    match whole {
        Type::Matrix(parts) => match (position, &parts[1]) {
            (0, _) => Some(parts[0].clone()),
            // In `m[i, j]`, the second index belongs to the inner matrix.
            (_, inner) => type_of_part_at(inner, position - 1),
        },
        Type::List(_) | Type::Tuple(_) => Some(Type::INT),
        Type::Collection(kind, parts) => {
            let position = if kind.form().is_keyed() { 0 } else { position };
            kind.form().components(parts, Type::INT)?.get(position).cloned()
        }
        _ => None,
    }
}
