//! Child processes that run a Node script and exchange lines of JSON.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

const TIMEOUT: Duration = Duration::from_secs(60);

/// A Node child process that answers each line of JSON with one.
pub struct NodeProcess {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl NodeProcess {
    /// Runs `script` with the packages in `folder`.
    pub fn start(folder: &Path, script: &str) -> Result<Self, String> {
        let mut node = Command::new("node");
        Self::spawn(node.args(["--eval", script]).current_dir(folder))
    }

    fn spawn(command: &mut Command) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("node: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("node has no pipes".to_owned());
        };
        Ok(Self {
            child,
            input,
            output: BufReader::new(output).lines(),
        })
    }

    /// Sends a line of JSON and waits for the answer.
    /// It is killed when it times out: a late answer would be taken for the next.
    pub async fn request(&mut self, line: &Value) -> Result<Value, String> {
        let describe = |error: std::io::Error| format!("node: {error}");
        let line = format!("{line}\n");
        self.input
            .write_all(line.as_bytes())
            .await
            .map_err(describe)?;
        let Ok(answer) = tokio::time::timeout(TIMEOUT, self.output.next_line()).await else {
            self.child.kill().await.map_err(describe)?;
            return Err(format!("node did not answer within {TIMEOUT:?}"));
        };
        let answer = answer.map_err(describe)?.ok_or("node exited")?;
        serde_json::from_str(&answer).map_err(|error| format!("node: {error}: {answer}"))
    }

    pub async fn stop(mut self) -> Result<(), String> {
        drop(self.input);
        let exited = tokio::time::timeout(TIMEOUT, self.child.wait()).await;
        match exited {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(format!("node: {error}")),
            Err(_) => Err("node does not exit".to_owned()),
        }
    }
}

/// Checks that a package is installed; the error says how to install it.
pub fn require_package(folder: &Path, package: &str) -> Result<(), String> {
    if folder.join("node_modules").join(package).is_dir() {
        return Ok(());
    }
    Err(format!(
        "{package} is not in {}; install it with `crates/dev/bench/fetch peers`",
        folder.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn late_answer_is_not_the_answer_to_the_next_request() {
        let script = r#"read one; read two; echo "$one"; echo "$two""#;
        let mut process = NodeProcess::spawn(Command::new("sh").args(["-c", script])).unwrap();
        let silent = process.request(&1.into()).await;
        assert!(silent.unwrap_err().contains("did not answer"));
        tokio::time::resume();
        process.request(&2.into()).await.unwrap_err();
    }
}
