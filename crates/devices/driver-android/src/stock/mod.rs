//! Drives a phone with stock tools: `uiautomator dump` captures the screen, `input` acts, `am` opens and
//! closes apps.

mod dump;
mod pixels;
mod read_retry;

use std::sync::Arc;

use adb::Output;
use async_trait::async_trait;
use driver::{
    ActOutcome, Capabilities, Cx, DeviceInfo, Driver, DriverError, Foreground, Gesture, Image, Key,
    KeyChord, NodeAct, NodeRef, Observation, OpenOutcome, Orientation, Pixels, Recording, Result,
    Revision, Target,
};
use uitree::{NodeId, Point, Rect, Role, Size, State, UiTree};

use crate::manage::{PackageFilter, packages};
use crate::phone::{
    LONG_PRESS, SYSTEM_UI, foreground, keys, on_screen, orientation, start, swipe_end, text,
    touch_point,
};
use crate::profile::{self, PART_SEPARATOR, Profile};
use crate::recorder::{Recorder, Recorders};
use crate::screen::{self, ScreenState};
use crate::shell::Shell;
pub(crate) use dump::Dump;
use read_retry::ReadRetry;

/// A phone driven with its stock tools.
#[derive(Debug)]
pub struct StockDriver {
    shell: Shell,
    profile: Profile,
    info: DeviceInfo,
    /// Whether `screencap` needs the id of one of several displays.
    several_displays: bool,
    /// The last observation, with the dump it was parsed from: an equal dump is the same screen.
    last: Option<LastScreen>,
    revision: Revision,
    recorder: Recorders,
}

/// What adb's tools do not reach.
const NO_CLIPBOARD: DriverError =
    DriverError::Unsupported("the clipboard without our agent; use `--via agent`");

#[derive(Debug)]
struct LastScreen {
    dump: Dump,
    /// The system bars, which are left out of the tree.
    bars: Vec<Rect>,
    observation: Observation,
}

impl StockDriver {
    /// A driver for the phone with this serial; reads its profile.
    pub async fn open(serial: &str, phone: adb::Phone, cx: &Cx) -> Result<Self> {
        let profile = Profile::query(&Shell::new(phone.clone()), cx).await?;
        Ok(Self::with_profile(serial, phone, profile))
    }

    /// A driver for a phone with a known profile; sends nothing.
    pub fn with_profile(serial: &str, phone: adb::Phone, profile: Profile) -> Self {
        Self {
            // Each observation waits for an idle screen, so clicks need not go by the place.
            info: profile.device(
                serial,
                Capabilities {
                    observe_settles: true,
                    ..Capabilities::default()
                },
            ),
            several_displays: false,
            shell: Shell::new(phone),
            profile,
            last: None,
            revision: Revision::default(),
            recorder: Recorders::default(),
        }
    }

    /// Adds a recorder.
    #[must_use]
    pub fn with_recorder(mut self, recorder: Arc<dyn Recorder>) -> Self {
        self.recorder.add(recorder, &mut self.info.capabilities);
        self
    }

    /// The phone's profile.
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// A node of the last observation; stale if there is a later one.
    fn node(&self, node: NodeRef) -> Result<(Arc<UiTree>, NodeId)> {
        let seen = self.last.as_ref().ok_or(DriverError::Stale)?;
        if seen.observation.revision != node.revision {
            return Err(DriverError::Stale);
        }
        Ok((Arc::clone(&seen.observation.tree), node.node))
    }

    /// Updates the screen size, which changes when the phone is folded or its size set.
    fn set_screen_size(&mut self, screen: Size) {
        self.profile.screen = screen;
        self.info.screen = screen;
    }

    /// Runs `screencap` for the driven display. A phone with several displays, such as a foldable, captures
    /// any of them with a warning unless given a display id.
    async fn capture(&mut self, cx: &Cx, command: &str) -> Result<Output> {
        if !self.several_displays {
            let taken = self.raw(cx, command).await?;
            self.several_displays = names_no_display(&taken);
            if !self.several_displays {
                return Ok(taken);
            }
        }
        let viewports = self.shell.query(cx, "dumpsys display | grep mViewports");
        match foreground::physical_display(&viewports.await?.text()) {
            Some(id) => self.raw(cx, &format!("{command} -d {id}")).await,
            None => self.raw(cx, command).await,
        }
    }

    /// Runs a command that changes nothing, again if the phone is lost meanwhile and comes back.
    async fn raw(&self, cx: &Cx, command: &str) -> Result<Output> {
        let mut retry = ReadRetry::default();
        loop {
            match self.shell.raw(cx, command).await {
                Err(error) => retry.pause_or_fail(self.shell.phone(), cx, error).await?,
                taken => return taken,
            }
        }
    }

    /// Takes a dump, again if the phone is lost meanwhile and comes back.
    async fn dump(&self, cx: &Cx) -> Result<Dump> {
        let mut retry = ReadRetry::default();
        loop {
            match Dump::take(&self.shell, cx, self.profile.screen).await {
                Err(error) => retry.pause_or_fail(self.shell.phone(), cx, error).await?,
                taken => return taken,
            }
        }
    }

    /// The rotated size of the screen, for touches at `places`. Without an observation the phone is asked for
    /// it, and whether it is on and unlocked. If it does not report its rotation, the screen is observed where
    /// rotation matters.
    async fn size_for(&mut self, cx: &Cx, places: &[Point]) -> Result<Size> {
        if let Some(seen) = &self.last {
            return Ok(seen.observation.tree.screen());
        }
        let script = format!(
            "{}; echo {PART_SEPARATOR}; {}",
            screen::STATE_COMMAND,
            foreground::SIZE_COMMAND
        );
        let message = self.shell.query(cx, &script).await?.text();
        let (state, sizes) = message
            .rsplit_once(PART_SEPARATOR)
            .unwrap_or(("", &message));
        ScreenState::read(state).check()?;
        let upright = profile::screen(sizes).unwrap_or(self.profile.screen);
        self.set_screen_size(upright);
        if let Some(size) = foreground::size(sizes) {
            return Ok(size);
        }
        let sideways = Size::new(upright.height, upright.width);
        let fits_size = |size: Size| {
            let area = size.to_rect();
            places.iter().all(|at| area.contains(*at))
        };
        if fits_size(upright) == fits_size(sideways) {
            return Ok(upright);
        }
        match self.observe(cx).await {
            Ok(seen) => Ok(seen.tree.screen()),
            Err(DriverError::NotIdle(_) | DriverError::Incomplete(_) | DriverError::NoWindow) => {
                Ok(upright)
            }
            Err(error) => Err(error),
        }
    }

    /// Checks whether the screen is on and unlocked, after an observation that suggests otherwise.
    ///
    /// # Errors
    /// `ScreenOff`, `Locked`, and errors of the shell.
    pub async fn check_screen(&self, cx: &Cx) -> Result<()> {
        ScreenState::query(&self.shell, cx).await?.check()
    }

    /// Captures the screen with a dump, handling all failures.
    async fn capture_screen(&mut self, cx: &Cx) -> Result<Observation> {
        let dump = self.dump(cx).await?;
        self.set_screen_size(dump.screen);
        if let Some(seen) = &self.last
            && seen.dump == dump
        {
            return Ok(seen.observation.clone());
        }
        let (bars, screen) = dump.read()?.split_bars()?;
        self.revision = Revision(self.revision.0 + 1);
        let observation = screen.describe(self.revision);
        if observation
            .foreground
            .as_deref()
            .is_none_or(|app| app == SYSTEM_UI)
        {
            // It may be the lock screen.
            self.check_screen(cx).await?;
        }
        self.last = Some(LastScreen {
            dump,
            bars,
            observation: observation.clone(),
        });
        Ok(observation)
    }

    /// Runs commands that may change the screen: earlier nodes become stale.
    async fn change(&mut self, cx: &Cx, commands: &[String]) -> Result<()> {
        let done = self
            .shell
            .change_all(cx, screen::SKIP_IF_SCREEN_OFF, commands)
            .await;
        self.last = None;
        match done {
            Err(DriverError::Refused(message)) if message == screen::OFF => {
                Err(DriverError::ScreenOff)
            }
            done => done,
        }
    }

    /// The point where a touch hits only this node.
    fn touch_point(&self, tree: &UiTree, id: NodeId) -> Result<Point> {
        let bars = self.last.as_ref().map_or(&[][..], |seen| &seen.bars);
        touch_point::free_point(tree, id, bars)
            .ok_or_else(|| DriverError::Refused("every point of the node is covered".to_owned()))
    }

    /// Where a touch sets a slider to a share of its range, such as `70%`: a dump has neither its value nor its range.
    fn slider_point(&self, tree: &UiTree, id: NodeId, share: &str) -> Result<Point> {
        let percent = share.trim().strip_suffix('%');
        let percent: Option<f64> = percent.and_then(|percent| percent.trim().parse().ok());
        let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
        let percent = percent.ok_or_else(|| {
            DriverError::Unwritable(
                "the range of a slider is known only with the agent; pass a percentage such as 70%"
                    .to_owned(),
            )
        })?;
        let bars = self.last.as_ref().map_or(&[][..], |seen| &seen.bars);
        let at = touch_point::slider_point(tree, id, bars, percent, self.profile.density);
        at.ok_or_else(|| {
            DriverError::Refused(
                "that place of the slider is covered or not on the screen".to_owned(),
            )
        })
    }

    /// The commands of a long press.
    fn long_press(&self, at: Point) -> Vec<String> {
        let Point { x, y } = at;
        let millis = LONG_PRESS.as_millis();
        if self.profile.sdk >= keys::MOTION_EVENTS_SINCE {
            // Some web views ignore a press if the finger moves, even by zero pixels.
            let seconds = LONG_PRESS.as_secs_f32();
            // A broken connection kills the shell with a hangup: the finger would stay down.
            return vec![
                format!("trap '' HUP; input motionevent DOWN {x} {y}"),
                format!("sleep {seconds}"),
                format!("input motionevent UP {x} {y}"),
            ];
        }
        vec![format!("input swipe {x} {y} {x} {y} {millis}")]
    }
}

#[async_trait]
impl Driver for StockDriver {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        cx.check()?;
        match self.capture_screen(cx).await {
            Err(
                error @ (DriverError::NoWindow
                | DriverError::Incomplete(_)
                | DriverError::NotIdle(_)),
            ) => {
                self.check_screen(cx).await?;
                Err(error)
            }
            seen => seen,
        }
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        cx.check()?;
        let state = screen::STATE_COMMAND;
        let script = format!("{state}; echo {PART_SEPARATOR}; screencap -p");
        let mut taken = self.capture(cx, &script).await?;
        if let Some((state, png)) = dump::split_state(&taken.stdout) {
            ScreenState::read(&state).check()?;
            taken.stdout = png;
        }
        dump::read_screenshot(taken)
    }

    async fn pixels(&mut self, cx: &Cx, area: Rect) -> Result<Pixels> {
        cx.check()?;
        let raw = self.capture(cx, "screencap").await?.stdout;
        pixels::part(&raw, self.profile.sdk, area)
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome> {
        cx.check()?;
        let (tree, id) = self.node(node)?;
        let (touched, commands) = match act {
            NodeAct::Click => {
                let at = self.touch_point(&tree, id)?;
                (Some(at), vec![tap(at)])
            }
            NodeAct::LongClick => {
                let at = self.touch_point(&tree, id)?;
                (Some(at), self.long_press(at))
            }
            NodeAct::Focus => {
                if tree.node(id).is(State::FOCUSED) {
                    return Ok(ActOutcome::default());
                }
                if !tree.node(id).is(State::EDITABLE) {
                    return Err(DriverError::Unsupported(
                        "focus without a click on anything but a text field",
                    ));
                }
                let at = self.touch_point(&tree, id)?;
                (Some(at), vec![tap(at)])
            }
            NodeAct::SetText(text) if tree.node(id).role == Role::Slider => {
                let at = self.slider_point(&tree, id, text)?;
                (Some(at), vec![tap(at)])
            }
            NodeAct::SetText(text) => {
                let focus = self.focus_point(&tree, id)?;
                let keys = text::replace(focus.map(tap), tree.node(id), text)?;
                (focus, keys)
            }
            NodeAct::AppendText(text) => {
                let focus = self.focus_point(&tree, id)?;
                let density = self.profile.density;
                let keys = text::append(focus.map(tap), tree.node(id), density, text)?;
                (focus, keys)
            }
            NodeAct::Submit => {
                let focus = self.focus_point(&tree, id)?;
                let enter = keys::event(Key::Enter);
                (focus, focus.map(tap).into_iter().chain([enter]).collect())
            }
        };
        self.change(cx, &commands).await?;
        Ok(ActOutcome {
            touched,
            ..ActOutcome::default()
        })
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        cx.check()?;
        let commands = match *gesture {
            Gesture::Tap { at } => {
                let size = self.size_for(cx, &[at]).await?;
                vec![tap(on_screen(size, at)?)]
            }
            Gesture::LongPress { at } => {
                let size = self.size_for(cx, &[at]).await?;
                self.long_press(on_screen(size, at)?)
            }
            Gesture::DoubleTap { at } => {
                let size = self.size_for(cx, &[at]).await?;
                let tap = tap(on_screen(size, at)?);
                vec![tap.clone(), tap]
            }
            Gesture::Drag { from, to, duration } => {
                let size = self.size_for(cx, &[from, to]).await?;
                let (from, to) = (on_screen(size, from)?, swipe_end(size, to)?);
                vec![keys::drag(from, to, duration, self.profile.sdk)?]
            }
            Gesture::Swipe { rest, .. } if !rest.is_zero() => {
                return Err(DriverError::Unsupported("swipes whose finger rests"));
            }
            Gesture::Swipe {
                from, to, duration, ..
            } => {
                let size = self.size_for(cx, &[from, to]).await?;
                let from = on_screen(size, from)?;
                let to = swipe_end(size, to)?;
                vec![format!(
                    "input swipe {} {} {} {} {}",
                    from.x,
                    from.y,
                    to.x,
                    to.y,
                    duration.as_millis()
                )]
            }
        };
        self.change(cx, &commands).await
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome> {
        cx.check()?;
        if key.works_while_screen_off() {
            self.last = None;
            self.shell.change(cx, &keys::event(key)).await?;
            return Ok(ActOutcome::default());
        }
        if self.last.is_none() {
            self.check_screen(cx).await?;
        }
        self.change(cx, &[keys::event(key)]).await?;
        Ok(ActOutcome::default())
    }

    async fn press_chord(&mut self, cx: &Cx, chord: &KeyChord) -> Result<()> {
        cx.check()?;
        let command = keys::chord(chord, self.profile.sdk)?;
        if self.last.is_none() {
            self.check_screen(cx).await?;
        }
        self.change(cx, &[command]).await
    }

    async fn clipboard(&mut self, _: &Cx) -> Result<String> {
        Err(NO_CLIPBOARD)
    }

    async fn set_clipboard(&mut self, _: &Cx, _: &str) -> Result<()> {
        Err(NO_CLIPBOARD)
    }

    async fn set_orientation(&mut self, cx: &Cx, orientation: Orientation) -> Result<()> {
        cx.check()?;
        if self.last.is_none() {
            self.check_screen(cx).await?;
        }
        let turns = orientation.quarter_turns(self.profile.screen);
        self.last = None;
        orientation::set(&self.shell, cx, turns).await
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
}

impl StockDriver {
    /// Where a tap focuses a field, unless it has the focus.
    fn focus_point(&self, tree: &UiTree, id: NodeId) -> Result<Option<Point>> {
        if tree.node(id).is(State::FOCUSED) {
            return Ok(None);
        }
        self.touch_point(tree, id).map(Some)
    }
}

/// Whether a screenshot was taken of one of several displays without saying which.
fn names_no_display(taken: &Output) -> bool {
    String::from_utf8_lossy(&taken.stderr).contains("Multiple displays")
}

/// The command of a tap.
fn tap(at: Point) -> String {
    format!("input tap {} {}", at.x, at.y)
}
