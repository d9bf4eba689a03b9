//! The values that most agents share. The file of an agent says only how it differs from them.

use symposium_model::agent::AgentId;
use symposium_model::edit::EditFormat;

use crate::command::ShellKind;
use crate::context_facts::ContextFacts;
use crate::dialect::{
    AgentDialect, DialectOwner, EventAbilities, EventNames, HookAbilities, MessageChannel, NeutralAnswer,
};
use crate::registration_input::AgentPath;
use crate::servers;
use crate::settings_layout::{
    BareUrl, CauseMatcher, LoadedLayer, MatcherSyntax, PromptMatcher, SettingsLayout, StarMeaning, StartDirectory,
    TimeUnit, VariableSubstitution, hook_stays_on, plugin_stays_on, server_stays_on,
};
use crate::spec::{
    AgentSpec, AgentTrust, CommandKey, DoubleRegistration, FileChoice, FileSharing, HandlerForm, HandlerGrouping,
    HookFile, HookLayout, IgnoredFiles, InstructionFiles, McpFile, ReferenceSyntax, RootRequirement,
    SettingsStrictness, ShellPathChannel, ShellTraces, SkillDirectories, SpecEvidence, SseSupport, always,
};
use crate::wire::{canonical_mcp, canonical_mcp_name, read_nested, write_nested};
use crate::wire_format::{
    AllowMeaning, AnswerStream, DeferSupport, FieldNames, HookAnswer, McpNames, NativeForm, PlainText, RefusalFormat,
    StartMatcher, WireFormat,
};

/// Claude Code's names, without the event of its own that it has for a failed tool.
pub(crate) const EVENTS: EventNames = EventNames {
    session_start: Some("SessionStart"),
    user_prompt_submit: Some("UserPromptSubmit"),
    pre_tool_use: Some("PreToolUse"),
    post_tool_use: Some("PostToolUse"),
    tool_failed: None,
    stop: Some("Stop"),
};

/// Claude Code's names, with that event.
pub(crate) const EVENTS_AND_FAILURE: EventNames = EventNames { tool_failed: Some("PostToolUseFailure"), ..EVENTS };

pub(crate) const NATIVE: NativeForm = NativeForm {
    matched: &[],
    session_start: StartMatcher::Ignored,
    refusal: RefusalFormat::ExitCode,
    plain_text: PlainText::Harmless,
    answers_on: AnswerStream::Stdout,
    void: &[],
    defer: DeferSupport::Unknown,
    known: &[],
};

pub(crate) const ABILITIES: HookAbilities = HookAbilities {
    session_start: Some(EventAbilities::ONLY_TELL),
    user_prompt_submit: Some(EventAbilities::TELL_OR_BLOCK),
    pre_tool_use: Some(EventAbilities::TELL_OR_BLOCK),
    post_tool_use: Some(EventAbilities::TELL_WHY),
    tool_failed: None,
    stop: Some(EventAbilities::ANOTHER_TURN),
};

pub(crate) const WIRE: WireFormat = WireFormat {
    fields: FieldNames::USUAL,
    tools: &[],
    harmless: &[],
    mcp: McpNames { split: canonical_mcp, join: canonical_mcp_name },
    write: |reply| HookAnswer::json(write_nested(reply)),
    read: read_nested,
    allow: AllowMeaning::NoObjection,
    plain_text: &[],
};

pub(crate) const fn dialect(owner: DialectOwner) -> AgentDialect {
    AgentDialect {
        owner,
        events: EVENTS,
        aliases: &[],
        native: &[],
        withheld: &[],
        own: NATIVE,
        can: ABILITIES,
        message: MessageChannel::Impossible,
        context_limit: None,
        output_limit: None,
        project_variable: None,
        neutral: NeutralAnswer::SILENCE,
        wire: WIRE,
        sub_agent_start: None,
        repeats_refused: true,
        guests: &[],
    }
}

/// Returns the dialect of an agent that Symposium registers no hooks with.
pub(crate) const fn without_hooks(id: AgentId) -> AgentDialect {
    AgentDialect { events: EventNames::NONE, can: HookAbilities::NONE, ..dialect(DialectOwner::Agent(id)) }
}

pub(crate) const SKILLS: SkillDirectories = SkillDirectories {
    project: ".agents/skills",
    also_in_project: &[],
    global: &[".agents/skills"],
    ignored: IgnoredFiles::Opened,
};

/// Claude Code's handlers: groups of commands, with a timeout in seconds.
pub(crate) const HANDLER: HandlerForm = HandlerForm {
    grouping: HandlerGrouping::Groups,
    fixed: &[("type", "command")],
    command: CommandKey::Command,
    timeout_key: "timeout",
    timeout_unit: TimeUnit::Seconds,
};

/// Returns a file that is shared with the user's own hooks, at the same place in a project and in the home directory.
pub(crate) const fn hook_file(path: &'static str, dialect: &'static AgentDialect) -> HookFile {
    HookFile {
        project: AgentPath::Project(path),
        global: AgentPath::Home(path),
        wanted: always,
        events: &dialect.events,
        native: dialect.native,
        under: &["hooks"],
        windows_shell: ShellKind::Cmd,
        layout: HookLayout::Shared { handler: HANDLER, starts_as: "{}\n" },
        strictness: SettingsStrictness::UNKNOWN,
    }
}

/// Returns a file that is shared with the user's own servers, at the same place in a project and in the home directory.
pub(crate) const fn mcp_file(path: &'static str) -> McpFile {
    McpFile {
        project: Some(FileChoice::only(AgentPath::Project(path))),
        global: Some(FileChoice::only(AgentPath::Home(path))),
        ownership: FileSharing::Shared,
        key: "mcpServers",
        format: EditFormat::Json,
        starts_as: "{}\n",
        server: servers::untyped,
        references: ReferenceSyntax::Braces,
        sse: SseSupport::Spoken,
        persons_keys: &[],
        strictness: SettingsStrictness::UNKNOWN,
    }
}

pub(crate) const fn spec(id: AgentId, dialect: &'static AgentDialect) -> AgentSpec {
    AgentSpec {
        id,
        title: "",
        evidence: SpecEvidence::Documents,
        programs: &[],
        home_signs: &[],
        own_shell: ShellTraces { variables: &[], programs: &[], paths: &[] },
        shell_path: ShellPathChannel::Unknown,
        moved_by: &[],
        skills: SKILLS,
        context: ContextFacts::UNKNOWN,
        hooks: &[],
        decided_by: &[],
        both_scopes: DoubleRegistration::BothCall,
        mcp: mcp_file(".mcp.json"),
        instructions: InstructionFiles { project: &["AGENTS.md"], global: &[], hidden: &[] },
        root_only: RootRequirement::Nothing,
        trust: AgentTrust::Unrecorded,
        waits_for: None,
        notes: &[],
        holdings: &LAYOUT,
        permissions: &[],
        allow: None,
        dialect,
    }
}

pub(crate) static LAYOUT: SettingsLayout = SettingsLayout {
    layers: &[],
    command_keys: &["command"],
    timeouts: &[("timeout", TimeUnit::Seconds)],
    default_timeout: 60,
    matching: MatcherSyntax::NamesOrPattern,
    star: StarMeaning::All,
    prompt_matcher: PromptMatcher::Ignored,
    borrowed_events: None,
    bare_url: BareUrl::Http,
    unportable: &[],
    fails_closed: None,
    variables: &[],
    starts_in: StartDirectory::WorkingDirectory,
    substitution: VariableSubstitution::ByShell,
    hook_is_off: hook_stays_on,
    server_is_off: server_stays_on,
    plugin_is_off: plugin_stays_on,
    causes: CauseMatcher::Unknown,
    programs: &[],
    plugin_skills: &[],
};

/// Returns how a user has switched off a server with a key beside those that Symposium writes.
pub(crate) fn server_is_disabled(name: &str, all: &[LoadedLayer<'_>]) -> Option<String> {
    let is_off = |key| move |settings: &&LoadedLayer<'_>| settings.says(&[key, name, "disabled"], true);
    let off = all.iter().find(is_off("mcpServers")).or_else(|| all.iter().find(is_off("mcp")))?;
    Some(format!("`disabled` in {} switches it off", off.shown))
}

/// The keys under which most agents keep hooks and servers.
pub(crate) const HOOKS: Option<&[&str]> = Some(&["hooks"]);
pub(crate) const SERVERS: Option<&[&str]> = Some(&["mcpServers"]);
