//! The state of extensions in a workspace, decided by the toggles of the user and the project.

use super::{is_personal, is_user_policy};
use crate::config::{Scope, SourceAuthority, SourceExtent, SourceRank, Toggle, UserToggles};
use crate::crates::CrateName;
use crate::evaluate::FoundCrate;
use crate::hook::HookOrder;

#[derive(Debug, Clone, Copy)]
pub struct WorkspaceToggles<'c> {
    /// `[skills]` of the project, by crate or `crate/skill`.
    pub skills: &'c [Toggle],
    /// `[workflows]` of the project, by plugin or `plugin/hook`.
    pub workflows: &'c [Toggle],
    pub own: &'c UserToggles,
    pub unmentioned: DefaultToggle,
}

/// The state of an extension without a toggle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultToggle {
    pub on: bool,
    pub word: Scope,
}

impl DefaultToggle {
    pub const ON: Self = Self { on: true, word: Scope::User };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToggleState {
    On,
    Off(OffReason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffReason {
    User,
    Project,
    /// The extension is off until a toggle enables it.
    NotYetOn,
}

impl ToggleState {
    pub fn is_on(self) -> bool {
        self == Self::On
    }

    fn by(on: bool, who: OffReason) -> Self {
        if on { Self::On } else { Self::Off(who) }
    }
}

impl WorkspaceToggles<'_> {
    /// Returns the state of a plugin's servers and session context.
    pub fn plugin(&self, by: SourceAuthority, plugin: &str) -> ToggleState {
        if is_personal(by.rank) {
            if let Some(on) = entry(&self.own.workflows, plugin, None) {
                return ToggleState::by(on, OffReason::User);
            }
            if by.extent == SourceExtent::PolicyHooks {
                return ToggleState::Off(OffReason::Project);
            }
        }
        match entry(self.workflows, plugin, None) {
            Some(on) => ToggleState::by(on, OffReason::Project),
            None if is_off_at_first(by.rank, plugin) => ToggleState::Off(OffReason::NotYetOn),
            None => self.unmentioned(),
        }
    }

    /// Returns the state of one hook: `"plugin/hook"` decides before `plugin`.
    pub fn hook(&self, by: SourceAuthority, plugin: &str, hook: &str, order: HookOrder) -> ToggleState {
        let chosen = |toggles: &[Toggle]| entry(toggles, plugin, Some(hook));
        if is_personal(by.rank) {
            let own = &self.own.workflows;
            if let Some(on) = chosen(own).or_else(|| entry(own, plugin, None)) {
                return ToggleState::by(on, OffReason::User);
            }
            if is_user_policy(by.rank, order) {
                return ToggleState::On;
            }
            if by.extent == SourceExtent::PolicyHooks {
                return ToggleState::Off(OffReason::Project);
            }
        }
        match chosen(self.workflows) {
            Some(on) => ToggleState::by(on, OffReason::Project),
            None => self.plugin(by, plugin),
        }
    }

    /// Returns the state of a skill, given the crates through which it matched.
    ///
    /// It is on if one of those crates is; `"crate/skill"` decides before `crate`. The key of a skill that is for no
    /// particular crate is `"*/skill"`.
    pub fn skill(&self, by: SourceAuthority, skill: &str, crates: &[FoundCrate]) -> ToggleState {
        let own = if is_personal(by.rank) { self.own.skills.as_slice() } else { &[] };
        if crates.is_empty() {
            let chosen = |toggles, who| Some(ToggleState::by(entry(toggles, "*", Some(skill))?, who));
            return chosen(own, OffReason::User)
                .or_else(|| chosen(self.skills, OffReason::Project))
                .unwrap_or(ToggleState::On);
        }
        let through = |krate: &FoundCrate| {
            let name = krate.name.as_str();
            let chosen = |toggles, who| {
                let on = entry(toggles, name, Some(skill)).or_else(|| entry(toggles, name, None))?;
                Some(ToggleState::by(on, who))
            };
            chosen(own, OffReason::User)
                .or_else(|| chosen(self.skills, OffReason::Project))
                .unwrap_or(self.unmentioned())
        };
        let mut all = crates.iter().map(through);
        let first = all.next().unwrap_or(ToggleState::On);
        if first.is_on() || all.any(ToggleState::is_on) { ToggleState::On } else { first }
    }

    /// Tells whether the project's toggles disable a skill by name, for all of the crates through which it matched.
    pub fn skill_is_named_off(&self, skill: &str, crates: &[FoundCrate]) -> bool {
        let chosen = |krate: &FoundCrate| {
            let name = krate.name.as_str();
            entry(self.skills, name, Some(skill)).or_else(|| entry(self.skills, name, None))
        };
        !crates.is_empty() && crates.iter().all(|krate| chosen(krate) == Some(false))
    }

    fn unmentioned(&self) -> ToggleState {
        let who = match self.unmentioned.word {
            Scope::Project => OffReason::Project,
            Scope::User => OffReason::NotYetOn,
        };
        ToggleState::by(self.unmentioned.on, who)
    }
}

/// Tells whether a plugin's workflows are off until a toggle enables them, independent of `sync-default`.
pub fn is_off_at_first(rank: SourceRank, plugin: &str) -> bool {
    match rank {
        SourceRank::Builtin => matches!(plugin, "autofmt" | "finish"),
        SourceRank::Recommendations
        | SourceRank::Brought
        | SourceRank::Crate
        | SourceRank::User
        | SourceRank::Project => false,
    }
}

/// Looks up the toggle `whole`, or `whole/part`.
fn entry(toggles: &[Toggle], whole: &str, part: Option<&str>) -> Option<bool> {
    let found = toggles.iter().find(|toggle| match (toggle.key.split_once('/'), part) {
        (Some((key_whole, key_part)), Some(part)) => key_part == part && same_name(key_whole, whole),
        (None, None) => same_name(&toggle.key, whole),
        (Some(_), None) | (None, Some(_)) => false,
    });
    found.map(|toggle| toggle.on)
}

/// Compares names; `-` and `_` are the same in names of crates.
fn same_name(a: &str, b: &str) -> bool {
    a == b || CrateName::parse(a).is_some_and(|a| Some(a) == CrateName::parse(b))
}

#[cfg(test)]
#[path = "workspace_toggles_tests.rs"]
mod tests;
