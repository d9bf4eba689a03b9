//! What plugins that need no grant ran last time, so that a change of it is said.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use symposium_io::fs;
use symposium_io::state_file::keep;
use symposium_model::catalog::{Catalog, PluginId};
use symposium_model::config::AppDirectories;
use symposium_model::trust::{GrantContent, TrustStatus};

use super::{PluginTrust, TrustReport};
use crate::ops::context::Context;

/// A record beyond this is not ours.
const MAX_RECORD: u64 = 16 * 1024 * 1024;
/// So many plugins are remembered.
const MOST: usize = 4096;

/// Something to say about a plugin that needs no grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangeNotice {
    pub(crate) plugin: String,
    pub(crate) source: String,
    /// The files that are not as they were, each with what became of it.
    pub(crate) files: Vec<String>,
}

impl ChangeNotice {
    pub(crate) fn sentence(&self) -> String {
        format!(
            "The programs of plugin `{}` of source `{}` changed: {}",
            self.plugin,
            self.source,
            self.files.join(", ")
        )
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct KnownContents {
    /// What each plugin ran when a person was last told.
    plugins: BTreeMap<String, GrantContent>,
    /// What those ran before that whose change they were told of then: the next session names it too.
    #[serde(default)]
    before: BTreeMap<String, GrantContent>,
}

fn read(directories: &AppDirectories) -> KnownContents {
    let text = fs::read_text_if_there(&directories.executables(), MAX_RECORD).ok().flatten();
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn key(standing: &PluginTrust) -> String {
    format!("{}\n{}", standing.subject.source, standing.subject.plugin)
}

/// What is not as it was when [`remember`] was called.
pub(super) fn changed(
    context: &Context,
    catalog: &Catalog,
    standings: &BTreeMap<PluginId, PluginTrust>,
) -> Vec<ChangeNotice> {
    let record = read(&context.directories);
    let mut announcements = Vec::new();
    for (id, standing) in standings {
        let (TrustStatus::Free, Ok(gathered)) = (&standing.permission, &standing.gathered) else { continue };
        let Some((source, loaded)) = catalog.plugin(*id) else { continue };
        let key = key(standing);
        let before = record.before.get(&key).filter(|_| !context.options.audience.is_person());
        let Some(earlier) = before.or_else(|| record.plugins.get(&key)) else { continue };
        let changes = gathered.content.changes_since(earlier);
        if !changes.is_empty() {
            let files = changes.iter().map(|change| format!("`{}` {}", change.path, change.kind.name()));
            announcements.push(ChangeNotice {
                plugin: loaded.plugin.name.clone(),
                source: source.spec.name.clone(),
                files: files.collect(),
            });
        }
    }
    announcements
}

/// Remembers what runs now, once a person was told what changed. Losing it only costs an announcement.
pub(crate) fn remember(context: &Context, trust: &TrustReport) {
    if !context.options.audience.is_person() {
        return;
    }
    let mut record = read(&context.directories);
    for (_, standing) in trust.standings() {
        if let (TrustStatus::Free, Ok(gathered)) = (&standing.permission, &standing.gathered) {
            let key = key(standing);
            record.before.remove(&key);
            let known = record.plugins.insert(key.clone(), gathered.content.clone());
            record.before.extend(known.filter(|known| *known != gathered.content).map(|known| (key, known)));
        }
    }
    for plugins in [&mut record.plugins, &mut record.before] {
        while plugins.len() > MOST {
            plugins.pop_first();
        }
    }
    if !record.plugins.is_empty()
        && let Ok(text) = serde_json::to_string(&record)
    {
        let _ = keep(&context.directories.executables(), &text);
    }
}
