//! Gantt charts: bars on lanes above a time axis.

use super::{Drawing, FAINT, Font, INK, LINE, Point, colours::of_palette, text_width};
use crate::picture::{Bar, Gantt, Lane};

const BAR: f64 = 40.0;
const LANE_GAP: f64 = 14.0;
const SIZE: f64 = 14.0;

pub(crate) fn draw_gantt(gantt: &Gantt) -> Drawing {
    let (first, last) = gantt.span();
    let steps = (last - first) as f64;
    let bars = || gantt.lanes.iter().flat_map(|lane| &lane.bars);
    // Labels should fit into their bars, but the chart must not get too wide or too narrow.
    let needed = |bar: &Bar| {
        let longest = label_lines(&bar.label).iter().map(|line| text_width(line, SIZE)).fold(0.0, f64::max);
        (longest + 16.0) / bar.length as f64
    };
    let wanted = bars().filter(|bar| bar.length > 0).map(needed).fold(18.0, f64::max);
    let scale = wanted.min((1100.0 / steps).max(6.0)).min(90.0);
    let left = gantt.lanes.iter().map(|lane| text_width(&lane.name, 15.0)).fold(0.0, f64::max) + 18.0;
    let x = |time: i64| left + (time - first) as f64 * scale;
    let rows: Vec<Vec<usize>> = gantt.lanes.iter().map(rows_of_bars).collect();
    let heights: Vec<f64> =
        rows.iter().map(|rows| (rows.iter().max().unwrap_or(&0) + 1) as f64 * (BAR + 4.0) - 4.0).collect();
    let bottom: f64 = heights.iter().map(|height| height + LANE_GAP).sum::<f64>() + LANE_GAP;
    let mut drawing = Drawing { width: x(last) + 12.0, height: bottom + 26.0, ..Drawing::default() };
    let widest = [first, last].map(|time| text_width(&gantt.shown(time), 13.0)).into_iter().fold(22.0, f64::max) + 4.0;
    let every = [1, 2, 5, 10, 20, 50, 100, 200].into_iter().find(|every| *every as f64 * scale >= widest);
    let every = every.unwrap_or(500);
    // The last time is always shown, so labels too close to it are left out.
    let near_end = |time: i64| (last - time) as f64 * scale < widest;
    for time in (first..=last).filter(|time| *time == last || time % every == 0 && !near_end(*time)) {
        let faint = if time == first { "#94a3b8" } else { LINE };
        drawing.line((x(time), 0.0), (x(time), bottom), &format!("stroke=\"{faint}\" stroke-width=\"1\""));
        drawing.centred(x(time), bottom + 14.0, &gantt.shown(time), Font::middle(13.0, FAINT));
    }
    drawing.line((left, bottom), (x(last), bottom), "stroke=\"#94a3b8\" stroke-width=\"1.5\"");
    let mut y = LANE_GAP;
    for ((lane, rows), height) in gantt.lanes.iter().zip(&rows).zip(&heights) {
        let middle = y + height / 2.0;
        drawing.text(
            left - 14.0,
            middle + 5.0,
            &lane.name,
            Font { size: 15.0, colour: INK, anchor: "end", bold: true },
        );
        for (bar, row) in lane.bars.iter().zip(rows) {
            let top = y + *row as f64 * (BAR + 4.0);
            draw_bar(&mut drawing, bar, (x(bar.start), top), bar.length as f64 * scale);
        }
        y += height + LANE_GAP;
    }
    drawing
}

/// Returns the row of each bar in its lane; overlapping bars have different rows.
fn rows_of_bars(lane: &Lane) -> Vec<usize> {
    let mut ends: Vec<i64> = Vec::new();
    let mut place = |bar: &Bar| {
        let end = bar.start + bar.length;
        // A bar may start in a row in which another one ends at the same time.
        match ends.iter().position(|other| *other <= bar.start) {
            Some(row) => {
                ends[row] = end;
                row
            }
            None => {
                ends.push(end);
                ends.len() - 1
            }
        }
    };
    lane.bars.iter().map(&mut place).collect()
}

fn draw_bar(drawing: &mut Drawing, bar: &Bar, corner: Point, width: f64) {
    let (x, y) = corner;
    let paint = of_palette(bar.tone);
    drawing.rect((x + 1.0, y), ((width - 2.0).max(3.0), BAR), 7.0, &paint.style());
    let mut lines = label_lines(&bar.label);
    let longest = lines.iter().map(|line| text_width(line, SIZE)).fold(0.0, f64::max);
    let mut size = SIZE;
    if longest > width - 8.0 {
        size = (SIZE * (width - 8.0).max(0.0) / longest).max(9.0);
        if text_width(&bar.label, 9.0) > width * 2.5 {
            // Smaller text could not be read.
            lines = Vec::new();
        }
    }
    let step = size * 1.15;
    let first = y + BAR / 2.0 - step * (lines.len().saturating_sub(1)) as f64 / 2.0;
    for (number, line) in lines.iter().enumerate() {
        drawing.centred(x + width / 2.0, first + step * number as f64, line, Font::middle(size, paint.text));
    }
}

/// Splits a label of several words into two lines.
fn label_lines(label: &str) -> Vec<String> {
    match label.split_once(['_', ' ']) {
        Some((first, rest)) if !first.is_empty() && !rest.is_empty() => vec![first.to_owned(), rest.replace('_', " ")],
        _ => vec![label.to_owned()],
    }
}
