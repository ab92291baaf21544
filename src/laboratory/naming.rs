//! The names of a problem's variables in the model: `board[1, 2]`, `3 in s`, `f(x)`.

use crate::{
    analysis::model::{DeclarationId, LocalId, Pattern, PatternForm, TypedModel},
    instance::{GroundInstance, oracle::depends_on},
    language::{Collection, MemberForm, Name, PartName, Type, Value},
    lowering::Lowered,
    problem::{Bool, BoolNode, Global, Int, IntNode, Linear, Problem, Variable},
    symbolic::{Members, Term},
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The limit on the text of a constraint, in characters. Chosen.
const LONGEST: usize = 160;

pub(crate) struct VariableNames {
    /// The variables of the model: those in `branching on` in its order, then the others by occurrence.
    pub order: Vec<Variable>,
    /// The parts of the model's variables with a single value before the search, and this value.
    pub fixed: Vec<(String, String)>,
    names: FxHashMap<Variable, (String, ValueNames)>,
}

/// The text form of a variable's values.
#[derive(Clone, Debug, Default)]
pub(crate) enum ValueNames {
    #[default]
    Numbers,
    Truth,
    /// The names of members, starting with member 1.
    Members(Arc<[Name]>),
}

impl ValueNames {
    pub(crate) fn show(&self, value: i64) -> String {
        match self {
            ValueNames::Numbers => value.to_string(),
            ValueNames::Truth => (value == 1).to_string(),
            ValueNames::Members(names) => match names.get((value - 1) as usize) {
                Some(name) => name.to_string(),
                None => value.to_string(),
            },
        }
    }
}

impl VariableNames {
    pub(crate) fn new(instance: &GroundInstance, lowered: &Lowered) -> VariableNames {
        let mut names = VariableNames { order: Vec::new(), fixed: Vec::new(), names: FxHashMap::default() };
        let mut walk = TermWalk { instance, problem: &lowered.problem, names: &mut names };
        let mut layout: Vec<&(DeclarationId, Term)> = lowered.layout.iter().collect();
        // The sort is stable, so variables that `branching on` does not name keep their order.
        layout.sort_by_key(|(id, _)| place_in_branching(&instance.model, *id));
        for (id, term) in layout {
            let declaration = instance.model.declaration(*id);
            walk.term(term, &declaration.ty, &PartName::of(&*declaration.name));
        }
        walk.local_terms(&lowered.local_terms);
        names
    }

    /// The name of a variable; `_` if the model does not name it.
    pub(crate) fn variable(&self, term: Variable) -> String {
        self.names.get(&term).map_or_else(|| "_".to_owned(), |(name, _)| name.clone())
    }

    /// Returns true if the variable has a name: it is a part of a decision variable of the model or of a quantified
    /// name.
    pub(crate) fn knows(&self, variable: Variable) -> bool {
        self.names.contains_key(&variable)
    }

    pub(crate) fn values(&self, term: Variable) -> ValueNames {
        match (self.names.get(&term), term) {
            (Some((_, values)), _) => values.clone(),
            (None, Variable::Bool(_)) => ValueNames::Truth,
            (None, Variable::Int(_)) => ValueNames::Numbers,
        }
    }

    /// A condition as text.
    pub(crate) fn condition(&self, problem: &Problem, condition: Bool) -> String {
        self.written(problem, |writer| writer.condition(condition, ConditionPosition::Alone))
    }

    /// Terms as text, separated by commas.
    pub(crate) fn terms(&self, problem: &Problem, terms: &[Int]) -> String {
        self.written(problem, |writer| writer.list(terms))
    }

    /// The text for two different terms.
    pub(crate) fn different(&self, problem: &Problem, left: Int, right: Int) -> String {
        self.written(problem, |writer| {
            writer.int(left);
            writer.push(" != ");
            writer.int(right);
        })
    }

    /// The text for pairwise different terms.
    pub(crate) fn all_different(&self, problem: &Problem, terms: impl Iterator<Item = Int>) -> String {
        self.written(problem, |writer| {
            writer.push("allDiff(");
            writer.list(&terms.collect::<Vec<_>>());
            writer.push(")");
        })
    }

    /// The output of `write`, truncated.
    fn written(&self, problem: &Problem, write: impl FnOnce(&mut TermWriter)) -> String {
        let mut text = String::new();
        write(&mut TermWriter { names: self, problem, text: &mut text });
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{} …", &text[..end]),
            None => text,
        }
    }
}

fn place_in_branching(model: &TypedModel, id: DeclarationId) -> usize {
    model.branching.iter().position(|item| depends_on(item, id, model)).unwrap_or(usize::MAX)
}

/// The traversal of the terms of the model's decision variables.
struct TermWalk<'a> {
    instance: &'a GroundInstance,
    problem: &'a Problem,
    names: &'a mut VariableNames,
}

impl TermWalk<'_> {
    fn add(&mut self, variable: Variable, name: &str, values: ValueNames) {
        // The first name stays, because names of the model come before local ones.
        if !self.names.names.contains_key(&variable) {
            self.names.order.push(variable);
            self.names.names.insert(variable, (name.to_owned(), values));
        }
    }

    fn fix(&mut self, name: &str, value: String) {
        self.names.fixed.push((name.to_owned(), value));
    }

    fn condition(&mut self, condition: Bool, name: &str) {
        let (node, negated) = condition.node();
        if let Some(truth) = condition.constant() {
            return self.fix(name, truth.to_string());
        }
        // If a condition is composed of several variables, it names none of them.
        if self.problem.is_variable(Variable::Bool(node.positive())) {
            let name = if negated { format!("not {name}") } else { name.to_owned() };
            self.add(Variable::Bool(node.positive()), &name, ValueNames::Truth);
        }
    }

    fn int(&mut self, term: Int, name: &str, values: ValueNames) {
        match self.problem.int_node(term) {
            IntNode::Variable => self.add(Variable::Int(term), name, values),
            IntNode::FromBool(condition) => self.condition(*condition, name),
            IntNode::Constant(value) => self.fix(name, values.show(*value)),
            _ => {}
        }
    }

    /// Names the variables behind quantified names and local decision variables.
    fn local_terms(&mut self, bound: &[Vec<(Pattern, Term)>]) {
        let model = &self.instance.model;
        let declared = model.declarations.iter().map(|declaration| (&*declaration.name, 1));
        let (mut counts, mut seen): (FxHashMap<&str, usize>, FxHashMap<&str, usize>) =
            (declared.collect(), Default::default());
        let mut all = Vec::new();
        for (pattern, term) in bound.iter().flatten() {
            named_terms(pattern, term, &mut all);
        }
        for (local, _) in &all {
            *counts.entry(&model.local_names[local.0 as usize].name).or_default() += 1;
        }
        for (LocalId(id), term) in all {
            let local = &model.local_names[id as usize];
            let name = PartName::of(&*local.name);
            let position = seen.entry(&local.name).or_default();
            *position += 1;
            // If a name occurs once, the number of its instance is left out.
            match counts[&*local.name] {
                1 => self.term(&term, &local.ty, &name),
                _ => {
                    let name = name_of_member("instance", *position, &name, &term);
                    self.term(&term, &local.ty, &name);
                }
            }
        }
    }

    fn show(&self, value: &Value, ty: &Type) -> String {
        self.instance.names.show(value, ty)
    }

    fn members_of_type(&self, ty: &Type) -> ValueNames {
        let Type::Named(named) = ty else { return ValueNames::Numbers };
        let size = self.instance.environment.size_of_type(named.id).unwrap_or(0);
        ValueNames::Members((1..=size.min(100_000)).map(|at| self.instance.names.member(named, at)).collect())
    }

    fn term(&mut self, term: &Term, ty: &Type, name: &PartName) {
        match (term, ty) {
            (Term::Bool(condition), _) => self.condition(*condition, &name.to_string()),
            (Term::Int(term), ty) => {
                let values = self.members_of_type(ty);
                self.int(*term, &name.to_string(), values);
            }
            (Term::Value(value), Type::Bool | Type::Int(_) | Type::Named(_)) => {
                self.fix(&name.to_string(), self.show(value, ty));
            }
            (Term::Tuple(items), Type::Tuple(types)) => {
                for ((item, ty), position) in items.iter().zip(types.iter()).zip(1..) {
                    self.term(item, ty, &name.component(position));
                }
            }
            (Term::Tuple(items), Type::Record(fields)) => {
                for (item, (field, ty)) in items.iter().zip(fields.iter()) {
                    self.term(item, ty, &name.component(field));
                }
            }
            (Term::Variant(tag, inner), Type::Variant(alternatives)) => {
                self.int(*tag, &format!("alternative of {name}"), ValueNames::Numbers);
                for (inner, (alternative, ty)) in inner.iter().zip(alternatives.iter()) {
                    if let Some(inner) = inner {
                        self.term(inner, ty, &name.component(alternative));
                    }
                }
            }
            (Term::Matrix(index, elements), Type::Matrix(types)) => {
                for (index, element) in index.members().zip(elements.iter()) {
                    let name = name.element(self.show(&index, &types[0]));
                    self.term(element, &types[1], &name);
                }
            }
            (Term::Collection(kind, members), ty) => self.collection(*kind, members, ty, name),
            _ => {}
        }
    }

    fn collection(&mut self, kind: Collection, members: &Members, ty: &Type, name: &PartName) {
        let element = ty.member().unwrap_or(Type::Any);
        if let (MemberForm::Blocks, Type::Collection(_, inner)) = (kind.form(), ty) {
            // The parts are encoded as one number for each element.
            for (value, number) in members.numbered_elements() {
                self.int(number, &format!("part of {} in {name}", self.show(&value, &inner[0])), ValueNames::Numbers);
            }
            return;
        }
        for (member, position) in members.members.iter().zip(1..) {
            if kind.form().is_keyed() {
                let (from, to) = match &element {
                    Type::Tuple(parts) => (parts[0].clone(), parts[1].clone()),
                    _ => (Type::Any, Type::Any),
                };
                let argument = member.term.item(0);
                if let Term::Value(argument) = &argument {
                    let place = name.image(&self.show(argument, &from));
                    // The function may be undefined for the argument.
                    self.condition(member.condition, &format!("{place} is defined"));
                    self.term(&member.term.item(1), &to, &place);
                    continue;
                }
                self.condition(member.condition, &format!("{name} has argument {position}"));
                self.term(&argument, &from, &name_of_member("argument", position, name, &argument));
                let image = member.term.item(1);
                self.term(&image, &to, &name_of_member("image", position, name, &image));
                continue;
            }
            match &member.term {
                Term::Value(value) => {
                    let value = self.show(value, &element);
                    self.condition(member.condition, &name.member(&value));
                    // In a multiset, each value is named with its count.
                    if let BoolNode::AtMost(count, _) | BoolNode::Equals(count, _) =
                        self.problem.bool_node(member.condition.node().0)
                    {
                        self.int(*count, &format!("freq({name}, {value})"), ValueNames::Numbers);
                    }
                }
                inner => {
                    self.condition(member.condition, &format!("{name} has member {position}"));
                    self.term(inner, &element, &name_of_member("member", position, name, inner));
                }
            }
        }
    }
}

/// The names of a pattern, with their terms.
fn named_terms(pattern: &Pattern, term: &Term, found: &mut Vec<(LocalId, Term)>) {
    match pattern {
        Pattern::Name(local) => found.push((*local, term.clone())),
        Pattern::Parts(PatternForm::Tuple, items) => {
            items.iter().zip(term.items()).for_each(|(item, term)| named_terms(item, &term, found));
        }
        // These names stand for terms composed of variables.
        Pattern::Wildcard | Pattern::Parts(..) => {}
    }
}

/// `member 2 of s`, since the members are in ascending order; in parentheses if names of parts follow.
fn name_of_member(what: &str, position: usize, name: &PartName, term: &Term) -> PartName {
    let one = format!("{what} {position} of {name}");
    PartName::of(if matches!(term, Term::Bool(_) | Term::Int(_)) { one } else { format!("({one})") })
}

/// The context of a condition, which decides about parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConditionPosition {
    Alone,
    /// The condition is an operand.
    Inside,
}

impl ConditionPosition {
    fn opening(self) -> &'static str {
        if self == ConditionPosition::Inside { "(" } else { "" }
    }

    fn closing(self) -> &'static str {
        if self == ConditionPosition::Inside { ")" } else { "" }
    }
}

/// Writes terms in the notation of Essence until the text is long enough.
struct TermWriter<'a> {
    names: &'a VariableNames,
    problem: &'a Problem,
    text: &'a mut String,
}

impl TermWriter<'_> {
    fn push(&mut self, text: &str) {
        // The text is cut at LONGEST characters, and each takes at most four bytes.
        if self.text.len() <= 4 * LONGEST {
            self.text.push_str(text);
        }
    }

    fn is_full(&self) -> bool {
        self.text.len() > 4 * LONGEST
    }

    fn value(&self, term: Int, value: i64) -> String {
        self.names.values(Variable::Int(term)).show(value)
    }

    fn condition(&mut self, condition: Bool, place: ConditionPosition) {
        if self.is_full() {
            return;
        }
        let (id, negated) = condition.node();
        let problem = self.problem;
        let either = |yes: &'static str, no: &'static str| if negated { no } else { yes };
        match problem.bool_node(id) {
            BoolNode::True => self.push(either("true", "false")),
            BoolNode::Variable => {
                let name = self.names.variable(Variable::Bool(id.positive()));
                self.push(either("", "not "));
                self.push(&name);
            }
            // By De Morgan's law, a negated conjunction is written as a disjunction.
            BoolNode::And(parts) => {
                self.push(place.opening());
                for (position, part) in parts.iter().enumerate() {
                    self.push(if position == 0 { "" } else { either(" and ", " or ") });
                    self.condition(if negated { !*part } else { *part }, ConditionPosition::Inside);
                }
                self.push(place.closing());
            }
            BoolNode::Equivalent(left, right) => {
                self.push(place.opening());
                self.condition(*left, ConditionPosition::Inside);
                self.push(either(" <-> ", " xor "));
                self.condition(*right, ConditionPosition::Inside);
                self.push(place.closing());
            }
            BoolNode::Equals(term, value) => self.compared(*term, either(" = ", " != "), &self.value(*term, *value)),
            BoolNode::AtMost(term, value) => self.compared(*term, either(" <= ", " > "), &self.value(*term, *value)),
            BoolNode::Same(left, right) => {
                self.int(*left);
                self.push(either(" = ", " != "));
                self.int(*right);
            }
            BoolNode::LinearAtMost(terms, bound) => self.linear_at_most(terms, *bound, negated),
            BoolNode::LinearEquals(terms, bound) => {
                self.sum(terms, 0);
                self.push(either(" = ", " != "));
                self.push(&bound.to_string());
            }
            BoolNode::Global(Global::AllDifferent(constraint)) => {
                self.push(either("allDiff(", "not allDiff("));
                self.list(&constraint.terms);
                self.push(")");
            }
            BoolNode::Global(Global::Table(constraint)) => {
                self.push("(");
                self.list(&constraint.terms);
                self.push(either(") is one of ", ") is not one of "));
                let shown: Vec<String> = constraint.rows.iter().take(5).map(|row| format!("{row:?}")).collect();
                self.push(&shown.join(" "));
                self.push(if constraint.rows.len() > 5 { " …" } else { "" });
            }
        }
    }

    /// Writes `x < y` for `x - y <= -1`, and similar comparisons.
    fn linear_at_most(&mut self, terms: &Linear, bound: i64, negated: bool) {
        // The negation of `s <= b` is `-s <= -1 - b`.
        let (sign, bound) = if negated { (-1, -1 - bound) } else { (1, bound) };
        if let [(first, left), (second, right)] = **terms
            && first.abs() == 1
            && first == -second
            && (bound == 0 || bound == -1)
        {
            let (small, large) = if first * sign == 1 { (left, right) } else { (right, left) };
            self.int(small);
            self.push(if bound == 0 { " <= " } else { " < " });
            return self.int(large);
        }
        self.sum(terms, 0);
        let (relation, bound) = if sign == 1 { (" <= ", bound) } else { (" >= ", -bound) };
        self.push(relation);
        self.push(&bound.to_string());
    }

    fn compared(&mut self, term: Int, relation: &str, value: &str) {
        self.int(term);
        self.push(relation);
        self.push(value);
    }

    fn list(&mut self, terms: &[Int]) {
        for (position, term) in terms.iter().enumerate() {
            self.push(if position > 0 { ", " } else { "" });
            self.int(*term);
        }
    }

    fn sum(&mut self, terms: &Linear, constant: i64) {
        for (position, (factor, term)) in terms.iter().enumerate() {
            self.push(match (position, *factor < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            if factor.unsigned_abs() != 1 {
                self.push(&format!("{}*", factor.unsigned_abs()));
            }
            self.int(*term);
        }
        if constant != 0 {
            self.push(if constant < 0 { " - " } else { " + " });
            self.push(&constant.unsigned_abs().to_string());
        }
    }

    fn int(&mut self, term: Int) {
        if self.is_full() {
            return;
        }
        let problem = self.problem;
        match problem.int_node(term) {
            IntNode::Constant(value) => self.push(&value.to_string()),
            IntNode::Variable => {
                let name = self.names.variable(Variable::Int(term));
                self.push(&name);
            }
            IntNode::FromBool(condition) => {
                self.push("toInt(");
                self.condition(*condition, ConditionPosition::Alone);
                self.push(")");
            }
            IntNode::Linear(terms, constant) => {
                self.push("(");
                self.sum(terms, *constant);
                self.push(")");
            }
            IntNode::Binary(operation, left, right) => {
                self.push("(");
                self.int(*left);
                self.push(&format!(" {} ", operation.symbol()));
                self.int(*right);
                self.push(")");
            }
            IntNode::Absolute(inner) => {
                self.push("|");
                self.int(*inner);
                self.push("|");
            }
            IntNode::Extreme(extreme, terms) => {
                self.push(extreme.name());
                self.push("(");
                self.list(terms);
                self.push(")");
            }
            IntNode::Choice(alternatives) => {
                self.push("(");
                for (position, (condition, term)) in alternatives.iter().enumerate() {
                    self.push(if position > 0 { " else " } else { "" });
                    self.int(*term);
                    if *condition != Bool::TRUE {
                        self.push(" if ");
                        self.condition(*condition, ConditionPosition::Inside);
                    }
                }
                self.push(")");
            }
        }
    }
}
