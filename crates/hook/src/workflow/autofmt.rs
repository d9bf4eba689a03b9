//! The `autofmt` workflow: formats a Rust file that was just written. It never blocks; errors are reported to the
//! agent.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::edge::child::{self, ChildCommand, ChildEnd, ChildJob, ChildResult};
use crate::edge::files::{self, EditBlocker, OriginalFile};
use crate::handler_environment::{EventPlaces, HandlerEnvironment};

/// Bytes. Larger files are generated, and take rustfmt too long.
const LARGEST: u64 = 1 << 20;

const COMPLAINT_LIMIT: usize = 2048;

const EDITION: &str = "2021";

#[derive(Debug, Clone, Copy)]
pub(crate) struct RustFormatter<'a> {
    pub(crate) rustfmt: &'a Path,
    /// Only files in it are changed.
    pub(crate) workspace: &'a Path,
    pub(crate) places: EventPlaces<'a>,
    /// Directories of packages and their editions.
    pub(crate) editions: &'a [(String, String)],
    /// The name of the toolchain, if known. The project's choice is used only if the user agreed to it when the plan
    /// was compiled: it can name any program.
    pub(crate) toolchain: Option<&'a str>,
    pub(crate) deadline: Instant,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FormatResult {
    Done,
    Same,
    /// The file is not to be formatted; the reason is for the hook log.
    LeftAlone(&'static str),
    /// The text is for the agent.
    Failed(String),
}

pub(crate) fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "rs")
}

/// Formats a file; `file` is absolute.
pub(crate) fn format(file: &Path, with: &RustFormatter<'_>) -> FormatResult {
    format_file(file, with).unwrap_or_else(|stop| stop)
}

fn format_file(file: &Path, with: &RustFormatter<'_>) -> Result<FormatResult, FormatResult> {
    if !is_rust(file) {
        return Err(FormatResult::LeftAlone("it is not a Rust file"));
    }
    let shown = shown(file, with.workspace);
    let original =
        OriginalFile::read(file, with.workspace, LARGEST).map_err(|obstacle| report_blocker(&obstacle, &shown))?;
    let Ok(text) = str::from_utf8(&original.bytes) else {
        return Err(FormatResult::Failed(format!("`{shown}` was not formatted: it is not UTF-8")));
    };
    if text.trim().is_empty() {
        return Ok(FormatResult::Same);
    }
    let finished = rustfmt(file, &original, text, with);
    let formatted = formatted(&finished, &shown)?;
    let formatted = with_its_line_ends(text, formatted);
    if formatted == text {
        return Ok(FormatResult::Same);
    }
    original.replace(formatted.as_bytes()).map_err(|obstacle| report_blocker(&obstacle, &shown))?;
    Ok(FormatResult::Done)
}

/// Runs rustfmt on the text alone: given a path, it would also rewrite the modules that the file declares.
fn rustfmt(named: &Path, original: &OriginalFile, text: &str, with: &RustFormatter<'_>) -> ChildResult {
    let path = original.path();
    let edition = edition_of(named, with.editions).or_else(|| edition_of(path, with.editions)).unwrap_or(EDITION);
    let mut args = vec!["--edition".to_owned(), edition.to_owned()];
    if let Some(config) = files::nearest_with(path, &["rustfmt.toml", ".rustfmt.toml"]).and_then(Path::to_str) {
        args.extend(["--config-path".to_owned(), config.to_owned()]);
    }
    // Empty has the same effect as unset. An inherited value may come from the project, through the program that
    // started the agent.
    let toolchain = OsStr::new(with.toolchain.unwrap_or_default());
    let directory = files::outside_projects();
    let around = HandlerEnvironment::apart(&with.places, Some(&directory), &[]);
    let set: Vec<_> = around.variables().chain([("RUSTUP_TOOLCHAIN", toolchain)]).collect();
    child::run(&ChildJob {
        run: ChildCommand::Direct { program: with.rustfmt, args: &args },
        directory: Some(&directory),
        unset: &around.unset,
        set: &set,
        input: text.as_bytes(),
        deadline: with.deadline,
    })
}

/// Returns the edition of the innermost package that contains the file.
fn edition_of<'a>(file: &Path, editions: &'a [(String, String)]) -> Option<&'a str> {
    let holding = editions.iter().filter(|(directory, _)| file.starts_with(directory));
    let innermost = holding.max_by_key(|(directory, _)| Path::new(directory).components().count());
    innermost.map(|(_, edition)| edition.as_str())
}

fn formatted<'a>(finished: &'a ChildResult, shown: &str) -> Result<&'a str, FormatResult> {
    let failed = |why: &str| FormatResult::Failed(format!("`{shown}` was not formatted: {why}"));
    match &finished.ended {
        ChildEnd::Exited(0) if finished.stdout_cut => Err(FormatResult::LeftAlone("it is too large")),
        ChildEnd::Exited(0) => match str::from_utf8(&finished.stdout) {
            Ok(text) if !text.trim().is_empty() => Ok(text),
            Ok(_) | Err(_) => Err(failed("rustfmt printed no text")),
        },
        ChildEnd::Exited(_) => Err(failed(&complaint(&finished.stderr, shown))),
        ChildEnd::Signalled(signal) => Err(failed(&format!("rustfmt was ended by signal {signal}"))),
        ChildEnd::DeadlineKilled => Err(failed("rustfmt did not finish in time")),
        ChildEnd::NotStarted(error) => Err(failed(&error.to_string())),
    }
}

/// Returns the error output of rustfmt, with the name of the file instead of `<stdin>`.
fn complaint(stderr: &[u8], shown: &str) -> String {
    let text = String::from_utf8_lossy(stderr).replace("<stdin>", shown);
    let text = text.trim();
    if text.is_empty() {
        return "rustfmt failed without saying why".to_owned();
    }
    let end = text.floor_char_boundary(COMPLAINT_LIMIT);
    let shortened = text.get(..end).unwrap_or_default();
    let mark = if end < text.len() { "\n…" } else { "" };
    format!("rustfmt says\n{shortened}{mark}")
}

/// Restores line ends and byte order mark of the original: rustfmt reads all of them, but writes plain newlines.
fn with_its_line_ends(original: &str, formatted: &str) -> String {
    let windows = original.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'));
    let mark = if original.starts_with('\u{feff}') && !formatted.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    if windows && !formatted.contains("\r\n") {
        return format!("{mark}{}", formatted.replace('\n', "\r\n"));
    }
    format!("{mark}{formatted}")
}

fn report_blocker(obstacle: &EditBlocker, shown: &str) -> FormatResult {
    match obstacle {
        EditBlocker::Outside => FormatResult::LeftAlone("it is outside the workspace"),
        EditBlocker::NotAFile => FormatResult::LeftAlone("it is not a regular file"),
        EditBlocker::TooLarge => FormatResult::LeftAlone("it is too large"),
        EditBlocker::ReadOnly => FormatResult::LeftAlone("it is read-only"),
        EditBlocker::Linked => FormatResult::LeftAlone("it has several names"),
        EditBlocker::Changed => FormatResult::LeftAlone("it was changed meanwhile"),
        EditBlocker::Io(error) if error.kind() == std::io::ErrorKind::NotFound => FormatResult::LeftAlone("it is gone"),
        EditBlocker::Io(error) => FormatResult::Failed(format!("`{shown}` was not formatted: {error}")),
    }
}

fn shown(file: &Path, workspace: &Path) -> String {
    let inside: PathBuf = file.strip_prefix(workspace).unwrap_or(file).to_owned();
    inside.display().to_string()
}

#[cfg(unix)]
#[cfg(test)]
#[path = "autofmt_tests.rs"]
mod tests;
