//! Whether the environment asks a hook to be silent. A project can have a say in an agent's environment, so the policies of
//! the user are asked all the same.

use crate::edge::{ancestry, environment};

/// From here on a hook that runs inside hooks of ours does nothing, so that they end.
const MAX_DEPTH: u32 = 8;

/// Why a hook is silent, as the trail says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SilenceReason {
    /// Only policies of the user are asked.
    ButForGuards(&'static str),
    /// Nothing is asked: it would never end.
    Whole(&'static str),
}

/// Returns what the environment asks for.
pub(crate) fn asked() -> Option<SilenceReason> {
    if environment::depth() >= MAX_DEPTH {
        // The variable can be set by others; the processes above this one cannot.
        return Some(if ancestry::same_program_above(MAX_DEPTH) >= MAX_DEPTH {
            SilenceReason::Whole("SYMPOSIUM_DEPTH: hooks call each other without end, so this one asks nothing")
        } else {
            SilenceReason::ButForGuards("SYMPOSIUM_DEPTH is at its limit, so only policies of the user are asked")
        });
    }
    let is_off = environment::hooks_are_off();
    is_off.then_some(SilenceReason::ButForGuards("SYMPOSIUM_HOOKS is off, so only policies of the user are asked"))
}
