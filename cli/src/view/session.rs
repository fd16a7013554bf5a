//! A client: its socket on the server's thread, and its engine on a thread of its own.

use std::{thread, time::Duration};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use tokio::{select, sync::mpsc, time};

use super::{
    engine::{Engine, Start},
    line::{Inbound, Line},
    protocol,
};

/// The codes of RFC 6455 with which a connection is closed.
const TOO_LARGE: u16 = 1009;
const BROKEN: u16 = 1011;
pub(super) const TRY_AGAIN: u16 = 1013;

/// The messages that wait for the engine, and the messages that wait for the socket. When one list
/// is full, the other side waits, so neither grows.
const WAITING: usize = 32;

/// How long a client may take to close a connection, too.
const CLOSING: Duration = Duration::from_secs(1);

/// Runs a client until its socket is closed. Its engine ends then, within a step.
pub(super) async fn run(mut socket: WebSocket, start: Start) {
    let (to_engine, inbox) = mpsc::channel(WAITING);
    let (outbox, mut from_engine) = mpsc::channel(WAITING);
    let line = Line { inbox, outbox };
    let engine = thread::Builder::new().name("client".to_owned());
    let Ok(engine) = engine.spawn(move || Engine::run(line, start)) else {
        return close(socket, TRY_AGAIN, "no thread can be started").await;
    };
    let engine = engine.thread().clone();
    let mut waiting = None;
    let end = loop {
        select! {
            room = to_engine.reserve(), if waiting.is_some() => match (room, waiting.take()) {
                (Ok(room), Some(message)) => {
                    room.send(message);
                    engine.unpark();
                }
                _ => break Some((BROKEN, "the engine has ended")),
            },
            message = socket.recv(), if waiting.is_none() => match message {
                Some(Ok(Message::Text(text))) if text.len() > protocol::MOST_BYTES => {
                    break Some((TOO_LARGE, "a message has at most 4096 bytes"));
                }
                Some(Ok(Message::Text(text))) => waiting = Some(Inbound::Text(text)),
                Some(Ok(Message::Binary(_))) => waiting = Some(Inbound::Binary),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => break None,
            },
            answer = from_engine.recv() => match answer {
                Some(answer) => if socket.send(answer).await.is_err() {
                    break None;
                },
                None => break Some((BROKEN, "the engine has ended")),
            },
        }
    };
    drop((to_engine, from_engine));
    engine.unpark();
    if let Some((code, reason)) = end {
        close(socket, code, reason).await;
    }
}

/// Closes a connection, and waits until the client has read why.
pub(super) async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    if socket.send(Message::Close(Some(frame))).await.is_ok() {
        let rest = async { while let Some(Ok(_)) = socket.recv().await {} };
        // If the client does not answer, the connection ends without it.
        let _ = time::timeout(CLOSING, rest).await;
    }
}
