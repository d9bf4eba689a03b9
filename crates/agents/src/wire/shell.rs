//! The result of a shell command in an event.

use symposium_model::hook::{EventDetail, HookInput};

use crate::dialect::AgentDialect;
use crate::shell_output::ShellOutput;

/// Returns the result of a shell command, if the event is about one; `None` where the agent does not tell.
pub fn shell_output<'r>(dialect: Option<&AgentDialect>, input: &'r HookInput) -> Option<ShellOutput<'r>> {
    let EventDetail::PostToolUse(tool, result) = &input.detail else { return None };
    if tool.name != "Bash" {
        return None;
    }
    match dialect {
        Some(dialect) => (dialect.wire.fields.shell_output)(result),
        None => result.output.as_deref().map(ShellOutput::plain),
    }
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
