//! The shapes that each type can have, and the roles of other data in these shapes.

use crate::language::{MemberForm, Type};

/// The shapes that a comment can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeName {
    Grid,
    Row,
    Table,
    Chessboard,
    Mosaic,
    Graph,
    Containers,
    Gantt,
    Tour,
    Rectangles,
    Text,
    Nothing,
}

/// The roles of other variables or parameters in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureRole {
    Hints,
    Signs,
    Blocks,
    Sums,
    Edges,
    Arrows,
    Colours,
    Labels,
    Lengths,
    Lanes,
    Regions,
    Beside,
    Above,
    Places,
    Across,
    Up,
    Closed,
    Next,
    Sizes,
    Widths,
    Heights,
    Frame,
}

/// A role, with the types that can fill it.
pub(super) struct RoleRow {
    pub(super) form: ShapeName,
    pub(super) word: &'static str,
    pub(super) role: PictureRole,
    /// The types that can fill the role, in words, for messages.
    pub(super) needs: &'static str,
    /// Returns true if data of the second type can fill the role for a variable of the first type; `None` if the role
    /// has no source.
    pub(super) fits: Option<fn(&Type, &Type) -> bool>,
}

/// The roles of each shape.
pub(super) const ROLES: &[RoleRow] = &[
    RoleRow {
        form: ShapeName::Grid,
        word: "hints",
        role: PictureRole::Hints,
        needs: "a function or a matrix that has a value for some of the cells",
        fits: Some(|grid, hints| cell_types(grid).is_some() && cell_types(grid) == cell_types(hints)),
    },
    RoleRow {
        form: ShapeName::Grid,
        word: "signs",
        role: PictureRole::Signs,
        needs: "a relation of pairs of cells, the cell that holds less first",
        fits: Some(|grid, signs| match (cell_types(grid), signs.columns()) {
            (Some((row, column)), Some(sides)) => {
                let cell = Type::Tuple([row, column].into());
                **sides == [cell.clone(), cell]
            }
            _ => false,
        }),
    },
    RoleRow {
        form: ShapeName::Grid,
        word: "blocks",
        role: PictureRole::Blocks,
        needs: "a number",
        fits: Some(|_, ty| *ty == Type::INT),
    },
    RoleRow { form: ShapeName::Grid, word: "sums", role: PictureRole::Sums, needs: "nothing", fits: None },
    RoleRow {
        form: ShapeName::Grid,
        word: "regions",
        role: PictureRole::Regions,
        needs: "sets of cells, a partition of the cells, a function or a relation from sets of cells to what is \
            written into them, or a grid with a number for each region",
        fits: Some(|grid, regions| region_key(grid, regions).is_some()),
    },
    RoleRow {
        form: ShapeName::Grid,
        word: "labels",
        role: PictureRole::Labels,
        needs: "a function or a matrix that has a value for each region",
        fits: Some(|grid, labels| cell_types(grid).is_some() && argument(labels).is_some()),
    },
    beside_role(ShapeName::Grid),
    above_role(ShapeName::Grid),
    beside_role(ShapeName::Mosaic),
    above_role(ShapeName::Mosaic),
    RoleRow {
        form: ShapeName::Graph,
        word: "edges",
        role: PictureRole::Edges,
        needs: "a relation or a function on the nodes, or a set of sets of them",
        fits: Some(are_edges),
    },
    RoleRow {
        form: ShapeName::Graph,
        word: "arrows",
        role: PictureRole::Arrows,
        needs: "a relation or a function on the nodes, or a set of pairs of them",
        fits: Some(are_edges),
    },
    RoleRow {
        form: ShapeName::Graph,
        word: "colours",
        role: PictureRole::Colours,
        needs: "a function or a matrix that has a value for each node",
        fits: Some(|graph, colours| argument(colours).is_some_and(|node| node_types(graph).contains(&node))),
    },
    RoleRow {
        form: ShapeName::Table,
        word: "labels",
        role: PictureRole::Labels,
        needs: "a function or a matrix that has a value for each argument of the variable",
        fits: Some(|table, labels| argument(table).is_some() && argument(table) == argument(labels)),
    },
    RoleRow {
        form: ShapeName::Gantt,
        word: "lengths",
        role: PictureRole::Lengths,
        needs: "a number, or a function or a matrix from the tasks to numbers",
        fits: Some(|gantt, lengths| {
            *lengths == Type::INT || argument(gantt) == argument(lengths) && image_type(lengths) == Some(Type::INT)
        }),
    },
    RoleRow {
        form: ShapeName::Tour,
        word: "places",
        role: PictureRole::Places,
        needs: "a function or a matrix from places to pairs of numbers",
        fits: Some(|tour, places| {
            argument(places).is_some()
                && argument(places) == stops(tour)
                && image_type(places).is_some_and(|at| is_pair(&at))
        }),
    },
    RoleRow {
        form: ShapeName::Tour,
        word: "x",
        role: PictureRole::Across,
        needs: "a function or a matrix from places to numbers",
        fits: Some(places_to_numbers),
    },
    RoleRow {
        form: ShapeName::Tour,
        word: "y",
        role: PictureRole::Up,
        needs: "a function or a matrix from places to numbers",
        fits: Some(places_to_numbers),
    },
    RoleRow { form: ShapeName::Tour, word: "closed", role: PictureRole::Closed, needs: "nothing", fits: None },
    RoleRow { form: ShapeName::Tour, word: "next", role: PictureRole::Next, needs: "nothing", fits: None },
    RoleRow {
        form: ShapeName::Rectangles,
        word: "y",
        role: PictureRole::Up,
        needs: TO_NUMBERS,
        fits: Some(to_numbers),
    },
    RoleRow {
        form: ShapeName::Rectangles,
        word: "sizes",
        role: PictureRole::Sizes,
        needs: "a number, or a function or a matrix from the same things to numbers or pairs of numbers",
        fits: Some(|rectangles, sizes| {
            let size = |ty: &Type| *ty == Type::INT || is_pair(ty);
            size(sizes)
                || map_types(sizes).is_some_and(|(from, to)| {
                    size(&to) && map_types(rectangles).is_some_and(|(thing, _)| thing == from)
                })
        }),
    },
    RoleRow {
        form: ShapeName::Rectangles,
        word: "widths",
        role: PictureRole::Widths,
        needs: TO_NUMBERS,
        fits: Some(|rectangles, widths| *widths == Type::INT || to_numbers(rectangles, widths)),
    },
    RoleRow {
        form: ShapeName::Rectangles,
        word: "heights",
        role: PictureRole::Heights,
        needs: TO_NUMBERS,
        fits: Some(|rectangles, heights| *heights == Type::INT || to_numbers(rectangles, heights)),
    },
    RoleRow {
        form: ShapeName::Rectangles,
        word: "frame",
        role: PictureRole::Frame,
        needs: "a number, or a pair of numbers: the width and the height",
        fits: Some(|_, frame| *frame == Type::INT || is_pair(frame)),
    },
    RoleRow {
        form: ShapeName::Gantt,
        word: "lanes",
        role: PictureRole::Lanes,
        needs: "a function or a matrix from the tasks to what they run on",
        fits: Some(|gantt, lanes| argument(gantt).is_some() && argument(gantt) == argument(lanes)),
    },
];

const TO_NUMBERS: &str = "a function or a matrix from the same things to numbers";

/// The role of the names before the rows.
const fn beside_role(form: ShapeName) -> RoleRow {
    RoleRow {
        form,
        word: "beside",
        role: PictureRole::Beside,
        needs: "a function, a matrix or a sequence that has a value for each row",
        fits: Some(|grid, names| {
            cell_types(grid).is_some_and(|(row, _)| map_types(names).is_some_and(|(from, _)| from == row))
        }),
    }
}

/// The role of the names above the columns.
const fn above_role(form: ShapeName) -> RoleRow {
    RoleRow {
        form,
        word: "above",
        role: PictureRole::Above,
        needs: "a function, a matrix or a sequence that has a value for each column",
        fits: Some(|grid, names| {
            cell_types(grid).is_some_and(|(_, column)| map_types(names).is_some_and(|(from, _)| from == column))
        }),
    }
}

/// Returns true if a map assigns numbers to the arguments of a variable.
fn to_numbers(variable: &Type, map: &Type) -> bool {
    map_types(variable).map(|(from, _)| (from, Type::INT)) == map_types(map)
}

/// Returns true if a map assigns numbers to the places of a tour.
fn places_to_numbers(tour: &Type, map: &Type) -> bool {
    argument(map).is_some() && argument(map) == stops(tour) && image_type(map) == Some(Type::INT)
}

/// Returns true if a type is a pair of numbers: a point, or a width and a height.
pub(super) fn is_pair(ty: &Type) -> bool {
    match ty {
        Type::Tuple(items) => **items == [Type::INT, Type::INT],
        Type::Record(fields) => fields.len() == 2 && fields.iter().all(|(_, ty)| *ty == Type::INT),
        _ => false,
    }
}

/// The type that identifies regions if the type `regions` describes regions of a grid, by their cells or by their
/// numbers or names.
pub(super) fn region_key(grid: &Type, regions: &Type) -> Option<Type> {
    let (row, column) = cell_types(grid)?;
    let cell = Type::Tuple([row, column].into());
    let is_region = |ty: &Type| ty.as_set() == Some(&cell);
    match regions.by_form() {
        Some((MemberForm::Values | MemberForm::Pairs, parts)) if is_region(&parts[0]) => Some(parts[0].clone()),
        Some((MemberForm::Blocks, inner)) if inner[0] == cell => Some(Type::set(cell)),
        Some((MemberForm::Tuples, columns)) if columns.len() == 2 && is_region(&columns[0]) => Some(columns[0].clone()),
        _ => match map_types(regions) {
            Some((key, region)) if is_region(&region) => Some(key),
            _ if cell_types(regions) == cell_types(grid) && regions.columns().is_none() => Some(element_type(regions)),
            _ => None,
        },
    }
}

/// The type of the places on a tour.
pub(super) fn stops(ty: &Type) -> Option<Type> {
    if let Some((MemberForm::Positions | MemberForm::Cycles, inner)) = ty.by_form() {
        return Some(inner[0].clone());
    }
    let (_, image) = ty.as_map()?;
    match (image.by_form(), image) {
        (Some((MemberForm::Positions, inner)), _) => Some(inner[0].clone()),
        (_, Type::Bool | Type::Int(_) | Type::Named(_) | Type::Tuple(_) | Type::Record(_)) => Some(image.clone()),
        _ => None,
    }
}

/// Returns true if the type maps each place of a tour to the next one. A matrix of numbers counts only if `asked` is
/// set.
pub(super) fn is_next(ty: &Type, asked: bool) -> bool {
    match (ty.by_form(), ty) {
        (Some((MemberForm::Cycles, _)), _) => true,
        (Some((MemberForm::Pairs, sides)), _) => sides[0] == sides[1],
        (_, Type::Matrix(sides)) => sides[0] == sides[1] && (asked || matches!(sides[0], Type::Named(_))),
        _ => false,
    }
}

fn are_edges(graph: &Type, edges: &Type) -> bool {
    end_type(edges).is_some_and(|end| node_types(graph).contains(&end))
}

/// The type of the nodes that edges connect, for relations and functions on nodes and for sets of pairs or sets.
pub(super) fn end_type(edges: &Type) -> Option<Type> {
    let same = |sides: &[Type]| matches!(sides, [from, to] if from == to).then(|| sides[0].clone());
    match (edges.by_form()?, edges.as_set()) {
        ((MemberForm::Tuples | MemberForm::Pairs, sides), _) => same(sides),
        (_, Some(Type::Tuple(sides))) => same(sides),
        (_, Some(edge)) => edge.as_set().cloned(),
        _ => None,
    }
}

/// The words for shapes, each with the types of variables that can have the shape.
pub(super) const FORMS: &[(&str, ShapeName, &str)] = &[
    ("grid", ShapeName::Grid, "a two-dimensional matrix, a function on pairs, or a relation of two or three columns"),
    ("row", ShapeName::Row, "a matrix, a sequence or a function"),
    ("table", ShapeName::Table, "a function or a matrix"),
    (
        "chessboard",
        ShapeName::Chessboard,
        "a matrix or a function from rows to columns, or a grid of Booleans or of 0 and 1",
    ),
    (
        "mosaic",
        ShapeName::Mosaic,
        "a grid of Booleans, of 0 and 1 or of members of a type, or a relation of two columns",
    ),
    (
        "tour",
        ShapeName::Tour,
        "a sequence, a matrix or a function whose values are places, a permutation, or a function or a matrix of \
        sequences",
    ),
    (
        "rectangles",
        ShapeName::Rectangles,
        "a function, a matrix or a sequence whose values are positions: numbers, or pairs of them",
    ),
    (
        "graph",
        ShapeName::Graph,
        "a relation or a function on one type, a set of pairs or of sets of two, or a matrix, a function, a set or a \
        partition with `edges from` or `arrows from`",
    ),
    (
        "containers",
        ShapeName::Containers,
        "a set, a multiset or a partition, or a matrix, a sequence or a function of those",
    ),
    ("gantt", ShapeName::Gantt, "a function or a matrix from tasks to the times when they start"),
    ("text", ShapeName::Text, "anything"),
    ("nothing", ShapeName::Nothing, "anything"),
];

/// The types of a grid's rows and columns.
pub(super) fn cell_types(ty: &Type) -> Option<(Type, Type)> {
    match ty.as_map() {
        Some((Type::Tuple(items), _)) if items.len() == 2 => Some((items[0].clone(), items[1].clone())),
        // Each argument is a row.
        Some((argument, image)) => map_types(image).map(|(column, _)| (argument.clone(), column)),
        None => {
            let columns = ty.columns().filter(|columns| matches!(columns.len(), 2 | 3))?;
            Some((columns[0].clone(), columns[1].clone()))
        }
    }
}

/// The type of the contents of a grid's cells.
pub(super) fn element_type(grid: &Type) -> Type {
    match (grid.as_map(), grid.columns()) {
        (Some((Type::Tuple(items), image)), _) if items.len() == 2 => image.clone(),
        (Some((_, image)), _) => map_types(image).map_or(Type::Any, |(_, element)| element),
        (_, Some(columns)) if columns.len() == 3 => columns[2].clone(),
        // For a relation of two columns, a cell shows the membership of its pair.
        _ => Type::Bool,
    }
}

/// The types of the arguments and images of a function, a matrix or a sequence.
pub(super) fn map_types(ty: &Type) -> Option<(Type, Type)> {
    match ty.by_form() {
        Some((MemberForm::Positions, inner)) => Some((Type::INT, inner[0].clone())),
        _ => ty.as_map().map(|(from, to)| (from.clone(), to.clone())),
    }
}

/// The argument type of a function or a matrix.
fn argument(ty: &Type) -> Option<Type> {
    ty.as_map().map(|(from, _)| from.clone())
}

fn image_type(ty: &Type) -> Option<Type> {
    ty.as_map().map(|(_, to)| to.clone())
}

/// The possible types of the nodes if the type can be drawn as a graph. The members of a set may be nodes or edges.
fn node_types(ty: &Type) -> Vec<Type> {
    let all = match (ty.by_form(), ty.as_set()) {
        (Some((MemberForm::Tuples, _)), _) => [end_type(ty), None],
        (Some((MemberForm::Blocks | MemberForm::Cycles, inner)), _) => [None, Some(inner[0].clone())],
        (_, Some(member)) => [end_type(ty), Some(member.clone())],
        _ => [argument(ty), None],
    };
    all.into_iter().flatten().collect()
}

/// Returns true if a variable of this type can have this shape.
pub(super) fn can_be(form: ShapeName, ty: &Type, has_edges: bool) -> bool {
    let collection = |ty: &Type| ty.form().is_some_and(MemberForm::is_plain);
    match form {
        ShapeName::Grid => cell_types(ty).is_some(),
        ShapeName::Row => map_types(ty).is_some(),
        ShapeName::Table => argument(ty).is_some(),
        ShapeName::Chessboard => match ty.columns() {
            // Each pair in the relation is a square with a queen.
            Some(columns) => columns.len() == 2,
            None => match (cell_types(ty), image_type(ty)) {
                (Some(_), _) => matches!(element_type(ty), Type::Bool | Type::Int(_)),
                (None, Some(image)) => image == Type::INT && argument(ty) == Some(Type::INT),
                _ => false,
            },
        },
        ShapeName::Graph => {
            ty.form() == Some(MemberForm::Cycles) || end_type(ty).is_some() || has_edges && !node_types(ty).is_empty()
        }
        ShapeName::Mosaic => {
            cell_types(ty).is_some() && matches!(element_type(ty), Type::Bool | Type::Int(_) | Type::Named(_))
        }
        ShapeName::Tour => stops(ty).is_some(),
        ShapeName::Rectangles => map_types(ty).is_some_and(|(_, to)| to == Type::INT || is_pair(&to)),
        ShapeName::Containers => map_types(ty).map_or(collection(ty), |(_, image)| collection(&image)),
        ShapeName::Gantt => argument(ty).is_some() && image_type(ty) == Some(Type::INT),
        ShapeName::Text | ShapeName::Nothing => true,
    }
}
