//! What `on` and `off` change: the project's toggles, and the user's own choices for the workspace.

mod apply;

use symposium_edit::{ToggleAction, ToggleEdit, ToggleTable};
use symposium_model::authority::is_personal;
use symposium_model::candidate::EVERYTHING;
use symposium_model::catalog::{Catalog, LoadedSource};
use symposium_model::config::{Settings, SourceRank, Toggle, UserToggles};
use symposium_model::crates::CrateName;
use symposium_model::select::{PluginVerdict, Selection, SkillState};
use symposium_model::suggest::advice;

use crate::error::CliError;
use crate::ops::hook_plan::kept_guards::KeptGuard;
use crate::ops::resolve::Resolution;

pub(crate) use self::apply::apply;

#[derive(Debug, Clone, Copy)]
pub(crate) enum ToggleTarget<'w> {
    Names(&'w [String]),
    All,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct CurrentChoices<'c> {
    pub(crate) settings: &'c Settings,
    /// By the user, for this workspace.
    pub(crate) own: &'c UserToggles,
}

/// The changes that switch something, by the file they go into.
#[derive(Debug, Default)]
pub(crate) struct SwitchEdits {
    pub(crate) project: Vec<ToggleEdit>,
    /// Into the user's own choices for this workspace: what only the user has is not for the project's files.
    pub(crate) own: Vec<ToggleEdit>,
}

/// The changes to the toggles that switch it on, or off.
pub(crate) fn edits(
    what: ToggleTarget<'_>,
    on: bool,
    chosen: CurrentChoices<'_>,
    resolution: &Resolution,
    kept: &[KeptGuard],
) -> Result<SwitchEdits, CliError> {
    let Resolution { catalog, selection, .. } = resolution;
    let mut known = known_keys(catalog, selection);
    known.extend(kept.iter().flat_map(keys_of_kept));
    let (project, own) = (ToggleTables::of_project(chosen.settings), ToggleTables::of_user(chosen.own));
    match what {
        ToggleTarget::All => Ok(SwitchEdits {
            project: of_all(&known, ChoiceFile::Project, project, on),
            own: of_all(&known, ChoiceFile::Own, own, on),
        }),
        ToggleTarget::Names(names) => {
            let crates = OwnPlugins { catalog, selection, chosen: &chosen.settings.skills };
            let mut edits = named(names, &known, on, &crates)?;
            edits.project.extend(contradictions(project, &edits.project, on));
            // What the user chose goes before what the project says, so it must not say the opposite.
            let opposite = own.opposite(&edits.project, on);
            edits.own.extend(opposite.into_iter().filter(|edit| !is_among(&edits.own, edit)).collect::<Vec<_>>());
            edits.own.extend(contradictions(own, &edits.own, on));
            Ok(edits)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ChoiceFile {
    Project,
    Own,
}

#[derive(Clone, Copy)]
struct ToggleTables<'t> {
    skills: &'t [Toggle],
    workflows: &'t [Toggle],
}

impl<'t> ToggleTables<'t> {
    fn of_project(settings: &'t Settings) -> Self {
        Self { skills: &settings.skills, workflows: &settings.workflows }
    }

    fn of_user(own: &'t UserToggles) -> Self {
        Self { skills: &own.skills, workflows: &own.workflows }
    }

    fn table(&self, table: ToggleTable) -> &'t [Toggle] {
        match table {
            ToggleTable::Skills => self.skills,
            ToggleTable::Workflows => self.workflows,
        }
    }

    /// Entries of the same names that say the opposite of these.
    fn opposite(&self, edits: &[ToggleEdit], on: bool) -> Vec<ToggleEdit> {
        let says =
            |edit: &&ToggleEdit| self.table(edit.table).iter().any(|toggle| toggle.key == edit.key && toggle.on != on);
        edits.iter().filter(says).cloned().collect()
    }
}

fn is_among(edits: &[ToggleEdit], edit: &ToggleEdit) -> bool {
    edits.iter().any(|known| known.key == edit.key && known.table == edit.table)
}

/// The changes that switch everything. What is chosen for a part of an extension would speak louder than the choice
/// for the whole, so it changes too.
fn of_all(known: &[ToggleKey], file: ChoiceFile, tables: ToggleTables<'_>, on: bool) -> Vec<ToggleEdit> {
    let chosen = |key: &String| tables.skills.iter().chain(tables.workflows).any(|toggle| toggle.key == *key);
    let is_whole = |key: &String| !key.contains('/') || key.starts_with(FOR_NO_CRATE);
    let keys = known.iter().filter(|known| known.file == file && (is_whole(&known.key) || chosen(&known.key)));
    let mut edits: Vec<ToggleEdit> = keys.map(|known| edit(known.table, &known.key, on)).collect();
    edits.dedup_by(|a, b| a.key == b.key && a.table == b.table);
    edits
}

fn edit(table: ToggleTable, key: &str, on: bool) -> ToggleEdit {
    ToggleEdit { table, key: key.to_owned(), change: ToggleAction::Set(on) }
}

/// The plugins that dependencies bring, which are switched as a whole.
struct OwnPlugins<'o> {
    catalog: &'o Catalog,
    selection: &'o Selection,
    /// `[skills]` as it is.
    chosen: &'o [Toggle],
}

impl OwnPlugins<'_> {
    /// What switches the plugin of a crate, by the name of either: everything the crate brings, its skills, and its
    /// workflows.
    fn edits(&self, name: &str, on: bool) -> Vec<ToggleEdit> {
        let mut edits = Vec::new();
        for verdict in self.selection.plugins.iter().filter(|verdict| verdict.verdict.holds) {
            let Some((source, loaded)) = self.catalog.plugin(verdict.id) else { continue };
            let Some(place) = source.krate().filter(|_| source.spec.rank == SourceRank::Crate) else { continue };
            if name != loaded.plugin.name && CrateName::parse(name).as_ref() != Some(&place.name) {
                continue;
            }
            let krate = place.name.to_string();
            if !loaded.skills.is_empty() {
                edits.push(edit(ToggleTable::Skills, &krate, on));
            }
            let everything = format!("{krate}/{EVERYTHING}");
            if on || self.chosen.iter().any(|toggle| toggle.key == everything) {
                edits.push(edit(ToggleTable::Skills, &everything, on));
            }
            if loaded.plugin.has_workflow() {
                edits.push(edit(ToggleTable::Workflows, &loaded.plugin.name, on));
            }
        }
        edits
    }
}

fn named(names: &[String], known: &[ToggleKey], on: bool, own: &OwnPlugins<'_>) -> Result<SwitchEdits, CliError> {
    let mut edits = SwitchEdits::default();
    for name in names {
        let whole = own.edits(name, on);
        let is_own = !whole.is_empty();
        for edit in whole {
            if !is_among(&edits.project, &edit) {
                edits.project.push(edit);
            }
        }
        let meant = meant_by(name, known);
        if is_own && meant.iter().all(|switch| switch.naming != Naming::Whole) {
            continue;
        }
        check_meaning(name, &meant, known)?;
        for switch in meant {
            let edit = edit(switch.table, &switch.key, on);
            let edits = match switch.file {
                ChoiceFile::Project => &mut edits.project,
                ChoiceFile::Own => &mut edits.own,
            };
            if !is_among(edits, &edit) {
                edits.push(edit);
            }
        }
    }
    Ok(edits)
}

/// Returns what a name stands for: the whole of that name, else the parts that go by it.
fn meant_by<'k>(name: &str, known: &'k [ToggleKey]) -> Vec<&'k ToggleKey> {
    let called = |naming: fn(Naming) -> bool| {
        known.iter().filter(move |switch| naming(switch.naming) && switch.is_called(name)).collect::<Vec<_>>()
    };
    let wholes = called(|naming| naming == Naming::Whole);
    if wholes.is_empty() { called(|naming| naming != Naming::Whole) } else { wholes }
}

/// Fails where a name stands for nothing, or for parts that are switched by different keys.
fn check_meaning(name: &str, meant: &[&ToggleKey], known: &[ToggleKey]) -> Result<(), CliError> {
    if meant.is_empty() {
        let candidates: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
        let help = advice(name, &candidates, || "run `symposium status` to list extensions".to_owned());
        return Err(CliError::no(format!("No extension named `{name}` applies in this workspace")).hint(help));
    }
    let keys_of = |naming: Naming| -> Vec<(ToggleTable, &str)> {
        let same = meant.iter().filter(|switch| switch.naming == naming);
        same.map(|switch| (switch.table, switch.key.as_str())).collect()
    };
    let first = meant.first().map(|switch| keys_of(switch.naming)).unwrap_or_default();
    if meant.iter().all(|switch| keys_of(switch.naming) == first) {
        return Ok(());
    }
    let mut keys: Vec<String> = meant.iter().map(|switch| format!("`{}`", switch.key)).collect();
    keys.sort_unstable();
    keys.dedup();
    let error = CliError::no(format!("Several extensions are named `{name}`"));
    Err(error.hint(format!("use the full name: {}", keys.join(" or "))))
}

/// What is chosen for parts of an extension speaks louder than the choice for the whole, so it follows.
fn contradictions(tables: ToggleTables<'_>, edits: &[ToggleEdit], on: bool) -> Vec<ToggleEdit> {
    let wholes = edits.iter().filter(|edit| !edit.key.contains('/'));
    let parts = wholes.flat_map(|whole| {
        let is_part = |toggle: &&Toggle| {
            let part = toggle.key.split_once('/').filter(|(_, part)| *part != EVERYTHING);
            toggle.on != on && part.is_some_and(|(name, _)| name == whole.key)
        };
        tables.table(whole.table).iter().filter(is_part).map(|toggle| edit(whole.table, &toggle.key, on))
    });
    parts.filter(|part| !is_among(edits, part)).collect()
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ToggleKey {
    key: String,
    table: ToggleTable,
    file: ChoiceFile,
    name: String,
    naming: Naming,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Naming {
    /// It is that of a crate, a plugin, or a part with its whole before it.
    Whole,
    /// It is that of a skill or hook alone, as `status` prints it; others may have it too. The number tells them apart.
    Part(usize),
}

impl ToggleKey {
    fn new(table: ToggleTable, file: ChoiceFile, key: String) -> Self {
        Self { name: key.clone(), key, table, file, naming: Naming::Whole }
    }

    /// Tells whether people mean it by a name; `-` and `_` are the same in those of crates.
    fn is_called(&self, name: &str) -> bool {
        let is_crate = || self.table == ToggleTable::Skills && self.naming == Naming::Whole;
        let as_crate = || CrateName::parse(name).is_some_and(|name| CrateName::parse(&self.name) == Some(name));
        self.name == name || (is_crate() && as_crate())
    }
}

/// How the keys of skills begin that are for no crate in particular.
const FOR_NO_CRATE: &str = "*/";

/// Every name that can be switched: crates with skills, their skills, skills that are for no crate in particular, plugins
/// that do something, and their hooks.
fn known_keys(catalog: &Catalog, selection: &Selection) -> Vec<ToggleKey> {
    let mut known = Vec::new();
    for (number, verdict) in selection.skills.iter().enumerate() {
        let matches = !matches!(verdict.state, SkillState::DoesNotMatch | SkillState::NoWorkspace);
        let Some((source, skill)) = catalog.skill(verdict.id).filter(|_| matches) else { continue };
        let skill = skill.document.name.as_str();
        let file = file_of(source);
        for found in &verdict.crates {
            known.push(ToggleKey::new(ToggleTable::Skills, file, found.name.to_string()));
            let whole = ToggleKey::new(ToggleTable::Skills, file, format!("{}/{skill}", found.name));
            let (key, naming) = (whole.key.clone(), Naming::Part(number));
            known.push(ToggleKey { key, table: whole.table, file, name: skill.to_owned(), naming });
            known.push(whole);
        }
        if verdict.crates.is_empty() {
            let key = format!("{FOR_NO_CRATE}{skill}");
            let plugin = catalog.plugin(verdict.id.plugin).map(|(_, loaded)| loaded.plugin.name.clone());
            let krate = source.krate().map(|place| place.name.to_string());
            let names = [Some(key.clone()), Some(skill.to_owned()), plugin, krate].into_iter().flatten();
            let of_key = || ToggleKey::new(ToggleTable::Skills, file, key.clone());
            known.extend(names.map(|name| ToggleKey { name, ..of_key() }));
        }
    }
    let counts = |verdict: &&PluginVerdict| verdict.is_active() || (verdict.verdict.holds && verdict.is_candidate());
    for verdict in selection.plugins.iter().filter(counts) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        if loaded.plugin.has_workflow() {
            let (plugin, file) = (&loaded.plugin, file_of(source));
            known.push(ToggleKey::new(ToggleTable::Workflows, file, plugin.name.clone()));
            for hook in &plugin.hooks {
                let whole = ToggleKey::new(ToggleTable::Workflows, file, format!("{}/{}", plugin.name, hook.name));
                let (key, naming) = (whole.key.clone(), Naming::Part(selection.skills.len() + known.len()));
                known.push(ToggleKey { key, table: whole.table, file, name: hook.name.clone(), naming });
                known.push(whole);
            }
        }
    }
    // A name that others bring too is the project's to switch, for the user's part as well.
    let shared: Vec<(ToggleTable, String)> = known
        .iter()
        .filter(|known| known.file == ChoiceFile::Project)
        .map(|known| (known.table, known.key.clone()))
        .collect();
    known.retain(|known| known.file == ChoiceFile::Project || !shared.contains(&(known.table, known.key.clone())));
    known.sort();
    known.dedup();
    known
}

/// The names of a policy hook that is kept without its manifest.
fn keys_of_kept(kept: &KeptGuard) -> impl Iterator<Item = ToggleKey> + use<> {
    let file = if kept.guard.personal { ChoiceFile::Own } else { ChoiceFile::Project };
    let keys = [kept.guard.handler.plugin.clone(), kept.guard.handler.title()];
    keys.into_iter().map(move |key| ToggleKey::new(ToggleTable::Workflows, file, key))
}

fn file_of(source: &LoadedSource) -> ChoiceFile {
    if is_personal(source.spec.rank) { ChoiceFile::Own } else { ChoiceFile::Project }
}
