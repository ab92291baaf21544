//! Graphs: relations, functions and permutations on one domain, or something that is said about the nodes of one.

use super::{
    Directive, Edge, Graph, Node,
    choose::{Scene, Seen, image},
    comment::Role,
};
use crate::language::{GroundDomain, Type, Value};

/// Larger graphs are shown as values.
const MOST_NODES: usize = 300;

impl Scene<'_> {
    /// The nodes are the members of the domain; the edges are the variable itself or what the comment names.
    pub(super) fn graph(&mut self, seen: &Seen, directive: Option<&Directive>) -> Option<Graph> {
        let asked = |role| directive.and_then(|directive| directive.overlay(role));
        let arrows = asked(Role::Arrows).is_some();
        let edges_of = self.named(asked(Role::Edges).or(asked(Role::Arrows)));
        let colours = self.named(asked(Role::Colours));
        let (domain, ty) = match (seen.domain, seen.ty) {
            (GroundDomain::Relation(_, domains), Type::Relation(types)) => (domains.first()?, types.first()?),
            (GroundDomain::Function(_, from, _), Type::Function(types)) => (&**from, &types.0),
            (GroundDomain::Matrix(index, _), Type::Matrix(types)) => (&**index, &types.0),
            (GroundDomain::Set(_, inner), Type::Set(ty)) => (&**inner, &**ty),
            (GroundDomain::Partition(_, inner), Type::Partition(ty)) => (&**inner, &**ty),
            (GroundDomain::Permutation(_, inner), Type::Permutation(ty)) => (&**inner, &**ty),
            _ => return None,
        };
        if domain.size()? > MOST_NODES as u128 {
            return None;
        }
        let members: Vec<Value> = domain.members().collect();
        let said_of = |member: &Value| match (&colours, &edges_of) {
            (Some((colours, Type::Function(types) | Type::Matrix(types))), _) => {
                image(colours, member).map(|colour| (colour.clone(), self.show(colour, &types.1)))
            }
            (_, Some(_)) => self.said_of(seen, member),
            _ => None,
        };
        let said: Vec<Option<(Value, String)>> = members.iter().map(said_of).collect();
        let mut tones: Vec<&(Value, String)> = said.iter().flatten().collect();
        tones.sort_unstable();
        tones.dedup();
        let node = |(member, said): (&Value, &Option<(Value, String)>)| Node {
            label: self.show(member, ty),
            tone: said.as_ref().and_then(|said| tones.binary_search(&said).ok()),
        };
        let nodes = members.iter().zip(&said).map(node).collect();
        let mut graph =
            Graph { nodes, legend: tones.iter().map(|(_, said)| said.clone()).collect(), edges: Vec::new() };
        let source = edges_of.as_ref().map_or(seen.value, |(edges, _)| edges);
        graph.edges = edges(source, &members, edges_of.is_none() || arrows);
        Some(graph)
    }

    /// What a variable says of a node, as a value and in words: its image, that it is in, or the number of its part.
    fn said_of(&self, seen: &Seen, node: &Value) -> Option<(Value, String)> {
        match (seen.value, seen.ty) {
            (Value::Set(items), _) => {
                items.binary_search(node).ok().map(|_| (Value::TRUE, format!("in {}", seen.name)))
            }
            (Value::Partition(parts), _) => {
                let has_node = |part: &Value| matches!(part, Value::Set(items) if items.binary_search(node).is_ok());
                let part = parts.iter().position(has_node)? + 1;
                Some((Value::Int(part as i64), format!("part {part}")))
            }
            (map, Type::Function(types) | Type::Matrix(types)) => {
                let image = image(map, node)?;
                Some((image.clone(), self.show(image, &types.1)))
            }
            _ => None,
        }
    }
}

/// The edges between the members: of a relation, a function, a permutation, or a set of pairs. They have a direction
/// if that is wanted and not all go both ways.
fn edges(source: &Value, members: &[Value], directed: bool) -> Vec<Edge> {
    let position = |value: &Value| members.iter().position(|member| member == value);
    let pairs: Vec<(&Value, &Value)> = match source {
        Value::Relation(items) | Value::Set(items) => items
            .iter()
            .filter_map(|item| match item {
                Value::Tuple(ends) | Value::Set(ends) if ends.len() == 2 => Some((&ends[0], &ends[1])),
                _ => None,
            })
            .collect(),
        Value::Function(pairs) | Value::Permutation(pairs) => pairs.iter().map(|(from, to)| (from, to)).collect(),
        _ => Vec::new(),
    };
    let mut edges: Vec<(usize, usize)> =
        pairs.into_iter().filter_map(|(from, to)| Some((position(from)?, position(to)?))).collect();
    edges.sort_unstable();
    let is_symmetric = edges.iter().all(|(from, to)| edges.binary_search(&(*to, *from)).is_ok());
    let is_set = matches!(source, Value::Set(items) if matches!(items.first(), Some(Value::Set(_))));
    let directed = directed && !is_set && !is_symmetric;
    if !directed {
        edges.iter_mut().for_each(|(from, to)| (*from, *to) = ((*from).min(*to), (*from).max(*to)));
        edges.sort_unstable();
        edges.dedup();
    }
    edges.into_iter().map(|(from, to)| Edge { from, to, directed }).collect()
}
