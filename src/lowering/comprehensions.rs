//! Comprehensions: a walk over all bindings of the quantified names, which carries the condition (the guard)
//! under which the binding exists. What is constant is cut at once; what depends on decisions joins the guard.

use super::{
    patterns::{Matched, may_fail},
    *,
};
use crate::{
    analysis::model::{Category, Comprehension, Over, Pattern, Qualifier},
    instance::{evaluate, ground},
    language::{Collection, Stop},
    operators::{Symbol, symbols},
    source::Span,
    symbolic::Member,
};

/// Operators on lists that do not care in which order the elements stand.
const ORDERLESS: [Symbol; 12] = [
    symbols::ALL,
    symbols::ANY,
    Symbol::function("xor"),
    symbols::SUM,
    symbols::PRODUCT,
    symbols::MIN,
    symbols::MAX,
    symbols::BARS,
    symbols::TO_SET,
    symbols::TO_MSET,
    Symbol::function("allDiff"),
    symbols::FREQUENCY,
];

impl Lowering<'_> {
    /// The first operand of an operator. Where the order of a list makes no difference, it is not put in order.
    pub(super) fn first_operand(&mut self, symbol: Symbol, operand: &Expr) -> Result {
        match &operand.kind {
            ExprKind::Comprehension(comprehension)
                if operand.category == Category::Decision && ORDERLESS.contains(&symbol) =>
            {
                let list = self.comprehension(comprehension, operand.span, false)?;
                self.check(operand.span)?;
                Ok(list)
            }
            _ => self.expression(operand),
        }
    }

    /// The list of a comprehension. It is undefined if an element that is in it is, or a generator. If it is
    /// `ordered`, the members of sets and the like stand in it in ascending order.
    pub(super) fn comprehension(&mut self, comprehension: &Comprehension, span: Span, ordered: bool) -> Result {
        let mut members = Vec::new();
        let mut conditions = Vec::new();
        let mut visit = |lowering: &mut Lowering, guard: Bool| {
            let body = lowering.expression(&comprehension.body)?;
            if body.defined != Bool::TRUE {
                conditions.push(lowering.symbolic.problem.implies(guard, body.defined));
            }
            if body.defined == Bool::FALSE {
                return Ok(());
            }
            members.push(Member::new(guard, body.term));
            Ok(())
        };
        let defined = self.bindings(&comprehension.qualifiers, span, ordered, &mut visit)?;
        conditions.push(defined);
        let defined = self.symbolic.problem.and(conditions);
        Ok(Partial { term: Term::guarded_list(members), defined })
    }

    /// Requires the body for every binding: what `and([…])` as a constraint says, without building the list.
    pub(super) fn require_each(&mut self, comprehension: &Comprehension, span: Span) -> Result<()> {
        let mut visit = |lowering: &mut Lowering, guard: Bool| {
            if guard == Bool::TRUE {
                return lowering.require(&comprehension.body);
            }
            let body = lowering.condition(&comprehension.body)?;
            let constraint = lowering.symbolic.problem.implies(guard, body);
            lowering.symbolic.problem.require(constraint);
            Ok(())
        };
        let defined = self.bindings(&comprehension.qualifiers, span, false, &mut visit)?;
        self.symbolic.problem.require(defined);
        Ok(())
    }

    /// Visits all bindings of the qualifiers' names; returns the condition under which all generators are defined.
    fn bindings(&mut self, qualifiers: &[Qualifier], span: Span, ordered: bool, visit: &mut Matched) -> Result<Bool> {
        let mut walk = Walk { qualifiers, span, ordered, visit, undefined: Vec::new(), width: 1 };
        walk.from(self, 0, Bool::TRUE)?;
        let undefined = walk.undefined;
        Ok(!self.symbolic.problem.or(undefined))
    }
}

struct Walk<'a, 'v> {
    qualifiers: &'a [Qualifier],
    span: Span,
    /// Whether the order of the bindings makes a difference.
    ordered: bool,
    visit: &'a mut Matched<'v>,
    /// Conditions under which a generator that is reached is undefined.
    undefined: Vec<Bool>,
    /// How many bindings the enclosing generators of this comprehension have at most.
    width: u128,
}

impl Walk<'_, '_> {
    /// Goes through the qualifiers from this position on.
    fn from(&mut self, lowering: &mut Lowering, position: usize, guard: Bool) -> Result<()> {
        let Some(qualifier) = self.qualifiers.get(position) else { return (self.visit)(lowering, guard) };
        match qualifier {
            Qualifier::Condition(condition) => {
                let condition = lowering.condition(condition)?;
                let guard = lowering.symbolic.problem.and([guard, condition]);
                if guard == Bool::FALSE { Ok(()) } else { self.from(lowering, position + 1, guard) }
            }
            Qualifier::Letting(pattern, value) => {
                // The names stand for the expression: where that is undefined, only their uses are.
                let value = lowering.expression(value)?;
                if value.defined == Bool::TRUE || !may_fail(pattern) {
                    return self.bind(lowering, position, pattern, value, guard);
                }
                let defined = lowering.symbolic.problem.and([guard, value.defined]);
                let undefined = lowering.symbolic.problem.and([guard, !value.defined]);
                self.bind(lowering, position, pattern, value, defined)?;
                if undefined != Bool::FALSE {
                    lowering.bind_undefined(pattern);
                    self.from(lowering, position + 1, undefined)?;
                }
                Ok(())
            }
            Qualifier::Generator(pattern, Over::Domain(domain)) => {
                let domain = match ground(domain, &mut lowering.environment) {
                    Ok(domain) => domain,
                    Err(Stop::Undefined) => {
                        self.undefined.push(guard);
                        return Ok(());
                    }
                    Err(Stop::Fault(fault)) => return Err(fault),
                };
                let outer = self.enter(lowering, domain.size())?;
                for value in domain.members() {
                    self.bind(lowering, position, pattern, value.into(), guard)?;
                }
                self.width = outer;
                Ok(())
            }
            Qualifier::Generator(pattern, Over::Members(Expr { kind: ExprKind::Apply(operator, sets), .. }))
                if operator.symbol == Symbol::function("powerSet") =>
            {
                self.subsets_of(lowering, position, pattern, &sets[0], guard)
            }
            Qualifier::Generator(pattern, Over::Members(collection)) => {
                let Some(collection) = self.collection(lowering, collection, guard)? else { return Ok(()) };
                let members = self.elements(lowering, &collection);
                let outer = self.enter(lowering, Some(members.len() as u128))?;
                for member in members {
                    let guard = lowering.symbolic.problem.and([guard, member.condition]);
                    if guard != Bool::FALSE {
                        self.bind(lowering, position, pattern, member.term.into(), guard)?;
                    }
                }
                self.width = outer;
                Ok(())
            }
            Qualifier::Generator(pattern, Over::Subsets(set)) => {
                self.subsets_of(lowering, position, pattern, set, guard)
            }
        }
    }

    fn subsets_of(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        set: &Expr,
        guard: Bool,
    ) -> Result<()> {
        let Some(set) = self.collection(lowering, set, guard)? else { return Ok(()) };
        let members = self.elements(lowering, &set);
        self.subsets(lowering, position, pattern, &members, guard)
    }

    /// The term of a generator's collection, unless it is undefined.
    fn collection(&mut self, lowering: &mut Lowering, expr: &Expr, guard: Bool) -> Result<Option<Term>> {
        if expr.category < Category::Decision {
            return match evaluate(expr, &mut lowering.environment) {
                Ok(value) => Ok(Some(Term::Value(value))),
                Err(Stop::Undefined) => {
                    self.undefined.push(guard);
                    Ok(None)
                }
                Err(Stop::Fault(fault)) => Err(fault),
            };
        }
        let partial = lowering.expression(expr)?;
        if partial.defined != Bool::TRUE {
            self.undefined.push(lowering.symbolic.problem.and([guard, !partial.defined]));
        }
        Ok((partial.defined != Bool::FALSE).then_some(partial.term))
    }

    fn elements(&self, lowering: &mut Lowering, collection: &Term) -> Vec<Member> {
        match self.ordered {
            true => lowering.symbolic.ascending_elements(collection),
            false => lowering.symbolic.elements(collection),
        }
    }

    /// Accounts for a generator with so many members; what is too large is refused with its size.
    fn enter(&mut self, lowering: &mut Lowering, size: Option<u128>) -> Result<u128> {
        let outer = self.width;
        self.width = size.and_then(|size| outer.checked_mul(size.max(1))).unwrap_or(u128::MAX);
        lowering.bindings = lowering.bindings.saturating_add(size.unwrap_or(u128::MAX));
        let total = self.width.max(lowering.bindings);
        if total > INSTANCE_LIMIT {
            let size = if total == u128::MAX { "infinitely many".to_string() } else { total.to_string() };
            return Err(Box::new(
                Diagnostic::error(Code::TOO_LARGE, format!("this would be instantiated {size} times"))
                    .at(self.span, format!("more than the limit of {INSTANCE_LIMIT}"))
                    .help("quantify over smaller domains, or over the collection that holds what matters"),
            ));
        }
        Ok(outer)
    }

    /// Binds a pattern to a value in every way in which it matches, and goes on with the next qualifier.
    fn bind(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        value: Partial,
        guard: Bool,
    ) -> Result<()> {
        lowering.matches(pattern, value, guard, &mut |lowering, guard| self.from(lowering, position + 1, guard))
    }

    /// The subsets of the members: for a set pattern those of its size, else all.
    fn subsets(
        &mut self,
        lowering: &mut Lowering,
        position: usize,
        pattern: &Pattern,
        members: &[Member],
        guard: Bool,
    ) -> Result<()> {
        if let Pattern::Set(patterns) = pattern {
            return lowering.match_members(patterns, members, false, Vec::new(), guard, &mut |lowering, guard| {
                self.from(lowering, position + 1, guard)
            });
        }
        let size = 1u128.checked_shl(members.len() as u32);
        let outer = self.enter(lowering, size)?;
        // In the order of the values: {}, {1}, {1, 2}, {2}.
        let mut chosen: Vec<usize> = Vec::new();
        loop {
            let subset = || chosen.iter().map(|position| &members[*position]);
            let conditions: Vec<Bool> = subset().map(|member| member.condition).chain([guard]).collect();
            let guard = lowering.symbolic.problem.and(conditions);
            if guard != Bool::FALSE {
                let subset = subset().map(|member| Member::always(member.term.clone())).collect();
                let subset = lowering.symbolic.collection(Collection::Set, subset, true);
                self.bind(lowering, position, pattern, subset.into(), guard)?;
            }
            let next = chosen.last().map_or(0, |last| last + 1);
            if next < members.len() {
                chosen.push(next);
                continue;
            }
            chosen.pop();
            match chosen.last_mut() {
                Some(last) => *last += 1,
                None => break,
            }
        }
        self.width = outer;
        Ok(())
    }
}
