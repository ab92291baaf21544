//! The answers of external solvers, in the formats of their competitions.

use super::ExportFormat;
use rustc_hash::FxHashMap;

/// The answer of a solver to a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolverAnswer {
    /// The solutions; with an objective, each one is better than those before.
    pub(super) solutions: Vec<AnswerValues>,
    /// True if the solver claims that there are no others, or no better ones.
    pub(super) is_complete: bool,
    /// The reason why there is no answer, if the solver gives one.
    pub unknown: Option<String>,
}

/// Returns the values of the variables, indexed by number, in which these literals hold; a variable without a literal
/// is false. Index 0 is unused.
pub(crate) fn truth_values(literals: &[i32], variables: u32) -> Vec<bool> {
    let mut values = vec![false; variables as usize + 1];
    for literal in literals {
        if let Some(value) = values.get_mut(literal.unsigned_abs() as usize) {
            *value = *literal > 0;
        }
    }
    values
}

/// The values of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AnswerValues {
    /// The literals that hold, by their numbers.
    Literals(Vec<i32>),
    /// The values of variables by name, with 0 for false and 1 for true.
    Terms(FxHashMap<String, i64>),
}

impl SolverAnswer {
    /// Reads an answer; the error is about its format.
    pub fn read(format: ExportFormat, text: &str) -> Result<SolverAnswer, String> {
        match format {
            ExportFormat::Dimacs | ExportFormat::Wcnf | ExportFormat::Opb => competition(text),
            ExportFormat::SmtLib => smt_lib(text),
            ExportFormat::FlatZinc | ExportFormat::MiniZinc => flatzinc(text),
            ExportFormat::EssencePrime => essence_prime(text),
        }
    }

    /// The literals of the first solution.
    pub fn literals(&self) -> Option<&[i32]> {
        self.solutions.iter().find_map(|values| match values {
            AnswerValues::Literals(literals) => Some(literals.as_slice()),
            AnswerValues::Terms(_) => None,
        })
    }

    fn unknown(reason: impl Into<String>) -> Self {
        SolverAnswer { unknown: Some(reason.into()), ..SolverAnswer::default() }
    }

    fn none() -> Self {
        SolverAnswer { is_complete: true, ..SolverAnswer::default() }
    }
}

/// Reads `s SATISFIABLE` with lines `v 1 -2 0`, or `v x1 -x2`, or the values of all variables: `v 0101`.
fn competition(text: &str) -> Result<SolverAnswer, String> {
    let status = text.lines().filter_map(|line| line.strip_prefix("s ")).map(str::trim).next_back();
    let is_optimal = match status.ok_or("there is no line that starts with `s `")? {
        "SATISFIABLE" => false,
        "OPTIMUM FOUND" => true,
        "UNSATISFIABLE" => return Ok(SolverAnswer::none()),
        other => return Ok(SolverAnswer::unknown(format!("the solver says `{other}`"))),
    };
    // A MaxSAT solver may print several solutions; the status applies to the last one.
    let lines = text.lines().filter(|line| *line == "v" || line.starts_with("v "));
    let lines: Vec<Vec<&str>> = lines.map(|line| line[1..].split_whitespace().collect()).collect();
    let words: Vec<&str> = lines.iter().flatten().copied().collect();
    // A list of literals ends with the word `0`. So if there is only one longer word, its bits are the values of all
    // variables.
    let is_bits = |word: &str| word.len() > 1 && word.bytes().all(|digit| matches!(digit, b'0' | b'1'));
    let bits = lines.last().and_then(|line| match line.as_slice() {
        [word] if is_bits(word) => Some(*word),
        _ => None,
    });
    let literals = match bits {
        Some(bits) => {
            let literal = |(number, bit): (i32, u8)| if bit == b'1' { number } else { -number };
            (1..).zip(bits.bytes()).map(literal).collect()
        }
        None => {
            let literal = |word: &str| {
                let (sign, variable) = word.strip_prefix(['-', '~']).map_or((1, word), |variable| (-1, variable));
                let number: i32 = variable.strip_prefix('x').unwrap_or(variable).parse().ok()?;
                Some(sign * number)
            };
            let literals = words.iter().map(|word| literal(word).ok_or_else(|| format!("`{word}` is not a literal")));
            literals.filter(|literal| *literal != Ok(0)).collect::<Result<_, _>>()?
        }
    };
    Ok(SolverAnswer { solutions: vec![AnswerValues::Literals(literals)], is_complete: is_optimal, unknown: None })
}

/// Reads `sat` with values or a model, as `get-value` and `get-model` print them.
fn smt_lib(text: &str) -> Result<SolverAnswer, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let status = words.iter().find(|word| ["sat", "unsat", "unknown"].contains(word));
    match *status.ok_or("there is no `sat`, `unsat` or `unknown`")? {
        "unsat" => return Ok(SolverAnswer::none()),
        "unknown" => return Ok(SolverAnswer::unknown("the solver says `unknown`")),
        _ => {}
    }
    let mut values = FxHashMap::default();
    for (position, name) in words.iter().enumerate() {
        // In a model, an empty list of parameters and a sort follow each name.
        let rest = &words[position + 1..];
        let rest = match rest {
            ["(", ")", "Int" | "Bool", rest @ ..] => rest,
            rest => rest,
        };
        let value = match rest {
            ["true", ..] => Some(1),
            ["false", ..] => Some(0),
            ["(", "-", number, ")", ..] => number.parse::<i64>().ok().map(|number| -number),
            [number, ..] => number.parse().ok(),
            [] => None,
        };
        let is_named = position > 0 && ["(", "define-fun"].contains(&words[position - 1]);
        if let Some(value) = value.filter(|_| is_named && name.starts_with(['b', 'i'])) {
            values.insert((*name).to_owned(), value);
        }
    }
    if values.is_empty() {
        return Err("there are no values of variables".to_owned());
    }
    // Only solvers that have optimised print objectives.
    let is_complete = words.contains(&"objectives");
    Ok(SolverAnswer { solutions: vec![AnswerValues::Terms(values)], is_complete, unknown: None })
}

/// Reads lines `i7 = 3;`, a line `----------` after each solution, and `==========` if the search is complete.
fn flatzinc(text: &str) -> Result<SolverAnswer, String> {
    let mut answer = SolverAnswer::default();
    let mut values = FxHashMap::default();
    let mut has_status = false;
    for line in text.lines().map(str::trim) {
        match line {
            "----------" => answer.solutions.push(AnswerValues::Terms(std::mem::take(&mut values))),
            "==========" => answer.is_complete = true,
            "=====UNSATISFIABLE=====" => answer = SolverAnswer::none(),
            "=====UNKNOWN=====" => answer.unknown = Some("the solver says `UNKNOWN`".to_owned()),
            _ => {
                if let Some((name, value)) = line.strip_suffix(';').and_then(|line| line.split_once('=')) {
                    let value = match value.trim() {
                        "true" => 1,
                        "false" => 0,
                        number => number.parse().map_err(|_| format!("`{number}` is not a value"))?,
                    };
                    values.insert(name.trim().to_owned(), value);
                }
                continue;
            }
        }
        has_status = true;
    }
    if !has_status {
        return Err("there is no line `----------`, `==========` or `=====UNSATISFIABLE=====`".to_owned());
    }
    Ok(answer)
}

/// Reads lines `letting i7 be 3`. A new solution starts at a name that the last one has already. Lines `----------` and
/// `==========` end a solution and the search, as Savile Row prints them.
fn essence_prime(text: &str) -> Result<SolverAnswer, String> {
    let mut answer = SolverAnswer::default();
    let mut values = FxHashMap::default();
    for line in text.lines().map(str::trim) {
        match line {
            "==========" => answer.is_complete = true,
            // The solution of a problem without variables has no lines.
            "----------" => answer.solutions.push(AnswerValues::Terms(std::mem::take(&mut values))),
            _ => {}
        }
        let statement = line.strip_prefix("letting ").and_then(|line| line.split_once(" be "));
        let Some((name, value)) = statement else { continue };
        let value = match value.trim() {
            "true" => 1,
            "false" => 0,
            number => number.parse().map_err(|_| format!("`{number}` is not a value"))?,
        };
        if values.contains_key(name.trim()) {
            answer.solutions.push(AnswerValues::Terms(std::mem::take(&mut values)));
        }
        values.insert(name.trim().to_owned(), value);
    }
    if !values.is_empty() {
        answer.solutions.push(AnswerValues::Terms(values));
    }
    match answer.solutions.is_empty() && !answer.is_complete {
        true => Err("there is no line that starts with `letting `, and no line `==========`".to_owned()),
        false => Ok(answer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(text: &str) -> Option<Vec<i32>> {
        competition(text).expect("an answer").literals().map(<[i32]>::to_vec)
    }

    #[test]
    fn literals_are_written_in_three_ways() {
        for text in ["v 1 -2\nv 3 0\ns SATISFIABLE", "s SATISFIABLE\nv x1 -x2 x3", "s OPTIMUM FOUND\nv 101\n"] {
            assert_eq!(literals(text), Some(vec![1, -2, 3]), "{text}");
        }
        assert_eq!(literals("s SATISFIABLE\nv 1 -10\nv 11\nv 0\n"), Some(vec![1, -10, 11]));
        assert!(competition("s UNSATISFIABLE\n").is_ok_and(|answer| answer == SolverAnswer::none()));
        assert!(competition("s UNKNOWN\n").is_ok_and(|answer| answer.unknown.is_some()));
        assert!(competition("segmentation fault").is_err());
        assert!(competition("s SATISFIABLE\nv one two 0").is_err());
    }

    #[test]
    fn models_of_smt_solvers_have_two_forms() {
        let expected: FxHashMap<String, i64> =
            [("b2", 1), ("i7", -3), ("i8", 4)].map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        let values = "sat\n((b2 true) (i7 (- 3))\n (i8 4))\n";
        let model =
            "sat\n(model\n (define-fun i7 () Int (- 3))\n (define-fun b2 () Bool true) (define-fun i8 () Int 4))";
        for text in [values, model] {
            assert_eq!(
                smt_lib(text).map(|answer| answer.solutions),
                Ok(vec![AnswerValues::Terms(expected.clone())]),
                "{text}"
            );
        }
        assert!(smt_lib("unsat\n(error \"no model\")").is_ok_and(|answer| answer == SolverAnswer::none()));
        assert!(smt_lib("(error \"line 3\")").is_err());
    }

    #[test]
    fn solutions_in_essence_prime_follow_one_another() {
        let text = "language ESSENCE' 1.0\nletting b2 be true\nletting i7 be -3\n----------\n\
                    letting b2 be false\nletting i7 be 4\n----------\n==========\n";
        let answer = essence_prime(text).expect("an answer");
        assert_eq!(answer.solutions.len(), 2);
        assert!(answer.is_complete);
        assert!(essence_prime("==========").is_ok_and(|answer| answer == SolverAnswer::none()));
        assert!(essence_prime("ERROR: line 3").is_err());
        assert!(essence_prime("letting i7 be {1}").is_err());
    }

    #[test]
    fn constraint_solvers_print_one_solution_after_another() {
        let answer = flatzinc("% hello\ni7 = -3;\nb2 = true;\n----------\ni7 = 4;\n----------\n==========\n")
            .expect("an answer");
        assert_eq!(answer.solutions.len(), 2);
        assert!(answer.is_complete);
        assert!(flatzinc("=====UNSATISFIABLE=====").is_ok_and(|answer| answer == SolverAnswer::none()));
        assert!(flatzinc("i7 = 3;").is_err());
        assert!(flatzinc("i7 = [1, 2];\n----------").is_err());
    }
}
