//! Properties of the text scan.

use std::borrow::Cow;

use proptest::prelude::*;
use symposium_model::scan::{ScanSeverity, clean, scan};

/// Texts dense with the characters the scan is about.
fn tricky_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "a", " ", "\n", "\r", "\t", "ش", "क", "\u{94d}", "😀", "❤", "\u{1f3f4}", "1", "\u{20e3}", "葛", "-->", "<!--",
        ]).prop_map(str::to_owned),
        4 => prop::sample::select(vec![
            "\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{202e}", "\u{2066}", "\u{feff}", "\u{fe0e}", "\u{fe0f}",
            "\u{e0100}", "\u{e0067}", "\u{e0062}", "\u{e007f}", "\u{1b}", "\u{85}", "\u{7f}", "\u{180b}",
            "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn blocking(text: &str) -> usize {
    scan(text).iter().filter(|finding| finding.severity == ScanSeverity::Blocking).count()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cleaned_text_has_nothing_blocking_and_stays_as_it_is(text in tricky_text()) {
        let once = clean(&text).into_owned();
        prop_assert_eq!(blocking(&once), 0);
        prop_assert!(matches!(clean(&once), Cow::Borrowed(same) if same == once));
    }

    #[test]
    fn exactly_the_blocking_spans_are_removed(text in tricky_text()) {
        let removed: usize = scan(&text)
            .iter()
            .filter(|finding| finding.severity == ScanSeverity::Blocking)
            .map(|finding| finding.span.len())
            .sum();
        prop_assert_eq!(clean(&text).len() + removed, text.len());
        prop_assert_eq!(matches!(clean(&text), Cow::Borrowed(_)), removed == 0);
    }

    #[test]
    fn spans_are_in_order_and_on_character_boundaries(text in tricky_text()) {
        let findings = scan(&text);
        prop_assert!(findings.is_sorted_by_key(|finding| finding.span.start));
        for finding in findings {
            prop_assert!(text.get(finding.span).is_some());
        }
    }
}
