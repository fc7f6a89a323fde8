//! Steps that work by touch and by accessibility. A story with `(touch and accessibility)` in its title is played with
//! each.

use driver::{Key, NodeAct, NodeRef};
use uitree::{Node, State};

use crate::fixture::{Fixture, bounds};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputSource {
    Touch,
    Accessibility,
}

impl Fixture {
    /// Performs a step if it is one of these; returns whether it is.
    pub(super) async fn input_step(
        &mut self,
        source: InputSource,
        verb: &str,
        rest: &str,
    ) -> Result<bool, String> {
        match verb {
            "press" => self.press(source, rest, &NodeAct::Click).await?,
            "long_press" => self.press(source, rest, &NodeAct::LongClick).await?,
            "write" => {
                let (field, text) = rest.split_once(" = ").ok_or("write what?")?;
                self.write(source, field, text).await?;
            }
            "reads" => {
                let (name, text) = rest.split_once(" = ").ok_or("what does it read?")?;
                let read = self.find_below(name).await?.1.text;
                if read.trim_end() != text {
                    return Err(format!("it reads `{read}`"));
                }
            }
            "finds" => {
                self.find_below(rest).await?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Finds a node by name, scrolling down as needed.
    async fn find_below(&mut self, name: &str) -> Result<(NodeRef, Node), String> {
        for _ in 0..8 {
            if let Ok(found) = self.called(name) {
                return Ok(found);
            }
            self.swipe((1040, 1200), (1040, 700)).await;
        }
        self.called(name)
    }

    async fn press(
        &mut self,
        source: InputSource,
        name: &str,
        act: &NodeAct,
    ) -> Result<(), String> {
        let (node, found) = self.find_below(name).await?;
        let at = bounds(&found).center();
        match (source, act) {
            (InputSource::Accessibility, _) => {
                let target = self.target(node, act)?;
                let done = self.driver_act(target, act.clone()).await;
                done.map_err(|error| error.to_string())?;
            }
            (InputSource::Touch, NodeAct::LongClick) => {
                self.driver.phone_mut().touch_down(at);
                self.pass(500).await;
                self.driver.phone_mut().touch_up(at);
            }
            (InputSource::Touch, _) => self.driver.phone_mut().tap(at),
        }
        Ok(())
    }

    /// The nearest node that takes the act: the node itself or an ancestor.
    fn target(&mut self, node: NodeRef, act: &NodeAct) -> Result<NodeRef, String> {
        let takes = match act {
            NodeAct::LongClick => State::LONG_CLICKABLE,
            _ => State::CLICKABLE,
        };
        let seen = self.screen()?;
        let mut at = Some(node.node);
        while let Some(id) = at {
            if seen.tree.node(id).is(takes) {
                return Ok(seen.node_ref(id));
            }
            at = seen.tree.node(id).parent;
        }
        Ok(node)
    }

    async fn write(&mut self, source: InputSource, field: &str, text: &str) -> Result<(), String> {
        let (node, found) = self.find_below(field).await?;
        match source {
            InputSource::Touch => {
                let phone = self.driver.phone_mut();
                phone.tap(bounds(&found).center());
                phone.type_text(text);
                // Closes the keyboard; the page stays.
                phone.press_key(Key::Back);
                Ok(())
            }
            InputSource::Accessibility => {
                let done = self.driver_act(node, NodeAct::SetText(text.to_owned()));
                done.await.map_err(|error| error.to_string())
            }
        }
    }
}
