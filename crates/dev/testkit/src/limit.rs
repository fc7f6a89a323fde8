//! An end for everything that a test waits for.

use std::time::Duration;

/// Longer than anything takes that a test waits for, on a loaded computer too.
const LONGEST: Duration = Duration::from_secs(60);

/// Waits for a future for 60 s at most.
///
/// # Panics
/// When the time is over.
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(LONGEST, future).await {
        Ok(output) => output,
        Err(_) => panic!("{what}: not within {LONGEST:?}"),
    }
}
