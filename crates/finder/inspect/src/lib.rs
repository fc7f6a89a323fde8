//! Finds elements by description and names them by durable selectors.
//!
//! This crate is pure: no IO, no async, no clock. A [`Subject`] lists the candidates of a page ([`dom::Dom`]) or of a
//! phone screen ([`uitree::UiTree`]) with their names. [`find`](find::find) answers a [`Request`](find::Request) on a
//! subject, for both platforms alike.
#![warn(missing_docs)]

#[macro_use]
pub mod subject;
mod data;
pub mod find;
pub mod selectors;

pub use find::{FindResult, Hit, Request, Verdict};
pub use subject::{Candidate, Subject, drawing};
