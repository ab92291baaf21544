//! Commands that explain an instance: `why`, `hint` and `explore`.

pub(crate) mod explore;
pub(crate) mod hint;
pub(crate) mod why;
