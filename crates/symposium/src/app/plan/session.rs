//! What is said when a session starts, and what a prompt may remind of.

use std::collections::BTreeSet;
use std::path::Path;

use semver::{Version, VersionReq};
use symposium_model::catalog::Catalog;
use symposium_model::conditions::Conditions;
use symposium_model::config::{MAX_PROJECT_SOURCES, Origin, SourceKind, SourceRank};
use symposium_model::hook::plan::{LockedVersion, NudgeCrate, NudgePlan, Pointer, SessionPlan, changed_notice};
use symposium_model::scan;
use symposium_model::select::{Selection, SkillState};
use symposium_model::sync::{Ledger, Written};

use super::texts::plugin_texts;
use crate::app::context::Context;
use crate::app::guidance::CrateSkills;
use crate::app::trust::Trust;
use crate::app::trust::store::Unreadable;

/// So many names are listed.
const LISTED: usize = 8;

/// What awaits consent, and what changed where none is needed.
pub(super) struct Consent<'c> {
    /// Hooks that are not run and MCP servers that are not registered, because nobody agreed to them.
    pub(super) unheard: Vec<String>,
    /// The same, because they are no longer what somebody agreed to.
    pub(super) changed: Vec<String>,
    /// Who may run what.
    pub(super) trust: &'c Trust,
}

/// What a session starts with.
pub(super) fn session(
    context: &Context,
    (catalog, selection): (&Catalog, &Selection),
    rows: &[CrateSkills],
    ledger: &Ledger,
    consent: &Consent<'_>,
) -> SessionPlan {
    let applying = selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies);
    let names = applying.filter_map(|verdict| catalog.skill(verdict.id));
    let mut skills: Vec<String> =
        names.map(|(_, skill)| installed_name(context.root(), ledger, skill.document.name.as_str())).collect();
    skills.sort();
    skills.dedup();
    // A crate may come to a version that no skill is for: that is worth knowing too.
    let atoms = catalog.conditions().flat_map(Conditions::crate_atoms);
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
    let fetches = catalog.sources.iter().any(|source| {
        let is_fetched = matches!(source.spec.kind, SourceKind::Git { auto_update: true, .. });
        is_fetched && source.spec.rank != SourceRank::Project
    });
    SessionPlan {
        texts: plugin_texts(&context.workflows(), catalog, selection),
        skills,
        crates: crates.collect(),
        notices: notices(context, catalog, ledger, consent),
        pointer: if is_silenced(context) { Pointer::Hidden } else { Pointer::Shown },
        rtk: false,
        update_notice: context.settings.update_notice.value,
        fetches,
    }
}

/// Whether somebody switched everything off that can be switched.
fn is_silenced(context: &Context) -> bool {
    let mut all = context.settings.skills.iter().chain(&context.settings.workflows).peekable();
    all.peek().is_some() && all.all(|toggle| !toggle.on)
}

/// What a prompt may remind of.
pub(super) fn nudges(context: &Context, rows: &[CrateSkills], ledger: &Ledger) -> NudgePlan {
    let mut crates: Vec<NudgeCrate> = Vec::new();
    for row in rows.iter().filter(|row| row.version.is_some() && !row.skills.is_empty()) {
        let skills = row.skills.iter().map(|skill| installed_name(context.root(), ledger, &skill.name));
        // Two versions of a crate are one name to whoever mentions it.
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
    let interval = u32::try_from(context.settings.nudge_interval.value).unwrap_or(u32::MAX);
    NudgePlan { interval, crates }
}

/// The name of the directory a skill was installed as; its own when it is not installed.
fn installed_name(root: Option<&Path>, ledger: &Ledger, skill: &str) -> String {
    let installed = ledger.records.iter().find(|record| {
        matches!(record.written, Written::Skill { .. })
            && record.is_for(root)
            && record.extension.as_deref() == Some(skill)
    });
    let name = installed.and_then(|record| record.path.file_name()?.to_str());
    name.unwrap_or(skill).to_owned()
}

/// What the person should know, a line each.
fn notices(context: &Context, catalog: &Catalog, ledger: &Ledger, consent: &Consent<'_>) -> Vec<String> {
    let mut notices: Vec<String> = left_out(context, catalog).into_iter().collect();
    notices.extend(awaiting(consent));
    if let Some(unreadable) = &consent.trust.unreadable {
        let message = "What was granted to run could not be read, so nothing counts as granted";
        let remedy = match unreadable {
            Unreadable::Broken => "`symposium trust` makes it anew".to_owned(),
            Unreadable::Now(_) => format!("make {} readable", context.directories.trust_file().display()),
        };
        notices.push(format!("{message}; {remedy}"));
    }
    let announced = consent.trust.announcements.iter().take(LISTED);
    notices.extend(announced.map(|announcement| scan::clean(&announcement.sentence()).into_owned()));
    if let Some(required) = &context.settings.required_version.value
        && !is_enough(env!("CARGO_PKG_VERSION"), required)
    {
        let ours = env!("CARGO_PKG_VERSION");
        notices.push(format!("This project asks for Symposium {required}, and this is {ours}"));
    }
    if let Some(root) = context.root()
        && !ledger.has_run_in(root)
    {
        let command = if context.agents().is_empty() { "symposium init" } else { "symposium sync" };
        notices.push(format!("Symposium is not set up in this workspace yet; `{command}` installs its skills"));
    }
    notices
}

/// Says that a project brings more than is read.
fn left_out(context: &Context, catalog: &Catalog) -> Option<String> {
    let of_project = context.settings.sources.iter().filter(|source| matches!(source.origin, Origin::Project(_)));
    let is_cut =
        of_project.count() > MAX_PROJECT_SOURCES || catalog.sources.iter().any(|source| source.findings.is_cut);
    is_cut.then(|| {
        "Symposium left out a part of this project's plugins, because there are too many. Tell the user that \
         `symposium sync` names the source"
            .to_owned()
    })
}

/// The lines that say what waits.
fn awaiting(consent: &Consent<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if !consent.unheard.is_empty() {
        lines.push(format!(
            "Symposium does not run these, because nobody agreed to them yet: {}. Tell the user that `symposium trust` \
             shows what they would do, and asks; never answer it for them",
            listed(&consent.unheard).join(", ")
        ));
    }
    lines.extend(changed_notice(&listed(&consent.changed)));
    lines
}

/// Names as they are said. They come from others, so they are cleaned and few.
pub(super) fn listed(names: &[String]) -> Vec<String> {
    let named = |name: &String| {
        let short: String = scan::clean(name).chars().filter(|c| *c != '`' && *c != '\n').take(80).collect();
        format!("`{short}`")
    };
    let mut listed: Vec<String> = names.iter().take(LISTED).map(named).collect();
    if names.len() > LISTED {
        listed.push(format!("{} more", names.len() - LISTED));
    }
    listed
}

/// Whether a version is what a project asks for. What cannot be understood was reported when it was read.
fn is_enough(ours: &str, required: &str) -> bool {
    let (Ok(mut ours), Ok(required)) = (Version::parse(ours), VersionReq::parse(required)) else { return true };
    // A pre-release has what its release will have.
    ours.pre = semver::Prerelease::EMPTY;
    required.matches(&ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_enough_or_not() {
        for (ours, required, enough) in [
            ("0.3.0", ">=0.3", true),
            ("0.3.0-rc.1", ">=0.3", true),
            ("0.2.9", ">=0.3", false),
            ("1.0.0", "0.3", false),
            ("0.1.0", "newest", true),
        ] {
            assert_eq!(is_enough(ours, required), enough, "{ours} {required}");
        }
    }
}
