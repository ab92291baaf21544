//! Runs all work on a large stack: recursion follows the input, which the parser allows to nest deeply.

use crate::{memory, solver};

/// Runs a function on a stack that is large enough for every text that the parser accepts.
pub(crate) fn deep<T>(run: impl FnOnce() -> T) -> T {
    memory::with_deep_stack(run)
}

/// A nested value that is also dropped on such a stack.
#[derive(Clone, Debug)]
pub(crate) struct Deep<T>(Option<T>);

impl<T> Deep<T> {
    pub(crate) fn new(nested: T) -> Self {
        Deep(Some(nested))
    }
}

impl<T> std::ops::Deref for Deep<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("taken by `drop` alone")
    }
}

impl<T> std::ops::DerefMut for Deep<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("taken by `drop` alone")
    }
}

impl<T> Drop for Deep<T> {
    fn drop(&mut self) {
        // Dropping a nested value recurses as deeply as reading it does.
        let nested = self.0.take();
        deep(|| drop(nested));
    }
}

/// Returns true if a panic on this thread was caused by a lack of memory, for a stack or for Z3. Call it in a panic
/// hook.
pub fn lacks_memory() -> bool {
    memory::stack_is_refused() || solver::lacks_memory()
}
