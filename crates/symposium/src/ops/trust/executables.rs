//! Everything a plugin runs, in words for a person.

use symposium_model::catalog::LoadedPlugin;
use symposium_model::manifest::{CommandSpec, InstallationSource, ProgramFile};
use symposium_model::transport::ServerTransport;
use symposium_model::trust::CommandKind;

/// A command of a plugin, as a person should read it.
#[derive(Debug, Clone)]
pub(crate) struct ShownCommand {
    pub(crate) kind: CommandKind,
    pub(crate) name: String,
    /// Its name, and when it runs.
    pub(crate) title: String,
    pub(crate) command: String,
}

pub(crate) fn executables(loaded: &LoadedPlugin) -> Vec<ShownCommand> {
    let plugin = &loaded.plugin;
    let mut found = Vec::new();
    let with = |first: &str, args: &[String]| {
        std::iter::once(first).chain(args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    };
    let program_text = |program: &Option<ProgramFile>| match program {
        Some(ProgramFile::Executable(path)) => path.clone(),
        Some(ProgramFile::Script(path)) => format!("sh {path}"),
        None => String::new(),
    };
    for hook in &plugin.hooks {
        let command = match &hook.command {
            CommandSpec::Line { line, args } => with(line.trim(), args),
            CommandSpec::Installed { installation, program, args } => {
                let program = program_text(program);
                let rest: Vec<String> =
                    [program].into_iter().filter(|text| !text.is_empty()).chain(args.clone()).collect();
                with(&format!("[{installation}]"), &rest)
            }
        };
        let title = format!("{} on {}", hook.name, hook.event);
        found.push(ShownCommand { kind: CommandKind::Hook, name: hook.name.clone(), title, command });
    }
    for server in &plugin.mcp_servers {
        let command = match &server.transport {
            ServerTransport::Stdio { command, args, env } => {
                let set: Vec<String> = env.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let line = with(command, args);
                if set.is_empty() { line } else { format!("{} {line}", set.join(" ")) }
            }
            ServerTransport::Http { url, .. } | ServerTransport::Sse { url, .. } => url.clone(),
        };
        let (kind, name) = (CommandKind::Server, server.name.clone());
        found.push(ShownCommand { kind, title: name.clone(), name, command });
    }
    for installation in &plugin.installations {
        let fetched = match &installation.source {
            InstallationSource::None => None,
            InstallationSource::Cargo { package, version, git, .. } => {
                let version = version.as_ref().map(|version| format!(" --version {version}")).unwrap_or_default();
                let git = git.as_ref().map(|git| format!(" --git {git}")).unwrap_or_default();
                Some(format!("cargo install {package}{version}{git}"))
            }
            InstallationSource::GitHub { url } => Some(format!("download {url}")),
        };
        let program = Some(with(&program_text(&installation.program), &installation.args));
        let steps = fetched.into_iter().chain(installation.install_commands.iter().cloned());
        let steps = steps.chain(program.filter(|text| !text.trim().is_empty()));
        let command = steps.collect::<Vec<_>>().join("; ");
        let (kind, name) = (CommandKind::Installation, installation.name.clone());
        found.push(ShownCommand { kind, title: name.clone(), name, command });
    }
    found
}
