//! Essence′ and MiniZinc: constraints as expressions. A term that occurs more than once is a variable with a
//! definition, so that the text is no longer than the problem.

use super::term_name;
use crate::{
    IntSet, Sense, memory,
    problem::{Bool, BoolNode, Extreme, Global, Int, IntNode, Linear, Operation, Problem, Variable},
};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The length from which an expression gets a definition, in bytes. Readers with a recursive parser and people both
/// fail at deep nesting. Chosen.
const LONGEST: usize = 300;

/// A modelling language with infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    EssencePrime,
    MiniZinc,
}

/// Returns the first lines, and the text after the comments.
pub(super) fn infix_text(problem: &Problem, dialect: Dialect) -> (String, String) {
    let uses = uses(problem);
    let (names, declarations, constraints) = (FxHashMap::default(), String::new(), Vec::new());
    let mut writer = InfixWriter { problem, dialect, uses, names, declarations, constraints };
    for variable in problem.variables() {
        writer.declare(variable, None);
    }
    for constraint in problem.constraints() {
        let text = writer.constraint(*constraint);
        writer.constraints.push(text);
    }
    let objective = problem.objective().and_then(|objective| Some((objective.sense, *objective.terms.first()?)));
    let objective = objective.map(|(sense, term)| (sense, writer.int(term)));
    let InfixWriter { declarations, constraints, .. } = writer;
    match dialect {
        Dialect::EssencePrime => {
            let objective = objective.map_or(String::new(), |(sense, term)| {
                let word = if sense == Sense::Minimise { "minimising" } else { "maximising" };
                format!("{word} {term}\n")
            });
            // Savile Row expects the objective before the constraints. The statement needs a constraint even if there
            // is none.
            let constraints = if constraints.is_empty() { "true".to_owned() } else { constraints.join(",\n    ") };
            ("language ESSENCE' 1.0\n".to_owned(), format!("{declarations}{objective}such that\n    {constraints}\n"))
        }
        Dialect::MiniZinc => {
            let constraints: String = constraints.iter().map(|text| format!("constraint {text};\n")).collect();
            let solve = objective.map_or("solve satisfy;\n".to_owned(), |(sense, term)| {
                let word = if sense == Sense::Minimise { "minimize" } else { "maximize" };
                format!("solve {word} {term};\n")
            });
            ("include \"globals.mzn\";\n".to_owned(), declarations + &constraints + &solve)
        }
    }
}

/// Counts the occurrences of each term in the constraints and the objective.
fn uses(problem: &Problem) -> FxHashMap<Variable, u32> {
    let mut uses = FxHashMap::default();
    let objective = problem.objective().into_iter().flat_map(|objective| objective.terms.iter().take(1));
    let mut open: Vec<Variable> = problem.constraints().iter().map(|constraint| Variable::Bool(*constraint)).collect();
    open.extend(objective.map(|term| Variable::Int(*term)));
    while let Some(term) = open.pop() {
        let count = uses.entry(term.positive()).or_insert(0);
        *count += 1;
        // The definition of a term is written once, so its operands count once.
        if *count == 1 {
            problem.operands(term, &mut |operand| open.push(operand));
        }
    }
    uses
}

struct InfixWriter<'p> {
    problem: &'p Problem,
    dialect: Dialect,
    uses: FxHashMap<Variable, u32>,
    /// The names of the terms that are variables of the text.
    names: FxHashMap<Variable, String>,
    declarations: String,
    constraints: Vec<String>,
}

impl InfixWriter<'_> {
    /// Declares a variable for a term, with the definition of a term that is not a variable of the problem.
    fn declare(&mut self, term: Variable, definition: Option<&str>) -> String {
        let name = term_name(term);
        let domain = match term {
            Variable::Bool(_) => "bool".to_owned(),
            Variable::Int(term) => domain(self.problem.values(term), self.dialect),
        };
        let _ = match (self.dialect, definition) {
            (Dialect::EssencePrime, _) => writeln!(self.declarations, "find {name} : {domain}"),
            (Dialect::MiniZinc, None) => writeln!(self.declarations, "var {domain}: {name};"),
            // MiniZinc does not print variables that have a definition.
            (Dialect::MiniZinc, Some(meaning)) => writeln!(self.declarations, "var {domain}: {name} = {meaning};"),
        };
        if let (Dialect::EssencePrime, Some(meaning)) = (self.dialect, definition) {
            let equals = if matches!(term, Variable::Bool(_)) { "<->" } else { "=" };
            self.constraints.push(format!("{name} {equals} {meaning}"));
        }
        self.names.insert(term.positive(), name.clone());
        name
    }

    /// Returns true if the expression of a term is long or occurs more than once.
    fn needs_name(&self, term: Variable, text: &str) -> bool {
        text.len() > LONGEST || self.uses.get(&term).is_some_and(|count| *count > 1)
    }

    /// A constraint, in which global constraints may be written as such.
    fn constraint(&mut self, term: Bool) -> String {
        let (id, negated) = term.node();
        match self.problem.bool_node(id) {
            BoolNode::Global(Global::AllDifferent(constraint)) if !negated => {
                let name = if self.dialect == Dialect::EssencePrime { "allDiff" } else { "all_different" };
                format!("{name}({})", list(&self.ints(&constraint.terms)))
            }
            BoolNode::Global(Global::Table(constraint)) if !negated && !constraint.rows.is_empty() => {
                let terms = list(&self.ints(&constraint.terms));
                let rows: Vec<String> = (constraint.rows.iter())
                    .map(|row| row.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", "))
                    .collect();
                match self.dialect {
                    Dialect::EssencePrime => format!("table({terms}, [[{}]])", rows.join("], [")),
                    Dialect::MiniZinc => format!("table({terms}, [| {} |])", rows.join(" | ")),
                }
            }
            _ => self.bool(term),
        }
    }

    fn bool(&mut self, term: Bool) -> String {
        if let Some(value) = term.constant() {
            return value.to_string();
        }
        let (id, negated) = term.node();
        let positive = Variable::Bool(id.positive());
        let not = if self.dialect == Dialect::EssencePrime { "!" } else { "not " };
        let signed = |name: String| if negated { format!("({not}{name})") } else { name };
        if let Some(name) = self.names.get(&positive) {
            return signed(name.clone());
        }
        let text = memory::with_more_stack(|| self.bool_node(term));
        if !self.needs_name(positive, &text) {
            return text;
        }
        let meaning = if negated { memory::with_more_stack(|| self.bool_node(id.positive())) } else { text };
        signed(self.declare(positive, Some(&meaning)))
    }

    fn bool_node(&mut self, term: Bool) -> String {
        let (id, negated) = term.node();
        let compared = |left: String, holds: &str, fails: &str, right: String| {
            format!("({left} {} {right})", if negated { fails } else { holds })
        };
        match self.problem.bool_node(id) {
            // This is never reached: constants are printed, and variables have names.
            BoolNode::True | BoolNode::Variable => term.to_string(),
            BoolNode::And(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.bool(if negated { !*part } else { *part })).collect();
                format!("({})", parts.join(if negated { " \\/ " } else { " /\\ " }))
            }
            BoolNode::Equivalent(left, right) => {
                let right = if negated { !*right } else { *right };
                format!("({} <-> {})", self.bool(*left), self.bool(right))
            }
            BoolNode::Equals(term, value) => compared(self.int(*term), "=", "!=", number(*value)),
            BoolNode::AtMost(term, value) => compared(self.int(*term), "<=", ">", number(*value)),
            BoolNode::Same(left, right) => compared(self.int(*left), "=", "!=", self.int(*right)),
            BoolNode::LinearAtMost(terms, bound) => compared(self.sum(terms, 0), "<=", ">", number(*bound)),
            BoolNode::LinearEquals(terms, bound) => compared(self.sum(terms, 0), "=", "!=", number(*bound)),
            BoolNode::Global(Global::AllDifferent(constraint)) => {
                let terms = self.ints(&constraint.terms);
                let pairs = terms.iter().enumerate().flat_map(|(position, left)| {
                    let sign = if negated { "=" } else { "!=" };
                    terms[position + 1..].iter().map(move |right| format!("{left} {sign} {right}"))
                });
                self.joined(pairs.collect(), !negated)
            }
            BoolNode::Global(Global::Table(constraint)) => {
                let terms = self.ints(&constraint.terms);
                let row = |row: &[i64]| {
                    let sign = if negated { "!=" } else { "=" };
                    let cells = terms.iter().zip(row).map(|(term, value)| format!("{term} {sign} {}", number(*value)));
                    self.joined(cells.collect(), !negated)
                };
                let rows = constraint.rows.iter().map(|values| row(values)).collect();
                self.joined(rows, negated)
            }
        }
    }

    /// Joins conditions by "and" or by "or".
    fn joined(&self, parts: Vec<String>, all: bool) -> String {
        if parts.is_empty() {
            return all.to_string();
        }
        let parts: Vec<String> = parts.iter().map(|part| format!("({part})")).collect();
        format!("({})", parts.join(if all { " /\\ " } else { " \\/ " }))
    }

    fn ints(&mut self, terms: &[Int]) -> Vec<String> {
        terms.iter().map(|term| self.int(*term)).collect()
    }

    fn int(&mut self, term: Int) -> String {
        if let Some(value) = self.problem.int_constant(term) {
            return number(value);
        }
        if let Some(name) = self.names.get(&Variable::Int(term)) {
            return name.clone();
        }
        let text = memory::with_more_stack(|| self.int_node(term));
        // A Boolean as a number is a short text and needs no definition.
        if matches!(self.problem.int_node(term), IntNode::FromBool(_)) {
            return text;
        }
        match self.needs_name(Variable::Int(term), &text) {
            true => self.declare(Variable::Int(term), Some(&text)),
            false => text,
        }
    }

    fn int_node(&mut self, term: Int) -> String {
        match self.problem.int_node(term) {
            IntNode::Constant(value) => number(*value),
            IntNode::Variable => term.to_string(),
            IntNode::FromBool(condition) => format!("{}({})", self.as_int(), self.bool(*condition)),
            IntNode::Linear(terms, constant) => self.sum(terms, *constant),
            IntNode::Binary(operation, left, right) => self.operation(*operation, *left, *right),
            IntNode::Absolute(term) => match self.dialect {
                Dialect::EssencePrime => format!("|{}|", self.int(*term)),
                Dialect::MiniZinc => format!("abs({})", self.int(*term)),
            },
            IntNode::Extreme(Extreme::Minimum, terms) => format!("min({})", list(&self.ints(terms))),
            IntNode::Extreme(Extreme::Maximum, terms) => format!("max({})", list(&self.ints(terms))),
            IntNode::Choice(alternatives) => {
                let last = alternatives.iter().position(|(condition, _)| *condition == Bool::TRUE);
                let last = last.unwrap_or(alternatives.len() - 1);
                let otherwise = self.int(alternatives[last].1);
                alternatives[..last].iter().rev().fold(otherwise, |otherwise, (condition, term)| {
                    let (term, condition) = (self.int(*term), self.bool(*condition));
                    match self.dialect {
                        Dialect::EssencePrime => format!("[{otherwise}, {term}][toInt({condition}) + 1]"),
                        Dialect::MiniZinc => format!("(if {condition} then {term} else {otherwise} endif)"),
                    }
                })
            }
        }
    }

    /// The function that turns a Boolean into 0 or 1.
    fn as_int(&self) -> &'static str {
        if self.dialect == Dialect::EssencePrime { "toInt" } else { "bool2int" }
    }

    fn sum(&mut self, terms: &Linear, constant: i64) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (factor, term) in terms {
            let term = self.int(*term);
            parts.push(if *factor == 1 { term } else { format!("{} * {term}", number(*factor)) });
        }
        if constant != 0 {
            parts.push(number(constant));
        }
        format!("({})", parts.join(" + "))
    }

    /// Writes an operation so that it always has a value, because terms are total.
    fn operation(&mut self, operation: Operation, left: Int, right: Int) -> String {
        let values = self.problem.values(right);
        let (may_be_zero, may_be_negative) = (values.contains(0), values.min().is_some_and(|least| least < 0));
        let is_natural = !may_be_negative && self.problem.values(left).min().is_some_and(|least| least >= 0);
        let (left, right) = (self.int(left), self.int(right));
        let as_int = self.as_int();
        if operation == Operation::Product {
            return format!("({left} * {right})");
        }
        if operation == Operation::Power {
            let exponent = if may_be_negative { format!("max([{right}, 0])") } else { right.clone() };
            let power = match self.dialect {
                Dialect::EssencePrime => format!("({left} ** {exponent})"),
                Dialect::MiniZinc => format!("pow({left}, {exponent})"),
            };
            return if may_be_negative { format!("({as_int}({right} >= 0) * {power})") } else { power };
        }
        // A divisor of 0 is replaced by 1, and the result is multiplied by 0.
        let divisor = if may_be_zero { format!("({right} + {as_int}({right} = 0))") } else { right.clone() };
        let result = match (self.dialect, operation) {
            (Dialect::EssencePrime, Operation::Quotient) => format!("({left} / {divisor})"),
            (Dialect::EssencePrime, _) => format!("({left} % {divisor})"),
            (Dialect::MiniZinc, Operation::Quotient) if is_natural => format!("({left} div {divisor})"),
            (Dialect::MiniZinc, _) if is_natural => format!("({left} mod {divisor})"),
            // MiniZinc rounds towards 0, so negative numbers need a correction.
            (Dialect::MiniZinc, _) => {
                let remainder = format!("((({left} mod {divisor}) + {divisor}) mod {divisor})");
                match operation {
                    Operation::Quotient => format!("(({left} - {remainder}) div {divisor})"),
                    _ => remainder,
                }
            }
        };
        if may_be_zero { format!("({as_int}({right} != 0) * {result})") } else { result }
    }
}

fn domain(values: &IntSet, dialect: Dialect) -> String {
    let ranges = values.ranges().iter();
    match dialect {
        Dialect::EssencePrime => {
            let range = |(low, high): &(i64, i64)| if low == high { low.to_string() } else { format!("{low}..{high}") };
            format!("int({})", ranges.map(range).collect::<Vec<_>>().join(", "))
        }
        Dialect::MiniZinc => ranges.map(|(low, high)| format!("{low}..{high}")).collect::<Vec<_>>().join(" union "),
    }
}

fn list(parts: &[String]) -> String {
    format!("[{}]", parts.join(", "))
}

fn number(value: i64) -> String {
    if value < 0 { format!("({value})") } else { value.to_string() }
}
