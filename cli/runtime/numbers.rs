//! Value parsers for whole numbers.

use std::{
    ops::{Bound, RangeBounds},
    str::FromStr,
};

/// The value parser of an option that takes a whole number within a range.
pub(crate) fn whole_number<T: FromStr>(
    range: impl RangeBounds<i128> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse::<i128>() {
        Ok(number) if range.contains(&number) => {
            number.to_string().parse().map_err(|_| "the number is too large".to_owned())
        }
        _ => Err(range_in_words(&range)),
    }
}

/// Describes a range: `a whole number from 1 to 100`.
fn range_in_words(range: &impl RangeBounds<i128>) -> String {
    let end = |bound| match bound {
        Bound::Included(end) | Bound::Excluded(end) => Some(end),
        Bound::Unbounded => None,
    };
    match (end(range.start_bound()), end(range.end_bound())) {
        (Some(first), Some(last)) => format!("a whole number from {first} to {last}"),
        (Some(first), None) => format!("a whole number of at least {first}"),
        _ => "a whole number".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Arguments;
    use clap::{Arg, Command, CommandFactory, error::ErrorKind};

    /// Words of Rust's messages about invalid numbers.
    const RAW: [&str; 8] =
        ["digit", "literal", "non-zero", "not in", "too large to fit", "too small", "empty string", "target type"];

    /// Calls `visit` for each option of a command and its subcommands, with the words of the subcommand.
    fn options(command: &Command, path: &[String], visit: &mut dyn FnMut(&[String], &Arg)) {
        command.get_arguments().filter(|arg| arg.get_action().takes_values()).for_each(|arg| visit(path, arg));
        for inner in command.get_subcommands() {
            options(inner, &[path, &[inner.get_name().to_owned()]].concat(), visit);
        }
    }

    #[test]
    fn what_is_not_a_number_is_told_in_words() {
        let mut refused = 0;
        let mut command = Arguments::command();
        // Building a command adds the global options to it.
        command.build();
        options(&command, &["conjure-like".to_owned()], &mut |path, option| {
            let Some(name) = option.get_long() else { return };
            for value in ["x", "", "0", "-1", "1.5", "99999999999999999999", "-99999999999999999999"] {
                let words = path.iter().cloned().chain([format!("--{name}={value}")]);
                let Err(error) = Arguments::command().try_get_matches_from(words) else { continue };
                let text = error.to_string();
                refused += usize::from(matches!(error.kind(), ErrorKind::ValueValidation));
                assert!(RAW.iter().all(|raw| !text.contains(raw)), "{text}");
            }
        });
        assert!(refused > 50, "{refused} values were refused");
    }
}
