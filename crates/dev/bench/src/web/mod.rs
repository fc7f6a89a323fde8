//! How long things take, beside others' tools.

pub mod cli;
pub mod ours;
pub mod page;
pub mod peers;
pub mod raw;
pub mod run;
pub mod table;
