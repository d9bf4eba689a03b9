//! The output of cargo while it runs: in memory up to a limit, and in a file in the cache, which is left if this process is
//! killed.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use symposium_hook::relay::OutputReceiver;
use symposium_io::{clock, env, fs};
use symposium_model::config::AppDirectories;

/// The largest output that is shortened, as in the hook. A larger one is printed as it comes.
const LARGEST: usize = 16 << 20;

/// The number of whole outputs that are kept.
const KEPT: usize = 20;

/// The beginning of the name of a file with an output.
const OUTPUT: &str = "output-";

/// The output of a run that may not have ended.
pub(super) struct HeldOutput<P> {
    /// Everything so far; `None` as soon as it is printed as it comes.
    pub(super) held: Option<Vec<u8>>,
    /// `None` before the first byte, and without a cache that can be written to.
    pub(super) copy: Option<OutputCopy>,
    length: usize,
    print: P,
}

impl<P: FnMut(&[u8]) + Send + 'static> HeldOutput<P> {
    pub(super) fn new(print: P) -> Self {
        Self { held: Some(Vec::new()), copy: None, length: 0, print }
    }

    /// Prints everything so far, and everything else as soon as it comes.
    fn pass_on(&mut self) {
        if let Some(held) = self.held.take() {
            (self.print)(&held);
        }
    }
}

impl<P: FnMut(&[u8]) + Send + 'static> OutputReceiver for HeldOutput<P> {
    fn receive(&mut self, bytes: &[u8]) {
        if self.length == 0 {
            self.copy = OutputCopy::create();
        }
        self.length = self.length.saturating_add(bytes.len());
        if self.length > LARGEST {
            self.pass_on();
            if let Some(copy) = self.copy.take() {
                copy.remove();
            }
        }
        self.copy = self.copy.take().and_then(|copy| copy.append(bytes));
        match &mut self.held {
            Some(held) => held.extend_from_slice(bytes),
            None => (self.print)(bytes),
        }
    }

    fn interrupt(&mut self) {
        self.pass_on();
    }
}

/// A file with all that was printed so far.
pub(super) struct OutputCopy {
    path: PathBuf,
    file: File,
}

impl OutputCopy {
    fn create() -> Option<Self> {
        let directory = AppDirectories::resolve(&env::directory_variables())?.cargo_outputs();
        let path = directory.join(format!("{OUTPUT}{:020}-{}.txt", clock::precisely(), std::process::id()));
        // Runs that were killed leave their files.
        remove_old(&directory);
        let file = fs::create_log(&path).ok()?;
        Some(Self { path, file })
    }

    /// Adds to the file. One that lacks a part is removed.
    fn append(mut self, bytes: &[u8]) -> Option<Self> {
        match self.file.write_all(bytes) {
            Ok(()) => Some(self),
            Err(_) => {
                self.remove();
                None
            }
        }
    }

    /// Keeps the file, and removes those of older runs.
    pub(super) fn keep(self) -> PathBuf {
        if let Some(directory) = self.path.parent() {
            remove_old(directory);
        }
        self.path
    }

    pub(super) fn remove(self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes all but the newest outputs; their names begin with the time.
fn remove_old(directory: &Path) {
    let Ok(entries) = fs::list(directory) else { return };
    let mut names: Vec<String> =
        entries.into_iter().map(|entry| entry.name).filter(|name| name.starts_with(OUTPUT)).collect();
    names.sort_unstable();
    names.truncate(names.len().saturating_sub(KEPT));
    for name in names {
        let _ = fs::remove_file(&directory.join(name));
    }
}
