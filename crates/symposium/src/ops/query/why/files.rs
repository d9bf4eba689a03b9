//! Files: those of sources, and those we wrote.

use std::path::Path;

use symposium_io::{clock, fs};
use symposium_model::sync::{LedgerRecord, WrittenContent};

use super::{WhyAnswer, WhyInput, parts};

/// A file or directory we wrote, or one inside such a directory.
pub(super) fn about_written(evidence: &WhyInput<'_>, name: &str) -> Option<WhyAnswer> {
    let asked = fs::canonical(Path::new(name)).ok()?;
    let is_it = |record: &&LedgerRecord| fs::canonical(&record.path).is_ok_and(|path| asked.starts_with(path));
    let record = evidence.resolution.ledger.records.iter().find(is_it)?;
    let agents: Vec<&str> = record.agents.iter().map(|agent| agent.name()).collect();
    let what = match (&record.written, &record.extension) {
        (WrittenContent::Skill { .. }, Some(skill)) => format!("installed by Symposium as skill `{skill}`"),
        (WrittenContent::Skill { .. }, None) => "installed by Symposium".to_owned(),
        (WrittenContent::Entries { .. }, _) => "your file, with entries written by Symposium".to_owned(),
        (WrittenContent::File { .. }, _) => "written by Symposium".to_owned(),
        (WrittenContent::Amended { .. }, _) => "an existing file, with lines written by Symposium".to_owned(),
    };
    let mut reasons = vec![format!("written at {} UTC", clock::text(record.time))];
    if let WrittenContent::Entries { entries, .. } = &record.written {
        reasons.extend(parts::entry_lines(evidence, entries));
    }
    if !agents.is_empty() {
        reasons.push(format!("for {}", agents.join(", ")));
    }
    reasons.push(match &record.extension {
        Some(skill) => {
            format!("run `symposium why {skill}` to see why it applies, or `symposium off {skill}` to remove it")
        }
        None => "run `symposium uninstall` to undo this".to_owned(),
    });
    Some(WhyAnswer { subject: format!("file `{name}`"), verdict: what, reasons })
}

/// A file of a source belongs to the plugin or skill it was read for.
pub(super) fn about_file(evidence: &WhyInput<'_>, name: &str) -> Vec<WhyAnswer> {
    let path = Path::new(name);
    let Ok(asked) = fs::canonical(path) else { return Vec::new() };
    let same = |shown: &str| fs::canonical(Path::new(shown)).is_ok_and(|found| found == asked);
    let mut explanations = Vec::new();
    for (source, loaded) in evidence.resolution.catalog.plugins() {
        let subject = || format!("file `{name}`");
        for skill in loaded.skills.iter().filter(|skill| same(&skill.shown)) {
            explanations.push(WhyAnswer {
                subject: subject(),
                verdict: format!("skill `{}` of source `{}`", skill.document.name.as_str(), source.spec.name),
                reasons: vec![format!("run `symposium why {}` to see when it applies", skill.document.name.as_str())],
            });
        }
        if loaded.skills.iter().all(|skill| skill.shown != loaded.shown) && same(&loaded.shown) {
            explanations.push(WhyAnswer {
                subject: subject(),
                verdict: format!("manifest of plugin `{}` of source `{}`", loaded.plugin.name, source.spec.name),
                reasons: vec![format!("run `symposium why {}` to see when it applies", loaded.plugin.name)],
            });
        }
    }
    explanations
}
