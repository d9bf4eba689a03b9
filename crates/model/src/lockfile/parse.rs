//! Parser of lockfiles. It is strict, because half a lockfile would be another one.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::{END, ExtensionKind, LockedExtension, LockedSource, Lockfile, SourcePin, VERSION};
use crate::diagnostic::{Diagnostic, Severity};
use crate::merge_conflict::conflict_marker;
use crate::plugin_index::{PublishedPlugin, parse_line};
use crate::sync::ContentFingerprint;
use crate::toml_table::{self, ParseReport, SpannedValue, TomlTable};

/// The help for a lockfile that cannot be repaired by hand.
const ANEW: &str = "restore the file from version control, or remove it and run `symposium sync --lock`";

/// The help for two entries of one name, as a merge may leave them.
const TWICE: &str = "remove one of the two, then run `symposium sync`";

/// Parses a lockfile; `path` is the file as shown to the user. Any irregularity makes it unusable.
pub fn parse(path: &str, text: &str) -> Result<Lockfile, Vec<Diagnostic>> {
    if let Some(marker) = conflict_marker(text) {
        let found = Diagnostic::error(path, "Unresolved merge conflict").at(text, marker);
        let help = "keep one side and run `symposium sync`, or remove the file and run `symposium sync --lock`";
        return Err(vec![found.help(help)]);
    }
    let mut report = ParseReport::new(path, text);
    let table = toml_table::parse(&mut report);
    let is_toml = table.is_some();
    let lock = table.and_then(|table| read(table, text, &mut report));
    let mut found = report.into_diagnostics();
    if !is_toml {
        // The file is not written by hand, so advice on TOML syntax would not help.
        found.truncate(1);
        for found in &mut found {
            found.help = Some(ANEW.to_owned());
        }
    }
    for diagnostic in &mut found {
        diagnostic.severity = Severity::Error;
    }
    match lock {
        Some(lock) if found.is_empty() => Ok(lock),
        Some(_) | None => Err(found),
    }
}

fn read(mut table: TomlTable<'_>, text: &str, report: &mut ParseReport<'_>) -> Option<Lockfile> {
    let start = table.span().start..table.span().start;
    match table.number("version", report) {
        Some(version) if version.value == VERSION => {}
        Some(version) => {
            let message =
                format!("The lockfile has version {}; this program supports version {VERSION}", version.value);
            report.error(version.span, message, "update Symposium with `symposium self-update`, or remove the file");
            return None;
        }
        None if report.errors() > 0 => return None,
        None => {
            report.error(start, "Not a lockfile: it has no `version`", ANEW);
            return None;
        }
    }
    if text.trim_end().lines().next_back() != Some(END) {
        let last = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        report.error(last..text.trim_end().len(), format!("The file is truncated: its last line is not `{END}`"), ANEW);
        return None;
    }
    // Maps, because the author of the file chose the number of entries.
    let mut sources: BTreeMap<String, LockedSource> = BTreeMap::new();
    for table in table.tables("source", report) {
        let span = table.span();
        let Some(read) = source(table, report) else { continue };
        match sources.entry(read.name.clone()) {
            Entry::Occupied(known) if *known.get() != read => {
                report.error(span, format!("Two entries pin the source `{}` to different content", read.name), TWICE);
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => _ = free.insert(read),
        }
    }
    let mut extensions: BTreeMap<(ExtensionKind, String), LockedExtension> = BTreeMap::new();
    for table in table.tables("extension", report) {
        let span = table.span();
        let Some(read) = extension(table, &sources, report) else { continue };
        match extensions.entry((read.kind, read.name.clone())) {
            Entry::Occupied(known) if *known.get() != read => {
                report.error(span, format!("Two entries are about the {} `{}`", read.kind.name(), read.name), TWICE);
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(free) => _ = free.insert(read),
        }
    }
    table.finish(report);
    (report.errors() == 0).then(|| Lockfile::new(sources.into_values().collect(), extensions.into_values().collect()))
}

struct LockEntryReader<'b, 't, 'r> {
    table: TomlTable<'t>,
    report: &'b mut ParseReport<'r>,
}

impl LockEntryReader<'_, '_, '_> {
    fn text(&mut self, key: &'static str) -> Option<SpannedValue<String>> {
        let before = self.report.errors();
        let found = self.table.string(key, self.report);
        if found.is_none() && self.report.errors() == before {
            self.report.error(self.table.span(), format!("An entry has no `{key}`"), ANEW);
        }
        found
    }

    fn hash(&mut self, key: &'static str) -> Option<ContentFingerprint> {
        let found = self.text(key)?;
        let parsed = ContentFingerprint::parse(&found.value);
        if parsed.is_none() {
            self.report.error(found.span, format!("`{key}` must be the 64 digits of a SHA-256"), ANEW);
        }
        parsed
    }

    fn wrong(&mut self, found: SpannedValue<String>, message: &str) {
        self.report.error(found.span, format!("`{}` {message}", found.value), ANEW);
    }
}

fn source(table: TomlTable<'_>, report: &mut ParseReport<'_>) -> Option<LockedSource> {
    let mut block = LockEntryReader { table, report };
    let name = block.text("name")?;
    let kind = block.text("kind")?;
    let pin = match kind.value.as_str() {
        "builtin" => SourcePin::Builtin { version: block.text("version")?.value },
        "git" => {
            let url = block.text("url")?.value;
            let commit = block.text("commit")?;
            if !is_object_id(&commit.value) {
                block.wrong(commit, "is not a commit");
                return None;
            }
            SourcePin::Git { url, commit: commit.value, tree: block.hash("tree")? }
        }
        "path" => SourcePin::Path { tree: block.hash("tree")? },
        "index" => index_pin(&mut block)?,
        _ => {
            block.wrong(kind, "is not a kind of source; the kinds are `builtin`, `git`, `index` and `path`");
            return None;
        }
    };
    let LockEntryReader { table, report } = block;
    table.finish(report);
    Some(LockedSource { name: name.value, pin })
}

/// Each plugin is a line of the index, with all that is needed to fetch the same archive again.
fn index_pin(block: &mut LockEntryReader<'_, '_, '_>) -> Option<SourcePin> {
    let url = block.text("url")?.value;
    let tree = block.hash("tree")?;
    let lines = block.table.strings("plugins", block.report).map(|lines| lines.value).unwrap_or_default();
    let mut plugins: BTreeMap<String, PublishedPlugin> = BTreeMap::new();
    for line in lines {
        match parse_line(&line.value) {
            Ok(plugin) => _ = plugins.insert(plugin.name.clone(), plugin),
            Err(reason) => {
                block.report.error(line.span, format!("A plugin of an index cannot be read: {reason}"), ANEW);
                return None;
            }
        }
    }
    Some(SourcePin::Index { url, tree, plugins: plugins.into_values().collect() })
}

fn extension(
    table: TomlTable<'_>,
    sources: &BTreeMap<String, LockedSource>,
    report: &mut ParseReport<'_>,
) -> Option<LockedExtension> {
    let mut block = LockEntryReader { table, report };
    let name = block.text("name")?.value;
    let kind = block.text("kind")?;
    let kind = match kind.value.as_str() {
        "skill" => ExtensionKind::Skill,
        "workflow" => ExtensionKind::Workflow,
        _ => {
            block.wrong(kind, "is not a kind of extension; the kinds are `skill` and `workflow`");
            return None;
        }
    };
    let source = block.text("source")?;
    if !sources.contains_key(&source.value) && block.report.errors() == 0 {
        block.wrong(source, "is not a source of this lockfile");
        return None;
    }
    let path = block.text("path")?.value;
    let crates = block.table.strings("crates", block.report).map(|crates| crates.value).unwrap_or_default();
    let mut matched = BTreeSet::new();
    for found in crates {
        let is_pair = found
            .value
            .split_once(' ')
            .is_some_and(|(name, version)| !name.is_empty() && !version.is_empty() && !version.contains(' '));
        if !is_pair {
            block.wrong(found, "is not a crate name and a version");
            return None;
        }
        matched.insert(found.value);
    }
    let sha256 = block.hash("sha256")?;
    let LockEntryReader { table, report } = block;
    table.finish(report);
    let crates = matched.into_iter().collect();
    Some(LockedExtension { name, kind, source: source.value, path, crates, sha256 })
}

/// Accepts SHA-1 and SHA-256 in hexadecimal.
/// Returns true for SHA-1 or SHA-256 in lower-case hexadecimal.
pub fn is_object_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.chars().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase())
}
