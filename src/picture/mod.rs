//! Pictures of solutions: what a person would draw on paper.
//!
//! Each decision variable becomes a [`Picture`]: a shape as data, without coordinates and colours. The shape is chosen from
//! the variable's type ([`choose`]), unless a comment in the model asks for another one and for data to be
//! drawn into it ([`comment`]). Two renderers make something to look at of it: [`text`] for terminals and
//! [`svg`], which [`html`] puts on a page. Everything is deterministic, so that the same solution has the same picture.

mod board;
mod canvas;
pub mod choose;
pub mod comment;
pub mod html;
mod layout;
mod network;
mod packing;
mod roles;
mod schedule;
pub mod svg;
pub mod text;
mod tour;

pub use choose::draw;
pub use comment::{Directive, directives};

/// The pictures of one solution, with a heading that tells it from others.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub heading: String,
    pub pictures: Vec<Picture>,
}

/// What pictures are rendered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Lines of text, for terminals.
    Text,
    /// One drawing.
    Svg,
    /// A page.
    Html,
}

impl PictureFormat {
    /// The text of a file with the pictures of some solutions. A page shows the title; in lines of text some letters may be bold.
    pub fn render(self, title: &str, sheets: &[Sheet], bold: bool) -> String {
        match self {
            PictureFormat::Text => sheets.iter().map(|sheet| text::render(&sheet.pictures, bold)).collect(),
            PictureFormat::Svg => svg::document(sheets),
            PictureFormat::Html => html::page(title, sheets),
        }
    }
}

/// A picture of a decision variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The variable, and which part of it if it takes several pictures.
    pub name: String,
    pub(crate) shape: Shape,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Grid(Grid),
    Graph(Graph),
    Containers(Vec<Container>),
    Gantt(Gantt),
    Tour(Tour),
    Packing(Packing),
    /// A value as Essence writes it.
    Text(String),
}

/// Cells in rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// All rows have as many cells.
    pub rows: Vec<Vec<GridCell>>,
    /// What stands before each row; empty if nothing does.
    pub row_names: Vec<String>,
    /// What stands above each column, of one or more lines; empty if nothing does.
    pub column_names: Vec<String>,
    /// Cells that belong together.
    pub regions: Vec<Region>,
    pub signs: Vec<Sign>,
    /// After so many rows and columns there is a thicker line; 0 for never.
    pub block: usize,
    pub sums: Option<Sums>,
    pub style: GridStyle,
    /// What the tones of the cells stand for.
    pub legend: Vec<String>,
    /// What is to be said but cannot be drawn.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridStyle {
    #[default]
    Plain,
    /// Squares in two shades; every cell that is not empty holds a queen.
    Chessboard,
    /// Cells without text, filled where something is there.
    Mosaic,
}

/// Cells, by row and column, that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Ascending.
    pub cells: Vec<(usize, usize)>,
    /// What is written in the first cell; empty if nothing is.
    pub label: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridCell {
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
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<Edge>,
    /// What the tones of the nodes stand for.
    pub legend: Vec<String>,
    /// What is to be said but is not drawn.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GraphNode {
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
    /// What was found, where there are edges besides that were known before.
    pub strong: bool,
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

/// Places, and routes from one to the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tour {
    pub places: Vec<TourStop>,
    pub routes: Vec<Route>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TourStop {
    pub label: String,
    /// From the left, and from the bottom up. All places of a tour have coordinates, or none.
    pub at: Option<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Empty if there is only one.
    pub label: String,
    /// The positions of the places in their order.
    pub stops: Vec<usize>,
    /// From the last place it goes back to the first one.
    pub closed: bool,
}

/// Rectangles, from the left and from the bottom up.
#[derive(Clone, Debug, PartialEq)]
pub struct Packing {
    pub boxes: Vec<Rectangle>,
    /// How wide and how high the space is, if that is known.
    pub frame: Option<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Rectangle {
    pub label: String,
    pub corner: (i64, i64),
    /// Both are positive.
    pub size: (i64, i64),
}

impl Packing {
    /// The lower left and the upper right corner of everything.
    pub fn extent(&self) -> ((i64, i64), (i64, i64)) {
        let frame = self.frame.unwrap_or((0, 0));
        let low =
            |part: fn(&(i64, i64)) -> i64| self.boxes.iter().map(|one| part(&one.corner)).min().unwrap_or(0).min(0);
        let high = |part: fn(&(i64, i64)) -> i64| {
            self.boxes.iter().map(|one| part(&one.corner) + part(&one.size)).max().unwrap_or(0).max(part(&frame))
        };
        ((low(|at| at.0), low(|at| at.1)), (high(|at| at.0), high(|at| at.1)))
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::visible;

    #[test]
    fn no_character_is_lost_or_hidden_in_text_and_in_xml() {
        let sheet = Sheet {
            heading: String::new(),
            pictures: vec![Picture { name: "\u{1}<&>".to_owned(), shape: Shape::Text("\"\u{ffff}\u{7}".to_owned()) }],
        };
        let document = svg::document(&[sheet]);
        assert!(document.contains("\\u{1}&lt;&amp;&gt; = &quot;\\u{ffff}\\u{7}"), "{document}");
        let allowed = |character: char| !visible::is_hidden(character);
        assert!(document.chars().all(allowed), "{document}");
    }
}
