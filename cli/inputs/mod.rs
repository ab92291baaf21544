//! The inputs of commands: models, parameter files, tables, workbooks, and options shared by several commands.
//!
//! A command gets an [`Invocation`](invocation::Invocation) and reads files into it. You may add a form of data here;
//! the meaning of its values belongs in `tables` and `pipeline` of the library.

pub(crate) mod conjure;
pub(crate) mod digest;
pub(crate) mod instances;
pub(crate) mod invocation;
pub(crate) mod named_table;
pub(crate) mod roles;
pub(crate) mod sheets;
pub(crate) mod what_if;
