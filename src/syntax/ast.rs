//! The syntax tree: the text as written, with spans, before any name is resolved.
//!
//! Two trees are equal if they differ only in spans. In this sense, parsing the printed text of a tree gives the same
//! tree.

use crate::{
    language::{Collection, Name, Sense, Value, origin::ValueOrigin},
    operators::{OperatorSymbol, symbols},
    source::Span,
};
use std::sync::Arc;

/// A model, a parameter file or a solution. Comments are ignored by equality.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub header: Option<Header>,
    pub statements: Vec<Statement>,
    /// The comments, `$ …` and `/* … */`, in order and with their delimiters.
    pub comments: Vec<Comment>,
    /// The names whose declarations could not be read.
    pub broken: Vec<Identifier>,
    /// The spans of the constraints and declarations that could not be read.
    pub unread: Vec<Span>,
    /// The spans of the constraints and declarations in which mistakes were corrected, so their meaning is a guess.
    pub mended: Vec<Span>,
    /// The spans in `mended` whose domains or types are guesses, too.
    pub guessed: Vec<Span>,
    /// The names of decision variables that are declared as parameters because a solution has their values.
    pub decided: Vec<Name>,
    /// The number of leading goals that are prices of wishes; units do not apply to them.
    pub prices: usize,
    /// The opening brace of the JSON object with the data.
    pub object: Option<Span>,
    /// The keys of this object that the model does not declare.
    pub undeclared: Vec<Identifier>,
    /// The keys of records in this object that are not fields.
    pub unneeded: Vec<Identifier>,
    /// The values whose matrices get their indices from their declarations, because matrices in JSON have no index
    /// domains.
    pub positional: Vec<(Name, Positional)>,
    /// The indices of matrices in an earlier plan that are no longer members of their type, for each type, in their
    /// order.
    pub strangers: Vec<(Name, Vec<Name>)>,
    /// True if the statements come from the command line, so that an unused statement is a mistake.
    pub is_typed: bool,
    /// The values that were not written in Essence.
    pub known: Vec<KnownValue>,
    /// The earlier plans, if the distance to them is a goal.
    pub earlier: Option<EarlierPlans>,
    /// The alternatives of all variants, for a text with values but without its model.
    pub alternatives: Vec<Name>,
}

impl File {
    /// Joins the contents of several texts in their order.
    pub(crate) fn joined(files: impl IntoIterator<Item = File>) -> File {
        let mut files = files.into_iter();
        let mut all = files.next().unwrap_or_default();
        for file in files {
            // Only the lists that parameter files use are joined. The header and the marks of the first file stay.
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

/// Earlier plans; the distance of a solution to them is a goal.
#[derive(Clone, Debug)]
pub(crate) struct EarlierPlans {
    /// The values of decision variables in each plan.
    pub plans: Vec<Vec<(Name, Value)>>,
    /// `Minimise` adds a last goal: to stay near the plans. `Maximise` replaces all goals: to differ from each plan.
    pub sense: Sense,
    /// The largest allowed distance to the first plan.
    pub most: Option<i64>,
}

/// The value of a parameter that was not written in Essence.
#[derive(Clone, Debug)]
pub(crate) struct KnownValue {
    pub name: Identifier,
    /// A value of the type that the model declares.
    pub value: Value,
    /// The positions of its parts in their source.
    pub origin: Arc<dyn ValueOrigin>,
}

/// The matrices of a value that get their indices from its declaration; all other matrices have indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Positional {
    /// True for matrices that are indexed by integers.
    pub integers: bool,
    /// True for all other matrices.
    pub names: bool,
}

impl Default for Positional {
    fn default() -> Self {
        Positional { integers: true, names: true }
    }
}

impl File {
    /// Returns the header; without a header, a file is in Essence 1.3.
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
    /// True if the comment is the first text on its line.
    pub own_line: bool,
    pub span: Span,
    /// The part of the text that the comment is about.
    pub subject: CommentSubject,
    /// The line directly below this comment and the comments that follow it, if all of them are alone on their lines.
    pub line_below: Option<Span>,
}

/// The part of the text that a comment is about: the part below it if the comment is alone on its line, and otherwise
/// the part before it on the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CommentSubject {
    #[default]
    Nothing,
    /// A constraint of `such that`.
    Constraint(Span),
    /// A declaration, an objective, another statement, or an expression of `where`.
    Other(Span),
    /// The comment is inside this constraint or statement.
    Inside(Span),
    /// Two parts are equally likely: both start on the line below the comment, both end on its line, or both belong to
    /// the `such that` below it.
    Several(Span, Span),
}

impl CommentSubject {
    /// Returns the part of the text that the comment is about, if there is exactly one.
    pub(crate) fn span(self) -> Option<Span> {
        match self {
            CommentSubject::Constraint(span) | CommentSubject::Other(span) => Some(span),
            _ => None,
        }
    }
}

/// The word before competing goals: `minimising pareto(cost, delay)`.
pub(crate) const PARETO: &str = "pareto";

/// The word for the value of an expression in another solution: `fromSolution(cost)`.
pub(crate) const FROM_SOLUTION: &str = "fromSolution";

/// The meaning of a relation between a solution and another solution, whose values are `fromSolution(…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DominanceForm {
    /// `dominance relation`: the solution dominates the other solution.
    Dominates,
    /// `dominance_relation`: the other solution does not dominate the solution.
    IsKept,
}

impl DominanceForm {
    /// The keyword of the statement.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            DominanceForm::Dominates => "dominance relation",
            DominanceForm::IsKept => "dominance_relation",
        }
    }
}

/// Returns the keyword for an order in which smaller or larger values come first.
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

/// A statement. If a keyword has several declarations, as in `given a : int, b : bool`, each of them is a statement.
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
        /// The directions of the goals in `dominance relation pareto(minimising x, …)`; the value is a call of
        /// `pareto`. Empty if the statement starts with a direction.
        directions: Vec<Sense>,
    },
    Dominance {
        form: DominanceForm,
        relation: ExprTree,
    },
    /// `incomparability_function ascending e`: only solutions with a smaller value can dominate a solution.
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
    /// `f(x)`, where `f` is any expression except the word of an operator.
    Call(Box<ExprTree>, Vec<ExprTree>),
    /// An attribute used as a constraint: `injective(f)`, `size(s, 3)`.
    Attribute(Identifier, Vec<ExprTree>),
    Tuple(Vec<ExprTree>),
    Record(Vec<(Identifier, ExprTree)>),
    Variant(Identifier, Box<ExprTree>),
    /// `[1, 2; int(0..1)]`
    Matrix(Vec<ExprTree>, Option<Box<DomainTree>>),
    /// The members of a set, multiset, sequence or relation literal, as written.
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

    /// Returns the operator that combines the instances of the body.
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
    /// `in e`; in a comprehension, `<- e`
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

/// The values that match a pattern with parts.
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
    /// `int`, `int(1..3, 7)`, `int:A(1..3)`, or `int(e)`, where `e` may be a collection.
    Int {
        tag: Option<Identifier>,
        ranges: Option<Vec<WrittenRange>>,
    },
    /// The name of a domain or a type. Only an enumerated type may have ranges, `E(a..b)`.
    Named(Identifier, Option<Vec<WrittenRange>>),
    Tuple(Vec<DomainTree>),
    /// The fields of a record; `None` if the domain of a field is missing.
    Record(Vec<(Identifier, Option<DomainTree>)>),
    Variant(Vec<(Identifier, Option<DomainTree>)>),
    /// `matrix indexed by [I, J] of D` has two indices.
    Matrix(Vec<DomainTree>, Box<DomainTree>),
    /// A collection, with its attributes and the domains of its parts.
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

/// Constructors for expressions without a span.
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
    /// Returns the competing goals if the expression is `pareto(…)`.
    pub(crate) fn trade_offs(&self) -> Option<&[ExprTree]> {
        match &self.kind {
            ExprTreeKind::Call(name, goals) => {
                matches!(&name.kind, ExprTreeKind::Name(name) if **name == *PARETO).then_some(goals)
            }
            _ => None,
        }
    }

    /// Returns the member and the collection of `x in s`.
    pub(crate) fn membership(&self) -> Option<(&ExprTree, &ExprTree)> {
        match &self.kind {
            ExprTreeKind::Apply(symbols::IN, operands) => operands.first().zip(operands.get(1)),
            _ => None,
        }
    }

    /// Returns the two sides of `a -> b`, or the expression itself if it is not an implication.
    pub(crate) fn into_implication(mut self) -> Result<(ExprTree, ExprTree), ExprTree> {
        match &mut self.kind {
            ExprTreeKind::Apply(symbols::IMPLIES, sides) if sides.len() == 2 => {
                let conclusion = sides.remove(1);
                Ok((sides.remove(0), conclusion))
            }
            _ => Err(self),
        }
    }

    /// A set literal.
    pub(crate) fn set(members: Vec<ExprTree>) -> ExprTreeKind {
        ExprTreeKind::Collection(Collection::Set, members)
    }

    /// The members of a set literal.
    pub(crate) fn as_set(&self) -> Option<&Vec<ExprTree>> {
        if let ExprTreeKind::Collection(Collection::Set, members) = &self.kind { Some(members) } else { None }
    }

    /// Returns the direct subexpressions in the order of the text, without the expressions in domains.
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
