//! HTTP client: only encrypted or to this machine, with time limits, and without redirects to an unencrypted address.

use std::io::{self, Read};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::proxy::{ProxySetting, UnusableProxy};

const CONNECT: Duration = Duration::from_secs(10);

pub(crate) enum HttpAnswer {
    Found(HttpBody),
    Absent,
}

pub(crate) struct HttpBody {
    inner: Box<dyn Read>,
    pub(crate) delay: Option<DownloadDelay>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DownloadDelay {
    /// Data arrives, but not fast enough.
    Slow,
    Stalled,
}

impl Read for HttpBody {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer);
        if let Err(error) = &read {
            self.delay = delay(error);
        }
        read
    }
}

fn delay(error: &io::Error) -> Option<DownloadDelay> {
    match error.get_ref()?.downcast_ref::<ureq::Error>()? {
        ureq::Error::Timeout(ureq::Timeout::PerRead) => Some(DownloadDelay::Stalled),
        ureq::Error::Timeout(_) => Some(DownloadDelay::Slow),
        _ => None,
    }
}

/// The version of a file as its server named it, to be sent back with the next request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileVersion {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    etag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    modified: Option<String>,
}

pub(crate) enum FileAnswer {
    Found(HttpBody, FileVersion),
    /// It is as it was in the version that the request named.
    Unchanged,
    Absent,
}

/// A request that failed, with the reason.
#[derive(Debug)]
pub(crate) enum HttpFailure {
    /// Because of the proxy, whatever the server is.
    Proxy(String),
    NoAnswer(String),
    /// The connection ended, as one that was kept for too long does: another one may fare better.
    Disconnected,
    /// A server sent something: then the next request may fare better.
    Answer(String),
}

pub(crate) struct FileRequest<'r> {
    pub(crate) url: &'r str,
    /// Sent as they are, in the form `user:password`.
    pub(crate) credentials: Option<&'r str>,
    pub(crate) known: Option<&'r FileVersion>,
    /// The limit for everything including the reading of the body.
    pub(crate) whole: Duration,
}

const REDIRECT: &str = "the server sent a redirect, which is not followed";

/// Connections that are kept for further requests.
const IDLE: usize = 16;

/// A client for many files of one server.
pub(crate) struct HttpClient {
    agent: ureq::Agent,
    /// Hosts that it concerns get no request.
    unusable_proxy: Option<UnusableProxy>,
}

impl HttpClient {
    /// Makes a client for addresses like `url`. `stall` limits each wait for a byte.
    ///
    /// Only `https` is used and redirected to; plain `http` is for a server on this machine, and follows no redirect and
    /// uses no proxy.
    pub(crate) fn new(url: &str, stall: Duration) -> Self {
        let is_plain = url.starts_with("http://");
        let (proxy, unusable_proxy) = match ProxySetting::from_env() {
            ProxySetting::Through(proxy) if !is_plain => (Some(proxy), None),
            ProxySetting::Unusable(unusable) if !is_plain => (None, Some(unusable)),
            ProxySetting::Direct | ProxySetting::Through(_) | ProxySetting::Unusable(_) => (None, None),
        };
        // A redirect could lead past a proxy that cannot be used.
        let follows = !is_plain && unusable_proxy.is_none();
        let config = ureq::Agent::config_builder()
            .https_only(!is_plain)
            .max_redirects(if follows { 3 } else { 0 })
            .max_redirects_will_error(true)
            .http_status_as_error(false)
            .timeout_per_read(Some(stall))
            .max_idle_connections(IDLE)
            .max_idle_connections_per_host(IDLE)
            .proxy(proxy)
            .user_agent(concat!("symposium/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.into(), unusable_proxy }
    }

    pub(crate) fn get(&self, request: &FileRequest<'_>) -> Result<FileAnswer, HttpFailure> {
        if let Some(unusable) = self.unusable_proxy.as_ref().filter(|unusable| unusable.concerns(request.url)) {
            let help = "its address has to begin with `http://` or `https://`";
            return Err(HttpFailure::Proxy(format!("the proxy in `{}` cannot be used; {help}", unusable.variable)));
        }
        let connect = Some(CONNECT.min(request.whole));
        let mut call =
            self.agent.get(request.url).config().timeout_connect(connect).timeout_global(Some(request.whole)).build();
        if let Some(credentials) = request.credentials {
            call = call.header("Authorization", format!("Basic {}", base64(credentials.as_bytes())));
        }
        if let Some(etag) = request.known.and_then(|known| known.etag.as_deref()) {
            call = call.header("If-None-Match", etag);
        }
        if let Some(modified) = request.known.and_then(|known| known.modified.as_deref()) {
            call = call.header("If-Modified-Since", modified);
        }
        let response = call.call().map_err(|error| failure(&error))?;
        match response.status().as_u16() {
            200 => {
                let header =
                    |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
                let version = FileVersion { etag: header("etag"), modified: header("last-modified") };
                let inner = Box::new(response.into_body().into_reader());
                Ok(FileAnswer::Found(HttpBody { inner, delay: None }, version))
            }
            304 if request.known.is_some() => Ok(FileAnswer::Unchanged),
            404 | 410 => Ok(FileAnswer::Absent),
            300..=303 | 307 | 308 => Err(HttpFailure::Answer(REDIRECT.to_owned())),
            status => Err(HttpFailure::Answer(format!("the server answered with status {status}"))),
        }
    }
}

/// Sends a GET request. `whole` limits everything including the reading of the body, `stall` each wait for a byte of
/// it.
pub(crate) fn get(url: &str, whole: Duration, stall: Duration) -> Result<HttpAnswer, HttpFailure> {
    let request = FileRequest { url, credentials: None, known: None, whole };
    Ok(match HttpClient::new(url, stall).get(&request)? {
        FileAnswer::Found(body, _) => HttpAnswer::Found(body),
        FileAnswer::Unchanged | FileAnswer::Absent => HttpAnswer::Absent,
    })
}

fn failure(error: &ureq::Error) -> HttpFailure {
    let reason = describe(error);
    match error {
        ureq::Error::ConnectProxyFailed(_) => HttpFailure::Proxy(reason),
        ureq::Error::Io(error) if is_disconnection(error.kind()) => HttpFailure::Disconnected,
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::Timeout(_) | ureq::Error::Io(_) => {
            HttpFailure::NoAnswer(reason)
        }
        _ => HttpFailure::Answer(reason),
    }
}

fn is_disconnection(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(kind, BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let joined =
            chunk.iter().fold(0_usize, |joined, byte| joined << 8 | usize::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let digit = DIGITS.get(joined >> (18 - 6 * at) & 63).copied().filter(|_| at <= chunk.len());
            text.push(char::from(digit.unwrap_or(b'=')));
        }
    }
    text
}

/// Omits the address: it may contain credentials, and the caller knows it.
fn describe(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => "the request timed out".to_owned(),
        ureq::Error::HostNotFound => "the name of the server could not be resolved".to_owned(),
        ureq::Error::ConnectionFailed => "the server cannot be reached".to_owned(),
        ureq::Error::TooManyRedirects | ureq::Error::RequireHttpsOnly(_) => REDIRECT.to_owned(),
        ureq::Error::Io(error) => error.to_string(),
        other => symposium_model::config::redact(&other.to_string()).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    use super::*;

    /// A server on this machine that sends a head and then `count` bytes one by one.
    fn trickling(count: usize) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut line = String::new();
            let mut request = BufReader::new(stream.try_clone().unwrap());
            while request.read_line(&mut line).is_ok_and(|read| read > 2) {
                line.clear();
            }
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
            for _ in 0..count {
                if stream.write_all(b"x").is_err() {
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            // The connection stays open until the client leaves.
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        });
        format!("http://127.0.0.1:{port}/x")
    }

    #[test]
    fn credentials_are_encoded() {
        for (text, expected) in
            [("", ""), ("a", "YQ=="), ("a:", "YTo="), ("a:b", "YTpi"), ("user:p@ss", "dXNlcjpwQHNz")]
        {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn a_server_that_sends_byte_by_byte_is_left_behind() {
        let (whole, stall) = (Duration::from_secs(2), Duration::from_millis(800));
        for (count, expected) in [(usize::MAX, DownloadDelay::Slow), (3, DownloadDelay::Stalled)] {
            let answer = get(&trickling(count), whole, stall).unwrap();
            let HttpAnswer::Found(mut body) = answer else { panic!("it is there") };
            let mut read = Vec::new();
            body.read_to_end(&mut read).unwrap_err();
            assert_eq!(body.delay, Some(expected), "{count}");
            assert!(read.len() < 1000, "{}", read.len());
        }
    }
}
