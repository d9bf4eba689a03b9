//! Environment variables that silence a hook. A project can influence an agent's environment, so the user's policies
//! run all the same.

use crate::edge::{ancestry, environment};

/// The nesting depth of hooks from which on a hook does nothing, to end a recursion.
const MAX_DEPTH: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SilenceReason {
    /// Only the user's policies run.
    ButForGuards(&'static str),
    /// Nothing runs, to end an endless recursion.
    Whole(&'static str),
}

pub(crate) fn asked() -> Option<SilenceReason> {
    if environment::depth() >= MAX_DEPTH {
        // Any program can set the variable, but not the ancestors of this process.
        return Some(if ancestry::same_program_above(MAX_DEPTH) >= MAX_DEPTH {
            SilenceReason::Whole("SYMPOSIUM_DEPTH: hooks call each other in a loop, so no handler is called")
        } else {
            SilenceReason::ButForGuards("SYMPOSIUM_DEPTH is at its limit, so only the user's policies are called")
        });
    }
    let is_off = environment::hooks_are_off();
    is_off.then_some(SilenceReason::ButForGuards("SYMPOSIUM_HOOKS is off, so only the user's policies are called"))
}
