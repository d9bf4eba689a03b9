//! Parser of `[[hooks]]`.

use std::ops::Range;

use super::plugin::{CommandSpec, Hook, HookOrder, HookPlaces, Installation, OnFailure, PayloadFormat, ProgramFile};
use super::{cases, conditions, installations, named_agent};
use crate::agent::AgentId;
use crate::hook::{Event, HookEvent, Matcher, command_line};
use crate::suggest::advice;
use crate::toml_table::{ParseReport, SpannedValue, StringOrTable, TomlTable};

/// The maximum timeout, in seconds: agents are registered with 60, and Symposium's own answer needs some of them.
const MAX_TIMEOUT: u64 = 50;

/// Parses one hook; `None` when it is invalid. An inline installation is added to `installed`.
pub(super) fn read(
    mut table: TomlTable<'_>,
    installed: &mut Vec<Installation>,
    report: &mut ParseReport<'_>,
) -> Option<Hook> {
    let errors = report.errors();
    let span = table.span();
    let place_of = |key| table.place_of(key).unwrap_or_else(|| span.clone());
    let places = HookPlaces { event: place_of("event"), matcher: place_of("matcher"), command: place_of("command") };
    let conditions = conditions::read(&mut table, report);
    let name = table.string("name", report).map(|name| name.value);
    let description = table.string("description", report).map(|text| text.value);
    let event = read_event(&mut table, &span, report);
    let matcher = read_matcher(&mut table, report);
    let name = name.unwrap_or_else(|| event.as_ref().map_or_else(String::new, ToString::to_string));
    let command = read_command(&mut table, &span, &name, installed, report);
    let agent = named_agent::read(&mut table, report);
    let format = read_format(&mut table, report);
    let timeout = read_timeout(&mut table, report);
    let order = read_choice(&mut table, "order", HookOrder::Normal, &ORDERS, report);
    let on_failure = read_choice(&mut table, "on-failure", OnFailure::Allow, &FAILURES, report);
    let imported_command = table.string("imported-command", report).map(|line| line.value);
    let requirements = installations::read_requirements(&mut table, report);
    for wanted in &requirements {
        if !installed.iter().any(|installation| installation.name == *wanted) {
            let message = format!("Hook `{name}` requires the installation `{wanted}`, which is not declared");
            report.error(span.clone(), message, format!("add `[[installations]]` with `name = \"{wanted}\"`"));
        }
    }
    let usable = report.errors() == errors;
    // Test cases never change what a hook does: an error in them leaves the hook in use.
    let tests = cases::read(&mut table, event.as_ref(), report);
    table.finish(report);
    if !usable {
        return None;
    }
    Some(Hook {
        name,
        description,
        event: event?,
        matcher,
        command: command?,
        conditions,
        agent,
        format,
        timeout,
        order,
        on_failure,
        requirements,
        imported_command,
        tests,
        place: span,
        places,
    })
}

const ORDERS: [(&str, HookOrder); 3] =
    [("policy", HookOrder::Policy), ("normal", HookOrder::Normal), ("rewrite", HookOrder::Rewrite)];
const FAILURES: [(&str, OnFailure); 2] = [("allow", OnFailure::Allow), ("block", OnFailure::Block)];

fn read_event(table: &mut TomlTable<'_>, span: &Range<usize>, report: &mut ParseReport<'_>) -> Option<HookEvent> {
    let errors = report.errors();
    let Some(event) = table.string("event", report) else {
        if report.errors() == errors {
            report.error(span.clone(), "This hook has no event", "add `event = \"PreToolUse\"`");
        }
        return None;
    };
    if let Some((agent, name)) = event.value.split_once(':') {
        let Some(agent) = AgentId::parse(agent) else {
            named_agent::unknown(agent, event.span, report);
            return None;
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_graphic()) {
            let message = format!("`{}` does not name an event of {agent}", event.value.escape_debug());
            report.error(event.span, message, "write the agent's name for the event, as in `gemini:BeforeModel`");
            return None;
        }
        return Some(HookEvent::Native { agent, event: name.to_owned() });
    }
    let found = Event::parse(&event.value).map(HookEvent::Canonical);
    if found.is_none() {
        let names = Event::ALL.map(Event::name);
        let help = advice(&event.value, &names, || {
            format!("use one of {}, or a native event such as `gemini:BeforeModel`", names.join(", "))
        });
        report.error(event.span, format!("Unknown event `{}`", event.value), help);
    }
    found
}

fn read_matcher(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> Matcher {
    let Some(written) = table.string("matcher", report) else { return Matcher::All };
    let matcher = Matcher::parse(&written.value);
    if let Some(fault) = matcher.fault() {
        let message = format!("Matcher `{}` is not a regular expression: {fault}", written.value);
        report.error(written.span, message, "escape special characters, or list plain names as `Bash|Edit`");
    }
    matcher
}

fn read_command(
    table: &mut TomlTable<'_>,
    span: &Range<usize>,
    hook: &str,
    installed: &mut Vec<Installation>,
    report: &mut ParseReport<'_>,
) -> Option<CommandSpec> {
    let errors = report.errors();
    let args = installations::read_strings(table, "args", report);
    let program = installations::read_program(table, report);
    match table.string_or_table("command", report) {
        Some(StringOrTable::String(line)) => named_or_line(line, program, args, installed, report),
        Some(StringOrTable::Table(inline)) => inline_command(inline, hook, program, args, installed, report),
        None => match program {
            Some(program) => Some(line_of(program, args)),
            None => {
                if report.errors() == errors {
                    report.error(span.clone(), "This hook has no command", "add `command = \"./scripts/check.sh\"`");
                }
                None
            }
        },
    }
}

/// Parses `command`: a command line in the dialect of the first plugins, the name of an installation in the later one.
/// A declared name decides.
fn named_or_line(
    line: SpannedValue<String>,
    program: Option<ProgramFile>,
    args: Vec<String>,
    installed: &[Installation],
    report: &mut ParseReport<'_>,
) -> Option<CommandSpec> {
    if line.value.trim().is_empty() {
        report.error(line.span, "The command is empty", "write a command such as `./scripts/check.sh`");
        return None;
    }
    match installed.iter().find(|installation| installation.name == line.value) {
        Some(installation) => {
            if program.is_some() && installation.program.is_some() {
                let message = format!("Both the hook and the installation `{}` name a program", line.value);
                report.error(line.span, message, "keep `executable` or `script` in one of the two");
                return None;
            }
            Some(CommandSpec::Installed { installation: line.value, program, args })
        }
        None if program.is_some() => {
            let message = format!("`{}` is not a declared installation", line.value);
            let help = format!("add `[[installations]]` with `name = \"{}\"`", line.value);
            report.error(line.span, message, help);
            None
        }
        None => line_command(line, args, report),
    }
}

/// Checks a command line. One that no shell can run is an error: the shell's failure would count as a refusal.
fn line_command(line: SpannedValue<String>, args: Vec<String>, report: &mut ParseReport<'_>) -> Option<CommandSpec> {
    if let Some(fault) = command_line::fault(&line.value) {
        let message = format!("`{}` is not a valid shell command: {fault}", line.value.trim());
        report.error(line.span, message, "close the quote, or write `\\` before it");
        return None;
    }
    Some(CommandSpec::Line { line: line.value, args })
}

fn inline_command(
    mut inline: TomlTable<'_>,
    hook: &str,
    program: Option<ProgramFile>,
    args: Vec<String>,
    installed: &mut Vec<Installation>,
    report: &mut ParseReport<'_>,
) -> Option<CommandSpec> {
    if let Some(line) = inline.string("command", report) {
        let mut words = installations::read_strings(&mut inline, "args", report);
        words.extend(args);
        inline.ignored("source");
        inline.finish(report);
        return line_command(line, words, report);
    }
    let span = inline.span();
    let installation = installations::read(inline, Some(hook), report)?;
    if installation.program.is_none() && program.is_none() {
        report.error(span, "This command names no program", "add `executable` or `script`");
        return None;
    }
    let name = installation.name.clone();
    installed.push(installation);
    Some(CommandSpec::Installed { installation: name, program, args })
}

/// Makes a command of `executable` or `script` on the hook itself, without an installation: a file of the plugin.
fn line_of(program: ProgramFile, args: Vec<String>) -> CommandSpec {
    match program {
        ProgramFile::Executable(path) => CommandSpec::Line { line: in_plugin(&path), args },
        // An argument is not looked up in the plugin's directory, so it has to contain that path.
        ProgramFile::Script(path) => {
            let path = path.strip_prefix("./").unwrap_or(&path);
            CommandSpec::Line { line: format!("sh \"$SYMPOSIUM_PLUGIN_DIR\"/{path}"), args }
        }
    }
}

fn in_plugin(path: &str) -> String {
    if path.contains('/') { path.to_owned() } else { format!("./{path}") }
}

fn read_format(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> PayloadFormat {
    let Some(written) = table.string("format", report) else { return PayloadFormat::Symposium };
    if written.value == "symposium" {
        return PayloadFormat::Symposium;
    }
    if let Some(agent) = AgentId::parse(&written.value) {
        return PayloadFormat::Agent(agent);
    }
    named_agent::unknown(&written.value, written.span, report);
    PayloadFormat::Symposium
}

fn read_timeout(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> Option<u64> {
    let written = table.number("timeout", report)?;
    if (1..=MAX_TIMEOUT).contains(&written.value) {
        return Some(written.value);
    }
    let message = format!("A timeout of {} seconds is not possible", written.value);
    report.error(written.span, message, format!("use 1 to {MAX_TIMEOUT} seconds"));
    None
}

fn read_choice<T: Copy>(
    table: &mut TomlTable<'_>,
    key: &'static str,
    default: T,
    choices: &[(&str, T)],
    report: &mut ParseReport<'_>,
) -> T {
    let Some(written) = table.string(key, report) else { return default };
    if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == written.value) {
        return *choice;
    }
    let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
    let message = format!("`{key}` cannot be `{}`", written.value);
    report.error(written.span, message, format!("use {}", names.join(" or ")));
    default
}
