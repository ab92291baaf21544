//! The names of a text with their declarations and uses. They come from the syntax tree, so type errors do not matter.
//! In unreadable parts of the text, words count as uses of the global names.

use crate::{
    analysis::model::TypedModel,
    language::{Name, Type},
    source::{SourceId, Span},
    syntax::{
        ast::{
            DomainKind, DomainTree, ExprTree, ExprTreeKind, File, GeneratorSource, Identifier, LettingValue, Statement,
            StatementKind,
        },
        binding::{NameBinding, NameStep},
        declared::{Declared, declared},
        json::{Json, JsonKind, JsonMembers},
        parts,
        remarks::possible_names,
        scope::Scope,
        tokens::{Token, TokenKind},
    },
};

pub use crate::syntax::declared::SymbolKind;

/// An index into [`Names::symbols`].
pub(crate) type SymbolId = usize;

/// A named declaration.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub name: Name,
    pub kind: SymbolKind,
    /// The span of the name in its declaration.
    pub span: Span,
    /// The span of the domain, value, type or collection in the declaration.
    pub of: Span,
    /// The scope of a bound name; `None` for a global name.
    pub scope: Option<Span>,
}

/// A use of a symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub span: Span,
    pub symbol: SymbolId,
}

/// The symbols of a text, with their uses (including the declarations) in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub symbols: Vec<Symbol>,
    pub uses: Vec<Use>,
    /// The uses in comments that depend on names, such as `$ why: {a} and {b} differ`, in the order of the text.
    pub in_remarks: Vec<Use>,
    /// The symbols in scope during the walk through the file; afterwards, the global ones.
    scope: Scope<SymbolId>,
}

impl Names {
    /// Returns the names of a model.
    pub(crate) fn of_model(file: &File, text: &str, tokens: &[Token]) -> Names {
        Names::default().with_file(file, text, tokens)
    }

    /// Returns the names of a parameter file or solution, which uses the names of its model.
    pub(crate) fn of_data(model: &Names, file: &File, text: &str, tokens: &[Token]) -> Names {
        model.without_uses().with_file(file, text, tokens)
    }

    /// Returns the names in a JSON object: its keys, and the members of enumerated types.
    pub(crate) fn of_json(model: &Names, members: &JsonMembers, text: &str) -> Names {
        let mut names = model.without_uses();
        for (key, value) in members {
            names.use_in_json(&key.text, key.span);
            names.members_in_json(value);
        }
        names.in_order(text)
    }

    fn without_uses(&self) -> Names {
        Names { uses: Vec::new(), in_remarks: Vec::new(), ..self.clone() }
    }

    fn members_in_json(&mut self, json: &Json) {
        match &json.kind {
            JsonKind::String(text) => self.use_in_json(text, json.span),
            JsonKind::Array(items) => items.iter().for_each(|item| self.members_in_json(item)),
            JsonKind::Object(members) => {
                for (key, value) in members {
                    self.use_in_json(&key.text, key.span);
                    self.members_in_json(value);
                }
            }
            _ => {}
        }
    }

    /// Records the use of a symbol by a JSON string. The quotation marks are not part of the name.
    fn use_in_json(&mut self, text: &str, span: Span) {
        let quotes = span.end - span.start - text.len() as u32;
        // With escapes, the string is longer than its name, so its characters cannot be located.
        if let (Some(symbol), 2) = (self.global(text), quotes) {
            self.uses.push(Use { span: Span { start: span.start + 1, end: span.end - 1, ..span }, symbol });
        }
    }

    fn with_file(mut self, file: &File, text: &str, tokens: &[Token]) -> Names {
        for Declared { name, kind, of } in file.statements.iter().flat_map(declared) {
            self.declare(name, kind, of);
        }
        for name in &file.broken {
            // Names whose declarations could not be read are declared as values. A renamed reserved word is not in the
            // text, so it has no span.
            if name.span != Span::default() {
                self.declare(name, SymbolKind::Value, name.span);
            }
        }
        file.statements.iter().for_each(|statement| self.statement(statement));
        self.in_unread(&file.unread, text, tokens);
        self.remarks(file, text);
        self.in_order(text)
    }

    /// Records the names in comments. Quantified names are known in the comments of their rule.
    fn remarks(&mut self, file: &File, text: &str) {
        for (comment, span) in possible_names(&file.comments) {
            let Some(name) = text.get(span.start as usize..span.end as usize) else { continue };
            let is_bound = |symbol: &Symbol| {
                let around = symbol.scope.zip(comment.subject.span());
                *symbol.name == *name && around.is_some_and(|(scope, rule)| rule.contains(scope))
            };
            // If two parts of a rule bind one name, its template has the last one.
            let symbol = self.symbols.iter().rposition(is_bound).or_else(|| self.global(name));
            self.in_remarks.extend(symbol.map(|symbol| Use { span, symbol }));
        }
    }

    /// All uses, also those in comments, in the order of the text.
    pub(crate) fn all_uses(&self) -> Vec<Use> {
        let mut all: Vec<Use> = self.uses.iter().chain(&self.in_remarks).copied().collect();
        all.sort_by_key(|name| name.span);
        all
    }

    /// Records the words in unreadable parts as uses of global names.
    fn in_unread(&mut self, unread: &[Span], text: &str, tokens: &[Token]) {
        for span in unread {
            let (start, end) = (span.start as usize, span.end as usize);
            let first = tokens.partition_point(|token| token.start < start);
            for token in tokens[first..].iter().take_while(|token| token.end <= end) {
                if let TokenKind::Word | TokenKind::Quoted = token.kind
                    && let Some(symbol) = self.global(&text[token.start..token.end])
                {
                    self.uses.push(Use { span: Span::new(span.source, token.start, token.end), symbol });
                }
            }
        }
    }

    /// Sorts the uses by position, and drops uses that the parser inserted when it mended a mistake.
    fn in_order(mut self, text: &str) -> Names {
        let is_written = |name: &Use| {
            text.get(name.span.start as usize..name.span.end as usize) == Some(&*self.symbols[name.symbol].name)
        };
        self.uses.retain(is_written);
        self.uses.sort_by_key(|name| name.span);
        self.uses.dedup_by_key(|name| name.span);
        self
    }

    /// The global symbol of a name.
    pub(crate) fn global(&self, name: &str) -> Option<SymbolId> {
        self.scope.global(name).copied()
    }

    /// The use at an offset, or just before it.
    pub(crate) fn at(&self, offset: usize) -> Option<Use> {
        let at = |uses: &[Use]| {
            let behind = uses.partition_point(|name| name.span.start as usize <= offset);
            uses[..behind].last().filter(|name| offset <= name.span.end as usize).copied()
        };
        at(&self.uses).or_else(|| at(&self.in_remarks))
    }

    /// The symbols that are visible in a statement of a file: the earlier declarations in the file, and the
    /// declarations of its model. `statement` is the start of the statement.
    pub(crate) fn in_scope(&self, source: SourceId, statement: usize) -> impl Iterator<Item = SymbolId> {
        let is_known = move |symbol: &Symbol| {
            symbol.scope.is_none() && (symbol.span.source != source || (symbol.span.end as usize) < statement)
        };
        let known = self.symbols.iter().enumerate().filter(move |(_, symbol)| is_known(symbol));
        known.map(|(id, _)| id)
    }

    /// The type of a symbol; for a domain, the type of its members. `None` if it is unknown.
    pub(crate) fn type_of(&self, id: SymbolId, model: &TypedModel) -> Option<Type> {
        let symbol = &self.symbols[id];
        let ty = match symbol.scope {
            Some(_) => model.local_names.iter().rev().find(|local| local.span == symbol.span)?.ty.clone(),
            None if symbol.kind == SymbolKind::Member => {
                let declaring =
                    self.symbols.iter().find(|other| other.of == symbol.of && other.kind == SymbolKind::Type)?;
                model.declarations.iter().find(|declaration| declaration.name == declaring.name)?.ty.clone()
            }
            None => model.declarations.iter().find(|declaration| declaration.name == symbol.name)?.ty.clone(),
        };
        (ty != Type::Any).then_some(ty)
    }

    /// Declares a global name, unless it is declared already, as the names of the model are in a parameter file.
    fn declare(&mut self, Identifier { text, span }: &Identifier, kind: SymbolKind, of: Span) {
        if self.scope.declare(text.clone(), self.symbols.len()).is_none() {
            self.symbols.push(Symbol { name: text.clone(), kind, span: *span, of, scope: None });
        }
        self.used(text, *span);
    }

    /// Binds a name within an expression.
    fn bind(&mut self, name: &Name, kind: SymbolKind, span: Span, of: Span, scope: Span) {
        self.scope.bind(name.clone(), self.symbols.len());
        self.symbols.push(Symbol { name: name.clone(), kind, span, of, scope: Some(scope) });
        self.used(name, span);
    }

    fn used(&mut self, name: &str, span: Span) {
        if let Some(&symbol) = self.scope.get(name)
            && span != Span::default()
        {
            self.uses.push(Use { span, symbol });
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Given { domain, .. } | StatementKind::Find { domain, .. } => self.domain(domain),
            StatementKind::GivenEnum { .. } | StatementKind::Heuristic(_) => {}
            StatementKind::Letting { value, .. } => match value {
                LettingValue::Expr(value) | LettingValue::Unnamed(value) => self.expr(value),
                LettingValue::Domain(domain) => self.domain(domain),
                LettingValue::Enum(_) => {}
            },
            StatementKind::SuchThat(items) | StatementKind::Where(items) | StatementKind::BranchingOn(items) => {
                items.iter().for_each(|item| self.expr(item));
            }
            StatementKind::Objective { value, .. }
            | StatementKind::Incomparability { value, .. }
            | StatementKind::Dominance { relation: value, .. } => self.expr(value),
        }
    }

    fn expr(&mut self, expr: &ExprTree) {
        if let Some(binding) = NameBinding::of(expr) {
            return self.binding(binding, expr.span);
        }
        match &expr.kind {
            ExprTreeKind::Name(name) => self.used(name, expr.span),
            // By default, only expressions are visited, which would miss the names of domains.
            ExprTreeKind::Domain(domain) => self.domain(domain),
            ExprTreeKind::Typed(value, domain) => {
                self.expr(value);
                self.domain(domain);
            }
            ExprTreeKind::Matrix(elements, index) => {
                elements.iter().for_each(|element| self.expr(element));
                index.iter().for_each(|index| self.domain(index));
            }
            _ => parts::for_each_part(expr, &mut |part| self.expr(part)),
        }
    }

    /// Binds the names of an expression with this span, and resolves the names in it.
    fn binding(&mut self, binding: NameBinding, scope: Span) {
        let outside = self.scope.enter();
        for step in binding.steps {
            // The range is resolved first, because the names that take its values are not in scope there.
            let of = match step {
                NameStep::Generator(_, GeneratorSource::Domain(domain)) | NameStep::Find(_, domain) => {
                    self.domain(domain);
                    domain.span
                }
                NameStep::Generator(_, GeneratorSource::Members(value) | GeneratorSource::Subsets(value))
                | NameStep::Letting(_, value)
                | NameStep::Condition(value, _) => {
                    self.expr(value);
                    value.span
                }
                NameStep::Misplaced(statement) => {
                    self.statement(statement);
                    statement.span
                }
            };
            let kind = if matches!(step, NameStep::Find(..)) { SymbolKind::Find } else { SymbolKind::Quantified };
            step.for_each_name(&mut |name, span| self.bind(name, kind, span, of, scope));
        }
        self.expr(binding.body);
        self.scope.leave(outside);
    }

    fn domain(&mut self, domain: &DomainTree) {
        if let DomainKind::Named(name, _) = &domain.kind {
            self.used(&name.text, name.span);
        }
        for inner in parts::beside_domains(domain, &mut |part| self.expr(part)) {
            self.domain(inner);
        }
    }
}
