//! Loading of the plugins of a source that could apply, skipping the others as long as their manifests do not change.

use std::borrow::Cow;
use std::collections::HashMap;

use symposium_model::catalog::{LoadedPlugin, LoadedSkill, LoadedSource, RelevantCrates, SkippedPlugin};
use symposium_model::config::SourceSpec;
use symposium_model::crates::CrateName;
use symposium_model::manifest::Plugin;
use symposium_model::skill::SKILL_FILE;

use super::discover::{self, FoundManifest, MAX_MANIFEST};
use super::listing_recorder::ListingRecorder;
use super::load::{self, MAX_SKILL, ReadAudience};
use super::owned_directories::OwnedDirectories;
use super::source_cache::{self, IndexEntry, IndexedPlugin, IndexedWalk, PlaceKind, SourceIndex};
use super::tree::{SourceTree, TreeError, TreeState, join};

/// Nanoseconds. A file that changed more recently is not cached: some file systems have a resolution of two seconds, so
/// that a second change within them would go unnoticed.
const SETTLED: i64 = 2_000_000_000;

#[derive(Debug, Clone, Copy)]
pub struct SourceMemory<'m> {
    /// The stored index; empty when there is none.
    pub text: &'m str,
    /// The directory that the index must be about; an index of another one is ignored.
    pub about: &'m str,
    /// The time of this load, in nanoseconds since 1970.
    pub now: i64,
}

/// Loads the plugins of a source that could apply. Also returns the index to store, if it is new.
pub fn load_relevant(
    spec: SourceSpec,
    tree: &dyn SourceTree,
    relevant: &RelevantCrates<'_>,
    memory: &SourceMemory<'_>,
) -> (LoadedSource, Option<String>) {
    let index = SourceIndex::parse(memory.text, memory.about);
    let horizon = memory.now.saturating_sub(SETTLED);
    let mut reading = RelevantReader { tree, relevant, horizon, owned: OwnedDirectories::default(), lines: Vec::new() };
    let walk;
    let mut source;
    if index.holds(tree)
        && let Some(again) = reading.read_known(&index, &spec)
    {
        walk = index.walk();
        source = again;
    } else {
        reading.forget();
        let walker = ListingRecorder::new(tree);
        source = load::empty(spec, tree);
        let places: HashMap<&str, &IndexEntry> = index.places.iter().map(|place| (place.path, place)).collect();
        let found = discover::discover(&walker, discover::most_in(source.spec.rank), &mut |manifest| {
            let place = places.get(manifest.path.as_str()).copied();
            reading.manifest(&mut source, manifest, place);
        });
        let certain = found.diagnostics.is_empty();
        walk = walker.finish(horizon).filter(|_| certain).as_ref().and_then(IndexedWalk::from_listing);
        for directory in load::report_search(&mut source, found) {
            let place = places.get(directory.as_str()).copied();
            reading.skill(&mut source, &directory, place);
        }
    }
    source.plugins.sort_by(|a, b| a.path.cmp(&b.path));
    source.passed_over.sort_by(|a, b| a.path().cmp(b.path()));
    let (plugins, passed_over) = (source.plugins.len(), source.passed_over.len());
    tracing::info!(source = source.spec.name, plugins, passed_over, "read source");
    let lines: Option<Vec<Cow<'_, str>>> = reading.lines.into_iter().collect();
    // If a name cannot be written to the index, the source has to be searched every time.
    let (walk, lines) = lines.map_or((None, Vec::new()), |lines| (walk, lines));
    let new = !index.says(walk.as_ref(), &lines);
    (source, new.then(|| source_cache::render(memory.about, walk.as_ref(), &lines)))
}

struct RelevantReader<'r, 'i> {
    tree: &'r dyn SourceTree,
    relevant: &'r RelevantCrates<'r>,
    horizon: i64,
    owned: OwnedDirectories,
    /// The line of the index for each entry; `None` for one that cannot be written.
    lines: Vec<Option<Cow<'i, str>>>,
}

impl<'i> RelevantReader<'_, 'i> {
    fn forget(&mut self) {
        self.owned = OwnedDirectories::default();
        self.lines.clear();
    }

    /// Loads the plugins of the indexed entries; `None` when one of them is gone, so that the source has to be
    /// searched.
    fn read_known(&mut self, index: &SourceIndex<'i>, spec: &SourceSpec) -> Option<LoadedSource> {
        let mut source = load::empty(spec.clone(), self.tree);
        source.passed_over.reserve(index.places.len());
        self.lines.reserve(index.places.len());
        for place in &index.places {
            if place.kind == PlaceKind::Skill {
                self.skill(&mut source, place.path, Some(place));
                continue;
            }
            if self.passes_over(&mut source, place) {
                continue;
            }
            let text = match self.tree.read_text_with_state(place.path, MAX_MANIFEST) {
                Ok(text) => Some(text),
                Err(TreeError::Absent) => return None,
                // Reading it again reports the error.
                Err(TreeError::Unusable(_)) => None,
            };
            let directory = place.path.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned();
            let owns_directory = place.kind == PlaceKind::Owner;
            let manifest = FoundManifest { path: place.path.to_owned(), directory, owns_directory, text };
            self.manifest(&mut source, manifest, Some(place));
        }
        Some(source)
    }

    /// Returns true if it is certain that the plugin of an entry does not apply.
    fn passes_over(&mut self, source: &mut LoadedSource, place: &IndexEntry<'i>) -> bool {
        let Some(memory) = &place.memory else { return false };
        // The skills make no difference as long as the plugin's own conditions fail.
        if memory.needs().any(|name| self.relevant.includes(name)) {
            return false;
        }
        let path = match place.kind {
            PlaceKind::Owner | PlaceKind::Manifest => Cow::Borrowed(place.path),
            PlaceKind::Skill => Cow::Owned(join(place.path, SKILL_FILE)),
        };
        let state = self.tree.state(&path);
        if !memory.holds(state) {
            return false;
        }
        source.passed_over.push(memory.passed_over(&path, state));
        self.owned.add_known(memory.groups().map(str::to_owned));
        self.lines.push(Some(Cow::Borrowed(place.line)));
        true
    }

    fn manifest(&mut self, source: &mut LoadedSource, manifest: FoundManifest, place: Option<&IndexEntry<'i>>) {
        if place.is_some_and(|place| self.passes_over(source, place)) {
            return;
        }
        let kind = if manifest.owns_directory { PlaceKind::Owner } else { PlaceKind::Manifest };
        let (path, directory) = (manifest.path.clone(), manifest.directory.clone());
        let state = manifest.text.as_ref().map_or_else(|| self.tree.state(&path), |(_, state)| *state);
        let relevant = self.relevant;
        let mut loaded = load::read_where(self.tree, manifest, &source.spec.name, |plugin| may_apply(plugin, relevant));
        let findings = loaded.take_findings(ReadAudience::User);
        if let Some(plugin) = loaded.skipped {
            source.findings.extend(findings);
            let memory = remembered(&plugin, &[], loaded.owned.directories(), state, self.horizon);
            source.passed_over.push(passed_over(&path, &plugin, "", memory.as_ref()));
            self.remember(kind, &path, memory.as_ref());
            self.owned.add(loaded.owned);
            return;
        }
        let fine = findings.faults.is_empty() && !directory.is_empty();
        source.findings.extend(findings);
        let plugin = loaded.plugin.as_ref().filter(|_| fine);
        let memory = plugin.and_then(|loaded_plugin| {
            let LoadedPlugin { plugin, skills, .. } = loaded_plugin;
            remembered(plugin, skills, loaded.owned.directories(), state, self.horizon)
        });
        self.remember(kind, &path, memory.as_ref());
        self.owned.add(loaded.owned);
        source.plugins.extend(loaded.plugin);
    }

    fn skill(&mut self, source: &mut LoadedSource, directory: &str, place: Option<&IndexEntry<'i>>) {
        // A skill that belongs to a group is not a plugin of its own.
        if self.owned.has(directory) {
            self.remember(PlaceKind::Skill, directory, None);
            return;
        }
        if place.is_some_and(|place| self.passes_over(source, place)) {
            return;
        }
        let path = join(directory, SKILL_FILE);
        let (text, state) = match self.tree.read_text_with_state(&path, MAX_SKILL) {
            Ok((text, state)) => (Ok(text), state),
            Err(error) => (Err(error), TreeState::Absent),
        };
        let (skill, findings) = load::read_skill(self.tree, directory, text, None);
        let fine = findings.faults.is_empty();
        source.findings.extend(findings);
        let plugin = skill.filter(|skill| self.owned.leaves_alone(skill)).map(load::stand_alone);
        let fine = plugin.as_ref().filter(|_| fine);
        let memory =
            fine.and_then(|loaded| remembered(&loaded.plugin, &loaded.skills, Vec::new(), state, self.horizon));
        self.remember(PlaceKind::Skill, directory, memory.as_ref());
        match fine.filter(|loaded| !may_apply(&loaded.plugin, self.relevant)) {
            Some(LoadedPlugin { plugin, .. }) => {
                source.passed_over.push(passed_over(&path, plugin, &plugin.name, memory.as_ref()));
            }
            None => source.plugins.extend(plugin),
        }
    }

    fn remember(&mut self, kind: PlaceKind, path: &str, memory: Option<&IndexedPlugin<'_>>) {
        let line = source_cache::bare_line(kind, path).map(|bare| match memory {
            Some(memory) => source_cache::full_line(&bare, memory),
            None => bare,
        });
        self.lines.push(line.map(Cow::Owned));
    }
}

fn may_apply(plugin: &Plugin, relevant: &RelevantCrates<'_>) -> bool {
    let needed = plugin.conditions.needed_crates();
    needed.is_none_or(|names| names.into_iter().any(|name| relevant.includes(name.as_str())))
}

/// Records a plugin that cannot apply. Its file is looked at again if it may change without a visible effect.
fn passed_over(path: &str, plugin: &Plugin, skills: &str, memory: Option<&IndexedPlugin<'_>>) -> SkippedPlugin {
    SkippedPlugin::new(path, &plugin.name, skills, memory.and_then(|memory| memory.state.file_state()))
}

/// Returns the index entry of a plugin; `None` when it may apply anywhere, when its file is a link, or when that
/// changed after `horizon`: then a further change could go unnoticed.
fn remembered<'r>(
    plugin: &'r Plugin,
    skills: &'r [LoadedSkill],
    groups: Vec<&'r str>,
    state: TreeState,
    horizon: i64,
) -> Option<IndexedPlugin<'r>> {
    match state {
        TreeState::Known { modified, changed, .. } if modified.max(changed) < horizon => {}
        TreeState::Known { .. } | TreeState::Absent | TreeState::Link => return None,
    }
    let needs = plugin.conditions.needed_crates()?.into_iter().map(CrateName::as_str).collect();
    let skills = skills.iter().map(|skill| skill.document.name.as_str()).collect();
    Some(IndexedPlugin { state, needs, name: &plugin.name, groups, skills })
}

#[cfg(test)]
#[path = "cached_load_tests.rs"]
mod tests;
