//! Selects options and uploads files in the front page.

use std::path::PathBuf;

use driver::{Cx, DriverError, NodeRef, Result};

use crate::driver::ChromeDriver;
use crate::input::ElementTarget;
use crate::tab_view::ActTarget;

impl ChromeDriver {
    /// Selects exactly these options of a list.
    pub(crate) async fn select_in_list(
        &mut self,
        cx: &Cx,
        list: NodeRef,
        options: &[String],
    ) -> Result<Vec<String>> {
        let target = self.element_in_front(cx, list).await?;
        let mut input = self.view()?.input(cx);
        input.select_options(&target, options).await
    }

    /// Uploads files with a file input, or with the file chooser that the element opens.
    pub(crate) async fn upload_files(
        &mut self,
        cx: &Cx,
        node: NodeRef,
        files: &[PathBuf],
    ) -> Result<()> {
        let target = self.element_in_front(cx, node).await?;
        let view = self.view()?;
        let page = view.session();
        view.input(cx).upload(&page, &target, files).await
    }

    /// The element of a node of the front page.
    async fn element_in_front(&mut self, cx: &Cx, node: NodeRef) -> Result<Box<ElementTarget>> {
        cx.check()?;
        let node = self.node_in_front(cx, node).await?;
        match self.view()?.act_target(node)? {
            ActTarget::Element(target) => Ok(target),
            ActTarget::Dialog(_) => Err(DriverError::Unwritable(
                "a part of a dialog is no list and no file input".to_owned(),
            )),
        }
    }
}
