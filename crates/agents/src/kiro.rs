//! Kiro: its dialect and its files, known from its documentation and the source of its predecessor.

use serde_json::{Map, Value, json};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, HookOutput};

use crate::dialect::{
    AgentDialect, AgentEvent, ContextEffect, DialectOwner, EventAbilities, EventNames, HookAbilities,
};
use crate::register::{TIMEOUT_SECONDS, json_text};
use crate::registration_input::RegistrationInput;
use crate::settings_layout::{HookArrangement, MatcherSyntax, SettingsLayer, SettingsLayout, VariableMeaning};
use crate::spec::{
    AgentSpec, DoubleRegistration, HandlerForm, HandlerGrouping, HookFile, HookLayout, IgnoredFiles, InstructionFiles,
    McpFile, RegisteredCalls, RegistrationNote, ShellTraces, SkillDirectories, TimeUnit,
};
use crate::usual::{self, HOOKS, SERVERS};
use crate::wire::read_nested;
use crate::wire_format::{FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames, ToolMapping, WireFormat};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: EventNames {
        session_start: Some("agentSpawn"),
        user_prompt_submit: Some("userPromptSubmit"),
        pre_tool_use: Some("preToolUse"),
        post_tool_use: Some("postToolUse"),
        stop: Some("stop"),
        ..usual::EVENTS
    },
    native: STANDALONE_ONLY,
    can: HookAbilities {
        user_prompt_submit: Some(EventAbilities::TELL_WHY),
        pre_tool_use: Some(EventAbilities { context: ContextEffect::Impossible, ..EventAbilities::TELL_OR_BLOCK }),
        post_tool_use: Some(EventAbilities::ONLY_WATCH),
        stop: Some(EventAbilities::ONLY_WATCH),
        ..usual::ABILITIES
    },
    // `max_output_size` of a hook.
    context_limit: Some(10_240),
    wire: WireFormat {
        fields: FieldNames {
            // Not in every mode.
            session_id: &["session_id"],
            output: &["result", "items", "stdout"],
            failed: |response| response.get("success") == Some(&Value::Bool(false)),
            source: &[],
            ..FieldNames::USUAL
        },
        // The names differ by generation of the program.
        tools: &[
            ToolMapping::same("Bash", &["execute_bash", "shell", "execute_cmd"]),
            ToolMapping::keyed("Read", &["fs_read", "read"], &[("file_path", "path")]),
            ToolMapping::keyed(
                "Edit",
                &["fs_write", "write"],
                &[("file_path", "path"), ("old_string", "old_str"), ("new_string", "new_str")],
            )
            .only_with("command", &["str_replace", "insert", "append"]),
            ToolMapping::keyed("Write", &["fs_write", "write"], WRITE_KEYS).only_with("command", &["create"]),
            ToolMapping::keyed("Write", &["fs_write", "write"], WRITE_KEYS),
            ToolMapping::same("Glob", &["glob"]),
            ToolMapping::same("Grep", &["grep"]),
        ],
        // Its tools are known from its documentation only.
        harmless: &[],
        mcp: McpNames {
            split: |name, _, _| {
                let (server, tool) = name.strip_prefix('@')?.split_once('/')?;
                Some((server.to_owned(), tool.to_owned()))
            },
            join: |server, tool| format!("@{server}/{tool}"),
        },
        write,
        read,
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
        ..usual::WIRE
    },
    ..usual::dialect(DialectOwner::Agent(AgentId::Kiro))
};

const WRITE_KEYS: &[(&str, &str)] = &[("file_path", "path"), ("content", "file_text")];

/// Reads an answer. At the start and with a prompt Kiro takes any output of a handler as context; at other events it
/// reads nothing but the exit code, and a deny in JSON is accepted all the same.
fn read(event: Event, answer: &mut Map<String, Value>) -> HookOutput {
    match event {
        Event::SessionStart | Event::UserPromptSubmit => {
            let text = Value::Object(std::mem::take(answer)).to_string();
            HookOutput { additional_context: Some(text), ..HookOutput::default() }
        }
        Event::PreToolUse | Event::PostToolUse | Event::Stop => read_nested(event, answer),
    }
}

/// Writes an answer. Exit code 2 blocks; otherwise standard output is context.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    match &reply.verdict {
        LoweredDecision::Block(reason) => HookAnswer::blocked(reason),
        LoweredDecision::Nothing | LoweredDecision::Allow(_) | LoweredDecision::Ask(_) => {
            HookAnswer::text(reply.context.clone().unwrap_or_default())
        }
    }
}

static STANDALONE_EVENTS: EventNames = usual::EVENTS;

const STANDALONE_ONLY: &[&str] = &["PreTaskExec", "PostTaskExec", "PostFileCreate", "PostFileSave", "PostFileDelete"];

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Kiro",
    programs: &["kiro-cli", "kiro"],
    home_signs: &[".kiro"],
    // Not `kiro-cli-term`, which runs between a terminal and the user's own shell, nor the editor.
    own_shell: ShellTraces {
        variables: &["KIRO_SESSION_ID", "KIRO_AGENT_PATH"],
        programs: &["kiro-cli", "kiro-cli-chat"],
        paths: &[],
    },
    skills: SkillDirectories {
        project: ".kiro/skills",
        also_in_project: &[],
        global: &[".kiro/skills"],
        ignored: IgnoredFiles::Opened,
    },
    hooks: &[
        HookFile {
            native: &[],
            layout: HookLayout::Own {
                // A nested entry, as Claude's, makes Kiro fall back to another agent without a message.
                handler: HandlerForm {
                    grouping: HandlerGrouping::Flat,
                    fixed: &[],
                    timeout_key: "timeout_ms",
                    timeout_unit: TimeUnit::Milliseconds,
                    ..usual::HANDLER
                },
                frame: agent_file,
            },
            ..usual::hook_file(".kiro/agents/symposium.json", &DIALECT)
        },
        HookFile {
            wanted: wants_standalone,
            events: &STANDALONE_EVENTS,
            native: STANDALONE_ONLY,
            layout: HookLayout::Written(standalone_file),
            ..usual::hook_file(".kiro/hooks/symposium.json", &DIALECT)
        },
    ],
    // Of two agents with the same name the project's is used.
    both_scopes: DoubleRegistration::ProjectHidesGlobal,
    mcp: McpFile {
        persons_keys: &["disabled", "timeout", "autoApprove", "disabledTools"],
        ..usual::mcp_file(".kiro/settings/mcp.json")
    },
    instructions: InstructionFiles {
        project: &[".kiro/steering/*.md", "AGENTS.md"],
        global: &[".kiro/steering/*.md"],
        hidden: &[],
    },
    notes: &[
        RegistrationNote::both(
            "Kiro calls Symposium's hooks only if the agent `symposium` is selected: start `kiro-cli chat --agent \
             symposium`, or make it the default with `kiro-cli agent set-default symposium`",
        ),
        RegistrationNote {
            scope: None,
            when: wants_standalone,
            text: "Kiro IDE and the future Kiro CLI 3 call the stand-alone hooks with every agent, including \
                   `symposium`",
        },
    ],
    holdings: &HOLDINGS,
    ..usual::spec(AgentId::Kiro, &DIALECT)
};

fn wants_standalone(situation: &RegistrationInput) -> bool {
    situation.switches.kiro_standalone_hooks
}

/// Returns an agent definition, since hooks belong to agents. Without `tools` the agent could do nothing, without
/// `includeMcpJson` the user would lose their servers, and without the resources it would see no skills.
fn agent_file(hooks: &Value) -> Value {
    json!({
        "name": "symposium",
        "description": "Kiro with Symposium's skills and hooks for the crates of the workspace. Written by `symposium sync`.",
        "tools": ["*"],
        "includeMcpJson": true,
        "resources": ["skill://.kiro/skills/**/SKILL.md", "skill://~/.kiro/skills/**/SKILL.md"],
        "hooks": hooks,
    })
}

/// Returns a file in the newer format: hooks that belong to no agent.
fn standalone_file(calls: &RegisteredCalls<'_>) -> String {
    let hook = |(name, event): &(&str, AgentEvent)| {
        json!({
            "name": format!("symposium {}", event.word()),
            "trigger": name,
            "action": { "type": "command", "command": calls.caller.command(event.word(), calls.shell) },
            "timeout": TIMEOUT_SECONDS,
        })
    };
    json_text(&json!({ "version": "v1", "hooks": calls.events.iter().map(hook).collect::<Vec<_>>() }))
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(".kiro/agents/*.json", HOOKS, SERVERS),
        SettingsLayer { shape: HookArrangement::Listed, ..SettingsLayer::user(".kiro/hooks/*.json", HOOKS, None) },
        SettingsLayer::user(".kiro/settings/mcp.json", None, SERVERS),
        SettingsLayer::project(".kiro/agents/*.json", HOOKS, SERVERS),
        SettingsLayer { shape: HookArrangement::Listed, ..SettingsLayer::project(".kiro/hooks/*.json", HOOKS, None) },
        SettingsLayer::project(".kiro/settings/mcp.json", None, SERVERS),
    ],
    // Stand-alone hooks count in seconds.
    timeouts: &[("timeout_ms", TimeUnit::Milliseconds), ("timeout", TimeUnit::Seconds)],
    default_timeout: 30,
    matching: MatcherSyntax::Glob,
    unportable: &[(
        "cache_ttl_seconds",
        "only Kiro caches the answers of hooks; without the cache it would run every time",
    )],
    variables: &[("USER_PROMPT", VariableMeaning::OwnAffair)],
    ..usual::LAYOUT
};
