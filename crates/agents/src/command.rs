//! The command lines by which agents call Symposium, for each kind of shell.
//!
//! Each is guarded where the shell allows it: a missing program must be a neutral answer, since Copilot and Gemini take
//! a command that cannot be found for a deny of everything. `symposium_model::ownership::HookCall` recognises every
//! form.

use symposium_model::agent::AgentId;

use crate::registration_input::{Scope, SymposiumProgram};

pub(crate) const NAME: &str = "symposium";

const PROJECT: &str = "--project";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellKind {
    Posix,
    PowerShell,
    /// `cmd`. Its quoting has no safe form for a guard, so the command is not guarded.
    Cmd,
}

/// A builder of the command lines by which an agent calls Symposium.
#[derive(Debug, Clone, Copy)]
pub struct CommandBuilder<'a> {
    pub agent: AgentId,
    pub scope: Scope,
    pub program: &'a SymposiumProgram,
}

impl<'a> CommandBuilder<'a> {
    pub fn executable(&self) -> &'a str {
        match self.program {
            SymposiumProgram::Path { path, directories: _ } => path,
            SymposiumProgram::Bare => NAME,
        }
    }

    /// Returns the arguments after the event: `--project` in project files, Symposium's directories in files of the
    /// user.
    pub fn options(&self) -> Vec<&'a str> {
        match (self.scope, self.program) {
            (Scope::Project, SymposiumProgram::Path { .. } | SymposiumProgram::Bare) => vec![PROJECT],
            (Scope::User, _) => self.directories(),
        }
    }

    pub fn server_arguments(&self) -> Vec<&'a str> {
        let mut arguments = vec!["mcp"];
        match self.scope {
            Scope::Project => {}
            Scope::User => arguments.extend(self.directories()),
        }
        arguments
    }

    fn directories(&self) -> Vec<&'a str> {
        match self.program {
            SymposiumProgram::Path { path: _, directories } => directories.iter().map(String::as_str).collect(),
            SymposiumProgram::Bare => Vec::new(),
        }
    }

    pub fn command(&self, event: &str, shell: ShellKind) -> String {
        let quote: fn(&str) -> String = match shell {
            ShellKind::Posix => posix_quote,
            ShellKind::PowerShell => powershell_quote,
            ShellKind::Cmd => cmd_quote,
        };
        let mut tail = format!("hook {} {event}", self.agent);
        for option in self.options() {
            tail.push(' ');
            if option.starts_with("--") {
                tail.push_str(option);
            } else {
                tail.push_str(&quote(option));
            }
        }
        match (shell, self.program) {
            (ShellKind::Posix, SymposiumProgram::Path { path, directories: _ }) => {
                let path = quote(path);
                format!("[ -x {path} ] || exit 0; exec {path} {tail}")
            }
            (ShellKind::Posix, SymposiumProgram::Bare) => {
                format!("command -v {NAME} >/dev/null 2>&1 || exit 0; exec {NAME} {tail}")
            }
            (ShellKind::PowerShell, SymposiumProgram::Path { path, directories: _ }) => {
                let path = quote(path);
                format!("if (-not (Test-Path -LiteralPath {path} -PathType Leaf)) {{ exit 0 }}; & {path} {tail}")
            }
            (ShellKind::PowerShell, SymposiumProgram::Bare) => {
                format!("if (-not (Get-Command {NAME} -ErrorAction SilentlyContinue)) {{ exit 0 }}; & {NAME} {tail}")
            }
            (ShellKind::Cmd, SymposiumProgram::Path { path, directories: _ }) => format!("{} {tail}", quote(path)),
            (ShellKind::Cmd, SymposiumProgram::Bare) => format!("{NAME} {tail}"),
        }
    }
}

fn posix_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Quotes typographic single quotes too, which PowerShell takes for plain ones.
fn powershell_quote(text: &str) -> String {
    let mut quoted = String::from("'");
    for character in text.chars() {
        if matches!(character, '\'' | '\u{2018}'..='\u{201B}') {
            quoted.push(character);
        }
        quoted.push(character);
    }
    quoted.push('\'');
    quoted
}

/// Quotes only where it must: `cmd /C` drops the outermost pair in some cases.
fn cmd_quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '\\' | '/' | ':' | '.' | '_' | '-' | '+');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    // A backslash before the closing quote would escape it.
    let ending = if text.ends_with('\\') { "\\" } else { "" };
    format!("\"{text}{ending}\"")
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
