//! How the fuzz targets change their inputs ([`mutate`]). What they check is in `properties.rs`, which is compiled into
//! `conjure_like` itself.

pub mod mutate;
