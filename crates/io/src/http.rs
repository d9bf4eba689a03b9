//! HTTP client: only encrypted or to this machine, with time limits, and without redirects to an unencrypted address.

use std::io::{self, Read};
use std::time::Duration;

const CONNECT: Duration = Duration::from_secs(10);

pub(crate) enum HttpAnswer {
    Found(Body),
    Absent,
}

pub(crate) struct Body {
    inner: Box<dyn Read>,
    pub(crate) delay: Option<Delay>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delay {
    /// Data arrives, but not fast enough.
    Slow,
    Stalled,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer);
        if let Err(error) = &read {
            self.delay = delay(error);
        }
        read
    }
}

fn delay(error: &io::Error) -> Option<Delay> {
    match error.get_ref()?.downcast_ref::<ureq::Error>()? {
        ureq::Error::Timeout(ureq::Timeout::PerRead) => Some(Delay::Stalled),
        ureq::Error::Timeout(_) => Some(Delay::Slow),
        _ => None,
    }
}

/// Sends a GET request. `whole` limits everything including the reading of the body, `stall` each wait for a byte of
/// it.
///
/// Only `https` is used and redirected to; plain `http` is for tests with a server on this machine, and follows no
/// redirect.
pub(crate) fn get(url: &str, whole: Duration, stall: Duration) -> Result<HttpAnswer, String> {
    let is_plain = url.starts_with("http://");
    let config = ureq::Agent::config_builder()
        .https_only(!is_plain)
        .max_redirects(if is_plain { 0 } else { 3 })
        .max_redirects_will_error(true)
        .http_status_as_error(false)
        .timeout_connect(Some(CONNECT.min(whole)))
        .timeout_per_read(Some(stall))
        .timeout_global(Some(whole))
        .user_agent(concat!("symposium/", env!("CARGO_PKG_VERSION")))
        .build();
    let agent: ureq::Agent = config.into();
    let response = agent.get(url).call().map_err(|error| describe(&error))?;
    match response.status().as_u16() {
        200 => Ok(HttpAnswer::Found(Body { inner: Box::new(response.into_body().into_reader()), delay: None })),
        404 | 410 => Ok(HttpAnswer::Absent),
        300..=399 => Err("the server sent a redirect, which is not followed".to_owned()),
        status => Err(format!("the server answered with status {status}")),
    }
}

/// Omits the address: it may contain credentials, and the caller knows it.
fn describe(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => "the request timed out".to_owned(),
        ureq::Error::HostNotFound => "the name of the server could not be resolved".to_owned(),
        ureq::Error::ConnectionFailed => "the server cannot be reached".to_owned(),
        ureq::Error::TooManyRedirects | ureq::Error::RequireHttpsOnly(_) => {
            "the server sent a redirect, which is not followed".to_owned()
        }
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
    fn a_server_that_sends_byte_by_byte_is_left_behind() {
        let (whole, stall) = (Duration::from_secs(2), Duration::from_millis(800));
        for (count, expected) in [(usize::MAX, Delay::Slow), (3, Delay::Stalled)] {
            let answer = get(&trickling(count), whole, stall).unwrap();
            let HttpAnswer::Found(mut body) = answer else { panic!("it is there") };
            let mut read = Vec::new();
            body.read_to_end(&mut read).unwrap_err();
            assert_eq!(body.delay, Some(expected), "{count}");
            assert!(read.len() < 1000, "{}", read.len());
        }
    }
}
