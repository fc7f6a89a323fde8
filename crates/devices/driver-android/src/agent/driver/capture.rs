//! What the driver knows of the screen: whether it is on, and the last observation.

use std::sync::Arc;

use agent_protocol::ScreenCapture;
use driver::{Cx, Driver, DriverError, NodeRef, Observation, Result, Revision};
use tokio::time::Instant;
use uitree::{Rect, Size};

use super::{AgentDriver, SCREEN_STATE_TTL, upright_size};
use crate::agent::tree;
use crate::phone::SYSTEM_UI;
use crate::phone::windows::window_infos;
use crate::screen::ScreenState;

#[derive(Clone, Debug)]
pub(super) struct LastScreen {
    /// The agent that returned it.
    pub(super) generation: u64,
    /// That agent's revision of it.
    pub(super) agent_revision: u64,
    /// The places of its nodes in the agent's observation.
    pub(super) places: Arc<[Option<u32>]>,
    /// The system bars, which are left out of the tree.
    pub(super) bars: Arc<[Rect]>,
    pub(super) observation: Observation,
}

impl AgentDriver {
    /// Checks whether the screen is on and unlocked.
    pub(super) async fn check_screen(&mut self, cx: &Cx) -> Result<()> {
        self.seen_on = None;
        ScreenState::query(&self.shell, cx).await?.check()?;
        self.seen_on = Some(Instant::now());
        Ok(())
    }

    /// The same, unless it was known a moment ago.
    pub(super) async fn ensure_screen_is_on(&mut self, cx: &Cx) -> Result<()> {
        let known = self
            .seen_on
            .is_some_and(|at| at.elapsed() < SCREEN_STATE_TTL);
        if known {
            Ok(())
        } else {
            self.check_screen(cx).await
        }
    }

    /// A node of the last observation; stale if there is a later one.
    pub(super) fn node(&self, node: NodeRef) -> Result<&LastScreen> {
        let seen = self.last.as_ref().ok_or(DriverError::Stale)?;
        if seen.observation.revision != node.revision || !self.link.is_current(seen.generation) {
            return Err(DriverError::Stale);
        }
        Ok(seen)
    }

    /// Asks the agent for the screen.
    pub(super) async fn capture_screen(&mut self, cx: &Cx) -> Result<Observation> {
        let known = self.known.as_ref().map_or(0, |known| known.agent_revision);
        let (agent_revision, capture) = self.link.observe(cx, known).await?;
        let screen = match (capture, &self.known) {
            (Some(capture), _) => self.read(agent_revision, &capture)?,
            (None, Some(known))
                if known.agent_revision == agent_revision
                    && known.generation == self.link.generation() =>
            {
                known.clone()
            }
            (None, _) => {
                self.known = None;
                let why = "the agent says that a screen is unchanged which it did not give";
                return Err(DriverError::Incomplete(why.to_owned()));
            }
        };
        let foreground = screen.observation.foreground.as_deref();
        if foreground.is_none_or(|app| app == SYSTEM_UI) {
            // It may be the lock screen.
            self.check_screen(cx).await?;
        }
        self.seen_on = Some(Instant::now());
        let observation = screen.observation.clone();
        self.last = Some(screen.clone());
        self.known = Some(screen);
        Ok(observation)
    }

    /// Reads a new observation. A screen that looks as before keeps its revision, for example if only the clock
    /// in the status bar is another.
    pub(super) fn read(
        &mut self,
        agent_revision: u64,
        capture: &ScreenCapture,
    ) -> Result<LastScreen> {
        let before = self.known.take();
        self.last = None;
        self.set_screen_size(capture);
        let whole = tree::read(capture)?;
        let windows = window_infos(&whole.screen.tree);
        let places = whole.places_of(whole.screen.nodes_without_bars());
        let (bars, kept) = whole.screen.split_bars()?;
        let mut observation = kept.describe(self.revision);
        observation.windows = windows;
        let is_same = before.is_some_and(|before| looks_like(&before.observation, &observation));
        if !is_same {
            self.revision = Revision(self.revision.0 + 1);
            observation.revision = self.revision;
        }
        Ok(LastScreen {
            generation: self.link.generation(),
            agent_revision,
            places: places.into(),
            bars: bars.into(),
            observation,
        })
    }

    /// Updates the screen size, which changes when the phone is folded or its size set.
    pub(super) fn set_screen_size(&mut self, capture: &ScreenCapture) {
        let size = upright_size(capture.width, capture.height, capture.rotation);
        if !size.to_rect().is_empty() {
            self.profile.screen = size;
            self.info.screen = size;
        }
    }

    /// The rotated size of the screen, for touches. Without an observation the screen is observed, which also
    /// tells whether it is on and unlocked.
    pub(super) async fn size_for_touch(&mut self, cx: &Cx) -> Result<Size> {
        let last = self.last.as_ref();
        if !last.is_some_and(|seen| self.link.is_current(seen.generation)) {
            match self.observe(cx).await {
                Ok(_) | Err(DriverError::Incomplete(_) | DriverError::NoWindow) => {}
                Err(error) => return Err(error),
            }
        }
        self.ensure_screen_is_on(cx).await?;
        Ok(match &self.last {
            Some(seen) => seen.observation.tree.screen(),
            None => {
                let hello = self.link.hello();
                let pixels = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
                Size::new(pixels(hello.width), pixels(hello.height))
            }
        })
    }
}

/// Whether two observations show the same, whatever their revisions.
fn looks_like(one: &Observation, other: &Observation) -> bool {
    one.tree == other.tree
        && one.windows == other.windows
        && one.foreground == other.foreground
        && one.other_displays.len() == other.other_displays.len()
}
