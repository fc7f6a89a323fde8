//! Browsers are started, found, attached to, and end.

pub(crate) mod live;
mod starts;
mod tabs;
