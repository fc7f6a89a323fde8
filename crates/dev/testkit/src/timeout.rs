//! Timeouts for tests.

use std::time::Duration;

/// The timeout of a single wait, generous for a loaded machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Waits for a future for at most 60 s.
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(TIMEOUT, future).await {
        Ok(output) => output,
        Err(_) => panic!("{what}: timeout after {TIMEOUT:?}"),
    }
}
