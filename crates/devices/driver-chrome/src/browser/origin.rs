//! Origins of pages: scheme, host and port.

use std::fmt;

/// An origin as scripts write it, such as `https://example.com` or `http://localhost:8080`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(String);

impl Origin {
    /// An origin; `None` for anything else, such as a URL with a path.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.split_once("://")?.1;
        let is_origin = !rest.trim_end_matches('/').contains(['/', '?', '#', '@']);
        is_origin.then(|| Self::from_url(text)).flatten()
    }

    /// The origin of a page's URL; `None` unless it is `http` or `https`.
    pub fn from_url(url: &str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#', '\\']).next()?;
        let authority = authority.rsplit('@').next()?;
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port.parse().ok()?)),
            _ => (authority, None),
        };
        Self::new(scheme, host, port)
    }

    /// The origin of a host, without the port that its scheme implies.
    pub fn new(scheme: &str, host: &str, port: Option<u16>) -> Option<Self> {
        let scheme = scheme.to_ascii_lowercase();
        let default_port = match &*scheme {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let host = host.to_ascii_lowercase();
        let inner = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        let is_valid = match inner {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            // A browser writes other letters of host names in ASCII.
            None => host
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "-._".contains(letter)),
        };
        if host.is_empty() || !is_valid {
            return None;
        }
        Some(Self(match port.filter(|port| *port != default_port) {
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}"),
        }))
    }

    /// The origin as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host.
    pub fn host(&self) -> &str {
        let authority = self.0.split_once("://").map_or("", |(_, rest)| rest);
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => host,
            _ => authority,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_origins() {
        for (url, origin) in [
            ("https://Example.com/a?b#c", Some("https://example.com")),
            ("https://example.com:443/", Some("https://example.com")),
            ("http://localhost:8080/x", Some("http://localhost:8080")),
            ("http://a:b@one.localhost/", Some("http://one.localhost")),
            ("http://[::1]:8080/", Some("http://[::1]:8080")),
            ("http://[::1]/", Some("http://[::1]")),
            ("about:blank", None),
            ("data:text/html,x", None),
            ("file:///etc/passwd", None),
            ("chrome://settings", None),
            ("http://a b/", None),
            ("http:///", None),
            ("http://example.com:99999/", None),
        ] {
            let read = Origin::from_url(url);
            assert_eq!(read.as_ref().map(Origin::as_str), origin, "{url}");
        }
    }

    #[test]
    fn only_whole_origins_are_parsed() {
        for (text, host) in [
            ("https://example.com", Some("example.com")),
            ("https://example.com:8443/", Some("example.com")),
            ("http://[::1]:8080", Some("[::1]")),
            ("https://example.com/path", None),
            ("https://user@example.com", None),
            ("example.com", None),
            ("*", None),
            ("", None),
        ] {
            let parsed = Origin::parse(text);
            assert_eq!(parsed.as_ref().map(Origin::host), host, "{text}");
        }
    }
}
