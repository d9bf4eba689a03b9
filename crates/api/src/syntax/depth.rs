//! The depth of nested code. The parsers of types and of token trees call themselves, so depth is bounded before they run.

use proc_macro2::{TokenStream, TokenTree};
use syn::buffer::Cursor;

/// Brackets inside brackets, in any code that is looked at.
pub(crate) const MOST_GROUP_DEPTH: usize = 200;
/// Tokens that may nest in each other in a type or a path.
const MOST_TYPE_DEPTH: usize = 250;

/// Tokens that the parser of types takes at once: it needs hundreds of bytes for each.
const MOST_HEAD_TOKENS: usize = 100_000;

/// Returns the tokens unless brackets are nested too deeply for the parser. Large files are not copied for that.
pub(crate) fn check_depth(tokens: TokenStream) -> Option<TokenStream> {
    let mut is_fine = true;
    let checked = tokens.into_iter().inspect(|token| {
        is_fine &= !matches!(token, TokenTree::Group(group) if is_too_deep(group.stream()));
    });
    let tokens: TokenStream = checked.collect();
    is_fine.then_some(tokens)
}

fn is_too_deep(group: TokenStream) -> bool {
    let mut open = vec![group.into_iter()];
    while let Some(level) = open.last_mut() {
        match level.next() {
            Some(TokenTree::Group(group)) => {
                if open.len() + 1 >= MOST_GROUP_DEPTH {
                    return true;
                }
                open.push(group.stream().into_iter());
            }
            Some(_) => {}
            None => {
                open.pop();
            }
        }
    }
    false
}

/// Says whether the head of an item, up to its body or its end, is plain enough for the parser of types.
pub(crate) fn is_plain_head(cursor: Cursor<'_>) -> bool {
    deepest(cursor, StopSign::Body, &mut 0).is_some()
}

/// Says whether a type or path at the cursor is plain enough for the parser of types.
pub(crate) fn is_plain_type(cursor: Cursor<'_>) -> bool {
    deepest(cursor, StopSign::Separator, &mut 0).is_some()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StopSign {
    Body,
    Separator,
    End,
}

/// Counts how many tokens can be nested in each other at most: those without a separator between them. Nothing if that
/// is too many, or if all of them are.
fn deepest(mut cursor: Cursor<'_>, stop: StopSign, count: &mut usize) -> Option<usize> {
    let mut most = 0_usize;
    let mut run = 0_usize;
    let mut inner = 0_usize;
    let mut angle = 0_usize;
    while let Some((token, next)) = cursor.token_tree() {
        match &token {
            TokenTree::Punct(sign) => match sign.as_char() {
                '<' => {
                    angle += 1;
                    run += 1;
                }
                '>' => angle = angle.saturating_sub(1),
                ';' | '=' | ',' if angle == 0 && stop == StopSign::Separator => break,
                ';' if stop == StopSign::Body => return Some(most.max(run + inner)),
                ',' | ';' => {
                    most = most.max(run + inner);
                    (run, inner) = (angle, 0);
                }
                _ => run += 1,
            },
            TokenTree::Group(group) => {
                let is_brace = group.delimiter() == proc_macro2::Delimiter::Brace;
                if is_brace && angle == 0 && stop != StopSign::End {
                    break;
                }
                let within = cursor.any_group().map_or(Some(0), |(within, ..)| deepest(within, StopSign::End, count));
                inner = inner.max(1 + within?);
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => run += 1,
        }
        *count += 1;
        if run + inner > MOST_TYPE_DEPTH || *count > MOST_HEAD_TOKENS {
            return None;
        }
        cursor = next;
    }
    Some(most.max(run + inner))
}

#[cfg(test)]
mod tests {
    use syn::buffer::TokenBuffer;

    use super::*;

    #[test]
    fn brackets_are_counted_without_recursion() {
        let nested = |depth: usize| format!("{}{}", "(".repeat(depth), ")".repeat(depth)).parse().expect("brackets");
        assert!(check_depth(nested(100)).is_some());
        assert!(check_depth(nested(1_000)).is_none());
        assert!(check_depth(nested(50_000)).is_none());
    }

    #[test]
    fn types_are_bounded_by_what_can_nest() {
        let plain = |text: &str| is_plain_head(TokenBuffer::new2(text.parse().expect("tokens")).begin());
        assert!(plain("fn f<T: A<B>>(x: &T, y: (u8, u8)) -> X where T: B {}"));
        assert!(plain(&format!("fn f({}) {{}}", "x: u8, ".repeat(10_000))));
        assert!(plain(&format!("fn f() {{ {} }}", "- ".repeat(10_000))));
        assert!(!plain(&format!("fn f({}) {{}}", "x: u8, ".repeat(30_000))));
        assert!(!plain(&format!("fn f(x: {}u8) {{}}", "&".repeat(300))));
        assert!(!plain(&format!("fn f(x: {}u8{}) {{}}", "A<".repeat(300), ">".repeat(300))));
        assert!(!plain(&format!("fn f(x: {}u8{}) {{}}", "A<u8, ".repeat(300), ">".repeat(300))));
    }
}
