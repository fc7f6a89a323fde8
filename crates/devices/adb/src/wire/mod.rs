//! The protocols, for both sides: the client here and simulated phones.

pub mod mux;
pub mod packet;
pub mod server;
pub mod shell;
pub mod sync;
