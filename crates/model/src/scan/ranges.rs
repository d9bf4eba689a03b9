//! Classifies characters that may carry a joiner or a variation selector, by coarse ranges instead of Unicode tables.
//!
//! Too wide a range lets one invisible character pass beside a visible one; too narrow a range blocks honest text. So
//! the whole block is included wherever it contains a script or an emoji.

/// Includes the marks that stand between letters in scripts that use joiners.
pub(super) fn is_letter(c: char) -> bool {
    const MARKS: &[(u32, u32)] = &[
        (0x0300, 0x036f),   // combining accents
        (0x0590, 0x08ff),   // Hebrew, Arabic, Syriac, Thaana and their points
        (0x0900, 0x109f),   // the Indic scripts, Thai, Lao, Tibetan, Myanmar
        (0x1700, 0x1aff),   // Philippine scripts, Khmer, Mongolian, Tai Tham
        (0x1b00, 0x1cff),   // Balinese to Vedic marks
        (0xa800, 0xabff),   // Syloti Nagri to Meetei Mayek
        (0x10a00, 0x10aff), // Kharoshthi, Manichaean
        (0x11000, 0x11fff), // Brahmi and its later relatives
    ];
    c.is_alphabetic() || within(MARKS, c)
}

/// Includes the symbols that become emoji with a variation selector.
pub(super) fn is_emoji(c: char) -> bool {
    const EMOJI: &[(u32, u32)] = &[
        (0x00a9, 0x00a9),   // copyright
        (0x00ae, 0x00ae),   // registered
        (0x203c, 0x203c),   // double exclamation mark
        (0x2049, 0x2049),   // exclamation question mark
        (0x2122, 0x2122),   // trade mark
        (0x2139, 0x2139),   // information
        (0x2190, 0x21ff),   // arrows
        (0x2300, 0x23ff),   // watch, keyboard, media keys
        (0x2460, 0x24ff),   // circled letters
        (0x25a0, 0x27bf),   // shapes, symbols, dingbats
        (0x2900, 0x297f),   // more arrows
        (0x2b00, 0x2bff),   // stars, squares
        (0x3030, 0x3030),   // wavy dash
        (0x303d, 0x303d),   // part alternation mark
        (0x3297, 0x3297),   // congratulation
        (0x3299, 0x3299),   // secret
        (0x1f000, 0x1faff), // everything newer, flags and skin tones included
    ];
    within(EMOJI, c)
}

/// Returns true if the selector may follow the base character.
///
/// Latin, Greek and Cyrillic letters have no variants: a selector after each of them is a way to hide a text in a text.
pub(super) fn takes_variation(base: char, selector: char) -> bool {
    const HAN: &[(u32, u32)] = &[(0x3400, 0x4dbf), (0x4e00, 0x9fff), (0xf900, 0xfaff), (0x20000, 0x3ffff)];
    const STYLED: &[(u32, u32)] = &[
        (0x1000, 0x109f),   // Myanmar
        (0x1800, 0x18af),   // Mongolian
        (0x2200, 0x22ff),   // mathematical operators
        (0x2a00, 0x2aff),   // more of them
        (0x3000, 0x303f),   // East Asian punctuation
        (0xa840, 0xa87f),   // Phags-pa
        (0xff00, 0xffef),   // full-width forms
        (0x10ac0, 0x10aff), // Manichaean
        (0x13000, 0x143ff), // Egyptian hieroglyphs
    ];
    const MONGOLIAN: &[(u32, u32)] = &[(0x1800, 0x18af)];
    match u32::from(selector) {
        0xfe0e..=0xfe0f => is_emoji(base) || within(HAN, base) || within(STYLED, base),
        0xfe00..=0xfe0d => within(HAN, base) || within(STYLED, base),
        0xe0100..=0xe01ef => within(HAN, base),
        _ => within(MONGOLIAN, base),
    }
}

pub(super) fn is_variation_selector(c: char) -> bool {
    within(&[(0x180b, 0x180d), (0x180f, 0x180f), (0xfe00, 0xfe0f), (0xe0100, 0xe01ef)], c)
}

fn within(ranges: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_between_letters_count_as_letters() {
        for c in ['a', 'é', 'ش', 'क', '\u{94d}', '\u{9cd}', '\u{dca}', '\u{1039}', '\u{301}', '語'] {
            assert!(is_letter(c), "{c:?}");
        }
        for c in [' ', '.', '-', '1', '(', '✅', '\u{200b}'] {
            assert!(!is_letter(c), "{c:?}");
        }
    }

    #[test]
    fn only_characters_with_variants_take_a_selector() {
        for (base, selector, wanted) in [
            ('❤', '\u{fe0f}', true),
            ('☎', '\u{fe0e}', true),
            ('葛', '\u{e0100}', true),
            ('∩', '\u{fe00}', true),
            ('ᠠ', '\u{180b}', true),
            ('a', '\u{fe0f}', false),
            ('a', '\u{e0141}', false),
            ('😀', '\u{e0141}', false),
            ('😀', '\u{fe03}', false),
            (' ', '\u{fe0f}', false),
        ] {
            assert_eq!(takes_variation(base, selector), wanted, "{base:?} {selector:?}");
        }
    }
}
