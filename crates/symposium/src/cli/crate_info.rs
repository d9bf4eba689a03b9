//! `symposium crate`: the skills of the workspace's crates, or everything about one.

use std::path::PathBuf;

use serde::Serialize;
use symposium_model::crates::{
    CargoLockState, CrateName, CrateSet, DependencyKind, DependencyScope, DirectUse, LockedCrate, VersionCertainty,
};
use symposium_model::explain;

use super::args::CrateArgs;
use super::crate_source;
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::catalog;
use crate::ops::context::Context;
use crate::ops::guidance::{self, CrateSkill, CrateSkills, SkillDelivery, WithheldSkill};
use crate::ops::query::api::cached_head;
use crate::ops::query::crate_version::{LockedVersions, resolve_crate};
use crate::ops::resolve::{Resolution, ResolutionDetail};
use crate::ui::printer::OutputFormat;
use crate::ui::response::CommandResponse;
use crate::ui::text::StyledText;

pub(super) fn run(session: &mut CliSession, args: &CrateArgs) -> Result<CommandExit, CliError> {
    let reply = match &args.name {
        None => list(session),
        Some(written) => {
            let (name, version) = name_and_version(written, args.version.as_deref())?;
            match crate_source::question(name, version, args) {
                Some(question) => crate_source::reply(session, &question, &|| true)?,
                None => one(session, name, version)?,
            }
        }
    };
    Ok(reply.print(session.printer))
}

/// Tells `NAME@VERSION` apart, as cargo writes it.
fn name_and_version<'a>(written: &'a str, version: Option<&'a str>) -> Result<(&'a str, Option<&'a str>), CliError> {
    match (written.split_once('@'), version) {
        (None, version) => Ok((written, version)),
        (Some((name, own)), None) => Ok((name, Some(own))),
        (Some((name, own)), Some(version)) => {
            Err(CliError::usage(format!("`{name}` was requested with two versions, {own} and {version}"))
                .hint("pass only one version"))
        }
    }
}

/// The answer about one crate: as JSON it is printed here, and what remains is what is said beside it.
pub(super) fn one(session: &mut CliSession, name: &str, version: Option<&str>) -> Result<CommandResponse, CliError> {
    let Some(name) = CrateName::parse(name) else {
        return Err(CliError::usage(format!("`{name}` is not a crate name")).hint("pass a name such as `serde`"));
    };
    let found = session.run(|context, report| resolve_crate(context, &name, version, report));
    let (resolution, locked) = found?;
    Ok(show(session, &resolution, &name, locked))
}

#[derive(Serialize)]
struct CrateListDocument {
    version: u32,
    crates: Vec<CrateRow>,
}

#[derive(Serialize)]
pub(super) struct CrateRow {
    name: String,
    version: Option<String>,
    skills: Vec<String>,
}

pub(super) fn rows(skills: &[CrateSkills]) -> Vec<CrateRow> {
    let row = |row: &CrateSkills| CrateRow {
        name: row.name.clone(),
        version: row.version.as_ref().map(ToString::to_string),
        skills: row.skills.iter().map(|skill| skill.name.clone()).collect(),
    };
    skills.iter().map(row).collect()
}

/// The crates that have skills, as text.
pub(super) fn skill_lines(mut text: StyledText, rows: &[CrateSkills]) -> StyledText {
    for row in rows.iter().filter(|row| !row.skills.is_empty()) {
        let assumed = match row.certainty {
            VersionCertainty::Locked => "",
            VersionCertainty::Assumed => " (assumed)",
        };
        text = match &row.version {
            Some(version) => text.strong(format!("{} {version}", row.name)).plain(assumed).end(),
            None => text.heading("any workspace"),
        };
        for skill in &row.skills {
            text = text.line(format!("- {}: {}", skill.name, skill.description));
        }
    }
    text
}

/// The answer about all crates: as JSON it is printed here, and nothing remains.
pub(super) fn list(session: &mut CliSession) -> CommandResponse {
    let resolution = session.resolve(ResolutionDetail::RELEVANT);
    let CliSession { context, printer, .. } = &*session;
    let skills = guidance::skills_by_crate(&resolution, catalog::scope(&context.settings));
    if printer.answer == OutputFormat::Json {
        printer.json(&CrateListDocument { version: 1, crates: rows(&skills) });
        return CommandResponse::new(CommandExit::Ok);
    }
    if resolution.workspace.is_none() {
        let reply = CommandResponse::new(CommandExit::Ok).warning("This directory is not part of a cargo workspace");
        return reply.hint("run the command in a directory with a Cargo.toml");
    }
    context.missing_manifest().iter().for_each(|warning| printer.warning(warning));
    let withheld = guidance::withheld(&resolution, None);
    let is_withheld = |row: &CrateSkills| withheld.iter().any(|skill| skill.crates.contains(&row.name));
    let without = skills.iter().filter(|row| row.skills.is_empty() && !is_withheld(row)).count();
    let mut text = skill_lines(StyledText::default(), &skills);
    for skill in &withheld {
        text = text.dim(format!("skill {} is {}", skill.name, skill.reason)).end();
    }
    if without > 0 {
        let others = if without == 1 { "dependency has" } else { "dependencies have" };
        let more = if skills.len() == without && withheld.is_empty() { "" } else { "more " };
        text = text.dim(format!("{without} {more}{others} no skill")).end();
    }
    if skills.is_empty() {
        text = text.line("This workspace has no dependencies yet.");
    }
    CommandResponse::new(CommandExit::Ok).text(text)
}

#[derive(Serialize)]
struct CrateDocument {
    version: u32,
    name: String,
    dependency: bool,
    versions: Vec<VersionRow>,
    skills: Vec<SkillRow>,
    withheld: Vec<WithheldRow>,
}

/// A skill that matches and does not reach the agent.
#[derive(Serialize)]
struct WithheldRow {
    name: String,
    reason: String,
}

#[derive(Serialize)]
struct VersionRow {
    version: String,
    assumed: bool,
    used_by: Vec<DependencyUseRow>,
    source: Option<String>,
    readme: Option<String>,
    docs: Option<String>,
    examples: Option<String>,
}

#[derive(Serialize)]
struct DependencyUseRow {
    member: String,
    kind: &'static str,
    target: Option<String>,
    optional: bool,
    renamed: Option<String>,
}

#[derive(Serialize)]
struct SkillRow {
    name: String,
    description: String,
    source: String,
    path: String,
    matched: Vec<String>,
    body: Option<String>,
    unreadable: Option<String>,
}

fn show(
    session: &mut CliSession,
    resolution: &Resolution,
    name: &CrateName,
    locked: LockedVersions,
) -> CommandResponse {
    let CliSession { context, printer, .. } = &*session;
    let crates = resolution.crates();
    let scope = catalog::scope(&context.settings);
    let versions: Vec<&LockedCrate> = crates.map(|set| set.versions(name, scope).collect()).unwrap_or_default();
    let found = !versions.is_empty();
    let skills = if found {
        guidance::skills_of_crate(&context.directories, resolution, name)
    } else {
        guidance::skills_naming(&context.directories, &resolution.catalog, name)
    };
    let withheld = guidance::withheld(resolution, Some(name));
    let reply = CommandResponse::new(if found { CommandExit::Ok } else { CommandExit::No });
    match printer.answer {
        OutputFormat::Json => {
            let withheld = withheld.into_iter().map(|skill| WithheldRow { name: skill.name, reason: skill.reason });
            printer.json(&CrateDocument {
                version: 1,
                name: name.to_string(),
                dependency: found && locked == LockedVersions::AsItIs,
                versions: versions.iter().map(|krate| version_row(context, krate, locked)).collect(),
                skills: skills.into_iter().map(skill_row).collect(),
                withheld: withheld.collect(),
            });
            reply
        }
        OutputFormat::Human if found => {
            reply.text(crate_text(context, resolution, &versions, locked, &skills, &withheld))
        }
        OutputFormat::Human => {
            let help = session.run(|context, report| guidance::nearby_crate(context, resolution, name, report));
            reply.error(absence(name, crates)).text(would_apply(name, &skills)).hint(help)
        }
    }
}

/// Explains why a crate is not a direct dependency of the workspace.
fn absence(name: &CrateName, crates: Option<&CrateSet>) -> String {
    let Some(crates) = crates else { return "This directory is not part of a cargo workspace".to_owned() };
    match crates.versions(name, DependencyScope::Transitive).next() {
        Some(krate) => {
            let path = explain::path(crates, krate);
            format!("`{name}` is not a direct dependency of this workspace; it is an indirect dependency: {path}")
        }
        None => format!("`{name}` is not a dependency of this workspace"),
    }
}

fn would_apply(name: &CrateName, skills: &[CrateSkill]) -> StyledText {
    if skills.is_empty() {
        return StyledText::default().line(format!("There are no skills for `{name}`."));
    }
    let mut text = StyledText::default().heading(format!("Skills that would apply if `{name}` were a dependency:"));
    for skill in skills {
        let conditions = skill.matched.join(", ");
        text = text.line(format!("- {} ({conditions}): {}", skill.name, skill.description));
        text = text.line(format!("  {}", skill.path));
    }
    text
}

fn crate_text(
    context: &Context,
    resolution: &Resolution,
    versions: &[&LockedCrate],
    locked: LockedVersions,
    skills: &[CrateSkill],
    withheld: &[WithheldSkill],
) -> StyledText {
    let all: Vec<String> = versions.iter().map(|krate| krate.version.to_string()).collect();
    let name = versions.first().map(|krate| krate.name.as_str()).unwrap_or_default();
    let mut text = StyledText::default().heading(format!("# {name} {}", all.join(" and "))).end();
    let lock = resolution.crates().map_or(CargoLockState::Absent, CrateSet::lock);
    for krate in versions {
        text = version_lines(text, context, krate, LockFacts { locked, lock });
    }
    for skill in skills {
        if let SkillDelivery::Inline(body) = &skill.content {
            let matched = skill.matched.join(" and ");
            text = text.end().heading(format!("# Skill `{}`, for {name} {matched}", skill.name)).end().block(body);
        }
    }
    let further: Vec<&CrateSkill> =
        skills.iter().filter(|skill| !matches!(skill.content, SkillDelivery::Inline(_))).collect();
    if !further.is_empty() {
        text = text.end().heading("# More skills for this crate: read the file when you need its topic").end();
    }
    for skill in further {
        text = text.line(format!("- {} (for {}): {}", skill.name, skill.matched.join(" and "), skill.description));
        text = match &skill.content {
            SkillDelivery::Unreadable(reason) => text.line(format!("  unreadable: {reason}: {}", skill.path)),
            SkillDelivery::Listed | SkillDelivery::Inline(_) => text.line(format!("  {}", skill.path)),
        };
    }
    if skills.is_empty() && withheld.is_empty() {
        text = public_items(text, context, resolution, versions, locked);
    }
    if !withheld.is_empty() {
        text = text.end();
    }
    for skill in withheld {
        text = text.line(format!("Skill {} is {}.", skill.name, skill.reason));
    }
    text
}

/// Shows the beginning of what a crate without a skill has, if that is known without reading its source.
fn public_items(
    text: StyledText,
    context: &Context,
    resolution: &Resolution,
    versions: &[&LockedCrate],
    locked: LockedVersions,
) -> StyledText {
    let Some(krate) = versions.last().filter(|_| locked == LockedVersions::AsItIs) else {
        return text.end().line("No skill is known for it: read its source and documentation before guessing an API.");
    };
    let name = &krate.name;
    match cached_head(context, resolution, krate) {
        Some(head) => {
            let text = text.end().heading("# Public items").end().block(head.trim_end()).end();
            text.line(format!("No skill is known for it; `symposium api {name}` shows more of its items."))
        }
        None => text.end().line(format!(
            "No skill is known for it: ask `symposium api {name}` for its items before guessing an API."
        )),
    }
}

/// Tells where the versions of a crate come from.
#[derive(Clone, Copy)]
struct LockFacts {
    locked: LockedVersions,
    lock: CargoLockState,
}

fn version_lines(text: StyledText, context: &Context, krate: &LockedCrate, facts: LockFacts) -> StyledText {
    let LockFacts { locked, lock } = facts;
    let row = version_row(context, krate, locked);
    let users: Vec<String> = krate.uses.iter().map(explain::usage).collect();
    let state = match (locked, krate.certainty, users.is_empty()) {
        (LockedVersions::AsAsked, _, _) => ", not the locked version".to_owned(),
        (LockedVersions::AskedAndLocked, _, _) => ", a locked version".to_owned(),
        (LockedVersions::OwnPackage, _, _) => ", a package of this workspace".to_owned(),
        (LockedVersions::AsItIs, _, true) => ", an indirect dependency".to_owned(),
        (LockedVersions::AsItIs, VersionCertainty::Locked, false) => format!(", used by {}", users.join(", ")),
        (LockedVersions::AsItIs, VersionCertainty::Assumed, false) => {
            let why = match lock {
                CargoLockState::Present | CargoLockState::Absent => "does not contain it",
                CargoLockState::Broken => "cannot be read",
            };
            format!(" (assumed, because Cargo.lock {why}), used by {}", users.join(", "))
        }
    };
    let mut text = text.line(format!("{} {}{state}", krate.name, row.version));
    text = match &row.source {
        Some(source) => text.line(format!("- source: {source}")),
        None => text.line("- source: not on this machine; run `cargo fetch` to download it"),
    };
    for (label, path) in [("readme", row.readme), ("docs", row.docs), ("examples", row.examples)] {
        if let Some(path) = path {
            text = text.line(format!("- {label}: {path}"));
        }
    }
    text
}

fn version_row(context: &Context, krate: &LockedCrate, locked: LockedVersions) -> VersionRow {
    let source = guidance::source_of(context, krate);
    let shown = |path: Option<&PathBuf>| path.map(|path| path.display().to_string());
    let used_by = match locked {
        LockedVersions::AsItIs => krate.uses.iter().map(use_row).collect(),
        LockedVersions::AsAsked | LockedVersions::AskedAndLocked | LockedVersions::OwnPackage => Vec::new(),
    };
    VersionRow {
        version: krate.version.to_string(),
        assumed: krate.certainty == VersionCertainty::Assumed,
        used_by,
        source: shown(source.as_ref().map(|source| &source.directory)),
        readme: shown(source.as_ref().and_then(|source| source.readme.as_ref())),
        docs: shown(source.as_ref().and_then(|source| source.docs.as_ref())),
        examples: shown(source.as_ref().and_then(|source| source.examples.as_ref())),
    }
}

fn use_row(usage: &DirectUse) -> DependencyUseRow {
    DependencyUseRow {
        member: usage.member.clone(),
        kind: match usage.kind {
            DependencyKind::Normal => "normal",
            DependencyKind::Dev => "dev",
            DependencyKind::Build => "build",
        },
        target: usage.target.clone(),
        optional: usage.optional,
        renamed: usage.renamed.clone(),
    }
}

fn skill_row(skill: CrateSkill) -> SkillRow {
    let (body, unreadable) = match skill.content {
        SkillDelivery::Inline(body) => (Some(body), None),
        SkillDelivery::Unreadable(reason) => (None, Some(reason)),
        SkillDelivery::Listed => (None, None),
    };
    SkillRow {
        name: skill.name,
        description: skill.description,
        source: skill.source,
        path: skill.path,
        matched: skill.matched,
        body,
        unreadable,
    }
}
