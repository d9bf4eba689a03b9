//! Parser of manifests: a plugin, or diagnostics.

use semver::Version;
use toml::de::DeTable;

use super::plugin::{DefaultSkills, Installation, Plugin, SkillGroup};
use super::skills::{self, ClaimedDirectories};
use super::{conditions, hooks, installations, named_agent, servers};
use crate::diagnostic::Diagnostic;
use crate::toml_table::{self, KeyQuery, ParseReport, TomlTable};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedManifest {
    /// `None` when the manifest is invalid as a whole.
    pub plugin: Option<Plugin>,
    pub claims: ClaimedDirectories,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a manifest. `fallback` is its name if it has none: that of its directory or file.
pub fn parse(path: &str, text: &str, fallback: &str) -> ParsedManifest {
    parse_named(path, text, FallbackName::Odd(fallback))
}

fn parse_named(path: &str, text: &str, nameless: FallbackName<'_>) -> ParsedManifest {
    // A BOM is legal in front of TOML on some systems and an error for the parser.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut report = ParseReport::new(path, text);
    let table = toml_table::parse(&mut report);
    read_table(table, nameless, report)
}

fn read_table(table: Option<TomlTable<'_>>, nameless: FallbackName<'_>, mut report: ParseReport<'_>) -> ParsedManifest {
    let mut claims = ClaimedDirectories::Unknown;
    let plugin = table.and_then(|table| read(table, nameless, &mut claims, &mut report));
    ParsedManifest { plugin, claims, diagnostics: report.into_diagnostics() }
}

/// Returns the keys that the parser queries, which the schema generator needs.
pub fn query_keys(text: &str) -> Vec<KeyQuery> {
    let mut report = ParseReport::asking("", text);
    if let Some(table) = toml_table::parse(&mut report) {
        read(table, FallbackName::Odd(""), &mut ClaimedDirectories::Unknown, &mut report);
    }
    report.into_asked()
}

/// Returns the version that a manifest states about itself; `None` if there is none, or it is not one.
pub fn stated_version(text: &str) -> Option<Version> {
    let table = DeTable::parse(text).ok()?;
    let version = table.get_ref().get("version")?.get_ref().as_str()?.to_owned();
    Version::parse(&version).ok()
}

/// Parses the manifest in a crate's source; its name is the crate's unless it has another.
pub fn parse_for_crate(path: &str, text: &str, krate: &str) -> ParsedManifest {
    parse_named(path, text, FallbackName::Usual(krate))
}

/// Parses the manifest in the table `package.metadata.symposium` of a crate's Cargo.toml; `None` without one.
pub fn parse_metadata(path: &str, text: &str, krate: &str) -> Option<ParsedManifest> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Other errors in a Cargo.toml are left for cargo to report.
    let mut aside = ParseReport::new(path, text);
    let mut package = toml_table::parse(&mut aside)?.table("package", &mut aside)?;
    let mut metadata = package.table("metadata", &mut aside)?;
    let mut report = ParseReport::new(path, text);
    let errors = report.errors();
    let table = metadata.table("symposium", &mut report);
    if table.is_none() && report.errors() == errors {
        return None;
    }
    Some(read_table(table, FallbackName::Usual(krate), report))
}

#[derive(Clone, Copy)]
enum FallbackName<'n> {
    /// The name of its directory or file, which is reported.
    Odd(&'n str),
    Usual(&'n str),
}

fn read(
    mut table: TomlTable<'_>,
    nameless: FallbackName<'_>,
    claims: &mut ClaimedDirectories,
    report: &mut ParseReport<'_>,
) -> Option<Plugin> {
    let errors = report.errors();
    let name = read_name(&mut table, nameless, report);
    for (key, what) in UNSUPPORTED {
        // A value of another type is a misspelling, not a definition.
        if key == "predicate" && !table.holds_tables(key) {
            continue;
        }
        if let Some(span) = table.ignored(key) {
            report.warning(span, format!("`{key}` is not supported: {what}"), "nothing else in this file is affected");
        }
    }
    let conditions = conditions::read(&mut table, report);
    let broken = report.errors() > errors;

    let imported_from = named_agent::read_as("imported-from", &mut table, report);
    let context = table.string("session-start-context", report).map(|text| text.value);
    let (skills, faulty_groups) = read_groups(&mut table, claims, report);
    let mut installations = read_installations(&mut table, report);
    let hooks: Vec<_> = table
        .tables("hooks", report)
        .into_iter()
        .filter_map(|hook| hooks::read(hook, &mut installations, report))
        .collect();
    let mcp_servers: Vec<_> =
        table.tables("mcp_servers", report).into_iter().filter_map(|server| servers::read(server, report)).collect();
    let plugins: Vec<_> = table
        .tables("plugins", report)
        .into_iter()
        .filter_map(|reference| skills::read_reference(reference, report))
        .collect();
    // The invalid group may be the one that names the crates of the skills.
    let mut default_skills = if faulty_groups { DefaultSkills::Refused } else { DefaultSkills::Used };
    if let Some(mut defaults) = table.table("defaults", report) {
        if defaults.boolean("skills", report).is_some_and(|wanted| !wanted.value) {
            default_skills = DefaultSkills::Refused;
        }
        defaults.finish(report);
    }
    // Free text about the plugin, which Symposium does not use.
    for key in ["description", "version", "authors", "homepage", "repository", "license"] {
        table.remark(key, report);
    }
    table.finish(report);

    for (index, hook) in hooks.iter().enumerate() {
        if hooks.iter().take(index).any(|earlier| earlier.name == hook.name && earlier.format == hook.format) {
            let message = format!("Two hooks are named `{}`", hook.name);
            report.warning(hook.place.clone(), message, "give each a unique name, so that one can be switched off");
        }
    }
    let plugin = Plugin {
        name: name?,
        conditions,
        session_start_context: context,
        skills,
        hooks,
        mcp_servers,
        installations,
        plugins,
        default_skills,
        imported_from,
    };
    // Without its conditions a plugin would apply everywhere, so it applies nowhere.
    (!broken).then_some(plugin)
}

const UNSUPPORTED: [(&str, &str); 4] = [
    ("subcommand", "plugins do not add commands"),
    ("predicate", "conditions never run programs"),
    ("discovery", "only the user chooses the dependencies whose plugins are used"),
    ("recommendation", "plugins list their content directly"),
];

fn read_name(table: &mut TomlTable<'_>, nameless: FallbackName<'_>, report: &mut ParseReport<'_>) -> Option<String> {
    let errors = report.errors();
    let span = table.span();
    let Some(name) = table.string("name", report) else {
        if report.errors() > errors {
            return None;
        }
        let fallback = match nameless {
            FallbackName::Usual(krate) => return name_from(krate),
            FallbackName::Odd(fallback) => fallback,
        };
        let name = name_from(fallback);
        let place = span.start..span.start;
        match &name {
            Some(name) => {
                let message = format!("This manifest has no name; its directory or file name `{name}` is used");
                report.warning(place, message, format!("add `name = \"{name}\"`"));
            }
            None => {
                let message = "This manifest has no name, and its path has no usable name";
                report.error(place, message, format!("add `name = \"…\"`: {NAME_HELP}"));
            }
        }
        return name;
    };
    if is_name(&name.value) {
        return Some(name.value);
    }
    report.error(name.span, format!("`{}` is not a valid plugin name", name.value.escape_debug()), NAME_HELP);
    None
}

const NAME_HELP: &str = "use letters, digits, `-`, `_` and `.`, at most 64, starting with a letter or digit";

const LONGEST_NAME: usize = 64;

/// Tells whether the name is safe in file names, toggles and messages.
fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// Makes a name of that of a directory or file, which may contain anything: characters that are not allowed become `-`.
fn name_from(place: &str) -> Option<String> {
    if is_name(place) {
        return Some(place.to_owned());
    }
    let is_edge = |c: char| !c.is_ascii_alphanumeric();
    let mut name = String::new();
    for character in place.trim_start_matches(is_edge).chars().take(LONGEST_NAME) {
        let kept = character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
        if kept {
            name.push(character);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(name.trim_end_matches(is_edge).len());
    is_name(&name).then_some(name)
}

/// Parses every skill group, and tells whether one of them is invalid.
fn read_groups(
    table: &mut TomlTable<'_>,
    claims: &mut ClaimedDirectories,
    report: &mut ParseReport<'_>,
) -> (Vec<SkillGroup>, bool) {
    let errors = report.errors();
    *claims = ClaimedDirectories::Known(Vec::new());
    let tables = table.tables("skills", report);
    if report.errors() > errors {
        *claims = ClaimedDirectories::Unknown;
    }
    let groups = tables.into_iter().filter_map(|group| skills::read_group(group, claims, report)).collect();
    (groups, report.errors() > errors)
}

fn read_installations(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> Vec<Installation> {
    table
        .tables("installations", report)
        .into_iter()
        .filter_map(|installation| installations::read(installation, None, report))
        .collect()
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
