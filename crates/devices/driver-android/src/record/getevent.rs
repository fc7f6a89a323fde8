//! Listens to a phone's touch screen and buttons with `getevent`.

use adb::wire::shell::{self as packets, Kind};
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use super::kernel;
use super::touch_tracker::{self, Input, TouchTracker};
use super::{MAX_RECONNECT_DELAY, RECONNECT_DELAY, since};

/// The maximum length of a line in bytes.
const MAX_LINE: usize = 4096;

/// A message of the touch listener. Times are milliseconds since the session began.
#[derive(Debug)]
pub(super) enum TouchSignal {
    /// It listens from now on.
    Listening,
    Input(Input),
    /// It no longer listens, or never did; the reason.
    Silent(String),
}

/// Forwards touch events of the phone, and reconnects after a failure.
pub(super) async fn listen_for_touches(
    phone: &adb::Phone,
    started: Instant,
    signals_tx: &UnboundedSender<TouchSignal>,
) {
    let (mut on_event, mut pause) = (false, RECONNECT_DELAY);
    loop {
        let mut listening = false;
        let Err(why) = read_touches(phone, started, signals_tx, &mut listening).await;
        if listening {
            (on_event, pause) = (false, RECONNECT_DELAY);
        }
        // A lost phone is reported once, not per attempt.
        if !std::mem::replace(&mut on_event, true)
            && signals_tx.send(TouchSignal::Silent(why)).is_err()
        {
            return;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MAX_RECONNECT_DELAY);
    }
}

/// Uninhabited: the listener never returns successfully.
enum Never {}

async fn read_touches(
    phone: &adb::Phone,
    started: Instant,
    signals_tx: &UnboundedSender<TouchSignal>,
    listening: &mut bool,
) -> Result<Never, String> {
    let error = |error: adb::Error| error.to_string();
    let listed = phone.shell(kernel::LIST).await.map_err(error)?;
    let panels = kernel::panels(&listed.text());
    if panels.is_empty() {
        let received_signal: String = listed
            .error_text()
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(120)
            .collect();
        return Err(format!(
            "getevent lists no touch screen; it printed {received_signal:?}"
        ));
    }
    let mut fingers = TouchTracker::on(&panels);
    let packed = phone
        .features()
        .await
        .map_err(error)?
        .iter()
        .any(|its| its == "shell_v2");
    let service = match packed {
        true => format!("shell,v2,pty:{}", kernel::GETEVENT),
        // Phones without shell protocol v2 give every command a terminal.
        false => format!("shell:{}", kernel::GETEVENT),
    };
    let mut pipe = phone.open(&service).await.map_err(error)?;
    let mut line = Vec::new();
    // The offset of the phone's clock: the minimum over all lines, since the fastest line had the least delay.
    let mut ahead = f64::INFINITY;
    loop {
        let bytes = if packed {
            match packets::read(&mut pipe).await.map_err(error)? {
                Some((Kind::Stdout | Kind::Stderr, bytes)) => bytes,
                Some((Kind::Exit, _)) | None => return Err("getevent has ended".to_owned()),
                Some((Kind::Stdin | Kind::CloseStdin | Kind::WindowSize, _)) => continue,
            }
        } else {
            let mut bytes = vec![0; MAX_LINE];
            match pipe.read(&mut bytes).await {
                Ok(0) => return Err("getevent has ended".to_owned()),
                Ok(count) => {
                    bytes.truncate(count);
                    bytes
                }
                Err(error) => return Err(error.to_string()),
            }
        };
        let now = since(started);
        for byte in bytes {
            if byte != b'\n' {
                if line.len() < MAX_LINE {
                    line.push(byte);
                }
                continue;
            }
            if !std::mem::replace(listening, true) {
                // Its first output is the list of devices.
                signals_tx
                    .send(TouchSignal::Listening)
                    .map_err(|_| String::new())?;
            }
            let text = String::from_utf8_lossy(&line).into_owned();
            line.clear();
            let Some(raw) = kernel::event(&text) else {
                continue;
            };
            ahead = ahead.min(now - raw.ms);
            for input in fingers.take(&raw) {
                signals_tx
                    .send(TouchSignal::Input(here(input, ahead)))
                    .map_err(|_| String::new())?;
            }
        }
    }
}

/// Converts times to our own clock.
fn here(input: Input, ahead: f64) -> Input {
    match input {
        Input::Stroke(stroke) => Input::Stroke(touch_tracker::Stroke {
            down: stroke.down + ahead,
            up: stroke.up + ahead,
            ..stroke
        }),
        Input::Button { at, key } => Input::Button {
            at: at + ahead,
            key,
        },
        Input::Lost { at } => Input::Lost { at: at + ahead },
    }
}
