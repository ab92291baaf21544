//! Classes of solutions that are images of each other under the symmetries of a model.

use super::SolutionPoint;
use crate::problem::{Exchange, Problem, Variable};
use rustc_hash::FxHashMap;

/// The orbits of the solutions under the group that the exchanges generate. Each has its solutions in ascending order;
/// orbits are ordered by their first solutions.
pub(super) fn classes(problem: &Problem, exchanges: &[Exchange], points: &[SolutionPoint]) -> Vec<Vec<usize>> {
    let index: FxHashMap<&[i64], usize> =
        points.iter().enumerate().map(|(number, point)| (&*point.decisions, number)).collect();
    let position: FxHashMap<Variable, usize> =
        problem.decisions().iter().enumerate().map(|(position, decision)| (*decision, position)).collect();
    let mut parent: Vec<usize> = (0..points.len()).collect();
    for exchange in exchanges {
        // For each decision: the position that its value moves to, and true if the exchange also changes the value.
        let moves: Vec<(usize, bool)> = problem
            .decisions()
            .iter()
            .enumerate()
            .map(|(own, decision)| {
                let image = match decision {
                    Variable::Bool(term) => exchange.bools.get(term).copied().map(Variable::Bool),
                    Variable::Int(term) => exchange.ints.get(term).copied().map(Variable::Int),
                };
                let is_valued = matches!(decision, Variable::Int(term) if exchange.valued.contains(term));
                (image.and_then(|image| position.get(&image).copied()).unwrap_or(own), is_valued)
            })
            .collect();
        let exchanged = |value: i64| match exchange.values {
            Some((one, other)) if value == one => other,
            Some((one, other)) if value == other => one,
            _ => value,
        };
        let mut image = vec![0; moves.len()];
        for (number, point) in points.iter().enumerate() {
            for ((target, is_valued), value) in moves.iter().zip(&point.decisions) {
                image[*target] = if *is_valued { exchanged(*value) } else { *value };
            }
            // The classes are merged by union-find, with the least solution of each class as its root.
            if let Some(other) = index.get(&*image) {
                let (left, right) = (root(&mut parent, number), root(&mut parent, *other));
                parent[left.max(right)] = left.min(right);
            }
        }
    }
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut class_of: FxHashMap<usize, usize> = FxHashMap::default();
    for number in 0..points.len() {
        let class = *class_of.entry(root(&mut parent, number)).or_insert(classes.len());
        if class == classes.len() {
            classes.push(Vec::new());
        }
        classes[class].push(number);
    }
    classes
}

fn root(parent: &mut [usize], mut number: usize) -> usize {
    while parent[number] != number {
        parent[number] = parent[parent[number]];
        number = parent[number];
    }
    number
}
