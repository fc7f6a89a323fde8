//! The simulated phone over the wire: by the client of this house, and by the real adb.

mod commands;
mod world;
