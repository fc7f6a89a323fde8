//! A screen as a value: nodes, windows, roles, queries and formats.
//!
//! This crate is pure: no IO, no async, no clock. It knows no action and no device.
//!
//! A [`UiTree`] comes from a driver through [`TreeBuilder`], from a dump through [`UiTree::parse_hierarchy_xml`], or
//! from text through [`UiTree::parse_notation`], and is immutable. It answers what is visible
//! ([`UiTree::visible_bounds`]), where something is ([`UiTree::find`] with a [`Query`]), what nearly matches
//! ([`UiTree::near_misses`]), whether the content of a container moved ([`UiTree::movement_signature`]), and what
//! changed ([`diff`]). A [`RefTable`] gives elements references that keep their meaning on later screens. A tree is written as a
//! document ([`UiTree::to_hierarchy_xml`]), as text for people and tests ([`UiTree::to_notation`]), and as short text for agents
//! ([`UiTree::text_view`]).
//!
//! The [`Role`] of a node is inferred once when the tree is finished, unless the driver sets it.
#![warn(missing_docs)]

mod builder;
mod card;
mod chars;
mod diff;
mod display;
mod find;
mod geometry;
mod index;
mod infer;
mod lis;
mod marks;
mod modal;
mod movement;
mod near;
mod node;
mod notation;
mod outcome;
mod paging;
mod query;
mod refs;
mod role;
mod secrets;
mod shape;
mod state;
mod text_view;
mod tree;
mod visible;
mod window;
mod window_filter;
mod xml;

pub use builder::{NodeSpec, TreeBuilder};
pub use card::Card;
pub use diff::{Change, Difference, diff};
pub use display::Display;
pub use geometry::{Point, Rect, Size};
pub use marks::Mark;
pub use movement::{Axis, MovementSignature};
pub use near::NearMiss;
pub use node::{Attributes, Drawing, Node, NodeId, ValueRange};
pub use notation::NotationError;
pub use outcome::{Outcome, outcome, screen_name};
pub use query::Query;
pub use refs::{RefNumbers, RefTable, Refs, ResolvedRef, ScreenRefs, describe, describe_in_place};
pub use role::{Arrangement, Role, RoleHints};
pub use secrets::Secrets;
pub use state::{ScrollDirections, State};
pub use text_view::{
    ShownLines, TextScreen, TextView, WrittenElement, WrittenName, difference,
    difference_for_reader, estimate_tokens, without_known,
};
pub use tree::UiTree;
pub use window::{Window, WindowKind};
pub use xml::{XmlError, XmlErrorKind};
