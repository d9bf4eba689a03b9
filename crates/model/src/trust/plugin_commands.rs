//! Determines the files that each command of a plugin can run: its hooks, its MCP servers, the steps of its
//! installations.

use super::reached_files::{ReachReader, ReachableFiles, StartPlace, UnknownReach};
use super::referenced_file::GrantCoverage;
use super::shell_words::{INSTALLED, PLAIN, PLUGIN, WORKSPACE};
use crate::manifest::{CommandSpec, Hook, Installation, InstallationSource, McpServer, Plugin, ProgramFile};
use crate::transport::ServerTransport;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CommandKind {
    Hook,
    Server,
    Installation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandReach {
    pub kind: CommandKind,
    pub name: String,
    pub reach: ReachableFiles,
}

/// Variables that Symposium sets for hooks, with the placeholder characters of their values.
const OURS: [(&str, char); 7] = [
    ("SYMPOSIUM_PLUGIN_DIR", PLUGIN),
    ("SYMPOSIUM_WORKSPACE", WORKSPACE),
    ("CLAUDE_PROJECT_DIR", WORKSPACE),
    ("GEMINI_PROJECT_DIR", WORKSPACE),
    ("SYMPOSIUM_AGENT", PLAIN),
    ("SYMPOSIUM_EVENT", PLAIN),
    ("SYMPOSIUM_DEPTH", PLAIN),
];

/// Returns the files that every command of a plugin can run. `coverage` is the part of its directory that a grant
/// covers.
pub fn command_reaches(plugin: &Plugin, coverage: GrantCoverage) -> Vec<CommandReach> {
    let hooks = plugin.hooks.iter().map(|hook| (CommandKind::Hook, &hook.name, hook_reach(plugin, hook, coverage)));
    let servers = plugin.mcp_servers.iter();
    let servers = servers.map(|server| (CommandKind::Server, &server.name, server_reach(plugin, server, coverage)));
    let installations = plugin.installations.iter().map(|installation| {
        let mut reader = ReachReader::new(StartPlace::Workspace, coverage);
        let reach = add_installation(&mut reader, installation, coverage).map(|()| reader);
        (CommandKind::Installation, &installation.name, finish_reach(reach))
    });
    let all = hooks.chain(servers).chain(installations);
    all.map(|(kind, name, reach)| CommandReach { kind, name: name.clone(), reach }).collect()
}

fn finish_reach(read: Result<ReachReader, UnknownReach>) -> ReachableFiles {
    match read {
        Ok(reader) => ReachableFiles::Files(reader.into_files()),
        Err(reason) => ReachableFiles::Unknown(reason),
    }
}

pub fn hook_reach(plugin: &Plugin, hook: &Hook, coverage: GrantCoverage) -> ReachableFiles {
    let mut reader = ReachReader::new(StartPlace::Workspace, coverage);
    // An undeclared one is reported elsewhere, and the hook does not run.
    let needed = plugin.needed_by(hook).unwrap_or_default();
    let variable_of = |name: &str| {
        let installed = |installation: &&Installation| {
            let variable = installation.variable();
            name == format!("SYMPOSIUM_{variable}") || name == format!("SYMPOSIUM_DIR_{variable}")
        };
        // An installation with the name of one of these variables does not replace it.
        let ours = OURS.iter().find(|(known, _)| *known == name).map(|(_, sign)| *sign);
        ours.or_else(|| needed.iter().any(installed).then_some(INSTALLED))
    };
    let own = match &hook.command {
        CommandSpec::Line { line, args } => reader.line(line.trim(), args, &variable_of),
        CommandSpec::Installed { installation, program, args } => match plugin.installation(installation) {
            Some(installation) => reader.words(installed_words(installation, program.as_ref(), args)),
            None => Ok(()),
        },
    };
    let all = own.and_then(|()| {
        needed.iter().try_for_each(|installation| add_installation(&mut reader, installation, coverage))
    });
    finish_reach(all.map(|()| reader))
}

pub fn server_reach(plugin: &Plugin, server: &McpServer, coverage: GrantCoverage) -> ReachableFiles {
    let ServerTransport::Stdio { command, args, env } = &server.transport else {
        return ReachableFiles::Files(Vec::new());
    };
    let mut reader = ReachReader::new(StartPlace::Agent, coverage);
    let read = || -> Result<ReachReader, UnknownReach> {
        for (name, value) in env {
            // A reference to a variable of the user is the user's own value, like a token.
            reader.variable(name, &with_plugin(value).unwrap_or_else(|_| String::new()))?;
        }
        let args = args.iter().map(|arg| with_plugin(arg)).collect::<Result<Vec<_>, _>>()?;
        match plugin.installation(command) {
            Some(installation) => {
                reader.words(installed_words(installation, None, &args))?;
                add_installation(&mut reader, installation, coverage)?;
            }
            None => reader.words(std::iter::once(with_plugin(command)?).chain(args).collect())?,
        }
        Ok(reader)
    };
    finish_reach(read())
}

fn installed_words(installation: &Installation, own: Option<&ProgramFile>, args: &[String]) -> Vec<String> {
    let is_plugins = installation.source == InstallationSource::None;
    let place = |path: &str| match (is_plugins, path.starts_with('/')) {
        (true, true) => path.to_owned(),
        (true, false) => format!("{PLUGIN}/{path}"),
        (false, _) => format!("{INSTALLED}/{path}"),
    };
    let program = match own.or(installation.program.as_ref()) {
        Some(ProgramFile::Executable(path)) => vec![place(path)],
        Some(ProgramFile::Script(path)) => vec!["sh".to_owned(), place(path)],
        None => vec![format!("{INSTALLED}/program")],
    };
    program.into_iter().chain(installation.args.iter().cloned()).chain(args.iter().cloned()).collect()
}

fn add_installation(
    reader: &mut ReachReader,
    installation: &Installation,
    coverage: GrantCoverage,
) -> Result<(), UnknownReach> {
    let place = match installation.source {
        InstallationSource::None => StartPlace::Plugin(String::new()),
        InstallationSource::Cargo { .. } | InstallationSource::GitHub { .. } => StartPlace::Installation,
    };
    let directory = format!("SYMPOSIUM_DIR_{}", installation.variable());
    let variable_of = |name: &str| match name {
        "SYMPOSIUM_PLUGIN_DIR" => Some(PLUGIN),
        name if name == directory => Some(INSTALLED),
        _ => None,
    };
    let mut steps = ReachReader::new(place, coverage);
    for command in &installation.install_commands {
        steps.line(command, &[], &variable_of)?;
    }
    reader.extend(steps);
    if let Some(program) = &installation.program {
        let words = installed_words(&Installation { args: Vec::new(), ..installation.clone() }, Some(program), &[]);
        reader.words(words)?;
    }
    Ok(())
}

/// Replaces the plugin's directory by its placeholder; fails if the text contains another variable.
fn with_plugin(text: &str) -> Result<String, String> {
    if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Err("it contains a control character".to_owned());
    }
    let mut done = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (name, after) = match behind.strip_prefix('{') {
            Some(inside) => inside.split_once('}').unwrap_or((inside, "")),
            None => behind.split_at(behind.find(|c| !is_part(c)).unwrap_or(behind.len())),
        };
        done.push_str(before);
        match name {
            "SYMPOSIUM_PLUGIN_DIR" => done.push(PLUGIN),
            "" => done.push('$'),
            other => return Err(format!("Symposium does not know the value of `${other}`")),
        }
        rest = after;
    }
    Ok(done + rest)
}
