//! The methods and events that are needed, one file for each domain of the protocol. Fields carry the protocol's names in
//! snake case; what is optional there is optional here and left out when it is not set.

pub mod accessibility;
pub mod browser;
pub mod dom;
pub mod dom_debugger;
pub mod dom_snapshot;
pub mod emulation;
pub mod input;
pub mod inspector;
pub mod network;
pub mod page;
pub mod runtime;
pub mod target;

use serde::{Deserialize, Serialize};

/// The answer of a method that answers nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Nothing {}

/// The browser's number of a node, the same in every call of one session until its document is gone.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct BackendNodeId(pub i64);

/// Says of a type of parameters which method it is.
macro_rules! methods {
    ($($params:ident = $name:literal -> $answer:ty;)*) => {
        $(impl crate::Method for $params {
            const NAME: &'static str = $name;
            type Answer = $answer;
        })*
    };
}

/// Says of a type which event it is.
macro_rules! events {
    ($($event:ident = $name:literal;)*) => {
        $(impl crate::EventKind for $event {
            const NAME: &'static str = $name;
        })*
    };
}

/// Methods without parameters.
macro_rules! bare {
    ($($(#[$doc:meta])* $params:ident = $name:literal -> $answer:ty;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
        pub struct $params {}

        impl crate::Method for $params {
            const NAME: &'static str = $name;
            type Answer = $answer;
        })*
    };
}

use {bare, events, methods};
