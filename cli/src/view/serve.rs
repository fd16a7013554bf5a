//! The server: the page, its files, and the WebSocket.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use axum::{
    Router,
    extract::{
        Path, Request, State,
        ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    http::{HeaderValue, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::sync::Semaphore;

use super::{engine::Start, guard::Guard, page, session};

/// The port, unless another port is named; if it is in use, the next ports are tried.
pub(crate) const PORT: u16 = 7878;

/// How many ports are tried.
const PORTS: u16 = 100;

/// The most clients at a time.
const CLIENTS: usize = 8;

/// The most bytes that are read of a message. A message with more bytes than the protocol allows,
/// and no more than this, is answered before the connection is closed.
const MOST_READ: usize = 16 << 20;

/// The headers of all responses: only files of this server are loaded, and nothing is kept.
const HEADERS: [(header::HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
         img-src 'self' data:; font-src data:",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
];

/// The state that all requests share.
struct Shared {
    guard: Guard,
    clients: Arc<Semaphore>,
    start: Start,
}

/// Listens on the loopback address: at the named port, or at the first of the default ports that is
/// free.
pub(super) fn listen(named: Option<u16>) -> Result<TcpListener> {
    let ports = named.map_or(PORT..=PORT + (PORTS - 1), |port| port..=port);
    for port in ports {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).context(format!("port {port}")),
        }
    }
    match named {
        Some(port) => bail!("port {port} is in use: write another port, or leave out --port"),
        None => bail!("ports {PORT} to {} are in use: write --port 0", PORT + (PORTS - 1)),
    }
}

/// Serves until the process ends.
pub(super) async fn serve(listener: TcpListener, guard: Guard, start: Start) -> Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let clients = Arc::new(Semaphore::new(CLIENTS));
    let shared = Arc::new(Shared { guard, clients, start });
    let app = Router::new()
        .route("/", get(index))
        .route("/app/{name}", get(file))
        .route("/ws", get(socket))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guarded))
        .with_state(shared);
    Ok(axum::serve(listener, app).await?)
}

/// Refuses requests that are not from the page, and adds the headers.
async fn guarded(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match shared.guard.is_at_home(request.headers()) {
        true => next.run(request).await,
        false => refused("this is a server for its own page only"),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refused(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}

async fn index(State(shared): State<Arc<Shared>>, uri: Uri) -> Response {
    match shared.guard.has_token(&uri) {
        true => answer(page::INDEX),
        false => refused("open the whole address that `widephase view` has printed"),
    }
}

async fn file(Path(name): Path<String>) -> Response {
    match page::FILES.iter().find(|file| file.name == name) {
        Some(&file) => answer(file),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn answer(file: page::File) -> Response {
    ([(header::CONTENT_TYPE, file.kind())], file.text).into_response()
}

async fn socket(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    if !shared.guard.has_token(&uri) {
        return refused("the token is missing or wrong");
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.max_message_size(MOST_READ).max_frame_size(MOST_READ),
        Err(rejection) => return rejection.into_response(),
    };
    let permit = Arc::clone(&shared.clients).try_acquire_owned();
    upgrade.on_upgrade(async move |socket| match permit {
        Ok(_permit) => session::run(socket, shared.start.clone()).await,
        Err(_) => session::close(socket, session::TRY_AGAIN, "eight pages are open already").await,
    })
}
