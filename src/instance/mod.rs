//! The instance of a model: its expressions on values, and its parameters bound.
//!
//! [`evaluate`] computes expressions, [`ground`] domains; both need an [`Environment`] that says what
//! names stand for. The same evaluation folds what does not depend on decisions and checks every solution
//! against the model as it was written.

mod attribute;
mod comprehension;
mod environment;
mod evaluate;
mod ground;
mod transform;

pub use attribute::domain_of;
pub use comprehension::{MOST_BINDINGS, Yield, bind, for_each_binding, generate, members_of};
pub use environment::Environment;
pub use evaluate::{collection, evaluate};
pub use ground::ground;
