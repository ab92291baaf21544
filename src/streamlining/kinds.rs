//! The streamliners of a domain: constraints on an expression with values in it.
//!
//! The kinds follow Spracklen, Akgün and Miguel, "Automatic generation and selection of streamlined constraint models
//! via Monte Carlo search on a model lattice". A streamliner of a collection states how many of its members satisfy a
//! streamliner of their domain.

use super::Streamliner;
use crate::{
    improvement::ModelView,
    language::MemberForm,
    syntax::ast::{DomainKind, DomainTree, ExprTreeKind, Identifier},
};

/// Inside at least this number of quantifiers, streamliners only say "every"; inside fewer, they also count members
/// ("half of the rows"). Each counting quantifier multiplies the list by up to eight, the number of forms in
/// `of_members`.
const MOST_QUANTIFIERS: usize = 2;

/// The attributes of a binary relation on one domain that can be constraints.
const RELATION_ATTRIBUTES: [&str; 13] = [
    "reflexive",
    "irreflexive",
    "coreflexive",
    "symmetric",
    "antiSymmetric",
    "aSymmetric",
    "transitive",
    "total",
    "connex",
    "Euclidean",
    "serial",
    "equivalence",
    "partialOrder",
];

/// The fractions of all tuples that bound the size of a relation. Chosen: each is half of the previous one.
const SHARES: [(i64, &str); 5] =
    [(2, "a half"), (4, "a quarter"), (8, "an eighth"), (16, "a sixteenth"), (32, "a thirty-second")];

/// An expression with values in a domain, and its place in the model.
#[derive(Clone)]
struct StreamlinedPart {
    text: String,
    /// The expression with `_` instead of quantified names.
    place: String,
    /// The number of quantifiers around it.
    depth: usize,
}

/// The members of a collection, over which a quantified name ranges.
struct StreamlinedMembers {
    /// The quantified names and their range, as in `q1 : int(1..9)`.
    binder: String,
    /// The number of members.
    count: String,
    /// The word for a member in names of streamliners.
    noun: &'static str,
    /// The bounds of the indices if they are integers: the name of the index, and the middle of the bounds.
    middle: Option<(String, String)>,
}

/// Makes the streamliners of a model.
pub(super) struct Kinds<'v, 'a> {
    view: &'v ModelView<'a>,
    /// The start of the quantified names, which no name of the model has.
    prefix: String,
}

impl<'v, 'a> Kinds<'v, 'a> {
    pub(super) fn of(view: &'v ModelView<'a>) -> Self {
        let mut prefix = "q".to_owned();
        while (1..10).any(|number| view.text.contains(&format!("{prefix}{number}"))) {
            prefix.push('q');
        }
        Kinds { view, prefix }
    }

    /// The streamliners of all decision variables.
    pub(super) fn all(&self) -> Vec<Streamliner> {
        let of = |(name, domain): (&&str, &&'a DomainTree)| {
            let subject = StreamlinedPart { text: (*name).to_owned(), place: (*name).to_owned(), depth: 0 };
            let found = self.of_domain(domain, &subject).into_iter();
            found.map(|found| Streamliner { says: format!("{name}: {}", found.says), ..found }).collect::<Vec<_>>()
        };
        self.view.variables.iter().flat_map(of).collect()
    }

    fn name(&self, number: usize) -> String {
        format!("{}{number}", self.prefix)
    }

    fn of_domain(&self, domain: &DomainTree, subject: &StreamlinedPart) -> Vec<Streamliner> {
        let domain = self.view.resolved(domain);
        let text = &subject.text;
        let is = |kind: &'static str, says: &str, constraint: String| streamliner(subject, kind, says, constraint);
        match &domain.kind {
            DomainKind::Bool => vec![is("value", "true", text.clone()), is("value", "false", format!("!{text}"))],
            DomainKind::Int { tag: None, .. } => {
                let middle = self.middle(domain);
                vec![
                    is("parity", "odd", format!("{text} % 2 = 1")),
                    is("parity", "even", format!("{text} % 2 = 0")),
                    is("half", "in the lower half", format!("{text} <= {middle}")),
                    is("half", "in the upper half", format!("{text} > {middle}")),
                ]
            }
            DomainKind::Named(name, None) => match self.view.enums.get(&*name.text) {
                Some(members) if members.len() > 1 => {
                    let middle = members[(members.len() - 1) / 2];
                    vec![
                        is("half", "in the first half", format!("{text} <= {middle}")),
                        is("half", "in the second half", format!("{text} > {middle}")),
                    ]
                }
                _ => Vec::new(),
            },
            DomainKind::Tuple(parts) => self.of_components(parts, subject),
            DomainKind::Record(fields) => {
                let field = |(name, field): &(Identifier, Option<DomainTree>)| match field {
                    Some(field) => {
                        self.of_part(field, subject, &format!("[{}]", name.text), &format!("field {}", name.text))
                    }
                    None => Vec::new(),
                };
                fields.iter().flat_map(field).collect()
            }
            DomainKind::Matrix(indices, element) => self.of_matrix(indices, element, subject),
            DomainKind::Collection(kind, _, inner) => self.of_collection(kind.form(), domain, inner, subject),
            // Members of unnamed types have no properties, and arithmetic on integers with a unit is not well-typed. A
            // field of a variant exists only under its own tag.
            DomainKind::Int { .. } | DomainKind::Named(..) | DomainKind::Variant(_) => Vec::new(),
        }
    }

    /// The streamliners of the components of a tuple.
    fn of_components(&self, parts: &[DomainTree], subject: &StreamlinedPart) -> Vec<Streamliner> {
        let part = |(at, part): (usize, &DomainTree)| {
            self.of_part(part, subject, &format!("[{}]", at + 1), &format!("component {}", at + 1))
        };
        parts.iter().enumerate().flat_map(part).collect()
    }

    /// The streamliners of a set, or of a part of a partition.
    fn of_values(&self, of: &DomainTree, subject: &StreamlinedPart) -> Vec<Streamliner> {
        let (text, depth) = (&subject.text, subject.depth);
        let name = self.name(depth + 1);
        let place = format!("{}{{_}}", subject.place);
        let members = StreamlinedMembers {
            binder: format!("{name} in {text}"),
            count: format!("|{text}|"),
            noun: "member",
            middle: None,
        };
        of_members(&members, self.of_domain(of, &StreamlinedPart { text: name, place, depth: depth + 1 }), depth)
    }

    /// The streamliners of a component of a tuple or record.
    fn of_part(&self, part: &DomainTree, subject: &StreamlinedPart, index: &str, says: &str) -> Vec<Streamliner> {
        let (text, place) = (format!("{}{index}", subject.text), format!("{}{index}", subject.place));
        let found = self.of_domain(part, &StreamlinedPart { text, place, depth: subject.depth }).into_iter();
        found.map(|found| Streamliner { says: format!("{says} {}", found.says), ..found }).collect()
    }

    fn of_matrix(&self, indices: &[DomainTree], element: &DomainTree, subject: &StreamlinedPart) -> Vec<Streamliner> {
        let [index, rest @ ..] = indices else { return self.of_domain(element, subject) };
        let name = self.name(subject.depth + 1);
        // `m[i, j]` is easier to read than `m[i][j]`.
        let at = |text: &str, index: &str| match text.strip_suffix(']').filter(|_| text.contains('[')) {
            Some(start) => format!("{start}, {index}]"),
            None => format!("{text}[{index}]"),
        };
        let member = StreamlinedPart {
            text: at(&subject.text, &name),
            place: at(&subject.place, "_"),
            depth: subject.depth + 1,
        };
        let shown = self.view.shown_domain(index);
        let middle = self.is_integer(index).then(|| (name.clone(), self.middle(index)));
        let noun = if rest.is_empty() { "element" } else { "row" };
        let members =
            StreamlinedMembers { binder: format!("{name} : {shown}"), count: format!("|`{shown}`|"), noun, middle };
        let mut found = of_members(&members, self.of_matrix(rest, element, &member), subject.depth);
        if rest.is_empty() && self.is_integer(index) && self.is_integer(element) {
            let value = |index: &str| at(&subject.text, index);
            found.extend(self.of_order(subject, index, &value));
        }
        found
    }

    fn of_collection(
        &self,
        form: MemberForm,
        domain: &DomainTree,
        inner: &[DomainTree],
        subject: &StreamlinedPart,
    ) -> Vec<Streamliner> {
        let (text, depth) = (&subject.text, subject.depth);
        let name = self.name(depth + 1);
        let member = |place: &str| StreamlinedPart {
            text: name.clone(),
            place: format!("{}{place}", subject.place),
            depth: depth + 1,
        };
        let among = |binder: String, of: &str, noun: &'static str| StreamlinedMembers {
            binder,
            count: format!("|{of}|"),
            noun,
            middle: None,
        };
        match (form, inner) {
            (MemberForm::Values, [of]) => {
                let mut found = self.of_values(of, subject);
                if !has(domain, &["size"]) && self.is_countable(of) {
                    let all = format!("|`{}`|", self.view.shown_domain(of));
                    let is = |says, sign| streamliner(subject, "size", says, format!("|{text}| {sign} {all} / 2"));
                    found.push(is("at most half of the values", "<="));
                    found.push(is("at least half of the values", ">="));
                }
                found
            }
            (MemberForm::Tuples, columns) => {
                let members = among(format!("{name} in {text}"), text, "tuple");
                let inner = self.of_components(columns, &member("{_}"));
                let mut found = of_members(&members, inner, depth);
                found.extend(self.of_relation(domain, columns, subject));
                found
            }
            (MemberForm::Blocks, [of]) => {
                let parts = format!("parts({text})");
                let members = among(format!("{name} in {parts}"), &parts, "part");
                let inner = self.of_values(of, &member("{_}"));
                let mut found = of_members(&members, inner, depth);
                let even = format!("|participants({text})| / |{parts}|");
                let constraint = format!("forAll {name} in {parts} . ||{name}| - {even}| <= 1");
                if !has(domain, &["regular", "partSize"]) {
                    found.push(streamliner(subject, "parts", "parts of about the same size", constraint));
                }
                found
            }
            (MemberForm::Positions, [of]) => {
                let members = among(format!("(_, {name}) in {text}"), text, "element");
                let inner = self.of_domain(of, &member("(_)"));
                let mut found = of_members(&members, inner, depth);
                if self.is_integer(of) {
                    found.extend(self.of_partial_order(subject));
                }
                found
            }
            (MemberForm::Pairs, [from, to]) => self.of_function(domain, from, to, subject),
            _ => Vec::new(),
        }
    }

    fn of_function(
        &self,
        domain: &DomainTree,
        from: &DomainTree,
        to: &DomainTree,
        subject: &StreamlinedPart,
    ) -> Vec<Streamliner> {
        let (text, depth) = (&subject.text, subject.depth);
        let (name, is_total) = (self.name(depth + 1), has(domain, &["total"]));
        let (shown, is_integer) = (self.view.shown_domain(from), self.is_integer(from));
        let image = |text: String| StreamlinedPart { text, place: format!("{}(_)", subject.place), depth: depth + 1 };
        let mut found = if is_total {
            let middle = is_integer.then(|| (name.clone(), self.middle(from)));
            let (binder, count) = (format!("{name} : {shown}"), format!("|`{shown}`|"));
            let members = StreamlinedMembers { binder, count, noun: "image", middle };
            of_members(&members, self.of_domain(to, &image(format!("{text}({name})"))), depth)
        } else {
            let count = format!("|{text}|");
            let binder = format!("(_, {name}) in {text}");
            let members = StreamlinedMembers { binder, count: count.clone(), noun: "image", middle: None };
            let mut found = of_members(&members, self.of_domain(to, &image(name.clone())), depth);
            let members =
                StreamlinedMembers { binder: format!("({name}, _) in {text}"), count, noun: "argument", middle: None };
            let argument =
                StreamlinedPart { text: name, place: format!("defined({})", subject.place), depth: depth + 1 };
            found.extend(of_members(&members, self.of_domain(from, &argument), depth));
            found
        };
        if is_integer && self.is_integer(to) {
            found.extend(match is_total {
                true => self.of_order(subject, from, &|argument| format!("{text}({argument})")),
                false => self.of_partial_order(subject),
            });
        }
        if let DomainKind::Tuple(operands) = &self.view.resolved(from).kind
            && let [left, right] = &operands[..]
            && self.view.are_same(left, right)
            && self.view.are_same(left, to)
        {
            found.extend(self.of_operation(subject, is_total, &self.view.shown_domain(to)));
        }
        found
    }

    /// Laws of a binary operation.
    fn of_operation(&self, subject: &StreamlinedPart, is_total: bool, values: &str) -> Vec<Streamliner> {
        let f = &subject.text;
        let [a, b, c] = [1, 2, 3].map(|number| self.name(subject.depth + number));
        let all = match is_total {
            true => format!("forAll {a}, {b} : {values} ."),
            false => format!("forAll ({a}, {b}) in defined({f}) ."),
        };
        let is = |kind, says: &str, constraint: String| streamliner(subject, kind, says, constraint);
        let both = match is_total {
            true => format!("forAll {a}, {b}, {c} : {values} ."),
            // If the operation is partial, it has values only where the pairs `(a, b)` and `(b, c)` are defined.
            false => {
                let d = self.name(subject.depth + 4);
                format!("forAll ({a}, {b}) in defined({f}) . forAll ({d}, {c}) in defined({f}) . {b} = {d} ->")
            }
        };
        let swapped = format!("{f}(({b}, {a}))");
        vec![
            is("commutative", "commutative", format!("{all} {f}(({a}, {b})) = {swapped}")),
            is("commutative", "never commutative", format!("{all} {a} != {b} -> {f}(({a}, {b})) != {swapped}")),
            is(
                "associative",
                "associative",
                format!("{both} {f}(({f}(({a}, {b})), {c})) = {f}(({a}, {f}(({b}, {c}))))"),
            ),
        ]
    }

    /// Orders of the values at integer indices: `value` is the text of the value at an index.
    fn of_order(
        &self,
        subject: &StreamlinedPart,
        index: &DomainTree,
        value: &dyn Fn(&str) -> String,
    ) -> Vec<Streamliner> {
        let [i, j] = [1, 2].map(|number| self.name(subject.depth + number));
        let shown = self.view.shown_domain(index);
        let (first, last) = self.ends(index);
        // The indices may have gaps, as in `int(1, 3, 7)`, so all pairs are compared and not only neighbours.
        let pairs = format!("forAll {i}, {j} : {shown}, {i} < {j} .");
        let each = format!("forAll {i} : {shown} .");
        let is = |says: &str, constraint: String| streamliner(subject, "order", says, constraint);
        vec![
            is("increasing", format!("{pairs} {} <= {}", value(&i), value(&j))),
            is("decreasing", format!("{pairs} {} >= {}", value(&i), value(&j))),
            is("smallest first", format!("{each} {} <= {}", value(&first), value(&i))),
            is("largest last", format!("{each} {} >= {}", value(&last), value(&i))),
        ]
    }

    /// Orders of the values of a function that need not be total, or of a sequence.
    fn of_partial_order(&self, subject: &StreamlinedPart) -> Vec<Streamliner> {
        let f = &subject.text;
        let [i, x, j, y] = [1, 2, 3, 4].map(|number| self.name(subject.depth + number));
        // The quantifiers range over the defined arguments, so an undefined image cannot make a streamliner false.
        let pairs = format!("forAll ({i}, {x}) in {f} . forAll ({j}, {y}) in {f} . {i} < {j} ->");
        let each = format!("forAll (_, {x}) in {f} .");
        let is = |says: &str, constraint: String| streamliner(subject, "order", says, constraint);
        vec![
            is("increasing", format!("{pairs} {x} <= {y}")),
            is("decreasing", format!("{pairs} {x} >= {y}")),
            is("smallest first", format!("{each} {f}(min(defined({f}))) <= {x}")),
            is("largest last", format!("{each} {f}(max(defined({f}))) >= {x}")),
        ]
    }

    fn of_relation(&self, domain: &DomainTree, columns: &[DomainTree], subject: &StreamlinedPart) -> Vec<Streamliner> {
        let text = &subject.text;
        let mut found = Vec::new();
        let sizes: Vec<String> =
            columns.iter().map(|column| format!("|`{}`|", self.view.shown_domain(column))).collect();
        if !has(domain, &["size"]) && columns.iter().all(|column| self.is_countable(column)) {
            for (share, word) in SHARES {
                let part = format!("{} / {share}", sizes.join(" * "));
                let is =
                    |kind, says: String, sign| streamliner(subject, kind, &says, format!("|{text}| {sign} {part}"));
                found.push(is("least size", format!("at least {word} of all tuples"), ">="));
                found.push(is("most size", format!("at most {word} of all tuples"), "<="));
            }
        }
        if let [left, right] = columns
            && self.view.are_same(left, right)
        {
            for attribute in RELATION_ATTRIBUTES {
                if !has(domain, &[attribute]) {
                    found.push(streamliner(subject, attribute, attribute, format!("{attribute}({text})")));
                }
            }
        }
        found
    }

    fn is_integer(&self, domain: &DomainTree) -> bool {
        matches!(self.view.resolved(domain).kind, DomainKind::Int { tag: None, .. })
    }

    /// True if `` |`D`| `` is a small number.
    fn is_countable(&self, domain: &DomainTree) -> bool {
        match &self.view.resolved(domain).kind {
            DomainKind::Int { .. } | DomainKind::Bool | DomainKind::Named(..) => true,
            DomainKind::Tuple(parts) => parts.iter().all(|part| self.is_countable(part)),
            _ => false,
        }
    }

    /// The least and the largest value of a domain of integers.
    fn ends(&self, domain: &DomainTree) -> (String, String) {
        match self.view.interval(domain) {
            Some((low, high)) => (self.view.shown(low), self.view.shown(high)),
            None => {
                let shown = self.view.shown_domain(domain);
                (format!("min(`{shown}`)"), format!("max(`{shown}`)"))
            }
        }
    }

    /// The middle between the least and the largest value of a domain of integers, rounded down.
    fn middle(&self, domain: &DomainTree) -> String {
        if let Some((low, high)) = self.view.interval(domain)
            && let (ExprTreeKind::Int(low), ExprTreeKind::Int(high)) = (&low.kind, &high.kind)
            && let Some(sum) = low.checked_add(*high)
        {
            return sum.div_euclid(2).to_string();
        }
        let (low, high) = self.ends(domain);
        let grouped = |end: String| match end.chars().all(|c| c.is_alphanumeric() || c == '_') {
            true => end,
            false => format!("({end})"),
        };
        format!("({} + {}) / 2", grouped(low), grouped(high))
    }
}

/// The streamliners that state how many members satisfy a streamliner of their domain.
fn of_members(members: &StreamlinedMembers, inner: Vec<Streamliner>, depth: usize) -> Vec<Streamliner> {
    let StreamlinedMembers { binder, count, noun, middle } = members;
    let mut found = Vec::new();
    for inner in inner {
        let Streamliner { says, constraint, weight, .. } = &inner;
        let mut add = |how: String, constraint: String, further: usize| {
            found.push(Streamliner {
                says: format!("{how} {says}"),
                constraint,
                weight: weight + further,
                ..inner.clone()
            });
        };
        add(format!("every {noun}"), format!("forAll {binder} . {constraint}"), 0);
        if depth >= MOST_QUANTIFIERS {
            continue;
        }
        let sum = format!("(sum {binder} . toInt({constraint}))");
        // `/` rounds down, so "half" of an odd number is the smaller half, but "about half" allows both.
        let half = format!("{count} / 2");
        add(format!("at most one {noun}"), format!("{sum} <= 1"), 1);
        add(format!("half of the {noun}s"), format!("{sum} = {half}"), 1);
        add(format!("about half of the {noun}s"), format!("|{sum} - {half}| <= 1"), 1);
        add(format!("at least half of the {noun}s"), format!("{sum} >= {half}"), 1);
        add(format!("at most half of the {noun}s"), format!("{sum} <= {half}"), 1);
        if let Some((index, middle)) = middle {
            let all = |sign| format!("forAll {binder} . {index} {sign} {middle} -> ({constraint})");
            add(format!("every {noun} of the first half"), all("<="), 1);
            add(format!("every {noun} of the second half"), all(">"), 1);
        }
    }
    found
}

fn streamliner(subject: &StreamlinedPart, kind: &str, says: &str, constraint: String) -> Streamliner {
    Streamliner { says: says.to_owned(), constraint, group: format!("{}: {kind}", subject.place), weight: 0 }
}

/// True if a domain has one of these attributes.
fn has(domain: &DomainTree, names: &[&str]) -> bool {
    let DomainKind::Collection(_, attributes, _) = &domain.kind else { return false };
    attributes.iter().any(|attribute| names.contains(&&*attribute.name.text))
}
