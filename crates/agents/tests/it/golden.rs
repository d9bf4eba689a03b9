//! Every file of every registration, as text. `UPDATE_EXPECT=1` updates them.
//!
//! An agent's folder holds one file for each case of [`situation`] that concerns it; three of them every agent must
//! have.

use std::path::PathBuf;

use expect_test::expect_file;
use symposium_agents::{
    AgentPath, OsFamily, Registration, RegistrationFile, RegistrationInput, Scope, SymposiumProgram, registration,
};
use symposium_model::agent::AgentId;
use symposium_model::edit::{EditFormat, EntrySlot, FileContent};
use symposium_model::ownership::Marker;

use crate::situations::{awkward_posix_path, full, posix_path, windows_path};

/// The cases every agent must have: the usual one in both scopes, and one with everything.
const REQUIRED: [&str; 3] = ["global", "project", "global-full"];

/// Goldens of other tests in the same folders: about events and answers, not about registration.
const SPOKEN: [&str; 3] = ["events", "answers", "foreign"];

fn situation(case: &str, agent: AgentId) -> Option<(Scope, RegistrationInput)> {
    let (scope, situation) = match case {
        "global" => (Scope::User, RegistrationInput::new(posix_path(), OsFamily::Posix)),
        "project" => (Scope::Project, RegistrationInput::new(SymposiumProgram::Bare, OsFamily::Posix)),
        "global-full" => (Scope::User, full(agent, awkward_posix_path(), OsFamily::Posix)),
        "global-windows" => (Scope::User, RegistrationInput::new(windows_path(), OsFamily::Windows)),
        "project-windows" => (Scope::Project, RegistrationInput::new(SymposiumProgram::Bare, OsFamily::Windows)),
        _ => return None,
    };
    Some((scope, situation))
}

#[test]
fn every_agent_has_its_goldens() {
    let goldens = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for agent in AgentId::ALL {
        let folder = goldens.join(agent.name());
        let files = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("Agent `{agent}` has no folder `tests/golden/{agent}`: {error}"));
        let mut cases: Vec<String> = REQUIRED.map(str::to_owned).to_vec();
        for file in files {
            let name = file.unwrap().file_name().into_string().unwrap();
            let case = name.strip_suffix(".txt").unwrap_or_else(|| panic!("`{agent}/{name}` is not a golden"));
            if !SPOKEN.contains(&case) {
                cases.push(case.to_owned());
            }
        }
        cases.sort();
        cases.dedup();
        for case in cases {
            let (scope, situation) =
                situation(&case, agent).unwrap_or_else(|| panic!("No case is called `{case}` (`{agent}/{case}.txt`)"));
            let shown = show(&registration(agent, scope, &situation));
            expect_file![folder.join(format!("{case}.txt"))].assert_eq(&shown);
        }
    }
    let folders = std::fs::read_dir(&goldens).unwrap().map(|folder| folder.unwrap().file_name());
    for folder in folders {
        assert!(AgentId::ALL.iter().any(|agent| agent.name() == folder), "No agent is called {folder:?}");
    }
}

fn show(registration: &Registration) -> String {
    let mut text = String::new();
    for file in &registration.files {
        show_file(file, &mut text);
    }
    for note in &registration.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    for server in &registration.left_out {
        text.push_str(&format!("left out: {server}\n"));
    }
    text
}

fn show_file(file: &RegistrationFile, text: &mut String) {
    let place = match file.place {
        AgentPath::Home(path) => format!("~/{path}"),
        AgentPath::Project(path) => format!("PROJECT/{path}"),
        AgentPath::GitRoot(path) => format!("GIT-ROOT/{path}"),
    };
    match &file.content {
        FileContent::Whole(content) => text.push_str(&format!("=== {place} (ours)\n{content}\n")),
        FileContent::Entries { format, entries } => {
            let format = match format {
                EditFormat::Json => "JSON",
                EditFormat::Toml => "TOML",
                EditFormat::Marked => "text",
            };
            text.push_str(&format!("=== {place} (shared {format}, starts as {:?})\n", file.starts_as));
            for entry in entries {
                let slot = match entry.slot {
                    EntrySlot::Element => "append to",
                    EntrySlot::Key => "set",
                };
                let mark = match &entry.mark {
                    Marker::HookOf(agent) => format!("hook of {agent}"),
                    Marker::OwnServer => "our server".to_owned(),
                    Marker::HookBy { agent, programs } => format!("hook of {agent}, also by {programs:?}"),
                    Marker::ServerBy(programs) => format!("our server, also by {programs:?}"),
                    mark => {
                        assert_eq!(mark, &Marker::Exactly(entry.value.clone()));
                        "exactly this".to_owned()
                    }
                };
                text.push_str(&format!("{slot} {} (ours: {mark})\n{:#}\n", entry.path.join("."), entry.value));
            }
            text.push('\n');
        }
    }
}
