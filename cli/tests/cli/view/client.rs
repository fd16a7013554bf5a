//! A server that a test starts, and a client that speaks the protocol.

use std::{
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

use serde_json::{Value, json};
use tungstenite::{
    Error, HandshakeError, Message, WebSocket,
    client::IntoClientRequest,
    http::{Request, header::ORIGIN},
};

use crate::prompt::{PATIENCE, command};

/// A `widephase view` that ends with the test.
pub(crate) struct Server {
    pub(crate) child: Child,
    /// `127.0.0.1:PORT`.
    pub(crate) host: String,
    pub(crate) token: String,
}

impl Server {
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::start_at(&[&["--port", "0"], args].concat())
    }

    /// Without a port of its own.
    pub(crate) fn start_at(args: &[&str]) -> Self {
        let mut command = command(&[&["view", "--no-open"], args].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("{line:?}"));
        let (host, token) = rest.split_once("/?token=").unwrap();
        Self { child, host: host.to_owned(), token: token.to_owned() }
    }

    /// The status and the whole response of a request with these lines behind the first line.
    pub(crate) fn get(&self, path: &str, lines: &[&str]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        write!(stream, "GET {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        (response[9..12].parse().unwrap(), response)
    }

    pub(crate) fn client(&self) -> Client {
        self.connect(|_| {}).unwrap()
    }

    /// A client whose request is changed, or the status of the refusal.
    pub(crate) fn connect(&self, change: impl FnOnce(&mut Request<()>)) -> Result<Client, u16> {
        let url = format!("ws://{}/ws?token={}", self.host, self.token);
        let mut request = url.into_client_request().unwrap();
        let origin = format!("http://{}", self.host).parse().unwrap();
        request.headers_mut().insert(ORIGIN, origin);
        change(&mut request);
        loop {
            let stream = TcpStream::connect(&self.host).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            match tungstenite::client(request.clone(), stream) {
                Ok((socket, _)) => return Ok(Client { socket, acks: true, last: None }),
                Err(HandshakeError::Failure(Error::Http(response))) => {
                    return Err(response.status().as_u16());
                }
                // Of a socket with a timeout, when the system has stopped the process for a while.
                Err(HandshakeError::Failure(Error::Io(error)))
                    if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The threads of the process.
    pub(crate) fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap().count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The messages that a client receives.
#[derive(Debug, Clone)]
pub(crate) enum Received {
    Answer(Value),
    Frame(Frame),
    /// The code of the close.
    Closed(u16),
}

pub(crate) struct Client {
    socket: WebSocket<TcpStream>,
    /// Whether each frame is acknowledged at once.
    pub(crate) acks: bool,
    /// The last frame since the last [`begin`](Client::begin).
    last: Option<Frame>,
}

impl Client {
    pub(crate) fn text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    pub(crate) fn binary(&mut self, bytes: Vec<u8>) {
        self.socket.send(Message::binary(bytes)).unwrap();
    }

    /// Sends a message of a type with these fields.
    pub(crate) fn send(&mut self, kind: &str, mut fields: Value) {
        fields["type"] = kind.into();
        self.text(&fields.to_string());
    }

    pub(crate) fn next(&mut self) -> Received {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    return Received::Answer(serde_json::from_str(&text).unwrap());
                }
                Ok(Message::Binary(bytes)) => {
                    let frame = Frame::read(&bytes);
                    if self.acks {
                        self.send("ack", json!({ "frame": frame.number }));
                    }
                    self.last = Some(frame.clone());
                    return Received::Frame(frame);
                }
                Ok(Message::Close(frame)) => return Received::Closed(frame.unwrap().code.into()),
                Ok(_) => {}
                // Of a socket with a timeout, when the system has stopped the process for a while.
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The next answer of a type.
    pub(crate) fn answer(&mut self, kind: &str) -> Value {
        self.answer_where(kind, |_| true)
    }

    pub(crate) fn answer_where(&mut self, kind: &str, accept: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.next() {
                Received::Answer(answer) if answer["type"] == kind && accept(&answer) => {
                    return answer;
                }
                Received::Answer(answer) if answer["type"] == "error" => panic!("{answer}"),
                Received::Closed(code) => panic!("closed: {code}"),
                _ => {}
            }
        }
    }

    /// The next error.
    pub(crate) fn error(&mut self) -> String {
        loop {
            match self.next() {
                Received::Answer(answer) if answer["type"] == "error" => {
                    return answer["message"].as_str().unwrap().to_owned();
                }
                Received::Closed(code) => panic!("closed: {code}"),
                _ => {}
            }
        }
    }

    /// The next frame.
    pub(crate) fn frame(&mut self) -> Frame {
        self.last = None;
        self.frame_where(|_| true)
    }

    /// The last frame, or the first one after it that is accepted.
    pub(crate) fn frame_where(&mut self, accept: impl Fn(&Frame) -> bool) -> Frame {
        if let Some(frame) = self.last.take_if(|frame| accept(frame)) {
            return frame;
        }
        loop {
            match self.next() {
                Received::Frame(frame) if accept(&frame) => return frame,
                Received::Closed(code) => panic!("closed: {code}"),
                _ => {}
            }
        }
    }

    pub(crate) fn code(&mut self) -> u16 {
        loop {
            if let Received::Closed(code) = self.next() {
                return code;
            }
        }
    }

    /// Pauses, and begins anew with these settings.
    pub(crate) fn begin(&mut self, settings: Value) -> Value {
        self.send("run", json!({ "playing": false }));
        self.answer_where("settings", |settings| settings["playing"] == false);
        self.send("settings", settings);
        let settings = self.answer("settings");
        self.last = None;
        settings
    }

    /// Makes steps, and returns the `stats` after the last step. `before` steps were made before.
    pub(crate) fn steps(&mut self, before: u64, steps: u64) -> Value {
        for _ in 0..steps {
            self.send("step", json!({}));
        }
        self.answer_where("stats", |stats| stats["step"] == before + steps)
    }
}

/// A frame, cut into its sections.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) number: u32,
    pub(crate) step: u32,
    pub(crate) rows: usize,
    sections: Vec<(String, Vec<u8>)>,
}

impl Frame {
    fn read(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(word(0), 0x3146_5057);
        let (mut at, mut sections) = (16, vec![]);
        while at < bytes.len() {
            let tag = std::str::from_utf8(&bytes[at..at + 4]).unwrap().to_owned();
            let len = word(at + 4) as usize;
            assert_eq!(len % 4, 0, "{tag}");
            sections.push((tag, bytes[at + 8..at + 8 + len].to_vec()));
            at += 8 + len;
        }
        assert_eq!(at, bytes.len());
        Self { number: word(4), step: word(8), rows: word(12) as usize, sections }
    }

    /// The tags and the bytes of all sections.
    pub(crate) fn sizes(&self) -> Vec<(&str, usize)> {
        self.sections.iter().map(|(tag, bytes)| (tag.as_str(), bytes.len())).collect()
    }

    pub(crate) fn section(&self, tag: &str) -> Option<&[u8]> {
        self.sections.iter().find(|(of, _)| of == tag).map(|(_, bytes)| bytes.as_slice())
    }

    pub(crate) fn words(&self, tag: &str) -> Vec<u32> {
        let words = self.section(tag).unwrap().as_chunks::<4>().0;
        words.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    pub(crate) fn numbers(&self, tag: &str) -> Vec<f32> {
        self.words(tag).into_iter().map(f32::from_bits).collect()
    }

    pub(crate) fn position(&self, row: usize) -> [f32; 2] {
        let numbers = self.numbers("POSE");
        [numbers[row], numbers[self.rows + row]]
    }

    pub(crate) fn flag(&self, row: usize) -> u8 {
        self.section("FLAG").unwrap()[row]
    }
}
