//! The coverage of a run: operators on decisions, domains within each other, representations, forms of expressions, and
//! words. Rare features are listed first, and missing ones with 0.

use super::{check, generator::Generated};
use conjure_like::{
    analysis::model::{
        Category, DeclarationKind, Expr, ExprKind, GeneratorRange, Pattern, PatternForm, Qualifier, TypedModel,
        expressions_in_domain,
    },
    instance::GroundInstance,
    language::{GroundDomain, Type},
    operators,
    symbolic::representation::{Plan, choose, possible},
    syntax::print,
};
use std::collections::{BTreeMap, BTreeSet};

/// The number of models with each feature, by the kind and the name of the feature.
#[derive(Default)]
pub(crate) struct Coverage(BTreeMap<(&'static str, String), usize>);

type Seen = BTreeSet<(&'static str, String)>;

const CONSTRUCTORS: [&str; 13] = [
    "bool",
    "int",
    "tuple",
    "record",
    "variant",
    "matrix",
    "set",
    "mset",
    "function",
    "sequence",
    "relation",
    "partition",
    "permutation",
];

/// Words of the language outside the table of operators.
const WORDS: &str = "size minSize maxSize minOccur maxOccur total injective surjective bijective reflexive \
    irreflexive coreflexive symmetric antiSymmetric aSymmetric transitive leftTotal rightTotal connex Euclidean \
    serial equivalence partialOrder linearOrder weakOrder preOrder strictPartialOrder numParts minNumParts \
    maxNumParts partSize minPartSize maxPartSize regular numMoved minNumMoved maxNumMoved forAll exists sum product \
    given find letting where minimising maximising branching heuristic enum domain";

/// Forms of generators, patterns and special expressions.
const FORMS: &str = "projection slice transform active attribute bubble component variant alternative \
    condition-on-decisions letting-in-comprehension subsets over-domain over-open-domain letting-of-decisions repetition \
    pattern-name pattern-wildcard pattern-tuple pattern-matrix pattern-set";

impl Coverage {
    pub(crate) fn new() -> Self {
        let mut coverage = Coverage::default();
        // Expected features start with 0, so that the report shows the missing ones.
        let mut expect = |kind, name: String| coverage.0.insert((kind, name), 0);
        let rows = operators::families().flat_map(|(_, rows)| rows);
        for row in rows.filter(|row| row.form.is_none()) {
            expect("operator on decisions", operator(row));
        }
        for outer in &CONSTRUCTORS[2..] {
            for inner in CONSTRUCTORS {
                expect("domain within", format!("{outer} of {inner}"));
            }
        }
        for collection in
            ["list", "matrix", "set", "mset", "function", "sequence", "relation", "partition", "permutation"]
        {
            expect("members of decisions", collection.into());
        }
        for word in WORDS.split_whitespace() {
            expect("word", word.into());
        }
        for form in FORMS.split_whitespace() {
            expect("form", form.into());
        }
        coverage
    }

    pub(crate) fn record(&mut self, model: &Generated) {
        // Models without an instance are not solved, so they test nothing.
        let Some(instance) = check::instance_of(model) else { return };
        let mut seen = Seen::new();
        let text = print::print_file(&model.file, 120);
        for word in text.split(|char: char| !char.is_alphanumeric()) {
            if self.0.contains_key(&("word", word.to_owned())) {
                seen.insert(("word", word.to_owned()));
            }
        }
        for find in &instance.finds {
            domains(&find.domain, 1, &mut seen);
            for representation in possible(&find.domain) {
                seen.insert((
                    "representation",
                    format!("{} as {representation}, if asked for", constructor(&find.domain)),
                ));
            }
        }
        expressions(&instance, &instance.model, &mut seen);
        for key in seen {
            *self.0.entry(key).or_default() += 1;
        }
    }

    pub(crate) fn print(&self) {
        let kinds: BTreeSet<&str> = self.0.keys().map(|(kind, _)| *kind).collect();
        for kind in kinds {
            let mut counts: Vec<(usize, &str)> = self
                .0
                .iter()
                .filter(|((other, _), _)| *other == kind)
                .map(|((_, name), count)| (*count, &**name))
                .collect();
            counts.sort();
            eprintln!("---- {kind}");
            counts.iter().for_each(|(count, name)| eprintln!("{count:8} {name}"));
        }
    }
}

fn operator(row: &operators::Operator) -> String {
    format!("{} : {}", row.symbol.text, row.signature)
}

fn constructor(domain: &GroundDomain) -> &'static str {
    match domain {
        GroundDomain::Bool => "bool",
        GroundDomain::Int(_) => "int",
        GroundDomain::Tuple(_) => "tuple",
        GroundDomain::Record(_) => "record",
        GroundDomain::Variant(_) => "variant",
        GroundDomain::Matrix(..) => "matrix",
        GroundDomain::Collection(kind, ..) => kind.keyword(),
    }
}

fn parts(domain: &GroundDomain) -> Vec<&GroundDomain> {
    let mut parts = Vec::new();
    domain.for_each_part(&mut |part| parts.push(part));
    parts
}

fn domains(domain: &GroundDomain, depth: usize, seen: &mut Seen) {
    let outer = constructor(domain);
    if let Ok(chosen) = choose(domain, &Plan::default()) {
        seen.insert(("representation", format!("{outer} as {}", chosen.representation)));
    }
    seen.insert(("depth", depth.to_string()));
    for part in parts(domain) {
        seen.insert(("domain within", format!("{outer} of {}", constructor(part))));
        domains(part, depth + 1, seen);
    }
}

fn expressions(instance: &GroundInstance, model: &TypedModel, seen: &mut Seen) {
    let objective = model.objective.iter().map(|objective| &objective.value);
    for expr in model.constraints.iter().chain(objective) {
        expression(expr, seen);
    }
    for declaration in &model.declarations {
        if let DeclarationKind::Letting(value) = &declaration.kind {
            expression(value, seen);
            if value.category == Category::Decision {
                seen.insert(("form", "letting-of-decisions".into()));
            }
        }
    }
    if instance.undefined_domain.is_some() {
        seen.insert(("form", "undefined-domain".into()));
    }
}

fn expression(expr: &Expr, seen: &mut Seen) {
    let mut form = |name: &str| {
        seen.insert(("form", name.to_owned()));
    };
    match &expr.kind {
        // Other expressions are evaluated, and never lowered.
        _ if expr.category != Category::Decision => {}
        ExprKind::Apply(row, _) => {
            seen.insert(("operator on decisions", operator(row)));
        }
        ExprKind::Component(..) => form("component"),
        ExprKind::Variant(..) => form("variant"),
        ExprKind::Alternative(..) => form("alternative"),
        ExprKind::Active(..) => form("active"),
        ExprKind::Slice(..) => form("slice"),
        ExprKind::Projection(..) => form("projection"),
        ExprKind::Transform(..) => form("transform"),
        ExprKind::HasAttribute(_, attribute) => {
            form("attribute");
            seen.insert(("attribute as constraint", attribute.row.word.to_owned()));
        }
        ExprKind::Bubble(_) => form("bubble"),
        ExprKind::Collection(_, members) => {
            let texts: BTreeSet<String> = members.iter().map(|member| format!("{:?}", member.kind)).collect();
            if texts.len() < members.len() {
                form("repetition");
            }
        }
        ExprKind::Comprehension(comprehension) => {
            for qualifier in &comprehension.qualifiers {
                match qualifier {
                    Qualifier::Condition(condition) if condition.category == Category::Decision => {
                        seen.insert(("form", "condition-on-decisions".into()));
                    }
                    Qualifier::Condition(_) => {}
                    Qualifier::Letting(with, _) => {
                        seen.insert(("form", "letting-in-comprehension".into()));
                        pattern(with, seen);
                    }
                    Qualifier::Generator(with, over) => {
                        pattern(with, seen);
                        match over {
                            GeneratorRange::Domain(domain) => {
                                seen.insert(("form", "over-domain".into()));
                                expressions_in_domain(domain, &mut |bound| {
                                    if bound.category == Category::Decision {
                                        seen.insert(("form", "over-open-domain".into()));
                                    }
                                });
                            }
                            GeneratorRange::Subsets(_) => {
                                seen.insert(("form", "subsets".into()));
                            }
                            GeneratorRange::Members(value) if value.category == Category::Decision => {
                                seen.insert(("members of decisions", collection(&value.ty).to_owned()));
                            }
                            GeneratorRange::Members(_) => {}
                        }
                    }
                }
            }
        }
        _ => {}
    }
    expr.for_each_part(&mut |part| expression(part, seen));
}

fn collection(ty: &Type) -> &'static str {
    match ty {
        Type::List(_) => "list",
        Type::Matrix(_) => "matrix",
        Type::Collection(kind, _) => kind.keyword(),
        _ => "others",
    }
}

fn pattern(with: &Pattern, seen: &mut Seen) {
    let (name, parts): (_, &[Pattern]) = match with {
        Pattern::Name(_) => ("pattern-name", &[]),
        Pattern::Wildcard => ("pattern-wildcard", &[]),
        Pattern::Parts(PatternForm::Tuple, parts) => ("pattern-tuple", parts),
        Pattern::Parts(PatternForm::Matrix, parts) => ("pattern-matrix", parts),
        Pattern::Parts(PatternForm::Members, parts) => ("pattern-set", parts),
    };
    seen.insert(("form", name.to_owned()));
    parts.iter().for_each(|part| pattern(part, seen));
}
