//! The session of an agent's client: a handshake, then requests in order.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_protocol::{
    AgentDispatch, AgentError, AgentErrorCode, AgentForm, Answer, AppEventKind, Change, Features,
    Frame, FrameReader, FrameTooLong, Hello, HelloAnswer, Request, RequestKind, VERSION,
    encode_frame, kind,
};
use driver::{Cx, Driver};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::adb_phone::AdbPhone;
use crate::agent::events::EventFeed;
use crate::agent::requests::{self, error, fires};
use crate::agent_slot::{AgentSlot, Role, RunningAgent};
use crate::fault::{AgentFault, CommandStage};

const PIECE: usize = 16 * 1024;
/// The platform's number of the event `TYPE_WINDOW_CONTENT_CHANGED`.
const CONTENT_CHANGED: u64 = 0x800;

struct SessionEnd;

type Step<T> = Result<T, SessionEnd>;

struct QueuedRequest {
    id: u32,
    request: Request,
    until: Option<Instant>,
    cancel: CancellationToken,
}

struct Session<'a, W> {
    adb_phone: &'a AdbPhone,
    agent: &'a Arc<RunningAgent>,
    writer: tokio::sync::Mutex<W>,
    cancels: Mutex<HashMap<u32, CancellationToken>>,
    /// The phone's revision of the last observation; `None` if no change is to be reported.
    armed: watch::Sender<Option<u64>>,
}

/// Serves a client of the agent's socket until one of them ends.
pub(crate) async fn serve(
    stream: impl AsyncRead + AsyncWrite,
    adb_phone: &AdbPhone,
    agent: &Arc<RunningAgent>,
) {
    let (reader, writer) = tokio::io::split(stream);
    let session = Session {
        adb_phone,
        agent,
        writer: tokio::sync::Mutex::new(writer),
        cancels: Mutex::default(),
        armed: watch::Sender::new(None),
    };
    tokio::select! {
        Ok(()) | Err(SessionEnd) = session.run(reader) => {}
        () = agent.ended() => {}
    }
    // The client may be gone.
    drop(session.writer.lock().await.shutdown().await);
}

impl<W: AsyncWrite + Unpin> Session<'_, W> {
    async fn run(&self, mut reader: impl AsyncRead + Unpin) -> Step<()> {
        let mut frames = FrameReader::new();
        let hello = next(&mut frames, &mut reader).await?;
        let (role, types) = match self.check_hello(&hello) {
            Ok(greeted) => greeted,
            Err(refusal) => return self.send(refusal.to_frame(hello.id)).await,
        };
        let Some(_visit) = self.agent.enter(role) else {
            let busy = "another client is connected";
            let busy = error(AgentErrorCode::Busy, AgentDispatch::Nothing, busy);
            return self.send(busy.to_frame(hello.id)).await;
        };
        let feed = EventFeed::from_now_on(self.adb_phone, self.agent, types).await;
        self.send(self.welcome().await.encode(hello.id)).await?;
        let (queue, waiting) = mpsc::unbounded_channel();
        tokio::select! {
            ended = self.read(frames, reader, role, queue) => ended,
            ended = self.work(role, waiting) => ended,
            ended = self.send_changes() => ended,
            ended = self.send_events(feed) => ended,
        }
    }

    /// Checks the first frame. Returns the client's role and the event types that it receives.
    fn check_hello(&self, frame: &Frame) -> Result<(Role, u64), AgentError> {
        let refuse = |code, message: &str| Err(error(code, AgentDispatch::Nothing, message));
        let kind = match RequestKind::of_number(frame.kind) {
            Some(kind @ (RequestKind::Hello | RequestKind::Listen)) => kind,
            _ => return refuse(AgentErrorCode::Token, "the first frame is HELLO"),
        };
        let (hello, role, types) = match Request::decode(kind, &frame.body) {
            Ok((Request::Hello(hello), _)) => (hello, Role::Client, AppEventKind::Noticed as u64),
            Ok((Request::Listen(hello, types), _)) => (hello, Role::Listener, types),
            Ok(_) => return refuse(AgentErrorCode::BadRequest, "not HELLO"),
            Err(wrong) => return refuse(AgentErrorCode::BadRequest, &wrong.to_string()),
        };
        let Hello {
            lowest,
            highest,
            token,
        } = hello;
        if token != self.agent.ready.token {
            return refuse(AgentErrorCode::Token, "wrong token");
        }
        if fires(self.adb_phone, AgentFault::Version) {
            let other = VERSION + 1;
            return refuse(AgentErrorCode::Version, &format!("{other}-{other}"));
        }
        if !(lowest..=highest).contains(&VERSION) {
            return refuse(AgentErrorCode::Version, &format!("{VERSION}-{VERSION}"));
        }
        Ok((role, types))
    }

    async fn welcome(&self) -> Answer {
        let driver = self.adb_phone.driver().await;
        let screen = driver.phone().screen();
        let pixels = |length: i32| u32::try_from(length).unwrap_or(0);
        let upright = driver.info().screen;
        let is_old = fires(self.adb_phone, AgentFault::OldVersion);
        Answer::Hello(HelloAnswer {
            version: VERSION - u32::from(is_old),
            form: self.agent.form,
            sha256: Some(self.agent.ready.sha256),
            sdk: self.sdk(),
            pid: self.agent.ready.pid,
            features: Features::REST
                | Features::SCREENSHOTS
                | Features::EDITOR_ACTION
                | match self.agent.form {
                    AgentForm::Agent => Features::INPUT | Features::CLIPBOARD | Features::ROTATION,
                    AgentForm::App => Features::GESTURES | Features::SYSTEM_KEYS,
                },
            width: pixels(screen.width),
            height: pixels(screen.height),
            rotation: u8::from(screen != upright),
            density: driver.info().density,
        })
    }

    fn sdk(&self) -> u32 {
        let state = self.adb_phone.state();
        let sdk = state.properties.get("ro.build.version.sdk");
        sdk.and_then(|sdk| sdk.parse().ok()).unwrap_or_default()
    }

    fn cancels(&self) -> MutexGuard<'_, HashMap<u32, CancellationToken>> {
        self.cancels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send(&self, frame: Result<Vec<u8>, FrameTooLong>) -> Step<()> {
        let mut bytes = frame.map_err(|_| SessionEnd)?;
        let cut = fires(self.adb_phone, AgentFault::CutFrames);
        if cut {
            bytes.truncate(bytes.len() / 2);
        }
        let mut writer = self.writer.lock().await;
        writer.write_all(&bytes).await.map_err(|_| SessionEnd)?;
        writer.flush().await.map_err(|_| SessionEnd)?;
        if cut { Err(SessionEnd) } else { Ok(()) }
    }

    /// Reads requests; answers `PING` and `CANCEL` at once and queues the others.
    async fn read(
        &self,
        mut frames: FrameReader,
        mut reader: impl AsyncRead + Unpin,
        role: Role,
        queue: mpsc::UnboundedSender<QueuedRequest>,
    ) -> Step<()> {
        loop {
            let Frame { kind, id, body } = next(&mut frames, &mut reader).await?;
            let decoded = match RequestKind::of_number(kind) {
                Some(kind) => Request::decode(kind, &body).map_err(|wrong| wrong.to_string()),
                None => Err(format!("the kind {kind} is unknown")),
            };
            let (request, limit) = match decoded {
                Ok(decoded) => decoded,
                Err(why) => {
                    let wrong = error(AgentErrorCode::BadRequest, AgentDispatch::Nothing, &why);
                    self.send(wrong.to_frame(id)).await?;
                    continue;
                }
            };
            match request {
                Request::Ping => {
                    let revision = requests::revision(self.agent, role);
                    self.send(Answer::Pong { revision }.encode(id)).await?;
                }
                Request::Cancel { id: other } => {
                    if let Some(cancel) = self.cancels().get(&other) {
                        cancel.cancel();
                    }
                    self.send(Answer::Done.encode(id)).await?;
                }
                ref other if role == Role::Listener && other.kind() != RequestKind::Observe => {
                    let why = "this client only listens and observes";
                    let wrong = error(AgentErrorCode::BadRequest, AgentDispatch::Nothing, why);
                    self.send(wrong.to_frame(id)).await?;
                }
                request => {
                    let cancel = CancellationToken::new();
                    self.cancels().insert(id, cancel.clone());
                    let until = (limit > 0).then(|| Instant::now() + Duration::from_millis(limit));
                    let queued = QueuedRequest {
                        id,
                        request,
                        until,
                        cancel,
                    };
                    queue.send(queued).map_err(|_| SessionEnd)?;
                }
            }
        }
    }

    async fn work(
        &self,
        role: Role,
        mut waiting: mpsc::UnboundedReceiver<QueuedRequest>,
    ) -> Step<()> {
        while let Some(queued) = waiting.recv().await {
            let id = queued.id;
            let done = self.answer(role, queued).await;
            self.cancels().remove(&id);
            done?;
        }
        Err(SessionEnd)
    }

    async fn answer(&self, role: Role, queued: QueuedRequest) -> Step<()> {
        let (id, until, cancel) = (queued.id, queued.until, queued.cancel);
        let is_over = until.is_some_and(|until| Instant::now() >= until);
        if is_over || cancel.is_cancelled() {
            let late = "cancelled before it began";
            let late = error(AgentErrorCode::Cancelled, AgentDispatch::Nothing, late);
            return self.send(late.to_frame(id)).await;
        }
        let changes = queued.request.kind().changes();
        self.die_at(CommandStage::Before, changes)?;
        let done = match queued.request {
            Request::Quit => {
                self.send(Answer::Done.encode(id)).await?;
                self.end().await;
                return Err(SessionEnd);
            }
            Request::Observe { display, known } => {
                self.armed.send_replace(None);
                let budget = until.map_or(Duration::from_secs(600), |until| {
                    until.saturating_duration_since(Instant::now())
                });
                let cx = Cx::new(budget, cancel);
                let what = (display, known);
                match requests::observe(self.adb_phone, self.agent, role, &cx, what).await {
                    Ok(seen) => {
                        self.send(encode_frame(kind::DONE, id, &seen.answer))
                            .await?;
                        self.armed.send_replace(Some(seen.phone_revision));
                        return Ok(());
                    }
                    Err(error) => Err(error),
                }
            }
            request => {
                let running = requests::run(self.adb_phone, self.agent, request);
                tokio::select! {
                    biased;
                    done = running => {
                        // Listeners also get the keys that this request pressed.
                        self.slot().phone_was_used();
                        done
                    }
                    // Dropping the gesture lifts the finger.
                    () = cancel.cancelled() => {
                        Err(error(AgentErrorCode::Cancelled, AgentDispatch::Done, "cancelled"))
                    }
                }
            }
        };
        self.die_at(CommandStage::Done, changes)?;
        match done {
            Ok(answer) => self.send(answer.encode(id)).await,
            Err(error) => self.send(error.to_frame(id)).await,
        }
    }

    /// Ends the process if a fault fires at this stage of an input.
    fn die_at(&self, stage: CommandStage, changes: bool) -> Step<()> {
        if changes && fires(self.adb_phone, AgentFault::Killed(stage)) {
            self.slot().kill();
            return Err(SessionEnd);
        }
        Ok(())
    }

    fn slot(&self) -> &AgentSlot {
        match self.agent.form {
            AgentForm::Agent => self.adb_phone.agents(),
            AgentForm::App => self.adb_phone.app_agents(),
        }
    }

    /// Shuts the process down.
    async fn end(&self) {
        self.adb_phone.clean_up_after(self.agent).await;
        self.slot().kill();
    }

    async fn send_events(&self, mut feed: EventFeed) -> Step<()> {
        loop {
            let mut used = std::pin::pin!(self.slot().used().notified());
            used.as_mut().enable();
            let (events, next) = feed.poll(self.adb_phone).await;
            for event in events {
                self.send(event.encode()).await?;
            }
            tokio::select! {
                () = used => {}
                () = until(next) => {}
            }
        }
    }

    /// Reports that the screen has changed since the last observation.
    async fn send_changes(&self) -> Step<()> {
        let mut armed = self.armed.subscribe();
        loop {
            let since = *armed.borrow_and_update();
            let Some(since) = since else {
                armed.changed().await.map_err(|_| SessionEnd)?;
                continue;
            };
            let mut used = std::pin::pin!(self.slot().used().notified());
            used.as_mut().enable();
            let (revision, next) = self.adb_phone.next_change().await;
            if revision != since {
                // A newer observation is reported separately.
                let still = self.armed.send_if_modified(|armed| {
                    let still = *armed == Some(since);
                    if still {
                        *armed = None;
                    }
                    still
                });
                if still {
                    let event_types = CONTENT_CHANGED;
                    self.send(Change { event_types }.encode()).await?;
                }
                continue;
            }
            tokio::select! {
                () = used => {}
                () = until(next) => {}
                changed = armed.changed() => changed.map_err(|_| SessionEnd)?,
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

async fn next(frames: &mut FrameReader, reader: &mut (impl AsyncRead + Unpin)) -> Step<Frame> {
    let mut piece = vec![0; PIECE];
    loop {
        if let Some(frame) = frames.next_frame().map_err(|_| SessionEnd)? {
            return Ok(frame);
        }
        match reader.read(&mut piece).await {
            Ok(0) | Err(_) => return Err(SessionEnd),
            Ok(read) => frames.push(piece.get(..read).unwrap_or_default()),
        }
    }
}
