//! Whether the person has told the agent to trust the folder, or the hooks.

use std::path::Path;

use serde_json::Value;
use symposium_agents::spec::{AgentTrust, FolderRecord, HandlerPlace, HookTrust};
use symposium_agents::{AgentPath, AgentSpec};
use symposium_edit::value;
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;
use symposium_model::edit::EditFormat;
use symposium_model::ownership::Marker;
use symposium_model::sync::{DesiredFile, fingerprint};

use super::{AgentReport, FindingWeight};
use crate::ops::agent_paths::AgentRoots;
use crate::ops::settings_lints::is_at;

/// Adds a finding for what waits to be trusted.
pub(super) fn examine_trust(
    roots: AgentRoots<'_>,
    facts: &AgentSpec,
    files: &[&DesiredFile],
    examination: &mut AgentReport,
) {
    match facts.trust {
        AgentTrust::Unrecorded => {}
        AgentTrust::Folders { file, record } => {
            let Some(root) = roots.project.filter(|_| !files.is_empty()) else { return };
            let root = root.display().to_string();
            if !is_trusted(&read(roots, file, EditFormat::Json), &root, record) {
                let message = format!("{} does not trust {root} yet", facts.title);
                examination.add(FindingWeight::Warning, message, "start it there once, and confirm");
            }
        }
        AgentTrust::Hooks(trust) => {
            let record = read(roots, trust.file, EditFormat::Toml);
            let hooks = files.iter().filter(|at| facts.hooks.iter().any(|hooks| is_at(hooks, &at.path)));
            for file in hooks {
                examine_hooks(facts, trust, &file.path, &record, examination);
                if let Some(root) = &file.workspace {
                    examine_project(facts, trust, root, &record, examination);
                }
            }
        }
    }
}

/// What a file says; nothing when it is not there or cannot be understood.
fn read(roots: AgentRoots<'_>, place: AgentPath, format: EditFormat) -> Value {
    let text = roots.resolve(place).and_then(|path| fs::read_text_if_there(&path, MAX_SETTINGS).ok().flatten());
    text.and_then(|text| value(&text, format).ok().flatten()).unwrap_or_default()
}

fn is_trusted(value: &Value, root: &str, record: FolderRecord) -> bool {
    match record {
        FolderRecord::ElementOf(key) => {
            value.get(key).and_then(Value::as_array).is_some_and(|list| list.iter().any(|at| at == root))
        }
        FolderRecord::KeyWithValue(word) => value.get(root).is_some_and(|found| found == word),
        FolderRecord::KeyOf(key, flag) => {
            value.get(key).and_then(|folders| folders.get(root)?.get(flag)).is_some_and(|found| found == true)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HandlerTrust {
    Trusted,
    /// The person was not asked yet.
    Pending,
    /// Something else was trusted in its place, so it asks again.
    Changed,
    /// The person switched it off.
    Off,
}

fn examine_hooks(facts: &AgentSpec, trust: &HookTrust, path: &Path, record: &Value, examination: &mut AgentReport) {
    let Ok(Some(text)) = fs::read_text_if_there(path, MAX_SETTINGS) else { return };
    let Ok(Some(hooks)) = value(&text, EditFormat::Json) else { return };
    // The agent may have come by the file through a link.
    let real = fs::canonical(path).unwrap_or_else(|_| path.to_owned());
    let paths = [path.display().to_string(), real.display().to_string()];
    let found = standings(trust, &Marker::HookOf(facts.id), &hooks, &paths, record);
    let (title, shown) = (facts.title, path.display());
    let (AgentPath::Home(place) | AgentPath::Project(place) | AgentPath::GitRoot(place)) = trust.file;
    let ask = "start it once, and review or trust them when it asks";
    let cases = [
        (HandlerTrust::Pending, format!("{title} does not trust the hooks in {shown} yet"), ask.to_owned()),
        (
            HandlerTrust::Changed,
            format!("{title} trusts only an earlier version of the hooks in {shown}"),
            ask.to_owned(),
        ),
        (
            HandlerTrust::Off,
            format!("{title} is configured not to run the hooks in {shown}"),
            format!("to run them, remove `{} = false` from their entries in {place}", trust.switch),
        ),
    ];
    for (standing, message, fix) in cases {
        let events: Vec<&str> = found.iter().filter(|(_, is)| *is == standing).map(|(event, _)| *event).collect();
        if !events.is_empty() {
            examination.add(FindingWeight::Warning, format!("{message}: {}", events.join(", ")), fix);
        }
    }
}

/// Each of our handlers in a file, by event.
fn standings<'h>(
    trust: &HookTrust,
    mark: &Marker,
    hooks: &'h Value,
    paths: &[String],
    record: &Value,
) -> Vec<(&'h str, HandlerTrust)> {
    let entries = trust.table.iter().try_fold(record, |table, key| table.get(key));
    let mut found = Vec::new();
    let events = hooks.get("hooks").and_then(Value::as_object);
    for (event, groups) in events.into_iter().flatten() {
        for (group, of_group) in groups.as_array().into_iter().flatten().enumerate() {
            let handlers = of_group.get("hooks").and_then(Value::as_array);
            for (handler, of_handler) in handlers.into_iter().flatten().enumerate() {
                if mark.is_own_handler(of_handler) {
                    let key = |file: &String| (trust.key)(&HandlerPlace { file, event, group, handler });
                    let entry = entries.and_then(|entries| paths.iter().find_map(|path| entries.get(key(path))));
                    let hashed = (trust.hashed)(event, of_group, of_handler);
                    found.push((event.as_str(), standing(trust, entry, hashed.as_deref())));
                }
            }
        }
    }
    found
}

/// What an entry of the record says about a handler. Where the hash cannot be told, an entry is taken for trust.
fn standing(trust: &HookTrust, entry: Option<&Value>, hashed: Option<&str>) -> HandlerTrust {
    if entry.and_then(|entry| entry.get(trust.switch)) == Some(&Value::Bool(false)) {
        return HandlerTrust::Off;
    }
    let Some(recorded) = entry.and_then(|entry| entry.get(trust.hash_key)?.as_str()) else {
        return HandlerTrust::Pending;
    };
    match hashed {
        Some(text) if recorded != format!("sha256:{}", fingerprint(text.as_bytes()).as_str()) => HandlerTrust::Changed,
        Some(_) | None => HandlerTrust::Trusted,
    }
}

fn examine_project(facts: &AgentSpec, trust: &HookTrust, root: &Path, record: &Value, examination: &mut AgentReport) {
    let (projects, key, no) = trust.distrusted;
    let root = root.display().to_string();
    let level = record.get(projects).and_then(|projects| projects.get(&root)?.get(key)?.as_str());
    if level == Some(no) {
        let message = format!("{} is configured not to trust {root}, so it reads no files of the project", facts.title);
        examination.add(
            FindingWeight::Warning,
            message,
            format!("if you trust the project, change `{key} = \"{no}\"` for it"),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use symposium_agents::spec;
    use symposium_model::agent::AgentId;

    use super::*;

    /// Hashes as Codex CLI 0.166.0 shows them for these very handlers.
    #[test]
    fn the_hash_is_the_one_codex_shows() {
        let AgentTrust::Hooks(trust) = spec(AgentId::Codex).trust else { panic!("Codex records hooks") };
        let first = "[ -x '/a b/symposium' ] || exit 0; exec '/a b/symposium' hook codex session-start";
        let second = "symposium hook codex pre-tool-use --project";
        let hooks = json!({ "hooks": {
            "SessionStart": [{ "hooks": [{ "type": "command", "command": first, "timeout": 60 }] }],
            "PreToolUse": [
                { "matcher": "Bash", "hooks": [{ "type": "command", "command": "true", "statusMessage": "x" }] },
                { "hooks": [
                    { "type": "command", "command": "echo mine" },
                    { "type": "command", "command": second, "timeout": 60 },
                ] },
            ],
        } });
        let hash = |hash: &str| json!({ "trusted_hash": format!("sha256:{hash}") });
        let record = json!({ "hooks": { "state": {
            "/h/hooks.json:session_start:0:0": hash("28acb93db624254bcca87e5166452af31aa3a092b193a74c1d2a823a92fa7ebd"),
            "/h/hooks.json:pre_tool_use:1:1": hash("f31b5f6331199581b9b9ca4444079e2e07380c93eee2bd31b5712ed693137f98"),
        } } });
        let check = |record: &Value, wanted: [HandlerTrust; 2]| {
            let paths = ["/elsewhere".to_owned(), "/h/hooks.json".to_owned()];
            let found = standings(trust, &Marker::HookOf(AgentId::Codex), &hooks, &paths, record);
            assert_eq!(found, [("PreToolUse", wanted[0]), ("SessionStart", wanted[1])], "{record}");
        };
        check(&record, [HandlerTrust::Trusted, HandlerTrust::Trusted]);
        check(&Value::Null, [HandlerTrust::Pending, HandlerTrust::Pending]);
        let other = json!({ "hooks": { "state": {
            "/h/hooks.json:session_start:0:0": { "trusted_hash": "sha256:0", "enabled": true },
            "/h/hooks.json:pre_tool_use:1:1": { "enabled": false },
            "/h/hooks.json:pre_tool_use:0:0": hash("f31b5f6331199581b9b9ca4444079e2e07380c93eee2bd31b5712ed693137f98"),
        } } });
        check(&other, [HandlerTrust::Off, HandlerTrust::Changed]);
    }
}
