//! Conditions on features and platforms: whether something is there, and what must be on for it.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::source::TargetFacts;

/// Holds what conditions are evaluated with.
#[derive(Debug, Clone)]
pub(crate) struct CfgFacts {
    pub(crate) features: BTreeSet<String>,
    pub(crate) target: TargetFacts,
}

/// Says which features something needs, and whether they are on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FeatureGate {
    pub(crate) is_on: bool,
    /// Conditions that must all hold, as text.
    needs: Vec<String>,
}

impl Default for FeatureGate {
    fn default() -> Self {
        Self { is_on: true, needs: Vec::new() }
    }
}

impl FeatureGate {
    /// Asks for both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut gate = self.clone();
        gate.is_on &= other.is_on;
        for need in &other.needs {
            if !gate.needs.contains(need) {
                gate.needs.push(need.clone());
            }
        }
        gate
    }

    /// Reads the text of an index again.
    pub(crate) fn from_text(feature: Option<&str>, is_off: bool) -> Self {
        Self { is_on: !is_off, needs: feature.map(str::to_owned).into_iter().collect() }
    }

    /// The condition as text, such as `fs and (net or rt)`.
    pub(crate) fn text(&self) -> Option<String> {
        let wrap = |need: &String| {
            if need.contains(" or ") && self.needs.len() > 1 { format!("({need})") } else { need.clone() }
        };
        (!self.needs.is_empty()).then(|| self.needs.iter().map(wrap).collect::<Vec<_>>().join(" and "))
    }
}

/// A condition after everything but features was looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FeatureTerm {
    Always,
    Never,
    Feature(String),
    All(Vec<FeatureTerm>),
    Any(Vec<FeatureTerm>),
}

/// Evaluates the inside of `cfg(…)`; nothing if no feature could bring the item back.
pub(crate) fn evaluate_cfg(tokens: TokenStream, facts: &CfgFacts) -> Option<FeatureGate> {
    let term = read_term(&tokens.into_iter().collect::<Vec<_>>(), facts);
    let needs = match &term {
        FeatureTerm::Never => return None,
        FeatureTerm::Always => Vec::new(),
        FeatureTerm::All(terms) => terms.iter().map(print_term).collect(),
        FeatureTerm::Feature(_) | FeatureTerm::Any(_) => vec![print_term(&term)],
    };
    Some(FeatureGate { is_on: holds(&term, facts), needs })
}

/// Says whether a dependency for a platform, written `cfg(…)` or as a triple, is one for these.
pub fn is_for_target(written: &str, target: &TargetFacts) -> bool {
    let written = written.trim();
    match written.strip_prefix("cfg(").and_then(|inside| inside.strip_suffix(')')) {
        Some(inside) => {
            let facts = CfgFacts { features: BTreeSet::new(), target: target.clone() };
            let gate = inside.parse().ok().and_then(|tokens| evaluate_cfg(tokens, &facts));
            gate.is_some_and(|gate| gate.is_on)
        }
        None => target.values.iter().filter(|(name, _)| name == "target_os").any(|(_, system)| {
            let system = if system == "macos" { "darwin" } else { system };
            written.contains(system)
        }),
    }
}

fn holds(term: &FeatureTerm, facts: &CfgFacts) -> bool {
    match term {
        FeatureTerm::Always => true,
        FeatureTerm::Never => false,
        FeatureTerm::Feature(name) => facts.features.contains(name),
        FeatureTerm::All(terms) => terms.iter().all(|term| holds(term, facts)),
        FeatureTerm::Any(terms) => terms.iter().any(|term| holds(term, facts)),
    }
}

fn print_term(term: &FeatureTerm) -> String {
    let join = |terms: &[FeatureTerm], word: &str| {
        let inner = |term: &FeatureTerm| match term {
            FeatureTerm::All(_) | FeatureTerm::Any(_) => format!("({})", print_term(term)),
            _ => print_term(term),
        };
        terms.iter().map(inner).collect::<Vec<_>>().join(word)
    };
    match term {
        FeatureTerm::Always => "always".to_owned(),
        FeatureTerm::Never => "never".to_owned(),
        FeatureTerm::Feature(name) => name.clone(),
        FeatureTerm::All(terms) => join(terms, " and "),
        FeatureTerm::Any(terms) => join(terms, " or "),
    }
}

fn read_term(tokens: &[TokenTree], facts: &CfgFacts) -> FeatureTerm {
    match tokens {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            read_term(&group.stream().into_iter().collect::<Vec<_>>(), facts)
        }
        [TokenTree::Ident(name)] if name == "true" => FeatureTerm::Always,
        [TokenTree::Ident(name)] => read_flag(&name.to_string(), facts),
        [TokenTree::Ident(name), TokenTree::Punct(sign), value] if sign.as_char() == '=' => {
            let value = string_value(value).unwrap_or_default();
            if name == "feature" {
                return FeatureTerm::Feature(value);
            }
            decided(facts.target.values.contains(&(name.to_string(), value)))
        }
        [TokenTree::Ident(name), TokenTree::Group(group)] => {
            let terms: Vec<_> = split_at_commas(group.stream()).iter().map(|part| read_term(part, facts)).collect();
            match name.to_string().as_str() {
                "all" => all_of(terms),
                "any" => any_of(terms),
                "not" => decided(!terms.first().is_some_and(|term| holds(term, facts))),
                _ => FeatureTerm::Never,
            }
        }
        _ => FeatureTerm::Never,
    }
}

/// Names that the compiler sets, or leaves out, by itself.
const COMPILER_FLAGS: [&str; 9] =
    ["debug_assertions", "doc", "doctest", "miri", "panic", "proc_macro", "test", "unix", "windows"];

/// Reads a name without a value. A build script sets the others, often for the feature of that name.
fn read_flag(name: &str, facts: &CfgFacts) -> FeatureTerm {
    let dashed = name.replace('_', "-");
    let is_set = facts.target.flags.contains(name);
    match facts.features.iter().find(|feature| **feature == dashed || **feature == name) {
        Some(feature) if !is_set && !COMPILER_FLAGS.contains(&name) => FeatureTerm::Feature(feature.clone()),
        _ => decided(is_set),
    }
}

fn decided(is_true: bool) -> FeatureTerm {
    if is_true { FeatureTerm::Always } else { FeatureTerm::Never }
}

fn all_of(terms: Vec<FeatureTerm>) -> FeatureTerm {
    let mut kept = Vec::new();
    for term in terms {
        match term {
            FeatureTerm::Always => {}
            FeatureTerm::Never => return FeatureTerm::Never,
            FeatureTerm::All(inner) => kept.extend(inner),
            other @ (FeatureTerm::Feature(_) | FeatureTerm::Any(_)) => kept.push(other),
        }
    }
    one_or(kept, FeatureTerm::Always, FeatureTerm::All)
}

fn any_of(terms: Vec<FeatureTerm>) -> FeatureTerm {
    let mut kept = Vec::new();
    for term in terms {
        match term {
            FeatureTerm::Always => return FeatureTerm::Always,
            FeatureTerm::Never => {}
            FeatureTerm::Any(inner) => kept.extend(inner),
            other @ (FeatureTerm::Feature(_) | FeatureTerm::All(_)) => kept.push(other),
        }
    }
    one_or(kept, FeatureTerm::Never, FeatureTerm::Any)
}

fn one_or(mut terms: Vec<FeatureTerm>, none: FeatureTerm, many: fn(Vec<FeatureTerm>) -> FeatureTerm) -> FeatureTerm {
    if terms.len() > 1 { many(terms) } else { terms.pop().unwrap_or(none) }
}

/// Splits tokens at the commas between them; a trailing comma makes no empty part.
pub(crate) fn split_at_commas(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in tokens {
        match (&token, parts.last_mut()) {
            (TokenTree::Punct(sign), _) if sign.as_char() == ',' => parts.push(Vec::new()),
            (_, Some(part)) => part.push(token),
            (_, None) => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Reads a string literal.
pub(crate) fn string_value(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Literal(literal) => match syn::Lit::new(literal.clone()) {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let mut inner = group.stream().into_iter();
            let first = inner.next()?;
            if inner.next().is_some() { None } else { string_value(&first) }
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "cfg_tests.rs"]
mod tests;
