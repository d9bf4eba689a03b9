//! Signatures as tokens: paths by their last name, as rustdoc prints them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Says whether two signatures are the same as tokens.
pub(super) fn are_same(ours: &str, theirs: &str) -> bool {
    normalize(ours) == normalize(theirs)
}

fn normalize(text: &str) -> Option<Vec<String>> {
    let text = text.trim_start_matches("pub ");
    let mut tokens = Vec::new();
    flatten(text.parse::<TokenStream>().ok()?, &mut tokens);
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token == ":" && tokens.get(at + 1).is_some_and(|next| next == ":") {
            drop_segment(&mut kept);
            at += 2;
            continue;
        }
        kept.push(token.trim_start_matches("r#").to_owned());
        at += 1;
    }
    // Parameters of function pointers have names in sources only.
    Some(kept)
}

/// Takes away what is in front of `::`: a name, perhaps with arguments, or a qualified type.
fn drop_segment(kept: &mut Vec<String>) {
    let mut depth = 0_usize;
    if kept.last().is_some_and(|token| token == ">") {
        while let Some(token) = kept.pop() {
            match token.as_str() {
                ">" => depth += 1,
                "<" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    if kept.last().is_some_and(|token| token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'))
        && !kept.last().is_some_and(|token| ["dyn", "mut", "as", "const", "impl", "where"].contains(&token.as_str()))
    {
        kept.pop();
    }
    if kept.last().is_some_and(|token| token == "$") {
        kept.pop();
    }
}

fn flatten(tokens: TokenStream, flat: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                flat.push(open.to_owned());
                flatten(group.stream(), flat);
                flat.push(close.to_owned());
            }
            token => flat.push(token.to_string()),
        }
    }
}
