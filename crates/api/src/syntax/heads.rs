//! Everything in front of an item: attributes, visibility, and the word that says what it is.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Token;
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};

use super::SyntaxVisibility;

/// Words that decide what an item is.
const DECISIVE: [&str; 11] =
    ["fn", "impl", "trait", "mod", "struct", "enum", "type", "static", "use", "macro_rules", "macro"];
/// Words that can stand in front of them.
const MODIFIERS: [&str; 8] = ["const", "async", "unsafe", "safe", "default", "auto", "extern", "gen"];

/// Everything in front of an item or a member, and its decisive word.
pub(super) struct SyntaxHead {
    pub(super) attributes: Vec<TokenStream>,
    pub(super) line: u32,
    pub(super) visibility: SyntaxVisibility,
    pub(super) keyword: &'static str,
}

/// Takes a head; nothing for a lone semicolon.
pub(super) fn take_head(input: ParseStream<'_>) -> syn::Result<Option<SyntaxHead>> {
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
        return Ok(None);
    }
    let attributes = take_attributes(input, false);
    let line = line_of(input);
    let visibility = take_visibility(input);
    Ok(Some(SyntaxHead { attributes, line, visibility, keyword: find_keyword(input.cursor()) }))
}

/// Takes attributes, as what is between their brackets.
pub(super) fn take_attributes(input: ParseStream<'_>, is_inner: bool) -> Vec<TokenStream> {
    let mut attributes = Vec::new();
    loop {
        let found = input.step(|cursor| {
            let no = || cursor.error("no attribute");
            let (sign, mut rest) = cursor.punct().ok_or_else(no)?;
            if sign.as_char() != '#' {
                return Err(no());
            }
            if let Some((sign, after)) = rest.punct()
                && sign.as_char() == '!'
            {
                if !is_inner {
                    return Err(no());
                }
                rest = after;
            } else if is_inner {
                return Err(no());
            }
            match rest.token_tree() {
                Some((TokenTree::Group(group), rest)) if group.delimiter() == Delimiter::Bracket => {
                    Ok((group.stream(), rest))
                }
                _ => Err(no()),
            }
        });
        match found {
            Ok(attribute) => attributes.push(attribute),
            Err(_) => return attributes,
        }
    }
}

/// The line of what comes next; 0 for what a macro wrote.
pub(super) fn line_of(input: ParseStream<'_>) -> u32 {
    let (start, end) = (input.span().start(), input.span().end());
    if start == end { 0 } else { u32::try_from(start.line).unwrap_or_default() }
}

/// Takes a visibility; `pub` in front of a type in brackets is not restricted by it.
pub(super) fn take_visibility(input: ParseStream<'_>) -> SyntaxVisibility {
    let taken = input.step(|cursor| {
        let no = || cursor.error("no visibility");
        let (word, rest) = cursor.ident().ok_or_else(no)?;
        if word == "crate" {
            return match rest.ident() {
                Some(_) => Ok((SyntaxVisibility::Crate, rest)),
                None => Err(no()),
            };
        }
        if word != "pub" {
            return Err(no());
        }
        let restricted = match rest.token_tree() {
            Some((TokenTree::Group(group), after)) if group.delimiter() == Delimiter::Parenthesis => {
                read_restriction(group.stream()).map(|visibility| (visibility, after))
            }
            _ => None,
        };
        Ok(restricted.unwrap_or((SyntaxVisibility::Public, rest)))
    });
    taken.unwrap_or(SyntaxVisibility::Inherited)
}

/// Takes a visibility and forgets it.
pub(crate) fn skip_visibility(input: ParseStream<'_>) {
    take_visibility(input);
}

fn read_restriction(tokens: TokenStream) -> Option<SyntaxVisibility> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let words: Vec<String> = tokens
        .iter()
        .filter_map(|token| match token {
            TokenTree::Ident(word) => Some(word.to_string()),
            _ => None,
        })
        .collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["crate"] if tokens.len() == 1 => Some(SyntaxVisibility::Crate),
        ["self"] if tokens.len() == 1 => Some(SyntaxVisibility::Inherited),
        ["super"] if tokens.len() == 1 => Some(SyntaxVisibility::Super(1)),
        ["in", "crate"] => Some(SyntaxVisibility::Crate),
        ["in", "self"] => Some(SyntaxVisibility::Inherited),
        ["in", levels @ ..] if levels.iter().all(|word| *word == "super") => {
            Some(SyntaxVisibility::Super(levels.len()))
        }
        ["in", "crate", rest @ ..] | ["in", rest @ ..] => {
            Some(SyntaxVisibility::In(rest.iter().map(|word| (*word).to_owned()).collect()))
        }
        _ => None,
    }
}

/// Finds the word that says what the item at the cursor is: one of `DECISIVE`, `const`, `extern crate`, `extern`,
/// `union`, `!` for a call, or nothing.
fn find_keyword(mut cursor: Cursor<'_>) -> &'static str {
    let mut last = "";
    loop {
        if let Some((TokenTree::Group(group), rest)) = cursor.token_tree()
            && group.delimiter() == Delimiter::None
        {
            return if is_bang(rest) { "!" } else { "" };
        }
        if let Some((_, rest)) = cursor.literal() {
            cursor = rest;
            continue;
        }
        let Some((word, rest)) = cursor.ident() else {
            return match cursor.token_tree() {
                Some((TokenTree::Group(group), _)) if last == "extern" && group.delimiter() == Delimiter::Brace => {
                    "extern"
                }
                Some((TokenTree::Punct(sign), _)) if sign.as_char() == ':' => "!",
                _ => "",
            };
        };
        if word == "macro_rules" && is_bang(rest) {
            return "macro_rules";
        }
        let found = DECISIVE.iter().find(|name| word == **name && **name != "macro_rules");
        if let Some(found) = found {
            return found;
        }
        if is_bang(rest) || rest.punct().is_some_and(|(sign, _)| sign.as_char() == ':') && last.is_empty() {
            return "!";
        }
        if word == "union" && rest.ident().is_some() {
            return "union";
        }
        if word == "crate" && last == "extern" {
            return "extern crate";
        }
        match MODIFIERS.iter().find(|name| word == **name) {
            Some(modifier) => last = modifier,
            None if last == "const" => return "const",
            None => return "",
        }
        cursor = rest;
    }
}

fn is_bang(cursor: Cursor<'_>) -> bool {
    cursor.punct().is_some_and(|(sign, _)| sign.as_char() == '!')
}

/// Reads all tokens. What was read counts, even if the parser left tokens inside brackets.
pub(super) fn parse_all(tokens: TokenStream, read: impl FnOnce(ParseStream<'_>)) {
    let parser = |input: ParseStream<'_>| {
        read(input);
        Ok(())
    };
    let _ = parser.parse2(tokens);
}

/// Takes one bracket with all that is in it.
pub(super) fn take_group(input: ParseStream<'_>, delimiter: Option<Delimiter>) -> syn::Result<TokenStream> {
    input.step(|cursor| match cursor.token_tree() {
        Some((TokenTree::Group(group), rest)) if delimiter.is_none_or(|wanted| group.delimiter() == wanted) => {
            Ok((group.stream(), rest))
        }
        _ => Err(cursor.error("a bracket is missing")),
    })
}

/// Takes the body of a function, or the semicolon in its place. A body is given back if it has items that can be seen from
/// outside.
pub(super) fn take_body(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(TokenStream::new());
    }
    take_group(input, Some(Delimiter::Brace)).map(keep_items)
}

fn keep_items(body: TokenStream) -> TokenStream {
    if has_inner_items(&body) { body } else { TokenStream::new() }
}

/// Says whether there is an `impl` block or an exported macro in a body, or in one inside of it.
pub(crate) fn has_inner_items(body: &TokenStream) -> bool {
    body.clone().into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Brace => has_inner_items(&group.stream()),
            Delimiter::Bracket => {
                matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(word)) if word == "macro_export")
            }
            Delimiter::Parenthesis | Delimiter::None => false,
        },
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Looks which bracket comes next.
pub(super) fn peek_group(input: ParseStream<'_>) -> Option<Delimiter> {
    match input.cursor().token_tree() {
        Some((TokenTree::Group(group), _)) => Some(group.delimiter()),
        _ => None,
    }
}

/// Goes to behind the next `;`, or to the end.
pub(super) fn skip_to_semicolon(input: ParseStream<'_>) {
    while let Some(token) = take_token(input) {
        if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ';') {
            return;
        }
    }
}

/// Goes to behind the next `;` or block, or to the end.
pub(super) fn skip_fault(input: ParseStream<'_>) {
    skip_to_block(input);
}

/// Goes as far, and gives back the block if it has items that can be seen from outside.
pub(super) fn skip_to_body(input: ParseStream<'_>) -> TokenStream {
    skip_to_block(input).map(keep_items).unwrap_or_default()
}

fn skip_to_block(input: ParseStream<'_>) -> Option<TokenStream> {
    while let Some(token) = take_token(input) {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ';' => return None,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return Some(group.stream()),
            _ => {}
        }
    }
    None
}

pub(super) fn take_token(input: ParseStream<'_>) -> Option<TokenTree> {
    input.step(|cursor| cursor.token_tree().ok_or_else(|| cursor.error("the end"))).ok()
}

/// Takes a path of plain names, as calls of macros have it; a leading `::` is an empty first name.
pub(super) fn take_call_path(input: ParseStream<'_>) -> syn::Result<Vec<String>> {
    let mut path = Vec::new();
    if let Some((TokenTree::Group(group), _)) = input.cursor().token_tree()
        && group.delimiter() == Delimiter::None
    {
        take_token(input);
        path.extend(group.stream().into_iter().filter_map(|token| match token {
            TokenTree::Ident(name) => Some(name.unraw().to_string()),
            _ => None,
        }));
        return Ok(path);
    }
    if input.peek(syn::Token![::]) {
        input.parse::<syn::Token![::]>()?;
        path.push(String::new());
    }
    loop {
        path.push(input.call(syn::Ident::parse_any)?.unraw().to_string());
        if !input.peek(syn::Token![::]) {
            return Ok(path);
        }
        input.parse::<syn::Token![::]>()?;
    }
}

/// The names of a path, or of what is behind a reference or `dyn`; empty for other types.
pub(super) fn path_of(ty: &syn::Type) -> Vec<String> {
    let names = |path: &syn::Path| {
        let global = path.leading_colon.map(|_| String::new());
        global.into_iter().chain(path.segments.iter().map(|segment| segment.ident.to_string())).collect()
    };
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => names(&path.path),
        syn::Type::Group(group) => path_of(&group.elem),
        syn::Type::Paren(paren) => path_of(&paren.elem),
        syn::Type::TraitObject(object) => object
            .bounds
            .iter()
            .find_map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => Some(names(&bound.path)),
                _ => None,
            })
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}
