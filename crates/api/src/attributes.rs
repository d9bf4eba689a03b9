//! Attributes of an item, as far as its public face depends on them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::cfg::{CfgFacts, FeatureGate, evaluate_cfg, split_at_commas, string_value};

/// Cuts documentation after so many characters.
const MOST_DOC_CHARS: usize = 400;
const MOST_CFG_ATTR_DEPTH: usize = 8;

/// Collects what attributes say.
#[derive(Debug, Clone, Default)]
pub(crate) struct ItemAttributes {
    pub(crate) docs: DocText,
    pub(crate) deprecated: Option<String>,
    pub(crate) is_hidden: bool,
    /// Nothing if the item is never there.
    pub(crate) gate: Option<FeatureGate>,
    pub(crate) path: Option<String>,
    pub(crate) is_macro_export: bool,
    pub(crate) is_macro_use: bool,
    pub(crate) proc_macro: Option<ProcMacro>,
    pub(crate) derives: Vec<String>,
    /// The paths of derives, and of attributes that are not known: a proc macro may make items for them.
    pub(crate) derive_paths: Vec<Vec<String>>,
    pub(crate) other_paths: Vec<Vec<String>>,
}

/// Attributes of the compiler and of tools that change nothing that is read here.
const PLAIN: [&str; 44] = [
    "allow",
    "allow_internal_unsafe",
    "allow_internal_unstable",
    "automatically_derived",
    "bench",
    "clippy",
    "cold",
    "collapse_debuginfo",
    "coverage",
    "debugger_visualizer",
    "default",
    "deny",
    "derive_const",
    "diagnostic",
    "expect",
    "export_name",
    "forbid",
    "global_allocator",
    "ignore",
    "inline",
    "instruction_set",
    "link",
    "link_name",
    "link_ordinal",
    "link_section",
    "miri",
    "must_use",
    "naked",
    "no_link",
    "no_mangle",
    "non_exhaustive",
    "panic_handler",
    "repr",
    "rust_analyzer",
    "rustc_on_unimplemented",
    "rustfmt",
    "should_panic",
    "stable",
    "target_feature",
    "test",
    "track_caller",
    "type_length_limit",
    "used",
    "warn",
];

/// Says which proc macro a function defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProcMacro {
    Function,
    Attribute,
    Derive(String),
}

/// Collects the first paragraph of documentation, line by line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DocText {
    text: String,
    is_done: bool,
}

impl DocText {
    fn push(&mut self, lines: &str) {
        for line in lines.lines() {
            let line = line.trim();
            if self.is_done {
                return;
            }
            if line.is_empty() {
                self.is_done = !self.text.is_empty() && !is_decoration(&self.text);
                if !self.is_done {
                    self.text.clear();
                }
                continue;
            }
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(line.trim_start_matches('#').trim_start());
            self.is_done = self.text.chars().count() > MOST_DOC_CHARS;
        }
    }

    /// The paragraph on one line.
    pub(crate) fn paragraph(&self) -> String {
        if is_decoration(&self.text) {
            return String::new();
        }
        let mut cut: String = self.text.chars().take(MOST_DOC_CHARS).collect();
        if cut.len() < self.text.len() {
            cut.push('…');
        }
        cut
    }
}

/// Badges, logos, the addresses of links, and HTML say nothing about the item.
fn is_decoration(text: &str) -> bool {
    let is_address = text.starts_with('[') && text.split_once("]: ").is_some_and(|(name, _)| !name.contains(' '));
    is_address || text.starts_with("[![") || text.starts_with("![") || text.starts_with('<') || text.starts_with("```")
}

/// Reads attributes, given as what is between their brackets.
pub(crate) fn read_attributes(attributes: &[TokenStream], facts: &CfgFacts) -> ItemAttributes {
    let mut read = ItemAttributes { gate: Some(FeatureGate::default()), ..ItemAttributes::default() };
    for attribute in attributes {
        read_attribute(attribute.clone().into_iter().collect(), facts, &mut read, 0);
    }
    read
}

fn read_attribute(tokens: Vec<TokenTree>, facts: &CfgFacts, read: &mut ItemAttributes, depth: usize) {
    let tokens = unwrap_unsafe(tokens);
    let Some((path, rest)) = split_path(&tokens) else { return };
    let Some(name) = path.last() else { return };
    match (name.as_str(), rest) {
        ("cfg", [TokenTree::Group(group)]) => {
            let gate = evaluate_cfg(group.stream(), facts);
            read.gate = match (read.gate.take(), gate) {
                (Some(before), Some(more)) => Some(before.and(&more)),
                _ => None,
            };
        }
        ("cfg_attr", [TokenTree::Group(group)]) if depth < MOST_CFG_ATTR_DEPTH => {
            let mut parts = split_at_commas(group.stream()).into_iter();
            let condition = parts.next().unwrap_or_default().into_iter().collect();
            if evaluate_cfg(condition, facts).is_some_and(|gate| gate.is_on) {
                parts.for_each(|part| read_attribute(part, facts, read, depth + 1));
            }
        }
        ("doc", [TokenTree::Punct(sign), value @ ..]) if sign.as_char() == '=' => {
            if !read.docs.is_done
                && let Some(text) = text_value(value)
            {
                read.docs.push(if text.is_empty() { "\n" } else { &text });
            }
        }
        ("doc", [TokenTree::Group(group)]) => {
            read.is_hidden |= split_at_commas(group.stream())
                .iter()
                .any(|part| matches!(part.as_slice(), [TokenTree::Ident(word)] if word == "hidden"));
        }
        ("deprecated", rest) => read.deprecated = Some(deprecation(rest)),
        ("path", [TokenTree::Punct(_), value]) => read.path = string_value(value),
        ("macro_export", _) => read.is_macro_export = true,
        ("macro_use", _) => read.is_macro_use = true,
        ("proc_macro", []) => read.proc_macro = Some(ProcMacro::Function),
        ("proc_macro_attribute", []) => read.proc_macro = Some(ProcMacro::Attribute),
        ("proc_macro_derive", [TokenTree::Group(group)]) => {
            let name = group.stream().into_iter().next().map(|token| token.to_string());
            read.proc_macro = name.map(ProcMacro::Derive);
        }
        ("derive", [TokenTree::Group(group)]) => {
            let names = split_at_commas(group.stream());
            read.derives.extend(names.iter().filter_map(|path| path.last().map(ToString::to_string)));
            read.derive_paths.extend(names.iter().filter_map(|path| split_path(path)).map(|(path, _)| path));
        }
        ("cfg" | "cfg_attr" | "derive" | "doc", _) => {}
        _ if path.first().is_some_and(|head| PLAIN.contains(&head.as_str())) => {}
        _ => read.other_paths.push(path),
    }
}

/// Takes `unsafe(…)` away from around an attribute.
fn unwrap_unsafe(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    match tokens.as_slice() {
        [TokenTree::Ident(word), TokenTree::Group(group)] if word == "unsafe" => group.stream().into_iter().collect(),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => group.stream().into_iter().collect(),
        _ => tokens,
    }
}

/// Splits the path of an attribute or a derive from what is behind it. A leading `::` is an empty first name.
fn split_path(tokens: &[TokenTree]) -> Option<(Vec<String>, &[TokenTree])> {
    let (mut path, mut tokens) = (Vec::new(), tokens);
    loop {
        match tokens {
            [TokenTree::Group(group), rest @ ..] if group.delimiter() == Delimiter::None => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                let (inner, _) = split_path(&inner)?;
                path.extend(inner);
                return Some((path, rest));
            }
            [TokenTree::Punct(first), TokenTree::Punct(second), rest @ ..]
                if path.is_empty() && first.as_char() == ':' && second.as_char() == ':' =>
            {
                path.push(String::new());
                tokens = rest;
            }
            [TokenTree::Ident(name), TokenTree::Punct(first), TokenTree::Punct(second), rest @ ..]
                if first.as_char() == ':' && second.as_char() == ':' =>
            {
                path.push(name.unraw().to_string());
                tokens = rest;
            }
            [TokenTree::Ident(name), rest @ ..] => {
                path.push(name.unraw().to_string());
                return Some((path, rest));
            }
            _ => return None,
        }
    }
}

/// Reads a text that is a literal, or put together from literals.
fn text_value(tokens: &[TokenTree]) -> Option<String> {
    match tokens {
        [value] => match string_value(value) {
            Some(text) => Some(text),
            None => match value {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                    text_value(&group.stream().into_iter().collect::<Vec<_>>())
                }
                TokenTree::Literal(literal) => Some(literal.to_string()),
                _ => None,
            },
        },
        [TokenTree::Ident(name), TokenTree::Punct(sign), TokenTree::Group(group)] if sign.as_char() == '!' => {
            match name.to_string().as_str() {
                "concat" => split_at_commas(group.stream()).iter().map(|part| text_value(part)).collect(),
                "stringify" => Some(crate::syntax::print::print_tokens(&group.stream())),
                _ => None,
            }
        }
        // Several in a row, as `paste!` allows.
        [_, _, ..] => tokens
            .iter()
            .map(|token| match token {
                TokenTree::Ident(name) => Some(name.to_string()),
                token => string_value(token),
            })
            .collect(),
        _ => None,
    }
}

fn deprecation(rest: &[TokenTree]) -> String {
    match rest {
        [TokenTree::Punct(_), value @ ..] => text_value(value).unwrap_or_default(),
        [TokenTree::Group(group)] => {
            let parts = split_at_commas(group.stream());
            let find = |key: &str| {
                parts.iter().find_map(|part| match part.as_slice() {
                    [TokenTree::Ident(name), TokenTree::Punct(_), value @ ..] if name == key => text_value(value),
                    _ => None,
                })
            };
            let texts = [find("since").map(|since| format!("since {since}")), find("note")];
            let text = texts.into_iter().flatten().collect::<Vec<_>>().join(": ");
            text.chars().take(MOST_DOC_CHARS).collect()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
#[path = "attributes_tests.rs"]
mod tests;
