//! Records the user's actions, with stock tools only (`getevent` reports fingers and buttons, `uiautomator dump` the
//! screens that they hit), or by the events that the agent tells.

mod by_agent;
mod event_writer;
mod kernel;
mod limits;
mod session_writer;
mod target;
mod touch_tracker;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use adb::wire::shell::{self as packets, Kind};
use driver::{Cx, DriverError};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use uitree::{Secrets, UiTree};

use crate::phone::foreground;
use crate::profile::Profile;
use crate::shell::Shell;
use crate::stock::Dump;
pub use by_agent::{EVENT_RECORDER, record_by_agent};
pub use limits::{Limit, Limits};
pub use session_writer::EventCounts;
use session_writer::{PhoneSettings, ScreenCapture, SessionWriter};
use touch_tracker::{Input, TouchTracker};

/// The name of this recorder in session files.
pub const RECORDER: &str = "stock-polling";
/// Timeout of a screen capture.
const LOOK_WITHIN: Duration = Duration::from_secs(30);
/// The pause between two captures of an idle screen, and after a touch.
const REST: Duration = Duration::from_millis(500);
const SETTLE: Duration = Duration::from_millis(100);
/// How long to wait for the first output of `getevent`.
const FIRST_OUTPUT_TIMEOUT: Duration = Duration::from_secs(10);
/// The delay before the first reconnection attempt.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);
/// The maximum delay between attempts.
const MAX_RECONNECT_DELAY: Duration = Duration::from_secs(30);
/// The maximum length of a line of `getevent` in bytes.
const MAX_LINE: usize = 4096;

/// The session to record.
#[derive(Clone, Debug)]
pub struct Session {
    /// The session's id.
    pub id: String,
    /// The phone's serial.
    pub serial: String,
    /// The current time in milliseconds since 1970.
    pub epoch_ms: u64,
    /// Its limits.
    pub limits: Limits,
}

/// The result of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingResult {
    /// Its contents.
    pub tally: EventCounts,
    /// The limit that ended it; `None` if it was stopped.
    pub limit: Option<Limit>,
}

/// Receives the lines of the file one by one, without line ends; an error ends the recording.
pub type Write<'a> = &'a mut (dyn FnMut(&str) -> Result<(), String> + Send);

/// Why a recording failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// The phone's data could not be read.
    #[error(transparent)]
    Phone(#[from] DriverError),
    /// The agent cannot be used; why.
    #[error("{0}")]
    Agent(String),
    /// The file could not be written.
    #[error("the recording cannot be written: {0}")]
    Write(String),
}

/// A message of the touch listener. Times are milliseconds since the session began.
#[derive(Debug)]
enum TouchSignal {
    /// It listens from now on.
    Listening,
    Input(Input),
    /// It no longer listens, or never did; the reason.
    Silent(String),
}

/// An event of a recording, for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordingEvent {
    /// The header is written and the first screen captured.
    Ready(TouchSupport),
    /// The current screen is captured, after all input so far.
    Synced,
}

/// What both recorders begin with.
struct Opening {
    started: Instant,
    cx: Cx,
    shell: Shell,
    profile: Profile,
}

async fn open(phone: &adb::Phone, stop: &CancellationToken) -> Result<Opening, DriverError> {
    let started = Instant::now();
    let cx = Cx::new(LOOK_WITHIN, stop.clone());
    let shell = Shell::new(phone.clone());
    let profile = Profile::query(&shell, &cx).await?;
    Ok(Opening {
        started,
        cx,
        shell,
        profile,
    })
}

/// Records until `stop` or a limit of the session, and sends events to `told`.
///
/// # Errors
/// If the phone's data cannot be read, or the file cannot be written. A phone that is lost later is a gap and
/// not an error: it may come back.
pub async fn record(
    phone: adb::Phone,
    session: &Session,
    stop: CancellationToken,
    write: Write<'_>,
    on_event: &mut (dyn FnMut(RecordingEvent) + Send),
) -> Result<RecordingResult, RecordError> {
    let Opening {
        started,
        cx,
        shell,
        profile,
    } = open(&phone, &stop).await?;
    let mode = shell
        .query(&cx, "settings get secure navigation_mode")
        .await?;
    let habits = PhoneSettings {
        density: profile.density,
        gestures: mode.text().trim() == "2",
    };
    let (signals_tx, signals) = unbounded_channel();
    let listener = listen_for_touches(&phone, started, &signals_tx);
    let mut recording = Recording {
        session: SessionWriter::new(session.epoch_ms, habits),
        observer: ScreenObserver {
            shell,
            profile,
            started,
            secrets: Secrets::default(),
        },
        signal: signals,
        stop,
        write: Writer { write, bytes: 0 },
        lost: None,
    };
    tokio::select! {
        () = listener => Ok(recording.finished(None)),
        ended = recording.run(session, on_event) => ended,
    }
}

/// Whether the phone reports touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchSupport {
    /// It does.
    Touches,
    /// It only shows its screens.
    Nothing,
}

/// The first line of a recording.
fn header(session: &Session, profile: &Profile, recorder: &str, touches: TouchSupport) -> Value {
    json!({
        "type": "recording_header",
        "schemaVersion": 1,
        "sessionId": session.id,
        "startedAt": session.epoch_ms,
        "operatorPackage": "",
        "recorder": recorder,
        "deviceId": session.serial,
        "model": profile.model,
        "screen": { "width": profile.screen.width, "height": profile.screen.height },
        "touches": touches == TouchSupport::Touches,
    })
}

struct Recording<'a> {
    session: SessionWriter,
    observer: ScreenObserver,
    signal: UnboundedReceiver<TouchSignal>,
    stop: CancellationToken,
    write: Writer<'a>,
    /// Since when the phone has not answered.
    lost: Option<Instant>,
}

/// Writes lines and counts them.
struct Writer<'a> {
    write: Write<'a>,
    bytes: u64,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) -> Result<(), RecordError> {
        (self.write)(line).map_err(RecordError::Write)?;
        self.bytes += line.len() as u64 + 1;
        Ok(())
    }

    fn flush(&mut self, session: &mut SessionWriter) -> Result<(), RecordError> {
        session
            .lines()
            .into_iter()
            .try_for_each(|line| self.line(&line.to_string()))
    }
}

impl Recording<'_> {
    fn finished(&self, limit: Option<Limit>) -> RecordingResult {
        RecordingResult {
            tally: self.session.tally(),
            limit,
        }
    }

    /// The limit that was reached.
    fn reached(&self, limits: Limits) -> Option<Limit> {
        if self.write.bytes >= limits.bytes {
            Some(Limit::Bytes(limits.bytes))
        } else if self.observer.started.elapsed() >= limits.time {
            Some(Limit::Time(limits.time))
        } else {
            self.lost
                .filter(|since| since.elapsed() >= limits.away)
                .map(|_| Limit::Away(limits.away))
        }
    }

    async fn run(
        &mut self,
        session: &Session,
        on_event: &mut (dyn FnMut(RecordingEvent) + Send),
    ) -> Result<RecordingResult, RecordError> {
        let first = tokio::select! {
            first = tokio::time::timeout(FIRST_OUTPUT_TIMEOUT, self.signal.recv()) => first,
            () = self.stop.cancelled() => return Ok(self.finished(None)),
        };
        let (hears, deaf) = match first {
            Ok(Some(TouchSignal::Listening)) => (TouchSupport::Touches, None),
            Ok(Some(TouchSignal::Silent(why))) => (TouchSupport::Nothing, Some(why)),
            Ok(Some(TouchSignal::Input(_)) | None) | Err(_) => {
                let why = "the phone's getevent prints nothing".to_owned();
                (TouchSupport::Nothing, Some(why))
            }
        };
        let header = header(session, &self.observer.profile, RECORDER, hears);
        self.write.line(&header.to_string())?;
        if let Some(why) = deaf {
            self.session
                .touches_lost(0.0, &format!("touches are not recorded: {why}"));
        }
        let mut first = true;
        let limit = loop {
            let looked = self.look().await?;
            if std::mem::take(&mut first) {
                on_event(RecordingEvent::Ready(hears));
            }
            if !self.session.wants_look() {
                on_event(RecordingEvent::Synced);
            }
            let limit = self.reached(session.limits);
            if limit.is_some()
                || looked == LoopState::Stopped
                || self.rest().await? == LoopState::Stopped
            {
                break limit;
            }
        };
        // Touches reported so far happened before the end.
        let now = self.observer.now();
        while let Ok(signal) = self.signal.try_recv() {
            apply_signal(&mut self.session, signal, now);
        }
        self.session.end(now);
        if let Some(limit) = limit {
            self.session.cut_short(now, &limit.to_string());
        }
        self.write.flush(&mut self.session)?;
        Ok(self.finished(limit))
    }

    /// Captures the screen while listening for touches.
    async fn look(&mut self) -> Result<LoopState, RecordError> {
        let (session, signal) = (&mut self.session, &mut self.signal);
        let (clock, began) = (self.observer.clock(), self.observer.now());
        let cx = Cx::new(LOOK_WITHIN, self.stop.clone());
        let mut look = pin!(self.observer.look(&cx));
        let seen = loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(LoopState::Stopped),
                Some(received_signal) = signal.recv() => apply_signal(session, received_signal, clock()),
                seen = &mut look => break seen,
            }
            self.write.flush(session)?;
        };
        let gone = matches!(&seen, Err(DriverError::Lost { .. } | DriverError::Deadline));
        self.lost = gone.then(|| self.lost.unwrap_or_else(Instant::now));
        match seen {
            Ok(look) => session.look(look),
            Err(error) => session.screen_lost(began, clock(), &error.to_string()),
        }
        self.write.flush(session)?;
        Ok(LoopState::On)
    }

    /// Pauses between captures, briefly after a touch.
    async fn rest(&mut self) -> Result<LoopState, RecordError> {
        let clock = self.observer.clock();
        let pause = if self.session.wants_look() {
            SETTLE
        } else {
            REST
        };
        let mut until = Instant::now() + pause;
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(LoopState::Stopped),
                Some(received_signal) = self.signal.recv() => {
                    apply_signal(&mut self.session, received_signal, clock());
                    until = until.min(Instant::now() + SETTLE);
                    self.write.flush(&mut self.session)?;
                }
                () = tokio::time::sleep_until(until) => return Ok(LoopState::On),
            }
        }
    }
}

/// Whether a recording continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoopState {
    On,
    Stopped,
}

fn apply_signal(session: &mut SessionWriter, signal: TouchSignal, now: f64) {
    match signal {
        TouchSignal::Input(input) => session.input(&input),
        TouchSignal::Silent(why) => {
            session.touches_lost(now, &format!("touches are not recorded for a while: {why}"))
        }
        TouchSignal::Listening => session.touches_lost(now, "touches are recorded again"),
    }
}

/// Captures the screen.
struct ScreenObserver {
    shell: Shell,
    profile: Profile,
    started: Instant,
    /// The values of the phone's password fields since the recording began.
    secrets: Secrets,
}

impl ScreenObserver {
    fn now(&self) -> f64 {
        since(self.started)
    }

    fn clock(&self) -> impl Fn() -> f64 + use<> {
        let started = self.started;
        move || since(started)
    }

    async fn look(&mut self, cx: &Cx) -> Result<ScreenCapture, DriverError> {
        let began = self.now();
        let front = foreground::activity(&self.shell, cx).await?;
        let dump = Dump::take(&self.shell, cx, self.profile.screen).await?;
        let screen = dump.read()?;
        let ended = self.now();
        let tree = screen.tree.clone();
        let (_, screen) = screen.split_bars()?;
        let seen = screen.tree;
        let active = seen.windows().iter().find(|window| window.active);
        let owner = active.map(|window| seen.node(window.root).owner.to_string());
        let title = active.map(|window| window.title.trim().to_owned());
        let (package, class) = match front {
            Some((package, class)) => (package, Some(class)),
            None => (owner.unwrap_or_default(), None),
        };
        self.secrets.see(&tree);
        let masked = |tree: UiTree| self.secrets.mask_tree(&tree).unwrap_or(tree);
        let title = title.map(|title| self.secrets.mask(&title).into_owned());
        Ok(ScreenCapture {
            began,
            ended,
            xml: masked(seen).to_hierarchy_xml().into(),
            tree: Arc::new(masked(tree)),
            package,
            class,
            title: title.filter(|title| !title.is_empty()),
        })
    }
}

fn since(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1000.0
}

/// Forwards touch events of the phone, and reconnects after a failure.
async fn listen_for_touches(
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
