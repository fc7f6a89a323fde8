//! Browsers are started, found, attached to, and end.

mod live;
mod starts;
mod tabs;
