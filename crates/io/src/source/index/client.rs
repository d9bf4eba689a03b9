//! Requests for the files of an index, on a server or in a directory of this machine, within limits.

use std::io::Read;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use symposium_model::config::IndexAddress;
use symposium_model::plugin_index::MAX_INDEX_FILE;

use crate::fs;
use crate::http::{DownloadDelay, FileAnswer, FileRequest, FileVersion, HttpClient, HttpFailure};
use crate::source::fetch_error::{FetchError, FetchLimits};
use crate::source::transfer::ByteCount;

/// Requests without an answer, and with none between them, after which no more are sent.
const MOST_UNANSWERED: usize = 3;

pub(super) enum IndexAnswer {
    Found(Vec<u8>, FileVersion),
    Unchanged,
    Absent,
}

/// Bytes of all files of an index that one fetch reads, besides archives.
const MOST_LISTED: u64 = 16 * 1024 * 1024;

pub(super) struct IndexClient<'c> {
    /// The clients for plain and for encrypted addresses: archives may be on another server than the index.
    plain: OnceLock<HttpClient>,
    encrypted: OnceLock<HttpClient>,
    limits: &'c FetchLimits,
    deadline: Instant,
    count: &'c ByteCount,
    unanswered: AtomicUsize,
    listed: AtomicU64,
}

impl<'c> IndexClient<'c> {
    pub(super) fn new(limits: &'c FetchLimits, deadline: Instant, count: &'c ByteCount) -> Self {
        Self {
            plain: OnceLock::new(),
            encrypted: OnceLock::new(),
            limits,
            deadline,
            count,
            unanswered: AtomicUsize::new(0),
            listed: AtomicU64::new(0),
        }
    }

    /// Reads a file that lists plugins, unless all of them together are too large.
    pub(super) fn list(
        &self,
        base: &IndexAddress,
        path: &str,
        known: Option<&FileVersion>,
    ) -> Result<IndexAnswer, FetchError> {
        let answer = self.get(base, path, known, MAX_INDEX_FILE)?;
        if let IndexAnswer::Found(bytes, _) = &answer {
            let size = bytes.len() as u64;
            if self.listed.fetch_add(size, Ordering::Relaxed) + size > MOST_LISTED {
                let limit = MOST_LISTED / 1024 / 1024;
                let reason = format!("the files of this index together have more than {limit} MB");
                return Err(FetchError::BeyondLimit(reason));
            }
        }
        Ok(answer)
    }

    fn client_for(&self, url: &str) -> &HttpClient {
        let place = if url.starts_with("http://") { &self.plain } else { &self.encrypted };
        place.get_or_init(|| HttpClient::new(url, self.limits.stall))
    }

    /// Reads a file of at most `limit` bytes below an address. `known` is the version that is there already.
    pub(super) fn get(
        &self,
        base: &IndexAddress,
        path: &str,
        known: Option<&FileVersion>,
        limit: u64,
    ) -> Result<IndexAnswer, FetchError> {
        if let Some(file) = base.local_file(path) {
            return match fs::read(&file, limit) {
                Ok(bytes) => {
                    self.count.add(bytes.len() as u64);
                    Ok(IndexAnswer::Found(bytes, FileVersion::default()))
                }
                Err(error) if error.is_not_found() => Ok(IndexAnswer::Absent),
                Err(error) => Err(FetchError::File(error)),
            };
        }
        if self.unanswered.load(Ordering::Relaxed) >= MOST_UNANSWERED {
            let reason = format!("not asked for, because {MOST_UNANSWERED} requests before had no answer");
            return Err(FetchError::Http(reason));
        }
        let whole = self.deadline.saturating_duration_since(Instant::now());
        if whole.is_zero() {
            return Err(self.late(DownloadDelay::Slow));
        }
        let url = base.file_url(path);
        let request = FileRequest { url: &url, credentials: base.credentials(), known, whole };
        let client = self.client_for(&url);
        let answer = match client.get(&request) {
            // Without those that were kept too: they may have ended as well.
            Err(HttpFailure::Disconnected) => HttpClient::new(&url, self.limits.stall).get(&request),
            answer => answer,
        };
        match &answer {
            Err(HttpFailure::NoAnswer(_) | HttpFailure::Disconnected) => {
                self.unanswered.fetch_add(1, Ordering::Relaxed);
            }
            Ok(_) | Err(HttpFailure::Answer(_) | HttpFailure::Proxy(_)) => self.unanswered.store(0, Ordering::Relaxed),
        }
        match answer? {
            FileAnswer::Found(body, version) => self.read(body, limit).map(|bytes| IndexAnswer::Found(bytes, version)),
            FileAnswer::Unchanged => Ok(IndexAnswer::Unchanged),
            FileAnswer::Absent => Ok(IndexAnswer::Absent),
        }
    }

    fn read(&self, mut body: crate::http::HttpBody, limit: u64) -> Result<Vec<u8>, FetchError> {
        let mut bytes = Vec::new();
        let mut buffer = [0; 16 * 1024];
        loop {
            let read = match body.read(&mut buffer) {
                Ok(0) => return Ok(bytes),
                Ok(read) => read,
                Err(error) => {
                    return Err(match body.delay {
                        Some(delay) => self.late(delay),
                        None => FetchError::Http(error.to_string()),
                    });
                }
            };
            self.count.add(read as u64);
            bytes.extend_from_slice(buffer.get(..read).unwrap_or_default());
            if bytes.len() as u64 > limit {
                return Err(FetchError::Http(format!("it is larger than {} kB", limit.div_ceil(1024))));
            }
        }
    }

    fn late(&self, delay: DownloadDelay) -> FetchError {
        let received = self.count.get();
        match delay {
            DownloadDelay::Slow => FetchError::TooSlow { limit: self.limits.whole, received },
            DownloadDelay::Stalled => FetchError::Stalled { silence: self.limits.stall, received },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;

    /// A server on this machine that ends a connection after each `count` answers, at the next request.
    fn disconnecting(count: usize) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
                for _ in 0..count {
                    if lines.by_ref().any(|line| line.is_empty()) {
                        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx").unwrap();
                    }
                }
                let _ = lines.any(|line| line.is_empty());
            }
        });
        format!("http://127.0.0.1:{port}/i")
    }

    #[test]
    fn a_connection_that_ends_is_made_again() {
        let (limits, count) = (FetchLimits::default(), ByteCount::default());
        let client = IndexClient::new(&limits, Instant::now() + Duration::from_mins(1), &count);
        let base = IndexAddress::parse(&disconnecting(2)).unwrap();
        for number in 0..9 {
            assert!(matches!(client.list(&base, "x", None), Ok(IndexAnswer::Found(..))), "{number}");
        }
        let base = IndexAddress::parse(&disconnecting(0)).unwrap();
        let refused = || client.list(&base, "x", None).err().map(|error| error.to_string()).unwrap();
        for _ in 0..MOST_UNANSWERED {
            assert_eq!(refused(), "the server closed the connection instead of an answer");
        }
        assert_eq!(refused(), "not asked for, because 3 requests before had no answer");
    }

    #[test]
    fn the_files_of_an_index_are_bounded_together() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("large"), vec![b'x'; 1024 * 1024]).unwrap();
        let path = directory.path().to_str().unwrap().replace('\\', "/");
        let base = IndexAddress::parse(&format!("file:///{}", path.trim_start_matches('/'))).unwrap();
        let limits = FetchLimits::default();
        let count = ByteCount::default();
        let client = IndexClient::new(&limits, Instant::now() + Duration::from_mins(1), &count);
        for _ in 0..16 {
            assert!(matches!(client.list(&base, "large", None), Ok(IndexAnswer::Found(..))));
        }
        let refused = client.list(&base, "large", None).err().map(|error| error.to_string());
        let expected =
            "the files of this index together have more than 16 MB; its publisher can divide the index into several";
        assert_eq!(refused.as_deref(), Some(expected));
        assert!(matches!(client.list(&base, "absent", None), Ok(IndexAnswer::Absent)));
    }
}
