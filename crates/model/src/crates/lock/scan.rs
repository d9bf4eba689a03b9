//! The fast reading of a Cargo.lock: line by line, as cargo itself writes it.
//!
//! It accepts only what it understands to the last character. Everything else (hand-edited files, broken files) is
//! left to the full TOML reading, which also knows how to say what is wrong.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::str::Lines;

use semver::Version;

use super::package::{LockedDependency, LockedPackage, Lockfile};

/// Reads the text, or gives up without saying why.
pub(super) fn scan(text: &str) -> Option<Lockfile<'_>> {
    let mut scan = Scan { lines: text.lines(), format: None, packages: Vec::new(), seen: Seen::default() };
    let mut section = Section::Top;
    while let Some(line) = scan.lines.next() {
        section = match line {
            "" => continue,
            _ if line.starts_with('#') && is_printable(line) => continue,
            "[[package]]" => scan.finish(section, Section::Package(Draft::default()))?,
            "[root]" if !scan.seen.root => {
                scan.seen.root = true;
                scan.finish(section, Section::Package(Draft::default()))?
            }
            "[metadata]" if !scan.seen.metadata => {
                scan.seen.metadata = true;
                scan.finish(section, Section::Ignored(BTreeSet::new()))?
            }
            "[[patch.unused]]" => scan.finish(section, Section::Ignored(BTreeSet::new()))?,
            _ => scan.entry(section, line)?,
        };
    }
    scan.finish(section, Section::Top)?;
    Some(Lockfile { format: scan.format, packages: scan.packages })
}

struct Scan<'a> {
    lines: Lines<'a>,
    format: Option<u32>,
    packages: Vec<LockedPackage<'a>>,
    seen: Seen,
}

/// Sections TOML allows once only.
#[derive(Default)]
struct Seen {
    root: bool,
    metadata: bool,
}

enum Section<'a> {
    Top,
    Package(Draft<'a>),
    /// Checksums, and patches nothing uses; only the keys are kept, because TOML allows each once.
    Ignored(BTreeSet<&'a str>),
}

#[derive(Default)]
struct Draft<'a> {
    name: Option<&'a str>,
    version: Option<&'a str>,
    source: Option<&'a str>,
    checksum: Option<&'a str>,
    replace: Option<&'a str>,
    dependencies: Option<Vec<LockedDependency<'a>>>,
}

impl<'a> Scan<'a> {
    /// Ends one section and begins the next.
    fn finish(&mut self, section: Section<'a>, next: Section<'a>) -> Option<Section<'a>> {
        match section {
            Section::Top | Section::Ignored(_) => {}
            Section::Package(draft) => self.packages.push(LockedPackage {
                name: Cow::Borrowed(draft.name.filter(|name| !name.is_empty())?),
                version: Version::parse(draft.version?).ok()?,
                source: draft.source.map(Cow::Borrowed),
                dependencies: draft.dependencies.unwrap_or_default(),
                replace: match draft.replace {
                    None => None,
                    Some(replace) => Some(LockedDependency::parse(Cow::Borrowed(replace))?),
                },
            }),
        }
        Some(next)
    }

    fn entry(&mut self, mut section: Section<'a>, line: &'a str) -> Option<Section<'a>> {
        let (key, value) = line.split_once('=')?;
        let (key, value) = (key.strip_suffix(' ')?, value.strip_prefix(' ')?);
        match &mut section {
            Section::Top if key == "version" && self.format.is_none() => {
                let plain = value.bytes().all(|byte| byte.is_ascii_digit()) && !value.starts_with('0');
                self.format = Some(value.parse().ok().filter(|_| plain)?);
            }
            Section::Top => return None,
            Section::Package(draft) => match key {
                "name" => put(&mut draft.name, string(value)?)?,
                "version" => put(&mut draft.version, string(value)?)?,
                "source" => put(&mut draft.source, string(value)?)?,
                "checksum" => put(&mut draft.checksum, string(value)?)?,
                "replace" => put(&mut draft.replace, string(value)?)?,
                "dependencies" => {
                    let dependencies = self.strings(value)?;
                    put(&mut draft.dependencies, dependencies)?;
                }
                _ => return None,
            },
            Section::Ignored(keys) => {
                let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
                let bare_key = || Some(key).filter(|key| !key.is_empty() && key.bytes().all(bare));
                if !keys.insert(string(key).or_else(bare_key)?) {
                    return None;
                }
                if string(value).is_none() {
                    self.strings(value)?;
                }
            }
        }
        Some(section)
    }

    /// The mentions of an array that cargo wrote: one on each line.
    fn strings(&mut self, value: &str) -> Option<Vec<LockedDependency<'a>>> {
        let mut dependencies = Vec::new();
        match value {
            "[]" => return Some(dependencies),
            "[" => {}
            _ => return None,
        }
        let mut may_go_on = true;
        loop {
            match self.lines.next()?.trim_start_matches([' ', '\t']) {
                "" => {}
                "]" => return Some(dependencies),
                _ if !may_go_on => return None,
                line => {
                    let item = line.strip_suffix(',').unwrap_or(line);
                    may_go_on = item.len() < line.len();
                    dependencies.push(LockedDependency::parse(Cow::Borrowed(string(item)?))?);
                }
            }
        }
    }
}

/// Fills a place once; TOML forbids a second time.
fn put<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| !byte.is_ascii_control())
}

/// The inside of a plain `"…"` without escapes.
fn string(value: &str) -> Option<&str> {
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    let plain = |byte: u8| !byte.is_ascii_control() && byte != b'"' && byte != b'\\';
    inside.bytes().all(plain).then_some(inside)
}
