//! Signatures of items that a re-export renames.

use std::ops::Range;

use crate::index::ItemKind;

/// Puts the public name of an item into its signature. A signature that does not begin as expected stays as it is.
pub(super) fn with_public_name(signature: &str, kind: ItemKind, name: &str) -> String {
    let Some(place) = name_place(signature, kind) else { return signature.to_owned() };
    let written = signature.get(place.clone()).unwrap_or_default();
    if written.is_empty() || written.trim_start_matches("r#") == name.trim_start_matches("r#") {
        return signature.to_owned();
    }
    let (before, after) = (signature.get(..place.start), signature.get(place.end..));
    [before.unwrap_or_default(), name, after.unwrap_or_default()].concat()
}

/// Finds the name in a signature.
fn name_place(signature: &str, kind: ItemKind) -> Option<Range<usize>> {
    let start = match kind {
        ItemKind::Struct => behind_word(signature, "struct")?,
        ItemKind::Enum => behind_word(signature, "enum")?,
        ItemKind::Union => behind_word(signature, "union")?,
        ItemKind::Function => behind_word(signature, "fn")?,
        ItemKind::Const => behind_word(signature, "const")?,
        ItemKind::Static => {
            let start = behind_word(signature, "static")?;
            start + if signature.get(start..)?.starts_with("mut ") { 4 } else { 0 }
        }
        ItemKind::Type => behind_word(signature, "type")?,
        ItemKind::Trait => behind_word(signature, "trait")?,
        ItemKind::Macro => ["macro_rules! ", "pub macro "]
            .iter()
            .find_map(|head| signature.starts_with(head).then_some(head.len()))
            .unwrap_or(0),
        ItemKind::Derive => signature.strip_prefix("#[derive(").map(|_| 9)?,
        ItemKind::Attribute => signature.strip_prefix("#[").map(|_| 2)?,
        ItemKind::Variant => 0,
        ItemKind::Module | ItemKind::Field | ItemKind::Method => return None,
    };
    let rest = signature.get(start..)?;
    let raw = if rest.starts_with("r#") { 2 } else { 0 };
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let width = rest.get(raw..)?.find(|letter| !is_name(letter)).unwrap_or(rest.len() - raw);
    Some(start..start + raw + width)
}

/// Finds the place behind a keyword, among the words at the beginning.
fn behind_word(signature: &str, keyword: &str) -> Option<usize> {
    let mut at = 0;
    for word in signature.split(' ') {
        if word == keyword {
            return Some(at + word.len() + 1);
        }
        at += word.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_is_replaced() {
        for (kind, signature, expected) in [
            (ItemKind::Struct, "pub struct A<A1: A> where A: B", "pub struct N<A1: A> where A: B"),
            (ItemKind::Enum, "pub enum A", "pub enum N"),
            (ItemKind::Union, "pub union A", "pub union N"),
            (
                ItemKind::Function,
                "pub const unsafe extern \"C\" fn A(A: A)",
                "pub const unsafe extern \"C\" fn N(A: A)",
            ),
            (ItemKind::Function, "pub fn r#A()", "pub fn N()"),
            (ItemKind::Function, "pub fn r#N()", "pub fn r#N()"),
            (ItemKind::Const, "pub const A: A = 1", "pub const N: A = 1"),
            (ItemKind::Static, "pub static mut A: u8", "pub static mut N: u8"),
            (ItemKind::Static, "pub static A: u8", "pub static N: u8"),
            (ItemKind::Type, "pub type A<T> = B<T>", "pub type N<T> = B<T>"),
            (ItemKind::Trait, "pub unsafe trait A: A", "pub unsafe trait N: A"),
            (ItemKind::Macro, "macro_rules! A { ($A:expr) => ... }", "macro_rules! N { ($A:expr) => ... }"),
            (ItemKind::Macro, "pub macro A", "pub macro N"),
            (ItemKind::Macro, "A!()", "N!()"),
            (ItemKind::Derive, "#[derive(A)]", "#[derive(N)]"),
            (ItemKind::Attribute, "#[A]", "#[N]"),
            (ItemKind::Variant, "A(u8)", "N(u8)"),
            (ItemKind::Struct, "pub use std::A", "pub use std::A"),
            (ItemKind::Attribute, "", ""),
        ] {
            assert_eq!(with_public_name(signature, kind, "N"), expected, "{signature}");
        }
    }
}
