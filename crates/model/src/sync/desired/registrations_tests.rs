use serde_json::json;

use super::*;
use crate::edit::{EditFormat, EntrySlot, SettingsEntry};
use crate::ownership::Marker;
use crate::transport::ServerTransport;

fn server(name: &str, scope: ServerScope) -> PluginServer {
    let transport = ServerTransport::Http { url: String::new(), headers: Vec::new() };
    let server = RegisteredServer { name: name.to_owned(), transport };
    PluginServer { server, scope, is_imported: false, is_personal: false }
}

/// Shows each request as `agent target: servers; events; warnings`.
#[track_caller]
fn check(workspace: Option<&str>, user: &[AgentId], project: &[AgentId], servers: &[PluginServer], expected: &[&str]) {
    let options = RegistrationSelection {
        workspace: workspace.map(Path::new),
        user_agents: user.to_vec(),
        project_agents: project.to_vec(),
        servers,
        own_servers: &|agent| if agent == AgentId::Codex { vec!["own".to_owned()] } else { Vec::new() },
        title: |agent| agent.name(),
    };
    let mut ledger = Ledger::default();
    let workspace = Some("/w".into());
    ledger.registered(RegisteredEvent { agent: AgentId::Claude, workspace, event: "old".to_owned() });
    let handled = [(AgentId::Claude, "new".to_owned()), (AgentId::Claude, "old".to_owned())];
    let shown: Vec<String> = options
        .requests(&handled, &ledger)
        .iter()
        .map(|request| {
            let servers: Vec<&str> = request.servers.iter().map(|server| server.name.as_str()).collect();
            let events: Vec<&str> = request.events.iter().map(|event| event.event.as_str()).collect();
            let warnings = request.warnings.len();
            format!("{} {:?}: {}; {}; {warnings}", request.agent, request.target, servers.join(" "), events.join(" "))
        })
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn agents_get_servers_where_they_are_registered() {
    use ServerScope::{Everywhere, Here, Others};
    let (claude, codex) = (AgentId::Claude, AgentId::Codex);
    let all = [server("e", Everywhere), server("h", Here), server("o", Others)];
    let personal = [PluginServer { is_personal: true, ..server("mine", Everywhere) }];
    let imported = [PluginServer { is_imported: true, ..server("own", Here) }, server("own", Everywhere)];
    check(None, &[codex], &[claude], &all, &["codex User: e o; ; 0"]);
    check(Some("/w"), &[claude], &[claude], &all, &["claude User: e o; new old; 0", "claude Project: e h; old new; 0"]);
    // An agent of the user gets what is for this project alone through the project's files.
    check(Some("/w"), &[codex], &[], &all, &["codex User: e o; ; 0", "codex Guest: h; ; 0"]);
    check(Some("/w"), &[codex], &[], &all[..1], &["codex User: e; ; 0"]);
    // The user's own is in no file of the project; that is said once, if an agent does not get it at all.
    check(Some("/w"), &[], &[claude, codex], &personal, &["claude Project: ; old new; 1", "codex Project: ; ; 0"]);
    check(Some("/w"), &[codex], &[codex], &personal, &["codex User: mine; ; 0", "codex Project: ; ; 0"]);
    // An agent that has the original does not get what was imported.
    check(Some("/w"), &[codex], &[], &imported, &["codex User: own; ; 0"]);
    check(
        Some("/w"),
        &[],
        &[codex, claude],
        &imported,
        &["codex Project: own; ; 0", "claude Project: own own; old new; 0"],
    );
}

#[test]
fn the_sentence_names_the_agents_that_lack_a_server() {
    let personal = [PluginServer { is_personal: true, ..server("mine", ServerScope::Everywhere) }];
    let options = RegistrationSelection {
        workspace: Some(Path::new("/w")),
        user_agents: vec![AgentId::Codex],
        project_agents: vec![AgentId::Codex, AgentId::Claude, AgentId::Goose],
        servers: &personal,
        own_servers: &|_| Vec::new(),
        title: |agent| agent.name(),
    };
    let expected = "MCP server `mine` belongs to you, so it is not written into this project's files for claude, goose; run `symposium init --user --agent claude` to register it in your user settings";
    assert_eq!(options.left_out(), [expected]);
    let options = RegistrationSelection { user_agents: vec![AgentId::Codex, AgentId::Gemini], ..options };
    assert!(options.guests().is_empty(), "no server is for this project alone");
    let here = [server("h", ServerScope::Here)];
    assert_eq!(RegistrationSelection { servers: &here, ..options }.guests(), [AgentId::Gemini]);
}

#[test]
fn a_file_that_agents_share_is_written_once() {
    let entry = |key: &str| SettingsEntry {
        path: vec![key.to_owned()],
        slot: EntrySlot::Key,
        value: json!(1),
        mark: Marker::OwnServer,
    };
    let entries = |keys: &[&str]| FileContent::Entries {
        format: EditFormat::Json,
        entries: keys.iter().map(|key| entry(key)).collect(),
    };
    let registration = |agent, content| AgentRegistration {
        request: RegistrationRequest::new(agent, RegistrationTarget::Project),
        files: vec![DesiredFile { path: "/f".into(), workspace: None, agents: vec![agent], content, starts_as: "" }],
        notes: vec!["note".to_owned()],
        warnings: vec!["warning".to_owned()],
    };
    for (first, second, expected) in [
        (entries(&["a", "b"]), entries(&["b", "c"]), entries(&["a", "b", "c"])),
        (FileContent::Whole("x".to_owned()), FileContent::Whole("y".to_owned()), FileContent::Whole("x".to_owned())),
    ] {
        let mut desired = DesiredState::default();
        desired.add_registration(registration(AgentId::Claude, first));
        desired.add_registration(registration(AgentId::Codex, second));
        let file = desired.files.pop().unwrap();
        assert_eq!((file.agents, file.content), (vec![AgentId::Claude, AgentId::Codex], expected));
        assert!(desired.files.is_empty());
        assert_eq!(desired.notes[1], (AgentId::Codex, "note".to_owned()));
        assert_eq!(desired.warnings, ["warning", "warning"]);
    }
}

#[test]
fn files_and_events_out_of_scope_are_left_out() {
    use crate::sync::scope::SyncScope;
    for (scope, expected) in
        [(SyncScope::UserAndWorkspace, [2, 2]), (SyncScope::User, [1, 1]), (SyncScope::Workspace, [1, 1])]
    {
        let mut desired = DesiredState::default();
        for workspace in [None, Some("/w".into())] {
            let content = FileContent::Whole(String::new());
            let (agent, event) = (AgentId::Claude, "stop".to_owned());
            desired.events.push(RegisteredEvent { agent, workspace: workspace.clone(), event });
            let path = "/f".into();
            desired.files.push(DesiredFile { path, workspace, agents: Vec::new(), content, starts_as: "" });
        }
        desired.retain(scope);
        assert_eq!([desired.files.len(), desired.events.len()], expected);
    }
}
