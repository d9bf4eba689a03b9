//! Reminders of skills that belong to crates mentioned in a prompt and that are not loaded yet.

use symposium_model::agent::AgentId;
use symposium_model::hook::hook_plan::{NudgeCrate, NudgePlan};

use crate::session::SessionState;

/// Names of crates that are also ordinary words: such a name counts only where it is written as code. Sorted.
const ORDINARY: &[&str] = &[
    "abort",
    "action",
    "always",
    "anchor",
    "approx",
    "arc",
    "array",
    "assert",
    "async",
    "atomic",
    "atty",
    "backoff",
    "base64",
    "bench",
    "bit",
    "blake",
    "block",
    "bloom",
    "bstr",
    "build",
    "bumpalo",
    "bytes",
    "cached",
    "cargo",
    "cast",
    "cc",
    "chain",
    "clap",
    "clean",
    "client",
    "clock",
    "cloud",
    "codec",
    "color",
    "command",
    "common",
    "compact",
    "config",
    "console",
    "constant",
    "content",
    "cookie",
    "core",
    "counter",
    "criterion",
    "cron",
    "csv",
    "curl",
    "data",
    "date",
    "debug",
    "derive",
    "dialog",
    "diesel",
    "digest",
    "dirs",
    "docs",
    "dot",
    "either",
    "embed",
    "encoding",
    "entity",
    "env",
    "error",
    "event",
    "extension",
    "failure",
    "fake",
    "fast",
    "field",
    "file",
    "filter",
    "flag",
    "flate",
    "flow",
    "fluent",
    "flume",
    "font",
    "form",
    "format",
    "fragile",
    "frame",
    "fs",
    "fuse",
    "futures",
    "generator",
    "git",
    "glob",
    "graph",
    "grid",
    "group",
    "hash",
    "heck",
    "hex",
    "home",
    "http",
    "human",
    "hyper",
    "iced",
    "ignore",
    "image",
    "index",
    "insta",
    "instant",
    "inventory",
    "json",
    "kernel",
    "key",
    "keyring",
    "language",
    "lazy",
    "lens",
    "lexer",
    "libc",
    "link",
    "list",
    "local",
    "lock",
    "log",
    "logos",
    "macro",
    "mail",
    "map",
    "markdown",
    "matches",
    "matrix",
    "memo",
    "meta",
    "metrics",
    "mime",
    "model",
    "moka",
    "mutex",
    "native",
    "network",
    "nix",
    "notify",
    "num",
    "object",
    "once",
    "open",
    "order",
    "owning",
    "page",
    "parse",
    "parser",
    "paste",
    "path",
    "pattern",
    "pest",
    "pin",
    "pipe",
    "plot",
    "poem",
    "pool",
    "port",
    "process",
    "progress",
    "prompt",
    "proxy",
    "quick",
    "quote",
    "random",
    "range",
    "record",
    "redis",
    "ref",
    "regex",
    "report",
    "request",
    "retry",
    "ring",
    "ripgrep",
    "rocket",
    "rope",
    "route",
    "router",
    "rules",
    "salvo",
    "scan",
    "schedule",
    "schema",
    "scope",
    "secret",
    "select",
    "semver",
    "server",
    "service",
    "shell",
    "signal",
    "similar",
    "slab",
    "slice",
    "slot",
    "smart",
    "smol",
    "snap",
    "socket",
    "sort",
    "spin",
    "stack",
    "state",
    "static",
    "stats",
    "storage",
    "stream",
    "string",
    "structure",
    "sync",
    "syntax",
    "system",
    "table",
    "tag",
    "tap",
    "tar",
    "target",
    "task",
    "template",
    "term",
    "terminal",
    "test",
    "text",
    "thread",
    "tide",
    "time",
    "timer",
    "token",
    "toml",
    "tower",
    "trace",
    "tracing",
    "tree",
    "try",
    "tui",
    "type",
    "typed",
    "unicode",
    "unit",
    "url",
    "users",
    "uuid",
    "value",
    "vector",
    "version",
    "void",
    "wait",
    "walk",
    "warp",
    "watch",
    "web",
    "which",
    "wide",
    "widget",
    "window",
    "winnow",
    "wrap",
    "xml",
    "yaml",
    "zip",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkillNudge {
    crates: Vec<DueCrate>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct DueCrate {
    name: String,
    skills: Vec<String>,
    /// The skills that this agent can load.
    loadable: Vec<String>,
}

impl SkillNudge {
    pub(crate) fn text(&self) -> String {
        let each: Vec<String> = self.crates.iter().map(DueCrate::text).collect();
        format!("Symposium has guidance for crates this prompt mentions: {}.", each.join("; "))
    }

    pub(crate) fn skills(&self) -> impl Iterator<Item = &String> {
        self.crates.iter().flat_map(|krate| &krate.skills)
    }
}

impl DueCrate {
    fn text(&self) -> String {
        let Self { name, loadable, .. } = self;
        if loadable.is_empty() {
            return format!("for `{name}` run `symposium crate {name}`");
        }
        let quoted: Vec<String> = loadable.iter().map(|skill| format!("`{skill}`")).collect();
        format!("for `{name}` load the skill {} (or run `symposium crate {name}`)", quoted.join(", "))
    }
}

pub(crate) fn for_prompt(
    prompt: &str,
    plan: &NudgePlan,
    agent: Option<AgentId>,
    session: &SessionState,
) -> Option<SkillNudge> {
    if plan.interval == 0 {
        return None;
    }
    let this = session.prompts + 1;
    let mentioned = mentions(prompt, &plan.crates);
    let due = |skill: &String| {
        let named = session.named.iter().find(|(known, _)| known == skill);
        !session.skills.contains(skill)
            && !session.digests.contains(skill)
            && named.is_none_or(|(_, at)| this - at >= plan.interval)
    };
    let mut crates = Vec::new();
    for (known, mention) in plan.crates.iter().zip(mentioned) {
        let counts = match mention {
            CrateMention::AsCode => true,
            CrateMention::AsWord => ORDINARY.binary_search(&known.name.as_str()).is_err(),
            CrateMention::Nowhere => false,
        };
        if !counts || session.crates.iter().any(|loaded| plain(loaded).eq(plain(&known.name))) {
            continue;
        }
        let skills: Vec<String> = known.skills.iter().filter(|skill| due(skill)).cloned().collect();
        if !skills.is_empty() {
            let loadable = skills.iter().filter(|skill| plan.holders.has(agent, skill)).cloned().collect();
            crates.push(DueCrate { name: known.name.clone(), skills, loadable });
        }
    }
    (!crates.is_empty()).then_some(SkillNudge { crates })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CrateMention {
    Nowhere,
    AsWord,
    /// In backticks, beside `::`, or next to the word "crate".
    AsCode,
}

fn mentions(prompt: &str, crates: &[NudgeCrate]) -> Vec<CrateMention> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut names: Vec<(usize, &str)> = crates.iter().map(|known| known.name.as_str()).enumerate().collect();
    names.sort_unstable_by(|(_, one), (_, other)| plain(one).cmp(plain(other)));
    let mut found = vec![CrateMention::Nowhere; names.len()];
    let mut mark = |at: Option<usize>, mention: CrateMention| {
        if let Some(found) = at.and_then(|at| found.get_mut(at)) {
            *found = mention.max(*found);
        }
    };
    // The crate named by the previous word, if any.
    let mut before = None;
    let mut after_crate = false;
    let mut in_backticks = false;
    let mut rest = prompt;
    while let Some(start) = rest.find(is_part) {
        let (between, from_word) = rest.split_at(start);
        in_backticks ^= between.matches('`').count() % 2 == 1;
        let end = from_word.find(|c| !is_part(c)).unwrap_or(from_word.len());
        let (word, behind) = from_word.split_at(end);
        rest = behind;
        let word = word.trim_matches('-');
        let beside = between.chars().all(|c| c.is_whitespace() || c == '`');
        if word.eq_ignore_ascii_case("crate") || word.eq_ignore_ascii_case("crates") {
            if beside {
                mark(before, CrateMention::AsCode);
            }
            after_crate = true;
            continue;
        }
        let as_code = in_backticks || behind.starts_with("::") || between.ends_with("::") || (after_crate && beside);
        after_crate = false;
        before = position(word, &names);
        mark(before, if as_code { CrateMention::AsCode } else { CrateMention::AsWord });
    }
    found
}

/// Returns the index of the crate named by a word; `names` is in normalized order.
fn position(word: &str, names: &[(usize, &str)]) -> Option<usize> {
    let at = names.binary_search_by(|(_, name)| plain(name).cmp(plain(word))).ok()?;
    names.get(at).map(|(number, _)| *number)
}

/// Normalizes a crate name for comparison: lower case, with `-` for `_`.
fn plain(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().map(|byte| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() })
}

#[cfg(test)]
#[path = "nudge_tests.rs"]
mod tests;
