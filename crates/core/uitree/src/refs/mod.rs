//! References to elements, such as `e12`, that keep their meaning from one screen to the next.
//!
//! A reference belongs to an element, not to a place on the screen. The table remembers the [evidence](Evidence) for the
//! element: its window, page and title, its row, its own properties, what is beside it, and, on web pages, the node of the
//! document. The head, foot and navigation of a page are a frame of their own: when another page of the same document is shown
//! in it, page and title do not count for its elements. A dialog with a name is a part of its own, too.
//!
//! On another screen the reference is the element for which all of this still holds, in the same [context]; where evidence is
//! missing, contradicts, or fits several elements, the reference is stale. While a [text of the element changes](changed_text),
//! others come or go around [its row](by_row), or [another document](after_reload) is loaded, a key of its own decides, and so does
//! its [name](by_unique_name) if no other element has it. The text of a list built of plain elements is a value: it becomes that of
//! the option that was [clicked](after_option_click) in it. Cards are rows, and their texts are evidence for what is around
//! them. In a dialog or a menu, a reference holds as long as the press that opened it was for the same record. Numbers are never used
//! again.

mod after_option_click;
mod after_reload;
mod by_row;
mod by_unique_name;
mod changed_text;
mod compare;
mod context;
mod evidence;
mod layout;
mod nodes;
mod owner;
mod table;

pub(crate) use nodes::{is_frame, is_initials};
pub use table::{RefNumbers, RefTable, Refs, ResolvedRef, ScreenRefs, describe, describe_in_place};

use evidence::{Evidence, Scan};
