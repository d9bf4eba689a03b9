//! A web server on this machine that serves a directory, counts requests, and misbehaves when told to.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Something that a server does wrong with one file.
#[derive(Debug, Clone)]
pub enum ServerFault {
    Status(u16),
    /// Sends other content, without an error.
    Instead(Vec<u8>),
    /// Sends the first half, with the length of that half.
    Torn,
    /// Announces more than it sends, and hangs up.
    CutOff,
    Endless,
    /// Sends one byte in each interval.
    Drip(Duration),
    /// Sends the head, and then nothing.
    Silent,
    Redirect(String),
}

#[derive(Debug, Default)]
struct ServerState {
    faults: Mutex<BTreeMap<String, ServerFault>>,
    /// Every request as its path and the status of the answer.
    requests: Mutex<Vec<(String, u16)>>,
    ignores_etags: AtomicBool,
    /// The head of the last request.
    head: Mutex<String>,
}

/// A server that lives as long as the test.
#[derive(Debug)]
pub struct WebServer {
    port: u16,
    state: Arc<ServerState>,
}

impl WebServer {
    /// Serves the files of a directory.
    pub fn serve(directory: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(ServerState::default());
        let (shared, directory) = (Arc::clone(&state), directory.to_owned());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (state, directory) = (Arc::clone(&shared), directory.clone());
                std::thread::spawn(move || converse(stream, &state, &directory));
            }
        });
        Self { port, state }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/i", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Makes the answer for a file wrong from now on.
    pub fn break_file(&self, path: &str, fault: ServerFault) {
        self.state.faults.lock().unwrap().insert(path.to_owned(), fault);
    }

    pub fn repair(&self) {
        self.state.faults.lock().unwrap().clear();
    }

    pub fn ignore_etags(&self) {
        self.state.ignores_etags.store(true, Ordering::Relaxed);
    }

    /// Returns the requests since the last call, sorted, each as its path and the status of the answer.
    pub fn take_requests(&self) -> Vec<(String, u16)> {
        let mut requests = std::mem::take(&mut *self.state.requests.lock().unwrap());
        requests.sort();
        requests
    }

    pub fn last_head(&self) -> String {
        self.state.head.lock().unwrap().clone()
    }
}

fn converse(mut stream: TcpStream, state: &ServerState, directory: &Path) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut head = String::new();
        loop {
            let mut line = String::new();
            match reader.read_line(&mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) if line.trim().is_empty() => break,
                Ok(_) => head.push_str(&line),
            }
        }
        let path = head.split(' ').nth(1).unwrap_or_default().trim_start_matches("/i/").to_owned();
        state.head.lock().unwrap().clone_from(&head);
        if !answer(&mut stream, state, directory, &path, &head) {
            return;
        }
    }
}

/// Answers one request; returns false if the connection ends.
fn answer(stream: &mut TcpStream, state: &ServerState, directory: &Path, path: &str, head: &str) -> bool {
    let note = |status: u16| state.requests.lock().unwrap().push((path.to_owned(), status));
    let file: PathBuf = directory.join(path);
    let content = std::fs::read(file).ok();
    let mut send = |status: u16, headers: &str, body: &[u8]| {
        note(status);
        let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
        stream.write_all(&[head.as_bytes(), body].concat()).is_ok()
    };
    let fault = state.faults.lock().unwrap().get(path).cloned();
    let content = match (fault, content) {
        (Some(ServerFault::Status(status)), _) => return send(status, "", b"broken"),
        (Some(ServerFault::Redirect(to)), _) => return send(302, &format!("Location: {to}\r\n"), b""),
        (Some(ServerFault::Instead(bytes)), _) => bytes,
        (Some(ServerFault::Torn), Some(content)) => content.iter().take(content.len() / 2).copied().collect(),
        (Some(fault), content) => {
            note(200);
            let content = content.unwrap_or_default();
            let _ = stream.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 100000000\r\n\r\n");
            match fault {
                ServerFault::Endless => while stream.write_all(&[b'x'; 4096]).is_ok() {},
                ServerFault::Drip(pause) => {
                    while stream.write_all(b"x").is_ok() {
                        std::thread::sleep(pause);
                    }
                }
                ServerFault::Silent => std::thread::sleep(Duration::from_mins(2)),
                ServerFault::CutOff => _ = stream.write_all(&content),
                ServerFault::Status(_) | ServerFault::Instead(_) | ServerFault::Torn | ServerFault::Redirect(_) => {}
            }
            return false;
        }
        (None, Some(content)) => content,
        (None, None) => return send(404, "", b"absent"),
    };
    let etag = format!(
        "\"{:x}-{:x}\"",
        content.len(),
        content.iter().fold(7_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(*byte))
    );
    let is_known = head.lines().any(|line| {
        line.split_once(':')
            .is_some_and(|(key, value)| key.eq_ignore_ascii_case("if-none-match") && value.trim() == etag)
    });
    if state.ignores_etags.load(Ordering::Relaxed) {
        return send(200, "", &content);
    }
    if is_known {
        return send(304, &format!("ETag: {etag}\r\n"), b"");
    }
    send(200, &format!("ETag: {etag}\r\n"), &content)
}
