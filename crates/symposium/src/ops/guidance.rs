//! Finds the skills for each crate, and their text.

use semver::Version;
use symposium_io::cargo::{CrateSource, SourceRoots, find_source};
use symposium_io::env;
use symposium_io::source::MAX_SKILL;
use symposium_model::catalog::{Catalog, SkillId};
use symposium_model::config::AppDirectories;
use symposium_model::crates::{
    CrateAtom, CrateName, CrateSet, DependencyScope, LockedCrate, VersionCertainty, VersionCondition,
};
use symposium_model::evaluate::FoundCrate;
use symposium_model::select::{Selection, SkillState, SkillVerdict};
use symposium_model::skill::SkillActivation;
use symposium_model::suggest::advice;

use crate::ops::catalog::{self, SourceDetail, path_on_disk, tree_of_skill};
use crate::ops::context::Context;
use crate::ops::resolve::Resolution;
use crate::run_report::RunReport;

/// A crate of the workspace and the skills that apply to that version of it.
#[derive(Clone)]
pub(crate) struct CrateSkills {
    /// The crate; `*` for skills that are for no crate in particular.
    pub(crate) name: String,
    pub(crate) version: Option<Version>,
    /// Whether the version is only assumed.
    pub(crate) certainty: VersionCertainty,
    pub(crate) skills: Vec<SkillLine>,
}

#[derive(Clone)]
pub(crate) struct SkillLine {
    pub(crate) name: String,
    pub(crate) description: String,
}

/// Every crate that counts, with its skills, and what applies to any workspace last.
pub(crate) fn skills_by_crate(resolution: &Resolution, scope: DependencyScope) -> Vec<CrateSkills> {
    selected_by_crate(resolution, &resolution.selection, scope)
}

/// The same for another selection from its catalog.
pub(crate) fn selected_by_crate(
    resolution: &Resolution,
    selection: &Selection,
    scope: DependencyScope,
) -> Vec<CrateSkills> {
    let catalog = &resolution.catalog;
    let applying: Vec<&SkillVerdict> =
        selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies).collect();
    let line = |verdict: &&SkillVerdict| {
        let (_, skill) = catalog.skill(verdict.id)?;
        let name = skill.document.name.as_str().to_owned();
        Some(SkillLine { name, description: skill.document.listed_description() })
    };
    let counted = resolution.crates().map(CrateSet::crates).unwrap_or_default();
    let counted: Vec<&LockedCrate> =
        counted.iter().filter(|krate| scope == DependencyScope::Transitive || krate.is_direct()).collect();
    let mut rows: Vec<CrateSkills> = counted
        .iter()
        .map(|krate| CrateSkills {
            name: krate.name.to_string(),
            version: Some(krate.version.clone()),
            certainty: krate.certainty,
            skills: applying.iter().filter(|verdict| is_for(catalog, verdict, krate)).filter_map(line).collect(),
        })
        .collect();
    let general: Vec<SkillLine> =
        applying.iter().filter(|verdict| subjects(catalog, verdict).is_empty()).filter_map(line).collect();
    if !general.is_empty() {
        let certainty = VersionCertainty::Locked;
        rows.push(CrateSkills { name: "*".to_owned(), version: None, certainty, skills: general });
    }
    rows
}

/// The number of direct dependencies, and of those with skills for their versions, on or off.
#[derive(Debug, Clone, Default)]
pub(crate) struct SkillCoverage {
    pub(crate) direct: usize,
    pub(crate) with_skills: usize,
    /// A dependency that has skills that are on.
    pub(crate) example: Option<String>,
    pub(crate) without: Option<String>,
}

/// Counts the direct dependencies that have skills.
pub(crate) fn coverage(resolution: &Resolution) -> SkillCoverage {
    let rows = skills_by_crate(resolution, DependencyScope::Direct);
    let mut names: Vec<&str> = rows.iter().filter(|row| row.version.is_some()).map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let has_skills = |name: &str| rows.iter().any(|row| row.name == name && !row.skills.is_empty());
    let switched_off = crates_with_skills(&resolution.selection, &[SkillState::Candidate, SkillState::Off]);
    let has_any = |name: &str| has_skills(name) || switched_off.iter().any(|off| off == name);
    SkillCoverage {
        direct: names.len(),
        with_skills: names.iter().filter(|name| has_any(name)).count(),
        example: names.iter().find(|name| has_skills(name)).map(|name| (*name).to_owned()),
        without: names.iter().find(|name| !has_any(name)).map(|name| (*name).to_owned()),
    }
}

fn is_for(catalog: &Catalog, verdict: &SkillVerdict, krate: &LockedCrate) -> bool {
    subjects(catalog, verdict).iter().any(|found| found.name == krate.name && found.version == krate.version)
}

/// The crates a skill is about: those it matched through, or else the one it lies in.
pub(crate) fn subjects(catalog: &Catalog, verdict: &SkillVerdict) -> Vec<FoundCrate> {
    if !verdict.crates.is_empty() {
        return verdict.crates.clone();
    }
    let place = catalog.skill(verdict.id).and_then(|(source, _)| source.krate());
    let found = place.map(|place| FoundCrate {
        name: place.name.clone(),
        version: place.version.clone(),
        certainty: place.certainty,
    });
    found.into_iter().collect()
}

/// A skill as `symposium crate NAME` shows it.
pub(crate) struct CrateSkill {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) source: String,
    /// The versions it matched, as text.
    pub(crate) matched: Vec<String>,
    pub(crate) path: String,
    pub(crate) content: SkillDelivery,
}

pub(crate) enum SkillDelivery {
    Inline(String),
    /// The agent reads the file when it wants to.
    Listed,
    /// The file could not be read any more.
    Unreadable(String),
}

pub(crate) fn skills_of_crate(
    directories: &AppDirectories,
    resolution: &Resolution,
    name: &CrateName,
) -> Vec<CrateSkill> {
    let Resolution { catalog, selection, .. } = resolution;
    let mut skills = Vec::new();
    for verdict in &selection.skills {
        let subjects = subjects(catalog, verdict);
        let matched = subjects.iter().filter(|found| found.name == *name);
        let matched: Vec<String> = matched.map(|found| found.version.to_string()).collect();
        if verdict.state == SkillState::Applies && !matched.is_empty() {
            skills.extend(read_skill(directories, catalog, verdict.id, matched));
        }
    }
    skills
}

/// A skill for a crate that does not reach the agent, and why.
pub(crate) struct WithheldSkill {
    pub(crate) name: String,
    /// The crates it is for.
    pub(crate) crates: Vec<String>,
    pub(crate) reason: String,
}

/// The skills that match through one crate, or through any, and are switched off, blocked or shadowed.
pub(crate) fn withheld(resolution: &Resolution, name: Option<&CrateName>) -> Vec<WithheldSkill> {
    let Resolution { catalog, selection, .. } = resolution;
    let about = |verdict: &&SkillVerdict| {
        name.is_none_or(|name| subjects(catalog, verdict).iter().any(|found| found.name == *name))
    };
    let mut withheld = Vec::new();
    for verdict in selection.skills.iter().filter(about) {
        let reason = match verdict.state {
            SkillState::Off => "switched off in `.symposium/config.toml`".to_owned(),
            SkillState::Candidate => describe_candidate(verdict),
            SkillState::Blocked(kind) => format!("blocked, because its text has {}", kind.describe()),
            SkillState::Shadowed(winner) => {
                let place = catalog.skill(winner).map_or("", |(_, skill)| skill.shown.as_str());
                let own = catalog.skill(verdict.id).map_or("", |(_, skill)| skill.shown.as_str());
                // Two groups may lead to one file.
                if place == own {
                    continue;
                }
                format!("{own} is not used, because {place} has the same name")
            }
            SkillState::PluginShadowed(winner) => {
                let place = catalog.plugin(winner).map_or("", |(_, plugin)| plugin.shown.as_str());
                if catalog.plugin(verdict.id.plugin).is_some_and(|(_, own)| own.shown == place) {
                    continue;
                }
                format!("not used, because {place} has the same name as its plugin")
            }
            SkillState::Applies | SkillState::DoesNotMatch | SkillState::NoWorkspace => continue,
        };
        if let Some((_, skill)) = catalog.skill(verdict.id) {
            let crates = subjects(catalog, verdict).iter().map(|found| found.name.to_string()).collect();
            withheld.push(WithheldSkill { name: skill.document.name.as_str().to_owned(), crates, reason });
        }
    }
    withheld
}

/// Returns the crates with skills of their own that are not switched on.
pub(crate) fn candidates(selection: &Selection) -> Vec<String> {
    crates_with_skills(selection, &[SkillState::Candidate])
}

/// Lists the crates through which skills in one of these states matched.
fn crates_with_skills(selection: &Selection, states: &[SkillState]) -> Vec<String> {
    let those = selection.skills.iter().filter(|verdict| states.contains(&verdict.state));
    let mut names: Vec<String> =
        those.flat_map(|verdict| verdict.crates.iter().map(|found| found.name.to_string())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Describes a candidate, with the command that switches it on.
pub(crate) fn describe_candidate(verdict: &SkillVerdict) -> String {
    let krate = verdict.crates.first().map(|found| found.name.to_string()).unwrap_or_default();
    format!("a candidate from {krate}: run `symposium on {krate}` to switch it on")
}

/// The skills that would apply if the crate were a dependency: those that name it at any level.
pub(crate) fn skills_naming(directories: &AppDirectories, catalog: &Catalog, name: &CrateName) -> Vec<CrateSkill> {
    let naming = catalog.skills_naming(name).into_iter();
    naming
        .filter_map(|(id, atoms)| read_skill(directories, catalog, id, atoms.iter().map(ToString::to_string).collect()))
        .collect()
}

/// Suggests an alternative to a crate that is no dependency: one with a similar name that is a dependency or has
/// skills.
pub(crate) fn nearby_crate(
    context: &Context,
    resolution: &Resolution,
    name: &CrateName,
    report: &mut RunReport,
) -> String {
    let crates = resolution.crates();
    let used: Vec<&str> =
        crates.map(|set| set.crates().iter().map(|krate| krate.name.as_str()).collect()).unwrap_or_default();
    advice(name.as_str(), &used, || {
        let (catalog, problems) = catalog::read(context, crates, SourceDetail::All, &resolution.fetched);
        report.add_briefly(&problems);
        let named: Vec<&str> =
            catalog.crates().map(CrateName::as_str).filter(|known| *known != name.as_str()).collect();
        advice(name.as_str(), &named, || match (known_version(&resolution.catalog, name), crates) {
            (Some(version), _) => {
                format!("run `symposium crate {name} --version {version}` to see the guidance for {version}")
            }
            (None, Some(_)) => format!("run `cargo add {name}` first to see its source and docs"),
            (None, None) => "run the command in a directory with a Cargo.toml".to_owned(),
        })
    })
}

/// Finds the newest version that conditions of skills are written with; any will do where one asks for none.
fn known_version(catalog: &Catalog, name: &CrateName) -> Option<String> {
    let naming = catalog.skills_naming(name);
    let mut requirements = naming.iter().flat_map(|(_, atoms)| atoms).filter_map(|atom| match atom {
        CrateAtom::Any => None,
        CrateAtom::Crate { requirement, .. } => Some(requirement),
    });
    let newest = requirements.clone().filter_map(VersionCondition::named_version).max();
    let any = requirements.any(VersionCondition::is_any).then(|| "1.0".to_owned());
    newest.map(|(_, written)| written).or(any)
}

fn read_skill(
    directories: &AppDirectories,
    catalog: &Catalog,
    id: SkillId,
    matched: Vec<String>,
) -> Option<CrateSkill> {
    let (source, skill) = catalog.skill(id)?;
    let content = match skill.document.activation {
        SkillActivation::Optional => SkillDelivery::Listed,
        SkillActivation::Always => {
            match tree_of_skill(source, skill).map(|tree| tree.read_text(&skill.path, MAX_SKILL)) {
                None => SkillDelivery::Unreadable("its source no longer exists".to_owned()),
                Some(Err(error)) => SkillDelivery::Unreadable(error.to_string()),
                Some(Ok(text)) => SkillDelivery::Inline(skill.document.body_of(&text).trim().to_owned()),
            }
        }
    };
    Some(CrateSkill {
        name: skill.document.name.as_str().to_owned(),
        description: skill.document.listed_description(),
        source: source.spec.name.clone(),
        matched,
        path: match skill.elsewhere {
            Some(_) => skill.shown.clone(),
            None => path_on_disk(directories, source, &skill.path, &skill.shown),
        },
        content,
    })
}

/// Returns the text of an applying skill, without its frontmatter.
pub(crate) fn inline_body(resolution: &Resolution, name: &str) -> Option<String> {
    let applying = resolution.selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies);
    let mut found = applying.filter_map(|verdict| resolution.catalog.skill(verdict.id));
    let (source, skill) = found.find(|(_, skill)| skill.document.name.as_str() == name)?;
    let text = tree_of_skill(source, skill)?.read_text(&skill.path, MAX_SKILL).ok()?;
    Some(skill.document.body_of(&text).trim().to_owned())
}

pub(crate) fn source_of(context: &Context, krate: &LockedCrate) -> Option<CrateSource> {
    let cargo_home = env::cargo_home();
    let roots = SourceRoots { cargo_home: cargo_home.as_deref(), workspace: context.root()? };
    find_source(krate, roots, &context.boundary)
}
