//! A problem as text, for `--emit problem` and for tests.
