//! The devices of this computer over HTTP: the command line's requests and answers as routes, and what happens as a
//! stream of events.
//!
//! A [`Server`] is bound first, so that whoever starts it learns of a port that is taken, and serves then until it is
//! told to stop. Other surfaces are mounted beside its routes ([`Server::mount`]) and stand behind the same checks.

mod auto_response_filter;
mod connection;
mod cors;
mod guard;
mod gzip;
mod input;
pub mod openapi;
mod page;
mod reply;
mod routes;
mod write_timeout;

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use service::TransportChoice;
use service::device_pool::DevicePool;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use guard::{Origin, Token};
pub use reply::{Body, Reply, status};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The name or address of this computer under which it listens.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The secret that whoever asks has to know; without one it listens on loopback only.
    pub token: Option<Token>,
    /// Other names under which it may be reached.
    pub names: Vec<String>,
    /// Origins besides the server's own whose pages may ask.
    pub origins: Vec<Origin>,
    /// The way to phones that was asked for at the start, for requests that name a package.
    pub via: Option<TransportChoice>,
    /// What is given how much time and room.
    pub limits: Limits,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: 3000,
            token: None,
            names: Vec::new(),
            origins: Vec::new(),
            via: None,
            limits: Limits::default(),
        }
    }
}

/// What is given how much time and room.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long the head of a request may take, and how long a connection may stay silent between two.
    pub head: Duration,
    /// How long its body may take.
    pub body: Duration,
    /// How long the other end may take nothing of an answer.
    pub answer: Duration,
    /// How many connections there are at a time.
    pub connections: usize,
    /// How often a stream of events says that it is there.
    pub heartbeat: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(30),
            body: Duration::from_secs(15),
            answer: Duration::from_secs(30),
            connections: 2_048,
            heartbeat: Duration::from_secs(15),
        }
    }
}

/// Another surface: takes a request, whose body is there as a whole, and answers it.
pub type MountedService =
    Arc<dyn Fn(Request<Full<Bytes>>) -> Pin<Box<dyn Future<Output = Reply> + Send>> + Send + Sync>;

/// The answer of a surface that makes its own bodies.
pub fn boxed_reply<B>(answer: hyper::Response<B>) -> Reply
where
    B: hyper::body::Body<Data = Bytes, Error = std::convert::Infallible> + Send + 'static,
{
    use http_body_util::BodyExt;
    answer.map(BodyExt::boxed_unsync)
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    pub(crate) app: App,
}

/// What every request needs.
pub(crate) struct App {
    pub(crate) devices: DevicePool,
    pub(crate) guard: guard::Guard,
    pub(crate) limits: Limits,
    pub(crate) via: Option<TransportChoice>,
    pub(crate) mounts: Vec<(String, MountedService)>,
    /// Ends what would go on for ever.
    pub(crate) shutdown: CancellationToken,
    /// What no other process calls its events.
    pub(crate) epoch: String,
}

impl Server {
    /// Listens, without serving yet.
    ///
    /// # Errors
    /// `USAGE` for an address that others reach without a token, `SERVE_FAILED` where it cannot be listened at.
    pub async fn bind(devices: DevicePool, options: ServeOptions) -> Result<Self, ErrorBody> {
        let ServeOptions {
            host,
            port,
            token,
            mut names,
            origins,
            via,
            limits,
        } = options;
        let failed = |error: &dyn std::fmt::Display| {
            let message = format!("cannot listen on {host}, port {port}: {error}");
            ErrorBody::new(ErrorCode::ServeFailed, message)
        };
        let bare = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'))
            .unwrap_or(&host);
        let found = tokio::net::lookup_host((bare, port)).await;
        let mut found: Vec<SocketAddr> = found
            .map_err(|error| {
                failed(&error).with_hint("Pass an address of this computer with --host")
            })?
            .collect();
        // `localhost` is first of all what everybody takes it for.
        found.sort_by_key(SocketAddr::is_ipv6);
        let Some(address) = found.first().copied() else {
            return Err(
                failed(&"no such host").with_hint("Pass an address of this computer with --host")
            );
        };
        if token.is_none() && !address.ip().is_loopback() {
            let message = format!("other computers can reach {host}, so a token is required");
            return Err(ErrorBody::new(ErrorCode::Usage, message).with_hint(
                "Set CLAWPERATOR_TOKEN or --token to a secret of at least 8 characters, or omit --host to listen on 127.0.0.1",
            ));
        }
        let listener = TcpListener::bind(address).await.map_err(|error| {
            let hint = match error.kind() {
                std::io::ErrorKind::AddrNotAvailable => {
                    "Pass an address of this computer with --host"
                }
                _ => ErrorCode::ServeFailed.fix(),
            };
            failed(&error).with_hint(hint)
        })?;
        let address = listener.local_addr().map_err(|error| failed(&error))?;
        if host.parse::<IpAddr>().is_err() {
            names.push(host.clone());
        }
        Ok(Self {
            listener,
            address,
            app: App {
                devices,
                guard: guard::Guard::new(token, names, origins),
                limits,
                via,
                mounts: Vec::new(),
                shutdown: CancellationToken::new(),
                epoch: service::random::word(),
            },
        })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its url.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Ends once everything that ran has ended and nothing more is told: for surfaces whose answers go on.
    #[must_use]
    pub fn shutdown(&self) -> CancellationToken {
        self.app.shutdown.clone()
    }

    /// Answers a path, and all below it, by another surface, behind the same checks and limits.
    #[must_use]
    pub fn mount(mut self, path: impl Into<String>, surface: MountedService) -> Self {
        self.app.mounts.push((path.into(), surface));
        self
    }

    /// Serves until `stop`; then nothing new is begun, what runs is finished, and its answers are given. `now` cancels what
    /// runs, whose answers are given within a second.
    pub async fn serve(self, stop: CancellationToken, now: CancellationToken) {
        connection::serve(self.listener, Arc::new(self.app), stop, now).await;
    }
}
