//! A case: a phone and the operations on it, in a form that can be saved and run again.

use driver_sim::{AnimationChoice, Fault, PaceChoice, Rotation, SimOptions, Start, ThemeChoice};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uitree::Size;

/// A phone and the operations on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The seed that generated the case.
    pub seed: u64,
    pub setup: Setup,
    /// Operations in order.
    pub ops: Vec<Op>,
}

/// Settings of the simulated phone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// Width and height in pixels.
    pub screen: (i32, i32),
    /// Pixels per dp.
    pub density: f32,
    pub theme: ThemeChoice,
    /// Seed of the phone's random numbers.
    pub seed: u64,
    /// The app open at the start; `None` for the home screen.
    pub app: Option<String>,
    pub animations: AnimationChoice,
    /// Duration of observations and input.
    pub pace: PaceChoice,
    /// Faults, in the syntax of `--sim-fault`.
    pub faults: Vec<String>,
}

impl Setup {
    /// A phone with this app in front, without animations, delays and faults.
    pub fn in_app(app: &str) -> Self {
        Self {
            screen: (1080, 2340),
            density: 2.625,
            theme: ThemeChoice::Light,
            seed: 1,
            app: Some(app.to_owned()),
            animations: AnimationChoice::Off,
            pace: PaceChoice::Instant,
            faults: Vec::new(),
        }
    }
}

/// An operation on a phone. All except `Run` bypass the driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    Tap {
        /// Pixels from the left.
        x: i32,
        /// Pixels from the top.
        y: i32,
    },
    /// Two taps in quick succession.
    DoubleTap {
        /// Pixels from the left.
        x: i32,
        /// Pixels from the top.
        y: i32,
    },
    Drag {
        from: (i32, i32),
        to: (i32, i32),
        /// Duration in milliseconds.
        ms: u64,
        /// Whether the finger is lifted at the end.
        up: bool,
    },
    /// A key, by its name in the contract.
    Key(String),
    /// Text typed on a hardware keyboard.
    Type(String),
    /// A pause in milliseconds.
    Wait(u64),
    Turn(Rotation),
    Theme(ThemeChoice),
    FontScale(f32),
    Language(String),
    Shade,
    Run {
        payload: Value,
        /// Time in milliseconds after which the caller cancels the run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cancel: Option<u64>,
        /// Time limit of the caller in milliseconds, if shorter than the plan's timeout.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        budget: Option<u64>,
    },
}

impl Case {
    pub fn steps(&self) -> usize {
        self.ops.iter().map(Op::steps).sum()
    }
}

impl Setup {
    pub fn options(&self) -> Result<SimOptions, String> {
        let mut faults = Vec::new();
        for spec in &self.faults {
            let parsed = Fault::parse_all(spec).map_err(|error| format!("`{spec}`: {error}"))?;
            faults.extend(parsed);
        }
        Ok(SimOptions {
            screen: Size::new(self.screen.0, self.screen.1),
            density: self.density,
            theme: self.theme,
            // A fault may prevent the app from starting; the phone must start anyway.
            start: match &self.app {
                Some(app) if self.faults.is_empty() => Start::App(app.clone()),
                _ => Start::Launcher,
            },
            seed: self.seed,
            animations: self.animations,
            pace: self.pace,
            faults,
            ..SimOptions::default()
        })
    }
}

impl Op {
    /// Number of steps, 0 for other operations than a plan.
    pub fn steps(&self) -> usize {
        let Op::Run { payload, .. } = self else {
            return 0;
        };
        payload["actions"].as_array().map_or(0, Vec::len)
    }
}
