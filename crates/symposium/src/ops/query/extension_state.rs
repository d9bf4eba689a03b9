//! The words for how an extension stands, the same in every command.

use std::path::Path;

use symposium_model::trust::TrustStatus;

use crate::ops::hook_plan::kept_guards::{GuardStanding, KeptGuard};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExtensionState {
    On,
    Off,
    Candidate,
    Untrusted,
    Blocked,
    Drifted,
    Orphaned,
    Conflict,
    /// The file that says it cannot be read.
    Unknown,
}

impl ExtensionState {
    /// All of them, in the order in which they are explained.
    pub(crate) const ALL: [Self; 9] = [
        Self::On,
        Self::Off,
        Self::Candidate,
        Self::Untrusted,
        Self::Blocked,
        Self::Drifted,
        Self::Orphaned,
        Self::Conflict,
        Self::Unknown,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Candidate => "candidate",
            Self::Untrusted => "untrusted",
            Self::Blocked => "blocked",
            Self::Drifted => "drifted",
            Self::Orphaned => "orphaned",
            Self::Conflict => "conflict",
            Self::Unknown => "unknown",
        }
    }

    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::On => "in use",
            Self::Off => "switched off, or not applicable here",
            Self::Candidate => "shipped by a dependency; run `symposium on NAME` to switch it on",
            Self::Untrusted => "not granted; run `symposium trust` to review it",
            Self::Blocked => "unusable; the reason is shown",
            Self::Drifted => "edited after installation; your text is kept",
            Self::Orphaned => "installed, but no longer needed",
            Self::Conflict => "another file or extension has its name, and is kept",
            Self::Unknown => "a file that decides about it is invalid; fix it first",
        }
    }

    /// Returns the state of what may not run; `None` for what may.
    pub(crate) fn of_waiting(permission: &TrustStatus) -> Option<Self> {
        match permission {
            TrustStatus::Free | TrustStatus::Granted => None,
            TrustStatus::NeedsGrant | TrustStatus::Changed(_) | TrustStatus::Never => Some(Self::Untrusted),
            TrustStatus::Unknown(_) => Some(Self::Blocked),
        }
    }

    /// Returns the state of a whole by those of its parts: the one that most needs a person. A whole without parts that
    /// apply has nothing to do.
    pub(crate) fn of_parts(parts: &[Self]) -> Self {
        const BY_NEED: [ExtensionState; 9] = [
            ExtensionState::Untrusted,
            ExtensionState::Blocked,
            ExtensionState::Conflict,
            ExtensionState::Drifted,
            ExtensionState::Unknown,
            ExtensionState::On,
            ExtensionState::Candidate,
            ExtensionState::Orphaned,
            ExtensionState::Off,
        ];
        BY_NEED.into_iter().find(|state| parts.contains(state)).unwrap_or(Self::Off)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StateReport {
    pub(crate) state: ExtensionState,
    /// The cause in two or three words, where the state alone would mislead.
    pub(crate) cause: Option<&'static str>,
    pub(crate) reason: String,
}

impl StateReport {
    /// Makes one whose state speaks for itself.
    pub(crate) fn new(state: ExtensionState, reason: impl Into<String>) -> Self {
        Self { state, cause: None, reason: reason.into() }
    }

    /// Reports that a file which cannot be read decides about it.
    pub(super) fn unknown(file: &Path) -> Self {
        Self::new(ExtensionState::Unknown, format!("{} is invalid, so its switches are unknown", file.display()))
    }

    /// Whether a switch may decide about it. What lacks a program is off in any case.
    pub(super) fn depends_on_switch(&self) -> bool {
        match self.state {
            ExtensionState::On | ExtensionState::Candidate | ExtensionState::Untrusted => true,
            ExtensionState::Off => self.cause.is_none(),
            ExtensionState::Blocked
            | ExtensionState::Drifted
            | ExtensionState::Orphaned
            | ExtensionState::Conflict
            | ExtensionState::Unknown => false,
        }
    }

    /// Reports a policy hook that has lost its manifest.
    pub(super) fn of_kept_guard(kept: &KeptGuard) -> Self {
        let state = match kept.standing {
            GuardStanding::InForce => ExtensionState::On,
            GuardStanding::Changed => ExtensionState::Untrusted,
            GuardStanding::ScriptGone(_) => ExtensionState::Blocked,
        };
        Self::new(state, kept.sentence())
    }

    /// Returns the state as people read it: `off (rtk not found)`.
    pub(crate) fn shown(&self) -> String {
        match self.cause {
            Some(cause) => format!("{} ({cause})", self.state.word()),
            None => self.state.word().to_owned(),
        }
    }
}

/// Explains every state, a line for each.
pub(crate) fn legend() -> String {
    let line = |state: ExtensionState| format!("  {:<9}  {}", state.word(), state.meaning());
    let lines: Vec<String> = ExtensionState::ALL.into_iter().map(line).collect();
    format!("States:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::ExtensionState::{Candidate, Conflict, Drifted, Off, On, Untrusted};
    use super::*;

    #[test]
    fn a_whole_stands_as_the_part_that_most_needs_a_person() {
        for (parts, whole) in [
            (&[][..], Off),
            (&[Off, On], On),
            (&[On, Drifted], Drifted),
            (&[Candidate, Off], Candidate),
            (&[Conflict], Conflict),
            (&[On, Untrusted, Drifted], Untrusted),
        ] {
            assert_eq!(ExtensionState::of_parts(parts), whole, "{parts:?}");
        }
    }

    #[test]
    fn the_legend_fits_a_terminal() {
        assert!(legend().lines().all(|line| line.chars().count() <= 80), "{}", legend());
    }
}
