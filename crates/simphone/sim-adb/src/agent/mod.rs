//! The simulated agent: serves the agent's protocol from the phone's tree.

mod capture;
mod events;
mod process;
mod requests;
mod session;

pub use process::AgentProcess;
pub(crate) use session::serve;
