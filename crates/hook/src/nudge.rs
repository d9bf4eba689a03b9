//! Which skills a prompt should be reminded of: those of crates it mentions, not loaded yet.

use symposium_model::hook::plan::NudgePlan;

use crate::session::Session;

/// Crates whose names people use for other things: such a name counts only where it is written as code.
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

/// What the model is reminded of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Nudge {
    /// Crates, each with the skills to load.
    pub(crate) crates: Vec<(String, Vec<String>)>,
}

impl Nudge {
    /// In words.
    pub(crate) fn text(&self) -> String {
        let quoted = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let each = self.crates.iter().map(|(name, skills)| {
            format!("for `{name}` load the skill {} (or run `symposium crate {name}`)", quoted(skills))
        });
        format!("Symposium has skills for crates this prompt mentions: {}.", each.collect::<Vec<_>>().join("; "))
    }

    /// Every skill that is named.
    pub(crate) fn skills(&self) -> impl Iterator<Item = &String> {
        self.crates.iter().flat_map(|(_, skills)| skills)
    }
}

/// What a prompt, the next one of a session, should be reminded of.
pub(crate) fn for_prompt(prompt: &str, plan: &NudgePlan, session: &Session) -> Option<Nudge> {
    if plan.interval == 0 {
        return None;
    }
    let this = session.prompts + 1;
    let mentioned = mentions(prompt);
    let due = |skill: &String| {
        let named = session.named.iter().find(|(known, _)| known == skill);
        !session.skills.contains(skill) && named.is_none_or(|(_, at)| this - at >= plan.interval)
    };
    let mut crates = Vec::new();
    for known in &plan.crates {
        let name = known.name.replace('_', "-");
        let loaded = session.crates.iter().any(|loaded| loaded.replace('_', "-") == name);
        let ordinary = ORDINARY.binary_search(&name.as_str()).is_ok();
        if loaded || !mentioned.iter().any(|mention| mention.name == name && (mention.as_code || !ordinary)) {
            continue;
        }
        let skills: Vec<String> = known.skills.iter().filter(|skill| due(skill)).cloned().collect();
        if !skills.is_empty() {
            crates.push((known.name.clone(), skills));
        }
    }
    (!crates.is_empty()).then_some(Nudge { crates })
}

/// A word of a prompt that could name a crate.
#[derive(Debug, PartialEq, Eq)]
struct Mention {
    name: String,
    /// It stands in backticks, before `::`, or beside the word "crate".
    as_code: bool,
}

fn mentions(prompt: &str) -> Vec<Mention> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut found: Vec<Mention> = Vec::new();
    let mut after_crate = false;
    let mut in_backticks = false;
    let mut rest = prompt;
    while let Some(start) = rest.find(is_part) {
        let (between, from_word) = rest.split_at(start);
        in_backticks ^= between.matches('`').count() % 2 == 1;
        let end = from_word.find(|c| !is_part(c)).unwrap_or(from_word.len());
        let (word, behind) = from_word.split_at(end);
        rest = behind;
        let name = word.trim_matches('-').to_ascii_lowercase().replace('_', "-");
        let beside = between.chars().all(|c| c.is_whitespace() || c == '`');
        if name == "crate" || name == "crates" {
            if beside && let Some(before) = found.last_mut() {
                before.as_code = true;
            }
            after_crate = true;
            continue;
        }
        let as_code = in_backticks || behind.starts_with("::") || between.ends_with("::") || (after_crate && beside);
        after_crate = false;
        found.push(Mention { name, as_code });
    }
    found
}

#[cfg(test)]
#[path = "nudge_tests.rs"]
mod tests;
