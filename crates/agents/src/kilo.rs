//! Kilo: its dialect and its files. It comes from OpenCode and calls the same functions of plugins, in other places.

use symposium_model::agent::AgentId;

use crate::context_facts::ContextFacts;
use crate::dialect::{AgentDialect, DialectOwner};
use crate::opencode;
use crate::permission::PermissionFile;
use crate::registration_input::{AgentPath, Scope};
use crate::settings_layout::{LayerPath, SettingsLayer, SettingsLayout};
use crate::spec::{
    AgentSpec, FileChoice, HiddenInstructions, HookFile, HookLayout, InstructionFiles, McpFile, OtherFiles,
    RegistrationNote, RelocationVariable, ShellPathChannel, ShellTraces, SkillDirectories, SpecEvidence,
};
use crate::usual::{self, SERVERS};
use crate::wire::PATCH_ALSO;
use crate::wire_format::{ToolMapping, WireFormat};

/// Kilo's dialect, through OpenCode's bridge.
pub(crate) static DIALECT: AgentDialect = AgentDialect {
    owner: DialectOwner::Agent(AgentId::Kilo),
    native: &[
        "session.created",
        "session.updated",
        "session.status",
        "session.idle",
        "session.diff",
        "session.drained",
        "message.updated",
        "file.edited",
        "file.watcher.updated",
        "permission.asked",
        "permission.replied",
        "todo.updated",
        // These are functions; the bridge knows which.
        "chat.message",
        "chat.params",
        "shell.env",
        "experimental.chat.system.transform",
        "experimental.text.complete",
    ],
    wire: WireFormat {
        tools: &[
            ToolMapping::same("Bash", &["bash"]),
            ToolMapping::keyed("Read", &["read"], &[("file_path", "filePath")]),
            ToolMapping::keyed("Write", &["write"], &[("file_path", "filePath")]),
            ToolMapping::keyed(
                "Edit",
                &["edit"],
                &[("file_path", "filePath"), ("old_string", "oldString"), ("new_string", "newString")],
            ),
            ToolMapping::same("Glob", &["glob"]),
            ToolMapping::same("Grep", &["grep"]),
            ToolMapping::same("WebFetch", &["webfetch"]),
            ToolMapping::same("Task", &["task"]),
            ToolMapping::keyed("Skill", &["skill"], &[("skill", "name")]),
            // A second way to run a command; it also lists and stops them.
            ToolMapping::same("Bash", &["background_process"]).only_with("command", &[]),
            ToolMapping::keyed("Patch", &["apply_patch", "patch"], &[("patch", "patchText")]).also(PATCH_ALSO),
            ToolMapping::keyed("Edit", &["multiedit"], &[("file_path", "filePath")]),
        ],
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
        layout: HookLayout::Written(|calls| opencode::bridge_of("Kilo", calls)),
        ..usual::hook_file(".config/kilo/plugins/symposium.js", &DIALECT)
    }],
    mcp: McpFile {
        // It reads the project's `opencode.json` too. Symposium's servers have the same names there, and so exist once.
        project: FileChoice {
            existing: &[AgentPath::Project("kilo.jsonc"), AgentPath::Project("kilo.json")],
            otherwise: AgentPath::Project("kilo.json"),
            others: OtherFiles::Read,
        },
        global: FileChoice {
            existing: &[AgentPath::Home(".config/kilo/kilo.jsonc"), AgentPath::Home(".config/kilo/kilo.json")],
            otherwise: AgentPath::Home(".config/kilo/kilo.json"),
            others: OtherFiles::Read,
        },
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

static PERMISSIONS: [PermissionFile; 10] = [
    permissions(LayerPath::Home(".config/kilo/config.json")),
    permissions(LayerPath::Home(".config/kilo/kilo.json")),
    permissions(LayerPath::Home(".config/kilo/kilo.jsonc")),
    permissions(LayerPath::Project("kilo.json")),
    permissions(LayerPath::Project("kilo.jsonc")),
    permissions(LayerPath::Project(".kilo/kilo.json")),
    permissions(LayerPath::Project("opencode.json")),
    permissions(LayerPath::Project("opencode.jsonc")),
    // It reads the directories above too, up to the root of the repository.
    permissions(LayerPath::GitRoot("kilo.json")),
    permissions(LayerPath::GitRoot("kilo.jsonc")),
];

const fn permissions(at: LayerPath) -> PermissionFile {
    PermissionFile::json(at, opencode::rules)
}

const KILO_SERVERS: Option<&[&str]> = Some(&["mcp"]);

/// Only servers: Kilo's hooks are modules in JavaScript.
static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::json(Scope::User, LayerPath::Home(".config/kilo/config.json"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::User, LayerPath::Home(".config/kilo/kilo.json"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::User, LayerPath::Home(".config/kilo/kilo.jsonc"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::User, LayerPath::Home(".kilo/kilo.json"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::User, LayerPath::Home(".kilo/kilo.jsonc"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project("kilo.json"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project("kilo.jsonc"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".kilo/kilo.json"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".kilo/kilo.jsonc"), None, KILO_SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".kilo/mcp.json"), None, SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".kilocode/mcp.json"), None, SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project("opencode.json"), None, KILO_SERVERS)
            .lent(AgentId::OpenCode),
        SettingsLayer::json(Scope::Project, LayerPath::Project("opencode.jsonc"), None, KILO_SERVERS)
            .lent(AgentId::OpenCode),
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
