//! The search for skills and plugins by words.

/// A skill, or a plugin, with the texts in which words are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchEntry<'e> {
    pub kind: SearchedKind,
    pub name: &'e str,
    /// The path of its plugin in the source.
    pub path: &'e str,
    /// The name of its plugin.
    pub plugin: &'e str,
    /// The crates that its conditions name, separated by blanks.
    pub crates: &'e str,
    pub description: &'e str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchedKind {
    Skill,
    Plugin,
}

impl SearchedKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Plugin => "plugin",
        }
    }
}

/// The words of a search, in the spelling in which they are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    words: Vec<String>,
}

/// The number of words that are looked for; further ones are left out.
const MAX_WORDS: usize = 16;

// By what a word is found in, most telling first.
const WHOLE_NAME: u32 = 100;
const WHOLE_CRATE: u32 = 60;
const WORD_OF_NAME: u32 = 30;
const WORD_OF_DESCRIPTION: u32 = 12;
const PART_OF_NAME: u32 = 8;
const START_IN_DESCRIPTION: u32 = 3;

impl SearchQuery {
    /// Splits the arguments at blanks; `None` if there is no word in them.
    pub fn parse(arguments: &[String]) -> Option<Self> {
        let mut words: Vec<String> = arguments.iter().flat_map(|text| text.split_whitespace()).map(fold).collect();
        words.truncate(MAX_WORDS);
        (!words.is_empty()).then_some(Self { words })
    }

    /// Tells whether a folded text has every word somewhere. Most texts do not, and need no closer look.
    pub fn may_match(&self, folded: &str) -> bool {
        self.words.iter().all(|word| folded.contains(word.as_str()))
    }

    /// Rates an entry: the sum over all words of the best place that each is found in; `None` if one is missing.
    pub fn rate(&self, entry: &SearchEntry<'_>) -> Option<u32> {
        let [name, plugin, crates, description] = [entry.name, entry.plugin, entry.crates, entry.description].map(fold);
        let names = [name.as_str(), plugin.as_str()];
        if names.contains(&self.words.join("-").as_str()) {
            return Some(WHOLE_NAME * u32::try_from(self.words.len()).unwrap_or(u32::MAX));
        }
        let crates: Vec<&str> = crates.split(' ').collect();
        let rate_word = |word: &str| {
            let is_part = |text: &&str| text.split(['-', ' ', '/']).any(|part| part == word);
            let all = || names.iter().chain(&crates);
            let words = || description.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
            let found = |rating: u32, is_found: bool| is_found.then_some(rating);
            found(WHOLE_NAME, names.contains(&word))
                .or_else(|| found(WHOLE_CRATE, crates.contains(&word)))
                .or_else(|| found(WORD_OF_NAME, all().any(is_part)))
                .or_else(|| found(WORD_OF_DESCRIPTION, words().any(|one| one == word)))
                .or_else(|| found(PART_OF_NAME, all().any(|text| text.contains(word))))
                .or_else(|| found(START_IN_DESCRIPTION, words().any(|one| one.starts_with(word))))
        };
        self.words.iter().map(|word| rate_word(word)).sum()
    }
}

/// Returns a text of the same length in which spellings of one name are equal: `Serde_JSON` and `serde-json`.
pub fn fold(text: &str) -> String {
    let mut folded = text.to_ascii_lowercase();
    if folded.contains('_') {
        folded = folded.replace('_', "-");
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry<'e>(name: &'e str, crates: &'e str, description: &'e str) -> SearchEntry<'e> {
        SearchEntry { kind: SearchedKind::Skill, name, path: "", plugin: "p", crates, description }
    }

    fn rate(words: &str, entry: &SearchEntry<'_>) -> Option<u32> {
        let query = SearchQuery::parse(&[words.to_owned()]).unwrap();
        let rating = query.rate(entry);
        let whole = [entry.name, entry.plugin, entry.crates, entry.description].join("\t");
        // A name may be written with blanks, which only the closer look knows.
        assert!(rating.is_none() || words.contains(' ') || query.may_match(&fold(&whole)), "{words} {entry:?}");
        rating
    }

    #[test]
    fn the_name_counts_most_then_the_crate_then_the_description() {
        let ratings: Vec<Option<u32>> = [
            entry("tokio", "", ""),
            entry("async-runtime", "tokio axum", ""),
            entry("tokio-upgrade", "", ""),
            entry("async", "", "Use it with tokio."),
            entry("mytokioskill", "", ""),
            entry("async", "", "About tokio's tasks and tokiomania"),
            entry("async", "", "About tokiomania"),
            entry("async", "", "About protokio"),
        ]
        .iter()
        .map(|entry| rate("Tokio", entry))
        .collect();
        assert_eq!(ratings, [Some(100), Some(60), Some(30), Some(12), Some(8), Some(12), Some(3), None]);
    }

    #[test]
    fn every_word_has_to_be_found() {
        let skill = entry("serde-json-limits", "serde_json serde", "Limits for untrusted input");
        for (words, expected) in [
            ("serde_json", Some(60)),
            ("serde-json", Some(60)),
            ("SERDE untrusted", Some(72)),
            ("serde trusted", None),
            ("json", Some(30)),
            ("serde json limits", Some(300)),
            ("p", Some(100)),
            ("%", None),
        ] {
            assert_eq!(rate(words, &skill), expected, "{words}");
        }
        assert_eq!(SearchQuery::parse(&[" ".to_owned()]), None);
    }
}
