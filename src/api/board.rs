//! Boards: instances whose cells people set, one after the other.

use super::{Count, Instance, Report, Solution, SolveStatus, stack::deep};
use crate::{
    diagnostic::{Code, Diagnostic},
    explore::{Possibility, Space},
    halt::{Halt, StopReason},
    pipeline::{self, SearchSummary},
    solver::EngineOptions,
};

/// What is asked of a board.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BoardOptions {
    /// The constraints of the values that are set: [`BoardValue::says`].
    pub set: Vec<String>,
    /// How many solutions are wanted that keep what is set; none by default.
    pub solutions: Option<Count>,
    /// Whether to find out which values are still possible.
    pub possible: bool,
    /// The names of the cells that are asked about first.
    pub first: Vec<String>,
    /// When to end before everything is known.
    pub search: EngineOptions,
}

setters!(BoardOptions {
    set: Vec<String>,
    solutions: Option<Count>,
    possible: bool,
    first: Vec<String>,
    search: EngineOptions,
});

/// A part of a decision variable that a person can set: an element of a matrix, an image of a function, whether a value
/// is in a set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardCell {
    /// The name: `board[1, 2]`.
    pub name: String,
    /// The decision variable that it is a part of.
    pub variable: String,
    /// The values that it can have by its domain.
    pub values: Vec<BoardValue>,
}

/// A value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardValue {
    /// The value: `3`.
    pub shown: String,
    /// As a constraint: `board[1, 2] = 3`.
    pub says: String,
}

/// What a board hands on while it is asked.
#[non_exhaustive]
pub enum BoardEvent<'a> {
    /// The cells, before anything is searched.
    Cells(&'a [BoardCell]),
    /// A solution, and the position of each cell's value in it.
    Solution(&'a Solution, &'a [Option<usize>]),
}

/// What is known about a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoardAnswer {
    /// For each cell and each value whether a solution that keeps the other set cells has it; empty if this was not
    /// asked.
    pub possible: Vec<Vec<Possibility>>,
    /// The set constraints that no solution has together, none of which can be left out.
    pub conflict: Option<Vec<String>>,
    /// How the search for solutions has ended, if it was asked for.
    pub status: Option<SolveStatus>,
    /// The number of solutions that were handed on.
    pub solutions: usize,
    /// What ended the search for what is possible before everything was known.
    pub stopped: Option<StopReason>,
}

impl Instance {
    /// Tells what a board can still become.
    ///
    /// ```
    /// use conjure_like::{BoardOptions, Model, Possibility, Text};
    ///
    /// let text = "find x, y : int(1..3)\nsuch that x < y";
    /// let instance = Model::read(&Text::new("two.essence", text))?.instance(&[])?;
    /// let options = BoardOptions::default().set(vec!["x = 2".to_owned()]).possible(true);
    /// let answer = instance.board(&options, &mut |_| ())?;
    /// assert_eq!(answer.possible[1], [Possibility::Impossible, Possibility::Impossible, Possibility::Possible]);
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The instance is too large, or a constraint is not one of a cell's values.
    pub fn board(
        &self,
        options: &BoardOptions,
        on_event: &mut dyn FnMut(BoardEvent<'_>),
    ) -> Result<BoardAnswer, Report> {
        deep(|| self.asked(options, on_event)).or_else(|halt| Ok(BoardAnswer::stopped(self.limit(halt)?)))
    }

    fn asked(&self, options: &BoardOptions, on_event: &mut dyn FnMut(BoardEvent<'_>)) -> Result<BoardAnswer, Halt> {
        let lowered = pipeline::lower(&self.bound, &options.search)?;
        let board = Space::new(&self.bound, &self.sources, &lowered)?;
        let cell = |cell: &crate::explain::Cell| BoardCell {
            name: cell.name.clone(),
            variable: cell.variable.to_string(),
            values: cell
                .options
                .iter()
                .map(|option| BoardValue { shown: option.shown.clone(), says: option.as_constraint().to_owned() })
                .collect(),
        };
        let cells: Vec<BoardCell> = board.cells.iter().map(cell).collect();
        on_event(BoardEvent::Cells(&cells));
        let find = |says: &String| {
            board.option(says).ok_or_else(|| {
                let error = format!("`{says}` does not say the value of a cell");
                Halt::from(Diagnostic::error(Code::COMMAND_LINE, error))
            })
        };
        let set = options.set.iter().map(find).collect::<Result<Vec<_>, Halt>>()?;
        let mut answer = BoardAnswer::stopped(StopReason::Interrupted);
        answer.stopped = None;
        if let Some(wanted) = options.solutions {
            let (end, solutions) = board.solutions(&set, wanted.most(), &options.search, &mut |values, chosen| {
                let solution = Solution::new(self.bound.clone(), values.clone());
                on_event(BoardEvent::Solution(&solution, &chosen));
            })?;
            let optimising = self.bound.model.objective.is_some();
            answer.status = Some(SearchSummary { end, solutions, optimising }.into());
            answer.solutions = solutions;
        }
        if options.possible {
            let is_first = |cell: &BoardCell| options.first.contains(&cell.name);
            let first: Vec<usize> = (0..cells.len()).filter(|number| is_first(&cells[*number])).collect();
            let found = board.possible(&set, &first, &options.search);
            answer.possible = found.options;
            let says = |position: usize| options.set[position].clone();
            answer.conflict = found.conflict.map(|conflict| conflict.into_iter().map(says).collect());
            answer.stopped = found.stopped;
        }
        Ok(answer)
    }
}

impl BoardAnswer {
    /// A limit came before anything was known.
    fn stopped(stopped: StopReason) -> Self {
        BoardAnswer { possible: Vec::new(), conflict: None, status: None, solutions: 0, stopped: Some(stopped) }
    }
}
