//! Access: requests need the token, and come from the page itself.

use std::{fmt::Write, hint, net::SocketAddr};

use anyhow::{Context, Result};
use axum::http::{HeaderMap, Uri, header};

/// The bytes of a token: 256 bits.
const BYTES: usize = 32;

/// The names and the token that a request must have.
pub(super) struct Guard {
    token: String,
    /// The names of this server, with its port.
    hosts: [String; 2],
}

impl Guard {
    /// A guard of the server at an address, with a new token.
    pub(super) fn new(address: SocketAddr) -> Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).context("the system has no random bytes")?;
        let mut token = String::with_capacity(2 * BYTES);
        for byte in bytes {
            write!(token, "{byte:02x}")?;
        }
        let port = address.port();
        // Browsers leave out the default port.
        let port = if port == 80 { String::new() } else { format!(":{port}") };
        Ok(Self { token, hosts: ["127.0.0.1", "localhost"].map(|name| format!("{name}{port}")) })
    }

    /// The address of the page, with the token.
    pub(super) fn url(&self) -> String {
        format!("http://{}/?token={}", self.hosts[0], self.token)
    }

    /// Whether a request is for this server by one of its names, and not from a page of another
    /// server. So a page of a stranger cannot use the server, nor can a name that a stranger's DNS
    /// server maps to the loopback address.
    pub(super) fn is_at_home(&self, headers: &HeaderMap) -> bool {
        let is_host = |text: &str| self.hosts.iter().any(|host| host.eq_ignore_ascii_case(text));
        // A header that is there twice, or that is no text, is not the header of a browser.
        let one = |name| {
            let mut values = headers.get_all(name).iter();
            (values.next().map(|value| value.to_str().unwrap_or_default()), values.next().is_none())
        };
        let (host, (origin, one_origin)) = (one(header::HOST), one(header::ORIGIN));
        let from_here = |origin: &str| origin.strip_prefix("http://").is_some_and(is_host);
        host.1 && host.0.is_some_and(is_host) && one_origin && origin.is_none_or(from_here)
    }

    /// Whether the query of an address has the token.
    pub(super) fn has_token(&self, uri: &Uri) -> bool {
        let mut fields = uri.query().unwrap_or_default().split('&');
        fields.any(|field| field.strip_prefix("token=").is_some_and(|token| self.is_token(token)))
    }

    /// Compares in a time that does not depend on where the texts differ.
    fn is_token(&self, text: &str) -> bool {
        let differ = |(a, b): (u8, u8)| hint::black_box(a ^ b);
        text.len() == self.token.len()
            && text.bytes().zip(self.token.bytes()).map(differ).fold(0, |all, bits| all | bits) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::new(([127, 0, 0, 1], 7878).into()).unwrap()
    }

    #[test]
    fn tokens_are_long_random_and_needed() {
        let (guard, other) = (guard(), guard());
        assert_eq!(guard.token.len(), 64);
        assert_ne!(guard.token, other.token);
        let asks = |query: &str| guard.has_token(&format!("/ws{query}").parse().unwrap());
        let token = &guard.token;
        assert!(asks(&format!("?token={token}")) && asks(&format!("?a=b&token={token}")));
        for wrong in ["", "?token=", "?token", &format!("?token={}", other.token)] {
            assert!(!asks(wrong), "{wrong}");
        }
        assert!(!asks(&format!("?token={token}0")) && !asks(&format!("?token={}", &token[1..])));
    }

    #[test]
    fn only_the_own_names_and_pages() {
        let guard = guard();
        let home = |fields: &[(header::HeaderName, &str)]| {
            let fields = fields.iter().map(|(name, value)| (name.clone(), value.parse().unwrap()));
            let mut headers = HeaderMap::new();
            for (name, value) in fields {
                headers.append(name, value);
            }
            guard.is_at_home(&headers)
        };
        let (host, origin) = (header::HOST, header::ORIGIN);
        for name in ["127.0.0.1:7878", "localhost:7878"] {
            assert!(home(&[(host.clone(), name)]));
            assert!(home(&[(host.clone(), name), (origin.clone(), &format!("http://{name}"))]));
        }
        assert!(!home(&[]));
        for name in ["127.0.0.1", "localhost:7879", "example.org:7878", "127.0.0.1:7878.org"] {
            assert!(!home(&[(host.clone(), name)]), "{name}");
        }
        let own = (host.clone(), "127.0.0.1:7878");
        for from in ["null", "http://example.org", "https://127.0.0.1:7878", "http://localhost"] {
            assert!(!home(&[own.clone(), (origin.clone(), from)]), "{from}");
        }
        assert!(!home(&[own.clone(), own.clone()]), "two hosts");
    }
}
