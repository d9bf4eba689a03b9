//! The settings of Claude Code that Symposium reads: hooks, servers and rules of the user, and those it adds.

use serde_json::Value;

use crate::permission::{self, PermissionFile, RuleText};
use crate::registration_input::{AgentPath, Scope};
use crate::settings_layout::{
    CauseMatcher, HookPlace, LayerPath, LoadedLayer, PluginPlace, SettingsLayer, SettingsLayout, VariableMeaning,
    WORKSPACE,
};
use crate::spec::AllowRules;
use crate::usual::{self, HOOKS, SERVERS};

pub(super) static ALLOW: AllowRules = AllowRules {
    file: AgentPath::Home(".claude/settings.json"),
    list: &["permissions", "allow"],
    rules: &["Bash(symposium start:*)", "Bash(symposium crate:*)", "Bash(symposium api:*)", "mcp__symposium__*"],
};

pub(super) static PERMISSIONS: [PermissionFile; 7] = [
    PermissionFile::json(managed("managed-settings.json"), rules),
    PermissionFile::json(managed("managed-settings.d/*.json"), rules),
    PermissionFile::json(LayerPath::Home(".claude/settings.json"), rules),
    PermissionFile::json(LayerPath::Project(".claude/settings.json"), rules),
    PermissionFile::json(LayerPath::Project(".claude/settings.local.json"), rules),
    // It may have been started in the root of the repository.
    PermissionFile::json(LayerPath::GitRoot(".claude/settings.json"), rules),
    PermissionFile::json(LayerPath::GitRoot(".claude/settings.local.json"), rules),
];

fn rules(settings: &Value) -> Vec<RuleText> {
    let lists = [&["permissions", "allow"][..], &["permissions", "deny"], &["permissions", "ask"]];
    permission::in_parentheses(settings, &lists, &["Bash"])
}

pub(super) static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::json(Scope::User, managed("managed-settings.json"), HOOKS, None),
        SettingsLayer::json(Scope::User, managed("managed-settings.d/*.json"), HOOKS, None),
        SettingsLayer::json(Scope::User, managed("managed-mcp.json"), None, SERVERS),
        SettingsLayer::user(".claude/settings.json", HOOKS, None),
        SettingsLayer::user(".claude.json", None, SERVERS),
        SettingsLayer::user(".claude/plugins/cache/*/*/*/hooks/hooks.json", HOOKS, None),
        SettingsLayer::user(".claude/plugins/cache/*/*/*/.claude-plugin/plugin.json", HOOKS, SERVERS),
        SettingsLayer::user(".claude/plugins/cache/*/*/*/.mcp.json", None, SERVERS),
        // It lists the installed ones; settings say which of them are enabled.
        SettingsLayer::json(Scope::User, LayerPath::Home(INSTALLED), None, None),
        SettingsLayer::project(".claude/settings.json", HOOKS, None),
        SettingsLayer::project(".claude/settings.local.json", HOOKS, None),
        SettingsLayer::project(".mcp.json", None, SERVERS),
        SettingsLayer::json(
            Scope::Project,
            LayerPath::Home(".claude.json"),
            None,
            Some(&["projects", WORKSPACE, "mcpServers"]),
        ),
    ],
    default_timeout: 600,
    unportable: &[
        ("if", "only Claude Code supports the condition `if`; check it in the script, and import again without it"),
        ("async", "Claude Code runs it in the background and ignores its answer; Symposium waits for every handler"),
        ("asyncRewake", "only Claude Code supports hooks in the background that wake it"),
        ("once", "only Claude Code limits how often a hook runs in a session"),
    ],
    variables: &[
        ("CLAUDE_CODE_SESSION_ID", VariableMeaning::Session),
        // Scripts know it from older versions.
        ("CLAUDE_SESSION_ID", VariableMeaning::Session),
        ("CLAUDE_PLUGIN_ROOT", VariableMeaning::Plugin),
        ("CLAUDE_ENV_FILE", VariableMeaning::OwnAffair),
        ("CLAUDE_EFFORT", VariableMeaning::OwnAffair),
    ],
    hook_is_off,
    server_is_off,
    plugin_is_off,
    causes: CauseMatcher::NamesOrPattern,
    plugin_skills: &[(Scope::User, LayerPath::Home(".claude/plugins/cache/*/*/*/skills"))],
    ..usual::LAYOUT
};

const INSTALLED: &str = ".claude/plugins/installed_plugins.json";

const fn managed(below: &'static str) -> LayerPath {
    LayerPath::MachineFolder {
        path: "/etc/claude-code",
        macos: "/Library/Application Support/ClaudeCode",
        variable: "CLAUDE_CODE_MANAGED_SETTINGS_PATH",
        below,
    }
}

fn hook_is_off(hook: &HookPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let is_managed = |settings: &LoadedLayer<'_>| matches!(settings.layer.at, LayerPath::MachineFolder { .. });
    let from_managed = all.iter().any(|settings| is_managed(settings) && settings.path == hook.file);
    all.iter().find_map(|settings| {
        let key = if settings.says(&["disableAllHooks"], true) {
            "disableAllHooks"
        } else if !from_managed && is_managed(settings) && settings.says(&["allowManagedHooksOnly"], true) {
            "allowManagedHooksOnly"
        } else {
            return None;
        };
        Some(format!("`{key}` in {} switches it off", settings.shown))
    })
}

/// Returns the reason why a plugin is off. It counts in the version that is installed, and when the user's settings
/// enable it; a plugin that only the project enables is not the user's to use elsewhere.
fn plugin_is_off(place: &PluginPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let (_, below) = place.path.split_once("/plugins/cache/")?;
    let plugin = below.split('/').nth(1)?;
    let listed = all.iter().filter(|settings| settings.layer.at == LayerPath::Home(INSTALLED));
    let mut installed = listed.filter_map(|settings| settings.at(&["plugins"], None)?.as_object()).flatten();
    let is_here = |copies: &Value| {
        let copies = copies.as_array().into_iter().flatten();
        let paths = copies.filter_map(|copy| copy.get("installPath")?.as_str());
        paths.into_iter().any(|path| place.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    };
    let Some((name, _)) = installed.find(|(_, copies)| is_here(copies)) else {
        return Some(format!("this version of the plugin `{plugin}` is no longer installed"));
    };
    let says = |of: Scope| {
        let layers = all.iter().filter(|settings| settings.layer.scope == of);
        layers.filter_map(|settings| settings.at(&["enabledPlugins", name], None)?.as_bool()).next_back()
    };
    match (says(Scope::User), says(Scope::Project)) {
        (Some(true), None | Some(true)) => None,
        (Some(true), Some(false)) | (_, None | Some(false)) => {
            Some(format!("the plugin `{name}` is not switched on in `enabledPlugins`"))
        }
        (_, Some(true)) => Some(format!("the plugin `{name}` is switched on only in this project")),
    }
}

fn server_is_off(name: &str, all: &[LoadedLayer<'_>]) -> Option<String> {
    let off = all.iter().find(|settings| settings.lists(&["disabledMcpjsonServers"], name))?;
    Some(format!("`disabledMcpjsonServers` in {} switches it off", off.shown))
}
