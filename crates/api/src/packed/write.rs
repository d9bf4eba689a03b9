//! From an index to bytes.

use std::collections::HashMap;

use super::bytes::ByteWriter;
use super::words::collect_words;
use super::{ALIASED, DEPRECATED, FEATURE, HIDDEN, HIDES_ITSELF, MAGIC, OFF, ORIGIN, WHOLE_CRATE, checksum};
use crate::index::{ApiItem, CrateIndex, ItemKind};

/// Numbers texts that occur often.
#[derive(Default)]
struct TextTable<'a> {
    numbers: HashMap<&'a str, usize>,
    texts: Vec<&'a str>,
}

impl<'a> TextTable<'a> {
    fn number(&mut self, text: &'a str) -> usize {
        let next = self.texts.len();
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.texts.push(text);
        }
        number
    }
}

/// Writes an index as bytes.
pub fn pack_index(index: &CrateIndex) -> Vec<u8> {
    let mut table = TextTable::default();
    let mut items = ByteWriter::default();
    let mut places = ByteWriter::default();
    for item in &index.items {
        places.fixed(items.bytes.len());
        write_item(item, &mut table, &mut items);
    }
    let mut off_names = ByteWriter::default();
    off_names.number(index.off_names.len());
    index.off_names.iter().for_each(|item| write_item(item, &mut table, &mut off_names));
    let mut head = ByteWriter::default();
    for text in [&index.name, &index.package.name, &index.package.version] {
        head.text(text);
    }
    head.number(usize::try_from(index.format).unwrap_or(usize::MAX));
    head.number(index.completeness.reasons.len());
    index.completeness.reasons.iter().for_each(|reason| head.text(reason));
    head.number(index.origins.len());
    for origin in &index.origins {
        head.text(&origin.name);
        head.text(&origin.version);
    }
    head.number(table.texts.len());
    table.texts.iter().for_each(|text| head.text(text));
    head.bytes.extend(off_names.bytes);
    let mut links = ByteWriter::default();
    links.number(index.aliases.len());
    for alias in &index.aliases {
        links.text(&alias.alias);
        links.text(&alias.path);
        links.number(usize::from(alias.is_hidden));
    }
    links.number(index.macros.len());
    for rules in &index.macros {
        links.text(&rules.name);
        links.text(&rules.rules);
        links.number(rules.origin.map_or(0, |origin| usize::from(origin) + 1));
    }
    let (word_places, words) = write_words(index);
    let parts = [head.bytes, links.bytes, places.bytes, items.bytes, word_places, words];
    let mut all = ByteWriter::default();
    for part in parts {
        all.fixed(part.len());
        all.bytes.extend(part);
    }
    let mut packed = MAGIC.to_vec();
    packed.extend(checksum(&all.bytes).to_le_bytes());
    packed.extend(all.bytes);
    packed
}

fn write_item<'a>(item: &'a ApiItem, table: &mut TextTable<'a>, items: &mut ByteWriter) {
    let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
    let bits = bit(item.is_off, OFF)
        | bit(item.is_hidden, HIDDEN)
        | bit(item.hides_itself, HIDES_ITSELF)
        | bit(item.deprecated.is_some(), DEPRECATED)
        | bit(item.feature.is_some(), FEATURE)
        | bit(item.origin.is_some(), ORIGIN)
        | bit(item.whole_crate.is_some(), WHOLE_CRATE)
        | bit(item.aliased.is_some(), ALIASED);
    let kind = ItemKind::ALL.iter().position(|kind| *kind == item.kind).unwrap_or_default();
    items.number(kind);
    items.bytes.push(bits);
    items.number(table.number(item.parent()));
    items.text(item.name());
    items.text(&item.signature);
    items.text(&item.docs);
    items.number(table.number(&item.file));
    items.number(usize::try_from(item.line).unwrap_or_default());
    if let Some(note) = &item.deprecated {
        items.text(note);
    }
    if let Some(feature) = &item.feature {
        items.number(table.number(feature));
    }
    if let Some(origin) = item.origin {
        items.number(usize::from(origin));
    }
    if let Some(package) = &item.whole_crate {
        items.text(&package.name);
        items.text(&package.version);
    }
    if let Some(aliased) = &item.aliased {
        let (name, version) = aliased.package.as_ref().map_or(("", ""), |package| (&package.name, &package.version));
        for text in [name, version, &aliased.path] {
            items.text(text);
        }
    }
    items.number(item.implements.len());
    item.implements.iter().for_each(|name| items.number(table.number(name)));
}

/// Writes the places of the words, and the words with the numbers of their items.
fn write_words(index: &CrateIndex) -> (Vec<u8>, Vec<u8>) {
    let mut places = ByteWriter::default();
    let mut words = ByteWriter::default();
    for (word, numbers) in collect_words(index) {
        places.fixed(words.bytes.len());
        words.text(&word);
        words.number(numbers.len());
        let mut before = 0;
        for number in numbers {
            words.number(number - before);
            before = number;
        }
    }
    (places.bytes, words.bytes)
}
