//! `macro_rules!` macros: their rules as values, and what a call of one becomes.
//!
//! Names are taken as they are written (no hygiene), and an expression that is handed on is not parsed: it ends where the
//! language says that one must end. That is enough for items.

mod definition;
mod fragment;
mod matcher;
mod paste;
mod transcribe;
mod weight;

use proc_macro2::TokenStream;

pub(crate) use definition::{MacroRules, read_rules};
pub(crate) use paste::{is_paste, paste_names};

/// The most tokens that one call takes or makes, which bounds the memory for matching and parsing them.
const MOST_CALL_TOKENS: usize = 400_000;

/// Counts what expansions may still cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExpansionBudget {
    pub(crate) calls: usize,
    pub(crate) tokens: usize,
    /// Tokens that may be compared with patterns.
    pub(crate) steps: usize,
}

impl ExpansionBudget {
    pub(crate) fn is_spent(&self) -> bool {
        self.calls == 0 || self.tokens == 0 || self.steps == 0
    }

    /// Takes tokens off; nothing when there are too few, and from then on always.
    fn spend_tokens(&mut self, count: usize) -> Option<()> {
        spend(&mut self.tokens, count)
    }

    /// Takes steps off, in the same way.
    fn spend_steps(&mut self, count: usize) -> Option<()> {
        spend(&mut self.steps, count)
    }
}

fn spend(budget: &mut usize, count: usize) -> Option<()> {
    let left = budget.checked_sub(count);
    *budget = left.unwrap_or(0);
    left.map(|_| ())
}

/// Expands a call by the first rule that fits. `crate_name` is what `$crate` becomes.
pub(crate) fn expand_call(
    rules: &MacroRules,
    input: &TokenStream,
    crate_name: &str,
    budget: &mut ExpansionBudget,
) -> Option<TokenStream> {
    budget.calls = budget.calls.checked_sub(1)?;
    let (arm, bindings) = matcher::match_rules(&rules.arms, input, budget)?;
    let before = budget.tokens;
    let most = before.min(MOST_CALL_TOKENS);
    budget.tokens = most;
    let made = transcribe::transcribe(&arm.body, &bindings, crate_name, budget);
    // A call that makes too much ends all of it, so that the index says that something is missing.
    if made.is_some() || budget.tokens > 0 {
        budget.tokens += before - most;
    }
    made
}

#[cfg(test)]
mod tests;
