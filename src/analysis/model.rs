//! The typed model: every name is bound to its declaration, every operator to one row, and every expression has a type.
//! Quantifiers are comprehensions under `and`, `or`, `sum` or `product`.

use crate::syntax::ast::EarlierPlans;
pub(crate) use crate::syntax::ast::{DominanceForm, PatternForm};
use crate::{
    diagnostic::Diagnostics,
    language::{
        self, Collection, Name, NamedType, Sense, Type, Value,
        attributes::{self, Attributes},
        quotation::{quoted, unquoted},
        unit::Unit,
    },
    operators::Operator,
    source::Span,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// An index into [`TypedModel::declarations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct DeclarationId(pub u32);

/// A name bound by a pattern. Ids are unique in a model and dense, so that environments are vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LocalId(pub u32);

#[derive(Clone, Debug, Default)]
pub(crate) struct TypedModel {
    /// The decision variables that are parameters here, because a solution gives their values, and the unnamed types
    /// that are enumerated ones.
    pub decided: FxHashSet<Name>,
    /// See [`ast::File::prices`](crate::syntax::ast::File::prices).
    pub prices: usize,
    /// The declarations in the order of the file; each mentions only earlier ones.
    pub declarations: Vec<Declaration>,
    /// The first declaration of each name.
    pub ids: FxHashMap<Name, DeclarationId>,
    pub wheres: Vec<Expr>,
    /// The expressions of `such that`; lists of Booleans are wrapped in `and`.
    pub constraints: Vec<Expr>,
    pub objective: Option<ObjectiveExpr>,
    pub dominance: Option<DominanceExpr>,
    pub incomparability: Option<IncomparabilityExpr>,
    pub branching: Vec<Expr>,
    pub heuristic: Option<Name>,
    /// The origin of each local name, indexed by [`LocalId`].
    pub locals: Vec<LocalOrigin>,
    /// The names and types of the local variables.
    pub local_names: Vec<Local>,
    /// True if an expression has local decision variables (`{ e @ find x : D }`).
    pub has_local_finds: bool,
    /// The units that comments declare.
    pub units: Vec<UnitDirective>,
    /// The earlier plans; the distance to them is a goal.
    pub earlier: Option<EarlierPlans>,
    /// True if data may name members that the types do not have, as earlier plans do.
    pub takes_strangers: bool,
    /// The wishes, in the order of the text.
    pub wishes: Vec<WishDirective>,
    /// The constraints that users may switch off in the app of the model (`$ app: optional`).
    pub optional: Vec<Span>,
    /// The decision variables of a reference model as expressions (`$ map: name = expression`).
    pub mapping: Vec<(String, String)>,
    /// The words for constraints and conditions, in the order of the text.
    pub rule_words: Vec<RuleWords>,
    /// The warnings about comments `$ why: …`.
    pub broken_words: Diagnostics,
    /// The parameters and decision variables that are minutes after midnight (`$ app: clock opens`).
    pub clocks: Vec<Name>,
}

/// The words for a constraint or a condition in explanations.
#[derive(Clone, Debug)]
pub(crate) struct RuleWords {
    pub rule: Span,
    /// The comment above the rule; may be empty.
    pub comment: String,
    /// The templates (`$ why: {a} and {b} cannot share {room}`), one for each language.
    pub templates: Vec<Template>,
}

#[derive(Clone, Debug)]
pub(crate) struct Template {
    /// The language of the readers, such as `de`; empty for all other readers.
    pub language: Name,
    pub parts: Vec<TemplatePart>,
}

#[derive(Clone, Debug)]
pub(crate) enum TemplatePart {
    Text(String),
    /// An expression that is replaced by its value.
    Value(Expr),
}

/// A comment with the price of breaking a constraint: `$ wish 3, level 2: Mia off on Friday`.
#[derive(Clone, Debug)]
pub(crate) struct WishDirective {
    pub price: u32,
    pub level: u32,
    /// The text after the price; may be empty.
    pub name: Name,
    pub constraint: Span,
}

/// A comment that declares the size of one step of an integer: `$ unit price: 0.01`.
#[derive(Clone, Debug)]
pub(crate) struct UnitDirective {
    /// The declared name; the word `objective` stands for the objective.
    pub name: Name,
    /// The path of fields and components to the part of the values that has the unit. If it is empty, the whole value
    /// has the unit, except arguments and indices.
    pub path: Vec<Name>,
    pub unit: Unit,
}

impl TypedModel {
    /// The objective, if its goals compete (`pareto(…)`), so that there may be several best solutions.
    pub(crate) fn competing_goals(&self) -> Option<&ObjectiveExpr> {
        self.objective.as_ref().filter(|objective| objective.is_trade_off)
    }

    /// The expressions that decide which solutions are wanted.
    pub(crate) fn preferences(&self) -> impl Iterator<Item = &Expr> {
        let objective = self.objective.iter().map(|objective| &objective.value);
        let dominance = self.dominance.iter().map(|dominance| &dominance.relation);
        objective.chain(dominance).chain(self.incomparability.iter().map(|order| &order.value))
    }

    pub(crate) fn declaration(&self, id: DeclarationId) -> &Declaration {
        &self.declarations[id.0 as usize]
    }

    /// The declarations with their ids.
    pub(crate) fn declared(&self) -> impl Iterator<Item = (DeclarationId, &Declaration)> {
        (0..).map(DeclarationId).zip(&self.declarations)
    }

    /// The declaration of a name.
    pub(crate) fn id_of(&self, name: &str) -> Option<DeclarationId> {
        self.ids.get(name).copied()
    }

    /// Returns true if a type is unnamed, even if a list of its members has replaced its declaration.
    pub(crate) fn is_unnamed(&self, named: &NamedType) -> bool {
        named.unnamed || self.decided.contains(&named.name)
    }

    pub(crate) fn declare(&mut self, declaration: Declaration) {
        let id = DeclarationId(self.declarations.len() as u32);
        // Declaring a name twice is an error, and the name keeps its first meaning.
        self.ids.entry(declaration.name.clone()).or_insert(id);
        self.declarations.push(declaration);
    }

    /// Returns a name for a member of an unnamed type, in quotation marks if the plain name is taken.
    pub(crate) fn free_name(&self, name: Name) -> Name {
        let is_member = |declaration: &Declaration| match &declaration.kind {
            DeclarationKind::Enum(members) => members.contains(&name),
            _ => false,
        };
        let is_taken = self.ids.contains_key(&name) || self.declarations.iter().any(is_member);
        if is_taken { quoted(&unquoted(&name)).into() } else { name }
    }

    /// The unit of the whole values of a name.
    pub(crate) fn unit(&self, name: &str) -> Option<Unit> {
        self.units.iter().find(|unit| *unit.name == *name && unit.path.is_empty()).map(|unit| unit.unit)
    }
}

/// A name that a pattern binds.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub name: Name,
    pub span: Span,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub name: Name,
    pub span: Span,
    pub kind: DeclarationKind,
    /// The type; of a domain, the type of its members.
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub(crate) enum DeclarationKind {
    Given(ExprDomain),
    Find(ExprDomain),
    Letting(Expr),
    LettingDomain(ExprDomain),
    /// An enumerated type with the names of its members.
    Enum(Vec<Name>),
    /// `given E new type enum`
    GivenEnum,
    /// An unnamed type, with its size.
    Unnamed(Expr),
}

#[derive(Clone, Debug)]
pub(crate) struct ObjectiveExpr {
    pub sense: Sense,
    pub value: Expr,
    /// True if the items of the value compete (`pareto(…)`), so that all undominated combinations are wanted.
    pub is_trade_off: bool,
    /// For each item, true if its sign differs from the goal that the model states, because the goal has another
    /// direction than the first one. Empty if all goals have the same direction.
    pub negated: Vec<bool>,
}

impl ObjectiveExpr {
    /// Returns an objective without competing goals.
    pub(crate) fn new(sense: Sense, value: Expr) -> Self {
        ObjectiveExpr { sense, value, is_trade_off: false, negated: Vec::new() }
    }

    /// Returns a value of the objective with the signs of the goals that the model states.
    pub(crate) fn as_stated(&self, value: &Value) -> Value {
        match value {
            Value::Tuple(items) if self.negated.contains(&true) => {
                let signs = self.negated.iter().copied().chain(std::iter::repeat(false));
                let items = items.iter().zip(signs).map(|(item, negated)| match item {
                    Value::Int(number) if negated => Value::Int(-number),
                    item => item.clone(),
                });
                Value::tuple(items.collect::<Vec<_>>())
            }
            value => value.clone(),
        }
    }
}

/// A relation between solutions: a solution is wanted if no other solution dominates it.
#[derive(Clone, Debug)]
pub(crate) struct DominanceExpr {
    pub form: DominanceForm,
    /// Decision variables stand for values in one solution, local names for values in the other one.
    pub relation: Expr,
    /// The local name for each decision variable whose value in the other solution occurs.
    pub others: Vec<(DeclarationId, LocalId)>,
}

/// An expression whose value is strictly earlier in a dominating solution. So solutions with equal values are
/// incomparable.
#[derive(Clone, Debug)]
pub(crate) struct IncomparabilityExpr {
    /// `Minimise` if smaller values come first.
    pub order: Sense,
    pub value: Expr,
}

/// The category of an expression, which says what the expression depends on. Categories are ordered; an expression has
/// the highest category of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Category {
    /// Depends on literals only.
    Constant,
    /// Depends on parameters.
    Parameter,
    /// Depends on names that range over constants or parameters.
    Quantified,
    /// Depends on decision variables, or on names that range over the members of one.
    Decision,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub category: Category,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Constant(Value),
    /// An expression whose error has been reported; it has no value.
    Wrong,
    Global(DeclarationId),
    Local(LocalId),
    Apply(&'static Operator, Vec<Expr>),
    /// A tuple, or a record with its fields sorted by name.
    Tuple(Vec<Expr>),
    /// `t[1]` (0-based here) or `r[field]`.
    Component(Box<Expr>, u32),
    /// An alternative of a variant type, by its 0-based position.
    Variant(u32, Box<Expr>),
    /// `v[field]`, undefined if another alternative is active.
    Alternative(Box<Expr>, u32),
    /// `active(v, field)`
    Active(Box<Expr>, u32),
    /// A matrix literal; without an index domain it is indexed from 1.
    Matrix(Vec<Expr>, Option<Box<ExprDomain>>),
    /// `m[i, .., a..b]` with at least one slice; plain indexing is an operator.
    Slice(Box<Expr>, Vec<Index>),
    /// `R(a, _)`: the columns with `None` are kept.
    Projection(Box<Expr>, Vec<Option<Expr>>),
    /// A literal of a collection. The members of a function or permutation are pairs (a point and its image); the
    /// members of a partition are sets.
    Collection(Collection, Vec<Expr>),
    /// A list.
    Comprehension(Box<Comprehension>),
    /// A domain as an operand.
    Domain(Box<ExprDomain>),
    /// `transform([g, …], x)`: applies the permutations to each occurrence of their type inside `x`.
    Transform(Box<Expr>, Box<Expr>),
    /// An attribute used as a constraint.
    HasAttribute(Box<Expr>, Box<AttributeUse>),
    /// `dontCare(e)`: `e` has the first value of its domain.
    DoesNotCare(Box<Expr>),
    /// `{ e @ find … such that … }`
    Bubble(Box<Bubble>),
}

#[derive(Clone, Debug)]
pub(crate) enum Index {
    At(Expr),
    Slice(Option<Expr>, Option<Expr>),
}

/// An attribute used as a constraint, and its number if it takes one.
#[derive(Clone, Debug)]
pub(crate) struct AttributeUse {
    pub row: &'static attributes::Attribute,
    pub number: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(crate) struct Comprehension {
    pub body: Expr,
    pub qualifiers: Vec<Qualifier>,
    /// The conditions and narrowings that cut its bindings early.
    pub(super) pruning: Option<Arc<Pruning>>,
    /// The stronger pruning that is valid as an operand of the operator with this absorbing element, if there is one.
    pub(super) pruning_under: Option<(bool, Arc<Pruning>)>,
}

/// Conditions and narrowings that cut the bindings of a comprehension before all its names are bound.
#[derive(Clone, Debug)]
pub(crate) struct Pruning {
    /// For each position before, between and after the qualifiers, the conditions that can already be checked there.
    pub checks: Vec<Vec<Expr>>,
    /// For each qualifier, a narrowing of the integers that its name ranges over.
    pub narrowings: Vec<Option<Narrowing>>,
    /// For each qualifier: the bounds of this name.
    pub bounds: Vec<Vec<GeneratorBound>>,
}

/// A comparison of a name with a sum of names before it.
#[derive(Clone, Debug)]
pub(crate) struct GeneratorBound {
    pub is_upper: bool,
    pub is_strict: bool,
    pub others: Vec<SignedSummand>,
}

/// A condition that leaves few values for a name.
#[derive(Clone, Debug)]
pub(crate) enum Narrowing {
    /// A sum whose only name of the comprehension is this name equals a sum of earlier names.
    Equation { own: Vec<SignedSummand>, others: Vec<SignedSummand> },
    /// A tuple with the name at one position is a member of a collection that depends on no name of the comprehension.
    Row { items: Vec<Expr>, at: usize, collection: Expr },
    /// The name is a member of this collection.
    Member(Expr),
}

#[derive(Clone, Debug)]
pub(crate) struct SignedSummand {
    pub value: Expr,
    pub is_negative: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Qualifier {
    /// A generator with one pattern; `i, j : D` becomes two generators.
    Generator(Pattern, GeneratorRange),
    Condition(Expr),
    Letting(Pattern, Expr),
}

#[derive(Clone, Debug)]
pub(crate) enum GeneratorRange {
    Domain(ExprDomain),
    Members(Expr),
    /// The subsets of a set.
    Subsets(Expr),
}

#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Name(LocalId),
    Wildcard,
    Parts(PatternForm, Vec<Pattern>),
}

/// The origin of a local name, which determines its domain.
#[derive(Clone, Debug)]
pub(crate) enum LocalOrigin {
    /// A value of this domain.
    Domain(Arc<ExprDomain>),
    /// The value of this expression.
    Value(Arc<Expr>),
    /// A value of a generator over this collection.
    Member(Arc<Expr>),
    /// A subset of this set.
    Subset(Arc<Expr>),
    /// A component (0-based) of a tuple.
    Component(Arc<LocalOrigin>, usize),
    /// A member of a set, or an element of a matrix.
    Inner(Arc<LocalOrigin>),
}

impl Pattern {
    /// The first name that the pattern binds; it identifies the pattern.
    pub(crate) fn first_name(&self) -> Option<LocalId> {
        match self {
            Pattern::Name(local) => Some(*local),
            Pattern::Wildcard => None,
            Pattern::Parts(_, parts) => parts.iter().find_map(Pattern::first_name),
        }
    }

    /// Visits the names that the pattern binds.
    pub(crate) fn names(&self, visit: &mut impl FnMut(LocalId)) {
        match self {
            Pattern::Name(local) => visit(*local),
            Pattern::Wildcard => {}
            Pattern::Parts(_, parts) => parts.iter().for_each(|part| part.names(visit)),
        }
    }
}

/// Local decision variables with the constraints on them, which belong to one expression; or conditions without which
/// the expression is undefined.
#[derive(Clone, Debug)]
pub(crate) struct Bubble {
    pub value: Expr,
    pub locals: Vec<(LocalId, ExprDomain)>,
    pub constraints: Vec<Expr>,
}

/// A domain whose bounds and attributes are expressions.
pub(crate) type ExprDomain = language::Domain<Ints, Expr>;

/// The contents of `int(…)`.
#[derive(Clone, Debug)]
pub(crate) enum Ints {
    /// `int(1..3, 7)`; without ranges, all integers.
    Ranges(Vec<Range>),
    /// `int(S)` for a collection `S` of integers.
    Members(Expr),
    /// An enumerated or unnamed type, possibly restricted to ranges.
    Named(DeclarationId, Vec<Range>),
}

#[derive(Clone, Debug)]
pub(crate) enum Range {
    Single(Expr),
    Interval(Option<Expr>, Option<Expr>),
}

impl Comprehension {
    /// Returns the comprehension without pruning.
    pub(crate) fn plain(body: Expr, qualifiers: Vec<Qualifier>) -> Self {
        Comprehension { body, qualifiers, pruning: None, pruning_under: None }
    }

    /// The pruning, if the comprehension is an operand of an operator with this absorbing element.
    pub(crate) fn pruning(&self, absorbing: Option<bool>) -> Option<&Arc<Pruning>> {
        let under = self.pruning_under.as_ref().filter(|(under, _)| Some(*under) == absorbing);
        under.map(|(_, pruning)| pruning).or(self.pruning.as_ref())
    }

    /// Calls `visit` for each direct part, including the expressions in domains.
    pub(crate) fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.qualifiers.iter().for_each(|qualifier| qualifier.for_each_part(visit));
        visit(&self.body);
    }
}

impl Qualifier {
    /// Calls `visit` for each direct part, including the expressions in domains.
    pub(crate) fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Qualifier::Generator(_, GeneratorRange::Domain(domain)) => expressions_in_domain(domain, visit),
            Qualifier::Generator(_, GeneratorRange::Members(value) | GeneratorRange::Subsets(value))
            | Qualifier::Condition(value)
            | Qualifier::Letting(_, value) => visit(value),
        }
    }
}

/// A search in expressions and in the values of the `letting`s that they name. Each `letting` is searched once, however
/// often it is named.
pub(crate) struct ExprSearch<'m> {
    model: &'m TypedModel,
    searched: Vec<bool>,
}

impl<'m> ExprSearch<'m> {
    pub(crate) fn new(model: &'m TypedModel) -> Self {
        ExprSearch { model, searched: vec![false; model.declarations.len()] }
    }

    /// Returns the first part with a property, from the outside in. A `letting` that was searched before is skipped.
    pub(crate) fn first<'a>(&mut self, expr: &'a Expr, is_wanted: &mut dyn FnMut(&Expr) -> bool) -> Option<&'a Expr>
    where
        'm: 'a,
    {
        if is_wanted(expr) {
            return Some(expr);
        }
        if let ExprKind::Global(DeclarationId(id)) = expr.kind
            && let DeclarationKind::Letting(value) = &self.model.declarations[id as usize].kind
            && !std::mem::replace(&mut self.searched[id as usize], true)
        {
            return self.first(value, is_wanted);
        }
        let mut found = None;
        expr.for_each_part(&mut |part| {
            if found.is_none() {
                found = self.first(part, is_wanted);
            }
        });
        found
    }
}

impl TypedModel {
    /// Returns true if an expression, or a `letting` that it names, has a part with a property.
    pub(crate) fn has_part(&self, expr: &Expr, is_wanted: &mut dyn FnMut(&Expr) -> bool) -> bool {
        ExprSearch::new(self).first(expr, is_wanted).is_some()
    }

    /// Returns true if an expression, or a `letting` that it names, has local decision variables.
    pub(crate) fn has_local_finds_in(&self, expr: &Expr) -> bool {
        let has_locals = |part: &Expr| matches!(&part.kind, ExprKind::Bubble(bubble) if !bubble.locals.is_empty());
        self.has_local_finds && self.has_part(expr, &mut { has_locals })
    }
}

impl Expr {
    /// Returns true if the expression is this name.
    pub(crate) fn is_local(&self, name: LocalId) -> bool {
        matches!(self.kind, ExprKind::Local(local) if local == name)
    }

    /// Calls `visit` for each direct part, including the expressions in domains.
    pub(crate) fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Constant(_) | ExprKind::Wrong | ExprKind::Global(_) | ExprKind::Local(_) => {}
            ExprKind::Apply(_, parts) | ExprKind::Tuple(parts) | ExprKind::Collection(_, parts) => {
                parts.iter().for_each(visit);
            }
            ExprKind::Component(part, _)
            | ExprKind::Variant(_, part)
            | ExprKind::Alternative(part, _)
            | ExprKind::Active(part, _)
            | ExprKind::DoesNotCare(part) => visit(part),
            ExprKind::Matrix(elements, index) => {
                elements.iter().for_each(&mut *visit);
                if let Some(index) = index {
                    expressions_in_domain(index, visit);
                }
            }
            ExprKind::Slice(matrix, indices) => {
                visit(matrix);
                for index in indices {
                    match index {
                        Index::At(index) => visit(index),
                        Index::Slice(low, high) => low.iter().chain(high).for_each(&mut *visit),
                    }
                }
            }
            ExprKind::Projection(relation, columns) => {
                visit(relation);
                columns.iter().flatten().for_each(visit);
            }
            ExprKind::Comprehension(comprehension) => comprehension.for_each_part(visit),
            ExprKind::Domain(domain) => expressions_in_domain(domain, visit),
            ExprKind::Transform(first, second) => {
                visit(first);
                visit(second);
            }
            ExprKind::HasAttribute(operand, attribute) => {
                visit(operand);
                attribute.number.iter().for_each(visit);
            }
            ExprKind::Bubble(bubble) => {
                bubble.locals.iter().for_each(|(_, domain)| expressions_in_domain(domain, visit));
                bubble.constraints.iter().for_each(&mut *visit);
                visit(&bubble.value);
            }
        }
    }
}

/// Calls `visit` for each bound and attribute of a domain.
pub(crate) fn expressions_in_domain<'a>(domain: &'a ExprDomain, visit: &mut dyn FnMut(&'a Expr)) {
    for (_, size) in domain.attributes().map_or(&[][..], Attributes::measures) {
        size.min.iter().chain(&size.max).for_each(&mut *visit);
    }
    match domain {
        ExprDomain::Int(Ints::Members(members)) => visit(members),
        ExprDomain::Int(Ints::Ranges(ranges) | Ints::Named(_, ranges)) => {
            for range in ranges {
                match range {
                    Range::Single(value) => visit(value),
                    Range::Interval(low, high) => low.iter().chain(high).for_each(&mut *visit),
                }
            }
        }
        _ => domain.for_each_part(&mut |part| expressions_in_domain(part, visit)),
    }
}
