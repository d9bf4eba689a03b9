//! The parsing of a client's lines on the reading thread, so that a cancellation overtakes waiting requests.

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::Value;

use crate::frame::{self, InputFrame, MAX_LINE};
use crate::rpc::{RequestError, RpcMessage};

/// The largest batch in one line: all its answers are held until the last one is there.
const MAX_BATCH: usize = 100;

/// The number of lines that are read before their answers are written: a client that sends all its requests before it
/// reads anything must not cause a deadlock.
pub(crate) const WAITING: usize = 1024;

/// The number of cancellations that are remembered; requests of further ones are answered.
const MAX_CANCELLED: usize = 4096;

#[derive(Debug, PartialEq)]
pub(crate) enum IncomingLine {
    Blank,
    Refused(RequestError),
    One(RpcMessage),
    /// Several messages, whose answers belong together.
    Batch(Vec<RpcMessage>),
}

impl IncomingLine {
    fn read(frame: InputFrame) -> Self {
        let line = match frame {
            InputFrame::Line(line) => line,
            InputFrame::TooLong => {
                let limit = MAX_LINE / (1024 * 1024);
                return Self::Refused(RequestError::invalid(format!("A message has at most {limit} MiB")));
            }
        };
        let text = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line);
        if text.iter().all(u8::is_ascii_whitespace) {
            return Self::Blank;
        }
        match serde_json::from_slice(text) {
            Err(error) => Self::Refused(RequestError::parse(format!("This line is not JSON: {error}"))),
            Ok(Value::Array(batch)) if batch.is_empty() => {
                Self::Refused(RequestError::invalid("A batch has at least one message"))
            }
            Ok(Value::Array(batch)) if batch.len() > MAX_BATCH => {
                Self::Refused(RequestError::invalid(format!("A batch has at most {MAX_BATCH} messages")))
            }
            Ok(Value::Array(batch)) => Self::Batch(batch.into_iter().map(RpcMessage::read).collect()),
            Ok(value) => Self::One(RpcMessage::read(value)),
        }
    }

    fn messages(&self) -> &[RpcMessage] {
        match self {
            Self::Blank | Self::Refused(_) => &[],
            Self::One(message) => std::slice::from_ref(message),
            Self::Batch(messages) => messages,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct CancelledRequests(Arc<Mutex<HashSet<String>>>);

impl CancelledRequests {
    fn set(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, message: &RpcMessage) {
        if let Some(id) = cancelled_by(message) {
            let mut set = self.set();
            if set.len() < MAX_CANCELLED {
                set.insert(id);
            }
        }
    }

    pub(crate) fn wants(&self, id: &Value) -> bool {
        let set = self.set();
        set.is_empty() || !set.contains(&id.to_string())
    }

    /// Removes a cancellation when its message is reached: its request is answered or skipped by then, and the id may
    /// be used again.
    pub(crate) fn forget(&self, message: &RpcMessage) {
        if let Some(id) = cancelled_by(message) {
            self.set().remove(&id);
        }
    }
}

fn cancelled_by(message: &RpcMessage) -> Option<String> {
    match message {
        RpcMessage::Notification { method, params } if method == "notifications/cancelled" => {
            params.get("requestId").map(Value::to_string)
        }
        RpcMessage::Notification { .. }
        | RpcMessage::Request { .. }
        | RpcMessage::Response { .. }
        | RpcMessage::Bad { .. } => None,
    }
}

/// Reads on a thread of its own. The thread is never joined: it may be blocked on a pipe that stays open.
pub(crate) fn lines(
    mut input: impl BufRead + Send + 'static,
    cancelled: CancelledRequests,
) -> io::Result<Receiver<io::Result<IncomingLine>>> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::Builder::new().name("mcp-input".to_owned()).spawn(move || {
        loop {
            let Some(frame) = frame::next(&mut input, MAX_LINE).transpose() else { return };
            let incoming = frame.map(IncomingLine::read);
            let failed = incoming.is_err();
            for message in incoming.iter().flat_map(IncomingLine::messages) {
                cancelled.note(message);
            }
            if sender.send(incoming).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(receiver)
}
