//! The outline of a text, right or wrong.

use super::{
    Text,
    stack::{Deep, deep},
};
use crate::{
    analysis::{
        self,
        units::{PartUnits, is_about_units},
    },
    language::quotation::unquoted,
    source::{SourceId, Sources},
    syntax::{
        self,
        ast::{
            DomainKind, DomainTree, ExprTree, ExprTreeKind, File, Identifier, LettingValue, Statement, StatementKind,
            WrittenRange,
        },
        json, print,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The names that a text declares, as far as it can be read.
///
/// ```
/// use conjure_like::{Outline, Text};
///
/// let model = Outline::read(&Text::new("m.essence", "given n : int\nfind x : int(1..n)\nsuch that x >"));
/// assert!(model.is_model);
/// assert!(model.finds.contains("x"));
/// let solution = Outline::read(&Text::new("1.solution", "letting x be 3"));
/// assert!(!solution.is_model);
/// assert!(solution.values.contains("x"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// True if the text declares parameters or decision variables, unlike parameter files and solutions.
    pub is_model: bool,
    /// The decision variables.
    pub finds: BTreeSet<String>,
    /// The names that have values, by `letting` or as keys of a JSON object.
    pub values: BTreeSet<String>,
}

impl Outline {
    /// Reads a text in Essence or JSON as far as possible.
    pub fn read(text: &Text) -> Self {
        deep(|| {
            let mut outline = Outline::default();
            let tables = text.sheets().iter().filter_map(Text::table_use);
            outline.values.extend(tables.map(|table| table.parameter.clone()));
            if json::is_json(&text.text) {
                let mut sources = Sources::default();
                // Usually, all instances of a list have the same parameters, so the first one is enough.
                for instance in text.instances().take(1) {
                    let source = instance.add_to(&mut sources);
                    let object = json::parse_instance(source, sources.get(source));
                    let keys = object.into_iter().flat_map(|(members, _)| members).map(|(key, _)| key.text);
                    outline.values.extend(keys);
                }
                return outline;
            }
            // An outline shows everything that can be read, so errors are ignored.
            let file = Deep::new(syntax::parse_file(SourceId::default(), &text.text, &mut Vec::new()));
            outline.add(&file);
            outline
        })
    }

    fn add(&mut self, file: &File) {
        for Statement { kind, .. } in &file.statements {
            match kind {
                StatementKind::Find { names, .. } => {
                    self.is_model = true;
                    self.finds.extend(names.iter().map(|name| name.text.to_string()));
                }
                StatementKind::Given { .. } => self.is_model = true,
                StatementKind::Letting { names, .. } => {
                    self.values.extend(names.iter().map(|name| name.text.to_string()));
                }
                _ => {}
            }
        }
    }
}

/// A declaration of a model, as written.
///
/// ```
/// use conjure_like::{DeclaredKind, DeclaredName, Text};
///
/// let declared = DeclaredName::all(&Text::new("m.essence", "given n : int(1..9)\nfind x : set of int(1..n)"));
/// assert_eq!(declared[1].kind, DeclaredKind::Find);
/// assert_eq!(declared[1].name, "x");
/// assert_eq!(declared[1].text.as_deref(), Some("set of int(1..n)"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredName {
    /// The kind of the declaration.
    pub kind: DeclaredKind,
    /// The name that is declared.
    pub name: String,
    /// The domain, value, members or size on one line; a domain as a value is in backticks. `None` for an enumerated
    /// type whose members are data.
    pub text: Option<String>,
    /// The domain of a parameter or decision variable, or the meaning of the name of a domain or type.
    pub domain: Option<DomainOutline>,
}

/// The structure of a domain, for programs that generate or display its values. Names of domains are replaced by their
/// meanings. Attributes are left out, because other code checks the values.
///
/// ```
/// use conjure_like::{DeclaredName, Text};
///
/// let text = "letting colour be new type enum {red, green}\nfind f : function (total) int(1..9) --> colour";
/// let declared = DeclaredName::all(&Text::new("m.essence", text));
/// let domain = declared[1].domain.as_ref().expect("a function");
/// assert_eq!((domain.kind, domain.parts.len()), ("function", 2));
/// assert_eq!(domain.parts[0].limits, [("1".to_owned(), "9".to_owned())]);
/// assert_eq!(domain.parts[1].names, ["red", "green"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DomainOutline {
    /// `bool`, `int`, `enum`, `unnamed`, `tuple`, `record`, `variant`, `matrix`, or the word of a collection.
    pub kind: &'static str,
    /// The domains inside; for a matrix, its indices and then its elements. All uses of a name share the domain that it
    /// stands for.
    pub parts: Arc<[DomainOutline]>,
    /// The fields of a record, the alternatives of a variant, or the known members of a type, without quotation marks.
    pub names: Vec<String>,
    /// The name of an enumerated or unnamed type.
    pub name: String,
    /// The first and the last value of each range; an open end is empty.
    pub limits: Vec<(String, String)>,
    /// The unit of integers, such as `0.01`; empty without one.
    pub unit: String,
}

/// The domains and types that the names stand for.
type KnownDomains = BTreeMap<String, DomainOutline>;

impl DomainOutline {
    fn new(domain: &DomainTree, known: &KnownDomains) -> Self {
        let inner = |domain: &DomainTree| DomainOutline::new(domain, known);
        let outline = |kind, parts: Vec<_>| DomainOutline { kind, parts: parts.into(), ..DomainOutline::default() };
        let fields = |kind, fields: &[(Identifier, Option<DomainTree>)]| DomainOutline {
            names: fields.iter().map(|(name, _)| unquoted(&name.text).into_owned()).collect(),
            ..outline(kind, fields.iter().map(|(_, domain)| domain.as_ref().map(inner).unwrap_or_default()).collect())
        };
        match &domain.kind {
            DomainKind::Bool => outline("bool", Vec::new()),
            DomainKind::Int { ranges, .. } => {
                DomainOutline { limits: range_limits(ranges.as_deref()), ..outline("int", Vec::new()) }
            }
            DomainKind::Named(name, ranges) => match known.get(&*name.text) {
                // The domain may be a part of a type, such as `colour(red..green)`.
                Some(named) if named.kind == "enum" && ranges.is_some() => {
                    DomainOutline { limits: range_limits(ranges.as_deref()), ..named.clone() }
                }
                Some(named) => named.clone(),
                // If the declaration is missing, nothing is known about the domain.
                None => outline("int", Vec::new()),
            },
            DomainKind::Tuple(items) => outline("tuple", items.iter().map(inner).collect()),
            DomainKind::Record(items) => fields("record", items),
            DomainKind::Variant(items) => fields("variant", items),
            DomainKind::Matrix(indices, element) => {
                let element = inner(element);
                // Nested matrices are shown as one matrix with all indices.
                let elements = if element.kind == "matrix" { element.parts.to_vec() } else { vec![element] };
                outline("matrix", indices.iter().map(inner).chain(elements).collect())
            }
            DomainKind::Collection(kind, _, parts) => outline(kind.keyword(), parts.iter().map(inner).collect()),
        }
    }

    /// Returns the domain with the units of its integers.
    fn with_units(mut self, units: &mut PartUnits) -> Self {
        // If there are no units, the parts can stay shared.
        if units.are_none() {
            return self;
        }
        if let ("int", Some(unit)) = (self.kind, units.unit()) {
            self.unit = unit.to_string();
        }
        let last = self.parts.len().saturating_sub(1);
        let parts = self.parts.iter().enumerate().map(|(at, part)| {
            let outer = match self.kind {
                "record" | "variant" => units.enter(&self.names[at]),
                "tuple" | "relation" => units.enter(&(at + 1).to_string()),
                "matrix" | "function" if at < last => units.enter_argument(),
                // The members of a set and the elements of a matrix have the same unit as the whole.
                _ => return part.clone().with_units(units),
            };
            let part = part.clone().with_units(units);
            units.leave(outer);
            part
        });
        self.parts = parts.collect();
        self
    }
}

fn range_limits(ranges: Option<&[WrittenRange]>) -> Vec<(String, String)> {
    let text = |end: &ExprTree| match &end.kind {
        ExprTreeKind::Name(name) => unquoted(name).into_owned(),
        _ => print::expr(end, usize::MAX),
    };
    let end = |end: &Option<ExprTree>| end.as_ref().map(text).unwrap_or_default();
    let of = |range: &WrittenRange| match range {
        WrittenRange::Single(value) => (text(value), text(value)),
        WrittenRange::Interval(first, last) => (end(first), end(last)),
    };
    ranges.unwrap_or_default().iter().map(of).collect()
}

/// The kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// A parameter.
    Given,
    /// A decision variable.
    Find,
    /// A name for a value or a domain.
    Letting,
    /// A type with named members.
    EnumeratedType,
    /// A type whose members have no names.
    UnnamedType,
}

impl DeclaredName {
    /// Returns the declarations of a text in their order, as far as it can be read.
    pub fn all(text: &Text) -> Vec<Self> {
        deep(|| {
            let file = Deep::new(syntax::parse_file(SourceId::default(), &text.text, &mut Vec::new()));
            let mut known = KnownDomains::new();
            let declared = file.statements.iter().flat_map(|statement| Self::in_statement(statement, &mut known));
            // Units need the types of values, so without units, the analysis is skipped.
            if !file.comments.iter().any(is_about_units) {
                return declared.collect();
            }
            let units = Deep::new(analysis::analyse_file(&file, &mut Vec::new())).units.clone();
            let with_units = |declared: DeclaredName| {
                let units = &mut PartUnits::of(&units, &declared.name);
                let domain = declared.domain.map(|domain| domain.with_units(units));
                DeclaredName { domain, ..declared }
            };
            declared.map(with_units).collect()
        })
    }

    fn in_statement(statement: &Statement, known: &mut KnownDomains) -> Vec<Self> {
        use DeclaredKind::{EnumeratedType, Find, Given, Letting, UnnamedType};
        let (names, kind, text) = match &statement.kind {
            StatementKind::Given { names, domain } => (names, Given, Some(print::print_domain(domain, usize::MAX))),
            StatementKind::Find { names, domain } => (names, Find, Some(print::print_domain(domain, usize::MAX))),
            StatementKind::GivenEnum { names } => (names, EnumeratedType, None),
            StatementKind::Letting { names, value } => {
                let (kind, text) = match value {
                    LettingValue::Expr(value) => (Letting, print::expr(value, usize::MAX)),
                    LettingValue::Domain(domain) => (Letting, format!("`{}`", print::print_domain(domain, usize::MAX))),
                    LettingValue::Enum(members) => {
                        let members: Vec<&str> = members.iter().map(|member| &*member.text).collect();
                        (EnumeratedType, members.join(", "))
                    }
                    LettingValue::Unnamed(size) => (UnnamedType, print::expr(size, usize::MAX)),
                };
                (names, kind, Some(text))
            }
            _ => return Vec::new(),
        };
        let named = names.iter().map(|name| {
            let name = name.text.to_string();
            let named = |kind| DomainOutline { kind, name: unquoted(&name).into_owned(), ..DomainOutline::default() };
            let domain = match &statement.kind {
                StatementKind::Given { domain, .. }
                | StatementKind::Find { domain, .. }
                | StatementKind::Letting { value: LettingValue::Domain(domain), .. } => {
                    Some(DomainOutline::new(domain, known))
                }
                StatementKind::GivenEnum { .. } => Some(named("enum")),
                StatementKind::Letting { value: LettingValue::Enum(members), .. } => {
                    let names = members.iter().map(|member| unquoted(&member.text).into_owned()).collect();
                    Some(DomainOutline { names, ..named("enum") })
                }
                StatementKind::Letting { value: LettingValue::Unnamed(_), .. } => Some(named("unnamed")),
                _ => None,
            };
            // The name of a domain or type can be used as a domain later, but a parameter or variable cannot.
            if !matches!(kind, Given | Find) {
                known.extend(domain.clone().map(|domain| (name.clone(), domain)));
            }
            DeclaredName { kind, name, text: text.clone(), domain }
        });
        named.collect()
    }
}
