//! The command's side of the broker.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::chrome::browser_record::BrowserRecord;
use crate::chrome::{ChromeSetup, StartOptions};

/// How long the start may take. The broker itself gives up much earlier.
const START_TIMEOUT: Duration = Duration::from_secs(90);

/// Starts a broker and its browser, and waits until the browser is ready. Both end when the future is dropped.
pub(in crate::chrome) async fn start(
    setup: &ChromeSetup,
    starting: &StartOptions,
) -> Result<BrowserRecord, ErrorBody> {
    let failed = |why: &str| {
        let message = format!("the broker of the browser {why}");
        ErrorBody::new(ErrorCode::ChromeStartFailed, message).with_default_hint()
    };
    let Some(launcher) = &setup.broker else {
        return Err(failed(
            "cannot be started: the path of this program is unknown",
        ));
    };
    let mut command = tokio::process::Command::from(launcher.command());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let started = async {
        let mut child = command.spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe));
        };
        let mut line = serde_json::to_vec(starting)?;
        line.push(b'\n');
        input.write_all(&line).await?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).await?;
        // Until here, the broker ends when its standard input is closed.
        drop(input);
        Ok::<_, io::Error>(line)
    };
    match tokio::time::timeout(START_TIMEOUT, started).await {
        Ok(Ok(line)) => serde_json::from_str::<Result<BrowserRecord, ErrorBody>>(&line)
            .unwrap_or_else(|_| Err(failed("exited before the browser was ready"))),
        Ok(Err(error)) => Err(failed(&format!("did not start: {error}"))),
        Err(_) => Err(failed(&format!(
            "was not ready within {} s",
            START_TIMEOUT.as_secs()
        ))),
    }
}
