//! Analysis of statements, in the order of the file.

use super::{
    Analysis, Reports,
    extent::{MOST_COPIED, is_too_large},
    highest,
    mistakes::described_type,
    model::{
        AttributeUse, Category, Declaration, DeclarationId, DeclarationKind, Expr, ExprDomain, ExprKind,
        IncomparabilityExpr, ObjectiveExpr, TypedModel,
    },
    names::NameMeaning,
};
use crate::{
    diagnostic::{Code, Diagnostic, Edit, nearest},
    language::{
        Name, NamedType, Sense, Type,
        attributes::{self, Limit, Measure, Size},
        quotation::unquoted,
    },
    operators::{OperatorSymbol, symbols},
    source::Span,
    syntax::{
        self,
        ast::{self, ExprTree, Identifier, LettingValue, PARETO, StatementKind},
        parse,
    },
};
use rustc_hash::FxHashSet;

/// The accepted search heuristics.
const HEURISTICS: [&str; 7] = ["static", "sdf", "conflict", "srf", "ldf", "wdeg", "domoverwdeg"];

/// The indices of [`Statements::only_once`], one for each statement that may be given once.
const OBJECTIVE: usize = 0;
const BRANCHING: usize = 1;
const HEURISTIC: usize = 2;
const DOMINANCE: usize = 3;
const INCOMPARABILITY: usize = 4;

/// The analysis of the statements of a model.
pub(super) struct Statements<'d> {
    pub analysis: Analysis<'d>,
    /// The spans of the statements that may be given once.
    only_once: [Option<Span>; 5],
}

impl<'d> Statements<'d> {
    pub(super) fn new(analysis: Analysis<'d>) -> Self {
        Statements { analysis, only_once: [None; 5] }
    }

    pub(super) fn statement(&mut self, statement: &ast::Statement) {
        match &statement.kind {
            StatementKind::Given { names, domain } => {
                let domain = self.analysis.domains().domain(domain);
                for name in names {
                    self.declare(name, DeclarationKind::Given(domain.domain.clone()), domain.ty.clone());
                }
            }
            StatementKind::GivenEnum { names } => {
                for name in names {
                    self.declare_type(name, DeclarationKind::GivenEnum);
                }
            }
            StatementKind::Find { names, domain } => {
                let domain = self.analysis.domains().finite(domain, "the domain of a decision variable");
                for name in names {
                    self.declare(name, DeclarationKind::Find(domain.domain.clone()), domain.ty.clone());
                }
            }
            StatementKind::Letting { names, value } => self.letting(names, value),
            StatementKind::SuchThat(constraints) => {
                for constraint in constraints {
                    let constraint = self
                        .analysis
                        .with_intentions(constraint, &|analysis, expr| analysis.condition(expr, "a constraint"));
                    // The constraint may become an attribute of the domain.
                    if !self.analysis.model.becomes_minimum_occurrence(&constraint) {
                        self.analysis.model.constraints.push(constraint);
                    }
                }
            }
            StatementKind::Where(conditions) => {
                for condition in conditions {
                    let condition = self
                        .analysis
                        .with_intentions(condition, &|analysis, expr| analysis.condition(expr, "a condition"));
                    // The values of local decision variables in a `where` are chosen when the data are checked, so
                    // these are allowed.
                    let condition = match self.analysis.model.first_decision(&condition) {
                        Some(_) => self.analysis.only_data(condition, "a `where` statement", None),
                        None => condition,
                    };
                    self.analysis.model.wheres.push(condition);
                }
            }
            StatementKind::Objective { sense, value, directions } => {
                let objective = self.objective(*sense, value, directions);
                if self.once(OBJECTIVE, "objective", statement.span) {
                    self.analysis.model.objective = Some(objective);
                }
            }
            StatementKind::Dominance { form, relation } => {
                let dominance = self.analysis.dominance(*form, relation);
                if self.once(DOMINANCE, "dominance relation", statement.span) {
                    self.analysis.model.dominance = dominance;
                }
            }
            StatementKind::Incomparability { order, value } => {
                let value = self.analysis.with_intentions(value, &|analysis, value| {
                    let value = analysis.expr(value);
                    match value.ty {
                        Type::Any | Type::Int(_) | Type::Named(_) => value,
                        _ => analysis.reports.expect(value, &Type::INT, "an incomparability function"),
                    }
                });
                if self.once(INCOMPARABILITY, "incomparability function", statement.span) {
                    self.analysis.model.incomparability = Some(IncomparabilityExpr { order: *order, value });
                }
            }
            StatementKind::BranchingOn(items) => {
                let items: Vec<Expr> = items.iter().map(|item| self.branching(item)).collect();
                if self.once(BRANCHING, "`branching on`", statement.span) {
                    self.analysis.model.branching = items;
                }
            }
            StatementKind::Heuristic(name) => self.heuristic(name, statement.span),
        }
    }

    fn objective(&mut self, sense: Sense, value: &ExprTree, directions: &[Sense]) -> ObjectiveExpr {
        let word = sense.keyword();
        // If the model declares `pareto`, the word is a name.
        let goals = value.trade_offs().filter(|_| self.analysis.names.get(PARETO).is_none());
        let value = self.analysis.with_intentions(value, &|analysis, value| {
            let value = match goals.and_then(|_| value.trade_offs()) {
                Some(goals) => analysis.competing(goals, sense, directions, value.span),
                None => analysis.expr(value),
            };
            match is_objective(&value) {
                true => value,
                false => analysis.reports.expect(value, &Type::INT, &format!("the expression after `{word}`")),
            }
        });
        let negated = directions.iter().map(|direction| *direction != sense).collect();
        ObjectiveExpr { is_trade_off: goals.is_some(), negated, ..ObjectiveExpr::new(sense, value) }
    }

    fn letting(&mut self, names: &[Identifier], value: &LettingValue) {
        match value {
            LettingValue::Expr(value) if self.new_members(names, value) => {}
            LettingValue::Expr(tree) => {
                let mut value = self.analysis.with_intentions(tree, &|analysis, value| analysis.expr(value));
                // Each line of `letting a be (a0, a0)`, `letting b be (a, a)`, … doubles the type.
                if is_too_large(&value.ty) {
                    self.analysis.reports.add(
                        Diagnostic::error(Code::TOO_LARGE, "the type of this value is too large")
                            .at(value.span, format!("it has more than {MOST_COPIED} parts")),
                    );
                    value = Expr::wrong(value.span);
                }
                for name in names {
                    let ty = value.ty.clone();
                    let id = self.declare(name, DeclarationKind::Letting(value.clone()), ty);
                    // In `fromSolution`, decision variables have another meaning, so the tree is stored.
                    if let Some(id) = id.filter(|_| value.category == Category::Decision) {
                        self.analysis.decision_lettings.insert(id, tree.clone());
                    }
                }
            }
            LettingValue::Domain(domain) => {
                let domain = self.analysis.domains().domain(domain);
                for name in names {
                    let kind = DeclarationKind::LettingDomain(domain.domain.clone());
                    let id = self.declare(name, kind, domain.ty.clone());
                    if let (Some(id), Some(infinite)) = (id, &domain.infinite) {
                        self.analysis.names.infinite.insert(id, infinite.clone());
                    }
                }
            }
            LettingValue::Enum(members) => {
                for name in names {
                    let texts = members.iter().map(|member| member.text.clone()).collect();
                    if let Some(named) = self.declare_type(name, DeclarationKind::Enum(texts)) {
                        // Even if the name of the type is already used, the members are declared, so that their uses
                        // cause no errors.
                        self.analysis.declare_members(&named, members);
                    }
                }
            }
            LettingValue::Unnamed(size) => {
                let size = self.analysis.expr(size);
                let size = self.analysis.reports.expect(size, &Type::INT, "the size of a type");
                let size = self.analysis.only_data(size, "the size of a type", None);
                for name in names {
                    self.declare_type(name, DeclarationKind::Unnamed(size.clone()));
                }
            }
        }
    }

    /// Handles `letting E be {a, b}` with undeclared names or strings: declares an enumerated type and reports the
    /// syntax. Returns false for other values.
    fn new_members(&mut self, names: &[Identifier], value: &ast::ExprTree) -> bool {
        let items = match &value.kind {
            ast::ExprTreeKind::Matrix(items, None) => Some(items),
            _ => value.as_set(),
        };
        let ([name], Some(items)) = (names, items) else { return false };
        let member = |item: &ast::ExprTree| match &item.kind {
            ast::ExprTreeKind::Name(member) => {
                let text = member.trim_matches('"');
                (syntax::parse::is_name(text) && self.analysis.names.is_new(text))
                    .then(|| Identifier { text: text.into(), span: item.span })
            }
            _ => None,
        };
        let Some(members) = items.iter().map(member).collect::<Option<Vec<_>>>().filter(|members| !members.is_empty())
        else {
            return false;
        };
        let texts: Vec<_> = members.iter().map(|member| member.text.clone()).collect();
        let text = format!("new type enum {{{}}}", texts.join(", "));
        let strings =
            items.iter().any(|item| matches!(&item.kind, ast::ExprTreeKind::Name(name) if name.starts_with('"')));
        let (message, label) = match (&value.kind, strings) {
            (_, true) => ("Essence has no strings", "strings"),
            (ast::ExprTreeKind::Matrix(..), _) => ("the elements of this matrix are not declared", "new names"),
            _ => ("the members of this set are not declared", "new names"),
        };
        let mistake = Diagnostic::error(Code::UNKNOWN_NAME, message)
            .at(value.span, label)
            .help(format!("write `letting {} be {text}` for a type with these members", name.text));
        self.analysis.reports.add(Diagnostic { edits: vec![Edit { span: value.span, text }], ..mistake });
        // With the intended type, uses of its members cause no errors.
        if let Some(named) = self.declare_type(name, DeclarationKind::Enum(texts)) {
            self.analysis.declare_members(&named, &members);
        }
        true
    }

    fn declare(&mut self, name: &Identifier, kind: DeclarationKind, ty: Type) -> Option<DeclarationId> {
        let id = DeclarationId(self.analysis.model.declarations.len() as u32);
        if !self.analysis.declare_name(name, NameMeaning::Global(id)) {
            return None;
        }
        self.analysis.model.declare(Declaration { name: name.text.clone(), span: name.span, kind, ty });
        Some(id)
    }

    fn declare_type(&mut self, name: &Identifier, kind: DeclarationKind) -> Option<NamedType> {
        let named = NamedType {
            name: name.text.clone(),
            id: self.analysis.model.declarations.len() as u32,
            unnamed: matches!(kind, DeclarationKind::Unnamed(_)),
        };
        self.declare(name, kind, Type::Named(named.clone())).map(|_| named)
    }

    /// Records a statement that may occur only once; reports the second one.
    fn once(&mut self, which: usize, what: &str, span: Span) -> bool {
        let Some(first) = self.only_once[which] else {
            self.only_once[which] = Some(span);
            return true;
        };
        self.analysis.reports.add(
            Diagnostic::error(Code::REPEATED_STATEMENT, format!("a model has at most one {what}"))
                .at(span, "a second one")
                .at(first, "the first one"),
        );
        false
    }

    /// Checks that the statements about preferred solutions fit together.
    pub(super) fn check_preferences(&mut self) {
        let places = |which: usize| self.only_once[which];
        if let (Some(objective), Some(dominance)) = (places(OBJECTIVE), places(DOMINANCE)) {
            let (first, second) = (objective.min(dominance), objective.max(dominance));
            let mistake =
                Diagnostic::error(Code::DOMINANCE, "a model has an objective or a dominance relation, not both");
            self.analysis.reports.add(
                mistake.at(second, "the other one").at(first, "the first one").help("remove one of the two statements"),
            );
        }
        if let (Some(function), None) = (places(INCOMPARABILITY), places(DOMINANCE)) {
            let mistake = Diagnostic::error(Code::DOMINANCE, "an incomparability function needs a dominance relation");
            self.analysis.reports.add(
                mistake
                    .at(function, "an order for the search, but no relation")
                    .help("add `dominance relation …`, with `fromSolution(…)`, or remove this statement"),
            );
        }
    }

    /// Analyses a decision variable or a condition after `branching on`.
    fn branching(&mut self, item: &ast::ExprTree) -> Expr {
        let typed = self.analysis.expr(item);
        if !typed.is_wrong() && typed.category < Category::Decision {
            self.analysis.reports.add(
                Diagnostic::error(Code::WRONG_KIND_OF_NAME, "`branching on` takes decision variables")
                    .at(typed.span, "does not depend on a decision variable"),
            );
        } else if !matches!(item.kind, ast::ExprTreeKind::Name(_)) && typed.ty.join(&Type::Bool).is_none() {
            self.analysis.reports.add(
                Diagnostic::error(
                    Code::TYPE_MISMATCH,
                    format!(
                        "`branching on` takes decision variables and conditions, not {}",
                        described_type(&typed.ty)
                    ),
                )
                .at(typed.span, format!("this is `{}`", typed.ty)),
            );
        }
        typed
    }

    fn heuristic(&mut self, name: &Identifier, span: Span) {
        if !HEURISTICS.contains(&&*name.text) {
            let mistake = Diagnostic::error(Code::WRONG_KIND_OF_NAME, format!("there is no heuristic `{}`", name.text))
                .at(name.span, "unknown heuristic");
            self.analysis.reports.add(match nearest(&name.text, HEURISTICS) {
                Some(known) => mistake.help(format!("did you mean `{known}`?")),
                None => mistake.note(format!("the heuristics are {}", HEURISTICS.join(", "))),
            });
        } else if self.once(HEURISTIC, "`heuristic`", span) {
            self.analysis.model.heuristic = Some(name.text.clone());
        }
    }
}

impl Analysis<'_> {
    /// Declares the members of an enumerated type and returns their names. A member that occurs twice is reported and
    /// counts once.
    pub(super) fn declare_members(&mut self, named: &NamedType, members: &[Identifier]) -> Vec<Name> {
        let mut seen = FxHashSet::default();
        let mut names = Vec::with_capacity(members.len());
        self.names.known.reserve(members.len());
        for member in members {
            if seen.insert(&member.text) {
                names.push(member.text.clone());
            }
            self.declare_name(member, NameMeaning::Member(named.clone(), names.len() as i64));
        }
        names
    }

    /// Declares a global name; reports a name that is declared already and returns false.
    pub(super) fn declare_name(&mut self, name: &Identifier, meaning: NameMeaning) -> bool {
        let second = match &meaning {
            NameMeaning::Member(second, _) => Some(second.clone()),
            _ => None,
        };
        let Some(earlier) = self.names.declare(name.text.clone(), meaning, name.span) else { return true };
        let types = match (self.names.known.global(&name.text), second) {
            (Some((NameMeaning::Member(first, _), _)), Some(second)) => Some((first.clone(), second)),
            _ => None,
        };
        let twice = |message| {
            Diagnostic::error(Code::DUPLICATE_NAME, message)
                .at(name.span, "declared again")
                .at(earlier, "first declared here")
        };
        self.reports.add(match types {
            Some((first, second)) if first.id != second.id => {
                let other = parse::name_of(&format!("{}_{}", unquoted(&name.text), unquoted(&second.name)));
                twice(format!("`{}` is a member of both `{}` and `{}`", name.text, first.name, second.name))
                    .help(format!("give one of the two another name, such as `{other}`, wherever it occurs"))
                    .help(format!(
                        "if `{}` and `{}` mean the same things, use one type for both",
                        first.name, second.name
                    ))
                    .note("members are names of the whole model, so two types cannot share one")
            }
            _ => twice(format!("the name `{}` is declared twice", name.text)),
        });
        false
    }
}

impl Reports<'_> {
    /// Checks the header, `language Essence 1.3`. The version is ignored.
    pub(super) fn header(&mut self, header: &ast::Header) {
        let known = ["Essence", "Essence'"];
        if known.iter().any(|known| header.language.eq_ignore_ascii_case(known)) {
            return;
        }
        let mistake = Diagnostic::error(Code::SYNTAX, format!("there is no language `{}`", header.language))
            .at(header.span, "conjure-like reads Essence only");
        self.add(match nearest(&header.language, known) {
            Some(known) => mistake.help(format!("did you mean `{known}`?")),
            None => mistake.help("write `language Essence 1.3`, or leave the line out"),
        });
    }
}

impl TypedModel {
    /// Turns `minOccur(b, n)` for a decision variable into an attribute of its domain, and returns true if it did. As
    /// an attribute it requires `n` occurrences of every value of the domain; as a constraint on an expression, only of
    /// the values that occur. Other attributes mean the same in both places.
    fn becomes_minimum_occurrence(&mut self, constraint: &Expr) -> bool {
        let ExprKind::HasAttribute(operand, attribute) = &constraint.kind else { return false };
        let (ExprKind::Global(id), AttributeUse { row, number: Some(number) }) = (&operand.kind, &**attribute) else {
            return false;
        };
        let position = id.0 as usize;
        let is_minimum = matches!(row.meaning, attributes::Meaning::Bound(Measure::Occurrences, Limit::AtLeast));
        // The attribute is evaluated together with the domain, when names that are declared after the variable have no
        // values yet.
        if !is_minimum || number.category > Category::Parameter || !mentions_only_before(number, position) {
            return false;
        }
        match &mut self.declarations[position].kind {
            DeclarationKind::Find(ExprDomain::Collection(_, attributes, _)) => {
                let occurrences = attributes.bounds(Measure::Occurrences).clone();
                let free = occurrences.min.is_none();
                if free {
                    let occurrences = Size { min: Some(number.clone()), ..occurrences };
                    *attributes = std::mem::take(attributes).bounding(Measure::Occurrences, occurrences);
                }
                free
            }
            _ => false,
        }
    }
}

impl Analysis<'_> {
    /// Returns competing goals as a tuple whose items all have the direction `sense`.
    fn competing(&mut self, goals: &[ExprTree], sense: Sense, directions: &[Sense], span: Span) -> Expr {
        let mut items = Vec::with_capacity(goals.len());
        for (position, goal) in goals.iter().enumerate() {
            let mut item = self.expr(goal);
            if item.ty == Type::Bool {
                item = self.resolve(OperatorSymbol::function("toInt"), vec![item], goal.span);
            } else if !matches!(item.ty, Type::Any | Type::Int(_) | Type::Named(_)) {
                item = self.reports.expect(item, &Type::INT, "each goal in `pareto(…)`");
            }
            // All items of a tuple have the same direction, so a goal in the other direction is negated.
            if directions.get(position).is_some_and(|direction| *direction != sense) {
                item = self.resolve(symbols::NEGATE, vec![item], goal.span);
            }
            items.push(item);
        }
        let types = items.iter().map(|item| item.ty.clone()).collect();
        let category = highest(&items);
        Expr::new(ExprKind::Tuple(items), Type::Tuple(types), category, span)
    }
}

fn mentions_only_before(expr: &Expr, position: usize) -> bool {
    let mut before = !matches!(expr.kind, ExprKind::Global(id) if id.0 as usize >= position);
    expr.for_each_part(&mut |part| before = before && mentions_only_before(part, position));
    before
}

/// Returns true if an expression can be minimised: an integer, a member of a type, or a tuple or matrix literal of
/// these, whose first item is the most important one.
fn is_objective(value: &Expr) -> bool {
    fn is_ordered(ty: &Type) -> bool {
        match ty {
            Type::Any | Type::Int(_) | Type::Named(_) => true,
            Type::Tuple(items) => items.iter().all(is_ordered),
            _ => false,
        }
    }
    match (&value.kind, &value.ty) {
        (ExprKind::Matrix(..) | ExprKind::Constant(_), Type::Matrix(_) | Type::List(_)) => {
            value.ty.member().is_some_and(|element| is_ordered(&element))
        }
        (_, ty) => is_ordered(ty),
    }
}
