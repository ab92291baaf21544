//! The outputs of commands: solutions, explanations, records and statistics in each format.
//!
//! Programs read these formats. You may add members and formats; those that exist keep their names and meaning.

pub(crate) mod answer;
pub(crate) mod blocks;
pub(crate) mod csv;
pub(crate) mod records;
pub(crate) mod solutions;
pub(crate) mod statistics;
pub(crate) mod workbook;
