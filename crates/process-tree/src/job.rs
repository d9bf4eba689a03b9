//! A set of processes that Windows keeps together: a Job Object.
#![expect(unsafe_code, reason = "calls of the system; each says why it may be made")]

use std::io;
use std::os::windows::io::{AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};

const ENDED: u32 = 1;

/// A program and everything it started. When this value is dropped, also because Symposium itself is ended, all of them
/// are ended.
#[derive(Debug)]
pub struct ProcessTree(OwnedHandle);

impl ProcessTree {
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: both pointers may be null, for default security and no name.
        let handle = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is valid, was just created, and has no other owner.
        let tree = Self(unsafe { OwnedHandle::from_raw_handle(handle) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = u32::try_from(size_of_val(&limits)).unwrap_or_default();
        // SAFETY: the pointer is to a value of the type this class of information has, and the size is that value's.
        let done = unsafe {
            SetInformationJobObject(
                tree.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                ptr::from_ref(&limits).cast(),
                size,
            )
        };
        succeeded(done).map(|()| tree)
    }

    pub(crate) fn take_in(&self, process: BorrowedHandle<'_>) -> io::Result<()> {
        // SAFETY: both handles are borrowed, so they are open.
        succeeded(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle()) })
    }

    pub fn end(&self) -> io::Result<()> {
        // SAFETY: the handle is open as long as this value exists.
        succeeded(unsafe { TerminateJobObject(self.0.as_raw_handle(), ENDED) })
    }
}

fn succeeded(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
