//! Explores the space of solutions of an instance.

use super::{Instance, Pictures, Report, Solution, stack::deep};
use crate::{
    diagnostic::{Code, Diagnostic, counted, visible},
    explore::{self, Bounds, Space, SpaceSummary},
    explore::{Estimate, Extent, Possibility},
    halt::{Halt, StopReason},
    pipeline,
    solver::EngineOptions,
};
use serde_json::{Value, json};
use std::fmt::Write;

/// The largest number of parts in the text for people. Chosen.
const MOST_PARTS: usize = 100;

with_setters! {
    /// Options for an exploration.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct ExploreOptions {
        /// The largest number of solutions to enumerate and keep; up to 72 are always enumerated and kept.
        pub most: usize,
        /// The size of the random sample if there are more solutions.
        pub sample: usize,
        /// The seed of the estimate and the sample.
        pub seed: u64,
        /// The words and pictures of a page of HTML that shows the space, if one is requested.
        pub page: Option<ExplorePage>,
        /// The limits of the search.
        pub search: EngineOptions,
    }
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions { most: 10_000, sample: 500, seed: 1, page: None, search: EngineOptions::default() }
    }
}

with_setters! {
    /// The words and pictures of a page about a space of solutions.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct ExplorePage {
        /// The title.
        pub title: String,
        /// The pictures of the model's variables: [`Model::pictures`](crate::Model::pictures).
        pub pictures: Pictures,
    }
}

/// The known facts about the solutions of an instance; with an objective, about its optimal solutions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exploration {
    /// True if these are the optimal solutions of an objective.
    pub optimising: bool,
    /// All solutions, or some of them.
    pub solutions: Vec<Solution>,
    /// The extent of `solutions`: all, a sample, or the first ones.
    pub extent: Extent,
    /// The number of solutions found by enumeration; a lower bound if these are not all.
    pub found: usize,
    /// An estimate of the number of solutions, if these are not all.
    pub estimate: Option<Estimate>,
    /// The parts of decision variables whose domains have several values.
    pub parts: Vec<ExploredPart>,
    /// The indices of solutions that differ most from each other.
    pub different: Vec<usize>,
    /// The classes of solutions (as indices) that are images of each other under the symmetries of the model; only if
    /// all solutions are known.
    pub classes: Option<Vec<Vec<usize>>>,
    /// The number of symmetries that generate the classes.
    pub symmetries: usize,
    /// The limit that ended the search early.
    pub stopped: Option<StopReason>,
    /// The page, if it was requested.
    pub page: Option<String>,
}

/// A part of a decision variable: an element of a matrix, an image of a function, or the membership of a value in a
/// set.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExploredPart {
    /// The name: `board[1, 2]`.
    pub name: String,
    /// The values in the domain of the part.
    pub values: Vec<ExploredValue>,
}

/// A value in the domain of a part.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExploredValue {
    /// The value: `3`.
    pub shown: String,
    /// The value as a constraint: `board[1, 2] = 3`.
    pub says: String,
    /// Possible if some solution has this value. This is exact, not estimated from a sample.
    pub possible: Possibility,
    /// The number of kept solutions that have this value.
    pub solutions: usize,
}

impl ExploredPart {
    /// The value that the part has in all solutions, if there is only one.
    pub fn backbone(&self) -> Option<&ExploredValue> {
        // If it is unknown whether a second value is possible, the backbone is unknown, too.
        let mut left = self.values.iter().filter(|value| value.possible != Possibility::Impossible);
        let only = left.next().filter(|only| only.possible == Possibility::Possible);
        if left.next().is_none() { only } else { None }
    }
}

impl Instance {
    /// Explores the space of solutions; with an objective, of the optimal solutions.
    ///
    /// ```
    /// use conjure_like::{ExploreOptions, Extent, Model, Text};
    ///
    /// let text = "find x, y : int(1..3)\nsuch that x < y, y != 2";
    /// let instance = Model::read(&Text::new("two.essence", text))?.instance(&[])?;
    /// let space = instance.explore(&ExploreOptions::default())?;
    /// assert_eq!((space.extent, space.solutions.len()), (Extent::All, 2));
    /// assert_eq!(space.parts[1].backbone().map(|value| value.says.as_str()), Some("y = 3"));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the instance is too large, or if an expression is undefined where it must have a value.
    pub fn explore(&self, options: &ExploreOptions) -> Result<Exploration, Report> {
        // If a limit is reached before the first result, the exploration is empty, which is not an error.
        deep(|| self.explored(options)).or_else(|halt| Ok(self.unexplored(self.limit(halt)?)))
    }

    fn explored(&self, options: &ExploreOptions) -> Result<Exploration, Halt> {
        let model = &self.bound.model;
        let chosen = [
            model
                .competing_goals()
                .map(|goals| (goals.value.span, "the best solutions of goals that compete cannot be explored")),
            model.dominance.as_ref().map(|dominance| {
                (dominance.relation.span, "the solutions that a dominance relation chooses cannot be explored")
            }),
        ];
        if let Some((span, message)) = chosen.into_iter().flatten().next() {
            let error = Diagnostic::error(Code::COMMAND_LINE, message).at(span, "this chooses among the solutions");
            return Err(error.help("leave this statement out to explore all solutions").into());
        }
        // Symmetry breaking would hide solutions, so the space is explored without it.
        let lowered = pipeline::lower_instance(&self.bound, &options.search)?;
        let bounds = Bounds { most: options.most, sample: options.sample, seed: options.seed };
        let space = Space::of_best(&self.bound, &self.sources, &lowered, &options.search)?;
        let explored = space.explore(bounds, &options.search)?;
        let page = options
            .page
            .as_ref()
            .map(|page| explore::space_page::space_page(&page.title, &space, &explored, &page.pictures.directives));
        let parts = explored_parts(&space, &explored);
        let solution = |point: explore::SolutionPoint| Solution::new(self.bound.clone(), point.solution);
        Ok(Exploration {
            optimising: self.bound.model.objective.is_some(),
            solutions: explored.points.into_iter().map(solution).collect(),
            extent: explored.extent,
            found: explored.found,
            estimate: explored.estimate,
            parts,
            different: explored.different,
            classes: explored.classes,
            symmetries: explored.symmetries,
            stopped: explored.stopped,
            page,
        })
    }
}

impl Exploration {
    /// Renders the answer for people.
    pub fn to_text(&self) -> String {
        let best = self.optimising;
        let mut text = String::new();
        let here = self.solutions.len();
        let _ = match self.extent {
            Extent::All if here == 0 => writeln!(text, "There is no solution."),
            Extent::All if here == 1 => {
                writeln!(text, "There is 1 {}.", if best { "best solution" } else { "solution" })
            }
            Extent::All => writeln!(text, "There are {}.", solutions_in_words(here, best)),
            _ if self.found == 0 => writeln!(text, "No solution is known yet."),
            _ => writeln!(text, "There are at least {}.", solutions_in_words(self.found, best)),
        };
        if let Some(estimate) = &self.estimate {
            let (low, high) = (estimate.solutions / estimate.factor, estimate.solutions * estimate.factor);
            let percent = estimate.confidence * 100.0;
            let _ = writeln!(
                text,
                "Estimate: {}; with a probability of at least {percent:.0}%, the number is between {} and {}.",
                rounded(estimate.solutions),
                // There are at least as many solutions as were enumerated.
                rounded(low.max(self.found as f64)),
                rounded(high.max(self.found as f64))
            );
        }
        if here == 0 {
            return text;
        }
        let fixed = self.parts.iter().filter(|part| part.backbone().is_some()).count();
        let have = if fixed == 1 { "has" } else { "have" };
        // If some value is unknown, the part may still have the same value in all solutions.
        let is_unknown = |part: &ExploredPart| part.values.iter().any(|value| value.possible == Possibility::Unknown);
        let least = if self.parts.iter().any(is_unknown) { "At least " } else { "" };
        let _ =
            writeln!(text, "\n{least}{fixed} of {} parts {have} the same value in all solutions.", self.parts.len());
        let of = match self.extent {
            Extent::All => String::new(),
            Extent::Sample => format!(" of {here} in a random sample"),
            Extent::First => format!(" of the first {here}"),
        };
        if here > 1 && !self.parts.is_empty() {
            let _ = writeln!(text, "Possible values, with the number of solutions{of}:");
        }
        let width = self.parts.iter().take(MOST_PARTS).map(|part| part.name.chars().count()).max().unwrap_or(0);
        for part in self.parts.iter().take(MOST_PARTS) {
            let _ = writeln!(text, "  {:width$}  {}", visible::line(&part.name), values_of_part(part, here));
        }
        if self.parts.len() > MOST_PARTS {
            let _ = writeln!(text, "  and {} more parts", self.parts.len() - MOST_PARTS);
        }
        if let Some(classes) = self.classes.as_ref().filter(|classes| classes.len() < here) {
            let classes = if classes.len() == 1 { "1 class".to_owned() } else { format!("{} classes", classes.len()) };
            let _ = writeln!(text, "\nUnder the symmetries that the model shows, the solutions form {classes}.");
        }
        if let [first, second, ..] = self.different[..] {
            let of = match self.extent {
                Extent::All => "solutions",
                Extent::Sample => "solutions of the sample",
                Extent::First => "of these solutions",
            };
            let _ = writeln!(text, "\nTwo {of} that differ most:\n");
            let essence = [first, second].map(|number| {
                let text = self.solutions[number].to_string();
                text.trim_start_matches("language Essence 1.3").trim().to_owned()
            });
            let _ = writeln!(text, "{}", essence.join("\n\n"));
        }
        text
    }

    /// Returns the answer as data, as `conjure-like explore --output-format=json` writes it.
    pub fn to_value(&self) -> Value {
        self.as_data(true)
    }

    /// Returns the answer as data without the solutions, which may be many, and without the members that refer to
    /// them.
    pub(crate) fn without_solutions(&self) -> Value {
        self.as_data(false)
    }

    fn as_data(&self, with_solutions: bool) -> Value {
        let parts = self.parts.iter().map(|part| {
            let values = part.values.iter().map(|value| {
                let possible = value.possible.known();
                json!({
                    "value": value.shown,
                    "constraint": value.says,
                    "possible": possible,
                    "solutions": value.solutions,
                })
            });
            json!({
                "name": part.name,
                "backbone": part.backbone().map(|value| &value.shown),
                "values": values.collect::<Vec<_>>(),
            })
        });
        let mut data = json!({
            "extent": self.extent.name(),
            "found": self.found,
            "estimate": self.estimate.map(|estimate| json!({
                "solutions": estimate.solutions,
                "factor": estimate.factor,
                "confidence": estimate.confidence,
            })),
            "parts": parts.collect::<Vec<_>>(),
        });
        if with_solutions {
            data["different"] = json!(self.different);
            data["classes"] = json!(self.classes);
        }
        data["symmetries"] = self.symmetries.into();
        data["complete"] = self.stopped.is_none().into();
        if with_solutions {
            data["solutions"] = self.solutions.iter().map(Solution::to_value).collect();
        }
        data
    }
}

impl Instance {
    /// Returns the exploration if a limit was reached before any result.
    fn unexplored(&self, stopped: StopReason) -> Exploration {
        Exploration {
            optimising: self.bound.model.objective.is_some(),
            solutions: Vec::new(),
            extent: Extent::First,
            found: 0,
            estimate: None,
            parts: Vec::new(),
            different: Vec::new(),
            classes: None,
            symmetries: 0,
            stopped: Some(stopped),
            page: None,
        }
    }
}

fn explored_parts(space: &Space, explored: &SpaceSummary) -> Vec<ExploredPart> {
    let part = |(number, cell): (usize, &crate::explain::Cell)| {
        let mut counts = vec![0; cell.options.len()];
        for point in &explored.points {
            // These counts refer to the listed solutions, which may be a sample.
            counts[point.options[number]] += 1;
        }
        let value = |(option, solutions): (usize, usize)| ExploredValue {
            shown: cell.options[option].reads.clone(),
            says: cell.options[option].is.clone(),
            possible: explored.possible[number][option],
            solutions,
        };
        ExploredPart { name: cell.name.clone(), values: counts.into_iter().enumerate().map(value).collect() }
    };
    space.cells.iter().enumerate().map(part).collect()
}

/// Renders a number of solutions.
fn solutions_in_words(number: usize, best: bool) -> String {
    let kind = if best { "best solution" } else { "solution" };
    counted(number, kind)
}

/// Renders an estimate with three digits.
fn rounded(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.2e}") }
}

/// Lists the possible values of a part.
fn values_of_part(part: &ExploredPart, here: usize) -> String {
    // Impossible values are left out, and unknown ones are marked.
    let left = part.values.iter().filter(|value| value.possible != Possibility::Impossible);
    let shown = left.map(|value| {
        let shown = visible::line(&value.shown);
        match value.possible {
            Possibility::Unknown => format!("{shown} (unknown)"),
            // If a value occurs in all solutions, it needs no count.
            _ if value.solutions == here => shown.into_owned(),
            _ => format!("{shown} ({})", value.solutions),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}
