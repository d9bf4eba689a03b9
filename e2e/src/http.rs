//! As much of HTTP/1.1 as an agent's client needs: one request on a connection, one answer, and the connection ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// More than any agent sends; a request above it is cut off.
const LARGEST_BODY: u64 = 64 * 1024 * 1024;

/// How long a client may stay silent in the middle of a request.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a client asked for.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
}

pub(crate) struct Response {
    pub(crate) status: &'static str,
    pub(crate) content_type: &'static str,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(body: &serde_json::Value) -> Self {
        Self { status: "200 OK", content_type: "application/json", body: body.to_string() }
    }

    /// A stream of events that is complete already.
    pub(crate) fn events(body: String) -> Self {
        Self { status: "200 OK", content_type: "text/event-stream", body }
    }

    /// For everything the scripted model does not know.
    pub(crate) fn not_found() -> Self {
        let body = r#"{"error":{"type":"not_found_error","message":"The scripted model does not know this path"}}"#;
        Self { status: "404 Not Found", content_type: "application/json", body: body.to_owned() }
    }
}

/// Reads the request of a connection; none when the client went away before it sent one.
pub(crate) fn read(stream: &TcpStream) -> std::io::Result<Option<Request>> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let path = words.next().unwrap_or_default().to_owned();
    let mut length = 0;
    let mut chunked = false;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 {
            return Ok(None);
        }
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().unwrap_or(0);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            chunked = value.eq_ignore_ascii_case("chunked");
        } else if name.eq_ignore_ascii_case("expect") {
            let mut stream = stream;
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
    }
    let mut body = Vec::new();
    if chunked {
        read_chunks(&mut reader, &mut body)?;
    } else {
        reader.take(LARGEST_BODY.min(length)).read_to_end(&mut body)?;
    }
    Ok(Some(Request { method, path, body }))
}

fn read_chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> std::io::Result<()> {
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let digits = line.trim_end().split(';').next().unwrap_or_default();
        let size = u64::from_str_radix(digits, 16).unwrap_or(0);
        if size == 0 || body.len() as u64 > LARGEST_BODY {
            return Ok(());
        }
        reader.take(size).read_to_end(body)?;
        reader.read_line(&mut line)?;
    }
}

/// Sends the answer and ends the connection.
pub(crate) fn answer(mut stream: &TcpStream, response: &Response) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        response.status,
        response.content_type,
        response.body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(response.body.as_bytes())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn exchange(sent: &str) -> Option<(String, String, String)> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.write_all(sent.as_bytes()).unwrap();
        client.shutdown(std::net::Shutdown::Write).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let request = read(&stream).unwrap()?;
        Some((request.method, request.path, String::from_utf8(request.body).unwrap()))
    }

    #[test]
    fn requests_are_read_whole() {
        let post = |body: &str| Some(("POST".to_owned(), "/v1/x?beta=true".to_owned(), body.to_owned()));
        for (sent, expected) in [
            ("POST /v1/x?beta=true HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", post("hello")),
            ("POST /v1/x?beta=true HTTP/1.1\r\ncontent-length: 2\r\n\r\nhello", post("he")),
            (
                "POST /v1/x?beta=true HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n",
                post("hello"),
            ),
            ("", None),
        ] {
            assert_eq!(exchange(sent), expected, "{sent:?}");
        }
    }
}
