//! Every scenario of the engine has the same result on every surface: command line, HTTP, and MCP tools.

mod phones;
mod refusals;
mod web;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::TempFolder;

use crate::mcp::RawClient;
use crate::serve::{TestServer, serve};

/// The surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Surface {
    /// The functions of the command line.
    Called,
    Program,
    Http,
    Mcp,
}

impl Surface {
    const ALL: [Self; 4] = [Self::Called, Self::Program, Self::Http, Self::Mcp];
}

/// An allowed difference between surfaces.
struct AllowedDifference {
    surface: Surface,
    /// A JSON pointer into the result. The value is not compared on any surface.
    at: &'static str,
    because: &'static str,
}

const ALLOWED_DIFFERENCES: &[AllowedDifference] = &[
    AllowedDifference {
        surface: Surface::Program,
        at: "/isCanonicalTerminal",
        because: "it marks the last document that a process prints; a response is always the last",
    },
    AllowedDifference {
        surface: Surface::Http,
        at: "/ok",
        because: "a process reports success by its exit status, a tool result by isError",
    },
    AllowedDifference {
        surface: Surface::Mcp,
        at: "/envelope/commandId",
        because: "MCP tools generate ids, which saves tokens of the model",
    },
    AllowedDifference {
        surface: Surface::Mcp,
        at: "/envelope/taskId",
        because: "as for commandId",
    },
    AllowedDifference {
        surface: Surface::Mcp,
        at: "/details/commandId",
        because: "an error without an envelope names the run, too",
    },
    AllowedDifference {
        surface: Surface::Mcp,
        at: "/details/taskId",
        because: "as for commandId",
    },
];

/// A result without generated values and allowed differences, which are recorded.
fn normalized(
    surface: Surface,
    mut answer: Value,
    folder: &Path,
    observed: &mut BTreeSet<(Surface, &'static str)>,
) -> Value {
    for row in ALLOWED_DIFFERENCES {
        let (parent, key) = row.at.rsplit_once('/').unwrap();
        let parent = answer.pointer_mut(parent).and_then(Value::as_object_mut);
        if parent.is_some_and(|parent| parent.shift_remove(key).is_some()) && row.surface == surface
        {
            observed.insert((surface, row.at));
        }
    }
    if let Some(Value::String(hint)) = answer.pointer_mut("/envelope/hint")
        && surface != Surface::Program
    {
        // Flags of a server are set at its start, and `--wake` is an action of a request.
        if let Some(usual) = hint.strip_suffix("; flags are passed to the server at startup") {
            *hint = usual.to_owned();
        }
        for wake in [
            r#"{"type":"press_key","params":{"key":"power"}}"#,
            r#"{"type":"press_key","key":"power"}"#,
        ] {
            *hint = hint.replace(wake, "--wake");
        }
    }
    let steps = answer.pointer_mut("/envelope/stepResults");
    let mut steps = steps.and_then(Value::as_array_mut);
    let observes = steps.iter().flat_map(|steps| steps.iter()).any(|step| {
        let data = &step["data"];
        data.get("screen").or(data.get("changes")).is_some()
    });
    for step in steps.iter_mut().flat_map(|steps| steps.iter_mut()) {
        if let Some(Value::String(path)) = step.pointer_mut("/data/path")
            && path.contains("clawperator-screenshot-")
        {
            // Generated names are unique.
            *path = "a file".to_owned();
        }
        for key in ["screen", "changes"] {
            if let Some(Value::String(text)) =
                step.get_mut("data").and_then(|data| data.get_mut(key))
            {
                // Only servers give references, and lines with them are joined.
                let texts: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
                *text = texts.join("\n");
            }
        }
        if let (Surface::Mcp, Some(Value::Object(data))) = (surface, step.get_mut("data")) {
            // Tools always request effects and references.
            if !observes {
                data.shift_remove("effect");
                data.shift_remove("evidence");
            }
            if let Some(Value::String(near)) = data.get_mut("near_misses") {
                let mut misses: Vec<Value> = serde_json::from_str(near).unwrap();
                for miss in misses.iter_mut().filter_map(Value::as_object_mut) {
                    miss.shift_remove("ref");
                }
                *near = Value::from(misses).to_string();
            }
        }
        if let Some(Value::String(path)) = step.pointer_mut("/data/filePath") {
            // Each embedded phone has its own directory for recordings.
            *path = path.rsplit('/').next().unwrap_or_default().to_owned();
        }
    }
    let text = answer.to_string();
    let text = text.replace(&*folder.to_string_lossy(), "FOLDER");
    let text = match surface {
        Surface::Mcp => without_refs(&text),
        _ => text,
    };
    serde_json::from_str(&text).unwrap()
}

/// A text without the references in its messages.
fn without_refs(text: &str) -> String {
    let is_ref = |word: &&str| {
        let number = word
            .trim_end_matches(',')
            .strip_prefix('e')
            .unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words: Vec<&str> = text.split(' ').filter(|word| !is_ref(word)).collect();
    words.join(" ")
}

/// Whether a result is a success.
fn is_success(answer: &Value) -> bool {
    answer.pointer("/envelope/status") == Some(&json!("success"))
}

/// A server. Each request has a new connection, since idle ones are closed after half a minute.
struct Http {
    served: TestServer,
}

impl Http {
    fn start(flags: &[&str], folder: &Path) -> Self {
        let folder = folder.to_string_lossy();
        let mut arguments = vec!["--screenshots", &folder];
        arguments.extend(flags);
        let (served, _) = serve(&arguments, &[("TMPDIR", &folder)]);
        Self { served }
    }

    fn url(&self) -> &str {
        &self.served.url
    }

    fn run_plan(&self, device: &str, plan: &Value) -> Value {
        let address = self.url().trim_start_matches("http://");
        let mut stream = BufReader::new(TcpStream::connect(address).unwrap());
        let body = json!({ "execution": plan, "deviceId": device }).to_string();
        let head = format!(
            "POST /execute HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let payload = head + &body;
        stream.get_mut().write_all(payload.as_bytes()).unwrap();
        let (mut status, mut length) = (String::new(), 0);
        stream.read_line(&mut status).unwrap();
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).unwrap();
            let Some((key, value)) = line.trim_end().split_once(':') else {
                break;
            };
            if key.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        let mut answer: Value = serde_json::from_slice(&body).unwrap();
        let well = answer["ok"] == true;
        assert_eq!(
            status.contains(" 200 "),
            well || answer.get("envelope").is_some()
        );
        match answer.get_mut("error").map(Value::take) {
            // No run; the result is the error.
            Some(error) if error.is_object() => error,
            _ => answer,
        }
    }
}

/// Runs a plan through the MCP tools.
fn run_by_tool(raw: &mut RawClient, id: u32, device: &str, plan: &Value) -> Value {
    let mut arguments = json!({ "device": device });
    for key in ["actions", "timeoutMs", "onFailure", "interrupts"] {
        if let Some(value) = plan.get(key) {
            arguments[key] = value.clone();
        }
    }
    raw.call(id, "act", arguments);
    let message = raw.receive();
    assert_eq!(message["id"], id, "{message}");
    let answer = message["result"]["structuredContent"].clone();
    let good = message["result"]["isError"] == false;
    assert_eq!(good, is_success(&answer), "{message}");
    answer
}

/// The folder of recordings in a temporary folder.
fn recordings(folder: &Path) -> PathBuf {
    folder.join("clawperator/recordings")
}

/// A temporary folder with one for each surface.
struct TestFolders {
    root: TempFolder,
}

impl TestFolders {
    fn new(name: &str) -> Self {
        let place = Self {
            root: TempFolder::new(name),
        };
        for surface in Surface::ALL {
            std::fs::create_dir_all(place.of(surface)).unwrap();
        }
        place
    }

    /// Each scenario starts without recordings of others.
    fn remove_recordings(&self) {
        for surface in Surface::ALL {
            let folder = recordings(&self.of(surface));
            if folder.exists() {
                std::fs::remove_dir_all(folder).unwrap();
            }
        }
    }

    fn of(&self, surface: Surface) -> PathBuf {
        self.root.join(format!("{surface:?}"))
    }
}
