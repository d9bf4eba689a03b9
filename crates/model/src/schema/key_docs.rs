//! Descriptions and permitted values of the keys in configuration files and manifests.

use serde_json::{Value, json};

use crate::agent::AgentId;
use crate::config::LogLevel;
use crate::hook::Event;
use crate::hook::hook_plan::EditGuidance;

/// Returns the description of a key: by its place, else by its name alone.
pub(super) fn remark(at: &str, key: &str) -> Option<&'static str> {
    let place = join(at, key);
    let of_place = BY_PLACE.iter().find(|(known, _)| *known == place);
    of_place.or_else(|| BY_NAME.iter().find(|(known, _)| *known == key)).map(|(_, remark)| *remark)
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
    ("agent", "The agents to serve, and how."),
    ("agent.name", "The agents you use: a name or a list of names."),
    ("agent[].name", "An agent you use."),
    ("agent.sync-default", "Whether extensions that are new in a project are switched on."),
    ("agent.auto-sync", "Whether a session's start brings installed skills up to date with Cargo.lock."),
    ("agent.self-contained", "Use the project's own sources only."),
    ("self-contained", "Use the project's own sources only."),
    ("required-version", "Which versions of Symposium the project needs, such as `>=0.3`."),
    ("logging", "The log of slow commands."),
    ("logging.level", "How much is written."),
    ("defaults", "The sources everybody has."),
    ("defaults.builtin", "The guidance and skills inside the program."),
    ("defaults.symposium-recommendations", "The public recommendations."),
    ("defaults.user-plugins", "The `plugins/` directory beside your configuration."),
    ("plugin-source", "More sources of plugins."),
    ("plugin-source[].name", "What the source is called in messages."),
    ("plugin-source[].path", "A directory: relative to the project, or to the user's configuration directory."),
    ("plugin-source[].git", "The address of a git repository; GitHub's `…/tree/main/dir` narrows to a directory."),
    ("registry", "Another word for `plugin-source`."),
    ("registry[].name", "What the source is called in messages."),
    ("registry[].path", "A directory: relative to the project, or to the user's configuration directory."),
    ("registry[].git", "The address of a git repository."),
    ("matching", "Which dependencies count."),
    ("matching.transitive", "Whether dependencies of dependencies count too."),
    ("fetch", "How sources are fetched."),
    ("fetch.timeout", "How many seconds a source may take to be fetched. A project can only ask for less."),
    ("guidance", "Guidance that reaches the agent by itself."),
    ("guidance.index-bytes", "The size of the index of skills at the start of a session, in bytes; 0 is no index."),
    ("guidance.at-edit", "The guidance about the crates of a file that the agent reads or edits."),
    ("hooks.nudge-interval", "After how many prompts a skill is pointed to again; 0 is never."),
    ("install", "How skills are installed."),
    ("install.commit", "Whether installed skills are meant to be committed; if not, git ignores them."),
    ("update", "News about Symposium."),
    ("update.notice", "Whether the start of a session says that there is a newer version."),
    ("usage", "What is counted on this machine."),
    ("usage.record", "Whether it is counted how often which skill was loaded, by which agent; nothing else is kept."),
    ("rtk", "The workflow `rtk`."),
    ("rtk.exclude", "Commands that are left as they are."),
    ("agents", "Settings for single agents."),
    ("agents.opencode", "OpenCode."),
    ("agents.opencode.hooks", "Whether hooks are registered; without them OpenCode does not wait for npm."),
    ("agents.kiro", "Kiro."),
    ("agents.kiro.standalone-hooks", "Whether `.kiro/hooks/symposium.json` is written as well."),
    ("trust", "What may run and be read. Counts in the user's configuration only."),
    ("trust.projects", "`ask`: projects run what you granted. `never`: nothing of a project runs."),
    ("trust.allow-text", "Skills that may contain characters a reader does not see."),
    ("trust.directories", "Directories that may belong to another user, by their whole paths, with everything below."),
    (
        "plugins.auto-enable",
        "Whether skills of dependencies are on without asking: all, none, or those of these crates.",
    ),
    ("workflows", "Switches by plugin, or by `plugin/hook`."),
    // Manifests.
    ("name", "The plugin's name."),
    (
        "imported-from",
        "The agent `symposium import` made it from, on which its hooks do not run while that agent has them itself.",
    ),
    ("hooks[].imported-command", "The command it was made from, by which the agent's own entry is recognised."),
    ("session-start-context", "Text for the model at the start of a session."),
    ("hooks[].name", "What the hook is called in messages and toggles."),
    ("hooks[].description", "A sentence about the hook, for people; `symposium hook list` shows it."),
    ("hooks[].event", "The event: one that every agent knows, or one agent's own, as `gemini:BeforeModel`."),
    ("hooks[].matcher", "Which tools: a name, several as `Edit|Write`, or a regular expression; all when absent."),
    (
        "hooks[].command",
        "What is run, or the name of an installation. A first word with a `/` is a file of the plugin.",
    ),
    ("hooks[].format", "The JSON it speaks: `symposium`, or an agent's name."),
    ("hooks[].agent", "The one agent it is meant for."),
    ("hooks[].order", "When it runs among several: `policy` first, `rewrite` last."),
    ("hooks[].timeout", "Seconds it may take."),
    ("hooks[].on-failure", "What it means when it cannot be run, is killed at its deadline or fails."),
    ("hooks[].tests", "Cases for `symposium hook test`."),
    ("hooks[].tests[].name", "What the case is called."),
    ("hooks[].tests[].agent", "The one agent it is meant for."),
    ("hooks[].tests[].input", "The fields of the event."),
    ("hooks[].tests[].decision", "The decision that is expected; `none` is no opinion."),
    ("hooks[].tests[].reason", "What the reason must contain."),
    ("hooks[].tests[].context", "What the context must contain."),
    ("hooks[].tests[].rewrite", "Fields of the tool's input that must be changed, and what they become."),
    ("hooks[].tests[].output", "What the changed output must contain."),
    ("hooks[].command.name", "What the installation is called."),
    ("hooks[].command.command", "What is run."),
    ("installations", "Programs the hooks need."),
    ("installations[].name", "What hooks call it."),
    ("mcp_servers", "MCP servers to register with the agents."),
    ("mcp_servers[].name", "What agents call the server."),
    ("mcp_servers[].type", "How it is spoken to; told by `command` or `url` when absent."),
    ("mcp_servers[].command", "The program that is the server."),
    ("mcp_servers[].env", "Variables for it."),
    ("mcp_servers[].env[].name", "The variable."),
    ("mcp_servers[].env[].value", "Its value."),
    ("mcp_servers[].url", "The address of a server elsewhere."),
    ("mcp_servers[].headers", "Headers for it."),
    ("mcp_servers[].headers[].name", "The header."),
    ("mcp_servers[].headers[].value", "Its value."),
    ("plugins[].source", "Where the other plugin is."),
    ("plugins[].source.cargo", "The crate it is in."),
    ("plugins[].source.crate", "The crate it is in."),
    ("plugins[].source.cargo.name", "The crate."),
    ("plugins[].source.crate.name", "The crate."),
    ("skills[].source", "Where its skills are; `\"crate\"` is the crate itself."),
    ("skills[].source.path", "A directory of the plugin: one skill, or a directory of them."),
    ("skills[].source.crate_path", "A directory in the source of the crate it is for."),
];

pub(super) const BY_NAME: &[(&str, &str)] = &[
    ("crates", "Crates it is for: one of them, in a version that fits, must be a dependency."),
    ("depends-on", "Crates it is for: one of them, in a version that fits, must be a dependency."),
    ("depends_on", "Another spelling of `depends-on`."),
    ("advice-for", "Another word for `crates`."),
    ("predicates", "Further conditions, all of which must hold."),
    ("where", "Conditions, in a table of their own."),
    ("auto-update", "Whether it is fetched again when it is older than four hours."),
    (
        "skills",
        "In a manifest: groups of skills. In a project's configuration: switches by crate, or by `crate/skill`.",
    ),
    ("hooks", "In a manifest: its hooks. In a configuration: how hooks behave."),
    ("plugins", "In a manifest: other plugins it brings. In a configuration: what dependencies bring."),
    ("args", "Words appended to the command."),
    ("executable", "A program to run."),
    ("script", "A script to run with `sh`."),
    ("requirements", "Installations it needs."),
    ("install_commands", "Commands that install it."),
    ("source", "Where it comes from."),
    ("crate", "The package to install."),
    ("version", "A version."),
    ("git", "The address of a git repository."),
    ("path", "A directory."),
    ("global", "Whether it is installed for the user rather than for the plugin."),
    ("url", "An address."),
    ("description", "For people; nothing of ours reads it."),
    ("authors", "For people; nothing of ours reads it."),
    ("homepage", "For people; nothing of ours reads it."),
    ("repository", "For people; nothing of ours reads it."),
    ("license", "For people; nothing of ours reads it."),
];
