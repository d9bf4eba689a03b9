//! Tests skills for their authors: the Rust blocks compile, their tests pass, and the names in the prose exist, at the
//! lowest and the highest version of the crates that a skill is for.

mod compiler_notes;
mod dependencies;
mod name_check;
mod passed_record;
mod scratch;
mod skill_run;
mod std_names;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use symposium_io::{fs, state_file};
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::hook::hook_plan::hash;
use symposium_model::skill_text::{BlockProblem, find_blocks, find_mentions};

use self::dependencies::find_dependencies;
use self::passed_record::{PassedRecord, hash_skill};
use self::skill_run::{SkillJob, SkillRun, TestBench};
use super::validate::{self, CheckedFile};
use crate::error::CliError;
use crate::ops::context::Context;
use crate::ui::progress::Progress;

/// Skills that are tested at the same time: while cargo compiles one, names of another are looked up.
const MOST_WORKERS: usize = 4;

const LARGEST_RECORD: u64 = 4 * 1024 * 1024;

/// A request to test skills.
#[derive(Debug)]
pub(crate) struct SkillTestOptions {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) is_offline: bool,
    /// The file with the skills that passed; without it one in the cache.
    pub(crate) record: Option<PathBuf>,
    pub(crate) extent: TestExtent,
}

/// Says which skills are tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestExtent {
    Changed,
    All,
    /// None; a skill that changed since it passed is an error.
    Compare,
}

/// The result of a test of skills.
#[derive(Default)]
pub(crate) struct SkillTestReport {
    pub(crate) items: Vec<CheckedFile>,
    pub(crate) counts: TestCounts,
}

/// Adds up what was tested.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TestCounts {
    pub(crate) blocks: usize,
    pub(crate) names: usize,
    pub(crate) renames: usize,
    /// Sets of crate versions.
    pub(crate) versions: usize,
    /// Skills that passed before and did not change.
    pub(crate) unchanged: usize,
}

/// Tests the skills of the given paths, several at a time. One that passes is recorded at once.
pub(crate) fn run(context: &Context, options: &SkillTestOptions) -> Result<SkillTestReport, CliError> {
    let mut items = Vec::new();
    for path in &options.paths {
        items.extend(validate::skill_texts(path)?);
    }
    let recorded_at = options.record.clone().unwrap_or_else(|| context.directories.skill_tests().join("passed"));
    let mut record = match fs::read_text_if_there(&recorded_at, LARGEST_RECORD) {
        Ok(text) => PassedRecord::parse(&text.unwrap_or_default()),
        Err(error) => return Err(CliError::usage(format!("Cannot read the record: {error}")).hint("check the path")),
    };
    let mut counts = TestCounts::default();
    let mut jobs = Vec::new();
    for (at, item) in items.iter_mut().enumerate() {
        item.findings.retain(|found| found.severity == Severity::Error);
        let (job, problems) = prepare(at, item, options.record.is_none());
        item.findings.extend(problems);
        let Some(job) = job.filter(|_| item.findings.is_empty()) else { continue };
        match options.extent {
            TestExtent::Compare if record.has(&job.key, &job.hash) => counts.unchanged += 1,
            TestExtent::Changed if !job.has_local_crate() && record.has(&job.key, &job.hash) => counts.unchanged += 1,
            TestExtent::Changed | TestExtent::All => jobs.push(job),
            TestExtent::Compare => item.findings.push(changed(&item.path)),
        }
    }
    if options.extent == TestExtent::Compare {
        let known: Vec<String> = items.iter().map(|item| shown_key(&item.path)).collect();
        for path in record.paths().into_iter().filter(|path| !known.contains(path)) {
            let message = format!("`{path}` is recorded, and does not exist");
            items.push(CheckedFile::left_out(Diagnostic::error(recorded_at.display().to_string(), message)));
        }
        return Ok(SkillTestReport { items, counts });
    }
    if options.record.is_some() {
        for path in record.paths().into_iter().filter(|path| !fs::exists(&PathBuf::from(path))) {
            record.remove(&path);
        }
    }
    let record = Mutex::new(record);
    let fault = Mutex::new(None);
    let keep = |job: &SkillJob, run: &SkillRun| {
        let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
        if run.findings.is_empty() {
            record.set(&job.key, job.hash.clone(), &run.versions);
        } else {
            record.remove(&job.key);
        }
        let text = record.to_string();
        // A record that was asked for is committed, and has the usual mode.
        let written = match options.record {
            Some(_) => fs::replace_by(&recorded_at, |path| fs::write_new_shared(path, text.as_bytes())),
            None => state_file::write(&recorded_at, text.as_bytes()),
        };
        if let Err(error) = written {
            *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }
    };
    let bench = TestBench { context, is_offline: options.is_offline };
    for (job, run) in run_all(context.options.shows_progress, &bench, &jobs, &keep) {
        counts.blocks += job.blocks.len();
        counts.names += run.names;
        counts.renames += run.renames;
        counts.versions += run.versions.len();
        if let Some(item) = items.get_mut(job.item) {
            item.findings.extend(run.findings);
        }
    }
    match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(fault) => Err(CliError::failed(format!("Cannot write the record: {fault}")).hint("check the path")),
        None => Ok(SkillTestReport { items, counts }),
    }
}

/// Reads a skill; problems of its blocks are findings.
fn prepare(at: usize, item: &CheckedFile, has_own_key: bool) -> (Option<SkillJob>, Vec<Diagnostic>) {
    let (blocks, problems) = find_blocks(&item.text);
    let mut findings: Vec<Diagnostic> = problems.iter().map(|problem| block_finding(item, problem)).collect();
    let is_upgrade = item.name.as_deref().is_some_and(|name| name.ends_with("-upgrade"));
    let crates = match find_dependencies(&item.path, &item.text, is_upgrade) {
        Ok(crates) => crates,
        Err(fault) => {
            findings.push(*fault);
            return (None, findings);
        }
    };
    let real = fs::canonical(&PathBuf::from(&item.path)).map(|path| path.display().to_string());
    let job = SkillJob {
        item: at,
        path: item.path.clone(),
        // Skills of two crates may have one path, from the directories of their crates.
        name: format!("skill-{:08x}", hash(real.as_ref().unwrap_or(&item.path).as_bytes()) >> 32),
        key: if has_own_key { real.unwrap_or_default() } else { shown_key(&item.path) },
        hash: hash_skill(&item.text, &crates.sets),
        mentions: find_mentions(&item.text),
        text: item.text.clone(),
        blocks,
        crates,
        is_upgrade,
    };
    (Some(job), findings)
}

/// The path of a skill in a record: the same on every system.
fn shown_key(path: &str) -> String {
    path.replace('\\', "/")
}

fn block_finding(item: &CheckedFile, problem: &BlockProblem) -> Diagnostic {
    let span = skill_run::line_span(&item.text, problem.line);
    Diagnostic::error(item.path.clone(), problem.message.clone()).at(&item.text, span).help(problem.help)
}

fn changed(path: &str) -> Diagnostic {
    let help = "run `symposium skill test` with the same `--record`";
    Diagnostic::error(path, "This skill, or what it is tested with, changed since it passed").help(help)
}

/// Runs the jobs on several threads, and returns them in their order.
fn run_all<'j>(
    shows_progress: bool,
    bench: &TestBench<'_>,
    jobs: &'j [SkillJob],
    keep: &(dyn Fn(&SkillJob, &SkillRun) + Sync),
) -> Vec<(&'j SkillJob, SkillRun)> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let progress = Mutex::new(Progress::new(shows_progress));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(at) else { break };
            if let Ok(mut progress) = progress.lock() {
                progress.show(&format!("Testing {} of {}: {}", at + 1, jobs.len(), job.path));
            }
            let run = bench.run(job);
            keep(job, &run);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, job, run));
        }
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(MOST_WORKERS).min(jobs.len());
    thread::scope(|scope| {
        for _ in 1..workers {
            // Without a second thread the first does all of it.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, ..)| *at);
    done.into_iter().map(|(_, job, run)| (job, run)).collect()
}
