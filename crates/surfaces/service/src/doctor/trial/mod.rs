//! The trial of `--full`: tries on a phone what only a phone can prove, with the agent and the runtime app, and restores what
//! it changed.

mod report;
mod rows;
mod settings;
mod start;

use std::time::Duration;

use driver::{Cx, Driver, DriverError, Gesture, Observation, Orientation, Result, Revision};
use driver_android::manage::{Settings, Table};
use driver_android::{AgentBinary, AgentDriver, AgentForm, Profile, Shell};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uitree::Point;

use super::phone::why;
pub use report::{TRIALS, TrialDevice, TrialReport, TrialRow, TrialStatus, TrialTableRow};
use report::{Verdict, millis};
pub(super) use settings::SETTINGS;

/// How long a form of the agent is tried.
const FORM_TIME: Duration = Duration::from_secs(120);
/// How long a row is tried.
const ROW_TIME: Duration = Duration::from_secs(20);
/// How long the screen may take to show what was done.
const EFFECT_TIME: Duration = Duration::from_secs(5);
/// How long restoring may take, also after the trial was stopped.
const RESTORE_TIME: Duration = Duration::from_secs(10);
/// The pause between observations of a screen that is waited for.
const PAUSE: Duration = Duration::from_millis(50);

/// A phone that is tried.
pub(super) struct TrialPhone<'a> {
    pub(super) serial: &'a str,
    pub(super) shell: &'a Shell,
    pub(super) profile: &'a Profile,
    /// Stops the trial; what it changed is restored.
    pub(super) cancel: &'a CancellationToken,
}

impl TrialPhone<'_> {
    /// Tries these forms, one after the other.
    pub(super) async fn run(&self, forms: &[AgentForm]) -> TrialReport {
        let started_at = Instant::now();
        let mut rows = Vec::new();
        for form in forms {
            rows.extend(self.run_form(*form).await);
        }
        let cx = self.unstoppable();
        let fingerprint = self.shell.query(&cx, "getprop ro.build.fingerprint").await;
        let fingerprint = fingerprint.map(|output| output.text().trim().to_owned());
        let profile = self.profile;
        TrialReport {
            device: TrialDevice {
                model: profile.model.clone(),
                android_version: profile.release.clone(),
                sdk: profile.sdk,
                fingerprint: fingerprint.ok().filter(|text| !text.is_empty()),
                screen: format!("{}x{}", profile.screen.width, profile.screen.height),
                density: profile.density,
            },
            program: driver_android::hex(&AgentBinary::embedded().sha256),
            elapsed_ms: millis(started_at.elapsed()),
            rows,
        }
    }

    async fn run_form(&self, form: AgentForm) -> Vec<TrialRow> {
        let cx = Cx::new(FORM_TIME, self.cancel.clone());
        let mut record = Record {
            via: form_name(form),
            rows: Vec::new(),
        };
        let (verdict, driver) = start::start(self, form, &cx.within(ROW_TIME)).await;
        record.add(&cx, "trial.start", Ok(verdict));
        if let Some(driver) = driver {
            let mut trial = Trial {
                driver,
                shell: self.shell,
                cx,
                search: None,
                is_open: false,
                is_stale: false,
                observe_times: Vec::new(),
                undo: Undo::default(),
            };
            trial.run(&mut record).await;
            trial.restore(&self.unstoppable()).await;
        }
        record.complete()
    }

    /// A context that lasts although the trial was stopped.
    fn unstoppable(&self) -> Cx {
        Cx::new(RESTORE_TIME, CancellationToken::new())
    }
}

/// The name of a form as a transport.
const fn form_name(form: AgentForm) -> &'static str {
    match form {
        AgentForm::Agent => "agent",
        AgentForm::App => "app",
    }
}

/// The rows of a form.
struct Record {
    via: &'static str,
    rows: Vec<TrialRow>,
}

impl Record {
    /// Adds a row. `cx` is that of the form.
    fn add(&mut self, cx: &Cx, id: &'static str, verdict: Result<Verdict>) {
        let verdict = verdict.unwrap_or_else(|error| match error {
            DriverError::Cancelled => Verdict::not_tried("stopped"),
            DriverError::Deadline if cx.remaining().is_zero() => {
                Verdict::not_tried("the time of the trial was up")
            }
            DriverError::Deadline => Verdict::fail(format!("no result within {ROW_TIME:?}")),
            DriverError::Unsupported(what) => {
                Verdict::not_tried(format!("the {} cannot do it here: {what}", self.via))
            }
            error => Verdict::fail(why(&error)),
        });
        self.rows.push(TrialRow::new(id, self.via, verdict));
    }

    /// The rows, with those that were not reached.
    fn complete(mut self) -> Vec<TrialRow> {
        let missing = TRIALS.iter().skip(self.rows.len());
        let why = format!("the {} could not be started", self.via);
        self.rows
            .extend(missing.map(|row| TrialRow::new(row.id, self.via, Verdict::not_tried(&*why))));
        self.rows
    }
}

/// What has to be restored.
#[derive(Default)]
struct Undo {
    clipboard: Option<String>,
    rotation: Option<RotationSettings>,
}

/// The settings of the screen's rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RotationSettings {
    automatic: Option<String>,
    turns: Option<String>,
}

impl RotationSettings {
    const AUTOMATIC: &'static str = "accelerometer_rotation";
    const TURNS: &'static str = "user_rotation";

    async fn read(shell: &Shell, cx: &Cx) -> Result<Self> {
        let settings = Settings::new(shell, cx);
        Ok(Self {
            automatic: settings.get(Table::System, Self::AUTOMATIC).await?,
            turns: settings.get(Table::System, Self::TURNS).await?,
        })
    }

    /// The orientation that they stand for; `None` for a screen that is locked in landscape.
    fn orientation(&self) -> Option<Orientation> {
        match (self.automatic.as_deref(), self.turns.as_deref()) {
            (Some("1"), _) => Some(Orientation::Auto),
            (_, None | Some("0")) => Some(Orientation::Portrait),
            _ => None,
        }
    }

    /// Writes what differs.
    async fn restore(&self, shell: &Shell, cx: &Cx) -> Result<()> {
        let now = Self::read(shell, cx).await?;
        let settings = Settings::new(shell, cx);
        for (key, value, current) in [
            (Self::TURNS, &self.turns, &now.turns),
            (Self::AUTOMATIC, &self.automatic, &now.automatic),
        ] {
            if let Some(value) = value
                && current.as_ref() != Some(value)
            {
                settings.put(Table::System, key, value).await?;
            }
        }
        Ok(())
    }
}

/// The trial of one form.
struct Trial<'a> {
    driver: AgentDriver,
    shell: &'a Shell,
    /// The context of the whole trial.
    cx: Cx,
    /// The middle of the search field of the settings, once it was found.
    search: Option<Point>,
    /// Whether the settings were seen: nothing else is touched.
    is_open: bool,
    /// Whether an observation showed an earlier screen.
    is_stale: bool,
    /// The times of observations of a changed screen.
    observe_times: Vec<Duration>,
    undo: Undo,
}

impl Trial<'_> {
    /// Tries everything, in the order of the table.
    async fn run(&mut self, record: &mut Record) {
        macro_rules! add {
            ($($id:literal: $row:ident),+ $(,)?) => {
                $(
                    let verdict = match self.cx.check() {
                        Ok(()) => self.$row(&self.cx.within(ROW_TIME)).await,
                        Err(end) => Err(end),
                    };
                    record.add(&self.cx, $id, verdict);
                )+
            };
        }
        add! {
            "trial.webview": webview,
            "trial.windows": windows,
            "trial.screenshot": screenshot,
            "trial.tap": tap,
            "trial.keyboard": keyboard,
            "trial.text": text,
            "trial.cache": cache,
            "trial.times": times,
            "trial.events": events,
            "trial.rotation": rotation,
            "trial.keys": keys,
            "trial.clipboard": clipboard,
        }
    }

    /// Restores what a row that failed or was stopped left changed. The phone may be gone.
    async fn restore(mut self, cx: &Cx) {
        if let Some(text) = self.undo.clipboard.take() {
            let _ = self.driver.set_clipboard(cx, &text).await;
        }
        if let Some(rotation) = self.undo.rotation.take() {
            let _ = self.restore_rotation(cx, &rotation).await;
        }
    }

    async fn restore_rotation(&mut self, cx: &Cx, rotation: &RotationSettings) -> Result<()> {
        if let Some(orientation) = rotation.orientation() {
            self.driver.set_orientation(cx, orientation).await?;
        }
        rotation.restore(self.shell, cx).await?;
        self.undo.rotation = None;
        Ok(())
    }

    /// Whether the agent has a feature of its protocol.
    fn has(&self, feature: &str) -> bool {
        let mut features = self.driver.hello().features.iter_names();
        features.any(|(name, _)| name == feature)
    }

    /// Observes the screen until this holds; the last observation if it never does. A screen that changes while it is read
    /// is observed again.
    async fn observe_until(
        &mut self,
        cx: &Cx,
        holds: impl Fn(&Observation) -> bool,
    ) -> Result<(Observation, bool)> {
        let limit = cx.within(EFFECT_TIME);
        loop {
            let seen = self.driver.observe(cx).await;
            let is_over = limit.remaining().is_zero();
            match seen {
                Ok(seen) if holds(&seen) => return Ok((seen, true)),
                Ok(seen) if is_over => return Ok((seen, false)),
                Err(DriverError::Incomplete(_) | DriverError::NoWindow) if !is_over => {}
                Err(error) => return Err(error),
                Ok(_) => {}
            }
            cx.sleep(PAUSE).await?;
        }
    }

    /// Waits until the screen looks different from `before`.
    async fn changes(&mut self, cx: &Cx, before: Revision) -> Result<bool> {
        let changed = self.observe_until(cx, |seen| seen.revision != before);
        Ok(changed.await?.1)
    }

    async fn tap_at(&mut self, cx: &Cx, at: Point) -> Result<Duration> {
        let started_at = Instant::now();
        self.driver.touch(cx, &Gesture::Tap { at }).await?;
        Ok(started_at.elapsed())
    }
}
