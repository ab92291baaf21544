//! A pseudo-Boolean formula: sums of literals with integer coefficients that must reach a number, and comments between
//! them.
//!
//! Constraints define an auxiliary variable in both directions, so that the decision variables determine its value: the
//! formula has as many solutions as the instance.

use super::number::PbNumber;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A variable or its negation; or a constant, which no constraint contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PbLiteral(i32);

impl PbLiteral {
    pub(crate) const TRUE: PbLiteral = PbLiteral(i32::MAX);
    pub(crate) const FALSE: PbLiteral = PbLiteral(-i32::MAX);

    /// The literal of a variable's number, negative for the negation.
    pub(crate) fn numbered(number: i32) -> Self {
        PbLiteral(number)
    }

    /// The number of the variable, negative for the negation.
    pub(crate) fn number(self) -> i32 {
        self.0
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0.abs() == i32::MAX
    }

    pub(crate) fn of(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

impl std::ops::Not for PbLiteral {
    type Output = PbLiteral;

    fn not(self) -> PbLiteral {
        PbLiteral(-self.0)
    }
}

/// A pseudo-Boolean constraint: the sum of these literals, each times its coefficient, is at least a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PbConstraint {
    pub terms: Vec<(PbNumber, PbLiteral)>,
    pub least: PbNumber,
}

impl PbConstraint {
    pub(crate) fn new(terms: Vec<(PbNumber, PbLiteral)>, least: PbNumber) -> Self {
        PbConstraint { terms, least }
    }

    /// The clause of these literals: at least one of them is true.
    pub(crate) fn clause(literals: impl IntoIterator<Item = PbLiteral>) -> Self {
        PbConstraint::new(literals.into_iter().map(|literal| (PbNumber::ONE, literal)).collect(), PbNumber::ONE)
    }

    /// The constraint that at most one of the literals is true.
    pub(crate) fn at_most_one(literals: impl IntoIterator<Item = PbLiteral>) -> Self {
        let terms: Vec<(PbNumber, PbLiteral)> = literals.into_iter().map(|literal| (PbNumber::ONE, !literal)).collect();
        let least = PbNumber::count(terms.len()) - PbNumber::ONE;
        PbConstraint::new(terms, least)
    }

    pub(crate) fn total(&self) -> PbNumber {
        self.terms.iter().map(|(factor, _)| *factor).sum()
    }

    /// The constraint in normal form, with saturated coefficients: between 1 and the number to reach.
    pub(crate) fn normal(self) -> Self {
        let mut normal = self.without_constants();
        if normal.least > PbNumber::ZERO {
            let least = normal.least;
            normal.terms.iter_mut().for_each(|(factor, _)| *factor = least.min(*factor));
        }
        normal
    }

    /// The constraint without constants, with each variable once and positive coefficients.
    pub(crate) fn without_constants(self) -> Self {
        let mut factors: FxHashMap<i32, PbNumber> = FxHashMap::default();
        let mut least = self.least;
        for (factor, literal) in self.terms {
            match literal {
                PbLiteral::TRUE => least -= factor,
                PbLiteral::FALSE => {}
                // A negative literal is 1 minus its variable.
                _ if literal.0 < 0 => {
                    least -= factor;
                    *factors.entry(-literal.0).or_default() -= factor;
                }
                _ => *factors.entry(literal.0).or_default() += factor,
            }
        }
        let mut terms: Vec<(PbNumber, PbLiteral)> = Vec::with_capacity(factors.len());
        for (variable, factor) in factors {
            if factor < PbNumber::ZERO {
                least -= factor;
            }
            if factor != PbNumber::ZERO {
                let literal = PbLiteral(if factor < PbNumber::ZERO { -variable } else { variable });
                terms.push((factor.abs(), literal));
            }
        }
        terms.sort_unstable_by_key(|(_, literal)| literal.0.abs());
        PbConstraint { terms, least }
    }

    /// Writes the constraint in the format OPB.
    pub(crate) fn text(&self, name: impl Fn(PbLiteral) -> String) -> String {
        let mut text = String::new();
        for (factor, literal) in &self.terms {
            let _ = write!(text, "{factor} {} ", name(*literal));
        }
        let _ = write!(text, ">= {}", self.least);
        text
    }
}

/// An item of the formula's text.
enum FormulaPart {
    Comment(String),
    /// The position of a constraint.
    Constraint(usize),
}

/// The definition of an auxiliary variable, by which the variable is found again.
#[derive(PartialEq, Eq, Hash)]
enum VariableDefinition {
    All(Vec<PbLiteral>),
    Reaches(PbConstraint),
}

/// A formula with comments, and the linear function to minimise.
#[derive(Default)]
pub(crate) struct PbFormula {
    parts: Vec<FormulaPart>,
    pub constraints: Vec<PbConstraint>,
    kinds: Vec<PbVariableKind>,
    /// The meanings of the variables that belong to decision variables.
    meanings: Vec<(i32, String)>,
    defined: FxHashMap<VariableDefinition, PbLiteral>,
    /// The comment to put before the next constraint.
    pending: Option<String>,
    pub objective: Option<Vec<(PbNumber, PbLiteral)>>,
    /// The number of combinations of values, if the last operator was defined by trying all of them.
    pub tried: Option<usize>,
}

/// The meaning of a variable, which decides its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PbVariableKind {
    /// A part of a decision variable.
    Decision,
    /// True if and only if some literals are all true.
    All,
    /// True if and only if a sum reaches a number.
    Reaches,
    /// No meaning: two constraints on it contradict each other.
    Impossible,
}

impl PbFormula {
    /// The number of variables.
    pub(crate) fn variables(&self) -> usize {
        self.kinds.len()
    }

    /// The auxiliary variables; each is defined by terms of earlier variables, in the first constraint with it.
    pub(crate) fn auxiliary(&self) -> impl Iterator<Item = i32> + '_ {
        (1..).zip(&self.kinds).filter(|(_, kind)| **kind != PbVariableKind::Decision).map(|(variable, _)| variable)
    }

    fn variable(&mut self, kind: PbVariableKind) -> PbLiteral {
        self.kinds.push(kind);
        PbLiteral(self.kinds.len() as i32)
    }

    /// A new variable for a part of a decision variable.
    pub(crate) fn decision(&mut self, meaning: &str) -> PbLiteral {
        let literal = self.variable(PbVariableKind::Decision);
        self.comment(&format!("{}: {meaning}", self.name(literal)));
        self.meanings.push((literal.0, meaning.to_owned()));
        literal
    }

    pub(crate) fn comment(&mut self, text: &str) {
        self.parts.push(FormulaPart::Comment(text.replace(['\n', '\r'], " ")));
    }

    /// Puts a comment before the next constraint, unless another note comes first.
    pub(crate) fn note(&mut self, text: Option<String>) {
        self.pending = text;
    }

    /// The name of a literal in the text of the formula.
    pub(crate) fn name(&self, literal: PbLiteral) -> String {
        name_in(&self.kinds, literal)
    }

    /// Returns a function for the names of literals, including those with variables that are not in the formula.
    pub(crate) fn names(&self) -> impl Fn(PbLiteral) -> String + use<> {
        let kinds = self.kinds.clone();
        move |literal| name_in(&kinds, literal)
    }

    /// The meanings of the true variables, among those that belong to decision variables.
    pub(crate) fn decided_true(&self, is_true: &mut dyn FnMut(i32) -> bool) -> Vec<String> {
        let mut shown = Vec::new();
        for (variable, meaning) in &self.meanings {
            if is_true(*variable) {
                shown.push(meaning.clone());
            }
        }
        shown
    }

    /// Adds a constraint that must hold unless one of these literals is true.
    pub(crate) fn require(&mut self, unless: &[PbLiteral], constraint: PbConstraint) {
        let constraint = constraint.normal();
        if constraint.least <= PbNumber::ZERO || unless.contains(&PbLiteral::TRUE) {
            return;
        }
        let PbConstraint { mut terms, least } = constraint;
        // If a literal of `unless` is true, it reaches the number alone.
        terms.extend(unless.iter().map(|literal| (least, *literal)));
        let constraint = PbConstraint { terms, least }.normal();
        if constraint.least <= PbNumber::ZERO {
            return;
        }
        if constraint.terms.is_empty() {
            // The constraint cannot be satisfied, but the format needs a literal.
            let impossible = self.variable(PbVariableKind::Impossible);
            self.add(PbConstraint::clause([impossible]));
            self.add(PbConstraint::clause([!impossible]));
        } else {
            self.add(constraint);
        }
    }

    fn add(&mut self, constraint: PbConstraint) {
        if let Some(note) = self.pending.take() {
            self.comment(&note);
        }
        self.parts.push(FormulaPart::Constraint(self.constraints.len()));
        self.constraints.push(constraint);
    }

    /// A literal that is true if and only if all these are.
    pub(crate) fn all(&mut self, literals: impl IntoIterator<Item = PbLiteral>) -> PbLiteral {
        let mut literals: Vec<PbLiteral> = literals.into_iter().filter(|one| *one != PbLiteral::TRUE).collect();
        literals.sort_unstable();
        literals.dedup();
        // If a literal and its opposite are both required, the result is false.
        if literals.iter().any(|one| *one == PbLiteral::FALSE || *one > !*one && literals.binary_search(&!*one).is_ok())
        {
            return PbLiteral::FALSE;
        }
        match literals[..] {
            [] => return PbLiteral::TRUE,
            [one] => return one,
            _ => {}
        }
        let key = VariableDefinition::All(literals);
        if let Some(known) = self.defined.get(&key) {
            return *known;
        }
        let VariableDefinition::All(literals) = &key else { unreachable!("the key was made here") };
        let (literals, count) = (literals.clone(), PbNumber::count(literals.len()));
        let it = self.variable(PbVariableKind::All);
        let terms = literals.iter().map(|literal| (PbNumber::ONE, *literal)).chain([(count, !it)]).collect();
        self.add(PbConstraint::new(terms, count));
        self.add(PbConstraint::clause(literals.iter().map(|literal| !*literal).chain([it])));
        self.defined.insert(key, it);
        it
    }

    /// A literal that is true if and only if one of these is.
    pub(crate) fn any(&mut self, literals: impl IntoIterator<Item = PbLiteral>) -> PbLiteral {
        !self.all(literals.into_iter().map(|literal| !literal))
    }

    /// A literal that is true if and only if the constraint holds.
    pub(crate) fn reaches(&mut self, constraint: PbConstraint) -> PbLiteral {
        let constraint = constraint.normal();
        let total = constraint.total();
        let PbConstraint { terms, least } = &constraint;
        let least = *least;
        if least <= PbNumber::ZERO {
            return PbLiteral::TRUE;
        }
        if total < least {
            return PbLiteral::FALSE;
        }
        // If each factor reaches the number alone, the sum is a disjunction.
        if terms.iter().all(|(factor, _)| *factor >= least) {
            return self.any(constraint.terms.into_iter().map(|(_, literal)| literal));
        }
        if total == least {
            return self.all(constraint.terms.into_iter().map(|(_, literal)| literal));
        }
        let opposite: Vec<_> = terms.iter().map(|(factor, literal)| (*factor, !*literal)).collect();
        let terms = terms.clone();
        let key = VariableDefinition::Reaches(constraint);
        if let Some(known) = self.defined.get(&key) {
            return *known;
        }
        let it = self.variable(PbVariableKind::Reaches);
        self.add(PbConstraint::new(terms.into_iter().chain([(least, !it)]).collect(), least));
        // For the other direction: if the sum misses the number, the opposite literals reach what remains.
        let least = total - least + PbNumber::ONE;
        self.add(PbConstraint::new(opposite.into_iter().chain([(least, it)]).collect(), least));
        self.defined.insert(key, it);
        it
    }

    /// Writes the formula in the format OPB.
    pub(crate) fn text(&self, introduction: &[String]) -> String {
        let mut text = format!("* #variable= {} #constraint= {}\n", self.kinds.len(), self.constraints.len());
        let comment = |text: &mut String, line: &str| {
            let _ = writeln!(text, "* {line}");
        };
        comment(&mut text, "Written by conjure-like");
        introduction.iter().for_each(|line| comment(&mut text, line));
        if let Some(objective) = &self.objective {
            text += "min:";
            for (factor, literal) in objective {
                let _ = write!(text, " {factor} {}", self.name(*literal));
            }
            text += " ;\n";
        }
        for part in &self.parts {
            match part {
                FormulaPart::Comment(line) => comment(&mut text, line),
                FormulaPart::Constraint(position) => {
                    let _ = writeln!(text, "{} ;", self.constraints[*position].text(|literal| self.name(literal)));
                }
            }
        }
        text
    }
}

/// The name of a literal. Variables beyond these kinds come from the proof.
fn name_in(kinds: &[PbVariableKind], literal: PbLiteral) -> String {
    let variable = literal.0.unsigned_abs();
    let kind = match kinds.get(variable as usize - 1) {
        Some(PbVariableKind::Decision) => "x",
        Some(PbVariableKind::All) => "all",
        Some(PbVariableKind::Reaches) => "sum",
        Some(PbVariableKind::Impossible) => "none",
        None => "node",
    };
    format!("{}{kind}_{variable}", if literal.0 < 0 { "~" } else { "" })
}
