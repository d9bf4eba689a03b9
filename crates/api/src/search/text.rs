//! Words: how names are taken apart, and how near two of them are.

/// Words that say nothing about what is wanted.
const FILLERS: [&str; 26] = [
    "a", "an", "and", "any", "are", "as", "at", "by", "can", "do", "does", "for", "how", "i", "in", "is", "it", "of",
    "on", "or", "rust", "the", "to", "use", "what", "with",
];

/// Words that name the same thing in questions and in code: what is asked, and what code or documentation says.
const SYNONYMS: [(&str, &str); 34] = [
    ("add", "insert"),
    ("append", "push"),
    ("argument", "arg"),
    ("construct", "new"),
    ("count", "len"),
    ("create", "new"),
    ("current", "now"),
    ("delay", "sleep"),
    ("delete", "remove"),
    ("directory", "dir"),
    ("environment", "env"),
    ("erase", "remove"),
    ("error", "err"),
    ("gen", "random"),
    ("generate", "random"),
    ("length", "len"),
    ("listen", "bind"),
    ("make", "new"),
    ("message", "msg"),
    ("mutex", "lock"),
    ("number", "int"),
    ("parse", "deserialize"),
    ("parse", "from"),
    ("pause", "sleep"),
    ("random", "rng"),
    ("recursively", "recursive"),
    ("send", "make"),
    ("serialize", "to"),
    ("size", "len"),
    ("stringify", "to"),
    ("string", "str"),
    ("temporary", "temp"),
    ("unmarshal", "deserialize"),
    ("wait", "await"),
];

/// Splits a text into words: at signs, underscores and capitals.
pub(crate) fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for letter in text.chars() {
        let is_border = letter.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        if (is_border || !letter.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// A question, word by word.
#[derive(Debug)]
pub(crate) struct QuestionWords {
    /// Words that say something; all of them if none does.
    pub(crate) wanted: Vec<String>,
    pub(crate) all: Vec<String>,
}

/// Splits a question into words.
pub(crate) fn split_question(text: &str) -> QuestionWords {
    let all = split_words(text);
    let kept: Vec<String> = all.iter().filter(|word| !FILLERS.contains(&word.as_str())).cloned().collect();
    QuestionWords { wanted: if kept.is_empty() { all.clone() } else { kept }, all }
}

/// The part of a word that does not change with its form.
pub(super) fn stem(word: &str) -> &str {
    const LEAST_STEM: usize = 3;
    // The last letters of the endings.
    if !word.bytes().last().is_some_and(|letter| b"degnrsy".contains(&letter)) {
        return word;
    }
    for ending in ["ization", "izing", "ation", "ings", "ing", "ers", "ies", "er", "ed", "es", "ly", "s", "e"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= LEAST_STEM
        {
            return rest;
        }
    }
    word
}

/// Says how well a word of a name answers a word of a question, up to 30.
pub(crate) fn closeness(asked: &str, found: &str) -> u32 {
    const LEAST_PREFIX: usize = 3;
    if asked == found {
        return 30;
    }
    // Most words begin differently, and everything but this list compares beginnings.
    let is_like = asked.bytes().next() == found.bytes().next();
    if is_like && stem(asked) == stem(found) {
        return 25;
    }
    if SYNONYMS.contains(&(asked, found)) {
        return 18;
    }
    if !is_like {
        return 0;
    }
    let is_prefix = asked.len() >= LEAST_PREFIX && found.starts_with(asked);
    if is_prefix || (found.len() >= LEAST_PREFIX && asked.starts_with(found)) {
        return 14;
    }
    let most = match asked.len() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    if most > 0 && distance(asked, found, most) <= most { 12 } else { 0 }
}

/// Counts the changes between two words, swapped neighbours as one; more than `most` is not counted exactly.
pub(crate) fn distance(one: &str, other: &str, most: usize) -> usize {
    if one.is_ascii() && other.is_ascii() && one.len().abs_diff(other.len()) > most {
        return most + 1;
    }
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    if one.len().abs_diff(other.len()) > most {
        return most + 1;
    }
    let mut older: Vec<usize> = Vec::new();
    let mut before: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, known) in other.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let changed = at(&before, column) + usize::from(letter != known);
            let mut best = changed.min(at(&before, column + 1) + 1).min(at(&line, column) + 1);
            let is_swap =
                row > 0 && column > 0 && one.get(row - 1) == Some(known) && other.get(column - 1) == Some(letter);
            if is_swap {
                best = best.min(at(&older, column - 1) + 1);
            }
            line.push(best);
        }
        older = std::mem::replace(&mut before, line);
    }
    before.last().copied().unwrap_or(0)
}

/// Says whether a word, or one that means the same, stands in a text, in any form.
pub(super) fn mentions(text: &str, asked: &str) -> bool {
    let others = SYNONYMS.iter().filter(|(word, other)| *word == asked && other.len() > 3).map(|(_, other)| *other);
    std::iter::once(asked).chain(others).any(|word| mentions_stem(text, stem(word)))
}

/// The word itself, and the words that mean the same.
pub(crate) fn meanings(asked: &str) -> impl Iterator<Item = &str> {
    let others = SYNONYMS.iter().filter(move |(word, _)| *word == asked).map(|(_, other)| *other);
    std::iter::once(asked).chain(others)
}

/// Says whether a text with a word, in lower case, could mention another.
pub(crate) fn is_like_text(asked: &str, word: &str) -> bool {
    word.starts_with(stem(asked))
}

fn mentions_stem(text: &str, stem: &str) -> bool {
    let wanted = stem.as_bytes();
    if wanted.len() < 2 {
        return false;
    }
    let bytes = text.as_bytes();
    let first = wanted.first().copied().unwrap_or_default();
    let is_same = |(at, window): (usize, &[u8])| {
        window.first().is_some_and(|letter| letter.eq_ignore_ascii_case(&first))
            && window.eq_ignore_ascii_case(wanted)
            && at.checked_sub(1).and_then(|at| bytes.get(at)).is_none_or(|before| {
                !before.is_ascii_alphanumeric() || window.first().is_some_and(u8::is_ascii_uppercase)
            })
    };
    bytes.windows(wanted.len()).enumerate().any(is_same)
}
