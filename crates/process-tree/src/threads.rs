//! Resumes a process that was started suspended.
#![expect(unsafe_code, reason = "calls of the system; each says why it may be made")]

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::Threading::{OpenThread, ResumeThread, THREAD_SUSPEND_RESUME};

const NOT_RESUMED: u32 = u32::MAX;

/// Resumes every thread of a process; before it has begun that is its first.
pub(crate) fn resume(process: u32) -> io::Result<()> {
    // SAFETY: takes a snapshot of all threads; the second argument is ignored for this kind.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) };
    if snapshot == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is valid, was just created, and has no other owner.
    let snapshot = unsafe { OwnedHandle::from_raw_handle(snapshot) };
    let mut entry =
        THREADENTRY32 { dwSize: u32::try_from(size_of::<THREADENTRY32>()).unwrap_or_default(), ..Default::default() };
    let mut resumed = 0;
    // SAFETY: the snapshot is open, and the entry states its size.
    let mut more = unsafe { Thread32First(snapshot.as_raw_handle(), &raw mut entry) };
    while more != 0 {
        if entry.th32OwnerProcessID == process {
            resume_thread(entry.th32ThreadID)?;
            resumed += 1;
        }
        // SAFETY: as above.
        more = unsafe { Thread32Next(snapshot.as_raw_handle(), &raw mut entry) };
    }
    if resumed == 0 { Err(io::Error::other("the new process has no thread to begin with")) } else { Ok(()) }
}

fn resume_thread(thread: u32) -> io::Result<()> {
    // SAFETY: asks for a handle by id; for an id that is not a thread's the result is null.
    let handle = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, thread) };
    if handle.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is valid, was just created, and has no other owner.
    let handle = unsafe { OwnedHandle::from_raw_handle(handle) };
    // SAFETY: the handle is open, and has the required access right.
    let before = unsafe { ResumeThread(handle.as_raw_handle()) };
    if before == NOT_RESUMED { Err(io::Error::last_os_error()) } else { Ok(()) }
}
