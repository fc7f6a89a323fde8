//! The driver of a phone with our agent. What the agent does not do, the phone's own tools do, with the code
//! that the stock driver uses.

mod capture;
mod input;

use std::sync::Arc;
use std::time::Duration;

use agent_protocol::{AgentForm, Answer, Features, HelloAnswer, NodeAction, Request, ScreenImage};
use async_trait::async_trait;
use driver::{
    ActOutcome, Capabilities, Cx, DeviceInfo, Dispatch, Driver, DriverError, Foreground, Gesture,
    Image, ImageFormat, ImageRequest, Key, KeyChord, NodeAct, NodeRef, Observation, OpenOutcome,
    Orientation, Pixels, Recording, Result, Revision, SideEffect, Target,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;
use uitree::{Rect, Role, Size, State};

use crate::agent::attach::{AgentSource, AttachTarget};
use crate::agent::link::{AgentLink, wrong_answer};
use crate::agent::notices;
use crate::agent::tools::{self, Finger};
use crate::agent::unavailable::AgentUnavailable;
use crate::manage::{PackageFilter, packages};
use crate::phone::agent_client::AgentClient;
use crate::phone::{
    LONG_PRESS, foreground, keys, on_screen, orientation, picture, start, swipe_end, text,
};
use crate::profile::Profile;
use crate::recorder::{Recorder, Recorders};
use crate::screen::{self, ScreenState};
use crate::shell::Shell;
use capture::LastScreen;

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
    /// The agent's last observation, also after a change: the agent may answer that nothing changed.
    known: Option<LastScreen>,
    revision: Revision,
    /// When the screen was last known to be on and unlocked.
    seen_on: Option<Instant>,
    recorder: Recorders,
}

impl AgentDriver {
    /// Attaches to the agent on a phone, or starts it there; an app is not started.
    ///
    /// # Errors
    /// Why the agent cannot be used. Nothing of the screen was changed.
    pub async fn open(
        serial: &str,
        phone: adb::Phone,
        target: AttachTarget,
        source: impl Into<AgentSource>,
        cx: &Cx,
    ) -> std::result::Result<Self, AgentUnavailable> {
        let shell = Shell::new(phone);
        let AttachTarget { identity, running } = target;
        let (sdk, source) = (identity.sdk, source.into());
        let link = AgentLink::attach(shell.clone(), cx, sdk, source, running).await?;
        let hello = link.hello();
        let screen = upright_size(hello.width, hello.height, hello.rotation);
        let profile = identity.with_screen(screen, hello.density);
        Ok(Self::with_link(serial, shell, profile, link))
    }

    /// Drives a phone through a stream to an agent that runs already. It is not started again if it ends.
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
            info: profile.device(
                serial,
                Capabilities {
                    events: true,
                    swipe_rests: link.hello().features.contains(Features::REST),
                    clicks_by_place: true,
                    ..Capabilities::default()
                },
            ),
            shell,
            profile,
            link,
            last: None,
            known: None,
            revision: Revision::default(),
            seen_on: None,
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
        self.screenshot_as(cx, ImageRequest::default()).await
    }

    async fn screenshot_as(&mut self, cx: &Cx, wanted: ImageRequest) -> Result<Image> {
        cx.check()?;
        let request = Request::Screenshot {
            display: 0,
            jpeg_quality: match wanted.format {
                ImageFormat::Png => None,
                ImageFormat::Jpeg => Some(ImageRequest::JPEG_QUALITY),
            },
            max_side: wanted.max_side,
        };
        let known = self
            .seen_on
            .is_some_and(|at| at.elapsed() < SCREEN_STATE_TTL);
        let state = async {
            match known {
                true => Ok(()),
                false => ScreenState::query(&self.shell, cx).await?.check(),
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
        Image::of_file(image.bytes)?
            .ok_or_else(|| DriverError::Refused("the agent gave no picture".to_owned()))
    }

    async fn pixels(&mut self, cx: &Cx, area: Rect) -> Result<Pixels> {
        let image = self.screenshot(cx).await?;
        picture::part(&image, area)
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome> {
        cx.check()?;
        let seen = self.node(node)?.clone();
        let id = node.node;
        let field = seen.observation.tree.node(id).clone();
        self.ensure_screen_is_on(cx).await?;
        match act {
            NodeAct::Click => return self.touch_node(cx, &seen, id, TAP).await,
            NodeAct::LongClick => return self.touch_node(cx, &seen, id, LONG_PRESS).await,
            NodeAct::Focus if field.is(State::FOCUSED) => {}
            NodeAct::Focus if !field.is(State::EDITABLE) => {
                return Err(DriverError::Unsupported(
                    "focus without a click on anything but a text field",
                ));
            }
            NodeAct::Focus => {
                self.act_on(cx, &seen, id, NodeAction::Focus, "").await?;
            }
            NodeAct::SetText(text) if field.role == Role::Slider => {
                self.act_on(cx, &seen, id, NodeAction::SetText, text)
                    .await?;
            }
            NodeAct::SetText(text) => {
                let keys = text::replace(None, &field, text);
                self.set_text(cx, &seen, id, text, keys).await?;
            }
            NodeAct::AppendText(text) => self.append(cx, &seen, id, text).await?,
            NodeAct::Submit => {
                if !field.is(State::FOCUSED) {
                    self.act_on(cx, &seen, id, NodeAction::Focus, "").await?;
                }
                match self.act_on(cx, &seen, id, NodeAction::Submit, "").await {
                    Err(DriverError::Unsupported(_)) => {
                        tools::key(&self.shell, cx, Key::Enter).await?;
                    }
                    done => drop(done?),
                }
            }
        }
        Ok(ActOutcome::default())
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

    fn side_effects(&mut self) -> Vec<SideEffect> {
        let events = self.link.take_events().into_iter();
        events.filter_map(notices::side_effect).collect()
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        cx.check()?;
        let size = self.size_for_touch(cx).await?;
        let finger = match *gesture {
            Gesture::Tap { at } => Finger::still(on_screen(size, at)?, TAP),
            Gesture::LongPress { at } => Finger::still(on_screen(size, at)?, LONG_PRESS),
            Gesture::DoubleTap { at } => {
                let at = on_screen(size, at)?;
                self.finger(cx, Finger::still(at, TAP)).await?;
                let second = self.finger(cx, Finger::still(at, TAP)).await;
                return second.map_err(tapped_once);
            }
            Gesture::Drag { from, to, duration } => Finger {
                points: vec![on_screen(size, from)?, swipe_end(size, to)?],
                hold: LONG_PRESS,
                duration,
                rest: Duration::ZERO,
            },
            Gesture::Swipe {
                from,
                to,
                duration,
                rest,
            } => Finger {
                points: vec![on_screen(size, from)?, swipe_end(size, to)?],
                hold: Duration::ZERO,
                duration,
                rest,
            },
        };
        self.finger(cx, finger).await
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome> {
        cx.check()?;
        self.link.restore(cx).await?;
        if !key.works_while_screen_off() {
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
        if key.works_while_screen_off() {
            self.seen_on = None;
        }
        pressed.map(|()| ActOutcome::default())
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
            // `Incomplete` describes screens; here the clipboard could not be read.
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

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<OpenOutcome> {
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

/// The size of a screen in pixels when the phone is not rotated, of that when it is rotated by so many quarter turns.
fn upright_size(width: u32, height: u32, rotation: u8) -> Size {
    let pixels = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    match rotation % 2 {
        1 => Size::new(pixels(height), pixels(width)),
        _ => Size::new(pixels(width), pixels(height)),
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
