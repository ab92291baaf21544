//! Reads single cells: Booleans, integers and members of types.

use super::text::ABOUT;
use crate::{
    analysis::json::{self, MemberTexts, MembersByType},
    analysis::model::{DeclarationId, TypedModel},
    diagnostic::Suggestions,
    language::{
        Name, NamedType, Type, Value,
        print::{unnamed_member, unnamed_number, unnamed_position},
        quotation::{quoted, unquoted},
        unit::{Misfit, Unit, between_steps, is_whole},
    },
    syntax::parse::name_of,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    borrow::Cow,
    ops::RangeInclusive,
    sync::{Arc, Mutex, PoisonError},
};

/// The rule by which the texts of a column become integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CellKind {
    /// Whole numbers.
    #[default]
    Plain,
    /// Times of the day, in minutes.
    Time,
    /// Dates, as the number of days since this one.
    Date(i64),
    /// Decimal numbers in a unit.
    Unit(Unit),
}

impl CellKind {
    /// Returns the kind that a word after `@` names.
    pub(super) fn named(word: &str) -> Option<CellKind> {
        match word {
            "time" => Some(CellKind::Time),
            "date" => Some(CellKind::Date(0)),
            // Essence counts from 1, so the named day is day 1.
            _ => match word.strip_prefix("date=") {
                Some(first) => days(first).map(|first| CellKind::Date(first - 1)),
                None => Unit::read(word).map(CellKind::Unit),
            },
        }
    }

    /// Describes the values of a column of this kind.
    pub(super) fn words(self) -> String {
        match self {
            CellKind::Plain => "whole numbers".to_owned(),
            CellKind::Time => "times in minutes".to_owned(),
            CellKind::Date(_) => "dates in days".to_owned(),
            CellKind::Unit(unit) => format!("numbers in steps of {unit}"),
        }
    }
}

/// The reason why a text is not a value of a type, with help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellMistake {
    pub what: String,
    pub help: String,
}

impl CellMistake {
    /// Returns the mistake for a cell with a formula but no value.
    pub(super) fn formula(text: &str) -> Self {
        let what = format!("the value of the formula `{text}` is not stored");
        let help = "open the table in a spreadsheet and save it, which stores the values; write an apostrophe before a \
                    text that only looks like a formula";
        CellMistake { what, help: help.to_owned() }
    }
}

fn mistake<T>(what: impl Into<String>, help: impl Into<String>) -> Result<T, CellMistake> {
    Err(CellMistake { what: what.into(), help: help.into() })
}

/// The texts in an earlier plan that are no longer members of their type, in the order of their occurrence. All tables
/// of a plan share them, so that equal texts are equal values.
#[derive(Clone, Debug, Default)]
pub(super) struct Strangers(Arc<Mutex<FxHashMap<u32, Vec<Name>>>>);

impl Strangers {
    /// The index of a text among the strangers of a type; a new text is added only if `adds` is set.
    fn place(&self, named: &NamedType, text: &str, adds: bool) -> Option<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let names = all.entry(named.id).or_default();
        let known = names.iter().position(|name| unquoted(name) == text);
        if known.is_none() && adds {
            names.push(name_of(text));
            return Some(names.len() - 1);
        }
        known
    }

    fn text(&self, named: &NamedType, position: usize) -> Option<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(unquoted(all.get(&named.id)?.get(position)?).into_owned())
    }

    pub(super) fn of_types(&self, model: &TypedModel) -> Vec<(Name, Vec<Name>)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().map(|(id, names)| (model.declaration(DeclarationId(*id)).name.clone(), names.clone())).collect()
    }
}

/// The members of the types that occur in a table, indexed by their texts.
#[derive(Debug, Default)]
pub(super) struct KnownMembers {
    /// The former members, if a text need not be a current member, as in an earlier plan.
    strangers: Option<Strangers>,
    /// The unnamed types with numbered members, which a plan cannot extend.
    counted: FxHashSet<u32>,
    members: FxHashMap<u32, Arc<MemberTexts>>,
    /// For each type, the members that start or end with blanks, indexed by the trimmed text.
    trimmed: FxHashMap<u32, FxHashMap<String, usize>>,
    suggestions: Suggestions,
}

impl KnownMembers {
    /// Returns the members of all types inside a type; `None` if the members of one of these are unknown.
    pub(super) fn of(
        model: &TypedModel,
        members: &MembersByType,
        strangers: &Strangers,
        ty: &Type,
    ) -> Option<KnownMembers> {
        let strangers = model.takes_strangers.then(|| strangers.clone());
        let mut known = KnownMembers { strangers, ..KnownMembers::default() };
        known.add(model, members, ty).then_some(known)
    }

    fn add(&mut self, model: &TypedModel, members: &MembersByType, ty: &Type) -> bool {
        match ty {
            Type::Named(named) => {
                let known = json::known_texts(model, members, named);
                let is_known = known.is_some();
                let texts = known.iter().flat_map(|known| known.texts()).enumerate();
                // Only texts with outer blanks differ from their trimmed form, so only these need an entry.
                let trimmed = texts.filter(|(_, text)| text.trim() != text);
                let trimmed = trimmed.map(|(at, text)| (text.trim().to_owned(), at)).collect();
                self.trimmed.insert(named.id, trimmed);
                let first = known.as_ref().and_then(|known| known.names.first());
                if model.is_unnamed(named) && first == Some(&unnamed_member(&named.name, 1)) {
                    self.counted.insert(named.id);
                }
                self.members.extend(known.map(|known| (named.id, known)));
                // If no data list the members of an unnamed type, they are numbered.
                is_known || named.unnamed
            }
            Type::Tuple(parts) | Type::Matrix(parts) | Type::Collection(_, parts) => {
                parts.iter().all(|part| self.add(model, members, part))
            }
            Type::Record(fields) | Type::Variant(fields) => {
                fields.iter().all(|(_, part)| self.add(model, members, part))
            }
            _ => true,
        }
    }

    /// The position of a member. Blanks around the text matter only if they distinguish two members.
    fn position(&self, named: &NamedType, text: &str) -> Option<i64> {
        let numbered = || unnamed_position(&named.name, text.trim()).or_else(|| unnamed_number(text.trim()));
        let Some(members) = self.members.get(&named.id) else { return numbered() };
        let trimmed = || self.trimmed.get(&named.id)?.get(text.trim()).copied();
        // The exact text has priority, because `"a "` and `"a"` may be two members.
        let at = members.position(text).or_else(|| members.position(text.trim())).or_else(trimmed);
        match at {
            Some(at) => i64::try_from(at + 1).ok(),
            None if named.unnamed => {
                numbered().filter(|at| usize::try_from(*at).is_ok_and(|at| at <= members.names.len()))
            }
            None => None,
        }
        // In an earlier plan, the text may be a former member, which a previous cell has added.
        .or_else(|| self.stranger(named, text, false))
    }

    /// Returns true if the table is an earlier plan, in which other texts than members are allowed.
    pub(super) fn are_of_plan(&self) -> bool {
        self.strangers.is_some()
    }

    /// The position of a text that is not a member; such positions follow the members.
    fn stranger(&self, named: &NamedType, text: &str, adds: bool) -> Option<i64> {
        let members = self.members.get(&named.id).filter(|_| !self.counted.contains(&named.id))?.names.len();
        let place = self.strangers.as_ref()?.place(named, text.trim(), adds)?;
        i64::try_from(members + 1 + place).ok()
    }

    fn unknown(&self, named: &NamedType, text: &str) -> CellMistake {
        const MOST: usize = 9;
        let known = self.members.get(&named.id);
        let help = match known.and_then(|known| known.nearest(text, &self.suggestions)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_none() => {
                let first = unnamed_member(&named.name, 1);
                format!("the members of `{}` are `{}` and so on", named.name, unquoted(&first))
            }
            None => {
                let texts = known.into_iter().flat_map(|known| known.texts());
                let listed: Vec<String> = texts.take(MOST).map(|text| format!("`{text}`")).collect();
                let more = if known.is_some_and(|known| known.names.len() > MOST) { ", …" } else { "" };
                format!("write one of the members of `{}`: {}{more}", named.name, listed.join(", "))
            }
        };
        CellMistake { what: format!("`{text}` is not a member of `{}`", named.name), help }
    }

    /// Returns the text of a cell for a value without parts.
    pub(super) fn text(&self, value: &Value, ty: &Type) -> String {
        match (value, ty) {
            (Value::Int(at), Type::Named(named)) => {
                let text = self.members.get(&named.id).and_then(|members| {
                    let place = usize::try_from(at - 1).ok()?;
                    let stranger = || self.strangers.as_ref()?.text(named, place.checked_sub(members.names.len())?);
                    members.text(place).map(Cow::into_owned).or_else(stranger)
                });
                text.unwrap_or_else(|| unquoted(&unnamed_member(&named.name, *at)).into_owned())
            }
            (Value::Int(value), _) => value.to_string(),
            (Value::Bool(value), _) => value.to_string(),
            (Value::Tuple(items), Type::Tuple(types)) => {
                let each = items.iter().zip(types.iter()).map(|(item, ty)| self.text(item, ty));
                each.collect::<Vec<_>>().join(", ")
            }
            _ => String::new(),
        }
    }

    /// Reads a value without parts.
    pub(super) fn value(&self, text: &str, ty: &Type, kind: CellKind) -> Result<Value, CellMistake> {
        if text.is_empty() {
            return mistake("the cell is empty", format!("write {}", wanted_in_words(ty, kind)));
        }
        match ty {
            Type::Bool => parse_boolean(text.trim()).map(Value::Bool),
            Type::Named(named) => match self.position(named, text) {
                Some(at) => Ok(Value::Int(at)),
                None => Err(self.unknown(named, text)),
            },
            _ => parse_number(text.trim(), kind).map(Value::Int),
        }
    }

    /// Reads the value of a cell. In an earlier plan, a text that is not a member counts as a former member.
    pub(super) fn value_or_stranger(&self, text: &str, ty: &Type, kind: CellKind) -> Result<Value, CellMistake> {
        match ty {
            Type::Named(named) if !text.is_empty() && self.position(named, text).is_none() => {
                self.stranger(named, text, true).map(Value::Int).ok_or_else(|| self.unknown(named, text))
            }
            _ => self.value(text, ty, kind),
        }
    }
}

/// Describes the text to write in a cell.
fn wanted_in_words(ty: &Type, kind: CellKind) -> String {
    match (ty, kind) {
        (Type::Bool, _) => "`true` or `false`, `yes` or `no`, 1 or 0".to_owned(),
        (Type::Named(named), _) => format!("a member of `{}`", named.name),
        (_, CellKind::Plain) => "a whole number".to_owned(),
        (_, CellKind::Time) => "a time such as `08:30`".to_owned(),
        (_, CellKind::Date(_)) => "a date such as `2026-11-02`".to_owned(),
        (_, CellKind::Unit(unit)) => format!("a number such as `{}`", unit.shown(1234)),
    }
}

pub(super) fn parse_boolean(text: &str) -> Result<bool, CellMistake> {
    let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match (is(&["true", "yes", "1"]), is(&["false", "no", "0"])) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => mistake(
            format!("`{text}` is neither true nor false"),
            format!("write {}", wanted_in_words(&Type::Bool, CellKind::Plain)),
        ),
    }
}

fn parse_number(text: &str, kind: CellKind) -> Result<i64, CellMistake> {
    let help = || format!("write {}", wanted_in_words(&Type::INT, kind));
    match kind {
        CellKind::Time => match minutes(text) {
            Some(minutes) => Ok(minutes),
            None => mistake(format!("`{text}` is not a time in hours and minutes"), help()),
        },
        CellKind::Date(before) => match days(text) {
            Some(days) => Ok(days - before),
            None => mistake(format!("`{text}` is not a date"), help()),
        },
        // A wrong guess would change the number by a factor of 1000.
        CellKind::Unit(_) if may_have_thousands(text) => mistake(
            format!("the comma of `{text}` may stand before decimals or between thousands"),
            "write a point before decimals, and nothing between thousands",
        ),
        CellKind::Unit(unit) => match unit.steps(&with_point(text)) {
            Ok(steps) if json::is_integer(steps) => Ok(steps),
            Err(Misfit::BetweenSteps) => mistake(
                between_steps(text, &with_point(text), unit),
                "round the value, or declare a smaller unit".to_owned(),
            ),
            Err(Misfit::NotDecimal) => mistake(format!("`{text}` is not a decimal number"), help()),
            _ => {
                let (what, help) = json::too_large_number(text, Some(unit));
                mistake(what, help)
            }
        },
        CellKind::Plain => match json::parse_integer(text) {
            Some(value) => Ok(value),
            None if is_whole(text) => {
                let (what, help) = json::too_large_number(text, None);
                mistake(what, help)
            }
            None => mistake(format!("`{text}` is not a whole number"), plain_help(text)),
        },
    }
}

/// Returns help for a text that is not a whole number.
fn plain_help(text: &str) -> String {
    if text.starts_with(ABOUT) {
        "the spreadsheet may have lost the last digits: write the number as a text, with an apostrophe in front"
            .to_owned()
    } else if minutes(text).is_some() {
        "write `@time` after the name of the column to read times as minutes".to_owned()
    } else if days(text).is_some() {
        "write `@date` after the name of the column to read dates as days".to_owned()
    } else if Unit::read(with_point(text).trim_start_matches('-')).is_some() {
        "write a unit after the name of the column, as in `price@0.01`, or in the model: `$ unit price: 0.01`"
            .to_owned()
    } else {
        "write a whole number, as in `12`".to_owned()
    }
}

/// Splits a text of digits at its only comma.
fn after_comma(text: &str) -> Option<(&str, &str)> {
    let (whole, digits) = text.split_once(',')?;
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (are_digits(whole.trim_start_matches('-')) && are_digits(digits)).then_some((whole, digits))
}

/// Returns true if a text has two readings as a number, as `1,234` does: 1.234 or 1234.
fn may_have_thousands(text: &str) -> bool {
    let is_group = |whole: &str| whole.len() <= 3 && !whole.starts_with('0');
    after_comma(text).is_some_and(|(whole, digits)| digits.len() == 3 && is_group(whole.trim_start_matches('-')))
}

/// Replaces a decimal comma with a point, because the spreadsheets of many countries write commas.
fn with_point(text: &str) -> Cow<'_, str> {
    after_comma(text).map_or(Cow::Borrowed(text), |(whole, digits)| format!("{whole}.{digits}").into())
}

/// Parses a time such as `08:30` or `08:30:00` to minutes.
fn minutes(text: &str) -> Option<i64> {
    let part = |text: &str, most: i64| -> Option<i64> {
        // `parse` alone would accept a sign.
        let is_short = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|value| is_short && *value <= most)
    };
    let mut parts = text.split(':');
    // Shifts may end on the next day, so more than 24 hours are allowed.
    let (hours, minutes) = (part(parts.next()?, 99)?, part(parts.next()?, 59)?);
    match (parts.next(), parts.next()) {
        // Nonzero seconds would be lost, so they are refused.
        (None, _) | (Some("00" | "0"), None) => Some(hours * 60 + minutes),
        _ => None,
    }
}

/// The number of days from 1970-01-01 to a date such as `2026-11-02` or `2.11.2026`, in the Gregorian calendar.
fn days(text: &str) -> Option<i64> {
    let number = |text: &str, lengths: RangeInclusive<usize>| -> Option<i64> {
        let fits = lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| fits)
    };
    let mut parts = text.split(['-', '.']);
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
    let (year, month, day) = match text.contains('.') {
        // In a date with points, the day is always first.
        true if !text.contains('-') => (number(third, 4..=4)?, number(second, 1..=2)?, number(first, 1..=2)?),
        true => return None,
        false => (number(first, 4..=4)?, number(second, 2..=2)?, number(third, 2..=2)?),
    };
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = |month: i64| match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let is_date = (1..=12).contains(&month) && (1..=length(month)).contains(&day);
    if parts.next().is_some() || !is_date {
        return None;
    }
    // Leap years count up to the year before; a leap day of the year itself belongs to its months.
    let leap_days = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let years = 365 * (year - 1970) + leap_days(year - 1) - leap_days(1969);
    Some(years + (1..month).map(length).sum::<i64>() + day - 1)
}

/// The name of a column as it is typed on the command line.
pub(super) fn shown_column(column: &str) -> String {
    if column.contains([',', '"']) { quoted(column) } else { column.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_dates_are_days() {
        assert_eq!(["08:30", "8:30:00", "00:00", "24:00"].map(minutes), [Some(510), Some(510), Some(0), Some(1440)]);
        assert!(
            ["8", "8:60", "8:5:30", "a:b", "-1:00", "8:30:00:00", "8h30"].iter().all(|text| minutes(text).is_none())
        );
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2000-03-01"), Some(11017));
        assert_eq!(days("2026-11-24"), Some(20781));
        assert_eq!(days("1969-12-31"), Some(-1));
        assert!(
            ["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "1.2.26", "01/02/2026", "1.2-2026", "29.2.2026"]
                .iter()
                .all(|text| days(text).is_none())
        );
        assert_eq!(["24.11.2026", "1.1.1970"].map(days), [Some(20781), Some(0)]);
        assert_eq!(CellKind::named("date=2026-11-02"), Some(CellKind::Date(20758)));
        assert_eq!(parse_number("2026-11-03", CellKind::Date(20758)), Ok(2));
    }

    #[test]
    fn decimals_have_a_point_or_a_comma() {
        let cents = |text| parse_number(text, CellKind::Unit(Unit::read("0.01").expect("a unit")));
        assert_eq!(["12.50", "12,50", "-0,5", "1234,5"].map(cents), [Ok(1250), Ok(1250), Ok(-50), Ok(123_450)]);
        assert_eq!(parse_number("0,125", CellKind::Unit(Unit::read("0.125").expect("a unit"))), Ok(1));
        let refused = ["1,234", "-12,345", "1,234.50", "1.234,50", "12,", ",5", "1,2,3"].map(cents);
        assert!(refused.iter().all(Result::is_err), "{refused:?}");
    }
}
