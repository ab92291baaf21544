//! Recursion follows the input, and the parser lets that nest deeply: all work is done on a stack that suffices for it.

use crate::{memory, solver};

/// Runs something on a stack that suffices for everything that the parser admits.
pub(crate) fn deep<T>(run: impl FnOnce() -> T) -> T {
    memory::with_deep_stack(run)
}

/// Something nested that is dropped on such a stack, too.
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
        let nested = self.0.take();
        deep(|| drop(nested));
    }
}

/// Whether a panic on this thread happened because the system refused memory: for a stack, or for Z3. Call it in a
/// panic hook.
pub fn lacks_memory() -> bool {
    memory::stack_is_refused() || solver::lacks_memory()
}
