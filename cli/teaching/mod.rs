//! Commands for people who do not write the model: `app`, `grade`, `embed` and `puzzle`.

pub(crate) mod app;
pub(crate) mod grade;
pub(crate) mod puzzle;
