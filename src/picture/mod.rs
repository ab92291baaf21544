//! Pictures of solutions: what a person would draw on paper.
//!
//! Each decision variable becomes a [`Picture`]: a shape as data, without coordinates and colours. The shape is chosen from
//! the variable's type ([`choose`]), unless a comment in the model asks for another one and for data to be
//! drawn into it ([`comment`]). Two renderers make something to look at of it: [`text`] for terminals and
//! [`svg`], which [`html`] puts on a page. Everything is deterministic, so that the same solution has the same picture.

mod board;
pub mod choose;
pub mod comment;
pub mod html;
mod layout;
mod network;
mod schedule;
pub mod svg;
pub mod text;

pub use choose::draw;
pub use comment::{Directive, directives};

/// The pictures of one solution, with a heading that tells it from others.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub heading: String,
    pub pictures: Vec<Picture>,
}

/// A picture of a decision variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The variable, and which part of it if it takes several pictures.
    pub name: String,
    pub shape: Shape,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Grid(Grid),
    Graph(Graph),
    Containers(Vec<Container>),
    Gantt(Gantt),
    /// A value as Essence writes it.
    Text(String),
}

/// Cells in rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// All rows have as many cells.
    pub rows: Vec<Vec<Cell>>,
    /// What stands before each row; empty if nothing does.
    pub row_names: Vec<String>,
    /// What stands above each column; empty if nothing does.
    pub column_names: Vec<String>,
    pub signs: Vec<Sign>,
    /// After so many rows and columns there is a thicker line; 0 for never.
    pub block: usize,
    pub sums: Option<Sums>,
    pub style: Style,
    /// What the tones of the cells stand for.
    pub legend: Vec<String>,
    /// What is to be said but cannot be drawn.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    #[default]
    Plain,
    /// Squares in two shades; every cell that is not empty holds a queen.
    Chessboard,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Nothing for an empty cell.
    pub lines: Vec<String>,
    /// A position in the legend.
    pub tone: Option<usize>,
    /// Known before, not found.
    pub given: bool,
}

/// A comparison between a cell and its neighbour to the right or below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    pub row: usize,
    pub column: usize,
    pub below: bool,
    /// The cell holds less than its neighbour.
    pub less: bool,
}

/// The sums of rows, columns, and of the two diagonals of a square: the falling one and the rising one.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums {
    pub rows: Vec<i64>,
    pub columns: Vec<i64>,
    pub diagonals: Option<(i64, i64)>,
}

/// Nodes and edges between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// What the tones of the nodes stand for.
    pub legend: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub label: String,
    /// A position in the legend.
    pub tone: Option<usize>,
}

/// An edge between two nodes, by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub directed: bool,
}

/// A set, a part of a partition: things together.
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    /// Empty if it has none.
    pub label: String,
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Text(String),
    Container(Container),
}

/// Bars on a time axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Gantt {
    pub lanes: Vec<Lane>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    pub name: String,
    /// Ascending in their starts.
    pub bars: Vec<Bar>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub label: String,
    pub start: i64,
    /// Not negative.
    pub length: i64,
    /// Bars with the same tone belong together.
    pub tone: usize,
}

impl Gantt {
    /// Where the time axis begins and ends: from 0, or from the first start if that is earlier.
    pub fn span(&self) -> (i64, i64) {
        let bars = || self.lanes.iter().flat_map(|lane| &lane.bars);
        let first = bars().map(|bar| bar.start).min().unwrap_or(0);
        let last = bars().map(|bar| bar.start + bar.length).max().unwrap_or(0);
        (first.min(0), last.max(first.min(0) + 1))
    }
}
