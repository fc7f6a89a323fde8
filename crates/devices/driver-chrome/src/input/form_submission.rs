//! Forms: submitting them by Enter, and why the browser refused to.

use driver::{FormRefusal, Result};
use serde::Deserialize;

use super::element::ElementTarget;
use super::keys;
use super::script_call::{Element, PageFunction, PageInput, Realm};

/// The field that prevented a form from being submitted.
#[derive(Debug, Deserialize)]
struct InvalidField {
    field: String,
    message: String,
}

impl PageInput<'_> {
    /// Presses Enter in an element.
    pub(crate) async fn submit(&mut self, target: &ElementTarget) -> Result<()> {
        self.focus(target).await?;
        self.press_enter(&target.element).await
    }

    /// Presses Enter, for this element or, if that has no form, for the one with the focus in its document.
    pub(crate) async fn press_enter(&mut self, element: &Element) -> Result<()> {
        // The key is pressed whether or not the element has a form.
        let _ = self
            .call::<serde_json::Value>(element, PageFunction::WatchForm, Vec::new())
            .await;
        self.press(&element.realm.session, &[keys::ENTER]).await?;
        self.note_refusal(&element.realm).await;
        Ok(())
    }

    /// Records why the browser refused to submit the watched form of a document, if it did.
    pub(super) async fn note_refusal(&mut self, document: &Realm) {
        if self.is_settled() {
            let refusal_call =
                self.call_in_document(document, PageFunction::FormRefusal, Vec::new());
            // A document that no longer answers was replaced: its form was submitted, or a dialog opened.
            let refusal: Option<InvalidField> = refusal_call.await.unwrap_or_default();
            self.refusal =
                refusal.map(|InvalidField { field, message }| FormRefusal { field, message });
        }
    }
}
