//! Hints for each surface. A hint is written once, with flags of the command line; [`Surface`] renders it with the keys that a
//! request has instead.

use std::borrow::Cow;

use serde_json::Value;

use crate::{ErrorBody, ResultEnvelope};

/// A server whose clients have keys instead of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Requests over HTTP.
    Http,
    /// Tools of the Model Context Protocol.
    Mcp,
}

/// A flag, and the key or the action of a request with the same meaning.
struct FlagKey {
    flag: &'static str,
    http: &'static str,
    mcp: &'static str,
}

impl FlagKey {
    const fn new(flag: &'static str, http: &'static str, mcp: &'static str) -> Self {
        Self { flag, http, mcp }
    }
}

/// The flags that requests have as keys or actions.
const FLAG_KEYS: &[FlagKey] = &[
    FlagKey::new(DEVICE, "deviceId", "device"),
    FlagKey::new("--near", "near", "near"),
    FlagKey::new("--strict-stability", "strict_stability", "strict_stability"),
    FlagKey::new("--timeout", "timeoutMs", "timeoutMs"),
    FlagKey::new("--session-id", "sessionId", "sessionId"),
    FlagKey::new(
        "--wake",
        r#"{"type":"press_key","params":{"key":"power"}}"#,
        r#"{"type":"press_key","key":"power"}"#,
    ),
];

/// The one flag whose value hints show.
const DEVICE: &str = "--device";

/// The command that lists devices; servers have a route or a tool for it.
const LIST_DEVICES: &str = "clawperator devices";

/// Appended once to a hint with a flag that only the server itself has.
const SERVER_FLAG_NOTE: &str = "; flags are passed to the server at startup";

/// How commands begin in hints.
const COMMANDS: &[&str] = &["clawperator ", "serve "];

/// A part of a hint.
enum Part<'a> {
    /// Text, and commands to type on the server's computer, which stay as they are.
    Text(&'a str),
    /// The command that lists devices.
    ListDevices,
    /// A flag, and its value if it is a device.
    Flag(&'a str, Option<&'a str>),
}

/// The parts of a hint, in order.
fn parts(hint: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for (index, section) in hint.split('`').enumerate() {
        let quoted = index % 2 == 1;
        if index > 0 {
            parts.push(Part::Text("`"));
        }
        if quoted && section == LIST_DEVICES {
            parts.push(Part::ListDevices);
        } else if quoted && COMMANDS.iter().any(|start| section.starts_with(start)) {
            parts.push(Part::Text(section));
        } else {
            push_flags(section, &mut parts);
        }
    }
    parts
}

/// Splits text at its flags. Text in double quotes is that of an element or a file.
fn push_flags<'a>(text: &'a str, parts: &mut Vec<Part<'a>>) {
    let mut rest = text;
    while let Some(start) = find_flag(rest) {
        let (before, flag_and_rest) = rest.split_at(start);
        let end = flag_and_rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .unwrap_or(flag_and_rest.len());
        let (flag, after) = flag_and_rest.split_at(end);
        let value = after
            .strip_prefix(' ')
            .filter(|_| flag == DEVICE)
            .and_then(|value| value.split([' ', ',', ';']).next())
            .filter(|value| !value.is_empty());
        parts.push(Part::Text(before));
        parts.push(match flag {
            "--" => Part::Text(flag),
            _ => Part::Flag(flag, value),
        });
        rest = &after[value.map_or(0, |value| 1 + value.len())..];
    }
    parts.push(Part::Text(rest));
}

/// Where the first flag outside of double quotes begins.
fn find_flag(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if is_quoted => drop(letters.next()),
            '"' => is_quoted = !is_quoted,
            '-' if !is_quoted && text[at..].starts_with("--") => return Some(at),
            _ => {}
        }
    }
    None
}

impl Surface {
    /// The hint for this surface.
    pub fn hint(self, hint: &str) -> Cow<'_, str> {
        if !hint.contains("--") && !hint.contains(LIST_DEVICES) {
            return Cow::Borrowed(hint);
        }
        let mut text = String::with_capacity(hint.len() + 64);
        let mut names_server_flag = false;
        for part in parts(hint) {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::ListDevices => text.push_str(match self {
                    Self::Http => "GET /devices",
                    Self::Mcp => "devices",
                }),
                Part::Flag(flag, value) => match (self.key(flag), value) {
                    (Some(key), Some(value)) => {
                        text.push_str(&format!("\"{key}\": {}", Value::from(value)));
                    }
                    (Some(key), None) => text.push_str(key),
                    (None, _) => {
                        text.push_str(flag);
                        names_server_flag = true;
                    }
                },
            }
        }
        if names_server_flag {
            text.push_str(SERVER_FLAG_NOTE);
        }
        Cow::Owned(text)
    }

    /// The key of a request with the meaning of a flag.
    fn key(self, flag: &str) -> Option<&'static str> {
        let known = FLAG_KEYS.iter().find(|known| known.flag == flag)?;
        Some(match self {
            Self::Http => known.http,
            Self::Mcp => known.mcp,
        })
    }

    /// The error with its hint for this surface.
    pub fn error(self, error: &ErrorBody) -> Cow<'_, ErrorBody> {
        match self.changed(error.hint.as_deref()) {
            Some(hint) => Cow::Owned(error.clone().with_hint(hint)),
            None => Cow::Borrowed(error),
        }
    }

    /// The result with its hint for this surface.
    pub fn envelope(self, envelope: &ResultEnvelope) -> Cow<'_, ResultEnvelope> {
        match self.changed(envelope.hint.as_deref()) {
            Some(hint) => Cow::Owned(ResultEnvelope {
                hint: Some(hint),
                ..envelope.clone()
            }),
            None => Cow::Borrowed(envelope),
        }
    }

    /// The hint for this surface, if it differs.
    fn changed(self, hint: Option<&str>) -> Option<String> {
        match self.hint(hint?) {
            Cow::Owned(hint) => Some(hint),
            Cow::Borrowed(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ErrorCode;

    use super::*;

    #[test]
    fn flags_become_keys_of_the_surface() {
        for (hint, http, mcp) in [
            (
                "Add --device emulator-5554, or another of them",
                r#"Add "deviceId": "emulator-5554", or another of them"#,
                r#"Add "device": "emulator-5554", or another of them"#,
            ),
            (
                "`clawperator devices` lists what there is; `--device sim` is the embedded phone",
                r#"`GET /devices` lists what there is; `"deviceId": "sim"` is the embedded phone"#,
                r#"`devices` lists what there is; `"device": "sim"` is the embedded phone"#,
            ),
            (
                "Select one of details.devices with --device",
                "Select one of details.devices with deviceId",
                "Select one of details.devices with device",
            ),
            // Commands to type on the computer stay as they are.
            (
                "`--device chrome` starts one; `clawperator open <url> --device chrome` opens a page in it",
                r#"`"deviceId": "chrome"` starts one; `clawperator open <url> --device chrome` opens a page in it"#,
                r#"`"device": "chrome"` starts one; `clawperator open <url> --device chrome` opens a page in it"#,
            ),
            (
                "Check the address behind --cdp",
                "Check the address behind --cdp; flags are passed to the server at startup",
                "Check the address behind --cdp; flags are passed to the server at startup",
            ),
            (
                "Wake the phone with --wake",
                r#"Wake the phone with {"type":"press_key","params":{"key":"power"}}"#,
                r#"Wake the phone with {"type":"press_key","key":"power"}"#,
            ),
            ("Wait -- and see", "Wait -- and see", "Wait -- and see"),
            // The text of an element is no flag.
            (
                r#"The closest is button "Add \" --near"; --near names it"#,
                r#"The closest is button "Add \" --near"; near names it"#,
                r#"The closest is button "Add \" --near"; near names it"#,
            ),
            (
                "Name a file inside the folder that `serve --sim-apps` named",
                "Name a file inside the folder that `serve --sim-apps` named",
                "Name a file inside the folder that `serve --sim-apps` named",
            ),
        ] {
            assert_eq!(Surface::Http.hint(hint), http);
            assert_eq!(Surface::Mcp.hint(hint), mcp);
        }
    }

    #[test]
    fn hints_of_codes_name_no_flag_that_requests_have_as_a_key() {
        let mut flags = 0;
        for code in ErrorCode::ALL {
            for surface in [Surface::Http, Surface::Mcp] {
                let hint = surface.hint(code.hint());
                let outside = hint.split('`').step_by(2).collect::<String>();
                for known in FLAG_KEYS {
                    assert!(!outside.contains(known.flag), "{code}: {hint}");
                }
                flags += usize::from(hint.ends_with(SERVER_FLAG_NOTE));
            }
        }
        assert!(flags > 0, "no hint names a server flag");
    }
}
