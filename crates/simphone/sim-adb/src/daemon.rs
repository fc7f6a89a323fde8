//! The daemon: a listener on loopback, connections, and what becomes of them when the phone starts anew.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use adb::wire::mux::{Incoming, Mux};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

use crate::adb_phone::{AdbPhone, Options};
use crate::fault::WireFault;
use crate::handshake;
use crate::service::{self, Connection};
use crate::wire::Wire;

/// How many streams may wait for being taken.
const WAITING: usize = 64;

/// How long nothing is accepted after that has failed.
const BREATH: Duration = Duration::from_millis(50);

/// Why a phone did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The phone itself did not: an app file is wrong, or a parameter.
    #[error("{0}")]
    Phone(String),
    /// Its port could not be listened on.
    #[error("port {port} cannot be listened on: {why}")]
    Port {
        /// The port that was asked for.
        port: u16,
        /// What the system said.
        why: std::io::Error,
    },
}

/// A phone that adb can talk to.
#[derive(Debug)]
pub struct Daemon {
    listener: TcpListener,
    address: SocketAddr,
    adb_phone: AdbPhone,
    ends: Arc<Notify>,
}

impl Daemon {
    /// Starts a phone and listens on loopback; nothing is served before [`Daemon::run`].
    ///
    /// # Errors
    /// When the phone cannot start or its port is taken.
    pub async fn bind(options: Options) -> Result<Self, StartError> {
        let port = options.port;
        let adb_phone = AdbPhone::new(options).map_err(StartError::Phone)?;
        let failed = |why| StartError::Port { port, why };
        let listener = TcpListener::bind(("127.0.0.1", port))
            .await
            .map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self {
            listener,
            address,
            adb_phone,
            ends: Arc::default(),
        })
    }

    /// Where it listens: what `adb connect` takes.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The phone behind it.
    pub fn adb_phone(&self) -> AdbPhone {
        self.adb_phone.clone()
    }

    /// Ends [`Daemon::run`] when it is called, from anywhere.
    pub fn shutdown(&self) -> impl Fn() + Send + Sync + use<> {
        let ends = Arc::clone(&self.ends);
        move || ends.notify_one()
    }

    /// Serves the phone until it is stopped or dropped; all connections end with it.
    pub async fn run(self) {
        let mut connections = JoinSet::new();
        let mut number = 0;
        let mut boots = self.adb_phone.boots();
        loop {
            tokio::select! {
                () = self.ends.notified() => return,
                booted = boots.changed() => {
                    // What was connected to the old start is gone; the sender lives in the phone.
                    if booted.is_ok() {
                        connections.shutdown().await;
                        tokio::time::sleep(self.adb_phone.options().boot).await;
                    }
                }
                // Without a connection there is nothing to wait for here.
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept() => {
                    let Ok((socket, _)) = accepted else {
                        // Too many files are open, or the other side has gone already: the next may do better.
                        tokio::time::sleep(BREATH).await;
                        continue;
                    };
                    number += 1;
                    connections.spawn(serve(socket, self.adb_phone.clone(), number));
                }
            }
        }
    }
}

/// Notes the end of a connection, however it comes.
struct DisconnectGuard<'a>(&'a AdbPhone, u64);

impl Drop for DisconnectGuard<'_> {
    fn drop(&mut self) {
        self.0.record().disconnected(self.1);
    }
}

/// One connection, from its greeting to its end.
async fn serve(socket: TcpStream, adb_phone: AdbPhone, number: u64) {
    // It only makes small packets leave at once.
    let _ = socket.set_nodelay(true);
    adb_phone.record().connected(number);
    let _gone = DisconnectGuard(&adb_phone, number);
    let mut wire = Wire::new(socket, adb_phone.faults());
    if adb_phone.faults().has(&WireFault::Offline) {
        // It listens to everything and says nothing.
        let _ = tokio::io::copy(&mut wire, &mut tokio::io::sink()).await;
        return;
    }
    let Ok(max_payload) = handshake::greet(&mut wire, &adb_phone, number).await else {
        let _ = wire.shutdown().await;
        return;
    };
    let (asked, mut asks) = mpsc::channel::<Incoming>(WAITING);
    let mux = Mux::start(wire, max_payload, Some(asked));
    let connection = Connection {
        adb_phone: adb_phone.clone(),
        cut: Arc::default(),
    };
    // Streams end with the connection: they are dropped with this set.
    let mut streams = JoinSet::new();
    let mut unheard = Vec::new();
    loop {
        tokio::select! {
            _ = mux.ended() => break,
            () = connection.cut.notified() => break,
            Some(_) = streams.join_next() => {}
            incoming = asks.recv() => {
                let Some(incoming) = incoming else { break };
                if adb_phone.faults().has(&WireFault::Offline) {
                    // Neither opened nor refused.
                    unheard.push(incoming);
                } else {
                    streams.spawn(service::serve(incoming, connection.clone()));
                }
            }
        }
    }
    // When the end is noted, nothing of it runs any more.
    streams.shutdown().await;
}
