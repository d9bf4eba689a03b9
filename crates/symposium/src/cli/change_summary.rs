//! The changes of a set-up in a few lines: one for each agent, with the files and the number of skills.

use std::ffi::OsStr;

use symposium_agents::spec;
use symposium_model::agent::AgentId;
use symposium_model::sync::{ChangeStep, PlannedChange};

use crate::ops::agent_paths::AgentRoots;
use crate::ui::text::{StyledText, count_of, pad};

/// Whether the actions were carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeTense {
    Done,
    Would,
}

/// Prints one line for each agent, and for the agents that share files.
pub(super) fn summary(roots: AgentRoots<'_>, actions: &[&PlannedChange], tense: ChangeTense) -> StyledText {
    let mut groups: Vec<ChangeGroup<'_>> = Vec::new();
    for action in actions {
        match groups.iter_mut().find(|group| group.agents == action.agents) {
            Some(group) => group.actions.push(action),
            None => groups.push(ChangeGroup { agents: &action.agents, actions: vec![action] }),
        }
    }
    let titles: Vec<String> = groups.iter().map(ChangeGroup::title).collect();
    let width = titles.iter().map(|title| title.chars().count()).max().unwrap_or_default();
    let lines =
        titles.iter().zip(&groups).map(|(title, group)| (pad(title, width), group.parts(roots, tense).join(", ")));
    lines.fold(StyledText::default(), |text, (title, parts)| text.strong(title).plain("  ").plain(parts).end())
}

/// The changes for the same agents.
struct ChangeGroup<'g> {
    agents: &'g [AgentId],
    actions: Vec<&'g PlannedChange>,
}

impl ChangeGroup<'_> {
    fn title(&self) -> String {
        if self.agents.is_empty() {
            return "Symposium".to_owned();
        }
        self.agents.iter().map(|agent| spec(*agent).title).collect::<Vec<_>>().join(", ")
    }

    fn parts(&self, roots: AgentRoots<'_>, tense: ChangeTense) -> Vec<String> {
        let is_skill =
            |action: &PlannedChange| matches!(action.step, ChangeStep::Install { .. }) && action.extension.is_some();
        let (skills, files): (Vec<&PlannedChange>, Vec<&PlannedChange>) =
            self.actions.iter().partition(|action| is_skill(action));
        let file = |action: &&PlannedChange| format!("{} {}", in_tense(verb(action), tense), roots.shown(&action.path));
        let mut parts: Vec<String> = files.iter().map(file).collect();
        if !skills.is_empty() {
            let counted = format!("{} {}", in_tense("install", tense), count_of(skills.len(), "skill"));
            let names: Vec<_> =
                skills.iter().filter_map(|skill| skill.path.file_name()).map(OsStr::to_string_lossy).collect();
            parts.push(match tense {
                ChangeTense::Would => counted,
                // A source that was fetched since the plan was shown may have brought more.
                ChangeTense::Done => format!("{counted} ({})", names.join(", ")),
            });
        }
        parts
    }
}

fn in_tense(verb: &str, tense: ChangeTense) -> String {
    match tense {
        ChangeTense::Would => verb.to_owned(),
        ChangeTense::Done => format!("{}ed", verb.strip_suffix('e').unwrap_or(verb)),
    }
}

fn verb(action: &PlannedChange) -> &'static str {
    match &action.step {
        ChangeStep::Edit { .. } | ChangeStep::Configure { .. } | ChangeStep::Write { .. } if action.creates_file() => {
            "create"
        }
        ChangeStep::Edit { .. } | ChangeStep::Configure { .. } | ChangeStep::Write { .. } => "edit",
        ChangeStep::Restore { .. } | ChangeStep::GiveBack { .. } => "restore",
        ChangeStep::Install { .. } => "install",
        ChangeStep::Delete { .. } | ChangeStep::Uninstall { .. } => "remove",
    }
}
