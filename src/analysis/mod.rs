//! Names and types: from the syntax tree to the typed model.
//!
//! Statements are read in the order of the file, because names are declared before they are used. Expressions are
//! analysed bottom-up: the parts get their types first, then the rows of the operator are tried in order, and the first
//! one whose signature fits is taken. An empty literal has an open type ([`Type::Any`]), which is completed by the
//! types that it joins with. A wrong expression is reported once and gets the type [`Type::Any`], which fits
//! everything, so that it causes no further errors.
//!
//! [`names`] resolves names; [`expressions`], [`literals`] and [`comprehensions`] build typed expressions, [`domains`]
//! and [`attributes`] domains, [`statements`] the model; [`mod@parameters`] reads parameter files. [`mistakes`] words
//! the errors about operands, [`intentions`] finds the likely meaning, and [`guesses`] handles the consequences of
//! mending the text.
//!
//! You may add checks and messages. The later phases rely on the result: each name of a typed model is bound, and each
//! expression fits the signature of its operator.

mod app_comments;
mod attributes;
mod coerce;
mod comprehensions;
mod domains;
mod dominance;
mod earlier;
mod expressions;
mod extent;
mod guesses;
mod indexing;
mod intentions;
pub(crate) mod json;
mod literals;
mod meant_comments;
mod mistakes;
pub(crate) mod model;
mod names;
mod parameters;
pub(crate) mod pruning;
mod rule_words;
pub(crate) mod shapes;
mod statements;
mod symmetry;
#[cfg(test)]
mod tests;
pub(crate) mod units;
mod wishes;

use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    language::{Name, Type, Value, origin::ValueOrigin},
    memory,
    operators::{
        Operator,
        signature::{self, Signature},
    },
    source::{SourceId, Span},
    syntax::{KnownStatements, ast},
};
use dominance::OtherSolution;
use extent::Copies;
pub(crate) use literals::wrong_number_of_elements;
use model::{Category, DeclarationId, Expr, ExprKind, TypedModel};
use names::NameScope;
use rustc_hash::FxHashMap;
use statements::Statements;
use std::sync::Arc;
pub(crate) use symmetry::distinguishes_members;

/// The contents of parameter files, bound to the declarations of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    /// The values of `given`s in the order of the file; each may mention earlier parameters.
    pub values: Vec<(DeclarationId, Expr)>,
    /// The members of each `given E new type enum`.
    pub enums: Vec<(DeclarationId, Vec<Name>, Span)>,
    /// The members that the data list for each unnamed type, with the span of its name.
    pub unnamed: Vec<(DeclarationId, Vec<Name>, Span)>,
    /// The values with matrices that get their indices from the declarations.
    pub positional: FxHashMap<DeclarationId, ast::Positional>,
    /// The members that the data name although the types do not have them. Their positions follow the last member.
    pub strangers: FxHashMap<DeclarationId, Vec<Name>>,
    /// The origins of values from tables.
    pub origins: FxHashMap<DeclarationId, Arc<dyn ValueOrigin>>,
    /// The values of undeclared names; they are kept only if the model takes strangers.
    pub undeclared: Vec<(Name, Expr)>,
}

/// Returns the typed model of a file. Mistakes go to `diagnostics`; after an error, the model is incomplete and serves
/// only for further checks.
pub(crate) fn analyse_file(file: &ast::File, diagnostics: &mut Diagnostics) -> TypedModel {
    memory::with_deep_stack(|| {
        let before = diagnostics.len();
        let model = analysed(file, diagnostics);
        guesses::drop_consequences(file, diagnostics, before);
        model
    })
}

fn analysed(file: &ast::File, diagnostics: &mut Diagnostics) -> TypedModel {
    let decided = file.decided.iter().cloned().collect();
    let model = TypedModel { decided, prices: file.prices, ..TypedModel::default() };
    let mut analysis = Analysis::new(model, diagnostics);
    analysis.reports.mended.clone_from(&file.mended);
    // Declarations are collected first, to distinguish names that are declared further down from misspelt ones.
    analysis.names.declared_somewhere(file);
    analysis.names.declare_broken(file);
    analysis.alternatives.clone_from(&file.alternatives);
    if let Some(header) = &file.header {
        analysis.reports.header(header);
    }
    let mut statements = Statements::new(analysis);
    for statement in &file.statements {
        statements.statement(statement);
    }
    statements.check_preferences();
    let (rule_words, broken_words) = rule_words::rule_words(file, &mut statements.analysis);
    let mut model = TypedModel { rule_words, broken_words, ..statements.analysis.model };
    // Comments refer to declarations, so they are analysed after the statements.
    model.units = units::units(&file.comments, &model, diagnostics);
    model.wishes = wishes::wishes(&file.comments, diagnostics);
    model.optional = wishes::optional(&file.comments, diagnostics);
    model.clocks = app_comments::clocks(&file.comments);
    app_comments::check_app_comments(&file.comments, &model, diagnostics);
    model.mapping = wishes::mapping_comments(&file.comments, diagnostics);
    meant_comments::check_meant_comments(&file.comments, &model, diagnostics);
    // The distance to plans is the last goal, so the model's own objective must be known.
    if let Some(earlier) = &file.earlier {
        model.add_goal_of_plans(earlier);
        model.earlier = Some(earlier.clone());
    }
    model
}

/// Completes the help of syntax errors; `file` is the tree that the parser recovered.
pub(crate) fn complete_help_of_errors(
    source: SourceId,
    text: &str,
    file: &ast::File,
    known: Option<&mut KnownStatements>,
    syntax_errors: &mut [Diagnostic],
) {
    memory::with_deep_stack(|| guesses::complete_help(source, text, file, known, syntax_errors));
}

/// Returns the contents of the parameter files for a model. Mistakes go to `diagnostics`.
pub(crate) fn parameters_of_files(
    model: &TypedModel,
    files: &[ast::File],
    diagnostics: &mut Diagnostics,
) -> Parameters {
    memory::with_deep_stack(|| parameters::analyse_parameters(model, files, diagnostics))
}

/// The state of an analysis.
struct Analysis<'d> {
    model: TypedModel,
    names: NameScope,
    signatures: Signatures,
    reports: Reports<'d>,
    /// True in a parameter file, where literals must be valid by themselves.
    in_parameters: bool,
    /// True during a trial, whose results are discarded.
    on_trial: bool,
    /// The parameter whose value is analysed, with the span of its declaration.
    given: Option<(Name, Span)>,
    copies: Copies,
    /// See [`ast::File::alternatives`].
    alternatives: Vec<Name>,
    /// The types whose members are listed in the plan.
    listed: rustc_hash::FxHashSet<u32>,
    /// See [`Parameters::strangers`].
    strangers: FxHashMap<DeclarationId, Vec<Name>>,
    /// True if strangers may index matrices, as in JSON: their order in the data is the order of the indices.
    has_strange_indices: bool,
    /// The state inside a dominance relation; `None` elsewhere.
    dominance: Option<OtherSolution>,
    /// The syntax trees of `letting`s that depend on decision variables; `fromSolution` analyses them again.
    decision_lettings: FxHashMap<DeclarationId, ast::ExprTree>,
}

impl<'d> Analysis<'d> {
    fn new(model: TypedModel, diagnostics: &'d mut Diagnostics) -> Self {
        Analysis {
            model,
            names: NameScope::default(),
            signatures: Signatures::default(),
            reports: Reports { diagnostics, mended: Vec::new(), left_out: 0 },
            in_parameters: false,
            on_trial: false,
            given: None,
            copies: Copies::default(),
            alternatives: Vec::new(),
            listed: Default::default(),
            strangers: FxHashMap::default(),
            has_strange_indices: false,
            dominance: None,
            decision_lettings: FxHashMap::default(),
        }
    }
}

/// The diagnostics, and the spans in which none are reported.
struct Reports<'d> {
    diagnostics: &'d mut Diagnostics,
    /// The spans of mended syntax errors. Type errors there may be caused by the mending.
    mended: Vec<Span>,
    /// The number of mistakes that were not reported because they are in mended text.
    left_out: usize,
}

impl Reports<'_> {
    /// The number of mistakes so far, including those that were not reported.
    fn mistakes(&self) -> usize {
        self.diagnostics.len() + self.left_out
    }

    /// Reports a mistake, unless it is in mended text.
    fn add(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.span().unwrap_or_default();
        // An unknown name is an error in any corrected version of the text.
        if diagnostic.code == Code::UNKNOWN_NAME || !self.mended.iter().any(|mended| mended.contains(span)) {
            self.diagnostics.push(diagnostic);
        } else {
            self.left_out += 1;
        }
    }

    /// Returns the expression with its open type completed to `ty`, or reports that `what` must have that type.
    fn expect(&mut self, mut expr: Expr, ty: &Type, what: &str) -> Expr {
        match expr.ty.join(ty) {
            Some(joined) => {
                coerce::coerce(&mut expr, &joined);
                expr
            }
            None => {
                let mut mistake =
                    Diagnostic::error(Code::TYPE_MISMATCH, format!("{what} must be `{ty}`, not `{}`", expr.ty))
                        .at(expr.span, format!("this is `{}`", expr.ty));
                if *ty == Type::INT && expr.ty == Type::Bool {
                    mistake = mistake.help("write `toInt(…)` to count true as 1 and false as 0");
                }
                self.add(mistake);
                Expr::wrong(expr.span)
            }
        }
    }
}

/// The parsed signatures of operators, by their text.
#[derive(Default)]
struct Signatures(FxHashMap<&'static str, Arc<Signature>>);

impl Signatures {
    /// Returns the signature of a row, which is parsed at the first use.
    fn of(&mut self, row: &'static Operator) -> Arc<Signature> {
        let read = || match signature::parse_signature(row.signature) {
            Some(signature) => Arc::new(signature),
            None => unreachable!("a test reads all signatures, and {row:?} is none"),
        };
        self.0.entry(row.signature).or_insert_with(read).clone()
    }
}

impl Expr {
    fn new(kind: ExprKind, ty: Type, category: Category, span: Span) -> Self {
        Expr { kind, ty, category, span }
    }

    fn constant(value: Value, ty: Type, span: Span) -> Self {
        Expr::new(ExprKind::Constant(value), ty, Category::Constant, span)
    }

    /// Returns a placeholder for an expression whose error has been reported.
    fn wrong(span: Span) -> Self {
        Expr::new(ExprKind::Wrong, Type::Any, Category::Constant, span)
    }

    /// Returns true if the type is unknown because an error has been reported.
    fn is_wrong(&self) -> bool {
        self.ty == Type::Any
    }
}

/// Returns the highest category of several expressions.
fn highest<'a>(exprs: impl IntoIterator<Item = &'a Expr>) -> Category {
    exprs.into_iter().map(|expr| expr.category).max().unwrap_or(Category::Constant)
}
