//! The settings of Gemini CLI that Symposium reads: hooks, servers and rules of the user, and those it adds.

use serde_json::Value;

use crate::permission::{self, PermissionFile, RuleText};
use crate::registration_input::{AgentPath, Scope};
use crate::settings_layout::{
    BareUrl, CauseMatcher, HookPlace, LayerPath, LoadedLayer, MatcherSyntax, PluginPlace, SettingsFormat,
    SettingsLayer, SettingsLayout, VariableMeaning, VariableSubstitution,
};
use crate::spec::{AllowRules, TimeUnit};
use crate::usual::{self, HOOKS, SERVERS};

/// Settings of lower precedence than the user's own.
const SYSTEM_DEFAULTS: LayerPath = LayerPath::Machine {
    path: "/etc/gemini-cli/system-defaults.json",
    macos: "/Library/Application Support/GeminiCli/system-defaults.json",
    variable: Some("GEMINI_CLI_SYSTEM_DEFAULTS_PATH"),
};

const SYSTEM_SETTINGS: LayerPath = LayerPath::Machine {
    path: "/etc/gemini-cli/settings.json",
    macos: "/Library/Application Support/GeminiCli/settings.json",
    variable: Some("GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
};

pub(super) static ALLOW: AllowRules = AllowRules {
    file: AgentPath::Home(".gemini/settings.json"),
    list: &["tools", "allowed"],
    rules: &[
        "run_shell_command(symposium start)",
        "run_shell_command(symposium crate)",
        "run_shell_command(symposium api)",
    ],
};

pub(super) static PERMISSIONS: [PermissionFile; 8] = [
    PermissionFile::json(SYSTEM_DEFAULTS, rules),
    PermissionFile::json(LayerPath::Home(".gemini/settings.json"), rules),
    PermissionFile::json(LayerPath::Project(".gemini/settings.json"), rules),
    PermissionFile::json(SYSTEM_SETTINGS, rules),
    PermissionFile {
        at: LayerPath::Home(".gemini/policies/*.toml"),
        notation: Some(SettingsFormat::Toml),
        rules: policies,
    },
    PermissionFile {
        at: LayerPath::Project(".gemini/policies/*.toml"),
        notation: Some(SettingsFormat::Toml),
        rules: policies,
    },
    // It may have been started in the root of the repository.
    PermissionFile::json(LayerPath::GitRoot(".gemini/settings.json"), rules),
    PermissionFile {
        at: LayerPath::GitRoot(".gemini/policies/*.toml"),
        notation: Some(SettingsFormat::Toml),
        rules: policies,
    },
];

const SHELL_TOOLS: [&str; 3] = ["run_shell_command", "ShellTool", "Shell"];

fn rules(settings: &Value) -> Vec<RuleText> {
    let lists = [
        &["tools", "allowed"][..],
        &["tools", "exclude"],
        &["tools", "core"],
        &["allowedTools"],
        &["excludeTools"],
        &["coreTools"],
    ];
    permission::beginning_in_parentheses(settings, &lists, &SHELL_TOOLS)
}

fn policies(file: &Value) -> Vec<RuleText> {
    let mut found = Vec::new();
    for rule in file.get("rule").and_then(Value::as_array).into_iter().flatten() {
        let texts = |key: &str| match rule.get(key) {
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(_) | None => Vec::new(),
        };
        let starts = texts("commandPrefix").into_iter();
        found.extend(starts.map(|text| RuleText { pattern: Some(permission::begins_with(&text)), text }));
        let is_shell = texts("toolName").iter().any(|tool| SHELL_TOOLS.contains(&tool.as_str()));
        let patterns = texts("commandRegex").into_iter().chain(texts("argsPattern").into_iter().filter(|_| is_shell));
        found.extend(patterns.map(|text| RuleText { text, pattern: None }));
    }
    found
}

pub(super) static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::json(Scope::User, SYSTEM_DEFAULTS, HOOKS, SERVERS),
        SettingsLayer::user(".gemini/settings.json", HOOKS, SERVERS),
        SettingsLayer::project(".gemini/settings.json", HOOKS, SERVERS),
        SettingsLayer::json(Scope::User, SYSTEM_SETTINGS, HOOKS, SERVERS),
        SettingsLayer::user(".gemini/extensions/*/hooks/hooks.json", HOOKS, None),
        SettingsLayer::user(".gemini/extensions/*/gemini-extension.json", None, SERVERS),
        // It lists the disabled extensions.
        SettingsLayer::user(".gemini/extensions/extension-enablement.json", None, None),
    ],
    timeouts: &[("timeout", TimeUnit::Milliseconds)],
    matching: MatcherSyntax::Pattern,
    bare_url: BareUrl::Sse,
    variables: &[
        ("GEMINI_CWD", VariableMeaning::WorkingDirectory),
        ("GEMINI_SESSION_ID", VariableMeaning::Session),
        ("extensionPath", VariableMeaning::Plugin),
        ("GEMINI_PLANS_DIR", VariableMeaning::OwnAffair),
    ],
    substitution: VariableSubstitution::Quoted,
    hook_is_off,
    server_is_off,
    plugin_is_off,
    causes: CauseMatcher::Word,
    plugin_skills: &[(Scope::User, LayerPath::Home(".gemini/extensions/*/skills"))],
    ..usual::LAYOUT
};

fn hook_is_off(hook: &HookPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    all.iter().find_map(|settings| {
        let key = if settings.says(&["hooksConfig", "enabled"], false) {
            "hooksConfig.enabled"
        } else if settings.lists(&["hooksConfig", "disabled"], hook.name) {
            "hooksConfig.disabled"
        } else {
            return None;
        };
        Some(format!("`{key}` in {} switches it off", settings.shown))
    })
}

pub(crate) fn server_is_off(name: &str, all: &[LoadedLayer<'_>]) -> Option<String> {
    let off = all.iter().find(|settings| settings.lists(&["mcp", "excluded"], name))?;
    Some(format!("`mcp.excluded` in {} switches it off", off.shown))
}

/// Extensions are enabled and disabled per directory; the last matching rule counts.
fn plugin_is_off(place: &PluginPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let (home, below) = place.path.split_once("/.gemini/extensions/")?;
    let extension = below.split('/').next()?;
    let here = place.workspace.unwrap_or(home);
    let is_above = |rule: &str| {
        let directory = rule.trim_end_matches('*').trim_end_matches('/');
        here.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    all.iter().find_map(|settings| {
        let rules = settings.at(&[extension, "overrides"], None)?.as_array()?;
        let rules = rules.iter().filter_map(Value::as_str);
        let last = rules.rev().find(|rule| is_above(rule.trim_start_matches('!')))?;
        last.starts_with('!').then(|| format!("its extension is switched off in {}", settings.shown))
    })
}
