//! The steps of stories.
//!
//! | step | effect |
//! |---|---|
//! | `start URI\|PACKAGE\|home`, `animations`, `fault TEXT`, `toolkit WORD`, `seed N` | set up the phone, before all other steps |
//! | `tap\|hold\|lift NAME`, `touch X Y`, `swipe\|fling X Y X Y` | touch; `hold` keeps the finger down, `lift` lifts it |
//! | `tap_after NAME = TEXT` | a tap after these characters of a field |
//! | `down\|move\|up X Y`, `cancel` | single touch events |
//! | `type TEXT`, `key NAME`, `keycode NAME` | the keyboard |
//! | `click\|long_click\|focus\|submit NAME`, `set\|append NAME = TEXT` | acts of the accessibility interface |
//! | `press\|long_press NAME`, `write NAME = TEXT`, `finds NAME`, `reads NAME = TEXT` | by touch or accessibility, after scrolling to it |
//! | `open URI\|PACKAGE`, `close PACKAGE`, `pass MS`, `rest` | apps and time; `rest` waits until nothing moves |
//! | `system KIND`, `language TAG`, `theme\|rotate WORD`, `font SCALE` | system windows, settings |
//! | `shows\|hides NAME \| NAME`, `front PACKAGE`, `still`, `moves`, `noted WORDS` | checks; `still`: no event is scheduled |
//! | `check` | prints the problems of the app, or its summary |
//! | `within MS` | the time limit of the following driver calls |
//! | `observe`, `screenshot`, `listen`, `record` | print the driver's answer; `listen` waits for a change |
//! | `struck`, `settings` | print the faults that fired, the changed settings |
//! | `see NAME`, `texts`, `ids [WORD]`, `keys`, `windows`, `tree`, `journal`, `tail`, `clock` | print; `tail`: the last line of the journal |
//!
//! NAME is a text, a description or `#id`, and `@2` after it selects the second. Errors of the phone are printed.

use std::time::Duration;

use driver::{Driver, DriverError, Key, NodeAct};
use driver_sim::{
    AnimationChoice, AppSource, Keycode, Permission, Phone, Rotation, SimOptions, Start,
    SystemWindow, ThemeChoice, Words,
};
use uitree::Point;

use super::input::InputSource;
use crate::fixture::Fixture;

const TEST: &str = "com.test.app";

/// The lines that a step printed, or its error.
pub(super) type Printed = Result<Vec<String>, String>;

#[derive(Clone, Copy)]
pub(crate) enum App<'a> {
    None,
    /// Its screens, without the header of an app file.
    Screens(&'a str),
    File(&'a str),
}

pub(crate) struct Player {
    app: String,
    source: InputSource,
    options: SimOptions,
    fixture: Option<Fixture>,
    /// The length of the journal when it was last printed.
    printed_entries: usize,
}

impl Player {
    pub(crate) fn new(app: App<'_>, source: InputSource) -> Self {
        let mut options = SimOptions::default();
        let app = match app {
            App::None => String::new(),
            App::File(yaml) => yaml.to_owned(),
            App::Screens(screens) => {
                format!("app: {TEST}\nlabel: Test\nicon: star\nstart: main\n{screens}")
            }
        };
        if !app.is_empty() {
            options.start = Start::App(TEST.to_owned());
        }
        Self {
            app,
            source,
            options,
            fixture: None,
            printed_entries: 0,
        }
    }

    /// Performs a step, or repeats it: `5x STEP`.
    pub(crate) async fn step(&mut self, step: &str) -> Printed {
        let times = step.split_once("x ");
        let times = times.and_then(|(times, step)| Some((times.parse::<u32>().ok()?, step)));
        let (times, step) = times.unwrap_or((1, step));
        let mut printed = Vec::new();
        for _ in 0..times {
            printed = self.once(step).await?;
        }
        Ok(printed)
    }

    async fn once(&mut self, step: &str) -> Printed {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        if verb == "check" {
            let report = match driver_sim::check("test.yaml", &self.app) {
                Ok(summary) => summary.to_string(),
                Err(error) => error.to_string(),
            };
            return Ok(report.lines().map(ToOwned::to_owned).collect());
        }
        if self.set_up(verb, rest)? {
            return Ok(Vec::new());
        }
        if self.fixture.is_none() {
            self.start();
        }
        let from = self.printed_entries;
        let fixture = self.fixture.as_mut().ok_or("the phone has not started")?;
        let printed = match verb {
            "tail" => Some(fixture.happened_since(0).pop().into_iter().collect()),
            "journal" => {
                self.printed_entries = fixture.journal().len();
                Some(fixture.happened_since(from))
            }
            _ if fixture.input_step(self.source, verb, rest).await? => Some(Vec::new()),
            _ => match fixture.finger(verb, rest).await? {
                Some(printed) => Some(printed),
                None => match fixture.input(verb, rest).await? {
                    Some(printed) => Some(printed),
                    None => fixture.inspect(verb, rest).await?,
                },
            },
        };
        printed.ok_or_else(|| "there is no such step".to_owned())
    }

    /// Performs a step that sets up the phone; returns whether it is one.
    fn set_up(&mut self, verb: &str, rest: &str) -> Result<bool, String> {
        match verb {
            "start" => self.options.start = start(rest),
            "animations" => self.options.animations = AnimationChoice::On,
            "fault" => {
                let fault = rest.parse().map_err(|error| format!("{error}"))?;
                self.options.faults.push(fault);
            }
            "toolkit" => self.app.push_str(&format!("\ntoolkit: {rest}\n")),
            "theme" if self.fixture.is_none() => {
                self.options.theme = ThemeChoice::of_word(rest).ok_or("which theme?")?;
            }
            "font" if self.fixture.is_none() => {
                self.options.font_scale = rest.parse().map_err(|_| "how large?")?;
            }
            "language" if self.fixture.is_none() => self.options.language = rest.to_owned(),
            "seed" => self.options.seed = rest.parse().map_err(|_| "which seed?")?,
            _ => return Ok(false),
        }
        match self.fixture {
            Some(_) => Err("the phone has started".to_owned()),
            None => Ok(true),
        }
    }

    pub(crate) fn phone(&mut self) -> &mut Phone {
        if self.fixture.is_none() {
            self.start();
        }
        match &mut self.fixture {
            Some(fixture) => fixture.driver.phone_mut(),
            None => unreachable!("it has started"),
        }
    }

    fn start(&mut self) {
        if !self.app.is_empty() {
            self.options.apps.push(AppSource::Text {
                name: "test.yaml".to_owned(),
                yaml: std::mem::take(&mut self.app),
            });
        }
        let fixture = Fixture::with(std::mem::take(&mut self.options));
        self.printed_entries = fixture.journal().len();
        self.fixture = Some(fixture);
    }
}

fn start(place: &str) -> Start {
    match place {
        "home" => Start::Launcher,
        uri if uri.contains(':') => Start::Uri(uri.to_owned()),
        app => Start::App(app.to_owned()),
    }
}

fn numbers<const N: usize>(rest: &str) -> Result<[i32; N], String> {
    let all: Result<Vec<i32>, _> = rest.split_whitespace().map(str::parse).collect();
    let all = all.map_err(|error| error.to_string())?;
    all.try_into().map_err(|_| format!("{N} numbers, please"))
}

fn point(rest: &str) -> Result<Point, String> {
    let [x, y] = numbers(rest)?;
    Ok(Point::new(x, y))
}

/// The output of a step that prints only an error.
fn outcome(result: Result<(), DriverError>) -> Option<Vec<String>> {
    Some(
        result
            .err()
            .map(|error| error.to_string())
            .into_iter()
            .collect(),
    )
}

pub(super) fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n")
}

impl Fixture {
    async fn finger(&mut self, verb: &str, rest: &str) -> Result<Option<Vec<String>>, String> {
        match verb {
            "tap" => {
                let at = self.center(rest)?;
                return Ok(outcome(self.try_touch(at).await));
            }
            "tap_after" => {
                let (id, before) = rest.split_once(" = ").unwrap_or((rest, ""));
                let at = self.place_after(id, before)?;
                return Ok(outcome(self.try_touch(at).await));
            }
            "touch" => return Ok(outcome(self.try_touch(point(rest)?).await)),
            "swipe" | "fling" => {
                let [x, y, to_x, to_y] = numbers(rest)?;
                match verb {
                    "swipe" => self.swipe((x, y), (to_x, to_y)).await,
                    _ => self.fling((x, y), (to_x, to_y)).await,
                }
            }
            "hold" => {
                let at = self.center(rest)?;
                self.driver.phone_mut().touch_down(at);
            }
            "lift" => {
                let at = self.center(rest)?;
                self.driver.phone_mut().touch_up(at);
            }
            "down" => self.driver.phone_mut().touch_down(point(rest)?),
            "move" => self.driver.phone_mut().touch_move(point(rest)?),
            "up" => self.driver.phone_mut().touch_up(point(rest)?),
            "cancel" => self.driver.phone_mut().touch_cancel(),
            _ => return Ok(None),
        }
        Ok(Some(Vec::new()))
    }

    async fn input(&mut self, verb: &str, rest: &str) -> Result<Option<Vec<String>>, String> {
        match verb {
            "type" => self.driver.phone_mut().type_text(&unescaped(rest)),
            "key" => {
                let key = key(rest)?;
                return Ok(outcome(self.driver.key(&self.cx, key).await.map(drop)));
            }
            "keycode" => self
                .driver
                .phone_mut()
                .press_keycode(Keycode::of_word(rest).ok_or("which key?")?),
            "click" | "long_click" | "focus" | "submit" | "set" | "append" => {
                let (name, text) = rest.split_once(" = ").unwrap_or((rest, ""));
                let (node, _) = self.called(name)?;
                let act = act(verb, unescaped(text))?;
                return Ok(outcome(self.driver_act(node, act).await));
            }
            "open" if rest.contains(':') => return Ok(outcome(self.try_open(rest).await)),
            "open" => return Ok(outcome(self.try_launch(rest).await)),
            "close" => return Ok(outcome(self.driver.close(&self.cx, rest).await)),
            "within" => {
                let millis = rest.parse().map_err(|_| "how long?")?;
                self.cx = self.cx.within(Duration::from_millis(millis));
            }
            "pass" => self.pass(rest.parse().map_err(|_| "how long?")?).await,
            "rest" => self.rest().await,
            "system" => self.driver.phone_mut().show_system(system(rest)?),
            "language" => {
                let set = self.driver.phone_mut().set_language(rest);
                let refused = set.err().map(|error| error.to_string());
                return Ok(Some(refused.into_iter().collect()));
            }
            "theme" => {
                let theme = ThemeChoice::of_word(rest).ok_or("which theme?")?;
                self.driver.phone_mut().set_theme(theme);
            }
            "font" => {
                let scale = rest.parse().map_err(|_| "how large?")?;
                self.driver.phone_mut().set_font_scale(scale);
            }
            "rotate" => {
                let held = Rotation::of_word(rest).ok_or("how is it held?")?;
                self.driver.phone_mut().rotate(held);
            }
            _ => return Ok(None),
        }
        Ok(Some(Vec::new()))
    }
}

fn key(name: &str) -> Result<Key, String> {
    Ok(match name {
        "back" => Key::Back,
        "home" => Key::Home,
        "recents" => Key::Recents,
        "enter" => Key::Enter,
        "delete" => Key::Delete,
        "tab" => Key::Tab,
        "volume_up" => Key::VolumeUp,
        "volume_down" => Key::VolumeDown,
        "power" => Key::Power,
        _ => return Err("there is no such key".to_owned()),
    })
}

fn act(verb: &str, text: String) -> Result<NodeAct, String> {
    Ok(match verb {
        "click" => NodeAct::Click,
        "long_click" => NodeAct::LongClick,
        "focus" => NodeAct::Focus,
        "submit" => NodeAct::Submit,
        "set" => NodeAct::SetText(text),
        "append" => NodeAct::AppendText(text),
        _ => return Err("there is no such act".to_owned()),
    })
}

/// A system window about the app of the story, or about the app after `of`.
fn system(text: &str) -> Result<SystemWindow, String> {
    let (kind, app) = text.split_once(" of ").unwrap_or((text, TEST));
    let app = app.to_owned();
    Ok(match kind {
        "crash" => SystemWindow::Crash { app },
        "anr" => SystemWindow::NotResponding { app },
        "update" => SystemWindow::Update { app },
        "banner" => SystemWindow::Banner {
            app,
            title: "Ann".to_owned(),
            text: "See you at five".to_owned(),
        },
        permission => SystemWindow::Permission {
            app,
            permission: Permission::of_word(permission).ok_or("there is no such window")?,
        },
    })
}
