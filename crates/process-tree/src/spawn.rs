//! Starts a program as the root of a process tree.

use std::io;
use std::os::windows::io::AsHandle;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};

use windows_sys::Win32::System::Threading::CREATE_SUSPENDED;

use crate::{ProcessTree, threads};

/// Starts a program in a tree of its own, to which everything it starts belongs from its first instruction on.
///
/// Where Windows refuses to create a tree, the program runs without one.
pub fn spawn(command: &mut Command) -> io::Result<(Child, Option<ProcessTree>)> {
    let Ok(tree) = ProcessTree::new() else { return Ok((command.spawn()?, None)) };
    // It must not start anything before it belongs to the tree.
    let mut child = command.creation_flags(CREATE_SUSPENDED).spawn()?;
    let tree = tree.take_in(child.as_handle()).is_ok().then_some(tree);
    match threads::resume(child.id()) {
        Ok(()) => Ok((child, tree)),
        Err(error) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(error)
        }
    }
}
