//! Shorthands for building syntax trees.

use conjure_like::{
    language::{Name, Type},
    operators::{OperatorSymbol, symbols},
    source::Span,
    syntax::ast::{
        DomainKind, DomainTree, ExprTree, ExprTreeKind, Identifier, PatternKind, PatternTree, Statement, StatementKind,
        WrittenAttribute, WrittenRange,
    },
};

pub(crate) fn expr(kind: ExprTreeKind) -> ExprTree {
    ExprTree { kind, span: Span::default() }
}

pub(crate) fn domain(kind: DomainKind) -> DomainTree {
    DomainTree { kind, span: Span::default() }
}

pub(crate) fn pattern(kind: PatternKind) -> PatternTree {
    PatternTree { kind, span: Span::default() }
}

pub(crate) fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::default() }
}

pub(crate) fn identifier(text: &str) -> Identifier {
    Identifier { text: text.into(), span: Span::default() }
}

pub(crate) fn name(text: &Name) -> ExprTree {
    expr(ExprTreeKind::Name(text.clone()))
}

pub(crate) fn int(value: i64) -> ExprTree {
    let positive = expr(ExprTreeKind::Int(value.abs()));
    if value < 0 { apply(symbols::NEGATE, vec![positive]) } else { positive }
}

pub(crate) fn apply(symbol: OperatorSymbol, operands: Vec<ExprTree>) -> ExprTree {
    expr(ExprTreeKind::Apply(symbol, operands))
}

pub(crate) fn typed(value: ExprTree, ty: &Type) -> ExprTree {
    expr(ExprTreeKind::Typed(Box::new(value), Box::new(domain_of_type(ty))))
}

pub(crate) fn attribute(word: &str, value: Option<ExprTree>) -> WrittenAttribute {
    WrittenAttribute { name: identifier(word), value }
}

pub(crate) fn ints(ranges: Vec<WrittenRange>) -> DomainTree {
    domain(DomainKind::Int { tag: None, ranges: Some(ranges) })
}

/// The domain of all values of a type.
pub(crate) fn domain_of_type(ty: &Type) -> DomainTree {
    let boxed = |ty: &Type| Box::new(domain_of_type(ty));
    let all = |types: &[Type]| types.iter().map(domain_of_type).collect::<Vec<_>>();
    let fields = |fields: &[(Name, Type)]| {
        fields.iter().map(|(name, ty)| (identifier(name), Some(domain_of_type(ty)))).collect::<Vec<_>>()
    };
    domain(match ty {
        Type::Any | Type::Bool => DomainKind::Bool,
        Type::Int(_) => DomainKind::Int { tag: None, ranges: None },
        Type::Named(named) => DomainKind::Named(identifier(&named.name), None),
        Type::Tuple(items) => DomainKind::Tuple(all(items)),
        Type::Record(items) => DomainKind::Record(fields(items)),
        Type::Variant(items) => DomainKind::Variant(fields(items)),
        Type::Matrix(parts) => DomainKind::Matrix(vec![domain_of_type(&parts[0])], boxed(&parts[1])),
        Type::List(inner) => DomainKind::Matrix(vec![domain_of_type(&Type::INT)], boxed(inner)),
        Type::Collection(kind, parts) => DomainKind::Collection(*kind, Vec::new(), all(parts)),
        Type::Domain(inner) => return domain_of_type(inner),
    })
}
