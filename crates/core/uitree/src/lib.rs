//! One screen as a value: its nodes, windows and roles, how to ask it questions, and how to write it down.
//!
//! This crate is pure: no IO, no async, no clock. It knows no action and no device.
//!
//! A [`UiTree`] comes from a driver through [`TreeBuilder`], from a dump through [`UiTree::parse_hierarchy_xml`], or
//! from a few lines of text through [`UiTree::parse_notation`], and is never changed afterwards. It answers what can be
//! seen ([`UiTree::visible_bounds`]), where something is ([`UiTree::find`] with a [`Query`]), what was nearly meant when
//! nothing is found ([`UiTree::near_misses`]), whether a container's content has moved
//! ([`UiTree::movement_signature`]), and what another observation of it changes ([`diff`]). It is written as a document
//! ([`UiTree::to_hierarchy_xml`]), as text for people and tests ([`UiTree::to_notation`]), and tersely for agents
//! ([`UiTree::to_compact`]).
//!
//! What a node *is*, its [`Role`], is worked out once when the tree is finished, unless the driver knows it better.

mod builder;
mod chars;
mod diff;
mod display;
mod find;
mod geometry;
mod index;
mod infer;
mod marks;
mod movement;
mod near;
mod node;
mod notation;
mod query;
mod retain;
mod role;
mod secrets;
mod shape;
mod state;
mod tree;
mod visible;
mod window;
mod xml;

pub use builder::{NodeSpec, TreeBuilder};
pub use diff::{Change, Difference, diff};
pub use display::Display;
pub use geometry::{Point, Rect, Size};
pub use marks::Mark;
pub use movement::{Axis, MovementSignature};
pub use near::NearMiss;
pub use node::{Attributes, Node, NodeId};
pub use notation::NotationError;
pub use query::Query;
pub use role::{Arrangement, Role, RoleHints};
pub use secrets::Secrets;
pub use state::State;
pub use tree::UiTree;
pub use window::{Window, WindowKind};
pub use xml::{XmlError, XmlErrorKind};
