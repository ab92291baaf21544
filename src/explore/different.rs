//! Solutions that differ most from each other.

use super::SolutionPoint;

/// Chooses solutions greedily: the first one, then repeatedly one with the greatest distance to its nearest chosen one.
/// The distance is the number of cells with different options.
pub(super) fn most_different(points: &[SolutionPoint], most: usize) -> Vec<usize> {
    let distance = |left: &SolutionPoint, right: &SolutionPoint| {
        left.options.iter().zip(&right.options).filter(|(left, right)| left != right).count()
    };
    let mut chosen = Vec::new();
    let mut nearest = vec![usize::MAX; points.len()];
    while chosen.len() < most {
        // `max_by_key` returns the last maximum, so the order is reversed to prefer the first solution.
        let next = (0..points.len()).rev().max_by_key(|number| nearest[*number]);
        let Some(next) = next.filter(|next| nearest[*next] > 0) else { break };
        chosen.push(next);
        for (point, nearest) in points.iter().zip(&mut nearest) {
            *nearest = (*nearest).min(distance(point, &points[next]));
        }
    }
    chosen
}
