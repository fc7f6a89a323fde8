//! The HTTP server: the requests and results of the command line as routes, and an event stream.
//!
//! [`Server::bind`] reports a port that is in use; [`Server::serve`] runs until it is stopped. Other surfaces are
//! mounted next to the routes ([`Server::mount`]) and get the same checks.

mod auto_response_filter;
mod connection;
mod cors;
mod guard;
mod gzip;
mod input;
pub mod openapi;
mod page;
mod reply;
mod route_table;
mod routes;
mod selectors_request;
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

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The host name or address to listen on.
    pub host: String,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The secret that requests must send; without one it listens only on loopback.
    pub token: Option<Token>,
    /// Other allowed host names.
    pub names: Vec<String>,
    /// Allowed origins besides the server's own.
    pub origins: Vec<Origin>,
    /// The transport set at startup, for requests that name a package.
    pub via: Option<TransportChoice>,
    /// Time and size limits.
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

/// Time and size limits.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time for a request head, and idle time between requests.
    pub head: Duration,
    /// Time for a request body.
    pub body: Duration,
    /// Time without progress while writing a response.
    pub answer: Duration,
    /// Maximum number of connections.
    pub connections: usize,
    /// Interval of heartbeats on event streams.
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

/// A mounted surface, which gets requests with complete bodies.
pub type MountedService =
    Arc<dyn Fn(Request<Full<Bytes>>) -> Pin<Box<dyn Future<Output = Reply> + Send>> + Send + Sync>;

/// Boxes the body of a mounted surface's response.
pub fn boxed_reply<B>(answer: hyper::Response<B>) -> Reply
where
    B: hyper::body::Body<Data = Bytes, Error = std::convert::Infallible> + Send + 'static,
{
    use http_body_util::BodyExt;
    answer.map(BodyExt::boxed_unsync)
}

/// A listening server.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    pub(crate) app: App,
}

/// State shared by all requests.
pub(crate) struct App {
    pub(crate) devices: DevicePool,
    pub(crate) guard: guard::Guard,
    pub(crate) limits: Limits,
    pub(crate) via: Option<TransportChoice>,
    pub(crate) mounts: Vec<(String, MountedService)>,
    /// Ends event streams at shutdown.
    pub(crate) shutdown: CancellationToken,
    /// Unique prefix of this process's event ids.
    pub(crate) epoch: String,
}

impl Server {
    /// Starts listening without serving.
    ///
    /// # Errors
    /// `USAGE` for a non-loopback address without a token, `SERVE_FAILED` if listening fails.
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
        // Prefers IPv4 for `localhost`.
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
                _ => ErrorCode::ServeFailed.hint(),
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
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its url.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Cancelled after the running requests have finished, for surfaces with streaming responses.
    pub fn shutdown(&self) -> CancellationToken {
        self.app.shutdown.clone()
    }

    /// Mounts a surface at a path and everything below it, with the same checks and limits.
    #[must_use]
    pub fn mount(mut self, path: impl Into<String>, surface: MountedService) -> Self {
        self.app.mounts.push((path.into(), surface));
        self
    }

    /// Serves until `stop`, then finishes the running requests. `now` cancels them and sends their responses within a
    /// second.
    pub async fn serve(self, stop: CancellationToken, now: CancellationToken) {
        connection::serve(self.listener, Arc::new(self.app), stop, now).await;
    }
}
