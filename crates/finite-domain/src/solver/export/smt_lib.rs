//! SMT-LIB 2: each term of the problem is a function without parameters, defined once.

use super::term_name;
use crate::{
    Sense, memory,
    problem::{Bool, BoolId, BoolNode, Extreme, Global, Int, IntNode, Linear, Operation, Problem, Variable},
};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// The exponents whose powers of 2 are in range.
const EXPONENTS: std::ops::RangeInclusive<i64> = 0..=62;

/// Returns the first lines, and the text after the comments.
pub(super) fn smt_lib_text(problem: &Problem) -> (String, String) {
    let mut writer = SmtLibWriter { problem, made: FxHashSet::default(), text: String::new(), is_linear: true };
    for variable in problem.variables() {
        let name = term_name(variable);
        writer.made.insert(variable);
        match variable {
            Variable::Bool(_) => {
                let _ = writeln!(writer.text, "(declare-const {name} Bool)");
            }
            Variable::Int(term) => {
                let _ = writeln!(writer.text, "(declare-const {name} Int)");
                let ranges = problem.values(term).ranges().iter();
                let ranges = ranges.map(|(low, high)| format!("(<= {} {name} {})", number(*low), number(*high)));
                let ranges = any(ranges);
                let _ = writeln!(writer.text, "(assert {ranges})");
            }
        }
    }
    for constraint in problem.constraints() {
        let constraint = writer.bool(*constraint);
        let _ = writeln!(writer.text, "(assert {constraint})");
    }
    if let Some(objective) = problem.objective() {
        let word = if objective.sense == Sense::Minimise { "minimize" } else { "maximize" };
        for term in &objective.terms {
            let term = writer.int(*term);
            let _ = writeln!(writer.text, "({word} {term})");
        }
    }
    writer.text += "(check-sat)\n";
    if problem.objective().is_some() {
        writer.text += "(get-objectives)\n";
    }
    let names: Vec<String> = problem.variables().map(term_name).collect();
    if !names.is_empty() {
        let _ = writeln!(writer.text, "(get-value ({}))", names.join(" "));
    }
    let logic = if writer.is_linear { "QF_LIA" } else { "QF_NIA" };
    (format!("(set-option :produce-models true)\n(set-logic {logic})\n"), writer.text)
}

struct SmtLibWriter<'p> {
    problem: &'p Problem,
    /// The terms that already have a definition.
    made: FxHashSet<Variable>,
    text: String,
    is_linear: bool,
}

impl SmtLibWriter<'_> {
    fn bool(&mut self, term: Bool) -> String {
        match term.constant() {
            Some(value) => value.to_string(),
            None => {
                let (id, negated) = term.node();
                self.define(Variable::Bool(id.positive()));
                if negated { format!("(not {})", id.positive()) } else { term.to_string() }
            }
        }
    }

    fn int(&mut self, term: Int) -> String {
        match self.problem.int_constant(term) {
            Some(value) => number(value),
            None => {
                self.define(Variable::Int(term));
                term.to_string()
            }
        }
    }

    fn define(&mut self, term: Variable) {
        if !self.made.insert(term) {
            return;
        }
        // `define-fun` may only use earlier names, so the definitions of operands are written first.
        let (sort, meaning) = memory::with_more_stack(|| match term {
            Variable::Bool(term) => ("Bool", self.bool_node(term.node().0)),
            Variable::Int(term) => ("Int", self.int_node(term)),
        });
        let _ = writeln!(self.text, "(define-fun {} () {sort} {meaning})", term_name(term));
    }

    fn bool_node(&mut self, id: BoolId) -> String {
        match self.problem.bool_node(id) {
            // Neither is ever defined: `bool` prints constants, and variables are declared.
            BoolNode::True | BoolNode::Variable => true.to_string(),
            BoolNode::And(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.bool(*part)).collect();
                format!("(and {})", parts.join(" "))
            }
            BoolNode::Equivalent(left, right) => format!("(= {} {})", self.bool(*left), self.bool(*right)),
            BoolNode::Equals(term, value) => format!("(= {} {})", self.int(*term), number(*value)),
            BoolNode::AtMost(term, value) => format!("(<= {} {})", self.int(*term), number(*value)),
            BoolNode::Same(left, right) => format!("(= {} {})", self.int(*left), self.int(*right)),
            BoolNode::LinearAtMost(terms, bound) => format!("(<= {} {})", self.sum(terms, 0), number(*bound)),
            BoolNode::LinearEquals(terms, bound) => format!("(= {} {})", self.sum(terms, 0), number(*bound)),
            BoolNode::Global(Global::AllDifferent(constraint)) => {
                format!("(distinct {})", self.ints(&constraint.terms).join(" "))
            }
            BoolNode::Global(Global::Table(constraint)) => {
                let terms = self.ints(&constraint.terms);
                let row = |row: &[i64]| {
                    let parts =
                        terms.iter().zip(row.iter()).map(|(term, value)| format!("(= {term} {})", number(*value)));
                    format!("(and true {})", parts.collect::<Vec<_>>().join(" "))
                };
                any(constraint.rows.iter().map(|values| row(values)))
            }
        }
    }

    fn ints(&mut self, terms: &[Int]) -> Vec<String> {
        terms.iter().map(|term| self.int(*term)).collect()
    }

    fn sum(&mut self, terms: &Linear, constant: i64) -> String {
        let mut text = "(+".to_owned();
        for (factor, term) in terms {
            let term = self.int(*term);
            let _ =
                if *factor == 1 { write!(text, " {term}") } else { write!(text, " (* {} {term})", number(*factor)) };
        }
        text + &format!(" {})", number(constant))
    }

    fn int_node(&mut self, term: Int) -> String {
        match self.problem.int_node(term) {
            IntNode::Constant(value) => number(*value),
            IntNode::Variable => term.to_string(),
            IntNode::FromBool(condition) => format!("(ite {} 1 0)", self.bool(*condition)),
            IntNode::Linear(terms, constant) => self.sum(terms, *constant),
            IntNode::Binary(operation, left, right) => self.operation(*operation, *left, *right),
            IntNode::Absolute(term) => format!("(abs {})", self.int(*term)),
            IntNode::Extreme(extreme, terms) => {
                let order = if *extreme == Extreme::Minimum { "<=" } else { ">=" };
                let terms = self.ints(terms);
                terms.iter().enumerate().rev().fold(String::new(), |chosen, (position, term)| {
                    if chosen.is_empty() {
                        return term.clone();
                    }
                    let best = terms[position + 1..].iter().map(|other| format!("({order} {term} {other})"));
                    format!("(ite (and true {}) {term} {chosen})", best.collect::<Vec<_>>().join(" "))
                })
            }
            IntNode::Choice(alternatives) => {
                let mut text = String::new();
                for (condition, term) in alternatives {
                    let term = self.int(*term);
                    match condition.constant() {
                        Some(true) => text += &term,
                        _ => drop(write!(text, "(ite {} {term} ", self.bool(*condition))),
                    }
                }
                let open = alternatives.iter().filter(|(condition, _)| *condition != Bool::TRUE).count();
                text + &")".repeat(open)
            }
        }
    }

    fn operation(&mut self, operation: Operation, left: Int, right: Int) -> String {
        // Constant factors and divisors are linear, and products with constants never become such nodes.
        if operation == Operation::Product || self.problem.int_constant(right).is_none() {
            self.is_linear = false;
        }
        let divisor = self.problem.int_constant(right);
        let exponents = right;
        let (left, right) = (self.int(left), self.int(right));
        match (operation, divisor) {
            (Operation::Product, _) => format!("(* {left} {right})"),
            // In the standard, a remainder is never negative, so negative divisors need a correction.
            (Operation::Quotient, Some(1..)) => format!("(div {left} {right})"),
            (Operation::Remainder, Some(1..)) => format!("(mod {left} {right})"),
            (Operation::Quotient | Operation::Remainder, Some(0)) => "0".to_owned(),
            (Operation::Quotient, _) => {
                let steps = format!("(- (div {left} {right}) (ite (= (mod {left} {right}) 0) 0 1))");
                format!("(ite (= {right} 0) 0 (ite (> {right} 0) (div {left} {right}) {steps}))")
            }
            (Operation::Remainder, _) => {
                let steps = format!("(ite (= (mod {left} {right}) 0) 0 (+ (mod {left} {right}) {right}))");
                format!("(ite (= {right} 0) 0 (ite (> {right} 0) (mod {left} {right}) {steps}))")
            }
            (Operation::Power, _) => self.power(exponents, &left, &right),
        }
    }

    /// Writes a power by cases over the values of the exponent. For larger exponents, the base must be −1, 0 or 1.
    fn power(&mut self, exponent: Int, left: &str, right: &str) -> String {
        self.is_linear = false;
        let values = self.problem.values(exponent);
        let product = |exponent: i64| match exponent {
            0 => "1".to_owned(),
            1 => left.to_owned(),
            _ => format!("(*{})", format!(" {left}").repeat(exponent as usize)),
        };
        let mut text = String::new();
        let mut open = 0;
        if values.min().is_some_and(|least| least < 0) {
            let _ = write!(text, "(ite (< {right} 0) 0 ");
            open += 1;
        }
        for value in values.iter().filter(|value| EXPONENTS.contains(value)) {
            let _ = write!(text, "(ite (= {right} {value}) {} ", product(value));
            open += 1;
        }
        let _ = write!(text, "(ite (= (mod {right} 2) 0) {} {left})", product(2));
        text + &")".repeat(open)
    }
}

/// Writes a disjunction; `false` keeps an empty one well-formed.
fn any(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    format!("(or false {})", parts.join(" "))
}

fn number(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}
