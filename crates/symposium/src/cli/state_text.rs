//! States in colours that only repeat what the words say.

use crate::ops::query::extension_state::ExtensionState;
use crate::ui::text::StyledText;

/// Adds a cell that tells a state.
pub(super) fn add_state(text: StyledText, state: ExtensionState, cell: &str) -> StyledText {
    match state {
        ExtensionState::On => text.good(cell),
        ExtensionState::Off => text.dim(cell),
        ExtensionState::Candidate => text.action(cell),
        ExtensionState::Untrusted
        | ExtensionState::Drifted
        | ExtensionState::Orphaned
        | ExtensionState::Conflict
        | ExtensionState::Unknown => text.warning(cell),
        ExtensionState::Blocked => text.error(cell),
    }
}
