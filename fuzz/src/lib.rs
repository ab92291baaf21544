//! The mutations of the fuzz targets ([`mutate`]). Their properties are in `properties.rs`, which is compiled into
//! `conjure_like` itself.

pub mod mutate;
