//! From bytes to an index, or to the part of it that a question is about.

use super::bytes::{ByteReader, place_in};
use super::words::could_answer;
use super::{ALIASED, DEPRECATED, FEATURE, HIDDEN, HIDES_ITSELF, MAGIC, OFF, ORIGIN, WHOLE_CRATE, checksum};
use crate::index::{
    AliasedType, ApiItem, CrateIndex, INDEX_VERSION, IndexCompleteness, ItemKind, MacroText, PathAlias,
};
use crate::search::text::{meanings, split_question, split_words};
use crate::source::PackageId;

/// The most words of a question that are told apart.
const MOST_ASKED: usize = 32;

/// An index as bytes.
#[derive(Debug, Clone, Copy)]
pub struct PackedIndex<'a> {
    head: &'a [u8],
    links: &'a [u8],
    places: &'a [u8],
    items: &'a [u8],
    word_places: &'a [u8],
    words: &'a [u8],
}

/// Texts that items share.
struct SharedTexts<'a>(Vec<&'a str>);

impl<'a> SharedTexts<'a> {
    fn read(&self, reader: &mut ByteReader<'a>) -> Option<&'a str> {
        self.0.get(reader.number()?).copied()
    }
}

impl<'a> PackedIndex<'a> {
    /// Finds the parts; nothing if the bytes are cut, changed, or of another layout.
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*sum) != checksum(rest) {
            return None;
        }
        Self::parse_again(bytes)
    }

    /// Finds the parts of bytes that were found whole before.
    pub fn parse_again(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?.get(8..)?;
        let mut reader = ByteReader::new(rest);
        let mut part = || reader.part();
        let packed = Self {
            head: part()?,
            links: part()?,
            places: part()?,
            items: part()?,
            word_places: part()?,
            words: part()?,
        };
        let mut head = ByteReader::new(packed.head);
        for _ in 0..3 {
            head.text()?;
        }
        (head.number()? == usize::try_from(INDEX_VERSION).ok()?).then_some(packed)
    }

    /// Reads all of it.
    pub fn unpack(&self) -> Option<CrateIndex> {
        let (mut index, texts) = self.read_head()?;
        let mut links = ByteReader::new(self.links);
        for _ in 0..links.count()? {
            index.aliases.push(PathAlias {
                alias: links.text()?.to_owned(),
                path: links.text()?.to_owned(),
                is_hidden: links.number()? != 0,
            });
        }
        for _ in 0..links.count()? {
            index.macros.push(MacroText {
                name: links.text()?.to_owned(),
                rules: links.text()?.to_owned(),
                origin: links.number()?.checked_sub(1).and_then(|origin| u16::try_from(origin).ok()),
            });
        }
        let count = self.places.len() / 4;
        index.items.reserve_exact(count);
        let mut reader = ByteReader::new(self.items);
        for _ in 0..count {
            index.items.push(read_item(&mut reader, &texts)?);
        }
        Some(index)
    }

    /// Reads the items that could answer words, without aliases and macros.
    pub fn unpack_matching(&self, question: &str) -> Option<CrateIndex> {
        let (mut index, texts) = self.read_head()?;
        let asked = split_question(question).wanted;
        let crate_words = split_words(&index.name);
        let mut answered = vec![0_u32; self.places.len() / 4];
        for (bit, word) in asked.iter().take(MOST_ASKED).enumerate() {
            // The crate itself answers the word, or the kind of items does.
            let is_of_crate = crate_words.contains(word);
            let kind = ItemKind::ALL.iter().position(|kind| kind.word() == word);
            if is_of_crate || kind.is_some() {
                for (number, answered) in answered.iter_mut().enumerate() {
                    if is_of_crate || self.item_at(number)?.number() == kind {
                        *answered |= 1 << bit;
                    }
                }
            }
            self.mark_items(word, 1 << bit, &mut answered)?;
        }
        let least = asked.len().min(MOST_ASKED).div_ceil(2).max(1);
        for (number, answered) in answered.into_iter().enumerate() {
            if usize::try_from(answered.count_ones()).is_ok_and(|count| count >= least) {
                index.items.push(read_item(&mut self.item_at(number)?, &texts)?);
            }
        }
        Some(index)
    }

    /// Says whether the last name of a path could be one of the crate; no other crate need be read.
    pub fn may_have(&self, path: &str) -> bool {
        let name = path.trim_end_matches("()").trim_end_matches('!').rsplit("::").next().unwrap_or_default();
        split_words(name).iter().all(|word| self.has_word(word))
    }

    fn read_head(&self) -> Option<(CrateIndex, SharedTexts<'a>)> {
        let mut head = ByteReader::new(self.head);
        let name = head.text()?.to_owned();
        let package = PackageId { name: head.text()?.to_owned(), version: head.text()?.to_owned() };
        let format = u32::try_from(head.number()?).ok()?;
        let mut reasons = Vec::new();
        for _ in 0..head.count()? {
            reasons.push(head.text()?.to_owned());
        }
        let mut origins = Vec::new();
        for _ in 0..head.count()? {
            origins.push(PackageId { name: head.text()?.to_owned(), version: head.text()?.to_owned() });
        }
        let count = head.count()?;
        let mut texts = Vec::with_capacity(count);
        for _ in 0..count {
            texts.push(head.text()?);
        }
        let texts = SharedTexts(texts);
        let mut off_names = Vec::new();
        for _ in 0..head.count()? {
            off_names.push(read_item(&mut head, &texts)?);
        }
        let completeness = IndexCompleteness { reasons };
        let index = CrateIndex { format, name, package, off_names, origins, completeness, ..CrateIndex::default() };
        Some((index, texts))
    }

    fn item_at(&self, number: usize) -> Option<ByteReader<'a>> {
        self.items.get(place_in(self.places, number)?..).map(ByteReader::new)
    }

    fn word_at(&self, number: usize) -> Option<(&'a str, ByteReader<'a>)> {
        let mut reader = ByteReader::new(self.words.get(place_in(self.word_places, number)?..)?);
        Some((reader.text()?, reader))
    }

    /// The first word that does not come before a text.
    fn first_word(&self, text: &str) -> usize {
        let (mut low, mut high) = (0, self.word_places.len() / 4);
        while low < high {
            let middle = low.midpoint(high);
            match self.word_at(middle) {
                Some((word, _)) if word < text => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }

    fn has_word(&self, text: &str) -> bool {
        self.word_at(self.first_word(text)).is_some_and(|(word, _)| word == text)
    }

    /// Sets a bit for each item with a word that could answer.
    fn mark_items(&self, asked: &str, bit: u32, answered: &mut [u32]) -> Option<()> {
        let count = self.word_places.len() / 4;
        for meaning in meanings(asked) {
            // All that could answer begins with the same letter.
            let Some(first) = meaning.chars().next() else { continue };
            let begin = first.to_string();
            for number in self.first_word(&begin)..count {
                let (word, mut numbers) = self.word_at(number)?;
                if !word.starts_with(first) {
                    break;
                }
                if !could_answer(meaning, word) {
                    continue;
                }
                let mut item = 0_usize;
                for _ in 0..numbers.count()? {
                    item = item.checked_add(numbers.number()?)?;
                    if let Some(answered) = answered.get_mut(item) {
                        *answered |= bit;
                    }
                }
            }
        }
        Some(())
    }
}

fn read_item<'a>(reader: &mut ByteReader<'a>, texts: &SharedTexts<'a>) -> Option<ApiItem> {
    let kind = *ItemKind::ALL.get(reader.number()?)?;
    let bits = reader.byte()?;
    let has = |bit: u8| bits & bit != 0;
    let (parent, name) = (texts.read(reader)?, reader.text()?);
    let path = if parent.is_empty() { name.to_owned() } else { [parent, "::", name].concat() };
    let (signature, docs) = (reader.text()?.to_owned(), reader.text()?.to_owned());
    let (file, line) = (texts.read(reader)?.to_owned(), u32::try_from(reader.number()?).ok()?);
    let deprecated = if has(DEPRECATED) { Some(reader.text()?.to_owned()) } else { None };
    let feature = if has(FEATURE) { Some(texts.read(reader)?.to_owned()) } else { None };
    let origin = if has(ORIGIN) { Some(u16::try_from(reader.number()?).ok()?) } else { None };
    let whole_crate = if has(WHOLE_CRATE) {
        Some(PackageId { name: reader.text()?.to_owned(), version: reader.text()?.to_owned() })
    } else {
        None
    };
    let aliased = if has(ALIASED) {
        let package = PackageId { name: reader.text()?.to_owned(), version: reader.text()?.to_owned() };
        let package = (!package.name.is_empty()).then_some(package);
        Some(AliasedType { package, path: reader.text()?.to_owned() })
    } else {
        None
    };
    let mut implements = Vec::new();
    for _ in 0..reader.count()? {
        implements.push(texts.read(reader)?.to_owned());
    }
    Some(ApiItem {
        path,
        kind,
        signature,
        docs,
        deprecated,
        feature,
        is_off: has(OFF),
        is_hidden: has(HIDDEN),
        hides_itself: has(HIDES_ITSELF),
        file,
        line,
        origin,
        whole_crate,
        aliased,
        implements,
    })
}
