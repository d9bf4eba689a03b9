//! Patterns against the input of a call.

use std::collections::HashMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};

use super::definition::{MacroArm, PatternPart, RepeatSign};
use super::fragment::take_fragment;
use super::weight::{count_all, count_between, count_looked_at};
use super::{ExpansionBudget, MOST_CALL_TOKENS};

/// Bounds how often one `$( … )*` is gone through.
const MOST_ROUNDS: usize = 100_000;

/// The tokens that a name of a pattern stands for.
#[derive(Debug, Clone)]
pub(super) enum FragmentBinding {
    /// With their number, those in brackets included.
    Tokens(TokenStream, usize),
    Rounds(Vec<FragmentBinding>),
}

pub(super) type FragmentBindings = HashMap<String, FragmentBinding>;

/// Finds the first rule that fits the whole input; nothing when none does, or when the budget is used up.
pub(super) fn match_rules<'a>(
    arms: &'a [MacroArm],
    input: &TokenStream,
    budget: &mut ExpansionBudget,
) -> Option<(&'a MacroArm, FragmentBindings)> {
    let parser = |input: ParseStream<'_>| {
        // All tokens were copied for the parser.
        let count = count_all(input.cursor());
        spend_steps(input, if count > MOST_CALL_TOKENS { usize::MAX } else { count }, budget)?;
        for arm in arms {
            let ahead = input.fork();
            if let Ok(bindings) = match_whole(&arm.pattern, &ahead, budget) {
                input.advance_to(&ahead);
                return Ok((arm, bindings));
            }
        }
        Err(input.error("no rule fits"))
    };
    parser.parse2(input.clone()).ok()
}

fn match_whole(
    pattern: &[PatternPart],
    input: ParseStream<'_>,
    budget: &mut ExpansionBudget,
) -> syn::Result<FragmentBindings> {
    spend_steps(input, 1, budget)?;
    let mut bindings = FragmentBindings::new();
    match_all(pattern, input, &mut bindings, budget)?;
    if input.is_empty() { Ok(bindings) } else { Err(input.error("more than fits")) }
}

fn spend_steps(input: ParseStream<'_>, count: usize, budget: &mut ExpansionBudget) -> syn::Result<()> {
    budget.spend_steps(count).ok_or_else(|| input.error("too many steps"))
}

fn match_all(
    pattern: &[PatternPart],
    input: ParseStream<'_>,
    bindings: &mut FragmentBindings,
    budget: &mut ExpansionBudget,
) -> syn::Result<()> {
    let mut rest = pattern;
    while let Some((matcher, after)) = rest.split_first() {
        rest = after;
        spend_steps(input, 1, budget)?;
        match matcher {
            PatternPart::Token(token) => match_token(token, input)?,
            PatternPart::Group(delimiter, inner) => match_group(*delimiter, inner, input, bindings, budget)?,
            PatternPart::Fragment(name, kind) => {
                let begin = input.cursor();
                spend_steps(input, count_looked_at(begin, *kind), budget)?;
                let taken = take_fragment(input, *kind);
                let count = count_between(begin, input.cursor());
                spend_steps(input, count, budget)?;
                bindings.insert(name.clone(), FragmentBinding::Tokens(taken?, count));
            }
            PatternPart::Repeat(inner, sign) => match_repeat(inner, sign, input, bindings, budget)?,
        }
    }
    Ok(())
}

fn match_token(wanted: &TokenTree, input: ParseStream<'_>) -> syn::Result<()> {
    input.step(|cursor| {
        let is_same = |token: &TokenTree| match (wanted, token) {
            (TokenTree::Ident(one), TokenTree::Ident(other)) => one == other,
            (TokenTree::Punct(one), TokenTree::Punct(other)) => one.as_char() == other.as_char(),
            (TokenTree::Literal(one), TokenTree::Literal(other)) => one.to_string() == other.to_string(),
            _ => false,
        };
        match cursor.token_tree() {
            Some((token, rest)) if is_same(&token) => Ok(((), rest)),
            _ => Err(cursor.error("another token")),
        }
    })
}

fn match_group(
    delimiter: Delimiter,
    inner: &[PatternPart],
    input: ParseStream<'_>,
    bindings: &mut FragmentBindings,
    budget: &mut ExpansionBudget,
) -> syn::Result<()> {
    let stream = input.step(|cursor| match cursor.token_tree() {
        Some((TokenTree::Group(group), rest)) if group.delimiter() == delimiter => Ok((group.stream(), rest)),
        _ => Err(cursor.error("another token")),
    })?;
    let parser = |within: ParseStream<'_>| {
        spend_steps(within, count_all(within.cursor()), budget)?;
        match_whole(inner, within, budget)
    };
    bindings.extend(parser.parse2(stream)?);
    Ok(())
}

fn match_repeat(
    inner: &[PatternPart],
    sign: &RepeatSign,
    input: ParseStream<'_>,
    bindings: &mut FragmentBindings,
    budget: &mut ExpansionBudget,
) -> syn::Result<()> {
    let mut rounds: Vec<FragmentBindings> = Vec::new();
    while !input.is_empty() && rounds.len() < MOST_ROUNDS {
        let ahead = input.fork();
        let mut found = FragmentBindings::new();
        let is_separated = rounds.is_empty() || sign.separator.iter().all(|token| match_token(token, &ahead).is_ok());
        if !is_separated || match_all(inner, &ahead, &mut found, budget).is_err() || ahead.cursor() == input.cursor() {
            break;
        }
        input.advance_to(&ahead);
        rounds.push(found);
        if sign.sign == '?' {
            break;
        }
    }
    if sign.sign == '+' && rounds.is_empty() {
        return Err(input.error("once at least"));
    }
    let names = names(inner);
    spend_steps(input, names.len(), budget)?;
    for name in names {
        let values = rounds.iter_mut().filter_map(|round| round.remove(&name)).collect();
        bindings.insert(name, FragmentBinding::Rounds(values));
    }
    Ok(())
}

/// The names that a pattern binds.
fn names(pattern: &[PatternPart]) -> Vec<String> {
    pattern
        .iter()
        .flat_map(|matcher| match matcher {
            PatternPart::Token(_) => Vec::new(),
            PatternPart::Group(_, inner) | PatternPart::Repeat(inner, _) => names(inner),
            PatternPart::Fragment(name, _) => vec![name.clone()],
        })
        .collect()
}
