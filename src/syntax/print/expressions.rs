//! Prints expressions as layout documents.
//!
//! Parentheses are printed only if the precedences of the operators require them. A quantifier extends as far to the
//! right as possible, so it needs parentheses only if its body would include the text after it.

use super::{domains::domain_document, simple_statement};
use crate::{
    language::{
        MemberForm,
        document::LayoutDocument::{self, Concat, Fill, Line},
    },
    operators::{Associativity, Notation, OperatorSymbol, symbols::NEGATE},
    syntax::ast::{
        ExprTree, ExprTreeKind, GeneratorSource, Identifier, PatternForm, PatternKind, PatternTree, QualifierTree,
        Quantified, WrittenIndex,
    },
};

/// The precedence of expressions that can have the suffix `[…]`, `(…)` or `!`.
const TIGHTEST: u16 = u16::MAX;

/// The context of an expression.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings {
    /// An expression with a lower precedence needs parentheses.
    precedence: u16,
    /// True if no text follows that could become part of a quantifier's body.
    last: bool,
}

/// The context inside brackets or between commas.
pub(crate) const ALONE: Surroundings = Surroundings { precedence: 0, last: true };
/// The context before a `.`, a `..` or an arrow.
pub(crate) const BEFORE_MORE: Surroundings = Surroundings { precedence: 0, last: false };
const BEFORE_SUFFIX: Surroundings = Surroundings { precedence: TIGHTEST, last: false };

pub(crate) fn expression_document(expr: &ExprTree, position: Surroundings) -> LayoutDocument {
    let precedence = match &expr.kind {
        ExprTreeKind::Apply(symbol, _) => symbol.precedence().unwrap_or(TIGHTEST),
        // A negative number has a sign, so it needs parentheses like a negation: `(-1) ** 2`.
        ExprTreeKind::Int(value) if *value < 0 => NEGATE.precedence().unwrap_or(0),
        // Only suffixes bind more tightly: `(sum i : D . m[i])!`.
        ExprTreeKind::Quantified(_) => TIGHTEST - 1,
        _ => TIGHTEST,
    };
    let swallows = matches!(expr.kind, ExprTreeKind::Quantified(_)) && !position.last;
    if precedence < position.precedence || swallows {
        return enclosed("(", bare(expr, ALONE), ")");
    }
    bare(expr, position)
}

fn enclosed(open: impl Into<LayoutDocument>, inner: LayoutDocument, close: &str) -> LayoutDocument {
    open.into().then(inner.align()).then(close)
}

/// Lays out a list between brackets, with as many items on each line as fit.
fn bracketed_list<'a>(
    open: impl Into<LayoutDocument>,
    items: impl IntoIterator<Item = &'a ExprTree>,
    close: &str,
) -> LayoutDocument {
    let items = items.into_iter().map(|item| expression_document(item, ALONE));
    enclosed(open, Fill(LayoutDocument::comma_separated(items)), close)
}

/// Prints an expression without parentheses around it.
fn bare(expr: &ExprTree, position: Surroundings) -> LayoutDocument {
    match &expr.kind {
        ExprTreeKind::Bool(value) => value.to_string().into(),
        ExprTreeKind::Int(value) => value.to_string().into(),
        ExprTreeKind::TaggedInt(value, tag) => format!("{value}:{}", tag.text).into(),
        ExprTreeKind::Name(name) => LayoutDocument::from(&**name),
        ExprTreeKind::Wildcard => "_".into(),
        ExprTreeKind::Apply(symbol, operands) => application(*symbol, operands, expr, position),
        ExprTreeKind::Index(base, indices) => {
            let indices = indices.iter().map(|index| match index {
                WrittenIndex::At(index) => expression_document(index, ALONE),
                WrittenIndex::Slice(low, high) => interval(low.as_ref(), high.as_ref()),
            });
            let indices = Fill(LayoutDocument::comma_separated(indices));
            expression_document(base, BEFORE_SUFFIX).then(enclosed("[", indices, "]"))
        }
        ExprTreeKind::Call(function, arguments) => {
            // Without parentheses, `true(x)` would be read as an operator.
            let function = match function.kind {
                ExprTreeKind::Bool(_) => enclosed("(", bare(function, ALONE), ")"),
                _ => expression_document(function, BEFORE_SUFFIX),
            };
            function.then(bracketed_list("(", arguments, ")"))
        }
        ExprTreeKind::Attribute(name, arguments) => {
            LayoutDocument::from(&*name.text).then(bracketed_list("(", arguments, ")"))
        }
        // Without the keyword, `(x)` would be `x` in parentheses.
        ExprTreeKind::Tuple(items) => bracketed_list(if items.len() < 2 { "tuple (" } else { "(" }, items, ")"),
        ExprTreeKind::Record(fields) => {
            let fields = fields.iter().map(assignment);
            enclosed("record {", Fill(LayoutDocument::comma_separated(fields)), "}")
        }
        ExprTreeKind::Variant(name, value) => LayoutDocument::from(format!("variant {{{} = ", name.text))
            .then(expression_document(value, ALONE))
            .then("}"),
        ExprTreeKind::Matrix(items, None) => bracketed_list("[", items, "]"),
        ExprTreeKind::Matrix(items, Some(index)) => {
            let items =
                Fill(LayoutDocument::comma_separated(items.iter().map(|item| expression_document(item, ALONE))));
            let index = Concat(vec![";".into(), Concat(vec![Line, domain_document(index)]).nest(4)]);
            enclosed("[", items.then(index).group(), "]")
        }
        ExprTreeKind::Collection(kind, items) => {
            let (open, close) = kind.row().brackets();
            bracketed_list(open, items, close)
        }
        ExprTreeKind::Pairs(kind, pairs) => {
            let pairs = pairs.iter().map(|(argument, image)| {
                let image = Concat(vec![Line, expression_document(image, ALONE)]).nest(4);
                expression_document(argument, BEFORE_MORE).then(" -->").then(image).group()
            });
            enclosed(format!("{kind}("), Fill(LayoutDocument::comma_separated(pairs)), ")")
        }
        ExprTreeKind::Grouped(kind, groups) => {
            let (before, after) = if kind.form() == MemberForm::Blocks { ("{", "}") } else { ("(", ")") };
            let groups = groups.iter().map(|group| bracketed_list(before, group, after));
            enclosed(format!("{kind}("), Fill(LayoutDocument::comma_separated(groups)), ")")
        }
        ExprTreeKind::Comprehension(body, qualifiers) => {
            let qualifiers = Fill(LayoutDocument::comma_separated(qualifiers.iter().map(qualifier)));
            let after_bar = Concat(vec![Line, "| ".into(), qualifiers.align()]).nest(4);
            enclosed("[", expression_document(body, ALONE).then(after_bar), "]").group()
        }
        ExprTreeKind::Quantified(quantified) => quantification(quantified),
        ExprTreeKind::Domain(inner) => enclosed("`", domain_document(inner), "`"),
        ExprTreeKind::Typed(inner, ty) => enclosed(
            "(",
            expression_document(inner, BEFORE_SUFFIX).then(" : `").then(domain_document(ty)).then("`"),
            ")",
        ),
        ExprTreeKind::Bubble(value, statements) => {
            let mut parts = vec![expression_document(value, ALONE), " @".into()];
            for statement in statements {
                parts.extend([Line, simple_statement(&statement.kind)]);
            }
            enclosed("{ ", Concat(parts), " }").group()
        }
    }
}

fn application(
    symbol: OperatorSymbol,
    operands: &[ExprTree],
    expr: &ExprTree,
    position: Surroundings,
) -> LayoutDocument {
    match (symbol.notation, operands) {
        (Notation::Infix { precedence, associativity }, [_, _]) => {
            operator_chain(expr, precedence, associativity, position)
        }
        (Notation::Prefix { precedence }, [operand]) => LayoutDocument::from(symbol.text)
            .then(expression_document(operand, Surroundings { precedence, ..position })),
        (Notation::Postfix, [operand]) => expression_document(operand, BEFORE_SUFFIX).then(symbol.text),
        (Notation::Bars, [operand]) => enclosed("|", expression_document(operand, ALONE), "|"),
        _ => bracketed_list(format!("{}(", symbol.text), operands, ")"),
    }
}

/// Prints a chain of operators with one precedence, such as `a + b - c`, as one group: it breaks at all operators or at
/// none.
fn operator_chain(
    expr: &ExprTree,
    precedence: u16,
    associativity: Associativity,
    position: Surroundings,
) -> LayoutDocument {
    let tighter = precedence + 1;
    let (left, right) = match associativity {
        Associativity::Left => (precedence, tighter),
        Associativity::Right => (tighter, precedence),
        // `(a = b) = c` needs parentheses, and so does `a = (b = c)`.
        Associativity::None => (tighter, tighter),
    };
    let mut links = Vec::new();
    let mut first = expr;
    while let ExprTreeKind::Apply(symbol, operands) = &first.kind
        && symbol.precedence() == Some(precedence)
        && let ([left, right], Notation::Infix { .. }) = (operands.as_slice(), symbol.notation)
        && (links.is_empty() || associativity == Associativity::Left)
    {
        links.push((symbol.text, right));
        first = left;
    }
    let mut parts = vec![expression_document(first, Surroundings { precedence: left, last: false })];
    let count = links.len();
    for (number, (text, operand)) in links.into_iter().rev().enumerate() {
        // Text follows all operands but the last, so only the last one may end with an open quantifier.
        let last = position.last && number + 1 == count;
        parts.extend([
            format!(" {text}").into(),
            Line,
            expression_document(operand, Surroundings { precedence: right, last }),
        ]);
    }
    Concat(parts).align().group()
}

pub(crate) fn interval(low: Option<&ExprTree>, high: Option<&ExprTree>) -> LayoutDocument {
    let side = |side: Option<&ExprTree>, position| {
        side.map_or(LayoutDocument::from(""), |side| expression_document(side, position))
    };
    side(low, BEFORE_MORE).then("..").then(side(high, ALONE))
}

fn assignment((name, value): &(Identifier, ExprTree)) -> LayoutDocument {
    LayoutDocument::from(format!("{} = ", name.text)).then(expression_document(value, ALONE))
}

fn quantification(quantified: &Quantified) -> LayoutDocument {
    let mut parts = vec![
        quantified.quantifier.word().into(),
        " ".into(),
        patterns(&quantified.patterns),
        over(&quantified.over, " in ", BEFORE_MORE),
    ];
    if let Some(guard) = &quantified.guard {
        parts.extend([", ".into(), expression_document(guard, BEFORE_MORE)]);
    }
    parts.extend([" .".into(), Concat(vec![Line, expression_document(&quantified.body, ALONE)]).nest(4)]);
    Concat(parts).group()
}

fn over(over: &GeneratorSource, members: &str, position: Surroundings) -> LayoutDocument {
    match over {
        GeneratorSource::Domain(inner) => LayoutDocument::from(" : ").then(domain_document(inner)),
        GeneratorSource::Members(inner) => LayoutDocument::from(members).then(expression_document(inner, position)),
        GeneratorSource::Subsets(inner) => {
            LayoutDocument::from(" subsetEq ").then(expression_document(inner, position))
        }
    }
}

fn qualifier(qualifier: &QualifierTree) -> LayoutDocument {
    match qualifier {
        QualifierTree::Generator(names, members) => patterns(names).then(over(members, " <- ", ALONE)),
        QualifierTree::Condition(condition) => expression_document(condition, ALONE),
        QualifierTree::Letting(name, value) => {
            Concat(vec!["letting ".into(), pattern(name), " be ".into(), expression_document(value, ALONE)])
        }
    }
}

fn patterns(patterns: &[PatternTree]) -> LayoutDocument {
    let mut parts = Vec::new();
    for pattern_ in patterns {
        if !parts.is_empty() {
            parts.push(", ".into());
        }
        parts.push(pattern(pattern_));
    }
    Concat(parts)
}

fn pattern(pattern: &PatternTree) -> LayoutDocument {
    let (open, items, close) = match &pattern.kind {
        PatternKind::Name(name) => return LayoutDocument::from(&**name),
        PatternKind::Wildcard => return "_".into(),
        // Without the keyword, `(x)` would be `x` in parentheses.
        PatternKind::Parts(PatternForm::Tuple, items) if items.len() < 2 => ("tuple (", items, ")"),
        PatternKind::Parts(PatternForm::Tuple, items) => ("(", items, ")"),
        PatternKind::Parts(PatternForm::Matrix, items) => ("[", items, "]"),
        PatternKind::Parts(PatternForm::Members, items) => ("{", items, "}"),
    };
    LayoutDocument::from(open).then(patterns(items)).then(close)
}
