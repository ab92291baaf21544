//! Boards: instances whose cells a user sets one after the other.

use super::{Count, Instance, Pictures, Report, Solution, SolveStatus, stack::deep};
use crate::{
    diagnostic::{Code, Diagnostic},
    explain::Cell,
    explore::{Possibility, Space},
    halt::{Halt, StopReason},
    picture::{
        stage::stage_to_play,
        svg::{self, Mark as SlotMark, SlotBox},
    },
    pipeline::{self, SearchSummary},
    solver::EngineOptions,
};
use rustc_hash::FxHashSet;

with_setters! {
    /// Options for a question about a board.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct BoardOptions {
        /// The constraints of the values that are set: [`BoardValue::says`].
        pub set: Vec<String>,
        /// The number of solutions to find that keep these values; none by default.
        pub solutions: Option<Count>,
        /// Find the values that are still possible.
        pub possible: bool,
        /// The names of the cells to examine first.
        pub first: Vec<String>,
        /// The pictures for drawing the board; it is not drawn by default.
        pub pictures: Option<Pictures>,
        /// The limits of the search.
        pub search: EngineOptions,
    }
}

/// A drawing of a board without values, with the positions of its cells.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BoardStage {
    /// The drawing.
    pub svg: String,
    /// The slots that show the values of cells.
    pub slots: Vec<BoardSlot>,
}

impl BoardStage {
    /// The outline of [`SlotMark::Queen`], in a square of side 45.
    pub const QUEEN: &str = svg::QUEEN;
}

/// A slot in the drawing of a board.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BoardSlot {
    /// The index of the cell.
    pub cell: usize,
    /// The index of the value, if the slot only shows whether the cell has this value.
    pub value: Option<usize>,
    /// The index of the value that the data give the cell as a hint.
    pub given: Option<usize>,
    /// The way in which the slot shows a value.
    pub mark: SlotMark,
    /// The left edge, the upper edge, the width and the height.
    pub rectangle: [f64; 4],
    /// The text in the slot, whatever the value is; empty for none.
    pub label: String,
    /// The fill colour and the text colour for each value of the cell, if values are shown as colours.
    pub paints: Vec<(&'static str, &'static str)>,
}

/// A part of a decision variable that a user can set: an element of a matrix, an image of a function, or the membership
/// of a value in a set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardCell {
    /// The name: `board[1, 2]`.
    pub name: String,
    /// The decision variable that the cell belongs to.
    pub variable: String,
    /// The indices, arguments, fields and members that lead to the cell, for display: `1`, `2`.
    pub labels: Vec<String>,
    /// The values in the domain of the cell; empty for a cell that is shown but cannot be set.
    pub values: Vec<BoardValue>,
}

/// A value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardValue {
    /// The value for display: `3`, `12.50` in a unit, `night`.
    pub shown: String,
    /// The value as a constraint: `board[1, 2] = 3`.
    pub says: String,
}

/// The value of a cell in a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownValue {
    /// The value with this index in the list of the cell.
    Listed(usize),
    /// Another value, for display, of a cell whose values are not listed.
    Other(String),
    /// No value: the cell belongs to a part that is undefined or absent.
    Nothing,
}

/// An intermediate result of [`Instance::board`].
#[non_exhaustive]
pub enum BoardEvent<'a> {
    /// The cells, before the search starts, and the drawing of the board if it was requested and exists.
    Cells(&'a [BoardCell], Option<&'a BoardStage>),
    /// A solution, with the value of each cell.
    Solution(&'a Solution, &'a [ShownValue]),
}

/// The answer to a question about a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoardAnswer {
    /// For each value of each cell: possible if a solution that keeps the other set cells has this value. Empty if
    /// this was not requested.
    pub possible: Vec<Vec<Possibility>>,
    /// A minimal subset of the set constraints that no solution satisfies together.
    pub conflict: Option<Vec<String>>,
    /// The status of the search for solutions, if it was requested.
    pub status: Option<SolveStatus>,
    /// The number of solutions that were reported.
    pub solutions: usize,
    /// The limit that ended the search for possible values early.
    pub stopped: Option<StopReason>,
}

impl Instance {
    /// Finds the values and solutions that are still possible on a board.
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
    /// Returns an error if the instance is too large, or if a constraint is not a value of a cell.
    pub fn board(
        &self,
        options: &BoardOptions,
        on_event: &mut dyn FnMut(BoardEvent<'_>),
    ) -> Result<BoardAnswer, Report> {
        deep(|| self.asked(options, on_event)).or_else(|halt| Ok(BoardAnswer::stopped(self.limit(halt)?)))
    }

    fn asked(&self, options: &BoardOptions, on_event: &mut dyn FnMut(BoardEvent<'_>)) -> Result<BoardAnswer, Halt> {
        let lowered = pipeline::lower_instance(&self.bound, &options.search)?;
        let board = Space::new(&self.bound, &self.sources, &lowered)?;
        let cell = |cell: &Cell| BoardCell {
            name: cell.name.clone(),
            variable: cell.variable.to_string(),
            labels: cell.labels.clone(),
            values: cell
                .options
                .iter()
                .map(|option| BoardValue { shown: option.reads.clone(), says: option.as_constraint().to_owned() })
                .collect(),
        };
        let cells: Vec<BoardCell> = board.cells.iter().map(cell).collect();
        let stage = options.pictures.as_ref().and_then(|pictures| self.stage(&board, pictures));
        on_event(BoardEvent::Cells(&cells, stage.as_ref()));
        let find = |says: &String| {
            board.option(says).ok_or_else(|| {
                let error = format!("`{says}` does not say the value of a cell");
                Halt::from(Diagnostic::error(Code::COMMAND_LINE, error))
            })
        };
        // Cells have already been reported, so a page can show the board even if a value in it is wrong.
        let set = options.set.iter().map(find).collect::<Result<Vec<_>, Halt>>()?;
        // Initially, the answer has no results, and no limit has been reached.
        let mut answer = BoardAnswer::stopped(StopReason::Interrupted);
        answer.stopped = None;
        let names = self.bound.names.in_units();
        if let Some(wanted) = options.solutions {
            let (end, solutions) = board.solutions(&set, wanted.most(), &options.search, &mut |values, chosen| {
                let solution = Solution::new(self.bound.clone(), values.clone());
                // A value outside the list occurs only in a cell that users cannot set, which shows its text.
                let shown = |(cell, chosen): (&Cell, Option<usize>)| match (chosen, &cell.unlisted) {
                    (Some(chosen), _) => ShownValue::Listed(chosen),
                    (None, Some(unlisted)) => {
                        unlisted.shown(values, &names).map_or(ShownValue::Nothing, ShownValue::Other)
                    }
                    (None, None) => ShownValue::Nothing,
                };
                let shown: Vec<ShownValue> = board.cells.iter().zip(chosen).map(shown).collect();
                on_event(BoardEvent::Solution(&solution, &shown));
            })?;
            let optimising = self.bound.model.objective.is_some();
            answer.status = Some(SearchSummary { end, solutions, optimising }.into());
            answer.solutions = solutions;
        }
        if options.possible {
            let is_first = |cell: &BoardCell| options.first.contains(&cell.name);
            // These cells are visible to the user, so if a limit is reached, the others should be incomplete.
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

impl Instance {
    /// Returns the drawing of a board; `None` if no variable has one.
    fn stage(&self, board: &Space<'_>, pictures: &Pictures) -> Option<BoardStage> {
        let names: FxHashSet<&str> = board.cells.iter().map(|cell| cell.name.as_str()).collect();
        let stage = stage_to_play(&self.bound, &pictures.directives, |part| names.contains(part))?;
        let slot = |(one, cell, value): (&SlotBox, usize, Option<usize>)| BoardSlot {
            cell,
            value,
            given: one
                .slot
                .given
                .as_ref()
                .and_then(|given| board.cells[cell].options.iter().position(|option| option.shown == *given)),
            mark: one.mark,
            rectangle: one.rectangle(),
            label: one.label.clone(),
            paints: match one.mark {
                SlotMark::Tone => {
                    let values: Vec<String> = board.cells[cell].options.iter().map(|one| one.shown.clone()).collect();
                    svg::colours::paints(&values).iter().map(|paint| (paint.fill, paint.text)).collect()
                }
                _ => Vec::new(),
            },
        };
        Some(BoardStage { slots: board.slots(&stage.boxes).map(slot).collect(), svg: stage.svg })
    }
}

impl BoardAnswer {
    /// Returns the answer if a limit was reached before anything was known.
    fn stopped(stopped: StopReason) -> Self {
        BoardAnswer { possible: Vec::new(), conflict: None, status: None, solutions: 0, stopped: Some(stopped) }
    }
}
