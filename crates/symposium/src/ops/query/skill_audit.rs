//! What in the texts of skills deserves a second look, for people who decide about them.

use symposium_io::source::MAX_SKILL;
use symposium_model::catalog::Catalog;
use symposium_model::config::SourceRank;
use symposium_model::scan::{ScanFinding, ScanSeverity, scan};
use symposium_model::select::{Selection, SkillState};

use crate::ops::catalog::tree_of_skill;

#[derive(Debug, Clone)]
pub(crate) struct AuditFinding {
    pub(crate) name: String,
    pub(crate) place: String,
    pub(crate) line: usize,
    pub(crate) what: &'static str,
    /// Whether the text is not used because of it.
    pub(crate) severity: ScanSeverity,
}

impl AuditFinding {
    pub(crate) fn sentence(&self) -> String {
        let Self { name, place, line, what, .. } = self;
        let fate = match self.severity {
            ScanSeverity::Blocking => ", which readers cannot see",
            ScanSeverity::Notice => "",
        };
        format!("`{name}` has {what}{fate}: {place}:{line}")
    }
}

pub(crate) fn in_text(name: &str, place: &str, text: &str) -> Vec<AuditFinding> {
    of_findings(name, place, text, &scan(text))
}

fn of_findings(name: &str, place: &str, text: &str, findings: &[ScanFinding]) -> Vec<AuditFinding> {
    let deception = |found: &ScanFinding| AuditFinding {
        name: name.to_owned(),
        place: place.to_owned(),
        line: text.get(..found.span.start).unwrap_or_default().matches('\n').count() + 1,
        what: found.kind.describe(),
        severity: found.severity,
    };
    findings.iter().map(deception).collect()
}

/// What is in the skills that match. What ships with the program was looked at before it was shipped.
pub(crate) fn in_skills(catalog: &Catalog, selection: &Selection) -> Vec<AuditFinding> {
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
