use serde_json::json;
use symposium_model::agent::AgentId;

use super::*;
use crate::import::carry;
use crate::registration_input::Scope;
use crate::settings_layout::SettingsLayer;

fn servers(agent: AgentId, value: &Value) -> ImportResult {
    let layers = spec(agent).holdings.layers;
    let layer: &'static SettingsLayer =
        layers.iter().find(|layer| layer.servers.is_some() && layer.scope == Scope::User).unwrap();
    let settings = [LoadedLayer { layer, path: "/f", shown: "~/f", value }];
    carry(&ImportInput {
        agent,
        settings: &settings,
        scope: Scope::User,
        workspace: None,
        is_our_handler: &|_, _| false,
        is_our_server: &|_, name, _| name == "symposium",
    })
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn secrets_become_references() {
    let value = json!({"mcpServers": {
        "symposium": {"command": "symposium", "args": ["mcp"]},
        "github": {"type": "stdio", "command": "npx", "args": ["-y", "gh-mcp", "--token", "abc", "--key=xyz", "https://u:p@h/x?api_key=q"],
            "env": {"GITHUB_TOKEN": "ghp_secretsecretsecret", "LOG": "debug"}},
        "web": {"type": "http", "url": "https://h/mcp?token=s3cret", "headers": {"Authorization": "Bearer s3cret", "Accept": "a", "X-Own": "s3cret"}},
    }});
    let carried = servers(AgentId::Claude, &value);
    let [github, web] = carried.servers.as_slice() else { panic!("{carried:?}") };
    let args = [
        "-y",
        "gh-mcp",
        "--token",
        "${GITHUB_TOKEN}",
        "--key=${GITHUB_KEY}",
        "https://${GITHUB_CREDENTIALS}@h/x?api_key=${GITHUB_API_KEY}",
    ];
    assert_eq!(
        github.transport,
        ServerTransport::Stdio {
            command: "npx".to_owned(),
            args: args.map(str::to_owned).to_vec(),
            env: pairs(&[("GITHUB_TOKEN", "${GITHUB_TOKEN}"), ("LOG", "debug")]),
        }
    );
    let headers = [("Accept", "a"), ("Authorization", "Bearer ${WEB_AUTHORIZATION}"), ("X-Own", "${WEB_X_OWN}")];
    assert_eq!(
        web.transport,
        ServerTransport::Http { url: "https://h/mcp?token=${WEB_TOKEN}".to_owned(), headers: pairs(&headers) }
    );
    assert!(!format!("{carried:?}").contains("s3cret") && !format!("{carried:?}").contains("ghp_"), "{carried:?}");
}

#[test]
fn secrets_hide_in_many_places() {
    let cases = [
        (json!(["run", "-e", "DB_PASSWORD=hunter2", "img"]), json!(["run", "-e", "DB_PASSWORD=${DB_PASSWORD}", "img"])),
        (
            json!(["mcp-remote", "https://h/mcp", "--header", "Authorization: Bearer hunter2"]),
            json!(["mcp-remote", "https://h/mcp", "--header", "Authorization: Bearer ${S_AUTHORIZATION}"]),
        ),
        (json!(["--header", "X-Api-Key:hunter2"]), json!(["--header", "X-Api-Key:${S_X_API_KEY}"])),
        (json!(["--header", "Authorization:${AUTH}"]), json!(["--header", "Authorization:${AUTH}"])),
        (json!(["-c", "API_TOKEN=hunter2 npx srv"]), json!(["-c", "API_TOKEN=${API_TOKEN} npx srv"])),
        (json!(["-c", "API_TOKEN='hunter2' srv"]), json!(["-c", "API_TOKEN='${API_TOKEN}' srv"])),
        (json!(["https://h/api/abcdef0123456789abcdef0123456789/mcp"]), json!(["https://h/api/${S_ADDRESS}/mcp"])),
        (
            json!(["MODE=fast", "--log=debug", "a:b", "it's fine"]),
            json!(["MODE=fast", "--log=debug", "a:b", "it's fine"]),
        ),
    ];
    for (args, wanted) in cases {
        let carried = servers(AgentId::Claude, &json!({"mcpServers": {"s": {"command": "x", "args": args}}}));
        let ServerTransport::Stdio { args: found, .. } = &carried.servers[0].transport else { panic!("{carried:?}") };
        assert_eq!(json!(found), wanted);
    }
    let env = json!({"DATABASE_URL": "postgres://u:hunter2@h/db", "TOKEN": "${TOKEN:-hunter2}", "URL": "https://h/x"});
    let carried = servers(AgentId::Claude, &json!({"mcpServers": {"s": {"command": "x", "env": env}}}));
    let ServerTransport::Stdio { env, .. } = &carried.servers[0].transport else { panic!("{carried:?}") };
    let wanted = [("DATABASE_URL", "${DATABASE_URL}"), ("TOKEN", "${TOKEN}"), ("URL", "https://h/x")];
    assert_eq!(*env, pairs(&wanted));
}

#[test]
fn a_server_of_a_plugin_knows_where_that_is() {
    for (agent, path, variable) in [
        (AgentId::Gemini, "/h/.gemini/extensions/e/gemini-extension.json", "extensionPath"),
        (AgentId::Goose, "/h/.agents/plugins/e/.mcp.json", "PLUGIN_ROOT"),
    ] {
        let value = json!({"mcpServers": {"s": {"command": format!("${{{variable}}}/srv"), "args": [format!("${{{variable}}}/x")],
            "env": {"D": format!("${{{variable}}}")}}}});
        let layer = spec(agent).holdings.layers.iter();
        let mut layers = layer.filter(|layer| layer.servers == Some(&["mcpServers"]) && layer.scope == Scope::User);
        let settings = [LoadedLayer { layer: layers.next().unwrap(), path, shown: "~/f", value: &value }];
        let carried = carry(&ImportInput {
            agent,
            settings: &settings,
            scope: Scope::User,
            workspace: None,
            is_our_handler: &|_, _| false,
            is_our_server: &|_, _, _| false,
        });
        let place = plugin_directory(path).unwrap();
        let wanted = ServerTransport::Stdio {
            command: format!("{place}/srv"),
            args: vec![format!("{place}/x")],
            env: pairs(&[("D", place)]),
        };
        assert_eq!(carried.servers[0].transport, wanted);
    }
}

#[test]
fn every_agents_way_of_writing_is_read() {
    let stdio = |env: &[(&str, &str)]| ServerTransport::Stdio {
        command: "srv".to_owned(),
        args: vec!["-a".to_owned()],
        env: pairs(env),
    };
    for (agent, value, wanted) in [
        (
            AgentId::OpenCode,
            json!({"mcp": {"s": {"type": "local", "command": ["srv", "-a"], "environment": {"T": "{env:T}"}}}}),
            stdio(&[("T", "${T}")]),
        ),
        (
            AgentId::Codex,
            json!({"mcp_servers": {"s": {"command": "srv", "args": ["-a"], "env_vars": ["T"]}}}),
            stdio(&[("T", "${T}")]),
        ),
        (
            AgentId::Goose,
            json!({"extensions": {"s": {"type": "stdio", "cmd": "srv", "args": ["-a"], "env_keys": ["T"], "envs": {"U": "1"}}}}),
            stdio(&[("U", "1"), ("T", "${T}")]),
        ),
        (
            AgentId::Cursor,
            json!({"mcpServers": {"s": {"command": "srv", "args": ["-a"], "env": {"T": "${env:T}"}}}}),
            stdio(&[("T", "${T}")]),
        ),
        (
            AgentId::Gemini,
            json!({"mcpServers": {"s": {"url": "https://h"}}}),
            ServerTransport::Sse { url: "https://h".to_owned(), headers: vec![] },
        ),
        (
            AgentId::Gemini,
            json!({"mcpServers": {"s": {"httpUrl": "https://h"}}}),
            ServerTransport::Http { url: "https://h".to_owned(), headers: vec![] },
        ),
        (
            AgentId::Codex,
            json!({"mcp_servers": {"s": {"url": "https://h", "bearer_token_env_var": "T"}}}),
            ServerTransport::Http { url: "https://h".to_owned(), headers: pairs(&[("Authorization", "Bearer ${T}")]) },
        ),
    ] {
        // Goose keeps its servers in several files.
        let layers = spec(agent).holdings.layers;
        let key = value.as_object().unwrap().keys().next().unwrap().clone();
        let layer = layers.iter().find(|layer| layer.servers.is_some_and(|keys| keys == [key.as_str()])).unwrap();
        let settings = [LoadedLayer { layer, path: "/f", shown: "~/f", value: &value }];
        let carried = carry(&ImportInput {
            agent,
            settings: &settings,
            scope: layer.scope,
            workspace: None,
            is_our_handler: &|_, _| false,
            is_our_server: &|_, _, _| false,
        });
        assert_eq!(carried.servers.first().map(|server| &server.transport), Some(&wanted), "{agent} {carried:?}");
    }
}

#[test]
fn what_cannot_be_carried_is_named() {
    let value = json!({"mcpServers": {
        "off": {"command": "x", "disabled": true},
        "none": {"args": []},
        "trusting": {"command": "x", "trust": true, "timeout": 5},
    }});
    let carried = servers(AgentId::Gemini, &value);
    let left: Vec<&str> = carried.left_out.iter().map(|left| left.what.as_str()).collect();
    assert_eq!(left, ["MCP server `none`", "MCP server `off`", "`timeout`, `trust` of MCP server `trusting`"]);
}
