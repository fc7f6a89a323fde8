//! Finds elements that are painted in front of a modal dialog although they precede it in the document.

use super::collect::DraftNode;
use crate::{Dom, Element, ElementId, Facts};

/// The uppermost modal dialog of a page.
pub(super) struct TopDialog {
    dialog: ElementId,
    /// The highest paint order inside it.
    paint: u32,
}

impl TopDialog {
    /// The uppermost modal dialog, if there is one.
    pub(super) fn find(dom: &Dom, drafts: &[DraftNode]) -> Option<Self> {
        let is_modal = |draft: &&DraftNode| {
            let element = dom.element(draft.element);
            let is_marked = draft.facts.is_some_and(|facts| facts.modal);
            (is_marked || declares_modal(element)) && element.is(Facts::VISIBLE)
        };
        let dialog = drafts.iter().rev().find(is_modal)?.element;
        let paints = dom.subtree(dialog).map(|id| dom.element(id).paint);
        let paint = paints.max()?;
        Some(Self { dialog, paint })
    }

    /// Whether an element is painted in front of the dialog, although it precedes it in the document.
    pub(super) fn is_below(&self, dom: &Dom, id: ElementId) -> bool {
        id < self.dialog && !dom.contains(id, self.dialog) && dom.element(id).paint > self.paint
    }
}

/// Whether a page says that an element is a modal dialog.
pub(super) fn declares_modal(element: &Element) -> bool {
    element.attribute("aria-modal") == Some("true")
}
