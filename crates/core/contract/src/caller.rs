//! Who calls, and in whose words a hint speaks. Hints are written once, with the flags of the command line; whoever calls a
//! server has no flags, but keys and arguments of the same meaning.

use std::borrow::Cow;

use serde_json::Value;

use crate::{ErrorBody, ResultEnvelope};

/// Somebody who calls a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A program that sends requests over HTTP.
    Http,
    /// A model that calls tools.
    Tools,
}

/// A flag, and the key of a request that means the same.
struct Word {
    flag: &'static str,
    http: &'static str,
    tools: &'static str,
}

/// The flags of commands that are keys of requests.
const WORDS: &[Word] = &[
    Word {
        flag: "--device",
        http: "deviceId",
        tools: "device",
    },
    Word {
        flag: "--near",
        http: "near",
        tools: "near",
    },
    Word {
        flag: "--strict-stability",
        http: "strict_stability",
        tools: "strict_stability",
    },
    Word {
        flag: "--timeout",
        http: "timeoutMs",
        tools: "timeoutMs",
    },
    Word {
        flag: "--session-id",
        http: "sessionId",
        tools: "sessionId",
    },
];

/// What is said once where a hint names flags that a server has and its requests have not.
const AT_START: &str = "; flags are passed to the server at startup";

/// The command that lists devices, for which servers have a way of their own.
const DEVICES: &str = "clawperator devices";

/// How commands begin in hints; they are left as they are typed.
const COMMANDS: &[&str] = &["clawperator ", "serve "];

impl Caller {
    /// A hint in the words of this caller.
    #[must_use]
    pub fn say(self, hint: &str) -> Cow<'_, str> {
        if !hint.contains("--") && !hint.contains(DEVICES) {
            return Cow::Borrowed(hint);
        }
        let mut said = String::with_capacity(hint.len() + 64);
        let mut of_the_start = false;
        // What stands between back quotes is a flag or a whole command.
        for (place, part) in hint.split('`').enumerate() {
            let quoted = place % 2 == 1;
            if place > 0 {
                said.push('`');
            }
            match part {
                DEVICES if quoted => said.push_str(match self {
                    Self::Http => "GET /devices",
                    Self::Tools => "devices",
                }),
                command if quoted && COMMANDS.iter().any(|begin| command.starts_with(begin)) => {
                    said.push_str(command);
                }
                text => of_the_start |= self.put(text, &mut said),
            }
        }
        if of_the_start {
            said.push_str(AT_START);
        }
        Cow::Owned(said)
    }

    /// Writes a text with its flags as keys; whether a flag is left that is none.
    fn put(self, text: &str, said: &mut String) -> bool {
        let mut rest = text;
        let mut left = false;
        while let Some(at) = rest.find("--") {
            let (before, from) = rest.split_at(at);
            said.push_str(before);
            let end = from
                .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
                .unwrap_or(from.len());
            let (flag, behind) = from.split_at(end);
            rest = behind;
            let Some(word) = WORDS.iter().find(|word| word.flag == flag) else {
                said.push_str(flag);
                left |= flag.len() > 2;
                continue;
            };
            let key = match self {
                Self::Http => word.http,
                Self::Tools => word.tools,
            };
            // Only a device is named with its flag in hints.
            let value = behind.strip_prefix(' ').filter(|_| flag == "--device");
            let value = value.map(|value| {
                let end = value.find([' ', ',', ';']).unwrap_or(value.len());
                value.split_at(end)
            });
            match value.filter(|(value, _)| !value.is_empty()) {
                Some((value, behind)) => {
                    said.push_str(&format!("\"{key}\": {}", Value::from(value)));
                    rest = behind;
                }
                None => said.push_str(key),
            }
        }
        said.push_str(rest);
        left
    }

    /// An error whose hint is in the words of this caller.
    #[must_use]
    pub fn told(self, error: &ErrorBody) -> Cow<'_, ErrorBody> {
        match self.changed(error.hint.as_deref()) {
            Some(hint) => Cow::Owned(error.clone().with_hint(hint)),
            None => Cow::Borrowed(error),
        }
    }

    /// A result whose hint is in the words of this caller.
    #[must_use]
    pub fn answered(self, envelope: &ResultEnvelope) -> Cow<'_, ResultEnvelope> {
        match self.changed(envelope.hint.as_deref()) {
            Some(hint) => Cow::Owned(ResultEnvelope {
                hint: Some(hint),
                ..envelope.clone()
            }),
            None => Cow::Borrowed(envelope),
        }
    }

    /// A hint that has to be put differently.
    fn changed(self, hint: Option<&str>) -> Option<String> {
        match self.say(hint?) {
            Cow::Owned(said) => Some(said),
            Cow::Borrowed(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ErrorCode;

    use super::*;

    #[test]
    fn hints_name_what_the_caller_has() {
        for (hint, http, tools) in [
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
            // A command is one of the computer, and is left as it is typed there.
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
            ("Wait -- and see", "Wait -- and see", "Wait -- and see"),
            (
                "Name a file inside the folder that `serve --sim-apps` named",
                "Name a file inside the folder that `serve --sim-apps` named",
                "Name a file inside the folder that `serve --sim-apps` named",
            ),
        ] {
            assert_eq!(Caller::Http.say(hint), http);
            assert_eq!(Caller::Tools.say(hint), tools);
        }
    }

    #[test]
    fn no_hint_of_a_code_tells_who_calls_a_server_to_add_a_flag() {
        let mut flags = 0;
        for code in ErrorCode::ALL {
            for caller in [Caller::Http, Caller::Tools] {
                let said = caller.say(code.fix());
                let outside = said.split('`').step_by(2).collect::<String>();
                for word in WORDS {
                    assert!(!outside.contains(word.flag), "{code}: {said}");
                }
                flags += usize::from(said.ends_with(AT_START));
            }
        }
        assert!(flags > 0, "no code speaks of flags");
    }
}
