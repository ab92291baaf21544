//! Likely meanings of the head of a quantifier, or of a generator.

use crate::{
    language::Name,
    operators::symbols,
    source::Span,
    syntax::ast::{
        self, DomainKind, ExprTree, ExprTreeKind, GeneratorSource, PatternForm, PatternKind, PatternTree,
        QualifierTree, Quantified, Quantifier,
    },
};

/// A changed expression, with the replaced span and its new text if only a part of the expression changes.
type ChangedExpr = (ExprTree, Option<(Span, String)>);

/// Returns the possible intended changes of an expression's own quantifier or generators. `fresh` is a free name.
pub(crate) fn generator_changes(node: &ExprTree, fresh: &Name) -> Vec<ChangedExpr> {
    match &node.kind {
        ExprTreeKind::Quantified(quantified) => changes_of_quantified(quantified, node.span),
        ExprTreeKind::Comprehension(body, qualifiers) => changes_of_comprehension(body, qualifiers, node.span),
        // `sum(i in s)(i)` is the notation of mathematics and OPL.
        ExprTreeKind::Call(callee, bodies) => changes_of_call(callee, bodies, node.span),
        _ => {
            let each = each_in_set(node, fresh).into_iter().chain(exists_in_domain(node));
            each.map(|changed| (changed, None)).collect()
        }
    }
}

fn changes_of_quantified(quantified: &Quantified, span: Span) -> Vec<ChangedExpr> {
    let mut changed = Vec::new();
    let with = |change: &dyn Fn(&mut Quantified)| {
        let mut copy = Box::new(quantified.clone());
        change(&mut copy);
        ExprTree { kind: ExprTreeKind::Quantified(copy), span }
    };
    if let Some((pattern, edit)) = one_tuple(&quantified.patterns) {
        changed.push((with(&|copy| copy.patterns = vec![pattern.clone()]), Some(edit)));
    }
    if let Some((patterns, edit)) = several_names(&quantified.patterns) {
        changed.push((with(&|copy| copy.patterns = patterns.clone()), Some(edit)));
    }
    for over in other_over(&quantified.patterns, &quantified.over) {
        changed.push((with(&|copy| copy.over = over.clone()), None));
    }
    // In `forAll i : D, j in s . …`, the guard was meant as a second generator, so the quantifiers are nested.
    if let Some((pattern, collection)) = quantified.guard.as_ref().and_then(named_member) {
        let inner = Quantified {
            quantifier: quantified.quantifier,
            patterns: vec![pattern],
            over: GeneratorSource::Members(collection.clone()),
            guard: None,
            body: quantified.body.clone(),
        };
        let body = ExprTree { kind: ExprTreeKind::Quantified(Box::new(inner)), span: quantified.body.span };
        let nested = with(&|copy| {
            copy.guard = None;
            copy.body = body.clone();
        });
        changed.push((nested, None));
    }
    // In `sum i : D . m[i] = 3`, the comparison was meant to be outside the sum, or to be counted.
    if matches!(quantified.quantifier, Quantifier::Sum | Quantifier::Product) {
        if let ExprTreeKind::Apply(symbol, operands) = &quantified.body.kind
            && let [left, right] = &operands[..]
            && symbol.precedence().is_some()
        {
            let sum = with(&|copy| copy.body = left.clone());
            let kind = ExprTreeKind::Apply(*symbol, vec![sum, right.clone()]);
            changed.push((ExprTree { kind, span }, None));
        }
        if let Some(symbol) = crate::operators::function("toInt") {
            let body = ExprTree { kind: ExprTreeKind::Apply(symbol, vec![quantified.body.clone()]), span };
            changed.push((with(&|copy| copy.body = body.clone()), None));
        }
    }
    changed
}

fn changes_of_comprehension(body: &ExprTree, qualifiers: &[QualifierTree], span: Span) -> Vec<ChangedExpr> {
    let mut changed = Vec::new();
    for (position, qualifier) in qualifiers.iter().enumerate() {
        let with = |qualifier: QualifierTree| {
            let mut qualifiers = qualifiers.to_vec();
            qualifiers[position] = qualifier;
            ExprTree { kind: ExprTreeKind::Comprehension(Box::new(body.clone()), qualifiers), span }
        };
        match qualifier {
            QualifierTree::Generator(patterns, over) => {
                let with = |patterns, over| with(QualifierTree::Generator(patterns, over));
                if let Some((pattern, edit)) = one_tuple(patterns) {
                    changed.push((with(vec![pattern], over.clone()), Some(edit)));
                }
                if let Some((patterns, edit)) = several_names(patterns) {
                    changed.push((with(patterns, over.clone()), Some(edit)));
                }
                for over in other_over(patterns, over) {
                    // Comprehensions have no generators with `subsetEq`, but `powerSet(s)` has the same members.
                    let over = match (over, crate::operators::function("powerSet")) {
                        (GeneratorSource::Subsets(set), Some(symbol)) => {
                            let kind = ExprTreeKind::Apply(symbol, vec![set]);
                            GeneratorSource::Members(ExprTree { kind, span })
                        }
                        (over, _) => over,
                    };
                    changed.push((with(patterns.clone(), over), None));
                }
            }
            // In `[x | x in s]`, the condition was meant as a generator.
            QualifierTree::Condition(condition) => {
                if let Some((pattern, collection)) = named_member(condition) {
                    let over = GeneratorSource::Members(collection.clone());
                    for over in std::iter::once(over.clone()).chain(other_over(&[], &over)) {
                        changed.push((with(QualifierTree::Generator(vec![pattern.clone()], over)), None));
                    }
                }
            }
            _ => {}
        }
    }
    changed
}

/// Returns the quantifiers that a call such as `sum(i in s)(i)` may mean.
fn changes_of_call(callee: &ExprTree, bodies: &[ExprTree], span: Span) -> Vec<ChangedExpr> {
    let head = match &callee.kind {
        ExprTreeKind::Apply(word, heads) => Some((word.text, heads)),
        ExprTreeKind::Call(word, heads) => match &word.kind {
            ExprTreeKind::Name(word) => Some((&**word, heads)),
            _ => None,
        },
        _ => None,
    };
    let (Some((word, heads)), [body]) = (head, bodies) else { return Vec::new() };
    let quantifier = match word {
        "forall" | "all" | "foreach" => Quantifier::ForAll,
        "exist" | "any" | "some" => Quantifier::Exists,
        "sum" => Quantifier::Sum,
        "product" => Quantifier::Product,
        _ => return Vec::new(),
    };
    let [head] = &heads[..] else { return Vec::new() };
    let Some((pattern, collection)) = named_member(head) else { return Vec::new() };
    let quantified = Quantified {
        quantifier,
        patterns: vec![pattern],
        over: GeneratorSource::Members(collection.clone()),
        guard: None,
        body: body.clone(),
    };
    let others = other_over(&quantified.patterns, &quantified.over);
    let all = std::iter::once(quantified.over.clone()).chain(others);
    let changed = all.map(|over| {
        let kind = ExprTreeKind::Quantified(Box::new(Quantified { over, ..quantified.clone() }));
        (ExprTree { kind, span }, None)
    });
    changed.collect()
}

/// Returns `exists y : D . y = x` for `x in D`.
fn exists_in_domain(node: &ExprTree) -> Option<ExprTree> {
    let span = node.span;
    let (member, set) = node.membership()?;
    let ExprTree { kind: ExprTreeKind::Name(domain), span: place } = set else { return None };
    let name = Name::from("y");
    let equal = ExprTree::equal(ExprTree { kind: ExprTreeKind::Name(name.clone()), span }, member.clone());
    let quantified = Quantified {
        quantifier: Quantifier::Exists,
        patterns: vec![PatternTree { kind: PatternKind::Name(name), span }],
        over: GeneratorSource::Domain(domain_called(domain, *place)),
        guard: None,
        body: equal.at(span),
    };
    Some(ExprTree { kind: ExprTreeKind::Quantified(Box::new(quantified)), span })
}

/// Returns `forAll x : D . x in s` for `D in s`.
fn each_in_set(node: &ExprTree, fresh: &Name) -> Option<ExprTree> {
    let (member, set) = node.membership()?;
    let domain = match &member.kind {
        ExprTreeKind::Name(name) => domain_called(name, member.span),
        ExprTreeKind::Domain(domain) => (**domain).clone(),
        _ => return None,
    };
    let span = node.span;
    let member = ExprTree { kind: ExprTreeKind::Name(fresh.clone()), span };
    let each = Quantified {
        quantifier: Quantifier::ForAll,
        patterns: vec![PatternTree { kind: PatternKind::Name(fresh.clone()), span }],
        over: GeneratorSource::Domain(domain),
        guard: None,
        body: ExprTree { kind: ExprTreeKind::Apply(symbols::IN, vec![member, set.clone()]), span },
    };
    Some(ExprTree { kind: ExprTreeKind::Quantified(Box::new(each)), span })
}

/// Reads `x in s` as a pattern and the collection that it ranges over.
fn named_member(condition: &ExprTree) -> Option<(PatternTree, &ExprTree)> {
    let (ExprTree { kind: ExprTreeKind::Name(name), span }, collection) = condition.membership()? else { return None };
    Some((PatternTree { kind: PatternKind::Name(name.clone()), span: *span }, collection))
}

fn domain_called(name: &Name, span: Span) -> ast::DomainTree {
    ast::DomainTree { kind: DomainKind::Named(ast::Identifier { text: name.clone(), span }, None), span }
}

/// Joins the patterns `a, b` to one pattern `(a, b)`, and `a` to `(a)`.
fn one_tuple(patterns: &[PatternTree]) -> Option<(PatternTree, (Span, String))> {
    let names: Option<Vec<&str>> = patterns
        .iter()
        .map(|pattern| match &pattern.kind {
            PatternKind::Name(name) => Some(&**name),
            _ => None,
        })
        .collect();
    let span = patterns.first()?.span.to(patterns.last()?.span);
    let text = format!("({})", names?.join(", "));
    Some((PatternTree { kind: PatternKind::Parts(PatternForm::Tuple, patterns.to_vec()), span }, (span, text)))
}

/// Splits the pattern `(i, j)` into the names `i, j`, for a range that has no pairs.
fn several_names(patterns: &[PatternTree]) -> Option<(Vec<PatternTree>, (Span, String))> {
    let [PatternTree { kind: PatternKind::Parts(PatternForm::Tuple, items), span }] = patterns else { return None };
    let names: Option<Vec<&str>> = items
        .iter()
        .map(|item| match &item.kind {
            PatternKind::Name(name) => Some(&**name),
            _ => None,
        })
        .collect();
    Some((items.clone(), (*span, names?.join(", "))))
}

/// Returns other ranges: a domain as a collection and vice versa, Python's `range(a, b)`, and the subsets of a set.
fn other_over(patterns: &[PatternTree], over: &GeneratorSource) -> Vec<GeneratorSource> {
    match over {
        // In `forAll {i, j} in s . …`, the pattern `{i, j}` is meant to match subsets of `s`, not its members.
        GeneratorSource::Members(set)
            if matches!(patterns, [PatternTree { kind: PatternKind::Parts(PatternForm::Members, _), .. }]) =>
        {
            vec![GeneratorSource::Subsets(set.clone())]
        }
        GeneratorSource::Domain(ast::DomainTree { kind: DomainKind::Named(name, None), span }) => {
            vec![GeneratorSource::Members(ExprTree { kind: ExprTreeKind::Name(name.text.clone()), span: *span })]
        }
        GeneratorSource::Members(ExprTree { kind: ExprTreeKind::Name(name), span }) => {
            let number = ExprTree { kind: ExprTreeKind::Name(name.clone()), span: *span };
            let one = ExprTree { kind: ExprTreeKind::Int(1), span: *span };
            let ranges = Some(vec![ast::WrittenRange::Interval(Some(one), Some(number))]);
            let upto = ast::DomainTree { kind: DomainKind::Int { tag: None, ranges }, span: *span };
            vec![GeneratorSource::Domain(domain_called(name, *span)), GeneratorSource::Domain(upto)]
        }
        GeneratorSource::Members(ExprTree { kind: ExprTreeKind::Apply(symbols::RANGE, bounds), span }) => {
            let int = |low: ExprTree, high: ExprTree| {
                let ranges = Some(vec![ast::WrittenRange::Interval(Some(low), Some(high))]);
                GeneratorSource::Domain(ast::DomainTree { kind: DomainKind::Int { tag: None, ranges }, span: *span })
            };
            match &bounds[..] {
                [low, high] => vec![int(low.clone(), before(high))],
                [high] => vec![int(ExprTree { kind: ExprTreeKind::Int(0), span: *span }, before(high))],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Returns the number before the end of Python's `range(…)`, which excludes its end.
fn before(end: &ExprTree) -> ExprTree {
    let one = ExprTree { kind: ExprTreeKind::Int(1), span: end.span };
    match &end.kind {
        ExprTreeKind::Int(number) => ExprTree { kind: ExprTreeKind::Int(number - 1), span: end.span },
        ExprTreeKind::Apply(symbols::PLUS, operands) if operands[1].kind == one.kind => operands[0].clone(),
        _ => ExprTree::minus(end.clone(), one).at(end.span),
    }
}
