//! What is said about skills and plugins whose names are missing, or another's too.

use std::cmp::Ordering;

use symposium_model::catalog::{Catalog, PluginKind, Source};
use symposium_model::select::{Selection, SkillState};

/// One sentence for each, with the files it is about and what to do.
pub(crate) fn warnings(catalog: &Catalog, selection: &Selection) -> Vec<String> {
    let mut warnings = Vec::new();
    for verdict in selection.plugins.iter().filter(|verdict| verdict.verdict.holds) {
        let winner = verdict.shadowed_by.and_then(|winner| catalog.plugin(winner));
        let (Some((source, loser)), Some((other, winner))) = (catalog.plugin(verdict.id), winner) else { continue };
        let what = match loser.kind {
            PluginKind::Manifest => "plugin",
            PluginKind::StandAlone => "skill",
        };
        let names = (loser.shown.as_str(), winner.shown.as_str(), loser.plugin.name.as_str());
        warnings.push(gives_way(what, names, (source, other)));
    }
    for verdict in &selection.skills {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        let name = skill.document.name.as_str();
        match verdict.state {
            SkillState::Applies if skill.document.written_name.is_none() => {
                let shown = &skill.shown;
                warnings.push(format!(
                    "{shown}: the skill has no name, so it is called `{name}`, like its directory; \
                     add the line `name: {name}` to it"
                ));
            }
            SkillState::Shadowed(winner) => {
                let Some((other, winner)) = catalog.skill(winner) else { continue };
                warnings.push(gives_way("skill", (&skill.shown, &winner.shown, name), (source, other)));
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
    warnings
}

fn gives_way(what: &str, (loser, winner, name): (&str, &str, &str), (of, other): (&Source, &Source)) -> String {
    let rule = match of.spec.rank.cmp(&other.spec.rank) {
        Ordering::Equal => "which comes first".to_owned(),
        Ordering::Less => format!("of source `{}`, which is more specific", other.spec.name),
        Ordering::Greater => format!("of source `{}`, which is yours and has hooks", other.spec.name),
    };
    format!(
        "{loser}: not used, because {winner} is a {what} called `{name}` too, {rule}; rename one of them to have both"
    )
}
