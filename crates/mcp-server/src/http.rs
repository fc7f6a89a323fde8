//! The same tools over HTTP, for a server to mount: each client has a session, and everything goes through one path.

use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use service::hub::Hub;
use tokio_util::sync::CancellationToken;

use crate::Server;

/// Answers the requests of clients at one path.
#[derive(Clone)]
pub struct Endpoint(StreamableHttpService<Server, LocalSessionManager>);

impl Endpoint {
    /// An endpoint for the devices of a hub, whose sessions end with `over`. Who may ask at all is for whoever mounts it
    /// to decide: it checks neither hosts nor origins itself.
    #[must_use]
    pub fn new(hub: Hub, over: CancellationToken) -> Self {
        let server = Server::new(hub);
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_cancellation_token(over);
        let sessions = Arc::new(LocalSessionManager::default());
        Self(StreamableHttpService::new(
            move || Ok(server.clone()),
            sessions,
            config,
        ))
    }

    /// Answers a request.
    pub async fn answer<B>(&self, request: Request<B>) -> Response<BoxBody<Bytes, Infallible>>
    where
        B: Body + Send + 'static,
        B::Error: Display,
        B::Data: Send,
    {
        self.0.handle(request).await
    }
}
