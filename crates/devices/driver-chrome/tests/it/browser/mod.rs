//! Browsers are started, found, attached to, and end.

#[cfg(unix)]
mod closing;
pub(crate) mod live;
#[cfg(unix)]
mod pipe;
mod starts;
mod tabs;
