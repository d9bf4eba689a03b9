use symposium_model::agent::AgentId;

use super::*;
use crate::registration_input::{AgentSettings, SymposiumProgram};
use crate::{alternatives, registration, spec};

fn situation() -> RegistrationInput {
    RegistrationInput::new(SymposiumProgram::Bare, OsFamily::Posix)
}

fn places(agent: AgentId, scope: Scope, situation: &RegistrationInput) -> Vec<AgentPath> {
    registration(agent, scope, situation).files.iter().map(|file| file.place).collect()
}

#[test]
fn the_file_that_exists_decides_where_servers_go() {
    use AgentPath::{Home, Project};
    let (json, jsonc) = (Project("opencode.json"), Project("opencode.jsonc"));
    let (plain, github) = (Project(".mcp.json"), Project(".github/mcp.json"));
    for (agent, scope, existing, expected) in [
        (AgentId::OpenCode, Scope::Project, vec![], json),
        (AgentId::OpenCode, Scope::Project, vec![json], json),
        (AgentId::OpenCode, Scope::Project, vec![jsonc], jsonc),
        (AgentId::OpenCode, Scope::Project, vec![json, jsonc], jsonc),
        (
            AgentId::OpenCode,
            Scope::User,
            vec![Home(".config/opencode/opencode.jsonc"), json],
            Home(".config/opencode/opencode.jsonc"),
        ),
        (AgentId::Copilot, Scope::Project, vec![], plain),
        (AgentId::Copilot, Scope::Project, vec![github], github),
        (AgentId::Copilot, Scope::Project, vec![github, plain], plain),
        (AgentId::Copilot, Scope::User, vec![github], Home(".copilot/mcp-config.json")),
        (AgentId::Claude, Scope::Project, vec![github], plain),
    ] {
        let shown = format!("{agent} {scope:?} {existing:?}");
        let last = places(agent, scope, &RegistrationInput { existing, ..situation() }).pop();
        assert_eq!(last, Some(expected), "{shown}");
    }
}

#[test]
fn what_decides_can_be_asked_for() {
    let project: Vec<AgentPath> = alternatives(Scope::Project).collect();
    for name in [".mcp.json", ".github/mcp.json", "opencode.json", "opencode.jsonc"] {
        assert!(project.contains(&AgentPath::Project(name)), "{name}");
    }
    assert!(alternatives(Scope::User).all(|place| matches!(place, AgentPath::Home(_))));
}

#[test]
fn settings_of_ours_switch_files() {
    let with = |opencode_hooks, kiro_standalone_hooks| RegistrationInput {
        switches: AgentSettings { opencode_hooks, kiro_standalone_hooks, allow_symposium: false },
        ..situation()
    };
    let count = |agent, situation: &RegistrationInput| places(agent, Scope::Project, situation).len();
    assert_eq!(count(AgentId::OpenCode, &with(true, false)), 2);
    assert_eq!(count(AgentId::OpenCode, &with(false, false)), 1);
    assert_eq!(registration(AgentId::OpenCode, Scope::Project, &with(false, false)).notes, Vec::<String>::new());
    assert_eq!(count(AgentId::Kiro, &with(true, false)), 2);
    assert_eq!(count(AgentId::Kiro, &with(true, true)), 3);
}

fn registered(agent: AgentId, situation: &RegistrationInput) -> Vec<String> {
    let files = registration(agent, Scope::User, situation).files;
    let FileContent::Entries { entries, .. } = &files[0].content else { panic!("{agent} has no shared file") };
    let hooks = entries.iter().filter(|entry| entry.path[0] == "hooks");
    hooks.map(|entry| entry.path[1].clone()).collect()
}

#[test]
fn events_are_registered_when_they_are_wanted_and_in_one_order() {
    let with = |stop, native: &[&str]| RegistrationInput {
        stop,
        native_events: native.iter().map(|name| (*name).to_owned()).collect(),
        ..situation()
    };
    let usual = ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool"];
    for (situation, more) in [
        (with(false, &[]), vec![]),
        (with(true, &[]), vec!["AfterAgent"]),
        // Requested by its own name it is the same event.
        (with(false, &["AfterAgent", "BeforeTool"]), vec!["AfterAgent"]),
        (with(true, &["PreCompress", "BeforeModel"]), vec!["AfterAgent", "BeforeModel", "PreCompress"]),
        (with(true, &["BeforeModel", "PreCompress", "BeforeModel"]), vec!["AfterAgent", "BeforeModel", "PreCompress"]),
        (with(false, &["NoSuchEvent"]), vec![]),
    ] {
        let expected: Vec<&str> = usual.into_iter().chain(more).collect();
        assert_eq!(registered(AgentId::Gemini, &situation), expected);
    }
}

#[test]
fn what_cannot_be_registered_is_said() {
    let kiro = RegistrationInput { native_events: vec!["PostFileSave".to_owned()], ..situation() };
    let notes = registration(AgentId::Kiro, Scope::User, &kiro).notes;
    assert!(notes.iter().any(|note| note.contains("`PostFileSave`")), "{notes:?}");
}

#[test]
fn a_plugin_cannot_take_our_servers_name() {
    let transport = ServerTransport::Stdio { command: "other".to_owned(), args: Vec::new(), env: Vec::new() };
    let servers = vec![RegisteredServer { name: NAME.to_owned(), transport }];
    let files = registration(AgentId::Cursor, Scope::User, &RegistrationInput { servers, ..situation() }).files;
    let FileContent::Entries { entries, .. } = &files[1].content else { panic!("shared") };
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].value["command"], "symposium");
}

#[test]
fn what_is_known_is_complete_and_in_order() {
    for agent in AgentId::ALL {
        let spec = spec(agent);
        assert_eq!((spec.id, spec.dialect.owner.agent()), (agent, Some(agent)));
        assert!(!spec.title.is_empty() && !spec.instructions.project.is_empty(), "{agent}");
        let is_program = agent != AgentId::Agents;
        assert_eq!((!spec.programs.is_empty(), !spec.home_signs.is_empty()), (is_program, is_program), "{agent}");
        assert_eq!(spec.hooks.is_empty(), spec.dialect.own_events().next().is_none(), "{agent}");
        let sentences = spec.notes.iter().map(|note| note.text);
        for text in sentences.chain(spec.root_only.note(spec.title).as_deref()) {
            assert!(text.starts_with(char::is_uppercase) && !text.ends_with('.') && !text.contains("  "), "{text}");
        }
        let paths = spec.skills.global.iter().chain(spec.skills.also_in_project).chain([&spec.skills.project]);
        for path in paths.chain(spec.home_signs).chain(spec.instructions.project).chain(spec.instructions.global) {
            assert!(!path.starts_with(['/', '~']) && !path.ends_with('/') && !path.contains(".."), "{agent} {path}");
        }
        for file in spec.hooks {
            let unknown = file.native.iter().find(|name| !spec.dialect.native.contains(name));
            assert_eq!(unknown, None, "{agent}");
        }
        let mut native = spec.dialect.native.to_vec();
        native.sort_unstable();
        native.dedup();
        assert_eq!(native.len(), spec.dialect.native.len(), "{agent}");
    }
}
