use super::*;

struct RecordedShell {
    title: &'static str,
    /// The variables that are not the user's own.
    variables: &'static [&'static str],
    /// The command lines of the ancestor processes, from the nearest on.
    ancestors: &'static [&'static [&'static str]],
}

const RECORDED: &[RecordedShell] = &[
    RecordedShell {
        title: "Claude Code",
        variables: &[
            "AI_AGENT",
            "CLAUDECODE",
            "CLAUDE_CODE_CHILD_SESSION",
            "CLAUDE_CODE_ENTRYPOINT",
            "CLAUDE_PID",
            "GIT_EDITOR",
        ],
        ancestors: &[
            &["/bin/bash", "-c", "source /home/user/.claude/shell-snapshots/snapshot-bash-1.sh"],
            &["/opt/node_modules/@anthropic-ai/claude-code-linux-x64/claude", "-p", "Set everything up"],
        ],
    },
    RecordedShell {
        title: "GitHub Copilot CLI",
        variables: &["COPILOT_AGENT_SESSION_ID", "COPILOT_CLI", "COPILOT_CLI_BINARY_VERSION", "GIT_TERMINAL_PROMPT"],
        ancestors: &[&["/opt/node_modules/@github/copilot-linux-x64/copilot", "--no-color", "-p", "x"]],
    },
    RecordedShell {
        title: "Gemini CLI",
        variables: &["GEMINI_CLI", "GIT_PAGER", "PAGER", "GH_PROMPT_DISABLED"],
        ancestors: &[
            &["/usr/bin/bash", "-c", "shopt -u promptvars nullglob"],
            &["node", "/opt/node_modules/@google/gemini-cli/bundle/gemini.js", "-m", "gemini-2.5-pro"],
        ],
    },
    RecordedShell {
        title: "Codex CLI",
        variables: &["CODEX_CI", "CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID", "CODEX_VERSION", "PAGER"],
        ancestors: &[
            &["/opt/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", "exec"],
            &["node", "/opt/node_modules/@openai/codex/bin/codex.js", "exec"],
        ],
    },
    RecordedShell {
        title: "OpenCode",
        variables: &["AGENT", "OPENCODE", "OPENCODE_PID"],
        ancestors: &[&["/opt/node_modules/opencode-linux-x64/bin/opencode", "run", "--auto"]],
    },
    RecordedShell {
        title: "Goose",
        variables: &["AGENT_SESSION_ID"],
        ancestors: &[&["/opt/node_modules/@aaif/goose-binary-linux-x64/bin/goose", "run", "-t", "x"]],
    },
];

fn processes(lines: &[&[&str]]) -> Vec<AncestorProcess> {
    let process = |words: &&[&str]| AncestorProcess {
        program: String::new(),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        streams: OutputStreams::default(),
    };
    lines.iter().map(process).collect()
}

#[test]
fn the_recorded_shell_of_every_agent_is_told_by_either_trace() {
    for RecordedShell { title, variables, ancestors } in RECORDED {
        let by_variables = shell_owner(&|name| variables.contains(&name), Vec::new());
        assert_eq!(by_variables, Some(*title), "{variables:?}");
        assert_eq!(shell_owner(&|_| false, processes(ancestors)), Some(*title), "{ancestors:?}");
    }
}

#[test]
fn every_agent_leaves_both_traces() {
    for agent in AgentId::ALL {
        let ShellTraces { variables, programs, .. } = spec(agent).own_shell;
        // Of these no variable is known, and the last one is no certain program.
        let by_program = [AgentId::Droid, AgentId::Antigravity, AgentId::Agents].contains(&agent);
        assert_eq!(variables.is_empty(), by_program, "{agent}");
        assert_eq!(programs.is_empty(), agent == AgentId::Agents, "{agent}");
        for name in variables {
            assert_eq!(shell_owner(&|set| set == *name, Vec::new()), Some(spec(agent).title), "{name}");
        }
    }
}

#[test]
fn other_ways_to_start_an_agent_are_told_too() {
    for (line, title) in [
        (&["claude"][..], "Claude Code"),
        (&["node", "--max-old-space-size=8192", "/usr/bin/claude"], "Claude Code"),
        (&["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"], "Claude Code"),
        (&["/home/user/.vscode/extensions/anthropic.claude-code-2/resources/native-binary/claude"], "Claude Code"),
        (&["/home/user/.local/share/cursor-agent/versions/2026/node", "--use-system-ca", "index.js"], "Cursor"),
        (&["kiro-cli-chat", "chat"], "Kiro"),
        (&["C:\\Users\\p\\codex.exe"], "Codex CLI"),
        (&["/usr/bin/goose (deleted)"], "Goose"),
        (&["node", "/usr/lib/node_modules/@qwen-code/qwen-code/cli.js"], "Qwen Code"),
        (&["node", "/usr/lib/node_modules/@earendil-works/pi-coding-agent/dist/cli.js"], "Pi"),
        (&["/home/user/.local/bin/droid", "exec"], "Factory droid"),
        (&["node", "/usr/lib/node_modules/@sourcegraph/amp/dist/main.js"], "Amp"),
    ] {
        assert_eq!(shell_owner(&|_| false, processes(&[line])), Some(title), "{line:?}");
    }
    let kilo = ["OPENCODE", "KILO", "AGENT"];
    assert_eq!(shell_owner(&|name| kilo.contains(&name), Vec::new()), Some("Kilo"), "it is a fork of OpenCode");
}

#[test]
fn a_person_is_not_taken_for_an_agent() {
    let editor =
        ["CLAUDE_CODE_SSE_PORT", "CURSOR_TRACE_ID", "GOOSE_MODE", "GEMINI_API_KEY", "CODEX_HOME", "CI", "AGENT"];
    assert_eq!(shell_owner(&|name| editor.contains(&name), Vec::new()), None);
    for line in [
        &["-bash"][..],
        &["/usr/share/code/code", "--type=renderer"],
        // Its terminal is the user's; a command of its agent has a variable.
        &["/usr/share/cursor/cursor"],
        &["kiro-cli-term", "bash"],
        &["vim", "claude"],
        &["bash", "/home/user/bin/claude"],
        &["node", "/home/user/claude/build.js"],
        &["tmux", "new", "-s", "claude"],
        &["cargo", "test", "claude"],
        &[],
    ] {
        assert_eq!(shell_owner(&|_| false, processes(&[line])), None, "{line:?}");
    }
}

#[test]
fn only_a_plain_command_of_an_agent_is_a_plain_call() {
    const AGENT: &str = "claude";
    // Streams are `stdout stderr`, and those that a shell saved.
    let streams = |text: &str| {
        let mut targets = text.split(' ').map(str::to_owned);
        let mut next = || targets.next().unwrap_or_default();
        OutputStreams { stdout: next(), stderr: next(), saved: targets.collect() }
    };
    let files = "/tmp/out /tmp/out";
    let pipes = "pipe:[1] pipe:[2]";
    let shell = |of: &'static str| ("bash -c -l eval", of);
    let agent = (AGENT, "/dev/null /dev/null");
    for (own, above, expected, case) in [
        (files, vec![shell(files), agent], true, "a command"),
        (pipes, vec![shell(pipes), agent], true, "pipes of the agent"),
        ("pipe:[1] pipe:[1]", vec![shell(pipes), agent], true, "2>&1"),
        (files, vec![shell(files), shell(files), agent], true, "a shell in the shell"),
        (pipes, vec![agent], true, "the shell was replaced by the command"),
        ("socket:[1] socket:[1]", vec![agent], true, "the same, with sockets"),
        ("pipe:[9] /tmp/out", vec![shell(files), agent], false, "a pipe"),
        ("pipe:[9] pipe:[9]", vec![shell(files), agent], false, "both in a pipe"),
        ("pipe:[9] pipe:[9]", vec![shell("pipe:[9] pipe:[9]"), shell(files), agent], false, "a group in a pipe"),
        ("/tmp/log /tmp/out", vec![shell(files), agent], false, "a file"),
        ("/tmp/out /dev/null", vec![shell(files), agent], false, "without errors"),
        ("pipe:[1] /dev/null", vec![agent], false, "without errors, in place of the shell"),
        (pipes, vec![(AGENT, pipes)], false, "the agent's own output"),
        ("/tmp/log /tmp/log", vec![("bash -c {cargo;}>log", "/tmp/log /tmp/log"), agent], false, "a group in a file"),
        (files, vec![("bash -c {cargo;}>$log", "/tmp/out /tmp/out /tmp/real"), agent], false, "a saved stream"),
        (files, vec![("bash -c cargo", "/tmp/out /tmp/out /tmp/out"), agent], true, "a group with 2>&1"),
        (files, vec![("bash -c cargo", "/tmp/out /tmp/out socket:[7]"), agent], true, "a saved input"),
        ("/tmp/out /tmp/out /a", vec![("bash -c cargo", "/tmp/out /tmp/out /a"), agent], true, "a file of the agent"),
        (files, vec![("bash -c exec >$log;cargo", files), agent], false, "all in a file"),
        (pipes, vec![("bash -c cd pipe:[1];cargo", pipes), agent], true, "a pipe has no name"),
        (files, vec![("bash run.sh", files), shell(files), agent], false, "a script"),
        (files, vec![("bash ./run.sh -c", files), shell(files), agent], false, "a script with an option"),
        (files, vec![("dash -c eval", files), agent], false, "a shell that redirects its own output"),
        (files, vec![("make test", files), shell(files), agent], false, "a program"),
        (files, vec![shell(files), ("make test", files), shell(files), agent], false, "a shell of a program"),
        (files, vec![shell(files), ("sshd", files)], false, "a user"),
        (pipes, vec![("python run.py", files), agent], false, "a program that reads"),
        (" ", vec![shell(" "), agent], false, "unknown streams"),
        (files, Vec::new(), false, "unknown processes"),
    ] {
        let process = |(line, of): &(&str, &str)| AncestorProcess {
            program: format!("/usr/bin/{}", line.split(' ').next().unwrap_or_default()),
            words: line.split(' ').map(str::to_owned).collect(),
            streams: streams(of),
        };
        assert_eq!(is_plain_call(&streams(own), above.iter().map(process)), expected, "{case}");
    }
}
