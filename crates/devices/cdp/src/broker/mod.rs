//! Shares the pipe to a browser between several clients.
//!
//! Each client gets its own browser session (`Target.attachToBrowserTarget`), which is the parent of all its
//! sessions: it receives the answers and events of these only, and its settings end with it. To a client it
//! looks like an exclusive connection. Messages are passed on unchanged, except that call ids are replaced and
//! the browser session is added towards the browser and removed towards the client.

mod frame;

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::Deserialize;
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, BufWriter,
};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use crate::transport::READ_BUFFER;
use crate::wire::{Answer, Content};
use frame::{Frame, Message};

/// Maximum length of a client's message, in bytes, as in browsers.
const MAX_MESSAGE: u64 = 100 << 20;
/// Maximum number of bytes queued for a client. A slower client is disconnected.
const MAX_BACKLOG: usize = 256 << 20;
/// Maximum number of messages queued for the browser before clients have to wait.
const MAX_QUEUED_CALLS: usize = 8;
/// The highest call id: browsers use signed 32-bit ids.
const MAX_ID: u64 = i32::MAX as u64;
/// A session id that never exists.
const MISSING_SESSION: &str = "none";

/// Shares the pipe to a browser. Clones share the same pipe.
#[derive(Clone, Debug)]
pub struct Broker {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    to_browser: mpsc::Sender<Message>,
    ended: watch::Sender<bool>,
    /// The reader and writer of the pipe, which is closed when they end.
    tasks: OnceLock<[AbortHandle; 2]>,
}

#[derive(Debug, Default)]
struct State {
    last_id: u64,
    last_client: u64,
    /// Whether the browser has closed the pipe.
    ended: bool,
    calls: HashMap<u64, PendingCall>,
    clients: HashMap<u64, Client>,
    sessions: HashMap<String, SessionOwner>,
}

/// A pending call.
#[derive(Debug)]
enum PendingCall {
    /// A call of a client, with the client's id.
    Client {
        client: u64,
        id: u64,
        session: String,
    },
    /// The call that attaches a client.
    Attach {
        client: u64,
        queue: Queue,
        attached: oneshot::Sender<String>,
    },
}

/// The owner of a session.
#[derive(Debug)]
struct SessionOwner {
    client: u64,
    /// The parent session; `None` for a browser session.
    parent: Option<String>,
}

#[derive(Debug)]
struct Client {
    /// Its browser session.
    browser: String,
    queue: Queue,
}

/// The queue of messages to a client.
#[derive(Debug)]
struct Queue {
    messages: mpsc::UnboundedSender<Message>,
    bytes: Arc<AtomicUsize>,
    /// Notified when the client is to be disconnected.
    overrun: Arc<Notify>,
}

impl Queue {
    /// Queues a message; `false` if there is no room.
    fn push(&self, message: Message) -> bool {
        let length = message.len();
        let before = self.bytes.fetch_add(length, Ordering::AcqRel);
        if before > 0 && before + length > MAX_BACKLOG {
            self.overrun.notify_one();
            return false;
        }
        // Fails only if the client is gone.
        let _ = self.messages.send(message);
        true
    }
}

impl Broker {
    /// Takes over the pipe to a browser until the browser closes it. Requires a tokio runtime.
    pub fn new(
        from_browser: impl AsyncRead + Send + Unpin + 'static,
        to_browser: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let (sender, messages) = mpsc::channel(MAX_QUEUED_CALLS);
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            to_browser: sender,
            ended: watch::Sender::new(false),
            tasks: OnceLock::new(),
        });
        // If writing fails, the reader detects the end of the browser.
        let writer = tokio::spawn(async move {
            let _ = write_browser(messages, to_browser).await;
        });
        let reader = tokio::spawn(read_browser(Arc::clone(&shared), from_browser));
        let tasks = [writer.abort_handle(), reader.abort_handle()];
        shared.tasks.get_or_init(|| tasks);
        Self { shared }
    }

    /// Closes the pipe, which ends the browser.
    pub fn close(&self) {
        for task in self.shared.tasks.get().into_iter().flatten() {
            task.abort();
        }
        self.shared.end();
    }

    /// Returns when the browser has closed the pipe.
    pub async fn ended(&self) {
        let mut ended = self.shared.ended.subscribe();
        // Cannot fail: `self` owns the sender.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    /// Serves a client until it disconnects, sends an invalid message, reads too slowly, or the browser has
    /// ended and all messages are delivered.
    pub async fn serve(&self, stream: impl AsyncRead + AsyncWrite + Send) {
        let (read, write) = tokio::io::split(stream);
        let (messages, waiting) = mpsc::unbounded_channel();
        let bytes = Arc::new(AtomicUsize::new(0));
        let overrun = Arc::new(Notify::new());
        let queue = Queue {
            messages,
            bytes: Arc::clone(&bytes),
            overrun: Arc::clone(&overrun),
        };
        let Some((client, session)) = self.attach(queue).await else {
            return;
        };
        tokio::select! {
            () = self.forward_calls(client, &session, read) => {}
            _ = write_client(waiting, &bytes, write) => {}
            () = overrun.notified() => {}
        }
        self.detach(client, &session).await;
    }

    /// Creates the session of a new client; `None` if the browser ended or refuses.
    async fn attach(&self, queue: Queue) -> Option<(u64, String)> {
        let (sender, attached) = oneshot::channel();
        let (client, id) = {
            let mut state = self.shared.lock();
            if state.ended {
                return None;
            }
            state.last_client += 1;
            let client = state.last_client;
            let call = PendingCall::Attach {
                client,
                queue,
                attached: sender,
            };
            (client, state.register(call))
        };
        let call = format!("{{\"id\":{id},\"method\":\"Target.attachToBrowserTarget\"}}");
        self.shared.send(call.into()).await;
        Some((client, attached.await.ok()?))
    }

    /// Ends the session of a client and all its child sessions.
    async fn detach(&self, client: u64, session: &str) {
        let id = {
            let mut state = self.shared.lock();
            state.clients.remove(&client);
            state.sessions.retain(|_, owner| owner.client != client);
            state.calls.retain(|_, call| call.client() != client);
            state.free_id()
        };
        let call = format!(
            "{{\"id\":{id},\"method\":\"Target.detachFromTarget\",\"params\":{{\"sessionId\":\"{session}\"}}}}"
        );
        self.shared.send(call.into()).await;
    }

    /// Forwards the calls of a client to the browser, until the client ends or sends an invalid message.
    async fn forward_calls(&self, client: u64, browser: &str, read: impl AsyncRead + Unpin) {
        let mut read = BufReader::new(read);
        loop {
            let Some(bytes) = next_bytes(&mut read, MAX_MESSAGE).await else {
                return;
            };
            let Some(frame) = Frame::parse(bytes) else {
                return;
            };
            let Some(id) = frame.id() else {
                return;
            };
            let session = match frame.session() {
                None => browser.to_owned(),
                Some(session) => self.shared.lock().session_of(client, session),
            };
            let number = self.shared.lock().register(PendingCall::Client {
                client,
                id,
                session: session.clone(),
            });
            self.shared
                .send(frame.with_ids(number, Some(&session)))
                .await;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message to the browser, waiting for room.
    async fn send(&self, message: Message) {
        // Fails only if the pipe is closed, which the reader handles.
        let _ = self.to_browser.send(message).await;
    }

    /// Routes a message of the browser to its client.
    fn route(&self, frame: Frame) {
        let mut state = self.lock();
        match frame.id() {
            Some(id) => state.route_answer(id, frame),
            None => state.route_event(frame),
        }
    }

    /// Disconnects all clients after delivering their queued messages.
    fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        state.clients.clear();
        state.sessions.clear();
        state.calls.clear();
        drop(state);
        self.ended.send_replace(true);
    }
}

impl State {
    /// An id without a pending call.
    fn free_id(&mut self) -> u64 {
        loop {
            self.last_id = self.last_id % MAX_ID + 1;
            if !self.calls.contains_key(&self.last_id) {
                return self.last_id;
            }
        }
    }

    /// Registers a call and returns its id.
    fn register(&mut self, call: PendingCall) -> u64 {
        let id = self.free_id();
        self.calls.insert(id, call);
        id
    }

    /// The session to forward; a session of another client does not exist for this one.
    fn session_of(&self, client: u64, session: &str) -> String {
        let owner = self.sessions.get(session);
        let own = owner.is_some_and(|owner| owner.client == client);
        if own { session } else { MISSING_SESSION }.to_owned()
    }

    fn route_answer(&mut self, id: u64, frame: Frame) {
        match self.calls.remove(&id) {
            Some(PendingCall::Client { client, id, .. }) => self.send_to(client, id, frame),
            Some(PendingCall::Attach {
                client,
                queue,
                attached,
            }) => {
                #[derive(Deserialize)]
                #[serde(rename_all = "camelCase")]
                struct Attached {
                    session_id: String,
                }
                let answer = serde_json::from_slice::<Answer<Attached>>(frame.bytes());
                let Some(session) = answer.ok().and_then(|answer| answer.result) else {
                    return;
                };
                let browser = session.session_id;
                let owner = SessionOwner {
                    client,
                    parent: None,
                };
                self.sessions.insert(browser.clone(), owner);
                let session = browser.clone();
                self.clients.insert(client, Client { browser, queue });
                // The task of the client waits for it.
                let _ = attached.send(session);
            }
            // The client is gone, or it was a call of the broker itself.
            None => {}
        }
    }

    fn route_event(&mut self, frame: Frame) {
        let Some(session) = frame.session() else {
            return;
        };
        let Some(client) = self.sessions.get(session).map(|owner| owner.client) else {
            return;
        };
        if frame.is_event("Target.attachedToTarget") {
            if let Some(child) = child_of(&frame) {
                let parent = Some(session.to_owned());
                self.sessions.insert(child, SessionOwner { client, parent });
            }
        } else if frame.is_event("Target.detachedFromTarget")
            && let Some(child) = child_of(&frame)
        {
            self.remove_session(child);
        }
        self.send_to(client, 0, frame);
    }

    /// Removes a session, its child sessions and their pending calls.
    fn remove_session(&mut self, session: String) {
        let mut gone = vec![session];
        while let Some(session) = gone.pop() {
            self.sessions.remove(&session);
            let below = self.sessions.iter();
            let below = below.filter(|(_, owner)| owner.parent.as_deref() == Some(&session));
            gone.extend(below.map(|(id, _)| id.clone()));
            self.calls
                .retain(|_, call| call.session() != Some(&session));
        }
    }

    /// Queues a message for a client, or disconnects the client.
    fn send_to(&mut self, client: u64, id: u64, frame: Frame) {
        let Some(to) = self.clients.get(&client) else {
            return;
        };
        let session = frame.session().filter(|session| *session != to.browser);
        let session = session.map(str::to_owned);
        if !to.queue.push(frame.with_ids(id, session.as_deref())) {
            self.clients.remove(&client);
        }
    }
}

impl PendingCall {
    const fn client(&self) -> u64 {
        match self {
            Self::Client { client, .. } | Self::Attach { client, .. } => *client,
        }
    }

    fn session(&self) -> Option<&str> {
        match self {
            Self::Client { session, .. } => Some(session),
            Self::Attach { .. } => None,
        }
    }
}

/// The session that an event is about.
fn child_of(event: &Frame) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct SessionParams {
        session_id: String,
    }
    let content = serde_json::from_slice::<Content<SessionParams>>(event.bytes());
    Some(content.ok()?.params.session_id)
}

async fn read_browser(shared: Arc<Shared>, from_browser: impl AsyncRead + Unpin) {
    let mut read = BufReader::with_capacity(READ_BUFFER, from_browser);
    while let Some(bytes) = next_bytes(&mut read, u64::MAX).await {
        // Invalid messages are dropped.
        if let Some(frame) = Frame::parse(bytes) {
            shared.route(frame);
        }
    }
    shared.end();
}

/// The next message without its NUL; `None` at the end or if it is incomplete.
async fn next_bytes(read: &mut (impl AsyncBufReadExt + Unpin), max_length: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    read.take(max_length).read_until(0, &mut bytes).await.ok()?;
    (bytes.pop() == Some(0)).then_some(bytes)
}

/// Writes the messages of clients to the browser.
async fn write_browser(
    mut messages: mpsc::Receiver<Message>,
    write: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut write = BufWriter::new(write);
    while let Some(message) = messages.recv().await {
        write_message(&mut write, &message).await?;
        if messages.is_empty() {
            write.flush().await?;
        }
    }
    Ok(())
}

/// Writes the queue of a client until it is closed.
async fn write_client(
    mut messages: mpsc::UnboundedReceiver<Message>,
    waiting: &AtomicUsize,
    write: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut write = BufWriter::new(write);
    while let Some(message) = messages.recv().await {
        waiting.fetch_sub(message.len(), Ordering::AcqRel);
        write_message(&mut write, &message).await?;
        if messages.is_empty() {
            write.flush().await?;
        }
    }
    Ok(())
}

async fn write_message(write: &mut (impl AsyncWrite + Unpin), message: &Message) -> io::Result<()> {
    for part in message.parts() {
        write.write_all(part).await?;
    }
    Ok(())
}
