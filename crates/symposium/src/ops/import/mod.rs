//! What somebody has in one agent, as a plugin of theirs for every agent.

mod duplicate_imports;
pub(crate) mod read;
mod scripts;
mod skills;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use symposium_agents::import::{
    ConvertedHook, ImportResult, ManifestPart, MergeAction, MergedManifest, SkillPresence, SkippedEntry, carry, header,
    merge, parts, server_id,
};
use symposium_agents::{Scope, spec};
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::{Fingerprint, Ledger, SkillFile, fingerprint};

use self::write::ImportRecord;
use super::context::Context;
use crate::error::CliError;

pub(crate) use self::write::write;

/// The manifest of an imported plugin.
const MANIFEST: &str = "SYMPOSIUM.toml";

/// What was imported, or would be.
pub(crate) struct ImportReport {
    pub(crate) agent: AgentId,
    pub(crate) scope: Scope,
    pub(crate) directory: PathBuf,
    pub(crate) rows: Vec<ImportedPart>,
    pub(crate) left_out: Vec<SkippedEntry>,
    /// Settings that cannot be understood.
    pub(crate) broken: Vec<Diagnostic>,
    pub(crate) warnings: Vec<String>,
    manifest: MergedManifest,
    before: Option<String>,
    files: Vec<ImportedFile>,
    record: ImportRecord,
    recorded: Option<ImportRecord>,
}

impl ImportReport {
    /// Whether there is anything to write.
    pub(crate) fn changes_anything(&self) -> bool {
        let fates = self.rows.iter().map(|row| row.fate).chain(self.files.iter().map(|file| file.fate));
        fates.into_iter().any(|fate| matches!(fate, MergeAction::New | MergeAction::Updated))
    }
}

pub(crate) struct ImportedPart {
    /// `hook`, `server` or `skill`.
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    /// The file or directory it comes from, for people.
    pub(crate) from: String,
    pub(crate) was: Option<HookMeaning>,
    pub(crate) is: Option<HookMeaning>,
    pub(crate) fate: MergeAction,
    /// What was changed about it, in words.
    pub(crate) changes: Vec<String>,
}

pub(crate) struct HookMeaning {
    pub(crate) event: String,
    pub(crate) matcher: Option<String>,
}

/// A file of the plugin besides its manifest.
struct ImportedFile {
    path: String,
    bytes: Vec<u8>,
    executable: bool,
    fate: MergeAction,
}

/// Finds out what an import would do. Nothing is written.
pub(crate) fn gather(
    context: &Context,
    agent: AgentId,
    scope: Scope,
    ledger: &Ledger,
) -> Result<ImportReport, CliError> {
    let plugins = match scope {
        Scope::Global => context.directories.user_plugins(),
        Scope::Project => project_plugins(context.root())?,
    };
    let name = plugin_name(agent, scope);
    let directory = plugins.join(&name);
    let recorded = write::read_record(&directory)?;
    let holding = read::read(context.roots(), agent);
    let mut carried = holding.with_estate(ledger, scope, carry);
    let mut skills = skills::skills(context.roots(), agent, scope, ledger, &holding, &mut carried.left_out);
    carried.left_out.extend(skills::programs(context.roots(), agent));
    let known = recorded.as_ref();
    duplicate_imports::leave_out(&plugins, &directory, known, &mut carried, &mut skills);
    let scripts = match (scope, context.root()) {
        (Scope::Project, Some(root)) => scripts::take_along(root, context.home.as_deref(), &mut carried.hooks),
        (Scope::Project | Scope::Global, _) => Vec::new(),
    };
    keep_names(&mut carried.hooks, known.map_or(&[], |record| &record.parts));

    let has_skills = if skills.is_empty() { SkillPresence::None } else { SkillPresence::Some };
    let parts = parts(&carried.hooks, &carried.servers, has_skills);
    let before = fs::read_text_if_there(&directory.join(MANIFEST), fs::MAX_SETTINGS)
        .map_err(|error| CliError::failed(error.to_string()).hint("make it a readable text file"))?;
    // One that was removed stays away, unless nothing is left of the whole import.
    let manifest = merge(before.as_deref(), &header(agent, &name), known.map_or(&[], |record| &record.parts), &parts);

    let mut import = ImportReport {
        agent,
        scope,
        directory,
        rows: Vec::new(),
        left_out: carried.left_out.clone(),
        broken: holding.broken,
        warnings: Vec::new(),
        record: ImportRecord::merge_parts(&manifest.record, known),
        manifest,
        before,
        files: Vec::new(),
        recorded,
    };
    import.add_rows(&carried, &parts);
    for script in scripts {
        import.add_file(script.path, script.bytes, script.executable);
    }
    for skill in skills {
        let fates: Vec<MergeAction> =
            skill.files.into_iter().map(|file| import.add_skill_file(&skill.name, file)).collect();
        let fate = overall(&fates);
        let (name, from) = (skill.name, skill.from);
        import.rows.push(ImportedPart { kind: "skill", name, from, was: None, is: None, fate, changes: Vec::new() });
    }
    import.warn(context);
    Ok(import)
}

/// What an imported plugin is called. A person's and a project's are two: of one name, only one would count.
fn plugin_name(agent: AgentId, scope: Scope) -> String {
    match scope {
        Scope::Global => format!("imported-{agent}"),
        Scope::Project => format!("imported-{agent}-project"),
    }
}

fn project_plugins(root: Option<&Path>) -> Result<PathBuf, CliError> {
    let Some(root) = root else {
        let error = CliError::failed("This directory is not part of a cargo workspace, so there is no project");
        return Err(error.hint(
            "run the command in a directory with a Cargo.toml, or import your own settings without `--project`",
        ));
    };
    let plugins = root.join(PROJECT_PLUGINS);
    let there = plugins.ancestors().find(|directory| fs::exists(directory)).unwrap_or(root);
    let inside = match (fs::canonical(there), fs::canonical(root)) {
        (Ok(there), Ok(root)) => there.starts_with(root),
        _ => false,
    };
    if !inside {
        let error = CliError::failed(format!("`{}` is a link to a place outside the project", there.display()));
        return Err(error.hint("make it a directory of the project"));
    }
    Ok(plugins)
}

/// Where plugins of a project go, from its root.
pub(crate) const PROJECT_PLUGINS: &str = ".symposium/plugins";

/// A hook keeps the name an earlier import gave it.
fn keep_names(hooks: &mut [ConvertedHook], record: &[ManifestPart]) {
    let fresh = parts(hooks, &[], SkillPresence::None);
    for (hook, part) in hooks.iter_mut().zip(fresh) {
        let known = record.iter().find(|known| known.id == part.id);
        let name = known.and_then(|known| known.text.lines().find_map(|line| line.strip_prefix("name = ")));
        if let Some(name) = name {
            name.trim_matches('"').clone_into(&mut hook.name);
        }
    }
}

fn overall(fates: &[MergeAction]) -> MergeAction {
    [MergeAction::Kept, MergeAction::Updated]
        .into_iter()
        .find(|fate| fates.contains(fate))
        .or_else(|| fates.iter().all(|fate| *fate == MergeAction::New).then_some(MergeAction::New))
        .unwrap_or(if fates.contains(&MergeAction::New) { MergeAction::Updated } else { MergeAction::Unchanged })
}

impl ImportReport {
    fn add_rows(&mut self, carried: &ImportResult, parts: &[ManifestPart]) {
        let fates: BTreeMap<&str, MergeAction> =
            parts.iter().map(|part| part.id.as_str()).zip(self.manifest.fates.iter().copied()).collect();
        let hook_parts = symposium_agents::import::parts(&carried.hooks, &[], SkillPresence::None);
        for (hook, part) in carried.hooks.iter().zip(hook_parts) {
            self.rows.push(ImportedPart {
                kind: "hook",
                name: hook.name.clone(),
                from: hook.was.file.clone(),
                was: Some(HookMeaning { event: hook.was.event.clone(), matcher: hook.was.matcher.clone() }),
                is: Some(HookMeaning { event: hook.event.clone(), matcher: hook.matcher.clone() }),
                fate: fates.get(part.id.as_str()).copied().unwrap_or(MergeAction::New),
                changes: hook.changes.clone(),
            });
        }
        for server in &carried.servers {
            self.rows.push(ImportedPart {
                kind: "server",
                name: server.name.clone(),
                from: server.file.clone(),
                was: None,
                is: None,
                fate: fates.get(server_id(&server.name).as_str()).copied().unwrap_or(MergeAction::New),
                changes: server.changes.clone(),
            });
        }
    }

    fn add_skill_file(&mut self, skill: &str, file: SkillFile) -> MergeAction {
        self.add_file(format!("skills/{skill}/{}", file.path), file.bytes, file.executable)
    }

    /// Plans a file; what its owner changed or removed stays so.
    fn add_file(&mut self, path: String, bytes: Vec<u8>, executable: bool) -> MergeAction {
        let fresh = fingerprint(&bytes);
        let there: Option<Fingerprint> =
            fs::read(&self.directory.join(&path), fs::MAX_SETTINGS).ok().map(|found| fingerprint(&found));
        let known = self.recorded.as_ref().and_then(|record| record.files.get(&path));
        let fate = match (&there, known) {
            (Some(there), _) if *there == fresh => MergeAction::Unchanged,
            (None, None) => MergeAction::New,
            (Some(there), Some(known)) if there == known => MergeAction::Updated,
            (Some(_) | None, _) => MergeAction::Kept,
        };
        if fate != MergeAction::Kept {
            self.record.files.insert(path.clone(), fresh);
        }
        self.files.push(ImportedFile { path, bytes, executable, fate });
        fate
    }

    fn warn(&mut self, context: &Context) {
        if self.scope == Scope::Global && !context.settings.user_plugins.value {
            self.warnings.push("`[defaults] user-plugins` is `false`, so the imported plugin is not used".to_owned());
        }
        if self.rows.iter().any(|row| row.fate == MergeAction::Kept) {
            let place = context.roots().shown(&self.directory);
            let names: Vec<&str> =
                self.rows.iter().filter(|row| row.fate == MergeAction::Kept).map(|row| row.name.as_str()).collect();
            self.warnings
                .push(format!("{place} was edited after the import; your changes are kept: {}", names.join(", ")));
        }
        let title = spec(self.agent).title;
        let private: Vec<&str> =
            self.rows.iter().map(|row| row.from.as_str()).filter(|from| is_private(from)).collect();
        if let (Scope::Project, Some(file)) = (self.scope, private.first()) {
            self.warnings
                .push(format!("{file} is a private file of {title}; if you commit the plugin, you share its content"));
        }
    }
}

/// Whether a file of a project is one that is not committed.
fn is_private(shown: &str) -> bool {
    shown.contains(".local.") || shown.starts_with("~/")
}
