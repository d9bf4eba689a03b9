//! The texts of a revision that agents would be told, whether or not the conditions of a text hold on this machine.

use std::collections::BTreeSet;

use symposium_io::git_path::{self, GitPath};
use symposium_io::source::skill_files;
use symposium_model::authority::is_personal;
use symposium_model::catalog::{LoadedPlugin, LoadedSource};
use symposium_model::config::{SourceKind, SourceRank};
use symposium_model::evaluate::{ConditionCheck, Verdict};
use symposium_model::review::{ReviewItem, ReviewSection};
use symposium_model::select::{PluginVerdict, SkillState, SkillVerdict};

use super::revision::RevisionView;
use crate::ops::catalog::{root_of, tree_of_skill};
use crate::ops::guidance;
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::status::is_switched_on;

/// The skills of a revision, and the files of the repository that are shown with them.
pub(super) struct ListedSkills {
    pub(super) items: Vec<ReviewItem>,
    pub(super) files: BTreeSet<GitPath>,
}

impl RevisionView {
    /// Lists the skills that are used, and those that would be elsewhere or are in the repository.
    pub(super) fn skills(&self) -> ListedSkills {
        let catalog = &self.resolution.catalog;
        let mut listed = ListedSkills { items: Vec::new(), files: BTreeSet::new() };
        let mut known = BTreeSet::new();
        let is_off = |verdict: &&SkillVerdict| verdict.state == SkillState::DoesNotMatch;
        let verdicts = &self.resolution.selection.skills;
        // Several groups may lead to one skill, and one of them may apply.
        for verdict in verdicts.iter().filter(|one| !is_off(one)).chain(verdicts.iter().filter(is_off)) {
            let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
            let checks: Vec<ConditionCheck> =
                verdict.levels.iter().flat_map(|(_, level)| &level.checks).cloned().collect();
            let is_known = !known.insert((verdict.id.plugin, skill.shown.as_str()));
            if is_off(&verdict) && (is_known || !self.may_hold_elsewhere(source, &checks)) {
                continue;
            }
            let state = match verdict.state {
                SkillState::Applies => ExtensionState::On.word().to_owned(),
                SkillState::Off => ExtensionState::Off.word().to_owned(),
                SkillState::Candidate => ExtensionState::Candidate.word().to_owned(),
                SkillState::Blocked(kind) => format!("{}: it has {}", ExtensionState::Blocked.word(), kind.describe()),
                SkillState::DoesNotMatch => off_here(&checks),
                SkillState::NoWorkspace => format!("{}: there is no workspace", ExtensionState::Off.word()),
                SkillState::Shadowed(_) | SkillState::PluginShadowed(_) => ExtensionState::Conflict.word().to_owned(),
            };
            let subjects: Vec<String> = guidance::subjects(catalog, verdict)
                .iter()
                .map(|found| format!("{} {}", found.name, found.version))
                .collect();
            let item = ReviewItem::new(ReviewSection::Told, "skill", skill.document.name.as_str())
                .noting(subjects.join(", "))
                .from_source(source_of(source))
                .with_detail("state", state)
                .with_detail("digest", skill.document.told_digest());
            let mut item = with_conditions(item, &checks);
            // Embedded skills come with the program, not with a revision.
            if source.spec.rank != SourceRank::Builtin {
                let directory = skill.path.rsplit_once('/').map_or("", |(directory, _)| directory);
                let root = skill.elsewhere.as_deref().or_else(|| root_of(source)).map(|root| root.join(directory));
                let inside = root.as_ref().and_then(|root| root.strip_prefix(&self.top).ok());
                let files = tree_of_skill(source, skill).map(|tree| skill_files(&*tree, directory));
                match files {
                    Some(Ok(files)) => {
                        for file in &files {
                            item = item.with_program(&file.path, &file.bytes, file.executable);
                            let place = root.as_ref().map(|root| root.join(&file.path));
                            let shown = item.files.pop().map(|file| self.without_secrets(file, place.as_deref()));
                            item.files.extend(shown);
                        }
                        let paths = files.iter().filter_map(|file| Some(inside?.join(&file.path)));
                        listed.files.extend(paths.map(|path| git_path::from_system(&path)));
                    }
                    Some(Err(reason)) => item = item.with_detail("files", self.without_place(&reason)),
                    None => {}
                }
            }
            listed.items.push(item);
        }
        listed
    }

    /// Lists the texts for the start of a session.
    pub(super) fn session_texts(&self) -> Vec<ReviewItem> {
        let mut items = Vec::new();
        for (source, loaded, verdict) in self.shared_plugins() {
            let Verdict { holds, checks, .. } = &verdict.verdict;
            let Some(text) = &loaded.plugin.session_start_context else { continue };
            if !holds && !self.may_hold_elsewhere(source, checks) {
                continue;
            }
            let item = ReviewItem::new(ReviewSection::Told, "session text", &loaded.plugin.name)
                .from_source(source_of(source))
                .with_detail("state", self.state_of(source, loaded, verdict))
                .with_file("session-start-context", text.as_bytes());
            items.push(with_conditions(item, checks));
        }
        items
    }

    /// Tells whether a text counts although its conditions do not hold here: a text in the repository does, and one whose
    /// conditions depend on the machine.
    fn may_hold_elsewhere(&self, source: &LoadedSource, checks: &[ConditionCheck]) -> bool {
        let is_in_repository = root_of(source).is_some_and(|root| root.starts_with(&self.top));
        is_in_repository || checks.iter().filter(|check| !check.holds).all(ConditionCheck::depends_on_machine)
    }

    /// Lists the plugins that are not a user's own.
    pub(super) fn shared_plugins(&self) -> impl Iterator<Item = (&LoadedSource, &LoadedPlugin, &PluginVerdict)> {
        let verdicts = self.resolution.selection.plugins.iter();
        let found = verdicts.filter_map(|verdict| {
            let (source, loaded) = self.resolution.catalog.plugin(verdict.id)?;
            Some((source, loaded, verdict))
        });
        found.filter(|(source, _, _)| !is_personal(source.spec.rank))
    }

    pub(super) fn state_of(&self, source: &LoadedSource, loaded: &LoadedPlugin, verdict: &PluginVerdict) -> String {
        if !verdict.verdict.holds {
            off_here(&verdict.verdict.checks)
        } else if verdict.is_candidate() {
            ExtensionState::Candidate.word().to_owned()
        } else if verdict.gives_way_to().is_some() {
            ExtensionState::Conflict.word().to_owned()
        } else if is_switched_on(&self.context.choices(), source.spec.bringer(), &loaded.plugin) {
            ExtensionState::On.word().to_owned()
        } else {
            ExtensionState::Off.word().to_owned()
        }
    }
}

/// Returns the name of a source, which for a crate is the same in every version.
pub(super) fn source_of(source: &LoadedSource) -> String {
    match &source.spec.kind {
        SourceKind::Crate(place) => format!("crate {}", place.name),
        _ => source.spec.name.clone(),
    }
}

/// Adds the conditions as they are written.
pub(super) fn with_conditions(item: ReviewItem, checks: &[ConditionCheck]) -> ReviewItem {
    let conditions: Vec<&str> = checks.iter().map(|check| check.condition.as_str()).collect();
    if conditions.is_empty() { item } else { item.with_detail("conditions", conditions.join(", ")) }
}

fn off_here(checks: &[ConditionCheck]) -> String {
    let missing: Vec<&str> = checks.iter().filter(|check| !check.holds).map(|check| check.condition.as_str()).collect();
    format!("off here: {}", missing.join(", "))
}
