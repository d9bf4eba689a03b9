//! Patterns against the input of a call.

use std::collections::HashMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};

use super::definition::{PatternPart, RepeatSign};
use super::fragment::take_fragment;

/// Bounds how often one `$( … )*` is gone through.
const MOST_ROUNDS: usize = 100_000;

/// The tokens that a name of a pattern stands for.
#[derive(Debug, Clone)]
pub(super) enum FragmentBinding {
    Tokens(TokenStream),
    Rounds(Vec<FragmentBinding>),
}

pub(super) type FragmentBindings = HashMap<String, FragmentBinding>;

/// Matches the whole input; nothing if it does not fit.
pub(super) fn match_arm(pattern: &[PatternPart], input: &TokenStream) -> Option<FragmentBindings> {
    let parser = |input: ParseStream<'_>| {
        let mut bindings = FragmentBindings::new();
        match_all(pattern, input, &mut bindings)?;
        if input.is_empty() { Ok(bindings) } else { Err(input.error("more than fits")) }
    };
    parser.parse2(input.clone()).ok()
}

fn match_all(pattern: &[PatternPart], input: ParseStream<'_>, bindings: &mut FragmentBindings) -> syn::Result<()> {
    let mut rest = pattern;
    while let Some((matcher, after)) = rest.split_first() {
        rest = after;
        match matcher {
            PatternPart::Token(token) => match_token(token, input)?,
            PatternPart::Group(delimiter, inner) => match_group(*delimiter, inner, input, bindings)?,
            PatternPart::Fragment(name, kind) => {
                let taken = take_fragment(input, *kind)?;
                bindings.insert(name.clone(), FragmentBinding::Tokens(taken));
            }
            PatternPart::Repeat(inner, sign) => match_repeat(inner, sign, input, bindings)?,
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
) -> syn::Result<()> {
    let stream = input.step(|cursor| match cursor.token_tree() {
        Some((TokenTree::Group(group), rest)) if group.delimiter() == delimiter => Ok((group.stream(), rest)),
        _ => Err(cursor.error("another token")),
    })?;
    let found = match_arm(inner, &stream).ok_or_else(|| input.error("another content"))?;
    bindings.extend(found);
    Ok(())
}

fn match_repeat(
    inner: &[PatternPart],
    sign: &RepeatSign,
    input: ParseStream<'_>,
    bindings: &mut FragmentBindings,
) -> syn::Result<()> {
    let mut rounds: Vec<FragmentBindings> = Vec::new();
    while !input.is_empty() && rounds.len() < MOST_ROUNDS {
        let ahead = input.fork();
        let mut found = FragmentBindings::new();
        let is_separated = rounds.is_empty() || sign.separator.iter().all(|token| match_token(token, &ahead).is_ok());
        if !is_separated || match_all(inner, &ahead, &mut found).is_err() || ahead.cursor() == input.cursor() {
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
    for name in names(inner) {
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
