//! Graphs: relations, functions and permutations on one domain, sets of pairs, and nodes with labels on given edges.

use super::{
    Directive, Edge, Graph, GraphNode, Slot,
    choose::{MOST_UNDEFINED, Scene, ShownPart, image_of_key},
    roles::PictureRole,
    roles::end_type,
};
use crate::language::{GroundDomain, MemberForm, Type, Value};

/// The maximum size of a graph that is drawn; larger ones are shown as values. Chosen.
const MOST_NODES: usize = 300;

impl Scene<'_> {
    /// Draws the members of the domain as nodes; the edges come from the variable or from the directive.
    pub(super) fn graph(&mut self, seen: &ShownPart, directive: Option<&Directive>) -> Option<Graph> {
        let asked = |role| directive.and_then(|directive| directive.overlay(role));
        let arrows = asked(PictureRole::Arrows).is_some();
        let edges_of = self.named(asked(PictureRole::Edges).or(asked(PictureRole::Arrows)));
        let colours = self.named(asked(PictureRole::Colours));
        // The members of a set are edges, unless the directive gives edges, which then have the members as nodes.
        let is_set_of_edges = match (seen.ty.as_set(), &edges_of) {
            (None, _) => false,
            (_, None) => true,
            (_, Some((_, known))) => end_type(seen.ty).is_some() && end_type(seen.ty) == end_type(known),
        };
        let (domain, ty) = match (seen.domain, seen.ty) {
            (GroundDomain::Collection(_, _, domains), Type::Collection(_, edge)) if is_set_of_edges => {
                match (&domains[0], &edge[0]) {
                    (GroundDomain::Tuple(domains), Type::Tuple(types)) => (domains.first()?, types.first()?),
                    (GroundDomain::Collection(_, _, ends), Type::Collection(_, types))
                        if edge[0].as_set().is_some() && is_set_of_pairs(seen.value) =>
                    {
                        (&ends[0], &types[0])
                    }
                    _ => return None,
                }
            }
            (GroundDomain::Matrix(index, _), Type::Matrix(types)) => (&**index, &types[0]),
            (GroundDomain::Collection(_, _, domains), Type::Collection(_, types)) => (domains.first()?, types.first()?),
            _ => return None,
        };
        // A map from nodes to nodes is drawn as edges, even if the directive gives other edges.
        let is_drawn = match seen.ty.by_form() {
            Some((MemberForm::Tuples | MemberForm::Cycles, _)) => true,
            Some((MemberForm::Pairs, types)) => types[0] == types[1],
            _ => is_set_of_edges,
        };
        let known = edges_of.as_ref().map(|(edges, _)| edges);
        let (members, others) = nodes(domain, seen.value, is_drawn, known)?;
        let said_of = |member: &Value| match (&colours, &edges_of) {
            (Some((colours, ty)), _) if let Some((_, to)) = ty.as_map() => {
                image_of_key(colours, member).map(|colour| (colour.clone(), self.show(colour, to)))
            }
            (_, Some(_)) if !is_drawn => self.said_of(seen, member),
            _ => None,
        };
        let said: Vec<Option<(Value, String)>> = members.iter().map(said_of).collect();
        let mut tones: Vec<&(Value, String)> = said.iter().flatten().collect();
        tones.sort_unstable();
        tones.dedup();
        let node = |(member, said): (&Value, &Option<(Value, String)>)| GraphNode {
            label: self.show(member, ty),
            tone: said.as_ref().and_then(|said| tones.binary_search(&said).ok()),
            // If the variable is drawn as edges, or the colours come from other data, a node shows no part of the
            // variable.
            slot: if is_drawn || colours.is_some() { None } else { self.slot_of_node(seen, member, ty) },
        };
        let nodes = members.iter().zip(&said).map(node).collect();
        let mut graph =
            Graph { nodes, legend: tones.iter().map(|(_, said)| said.clone()).collect(), ..Graph::default() };
        if others > 0 {
            graph.notes = vec![format!("and {others} others without edges")];
        }
        graph.edges = match &edges_of {
            None => edges(seen.value, &members, true),
            Some((known, _)) => {
                let known = edges(known, &members, arrows);
                let found = if is_drawn { edges(seen.value, &members, true) } else { Vec::new() };
                // A found edge hides a given edge between the same two nodes, regardless of their directions.
                let same = |one: &Edge, other: &Edge| {
                    (one.from, one.to) == (other.from, other.to) || (one.from, one.to) == (other.to, other.from)
                };
                let mut all: Vec<Edge> =
                    known.into_iter().filter(|edge| !found.iter().any(|other| same(edge, other))).collect();
                all.extend(found.into_iter().map(|edge| Edge { strong: true, ..edge }));
                all
            }
        };
        Some(graph)
    }

    /// The part of the variable that a node shows.
    fn slot_of_node(&self, seen: &ShownPart, node: &Value, ty: &Type) -> Option<Slot> {
        match seen.value {
            set if set.as_set().is_some() => {
                let part = seen.part.member(&self.instance.names.show(node, ty));
                Some(Slot { part, value: Some("true".to_owned()), given: None })
            }
            Value::Matrix(_) | Value::Mapping(..) => {
                Some(Slot { part: self.part_at(seen, node, ty).to_string(), value: None, given: None })
            }
            _ => None,
        }
    }

    /// The label that a variable gives to a node, as a value and in words: the image of the node, its membership, or
    /// the number of its part.
    fn said_of(&self, seen: &ShownPart, node: &Value) -> Option<(Value, String)> {
        if let Some(members) = seen.value.as_set() {
            return members.binary_search(node).ok().map(|_| (Value::TRUE, format!("in {}", seen.name)));
        }
        if seen.ty.form() == Some(MemberForm::Blocks) {
            let has_node = |part: &Value| part.items().binary_search(node).is_ok();
            let part = seen.value.items().iter().position(has_node)? + 1;
            return Some((Value::Int(part as i64), format!("part {part}")));
        }
        let (_, to) = seen.ty.as_map()?;
        let image = image_of_key(seen.value, node)?;
        Some((image.clone(), self.show(image, to)))
    }
}

/// Returns true if every member of a set of sets has two elements.
fn is_set_of_pairs(value: &Value) -> bool {
    let is_pair = |edge: &Value| edge.as_set().is_some_and(|ends| ends.len() == 2);
    value.as_set().is_some_and(|edges| edges.iter().all(is_pair))
}

/// Returns the ends of an edge, which is a pair or a set.
fn ends_of(edge: &Value) -> Option<&[Value]> {
    match edge {
        Value::Tuple(ends) => Some(ends),
        edge => edge.as_set().map(|ends| &ends[..]),
    }
}

/// Returns the nodes and the number of omitted ones. If many members have no edge, only the ends of edges are nodes;
/// otherwise, all members of the domain are.
fn nodes(domain: &GroundDomain, value: &Value, is_drawn: bool, known: Option<&Value>) -> Option<(Vec<Value>, u128)> {
    let size = domain.size()?;
    let mut ends: Vec<Value> = Vec::new();
    for source in [Some(value), known].into_iter().flatten() {
        match source {
            // The images are not nodes but their labels.
            Value::Mapping(_, pairs) if !is_drawn && source == value => {
                ends.extend(pairs.iter().map(|(from, _)| from.clone()));
            }
            Value::Mapping(_, pairs) => {
                ends.extend(pairs.iter().flat_map(|(from, to)| [from.clone(), to.clone()]));
            }
            Value::Collection(kind, items) if matches!(kind.form(), MemberForm::Values | MemberForm::Tuples) => {
                ends.extend(
                    // An item may be an edge or a node. Edges are removed below.
                    items.iter().flat_map(|item| ends_of(item).unwrap_or_default().iter().chain([item])).cloned(),
                );
            }
            // Every index of a matrix and every element of a partition has a label, so all members are nodes.
            _ => return (size <= MOST_NODES as u128).then(|| (domain.members().collect(), 0)),
        }
    }
    ends.sort_unstable();
    ends.dedup();
    ends.retain(|end| domain.contains(end));
    if ends.len() > MOST_NODES {
        return None;
    }
    let others = size.saturating_sub(ends.len() as u128);
    match others <= MOST_UNDEFINED as u128 {
        true => Some((domain.members().collect(), 0)),
        false => Some((ends, others)),
    }
}

/// Returns the edges between the members, from a relation, a function, a permutation or a set of pairs. They have a
/// direction if `directed` is set and the relation is not symmetric.
fn edges(source: &Value, members: &[Value], directed: bool) -> Vec<Edge> {
    let position = |value: &Value| members.iter().position(|member| member == value);
    let pairs: Vec<(&Value, &Value)> = match source {
        Value::Mapping(_, pairs) => pairs.iter().map(|(from, to)| (from, to)).collect(),
        Value::Collection(kind, items) if matches!(kind.form(), MemberForm::Values | MemberForm::Tuples) => {
            let ends = items.iter().filter_map(ends_of);
            ends.filter_map(|ends| if let [from, to] = ends { Some((from, to)) } else { None }).collect()
        }
        _ => Vec::new(),
    };
    let mut edges: Vec<(usize, usize)> =
        pairs.into_iter().filter_map(|(from, to)| Some((position(from)?, position(to)?))).collect();
    edges.sort_unstable();
    let is_symmetric = edges.iter().all(|(from, to)| edges.binary_search(&(*to, *from)).is_ok());
    // The ends of an edge that is a set, such as `{a, b}`, have no order.
    let is_set = source.items().first().is_some_and(|edge| edge.as_set().is_some());
    let directed = directed && !is_set && !is_symmetric;
    if !directed {
        // Without directions, the edges from a to b and from b to a are one line.
        edges.iter_mut().for_each(|(from, to)| (*from, *to) = ((*from).min(*to), (*from).max(*to)));
        edges.sort_unstable();
        edges.dedup();
    }
    edges.into_iter().map(|(from, to)| Edge { from, to, directed, strong: false }).collect()
}
