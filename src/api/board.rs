//! Boards: instances whose cells people set, one after the other.

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
        /// How to draw the board on which the values are set; it is not drawn by default.
        pub pictures: Option<Pictures>,
        /// When to end before everything is known.
        pub search: EngineOptions,
    }
}

/// A drawing of a board without values, with the places of its cells.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BoardStage {
    /// The drawing.
    pub svg: String,
    /// The places that show the values of cells.
    pub slots: Vec<BoardSlot>,
}

impl BoardStage {
    /// The outline of the sign of [`SlotMark::Queen`], in a square of 45.
    pub const QUEEN: &str = svg::QUEEN;
}

/// A place in the drawing of a board.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BoardSlot {
    /// The position of the cell.
    pub cell: usize,
    /// If the place only shows whether the cell has one value: the position of this value.
    pub value: Option<usize>,
    /// The position of the value that the data give the cell as a hint.
    pub given: Option<usize>,
    /// How a value is shown.
    pub mark: SlotMark,
    /// The left and the upper edge, the width and the height.
    pub rectangle: [f64; 4],
    /// What is written there, whatever the value is; empty for nothing.
    pub label: String,
    /// If values are shown as colours: the fill and the colour of texts for each value of the cell.
    pub paints: Vec<(&'static str, &'static str)>,
}

/// A part of a decision variable that a person can set: an element of a matrix, an image of a function, whether a value
/// is in a set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardCell {
    /// The name: `board[1, 2]`.
    pub name: String,
    /// The decision variable that it is a part of.
    pub variable: String,
    /// The indices, arguments, fields and members that lead to it, as people read them: `1`, `2`.
    pub labels: Vec<String>,
    /// The values that it can have by its domain; empty for a cell that is shown but cannot be set.
    pub values: Vec<BoardValue>,
}

/// A value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardValue {
    /// The value as people read it: `3`, `12.50` in a unit, `night`.
    pub shown: String,
    /// As a constraint: `board[1, 2] = 3`.
    pub says: String,
}

/// What a cell has in a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownValue {
    /// The value at this position in the list of the cell.
    Listed(usize),
    /// Another value, as people read it, of a cell whose values are not listed.
    Other(String),
    /// None of the values: the cell is part of what is undefined or absent.
    Nothing,
}

/// What a board hands on while it is asked.
#[non_exhaustive]
pub enum BoardEvent<'a> {
    /// The cells, before anything is searched, and the drawing of the board if it is wanted and there is one.
    Cells(&'a [BoardCell], Option<&'a BoardStage>),
    /// A solution, with what each cell has in it.
    Solution(&'a Solution, &'a [ShownValue]),
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
        let set = options.set.iter().map(find).collect::<Result<Vec<_>, Halt>>()?;
        let mut answer = BoardAnswer::stopped(StopReason::Interrupted);
        answer.stopped = None;
        let names = self.bound.names.in_units();
        if let Some(wanted) = options.solutions {
            let (end, solutions) = board.solutions(&set, wanted.most(), &options.search, &mut |values, chosen| {
                let solution = Solution::new(self.bound.clone(), values.clone());
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
    /// The drawing of a board; `None` if no variable has one.
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
    /// A limit came before anything was known.
    fn stopped(stopped: StopReason) -> Self {
        BoardAnswer { possible: Vec::new(), conflict: None, status: None, solutions: 0, stopped: Some(stopped) }
    }
}
