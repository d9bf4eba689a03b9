//! What `on` and `off` change in the project's toggles.

use symposium_edit::{ToggleChange, ToggleEdit, ToggleTable};
use symposium_model::candidate::EVERYTHING;
use symposium_model::catalog::Catalog;
use symposium_model::config::{Settings, SourceRank, Toggle};
use symposium_model::crates::CrateName;
use symposium_model::nearest::advice;
use symposium_model::select::{PluginVerdict, Selection, SkillState};

use crate::ui::error::CliError;

/// What is switched.
#[derive(Debug, Clone, Copy)]
pub(crate) enum What<'w> {
    /// These.
    Names(&'w [String]),
    /// Everything there is.
    All,
}

/// The changes to the toggles that switch it on, or off.
pub(crate) fn edits(
    what: What<'_>,
    on: bool,
    settings: &Settings,
    (catalog, selection): (&Catalog, &Selection),
) -> Result<Vec<ToggleEdit>, CliError> {
    let known = known_keys(catalog, selection);
    match what {
        What::All => Ok(of_all(&known, settings, on)),
        What::Names(names) => {
            let own = OwnPlugins { catalog, selection, chosen: &settings.skills };
            let mut edits = named(names, &known, on, &own)?;
            edits.extend(contradictions(settings, &edits, on));
            Ok(edits)
        }
    }
}

/// The changes that switch everything. What somebody chose for a part of an extension would speak louder than the choice
/// for the whole, so it changes too.
fn of_all(known: &[Switch], settings: &Settings, on: bool) -> Vec<ToggleEdit> {
    let chosen = |key: &String| settings.skills.iter().chain(&settings.workflows).any(|toggle| toggle.key == *key);
    let is_whole = |key: &String| !key.contains('/') || key.starts_with(FOR_NO_CRATE);
    let keys = known.iter().filter(|known| is_whole(&known.key) || chosen(&known.key));
    let mut edits: Vec<ToggleEdit> = keys.map(|known| edit(known.table, &known.key, on)).collect();
    edits.dedup_by(|a, b| a.key == b.key && a.table == b.table);
    edits
}

fn edit(table: ToggleTable, key: &str, on: bool) -> ToggleEdit {
    ToggleEdit { table, key: key.to_owned(), change: ToggleChange::Set(on) }
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

fn named(names: &[String], known: &[Switch], on: bool, own: &OwnPlugins<'_>) -> Result<Vec<ToggleEdit>, CliError> {
    let mut edits: Vec<ToggleEdit> = Vec::new();
    for name in names {
        let whole = own.edits(name, on);
        let is_own = !whole.is_empty();
        for edit in whole {
            if !edits.iter().any(|known| known.key == edit.key && known.table == edit.table) {
                edits.push(edit);
            }
        }
        let meant: Vec<&Switch> = known.iter().filter(|known| known.name == *name).collect();
        if meant.is_empty() && is_own {
            continue;
        }
        if meant.is_empty() {
            let candidates: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
            let help = advice(name, &candidates, || "`symposium status` shows what there is".to_owned());
            return Err(CliError::no(format!("Nothing called `{name}` applies in this workspace")).hint(help));
        }
        for switch in meant {
            if !edits.iter().any(|known| known.table == switch.table && known.key == switch.key) {
                edits.push(edit(switch.table, &switch.key, on));
            }
        }
    }
    Ok(edits)
}

/// What was chosen for parts of an extension speaks louder than the choice for the whole, so it follows.
fn contradictions(settings: &Settings, edits: &[ToggleEdit], on: bool) -> Vec<ToggleEdit> {
    let wholes = edits.iter().filter(|edit| !edit.key.contains('/'));
    let parts = wholes.flat_map(|whole| {
        let present = match whole.table {
            ToggleTable::Skills => &settings.skills,
            ToggleTable::Workflows => &settings.workflows,
        };
        let is_part = |toggle: &&Toggle| {
            let part = toggle.key.split_once('/').filter(|(_, part)| *part != EVERYTHING);
            toggle.on != on && part.is_some_and(|(name, _)| name == whole.key)
        };
        present.iter().filter(is_part).map(|toggle| edit(whole.table, &toggle.key, on))
    });
    parts.filter(|part| !edits.iter().any(|known| known.key == part.key && known.table == part.table)).collect()
}

/// Something that can be switched.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Switch {
    /// Its key in the project's configuration.
    key: String,
    table: ToggleTable,
    /// A name people use for it.
    name: String,
}

impl Switch {
    /// Something that people call by its key.
    fn new(table: ToggleTable, key: String) -> Self {
        Self { name: key.clone(), key, table }
    }
}

/// How the keys of skills begin that are for no crate in particular.
const FOR_NO_CRATE: &str = "*/";

/// Every name that can be switched: crates with skills, skills that are for no crate in particular, and plugins that do
/// something.
fn known_keys(catalog: &Catalog, selection: &Selection) -> Vec<Switch> {
    let mut known = Vec::new();
    for verdict in &selection.skills {
        let matches = !matches!(verdict.state, SkillState::DoesNotMatch | SkillState::NoWorkspace);
        let Some((source, skill)) = catalog.skill(verdict.id).filter(|_| matches) else { continue };
        let skill = skill.document.name.as_str();
        for found in &verdict.crates {
            known.push(Switch::new(ToggleTable::Skills, found.name.to_string()));
            known.push(Switch::new(ToggleTable::Skills, format!("{}/{skill}", found.name)));
        }
        if verdict.crates.is_empty() {
            let key = format!("{FOR_NO_CRATE}{skill}");
            let plugin = catalog.plugin(verdict.id.plugin).map(|(_, loaded)| loaded.plugin.name.clone());
            let krate = source.krate().map(|place| place.name.to_string());
            let names = [Some(key.clone()), Some(skill.to_owned()), plugin, krate].into_iter().flatten();
            known.extend(names.map(|name| Switch { key: key.clone(), table: ToggleTable::Skills, name }));
        }
    }
    let counts = |verdict: &&PluginVerdict| verdict.is_active() || (verdict.verdict.holds && verdict.is_candidate());
    for verdict in selection.plugins.iter().filter(counts) {
        let Some((_, loaded)) = catalog.plugin(verdict.id) else { continue };
        if loaded.plugin.has_workflow() {
            let plugin = &loaded.plugin;
            known.push(Switch::new(ToggleTable::Workflows, plugin.name.clone()));
            let hooks = plugin.hooks.iter().map(|hook| format!("{}/{}", plugin.name, hook.name));
            known.extend(hooks.map(|key| Switch::new(ToggleTable::Workflows, key)));
        }
    }
    known.sort();
    known.dedup();
    known
}
