//! What one run of a program does, counted: figures that are the same on every run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::job::Job;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    /// Instructions, when they could be counted.
    pub(super) instructions: Option<u64>,
    /// System calls, when they could be counted.
    pub(super) calls: Option<Calls>,
}

impl Counts {
    /// The worse of two, by each figure.
    pub(super) fn worst(self, other: Self) -> Self {
        let calls = [self.calls, other.calls].into_iter().flatten().max_by_key(|calls| calls.all);
        Self { instructions: self.instructions.max(other.instructions), calls }
    }
}

/// The system calls of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Calls {
    pub(super) all: u64,
    /// Files that were opened, or tried to be.
    pub(super) opens: u64,
    /// Processes and threads that were started.
    pub(super) children: u64,
    pub(super) sockets: u64,
    /// Those that get and give back memory. How many are needed hangs on the lengths of paths and numbers.
    pub(super) memory: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Counters {
    callgrind: bool,
    strace: bool,
}

impl Counters {
    /// Finds out what works here, and says what does not.
    pub(super) fn find() -> Self {
        let works = |program: &str, args: &[&str]| {
            let mut probe = Command::new(program);
            probe.args(args).arg("/bin/true").stdout(Stdio::null()).stderr(Stdio::null());
            let works = probe.status().is_ok_and(|status| status.success());
            if !works {
                crate::print::talk(&format!("skipped: `{program}` is missing or does not work here"));
            }
            works
        };
        Self {
            callgrind: works("valgrind", &["--tool=callgrind", "--callgrind-out-file=/dev/null"]),
            strace: works("strace", &["-f", "-qq", "-o", "/dev/null"]),
        }
    }

    /// Counts what a program does.
    pub(super) fn count(self, program: &Path, job: &Job) -> Result<Counts, String> {
        self.count_after(program, job, || Ok(()))
    }

    /// Counts what a program does after `prepare`, which is called before every run.
    pub(super) fn count_after(
        self,
        program: &Path,
        job: &Job,
        prepare: impl Fn() -> Result<(), String>,
    ) -> Result<Counts, String> {
        let mut counts = Counts::default();
        if self.callgrind {
            prepare()?;
            let callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"].map(Path::new);
            let run = job.run(&[&callgrind[..], &[program]].concat())?;
            let report = String::from_utf8_lossy(&run.stderr);
            let found = instructions(&report).ok_or_else(|| format!("valgrind counted nothing: {report}"))?;
            counts.instructions = Some(found);
        }
        if self.strace {
            prepare()?;
            let log = job.home.join("system-calls");
            let strace = ["strace", "-f", "-qq", "-o"].map(Path::new);
            job.run(&[&strace[..], &[&log, program]].concat())?;
            let text = fs::read(&log).map_err(|error| format!("`{}`: {error}", log.display()))?;
            counts.calls = Some(calls(&String::from_utf8_lossy(&text)));
        }
        Ok(counts)
    }
}

/// The number in callgrind's report.
fn instructions(report: &str) -> Option<u64> {
    report.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}

/// What is in a log of strace.
fn calls(log: &str) -> Calls {
    let mut calls = Calls::default();
    for line in log.lines() {
        let call = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        // Ends, signals, and second halves of calls that are in the log already.
        if ["+++", "---", "<..."].iter().any(|other| call.starts_with(other)) {
            continue;
        }
        let Some((name, _)) = call.split_once('(') else { continue };
        calls.all += 1;
        match name {
            "open" | "openat" | "openat2" => calls.opens += 1,
            "clone" | "clone3" | "fork" | "vfork" => calls.children += 1,
            "socket" | "socketpair" => calls.sockets += 1,
            "brk" | "madvise" | "mmap" | "mprotect" | "mremap" | "munmap" => calls.memory += 1,
            _ => {}
        }
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let report = "==7== Events    : Ir\n==7== Collected : 216304\n==7==\n==7== I   refs:      216,304\n";
        assert_eq!(instructions(report), Some(216_304));
        assert_eq!(instructions("valgrind: failed to start"), None);
    }

    #[test]
    fn calls_are_counted_once() {
        let log = "7  execve(\"/x\", [\"/x\"], 0x7 /* 3 vars */) = 0\n7  openat(AT_FDCWD, \"/y\", O_RDONLY) = -1 ENOENT (No such file)\n\
                   7  clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>\n8  close(3) = 0\n7  <... clone resumed>) = 8\n\
                   7  socket(AF_INET, SOCK_STREAM, 0) = 3\n7  brk(NULL) = 0x5\n7  --- SIGCHLD {si_signo=SIGCHLD} ---\n7  +++ exited with 0 +++\n";
        assert_eq!(calls(log), Calls { all: 6, opens: 1, children: 1, sockets: 1, memory: 1 });
    }
}
