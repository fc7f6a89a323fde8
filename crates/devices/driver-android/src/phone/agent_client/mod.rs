//! A connection to the agent over any stream. One task owns the stream, so that a frame is always sent whole;
//! calls wait for their answers beside each other.
//!
//! A call that is dropped is withdrawn if it was not sent, else cancelled; its late answer is discarded.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_protocol::{
    AgentError, Answer, AppEvent, Frame, FrameReader, FrameTooLong, Hello, HelloAnswer, Message,
    OLDEST_VERSION, Request, RequestKind, ScreenCopy, VERSION, kind,
};
use driver::Dispatch;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

/// How much is read at once.
const READ_BUFFER_BYTES: usize = 64 * 1024;
/// The most events that wait to be taken; older ones count as lost.
const MAX_EVENTS: usize = 1000;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    /// The agent answered with an error.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The connection broke, or had broken before.
    #[error("{message}")]
    Lost {
        /// How.
        message: String,
        /// Whether the agent may have received the request.
        dispatch: Dispatch,
    },
    /// The request does not fit a frame; it was not sent.
    #[error(transparent)]
    TooLong(#[from] FrameTooLong),
}

/// A connection to the agent, after the handshake.
#[derive(Debug)]
pub(crate) struct AgentClient {
    owner: Owner,
    hello: HelloAnswer,
}

/// What calls and the task of the connection share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Wakes the task: there is a frame to send, or the connection has no owner any more.
    to_send: Notify,
    /// Notified when the screen may have changed, an event arrived, or the connection broke.
    state_changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    last_id: u32,
    /// Frames that wait to be sent.
    queue: VecDeque<QueuedRequest>,
    pending: HashMap<u32, Pending>,
    /// Requests whose answers are dropped.
    discarded: HashSet<u32>,
    /// The last content that arrived.
    screen: ScreenCopy,
    /// Whether the screen may have changed since the last observation was asked for.
    changed: bool,
    /// Events of apps that were not taken yet.
    events: VecDeque<ReceivedEvent>,
    /// Events that were dropped since the last one that was taken.
    dropped: u64,
    /// Why the connection is unusable.
    broken: Option<String>,
    /// The owner is gone.
    closing: bool,
}

/// An event of an app, as it arrived.
#[derive(Debug)]
pub(crate) struct ReceivedEvent {
    /// Arrival time.
    pub(crate) at: Instant,
    /// The events before it that are not known.
    pub(crate) lost: u64,
    /// The event.
    pub(crate) event: AppEvent,
}

#[derive(Debug)]
struct QueuedRequest {
    id: u32,
    frame: Vec<u8>,
}

#[derive(Debug)]
struct Pending {
    kind: RequestKind,
    answer: oneshot::Sender<Result<Answer, CallError>>,
    /// Whether the frame may have reached the agent.
    dispatch: Dispatch,
}

impl State {
    fn push_event(&mut self, event: AppEvent) {
        if self.events.len() == MAX_EVENTS
            && let Some(oldest) = self.events.pop_front()
        {
            self.dropped += oldest.lost + 1;
        }
        let now = Instant::now();
        let age = Duration::from_millis(event.age_ms);
        self.events.push_back(ReceivedEvent {
            at: now.checked_sub(age).unwrap_or(now),
            lost: event.lost,
            event,
        });
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connection: each pending call fails with its dispatch state.
    fn fail(&self, message: &str) {
        let mut state = self.state();
        if state.broken.is_some() {
            return;
        }
        state.broken = Some(message.to_owned());
        state.changed = true;
        state.queue.clear();
        for (_, pending) in state.pending.drain() {
            // A receiver that is gone withdrew its call.
            let _ = pending.answer.send(Err(CallError::Lost {
                message: message.to_owned(),
                dispatch: pending.dispatch,
            }));
        }
        drop(state);
        self.state_changed.notify_waiters();
    }

    /// The next frame to send; `None` when there will be none.
    async fn next_to_send(&self) -> Option<QueuedRequest> {
        loop {
            let woken = self.to_send.notified();
            {
                let mut state = self.state();
                if let Some(queued) = state.queue.pop_front() {
                    if let Some(pending) = state.pending.get_mut(&queued.id) {
                        pending.dispatch = Dispatch::Unknown;
                    }
                    return Some(queued);
                }
                if state.closing || state.broken.is_some() {
                    return None;
                }
            }
            woken.await;
        }
    }

    /// A frame of which the last byte was not taken is none that the agent can run.
    fn was_not_sent(&self, id: u32) {
        if let Some(pending) = self.state().pending.get_mut(&id) {
            pending.dispatch = Dispatch::NotSent;
        }
    }

    /// Processes a frame of the agent; an error ends the connection.
    fn receive(&self, frame: &Frame) -> Result<(), String> {
        match frame.kind {
            kind::MESSAGE => {
                let message = Message::decode(&frame.body);
                match message.map_err(|error| format!("its message: {error}"))? {
                    Message::Changed(_) => self.state().changed = true,
                    Message::AppEvent(event) => self.state().push_event(*event),
                }
                self.state_changed.notify_waiters();
                Ok(())
            }
            kind::DONE => self.answer(frame, |request, screen| {
                Answer::decode(request, &frame.body, screen)
                    .map(Ok)
                    .map_err(|error| format!("its answer to {request:?}: {error}"))
            }),
            kind::ERROR => {
                let error = AgentError::of_body(&frame.body)
                    .map_err(|error| format!("its error: {error}"))?;
                if frame.id == 0 {
                    return Err(error.to_string());
                }
                self.answer(frame, |_, _| Ok(Err(error.clone())))
            }
            other => Err(format!("a frame of the unknown kind {other}")),
        }
    }

    /// Delivers an answer to its pending call.
    fn answer(
        &self,
        frame: &Frame,
        read: impl FnOnce(RequestKind, &mut ScreenCopy) -> Result<Result<Answer, AgentError>, String>,
    ) -> Result<(), String> {
        let mut state = self.state();
        if let Some(kind) = state.pending.get(&frame.id).map(|pending| pending.kind) {
            let answer = read(kind, &mut state.screen)?;
            if let Some(pending) = state.pending.remove(&frame.id) {
                // A receiver that is gone withdrew its call just now.
                let _ = pending.answer.send(answer.map_err(CallError::Agent));
            }
            return Ok(());
        }
        if state.discarded.remove(&frame.id) {
            return Ok(());
        }
        Err(format!("an answer to the unknown request {}", frame.id))
    }
}

/// A call in progress. If it is dropped before its answer, the request is cancelled.
struct Call<'a> {
    shared: &'a Shared,
    id: u32,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        let Some(pending) = state.pending.remove(&self.id) else {
            return;
        };
        if pending.kind == RequestKind::Observe {
            // Changes before this observation were not seen.
            state.changed = true;
        }
        let waiting = state.queue.iter().position(|queued| queued.id == self.id);
        if let Some(place) = waiting {
            state.queue.remove(place);
            return;
        }
        state.discarded.insert(self.id);
        let cancel = Request::Cancel { id: self.id };
        state.last_id = next_id(state.last_id);
        let id = state.last_id;
        // It is a short frame.
        if let Ok(frame) = cancel.encode(id, 0) {
            state.discarded.insert(id);
            state.queue.push_back(QueuedRequest { id, frame });
        }
        drop(state);
        self.shared.to_send.notify_one();
    }
}

/// Ids are above 0.
const fn next_id(last: u32) -> u32 {
    match last.checked_add(1) {
        Some(id) => id,
        None => 1,
    }
}

impl AgentClient {
    /// Shakes hands over a stream to the agent.
    pub(crate) async fn connect<S>(stream: S, token: &[u8]) -> Result<Self, CallError>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        Self::handshake(stream, &Request::Hello(Hello::with_token(token))).await
    }

    /// Shakes hands as a client that only listens to events of these types.
    pub(crate) async fn listen<S>(stream: S, token: &[u8], types: u64) -> Result<Self, CallError>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        Self::handshake(stream, &Request::Listen(Hello::with_token(token), types)).await
    }

    async fn handshake<S>(stream: S, hello: &Request) -> Result<Self, CallError>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let shared = Arc::<Shared>::default();
        tokio::spawn(run(stream, Arc::clone(&shared)));
        // If this future is dropped, the task ends with it.
        let owner = Owner(shared);
        let answer = call(&owner.0, hello, Duration::ZERO).await?;
        let Answer::Hello(hello) = answer else {
            return Err(unexpected(&answer));
        };
        if !(OLDEST_VERSION..=VERSION).contains(&hello.version) {
            let message = format!("it chose version {}, which was not offered", hello.version);
            return Err(CallError::Lost {
                message,
                dispatch: Dispatch::NotSent,
            });
        }
        Ok(Self { owner, hello })
    }

    /// What the agent said of itself.
    pub(crate) const fn hello(&self) -> &HelloAnswer {
        &self.hello
    }

    /// Sends a request and waits for its answer. A revision is only named as known if its content arrived last on this
    /// connection. `limit` is sent to the agent, which gives the request up
    /// after it; zero means no limit.
    pub(crate) async fn call(
        &self,
        request: &Request,
        limit: Duration,
    ) -> Result<Answer, CallError> {
        call(&self.owner.0, request, limit).await
    }

    /// Whether the connection is unusable.
    pub(crate) fn is_broken(&self) -> bool {
        self.owner.0.state().broken.is_some()
    }

    /// Returns when this holds for the state, which each message may change.
    async fn wait_until(&self, holds: impl Fn(&State) -> bool) {
        loop {
            let mut notification = std::pin::pin!(self.owner.0.state_changed.notified());
            // From here on no message is missed.
            notification.as_mut().enable();
            if holds(&self.owner.0.state()) {
                return;
            }
            notification.await;
        }
    }

    /// Returns when the screen may have changed since the last observation was asked for, or the connection
    /// broke.
    pub(crate) async fn changed(&self) {
        self.wait_until(|state| state.changed).await;
    }

    /// The events of apps since the last call.
    pub(crate) fn take_events(&self) -> Vec<ReceivedEvent> {
        let mut state = self.owner.0.state();
        let dropped = std::mem::take(&mut state.dropped);
        let mut events: Vec<ReceivedEvent> = state.events.drain(..).collect();
        if let Some(first) = events.first_mut() {
            first.lost += dropped;
        }
        events
    }

    /// Returns when an event arrived that was not taken yet, or the connection broke.
    pub(crate) async fn event_arrived(&self) {
        self.wait_until(|state| !state.events.is_empty() || state.broken.is_some())
            .await;
    }

    /// Waits until the agent has closed the connection.
    pub(crate) async fn closed(&self) {
        self.wait_until(|state| state.broken.is_some()).await;
    }
}

/// Keeps the connection open; the task ends when it is dropped.
#[derive(Debug)]
struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.state().closing = true;
        self.0.to_send.notify_one();
    }
}

/// An answer of another kind than the request. The decoder never returns one.
pub(crate) fn unexpected(answer: &Answer) -> CallError {
    CallError::Lost {
        message: format!("an answer of another kind: {answer:?}"),
        dispatch: Dispatch::Unknown,
    }
}

async fn call(shared: &Shared, request: &Request, limit: Duration) -> Result<Answer, CallError> {
    // Rounded up, because zero means no limit.
    let millis = u64::try_from(limit.as_micros().div_ceil(1000)).unwrap_or(u64::MAX);
    let (sender, receiver) = oneshot::channel();
    let call = {
        let mut state = shared.state();
        if let Some(message) = &state.broken {
            return Err(CallError::Lost {
                message: message.clone(),
                dispatch: Dispatch::NotSent,
            });
        }
        let id = next_id(state.last_id);
        let frame = match *request {
            Request::Observe { display, known } if known != state.screen.revision() => {
                Request::Observe { display, known: 0 }.encode(id, millis)?
            }
            _ => request.encode(id, millis)?,
        };
        state.last_id = id;
        if request.kind() == RequestKind::Observe {
            state.changed = false;
        }
        state.pending.insert(
            id,
            Pending {
                kind: request.kind(),
                answer: sender,
                dispatch: Dispatch::NotSent,
            },
        );
        state.queue.push_back(QueuedRequest { id, frame });
        Call { shared, id }
    };
    shared.to_send.notify_one();
    let answer = receiver.await;
    drop(call);
    answer.unwrap_or_else(|_| {
        Err(CallError::Lost {
            message: "the connection to the agent was closed by this program".to_owned(),
            dispatch: Dispatch::Unknown,
        })
    })
}

/// Sends and receives until the connection ends.
async fn run<S: AsyncRead + AsyncWrite>(stream: S, shared: Arc<Shared>) {
    let (reader, writer) = tokio::io::split(stream);
    let why = tokio::select! {
        why = receive_all(reader, &shared) => why,
        why = send_all(writer, &shared) => why,
    };
    shared.fail(&why);
}

async fn receive_all(mut from: impl AsyncRead + Unpin, shared: &Shared) -> String {
    let mut frames = FrameReader::new();
    let mut piece = vec![0; READ_BUFFER_BYTES];
    loop {
        loop {
            match frames.next_frame() {
                Ok(Some(frame)) => {
                    if let Err(why) = shared.receive(&frame) {
                        return format!("the agent violated its protocol: {why}");
                    }
                }
                Ok(None) => break,
                Err(error) => return format!("the agent violated its protocol: {error}"),
            }
        }
        match from.read(&mut piece).await {
            Ok(0) if frames.is_between_frames() => {
                return "the agent closed the connection".to_owned();
            }
            Ok(0) => return "the connection to the agent ended within an answer".to_owned(),
            Ok(read) => frames.push(piece.get(..read).unwrap_or_default()),
            Err(error) => return format!("the connection to the agent failed: {error}"),
        }
    }
}

async fn send_all(mut to: impl AsyncWrite + Unpin, shared: &Shared) -> String {
    while let Some(queued) = shared.next_to_send().await {
        let mut rest = queued.frame.as_slice();
        while !rest.is_empty() {
            let failed = match to.write(rest).await {
                Ok(0) => "the stream accepts no more data".to_owned(),
                Ok(written) => {
                    rest = rest.get(written..).unwrap_or_default();
                    continue;
                }
                Err(error) => error.to_string(),
            };
            shared.was_not_sent(queued.id);
            return format!("the connection to the agent failed: {failed}");
        }
        if let Err(error) = to.flush().await {
            return format!("the connection to the agent failed: {error}");
        }
    }
    "the connection to the agent was closed by this program".to_owned()
}

#[cfg(test)]
mod tests;
