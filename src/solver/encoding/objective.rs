//! What the objective is asked to be: a bound of a term as a literal.
//!
//! With a sum, the literal also implies what the bound together with the linear constraints leaves of the terms
//! ([`Relaxation`]). Terms that are fixed in this way fall out of the sum; if most are, the constraints are said again
//! without them, and are small enough then to be encoded in a way that propagates well.

use super::*;

impl<S: Sink> Encoder<'_, S> {
    /// A literal that implies that a term of the problem is at least (or at most) a value.
    pub fn bounded(&mut self, term: Int, at_least: bool, value: i64) -> Literal {
        let problem = self.problem;
        let bound = self.new_variable();
        match problem.int_node(term) {
            IntNode::Linear(terms, constant) if terms.len() > 1 && !self.has_order(Term::of(term)) => {
                let relaxation = self.relaxation(term, at_least);
                let value = i128::from(value) - i128::from(*constant);
                let (sign, value) = if at_least { (-1, -value) } else { (1, value) };
                self.sum_bounded(bound, terms, sign, value, relaxation.as_deref());
            }
            _ => {
                let term = Term::of(term);
                let literal = if at_least { !self.at_most(term, value - 1) } else { self.at_most(term, value) };
                self.clause([!bound, literal]);
            }
        }
        self.work();
        bound
    }

    /// The largest (or the smallest) value of a sum that the linear constraints allow.
    pub fn limit(&mut self, term: Int, largest: bool) -> Option<i64> {
        let IntNode::Linear(_, constant) = self.problem.int_node(term) else { return None };
        let most = self.relaxation(term, largest)?.most();
        i64::try_from(i128::from(*constant) + if largest { most } else { -most }).ok()
    }

    /// Whether a bound of a sum fixes most terms by the linear constraints.
    pub fn settles(&mut self, term: Int, at_least: bool, value: i64) -> bool {
        let IntNode::Linear(_, constant) = self.problem.int_node(term) else { return false };
        let least = i128::from(value) - i128::from(*constant);
        let relaxation = self.relaxation(term, at_least);
        relaxation.is_some_and(|relaxation| relaxation.settles(if at_least { least } else { -least }))
    }

    fn relaxation(&mut self, term: Int, at_least: bool) -> Option<Rc<Relaxation>> {
        if let Some(known) = self.relaxations.get(&(term, at_least)) {
            return known.clone();
        }
        let relaxation = match self.problem.int_node(term) {
            IntNode::Linear(terms, _) if !self.sink.proves() => {
                let sign = if at_least { 1 } else { -1 };
                let terms: Vec<(i64, Int)> = terms.iter().map(|(factor, term)| (sign * factor, *term)).collect();
                Relaxation::new(self.problem, &terms).map(Rc::new)
            }
            _ => None,
        };
        self.relaxations.insert((term, at_least), relaxation.clone());
        relaxation
    }

    /// `condition → sign · Σ <= bound`
    fn sum_bounded(
        &mut self,
        condition: Literal,
        terms: &[(i64, Int)],
        sign: i64,
        bound: i128,
        relaxation: Option<&Relaxation>,
    ) {
        let Some(relaxation) = relaxation else { return self.linear_at_most(condition, terms, sign, bound) };
        let Some(narrowed) = relaxation.narrowed(-bound) else { return self.clause([!condition]) };
        let mut fixed: FxHashMap<Int, i64> = FxHashMap::default();
        for (term, low, high) in narrowed {
            let (below, at_most) = (self.at_most(Term::of(term), low - 1), self.at_most(Term::of(term), high));
            self.clause([!condition, !below]);
            self.clause([!condition, at_most]);
            if low == high {
                fixed.insert(term, low);
            }
        }
        self.without_fixed(condition, terms, sign, bound, &fixed);
        if relaxation.settles(-bound) {
            for (terms, bound) in &relaxation.rows {
                self.without_fixed(condition, terms, 1, i128::from(*bound), &fixed);
            }
        }
    }

    /// `condition → sign · Σ <= bound`, where the condition implies the values of some terms.
    fn without_fixed(
        &mut self,
        condition: Literal,
        terms: &[(i64, Int)],
        sign: i64,
        mut bound: i128,
        fixed: &FxHashMap<Int, i64>,
    ) {
        let mut free = Vec::with_capacity(terms.len());
        for (factor, term) in terms {
            match fixed.get(term) {
                Some(value) => bound -= i128::from(sign) * i128::from(*factor) * i128::from(*value),
                None => free.push((*factor, *term)),
            }
        }
        self.linear_at_most(condition, &free, sign, bound);
    }
}
