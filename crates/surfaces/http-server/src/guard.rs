//! Access control: host, origin and token.
//!
//! A web page can send requests to this computer, and by DNS rebinding it could read the responses. Therefore the Host
//! header is checked, and requests of other origins are refused.

use std::net::IpAddr;

use contract::{ErrorBody, ErrorCode};
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The bearer token of the server.
#[derive(Clone)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(***)")
    }
}

impl Token {
    /// A token; `None` if it is shorter than 8 characters or has characters that headers cannot carry.
    pub fn new(token: &str) -> Option<Self> {
        let is_valid = token.len() >= 8 && token.bytes().all(|byte| byte.is_ascii_graphic());
        is_valid.then(|| Self(token.to_owned()))
    }

    /// Compares in constant time.
    fn equals(&self, other: &[u8]) -> bool {
        let expected = self.0.as_bytes();
        let mut differs = u8::from(expected.len() != other.len());
        for (at, byte) in expected.iter().enumerate() {
            differs |= byte ^ other.get(at).copied().unwrap_or_default();
            differs = std::hint::black_box(differs);
        }
        differs == 0
    }
}

/// The checks of every request.
#[derive(Debug)]
pub(crate) struct Guard {
    token: Option<Token>,
    /// Allowed host names besides loopback.
    names: Vec<String>,
    /// Allowed origins besides the server's own.
    origins: Vec<Origin>,
}

/// The origin of a page as browsers write it: scheme, host and port, such as `http://localhost:5173`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// An origin; `None` for anything else: a path, a pattern, `*`, `null`.
    pub fn new(origin: &str) -> Option<Self> {
        let uri: hyper::Uri = origin.parse().ok()?;
        let authority = uri.authority()?.as_str();
        let normalized = format!("{}://{authority}", uri.scheme_str()?);
        let is_exact = normalized == origin
            && ["http", "https"].contains(&uri.scheme_str()?)
            && !authority.contains(['@', '*'])
            && authority == authority.to_ascii_lowercase()
            && without_port(authority).is_some_and(|name| !name.is_empty());
        is_exact.then_some(Self(normalized))
    }
}

impl Guard {
    pub(crate) fn new(token: Option<Token>, names: Vec<String>, origins: Vec<Origin>) -> Self {
        let names = names.into_iter().map(|name| name.to_ascii_lowercase());
        Self {
            token,
            names: names.collect(),
            origins,
        }
    }

    /// The origin of a request, if allowed.
    pub(crate) fn allowed_origin<'a>(&self, headers: &'a HeaderMap) -> Option<&'a HeaderValue> {
        let mut given = headers.get_all(ORIGIN).iter();
        let origin = given.next().filter(|_| given.next().is_none())?;
        let mut allowed = self.origins.iter();
        allowed
            .any(|allowed| allowed.0.as_bytes() == origin.as_bytes())
            .then_some(origin)
    }

    /// Checks host and origin of a request.
    ///
    /// # Errors
    /// `HOST_NOT_ALLOWED`, `ORIGIN_NOT_ALLOWED`.
    pub(crate) fn check_origin(
        &self,
        headers: &HeaderMap,
        uri: &hyper::Uri,
    ) -> Result<(), ErrorBody> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().ok(),
            (None, _) | (Some(_), Some(_)) => None,
        };
        // A request in absolute form names the host twice, and still needs its header.
        let uri_host = uri.authority().map(|authority| authority.as_str());
        let host = match uri_host.filter(|uri_host| !self.allows_host(uri_host)) {
            Some(uri_host) => host.and(Some(uri_host)),
            None => host,
        };
        let Some(host) = host.filter(|host| self.allows_host(host)) else {
            let message = match host {
                Some(host) => format!("host {:?} is not allowed", contract::truncate_input(host)),
                None => "the request must have exactly one Host header".to_owned(),
            };
            return Err(ErrorBody::new(ErrorCode::HostNotAllowed, message).with_default_hint());
        };
        if self.allowed_origin(headers).is_some() {
            return Ok(());
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        if let Some(origin) = origins.next() {
            let origin = origin.to_str().unwrap_or_default();
            let is_same_origin = origin
                .strip_prefix("http://")
                .or_else(|| origin.strip_prefix("https://"))
                .is_some_and(|authority| authority.eq_ignore_ascii_case(host));
            if !is_same_origin || origins.next().is_some() {
                return Err(origin_error(&format!(
                    "web pages of {:?}",
                    contract::truncate_input(origin)
                )));
            }
        }
        match headers.get(FETCH_SITE).map(|site| site.as_bytes()) {
            None | Some(b"same-origin" | b"none") => Ok(()),
            Some(_) => Err(origin_error("web pages of other sites")),
        }
    }

    /// Checks the token of a request.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<(), ErrorBody> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let given = headers.get(AUTHORIZATION).map(|value| value.as_bytes());
        let given = given.and_then(|value| match value.split_at_checked(7) {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case(b"bearer ") => Some(rest),
            _ => None,
        });
        match given {
            Some(given) if token.equals(given.trim_ascii()) => Ok(()),
            given => {
                let message = match given {
                    Some(_) => "the token does not match",
                    None => "the request has no token",
                };
                Err(ErrorBody::new(ErrorCode::Unauthorized, message).with_default_hint())
            }
        }
    }

    /// Whether a host name is allowed. IP addresses are safe from DNS rebinding.
    fn allows_host(&self, host: &str) -> bool {
        let Some(name) = without_port(host) else {
            return false;
        };
        let name = name.to_ascii_lowercase();
        let address = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
            .unwrap_or(&name);
        match address.parse::<IpAddr>() {
            // Without a token only loopback addresses are allowed.
            Ok(address) => self.token.is_some() || address.is_loopback(),
            Err(_) => name == "localhost" || self.names.contains(&name),
        }
    }
}

/// A host without its port; `None` if malformed.
fn without_port(host: &str) -> Option<&str> {
    let end = if host.starts_with('[') {
        host.find(']')? + 1
    } else {
        host.find(':').unwrap_or(host.len())
    };
    let (name, rest) = host.split_at_checked(end)?;
    let has_valid_port = rest.is_empty()
        || rest
            .strip_prefix(':')
            .is_some_and(|port| port.parse::<u16>().is_ok());
    has_valid_port.then_some(name)
}

fn origin_error(source: &str) -> ErrorBody {
    let message = format!("requests from {source} are not allowed");
    ErrorBody::new(ErrorCode::OriginNotAllowed, message).with_default_hint()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(guard: &Guard, headers: &[(&str, &str)]) -> Result<(), ErrorCode> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: HeaderName = name.parse().unwrap();
            map.append(name, value.parse().unwrap());
        }
        guard
            .check_origin(&map, &hyper::Uri::from_static("/devices"))
            .and_then(|()| guard.check_token(&map))
            .map_err(|error| error.code)
    }

    #[test]
    fn host_check_accepts_only_allowed_names() {
        let guard = Guard::new(None, vec!["Phones.Local".to_owned()], Vec::new());
        for host in [
            "localhost",
            "LOCALHOST:3000",
            "127.0.0.1:3000",
            "127.1.2.3",
            "[::1]:80",
            "phones.local:1",
        ] {
            assert_eq!(check(&guard, &[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "192.168.1.5:3000",
            "[::1",
            "[::1]x",
            "localhost:x",
            "localhost:99999",
            "user@localhost",
            "localhost/",
        ] {
            let refused = check(&guard, &[("host", host)]);
            assert_eq!(refused, Err(ErrorCode::HostNotAllowed), "{host}");
        }
        let two = [("host", "localhost"), ("host", "evil.example")];
        assert_eq!(check(&guard, &two), Err(ErrorCode::HostNotAllowed));
        assert_eq!(check(&guard, &[]), Err(ErrorCode::HostNotAllowed));
    }

    #[test]
    fn page_of_other_site_is_refused() {
        let guard = Guard::new(None, Vec::new(), Vec::new());
        let host = ("host", "localhost:3000");
        for own in [
            ("origin", "http://localhost:3000"),
            ("sec-fetch-site", "same-origin"),
            ("sec-fetch-site", "none"),
        ] {
            assert_eq!(check(&guard, &[host, own]), Ok(()), "{own:?}");
        }
        for other in [
            ("origin", "http://localhost:3001"),
            ("origin", "http://evil.example"),
            ("origin", "http://localhost:3000.evil.example"),
            ("origin", "null"),
            ("origin", ""),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "?"),
        ] {
            let refused = check(&guard, &[host, other]);
            assert_eq!(refused, Err(ErrorCode::OriginNotAllowed), "{other:?}");
        }
    }

    #[test]
    fn allowed_origin_matches_exactly_and_hosts_are_still_checked() {
        let allowed = Origin::new("http://localhost:5173").unwrap();
        let guard = Guard::new(None, Vec::new(), vec![allowed]);
        let host = ("host", "localhost:3000");
        let origin = ("origin", "http://localhost:5173");
        let cross = ("sec-fetch-site", "same-site");
        assert_eq!(check(&guard, &[host, origin, cross]), Ok(()));
        let rebound = [("host", "evil.example"), origin, cross];
        assert_eq!(check(&guard, &rebound), Err(ErrorCode::HostNotAllowed));
        for other in [
            "http://localhost:51730",
            "http://localhost",
            "https://localhost:5173",
            "http://localhost:5173.evil.example",
            "null",
            "*",
        ] {
            let refused = check(&guard, &[host, ("origin", other), cross]);
            assert_eq!(refused, Err(ErrorCode::OriginNotAllowed), "{other}");
        }
        let twice = [host, origin, ("origin", "http://evil.example")];
        assert_eq!(check(&guard, &twice), Err(ErrorCode::OriginNotAllowed));
        for wrong in [
            "*",
            "null",
            "localhost:5173",
            "http://localhost:5173/",
            "http://localhost:5173/page",
            "http://*.example",
            "http://LOCALHOST:5173",
            "http://me@localhost",
            "file:///tmp/page.html",
            "http://localhost:99999",
            "",
        ] {
            assert_eq!(Origin::new(wrong), None, "{wrong}");
        }
        assert!(
            Origin::new("https://tools.example").is_some()
                && Origin::new("http://[::1]:80").is_some()
        );
    }

    #[test]
    fn token_is_required_if_set() {
        let guard = Guard::new(Token::new("open-sesame"), Vec::new(), Vec::new());
        let host = ("host", "192.168.1.5:3000");
        for right in [
            "Bearer open-sesame",
            "bearer open-sesame",
            "Bearer  open-sesame ",
        ] {
            assert_eq!(check(&guard, &[host, ("authorization", right)]), Ok(()));
        }
        for wrong in [
            "open-sesame",
            "Basic open-sesame",
            "Bearer",
            "Bearer ",
            "Bearer open-sesamf",
            "Bearer open-sesame2",
            "Bearer open",
        ] {
            let refused = check(&guard, &[host, ("authorization", wrong)]);
            assert_eq!(refused, Err(ErrorCode::Unauthorized), "{wrong}");
        }
        assert_eq!(check(&guard, &[host]), Err(ErrorCode::Unauthorized));
        assert_eq!(
            format!("{:?}", Token::new("open-sesame")),
            "Some(Token(***))"
        );
        assert!(Token::new("short").is_none() && Token::new("two words").is_none());
    }
}
