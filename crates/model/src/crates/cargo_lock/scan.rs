//! The fast reader of Cargo.lock: line by line, as cargo itself writes it.
//!
//! It accepts only what it understands to the last character. Everything else (hand-edited files, broken files) is left
//! to the complete TOML reader, which also explains what is wrong.

use std::borrow::Cow;
use std::collections::BTreeSet;

use semver::Version;

use crate::byte_search::{find_byte, is_plain_string};

use super::package::{CargoLock, LockedDependency, LockedPackage};

/// Few packages take less space than this in the file.
const BYTES_OF_A_PACKAGE: usize = 256;

/// Parses the text; `None` for anything unusual, without a reason.
pub(super) fn scan(text: &str) -> Option<CargoLock<'_>> {
    let mut scan = LockScanner {
        lines: LineIterator { rest: text },
        format: None,
        packages: Vec::with_capacity(text.len() / BYTES_OF_A_PACKAGE),
        section: LockSection::Top,
        mentions: Vec::new(),
        seen: SeenSections::default(),
    };
    while let Some(line) = scan.lines.next() {
        match line {
            "" => {}
            _ if line.starts_with('#') && is_printable(line) => {}
            "[[package]]" => scan.begin(LockSection::Package(PackageDraft::default()))?,
            "[root]" if !scan.seen.root => {
                scan.seen.root = true;
                scan.begin(LockSection::Package(PackageDraft::default()))?;
            }
            "[metadata]" if !scan.seen.metadata => {
                scan.seen.metadata = true;
                scan.begin(LockSection::Ignored(BTreeSet::new()))?;
            }
            "[[patch.unused]]" => scan.begin(LockSection::Ignored(BTreeSet::new()))?,
            _ => scan.entry(line)?,
        }
    }
    scan.begin(LockSection::Top)?;
    Some(CargoLock { format: scan.format, packages: scan.packages })
}

struct LockScanner<'a> {
    lines: LineIterator<'a>,
    format: Option<u32>,
    packages: Vec<LockedPackage<'a>>,
    section: LockSection<'a>,
    mentions: Vec<LockedDependency<'a>>,
    seen: SeenSections,
}

/// The lines of a text.
struct LineIterator<'a> {
    rest: &'a str,
}

impl<'a> Iterator for LineIterator<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let Some(end) = find_byte(self.rest.as_bytes(), b'\n') else {
            return Some(std::mem::take(&mut self.rest));
        };
        let line = self.rest.get(..end)?;
        self.rest = self.rest.get(end + 1..)?;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

/// The sections that TOML allows only once.
#[derive(Default)]
struct SeenSections {
    root: bool,
    metadata: bool,
}

enum LockSection<'a> {
    Top,
    Package(PackageDraft<'a>),
    /// Checksums and unused patches; only the keys are kept, because TOML allows each once.
    Ignored(BTreeSet<&'a str>),
}

#[derive(Default)]
struct PackageDraft<'a> {
    name: Option<&'a str>,
    version: Option<&'a str>,
    source: Option<&'a str>,
    checksum: Option<&'a str>,
    replace: Option<&'a str>,
    dependencies: Option<Vec<LockedDependency<'a>>>,
}

impl<'a> LockScanner<'a> {
    fn begin(&mut self, next: LockSection<'a>) -> Option<()> {
        match std::mem::replace(&mut self.section, next) {
            LockSection::Top | LockSection::Ignored(_) => {}
            LockSection::Package(draft) => self.packages.push(LockedPackage {
                name: Cow::Borrowed(draft.name.filter(|name| !name.is_empty())?),
                version: Version::parse(draft.version?).ok()?,
                source: draft.source.map(Cow::Borrowed),
                dependencies: draft.dependencies.unwrap_or_default(),
                replace: match draft.replace {
                    None => None,
                    Some(replace) => Some(Box::new(LockedDependency::parse_borrowed(replace)?)),
                },
            }),
        }
        Some(())
    }

    fn entry(&mut self, line: &'a str) -> Option<()> {
        let sign = find_byte(line.as_bytes(), b'=')?;
        let (key, value) = (line.get(..sign)?.strip_suffix(' ')?, line.get(sign + 1..)?.strip_prefix(' ')?);
        match &mut self.section {
            LockSection::Top if key == "version" && self.format.is_none() => {
                let plain = value.bytes().all(|byte| byte.is_ascii_digit()) && !value.starts_with('0');
                self.format = Some(value.parse().ok().filter(|_| plain)?);
            }
            LockSection::Top => return None,
            LockSection::Package(draft) => match key {
                "name" => put(&mut draft.name, string(value)?)?,
                "version" => put(&mut draft.version, string(value)?)?,
                "source" => put(&mut draft.source, string(value)?)?,
                "checksum" => put(&mut draft.checksum, string(value)?)?,
                "replace" => put(&mut draft.replace, string(value)?)?,
                "dependencies" => {
                    mentions(&mut self.lines, value, &mut self.mentions)?;
                    // Collected, so that the vector has no spare capacity.
                    put(&mut draft.dependencies, self.mentions.drain(..).collect())?;
                }
                _ => return None,
            },
            LockSection::Ignored(keys) => {
                let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
                let bare_key = || Some(key).filter(|key| !key.is_empty() && key.bytes().all(bare));
                if !keys.insert(string(key).or_else(bare_key)?) {
                    return None;
                }
                if string(value).is_none() {
                    mentions(&mut self.lines, value, &mut Vec::new())?;
                }
            }
        }
        Some(())
    }
}

/// Parses an array as cargo writes it: one dependency on each line.
fn mentions<'a>(lines: &mut LineIterator<'a>, value: &str, into: &mut Vec<LockedDependency<'a>>) -> Option<()> {
    match value {
        "[]" => return Some(()),
        "[" => {}
        _ => return None,
    }
    let mut may_go_on = true;
    loop {
        match lines.next()?.trim_start_matches([' ', '\t']) {
            "" => {}
            "]" => return Some(()),
            _ if !may_go_on => return None,
            line => {
                let item = line.strip_suffix(',').unwrap_or(line);
                may_go_on = item.len() < line.len();
                into.push(LockedDependency::parse_borrowed(string(item)?)?);
            }
        }
    }
}

/// Fills an empty slot; `None` when it is full, because TOML forbids duplicate keys.
fn put<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| !byte.is_ascii_control())
}

/// Returns the inside of a plain `"…"` without escapes.
fn string(value: &str) -> Option<&str> {
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    is_plain_string(inside).then_some(inside)
}
