//! Factory's droid: its dialect and its files, by its documents. Its hooks have Claude Code's form.

use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

use crate::dialect::{
    AgentDialect, AskEffect, ContextEffect, DialectOwner, EventAbilities, HookAbilities, MessageChannel, RewriteEffect,
};
use crate::registration_input::{AgentPath, RegistrationInput};
use crate::servers;
use crate::settings_layout::{CauseMatcher, HookPlace, LoadedLayer, SettingsLayer, SettingsLayout};
use crate::spec::{
    AgentSpec, HookFile, InstructionFiles, McpFile, RegistrationNote, SettingsReaction, SettingsStrictness,
    ShellTraces, SkillDirectories,
};
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
            ToolMapping::keyed("Edit", &["Edit"], &[("old_string", "old_str"), ("new_string", "new_str")]),
            ToolMapping::keyed("Patch", &["ApplyPatch"], &[("patch", "input")]).also(PATCH_ALSO),
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
            wanted: |situation| !has(situation, HOOKS_FILE) && !has(situation, OLD_HOOKS_FILE),
            strictness: STRICTNESS,
            ..usual::hook_file(".factory/settings.json", &DIALECT)
        },
        // Its events hide those in the settings, so it is never created.
        HookFile {
            under: &[],
            wanted: |situation| has(situation, HOOKS_FILE),
            strictness: STRICTNESS,
            ..usual::hook_file(HOOKS_FILE, &DIALECT)
        },
        HookFile {
            under: &[],
            wanted: |situation| has(situation, OLD_HOOKS_FILE) && !has(situation, HOOKS_FILE),
            strictness: STRICTNESS,
            ..usual::hook_file(OLD_HOOKS_FILE, &DIALECT)
        },
    ],
    decided_by: &[
        AgentPath::Home(HOOKS_FILE),
        AgentPath::Home(OLD_HOOKS_FILE),
        AgentPath::Project(HOOKS_FILE),
        AgentPath::Project(OLD_HOOKS_FILE),
    ],
    mcp: McpFile {
        server: servers::typed,
        persons_keys: &["disabled", "enabledTools", "disabledTools", "timeoutMs"],
        strictness: STRICTNESS,
        ..usual::mcp_file(".factory/mcp.json")
    },
    instructions: InstructionFiles { project: &["AGENTS.md"], global: &[".factory/AGENTS.md"], hidden: &[] },
    notes: &[
        RegistrationNote::both(
            "Factory droid's documents do not say what counts if one hook denies a tool and another one allows it",
        ),
        RegistrationNote {
            scope: None,
            when: |situation| has(situation, HOOKS_FILE) || has(situation, OLD_HOOKS_FILE),
            text: "Factory droid runs no hooks in `settings.json` for the events in its `hooks.json`, and Symposium adds \
                   events to that file: if you have hooks in `settings.json`, move them to it",
        },
    ],
    holdings: &HOLDINGS,
    ..usual::spec(AgentId::Droid, &DIALECT)
};

const HOOKS_FILE: &str = ".factory/hooks.json";

/// Read where the other one does not exist. Droid moves it there when it writes hooks itself.
const OLD_HOOKS_FILE: &str = ".factory/hooks/hooks.json";

/// By the code of version 0.225.2.
const STRICTNESS: SettingsStrictness = SettingsStrictness {
    comment: SettingsReaction::Accepts,
    trailing_comma: SettingsReaction::IgnoresFile,
    ..SettingsStrictness::UNKNOWN
};

fn has(situation: &RegistrationInput, file: &'static str) -> bool {
    [AgentPath::Home(file), AgentPath::Project(file)].iter().any(|place| situation.existing.contains(place))
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(".factory/settings.json", HOOKS, None),
        SettingsLayer::user(HOOKS_FILE, Some(&[]), None),
        SettingsLayer::user(OLD_HOOKS_FILE, Some(&[]), None),
        SettingsLayer::user(".factory/mcp.json", None, SERVERS),
        SettingsLayer::project(".factory/settings.json", HOOKS, None),
        SettingsLayer::project(HOOKS_FILE, Some(&[]), None),
        SettingsLayer::project(OLD_HOOKS_FILE, Some(&[]), None),
        SettingsLayer::project(".factory/mcp.json", None, SERVERS),
    ],
    hook_is_off,
    server_is_off: usual::server_is_disabled,
    causes: CauseMatcher::NamesOrPattern,
    ..usual::LAYOUT
};

/// The key stands among the events: under `hooks` in the settings, at the top in the other files.
fn hook_is_off(_: &HookPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    // An older file is not read beside the newer one.
    let is_hidden = |old: &LoadedLayer<'_>| {
        let folder = old.shown.strip_suffix("/hooks/hooks.json");
        folder.is_some() && all.iter().any(|other| other.shown.strip_suffix("/hooks.json") == folder)
    };
    let keys = [&["hooksDisabled"][..], &["hooks", "hooksDisabled"]];
    let is_off =
        |settings: &&LoadedLayer<'_>| keys.iter().any(|keys| settings.says(keys, true)) && !is_hidden(settings);
    let off = all.iter().find(is_off)?;
    Some(format!("`hooksDisabled` in {} switches it off", off.shown))
}
