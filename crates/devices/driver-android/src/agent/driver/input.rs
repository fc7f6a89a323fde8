//! What the driver does to the screen: requests that change it, each sent once.

use std::time::Duration;

use agent_protocol::{Answer, NodeAction, Request};
use driver::{ActOutcome, Cx, DriverError, Result};
use uitree::{NodeId, State};

use super::AgentDriver;
use super::capture::LastScreen;
use crate::agent::link::wrong_answer;
use crate::agent::tools::{self, Finger};
use crate::phone::{text, touch_point};

impl AgentDriver {
    /// Sends a change, once: earlier nodes become stale.
    pub(super) async fn change(&mut self, cx: &Cx, request: &Request) -> Result<Answer> {
        self.last = None;
        self.link.change(cx, request).await
    }

    /// One finger.
    pub(super) async fn finger(&mut self, cx: &Cx, finger: Finger) -> Result<()> {
        let pointer = finger.points.iter().map(|at| (at.x, at.y)).collect();
        let millis = |time: Duration| u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let request = Request::Touch {
            display: 0,
            hold_ms: millis(finger.hold),
            duration_ms: millis(finger.duration),
            rest_ms: millis(finger.rest),
            pointers: vec![pointer],
        };
        match self.change(cx, &request).await {
            // The tools cannot rest.
            Err(DriverError::Unsupported(_)) if finger.rest.is_zero() => {
                tools::finger(&self.shell, cx, &finger, self.profile.sdk).await
            }
            done => done.map(|_| ()),
        }
    }

    /// Touches a node where nothing else is hit.
    pub(super) async fn touch_node(
        &mut self,
        cx: &Cx,
        seen: &LastScreen,
        id: NodeId,
        duration: Duration,
    ) -> Result<ActOutcome> {
        let tree = &seen.observation.tree;
        let at = touch_point::free_point(tree, id, &seen.bars)
            .ok_or_else(|| DriverError::Refused("every point of the node is covered".to_owned()))?;
        self.finger(cx, Finger::still(at, duration)).await?;
        Ok(ActOutcome::touched(at))
    }

    /// Performs an action of the platform on a node; returns the node's text afterwards, if it was read.
    pub(super) async fn act_on(
        &mut self,
        cx: &Cx,
        seen: &LastScreen,
        id: NodeId,
        action: NodeAction,
        argument: &str,
    ) -> Result<Option<String>> {
        let place = seen.places.get(id.index()).copied().flatten();
        let request = Request::Act {
            revision: seen.agent_revision,
            node: place.ok_or(DriverError::Stale)?,
            action,
            argument: argument.to_owned(),
        };
        match self.change(cx, &request).await? {
            Answer::Acted { text } => Ok(text),
            other => Err(wrong_answer(&other)),
        }
    }

    /// Appends to a field. The platform can only replace a text, so the field must still hold what was seen.
    pub(super) async fn append(
        &mut self,
        cx: &Cx,
        seen: &LastScreen,
        id: NodeId,
        added: &str,
    ) -> Result<()> {
        let field = seen.observation.tree.node(id).clone();
        let content = match field.is(State::SHOWING_HINT) {
            true => "",
            false => &*field.text,
        };
        if field.is(State::PASSWORD) && !content.is_empty() {
            // Its text is not known, so it is typed with the phone's keyboard.
            let commands = text::append(None, &field, self.profile.density, added)?;
            if !field.is(State::FOCUSED) {
                self.act_on(cx, seen, id, NodeAction::Focus, "").await?;
            }
            self.last = None;
            return self.shell.change_all(cx, "", &commands).await;
        }
        let now = self.capture_screen(cx).await?;
        if now.revision != seen.observation.revision {
            return Err(DriverError::Stale);
        }
        let seen = self.node(now.node_ref(id))?.clone();
        let text = format!("{content}{added}");
        let keys = text::append(None, &field, self.profile.density, added);
        self.set_text(cx, &seen, id, &text, keys).await
    }

    /// Sets the text of a field. If the app refuses that, `keys` are pressed in the field.
    pub(super) async fn set_text(
        &mut self,
        cx: &Cx,
        seen: &LastScreen,
        id: NodeId,
        text: &str,
        keys: Result<Vec<String>>,
    ) -> Result<()> {
        let refused = match self.act_on(cx, seen, id, NodeAction::SetText, text).await {
            Err(error @ (DriverError::Refused(_) | DriverError::Unsupported(_))) => error,
            done => return done.map(|_| ()),
        };
        let commands = match keys {
            Err(DriverError::Unwritable(why)) => {
                let why = format!("the field does not take a text as a whole, and {why}");
                return Err(DriverError::Unwritable(why));
            }
            commands => commands?,
        };
        // Keys go to the node with the focus.
        if !seen.observation.tree.node(id).is(State::FOCUSED) {
            match self.act_on(cx, seen, id, NodeAction::Focus, "").await {
                Err(DriverError::Refused(_) | DriverError::Unsupported(_)) => return Err(refused),
                focused => focused?,
            };
        }
        self.last = None;
        self.shell.change_all(cx, "", &commands).await
    }
}
