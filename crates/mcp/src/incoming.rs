//! What a line of the client is, told on the thread that reads, so that a cancellation overtakes what waits.

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::Value;

use crate::frame::{self, Frame, MAX_LINE};
use crate::rpc::{Message, Refusal};

/// More messages in one line are refused: all their answers are held until the last is there.
const MAX_BATCH: usize = 100;

/// As many lines are taken before their answers were written: a client that asks everything before it reads anything
/// must not make both sides wait for each other.
pub(crate) const WAITING: usize = 1024;

/// More cancellations are not remembered; what they are about is answered.
const MAX_CANCELLED: usize = 4096;

/// What a line is.
#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    /// Nothing.
    Blank,
    /// Nothing that can be understood.
    Refused(Refusal),
    /// One message.
    One(Message),
    /// Several, whose answers belong together.
    Batch(Vec<Message>),
}

impl Incoming {
    fn read(frame: Frame) -> Self {
        let line = match frame {
            Frame::Line(line) => line,
            Frame::TooLong => {
                let limit = MAX_LINE / (1024 * 1024);
                return Self::Refused(Refusal::invalid(format!("A message has at most {limit} MiB")));
            }
        };
        let text = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line);
        if text.iter().all(u8::is_ascii_whitespace) {
            return Self::Blank;
        }
        match serde_json::from_slice(text) {
            Err(error) => Self::Refused(Refusal::parse(format!("This line is not JSON: {error}"))),
            Ok(Value::Array(batch)) if batch.is_empty() => {
                Self::Refused(Refusal::invalid("A batch has at least one message"))
            }
            Ok(Value::Array(batch)) if batch.len() > MAX_BATCH => {
                Self::Refused(Refusal::invalid(format!("A batch has at most {MAX_BATCH} messages")))
            }
            Ok(Value::Array(batch)) => Self::Batch(batch.into_iter().map(Message::read).collect()),
            Ok(value) => Self::One(Message::read(value)),
        }
    }

    fn messages(&self) -> &[Message] {
        match self {
            Self::Blank | Self::Refused(_) => &[],
            Self::One(message) => std::slice::from_ref(message),
            Self::Batch(messages) => messages,
        }
    }
}

/// Requests the client does not want to be answered any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cancelled(Arc<Mutex<HashSet<String>>>);

impl Cancelled {
    fn set(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, message: &Message) {
        if let Some(id) = cancelled_by(message) {
            let mut set = self.set();
            if set.len() < MAX_CANCELLED {
                set.insert(id);
            }
        }
    }

    /// Whether a request is wanted.
    pub(crate) fn wants(&self, id: &Value) -> bool {
        let set = self.set();
        set.is_empty() || !set.contains(&id.to_string())
    }

    /// What a cancellation was about is answered or skipped by the time it is reached: an id may be used again.
    pub(crate) fn settle(&self, message: &Message) {
        if let Some(id) = cancelled_by(message) {
            self.set().remove(&id);
        }
    }
}

fn cancelled_by(message: &Message) -> Option<String> {
    match message {
        Message::Notification { method, params } if method == "notifications/cancelled" => {
            params.get("requestId").map(Value::to_string)
        }
        Message::Notification { .. } | Message::Request { .. } | Message::Response { .. } | Message::Bad { .. } => None,
    }
}

/// Reads on a thread of its own. It is never waited for: it may be stuck in a pipe that stays open.
pub(crate) fn lines(
    mut input: impl BufRead + Send + 'static,
    cancelled: Cancelled,
) -> io::Result<Receiver<io::Result<Incoming>>> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::Builder::new().name("mcp-input".to_owned()).spawn(move || {
        loop {
            let Some(frame) = frame::next(&mut input, MAX_LINE).transpose() else { return };
            let incoming = frame.map(Incoming::read);
            let failed = incoming.is_err();
            for message in incoming.iter().flat_map(Incoming::messages) {
                cancelled.note(message);
            }
            if sender.send(incoming).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(receiver)
}
