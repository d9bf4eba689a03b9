//! Tells code that can stand in a module from statements.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Words that begin an item.
const ITEM_WORDS: [&str; 15] = [
    "use", "fn", "pub", "struct", "enum", "union", "impl", "mod", "trait", "type", "static", "extern", "macro", "auto",
    "default",
];

/// Words that begin an item or a block.
const EITHER_WORDS: [&str; 3] = ["unsafe", "async", "const"];

/// Says whether code consists of items alone. Code that cannot be read counts as items.
pub fn holds_only_items(code: &str) -> bool {
    let Ok(tokens) = code.parse::<TokenStream>() else { return true };
    let mut tokens = tokens.into_iter().peekable();
    while let Some(first) = tokens.next() {
        let is_item = match &first {
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                let _inner = tokens.next_if(|next| matches!(next, TokenTree::Punct(sign) if sign.as_char() == '!'));
                let _attribute = tokens.next();
                continue;
            }
            TokenTree::Ident(word) => {
                let word = word.to_string();
                let is_block = matches!(tokens.peek(), Some(TokenTree::Group(_)));
                match word.as_str() {
                    word if ITEM_WORDS.contains(&word) => true,
                    word if EITHER_WORDS.contains(&word) => !is_block,
                    word => is_item_macro(word, tokens.clone()),
                }
            }
            _ => false,
        };
        if !is_item {
            return false;
        }
        // The braces of an import, or of a constant's value, are not its end.
        let head: Vec<String> = tokens.clone().take(3).map(|token| token.to_string()).collect();
        let words = std::iter::once(first.to_string()).chain(head);
        let mut words = words.skip_while(|word| word == "pub" || word.starts_with('('));
        let ends_with_sign = match (words.next().as_deref(), words.next().as_deref()) {
            (Some("use" | "static"), _) => true,
            (Some("const"), next) => !matches!(next, Some("fn" | "unsafe" | "async" | "extern")),
            _ => false,
        };
        let ends = |token: &TokenTree| match token {
            TokenTree::Punct(sign) => sign.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !ends_with_sign,
            _ => false,
        };
        for token in tokens.by_ref() {
            if ends(&token) {
                break;
            }
        }
    }
    true
}

/// Says whether a word and the tokens behind it call a macro, through a path or not, that makes items: it has braces, and
/// `println!` has none.
fn is_item_macro(first: &str, tokens: impl Iterator<Item = TokenTree>) -> bool {
    let is_sign = |token: &TokenTree, wanted| matches!(token, TokenTree::Punct(sign) if sign.as_char() == wanted);
    let mut tokens = tokens.peekable();
    let mut name = first.to_owned();
    while tokens.next_if(|next| is_sign(next, ':')).is_some() {
        if let Some(segment) = tokens.next_if(|next| matches!(next, TokenTree::Ident(_))) {
            name = segment.to_string();
        }
    }
    let is_call = tokens.next_if(|next| is_sign(next, '!')).is_some();
    let delimiter = tokens.find_map(|token| match token {
        TokenTree::Group(group) => Some(group.delimiter()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    });
    is_call && delimiter == Some(Delimiter::Brace) && !matches!(name.as_str(), "select" | "select_biased")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_told_from_statements() {
        for (code, expected) in [
            ("use a::{b, c};\nfn x() {}\n", true),
            ("#[derive(Debug)]\npub struct A { x: u8 }\nimpl A {}\n", true),
            ("#![allow(unused)]\nstruct A;\nstruct B(u8);\npub const X: u8 = { 1 };\npub use a::{b};\n", true),
            ("bitflags! { struct A: u8 {} }\nmacro_rules! m { () => {} }\n", true),
            ("use diesel::prelude::*;\ndiesel::table! { a (id) { id -> Integer, } }\n#[test]\nfn b() {}\n", true),
            ("async fn a() {}\nunsafe impl A for B {}\nconst fn c() {}\npub(crate) const fn d() {}\nstruct E;\n", true),
            ("", true),
            ("fn a( {", true),
            ("let x = 1;\n", false),
            ("use a::b;\nlet x = b();\n", false),
            ("println!(\"x\");\n", false),
            ("tokio::select! { _ = a => {} }\n", false),
            ("a::b();\n", false),
            ("unsafe { a() }\n", false),
            ("use a::{b};\nfor x in b {}\n", false),
        ] {
            assert_eq!(holds_only_items(code), expected, "{code}");
        }
    }
}
