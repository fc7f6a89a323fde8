//! The command's side: it starts the process and waits until the browser is ready.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::chrome::record::Record;
use crate::chrome::{ChromeSetup, StartOptions};

/// How long the process is waited for. A browser that is not ready much earlier is given up by the process itself.
const START: Duration = Duration::from_secs(90);

/// Starts a browser with a process that holds its pipe; both end when the future is dropped.
///
/// # Errors
/// Those of the browser's start.
pub(in crate::chrome) async fn start(
    setup: &ChromeSetup,
    starting: &StartOptions,
) -> Result<Record, ErrorBody> {
    let failed = |why: &str| {
        let message = format!("the process that holds the pipe to the browser {why}");
        ErrorBody::new(ErrorCode::ChromeStartFailed, message).with_default_hint()
    };
    let Some(launcher) = &setup.broker else {
        return Err(failed(
            "cannot be started: the path of this program is not known",
        ));
    };
    let mut command = tokio::process::Command::from(launcher.command());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let talked = async {
        let mut child = command.spawn()?;
        let (Some(mut order), Some(answer)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe));
        };
        let mut line = serde_json::to_vec(starting)?;
        line.push(b'\n');
        order.write_all(&line).await?;
        let mut line = String::new();
        BufReader::new(answer).read_line(&mut line).await?;
        // It ends by itself when nobody waits for its answer.
        drop(order);
        Ok::<_, io::Error>(line)
    };
    match tokio::time::timeout(START, talked).await {
        Ok(Ok(line)) => serde_json::from_str::<Result<Record, ErrorBody>>(&line)
            .unwrap_or_else(|_| Err(failed("ended before the browser was ready"))),
        Ok(Err(error)) => Err(failed(&format!("did not start: {error}"))),
        Err(_) => Err(failed(&format!(
            "was not ready within {} s",
            START.as_secs()
        ))),
    }
}
