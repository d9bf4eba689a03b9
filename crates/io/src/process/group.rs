//! A program that is killed together with all processes it started: a process group, or a job object on Windows.

use std::io;
use std::process::{Child, Command};

#[derive(Debug)]
pub(crate) struct ProcessGroup {
    pub(crate) child: Child,
    /// Dropping it ends all processes in it.
    #[cfg(windows)]
    tree: Option<symposium_process_tree::ProcessTree>,
}

impl ProcessGroup {
    #[cfg(unix)]
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        use std::os::unix::process::CommandExt;
        command.process_group(0).spawn().map(|child| Self { child })
    }

    #[cfg(windows)]
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        symposium_process_tree::spawn(command).map(|(child, tree)| Self { child, tree })
    }

    #[cfg(not(any(unix, windows)))]
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        command.spawn().map(|child| Self { child })
    }

    pub(crate) fn end(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
        #[cfg(windows)]
        let _ = self.tree.as_ref().map(symposium_process_tree::ProcessTree::end);
        let _ = self.child.kill();
        self.child.wait().map(drop)
    }
}
