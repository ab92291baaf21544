//! The status of a search, and its wording for all front ends.

use crate::{
    halt::StopReason,
    pipeline::SearchSummary,
    solver::{SearchEnd, Statistics},
};
use std::fmt::{self, Display, Formatter};

/// The way in which a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolveStatus {
    /// The search found the requested number of solutions.
    Satisfied,
    /// These are all solutions, and there is at least one.
    AllSolutions,
    /// The last solution is optimal.
    Optimal,
    /// There is no solution.
    Unsatisfiable,
    /// The deadline was reached.
    TimeLimit,
    /// Another thread ended the search.
    Interrupted,
    /// The solver gave up for this reason.
    Unknown(String),
}

impl SolveStatus {
    /// Returns true if no limit ended the search early.
    pub fn is_definite(&self) -> bool {
        !matches!(self, SolveStatus::TimeLimit | SolveStatus::Interrupted | SolveStatus::Unknown(_))
    }

    /// The reason why the solver gave up, if it did.
    pub fn reason(&self) -> Option<&str> {
        if let SolveStatus::Unknown(reason) = self { Some(reason) } else { None }
    }

    /// The cause that ended the search early, such as "the time limit".
    pub fn stopped_by(&self) -> Option<String> {
        match self {
            SolveStatus::TimeLimit => Some("the time limit".to_owned()),
            SolveStatus::Interrupted => Some("an interruption".to_owned()),
            SolveStatus::Unknown(reason) => Some(format!("the solver ({reason})")),
            _ => None,
        }
    }

    /// Returns true if there is no solution.
    pub fn is_unsatisfiable(&self) -> bool {
        *self == SolveStatus::Unsatisfiable
    }

    /// Returns true if the search found the requested number of solutions, so that there may be more.
    pub fn found_enough(&self) -> bool {
        *self == SolveStatus::Satisfied
    }

    /// Returns true if the last solution is optimal.
    pub fn is_optimal(&self) -> bool {
        *self == SolveStatus::Optimal
    }

    /// Returns true if a time limit or another thread ended the search.
    pub fn was_interrupted(&self) -> bool {
        matches!(self, SolveStatus::TimeLimit | SolveStatus::Interrupted)
    }

    /// Returns true if all solutions are known, including the case that there are none.
    pub fn knows_all(&self) -> bool {
        matches!(self, SolveStatus::AllSolutions | SolveStatus::Unsatisfiable)
    }

    /// Describes the end of the search, as the end of a sentence.
    pub fn as_clause(&self) -> &'static str {
        match self {
            SolveStatus::Unsatisfiable => "there is no solution",
            SolveStatus::Satisfied => "it ended with the wanted number of solutions",
            SolveStatus::AllSolutions => "all solutions were found",
            SolveStatus::Optimal => "a best solution was found and proved",
            SolveStatus::TimeLimit | SolveStatus::Interrupted | SolveStatus::Unknown(_) => "a limit ended the search",
        }
    }

    /// Describes the end of a search with this number of solutions, as a sentence.
    pub fn says(&self, solutions: usize) -> String {
        let found = match solutions {
            0 => "no solution had been found".to_owned(),
            1 => "1 solution was found".to_owned(),
            count => format!("{count} solutions were found"),
        };
        match self {
            SolveStatus::Satisfied | SolveStatus::AllSolutions if solutions == 1 => "1 solution found.".to_owned(),
            SolveStatus::Satisfied => format!("{solutions} solutions found."),
            SolveStatus::AllSolutions => format!("{solutions} solutions found; there are no more."),
            SolveStatus::Optimal => "This is a best solution.".to_owned(),
            SolveStatus::Unsatisfiable => "No solutions found.".to_owned(),
            SolveStatus::TimeLimit => format!("The time limit ended the search; {found}."),
            SolveStatus::Interrupted => format!("The search was ended; {found}."),
            SolveStatus::Unknown(reason) => format!("The solver gave up: {reason}; {found}."),
        }
    }
}

impl From<SearchSummary> for SolveStatus {
    fn from(searched: SearchSummary) -> Self {
        match searched.end {
            // If there are no solutions, nothing is optimal, so this case precedes `optimising`.
            SearchEnd::Complete if searched.solutions == 0 => SolveStatus::Unsatisfiable,
            SearchEnd::Complete if searched.optimising => SolveStatus::Optimal,
            SearchEnd::Complete => SolveStatus::AllSolutions,
            SearchEnd::Enough => SolveStatus::Satisfied,
            SearchEnd::Stopped(stopped) => stopped.into(),
        }
    }
}

/// The status in one or two words, without the reason for [`SolveStatus::Unknown`].
impl Display for SolveStatus {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SolveStatus::Satisfied => "satisfied",
            SolveStatus::AllSolutions => "all solutions",
            SolveStatus::Optimal => "optimal",
            SolveStatus::Unsatisfiable => "unsatisfiable",
            SolveStatus::TimeLimit => "time limit",
            SolveStatus::Interrupted => "interrupted",
            SolveStatus::Unknown(_) => "unknown",
        })
    }
}

impl From<StopReason> for SolveStatus {
    fn from(stopped: StopReason) -> Self {
        match stopped {
            StopReason::TimeLimit => SolveStatus::TimeLimit,
            StopReason::Interrupted => SolveStatus::Interrupted,
            StopReason::Unknown(reason) => SolveStatus::Unknown(reason),
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The way in which the search ended.
    pub status: SolveStatus,
    /// The number of reported solutions.
    pub solutions: usize,
    /// The solver's statistics; [`SolverName::Brute`](crate::SolverName::Brute) has none.
    pub statistics: Option<Statistics>,
}

impl Summary {
    /// Describes the end of the search as a sentence.
    pub fn says(&self) -> String {
        self.status.says(self.solutions)
    }
}
