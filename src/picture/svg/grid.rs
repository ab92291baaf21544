//! Grids: boards of numbers with signs between them, squares with blocks, chessboards, and tables with names on their edges.

use super::{
    Drawing, FAINT, FOUND, Font, INK, LINE, SHADE,
    colours::{Paint, of_palette, paints},
    text_width,
};
use crate::picture::{Cell, Grid, Style, Sums};

const GIVEN: Paint = Paint { fill: SHADE, text: INK, edge: "#b9c2cf" };
const EMPTY: Paint = Paint { fill: "#ffffff", text: FOUND, edge: LINE };

/// Where rows and columns begin, and how large they are.
struct Raster {
    x: Vec<f64>,
    y: Vec<f64>,
    width: Vec<f64>,
    height: Vec<f64>,
}

impl Raster {
    /// Columns and rows of these sizes with gaps between them.
    fn new(width: Vec<f64>, height: Vec<f64>, gap: f64, origin: (f64, f64)) -> Self {
        let starts = |sizes: &[f64], first: f64| {
            let begin = |next: &mut f64, size: &f64| {
                let here = *next;
                *next += size + gap;
                Some(here)
            };
            sizes.iter().scan(first, begin).collect()
        };
        Raster { x: starts(&width, origin.0), y: starts(&height, origin.1), width, height }
    }

    fn end(&self) -> (f64, f64) {
        let end = |starts: &[f64], sizes: &[f64]| starts.last().unwrap_or(&0.0) + sizes.last().unwrap_or(&0.0);
        (end(&self.x, &self.width), end(&self.y, &self.height))
    }

    fn corner(&self, row: usize, column: usize) -> (f64, f64) {
        (self.x[column], self.y[row])
    }

    fn size(&self, row: usize, column: usize) -> (f64, f64) {
        (self.width[column], self.height[row])
    }

    fn middle(&self, row: usize, column: usize) -> (f64, f64) {
        (self.x[column] + self.width[column] / 2.0, self.y[row] + self.height[row] / 2.0)
    }
}

pub fn draw(grid: &Grid) -> Drawing {
    let mut drawing = match grid {
        Grid { style: Style::Chessboard, .. } => chessboard(grid),
        Grid { row_names, column_names, .. } if !(row_names.is_empty() && column_names.is_empty()) => table(grid),
        _ => board(grid),
    };
    for note in &grid.notes {
        let baseline = drawing.height + 24.0;
        drawing.text(2.0, baseline, note, Font { size: 15.0, colour: INK, anchor: "start", bold: false });
        drawing.width = drawing.width.max(text_width(note, 15.0) + 2.0);
        drawing.height = baseline + 4.0;
    }
    if grid.rows.iter().flatten().any(|cell| cell.given) {
        drawing.legend(&[(GIVEN, "given".to_owned()), (EMPTY, "found".to_owned())]);
    }
    drawing
}

fn columns(grid: &Grid) -> usize {
    grid.rows.first().map_or(0, Vec::len)
}

/// The size of the letters in cells, and the width that the widest cell of each column needs.
fn measures(grid: &Grid) -> (f64, Vec<f64>) {
    let longest = grid.rows.iter().flatten().flat_map(|cell| &cell.lines).map(|line| line.chars().count()).max();
    let size = match longest {
        Some(0..=3) | None => 24.0,
        Some(4..=5) => 18.0,
        _ => 15.0,
    };
    let needed = |cell: &Cell| cell.lines.iter().map(|line| text_width(line, size)).fold(0.0, f64::max);
    let widest = |column: usize| grid.rows.iter().map(|row| needed(&row[column])).fold(0.0, f64::max);
    (size, (0..columns(grid)).map(widest).collect())
}

/// Numbers in squares.
fn board(grid: &Grid) -> Drawing {
    let (size, needed) = measures(grid);
    let apart = !grid.signs.is_empty();
    let side = needed.iter().fold(52.0, |side: f64, needed| side.max(needed + 24.0));
    let raster =
        Raster::new(vec![side; needed.len()], vec![52.0; grid.rows.len()], if apart { 30.0 } else { 0.0 }, (2.0, 2.0));
    let (right, bottom) = raster.end();
    let mut drawing = Drawing { width: right + 2.0, height: bottom + 2.0, body: String::new() };
    let some_given = grid.rows.iter().flatten().any(|cell| cell.given);
    for (row, cells) in grid.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (corner, extent) = (raster.corner(row, column), raster.size(row, column));
            match (apart, cell.given) {
                (true, true) => drawing.rect(
                    corner,
                    extent,
                    8.0,
                    &format!("fill=\"{SHADE}\" stroke=\"#64748b\" stroke-width=\"2\""),
                ),
                (true, false) => {
                    drawing.rect(corner, extent, 8.0, "fill=\"#ffffff\" stroke=\"#64748b\" stroke-width=\"2\"")
                }
                (false, true) => drawing.rect(corner, extent, 0.0, &format!("fill=\"{SHADE}\"")),
                (false, false) => {}
            }
            let font = match (cell.given, some_given) {
                (true, _) => Font::middle(size, INK).bold(),
                (false, true) => Font::middle(size, FOUND),
                (false, false) => Font::middle(size, INK),
            };
            write_cell(&mut drawing, raster.middle(row, column), cell, font);
        }
    }
    if apart {
        for sign in &grid.signs {
            let (x, y) = raster.middle(sign.row, sign.column);
            let (x, y) = if sign.below {
                (x, y + raster.height[sign.row] / 2.0 + 15.0)
            } else {
                (x + raster.width[sign.column] / 2.0 + 15.0, y)
            };
            let open = if sign.less { 1.0 } else { -1.0 };
            let (long, short) = (8.5, 5.5 * open);
            let path = if sign.below {
                format!("M{:.1} {:.1} L{x:.1} {:.1} L{:.1} {:.1}", x - long, y + short, y - short, x + long, y + short)
            } else {
                format!("M{:.1} {:.1} L{:.1} {y:.1} L{:.1} {:.1}", x + short, y - long, x - short, x + short, y + long)
            };
            drawing.path(&path, "fill=\"none\" stroke=\"#b45309\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
        }
    } else {
        rules(&mut drawing, &raster, grid.block);
    }
    if let Some(sums) = &grid.sums {
        write_sums(&mut drawing, &raster, sums);
    }
    drawing
}

/// The lines between cells, thicker ones around blocks, and the frame.
fn rules(drawing: &mut Drawing, raster: &Raster, block: usize) {
    let (right, bottom) = raster.end();
    let (left, top) = raster.corner(0, 0);
    let (thin, thick) =
        (format!("stroke=\"{LINE}\" stroke-width=\"1\""), format!("stroke=\"{INK}\" stroke-width=\"2.2\""));
    for heavy in [false, true] {
        let is_heavy = |number: usize| block > 0 && number.is_multiple_of(block);
        let style = if heavy { &thick } else { &thin };
        let drawn = |starts: &[f64]| {
            let numbered = starts.iter().copied().enumerate().skip(1);
            numbered.filter(|(number, _)| is_heavy(*number) == heavy).map(|(_, start)| start).collect::<Vec<_>>()
        };
        drawn(&raster.x).into_iter().for_each(|x| drawing.line((x, top), (x, bottom), style));
        drawn(&raster.y).into_iter().for_each(|y| drawing.line((left, y), (right, y), style));
    }
    drawing.rect(
        (left, top),
        (right - left, bottom - top),
        4.0,
        &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"2.6\""),
    );
}

fn write_cell(drawing: &mut Drawing, (x, y): (f64, f64), cell: &Cell, font: Font) {
    if let [dot] = &cell.lines[..]
        && dot == "●"
    {
        return drawing.circle((x, y), 8.0, &format!("fill=\"{}\"", font.colour));
    }
    let step = font.size * 1.25;
    let first = y - step * (cell.lines.len().saturating_sub(1)) as f64 / 2.0;
    for (number, line) in cell.lines.iter().enumerate() {
        drawing.centred(x, first + step * number as f64, line, font);
    }
}

/// Sums at the ends of rows and columns, and of the diagonals at the corners.
fn write_sums(drawing: &mut Drawing, raster: &Raster, sums: &Sums) {
    let (right, bottom) = raster.end();
    let mut pill = |(x, y): (f64, f64), sum: i64| {
        let text = sum.to_string();
        let width = text_width(&text, 15.0) + 18.0;
        drawing.rect(
            (x - width / 2.0, y - 13.0),
            (width, 26.0),
            13.0,
            "fill=\"#ecfdf3\" stroke=\"#86cfa0\" stroke-width=\"1.2\"",
        );
        drawing.centred(x, y, &text, Font::middle(15.0, "#166534"));
        drawing.width = drawing.width.max(x + width / 2.0 + 2.0);
        drawing.height = drawing.height.max(y + 15.0);
    };
    for (row, sum) in sums.rows.iter().enumerate() {
        pill((right + 34.0, raster.middle(row, 0).1), *sum);
    }
    for (column, sum) in sums.columns.iter().enumerate() {
        pill((raster.middle(0, column).0, bottom + 28.0), *sum);
    }
    if let Some((falling, _)) = sums.diagonals {
        pill((right + 34.0, bottom + 28.0), falling);
    }
    if let Some((_, rising)) = sums.diagonals {
        let left = raster.x[0] - 34.0;
        pill((left, bottom + 28.0), rising);
        // The rising diagonal ends at the left, so everything moves to the right.
        let mut moved = Drawing::default();
        moved.place(std::mem::take(drawing), 62.0, 0.0);
        *drawing = moved;
    }
}

/// Cells with names around them.
fn table(grid: &Grid) -> Drawing {
    let (size, needed) = measures(grid);
    let head = Font { size: 15.0, colour: FAINT, anchor: "middle", bold: true };
    let short = needed.iter().all(|needed| *needed <= 40.0);
    let column_name = |column: usize| grid.column_names.get(column).map_or("", |name| name);
    let width = |(column, needed): (usize, &f64)| {
        let least = if short { 44.0 } else { 72.0 };
        (needed + 28.0).max(text_width(column_name(column), head.size) + 14.0).max(least)
    };
    let mut width: Vec<f64> = needed.iter().enumerate().map(width).collect();
    if !grid.legend.is_empty() {
        // A timetable looks calmer with columns of one width.
        let widest = width.iter().copied().fold(120.0, f64::max);
        width.fill(widest);
    }
    let height = |row: &Vec<Cell>| {
        let lines = row.iter().map(|cell| cell.lines.len()).max().unwrap_or(1).max(1);
        (lines as f64 * size * 1.25 + 22.0).max(44.0)
    };
    let left = grid.row_names.iter().map(|name| text_width(name, head.size)).fold(0.0, f64::max);
    let left = if grid.row_names.is_empty() { 2.0 } else { left + 18.0 };
    let top = if grid.column_names.is_empty() { 2.0 } else { 28.0 };
    let raster = Raster::new(width, grid.rows.iter().map(height).collect(), 5.0, (left, top));
    let (right, bottom) = raster.end();
    let mut drawing = Drawing { width: right + 2.0, height: bottom + 2.0, body: String::new() };
    for (row, name) in grid.row_names.iter().enumerate() {
        let y = raster.middle(row, 0).1;
        drawing.text(left - 14.0, y + head.size * 0.355, name, Font { anchor: "end", ..head });
    }
    for (column, name) in grid.column_names.iter().enumerate() {
        drawing.centred(raster.middle(0, column).0, 12.0, name, head);
    }
    let paints = paints(&grid.legend);
    for (row, cells) in grid.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let paint = match cell.tone.and_then(|tone| paints.get(tone)) {
                Some(paint) => *paint,
                None if cell.lines.is_empty() => Paint { fill: "#f8fafc", text: INK, edge: "#eef1f5" },
                None if cell.given => GIVEN,
                None => of_palette(0),
            };
            drawing.rect(raster.corner(row, column), raster.size(row, column), 8.0, &paint.style());
            let (x, y) = raster.middle(row, column);
            match &cell.lines[..] {
                // What stands there, and below it what is said of it.
                [first, rest @ ..] if !rest.is_empty() && cell.tone.is_some() => {
                    drawing.centred(x, y - 9.0, first, Font::middle(size, paint.text).bold());
                    drawing.centred(x, y + 11.0, &rest.join(", "), Font::middle(size - 2.0, paint.text));
                }
                _ => write_cell(&mut drawing, (x, y), cell, Font::middle(size, paint.text)),
            }
        }
    }
    drawing
}

fn chessboard(grid: &Grid) -> Drawing {
    const SIDE: f64 = 54.0;
    let raster = Raster::new(vec![SIDE; columns(grid)], vec![SIDE; grid.rows.len()], 0.0, (26.0, 3.0));
    let (right, bottom) = raster.end();
    let mut drawing = Drawing { width: right + 3.0, height: bottom + 26.0, body: String::new() };
    for (row, cells) in grid.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let shade = if (row + column) % 2 == 0 { "#f0dfc2" } else { "#b98d66" };
            let (x, y) = raster.corner(row, column);
            drawing.rect((x, y), (SIDE, SIDE), 0.0, &format!("fill=\"{shade}\""));
            if !cell.lines.is_empty() {
                let mut queen = Drawing::default();
                queen.path(QUEEN, "fill=\"#20242b\" stroke=\"#fdf8ee\" stroke-width=\"1.1\" stroke-linejoin=\"round\"");
                queen.path("M11.5 31.5 Q22.5 28.8 33.5 31.5", "fill=\"none\" stroke=\"#fdf8ee\" stroke-width=\"1.1\"");
                drawing.place(queen, x + 4.5, y + 4.5);
            }
        }
    }
    drawing.rect((26.0, 3.0), (right - 26.0, bottom - 3.0), 2.0, "fill=\"none\" stroke=\"#5b4430\" stroke-width=\"3\"");
    for row in 0..grid.rows.len() {
        drawing.centred(10.0, raster.middle(row, 0).1, &(row + 1).to_string(), Font::middle(14.0, FAINT));
    }
    for column in 0..columns(grid) {
        drawing.centred(
            raster.middle(0, column).0,
            bottom + 15.0,
            &(column + 1).to_string(),
            Font::middle(14.0, FAINT),
        );
    }
    drawing
}

/// A crown with five points on a foot, in a square of 45.
const QUEEN: &str = "M10.5 36 Q9.6 31 8.6 28 L4.6 15.6 A2.7 2.7 0 1 1 8.2 13.6 L13.6 22.6 L12.4 11.2 A2.7 2.7 0 1 1 16.6 10.2 \
    L20.6 21 L20.9 9.4 A2.7 2.7 0 1 1 24.1 9.4 L24.4 21 L28.4 10.2 A2.7 2.7 0 1 1 32.6 11.2 L31.4 22.6 L36.8 13.6 A2.7 2.7 0 1 1 40.4 15.6 \
    L36.4 28 Q35.4 31 34.5 36 Q35.5 37 35.5 39.5 L9.5 39.5 Q9.5 37 10.5 36 Z";
