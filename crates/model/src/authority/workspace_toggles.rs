//! What is switched on and off, and by whom.

use super::{is_personal, is_user_policy};
use crate::config::{Scope, SourceAuthority, SourceExtent, SourceRank, Toggle, UserToggles};
use crate::crates::CrateName;
use crate::evaluate::FoundCrate;
use crate::hook::HookOrder;

/// Everything that was chosen for a workspace.
#[derive(Debug, Clone, Copy)]
pub struct WorkspaceToggles<'c> {
    /// `[skills]` of the project: a crate, or `crate/skill`.
    pub skills: &'c [Toggle],
    /// `[workflows]` of the project: a plugin, or `plugin/hook`.
    pub workflows: &'c [Toggle],
    pub own: &'c UserToggles,
    /// The answer for names that nothing mentions.
    pub unmentioned: DefaultToggle,
}

/// The answer for names that nothing mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultToggle {
    pub on: bool,
    pub word: Scope,
}

impl DefaultToggle {
    /// They are on, as they are without any configuration.
    pub const ON: Self = Self { on: true, word: Scope::User };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToggleState {
    On,
    Off(OffReason),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffReason {
    /// The user, for this workspace.
    User,
    Project,
    /// It waits to be switched on.
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
    /// Returns whether the servers and the session context of a plugin are on.
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

    /// Returns whether one hook of a plugin is on: `"plugin/hook"` decides before `plugin`.
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

    /// Returns whether a skill is on, given the crates through which it matched.
    ///
    /// It is on if one of those crates is; `"crate/skill"` decides before `crate`. A skill that is for no crate in
    /// particular goes by `"*/skill"`.
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

    /// Returns whether the project switches a skill off by name, for all of the crates through which it matched.
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

/// Whether a plugin's workflows wait to be switched on, whatever new ones usually start as.
pub fn is_off_at_first(rank: SourceRank, plugin: &str) -> bool {
    match rank {
        SourceRank::Builtin => plugin == "autofmt",
        SourceRank::Recommendations
        | SourceRank::Brought
        | SourceRank::Crate
        | SourceRank::User
        | SourceRank::Project => false,
    }
}

/// The choice under `whole`, or under `whole/part`.
fn entry(toggles: &[Toggle], whole: &str, part: Option<&str>) -> Option<bool> {
    let found = toggles.iter().find(|toggle| match (toggle.key.split_once('/'), part) {
        (Some((key_whole, key_part)), Some(part)) => key_part == part && same_name(key_whole, whole),
        (None, None) => same_name(&toggle.key, whole),
        (Some(_), None) | (None, Some(_)) => false,
    });
    found.map(|toggle| toggle.on)
}

/// Crate names do not tell `-` from `_`.
fn same_name(a: &str, b: &str) -> bool {
    a == b || CrateName::parse(a).is_some_and(|a| Some(a) == CrateName::parse(b))
}

#[cfg(test)]
#[path = "workspace_toggles_tests.rs"]
mod tests;
