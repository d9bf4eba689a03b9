//! Parser of the dependency sections of a Cargo.toml; an invalid entry is skipped and the others are kept.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::types::{DependencyDeclaration, DependencyDetail, DependencySource, ManifestDependency};
use crate::crates::name::CrateName;
use crate::crates::requirement::VersionRequirement;
use crate::crates::set::DependencyKind;
use crate::diagnostic::Diagnostic;

type TomlValue<'a> = Spanned<DeValue<'a>>;

/// The maximum number of diagnostics for one file: finding the line of each takes time, and a thousand are not read.
const MOST: usize = 50;

pub(super) struct ManifestDiagnostics<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) list: Vec<Diagnostic>,
}

impl ManifestDiagnostics<'_> {
    pub(super) fn error(&mut self, value: &TomlValue<'_>, message: impl Into<String>, help: &str) {
        if self.list.len() < MOST {
            self.list.push(Diagnostic::error(self.path, message).at(self.text, value.span()).help(help));
        } else if self.list.len() == MOST {
            let message = "This file has too many errors to show all of them";
            self.list.push(Diagnostic::error(self.path, message).help("fix the errors shown first"));
        }
    }
}

/// Parses the dependencies of all sections, and counts the entries that were not understood.
pub(super) fn all(document: &DeTable<'_>, findings: &mut ManifestDiagnostics<'_>) -> (Vec<ManifestDependency>, usize) {
    let mut reader = DependencyReader { found: Vec::new(), skipped: 0, findings };
    reader.sections(document, None);
    if let Some(value) = document.get("target") {
        match value.get_ref().as_table() {
            None => reader.odd(value, "`target` has to be a table", "write `[target.'cfg(unix)'.dependencies]`"),
            Some(targets) => {
                for (target, value) in targets {
                    match value.get_ref().as_table() {
                        Some(sections) => reader.sections(sections, Some(target.get_ref())),
                        None => reader.odd(
                            value,
                            format!("The target `{}` has to be a table", target.get_ref()),
                            "write `[target.'cfg(unix)'.dependencies]`",
                        ),
                    }
                }
            }
        }
    }
    (reader.found, reader.skipped)
}

struct DependencyReader<'a, 'f> {
    found: Vec<ManifestDependency>,
    skipped: usize,
    findings: &'a mut ManifestDiagnostics<'f>,
}

impl DependencyReader<'_, '_> {
    fn odd(&mut self, value: &TomlValue<'_>, message: impl Into<String>, help: &str) {
        self.skipped += 1;
        self.findings.error(value, message, help);
    }

    fn sections(&mut self, table: &DeTable<'_>, target: Option<&str>) {
        let sections = [
            (DependencyKind::Normal, "dependencies", None),
            (DependencyKind::Dev, "dev-dependencies", Some("dev_dependencies")),
            (DependencyKind::Build, "build-dependencies", Some("build_dependencies")),
        ];
        for (kind, key, old_key) in sections {
            let Some(value) = table.get(key).or_else(|| table.get(old_key?)) else { continue };
            let Some(entries) = value.get_ref().as_table() else {
                self.odd(value, format!("`{key}` has to be a table"), "write one `name = \"version\"` on each line");
                continue;
            };
            for (key, value) in entries {
                match self.read_dependency(key.get_ref(), value, kind, target) {
                    Some(dependency) => self.found.push(dependency),
                    None => self.skipped += 1,
                }
            }
        }
    }

    fn read_dependency(
        &mut self,
        key: &str,
        value: &TomlValue<'_>,
        kind: DependencyKind,
        target: Option<&str>,
    ) -> Option<ManifestDependency> {
        let inherits = |table: &DeTable<'_>| table.get("workspace").and_then(|value| value.get_ref().as_bool());
        let table = value.get_ref().as_table();
        let declaration = match table.and_then(inherits) {
            Some(true) => DependencyDeclaration::Inherited,
            Some(false) | None => DependencyDeclaration::Own(detail(key, value, self.findings)?),
        };
        let optional = table.and_then(|table| table.get("optional")).and_then(|value| value.get_ref().as_bool());
        Some(ManifestDependency {
            key: key.to_owned(),
            kind,
            target: target.map(str::to_owned),
            optional: optional.unwrap_or(false),
            declaration,
            features: table.map(|table| string_list(table, "features")).unwrap_or_default(),
            default_features: table.and_then(default_features),
        })
    }
}

const SHAPE: &str = "write `name = \"version\"` or `name = { version = \"…\" }`";

/// Parses one entry; `None` after a diagnostic when it is invalid.
pub(super) fn detail(
    key: &str,
    value: &TomlValue<'_>,
    findings: &mut ManifestDiagnostics<'_>,
) -> Option<DependencyDetail> {
    let table = match value.get_ref() {
        DeValue::String(text) => {
            let requirement = requirement(key, value, text, findings);
            let detail = DependencyDetail {
                package: None,
                requirement,
                place: DependencySource::Registry,
                features: Vec::new(),
                default_features: None,
            };
            return named(key, value, detail, findings);
        }
        DeValue::Table(table) => table,
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) => {
            findings.error(value, format!("The dependency `{key}` has to be a string or a table"), SHAPE);
            return None;
        }
    };
    let mut text = |name: &str| -> Option<&str> {
        let value = table.get(name)?;
        let text = value.get_ref().as_str();
        if text.is_none() {
            findings.error(value, format!("`{name}` of the dependency `{key}` has to be a string"), SHAPE);
        }
        text
    };
    let place = match (text("path"), text("git")) {
        (Some(path), _) => DependencySource::Path(path.to_owned()),
        (None, Some(url)) => DependencySource::Git(git_source(url, text("branch"), text("tag"), text("rev"))),
        (None, None) => DependencySource::Registry,
    };
    let package = text("package").map(str::to_owned);
    let version = text("version");
    let requirement = match (table.get("version"), version) {
        (Some(at), Some(version)) => requirement(key, at, version, findings),
        _ => VersionRequirement::any(),
    };
    let (features, default_features) = (string_list(table, "features"), default_features(table));
    named(key, value, DependencyDetail { package, requirement, place, features, default_features }, findings)
}

/// Returns the strings of a list, and none of anything else.
pub(super) fn string_list(table: &DeTable<'_>, key: &str) -> Vec<String> {
    let list = table.get(key).and_then(|value| value.get_ref().as_array());
    list.into_iter().flatten().filter_map(|item| item.get_ref().as_str()).map(str::to_owned).collect()
}

fn default_features(table: &DeTable<'_>) -> Option<bool> {
    let value = table.get("default-features").or_else(|| table.get("default_features"))?;
    value.get_ref().as_bool()
}

fn named(
    key: &str,
    value: &TomlValue<'_>,
    detail: DependencyDetail,
    findings: &mut ManifestDiagnostics<'_>,
) -> Option<DependencyDetail> {
    let name = detail.package.as_deref().unwrap_or(key);
    if CrateName::parse(name).is_none() {
        findings.error(value, format!("`{name}` is not a valid crate name"), "use letters, digits, `-` and `_`");
        return None;
    }
    Some(detail)
}

/// Parses a requirement. An invalid one allows every version, after a diagnostic: the dependency itself is not in
/// doubt.
fn requirement(
    key: &str,
    at: &TomlValue<'_>,
    text: &str,
    findings: &mut ManifestDiagnostics<'_>,
) -> VersionRequirement {
    VersionRequirement::parse(text).unwrap_or_else(|error| {
        let message = format!("`{text}` is not a version requirement for `{key}`: {error}");
        findings.error(at, message, "write something like `1.2`, `=1.2.3` or `>=1, <2`");
        VersionRequirement::any()
    })
}

fn git_source(url: &str, branch: Option<&str>, tag: Option<&str>, revision: Option<&str>) -> String {
    let at = [("branch", branch), ("tag", tag), ("rev", revision)];
    let query = at.into_iter().find_map(|(key, value)| value.map(|value| format!("?{key}={value}")));
    format!("git+{url}{}", query.unwrap_or_default())
}
