//! Computes the layout of graphs.
//!
//! Nodes that are `d` edges apart should be `d` apart in the picture: *stress majorization* (Gansner, Koren, North:
//! Graph drawing by stress majorization, GD 2004), which starts from a circle and moves one node at a time. A graph
//! with nearly all edges stays on the circle, where each edge is visible. Connected components are placed side by side.
//! The layout is deterministic: the same graph always has the same picture.

use super::Graph;
use std::collections::VecDeque;

/// A point of a picture, in units of about the length of an edge.
pub(crate) type PicturePoint = (f64, f64);

/// The number of steps of the layout. Chosen.
const STEPS: usize = 300;

/// The gap between connected components. Chosen.
const GAP: f64 = 0.9;

/// Computes a point for each node.
pub(crate) fn arrange(graph: &Graph) -> Vec<PicturePoint> {
    let count = graph.nodes.len();
    let mut neighbours = vec![Vec::new(); count];
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
        neighbours[edge.from].push(edge.to);
        neighbours[edge.to].push(edge.from);
    }
    neighbours.iter_mut().for_each(|nodes| {
        nodes.sort_unstable();
        nodes.dedup();
    });
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for node in 0..count {
        if !parts.iter().any(|part| part.contains(&node)) {
            let far = distances(&neighbours, node);
            parts.push((0..count).filter(|other| far[*other].is_some()).collect());
        }
    }
    // The largest component comes first. The others fill columns to its right, from the bottom up.
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let mut points = vec![(0.0, 0.0); count];
    let mut height: f64 = 0.0;
    let (mut left, mut right, mut bottom) = (0.0, 0.0f64, f64::NEG_INFINITY);
    for part in &parts {
        let inside = place_connected(part, &neighbours);
        let low =
            inside.iter().fold((f64::INFINITY, f64::INFINITY), |low, point| (low.0.min(point.0), low.1.min(point.1)));
        let high = inside
            .iter()
            .fold((0.0f64, 0.0f64), |high, point| (high.0.max(point.0 - low.0), high.1.max(point.1 - low.1)));
        if bottom == f64::NEG_INFINITY {
            height = high.1.max((count as f64).sqrt() * 0.6);
            bottom = height;
        // The tolerance absorbs rounding errors in a column that is filled exactly.
        } else if bottom - high.1 < -1e-9 {
            (left, bottom) = (right + GAP, height);
        }
        for (node, point) in part.iter().zip(&inside) {
            points[*node] = (left + point.0 - low.0, bottom - high.1 + point.1 - low.1);
        }
        right = right.max(left + high.0);
        bottom -= high.1 + 0.8;
    }
    points
}

/// Computes points for the nodes of a connected component. The widest extent becomes horizontal, because labels are
/// wider than high.
fn place_connected(part: &[usize], neighbours: &[Vec<usize>]) -> Vec<PicturePoint> {
    let count = part.len();
    if count < 3 {
        return (0..count).map(|node| (1.2 * node as f64, 0.0)).collect();
    }
    let radius = count as f64 / (2.0 * std::f64::consts::PI) + 0.15;
    let on_circle = |node: usize| {
        let angle = 2.0 * std::f64::consts::PI * node as f64 / count as f64 - std::f64::consts::FRAC_PI_2;
        (without_noise(radius * angle.cos()), without_noise(radius * angle.sin()))
    };
    let mut points: Vec<PicturePoint> = (0..count).map(on_circle).collect();
    if part.iter().all(|node| neighbours[*node].len() == 2) {
        // If the nodes of a cycle are placed in its order, its edges do not cross.
        let (mut before, mut node) = (part[0], part[0]);
        for position in 0..count {
            if let Ok(at) = part.binary_search(&node) {
                points[at] = on_circle(position);
            }
            let next = neighbours[node].iter().copied().find(|next| *next != before).unwrap_or(node);
            (before, node) = (node, next);
        }
        return points;
    }
    let edges: usize = part.iter().map(|node| neighbours[*node].len()).sum::<usize>() / 2;
    // With 70 % of all possible edges, most distances are 1 and do not determine positions.
    if 20 * edges >= 7 * count * (count - 1) {
        return points;
    }
    let far = |node: &usize| {
        let far = distances(neighbours, *node);
        part.iter().map(|other| far[*other].unwrap_or(1) as f64).collect()
    };
    let wanted: Vec<Vec<f64>> = part.iter().map(far).collect();
    // Nodes on one line would only move along that line, so the start is slightly uneven.
    points.iter_mut().enumerate().for_each(|(node, point)| point.0 += 0.01 * (node * node % 7) as f64);
    for _ in 0..STEPS {
        for node in 0..count {
            let (mut sum, mut weights) = ((0.0, 0.0), 0.0);
            for other in (0..count).filter(|other| *other != node) {
                let wanted = wanted[node][other];
                let weight = 1.0 / (wanted * wanted);
                let (dx, dy) = (points[node].0 - points[other].0, points[node].1 - points[other].1);
                let there = (dx * dx + dy * dy).sqrt().max(NOISE);
                sum.0 += weight * (points[other].0 + wanted * dx / there);
                sum.1 += weight * (points[other].1 + wanted * dy / there);
                weights += weight;
            }
            points[node] = (sum.0 / weights, sum.1 / weights);
        }
    }
    turned(points)
}

/// Smaller differences are ignored: trigonometric functions differ in their last digits between systems, but pictures
/// must be equal.
const NOISE: f64 = 1e-6;

fn without_noise(coordinate: f64) -> f64 {
    (coordinate / NOISE).round() * NOISE
}

/// Returns the number of edges from a node to each other node; `None` if there is no path.
fn distances(neighbours: &[Vec<usize>], start: usize) -> Vec<Option<usize>> {
    let mut far: Vec<Option<usize>> = vec![None; neighbours.len()];
    far[start] = Some(0);
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &next in &neighbours[node] {
            if far[next].is_none() {
                far[next] = far[node].map(|far| far + 1);
                queue.push_back(next);
            }
        }
    }
    far
}

/// Rotates the points to their largest horizontal extent, with their centre at the origin.
fn turned(points: Vec<PicturePoint>) -> Vec<PicturePoint> {
    let count = points.len() as f64;
    let middle = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let centred: Vec<PicturePoint> = points.iter().map(|point| (point.0 - middle.0, point.1 - middle.1)).collect();
    let (xx, xy, yy) =
        centred.iter().fold((0.0, 0.0, 0.0), |(xx, xy, yy), (x, y)| (xx + x * x, xy + x * y, yy + y * y));
    // A layout with equal extent in all directions, such as a star with three rays, has no main axis.
    let has_direction = (2.0 * xy).abs().max((xx - yy).abs()) > NOISE * (xx + yy);
    let angle = if has_direction { 0.5 * (2.0 * xy).atan2(xx - yy) } else { 0.0 };
    let (sine, cosine) = angle.sin_cos();
    let turn = |(x, y): &PicturePoint| (x * cosine + y * sine, y * cosine - x * sine);
    let turned: Vec<PicturePoint> = centred.iter().map(turn).collect();
    // The axis can point either way. Mirroring puts the first node on the left, below the centre.
    let (left, up) = turned
        .first()
        .map_or((1.0, 1.0), |(x, y)| (if *x > NOISE { -1.0 } else { 1.0 }, if *y > NOISE { -1.0 } else { 1.0 }));
    turned.into_iter().map(|(x, y)| (x * left, y * up)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Edge, GraphNode};

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        Graph {
            nodes: (0..nodes).map(|node| GraphNode { label: node.to_string(), tone: None, slot: None }).collect(),
            edges: edges
                .iter()
                .map(|(from, to)| Edge { from: *from, to: *to, directed: false, strong: false })
                .collect(),
            ..Graph::default()
        }
    }

    fn apart(points: &[PicturePoint], one: usize, other: usize) -> f64 {
        (points[one].0 - points[other].0).hypot(points[one].1 - points[other].1)
    }

    #[test]
    fn last_digits_turn_no_star() {
        let rays = [0.0_f64, 120.0, 240.0].map(|degrees| (degrees.to_radians().cos(), degrees.to_radians().sin()));
        let star = |noise: f64| {
            turned([(0.0, 0.0)].into_iter().chain(rays.map(|(x, y)| (x + noise, y - noise * x))).collect())
        };
        for (one, other) in star(0.0).into_iter().zip(star(1e-14)).chain(star(1e-14).into_iter().zip(star(-1e-14))) {
            assert!((one.0 - other.0).abs() < 1e-9 && (one.1 - other.1).abs() < 1e-9, "{one:?} {other:?}");
        }
    }

    #[test]
    fn distances_are_those_along_the_edges() {
        let points = arrange(&graph(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]));
        for (one, other) in [(0, 1), (0, 2), (0, 4), (1, 4)] {
            let wanted = other as f64 - one as f64;
            assert!((apart(&points, one, other) - wanted).abs() < 0.1, "{one} and {other}: {points:?}");
        }
    }

    /// Returns true if two lines between four different points cross.
    fn cross(one: (PicturePoint, PicturePoint), other: (PicturePoint, PicturePoint)) -> bool {
        let side = |(from, to): (PicturePoint, PicturePoint), point: PicturePoint| {
            (to.0 - from.0) * (point.1 - from.1) - (to.1 - from.1) * (point.0 - from.0)
        };
        side(one, other.0) * side(one, other.1) < 0.0 && side(other, one.0) * side(other, one.1) < 0.0
    }

    #[test]
    fn the_edges_of_cycles_do_not_cross() {
        let cycles = [vec![0, 3, 1, 4, 2, 5], vec![6, 9, 8, 7], vec![10, 12, 11]];
        let edges: Vec<(usize, usize)> = cycles
            .iter()
            .flat_map(|cycle| (0..cycle.len()).map(|at| (cycle[at], cycle[(at + 1) % cycle.len()])))
            .collect();
        let points = arrange(&graph(13, &edges));
        let line = |(from, to): (usize, usize)| (points[from], points[to]);
        for one in &edges {
            for other in &edges {
                let apart = [one.0, one.1].iter().all(|end| ![other.0, other.1].contains(end));
                assert!(!apart || !cross(line(*one), line(*other)), "{one:?} and {other:?}: {points:?}");
            }
        }
    }

    #[test]
    fn no_two_nodes_have_one_place() {
        let complete: Vec<(usize, usize)> = (0..6).flat_map(|one| (0..one).map(move |other| (other, one))).collect();
        for graph in [
            graph(0, &[]),
            graph(1, &[(0, 0)]),
            graph(2, &[]),
            graph(7, &[]),
            graph(6, &complete),
            graph(9, &[(0, 1), (0, 2), (0, 3), (0, 4), (5, 6), (7, 8), (8, 7)]),
            graph(8, &[(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]),
        ] {
            let points = arrange(&graph);
            assert_eq!(points, arrange(&graph), "the same graph again");
            for one in 0..points.len() {
                for other in 0..one {
                    assert!(apart(&points, one, other) > 0.4, "{one} and {other}: {points:?}");
                }
            }
        }
    }
}
