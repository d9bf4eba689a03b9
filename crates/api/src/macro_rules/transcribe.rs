//! Bodies of rules, with the names of their patterns filled in.

use std::collections::HashMap;

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use super::ExpansionBudget;
use super::definition::{BodyPart, RepeatSign};
use super::matcher::{FragmentBinding, FragmentBindings};

type BindingFrame<'a> = HashMap<&'a str, &'a FragmentBinding>;

/// Fills in the names; nothing when the budget is used up or names are repeated unequally often.
pub(super) fn transcribe(
    body: &[BodyPart],
    bindings: &FragmentBindings,
    crate_name: &str,
    budget: &mut ExpansionBudget,
) -> Option<TokenStream> {
    let frame: BindingFrame<'_> = bindings.iter().map(|(name, binding)| (name.as_str(), binding)).collect();
    let mut tokens = Vec::new();
    fill(body, &frame, crate_name, budget, &mut tokens)?;
    Some(tokens.into_iter().collect())
}

fn fill(
    body: &[BodyPart],
    frame: &BindingFrame<'_>,
    crate_name: &str,
    budget: &mut ExpansionBudget,
    tokens: &mut Vec<TokenTree>,
) -> Option<()> {
    for part in body {
        budget.spend_tokens(1)?;
        match part {
            BodyPart::Token(token) => tokens.push(token.clone()),
            BodyPart::Group(delimiter, inner) => {
                let mut within = Vec::new();
                fill(inner, frame, crate_name, budget, &mut within)?;
                tokens.push(Group::new(*delimiter, within.into_iter().collect()).into());
            }
            BodyPart::Variable(name) if name == "crate" => {
                tokens.push(Ident::new(crate_name, Span::call_site()).into());
            }
            BodyPart::Variable(name) => match frame.get(name.as_str()) {
                Some(FragmentBinding::Tokens(value, count)) => {
                    budget.spend_tokens(*count)?;
                    tokens.extend(value.clone());
                }
                Some(FragmentBinding::Rounds(_)) => return None,
                // A name of a macro that this one defines.
                None => {
                    tokens.push(Punct::new('$', Spacing::Alone).into());
                    tokens.push(new_ident(name).into());
                }
            },
            BodyPart::Repeat(inner, sign) => repeat(inner, sign, frame, crate_name, budget, tokens)?,
        }
    }
    Some(())
}

fn repeat(
    inner: &[BodyPart],
    sign: &RepeatSign,
    frame: &BindingFrame<'_>,
    crate_name: &str,
    budget: &mut ExpansionBudget,
    tokens: &mut Vec<TokenTree>,
) -> Option<()> {
    let mut used = Vec::new();
    collect_names(inner, &mut used);
    budget.spend_steps(used.len() + frame.len())?;
    let repeated: Vec<(&str, &Vec<FragmentBinding>)> = used
        .iter()
        .filter_map(|name| match frame.get_key_value(name) {
            Some((name, FragmentBinding::Rounds(rounds))) => Some((*name, rounds)),
            _ => None,
        })
        .collect();
    let count = repeated.first()?.1.len();
    if repeated.iter().any(|(_, rounds)| rounds.len() != count) {
        return None;
    }
    let mut round_frame = frame.clone();
    for round in 0..count {
        for (name, rounds) in &repeated {
            round_frame.insert(name, rounds.get(round)?);
        }
        if round > 0 {
            tokens.extend(sign.separator.iter().cloned());
        }
        fill(inner, &round_frame, crate_name, budget, tokens)?;
    }
    Some(())
}

fn collect_names<'a>(body: &'a [BodyPart], names: &mut Vec<&'a str>) {
    for part in body {
        match part {
            BodyPart::Token(_) => {}
            BodyPart::Variable(name) => names.push(name),
            BodyPart::Group(_, inner) | BodyPart::Repeat(inner, _) => collect_names(inner, names),
        }
    }
}

fn new_ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}
