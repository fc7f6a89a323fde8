//! Multiplexes streams on one transport. Both sides are equal: each opens streams and accepts those of the
//! other.
//!
//! Each payload of a stream waits for the `OKAY` of the previous one, and a close is answered with a close.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf, duplex,
};
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use crate::error::{Error, ErrorKind, Progress, Result};
use crate::wire::packet::{Command, Packet};

/// Maximum number of queued payloads per stream; the other side may send one before we send OKAY.
const MAX_UNREAD: usize = 4;
/// Maximum number of queued packets for the transport.
const MAX_UNSENT: usize = 64;
/// Buffer size between a stream and the transport, in bytes.
const PIPE_BYTES: usize = 64 * 1024;

/// A transport with its streams.
#[derive(Clone, Debug)]
pub struct Mux {
    shared: Arc<Shared>,
    guard: Arc<MuxGuard>,
}

/// Ends the tasks of a transport and of its streams when the last user drops it.
#[derive(Debug)]
struct MuxGuard {
    shared: Arc<Shared>,
    tasks: [AbortHandle; 2],
}

impl Drop for MuxGuard {
    fn drop(&mut self) {
        self.shared.close_all("the transport was dropped");
        for task in &self.tasks {
            task.abort();
        }
    }
}

#[derive(Debug)]
struct Shared {
    out: mpsc::Sender<Packet>,
    streams: Mutex<HashMap<u32, Entry>>,
    next: AtomicU32,
    max_payload: usize,
    end: watch::Sender<Option<String>>,
}

/// The state of a stream.
#[derive(Debug)]
struct Entry {
    /// The other side's id; 0 until its OKAY.
    remote: u32,
    /// Notified on the first OKAY.
    opening: Option<oneshot::Sender<bool>>,
    /// The queue of received payloads.
    inbound: mpsc::Sender<Vec<u8>>,
    /// Send credit: one permit per payload that the other side will accept.
    send_credit: Arc<Semaphore>,
    /// Why the stream ended, unless it was this side or a broken transport.
    end: Arc<OnceLock<StreamEnd>>,
}

/// Why a stream of a working transport ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StreamEnd {
    /// The other side closed it.
    Closed,
    /// The other side sent more than it may, so that payloads are missing.
    Overflowed,
}

impl Entry {
    /// A stream and its receiving end.
    fn new(remote: u32, opening: Option<oneshot::Sender<bool>>) -> (Self, StreamEnds) {
        let (inbound, payloads) = mpsc::channel(MAX_UNREAD);
        let send_credit = Arc::new(Semaphore::new(1));
        let end = Arc::new(OnceLock::new());
        let ends = StreamEnds {
            payloads,
            send_credit: Arc::clone(&send_credit),
            end: Arc::clone(&end),
        };
        let entry = Self {
            remote,
            opening,
            inbound,
            send_credit,
            end,
        };
        (entry, ends)
    }

    /// Ends the stream; the first reason is kept.
    fn finish(&self, end: StreamEnd) {
        let _ = self.end.set(end);
        self.send_credit.close();
    }
}

/// The receiving ends of an entry.
struct StreamEnds {
    payloads: mpsc::Receiver<Vec<u8>>,
    send_credit: Arc<Semaphore>,
    end: Arc<OnceLock<StreamEnd>>,
}

/// A stream that the other side opens.
#[derive(Debug)]
pub struct Incoming {
    /// The requested service.
    pub service: String,
    remote: u32,
    mux: Arc<Shared>,
    guard: std::sync::Weak<MuxGuard>,
}

impl Mux {
    /// Starts on a transport after the handshake. `max_payload` is the limit of the other side. Streams that
    /// it opens are sent to `incoming`, or refused if that is `None`.
    pub fn start<T>(io: T, max_payload: u32, incoming: Option<mpsc::Sender<Incoming>>) -> Self
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (mut reader, mut writer) = tokio::io::split(io);
        let (out, mut queue) = mpsc::channel::<Packet>(MAX_UNSENT);
        let shared = Arc::new(Shared {
            out,
            streams: Mutex::default(),
            next: AtomicU32::new(1),
            max_payload: max_payload.max(1) as usize,
            end: watch::Sender::new(None),
        });
        let writer_shared = Arc::clone(&shared);
        let writing = tokio::spawn(async move {
            while let Some(packet) = queue.recv().await {
                if let Err(error) = packet.write(&mut writer).await {
                    writer_shared.close_all(&error.to_string());
                    return;
                }
            }
        });
        let guard_cell = Arc::new(OnceLock::<std::sync::Weak<MuxGuard>>::new());
        let (reader_shared, reader_guard) = (Arc::clone(&shared), Arc::clone(&guard_cell));
        let reading = tokio::spawn(async move {
            loop {
                match Packet::read(&mut reader).await {
                    Ok(packet) => {
                        let guard = reader_guard.get().cloned().unwrap_or_default();
                        reader_shared
                            .handle_packet(packet, incoming.as_ref(), guard)
                            .await;
                    }
                    Err(error) => return reader_shared.close_all(&error.to_string()),
                }
            }
        });
        let guard = Arc::new(MuxGuard {
            shared: Arc::clone(&shared),
            tasks: [writing.abort_handle(), reading.abort_handle()],
        });
        // The reader may run already; streams accepted before this do not keep the transport alive, which is
        // harmless.
        let _ = guard_cell.set(Arc::downgrade(&guard));
        Self { shared, guard }
    }

    /// Opens a stream to a service of the other side.
    ///
    /// # Errors
    /// `Refused` if it lacks the service, `Closed` if the transport ended, with the progress of the request.
    pub async fn open(&self, service: &str) -> Result<MuxStream> {
        let local = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let (opening, opened) = oneshot::channel();
        let (entry, ends) = Entry::new(0, Some(opening));
        self.shared.streams().insert(local, entry);
        // In case this future is dropped.
        let remove_on_drop = RemoveOnDrop(&self.shared, local);
        if self.shared.end.borrow().is_some() {
            return Err(ErrorKind::Closed.into());
        }
        let packet = Packet::new(Command::Open, local, 0, format!("{service}\0"));
        let sent = self.shared.out.send(packet).await;
        sent.map_err(|_| Error::from(ErrorKind::Closed))?;
        match opened.await {
            Ok(true) => {}
            Ok(false) => {
                return Err(ErrorKind::Refused(format!("the phone has no {service:?}")).into());
            }
            Err(_) => return Err(Error::from(ErrorKind::Closed).after(Progress::Unknown)),
        }
        remove_on_drop.disarm();
        Ok(self
            .shared
            .stream(local, ends, Some(Arc::clone(&self.guard))))
    }

    /// Waits until the transport has ended and returns the reason.
    pub async fn ended(&self) -> String {
        let mut end = self.shared.end.subscribe();
        // The sender is part of `self`, so this ends only with a reason.
        let ended = end.wait_for(Option::is_some).await;
        ended
            .map(|why| why.clone())
            .ok()
            .flatten()
            .unwrap_or_default()
    }
}

/// Removes a stream whose opening was abandoned. If the other side opens it later, `handle_packet` closes it.
struct RemoveOnDrop<'a>(&'a Shared, u32);

impl RemoveOnDrop<'_> {
    fn disarm(self) {
        std::mem::forget(self);
    }
}

impl Drop for RemoveOnDrop<'_> {
    fn drop(&mut self) {
        self.0.streams().remove(&self.1);
    }
}

impl Incoming {
    /// Accepts the stream.
    ///
    /// # Errors
    /// `Closed` if the transport ended.
    pub async fn accept(self) -> Result<MuxStream> {
        let local = self.mux.next.fetch_add(1, Ordering::Relaxed);
        let (entry, ends) = Entry::new(self.remote, None);
        self.mux.streams().insert(local, entry);
        if self.mux.end.borrow().is_some() {
            self.mux.streams().remove(&local);
            return Err(ErrorKind::Closed.into());
        }
        let okay = Packet::new(Command::Okay, local, self.remote, "");
        let sent = self.mux.out.send(okay).await;
        sent.map_err(|_| Error::from(ErrorKind::Closed))?;
        Ok(self.mux.stream(local, ends, self.guard.upgrade()))
    }

    /// Refuses the stream.
    pub async fn refuse(self) {
        // Fails only if the transport has ended.
        let _ = self
            .mux
            .out
            .send(Packet::new(Command::Close, 0, self.remote, ""))
            .await;
    }
}

impl Shared {
    fn streams(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Entry>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes all streams, since the transport ended.
    fn close_all(&self, why: &str) {
        // Keeps the first reason.
        self.end.send_if_modified(|end| {
            let first = end.is_none();
            end.get_or_insert_with(|| why.to_owned());
            first
        });
        for (_, entry) in self.streams().drain() {
            entry.send_credit.close();
        }
    }

    /// Handles a packet of the other side.
    async fn handle_packet(
        self: &Arc<Self>,
        packet: Packet,
        incoming: Option<&mpsc::Sender<Incoming>>,
        guard: std::sync::Weak<MuxGuard>,
    ) {
        let (remote, local) = (packet.arg0, packet.arg1);
        match packet.command {
            Command::Open => {
                let request = Incoming {
                    service: packet.text(),
                    remote,
                    mux: Arc::clone(self),
                    guard,
                };
                match incoming {
                    Some(incoming) => {
                        if let Err(refused) = incoming.send(request).await {
                            refused.0.refuse().await;
                        }
                    }
                    None => request.refuse().await,
                }
            }
            Command::Okay => {
                let unknown = match self.streams().get_mut(&local) {
                    Some(entry) => {
                        if let Some(opening) = entry.opening.take() {
                            entry.remote = remote;
                            // Fails only if the caller gave up and removed the entry.
                            let _ = opening.send(true);
                        } else if entry.send_credit.available_permits() == 0 {
                            entry.send_credit.add_permits(1);
                        }
                        false
                    }
                    None => true,
                };
                if unknown {
                    let _ = self
                        .out
                        .send(Packet::new(Command::Close, 0, remote, ""))
                        .await;
                }
            }
            Command::Write => {
                let fits = match self.streams().get(&local) {
                    Some(entry) => entry.inbound.try_send(packet.payload).is_ok(),
                    None => false,
                };
                if !fits {
                    if let Some(entry) = self.streams().remove(&local) {
                        entry.finish(StreamEnd::Overflowed);
                    }
                    let _ = self
                        .out
                        .send(Packet::new(Command::Close, local, remote, ""))
                        .await;
                }
            }
            Command::Close => {
                let entry = self.streams().remove(&local);
                if let Some(mut entry) = entry {
                    entry.finish(StreamEnd::Closed);
                    if let Some(opening) = entry.opening.take() {
                        let _ = opening.send(false);
                    } else {
                        let _ = self
                            .out
                            .send(Packet::new(Command::Close, local, remote, ""))
                            .await;
                    }
                }
            }
            // The handshake is over; repetitions are ignored.
            Command::Connect | Command::Auth | Command::StartTls => {}
        }
    }

    /// The user's end of an open stream, and two tasks that connect it with the transport.
    fn stream(
        self: &Arc<Self>,
        local: u32,
        ends: StreamEnds,
        guard: Option<Arc<MuxGuard>>,
    ) -> MuxStream {
        let StreamEnds {
            mut payloads,
            send_credit,
            end,
        } = ends;
        let (near, far) = duplex(PIPE_BYTES);
        let (mut from_user, mut to_user) = tokio::io::split(far);
        let remote = self.streams().get(&local).map_or(0, |entry| entry.remote);
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            while let Some(payload) = payloads.recv().await {
                if to_user.write_all(&payload).await.is_err() {
                    break;
                }
                if shared
                    .out
                    .send(Packet::new(Command::Okay, local, remote, ""))
                    .await
                    .is_err()
                {
                    break;
                }
            }
            // Fails only if the user dropped the stream.
            let _ = to_user.shutdown().await;
        });
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let mut buffer = vec![0; shared.max_payload.min(PIPE_BYTES)];
            loop {
                let Ok(permit) = send_credit.acquire().await else {
                    break;
                };
                permit.forget();
                let read = from_user.read(&mut buffer).await.unwrap_or(0);
                let Some(payload) = buffer.get(..read).filter(|payload| !payload.is_empty()) else {
                    break;
                };
                let packet = Packet::new(Command::Write, local, remote, payload);
                if shared.out.send(packet).await.is_err() {
                    break;
                }
            }
            // If it is still registered, this side closes it.
            if shared.streams().remove(&local).is_some() {
                let _ = shared
                    .out
                    .send(Packet::new(Command::Close, local, remote, ""))
                    .await;
            }
        });
        MuxStream {
            pipe: near,
            end,
            transport_end: self.end.subscribe(),
            _guard: guard,
        }
    }
}

/// A stream of a transport. Reading ends if the other side closed the stream, and fails if the transport ended or payloads are
/// missing. There is no half-close: a shutdown closes both directions.
#[derive(Debug)]
pub struct MuxStream {
    pipe: DuplexStream,
    end: Arc<OnceLock<StreamEnd>>,
    transport_end: watch::Receiver<Option<String>>,
    _guard: Option<Arc<MuxGuard>>,
}

impl AsyncRead for MuxStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.pipe).poll_read(context, buffer))?;
        let at_end = buffer.filled().len() == before && buffer.remaining() > 0;
        let broken = match this.end.get() {
            _ if !at_end => None,
            Some(StreamEnd::Closed) => None,
            Some(StreamEnd::Overflowed) => {
                Some("the other side sent more than it may, and a part is missing".to_owned())
            }
            None => this.transport_end.borrow().clone(),
        };
        if let Some(why) = broken {
            let error = io::Error::new(io::ErrorKind::ConnectionReset, why);
            return Poll::Ready(Err(error));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for MuxStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().pipe).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().pipe).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().pipe).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transport with one open stream, whose other side is played by the test.
    async fn open_stream() -> (Mux, MuxStream, DuplexStream) {
        let (near, mut far) = duplex(1 << 20);
        let mux = Mux::start(near, 1024, None);
        let opener = mux.clone();
        let opening = tokio::spawn(async move { opener.open("test").await });
        let opened = Packet::read(&mut far).await.unwrap();
        let okay = Packet::new(Command::Okay, 7, opened.arg0, "");
        okay.write(&mut far).await.unwrap();
        (mux, opening.await.unwrap().unwrap(), far)
    }

    #[tokio::test(start_paused = true)]
    async fn dropped_transport_ends_streams_that_wait_for_okay() {
        let (mux, mut stream, mut far) = open_stream().await;
        stream.write_all(b"first").await.unwrap();
        Packet::read(&mut far).await.unwrap();
        stream.write_all(b"second").await.unwrap();
        let shared = Arc::downgrade(&mux.shared);
        drop((stream, mux));
        let gone = async {
            while shared.strong_count() > 0 {
                // The clock is paused: it advances when no task can run.
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        };
        let limit = std::time::Duration::from_secs(5);
        tokio::time::timeout(limit, gone).await.unwrap();
    }

    #[tokio::test]
    async fn stream_with_missing_payloads_is_an_error() {
        let (_mux, mut stream, mut far) = open_stream().await;
        // More than the queue and the buffer of the stream hold, without waiting for an OKAY.
        for _ in 0..400 {
            let payload = vec![0; 1024];
            let packet = Packet::new(Command::Write, 7, 1, payload);
            packet.write(&mut far).await.unwrap();
        }
        let closed = loop {
            let packet = Packet::read(&mut far).await.unwrap();
            if packet.command != Command::Okay {
                break packet.command;
            }
        };
        assert_eq!(closed, Command::Close);
        let error = stream.read_to_end(&mut Vec::new()).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        assert!(error.to_string().contains("a part is missing"), "{error}");
    }
}
