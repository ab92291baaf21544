//! The meanings of names, and messages about unknown names.

use super::{
    Analysis, Reports,
    extent::ExprSize,
    model::{Category, DeclarationId, DeclarationKind, Expr, ExprDomain, ExprKind, Ints, Local, LocalId, LocalOrigin},
};
use crate::{
    diagnostic::{Code, Diagnostic, Edit, Suggestions},
    language::{
        LARGEST_TYPE, Name, NamedType, Type, Value,
        print::{unnamed_member, unnamed_position},
        quotation::{quoted, unquoted},
    },
    source::Span,
    syntax::{
        ast::{self, Identifier},
        declared::declared,
        scope::Scope,
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The reason why a domain is infinite, and the domain to write instead.
#[derive(Clone, Debug)]
pub(crate) struct Infinite {
    pub(super) span: Span,
    pub(super) why: &'static str,
    pub(super) help: &'static str,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum NameMeaning {
    Global(DeclarationId),
    /// A member of an enumerated type, by its 1-based position.
    Member(NamedType, i64),
    Local(LocalId, Type, Category),
    /// A `letting` of a parameter file that is not a parameter: the name is replaced by its value.
    Value(Arc<Expr>),
    /// A domain of a parameter file.
    Domain(Arc<ExprDomain>, Type),
}

#[derive(Debug, Default)]
pub(crate) struct NameScope {
    /// The names that are visible at this point, with the spans of their declarations.
    pub known: Scope<(NameMeaning, Span)>,
    /// All names that the file declares anywhere.
    somewhere: FxHashMap<Name, Span>,
    /// The unknown names that have been reported, with the indices of the reports.
    unknown: FxHashMap<Name, usize>,
    /// The index of the shared report about further unknown names.
    further_unknown: Option<usize>,
    suggestions: Suggestions,
    /// The strings of other languages that occurred, as names for the help.
    strings: Vec<String>,
    /// The index of the report about strings.
    first_string: Option<usize>,
    /// True if the members of some type could not be read, so that any name may be a member.
    pub open_types: bool,
    /// The `letting`s of a parameter file that others mention.
    used: FxHashSet<Name>,
    /// The named domains that are infinite.
    pub infinite: FxHashMap<DeclarationId, Infinite>,
}

/// Further unknown names share a report. Chosen.
const MOST_UNKNOWN: usize = 100;

/// The largest number of names in the help about strings. Chosen.
const MOST_STRINGS: usize = 12;

impl NameScope {
    /// Collects the declarations of the file, to distinguish a use before the declaration from a misspelling.
    pub(crate) fn declared_somewhere(&mut self, file: &ast::File) {
        for declared in file.statements.iter().flat_map(declared) {
            self.somewhere.entry(declared.name.text.clone()).or_insert(declared.name.span);
        }
    }

    /// Declares the names whose declarations could not be read. They stand for anything.
    pub(crate) fn declare_broken(&mut self, file: &ast::File) {
        for name in &file.broken {
            if !self.somewhere.contains_key(&name.text) {
                let meaning = NameMeaning::Value(Arc::new(Expr::wrong(name.span)));
                self.declare(name.text.clone(), meaning, name.span);
            }
        }
    }

    /// Returns true if nothing declares a name, neither here nor further down.
    pub(crate) fn is_new(&self, name: &str) -> bool {
        self.known.get(name).is_none() && !self.somewhere.contains_key(name) && !name.starts_with('"')
    }

    /// The span of a global declaration.
    fn place(&self, name: &str) -> Option<Span> {
        self.known.global(name).map(|(_, span)| *span).or_else(|| self.somewhere.get(name).copied())
    }

    pub(crate) fn get(&self, name: &str) -> Option<NameMeaning> {
        self.known.get(name).map(|(meaning, _)| meaning.clone())
    }

    /// Declares a global name. If it is declared already, returns the earlier span.
    pub(crate) fn declare(&mut self, name: Name, meaning: NameMeaning, span: Span) -> Option<Span> {
        self.known.declare(name, (meaning, span)).map(|(_, earlier)| *earlier)
    }

    /// Forgets the reports about unknown names, which the caller has removed.
    pub(crate) fn forget_reports(&mut self) {
        self.unknown.clear();
        self.further_unknown = None;
    }

    pub(crate) fn note_use(&mut self, name: &Name) {
        self.used.insert(name.clone());
    }

    pub(crate) fn is_used(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// Returns the known name that is most similar.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        // `"red"` without its quotes is a more likely mistake than a misspelling.
        let quoted = format!("\"{name}\"");
        let known = || self.known.names().chain(self.somewhere.keys()).map(|known| &**known);
        match self.known.global(&quoted) {
            Some(_) => known().find(|known| *known == quoted),
            None => self.suggestions.nearest(name, known()),
        }
    }

    /// Lists the first members of the type of a member.
    fn members_beside(&self, example: &str) -> Option<String> {
        let Some(NameMeaning::Member(named, _)) = self.get(example) else { return None };
        let place = |known: &str| match self.get(known) {
            Some(NameMeaning::Member(ty, position)) if ty.id == named.id => Some(position),
            _ => None,
        };
        let names = self.known.names().map(|known| &**known);
        let mut known: Vec<(i64, &str)> = names.filter_map(|known| Some((place(known)?, known))).collect();
        known.sort_unstable();
        let listed: Vec<String> = known.iter().take(MOST_STRINGS).map(|(_, name)| format!("`{name}`")).collect();
        let more = if known.len() > listed.len() { ", …" } else { "" };
        Some(format!("the members of `{}` are {}{more}", named.name, listed.join(", ")))
    }

    /// Reports a string of another language, which was read as a name in quotes. All strings share one report. A string
    /// may stand for a member of a type; `given` is a type whose members only the parameters list.
    fn report_string(&mut self, reports: &mut Reports, name: &str, span: Span, given: Option<&str>) {
        let word = name.trim_matches('"');
        let plain = crate::syntax::parse::is_name(word);
        let what = Diagnostic::error(Code::UNKNOWN_NAME, "Essence has no strings");
        let is_member = |known: &str| matches!(self.get(known), Some(NameMeaning::Member(..)));
        let quoted =
            || self.known.names().map(|known| &**known).filter(|known| known.starts_with('"') && is_member(known));
        // The model has members in quotes, so the quotes are correct and the name is misspelt.
        if let Some(example) = quoted().min() {
            let mistake = Diagnostic::error(Code::UNKNOWN_NAME, format!("the name `{name}` is not declared"));
            let near = || self.suggestions.nearest(name, quoted());
            let meant = if plain && is_member(word) { Some(word) } else { near() };
            if let Some(meant) = meant {
                let mistake = mistake.at(span, "not declared").help(format!("did you mean `{meant}`?"));
                let edits = vec![Edit { span, text: meant.to_owned() }];
                let rule = format!("a name has quotes only if it is declared with quotes, like `{example}`");
                reports.add(Diagnostic { edits, ..mistake.note(rule) });
                return;
            }
        }
        if plain && is_member(word) {
            let edits = vec![Edit { span, text: word.to_owned() }];
            let what = what.at(span, "a name in quotes").help(format!("write `{word}`, without quotes"));
            reports.add(Diagnostic { edits, ..what });
            return;
        }
        let members = || self.known.names().map(|known| &**known).filter(|known| is_member(known));
        if let Some(near) = if plain { self.suggestions.nearest(word, members()) } else { None } {
            let edits = vec![Edit { span, text: near.to_owned() }];
            let what = Diagnostic::error(Code::UNKNOWN_NAME, format!("the name `{word}` is not declared"));
            let what = what.at(span, "not declared").help(format!("did you mean `{near}`, without quotes?"));
            reports.add(Diagnostic { edits, ..what });
            return;
        }
        // JSON or a spreadsheet may contain `"3"`.
        if word.parse::<i64>().is_ok() {
            let edits = vec![Edit { span, text: word.to_owned() }];
            let what = what.at(span, "a number in quotes").help(format!("write `{word}`, without quotes"));
            reports.add(Diagnostic { edits, ..what });
            return;
        }
        if let Some(help) = quoted().min().and_then(|example| self.members_beside(example)) {
            let mistake = Diagnostic::error(Code::UNKNOWN_NAME, format!("the name `{name}` is not declared"));
            reports.add(mistake.at(span, "not declared").help(help));
            return;
        }
        let member = if plain { word.to_owned() } else { format!("value{}", self.strings.len() + 1) };
        // One entry more than can be shown is stored: it becomes "…".
        if self.strings.len() <= MOST_STRINGS && !self.strings.contains(&member) {
            self.strings.push(if self.strings.len() < MOST_STRINGS { member } else { "…".to_owned() });
        }
        let help = match given {
            Some(given) => format!("let the parameters choose a member: `given chosen : {given}`, and write `chosen`"),
            None => {
                format!("name the values in a type: `letting person be new type enum {{{}}}`", self.strings.join(", "))
            }
        };
        let earlier = self.first_string.and_then(|report| reports.diagnostics.get_mut(report));
        // `with_intentions` removes reports, so this index may now belong to another one.
        match earlier.filter(|report| report.message == what.message) {
            Some(report) => {
                report.also(span, "not a value either");
                report.help = vec![help];
            }
            None => {
                self.first_string = Some(reports.diagnostics.len());
                let note = given.map_or("write members without quotes".to_owned(), in_parameters_only);
                reports.add(what.at(span, "not a value").help(help).note(note));
            }
        }
    }
}

/// Returns the note that the model cannot name a member of a type.
fn in_parameters_only(ty: &str) -> String {
    format!(
        "if you mean a member of `{ty}`: only the parameters list the members of `{ty}`, so the model cannot name them"
    )
}

impl Analysis<'_> {
    /// Returns a name as an expression. The name of a domain is a domain as an operand.
    pub(super) fn name(&mut self, name: &Name, span: Span) -> Expr {
        match self.names.get(name) {
            Some(NameMeaning::Local(id, ty, category)) => Expr::new(ExprKind::Local(id), ty, category, span),
            Some(NameMeaning::Member(named, position)) => {
                Expr::constant(Value::Int(position), Type::Named(named), span)
            }
            Some(NameMeaning::Value(value)) => {
                self.names.note_use(name);
                match self.copies.admit(&mut self.reports, ExprSize::of(&value), span) {
                    true => Expr { span, ..(*value).clone() },
                    false => Expr::wrong(span),
                }
            }
            Some(NameMeaning::Domain(domain, ty)) => {
                self.names.note_use(name);
                self.named_domain_as_operand(&domain, ty, span)
            }
            Some(NameMeaning::Global(id)) => self.global(id, span),
            None => {
                self.unknown(name, span, None);
                Expr::wrong(span)
            }
        }
    }

    /// Resolves a name in data where a member of a type is expected. Quotation marks are optional if nothing else has
    /// the name.
    pub(super) fn member_in_data(&mut self, name: &Name, named: &NamedType, span: Span) -> Expr {
        let position = |name: &str| match self.names.get(name) {
            Some(NameMeaning::Member(other, position)) if other.id == named.id => Some(position),
            _ => None,
        };
        let known = position(name);
        let is_new = self.names.get(name).is_none();
        // A variable of the model may have the name of a former member, but in an earlier plan, the name means the
        // member.
        let is_open = self.model.takes_strangers || is_new;
        // A domain or a member of another type may have this name, but only a member of this type fits here.
        let is_other = match self.names.get(name) {
            Some(NameMeaning::Member(other, _)) => other.id != named.id,
            Some(NameMeaning::Domain(..)) => true,
            Some(NameMeaning::Global(id)) => {
                matches!(self.model.declaration(id).kind, DeclarationKind::LettingDomain(_))
            }
            _ => false,
        };
        let is_numbered = self.model.is_unnamed(named) && (is_open || is_other);
        let known = known.or_else(|| if is_numbered { unnamed_position(&named.name, &unquoted(name)) } else { None });
        // Without a list in the model or the data, the members of these types are `T_1`, `T_2`, …
        let is_counted = match &self.model.declaration(DeclarationId(named.id)).kind {
            _ if self.listed.contains(&named.id) => false,
            DeclarationKind::Enum(members) => {
                self.model.is_unnamed(named) && members.first() == Some(&unnamed_member(&named.name, 1))
            }
            _ => named.unnamed,
        };
        let other_spelling = || match name.starts_with('"') {
            true => position(&unquoted(name)),
            false => position(&quoted(name)),
        };
        let known = known.or_else(|| if is_open { other_spelling() } else { None });
        let position = match known {
            // A plan can name every member of such a type, so an unknown name is a mistake.
            None if self.model.takes_strangers && is_new && !is_counted => self.stranger(name, named),
            None if is_counted && is_new && self.names.nearest(name).is_none() => {
                let (ty, first) = (&named.name, unnamed_member(&named.name, 1));
                let help = format!(
                    "the members of `{ty}` are `{first}` and so on; to name them otherwise, write \
                     `letting {ty} be new type enum {{{name}, …}}`"
                );
                self.unknown(name, span, Some(help));
                return Expr::wrong(span);
            }
            None => return self.name(name, span),
            Some(position) => position,
        };
        Expr::constant(Value::Int(position), Type::Named(named.clone()), span)
    }

    /// Returns the position for a member that a type does not have, after its last member; see
    /// [`MemberNames::add_strangers`](crate::language::print::MemberNames::add_strangers).
    pub(super) fn stranger(&mut self, name: &Name, named: &NamedType) -> i64 {
        let id = DeclarationId(named.id);
        let members = match &self.model.declaration(id).kind {
            DeclarationKind::Enum(members) => members.len() as i64,
            _ => LARGEST_TYPE,
        };
        let strangers = self.strangers.entry(id).or_default();
        let known = strangers.iter().position(|known| unquoted(known) == unquoted(name));
        let at = known.unwrap_or_else(|| {
            strangers.push(name.clone());
            strangers.len() - 1
        });
        members + 1 + at as i64
    }

    fn named_domain_as_operand(&mut self, domain: &ExprDomain, ty: Type, span: Span) -> Expr {
        if !self.copies.admit(&mut self.reports, ExprSize::of_domain(domain), span) {
            return Expr::wrong(span);
        }
        Expr::new(ExprKind::Domain(Box::new(domain.clone())), domain_type(ty), Category::Parameter, span)
    }

    fn global(&mut self, id: DeclarationId, span: Span) -> Expr {
        let declaration = self.model.declaration(id);
        let ty = declaration.ty.clone();
        let category = match &declaration.kind {
            DeclarationKind::Given(_) => Category::Parameter,
            DeclarationKind::Find(_) if self.is_in_other_solution() => return self.in_other_solution(id, span),
            DeclarationKind::Find(_) => Category::Decision,
            DeclarationKind::Letting(value) if self.is_in_other_solution() && value.category == Category::Decision => {
                return self.letting_in_other_solution(id, span);
            }
            DeclarationKind::Letting(value) => value.category,
            DeclarationKind::LettingDomain(domain) => {
                let domain = domain.clone();
                return self.named_domain_as_operand(&domain, ty, span);
            }
            DeclarationKind::Enum(_) | DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_) => {
                let kind = ExprKind::Domain(Box::new(ExprDomain::Int(Ints::Named(id, Vec::new()))));
                return Expr::new(kind, domain_type(ty), Category::Parameter, span);
            }
        };
        Expr::new(ExprKind::Global(id), ty, category, span)
    }

    /// Reports an unknown name.
    pub(super) fn unknown(&mut self, name: &str, span: Span, help: Option<String>) {
        // If the members of a type are missing, which is reported, any name may be one of them.
        if self.names.open_types {
            return;
        }
        // Trials compare only codes and spans, so they need no help.
        if self.on_trial {
            self.reports.add(Diagnostic::error(Code::UNKNOWN_NAME, "on trial").at(span, ""));
            return;
        }
        // Each further use of an unknown name becomes a label of the first report.
        if let Some(report) =
            self.names.unknown.get(name).and_then(|position| self.reports.diagnostics.get_mut(*position))
            && report.code == Code::UNKNOWN_NAME
        {
            report.also(span, "used here, too");
            if let Some(text) = report.edits.first().map(|edit| edit.text.clone()) {
                report.edits.push(Edit { span, text });
            }
            return;
        }
        if self.names.unknown.len() >= MOST_UNKNOWN {
            self.further_unknown(span);
            return;
        }
        self.names.unknown.insert(name.into(), self.reports.diagnostics.len());
        let mistake = Diagnostic::error(Code::UNKNOWN_NAME, format!("the name `{name}` is not declared"));
        let is_given =
            |declaration: &&super::model::Declaration| matches!(declaration.kind, DeclarationKind::GivenEnum);
        let given = self.model.declarations.iter().find(is_given).filter(|_| !self.in_parameters);
        if name.starts_with('"') {
            self.names.report_string(&mut self.reports, name, span, given.map(|given| &*given.name));
            return;
        }
        let near = self.names.nearest(name).map(str::to_owned);
        // For the lexer, `x²` is a single name.
        let power = [('²', 2), ('³', 3)].into_iter().find_map(|(sign, power)| Some((name.strip_suffix(sign)?, power)));
        let literal = [("true", "True"), ("true", "TRUE"), ("false", "False"), ("false", "FALSE")];
        let literal = literal.into_iter().find(|(_, written)| *written == name);
        let mistake = if let Some((literal, _)) = literal {
            let edits = vec![Edit { span, text: literal.to_owned() }];
            Diagnostic { edits, ..mistake.at(span, "not declared").help(format!("write `{literal}`")) }
        } else if matches!(name, "None" | "null" | "nil" | "undefined") {
            mistake.at(span, "not declared").help(
                "Essence has no value for \"nothing\": write `{}` for the empty set, or ask whether `x in defined(f)`",
            )
        } else if let Some((base, power)) = power {
            let edits = vec![Edit { span, text: format!("({base} ** {power})") }];
            Diagnostic { edits, ..mistake.at(span, "another name").help(format!("write `{base} ** {power}`")) }
        } else if let Some(help) = help {
            mistake.at(span, "not declared").help(help)
        } else if let Some(later) = self.names.somewhere.get(name) {
            mistake
                .at(span, "not declared yet")
                .at(*later, "declared here, further down")
                .help(format!("move the declaration of `{name}` before this"))
                .note("declare each name before you use it")
        } else if let Some(known) = near.clone() {
            let place = self.names.place(&known).filter(|_| !self.in_parameters);
            let mistake = mistake.at(span, "not declared").help(format!("did you mean `{known}`?"));
            let mistake = Diagnostic { edits: vec![Edit { span, text: known.clone() }], ..mistake };
            match place {
                Some(place) if name.chars().count() > 2 => mistake.at(place, format!("`{known}` is declared here")),
                _ => mistake,
            }
        } else if self.in_parameters {
            mistake.at(span, "not declared").help("write the value itself, or name it in an earlier `letting`")
        } else {
            mistake.at(span, "not declared").help(format!(
                "declare it first: `find {name} : …`, `given {name} : …` or `letting {name} be …`; a quantifier \
                binds it \
                 with `forAll {name} : … . …`"
            ))
        };
        let mistake = match given.filter(|_| near.is_none()) {
            Some(given) => mistake.note(in_parameters_only(&given.name)),
            None => mistake,
        };
        self.reports.add(mistake);
    }

    /// Reports an unknown name after [`MOST_UNKNOWN`] others. That many usually have one cause, such as a type whose
    /// members are missing.
    fn further_unknown(&mut self, span: Span) {
        let message = "more names are not declared";
        let earlier = self.names.further_unknown.and_then(|report| self.reports.diagnostics.get_mut(report));
        match earlier.filter(|report| report.message == message) {
            Some(report) => report.also(span, "not declared"),
            None => {
                self.names.further_unknown = Some(self.reports.diagnostics.len());
                self.reports.add(Diagnostic::error(Code::UNKNOWN_NAME, message).at(span, "not declared"));
            }
        }
    }

    /// Binds a name to a fresh local until its scope is left.
    pub(super) fn new_local(
        &mut self,
        name: &Identifier,
        ty: &Type,
        category: Category,
        origin: LocalOrigin,
    ) -> LocalId {
        let id = LocalId(self.model.locals.len() as u32);
        self.model.locals.push(origin);
        self.model.local_names.push(Local { name: name.text.clone(), span: name.span, ty: ty.clone() });
        self.names.known.bind(name.text.clone(), (NameMeaning::Local(id, ty.clone(), category), name.span));
        id
    }
}

fn domain_type(members: Type) -> Type {
    Type::Domain(Arc::new(members))
}
