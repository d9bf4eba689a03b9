//! Compiles the guidance that reaches an agent by itself: the index at session start, and the files with the crates and
//! digests for the guidance at a file.

use symposium_model::catalog::Catalog;
use symposium_model::crates::{CargoLockState, CrateSet, LockedCrate};
use symposium_model::hook::guidance_plan::{
    DIGESTS_FILE, GUIDANCE_FILE, GuidedCrate, GuidedPackage, SkillDigest, print_digests, print_packages,
};
use symposium_model::hook::hook_plan::{EditGuidance, GuidanceLine};
use symposium_model::select::{Selection, SkillState};
use symposium_model::skill::{SkillActivation, SkillDocument};

use crate::ops::guidance::CrateSkills;

/// A skill of a crate is left out when its name ends like this: it helps with another task than writing code.
const UPGRADE: &str = "-upgrade";

/// A file beside the hook plans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GuidanceFile {
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

/// Gives the installed name of a skill.
type NameLookup<'n> = &'n dyn Fn(&str) -> String;

/// Looks up the texts that the files need.
pub(super) struct TextLookup<'l> {
    /// Gives the text of a skill.
    pub(super) body: &'l dyn Fn(&str) -> Option<String>,
    /// Gives the name of a crate's library where it is not the crate's own.
    pub(super) library: &'l dyn Fn(&LockedCrate) -> Option<String>,
}

/// Prints the files for the guidance at a file; none if no crate has guidance.
pub(super) fn files(
    crates: &CrateSet,
    rows: &[CrateSkills],
    skills: &TellableSkills<'_>,
    mode: EditGuidance,
    lookup: &TextLookup<'_>,
) -> Vec<GuidanceFile> {
    let is_wanted = mode != EditGuidance::Off && knows_versions(crates);
    let packages = if is_wanted { packages(crates, rows, skills, lookup) } else { Vec::new() };
    if packages.is_empty() {
        return Vec::new();
    }
    let digests: Vec<SkillDigest> = skills
        .documents
        .iter()
        .filter(|document| is_told(document.name.as_str()))
        .map(|document| {
            let name = document.name.as_str();
            let is_full = mode == EditGuidance::Full && document.activation == SkillActivation::Always;
            let whole = if is_full { (lookup.body)(name) } else { None };
            let whole = whole.map(|body| format!("\n\n{body}")).unwrap_or_default();
            SkillDigest { skill: (skills.installed_name)(name), text: format!("{}{whole}", document.told_digest()) }
        })
        .collect();
    vec![
        GuidanceFile { name: GUIDANCE_FILE, text: print_packages(&packages) },
        GuidanceFile { name: DIGESTS_FILE, text: print_digests(&digests) },
    ]
}

/// The skills that apply here, with their installed names.
pub(super) struct TellableSkills<'t> {
    documents: Vec<&'t SkillDocument>,
    installed_name: NameLookup<'t>,
}

impl<'t> TellableSkills<'t> {
    pub(super) fn new(catalog: &'t Catalog, selection: &Selection, installed_name: NameLookup<'t>) -> Self {
        let applying = selection.skills.iter().filter(|verdict| verdict.state == SkillState::Applies);
        let documents = applying.filter_map(|verdict| Some(&catalog.skill(verdict.id)?.1.document)).collect();
        Self { documents, installed_name }
    }

    fn document(&self, name: &str) -> Option<&'t SkillDocument> {
        self.documents.iter().copied().find(|document| document.name.as_str() == name)
    }
}

/// A direct dependency with skills, and the name of its library.
struct TaughtCrate<'t> {
    krate: &'t LockedCrate,
    library: Option<String>,
    skills: Vec<&'t str>,
}

fn packages(
    crates: &CrateSet,
    rows: &[CrateSkills],
    skills: &TellableSkills<'_>,
    lookup: &TextLookup<'_>,
) -> Vec<GuidedPackage> {
    let taught = |krate| {
        let skills = told_skills(rows, krate);
        (!skills.is_empty()).then(|| TaughtCrate { krate, library: (lookup.library)(krate), skills })
    };
    let with_skills: Vec<TaughtCrate<'_>> =
        crates.crates().iter().filter(|krate| krate.is_direct()).filter_map(taught).collect();
    let guided = |TaughtCrate { krate, library, skills: told }: &TaughtCrate<'_>, member: &str| -> Vec<GuidedCrate> {
        let own = library.as_deref().unwrap_or(krate.name.as_str());
        let uses = krate.uses.iter().filter(|direct| direct.member == member);
        let mut named: Vec<GuidedCrate> = uses
            .map(|direct| GuidedCrate {
                code_name: direct.renamed.as_deref().unwrap_or(own).replace('-', "_"),
                name: krate.name.to_string(),
                version: krate.version.to_string(),
                skills: told.iter().map(|skill| (skills.installed_name)(skill)).collect(),
            })
            .collect();
        named.dedup();
        named
    };
    let package = |member: &symposium_model::crates::WorkspaceMember| {
        let crates: Vec<GuidedCrate> =
            with_skills.iter().flat_map(|taught| guided(taught, member.name.as_str())).collect();
        let directory = member.directory.as_ref()?.to_str()?.to_owned();
        Some(GuidedPackage { directory, crates }).filter(|package| !package.crates.is_empty())
    };
    crates.members().iter().filter_map(package).collect()
}

/// Returns false if Cargo.lock cannot be read: guidance for a version that is only assumed may be wrong.
fn knows_versions(crates: &CrateSet) -> bool {
    crates.lock() != CargoLockState::Broken
}

/// Returns the index: one entry for each direct dependency with a skill, those that most members use first.
pub(super) fn index(crates: &CrateSet, rows: &[CrateSkills], skills: &TellableSkills<'_>) -> Vec<GuidanceLine> {
    let is_guided = |krate: &&LockedCrate| {
        knows_versions(crates) && krate.is_direct() && rows.iter().any(|row| row.name == krate.name.as_str())
    };
    let mut direct: Vec<&LockedCrate> = crates.crates().iter().filter(is_guided).collect();
    direct.sort_by_cached_key(|krate| std::cmp::Reverse(members_using(krate)));
    let entry = |krate: &LockedCrate| {
        let told = told_skills(rows, krate);
        let documents = || told.iter().filter_map(|name| skills.document(name));
        let is_always = |document: &&SkillDocument| document.activation == SkillActivation::Always;
        let chosen = documents().find(is_always).or_else(|| documents().next())?;
        Some(GuidanceLine {
            name: krate.name.to_string(),
            version: krate.version.to_string(),
            digest: chosen.told_line(),
            skill: (skills.installed_name)(chosen.name.as_str()),
        })
    };
    direct.into_iter().filter_map(entry).collect()
}

/// Drops the digests that no budget leaves room for: every session start reads the index.
pub(super) fn within_budget(index: &[GuidanceLine], budget: usize) -> Vec<GuidanceLine> {
    let mut length = 0;
    let cut = |line: &GuidanceLine| {
        let digest = if length > budget { String::new() } else { line.digest.clone() };
        let is_repeated = index.iter().take_while(|other| *other != line).any(|other| other.digest == line.digest);
        length += line.name.len() + line.version.len() + if is_repeated { 0 } else { line.digest.len() };
        GuidanceLine { digest, ..line.clone() }
    };
    index.iter().map(cut).collect()
}

fn members_using(krate: &LockedCrate) -> usize {
    let mut members: Vec<&str> = krate.uses.iter().map(|direct| direct.member.as_str()).collect();
    members.sort_unstable();
    members.dedup();
    members.len()
}

fn told_skills<'r>(rows: &'r [CrateSkills], krate: &LockedCrate) -> Vec<&'r str> {
    let is_same = |row: &&CrateSkills| row.version.as_ref() == Some(&krate.version) && row.name == krate.name.as_str();
    let skills = rows.iter().filter(is_same).flat_map(|row| &row.skills);
    let mut names: Vec<&str> = skills.map(|skill| skill.name.as_str()).filter(|name| is_told(name)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn is_told(skill: &str) -> bool {
    !skill.ends_with(UPGRADE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_that_never_fit_are_not_compiled() {
        let line = |name: &str, digest: &str| GuidanceLine {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            digest: digest.to_owned(),
            skill: name.to_owned(),
        };
        let index = [line("a", "1234567890"), line("b", "1234567890"), line("c", "abc"), line("d", "rest")];
        let digests =
            |budget| -> Vec<String> { within_budget(&index, budget).into_iter().map(|line| line.digest).collect() };
        assert_eq!(digests(2_000), ["1234567890", "1234567890", "abc", "rest"]);
        assert_eq!(digests(22), ["1234567890", "1234567890", "abc", ""]);
        assert_eq!(digests(0), ["1234567890", "", "", ""]);
    }
}
