//! Starting, finding and attaching to browsers, and their exit.

#[cfg(unix)]
mod closing;
#[cfg(unix)]
mod pipe;
mod starts;
mod storage;
mod tabs;
pub(crate) mod test_browser;
