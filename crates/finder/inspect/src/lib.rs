//! From a description to the element that is meant, and to selectors that name it and will live.
//!
//! This crate is pure: no IO, no async, no clock. A screen, be it a page's [`dom::Dom`] or a phone's
//! [`uitree::UiTree`], is first turned into a [`Subject`]: what can be meant on it and by which words. [`find`](find::find)
//! answers a [`Request`](find::Request) on a subject, so that finding is written once for every platform.

mod data;
pub mod find;
pub mod name;
pub mod subject;

pub use find::{Found, Hit, Request, Verdict};
pub use subject::{Candidate, Subject, shown_by};
