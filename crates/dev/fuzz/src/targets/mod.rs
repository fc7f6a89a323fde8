//! The targets.

mod adb;
mod cdp;
mod css;
mod documents;
mod mcp;
mod patterns;

use crate::Target;

pub const TARGETS: &[Target] = &[
    documents::HIERARCHY_XML,
    documents::PAYLOADS,
    documents::APPS,
    adb::ADB,
    cdp::CDP,
    mcp::MCP,
    css::CSS,
    patterns::PATTERNS,
];

/// Runs a future on this thread, at most for ten seconds.
fn block_on<T>(future: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    let within = std::time::Duration::from_secs(10);
    runtime.block_on(async {
        let done = tokio::time::timeout(within, future).await;
        done.unwrap_or_else(|_| Err(format!("does not end within {within:?}")))
    })
}

/// Fails with `problem` unless the promise holds.
fn promise(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}
