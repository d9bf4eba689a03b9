//! Decisions that belong to the user: an agent with a shell must not answer in their place.

use super::args::CliCommand;
use crate::error::CliError;
use crate::ops::environment::shell_agent;

/// Refuses a command by which a person decides what may run, in a shell that an agent started. A terminal does not make
/// a person: agents have some of their own.
pub(super) fn ensure_decides(command: &CliCommand) -> Result<(), CliError> {
    let Some(name) = decision(command) else { return Ok(()) };
    let Some(agent) = shell_agent() else { return Ok(()) };
    let error = CliError::usage(format!(
        "`symposium {name}` does not run in a shell that {agent} started, because only the user may decide this"
    ));
    Err(error.hint(format!(
        "tell the user to run `symposium {name}` in their own terminal, outside {agent}; never run it for them"
    )))
}

/// Returns the name of a command that changes what may run, or what is registered; `None` for those that look, and for
/// `sync`, which follows what was decided.
fn decision(command: &CliCommand) -> Option<&'static str> {
    let (name, is_looking) = match command {
        CliCommand::Init(args) => ("init", args.writing.dry_run),
        CliCommand::On { writing, .. } => ("on", writing.dry_run),
        CliCommand::Off { writing, .. } => ("off", writing.dry_run),
        CliCommand::Import(args) => ("import", args.writing.dry_run),
        CliCommand::Trust(args) => ("trust", args.show || args.writing.dry_run),
        CliCommand::SelfUpdate(args) => ("self-update", args.check || args.writing.dry_run),
        CliCommand::Uninstall(args) => ("uninstall", args.writing.dry_run),
        CliCommand::Sync(_)
        | CliCommand::Status
        | CliCommand::Doctor { .. }
        | CliCommand::Context { .. }
        | CliCommand::Diff(_)
        | CliCommand::Start
        | CliCommand::Cargo { .. }
        | CliCommand::Mcp { .. }
        | CliCommand::Api(_)
        | CliCommand::Crate(_)
        | CliCommand::Search { .. }
        | CliCommand::Why { .. }
        | CliCommand::Config(_)
        | CliCommand::Plugin(_)
        | CliCommand::Skill(_)
        | CliCommand::Hook(_)
        | CliCommand::Completions { .. }
        | CliCommand::Man { .. } => return None,
    };
    (!is_looking).then_some(name)
}
