//! Reads the source of a crate at its locked version on this machine.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use symposium_io::cargo::{CrateEntry, CrateFile, CrateFiles, ReadRefusal, SourceRoots};
use symposium_io::env;
use symposium_model::crates::{CrateName, CrateSet, DependencyScope, LockedCrate};
use symposium_model::guidance_provider::{SourceAction, SourceQuestion};
use symposium_model::source_view::{
    CodeBlock, LineMatch, LineRange, OutputBudget, ProseFormat, SearchPattern, SourceCursor, SourceExcerpt,
    code_blocks, excerpt, matching_lines,
};

use crate::error::CliError;
use crate::run_report::RunReport;

use crate::ops::context::Context;
use crate::ops::guidance;
use crate::ops::resolve::read_workspace;
pub(crate) use symposium_io::cargo::CrateFile as ListedFile;

/// The maximum number of files in a listing.
const FILES: usize = 300;
/// The maximum number of lines and bytes in an excerpt of a file.
const LINES: usize = 400;
const BYTES: usize = 40 * 1024;
/// The maximum number of matches in an answer.
const MATCHES: usize = 100;
/// The maximum number of code blocks in an answer.
const BLOCKS: usize = 40;
/// The time limit for searching the files.
const TIME: Duration = Duration::from_secs(3);

/// An answer about the source of a crate.
pub(crate) struct SourceReport {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) directory: PathBuf,
    /// Versions of it that are locked too.
    pub(crate) others: Vec<String>,
    pub(crate) found: SourceAnswer,
    /// The position at which the next answer continues, if there is more.
    pub(crate) cursor: Option<String>,
}

pub(crate) enum SourceAnswer {
    /// Some of that many files.
    Files {
        shown: Vec<CrateFile>,
        all: usize,
    },
    Lines {
        path: String,
        excerpt: SourceExcerpt,
    },
    Matches {
        pattern: String,
        lines: Vec<(String, LineMatch)>,
        in_time: bool,
    },
    /// Files and blocks that show how it is used.
    Examples {
        files: Vec<CrateFile>,
        blocks: Vec<(String, CodeBlock)>,
        in_time: bool,
    },
}

/// Answers a question, from what is on disk alone.
pub(crate) fn answer(
    context: &Context,
    question: &SourceQuestion<'_>,
    wanted: &dyn Fn() -> bool,
    report: &mut RunReport,
) -> Result<SourceReport, CliError> {
    let (krate, others) = locked(context, question.name, question.version, report)?;
    let (name, version) = (krate.name.to_string(), krate.version.to_string());
    let absent = || {
        CliError::no(format!("The source of `{name}` {version} is not on this machine"))
            .hint("run `cargo fetch` to download the sources of all crates in Cargo.lock")
    };
    let source = guidance::source_of(context, &krate).ok_or_else(absent)?;
    let reader = SourceReader {
        files: open(context.root().ok_or_else(absent)?, &source.directory, &format!("`{name}` {version}"))?
            .ok_or_else(absent)?,
        title: format!("`{name}` {version}"),
        deadline: Instant::now() + TIME,
        wanted,
    };
    let cursor = question.cursor.map(SourceCursor::parse);
    let (found, cursor) = match question.action {
        SourceAction::List => reader.list(question.path, cursor.as_ref())?,
        SourceAction::Read => reader.lines(question.path, question.range)?,
        SourceAction::Search => reader.search(question.query, question.path, cursor.as_ref())?,
        SourceAction::Examples => reader.examples(question, cursor.as_ref())?,
    };
    Ok(SourceReport {
        name,
        version,
        directory: source.directory,
        others,
        found,
        cursor: cursor.map(|cursor| cursor.to_string()),
    })
}

/// Opens the directory of a crate; `None` when it cannot be read.
fn open(workspace: &Path, directory: &Path, title: &str) -> Result<Option<CrateFiles>, CliError> {
    let cargo_home = env::cargo_home();
    match CrateFiles::open(directory, SourceRoots { cargo_home: cargo_home.as_deref(), workspace }) {
        Ok(files) => Ok(Some(files)),
        Err(ReadRefusal::LinkedOut) => {
            let why = "because a link in the workspace leads outside";
            Err(CliError::no(format!("The source of {title} is not read, {why}"))
                .hint("name the directory itself in Cargo.toml, without a link"))
        }
        Err(_) => Ok(None),
    }
}

/// The one locked version that is meant, and the others there are.
fn locked(
    context: &Context,
    written: &str,
    version: Option<&str>,
    report: &mut RunReport,
) -> Result<(LockedCrate, Vec<String>), CliError> {
    let Some(name) = CrateName::parse(written) else {
        return Err(CliError::usage(format!("`{written}` is not a crate name")).hint("pass a name such as `serde`"));
    };
    let Some(workspace) = read_workspace(context) else {
        return Err(CliError::no("This directory is not part of a cargo workspace")
            .hint("run the command in a directory with a Cargo.toml"));
    };
    report.add(&workspace.findings);
    choose_version(&workspace.crates, &name, version, "pass one of these versions")
}

/// Chooses one of the locked versions of a crate: the one that is asked for, or that the workspace itself uses. The hint
/// says how to ask for one.
pub(crate) fn choose_version(
    crates: &CrateSet,
    name: &CrateName,
    version: Option<&str>,
    hint: &str,
) -> Result<(LockedCrate, Vec<String>), CliError> {
    let all: Vec<&LockedCrate> = crates.versions(name, DependencyScope::Transitive).collect();
    if all.is_empty() {
        return Err(CliError::no(format!("`{name}` is not a dependency of this workspace")).hint(
            "only the sources of crates in Cargo.lock are read; call `crate` with only the name for more information",
        ));
    }
    let is_meant = |krate: &&&LockedCrate| match version {
        None => true,
        Some(version) => {
            let locked = krate.version.to_string();
            locked == version || locked.strip_prefix(version).is_some_and(|rest| rest.starts_with('.'))
        }
    };
    let mut meant: Vec<&LockedCrate> = all.iter().filter(is_meant).copied().collect();
    // What the workspace's own code uses is what is meant.
    if version.is_none() && meant.iter().filter(|krate| krate.is_direct()).count() == 1 {
        meant.retain(|krate| krate.is_direct());
    }
    // One version from two places, such as a registry and a patch, cannot be told apart by its number.
    let is_same = |krate: &LockedCrate| meant.first().is_some_and(|first| first.version == krate.version);
    if meant.len() > 1 && meant.iter().all(|krate| is_same(krate)) {
        meant.sort_by_key(|krate| !krate.is_direct());
        meant.truncate(1);
    }
    let names =
        |crates: &[&LockedCrate]| -> Vec<String> { crates.iter().map(|krate| krate.version.to_string()).collect() };
    let quoted = |crates: &[&LockedCrate]| {
        let quoted: Vec<String> = names(crates).iter().map(|version| format!("`{version}`")).collect();
        quoted.join(" and ")
    };
    match (meant.as_slice(), version) {
        ([one], _) => {
            let others = all.iter().filter(|krate| krate.version != one.version).copied().collect::<Vec<_>>();
            Ok(((*one).clone(), names(&others)))
        }
        ([], version) => {
            let version = version.unwrap_or_default();
            Err(CliError::no(format!("`{name}` is not locked at `{version}`"))
                .hint(format!("Cargo.lock has {}", quoted(&all))))
        }
        (several, _) => Err(CliError::usage(format!("`{name}` is locked at {}", quoted(several))).hint(hint)),
    }
}

type SourcePage = (SourceAnswer, Option<SourceCursor>);

/// Reads the files of one crate until the deadline, or until the caller cancels.
struct SourceReader<'w> {
    files: CrateFiles,
    title: String,
    deadline: Instant,
    wanted: &'w dyn Fn() -> bool,
}

impl SourceReader<'_> {
    fn is_wanted(&self) -> bool {
        Instant::now() < self.deadline && (self.wanted)()
    }

    fn list(&self, path: Option<&str>, cursor: Option<&SourceCursor>) -> Result<SourcePage, CliError> {
        let files = self.below(path)?;
        let (from, _) = resume(&files, cursor)?;
        let all = files.len();
        let shown: Vec<CrateFile> = files.into_iter().skip(from).take(FILES).collect();
        let more = from + shown.len() < all;
        let cursor = shown.last().filter(|_| more).map(|last| SourceCursor { path: last.path.clone(), line: None });
        Ok((SourceAnswer::Files { shown, all }, cursor))
    }

    fn lines(&self, path: Option<&str>, range: Option<&str>) -> Result<SourcePage, CliError> {
        let Some(path) = path else {
            return Err(CliError::usage("The path of the file is missing").hint("pass a path such as `src/lib.rs`"));
        };
        let range = range.map_or(Ok(LineRange::START), LineRange::parse);
        let range = range.map_err(|reason| CliError::usage(reason).hint("pass a range such as `120-180` or `120`"))?;
        let path = match self.find(path)? {
            CrateEntry::File(path) => path,
            // A directory has no lines, but its files are what comes next.
            CrateEntry::Directory(path) => return self.list(Some(&path), None),
        };
        let text = self.files.read(&path).map_err(|refused| self.refused(&path, refused))?;
        let excerpt = excerpt(&text, range, LINES, BYTES);
        if excerpt.lines.is_empty() && excerpt.total > 0 {
            let message = format!("`{path}` of {} has {} lines", self.title, excerpt.total);
            return Err(CliError::no(message).hint("pass a range within these lines"));
        }
        Ok((SourceAnswer::Lines { path, excerpt }, None))
    }

    fn search(
        &self,
        query: Option<&str>,
        path: Option<&str>,
        cursor: Option<&SourceCursor>,
    ) -> Result<SourcePage, CliError> {
        let Some(written) = query else {
            return Err(CliError::usage("The search pattern is missing").hint("pass a regular expression as the query"));
        };
        let pattern = compile(written)?;
        let files = self.below(path)?;
        let (from, mut after) = resume(&files, cursor)?;
        let mut room = OutputBudget { lines: MATCHES, bytes: BYTES };
        let mut lines = Vec::new();
        let mut stopped = None;
        for file in files.iter().skip(from) {
            // What is not text has no lines.
            let text = self.files.read(&file.path).unwrap_or_default();
            let found = matching_lines(&pattern, &text, after, &mut room, &|| self.is_wanted());
            after = 0;
            lines.extend(found.matches.into_iter().map(|line| (file.path.clone(), line)));
            if let Some(line) = found.stopped_after {
                stopped = Some(SourceCursor { path: file.path.clone(), line: Some(line) });
                break;
            }
        }
        let in_time = stopped.is_none() || self.is_wanted();
        Ok((SourceAnswer::Matches { pattern: written.to_owned(), lines, in_time }, stopped))
    }

    fn examples(&self, question: &SourceQuestion<'_>, cursor: Option<&SourceCursor>) -> Result<SourcePage, CliError> {
        let pattern = question.query.map(compile).transpose()?;
        let mut files = self.below(question.path)?;
        let programs: Vec<CrateFile> =
            files.iter().filter(|file| is_rust(&file.path) && file.path.starts_with("examples/")).cloned().collect();
        files.retain(|file| is_documented(&file.path) || question.path.is_some());
        // First what its author shows first.
        files.sort_by_key(|file| (!is_readme(&file.path), file.path != "src/lib.rs"));
        let (from, mut after) = resume(&files, cursor)?;
        let shows = |text: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_in(text, &|| self.is_wanted()));
        let mut shown = Vec::new();
        if cursor.is_none() {
            let read = |file: &CrateFile| self.files.read(&file.path).unwrap_or_default();
            shown = programs;
            shown.retain(|file| pattern.is_none() || (self.is_wanted() && shows(&read(file))));
            shown.truncate(FILES);
        }
        let mut blocks: Vec<(String, CodeBlock)> = Vec::new();
        let mut room = BYTES;
        let mut stopped = None;
        'files: for file in files.iter().skip(from) {
            let end = |line| Some(SourceCursor { path: file.path.clone(), line: Some(line) });
            if !self.is_wanted() {
                stopped = end(after);
                break;
            }
            let prose = if is_rust(&file.path) { ProseFormat::Rust } else { ProseFormat::Markdown };
            let text = self.files.read(&file.path).unwrap_or_default();
            for block in code_blocks(&text, prose).into_iter().filter(|block| block.line > after) {
                if !shows(&block.code) {
                    continue;
                }
                // The first one is shown whatever its size, so that it does not stop the page for ever.
                if blocks.len() == BLOCKS || (block.code.len() > room && !blocks.is_empty()) {
                    stopped = end(block.line - 1);
                    break 'files;
                }
                room = room.saturating_sub(block.code.len());
                blocks.push((file.path.clone(), block));
            }
            after = 0;
        }
        let in_time = stopped.is_none() || self.is_wanted();
        Ok((SourceAnswer::Examples { files: shown, blocks, in_time }, stopped))
    }

    fn below(&self, path: Option<&str>) -> Result<Vec<CrateFile>, CliError> {
        let mut files = self.files.list();
        match path.map(|path| self.find(path)).transpose()? {
            None => {}
            Some(CrateEntry::Directory(path)) if path.is_empty() => {}
            Some(CrateEntry::Directory(path)) => {
                files.retain(|file| file.path.strip_prefix(&path).is_some_and(|rest| rest.starts_with('/')));
            }
            Some(CrateEntry::File(path)) => files.retain(|file| file.path == path),
        }
        Ok(files)
    }

    fn find(&self, path: &str) -> Result<CrateEntry, CliError> {
        self.files.find(path).map_err(|refused| self.refused(path, refused))
    }

    fn refused(&self, path: &str, refused: ReadRefusal) -> CliError {
        let title = &self.title;
        match refused {
            ReadRefusal::NotSource => {
                let why = "because it is not part of the crate's source";
                CliError::no(format!("`{path}` of {title} is not read, {why}"))
                    .hint("hidden files are never read, and outside the workspace only Rust, Markdown and Cargo.toml")
            }
            ReadRefusal::Outside | ReadRefusal::LinkedOut => {
                CliError::no(format!("`{path}` is not in the directory of {title}"))
                    .hint("pass a path inside the crate's directory, such as `src/lib.rs`")
            }
            ReadRefusal::Absent => CliError::no(format!("{title} has no `{path}`")).hint("list its files first"),
            ReadRefusal::Binary => CliError::no(format!("`{path}` of {title} is not text")),
            ReadRefusal::TooLarge(limit) => {
                CliError::no(format!("`{path}` of {title} is larger than {} MiB", limit / (1024 * 1024)))
            }
            ReadRefusal::Unreadable(reason) => {
                CliError::failed(format!("`{path}` of {title} cannot be read: {reason}"))
            }
        }
    }
}

fn resume(files: &[CrateFile], cursor: Option<&SourceCursor>) -> Result<(usize, usize), CliError> {
    let Some(cursor) = cursor else { return Ok((0, 0)) };
    cursor.resume(files.iter().map(|file| file.path.as_str())).ok_or_else(|| {
        CliError::usage(format!("`{cursor}` is not a cursor for this call"))
            .hint("repeat the earlier call with the cursor from its result")
    })
}

fn compile(written: &str) -> Result<SearchPattern, CliError> {
    SearchPattern::compile(written).map_err(|reason| {
        CliError::usage(reason).hint("write `\\` before `(`, `[`, `{`, `.` or `*` to match the character itself")
    })
}

fn is_rust(path: &str) -> bool {
    path.strip_suffix(".rs").is_some()
}

fn is_readme(path: &str) -> bool {
    !path.contains('/') && path.to_ascii_lowercase().starts_with("readme")
}

fn is_documented(path: &str) -> bool {
    let elsewhere = ["tests/", "benches/", "examples/"].iter().any(|directory| path.starts_with(directory));
    is_readme(path) || (is_rust(path) && !elsewhere)
}
