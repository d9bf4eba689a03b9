//! Detection of the agent that started the current shell, by environment variables or by an ancestor process.

use symposium_model::agent::AgentId;

use crate::spec;
use crate::spec::ShellTraces;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AncestorProcess {
    pub program: String,
    pub words: Vec<String>,
}

/// Programs that run a script; the name of the script identifies the agent then.
const INTERPRETERS: [&str; 6] = ["node", "nodejs", "bun", "deno", "python", "python3"];

/// Agents that Symposium does not register with. They can run it all the same.
const OTHERS: &[(&str, ShellTraces)] = &[
    ("Cline", ShellTraces { variables: &["CLINE_ACTIVE"], programs: &["cline"], paths: &[] }),
    ("Pi", ShellTraces { variables: &[], programs: &[], paths: &["/pi-coding-agent/"] }),
    ("Crush", ShellTraces { variables: &["CRUSH"], programs: &["crush"], paths: &[] }),
    ("Droid", ShellTraces { variables: &[], programs: &["droid"], paths: &[] }),
    ("Amp", ShellTraces { variables: &[], programs: &["amp"], paths: &["/@sourcegraph/amp/"] }),
];

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
