//! The unknowns of an instance from a person's point of view, such as an element of a matrix, the image of an argument,
//! or the membership of a value in a set. Each unknown has its options.

use super::{Describer, describe::described_part};
use crate::{
    analysis::model::DeclarationId,
    instance::{GroundInstance, SolutionValues},
    language::{
        GroundDomain, MemberForm, Name, PartName, Type, Value, domain::ValueStep, print::MemberNames,
        quotation::unquoted,
    },
    problem::{Bool, Int},
    symbolic::{MemberCounts, Symbolic, Term},
};

/// The maximum number of candidate members of a collection that is enumerated. Chosen.
pub(crate) const MOST_CANDIDATES: usize = 500;
/// The maximum number of options of an unknown that is listed. Chosen.
const MOST_OPTIONS: usize = 1000;
/// The maximum number of possible members of a set that is an image. Chosen.
const MOST_TICKS: usize = 50;
/// The option of a cell that has no value.
const UNDEFINED: &str = "undefined";

/// An unknown: a part of a decision variable that has several options.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub name: String,
    /// The decision variable that the cell is a part of.
    pub variable: Name,
    /// The indices, arguments, fields and members that lead to the cell, as people read them.
    pub labels: Vec<String>,
    pub options: Vec<CellOption>,
    /// True if the options are numbers, ascending.
    pub numeric: bool,
    /// The integer term of the cell.
    pub number: Option<Int>,
    /// The location of the value, if the options are not listed.
    pub unlisted: Option<UnlistedCell>,
}

/// The location of a cell without options: there would be too many, or they have no names.
#[derive(Clone, Debug)]
pub(crate) struct UnlistedCell {
    variable: DeclarationId,
    path: Vec<ValueStep>,
    /// The type, with the units of integers.
    ty: Type,
}

impl UnlistedCell {
    /// The value in a solution, as people read it.
    pub(crate) fn shown(&self, solution: &SolutionValues, names: &MemberNames) -> Option<String> {
        let mut value = solution.iter().find_map(|(id, value)| (*id == self.variable).then_some(value))?;
        for step in &self.path {
            value = match (step, value) {
                (ValueStep::Component(at), Value::Tuple(items)) => items.get(*at)?,
                (ValueStep::Element(index), Value::Matrix(matrix)) => {
                    matrix.elements.get(matrix.index.members().position(|other| other == *index)?)?
                }
                (ValueStep::Image(argument), Value::Mapping(_, pairs)) => {
                    &pairs.iter().find(|(other, _)| other == argument)?.1
                }
                (ValueStep::Place(place), Value::Collection(_, items)) => items.get(place.checked_sub(1)?)?,
                _ => return None,
            };
        }
        Some(value_for_people(names, value, &self.ty))
    }
}

/// An option of a cell.
#[derive(Clone, Debug)]
pub(crate) struct CellOption {
    /// `board[1, 2] = 3`, `3 in s`
    pub is: String,
    /// The part of the text by which the options differ: `3`
    pub shown: String,
    /// The same part for people: numbers in their units, names without quotation marks.
    pub reads: String,
    pub term: Bool,
    /// The number, if the cell is numeric.
    pub value: Option<i64>,
    /// The option as a constraint, if `is` is not one.
    pub constraint: Option<String>,
}

impl CellOption {
    pub(crate) fn new(is: String, shown: String, term: Bool) -> Self {
        CellOption { is, reads: shown.clone(), shown, term, value: None, constraint: None }
    }

    /// Returns true if the cell has no value. Several cells can be undefined together.
    pub(crate) fn is_undefined(&self) -> bool {
        self.shown == UNDEFINED
    }

    /// The option as a constraint of Essence.
    pub(crate) fn as_constraint(&self) -> &str {
        self.constraint.as_deref().unwrap_or(&self.is)
    }
}

/// The unknowns of all decision variables. Parts that cannot be named are left out.
pub(crate) fn cells_of_variables(
    instance: &GroundInstance,
    describer: &Describer,
    symbolic: &mut Symbolic,
    layout: &[(DeclarationId, Term)],
) -> Vec<Cell> {
    let mut cells = all_cells(instance, describer, symbolic, layout);
    cells.retain(|cell| cell.options.len() > 1);
    cells
}

/// All parts of the decision variables, including parts with a single option, which are known.
pub(crate) fn all_cells(
    instance: &GroundInstance,
    describer: &Describer,
    symbolic: &mut Symbolic,
    layout: &[(DeclarationId, Term)],
) -> Vec<Cell> {
    let mut collector = Collector {
        describer,
        names: describer.names().with_names_of_indices(),
        reading: describer.names().in_units(),
        symbolic,
        variable: DeclarationId(0),
        root: Type::Any,
        path: Vec::new(),
        cells: Vec::new(),
    };
    for (id, term) in layout {
        let Some(domain) = instance.environment.domain(*id) else { continue };
        let ty = instance.model.type_in_units(instance.model.declaration(*id));
        // Each decision variable starts a new path.
        (collector.variable, collector.root) = (*id, ty.clone());
        let before = collector.cells.len();
        collector.term(term, &ty, domain);
        if collector.cells.len() == before {
            // A variable whose parts have no names is one cell without options, so that its value can still be shown.
            let name = collector.name().to_string();
            collector.add_unlisted(name, &ty);
        }
    }
    collector.cells
}

/// A value for people: a tuple without parentheses, a name without quotation marks.
fn value_for_people(names: &MemberNames, value: &Value, ty: &Type) -> String {
    parts_read(names, value, ty).join(", ")
}

/// The components of a tuple for people, or the text of another value.
fn parts_read(names: &MemberNames, value: &Value, ty: &Type) -> Vec<String> {
    match (value, ty) {
        (Value::Tuple(items), Type::Tuple(types)) if !items.is_empty() => {
            items.iter().zip(types.iter()).map(|(item, ty)| unquoted(&names.show(item, ty)).into_owned()).collect()
        }
        _ => vec![unquoted(&names.show(value, ty)).into_owned()],
    }
}

/// The domain and the type of the members of a set that is shown by its possible members: plain values, and few.
fn ticked<'d>(set: &'d GroundDomain, ty: &'d Type) -> Option<(&'d GroundDomain, &'d Type)> {
    let (GroundDomain::Collection(_, _, domains), Type::Collection(kind, types)) = (set, ty) else { return None };
    let is_set = kind.form() == MemberForm::Values && !kind.row().has_occurrences();
    let is_plain = matches!(domains[0], GroundDomain::Int(_) | GroundDomain::Bool);
    let is_short = domains[0].members().take(MOST_TICKS + 1).count() <= MOST_TICKS;
    (is_set && is_plain && is_short).then(|| (&domains[0], &types[0]))
}

struct Collector<'a, 'i> {
    describer: &'a Describer<'i>,
    /// The names of members; indices of matrices are written with them, so that literals have the right types.
    names: MemberNames,
    /// The names as people read them, with integers in their units.
    reading: MemberNames,
    symbolic: &'a mut Symbolic,
    variable: DeclarationId,
    /// The type of the variable, with the units of integers.
    root: Type,
    /// The path to the current part of the variable.
    path: Vec<ValueStep>,
    cells: Vec<Cell>,
}

impl Collector<'_, '_> {
    fn variable_name(&self) -> &Name {
        &self.describer.instance.model.declaration(self.variable).name
    }

    fn name(&self) -> PartName {
        described_part(self.describer.names(), self.variable_name(), &self.path, &self.root)
    }

    fn term(&mut self, term: &Term, ty: &Type, domain: &GroundDomain) {
        let name = self.name();
        match (term, ty, domain) {
            (Term::Bool(condition), ..) => {
                let option =
                    |value: bool, term: Bool| CellOption::new(format!("{name} = {value}"), value.to_string(), term);
                let options = vec![option(false, !*condition), option(true, *condition)];
                self.add(name.to_string(), &[], options, false);
            }
            (Term::Int(number), ..) => {
                let number = *number;
                // One value more than the limit is enough to see that there are too many.
                let values: Vec<i64> = self.symbolic.problem.values(number).iter().take(MOST_OPTIONS + 1).collect();
                if values.len() > MOST_OPTIONS {
                    return self.add_unlisted(name.to_string(), ty);
                }
                let options = values.into_iter().map(|value| {
                    // The builder shares these equations with the constraints of the model.
                    let term = self.symbolic.problem.equals_constant(number, value);
                    let shown = self.describer.names().show(&Value::Int(value), ty);
                    let reads = value_for_people(&self.reading, &Value::Int(value), ty);
                    let value = Some(value);
                    CellOption { reads, value, ..CellOption::new(format!("{name} = {shown}"), shown, term) }
                });
                let options = options.collect();
                self.add(name.to_string(), &[], options, matches!(ty, Type::Int(_)));
                // Counting needs the number as a term; its options alone are not enough.
                self.note_number(number);
            }
            (Term::Tuple(items), Type::Tuple(types), GroundDomain::Tuple(domains)) => {
                for (position, ((item, ty), domain)) in items.iter().zip(types.iter()).zip(domains).enumerate() {
                    self.part(ValueStep::Component(position), item, ty, domain);
                }
            }
            (Term::Tuple(items), Type::Record(fields), GroundDomain::Record(domains)) => {
                for (position, ((item, (_, ty)), (_, domain))) in
                    items.iter().zip(fields.iter()).zip(domains).enumerate()
                {
                    self.part(ValueStep::Component(position), item, ty, domain);
                }
            }
            (Term::Matrix(index, elements), Type::Matrix(parts), GroundDomain::Matrix(_, domain)) => {
                for (index, element) in index.members().zip(elements.iter()) {
                    self.part(ValueStep::Element(index), element, &parts[1], domain);
                }
            }
            (Term::Collection(..), ..) => self.collection(&name, term, ty, domain),
            _ => self.add_unlisted(name.to_string(), ty),
        }
    }

    fn part(&mut self, step: ValueStep, term: &Term, ty: &Type, domain: &GroundDomain) {
        self.path.push(step);
        self.term(term, ty, domain);
        self.path.pop();
    }

    /// The labels of the current part, and further ones.
    fn labels(&self, further: &[String]) -> Vec<String> {
        let (mut labels, mut ty) = (Vec::new(), self.root.clone());
        for step in &self.path {
            ty = match (step, &ty) {
                (ValueStep::Element(index), Type::Matrix(parts)) => {
                    labels.extend(parts_read(&self.reading, index, &parts[0]));
                    parts[1].clone()
                }
                (ValueStep::Component(position), Type::Record(fields)) => {
                    labels.push(unquoted(&fields[*position].0).into_owned());
                    fields[*position].1.clone()
                }
                (ValueStep::Component(position), Type::Tuple(types)) => {
                    labels.push((position + 1).to_string());
                    types[*position].clone()
                }
                // Images and members get their labels from the callers.
                _ => break,
            };
        }
        labels.extend_from_slice(further);
        labels
    }

    fn add(&mut self, name: String, further: &[String], options: Vec<CellOption>, numeric: bool) {
        // An option that cannot hold would only make the list longer for the reader.
        let options: Vec<CellOption> = options.into_iter().filter(|option| option.term != Bool::FALSE).collect();
        if !options.is_empty() {
            let (variable, labels) = (self.variable_name().clone(), self.labels(further));
            self.cells.push(Cell { name, variable, labels, options, numeric, number: None, unlisted: None });
        }
    }

    /// Stores the integer term of the last cell.
    fn note_number(&mut self, number: Int) {
        if let Some(cell) = self.cells.last_mut() {
            cell.number = Some(number);
        }
    }

    /// Adds the current part without options.
    fn add_unlisted(&mut self, name: String, ty: &Type) {
        let unlisted = UnlistedCell { variable: self.variable, path: self.path.clone(), ty: ty.clone() };
        let (variable, labels) = (self.variable_name().clone(), self.labels(&[]));
        let unlisted = Some(unlisted);
        self.cells.push(Cell { name, variable, labels, options: Vec::new(), numeric: false, number: None, unlisted });
    }

    /// A value for people, and as a constraint needs it: a literal of a variant does not determine the type's other
    /// alternatives.
    fn literal(&self, value: &Value, ty: &Type) -> [String; 2] {
        let shown = self.names.show(value, ty);
        let written = if ty.mentions_variant() { self.names.typed_literal(value, ty) } else { shown.clone() };
        [shown, written]
    }

    /// Adds a cell for a statement and its negation.
    fn truth(&mut self, labels: &[String], holds: [String; 2], fails: [String; 2], term: Bool) {
        let option = |[is, constraint]: [String; 2], term: Bool| CellOption {
            constraint: Some(constraint).filter(|constraint| *constraint != is),
            ..CellOption::new(is.clone(), is, term)
        };
        let name = holds[0].clone();
        self.add(name, labels, vec![option(fails, !term), option(holds, term)], false);
    }

    fn collection(&mut self, name: &PartName, term: &Term, ty: &Type, domain: &GroundDomain) {
        let members = self.symbolic.members(term);
        let (Type::Collection(kind, types), GroundDomain::Collection(_, _, domains)) = (ty, domain) else { return };
        let listed = |domain: &GroundDomain, most: usize| domain.members().take(most).collect::<Vec<_>>();
        let form = kind.form();
        match form {
            MemberForm::Pairs | MemberForm::Positions | MemberForm::Cycles => {
                let last = domains.len() - 1;
                let images = listed(&domains[last], MOST_OPTIONS + 1);
                let sides = form.components(types, Type::INT);
                let ticked = ticked(&domains[last], &types[last]);
                let argument_type = sides.and_then(|sides| sides.first().cloned()).unwrap_or(Type::Any);
                for member in &members.members {
                    // If the argument is unknown, too, the image has no name.
                    let Term::Value(argument) = member.term.item(0) else { continue };
                    let [shown, written] = self.literal(&argument, &argument_type);
                    let call = |argument: &str| match form {
                        MemberForm::Cycles => format!("image({name}, {argument})"),
                        _ => name.image(argument).to_string(),
                    };
                    // A permutation maps an element that is in no cycle to itself, so every image is defined.
                    let present = if form == MemberForm::Cycles { Bool::TRUE } else { member.condition };
                    let calls = [call(&shown), call(&written)];
                    // A partial function may have no image here, which is an option, too.
                    let undefined = CellOption {
                        constraint: Some(format!("!({written} in defined({name}))")),
                        ..CellOption::new(format!("{} is undefined", calls[0]), UNDEFINED.into(), !present)
                    };
                    let labels = parts_read(&self.reading, &argument, &argument_type);
                    // A set is shown by its possible members, because 6 of them have 64 sets. If the argument as a
                    // literal needs its type, a part of the image has no name.
                    if let Some(of) = ticked.filter(|_| present == Bool::TRUE && shown == written) {
                        self.members(&labels, &name.image(&shown), of, &member.term.item(1));
                        continue;
                    }
                    // If there are only a few possible images, each of them is an option; otherwise, the image is a
                    // cell without options.
                    if images.len() <= MOST_OPTIONS {
                        self.image(&labels, calls, undefined, &member.term.item(1), &images, &types[last]);
                        continue;
                    }
                    let step = match (form, &argument) {
                        (MemberForm::Positions, Value::Int(place)) => ValueStep::Place(*place as usize),
                        _ => ValueStep::Image(argument),
                    };
                    self.path.push(step);
                    let [call, _] = calls;
                    self.add_unlisted(call, &types[last]);
                    self.path.pop();
                    if let Some(cell) = self.cells.last_mut() {
                        cell.labels.extend(labels);
                    }
                }
            }
            MemberForm::Blocks => {
                // Larger domains would have too many pairs: 40 elements have 780.
                self.pairs(name, &listed(&domains[0], 40), &types[0], term);
            }
            MemberForm::Values if kind.row().has_occurrences() => {
                // In a multiset, each value has a number of occurrences and not just a truth value.
                let occurrences = MemberCounts::new(&members.members);
                for value in listed(&domains[0], MOST_CANDIDATES) {
                    let labels = parts_read(&self.reading, &value, &types[0]);
                    let count = occurrences.frequency(self.symbolic, &Term::Value(value.clone()));
                    let names = self.literal(&value, &types[0]).map(|value| format!("freq({name}, {value})"));
                    let count = self.symbolic.int_term(count);
                    self.number(&labels, names, &count);
                }
            }
            MemberForm::Values => self.members(&[], name, (&domains[0], &types[0]), term),
            MemberForm::Tuples => {
                let (domain, ty) = (GroundDomain::Tuple(domains.clone()), Type::Tuple(types.clone()));
                self.members(&[], name, (&domain, &ty), term);
            }
        }
    }

    /// Adds a cell for each pair of elements of a partition: whether they are in the same part.
    fn pairs(&mut self, name: &PartName, elements: &[Value], ty: &Type, term: &Term) {
        let members = self.symbolic.members(term);
        for (position, left) in elements.iter().enumerate() {
            for right in &elements[position + 1..] {
                let labels = [left, right].map(|element| value_for_people(&self.reading, element, ty));
                let pair = [left, right].map(|element| self.literal(element, ty));
                let mut together = Vec::new();
                for part in &members.members {
                    let inside = self.symbolic.members(&part.term);
                    let both =
                        [left, right].map(|element| self.symbolic.contains(&inside, &Term::Value(element.clone())));
                    together.push(self.symbolic.problem.and([part.condition, both[0], both[1]]));
                }
                let together = self.symbolic.problem.or(together);
                let holds = [0, 1].map(|way| format!("together({{{}, {}}}, {name})", pair[0][way], pair[1][way]));
                let fails = [0, 1].map(|way| format!("!{}", holds[way]));
                self.truth(&labels, holds, fails, together);
            }
        }
    }

    /// Adds a cell for each possible member of a collection; `before` are the labels that lead to the collection.
    fn members(&mut self, before: &[String], name: &PartName, (domain, ty): (&GroundDomain, &Type), term: &Term) {
        let members = self.symbolic.members(term);
        let mut values: Vec<Value> = domain.members().take(MOST_CANDIDATES + 1).collect();
        if values.len() > MOST_CANDIDATES {
            // The domain may be large, but the collection may still have only a few possible members.
            let possible: Option<Vec<Value>> =
                members.members.iter().map(|member| member.term.as_value().cloned()).collect();
            values = possible.filter(|possible| possible.len() <= MOST_CANDIDATES).unwrap_or(values);
            values.truncate(MOST_CANDIDATES);
        }
        for value in values {
            let inside = self.symbolic.contains(&members, &Term::Value(value.clone()));
            let holds = self.literal(&value, ty).map(|value| name.member(&value));
            let fails = [0, 1].map(|way| format!("!({})", holds[way]));
            let labels = [before, &parts_read(&self.reading, &value, ty)].concat();
            self.truth(&labels, holds, fails, inside);
        }
    }

    fn number(&mut self, labels: &[String], [name, written]: [String; 2], count: &Term) {
        let Term::Int(count) = count else { return };
        let values: Vec<i64> = self.symbolic.problem.values(*count).iter().take(MOST_OPTIONS + 1).collect();
        if values.len() > MOST_OPTIONS {
            return;
        }
        let options = values.into_iter().map(|value| {
            let term = self.symbolic.problem.equals_constant(*count, value);
            let constraint = (written != name).then(|| format!("{written} = {value}"));
            let option = CellOption::new(format!("{name} = {value}"), value.to_string(), term);
            CellOption { constraint, value: Some(value), ..option }
        });
        let (options, count) = (options.collect(), *count);
        self.add(name, labels, options, true);
        self.note_number(count);
    }

    /// Adds the cell for the image of an argument, which may be undefined.
    fn image(
        &mut self,
        labels: &[String],
        calls: [String; 2],
        undefined: CellOption,
        image: &Term,
        values: &[Value],
        ty: &Type,
    ) {
        let present = !undefined.term;
        let mut options = Vec::new();
        for value in values {
            let same = self.symbolic.equal(image, &Term::Value(value.clone()));
            let term = self.symbolic.problem.and([present, same]);
            let [shown, written] = self.literal(value, ty);
            let (is, written) = (format!("{} = {shown}", calls[0]), format!("{} = {written}", calls[1]));
            // An undefined Boolean image counts as false, so `f(x) = false` holds for it, too.
            let is_partial = present != Bool::TRUE && *ty == Type::Bool;
            let defined = undefined.constraint.as_ref().and_then(|undefined| undefined.strip_prefix('!'));
            let constraint = match defined.filter(|_| is_partial) {
                Some(defined) => Some(format!("{defined} /\\ {written}")),
                None => Some(written).filter(|written| *written != is),
            };
            let reads = value_for_people(&self.reading, value, ty);
            let value = if let Value::Int(value) = value { Some(*value) } else { None };
            options.push(CellOption { constraint, reads, value, ..CellOption::new(is, shown, term) });
        }
        // `undefined` is an option of the cell, but not a number.
        let numeric = present == Bool::TRUE && matches!(ty, Type::Int(_));
        if present != Bool::TRUE {
            options.push(undefined);
        }
        let [call, _] = calls;
        self.add(call, labels, options, numeric);
        if let Term::Int(number) = image {
            self.note_number(*number);
        }
    }
}
