//! Large pages for Z3's contexts, on Linux.
//!
//! A context makes two hash tables of 8 MB each before it holds anything. The 4,000 small pages that they take were
//! what most of the time of a small problem went to: 7 of 16 ms. Eight large pages are enough, and the system gives
//! them to programs that ask.
//!
//! Z3 gets its memory from `malloc`. The program's function of that name comes before the one of the C library, also
//! for libraries that are loaded later. It asks for large pages while a context is made, and for large blocks only.

use std::{
    cell::Cell,
    ffi::c_void,
    mem,
    sync::atomic::{AtomicPtr, Ordering},
};
use z3_sys::{Z3_config, Z3_context};

/// A block of this size has large pages in it, wherever it begins.
const LARGE: usize = 4 << 20;
/// The system's own pages are not larger than this many bytes.
const PAGE: usize = 64 << 10;

type MakeContext = unsafe extern "C" fn(Z3_config) -> Option<Z3_context>;

static MAKE_CONTEXT: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    static MAKES_CONTEXT: Cell<bool> = const { Cell::new(false) };
}

/// Lets contexts be made by a function that asks for large pages first.
pub(crate) fn for_contexts(make: &AtomicPtr<()>) {
    MAKE_CONTEXT.store(make.load(Ordering::Relaxed), Ordering::Relaxed);
    make.store(make_context as MakeContext as *mut (), Ordering::Relaxed);
}

unsafe extern "C" fn make_context(config: Z3_config) -> Option<Z3_context> {
    // SAFETY: the address is Z3's own function, and `for_contexts` has stored it before anybody could call this one.
    let make: MakeContext = unsafe { mem::transmute(MAKE_CONTEXT.load(Ordering::Relaxed)) };
    MAKES_CONTEXT.set(true);
    // SAFETY: the configuration is the caller's.
    let context = unsafe { make(config) };
    MAKES_CONTEXT.set(false);
    context
}

unsafe extern "C" {
    /// The C library's function under the name that no program takes.
    fn __libc_malloc(size: usize) -> *mut c_void;
}

// SAFETY: each block comes from the C library, which also takes it back.
#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    // SAFETY: the size is the caller's.
    let block = unsafe { __libc_malloc(size) };
    if size >= LARGE && MAKES_CONTEXT.get() && !block.is_null() {
        let start = (block as usize).next_multiple_of(PAGE);
        let length = block as usize + size - start;
        // SAFETY: the range lies in the block, whose contents stay as they are. A refusal costs time alone.
        unsafe { libc::madvise(start as *mut c_void, length, libc::MADV_HUGEPAGE) };
    }
    block
}
