//! The address of an adb server, and where the environment says it is.

use std::fmt;

/// The default port of servers.
pub const DEFAULT_PORT: u16 = 5037;

/// The address of an adb server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// A host name or an IP address.
    pub host: String,
    pub port: u16,
}

impl Default for Address {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: DEFAULT_PORT,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl Address {
    /// The address from the environment: `ADB_SERVER_SOCKET` (`tcp:host:port`, `tcp:port`), or
    /// `ANDROID_ADB_SERVER_ADDRESS` and `ANDROID_ADB_SERVER_PORT`. Empty variables count as missing.
    ///
    /// # Errors
    /// A message with the invalid variable and the reason.
    pub fn from_env(var: impl Fn(&str) -> Option<String>) -> std::result::Result<Self, String> {
        let var = |name: &str| var(name).filter(|value| !value.trim().is_empty());
        if let Some(socket) = var("ADB_SERVER_SOCKET") {
            return Self::from_socket(socket.trim());
        }
        let mut address = Self::default();
        if let Some(host) = var("ANDROID_ADB_SERVER_ADDRESS") {
            host.trim().clone_into(&mut address.host);
        }
        if let Some(port) = var("ANDROID_ADB_SERVER_PORT") {
            address.port = port_of(port.trim())
                .ok_or_else(|| format!("ANDROID_ADB_SERVER_PORT is {port:?}, not a port"))?;
        }
        Ok(address)
    }

    fn from_socket(socket: &str) -> std::result::Result<Self, String> {
        let wrong =
            || format!("ADB_SERVER_SOCKET is {socket:?}; expected `tcp:host:port` or `tcp:port`");
        let rest = socket.strip_prefix("tcp:").ok_or_else(wrong)?;
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host.trim_start_matches('[').trim_end_matches(']'), port),
            None => ("127.0.0.1", rest),
        };
        let port = port_of(port).ok_or_else(wrong)?;
        if host.is_empty() {
            return Err(wrong());
        }
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }

    /// Whether it is on this machine.
    pub fn is_local(&self) -> bool {
        self.host == "localhost"
            || self
                .host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|ip| ip.is_loopback())
    }
}

pub(super) fn port_of(text: &str) -> Option<u16> {
    text.parse().ok().filter(|port| *port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> std::result::Result<String, String> {
        let var = |name: &str| {
            let mut pairs = pairs.iter();
            pairs
                .find(|(its, _)| *its == name)
                .map(|(_, value)| (*value).to_owned())
        };
        Address::from_env(var).map(|address| address.to_string())
    }

    #[test]
    fn server_address_comes_from_environment() {
        assert_eq!(env(&[]), Ok("127.0.0.1:5037".to_owned()));
        assert_eq!(
            env(&[("ANDROID_ADB_SERVER_PORT", "")]),
            Ok("127.0.0.1:5037".to_owned())
        );
        assert_eq!(
            env(&[("ANDROID_ADB_SERVER_PORT", "6000")]),
            Ok("127.0.0.1:6000".to_owned())
        );
        assert_eq!(
            env(&[("ADB_SERVER_SOCKET", "tcp:9000")]),
            Ok("127.0.0.1:9000".to_owned())
        );
        assert_eq!(
            env(&[("ADB_SERVER_SOCKET", "tcp:box:9000")]),
            Ok("box:9000".to_owned())
        );
        assert_eq!(
            env(&[("ADB_SERVER_SOCKET", "tcp:[::1]:9000")]),
            Ok("[::1]:9000".to_owned())
        );
        assert!(env(&[("ADB_SERVER_SOCKET", "localabstract:adb")]).is_err());
        assert!(env(&[("ANDROID_ADB_SERVER_PORT", "0")]).is_err());
        assert!(env(&[("ANDROID_ADB_SERVER_PORT", "70000")]).is_err());
    }
}
