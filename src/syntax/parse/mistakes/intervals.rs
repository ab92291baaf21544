//! Intervals of integers, as domains and in the notations of other languages.

/// The integers between two bounds.
pub(super) fn interval(low: &str, high: &str) -> String {
    format!("int({}..{})", low.trim(), high.trim())
}

/// The number before a bound that is itself not meant.
pub(super) fn before_last(bound: &str) -> String {
    let bound = bound.trim();
    match (bound.parse::<i64>(), bound.strip_suffix('1').map(str::trim_end).and_then(|rest| rest.strip_suffix('+'))) {
        (Ok(number), _) if number > i64::MIN => (number - 1).to_string(),
        (_, Some(rest)) if !rest.trim().is_empty() => rest.trim().to_owned(),
        _ => format!("{bound} - 1"),
    }
}

/// The number after a bound that is itself not meant.
pub(super) fn after_next(bound: &str) -> String {
    match bound.trim().parse::<i64>() {
        Ok(number) if number < i64::MAX => (number + 1).to_string(),
        _ => format!("{} + 1", bound.trim()),
    }
}

/// The domain of Python's `range(…)`, of which these are the arguments.
pub(super) fn range_of_python(arguments: &str) -> Option<String> {
    match arguments.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [high] if !high.is_empty() => Some(interval("0", &before_last(high))),
        [low, high] => Some(interval(low, &before_last(high))),
        _ => None,
    }
}
