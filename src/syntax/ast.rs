//! The syntax tree: the text as written, with places, before any name is looked up.
//!
//! Two trees are equal if they differ in spans only; this is the meaning of "printing and parsing again gives the same
//! tree".

use crate::{
    language::{Collection, Name, Sense, Value, origin::ValueOrigin},
    operators::{OperatorSymbol, symbols},
    source::Span,
};
use std::sync::Arc;

/// A model, a parameter file or a solution. Comments do not matter for equality.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub header: Option<Header>,
    pub statements: Vec<Statement>,
    /// `$ …` and `/* … */`, in order, with their delimiters.
    pub comments: Vec<Comment>,
    /// The names that statements declare which could not be read.
    pub broken: Vec<Identifier>,
    /// The places of the constraints and declarations that could not be read.
    pub unread: Vec<Span>,
    /// The places of the constraints and declarations in which mistakes were mended: their meaning is a guess.
    pub mended: Vec<Span>,
    /// The mended places whose domain or type is a guess, too.
    pub guessed: Vec<Span>,
    /// The names of decision variables that are declared as parameters, because a solution gives them values.
    pub decided: Vec<Name>,
    /// The number of goals, the first ones, that are prices of wishes: no unit is about them.
    pub prices: usize,
    /// The opening brace of data that are an object in JSON.
    pub object: Option<Span>,
    /// The keys of that object that the model does not declare.
    pub undeclared: Vec<Identifier>,
    /// The keys of records in that object that are not fields.
    pub unneeded: Vec<Identifier>,
    /// Values whose matrices get their indices from their declarations, as JSON has no index domains.
    pub positional: Vec<(Name, Positional)>,
    /// For each type, the indices of matrices in an earlier plan that are not members of it today, in their order.
    pub strangers: Vec<(Name, Vec<Name>)>,
    /// Whether the statements were typed for this run, so that what nothing needs is a mistake.
    pub is_typed: bool,
    /// Values that were not written in Essence.
    pub known: Vec<KnownValue>,
    /// Earlier plans, from which the distance is a goal.
    pub earlier: Option<EarlierPlans>,
    /// The alternatives that all variants have, in a text of values whose model is not known.
    pub alternatives: Vec<Name>,
}

impl File {
    /// What several texts say together, in the order of the texts.
    pub(crate) fn joined(files: impl IntoIterator<Item = File>) -> File {
        let mut files = files.into_iter();
        let mut all = files.next().unwrap_or_default();
        for file in files {
            all.statements.extend(file.statements);
            all.comments.extend(file.comments);
            all.undeclared.extend(file.undeclared);
            all.unneeded.extend(file.unneeded);
            all.positional.extend(file.positional);
            all.known.extend(file.known);
            all.strangers.extend(file.strangers);
        }
        all
    }
}

/// Earlier plans, from which the distance of a solution is a goal.
#[derive(Clone, Debug)]
pub(crate) struct EarlierPlans {
    /// The values of decision variables in each plan.
    pub plans: Vec<Vec<(Name, Value)>>,
    /// `Minimise` for the goal after all others to be near to the plans, `Maximise` for the only goal to differ from
    /// each of them.
    pub sense: Sense,
    /// The largest distance to the first plan.
    pub most: Option<i64>,
}

/// The value of a parameter that was not written in Essence.
#[derive(Clone, Debug)]
pub(crate) struct KnownValue {
    pub name: Identifier,
    /// A value of the type that the model declares.
    pub value: Value,
    /// The places of its parts.
    pub origin: Arc<dyn ValueOrigin>,
}

/// The matrices of a value that get their indices from its declaration; for the others the value has the indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Positional {
    /// The matrices that are indexed by integers.
    pub integers: bool,
    /// All other matrices.
    pub names: bool,
}

impl Default for Positional {
    fn default() -> Self {
        Positional { integers: true, names: true }
    }
}

impl File {
    /// The header; a file without one is in Essence 1.3.
    pub(crate) fn effective_header(&self) -> Header {
        let default = || Header { language: "Essence".into(), version: vec![1, 3], span: Span::default() };
        self.header.clone().unwrap_or_else(default)
    }
}

impl PartialEq for File {
    fn eq(&self, other: &Self) -> bool {
        self.effective_header() == other.effective_header() && self.statements == other.statements
    }
}

/// `language Essence 1.3`.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// The language as written; `ESSENCE'` switches type checking off.
    pub language: Name,
    pub version: Vec<u64>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Comment {
    pub text: Name,
    /// Whether the comment is the first text on its line.
    pub own_line: bool,
    pub span: Span,
    /// What the comment is about, if it is about one part of the text.
    pub subject: CommentSubject,
}

/// What a comment is about by its place: alone on its line, the part below it, and otherwise the part before it on this
/// line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CommentSubject {
    #[default]
    Nothing,
    /// One of the constraints of `such that`.
    Constraint(Span),
    /// A declaration, an objective or another statement, or one of the expressions of `where`.
    Other(Span),
    /// The comment stands inside this constraint or statement.
    Inside(Span),
    /// Both begin on the line below the comment, end on the line of the comment, or belong to the `such that` below it.
    Several(Span, Span),
}

impl CommentSubject {
    /// The part of the text that the comment is about.
    pub(crate) fn span(self) -> Option<Span> {
        match self {
            CommentSubject::Constraint(span) | CommentSubject::Other(span) => Some(span),
            _ => None,
        }
    }
}

/// What stands before goals that compete: `minimising pareto(cost, delay)`.
pub(crate) const PARETO: &str = "pareto";

/// What stands for the value of an expression in another solution: `fromSolution(cost)`.
pub(crate) const FROM_SOLUTION: &str = "fromSolution";

/// What a relation says of a solution and another one, whose values are `fromSolution(…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DominanceForm {
    /// `dominance relation`: the solution dominates the other one.
    Dominates,
    /// `dominance_relation`: the other one does not dominate the solution.
    IsKept,
}

impl DominanceForm {
    /// The word or words that begin the statement.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            DominanceForm::Dominates => "dominance relation",
            DominanceForm::IsKept => "dominance_relation",
        }
    }
}

/// The word for an order, in which a smaller or a larger value comes first.
pub(crate) fn order_word(order: Sense) -> &'static str {
    match order {
        Sense::Minimise => "ascending",
        Sense::Maximise => "descending",
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Identifier {
    pub text: Name,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

/// A keyword with several declarations (`given a : int, b : bool`) becomes one statement for each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StatementKind {
    Given {
        names: Vec<Identifier>,
        domain: DomainTree,
    },
    /// `given E new type enum`
    GivenEnum {
        names: Vec<Identifier>,
    },
    Find {
        names: Vec<Identifier>,
        domain: DomainTree,
    },
    Letting {
        names: Vec<Identifier>,
        value: LettingValue,
    },
    SuchThat(Vec<ExprTree>),
    Where(Vec<ExprTree>),
    Objective {
        sense: Sense,
        value: ExprTree,
        /// The directions of the goals in `dominance relation pareto(minimising x, …)`, which come as a call of
        /// `pareto`; empty where the statement begins with a direction.
        directions: Vec<Sense>,
    },
    Dominance {
        form: DominanceForm,
        relation: ExprTree,
    },
    /// `incomparability_function ascending e`: no solution dominates one with a smaller value, nor one with the same.
    Incomparability {
        order: Sense,
        value: ExprTree,
    },
    BranchingOn(Vec<ExprTree>),
    Heuristic(Identifier),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LettingValue {
    Expr(ExprTree),
    /// `be domain D`
    Domain(DomainTree),
    /// `be new type enum {a, b}`
    Enum(Vec<Identifier>),
    /// `be new type of size n`
    Unnamed(ExprTree),
}

#[derive(Clone, Debug)]
pub(crate) struct ExprTree {
    pub kind: ExprTreeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExprTreeKind {
    Bool(bool),
    Int(i64),
    /// `3:A`
    TaggedInt(i64, Identifier),
    Name(Name),
    /// `_`, in a projection of a relation.
    Wildcard,
    /// An operator of the table in any notation: `a + b`, `-a`, `a!`, `|a|`, `allDiff(a)`.
    Apply(OperatorSymbol, Vec<ExprTree>),
    /// `m[i, .., a..b]`
    Index(Box<ExprTree>, Vec<WrittenIndex>),
    /// `f(x)` where `f` is any expression that is not an operator's word.
    Call(Box<ExprTree>, Vec<ExprTree>),
    /// An attribute as a constraint: `injective(f)`, `size(s, 3)`.
    Attribute(Identifier, Vec<ExprTree>),
    Tuple(Vec<ExprTree>),
    Record(Vec<(Identifier, ExprTree)>),
    Variant(Identifier, Box<ExprTree>),
    /// `[1, 2; int(0..1)]`
    Matrix(Vec<ExprTree>, Option<Box<DomainTree>>),
    /// Set, multiset, sequence or relation literals: their members as they stand.
    Collection(Collection, Vec<ExprTree>),
    /// The arguments of a function with their images.
    Pairs(Collection, Vec<(ExprTree, ExprTree)>),
    /// The members of each part of a partition, or the points of each cycle of a permutation.
    Grouped(Collection, Vec<Vec<ExprTree>>),
    Comprehension(Box<ExprTree>, Vec<QualifierTree>),
    Quantified(Box<Quantified>),
    /// A domain as an operand: `` `int(1..3)` ``.
    Domain(Box<DomainTree>),
    /// ``(e : `domain`)``
    Typed(Box<ExprTree>, Box<DomainTree>),
    /// `{ e @ statements }`
    Bubble(Box<ExprTree>, Vec<Statement>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WrittenIndex {
    At(ExprTree),
    /// `..`, `a..`, `..b`, `a..b`
    Slice(Option<ExprTree>, Option<ExprTree>),
}

/// `forAll a, b : D, guard . body`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantified {
    pub quantifier: Quantifier,
    pub patterns: Vec<PatternTree>,
    pub over: GeneratorSource,
    pub guard: Option<ExprTree>,
    pub body: ExprTree,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    ForAll,
    Exists,
    Sum,
    Product,
}

impl Quantifier {
    pub(crate) const ALL: [Quantifier; 4] =
        [Quantifier::ForAll, Quantifier::Exists, Quantifier::Sum, Quantifier::Product];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Quantifier::ForAll => "forAll",
            Quantifier::Exists => "exists",
            Quantifier::Sum => "sum",
            Quantifier::Product => "product",
        }
    }

    /// The operator that joins the instances of the body.
    pub(crate) fn aggregate(self) -> OperatorSymbol {
        match self {
            Quantifier::ForAll => symbols::ALL,
            Quantifier::Exists => symbols::ANY,
            Quantifier::Sum => symbols::SUM,
            Quantifier::Product => symbols::PRODUCT,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GeneratorSource {
    /// `: D`
    Domain(DomainTree),
    /// `in e`, in a comprehension `<- e`
    Members(ExprTree),
    /// `subsetEq e`
    Subsets(ExprTree),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum QualifierTree {
    Generator(Vec<PatternTree>, GeneratorSource),
    Condition(ExprTree),
    Letting(PatternTree, ExprTree),
}

#[derive(Clone, Debug)]
pub(crate) struct PatternTree {
    pub kind: PatternKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PatternKind {
    Name(Name),
    Wildcard,
    Parts(PatternForm, Vec<PatternTree>),
}

/// What a pattern with parts matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternForm {
    Tuple,
    Matrix,
    /// The members of a set, in braces.
    Members,
}

#[derive(Clone, Debug)]
pub(crate) struct DomainTree {
    pub kind: DomainKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DomainKind {
    Bool,
    /// `int`, `int(1..3, 7)`, `int:A(1..3)`, `int(e)` where `e` may turn out to be a collection.
    Int {
        tag: Option<Identifier>,
        ranges: Option<Vec<WrittenRange>>,
    },
    /// A domain letting, or an enumerated or unnamed type, the former possibly with ranges `E(a..b)`.
    Named(Identifier, Option<Vec<WrittenRange>>),
    Tuple(Vec<DomainTree>),
    /// A field without a domain has `None`.
    Record(Vec<(Identifier, Option<DomainTree>)>),
    Variant(Vec<(Identifier, Option<DomainTree>)>),
    /// `matrix indexed by [I, J] of D` has two indices.
    Matrix(Vec<DomainTree>, Box<DomainTree>),
    /// A collection, with the domains that its constructor is applied to.
    Collection(Collection, Vec<WrittenAttribute>, Vec<DomainTree>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WrittenRange {
    Single(ExprTree),
    /// `a..b`, `a..`, `..b`, `..`
    Interval(Option<ExprTree>, Option<ExprTree>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenAttribute {
    pub name: Identifier,
    pub value: Option<ExprTree>,
}

/// Expressions that are made, not read: they have no span.
impl ExprTree {
    pub(crate) fn made(kind: ExprTreeKind) -> ExprTree {
        ExprTree { kind, span: Span::default() }
    }
    pub(crate) fn equal(left: ExprTree, right: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::EQUAL, vec![left, right]))
    }
    pub(crate) fn at_most(left: ExprTree, right: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::AT_MOST, vec![left, right]))
    }
    pub(crate) fn minus(left: ExprTree, right: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::MINUS, vec![left, right]))
    }
    pub(crate) fn negative(number: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::NEGATE, vec![number]))
    }
    pub(crate) fn and(left: ExprTree, right: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::AND, vec![left, right]))
    }
    pub(crate) fn or(left: ExprTree, right: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::OR, vec![left, right]))
    }
    pub(crate) fn implies(left: ExprTree, right: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::IMPLIES, vec![left, right]))
    }
    pub(crate) fn is_in(member: ExprTree, collection: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::IN, vec![member, collection]))
    }
    pub(crate) fn is_subset(left: ExprTree, right: ExprTree) -> ExprTree {
        ExprTree::made(ExprTreeKind::Apply(symbols::SUBSET_EQ, vec![left, right]))
    }

    pub(crate) fn at(self, span: Span) -> ExprTree {
        ExprTree { span, ..self }
    }
}

impl ExprTree {
    /// The goals that compete, if this is `pareto(…)`.
    pub(crate) fn trade_offs(&self) -> Option<&[ExprTree]> {
        match &self.kind {
            ExprTreeKind::Call(name, goals) => {
                matches!(&name.kind, ExprTreeKind::Name(name) if **name == *PARETO).then_some(goals)
            }
            _ => None,
        }
    }

    /// The member and the collection of `x in s`.
    pub(crate) fn membership(&self) -> Option<(&ExprTree, &ExprTree)> {
        match &self.kind {
            ExprTreeKind::Apply(symbols::IN, operands) => operands.first().zip(operands.get(1)),
            _ => None,
        }
    }

    /// The two sides of `a -> b`, or the expression if it is another one.
    pub(crate) fn into_implication(mut self) -> Result<(ExprTree, ExprTree), ExprTree> {
        match &mut self.kind {
            ExprTreeKind::Apply(symbols::IMPLIES, sides) if sides.len() == 2 => {
                let conclusion = sides.remove(1);
                Ok((sides.remove(0), conclusion))
            }
            _ => Err(self),
        }
    }

    /// A literal in braces.
    pub(crate) fn set(members: Vec<ExprTree>) -> ExprTreeKind {
        ExprTreeKind::Collection(Collection::Set, members)
    }

    /// The members of a literal in braces.
    pub(crate) fn as_set(&self) -> Option<&Vec<ExprTree>> {
        if let ExprTreeKind::Collection(Collection::Set, members) = &self.kind { Some(members) } else { None }
    }

    /// The expressions that this one is made of, in the order of the text. Those within domains are not among them.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut ExprTree> {
        match &mut self.kind {
            ExprTreeKind::Bool(_)
            | ExprTreeKind::Int(_)
            | ExprTreeKind::TaggedInt(..)
            | ExprTreeKind::Name(_)
            | ExprTreeKind::Wildcard
            | ExprTreeKind::Domain(_) => Vec::new(),
            ExprTreeKind::Apply(_, items)
            | ExprTreeKind::Attribute(_, items)
            | ExprTreeKind::Tuple(items)
            | ExprTreeKind::Matrix(items, _)
            | ExprTreeKind::Collection(_, items) => items.iter_mut().collect(),
            ExprTreeKind::Call(callee, items) => std::iter::once(&mut **callee).chain(items).collect(),
            ExprTreeKind::Index(base, indices) => {
                let indices = indices.iter_mut().flat_map(|index| match index {
                    WrittenIndex::At(index) => vec![index],
                    WrittenIndex::Slice(low, high) => low.iter_mut().chain(high).collect(),
                });
                std::iter::once(&mut **base).chain(indices).collect()
            }
            ExprTreeKind::Record(fields) => fields.iter_mut().map(|(_, value)| value).collect(),
            ExprTreeKind::Variant(_, value) | ExprTreeKind::Typed(value, _) => vec![value],
            ExprTreeKind::Pairs(_, pairs) => pairs.iter_mut().flat_map(|(point, image)| [point, image]).collect(),
            ExprTreeKind::Grouped(_, groups) => groups.iter_mut().flatten().collect(),
            ExprTreeKind::Comprehension(body, qualifiers) => {
                let qualifiers = qualifiers.iter_mut().filter_map(|qualifier| match qualifier {
                    QualifierTree::Generator(_, over) => over.expression_mut(),
                    QualifierTree::Condition(condition) => Some(condition),
                    QualifierTree::Letting(_, value) => Some(value),
                });
                std::iter::once(&mut **body).chain(qualifiers).collect()
            }
            ExprTreeKind::Quantified(quantified) => {
                let Quantified { over, guard, body, .. } = &mut **quantified;
                over.expression_mut().into_iter().chain(guard).chain(std::iter::once(body)).collect()
            }
            ExprTreeKind::Bubble(value, _) => vec![value],
        }
    }
}

impl GeneratorSource {
    fn expression_mut(&mut self) -> Option<&mut ExprTree> {
        match self {
            GeneratorSource::Domain(_) => None,
            GeneratorSource::Members(collection) | GeneratorSource::Subsets(collection) => Some(collection),
        }
    }
}

macro_rules! equal_apart_from_spans {
    ($($node:ident: $($field:ident),*;)*) => {
        $(impl PartialEq for $node {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field)&&*
            }
        })*
    };
}

equal_apart_from_spans! {
    Header: language, version;
    Comment: text;
    Identifier: text;
    Statement: kind;
    ExprTree: kind;
    PatternTree: kind;
    DomainTree: kind;
}
