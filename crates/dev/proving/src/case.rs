//! A case: a phone and everything that is done to it, as a value that can be written down and played again.

use driver_sim::{
    AnimationChoice, Fault, PaceChoice, Rotation, SimOptions, Start, ThemeChoice, Words,
};
use serde_json::{Map, Value, json};
use uitree::Size;

/// A case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The seed that it was made from.
    pub seed: u64,
    /// The phone.
    pub setup: Setup,
    /// What is done, in this order.
    pub ops: Vec<Op>,
}

/// A phone.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Width and height in pixels.
    pub screen: (i32, i32),
    /// Pixels for each density-independent pixel.
    pub density: f32,
    /// Whether its content is dark.
    pub theme: ThemeChoice,
    /// What its dice are thrown from.
    pub seed: u64,
    /// The app in front at the beginning; the home screen without one.
    pub app: Option<String>,
    /// Whether windows and widgets move by themselves.
    pub animations: AnimationChoice,
    /// How long its looks and inputs take.
    pub pace: PaceChoice,
    /// What goes wrong on it, each as a flag takes it.
    pub faults: Vec<String>,
}

/// Something that is done to a phone.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Down and up in one place, past the driver.
    Tap {
        /// Pixels from the left.
        x: i32,
        /// Pixels from the top.
        y: i32,
    },
    /// Down and up in one place twice, as fast as a double tap is, past the driver.
    DoubleTap {
        /// Pixels from the left.
        x: i32,
        /// Pixels from the top.
        y: i32,
    },
    /// A finger that comes down, moves for a time, and leaves or stays.
    Drag {
        /// Where it comes down.
        from: (i32, i32),
        /// Where it goes.
        to: (i32, i32),
        /// For how many milliseconds.
        ms: u64,
        /// Whether it leaves the screen at the end.
        up: bool,
    },
    /// A key, past the driver; named as the contract names it.
    Key(String),
    /// Text from a hardware keyboard.
    Type(String),
    /// Time that passes, in milliseconds.
    Wait(u64),
    /// The phone is turned.
    Turn(Rotation),
    /// Content is dark or light from now on.
    Theme(ThemeChoice),
    /// Text is so many times larger than designed from now on.
    FontScale(f32),
    /// The phone speaks the language of this tag from now on.
    Language(String),
    /// The notification shade comes down.
    Shade,
    /// A plan that runs on the engine.
    Run {
        /// The payload.
        payload: Value,
        /// After how many milliseconds the caller calls it off.
        cancel: Option<u64>,
        /// How many milliseconds the caller gives it, where that is less than the plan asks for.
        budget: Option<u64>,
    },
}

impl Case {
    /// How many steps the plans of the case have together.
    pub fn steps(&self) -> usize {
        self.ops.iter().map(Op::steps).sum()
    }

    /// The case as JSON, as it is kept.
    pub fn to_json(&self) -> Value {
        json!({
            // A number of 64 bits is no number of JSON.
            "seed": self.seed.to_string(),
            "setup": self.setup.to_json(),
            "ops": self.ops.iter().map(Op::to_json).collect::<Vec<_>>(),
        })
    }

    /// Reads a case that was kept.
    ///
    /// # Errors
    /// A sentence that says what is missing.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        let ops = value["ops"].as_array().ok_or("`ops` is no list")?;
        Ok(Self {
            seed: number(&value["seed"]).ok_or("`seed` is no number")?,
            setup: Setup::from_json(&value["setup"])?,
            ops: ops.iter().map(Op::from_json).collect::<Result<_, _>>()?,
        })
    }
}

/// A number of 64 bits, written as a text.
fn number(value: &Value) -> Option<u64> {
    value.as_str()?.parse().ok()
}

impl Setup {
    /// The phone as the driver takes it.
    ///
    /// # Errors
    /// What is wrong with a fault.
    pub fn options(&self) -> Result<SimOptions, String> {
        let mut faults = Vec::new();
        for spec in &self.faults {
            let read = Fault::parse_all(spec).map_err(|error| format!("`{spec}`: {error}"))?;
            faults.extend(read);
        }
        Ok(SimOptions {
            screen: Size::new(self.screen.0, self.screen.1),
            density: self.density,
            theme: self.theme,
            // A fault may keep the app from starting, which is no reason for the phone not to.
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
            screen: point(&value["screen"]).ok_or("`screen` is no pair of numbers")?,
            density: value["density"].as_f64().ok_or("`density` is no number")? as f32,
            theme: theme(&value["dark"]),
            seed: number(&value["seed"]).ok_or("the phone's `seed` is no number")?,
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

/// Dark where this is true.
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
    /// How many steps of a plan this is.
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
        let wrong = || format!("this is nothing that can be done: {value}");
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
