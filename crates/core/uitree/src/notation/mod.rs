//! The notation: a screen as lines of text, for people, for tests, and for agents that pay per word.
//!
//! One line is one node, indented by two spaces more than the node that holds it:
//!
//! ```text
//! window application layer=1 active "Sign in" owner=com.shop
//!   column #root [0,0][1080,2400] .LinearLayout
//!     textfield hint="E-mail" #com.shop:id/email [40,400][1040,520] clickable focusable editable
//!     button "Sign in" #com.shop:id/login [40,600][1040,720] clickable
//! ```
//!
//! A line begins with the role, or with `node` to have it inferred, and goes on in any order with
//!
//! - `"…"`, the text; `label="…"`, the content description; `hint="…"`, the placeholder
//! - `#id` and `.class`; a class without a dot is one of `android.widget`; odd ones go in quotes: `#"my id"`, `."u11"`
//! - `owner=com.shop`, where it is not that of the node around it
//! - `[left,top][right,bottom]`, or `unplaced` for a node of which the platform gives no bounds
//! - the states: `checkable checked clickable focusable focused scrollable long-clickable password selected editable
//!   heading showing-hint`, and `disabled` and `invisible` for what is not so by default
//! - `index=3`, where it is not the number of the child
//! - `@name="value"`, another attribute of the platform
//!
//! Strings are in double quotes with `\"`, `\\`, `\n`, `\r`, `\t` and `\u{a0}`.
//!
//! A line that begins with `window` starts a window: its kind (`application`, `input-method`, `system`,
//! `accessibility-overlay`), `layer=…`, `active` or `inactive`, its title, the owner of its root, and the bounds in which it
//! takes touches where these are not its root's. Without it a node
//! at the outermost level starts a plain window, active if it is the first. A line that begins with `screen` gives size
//! and rotation: `screen 1080x2400 rotation=1`; that size and no rotation are the default. Empty lines and lines that
//! begin with `//` say nothing. Below level 100 a line begins with `~` and its level in place of more indentation.
//!
//! Bounds may be left out where they do not matter: roots then fill the screen, and everything else is stacked from
//! top to bottom, as wide as what holds it and 100 pixels high, or as high as what it holds.

mod compact;
mod layout;
mod line;
mod read;
mod words;
mod write;

use crate::Size;
pub use read::NotationError;

/// The default screen size.
const SCREEN: Size = Size::new(1080, 2400);

/// Levels below this one are written as a number.
const DEEPEST_INDENT: u32 = 100;

/// The package whose classes are written without it.
const COMMON_PACKAGE: &str = "android.widget.";
