//! The names that a statement declares.

use super::ast::{Identifier, LettingValue, Statement, StatementKind};
use crate::source::Span;

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A parameter.
    Given,
    /// A decision variable, including local ones within an expression.
    Find,
    /// A `letting` of a value.
    Value,
    /// A `letting` of a domain.
    Domain,
    /// An enumerated or an unnamed type.
    Type,
    /// A member of an enumerated type.
    Member,
    /// A name that a quantifier or a comprehension binds.
    Quantified,
}

/// A name that a statement declares.
#[derive(Clone, Copy)]
pub(crate) struct Declared<'s> {
    pub name: &'s Identifier,
    pub kind: SymbolKind,
    /// The span of the domain, the value or the type in the declaration.
    pub of: Span,
}

/// Returns the names that a statement declares. The members of an enumerated type follow the type.
pub(crate) fn declared(statement: &Statement) -> impl Iterator<Item = Declared<'_>> {
    let (names, kind, of): (&[Identifier], _, _) = match &statement.kind {
        StatementKind::Given { names, domain } => (names, SymbolKind::Given, domain.span),
        StatementKind::GivenEnum { names } => (names, SymbolKind::Type, statement.span),
        StatementKind::Find { names, domain } => (names, SymbolKind::Find, domain.span),
        StatementKind::Letting { names, value } => match value {
            LettingValue::Expr(value) => (names, SymbolKind::Value, value.span),
            LettingValue::Domain(domain) => (names, SymbolKind::Domain, domain.span),
            LettingValue::Enum(_) | LettingValue::Unnamed(_) => (names, SymbolKind::Type, statement.span),
        },
        _ => (&[], SymbolKind::Value, statement.span),
    };
    let members: &[Identifier] = match &statement.kind {
        StatementKind::Letting { value: LettingValue::Enum(members), .. } => members,
        _ => &[],
    };
    let declared = move |kind| move |name| Declared { name, kind, of };
    names.iter().map(declared(kind)).chain(members.iter().map(declared(SymbolKind::Member)))
}
