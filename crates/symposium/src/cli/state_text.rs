//! States in colours that only repeat what the words say.

use crate::app::extension_state::ExtensionState;
use crate::ui::text::Text;

/// Adds a cell that tells a state.
pub(super) fn add_state(text: Text, state: ExtensionState, cell: &str) -> Text {
    match state {
        ExtensionState::On => text.good(cell),
        ExtensionState::Off => text.dim(cell),
        ExtensionState::Candidate => text.action(cell),
        ExtensionState::Untrusted | ExtensionState::Drifted | ExtensionState::Orphaned | ExtensionState::Conflict => {
            text.warning(cell)
        }
        ExtensionState::Blocked => text.error(cell),
    }
}
