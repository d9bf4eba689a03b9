//! Codex CLI: its dialect and its files.

mod trust;

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::edit::EditFormat;
use symposium_model::hook::{Event, ToolResult};
use symposium_model::transport::ServerTransport;

use crate::command::ShellKind;
use crate::context_facts::{ContextFacts, ListingLimit, ToolListing};
use crate::dialect::{
    AgentDialect, DialectOwner, EventAbilities, EventNames, HookAbilities, MessageChannel, OutputEffect, RewriteEffect,
};
use crate::permission::{PermissionFile, RuleText};
use crate::registration_input::{AgentPath, RegisteredServer, Scope};
use crate::servers;
use crate::settings_layout::{
    CauseMatcher, HookPlace, LayerPath, LoadedLayer, SettingsFormat, SettingsLayer, SettingsLayout,
};
use crate::shell_output::{OutputExtent, ShellOutput};
use crate::spec::{
    AgentSpec, AgentTrust, HandlerPlace, HookFile, HookLayout, HookTrust, IgnoredFiles, InstructionFiles, McpFile,
    ReferenceSyntax, RegistrationNote, RelocationVariable, SettingsReaction, SettingsStrictness, ShellPathChannel,
    ShellTraces, SkillDirectories, SpecEvidence, SseSupport,
};
use crate::usual::{self, HOOKS};
use crate::wire::{PATCH_ALSO, write_nested};
use crate::wire_format::{
    EVERY, FieldNames, HookAnswer, KnownKeys, LoweredDecision, LoweredOutcome, NativeForm, RefusalFormat, StartMatcher,
    ToolMapping, WireFormat,
};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: EventNames {
        // Fires for a failed command too, and does not say that it failed.
        post_tool_use: Some("PostToolUse"),
        ..usual::EVENTS
    },
    native: &["SessionEnd", "PermissionRequest", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    own: NativeForm {
        matched: &[
            ("SessionEnd", "reason"),
            ("PermissionRequest", "tool_name"),
            ("PreCompact", "trigger"),
            ("PostCompact", "trigger"),
        ],
        session_start: StartMatcher::Source,
        // With exit code 2 it does not read standard output.
        refusal: RefusalFormat::ExitCode,
        void: &["continue", "stopReason", "suppressOutput"],
        known: KNOWN,
        ..usual::NATIVE
    },
    can: HookAbilities {
        pre_tool_use: Some(EventAbilities { rewrite: RewriteEffect::NeedsAllow, ..EventAbilities::TELL_OR_BLOCK }),
        post_tool_use: Some(EventAbilities { output: OutputEffect::Works, ..EventAbilities::TELL_WHY }),
        // There is no limit on turns: hooks must respect `stop_hook_active`.
        stop: Some(EventAbilities::ANOTHER_TURN),
        ..usual::ABILITIES
    },
    message: MessageChannel::Shown,
    // The limit is 2,500 tokens; 9,990 characters arrived whole.
    context_limit: Some(9_990),
    // The limit is 2,500 tokens.
    output_limit: Some(9_900),
    wire: WireFormat {
        fields: FieldNames {
            output: &["content", "output"],
            failed: |response| response.get("isError") == Some(&Value::Bool(true)),
            sub_agent: &["agent_id"],
            last_message: &["last_assistant_message"],
            shell_output,
            replaced_output: |_, _, text| Some(text.into()),
            ..FieldNames::USUAL
        },
        tools: &[
            ToolMapping::same("Bash", &["Bash"]),
            ToolMapping::keyed("Patch", &["apply_patch"], &[("patch", "command")]).also(PATCH_ALSO),
            // Input for a running command. Version 0.166.0 raises no event for it.
            ToolMapping::keyed("Bash", &["write_stdin"], &[("command", "chars")]),
        ],
        harmless: &[
            // Agents that work for this one; their tools raise events.
            "close_agent",
            "followup_task",
            "interrupt_agent",
            "list_agents",
            "resume_agent",
            "send_input",
            "send_message",
            "spawn_agent",
            "wait_agent",
            "create_goal",
            // Hooks know it by the name of the shell.
            "exec_command",
            // JavaScript that calls the other tools, each of which raises its own event; and waiting for it.
            "exec",
            "wait",
            "get_goal",
            "list_mcp_resource_templates",
            "list_mcp_resources",
            "read_mcp_resource",
            "request_user_input",
            "request_user_input_async",
            "sleep",
            "tool_search",
            "update_goal",
            "update_plan",
            "view_image",
            "web_search",
        ],
        write,
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
        ..usual::WIRE
    },
    sub_agent_start: Some("SubagentStart"),
    ..usual::dialect(DialectOwner::Agent(AgentId::Codex))
};

/// The keys Codex knows in an answer. It discards an answer with any other key, and then runs the tool that was denied.
const KNOWN: &[KnownKeys] = &[
    KnownKeys {
        event: "PreToolUse",
        answer: &["decision", "reason", "hookSpecificOutput"],
        own: &["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
    },
    KnownKeys { event: "PostToolUse", answer: &["decision", "reason", "hookSpecificOutput"], own: TELLING },
    KnownKeys { event: "UserPromptSubmit", answer: &["decision", "reason", "hookSpecificOutput"], own: TELLING },
    KnownKeys { event: "SessionStart", answer: &["hookSpecificOutput"], own: TELLING },
    KnownKeys { event: "SubagentStart", answer: &["hookSpecificOutput"], own: TELLING },
    KnownKeys { event: "PermissionRequest", answer: &["hookSpecificOutput"], own: &["hookEventName", "decision"] },
    KnownKeys { event: "Stop", answer: &["decision", "reason"], own: &[] },
    KnownKeys { event: "SubagentStop", answer: &["decision", "reason"], own: &[] },
    KnownKeys { event: EVERY, answer: &[], own: &[] },
];

const TELLING: &[&str] = &["hookEventName", "additionalContext"];

/// Writes an answer with known fields only. An unknown one discards the whole answer, and so does an allow without a
/// changed input.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let mut reply = reply.clone();
    if matches!(reply.verdict, LoweredDecision::Allow(_)) {
        // Codex ignores the reason; a changed input with `allow` and nothing else was observed to work.
        reply.verdict = if reply.rewrite.is_some() { LoweredDecision::Allow(None) } else { LoweredDecision::Nothing };
    }
    if let Some(Value::String(text)) = reply.output.take() {
        // After a tool, the reason of a block is what the model reads in place of the output.
        reply.verdict = LoweredDecision::Block(text);
    }
    if reply.is_neutral() {
        return DIALECT.neutral(None);
    }
    HookAnswer::json(write_nested(&reply))
}

/// Reads the output of a command. Codex does not tell how it ended.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    let text = result.response.as_ref()?.as_str()?;
    let extent = if text.contains(" tokens truncated…") { OutputExtent::Cut } else { OutputExtent::Whole };
    Some(ShellOutput { extent, ..ShellOutput::plain(text) })
}

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Codex CLI",
    evidence: SpecEvidence::Ran("0.166.0"),
    programs: &["codex"],
    home_signs: &[".codex"],
    own_shell: ShellTraces {
        variables: &["CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID", "CODEX_SESSION_ID", "CODEX_CI", "CODEX_SANDBOX"],
        programs: &["codex"],
        paths: &["/@openai/codex/"],
    },
    shell_path: ShellPathChannel::Settings(&["shell_environment_policy", "set"]),
    moved_by: &[RelocationVariable { variable: "CODEX_HOME", directory: ".codex", along: &[] }],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".codex/skills"],
        global: &[".agents/skills", ".codex/skills"],
        ignored: IgnoredFiles::Opened,
    },
    context: ContextFacts {
        skill_names: 2,
        skill_frame: 26,
        limit: Some(ListingLimit {
            room: 21_760,
            taken: 1_560,
            models: "",
            beyond: "shortens every description",
            setting: None,
        }),
        tools: ToolListing::Instructions,
    },
    hooks: &[HookFile {
        windows_shell: ShellKind::PowerShell,
        layout: HookLayout::Shared {
            // Trust depends on the hash of the handler and on its position: text and order must never change by
            // themselves.
            handler: usual::HANDLER,
            starts_as: "{}\n",
        },
        // Only `description` and `hooks` may stand at the top level.
        strictness: SettingsStrictness {
            comment: SettingsReaction::RejectsFile,
            trailing_comma: SettingsReaction::RejectsFile,
            byte_order_mark: SettingsReaction::RejectsFile,
            empty: SettingsReaction::RejectsFile,
            unknown_key: SettingsReaction::RejectsFile,
        },
        ..usual::hook_file(".codex/hooks.json", &DIALECT)
    }],
    mcp: McpFile {
        key: "mcp_servers",
        format: EditFormat::Toml,
        starts_as: "",
        server,
        references: ReferenceSyntax::ByName,
        sse: SseSupport::NotSpoken,
        persons_keys: &["enabled", "startup_timeout_sec", "tool_timeout_sec", "enabled_tools", "disabled_tools"],
        strictness: SettingsStrictness { unknown_key: SettingsReaction::Accepts, ..SettingsStrictness::UNKNOWN },
        ..usual::mcp_file(".codex/config.toml")
    },
    instructions: InstructionFiles { project: &["AGENTS.md"], global: &[".codex/AGENTS.md"], hidden: &[] },
    trust: AgentTrust::Hooks(&HookTrust {
        file: AgentPath::Home(".codex/config.toml"),
        table: &["hooks", "state"],
        key: trust::trust_key,
        hash_key: "trusted_hash",
        hashed: trust::trusted_text,
        switch: "enabled",
        distrusted: ("projects", "trust_level", "untrusted"),
    }),
    notes: &[
        RegistrationNote::both(
            "Codex CLI runs a hook only after you trust it: start `codex` once, and review or trust the new hooks \
             when it asks; until then it skips them silently",
        ),
        RegistrationNote::for_scope(
            Scope::Project,
            "Codex CLI reads `.codex/` of a project only in a project you trust, \
             and from a subdirectory only inside a git repository",
        ),
    ],
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    ..usual::spec(AgentId::Codex, &DIALECT)
};

static PERMISSIONS: [PermissionFile; 3] = [
    PermissionFile { at: LayerPath::Home(".codex/rules/*.rules"), notation: None, rules },
    PermissionFile { at: LayerPath::Project(".codex/rules/*.rules"), notation: None, rules },
    PermissionFile { at: LayerPath::GitRoot(".codex/rules/*.rules"), notation: None, rules },
];

/// Finds rules such as `prefix_rule(pattern = ["git", "push"], decision = "forbidden")`. Words after a choice of words
/// are ignored, which makes the rule cover more commands.
fn rules(file: &Value) -> Vec<RuleText> {
    let text = file.as_str().unwrap_or_default();
    let patterns = text.split("pattern").skip(1).filter_map(|rest| {
        let (_, list) = rest.split_once('[').filter(|(before, _)| before.trim() == "=")?;
        let list = list.split(['[', ']']).next().unwrap_or_default();
        let words: Vec<&str> = list.split(['"', '\'']).skip(1).step_by(2).collect();
        Some(words.join(" "))
    });
    patterns.map(|words| RuleText { text: words.clone(), pattern: Some(words) }).collect()
}

/// Writes a server in Codex's notation: headers have a key of their own, and a value is taken from the environment by
/// the key it stands under, not by a reference in it.
fn server(server: &RegisteredServer) -> Value {
    let mut value = servers::fields(server);
    match &server.transport {
        ServerTransport::Stdio { env, .. } => {
            let (set, handed_on) = servers::without_handed_on(env);
            value.remove("env");
            servers::insert_pairs(&mut value, "env", &set);
            if !handed_on.is_empty() {
                value.insert("env_vars".to_owned(), Value::from(handed_on));
            }
        }
        ServerTransport::Http { headers, .. } | ServerTransport::Sse { headers, .. } => {
            value.remove("headers");
            let mut plain = headers.clone();
            let mut taken = Vec::new();
            plain.retain(|(name, content)| {
                let bearer = content.strip_prefix("Bearer ").filter(|_| name.eq_ignore_ascii_case("authorization"));
                if let Some(variable) = bearer.and_then(servers::referenced) {
                    value.insert("bearer_token_env_var".to_owned(), variable.into());
                    return false;
                }
                taken.extend(servers::referenced(content).map(|variable| (name.clone(), variable.to_owned())));
                servers::referenced(content).is_none()
            });
            servers::insert_pairs(&mut value, "http_headers", &plain);
            servers::insert_pairs(&mut value, "env_http_headers", &taken);
        }
    }
    Value::Object(value)
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(".codex/hooks.json", HOOKS, None),
        SettingsLayer::user(".codex/config.toml", HOOKS, SERVERS).written_in(SettingsFormat::Toml),
        // In a repository it reads the files in its root too.
        SettingsLayer::json(Scope::Project, LayerPath::GitRoot(".codex/hooks.json"), HOOKS, None),
        SettingsLayer::json(Scope::Project, LayerPath::GitRoot(".codex/config.toml"), HOOKS, SERVERS)
            .written_in(SettingsFormat::Toml),
        SettingsLayer::project(".codex/hooks.json", HOOKS, None),
        SettingsLayer::project(".codex/config.toml", HOOKS, SERVERS).written_in(SettingsFormat::Toml),
    ],
    default_timeout: 600,
    unportable: &[(
        "async",
        "Codex CLI runs it in the background and ignores its answer; Symposium waits for every handler",
    )],
    hook_is_off,
    causes: CauseMatcher::NamesOrPattern,
    ..usual::LAYOUT
};

const SERVERS: Option<&[&str]> = Some(&["mcp_servers"]);

fn hook_is_off(hook: &HookPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let place = HandlerPlace { file: hook.file, event: hook.event, group: hook.group, handler: hook.handler };
    let key = trust::trust_key(&place);
    all.iter().find_map(|settings| {
        let what = if settings.says(&["features", "hooks"], false) {
            "`features.hooks`"
        } else if settings.says(&["features", "codex_hooks"], false) {
            "`features.codex_hooks`"
        } else if settings.says(&["hooks", "state", &key, "enabled"], false) {
            "`hooks.state`"
        } else {
            return None;
        };
        Some(format!("{what} in {} switches it off", settings.shown))
    })
}
