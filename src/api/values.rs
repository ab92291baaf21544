//! Parameter files and solutions without their model.

use super::{
    Model, Report, Text, Value,
    stack::{Deep, deep},
};
use crate::{
    analysis::{model::UnitDirective, units::PartUnits},
    diagnostic::Diagnostics,
    json::spaced,
    language::{Name, quotation::unquoted},
    pipeline::{self, TextContent},
    solution::JsonShape,
    source::Sources,
    syntax::{
        ast::{File, LettingValue, StatementKind},
        print,
    },
};

/// The values of names in a parameter file or a solution, in their order.
///
/// ```
/// use conjure_like::{Text, Values};
///
/// let read = |text: &str| Values::read(None, &Text::new("a.param", text));
/// let (one, other) = (read("letting s be {2, 1, 2}  letting n be 3")?, read("letting n be 4  letting s be {1, 2}")?);
/// assert_eq!(one.differences(&other), ["n"]);
/// assert_eq!(one.to_json(), r#"{"s": [1, 2], "n": 3}"#);
/// # Ok::<(), conjure_like::Report>(())
/// ```
#[derive(Debug)]
pub struct Values {
    file: Deep<File>,
    content: TextContent,
    units: Vec<UnitDirective>,
    /// The values with a unit in the model, for display.
    in_units: Vec<(Name, String)>,
}

impl Values {
    /// Reads values in Essence or JSON. JSON has a meaning only with a model. In Essence, undeclared names are taken
    /// for members of types that the model knows.
    ///
    /// # Errors
    ///
    /// Returns the errors in the text, or an error for JSON without a model.
    pub fn read(model: Option<&Model>, text: &Text) -> Result<Self, Report> {
        deep(|| {
            let mut sources = model.map_or_else(Sources::default, |model| model.sources.clone());
            let source = text.add_to(&mut sources);
            let mut warnings = Diagnostics::new();
            let read = match model {
                None => pipeline::values_file(&sources, source, &mut warnings).and_then(|file| {
                    let file = Deep::new(file);
                    let content = pipeline::values_alone(&file, &mut warnings)?;
                    Ok(Values { content, file, units: Vec::new(), in_units: Vec::new() })
                }),
                Some(model) => {
                    let read = pipeline::values_of_model(&sources, model.typed(), None, source, &mut warnings);
                    let units = model.typed().units.clone();
                    read.map(|read| {
                        let in_units = read.in_units(&units);
                        Values { content: read.content(), file: Deep::new(read.file), units, in_units }
                    })
                }
            };
            read.map_err(|halt| Report::halted(&sources, warnings, halt))
        })
    }

    /// The names with their values, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.content.values.iter().map(|(name, value)| (&**name, value))
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// The names whose values differ or that only one of the texts has, sorted.
    pub fn differences<'a>(&'a self, other: &'a Values) -> Vec<&'a str> {
        let (mine, theirs) = (self.iter().map(|(name, _)| name), other.iter().map(|(name, _)| name));
        let mut names: Vec<&str> = mine.chain(theirs).filter(|name| self.get(name) != other.get(name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The value of a name for display, on one line: in its unit if the model declares one, and otherwise in Essence.
    pub fn shown(&self, name: &str) -> Option<String> {
        let in_units = self.in_units.iter().find(|(other, _)| **other == *name);
        in_units.map(|(_, shown)| shown.clone()).or_else(|| self.essence(name))
    }

    /// The value of a name in Essence, on one line.
    pub fn essence(&self, name: &str) -> Option<String> {
        let value = self.file.statements.iter().find_map(|statement| match &statement.kind {
            StatementKind::Letting { names, value: LettingValue::Expr(value) } => {
                names.iter().any(|other| *other.text == *name).then_some(value)
            }
            _ => None,
        })?;
        Some(print::expr(value, usize::MAX))
    }

    /// Returns a file in Essence with at most `width` columns.
    pub fn to_essence(&self, width: usize) -> String {
        print::print_file(&self.file, width)
    }

    /// Returns a JSON object with a member for each name: the members of a type, or a value, in which integers with a
    /// unit are decimal numbers. Domains are left out.
    pub fn to_json(&self) -> String {
        let types = self.content.types.iter().map(|(name, members)| (name.clone(), members.as_slice().into()));
        let values = self.iter().map(|(name, value)| {
            let units = &mut PartUnits::of(&self.units, name);
            (name.to_owned(), value.in_units(JsonShape::Conjure, units))
        });
        spaced(&types.chain(values).map(|(name, value)| (unquoted(&name).into_owned(), value)).collect())
    }

    /// The names of domains, for which JSON has no notation.
    pub fn domains(&self) -> impl Iterator<Item = &str> {
        self.content.domains.iter().map(String::as_str)
    }
}
