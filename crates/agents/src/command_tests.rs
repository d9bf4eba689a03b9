use expect_test::{Expect, expect};

use super::*;

fn check(program: &SymposiumProgram, expected: &Expect) {
    let mut text = String::new();
    for scope in [Scope::User, Scope::Project] {
        for shell in [ShellKind::Posix, ShellKind::PowerShell, ShellKind::Cmd] {
            let caller = CommandBuilder { agent: AgentId::Codex, scope, program };
            text.push_str(&format!("{}\n", caller.command("pre-tool-use", shell)));
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn by_name() {
    check(
        &SymposiumProgram::Bare,
        &expect![[r#"
        command -v symposium >/dev/null 2>&1 || exit 0; exec symposium hook codex pre-tool-use
        if (-not (Get-Command symposium -ErrorAction SilentlyContinue)) { exit 0 }; & symposium hook codex pre-tool-use
        symposium hook codex pre-tool-use
        command -v symposium >/dev/null 2>&1 || exit 0; exec symposium hook codex pre-tool-use --project
        if (-not (Get-Command symposium -ErrorAction SilentlyContinue)) { exit 0 }; & symposium hook codex pre-tool-use --project
        symposium hook codex pre-tool-use --project
    "#]],
    );
}

#[test]
fn by_path() {
    check(
        &SymposiumProgram::Path { path: "/opt/bin/symposium".to_owned(), directories: Vec::new() },
        &expect![[r#"
        [ -x '/opt/bin/symposium' ] || exit 0; exec '/opt/bin/symposium' hook codex pre-tool-use
        if (-not (Test-Path -LiteralPath '/opt/bin/symposium' -PathType Leaf)) { exit 0 }; & '/opt/bin/symposium' hook codex pre-tool-use
        /opt/bin/symposium hook codex pre-tool-use
        [ -x '/opt/bin/symposium' ] || exit 0; exec '/opt/bin/symposium' hook codex pre-tool-use --project
        if (-not (Test-Path -LiteralPath '/opt/bin/symposium' -PathType Leaf)) { exit 0 }; & '/opt/bin/symposium' hook codex pre-tool-use --project
        /opt/bin/symposium hook codex pre-tool-use --project
    "#]],
    );
}

#[test]
fn by_a_path_with_quotes_and_a_home() {
    let path = "/opt/it's \u{2019}x\u{2019}/symposium".to_owned();
    check(
        &SymposiumProgram::Path { path, directories: vec!["--home".to_owned(), "/h x'".to_owned()] },
        &expect![[r#"
        [ -x '/opt/it'\''s ’x’/symposium' ] || exit 0; exec '/opt/it'\''s ’x’/symposium' hook codex pre-tool-use --home '/h x'\'''
        if (-not (Test-Path -LiteralPath '/opt/it''s ’’x’’/symposium' -PathType Leaf)) { exit 0 }; & '/opt/it''s ’’x’’/symposium' hook codex pre-tool-use --home '/h x'''
        "/opt/it's ’x’/symposium" hook codex pre-tool-use --home "/h x'"
        [ -x '/opt/it'\''s ’x’/symposium' ] || exit 0; exec '/opt/it'\''s ’x’/symposium' hook codex pre-tool-use --project
        if (-not (Test-Path -LiteralPath '/opt/it''s ’’x’’/symposium' -PathType Leaf)) { exit 0 }; & '/opt/it''s ’’x’’/symposium' hook codex pre-tool-use --project
        "/opt/it's ’x’/symposium" hook codex pre-tool-use --project
    "#]],
    );
}

#[test]
fn by_a_windows_path_that_ends_in_a_backslash() {
    let path = r"C:\Program Files\symposium.exe".to_owned();
    check(
        &SymposiumProgram::Path { path, directories: vec!["--home".to_owned(), "D:\\my tools\\".to_owned()] },
        &expect![[r#"
        [ -x 'C:\Program Files\symposium.exe' ] || exit 0; exec 'C:\Program Files\symposium.exe' hook codex pre-tool-use --home 'D:\my tools\'
        if (-not (Test-Path -LiteralPath 'C:\Program Files\symposium.exe' -PathType Leaf)) { exit 0 }; & 'C:\Program Files\symposium.exe' hook codex pre-tool-use --home 'D:\my tools\'
        "C:\Program Files\symposium.exe" hook codex pre-tool-use --home "D:\my tools\\"
        [ -x 'C:\Program Files\symposium.exe' ] || exit 0; exec 'C:\Program Files\symposium.exe' hook codex pre-tool-use --project
        if (-not (Test-Path -LiteralPath 'C:\Program Files\symposium.exe' -PathType Leaf)) { exit 0 }; & 'C:\Program Files\symposium.exe' hook codex pre-tool-use --project
        "C:\Program Files\symposium.exe" hook codex pre-tool-use --project
    "#]],
    );
}

#[test]
fn our_server() {
    let program = SymposiumProgram::Path {
        path: "/opt/bin/symposium".to_owned(),
        directories: vec!["--home".to_owned(), "/h".to_owned()],
    };
    for (scope, program, expected) in [
        (Scope::User, &program, vec!["mcp", "--home", "/h"]),
        (Scope::Project, &program, vec!["mcp"]),
        (Scope::User, &SymposiumProgram::Bare, vec!["mcp"]),
    ] {
        let caller = CommandBuilder { agent: AgentId::Codex, scope, program };
        assert_eq!(caller.server_arguments(), expected);
    }
}
