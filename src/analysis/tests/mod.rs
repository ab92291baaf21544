//! Models with the messages that they must get, and the reference implementation's own tests.

mod corpus;
