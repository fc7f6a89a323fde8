//! The simulated phone as a driver: its virtual time is the runtime's time.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use driver::{
    ActOutcome, Capabilities, Cx, DeviceInfo, Dispatch, Driver, DriverError, Foreground, Gesture,
    Image, ImageFormat, Key, KeyChord, NodeAct, NodeRef, Observation, OpenOutcome, Orientation,
    POLL_INTERVAL, Pixels, Platform, Recording, RecordingError, Result, Revision, Target,
};
use tokio::time::Instant;
use uitree::{Point, Rect, Size};

use crate::journal::Retention;
use crate::keycode::Keycode;
use crate::pace::{DUMP_LIMIT, DUMP_REST, start_of};
use crate::phone::faults::{FiredFaults, QueuedInput, Reply, connection_lost, refused};
use crate::phone::recording::Session;
use crate::phone::{Config, Phone, Setup, check_screen};
use sim_format::catalog::{self, AppSource};
use sim_format::fault::{Calls, Fault, Recorder};
use sim_format::{
    AnimationChoice, AppError, FRAME, PaceChoice, Rotation, Start, ThemeChoice, TimeChoice,
};

const LONG_PRESS: Duration = Duration::from_millis(500);

const BETWEEN_TAPS: Duration = Duration::from_millis(60);

#[derive(Clone, Debug, PartialEq)]
pub struct SimOptions {
    pub apps: Vec<AppSource>,
    /// Its screen in device pixels, in portrait. The size in an app's file (`screen`, as imported apps have) overrides it
    /// when the phone starts in that app.
    pub screen: Size,
    /// Device pixels per density-independent pixel.
    pub density: f32,
    pub rotation: Rotation,
    pub theme: ThemeChoice,
    /// Text scale relative to the design, from 0.85 to 2.
    pub font_scale: f32,
    /// The tag of its language, such as `en-US`; see [`Phone::set_language`].
    pub language: String,
    pub recordings: PathBuf,
    pub start: Start,
    pub seed: u64,
    pub faults: Vec<Fault>,
    pub journal: Retention,
    /// Whether windows slide in, unless an app's file sets this.
    pub animations: AnimationChoice,
    pub time: TimeChoice,
    pub pace: PaceChoice,
}

impl Default for SimOptions {
    fn default() -> Self {
        Self {
            apps: vec![AppSource::BuiltIn],
            screen: Size::new(1080, 2340),
            density: 2.625,
            rotation: Rotation::Portrait,
            theme: ThemeChoice::Light,
            font_scale: 1.0,
            language: "en-US".to_owned(),
            recordings: PathBuf::from("recordings"),
            start: Start::Launcher,
            seed: 0,
            faults: Vec::new(),
            journal: Retention::All,
            animations: AnimationChoice::Off,
            time: TimeChoice::Virtual,
            pace: PaceChoice::Instant,
        }
    }
}

impl Phone {
    /// Creates a phone at the start of its virtual time.
    pub fn start(options: &SimOptions) -> std::result::Result<Self, AppError> {
        check_screen(options.screen, options.density)?;
        let config = Config::new(options.theme, options.font_scale, &options.language)
            .map_err(|error| AppError::whole("options", error.to_string()))?;
        let installed = catalog::install(&options.apps)?;
        let setup = Setup {
            screen: catalog::screen_for(&installed, &options.start)?.unwrap_or(options.screen),
            density: options.density,
            config,
            seed: options.seed,
            journal: options.journal,
            animations: options.animations,
        };
        let mut phone = Phone::new(&setup, installed)?;
        for fault in &options.faults {
            phone.check_app_of(fault)?;
            phone
                .add_fault(fault.clone())
                .map_err(|error| AppError::whole("options", error.to_string()))?;
        }
        let opened = match &options.start {
            Start::Launcher => Ok(()),
            Start::App(package) => phone.open_app(package),
            Start::Own => phone.open_own_app(),
            Start::Uri(uri) => phone.open_uri(uri),
        };
        opened.map_err(|error| AppError::whole("start", error.to_string()))?;
        phone.rotate(options.rotation);
        Ok(phone)
    }
}

#[derive(Debug)]
pub struct SimDriver {
    pub(crate) phone: Phone,
    epoch: Instant,
    info: DeviceInfo,
    recordings: PathBuf,
    session: Option<Session>,
    /// Whether the finger on the screen stays there between calls.
    pub(crate) held: bool,
    pub(crate) pace: PaceChoice,
    observations: u32,
}

impl SimDriver {
    /// Starts a phone whose virtual time begins now.
    pub fn new(options: SimOptions) -> std::result::Result<Self, AppError> {
        let phone = Phone::start(&options)?;
        let screen = phone.screen();
        let density = (phone.density() * 160.0).round() as u32;
        Ok(Self {
            phone,
            epoch: Instant::now(),
            info: DeviceInfo {
                id: "sim".to_owned(),
                platform: Platform::Android,
                model: "Simulated phone".to_owned(),
                screen,
                density,
                capabilities: Capabilities {
                    recording: true,
                    events: options.pace == PaceChoice::Instant,
                    css: false,
                    observe_settles: options.pace == PaceChoice::Phone,
                    loading: false,
                    swipe_rests: true,
                    clicks_by_place: false,
                },
            },
            recordings: options.recordings,
            session: None,
            held: false,
            pace: options.pace,
            observations: 0,
        })
    }

    /// The phone, for reading its state and journal.
    pub const fn phone(&self) -> &Phone {
        &self.phone
    }

    pub const fn observations(&self) -> u32 {
        self.observations
    }

    /// The phone, for changes that bypass the driver.
    pub const fn phone_mut(&mut self) -> &mut Phone {
        &mut self.phone
    }

    pub(crate) fn advance(&mut self) {
        self.phone.advance_to(self.epoch.elapsed());
        self.drain();
    }

    /// Begins a call: advances time and cancels the touch of an abandoned call.
    fn begin(&mut self, cx: &Cx) -> Result<()> {
        cx.check()?;
        if !self.held {
            self.phone.touch_cancel();
        }
        self.advance();
        Ok(())
    }

    /// Begins a call of this kind: waits for its latency and returns the faults that fire on it.
    pub(crate) async fn begin_call(&mut self, cx: &Cx, calls: Calls) -> Result<FiredFaults> {
        self.begin(cx)?;
        let late = start_of(self.pace, calls) + self.phone.latency_of(calls);
        if !late.is_zero() {
            cx.sleep(late).await?;
            self.advance();
        }
        Ok(self.phone.fire_faults(calls))
    }

    /// Ends an input with the answer that the faults allow.
    pub(crate) async fn finish_input<T: Default>(
        &mut self,
        cx: &Cx,
        fired: &FiredFaults,
        done: Result<()>,
    ) -> Result<T> {
        self.drain();
        match fired.reply() {
            Reply::Actual => done.map(|()| T::default()),
            Reply::Refused => Err(refused()),
            Reply::Lost => Err(connection_lost(Dispatch::Unknown)),
            Reply::Unanswered => Err(cx.ended().await),
        }
    }

    async fn perform(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        match *gesture {
            Gesture::Tap { at } => self.phone.tap(at),
            Gesture::LongPress { at } => {
                self.phone.touch_down(at);
                self.hold(cx, LONG_PRESS).await?;
                self.phone.touch_up(at);
            }
            Gesture::Swipe {
                from,
                to,
                duration,
                rest,
            } => {
                self.phone.touch_down(from);
                self.move_finger(cx, from, to, duration, rest).await?;
            }
            Gesture::DoubleTap { at } => {
                self.phone.tap(at);
                cx.sleep(BETWEEN_TAPS).await?;
                self.advance();
                self.phone.tap(at);
            }
            Gesture::Drag { from, to, duration } => {
                self.phone.touch_down(from);
                self.hold(cx, LONG_PRESS).await?;
                self.move_finger(cx, from, to, duration, Duration::ZERO)
                    .await?;
            }
        }
        Ok(())
    }

    /// Checks that a gesture is on the screen; an end on the screen's edge becomes its last pixel.
    fn within(&self, gesture: &Gesture) -> Result<Gesture> {
        let mut gesture = *gesture;
        match &mut gesture {
            Gesture::Tap { at } | Gesture::LongPress { at } | Gesture::DoubleTap { at } => {
                *at = self.on_screen(*at)?;
            }
            Gesture::Swipe { from, to, .. } | Gesture::Drag { from, to, .. } => {
                *from = self.on_screen(*from)?;
                *to = self.end_on_screen(*to)?;
            }
        }
        Ok(gesture)
    }

    /// Writes the events recorded since the last call.
    pub(crate) fn drain(&mut self) {
        if let Some(session) = &mut self.session {
            let (lines, events) = self.phone.recorded();
            session.write(&lines, events);
        }
    }

    /// Returns an error while the screen is off, as nothing takes a touch or a key then.
    pub(crate) fn awake(&self) -> Result<()> {
        let awake = self.phone.is_awake().then_some(());
        awake.ok_or(DriverError::ScreenOff)
    }

    /// Checks the end of a movement, which may be one past the last pixel.
    fn end_on_screen(&self, to: Point) -> Result<Point> {
        let size = self.phone.screen();
        self.on_screen(Point::new(
            if to.x == size.width { to.x - 1 } else { to.x },
            if to.y == size.height { to.y - 1 } else { to.y },
        ))
    }

    pub(crate) fn on_screen(&self, at: Point) -> Result<Point> {
        let screen = self.phone.screen().to_rect();
        let inside = screen.contains(at).then_some(at);
        inside.ok_or(DriverError::OffScreen(at))
    }

    /// Waits with a finger on the screen; if the call ends meanwhile, the touch is cancelled.
    async fn hold(&mut self, cx: &Cx, time: Duration) -> Result<()> {
        if !time.is_zero()
            && let Err(end) = cx.sleep(time).await
        {
            self.phone.touch_cancel();
            return Err(end);
        }
        self.advance();
        Ok(())
    }

    /// Moves the finger at constant speed and lifts it. With a `rest` it stops before it is lifted; without one it is
    /// lifted at that speed, which may fling the content.
    async fn move_finger(
        &mut self,
        cx: &Cx,
        from: Point,
        to: Point,
        duration: Duration,
        rest: Duration,
    ) -> Result<()> {
        let start = Instant::now();
        let mut passed = Duration::ZERO;
        while passed < duration {
            // Movements are at whole milliseconds, as timers are, so that the speed is exact.
            passed = (passed + FRAME).min(duration);
            let until = start + passed;
            self.hold(cx, until.saturating_duration_since(Instant::now()))
                .await?;
            // After a late frame the finger is further along, not faster.
            passed = passed.max(start.elapsed()).min(duration);
            let share = passed.as_secs_f64() / duration.as_secs_f64();
            let along = |a: i32, b: i32| a + (f64::from(b - a) * share).round() as i32;
            self.phone
                .touch_move(Point::new(along(from.x, to.x), along(from.y, to.y)));
        }
        if !rest.is_zero() {
            self.hold(cx, rest).await?;
            self.phone.touch_move(to);
        }
        self.phone.touch_up(to);
        Ok(())
    }
}

#[async_trait]
impl Driver for SimDriver {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    async fn observe(&mut self, cx: &Cx) -> Result<Observation> {
        self.observations += 1;
        let fired = self.begin_call(cx, Calls::OBSERVE).await?;
        fired.query_error()?;
        self.wait_until_idle(cx).await?;
        self.phone.observe_with_faults(fired)
    }

    async fn screenshot(&mut self, cx: &Cx) -> Result<Image> {
        let fired = self.begin_call(cx, Calls::SCREENSHOT).await?;
        fired.screenshot_error()?;
        self.awake()?;
        let mut image = self.phone.draw();
        if fired.is_black() {
            for pixel in image.rgba.as_chunks_mut::<4>().0 {
                *pixel = [0, 0, 0, 255];
            }
        }
        Ok(Image {
            bytes: image.to_png(),
            format: ImageFormat::Png,
            size: self.phone.screen(),
        })
    }

    async fn pixels(&mut self, cx: &Cx, area: Rect) -> Result<Pixels> {
        let fired = self.begin_call(cx, Calls::SCREENSHOT).await?;
        fired.screenshot_error()?;
        self.awake()?;
        Pixels::new(self.phone.screen(), 4, self.phone.draw().rgba)
            .and_then(|screen| screen.part(area))
            .ok_or_else(|| DriverError::Refused(format!("{area} is outside of the screen")))
    }

    async fn act(&mut self, cx: &Cx, node: NodeRef, act: &NodeAct) -> Result<ActOutcome> {
        let fired = self.begin_call(cx, Calls::of_act(act)).await?;
        fired.call_error()?;
        let done = self.phone.act_with_faults(&fired, node, act);
        self.finish_input(cx, &fired, done).await
    }

    async fn touch(&mut self, cx: &Cx, gesture: &Gesture) -> Result<()> {
        let fired = self.begin_call(cx, Calls::of_gesture(gesture)).await?;
        fired.call_error()?;
        self.awake()?;
        let gesture = fired.alter_gesture(&self.within(gesture)?);
        for _ in 0..self.phone.repetitions(&fired, QueuedInput::Touch(gesture)) {
            self.perform(cx, &gesture).await?;
        }
        self.finish_input(cx, &fired, Ok(())).await
    }

    async fn wake(&mut self, cx: &Cx) -> Result<()> {
        match self.phone.is_awake() {
            true => Ok(()),
            false => self.key(cx, Key::Power).await.map(drop),
        }
    }

    async fn key(&mut self, cx: &Cx, key: Key) -> Result<ActOutcome> {
        let fired = self.begin_call(cx, Calls::KEY).await?;
        fired.call_error()?;
        if key != Key::Power {
            self.awake()?;
        }
        for _ in 0..self.phone.repetitions(&fired, QueuedInput::Key(key)) {
            self.phone.press_key(key);
        }
        self.finish_input(cx, &fired, Ok(())).await
    }

    async fn press_chord(&mut self, cx: &Cx, chord: &KeyChord) -> Result<()> {
        if let Some(letter) = chord.types() {
            self.awake()?;
            return self.type_text(cx, &letter.to_string()).await;
        }
        match Keycode::from_chord(chord) {
            Some(code) => self.keycode(cx, code).await,
            None => Err(DriverError::Unsupported(
                "this key of a keyboard; it has characters, arrows, pages, ctrl+a and ctrl+v",
            )),
        }
    }

    async fn clipboard(&mut self, cx: &Cx) -> Result<String> {
        self.begin(cx)?;
        Ok(self.phone.clipboard().to_owned())
    }

    async fn set_clipboard(&mut self, cx: &Cx, text: &str) -> Result<()> {
        self.begin(cx)?;
        self.phone.set_clipboard(text);
        Ok(())
    }

    async fn set_orientation(&mut self, cx: &Cx, orientation: Orientation) -> Result<()> {
        self.begin(cx)?;
        self.awake()?;
        match orientation.quarter_turns(self.info.screen) {
            Some(turns) => self.phone.lock_rotation(Rotation::of_quarter_turns(turns)),
            None => self.phone.set_auto_rotate(true),
        }
        Ok(())
    }

    async fn open(&mut self, cx: &Cx, target: &Target) -> Result<OpenOutcome> {
        let fired = self.begin_call(cx, Calls::OPEN).await?;
        fired.call_error()?;
        self.awake()?;
        let input = QueuedInput::Open(target.clone());
        let done = match (self.phone.repetitions(&fired, input), target) {
            (0, _) => Ok(()),
            (_, Target::App(package)) => self.phone.open_app(package),
            (_, Target::Uri(uri)) => self.phone.open_uri(uri),
        };
        self.finish_input(cx, &fired, done).await
    }

    async fn close(&mut self, cx: &Cx, app: &str) -> Result<()> {
        let fired = self.begin_call(cx, Calls::CLOSE).await?;
        fired.call_error()?;
        // The system ends a process even if it does not answer.
        let done = self.phone.close_app(app);
        self.finish_input(cx, &fired, done).await
    }

    async fn apps(&mut self, cx: &Cx) -> Result<Vec<String>> {
        cx.check()?;
        Ok(self.phone.package_names().map(str::to_owned).collect())
    }

    async fn foreground(&mut self, cx: &Cx) -> Result<Foreground> {
        self.begin(cx)?;
        Ok(Foreground {
            app: self.phone.foreground(),
        })
    }

    async fn changed(&mut self, cx: &Cx, since: Revision) -> Result<()> {
        let fired = self.begin_call(cx, Calls::CHANGED).await?;
        fired.query_error()?;
        if !self.info.capabilities.events {
            return cx.sleep(POLL_INTERVAL).await;
        }
        if fired.loses_events() {
            return Err(cx.ended().await);
        }
        loop {
            self.begin(cx)?;
            if self.phone.revision() > since.0 {
                return Ok(());
            }
            match self.phone.next_event() {
                Some(at) => cx.run(tokio::time::sleep_until(self.epoch + at)).await?,
                None => return Err(cx.ended().await),
            }
        }
    }

    async fn start_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let fired = self.begin_call(cx, Calls::START_RECORDING).await?;
        fired.call_error()?;
        if let Some(running) = &self.session {
            return Err(RecordingError::AlreadyInProgress(running.recording()).into());
        }
        if fired.recording_fails(Recorder::Storage) {
            let message = "no space is left".to_owned();
            return Err(RecordingError::StorageUnavailable(message).into());
        }
        if fired.recording_fails(Recorder::Start) {
            let message = "the recorder did not start".to_owned();
            return Err(RecordingError::StartFailed(message).into());
        }
        let started = Session::start(&self.recordings, session, self.phone.wall_clock_ms())?;
        self.phone.start_recorder(started.id());
        let recording = started.recording();
        self.session = Some(started);
        self.drain();
        Ok(recording)
    }

    async fn stop_recording(&mut self, cx: &Cx, session: Option<&str>) -> Result<Recording> {
        let fired = self.begin_call(cx, Calls::STOP_RECORDING).await?;
        fired.call_error()?;
        let Some(running) = self.session.take() else {
            return Err(RecordingError::NotInProgress.into());
        };
        if let Some(asked) = session
            && asked != running.id()
        {
            let error = RecordingError::OtherSession {
                running: running.recording(),
                asked: asked.to_owned(),
            };
            self.session = Some(running);
            return Err(error.into());
        }
        self.phone.stop_recorder();
        let ended = running.end()?;
        if fired.recording_fails(Recorder::Stop) {
            return Err(RecordingError::StopFailed {
                message: "the end of the recording was not written".to_owned(),
                recording: ended,
            }
            .into());
        }
        Ok(ended)
    }
}

/// The message of a dump of a screen that is never still.
const NEVER_IDLE: &str =
    "something on it never stops moving, and uiautomator waits for a screen that is still";

impl SimDriver {
    /// Waits until the screen is still, as a dump does.
    pub(crate) async fn wait_until_idle(&mut self, cx: &Cx) -> Result<()> {
        if self.pace == PaceChoice::Instant {
            return Ok(());
        }
        let start = Instant::now();
        loop {
            let still = self.phone.still_for().min(start.elapsed());
            if still >= DUMP_REST {
                return Ok(());
            }
            if start.elapsed() + (DUMP_REST - still) > DUMP_LIMIT {
                return Err(DriverError::NotIdle(NEVER_IDLE.to_owned()));
            }
            cx.sleep(DUMP_REST - still).await?;
            self.advance();
        }
    }
}
