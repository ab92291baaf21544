//! Search strategies and their short notation.

use std::{fmt, str::FromStr};

/// A strategy: the inference after each assignment, and the orders of variables and values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    pub(crate) inference: Inference,
    /// True if arcs are made consistent before the search (AC-3; Mackworth 1977).
    pub(crate) preprocess: bool,
    pub(crate) variables: VariableOrder,
    pub(crate) values: ValueOrder,
}

/// The inference after each assignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Inference {
    /// Constraints are checked once all their variables are assigned.
    #[default]
    None,
    /// Values that conflict with the assignment are removed (Haralick and Elliott 1980).
    ForwardChecking,
    /// Arc consistency is maintained (Sabin and Freuder 1994).
    Mac,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum VariableOrder {
    /// The order of the model.
    #[default]
    AsWritten,
    /// Fewest remaining values first.
    Mrv,
    /// Fewest remaining values first; ties go to the variable in most constraints with other unassigned variables.
    MrvDegree,
    /// Smallest ratio of remaining values to the weights of the variable's constraints, which grow with each dead end
    /// (Boussemart, Hemery, Lecoutre and Sais 2004).
    DomWdeg,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ValueOrder {
    /// Ascending.
    #[default]
    AsWritten,
    /// The value that rules out the fewest values of other variables first.
    Lcv,
}

impl Strategy {
    /// The words of strategies, each with its meaning.
    pub const WORDS: [(&'static str, &'static str); 8] = [
        ("bt", "backtracking alone"),
        ("fc", "forward checking"),
        ("mac", "arc consistency after each assignment"),
        ("ac3", "arc consistency before the search"),
        ("mrv", "fewest remaining values first"),
        ("mrv-degree", "fewest remaining values first, then most constraints"),
        ("dom/wdeg", "smallest ratio of remaining values to constraint weights first"),
        ("lcv", "least constraining value first"),
    ];

    /// The six strategies that `--compare` starts with.
    pub const COMPARED: [&'static str; 6] = ["bt", "fc", "mac", "ac3", "mrv", "ac3+fc+mrv"];

    /// Forward checking with the variable order of a model's `heuristic`; by default fewest remaining values first.
    pub(crate) fn of_heuristic(heuristic: Option<&str>) -> Strategy {
        let variables = match heuristic {
            Some("static") => VariableOrder::AsWritten,
            Some("conflict" | "wdeg" | "domoverwdeg") => VariableOrder::DomWdeg,
            _ => VariableOrder::Mrv,
        };
        Strategy { inference: Inference::ForwardChecking, variables, ..Strategy::default() }
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut strategy = Strategy::default();
        let (mut inference, mut order) = (None, None);
        for word in text.split('+') {
            let clash = |earlier: &mut Option<String>| match earlier.replace(word.to_owned()) {
                // Only different words contradict each other, so `mac+mac` is allowed.
                Some(earlier) if earlier != word => Err(format!("`{earlier}` and `{word}` cannot be combined")),
                _ => Ok(()),
            };
            match word {
                "bt" => clash(&mut inference)?,
                "fc" => {
                    clash(&mut inference)?;
                    strategy.inference = Inference::ForwardChecking;
                }
                "mac" => {
                    clash(&mut inference)?;
                    strategy.inference = Inference::Mac;
                }
                // Propagation before the search works with each inference, so this word never clashes.
                "ac3" => strategy.preprocess = true,
                "mrv" | "mrv-degree" | "dom/wdeg" => {
                    clash(&mut order)?;
                    strategy.variables = match word {
                        "mrv" => VariableOrder::Mrv,
                        "mrv-degree" => VariableOrder::MrvDegree,
                        _ => VariableOrder::DomWdeg,
                    };
                }
                "lcv" => strategy.values = ValueOrder::Lcv,
                _ => {
                    let words: Vec<&str> = Strategy::WORDS.iter().map(|(word, _)| *word).collect();
                    return Err(format!("`{word}` is not one of {}", words.join(", ")));
                }
            }
        }
        Ok(strategy)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            if self.preprocess { "ac3" } else { "" },
            match self.inference {
                Inference::None => "",
                Inference::ForwardChecking => "fc",
                Inference::Mac => "mac",
            },
            match self.variables {
                VariableOrder::AsWritten => "",
                VariableOrder::Mrv => "mrv",
                VariableOrder::MrvDegree => "mrv-degree",
                VariableOrder::DomWdeg => "dom/wdeg",
            },
            if self.values == ValueOrder::Lcv { "lcv" } else { "" },
        ];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        f.write_str(if words.is_empty() { "bt".to_owned() } else { words.join("+") }.as_str())
    }
}
