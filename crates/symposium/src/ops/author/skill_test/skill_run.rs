//! The test of one skill: each set of its dependencies, at the lowest and the highest version.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use semver::Version;
use symposium_api::{TargetFacts, is_for_target};
use symposium_io::api_cache::IndexStore;
use symposium_io::cargo::{self, LibrarySearch, SourceRoots};
use symposium_io::{env, fs, registry};
use symposium_model::crates::{CrateName, LockedCrate};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::skill;
use symposium_model::skill_text::{DependencySet, MentionClaim, ProseMention, RustBlock};

use super::compiler_notes::{CompilerNote, NotePlace};
use super::dependencies::SkillCrates;
use super::name_check::{IndexedVersions, check_names};
use super::scratch::{ScratchError, ScratchProject};
use crate::ops::context::Context;

/// A skill to be tested.
pub(super) struct SkillJob {
    /// Its place among the checked files.
    pub(super) item: usize,
    pub(super) path: String,
    /// Its path in the record.
    pub(super) key: String,
    /// The name of its projects.
    pub(super) name: String,
    pub(super) hash: String,
    pub(super) text: String,
    pub(super) blocks: Vec<RustBlock>,
    pub(super) mentions: Vec<ProseMention>,
    pub(super) crates: SkillCrates,
    pub(super) is_upgrade: bool,
}

impl SkillJob {
    /// Says whether the result can change although the skill does not.
    pub(super) fn has_local_crate(&self) -> bool {
        self.crates.sets.iter().any(DependencySet::has_local_crate)
    }
}

/// The result of a test of one skill.
#[derive(Debug, Default)]
pub(super) struct SkillRun {
    pub(super) findings: Vec<Diagnostic>,
    /// The direct dependencies of each project.
    pub(super) versions: Vec<String>,
    pub(super) names: usize,
    pub(super) renames: usize,
}

/// Everything that tests have in common.
pub(super) struct TestBench<'c> {
    pub(super) context: &'c Context,
    pub(super) is_offline: bool,
}

/// A project that was compiled.
struct TestedVersions {
    indexed: IndexedVersions,
    notes: Vec<CompilerNote>,
}

impl TestBench<'_> {
    pub(super) fn run(&self, job: &SkillJob) -> SkillRun {
        let mut run = SkillRun::default();
        let mut tested = Vec::new();
        for (at, set) in job.crates.sets.iter().enumerate() {
            let highest = match self.test(job, set, &format!("{}-{at}-high", job.name), None, &mut run) {
                Ok(highest) => highest,
                Err(error) => {
                    run.findings.push(self.explain(job, set, None, &error));
                    continue;
                }
            };
            let lowest = set.lines.first().and_then(|line| {
                let known = env::cargo_home().map(|home| registry::known_versions(&home, &line.name, self.is_offline));
                line.lowest(&known.unwrap_or_default())
            });
            let lowest =
                lowest.filter(|lowest| highest.indexed.version.as_ref().is_some_and(|highest| lowest < highest));
            if let Some(lowest) = lowest {
                match self.test(job, set, &format!("{}-{at}-low", job.name), Some(&lowest), &mut run) {
                    Ok(lowest) => tested.push(lowest),
                    Err(error) => run.findings.push(self.explain(job, set, Some(&lowest), &error)),
                }
            }
            tested.push(highest);
        }
        tested.sort_by(|one, other| one.indexed.version.cmp(&other.indexed.version));
        run.findings.extend(merge_notes(job, &tested));
        let versions: Vec<IndexedVersions> = tested.into_iter().map(|own| own.indexed).collect();
        // An upgrade guide is about names of both generations; what it renames is checked.
        let is_checked = |own: &&ProseMention| {
            !job.is_upgrade || matches!(own.claim, MentionClaim::Gone | MentionClaim::Replacement)
        };
        let mentions: Vec<ProseMention> = job.mentions.iter().filter(is_checked).cloned().collect();
        let names = check_names(&job.path, &job.text, &mentions, &versions);
        (run.names, run.renames) = (names.names, names.renames);
        run.findings.extend(names.findings);
        run.findings.sort_by_key(|found| found.location.as_ref().map(|place| (place.line, place.column)));
        run
    }

    fn test(
        &self,
        job: &SkillJob,
        set: &DependencySet,
        name: &str,
        exact: Option<&Version>,
        run: &mut SkillRun,
    ) -> Result<TestedVersions, ScratchError> {
        let base = self.context.directories.skill_tests();
        let project = ScratchProject { base: &base, name: name.to_owned(), is_offline: self.is_offline };
        let indexed = IndexedVersions { title: String::new(), version: None, indexes: Vec::new() };
        let nothing = TestedVersions { indexed, notes: Vec::new() };
        if job.blocks.is_empty() && (job.mentions.is_empty() || set.lines.is_empty()) {
            return Ok(nothing);
        }
        project.write(&job.blocks, set, exact)?;
        let notes =
            if job.blocks.is_empty() { project.fetch().map(|()| Vec::new())? } else { project.test(&job.blocks)? };
        let tested = self.index(&project.directory(), set, run);
        Ok(TestedVersions { notes, ..tested.unwrap_or(nothing) })
    }

    /// Reads the versions that cargo chose, and the public items of the direct dependencies.
    fn index(&self, directory: &Path, set: &DependencySet, run: &mut SkillRun) -> Option<TestedVersions> {
        let locked = cargo::read(directory, &self.context.boundary);
        let crates = locked.crates.crates();
        let cargo_home = env::cargo_home();
        let roots = SourceRoots { cargo_home: cargo_home.as_deref(), workspace: directory };
        let target = TargetFacts::host();
        let is_for_host = |written: &str| is_for_target(written, &target);
        let search = LibrarySearch { roots, boundary: &self.context.boundary, is_for_host: &is_for_host };
        let graph = search.read(&locked.crates);
        let kept = self.context.directories.api();
        // Without the directory nothing is kept, so the next test takes longer.
        let _ = fs::create_private_dir(&kept);
        let store = IndexStore::new(&graph, &kept, roots, &|_| {});
        let position = |name: &str| {
            let name = CrateName::parse(name)?;
            crates.iter().position(|krate| krate.name == name && krate.is_direct())
        };
        let lead = set.lines.first().and_then(|line| position(&line.name));
        let others =
            (0..crates.len()).filter(|at| Some(*at) != lead && crates.get(*at).is_some_and(LockedCrate::is_direct));
        let mut positions: Vec<usize> = lead.into_iter().chain(others).collect();
        let mut indexes = Vec::new();
        let mut at = 0;
        // A crate that is re-exported as a whole is looked up under both names.
        while let Some(position) = positions.get(at).copied() {
            at += 1;
            let Ok(index) = store.load(position) else { continue };
            let index = index.unpack();
            for package in index.items.iter().filter_map(|item| item.whole_crate.as_ref()) {
                let same =
                    graph.packages.iter().position(|own| own.name == package.name && own.version == package.version);
                positions.extend(same.filter(|found| !positions.contains(found)));
            }
            indexes.push(index);
        }
        let title = |krate: &LockedCrate| format!("{} {}", krate.name, krate.version);
        let direct: Vec<String> = crates.iter().filter(|krate| krate.is_direct()).map(title).collect();
        run.versions.push(if direct.is_empty() { "std".to_owned() } else { direct.join(", ") });
        let lead = crates.get(lead?)?;
        let indexed = IndexedVersions { title: title(lead), version: Some(lead.version.clone()), indexes };
        Some(TestedVersions { indexed, notes: Vec::new() })
    }

    /// Says why cargo could not test anything.
    fn explain(
        &self,
        job: &SkillJob,
        set: &DependencySet,
        exact: Option<&Version>,
        error: &ScratchError,
    ) -> Diagnostic {
        let lead = set.lines.first().map(|line| line.name.as_str()).unwrap_or_default();
        let with = exact.map(|version| format!(" with {lead} {version}")).unwrap_or_default();
        let finding =
            Diagnostic::error(job.path.clone(), format!("Cargo cannot test this skill{with}: {}", error.message));
        at_crates(finding.help(advise(&error.message, self.is_offline)), job)
    }
}

/// Says what to do about an error of cargo.
fn advise(message: &str, is_offline: bool) -> &'static str {
    if message.contains("no matching package named") {
        if is_offline {
            "repeat the test without `--offline`; if the crate is not published, write the `path` of that crate into \
             `skill-test.toml`"
        } else {
            "correct the name; if the crate is not published, write the `path` of that crate into `skill-test.toml`"
        }
    } else if message.contains("failed to run custom build command") {
        "install what the build script of that crate needs, such as a C library, and repeat the test"
    } else if is_offline {
        "repeat the test without `--offline`, or correct the versions in `crates`"
    } else {
        "correct the versions in `crates`, or write working ones into `skill-test.toml`"
    }
}

/// Places a finding at the first crate of the skill that its message names, or else at the crate that the skill is about.
fn at_crates(finding: Diagnostic, job: &SkillJob) -> Diagnostic {
    let codes = finding.message.split('`').skip(1).step_by(2);
    let named: Vec<CrateName> = codes.filter_map(|code| CrateName::parse(code.split(' ').next()?)).collect();
    let mut crates = named.iter().chain(job.crates.main.as_ref());
    match crates.find_map(|name| skill::crate_place(&job.text, name)) {
        Some(place) => finding.at(&job.text, place),
        None => finding,
    }
}

/// The versions and editions that a message appeared with.
#[derive(Default)]
struct NoteScope {
    titles: Vec<String>,
    editions: Vec<String>,
    help: Option<String>,
    is_error: bool,
}

/// A message at a place: a line and its columns.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct NoteKey {
    place: Option<(usize, (usize, usize))>,
    message: String,
}

/// Makes one finding of the same message at several versions.
fn merge_notes(job: &SkillJob, tested: &[TestedVersions]) -> Vec<Diagnostic> {
    let mut merged: BTreeMap<NoteKey, NoteScope> = BTreeMap::new();
    for own in tested {
        for note in &own.notes {
            let place = note.place.as_ref().map(|place| (place.line, place.columns));
            let scope = merged.entry(NoteKey { place, message: note.message.clone() }).or_default();
            let add = |all: &mut Vec<String>, one: &str| {
                if !one.is_empty() && !all.iter().any(|known| known == one) {
                    all.push(one.to_owned());
                }
            };
            add(&mut scope.titles, &own.indexed.title);
            add(&mut scope.editions, note.place.as_ref().map_or("", |place: &NotePlace| &place.edition));
            scope.help = scope.help.take().or_else(|| note.help.clone());
            scope.is_error |= note.is_error;
        }
    }
    let finding = |(NoteKey { place, message }, scope): (NoteKey, NoteScope)| {
        let with =
            if scope.titles.is_empty() { String::new() } else { format!(", with {}", scope.titles.join(" and ")) };
        let edition = match scope.editions.as_slice() {
            [one] => format!(" in edition {one}"),
            _ => String::new(),
        };
        let message = format!("{message}{with}{edition}");
        let make = if scope.is_error { Diagnostic::error } else { Diagnostic::warning };
        let Some((line, (start, end))) = place else {
            let help = if job.has_local_crate() {
                "repair the crate until `cargo check` passes in it, and repeat the test"
            } else {
                "raise the lowest version in `crates`, or write one that compiles into `skill-test.toml`"
            };
            return at_crates(make(job.path.clone(), message).help(help), job);
        };
        let usual = "correct the block, or mark it `rust,ignore` if it is wrong on purpose".to_owned();
        let finding = make(job.path.clone(), message).help(scope.help.unwrap_or(usual));
        finding.at(&job.text, column_span(job, line, start..end))
    };
    merged.into_iter().map(finding).collect()
}

/// Finds columns of a block's line in the skill, where the line is indented or has the mark of a hidden one.
fn column_span(job: &SkillJob, line: usize, columns: Range<usize>) -> Range<usize> {
    let whole = line_span(&job.text, line);
    let written = job.text.get(whole.clone()).unwrap_or_default();
    let block = job.blocks.iter().rfind(|block| block.line <= line);
    let code = block.and_then(|block| block.code.lines().nth(line - block.line)).unwrap_or(written);
    let shift = written.trim_end().len().saturating_sub(code.trim_end().len());
    let offset = |column: usize| {
        let letters = code.chars().take(column.saturating_sub(1));
        whole.start + shift + letters.map(char::len_utf8).sum::<usize>()
    };
    offset(columns.start)..offset(columns.end).max(offset(columns.start) + 1)
}

/// Finds a line of a text, without its end.
pub(super) fn line_span(text: &str, line: usize) -> Range<usize> {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    start..start + rest.find('\n').unwrap_or(rest.len())
}
