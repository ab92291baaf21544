//! Conjure's own tests as a reference: `CONJURE_TESTS=FOLDER cargo test --release --test conjure -- --ignored`.
//!
//! They are not part of this repository: the environment variable names the folder `tests` of a checkout of Conjure.
//! `solve` compares solutions, `parse` round-trips texts and compares trees, `accept` compares which models are
//! accepted.

mod accept;
mod files;
mod parse;
mod solve;
