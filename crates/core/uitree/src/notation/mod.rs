//! The notation: a screen as lines of text, for users, for tests, and for agents that pay per token.
//!
//! One line is one node, indented by two spaces more than its parent:
//!
//! ```text
//! window application layer=1 active "Sign in" owner=com.shop
//!   column #root [0,0][1080,2400] .LinearLayout
//!     textfield hint="E-mail" #com.shop:id/email [40,400][1040,520] clickable focusable editable
//!     button "Sign in" #com.shop:id/login [40,600][1040,720] clickable
//! ```
//!
//! A line begins with the role, or with `node` to have it inferred. The rest follows in any order:
//!
//! - `"…"`, the text; `label="…"`, the content description; `hint="…"`, the placeholder
//! - `can-scroll="up down"`, where the container can still scroll to
//! - `#id` and `.class`; a class without a dot is one of `android.widget`; ones with other characters are quoted: `#"my id"`, `."u11"`
//! - `owner=com.shop`, if it differs from the parent's
//! - `[left,top][right,bottom]`, or `unplaced` for a node without bounds
//! - the states: `checkable checked clickable focusable focused scrollable long-clickable password selected editable
//!   heading showing-hint`; nodes are enabled and visible unless `disabled` or `invisible` is written
//! - `index=3`, if it differs from the node's position among its siblings
//! - `@name="value"`, another attribute of the platform
//!
//! Strings are in double quotes with `\"`, `\\`, `\n`, `\r`, `\t` and `\u{a0}`.
//!
//! A line that begins with `window` starts a window: its kind (`application`, `input-method`, `system`,
//! `accessibility-overlay`), `layer=…`, `active` or `inactive`, its title, the owner of its root, and its touch bounds if they
//! differ from its root's. A node at the outermost level without a window line starts an application window, active if it is the
//! first. A line that begins with `screen` gives size and rotation: `screen 1080x2400 rotation=1`; that size and no rotation are
//! the default. Empty lines and lines that begin with `//` are ignored. Below level 100 a line begins with `~` and its level
//! instead of more indentation.
//!
//! Bounds may be left out where they do not matter: roots then fill the screen, and everything else is stacked from
//! top to bottom, as wide as what holds it and 100 pixels high, or as high as what it holds.

mod layout;
mod line;
mod read;
mod words;
mod write;

use crate::Size;
pub use read::NotationError;
pub(crate) use write::{UnquotedValue, is_bare};

/// The default screen size.
const SCREEN: Size = Size::new(1080, 2400);

/// Levels below this one are written as a number.
const DEEPEST_INDENT: u32 = 100;

/// The package whose classes are written without it.
const COMMON_PACKAGE: &str = "android.widget.";
