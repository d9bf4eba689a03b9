//! Parser of `[[installations]]` and of the inline form in a hook.

use super::plugin::{Installation, InstallationSource, ProgramFile};
use crate::toml_table::{ParseReport, StringOrTable, TomlTable};

/// Parses one installation; `None` when it is invalid. An inline one is named after its hook.
pub(super) fn read(
    mut table: TomlTable<'_>,
    inline_name: Option<&str>,
    report: &mut ParseReport<'_>,
) -> Option<Installation> {
    let errors = report.errors();
    let span = table.span();
    let written = table.string("name", report).map(|name| name.value);
    let source = read_source(&mut table, &span, report);
    let program = read_program(&mut table, report);
    let args = read_strings(&mut table, "args", report);
    let install_commands = read_strings(&mut table, "install_commands", report);
    let requirements = read_requirements(&mut table, report);
    table.finish(report);
    let Some(name) = written.or(inline_name.map(str::to_owned)) else {
        report.error(span, "This installation has no name", "add `name = \"…\"`, so that hooks can refer to it");
        return None;
    };
    (report.errors() == errors).then_some(Installation { name, source, program, args, install_commands, requirements })
}

fn read_source(
    table: &mut TomlTable<'_>,
    span: &std::ops::Range<usize>,
    report: &mut ParseReport<'_>,
) -> InstallationSource {
    let kind = table.string("source", report);
    let package = table.string("crate", report);
    let version = table.string("version", report).map(|version| version.value);
    let git = table.string("git", report).map(|url| url.value);
    let global = table.boolean("global", report).is_some_and(|global| global.value);
    let url = table.string("url", report);
    match kind.as_ref().map(|kind| kind.value.as_str()) {
        None | Some("none" | "local") => InstallationSource::None,
        Some("cargo") => match package {
            Some(package) => InstallationSource::Cargo { package: package.value, version, git, global },
            None => {
                report.error(span.clone(), "An installation from cargo needs `crate`", "add `crate = \"…\"`");
                InstallationSource::None
            }
        },
        Some("github") => match url {
            Some(url) => InstallationSource::GitHub { url: url.value },
            None => {
                report.error(span.clone(), "An installation from GitHub needs `url`", "add `url = \"…\"`");
                InstallationSource::None
            }
        },
        Some(other) => {
            let place = kind.as_ref().map_or(span.clone(), |kind| kind.span.clone());
            let message = format!("Installation source `{other}` is not supported");
            report.error(place, message, "use `cargo` or `github`, or remove `source`");
            InstallationSource::None
        }
    }
}

/// Parses `executable` or `script`, of which only one may be present.
pub(super) fn read_program(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> Option<ProgramFile> {
    let executable = table.string("executable", report);
    let script = table.string("script", report);
    match (executable, script) {
        (Some(_), Some(script)) => {
            report.error(script.span, "Both `executable` and `script` are set", "keep one of the two");
            None
        }
        (Some(executable), None) => Some(ProgramFile::Executable(executable.value)),
        (None, Some(script)) => Some(ProgramFile::Script(script.value)),
        (None, None) => None,
    }
}

/// Parses the names of other installations; inline ones must be moved to an entry of their own.
pub(super) fn read_requirements(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for requirement in table.strings_or_tables("requirements", report) {
        match requirement {
            StringOrTable::String(name) => names.push(name.value),
            StringOrTable::Table(inline) => {
                let span = inline.span();
                let message = "A requirement written inline is skipped";
                report.warning(span, message, "move it to an `[[installations]]` entry and name it here");
            }
        }
    }
    names
}

pub(super) fn read_strings(table: &mut TomlTable<'_>, key: &'static str, report: &mut ParseReport<'_>) -> Vec<String> {
    let values = table.strings(key, report).map(|values| values.value).unwrap_or_default();
    values.into_iter().map(|value| value.value).collect()
}
