//! The messages that a client and its engine send to each other.

use axum::extract::ws::{Message, Utf8Bytes};
use tokio::sync::mpsc;

/// A message to the engine.
pub(super) enum Inbound {
    Text(Utf8Bytes),
    /// A binary message, which is an error.
    Binary,
}

/// The side of the engine: it reads messages, and is woken for them.
pub(super) struct Line {
    pub(super) inbox: mpsc::Receiver<Inbound>,
    pub(super) outbox: mpsc::Sender<Message>,
}
