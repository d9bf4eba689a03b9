use proc_macro2::TokenStream;

use super::*;
use crate::source::TargetFacts;

fn read(source: &str) -> ItemAttributes {
    let tokens: TokenStream = source.parse().expect(source);
    let attributes: Vec<_> = tokens
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        })
        .collect();
    let facts = CfgFacts { features: std::iter::once("std".to_owned()).collect(), target: TargetFacts::linux() };
    read_attributes(&attributes, &facts)
}

#[test]
fn the_first_paragraph_is_kept() {
    let check = |source: &str, expected: &str| assert_eq!(read(source).docs.paragraph(), expected, "{source}");
    check("/// One\n/// two.\n///\n/// Three.", "One two.");
    check("///\n/// # Title\n///\n/// Text", "Title");
    check("/// [![badge](x)](y)\n///\n/// Real.", "Real.");
    check("/// [home]: https://example.org\n/// [other]: x\n///\n/// Real.", "Real.");
    check("#[doc = \"a\"]\n#[doc = \"b\"]", "a b");
    check("#[doc = concat!(\"a \", stringify!(Foo<T>), \" c\")]", "a Foo<T> c");
    check("/** Block\n * text */", "Block * text");
    check("#[doc(hidden)]", "");
}

#[test]
fn long_paragraphs_are_cut() {
    let text = read(&format!("/// {}", "é".repeat(1000))).docs.paragraph();
    assert_eq!(text.chars().count(), 401);
    assert!(text.ends_with('…'));
}

#[test]
fn facts_are_read() {
    assert_eq!(read("#[deprecated]").deprecated.as_deref(), Some(""));
    assert_eq!(read("#[deprecated = \"no\"]").deprecated.as_deref(), Some("no"));
    let both = read("#[deprecated(since = \"0.9.0\", note = \"Renamed to `rng`\")]");
    assert_eq!(both.deprecated.as_deref(), Some("since 0.9.0: Renamed to `rng`"));
    assert!(read("#[doc(inline, hidden)]").is_hidden);
    assert!(!read("#[doc(alias = \"hidden\")]").is_hidden);
    assert!(read("#[cfg_attr(feature = \"std\", doc(hidden))]").is_hidden);
    assert!(!read("#[cfg_attr(feature = \"alloc\", doc(hidden))]").is_hidden);
    assert_eq!(read("#[cfg_attr(unix, path = \"unix.rs\")]").path.as_deref(), Some("unix.rs"));
    assert_eq!(read("#[derive(Debug, serde::Serialize)]").derives, ["Debug", "Serialize"]);
    assert_eq!(
        read("#[proc_macro_derive(Foo, attributes(foo))]").proc_macro,
        Some(ProcMacro::Derive("Foo".to_owned()))
    );
    assert!(read("#[cfg(windows)]").gate.is_none());
    assert_eq!(
        read("#[cfg(feature = \"a\")] #[cfg(feature = \"b\")]").gate.and_then(|gate| gate.text()).as_deref(),
        Some("a and b")
    );
}
