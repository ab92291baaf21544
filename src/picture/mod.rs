//! Pictures of solutions, as a person would draw them on paper.
//!
//! Each decision variable becomes a [`Picture`]: a shape as data, without coordinates and colours. The variable's type
//! determines the shape ([`choose`]), unless a comment in the model asks for another shape and for data to draw into it
//! ([`comment`]). Two renderers draw it: [`terminal`] for terminals and [`svg`], which [`html`] puts on a page.
//! [`stage`] draws it without values, for pages that fill in the cells. Everything is deterministic, so the same
//! solution always has the same picture.
//!
//! You may change how pictures look. Boards and apps rely on the cells: each cell of a picture names the part of the
//! variable that it shows.

mod arcs;
mod board;
mod canvas;
pub(crate) mod choose;
pub(crate) mod comment;
mod front;
pub(crate) mod html;
mod layout;
mod packing;
mod roles;
mod schedule;
pub(crate) mod stage;
pub(crate) mod svg;
pub(crate) mod terminal;
mod tour;

use crate::language::unit::Unit;
pub(crate) use choose::pictures_of_solution;
pub(crate) use comment::{Directive, directives};
pub(crate) use layout::arrange;
pub use svg::Mark as SlotMark;

/// The pictures of one solution, with a heading that distinguishes it from other solutions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// The heading.
    pub heading: String,
    /// The pictures, one below the other.
    pub pictures: Vec<Picture>,
    /// The values of the goals if the goals compete; a page plots them.
    pub goals: Vec<GoalValue>,
}

/// The value of a goal in a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalValue {
    /// The goal in Essence.
    pub goal: String,
    /// The value.
    pub value: i64,
    /// The value for readers, in its unit if the model declares one.
    pub shown: String,
}

/// The formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureFormat {
    /// Lines of text, for terminals.
    Text,
    /// A single drawing.
    Svg,
    /// A page.
    Html,
}

impl PictureFormat {
    /// Renders the pictures of several solutions. The title is used only on a page; lines of text may have bold
    /// letters.
    pub fn render(self, title: &str, sheets: &[Sheet], bold: bool) -> String {
        match self {
            PictureFormat::Text => {
                sheets.iter().map(|sheet| terminal::render_pictures(&sheet.pictures, bold)).collect()
            }
            PictureFormat::Svg => svg::svg_document(sheets),
            PictureFormat::Html => html::pictures_page(title, sheets),
        }
    }
}

/// A picture of a decision variable.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Picture {
    /// The name of the variable, or of a part if the variable has several pictures.
    pub name: String,
    pub(crate) shape: Shape,
}

impl Picture {
    /// The slots of the picture: the parts of the variable that it shows one by one.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &Slot> {
        let (cells, nodes) = match &self.shape {
            Shape::Grid(grid) => (&grid.rows[..], &[][..]),
            Shape::Graph(graph) => (&[][..], &graph.nodes[..]),
            _ => (&[][..], &[][..]),
        };
        let cells = cells.iter().flatten().filter_map(|cell| cell.slot.as_ref());
        cells.chain(nodes.iter().filter_map(|node| node.slot.as_ref()))
    }

    /// Returns true if the picture is more than text.
    pub(crate) fn is_drawn(&self) -> bool {
        !matches!(self.shape, Shape::Text(_))
    }

    /// Returns true if the picture is drawn as one piece, without slots that a page fills.
    pub fn is_whole(&self) -> bool {
        self.is_drawn() && self.slots().next().is_none()
    }

    /// Returns true if the picture only lists the members of sets or a relation, as ticks for the possible members do.
    /// The parts of a partition have no names, so that ticks would show only pairs.
    pub(crate) fn lists_members(&self) -> bool {
        match &self.shape {
            Shape::Containers(containers) => {
                let is_named = containers.len() == 1 || containers.iter().all(|set| !set.label.is_empty());
                is_named && containers.iter().flat_map(|set| &set.items).all(|item| matches!(item, Item::Text(_)))
            }
            Shape::Grid(grid) => grid.style == GridStyle::Plain && grid.regions.is_empty() && grid.sums.is_none(),
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a solution has few pictures, each with one shape")]
pub(crate) enum Shape {
    Grid(Grid),
    Graph(Graph),
    Containers(Vec<Container>),
    Gantt(Gantt),
    Tour(Tour),
    Packing(Packing),
    /// A value in Essence.
    Text(String),
}

impl Shape {
    /// Returns true if the shape is not empty; an empty collection is shown as a value.
    fn shows_something(&self) -> bool {
        match self {
            Shape::Graph(graph) => !graph.nodes.is_empty() || !graph.notes.is_empty(),
            Shape::Containers(containers) => !containers.is_empty(),
            Shape::Tour(tour) => !tour.places.is_empty(),
            Shape::Grid(_) | Shape::Gantt(_) | Shape::Packing(_) | Shape::Text(_) => true,
        }
    }
}

/// Cells in rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Grid {
    /// The rows, each with the same number of cells.
    pub rows: Vec<Vec<GridCell>>,
    /// The names before the rows; empty if there are none.
    pub row_names: Vec<String>,
    /// The names above the columns, of one or more lines each; empty if there are none.
    pub column_names: Vec<String>,
    /// The groups of cells with a border or a label.
    pub regions: Vec<Region>,
    pub signs: Vec<Sign>,
    /// The distance between thicker lines, in rows and columns; 0 for none.
    pub block: usize,
    pub sums: Option<Sums>,
    pub style: GridStyle,
    /// The meanings of the tones of the cells.
    pub legend: Vec<String>,
    /// Remarks that the drawing itself cannot show.
    pub notes: Vec<String>,
    /// A text that must fit into each cell in addition to its lines; may be empty.
    pub room: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GridStyle {
    #[default]
    Plain,
    /// Squares in two shades; every cell that is not empty holds a queen.
    Chessboard,
    /// Cells without text, filled if a value is present.
    Mosaic,
}

/// A group of cells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    /// The rows and columns of the cells, ascending.
    pub cells: Vec<(usize, usize)>,
    /// The label in the first cell; may be empty.
    pub label: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GridCell {
    /// The lines of the cell; none for an empty cell.
    pub lines: Vec<String>,
    /// A position in the legend.
    pub tone: Option<usize>,
    /// True if the value comes from the data, not from the search.
    pub given: bool,
    /// The part of the decision variable that the cell shows, if it shows one part.
    pub slot: Option<Slot>,
}

/// The part of a decision variable that a cell or a node shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot {
    /// The part's name in the model: `board[1, 2]`, `f(3)`, `(1, 2) in r`.
    pub part: String,
    /// The value (in Essence) whose presence the cell shows, if the cell shows nothing else.
    pub value: Option<String>,
    /// The value (in Essence) of the part in the data, as a hint.
    pub given: Option<String>,
}

/// A comparison between a cell and its neighbour on the right or below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    pub row: usize,
    pub column: usize,
    pub below: bool,
    /// True if the cell is less than its neighbour.
    pub less: bool,
}

/// The sums of the rows, the columns and the two diagonals of a square: first the falling diagonal, then the rising
/// one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sums {
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    pub diagonals: Option<(String, String)>,
}

/// Nodes and edges between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Graph {
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<Edge>,
    /// The meanings of the tones of the nodes.
    pub legend: Vec<String>,
    /// Remarks that the drawing itself cannot show.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GraphNode {
    pub label: String,
    /// A position in the legend.
    pub tone: Option<usize>,
    /// The part of the decision variable that determines the tone.
    pub slot: Option<Slot>,
}

/// An edge between two nodes, by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub from: usize,
    pub to: usize,
    pub directed: bool,
    /// True if the edge was found and the picture also has given edges.
    pub strong: bool,
}

/// A set, or a part of a partition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Container {
    /// The label; may be empty.
    pub label: String,
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Text(String),
    Container(Container),
}

/// Bars on a time axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gantt {
    pub lanes: Vec<Lane>,
    /// The unit of the times.
    pub unit: Option<Unit>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lane {
    pub name: String,
    /// The bars, in ascending order of their starts.
    pub bars: Vec<Bar>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    pub label: String,
    pub start: i64,
    /// The length, which is not negative.
    pub length: i64,
    /// The tone; bars with the same tone belong together.
    pub tone: usize,
}

/// Places, and routes between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tour {
    pub places: Vec<TourStop>,
    pub routes: Vec<Route>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TourStop {
    pub label: String,
    /// The coordinates, counted from the left and from the bottom. Either all places of a tour have coordinates, or
    /// none has.
    pub at: Option<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    /// The label; empty if there is only one route.
    pub label: String,
    /// The positions of the places, in the order of the route.
    pub stops: Vec<usize>,
    /// True if the route returns from the last place to the first.
    pub closed: bool,
}

/// Rectangles whose coordinates count from the left and from the bottom.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Packing {
    pub boxes: Vec<Rectangle>,
    /// The width and the height of the space, if they are known.
    pub frame: Option<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rectangle {
    pub label: String,
    pub corner: (i64, i64),
    /// The width and the height, both positive.
    pub size: (i64, i64),
    /// The corner and the size, as text.
    pub place: String,
}

impl Packing {
    /// Returns the lower left and the upper right corner of the bounding box.
    pub(crate) fn extent(&self) -> ((i64, i64), (i64, i64)) {
        // The frame starts at (0, 0), which is always inside the box.
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
    /// Returns a time for readers, in its unit.
    pub(crate) fn shown(&self, time: i64) -> String {
        self.unit.map_or_else(|| time.to_string(), |unit| unit.shown(time))
    }

    /// Returns the bounds of the time axis. It starts at 0, or at the first start if that is negative.
    pub(crate) fn span(&self) -> (i64, i64) {
        let bars = || self.lanes.iter().flat_map(|lane| &lane.bars);
        let first = bars().map(|bar| bar.start).min().unwrap_or(0);
        let last = bars().map(|bar| bar.start + bar.length).max().unwrap_or(0);
        // Renderers divide by the length, so it is at least 1.
        (first.min(0), last.max(first.min(0) + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::visible;

    #[test]
    fn no_character_is_lost_or_hidden_in_text_and_in_xml() {
        let picture = Picture { name: "\u{1}<&>".to_owned(), shape: Shape::Text("\"\u{ffff}\u{7}".to_owned()) };
        let sheet = Sheet { pictures: vec![picture], ..Sheet::default() };
        let document = svg::svg_document(&[sheet]);
        assert!(document.contains("\\u{1}&lt;&amp;&gt; = &quot;\\u{ffff}\\u{7}"), "{document}");
        let allowed = |character: char| !visible::is_hidden(character);
        assert!(document.chars().all(allowed), "{document}");
    }
}
