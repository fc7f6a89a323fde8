//! One suite that every driver is held against: what it says is compared with what really happened on the device.
//!
//! The checks know [`driver::Driver`] and nothing else. What drivers may differ in is an [`Abilities`]; a check asserts the
//! ability where it is declared, and the refusal, with nothing done, where it is not.

mod acting;
mod ending;
mod opening;
mod seeing;

use std::time::Duration;

use async_trait::async_trait;
use driver::{Cx, Driver, NodeRef, Observation};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uitree::{Query, Rect, State, UiTree};

/// The app that is in front at the beginning of each check.
pub const APP: &str = include_str!("../../testdata/conformance/app.yaml");
/// Its package.
pub const PACKAGE: &str = "com.test.conform";
/// Another app that is installed.
pub const OTHER: &str = "com.android.settings";

/// What text a driver can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Any.
    Any,
    /// What a keyboard of ASCII types.
    Ascii,
}

/// How a driver clicks a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acts {
    /// By itself, wherever it lies.
    OnNodes,
    /// With a finger, which needs a place.
    ByFinger,
}

/// What drivers may differ in, beyond [`driver::Capabilities`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// What it writes.
    pub text: Text,
    /// How it clicks.
    pub acts: Acts,
}

/// When the connection to a device breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// When the next input has reached it, before any of it is done.
    Before,
    /// When the next input is done, before its answer.
    Done,
}

/// A device under test, with somebody who knows what really happened on it.
#[async_trait]
pub trait Device: Send {
    /// Its driver.
    fn driver(&mut self) -> &mut dyn Driver;

    /// What its driver can do.
    fn abilities(&self) -> Abilities;

    /// What really happened on it, oldest first, as the phone's journal tells it.
    async fn journal(&mut self) -> Vec<Value>;

    /// Has the connection break around the next input.
    async fn break_next(&mut self, when: Break);

    /// Has everything work again, as somebody would who plugs a cable in; the driver may be another one then.
    async fn mend(&mut self);
}

/// Somebody who has devices: each a fresh phone of 1080x2340 pixels with [`APP`] in front.
#[async_trait]
pub trait Bench {
    /// Another device.
    async fn device(&mut self) -> Box<dyn Device>;
}

/// A device and what the checks do with it.
struct Subject {
    device: Box<dyn Device>,
    cx: Cx,
}

macro_rules! checks {
    ($($module:ident::$check:ident,)*) => {
        /// Runs every check on a device of its own; panics at the first that does not hold.
        ///
        /// # Panics
        /// With the name of the check on standard output.
        pub async fn conforms(bench: &mut dyn Bench) {
            $(
                println!("conformance: {}", stringify!($check));
                let device = bench.device().await;
                let cx = Cx::new(PATIENCE, CancellationToken::new());
                $module::$check(&mut Subject { device, cx }).await;
            )*
        }
    };
}

checks! {
    seeing::it_says_what_it_is,
    seeing::the_tree_is_the_screen,
    seeing::what_does_not_change_is_the_same,
    seeing::a_password_is_not_told,
    seeing::pictures_are_of_the_screen,
    seeing::a_change_is_not_waited_for_twice,
    acting::a_click_arrives_once,
    acting::a_long_click_is_no_click,
    acting::a_node_of_an_older_screen_is_stale,
    acting::text_is_what_was_asked_for,
    acting::what_cannot_be_written_changes_nothing,
    acting::a_field_is_submitted_once,
    acting::the_focus_alone_is_given_or_refused,
    acting::a_covered_node_is_clicked_or_refused,
    acting::fingers_arrive_where_they_are_put,
    acting::a_touch_beside_the_screen_is_refused,
    acting::a_swipe_moves_what_lies_under_it,
    acting::every_key_is_pressed_once,
    opening::an_app_comes_to_the_front,
    opening::what_is_not_there_is_not_opened,
    opening::hostile_names_do_nothing,
    opening::an_app_is_ended,
    opening::recordings_are_made_or_refused,
    ending::nothing_is_done_when_the_time_is_over,
    ending::nothing_is_done_when_nobody_wants_it,
    ending::a_deadline_ends_a_swipe_and_lifts_the_finger,
    ending::a_lost_connection_tells_the_truth,
}

/// How long anything may take: far more than it does.
const PATIENCE: Duration = Duration::from_secs(120);

impl Subject {
    fn driver(&mut self) -> &mut dyn Driver {
        self.device.driver()
    }

    async fn look(&mut self) -> Observation {
        let cx = self.cx.clone();
        match self.driver().observe(&cx).await {
            Ok(seen) => seen,
            Err(error) => panic!("{error}"),
        }
    }

    /// A node of the screen as it is now, by its id.
    async fn find(&mut self, id: &str) -> (Observation, NodeRef) {
        let seen = self.look().await;
        let node = node(&seen, id);
        (seen, node)
    }

    /// The text of a node as it is now.
    async fn text(&mut self, id: &str) -> String {
        let (seen, node) = self.find(id).await;
        seen.tree.node(node.node).text.to_string()
    }

    /// What the line that counts says.
    async fn count(&mut self) -> String {
        self.text("count").await
    }

    /// The entries of the journal of this kind.
    async fn happened(&mut self, kind: &str) -> Vec<Value> {
        let mut entries = self.device.journal().await;
        entries.retain(|entry| entry["kind"] == kind);
        entries
    }

    /// How often this happened to the widget with this id.
    async fn times(&mut self, kind: &str, id: &str) -> usize {
        let entries = self.happened(kind).await;
        let own = entries.iter().filter(|entry| {
            let its = entry["widget"]["id"].as_str().unwrap_or_default();
            its.rsplit('/').next() == Some(id)
        });
        own.count()
    }

    /// How many inputs of any kind have arrived: fingers, keys, texts, starts and ends of apps.
    async fn inputs(&mut self) -> usize {
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
        let told = entries
            .iter()
            .filter(|entry| kinds.iter().any(|kind| entry["kind"] == *kind));
        told.count()
    }
}

/// A node by its id, which must be there.
#[track_caller]
fn node(seen: &Observation, id: &str) -> NodeRef {
    let query = Query::new().id(format!("{PACKAGE}:id/{id}"));
    match seen.tree.find(&query) {
        Some(found) => seen.node_ref(found),
        None => panic!("no {id} in\n{}", seen.tree.to_notation()),
    }
}

/// Where a node can be seen.
#[track_caller]
fn bounds(seen: &Observation, node: NodeRef) -> Rect {
    match seen.tree.visible_bounds(node.node) {
        Some(bounds) => bounds,
        None => panic!("the node lies nowhere"),
    }
}

/// What every driver must say of a screen: each node that can be seen, as far as all platforms tell of it.
fn essence(tree: &UiTree) -> String {
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
    let mut lines = String::new();
    for id in tree.ids() {
        let Some(bounds) = tree.visible_bounds(id) else {
            continue;
        };
        let node = tree.node(id);
        let depth = tree.ancestors(id).count();
        let words: Vec<&str> = states
            .iter()
            .filter(|(state, _)| node.is(*state))
            .map(|(_, word)| *word)
            .collect();
        lines.push_str(&format!(
            "{:depth$}{} {:?} {:?} {} {bounds} {}\n",
            "",
            node.class,
            node.text,
            node.label,
            node.id,
            words.join(" "),
        ));
    }
    lines
}
