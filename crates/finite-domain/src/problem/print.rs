//! Problems as text, for `--emit problem` and for tests: a line for each term that the constraints, the decisions and
//! the objective need, then the constraints and the objective.

use super::*;
use std::fmt::{self, Display, Formatter};

impl Display for Bool {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Bool::TRUE => f.write_str("true"),
            Bool::FALSE => f.write_str("false"),
            term => {
                let (id, negated) = term.node();
                write!(f, "{}b{}", if negated { "!" } else { "" }, id.0)
            }
        }
    }
}

impl Display for Int {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "i{}", self.index())
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (bools, ints) = self.needed();
        let decisions: FxHashSet<Variable> = self.decisions.iter().copied().collect();
        let note = |variable: Variable| if decisions.contains(&variable) { "  (decision)" } else { "" };
        // Constants appear where they are used, so they need no line.
        for term in self.ints().filter(|term| ints[term.index()]) {
            match self.int_node(term) {
                IntNode::Constant(_) => {}
                IntNode::Variable => {
                    writeln!(f, "{term} : {}{}", PrintedValues(self.values(term)), note(Variable::Int(term)))?;
                }
                node => writeln!(f, "{term} = {} : {}", ShownNode(self, node), PrintedValues(self.values(term)))?,
            }
        }
        for (index, node) in self.bools.iter().enumerate().filter(|(index, _)| bools[*index]) {
            let term = BoolId(index as u32).positive();
            match node {
                BoolNode::True => {}
                BoolNode::Variable => writeln!(f, "{term} : bool{}", note(Variable::Bool(term)))?,
                node => writeln!(f, "{term} = {}", ShownCondition(self, node))?,
            }
        }
        for constraint in &self.constraints {
            writeln!(f, "require {constraint}")?;
        }
        if let Some(Objective { sense, terms }) = self.objective() {
            let word = match sense {
                Sense::Minimise => "minimise",
                Sense::Maximise => "maximise",
            };
            let terms: Vec<String> = terms.iter().map(|term| ShownOperand(self, *term).to_string()).collect();
            writeln!(f, "{word} {}", terms.join(", "))?;
        }
        Ok(())
    }
}

impl Problem {
    /// Returns the nodes that the constraints, the decisions and the objective need.
    pub(super) fn needed(&self) -> (Vec<bool>, Vec<bool>) {
        let mut bools = vec![false; self.bools.len()];
        let mut ints = vec![false; self.ints.len()];
        // Construction leaves terms behind that nothing needs; the encoders ignore them, too.
        let mut open: Vec<Variable> = self.constraints.iter().map(|term| Variable::Bool(*term)).collect();
        open.extend(&self.decisions);
        open.extend(
            self.objective().into_iter().flat_map(|objective| &objective.terms).map(|term| Variable::Int(*term)),
        );
        while let Some(term) = open.pop() {
            let needed = match term {
                Variable::Bool(term) => &mut bools[term.node().0.0 as usize],
                Variable::Int(term) => &mut ints[term.index()],
            };
            if !std::mem::replace(needed, true) {
                self.operands(term, &mut |operand| open.push(operand));
            }
        }
        (bools, ints)
    }
}

/// A constant as its value, another term by its name.
pub(super) struct ShownOperand<'p>(pub &'p Terms, pub Int);

impl Display for ShownOperand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.int_constant(self.1) {
            Some(value) => value.fmt(f),
            None => self.1.fmt(f),
        }
    }
}

struct PrintedValues<'p>(&'p IntSet);

impl Display for PrintedValues<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("int(")?;
        for (position, (low, high)) in self.0.ranges().iter().enumerate() {
            let comma = if position > 0 { ", " } else { "" };
            if low == high { write!(f, "{comma}{low}")? } else { write!(f, "{comma}{low}..{high}")? }
        }
        f.write_str(")")
    }
}

/// A sum such as `2*i1 - i3`.
struct ShownSum<'p>(&'p Terms, &'p Linear);

impl Display for ShownSum<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (position, (coefficient, term)) in self.1.iter().enumerate() {
            let sign = match (position, *coefficient < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            match coefficient.unsigned_abs() {
                1 => write!(f, "{sign}{}", ShownOperand(self.0, *term))?,
                factor => write!(f, "{sign}{factor}*{}", ShownOperand(self.0, *term))?,
            }
        }
        Ok(())
    }
}

/// Writes `name(a, b)`.
pub(super) fn call<T: Display>(
    f: &mut Formatter<'_>,
    name: &str,
    operands: impl IntoIterator<Item = T>,
) -> fmt::Result {
    write!(f, "{name}(")?;
    for (position, operand) in operands.into_iter().enumerate() {
        write!(f, "{}{operand}", if position > 0 { ", " } else { "" })?;
    }
    f.write_str(")")
}

struct ShownCondition<'p>(&'p Terms, &'p BoolNode);

impl Display for ShownCondition<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let all = self.0;
        let operand = |term: &Int| ShownOperand(all, *term);
        match self.1 {
            BoolNode::True => f.write_str("true"),
            BoolNode::Variable => f.write_str("bool"),
            BoolNode::And(parts) => call(f, "and", parts),
            BoolNode::Equivalent(left, right) => write!(f, "{left} <-> {right}"),
            BoolNode::Equals(term, value) => write!(f, "{} = {value}", operand(term)),
            BoolNode::AtMost(term, value) => write!(f, "{} <= {value}", operand(term)),
            BoolNode::Same(left, right) => write!(f, "{} = {}", operand(left), operand(right)),
            BoolNode::LinearAtMost(terms, bound) => write!(f, "{} <= {bound}", ShownSum(all, terms)),
            BoolNode::LinearEquals(terms, bound) => write!(f, "{} = {bound}", ShownSum(all, terms)),
            BoolNode::Global(global) => global.print(all, f),
        }
    }
}

struct ShownNode<'p>(&'p Terms, &'p IntNode);

impl Display for ShownNode<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let all = self.0;
        let operand = |term: &Int| ShownOperand(all, *term);
        match self.1 {
            IntNode::Constant(value) => value.fmt(f),
            IntNode::Variable => f.write_str("int"),
            IntNode::FromBool(condition) => call(f, "toInt", [condition]),
            IntNode::Linear(terms, 0) => ShownSum(all, terms).fmt(f),
            IntNode::Linear(terms, constant) => {
                let sign = if *constant < 0 { '-' } else { '+' };
                write!(f, "{} {sign} {}", ShownSum(all, terms), constant.unsigned_abs())
            }
            IntNode::Binary(operation, left, right) => {
                write!(f, "{} {} {}", operand(left), operation.symbol(), operand(right))
            }
            IntNode::Absolute(term) => write!(f, "|{}|", operand(term)),
            IntNode::Extreme(extreme, terms) => call(f, extreme.name(), terms.iter().map(operand)),
            IntNode::Choice(alternatives) => {
                for (position, (condition, term)) in alternatives.iter().enumerate() {
                    let last = position + 1 == alternatives.len();
                    let separator = if position > 0 { " else " } else { "" };
                    if last && *condition == Bool::TRUE {
                        write!(f, "{separator}{}", operand(term))?;
                    } else {
                        write!(f, "{separator}if {condition} then {}", operand(term))?;
                    }
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_constraints_and_objective_are_listed() {
        let mut problem = Builder::new();
        let x = problem.new_int(IntSet::from_ranges([(1, 4), (7, 7)]), Role::Decision);
        let y = problem.new_int(IntSet::range(0, 3), Role::Auxiliary);
        let b = problem.new_bool(Role::Decision);
        let sum = problem.linear([(2, x), (-1, y)], 0);
        let three = problem.constant(3);
        let either = problem.choice([(b, x), (Bool::TRUE, three)]);
        let product = problem.multiply(either, y);
        let large = problem.at_most_constant(sum, 5);
        let small = problem.equals_constant(product, 6);
        let any = problem.or([large, small]);
        problem.require(any);
        problem.set_objective(Sense::Maximise, vec![either]);
        assert_eq!(
            problem.finish().expect("small numbers").to_string(),
            "i0 : int(1..4, 7)  (decision)\n\
             i1 : int(0..3)\n\
             i4 = if b1 then i0 else 3 : int(1..4, 7)\n\
             i5 = i1 * i4 : int(0..4, 6..9, 12, 14, 21)\n\
             b1 : bool  (decision)\n\
             b2 = 2*i0 - i1 <= 5\n\
             b3 = i5 = 6\n\
             b4 = and(!b2, !b3)\n\
             require !b4\n\
             maximise i4\n"
        );
    }
}
