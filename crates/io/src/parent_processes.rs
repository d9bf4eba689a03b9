//! The ancestor processes of this process. Only Linux shows them as files; elsewhere the list is empty.

use crate::env;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParentProcess {
    /// The executable; empty when it may not be read.
    pub program: String,
    pub words: Vec<String>,
    pub outputs: ProcessOutputs,
}

/// The targets of what a process can write to; empty when they may not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProcessOutputs {
    pub stdout: String,
    pub stderr: String,
    /// Those with the numbers that shells use for streams which they redirected and will restore.
    pub saved: Vec<String>,
}

/// Lists the ancestors, nearest first.
pub fn ancestors() -> Vec<ParentProcess> {
    // Tests are started by users and by agents alike. Release builds ignore this variable.
    if cfg!(debug_assertions) && env::is_set("SYMPOSIUM_TEST_WITHOUT_ANCESTORS") {
        return Vec::new();
    }
    linux::ancestors()
}

/// Returns the outputs of this process, as for its ancestors.
pub fn own_outputs() -> ProcessOutputs {
    linux::outputs("self")
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io::Read;
    use std::ops::Range;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use super::{ParentProcess, ProcessOutputs};

    /// Shells take the first number from 10 on that is free.
    const SAVED: Range<u32> = 10..24;
    const MAX_LEVELS: usize = 64;
    /// The names of a program and of the script it runs are among the first arguments.
    const MAX_BYTES: u64 = 8 * 1024;
    const MAX_WORDS: usize = 16;

    pub(super) fn ancestors() -> Vec<ParentProcess> {
        let mut found = Vec::new();
        let mut process = std::os::unix::process::parent_id();
        while process != 0 && found.len() < MAX_LEVELS {
            found.push(describe(process));
            let Some(parent) = parent_of(process) else { break };
            process = parent;
        }
        found
    }

    fn file(process: u32, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{process}/{name}"))
    }

    /// Reads to the end of the file: files in `/proc` have no size.
    fn read(process: u32, name: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Ok(opened) = File::open(file(process, name)) {
            // Errors have the same effect as an empty file.
            let _ = opened.take(MAX_BYTES).read_to_end(&mut bytes);
        }
        bytes
    }

    fn describe(process: u32) -> ParentProcess {
        let program = std::fs::read_link(file(process, "exe")).unwrap_or_default();
        let line = read(process, "cmdline");
        let words = line.split(|byte| *byte == 0).take(MAX_WORDS);
        ParentProcess {
            program: program.display().to_string(),
            words: words.map(|word| String::from_utf8_lossy(word).into_owned()).collect(),
            outputs: outputs(&process.to_string()),
        }
    }

    pub(super) fn outputs(process: &str) -> ProcessOutputs {
        let target = |number: u32| {
            let target = std::fs::read_link(format!("/proc/{process}/fd/{number}")).unwrap_or_default();
            target.into_os_string().into_string().unwrap_or_default()
        };
        // The permissions of the link tell how the file was opened.
        let is_writable = |number: &u32| {
            let link = std::fs::symlink_metadata(format!("/proc/{process}/fd/{number}"));
            link.is_ok_and(|link| link.permissions().mode() & 0o200 != 0)
        };
        ProcessOutputs { stdout: target(1), stderr: target(2), saved: SAVED.filter(is_writable).map(target).collect() }
    }

    fn parent_of(process: u32) -> Option<u32> {
        let status = read(process, "status");
        let status = String::from_utf8_lossy(&status);
        status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    pub(super) fn ancestors() -> Vec<super::ParentProcess> {
        Vec::new()
    }

    pub(super) fn outputs(_: &str) -> super::ProcessOutputs {
        super::ProcessOutputs::default()
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn what_started_the_tests_is_found() {
        let found = ancestors();
        let above = std::os::unix::process::parent_id();
        assert!(!found.is_empty() && above > 0);
        assert!(found.iter().any(|ancestor| !ancestor.words.is_empty()), "{found:?}");
    }
}
