//! Browsers are started, found, attached to, and end.

pub(crate) mod live;
#[cfg(unix)]
mod pipe;
mod starts;
mod tabs;
