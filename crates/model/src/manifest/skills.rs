//! Parser of `[[skills]]` and `[[plugins]]`.

use std::ops::Range;

use super::conditions;
use super::plugin::{GroupSource, PluginReference, ReferenceSource, SkillGroup};
use crate::toml_table::{ParseReport, StringOrTable, TomlTable};

/// The directories that the skill groups of a manifest name, even of invalid groups: a skill there belongs to the
/// manifest and never stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimedDirectories {
    Known(Vec<String>),
    /// A group is too broken to tell its directory.
    Unknown,
}

impl ClaimedDirectories {
    fn add(&mut self, path: String) {
        match self {
            Self::Known(paths) => paths.push(path),
            Self::Unknown => {}
        }
    }
}

/// Parses one skill group; `None` when it is invalid. Its directory is added to `claims` in either case.
pub(super) fn read_group(
    mut table: TomlTable<'_>,
    claims: &mut ClaimedDirectories,
    report: &mut ParseReport<'_>,
) -> Option<SkillGroup> {
    let errors = report.errors();
    let span = table.span();
    let conditions = conditions::read(&mut table, report);
    let mut source_place = span.clone();
    let source = table.string_or_table("source", report).and_then(|source| match source {
        StringOrTable::String(name) if name.value == "crate" => Some(GroupSource::Crate),
        StringOrTable::String(name) => {
            let message = format!("Unknown source `source = \"{}\"`", name.value);
            report.error(name.span, message, "write `source.path`, `source.git` or `source = \"crate\"`");
            None
        }
        StringOrTable::Table(source) => read_group_source(source, &mut source_place, report),
    });
    table.finish(report);
    match &source {
        Some(GroupSource::Path(path)) => claims.add(path.clone()),
        Some(GroupSource::Git(_) | GroupSource::Crate | GroupSource::CratePath(_)) => {}
        None => *claims = ClaimedDirectories::Unknown,
    }
    if source.is_none() && report.errors() == errors {
        report.error(span, "This skill group has no source", "add `source.path = \"skills\"` or `source.git = \"…\"`");
    }
    if report.errors() > errors {
        return None;
    }
    Some(SkillGroup { conditions, source: source?, place: source_place })
}

fn read_group_source(
    mut source: TomlTable<'_>,
    place: &mut Range<usize>,
    report: &mut ParseReport<'_>,
) -> Option<GroupSource> {
    let span = source.span();
    let path = source.string("path", report).map(|path| {
        *place = path.span;
        GroupSource::Path(path.value)
    });
    let git = source.string("git", report).map(|url| {
        *place = url.span;
        GroupSource::Git(url.value)
    });
    let inside = source.string("crate_path", report).map(|path| {
        *place = path.span;
        GroupSource::CratePath(path.value)
    });
    conditions::refuse_in_source(&mut source, report);
    source.finish(report);
    let mut found: Vec<GroupSource> = [path, git, inside].into_iter().flatten().collect();
    if found.len() > 1 {
        report.error(span, "This skill group has several sources", "keep one; write one group for each source");
        return None;
    }
    found.pop()
}

pub(super) fn read_reference(mut table: TomlTable<'_>, report: &mut ParseReport<'_>) -> Option<PluginReference> {
    let errors = report.errors();
    let span = table.span();
    let conditions = conditions::read(&mut table, report);
    let mut source = None;
    if let Some(mut inner) = table.table("source", report) {
        let version = inner.string("version", report).map(|version| version.value);
        for key in ["cargo", "crate"] {
            source = source.or(match inner.string_or_table(key, report) {
                None => None,
                Some(StringOrTable::String(name)) => {
                    Some(ReferenceSource::Crate { name: name.value, version: version.clone() })
                }
                Some(StringOrTable::Table(mut details)) => {
                    let name = details.string("name", report);
                    let version = details.string("version", report).map(|version| version.value);
                    details.finish(report);
                    name.map(|name| ReferenceSource::Crate { name: name.value, version })
                }
            });
        }
        source = source.or(inner.string("git", report).map(|url| ReferenceSource::Git(url.value)));
        source = source.or(inner.string("path", report).map(|path| ReferenceSource::Path(path.value)));
        inner.finish(report);
    }
    table.finish(report);
    if source.is_none() && report.errors() == errors {
        report.error(span.clone(), "This plugin reference has no source", "add `source.cargo = \"some-crate\"`");
    }
    if report.errors() > errors {
        return None;
    }
    Some(PluginReference { source: source?, conditions, place: span })
}
