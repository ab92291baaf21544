//! Implied requirements: order, parity and sums of terms, and attributes, conjectured from solutions of the instances.
//!
//! A conjecture survives if it holds for all solutions that were found, if its negation has no solution on any
//! instance, and if the domains alone do not imply it on all of them. This proves nothing about other data.

use super::{
    Basis, EditProposal, ImprovementKind,
    check::ConjectureChecker,
    edits::{AttributeList, ModelEdit},
    view::ModelView,
};
use crate::{
    api::{Text, Workbench},
    language::MemberForm,
    syntax::ast::{DomainKind, DomainTree},
};

/// The number of solutions that each instance contributes. Chosen: they only select conjectures for the searches.
const SOLUTIONS: usize = 20;

/// The maximum number of terms that are compared with each other. Chosen: the number of pairs is quadratic.
const MOST_TERMS: usize = 12;

/// The maximum number of conjectures that are checked by searches. Chosen: each takes up to two searches for every
/// instance.
const MOST_CHECKED: usize = 30;

/// A requirement that may be implied.
struct Conjecture {
    text: String,
    /// The edit that adds the conjecture; `None` if it is added as a constraint.
    edit: Option<ModelEdit>,
    /// The positions of the stronger conjectures.
    stronger: Vec<usize>,
}

/// An integer that depends on decisions.
struct ImpliedTerm {
    text: String,
    /// The decision variable of the term.
    of: String,
    kind: TermKind,
}

#[derive(Clone, Copy, PartialEq)]
enum TermKind {
    /// The value of a variable or of one of its elements.
    Value,
    /// The sum of the elements.
    Total,
    /// The number of members.
    Size,
}

/// The terms and requirements that the declarations of a model suggest.
#[derive(Default)]
struct Suggested {
    terms: Vec<ImpliedTerm>,
    /// Integers that the data give.
    data: Vec<String>,
    /// Groups of requirements; in each, the strongest one comes first.
    groups: Vec<Vec<(String, Option<ModelEdit>)>>,
}

/// The implied requirements of a model.
pub(super) fn propose(view: &ModelView, checker: &ConjectureChecker) -> Vec<EditProposal> {
    let conjectures = conjectures(view);
    let held = held(view, checker, &conjectures);
    let mut proposals: Vec<EditProposal> = Vec::new();
    let mut proved: Vec<usize> = Vec::new();
    let mut checked = 0;
    for at in held {
        let conjecture = &conjectures[at];
        let is_weaker = conjecture.stronger.iter().any(|stronger| proved.contains(stronger));
        if is_weaker || checked == MOST_CHECKED || checker.is_over() {
            continue;
        }
        checked += 1;
        // An attribute may lead to another representation, so it can help even if the domains already imply the
        // property.
        let is_useful = conjecture.edit.is_some() || is_new(checker, &conjecture.text);
        if !is_useful || !is_proved(checker, &conjecture.text) {
            continue;
        }
        proved.push(at);
        let edit = conjecture.edit.clone().unwrap_or_else(|| ModelEdit::Require(conjecture.text.clone()));
        let instances = crate::diagnostic::counted(checker.instances.len(), "instance");
        proposals.push(EditProposal {
            kind: ImprovementKind::Implied,
            says: format!("all solutions satisfy `{}`", conjecture.text),
            because: match view.givens.is_empty() {
                true => "no solution breaks it".to_owned(),
                false => format!("no solution of {instances} breaks it; for other data it is a conjecture"),
            },
            basis: Basis::Checked,
            edits: vec![edit],
        });
    }
    proposals
}

/// True if, for some instance, the domains alone admit values that break the requirement.
fn is_new(checker: &ConjectureChecker, text: &str) -> bool {
    let Ok(declarations) = checker.model.declarations_alone() else { return false };
    let broken = format!("{}\nsuch that !({text})", declarations.text().text);
    checker.instances.iter().any(|data| checker.has_none(&broken, data) == Some(false))
}

/// True if no solution of any instance breaks the requirement.
fn is_proved(checker: &ConjectureChecker, text: &str) -> bool {
    let Ok(model) = checker.model.without_objective() else { return false };
    let broken = format!("{}\nsuch that !({text})", model.text().text);
    checker.instances.iter().all(|data| checker.has_none(&broken, data) == Some(true))
}

/// The conjectures that hold for all solutions that were found, stronger ones first.
fn held(view: &ModelView, checker: &ConjectureChecker, conjectures: &[Conjecture]) -> Vec<usize> {
    if conjectures.is_empty() {
        return Vec::new();
    }
    let list = conjectures.iter().map(|conjecture| format!("({})", conjecture.text)).collect::<Vec<_>>().join(", ");
    let expression = Text::new("", format!("[{list}]"));
    let mut holds = vec![true; conjectures.len()];
    let mut are_some = false;
    for data in checker.instances {
        for solution in checker.solutions(data, SOLUTIONS) {
            let bench = Workbench::new(Some(view.model.text()), data.clone(), Some(solution));
            let Ok(evaluated) = bench.evaluate(&expression) else { continue };
            let values = evaluated.essence.trim_start_matches('[').split([',', ';', ']']);
            are_some = true;
            for (holds, value) in holds.iter_mut().zip(values) {
                *holds &= value.trim() == "true";
            }
        }
    }
    (0..conjectures.len()).filter(|at| are_some && holds[*at]).collect()
}

/// The requirements that may be implied, stronger ones before weaker ones.
fn conjectures(view: &ModelView) -> Vec<Conjecture> {
    let mut suggested = Suggested::default();
    for (name, domain) in &view.variables {
        suggested.of_find(view, name, domain);
    }
    for (name, domain) in &view.givens {
        if view.interval(domain).is_some() || matches!(view.resolved(domain).kind, DomainKind::Int { .. }) {
            suggested.data.push((*name).to_owned());
        }
    }
    suggested.terms.truncate(MOST_TERMS);
    suggested.data.truncate(MOST_TERMS / 2);
    let mut all: Vec<Conjecture> = Vec::new();
    let typed = |text: &str, edit: &Option<ModelEdit>| {
        // Terms of other types cannot be compared.
        let bench = Workbench::new(Some(view.model.text()), Vec::new(), None);
        let is_written = view.items().any(|item| view.line(item.span) == text);
        (!is_written || edit.is_some()) && bench.type_of(&Text::new("", text)).is_ok_and(|ty| ty == "bool")
    };
    let mut add = |group: Vec<(String, Option<ModelEdit>)>| {
        let first = all.len();
        for (text, edit) in group {
            if typed(&text, &edit) {
                // The earlier texts of a group are stronger.
                let stronger = (first..all.len()).collect();
                all.push(Conjecture { text, edit, stronger });
            }
        }
    };
    let groups = std::mem::take(&mut suggested.groups);
    groups.into_iter().for_each(&mut add);
    for (at, ImpliedTerm { text: term, of, kind }) in suggested.terms.iter().enumerate() {
        // Comparing an element with the sum that contains it, or a size with a value, is hardly useful.
        let is_comparable = |other: &&ImpliedTerm| other.kind == *kind && (*kind == TermKind::Value || other.of != *of);
        let others = suggested.terms[at + 1..].iter().filter(is_comparable).map(|other| &other.text);
        for other in others.chain(&suggested.data) {
            let compared = |sign: &str| (format!("{term} {sign} {other}"), None);
            add(["=", "<", "<=", ">", ">="].map(compared).into());
        }
        if *kind == TermKind::Size || suggested.data.contains(term) {
            continue;
        }
        let parities = suggested.data.iter().map(|other| format!("{term} % 2 = {other} % 2"));
        let fixed = [0, 1].map(|rest| format!("{term} % 2 = {rest}"));
        add(fixed.into_iter().chain(parities).map(|text| (text, None)).collect());
    }
    all
}

impl Suggested {
    fn of_find(&mut self, view: &ModelView, name: &str, domain: &DomainTree) {
        match &view.resolved(domain).kind {
            DomainKind::Int { .. } => self.term(name, name.to_owned(), TermKind::Value),
            DomainKind::Matrix(indices, element) => self.of_matrix(view, name, indices, element),
            DomainKind::Collection(kind, _, inner) => self.of_collection(view, name, domain, kind.form(), inner),
            _ => {}
        }
    }

    fn term(&mut self, of: &str, text: String, kind: TermKind) {
        self.terms.push(ImpliedTerm { text, of: of.to_owned(), kind });
    }

    fn of_matrix(&mut self, view: &ModelView, name: &str, indices: &[DomainTree], element: &DomainTree) {
        let is_int = matches!(view.resolved(element).kind, DomainKind::Int { .. });
        let require = |text: String| (text, None);
        match indices {
            [index] => {
                let over = view.shown_domain(index);
                self.groups.push(vec![require(format!("allDiff({name})"))]);
                if let Some((low, high)) = view.interval(index) {
                    let (low, high) = (view.shown(low), view.shown(high));
                    let chain = |sign: &str| {
                        require(format!("forAll i : int({low}..{high} - 1) . {name}[i] {sign} {name}[i + 1]"))
                    };
                    self.groups.push(["=", "<", "<=", ">", ">="].map(chain).into());
                    if is_int {
                        self.term(name, format!("{name}[{low}]"), TermKind::Value);
                        self.term(name, format!("{name}[{high}]"), TermKind::Value);
                    }
                }
                match view.resolved(element).kind {
                    _ if is_int => self.term(name, format!("sum({name})"), TermKind::Total),
                    DomainKind::Bool => {
                        self.term(name, format!("(sum i : {over} . toInt({name}[i]))"), TermKind::Size);
                    }
                    _ => {}
                }
            }
            [row, column] => {
                let (rows, columns) = (view.shown_domain(row), view.shown_domain(column));
                let all = format!("allDiff(flatten({name}))");
                let lines = [format!("forAll i : {rows} . allDiff({name}[i, ..])")];
                self.groups.push(vec![require(all.clone()), require(lines[0].clone())]);
                self.groups.push(vec![require(all), require(format!("forAll i : {columns} . allDiff({name}[.., i])"))]);
                if is_int {
                    self.term(name, format!("sum(flatten({name}))"), TermKind::Total);
                    for data in view.givens.keys() {
                        self.groups.push(vec![require(format!("forAll i : {rows} . sum({name}[i, ..]) = {data}"))]);
                        self.groups.push(vec![require(format!("forAll i : {columns} . sum({name}[.., i]) = {data}"))]);
                    }
                }
            }
            _ => {}
        }
    }

    fn of_collection(
        &mut self,
        view: &ModelView,
        name: &str,
        domain: &DomainTree,
        form: MemberForm,
        inner: &[DomainTree],
    ) {
        let names: &[&[&'static str]] = match form {
            MemberForm::Pairs => &[&["bijective", "injective"], &["total"], &["surjective"]],
            MemberForm::Positions => &[&["bijective", "injective"], &["surjective"]],
            MemberForm::Blocks => &[&["regular"]],
            MemberForm::Tuples if inner.len() == 2 && view.are_same(&inner[0], &inner[1]) => {
                &[&["reflexive"], &["aSymmetric", "irreflexive"], &["symmetric"], &["antiSymmetric"], &["transitive"]]
            }
            _ => &[],
        };
        // If a declaration has several names, one domain serves all of them.
        let list = view.finds.get(name).and_then(|domain| AttributeList::of(view, domain));
        for group in names {
            let attribute = |name_of: &&'static str| {
                let edit = list.clone().map(|list| ModelEdit::Attribute { list, name: name_of, value: None });
                (!super::attribute_rules::has(domain, name_of)).then(|| (format!("{name_of}({name})"), edit))
            };
            self.groups.push(group.iter().filter_map(attribute).collect());
        }
        let is_int = |domain: &DomainTree| matches!(view.resolved(domain).kind, DomainKind::Int { .. });
        match form {
            MemberForm::Blocks => self.term(name, format!("|parts({name})|"), TermKind::Size),
            MemberForm::Pairs => {
                if !super::attribute_rules::has(domain, "total") {
                    self.term(name, format!("|{name}|"), TermKind::Size);
                }
                if inner.get(1).is_some_and(is_int) {
                    self.term(name, format!("sum([v | (_, v) <- {name}])"), TermKind::Total);
                }
            }
            MemberForm::Cycles => {}
            _ => self.term(name, format!("|{name}|"), TermKind::Size),
        }
    }
}
