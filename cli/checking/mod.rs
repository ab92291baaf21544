//! Commands that check and improve: models and data, solutions, test cases, several models or two files, proofs and
//! certificates.

pub(crate) mod ask;
pub(crate) mod certificate;
pub(crate) mod compare;
pub(crate) mod diff;
pub(crate) mod improve;
pub(crate) mod proof;
pub(crate) mod review;
pub(crate) mod streamline;
pub(crate) mod test;
pub(crate) mod type_check;
pub(crate) mod validate_solution;
