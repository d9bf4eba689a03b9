//! Warns about skills and plugins with a missing or ambiguous name.

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
        let (name, loser) = (&loser.plugin.name, NamedPlace { shown: &loser.shown, source });
        hidden.extend(gives_way(what, name, loser, NamedPlace { shown: &winner.shown, source: other }));
    }
    for verdict in &selection.skills {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        let name = skill.document.name.as_str();
        match verdict.state {
            SkillState::Applies if skill.document.written_name.is_none() => {
                let shown = &skill.shown;
                missing.push(format!(
                    "{shown}: the skill has no name, so the directory name `{name}` is used; add the line `name: \
                     {name}`"
                ));
            }
            SkillState::Shadowed(winner) => {
                let Some((other, winner)) = catalog.skill(winner) else { continue };
                let loser = NamedPlace { shown: &skill.shown, source };
                hidden.extend(gives_way("skill", name, loser, NamedPlace { shown: &winner.shown, source: other }));
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

/// A file of a source that has a name.
#[derive(Clone, Copy)]
struct NamedPlace<'n> {
    shown: &'n str,
    source: &'n LoadedSource,
}

/// Returns nothing about one file that two sources lead to.
fn gives_way(what: &str, name: &str, loser: NamedPlace<'_>, winner: NamedPlace<'_>) -> Option<String> {
    if loser.shown == winner.shown {
        return None;
    }
    let (of, other) = (&loser.source.spec, &winner.source.spec);
    if of.name == other.name {
        let help = if loser.source.spec.kind.is_editable() { "; rename one of them" } else { "" };
        let (loser, winner) = (loser.shown, winner.shown);
        return Some(format!("{loser}: not used, because the {what} {winner} has the same name, `{name}`{help}"));
    }
    let rule = match of.rank.cmp(&other.rank) {
        Ordering::Equal => "comes first",
        Ordering::Less => "takes precedence",
        Ordering::Greater => "takes precedence, because it is yours and has hooks",
    };
    let (of, other) = (&of.name, &other.name);
    Some(format!("The {what} `{name}` of source `{of}` is not used: source `{other}` has one of that name and {rule}"))
}
