//! Acts on the dialogs of a page, which are windows with buttons.

use cdp::protocol::page::HandleJavaScriptDialog;
use driver::{Cx, DriverError, NodeAct, Result};

use crate::driver::ChromeDriver;
use crate::input::act_error;
use crate::page::{DialogKind, DialogPart};

impl ChromeDriver {
    /// Acts on a part of the open dialog.
    pub(crate) async fn answer_dialog(
        &mut self,
        cx: &Cx,
        part: DialogPart,
        act: &NodeAct,
    ) -> Result<()> {
        let observer = &self.view()?.observer;
        let dialog = observer.dialog().ok_or(DriverError::Stale)?;
        let accept = match (part, act) {
            (DialogPart::Accept, NodeAct::Click) | (DialogPart::Field, NodeAct::Submit) => true,
            (DialogPart::Dismiss, NodeAct::Click) => false,
            (DialogPart::Field, NodeAct::SetText(text)) => {
                observer.set_prompt(text);
                return Ok(());
            }
            (DialogPart::Field, NodeAct::AppendText(text)) => {
                observer.set_prompt(&format!("{}{text}", dialog.prompt));
                return Ok(());
            }
            (DialogPart::Field, NodeAct::Click | NodeAct::Focus) => return Ok(()),
            (_, NodeAct::SetText(_) | NodeAct::AppendText(_)) => {
                return Err(DriverError::Unwritable(
                    "this part of the dialog takes no text".to_owned(),
                ));
            }
            (DialogPart::Window | DialogPart::Message, _) => {
                return Err(DriverError::Refused(
                    "only the buttons of a dialog can be clicked".to_owned(),
                ));
            }
            (DialogPart::Field, _) => {
                return Err(DriverError::Refused(
                    "the field of a dialog can only be focused and filled".to_owned(),
                ));
            }
            (DialogPart::Accept | DialogPart::Dismiss, _) => {
                return Err(DriverError::Refused(
                    "the buttons of a dialog can only be clicked".to_owned(),
                ));
            }
        };
        self.close_dialog(cx, accept).await
    }

    /// Answers the open dialog.
    pub(crate) async fn close_dialog(&mut self, cx: &Cx, accept: bool) -> Result<()> {
        let view = self.view()?;
        let dialog = view.observer.dialog().ok_or(DriverError::Stale)?;
        let session = view
            .observer
            .dialog_session()
            .unwrap_or_else(|| view.session());
        let answer = session.call(&HandleJavaScriptDialog {
            accept,
            prompt_text: (dialog.kind == DialogKind::Prompt && accept)
                .then(|| dialog.prompt.clone()),
        });
        cx.run(answer).await?.map_err(act_error)?;
        view.observer.dialog_answered(&dialog);
        Ok(())
    }
}
