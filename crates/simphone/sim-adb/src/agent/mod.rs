//! The simulated agent: serves the agent's protocol from the phone's tree.

mod capture;
mod events;
mod requests;
mod session;

pub(crate) use session::serve;
