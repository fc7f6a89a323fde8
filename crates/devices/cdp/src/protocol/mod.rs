//! The needed methods and events, one file per domain of the protocol. Fields have the protocol's names in
//! snake case; optional fields are left out if not set.

pub mod accessibility;
pub mod browser;
pub mod dom;
pub mod dom_debugger;
pub mod dom_snapshot;
pub mod emulation;
pub mod fetch;
pub mod input;
pub mod inspector;
pub mod log;
pub mod network;
pub mod page;
pub mod performance;
pub mod runtime;
pub mod storage;
pub mod target;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A method of the protocol. The type itself is its parameters.
pub trait Method: Serialize {
    /// Its name, such as `Page.navigate`.
    const NAME: &'static str;
    /// The type of its answer.
    type Answer: DeserializeOwned;
}

/// A type of event, with its parameters.
pub trait EventKind: DeserializeOwned {
    /// Its name, such as `Page.frameNavigated`.
    const NAME: &'static str;
}

/// The empty answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct EmptyResult {}

/// The browser's id of a node, stable within a session until its document is gone.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct BackendNodeId(pub i64);

/// Declares the method of a parameter type.
macro_rules! methods {
    ($($params:ident = $name:literal -> $answer:ty;)*) => {
        $(impl crate::protocol::Method for $params {
            const NAME: &'static str = $name;
            type Answer = $answer;
        })*
    };
}

/// Declares the event of a type.
macro_rules! events {
    ($($event:ident = $name:literal;)*) => {
        $(impl crate::protocol::EventKind for $event {
            const NAME: &'static str = $name;
        })*
    };
}

/// Declares methods without parameters.
macro_rules! bare {
    ($($(#[$doc:meta])* $params:ident = $name:literal -> $answer:ty;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
        pub struct $params {}

        impl crate::protocol::Method for $params {
            const NAME: &'static str = $name;
            type Answer = $answer;
        })*
    };
}

use {bare, events, methods};
