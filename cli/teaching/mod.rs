//! Commands for people who do not write the model: `app`, `grade` and `embed`.

pub(crate) mod app;
pub(crate) mod grade;
