//! Graphs: labels in rounded boxes, with lines or arrows between them.

use super::{
    Drawing, Font, Mark, Point, SlotBox,
    colours::{Paint, of_palette, paints},
    text_width,
};
use crate::picture::{Graph, layout};

const HEIGHT: f64 = 38.0;
const SIZE: f64 = 15.0;
/// The smallest gap between boxes.
const GAP: f64 = 24.0;
const EDGE: &str = "stroke=\"#8a96a8\" stroke-width=\"2\" stroke-linecap=\"round\" fill=\"none\"";

/// The style of found edges in a picture with given edges.
const STRONG: &str = "stroke=\"#1d4ed8\" stroke-width=\"3.2\" stroke-linecap=\"round\" fill=\"none\"";
const STRONG_HEAD: &str = "#1d4ed8";
/// The style of given edges in a picture with found edges.
const WEAK: &str = "stroke=\"#cbd5e1\" stroke-width=\"1.6\" stroke-linecap=\"round\" fill=\"none\"";
const HEAD: &str = "#64748b";

pub(crate) fn draw_graph(graph: &Graph) -> Drawing {
    draw_at(graph, layout::arrange(graph))
}

/// Draws a graph with its nodes at these points. The distances are scaled so that the boxes do not overlap.
pub(crate) fn draw_at(graph: &Graph, points: Vec<layout::PicturePoint>) -> Drawing {
    let widths: Vec<f64> = graph.nodes.iter().map(|node| (text_width(&node.label, SIZE) + 26.0).max(HEIGHT)).collect();
    let points = scaled_points(points, &widths);
    let some_strong = graph.edges.iter().any(|edge| edge.strong);
    let left = points.iter().zip(&widths).map(|((x, _), width)| x - width / 2.0).fold(f64::INFINITY, f64::min);
    let top = points.iter().map(|(_, y)| y - HEIGHT / 2.0).fold(f64::INFINITY, f64::min);
    let loops = graph.edges.iter().any(|edge| edge.from == edge.to);
    // An edge from a node to itself is drawn above the box.
    let shift = |(x, y): &(f64, f64)| (x - left + 3.0, y - top + if loops { 34.0 } else { 3.0 });
    let points: Vec<(f64, f64)> = points.iter().map(shift).collect();
    let mut drawing = Drawing::default();
    // The boxes must cover the ends of the edges, so edges are drawn first.
    for edge in &graph.edges {
        let (style, head) = match (edge.strong, some_strong) {
            (true, _) => (STRONG, STRONG_HEAD),
            (false, true) => (WEAK, HEAD),
            (false, false) => (EDGE, HEAD),
        };
        let (from, to) = (points[edge.from], points[edge.to]);
        if edge.from == edge.to {
            let (x, y) = (from.0, from.1 - HEIGHT / 2.0);
            let path = format!(
                "M{:.1} {y:.1} C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                x - 9.0,
                x - 24.0,
                y - 34.0,
                x + 24.0,
                y - 34.0,
                x + 9.0,
                y - 1.0
            );
            drawing.path(&path, style);
            if edge.directed {
                arrow_head(&mut drawing, (x + 9.0, y - 1.0), (-0.35, 0.94), head);
            }
            continue;
        }
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let direction = (dx / length, dy / length);
        if edge.directed {
            let tip = border(to, widths[edge.to], (-direction.0, -direction.1));
            let tip = (tip.0 - 2.0 * direction.0, tip.1 - 2.0 * direction.1);
            // The line ends inside the arrowhead, so that it does not blunt the tip.
            let end = (tip.0 - 7.0 * direction.0, tip.1 - 7.0 * direction.1);
            drawing.line(from, end, style);
            arrow_head(&mut drawing, tip, direction, head);
        } else {
            drawing.line(from, to, style);
        }
    }
    let paints = paints(&graph.legend);
    for ((node, (x, y)), width) in graph.nodes.iter().zip(&points).zip(&widths) {
        let paint = match node.tone.and_then(|tone| paints.get(tone)) {
            Some(paint) => *paint,
            None if graph.legend.is_empty() => of_palette(0),
            None => Paint { fill: "#ffffff", text: "#1f2937", edge: "#8a96a8" },
        };
        drawing.rect((x - width / 2.0, y - HEIGHT / 2.0), (*width, HEIGHT), HEIGHT / 2.0, &paint.style());
        drawing.centred(*x, *y, &node.label, Font::middle(SIZE, paint.text).bold());
        if let Some(slot) = node.slot.clone() {
            let (corner, size) = ((x - width / 2.0, y - HEIGHT / 2.0), (*width, HEIGHT));
            drawing.boxes.push(SlotBox { slot, corner, size, mark: Mark::Tone, label: node.label.clone() });
        }
        drawing.width = drawing.width.max(x + width / 2.0 + 3.0);
        drawing.height = drawing.height.max(y + HEIGHT / 2.0 + 3.0);
    }
    let legend: Vec<(Paint, String)> = paints.into_iter().zip(graph.legend.iter().cloned()).collect();
    drawing.legend(&legend);
    drawing.notes(&graph.notes);
    drawing
}

/// Returns the points in pixels, scaled until the boxes no longer overlap.
fn scaled_points(points: Vec<layout::PicturePoint>, widths: &[f64]) -> Vec<(f64, f64)> {
    let average = widths.iter().sum::<f64>() / widths.len().max(1) as f64;
    let (mut across, mut down) = ((average * 0.75 + 36.0).max(84.0), 84.0);
    let scale = |across: f64, down: f64| points.iter().map(|(x, y)| (x * across, y * down)).collect::<Vec<_>>();
    for _ in 0..40 {
        let scaled = scale(across, down);
        let overlap = (0..points.len()).any(|one| {
            (0..one).any(|other| {
                let (dx, dy) = ((scaled[one].0 - scaled[other].0).abs(), (scaled[one].1 - scaled[other].1).abs());
                dx < (widths[one] + widths[other]) / 2.0 + GAP && dy < HEIGHT + GAP
            })
        });
        if !overlap {
            break;
        }
        across *= 1.06;
        down *= 1.04;
    }
    scale(across, down)
}

/// Returns the point at which a ray from the centre of a box with round ends leaves the box.
fn border(centre: Point, width: f64, direction: Point) -> Point {
    let ((x, y), (dx, dy)) = (centre, direction);
    let (radius, straight) = (HEIGHT / 2.0, (width - HEIGHT) / 2.0);
    // The ray leaves through the upper or lower edge if it meets the straight part of that edge.
    if dy.abs() > 1e-9 {
        let far = radius / dy.abs();
        if (dx * far).abs() <= straight {
            return (x + dx * far, y + dy * far);
        }
    }
    // Otherwise, it leaves through the circle around an end of the straight part: |far * d - centre| = radius.
    let centre = straight.max(0.0) * dx.signum();
    let along = centre * dx;
    let far = along + (along * along - centre * centre + radius * radius).max(0.0).sqrt();
    (x + dx * far, y + dy * far)
}

/// Draws an arrowhead with its tip at `tip`.
pub(crate) fn arrow_head(drawing: &mut Drawing, tip: Point, direction: Point, colour: &str) {
    let ((x, y), (dx, dy)) = (tip, direction);
    let (back, side) = (11.0, 5.0);
    let (bx, by) = (x - back * dx, y - back * dy);
    let path = format!(
        "M{x:.1} {y:.1} L{:.1} {:.1} L{:.1} {:.1} Z",
        bx - side * dy,
        by + side * dx,
        bx + side * dy,
        by - side * dx
    );
    drawing.path(&path, &format!("fill=\"{colour}\""));
}
