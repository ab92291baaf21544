//! Checks requests against their schema, so that a misspelt member is an error with its position and the known names.
//!
//! Serde ignores unknown members of types with flattened parts, and its messages name Rust types.

use super::{refusal, request::Request};
use crate::{
    api::Report,
    diagnostic::{Code, Diagnostic, nearest},
};
use schemars::generate::SchemaSettings;
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value, error::Category};
use std::{fmt, sync::LazyLock};

/// Pages create their requests in TypeScript, with types from the same schema. Without this check, their engine is 50
/// kB smaller and answers 2 ms sooner.
const IN_PAGE: bool = cfg!(target_family = "wasm");

/// The schema of requests.
static SCHEMA: LazyLock<RequestSchema> = LazyLock::new(|| {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let request = generator.subschema_for::<Request>().to_value();
    RequestSchema { request, definitions: generator.take_definitions(true) }
});

struct RequestSchema {
    request: Value,
    definitions: Map<String, Value>,
}

/// The members that an object may have, with their schemas, and the names of the required ones.
#[derive(Default)]
struct ObjectMembers<'s> {
    members: Vec<(&'s str, &'s Value)>,
    required: Vec<&'s str>,
}

/// Reads a request from a line of JSON.
///
/// # Errors
///
/// Returns an error if the line is not JSON, or if an object has a member twice.
pub fn read_request(line: &str) -> Result<Value, Report> {
    serde_json::from_str(line).map(|DistinctMembers(request)| request).map_err(|error| match error.classify() {
        // The message ends with the line number, which is always 1 and is cut off.
        Category::Data => refusal(error.to_string().split(" at line ").next().unwrap_or_default()),
        _ => refusal(format!(
            "a request is a JSON object, but this line stops being valid JSON at column {}",
            error.column()
        )),
    })
}

/// Checks a request against the schema.
pub(super) fn check_request(request: &Value) -> Result<(), Report> {
    let Value::Object(members) = request else { return Err(refusal("a request is a JSON object")) };
    if IN_PAGE {
        return Ok(());
    }
    let verbs: Vec<(&str, &Value)> = SCHEMA.verbs().collect();
    let names = || verbs.iter().map(|(verb, _)| *verb);
    let verb = match members.get("verb") {
        None => return Err(mistake("a request needs a `verb`", listed("the verbs are", names()))),
        Some(Value::String(verb)) => verb,
        Some(_) => return Err(mistake("the `verb` of a request is a text", listed("the verbs are", names()))),
    };
    let Some((_, asked)) = verbs.iter().find(|(known, _)| known == verb) else {
        let help = suggestion(verb, names()).unwrap_or_else(|| listed("the verbs are", names()));
        return Err(mistake(format!("there is no verb `{verb}`"), help));
    };
    SCHEMA.object(members, &SCHEMA.members_of_request(asked), &format!("a request for `{verb}`"))
}

/// Returns true if requests with a verb accept a member.
pub(crate) fn takes_member(verb: &str, member: &str) -> bool {
    if IN_PAGE {
        return true;
    }
    let asked = SCHEMA.verbs().find(|(known, _)| *known == verb);
    asked.is_some_and(|(_, asked)| SCHEMA.members_of_request(asked).members.iter().any(|(known, _)| *known == member))
}

impl RequestSchema {
    /// The verbs with the schemas of their members.
    fn verbs(&self) -> impl Iterator<Item = (&str, &Value)> {
        alternatives(self.resolved(&self.request))
            .filter_map(|asked| Some((asked["properties"]["verb"]["const"].as_str()?, asked)))
    }

    /// The members of a request whose verb has this schema.
    fn members_of_request<'s>(&'s self, asked: &'s Value) -> ObjectMembers<'s> {
        let mut known = ObjectMembers::default();
        known.add(self, &self.request);
        known.add(self, asked);
        known
    }

    /// Resolves a reference to a schema.
    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
        name.and_then(|name| self.definitions.get(name)).unwrap_or(schema)
    }

    /// The alternatives of a schema, without `null`.
    fn forms<'s>(&'s self, schema: &'s Value) -> Vec<&'s Value> {
        let schema = self.resolved(schema);
        let forms: Vec<&Value> = alternatives(schema).flat_map(|form| self.forms(form)).collect();
        if forms.is_empty() { vec![schema] } else { forms }
    }

    /// Checks a value against the alternatives of a schema; `path` names the value in messages.
    fn value(&self, value: &Value, schema: &Value, path: &str) -> Result<(), Report> {
        let forms = self.forms(schema);
        let Some(form) = forms.iter().find(|form| fits(value, form)) else {
            if value.is_null() && forms.iter().all(|form| may_be(form, "null")) {
                return Ok(());
            }
            let mut words: Vec<String> = forms.iter().filter_map(|form| words(form)).collect();
            // Several alternatives may be objects, so the word is listed once.
            words.dedup();
            let mut error = refusal(format!("{path} is {}, not `{}`", words.join(" or "), shown(value)));
            let described = [schema, self.resolved(schema)].iter().find_map(|schema| schema["description"].as_str());
            error.diagnostics[0].notes.extend(described.map(|text| text.replace('\n', " ")));
            return Err(error);
        };
        match value {
            Value::Object(members) => {
                let mut known = ObjectMembers::default();
                let objects: Vec<&&Value> = forms.iter().filter(|form| may_be(form, "object")).collect();
                objects.iter().for_each(|form| known.add(self, form));
                // The object may have any keys, such as the names of parameters.
                if known.members.is_empty() {
                    return Ok(());
                }
                // Each alternative is an object with one member.
                if objects.len() > 1 {
                    // Each alternative requires its own member, and exactly one of them must be present.
                    known.required.clear();
                    if members.len() != 1 {
                        let names = known.members.iter().map(|(name, _)| *name);
                        return Err(refusal(listed(&format!("{path} is an object with one of the members"), names)));
                    }
                }
                self.object(members, &known, path)
            }
            Value::Array(items) => {
                let schema_at = |at: usize| form["prefixItems"].get(at).or_else(|| form.get("items"));
                for (at, item) in items.iter().enumerate() {
                    let Some(schema) = schema_at(at) else { break };
                    self.value(item, schema, &format!("entry {} of {path}", at + 1))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Checks the members of an object.
    fn object(&self, members: &Map<String, Value>, known: &ObjectMembers<'_>, path: &str) -> Result<(), Report> {
        let names = || known.members.iter().map(|(name, _)| *name);
        for (name, value) in members {
            let Some((_, schema)) = known.members.iter().find(|(known, _)| known == name) else {
                let help = suggestion(name, names()).unwrap_or_else(|| listed("its members are", names()));
                return Err(mistake(format!("{path} has no member `{name}`"), help));
            };
            self.value(value, schema, &format!("`{name}` of {path}"))?;
        }
        match known.required.iter().find(|name| !members.contains_key(**name)) {
            Some(missing) => Err(refusal(format!("{path} needs a member `{missing}`"))),
            None => Ok(()),
        }
    }
}

impl<'s> ObjectMembers<'s> {
    /// Adds the members of a schema and of the schema that it refers to.
    fn add(&mut self, all: &'s RequestSchema, schema: &'s Value) {
        for part in [schema, all.resolved(schema)] {
            for (name, member) in part["properties"].as_object().into_iter().flatten() {
                if !self.members.iter().any(|(known, _)| known == name) {
                    self.members.push((name, member));
                }
            }
            self.required.extend(part["required"].as_array().into_iter().flatten().filter_map(Value::as_str));
        }
    }
}

/// The alternatives of a schema; one of them must fit.
fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten()
}

/// Returns true if a schema accepts values of a JSON type.
fn may_be(schema: &Value, ty: &str) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.iter().any(|known| known == ty),
        known => known == ty,
    }
}

/// Returns true if a value fits a schema, without checking its parts.
fn fits(value: &Value, schema: &Value) -> bool {
    // A schema without these keys allows any JSON, such as the shape of a result.
    if ["type", "const", "enum"].iter().all(|key| schema.get(key).is_none()) {
        return true;
    }
    let is_known = |text: &str| match (&schema["const"], &schema["enum"]) {
        (Value::String(only), _) => only == text,
        (_, Value::Array(texts)) => texts.iter().any(|known| known == text),
        _ => may_be(schema, "string"),
    };
    match value {
        Value::Null => may_be(schema, "null"),
        Value::Bool(_) => may_be(schema, "boolean"),
        Value::Number(number) => {
            let is_whole = || match number.as_u64() {
                Some(number) => {
                    schema["minimum"].as_u64().is_none_or(|least| number >= least)
                        && most(schema).is_none_or(|most| number <= most)
                }
                None => number.is_i64() && schema.get("minimum").is_none(),
            };
            // `1.0` is a number, but not an integer of the protocol.
            may_be(schema, "number") || may_be(schema, "integer") && is_whole()
        }
        Value::String(text) => is_known(text),
        Value::Array(items) => {
            let bound = |key: &str| schema[key].as_u64().and_then(|bound| usize::try_from(bound).ok());
            may_be(schema, "array")
                && bound("minItems").is_none_or(|least| items.len() >= least)
                && bound("maxItems").is_none_or(|most| items.len() <= most)
        }
        Value::Object(_) => may_be(schema, "object"),
    }
}

/// The largest integer that a schema accepts.
fn most(schema: &Value) -> Option<u64> {
    (schema["format"] == "uint32").then_some(u32::MAX.into())
}

/// Describes the values of an alternative; `None` for `null`.
fn words(schema: &Value) -> Option<String> {
    if let Some(only) = schema["const"].as_str() {
        return Some(format!("`{only}`"));
    }
    if let Some(texts) = schema["enum"].as_array() {
        return Some(
            texts.iter().filter_map(Value::as_str).map(|text| format!("`{text}`")).collect::<Vec<_>>().join(" or "),
        );
    }
    let forms = [
        ("string", "a text".to_owned()),
        ("boolean", "`true` or `false`".to_owned()),
        ("number", "a number".to_owned()),
        (
            "integer",
            match (schema["minimum"].as_u64(), most(schema)) {
                (Some(least), Some(most)) => format!("a whole number from {least} to {most}"),
                (Some(least), None) => format!("a whole number of at least {least}"),
                _ => "a whole number".to_owned(),
            },
        ),
        (
            "array",
            match schema["minItems"].as_u64() {
                Some(count) => format!("a list of {count} entries"),
                None => "a list".to_owned(),
            },
        ),
        ("object", "an object".to_owned()),
    ];
    forms.into_iter().find(|(ty, _)| may_be(schema, ty)).map(|(_, words)| words)
}

/// The start of a value as text.
fn shown(value: &Value) -> String {
    // The user needs only enough to recognise the value in the request. Chosen.
    const MOST: usize = 40;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn mistake(message: impl Into<String>, help: String) -> Report {
    Diagnostic::error(Code::COMMAND_LINE, message).help(help).into()
}

fn suggestion<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}

fn listed<'n>(begin: &str, names: impl Iterator<Item = &'n str>) -> String {
    format!("{begin} {}", names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
}

/// A value in which no object has a member twice.
struct DistinctMembers(Value);

impl<'de> Deserialize<'de> for DistinctMembers {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(DistinctVisitor)
    }
}

struct DistinctVisitor;

impl<'de> Visitor<'de> for DistinctVisitor {
    type Value = DistinctMembers;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(DistinctMembers(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(DistinctMembers(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(DistinctMembers(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(DistinctMembers(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(DistinctMembers(value.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(DistinctMembers(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(DistinctMembers(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(DistinctMembers(list.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, DistinctMembers(value))) = members.next_entry::<String, _>()? {
            // For a repeated name, `serde_json` would silently keep the last value.
            if object.contains_key(&name) {
                return Err(A::Error::custom(format!("in a request, `{name}` is given twice")));
            }
            object.insert(name, value);
        }
        Ok(DistinctMembers(object.into()))
    }
}
