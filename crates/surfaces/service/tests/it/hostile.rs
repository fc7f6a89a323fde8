//! Text in plans reaches the phone's shell as one word or not at all: every action that uses the shell, with texts that
//! contain shell syntax.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use driver_sim::journal::Passwords;
use driver_sim::{SimOptions, Start};
use serde_json::{Value, json};
use service::{Options, Service};
use sim_adb::{AdbPhone, Daemon};
use tokio_util::sync::CancellationToken;

/// Part of every hostile text, to find it wherever it arrives.
const MARK: &str = "zq7";

/// Shell syntax around and between the marks.
const PIECES: &[&str] = &[
    "; reboot",
    "; reboot #",
    "&& input keyevent 3",
    "| touch /sdcard/pwned",
    "> /sdcard/pwned",
    "$(touch /sdcard/pwned)",
    "`touch /sdcard/pwned`",
    "'; touch /sdcard/pwned; '",
    "\"; touch /sdcard/pwned; \"",
    "\\'; touch /sdcard/pwned; \\'",
    "\ntouch /sdcard/pwned\n",
    "\r\nreboot\r\n",
    "$HOME",
    "${IFS}",
    "$'\\x27'",
    "*",
    "~",
    "{a,b}",
    "!!",
    "#",
    "%s",
    "%%",
    "\\",
    "\\\\",
    "'",
    "''",
    "\"",
    " -n com.android.settings/.Settings",
    "--es",
    "-f",
    "/",
    "..",
    "=",
    "(",
    ")",
    "\t",
    "\0",
    "ü’“",
];

/// The programs that a phone without installed apps is driven with.
const PROGRAMS: &[&str] = &[
    ":",
    "am",
    "cat",
    "cmd",
    "content",
    "dumpsys",
    "echo",
    "exit",
    "getprop",
    "grep",
    "input",
    "kill",
    "monkey",
    "pm",
    "read",
    "rm",
    "screencap",
    "sleep",
    "trap",
    "true",
    "uiautomator",
    "umask",
    "wm",
];

#[derive(Clone, Default)]
pub(crate) struct MemoryRecorder(Arc<Mutex<Vec<u8>>>);

impl Write for MemoryRecorder {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MemoryRecorder {
    /// The lines since the last call.
    pub(crate) fn take(&self) -> Vec<Value> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// Reproducible random numbers.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Every piece alone, before and after the mark, then random sequences of pieces.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for (place, piece) in PIECES.iter().enumerate() {
        texts.push(if place % 2 == 0 {
            format!("{MARK}{piece}")
        } else {
            format!("{piece}{MARK}")
        });
    }
    let mut rng = Rng(7);
    for _ in 0..20 {
        let mut text = String::from(MARK);
        for _ in 0..=rng.below(5) {
            text.push_str(PIECES[rng.below(PIECES.len())]);
        }
        texts.push(text);
    }
    texts
}

pub(crate) async fn phone() -> (AdbPhone, MemoryRecorder, Service, String) {
    let options = sim_adb::Options {
        sim: SimOptions {
            start: Start::Uri("forms://text".to_owned()),
            ..SimOptions::default()
        },
        idle: Duration::ZERO,
        ..sim_adb::Options::default()
    };
    let daemon = Daemon::bind(options).await.unwrap();
    let (adb_phone, serial) = (daemon.adb_phone(), daemon.address().to_string());
    tokio::spawn(daemon.run());
    let seen = MemoryRecorder::default();
    adb_phone
        .record()
        .write_to(Box::new(seen.clone()), Passwords::ClearText);
    // Without adb, a phone at an address is connected to directly.
    let service = Service::new(Options {
        adb: crate::adb_at(crate::no_server(), crate::scripted::locks(0)),
        ..Options::default()
    });
    (adb_phone, seen, service, serial)
}

/// The words of every program that was run.
pub(crate) fn commands(lines: &[Value]) -> Vec<Vec<String>> {
    let own = lines.iter().filter(|line| line["kind"] == "command");
    own.map(|line| serde_json::from_value(line["args"].clone()).unwrap())
        .collect()
}

/// The text that `input text` and Enter typed.
fn typed(commands: &[Vec<String>]) -> String {
    let mut text = String::new();
    for words in commands {
        match words
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            ["input", "text", word] => text.push_str(&word.replace("%s", " ")),
            ["input", "keyevent", "66"] => text.push('\n'),
            _ => {}
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_text_is_one_shell_word_or_refused() {
    let (adb_phone, seen, service, serial) = phone().await;
    let execute = async |action: Value| {
        // An invalid plan reaches no phone.
        let payload = testkit::plan("c", json!([action]));
        let Ok(parsed) = contract::Execution::from_value(&payload) else {
            return None;
        };
        let cancel = CancellationToken::new();
        Some(
            service
                .execute(Some(&serial), parsed, cancel, &mut |_| {})
                .await,
        )
    };
    // Opens the phone; the commands after this contain the text.
    execute(json!({"id": "a", "type": "press_key", "params": {"key": "volume_up"}}))
        .await
        .unwrap()
        .unwrap();
    let field = json!({"resourceId": "com.example.forms:id/full_name"});
    let (mut arrived, mut refused) = (0, 0);
    for text in texts() {
        for kind in [
            "open_app",
            "close_app",
            "open_uri",
            "enter_text",
            "press_key",
        ] {
            let params = match kind {
                "open_app" | "close_app" => json!({"applicationId": text}),
                "open_uri" => json!({"uri": format!("nothing-takes-this://{text}")}),
                "enter_text" => json!({"matcher": field, "text": text}),
                _ => json!({"key": text}),
            };
            seen.take();
            let answer = execute(json!({"id": "a", "type": kind, "params": params})).await;
            let lines = seen.take();
            let commands = commands(&lines);
            let context = format!("{kind} {text:?}: {answer:?} {commands:?}");
            assert!(
                !lines.iter().any(|line| line["kind"] == "boot"),
                "{context}"
            );
            for words in &commands {
                assert!(PROGRAMS.contains(&words[0].as_str()), "{context}");
                let marked = words.iter().filter(|word| word.contains(MARK)).count();
                let own = match words
                    .iter()
                    .take(2)
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .as_slice()
                {
                    ["am", "start"] => {
                        let uri = format!("nothing-takes-this://{text}");
                        words.last() == Some(&uri)
                    }
                    ["input", "text"] => words.len() == 3 && kind == "enter_text",
                    // Only a valid package name is looked up.
                    ["pm", "path"] => words.len() == 3 && words[2] == text,
                    _ => marked == 0,
                };
                assert!(own && marked <= 1, "{context}");
            }
            if kind == "enter_text"
                && commands
                    .iter()
                    .any(|words| words.starts_with(&["input".to_owned(), "text".to_owned()]))
            {
                assert_eq!(typed(&commands), text, "{context}");
            }
            if commands.iter().flatten().any(|word| word.contains(MARK)) {
                arrived += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(adb_phone.files().meta("/sdcard/pwned").is_err());
    // Both ends of the range occurred.
    assert!(
        arrived > 50 && refused > 50,
        "{arrived} arrived, {refused} refused"
    );
}
