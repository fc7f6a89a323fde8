//! A case: a phone and the operations on it, in a form that can be saved and run again.

use driver_sim::{
    AnimationChoice, Fault, PaceChoice, Rotation, SimOptions, Start, ThemeChoice, Words,
};
use serde_json::{Map, Value, json};
use uitree::Size;

/// A phone and the operations on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The seed that generated the case.
    pub seed: u64,
    /// The phone.
    pub setup: Setup,
    /// Operations in order.
    pub ops: Vec<Op>,
}

/// Settings of the simulated phone.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Width and height in pixels.
    pub screen: (i32, i32),
    /// Pixels per dp.
    pub density: f32,
    /// Theme.
    pub theme: ThemeChoice,
    /// Seed of the phone's random numbers.
    pub seed: u64,
    /// The app open at the start; `None` for the home screen.
    pub app: Option<String>,
    /// Whether animations are on.
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
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A tap.
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
    /// A drag with one finger.
    Drag {
        /// Start position.
        from: (i32, i32),
        /// End position.
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
    /// Rotates the phone.
    Turn(Rotation),
    /// Sets the theme.
    Theme(ThemeChoice),
    /// Sets the font scale.
    FontScale(f32),
    /// Sets the language, by its tag.
    Language(String),
    /// Opens the notification shade.
    Shade,
    /// Runs a plan on the engine.
    Run {
        /// The plan as JSON.
        payload: Value,
        /// Time in milliseconds after which the caller cancels the run.
        cancel: Option<u64>,
        /// Time limit of the caller in milliseconds, if shorter than the plan's timeout.
        budget: Option<u64>,
    },
}

impl Case {
    /// Number of steps in all plans.
    pub fn steps(&self) -> usize {
        self.ops.iter().map(Op::steps).sum()
    }

    /// The case in its saved form.
    pub fn to_json(&self) -> Value {
        json!({
            // JSON numbers cannot hold 64 bits.
            "seed": self.seed.to_string(),
            "setup": self.setup.to_json(),
            "ops": self.ops.iter().map(Op::to_json).collect::<Vec<_>>(),
        })
    }

    /// Parses a saved case.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        let ops = value["ops"].as_array().ok_or("`ops` is not a list")?;
        Ok(Self {
            seed: number(&value["seed"]).ok_or("`seed` is not a number")?,
            setup: Setup::from_json(&value["setup"])?,
            ops: ops.iter().map(Op::from_json).collect::<Result<_, _>>()?,
        })
    }
}

/// A 64-bit number in a string.
fn number(value: &Value) -> Option<u64> {
    value.as_str()?.parse().ok()
}

impl Setup {
    /// The options of the simulated phone.
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

    fn to_json(&self) -> Value {
        json!({
            "screen": [self.screen.0, self.screen.1],
            "density": self.density,
            "dark": self.theme == ThemeChoice::Dark,
            "seed": self.seed.to_string(),
            "app": self.app,
            "animations": self.animations == AnimationChoice::On,
            "pace": self.pace.word(),
            "faults": self.faults,
        })
    }

    fn from_json(value: &Value) -> Result<Self, String> {
        Ok(Self {
            screen: point(&value["screen"]).ok_or("`screen` is not a pair of numbers")?,
            density: value["density"]
                .as_f64()
                .ok_or("`density` is not a number")? as f32,
            theme: theme(&value["dark"]),
            seed: number(&value["seed"]).ok_or("`setup.seed` is not a number")?,
            app: value["app"].as_str().map(ToOwned::to_owned),
            animations: match value["animations"].as_bool() {
                Some(true) => AnimationChoice::On,
                Some(false) | None => AnimationChoice::Off,
            },
            pace: value["pace"]
                .as_str()
                .and_then(PaceChoice::of_word)
                .unwrap_or_default(),
            faults: value["faults"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|spec| spec.as_str().map(ToOwned::to_owned))
                .collect(),
        })
    }
}

/// The theme of the `dark` field.
fn theme(dark: &Value) -> ThemeChoice {
    match dark.as_bool() {
        Some(true) => ThemeChoice::Dark,
        Some(false) | None => ThemeChoice::Light,
    }
}

fn point(value: &Value) -> Option<(i32, i32)> {
    let at = |place: usize| i32::try_from(value[place].as_i64()?).ok();
    Some((at(0)?, at(1)?))
}

impl Op {
    /// Number of steps, 0 for other operations than a plan.
    pub fn steps(&self) -> usize {
        let Op::Run { payload, .. } = self else {
            return 0;
        };
        payload["actions"].as_array().map_or(0, Vec::len)
    }

    fn to_json(&self) -> Value {
        match self {
            Op::Tap { x, y } => json!({ "tap": [x, y] }),
            Op::DoubleTap { x, y } => json!({ "double_tap": [x, y] }),
            Op::Drag { from, to, ms, up } => {
                json!({ "drag": [[from.0, from.1], [to.0, to.1]], "ms": ms, "up": up })
            }
            Op::Key(key) => json!({ "key": key }),
            Op::Type(text) => json!({ "type": text }),
            Op::Wait(ms) => json!({ "wait": ms }),
            Op::Turn(to) => json!({ "turn": to.word() }),
            Op::Theme(theme) => json!({ "dark": *theme == ThemeChoice::Dark }),
            Op::FontScale(scale) => json!({ "font_scale": scale }),
            Op::Language(tag) => json!({ "language": tag }),
            Op::Shade => json!({ "shade": true }),
            Op::Run {
                payload,
                cancel,
                budget,
            } => {
                let mut run = Map::new();
                run.insert("run".to_owned(), payload.clone());
                if let Some(cancel) = cancel {
                    run.insert("cancel".to_owned(), (*cancel).into());
                }
                if let Some(budget) = budget {
                    run.insert("budget".to_owned(), (*budget).into());
                }
                Value::Object(run)
            }
        }
    }

    fn from_json(value: &Value) -> Result<Self, String> {
        let wrong = || format!("invalid operation: {value}");
        let Some((word, first)) = value.as_object().and_then(|fields| fields.iter().next()) else {
            return Err(wrong());
        };
        let text = || first.as_str().map(ToOwned::to_owned);
        let op = match word.as_str() {
            "tap" => point(first).map(|(x, y)| Op::Tap { x, y }),
            "double_tap" => point(first).map(|(x, y)| Op::DoubleTap { x, y }),
            "drag" => point(&first[0])
                .zip(point(&first[1]))
                .zip(value["ms"].as_u64())
                .map(|((from, to), ms)| Op::Drag {
                    from,
                    to,
                    ms,
                    up: value["up"].as_bool().unwrap_or(true),
                }),
            "key" => text().map(Op::Key),
            "type" => text().map(Op::Type),
            "wait" => first.as_u64().map(Op::Wait),
            "turn" => first.as_str().and_then(Rotation::of_word).map(Op::Turn),
            "dark" => Some(Op::Theme(theme(first))),
            "font_scale" => first.as_f64().map(|scale| Op::FontScale(scale as f32)),
            "language" => text().map(Op::Language),
            "shade" => Some(Op::Shade),
            "run" => Some(Op::Run {
                payload: first.clone(),
                cancel: value["cancel"].as_u64(),
                budget: value["budget"].as_u64(),
            }),
            _ => None,
        };
        op.ok_or_else(wrong)
    }
}
