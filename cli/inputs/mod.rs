//! The inputs of commands: models, parameter files, tables, workbooks, and the options that several commands share.
//!
//! A command gets an [`Invocation`](invocation::Invocation), into which it reads files. You may add a form of data
//! here; how its values are read belongs in `tables` and `pipeline` of the library.

pub(crate) mod conjure;
pub(crate) mod digest;
pub(crate) mod instances;
pub(crate) mod invocation;
pub(crate) mod named_table;
pub(crate) mod roles;
pub(crate) mod sheets;
pub(crate) mod what_if;
