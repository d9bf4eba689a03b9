//! The source cache: an index of a source, so that plugins which cannot apply need not be read again.
//!
//! A text file. The first line says which source it is about, the second lists the directories that were listed to find
//! the plugins. Then follows one line per plugin with its path and, if its conditions name crates, its name and a hash
//! of the metadata of its manifest. The only conclusion drawn from it is that a plugin does not apply: everything that
//! is used is read from the source itself.

use std::borrow::Cow;

use symposium_model::byte_search::find_byte;
use symposium_model::catalog::SkippedPlugin;

use super::listing_recorder::RecordedListing;
use super::metadata_hash::MetadataHash;
use super::tree::{SourceTree, TreeState};

/// The first word of the file; its number changes with the format.
const HEADER: &str = "symposium-index-2";

/// Replaces the hash if there is none.
const UNSURE: &str = "-";

/// Separates the parts of a line.
const FIELD: u8 = b'\t';

/// Separates the parts of a field.
const ITEM: u8 = 0x1f;

#[derive(Debug, Default)]
pub(super) struct SourceIndex<'i> {
    /// The hash and the paths of the listed directories; `None` when they do not show all changes.
    walk: Option<(MetadataHash, &'i str)>,
    /// In the order in which the plugins are found.
    pub(super) places: Vec<IndexEntry<'i>>,
}

#[derive(Debug, Clone)]
pub(super) struct IndexEntry<'i> {
    pub(super) line: &'i str,
    /// The manifest, or the directory of a stand-alone skill.
    pub(super) path: &'i str,
    pub(super) kind: PlaceKind,
    /// `None` if the plugin has to be read every time.
    pub(super) memory: Option<PluginMemory<'i>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceKind {
    /// A manifest to which its whole directory belongs.
    Owner,
    Manifest,
    Skill,
}

/// The indexed data of a plugin that needs crates.
#[derive(Debug, Clone)]
pub(super) struct PluginMemory<'i> {
    sign: MetadataHash,
    needs: &'i str,
    name: &'i str,
    groups: &'i str,
    skills: &'i str,
}

impl<'i> PluginMemory<'i> {
    /// Lists crates of which at least one must be a dependency.
    pub(super) fn needs(&self) -> impl Iterator<Item = &'i str> {
        items(self.needs)
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = &'i str> {
        items(self.groups)
    }

    pub(super) fn passed_over(&self, path: &str, now: TreeState) -> SkippedPlugin {
        // Most plugins have at most one skill, and then there is nothing to replace.
        let skills = if find_byte(self.skills.as_bytes(), ITEM).is_some() {
            Cow::Owned(self.skills.replace(char::from(ITEM), "\n"))
        } else {
            Cow::Borrowed(self.skills)
        };
        SkippedPlugin::new(path, self.name, &skills, now.file_state())
    }

    pub(super) fn holds(&self, now: TreeState) -> bool {
        MetadataHash::default().with(now) == self.sign
    }
}

/// Pointers are compared first: a reused line needs no comparison of the text.
fn is_same(before: &str, now: &str) -> bool {
    std::ptr::eq(before, now) || before == now
}

fn fields(line: &str) -> TextParts<'_> {
    TextParts { rest: Some(line), mark: FIELD }
}

fn text(mark: u8) -> String {
    char::from(mark).to_string()
}

fn items(field: &str) -> impl Iterator<Item = &str> {
    TextParts { rest: Some(field), mark: ITEM }.filter(|item| !item.is_empty())
}

/// The parts of a text between separators.
struct TextParts<'t> {
    rest: Option<&'t str>,
    mark: u8,
}

impl<'t> Iterator for TextParts<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.rest?;
        let end = find_byte(text.as_bytes(), self.mark);
        self.rest = end.and_then(|end| text.get(end + 1..));
        end.map_or(Some(text), |end| text.get(..end))
    }
}

impl<'i> SourceIndex<'i> {
    /// Parses the file. One that is about another source or invalid yields an empty index.
    pub(super) fn parse(text: &'i str, about: &str) -> Self {
        Self::read(text, about).unwrap_or_default()
    }

    fn read(text: &'i str, about: &str) -> Option<Self> {
        let mut lines = TextParts { rest: Some(text.strip_suffix('\n')?), mark: b'\n' };
        let mut header = fields(lines.next()?);
        let (HEADER, Some(of), count, sign, None) =
            (header.next()?, header.next(), header.next()?, header.next()?, header.next())
        else {
            return None;
        };
        if of != about {
            return None;
        }
        let count: usize = count.parse().ok()?;
        let walked = lines.next()?;
        let walk = if sign == UNSURE { None } else { Some((MetadataHash::parse(sign)?, walked)) };
        let mut places = Vec::with_capacity(count.min(text.len()));
        for line in lines {
            places.push(place(line)?);
        }
        (places.len() == count).then_some(Self { walk, places })
    }

    /// Returns true if a search would find the same plugins again.
    pub(super) fn holds(&self, tree: &dyn SourceTree) -> bool {
        // The first path is empty and denotes the source itself.
        self.walk
            .is_some_and(|(sign, walked)| MetadataHash::now(tree, TextParts { rest: Some(walked), mark: ITEM }) == sign)
    }

    /// Returns true if the index already has this content.
    pub(super) fn says(&self, walk: Option<&IndexedWalk>, lines: &[Cow<'_, str>]) -> bool {
        let same_walk = match (self.walk, walk) {
            (None, None) => true,
            (Some((sign, walked)), Some(walk)) => sign == walk.sign && walked == walk.directories,
            (None, Some(_)) | (Some(_), None) => false,
        };
        same_walk
            && self.places.len() == lines.len()
            && self.places.iter().zip(lines).all(|(place, line)| is_same(place.line, line))
    }

    pub(super) fn walk(&self) -> Option<IndexedWalk> {
        self.walk.map(|(sign, walked)| IndexedWalk { sign, directories: walked.to_owned() })
    }
}

#[derive(Debug)]
pub(super) struct IndexedWalk {
    sign: MetadataHash,
    directories: String,
}

impl IndexedWalk {
    /// `None` when a path cannot be written to the file.
    pub(super) fn from_listing(recorded: &RecordedListing) -> Option<Self> {
        let writable = recorded.seen.iter().all(|path| is_writable(path));
        writable.then(|| Self { sign: recorded.sign, directories: recorded.seen.join(&text(ITEM)) })
    }
}

pub(super) fn render(about: &str, walk: Option<&IndexedWalk>, places: &[Cow<'_, str>]) -> String {
    let (sign, walked) = match walk {
        Some(walk) => (format!("{}", walk.sign), walk.directories.as_str()),
        None => (UNSURE.to_owned(), ""),
    };
    let mut text = format!("{HEADER}\t{about}\t{}\t{sign}\n{walked}\n", places.len());
    for place in places {
        text.push_str(place);
        text.push('\n');
    }
    text
}

/// Formats the line of a plugin without data; `None` when its path cannot be written.
pub(super) fn bare_line(kind: PlaceKind, path: &str) -> Option<String> {
    let word = match kind {
        PlaceKind::Owner => "owner",
        PlaceKind::Manifest => "manifest",
        PlaceKind::Skill => "skill",
    };
    is_writable(path).then(|| [word, "\t", path].concat())
}

pub(super) struct IndexedPlugin<'r> {
    pub(super) state: TreeState,
    pub(super) needs: Vec<&'r str>,
    pub(super) name: &'r str,
    pub(super) groups: Vec<&'r str>,
    pub(super) skills: Vec<&'r str>,
}

/// Formats the line of a plugin with its data; without the data if that cannot be written.
pub(super) fn full_line(bare: &str, remembered: &IndexedPlugin<'_>) -> String {
    let IndexedPlugin { state, needs, name, groups, skills } = remembered;
    let lists = [needs, groups, skills];
    if !lists.iter().all(|list| list.iter().all(|item| is_writable(item) && !item.is_empty())) || !is_writable(name) {
        return bare.to_owned();
    }
    let [needs, groups, skills] = lists.map(|list| list.join(&text(ITEM)));
    let sign = MetadataHash::default().with(*state).to_string();
    [bare, &sign, &needs, name, &groups, &skills].join(&text(FIELD))
}

fn place(line: &str) -> Option<IndexEntry<'_>> {
    let mut fields = fields(line);
    let kind = match fields.next()? {
        "owner" => PlaceKind::Owner,
        "manifest" => PlaceKind::Manifest,
        "skill" => PlaceKind::Skill,
        _ => return None,
    };
    let path = fields.next()?;
    let memory = match fields.next() {
        None => None,
        Some(sign) => Some(PluginMemory {
            sign: MetadataHash::parse(sign)?,
            needs: fields.next()?,
            name: fields.next()?,
            groups: fields.next()?,
            skills: fields.next()?,
        }),
    };
    fields.next().is_none().then_some(IndexEntry { line, path, kind, memory })
}

fn is_writable(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, FIELD | ITEM | b'\n' | b'\r'))
}
