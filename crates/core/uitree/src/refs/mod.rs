//! References to elements, such as `e12`, that keep their meaning from one screen to the next.
//!
//! A reference belongs to an element, not to a place on the screen. The table remembers the [evidence](Evidence) for the
//! element: its window, page and title, its row, its own properties, what is beside it, and, on web pages, the node of the
//! document. The head, foot and navigation of a page are a frame of their own: when another page of the same document is shown
//! in it, page and title do not count for its elements. A dialog with a name is a part of its own, too.
//!
//! On another screen the reference is the element for which all of this still holds; where evidence is missing, contradicts, or
//! fits several elements, the reference is stale. If a text of the element has changed since the last screen, what
//! [remains](lasting) of it decides, if another document was loaded, what [holds there](reloaded), and if others came or went,
//! the [texts of its row](beside). The text of a list built of plain elements is a value: it becomes that of the option that was
//! [pressed](pressed) in it. Numbers are never used again.

mod alone;
mod beside;
mod compare;
mod evidence;
mod lasting;
mod nodes;
mod owner;
mod pressed;
mod reloaded;
mod table;

pub(crate) use nodes::is_frame;
pub use table::{RefNumbers, RefTable, Refs, ResolvedRef, ScreenRefs, describe, describe_in_place};

use evidence::{Evidence, Scan};
