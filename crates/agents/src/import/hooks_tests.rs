use serde_json::{Value, json};
use symposium_model::agent::AgentId;
use symposium_model::hook::OnFailure;

use super::*;
use crate::import::carry;
use crate::settings_layout::{LayerPath, LoadedLayer, SettingsLayer};

const CLAUDE_SETTINGS: usize = 3;
const CLAUDE_PLUGINS: usize = 5;
const CLAUDE_INSTALLED: usize = 8;

/// Imports the hooks of settings, each in the layer with this index.
fn hooks(agent: AgentId, files: &[(usize, &str, Value)]) -> ImportResult {
    let layers: Vec<&'static SettingsLayer> = spec(agent).holdings.layers.iter().collect();
    let settings: Vec<LoadedLayer<'_>> = files
        .iter()
        .map(|(layer, path, value)| LoadedLayer { layer: layers[*layer], path, shown: path, value })
        .collect();
    carry(&ImportInput {
        agent,
        settings: &settings,
        scope: Scope::User,
        workspace: Some("/w"),
        is_our_handler: &|_, _| false,
        is_our_server: &|_, _, _| false,
    })
}

fn texts(carried: &ImportResult) -> Vec<String> {
    let matcher = |hook: &ConvertedHook| hook.matcher.as_ref().map(|text| format!(" [{text}]")).unwrap_or_default();
    let format = |hook: &ConvertedHook| hook.format.map(|format| format!(" {format}")).unwrap_or_default();
    let text = |hook: &ConvertedHook| {
        format!("{}{} {}s{}: {}", hook.event, matcher(hook), hook.timeout, format(hook), hook.command)
    };
    carried.hooks.iter().map(text).collect()
}

fn left(carried: &ImportResult) -> Vec<String> {
    carried.left_out.iter().map(|left| format!("{}: {}", left.what, left.why)).collect()
}

#[test]
fn gemini_counts_milliseconds_and_switches_hooks_off_by_name() {
    let value = json!({
        "hooksConfig": {"disabled": ["off", "by-command"]},
        "hooks": {
            "enabled": true,
            "BeforeTool": [{"matcher": "write_file|replace", "sequential": true, "hooks": [
                {"name": "scan", "type": "command", "command": "$GEMINI_PROJECT_DIR/scan.sh", "timeout": 5500},
                {"name": "off", "type": "command", "command": "x"},
                {"type": "command", "command": "by-command"},
                {"name": "with env", "type": "command", "command": "y", "env": {"A": "b c", "API_KEY": "s3cret"}},
            ]}],
            "SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "z"}]}],
            "BeforeModel": [{"hooks": [{"type": "command", "command": "m"}]}],
        }
    });
    let carried = hooks(AgentId::Gemini, &[(1, "~/.gemini/settings.json", value)]);
    assert_eq!(
        texts(&carried),
        [
            "gemini:BeforeModel 50s: m",
            "PreToolUse [Write|Edit] 6s gemini: \"$GEMINI_PROJECT_DIR\"/scan.sh",
            "PreToolUse [Write|Edit] 50s gemini: export A='b c'; y",
            "SessionStart [startup] 50s gemini: z",
        ]
    );
    assert_eq!(
        left(&carried),
        [
            "BeforeTool hook `off` for `write_file|replace`: `hooksConfig.disabled` in ~/.gemini/settings.json switches it off",
            "BeforeTool hook `by-command` for `write_file|replace`: `hooksConfig.disabled` in ~/.gemini/settings.json switches it off",
            "the value of `API_KEY` for hook `with-env`: it looks like a secret; set `API_KEY` in your environment",
        ]
    );
    assert!(!format!("{carried:?}").contains("s3cret"));
}

#[test]
fn qwen_counts_seconds_up_to_a_thousand_and_has_names_of_claude() {
    let hook = |command: &str, limit: u64| json!({"type": "command", "command": command, "timeout": limit});
    let value = json!({"hooks": {
        "PreToolUse": [
            {"matcher": "Bash|Write", "hooks": [hook("a", 5)]},
            {"matcher": "^run_.*$", "hooks": [hook("b", 1500)]},
            {"matcher": "edit", "hooks": [{"type": "command", "command": "c", "async": true}]},
        ],
        "PostToolBatch": [{"hooks": [hook("d", 999)]}],
        "BeforeTool": [{"hooks": [hook("of Gemini CLI", 1)]}],
    }});
    let carried = hooks(AgentId::Qwen, &[(1, "~/.qwen/settings.json", value.clone())]);
    assert_eq!(
        texts(&carried),
        ["qwen:PostToolBatch 50s: d", "PreToolUse [Bash|Write] 5s qwen: a", "PreToolUse [^Bash$|^run_.*$] 2s qwen: b",]
    );
    let mut off = value;
    off["disableAllHooks"] = json!(true);
    assert!(hooks(AgentId::Qwen, &[(1, "~/.qwen/settings.json", off)]).hooks.is_empty());
}

#[test]
fn arguments_tell_hooks_apart() {
    let hook = |arg: &str| json!({"type": "command", "command": "node", "args": [arg, 7]});
    let value = json!({"hooks": {"PreToolUse": [{"hooks": [hook("a.js"), hook("b.js"), hook("a.js")]}]}});
    let carried = hooks(AgentId::Claude, &[(CLAUDE_SETTINGS, "~/.claude/settings.json", value)]);
    let found: Vec<(&str, &str, Vec<&str>)> = carried
        .hooks
        .iter()
        .map(|hook| (hook.name.as_str(), hook.was.command.as_str(), hook.args.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(found, [("a", "node a.js 7", vec!["a.js", "7"]), ("b", "node b.js 7", vec!["b.js", "7"])]);
}

#[test]
fn a_line_no_shell_can_run_is_left_out() {
    let hook = |command: &str| json!({"type": "command", "command": command});
    let groups =
        json!([{"hooks": [hook("echo 'x"), hook("it's", ), {"type": "command", "command": "it's", "args": []}]}]);
    let carried = hooks(AgentId::Claude, &[(CLAUDE_SETTINGS, "/f", json!({"hooks": {"Stop": groups}}))]);
    assert_eq!(texts(&carried), ["Stop 50s claude: 'it'\\''s'"]);
    assert_eq!(carried.left_out.len(), 2, "{carried:?}");
    assert!(left(&carried)[0].contains("its command is not a valid shell command: "), "{carried:?}");
}

#[test]
fn the_cause_of_a_start_is_matched_as_the_agent_does() {
    let at = |event: &str, matcher: &str| json!({"hooks": {event: [{"matcher": matcher, "hooks": [{"type": "command", "command": "x"}]}]}});
    for (agent, event, matcher, wanted) in [
        (AgentId::Gemini, "SessionStart", "resume", Some("SessionStart [resume] 50s gemini: x")),
        (AgentId::Gemini, "SessionStart", "*", Some("SessionStart 50s gemini: x")),
        (AgentId::Gemini, "SessionStart", ".*", None),
        (AgentId::Gemini, "SessionStart", "startup|resume", None),
        (AgentId::Gemini, "SessionEnd", "exit", Some("gemini:SessionEnd [exit] 50s: x")),
        (AgentId::Gemini, "SessionEnd", "exit|clear", None),
        (AgentId::Gemini, "PreCompress", ".*", None),
        (AgentId::Gemini, "BeforeModel", ".*", Some("gemini:BeforeModel 50s: x")),
        (AgentId::Codex, "SessionStart", "startup|resume", Some("SessionStart [startup|resume] 50s codex: x")),
        (AgentId::Codex, "SessionStart", ".*", Some("SessionStart 50s codex: x")),
        (AgentId::Claude, "SessionStart", "compact", Some("SessionStart [compact] 50s claude: x")),
        (AgentId::Claude, "PreToolUse", "^(?!Read)", None),
    ] {
        let layers = spec(agent).holdings.layers;
        let is_it = |layer: &SettingsLayer| layer.hooks.is_some() && matches!(layer.at, LayerPath::Home(_));
        let layer = layers.iter().position(is_it).unwrap();
        let carried = hooks(agent, &[(layer, "/f", at(event, matcher))]);
        assert_eq!(texts(&carried), wanted.into_iter().collect::<Vec<_>>(), "{agent} {event} {matcher}");
        assert_eq!(carried.left_out.len(), usize::from(wanted.is_none()), "{carried:?}");
    }
}

#[test]
fn claude_has_plugins_and_an_organisation_above_it() {
    let hook = |command: &str| json!({"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]});
    let plugin = json!({"hooks": hook("\"${CLAUDE_PLUGIN_ROOT}\"/x.sh")});
    let settings = |enabled: Value| json!({"hooks": hook("mine"), "enabledPlugins": enabled});
    let installed =
        json!({"version": 2, "plugins": {"p@m": [{"scope": "user", "installPath": "/h/.claude/plugins/cache/m/p/2"}]}});
    let (new, old) =
        ("/h/.claude/plugins/cache/m/p/2/hooks/hooks.json", "/h/.claude/plugins/cache/m/p/1/hooks/hooks.json");
    let other = "/h/.claude/plugins/cache/m/q/1/hooks/hooks.json";
    let both =
        hooks(AgentId::Claude, &[(CLAUDE_PLUGINS, new, plugin.clone()), (CLAUDE_PLUGINS, other, plugin.clone())]);
    assert_eq!(both.hooks.len() + both.left_out.len(), 2, "the same text, and two scripts: {both:?}");
    let find = |managed: Value, enabled: Value| {
        hooks(
            AgentId::Claude,
            &[
                (0, "/etc/claude-code/managed-settings.json", managed),
                (CLAUDE_SETTINGS, "/h/.claude/settings.json", settings(enabled)),
                (CLAUDE_PLUGINS, old, plugin.clone()),
                (CLAUDE_PLUGINS, new, plugin.clone()),
                (CLAUDE_INSTALLED, "/h/.claude/plugins/installed_plugins.json", installed.clone()),
            ],
        )
    };
    let carried = find(json!({"hooks": hook("theirs")}), json!({"p@m": true}));
    let (theirs, mine) = ("PreToolUse 50s claude: theirs", "PreToolUse 50s claude: mine");
    let of_plugin = "PreToolUse 50s claude: env \"/h/.claude/plugins/cache/m/p/2\"/x.sh";
    assert_eq!(texts(&carried), [theirs, mine, of_plugin]);
    assert_eq!(carried.hooks[2].was.command, "m/p: \"${CLAUDE_PLUGIN_ROOT}\"/x.sh", "whichever version");
    let gone =
        "PreToolUse hook `\"${CLAUDE_PLUGIN_ROOT}\"/x.sh`: this version of the plugin `p` is no longer installed";
    assert_eq!(left(&carried), [gone]);

    let carried = find(json!({}), json!({"p@m": false}));
    assert_eq!(texts(&carried), [mine]);
    assert!(left(&carried)[1].ends_with("the plugin `p@m` is not switched on in `enabledPlugins`"), "{carried:?}");

    let carried = find(json!({"allowManagedHooksOnly": true, "hooks": hook("theirs")}), json!({"p@m": true}));
    assert_eq!(texts(&carried), [theirs]);
    assert!(left(&carried)[0].contains("`allowManagedHooksOnly` in"), "{carried:?}");
}

#[test]
fn an_extension_may_be_switched_off_somewhere() {
    let value = json!({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "x"}]}]}});
    let layers = spec(AgentId::Gemini).holdings.layers;
    let at = |end: &str| {
        layers.iter().position(|layer| matches!(layer.at, LayerPath::Home(at) if at.ends_with(end))).unwrap()
    };
    for (rules, counts) in [
        (json!([]), true),
        (json!(["!/w/*"]), false),
        (json!(["!/*"]), false),
        (json!(["!/other/*"]), true),
        (json!(["!/w/*", "/w/*"]), true),
        (json!(["/w/*", "!/w/*"]), false),
        (json!("odd"), true),
    ] {
        let enablement = json!({"e": {"overrides": rules}});
        let carried = hooks(
            AgentId::Gemini,
            &[
                (at("hooks.json"), "/h/.gemini/extensions/e/hooks/hooks.json", value.clone()),
                (at("enablement.json"), "/h/.gemini/extensions/extension-enablement.json", enablement),
            ],
        );
        assert_eq!(carried.hooks.len() == 1, counts, "{rules} {carried:?}");
    }
}

#[test]
fn codex_may_have_switched_a_hook_off_by_its_place() {
    let entry = |command: &str| json!({"hooks": [{"type": "command", "command": command, "timeout": 5}]});
    let hooks_json = json!({"hooks": {"PreToolUse": [entry("a"), entry("b")]}});
    let config = json!({
        "hooks": {"Stop": [entry("c")], "state": {"/h/hooks.json:pre_tool_use:1:0": {"enabled": false}}},
    });
    let carried = hooks(AgentId::Codex, &[(0, "/h/hooks.json", hooks_json), (1, "/h/config.toml", config)]);
    assert_eq!(texts(&carried), ["PreToolUse 5s codex: a", "Stop 5s codex: c"]);
    assert_eq!(left(&carried), ["PreToolUse hook `b`: `hooks.state` in /h/config.toml switches it off"]);
}

#[test]
fn copilot_has_two_ways_to_name_an_event() {
    let value = json!({"version": 1, "hooks": {
        "preToolUse": [
            {"type": "command", "bash": "./x.sh", "powershell": "x.ps1", "timeoutSec": 15, "matcher": "bash", "cwd": "tools dir"},
            {"type": "command", "powershell": "x.ps1"},
            {"type": "command", "command": "never", "matcher": "*"},
        ],
        "PostToolUse": [{"matcher": "Edit|Write", "hooks": [{"command": "y"}]}],
    }});
    let carried = hooks(AgentId::Copilot, &[(0, "/h/x.json", value)]);
    assert_eq!(
        texts(&carried),
        [
            "PostToolUse [Edit|Write] 30s claude: y",
            "PreToolUse [Bash] 15s copilot: cd \"$COPILOT_PROJECT_DIR\"/'tools dir' && env ./x.sh",
        ]
    );
    assert_eq!(
        left(&carried),
        [
            "preToolUse hook: it has a command for PowerShell only",
            "preToolUse hook `never` for `*`: the matcher `*` is not a regular expression, so it never ran",
        ]
    );
}

#[test]
fn kiro_has_hooks_in_agents_and_by_themselves() {
    let agent = json!({"name": "mine", "hooks": {
        "preToolUse": [
            {"matcher": "execute_bash", "command": "a", "timeout_ms": 2000},
            {"matcher": "@git", "command": "cached", "cache_ttl_seconds": 60},
        ],
        "agentSpawn": [{"command": "b"}],
    }});
    let alone = json!({"version": "v1", "hooks": [
        {"name": "Lint", "trigger": "PostToolUse", "matcher": "fs_.*", "action": {"type": "command", "command": "c"}, "timeout": 20},
        {"name": "Ask", "trigger": "Stop", "action": {"type": "agent", "prompt": "x"}},
        {"name": "Off", "trigger": "Stop", "action": {"type": "command", "command": "d"}, "enabled": false},
        {"name": "Task", "trigger": "PreTaskExec", "action": {"type": "command", "command": "e"}},
    ]});
    let carried = hooks(AgentId::Kiro, &[(0, "/k/agents/mine.json", agent), (1, "/k/hooks/x.json", alone)]);
    assert_eq!(
        texts(&carried),
        [
            "SessionStart 30s kiro: b",
            "PreToolUse [Bash] 2s kiro: a",
            "PostToolUse [^(?:Read|Edit|Write)$|fs_.*] 20s kiro: c",
            "kiro:PreTaskExec 30s: e",
        ]
    );
    let names: Vec<&str> = carried.left_out.iter().map(|left| left.what.as_str()).collect();
    assert_eq!(names, ["preToolUse hook `cached` for `@git`", "Stop hook `Ask`", "Stop hook `Off`"]);
}

#[test]
fn cursor_and_goose_may_fail_closed() {
    let cursor = json!({"version": 1, "hooks": {
        "preToolUse": [{"command": "a", "matcher": "Shell", "failClosed": true}],
        "beforeShellExecution": [{"command": "b", "timeout": 5}],
        "stop": [{"command": "ask", "type": "prompt"}],
    }});
    let carried = hooks(AgentId::Cursor, &[(1, "/c", cursor)]);
    assert_eq!(texts(&carried), ["cursor:beforeShellExecution 5s: b", "PreToolUse [Bash] 50s cursor: a"]);
    assert_eq!(
        carried.hooks.iter().map(|hook| hook.on_failure).collect::<Vec<_>>(),
        [OnFailure::Allow, OnFailure::Block]
    );
    assert_eq!(carried.left_out.len(), 1);

    let goose = json!({"hooks": {"PreToolUse": [
        {"matcher": "shell", "hooks": [{"command": "${PLUGIN_ROOT}/x.sh", "on_failure": "block"}]},
        {"matcher": "*", "hooks": [{"command": "never"}]},
    ], "UserPromptSubmit": [{"matcher": "deploy", "hooks": [{"command": "p"}]}]}});
    let off = json!({"disabledPlugins": ["other"]});
    let path = "/h/.agents/plugins/mine/hooks/hooks.json";
    let carried = hooks(AgentId::Goose, &[(0, path, goose), (5, "/h/settings.json", off)]);
    assert_eq!(
        texts(&carried),
        ["PreToolUse [Bash] 30s goose: env /h/.agents/plugins/mine/x.sh", "UserPromptSubmit 30s goose: p"]
    );
    assert_eq!(carried.hooks[0].on_failure, OnFailure::Block);
    assert_eq!(carried.left_out.len(), 2, "{:?}", carried.left_out);
}

#[test]
fn anything_can_stand_in_settings() {
    let odd = [json!([]), json!("x"), json!(null), json!({"PreToolUse": {}}), json!({"PreToolUse": [1, [], null, {}]})];
    for agent in AgentId::ALL {
        let layers = spec(agent).holdings.layers;
        for (number, layer) in layers.iter().enumerate() {
            for odd in &odd {
                let keys: Vec<&str> = layer.hooks.or(layer.servers).unwrap_or_default().iter().rev().copied().collect();
                let value = keys.iter().fold(odd.clone(), |value, key| json!({*key: value}));
                let carried = hooks(agent, &[(number, "/f", value)]);
                assert!(carried.hooks.is_empty() && carried.servers.is_empty(), "{agent} {odd}: {carried:?}");
            }
        }
    }
}

#[test]
fn the_end_of_a_session_and_a_notification_are_for_every_agent_that_has_them() {
    let hook = |matcher: Value| json!([{"matcher": matcher, "hooks": [{"type": "command", "command": "say.sh"}]}]);
    let events = |event: &str, matcher: Value| {
        let settings = json!({"hooks": {event: hook(matcher)}});
        let carried = hooks(AgentId::Claude, &[(CLAUDE_SETTINGS, "/f", settings)]);
        carried.hooks.iter().map(|hook| format!("{} {}", hook.name, hook.event)).collect::<Vec<_>>()
    };
    assert_eq!(
        events("SessionEnd", Value::Null),
        [
            "say claude:SessionEnd",
            "say-copilot copilot:sessionEnd",
            "say-gemini gemini:SessionEnd",
            "say-codex codex:SessionEnd",
            "say-goose goose:SessionEnd",
            "say-cursor cursor:sessionEnd",
            "say-qwen qwen:SessionEnd",
            "say-droid droid:SessionEnd",
        ]
    );
    assert_eq!(
        events("Notification", Value::Null),
        [
            "say claude:Notification",
            "say-copilot copilot:notification",
            "say-gemini gemini:Notification",
            "say-qwen qwen:Notification",
            "say-droid droid:Notification"
        ]
    );
    // A matcher contains words of one agent.
    assert_eq!(events("SessionEnd", json!("logout")), ["say claude:SessionEnd"]);
    assert_eq!(events("PreCompact", Value::Null), ["say claude:PreCompact"]);
}

#[test]
fn what_is_left_out_is_named_with_its_matcher() {
    let settings =
        json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "prompt", "prompt": "Safe?"}]}]}});
    let carried = hooks(AgentId::Claude, &[(CLAUDE_SETTINGS, "/f", settings)]);
    assert!(
        left(&carried)[0].starts_with("PreToolUse hook for `Bash`: only Claude Code supports hooks of type `prompt`"),
        "{carried:?}"
    );
}
