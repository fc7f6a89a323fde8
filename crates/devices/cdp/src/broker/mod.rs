//! Shares the pipe to a browser between several clients.
//!
//! The browser gives each client a session of its own to the browser itself (`Target.attachToBrowserTarget`), below which
//! all of the client's sessions lie: a client gets the answers and events of these and no others, and what it has set ends
//! with it. To a client it looks as if it were alone with the browser. Messages are passed on as they are; only the numbers
//! of calls are replaced, and the session of the browser is added on the way in and left out on the way back.

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

/// The longest message of a client, in bytes; browsers take no longer ones.
const MAX_MESSAGE: u64 = 100 << 20;
/// How many bytes may wait for a client behind the message that is being written to it. One that is slower is disconnected.
const MAX_BACKLOG: usize = 256 << 20;
/// How many messages may wait for the browser before clients have to wait.
const BROWSER_QUEUE: usize = 8;
/// Browsers number calls with 32 bits and a sign.
const LAST_ID: u64 = i32::MAX as u64;
/// The id of no session.
const NO_SESSION: &str = "none";

/// Shares the pipe to a browser. Clones share the same.
#[derive(Clone, Debug)]
pub struct Broker {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    to_browser: mpsc::Sender<Message>,
    ended: watch::Sender<bool>,
    /// Read and write the pipe, which is closed when they end.
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

/// A call that the browser has not answered.
#[derive(Debug)]
enum PendingCall {
    /// One of a client, with its own number of it.
    Client {
        client: u64,
        id: u64,
        session: String,
    },
    /// That which attaches a client.
    Attach {
        client: u64,
        queue: Queue,
        attached: oneshot::Sender<String>,
    },
}

/// Whose a session is.
#[derive(Debug)]
struct SessionOwner {
    client: u64,
    /// The session that it lies below; `None` for that of the browser.
    parent: Option<String>,
}

#[derive(Debug)]
struct Client {
    /// Its session to the browser.
    browser: String,
    queue: Queue,
}

/// What waits to be written to a client.
#[derive(Debug)]
struct Queue {
    messages: mpsc::UnboundedSender<Message>,
    bytes: Arc<AtomicUsize>,
    /// Told when the client is to be disconnected.
    overrun: Arc<Notify>,
}

impl Queue {
    /// Whether there was room for it.
    fn push(&self, message: Message) -> bool {
        let length = message.len();
        let before = self.bytes.fetch_add(length, Ordering::AcqRel);
        if before > 0 && before + length > MAX_BACKLOG {
            self.overrun.notify_one();
            return false;
        }
        // A client that is gone takes nothing more.
        let _ = self.messages.send(message);
        true
    }
}

impl Broker {
    /// Takes over the pipe to a browser, which it reads and writes until the browser closes it. Needs a tokio runtime.
    pub fn new(
        from_browser: impl AsyncRead + Send + Unpin + 'static,
        to_browser: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let (sender, messages) = mpsc::channel(BROWSER_QUEUE);
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            to_browser: sender,
            ended: watch::Sender::new(false),
            tasks: OnceLock::new(),
        });
        // A pipe that cannot be written to has no browser at its other end, which reading tells.
        let writer = tokio::spawn(async move {
            let _ = write_browser(messages, to_browser).await;
        });
        let reader = tokio::spawn(read_browser(Arc::clone(&shared), from_browser));
        let tasks = [writer.abort_handle(), reader.abort_handle()];
        shared.tasks.get_or_init(|| tasks);
        Self { shared }
    }

    /// Closes the pipe, with which the browser ends.
    pub fn close(&self) {
        for task in self.shared.tasks.get().into_iter().flatten() {
            task.abort();
        }
        self.shared.end();
    }

    /// Returns when the browser has closed the pipe.
    pub async fn ended(&self) {
        let mut ended = self.shared.ended.subscribe();
        // It cannot fail: the sender lives as long as this.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    /// Serves a client until it disconnects, sends what is no message, reads too slowly, or the browser has ended and the
    /// client has everything that came from it.
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

    /// Makes the session of a new client; `None` when the browser has ended or refuses.
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

    /// Ends the session of a client, and with it all sessions below it.
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

    /// Passes the calls of a client on to the browser, until the client closes its side or sends what is no call.
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

    /// Sends a message to the browser, once there is room.
    async fn send(&self, message: Message) {
        // It fails when the pipe is closed, which ends everything where it is read.
        let _ = self.to_browser.send(message).await;
    }

    /// Gives a message of the browser to the client that it belongs to.
    fn route(&self, frame: Frame) {
        let mut state = self.lock();
        match frame.id() {
            Some(id) => state.route_answer(id, frame),
            None => state.route_event(frame),
        }
    }

    /// Lets go of everybody: what waits for clients is still written to them.
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
    /// A number that no call has that waits for its answer.
    fn free_id(&mut self) -> u64 {
        loop {
            self.last_id = self.last_id % LAST_ID + 1;
            if !self.calls.contains_key(&self.last_id) {
                return self.last_id;
            }
        }
    }

    /// Notes a call, and gives its number.
    fn register(&mut self, call: PendingCall) -> u64 {
        let id = self.free_id();
        self.calls.insert(id, call);
        id
    }

    /// The session as it is passed on: one that is not the client's does not exist for it.
    fn session_of(&self, client: u64, session: &str) -> String {
        let owner = self.sessions.get(session);
        let own = owner.is_some_and(|owner| owner.client == client);
        if own { session } else { NO_SESSION }.to_owned()
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
                let told = browser.clone();
                self.clients.insert(client, Client { browser, queue });
                // Whoever serves the client waits for it.
                let _ = attached.send(told);
            }
            // The client is gone, or the call was the broker's own.
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

    /// Forgets a session that has ended, with all below it and the calls that wait there.
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

    /// Puts a message into the queue of a client, or lets go of the client.
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
    struct About {
        session_id: String,
    }
    let content = serde_json::from_slice::<Content<About>>(event.bytes());
    Some(content.ok()?.params.session_id)
}

async fn read_browser(shared: Arc<Shared>, from_browser: impl AsyncRead + Unpin) {
    let mut read = BufReader::with_capacity(READ_BUFFER, from_browser);
    while let Some(bytes) = next_bytes(&mut read, u64::MAX).await {
        // What is no message belongs to nobody.
        if let Some(frame) = Frame::parse(bytes) {
            shared.route(frame);
        }
    }
    shared.end();
}

/// The next message without its NUL; `None` when there is none that is whole.
async fn next_bytes(read: &mut (impl AsyncBufReadExt + Unpin), longest: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    read.take(longest).read_until(0, &mut bytes).await.ok()?;
    (bytes.pop() == Some(0)).then_some(bytes)
}

/// Writes what clients send to the browser.
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

/// Writes what waits for a client, until no more can come.
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
