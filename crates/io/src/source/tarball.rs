//! Download of a source as one archive, for machines without git. The archive is read within limits and rejected as a
//! whole if anything in it is ambiguous.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;
use std::time::Instant;

use flate2::read::GzDecoder;
use symposium_model::config::GitAddress;
use symposium_model::lockfile::is_object_id;
use tar::EntryType;

use super::contents::{ContentRefusal, FetchedContents, MAX_BYTES, MAX_ENTRIES};
use super::fetch_error::{FetchError, FetchLimits};
use super::transfer::ByteCount;
use crate::http::{self, DownloadDelay, HttpAnswer, HttpBody};

pub(super) const MAX_RATIO: u64 = 100;

/// Bytes. No smaller archive is suspicious: short texts compress to almost nothing.
pub(super) const UNSUSPICIOUS: u64 = 1024 * 1024;

/// Limits for the packed and the unpacked size of an archive of which only one directory is wanted.
const MAX_PASSED_OVER: (u64, u64) = (256 * 1024 * 1024, 1024 * 1024 * 1024);

const MAX_HEADER: u64 = 64 * 1024;

pub(super) struct UnpackedArchive {
    /// The commit that the archive names, or a substitute.
    pub(super) commit: String,
    pub(super) contents: FetchedContents,
    /// All unpacked bytes, also those of headers and directories.
    pub(super) read: u64,
}

pub(super) struct ArchiveDownload<'d> {
    pub(super) patience: &'d FetchLimits,
    pub(super) deadline: Instant,
    pub(super) count: &'d ByteCount,
}

impl ArchiveDownload<'_> {
    fn get(&self, url: &str) -> Result<HttpAnswer, FetchError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.late(DownloadDelay::Slow));
        }
        Ok(http::get(url, left, self.patience.stall)?)
    }

    fn unpack(&self, mut body: HttpBody, directory: &str) -> Result<UnpackedArchive, FetchError> {
        let unpacked = unpack(CountingReader { inner: &mut body, count: self.count }, directory);
        match body.delay {
            Some(delay) => Err(self.late(delay)),
            None => unpacked,
        }
    }

    fn late(&self, delay: DownloadDelay) -> FetchError {
        let received = self.count.get();
        match delay {
            DownloadDelay::Slow => FetchError::TooSlow { limit: self.patience.whole, received },
            DownloadDelay::Stalled => FetchError::Stalled { silence: self.patience.stall, received },
        }
    }
}

struct CountingReader<'c> {
    inner: &'c mut HttpBody,
    count: &'c ByteCount,
}

impl Read for CountingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.add(read as u64);
        Ok(read)
    }
}

pub(super) fn fetch(address: &GitAddress, download: &ArchiveDownload<'_>) -> Result<UnpackedArchive, FetchError> {
    let mut readings = address.readings();
    // Most branch names have one part.
    readings.reverse();
    for (reference, directory) in readings {
        let url = address.archive_url(&reference).ok_or(FetchError::GitIsMissing)?;
        match download.get(&url)? {
            HttpAnswer::Found(body) => return download.unpack(body, &directory),
            HttpAnswer::Absent => {}
        }
    }
    match address.tree() {
        [] => Err(FetchError::Http("the server does not have it".to_owned())),
        tree => Err(FetchError::NoSuchReference(tree.join("/"))),
    }
}

pub(super) fn fetch_commit(
    address: &GitAddress,
    commit: &str,
    directory: &str,
    download: &ArchiveDownload<'_>,
) -> Result<UnpackedArchive, FetchError> {
    let url = address.archive_url(commit).ok_or(FetchError::GitIsMissing)?;
    match download.get(&url)? {
        HttpAnswer::Found(body) => download.unpack(body, directory),
        HttpAnswer::Absent => Err(FetchError::NoSuchReference(commit.to_owned())),
    }
}

/// Reads the files below `directory` from a compressed archive, whose top level is a single directory.
pub(super) fn unpack(body: impl Read, directory: &str) -> Result<UnpackedArchive, FetchError> {
    let compressed = Rc::new(Cell::new(0));
    // Headers and padding add to the size of the files.
    let whole = (MAX_BYTES, MAX_BYTES + MAX_ENTRIES as u64 * 1024);
    let (packed, unpacked) = if directory.is_empty() { whole } else { MAX_PASSED_OVER };
    let counted = DownloadCounter { inner: body, read: Rc::clone(&compressed), limit: packed };
    let bounded = ExpansionLimit { inner: GzDecoder::new(counted), read: 0, compressed, limit: unpacked };
    let mut archive = tar::Archive::new(bounded);
    let mut reader =
        ArchiveReader { top: None, directory, contents: FetchedContents::default(), commit: None, long_path: None };
    for entry in archive.entries().map_err(|error| refusal(&error))?.raw(true) {
        reader.take(&mut entry.map_err(|error| refusal(&error))?)?;
    }
    // The rest is read too: the checksum comes last.
    let mut rest = archive.into_inner();
    io::copy(&mut rest, &mut io::sink()).map_err(|error| refusal(&error))?;
    if reader.contents.is_empty() && !directory.is_empty() {
        return Err(FetchError::NoSuchDirectory(directory.to_owned()));
    }
    if reader.top.is_none() {
        return Err(FetchError::Empty);
    }
    let commit = reader.commit.unwrap_or_else(|| reader.contents.fingerprint().as_str().to_owned());
    Ok(UnpackedArchive { commit, contents: reader.contents, read: rest.read })
}

/// Lists the paths of an archive without writing any, to test which archives are rejected.
pub fn paths(body: impl Read, directory: &str) -> Result<Vec<String>, FetchError> {
    let mut contents = unpack(body, directory)?.contents;
    contents.check_collisions()?;
    Ok(contents.paths().map(str::to_owned).collect())
}

struct ArchiveReader<'r> {
    top: Option<String>,
    directory: &'r str,
    contents: FetchedContents,
    commit: Option<String>,
    /// The path of the next entry, if it is too long for its header.
    long_path: Option<String>,
}

impl ArchiveReader<'_> {
    fn take(&mut self, entry: &mut tar::Entry<'_, impl Read>) -> Result<(), ContentRefusal> {
        let kind = entry.header().entry_type();
        match kind {
            EntryType::XGlobalHeader => {
                for (key, value) in extensions(entry)? {
                    match key.as_str() {
                        "comment" => self.commit = self.commit.take().or(Some(value)).filter(|it| is_object_id(it)),
                        _ => {
                            return Err(ContentRefusal::Damaged(format!(
                                "the archive's header has the key `{key}`, which is not allowed in a source"
                            )));
                        }
                    }
                }
                Ok(())
            }
            EntryType::XHeader => {
                for (key, value) in extensions(entry)? {
                    match key.as_str() {
                        "path" if self.long_path.is_none() => self.long_path = Some(value),
                        "mtime" | "atime" | "ctime" => {}
                        // A second size or name would make the archive ambiguous.
                        _ => {
                            return Err(ContentRefusal::Damaged(format!(
                                "an entry has the key `{key}`, which is not allowed in a source"
                            )));
                        }
                    }
                }
                Ok(())
            }
            EntryType::Regular | EntryType::Continuous | EntryType::Directory => self.take_content(entry, kind),
            EntryType::Symlink => Err(self.unwanted(entry, "a link")),
            EntryType::Link => Err(self.unwanted(entry, "a hard link")),
            EntryType::Char | EntryType::Block => Err(self.unwanted(entry, "a device")),
            EntryType::Fifo => Err(self.unwanted(entry, "a pipe")),
            EntryType::GNUSparse => Err(self.unwanted(entry, "a file with holes")),
            EntryType::GNULongName | EntryType::GNULongLink => Err(self.unwanted(entry, "a name in an old form")),
            _ => Err(self.unwanted(entry, "of an unknown kind")),
        }
    }

    fn take_content(&mut self, entry: &mut tar::Entry<'_, impl Read>, kind: EntryType) -> Result<(), ContentRefusal> {
        let path = match self.long_path.take() {
            Some(path) => path,
            None => text(&entry.header().path_bytes())?,
        };
        let bad = |reason| ContentRefusal::Path { path: path.clone(), reason };
        let plain = path.strip_suffix('/').filter(|_| kind == EntryType::Directory).unwrap_or(&path);
        let (top, below) = plain.split_once('/').unwrap_or((plain, ""));
        if matches!(top, "" | "." | "..") || top.contains(['\\', ':']) {
            return Err(bad("leads elsewhere"));
        }
        match &self.top {
            None => self.top = Some(top.to_owned()),
            Some(known) if known == top => {}
            Some(_) => return Err(bad("is outside the top directory")),
        }
        // Checked for unwanted files too: an archive with one invalid path is not trusted at all.
        if below.split('/').any(|part| matches!(part, "." | "..")) || below.contains(['\\', '\0']) {
            return Err(bad("leads elsewhere"));
        }
        if kind == EntryType::Directory {
            return Ok(());
        }
        if below.is_empty() {
            return Err(bad("is outside the top directory"));
        }
        let size = entry.header().size().map_err(|error| refusal(&error))?;
        let wanted = match self.directory {
            "" => Some(below),
            directory => below.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/')),
        };
        let Some(wanted) = wanted else { return Ok(()) };
        if size > MAX_BYTES {
            return Err(ContentRefusal::TooLarge);
        }
        let executable = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(|error| refusal(&error))?;
        if bytes.len() as u64 != size {
            return Err(ContentRefusal::Damaged("it is truncated".to_owned()));
        }
        self.contents.add_file(wanted, bytes, executable)
    }

    fn unwanted(&self, entry: &tar::Entry<'_, impl Read>, kind: &'static str) -> ContentRefusal {
        let path = self.long_path.clone();
        let path = path.unwrap_or_else(|| String::from_utf8_lossy(&entry.header().path_bytes()).into_owned());
        ContentRefusal::Kind { path, kind }
    }
}

fn text(bytes: &[u8]) -> Result<String, ContentRefusal> {
    String::from_utf8(bytes.to_vec()).map_err(|error| ContentRefusal::Path {
        path: String::from_utf8_lossy(error.as_bytes()).into_owned(),
        reason: "is not text",
    })
}

/// Parses an extension header: lines with their length, a key and a value. Every length must fit.
fn extensions(entry: &mut tar::Entry<'_, impl Read>) -> Result<Vec<(String, String)>, ContentRefusal> {
    let damaged = || ContentRefusal::Damaged("an extension header cannot be read".to_owned());
    let mut bytes = Vec::new();
    entry.take(MAX_HEADER + 1).read_to_end(&mut bytes).map_err(|error| refusal(&error))?;
    if bytes.len() as u64 > MAX_HEADER {
        return Err(damaged());
    }
    let mut rest = bytes.as_slice();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let blank = rest.iter().position(|byte| *byte == b' ').ok_or_else(damaged)?;
        let length = rest.get(..blank).and_then(|digits| std::str::from_utf8(digits).ok());
        let length: usize = length.and_then(|digits| digits.parse().ok()).ok_or_else(damaged)?;
        let (line, after) = rest.split_at_checked(length).ok_or_else(damaged)?;
        let line = line.get(blank + 1..).and_then(|line| line.strip_suffix(b"\n")).ok_or_else(damaged)?;
        let line = std::str::from_utf8(line).map_err(|_| damaged())?;
        let (key, value) = line.split_once('=').ok_or_else(damaged)?;
        if value.contains('\0') {
            return Err(damaged());
        }
        found.push((key.to_owned(), value.to_owned()));
        rest = after;
    }
    Ok(found)
}

struct DownloadCounter<R> {
    inner: R,
    read: Rc<Cell<u64>>,
    limit: u64,
}

impl<R: Read> Read for DownloadCounter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        if self.read.get() > self.limit {
            return Err(io::Error::other(ContentRefusal::TooLarge));
        }
        Ok(count)
    }
}

struct ExpansionLimit<R> {
    inner: R,
    read: u64,
    compressed: Rc<Cell<u64>>,
    limit: u64,
}

impl<R: Read> Read for ExpansionLimit<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read += count as u64;
        if self.read > UNSUSPICIOUS && self.read > self.compressed.get() * MAX_RATIO {
            return Err(io::Error::other(ContentRefusal::Bomb));
        }
        if self.read > self.limit {
            return Err(io::Error::other(ContentRefusal::TooLarge));
        }
        Ok(count)
    }
}

fn refusal(error: &io::Error) -> ContentRefusal {
    let mut source: Option<&(dyn std::error::Error + 'static)> = error.get_ref().map(|inner| inner as _);
    while let Some(inner) = source {
        if let Some(refusal) = inner.downcast_ref::<ContentRefusal>() {
            return refusal.clone();
        }
        source = match inner.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(deeper) => Some(deeper as _),
            None => inner.source(),
        };
    }
    ContentRefusal::Damaged(error.to_string())
}

#[cfg(test)]
#[path = "tarball_tests.rs"]
mod tests;
