//! Parts of the lines that an outline consists of.

use crate::index::ApiItem;

/// The most characters of a sentence.
const MOST_SENTENCE: usize = 100;

/// Names the features that are missing, and a deprecation.
pub(super) fn print_notes(item: &ApiItem) -> String {
    let feature = item.feature.as_ref().filter(|_| item.is_off);
    let feature = feature.map(|feature| format!(" [needs feature {feature}]")).unwrap_or_default();
    feature + if item.deprecated.is_some() { " [deprecated]" } else { "" }
}

/// The first sentence of an item's documentation.
pub(super) fn first_sentence(item: &ApiItem) -> String {
    let sentence = item.docs.split_once(". ").map_or(item.docs.as_str(), |(first, _)| first);
    shorten(sentence.trim_end_matches('.'), MOST_SENTENCE)
}

/// Makes one line of a text, cut between words where it is too long.
pub(super) fn shorten(text: &str, most: usize) -> String {
    let text = text.replace('\n', " ");
    if text.len() <= most {
        return text;
    }
    let kept = text.get(..text.floor_char_boundary(most.saturating_sub('…'.len_utf8()))).unwrap_or_default();
    let kept = kept.rfind([' ', ',']).and_then(|end| kept.get(..end)).unwrap_or(kept);
    format!("{}…", kept.trim_end_matches([' ', ',']))
}

/// Cuts a text that is still too long, at the end of a line.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let kept = text.get(..text.floor_char_boundary(most.saturating_sub("\n…\n".len()))).unwrap_or_default();
    let kept = kept.rfind('\n').and_then(|end| kept.get(..end)).unwrap_or(kept);
    format!("{kept}\n…\n")
}
