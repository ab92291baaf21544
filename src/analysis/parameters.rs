//! Parameter files: the values of a model's `given`s.
//!
//! A parameter file consists of `letting`s, each of which may mention earlier ones and the members of the model's
//! enumerated types. Names that are not parameters are allowed if another `letting` uses them.

use super::{
    Analysis, Parameters, coerce,
    json::{self, MembersByType},
    model::{Category, Declaration, DeclarationId, DeclarationKind, Expr, ExprKind, TypedModel},
    names::NameMeaning,
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Edit, Suggestions, join_alike},
    language::{
        Name, NamedType, Type, Value,
        print::unnamed_position,
        quotation::{quoted, unquoted},
    },
    source::Span,
    syntax::{
        ast::{self, Identifier, LettingValue, StatementKind},
        parse,
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The state of reading the parameter files of a model.
struct ParameterReader<'m, 'd> {
    /// The analysis of the files, with its own copy of the model's declarations for the names that a parameter file may
    /// use.
    analysis: Analysis<'d>,
    model: &'m TypedModel,
    parameters: Parameters,
    /// The spans of the types whose members were read before their text.
    listed: FxHashSet<Span>,
    /// The span at which each parameter got its value.
    given: FxHashMap<DeclarationId, Span>,
    /// The names of `letting`s that are not parameters, each with `true` if the user typed it on the command line.
    extra: Vec<(Identifier, bool)>,
    /// The keys of records that are not fields.
    unneeded: Vec<Identifier>,
    /// The opening brace of the JSON object with the data.
    object: Option<Span>,
    is_typed: bool,
    suggestions: Suggestions,
}

pub(crate) fn analyse_parameters(model: &TypedModel, files: &[ast::File], diagnostics: &mut Diagnostics) -> Parameters {
    let before = diagnostics.len();
    let analysis = Analysis { in_parameters: true, ..Analysis::new(model.clone(), diagnostics) };
    let mut reader = ParameterReader {
        analysis,
        model,
        parameters: Parameters::default(),
        listed: FxHashSet::default(),
        given: FxHashMap::default(),
        extra: Vec::new(),
        unneeded: Vec::new(),
        object: files.iter().find_map(|file| file.object),
        is_typed: false,
        suggestions: Suggestions::default(),
    };
    reader.names_of_the_model();
    // The first files may consist of lists of members, which mention no other names.
    let are_members = |statement: &ast::Statement| {
        matches!(&statement.kind, StatementKind::Letting { value: LettingValue::Enum(_), .. })
    };
    for file in files.iter().skip_while(|file| file.statements.iter().all(are_members)) {
        reader.analysis.names.declared_somewhere(file);
    }
    // A type whose members are missing is reported once, below, so its members must not be reported as unknown names.
    let is_listed = |name: &Name| {
        let statements = files.iter().flat_map(|file| &file.statements);
        statements.filter(|statement| are_members(statement)).any(|statement| match &statement.kind {
            StatementKind::Letting { names, .. } => names.iter().any(|listed| listed.text == *name),
            _ => false,
        })
    };
    let is_open = |declaration: &Declaration| {
        matches!(declaration.kind, DeclarationKind::GivenEnum) && !is_listed(&declaration.name)
    };
    reader.analysis.names.open_types |= !model.takes_strangers && model.declarations.iter().any(is_open);
    for file in files {
        reader.analysis.reports.mended.extend(&file.mended);
        reader.broken(file);
    }
    for (ty, names) in files.iter().flat_map(|file| &file.strangers) {
        if let Some(Type::Named(named)) = model.id_of(ty).map(|id| &model.declaration(id).ty) {
            names.iter().for_each(|name| {
                reader.analysis.stranger(name, named);
            });
        }
    }
    for (file, at) in files.iter().zip(1..) {
        // The values may mention members from later files, so the types in all later files are read first.
        files[at..].iter().for_each(|later| reader.types(later));
        reader.is_typed = file.is_typed;
        reader.file(file);
        reader.known_values(file);
        reader.extra.extend(file.undeclared.iter().map(|name| (name.clone(), file.is_typed)));
        reader.unneeded.extend_from_slice(&file.unneeded);
        for (name, positional) in &file.positional {
            reader.parameters.positional.extend(model.id_of(name).map(|id| (id, *positional)));
        }
    }
    // An earlier plan may lack values for parameters that were added later.
    if !model.takes_strangers {
        reader.what_is_missing(files.is_empty());
    }
    reader.parameters.strangers = std::mem::take(&mut reader.analysis.strangers);
    let parameters = reader.parameters;
    // If many entries of a large file have the same mistake, they share one report.
    join_alike(diagnostics, before);
    parameters
}

impl ParameterReader<'_, '_> {
    /// Declares the enumerated and unnamed types with their members, and the domains.
    fn names_of_the_model(&mut self) {
        for (declaration, id) in self.model.declarations.iter().zip(0..) {
            let names = &mut self.analysis.names;
            match &declaration.kind {
                DeclarationKind::Enum(members) => {
                    names.declare(declaration.name.clone(), NameMeaning::Global(DeclarationId(id)), declaration.span);
                    let named = NamedType { name: declaration.name.clone(), id, unnamed: false };
                    for (member, position) in members.iter().zip(1..) {
                        names.declare(member.clone(), NameMeaning::Member(named.clone(), position), declaration.span);
                    }
                }
                DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_) | DeclarationKind::LettingDomain(_) => {
                    names.declare(declaration.name.clone(), NameMeaning::Global(DeclarationId(id)), declaration.span);
                }
                _ => {}
            }
        }
    }

    /// Records the parameters whose values could not be read; they have been reported.
    fn broken(&mut self, file: &ast::File) {
        for name in &file.broken {
            if let Some(id) = self.model.id_of(&name.text) {
                // The members are unknown, so any name may be one of them.
                self.analysis.names.open_types |= matches!(self.model.declaration(id).kind, DeclarationKind::GivenEnum);
                self.given.insert(id, name.span);
            }
            let meaning = NameMeaning::Value(Arc::new(Expr::wrong(name.span)));
            self.analysis.names.declare(name.text.clone(), meaning, name.span);
        }
    }

    /// Adds values that are known already, such as the values from a table.
    fn known_values(&mut self, file: &ast::File) {
        for ast::KnownValue { name, value, origin } in &file.known {
            let Some(id) = self.model.id_of(&name.text) else { continue };
            if self.is_first(id, name) {
                let (ty, span) = (self.model.declaration(id).ty.clone(), name.span);
                let value = Expr { kind: ExprKind::Constant(value.clone()), ty, category: Category::Constant, span };
                self.analysis.names.declare(name.text.clone(), NameMeaning::Global(id), span);
                self.parameters.values.push((id, value));
                self.parameters.origins.insert(id, origin.clone());
            }
        }
    }

    /// Reads the members that a file lists for types of the model.
    fn types(&mut self, file: &ast::File) {
        for statement in &file.statements {
            let StatementKind::Letting { names, value: value @ LettingValue::Enum(_) } = &statement.kind else {
                continue;
            };
            for name in names {
                match self.model.id_of(&name.text) {
                    Some(id) if !self.listed.contains(&name.span) => {
                        self.listed.insert(name.span);
                        self.known(id, name, value);
                    }
                    _ => {}
                }
            }
        }
    }

    fn file(&mut self, file: &ast::File) {
        self.analysis.has_strange_indices = file.object.is_some();
        let is_given =
            |kind: &StatementKind| matches!(kind, StatementKind::Given { .. } | StatementKind::GivenEnum { .. });
        let is_letting = |kind: &StatementKind| matches!(kind, StatementKind::Letting { .. });
        // Among data, a `given` only repeats the model and is superfluous. Without data, the file is probably a model.
        let are_data = file.statements.iter().all(|statement| is_given(&statement.kind) || is_letting(&statement.kind))
            && file.statements.iter().any(|statement| is_letting(&statement.kind));
        for statement in &file.statements {
            match &statement.kind {
                StatementKind::Letting { names, value } => self.letting(names, value),
                _ if are_data => {
                    let mistake = Diagnostic::error(
                        Code::PARAMETER_STATEMENT,
                        "a parameter file cannot hold a `given` statement",
                    )
                    .at(statement.span, "belongs in the model")
                    .help("leave it out");
                    let edits = vec![Edit { span: statement.span, text: String::new() }];
                    self.analysis.reports.add(Diagnostic { edits, ..mistake });
                }
                other => {
                    self.foreign_statement(other, statement.span);
                    // If a model is given instead of a parameter file, this is one mistake.
                    return;
                }
            }
        }
    }

    fn foreign_statement(&mut self, statement: &StatementKind, span: Span) {
        let word = match statement {
            StatementKind::Given { .. } | StatementKind::GivenEnum { .. } => "given",
            StatementKind::Find { .. } => "find",
            StatementKind::SuchThat(_) => "such that",
            StatementKind::Where(_) => "where",
            StatementKind::Objective { sense, .. } => sense.keyword(),
            StatementKind::Dominance { form, .. } => form.keyword(),
            StatementKind::Incomparability { .. } => "incomparability_function",
            StatementKind::BranchingOn(_) => "branching on",
            StatementKind::Heuristic(_) => "heuristic",
            StatementKind::Letting { .. } => "letting",
        };
        let mistake =
            Diagnostic::error(Code::PARAMETER_STATEMENT, format!("a parameter file cannot hold a `{word}` statement"))
                .at(span, "belongs in a model")
                .note("a parameter file holds only `letting` statements");
        self.analysis.reports.add(mistake.help("if this file is the model, name it first: MODEL, then PARAMETERS"));
    }

    fn letting(&mut self, names: &[Identifier], value: &LettingValue) {
        for name in names {
            match self.model.id_of(&name.text) {
                Some(_) if self.listed.contains(&name.span) => {}
                Some(id) => self.known(id, name, value),
                None => self.unknown(name, value),
            }
        }
    }

    /// Reads a `letting` of a name that the model declares.
    fn known(&mut self, id: DeclarationId, name: &Identifier, value: &LettingValue) {
        let model = self.model;
        let declaration = model.declaration(id);
        match (&declaration.kind, value) {
            (DeclarationKind::Given(_), LettingValue::Expr(value)) => {
                if !self.is_first(id, name) {
                    return;
                }
                // If a literal has a wrong entry, its report also shows the declaration of the parameter.
                self.analysis.given = Some((name.text.clone(), declaration.span));
                let value = self.analysis.with_intentions(value, &|analysis, value| {
                    analysis.value_of_parameter(value, &declaration.ty, name, declaration.span)
                });
                self.analysis.given = None;
                let meaning = match &value {
                    Some(_) => NameMeaning::Global(id),
                    // The name must stay declared, because its uses would cause further errors.
                    None => NameMeaning::Value(Arc::new(Expr::wrong(name.span))),
                };
                self.analysis.names.declare(name.text.clone(), meaning, name.span);
                self.parameters.values.extend(value.map(|value| (id, value)));
            }
            (DeclarationKind::GivenEnum, LettingValue::Enum(members)) => {
                if !self.is_first(id, name) {
                    return;
                }
                let named = NamedType { name: declaration.name.clone(), id: id.0, unnamed: false };
                let texts = self.analysis.declare_members(&named, members);
                // Values may mention the members from here on.
                self.analysis.model.declarations[id.0 as usize].kind = DeclarationKind::Enum(texts.clone());
                self.parameters.enums.push((id, texts, name.span));
            }
            (DeclarationKind::Unnamed(_), LettingValue::Enum(members)) => self.unnamed(id, name, members),
            // A plan lists the members that the type had then, but the model keeps its own.
            (kind, value) if model.takes_strangers && !matches!(kind, DeclarationKind::Given(_)) => {
                if matches!(value, LettingValue::Enum(_)) {
                    self.analysis.listed.insert(id.0);
                }
            }
            // A solution may repeat members that the model already has.
            (DeclarationKind::Enum(known), LettingValue::Enum(members))
                if self.model.decided.contains(&name.text)
                    && (members.iter().map(|member| &member.text).eq(known)
                        || members.len() == known.len()
                            && are_numbered(&name.text, members.iter().map(|member| &member.text))) => {}
            (DeclarationKind::Given(_), _) => {
                self.given.insert(id, name.span);
                self.wrong_kind(name, declaration.span, "a value: `letting … be …`", None);
            }
            (DeclarationKind::GivenEnum, _) => {
                self.given.insert(id, name.span);
                self.analysis.names.open_types = true;
                let wanted = "its members: `letting … be new type enum {…}`";
                self.wrong_kind(name, declaration.span, wanted, members_in_braces(name, value));
            }
            (kind, _) => {
                let what = match kind {
                    DeclarationKind::Find(_) => "a decision variable: the solver finds its value",
                    _ => "fixed by the model",
                };
                self.analysis.reports.add(
                    Diagnostic::error(Code::UNEXPECTED_PARAMETER, format!("`{}` is {what}", name.text))
                        .at(name.span, "not a parameter")
                        .at(declaration.span, "declared here")
                        .help(format!(
                            "leave this statement out, or declare the name in the model: `given {} : …`",
                            name.text
                        )),
                );
            }
        }
    }

    /// Reads a list of the members of an unnamed type, as solutions have it.
    fn unnamed(&mut self, id: DeclarationId, name: &Identifier, members: &[Identifier]) {
        let texts = || members.iter().map(|member| &member.text);
        let again = self.parameters.unnamed.iter().any(|(known, names, _)| *known == id && texts().eq(names));
        if again || self.is_numbered_again(id, name, members) || !self.is_first(id, name) {
            return;
        }
        // `T_1`, `T_2`, … need no declaration, and another name may be equal to one of them.
        let texts = if are_numbered(&name.text, texts()) {
            texts().cloned().collect()
        } else {
            let declared = self.model.declaration(id).name.clone();
            self.analysis.declare_members(&NamedType { name: declared, id: id.0, unnamed: true }, members)
        };
        self.parameters.unnamed.push((id, texts, name.span));
    }

    /// Returns true if the members of an unnamed type have been listed already and one of the two lists only numbers
    /// them, as solutions do. The list with names is kept.
    fn is_numbered_again(&mut self, id: DeclarationId, name: &Identifier, members: &[Identifier]) -> bool {
        let mut known = self.parameters.unnamed.iter_mut();
        let known = known.find(|(known, names, _)| *known == id && names.len() == members.len());
        let Some((_, names, span)) = known else { return false };
        if are_numbered(&name.text, members.iter().map(|member| &member.text)) {
            return true;
        }
        if !are_numbered(&name.text, names.iter()) {
            return false;
        }
        let named = NamedType { name: name.text.clone(), id: id.0, unnamed: true };
        (*names, *span) = (self.analysis.declare_members(&named, members), name.span);
        true
    }

    fn wrong_kind(&mut self, name: &Identifier, declared: Span, wanted: &str, help: Option<String>) {
        let mistake = Diagnostic::error(Code::PARAMETER_TYPE, format!("the parameter `{}` needs {wanted}", name.text))
            .at(name.span, "this is something else")
            .at(declared, "declared here");
        self.analysis.reports.add(match help {
            Some(help) => mistake.help(help),
            None => mistake,
        });
    }

    /// Returns true if a parameter gets its first value, and reports a second one.
    fn is_first(&mut self, id: DeclarationId, name: &Identifier) -> bool {
        let Some(first) = self.given.insert(id, name.span) else { return true };
        self.analysis.reports.add(
            Diagnostic::error(Code::DUPLICATE_NAME, format!("the parameter `{}` has two values", name.text))
                .at(name.span, "the second one")
                .at(first, "the first one"),
        );
        false
    }

    /// Reads a `letting` of a name that the model does not declare.
    fn unknown(&mut self, name: &Identifier, value: &LettingValue) {
        let meaning = match value {
            LettingValue::Expr(value) => {
                let value = self.analysis.expr(value);
                if self.model.takes_strangers && !value.is_wrong() {
                    self.parameters.undeclared.push((name.text.clone(), value.clone()));
                }
                NameMeaning::Value(Arc::new(value))
            }
            LettingValue::Domain(domain) => {
                let domain = self.analysis.domains().domain(domain);
                NameMeaning::Domain(Arc::new(domain.domain), domain.ty)
            }
            LettingValue::Enum(members) => {
                // Other superfluous values may mention these members, so they are declared, but without a value.
                for member in members {
                    let meaning = NameMeaning::Value(Arc::new(Expr::wrong(member.span)));
                    self.analysis.names.declare(member.text.clone(), meaning, member.span);
                }
                NameMeaning::Value(Arc::new(Expr::wrong(name.span)))
            }
            LettingValue::Unnamed(_) => NameMeaning::Value(Arc::new(Expr::wrong(name.span))),
        };
        if self.analysis.declare_name(name, meaning) {
            self.extra.push((name.clone(), self.is_typed));
        }
    }

    /// Returns the names of the parameters of a kind that have no value yet.
    fn open_parameters(&self, wanted: fn(&DeclarationKind) -> bool) -> Vec<&str> {
        let declarations = self.model.declarations.iter().zip(0..);
        let open = declarations
            .filter(|(declaration, id)| wanted(&declaration.kind) && !self.given.contains_key(&DeclarationId(*id)));
        open.map(|(declaration, _)| &*declaration.name).collect()
    }

    /// Reports unused `letting`s and parameters without a value. A misspelt parameter is both, and is reported once.
    fn what_is_missing(&mut self, no_file: bool) {
        let mut misspelt: FxHashSet<String> = FxHashSet::default();
        let mut unneeded: Vec<Identifier> = Vec::new();
        for (name, is_typed) in std::mem::take(&mut self.extra) {
            if self.analysis.names.is_used(&name.text) {
                continue;
            }
            let open =
                self.open_parameters(|kind| matches!(kind, DeclarationKind::Given(_) | DeclarationKind::GivenEnum));
            let open = open.into_iter().filter(|open| !misspelt.contains(*open));
            let meant = self.suggestions.nearest(&name.text, open).map(str::to_owned);
            if meant.is_none() && !is_typed {
                unneeded.push(name);
                continue;
            }
            let mistake =
                Diagnostic::error(Code::UNEXPECTED_PARAMETER, format!("the model has no parameter `{}`", name.text))
                    .at(name.span, "not a parameter");
            let mistake = match meant {
                Some(meant) => {
                    let declared = self.model.declarations.iter().find(|declaration| *declaration.name == *meant);
                    let mistake = mistake.help(format!("did you mean `{meant}`, which has no value?"));
                    // The parameter must not be reported as missing, too.
                    misspelt.insert(meant);
                    match declared {
                        Some(declared) => mistake.at(declared.span, "declared here"),
                        None => mistake,
                    }
                }
                None => mistake.help("leave it out, or declare it in the model with `given`"),
            };
            self.analysis.reports.add(mistake);
        }
        for (declaration, id) in self.model.declarations.iter().zip(0..) {
            let is_missing = matches!(declaration.kind, DeclarationKind::Given(_) | DeclarationKind::GivenEnum)
                && !self.given.contains_key(&DeclarationId(id))
                && !misspelt.contains(&*declaration.name);
            if is_missing {
                let mistake = self.missing(declaration, no_file);
                self.analysis.reports.add(mistake);
            }
        }
        unneeded.append(&mut self.unneeded);
        self.analysis.reports.diagnostics.extend(what_is_not_needed(&unneeded));
    }

    /// Returns the error that a parameter has no value.
    fn missing(&self, declaration: &Declaration, no_file: bool) -> Diagnostic {
        let name = &declaration.name;
        let mistake = Diagnostic::error(Code::MISSING_PARAMETER, format!("the parameter `{name}` has no value"))
            .at(declaration.span, "declared here");
        let is_type = matches!(declaration.kind, DeclarationKind::GivenEnum);
        let wanted = match is_type {
            true => format!("letting {name} be new type enum {{…}}"),
            false => format!("letting {name} be …"),
        };
        match self.object {
            Some(brace) => {
                let value = match is_type {
                    true => "[\"red\", \"green\"]".to_owned(),
                    false => json::json_example(self.model, &MembersByType::default(), &declaration.ty),
                };
                mistake
                    .at(brace, format!("this object has no key `{}`", quoted(&unquoted(name))))
                    .help(format!("add a value to the object, as in `{}: {value}`", quoted(&unquoted(name))))
            }
            None if no_file => mistake.help(format!("name a parameter file after the model, with `{wanted}` in it")),
            None => mistake.help(format!("write `{wanted}` in the parameter file")),
        }
    }
}

/// Returns the warning that the data have values for names that the model does not declare.
fn what_is_not_needed(names: &[Identifier]) -> Option<Diagnostic> {
    /// A longer list is truncated. Chosen.
    const MOST_NAMES: usize = 8;
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let distinct: Vec<&str> = names.iter().map(|name| &*name.text).filter(|name| seen.insert(name)).collect();
    let (last, others) = distinct.split_last()?;
    let shown: Vec<String> = distinct.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    let list = match others.len() {
        0 => format!("`{last}`"),
        count if count < MOST_NAMES => format!("{} and `{last}`", shown[..count].join(", ")),
        count => format!("{} and {} more", shown.join(", "), count + 1 - MOST_NAMES),
    };
    let mut warning = Diagnostic::warning(Code::UNNEEDED_VALUES, format!("the model does not need {list}"));
    for name in names.iter().take(1) {
        warning = warning.at(name.span, "not used");
    }
    for name in &names[1..] {
        warning.also(name.span, "not used");
    }
    Some(warning)
}

impl Analysis<'_> {
    /// Returns the value of a parameter if it has the declared type, and reports an error otherwise.
    fn value_of_parameter(
        &mut self,
        value: &ast::ExprTree,
        ty: &Type,
        name: &Identifier,
        declared: Span,
    ) -> Option<Expr> {
        let mistakes = self.reports.mistakes();
        let mut value = self.expr_expecting(value, &any_indices(ty));
        // The wrong entry has already been reported, by the parser or here, or it is a member of a type whose members
        // are unknown.
        if self.reports.mistakes() > mistakes || has_wrong_part(&value) || value.is_wrong() {
            return None;
        }
        // A matrix without elements fits any type of elements, even if its annotation has another one.
        let empty = match &value.kind {
            ExprKind::Constant(Value::Matrix(matrix)) => matrix.elements.is_empty(),
            ExprKind::Matrix(elements, _) => elements.is_empty(),
            _ => false,
        };
        if empty && matches!(ty, Type::Matrix(_)) {
            value.ty = ty.clone();
        }
        match any_indices(&value.ty).join(ty) {
            Some(joined) => {
                coerce::coerce(&mut value, &joined);
                Some(value)
            }
            None => {
                let mistake = Diagnostic::error(
                    Code::PARAMETER_TYPE,
                    format!("the parameter `{}` has type `{ty}`, but this is `{}`", name.text, value.ty),
                )
                .at(value.span, format!("this is `{}`", value.ty))
                .at(declared, format!("declared here as `{ty}`"));
                self.reports.add(match literal_of(ty) {
                    Some(form) => mistake.help(format!("write `{form}`")),
                    None => mistake,
                });
                None
            }
        }
    }
}

/// Returns an example of a literal of a type.
fn literal_of(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Collection(kind, _) => kind.row().example(),
        Type::Matrix(_) => "[x, y, …]",
        Type::Tuple(_) => "(x, y)",
        Type::Record(_) => "record {a = x, …}",
        Type::Variant(_) => "variant {a = x}",
        _ => return None,
    })
}

/// Returns the type with open index types: a matrix literal in a parameter file may be indexed from 1 whatever the
/// index type is.
fn any_indices(ty: &Type) -> Type {
    match ty {
        Type::Matrix(parts) => Type::matrix(Type::Any, any_indices(&parts[1])),
        other => other.map_parts(&any_indices),
    }
}

/// Returns true if an error in a part of the expression has been reported.
fn has_wrong_part(expr: &Expr) -> bool {
    let mut wrong = matches!(expr.kind, ExprKind::Wrong);
    expr.for_each_part(&mut |part| wrong |= has_wrong_part(part));
    wrong
}

/// Suggests `letting E be new type enum {a, b}` for a set of names.
fn members_in_braces(name: &Identifier, value: &LettingValue) -> Option<String> {
    let LettingValue::Expr(value) = value else { return None };
    let names = value.as_set()?.iter().map(|item| match &item.kind {
        // In JSON, strings are names in quotation marks.
        ast::ExprTreeKind::Name(name) => {
            Some(name.trim_matches('"')).filter(|name| parse::is_name(name)).or(Some(name))
        }
        _ => None,
    });
    let names = names.collect::<Option<Vec<&str>>>()?;
    Some(format!("write `letting {} be new type enum {{{}}}`", name.text, names.join(", ")))
}

/// Returns true if these are the numbered members of an unnamed type, `T_1`, `T_2`, …, as solutions have them.
fn are_numbered<'n>(ty: &str, members: impl Iterator<Item = &'n Name>) -> bool {
    members.zip(1..).all(|(member, at)| unnamed_position(ty, &unquoted(member)) == Some(at))
}
