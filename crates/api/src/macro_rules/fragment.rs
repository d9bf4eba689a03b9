//! Fragments: what `$name:kind` takes from the input of a macro.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use crate::syntax::depth::is_plain_type;
use crate::syntax::{skip_item, skip_visibility};

/// Names the kinds of fragments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FragmentKind {
    Block,
    Expr,
    Ident,
    Item,
    Lifetime,
    Literal,
    Meta,
    Pat,
    PatParam,
    Path,
    Stmt,
    Tree,
    Type,
    Visibility,
}

impl FragmentKind {
    /// Reads the word after the colon; one that is not known takes a token.
    pub(super) fn parse(word: &str) -> Self {
        match word {
            "block" => Self::Block,
            "expr" | "expr_2021" => Self::Expr,
            "ident" => Self::Ident,
            "item" => Self::Item,
            "lifetime" => Self::Lifetime,
            "literal" => Self::Literal,
            "meta" => Self::Meta,
            "pat" => Self::Pat,
            "pat_param" => Self::PatParam,
            "path" => Self::Path,
            "stmt" => Self::Stmt,
            "ty" => Self::Type,
            "vis" => Self::Visibility,
            _ => Self::Tree,
        }
    }

    /// Says whether what was taken stays in one piece wherever it is handed on.
    fn is_opaque(self) -> bool {
        matches!(self, Self::Expr | Self::Type | Self::Path)
    }
}

/// Takes a fragment from the input.
pub(super) fn take_fragment(input: ParseStream<'_>, kind: FragmentKind) -> syn::Result<TokenStream> {
    let begin = input.cursor();
    match kind {
        FragmentKind::Type | FragmentKind::Path if !is_plain_type(begin) => {
            return Err(input.error("nested too deeply"));
        }
        FragmentKind::Type => drop(input.parse::<syn::Type>()?),
        FragmentKind::Path => take_path(input)?,
        FragmentKind::Item => skip_item(input)?,
        FragmentKind::Visibility => skip_visibility(input),
        FragmentKind::Expr => scan(input, ScanGoal::Expr)?,
        FragmentKind::Stmt => scan(input, ScanGoal::Stmt)?,
        FragmentKind::Pat => scan(input, ScanGoal::Pat)?,
        FragmentKind::PatParam => scan(input, ScanGoal::PatParam)?,
        FragmentKind::Meta => take_meta(input)?,
        FragmentKind::Block => step(input, |cursor| cursor.group(Delimiter::Brace).map(|(_, _, rest)| rest))?,
        FragmentKind::Ident => {
            step(input, |cursor| cursor.ident().filter(|(name, _)| name != "_").map(|(_, rest)| rest))?;
        }
        FragmentKind::Lifetime => step(input, |cursor| cursor.lifetime().map(|(_, rest)| rest))?,
        FragmentKind::Literal => step(input, skip_literal)?,
        FragmentKind::Tree => step(input, skip_tree)?,
    }
    let taken = collect_tokens(begin, input.cursor(), kind);
    if !kind.is_opaque() || is_wrapped(&taken) {
        return Ok(taken);
    }
    Ok(TokenTree::from(Group::new(Delimiter::None, taken)).into())
}

fn is_wrapped(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter();
    matches!(tokens.next(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None)
        && tokens.next().is_none()
}

fn step(input: ParseStream<'_>, skip: fn(Cursor<'_>) -> Option<Cursor<'_>>) -> syn::Result<()> {
    input.step(|cursor| match skip(*cursor) {
        Some(rest) => Ok(((), rest)),
        None => Err(cursor.error("no such fragment")),
    })
}

/// Collects tokens. Only what is handed on as it was written keeps its place: an item that a macro puts together from
/// names is where the call is.
fn collect_tokens(mut begin: Cursor<'_>, end: Cursor<'_>, kind: FragmentKind) -> TokenStream {
    let mut tokens = TokenStream::new();
    let keeps_place = !matches!(kind, FragmentKind::Ident | FragmentKind::Visibility | FragmentKind::Lifetime);
    while begin != end {
        let Some((mut token, rest)) = begin.token_tree() else { break };
        if !keeps_place && !matches!(token, TokenTree::Group(_)) {
            token.set_span(proc_macro2::Span::call_site());
        }
        tokens.extend(std::iter::once(token));
        begin = rest;
    }
    tokens
}

fn skip_literal(cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    let cursor = match cursor.punct() {
        Some((sign, rest)) if sign.as_char() == '-' => rest,
        _ => cursor,
    };
    match cursor.literal() {
        Some((_, rest)) => Some(rest),
        None => cursor.ident().filter(|(word, _)| word == "true" || word == "false").map(|(_, rest)| rest),
    }
}

/// Signs of several characters that are one token.
const LONG_SIGNS: [&str; 25] = [
    "<<=", ">>=", "...", "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "..", "+=", "-=", "*=", "/=",
    "%=", "^=", "&=", "|=", "<<", ">>", "<-",
];

/// Goes behind one token, as macros count them: a lifetime is one, and so is `=>`.
pub(super) fn skip_tree(cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    if let Some((_, rest)) = cursor.lifetime() {
        return Some(rest);
    }
    let (first, after) = cursor.token_tree()?;
    let TokenTree::Punct(first) = first else { return Some(after) };
    let mut text = first.as_char().to_string();
    let mut ends = vec![after];
    let mut is_joint = first.spacing() == Spacing::Joint;
    let mut rest = after;
    while is_joint
        && text.len() < 3
        && let Some((TokenTree::Punct(sign), after)) = rest.token_tree()
    {
        text.push(sign.as_char());
        ends.push(after);
        is_joint = sign.spacing() == Spacing::Joint;
        rest = after;
    }
    let width = LONG_SIGNS.iter().find(|sign| text.starts_with(**sign)).map_or(1, |sign| sign.len());
    ends.get(width - 1).copied()
}

/// Takes a path, also one such as `FnOnce(A) -> B`.
fn take_path(input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<syn::Path>()?;
    if input.peek(syn::token::Paren) {
        step(input, skip_tree)?;
        syn::ReturnType::without_plus(input)?;
    }
    Ok(())
}

fn take_meta(input: ParseStream<'_>) -> syn::Result<()> {
    if input.peek(syn::Token![unsafe]) {
        step(input, skip_tree)?;
        return step(input, skip_tree);
    }
    input.call(syn::Path::parse_mod_style)?;
    if input.peek(syn::Token![=]) {
        step(input, skip_tree)?;
        return scan(input, ScanGoal::Expr);
    }
    if matches!(input.cursor().token_tree(), Some((TokenTree::Group(_), _))) {
        step(input, skip_tree)?;
    }
    Ok(())
}

/// Says where something that is not parsed ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScanGoal {
    Expr,
    Stmt,
    Pat,
    PatParam,
}

/// Goes to where an expression, a pattern or a statement must end: what may follow one is fixed by the language.
fn scan(input: ParseStream<'_>, what: ScanGoal) -> syn::Result<()> {
    let mut is_operand = true;
    let mut count = 0;
    while !input.is_empty() {
        let at_end = input.peek(syn::Token![=>])
            || input.peek(syn::Token![;])
            || (input.peek(syn::Token![,]) && what != ScanGoal::Stmt)
            || match what {
                ScanGoal::Expr | ScanGoal::Stmt => false,
                ScanGoal::Pat => is_pattern_end(input),
                ScanGoal::PatParam => is_pattern_end(input) || input.peek(syn::Token![|]),
            };
        if at_end {
            break;
        }
        let is_piece = matches!(input.cursor().token_tree(), Some((TokenTree::Group(group), _)) if group.delimiter() == Delimiter::None);
        if is_piece {
            // An expression that was handed on; looking for a sign would look into it.
            step(input, skip_tree)?;
            is_operand = false;
        } else if what == ScanGoal::Expr && is_operand && input.peek(syn::Token![|]) && !input.peek(syn::Token![||]) {
            skip_closure_inputs(input)?;
        } else if input.peek(syn::Token![::]) && input.peek3(syn::Token![<]) {
            step(input, skip_tree)?;
            skip_angles(input)?;
            is_operand = false;
        } else {
            is_operand = input.peek(syn::Token![move])
                || input.peek(syn::Token![return])
                || matches!(input.cursor().token_tree(), Some((TokenTree::Punct(_), _)));
            step(input, skip_tree)?;
        }
        count += 1;
    }
    if count == 0 { Err(input.error("nothing here")) } else { Ok(()) }
}

fn is_pattern_end(input: ParseStream<'_>) -> bool {
    (input.peek(syn::Token![=]) && !input.peek(syn::Token![==]))
        || input.peek(syn::Token![if])
        || input.peek(syn::Token![in])
}

fn skip_closure_inputs(input: ParseStream<'_>) -> syn::Result<()> {
    step(input, skip_tree)?;
    while !input.is_empty() && !input.peek(syn::Token![|]) {
        step(input, skip_tree)?;
    }
    step(input, skip_tree)
}

/// Goes behind `<…>`.
fn skip_angles(input: ParseStream<'_>) -> syn::Result<()> {
    let mut depth = 0_usize;
    loop {
        let token = input.step(|cursor| cursor.token_tree().ok_or_else(|| cursor.error("the end")))?;
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '<' => depth += 1,
            TokenTree::Punct(sign) if sign.as_char() == '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Ok(());
        }
    }
}
