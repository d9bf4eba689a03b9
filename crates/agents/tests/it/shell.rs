//! The guarded command lines, run by a real shell.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use symposium_agents::{CommandBuilder, Scope, ShellKind, SymposiumProgram};
use symposium_model::agent::AgentId;

/// Prints its arguments, one a line.
const STAND_IN: &str = "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 2\n";

fn run(command: &str, path: &Path) -> Output {
    // Only the tools of a bare system, so that nothing else of this machine is found.
    let output = Command::new("/bin/sh").arg("-c").arg(command).env("PATH", path).output();
    output.unwrap()
}

#[test]
fn a_program_gets_its_words_and_a_missing_one_is_silence() {
    let directory = tempfile::tempdir().unwrap();
    let bin = directory.path().join("it's (my) \"bin\" $x");
    std::fs::create_dir(&bin).unwrap();
    let program = bin.join("symposium");
    let home = "/home/user/$x `y` \"z\" \\ & it's";
    let by_path = SymposiumProgram::Path {
        path: program.to_str().unwrap().to_owned(),
        directories: vec!["--home".to_owned(), home.to_owned()],
    };
    let cases = [
        (&by_path, Scope::User, vec!["hook", "claude", "stop", "--home", home]),
        (&SymposiumProgram::Bare, Scope::Project, vec!["hook", "claude", "stop", "--project"]),
    ];
    for (program, scope, _) in &cases {
        let command =
            CommandBuilder { agent: AgentId::Claude, scope: *scope, program }.command("stop", ShellKind::Posix);
        let output = run(&command, &bin);
        assert!(
            output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
            "{command}: {output:?}"
        );
    }

    std::fs::write(&program, STAND_IN).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (program, scope, words) in &cases {
        let command =
            CommandBuilder { agent: AgentId::Claude, scope: *scope, program }.command("stop", ShellKind::Posix);
        let output = run(&command, &bin);
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(printed.lines().collect::<Vec<_>>(), *words, "{command}");
        assert_eq!(output.status.code(), Some(2), "the exit code of the program is the command's");
    }
}
