//! What is said about skills and plugins whose names are missing, or another's too.

use std::cmp::Ordering;

use symposium_model::catalog::{Catalog, LoadedSource, PluginKind};
use symposium_model::select::{Selection, SkillState};

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
        let names = (loser.shown.as_str(), winner.shown.as_str(), loser.plugin.name.as_str());
        hidden.extend(gives_way(what, names, (source, other)));
    }
    for verdict in &selection.skills {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        let name = skill.document.name.as_str();
        match verdict.state {
            SkillState::Applies if skill.document.written_name.is_none() => {
                let shown = &skill.shown;
                missing.push(format!(
                    "{shown}: the skill has no name, so it is called `{name}`, like its directory; \
                     add the line `name: {name}` to it"
                ));
            }
            SkillState::Shadowed(winner) => {
                let Some((other, winner)) = catalog.skill(winner) else { continue };
                hidden.extend(gives_way("skill", (&skill.shown, &winner.shown, name), (source, other)));
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

/// Nothing about one file that two lead to.
fn gives_way(
    what: &str,
    (loser, winner, name): (&str, &str, &str),
    (of, other): (&LoadedSource, &LoadedSource),
) -> Option<String> {
    if loser == winner {
        return None;
    }
    if of.spec.name == other.spec.name {
        let help = "rename one of them";
        return Some(format!("{loser}: not used, because {winner} is a {what} called `{name}` too; {help}"));
    }
    let rule = match of.spec.rank.cmp(&other.spec.rank) {
        Ordering::Equal => "comes first",
        Ordering::Less => "is more specific",
        Ordering::Greater => "is yours and has hooks",
    };
    let (of, other) = (&of.spec.name, &other.spec.name);
    Some(format!("The {what} `{name}` of source `{of}` is not used: that of `{other}` {rule}"))
}
