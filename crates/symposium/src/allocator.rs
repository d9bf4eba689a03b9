//! The allocator of the static release.
//!
//! The C library returns every page to the system as soon as it is free and requests it again a moment later, which
//! takes a third of the time of a `sync` that has nothing to do. The global allocator of the dlmalloc package takes a
//! mutex of the C library for every allocation, which takes longer than the allocation. An uncontended mutex of Rust is
//! a single exchange, and the program seldom runs a second thread.
#![expect(unsafe_code, reason = "an allocator cannot be installed without; every call goes on to dlmalloc as it came")]

use std::alloc::{GlobalAlloc, Layout};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dlmalloc::Dlmalloc;

#[global_allocator]
static ALLOCATOR: ReleaseAllocator = ReleaseAllocator(Mutex::new(Dlmalloc::new()));

struct ReleaseAllocator(Mutex<Dlmalloc>);

impl ReleaseAllocator {
    fn lock(&self) -> MutexGuard<'_, Dlmalloc> {
        // Nothing unwinds, so nothing is ever poisoned.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// SAFETY: dlmalloc promises what `GlobalAlloc` asks for, and there is one of it, which the mutex gives to one thread at a
// time. The mutex itself allocates nothing.
unsafe impl GlobalAlloc for ReleaseAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises for `layout` what dlmalloc asks of size and alignment.
        unsafe { self.lock().malloc(layout.size(), layout.align()) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for `alloc`.
        unsafe { self.lock().calloc(layout.size(), layout.align()) }
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller promises that `pointer` came from here, with this layout.
        unsafe { self.lock().free(pointer, layout.size(), layout.align()) }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for `dealloc`, and the new size fits the alignment.
        unsafe { self.lock().realloc(pointer, layout.size(), layout.align(), size) }
    }
}
