//! Objects of a git repository: loose files, and packs with differences.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;

use crate::fs;

/// The largest object, and the largest index of a pack.
pub(crate) const MAX_OBJECT: u64 = 64 * 1024 * 1024;
const MAX_INDEX: u64 = 512 * 1024 * 1024;
/// Differences from differences.
const MOST_DELTAS: usize = 256;
const MAX_POINTER: u64 = 64 * 1024;
/// The beginning of an index of the second format.
const INDEX_MARK: &[u8] = b"\xfftOc\0\0\0\x02";

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub(crate) [u8; 20]);

impl ObjectId {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.get(..40).filter(|_| text.len() == 40 && text.is_ascii())?;
        let mut id = [0; 20];
        for (at, byte) in id.iter_mut().enumerate() {
            *byte = u8::from_str_radix(digits.get(at * 2..at * 2 + 2)?, 16).ok()?;
        }
        Some(Self(id))
    }

    pub(crate) fn text(&self) -> String {
        let digits: Vec<String> = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        digits.concat()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    Commit,
    Tree,
    Blob,
    Tag,
}

#[derive(Debug)]
pub(crate) struct GitObject {
    pub(crate) kind: ObjectKind,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) struct ObjectStore {
    directories: Vec<PathBuf>,
    packs: Vec<ObjectPack>,
}

struct ObjectPack {
    path: PathBuf,
    index: Vec<u8>,
}

impl ObjectStore {
    pub(crate) fn open(directory: &Path) -> Self {
        let mut directories = vec![directory.to_owned()];
        // A clone may share the objects of another.
        let others = fs::read_text(&directory.join("info/alternates"), MAX_POINTER).unwrap_or_default();
        directories.extend(others.lines().map(|line| directory.join(line)));
        let mut packs = Vec::new();
        for directory in &directories {
            for entry in fs::list(&directory.join("pack")).unwrap_or_default() {
                let path = directory.join("pack").join(&entry.name);
                let index = if path.extension().is_some_and(|own| own == "idx") {
                    fs::read(&path, MAX_INDEX)
                } else {
                    continue;
                };
                if let Ok(index) = index {
                    packs.push(ObjectPack { path: path.with_extension("pack"), index });
                }
            }
        }
        Self { directories, packs }
    }

    pub(crate) fn read(&self, id: &ObjectId) -> Option<GitObject> {
        self.read_at_depth(id, 0)
    }

    /// Tells whether an object is in this clone, even if it is too large to be read.
    pub(crate) fn contains(&self, id: &ObjectId) -> bool {
        let name = id.text();
        let loose = name.split_at_checked(2).is_some_and(|(head, rest)| {
            self.directories.iter().any(|directory| fs::exists(&directory.join(head).join(rest)))
        });
        loose || self.packs.iter().any(|pack| pack.find(id).is_some())
    }

    /// Finds the objects whose name begins with these digits, in lower case.
    pub(crate) fn find_prefix(&self, digits: &str) -> Vec<ObjectId> {
        let (Some(head), Some(rest)) = (digits.get(..2), digits.get(2..)) else { return Vec::new() };
        let Ok(first) = u8::from_str_radix(head, 16) else { return Vec::new() };
        let loose = self.directories.iter().flat_map(|directory| {
            let entries = fs::list(&directory.join(head)).unwrap_or_default();
            let fits = entries.into_iter().filter(|entry| entry.name.starts_with(rest));
            fits.filter_map(|entry| ObjectId::parse(&format!("{head}{}", entry.name))).collect::<Vec<_>>()
        });
        let packed = self.packs.iter().flat_map(|pack| pack.names_from(first));
        let packed = packed.filter(|id| id.text().starts_with(digits));
        let mut found: Vec<ObjectId> = loose.chain(packed).collect();
        found.sort();
        found.dedup();
        found
    }

    fn read_at_depth(&self, id: &ObjectId, depth: usize) -> Option<GitObject> {
        if depth > MOST_DELTAS {
            return None;
        }
        let loose = || self.directories.iter().find_map(|directory| read_loose(directory, id));
        let packed = || {
            let (pack, offset) = self.packs.iter().find_map(|pack| Some((pack, pack.find(id)?)))?;
            let mut file = File::open(&pack.path).ok()?;
            self.read_packed(&mut file, offset, depth)
        };
        loose().or_else(packed)
    }

    fn read_packed(&self, file: &mut File, offset: u64, depth: usize) -> Option<GitObject> {
        if depth > MOST_DELTAS {
            return None;
        }
        file.seek(SeekFrom::Start(offset)).ok()?;
        let first = read_byte(file)?;
        let mut byte = first;
        while byte & 0x80 != 0 {
            // The rest of the size, which the content tells too.
            byte = read_byte(file)?;
        }
        let kind = match (first >> 4) & 7 {
            1 => ObjectKind::Commit,
            2 => ObjectKind::Tree,
            3 => ObjectKind::Blob,
            4 => ObjectKind::Tag,
            6 => {
                let mut byte = read_byte(file)?;
                let mut back = u64::from(byte & 0x7f);
                while byte & 0x80 != 0 {
                    byte = read_byte(file)?;
                    back = (back.checked_add(1)? << 7) | u64::from(byte & 0x7f);
                }
                let delta = inflate(&mut *file)?;
                let base = self.read_packed(file, offset.checked_sub(back)?, depth + 1)?;
                return Some(GitObject { bytes: apply_delta(&base.bytes, &delta)?, ..base });
            }
            7 => {
                let mut id = [0; 20];
                file.read_exact(&mut id).ok()?;
                let delta = inflate(&mut *file)?;
                let base = self.read_at_depth(&ObjectId(id), depth + 1)?;
                return Some(GitObject { bytes: apply_delta(&base.bytes, &delta)?, ..base });
            }
            _ => return None,
        };
        Some(GitObject { kind, bytes: inflate(file)? })
    }
}

impl ObjectPack {
    /// Lists the objects whose name begins with a byte.
    fn names_from(&self, first: u8) -> Vec<ObjectId> {
        let Some(rest) = self.index.strip_prefix(INDEX_MARK) else { return Vec::new() };
        let number = |at: usize| {
            let bytes = rest.get(at * 4..).and_then(|bytes| bytes.first_chunk::<4>());
            bytes.map_or(0, |bytes| usize::try_from(u32::from_be_bytes(*bytes)).unwrap_or_default())
        };
        let first = usize::from(first);
        let low = if first == 0 { 0 } else { number(first - 1) };
        let names = rest.get(256 * 4 + low * 20..).unwrap_or_default();
        let count = number(first).saturating_sub(low);
        names.chunks_exact(20).take(count).filter_map(|name| Some(ObjectId(*name.first_chunk::<20>()?))).collect()
    }

    /// Finds the place of an object in the second format of an index.
    fn find(&self, id: &ObjectId) -> Option<u64> {
        let rest = self.index.strip_prefix(INDEX_MARK)?;
        let number = |at: usize| -> Option<usize> {
            let bytes = rest.get(at..)?.first_chunk::<4>()?;
            usize::try_from(u32::from_be_bytes(*bytes)).ok()
        };
        let first = usize::from(*id.0.first()?);
        let mut low = if first == 0 { 0 } else { number((first - 1) * 4)? };
        let mut high = number(first * 4)?;
        let count = number(255 * 4)?;
        let names = 256 * 4;
        while low < high {
            let middle = low.midpoint(high);
            match rest.get(names + middle * 20..)?.first_chunk::<20>()?.cmp(&id.0) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let offsets = names + count * 24;
                    let offset = number(offsets + middle * 4)?;
                    if offset & 0x8000_0000 == 0 {
                        return u64::try_from(offset).ok();
                    }
                    let at = offsets + count * 4 + (offset & 0x7fff_ffff) * 8;
                    return Some(u64::from_be_bytes(*rest.get(at..)?.first_chunk::<8>()?));
                }
            }
        }
        None
    }
}

fn read_loose(directory: &Path, id: &ObjectId) -> Option<GitObject> {
    let name = id.text();
    let (head, rest) = name.split_at_checked(2)?;
    let bytes = inflate(File::open(directory.join(head).join(rest)).ok()?)?;
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let kind = match bytes.get(..end)?.split(|byte| *byte == b' ').next()? {
        b"commit" => ObjectKind::Commit,
        b"tree" => ObjectKind::Tree,
        b"blob" => ObjectKind::Blob,
        b"tag" => ObjectKind::Tag,
        _ => return None,
    };
    Some(GitObject { kind, bytes: bytes.get(end + 1..)?.to_vec() })
}

fn read_byte(file: &mut File) -> Option<u8> {
    let mut byte = [0];
    file.read_exact(&mut byte).ok()?;
    byte.first().copied()
}

fn inflate(compressed: impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(compressed).take(MAX_OBJECT + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MAX_OBJECT).then_some(bytes)
}

/// Makes an object from another and its differences.
fn apply_delta(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut rest = delta;
    read_size(&mut rest)?;
    let size = read_size(&mut rest).filter(|size| *size as u64 <= MAX_OBJECT)?;
    let mut made = Vec::with_capacity(size);
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if first & 0x80 == 0 {
            let (new, after) = rest.split_at_checked(usize::from(*first))?;
            made.extend_from_slice(new);
            rest = after;
        } else {
            let mut part = |bits: std::ops::Range<u8>| -> Option<usize> {
                let mut number = 0_usize;
                for (shift, bit) in bits.enumerate() {
                    if first & (1 << bit) != 0 {
                        let (byte, after) = rest.split_first()?;
                        number |= usize::from(*byte) << (shift * 8);
                        rest = after;
                    }
                }
                Some(number)
            };
            let (from, length) = (part(0..4)?, part(4..7)?);
            let length = if length == 0 { 0x10000 } else { length };
            made.extend_from_slice(base.get(from..from.checked_add(length)?)?);
        }
        if made.len() > size {
            return None;
        }
    }
    (made.len() == size).then_some(made)
}

fn read_size(rest: &mut &[u8]) -> Option<usize> {
    let mut size = 0_usize;
    for shift in (0..usize::BITS).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        size |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(size);
        }
    }
    None
}
