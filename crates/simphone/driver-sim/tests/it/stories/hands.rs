//! Steps that a finger and accessibility both can do. A story that says `(both hands)` is played once with each.

use driver::{Key, NodeAct, NodeRef};
use uitree::{Node, State};

use crate::world::{World, bounds};

/// Who works the controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hand {
    Finger,
    Accessibility,
}

impl World {
    /// Takes a step if it is one of either hand.
    pub(super) async fn by_hand(
        &mut self,
        hand: Hand,
        verb: &str,
        rest: &str,
    ) -> Result<bool, String> {
        match verb {
            "press" => self.press(hand, rest, &NodeAct::Click).await?,
            "long_press" => self.press(hand, rest, &NodeAct::LongClick).await?,
            "write" => {
                let (field, text) = rest.split_once(" = ").ok_or("write what?")?;
                self.write(hand, field, text).await?;
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

    /// The node of this name, with the content moved up until it is there.
    async fn find_below(&mut self, name: &str) -> Result<(NodeRef, Node), String> {
        for _ in 0..8 {
            if let Ok(found) = self.called(name) {
                return Ok(found);
            }
            self.swipe((1040, 1200), (1040, 700)).await;
        }
        self.called(name)
    }

    async fn press(&mut self, hand: Hand, name: &str, act: &NodeAct) -> Result<(), String> {
        let (node, found) = self.find_below(name).await?;
        let at = bounds(&found).center();
        match (hand, act) {
            (Hand::Accessibility, _) => {
                let taker = self.taker(node, act)?;
                let done = self.driver_act(taker, act.clone()).await;
                done.map_err(|error| error.to_string())?;
            }
            (Hand::Finger, NodeAct::LongClick) => {
                self.driver.phone_mut().touch_down(at);
                self.pass(500).await;
                self.driver.phone_mut().touch_up(at);
            }
            (Hand::Finger, _) => self.driver.phone_mut().tap(at),
        }
        Ok(())
    }

    /// What takes the clicks of a node: itself, or what is nearest around it.
    fn taker(&mut self, node: NodeRef, act: &NodeAct) -> Result<NodeRef, String> {
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

    async fn write(&mut self, hand: Hand, field: &str, text: &str) -> Result<(), String> {
        let (node, found) = self.find_below(field).await?;
        match hand {
            Hand::Finger => {
                let phone = self.driver.phone_mut();
                phone.tap(bounds(&found).center());
                phone.type_text(text);
                // The keyboard goes, the page stays.
                phone.press_key(Key::Back);
                Ok(())
            }
            Hand::Accessibility => {
                let done = self.driver_act(node, NodeAct::SetText(text.to_owned()));
                done.await.map_err(|error| error.to_string())
            }
        }
    }
}
