//! The cost of matching: the tokens that a step goes over, those in brackets included.

use proc_macro2::{Delimiter, TokenTree};
use syn::buffer::Cursor;

use super::fragment::FragmentKind;

/// Counts all tokens from a place on.
pub(super) fn count_all(cursor: Cursor<'_>) -> usize {
    count_until(cursor, |_, _| false)
}

/// Counts the tokens between two places.
pub(super) fn count_between(begin: Cursor<'_>, end: Cursor<'_>) -> usize {
    count_until(begin, |cursor, _| cursor == end)
}

/// Counts the tokens that are checked for depth before a fragment is parsed.
pub(super) fn count_looked_at(begin: Cursor<'_>, kind: FragmentKind) -> usize {
    let is_sign = |token: &TokenTree, signs: &[char]| {
        matches!(token, TokenTree::Punct(sign) if signs.contains(&sign.as_char()))
            || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    };
    match kind {
        FragmentKind::Item => count_until(begin, |_, token| is_sign(token, &[';'])),
        FragmentKind::Type | FragmentKind::Path => count_until(begin, |_, token| is_sign(token, &[',', ';', '='])),
        _ => 0,
    }
}

fn count_until(mut cursor: Cursor<'_>, is_end: impl Fn(Cursor<'_>, &TokenTree) -> bool) -> usize {
    let mut count = 0;
    while let Some((token, next)) = cursor.token_tree() {
        if is_end(cursor, &token) {
            break;
        }
        count += 1 + cursor.any_group().map_or(0, |(inner, ..)| count_all(inner));
        cursor = next;
    }
    count
}
