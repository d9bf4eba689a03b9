//! The server: reads messages from one pipe and writes answers to the other until its client disconnects.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use symposium_model::guidance_provider::GuidanceProvider;

use crate::incoming::{self, CancelledRequests, IncomingLine, WAITING};
use crate::rpc::{self, RequestError, RpcMessage, response};
use crate::{roots, tools};

/// The supported versions of the protocol, newest last. The parts that Symposium uses are the same in all of them.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The id of the only request to the client: its working directories.
const ROOTS: &str = "symposium-roots";

const PATIENCE: Duration = Duration::from_secs(1);

/// Serves until `input` ends or `output` is closed; both are regular ends.
pub fn serve(
    guidance: &dyn GuidanceProvider,
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> io::Result<()> {
    let cancelled = CancelledRequests::default();
    let lines = incoming::lines(input, cancelled.clone())?;
    let mut session =
        ClientSession { guidance, cancelled, lines, ahead: VecDeque::new(), offers_roots: false, awaiting_roots: None };
    while let Some(incoming) = session.next() {
        let Some(answer) = session.answer(incoming?) else { continue };
        match write(&mut output, &answer) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn write(output: &mut impl Write, answer: &Value) -> io::Result<()> {
    // JSON without indentation contains no line break.
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// The state of the client. Requests do not depend on it: they may come in any order, also before `initialize`.
struct ClientSession<'g> {
    guidance: &'g dyn GuidanceProvider,
    cancelled: CancelledRequests,
    lines: Receiver<io::Result<IncomingLine>>,
    ahead: VecDeque<io::Result<IncomingLine>>,
    offers_roots: bool,
    awaiting_roots: Option<Instant>,
}

impl ClientSession<'_> {
    fn next(&mut self) -> Option<io::Result<IncomingLine>> {
        self.ahead.pop_front().or_else(|| self.lines.recv().ok())
    }

    /// Returns the answer to a line, if it needs one, or a request to the client that follows from it.
    fn answer(&mut self, incoming: IncomingLine) -> Option<Value> {
        match incoming {
            IncomingLine::Blank => None,
            IncomingLine::Refused(refusal) => Some(response(&Value::Null, Err(refusal))),
            IncomingLine::One(message) => self.answer_one(message),
            IncomingLine::Batch(batch) => {
                let answers: Vec<Value> = batch.into_iter().filter_map(|message| self.answer_one(message)).collect();
                (!answers.is_empty()).then_some(Value::Array(answers))
            }
        }
    }

    fn answer_one(&mut self, message: RpcMessage) -> Option<Value> {
        self.cancelled.forget(&message);
        match message {
            RpcMessage::Bad { id, refusal } => Some(response(&id, Err(refusal))),
            RpcMessage::Response { id, result } => {
                if id == ROOTS {
                    self.learn_roots(result.as_ref());
                }
                None
            }
            RpcMessage::Notification { method, .. } => match method.as_str() {
                "notifications/initialized" | "notifications/roots/list_changed" if self.offers_roots => {
                    self.awaiting_roots = Some(Instant::now() + PATIENCE);
                    Some(rpc::request(ROOTS, "roots/list"))
                }
                _ => None,
            },
            RpcMessage::Request { id, method, params } => {
                if method == "tools/call" {
                    self.settle_roots();
                }
                if !self.cancelled.wants(&id) {
                    return None;
                }
                let result = self.result(&id, &method, &params);
                self.cancelled.wants(&id).then(|| response(&id, result))
            }
        }
    }

    fn learn_roots(&mut self, result: Option<&Value>) {
        self.awaiting_roots = None;
        if let Some(result) = result {
            self.guidance.work_in(&roots::paths(result));
        }
    }

    /// Waits until the client has named its directories, since a tool depends on them. Other lines keep their order.
    fn settle_roots(&mut self) {
        while let Some(until) = self.awaiting_roots {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(Ok(IncomingLine::One(RpcMessage::Response { id, result }))) if id == ROOTS => {
                    self.learn_roots(result.as_ref());
                }
                Ok(other) => {
                    self.ahead.push_back(other);
                    if self.ahead.len() >= WAITING {
                        self.awaiting_roots = None;
                    }
                }
                Err(_) => self.awaiting_roots = None,
            }
        }
    }

    fn result(&mut self, id: &Value, method: &str, params: &Map<String, Value>) -> Result<Value, RequestError> {
        match method {
            "initialize" => {
                self.offers_roots = params.get("capabilities").is_some_and(|offered| offered.get("roots").is_some());
                Ok(initialize(self.guidance, params))
            }
            "ping" => Ok(json!({})),
            "tools/list" => Ok(tools::list()),
            "tools/call" => tools::call(self.guidance, params, &|| self.cancelled.wants(id)),
            _ => Err(RequestError::method(method)),
        }
    }
}

/// Answers every client, whatever it says about itself; it may disconnect when it does not support the version.
fn initialize(guidance: &dyn GuidanceProvider, params: &Map<String, Value>) -> Value {
    let wanted = params.get("protocolVersion").and_then(Value::as_str);
    let spoken = VERSIONS.iter().rev().find(|version| Some(**version) == wanted).or(VERSIONS.last());
    let client = params.get("clientInfo").and_then(|client| client.get("name")).and_then(Value::as_str);
    json!({
        "protocolVersion": spoken,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "symposium", "title": "Symposium", "version": env!("CARGO_PKG_VERSION") },
        "instructions": guidance.instructions(client.unwrap_or_default()),
    })
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
