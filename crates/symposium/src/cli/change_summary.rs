//! The changes of a set-up in a few lines: one for each agent, with the files and the number of skills.

use symposium_agents::spec;
use symposium_model::agent::AgentId;
use symposium_model::sync::{ChangeStep, PlannedChange};

use crate::ops::agent_paths::AgentRoots;
use crate::ui::text::{StyledText, count_of, pad};

/// Prints one line for each agent, and for the agents that share files.
pub(super) fn summary(roots: AgentRoots<'_>, actions: &[&PlannedChange]) -> StyledText {
    let mut groups: Vec<ChangeGroup<'_>> = Vec::new();
    for action in actions {
        match groups.iter_mut().find(|group| group.agents == action.agents) {
            Some(group) => group.actions.push(action),
            None => groups.push(ChangeGroup { agents: &action.agents, actions: vec![action] }),
        }
    }
    let titles: Vec<String> = groups.iter().map(ChangeGroup::title).collect();
    let width = titles.iter().map(|title| title.chars().count()).max().unwrap_or_default();
    let lines = titles.iter().zip(&groups).map(|(title, group)| (pad(title, width), group.parts(roots).join(", ")));
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

    fn parts(&self, roots: AgentRoots<'_>) -> Vec<String> {
        let is_skill =
            |action: &PlannedChange| matches!(action.step, ChangeStep::Install { .. }) && action.extension.is_some();
        let (skills, files): (Vec<&PlannedChange>, Vec<&PlannedChange>) =
            self.actions.iter().partition(|action| is_skill(action));
        let file = |action: &&PlannedChange| format!("{} {}", verb(action), roots.shown(&action.path));
        let mut parts: Vec<String> = files.iter().map(file).collect();
        if !skills.is_empty() {
            parts.push(format!("install {}", count_of(skills.len(), "skill")));
        }
        parts
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
