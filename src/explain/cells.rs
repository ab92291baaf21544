//! The unknowns of an instance as a person sees them: a cell of a matrix, the image of an argument, whether a value is
//! in a set; each with the options that it has.

use super::{Describer, describe::part};
use crate::{
    analysis::model::DeclarationId,
    instance::GroundInstance,
    language::{GroundDomain, MemberForm, Name, PartName, Type, Value, domain::ValueStep, print::MemberNames},
    problem::Bool,
    symbolic::{Symbolic, Term},
};

/// A collection with more candidates for members than this is not enumerated.
const MOST_CANDIDATES: usize = 500;
/// An unknown with more options is left out.
const MOST_OPTIONS: usize = 1000;

/// An unknown: a part of a decision variable that has several options.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub name: String,
    /// The decision variable of which the cell is a part.
    pub variable: Name,
    pub options: Vec<CellOption>,
    /// The options are numbers, ascending.
    pub numeric: bool,
}

/// Something that a cell can be.
#[derive(Clone, Debug)]
pub(crate) struct CellOption {
    /// `board[1, 2] = 3`, `3 in s`
    pub is: String,
    /// The part of the text in which the options differ: `3`
    pub shown: String,
    pub term: Bool,
    /// The option as a constraint, where `is` is a sentence.
    pub constraint: Option<String>,
}

impl CellOption {
    pub(crate) fn new(is: String, shown: String, term: Bool) -> Self {
        CellOption { is, shown, term, constraint: None }
    }

    /// The option as a constraint of Essence.
    pub(crate) fn as_constraint(&self) -> &str {
        self.constraint.as_deref().unwrap_or(&self.is)
    }
}

/// The unknowns of all decision variables. Parts of a variable that cannot be named are left out.
pub(crate) fn cells(
    instance: &GroundInstance,
    describer: &Describer,
    symbolic: &mut Symbolic,
    layout: &[(DeclarationId, Term)],
) -> Vec<Cell> {
    let mut cells = all_cells(instance, describer, symbolic, layout);
    cells.retain(|cell| cell.options.len() > 1);
    cells
}

/// All parts of the decision variables, also those that have one option only, which are known already.
pub(crate) fn all_cells(
    instance: &GroundInstance,
    describer: &Describer,
    symbolic: &mut Symbolic,
    layout: &[(DeclarationId, Term)],
) -> Vec<Cell> {
    let names = describer.names().with_names_of_indices();
    let mut collector = Collector { describer, names, symbolic, variable: Name::from(""), cells: Vec::new() };
    for (id, term) in layout {
        let declaration = instance.model.declaration(*id);
        collector.variable = declaration.name.clone();
        let Some(domain) = instance.environment.domain(*id) else { continue };
        let root = (&*declaration.name, &declaration.ty);
        collector.term(root, &mut Vec::new(), term, &declaration.ty, domain);
    }
    collector.cells
}

struct Collector<'a, 'i> {
    describer: &'a Describer<'i>,
    /// The names of members; indices of matrices are written with them, so that the literals have their types.
    names: MemberNames,
    symbolic: &'a mut Symbolic,
    variable: Name,
    cells: Vec<Cell>,
}

impl Collector<'_, '_> {
    fn term(&mut self, root: (&str, &Type), path: &mut Vec<ValueStep>, term: &Term, ty: &Type, domain: &GroundDomain) {
        let name = part(self.describer.names(), root.0, path, root.1);
        match (term, ty, domain) {
            (Term::Bool(condition), ..) => {
                let option =
                    |value: bool, term: Bool| CellOption::new(format!("{name} = {value}"), value.to_string(), term);
                let options = vec![option(false, !*condition), option(true, *condition)];
                self.add(name.to_string(), options, false);
            }
            (Term::Int(number), ..) => {
                let number = *number;
                let values: Vec<i64> = self.symbolic.problem.values(number).iter().take(MOST_OPTIONS + 1).collect();
                let options = values.into_iter().map(|value| {
                    let term = self.symbolic.problem.equals_constant(number, value);
                    let shown = self.describer.names().show(&Value::Int(value), ty);
                    CellOption::new(format!("{name} = {shown}"), shown, term)
                });
                let options = options.collect();
                self.add(name.to_string(), options, matches!(ty, Type::Int(_)));
            }
            (Term::Tuple(items), Type::Tuple(types), GroundDomain::Tuple(domains)) => {
                for (position, ((item, ty), domain)) in items.iter().zip(types.iter()).zip(domains).enumerate() {
                    path.push(ValueStep::Component(position));
                    self.term(root, path, item, ty, domain);
                    path.pop();
                }
            }
            (Term::Tuple(items), Type::Record(fields), GroundDomain::Record(domains)) => {
                for (position, ((item, (_, ty)), (_, domain))) in
                    items.iter().zip(fields.iter()).zip(domains).enumerate()
                {
                    path.push(ValueStep::Component(position));
                    self.term(root, path, item, ty, domain);
                    path.pop();
                }
            }
            (Term::Matrix(index, elements), Type::Matrix(parts), GroundDomain::Matrix(_, domain)) => {
                for (index, element) in index.members().zip(elements.iter()) {
                    path.push(ValueStep::Element(index));
                    self.term(root, path, element, &parts[1], domain);
                    path.pop();
                }
            }
            (Term::Collection(..), ..) => self.collection(&name, term, ty, domain),
            _ => {}
        }
    }

    fn add(&mut self, name: String, options: Vec<CellOption>, numeric: bool) {
        if options.len() > MOST_OPTIONS {
            return;
        }
        let options: Vec<CellOption> = options.into_iter().filter(|option| option.term != Bool::FALSE).collect();
        if !options.is_empty() {
            self.cells.push(Cell { name, variable: self.variable.clone(), options, numeric });
        }
    }

    /// A value for people, and as a constraint needs it: a literal of a variant alone does not say what its other
    /// alternatives are.
    fn literal(&self, value: &Value, ty: &Type) -> [String; 2] {
        let shown = self.names.show(value, ty);
        let written = if has_variant(ty) { self.names.typed_literal(value, ty) } else { shown.clone() };
        [shown, written]
    }

    /// A statement and its opposite, for people and as constraints.
    fn truth(&mut self, holds: [String; 2], fails: [String; 2], term: Bool) {
        let option = |[is, constraint]: [String; 2], term: Bool| CellOption {
            constraint: Some(constraint).filter(|constraint| *constraint != is),
            ..CellOption::new(is.clone(), is, term)
        };
        let name = holds[0].clone();
        self.add(name, vec![option(fails, !term), option(holds, term)], false);
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
                let argument_type = sides.and_then(|sides| sides.first().cloned()).unwrap_or(Type::Any);
                for member in &members.members {
                    let Term::Value(argument) = member.term.item(0) else { continue };
                    let [shown, written] = self.literal(&argument, &argument_type);
                    let call = |argument: &str| match form {
                        MemberForm::Cycles => format!("image({name}, {argument})"),
                        _ => name.image(argument).to_string(),
                    };
                    let present = if form == MemberForm::Cycles { Bool::TRUE } else { member.condition };
                    let calls = [call(&shown), call(&written)];
                    let undefined = CellOption {
                        constraint: Some(format!("!({written} in defined({name}))")),
                        ..CellOption::new(format!("{} is undefined", calls[0]), "undefined".into(), !present)
                    };
                    self.image(calls, undefined, &member.term.item(1), &images, &types[last]);
                }
            }
            MemberForm::Blocks => {
                let elements = listed(&domains[0], 40);
                for (position, left) in elements.iter().enumerate() {
                    for right in &elements[position + 1..] {
                        let pair = [left, right].map(|element| self.literal(element, &types[0]));
                        let mut together = Vec::new();
                        for part in &members.members {
                            let inside = self.symbolic.members(&part.term);
                            let both = [left, right]
                                .map(|element| self.symbolic.contains(&inside, &Term::Value(element.clone())));
                            together.push(self.symbolic.problem.and([part.condition, both[0], both[1]]));
                        }
                        let together = self.symbolic.problem.or(together);
                        let holds =
                            [0, 1].map(|way| format!("together({{{}, {}}}, {name})", pair[0][way], pair[1][way]));
                        let fails = [0, 1].map(|way| format!("!{}", holds[way]));
                        self.truth(holds, fails, together);
                    }
                }
            }
            MemberForm::Values if kind.row().has_occurrences() => {
                for value in listed(&domains[0], MOST_CANDIDATES) {
                    let count = self.symbolic.frequency(&members.members, &Term::Value(value.clone()));
                    let names = self.literal(&value, &types[0]).map(|value| format!("freq({name}, {value})"));
                    let count = self.symbolic.int_term(count);
                    self.number(names, &count);
                }
            }
            MemberForm::Values => self.members(name, listed(&domains[0], MOST_CANDIDATES), &types[0], term),
            MemberForm::Tuples => {
                let tuples = listed(&GroundDomain::Tuple(domains.clone()), MOST_CANDIDATES);
                self.members(name, tuples, &Type::Tuple(types.clone()), term);
            }
        }
    }

    fn members(&mut self, name: &PartName, values: Vec<Value>, ty: &Type, term: &Term) {
        let members = self.symbolic.members(term);
        for value in values {
            let inside = self.symbolic.contains(&members, &Term::Value(value.clone()));
            let holds = self.literal(&value, ty).map(|value| name.member(&value));
            let fails = [0, 1].map(|way| format!("!({})", holds[way]));
            self.truth(holds, fails, inside);
        }
    }

    fn number(&mut self, [name, written]: [String; 2], count: &Term) {
        let Term::Int(count) = count else { return };
        let values: Vec<i64> = self.symbolic.problem.values(*count).iter().take(MOST_OPTIONS + 1).collect();
        let options = values.into_iter().map(|value| {
            let term = self.symbolic.problem.equals_constant(*count, value);
            let constraint = (written != name).then(|| format!("{written} = {value}"));
            CellOption { constraint, ..CellOption::new(format!("{name} = {value}"), value.to_string(), term) }
        });
        let options = options.collect();
        self.add(name, options, true);
    }

    /// The image of an argument, which may have none.
    fn image(&mut self, calls: [String; 2], undefined: CellOption, image: &Term, values: &[Value], ty: &Type) {
        if values.len() > MOST_OPTIONS {
            return;
        }
        let present = !undefined.term;
        let mut options = Vec::new();
        for value in values {
            let same = self.symbolic.equal(image, &Term::Value(value.clone()));
            let term = self.symbolic.problem.and([present, same]);
            let [shown, written] = self.literal(value, ty);
            let (is, written) = (format!("{} = {shown}", calls[0]), format!("{} = {written}", calls[1]));
            // Where a Boolean image is undefined, it is false.
            let is_partial = present != Bool::TRUE && *ty == Type::Bool;
            let defined = undefined.constraint.as_ref().and_then(|undefined| undefined.strip_prefix('!'));
            let constraint = match defined.filter(|_| is_partial) {
                Some(defined) => Some(format!("{defined} /\\ {written}")),
                None => Some(written).filter(|written| *written != is),
            };
            options.push(CellOption { constraint, ..CellOption::new(is, shown, term) });
        }
        let numeric = present == Bool::TRUE && matches!(ty, Type::Int(_));
        if present != Bool::TRUE {
            options.push(undefined);
        }
        let [call, _] = calls;
        self.add(call, options, numeric);
    }
}

/// Whether a type has a variant in it.
fn has_variant(ty: &Type) -> bool {
    let mut found = matches!(ty, Type::Variant(_));
    ty.for_each_part(&mut |part| found = found || has_variant(part));
    found
}
