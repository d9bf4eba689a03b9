//! Looks at each agent the way it will look at us: installed, registered, readable, trusted, answering.

use std::path::{Path, PathBuf};
use std::time::Duration;

use symposium_agents::spec::{FolderRecord, HookFile, Reaction, RootOnly, Strictness, Trust};
use symposium_agents::{AgentSpec, Scope, spec};
use symposium_edit::insert;
use symposium_io::settings::MAX_SETTINGS;
use symposium_io::{env, fs, process};
use symposium_model::agent::AgentId;
use symposium_model::edit::FileContent;
use symposium_model::oddities::oddities;
use symposium_model::ours::{HookCall, Mark, Share};

use super::context::Context;
use super::sync::desired::{Desired, DesiredFile, registrations, resolve};
use super::sync::ledger_file;

/// How long an agent may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// How long our own answer may take before something is wrong.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// It does not work.
    Error,
    /// It may not work, or something waits for the person.
    Warning,
}

/// Something about an agent, and what to do.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// How much it matters.
    pub(crate) weight: Weight,
    /// What is so.
    pub(crate) message: String,
    /// What to do.
    pub(crate) fix: String,
}

/// What was found out about one agent.
#[derive(Debug)]
pub(crate) struct Examination {
    /// The agent.
    pub(crate) agent: AgentId,
    /// Its program, if it is on PATH.
    pub(crate) program: Option<PathBuf>,
    /// What it says its version is.
    pub(crate) version: Option<String>,
    /// What is not as it should be.
    pub(crate) findings: Vec<Finding>,
    /// How long our answer to an event took.
    pub(crate) answered_in: Option<Duration>,
    /// Instruction files it reads here. They are the person's, and never written.
    pub(crate) instructions: Vec<PathBuf>,
}

/// Examines an agent.
pub(crate) fn examine(context: &Context, agent: AgentId) -> Examination {
    let facts = spec(agent);
    let program = find_program(facts);
    let version = program.as_deref().and_then(version_of);
    let mut examination = Examination {
        agent,
        program,
        version,
        findings: Vec::new(),
        answered_in: None,
        instructions: instructions(context, facts),
    };
    if examination.program.is_none() {
        let message = format!("{} is not on PATH", facts.title);
        examination.add(Weight::Warning, message, "install it, or leave it out of `[agent] name`");
    }
    let mut desired = Desired::default();
    registrations(context, &ledger_file::read(context), &[], &mut desired);
    let files: Vec<&DesiredFile> = desired.files.iter().filter(|file| file.agents.contains(&agent)).collect();
    if files.is_empty() {
        let message = format!("{} is not configured", facts.title);
        examination.add(Weight::Warning, message, format!("`symposium init --agent {agent}` sets it up"));
    }
    for file in &files {
        examine_file(facts, file, &mut examination);
    }
    let in_project = context.project_agents().contains(&agent);
    if in_project {
        examine_project(context, facts, &mut examination);
    }
    examine_trust(context, facts, &files, &mut examination);
    answer(context, agent, &mut examination);
    examination
}

impl Examination {
    fn add(&mut self, weight: Weight, message: impl Into<String>, fix: impl Into<String>) {
        self.findings.push(Finding { weight, message: message.into(), fix: fix.into() });
    }
}

/// The instruction files that are there.
fn instructions(context: &Context, facts: &AgentSpec) -> Vec<PathBuf> {
    let project =
        context.root().into_iter().flat_map(|root| facts.instructions.project.iter().map(|file| root.join(file)));
    let home = context.home.iter().flat_map(|home| facts.instructions.global.iter().map(|file| home.join(file)));
    project.chain(home).filter(|path| fs::is_file(path)).collect()
}

fn find_program(facts: &AgentSpec) -> Option<PathBuf> {
    let directories = env::program_directories();
    let candidates = facts.programs.iter().flat_map(|name| directories.iter().map(move |at| at.join(name)));
    candidates.into_iter().find(|path| fs::is_file(path) && fs::is_executable(path))
}

fn version_of(program: &Path) -> Option<String> {
    let home = env::home().unwrap_or_else(|| PathBuf::from("/"));
    let finished = process::run(program, &["--version"], &home, "", VERSION_LIMIT).ok()??;
    let line = finished.stdout.lines().find(|line| !line.trim().is_empty())?.trim().to_owned();
    finished.status.success().then_some(line)
}

/// Whether the file is there, says what it must, and is one the agent can read.
fn examine_file(facts: &AgentSpec, file: &DesiredFile, examination: &mut Examination) {
    let shown = file.path.display();
    let text = match fs::read_text_if_there(&file.path, MAX_SETTINGS) {
        Ok(Some(text)) => text,
        Ok(None) => {
            let message = format!("Not registered: there is no {shown}");
            examination.add(Weight::Error, message, "`symposium sync` writes it");
            return;
        }
        Err(error) => {
            let message = format!("{shown} cannot be read: {}", error.kind);
            examination.add(Weight::Error, message, "make it a readable text file, then run `symposium sync`");
            return;
        }
    };
    let hook_file = facts.hooks.iter().find(|hooks| is_at(hooks, &file.path));
    let strictness = hook_file.map_or(facts.mcp.strictness, |hooks| hooks.strictness);
    match &file.content {
        FileContent::Entries { format, entries } => {
            if *format == symposium_model::edit::Format::Json {
                examine_strictness(facts, strictness, &file.path, &text, examination);
            }
            match insert(&text, *format, entries) {
                Ok(edited) if edited.changed => {
                    let message = format!("The registration in {shown} is missing or out of date");
                    examination.add(Weight::Error, message, "`symposium sync` brings it up to date");
                }
                Ok(_) => {}
                Err(error) => {
                    let message = format!("{shown} cannot be understood: {error}");
                    examination.add(Weight::Error, message, "mend the file, then run `symposium sync`");
                }
            }
        }
        FileContent::Whole(wanted) if *wanted != text => {
            let message = format!("{shown} is not as Symposium writes it");
            examination.add(
                Weight::Warning,
                message,
                "remove it and run `symposium sync`, if you did not edit it on purpose",
            );
        }
        FileContent::Whole(_) => {}
    }
    examine_commands(facts, &file.path, &text, examination);
}

fn is_at(hooks: &HookFile, path: &Path) -> bool {
    [Scope::Project, Scope::Global].iter().any(|scope| {
        let (symposium_agents::Place::Home(at)
        | symposium_agents::Place::Project(at)
        | symposium_agents::Place::GitRoot(at)) = hooks.place(*scope);
        path.ends_with(at)
    })
}

/// What is legal for some agents makes others ignore the whole file.
fn examine_strictness(facts: &AgentSpec, strict: Strictness, path: &Path, text: &str, examination: &mut Examination) {
    let found = oddities(text);
    let at = |line: Option<usize>| line.map(|line| format!(" in line {line}")).unwrap_or_default();
    let cases = [
        (found.comment.is_some(), strict.comment, format!("a comment{}", at(found.comment)), "remove the comment"),
        (
            found.trailing_comma.is_some(),
            strict.trailing_comma,
            format!("a trailing comma{}", at(found.trailing_comma)),
            "remove the comma",
        ),
        (
            found.byte_order_mark,
            strict.byte_order_mark,
            "a byte order mark".to_owned(),
            "save the file as UTF-8 without a byte order mark",
        ),
        (found.empty, strict.empty, "having no content".to_owned(), "`symposium sync` fills it"),
    ];
    for (present, reaction, what, fix) in cases {
        let effect = match reaction {
            Reaction::Accepts | Reaction::Unknown => continue,
            Reaction::IgnoresFile => "silently ignores the whole file",
            Reaction::RejectsFile => "rejects the whole file",
            Reaction::RefusesToStart(_) => "does not start at all",
        };
        if present {
            let message = format!("{} {effect} {} because of {what}", facts.title, path.display());
            examination.add(Weight::Error, message, fix);
        }
    }
}

/// The commands in a file: ours with a program that is gone, ours twice, and rtk's own.
fn examine_commands(facts: &AgentSpec, path: &Path, text: &str, examination: &mut Examination) {
    let shown = path.display();
    let mut missing: Vec<String> = Vec::new();
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
        let events = value.get("hooks").and_then(serde_json::Value::as_object);
        for (event, handlers) in events.into_iter().flatten() {
            let handlers = handlers.as_array().into_iter().flatten();
            let ours: Vec<&serde_json::Value> =
                handlers.filter(|entry| Mark::HookOf(facts.id).share(entry) != Share::Nothing).collect();
            if ours.len() > 1 {
                let message = format!("{event} is registered {} times in {shown}", ours.len());
                examination.add(Weight::Error, message, "`symposium sync` keeps one");
            }
            for entry in ours {
                collect_missing(entry, &mut missing);
            }
        }
    }
    missing.sort();
    missing.dedup();
    for program in missing {
        let message = format!("{shown} calls `{program}`, which does not exist");
        examination.add(Weight::Error, message, "run `symposium sync` with the program you have now");
    }
    if text.contains("rtk hook") || text.contains("rtk-rewrite.sh") {
        let message = format!("rtk has a hook of its own in {shown}");
        examination.add(
            Weight::Warning,
            message,
            "keep one of the two: Symposium's rtk workflow stands down beside it",
        );
    }
}

/// Programs of our calls that are given by path and are not there.
fn collect_missing(entry: &serde_json::Value, missing: &mut Vec<String>) {
    match entry {
        serde_json::Value::String(command) => {
            if let Some(call) = HookCall::parse(command)
                && call.program.starts_with('/')
                && !fs::exists(Path::new(&call.program))
            {
                missing.push(call.program);
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect_missing(item, missing)),
        serde_json::Value::Object(fields) => fields.values().for_each(|field| collect_missing(field, missing)),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

/// A project's files call us by name, and some agents find them only from the root.
fn examine_project(context: &Context, facts: &AgentSpec, examination: &mut Examination) {
    let on_path = env::program_directories().iter().any(|directory| fs::is_file(&directory.join("symposium")));
    if !on_path {
        let message = "The project's registration calls `symposium`, which is not on PATH";
        examination.add(
            Weight::Error,
            message,
            "install it where PATH finds it: `cargo install --path crates/symposium`",
        );
    }
    let here = env::current_dir().ok().and_then(|here| fs::canonical(&here).ok());
    if facts.root_only != RootOnly::Nothing && here.as_deref() != context.root() {
        let message = format!("{} finds the project's registration only when it is started in the root", facts.title);
        let root = context.root().map(|root| root.display().to_string()).unwrap_or_default();
        examination.add(Weight::Warning, message, format!("start it in {root}"));
    }
}

fn examine_trust(context: &Context, facts: &AgentSpec, files: &[&DesiredFile], examination: &mut Examination) {
    let read = |place| {
        let path = resolve(context, place)?;
        fs::read_text_if_there(&path, MAX_SETTINGS).ok().flatten()
    };
    match facts.trust {
        Trust::Unrecorded => {}
        Trust::Folders { file, record } => {
            let Some(root) = context.root().filter(|_| !files.is_empty()) else { return };
            let root = root.display().to_string();
            let text = read(file).unwrap_or_default();
            let text: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let trusted = match record {
                FolderRecord::ElementOf(key) => value
                    .get(key)
                    .and_then(|list| list.as_array())
                    .is_some_and(|list| list.iter().any(|at| *at == root)),
                FolderRecord::KeyWithValue(word) => value.get(&root).is_some_and(|found| found == word),
                FolderRecord::KeyOf(key, flag) => {
                    value.get(key).and_then(|folders| folders.get(&root)?.get(flag)).is_some_and(|found| found == true)
                }
            };
            if !trusted {
                let message = format!("{} has not been told to trust {root}", facts.title);
                examination.add(Weight::Warning, message, "start it there once and confirm");
            }
        }
        Trust::Hooks { file, .. } => {
            let text = read(file).unwrap_or_default();
            let hooks = files.iter().filter(|at| facts.hooks.iter().any(|hooks| is_at(hooks, &at.path)));
            for hooks in hooks {
                if fs::exists(&hooks.path) && !text.contains(&format!("{}:", hooks.path.display())) {
                    let message =
                        format!("{} waits for you to trust the hooks in {}", facts.title, hooks.path.display());
                    examination.add(Weight::Warning, message, "start it once, and review or trust them when it asks");
                }
            }
        }
    }
}

/// Sends an event through our own program.
fn answer(context: &Context, agent: AgentId, examination: &mut Examination) {
    let Some(program) = env::current_program() else { return };
    let directory = context.root().map_or_else(|| PathBuf::from("/"), Path::to_owned);
    let args = ["hook", agent.name(), "session-start"];
    match process::run(&program, &args, &directory, "{}", ANSWER_LIMIT) {
        Ok(Some(finished)) if finished.status.success() => examination.answered_in = Some(finished.took),
        Ok(Some(finished)) => {
            let message = format!("Our answer to a test event ended with {}", finished.status);
            examination.add(Weight::Error, message, "please report this with the command you ran");
        }
        Ok(None) => {
            let message = format!("Our answer to a test event took over {} seconds", ANSWER_LIMIT.as_secs());
            examination.add(Weight::Error, message, "please report this with the command you ran");
        }
        Err(error) => {
            let message = format!("A test event could not be sent: {error}");
            examination.add(Weight::Error, message, "check that the program is still where it was");
        }
    }
}
