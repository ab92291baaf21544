//! Models in which constraints can name the members of enumerated types from the data, and of unnamed types.

use super::{Model, Report, Text, stack::deep};
use crate::{
    diagnostic::Diagnostics,
    language::{Name, NamedType, print::unnamed_member},
    pipeline,
    source::{SourceId, Sources, Span},
    syntax::{
        ast::{Identifier, LettingValue, StatementKind},
        json,
    },
};
use serde_json::{Map, Value};

impl Model {
    /// Returns the model with the enumerated types from the data as declared types, so that requirements can name their
    /// members, and the remaining data. A type that is declared in one statement with others is left alone.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "given staff new type enum\nfind boss : staff"))?;
    /// let (model, data) = model.with_members_of(&[Text::table("staff.csv", "name\nMia\nZoë Ø\n", "staff", "")])?;
    /// assert!(model.requiring(&["boss = \"Zoë Ø\"".to_owned()])?.instance(&data).is_ok());
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors in the data.
    pub fn with_members_of(&self, data: &[Text]) -> Result<(Model, Vec<Text>), Report> {
        let given = self.read.file.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::GivenEnum { names } => Some((names, statement.span)),
            _ => None,
        });
        let Text { mut text, .. } = self.text();
        let given: Vec<(&Vec<Identifier>, Span)> = given.filter(|(_, span)| is_alone(&text, *span)).collect();
        if given.is_empty() {
            return Ok((self.clone(), data.to_vec()));
        }
        let mut left = data.to_vec();
        let lists = deep(|| {
            let mut sources = self.sources.clone();
            let ids: Vec<SourceId> = data.iter().map(|text| text.add_to(&mut sources)).collect();
            let mut warnings = Diagnostics::new();
            let files = pipeline::read_parameters(self.typed(), &sources, &ids, &mut warnings);
            files.map_err(|halt| Report::halted(&sources, warnings, halt))
        })?;
        let members = |name: &Identifier| {
            let statements = lists.iter().flat_map(|file| &file.statements);
            // The parameters were read with the model, so values in tables and JSON are `letting`s, too.
            let found = statements.filter_map(|statement| match &statement.kind {
                StatementKind::Letting { names, value: LettingValue::Enum(members) } => {
                    names.iter().any(|other| other.text == name.text).then_some(members)
                }
                _ => None,
            });
            let listed =
                |members: &Vec<Identifier>| enumerated(&name.text, members.iter().map(|member| member.text.clone()));
            found.map(listed).next()
        };
        // The loop runs from the last declaration to the first, so that the spans of earlier ones stay valid.
        for (names, span) in given.into_iter().rev() {
            let declared: Option<Vec<String>> = names.iter().map(members).collect();
            let rest = names.iter().try_fold(left.clone(), |left, name| data_without_value(left, &name.text));
            // The types of a statement are replaced only if all of them can be.
            if let (Some(declared), Some(rest)) = (declared, rest) {
                text.replace_range(span.start as usize..span.end as usize, &declared.join(" "));
                left = rest;
            }
        }
        Ok((self.with_text(text)?, left))
    }

    /// Returns the model in which requirements and earlier plans can name the members of all types, enumerated by the
    /// data or unnamed; and the remaining data.
    ///
    /// # Errors
    ///
    /// Returns the errors in the data, and names that would be declared twice.
    pub fn with_members(&self, data: &[Text], plans: &[Text]) -> Result<(Model, Vec<Text>), Report> {
        let (model, data) = self.with_members_of(data)?;
        Ok((model.with_unnamed_members(&data, plans)?, data))
    }

    /// Returns the model with names for the members of its unnamed types, as in its solutions, so that requirements can
    /// name them: the names from the data, or else from an earlier plan, or else `T_1`. Symmetry breaking ignores these
    /// types. A type that is declared in one statement with others is left alone.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "letting bird be new type of size 2\nfind first : bird"))?;
    /// let model = model.with_unnamed_members(&[], &[])?;
    /// assert!(model.requiring(&["first = bird_2".to_owned()])?.instance(&[]).is_ok());
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a name would be declared twice.
    pub fn with_unnamed_members(&self, data: &[Text], plans: &[Text]) -> Result<Model, Report> {
        let Text { mut text, .. } = self.text();
        let unnamed = self.read.file.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Letting { names, value: LettingValue::Unnamed(_) } => Some((names, statement.span)),
            _ => None,
        });
        let unnamed: Vec<(&Vec<Identifier>, Span)> = unnamed.filter(|(_, span)| is_alone(&text, *span)).collect();
        if unnamed.is_empty() {
            return Ok(self.clone());
        }
        let (environment, known) = deep(|| {
            let mut sources = self.sources.clone();
            // If several texts list the members of a type, the first list counts, so data precede plans.
            let ids: Vec<SourceId> = data.iter().chain(plans).map(|text| text.add_to(&mut sources)).collect();
            pipeline::known_values(self.typed(), &sources, &ids)
        });
        let made = |name: &Identifier| {
            let id = self.typed().id_of(&name.text)?.0;
            let size = environment.size_of_type(id)?;
            let named = NamedType { name: name.text.clone(), id, unnamed: true };
            let listed = known.listed(&named);
            // A plan may have fewer or more members than the type. Missing ones get numbered names that the plan does
            // not use.
            let places = (listed.len() as i64 + 1..=size).chain(1..=size);
            let numbered = places.map(|position| unnamed_member(&name.text, position));
            let numbered = numbered.filter(|member| !listed.contains(member));
            let members = listed.iter().cloned().chain(numbered).take(size as usize);
            Some(enumerated(&name.text, members.map(|member| self.typed().free_name(member))))
        };
        let mut decided = self.read.file.decided.clone();
        for (names, span) in unnamed.into_iter().rev() {
            let Some(made) = names.iter().map(made).collect::<Option<Vec<String>>>() else { continue };
            text.replace_range(span.start as usize..span.end as usize, &made.join(" "));
            decided.extend(names.iter().map(|name| name.text.clone()));
        }
        self.with_text_and(text, &decided, self.read.file.prices)
    }
}

/// Returns true if a declaration is the only one in its statement.
fn is_alone(text: &str, span: Span) -> bool {
    let (before, behind) = (&text[span.start as usize..], text[span.end as usize..].trim_start());
    before.starts_with(['g', 'l']) && !behind.starts_with(',')
}

/// Returns the declaration of an enumerated type.
fn enumerated(name: &str, members: impl Iterator<Item = Name>) -> String {
    let members: Vec<Name> = members.collect();
    format!("letting {name} be new type enum {{{}}}", members.join(", "))
}

/// Returns the data without the value of a parameter, or without the members of a type; `None` if they cannot be
/// removed.
pub(super) fn data_without_value(data: Vec<Text>, name: &str) -> Option<Vec<Text>> {
    let mut left = Vec::with_capacity(data.len());
    for text in data.into_iter().flat_map(Text::into_tables) {
        match text.table_use() {
            Some(table) if table.parameter == name => {}
            Some(_) => left.push(text),
            None if json::is_json(&text.text) => {
                let mut object: Map<String, Value> = serde_json::from_str(&text.text).ok()?;
                left.push(match object.shift_remove(name) {
                    Some(_) => Text::new(text.name, Value::Object(object).to_string()),
                    None => text,
                });
            }
            None => left.push(without_letting(text, name)?),
        }
    }
    Some(left)
}

/// Returns a parameter file without the value of a parameter.
fn without_letting(text: Text, name: &str) -> Option<Text> {
    let mut sources = Sources::default();
    let id = text.add_to(&mut sources);
    let file = deep(|| pipeline::parse_text(&sources, id, &mut Diagnostics::new())).ok()?;
    let list = file.statements.iter().find_map(|statement| match &statement.kind {
        StatementKind::Letting { names, .. } => {
            names.iter().any(|other| *other.text == *name).then_some((names.len(), statement.span))
        }
        _ => None,
    });
    let Some((count, span)) = list else { return Some(text) };
    let (start, end) = (span.start as usize, span.end as usize);
    let is_alone = count == 1 && text.text[start..].starts_with("letting");
    if !is_alone || text.text[end..].trim_start().starts_with(',') {
        return None;
    }
    let mut rest = text.text.clone();
    // With blanks instead of the text, later errors have the right spans.
    let blank: String = rest[start..end].chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
    rest.replace_range(start..end, &blank);
    Some(Text::new(text.name, rest))
}
