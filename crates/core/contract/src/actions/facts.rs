//! Facts about actions, so that other code need not match on action types.

use super::tab::TabOp;
use crate::{
    chord::KeyPress,
    coordinate::Coordinate,
    matcher::NodeMatcher,
    number::Millis,
    payload_keys::ParamKey,
    retry::Retry,
    step_data::StepData,
    words::{ClickType, Orientation},
};

/// Other tools' names for the key of an app, for [`KindFacts::foreign_keys`].
pub(super) const APP_NAMES: &[&str] = &["packagename", "bundleid", "apppackage", "appname", "pkg"];

/// Facts about an action type, the same for every step.
#[derive(Debug, Clone, Copy)]
pub struct KindFacts {
    /// The main params for the descriptions of tools: `?` follows optional ones, `=` precedes values, `|` separates alternatives.
    pub synopsis: &'static str,
    /// Params for the reference pages, as JSON.
    pub(crate) example: &'static str,
    /// The key of the node.
    pub(crate) node_key: ParamKey,
    /// The key of the wait time.
    pub(crate) time_key: Option<ParamKey>,
    /// Whether it takes `text`.
    pub(crate) takes_text: bool,
    /// Other tools' names for its keys, in lowercase letters and digits.
    pub(crate) foreign_keys: &'static [(&'static [&'static str], ParamKey)],
    /// Hints for keys that it does not have.
    pub(crate) wrong_keys: &'static [(&'static str, &'static str)],
    /// Whether it takes `onMissing`.
    pub takes_on_missing: bool,
    /// Whether a rule for interruptions may run it.
    pub may_interrupt: bool,
    /// Whether it searches for a node repeatedly and scrolls it into view.
    pub finds: bool,
    /// Where it runs on a phone with the Operator app.
    pub performer: Performer,
    /// Extracts the requested information from the step's data.
    pub found: fn(&StepData) -> Option<ReturnedData<'_>>,
}

impl KindFacts {
    /// The facts of a typical action.
    pub(super) const fn new(synopsis: &'static str, example: &'static str) -> Self {
        Self {
            synopsis,
            example,
            node_key: ParamKey::Matcher,
            time_key: None,
            takes_text: false,
            foreign_keys: &[],
            wrong_keys: &[],
            takes_on_missing: false,
            may_interrupt: false,
            finds: false,
            performer: Performer::Operator,
            found: |_| None,
        }
    }
}

/// Where a step runs on a phone with the Operator app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Performer {
    /// In the app.
    Operator,
    /// On this computer, before the app has run any step.
    HostBefore,
    /// On this computer, after the app has run the steps before it.
    HostAfter,
    /// Nowhere: neither the app nor adb's tools can do it, and the plan is refused.
    Nowhere,
}

/// The information that a step returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnedData<'a> {
    /// A text of the screen.
    Text(&'a str),
    /// Several texts of the screen.
    List {
        /// The first text, for short output.
        short: &'a str,
        /// All of them, as JSON.
        json: &'a str,
        /// Those that are scrolled out of view, as JSON.
        out_of_view: Option<&'a str>,
    },
    /// The tabs of a browser, as JSON.
    Tabs(&'a str),
    /// The path of a written file.
    File(&'a str),
    /// The outcome in one word.
    Outcome(&'a str),
}

/// Facts about one step, derived from its params.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepFacts<'a> {
    /// The matchers of the node and of its container.
    pub matchers: [Option<&'a NodeMatcher>; 2],
    /// The matchers of its conditions.
    pub condition_matchers: Vec<&'a NodeMatcher>,
    /// Whether it uses the first matching node and warns about others.
    pub means_one: bool,
    /// The retry policy, if there is exactly one.
    pub retry: Option<Retry>,
    /// Its duration, if it does not depend on the screen.
    pub pause: Option<Millis>,
    /// The longest time that it waits.
    pub wait_limit: Option<Millis>,
    /// The changes that it may make on the device.
    pub effects: Vec<Effect<'a>>,
    /// Whether it works while the screen is off or locked.
    pub needs_no_screen: bool,
    /// The kinds of devices that it requires.
    pub requirements: Vec<Requirement>,
    /// The params that the Operator app would ignore, and what it does instead.
    pub operator_gaps: Vec<(ParamKey, &'static str)>,
}

impl<'a> StepFacts<'a> {
    /// Whether it opens an app or a page.
    pub fn opens(&self) -> bool {
        let open = |effect: &Effect<'_>| matches!(effect, Effect::StartApp(_) | Effect::LoadUri(_));
        self.effects.iter().any(open)
    }

    /// Whether it presses anything.
    pub fn presses(&self) -> bool {
        let press = |effect: &Effect<'_>| matches!(effect, Effect::Press(_) | Effect::PressAt(..));
        self.effects.iter().any(press)
    }

    /// The files of this computer that it gives to a page.
    pub fn uploads(&self) -> &'a [String] {
        let files = self.effects.iter().find_map(|effect| match effect {
            Effect::Upload(files) => Some(*files),
            _ => None,
        });
        files.unwrap_or_default()
    }

    /// The text that it enters.
    pub fn entered(&self) -> Option<&'a str> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::SetText(text) | Effect::AppendText(text) => Some(*text),
            _ => None,
        })
    }
}

/// A kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceKind {
    /// A phone, real or simulated.
    Phone,
    /// A web page.
    Page,
}

/// A part of a step that only one kind of device supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The path of the part below the action.
    pub path: String,
    /// The kind of device.
    pub device: DeviceKind,
    /// Why other devices do not support it.
    pub what: &'static str,
}

impl Requirement {
    /// A part that only web pages support, and why phones do not.
    pub(super) fn of_pages(path: impl Into<String>, what: &'static str) -> Self {
        Self {
            path: path.into(),
            device: DeviceKind::Page,
            what,
        }
    }
}

/// A change that a step may make on a device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effect<'a> {
    /// Presses or focuses the node.
    Press(ClickType),
    /// Presses a point.
    PressAt(ClickType, Coordinate),
    /// Swipes.
    Swipe,
    /// Replaces the text of a field.
    SetText(&'a str),
    /// Appends to the text of a field.
    AppendText(&'a str),
    /// Submits a field.
    Submit,
    /// Presses a key.
    Key(KeyPress),
    /// Moves the mouse.
    Hover,
    /// Drags.
    Drag,
    /// Selects options of a list.
    SelectOptions,
    /// Gives these files to a page.
    Upload(&'a [String]),
    /// Starts an app.
    StartApp(&'a str),
    /// Stops an app.
    EndApp(&'a str),
    /// Opens a URI.
    LoadUri(&'a str),
    /// Opens, chooses or closes a tab.
    ChangeTabs(TabOp),
    /// Gives the page of a window this width and height.
    ResizeWindow(u32, u32),
    /// Puts a text into the clipboard.
    SetClipboard(&'a str),
    /// Turns the screen.
    SetOrientation(Orientation),
    /// Starts a recording.
    BeginRecording(Option<&'a str>),
    /// Stops a recording.
    EndRecording(Option<&'a str>),
}

/// The requirement of the actions that use the clipboard.
pub(super) fn clipboard_of_phones() -> Requirement {
    Requirement {
        path: "type".to_owned(),
        device: DeviceKind::Phone,
        what: "a browser shares the clipboard of the person at the computer",
    }
}

/// The requirement of a click type that phones do not have.
pub(super) fn click_type_requirement(click: ClickType) -> Option<Requirement> {
    match click {
        ClickType::Click | ClickType::LongClick | ClickType::Focus | ClickType::DoubleClick => None,
        ClickType::RightClick => Some(Requirement::of_pages(
            format!("params.{}", ParamKey::ClickType),
            "a phone has no mouse, so there is no right click; use the click type long_click",
        )),
    }
}

/// The gap of an action that the Operator app does not have; `key` is one of its params.
pub(super) fn no_such_action(key: ParamKey) -> Vec<(ParamKey, &'static str)> {
    vec![(key, "the app has no such action")]
}

/// The gap of a click type that the Operator app does not have.
pub(super) fn click_type_gap(click: ClickType) -> Option<(ParamKey, &'static str)> {
    match click {
        ClickType::Click | ClickType::LongClick | ClickType::Focus => None,
        ClickType::DoubleClick | ClickType::RightClick => Some((
            ParamKey::ClickType,
            "the app supports click, long_click and focus",
        )),
    }
}

/// The gap of an action whose container the Operator app ignores.
pub(super) fn container_gap(container: Option<&NodeMatcher>) -> Vec<(ParamKey, &'static str)> {
    let gap = (ParamKey::Container, "the app searches the whole screen");
    container.map(|_| gap).into_iter().collect()
}
