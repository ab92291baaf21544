//! Conjure's own tests as a yardstick: `CONJURE_TESTS=FOLDER cargo test --release --test conjure`.
//!
//! They are not part of this repository: the environment variable names the folder `tests` of a checkout of
//! Conjure. Without it these tests say so and pass. The last word of the command selects a module: `solve`
//! compares solutions, `parse` parses and prints, `accept` compares which models are accepted.

mod accept;
mod files;
mod parse;
mod solve;
