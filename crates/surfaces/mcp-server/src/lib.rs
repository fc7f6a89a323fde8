//! The MCP surface: the devices of a pool as a few powerful tools for models.
//!
//! Over standard input and output ([`serve_stdio`]), or mounted in an HTTP server ([`Endpoint`]). Tools return short
//! text for the model and, as structured content, the result of every surface.

mod arguments;
mod extent;
mod http;
mod json_rpc;
mod reply;
mod resources;
mod roots;
mod server;
mod stdio;
mod tools;

pub use http::Endpoint;
pub use server::Server;
pub use stdio::LineTransport;
pub use tools::ToolName;

use rmcp::ServiceExt;
use service::device_pool::DevicePool;
use tokio::io::{AsyncRead, AsyncWrite};

/// Serves the client on standard input and output until it disconnects, then cancels its calls. The client's roots are
/// put into `roots`.
pub async fn serve_stdio(pool: DevicePool, roots: service::Roots) -> Result<(), String> {
    let (read, write) = rmcp::transport::stdio_pipes();
    serve_on(pool, roots, read, write).await
}

/// The same on other pipes.
pub async fn serve_on(
    pool: DevicePool,
    roots: service::Roots,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), String> {
    let server = Server::with_roots(pool.clone(), roots);
    let session = server.serve(LineTransport::new(read, write)).await;
    let ended = match session {
        Ok(session) => session
            .waiting()
            .await
            .map(drop)
            .map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    pool.cancel_all();
    pool.drain().await;
    ended
}
