//! The adb daemon of a phone: its listener on loopback and its connections.

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

const STREAM_QUEUE: usize = 64;

const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// An app file or an option is invalid.
    #[error("{0}")]
    Phone(String),
    #[error("cannot listen on port {port}: {why}")]
    Port { port: u16, why: std::io::Error },
}

#[derive(Debug)]
pub struct Daemon {
    listener: TcpListener,
    address: SocketAddr,
    adb_phone: AdbPhone,
    ends: Arc<Notify>,
}

impl Daemon {
    /// Starts a phone and listens on loopback; nothing is served before [`Daemon::run`].
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

    /// The address to pass to `adb connect`.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn adb_phone(&self) -> AdbPhone {
        self.adb_phone.clone()
    }

    /// Returns a function that ends [`Daemon::run`].
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
                    // A reboot ends all connections. The sender exists as long as the phone.
                    if booted.is_ok() {
                        connections.shutdown().await;
                    }
                }
                // `None` disables this branch until there is a connection.
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept() => {
                    let Ok((socket, _)) = accepted else {
                        // Too many files are open, or the client has gone already.
                        tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                        continue;
                    };
                    number += 1;
                    connections.spawn(serve(socket, self.adb_phone.clone(), number));
                }
            }
        }
    }
}

struct DisconnectGuard<'a>(&'a AdbPhone, u64);

impl Drop for DisconnectGuard<'_> {
    fn drop(&mut self) {
        self.0.record().disconnected(self.1);
    }
}

async fn serve(socket: TcpStream, adb_phone: AdbPhone, number: u64) {
    // An optimisation: small packets leave at once.
    let _ = socket.set_nodelay(true);
    adb_phone.record().connected(number);
    let _gone = DisconnectGuard(&adb_phone, number);
    let mut wire = Wire::new(socket, adb_phone.faults());
    if adb_phone.faults().has(&WireFault::Offline) {
        // Reads everything and answers nothing.
        let _ = tokio::io::copy(&mut wire, &mut tokio::io::sink()).await;
        return;
    }
    let Ok(max_payload) = handshake::run(&mut wire, &adb_phone, number).await else {
        let _ = wire.shutdown().await;
        return;
    };
    let (sender, mut requests) = mpsc::channel::<Incoming>(STREAM_QUEUE);
    let mux = Mux::start(wire, max_payload, Some(sender));
    let connection = Connection {
        adb_phone: adb_phone.clone(),
        cut: Arc::default(),
    };
    // Dropping the set ends the streams with the connection.
    let mut streams = JoinSet::new();
    let mut unanswered = Vec::new();
    loop {
        tokio::select! {
            _ = mux.ended() => break,
            () = connection.cut.notified() => break,
            Some(_) = streams.join_next() => {}
            incoming = requests.recv() => {
                let Some(incoming) = incoming else { break };
                if adb_phone.faults().has(&WireFault::Offline) {
                    // Neither opened nor refused.
                    unanswered.push(incoming);
                } else {
                    streams.spawn(service::serve(incoming, connection.clone()));
                }
            }
        }
    }
    // No stream runs after the end has been recorded.
    streams.shutdown().await;
}
