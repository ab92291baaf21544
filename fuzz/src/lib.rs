//! What the fuzz targets check ([`properties`]), and how they change their inputs ([`mutate`]).
//!
//! An input with several files separates them with [`SEPARATOR`].

pub mod mutate;
pub mod properties;

/// The line between the model and its data.
pub const SEPARATOR: &str = "%%%%\n";
