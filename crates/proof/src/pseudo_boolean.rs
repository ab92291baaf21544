//! Proofs about pseudo-Boolean formulas in VeriPB's format 3.0 (Bogaerts, Gocht, McCreesh, Nordström, "Certified
//! dominance and symmetry breaking for combinatorial optimisation", 2023).
//!
//! The checker has the rules that certificates need: `pol`, `rup`, `red` without subproofs, `soli`, `del id`, and the
//! conclusions `UNSAT` and `BOUNDS`. It refuses all others. It is stricter than VeriPB about the text: each rule has
//! its own line, and nothing may follow the end.
//!
//! The invariant: if the formula has a solution that is better than each logged one, the constraints have a solution
//! that is as good. `pol` and `rup` add implied constraints, and `soli` requires a solution that is better than this
//! one. `red` adds a constraint that the solutions can be changed to satisfy, and deletion only adds solutions.

use super::{Lines, ProofFault, ProofFile, ProofResult};
use std::{
    collections::{HashMap, HashSet},
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
    io::BufRead,
};

/// The conclusion of a pseudo-Boolean proof; it is displayed in VeriPB's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofConclusion {
    /// The formula has no solution.
    Unsatisfiable,
    /// The objective, which is minimised, lies between these bounds. Without a lower bound, the formula has no
    /// solution; without an upper bound, the proof shows no solution.
    #[non_exhaustive]
    Bounds {
        /// No solution has a smaller value.
        lower: Option<i128>,
        /// A solution has this value.
        upper: Option<i128>,
    },
}

impl fmt::Display for ProofConclusion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |bound: Option<i128>| bound.map_or("INF".to_owned(), |bound| bound.to_string());
        match *self {
            ProofConclusion::Unsatisfiable => formatter.write_str("UNSATISFIABLE"),
            ProofConclusion::Bounds { lower, upper } => {
                write!(formatter, "BOUNDS {} <= obj <= {}", bound(lower), bound(upper))
            }
        }
    }
}

/// The result of checking a pseudo-Boolean proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedFormulaProof {
    /// The number of constraints of the formula.
    pub constraints: u64,
    /// The number of constraints that the proof derived.
    pub steps: u64,
    /// The proved conclusion.
    pub conclusion: ProofConclusion,
}

/// Checks that a proof in VeriPB's format proves its conclusion about a formula in the OPB format. Returns `None` if
/// `stop`, which is called from time to time, has returned true.
///
/// # Errors
///
/// Returns an error if the proof is wrong, or if one of the texts contains something that this checker does not
/// support.
pub fn check_formula_proof(
    formula: &mut dyn BufRead,
    proof: &mut dyn BufRead,
    stop: &mut dyn FnMut() -> bool,
) -> ProofResult<Option<CheckedFormulaProof>> {
    let mut checker = FormulaProofChecker::default();
    let mut lines = Lines::new(ProofFile::Formula, formula);
    let fault = |lines: &Lines<'_>, refusal| match refusal {
        ReplayEnd::Wrong(message) => Err(lines.fault(message)),
        ReplayEnd::Stopped => Ok(None),
    };
    while let Some(line) = lines.next()? {
        if let Err(refusal) = checker.formula_line(&line) {
            return fault(&lines, refusal);
        }
    }
    let constraints = checker.constraints.len() as u64;
    let whole = |which, message: String| ProofFault { which, line: 0, message };
    match checker.announced {
        None => return Err(whole(ProofFile::Formula, "there is no line `* #variable= …`".to_owned())),
        Some(announced) if announced != constraints => {
            let message =
                format!("the first line says {announced} constraints, but there are {constraints}: is it truncated?");
            return Err(whole(ProofFile::Formula, message));
        }
        Some(_) => {}
    }
    checker.of_formula = checker.constraints.len();
    let mut lines = Lines::new(ProofFile::Proof, proof);
    while let Some(line) = lines.next()? {
        if lines.number.is_multiple_of(STEPS_BETWEEN_QUESTIONS) && stop() {
            return Ok(None);
        }
        if let Err(refusal) = checker.proof_line(&line, lines.number, stop) {
            return fault(&lines, refusal);
        }
    }
    match (checker.progress, checker.conclusion) {
        (ProofProgress::Ended, Some(conclusion)) => Ok(Some(CheckedFormulaProof {
            constraints,
            steps: checker.constraints.len() as u64 - constraints,
            conclusion,
        })),
        _ => Err(whole(ProofFile::Proof, "the proof has no end: the file may be truncated".to_owned())),
    }
}

// Checking the limit at each step would cost more than an easy step. Chosen.
const STEPS_BETWEEN_QUESTIONS: u64 = 64;

/// The maximum sum of the absolute values of the coefficients and of the right-hand side of a constraint. So two
/// constraints can be added without an overflow, and only products need a check.
const LARGEST_SUM: i128 = 1 << 120;

/// The reason why a replay ends early.
enum ReplayEnd {
    Wrong(String),
    Stopped,
}

impl<T: Into<String>> From<T> for ReplayEnd {
    fn from(message: T) -> Self {
        ReplayEnd::Wrong(message.into())
    }
}

type Replayed<T> = std::result::Result<T, ReplayEnd>;

/// A variable or its negation: twice the number of the variable, plus one for the negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SignedVariable(u32);

impl SignedVariable {
    fn new(variable: u32, negated: bool) -> Self {
        SignedVariable(2 * variable + u32::from(negated))
    }

    fn variable(self) -> usize {
        self.0 as usize / 2
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A linear inequality: a sum of variables with coefficients is at least `least`. The variables are in ascending order,
/// and no coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct LinearForm {
    terms: Vec<(u32, i128)>,
    least: i128,
}

impl LinearForm {
    fn new(literals: impl IntoIterator<Item = (i128, SignedVariable)>, least: i128) -> Replayed<Self> {
        let mut terms = Vec::new();
        // The conversion adds each number to `least` at most once.
        let mut weight = least.saturating_abs();
        let mut form = LinearForm { terms: Vec::new(), least };
        for (factor, literal) in literals {
            weight = weight.saturating_add(factor.saturating_abs());
            if weight > LARGEST_SUM {
                return Err("the numbers are too large for this checker".into());
            }
            let negated = literal.is_negated();
            // `c · ¬x` is replaced by `c − c · x`.
            form.least -= if negated { factor } else { 0 };
            terms.push((literal.variable() as u32, if negated { -factor } else { factor }));
        }
        terms.sort_unstable_by_key(|(variable, _)| *variable);
        for (variable, factor) in terms {
            match form.terms.last_mut() {
                Some((last, sum)) if *last == variable => *sum += factor,
                _ => form.terms.push((variable, factor)),
            }
        }
        form.terms.retain(|(_, factor)| *factor != 0);
        form.bounded()
    }

    fn bounded(self) -> Replayed<Self> {
        let weight = self.terms.iter().map(|(_, factor)| factor.saturating_abs());
        match weight.fold(self.least.saturating_abs(), i128::saturating_add) <= LARGEST_SUM {
            true => Ok(self),
            false => Err("the numbers are too large for this checker".into()),
        }
    }

    /// The smallest value of the sum.
    fn smallest(&self) -> i128 {
        self.terms.iter().map(|(_, factor)| (*factor).min(0)).sum()
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        Hash::hash(self, &mut hasher);
        hasher.finish()
    }

    fn always_holds(&self) -> bool {
        self.smallest() >= self.least
    }

    fn plus(&self, other: &Self) -> Replayed<Self> {
        let (mut left, mut right) = (&self.terms[..], &other.terms[..]);
        let mut terms = Vec::with_capacity(left.len().max(right.len()));
        while let ([(one, factor), left_rest @ ..], [(two, added), right_rest @ ..]) = (left, right) {
            let sum = match one.cmp(two) {
                std::cmp::Ordering::Less => {
                    left = left_rest;
                    (*one, *factor)
                }
                std::cmp::Ordering::Greater => {
                    right = right_rest;
                    (*two, *added)
                }
                std::cmp::Ordering::Equal => {
                    (left, right) = (left_rest, right_rest);
                    (*one, factor + added)
                }
            };
            if sum.1 != 0 {
                terms.push(sum);
            }
        }
        terms.extend(left.iter().chain(right));
        LinearForm { terms, least: self.least + other.least }.bounded()
    }

    fn times(mut self, number: i128) -> Replayed<Self> {
        let product = |factor: i128| factor.checked_mul(number).ok_or("the numbers are too large for this checker");
        for (_, factor) in &mut self.terms {
            *factor = product(*factor)?;
        }
        self.least = product(self.least)?;
        self.bounded()
    }

    /// Returns the form in which all coefficients are positive, with negated literals if necessary.
    fn normal(&self) -> LinearConstraint {
        let literals =
            self.terms.iter().map(|(variable, factor)| SignedVariable::new(*variable, *factor < 0)).collect();
        let is_clause = self.terms.iter().all(|(_, factor)| factor.abs() == 1);
        let factors = match is_clause {
            true => Box::default(),
            false => self.terms.iter().map(|(_, factor)| factor.abs()).collect(),
        };
        LinearConstraint { literals, factors, least: self.least - self.smallest() }
    }

    /// Returns the division of the normal form, with all numbers rounded up.
    fn divided(&self, divisor: i128) -> Replayed<Self> {
        let normal = self.normal();
        let up = |number: i128| number.div_euclid(divisor) + i128::from(number.rem_euclid(divisor) != 0);
        LinearForm::new(normal.terms().map(|(factor, literal)| (up(factor), literal)), up(normal.least))
    }

    /// Returns the saturation of the normal form: a coefficient larger than `least` is equivalent to `least`.
    fn saturated(&self) -> Replayed<Self> {
        let normal = self.normal();
        let least = normal.least.max(0);
        LinearForm::new(normal.terms().map(|(factor, literal)| (factor.min(least), literal)), least)
    }

    /// Returns the constraint without a variable, which is assumed to add as much as it can.
    fn weakened(mut self, variable: u32) -> Self {
        if let Ok(at) = self.terms.binary_search_by_key(&variable, |(variable, _)| *variable) {
            let (_, factor) = self.terms.remove(at);
            self.least -= factor.max(0);
        }
        self
    }

    /// Returns the negation: the sum is less than `least`.
    fn negated(&self) -> Self {
        LinearForm {
            terms: self.terms.iter().map(|(variable, factor)| (*variable, -factor)).collect(),
            least: 1 - self.least,
        }
    }

    fn substituted(&self, witness: &HashMap<u32, WitnessValue>) -> Replayed<Self> {
        let mut literals = Vec::with_capacity(self.terms.len());
        let mut least = self.least;
        for (variable, factor) in &self.terms {
            match witness.get(variable) {
                None => literals.push((*factor, SignedVariable::new(*variable, false))),
                Some(WitnessValue::Constant(value)) => least -= if *value { *factor } else { 0 },
                Some(WitnessValue::Literal(literal)) => literals.push((*factor, *literal)),
            }
        }
        LinearForm::new(literals, least)
    }

    /// Returns true if another constraint follows because each literal adds between 0 and its coefficient.
    fn implies(&self, other: &LinearForm) -> Replayed<bool> {
        // `other` follows if the difference of the two is always at least the difference of their bounds.
        Ok(other.plus(&self.clone().times(-1)?)?.always_holds())
    }
}

/// A constraint with positive coefficients.
struct LinearConstraint {
    literals: Box<[SignedVariable]>,
    /// The coefficients; empty if all are 1.
    factors: Box<[i128]>,
    least: i128,
}

impl LinearConstraint {
    fn terms(&self) -> impl Iterator<Item = (i128, SignedVariable)> {
        let factor = |at| self.factors.get(at).copied().unwrap_or(1);
        self.literals.iter().enumerate().map(move |(at, literal)| (factor(at), *literal))
    }

    fn form(&self) -> Replayed<LinearForm> {
        LinearForm::new(self.terms(), self.least)
    }

    fn is_contradiction(&self) -> bool {
        self.terms().map(|(factor, _)| factor).sum::<i128>() < self.least
    }
}

/// The value of a variable in the witness of a redundant constraint.
enum WitnessValue {
    Constant(bool),
    Literal(SignedVariable),
}

/// The constraints with a variable. A new variable is in few constraints when the next definition needs them.
#[derive(Default)]
struct VariableOccurrences {
    /// The number of constraints that are not deleted.
    count: u64,
    /// The number of constraints so far, including deleted ones.
    total: usize,
    /// The positions of the first constraints.
    first: Vec<usize>,
}

/// The number of constraints with a variable whose positions are stored. Chosen.
const FEW_OCCURRENCES: usize = 16;

impl VariableOccurrences {
    fn add(&mut self, position: usize) {
        self.count += 1;
        self.total += 1;
        if self.total <= FEW_OCCURRENCES {
            self.first.push(position);
        }
    }
}

/// The values found by propagation.
#[derive(Default)]
struct PropagatedValues {
    /// The value of each variable: 1, -1, or 0 if it is unassigned.
    values: Vec<i8>,
    trail: Vec<SignedVariable>,
}

enum PropagationStep {
    Nothing,
    Progress,
    Conflict,
}

impl PropagatedValues {
    /// Returns 1 if the literal is true and -1 if it is false.
    fn value(&self, literal: SignedVariable) -> i8 {
        let value = self.values[literal.variable()];
        if literal.is_negated() { -value } else { value }
    }

    fn set(&mut self, literal: SignedVariable) {
        self.values[literal.variable()] = if literal.is_negated() { -1 } else { 1 };
        self.trail.push(literal);
    }

    fn clear(&mut self) {
        for literal in self.trail.drain(..) {
            self.values[literal.variable()] = 0;
        }
    }

    fn propagate(&mut self, constraint: &LinearConstraint) -> PropagationStep {
        let reachable: i128 =
            constraint.terms().filter(|(_, literal)| self.value(*literal) >= 0).map(|(factor, _)| factor).sum();
        let slack = reachable - constraint.least;
        if slack < 0 {
            return PropagationStep::Conflict;
        }
        // If all coefficients are 1 and there is slack, no literal is forced.
        if constraint.factors.is_empty() && slack > 0 {
            return PropagationStep::Nothing;
        }
        let known = self.trail.len();
        for (factor, literal) in constraint.terms() {
            // If this literal were false, too, the sum could not reach `least`.
            if factor > slack && self.value(literal) == 0 {
                self.set(literal);
            }
        }
        if self.trail.len() > known { PropagationStep::Progress } else { PropagationStep::Nothing }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd)]
enum ProofProgress {
    #[default]
    Start,
    /// The header was read, but not yet the number of constraints.
    Header,
    Steps,
    Output,
    Conclusion,
    Ended,
}

#[derive(Default)]
struct FormulaProofChecker {
    numbers: HashMap<String, u32>,
    /// The number of constraints according to the first line of the formula.
    announced: Option<u64>,
    /// The objective is the sum minus `least`.
    objective: Option<LinearForm>,
    /// The constraints by their numbers, from 1; `None` if they were deleted.
    constraints: Vec<Option<LinearConstraint>>,
    /// The number of constraints of the formula, which are never deleted.
    of_formula: usize,
    occurrences: Vec<VariableOccurrences>,
    propagated: PropagatedValues,
    /// The positions of constraints by the hash of their linear forms; `None` until a redundant constraint needs it.
    /// Deleted constraints stay in it, so their positions are empty.
    by_form: Option<HashMap<u64, Vec<usize>>>,
    /// The value of the best logged solution.
    best: Option<i128>,
    progress: ProofProgress,
    conclusion: Option<ProofConclusion>,
}

impl FormulaProofChecker {
    fn formula_line(&mut self, line: &str) -> Replayed<()> {
        if let Some(comment) = line.strip_prefix('*') {
            if self.announced.is_none() {
                let words: Vec<&str> = comment.split_ascii_whitespace().collect();
                let ["#variable=", _, "#constraint=", count] = words[..] else {
                    return Err("the first line should read `* #variable= NUMBER #constraint= NUMBER`".into());
                };
                self.announced = Some(natural(count)?);
            }
            return Ok(());
        }
        if self.announced.is_none() {
            return Err("the first line should read `* #variable= NUMBER #constraint= NUMBER`".into());
        }
        let line = line.strip_suffix(';').ok_or("the line does not end with `;`: the file may be truncated")?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if let ["min:", terms @ ..] = &words[..] {
            if self.objective.is_some() || !self.constraints.is_empty() {
                return Err("the objective should stand once, before the constraints".into());
            }
            let literals = self.literals(terms)?;
            self.objective = Some(LinearForm::new(literals, 0)?);
            return Ok(());
        }
        let constraint = self.constraint(&words)?;
        self.add(&constraint);
        Ok(())
    }

    fn proof_line(&mut self, line: &str, number: u64, stop: &mut dyn FnMut() -> bool) -> Replayed<()> {
        if number == 1 {
            self.progress = ProofProgress::Header;
            return match line {
                "pseudo-Boolean proof version 3.0" => Ok(()),
                _ => Err("the first line should read `pseudo-Boolean proof version 3.0`".into()),
            };
        }
        if line.is_empty() || line.starts_with('%') {
            return Ok(());
        }
        let line = line.strip_suffix(';').ok_or("the line does not end with `;`: the file may be truncated")?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (rule, rest) = words.split_first().ok_or("there is no rule")?;
        use ProofProgress::{Conclusion, Ended, Header, Output, Steps};
        match (self.progress, *rule) {
            (Header, "f") => {
                self.progress = Steps;
                match rest {
                    [count] if natural(count)? == self.constraints.len() as u64 => Ok(()),
                    _ => Err(format!("the formula has {} constraints", self.constraints.len()).into()),
                }
            }
            (Steps, "pol") => {
                let derived = self.combination(rest)?;
                self.add(&derived);
                Ok(())
            }
            (Steps, "rup") => self.follows(rest, stop),
            (Steps, "red") => self.is_redundant(rest, stop),
            (Steps, "soli") => self.solution(rest),
            (Steps, "del") => self.delete(rest),
            (Steps, "output") => {
                self.progress = Output;
                if rest == ["NONE"] { Ok(()) } else { Err("this checker knows no output but NONE".into()) }
            }
            (Output, "conclusion") => {
                self.progress = Conclusion;
                self.conclusion = Some(self.concluded(rest)?);
                Ok(())
            }
            (Conclusion, "end") if rest == ["pseudo-Boolean", "proof"] => {
                self.progress = Ended;
                Ok(())
            }
            (_, rule) => Err(format!("this checker does not know the rule `{}` here", rule.escape_debug()).into()),
        }
    }

    /// Returns the number of a variable by its name.
    fn variable(&mut self, name: &str) -> Replayed<u32> {
        if let Some(number) = self.numbers.get(name) {
            return Ok(*number);
        }
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || "[]{}_^-".contains(letter);
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            || name.len() < 2
            || !name.chars().all(is_word)
        {
            return Err(format!("`{}` is not the name of a variable", name.escape_debug()).into());
        }
        let next = self.numbers.len() as u32;
        if next > i32::MAX as u32 {
            return Err("there are too many variables for this checker".into());
        }
        self.numbers.insert(name.to_owned(), next);
        self.occurrences.push(VariableOccurrences::default());
        self.propagated.values.push(0);
        Ok(next)
    }

    fn literal(&mut self, word: &str) -> Replayed<SignedVariable> {
        let (name, negated) = word.strip_prefix('~').map_or((word, false), |name| (name, true));
        Ok(SignedVariable::new(self.variable(name)?, negated))
    }

    /// Reads literals, each after its coefficient.
    fn literals(&mut self, words: &[&str]) -> Replayed<Vec<(i128, SignedVariable)>> {
        let (pairs, rest) = words.as_chunks::<2>();
        if !rest.is_empty() {
            return Err("each literal should stand after its coefficient".into());
        }
        pairs.iter().map(|[factor, literal]| Ok((integer(factor)?, self.literal(literal)?))).collect()
    }

    fn constraint(&mut self, words: &[&str]) -> Replayed<LinearForm> {
        let [terms @ .., ">=", least] = words else { return Err("a constraint should end with `>= NUMBER`".into()) };
        let literals = self.literals(terms)?;
        LinearForm::new(literals, integer(least)?)
    }

    fn add(&mut self, form: &LinearForm) {
        let constraint = form.normal();
        for literal in &constraint.literals {
            self.occurrences[literal.variable()].add(self.constraints.len());
        }
        if let Some(by_form) = &mut self.by_form {
            by_form.entry(form.hash()).or_default().push(self.constraints.len());
        }
        self.constraints.push(Some(constraint));
    }

    /// Returns true if a constraint with exactly this linear form was added and not deleted.
    fn is_known(&mut self, form: &LinearForm) -> Replayed<bool> {
        if self.by_form.is_none() {
            let mut by_form: HashMap<u64, Vec<usize>> = HashMap::new();
            for (position, constraint) in self.constraints.iter().enumerate() {
                if let Some(constraint) = constraint {
                    by_form.entry(constraint.form()?.hash()).or_default().push(position);
                }
            }
            self.by_form = Some(by_form);
        }
        let positions = self.by_form.iter().filter_map(|by_form| by_form.get(&form.hash())).flatten();
        // Different forms can have the same hash.
        for constraint in positions.filter_map(|position| self.constraints[*position].as_ref()) {
            if constraint.form()? == *form {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn position(&self, word: &str) -> Replayed<usize> {
        let number = natural(word)?;
        match self.constraints.get((number as usize).wrapping_sub(1)) {
            Some(Some(_)) => Ok(number as usize - 1),
            _ => Err(format!("there is no constraint {number} at this point").into()),
        }
    }

    fn numbered(&self, word: &str) -> Replayed<&LinearConstraint> {
        let position = self.position(word)?;
        self.constraints[position].as_ref().ok_or_else(|| "the constraint was deleted".into())
    }

    /// Returns the constraint made by operations in reverse Polish notation.
    fn combination(&mut self, words: &[&str]) -> Replayed<LinearForm> {
        let mut stack: Vec<LinearForm> = Vec::new();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let mut operand = || stack.pop().ok_or("an operation has too few operands");
            let made = match *word {
                "+" => {
                    let (right, left) = (operand()?, operand()?);
                    left.plus(&right)?
                }
                "s" => operand()?.saturated()?,
                word => match words.peek() {
                    Some(&&operation @ ("*" | "d")) => {
                        words.next();
                        let number = integer(word)?;
                        if number <= 0 {
                            return Err("a factor and a divisor should be positive".into());
                        }
                        if operation == "*" { operand()?.times(number)? } else { operand()?.divided(number)? }
                    }
                    Some(&&"w") => {
                        words.next();
                        let form = operand()?;
                        form.weakened(self.variable(word)?)
                    }
                    _ if word.starts_with(|first: char| first.is_ascii_digit()) => self.numbered(word)?.form()?,
                    _ => LinearForm::new([(1, self.literal(word)?)], 0)?,
                },
            };
            stack.push(made);
        }
        match (stack.pop(), stack.is_empty()) {
            (Some(form), true) => Ok(form),
            _ => Err("the operations do not make one constraint".into()),
        }
    }

    /// Adds a constraint that follows by propagation in the named constraints, or in all constraints.
    fn follows(&mut self, words: &[&str], stop: &mut dyn FnMut() -> bool) -> Replayed<()> {
        let (constraint, hints) = split_at_colon(words);
        let constraint = self.constraint(constraint)?;
        let hints: Option<Vec<usize>> =
            hints.map(|hints| hints.iter().map(|word| self.position(word)).collect::<Replayed<_>>()).transpose()?;
        if !self.contradicted(&[constraint.negated().normal()], hints.as_deref(), stop)? {
            return Err("the constraint does not follow by propagation".into());
        }
        self.add(&constraint);
        Ok(())
    }

    /// Returns true if these constraints contradict the others, or those at these positions, by propagation.
    fn contradicted(
        &mut self,
        premises: &[LinearConstraint],
        hints: Option<&[usize]>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Replayed<bool> {
        let FormulaProofChecker { propagated, constraints, .. } = self;
        let mut round = || {
            let mut progress = false;
            let mut step = |constraint: &LinearConstraint| {
                let step = propagated.propagate(constraint);
                progress |= matches!(step, PropagationStep::Progress);
                matches!(step, PropagationStep::Conflict)
            };
            let conflict = premises.iter().any(&mut step)
                || match hints {
                    Some(hints) => hints.iter().filter_map(|at| constraints[*at].as_ref()).any(step),
                    None => constraints.iter().flatten().any(step),
                };
            (conflict, progress)
        };
        let result = loop {
            match round() {
                (true, _) => break Ok(true),
                (false, false) => break Ok(false),
                (false, true) if hints.is_none() && stop() => break Err(ReplayEnd::Stopped),
                (false, true) => {}
            }
        };
        propagated.clear();
        result
    }

    /// Adds a redundant constraint: with the values of the witness, each constraint that contains one of its variables
    /// holds, the new one does, too, and the objective is not worse. So a solution that violates the new constraint can
    /// be changed to one that satisfies it.
    fn is_redundant(&mut self, words: &[&str], stop: &mut dyn FnMut() -> bool) -> Replayed<()> {
        let (constraint, mapped) = split_at_colon(words);
        let constraint = self.constraint(constraint)?;
        let mut witness = HashMap::new();
        let (mappings, rest) = mapped.unwrap_or_default().as_chunks::<3>();
        if !rest.is_empty() {
            return Err("a witness should read `VARIABLE -> VALUE …`".into());
        }
        for [variable, arrow, value] in mappings {
            let value = match *value {
                "0" => WitnessValue::Constant(false),
                "1" => WitnessValue::Constant(true),
                literal => WitnessValue::Literal(self.literal(literal)?),
            };
            if *arrow != "->" || witness.insert(self.variable(variable)?, value).is_some() {
                return Err("a witness should read `VARIABLE -> VALUE …`, and have each variable once".into());
            }
        }
        let negated = constraint.negated();
        let mut goals = vec![constraint.substituted(&witness)?];
        for touched in self.touched(&witness) {
            goals.push(touched.form()?.substituted(&witness)?);
        }
        if let Some(objective) = &self.objective
            && objective.terms.iter().any(|(variable, _)| witness.contains_key(variable))
        {
            goals.push(objective.plus(&objective.substituted(&witness)?.times(-1)?)?);
        }
        // Only solutions that violate the new constraint are changed, so each goal may assume the violation.
        for goal in goals {
            if !goal.always_holds()
                && !negated.implies(&goal)?
                && !self.is_known(&goal)?
                && !self.contradicted(&[negated.normal(), goal.negated().normal()], None, stop)?
            {
                return Err("the constraint is not redundant by this witness".into());
            }
        }
        self.add(&constraint);
        Ok(())
    }

    /// Returns the constraints that contain a variable of the witness.
    fn touched(&self, witness: &HashMap<u32, WitnessValue>) -> Vec<&LinearConstraint> {
        let occurrences = || witness.keys().map(|variable| &self.occurrences[*variable as usize]);
        let occurs = |constraint: &&LinearConstraint| {
            constraint.literals.iter().any(|literal| witness.contains_key(&(literal.variable() as u32)))
        };
        if occurrences().all(|one| one.count == 0 || one.total <= FEW_OCCURRENCES) {
            let mut positions: Vec<usize> = occurrences().flat_map(|one| &one.first).copied().collect();
            positions.sort_unstable();
            positions.dedup();
            return positions
                .iter()
                .filter_map(|position| self.constraints[*position].as_ref())
                .filter(occurs)
                .collect();
        }
        self.constraints.iter().flatten().filter(occurs).collect()
    }

    /// Checks a solution, and requires that others are better than it.
    fn solution(&mut self, words: &[&str]) -> Replayed<()> {
        let objective = self.objective.clone().ok_or("without an objective no solution is better than another one")?;
        let literals: Vec<SignedVariable> = words.iter().map(|word| self.literal(word)).collect::<Replayed<_>>()?;
        let mut given = HashSet::new();
        if !literals.iter().all(|literal| given.insert(literal.variable())) {
            return Err("the solution has two values for a variable".into());
        }
        literals.iter().for_each(|literal| self.propagated.set(*literal));
        let values = &self.propagated;
        let holds = |constraint: &LinearConstraint| {
            let held = constraint.terms().filter(|(_, literal)| values.value(*literal) > 0);
            held.map(|(factor, _)| factor).sum::<i128>() >= constraint.least
        };
        // Constraints of the proof may exclude solutions, for example by symmetry, so only the formula counts.
        let violated = self.constraints[..self.of_formula].iter().flatten().position(|constraint| !holds(constraint));
        let has_value = objective.terms.iter().all(|(variable, _)| values.values[*variable as usize] != 0);
        let held = objective.terms.iter().filter(|(variable, _)| values.values[*variable as usize] > 0);
        let value = held.map(|(_, factor)| *factor).sum::<i128>() - objective.least;
        self.propagated.clear();
        if let Some(violated) = violated {
            return Err(format!("the solution does not satisfy constraint {}", violated + 1).into());
        }
        if !has_value {
            return Err("the solution does not have a value for each variable of the objective".into());
        }
        self.best = Some(self.best.map_or(value, |best| best.min(value)));
        let mut better = objective.times(-1)?;
        better.least += 1 - value;
        self.add(&better.bounded()?);
        Ok(())
    }

    fn delete(&mut self, words: &[&str]) -> Replayed<()> {
        let ["id", numbers @ ..] = words else { return Err("this checker deletes by numbers only".into()) };
        for word in numbers {
            let position = self.position(word)?;
            // Solutions are checked against the formula, so it must stay.
            if position < self.of_formula {
                return Err(format!("constraint {} is one of the formula", position + 1).into());
            }
            if let Some(deleted) = self.constraints[position].take() {
                for literal in &deleted.literals {
                    self.occurrences[literal.variable()].count -= 1;
                }
            }
        }
        Ok(())
    }

    fn concluded(&self, words: &[&str]) -> Replayed<ProofConclusion> {
        let bound = |word: &str| if word == "INF" { Ok(None) } else { integer(word).map(Some) };
        match (words, &self.objective) {
            (["UNSAT", ":", number], None) => match self.numbered(number)?.is_contradiction() {
                true => Ok(ProofConclusion::Unsatisfiable),
                false => Err(format!("constraint {number} is not a contradiction").into()),
            },
            (["BOUNDS", lower, ":", number, upper], Some(objective)) => {
                let (lower, upper) = (bound(lower)?, bound(upper)?);
                let from = self.numbered(number)?;
                let shown = match lower {
                    _ if from.is_contradiction() => true,
                    None => false,
                    Some(lower) => {
                        let mut reached = objective.clone();
                        reached.least =
                            reached.least.checked_add(lower).ok_or("the numbers are too large for this checker")?;
                        from.form()?.implies(&reached.bounded()?)?
                    }
                };
                if !shown {
                    return Err(format!("constraint {number} does not show the lower bound").into());
                }
                if upper != self.best {
                    return Err("the upper bound is not the value of the best solution of the proof".into());
                }
                // Without a lower bound, the bound is infinity, and no upper bound may be below it.
                if upper.is_some_and(|upper| lower.is_none_or(|lower| lower > upper)) {
                    return Err("the lower bound is above the upper bound".into());
                }
                Ok(ProofConclusion::Bounds { lower, upper })
            }
            (["NONE"], _) => Err("the proof has no conclusion".into()),
            _ => Err("this checker does not know this conclusion about such a formula".into()),
        }
    }
}

fn split_at_colon<'w>(words: &'w [&'w str]) -> (&'w [&'w str], Option<&'w [&'w str]>) {
    match words.iter().position(|word| *word == ":") {
        Some(at) => (&words[..at], Some(&words[at + 1..])),
        None => (words, None),
    }
}

fn natural(word: &str) -> Replayed<u64> {
    word.parse().map_err(|_| format!("`{}` is not a number", word.escape_debug()).into())
}

fn integer(word: &str) -> Replayed<i128> {
    match word.parse::<i128>() {
        Ok(number) if number.saturating_abs() <= LARGEST_SUM => Ok(number),
        _ => Err(format!("`{}` is not an integer of this checker's size", word.escape_debug()).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each formula with its proof, as in certificates, and the conclusion.
    const PROOFS: [(&str, &str, &str); 7] = [
        // Three pigeons do not fit into two holes.
        (
            "* #variable= 6 #constraint= 12\n1 ~x_1 1 ~x_2 >= 1 ;\n1 x_1 1 x_2 >= 1 ;\n1 ~x_3 1 ~x_4 >= 1 ;\n\
             1 x_3 1 x_4 >= 1 ;\n1 ~x_5 1 ~x_6 >= 1 ;\n1 x_5 1 x_6 >= 1 ;\n1 ~x_1 1 ~x_3 >= 1 ;\n\
             1 ~x_2 1 ~x_4 >= 1 ;\n1 ~x_1 1 ~x_5 >= 1 ;\n1 ~x_2 1 ~x_6 >= 1 ;\n1 ~x_3 1 ~x_5 >= 1 ;\n\
             1 ~x_4 1 ~x_6 >= 1 ;\n",
            "rup 1 ~x_2 >= 1 : 8 10 4 6 11;\nrup 1 x_1 >= 1 : 13 2;\nrup 1 ~x_3 >= 1 : 14 7;\n\
             rup 1 ~x_5 >= 1 : 14 9;\nrup 1 x_4 >= 1 : 15 4;\nrup 1 x_6 >= 1 : 16 6;\nrup >= 1 : 17 18 12;\n\
             output NONE;\nconclusion UNSAT : 19;\n",
            "UNSATISFIABLE",
        ),
        // The objective is the best subset of some numbers.
        (
            "* #variable= 6 #constraint= 4\nmin: 1 ~x_1 4 ~x_2 9 ~x_3 16 ~x_4 25 ~x_5 ;\n\
             1 ~x_1 2 ~x_2 3 ~x_3 4 ~x_4 5 ~x_5 >= 7 ;\n1 x_2 1 x_3 2 ~aux_6 >= 2 ;\n\
             1 ~x_2 1 ~x_3 1 aux_6 >= 1 ;\n1 ~aux_6 >= 1 ;\n",
            "soli ~x_1 ~x_2 x_3 ~x_4 x_5 ~aux_6;\nrup 1 ~x_4 >= 1 : 5 1;\nrup 1 x_3 >= 1 : 6 5;\n\
             rup 1 ~x_2 >= 1 : 7 5 1;\nrup 1 ~x_1 >= 1 : 7 5 1;\nrup >= 1 : 6 8 9 5;\ndel id 6 7;\noutput NONE;\n\
             conclusion BOUNDS 21 : 10 21;\n",
            "BOUNDS 21 <= obj <= 21",
        ),
        // The constraints form odd cycles: a sum is divided, and the bound has no solution.
        (
            "* #variable= 3 #constraint= 3\nmin: 1 x_1 1 x_2 1 x_3 ;\n1 x_1 1 x_2 >= 1 ;\n1 x_2 1 x_3 >= 1 ;\n\
             1 x_1 1 x_3 >= 1 ;\n",
            "pol 1 2 + 3 + 2 d;\npol 4 2 * x_1 + x_1 w s;\noutput NONE;\nconclusion BOUNDS 2 : 4 INF;\n",
            "BOUNDS 2 <= obj <= INF",
        ),
        // New variables are introduced, one of them by a symmetry that leaves the objective unchanged.
        (
            "* #variable= 4 #constraint= 3\nmin: 2 x_1 2 x_2 1 x_3 ;\n1 x_1 1 x_2 >= 1 ;\n\
             3 x_1 3 x_2 2 ~x_3 1 x_4 >= 4 ;\n1 x_3 1 x_4 >= 1 ;\n",
            "red 2 ~node_5 1 x_1 1 x_2 >= 2 : node_5 -> 0;\nred 1 node_5 1 ~x_1 1 ~x_2 >= 1 : node_5 -> 1;\n\
             del id 4 5;\nred 1 x_1 1 ~x_2 >= 1 : x_1 -> x_2 x_2 -> x_1;\nsoli x_1 ~x_2 ~x_3 x_4;\n\
             rup 1 ~x_2 >= 1 : 7 6;\nrup 1 x_1 >= 1;\nrup >= 1 : 7 9;\noutput NONE;\nconclusion BOUNDS 2 : 10 2;\n",
            "BOUNDS 2 <= obj <= 2",
        ),
        // Three variables are written in binary.
        (
            "* #variable= 3 #constraint= 2\n1 x_1 1 x_2 1 x_3 >= 2 ;\n1 ~x_1 1 ~x_2 1 ~x_3 >= 2 ;\n",
            "red 1 x_1 1 x_2 1 x_3 2 ~node_4 >= 2 : node_4 -> 0;\n\
             red 1 ~x_1 1 ~x_2 1 ~x_3 2 node_4 >= 2 : node_4 -> 1;\n\
             red 1 x_1 1 x_2 1 x_3 2 ~node_4 3 ~node_5 >= 3 : node_5 -> 0;\n\
             red 1 ~x_1 1 ~x_2 1 ~x_3 2 node_4 3 node_5 >= 3 : node_5 -> 1;\npol 3 2 * 5 + 3 d;\n\
             pol 4 2 * 6 + 3 d;\npol 1 4 + s;\npol 2 3 + s;\nrup >= 1 : 9 10;\n\
             output NONE;\nconclusion UNSAT : 11;\n",
            "UNSATISFIABLE",
        ),
        // Values are interchangeable: the first of three neighbours has the first of two colours.
        (
            "* #variable= 6 #constraint= 12\n1 x_1 1 x_2 >= 1 ;\n1 ~x_1 1 ~x_2 >= 1 ;\n1 x_3 1 x_4 >= 1 ;\n\
             1 ~x_3 1 ~x_4 >= 1 ;\n1 x_5 1 x_6 >= 1 ;\n1 ~x_5 1 ~x_6 >= 1 ;\n1 ~x_1 1 ~x_3 >= 1 ;\n\
             1 ~x_2 1 ~x_4 >= 1 ;\n1 ~x_1 1 ~x_5 >= 1 ;\n1 ~x_2 1 ~x_6 >= 1 ;\n1 ~x_3 1 ~x_5 >= 1 ;\n\
             1 ~x_4 1 ~x_6 >= 1 ;\n",
            "red 1 x_1 1 ~x_2 >= 1 : x_1 -> x_2 x_2 -> x_1 x_3 -> x_4 x_4 -> x_3 x_5 -> x_6 x_6 -> x_5;\n\
             rup 1 x_1 >= 1 : 13 1;\nrup 1 ~x_3 >= 1 : 14 7;\nrup 1 ~x_5 >= 1 : 14 9;\n\
             rup >= 1 : 15 3 16 5 12;\noutput NONE;\nconclusion UNSAT : 17;\n",
            "UNSATISFIABLE",
        ),
        // There is an objective, but no solution.
        (
            "* #variable= 2 #constraint= 2\nmin: 1 x_1 ;\n5 x_1 3 x_2 >= 6 ;\n4 ~x_1 >= 2 ;\n",
            "pol 1 3 d 2 s +;\nrup >= 1 : 2 1;\noutput NONE;\nconclusion BOUNDS INF : 4 INF;\n",
            "BOUNDS INF <= obj <= INF",
        ),
    ];

    fn texts(formula: &str, steps: &str) -> (String, String) {
        let count = formula.lines().filter(|line| line.contains(">=")).count();
        let head = format!("pseudo-Boolean proof version 3.0\n% Written by hand\nf {count};\n");
        (formula.to_owned(), format!("{head}{steps}end pseudo-Boolean proof;\n"))
    }

    fn run(formula: &str, proof: &str) -> std::result::Result<String, String> {
        let checked = check_formula_proof(&mut formula.as_bytes(), &mut proof.as_bytes(), &mut || false);
        checked
            .map(|checked| checked.expect("nothing stops it").conclusion.to_string())
            .map_err(|fault| fault.to_string())
    }

    /// The smallest value of a formula's objective, or 0 without an objective, by trying all assignments.
    fn smallest(formula: &str) -> Option<i128> {
        let mut checker = FormulaProofChecker::default();
        for line in formula.lines() {
            assert!(checker.formula_line(line.trim_end()).is_ok(), "the checker has read this line: {line}");
        }
        let count = checker.numbers.len();
        assert!(count < 16, "all assignments can be tried");
        let value = |form: &LinearForm, bits: u32| -> i128 {
            form.terms.iter().filter(|(variable, _)| bits >> variable & 1 == 1).map(|(_, factor)| factor).sum()
        };
        let forms: Vec<_> =
            checker.constraints.iter().flatten().map(|one| one.form().ok().expect("small numbers")).collect();
        let objective = checker.objective.clone().unwrap_or_default();
        (0..1 << count)
            .filter(|bits| forms.iter().all(|form| value(form, *bits) >= form.least))
            .map(|bits| value(&objective, bits) - objective.least)
            .min()
    }

    /// Returns true if a conclusion about a formula is true.
    fn is_true(formula: &str, conclusion: &str) -> bool {
        let smallest = smallest(formula);
        if ["UNSATISFIABLE", "BOUNDS INF <= obj <= INF"].contains(&conclusion) {
            return smallest.is_none();
        }
        let words: Vec<&str> = conclusion.split(' ').collect();
        let ["BOUNDS", lower, "<=", "obj", "<=", upper] = words[..] else { return false };
        let lower: i128 = lower.parse().expect("a bound");
        smallest.is_none_or(|smallest| lower <= smallest)
            && (upper == "INF" || smallest.is_some_and(|smallest| smallest <= upper.parse().expect("a bound")))
    }

    #[test]
    fn proofs_are_accepted() {
        for (formula, steps, expected) in PROOFS {
            let (formula, proof) = texts(formula, steps);
            assert_eq!(run(&formula, &proof).as_deref(), Ok(expected));
            assert!(is_true(&formula, expected), "{formula}");
        }
    }

    #[test]
    fn what_is_wrong_is_refused_with_its_line() {
        let cases = [
            (0, "conclusion UNSAT : 19", "conclusion NONE", "line 12 of the proof: the proof has no conclusion"),
            (0, "UNSAT : 19", "UNSAT : 18", "line 12 of the proof: constraint 18 is not a contradiction"),
            (0, ": 13 2;", ": 13 3;", "line 5 of the proof: the constraint does not follow by propagation"),
            (0, ": 13 2;", ": 14 2;", "line 5 of the proof: there is no constraint 14 at this point"),
            (0, "end pseudo-Boolean proof;\n", "", "the proof: the proof has no end"),
            (0, "output NONE", "output PERMUTATION", "line 11 of the proof: this checker knows no output but NONE"),
            (0, "f 12;", "f 11;", "line 3 of the proof: the formula has 12 constraints"),
            (0, "version 3.0", "version 2.0", "line 1 of the proof: the first line should read"),
            (1, "BOUNDS 21 : 10 21", "BOUNDS 22 : 10 22", "the upper bound is not the value of the best solution"),
            (1, "BOUNDS 21 : 10 21", "BOUNDS 22 : 10 21", "the lower bound is above the upper bound"),
            (1, "BOUNDS 21 : 10 21", "BOUNDS INF : 10 21", "the lower bound is above the upper bound"),
            (1, "BOUNDS 21 : 10 21", "BOUNDS 21 : 5 21", "constraint 5 does not show the lower bound"),
            (1, "soli ~x_1 ~x_2", "soli ~x_1 x_2", "the solution does not satisfy constraint 1"),
            (1, "soli ~x_1 ~x_2", "soli x_2 ~x_2", "the solution has two values for a variable"),
            (1, "del id 6 7", "del id 4", "constraint 4 is one of the formula"),
            (1, "soli", "solx", "this checker does not know the rule `solx` here"),
            (2, "+ 2 d", "+ 0 d", "a factor and a divisor should be positive"),
            (2, "+ 2 d", "+ 1 d", "constraint 4 does not show the lower bound"),
            (2, "1 2 + 3 +", "1 2 + 3", "the operations do not make one constraint"),
            (2, "1 2 + 3 +", "1 + 3 +", "an operation has too few operands"),
            (2, "BOUNDS 2 : 4 INF", "BOUNDS 3 : 4 INF", "constraint 4 does not show the lower bound"),
            (3, "node_5 -> 0", "x_1 -> 0", "the constraint is not redundant by this witness"),
            (3, "x_1 -> x_2 x_2 -> x_1", "x_1 -> x_3 x_3 -> x_1", "the constraint is not redundant by this witness"),
            (3, "x_1 -> x_2 x_2 -> x_1", "x_1 -> x_2 x_1 -> x_1", "have each variable once"),
            (6, "rup >= 1 : 2 1", "pol 1 1000000000000000000000000000000000000 * 2 *", "the numbers are too large"),
        ];
        for (number, old, new, expected) in cases {
            let (formula, proof) = texts(PROOFS[number].0, PROOFS[number].1);
            assert!(proof.contains(old), "{old}");
            let fault = run(&formula, &proof.replacen(old, new, 1)).expect_err(expected);
            assert!(fault.contains(expected), "{fault}\ninstead of {expected}");
        }
    }

    #[test]
    fn values_are_ordered_only_once_and_only_by_a_whole_swap() {
        // Two neighbours have different colours, so each has one of two colours, and the colours can be swapped.
        let formula = "* #variable= 4 #constraint= 4\n1 x_1 1 x_2 >= 1 ;\n1 x_3 1 x_4 >= 1 ;\n\
                       1 ~x_1 1 ~x_3 >= 1 ;\n1 ~x_2 1 ~x_4 >= 1 ;\n";
        let whole = "x_1 -> x_2 x_2 -> x_1 x_3 -> x_4 x_4 -> x_3";
        let order = format!("red 1 x_1 1 ~x_2 >= 1 : {whole};\n");
        let message = |steps: &str| {
            let (formula, proof) = texts(formula, &format!("{steps}output NONE;\nconclusion UNSAT : 1;\n"));
            run(&formula, &proof).expect_err("the formula has a solution")
        };
        assert!(message(&order).ends_with("constraint 1 is not a contradiction"), "{}", message(&order));
        // The first neighbour has the first colour, so the second one has the second.
        let implied = format!("{order}rup 1 x_4 >= 1;\n");
        assert!(message(&implied).ends_with("constraint 1 is not a contradiction"), "{}", message(&implied));
        let refused = [
            // The opposite order would exclude all solutions.
            format!("{order}red 1 x_2 1 ~x_1 >= 1 : {whole};\n"),
            format!("{order}red 1 x_3 1 ~x_4 >= 1 : {whole};\n"),
            format!("{order}red 1 ~x_1 >= 1 : {whole};\n"),
            // The swap is not whole, or the images are not the ones of a swap.
            "red 1 x_1 1 ~x_2 >= 1 : x_1 -> x_2 x_2 -> x_1;\n".to_owned(),
            "red 1 x_1 1 ~x_2 >= 1 : x_1 -> x_2 x_2 -> x_1 x_3 -> x_4;\n".to_owned(),
            "red 1 x_1 1 ~x_2 >= 1 : x_1 -> ~x_2 x_2 -> ~x_1 x_3 -> x_4 x_4 -> x_3;\n".to_owned(),
            "red 1 x_1 1 ~x_2 >= 1 : x_1 -> 1 x_2 -> 0;\n".to_owned(),
            // The step requires more than the swap gives.
            format!("red 1 x_1 >= 1 : {whole};\nred 1 x_2 >= 1 : {whole};\n"),
            format!("red 1 x_1 1 ~x_3 >= 2 : {whole};\nred 1 ~x_1 >= 1 : {whole};\n"),
        ];
        for steps in refused {
            let message = message(&steps);
            assert!(message.ends_with("the constraint is not redundant by this witness"), "{message}\n{steps}");
        }
    }

    #[test]
    fn only_constraints_that_were_not_deleted_are_known() {
        let mut checker = FormulaProofChecker::default();
        let line = |checker: &mut FormulaProofChecker, text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            let form = checker.constraint(&words).ok().expect("a constraint");
            checker.add(&form);
        };
        let known = |checker: &mut FormulaProofChecker, text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            let form = checker.constraint(&words).ok().expect("a constraint");
            checker.is_known(&form).ok().expect("small numbers")
        };
        line(&mut checker, "1 x_1 1 ~x_2 >= 1");
        assert!(known(&mut checker, "1 ~x_2 1 x_1 >= 1"));
        assert!(!known(&mut checker, "1 x_1 1 x_2 >= 1"));
        // A weaker and a stronger constraint are others.
        assert!(!known(&mut checker, "1 x_1 1 ~x_2 >= 0"));
        assert!(!known(&mut checker, "1 x_1 1 ~x_2 >= 2"));
        assert!(!known(&mut checker, "2 x_1 2 ~x_2 >= 2"));
        line(&mut checker, "1 x_1 1 x_2 >= 1");
        assert!(known(&mut checker, "1 x_1 1 x_2 >= 1"));
        checker.delete(&["id", "2"]).ok().expect("a deletion");
        assert!(!known(&mut checker, "1 x_1 1 x_2 >= 1"));
        assert!(known(&mut checker, "1 x_1 1 ~x_2 >= 1"));
    }

    /// A symmetry of a formula proves that a solution can be ordered, but never more than that: each formula over four
    /// variables with random clauses is compared with the result of trying all assignments.
    #[test]
    fn random_swaps_prove_nothing_false() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut accepted = 0;
        for _ in 0..3_000 {
            let mut clauses: Vec<String> = (0..random.usize(2..7))
                .map(|_| {
                    let literal = |random: &mut fastrand::Rng| {
                        format!("1 {}x_{}", if random.bool() { "~" } else { "" }, random.u8(1..5))
                    };
                    format!("{} {} >= 1", literal(&mut random), literal(&mut random))
                })
                .collect();
            let swapped = |text: &str| {
                let digit = |letter: char| match letter {
                    '1' => '2',
                    '2' => '1',
                    '3' => '4',
                    '4' => '3',
                    letter => letter,
                };
                let words = text.split(' ').map(|word| match word.split_once('_') {
                    Some((name, number)) => format!("{name}_{}", number.chars().map(digit).collect::<String>()),
                    None => word.to_owned(),
                });
                words.collect::<Vec<_>>().join(" ")
            };
            // Most formulas are symmetric, but in some a clause has no image.
            let images: Vec<String> = clauses.iter().map(|clause| swapped(clause)).collect();
            clauses.extend(images);
            if random.u8(..3) == 0 {
                clauses.pop();
            }
            let witness = "x_1 -> x_2 x_2 -> x_1 x_3 -> x_4 x_4 -> x_3";
            // Two orders in a row: together, they are often too strong.
            let steps: Vec<String> = (0..2)
                .map(|_| {
                    let mut step = ["1 x_1 1 ~x_2", "1 x_2 1 ~x_1", "1 x_3 1 ~x_4", "1 x_4 1 ~x_3"];
                    random.shuffle(&mut step);
                    format!("red {} >= 1 : {witness};\n", step[0])
                })
                .collect();
            let count = clauses.len();
            let formula = format!("* #variable= 4 #constraint= {count}\n{} ;\n", clauses.join(" ;\n"));
            let mut checker = FormulaProofChecker::default();
            for line in formula.lines() {
                assert!(checker.formula_line(line).is_ok(), "{line}");
            }
            checker.of_formula = count;
            checker.progress = ProofProgress::Steps;
            for (number, step) in (4..).zip(&steps) {
                accepted += u32::from(checker.proof_line(step.trim_end(), number, &mut || false).is_ok());
            }
            // The constraints of the proof leave a solution if the formula has one.
            let satisfied = |constraints: &[Option<LinearConstraint>]| {
                (0..1u32 << checker.numbers.len()).any(|bits| {
                    constraints.iter().flatten().all(|constraint| {
                        let holds =
                            |literal: SignedVariable| (bits >> literal.variable() & 1 == 1) != literal.is_negated();
                        let held = constraint.terms().filter(|(_, literal)| holds(*literal)).map(|(factor, _)| factor);
                        held.sum::<i128>() >= constraint.least
                    })
                })
            };
            let before = satisfied(&checker.constraints[..count]);
            assert_eq!(before, satisfied(&checker.constraints), "{formula}{}", steps.concat());
        }
        assert!(accepted > 1_000, "{accepted}");
    }

    /// A text with one change proves nothing false: one place of the formula or of the proof is changed, and a
    /// conclusion that the checker still accepts is true, as trying all assignments shows.
    #[test]
    fn no_change_in_one_place_proves_something_false() {
        const CHANGES: usize = 20_000;
        let letters: Vec<char> = "0123456789~ ;:x-+*dsw>=_\n".chars().collect();
        let mut random = fastrand::Rng::with_seed(1);
        let mut refused = 0;
        for _ in 0..CHANGES {
            let (formula, steps, _) = PROOFS[random.usize(..PROOFS.len())];
            let (mut formula, mut proof) = texts(formula, steps);
            let text = if random.bool() { &mut formula } else { &mut proof };
            let at = random.usize(..text.len());
            let new = letters[random.usize(..letters.len())].to_string();
            match random.u8(..4) {
                0 => text.replace_range(at..=at, ""),
                1 => text.insert_str(at, &new),
                2 => text.replace_range(at..=at, &new),
                _ => {
                    // Replacing one word with another keeps the layout.
                    let words: Vec<&str> = text.split([' ', '\n']).collect();
                    let (old, new) = (words[random.usize(..words.len())], words[random.usize(..words.len())]);
                    let position = text.match_indices(old).map(|(position, _)| position).collect::<Vec<_>>();
                    let position = position[random.usize(..position.len())];
                    let changed = format!("{}{new}{}", &text[..position], &text[position + old.len()..]);
                    *text = changed;
                }
            }
            match run(&formula, &proof) {
                Ok(conclusion) => assert!(is_true(&formula, &conclusion), "{conclusion}\n{formula}{proof}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > CHANGES / 2, "{refused} were refused");
    }

    #[test]
    fn a_replay_can_be_stopped() {
        let (formula, proof) = texts(PROOFS[0].0, &"rup >= 0;\n".repeat(STEPS_BETWEEN_QUESTIONS as usize));
        assert_eq!(check_formula_proof(&mut formula.as_bytes(), &mut proof.as_bytes(), &mut || true), Ok(None));
    }
}
