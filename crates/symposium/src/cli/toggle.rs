//! `symposium on` and `symposium off`: the project's choices, then a sync.

use symposium_edit::{ToggleChange, ToggleEdit, ToggleTable, toggles};
use symposium_io::fs;
use symposium_model::candidate::EVERYTHING;
use symposium_model::catalog::Catalog;
use symposium_model::config::{Scope, SourceRank, Toggle};
use symposium_model::crates::CrateName;
use symposium_model::nearest::nearest;
use symposium_model::select::{PluginVerdict, Selection, SkillState};

use super::args::{Global, WritingArgs};
use super::installing::{self, Consent};
use super::sync::{Extent, Mode, mention_missing_agents, settle_all, synchronize};
use crate::app::catalog;
use crate::app::locking::Demand;
use crate::app::sync::locked::Vendoring;
use crate::app::sync::sweep::Sweep;
use crate::app::sync::{Action, Comparison, Step, apply, ledger_file};
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::Printer;

/// What is switched.
#[derive(Debug, Clone, Copy)]
pub(super) enum What<'w> {
    /// These.
    Names(&'w [String]),
    /// Everything there is.
    All,
}

/// Runs the command.
pub(super) fn run(
    what: What<'_>,
    on: bool,
    writing: WritingArgs,
    global: &Global,
    printer: Printer,
) -> Result<Exit, CliError> {
    let mode = if writing.dry_run { Mode::DryRun } else { Mode::Write };
    let (mut context, held) = match mode {
        Mode::Write => super::locked(printer, global).map(|(context, lock)| (context, Some(lock)))?,
        Mode::DryRun | Mode::Check => (super::logged(printer, global)?, None),
    };
    let Some(root) = context.root().map(std::path::Path::to_owned) else {
        let error = CliError::failed("This directory is not part of a cargo workspace");
        return Err(error.hint("change to a directory with a Cargo.toml"));
    };
    let crates = context.crates();
    let catalog = catalog::read(&context, crates.as_ref());
    let selection = catalog::select_for(&context, &catalog, crates.as_ref());
    let known = known_keys(&catalog, &selection);
    let edits = match what {
        What::All => {
            // What somebody chose for a part of an extension would speak louder than the choice for the whole.
            let chosen = |key: &String| {
                let settings = &context.settings;
                settings.skills.iter().chain(&settings.workflows).any(|toggle| toggle.key == *key)
            };
            let keys = known.iter().filter(|(key, _)| !key.contains('/') || chosen(key));
            keys.map(|(key, table)| edit(*table, key, on)).collect()
        }
        What::Names(names) => {
            let own = OwnPlugins { catalog: &catalog, selection: &selection, chosen: &context.settings.skills };
            edits(names, &known, on, &own)?
        }
    };
    let path = root.join(".symposium/config.toml");
    let current = context.project_text();
    if current.is_none() && fs::exists(&path) {
        let error = CliError::failed(format!("{} cannot be read, so nothing is switched", path.display()));
        return Err(error.hint("make it a readable text file, and run the command again"));
    }
    if context.is_broken(Scope::Project) {
        let error = CliError::failed(format!("{} cannot be understood, so nothing is switched", path.display()));
        return Err(error.hint("mend what is named above, and run the command again"));
    }
    let text = toggles(current.as_deref().unwrap_or_default(), &edits).map_err(|error| {
        CliError::failed(format!("{}: {error}", path.display())).hint("mend the file, and run the command again")
    })?;
    let mut configured = Vec::new();
    if current.as_deref() != Some(text.as_str()) {
        let step = Step::Configure { text: text.clone(), expected: current };
        let action = Action { path, agents: Vec::new(), extension: None, workspace: Some(root), step };
        let mut comparison = Comparison { actions: vec![action], ..Comparison::default() };
        if mode == Mode::Write {
            let mut ledger = ledger_file::read_to_write(&context)?;
            let failures = apply::apply(&context, &mut comparison, &mut ledger)?;
            context.report(&failures);
        }
        configured = comparison.actions;
    }
    context.assume(Scope::Project, &text);
    let extent = Extent {
        workspace: true,
        agent: true,
        sweep: Sweep::UserAndWorkspace,
        mode,
        restore: &[],
        lock: Demand::InStep,
        vendoring: Vendoring::InStep,
    };
    mention_missing_agents(&context);
    let exit = synchronize(&mut context, extent, configured)?;
    installing::finish(context, held, Consent::of(writing.yes), global, exit, settle_all)
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

fn edits(
    names: &[String],
    known: &[(String, ToggleTable)],
    on: bool,
    own: &OwnPlugins<'_>,
) -> Result<Vec<ToggleEdit>, CliError> {
    let mut edits: Vec<ToggleEdit> = Vec::new();
    for name in names {
        let whole = own.edits(name, on);
        let is_own = !whole.is_empty();
        for edit in whole {
            if !edits.iter().any(|known| known.key == edit.key && known.table == edit.table) {
                edits.push(edit);
            }
        }
        let tables: Vec<ToggleTable> = known.iter().filter(|(key, _)| key == name).map(|(_, table)| *table).collect();
        if tables.is_empty() && is_own {
            continue;
        }
        if tables.is_empty() {
            let candidates: Vec<&str> = known.iter().map(|(key, _)| key.as_str()).collect();
            let error = CliError::no(format!("Nothing called `{name}` applies in this workspace"));
            return Err(match nearest(name, &candidates) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint("`symposium status` shows what there is"),
            });
        }
        let taken = |table: &ToggleTable| edits.iter().any(|known| known.table == *table && known.key == *name);
        let tables: Vec<ToggleTable> = tables.into_iter().filter(|table| !taken(table)).collect();
        edits.extend(tables.into_iter().map(|table| edit(table, name, on)));
    }
    Ok(edits)
}

/// Every name that can be switched: crates with skills, and plugins that do something.
fn known_keys(catalog: &Catalog, selection: &Selection) -> Vec<(String, ToggleTable)> {
    let mut known = Vec::new();
    for verdict in &selection.skills {
        let matches = !matches!(verdict.state, SkillState::DoesNotMatch | SkillState::NoWorkspace);
        if matches {
            let skill = catalog.skill(verdict.id).map_or("", |(_, skill)| skill.document.name.as_str());
            for found in &verdict.crates {
                known.push((found.name.to_string(), ToggleTable::Skills));
                known.push((format!("{}/{skill}", found.name), ToggleTable::Skills));
            }
        }
    }
    let counts = |verdict: &&PluginVerdict| verdict.is_active() || (verdict.verdict.holds && verdict.is_candidate());
    for verdict in selection.plugins.iter().filter(counts) {
        let Some((_, loaded)) = catalog.plugin(verdict.id) else { continue };
        if loaded.plugin.has_workflow() {
            let plugin = &loaded.plugin;
            known.push((plugin.name.clone(), ToggleTable::Workflows));
            known.extend(
                plugin.hooks.iter().map(|hook| (format!("{}/{}", plugin.name, hook.name), ToggleTable::Workflows)),
            );
        }
    }
    known.sort();
    known.dedup();
    known
}
