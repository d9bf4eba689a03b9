//! Warns about skills and plugins with a missing or ambiguous name.

use symposium_model::catalog::{Catalog, PluginKind};
use symposium_model::select::{Selection, SkillState};

use crate::ops::sync_messages::{NamedPlace, warn_of_hidden_name, warn_of_missing_name};

#[derive(Debug, Default)]
pub(crate) struct NameFindings {
    /// Names that are missing, which the author of a skill can add.
    pub(crate) missing: Vec<String>,
    /// Names that two have, which are said once.
    pub(crate) hidden: Vec<String>,
}

/// One sentence for each, with what it is about.
pub(crate) fn findings(catalog: &Catalog, selection: &Selection) -> NameFindings {
    let NameFindings { mut missing, mut hidden } = NameFindings::default();
    for verdict in selection.plugins.iter().filter(|verdict| verdict.verdict.holds) {
        let winner = verdict.gives_way_to().and_then(|winner| catalog.plugin(winner));
        let (Some((source, loser)), Some((other, winner))) = (catalog.plugin(verdict.id), winner) else { continue };
        let what = match loser.kind {
            PluginKind::Manifest => "plugin",
            PluginKind::StandAlone => "skill",
        };
        let (name, loser) = (&loser.plugin.name, NamedPlace { shown: &loser.shown, source });
        hidden.extend(warn_of_hidden_name(what, name, loser, NamedPlace { shown: &winner.shown, source: other }));
    }
    for verdict in &selection.skills {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        let name = skill.document.name.as_str();
        match verdict.state {
            SkillState::Applies if skill.document.written_name.is_none() => {
                missing.push(warn_of_missing_name(&skill.shown, name));
            }
            SkillState::Shadowed(winner) => {
                let Some((other, winner)) = catalog.skill(winner) else { continue };
                let loser = NamedPlace { shown: &skill.shown, source };
                hidden.extend(warn_of_hidden_name("skill", name, loser, NamedPlace { shown: &winner.shown, source: other }));
            }
            SkillState::Applies
            | SkillState::DoesNotMatch
            | SkillState::NoWorkspace
            // Its plugin is named above.
            | SkillState::PluginShadowed(_)
            | SkillState::Off
            | SkillState::Candidate
            | SkillState::Blocked(_) => {}
        }
    }
    NameFindings { missing, hidden }
}
