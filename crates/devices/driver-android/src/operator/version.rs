//! The supported versions of the Operator app.

use std::fmt;

/// The supported versions of the app: those of its protocol, and the one of this program.
pub const SUPPORTED: [&str; 2] = ["0.5.x", env!("CARGO_PKG_VERSION")];
/// The protocol version: any patch level is compatible.
const WIRE: (u32, u32) = (0, 5);

/// A version of the app: `MAJOR.MINOR.PATCH`, with suffix `-d` for a debug build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    /// Parses a `versionName`; `None` if it has another form.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_suffix("-d").unwrap_or(text);
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().ok()).flatten()
        };
        let mut parts = text.split('.').map(number);
        let version = Self {
            major: parts.next()??,
            minor: parts.next()??,
            patch: parts.next()??,
        };
        parts.next().is_none().then_some(version)
    }

    /// Whether this version of the app is supported.
    pub fn is_supported(self) -> bool {
        (self.major, self.minor) == WIRE || Self::read(env!("CARGO_PKG_VERSION")) == Some(self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_has_three_numbers() {
        let read = |text: &str| Version::read(text).map(|version| version.to_string());
        assert_eq!(read(" 0.5.3-d\n").as_deref(), Some("0.5.3"));
        assert_eq!(read("10.20.30").as_deref(), Some("10.20.30"));
        for wrong in [
            "",
            "0.5",
            "0.5.3.1",
            "0.5.x",
            "0.5.3-rc.1",
            "v0.5.3",
            "0..3",
            "+1.0.0",
            "0.5.99999999999",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn patch_level_does_not_matter() {
        let spoken = |text: &str| Version::read(text).unwrap().is_supported();
        assert!(spoken("0.5.2") && spoken("0.5.3-d") && spoken("0.5.40"));
        assert!(!spoken("0.4.3") && !spoken("1.5.3"));
        assert!(spoken(env!("CARGO_PKG_VERSION")));
        assert_eq!(SUPPORTED[0], format!("{}.{}.x", WIRE.0, WIRE.1));
    }
}
