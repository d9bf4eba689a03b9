//! Pi.

#![expect(clippy::disallowed_methods, reason = "where the model is, Pi learns only from a module")]

use serde_json::json;

use super::{Act, Agent, Existing, Launch, Packaging, Scope, Start, file, strings, tool};
use crate::model::ToolCall;

pub(super) const AGENT: Agent = Agent {
    name: "pi",
    title: "Pi",
    package: "@earendil-works/pi-coding-agent",
    version: "1.5.0",
    packaging: Packaging::Unpacked { node: "22.23.3", beside: &["jiti@2.7.0", "quickjs-wasi@3.6.2"] },
    program: "@earendil-works/pi-coding-agent/dist/bundle/cli.js",
    kept: None,
    defaults: "",
    variants: &["scripted"],
    launch,
    call,
    existing,
};

fn launch(launch: &Launch) -> Start {
    let model = json!({"id": launch.variant, "name": launch.variant, "reasoning": false, "input": ["text"],
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}, "contextWindow": 200_000,
        "maxTokens": 8_000});
    let provider = json!({"baseUrl": format!("{}/v1", launch.model), "apiKey": "dummy",
        "api": "openai-completions", "models": [model]});
    let module = format!("export default function (pi) {{\n  pi.registerProvider(\"fake\", {provider});\n}}\n");
    let port = launch.model.rsplit(':').next().unwrap_or_default();
    let path = launch.cache.join(format!("provider-{port}.js"));
    drop(std::fs::write(&path, module));
    let provider = path.display().to_string();
    let model = format!("fake/{}", launch.variant);
    Start {
        // It asks whether a project is trusted, not about hooks of the user.
        arguments: strings(&["-e", &provider, "--model", &model, "--offline", "--approve", "-p", launch.prompt]),
        environment: ["PI_OFFLINE", "PI_SKIP_VERSION_CHECK"]
            .map(|name| (name, "1".to_owned()))
            .into_iter()
            .chain([("PI_TELEMETRY", "0".to_owned())])
            .collect(),
    }
}

fn call(act: &Act) -> ToolCall {
    match act {
        Act::Shell(command) => tool("bash", json!({"command": command})),
        // It has no tool for skills: the model reads the file.
        Act::Read(path) | Act::Skill { file: path, .. } => tool("read", json!({"path": path})),
        Act::Write { path, text } => tool("write", json!({"path": path, "content": text})),
        Act::Edit { path, old, new } => {
            tool("edit", json!({"path": path, "edits": [{"oldText": old, "newText": new}]}))
        }
        Act::Delegate(_) | Act::Patch(_) => tool("bash", json!({"command": "true"})),
        Act::Mcp { server, tool: name } => tool(format!("mcp__{server}__{name}"), json!({})),
    }
}

fn existing(scope: Scope, existing: &Existing) -> Vec<(String, String)> {
    let servers = json!({"mcpServers":
        {"probe": {"command": existing.server, "args": ["probe-server"], "exposure": "direct"}}});
    let module = format!(
        "import {{ execSync }} from \"node:child_process\";\n\nexport default function (pi) {{\n  \
         pi.on(\"tool_call\", async (event) => {{\n    if (event.toolName === \"bash\") execSync({});\n  }});\n}}\n",
        json!(existing.hook)
    );
    let (extensions, settings) = match scope {
        Scope::User => (".pi/agent/extensions/mine.js", ".pi/agent/mcp.json"),
        Scope::Project => ("project/.pi/extensions/mine.js", "project/.pi/mcp.json"),
    };
    vec![(extensions.to_owned(), module), file(settings, &servers)]
}
