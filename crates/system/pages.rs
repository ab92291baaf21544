//! Large pages for Z3's contexts, on Linux.
//!
//! A context allocates two hash tables of 8 MB each at its start. Their 4,000 small pages took most of the time of a
//! small problem: 7 of 16 ms. Eight large pages suffice, and the system gives them to programs that request them.
//!
//! Z3 allocates with `malloc`. The program's function of that name takes precedence over the C library's, also in
//! libraries that are loaded later. It requests large pages only while a context is made, and only for large blocks.

use std::{
    cell::Cell,
    ffi::c_void,
    mem,
    sync::atomic::{AtomicPtr, Ordering},
};
use z3_sys::{Z3_config, Z3_context};

/// A block of this size contains a large page, wherever it starts.
const LARGE: usize = 4 << 20;
/// An upper bound of the system's page size.
const PAGE: usize = 64 << 10;

type MakeContext = unsafe extern "C" fn(Z3_config) -> Option<Z3_context>;

static MAKE_CONTEXT: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    static MAKES_CONTEXT: Cell<bool> = const { Cell::new(false) };
}

/// Replaces the function that makes contexts with one that requests large pages.
pub(crate) fn for_contexts(make: &AtomicPtr<()>) {
    MAKE_CONTEXT.store(make.load(Ordering::Relaxed), Ordering::Relaxed);
    make.store(make_context as MakeContext as *mut (), Ordering::Relaxed);
}

unsafe extern "C" fn make_context(config: Z3_config) -> Option<Z3_context> {
    // SAFETY: the address is Z3's function, which `for_contexts` has stored before this function could be called.
    let make: MakeContext = unsafe { mem::transmute(MAKE_CONTEXT.load(Ordering::Relaxed)) };
    MAKES_CONTEXT.set(true);
    // SAFETY: the caller passes a valid configuration, as Z3's own function requires.
    let context = unsafe { make(config) };
    MAKES_CONTEXT.set(false);
    context
}

unsafe extern "C" {
    /// The C library's function, under a name that programs do not define.
    fn __libc_malloc(size: usize) -> *mut c_void;
}

// SAFETY: each block comes from the C library, which also frees it.
#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: the size is the caller's.
    let block = unsafe { __libc_malloc(size) };
    if size >= LARGE && MAKES_CONTEXT.get() && !block.is_null() {
        let start = (block as usize).next_multiple_of(PAGE);
        let length = block as usize + size - start;
        // SAFETY: the range is inside the block, whose contents stay as they are. A refusal only costs time.
        unsafe { libc::madvise(start as *mut c_void, length, libc::MADV_HUGEPAGE) };
    }
    block
}
