//! The agent of the simulated phone, which serves the agent's protocol from the phone's own tree.

mod capture;
mod events;
mod requests;
mod session;

pub(crate) use session::serve;
