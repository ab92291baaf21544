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

/// A changed expression, and the span to replace with its new text, if not the whole expression.
type ChangedExpr = (ExprTree, Option<(Span, String)>);

/// The changes of an expression's own quantifier or generators that may be meant. `fresh` is a name that is free.
pub(crate) fn changes(node: &ExprTree, fresh: &Name) -> Vec<ChangedExpr> {
    let span = node.span;
    let mut changed: Vec<ChangedExpr> = Vec::new();
    match &node.kind {
        ExprTreeKind::Quantified(quantified) => {
            let quantifier = quantified.quantifier;
            let with = |change: &dyn Fn(&mut Quantified)| {
                let mut copy = quantified.clone();
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
            // `forAll i : D, j in s . …`
            if let Some((pattern, collection)) = quantified.guard.as_ref().and_then(named_member) {
                let inner = Quantified {
                    quantifier,
                    patterns: vec![pattern],
                    over: GeneratorSource::Members(collection.clone()),
                    guard: None,
                    body: quantified.body.clone(),
                };
                let body = ExprTree { kind: ExprTreeKind::Quantified(Box::new(inner)), span: quantified.body.span };
                changed.push((
                    with(&|copy| {
                        copy.guard = None;
                        copy.body = body.clone();
                    }),
                    None,
                ));
            }
            // `sum i : D . m[i] = 3`
            if matches!(quantifier, Quantifier::Sum | Quantifier::Product) {
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
        }
        ExprTreeKind::Comprehension(body, qualifiers) => {
            let with = |position: usize, qualifier: QualifierTree| {
                let mut qualifiers = qualifiers.clone();
                qualifiers[position] = qualifier;
                ExprTree { kind: ExprTreeKind::Comprehension(body.clone(), qualifiers), span }
            };
            for (position, qualifier) in qualifiers.iter().enumerate() {
                match qualifier {
                    QualifierTree::Generator(patterns, over) => {
                        if let Some((pattern, edit)) = one_tuple(patterns) {
                            changed.push((
                                with(position, QualifierTree::Generator(vec![pattern], over.clone())),
                                Some(edit),
                            ));
                        }
                        if let Some((patterns, edit)) = several_names(patterns) {
                            changed
                                .push((with(position, QualifierTree::Generator(patterns, over.clone())), Some(edit)));
                        }
                        for over in other_over(patterns, over) {
                            let over = match (over, crate::operators::function("powerSet")) {
                                (GeneratorSource::Subsets(set), Some(symbol)) => {
                                    let kind = ExprTreeKind::Apply(symbol, vec![set]);
                                    GeneratorSource::Members(ExprTree { kind, span })
                                }
                                (over, _) => over,
                            };
                            changed.push((with(position, QualifierTree::Generator(patterns.clone(), over)), None));
                        }
                    }
                    // `[x | x in s]`
                    QualifierTree::Condition(condition) => {
                        if let Some((pattern, collection)) = named_member(condition) {
                            let over = GeneratorSource::Members(collection.clone());
                            for over in std::iter::once(over.clone()).chain(other_over(&[], &over)) {
                                let generator = QualifierTree::Generator(vec![pattern.clone()], over);
                                changed.push((with(position, generator), None));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        // `sum(i in s)(i)`
        ExprTreeKind::Call(callee, bodies) => {
            let head = match &callee.kind {
                ExprTreeKind::Apply(word, heads) => Some((word.text, heads)),
                ExprTreeKind::Call(word, heads) => match &word.kind {
                    ExprTreeKind::Name(word) => Some((&**word, heads)),
                    _ => None,
                },
                _ => None,
            };
            if let (Some((word, heads)), [body]) = (head, &bodies[..])
                && let [head] = &heads[..]
                && let Some((pattern, collection)) = named_member(head)
                && let Some(quantifier) = match word {
                    "forall" | "all" | "foreach" => Some(Quantifier::ForAll),
                    "exist" | "any" | "some" => Some(Quantifier::Exists),
                    "sum" => Some(Quantifier::Sum),
                    "product" => Some(Quantifier::Product),
                    _ => None,
                }
            {
                let quantified = Quantified {
                    quantifier,
                    patterns: vec![pattern],
                    over: GeneratorSource::Members(collection.clone()),
                    guard: None,
                    body: body.clone(),
                };
                for over in
                    std::iter::once(quantified.over.clone()).chain(other_over(&quantified.patterns, &quantified.over))
                {
                    let kind = ExprTreeKind::Quantified(Box::new(Quantified { over, ..quantified.clone() }));
                    changed.push((ExprTree { kind, span }, None));
                }
            }
        }
        _ => {
            changed.extend(each_in_set(node, fresh).map(|each| (each, None)));
            // `x in D`
            if let Some((member, ExprTree { kind: ExprTreeKind::Name(domain), span: place })) = node.membership() {
                let name = Name::from("y");
                let equal = ExprTree::equal(ExprTree { kind: ExprTreeKind::Name(name.clone()), span }, member.clone());
                let quantified = Quantified {
                    quantifier: Quantifier::Exists,
                    patterns: vec![PatternTree { kind: PatternKind::Name(name), span }],
                    over: GeneratorSource::Domain(named_domain(domain, *place)),
                    guard: None,
                    body: equal.at(span),
                };
                changed.push((ExprTree { kind: ExprTreeKind::Quantified(Box::new(quantified)), span }, None));
            }
        }
    }
    changed
}

/// `forAll x : D . x in s` for `D in s`.
fn each_in_set(node: &ExprTree, fresh: &Name) -> Option<ExprTree> {
    let (member, set) = node.membership()?;
    let domain = match &member.kind {
        ExprTreeKind::Name(name) => named_domain(name, member.span),
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

/// `x in s` as what a generator binds, and the collection.
fn named_member(condition: &ExprTree) -> Option<(PatternTree, &ExprTree)> {
    let (ExprTree { kind: ExprTreeKind::Name(name), span }, collection) = condition.membership()? else { return None };
    Some((PatternTree { kind: PatternKind::Name(name.clone()), span: *span }, collection))
}

fn named_domain(name: &Name, span: Span) -> ast::DomainTree {
    ast::DomainTree { kind: DomainKind::Named(ast::Identifier { text: name.clone(), span }, None), span }
}

/// `a, b` as one pattern `(a, b)`, and `a` as `(a)`.
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

/// The names `i, j` for the pattern `(i, j)`, as the range has no pairs.
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

/// A domain as a collection and the reverse, Python's `range(a, b)`, and the subsets of a set for the set itself.
fn other_over(patterns: &[PatternTree], over: &GeneratorSource) -> Vec<GeneratorSource> {
    match over {
        // `forAll {i, j} in s . …`
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
            vec![GeneratorSource::Domain(named_domain(name, *span)), GeneratorSource::Domain(upto)]
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

/// The number before the end of Python's `range(…)`, which it does not reach.
fn before(end: &ExprTree) -> ExprTree {
    let one = ExprTree { kind: ExprTreeKind::Int(1), span: end.span };
    match &end.kind {
        ExprTreeKind::Int(number) => ExprTree { kind: ExprTreeKind::Int(number - 1), span: end.span },
        ExprTreeKind::Apply(symbols::PLUS, operands) if operands[1].kind == one.kind => operands[0].clone(),
        _ => ExprTree::minus(end.clone(), one).at(end.span),
    }
}
