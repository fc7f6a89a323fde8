//! Starting, finding and attaching to browsers, and their exit.

#[cfg(unix)]
mod closing;
pub(crate) mod live;
#[cfg(unix)]
mod pipe;
mod starts;
mod storage;
mod tabs;
