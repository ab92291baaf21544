//! Expressions of a model as terms, and requirements as constraints.
//!
//! An undefined expression makes the nearest enclosing Boolean expression false. Names with one value have it in the
//! environment, as in any evaluation; names that stand for a term have it here.

use super::{
    formula::{PbConstraint, PbFormula, PbLiteral},
    operators::{OperatorOutcome, undefined},
    term::{Covered, MapEntry, NotCovered, PartialTerm, PbTerm},
    variables::{has_property, measured},
};
use crate::{
    analysis::model::{
        AttributeUse, Category, Comprehension, DeclarationId, DeclarationKind, Expr, ExprKind, GeneratorRange, Index,
        LocalId, Pattern, PatternForm, Qualifier, expressions_in_domain,
    },
    diagnostic::{Code, Diagnostic},
    instance::{Environment, bind, domain_of, evaluate, generate, index_of_literal},
    language::{
        Collection, Evaluated, GroundDomain, IntSet, Stop, Type, Value,
        attributes::{Meaning, Measure, Size},
        print::MemberNames,
        subsets_of,
    },
    operators::{Operator, symbols::*},
    source::{Sources, Span},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{rc::Rc, sync::LazyLock};

/// The maximum number of values of a generator. Chosen.
const MOST_BOUND: u128 = 1_000_000;

/// An error at an expression that the formula does not cover.
pub(super) type Located<T> = Result<T, Box<Diagnostic>>;

pub(super) fn refusal(what: &NotCovered) -> Diagnostic {
    Diagnostic::error(Code::NOT_CERTIFIED, format!("certificates do not cover {}", what.0))
        .help("leave out --certify; `docs/certify.md` lists what certificates cover")
}

/// The file and the line of a part of the model.
pub(super) fn place(sources: &Sources, span: Span) -> String {
    let source = sources.get(span.source);
    let (line, _) = source.line_and_column(span.start as usize);
    format!("{}, line {line}", source.name)
}

/// Builds the constraints of expressions.
pub(super) struct ReferenceBuilder<'a> {
    pub formula: PbFormula,
    pub env: Environment,
    names: &'a MemberNames,
    sources: &'a Sources,
    /// The operators for which a comment says that all values were tried.
    tried: FxHashSet<Span>,
    pub finds: FxHashMap<DeclarationId, PbTerm>,
    /// The names that stand for terms.
    locals: FxHashMap<LocalId, PartialTerm>,
    lettings: FxHashMap<DeclarationId, PartialTerm>,
    /// Called regularly; an error ends the work.
    pub watch: &'a mut dyn FnMut() -> Result<(), Box<Diagnostic>>,
}

/// The action for each binding of a comprehension's names, with the literals under which the binding exists.
type BindingBody<'b, 'a> = &'b mut dyn FnMut(&mut ReferenceBuilder<'a>, &[PbLiteral]) -> Located<()>;

impl<'a> ReferenceBuilder<'a> {
    pub(super) fn new(
        env: Environment,
        names: &'a MemberNames,
        sources: &'a Sources,
        watch: &'a mut dyn FnMut() -> Result<(), Box<Diagnostic>>,
    ) -> Self {
        ReferenceBuilder {
            formula: PbFormula::default(),
            env,
            names,
            sources,
            tried: FxHashSet::default(),
            finds: FxHashMap::default(),
            locals: FxHashMap::default(),
            lettings: FxHashMap::default(),
            watch,
        }
    }

    /// Returns the value, or refuses this expression.
    fn covered<T>(&self, at: &Expr, made: Covered<T>) -> Located<T> {
        made.map_err(|missing| Box::new(refusal(&missing).at(at.span, "this is not covered")))
    }

    fn refuse<T>(&self, at: &Expr, what: &str) -> Located<T> {
        self.covered(at, Err(NotCovered(what.to_owned())))
    }

    /// Returns true if the value of an expression is known: it depends on no decision variable, and on no name that
    /// stands for a term.
    fn is_known(&self, expr: &Expr) -> bool {
        // Analysis has found that the expression depends on no decision.
        if expr.category < Category::Decision {
            return true;
        }
        match &expr.kind {
            ExprKind::Global(id) => match &self.env.model().declaration(*id).kind {
                DeclarationKind::Find(_) => false,
                DeclarationKind::Letting(value) => self.is_known(value),
                _ => true,
            },
            ExprKind::Local(id) => !self.locals.contains_key(id),
            _ => {
                let mut known = true;
                expr.for_each_part(&mut |part| known = known && self.is_known(part));
                known
            }
        }
    }

    fn evaluated(&mut self, expr: &Expr) -> Located<Option<Value>> {
        match evaluate(expr, &mut self.env) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Undefined) => Ok(None),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }

    fn generated<T>(&mut self, made: Evaluated<T>) -> Located<Option<T>> {
        match made {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Undefined) => Ok(None),
            Err(Stop::Fault(fault)) => Err(fault),
        }
    }

    /// Requires a Boolean expression to be true, unless one of these literals is.
    pub(super) fn require(&mut self, expr: &Expr, unless: &[PbLiteral]) -> Located<()> {
        (self.watch)()?;
        // If an alternative always holds, nothing is required.
        if unless.contains(&PbLiteral::TRUE) {
            return Ok(());
        }
        if let ExprKind::Apply(operator, operands) = &expr.kind
            && !self.is_known(expr)
        {
            match (operator.symbol, &operands[..]) {
                // The conjuncts are required one by one, so that each constraint of the certificate is short.
                (AND, operands) => return operands.iter().try_for_each(|operand| self.require(operand, unless)),
                (ALL, [operand]) => match &operand.kind {
                    ExprKind::Comprehension(inner) => {
                        let defined = self.each(inner, &mut |this, present| {
                            this.note_names(inner);
                            // If these literals do not hold, the binding does not exist, so nothing is required.
                            let unless = with(unless, present.iter().map(|literal| !*literal));
                            this.require(&inner.body, &unless)
                        })?;
                        for literal in defined {
                            self.formula.require(unless, PbConstraint::clause([literal]));
                        }
                        return Ok(());
                    }
                    ExprKind::Matrix(elements, None) => {
                        return elements.iter().try_for_each(|element| self.require(element, unless));
                    }
                    _ => {}
                },
                // Only the left side becomes a literal, because the right side is required directly.
                (IMPLIES, [left, right]) => {
                    // If the assumption is false, nothing is required.
                    let left = self.truth(left)?;
                    return self.require(right, &with(unless, [!left]));
                }
                (OR, [left, right]) => {
                    let left = self.truth(left)?;
                    return self.require(right, &with(unless, [left]));
                }
                _ => {}
            }
        }
        for fact in self.facts(expr)? {
            self.formula.require(unless, fact);
        }
        Ok(())
    }

    /// Notes the values of a comprehension's names before the next constraint.
    fn note_names(&mut self, comprehension: &Comprehension) {
        let mut shown = Vec::new();
        let model = self.env.model().clone();
        let mut show = |id: LocalId| {
            let Some(local) = model.local_names.get(id.0 as usize) else { return };
            // If a name stands for a term, it has no value to note.
            if let (Some(value), false) = (self.env.local(id), self.locals.contains_key(&id)) {
                shown.push(format!("{} = {}", local.name, self.names.show_briefly(value, &local.ty)));
            }
        };
        for qualifier in &comprehension.qualifiers {
            if let Qualifier::Generator(pattern, _) = qualifier {
                pattern.names(&mut show);
            }
        }
        self.formula.note((!shown.is_empty()).then(|| format!("for {}", shown.join(", "))));
    }

    /// The constraints that must hold for a Boolean expression to be true.
    fn facts(&mut self, expr: &Expr) -> Located<Vec<PbConstraint>> {
        if let ExprKind::Apply(operator, operands) = &expr.kind
            && !self.is_known(expr)
            && !operator.catches_undefined
        {
            let (terms, defined) = self.operands(operands)?;
            // If an operand is undefined, the Boolean is false.
            if defined == PbLiteral::FALSE {
                return Ok(vec![PbConstraint::clause([])]);
            }
            let outcome = self.applied(expr, operator, &terms);
            return Ok(match self.covered(expr, outcome)? {
                OperatorOutcome::Facts(mut facts) => {
                    facts.push(PbConstraint::clause([defined]));
                    facts
                }
                OperatorOutcome::Term(term) => {
                    vec![PbConstraint::clause([defined]), PbConstraint::clause([self.literal(&term)])]
                }
            });
        }
        Ok(vec![PbConstraint::clause([self.truth(expr)?])])
    }

    /// The literal that is true if a Boolean term is defined and true.
    fn literal(&mut self, value: &PartialTerm) -> PbLiteral {
        match (&value.term, value.defined) {
            (_, PbLiteral::FALSE) => PbLiteral::FALSE,
            (PbTerm::Bool(literal), defined) => self.formula.all([*literal, defined]),
            _ => PbLiteral::FALSE,
        }
    }

    /// The literal that is true if a Boolean expression is.
    pub(super) fn truth(&mut self, expr: &Expr) -> Located<PbLiteral> {
        let value = self.unconverted(expr)?;
        Ok(self.literal(&value))
    }

    /// The value of an expression.
    pub(super) fn term(&mut self, expr: &Expr) -> Located<PartialTerm> {
        if expr.ty == Type::Bool {
            return Ok(PbTerm::Bool(self.truth(expr)?).into());
        }
        self.unconverted(expr)
    }

    /// The value of an expression. A Boolean value may be undefined.
    fn unconverted(&mut self, expr: &Expr) -> Located<PartialTerm> {
        if self.is_known(expr) {
            return Ok(match self.evaluated(expr)? {
                Some(value) => PbTerm::from(value).into(),
                None => no_value(),
            });
        }
        (self.watch)()?;
        Ok(match &expr.kind {
            ExprKind::Constant(value) => PbTerm::from(value.clone()).into(),
            ExprKind::Wrong => return self.refuse(expr, "mistakes"),
            ExprKind::Global(id) => self.global(*id, expr)?,
            ExprKind::Local(id) => match self.locals.get(id) {
                Some(term) => term.clone(),
                None => return self.refuse(expr, "this name here"),
            },
            ExprKind::Apply(operator, operands) => self.application(expr, operator, operands)?,
            ExprKind::Tuple(items) => {
                let (items, defined) = self.operands(items)?;
                PartialTerm { term: PbTerm::Tuple(items.into()), defined }
            }
            ExprKind::Component(tuple, place) => {
                let PartialTerm { term, defined } = self.term(tuple)?;
                // If a value is never defined, its parts are unknown.
                if defined == PbLiteral::FALSE {
                    return Ok(no_value());
                }
                match term.components(&mut self.formula) {
                    Some(items) => PartialTerm { term: items[*place as usize].clone(), defined },
                    None => return self.refuse(expr, "components of these tuples"),
                }
            }
            ExprKind::Matrix(elements, index) => {
                let (items, defined) = self.operands(elements)?;
                let index = match index {
                    Some(index) => {
                        let index = index_of_literal(index, items.len(), expr.span, &mut self.env);
                        self.generated(index)?
                    }
                    None => Some(GroundDomain::Int(IntSet::range(1, items.len() as i64))),
                };
                match index {
                    Some(index) => PartialTerm { term: PbTerm::Matrix(Rc::new(index), items.into()), defined },
                    None => no_value(),
                }
            }
            ExprKind::Collection(kind, members) => self.collection(expr, *kind, members)?,
            ExprKind::Comprehension(inner) => self.comprehension(inner)?,
            ExprKind::Slice(matrix, indices) => self.slice(expr, matrix, indices)?,
            ExprKind::Projection(relation, columns) => self.projection(expr, relation, columns)?,
            ExprKind::HasAttribute(inner, attribute) => self.attribute(expr, inner, attribute)?,
            // A bubble without variables is its value under its conditions.
            ExprKind::Bubble(bubble) if bubble.locals.is_empty() => {
                let mut needed = Vec::new();
                for condition in &bubble.constraints {
                    needed.push(self.truth(condition)?);
                }
                let PartialTerm { term, defined } = self.term(&bubble.value)?;
                needed.push(defined);
                PartialTerm { term, defined: self.formula.all(needed) }
            }
            ExprKind::Bubble(_) => return self.refuse(expr, "local decision variables"),
            ExprKind::Variant(..) | ExprKind::Alternative(..) | ExprKind::Active(..) => {
                return self.refuse(expr, "variants");
            }
            ExprKind::Domain(_) => return self.refuse(expr, "domains that depend on decisions"),
            ExprKind::Transform(..) => return self.refuse(expr, "`transform`"),
            ExprKind::DoesNotCare(_) => return self.refuse(expr, "`dontCare`"),
        })
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> Located<PartialTerm> {
        let mut elements = Vec::new();
        let mut whole = Vec::new();
        let mut defined = self.each(comprehension, &mut |this, present| {
            let there = this.formula.all(present.iter().copied());
            let PartialTerm { term, defined } = this.term(&comprehension.body)?;
            // If an element is absent, its value need not be defined.
            whole.push(this.formula.any([!there, defined]));
            elements.push((there, term));
            Ok(())
        })?;
        defined.append(&mut whole);
        Ok(PartialTerm { term: PbTerm::List(elements.into()), defined: self.formula.all(defined) })
    }

    fn global(&mut self, id: DeclarationId, expr: &Expr) -> Located<PartialTerm> {
        if let Some(term) = self.finds.get(&id) {
            return Ok(term.clone().into());
        }
        if let Some(known) = self.lettings.get(&id) {
            return Ok(known.clone());
        }
        let model = self.env.model().clone();
        let DeclarationKind::Letting(value) = &model.declaration(id).kind else {
            return self.refuse(expr, "this name here");
        };
        let value = self.term(value)?;
        self.lettings.insert(id, value.clone());
        Ok(value)
    }

    /// The values of several expressions, and the literal that is true if all are defined.
    fn operands(&mut self, exprs: &[Expr]) -> Located<(Vec<PbTerm>, PbLiteral)> {
        let (mut terms, mut defined) = (Vec::new(), Vec::new());
        for expr in exprs {
            let value = self.term(expr)?;
            terms.push(value.term);
            defined.push(value.defined);
        }
        Ok((terms, self.formula.all(defined)))
    }

    fn application(&mut self, expr: &Expr, operator: &Operator, operands: &[Expr]) -> Located<PartialTerm> {
        if operator.catches_undefined {
            let (left, right) = (self.term(&operands[0])?, self.term(&operands[1])?);
            let ways = [(left.defined, left.term), (!left.defined, right.term)];
            let ways: Vec<_> = ways.into_iter().filter(|(way, _)| *way != PbLiteral::FALSE).collect();
            let term = self.formula.select(&ways);
            let term = self.covered(expr, term)?;
            return Ok(PartialTerm { term, defined: self.formula.any([left.defined, right.defined]) });
        }
        let (terms, defined) = self.operands(operands)?;
        if defined == PbLiteral::FALSE {
            return Ok(no_value());
        }
        let outcome = self.applied(expr, operator, &terms);
        Ok(match self.covered(expr, outcome)? {
            OperatorOutcome::Facts(facts) => PartialTerm { term: PbTerm::Bool(self.formula.holds(facts)), defined },
            OperatorOutcome::Term(inner) => {
                PartialTerm { term: inner.term, defined: self.formula.all([defined, inner.defined]) }
            }
        })
    }

    /// Applies an operator, and adds a comment if all combinations of values were tried.
    fn applied(&mut self, expr: &Expr, operator: &Operator, operands: &[PbTerm]) -> Covered<OperatorOutcome> {
        let outcome = self.formula.apply(operator, operands);
        if let Some(count) = self.formula.tried.take()
            && self.tried.insert(expr.span)
        {
            let (symbol, place) = (operator.symbol.text, place(self.sources, expr.span));
            self.formula.comment(&format!("{place}: `{symbol}`, tried for {count} combinations of values"));
        }
        outcome
    }

    /// The value of a collection's literal.
    fn collection(&mut self, expr: &Expr, kind: Collection, members: &[Expr]) -> Located<PartialTerm> {
        let (members, defined) = self.operands(members)?;
        if defined == PbLiteral::FALSE {
            return Ok(no_value());
        }
        let made = match kind {
            Collection::Set | Collection::Relation => {
                let mut all = Vec::new();
                let mut fill = || {
                    for member in &members {
                        all.extend(self.formula.cases(member)?.iter().cloned());
                    }
                    Ok(())
                };
                let filled = fill();
                self.covered(expr, filled)?;
                match self.formula.set_of(all) {
                    PbTerm::Members(_, members) => Some(PbTerm::Members(kind, members)),
                    _ => None,
                }
            }
            Collection::Sequence => {
                let entries = (1..).zip(members.iter()).map(|(position, image)| MapEntry {
                    argument: Value::Int(position),
                    present: PbLiteral::TRUE,
                    image: image.clone(),
                });
                Some(PbTerm::Map(kind, entries.collect()))
            }
            _ => None,
        };
        if let Some(term) = made {
            return Ok(PartialTerm { term, defined });
        }
        // For other collections, all combinations of members are tried.
        let combinations = self.formula.combinations(&members);
        let (mut cases, mut wrong) = (Vec::new(), Vec::new());
        for (values, literals) in self.covered(expr, combinations)? {
            let all = self.formula.all(literals);
            match Value::of(kind, values) {
                Some(value) => cases.push((value, all)),
                // The members form no value, as when one argument of a function has two images.
                None => wrong.push(all),
            }
        }
        let consistent = !self.formula.any(wrong);
        let defined = self.formula.all([defined, consistent]);
        Ok(PartialTerm { term: self.formula.of_cases(cases), defined })
    }

    fn slice(&mut self, expr: &Expr, matrix: &Expr, indices: &[Index]) -> Located<PartialTerm> {
        let known = |this: &Self, index: &Index| match index {
            Index::At(index) => this.is_known(index),
            Index::Slice(low, high) => low.iter().chain(high).all(|bound| this.is_known(bound)),
        };
        if !indices.iter().all(|index| known(self, index)) {
            return self.refuse(expr, "slices whose indices depend on decisions");
        }
        let PartialTerm { term, defined } = self.term(matrix)?;
        match self.sliced(expr, &term, indices)? {
            Some(term) => Ok(PartialTerm { term, defined }),
            None => Ok(no_value()),
        }
    }

    fn sliced(&mut self, expr: &Expr, term: &PbTerm, indices: &[Index]) -> Located<Option<PbTerm>> {
        let Some((first, rest)) = indices.split_first() else { return Ok(Some(term.clone())) };
        let Some((index, elements)) = term.elements(&mut self.formula) else {
            return self.refuse(expr, "slices of these values");
        };
        let GroundDomain::Int(set) = &*index else { return self.refuse(expr, "slices of matrices indexed by bool") };
        match first {
            Index::At(at) => {
                let Some(at) = self.evaluated(at)? else { return Ok(None) };
                match set.position(at.as_int()) {
                    Some(place) => self.sliced(expr, &elements[place], rest),
                    None => Ok(None),
                }
            }
            Index::Slice(low, high) => {
                let mut bounds = [i64::MIN, i64::MAX];
                for (bound, expr) in bounds.iter_mut().zip([low, high]) {
                    if let Some(expr) = expr {
                        let Some(value) = self.evaluated(expr)? else { return Ok(None) };
                        *bound = value.as_int();
                    }
                }
                let wanted = IntSet::range(bounds[0], bounds[1]);
                let mut kept = Vec::new();
                for (at, element) in set.iter().zip(&elements) {
                    if wanted.contains(at) {
                        let Some(element) = self.sliced(expr, element, rest)? else { return Ok(None) };
                        kept.push(element);
                    }
                }
                Ok(Some(PbTerm::Matrix(Rc::new(GroundDomain::Int(set.intersect(&wanted))), kept.into())))
            }
        }
    }

    fn projection(&mut self, expr: &Expr, relation: &Expr, columns: &[Option<Expr>]) -> Located<PartialTerm> {
        let PartialTerm { term, defined } = self.term(relation)?;
        let mut all_defined = vec![defined];
        let mut fixed = Vec::new();
        for column in columns {
            fixed.push(match column {
                Some(column) => {
                    let value = self.term(column)?;
                    all_defined.push(value.defined);
                    Some(value.term)
                }
                None => None,
            });
        }
        let members = term.members(&mut self.formula);
        let Some((_, members)) = self.covered(expr, members)? else {
            return self.refuse(expr, "projections of these values");
        };
        let mut selected = Vec::new();
        for (tuple, literal) in members.iter() {
            let mut needed = vec![*literal];
            let mut kept = Vec::new();
            for (item, fixed) in tuple.components().iter().zip(&fixed) {
                match fixed {
                    Some(fixed) => {
                        let is = self.formula.is(fixed, item);
                        needed.push(self.covered(expr, is)?);
                    }
                    None => kept.push(item.clone()),
                }
            }
            selected.push((Value::Tuple(kept.into()), self.formula.all(needed)));
        }
        // Tuples that differ only in fixed columns become equal by the selection, and `set_of` joins them.
        let PbTerm::Members(_, members) = self.formula.set_of(selected) else {
            return self.refuse(expr, "projections of these values");
        };
        let defined = self.formula.all(all_defined);
        Ok(PartialTerm { term: PbTerm::Members(Collection::Relation, members), defined })
    }

    fn attribute(&mut self, expr: &Expr, inner: &Expr, attribute: &AttributeUse) -> Located<PartialTerm> {
        let PartialTerm { term, defined } = self.term(inner)?;
        let facts = match (&attribute.row.meaning, &attribute.number) {
            (Meaning::Bound(Measure::Occurrences, _), _) => {
                return self.refuse(expr, "occurrences as a constraint");
            }
            (Meaning::Bound(measure, limit), Some(number)) => {
                if !self.is_known(number) {
                    return self.refuse(expr, "attributes whose numbers depend on decisions");
                }
                let Some(number) = self.evaluated(number)? else { return Ok(no_value()) };
                measured(&mut self.formula, *measure, &Size::of(*limit, number.as_int()), &term)
            }
            _ => {
                let domain = domain_of(inner, &mut self.env);
                let sides = domain.sides();
                if !sides.iter().all(|side| side.is_finite()) {
                    return self.refuse(expr, "attributes of values without a finite domain");
                }
                let mut all = Vec::new();
                let mut made = Ok(());
                for property in attribute.row.properties() {
                    match has_property(&mut self.formula, *property, &term, &sides) {
                        Ok(mut facts) => all.append(&mut facts),
                        Err(missing) => made = Err(missing),
                    }
                }
                made.map(|()| all)
            }
        };
        let facts = self.covered(expr, facts)?;
        Ok(PartialTerm { term: PbTerm::Bool(self.formula.holds(facts)), defined })
    }

    /// Calls `body` for each binding of a comprehension's names. Returns the literals that must all be true for the
    /// comprehension to be defined.
    fn each(&mut self, comprehension: &Comprehension, body: BindingBody<'_, 'a>) -> Located<Vec<PbLiteral>> {
        let mut defined = Vec::new();
        self.bound(&comprehension.qualifiers, &mut Vec::new(), &mut defined, body)?;
        defined.retain(|literal| *literal != PbLiteral::TRUE);
        Ok(defined)
    }

    fn bound(
        &mut self,
        qualifiers: &[Qualifier],
        present: &mut Vec<PbLiteral>,
        defined: &mut Vec<PbLiteral>,
        body: BindingBody<'_, 'a>,
    ) -> Located<()> {
        let Some((first, rest)) = qualifiers.split_first() else {
            (self.watch)()?;
            return body(self, present);
        };
        let count = present.len();
        match first {
            Qualifier::Condition(condition) => {
                let holds = self.truth(condition)?;
                if holds != PbLiteral::FALSE {
                    present.push(holds);
                    self.bound(rest, present, defined, body)?;
                }
            }
            Qualifier::Letting(pattern, value) => {
                let term = self.term(value)?;
                // If a value is undefined, only the uses of its name are undefined.
                if let (Pattern::Name(name), Some(PbLiteral::FALSE)) = (pattern, Some(term.defined)) {
                    self.locals.insert(*name, term);
                    self.bound(rest, present, defined, body)?;
                } else if self.bind_term(value, pattern, &term)? {
                    self.bound(rest, present, defined, body)?;
                }
            }
            Qualifier::Generator(pattern, over) => {
                for (there, item, of) in self.generator(pattern, over, present, defined)? {
                    let fits = match &item {
                        Generated::Value(value) => {
                            // If an earlier binding of the name left a term, it would hide the value.
                            pattern.names(&mut |name| {
                                self.locals.remove(&name);
                            });
                            bind(pattern, value, &mut self.env)
                        }
                        Generated::Term(term) => self.bind_term(of, pattern, term)?,
                    };
                    if fits && there != PbLiteral::FALSE {
                        present.push(there);
                        self.bound(rest, present, defined, body)?;
                        present.truncate(count);
                    }
                }
            }
        }
        present.truncate(count);
        Ok(())
    }

    /// The values of a generator, each with the literal that it is present, and an expression to blame.
    fn generator<'e>(
        &mut self,
        pattern: &Pattern,
        over: &'e GeneratorRange,
        present: &[PbLiteral],
        defined: &mut Vec<PbLiteral>,
    ) -> Located<Vec<(PbLiteral, Generated, &'e Expr)>> {
        static NOWHERE: LazyLock<Expr> = LazyLock::new(|| Expr {
            kind: ExprKind::Constant(Value::TRUE),
            ty: Type::Bool,
            category: Category::Constant,
            span: Span::default(),
        });
        let (known, blamed) = match over {
            GeneratorRange::Domain(domain) => {
                let (mut known, mut blamed) = (true, None);
                expressions_in_domain(domain, &mut |part| {
                    known = known && self.is_known(part);
                    blamed = blamed.or(Some(part));
                });
                (known, blamed.unwrap_or(&NOWHERE))
            }
            GeneratorRange::Members(value) | GeneratorRange::Subsets(value) => (self.is_known(value), value),
        };
        // The generator must be defined only if its bindings are reached.
        let mut needed = |this: &mut Self, has_value: PbLiteral| {
            let needed = with(&[has_value], present.iter().map(|literal| !*literal));
            defined.push(this.formula.any(needed));
        };
        if known {
            let generated = generate(pattern, over, &mut self.env);
            let Some((values, size)) = self.generated(generated)? else {
                needed(self, PbLiteral::FALSE);
                return Ok(Vec::new());
            };
            if size.is_none_or(|size| size > MOST_BOUND) {
                return self.refuse(blamed, "generators with more than a million values");
            }
            return Ok(values.map(|value| (PbLiteral::TRUE, Generated::Value(value), blamed)).collect());
        }
        if matches!(over, GeneratorRange::Domain(_)) {
            return self.refuse(blamed, "domains that depend on decisions");
        }
        let PartialTerm { term, defined: has_value } = self.term(blamed)?;
        needed(self, has_value);
        if has_value == PbLiteral::FALSE {
            return Ok(Vec::new());
        }
        match over {
            GeneratorRange::Subsets(_) => self.generated_subsets(blamed, &term),
            _ => self.generated_members(blamed, &term),
        }
    }

    /// The subsets of a set, each with the condition that all its members are present.
    fn generated_subsets<'e>(
        &mut self,
        blamed: &'e Expr,
        term: &PbTerm,
    ) -> Located<Vec<(PbLiteral, Generated, &'e Expr)>> {
        let members = term.members(&mut self.formula);
        let Some((_, members)) = self.covered(blamed, members)? else {
            return self.refuse(blamed, "subsets of these values");
        };
        if members.len() > 12 {
            return self.refuse(blamed, "subsets of sets with more than 12 possible members");
        }
        let all = subsets_of(members.iter().map(|(value, _)| value.clone()).collect(), &Size::default());
        let mut subsets = Vec::new();
        for subset in all {
            let inside = members.iter().filter(|(value, _)| subset.items().contains(value));
            let there = self.formula.all(inside.map(|(_, literal)| *literal).collect::<Vec<_>>());
            subsets.push((there, Generated::Value(subset), blamed));
        }
        Ok(subsets)
    }

    /// The members of a collection, each with the condition that it is present.
    fn generated_members<'e>(
        &mut self,
        blamed: &'e Expr,
        term: &PbTerm,
    ) -> Located<Vec<(PbLiteral, Generated, &'e Expr)>> {
        let entries = term.entries(&mut self.formula);
        let mut items = Vec::new();
        if let Some((Collection::MSet, entries)) = entries {
            for entry in entries.iter() {
                let most = self.formula.most(&entry.image);
                // The value has one copy for each number that its count reaches.
                for copy in 1..=self.covered(blamed, most)? {
                    let there = self.formula.reached(&entry.image, copy);
                    let there = self.covered(blamed, there)?;
                    items.push((there, Generated::Value(entry.argument.clone()), blamed));
                }
            }
        } else if let Some((_, entries)) = entries {
            for entry in entries.iter() {
                let pair = PbTerm::Tuple([entry.argument.clone().into(), entry.image.clone()].into());
                items.push((entry.present, Generated::Term(pair.into()), blamed));
            }
        } else if let Some(elements) = term.listed(&mut self.formula) {
            let elements = elements.into_iter();
            items.extend(elements.map(|(there, element)| (there, Generated::Term(element.into()), blamed)));
        } else {
            let members = term.members(&mut self.formula);
            let Some((_, members)) = self.covered(blamed, members)? else {
                return self.refuse(blamed, "generators over these values");
            };
            let members = members.iter();
            items.extend(members.map(|(value, there)| (*there, Generated::Value(value.clone()), blamed)));
        }
        Ok(items)
    }

    /// Binds the names of a pattern to the parts of a term; returns false if the term has another shape.
    fn bind_term(&mut self, at: &Expr, pattern: &Pattern, value: &PartialTerm) -> Located<bool> {
        match pattern {
            Pattern::Wildcard => Ok(true),
            Pattern::Name(name) => {
                match value.term.constant() {
                    Some(constant) if value.defined == PbLiteral::TRUE => {
                        // In the previous instance, the name may have stood for a term.
                        self.locals.remove(name);
                        self.env.bind_local(*name, constant);
                    }
                    _ => {
                        self.locals.insert(*name, value.clone());
                    }
                }
                Ok(true)
            }
            Pattern::Parts(form, parts) => {
                let items = match form {
                    PatternForm::Tuple => value.term.components(&mut self.formula),
                    PatternForm::Matrix => value.term.elements(&mut self.formula).map(|(_, elements)| elements),
                    PatternForm::Members => None,
                };
                let Some(items) = items else { return self.refuse(at, "this pattern for these values") };
                if items.len() != parts.len() {
                    return Ok(false);
                }
                for (part, term) in parts.iter().zip(items) {
                    if !self.bind_term(at, part, &PartialTerm { term, defined: value.defined })? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

/// One value of a generator.
enum Generated {
    Value(Value),
    Term(PartialTerm),
}

fn with(literals: &[PbLiteral], more: impl IntoIterator<Item = PbLiteral>) -> Vec<PbLiteral> {
    literals.iter().copied().chain(more).collect()
}

fn no_value() -> PartialTerm {
    match undefined() {
        OperatorOutcome::Term(term) => term,
        OperatorOutcome::Facts(_) => unreachable!("an undefined value is a term"),
    }
}
