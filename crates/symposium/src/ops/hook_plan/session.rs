//! Compiles the texts for the start of a session and the reminders at prompts.

use std::collections::BTreeSet;
use std::path::Path;

use symposium_agents::spec;
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, PluginId};
use symposium_model::conditions::ConditionSet;
use symposium_model::config::{EffectiveSettings, MAX_PROJECT_SOURCES, SettingOrigin, SourceRank};
use symposium_model::hook::hook_plan::{
    GuidancePointer, LackedSkill, LockedVersion, NudgeCrate, NudgePlan, PendingGrant, SessionPlan, SkillAgents,
    changed_notice,
};
use symposium_model::merged_toggles::{DoubledToggle, merge_toggles};
use symposium_model::scan;
use symposium_model::select::SkillState;
use symposium_model::sync::{Ledger, LedgerRecord, WrittenContent};

use super::kept_guards::{GuardStanding, KeptGuard};
use super::session_text::plugin_texts;
use crate::ops::context::Context;
use crate::ops::guidance::{CrateSkills, SkillLine};
use crate::ops::required_version;
use crate::ops::resolve::Resolution;
use crate::ops::trust::store::StoreFailure;
use crate::ops::trust::{PendingCommand, TrustReport};

/// The maximum number of names in a list.
const LISTED: usize = 8;

/// Notes about consent: pending grants, changes that need none, and hooks of the user that the project switches off.
pub(super) struct ConsentNotes<'c> {
    /// Hooks that are not run and MCP servers that are not registered, because they have no grant.
    pub(super) unheard: Vec<PendingCommand>,
    /// The same, because they have changed since they were granted.
    pub(super) changed: Vec<String>,
    /// The user's own hooks that the project switches off.
    pub(super) silenced: Vec<String>,
    /// Policy hooks that were in force, and have lost their manifests.
    pub(super) kept: &'c [KeptGuard],
    pub(super) trust: &'c TrustReport,
}

pub(super) fn session(
    context: &Context,
    resolution: &Resolution,
    rows: &[CrateSkills],
    consent: &ConsentNotes<'_>,
) -> SessionPlan {
    let Resolution { catalog, selection, ledger, .. } = resolution;
    let applying = selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies);
    let names = applying.filter_map(|verdict| catalog.skill(verdict.id));
    // No agent is sent to a skill it does not have.
    let mut skills: Vec<String> = names
        .filter_map(|(_, skill)| installed_directory(context.root(), ledger, skill.document.name.as_str()))
        .filter(|directory| fs::exists(&directory.join("SKILL.md")))
        .filter_map(|directory| Some(directory.file_name()?.to_str()?.to_owned()))
        .collect();
    skills.sort();
    skills.dedup();
    // A crate may come to a version that no skill is for: that is worth knowing too.
    let atoms = catalog.conditions().flat_map(ConditionSet::crate_atoms);
    let named: BTreeSet<String> = atoms.filter_map(|atom| atom.name().map(ToString::to_string)).collect();
    let crates = rows.iter().filter(|row| !row.skills.is_empty() || named.contains(&row.name));
    let crates = crates.filter_map(|row| {
        let skills = row.skills.iter().map(|skill| installed_name(context.root(), ledger, &skill.name));
        Some(LockedVersion {
            name: row.name.clone(),
            version: row.version.as_ref()?.to_string(),
            skills: skills.collect(),
        })
    });
    let fetches = catalog
        .sources
        .iter()
        .any(|source| source.spec.kind.auto_update() == Some(true) && source.spec.rank != SourceRank::Project);
    SessionPlan {
        texts: plugin_texts(&context.choices(), catalog, selection),
        holders: holders(context.root(), ledger, &skills),
        skills,
        index: Vec::new(),
        index_bytes: 0,
        crates: crates.collect(),
        rules: rules(consent),
        notes: notes(context, catalog, ledger, consent),
        pending: consent.unheard.iter().map(|command| pending_grant(catalog, consent.trust, command)).collect(),
        pointer: if is_silenced(&context.settings) { GuidancePointer::Hidden } else { GuidancePointer::Shown },
        rtk: false,
        shell_line: None,
        update_notice: context.settings.update_notice.value,
        fetches,
    }
}

/// Whether every toggle in the settings is off.
fn is_silenced(settings: &EffectiveSettings) -> bool {
    let mut all = settings.skills.iter().chain(&settings.workflows).peekable();
    all.peek().is_some() && all.all(|toggle| !toggle.on)
}

/// The suffix of skills about upgrades. A prompt that mentions a crate is seldom about its upgrade.
const UPGRADE: &str = "-upgrade";

pub(super) fn nudges(
    settings: &EffectiveSettings,
    root: Option<&Path>,
    rows: &[CrateSkills],
    ledger: &Ledger,
) -> NudgePlan {
    let mut crates: Vec<NudgeCrate> = Vec::new();
    let is_named = |skill: &&SkillLine| !skill.name.ends_with(UPGRADE);
    for row in rows.iter().filter(|row| row.version.is_some() && row.skills.iter().any(|skill| is_named(&skill))) {
        let skills = row.skills.iter().filter(is_named);
        let skills = skills.map(|skill| installed_name(root, ledger, &skill.name));
        // A prompt names a crate without its version.
        match crates.iter_mut().find(|known| known.name == row.name) {
            Some(known) => {
                for skill in skills {
                    if !known.skills.contains(&skill) {
                        known.skills.push(skill);
                    }
                }
            }
            None => crates.push(NudgeCrate { name: row.name.clone(), skills: skills.collect() }),
        }
    }
    let interval = u32::try_from(settings.nudge_interval.value).unwrap_or(u32::MAX);
    let names: Vec<String> = crates.iter().flat_map(|krate| krate.skills.iter().cloned()).collect();
    NudgePlan { interval, crates, holders: holders(root, ledger, &names) }
}

/// Finds who has these skills: the agents they were installed for, and those that look into the same directories.
fn holders(root: Option<&Path>, ledger: &Ledger, names: &[String]) -> SkillAgents {
    let installed =
        |record: &&LedgerRecord| matches!(record.written, WrittenContent::Skill { .. }) && record.is_for(root);
    let records: Vec<&LedgerRecord> = ledger.records.iter().filter(installed).collect();
    let mut holders = SkillAgents::default();
    for agent in AgentId::ALL {
        let skills = &spec(agent).skills;
        let is_read = |record: &&&LedgerRecord| {
            let mut directories = skills.also_in_project.iter().chain([&skills.project]);
            let within = |parent: &Path| directories.any(|directory| parent.ends_with(directory));
            record.agents.contains(&agent) || record.path.parent().is_some_and(within)
        };
        let had: BTreeSet<&str> =
            records.iter().filter(is_read).filter_map(|record| record.path.file_name()?.to_str()).collect();
        if had.is_empty() {
            continue;
        }
        holders.agents.push(agent);
        let lacked = names.iter().filter(|name| !had.contains(name.as_str()));
        holders.lacking.extend(lacked.map(|skill| LackedSkill { agent, skill: skill.clone() }));
    }
    holders
}

/// The name of the directory a skill was installed as; its own when it is not installed.
pub(super) fn installed_name(root: Option<&Path>, ledger: &Ledger, skill: &str) -> String {
    let name = installed_directory(root, ledger, skill).and_then(|directory| directory.file_name()?.to_str());
    name.unwrap_or(skill).to_owned()
}

fn installed_directory<'l>(root: Option<&Path>, ledger: &'l Ledger, skill: &str) -> Option<&'l Path> {
    let installed = ledger.records.iter().find(|record| {
        matches!(record.written, WrittenContent::Skill { .. })
            && record.is_for(root)
            && record.extension.as_deref() == Some(skill)
    });
    installed.map(|record| record.path.as_path())
}

/// Says what the model must leave to the person, a line each.
fn rules(consent: &ConsentNotes<'_>) -> Vec<String> {
    let mut rules: Vec<String> = changed_notice(&listed(&consent.changed)).into_iter().collect();
    rules.extend(kept_guards(consent).map(|sentence| format!("{sentence}. Tell the user; never run it for them")));
    if !consent.silenced.is_empty() {
        rules.push(format!(
            "This project switches off hooks that the user set up: {}. Tell the user that `symposium on NAME` \
             switches one on here; never run it for them",
            listed(&consent.silenced).join(", ")
        ));
    }
    rules
}

/// Says what the person should know, a line each.
fn notes(context: &Context, catalog: &Catalog, ledger: &Ledger, consent: &ConsentNotes<'_>) -> Vec<String> {
    let mut notes: Vec<String> = left_out(&context.settings, catalog).into_iter().collect();
    notes.extend(awaiting(consent));
    notes.extend(kept_guards(consent));
    notes.extend(context.project_text.as_deref().and_then(doubled_toggles));
    if let Some(unreadable) = &consent.trust.unreadable {
        let message = "The file with your grants could not be read, so no grant is in effect";
        let remedy = match unreadable {
            StoreFailure::Broken => "run `symposium trust` to create it again".to_owned(),
            StoreFailure::Now(_) => format!("make {} readable", context.directories.trust_file().display()),
        };
        notes.push(format!("{message}; {remedy}"));
    }
    let announced = consent.trust.announcements.iter().take(LISTED);
    notes.extend(announced.map(|announcement| scan::one_line(&announcement.sentence()).into_owned()));
    if let Some(message) = required_version::unmet(&context.settings) {
        // Until then this program sets nothing up here.
        notes.push(format!("{message}; run `symposium self-update` to update"));
    } else if let Some(root) = context.root()
        && !ledger.has_run_in(root)
    {
        let command = if context.agents().is_empty() { "symposium init" } else { "symposium sync" };
        notes.push(format!("Symposium is not set up in this workspace yet; run `{command}` to install its skills"));
    }
    notes
}

/// Says of policy hooks without their manifests whether they are in force. Those that changed are named with the others.
fn kept_guards(consent: &ConsentNotes<'_>) -> impl Iterator<Item = String> {
    let kept = consent.kept.iter().filter(|kept| kept.standing != GuardStanding::Changed);
    kept.take(LISTED).map(|kept| scan::one_line(&kept.sentence()).into_owned())
}

/// Names the toggles that a merge left in the project's configuration with both values.
fn doubled_toggles(text: &str) -> Option<String> {
    let found = merge_toggles(text).contradictory;
    let shown =
        |toggle: &DoubledToggle<'_>| format!("{} is {}", shown_name(toggle.key), if toggle.on { "on" } else { "off" });
    let mut names: Vec<String> = found.iter().take(LISTED).map(shown).collect();
    names.extend((found.len() > LISTED).then(|| format!("{} more", found.len() - LISTED)));
    (!names.is_empty()).then(|| {
        format!(
            "Toggles are listed twice in `.symposium/config.toml`, as true and as false: {}; run `symposium sync` to \
             keep one line of each",
            names.join(", ")
        )
    })
}

/// Says that a project brings more than is read.
fn left_out(settings: &EffectiveSettings, catalog: &Catalog) -> Option<String> {
    let of_project = settings.sources.iter().filter(|source| matches!(source.origin, SettingOrigin::Project(_)));
    let is_cut =
        of_project.count() > MAX_PROJECT_SOURCES || catalog.sources.iter().any(|source| source.findings.is_cut);
    is_cut.then(|| {
        "Symposium skipped some plugins of this project, because there are too many; run `symposium sync` to see the \
         source"
            .to_owned()
    })
}

fn pending_grant(catalog: &Catalog, trust: &TrustReport, command: &PendingCommand) -> PendingGrant {
    let is_public = |id: &PluginId| {
        catalog.plugin(*id).is_some_and(|(source, _)| source.trust_rank() == SourceRank::Recommendations)
    };
    let content = command.plugin.filter(is_public).and_then(|id| trust.standing(id)?.gathered.as_ref().ok());
    PendingGrant {
        title: shown_name(&command.title),
        agent: command.agent,
        content: content.map(|gathered| gathered.content.fingerprint().as_str().to_owned()),
    }
}

/// Says what waits, or does not count, until the person decides.
fn awaiting(consent: &ConsentNotes<'_>) -> Vec<String> {
    let ConsentNotes { changed, silenced, .. } = consent;
    let say = |names: &[String], why: &str, remedy: &str| {
        (!names.is_empty()).then(|| format!("{why}: {}; {remedy}", listed(names).join(", ")))
    };
    let asks = "run `symposium trust` to review them";
    [
        say(changed, "Symposium no longer runs these plugins, because they changed after you granted them", asks),
        say(silenced, "This project switches off some of your hooks", "run `symposium on NAME` to switch one on here"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Names as they are said. They come from others, so they are cleaned and few.
pub(super) fn listed(names: &[String]) -> Vec<String> {
    let mut listed: Vec<String> = names.iter().take(LISTED).map(|name| shown_name(name)).collect();
    if names.len() > LISTED {
        listed.push(format!("{} more", names.len() - LISTED));
    }
    listed
}

fn shown_name(name: &str) -> String {
    let short: String = scan::one_line(name).chars().filter(|c| *c != '`').take(80).collect();
    format!("`{short}`")
}
