//! The one place that speaks HTTP: encrypted or to this machine, within a time limit, never to somewhere weaker.

use std::io::Read;
use std::time::Duration;

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(10);

/// What a server answered.
pub(crate) enum Answer {
    /// The body, to be read within the time limit.
    Found(Box<dyn Read>),
    /// There is no such thing.
    Absent,
}

/// Asks for an address; `whole` bounds everything including the reading of the body.
///
/// Only `https` is spoken, and redirected to; plain `http` is for tests with a server on this machine, and follows no
/// redirect.
pub(crate) fn get(url: &str, whole: Duration) -> Result<Answer, String> {
    let is_plain = url.starts_with("http://");
    let config = ureq::Agent::config_builder()
        .https_only(!is_plain)
        .max_redirects(if is_plain { 0 } else { 3 })
        .max_redirects_will_error(true)
        .http_status_as_error(false)
        .timeout_connect(Some(CONNECT.min(whole)))
        .timeout_global(Some(whole))
        .user_agent(concat!("symposium/", env!("CARGO_PKG_VERSION")))
        .build();
    let agent: ureq::Agent = config.into();
    let response = agent.get(url).call().map_err(|error| describe(&error))?;
    match response.status().as_u16() {
        200 => Ok(Answer::Found(Box::new(response.into_body().into_reader()))),
        404 | 410 => Ok(Answer::Absent),
        300..=399 => Err("the server sends us elsewhere, which is not followed".to_owned()),
        status => Err(format!("the server answered with status {status}")),
    }
}

/// Without the address: it may hold credentials, and whoever asked knows it.
fn describe(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => "no answer in time".to_owned(),
        ureq::Error::HostNotFound => "the server's name is not known".to_owned(),
        ureq::Error::ConnectionFailed => "the server cannot be reached".to_owned(),
        ureq::Error::TooManyRedirects | ureq::Error::RequireHttpsOnly(_) => {
            "the server sends us elsewhere, which is not followed".to_owned()
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

    /// A server on this machine that sends a head and then one byte after the other, for ever.
    fn trickling() -> String {
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
            while stream.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        format!("http://127.0.0.1:{port}/x")
    }

    #[test]
    fn a_server_that_sends_byte_by_byte_is_left_behind() {
        let Answer::Found(mut body) = get(&trickling(), Duration::from_secs(2)).unwrap() else { panic!("it is there") };
        let mut read = Vec::new();
        let error = body.read_to_end(&mut read).unwrap_err();
        assert!(error.to_string().contains("timeout"), "{error}");
        assert!(read.len() < 1000, "{}", read.len());
    }
}
