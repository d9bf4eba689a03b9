//! The server: answers main requests from the script, others with something harmless, and writes every request down.
//!
//! A request that offers tools is a main request. Agents also ask for titles, summaries and routing; those offer none.

#![expect(clippy::disallowed_methods, reason = "records of a test run are written as they come")]

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::{Shown, Turn, Wish, shown, stream, whole, wish};
use crate::http::{self, Request, Response};

/// What the model says when the script is over.
const LAST_WORDS: &str = "All done.";

/// What a side request gets: short, and also valid where JSON is asked for.
const SIDE_ANSWER: &str = r#"{"title": "Scripted"}"#;

pub(crate) struct ModelServer {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    script: Vec<Turn>,
    folder: PathBuf,
    stopped: AtomicBool,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    requests: usize,
    main: Vec<Shown>,
}

impl ModelServer {
    /// Starts on a free port of loopback. Requests are written into `folder`.
    pub(crate) fn start(script: Vec<Turn>, folder: PathBuf) -> std::io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let state =
            Arc::new(State { script, folder, stopped: AtomicBool::new(false), seen: Mutex::new(Seen::default()) });
        let accepting = Arc::clone(&state);
        std::thread::spawn(move || accept(&listener, &accepting));
        Ok(Self { address, state })
    }

    /// Where it listens: `http://127.0.0.1:PORT`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What the main requests showed so far.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        self.state.seen.lock().unwrap_or_else(PoisonError::into_inner).main.clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.state.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
    }
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    for stream in listener.incoming().flatten() {
        if state.stopped.load(Ordering::SeqCst) {
            return;
        }
        let state = Arc::clone(state);
        std::thread::spawn(move || {
            // A client that went away needs no answer.
            if let Ok(Some(request)) = http::read(&stream) {
                let response = state.answer(&request);
                drop(http::answer(&stream, &response));
            }
        });
    }
}

impl State {
    fn answer(&self, request: &Request) -> Response {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let wish = wish(&request.path, &body);
        let api = match wish {
            Wish::Whole(api) | Wish::Stream(api) => api,
            Wish::Count => {
                self.record("count", request, &body);
                return Response::json(&json!({"input_tokens": 10, "totalTokens": 10}));
            }
            Wish::Models => {
                self.record("models", request, &body);
                return Response::json(&json!({
                    "object": "list", "data": [{"id": "scripted", "object": "model", "owned_by": "nobody"}],
                }));
            }
            Wish::Unknown => {
                self.record("unknown", request, &body);
                return Response::not_found();
            }
        };
        let shown = shown(api, &body);
        let is_main = !shown.tools.is_empty();
        let number = self.record(if is_main { "main" } else { "side" }, request, &body);
        let turn = if is_main { self.next_turn(shown) } else { Turn::Say(SIDE_ANSWER.to_owned()) };
        if wish == Wish::Stream(api) { stream(api, &turn, number) } else { whole(api, &turn, number) }
    }

    fn next_turn(&self, shown: Shown) -> Turn {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = self.script.get(seen.main.len()).cloned();
        seen.main.push(shown);
        turn.unwrap_or_else(|| Turn::Say(LAST_WORDS.to_owned()))
    }

    /// Writes a request down and returns its number.
    fn record(&self, kind: &str, request: &Request, body: &Value) -> usize {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.requests += 1;
        let number = seen.requests;
        drop(seen);
        let text = if body.is_null() {
            String::from_utf8_lossy(&request.body).into_owned()
        } else {
            serde_json::to_string_pretty(body).unwrap_or_default()
        };
        let text = format!("// {} {}\n{text}\n", request.method, request.path);
        // Without the record the scenario still says what it saw.
        drop(fs::write(self.folder.join(format!("{number:03}-{kind}.json")), text));
        number
    }
}
