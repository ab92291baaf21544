//! Chooses the shape of a variable's picture: the shape that a comment asks for, or else one that fits the type.

use super::{
    Container, Directive, Grid, GridCell, Item, Picture, Shape, comment::RoleSource, roles::ShapeName, roles::map_types,
};
use crate::{
    analysis::model::{DeclarationId, DeclarationKind},
    diagnostic::visible,
    instance::{Environment, GroundInstance, SolutionValues},
    language::{GroundDomain, MemberForm, PartName, Type, Value, print::MemberNames, quotation::unquoted},
};

/// The maximum size of a grid that is drawn; larger ones are shown as values. Chosen.
const MOST_CELLS: usize = 20_000;

/// If a function is undefined for more arguments than this, only arguments with images are drawn. Chosen.
pub(super) const MOST_UNDEFINED: usize = 12;

/// The pictures of a solution: one or more for each decision variable, in the order of declaration.
pub(crate) fn pictures_of_solution(
    instance: &GroundInstance,
    solution: &SolutionValues,
    directives: &[Directive],
) -> Vec<Picture> {
    let mut env = instance.environment.clone();
    for (id, value) in solution {
        env.bind_global(*id, value.clone());
    }
    let mut scene = Scene { instance, names: instance.names.in_units(), env };
    let mut pictures = Vec::new();
    for find in &instance.finds {
        // A variable without a value in this solution has no picture.
        let Some((_, value)) = solution.iter().find(|(id, _)| *id == find.id) else { continue };
        let declaration = instance.model.declaration(find.id);
        // The part has its name in the model, which may differ from the name for readers.
        let part = PartName::of(&*declaration.name);
        let ty = instance.model.type_in_units(declaration);
        let seen = ShownPart { name: &declaration.name, part, value, ty: &ty, domain: &find.domain };
        match directives.iter().find(|directive| directive.variable == find.id) {
            // `nothing` hides the variable.
            Some(Directive { form: ShapeName::Nothing, .. }) => {}
            Some(directive) => {
                // If the shape is too large or undefined in this solution, the value is shown instead.
                let shape = scene.asked(&seen, directive).unwrap_or_else(|| scene.text(&seen));
                pictures.push(Picture { name: visible::line(seen.name).into_owned(), shape });
            }
            None => pictures.extend(scene.chosen(&seen)),
        }
    }
    pictures
}

/// A variable or a part of a variable, with its value.
pub(super) struct ShownPart<'a> {
    pub name: &'a str,
    /// The name in the model, to which the names of parts are appended.
    pub part: PartName,
    pub value: &'a Value,
    /// The type, with the units of integers.
    pub ty: &'a Type,
    pub domain: &'a GroundDomain,
}

/// An instance with the values of a solution.
pub(super) struct Scene<'a> {
    pub instance: &'a GroundInstance,
    /// The names for readers, with integers in their units.
    pub names: MemberNames,
    env: Environment,
}

impl Scene<'_> {
    pub(crate) fn show(&self, value: &Value, ty: &Type) -> String {
        visible::line(&unquoted(&self.names.show(value, ty))).into_owned()
    }

    /// The name in the model of the image of a key.
    pub(super) fn part_at(&self, seen: &ShownPart, key: &Value, ty: &Type) -> PartName {
        self.image_part(&seen.part, seen.value, key, ty)
    }

    pub(super) fn image_part(&self, map_name: &PartName, map: &Value, key: &Value, ty: &Type) -> PartName {
        let key = self.instance.names.show(key, ty);
        match map {
            Value::Matrix(_) => map_name.element(key),
            _ => map_name.image(&key),
        }
    }

    /// The value of a source with its type; `None` if the value is undefined.
    pub(crate) fn named(&mut self, source: Option<&RoleSource>) -> Option<(Value, Type)> {
        match source? {
            RoleSource::Named(id) => {
                let value = self.env.global(*id).ok()?;
                let model = &self.instance.model;
                Some((value, model.type_in_units(model.declaration(*id))))
            }
            RoleSource::Number(number) => Some((Value::Int(*number), Type::INT)),
            RoleSource::Itself => Some((Value::TRUE, Type::Bool)),
        }
    }

    fn asked(&mut self, seen: &ShownPart, directive: &Directive) -> Option<Shape> {
        let shape = match directive.form {
            ShapeName::Grid => self.grid(seen, directive).map(Shape::Grid),
            ShapeName::Row => self.row(seen).map(Shape::Grid),
            ShapeName::Table => self.table(seen, Some(directive)).map(Shape::Grid),
            ShapeName::Chessboard => self.chessboard(seen).map(Shape::Grid),
            ShapeName::Mosaic => self.mosaic(seen, directive).map(Shape::Grid),
            ShapeName::Graph => self.graph(seen, Some(directive)).map(Shape::Graph),
            ShapeName::Tour => self.tour(seen, directive).map(Shape::Tour),
            ShapeName::Rectangles => self.packing(seen, directive).map(Shape::Packing),
            ShapeName::Containers => self.containers(seen).map(Shape::Containers),
            ShapeName::Gantt => self.gantt(seen, directive).map(Shape::Gantt),
            ShapeName::Text | ShapeName::Nothing => Some(self.text(seen)),
        };
        shape.filter(Shape::shows_something)
    }

    fn text(&self, seen: &ShownPart) -> Shape {
        Shape::Text(self.show(seen.value, seen.ty))
    }

    /// Returns the pictures that fit the type.
    fn chosen(&mut self, seen: &ShownPart) -> Vec<Picture> {
        if let (GroundDomain::Matrix(index, element), Value::Matrix(matrix), Type::Matrix(types)) =
            (seen.domain, seen.value, seen.ty)
            && matches!(&types[1], Type::Matrix(rows) if matches!(rows[1], Type::Matrix(_)))
        {
            // A value with three or more dimensions has one picture per plane.
            let planes = index.members().zip(&matrix.elements).map(|(at, plane)| {
                let name = format!("{}[{}]", seen.name, self.show(&at, &types[0]));
                (name, self.part_at(seen, &at, &types[0]), plane)
            });
            // The names borrow the scene, so they are collected before `chosen` changes it.
            return planes
                .collect::<Vec<_>>()
                .into_iter()
                .flat_map(|(name, part, plane)| {
                    self.chosen(&ShownPart { name: &name, part, value: plane, ty: &types[1], domain: element })
                })
                .collect();
        }
        let shape = self.shape(seen).filter(Shape::shows_something).unwrap_or_else(|| self.text(seen));
        vec![Picture { name: visible::line(seen.name).into_owned(), shape }]
    }

    fn shape(&mut self, seen: &ShownPart) -> Option<Shape> {
        let is_collection = |ty: &Type| ty.form().is_some_and(MemberForm::is_plain);
        // Values of these types fit into a cell.
        let is_plain = |ty: &Type| matches!(ty, Type::Bool | Type::Int(_) | Type::Named(_));
        // Plain collections are drawn as containers, whatever their members are.
        if is_collection(seen.ty) || matches!(seen.ty, Type::Matrix(types) if is_collection(&types[1])) {
            return self.containers(seen).map(Shape::Containers);
        }
        match (seen.ty.by_form(), seen.domain) {
            (Some((MemberForm::Positions, inner)), _) if is_collection(&inner[0]) => {
                self.containers(seen).map(Shape::Containers)
            }
            (Some((MemberForm::Positions, _)), _) => self.row(seen).map(Shape::Grid),
            (Some((MemberForm::Cycles, _)), _) => self.graph(seen, None).map(Shape::Graph),
            (Some((MemberForm::Tuples, columns)), GroundDomain::Collection(_, _, domains)) if columns.len() == 2 => {
                // A relation on one domain is a graph. Otherwise, rows and columns have different labels.
                match domains[0] == domains[1] && columns[0] == columns[1] {
                    true => self.graph(seen, None).map(Shape::Graph),
                    false => self.incidence(seen).map(Shape::Grid),
                }
            }
            (Some((MemberForm::Tuples, _)), _) => self.tuples(seen).map(Shape::Grid),
            _ => {
                let (from, to) = seen.ty.as_map()?;
                // Without a chart, the starts of tasks would be mere numbers in a row.
                if let Some(gantt) = self.obvious_gantt(seen) {
                    return Some(Shape::Gantt(gantt));
                }
                match seen.domain {
                    // A function from a domain to itself is a graph, too.
                    GroundDomain::Collection(_, _, sides) if sides[0] == sides[1] && from == to => {
                        return self.graph(seen, None).map(Shape::Graph);
                    }
                    _ if is_collection(to) => return self.containers(seen).map(Shape::Containers),
                    _ => {}
                }
                // All other functions have a line for each argument, with the components of its image.
                let is_grid = match (to.by_form(), to) {
                    (Some((MemberForm::Positions | MemberForm::Pairs, inner)), _) => inner.iter().all(is_plain),
                    (_, Type::Matrix(_)) => true,
                    _ => matches!(from, Type::Tuple(items) if items.len() == 2) && is_plain(to),
                };
                let is_composed = matches!(to, Type::Tuple(_) | Type::Record(_))
                    || matches!(to.form(), Some(MemberForm::Positions | MemberForm::Pairs));
                let is_row = matches!(seen.ty, Type::Matrix(_)) || matches!(from, Type::Int(_) | Type::Bool);
                match (is_grid, is_row && !is_composed) {
                    // Without overlays, the variable of the directive is never read, so any number will do.
                    (true, _) => self.grid(seen, &nothing_asked(DeclarationId(0))),
                    (_, true) => self.row(seen),
                    _ => self.entries(seen),
                }
                .map(Shape::Grid)
            }
        }
    }

    /// Returns the arguments of a function, a matrix or a sequence, with their images. If many arguments have no image,
    /// these are left out.
    pub(crate) fn arguments(&self, seen: &ShownPart) -> Option<Vec<(Value, Option<Value>)>> {
        let keys = keys(seen.value, seen.domain)?;
        Some(keys.into_iter().map(|key| (key.clone(), image_of_key(seen.value, &key).cloned())).collect())
    }

    /// Returns the value as containers: one for each argument of a map, or one for each part of a partition.
    fn containers(&self, seen: &ShownPart) -> Option<Vec<Container>> {
        if let Some((from, to)) = map_types(seen.ty) {
            let contents = |(key, value): (Value, Option<Value>)| {
                Some(Container { label: self.show(&key, &from), items: self.items(&value?, &to) })
            };
            return Some(self.arguments(seen)?.into_iter().filter_map(contents).collect());
        }
        let (form, inner) = seen.ty.by_form().filter(|(form, _)| form.is_plain())?;
        let items = self.items(seen.value, seen.ty);
        // The parts of a partition and the members of a set of sets become containers side by side.
        let has_sets = !items.is_empty() && inner[0].form() == Some(MemberForm::Values);
        Some(match form == MemberForm::Blocks || has_sets {
            true => inner_containers(items),
            false => vec![Container { label: String::new(), items }],
        })
    }

    fn items(&self, value: &Value, ty: &Type) -> Vec<Item> {
        let (Value::Collection(kind, items), Some(inner)) = (value, ty.member()) else {
            return vec![Item::Text(self.show(value, ty))];
        };
        if !kind.form().is_plain() {
            return vec![Item::Text(self.show(value, ty))];
        }
        let item = |item: &Value| match &inner {
            inner if inner.form().is_some_and(MemberForm::is_plain) => {
                Item::Container(Container { label: String::new(), items: self.items(item, inner) })
            }
            _ => Item::Text(self.show(item, &inner)),
        };
        items.iter().map(item).collect()
    }

    /// Returns a Gantt chart if the names suggest one: the variable is called `start…`, and data for the same tasks are
    /// called `duration…`.
    fn obvious_gantt(&mut self, seen: &ShownPart) -> Option<super::Gantt> {
        let (task, start) = seen.ty.as_map()?;
        // The name alone is weak evidence, so the type must fit, too.
        if !seen.name.to_lowercase().starts_with("start") || *start != Type::INT {
            return None;
        }
        // Durations of other things would give the bars wrong lengths.
        let durations = self.instance.model.declared().find(|(_, declaration)| {
            matches!(
                declaration.kind,
                DeclarationKind::Given(_) | DeclarationKind::Letting(_) | DeclarationKind::Find(_)
            ) && declaration.name.to_lowercase().starts_with("duration")
                && declaration.ty.as_map() == Some((task, &Type::INT))
        });
        let (id, _) = durations?;
        let overlays = vec![(super::roles::PictureRole::Lengths, RoleSource::Named(id))];
        self.gantt(seen, &Directive { variable: id, form: ShapeName::Gantt, overlays })
    }
}

fn inner_containers(items: Vec<Item>) -> Vec<Container> {
    let container = |item| match item {
        Item::Container(container) => container,
        text => Container { label: String::new(), items: vec![text] },
    };
    items.into_iter().map(container).collect()
}

/// A directive without overlays.
fn nothing_asked(variable: DeclarationId) -> Directive {
    Directive { variable, form: ShapeName::Grid, overlays: Vec::new() }
}

/// Returns the arguments of a function, a matrix or a sequence, in order. If many arguments have no image, these are
/// left out.
pub(super) fn keys(map: &Value, domain: &GroundDomain) -> Option<Vec<Value>> {
    let keys: Vec<Value> = match (map, domain) {
        (Value::Mapping(_, pairs), GroundDomain::Collection(_, _, sides))
            // If only a few arguments have no image, the picture shows which ones.
            if sides[0].size().is_some_and(|size| size <= (pairs.len() + MOST_UNDEFINED) as u128) =>
        {
            sides[0].members().collect()
        }
        (Value::Mapping(_, pairs), _) => pairs.iter().map(|(from, _)| from.clone()).collect(),
        (Value::Matrix(matrix), _) => matrix.index.members().collect(),
        (Value::Collection(kind, items), _) if kind.form() == MemberForm::Positions => {
            (1..=items.len() as i64).map(Value::Int).collect()
        }
        _ => return None,
    };
    // A picture with more parts would be slow and unreadable.
    (keys.len() <= MOST_CELLS).then_some(keys)
}

/// Returns a note with the number of arguments that were left out because the function is undefined for them.
pub(super) fn left_out(seen: &ShownPart) -> Vec<String> {
    let (Value::Mapping(_, pairs), Some((from, _))) = (seen.value, seen.domain.as_map()) else {
        return Vec::new();
    };
    match from.size() {
        Some(size) if size <= (pairs.len() + MOST_UNDEFINED) as u128 => Vec::new(),
        Some(size) => vec![format!("not defined for {} others", size - pairs.len() as u128)],
        None => Vec::new(),
    }
}

/// The image of an argument under a function, a matrix or a sequence.
pub(super) fn image_of_key<'a>(map: &'a Value, key: &Value) -> Option<&'a Value> {
    match (map, key) {
        (Value::Mapping(_, pairs), _) => {
            // The pairs of a function are sorted by their arguments.
            pairs.binary_search_by(|pair| pair.0.cmp(key)).ok().map(|position| &pairs[position].1)
        }
        (Value::Matrix(matrix), Value::Int(key)) => match &matrix.index {
            GroundDomain::Int(set) => matrix.elements.get(set.position(*key)?),
            _ => None,
        },
        (Value::Matrix(matrix), Value::Bool(key)) => matrix.elements.get(usize::from(*key)),
        (Value::Collection(kind, items), Value::Int(key)) if kind.form() == MemberForm::Positions => {
            items.get(usize::try_from(*key).ok()?.checked_sub(1)?)
        }
        _ => None,
    }
}

/// Returns a cell with one line of text.
pub(super) fn text_cell(text: String) -> GridCell {
    GridCell { lines: vec![text], ..GridCell::default() }
}

impl Grid {
    /// Returns a grid of these rows; `None` if it is empty or too large.
    pub(super) fn of_rows(rows: Vec<Vec<GridCell>>) -> Option<Grid> {
        let cells: usize = rows.iter().map(Vec::len).sum();
        (cells > 0 && cells <= MOST_CELLS).then(|| Grid { rows, ..Grid::default() })
    }
}
