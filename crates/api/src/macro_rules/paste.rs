//! `paste!`: the one proc macro whose work is needed in order to know names. It joins what is between `[<` and `>]`.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// Says whether a call is of `paste!` or a successor.
pub(crate) fn is_paste(name: &str) -> bool {
    matches!(name, "paste" | "paste_item" | "paste_item_with_macros")
}

/// Joins the names in the input of `paste!`.
pub(crate) fn paste_names(input: TokenStream) -> TokenStream {
    input
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let joined = (group.delimiter() == Delimiter::Bracket).then(|| join_names(group.stream())).flatten();
                joined.map_or_else(
                    || Group::new(group.delimiter(), paste_names(group.stream())).into(),
                    |name| Ident::new(&name, Span::call_site()).into(),
                )
            }
            token => token,
        })
        .collect()
}

/// Joins what is between `<` and `>`; nothing if the brackets are ordinary ones, or the result is no name.
fn join_names(tokens: TokenStream) -> Option<String> {
    let tokens: Vec<_> = flatten(tokens);
    let is = |token: &TokenTree, sign: char| matches!(token, TokenTree::Punct(found) if found.as_char() == sign);
    let [first, inner @ .., last] = tokens.as_slice() else { return None };
    if !is(first, '<') || !is(last, '>') {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    let mut tokens = inner.iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) => parts.push(name.to_string().trim_start_matches("r#").to_owned()),
            TokenTree::Literal(literal) => parts.push(literal.to_string().trim_matches('"').replace('-', "_")),
            TokenTree::Punct(sign) if sign.as_char() == ':' => {
                let modifier = tokens.next()?.to_string();
                let part = parts.pop()?;
                parts.push(change_case(&part, &modifier));
            }
            TokenTree::Punct(sign) if sign.as_char() == '\'' => {}
            _ => return None,
        }
    }
    let name = parts.concat();
    let is_name = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && name != "_";
    is_name.then_some(name)
}

fn flatten(tokens: TokenStream) -> Vec<TokenTree> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => flatten(group.stream()),
            token => vec![token],
        })
        .collect()
}

fn change_case(name: &str, modifier: &str) -> String {
    match modifier {
        "lower" => name.to_lowercase(),
        "upper" => name.to_uppercase(),
        "snake" => {
            let mut changed = String::new();
            let mut before = '_';
            for letter in name.chars() {
                if letter.is_uppercase() && before != '_' && !before.is_uppercase() {
                    changed.push('_');
                }
                changed.extend(letter.to_lowercase());
                before = letter;
            }
            changed
        }
        "camel" => {
            let words = name.split('_').filter(|word| !word.is_empty());
            words
                .map(|word| {
                    let mut letters = word.chars();
                    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
                    first + &letters.as_str().to_lowercase()
                })
                .collect()
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined() {
        for (input, expected) in [
            ("fn [<get_ foo>]() {}", "fn get_foo () { }"),
            ("struct [<Foo bar:camel Baz>];", "struct FooBarBaz ;"),
            ("fn [<is_ FooBar:snake>]() { [<a b>] }", "fn is_foo_bar () { ab }"),
            ("const [<x:upper _ 1>]: [u8; 2];", "const X_1 : [u8 ; 2] ;"),
            ("[<1 2>]", "[< 1 2 >]"),
            ("[<>]", "[<>]"),
        ] {
            let shown = |text: &str| text.parse::<TokenStream>().expect("tokens").to_string();
            assert_eq!(paste_names(input.parse().expect(input)).to_string(), shown(expected));
        }
    }
}
