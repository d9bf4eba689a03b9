//! The server: takes messages from one pipe and puts answers into the other until its client is gone.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use symposium_model::guidance::GuidanceProvider;

use crate::incoming::{self, CancelledRequests, IncomingLine, WAITING};
use crate::rpc::{self, RequestError, RpcMessage, response};
use crate::{roots, tools};

/// The versions of the protocol we speak, newest last. They do not differ in what we use of them.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The id of our only question: which directories the client works in.
const ROOTS: &str = "symposium-roots";

/// How long a tool waits for the answer to it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Answers until `input` ends or nobody reads `output` any more; both are good ends.
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
    // JSON without indentation has no line break in it.
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// What is known of the client. Questions do not depend on it: they may come in any order, also before `initialize`.
struct ClientSession<'g> {
    guidance: &'g dyn GuidanceProvider,
    cancelled: CancelledRequests,
    lines: Receiver<io::Result<IncomingLine>>,
    /// Lines taken while another one was waited for.
    ahead: VecDeque<io::Result<IncomingLine>>,
    /// Whether the client can be asked which directories it works in.
    offers_roots: bool,
    /// Until when its answer is waited for.
    awaiting_roots: Option<Instant>,
}

impl ClientSession<'_> {
    fn next(&mut self) -> Option<io::Result<IncomingLine>> {
        self.ahead.pop_front().or_else(|| self.lines.recv().ok())
    }

    /// The answer to a line, if it wants one, or a question of ours that it leads to.
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

    /// A tool is about a directory, so it waits until the client has said which. Other lines keep their order.
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

/// Whatever the client says of itself, it gets an answer; it may leave when it does not like our version.
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
