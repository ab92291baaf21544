//! Grids: boards of numbers with signs between them, squares with blocks, chessboards, and tables with names.

use super::{
    Drawing, FAINT, FOUND, Font, INK, LINE, Mark, Point, SHADE,
    colours::{Paint, of_palette, paints},
    text_width,
};
use crate::picture::{Grid, GridCell, GridStyle, Region, Slot, Sums};
use unicode_width::UnicodeWidthStr;

const GIVEN: Paint = Paint { fill: SHADE, text: INK, edge: "#b9c2cf" };
const EMPTY: Paint = Paint { fill: "#ffffff", text: FOUND, edge: LINE };

/// The positions and sizes of rows and columns.
struct Raster {
    x: Vec<f64>,
    y: Vec<f64>,
    width: Vec<f64>,
    height: Vec<f64>,
}

impl Raster {
    /// Makes a raster with these widths and heights, and a gap between neighbours.
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

pub(crate) fn draw_grid(grid: &Grid) -> Drawing {
    let mut drawing = match grid {
        Grid { style: GridStyle::Chessboard, .. } => chessboard(grid),
        Grid { style: GridStyle::Mosaic, .. } => mosaic(grid),
        Grid { row_names, column_names, regions, .. }
            if regions.is_empty() && !(row_names.is_empty() && column_names.is_empty()) =>
        {
            wrapped_table(grid)
        }
        _ => draw_board(grid),
    };
    drawing.notes(&grid.notes);
    if grid.rows.iter().flatten().any(|cell| cell.given) {
        drawing.legend(&[(GIVEN, "given".to_owned()), (EMPTY, "found".to_owned())]);
    }
    drawing
}

fn columns(grid: &Grid) -> usize {
    grid.rows.first().map_or(0, Vec::len)
}

fn mark(grid: &Grid, cell: &GridCell) -> Mark {
    match &cell.slot {
        Some(Slot { value: Some(_), .. }) => Mark::Dot,
        _ if grid.legend.is_empty() => Mark::Text,
        _ => Mark::Tone,
    }
}

/// Returns the font size for cells, and the width that each column needs.
fn measures(grid: &Grid) -> (f64, Vec<f64>) {
    // If a page fills in the cells later, each cell needs room for the longest value.
    let lines = grid.rows.iter().flatten().flat_map(|cell| &cell.lines).chain([&grid.room]);
    let longest = lines.map(|line| line.width()).max();
    let size = match longest {
        Some(0..=3) | None => 24.0,
        Some(4..=5) => 18.0,
        _ => 15.0,
    };
    let needed = |cell: &GridCell| cell.lines.iter().map(|line| text_width(line, size)).fold(0.0, f64::max);
    let room = text_width(&grid.room, size);
    let widest = |column: usize| grid.rows.iter().map(|row| needed(&row[column])).fold(room, f64::max);
    (size, (0..columns(grid)).map(widest).collect())
}

/// Draws numbers in squares.
fn draw_board(grid: &Grid) -> Drawing {
    let (size, needed) = measures(grid);
    let apart = !grid.signs.is_empty();
    let side = needed.iter().fold(52.0, |side: f64, needed| side.max(needed + 24.0));
    let labelled = grid.regions.iter().any(|region| !region.label.is_empty());
    let high = if labelled { 60.0 } else { 52.0 };
    let side = if labelled { side.max(60.0) } else { side };
    let gap = if apart { 30.0 } else { 0.0 };
    let raster = Raster::new(vec![side; needed.len()], vec![high; grid.rows.len()], gap, name_room(grid));
    let (right, bottom) = raster.end();
    let mut drawing = Drawing { width: right + 2.0, height: bottom + 2.0, ..Drawing::default() };
    write_names(&mut drawing, grid, &raster);
    let paints = paints(&grid.legend);
    // Colours distinguish found values from given ones, so a grid without given values has none.
    let some_given = grid.rows.iter().flatten().any(|cell| cell.given);
    for (row, cells) in grid.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (corner, extent) = (raster.corner(row, column), raster.size(row, column));
            drawing.slot(&cell.slot, corner, extent, mark(grid, cell));
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
                (false, false) => {
                    if let Some(paint) = cell.tone.and_then(|tone| paints.get(tone)) {
                        drawing.rect(corner, extent, 0.0, &format!("fill=\"{}\"", paint.fill));
                    }
                }
            }
            let font = match (cell.given, some_given) {
                (true, _) => Font::middle(size, INK).bold(),
                (false, true) => Font::middle(size, FOUND),
                (false, false) => Font::middle(size, INK),
            };
            let (x, y) = raster.middle(row, column);
            // The value makes room for the label of the region above it.
            write_cell(&mut drawing, (x, if labelled { y + 5.0 } else { y }), cell, font);
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
            drawing.path(
                &path,
                "fill=\"none\" stroke=\"#b45309\" stroke-width=\"3\" stroke-linecap=\"round\" \
                stroke-linejoin=\"round\"",
            );
        }
    } else {
        rules(&mut drawing, &raster, grid.block);
    }
    match labelled {
        true => cages(&mut drawing, &raster, &grid.regions),
        false => borders(&mut drawing, &raster, &grid.regions),
    }
    if let Some(sums) = &grid.sums {
        write_sums(&mut drawing, &raster, sums);
    }
    drawing
}

/// Returns the position of the first cell, which leaves room for the names.
fn name_room(grid: &Grid) -> (f64, f64) {
    let left = grid.row_names.iter().map(|name| text_width(name, NAME.size)).fold(0.0, f64::max);
    let lines = grid.column_names.iter().map(|name| name.lines().count()).max().unwrap_or(0);
    (if left > 0.0 { left + 18.0 } else { 2.0 }, if lines > 0 { 10.0 + 18.0 * lines as f64 } else { 2.0 })
}

/// Writes the names before the rows and above the columns; the last line of each name is next to the cells.
fn write_names(drawing: &mut Drawing, grid: &Grid, raster: &Raster) {
    for (row, name) in grid.row_names.iter().enumerate() {
        let y = raster.middle(row, 0).1;
        drawing.text(raster.x[0] - 14.0, y + NAME.size * 0.355, name, Font { anchor: "end", ..NAME });
    }
    for (column, name) in grid.column_names.iter().enumerate() {
        for (number, line) in name.lines().rev().enumerate() {
            drawing.centred(raster.middle(0, column).0, raster.y[0] - 16.0 - 18.0 * number as f64, line, NAME);
        }
    }
}

/// Draws thick lines between regions.
fn borders(drawing: &mut Drawing, raster: &Raster, regions: &[Region]) {
    let style = format!("stroke=\"{INK}\" stroke-width=\"2.6\" stroke-linecap=\"round\"");
    for region in regions {
        for &(row, column) in &region.cells {
            let ((x, y), (width, height)) = (raster.corner(row, column), raster.size(row, column));
            let has = |row: Option<usize>, column: Option<usize>| {
                row.zip(column).is_some_and(|cell| region.cells.binary_search(&cell).is_ok())
            };
            if !has(Some(row), column.checked_sub(1)) {
                drawing.line((x, y), (x, y + height), &style);
            }
            if !has(Some(row), Some(column + 1)) {
                drawing.line((x + width, y), (x + width, y + height), &style);
            }
            if !has(row.checked_sub(1), Some(column)) {
                drawing.line((x, y), (x + width, y), &style);
            }
            if !has(Some(row + 1), Some(column)) {
                drawing.line((x, y + height), (x + width, y + height), &style);
            }
        }
    }
}

/// Draws dashed lines inside the borders of regions, and their labels in the first cells.
fn cages(drawing: &mut Drawing, raster: &Raster, regions: &[Region]) {
    const INSET: f64 = 4.5;
    const STYLE: &str = "stroke=\"#b45309\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\" fill=\"none\"";
    for region in regions {
        let has = |row: i64, column: i64| {
            let cell = usize::try_from(row).ok().zip(usize::try_from(column).ok());
            cell.is_some_and(|cell| region.cells.binary_search(&cell).is_ok())
        };
        for &(row, column) in &region.cells {
            let ((left, top), (width, height)) = (raster.corner(row, column), raster.size(row, column));
            let (right, bottom) = (left + width, top + height);
            let (row, column) = (row as i64, column as i64);
            // The distance that a line runs towards a neighbour. The line ends in the corner, continues into the
            // neighbour, or turns outwards around an inner corner.
            let reach = |beside: bool, across: bool| match (beside, across) {
                (false, _) => -INSET,
                (true, false) => 0.0,
                (true, true) => INSET,
            };
            for (down, y) in [(-1, top + INSET), (1, bottom - INSET)] {
                if !has(row + down, column) {
                    let start = left - reach(has(row, column - 1), has(row + down, column - 1));
                    let end = right + reach(has(row, column + 1), has(row + down, column + 1));
                    drawing.line((start, y), (end, y), STYLE);
                }
            }
            for (across, x) in [(-1, left + INSET), (1, right - INSET)] {
                if !has(row, column + across) {
                    let start = top - reach(has(row - 1, column), has(row - 1, column + across));
                    let end = bottom + reach(has(row + 1, column), has(row + 1, column + across));
                    drawing.line((x, start), (x, end), STYLE);
                }
            }
        }
        if let (Some(&(row, column)), false) = (region.cells.first(), region.label.is_empty()) {
            let (x, y) = raster.corner(row, column);
            let width = text_width(&region.label, 13.0);
            drawing.rect((x + 3.0, y + 2.0), (width + 5.0, 15.0), 3.0, "fill=\"#ffffff\"");
            let font = Font { size: 13.0, colour: "#92400e", anchor: "start", bold: true };
            drawing.text(x + 5.0, y + 14.0, &region.label, font);
        }
    }
}

/// Draws squares without text. Every fifth line is thicker, so that readers can count squares.
fn mosaic(grid: &Grid) -> Drawing {
    let longest = grid.rows.len().max(columns(grid));
    // With more than 20 squares, the total size stays the same.
    let side = if longest <= 20 { 28.0 } else { (560.0 / longest as f64).max(8.0) };
    let widest = grid.column_names.iter().flat_map(|name| name.lines()).map(|line| text_width(line, NAME.size));
    let width = widest.fold(side, |width: f64, needed| width.max(needed + 6.0));
    let raster = Raster::new(vec![width; columns(grid)], vec![side; grid.rows.len()], 0.0, name_room(grid));
    let (right, bottom) = raster.end();
    let mut drawing = Drawing { width: right + 2.0, height: bottom + 2.0, ..Drawing::default() };
    write_names(&mut drawing, grid, &raster);
    let paints = paints(&grid.legend);
    for (row, cells) in grid.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let filled =
                if cell.slot.as_ref().is_some_and(|slot| slot.value.is_some()) { Mark::Fill } else { Mark::Tone };
            drawing.slot(&cell.slot, raster.corner(row, column), raster.size(row, column), filled);
            if cell.lines.is_empty() {
                continue;
            }
            let fill = cell.tone.and_then(|tone| paints.get(tone)).map_or(INK, |paint| paint.edge);
            drawing.rect(raster.corner(row, column), raster.size(row, column), 0.0, &format!("fill=\"{fill}\""));
        }
    }
    rules(&mut drawing, &raster, if paints.is_empty() { 5 } else { 0 });
    let legend: Vec<(Paint, String)> =
        paints.into_iter().map(|paint| Paint { fill: paint.edge, ..paint }).zip(grid.legend.iter().cloned()).collect();
    drawing.legend(&legend);
    drawing
}

/// Draws the lines between cells, with thicker lines around blocks, and the frame.
fn rules(drawing: &mut Drawing, raster: &Raster, block: usize) {
    let (right, bottom) = raster.end();
    let (left, top) = raster.corner(0, 0);
    let (thin, thick) =
        (format!("stroke=\"{LINE}\" stroke-width=\"1\""), format!("stroke=\"{INK}\" stroke-width=\"2.2\""));
    // Thick lines must be on top of thin ones, so they are drawn last.
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

fn write_cell(drawing: &mut Drawing, corner: Point, cell: &GridCell, font: Font) {
    let (x, y) = corner;
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

/// Writes the sums at the ends of rows, columns and diagonals.
fn write_sums(drawing: &mut Drawing, raster: &Raster, sums: &Sums) {
    let (right, bottom) = raster.end();
    let mut pill = |(x, y): (f64, f64), sum: &str| {
        let width = text_width(sum, 15.0) + 18.0;
        drawing.rect(
            (x - width / 2.0, y - 13.0),
            (width, 26.0),
            13.0,
            "fill=\"#ecfdf3\" stroke=\"#86cfa0\" stroke-width=\"1.2\"",
        );
        drawing.centred(x, y, sum, Font::middle(15.0, "#166534"));
        drawing.width = drawing.width.max(x + width / 2.0 + 2.0);
        drawing.height = drawing.height.max(y + 15.0);
    };
    for (row, sum) in sums.rows.iter().enumerate() {
        pill((right + 34.0, raster.middle(row, 0).1), sum);
    }
    for (column, sum) in sums.columns.iter().enumerate() {
        pill((raster.middle(0, column).0, bottom + 28.0), sum);
    }
    if let Some((falling, _)) = &sums.diagonals {
        pill((right + 34.0, bottom + 28.0), falling);
    }
    if let Some((_, rising)) = &sums.diagonals {
        let left = raster.x[0] - 34.0;
        pill((left, bottom + 28.0), rising);
        // The sum of the rising diagonal is left of the grid, so everything else moves to the right.
        let mut moved = Drawing::default();
        moved.place(std::mem::take(drawing), 62.0, 0.0);
        *drawing = moved;
    }
}

/// Draws a table; a single row that is too long is split into several lines.
fn wrapped_table(grid: &Grid) -> Drawing {
    const WIDTH: f64 = 900.0;
    let [row] = &grid.rows[..] else { return draw_table(grid, 0.0) };
    let whole = draw_table(grid, 0.0);
    if whole.width <= WIDTH {
        return whole;
    }
    // With equal column widths, the lines are aligned with each other.
    let least = column_widths(grid).into_iter().fold(0.0, f64::max);
    let lines = ((least + GAP) * row.len() as f64 / WIDTH).ceil() as usize;
    let each = row.len().div_ceil(lines).max(1);
    let mut all = Drawing::default();
    for start in (0..row.len()).step_by(each) {
        let end = (start + each).min(row.len());
        let names = grid.column_names.get(start..end).unwrap_or_default().to_vec();
        let line = Grid { rows: vec![row[start..end].to_vec()], column_names: names, ..grid.clone() };
        all.below(draw_table(&line, least), 12.0);
    }
    all
}

/// The font of the names of rows and columns.
const NAME: Font = Font { size: 15.0, colour: FAINT, anchor: "middle", bold: true };

/// The gap between the cells of a table.
const GAP: f64 = 5.0;

/// Returns the widths of the columns, which follow from their cells and names.
fn column_widths(grid: &Grid) -> Vec<f64> {
    let (_, needed) = measures(grid);
    let least = if needed.iter().all(|needed| *needed <= 40.0) { 44.0 } else { 72.0 };
    let name_width = |column: usize| {
        let lines = grid.column_names.get(column).into_iter().flat_map(|name| name.lines());
        lines.map(|line| text_width(line, NAME.size)).fold(0.0, f64::max)
    };
    let width = |(column, needed): (usize, &f64)| (needed + 28.0).max(name_width(column) + 14.0).max(least);
    needed.iter().enumerate().map(width).collect()
}

/// Draws cells with names around them; each column is at least `least` wide.
fn draw_table(grid: &Grid, least: f64) -> Drawing {
    let (size, _) = measures(grid);
    let mut width: Vec<f64> = column_widths(grid).into_iter().map(|width| width.max(least)).collect();
    if grid.rows.iter().flatten().any(|cell| cell.lines.len() > 1 && cell.tone.is_some()) {
        // Coloured cells with two lines are usually a timetable, which is easier to read with equal columns.
        let widest = width.iter().copied().fold(120.0, f64::max);
        width.fill(widest);
    }
    let height = |row: &Vec<GridCell>| {
        let lines = row.iter().map(|cell| cell.lines.len()).max().unwrap_or(1).max(1);
        (lines as f64 * size * 1.25 + 22.0).max(44.0)
    };
    let raster = Raster::new(width, grid.rows.iter().map(height).collect(), GAP, name_room(grid));
    let (right, bottom) = raster.end();
    let mut drawing = Drawing { width: right + 2.0, height: bottom + 2.0, ..Drawing::default() };
    write_names(&mut drawing, grid, &raster);
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
            drawing.slot(&cell.slot, raster.corner(row, column), raster.size(row, column), mark(grid, cell));
            let (x, y) = raster.middle(row, column);
            match &cell.lines[..] {
                // The first line is the content, and the others are its label.
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
    let mut drawing = Drawing { width: right + 3.0, height: bottom + 26.0, ..Drawing::default() };
    for (row, cells) in grid.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let shade = if (row + column) % 2 == 0 { "#f0dfc2" } else { "#b98d66" };
            let (x, y) = raster.corner(row, column);
            drawing.rect((x, y), (SIDE, SIDE), 0.0, &format!("fill=\"{shade}\""));
            drawing.slot(&cell.slot, (x, y), (SIDE, SIDE), Mark::Queen);
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

/// The outline of a queen in a square of 45 by 45 units: a crown with five points.
pub(crate) const QUEEN: &str = "M10.5 36 Q9.6 31 8.6 28 L4.6 15.6 A2.7 2.7 0 1 1 8.2 13.6 L13.6 22.6 L12.4 11.2 A2.7 \
    2.7 0 1 1 16.6 10.2 \
    L20.6 21 L20.9 9.4 A2.7 2.7 0 1 1 24.1 9.4 L24.4 21 L28.4 10.2 A2.7 2.7 0 1 1 32.6 11.2 L31.4 22.6 \
    L36.8 13.6 A2.7 2.7 0 1 1 40.4 15.6 \
    L36.4 28 Q35.4 31 34.5 36 Q35.5 37 35.5 39.5 L9.5 39.5 Q9.5 37 10.5 36 Z";
