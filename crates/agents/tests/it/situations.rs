//! Registration inputs, from the plainest to one that has everything.

use symposium_agents::{AgentSettings, OsFamily, RegisteredServer, RegistrationInput, SymposiumProgram, dialect};
use symposium_model::agent::AgentId;
use symposium_model::transport::ServerTransport;

pub(crate) fn posix_path() -> SymposiumProgram {
    SymposiumProgram::Path { path: "/home/user/.cargo/bin/symposium".to_owned(), directories: Vec::new() }
}

/// Returns a path and a directory of Symposium that need quoting everywhere.
pub(crate) fn awkward_posix_path() -> SymposiumProgram {
    SymposiumProgram::Path {
        path: "/home/user/it's (my) bin/symposium".to_owned(),
        directories: vec!["--home".to_owned(), "/home/user/$x `y` \"z\" \\ & it's".to_owned()],
    }
}

pub(crate) fn windows_path() -> SymposiumProgram {
    SymposiumProgram::Path {
        path: r"C:\Users\user\.cargo\bin\symposium.exe".to_owned(),
        directories: vec!["--home".to_owned(), r"D:\my tools\symposium".to_owned()],
    }
}

pub(crate) fn awkward_windows_path() -> SymposiumProgram {
    SymposiumProgram::Path {
        path: r"\\host\it's (my) bin & more\symposium.exe".to_owned(),
        directories: vec!["--home".to_owned(), r"D:\$x `y` it's; ".to_owned()],
    }
}

/// Returns everything a registration can hold: `Stop`, native events, servers of every transport, every setting
/// changed.
pub(crate) fn full(agent: AgentId, program: SymposiumProgram, os: OsFamily) -> RegistrationInput {
    let pairs = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    let url = |kind: &str| format!("https://example.org/{kind}");
    let server = |name: &str, transport| RegisteredServer { name: name.to_owned(), transport };
    RegistrationInput {
        stop: true,
        native_events: dialect(agent).native.iter().rev().take(2).map(|name| (*name).to_owned()).collect(),
        servers: vec![
            server(
                "local",
                ServerTransport::Stdio {
                    command: "local-server".to_owned(),
                    args: vec!["--fast".to_owned()],
                    env: pairs("LEVEL", "info"),
                },
            ),
            server("web", ServerTransport::Http { url: url("mcp"), headers: pairs("X-Key", "${KEY}") }),
            server("old", ServerTransport::Sse { url: url("sse"), headers: Vec::new() }),
        ],
        switches: AgentSettings { opencode_hooks: true, kiro_standalone_hooks: true, allow_symposium: false },
        ..RegistrationInput::new(program, os)
    }
}
