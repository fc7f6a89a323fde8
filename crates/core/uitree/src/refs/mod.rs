//! References to elements, such as `e12`, that keep their meaning from one screen to the next.
//!
//! Terms: a *scope* is a window, named dialog, inner page, page landmark or list; a *part* of the screen is a scope that is not a
//! list. The *items* of a scope are its rows or elements in document order, each identified by a hash. An element's *neighbors*
//! are the items before and after its own. The *page frame* is the set of landmarks that pages share (header, footer, navigation).
//!
//! The table stores the [evidence](Evidence) for each element: window, page and title, row, own properties, neighbors and, on
//! web pages, the DOM node. In the page frame, page and title do not count, since it stays when the page changes.
//!
//! On another screen a reference matches the element with the same evidence in the same [context]. It is stale if evidence is
//! missing, differs, or fits several elements. Separate keys identify an element when a [text of it changes](changed_text), items
//! around [its row](by_row) are inserted or removed, or [another document](after_reload) is loaded; so does a
//! [unique name](by_unique_name). The text of a custom dropdown changes to that of its [pressed option](recent_presses). Cards
//! are rows, and also items of the scope around them. A reference in a dialog or menu is valid while the press that opened it
//! was for the same record. Numbers are never reused.

mod after_reload;
mod by_row;
mod by_unique_name;
mod changed_text;
mod compare;
mod context;
mod context_label;
mod evidence;
mod layout;
mod nodes;
mod recent_presses;
mod screen_title;
mod table;

pub(crate) use nodes::{is_initials, is_page_landmark};
pub use table::{RefNumbers, RefTable, Refs, ResolvedRef, ScreenRefs, describe, describe_in_place};

use evidence::{Evidence, Scan};
