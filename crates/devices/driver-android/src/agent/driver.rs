//! The driver of a phone with our agent. What the agent does not do, the phone's own tools do, with the code
//! that the stock driver uses.

use std::sync::Arc;
use std::time::Duration;

use agent_protocol::{
    AgentForm, Answer, Features, HelloAnswer, NodeAction, Request, ScreenCapture, ScreenImage,
};
use async_trait::async_trait;
use driver::{
    Capabilities, Cx, DeviceInfo, Dispatch, Driver, DriverError, Foreground, Gesture, Image, Key,
    KeyChord, NodeAct, NodeRef, Observation, Orientation, Pixels, Platform, Recording, Result,
    Revision, SideEffect, Target,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;
use uitree::{NodeId, Point, Rect, Size, State};

use crate::agent::attach::AgentSource;
use crate::agent::client::AgentClient;
use crate::agent::link::{AgentLink, wrong_answer};
use crate::agent::unavailable::AgentUnavailable;
use crate::agent::{notices, tools, tree};
use crate::manage::{PackageFilter, packages};
use crate::phone::windows::window_infos;
use crate::phone::{
    LONG_PRESS, SYSTEM_UI, foreground, keys, on_screen, orientation, picture, start, swipe_end,
    text, touch_point,
};
use crate::profile::Profile;
use crate::recorder::{Recorder, Recorders};
use crate::screen::{self, ScreenState};
use crate::shell::Shell;

/// How long a tap is held: longer than a frame, so that screens which read touches once a frame see it.
const TAP: Duration = Duration::from_millis(20);
/// How long the state of the screen counts as known after it was seen.
const SCREEN_STATE_TTL: Duration = Duration::from_secs(2);
/// How long `changed` trusts the silence of the agent: some apps change their screens without an event.
const SILENCE: Duration = Duration::from_secs(1);

/// A phone driven through our agent.
#[derive(Debug)]
pub struct AgentDriver {
    shell: Shell,
    profile: Profile,
    info: DeviceInfo,
    link: AgentLink,
    /// The last observation; `None` once the screen may have changed by our own doing.
    last: Option<LastScreen>,
    /// What the agent gave last, also after a change: it may answer that nothing changed.
    known: Option<LastScreen>,
    revision: Revision,
    /// When the screen was last known to be on and unlocked.
    seen_on: Option<Instant>,
    touched: Option<Point>,
    recorder: Recorders,
}

#[derive(Clone, Debug)]
struct LastScreen {
    /// The agent that gave it.
    generation: u64,
    /// That agent's revision of it.
    agent_revision: u64,
    /// The places of its nodes in the agent's observation.
    places: Arc<[Option<u32>]>,
    /// The system bars, which are left out of the tree.
    bars: Arc<[Rect]>,
    observation: Observation,
}

impl AgentDriver {
    /// Attaches to the agent on a phone, or starts it there; an app is not started.
    ///
    /// # Errors
    /// Why the agent cannot be used. Nothing of the screen was changed.
    pub async fn open(
        serial: &str,
        phone: adb::Phone,
        profile: Profile,
        source: impl Into<AgentSource>,
        cx: &Cx,
    ) -> std::result::Result<Self, AgentUnavailable> {
        let shell = Shell::new(phone);
        let link = AgentLink::attach(shell.clone(), cx, profile.sdk, source.into()).await?;
        Ok(Self::with_link(serial, shell, profile, link))
    }

    /// Drives a phone through a stream to an agent that runs already. It is not started again if it ends.
    ///
    /// # Errors
    /// Why the agent cannot be used.
    pub async fn over<S>(
        serial: &str,
        phone: adb::Phone,
        profile: Profile,
        stream: S,
        token: &[u8],
    ) -> std::result::Result<Self, AgentUnavailable>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let client = AgentClient::connect(stream, token)
            .await
            .map_err(|error| AgentUnavailable::NotReached(error.to_string()))?;
        let shell = Shell::new(phone);
        let link = AgentLink::connected(shell.clone(), profile.sdk, client);
        Ok(Self::with_link(serial, shell, profile, link))
    }

    fn with_link(serial: &str, shell: Shell, profile: Profile, link: AgentLink) -> Self {
        Self {
            info: DeviceInfo {
                id: serial.to_owned(),
                platform: Platform::Android,
                model: profile.model.clone(),
                screen: profile.screen,
                density: profile.density,
                capabilities: Capabilities {
                    recording: false,
                    events: true,
                    css: false,
                    observe_settles: false,
                    loading: false,
                    swipe_rests: link.hello().features.contains(Features::REST),
                },
            },
            shell,
            profile,
            link,
            last: None,
            known: None,
            revision: Revision::default(),
            seen_on: None,
            touched: None,
            recorder: Recorders::default(),
        }
    }

    /// Adds a recorder, which listens beside this driver.
    #[must_use]
    pub fn with_recorder(mut self, recorder: Arc<dyn Recorder>) -> Self {
        self.recorder.add(recorder, &mut self.info.capabilities);
        self
    }

    /// Closes the connection to the agent until the next request, so that other processes can use it. Nodes of
    /// earlier observations become stale.
    pub fn disconnect(&mut self) {
        self.link.disconnect();
    }

    /// How the agent runs.
    pub const fn form(&self) -> AgentForm {
        self.link.hello().form
    }

    /// What the agent said of itself.
    pub const fn hello(&self) -> &HelloAnswer {
        self.link.hello()
    }

    /// The phone's profile.
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Checks whether the screen is on and unlocked.
    async fn check_screen(&mut self, cx: &Cx) -> Result<()> {
        self.seen_on = None;
        ScreenState::of(&self.shell, cx).await?.check()?;
        self.seen_on = Some(Instant::now());
        Ok(())
    }

    /// The same, unless it was known a moment ago.
    async fn ensure_screen_is_on(&mut self, cx: &Cx) -> Result<()> {
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
    fn node(&self, node: NodeRef) -> Result<&LastScreen> {
        let seen = self.last.as_ref().ok_or(DriverError::Stale)?;
        if seen.observation.revision != node.revision || !self.link.is_current(seen.generation) {
            return Err(DriverError::Stale);
        }
        Ok(seen)
    }

    /// Asks the agent for the screen.
    async fn capture_screen(&mut self, cx: &Cx) -> Result<Observation> {
        let known = self.known.as_ref();
        let known = known.filter(|known| self.link.is_current(known.generation));
        let known = known.map_or(0, |known| known.agent_revision);
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
    fn read(&mut self, agent_revision: u64, capture: &ScreenCapture) -> Result<LastScreen> {
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
    fn set_screen_size(&mut self, capture: &ScreenCapture) {
        let pixels = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let (width, height) = (pixels(capture.width), pixels(capture.height));
        let size = match capture.rotation % 2 {
            1 => Size::new(height, width),
            _ => Size::new(width, height),
        };
        if !size.to_rect().is_empty() {
            self.profile.screen = size;
            self.info.screen = size;
        }
    }

    /// The rotated size of the screen, for touches. Without an observation the screen is observed, which also
    /// tells whether it is on and unlocked.
    async fn size_for_touch(&mut self, cx: &Cx) -> Result<Size> {
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

    /// Sends a change, once: earlier nodes become stale.
    async fn change(&mut self, cx: &Cx, request: &Request) -> Result<Answer> {
        self.last = None;
        self.link.change(cx, request).await
    }

    /// One finger along these points, which rests at the last one.
    async fn finger(
        &mut self,
        cx: &Cx,
        points: Vec<Point>,
        duration: Duration,
        rest: Duration,
    ) -> Result<()> {
        let pointer = points.iter().map(|at| (at.x, at.y)).collect();
        let millis = |time: Duration| u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        let request = Request::Touch {
            display: 0,
            duration_ms: millis(duration),
            rest_ms: millis(rest),
            pointers: vec![pointer],
        };
        match self.change(cx, &request).await {
            // The tools cannot rest.
            Err(DriverError::Unsupported(_)) if rest.is_zero() => {
                tools::finger(&self.shell, cx, &points, duration).await
            }
            done => done.map(|_| ()),
        }
    }

    /// Touches a node where nothing else is hit; recorded as the last touch.
    async fn touch_node(
        &mut self,
        cx: &Cx,
        seen: &LastScreen,
        id: NodeId,
        duration: Duration,
    ) -> Result<()> {
        let tree = &seen.observation.tree;
        let at = touch_point::free_point(tree, id, &seen.bars)
            .ok_or_else(|| DriverError::Refused("every point of the node is covered".to_owned()))?;
        self.touched = Some(at);
        self.finger(cx, vec![at], duration, Duration::ZERO).await
    }

    /// Performs an action of the platform on a node; returns the node's text afterwards, if it was read.
    async fn act_on(
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
    async fn append(&mut self, cx: &Cx, seen: &LastScreen, id: NodeId, added: &str) -> Result<()> {
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
    async fn set_text(
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

/// Whether two observations show the same, whatever their revisions.
fn looks_like(one: &Observation, other: &Observation) -> bool {
    one.tree == other.tree
        && one.windows == other.windows
        && one.foreground == other.foreground
        && one.other_displays.len() == other.other_displays.len()
}

#[async_trait]
impl Driver for AgentDriver {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        cx.check()?;
        match self.capture_screen(cx).await {
            Err(error @ (DriverError::NoWindow | DriverError::Incomplete(_))) => {
                self.check_screen(cx).await?;
                Err(error)
            }
            seen => seen,
        }
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        cx.check()?;
        let request = Request::Screenshot { display: 0 };
        let known = self
            .seen_on
            .is_some_and(|at| at.elapsed() < SCREEN_STATE_TTL);
        let state = async {
            match known {
                true => Ok(()),
                false => ScreenState::of(&self.shell, cx).await?.check(),
            }
        };
        let (state, taken) = tokio::join!(state, self.link.read(cx, &request));
        state?;
        let image: ScreenImage = match taken {
            Err(DriverError::Unsupported(_)) => return tools::screenshot(&self.shell, cx).await,
            taken => match taken? {
                Answer::Screenshot(image) => image,
                other => return Err(wrong_answer(&other)),
            },
        };
        picture::whole(image.bytes)?
            .ok_or_else(|| DriverError::Refused("the agent gave no picture".to_owned()))
    }

    async fn pixels(&mut self, cx: &Cx, area: Rect) -> Result<Pixels> {
        let image = self.screenshot(cx).await?;
        picture::part(&image, area)
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<()> {
        self.touched = None;
        cx.check()?;
        let seen = self.node(node)?.clone();
        let id = node.node;
        let field = seen.observation.tree.node(id).clone();
        self.ensure_screen_is_on(cx).await?;
        match act {
            NodeAct::Click => self.touch_node(cx, &seen, id, TAP).await,
            NodeAct::LongClick => self.touch_node(cx, &seen, id, LONG_PRESS).await,
            NodeAct::Focus if field.is(State::FOCUSED) => Ok(()),
            NodeAct::Focus if !field.is(State::EDITABLE) => Err(DriverError::Unsupported(
                "focus without a click on anything but a text field",
            )),
            NodeAct::Focus => {
                let done = self.act_on(cx, &seen, id, NodeAction::Focus, "").await;
                done.map(|_| ())
            }
            NodeAct::SetText(text) => {
                let keys = text::replace(None, &field, text);
                self.set_text(cx, &seen, id, text, keys).await
            }
            NodeAct::AppendText(text) => self.append(cx, &seen, id, text).await,
            NodeAct::Submit => {
                if !field.is(State::FOCUSED) {
                    self.act_on(cx, &seen, id, NodeAction::Focus, "").await?;
                }
                match self.act_on(cx, &seen, id, NodeAction::Submit, "").await {
                    Err(DriverError::Unsupported(_)) => {
                        tools::key(&self.shell, cx, Key::Enter).await
                    }
                    done => done.map(|_| ()),
                }
            }
        }
    }

    async fn reveal(&mut self, cx: &Cx, node: NodeRef) -> Result<()> {
        cx.check()?;
        let seen = self.node(node)?.clone();
        let shown = self.act_on(cx, &seen, node.node, NodeAction::ShowOnScreen, "");
        match shown.await {
            // The engine scrolls by swipes then.
            Err(DriverError::Refused(_) | DriverError::Unsupported(_)) => {
                self.last = Some(seen);
                Err(DriverError::Unsupported("scrolling to a node"))
            }
            done => done.map(|_| ()),
        }
    }

    fn last_touch(&self) -> Option<Point> {
        self.touched
    }

    fn side_effects(&mut self) -> Vec<SideEffect> {
        let events = self.link.take_events().into_iter();
        events.filter_map(notices::side_effect).collect()
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        cx.check()?;
        let size = self.size_for_touch(cx).await?;
        let (points, duration, rest) = match *gesture {
            Gesture::Tap { at } => (vec![on_screen(size, at)?], TAP, Duration::ZERO),
            Gesture::LongPress { at } => (vec![on_screen(size, at)?], LONG_PRESS, Duration::ZERO),
            Gesture::DoubleTap { at } => {
                let at = vec![on_screen(size, at)?];
                self.finger(cx, at.clone(), TAP, Duration::ZERO).await?;
                return self
                    .finger(cx, at, TAP, Duration::ZERO)
                    .await
                    .map_err(tapped_once);
            }
            Gesture::Drag { from, to, duration } => {
                let (from, to) = (on_screen(size, from)?, swipe_end(size, to)?);
                let drag = keys::drag(from, to, duration, self.profile.sdk)?;
                self.last = None;
                return self.shell.change(cx, &drag).await.map(|_| ());
            }
            Gesture::Swipe {
                from,
                to,
                duration,
                rest,
            } => {
                let line = vec![on_screen(size, from)?, swipe_end(size, to)?];
                (line, duration, rest)
            }
        };
        self.finger(cx, points, duration, rest).await
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<()> {
        cx.check()?;
        self.link.restore(cx).await?;
        if !key.works_in_the_dark() {
            self.ensure_screen_is_on(cx).await?;
        }
        let request = Request::Key {
            display: 0,
            code: keys::code(key),
            meta: 0,
        };
        let pressed = match self.change(cx, &request).await {
            Err(DriverError::Unsupported(_)) => tools::key(&self.shell, cx, key).await,
            pressed => pressed.map(|_| ()),
        };
        if key.works_in_the_dark() {
            self.seen_on = None;
        }
        pressed
    }

    async fn press_chord(&mut self, cx: &Cx, chord: &KeyChord) -> Result<()> {
        cx.check()?;
        self.link.restore(cx).await?;
        self.ensure_screen_is_on(cx).await?;
        let (code, meta) = keys::code_with_meta(chord);
        let request = Request::Key {
            display: 0,
            code,
            meta,
        };
        match self.change(cx, &request).await {
            Err(DriverError::Unsupported(_)) => {
                let command = keys::chord(chord, self.profile.sdk)?;
                self.shell.change(cx, &command).await.map(|_| ())
            }
            pressed => pressed.map(|_| ()),
        }
    }

    async fn clipboard(&mut self, cx: &Cx) -> Result<String> {
        cx.check()?;
        match self.link.read(cx, &Request::Clipboard { set: None }).await {
            Ok(Answer::Clipboard { text }) => Ok(text),
            Ok(other) => Err(wrong_answer(&other)),
            // It says that of the screen.
            Err(DriverError::Incomplete(why)) => Err(DriverError::Refused(why)),
            Err(error) => Err(error),
        }
    }

    async fn set_clipboard(&mut self, cx: &Cx, text: &str) -> Result<()> {
        cx.check()?;
        self.link.restore(cx).await?;
        let set = Some(text.to_owned());
        let done = self.link.change(cx, &Request::Clipboard { set }).await;
        done.map(|_| ())
    }

    async fn set_orientation(&mut self, cx: &Cx, orientation: Orientation) -> Result<()> {
        cx.check()?;
        self.link.restore(cx).await?;
        self.ensure_screen_is_on(cx).await?;
        let turns = orientation.quarter_turns(self.profile.screen);
        match self.change(cx, &Request::Rotate { turns }).await {
            Err(DriverError::Unsupported(_)) => orientation::set(&self.shell, cx, turns).await,
            turned => turned.map(|_| ()),
        }
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<()> {
        cx.check()?;
        self.check_screen(cx).await?;
        self.last = None;
        start::open(&self.shell, cx, target).await
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        cx.check()?;
        self.last = None;
        start::close(&self.shell, cx, app).await
    }

    async fn apps(&mut self, cx: &Cx) -> Result<Vec<String>> {
        packages(&self.shell, cx, PackageFilter::All).await
    }

    async fn wake(&mut self, cx: &Cx) -> Result<()> {
        cx.check()?;
        self.last = None;
        self.seen_on = None;
        screen::wake(&self.shell, cx).await.map(|_| ())
    }

    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        cx.check()?;
        foreground::foreground(&self.shell, cx).await
    }

    async fn start_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        cx.check()?;
        self.recorder.start(cx, session).await
    }

    async fn stop_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        cx.check()?;
        self.recorder.stop(cx, session).await
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        cx.check()?;
        let is_current = |seen: &LastScreen| seen.observation.revision == since;
        if !self.last.as_ref().is_some_and(is_current) {
            return Ok(());
        }
        tokio::select! {
            biased;
            () = self.link.changed() => Ok(()),
            silent = cx.sleep(SILENCE) => silent,
        }
    }
}

/// The error of a double tap whose second tap failed.
fn tapped_once(error: DriverError) -> DriverError {
    match error {
        DriverError::Refused(why) => DriverError::Partial(format!("it was tapped once: {why}")),
        DriverError::Lost { message, .. } => DriverError::Lost {
            message,
            dispatch: Dispatch::Unknown,
        },
        other => other,
    }
}
