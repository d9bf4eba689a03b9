//! What in the texts of skills deserves a second look, for people who decide about them.

use symposium_io::source::MAX_SKILL;
use symposium_model::catalog::Catalog;
use symposium_model::config::SourceRank;
use symposium_model::scan::{Finding, Severity, scan};
use symposium_model::select::{Selection, SkillState};

use super::catalog::tree_of_skill;

/// One passage.
#[derive(Debug, Clone)]
pub(crate) struct Deception {
    /// The skill or file it is in.
    pub(crate) name: String,
    /// The file, for people.
    pub(crate) place: String,
    /// Its line.
    pub(crate) line: usize,
    /// What it is.
    pub(crate) what: &'static str,
    /// Whether the text is not used because of it.
    pub(crate) severity: Severity,
}

impl Deception {
    /// The sentence.
    pub(crate) fn sentence(&self) -> String {
        let Self { name, place, line, what, .. } = self;
        let fate = match self.severity {
            Severity::Blocking => ", which nobody sees",
            Severity::Notice => "",
        };
        format!("`{name}` has {what}{fate}: {place}:{line}")
    }
}

/// What is in a text.
pub(crate) fn in_text(name: &str, place: &str, text: &str) -> Vec<Deception> {
    of_findings(name, place, text, &scan(text))
}

fn of_findings(name: &str, place: &str, text: &str, findings: &[Finding]) -> Vec<Deception> {
    let deception = |found: &Finding| Deception {
        name: name.to_owned(),
        place: place.to_owned(),
        line: text.get(..found.span.start).unwrap_or_default().matches('\n').count() + 1,
        what: found.kind.describe(),
        severity: found.severity,
    };
    findings.iter().map(deception).collect()
}

/// What is in the skills that match. What ships with the program was looked at before it was shipped.
pub(crate) fn in_skills(catalog: &Catalog, selection: &Selection) -> Vec<Deception> {
    let mut found = Vec::new();
    for verdict in &selection.skills {
        if !matches!(verdict.state, SkillState::Applies | SkillState::Blocked(_)) {
            continue;
        }
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        if source.spec.rank == SourceRank::Builtin {
            continue;
        }
        let Some(text) = tree_of_skill(source, skill).and_then(|tree| tree.read_text(&skill.path, MAX_SKILL).ok())
        else {
            continue;
        };
        found.extend(of_findings(skill.document.name.as_str(), &skill.shown, &text, &skill.document.scan(&text)));
    }
    found
}
