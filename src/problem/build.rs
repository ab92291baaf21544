//! Building terms: every method folds constants, brings operands into normal form and shares equal nodes.

use super::*;

/// Integers are computed with between −LARGEST and LARGEST.
pub const LARGEST: i64 = (1 << 62) - 1;

/// The most terms of a problem: some gigabytes.
pub const MOST_TERMS: usize = 20_000_000;

/// Value sets of compound terms are exact up to this many combinations of their operands' values.
const EXACT: u128 = 1_000;

impl Default for Problem {
    fn default() -> Self {
        Problem::new()
    }
}

impl Problem {
    pub fn new() -> Self {
        Problem {
            bools: vec![BoolNode::True],
            ints: Vec::new(),
            bool_index: FxHashMap::default(),
            int_index: FxHashMap::default(),
            constraints: Vec::new(),
            decisions: Vec::new(),
            objective: None,
            overflow: false,
            full: false,
        }
    }

    fn intern_bool(&mut self, node: BoolNode) -> Bool {
        if let Some(id) = self.bool_index.get(&node) {
            return id.positive();
        }
        if self.is_full() {
            return Bool::FALSE;
        }
        let id = BoolId(self.bools.len() as u32);
        self.bools.push(node.clone());
        self.bool_index.insert(node, id);
        id.positive()
    }

    fn intern_int(&mut self, node: IntNode, values: IntSet) -> Int {
        if let Some(term) = self.int_index.get(&node) {
            return *term;
        }
        if self.is_full() && !self.ints.is_empty() {
            return Int(0);
        }
        let values = self.checked(values);
        let term = Int(self.ints.len() as u32);
        self.ints.push(IntEntry { node: node.clone(), values });
        self.int_index.insert(node, term);
        term
    }

    /// Notes that no further term fits; what is returned instead means nothing, and the problem must not be solved.
    fn is_full(&mut self) -> bool {
        self.full |= self.bools.len() + self.ints.len() >= MOST_TERMS;
        self.full
    }

    /// Notes values beyond the range of checked integers, and leaves them out.
    fn checked(&mut self, values: IntSet) -> IntSet {
        let range = IntSet::range(-LARGEST, LARGEST);
        if values.is_subset(&range) {
            return values;
        }
        self.overflow = true;
        let inside = values.intersect(&range);
        if inside.is_empty() { IntSet::single(0) } else { inside }
    }

    /// A range of values computed without overflow.
    fn hull(&mut self, low: i128, high: i128) -> IntSet {
        let limit = i128::from(LARGEST);
        if low < -limit || high > limit {
            self.overflow = true;
        }
        IntSet::range(low.clamp(-limit, limit) as i64, high.clamp(-limit, limit) as i64)
    }

    // Variables.

    /// A Boolean variable; with `decision`, it tells solutions apart.
    pub fn new_bool(&mut self, decision: bool) -> Bool {
        if self.is_full() {
            return Bool::FALSE;
        }
        let term = BoolId(self.bools.len() as u32).positive();
        self.bools.push(BoolNode::Variable);
        if decision {
            self.decisions.push(Variable::Bool(term));
        }
        term
    }

    /// A variable with these values. With one value it is that constant; with none, the problem becomes
    /// unsatisfiable and some constant is returned.
    pub fn new_int(&mut self, values: IntSet, decision: bool) -> Int {
        match (IntSet::min(&values), IntSet::max(&values)) {
            (Some(low), Some(high)) if low == high => self.constant(low),
            (Some(low), Some(_)) if self.is_full() => self.constant(low),
            (Some(_), Some(_)) => {
                let values = self.checked(values);
                let term = Int(self.ints.len() as u32);
                self.ints.push(IntEntry { node: IntNode::Variable, values });
                if decision {
                    self.decisions.push(Variable::Int(term));
                }
                term
            }
            _ => {
                self.require(Bool::FALSE);
                self.constant(0)
            }
        }
    }

    // Booleans.

    pub fn and(&mut self, operands: impl IntoIterator<Item = Bool>) -> Bool {
        let mut kept: Vec<Bool> = Vec::new();
        for operand in operands {
            match operand {
                Bool::TRUE => {}
                Bool::FALSE => return Bool::FALSE,
                operand => kept.push(operand),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        // A term and its negation stand side by side.
        if kept.windows(2).any(|two| two[0] == !two[1]) {
            return Bool::FALSE;
        }
        match kept.as_slice() {
            [] => Bool::TRUE,
            [single] => *single,
            _ => self.intern_bool(BoolNode::And(kept.into())),
        }
    }

    pub fn or(&mut self, operands: impl IntoIterator<Item = Bool>) -> Bool {
        !self.and(operands.into_iter().map(|operand| !operand))
    }

    pub fn implies(&mut self, condition: Bool, consequence: Bool) -> Bool {
        !self.and([condition, !consequence])
    }

    pub fn equivalent(&mut self, left: Bool, right: Bool) -> Bool {
        match (left.constant(), right.constant()) {
            (Some(true), _) => return right,
            (Some(false), _) => return !right,
            (_, Some(true)) => return left,
            (_, Some(false)) => return !left,
            _ => {}
        }
        let ((left, left_negated), (right, right_negated)) = (left.node(), right.node());
        if left == right {
            return Bool::from(left_negated == right_negated);
        }
        let (first, second) = (left.min(right).positive(), left.max(right).positive());
        let same = self.intern_bool(BoolNode::Equivalent(first, second));
        if left_negated == right_negated { same } else { !same }
    }

    /// `condition ? yes : no`
    pub fn choose_bool(&mut self, condition: Bool, yes: Bool, no: Bool) -> Bool {
        let first = self.implies(condition, yes);
        let second = self.implies(!condition, no);
        self.and([first, second])
    }

    // Comparisons.

    pub fn equals_constant(&mut self, term: Int, value: i64) -> Bool {
        if !self.values(term).contains(value) {
            return Bool::FALSE;
        }
        if self.int_constant(term).is_some() {
            return Bool::TRUE;
        }
        match &self.ints[term.index()].node {
            IntNode::FromBool(operand) => {
                if value == 1 {
                    *operand
                } else {
                    !*operand
                }
            }
            IntNode::Linear(terms, constant) => {
                let (terms, constant) = (terms.to_vec(), *constant);
                self.linear_equals(terms, i128::from(value) - i128::from(constant))
            }
            IntNode::Choice(alternatives)
                if alternatives.iter().all(|(_, term)| self.int_constant(*term).is_some()) =>
            {
                let alternatives = alternatives.to_vec();
                let mut cases = Vec::new();
                let mut earlier = Vec::new();
                for (condition, alternative) in alternatives {
                    if self.int_constant(alternative) == Some(value) {
                        cases.push(self.and(earlier.iter().copied().chain([condition])));
                    }
                    earlier.push(!condition);
                }
                self.or(cases)
            }
            _ => self.intern_bool(BoolNode::Equals(term, value)),
        }
    }

    pub fn at_most_constant(&mut self, term: Int, value: i64) -> Bool {
        let (low, high) = self.bounds(term);
        if high <= value {
            return Bool::TRUE;
        }
        if low > value {
            return Bool::FALSE;
        }
        match &self.ints[term.index()].node {
            IntNode::FromBool(operand) => !*operand,
            IntNode::Linear(terms, constant) => {
                let (terms, constant) = (terms.to_vec(), *constant);
                self.linear_at_most(terms, i128::from(value) - i128::from(constant))
            }
            _ => {
                // The largest value below the bound, so that equal meanings are equal nodes.
                let below = self.values(term).intersect(&IntSet::range(low, value));
                let value = IntSet::max(&below).unwrap_or(value);
                self.intern_bool(BoolNode::AtMost(term, value))
            }
        }
    }

    /// The term's value is in the set.
    pub fn member(&mut self, term: Int, set: &IntSet) -> Bool {
        let inside = self.values(term).intersect(set);
        if inside == *self.values(term) {
            return Bool::TRUE;
        }
        let mut cases = Vec::new();
        for &(low, high) in inside.ranges() {
            let case = if low == high {
                self.equals_constant(term, low)
            } else {
                let (above, below) = (!self.at_most_constant(term, low - 1), self.at_most_constant(term, high));
                self.and([above, below])
            };
            cases.push(case);
        }
        self.or(cases)
    }

    pub fn equal(&mut self, left: Int, right: Int) -> Bool {
        if left == right {
            return Bool::TRUE;
        }
        if let Some(value) = self.int_constant(left) {
            return self.equals_constant(right, value);
        }
        if let Some(value) = self.int_constant(right) {
            return self.equals_constant(left, value);
        }
        if self.values(left).intersect(self.values(right)).is_empty() {
            return Bool::FALSE;
        }
        match (&self.ints[left.index()].node, &self.ints[right.index()].node) {
            (IntNode::FromBool(left), IntNode::FromBool(right)) => {
                let (left, right) = (*left, *right);
                self.equivalent(left, right)
            }
            (IntNode::Linear(..), _) | (_, IntNode::Linear(..)) => {
                let (terms, constant) = self.collect_terms([(1, left), (-1, right)], 0);
                self.linear_equals(terms, -constant)
            }
            _ => self.intern_bool(BoolNode::Same(left.min(right), left.max(right))),
        }
    }

    pub fn at_most(&mut self, left: Int, right: Int) -> Bool {
        self.difference_at_most(left, right, 0)
    }

    pub fn less(&mut self, left: Int, right: Int) -> Bool {
        self.difference_at_most(left, right, -1)
    }

    fn difference_at_most(&mut self, left: Int, right: Int, bound: i128) -> Bool {
        let (terms, constant) = self.collect_terms([(1, left), (-1, right)], 0);
        self.linear_at_most(terms, bound - constant)
    }

    /// `Σ <= bound` of merged terms.
    fn linear_at_most(&mut self, mut terms: Vec<(i64, Int)>, mut bound: i128) -> Bool {
        let (low, high) = self.linear_bounds(&terms);
        if high <= bound {
            return Bool::TRUE;
        }
        if low > bound {
            return Bool::FALSE;
        }
        let divisor = i128::from(common_divisor(&terms));
        terms.iter_mut().for_each(|term| term.0 /= divisor as i64);
        bound = bound.div_euclid(divisor);
        // The first coefficient is positive, so that a constraint and its negation share a node.
        if terms[0].0 < 0 {
            terms.iter_mut().for_each(|term| term.0 = -term.0);
            return !self.normal_at_most(terms, -bound - 1);
        }
        self.normal_at_most(terms, bound)
    }

    fn normal_at_most(&mut self, terms: Vec<(i64, Int)>, bound: i128) -> Bool {
        let Ok(bound) = i64::try_from(bound) else {
            self.overflow = true;
            return Bool::FALSE;
        };
        match terms.as_slice() {
            [(1, term)] => self.at_most_constant(*term, bound),
            _ => self.intern_bool(BoolNode::LinearAtMost(terms.into(), bound)),
        }
    }

    /// `Σ = bound` of merged terms.
    fn linear_equals(&mut self, mut terms: Vec<(i64, Int)>, bound: i128) -> Bool {
        let (low, high) = self.linear_bounds(&terms);
        if bound < low || bound > high {
            return Bool::FALSE;
        }
        if terms.is_empty() {
            return Bool::from(bound == 0);
        }
        let mut divisor = common_divisor(&terms);
        if bound % i128::from(divisor) != 0 {
            return Bool::FALSE;
        }
        if terms[0].0 < 0 {
            divisor = -divisor;
        }
        terms.iter_mut().for_each(|term| term.0 /= divisor);
        let Ok(bound) = i64::try_from(bound / i128::from(divisor)) else {
            self.overflow = true;
            return Bool::FALSE;
        };
        match (terms.as_slice(), bound) {
            ([(1, term)], _) => self.equals_constant(*term, bound),
            ([(1, left), (-1, right)], 0) => self.equal(*left, *right),
            _ => self.intern_bool(BoolNode::LinearEquals(terms.into(), bound)),
        }
    }

    pub fn all_different(&mut self, terms: impl IntoIterator<Item = Int>) -> Bool {
        let mut terms: Vec<Int> = terms.into_iter().collect();
        terms.sort_unstable();
        if terms.windows(2).any(|two| two[0] == two[1]) {
            return Bool::FALSE;
        }
        let (constants, terms): (Vec<Int>, Vec<Int>) =
            terms.into_iter().partition(|term| self.int_constant(*term).is_some());
        // More terms than values there are for them.
        let most = terms.len() as u128;
        if most > 0 {
            let all = terms.iter().map(|term| self.values(*term).clone()).collect::<Vec<_>>();
            let union = IntSet::from_ranges(all.iter().flat_map(|values| values.ranges().iter().copied()));
            if union.size().is_some_and(|size| size < most) {
                return Bool::FALSE;
            }
        }
        let mut parts = Vec::new();
        for constant in constants {
            for term in &terms {
                parts.push(!self.equal(*term, constant));
            }
        }
        match terms.as_slice() {
            [] | [_] => {}
            [left, right] => parts.push(!self.equal(*left, *right)),
            _ => parts.push(self.intern_bool(BoolNode::AllDifferent(terms.into()))),
        }
        self.and(parts)
    }

    /// The terms, as a tuple, are one of the rows.
    pub fn table(&mut self, terms: &[Int], rows: Vec<Vec<i64>>) -> Bool {
        let possible = |row: &Vec<i64>| terms.iter().zip(row).all(|(term, value)| self.values(*term).contains(*value));
        let free: Vec<usize> = (0..terms.len()).filter(|column| self.int_constant(terms[*column]).is_none()).collect();
        let mut rows: Vec<Box<[i64]>> = rows
            .iter()
            .filter(|row| row.len() == terms.len() && possible(row))
            .map(|row| free.iter().map(|column| row[*column]).collect())
            .collect();
        rows.sort_unstable();
        rows.dedup();
        if rows.is_empty() {
            return Bool::FALSE;
        }
        match free.as_slice() {
            [] => Bool::TRUE,
            [column] => self.member(terms[*column], &IntSet::from_values(rows.iter().map(|row| row[0]))),
            _ => {
                let terms = free.iter().map(|column| terms[*column]).collect();
                self.intern_bool(BoolNode::Table(terms, rows.into()))
            }
        }
    }

    // Integers.

    pub fn constant(&mut self, value: i64) -> Int {
        self.intern_int(IntNode::Constant(value), IntSet::single(value))
    }

    pub fn from_bool(&mut self, term: Bool) -> Int {
        match (term.constant(), term.node()) {
            (Some(value), _) => self.constant(i64::from(value)),
            (None, (id, false)) => self.intern_int(IntNode::FromBool(id.positive()), IntSet::range(0, 1)),
            // 1 − x, so that sums of a term and its negation cancel.
            (None, (id, true)) => {
                let positive = self.from_bool(id.positive());
                self.linear([(-1, positive)], 1)
            }
        }
    }

    /// `Σ coefficient · term + constant`
    pub fn linear(&mut self, terms: impl IntoIterator<Item = (i64, Int)>, constant: i64) -> Int {
        let (terms, constant) = self.collect_terms(terms, i128::from(constant));
        let Ok(constant) = i64::try_from(constant) else {
            self.overflow = true;
            return self.constant(0);
        };
        match (terms.as_slice(), constant) {
            ([], _) => return self.constant(constant),
            ([(1, term)], 0) => return *term,
            _ => {}
        }
        let combinations = terms.iter().try_fold(1u128, |product, (_, term)| {
            product.checked_mul(self.values(*term).size()?).filter(|product| *product <= EXACT)
        });
        let values = match combinations {
            Some(_) => {
                let mut sums = vec![i128::from(constant)];
                for (coefficient, term) in &terms {
                    let values = self.values(*term);
                    sums = sums
                        .iter()
                        .flat_map(|sum| {
                            values.iter().map(move |value| sum + i128::from(*coefficient) * i128::from(value))
                        })
                        .collect();
                    sums.sort_unstable();
                    sums.dedup();
                }
                self.exact(sums)
            }
            None => {
                let (low, high) = self.linear_bounds(&terms);
                self.hull(low + i128::from(constant), high + i128::from(constant))
            }
        };
        self.intern_int(IntNode::Linear(terms.into(), constant), values)
    }

    /// Opens nested sums and merges equal terms.
    fn collect_terms(
        &self,
        terms: impl IntoIterator<Item = (i64, Int)>,
        mut constant: i128,
    ) -> (Vec<(i64, Int)>, i128) {
        let mut collected: Vec<(i128, Int)> = Vec::new();
        for (coefficient, term) in terms {
            let coefficient = i128::from(coefficient);
            match &self.ints[term.index()].node {
                IntNode::Constant(value) => constant += coefficient * i128::from(*value),
                IntNode::Linear(inner, offset) => {
                    constant += coefficient * i128::from(*offset);
                    collected.extend(inner.iter().map(|(inner, term)| (coefficient * i128::from(*inner), *term)));
                }
                _ => collected.push((coefficient, term)),
            }
        }
        collected.sort_unstable_by_key(|(_, term)| *term);
        let mut merged: Vec<(i128, Int)> = Vec::with_capacity(collected.len());
        for (coefficient, term) in collected {
            match merged.last_mut() {
                Some(last) if last.1 == term => last.0 += coefficient,
                _ => merged.push((coefficient, term)),
            }
        }
        merged.retain(|(coefficient, _)| *coefficient != 0);
        let limit = i128::from(i64::MAX);
        (
            merged.into_iter().map(|(coefficient, term)| (coefficient.clamp(-limit, limit) as i64, term)).collect(),
            constant,
        )
    }

    fn linear_bounds(&self, terms: &[(i64, Int)]) -> (i128, i128) {
        let (mut low, mut high) = (0i128, 0i128);
        for (coefficient, term) in terms {
            let (least, most) = self.bounds(*term);
            let ends = [i128::from(*coefficient) * i128::from(least), i128::from(*coefficient) * i128::from(most)];
            low = low.saturating_add(ends[0].min(ends[1]));
            high = high.saturating_add(ends[0].max(ends[1]));
        }
        (low, high)
    }

    pub fn add(&mut self, left: Int, right: Int) -> Int {
        self.linear([(1, left), (1, right)], 0)
    }

    pub fn subtract(&mut self, left: Int, right: Int) -> Int {
        self.linear([(1, left), (-1, right)], 0)
    }

    pub fn negate(&mut self, term: Int) -> Int {
        self.linear([(-1, term)], 0)
    }

    pub fn multiply(&mut self, left: Int, right: Int) -> Int {
        for (one, other) in [(left, right), (right, left)] {
            if let Some(factor) = self.int_constant(one) {
                return self.linear([(factor, other)], 0);
            }
            if let IntNode::FromBool(condition) = self.ints[one.index()].node {
                let zero = self.constant(0);
                return self.choice([(condition, other), (Bool::TRUE, zero)]);
            }
        }
        let (left, right) = (left.min(right), left.max(right));
        let values = self.combine(
            left,
            right,
            |a, b| Some(a * b),
            |problem| {
                let ((a, b), (c, d)) = (problem.wide_bounds(left), problem.wide_bounds(right));
                let ends = [a * c, a * d, b * c, b * d];
                let low = if left == right && a <= 0 && b >= 0 { 0 } else { least(&ends) };
                (low, most(&ends))
            },
        );
        self.intern_int(IntNode::Product(left, right), values)
    }

    /// Rounded down; 0 if the divisor is 0.
    pub fn quotient(&mut self, left: Int, right: Int) -> Int {
        if let (Some(left), Some(right)) = (self.int_constant(left), self.int_constant(right)) {
            return self.constant(floor_quotient(left.into(), right.into()) as i64);
        }
        if self.int_constant(right) == Some(1) {
            return left;
        }
        let values = self.combine(
            left,
            right,
            |a, b| Some(floor_quotient(a, b)),
            |problem| {
                let (a, b) = problem.wide_bounds(left);
                let largest = a.abs().max(b.abs());
                let (c, d) = problem.wide_bounds(right);
                // Negative results need operands of different signs.
                let low = if a < 0 && d > 0 || b > 0 && c < 0 { -largest } else { 0 };
                let high = if b > 0 && d > 0 || a < 0 && c < 0 { largest } else { 0 };
                (low, high)
            },
        );
        self.intern_int(IntNode::Quotient(left, right), values)
    }

    /// With the sign of the divisor; 0 if the divisor is 0.
    pub fn remainder(&mut self, left: Int, right: Int) -> Int {
        if let (Some(left), Some(right)) = (self.int_constant(left), self.int_constant(right)) {
            return self.constant(floor_remainder(left.into(), right.into()) as i64);
        }
        let values = self.combine(
            left,
            right,
            |a, b| Some(floor_remainder(a, b)),
            |problem| {
                let (c, d) = problem.wide_bounds(right);
                ((c + 1).min(0), (d - 1).max(0))
            },
        );
        self.intern_int(IntNode::Remainder(left, right), values)
    }

    /// 0 if the exponent is negative.
    pub fn power(&mut self, base: Int, exponent: Int) -> Int {
        match self.int_constant(exponent) {
            Some(0) => return self.constant(1),
            Some(1) => return base,
            _ => {}
        }
        let values = self.combine(base, exponent, power, |problem| {
            let ((a, b), (_, d)) = (problem.wide_bounds(base), problem.wide_bounds(exponent));
            let largest = power(a.abs().max(b.abs()), d.max(0)).unwrap_or(i128::MAX);
            (if a < 0 { -largest } else { 0 }, largest.max(1))
        });
        if let (Some(_), Some(_)) = (self.int_constant(base), self.int_constant(exponent)) {
            let value = IntSet::min(&values).unwrap_or(0);
            return self.constant(value);
        }
        self.intern_int(IntNode::Power(base, exponent), values)
    }

    pub fn absolute(&mut self, term: Int) -> Int {
        let (low, high) = self.bounds(term);
        if low >= 0 {
            return term;
        }
        if high <= 0 {
            return self.negate(term);
        }
        let values = self.values(term).ranges().iter().flat_map(|&(low, high)| {
            if low >= 0 {
                vec![(low, high)]
            } else if high <= 0 {
                vec![(-high, -low)]
            } else {
                vec![(0, high.max(-low))]
            }
        });
        let values = IntSet::from_ranges(values);
        self.intern_int(IntNode::Absolute(term), values)
    }

    /// Of at least one term.
    pub fn minimum(&mut self, terms: impl IntoIterator<Item = Int>) -> Int {
        self.extreme(terms.into_iter().collect(), false)
    }

    /// Of at least one term.
    pub fn maximum(&mut self, terms: impl IntoIterator<Item = Int>) -> Int {
        self.extreme(terms.into_iter().collect(), true)
    }

    fn extreme(&mut self, mut terms: Vec<Int>, largest: bool) -> Int {
        terms.sort_unstable();
        terms.dedup();
        // A bound that some term reaches for sure makes the terms beyond it superfluous.
        let bounds = |problem: &Problem, term: Int| {
            let (low, high) = problem.bounds(term);
            if largest { (low, high) } else { (-high, -low) }
        };
        let sure = terms.iter().map(|term| bounds(self, *term).0).max().unwrap_or(0);
        let mut constant = None;
        terms.retain(|term| {
            let (low, high) = bounds(self, *term);
            if low == high && low == sure {
                constant = Some(*term);
                return false;
            }
            high > sure || (high == sure && low < high)
        });
        terms.extend(constant);
        terms.sort_unstable();
        if let [single] = terms.as_slice() {
            return *single;
        }
        let kept = if largest { IntSet::range(sure, IntSet::HIGHEST) } else { IntSet::range(IntSet::LOWEST, -sure) };
        let ranges = terms.iter().flat_map(|term| self.values(*term).ranges().to_vec()).collect::<Vec<_>>();
        let values = IntSet::from_ranges(ranges).intersect(&kept);
        let node = if largest { IntNode::Maximum(terms.into()) } else { IntNode::Minimum(terms.into()) };
        self.intern_int(node, values)
    }

    /// The value of the first alternative whose condition holds. If none holds, any of the values: the
    /// caller sees to it that one does, or that it does not matter. At least one alternative.
    pub fn choice(&mut self, alternatives: impl IntoIterator<Item = (Bool, Int)>) -> Int {
        let mut kept: Vec<(Bool, Int)> = Vec::new();
        for (condition, term) in alternatives {
            if condition == Bool::FALSE && !kept.is_empty() {
                continue;
            }
            match kept.last() {
                Some(&(before, last)) if last == term => {
                    let either = self.or([before, condition]);
                    kept.pop();
                    kept.push((either, term));
                }
                Some(&(Bool::FALSE, _)) => {
                    kept.pop();
                    kept.push((condition, term));
                }
                _ => kept.push((condition, term)),
            }
            if kept.last().is_some_and(|(condition, _)| *condition == Bool::TRUE) {
                break;
            }
        }
        let Some(last) = kept.last_mut() else { return self.constant(0) };
        last.0 = Bool::TRUE;
        match kept.as_slice() {
            [(_, term)] => return *term,
            [(condition, yes), (_, no)] => {
                if let (Some(yes), Some(no)) = (self.int_constant(*yes), self.int_constant(*no)) {
                    let condition = self.from_bool(*condition);
                    return self.linear([(yes - no, condition)], no);
                }
            }
            _ => {}
        }
        let ranges = kept.iter().flat_map(|(_, term)| self.values(*term).ranges().to_vec()).collect::<Vec<_>>();
        let values = IntSet::from_ranges(ranges);
        self.intern_int(IntNode::Choice(kept.into()), values)
    }

    /// How many of the terms hold.
    pub fn count(&mut self, terms: impl IntoIterator<Item = Bool>) -> Int {
        let terms: Vec<(i64, Int)> = terms.into_iter().map(|term| (1, self.from_bool(term))).collect();
        self.linear(terms, 0)
    }

    // Values.

    /// The values of a function of two terms: exact if there are few combinations, else a range.
    fn combine(
        &mut self,
        left: Int,
        right: Int,
        function: impl Fn(i128, i128) -> Option<i128>,
        bounds: impl Fn(&Problem) -> (i128, i128),
    ) -> IntSet {
        let sizes = (self.values(left).size(), self.values(right).size());
        if let (Some(one), Some(other)) = sizes
            && one.saturating_mul(other) <= EXACT
        {
            let mut results = Vec::new();
            for a in self.values(left).iter() {
                for b in self.values(right).iter() {
                    if left == right && a != b {
                        continue;
                    }
                    results.push(function(i128::from(a), i128::from(b)).unwrap_or(i128::MAX));
                }
            }
            return self.exact(results);
        }
        let (low, high) = bounds(self);
        self.hull(low, high)
    }

    fn exact(&mut self, values: Vec<i128>) -> IntSet {
        let limit = i128::from(LARGEST);
        if values.iter().any(|value| value.abs() > limit) {
            self.overflow = true;
        }
        IntSet::from_values(values.into_iter().map(|value| value.clamp(-limit, limit) as i64))
    }

    /// The smallest and the largest value.
    pub fn bounds(&self, term: Int) -> (i64, i64) {
        let values = self.values(term);
        (values.min().unwrap_or(0), values.max().unwrap_or(0))
    }

    fn wide_bounds(&self, term: Int) -> (i128, i128) {
        let (low, high) = self.bounds(term);
        (i128::from(low), i128::from(high))
    }

    // The whole.

    pub fn require(&mut self, constraint: Bool) {
        if constraint == Bool::TRUE {
            return;
        }
        if let ((id, false), Some(BoolNode::And(parts))) =
            (constraint.node(), self.bools.get(constraint.node().0.0 as usize))
            && id != BoolId(0)
        {
            let parts = parts.to_vec();
            parts.into_iter().for_each(|part| self.require(part));
            return;
        }
        self.constraints.push(constraint);
    }

    pub fn set_objective(&mut self, maximising: bool, value: Int) {
        self.objective = Some((maximising, value));
    }

    // Looking at it.

    pub fn bool_node(&self, id: BoolId) -> &BoolNode {
        &self.bools[id.0 as usize]
    }

    pub fn int_node(&self, term: Int) -> &IntNode {
        &self.ints[term.index()].node
    }

    /// The values that the term can take: never empty, exact for variables, else a superset.
    pub fn values(&self, term: Int) -> &IntSet {
        &self.ints[term.index()].values
    }

    pub fn int_constant(&self, term: Int) -> Option<i64> {
        match self.ints[term.index()].node {
            IntNode::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub fn constraints(&self) -> &[Bool] {
        &self.constraints
    }

    pub fn decisions(&self) -> &[Variable] {
        &self.decisions
    }

    /// Whether it is maximised, and what.
    pub fn objective(&self) -> Option<(bool, Int)> {
        self.objective
    }

    /// Whether a term built since the last call can leave the range ±(2^62 − 1).
    pub fn take_overflow(&mut self) -> bool {
        std::mem::take(&mut self.overflow)
    }

    /// The integer term with this index.
    pub fn int(&self, index: usize) -> Int {
        Int(index as u32)
    }

    /// Whether more terms were asked for than fit into memory.
    pub fn exhausted(&self) -> bool {
        self.full
    }

    pub fn bool_count(&self) -> usize {
        self.bools.len()
    }

    pub fn int_count(&self) -> usize {
        self.ints.len()
    }

    /// All integer terms.
    pub fn ints(&self) -> impl Iterator<Item = Int> + use<> {
        (0..self.ints.len() as u32).map(Int)
    }
}

fn least(values: &[i128]) -> i128 {
    values.iter().copied().min().unwrap_or(0)
}

fn most(values: &[i128]) -> i128 {
    values.iter().copied().max().unwrap_or(0)
}

/// The greatest common divisor of the coefficients; positive.
fn common_divisor(terms: &[(i64, Int)]) -> i64 {
    let divisor = terms.iter().fold(0u64, |divisor, (coefficient, _)| {
        let (mut a, mut b) = (divisor, coefficient.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    i64::try_from(divisor.max(1)).unwrap_or(1)
}

/// Rounded down; 0 if the divisor is 0.
pub fn floor_quotient(left: i128, right: i128) -> i128 {
    if right == 0 {
        return 0;
    }
    let quotient = left / right;
    if left % right != 0 && (left < 0) != (right < 0) { quotient - 1 } else { quotient }
}

/// With the sign of the divisor; 0 if the divisor is 0.
pub fn floor_remainder(left: i128, right: i128) -> i128 {
    if right == 0 { 0 } else { left - right * floor_quotient(left, right) }
}

/// 0 if the exponent is negative; `None` if the result is too large.
pub fn power(base: i128, exponent: i128) -> Option<i128> {
    match (base, exponent) {
        (_, ..0) => Some(0),
        (_, 0) | (1, _) => Some(1),
        (0, _) => Some(0),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}
