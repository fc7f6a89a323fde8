//! A connection to the agent over any stream. One task owns the stream, so that a frame is always sent whole;
//! calls wait for their answers beside each other.
//!
//! A call that is dropped is withdrawn if it was not sent, else cancelled; its late answer is discarded.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agent_protocol::{
    AgentError, Answer, Change, Frame, FrameReader, FrameTooLong, Hello, HelloAnswer,
    OLDEST_VERSION, Request, RequestKind, VERSION, kind,
};
use driver::Dispatch;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Notify, oneshot};

/// How much is read at once.
const PIECE: usize = 64 * 1024;

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
    /// Wakes the task: there is something to send, or nobody wants the connection any more.
    to_send: Notify,
    /// Wakes who waits for a change.
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    last_id: u32,
    /// Frames that wait to be sent.
    queue: VecDeque<Queued>,
    pending: HashMap<u32, Pending>,
    /// Requests whose answers nobody waits for.
    discarded: HashSet<u32>,
    /// Whether the screen may have changed since the last observation was asked for.
    changed: bool,
    /// Why the connection is unusable.
    broken: Option<String>,
    /// The owner is gone.
    closing: bool,
}

#[derive(Debug)]
struct Queued {
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

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connection: each call learns how far it got.
    fn break_off(&self, message: &str) {
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
        self.changed.notify_waiters();
    }

    /// The next frame to send; `None` when there will be none.
    async fn next_to_send(&self) -> Option<Queued> {
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
            kind::CHANGE => {
                Change::decode(&frame.body).map_err(|error| format!("its message: {error}"))?;
                self.state().changed = true;
                self.changed.notify_waiters();
                Ok(())
            }
            kind::DONE => self.answer(frame, |asked| {
                Answer::decode(asked, &frame.body)
                    .map(Ok)
                    .map_err(|error| format!("its answer to {asked:?}: {error}"))
            }),
            kind::ERROR => {
                let error = AgentError::of_body(&frame.body)
                    .map_err(|error| format!("its error: {error}"))?;
                if frame.id == 0 {
                    return Err(error.to_string());
                }
                self.answer(frame, |_| Ok(Err(error.clone())))
            }
            other => Err(format!("a frame of the unknown kind {other}")),
        }
    }

    /// Hands an answer to its call.
    fn answer(
        &self,
        frame: &Frame,
        read: impl FnOnce(RequestKind) -> Result<Result<Answer, AgentError>, String>,
    ) -> Result<(), String> {
        let mut state = self.state();
        if let Some(pending) = state.pending.get(&frame.id) {
            let answer = read(pending.kind)?;
            if let Some(pending) = state.pending.remove(&frame.id) {
                // A receiver that is gone withdrew its call just now.
                let _ = pending.answer.send(answer.map_err(CallError::Agent));
            }
            return Ok(());
        }
        if state.discarded.remove(&frame.id) {
            return Ok(());
        }
        Err(format!(
            "an answer to the request {}, which nobody made",
            frame.id
        ))
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
            state.queue.push_back(Queued { id, frame });
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
        let shared = Arc::<Shared>::default();
        tokio::spawn(run(stream, Arc::clone(&shared)));
        // If this future is dropped, the task ends with it.
        let owner = Owner(shared);
        let hello = Request::Hello(Hello::with_token(token));
        let answer = call(&owner.0, &hello, Duration::ZERO).await?;
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

    /// Sends a request and waits for its answer. `limit` is how long anybody waits for it; zero is for ever.
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

    /// Returns when the screen may have changed since the last observation was asked for, or the connection
    /// broke.
    pub(crate) async fn changed(&self) {
        loop {
            let mut told = std::pin::pin!(self.owner.0.changed.notified());
            // From here on no message is missed.
            told.as_mut().enable();
            if self.owner.0.state().changed {
                return;
            }
            told.await;
        }
    }

    /// Waits until the agent has closed the connection.
    pub(crate) async fn closed(&self) {
        loop {
            let mut told = std::pin::pin!(self.owner.0.changed.notified());
            told.as_mut().enable();
            if self.is_broken() {
                return;
            }
            told.await;
        }
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

/// An answer of another kind than asked for. The decoder never gives one.
pub(crate) fn unexpected(answer: &Answer) -> CallError {
    CallError::Lost {
        message: format!("an answer of another kind: {answer:?}"),
        dispatch: Dispatch::Unknown,
    }
}

async fn call(shared: &Shared, request: &Request, limit: Duration) -> Result<Answer, CallError> {
    // A limit of less than a millisecond is still one.
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
        let frame = request.encode(id, millis)?;
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
        state.queue.push_back(Queued { id, frame });
        Call { shared, id }
    };
    shared.to_send.notify_one();
    let answer = receiver.await;
    drop(call);
    answer.unwrap_or_else(|_| {
        Err(CallError::Lost {
            message: "the connection to the agent was given up".to_owned(),
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
    shared.break_off(&why);
}

async fn receive_all(mut from: impl AsyncRead + Unpin, shared: &Shared) -> String {
    let mut frames = FrameReader::new();
    let mut piece = vec![0; PIECE];
    loop {
        loop {
            match frames.next_frame() {
                Ok(Some(frame)) => {
                    if let Err(why) = shared.receive(&frame) {
                        return format!("the agent does not follow its protocol: {why}");
                    }
                }
                Ok(None) => break,
                Err(error) => return format!("the agent does not follow its protocol: {error}"),
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
                Ok(0) => "nothing was taken".to_owned(),
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
    "the connection to the agent was given up".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{AgentDispatch, AgentForm, ErrorCode, Features};
    use tokio::io::DuplexStream;

    /// The agent's end of a connection.
    struct Peer {
        stream: DuplexStream,
        frames: FrameReader,
    }

    impl Peer {
        /// The next request; `None` at the end of the connection.
        async fn asked(&mut self) -> Option<(u32, Request)> {
            let mut piece = [0; 7];
            loop {
                if let Some(frame) = self.frames.next_frame().unwrap() {
                    let kind = RequestKind::of_number(frame.kind).unwrap();
                    let (request, _) = Request::decode(kind, &frame.body).unwrap();
                    return Some((frame.id, request));
                }
                match self.stream.read(&mut piece).await.unwrap() {
                    0 => return None,
                    read => self.frames.push(&piece[..read]),
                }
            }
        }

        async fn send(&mut self, frame: Result<Vec<u8>, FrameTooLong>) {
            // Cut at every byte.
            for byte in frame.unwrap() {
                self.stream.write_all(&[byte]).await.unwrap();
            }
        }

        async fn shake_hands(&mut self) {
            let (id, hello) = self.asked().await.unwrap();
            assert_eq!(hello, Request::Hello(Hello::with_token(b"secret")));
            let hello = HelloAnswer {
                version: 1,
                form: AgentForm::Agent,
                sha256: None,
                sdk: 34,
                pid: 1,
                features: Features::INPUT
                    | Features::SCREENSHOTS
                    | Features::CLIPBOARD
                    | Features::EDITOR_ACTION,
                width: 1080,
                height: 2340,
                rotation: 0,
                density: 420,
            };
            self.send(Answer::Hello(hello).encode(id)).await;
        }
    }

    async fn connected() -> (Arc<AgentClient>, Peer) {
        let (near, far) = tokio::io::duplex(64);
        let mut peer = Peer {
            stream: far,
            frames: FrameReader::new(),
        };
        let (client, ()) = tokio::join!(AgentClient::connect(near, b"secret"), peer.shake_hands());
        (Arc::new(client.unwrap()), peer)
    }

    /// Starts a call.
    fn begin(
        client: &Arc<AgentClient>,
        request: Request,
    ) -> tokio::task::JoinHandle<Result<Answer, CallError>> {
        let client = Arc::clone(client);
        tokio::spawn(async move { client.call(&request, Duration::from_secs(1)).await })
    }

    const KEY: Request = Request::Key {
        display: 0,
        code: 4,
        meta: 0,
    };

    #[tokio::test]
    async fn answers_find_their_calls() {
        let (client, mut peer) = connected().await;
        let ping = begin(&client, Request::Ping);
        let (first, _) = peer.asked().await.unwrap();
        let key = begin(&client, KEY);
        let (second, request) = peer.asked().await.unwrap();
        assert_eq!(request, KEY);
        peer.send(Answer::Done.encode(second)).await;
        peer.send(Answer::Pong { revision: 9 }.encode(first)).await;
        assert_eq!(key.await.unwrap(), Ok(Answer::Done));
        assert_eq!(ping.await.unwrap(), Ok(Answer::Pong { revision: 9 }));
    }

    #[tokio::test]
    async fn refused_handshake_names_the_reason() {
        let (near, far) = tokio::io::duplex(1024);
        let mut peer = Peer {
            stream: far,
            frames: FrameReader::new(),
        };
        let busy = AgentError {
            code: ErrorCode::Busy,
            dispatch: AgentDispatch::Nothing,
            message: String::new(),
        };
        let refuse = async {
            let (id, _) = peer.asked().await.unwrap();
            peer.send(busy.to_frame(id)).await;
        };
        let (client, ()) = tokio::join!(AgentClient::connect(near, b"secret"), refuse);
        assert_eq!(client.unwrap_err(), CallError::Agent(busy));
    }

    #[tokio::test]
    async fn dropped_call_is_cancelled_and_its_late_answer_discarded() {
        let (client, mut peer) = connected().await;
        let key = begin(&client, KEY);
        let (id, _) = peer.asked().await.unwrap();
        key.abort();
        assert!(key.await.unwrap_err().is_cancelled());
        let (cancel, request) = peer.asked().await.unwrap();
        assert_eq!(request, Request::Cancel { id });
        peer.send(Answer::Done.encode(id)).await;
        peer.send(Answer::Done.encode(cancel)).await;
        let ping = begin(&client, Request::Ping);
        let (id, _) = peer.asked().await.unwrap();
        peer.send(Answer::Pong { revision: 1 }.encode(id)).await;
        assert_eq!(ping.await.unwrap(), Ok(Answer::Pong { revision: 1 }));
    }

    #[tokio::test]
    async fn dropped_call_that_was_not_sent_is_withdrawn() {
        let (client, mut peer) = connected().await;
        // The pipe holds 64 bytes and is full after the first frame.
        let long = Request::Clipboard {
            set: Some("x".repeat(200)),
        };
        let first = begin(&client, long.clone());
        tokio::task::yield_now().await;
        let second = begin(&client, KEY);
        tokio::task::yield_now().await;
        second.abort();
        assert!(second.await.unwrap_err().is_cancelled());
        let (id, request) = peer.asked().await.unwrap();
        assert_eq!(request, long);
        let text = String::new();
        peer.send(Answer::Clipboard { text }.encode(id)).await;
        assert!(first.await.unwrap().is_ok());
        drop(client);
        assert_eq!(peer.asked().await, None);
    }

    #[tokio::test]
    async fn lost_connection_tells_how_far_each_call_got() {
        let (client, mut peer) = connected().await;
        let sent = begin(&client, KEY);
        peer.asked().await.unwrap();
        let half = begin(
            &client,
            Request::Clipboard {
                set: Some("x".repeat(200)),
            },
        );
        tokio::task::yield_now().await;
        let waiting = begin(&client, KEY);
        tokio::task::yield_now().await;
        drop(peer);
        let dispatch = |done: Result<Answer, CallError>| match done {
            Err(CallError::Lost { dispatch, .. }) => dispatch,
            other => panic!("{other:?}"),
        };
        assert_eq!(dispatch(sent.await.unwrap()), Dispatch::Unknown);
        // The end may be noticed by the reader before the writer.
        assert_ne!(dispatch(half.await.unwrap()), Dispatch::Sent);
        assert_eq!(dispatch(waiting.await.unwrap()), Dispatch::NotSent);
        let later = client.call(&KEY, Duration::ZERO).await;
        assert_eq!(dispatch(later), Dispatch::NotSent);
        assert!(client.is_broken());
    }

    #[tokio::test]
    async fn what_does_not_follow_the_protocol_ends_the_connection() {
        for wrong in [
            agent_protocol::encode_frame(kind::DONE, 2, b"\x01\x02"),
            agent_protocol::encode_frame(kind::DONE, 99, b""),
            agent_protocol::encode_frame(77, 2, b""),
            agent_protocol::encode_frame(kind::ERROR, 2, b"\x63"),
            agent_protocol::encode_frame(kind::CHANGE, 0, b"\x02\x00"),
            Ok(vec![0xff; 4]),
        ] {
            let (client, mut peer) = connected().await;
            let key = begin(&client, KEY);
            peer.asked().await.unwrap();
            peer.send(wrong.clone()).await;
            let Err(CallError::Lost { message, dispatch }) = key.await.unwrap() else {
                panic!("{wrong:?}");
            };
            assert!(message.contains("protocol"), "{message}");
            assert_eq!(dispatch, Dispatch::Unknown);
        }
    }

    #[tokio::test]
    async fn change_is_told_once_for_each_observation() {
        let (client, mut peer) = connected().await;
        let look = Request::Observe {
            display: 0,
            known: 1,
        };
        for _ in 0..2 {
            let seen = begin(&client, look.clone());
            let (id, _) = peer.asked().await.unwrap();
            let unchanged = Answer::Observed {
                revision: 1,
                screen: None,
            };
            peer.send(unchanged.encode(id)).await;
            seen.await.unwrap().unwrap();
            let still = tokio::time::timeout(Duration::from_millis(20), client.changed());
            assert!(still.await.is_err());
            let waits = {
                let client = Arc::clone(&client);
                tokio::spawn(async move { client.changed().await })
            };
            peer.send(Change { event_types: 32 }.encode()).await;
            waits.await.unwrap();
            client.changed().await;
        }
    }
}
