//! The log of a slow command: one file for each run, the newest few kept. The hook never comes here.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use symposium_io::{clock, fs};
use symposium_model::config::{LogLevel, redact};
use tracing_subscriber::filter::LevelFilter;

use crate::ui::printer::show_log;

/// The number of log files that are kept.
const KEPT: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LogDestination<'d> {
    pub(crate) directory: &'d Path,
    /// Whether the directory is made when it is missing. A command that only looks makes none.
    pub(crate) makes_directory: bool,
    /// Whether everything also goes to standard error.
    pub(crate) shows: bool,
}

/// Starts logging into a new file. Without a place to write there is simply no log: a question must not fail because its
/// answer cannot be recorded.
pub(crate) fn start(destination: LogDestination<'_>, level: LogLevel) {
    static STARTED: AtomicBool = AtomicBool::new(false);
    if STARTED.swap(true, Ordering::Relaxed) {
        return;
    }
    let LogDestination { directory, makes_directory, shows } = destination;
    let name = format!("symposium-{}-{}.log", clock::stamp(clock::now()), std::process::id());
    let file = (makes_directory || fs::is_dir(directory)).then(|| fs::create_log(&directory.join(name)).ok()).flatten();
    if file.is_none() && !shows {
        return;
    }
    let level = match level {
        LogLevel::Error | LogLevel::Warn | LogLevel::Info if shows => LogLevel::Debug,
        level => level,
    };
    let filter = match level {
        LogLevel::Trace => LevelFilter::TRACE,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Error => LevelFilter::ERROR,
    };
    // A log that cannot be written any more is no news for the person.
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(filter)
        .with_ansi(false)
        .log_internal_errors(false)
        .with_writer(Mutex::new(WithoutCredentials { file, shows }))
        .finish();
    // Only fails when a log was started already, which then goes on.
    let _ = tracing::subscriber::set_global_default(subscriber);
    prune(directory);
}

/// Every event passes here as one piece of text.
struct WithoutCredentials {
    file: Option<File>,
    shows: bool,
}

impl Write for WithoutCredentials {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let clean = match std::str::from_utf8(bytes).map(redact) {
            Ok(Cow::Owned(clean)) => Cow::Owned(clean.into_bytes()),
            Ok(Cow::Borrowed(_)) | Err(_) => Cow::Borrowed(bytes),
        };
        if self.shows {
            show_log(&clean);
        }
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(&clean)).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}

fn prune(directory: &Path) {
    let logs = logs(directory);
    // Names carry the time, so the oldest come first.
    let surplus = logs.len().saturating_sub(KEPT);
    for old in logs.iter().take(surplus) {
        let _ = fs::remove_file(&directory.join(old));
    }
}

/// Removes every log file of Symposium, including the hook log.
pub(crate) fn remove_all(directory: &Path) {
    let trail = symposium_hook::trail_files().map(str::to_owned);
    for log in logs(directory).into_iter().chain(trail) {
        let _ = fs::remove_file(&directory.join(log));
    }
}

fn logs(directory: &Path) -> Vec<String> {
    let ours = |name: &str| name.strip_suffix(".log").is_some_and(|name| name.starts_with("symposium-"));
    let entries = fs::list(directory).unwrap_or_default();
    entries.into_iter().map(|entry| entry.name).filter(|name| ours(name)).collect()
}
