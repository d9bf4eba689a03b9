//! The user's own rules about shell commands, read from the settings of every agent that takes a changed command.

use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_agents::permission::{PermissionFile, RuleText};
use symposium_agents::settings_layout::LayerPath;
use symposium_agents::spec;
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::hook::CommandRule;
use symposium_model::hook::hook_plan::{Handler, HandlerAction};

use crate::ops::agent_paths::AgentRoots;
use crate::ops::import::read;
use crate::ops::rtk;

/// The rules, and where they stand.
#[derive(Debug, Default)]
pub(super) struct CommandPermissions {
    pub(super) rules: Vec<CommandRule>,
    /// Files that have some, or in which a person may write some at any time.
    pub(super) decisive: Vec<PathBuf>,
    pub(super) others: Vec<PathBuf>,
}

/// Reads the rules of every agent. Those of `agents` are the ones that are used here.
pub(super) fn read(roots: AgentRoots<'_>, agents: &[AgentId]) -> CommandPermissions {
    let mut found = CommandPermissions::default();
    for agent in AgentId::ALL {
        let is_used = agents.contains(&agent);
        for file in spec(agent).permissions {
            for path in read::find(roots, agent, file.at) {
                // The root of the repository may be the project itself.
                if found.decisive.contains(&path) || found.others.contains(&path) {
                    continue;
                }
                found.rules.extend(rules(roots, agent, file, &path));
                let is_persons = !matches!(file.at, LayerPath::Machine { .. } | LayerPath::MachineFolder { .. });
                let is_decisive = (is_used && is_persons) || fs::exists(&path);
                if is_decisive { &mut found.decisive } else { &mut found.others }.push(path);
            }
            let folder = folder(roots, agent, file.at);
            if is_used { &mut found.decisive } else { &mut found.others }.extend(folder);
        }
    }
    found.rules.dedup();
    found
}

/// Whether a handler could change a command, so that rules matter.
pub(super) fn may_rewrite(handler: &Handler) -> bool {
    match handler.run {
        HandlerAction::Direct { .. } | HandlerAction::Shell { .. } => true,
        HandlerAction::Rtk { .. } => rtk::absence().is_none(),
        HandlerAction::Autofmt(_) | HandlerAction::Cargo | HandlerAction::Deps | HandlerAction::Finish => false,
    }
}

/// The rules of one file. One that cannot be understood may hold any.
fn rules(roots: AgentRoots<'_>, agent: AgentId, file: &PermissionFile, path: &Path) -> Vec<CommandRule> {
    let shown = roots.shown(path);
    let value = match file.notation {
        Some(notation) => {
            read::read_file(path, &shown, notation).map(|read| read.map(|(_, value)| value)).map_err(drop)
        }
        None => fs::read_text_if_there(path, fs::MAX_SETTINGS).map(|text| text.map(Value::String)).map_err(drop),
    };
    let rule = |RuleText { text, pattern }: RuleText| match pattern {
        Some(pattern) => CommandRule::parse(agent, &text, &pattern),
        None => Some(CommandRule::unknown(agent, &text)),
    };
    match value {
        Ok(Some(value)) => (file.rules)(&value).into_iter().filter_map(rule).collect(),
        Ok(None) => Vec::new(),
        Err(()) => vec![CommandRule::unknown(agent, &format!("{shown}, which cannot be read"))],
    }
}

/// The directory in which files of any name have rules.
fn folder(roots: AgentRoots<'_>, agent: AgentId, at: LayerPath) -> Vec<PathBuf> {
    let above =
        |pattern: &'static str| pattern.rsplit_once('/').filter(|(_, name)| name.contains('*')).map(|(at, _)| at);
    let folder = match at {
        LayerPath::Home(pattern) => above(pattern).map(LayerPath::Home),
        LayerPath::Project(pattern) => above(pattern).map(LayerPath::Project),
        LayerPath::GitRoot(pattern) => above(pattern).map(LayerPath::GitRoot),
        LayerPath::Machine { .. } | LayerPath::MachineFolder { .. } => None,
    };
    folder.map(|at| read::find(roots, agent, at)).unwrap_or_default()
}
