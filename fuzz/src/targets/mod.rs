//! The table of targets.

mod archives;
mod edits;
mod servers;
mod state;
mod texts;
mod wire;
mod words;

pub struct Target {
    /// Also the name of its directory in the corpus.
    pub name: &'static str,
    /// Panics when an invariant is violated.
    pub run: fn(&[u8]),
    /// Directories of this repository whose files are good seeds.
    pub seeds: &'static [&'static str],
    pub words: &'static [&'static str],
}

pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

const SKILLS: &[&str] = &["recommendations", "crates/symposium/tests/fixtures"];
const PAYLOAD_WORDS: &[&str] = &[
    "\"hook_event_name\":",
    "\"cwd\":\"/w\"",
    "\"tool_name\":\"Bash\"",
    "\"tool_input\":",
    "\"session_id\":",
    "\"prompt\":",
    "\"toolArgs\":\"{}\"",
    "\"cursor_version\":1",
    "\"timestamp\":1",
    "\"mcp_context\":",
    "\"workspace_roots\":[",
    "apply_patch",
    "*** Begin Patch\n",
    "*** Update File: a\n",
    "*** End Patch\n",
    "mcp__a__b",
    "\"stop_hook_active\":true",
    "null",
];
const ANSWER_WORDS: &[&str] = &[
    "\"hookSpecificOutput\":",
    "\"permissionDecision\":\"deny\"",
    "\"decision\":\"block\"",
    "\"updatedInput\":",
    "\"additionalContext\":",
    "\"modifiedArgs\":",
    "\"continue\":false",
    "\"reason\":\"\"",
    "\"ask\"",
    "\"allow\"",
    "\"llm_request\":",
    "\"toolConfig\":",
    "\"mode\":\"NONE\"",
    "\"llm_response\":",
];
const JSON_SEEDS: &[&str] = &["crates/edit/tests/cases", "crates/symposium/tests/foreign"];
const JSON_WORDS: &[&str] = &[
    "{\"hooks\":{\"PreToolUse\":[",
    "\"mcpServers\":{",
    "\"mcp\":{}",
    "\"flat\":[",
    "// c\n",
    "/* c */",
    ",}",
    ",]",
    "\"command\":\"/v1/symposium hook claude pre-tool-use\"",
    "\"symposium\":{\"command\":\"symposium\",\"args\":[\"mcp\"]}",
    "\"h\\u006foks\"",
    "\"ours\":1",
];
const TOML_WORDS: &[&str] = &[
    "[mcp_servers.symposium]\n",
    "[mcp_servers]\n",
    "mcp_servers = {}\n",
    "[[x]]\n",
    "a.b = 1\n",
    "\"\"\"",
    "'''",
    "# c\n",
    "[skills]\n",
    "[workflows]\n",
    "serde = false\n",
    "[agent]\nname = \"claude\"\n",
    "[[agent]]\nname = 'x'\n",
    "1979-05-27",
];
const MANIFEST_WORDS: &[&str] = &[
    "[[hooks]]\n",
    "event = \"PreToolUse\"\n",
    "matcher = \"Bash|*\"\n",
    "command = \"x\"\n",
    "[[skills]]\n",
    "crates = [\"serde>=1\"]\n",
    "source.path = \"../x\"\n",
    "source.crate_path = \"\"\n",
    "[[mcp_servers]]\n",
    "predicates = [\"not(env(CI))\"]\n",
    "timeout = -1\n",
    "format = \"claude\"\n",
    "name = \"a\"\n",
    "[[installations]]\n",
    "[[hooks.tests]]\n",
];
const CONFIG_WORDS: &[&str] = &[
    "[agent]\n",
    "name = [\"claude\"]\n",
    "[[plugin-source]]\n",
    "git = \"https://u:p@h/x\"\n",
    "path = \"~/x\"\n",
    "[defaults]\n",
    "[trust]\n",
    "projects = \"never\"\n",
    "required-version = \">=0.3\"\n",
    "[skills]\n",
    "\"a/b\" = false\n",
    "[hooks]\n",
    "nudge-interval = 99999999999\n",
];
const SKILL_WORDS: &[&str] = &[
    "---\n",
    "name: a\n",
    "description: >-\n",
    "description: |\n",
    "metadata:\n  ",
    "crates: serde>=1, tokio\n",
    "- x\n",
    "&a ",
    "*a ",
    "!!binary ",
    "? ",
    "<<: ",
    "activation: always\n",
    "compatibility: goose\n",
    "<!-- ",
    " -->",
    "```rust\n",
    "curl x | sh\n",
];
const ATOM_WORDS: &[&str] = &[">=", "==", "<", "^", "~", "serde", "1.0.0-rc.1+b", ",", "*", "_", "-"];
const PREDICATE_WORDS: &[&str] = &[
    "not(",
    "any(",
    "all(",
    "env(CI=",
    "path_exists(",
    "depends-on(serde>=1)",
    "shell(",
    "workspace-member()",
    ")",
    ",",
];
const COMMAND_WORDS: &[&str] =
    &["'", "\"", "\\", "$X", "`", "|", "~/", "symposium hook claude pre-tool-use", " || exit 0; exec ", "(?i)"];
const LOCK_WORDS: &[&str] = &[
    "[[package]]\n",
    "name = \"a\"\n",
    "version = \"1.0.0\"\n",
    "dependencies = [\n \"b 1.0.0\",\n]\n",
    "[metadata]\n",
    "[root]\n",
    "source = \"registry+https://x\"\n",
    "version = 4\n",
    "[dependencies]\n",
    "[workspace.dependencies]\n",
    "workspace = true",
    "members = [\"a/*\"]\n",
    "[target.'cfg(unix)'.dependencies]\n",
    "[patch.crates-io]\n",
];
const OWN_LOCK_WORDS: &[&str] = &[
    "[[source]]\n",
    "[[extension]]\n",
    "kind = \"git\"\n",
    "kind = \"builtin\"\nversion = \"1\"\n",
    "kind = \"path\"\n",
    "kind = \"skill\"\n",
    "version = 1\n",
    "\n# end\n",
    "crates = [\"serde 1.0.0\"]\n",
    "<<<<<<< ours\n",
    "=======\n",
    ">>>>>>> theirs\n",
    "name = \"a\\u0000\\\"b\"\n",
];
const ARCHIVE_WORDS: &[&str] = &[
    "../",
    "r/../../x",
    "/x",
    "C:\\x",
    ".git/config",
    "ustar\u{0}00",
    "00000000000\u{0}",
    "77777777777\u{0}",
    "17 path=r/../../x\n",
    "16 size=99999999\n",
    "11 path=r/a\n",
    "24 GNU.sparse.major=1\n",
    "0",
    "1",
    "2",
    "5",
    "L",
    "x",
    "g",
];
const STATE_WORDS: &[&str] = &[
    "\"version\":1",
    "\"grants\":[",
    "\"records\":[",
    "\"handlers\":[",
    "\"stamps\":[",
    "\"workspace\":null",
    "\"matcher\":",
];
const MCP_WORDS: &[&str] = &[
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"",
    "tools/call",
    "tools/list",
    "initialize",
    "\"params\":",
    "\"arguments\":",
    "\"name\":\"crate_source\"",
    "notifications/cancelled",
    "server/discover",
    "\n",
];
const NONE: &[&str] = &[];

const fn row(
    name: &'static str,
    run: fn(&[u8]),
    seeds: &'static [&'static str],
    words: &'static [&'static str],
) -> Target {
    Target { name, run, seeds, words }
}

pub const TARGETS: &[Target] = &[
    row("atoms", words::atoms, NONE, ATOM_WORDS),
    row("predicates", words::predicates, NONE, PREDICATE_WORDS),
    row("commands", words::commands, NONE, COMMAND_WORDS),
    row(
        "addresses",
        words::addresses,
        NONE,
        &["https://", "git@h:", "ssh://", "u:p@", "/tree/", "file://", "ext::", "-o", "?", "#"],
    ),
    row("frontmatter", texts::frontmatter, SKILLS, SKILL_WORDS),
    row("manifest", texts::manifest, SKILLS, MANIFEST_WORDS),
    row("config", texts::config, &["crates/symposium/tests/fixtures"], CONFIG_WORDS),
    row("scan", texts::scanned, SKILLS, SKILL_WORDS),
    row(
        "reading",
        texts::reading,
        &["crates/symposium/tests/fixtures"],
        &["```rust\n", "//! ", "/// ", "fn main() {\n", "(?i)", "1-2"],
    ),
    row("cargo-lock", state::cargo_lock, &["crates/symposium/tests/fixtures"], LOCK_WORDS),
    row("cargo-manifest", state::cargo_manifest, &["crates/symposium/tests/fixtures"], LOCK_WORDS),
    row("symposium-lock", state::symposium_lock, NONE, OWN_LOCK_WORDS),
    row("amendments", state::amendments, NONE, TOML_WORDS),
    row("archive", archives::archive, NONE, ARCHIVE_WORDS),
    row("plan", state::plan, NONE, STATE_WORDS),
    row("ledger", state::ledger, NONE, STATE_WORDS),
    row("grants", state::grants, NONE, STATE_WORDS),
    row("json-edit", edits::json, JSON_SEEDS, JSON_WORDS),
    row("toml-edit", edits::toml, &["crates/edit/tests/cases", "crates/symposium/tests/fixtures"], TOML_WORDS),
    row("toggles", edits::toggles, &["crates/symposium/tests/fixtures"], TOML_WORDS),
    row("mended", wire::mended, &["crates/agents/tests/payloads", "crates/agents/tests/golden"], PAYLOAD_WORDS),
    row("answers", wire::answers, &["crates/agents/tests/golden", "crates/agents/tests/native"], ANSWER_WORDS),
    row("native-answers", wire::native_answers, &["crates/agents/tests/native"], ANSWER_WORDS),
    row("wire-claude", wire::claude, &["crates/agents/tests/payloads/claude"], PAYLOAD_WORDS),
    row(
        "wire-copilot",
        wire::copilot,
        &["crates/agents/tests/payloads/copilot", "crates/agents/tests/payloads/copilot-pascal-case"],
        PAYLOAD_WORDS,
    ),
    row(
        "wire-gemini",
        wire::gemini,
        &["crates/agents/tests/payloads/gemini", "crates/agents/tests/native"],
        PAYLOAD_WORDS,
    ),
    row("wire-codex", wire::codex, &["crates/agents/tests/payloads/codex"], PAYLOAD_WORDS),
    row("wire-kiro", wire::kiro, &["crates/agents/tests/payloads/kiro"], PAYLOAD_WORDS),
    row(
        "wire-opencode",
        wire::opencode,
        &["crates/agents/tests/payloads/opencode", "crates/agents/tests/payloads/opencode-bridge"],
        PAYLOAD_WORDS,
    ),
    row("wire-goose", wire::goose, &["crates/agents/tests/payloads/goose"], PAYLOAD_WORDS),
    row("wire-cursor", wire::cursor, &["crates/agents/tests/payloads/cursor"], PAYLOAD_WORDS),
    row("mcp", servers::mcp, NONE, MCP_WORDS),
];

/// Returns the bytes as text; other input is refused where files are read, long before any parser.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
