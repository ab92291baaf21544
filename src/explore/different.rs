//! Solutions that differ most from one another.

use super::SolutionPoint;

/// Solutions chosen greedily: the first one, then always one whose least distance from the chosen ones is greatest.
/// The distance is the number of cells with different values.
pub(super) fn most_different(points: &[SolutionPoint], most: usize) -> Vec<usize> {
    let distance = |left: &SolutionPoint, right: &SolutionPoint| {
        left.options.iter().zip(&right.options).filter(|(left, right)| left != right).count()
    };
    let mut chosen = Vec::new();
    let mut nearest = vec![usize::MAX; points.len()];
    while chosen.len() < most {
        // Of several, the first one.
        let next = (0..points.len()).rev().max_by_key(|number| nearest[*number]);
        let Some(next) = next.filter(|next| nearest[*next] > 0) else { break };
        chosen.push(next);
        for (point, nearest) in points.iter().zip(&mut nearest) {
            *nearest = (*nearest).min(distance(point, &points[next]));
        }
    }
    chosen
}
