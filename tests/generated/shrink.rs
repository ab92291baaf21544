//! Shrinks models while they have the same fault.

use super::{
    check::{Verdict, check},
    generator::Generated,
    tree::*,
};
use conjure_like::{
    diagnostic::Diagnostics,
    source::{SourceId, Sources},
    syntax::{
        self,
        ast::{
            DomainKind, DomainTree, ExprTree, ExprTreeKind, GeneratorSource, LettingValue, QualifierTree, Statement,
            StatementKind, WrittenIndex, WrittenRange,
        },
    },
};

/// Hard limit on the candidates that are tried.
const MOST_ATTEMPTS: usize = 4_000;

/// A locally minimal model with a fault of the same kind, under dropping and replacing parts.
pub(crate) fn shrink(model: &Generated, kind: &str) -> Generated {
    let mut best = model.clone();
    let mut attempts = 0;
    let mut still = |candidate: &Generated| {
        attempts += 1;
        // After the last attempt, every candidate is rejected, which ends the shrinking.
        attempts <= MOST_ATTEMPTS && matches!(check(candidate), Verdict::Fault(fault) if fault.kind == kind)
    };
    // Replacing parts easily makes an ill-typed model, which would have another fault in the analysis.
    let types_matter = kind.ends_with("analysis");
    if !types_matter
        && let Some(closed) = with_lettings(&best)
        && still(&closed)
    {
        best = closed;
    }
    loop {
        let before = best.clone();
        smaller_statements(&mut best, &mut still);
        if !types_matter {
            smaller_nodes(&mut best, &mut still);
        }
        if before.file == best.file {
            return best;
        }
    }
}

/// The model with the values of its parameters in place of the parameters.
fn with_lettings(model: &Generated) -> Option<Generated> {
    let mut sources = Sources::default();
    let source: SourceId = sources.add("parameters", model.parameters.clone());
    let values = syntax::parse_file(source, &sources.get(source).text, &mut Diagnostics::new());
    let mut closed = model.clone();
    closed.parameters.clear();
    for statement in &mut closed.file.statements {
        let (StatementKind::Given { names, .. } | StatementKind::GivenEnum { names }) = &statement.kind else {
            continue;
        };
        let value = values
            .statements
            .iter()
            .find(|value| matches!(&value.kind, StatementKind::Letting { names: known, .. } if known == names))?;
        *statement = value.clone();
    }
    Some(closed)
}

fn smaller_statements(best: &mut Generated, still: &mut dyn FnMut(&Generated) -> bool) {
    // From the end, since earlier statements declare the names of later ones.
    let mut position = best.file.statements.len();
    while position > 0 {
        position -= 1;
        let mut candidate = best.clone();
        let removed = candidate.file.statements.remove(position);
        if still(&candidate) {
            *best = candidate;
            continue;
        }
        let StatementKind::SuchThat(constraints) = removed.kind else { continue };
        let mut left = constraints;
        let mut at = left.len();
        while at > 0 && left.len() > 1 {
            at -= 1;
            let mut fewer = left.clone();
            fewer.remove(at);
            let mut candidate = best.clone();
            candidate.file.statements[position].kind = StatementKind::SuchThat(fewer.clone());
            if still(&candidate) {
                left = fewer;
                *best = candidate;
            }
        }
    }
}

/// Tries the replacements of each expression and each domain, from the outside in.
fn smaller_nodes(best: &mut Generated, still: &mut dyn FnMut(&Generated) -> bool) {
    let mut number = 0;
    'nodes: loop {
        let mut node = None;
        let mut file = best.file.clone();
        visit(&mut file.statements, number, &mut |found| {
            node = Some(match found {
                Node::Expr(expr) => replacements(expr).into_iter().map(Replacement::Expr).collect::<Vec<_>>(),
                Node::Domain(domain) => domain_replacements(domain).into_iter().map(Replacement::Domain).collect(),
            });
        });
        let Some(replacements) = node else { return };
        for replacement in replacements {
            let mut candidate = best.clone();
            visit(&mut candidate.file.statements, number, &mut |found| match (found, &replacement) {
                (Node::Expr(expr), Replacement::Expr(replacement)) => *expr = replacement.clone(),
                (Node::Domain(domain), Replacement::Domain(replacement)) => *domain = replacement.clone(),
                _ => {}
            });
            if still(&candidate) {
                // Try the replacements of the new node at the same position.
                *best = candidate;
                continue 'nodes;
            }
        }
        number += 1;
    }
}

enum Node<'a> {
    Expr(&'a mut ExprTree),
    Domain(&'a mut DomainTree),
}

enum Replacement {
    Expr(ExprTree),
    Domain(DomainTree),
}

/// Calls `action` with the node of this number, counting from the outside in.
fn visit(statements: &mut [Statement], number: usize, action: &mut dyn FnMut(Node)) {
    let mut queue: Vec<Node> = Vec::new();
    for statement in statements {
        statement_nodes(statement, &mut queue);
    }
    let mut left = number;
    // The queue is a stack, so the first node must be last.
    queue.reverse();
    while let Some(node) = queue.pop() {
        if left == 0 {
            return action(node);
        }
        left -= 1;
        let mut parts = Vec::new();
        match node {
            Node::Expr(expr) => expr_nodes(expr, &mut parts),
            Node::Domain(domain) => domain_nodes(domain, &mut parts),
        }
        queue.extend(parts.into_iter().rev());
    }
}

fn statement_nodes<'a>(statement: &'a mut Statement, nodes: &mut Vec<Node<'a>>) {
    match &mut statement.kind {
        StatementKind::Given { domain, .. } | StatementKind::Find { domain, .. } => nodes.push(Node::Domain(domain)),
        StatementKind::Letting { value: LettingValue::Domain(domain), .. } => nodes.push(Node::Domain(domain)),
        StatementKind::Letting { value: LettingValue::Expr(value) | LettingValue::Unnamed(value), .. }
        | StatementKind::Objective { value, .. }
        | StatementKind::Incomparability { value, .. }
        | StatementKind::Dominance { relation: value, .. } => nodes.push(Node::Expr(value)),
        StatementKind::SuchThat(values) | StatementKind::Where(values) | StatementKind::BranchingOn(values) => {
            nodes.extend(values.iter_mut().map(Node::Expr));
        }
        StatementKind::Letting { value: LettingValue::Enum(_), .. }
        | StatementKind::GivenEnum { .. }
        | StatementKind::Heuristic(_) => {}
    }
}

fn expr_nodes<'a>(expr: &'a mut ExprTree, nodes: &mut Vec<Node<'a>>) {
    match &mut expr.kind {
        ExprTreeKind::Bool(_)
        | ExprTreeKind::Int(_)
        | ExprTreeKind::TaggedInt(..)
        | ExprTreeKind::Name(_)
        | ExprTreeKind::Wildcard => {}
        ExprTreeKind::Apply(_, items)
        | ExprTreeKind::Attribute(_, items)
        | ExprTreeKind::Tuple(items)
        | ExprTreeKind::Collection(_, items) => nodes.extend(items.iter_mut().map(Node::Expr)),
        ExprTreeKind::Index(base, indices) => {
            nodes.push(Node::Expr(base));
            for index in indices {
                match index {
                    WrittenIndex::At(at) => nodes.push(Node::Expr(at)),
                    WrittenIndex::Slice(low, high) => nodes.extend(low.iter_mut().chain(high).map(Node::Expr)),
                }
            }
        }
        ExprTreeKind::Call(base, items) => {
            nodes.push(Node::Expr(base));
            nodes.extend(items.iter_mut().map(Node::Expr));
        }
        ExprTreeKind::Record(fields) => nodes.extend(fields.iter_mut().map(|(_, value)| Node::Expr(value))),
        ExprTreeKind::Variant(_, value) => nodes.push(Node::Expr(value)),
        ExprTreeKind::Matrix(items, index) => {
            nodes.extend(items.iter_mut().map(Node::Expr));
            nodes.extend(index.iter_mut().map(|index| Node::Domain(index)));
        }
        ExprTreeKind::Pairs(_, pairs) => {
            nodes.extend(pairs.iter_mut().flat_map(|(point, image)| [Node::Expr(point), Node::Expr(image)]));
        }
        ExprTreeKind::Grouped(_, groups) => {
            nodes.extend(groups.iter_mut().flatten().map(Node::Expr));
        }
        ExprTreeKind::Comprehension(body, qualifiers) => {
            nodes.push(Node::Expr(body));
            for qualifier in qualifiers {
                match qualifier {
                    QualifierTree::Generator(_, over) => over_nodes(over, nodes),
                    QualifierTree::Condition(value) | QualifierTree::Letting(_, value) => nodes.push(Node::Expr(value)),
                }
            }
        }
        ExprTreeKind::Quantified(quantified) => {
            nodes.push(Node::Expr(&mut quantified.body));
            over_nodes(&mut quantified.over, nodes);
            nodes.extend(quantified.guard.iter_mut().map(Node::Expr));
        }
        ExprTreeKind::Domain(domain) => nodes.push(Node::Domain(domain)),
        ExprTreeKind::Typed(value, domain) => nodes.extend([Node::Expr(value), Node::Domain(domain)]),
        ExprTreeKind::Bubble(value, statements) => {
            nodes.push(Node::Expr(value));
            statements.iter_mut().for_each(|statement| statement_nodes(statement, nodes));
        }
    }
}

fn over_nodes<'a>(over: &'a mut GeneratorSource, nodes: &mut Vec<Node<'a>>) {
    nodes.push(match over {
        GeneratorSource::Domain(domain) => Node::Domain(domain),
        GeneratorSource::Members(value) | GeneratorSource::Subsets(value) => Node::Expr(value),
    });
}

fn domain_nodes<'a>(domain: &'a mut DomainTree, nodes: &mut Vec<Node<'a>>) {
    let mut add_attributes = None;
    match &mut domain.kind {
        DomainKind::Bool | DomainKind::Int { ranges: None, .. } | DomainKind::Named(_, None) => {}
        DomainKind::Int { ranges: Some(ranges), .. } | DomainKind::Named(_, Some(ranges)) => {
            for range in ranges {
                match range {
                    WrittenRange::Single(value) => nodes.push(Node::Expr(value)),
                    WrittenRange::Interval(low, high) => nodes.extend(low.iter_mut().chain(high).map(Node::Expr)),
                }
            }
        }
        DomainKind::Tuple(items) => nodes.extend(items.iter_mut().map(Node::Domain)),
        DomainKind::Record(fields) | DomainKind::Variant(fields) => {
            nodes.extend(fields.iter_mut().filter_map(|(_, domain)| domain.as_mut()).map(Node::Domain));
        }
        DomainKind::Matrix(indices, element) => {
            nodes.extend(indices.iter_mut().map(Node::Domain));
            nodes.push(Node::Domain(element));
        }
        DomainKind::Collection(_, attributes, parts) => {
            nodes.extend(parts.iter_mut().map(Node::Domain));
            add_attributes = Some(attributes);
        }
    }
    let values = add_attributes.into_iter().flatten().filter_map(|attribute| attribute.value.as_mut());
    nodes.extend(values.map(Node::Expr));
}

/// Replacements for an expression: small literals, its parts, and itself with a part left out.
fn replacements(expr: &mut ExprTree) -> Vec<ExprTree> {
    let mut all: Vec<ExprTree> = Vec::new();
    let simple = matches!(
        expr.kind,
        ExprTreeKind::Bool(_) | ExprTreeKind::Int(_) | ExprTreeKind::Name(_) | ExprTreeKind::Wildcard
    );
    let make = super::tree::expr;
    match expr.kind {
        ExprTreeKind::Bool(true) | ExprTreeKind::Int(0) | ExprTreeKind::Wildcard => {}
        ExprTreeKind::Bool(false) => all.push(make(ExprTreeKind::Bool(true))),
        ExprTreeKind::Int(value) => all.extend((0..value.min(2)).map(int)),
        _ => {
            // Most of these have the wrong type, which is another kind of fault.
            all.extend([make(ExprTreeKind::Bool(true)), make(ExprTreeKind::Bool(false)), int(0), int(1), int(2)]);
            if !simple {
                all.push(make(ExprTreeKind::Collection(conjure_like::language::Collection::Set, Vec::new())));
            }
        }
    }
    let mut parts = Vec::new();
    expr_nodes(expr, &mut parts);
    all.extend(parts.into_iter().filter_map(|part| match part {
        Node::Expr(part) => Some(part.clone()),
        Node::Domain(_) => None,
    }));
    let without = |count: usize, make: &dyn Fn(usize) -> ExprTreeKind| (0..count).map(make).collect::<Vec<_>>();
    fn removed<T: Clone>(items: &[T], position: usize) -> Vec<T> {
        let mut left = items.to_vec();
        left.remove(position);
        left
    }
    let shorter = match &expr.kind {
        ExprTreeKind::Collection(kind, items) => {
            without(items.len(), &|position| ExprTreeKind::Collection(*kind, removed(items, position)))
        }
        ExprTreeKind::Matrix(items, None) => {
            without(items.len(), &|position| ExprTreeKind::Matrix(removed(items, position), None))
        }
        ExprTreeKind::Pairs(kind, pairs) => {
            without(pairs.len(), &|position| ExprTreeKind::Pairs(*kind, removed(pairs, position)))
        }
        ExprTreeKind::Grouped(kind, groups) => {
            without(groups.len(), &|position| ExprTreeKind::Grouped(*kind, removed(groups, position)))
        }
        ExprTreeKind::Comprehension(body, qualifiers) => without(qualifiers.len(), &|position| {
            ExprTreeKind::Comprehension(body.clone(), removed(qualifiers, position))
        }),
        ExprTreeKind::Quantified(quantified) if quantified.guard.is_some() || quantified.patterns.len() > 1 => {
            let mut fewer = quantified.clone();
            if fewer.guard.take().is_none() {
                fewer.patterns.pop();
            }
            vec![ExprTreeKind::Quantified(fewer)]
        }
        ExprTreeKind::Matrix(_, Some(_)) => vec![],
        _ => vec![],
    };
    all.extend(shorter.into_iter().map(make));
    all
}

/// Replacements for a domain.
fn domain_replacements(old: &mut DomainTree) -> Vec<DomainTree> {
    let range = |low, high| ints(vec![WrittenRange::Interval(Some(int(low)), Some(int(high)))]);
    let mut all = Vec::new();
    match &old.kind {
        DomainKind::Int { ranges: Some(ranges), .. } => {
            let simple = [range(0, 0), range(1, 1), range(0, 1), range(1, 2), range(0, 2), range(1, 3)];
            // Only try simpler ones, so that shrinking terminates.
            let known = simple.iter().position(|simple| simple == old).unwrap_or(simple.len());
            all.extend(simple.into_iter().take(known));
            if ranges.len() > 1 {
                for position in 0..ranges.len() {
                    let mut fewer = ranges.clone();
                    fewer.remove(position);
                    all.push(ints(fewer));
                }
            }
        }
        DomainKind::Named(name, Some(_)) => all.push(domain(DomainKind::Named(name.clone(), None))),
        DomainKind::Named(_, None) => all.extend([range(1, 1), range(1, 2)]),
        DomainKind::Collection(kind, attributes, inner) => {
            for position in 0..attributes.len() {
                let mut fewer = attributes.clone();
                fewer.remove(position);
                all.push(domain(DomainKind::Collection(*kind, fewer, inner.clone())));
            }
        }
        _ => {}
    }
    let mut parts = Vec::new();
    domain_nodes(old, &mut parts);
    for part in parts {
        if let Node::Domain(part) = part {
            all.push(part.clone());
        }
    }
    if old.kind != DomainKind::Bool {
        all.push(domain(DomainKind::Bool));
    }
    all
}
