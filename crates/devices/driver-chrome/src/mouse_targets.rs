//! Mouse actions of the driver on nodes and at points.

use driver::{ActOutcome, Cx, DriverError, MouseAct, MouseTarget, Result};

use crate::driver::ChromeDriver;
use crate::input::{ClickOutcome, MouseEnd};
use crate::tab_view::ActTarget;

impl ChromeDriver {
    /// Uses the mouse on an element or at a point.
    pub(crate) async fn use_mouse(
        &mut self,
        cx: &Cx,
        at: MouseTarget,
        act: MouseAct,
    ) -> Result<ActOutcome> {
        self.ensure_front(cx).await?;
        let target = self.mouse_end(cx, at).await?;
        let root = self.root(cx).await?;
        let pressed = match act {
            MouseAct::DragTo { to, duration } => {
                let to = self.mouse_end(cx, to).await?;
                let view = self.view()?;
                let page = view.session();
                let mut input = view.input(cx);
                input.wait_for_paint(&root).await?;
                let at = input.drag(&page, &target, &to, duration).await?;
                Some((at, ClickOutcome::Clicked))
            }
            MouseAct::DoubleClick | MouseAct::RightClick | MouseAct::Hover => {
                let view = self.view()?;
                let page = view.session();
                let mut input = view.input(cx);
                input.wait_for_paint(&root).await?;
                match act {
                    MouseAct::DoubleClick => input.double_click(&page, &target).await?,
                    MouseAct::RightClick => Some(input.right_click(&page, &target).await?),
                    MouseAct::Hover | MouseAct::DragTo { .. } => {
                        let at = input.hover(&page, &target).await?;
                        Some((at, ClickOutcome::Clicked))
                    }
                }
            }
        };
        Ok(self.outcome_of(pressed))
    }

    /// The element or the point of the page where the mouse is used.
    async fn mouse_end(&mut self, cx: &Cx, at: MouseTarget) -> Result<MouseEnd> {
        match at {
            MouseTarget::Node(node) => {
                let node = self.node_in_front(cx, node).await?;
                match self.view()?.act_target(node)? {
                    ActTarget::Element(target) => Ok(MouseEnd::Element(target)),
                    ActTarget::Dialog(_) => Err(DriverError::Refused(
                        "the buttons of a dialog can only be clicked".to_owned(),
                    )),
                }
            }
            MouseTarget::Point(at) => Ok(MouseEnd::Point(self.place(at)?)),
        }
    }
}
