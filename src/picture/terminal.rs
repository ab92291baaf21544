//! Pictures as text, for terminals and text files.
//!
//! Given cells are bold on terminals with colours, and have a `*` elsewhere.

use super::{
    Container, Gantt, Graph, Grid, GridCell, GridStyle, Item, Packing, Picture, Shape, Sums, Tour, canvas::Canvas,
};
use std::{fmt::Write, ops::Range};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width, in columns, at which tables and containers are wrapped. Chosen.
const WIDTH: usize = 100;

/// Renders the pictures of a solution, one below the other. If there are several, their names are shown.
pub(crate) fn render_pictures(pictures: &[Picture], bold: bool) -> String {
    let mut text = String::new();
    for (position, picture) in pictures.iter().enumerate() {
        let short = matches!(&picture.shape, Shape::Text(value) if !value.contains('\n'));
        if position > 0 {
            text.push('\n');
        }
        match &picture.shape {
            Shape::Text(value) if short => {
                let _ = writeln!(text, "{} = {value}", picture.name);
                continue;
            }
            _ if pictures.len() > 1 => {
                let _ = writeln!(text, "{}:", picture.name);
            }
            _ => {}
        }
        text += &match &picture.shape {
            Shape::Grid(grid) => render_grid(grid, bold),
            Shape::Graph(graph) => render_graph(graph),
            Shape::Containers(containers) => {
                joined_lines(&blocks_beside(containers.iter().map(render_container).collect()))
            }
            Shape::Gantt(gantt) => render_gantt(gantt),
            Shape::Tour(tour) => render_tour(tour),
            Shape::Packing(packing) => render_packing(packing),
            Shape::Text(value) => format!("{value}\n"),
        };
    }
    text
}

/// The number of columns that a text takes in a terminal.
fn terminal_width(text: &str) -> usize {
    text.width()
}

/// Returns the longest prefix of a text that fits into the given number of columns.
fn cut_text(text: &str, columns: usize) -> String {
    let mut used = 0;
    let fits = |character: &char| {
        used += character.width().unwrap_or(0);
        used <= columns
    };
    text.chars().take_while(fits).collect()
}

/// Aligns a name in a column: numbers to the right, words to the left.
fn aligned(text: &str, columns: usize) -> String {
    match text.chars().all(|character| character.is_ascii_digit() || character == ' ' || character == '-') {
        true => right(text, columns),
        false => padded(text, columns),
    }
}

fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(terminal_width(text))))
}

fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(terminal_width(text))))
}

fn joined_lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns the text of a cell on one line. A given value has a mark after it if it cannot be bold.
fn marked(cell: &GridCell, columns: usize, bold: bool) -> String {
    let text = right(&cell.lines.join(" "), columns);
    match (cell.given, bold) {
        (true, true) => format!("\x1b[1m{text}\x1b[0m "),
        (true, false) => format!("{text}*"),
        (false, _) => format!("{text} "),
    }
}

fn render_grid(grid: &Grid, bold: bool) -> String {
    // The canvas that draws regions has no bold letters.
    let bold = bold && grid.regions.is_empty();
    let mut text = match grid {
        Grid { style: GridStyle::Chessboard, .. } => render_chessboard(grid),
        Grid { style: GridStyle::Mosaic, legend, .. } if legend.is_empty() => render_mosaic(grid),
        // `render_regions` also writes names, so this case must come before tables with names.
        Grid { regions, .. } if !regions.is_empty() => render_regions(grid),
        Grid { row_names, column_names, .. } if !(row_names.is_empty() && column_names.is_empty()) => {
            render_table(grid)
        }
        _ if grid.signs.is_empty() => render_squares(grid, bold),
        _ => render_with_signs(grid, bold),
    };
    if let Some(sums) = &grid.sums {
        text += &render_sums(sums);
    }
    if !grid.notes.is_empty() {
        let _ = write!(text, "\n{}\n", grid.notes.join(", "));
    }
    if grid.rows.iter().flatten().any(|cell| cell.given) {
        text += if bold { "\n\x1b[1mbold\x1b[0m: given\n" } else { "\n*: given\n" };
    }
    text
}

/// The width of the widest cell.
fn widest_cell(grid: &Grid) -> usize {
    grid.rows.iter().flatten().map(|cell| terminal_width(&cell.lines.join(" "))).max().unwrap_or(0).max(1)
}

/// Renders a grid with signs in the layout that `import` reads: signs are between the cells of a row, and in lines
/// between rows.
fn render_with_signs(grid: &Grid, bold: bool) -> String {
    let columns = widest_cell(grid);
    // The step covers a cell, its mark, a sign and a blank.
    let step = columns + 3;
    let sign = |row: usize, column: usize, below: bool| {
        grid.signs.iter().find(|sign| (sign.row, sign.column, sign.below) == (row, column, below)).map(|sign| sign.less)
    };
    let mut text = String::new();
    for (number, row) in grid.rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            text += &marked(cell, columns, bold);
            if column + 1 < row.len() {
                text += match sign(number, column, false) {
                    Some(true) => "< ",
                    Some(false) => "> ",
                    None => "  ",
                };
            } else if !cell.given || bold {
                // The blank that replaces a mark must not remain at the end of a line.
                text.pop();
            }
        }
        text.push('\n');
        if number + 1 < grid.rows.len() {
            let signs = (0..row.len()).map(|column| match sign(number, column, true) {
                Some(true) => padded(&right("∧", columns), step),
                Some(false) => padded(&right("∨", columns), step),
                None => " ".repeat(step),
            });
            let signs = signs.collect::<String>();
            // The last cell is not followed by a mark, a sign and a blank.
            text.extend(signs.chars().take(row.len() * step - 3));
            text.push('\n');
        }
    }
    text
}

/// Renders rows of numbers, with lines around blocks.
fn render_squares(grid: &Grid, bold: bool) -> String {
    let columns = widest_cell(grid);
    let across = grid.rows.first().map_or(0, Vec::len);
    // Without blocks, the whole grid counts as one block.
    let block = if grid.block == 0 { across.max(grid.rows.len()) } else { grid.block };
    let line = |left: &str, middle: &str, right: &str| {
        let pieces = (0..across).collect::<Vec<_>>();
        let pieces: Vec<String> =
            pieces.chunks(block).map(|piece| "─".repeat(piece.len() * (columns + 2) + 1)).collect();
        format!("{left}{}{right}\n", pieces.join(middle))
    };
    let mut text = line("┌", "┬", "┐");
    for (number, row) in grid.rows.iter().enumerate() {
        if number > 0 && number % block == 0 {
            text += &line("├", "┼", "┤");
        }
        for piece in row.chunks(block) {
            text += "│";
            for cell in piece {
                text += " ";
                text += &marked(cell, columns, bold);
            }
            text += " ";
        }
        text += "│\n";
    }
    text + &line("└", "┴", "┘")
}

fn render_chessboard(grid: &Grid) -> String {
    let square = |cell: &GridCell| if cell.lines.is_empty() { "·" } else { "♛" };
    let row = |row: &Vec<GridCell>| row.iter().map(square).collect::<Vec<_>>().join(" ");
    grid.rows.iter().map(|cells| row(cells) + "\n").collect()
}

/// Renders a table with names before the rows and above the columns.
fn render_table(grid: &Grid) -> String {
    let across = grid.rows.first().map_or(0, Vec::len);
    let show = |cell: &GridCell| match &cell.lines[..] {
        [name, label] if cell.tone.is_some() => format!("{name} ({label})"),
        lines => lines.join(", "),
    };
    let head = grid.row_names.iter().map(|name| terminal_width(name)).max();
    let heading = |name: &String| name.lines().map(terminal_width).max().unwrap_or(0);
    let mut columns: Vec<usize> = grid.column_names.iter().map(heading).collect();
    // Columns without names have no width yet.
    columns.resize(across, 0);
    for row in &grid.rows {
        for (column, cell) in row.iter().enumerate() {
            columns[column] = columns[column].max(terminal_width(&show(cell)));
        }
    }
    let line = |name: Option<&String>, cells: &[String], part: &Range<usize>| {
        let padded_to = |column: usize| padded(cells.get(column).map_or("", |cell| cell), columns[column]);
        let name = head.map_or(String::new(), |head| format!("{} │ ", aligned(name.map_or("", |name| name), head)));
        format!("{name}{}", part.clone().map(padded_to).collect::<Vec<_>>().join(" │ "))
    };
    let mut all = Vec::new();
    for part in column_parts(&columns, head.map_or(0, |head| head + 3)) {
        if !all.is_empty() {
            all.push(String::new());
        }
        if !grid.column_names.is_empty() {
            all.extend(heads(grid).iter().map(|heads| line(None, heads, &part)));
            let rules =
                head.into_iter().chain(columns[part.clone()].iter().copied()).map(|columns| "─".repeat(columns));
            all.push(rules.collect::<Vec<_>>().join("─┼─"));
        }
        for (number, row) in grid.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(show).collect();
            all.push(line(grid.row_names.get(number), &cells, &part));
        }
    }
    joined_lines(&all)
}

/// Returns the names of the columns line by line. Names with fewer lines are aligned at the bottom.
fn heads(grid: &Grid) -> Vec<Vec<String>> {
    let most = grid.column_names.iter().map(|name| name.lines().count()).max().unwrap_or(0);
    let line = |above: usize| {
        let of_name = |name: &String| name.lines().rev().nth(above).unwrap_or("").to_owned();
        grid.column_names.iter().map(of_name).collect()
    };
    (0..most).rev().map(line).collect()
}

/// Renders filled and empty squares.
fn render_mosaic(grid: &Grid) -> String {
    let heads = heads(grid);
    let widest = heads.iter().flatten().map(|head| terminal_width(head)).max().unwrap_or(0);
    let columns = if widest == 0 { 2 } else { (widest + 1).max(2) };
    let front = grid.row_names.iter().map(|name| terminal_width(name)).max().map_or(0, |front| front + 1);
    let head = |heads: &Vec<String>| heads.iter().fold(" ".repeat(front), |line, head| line + &right(head, columns));
    let mut all: Vec<String> = heads.iter().map(head).collect();
    for (number, row) in grid.rows.iter().enumerate() {
        let name = grid.row_names.get(number).map_or("", |name| name);
        let square = |cell: &GridCell| match cell.lines.is_empty() {
            true => right("·", columns),
            false => "█".repeat(columns),
        };
        all.push(
            right(name, front.saturating_sub(1))
                + &" ".repeat(front.min(1))
                + &row.iter().map(square).collect::<String>(),
        );
    }
    joined_lines(&all)
}

/// Renders cells with lines around regions. The label of a region is in the line above its first cell.
fn render_regions(grid: &Grid) -> String {
    let down = grid.rows.len();
    let across = grid.rows.first().map_or(0, Vec::len);
    let label = grid.regions.iter().map(|region| terminal_width(&region.label)).max().unwrap_or(0);
    // The step covers a blank, a cell, its mark and a line.
    let step = (widest_cell(grid) + 3).max(label + 1).max(4);
    let mut region_of = vec![vec![None; across]; down];
    for (number, region) in grid.regions.iter().enumerate() {
        region.cells.iter().for_each(|(row, column)| region_of[*row][*column] = Some(number));
    }
    let mut canvas = Canvas::new(across * step + 1, 2 * down + 1);
    canvas.rectangle((0, 0), (across * step, 2 * down));
    for row in 0..down {
        for column in 0..across {
            let here = region_of[row][column];
            // Each cell without a region has lines on all sides.
            if column > 0 && (region_of[row][column - 1] != here || here.is_none()) {
                canvas.vertical(column * step, 2 * row, 2 * row + 2);
            }
            if row > 0 && (region_of[row - 1][column] != here || here.is_none()) {
                canvas.horizontal(2 * row, column * step, (column + 1) * step);
            }
        }
    }
    for region in &grid.regions {
        if let Some((row, column)) = region.cells.first() {
            canvas.write(column * step + 1, 2 * row, &region.label);
        }
    }
    for (row, cells) in grid.rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            // Given values have a mark, because the canvas has no bold letters.
            canvas.write(column * step + 1, 2 * row + 1, &marked(cell, step - 2, false));
        }
    }
    let front = grid.row_names.iter().map(|name| terminal_width(name)).max().map_or(0, |front| front + 1);
    let head = |heads: &Vec<String>| {
        let head = |head: &String| padded(&right(head, step - 1), step);
        " ".repeat(front + 1) + &heads.iter().map(head).collect::<String>()
    };
    let mut all: Vec<String> = heads(grid).iter().map(head).collect();
    for (number, row) in canvas.rows().into_iter().enumerate() {
        let name = if number % 2 == 1 { grid.row_names.get(number / 2) } else { None };
        all.push(padded(&aligned(name.map_or("", |name| name), front.saturating_sub(1)), front) + &row);
    }
    joined_lines(&all)
}

/// Renders the places of each route in the order of the route.
fn render_tour(tour: &Tour) -> String {
    let label = |place: &usize| tour.places[*place].label.clone();
    let mut all = Vec::new();
    for route in &tour.routes {
        let mut stops: Vec<String> = route.stops.iter().map(label).collect();
        if route.closed {
            stops.extend(route.stops.first().map(label));
        }
        let front = if route.label.is_empty() { String::new() } else { format!("{}: ", route.label) };
        let mut line = front.clone();
        for (number, stop) in stops.iter().enumerate() {
            let piece = if number == 0 { stop.clone() } else { format!(" → {stop}") };
            // The first stop stays next to the label, even if it is too long for the line.
            if number > 0 && terminal_width(&line) + terminal_width(&piece) > WIDTH {
                all.push(std::mem::replace(&mut line, " ".repeat(terminal_width(&front))));
            }
            line += &piece;
        }
        all.push(line);
    }
    let visited = |place: &usize| tour.routes.iter().any(|route| route.stops.contains(place));
    let others: Vec<String> =
        (0..tour.places.len()).filter(|place| !visited(place)).map(|place| label(&place)).collect();
    if !others.is_empty() {
        all.push(format!("not visited: {}", others.join(", ")));
    }
    joined_lines(&all)
}

/// Renders rectangles if their labels fit and they do not overlap; otherwise, renders a list.
fn render_packing(packing: &Packing) -> String {
    let ((left, low), (right, high)) = packing.extent();
    let (across, up) = ((right - left).max(1) as usize, (high - low).max(1) as usize);
    // The picture is stretched until the widest label fits into its rectangle.
    let needed = packing.boxes.iter().map(|one| (terminal_width(&one.label) + 1).div_ceil(one.size.0.max(1) as usize));
    let scale = needed.max().unwrap_or(1).max(4);
    let overlap = packing.boxes.iter().enumerate().any(|(number, one)| {
        packing.boxes[..number].iter().any(|other| {
            let apart = |part: fn(&(i64, i64)) -> i64| {
                part(&one.corner) >= part(&other.corner) + part(&other.size)
                    || part(&other.corner) >= part(&one.corner) + part(&one.size)
            };
            !apart(|at| at.0) && !apart(|at| at.1)
        })
    });
    if across * scale > 160 || up > 60 || overlap {
        let line = |one: &super::Rectangle| format!("{}: {}", one.label, one.place);
        return joined_lines(&packing.boxes.iter().map(line).collect::<Vec<_>>());
    }
    let mut canvas = Canvas::new(across * scale + 1, 2 * up + 1);
    let at = |x: i64, y: i64| ((x - left) as usize * scale, 2 * (high - y) as usize);
    if let Some((width, height)) = packing.frame {
        canvas.rectangle(at(0, height), at(width, 0));
    }
    for one in &packing.boxes {
        let ((x, y), (width, height)) = (one.corner, one.size);
        canvas.rectangle(at(x, y + height), at(x + width, y));
    }
    // Labels are written last, because lines would hide them.
    for one in &packing.boxes {
        let ((x, y), (broad, high)) = (one.corner, one.size);
        let (column, row) = at(x, y + high);
        let room = broad as usize * scale - 1;
        canvas.write(column + 1 + (room - terminal_width(&one.label).min(room)) / 2, row + high as usize, &one.label);
    }
    joined_lines(&canvas.rows())
}

/// Splits the columns of a table into parts that fit into the width; each part follows `front` columns.
fn column_parts(columns: &[usize], front: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut used) = (0, front);
    for (column, width) in columns.iter().enumerate() {
        // A part needs at least one column, even if that is wider than the line.
        if used + width > WIDTH && column > start {
            parts.push(start..column);
            (start, used) = (column, front);
        }
        used += width + 3;
    }
    parts.push(start..columns.len());
    parts
}

fn render_sums(sums: &Sums) -> String {
    let mut all = sums.rows.iter().chain(&sums.columns);
    // In a magic square, all sums are equal, so one number is enough.
    if let (Some(first), Some((falling, rising))) = (sums.rows.first(), &sums.diagonals)
        && all.all(|sum| sum == first)
        && [falling, rising] == [first; 2]
    {
        return format!("\nsum of each row, column and diagonal: {first}\n");
    }
    let (rows, columns) = (sums.rows.join(", "), sums.columns.join(", "));
    let mut text = format!("\nsums of the rows: {rows}\nsums of the columns: {columns}\n");
    if let Some((falling, rising)) = &sums.diagonals {
        let _ = writeln!(text, "sums of the diagonals: {falling}, {rising}");
    }
    text
}

/// Renders each node with a list of its neighbours.
fn render_graph(graph: &Graph) -> String {
    let said = |node: usize| graph.nodes[node].tone.and_then(|tone| graph.legend.get(tone));
    let labels = graph.nodes.iter().map(|node| terminal_width(&node.label)).max().unwrap_or(0);
    let tones = (0..graph.nodes.len()).filter_map(said).map(|said| terminal_width(said)).max();
    let mut all = Vec::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        let mut arrows = Vec::new();
        let mut plain = Vec::new();
        let (mut strong, mut strong_arrows) = (Vec::new(), Vec::new());
        for edge in &graph.edges {
            let other = match (edge.from == number, edge.to == number) {
                (true, _) => edge.to,
                // An edge without a direction is listed at both ends.
                (_, true) if !edge.directed => edge.from,
                _ => continue,
            };
            let label = graph.nodes[other].label.clone();
            let label = said(other).map_or(label.clone(), |said| format!("{label} ({said})"));
            match (edge.strong, edge.directed) {
                (true, true) => strong_arrows.push(label),
                (true, false) => strong.push(label),
                (false, true) => arrows.push(label),
                (false, false) => plain.push(label),
            }
        }
        let mut line = padded(&node.label, labels);
        if let Some(tones) = tones {
            line += &format!("  {}", padded(said(number).map_or("", |said| said), tones));
        }
        for (sign, others) in [("━━", strong), ("━▶", strong_arrows), ("──", plain), ("─→", arrows)] {
            if !others.is_empty() {
                line += &format!("  {sign} {}", others.join(", "));
            }
        }
        all.push(line);
    }
    all.extend(graph.notes.iter().cloned());
    joined_lines(&all)
}

/// Returns a box around items, with the label in its upper edge.
fn render_container(container: &Container) -> Vec<String> {
    let block = |item: &Item| match item {
        Item::Text(text) => vec![text.clone()],
        Item::Container(inner) => render_container(inner),
    };
    let inside = match &container.items[..] {
        [] => vec!["".to_owned()],
        items => joined_blocks(items.iter().map(block).collect(), 2),
    };
    let label = if container.label.is_empty() { String::new() } else { format!(" {} ", container.label) };
    let columns = inside.iter().map(|line| terminal_width(line)).max().unwrap_or(0).max(terminal_width(&label));
    let mut lines = vec![format!("╭─{label}{}─╮", "─".repeat(columns - terminal_width(&label)))];
    lines.extend(inside.iter().map(|line| format!("│ {} │", padded(line, columns))));
    lines.push(format!("╰─{}─╯", "─".repeat(columns)));
    lines
}

/// Puts blocks side by side, centred vertically.
fn joined_blocks(blocks: Vec<Vec<String>>, gap: usize) -> Vec<String> {
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = vec![String::new(); height];
    for (position, block) in blocks.iter().enumerate() {
        let columns = block.iter().map(|line| terminal_width(line)).max().unwrap_or(0);
        let above = (height - block.len()) / 2;
        for (number, line) in lines.iter_mut().enumerate() {
            let part = number.checked_sub(above).and_then(|number| block.get(number)).map_or("", |part| part);
            *line += &" ".repeat(if position > 0 { gap } else { 0 });
            *line += &padded(part, columns);
        }
    }
    lines
}

/// Puts blocks side by side, in several lines if they do not fit into the width.
fn blocks_beside(blocks: Vec<Vec<String>>) -> Vec<String> {
    let mut all = Vec::new();
    let mut row: Vec<Vec<String>> = Vec::new();
    let mut used = 0;
    for block in blocks {
        let columns = block.iter().map(|line| terminal_width(line)).max().unwrap_or(0) + 1;
        // A block wider than the line has a line to itself.
        if used + columns > WIDTH && !row.is_empty() {
            all.extend(joined_blocks(std::mem::take(&mut row), 1));
            used = 0;
        }
        used += columns;
        row.push(block);
    }
    all.extend(joined_blocks(row, 1));
    all
}

/// Renders bars in brackets, if possible at a scale at which the labels fit.
fn render_gantt(gantt: &Gantt) -> String {
    let (first, last) = gantt.span();
    let steps = (last - first).max(1) as usize;
    let bars = || gantt.lanes.iter().flat_map(|lane| &lane.bars);
    let wanted =
        bars().filter(|bar| bar.length > 0).map(|bar| (terminal_width(&bar.label) + 2).div_ceil(bar.length as usize));
    // In a long schedule, labels are cut, because the scale cannot be large enough for them.
    let scale = wanted.max().unwrap_or(1).max(2).min((120 / steps).max(1));
    let head = gantt.lanes.iter().map(|lane| terminal_width(&lane.name)).max().unwrap_or(0);
    let column = |time: i64| (time - first) as usize * scale;
    let mut all = Vec::new();
    for lane in &gantt.lanes {
        // Overlapping bars go on separate lines.
        let mut rows: Vec<String> = vec![String::new()];
        for bar in &lane.bars {
            let columns = bar.length as usize * scale;
            let label = cut_text(&bar.label, columns.saturating_sub(2));
            let drawn = match columns {
                0 => "|".to_owned(),
                1 => "#".to_owned(),
                _ => format!("[{}]", padded(&label, columns - 2)),
            };
            let start = column(bar.start);
            let row = match rows.iter().position(|row| terminal_width(row) <= start) {
                Some(row) => row,
                None => {
                    rows.push(String::new());
                    rows.len() - 1
                }
            };
            rows[row] = padded(&rows[row], start) + &drawn;
        }
        for (number, row) in rows.iter().enumerate() {
            let name = if number == 0 { &lane.name } else { "" };
            all.push(format!("{} │{row}", padded(name, head)));
        }
    }
    let mut axis = String::new();
    for time in first..=last {
        let at = column(time);
        // A label that would touch the previous one is left out.
        if at >= terminal_width(&axis) + usize::from(!axis.is_empty()) {
            axis = padded(&axis, at) + &gantt.shown(time);
        }
    }
    all.push(format!("{}─┴{}", "─".repeat(head), "─".repeat(steps * scale + 1)));
    all.push(format!("{}  {axis}", " ".repeat(head)));
    joined_lines(&all)
}
