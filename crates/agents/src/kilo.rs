//! Kilo: its dialect and its files. It comes from OpenCode and calls the same functions of plugins, in other places.

use symposium_model::agent::AgentId;

use crate::bridge;
use crate::context_facts::ContextFacts;
use crate::dialect::{AgentDialect, DialectOwner};
use crate::opencode;
use crate::permission::PermissionFile;
use crate::registration_input::AgentPath;
use crate::settings_layout::{LayerPath, SettingsLayer, SettingsLayout};
use crate::spec::{
    AgentSpec, FileChoice, HiddenInstructions, HookFile, HookLayout, InstructionFiles, McpFile, RegistrationNote,
    RelocationVariable, ShellPathChannel, ShellTraces, SkillDirectories, SpecEvidence,
};
use crate::usual::{self, SERVERS};
use crate::wire_format::{ToolMapping, WireFormat};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    owner: DialectOwner::Agent(AgentId::Kilo),
    native: &NATIVE,
    wire: WireFormat {
        tools: &TOOLS,
        harmless: &[
            "background_process",
            "board_post",
            "board_read",
            "cancel_wakeup",
            "cron_create",
            "cron_delete",
            "cron_list",
            "goal",
            "kilo_local_recall",
            "link_pr",
            "schedule_wakeup",
            "todowrite",
        ],
        ..opencode::DIALECT.wire
    },
    ..opencode::DIALECT
};

static NATIVE: [&str; 17] = bridge::extended(&opencode::NATIVE, &["session.drained", "todo.updated"]);

static TOOLS: [ToolMapping; 12] = bridge::extended(
    &opencode::TOOLS,
    // A second way to run a command; it also lists and stops them.
    &[ToolMapping::same("Bash", &["background_process"]).only_with("command", &[])],
);

/// Without this key it would write it itself.
const NEW_CONFIG: &str = "{\n  \"$schema\": \"https://app.kilo.ai/config.json\"\n}\n";

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Kilo",
    evidence: SpecEvidence::Ran("7.7.9"),
    programs: &["kilo"],
    home_signs: &[".config/kilo", ".kilo", ".kilocode"],
    own_shell: ShellTraces { variables: &["KILO", "KILO_PID"], programs: &["kilo"], paths: &[] },
    shell_path: ShellPathChannel::Module,
    moved_by: &[RelocationVariable { variable: "XDG_CONFIG_HOME", directory: ".config", along: &[] }],
    skills: SkillDirectories {
        also_in_project: &[".kilo/skills", ".kilo/skill", ".kilocode/skills", ".kilocode/skill", ".claude/skills"],
        global: &[".agents/skills", ".config/kilo/skills", ".kilo/skills", ".kilocode/skills", ".claude/skills"],
        ..usual::SKILLS
    },
    context: ContextFacts::UNKNOWN,
    hooks: &[HookFile {
        project: AgentPath::Project(".kilo/plugins/symposium.js"),
        layout: HookLayout::Written(|calls| bridge::module(opencode::MODULE, calls)),
        ..usual::hook_file(".config/kilo/plugins/symposium.js", &DIALECT)
    }],
    mcp: McpFile {
        // It reads the project's `opencode.json` too. Symposium's servers have the same names there, and so exist once.
        project: Some(FileChoice::either(&[AgentPath::Project("kilo.jsonc"), AgentPath::Project("kilo.json")])),
        global: Some(FileChoice::either(&[
            AgentPath::Home(".config/kilo/kilo.jsonc"),
            AgentPath::Home(".config/kilo/kilo.json"),
        ])),
        starts_as: NEW_CONFIG,
        ..opencode::SPEC.mcp
    },
    instructions: InstructionFiles {
        project: &["AGENTS.md", "CLAUDE.md", ".kilocoderules", ".kilo/rules/*.md", ".kilocode/rules/*.md"],
        global: &[".config/kilo/AGENTS.md", ".kilocode/rules/*.md"],
        hidden: &[HiddenInstructions {
            file: AgentPath::Project("CLAUDE.md"),
            by: AgentPath::Project("AGENTS.md"),
            brought_in_by: None,
        }],
    },
    notes: &[RegistrationNote::both(
        "Kilo waits for an npm install before it loads a plugin, over a minute if offline: set \
         `npm_config_fetch_retries=0` in its environment to avoid that",
    )],
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    ..usual::spec(AgentId::Kilo, &DIALECT)
};

static PERMISSIONS: [PermissionFile; 10] = opencode::permission_files([
    LayerPath::Home(".config/kilo/config.json"),
    LayerPath::Home(".config/kilo/kilo.json"),
    LayerPath::Home(".config/kilo/kilo.jsonc"),
    LayerPath::Project("kilo.json"),
    LayerPath::Project("kilo.jsonc"),
    LayerPath::Project(".kilo/kilo.json"),
    LayerPath::Project("opencode.json"),
    LayerPath::Project("opencode.jsonc"),
    // It reads the directories above too, up to the root of the repository.
    LayerPath::GitRoot("kilo.json"),
    LayerPath::GitRoot("kilo.jsonc"),
]);

/// Only servers: Kilo's hooks are modules in JavaScript.
static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(".config/kilo/config.json", None, opencode::SERVERS),
        SettingsLayer::user(".config/kilo/kilo.json", None, opencode::SERVERS),
        SettingsLayer::user(".config/kilo/kilo.jsonc", None, opencode::SERVERS),
        SettingsLayer::user(".kilo/kilo.json", None, opencode::SERVERS),
        SettingsLayer::user(".kilo/kilo.jsonc", None, opencode::SERVERS),
        SettingsLayer::project("kilo.json", None, opencode::SERVERS),
        SettingsLayer::project("kilo.jsonc", None, opencode::SERVERS),
        SettingsLayer::project(".kilo/kilo.json", None, opencode::SERVERS),
        SettingsLayer::project(".kilo/kilo.jsonc", None, opencode::SERVERS),
        SettingsLayer::project(".kilo/mcp.json", None, SERVERS),
        SettingsLayer::project(".kilocode/mcp.json", None, SERVERS),
        SettingsLayer::project("opencode.json", None, opencode::SERVERS).lent(AgentId::OpenCode),
        SettingsLayer::project("opencode.jsonc", None, opencode::SERVERS).lent(AgentId::OpenCode),
    ],
    programs: &[
        LayerPath::Home(".config/kilo/plugin/*"),
        LayerPath::Home(".config/kilo/plugins/*"),
        LayerPath::Home(".kilo/plugin/*"),
        LayerPath::Home(".kilo/plugins/*"),
        LayerPath::Home(".kilocode/plugin/*"),
        LayerPath::Home(".kilocode/plugins/*"),
        LayerPath::Project(".kilo/plugin/*"),
        LayerPath::Project(".kilo/plugins/*"),
        LayerPath::Project(".kilocode/plugin/*"),
        LayerPath::Project(".kilocode/plugins/*"),
    ],
    ..opencode::HOLDINGS
};
