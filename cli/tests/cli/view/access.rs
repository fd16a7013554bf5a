//! Who may connect, and where the server listens.

use std::net::TcpListener;
#[cfg(unix)]
use std::{
    thread,
    time::{Duration, Instant},
};

use tungstenite::http::header::{HOST, ORIGIN};

use super::client::Server;
#[cfg(unix)]
use crate::prompt::{PATIENCE, program};
use crate::prompt::{run, stderr, stdout};

#[test]
fn the_page_needs_the_token_and_the_name_of_the_server() {
    let server = Server::start(&[]);
    let page = format!("/?token={}", server.token);
    let host = format!("Host: {}", server.host);
    let (status, response) = server.get(&page, &[&host]);
    assert_eq!(status, 200);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; \
         connect-src 'self'; img-src 'self' data:",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "content-type: text/html; charset=utf-8",
    ] {
        assert!(response.contains(header), "{header}\n{response}");
    }
    let wrong = format!("/?token={}0", &server.token[1..]);
    for path in ["/", "/?token=", wrong.as_str()] {
        assert_eq!(server.get(path, &[&host]).0, 403, "{path}");
    }

    // The files are public, and have their types.
    let (status, response) = server.get("/app/main.js", &[&host]);
    assert_eq!(status, 200);
    assert!(response.contains("content-type: text/javascript; charset=utf-8"));
    assert!(response.contains("content-security-policy: "));
    for path in ["/app/no.js", "/app/../main.js", "/app/%2e%2e/Cargo.toml", "/main.js"] {
        assert_eq!(server.get(path, &[&host]).0, 404, "{path}");
    }

    // Another name, as by a DNS server of a stranger; a page of another server; none.
    let port = server.host.rsplit(':').next().unwrap();
    for lines in [
        vec!["Host: example.org".to_owned()],
        vec![format!("Host: example.org:{port}")],
        vec![format!("Host: 127.0.0.1:{}", u32::from(port.parse::<u16>().unwrap()) ^ 1)],
        vec![host.clone(), "Origin: http://example.org".to_owned()],
        vec![host.clone(), "Origin: null".to_owned()],
    ] {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for path in [page.as_str(), "/app/main.js", "/ws", "/no"] {
            let (status, response) = server.get(path, &lines);
            assert_eq!(status, 403, "{path} {lines:?}");
            assert!(response.contains("content-security-policy: "));
        }
    }
    let local = format!("Host: localhost:{port}");
    assert_eq!(server.get(&page, &[&local]).0, 200);
}

#[test]
fn the_socket_needs_token_origin_and_host() {
    let server = Server::start(&["-n", "10"]);
    let refused = |change: &dyn Fn(&mut tungstenite::http::Request<()>)| {
        server.connect(|request| change(request)).err()
    };
    assert_eq!(refused(&|_| {}), None);
    assert_eq!(refused(&|request| drop(request.headers_mut().remove(ORIGIN))), None);
    for path in ["/ws", "/ws?token=", "/ws?token=00"] {
        let uri = || format!("ws://{}{path}", server.host).parse().unwrap();
        assert_eq!(refused(&|request| *request.uri_mut() = uri()), Some(403), "{path}");
    }
    for (header, value) in [
        (ORIGIN, "http://example.org"),
        (ORIGIN, "null"),
        (ORIGIN, "http://127.0.0.1"),
        (HOST, "example.org"),
    ] {
        let foreign = |request: &mut tungstenite::http::Request<()>| {
            request.headers_mut().insert(header.clone(), value.parse().unwrap());
        };
        assert_eq!(refused(&foreign), Some(403), "{header}: {value}");
    }
}

#[test]
fn a_port_in_use() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = run(&["view", "--no-open", "--port", &port]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    let expected =
        format!("error: port {port} is in use: write another port, or leave out --port\n");
    assert_eq!(stderr(&output), expected);

    // Two at the default port: the second command takes another port.
    let [a, b] = [0; 2].map(|_| Server::start_at(&["-n", "10"]));
    assert_ne!(a.host, b.host);
    for server in [&a, &b] {
        let port: u16 = server.host.rsplit(':').next().unwrap().parse().unwrap();
        assert!((7878..7978).contains(&port), "{port}");
    }
}

#[test]
fn wrong_options_are_errors() {
    for (args, expected) in [
        (["--scene", "soup"], "\"soup\" is not a scene; the scenes are: gas, pit, "),
        (["-n", "100001"], "a page has at most 100000 bodies"),
        (["--threads", "1024"], "this machine has "),
        (["--port", "65536"], "65536 is not in 0..=65535"),
    ] {
        let output = run(&[&["view", "--no-open"][..], &args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

/// As by Ctrl-C, with clients connected that receive frames.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_at_once() {
    let mut server = Server::start(&["--scene", "pit", "-n", "5000"]);
    let mut clients = [0; 3].map(|_| server.client());
    for client in &mut clients {
        client.frame();
    }
    let start = Instant::now();
    let pid = server.child.id().to_string();
    assert!(program("kill").args(["-INT", &pid]).status().unwrap().success());
    while server.child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "it runs on");
        thread::sleep(Duration::from_millis(5));
    }
}
