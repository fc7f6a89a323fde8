//! The process with real Android widgets: `agent/harness-serve`, and its orders.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The hex digits of a byte of the token, which is the same throughout.
const TOKEN_BYTE: u8 = 0x5a;

/// Real widgets behind the agent or its app. The process ends with its standard input, when this is dropped, and removes its
/// files.
#[derive(Debug)]
pub struct Widgets {
    process: Child,
    orders: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    port: u16,
    token: Vec<u8>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.filter_map(byte).collect()
}

impl Widgets {
    pub const SCREEN: (i32, i32) = (1080, 2340);

    /// What is missing to start it with Android 14, if anything.
    pub fn missing() -> Option<String> {
        let home = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let cache = home("XDG_CACHE_HOME").or_else(|| Some(home("HOME")?.join(".cache")));
        let jars = cache?.join("clawperator/agent-jars");
        let sdk = "sdk/android-all-instrumented-14-robolectric-10818077-i7.jar.ok";
        if !jars.join("lib/complete").exists() || !jars.join(sdk).exists() {
            return Some("`agent/test 34` fetches Robolectric and the framework".to_owned());
        }
        let java = std::process::Command::new(root().join("agent/java-home")).output();
        let found = java.is_ok_and(|found| found.status.success());
        (!found).then(|| "there is no JDK 17".to_owned())
    }

    /// Starts the process with the framework of an API level; `form` is `agent` or `app`.
    pub async fn start(form: &str, sdk: u32) -> Self {
        Self::launch(Command::new(root().join("agent/harness-serve")), form, sdk).await
    }

    /// As [`Widgets::start`], with Java's optimizing compiler: it takes minutes to warm up, and then its code is as on phones.
    pub async fn start_optimizing(form: &str, sdk: u32) -> Self {
        let mut command = Command::new(root().join("agent/harness-serve"));
        command.env("CLAWPERATOR_HARNESS_OPTIMIZES", "1");
        Self::launch(command, form, sdk).await
    }

    async fn launch(mut command: Command, form: &str, sdk: u32) -> Self {
        let started = command
            .args(["0", &sdk.to_string()])
            .env(
                "CLAWPERATOR_HARNESS_TOKEN",
                format!("{TOKEN_BYTE:02x}").repeat(32),
            )
            .env("CLAWPERATOR_HARNESS_FORM", form)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut process = match started {
            Ok(process) => process,
            Err(error) => panic!("agent/harness-serve: {error}"),
        };
        let (Some(orders), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            panic!("agent/harness-serve has no pipes");
        };
        let mut widgets = Self {
            process,
            orders,
            answers: BufReader::new(output).lines(),
            port: 0,
            token: Vec::new(),
        };
        let ready = widgets.answer("ready").await;
        let (port, token) = ready.split_once(' ').unwrap_or_default();
        widgets.port = port.parse().unwrap_or_default();
        widgets.token = bytes(token);
        widgets
    }

    /// The rest of the next line that begins with a word; other lines are the framework's.
    async fn answer(&mut self, word: &str) -> String {
        while let Ok(Some(line)) = self.answers.next_line().await {
            match line.split_once(' ') {
                Some((first, rest)) if first == word => return rest.to_owned(),
                Some(_) | None => {}
            }
        }
        panic!(
            "the process with the widgets ended: {:?}",
            self.process.try_wait()
        );
    }

    /// Gives it an order, and waits until it is carried out.
    pub async fn order(&mut self, order: &str) -> String {
        if let Err(error) = self.orders.write_all(format!("{order}\n").as_bytes()).await {
            panic!("{order}: {error}");
        }
        self.answer("done").await
    }

    /// What happened on it, oldest first.
    pub async fn journal(&mut self) -> Vec<Value> {
        let journal = self.order("journal").await;
        match serde_json::from_str(&journal) {
            Ok(entries) => entries,
            Err(error) => panic!("{error}: {journal}"),
        }
    }

    /// Where the agent takes connections on the loopback interface.
    pub const fn port(&self) -> u16 {
        self.port
    }

    pub fn token(&self) -> &[u8] {
        &self.token
    }
}

/// A connection to an agent on the loopback interface.
pub async fn connect_agent(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).await;
    match stream.and_then(|stream| stream.set_nodelay(true).map(|()| stream)) {
        Ok(stream) => stream,
        Err(error) => panic!("the agent of the widgets: {error}"),
    }
}
