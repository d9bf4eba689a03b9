//! `macro_rules!` macros: their rules as values, and what a call of one becomes.
//!
//! Names are taken as they are written (no hygiene), and an expression that is handed on is not parsed: it ends where the
//! language says that one must end. That is enough for items.

mod definition;
mod fragment;
mod matcher;
mod paste;
mod transcribe;

use proc_macro2::TokenStream;

pub(crate) use definition::{MacroRules, read_rules};
pub(crate) use paste::{is_paste, paste_names};

/// Counts what expansions may still cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExpansionBudget {
    pub(crate) calls: usize,
    pub(crate) tokens: usize,
}

impl ExpansionBudget {
    /// Takes tokens off; nothing when there are too few, and from then on always.
    fn spend_tokens(&mut self, count: usize) -> Option<()> {
        let left = self.tokens.checked_sub(count);
        self.tokens = left.unwrap_or(0);
        left.map(|_| ())
    }
}

/// Expands a call by the first rule that fits. `crate_name` is what `$crate` becomes.
pub(crate) fn expand_call(
    rules: &MacroRules,
    input: &TokenStream,
    crate_name: &str,
    budget: &mut ExpansionBudget,
) -> Option<TokenStream> {
    budget.calls = budget.calls.checked_sub(1)?;
    for arm in &rules.arms {
        if let Some(bindings) = matcher::match_arm(&arm.pattern, input) {
            return transcribe::transcribe(&arm.body, &bindings, crate_name, budget);
        }
    }
    None
}

#[cfg(test)]
mod tests;
