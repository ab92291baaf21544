//! Comprehensions: a walk over all bindings of the quantified names. The context of the walk carries the guard, the
//! condition under which a binding exists. A binding with a constant false guard is cut at once.
//!
//! A quantifier over a domain that is too large to enumerate often needs only one binding. An asserted `exists x : D .
//! e` and a denied `forAll x : D . e` claim that a value exists, so a Skolem variable replaces the name. The domain's
//! constraints on the variable become part of the guard, so they restrict nothing else. `skolem.rs` decides which
//! quantifiers qualify; [`ListUse`] describes what the operator around a comprehension allows.
//!
//! To add a kind of generator, add an arm to [`BindingWalk::qualifier`]. It must call [`BindingWalk::enter`] before it
//! visits values, so that too many values are refused, and it must add the condition under which the generator is
//! undefined to `undefined`.

use super::{
    patterns::{Matched, OtherMembers, may_fail},
    skolem::{closed_ranges, has_fixed_value},
    *,
};
use crate::{
    analysis::model::{Comprehension, ExprDomain, GeneratorRange, Pattern, PatternForm, Qualifier},
    instance::{PruningRun, ground},
    language::{GroundDomain, IntSet, Stop, attributes::Size, domain::Amount},
    operators::{Operator, Polarity},
    source::Span,
    symbolic::{Member, Repetition},
};

const NO_LIMIT: &str = "an `exists` that must be true, and a `forAll` that must be false, may range over any domain";

/// The use that the operator around a comprehension makes of its list.
#[derive(Clone, Copy)]
struct ListUse {
    /// True if the order of the elements matters.
    ordered: bool,
    /// The neutral element of the operator, if it is a Boolean operator.
    neutral: Option<Bool>,
    /// The polarity of the comprehension's conditions.
    conditions: Polarity,
    /// True if one binding is enough; a Skolem variable can then choose it.
    one_suffices: bool,
}

impl ListUse {
    const LIST: ListUse = ListUse { ordered: true, neutral: None, conditions: Polarity::Mixed, one_suffices: false };

    /// The elements are conjuncts of a constraint.
    const REQUIRED: ListUse =
        ListUse { ordered: false, neutral: Some(Bool::TRUE), conditions: Polarity::Negative, one_suffices: false };

    /// The absorbing element of the operator around the list.
    fn absorbing(self) -> Option<bool> {
        self.neutral.map(|neutral| neutral == Bool::FALSE)
    }

    fn by(operator: &Operator, polarity: Polarity) -> ListUse {
        let ordered = operator.any_order != Some(0);
        match operator.absorbing {
            Some(result) => {
                let conditions = if result { polarity } else { polarity.negated() };
                let one_suffices = conditions == Polarity::Positive;
                ListUse { ordered, neutral: Some(Bool::from(!result)), conditions, one_suffices }
            }
            None => ListUse { ordered, ..ListUse::LIST },
        }
    }
}

impl Lowering<'_> {
    /// Lowers the first operand of an operator. The list of a comprehension is sorted only if its order matters.
    pub(super) fn first_operand(&mut self, operator: &Operator, operand: &Expr, context: &Context) -> LoweringResult {
        match &operand.kind {
            // A fixed operand of `and` or `or` was too large to be evaluated.
            ExprKind::Comprehension(comprehension)
                // For other operators, such as `sum`, a fixed list is evaluated, which needs one value per element
                // instead of a term.
                if !self.is_fixed(operand, context) || operator.absorbing.is_some() =>
            {
                let list = self.comprehension_for(
                    comprehension,
                    operand.span,
                    ListUse::by(operator, context.polarity),
                    context,
                )?;
                self.check(operand.span)?;
                Ok(list)
            }
            _ => self.expression(operand, context),
        }
    }

    /// Lowers a comprehension to a list. The list is undefined if a generator is undefined, or if an element is
    /// undefined while its guard holds.
    pub(super) fn comprehension(
        &mut self,
        comprehension: &Comprehension,
        span: Span,
        context: &Context,
    ) -> LoweringResult {
        self.comprehension_for(comprehension, span, ListUse::LIST, context)
    }

    fn comprehension_for(
        &mut self,
        comprehension: &Comprehension,
        span: Span,
        wanted: ListUse,
        context: &Context,
    ) -> LoweringResult {
        let mut members = Vec::new();
        let mut conditions = Vec::new();
        // The order of the tests matters: a neutral element is dropped before its guard is built, and an element that
        // is never present must not make the list undefined.
        let mut visit = |lowering: &mut Lowering, context: &Context| {
            let body = lowering.expression(&comprehension.body, context)?;
            // A neutral element does not change the result, so it needs no guard.
            if wanted.neutral.is_some_and(|neutral| body.term.bool() == neutral) {
                return Ok(());
            }
            let guard = context.guard(&mut lowering.symbolic.problem);
            if guard == Bool::FALSE {
                return Ok(());
            }
            if body.defined != Bool::TRUE {
                // Only an element that is in the list must be defined.
                conditions.push(lowering.symbolic.problem.implies(guard, body.defined));
            }
            // If this element were in the list, the condition above would make the list undefined.
            if body.defined == Bool::FALSE {
                return Ok(());
            }
            members.push(Member::new(guard, body.term));
            Ok(())
        };
        let defined = self.bindings(comprehension, span, wanted, &context.list(), &mut visit)?;
        conditions.push(defined);
        let defined = self.symbolic.problem.and(conditions);
        Ok(Partial { term: Term::guarded_list(members), defined })
    }

    /// Requires the body for every binding, as the constraint `and([…])` does, without building the list.
    pub(super) fn require_each(
        &mut self,
        comprehension: &Comprehension,
        span: Span,
        context: &Context,
    ) -> LoweringResult<()> {
        let mut visit = |lowering: &mut Lowering, context: &Context| lowering.require(&comprehension.body, context);
        let defined = self.instances(comprehension, span, context, &mut visit)?;
        self.require_condition(defined, context);
        Ok(())
    }

    /// Visits the instances of a quantifier that must hold. Returns the condition under which all generators are
    /// defined.
    pub(super) fn instances(
        &mut self,
        comprehension: &Comprehension,
        span: Span,
        context: &Context,
        visit: &mut Matched,
    ) -> LoweringResult<Bool> {
        self.bindings(comprehension, span, ListUse::REQUIRED, context, visit)
    }

    /// Visits all bindings of the names of a comprehension. Returns the condition under which all generators are
    /// defined.
    fn bindings(
        &mut self,
        comprehension: &Comprehension,
        span: Span,
        wanted: ListUse,
        context: &Context,
        visit: &mut Matched,
    ) -> LoweringResult<Bool> {
        // The first two tests are cheap, but the last one grounds domains.
        let skolemised = wanted.one_suffices
            && self.can_be_skolemised(comprehension)
            && self.is_worth_skolemising(comprehension, context)?;
        let mut walk = BindingWalk {
            qualifiers: &comprehension.qualifiers,
            span,
            wanted,
            skolemised,
            visit,
            undefined: Vec::new(),
            width: 1,
            pruning: comprehension.pruning(wanted.absorbing()).map(PruningRun::new),
            sieves: vec![Sieve::default(); 2 * comprehension.qualifiers.len() + 1],
        };
        // An expression with a Skolem variable cannot be evaluated, even if it looks like an expression over quantified
        // names.
        let mut inner = *context;
        inner.skolemised |= skolemised;
        walk.from(self, 0, &inner)?;
        let undefined = walk.undefined;
        Ok(!self.symbolic.problem.or(undefined))
    }
}

struct BindingWalk<'a, 'v> {
    qualifiers: &'a [Qualifier],
    span: Span,
    wanted: ListUse,
    /// True if Skolem variables replace the values from domains.
    skolemised: bool,
    visit: &'a mut Matched<'v>,
    /// The conditions under which a generator is reached but undefined.
    undefined: Vec<Bool>,
    /// The estimated number of bindings of the enclosing generators: the product of their sizes, multiplied by the
    /// share of bindings that pass the fixed conditions.
    width: u128,
    pruning: Option<PruningRun>,
    /// The counts of fixed conditions. For each qualifier, there is one for the conditions that pruning checks before
    /// it, and one for its own condition.
    sieves: Vec<Sieve>,
}

#[derive(Clone, Copy, Default)]
struct Sieve {
    tested: u128,
    passed: u128,
}

/// The minimum number of tested bindings whose share of successes is an estimate for all bindings. Chosen.
const ENOUGH_BINDINGS: u128 = 200;

impl Sieve {
    fn add(&mut self, passes: bool) {
        self.tested += 1;
        self.passed += u128::from(passes);
    }

    /// Estimates how many of `width` bindings pass.
    fn of(self, width: u128) -> u128 {
        // Too few tests give no reliable estimate, so the result is 1, which refuses no comprehension by mistake.
        if self.tested < ENOUGH_BINDINGS { 1 } else { (width.saturating_mul(self.passed) / self.tested).max(1) }
    }
}

fn is_over_collection(qualifier: &Qualifier) -> bool {
    matches!(qualifier, Qualifier::Generator(_, GeneratorRange::Members(_) | GeneratorRange::Subsets(_)))
}

impl BindingWalk<'_, '_> {
    /// Visits the qualifiers from this position to the end.
    fn from(&mut self, lowering: &mut Lowering, position: usize, context: &Context) -> LoweringResult<()> {
        let holds = match &self.pruning {
            Some(pruning) => {
                let (locals, environment) = (&lowering.locals, &mut lowering.environment);
                pruning.holds(position, environment, |expr| has_fixed_value(expr, locals, context))
            }
            None => None,
        };
        match holds {
            Some(holds) => self.sieved(2 * position, holds, |walk| walk.qualifier(lowering, position, context)),
            None => self.qualifier(lowering, position, context),
        }
    }

    /// Continues if the fixed conditions at this position hold, with `width` multiplied by the share of bindings that
    /// pass.
    fn sieved(
        &mut self,
        position: usize,
        holds: bool,
        go_on: impl FnOnce(&mut Self) -> LoweringResult<()>,
    ) -> LoweringResult<()> {
        self.sieves[position].add(holds);
        if !holds {
            return Ok(());
        }
        let outer = self.width;
        self.width = self.sieves[position].of(outer);
        go_on(self)?;
        self.width = outer;
        Ok(())
    }

    fn qualifier(&mut self, lowering: &mut Lowering, position: usize, context: &Context) -> LoweringResult<()> {
        let Some(qualifier) = self.qualifiers.get(position) else { return (self.visit)(lowering, context) };
        match qualifier {
            Qualifier::Condition(condition) => {
                let condition = lowering.condition(condition, &context.with(self.wanted.conditions))?;
                // A constant condition needs no guard, but it improves the estimate of `width`.
                if [Bool::TRUE, Bool::FALSE].contains(&condition) {
                    let holds = condition == Bool::TRUE;
                    return self.sieved(2 * position + 1, holds, |walk| walk.from(lowering, position + 1, context));
                }
                match context.and(condition) {
                    Some(context) => self.from(lowering, position + 1, &context),
                    None => Ok(()),
                }
            }
            Qualifier::Letting(pattern, value) => {
                // The names stand for the expression, so if it is undefined, only uses of the names are undefined.
                let value = lowering.expression(value, &context.mixed())?;
                if value.defined == Bool::TRUE || !may_fail(pattern) {
                    // A pattern such as `(a, b)` always matches, so the binding needs no condition, even if the value
                    // is undefined.
                    return self.bind(lowering, position, pattern, value, context);
                }
                // A match may restrict the guard. An undefined value cannot be matched, but the binding still exists.
                let undefined = !value.defined;
                if let Some(context) = context.and(value.defined) {
                    self.bind(lowering, position, pattern, value, &context)?;
                }
                if let Some(context) = context.and(undefined) {
                    lowering.bind_undefined(pattern);
                    self.from(lowering, position + 1, &context)?;
                }
                Ok(())
            }
            Qualifier::Generator(pattern, GeneratorRange::Domain(domain)) => {
                if lowering.is_dependent(domain, context) {
                    return match closed_ranges(domain) {
                        Some(ranges) => self.within_ranges(lowering, position, pattern, &ranges, context),
                        None => self.over_possible_domains(lowering, position, pattern, domain, context),
                    };
                }
                match ground(domain, &mut lowering.environment) {
                    Ok(domain) => self.over_domain(lowering, position, pattern, &domain, context),
                    Err(Stop::Undefined) => {
                        self.undefined.push(context.guard(&mut lowering.symbolic.problem));
                        Ok(())
                    }
                    Err(Stop::Fault(fault)) => Err(fault),
                }
            }
            // `i in powerSet(s)` enumerates the subsets of `s`, but the power set itself is never built.
            Qualifier::Generator(
                pattern,
                GeneratorRange::Members(Expr { kind: ExprKind::Apply(operator, sets), .. }),
            ) if operator.is_power_set() => self.subsets_of(lowering, position, pattern, &sets[0], context),
            Qualifier::Generator(pattern, GeneratorRange::Members(collection)) => {
                let Some((collection, context)) = self.collection(lowering, collection, context)? else {
                    return Ok(());
                };
                if let Term::PowerSet(set) = &collection {
                    return self.subsets(lowering, position, pattern, set, &context);
                }
                let members = self.elements(lowering, &collection);
                let outer = self.enter(lowering, Amount::exactly(members.len() as u128))?;
                for member in members {
                    // A member that cannot be present has a false condition, for which `and` returns `None`.
                    if let Some(context) = context.and(member.condition) {
                        self.bind(lowering, position, pattern, member.term.into(), &context)?;
                    }
                }
                self.width = outer;
                Ok(())
            }
            Qualifier::Generator(pattern, GeneratorRange::Subsets(set)) => {
                self.subsets_of(lowering, position, pattern, set, context)
            }
        }
    }

    /// Binds a pattern to each value of a domain, or to a single Skolem variable.
    fn over_domain(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        domain: &GroundDomain,
        context: &Context,
    ) -> LoweringResult<()> {
        // One variable stands for all values of the domain, so the number of bindings stays the same.
        if self.skolemised {
            let (term, demands) = lowering.auxiliary(domain, self.span)?;
            lowering.local_terms.push(vec![(pattern.clone(), term.clone())]);
            return match context.and(demands) {
                Some(context) => self.bind(lowering, position, pattern, term.into(), &context),
                None => Ok(()),
            };
        }
        if let Some(values) = self.few_values(lowering, position, pattern, domain, context) {
            let outer = self.enter(lowering, Amount::exactly(values.len() as u128))?;
            for value in values {
                self.bind(lowering, position, pattern, Value::Int(value).into(), context)?;
            }
            self.width = outer;
            return Ok(());
        }
        let outer =
            self.enter(lowering, domain.amount_gone_through()).map_err(|too_many| match domain.has_collection() {
                true => Box::new(too_many.note(NO_LIMIT)),
                false => too_many,
            })?;
        for value in domain.members() {
            self.bind(lowering, position, pattern, value.into(), context)?;
        }
        self.width = outer;
        Ok(())
    }

    /// Returns the values that the fixed conditions leave in the domain of a generator's name; `None` if they do not
    /// restrict the domain.
    fn few_values(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        domain: &GroundDomain,
        context: &Context,
    ) -> Option<Vec<i64>> {
        let (pruning, Pattern::Name(name), GroundDomain::Int(domain)) = (self.pruning.as_mut()?, pattern, domain)
        else {
            return None;
        };
        let (locals, environment) = (&lowering.locals, &mut lowering.environment);
        let is_fixed = |expr: &Expr| has_fixed_value(expr, locals, context);
        pruning.values(position, *name, domain, environment, is_fixed)
    }

    /// Binds a pattern to the values of each possible domain of a dependent domain, under the condition that the domain
    /// is this one.
    fn over_possible_domains(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        domain: &ExprDomain,
        context: &Context,
    ) -> LoweringResult<()> {
        let possible = lowering.possible_domains(domain, self.span, context)?;
        // An undefined domain matters only if the generator is reached.
        self.undefined.push(context.guard_and(&mut lowering.symbolic.problem, &[possible.undefined]));
        for (condition, domain) in possible.domains {
            if let Some(context) = context.and(condition) {
                self.over_domain(lowering, position, pattern, &domain, &context)?;
            }
        }
        Ok(())
    }

    /// Binds a pattern to each integer that can be in one of the ranges, under the condition that it is in the range.
    /// The ends of the ranges depend on variables.
    fn within_ranges(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        ranges: &[(&Expr, &Expr)],
        context: &Context,
    ) -> LoweringResult<()> {
        let (mut ends, mut defined, mut possible) = (Vec::new(), Vec::new(), IntSet::empty());
        for (low, high) in ranges {
            let mut end = |expr: &Expr| -> LoweringResult<Int> {
                let end = lowering.expression(expr, &context.mixed())?;
                defined.push(end.defined);
                Ok(lowering.symbolic.int(&end.term))
            };
            let (low, high) = (end(low)?, end(high)?);
            let values = |end| lowering.symbolic.problem.values(end);
            // The ends are not known, so every value from the smallest possible lower end to the largest possible upper
            // end counts.
            if let (Some(least), Some(most)) = (values(low).min(), values(high).max()) {
                possible = possible.union(&IntSet::range(least, most));
                ends.push((low, high));
            }
        }
        let defined = lowering.symbolic.problem.and(defined);
        if defined != Bool::TRUE {
            self.undefined.push(context.guard_and(&mut lowering.symbolic.problem, &[!defined]));
        }
        let Some(context) = context.and(defined) else { return Ok(()) };
        let outer = self.enter(lowering, GroundDomain::Int(possible.clone()).amount_gone_through())?;
        for value in possible.iter() {
            let problem = &mut lowering.symbolic.problem;
            let within: Vec<Bool> = ends
                .iter()
                .map(|(low, high)| {
                    let (above, below) =
                        (problem.at_most_constant(*low, value), problem.at_most_constant(*high, value - 1));
                    problem.and([above, !below])
                })
                .collect();
            let within = problem.or(within);
            if let Some(context) = context.and(within) {
                self.bind(lowering, position, pattern, Value::Int(value).into(), &context)?;
            }
        }
        self.width = outer;
        Ok(())
    }

    fn subsets_of(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        set: &Expr,
        context: &Context,
    ) -> LoweringResult<()> {
        let Some((set, context)) = self.collection(lowering, set, context)? else { return Ok(()) };
        self.subsets(lowering, position, pattern, &set, &context)
    }

    /// Lowers the collection of a generator. Returns its term and the context in which it is defined; `None` if it is
    /// never defined.
    fn collection<'c>(
        &mut self,
        lowering: &mut Lowering,
        expr: &Expr,
        context: &'c Context,
    ) -> LoweringResult<Option<(Term, Context<'c>)>> {
        let partial = lowering.expression(expr, &context.mixed())?;
        if partial.defined != Bool::TRUE {
            self.undefined.push(context.guard_and(&mut lowering.symbolic.problem, &[!partial.defined]));
        }
        Ok(context.and(partial.defined).map(|context| (partial.term, context)))
    }

    fn elements(&self, lowering: &mut Lowering, collection: &Term) -> Vec<Member> {
        match self.wanted.ordered {
            true => lowering.symbolic.ascending_elements(collection),
            false => lowering.symbolic.elements(collection),
        }
    }

    /// Counts the members of a generator and refuses a comprehension with too many bindings. Returns the `width` to
    /// restore afterwards.
    fn enter(&mut self, lowering: &mut Lowering, size: Amount) -> LoweringResult<u128> {
        let outer = self.width;
        let all = size.times(outer);
        self.width = all.number.max(1);
        lowering.bindings = lowering.bindings.saturating_add(size.number);
        if self.width.max(lowering.bindings) > INSTANCE_LIMIT {
            let before = Amount::exactly(lowering.bindings);
            // The message shows the number that exceeds the limit: the bindings of this comprehension, or all bindings
            // so far.
            let times = if all.number < INSTANCE_LIMIT && before.number < u128::MAX { before } else { all };
            return Err(Box::new(
                Diagnostic::error(Code::TOO_LARGE, format!("this would be instantiated {times} times"))
                    .at(self.span, format!("more than the limit of {INSTANCE_LIMIT}"))
                    .help(match self.qualifiers.iter().any(is_over_collection) {
                        true => "bound the size of the collection that it ranges over, with `maxSize` or `size`",
                        false => {
                            "quantify over smaller domains, or over a collection that has only the values you need"
                        }
                    }),
            ));
        }
        Ok(outer)
    }

    /// Binds a pattern to a value once for each way in which it matches, and continues with the next qualifier.
    fn bind(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        value: Partial,
        context: &Context,
    ) -> LoweringResult<()> {
        lowering.matches(pattern, value, context, &mut |lowering, context| self.from(lowering, position + 1, context))
    }

    /// Binds a pattern to the subsets of a set. A set pattern such as `{a, b}` visits only the subsets of its size.
    fn subsets(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        set: &Term,
        context: &Context,
    ) -> LoweringResult<()> {
        let members = self.elements(lowering, set);
        if let Pattern::Parts(PatternForm::Members, patterns) = pattern {
            return lowering.match_members(
                patterns,
                &members,
                OtherMembers::Any,
                Vec::new(),
                context,
                &mut |lowering, context| self.from(lowering, position + 1, context),
            );
        }
        // A subset cannot have more members than the set can have at a time.
        let most = lowering.symbolic.members(set).most();
        let positions = GroundDomain::Int(IntSet::range(1, members.len() as i64));
        let size = Size { min: None, max: Some(most as i64) };
        let outer = self.enter(lowering, GroundDomain::set_of_size(size, positions).amount())?;
        // The subsets are visited in the order of their values: {}, {1}, {1, 2}, {2}.
        let mut chosen: Vec<usize> = Vec::new();
        loop {
            // The chosen positions are in ascending order, so each subset is built only once.
            let subset = || chosen.iter().map(|position| &members[*position]);
            let conditions: Vec<Bool> = subset().map(|member| member.condition).collect();
            let present = lowering.symbolic.problem.and(conditions);
            if let Some(context) = context.and(present) {
                let subset = subset().map(|member| Member::always(member.term.clone())).collect();
                let subset = lowering.symbolic.set(subset, Repetition::Never);
                self.bind(lowering, position, pattern, subset.into(), &context)?;
            }
            let next = chosen.last().map_or(0, |last| last + 1);
            if next < members.len() && chosen.len() < most {
                chosen.push(next);
                continue;
            }
            // The last member that has a successor is replaced by it; all members after it are dropped.
            loop {
                match chosen.pop() {
                    Some(last) if last + 1 < members.len() => {
                        chosen.push(last + 1);
                        break;
                    }
                    Some(_) => {}
                    None => {
                        self.width = outer;
                        return Ok(());
                    }
                }
            }
        }
    }
}
