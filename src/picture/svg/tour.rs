//! Draws tours: places on a map or on a circle, with arrows from each place to the next.

use super::{
    Drawing, Font, INK,
    colours::{Paint, of_line, of_palette},
    graph, text_width,
};
use crate::picture::{Edge, Graph, GraphNode, Route, Tour};
use std::f64::consts::{FRAC_PI_2, PI};

/// The maximum size of a map.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 520.0;
const DOT: f64 = 11.0;
const SIZE: f64 = 13.0;

pub(crate) fn draw_tour(tour: &Tour) -> Drawing {
    match tour.places.iter().map(|place| place.at).collect::<Option<Vec<_>>>() {
        Some(points) if !points.is_empty() => on_map(tour, &points),
        _ => in_circle(tour),
    }
}

/// Draws the places of all routes on a circle, in the order of their first visit.
fn in_circle(tour: &Tour) -> Drawing {
    let mut order: Vec<usize> = Vec::new();
    // Places that no route visits come last.
    let all = tour.routes.iter().flat_map(|route| route.stops.iter().copied()).chain(0..tour.places.len());
    for place in all {
        if !order.contains(&place) {
            order.push(place);
        }
    }
    let count = order.len() as f64;
    let radius = (count / (2.0 * PI)).max(0.6);
    let point = |at: usize| {
        let angle = 2.0 * PI * at as f64 / count - FRAC_PI_2;
        (radius * angle.cos(), radius * angle.sin())
    };
    let node = |place: &usize| GraphNode { label: tour.places[*place].label.clone(), tone: None, slot: None };
    let mut edges: Vec<Edge> = Vec::new();
    for (from, to) in tour.routes.iter().flat_map(legs) {
        let position = |place: usize| order.iter().position(|other| *other == place).unwrap_or(0);
        edges.push(Edge { from: position(from), to: position(to), directed: true, strong: true });
    }
    let places = (0..order.len()).map(point).collect();
    graph::draw_at(&Graph { nodes: order.iter().map(node).collect(), edges, ..Graph::default() }, places)
}

/// The legs of a route: each stop with the next one.
fn legs(route: &Route) -> Vec<(usize, usize)> {
    let mut legs: Vec<(usize, usize)> = route.stops.windows(2).map(|two| (two[0], two[1])).collect();
    if let (true, [first, .., last]) = (route.closed, &route.stops[..]) {
        legs.push((*last, *first));
    }
    legs
}

/// Draws dots at the coordinates of the places, with the numbers of the stops if there is only one route.
fn on_map(tour: &Tour, points: &[(i64, i64)]) -> Drawing {
    let ends = |part: fn(&(i64, i64)) -> i64| {
        let values = points.iter().map(part);
        (values.clone().min().unwrap_or(0) as f64, values.max().unwrap_or(0) as f64)
    };
    let ((left, right), (low, high)) = (ends(|at| at.0), ends(|at| at.1));
    let scale = (WIDTH / (right - left).max(1.0)).min(HEIGHT / (high - low).max(1.0)).min(120.0);
    let room = tour.places.iter().map(|place| text_width(&place.label, SIZE)).fold(0.0, f64::max) + DOT + 10.0;
    let (x0, y0) = (room, DOT + 24.0);
    let at =
        |place: usize| (x0 + (points[place].0 as f64 - left) * scale, y0 + (high - points[place].1 as f64) * scale);
    let width = x0 + (right - left) * scale + room;
    let mut drawing = Drawing { width, height: y0 + (high - low) * scale + DOT + 24.0, ..Drawing::default() };
    let colour = |number: usize| of_line(&tour.routes[number].label, number);
    for (number, route) in tour.routes.iter().enumerate() {
        let style = format!("stroke=\"{}\" stroke-width=\"2.2\" stroke-linecap=\"round\"", colour(number));
        for (from, to) in legs(route) {
            let ((x1, y1), (x2, y2)) = (at(from), at(to));
            let length = (x2 - x1).hypot(y2 - y1);
            // There is no room for an arrow between dots that nearly touch.
            if length < 2.0 * DOT + 4.0 {
                continue;
            }
            let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
            let tip = (x2 - dx * (DOT + 2.0), y2 - dy * (DOT + 2.0));
            drawing.line((x1 + dx * DOT, y1 + dy * DOT), (tip.0 - 7.0 * dx, tip.1 - 7.0 * dy), &style);
            graph::arrow_head(&mut drawing, tip, (dx, dy), colour(number));
        }
    }
    for (place, known) in tour.places.iter().enumerate() {
        let (x, y) = at(place);
        let route = tour.routes.iter().position(|route| route.stops.contains(&place));
        let paint = match route {
            Some(number) if tour.routes.len() > 1 => Paint { edge: colour(number), ..of_palette(8) },
            Some(_) => Paint { edge: colour(0), ..of_palette(0) },
            None => Paint { fill: "#ffffff", text: INK, edge: "#94a3b8" },
        };
        drawing.circle((x, y), DOT, &paint.style());
        if let (Some(_), [alone]) = (route, &tour.routes[..]) {
            let stop = alone.stops.iter().position(|stop| *stop == place).unwrap_or(0) + 1;
            drawing.centred(x, y, &stop.to_string(), Font::middle(12.0, paint.text).bold());
        }
        // The label goes to the side with the widest angle to the nearest line.
        let lines = || {
            let ends = tour.routes.iter().flat_map(legs).filter(|(from, to)| *from == place || *to == place);
            ends.map(|(from, to)| at(if from == place { to } else { from })).map(|other| (other.0 - x, other.1 - y))
        };
        let nearest = |side: (f64, f64)| {
            let cosine = |(dx, dy): (f64, f64)| (dx * side.0 + dy * side.1) / dx.hypot(dy).max(1e-9);
            lines().map(cosine).fold(-1.0, f64::max)
        };
        let sides = [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)];
        // The margin prefers the earlier sides when the angles are about equal.
        let best = sides.into_iter().fold(
            sides[0],
            |best, side| {
                if nearest(side) < nearest(best) - 0.1 { side } else { best }
            },
        );
        let (x, y, anchor) = match best {
            (_, 1.0) => (x, y + DOT + 14.0, "middle"),
            (_, -1.0) => (x, y - DOT - 5.0, "middle"),
            (1.0, _) => (x + DOT + 5.0, y + 4.5, "start"),
            _ => (x - DOT - 5.0, y + 4.5, "end"),
        };
        drawing.outlined(x, y, &known.label, Font { size: SIZE, colour: INK, anchor, bold: false });
    }
    let legend = |(number, route): (usize, &Route)| {
        let paint = Paint { fill: colour(number), text: INK, edge: colour(number) };
        (!route.label.is_empty()).then(|| (paint, route.label.clone()))
    };
    drawing.legend(&tour.routes.iter().enumerate().filter_map(legend).collect::<Vec<_>>());
    drawing
}
