//! What goes over the wire, in both directions: used by the client here and by whoever plays a phone.

pub mod mux;
pub mod packet;
pub mod server;
pub mod shell;
pub mod sync;
