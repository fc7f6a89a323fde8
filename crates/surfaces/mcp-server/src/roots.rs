//! The client's roots: its requests may name files below them.
#![expect(
    deprecated,
    reason = "clients of current protocol versions list roots; a later version removes them"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{Root, ServerRequest};
use rmcp::{Peer, RoleServer};
use tokio::sync::Mutex;

/// Time limit for the list of roots.
const PATIENCE: Duration = Duration::from_secs(5);

/// Requests the client's roots, once until they change.
#[derive(Clone)]
pub(crate) struct RootsRequest {
    allowed: service::Roots,
    known: Arc<Mutex<bool>>,
}

impl RootsRequest {
    pub(crate) fn new(allowed: service::Roots) -> Self {
        Self {
            allowed,
            known: Arc::default(),
        }
    }

    /// Waits for the client's roots. A client without roots, or without a response, allows nothing.
    pub(crate) async fn know(&self, client: &Peer<RoleServer>) {
        let mut known = self.known.lock().await;
        if *known {
            return;
        }
        self.allowed.set(listed(client).await);
        *known = true;
    }

    /// Invalidates the roots after a change.
    pub(crate) async fn changed(&self) {
        *self.known.lock().await = false;
    }
}

async fn listed(client: &Peer<RoleServer>) -> Vec<PathBuf> {
    let info = client.peer_info();
    if info.is_none_or(|info| info.capabilities.roots.is_none()) {
        return Vec::new();
    }
    let request = ServerRequest::ListRootsRequest(Default::default());
    let answer = tokio::time::timeout(PATIENCE, client.send_request(request)).await;
    let Ok(Ok(rmcp::model::ClientResult::ListRootsResult(list))) = answer else {
        return Vec::new();
    };
    list.roots.iter().filter_map(folder).collect()
}

/// The directory of a root.
fn folder(root: &Root) -> Option<PathBuf> {
    let path = path_of(&root.uri)?;
    std::fs::canonicalize(path)
        .ok()
        .filter(|path| path.is_dir())
}

/// The path of a local `file:` URI.
fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = path.starts_with('/').then(|| unescaped(path))??;
    Some(PathBuf::from(path))
}

/// Decodes `%` escapes.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push(u8::try_from(16 * high + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_local_directory() {
        let path = |uri| path_of(uri).map(|path| path.display().to_string());
        assert_eq!(path("file:///a/b%20c%C3%A4").as_deref(), Some("/a/b cä"));
        assert_eq!(path("file://localhost/a").as_deref(), Some("/a"));
        for none in [
            "file://other/a",
            "https://a.test/b",
            "/a",
            "file:///a%2",
            "file:///a%zz",
            "file:///%ff",
            "file:///a%00",
            "",
        ] {
            assert_eq!(path(none), None, "{none}");
        }
    }
}
