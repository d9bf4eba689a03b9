//! Requests for the files of an index, on a server or in a directory of this machine, within limits.

use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use symposium_model::config::IndexAddress;

use crate::fs;
use crate::http::{DownloadDelay, FileAnswer, FileRequest, FileVersion, HttpClient};
use crate::source::fetch_error::{FetchError, FetchLimits};
use crate::source::transfer::ByteCount;

/// Requests without an answer after which no more are sent.
const MOST_UNANSWERED: usize = 3;

pub(super) enum IndexAnswer {
    Found(Vec<u8>, FileVersion),
    Unchanged,
    Absent,
}

pub(super) struct IndexClient<'c> {
    http: HttpClient,
    limits: &'c FetchLimits,
    deadline: Instant,
    count: &'c ByteCount,
    unanswered: AtomicUsize,
}

impl<'c> IndexClient<'c> {
    pub(super) fn new(
        address: &IndexAddress,
        limits: &'c FetchLimits,
        deadline: Instant,
        count: &'c ByteCount,
    ) -> Self {
        let http = HttpClient::new(&address.file_url(""), limits.stall);
        Self { http, limits, deadline, count, unanswered: AtomicUsize::new(0) }
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
            return Err(FetchError::NoAnswer);
        }
        let whole = self.deadline.saturating_duration_since(Instant::now());
        if whole.is_zero() {
            return Err(self.late(DownloadDelay::Slow));
        }
        let url = base.file_url(path);
        let request = FileRequest { url: &url, credentials: base.credentials(), known, whole };
        match self.http.get(&request) {
            Ok(FileAnswer::Found(body, version)) => {
                self.read(body, limit).map(|bytes| IndexAnswer::Found(bytes, version))
            }
            Ok(FileAnswer::Unchanged) => Ok(IndexAnswer::Unchanged),
            Ok(FileAnswer::Absent) => Ok(IndexAnswer::Absent),
            Err(failure) => {
                if !failure.is_answer {
                    self.unanswered.fetch_add(1, Ordering::Relaxed);
                }
                Err(FetchError::Http(failure.reason))
            }
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
