//! The conformance suite of all drivers: compares their results with the journal of the device.
//!
//! The checks only use [`driver::Driver`]. Allowed differences are declared in [`DriverTraits`]; a check asserts
//! a declared ability, or a refusal without effects.

mod actions;
mod interruption;
mod observe;
mod open;

use std::time::Duration;

use async_trait::async_trait;
use driver::{
    Cx, Driver, DriverError, Key, NodeAct, NodeRef, Observation, Platform, Result, Target,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uitree::{Node, Query, Rect, Role, State, UiTree};

/// The app in front at the beginning of each check.
pub const APP: &str = include_str!("../../testdata/conformance/app.yaml");
pub const PACKAGE: &str = "com.test.conform";
/// The app as a web page, for devices that show pages. `{{journal}}` is replaced by the URL for reporting
/// events.
pub const PAGE: &str = include_str!("../../testdata/conformance/page.html");

/// The names of apps, links and ids on the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The app in front at the beginning.
    pub app: String,
    /// Another app, which keeps the first one running.
    pub other: String,
    pub ids: String,
    /// The prefix of the app's links, before a word.
    pub link: String,
}

impl Names {
    /// The names on a phone with [`APP`].
    pub fn of_phones() -> Self {
        Self {
            app: PACKAGE.to_owned(),
            other: "com.android.settings".to_owned(),
            ids: format!("{PACKAGE}:id/"),
            link: "conform://page/".to_owned(),
        }
    }
}

/// The text that a driver can enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    Any,
    Ascii,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickMethod {
    OnNodes,
    /// By touch at a point, without focusing first.
    ByFinger,
    /// With a mouse at a point; focusing needs none.
    ByMouse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scrolls {
    ByFinger,
    /// Directly, without touching anything; swipes are not supported.
    OnNodes,
}

/// The effect of a key on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyResult {
    /// A key press that the device reports.
    Pressed,
    BackAStep,
    /// Unsupported: it is refused.
    Unsupported,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apps {
    /// Installed apps, which start when opened and can be closed repeatedly.
    Installed,
    /// Open tabs: one that does not exist can neither be opened nor closed.
    Tabs,
}

/// What a screen has besides the widgets of the suite's app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Containers {
    Simulated,
    /// Those of its platform, which no file describes.
    Native,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pictures {
    Taken,
    Refused,
}

/// The differences between drivers beyond [`driver::Capabilities`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverTraits {
    pub text: Text,
    pub acts: ClickMethod,
    pub scrolls: Scrolls,
    pub apps: Apps,
    pub platform: Platform,
    pub containers: Containers,
    pub pictures: Pictures,
}

impl DriverTraits {
    /// The common abilities of simulated phones.
    pub const fn of_phone(text: Text, acts: ClickMethod) -> Self {
        Self {
            text,
            acts,
            scrolls: Scrolls::ByFinger,
            apps: Apps::Installed,
            platform: Platform::Android,
            containers: Containers::Simulated,
            pictures: Pictures::Taken,
        }
    }

    fn missing(&self, app: &str) -> DriverError {
        match self.apps {
            Apps::Installed => DriverError::NotInstalled(app.to_owned()),
            Apps::Tabs => DriverError::NoTab(app.to_owned()),
        }
    }
}

/// When the connection to a device breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// When the next input has arrived, before any of it is executed.
    Before,
    /// When the next input is executed, before its answer.
    Done,
}

/// A device under test, with an independent journal.
#[async_trait]
pub trait Device: Send {
    fn driver(&mut self) -> &mut dyn Driver;

    fn abilities(&self) -> DriverTraits;

    /// The names on it.
    ///
    /// Default: those of a phone.
    fn names(&self) -> Names {
        Names::of_phones()
    }

    /// The effect of a key.
    ///
    /// Default: every key of a phone is pressed.
    fn key(&self, key: Key) -> KeyResult {
        let _ = key;
        KeyResult::Pressed
    }

    /// Additional URIs that must be refused.
    ///
    /// Default: none.
    fn hostile_uris(&self) -> &'static [&'static str] {
        &[]
    }

    /// How its journal writes an opened URI.
    ///
    /// Default: unchanged.
    fn as_opened(&self, uri: &str) -> String {
        uri.to_owned()
    }

    /// The journal of the device, oldest entry first, in the format of the phone's journal. Includes everything before the
    /// call.
    async fn journal(&mut self) -> Vec<Value>;

    /// Breaks the connection around the next input.
    async fn break_next(&mut self, when: Break);

    /// Restores the connection, perhaps with another driver.
    async fn repair(&mut self);
}

/// Provides devices: each is new, has 1080x2340 pixels, and [`APP`] or [`PAGE`] in front.
#[async_trait]
pub trait DeviceFactory {
    async fn device(&mut self) -> Box<dyn Device>;
}

struct Subject {
    device: Box<dyn Device>,
    cx: Cx,
}

macro_rules! checks {
    ($($module:ident::$check:ident,)*) => {
        /// Runs every check on its own device; panics at the first failure.
        pub async fn conforms(bench: &mut dyn DeviceFactory) {
            $(
                println!("conformance: {}", stringify!($check));
                let device = bench.device().await;
                let cx = Cx::new(TIMEOUT, CancellationToken::new());
                $module::$check(&mut Subject { device, cx }).await;
            )*
        }
    };
}

checks! {
    observe::info_describes_device,
    observe::tree_matches_screen,
    observe::unchanged_screen_keeps_revision,
    observe::password_is_masked,
    observe::screenshot_shows_screen,
    observe::changed_returns_after_earlier_change,
    actions::click_is_executed_once,
    actions::long_click_does_not_click,
    actions::click_on_old_node_is_stale,
    actions::set_text_writes_exact_text,
    actions::unsupported_text_changes_nothing,
    actions::submit_is_executed_once,
    actions::focus_does_not_click,
    actions::click_on_covered_node_hits_it_or_is_refused,
    actions::touch_hits_its_point,
    actions::touch_off_screen_is_refused,
    actions::scroll_moves_container_without_click,
    actions::key_is_pressed_once,
    open::open_brings_app_to_front,
    open::open_refuses_missing_app,
    open::hostile_names_have_no_effect,
    open::close_stops_app,
    open::recording_works_or_is_refused,
    interruption::expired_deadline_prevents_input,
    interruption::cancellation_prevents_input,
    interruption::deadline_ends_gesture_and_lifts_finger,
    interruption::lost_connection_reports_dispatch_state,
}

const TIMEOUT: Duration = Duration::from_secs(120);

impl Subject {
    fn driver(&mut self) -> &mut dyn Driver {
        self.device.driver()
    }

    /// Acts on a node of the last observation. On a busy computer a tap may last as long as a long press. The driver reports it;
    /// the journal has the actual kind.
    async fn act(&mut self, node: NodeRef, act: &NodeAct) -> Result<()> {
        let cx = self.cx.clone();
        match self.driver().act(&cx, node, act).await {
            Err(DriverError::Partial(why)) if why.contains("the phone was busy and the tap") => {
                Ok(())
            }
            done => done.map(drop),
        }
    }

    async fn observe(&mut self) -> Observation {
        let cx = self.cx.clone();
        match self.driver().observe(&cx).await {
            Ok(observation) => observation,
            Err(error) => panic!("{error}"),
        }
    }

    /// A node of the current screen by its id.
    async fn find(&mut self, id: &str) -> (Observation, NodeRef) {
        let observation = self.observe().await;
        let node = self.node(&observation, id);
        (observation, node)
    }

    /// A node by its id, which must exist.
    #[track_caller]
    fn node(&self, observation: &Observation, id: &str) -> NodeRef {
        let query = Query::new().id(format!("{}{id}", self.device.names().ids));
        match observation.tree.find(&query) {
            Some(found) => observation.node_ref(found),
            None => panic!("no {id} in\n{}", observation.tree.to_notation()),
        }
    }

    async fn text(&mut self, id: &str) -> String {
        let (observation, node) = self.find(id).await;
        visible_text(observation.tree.node(node.node)).to_owned()
    }

    /// Waits until a node with this id is on the screen.
    async fn wait_for(&mut self, id: &str) {
        let cx = self.cx.clone();
        let query = Query::new().id(format!("{}{id}", self.device.names().ids));
        loop {
            let observation = self.observe().await;
            if observation.tree.find(&query).is_some() {
                return;
            }
            if let Err(error) = self.driver().changed(&cx, observation.revision).await {
                panic!(
                    "{id} did not appear ({error}):\n{}",
                    observation.tree.to_notation()
                );
            }
        }
    }

    /// Brings the other app to the front.
    async fn open_other_app(&mut self) {
        let cx = self.cx.clone();
        let other = Target::App(self.device.names().other);
        assert_eq!(self.driver().open(&cx, &other).await.map(drop), Ok(()));
    }

    /// Brings the app to the front again.
    async fn open_app(&mut self) {
        let cx = self.cx.clone();
        let app = Target::App(self.device.names().app);
        assert_eq!(self.driver().open(&cx, &app).await.map(drop), Ok(()));
    }

    async fn counter_text(&mut self) -> String {
        self.text("count").await
    }

    async fn journal_entries(&mut self, kind: &str) -> Vec<Value> {
        let mut entries = self.device.journal().await;
        entries.retain(|entry| entry["kind"] == kind);
        entries
    }

    async fn count_events(&mut self, kind: &str, id: &str) -> usize {
        let entries = self.journal_entries(kind).await;
        let own = entries.iter().filter(|entry| {
            let widget_id = entry["widget"]["id"].as_str().unwrap_or_default();
            widget_id.rsplit('/').next() == Some(id)
        });
        own.count()
    }

    /// The number of inputs of any kind: touches, keys, texts, opened and closed apps.
    async fn count_inputs(&mut self) -> usize {
        let kinds = [
            "touch_down",
            "click",
            "long_click",
            "key",
            "text",
            "submit",
            "start",
            "stop",
            "uri",
            "open",
        ];
        let entries = self.device.journal().await;
        let result = entries
            .iter()
            .filter(|entry| kinds.iter().any(|kind| entry["kind"] == *kind));
        result.count()
    }
}

/// The visible text of a node: an empty field shows its hint.
fn visible_text(node: &Node) -> &str {
    if node.text.is_empty() {
        &node.hint
    } else {
        &node.text
    }
}

/// The visible bounds of a node.
#[track_caller]
fn bounds(observation: &Observation, node: NodeRef) -> Rect {
    match observation.tree.visible_bounds(node.node) {
        Some(bounds) => bounds,
        None => panic!("the node is not visible"),
    }
}

/// The states of a node in words, without some.
fn state_words(node: &Node, without: State) -> String {
    let states = [
        (State::CHECKABLE, "checkable"),
        (State::CHECKED, "checked"),
        (State::CLICKABLE, "clickable"),
        (State::ENABLED, "enabled"),
        (State::FOCUSABLE, "focusable"),
        (State::FOCUSED, "focused"),
        (State::SCROLLABLE, "scrollable"),
        (State::LONG_CLICKABLE, "long-clickable"),
        (State::PASSWORD, "password"),
        (State::SELECTED, "selected"),
    ];
    let shown = states
        .iter()
        .filter(|(state, _)| node.is(*state) && !without.contains(*state));
    let words: Vec<&str> = shown.map(|(_, word)| *word).collect();
    words.join(" ")
}

/// The parts of a screen that every driver must report: all visible nodes, with the data of all platforms.
fn describe_nodes(tree: &UiTree) -> String {
    let mut lines = String::new();
    for id in tree.ids() {
        let Some(bounds) = tree.visible_bounds(id) else {
            continue;
        };
        let node = tree.node(id);
        let depth = tree.ancestors(id).count();
        lines.push_str(&format!(
            "{:depth$}{} {:?} {:?} {} {bounds} {}\n",
            "",
            node.class,
            node.text,
            node.label,
            node.id,
            state_words(node, State::empty()),
        ));
    }
    lines
}

/// The parts of a screen that every device reports equally: widgets with text or id, in order.
fn describe_widgets(tree: &UiTree, ids: &str) -> String {
    let mut lines = String::new();
    for id in tree.ids() {
        let node = tree.node(id);
        let (Some(bounds), text) = (tree.visible_bounds(id), visible_text(node)) else {
            continue;
        };
        let own = node.id.strip_prefix(ids).unwrap_or_default();
        if text.is_empty() && !APP_IDS.contains(&own) {
            continue;
        }
        // Phones have no headings, and pages no titles.
        let role = match node.role {
            Role::Title | Role::Heading => Role::Text.as_str(),
            role => role.as_str(),
        };
        // A page does not have the ids of the platform's own text widgets.
        let own = if APP_IDS.contains(&own) { own } else { "" };
        lines.push_str(&format!(
            "{role} {text:?} {:?} {own} {bounds} {}\n",
            node.label,
            state_words(node, State::FOCUSABLE | State::LONG_CLICKABLE),
        ));
    }
    lines
}

const APP_IDS: &[&str] = &[
    "count", "add", "name", "secret", "light", "odd", "under", "over", "rows", "word",
];
