//! Records a person by the events that the agent reports, by the keys of the phone, and by the screens before them.

use std::time::Duration;

use agent_protocol::{Answer, AppEventKind, Request};
use driver::Cx;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::event_writer::{EventWriter, KeySource};
use super::getevent::{TouchSignal, listen_for_touches};
use super::input_queue::{InputKind, InputQueue, PendingInput};
use super::keys::Navigation;
use super::screens::Screens;
use super::touch::{Touch, TouchTarget};
use super::touch_tracker::{Input, Stroke};
use super::{FIRST_OUTPUT_TIMEOUT, MAX_RECONNECT_DELAY, OBSERVE_TIMEOUT, RECONNECT_DELAY};
use super::{Limit, RecordError, RecordingEvent, RecordingResult, Session, TouchSupport, Write};
use super::{Writer, header, since};
use crate::agent::{AgentSource, listen};
use crate::phone::agent_client::{AgentClient, ReceivedEvent};
use crate::phone::foreground;
use crate::profile::Profile;
use crate::shell::Shell;

/// The name of this recorder in session files.
pub const EVENT_RECORDER: &str = "agent-events";
/// How long a text or a scroll waits for a later one of the same node.
const SETTLE: Duration = Duration::from_secs(1);
/// After an observation the recorder rests for this many times its duration, so that apps have most of the time.
const REST: u32 = 2;
/// How often a screen that cannot be read is observed again before the next change of it, and the pause in between.
const MAX_FAILED_OBSERVATIONS: u32 = 5;
const FAILED_OBSERVATION_PAUSE: Duration = Duration::from_millis(100);
/// The events that are recorded.
const TYPES: u64 = AppEventKind::Clicked as u64
    | AppEventKind::LongClicked as u64
    | AppEventKind::TextChanged as u64
    | AppEventKind::WindowChanged as u64
    | AppEventKind::Scrolled as u64
    | AppEventKind::KeyPressed as u64;

/// Records until `stop` or a limit of the session. Clients of the agent can use it meanwhile.
///
/// # Errors
/// If the agent cannot be used, or the file cannot be written. A phone that is lost later is a gap and not an error.
pub async fn record(
    phone: adb::Phone,
    source: AgentSource,
    session: &Session,
    stop: CancellationToken,
    write: Write<'_>,
    on_event: &mut (dyn FnMut(RecordingEvent) + Send),
) -> Result<RecordingResult, RecordError> {
    let started = Instant::now();
    let cx = Cx::new(OBSERVE_TIMEOUT, stop.clone());
    let shell = Shell::new(phone.clone());
    let profile = Profile::query(&shell, &cx).await?;
    let mode = shell
        .query(&cx, "settings get secure navigation_mode")
        .await?;
    let (signals_tx, signals) = unbounded_channel();
    let touches = listen_for_touches(&phone, started, &signals_tx);
    let mut recording = EventRecording {
        started,
        shell,
        navigation: Navigation {
            density: profile.density,
            gestures: mode.text().trim() == "2",
        },
        profile,
        source,
        stop,
        signals,
        screens: Screens::default(),
        observe_at: None,
        rest_until: started,
        failed_observations: 0,
        inputs: InputQueue::default(),
        events: EventWriter::new(session.epoch_ms),
        write: Writer { write, bytes: 0 },
        on_event,
    };
    tokio::select! {
        () = touches => Ok(recording.finished(None)),
        ended = recording.run(session) => ended,
    }
}

struct EventRecording<'a> {
    started: Instant,
    shell: Shell,
    profile: Profile,
    navigation: Navigation,
    source: AgentSource,
    stop: CancellationToken,
    /// The touches and buttons of the phone.
    signals: UnboundedReceiver<TouchSignal>,
    screens: Screens,
    /// When the screen is observed again, if it may have changed.
    observe_at: Option<Instant>,
    /// Before that it is not observed again.
    rest_until: Instant,
    /// The observations since the last one that could be read.
    failed_observations: u32,
    inputs: InputQueue,
    events: EventWriter,
    write: Writer<'a>,
    on_event: &'a mut (dyn FnMut(RecordingEvent) + Send),
}

impl EventRecording<'_> {
    fn finished(&self, limit: Option<Limit>) -> RecordingResult {
        RecordingResult {
            tally: self.events.tally(),
            limit,
        }
    }

    fn now(&self) -> f64 {
        since(self.started)
    }

    async fn listen(&mut self) -> Result<AgentClient, RecordError> {
        let cx = Cx::new(OBSERVE_TIMEOUT, self.stop.clone());
        let sdk = self.profile.sdk;
        let listening = listen(&self.shell, &cx, sdk, &self.source, TYPES).await;
        listening.map_err(|why| RecordError::Agent(why.to_string()))
    }

    async fn run(&mut self, session: &Session) -> Result<RecordingResult, RecordError> {
        let client = self.listen().await?;
        let first = tokio::select! {
            first = tokio::time::timeout(FIRST_OUTPUT_TIMEOUT, self.signals.recv()) => first,
            () = self.stop.cancelled() => return Ok(self.finished(None)),
        };
        let touches = match &first {
            Ok(Some(TouchSignal::Listening)) => TouchSupport::Touches,
            Ok(_) | Err(_) => TouchSupport::Nothing,
        };
        let header = header(session, &self.profile, touches);
        self.write.line(&header.to_string())?;
        self.observe_screen(&client).await;
        if let Some(front) = self.screens.front() {
            let cx = Cx::new(OBSERVE_TIMEOUT, self.stop.clone());
            let activity = foreground::activity(&self.shell, &cx).await.ok().flatten();
            let class = activity.filter(|(package, _)| *package == front.package);
            let class = class.map(|(_, class)| class);
            self.events
                .first_window(self.now(), &front, class.as_deref());
        }
        match first {
            Ok(Some(signal)) => self.signal(signal, true),
            Ok(None) | Err(_) => {
                let why = "the phone's getevent prints nothing".to_owned();
                self.signal(TouchSignal::Silent(why), true);
            }
        }
        self.flush_all()?;
        (self.on_event)(RecordingEvent::Ready(touches));
        self.report_screen();
        self.listen_until_the_end(session, client).await
    }

    async fn listen_until_the_end(
        &mut self,
        session: &Session,
        first: AgentClient,
    ) -> Result<RecordingResult, RecordError> {
        let mut client = Some(first);
        let end = self.started + session.limits.time;
        let limit = loop {
            let reached = match &client {
                Some(listening) => {
                    let limit = self.receive_events(listening, session, end).await?;
                    if limit.is_none() && !self.stop.is_cancelled() {
                        let why = "the connection to the agent broke: events are not recorded";
                        self.gap(why.to_owned());
                        client = None;
                        continue;
                    }
                    limit
                }
                None => match self.reconnect(session, end).await? {
                    Ok(again) => {
                        self.gap("events are recorded again".to_owned());
                        self.observe_at = Some(Instant::now());
                        client = Some(again);
                        continue;
                    }
                    Err(limit) => limit,
                },
            };
            break reached;
        };
        // Touches reported so far happened before the end.
        while let Ok(signal) = self.signals.try_recv() {
            self.signal(signal, false);
        }
        if let Some(limit) = limit {
            self.gap(format!("the recording ended by itself: {limit}"));
        }
        self.flush_all()?;
        Ok(self.finished(limit))
    }

    /// Records until a limit, a stop, or the end of the connection.
    async fn receive_events(
        &mut self,
        client: &AgentClient,
        session: &Session,
        end: Instant,
    ) -> Result<Option<Limit>, RecordError> {
        let mut quiet_at = Instant::now() + SETTLE;
        loop {
            let due = self.due();
            let stopped = tokio::select! {
                biased;
                () = self.stop.cancelled() => true,
                Some(signal) = self.signals.recv() => {
                    self.signal(signal, false);
                    false
                }
                () = client.event_arrived() => {
                    quiet_at = Instant::now() + SETTLE;
                    false
                }
                () = client.changed(), if self.observe_at.is_none() => {
                    self.observe_at = Some(self.rest_until.max(Instant::now()));
                    false
                }
                () = until(self.observe_at) => {
                    self.observe_screen(client).await;
                    false
                }
                () = until(due) => false,
                () = tokio::time::sleep_until(quiet_at) => {
                    if self.inputs.is_empty() {
                        self.flush_all()?;
                    }
                    quiet_at = Instant::now() + SETTLE;
                    false
                }
                () = tokio::time::sleep_until(end) => false,
            };
            for received in client.take_events() {
                self.queue_event(received);
            }
            self.flush_due()?;
            if self.write.bytes >= session.limits.bytes {
                return Ok(Some(Limit::Bytes(session.limits.bytes)));
            }
            if Instant::now() >= end {
                return Ok(Some(Limit::Time(session.limits.time)));
            }
            if stopped || client.is_broken() {
                return Ok(None);
            }
        }
    }

    /// Observes the screen.
    async fn observe_screen(&mut self, client: &AgentClient) {
        let known = self.screens.revision();
        let request = Request::Observe { display: 0, known };
        let (asked, began) = (Instant::now(), self.now());
        let answer = tokio::select! {
            biased;
            () = self.stop.cancelled() => return,
            answer = tokio::time::timeout(OBSERVE_TIMEOUT, client.call(&request, OBSERVE_TIMEOUT)) => answer,
        };
        let took = asked.elapsed();
        let is_read = match answer {
            Ok(Ok(Answer::Observed { revision, screen })) => {
                let times = (began, self.now());
                let added = self.screens.add(times, revision, screen.as_deref());
                added.is_ok()
            }
            // The event loop detects the end of the connection.
            Ok(Ok(_) | Err(_)) | Err(_) => false,
        };
        // A screen that was changing may be whole without another change.
        let failed = if is_read {
            0
        } else {
            self.failed_observations + 1
        };
        self.failed_observations = failed;
        let is_repeated = (1..=MAX_FAILED_OBSERVATIONS).contains(&failed);
        self.observe_at = is_repeated.then(|| Instant::now() + FAILED_OBSERVATION_PAUSE);
        self.rest_until = Instant::now() + took * REST;
        self.report_screen();
    }

    fn report_screen(&mut self) {
        if let Some(screen) = self.screens.newest() {
            (self.on_event)(RecordingEvent::Observed(screen));
        }
    }

    /// Queues an event with the screen before it.
    fn queue_event(&mut self, received: ReceivedEvent) {
        let ReceivedEvent {
            at,
            lost,
            mut event,
        } = received;
        let at = at.saturating_duration_since(self.started).as_secs_f64() * 1000.0;
        let mask = |text: &mut String| *text = self.screens.mask(text);
        event.texts.iter_mut().for_each(mask);
        mask(&mut event.description);
        if let Some(source) = &mut event.source {
            mask(&mut source.text);
            mask(&mut source.description);
        }
        self.inputs.push(PendingInput {
            at,
            before: self.screens.before_event(at, &event),
            input: InputKind::Event {
                lost,
                event: Box::new(event),
            },
        });
    }

    /// Queues a touch or a button of the phone. Only keys of the system, and touches that no app reports, are recorded by it.
    fn signal(&mut self, signal: TouchSignal, is_first: bool) {
        let (at, input) = match signal {
            TouchSignal::Listening if is_first => return,
            TouchSignal::Listening => {
                let why = "keys and navigation gestures are recorded again";
                (self.now(), InputKind::Gap(why.to_owned()))
            }
            TouchSignal::Silent(why) => {
                let why = format!("keys and navigation gestures are not recorded: {why}");
                (self.now(), InputKind::Gap(why))
            }
            TouchSignal::Input(Input::Button { at, key }) => (at, InputKind::Key(key)),
            TouchSignal::Input(Input::Lost { at }) => {
                let why = "the phone lost events of its touch screen".to_owned();
                (at, InputKind::Gap(why))
            }
            TouchSignal::Input(Input::Stroke(stroke)) => match self.stroke(&stroke) {
                Some(input @ InputKind::Touch(_)) => (stroke.down, input),
                Some(input) => (stroke.up, input),
                None => return,
            },
        };
        let before = match &input {
            InputKind::Key(_) | InputKind::Touch(_) => self.screens.before(at),
            InputKind::Event { .. } | InputKind::Gap(_) => None,
        };
        self.inputs.push(PendingInput { at, input, before });
    }

    fn stroke(&self, stroke: &Stroke) -> Option<InputKind> {
        if stroke.fingers > 1 {
            let why = format!("a gesture of {} fingers", stroke.fingers);
            return Some(InputKind::Gap(why));
        }
        let tree = &self.screens.at(stroke.down)?.tree;
        if let Some(key) = self.navigation.key_of_stroke(stroke, tree) {
            return Some(InputKind::Key(key));
        }
        let (from, to) = self.navigation.points(stroke, tree)?;
        let target = TouchTarget::at(tree, from)?;
        // What is typed is reported by its field.
        let touch = (!target.is_keyboard).then_some(Touch {
            down: stroke.down,
            up: stroke.up,
            from,
            to,
            target,
        })?;
        Some(InputKind::Touch(Box::new(touch)))
    }

    fn gap(&mut self, why: String) {
        self.inputs.push(PendingInput {
            at: self.now(),
            input: InputKind::Gap(why),
            before: None,
        });
    }

    /// When the next input is written.
    fn due(&self) -> Option<Instant> {
        let due = self.inputs.due(self.now())?;
        let after = Duration::try_from_secs_f64(due.max(0.0) / 1000.0).ok()?;
        Some(self.started + after)
    }

    /// Writes the inputs that nothing earlier can arrive before.
    fn flush_due(&mut self) -> Result<(), RecordError> {
        let due = self.inputs.take_due(self.now());
        self.flush(due)
    }

    /// Writes everything.
    fn flush_all(&mut self) -> Result<(), RecordError> {
        let all = self.inputs.take_all();
        self.flush(all)?;
        self.events.settle();
        self.write_lines()
    }

    fn flush(&mut self, due: Vec<PendingInput>) -> Result<(), RecordError> {
        for PendingInput { at, input, before } in due {
            let before = before.as_ref();
            match input {
                InputKind::Event { lost, event } => self.events.event(at, lost, &event, before),
                InputKind::Key(key) => self.events.key(at, key, KeySource::Hardware, before),
                InputKind::Touch(touch) => self.events.touch(&touch, before),
                InputKind::Gap(why) => self.events.gap(at, &why),
            }
        }
        self.write_lines()
    }

    fn write_lines(&mut self) -> Result<(), RecordError> {
        for line in self.events.lines() {
            self.write.line(&line.to_string())?;
        }
        Ok(())
    }

    /// Listens again; the limit if that takes too long, `None` when the recording is stopped.
    async fn reconnect(
        &mut self,
        session: &Session,
        end: Instant,
    ) -> Result<Result<AgentClient, Option<Limit>>, RecordError> {
        self.flush_all()?;
        let lost = Instant::now();
        let mut pause = RECONNECT_DELAY;
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return Ok(Err(None)),
                () = tokio::time::sleep_until(end) => {
                    return Ok(Err(Some(Limit::Time(session.limits.time))));
                }
                () = tokio::time::sleep(pause) => {}
            }
            match self.listen().await {
                Ok(client) => return Ok(Ok(client)),
                Err(_) if lost.elapsed() >= session.limits.away => {
                    return Ok(Err(Some(Limit::Away(session.limits.away))));
                }
                // The gap has the reason.
                Err(_) => pause = (pause * 2).min(MAX_RECONNECT_DELAY),
            }
        }
    }
}

/// Waits until a time, or forever.
async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
