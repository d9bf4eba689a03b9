//! Factory's droid: its dialect and its files, by its documents. Its hooks have Claude Code's form.

use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

use crate::dialect::{
    AgentDialect, AskEffect, ContextEffect, DialectOwner, EventAbilities, HookAbilities, MessageChannel, RewriteEffect,
};
use crate::registration_input::{AgentPath, RegistrationInput};
use crate::servers;
use crate::settings_layout::{CauseMatcher, HookPlace, LoadedLayer, SettingsLayer, SettingsLayout};
use crate::spec::{AgentSpec, HookFile, InstructionFiles, McpFile, RegistrationNote, ShellTraces, SkillDirectories};
use crate::usual::{self, HOOKS, SERVERS};
use crate::wire::PATCH_ALSO;
use crate::wire_format::{NativeForm, StartMatcher, ToolMapping, WireFormat};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    native: &["SessionEnd", "Notification", "SubagentStop", "PreCompact"],
    own: NativeForm { matched: &[("PreCompact", "trigger")], session_start: StartMatcher::Source, ..usual::NATIVE },
    can: HookAbilities {
        pre_tool_use: Some(EventAbilities {
            context: ContextEffect::Impossible,
            rewrite: RewriteEffect::NeedsAllow,
            ask: AskEffect::Works,
            ..EventAbilities::TELL_OR_BLOCK
        }),
        ..usual::ABILITIES
    },
    message: MessageChannel::Shown,
    project_variable: Some("FACTORY_PROJECT_DIR"),
    wire: WireFormat {
        tools: &[
            ToolMapping::same("Bash", &["Execute"]),
            ToolMapping::same("Read", &["Read"]),
            ToolMapping::same("Write", &["Create"]),
            ToolMapping::same("Edit", &["Edit"]),
            ToolMapping::same("Patch", &["ApplyPatch"]).also(PATCH_ALSO),
            ToolMapping::same("Glob", &["Glob"]),
            ToolMapping::same("Grep", &["Grep"]),
            ToolMapping::same("WebFetch", &["FetchUrl"]),
            ToolMapping::same("WebSearch", &["WebSearch"]),
            ToolMapping::same("Task", &["Task"]),
        ],
        harmless: &["LS", "TodoWrite"],
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
        ..usual::WIRE
    },
    ..usual::dialect(DialectOwner::Agent(AgentId::Droid))
};

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Factory droid",
    programs: &["droid"],
    home_signs: &[".factory"],
    own_shell: ShellTraces { variables: &[], programs: &["droid"], paths: &[] },
    skills: SkillDirectories {
        project: ".factory/skills",
        also_in_project: &[".agent/skills"],
        global: &[".factory/skills"],
        ..usual::SKILLS
    },
    hooks: &[
        HookFile {
            wanted: |situation| !has_hooks_file(situation),
            ..usual::hook_file(".factory/settings.json", &DIALECT)
        },
        // Where it exists, the hooks in the other file do not count, so it is never created.
        HookFile { under: &[], wanted: has_hooks_file, ..usual::hook_file(HOOKS_FILE, &DIALECT) },
    ],
    decided_by: &[AgentPath::Home(HOOKS_FILE), AgentPath::Project(HOOKS_FILE)],
    mcp: McpFile {
        server: servers::typed,
        persons_keys: &["disabled", "enabledTools", "disabledTools", "timeoutMs"],
        ..usual::mcp_file(".factory/mcp.json")
    },
    instructions: InstructionFiles { project: &["AGENTS.md"], global: &[".factory/AGENTS.md"], hidden: &[] },
    notes: &[RegistrationNote::both(
        "Factory droid's documents do not say what counts if one hook denies a tool and another one allows it",
    )],
    holdings: &HOLDINGS,
    ..usual::spec(AgentId::Droid, &DIALECT)
};

const HOOKS_FILE: &str = ".factory/hooks.json";

fn has_hooks_file(situation: &RegistrationInput) -> bool {
    SPEC.decided_by.iter().any(|place| situation.existing.contains(place))
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(".factory/settings.json", HOOKS, None),
        SettingsLayer::user(HOOKS_FILE, Some(&[]), None),
        SettingsLayer::user(".factory/mcp.json", None, SERVERS),
        SettingsLayer::project(".factory/settings.json", HOOKS, None),
        SettingsLayer::project(HOOKS_FILE, Some(&[]), None),
        SettingsLayer::project(".factory/mcp.json", None, SERVERS),
    ],
    hook_is_off,
    server_is_off,
    causes: CauseMatcher::NamesOrPattern,
    ..usual::LAYOUT
};

fn hook_is_off(_: &HookPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let off = all.iter().find(|settings| settings.says(&["hooksDisabled"], true))?;
    Some(format!("`hooksDisabled` in {} switches it off", off.shown))
}

fn server_is_off(name: &str, all: &[LoadedLayer<'_>]) -> Option<String> {
    let off = all.iter().find(|settings| settings.says(&["mcpServers", name, "disabled"], true))?;
    Some(format!("`disabled` in {} switches it off", off.shown))
}
