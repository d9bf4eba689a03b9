//! The rules of a macro: patterns and what they become.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

use super::fragment::FragmentKind;

/// The rules of one macro.
#[derive(Debug, Clone)]
pub(crate) struct MacroRules {
    pub(super) arms: Vec<MacroArm>,
}

#[derive(Debug, Clone)]
pub(super) struct MacroArm {
    pub(super) pattern: Vec<PatternPart>,
    pub(super) body: Vec<BodyPart>,
}

/// A part of a pattern.
#[derive(Debug, Clone)]
pub(super) enum PatternPart {
    Token(TokenTree),
    Group(Delimiter, Vec<PatternPart>),
    Fragment(String, FragmentKind),
    Repeat(Vec<PatternPart>, RepeatSign),
}

/// A part of what a pattern becomes.
#[derive(Debug, Clone)]
pub(super) enum BodyPart {
    Token(TokenTree),
    Group(Delimiter, Vec<BodyPart>),
    /// `$name`; `$crate` too.
    Variable(String),
    Repeat(Vec<BodyPart>, RepeatSign),
}

/// Says how often something may be repeated, and with what between.
#[derive(Debug, Clone)]
pub(super) struct RepeatSign {
    pub(super) separator: Vec<TokenTree>,
    pub(super) sign: char,
}

/// Reads the inside of `macro_rules! name { … }`.
pub(crate) fn read_rules(tokens: TokenStream) -> Option<MacroRules> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut arms = Vec::new();
    let mut rest = tokens.as_slice();
    loop {
        rest = match rest {
            [] => break,
            [TokenTree::Punct(sign), rest @ ..] if matches!(sign.as_char(), ';' | ',') => rest,
            [
                TokenTree::Group(pattern),
                TokenTree::Punct(first),
                TokenTree::Punct(second),
                TokenTree::Group(body),
                rest @ ..,
            ] if first.as_char() == '=' && second.as_char() == '>' => {
                arms.push(read_arm(pattern.stream(), body.stream()));
                rest
            }
            _ => return None,
        };
    }
    (!arms.is_empty()).then_some(MacroRules { arms })
}

fn read_arm(pattern: TokenStream, body: TokenStream) -> MacroArm {
    MacroArm { pattern: read_pattern(pattern), body: read_body(body) }
}

fn is_dollar(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == '$')
}

fn read_pattern(tokens: TokenStream) -> Vec<PatternPart> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut rest = tokens.as_slice();
    let mut pattern = Vec::new();
    while let [token, after @ ..] = rest {
        rest = after;
        match (token, after) {
            (dollar, [TokenTree::Group(group), after @ ..]) if is_dollar(dollar) => {
                if let Some((sign, after)) = read_repeat(after) {
                    pattern.push(PatternPart::Repeat(read_pattern(group.stream()), sign));
                    rest = after;
                }
            }
            (dollar, [TokenTree::Ident(name), TokenTree::Punct(colon), TokenTree::Ident(kind), after @ ..])
                if is_dollar(dollar) && colon.as_char() == ':' =>
            {
                pattern.push(PatternPart::Fragment(name.to_string(), FragmentKind::parse(&kind.to_string())));
                rest = after;
            }
            (TokenTree::Group(group), _) => {
                pattern.push(PatternPart::Group(group.delimiter(), read_pattern(group.stream())));
            }
            (token, _) => pattern.push(PatternPart::Token(token.clone())),
        }
    }
    pattern
}

/// Reads a body. Its tokens lose their place: what a macro writes itself has none but that of the call.
fn read_body(tokens: TokenStream) -> Vec<BodyPart> {
    let without_place = |mut token: TokenTree| {
        if !matches!(token, TokenTree::Group(_)) {
            token.set_span(Span::call_site());
        }
        token
    };
    let tokens: Vec<_> = tokens.into_iter().map(without_place).collect();
    let mut rest = tokens.as_slice();
    let mut body = Vec::new();
    while let [token, after @ ..] = rest {
        rest = after;
        match (token, after) {
            (dollar, [second, after @ ..]) if is_dollar(dollar) && is_dollar(second) => {
                body.push(BodyPart::Token(dollar.clone()));
                rest = after;
            }
            (dollar, [TokenTree::Ident(name), after @ ..]) if is_dollar(dollar) => {
                body.push(BodyPart::Variable(name.to_string()));
                rest = after;
            }
            (dollar, [TokenTree::Group(group), after @ ..])
                if is_dollar(dollar) && group.delimiter() == Delimiter::Parenthesis =>
            {
                match read_repeat(after) {
                    Some((sign, after)) => {
                        body.push(BodyPart::Repeat(read_body(group.stream()), sign));
                        rest = after;
                    }
                    None => body.push(BodyPart::Token(dollar.clone())),
                }
            }
            (TokenTree::Group(group), _) => body.push(BodyPart::Group(group.delimiter(), read_body(group.stream()))),
            (token, _) => body.push(BodyPart::Token(token.clone())),
        }
    }
    body
}

/// Reads what follows `$( … )`: a separator, perhaps, and how often.
fn read_repeat(tokens: &[TokenTree]) -> Option<(RepeatSign, &[TokenTree])> {
    let as_sign = |token: &TokenTree| match token {
        TokenTree::Punct(sign) if matches!(sign.as_char(), '*' | '+' | '?') => Some(sign.as_char()),
        _ => None,
    };
    let (first, mut rest) = tokens.split_first()?;
    if let Some(sign) = as_sign(first) {
        return Some((RepeatSign { separator: Vec::new(), sign }, rest));
    }
    let mut separator = vec![first.clone()];
    let mut is_joint = matches!(first, TokenTree::Punct(sign) if sign.spacing() == Spacing::Joint);
    loop {
        let (token, after) = rest.split_first()?;
        rest = after;
        match as_sign(token) {
            // `+=*`: the sign still belongs to the separator.
            Some(_) if is_joint && rest.first().and_then(as_sign).is_some() => separator.push(token.clone()),
            Some(sign) => return Some((RepeatSign { separator, sign }, rest)),
            None if is_joint => separator.push(token.clone()),
            None => return None,
        }
        is_joint = matches!(token, TokenTree::Punct(sign) if sign.spacing() == Spacing::Joint);
    }
}
