//! The server: takes messages from one pipe and puts answers into the other until its client is gone.

use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use serde_json::{Map, Value, json};
use symposium_model::guidance::Guidance;

use crate::frame::{self, Frame, MAX_LINE};
use crate::rpc::{Message, Refusal, response};
use crate::tools;

/// The versions of the protocol we speak, newest last. They do not differ in what we use of them.
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// More messages in one line are refused: all their answers are held until the last is there.
const MAX_BATCH: usize = 100;

/// As many lines are taken before their answers were written: a client that asks everything before it reads anything
/// must not make both sides wait for each other.
const WAITING: usize = 1024;

/// Answers until `input` ends or nobody reads `output` any more; both are good ends.
pub fn serve(guidance: &dyn Guidance, input: impl BufRead + Send + 'static, mut output: impl Write) -> io::Result<()> {
    for frame in frames(input)? {
        let Some(answer) = answer(guidance, frame?) else { continue };
        match write(&mut output, &answer) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads on a thread of its own. It is never waited for: it may be stuck in a pipe that stays open.
fn frames(mut input: impl BufRead + Send + 'static) -> io::Result<Receiver<io::Result<Frame>>> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::Builder::new().name("mcp-input".to_owned()).spawn(move || {
        loop {
            let Some(frame) = frame::next(&mut input, MAX_LINE).transpose() else { return };
            let failed = frame.is_err();
            if sender.send(frame).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(receiver)
}

fn write(output: &mut impl Write, answer: &Value) -> io::Result<()> {
    // JSON without indentation has no line break in it.
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// The answer to a line, if it wants one.
fn answer(guidance: &dyn Guidance, frame: Frame) -> Option<Value> {
    let refuse = |refusal| Some(response(&Value::Null, Err(refusal)));
    let line = match frame {
        Frame::Line(line) => line,
        Frame::TooLong => {
            return refuse(Refusal::invalid(format!("A message has at most {} MiB", MAX_LINE / (1024 * 1024))));
        }
    };
    let text = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line);
    if text.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    match serde_json::from_slice(text) {
        Err(error) => refuse(Refusal::parse(format!("This line is not JSON: {error}"))),
        Ok(Value::Array(batch)) if batch.is_empty() => refuse(Refusal::invalid("A batch has at least one message")),
        Ok(Value::Array(batch)) if batch.len() > MAX_BATCH => {
            refuse(Refusal::invalid(format!("A batch has at most {MAX_BATCH} messages")))
        }
        Ok(Value::Array(batch)) => {
            let answers: Vec<Value> = batch.into_iter().filter_map(|value| answer_one(guidance, value)).collect();
            (!answers.is_empty()).then_some(Value::Array(answers))
        }
        Ok(value) => answer_one(guidance, value),
    }
}

fn answer_one(guidance: &dyn Guidance, value: Value) -> Option<Value> {
    match Message::read(value) {
        Message::Silent => None,
        Message::Bad { id, refusal } => Some(response(&id, Err(refusal))),
        Message::Request { id, method, params } => Some(response(&id, result(guidance, &method, &params))),
    }
}

fn result(guidance: &dyn Guidance, method: &str, params: &Map<String, Value>) -> Result<Value, Refusal> {
    match method {
        "initialize" => Ok(initialize(guidance, params)),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(tools::list()),
        "tools/call" => tools::call(guidance, params),
        _ => Err(Refusal::method(method)),
    }
}

/// Whatever the client says of itself, it gets an answer; it may leave when it does not like our version.
fn initialize(guidance: &dyn Guidance, params: &Map<String, Value>) -> Value {
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
