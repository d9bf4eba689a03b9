//! Which files a plugin's commands name: whatever in them could be a path, whether or not something is there yet.

use crate::hook::command_line::{Split, split};
use crate::manifest::{Command, Plugin, Program};
use crate::transport::Transport;

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// In the plugin's directory.
    Plugin,
    /// In the workspace, where commands are started.
    Workspace,
}

/// Something in a command that may be a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// Where it starts.
    pub base: Base,
    /// The path from there.
    pub path: String,
}

/// How commands say where a path starts.
const VARIABLES: [(&str, Base); 6] = [
    ("SYMPOSIUM_PLUGIN_DIR", Base::Plugin),
    ("SYMPOSIUM_WORKSPACE", Base::Workspace),
    ("CLAUDE_PROJECT_DIR", Base::Workspace),
    ("GEMINI_PROJECT_DIR", Base::Workspace),
    ("COPILOT_PROJECT_DIR", Base::Workspace),
    ("CURSOR_PROJECT_DIR", Base::Workspace),
];

/// What the agent is there to change; a command that names it does not run it.
pub fn is_everyday(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name, "Cargo.toml" | "Cargo.lock") || name.rsplit_once('.').is_some_and(|(_, end)| end == "rs")
}

/// Everything the plugin's commands name, sorted.
pub fn named(plugin: &Plugin) -> Vec<Named> {
    let (lines, arguments) = texts(plugin);
    let words = lines.iter().chain(&arguments).flat_map(|text| words(text));
    // An argument reaches its program as it is, blanks and all.
    let words = words.chain(arguments.iter().map(|argument| (*argument).to_owned()));
    let mut found: Vec<Named> = words.flat_map(|word| meant(&word)).collect();
    found.sort();
    found.dedup();
    found
}

/// Everything a plugin has run: command lines, and arguments.
fn texts(plugin: &Plugin) -> (Vec<&str>, Vec<&str>) {
    let (mut lines, mut arguments): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for hook in &plugin.hooks {
        match &hook.command {
            Command::Line { line, args } => {
                lines.push(line);
                arguments.extend(args.iter().map(String::as_str));
            }
            Command::Installed { program, args, .. } => {
                arguments.extend(program_of(program.as_ref()));
                arguments.extend(args.iter().map(String::as_str));
            }
        }
    }
    for server in &plugin.mcp_servers {
        match &server.transport {
            Transport::Stdio { command, args, env } => {
                arguments.push(command);
                arguments.extend(args.iter().chain(env.iter().map(|(_, value)| value)).map(String::as_str));
            }
            Transport::Http { .. } | Transport::Sse { .. } => {}
        }
    }
    for installation in &plugin.installations {
        arguments.extend(program_of(installation.program.as_ref()));
        arguments.extend(installation.args.iter().map(String::as_str));
        lines.extend(installation.install_commands.iter().map(String::as_str));
    }
    (lines, arguments)
}

fn program_of(program: Option<&Program>) -> Option<&str> {
    program.map(|program| match program {
        Program::Executable(path) | Program::Script(path) => path.as_str(),
    })
}

/// Every way to take a text apart into words: a path must not escape because it is quoted in an unusual way.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    if let Split::Words(split) = split(text) {
        words.extend(split);
    }
    // What stands between quotes may have blanks in it.
    for quote in ['"', '\''] {
        words.extend(text.split(quote).skip(1).step_by(2).map(str::to_owned));
    }
    let bare: String = text.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect();
    let apart = |c: char| c.is_whitespace() || "|&;<>()=,:`".contains(c);
    words.extend(bare.split(apart).map(str::to_owned));
    words
}

/// The files a word may stand for.
fn meant(word: &str) -> Vec<Named> {
    let word = word.trim().trim_start_matches('@');
    let of_variable = VARIABLES.iter().find_map(|(name, base)| {
        let rest = word.strip_prefix(&format!("${name}/")).or_else(|| word.strip_prefix(&format!("${{{name}}}/")))?;
        Some((*base, rest))
    });
    let bases: &[Base] = match of_variable {
        Some((Base::Plugin, _)) => &[Base::Plugin],
        Some((Base::Workspace, _)) => &[Base::Workspace],
        None => &[Base::Plugin, Base::Workspace],
    };
    let path = of_variable.map_or(word, |(_, rest)| rest);
    // A pattern stands for what is beside it: then it is the directory that counts.
    let path = match path.find(['*', '?', '[', '{', '$', '`']) {
        Some(special) => path.get(..special).and_then(|plain| plain.rsplit_once('/')).map_or("", |(above, _)| above),
        None => path,
    };
    if path.is_empty() || path.contains(['\n', '\0']) || path.len() > 4096 {
        return Vec::new();
    }
    let named = |base: &Base| Named { base: *base, path: path.to_owned() };
    bases.iter().filter(|base| **base == Base::Plugin || !is_everyday(path)).map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plugin(text: &str) -> Plugin {
        crate::manifest::parse("p/SYMPOSIUM.toml", text, "p").plugin.unwrap()
    }

    #[track_caller]
    fn check(line: &str, in_plugin: &[&str]) {
        let line = line.replace('\\', "\\\\").replace('"', "\\\"");
        let found = named(&plugin(&format!("name = \"p\"\n[[hooks]]\nevent = \"Stop\"\ncommand = \"{line}\"\n")));
        for path in in_plugin {
            let wanted = Named { base: Base::Plugin, path: (*path).to_owned() };
            assert!(found.contains(&wanted), "{line}: {path} is not in {found:?}");
        }
    }

    #[test]
    fn a_path_is_found_however_it_is_written() {
        check("./x.sh --flag", &["./x.sh"]);
        check("sh $SYMPOSIUM_PLUGIN_DIR/x.sh", &["x.sh"]);
        check("sh \"${SYMPOSIUM_PLUGIN_DIR}/my script.sh\"", &["my script.sh"]);
        check("sh \"$SYMPOSIUM_PLUGIN_DIR\"/x.sh", &["x.sh"]);
        check("cat a|sh -s --file=./b", &["a", "./b"]);
        check("cd scripts && ./run.sh", &["scripts", "./run.sh"]);
        check("python 'my tool.py'", &["my tool.py"]);
        check("for f in ./hooks/*.sh; do sh $f; done", &["./hooks"]);
        check("PYTHONPATH=./lib:./more python -m tool", &["./lib", "./more"]);
        check("curl -d @body.json x", &["body.json"]);
    }

    #[test]
    fn servers_and_installations_count_too() {
        let text = "name = \"p\"\n[[mcp_servers]]\nname = \"s\"\ncommand = \"node\"\nargs = [\"./server.js\"]\n\
                    [[installations]]\nname = \"i\"\ninstall_commands = [\"sh ./setup.sh\"]\n";
        let found = named(&plugin(text));
        for path in ["./server.js", "./setup.sh"] {
            assert!(found.iter().any(|named| named.base == Base::Plugin && named.path == path), "{found:?}");
        }
    }

    #[test]
    fn what_lies_in_the_workspace_counts_unless_it_is_what_is_worked_on() {
        let text = "name = \"p\"\n[[hooks]]\nevent = \"Stop\"\n\
                    command = \"sh tools/check.sh Cargo.toml src/main.rs $CLAUDE_PROJECT_DIR/x ${COPILOT_PROJECT_DIR}/y\"\n";
        let found = named(&plugin(text));
        let here: Vec<&str> =
            found.iter().filter(|named| named.base == Base::Workspace).map(|named| named.path.as_str()).collect();
        assert!(here.contains(&"tools/check.sh") && here.contains(&"x") && here.contains(&"y"), "{here:?}");
        assert!(!here.iter().any(|path| path.contains("main.rs") || *path == "Cargo.toml"), "{here:?}");
    }
}
