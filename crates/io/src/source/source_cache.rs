//! What is remembered of a source, so that plugins which cannot apply need not be read again.
//!
//! A file of lines. The first says what it is about; then come the directories that were listed to find the plugins, and
//! a line for each plugin: where it is, and, if its conditions name crates, what it is called and how its manifest was
//! when it was read. All that can be learnt from here is that a plugin does not apply: whatever is used is read from the
//! source itself.

use std::borrow::Cow;

use symposium_model::catalog::SkippedPlugin;
use symposium_model::hook::hook_plan::FileState;

use super::listing_recorder::RecordedListing;
use super::metadata_hash::MetadataHash;
use super::tree::{SourceTree, TreeState};

/// The first word of the file; its number changes with the format.
const HEADER: &str = "symposium-index-2";

/// What stands for the sign of a walk that has none.
const UNSURE: &str = "-";

/// Between the parts of a line.
const FIELD: u8 = b'\t';

/// Between the parts of a field.
const ITEM: u8 = 0x1f;

/// What is remembered of a source.
#[derive(Debug, Default)]
pub(super) struct SourceIndex<'i> {
    /// The directories that were listed, and how they were; nothing when that does not tell whether they changed.
    walk: Option<(MetadataHash, &'i str)>,
    /// A line for each plugin, in the order in which they are found.
    pub(super) places: Vec<IndexEntry<'i>>,
}

#[derive(Debug, Clone)]
pub(super) struct IndexEntry<'i> {
    pub(super) line: &'i str,
    /// Its manifest, or the directory of a skill on its own.
    pub(super) path: &'i str,
    pub(super) kind: PlaceKind,
    /// What is remembered of it.
    pub(super) memory: Option<PluginMemory<'i>>,
}

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceKind {
    /// A manifest to which its whole directory belongs.
    Owner,
    Manifest,
    /// A skill on its own.
    Skill,
}

/// What is remembered of a plugin that needs crates.
#[derive(Debug, Clone)]
pub(super) struct PluginMemory<'i> {
    sign: MetadataHash,
    needs: &'i str,
    name: &'i str,
    groups: &'i str,
    skills: &'i str,
}

impl<'i> PluginMemory<'i> {
    /// One of these crates must be a dependency.
    pub(super) fn needs(&self) -> impl Iterator<Item = &'i str> {
        items(self.needs)
    }

    /// The directories of its groups.
    pub(super) fn groups(&self) -> impl Iterator<Item = &'i str> {
        items(self.groups)
    }

    /// What is remembered of a plugin whose manifest or SKILL.md is at `path`, and was found as it is `now`.
    pub(super) fn passed_over(&self, path: &str, now: TreeState) -> SkippedPlugin {
        let state = match now {
            TreeState::Known { size, modified, changed, inode } => Some(FileState { size, modified, changed, inode }),
            TreeState::Absent | TreeState::Link => None,
        };
        // Most have one skill or none, and then there is nothing to replace.
        let skills = if self.skills.bytes().any(|byte| byte == ITEM) {
            Cow::Owned(self.skills.replace(char::from(ITEM), "\n"))
        } else {
            Cow::Borrowed(self.skills)
        };
        SkippedPlugin::new(path, self.name, &skills, state)
    }

    /// Whether the file that says so is as it was when it was read.
    pub(super) fn holds(&self, now: TreeState) -> bool {
        MetadataHash::default().with(now) == self.sign
    }
}

/// A line that was taken over needs no comparison.
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

/// The parts of a text between marks. They are short, and there are many: looking at byte after byte finds their ends
/// sooner than a search made for long texts.
struct TextParts<'t> {
    rest: Option<&'t str>,
    mark: u8,
}

impl<'t> Iterator for TextParts<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.rest?;
        let end = text.bytes().position(|byte| byte == self.mark);
        self.rest = end.and_then(|end| text.get(end + 1..));
        end.map_or(Some(text), |end| text.get(..end))
    }
}

impl<'i> SourceIndex<'i> {
    /// Reads the file. One that is about something else, or broken, holds nothing.
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

    /// Whether the same plugins would be found again.
    pub(super) fn holds(&self, tree: &dyn SourceTree) -> bool {
        // The first is the source itself, whose path is empty.
        self.walk
            .is_some_and(|(sign, walked)| MetadataHash::now(tree, TextParts { rest: Some(walked), mark: ITEM }) == sign)
    }

    /// Whether this is what it says about the walk and all places.
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

    /// What it says about the walk.
    pub(super) fn walk(&self) -> Option<IndexedWalk> {
        self.walk.map(|(sign, walked)| IndexedWalk { sign, directories: walked.to_owned() })
    }
}

/// How the plugins of a source were found.
#[derive(Debug)]
pub(super) struct IndexedWalk {
    sign: MetadataHash,
    directories: String,
}

impl IndexedWalk {
    /// What is written about it; nothing when it has names that cannot be.
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

/// The line of a place of which nothing is remembered; `None` when its name cannot be written.
pub(super) fn bare_line(kind: PlaceKind, path: &str) -> Option<String> {
    let word = match kind {
        PlaceKind::Owner => "owner",
        PlaceKind::Manifest => "manifest",
        PlaceKind::Skill => "skill",
    };
    is_writable(path).then(|| format!("{word}\t{path}"))
}

/// What is to be remembered of a plugin.
pub(super) struct IndexedPlugin<'r> {
    /// How the file was that says all this.
    pub(super) state: TreeState,
    pub(super) needs: Vec<&'r str>,
    pub(super) name: &'r str,
    /// The directories of its groups.
    pub(super) groups: Vec<&'r str>,
    /// The names of its skills.
    pub(super) skills: Vec<&'r str>,
}

/// The line of a place with what is remembered; without it, when that cannot be written.
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
