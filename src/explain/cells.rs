//! The unknowns of an instance as a person sees them: a cell of a matrix, the image of an argument, whether a value is
//! in a set; each with the options that it has.

use super::{Describer, describe::part};
use crate::{
    analysis::model::DeclarationId,
    instance::GroundInstance,
    language::{GroundDomain, MemberForm, Name, PartName, Type, Value, domain::ValueStep},
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
    let mut collector = Collector { describer, symbolic, variable: Name::from(""), cells: Vec::new() };
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

    fn truth(&mut self, holds: String, fails: String, term: Bool) {
        let option = |is: String, term: Bool| CellOption::new(is.clone(), is, term);
        self.add(holds.clone(), vec![option(fails, !term), option(holds, term)], false);
    }

    fn collection(&mut self, name: &PartName, term: &Term, ty: &Type, domain: &GroundDomain) {
        let members = self.symbolic.members(term);
        let show = |value: &Value, ty: &Type| self.describer.names().show(value, ty);
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
                    let argument = show(&argument, &argument_type);
                    let (call, present) = match form {
                        MemberForm::Cycles => (format!("image({name}, {argument})"), Bool::TRUE),
                        _ => (name.image(&argument).to_string(), member.condition),
                    };
                    let undefined = CellOption {
                        constraint: Some(format!("!({argument} in defined({name}))")),
                        ..CellOption::new(format!("{call} is undefined"), "undefined".into(), !present)
                    };
                    self.image(call, undefined, &member.term.item(1), &images, &types[last]);
                }
            }
            MemberForm::Blocks => {
                let elements = listed(&domains[0], 40);
                for (position, left) in elements.iter().enumerate() {
                    for right in &elements[position + 1..] {
                        let pair = [left, right].map(|element| show(element, &types[0])).join(", ");
                        let mut together = Vec::new();
                        for part in &members.members {
                            let inside = self.symbolic.members(&part.term);
                            let both = [left, right]
                                .map(|element| self.symbolic.contains(&inside, &Term::Value(element.clone())));
                            together.push(self.symbolic.problem.and([part.condition, both[0], both[1]]));
                        }
                        let together = self.symbolic.problem.or(together);
                        let holds = format!("together({{{pair}}}, {name})");
                        self.truth(holds.clone(), format!("!{holds}"), together);
                    }
                }
            }
            MemberForm::Values if kind.row().has_occurrences() => {
                for value in listed(&domains[0], MOST_CANDIDATES) {
                    let count = self.symbolic.frequency(&members.members, &Term::Value(value.clone()));
                    let name = format!("freq({name}, {})", self.describer.names().show(&value, &types[0]));
                    let count = self.symbolic.int_term(count);
                    self.number(name, &count);
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
            let shown = self.describer.names().show(&value, ty);
            let holds = name.member(&shown);
            self.truth(holds.clone(), format!("!({holds})"), inside);
        }
    }

    fn number(&mut self, name: String, count: &Term) {
        let Term::Int(count) = count else { return };
        let values: Vec<i64> = self.symbolic.problem.values(*count).iter().take(MOST_OPTIONS + 1).collect();
        let options = values.into_iter().map(|value| {
            let term = self.symbolic.problem.equals_constant(*count, value);
            CellOption::new(format!("{name} = {value}"), value.to_string(), term)
        });
        let options = options.collect();
        self.add(name, options, true);
    }

    /// The image of an argument, which may have none.
    fn image(&mut self, call: String, undefined: CellOption, image: &Term, values: &[Value], ty: &Type) {
        if values.len() > MOST_OPTIONS {
            return;
        }
        let present = !undefined.term;
        let mut options = Vec::new();
        for value in values {
            let same = self.symbolic.equal(image, &Term::Value(value.clone()));
            let term = self.symbolic.problem.and([present, same]);
            let shown = self.describer.names().show(value, ty);
            let is = format!("{call} = {shown}");
            // Where a Boolean image is undefined, it is false.
            let is_partial = present != Bool::TRUE && *ty == Type::Bool;
            let defined = undefined.constraint.as_ref().and_then(|undefined| undefined.strip_prefix('!'));
            let constraint = defined.filter(|_| is_partial).map(|defined| format!("{defined} /\\ {is}"));
            options.push(CellOption { constraint, ..CellOption::new(is, shown, term) });
        }
        let numeric = present == Bool::TRUE && matches!(ty, Type::Int(_));
        if present != Bool::TRUE {
            options.push(undefined);
        }
        self.add(call, options, numeric);
    }
}
