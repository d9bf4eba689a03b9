//! Parser of configuration files, the user's and the project's.

use std::ops::RangeInclusive;
use std::path::Path;

use super::settings::{
    AutoEnable, ConfigFile, LogLevel, Scope, SourceEntry, SourceLocation, Toggle, TrustProjects, UserToggles,
    WrittenValue,
};
use crate::agent::AgentId;
use crate::diagnostic::{Diagnostic, Severity};
use crate::hook::hook_plan::EditGuidance;
use crate::suggest::advice;
use crate::toml_table::{self, KeyQuery, ParseReport, SpannedValue, TomlTable};

const WAITS: RangeInclusive<u64> = 1..=3_600;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedConfig {
    pub file: ConfigFile,
    pub diagnostics: Vec<Diagnostic>,
}

impl ParsedConfig {
    /// Tells whether the file has errors, so that it must not be rewritten.
    pub fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(|found| found.severity == Severity::Error)
    }
}

/// A merge that keeps the lines of both sides may put a toggle below another table.
const STRAY_TOGGLE: &str = "if this is a toggle that a merge moved, move it below `[skills]` or `[workflows]`";

/// Parses a configuration file. An invalid value is reported and absent from the result.
pub fn parse(path: &str, text: &str, scope: Scope) -> ParsedConfig {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let report = ParseReport::new(path, text);
    let mut report = match scope {
        Scope::User => report,
        Scope::Project => report.with_toggles().with_stray_toggle_help(STRAY_TOGGLE),
    };
    let file = match toml_table::parse(&mut report) {
        Some(table) => ConfigReader { scope, report: &mut report }.read(table),
        None => ConfigFile::default(),
    };
    ParsedConfig { file, diagnostics: report.into_diagnostics() }
}

/// A parsed file with the user's own toggles for a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedToggles {
    /// Empty when the file has errors.
    pub choices: UserToggles,
    pub diagnostics: Vec<Diagnostic>,
}

impl ParsedToggles {
    pub fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(|found| found.severity == Severity::Error)
    }
}

pub fn parse_choices(path: &str, text: &str) -> ParsedToggles {
    let mut report = ParseReport::new(path, text).with_toggles();
    let mut file = ConfigFile::default();
    if let Some(mut table) = toml_table::parse(&mut report) {
        ConfigReader { scope: Scope::Project, report: &mut report }.toggles(&mut table, &mut file);
        // The workspace's path is there for people; the file's name decides.
        table.string("workspace", &mut report);
        table.finish(&mut report);
    }
    let parsed = ParsedToggles {
        choices: UserToggles { skills: file.skills, workflows: file.workflows },
        diagnostics: report.into_diagnostics(),
    };
    if parsed.is_broken() { ParsedToggles { choices: UserToggles::default(), ..parsed } } else { parsed }
}

/// Returns the keys that the parser queries, which the schema generator needs.
pub fn query_keys(text: &str, scope: Scope) -> Vec<KeyQuery> {
    let mut report = ParseReport::asking("", text);
    if let Some(table) = toml_table::parse(&mut report) {
        ConfigReader { scope, report: &mut report }.read(table);
    }
    report.into_asked()
}

fn has_unknown(names: &[SpannedValue<String>]) -> bool {
    names.iter().any(|name| AgentId::parse(&name.value).is_none())
}

struct ConfigReader<'r, 't> {
    scope: Scope,
    report: &'r mut ParseReport<'t>,
}

impl ConfigReader<'_, '_> {
    fn read(mut self, mut table: TomlTable<'_>) -> ConfigFile {
        let mut file = ConfigFile::default();
        self.agent(&mut table, &mut file);
        self.general(&mut table, &mut file);
        self.sources(&mut table, &mut file);
        self.read_sections(&mut table, &mut file);
        self.read_scope_keys(&mut table, &mut file);
        table.finish(self.report);
        file
    }

    /// Reads a table, if there is one, and reports the keys in it that `read` did not take.
    fn section(
        &mut self,
        table: &mut TomlTable<'_>,
        key: &'static str,
        read: impl FnOnce(&mut Self, &mut TomlTable<'_>),
    ) {
        if let Some(mut section) = table.table(key, self.report) {
            read(self, &mut section);
            section.finish(self.report);
        }
    }

    fn agent(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        if !table.is_table("agent") {
            // `[[agent]] name = "…"`, one entry for each agent.
            let mut names = Vec::new();
            for mut entry in table.tables("agent", self.report) {
                names.extend(entry.strings("name", self.report).map(|names| names.value).unwrap_or_default());
                entry.finish(self.report);
            }
            let first = names.first().map(|name| name.span.clone());
            file.has_unknown_agents = has_unknown(&names);
            file.agents = first.map(|span| WrittenValue { line: self.report.line(&span), value: self.agents(names) });
            return;
        }
        let Some(mut agent) = table.table("agent", self.report) else { return };
        if let Some(names) = agent.strings("name", self.report) {
            file.has_unknown_agents = has_unknown(&names.value);
            file.agents = Some(WrittenValue { line: self.report.line(&names.span), value: self.agents(names.value) });
        }
        file.sync_default = self.boolean(&mut agent, "sync-default");
        file.auto_sync = self.boolean(&mut agent, "auto-sync");
        if self.scope == Scope::Project {
            file.self_contained = self.boolean(&mut agent, "self-contained");
        }
        agent.finish(self.report);
    }

    /// Parses names of agents. An unknown one is a warning, and the others are used.
    fn agents(&mut self, names: Vec<SpannedValue<String>>) -> Vec<AgentId> {
        let mut agents = Vec::new();
        for name in names {
            match AgentId::parse(&name.value) {
                Some(agent) if agents.contains(&agent) => {}
                Some(agent) => agents.push(agent),
                None => {
                    let known = AgentId::names();
                    let help = advice(&name.value, &known, || format!("known: {}", known.join(", ")));
                    self.report.warning(name.span, format!("Unknown agent `{}`", name.value), help);
                }
            }
        }
        agents
    }

    fn general(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        self.section(table, "logging", |reader, logging| {
            file.log_level = reader.choice(logging, "level", &LogLevel::ALL.map(|level| (level.name(), level)));
        });
        self.section(table, "defaults", |reader, defaults| {
            file.builtin = reader.boolean(defaults, "builtin");
            file.recommendations = reader.boolean(defaults, "symposium-recommendations");
            file.user_plugins = reader.boolean(defaults, "user-plugins");
            file.workspace = reader.boolean(defaults, "workspace");
        });
    }

    fn sources(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        for key in ["plugin-source", "registry"] {
            for entry in table.tables(key, self.report) {
                file.sources.extend(self.source(entry));
            }
        }
    }

    fn source(&mut self, mut entry: TomlTable<'_>) -> Option<WrittenValue<SourceEntry>> {
        let errors = self.report.errors();
        let span = entry.span();
        let name = entry.string("name", self.report);
        let path = entry.string("path", self.report);
        let git = entry.string("git", self.report);
        let index = entry.string("index", self.report);
        let auto_update = entry.boolean("auto-update", self.report).is_none_or(|update| update.value);
        entry.finish(self.report);
        if self.report.errors() > errors {
            return None;
        }
        let Some(name) = name else {
            self.report.error(span, "This source has no name", "add `name = \"…\"`");
            return None;
        };
        let location = match (path, git, index) {
            (Some(path), None, None) => SourceLocation::Path(path.value),
            (None, Some(git), None) => SourceLocation::Git { url: git.value, auto_update },
            (None, None, Some(index)) => SourceLocation::Index { url: index.value, auto_update },
            (None, None, None) => {
                let message = format!("Source `{}` has neither `path` nor `git` nor `index`", name.value);
                self.report.error(span, message, "add `path = \"…\"`, `git = \"…\"` or `index = \"…\"`");
                return None;
            }
            (path, git, index) => {
                let given = [("path", path), ("git", git), ("index", index)];
                let given = given.into_iter().filter_map(|(key, value)| Some((key, value?.span)));
                let (keys, spans): (Vec<&str>, Vec<_>) = given.unzip();
                let message = format!("Source `{}` has both `{}`", name.value, keys.join("` and `"));
                self.report.error(spans.into_iter().next_back().unwrap_or(span), message, "keep one of them");
                return None;
            }
        };
        Some(WrittenValue { line: self.report.line(&name.span), value: SourceEntry { name: name.value, location } })
    }

    fn read_sections(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        self.section(table, "matching", |reader, matching| file.transitive = reader.boolean(matching, "transitive"));
        self.section(table, "hooks", |reader, hooks| {
            let interval = hooks.number("nudge-interval", reader.report);
            file.nudge_interval = interval.map(|interval| reader.written(interval));
        });
        self.section(table, "guidance", |reader, guidance| {
            let bytes = guidance.number("index-bytes", reader.report);
            file.guidance_index_bytes = bytes.map(|bytes| reader.written(bytes));
            let modes = EditGuidance::ALL.map(|mode| (mode.name(), mode));
            file.guidance_at_edit = reader.choice(guidance, "at-edit", &modes);
        });
        self.section(table, "fetch", |reader, fetch| file.fetch_timeout = reader.seconds(fetch, "timeout"));
        self.section(table, "install", |reader, install| {
            file.install_commit = reader.boolean(install, "commit");
            file.install_agents_md = reader.boolean(install, "agents-md");
        });
        self.section(table, "update", |reader, update| file.update_notice = reader.boolean(update, "notice"));
        self.section(table, "usage", |reader, usage| file.usage_record = reader.boolean(usage, "record"));
        self.section(table, "rtk", |reader, rtk| file.rtk_exclude = reader.strings(rtk, "exclude"));
        self.section(table, "agents", |reader, agents| {
            reader.section(agents, "opencode", |reader, opencode| {
                file.opencode_hooks = reader.boolean(opencode, "hooks");
            });
            reader.section(agents, "kiro", |reader, kiro| {
                file.kiro_standalone_hooks = reader.boolean(kiro, "standalone-hooks");
            });
        });
    }

    fn read_scope_keys(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        match self.scope {
            Scope::User => {
                self.user_only(table, file);
                for key in ["self-contained", "skills", "workflows", "required-version"] {
                    if let Some(span) = table.ignored(key) {
                        let message = format!("`{key}` has no effect in the user config");
                        self.report.warning(span, message, "move it to the project's `.symposium/config.toml`");
                    }
                }
            }
            Scope::Project => {
                self.project_only(table, file);
                self.tighter_trust(table, file);
                for key in ["plugins", "cargo"] {
                    if let Some(span) = table.ignored(key) {
                        self.not_for_projects(span, key);
                    }
                }
            }
        }
    }

    fn not_for_projects(&mut self, span: std::ops::Range<usize>, key: &str) {
        let message = format!("`{key}` has no effect in a project, because only the user can set it");
        self.report.warning(span, message, "move it to your user config (`symposium config path`)");
    }

    /// Reads `[trust]` of a project: it may forbid that anything of it runs, and has no other say in what the user
    /// trusts.
    fn tighter_trust(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        let Some(mut trust) = table.table("trust", self.report) else { return };
        let span = trust.span();
        let choices = [("ask", TrustProjects::Ask), ("never", TrustProjects::Never)];
        match self.choice(&mut trust, "projects", &choices) {
            Some(WrittenValue { value: TrustProjects::Ask, .. }) => self.not_for_projects(span, "projects = \"ask\""),
            never => file.trust_projects = never,
        }
        for key in ["allow-text", "directories", "allow-symposium"] {
            if let Some(span) = trust.ignored(key) {
                self.not_for_projects(span, key);
            }
        }
        trust.finish(self.report);
    }

    fn user_only(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        self.section(table, "trust", |reader, trust| {
            let choices = [("ask", TrustProjects::Ask), ("never", TrustProjects::Never)];
            file.trust_projects = reader.choice(trust, "projects", &choices);
            file.trust_allow_text = reader.strings(trust, "allow-text");
            file.trust_directories = reader.directories(trust);
            file.allow_symposium = reader.boolean(trust, "allow-symposium");
        });
        self.section(table, "cargo", |reader, cargo| file.cargo_shim = reader.boolean(cargo, "shim"));
        self.section(table, "plugins", |reader, plugins| {
            file.auto_enable = if plugins.is_boolean("auto-enable") {
                reader.boolean(plugins, "auto-enable").map(|all| WrittenValue {
                    line: all.line,
                    value: if all.value { AutoEnable::All } else { AutoEnable::Off },
                })
            } else {
                reader
                    .strings(plugins, "auto-enable")
                    .map(|names| WrittenValue { line: names.line, value: AutoEnable::Only(names.value) })
            };
        });
    }

    /// Reads absolute paths. A value that could mean several directories, or all, is left out.
    fn directories(&mut self, trust: &mut TomlTable<'_>) -> Option<WrittenValue<Vec<String>>> {
        let named = trust.strings("directories", self.report)?;
        let line = self.report.line(&named.span);
        let mut directories = Vec::new();
        for SpannedValue { value, span } in named.value {
            let parts: Vec<&str> = value.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
            let is_whole = Path::new(&value).is_absolute() && !parts.iter().any(|part| matches!(*part, "." | ".."));
            if is_whole && !parts.is_empty() && !value.contains('*') {
                directories.push(value);
            } else {
                let message = format!("`{value}` is not the absolute path of a directory, so it is ignored");
                self.report.warning(
                    span,
                    message,
                    "write it as `\"/home/user/project\"`; it includes all directories below",
                );
            }
        }
        Some(WrittenValue { line, value: directories })
    }

    fn project_only(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        if let Some(top_level) = self.boolean(table, "self-contained") {
            file.self_contained = Some(top_level);
        }
        if let Some(version) = table.string("required-version", self.report) {
            match semver::VersionReq::parse(&version.value) {
                Ok(_) => file.required_version = Some(self.written(version)),
                Err(error) => {
                    let message = format!("`{}` is not a version requirement: {error}", version.value);
                    self.report.error(version.span, message, "write it as `\">=0.3\"`");
                }
            }
        }
        self.toggles(table, file);
    }

    fn toggles(&mut self, table: &mut TomlTable<'_>, file: &mut ConfigFile) {
        for (key, toggles) in [("skills", &mut file.skills), ("workflows", &mut file.workflows)] {
            if let Some(table) = table.table(key, self.report) {
                let entries = table.booleans(self.report);
                toggles.extend(entries.into_iter().map(|(name, on)| Toggle {
                    line: self.report.line(&name.span),
                    key: name.value,
                    on,
                }));
            }
        }
    }

    fn written<T>(&self, located: SpannedValue<T>) -> WrittenValue<T> {
        WrittenValue { line: self.report.line(&located.span), value: located.value }
    }

    fn boolean(&mut self, table: &mut TomlTable<'_>, key: &'static str) -> Option<WrittenValue<bool>> {
        table.boolean(key, self.report).map(|value| self.written(value))
    }

    fn seconds(&mut self, table: &mut TomlTable<'_>, key: &'static str) -> Option<WrittenValue<u64>> {
        let seconds = table.number(key, self.report)?;
        if !WAITS.contains(&seconds.value) {
            let message = format!("`{key}` cannot be {} seconds", seconds.value);
            self.report.error(seconds.span, message, "use a number of seconds from 1 to 3600");
            return None;
        }
        Some(self.written(seconds))
    }

    fn strings(&mut self, table: &mut TomlTable<'_>, key: &'static str) -> Option<WrittenValue<Vec<String>>> {
        let values = table.strings(key, self.report)?;
        Some(self.written(values.map(|values| values.into_iter().map(|value| value.value).collect())))
    }

    fn choice<T: Copy>(
        &mut self,
        table: &mut TomlTable<'_>,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Option<WrittenValue<T>> {
        let written = table.string(key, self.report)?;
        if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == written.value) {
            return Some(self.written(written.map(|_| *choice)));
        }
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        let message = format!("`{key}` cannot be `{}`", written.value);
        self.report.error(written.span, message, format!("use one of {}", names.join(", ")));
        None
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
