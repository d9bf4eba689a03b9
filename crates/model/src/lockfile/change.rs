//! Differences between two lockfiles, as shown to users.

use std::fmt;

use super::{ExtensionKind, LockedExtension, Lockfile, SourcePin};
use crate::plugin_index::identify_plugins;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockChange {
    pub kind: LockChangeKind,
    /// As in ``source `team` ``.
    pub subject: String,
    /// Empty when the entry is removed.
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockChangeKind {
    Added,
    Removed,
    Moved,
}

impl LockChange {
    pub fn is_about_skill(&self, name: &str) -> bool {
        self.subject == subject(ExtensionKind::Skill, name)
    }
}

fn subject(kind: ExtensionKind, name: &str) -> String {
    format!("{} `{name}`", kind.name())
}

impl fmt::Display for LockChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.kind {
            LockChangeKind::Added => '+',
            LockChangeKind::Removed => '-',
            LockChangeKind::Moved => '~',
        };
        write!(f, "{sign} {}", self.subject)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, " {}", self.detail) }
    }
}

impl Lockfile {
    pub fn changes_to(&self, other: &Self) -> Vec<LockChange> {
        let mut changes = Vec::new();
        let mut add = |kind, subject: String, detail: String| changes.push(LockChange { kind, subject, detail });
        for source in &self.sources {
            let subject = format!("source `{}`", source.name);
            match other.pin(&source.name) {
                None => add(LockChangeKind::Removed, subject, String::new()),
                Some(pin) if *pin == source.pin => {}
                Some(pin) => {
                    let (before, now) = (shown(&source.pin), shown(pin));
                    add(LockChangeKind::Moved, subject, format!("from {before} to {now}"));
                }
            }
        }
        for source in other.sources.iter().filter(|source| self.pin(&source.name).is_none()) {
            add(LockChangeKind::Added, format!("source `{}`", source.name), format!("at {}", shown(&source.pin)));
        }
        for known in &self.extensions {
            let subject = subject(known.kind, &known.name);
            match other.extension(known.kind, &known.name) {
                None => add(LockChangeKind::Removed, subject, String::new()),
                Some(now) if now == known => {}
                Some(now) => add(LockChangeKind::Moved, subject, moved(known, now)),
            }
        }
        for new in other.extensions.iter().filter(|new| self.extension(new.kind, &new.name).is_none()) {
            add(LockChangeKind::Added, subject(new.kind, &new.name), described(new));
        }
        changes
    }
}

fn shown(pin: &SourcePin) -> String {
    let short = |digits: &str| digits.chars().take(7).collect::<String>();
    match pin {
        SourcePin::Builtin { version } => format!("version {version}"),
        SourcePin::Git { commit, .. } => short(commit),
        SourcePin::Path { tree } => format!("content {}", short(tree.as_str())),
        SourcePin::Index { plugins, .. } => short(identify_plugins(plugins).as_str()),
    }
}

fn described(extension: &LockedExtension) -> String {
    let source = format!("of `{}`", extension.source);
    if extension.crates.is_empty() { source } else { format!("{source} for {}", extension.crates.join(", ")) }
}

fn moved(before: &LockedExtension, now: &LockedExtension) -> String {
    let mut what = Vec::new();
    if before.source != now.source {
        what.push(format!("comes from `{}` instead of `{}`", now.source, before.source));
    }
    if before.crates != now.crates {
        let listed = |crates: &[String]| if crates.is_empty() { "no crate".to_owned() } else { crates.join(", ") };
        what.push(format!("is for {} instead of {}", listed(&now.crates), listed(&before.crates)));
    }
    if before.sha256 != now.sha256 {
        what.push("has new content".to_owned());
    } else if before.path != now.path {
        what.push(format!("lies at `{}`", now.path));
    }
    what.join(", ")
}
