//! Syntax of early editions that the parser does not know: trait objects without `dyn`, and parameters without a name.
//! It is read from its tokens.

use proc_macro2::{Delimiter, TokenTree};
use quote::ToTokens;
use syn::Type;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;

use super::heads::{path_of, take_token};
use super::print::print_tokens;

/// A type as it is written.
pub(super) struct TypeText {
    pub(super) text: String,
    /// The names of its path, if it is one.
    pub(super) path: Vec<String>,
}

/// Takes the type of a const, a static, an alias or a field.
pub(super) fn take_type(input: ParseStream<'_>) -> syn::Result<TypeText> {
    let ahead = input.fork();
    if let Ok(ty) = ahead.parse::<Type>()
        && ahead.cursor().token_tree().is_none_or(|(token, _)| ends_type(&token))
    {
        input.advance_to(&ahead);
        return Ok(TypeText { path: path_of(&ty), text: print_tokens(&ty.into_token_stream()) });
    }
    let tokens = take_until(input, ends_type);
    if tokens.is_empty() {
        return Err(input.error("no type"));
    }
    Ok(TypeText { path: read_path(&tokens), text: print(&tokens) })
}

fn ends_type(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(sign) => matches!(sign.as_char(), ';' | ',' | '='),
        TokenTree::Ident(word) => word == "where",
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}

/// A function up to its body, as it is written.
pub(super) struct FunctionText {
    pub(super) name: String,
    pub(super) signature: String,
}

/// Takes a function up to its body.
pub(super) fn take_function(input: ParseStream<'_>) -> syn::Result<FunctionText> {
    let tokens = take_until(input, is_semicolon);
    let mut words = tokens.iter();
    let is_function = words.any(|token| matches!(token, TokenTree::Ident(word) if word == "fn"));
    let (true, Some(TokenTree::Ident(name))) = (is_function, words.next()) else {
        return Err(input.error("no function"));
    };
    let [TokenTree::Group(inputs), rest @ ..] = behind_angles(words.as_slice()) else {
        return Err(input.error("no function"));
    };
    let is_head = match rest.first() {
        None => true,
        Some(TokenTree::Punct(sign)) => sign.as_char() == '-',
        Some(TokenTree::Ident(word)) => word == "where",
        Some(_) => false,
    };
    if !is_head || inputs.delimiter() != Delimiter::Parenthesis {
        return Err(input.error("no function"));
    }
    Ok(FunctionText { name: name.to_string(), signature: print(&tokens).trim_end_matches(',').to_owned() })
}

/// An `impl` block up to its members.
pub(super) struct ImplHead {
    pub(super) self_path: Vec<String>,
    pub(super) trait_text: Option<String>,
}

/// Takes what is between `impl` and the members.
pub(super) fn take_impl(input: ParseStream<'_>) -> syn::Result<ImplHead> {
    let tokens = take_until(input, is_semicolon);
    let head = behind_angles(&tokens);
    let end = find_word(head, "where").unwrap_or(head.len());
    let head = head.get(..end).unwrap_or_default();
    let (trait_text, self_type) = match find_word(head, "for") {
        Some(at) => (head.get(..at).map(print), head.get(at + 1..).unwrap_or_default()),
        None => (None, head),
    };
    if self_type.is_empty() {
        return Err(input.error("no type"));
    }
    Ok(ImplHead { self_path: read_path(self_type), trait_text })
}

fn print(tokens: &[TokenTree]) -> String {
    print_tokens(&tokens.iter().cloned().collect())
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == ';')
}

/// Counts how many `<` are open. The arrow `->` closes none.
#[derive(Default)]
struct AngleDepth {
    open: usize,
    is_after_minus: bool,
}

impl AngleDepth {
    fn pass(&mut self, token: &TokenTree) {
        let sign = match token {
            TokenTree::Punct(sign) => sign.as_char(),
            _ => ' ',
        };
        match sign {
            '<' => self.open += 1,
            '>' if !self.is_after_minus => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.is_after_minus = sign == '-';
    }
}

/// Takes tokens up to a block or a token that ends them, outside of `<…>`.
fn take_until(input: ParseStream<'_>, ends: fn(&TokenTree) -> bool) -> Vec<TokenTree> {
    let mut depth = AngleDepth::default();
    let mut tokens = Vec::new();
    while let Some((token, _)) = input.cursor().token_tree() {
        let is_block = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        if depth.open == 0 && (is_block || ends(&token)) {
            break;
        }
        depth.pass(&token);
        tokens.push(token);
        take_token(input);
    }
    tokens
}

/// Returns what is behind `<…>`, if that comes first.
fn behind_angles(tokens: &[TokenTree]) -> &[TokenTree] {
    let mut depth = AngleDepth::default();
    for (at, token) in tokens.iter().enumerate() {
        let was_open = depth.open > 0;
        depth.pass(token);
        if depth.open == 0 {
            return if was_open { tokens.get(at + 1..).unwrap_or_default() } else { tokens };
        }
    }
    tokens
}

/// Finds a word outside of `<…>`; `for<'a>` is none.
fn find_word(tokens: &[TokenTree], wanted: &str) -> Option<usize> {
    let mut depth = AngleDepth::default();
    for (at, token) in tokens.iter().enumerate() {
        let is_word = matches!(token, TokenTree::Ident(word) if word == wanted);
        let is_binder = matches!(tokens.get(at + 1), Some(TokenTree::Punct(sign)) if sign.as_char() == '<');
        if depth.open == 0 && is_word && !is_binder {
            return Some(at);
        }
        depth.pass(token);
    }
    None
}

/// Reads the names of a path, also behind a reference or `dyn`.
fn read_path(tokens: &[TokenTree]) -> Vec<String> {
    let mut path = Vec::new();
    let mut is_lifetime = false;
    for token in tokens {
        match token {
            TokenTree::Ident(_) if is_lifetime => is_lifetime = false,
            TokenTree::Ident(word) if matches!(word.to_string().as_str(), "mut" | "dyn" | "const") => {}
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Punct(sign) => match sign.as_char() {
                '\'' => is_lifetime = true,
                ':' | '&' | '*' => {}
                _ => break,
            },
            TokenTree::Group(_) | TokenTree::Literal(_) => break,
        }
    }
    path
}
