//! The facts of actions, which others look up where they would otherwise name actions one by one.

use crate::{
    coordinate::Coordinate,
    matcher::NodeMatcher,
    number::Millis,
    params::ParamKey,
    retry::Retry,
    step_data::StepData,
    words::{ClickType, Key},
};

/// Names that other tools have for the key of an app, as [`KindFacts::foreign_keys`] has them.
pub(super) const APP_NAMES: &[&str] = &["packagename", "bundleid", "apppackage", "appname", "pkg"];

/// What every step of an action has in common.
#[derive(Debug, Clone, Copy)]
pub struct KindFacts {
    /// Params for the reference pages, as JSON.
    pub(crate) example: &'static str,
    /// The key that takes the node.
    pub(crate) node_key: ParamKey,
    /// The key that takes how long the step waits.
    pub(crate) time_key: Option<ParamKey>,
    /// Whether it takes `text`.
    pub(crate) takes_text: bool,
    /// Names that other tools have for its keys, as lowercase letters and digits.
    pub(crate) foreign_keys: &'static [(&'static [&'static str], ParamKey)],
    /// Hints for keys that it does not have.
    pub(crate) wrong_keys: &'static [(&'static str, &'static str)],
    /// Whether it looks for a node, again and again, and brings it into view.
    pub finds: bool,
    /// Who performs it on a phone with the Operator app.
    pub performer: Performer,
    /// What the step was asked to find out, from its data.
    pub found: fn(&StepData) -> Option<Found<'_>>,
}

impl KindFacts {
    /// The facts of an action that is like most; `example` is its params as JSON.
    pub(super) const fn of(example: &'static str) -> Self {
        Self {
            example,
            node_key: ParamKey::Matcher,
            time_key: None,
            takes_text: false,
            foreign_keys: &[],
            wrong_keys: &[],
            finds: false,
            performer: Performer::Operator,
            found: |_| None,
        }
    }
}

/// Who performs a step on a phone with the Operator app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Performer {
    /// The app.
    Operator,
    /// This computer, also before the app has done anything.
    HostBefore,
    /// This computer, after what the app did before.
    HostAfter,
}

/// What a step found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found<'a> {
    /// A text of the screen.
    Text(&'a str),
    /// Several texts of the screen.
    List {
        /// The text where one is enough.
        short: &'a str,
        /// All of them, as JSON.
        json: &'a str,
    },
    /// The path of a file that it wrote.
    File(&'a str),
    /// How it ended.
    Outcome(&'a str),
}

/// What one step does and needs, by its params.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepFacts<'a> {
    /// The matchers: the node, and what it lies in.
    pub matchers: [Option<&'a NodeMatcher>; 2],
    /// Whether it takes the first node that matches and remarks on others.
    pub means_one: bool,
    /// How often it is tried, where one policy says it.
    pub retry: Option<Retry>,
    /// How long it lasts, whatever the screen shows.
    pub pause: Option<Millis>,
    /// How long it waits for something at most.
    pub wait_limit: Option<Millis>,
    /// What it may change on the device.
    pub effects: Vec<Effect<'a>>,
    /// Whether it does its work while the screen is off or locked.
    pub needs_no_screen: bool,
    /// What the Operator app would leave out, and what it does instead.
    pub operator_gaps: Vec<(ParamKey, &'static str)>,
}

impl<'a> StepFacts<'a> {
    /// Whether it presses something.
    #[must_use]
    pub fn presses(&self) -> bool {
        let press = |effect: &Effect<'_>| matches!(effect, Effect::Press(_) | Effect::PressAt(..));
        self.effects.iter().any(press)
    }

    /// The text that it enters.
    #[must_use]
    pub fn entered(&self) -> Option<&'a str> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::SetText(text) | Effect::AppendText(text) => Some(*text),
            _ => None,
        })
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
    Key(Key),
    /// Starts an app.
    StartApp(&'a str),
    /// Ends an app.
    EndApp(&'a str),
    /// Opens a uri.
    LoadUri(&'a str),
    /// Begins a recording.
    BeginRecording(Option<&'a str>),
    /// Ends a recording.
    EndRecording(Option<&'a str>),
}

/// The gap of an action whose container the Operator app leaves out.
pub(super) fn container_gap(container: Option<&NodeMatcher>) -> Vec<(ParamKey, &'static str)> {
    let gap = (ParamKey::Container, "the app searches the whole screen");
    container.map(|_| gap).into_iter().collect()
}
