//! Descriptions and permitted values of the keys in configuration files and manifests.

use serde_json::{Value, json};

use crate::agent::AgentId;
use crate::config::LogLevel;
use crate::hook::Event;
use crate::hook::hook_plan::EditGuidance;

/// Returns the description of a key: by its place, else by its name alone.
pub(super) fn description(at: &str, key: &str) -> Option<&'static str> {
    let place = join(at, key);
    let of_place = BY_PLACE.iter().find(|(known, _)| *known == place);
    of_place.or_else(|| BY_NAME.iter().find(|(known, _)| *known == key)).map(|(_, description)| *description)
}

pub(super) fn join(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

pub(super) fn required(at: &str) -> &'static [&'static str] {
    REQUIRED.iter().find(|(known, _)| *known == at).map_or(&[], |(_, keys)| keys)
}

/// Returns the schema of a key that accepts only certain values.
pub(super) fn values(place: &str) -> Option<Value> {
    let agent = json!({"type": "string", "examples": AgentId::names()});
    Some(match place {
        "logging.level" => json!({"enum": LogLevel::ALL.map(LogLevel::name)}),
        "guidance.at-edit" => json!({"enum": EditGuidance::ALL.map(EditGuidance::name)}),
        "trust.projects" => json!({"enum": ["ask", "never"]}),
        "hooks[].order" => json!({"enum": ["policy", "normal", "rewrite"]}),
        "hooks[].on-failure" => json!({"enum": ["allow", "block"]}),
        "hooks[].timeout" => json!({"type": "integer", "minimum": 1, "maximum": 50}),
        "hooks[].tests[].decision" => json!({"enum": ["deny", "ask", "allow", "none"]}),
        "hooks[].event" => {
            let own: Vec<&str> = Event::ALL.into_iter().flat_map(|event| [event.name(), event.kebab()]).collect();
            json!({"anyOf": [{"enum": own}, {"type": "string", "pattern": "^[^:]+:[!-~]+$"}]})
        }
        "agent.name" | "agent[].name" => {
            json!({"anyOf": [agent.clone(), {"type": "array", "items": agent}]})
        }
        "hooks[].agent" | "hooks[].tests[].agent" | "imported-from" => agent,
        "hooks[].format" => {
            let words: Vec<&str> = std::iter::once("symposium").chain(AgentId::names()).collect();
            json!({"type": "string", "examples": words})
        }
        "installations[].source" | "hooks[].command.source" => json!({"enum": ["none", "local", "cargo", "github"]}),
        "mcp_servers[].type" => json!({"enum": ["stdio", "http", "streamable-http", "sse"]}),
        _ => return None,
    })
}

pub(super) const REQUIRED: &[(&str, &[&str])] = &[
    ("plugin-source[]", &["name"]),
    ("registry[]", &["name"]),
    ("skills[]", &["source"]),
    ("hooks[]", &["event"]),
    ("installations[]", &["name"]),
    ("mcp_servers[]", &["name"]),
    ("plugins[]", &["source"]),
];

pub(super) const BY_PLACE: &[(&str, &str)] = &[
    // Configuration.
    ("agent", "The agents and their settings."),
    ("agent.name", "The agents you use: a name or a list of names."),
    ("agent[].name", "An agent you use."),
    ("agent.sync-default", "Whether extensions that are new in a project are switched on."),
    ("agent.auto-sync", "Whether installed skills are updated to match Cargo.lock at session start."),
    ("agent.self-contained", "Use the project's own sources only."),
    ("self-contained", "Use the project's own sources only."),
    ("required-version", "The versions of Symposium that the project requires, such as `>=0.3`."),
    ("logging", "The log of slow commands."),
    ("logging.level", "The level of detail."),
    ("defaults", "The default sources."),
    ("defaults.builtin", "The guidance and skills inside the program."),
    ("defaults.symposium-recommendations", "The public recommendations."),
    ("defaults.user-plugins", "The `plugins/` directory next to your configuration."),
    ("defaults.workspace", "The workspace's own skills, in `.agents/skills` and `skills`."),
    ("plugin-source", "More sources of plugins."),
    ("plugin-source[].name", "The name of the source in messages."),
    ("plugin-source[].path", "A directory: relative to the project, or to the user's configuration directory."),
    ("plugin-source[].git", "The address of a git repository; GitHub's `…/tree/main/dir` narrows to a directory."),
    ("plugin-source[].index", "The address of an index of plugins, of which only those for your crates are fetched."),
    ("registry", "An alias of `plugin-source`."),
    ("registry[].name", "The name of the source in messages."),
    ("registry[].path", "A directory: relative to the project, or to the user's configuration directory."),
    ("registry[].git", "The address of a git repository."),
    ("registry[].index", "The address of an index of plugins, of which only those for your crates are fetched."),
    ("matching", "The dependencies that are used."),
    ("matching.transitive", "Whether indirect dependencies are used too."),
    ("fetch", "How sources are fetched."),
    ("fetch.timeout", "The time limit for fetching a source, in seconds. A project can only lower it."),
    ("guidance", "Guidance that is added to the agent's context automatically."),
    ("guidance.index-bytes", "The maximum size of the index of skills at session start, in bytes; 0 disables it."),
    ("guidance.at-edit", "The guidance about the crates of a file that the agent reads or edits."),
    ("hooks.nudge-interval", "The number of prompts after which a skill is mentioned again; 0 means never."),
    ("install", "How skills are installed."),
    ("install.commit", "Whether installed skills are committed; if not, git ignores them."),
    ("install.agents-md", "Whether AGENTS.md has a block with the index of guidance, for agents without hooks."),
    ("update", "News about Symposium."),
    ("update.notice", "Whether session start reports a newer version."),
    ("usage", "Usage counts on this machine."),
    ("usage.record", "Whether to count how often each agent loads each skill; nothing else is recorded."),
    ("rtk", "The workflow `rtk`."),
    ("rtk.exclude", "Commands that are not changed."),
    ("cargo", "The workflow `cargo`. Only valid in the user's configuration."),
    (
        "cargo.shim",
        "Whether a program of Symposium runs under the name `cargo` in the shells of Claude Code, Codex CLI, OpenCode and Kilo.",
    ),
    ("agents", "Settings for single agents."),
    ("agents.opencode", "OpenCode."),
    ("agents.opencode.hooks", "Whether hooks are registered; without them OpenCode does not wait for npm."),
    ("agents.kiro", "Kiro."),
    ("agents.kiro.standalone-hooks", "Whether `.kiro/hooks/symposium.json` is also written."),
    ("trust", "Permissions to run and read files. Only valid in the user's configuration."),
    ("trust.projects", "`ask`: projects run only granted programs. `never`: projects run no programs."),
    ("trust.allow-text", "Skills that may contain invisible characters."),
    ("trust.directories", "Absolute paths of directories that may belong to another user, including everything below."),
    ("trust.allow-symposium", "Whether agents may use Symposium's read-only commands and tools without asking."),
    (
        "plugins.auto-enable",
        "Whether skills shipped by dependencies are on by default: all, none, or those of these crates.",
    ),
    ("workflows", "Toggles by plugin, or by `plugin/hook`."),
    // Manifests.
    ("name", "The plugin's name."),
    (
        "imported-from",
        "The agent that `symposium import` read; its hooks are skipped on that agent while the original entries \
         exist.",
    ),
    ("hooks[].imported-command", "The original command, by which the agent's own entry is recognised."),
    ("session-start-context", "Text for the model at the start of a session."),
    ("hooks[].name", "The name of the hook in messages and toggles."),
    ("hooks[].description", "A short description of the hook; `symposium hook list` shows it."),
    ("hooks[].event", "The event: a canonical event, or a native event of one agent, such as `gemini:BeforeModel`."),
    ("hooks[].matcher", "The tools: a name, several as `Edit|Write`, or a regular expression; all tools if absent."),
    (
        "hooks[].command",
        "The command, or the name of an installation. A first word with a `/` is a file of the plugin.",
    ),
    ("hooks[].format", "The JSON format that it reads and writes: `symposium`, or the name of an agent."),
    ("hooks[].agent", "The only agent that it is for."),
    ("hooks[].order", "Its position among several hooks: `policy` runs first, `rewrite` last."),
    ("hooks[].timeout", "The time limit in seconds."),
    ("hooks[].on-failure", "The effect if it cannot be started, times out or fails."),
    ("hooks[].tests", "Test cases for `symposium hook test`."),
    ("hooks[].tests[].name", "The name of the test case."),
    ("hooks[].tests[].agent", "The only agent that it is for."),
    ("hooks[].tests[].input", "The fields of the event."),
    ("hooks[].tests[].decision", "The expected decision; `none` means no opinion."),
    ("hooks[].tests[].reason", "Text that the reason must contain."),
    ("hooks[].tests[].context", "Text that the context must contain."),
    ("hooks[].tests[].rewrite", "Fields of the tool's input that must be changed, with their new values."),
    ("hooks[].tests[].output", "Text that the changed output must contain."),
    ("hooks[].command.name", "The name of the installation."),
    ("hooks[].command.command", "The command."),
    ("installations", "Programs the hooks need."),
    ("installations[].name", "The name that hooks use for it."),
    ("mcp_servers", "MCP servers to register with the agents."),
    ("mcp_servers[].name", "The name of the server in agents."),
    ("mcp_servers[].type", "The transport; if absent, it follows from `command` or `url`."),
    ("mcp_servers[].command", "The program of the server."),
    ("mcp_servers[].env", "Its environment variables."),
    ("mcp_servers[].env[].name", "The variable."),
    ("mcp_servers[].env[].value", "Its value."),
    ("mcp_servers[].url", "The address of a remote server."),
    ("mcp_servers[].headers", "Its HTTP headers."),
    ("mcp_servers[].headers[].name", "The header."),
    ("mcp_servers[].headers[].value", "Its value."),
    ("plugins[].source", "The location of the other plugin."),
    ("plugins[].source.cargo", "The crate that contains it."),
    ("plugins[].source.crate", "The crate that contains it."),
    ("plugins[].source.cargo.name", "The crate."),
    ("plugins[].source.crate.name", "The crate."),
    ("skills[].source", "The location of its skills; `\"crate\"` means the crate itself."),
    ("skills[].source.path", "A directory of the plugin: one skill, or a directory of them."),
    ("skills[].source.crate_path", "A directory in the source of its crate."),
];

pub(super) const BY_NAME: &[(&str, &str)] = &[
    ("crates", "Its crates: one of them, in a matching version, must be a dependency."),
    ("depends-on", "Its crates: one of them, in a matching version, must be a dependency."),
    ("depends_on", "An alias of `depends-on`."),
    ("advice-for", "An alias of `crates`."),
    ("predicates", "Further conditions, all of which must hold."),
    ("where", "Conditions, as a separate table."),
    ("auto-update", "Whether it is fetched again if it is older than four hours."),
    ("skills", "In a manifest: groups of skills. In a project's configuration: toggles by crate, or by `crate/skill`."),
    ("hooks", "In a manifest: its hooks. In a configuration: how hooks behave."),
    ("plugins", "In a manifest: plugins that it depends on. In a configuration: plugins shipped by dependencies."),
    ("args", "Arguments appended to the command."),
    ("executable", "A program to run."),
    ("script", "A script to run with `sh`."),
    ("requirements", "Installations it needs."),
    ("install_commands", "Commands that install it."),
    ("source", "The origin of the installation."),
    ("crate", "The package to install."),
    ("version", "A version."),
    ("git", "The address of a git repository."),
    ("path", "A directory."),
    ("global", "Whether it is installed for the user instead of the plugin."),
    ("url", "An address."),
    ("description", "Information for readers; Symposium does not use it."),
    ("authors", "Information for readers; Symposium does not use it."),
    ("homepage", "Information for readers; Symposium does not use it."),
    ("repository", "Information for readers; Symposium does not use it."),
    ("license", "Information for readers; Symposium does not use it."),
];
