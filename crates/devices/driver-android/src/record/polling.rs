//! Records a person with stock tools only: `getevent` reports fingers and buttons, `uiautomator dump` the screens that they hit.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use driver::{Cx, DriverError};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::{Secrets, UiTree};

use super::getevent::{TouchSignal, listen_for_touches};
use super::session_writer::{PhoneSettings, ScreenCapture, SessionWriter};
use super::{FIRST_OUTPUT_TIMEOUT, LOOK_WITHIN, Limit, Limits, RecordError, RecordingEvent};
use super::{RecordingResult, Session, TouchSupport, Write, Writer, header, since};
use crate::phone::foreground;
use crate::profile::Profile;
use crate::shell::Shell;
use crate::stock::Dump;

/// The name of this recorder in session files.
pub const POLLING_RECORDER: &str = "stock-polling";
/// The pause between two captures of an idle screen, and after a touch.
const REST: Duration = Duration::from_millis(500);
const SETTLE: Duration = Duration::from_millis(100);

/// Records until `stop` or a limit of the session, and sends events to `on_event`.
///
/// # Errors
/// If the phone's data cannot be read, or the file cannot be written. A phone that is lost later is a gap and
/// not an error: it may come back.
pub async fn record_by_polling(
    phone: adb::Phone,
    session: &Session,
    stop: CancellationToken,
    write: Write<'_>,
    on_event: &mut (dyn FnMut(RecordingEvent) + Send),
) -> Result<RecordingResult, RecordError> {
    let started = Instant::now();
    let cx = Cx::new(LOOK_WITHIN, stop.clone());
    let shell = Shell::new(phone.clone());
    let profile = Profile::query(&shell, &cx).await?;
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

struct Recording<'a> {
    session: SessionWriter,
    observer: ScreenObserver,
    signal: UnboundedReceiver<TouchSignal>,
    stop: CancellationToken,
    write: Writer<'a>,
    /// Since when the phone has not answered.
    lost: Option<Instant>,
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
        let header = header(session, &self.observer.profile, POLLING_RECORDER, hears);
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
        flush(&mut self.write, &mut self.session)?;
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
            flush(&mut self.write, session)?;
        };
        let gone = matches!(&seen, Err(DriverError::Lost { .. } | DriverError::Deadline));
        self.lost = gone.then(|| self.lost.unwrap_or_else(Instant::now));
        match seen {
            Ok(look) => session.look(look),
            Err(error) => session.screen_lost(began, clock(), &error.to_string()),
        }
        flush(&mut self.write, session)?;
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
                    flush(&mut self.write, &mut self.session)?;
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

fn flush(write: &mut Writer<'_>, session: &mut SessionWriter) -> Result<(), RecordError> {
    let lines = session.lines().into_iter();
    lines
        .map(|line| line.to_string())
        .try_for_each(|line| write.line(&line))
}
