//! Detection of the agent that started the current shell, by environment variables or by an ancestor process.

use symposium_model::agent::AgentId;

use crate::spec;
use crate::spec::ShellTraces;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AncestorProcess {
    pub program: String,
    pub words: Vec<String>,
    pub streams: OutputStreams,
}

/// The targets of standard output and standard error, as Linux names them: a file, or `pipe:[number]`. Empty for one
/// that is unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputStreams {
    pub stdout: String,
    pub stderr: String,
    /// Streams that a shell redirected for some of its commands and keeps for the others.
    pub saved: Vec<String>,
}

impl OutputStreams {
    /// Returns true if everything goes where the output of a shell goes, also with `2>&1`.
    fn are_those_of(&self, shell: &Self) -> bool {
        let is_known = !self.stdout.is_empty() && !self.stderr.is_empty();
        is_known && self.stdout == shell.stdout && [&shell.stdout, &shell.stderr].contains(&&self.stderr)
    }

    /// Returns true if a shell that runs this text redirected its own output, as for `{ …; } > log` and `exec > log`. A
    /// file that was open before the shell began is open in its commands too.
    fn are_redirected_by(&self, text: &str, command: &Self) -> bool {
        let both = [&self.stdout, &self.stderr];
        let is_named = |target: &str| target.rsplit_once('/').is_some_and(|(_, name)| text.contains(name));
        both.iter().any(|target| target.starts_with('/') && is_named(target))
            || EXEC.iter().any(|redirection| text.contains(redirection))
            || self.saved.iter().any(|target| {
                // A socket can be written to also where it is the saved standard input, as in Claude Code.
                !target.starts_with("socket:") && !both.contains(&target) && !command.saved.contains(target)
            })
    }

    /// Returns true if a process reads both.
    fn are_read(&self) -> bool {
        [&self.stdout, &self.stderr].iter().all(|stream| stream.starts_with("pipe:") || stream.starts_with("socket:"))
    }
}

/// Programs that run a script; the name of the script identifies the agent then.
const INTERPRETERS: [&str; 6] = ["node", "nodejs", "bun", "deno", "python", "python3"];

/// Agents that Symposium does not register with. They can run it all the same.
const OTHERS: &[(&str, ShellTraces)] =
    &[("Amp", ShellTraces { variables: &[], programs: &["amp"], paths: &["/@sourcegraph/amp/"] })];

/// A variable that several agents agreed on, and the title for an agent that sets nothing else.
const AGREED_VARIABLE: (&str, &str) = ("AI_AGENT", "an AI agent");

/// Returns the title of the agent whose shell this is; `None` for a shell of the user.
pub fn shell_owner(
    is_set: &dyn Fn(&str) -> bool,
    ancestors: impl IntoIterator<Item = AncestorProcess>,
) -> Option<&'static str> {
    // Forks come first: they also set the variables of the agent they were forked from, which is listed before them.
    let others = OTHERS.iter().map(|(title, shell)| (*title, shell));
    let known = AgentId::ALL.into_iter().rev().map(|agent| (spec(agent).title, &spec(agent).own_shell));
    let all: Vec<(&str, &ShellTraces)> = others.chain(known).collect();
    let by_variable = all.iter().find(|(_, shell)| shell.variables.iter().any(|name| is_set(name)));
    if let Some((title, _)) = by_variable {
        return Some(title);
    }
    let (variable, title) = AGREED_VARIABLE;
    let mut processes = ancestors.into_iter();
    let by_process = processes.find_map(|process| all.iter().find(|(_, shell)| shell.is_run_by(&process)));
    by_process.map(|(title, _)| *title).or_else(|| is_set(variable).then_some(title))
}

/// Shells that redirect the output of a command in the command's own process. Others redirect their own meanwhile.
const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// Redirections of everything that follows, by which a file need not be named.
const EXEC: [&str; 4] = ["exec >", "exec 1>", "exec 2>", "exec &>"];

/// Returns true if an agent runs this process as a command of its own: not behind a pipe, not with redirected output, not
/// inside a script or another program. A shell that only runs one command is replaced by it. In doubt the result is false.
pub fn is_plain_call(streams: &OutputStreams, ancestors: impl IntoIterator<Item = AncestorProcess>) -> bool {
    let mut has_shell = false;
    for process in ancestors {
        if is_command_shell(&process) {
            let text = process.words.join(" ");
            if !streams.are_those_of(&process.streams) || process.streams.are_redirected_by(&text, streams) {
                return false;
            }
            has_shell = true;
            continue;
        }
        let is_agent = AgentId::ALL.into_iter().any(|agent| spec(agent).own_shell.is_run_by(&process));
        return is_agent && (has_shell || (streams.are_read() && streams.stdout != process.streams.stdout));
    }
    false
}

/// Returns true for a shell that runs the text of a `-c` option.
fn is_command_shell(process: &AncestorProcess) -> bool {
    let mut options = process.words.iter().skip(1).take_while(|word| word.starts_with('-'));
    SHELLS.contains(&stem(&process.program)) && options.any(|option| !option.starts_with("--") && option.contains('c'))
}

impl ShellTraces {
    fn is_run_by(&self, process: &AncestorProcess) -> bool {
        let own_name = process.words.first().map_or("", String::as_str);
        let script = is_interpreter(own_name).then(|| {
            let mut words = process.words.iter().skip(1).map(String::as_str);
            words.find(|word| !word.starts_with('-')).unwrap_or_default()
        });
        let files = [process.program.as_str(), own_name, script.unwrap_or_default()];
        files
            .into_iter()
            .any(|file| self.programs.contains(&stem(file)) || self.paths.iter().any(|piece| file.contains(piece)))
    }
}

fn is_interpreter(file: &str) -> bool {
    INTERPRETERS.contains(&stem(file))
}

fn stem(file: &str) -> &str {
    // Linux appends this to the path of a program that was replaced while it runs.
    let file = file.strip_suffix(" (deleted)").unwrap_or(file);
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    [".exe", ".js", ".mjs", ".cjs", ".py"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

#[cfg(test)]
#[path = "agent_shell_tests.rs"]
mod tests;
