//! FlatZinc, restricted to the constraints that every solver supports: each term of the problem is a variable, which
//! constraints define.

use super::term_name;
use crate::{
    IntSet, Sense, memory,
    problem::{Bool, BoolId, BoolNode, Extreme, Global, Int, IntNode, Linear, Operation, Problem, Variable},
    solver::encoding::Refused,
};
use rustc_hash::FxHashMap;
use std::fmt::{Display, Write};

/// The maximum number of values of a domain that is written as a set; with more, constraints exclude the gaps. Chosen.
const MOST_VALUES: u128 = 1_000;

/// The maximum number of entries of an array for a power; a larger table is refused. Chosen.
const MOST_ENTRIES: u128 = 1_000_000;

/// Returns the text after the comments.
pub(super) fn flatzinc_text(problem: &Problem) -> WriteResult<String> {
    let mut writer = FlatZincWriter {
        problem,
        variables: String::new(),
        constraints: String::new(),
        bools: FxHashMap::default(),
        ints: FxHashMap::default(),
        divisions: FxHashMap::default(),
        next: 0,
    };
    for variable in problem.variables() {
        match variable {
            Variable::Bool(term) => drop(writer.positive(term.node().0)?),
            Variable::Int(term) => drop(writer.int(term)?),
        }
    }
    for constraint in problem.constraints() {
        writer.post(*constraint)?;
    }
    let solve = match problem.objective().map(|objective| (objective.sense, objective.terms.first())) {
        Some((sense, Some(term))) => {
            let word = if sense == Sense::Minimise { "minimize" } else { "maximize" };
            let values = problem.values(*term);
            // The term may be a constant, but `solve` needs a variable.
            let target = writer.new_int("objective".to_owned(), values, false);
            let term = writer.int(*term)?;
            writer.constraint("int_eq", &[&target, &term]);
            format!("solve {word} {target};\n")
        }
        _ => "solve satisfy;\n".to_owned(),
    };
    Ok(writer.variables + &writer.constraints + &solve)
}

struct FlatZincWriter<'p> {
    problem: &'p Problem,
    variables: String,
    constraints: String,
    /// The names of terms, or their constants.
    bools: FxHashMap<BoolId, String>,
    ints: FxHashMap<Int, String>,
    /// The names of quotients and remainders.
    divisions: FxHashMap<(Int, Int), (String, String)>,
    /// The number of the next auxiliary variable.
    next: u32,
}

type WriteResult<T = ()> = std::result::Result<T, Refused>;

/// The name of a Boolean variable, and false if it is negated.
type BoolAtom = (String, bool);

impl FlatZincWriter<'_> {
    fn constraint(&mut self, name: &str, arguments: &[&dyn Display]) {
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string()).collect();
        let _ = writeln!(self.constraints, "constraint {name}({});", arguments.join(", "));
    }

    fn clause(&mut self, literals: &[BoolAtom]) {
        let side =
            |wanted: bool| list(literals.iter().filter(|(_, holds)| *holds == wanted).map(|(name, _)| name.clone()));
        self.constraint("bool_clause", &[&side(true), &side(false)]);
    }

    fn name(&mut self) -> String {
        self.next += 1;
        format!("x{}", self.next)
    }

    fn new_bool(&mut self, name: String, is_shown: bool) -> String {
        let shown = if is_shown { " :: output_var" } else { "" };
        let _ = writeln!(self.variables, "var bool: {name}{shown};");
        name
    }

    /// Makes a variable with these values. A domain with many values is written as a range, so the variable must be
    /// defined by a term, or constraints must exclude the gaps.
    fn new_int(&mut self, name: String, values: &IntSet, is_shown: bool) -> String {
        let shown = if is_shown { " :: output_var" } else { "" };
        let (low, high) = (values.min().unwrap_or(0), values.max().unwrap_or(0));
        // A domain with many values would be a long text, so it is written as a range.
        let is_set = values.ranges().len() > 1 && values.size().is_some_and(|size| size <= MOST_VALUES);
        let domain = match is_set {
            true => format!("{{{}}}", values.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(",")),
            false => format!("{low}..{high}"),
        };
        let _ = writeln!(self.variables, "var {domain}: {name}{shown};");
        name
    }

    fn new_range(&mut self, low: i64, high: i64) -> String {
        let name = self.name();
        self.new_int(name, &IntSet::range(low, high), false)
    }

    /// Makes a Boolean that is true if and only if a constraint holds.
    fn reified(&mut self, constraint: &str, arguments: &[&dyn Display]) -> String {
        let name = self.name();
        let name = self.new_bool(name, false);
        let all: Vec<&dyn Display> = arguments.iter().copied().chain([&name as &dyn Display]).collect();
        self.constraint(&format!("{constraint}_reif"), &all);
        name
    }

    fn literal(&mut self, term: Bool) -> WriteResult<BoolAtom> {
        let (id, negated) = term.node();
        Ok((self.positive(id)?, !negated))
    }

    fn literals(&mut self, terms: impl IntoIterator<Item = Bool>) -> WriteResult<Vec<BoolAtom>> {
        terms.into_iter().map(|term| self.literal(term)).collect()
    }

    /// Returns the variable of a term, or `true`.
    fn positive(&mut self, id: BoolId) -> WriteResult<String> {
        if let Some(known) = self.bools.get(&id) {
            return Ok(known.clone());
        }
        let name = match self.problem.bool_node(id) {
            BoolNode::True => "true".to_owned(),
            BoolNode::Variable => self.new_bool(term_name(Variable::Bool(id.positive())), true),
            node => {
                let name = self.new_bool(term_name(Variable::Bool(id.positive())), false);
                memory::with_more_stack(|| self.define(node, &name))?;
                name
            }
        };
        self.bools.insert(id, name.clone());
        Ok(name)
    }

    /// Adds the definition of a Boolean as the value of a node.
    fn define(&mut self, node: &BoolNode, name: &str) -> WriteResult {
        match node {
            BoolNode::True | BoolNode::Variable => {}
            BoolNode::And(parts) => {
                let parts = self.literals(parts.iter().copied())?;
                self.conjunction(parts, name);
            }
            BoolNode::Equivalent(left, right) => {
                let (left, right) = (self.positive(left.node().0)?, self.positive(right.node().0)?);
                self.constraint("bool_eq_reif", &[&left, &right, &name]);
            }
            BoolNode::Equals(term, value) => {
                let term = self.int(*term)?;
                self.constraint("int_eq_reif", &[&term, value, &name]);
            }
            BoolNode::AtMost(term, value) => {
                let term = self.int(*term)?;
                self.constraint("int_le_reif", &[&term, value, &name]);
            }
            BoolNode::Same(left, right) => {
                let (left, right) = (self.int(*left)?, self.int(*right)?);
                self.constraint("int_eq_reif", &[&left, &right, &name]);
            }
            BoolNode::LinearAtMost(terms, bound) => {
                let (factors, terms) = self.sum(terms)?;
                self.constraint("int_lin_le_reif", &[&factors, &terms, bound, &name]);
            }
            BoolNode::LinearEquals(terms, bound) => {
                let (factors, terms) = self.sum(terms)?;
                self.constraint("int_lin_eq_reif", &[&factors, &terms, bound, &name]);
            }
            BoolNode::Global(Global::AllDifferent(constraint)) => {
                let terms = self.int_names(&constraint.terms)?;
                let mut different = Vec::new();
                for (left, right) in pairs(&terms) {
                    different.push((self.reified("int_eq", &[left, right]), false));
                }
                self.conjunction(different, name);
            }
            // Standard FlatZinc has no tables, so the condition states that one of the rows is equal.
            BoolNode::Global(Global::Table(constraint)) => {
                let terms = self.int_names(&constraint.terms)?;
                let mut equal: FxHashMap<(usize, i64), BoolAtom> = FxHashMap::default();
                let mut none = Vec::new();
                for row in &constraint.rows {
                    let mut parts = Vec::new();
                    for (position, value) in row.iter().enumerate() {
                        let literal = match equal.get(&(position, *value)) {
                            Some(known) => known.clone(),
                            None => (self.reified("int_eq", &[&terms[position], value]), true),
                        };
                        equal.insert((position, *value), literal.clone());
                        parts.push(literal);
                    }
                    let row = self.name();
                    let row = self.new_bool(row, false);
                    self.conjunction(parts, &row);
                    none.push((row, false));
                }
                let no_row = self.name();
                let no_row = self.new_bool(no_row, false);
                self.conjunction(none, &no_row);
                self.constraint("bool_not", &[&no_row, &name]);
            }
        }
        Ok(())
    }

    /// Adds the definition of a Boolean as a conjunction of literals.
    fn conjunction(&mut self, parts: Vec<BoolAtom>, name: &str) {
        if parts.iter().all(|(_, holds)| *holds) {
            let parts = list(parts.into_iter().map(|(name, _)| name));
            self.constraint("array_bool_and", &[&parts, &name]);
            return;
        }
        for (part, holds) in &parts {
            self.clause(&[(part.clone(), *holds), (name.to_owned(), false)]);
        }
        let mut all: Vec<BoolAtom> = parts.into_iter().map(|(part, holds)| (part, !holds)).collect();
        all.push((name.to_owned(), true));
        self.clause(&all);
    }

    /// Requires a term.
    fn post(&mut self, term: Bool) -> WriteResult {
        let (id, negated) = term.node();
        match (self.problem.bool_node(id), negated) {
            (BoolNode::And(parts), false) => {
                parts.iter().try_for_each(|part| memory::with_more_stack(|| self.post(*part)))?
            }
            (BoolNode::And(parts), true) => {
                let literals = self.literals(parts.iter().map(|part| !*part))?;
                self.clause(&literals);
            }
            (BoolNode::LinearAtMost(terms, bound), false) => {
                let (factors, terms) = self.sum(terms)?;
                self.constraint("int_lin_le", &[&factors, &terms, bound]);
            }
            (BoolNode::LinearEquals(terms, bound), negated) => {
                let (factors, terms) = self.sum(terms)?;
                let name = if negated { "int_lin_ne" } else { "int_lin_eq" };
                self.constraint(name, &[&factors, &terms, bound]);
            }
            (BoolNode::Same(left, right), negated) => {
                let (left, right) = (self.int(*left)?, self.int(*right)?);
                self.constraint(if negated { "int_ne" } else { "int_eq" }, &[&left, &right]);
            }
            (BoolNode::Global(Global::AllDifferent(constraint)), false) => {
                let terms = self.int_names(&constraint.terms)?;
                for (left, right) in pairs(&terms) {
                    self.constraint("int_ne", &[left, right]);
                }
            }
            _ => {
                let literal = self.literal(term)?;
                self.clause(&[literal]);
            }
        }
        Ok(())
    }

    fn int_names(&mut self, terms: &[Int]) -> WriteResult<Vec<String>> {
        terms.iter().map(|term| self.int(*term)).collect()
    }

    /// Returns the factors and the terms of a sum.
    fn sum(&mut self, terms: &Linear) -> WriteResult<(String, String)> {
        let names = terms.iter().map(|(_, term)| self.int(*term)).collect::<WriteResult<Vec<_>>>()?;
        Ok((list(terms.iter().map(|(factor, _)| factor)), list(names)))
    }

    /// Returns the variable of a term, or its constant.
    fn int(&mut self, term: Int) -> WriteResult<String> {
        if let Some(value) = self.problem.int_constant(term) {
            return Ok(value.to_string());
        }
        if let Some(known) = self.ints.get(&term) {
            return Ok(known.clone());
        }
        let name = memory::with_more_stack(|| self.int_node(term))?;
        self.ints.insert(term, name.clone());
        Ok(name)
    }

    fn int_node(&mut self, term: Int) -> WriteResult<String> {
        let problem = self.problem;
        let values = problem.values(term);
        let node = problem.int_node(term);
        match node {
            IntNode::Binary(Operation::Quotient, left, right) => return Ok(self.division(*left, *right)?.0),
            IntNode::Binary(Operation::Remainder, left, right) => return Ok(self.division(*left, *right)?.1),
            _ => {}
        }
        let is_variable = *node == IntNode::Variable;
        let name = self.new_int(term_name(Variable::Int(term)), values, is_variable);
        match node {
            IntNode::Constant(_) => {}
            IntNode::Variable => {
                // A domain with many values is declared as a range, so its gaps need clauses.
                if values.size().is_none_or(|size| size > MOST_VALUES) {
                    for pair in values.ranges().windows(2) {
                        let below = (self.reified("int_le", &[&name, &pair[0].1]), true);
                        let above = (self.reified("int_le", &[&pair[1].0, &name]), true);
                        self.clause(&[below, above]);
                    }
                }
            }
            IntNode::FromBool(condition) => {
                let (condition, holds) = self.literal(*condition)?;
                if holds {
                    self.constraint("bool2int", &[&condition, &name]);
                } else {
                    let condition = self.number_of(&condition);
                    self.constraint("int_lin_eq", &[&"[1,1]", &list([&condition, &name]), &1]);
                }
            }
            IntNode::Linear(terms, constant) => {
                let mut names = terms.iter().map(|(_, term)| self.int(*term)).collect::<WriteResult<Vec<_>>>()?;
                names.push(name.clone());
                let factors = list(terms.iter().map(|(factor, _)| *factor).chain([-1]));
                self.constraint("int_lin_eq", &[&factors, &list(names), &-constant]);
            }
            IntNode::Binary(Operation::Power, base, exponent) => self.power(*base, *exponent, &name)?,
            IntNode::Binary(_, left, right) => {
                let (left, right) = (self.int(*left)?, self.int(*right)?);
                self.constraint("int_times", &[&left, &right, &name]);
            }
            IntNode::Absolute(term) => {
                let term = self.int(*term)?;
                self.constraint("int_abs", &[&term, &name]);
            }
            IntNode::Extreme(extreme, terms) => {
                let constraint = if *extreme == Extreme::Minimum { "int_min" } else { "int_max" };
                let names = self.int_names(terms)?;
                let (low, high) = terms.iter().fold((i64::MAX, i64::MIN), |(low, high), term| {
                    let (least, most) = problem.bounds(*term);
                    (low.min(least), high.max(most))
                });
                let mut best = names[0].clone();
                for (position, other) in names.iter().enumerate().skip(1) {
                    let is_last = position + 1 == names.len();
                    let next = if is_last { name.clone() } else { self.new_range(low, high) };
                    self.constraint(constraint, &[&best, other, &next]);
                    best = next;
                }
                if names.len() == 1 {
                    self.constraint("int_eq", &[&best, &name]);
                }
            }
            IntNode::Choice(alternatives) => self.choice(alternatives, &name)?,
        }
        Ok(name)
    }

    /// Returns a variable that is 1 if a Boolean is true and 0 otherwise.
    fn number_of(&mut self, condition: &str) -> String {
        let number = self.new_range(0, 1);
        self.constraint("bool2int", &[&condition, &number]);
        number
    }

    /// Returns the position of a term's value in an array with an entry for each number between its bounds.
    fn position(&mut self, term: Int) -> WriteResult<String> {
        let (low, high) = self.problem.bounds(term);
        let name = self.int(term)?;
        if low == 1 {
            return Ok(name);
        }
        let position = self.new_range(1, high - low + 1);
        self.constraint("int_lin_eq", &[&"[1,-1]", &list([&name, &position]), &(low - 1)]);
        Ok(position)
    }

    /// Defines a power as an entry of an array.
    fn power(&mut self, base: Int, exponent: Int, name: &str) -> WriteResult {
        let ((low, high), (least, most)) = (self.problem.bounds(base), self.problem.bounds(exponent));
        let width = i128::from(most) - i128::from(least) + 1;
        let count = (i128::from(high) - i128::from(low) + 1).unsigned_abs() * width.unsigned_abs();
        if count > MOST_ENTRIES {
            return Err(Refused::Values);
        }
        let (bases, exponents) = (self.problem.values(base), self.problem.values(exponent));
        // The entries for values in gaps are never used.
        let entry = |base: i64, exponent: i64| match bases.contains(base) && exponents.contains(exponent) {
            true => Operation::Power.apply(base.into(), exponent.into()).and_then(|power| i64::try_from(power).ok()),
            false => Some(0),
        };
        let entries = (low..=high).flat_map(|base| (least..=most).map(move |exponent| (base, exponent)));
        let entries: Option<Vec<i64>> = entries.map(|(base, exponent)| entry(base, exponent)).collect();
        let Some(entries) = entries else { return Err(Refused::Values) };
        let (base, exponent) = (self.position(base)?, self.position(exponent)?);
        // The array has two dimensions, so the index is computed from both positions.
        let index = self.new_range(1, count as i64);
        self.constraint("int_lin_eq", &[&format!("[{width},1,-1]"), &list([&base, &exponent, &index]), &width]);
        self.constraint("array_int_element", &[&index, &list(entries), &name]);
        Ok(())
    }

    /// Returns the quotient and the remainder: `dividend = divisor · quotient + remainder`. Both are 0 if the divisor
    /// is 0.
    fn division(&mut self, dividend: Int, divisor: Int) -> WriteResult<(String, String)> {
        if let Some(known) = self.divisions.get(&(dividend, divisor)) {
            return Ok(known.clone());
        }
        let ((low, high), (least, most)) = (self.problem.bounds(dividend), self.problem.bounds(divisor));
        let largest = low.abs().max(high.abs());
        let quotient = self.new_range(-largest, largest);
        let remainder = self.new_range(least.saturating_add(1).min(0), most.saturating_sub(1).max(0));
        let (left, right) = (self.int(dividend)?, self.int(divisor)?);
        self.divisions.insert((dividend, divisor), (quotient.clone(), remainder.clone()));
        // If the divisor is constant, neither a product nor cases are needed.
        if least == most && least != 0 {
            let all = list([&quotient, &remainder, &left]);
            self.constraint("int_lin_eq", &[&format!("[{least},1,-1]"), &all, &0]);
            return Ok((quotient, remainder));
        }
        let Some(limit) = largest.checked_mul(least.abs().max(most.abs())) else { return Err(Refused::Values) };
        let product = self.new_range(-limit, limit);
        self.constraint("int_times", &[&right, &quotient, &product]);
        let is_zero = (self.reified("int_eq", &[&right, &0]), true);
        let is_positive = (self.reified("int_le", &[&1, &right]), true);
        let is_negative = (self.reified("int_le", &[&right, &-1]), true);
        for result in [&quotient, &remainder] {
            let zero = (self.reified("int_eq", &[result, &0]), true);
            self.clause(&[negated_atom(&is_zero), zero]);
        }
        let all = list([&product, &remainder, &left]);
        let is_sum = (self.reified("int_lin_eq", &[&"[1,1,-1]", &all, &0]), true);
        self.clause(&[is_zero, is_sum]);
        // The remainder lies between 0 and the divisor, but never equals the divisor.
        let difference = list([&remainder, &right]);
        let cases = [
            (&is_positive, self.reified("int_le", &[&0, &remainder])),
            (&is_positive, self.reified("int_lin_le", &[&"[1,-1]", &difference, &-1])),
            (&is_negative, self.reified("int_le", &[&remainder, &0])),
            (&is_negative, self.reified("int_lin_le", &[&"[-1,1]", &difference, &-1])),
        ];
        for (case, follows) in cases {
            self.clause(&[negated_atom(case), (follows, true)]);
        }
        Ok((quotient, remainder))
    }

    /// Defines a variable as the value of the first alternative whose condition holds: an element of an array if the
    /// conditions are about the values of one term.
    fn choice(&mut self, alternatives: &[(Bool, Int)], name: &str) -> WriteResult {
        let problem = self.problem;
        let names = alternatives.iter().map(|(_, term)| self.int(*term)).collect::<WriteResult<Vec<_>>>()?;
        if let Some(index) = problem.index_of_choice(alternatives)
            && let Some(chosen) = problem.chosen_by_index(alternatives, index)
        {
            let entries = list(chosen.into_iter().map(|chosen| &names[chosen]));
            let position = self.position(index)?;
            let is_constant = alternatives.iter().all(|(_, term)| problem.int_constant(*term).is_some());
            let constraint = if is_constant { "array_int_element" } else { "array_var_int_element" };
            self.constraint(constraint, &[&position, &entries, &name]);
            return Ok(());
        }
        // The literal states that no condition so far holds.
        let mut none: Option<BoolAtom> = None;
        for ((condition, _), chosen) in alternatives.iter().zip(&names) {
            let condition = self.literal(*condition)?;
            let equal = (self.reified("int_eq", &[&name, chosen]), true);
            let mut clause = vec![equal, negated_atom(&condition)];
            clause.extend(none.as_ref().map(negated_atom));
            self.clause(&clause);
            let still = self.name();
            let still = self.new_bool(still, false);
            self.conjunction(none.into_iter().chain([negated_atom(&condition)]).collect(), &still);
            none = Some((still, true));
        }
        Ok(())
    }
}

fn negated_atom((name, holds): &BoolAtom) -> BoolAtom {
    (name.clone(), !holds)
}

fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(","))
}

fn pairs(names: &[String]) -> impl Iterator<Item = (&String, &String)> {
    names
        .iter()
        .enumerate()
        .flat_map(move |(position, left)| names[position + 1..].iter().map(move |right| (left, right)))
}
