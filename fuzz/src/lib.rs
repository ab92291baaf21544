//! The mutations of the fuzz targets ([`mutate`]). The properties that they check are in `properties.rs`, which is
//! compiled into `conjure_like` itself.

pub mod mutate;
