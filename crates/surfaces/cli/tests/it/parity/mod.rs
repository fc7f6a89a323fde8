//! Every scenario of the engine comes to the same answer on every surface: the command line, HTTP, and tools over MCP.

mod phones;
mod refusals;
mod web;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::mcp::Raw;
use crate::serve::{Served, serve};

/// What answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Surface {
    /// What the command line calls.
    Called,
    /// The command line itself.
    Program,
    Http,
    Mcp,
}

impl Surface {
    const ALL: [Self; 4] = [Self::Called, Self::Program, Self::Http, Self::Mcp];
}

/// What one surface says otherwise, which is no other answer.
struct Otherwise {
    surface: Surface,
    /// A JSON pointer into its answer. What stands there is not compared on any surface.
    at: &'static str,
    because: &'static str,
}

/// All that may differ.
const BY_NATURE: &[Otherwise] = &[
    Otherwise {
        surface: Surface::Program,
        at: "/isCanonicalTerminal",
        because: "among what a process prints this marks the last word; a response and a result are the last word",
    },
    Otherwise {
        surface: Surface::Http,
        at: "/ok",
        because: "a process says by its exit status whether all went well, a result by isError",
    },
    Otherwise {
        surface: Surface::Mcp,
        at: "/envelope/commandId",
        because: "tools name their runs themselves, for a model would spend words on it",
    },
    Otherwise {
        surface: Surface::Mcp,
        at: "/envelope/taskId",
        because: "as the commandId",
    },
    Otherwise {
        surface: Surface::Mcp,
        at: "/details/commandId",
        because: "an error without an envelope names the run as well",
    },
    Otherwise {
        surface: Surface::Mcp,
        at: "/details/taskId",
        because: "as the commandId",
    },
];

fn plan(command_id: &str, actions: Value) -> Value {
    json!({
        "commandId": command_id, "taskId": "task", "source": "test",
        "expectedFormat": "android-ui-automator", "timeoutMs": 30000, "actions": actions,
    })
}

/// An answer as it is compared: without what differs by nature, which is counted, and without what is new each time.
fn compared(
    surface: Surface,
    mut answer: Value,
    folder: &Path,
    met: &mut BTreeSet<(Surface, &'static str)>,
) -> Value {
    for row in BY_NATURE {
        let (parent, key) = row.at.rsplit_once('/').unwrap();
        let parent = answer.pointer_mut(parent).and_then(Value::as_object_mut);
        if parent.is_some_and(|parent| parent.shift_remove(key).is_some()) && row.surface == surface
        {
            met.insert((surface, row.at));
        }
    }
    if let Some(Value::String(hint)) = answer.pointer_mut("/envelope/hint")
        && surface != Surface::Program
        && let Some(usual) = hint.strip_suffix("; flags are passed to the server at startup")
    {
        // Servers have flags of their own.
        *hint = usual.to_owned();
    }
    let steps = answer.pointer_mut("/envelope/stepResults");
    for step in steps.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(Value::String(path)) = step.pointer_mut("/data/path")
            && path.contains("clawperator-screenshot-")
        {
            // The name was made up, so that no two are the same.
            *path = "a file".to_owned();
        }
        if let Some(Value::String(path)) = step.pointer_mut("/data/filePath") {
            // Each embedded phone has its own directory for recordings.
            *path = path.rsplit('/').next().unwrap_or_default().to_owned();
        }
    }
    let text = answer.to_string();
    let text = text.replace(&*folder.to_string_lossy(), "FOLDER");
    serde_json::from_str(&text).unwrap()
}

/// Whether an answer says that everything went well.
fn went_well(answer: &Value) -> bool {
    answer.pointer("/envelope/status") == Some(&json!("success"))
}

/// A server. It is asked over a new connection each time, for one that was idle for half a minute is closed.
struct Http {
    served: Served,
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

    fn ask(&self, device: &str, plan: &Value) -> Value {
        let address = self.url().trim_start_matches("http://");
        let mut stream = BufReader::new(TcpStream::connect(address).unwrap());
        let body = json!({ "execution": plan, "deviceId": device }).to_string();
        let head = format!(
            "POST /execute HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let asked = head + &body;
        stream.get_mut().write_all(asked.as_bytes()).unwrap();
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
            // Nothing was run; the error is the answer.
            Some(error) if error.is_object() => error,
            _ => answer,
        }
    }
}

/// What tools answer to the same plan.
fn by_tool(raw: &mut Raw, id: u32, device: &str, plan: &Value) -> Value {
    let mut arguments = json!({ "device": device });
    for key in ["actions", "timeoutMs", "onFailure"] {
        if let Some(value) = plan.get(key) {
            arguments[key] = value.clone();
        }
    }
    raw.call(id, "act", arguments);
    let heard = raw.hear();
    assert_eq!(heard["id"], id, "{heard}");
    let answer = heard["result"]["structuredContent"].clone();
    let good = heard["result"]["isError"] == false;
    assert_eq!(good, went_well(&answer), "{heard}");
    answer
}

/// Where recordings lie of a program whose temporary folder this is.
fn recordings(folder: &Path) -> PathBuf {
    folder.join("clawperator/recordings")
}

/// The folder of the test, and in it one for each surface.
struct Place {
    root: PathBuf,
}

impl Place {
    fn new(name: &str) -> Self {
        let name = format!("clawperator-parity-{name}-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&root).unwrap();
        let place = Self {
            root: std::fs::canonicalize(root).unwrap(),
        };
        for surface in Surface::ALL {
            std::fs::create_dir_all(place.of(surface)).unwrap();
        }
        place
    }

    /// Phones begin each scenario without what was recorded in another.
    fn forget_recordings(&self) {
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

impl Drop for Place {
    fn drop(&mut self) {
        // The system clears what is left.
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
