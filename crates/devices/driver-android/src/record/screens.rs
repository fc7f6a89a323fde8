//! The last screens that a recorder observed, without passwords, and the node that an event is about.

use std::collections::VecDeque;
use std::sync::Arc;

use agent_protocol::{AppEvent, AppEventKind, EventSource, NodeFlags, ScreenCapture};
use driver::Result;
use uitree::{NodeId, Rect, Secrets, State, UiTree, WindowKind};

use crate::agent::read_capture;

/// The number of screens that are kept, because events arrive late.
const MAX_SCREENS: usize = 4;
/// How many nodes inside a node name it.
const MAX_INNER: usize = 40;
/// A person does not react to a screen that is younger, in milliseconds. An app reports a click after it has handled it, so the
/// newest screen may already show what the click changed.
const REACTION_MS: f64 = 120.0;

/// One screen. Times are milliseconds since the session began.
#[derive(Debug)]
pub(super) struct Screen {
    /// When the observation was requested.
    began: f64,
    /// First time at which it was observed.
    ended: f64,
    /// Last time at which it was observed.
    until: f64,
    /// The whole screen, with the system bars.
    pub(super) tree: UiTree,
    /// What an agent would see.
    xml: Arc<str>,
}

/// What the screen before an event shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScreenBefore {
    /// The screen.
    pub(super) xml: Arc<str>,
    /// How old it was, in milliseconds.
    pub(super) age: f64,
    /// The node of the event.
    pub(super) node: Option<EventNode>,
}

/// The node that an event is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EventNode {
    pub(super) resource_id: Arc<str>,
    pub(super) bounds: Rect,
    /// Whether its text is secret.
    pub(super) password: bool,
}

/// The window in front.
#[derive(Debug)]
pub(super) struct FrontWindow {
    pub(super) package: String,
    pub(super) title: String,
    pub(super) xml: Arc<str>,
}

/// The last screens, newest first.
#[derive(Debug, Default)]
pub(super) struct Screens {
    screens: VecDeque<Screen>,
    /// The agent's revision of the newest.
    revision: u64,
    secrets: Secrets,
}

impl Screens {
    /// The revision of the newest screen, 0 if the agent knows none.
    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    /// Adds an observation; without a capture the screen is as before.
    pub(super) fn add(
        &mut self,
        (began, ended): (f64, f64),
        revision: u64,
        capture: Option<&ScreenCapture>,
    ) -> Result<()> {
        let Some(capture) = capture else {
            if let Some(newest) = self.screens.front_mut() {
                newest.until = ended;
            }
            return Ok(());
        };
        self.revision = 0;
        let whole = read_capture(capture)?;
        let tree = whole.tree.clone();
        let (_, kept) = whole.split_bars()?;
        self.revision = revision;
        self.secrets.see(&tree);
        let masked = |tree: UiTree| self.secrets.mask_tree(&tree).unwrap_or(tree);
        self.screens.push_front(Screen {
            began,
            ended,
            until: ended,
            xml: masked(kept.tree).to_hierarchy_xml().into(),
            tree: masked(tree),
        });
        self.screens.truncate(MAX_SCREENS);
        Ok(())
    }

    /// A text without the values of password fields.
    pub(super) fn mask(&self, text: &str) -> String {
        self.secrets.mask(text).into_owned()
    }

    /// The screen at a time: the newest observed before it, else one whose observation was requested before it.
    pub(super) fn at(&self, at: f64) -> Option<&Screen> {
        self.by_likelihood(at).next()
    }

    fn by_likelihood(&self, at: f64) -> impl Iterator<Item = &Screen> {
        let observed = self.screens.iter().filter(move |screen| screen.ended <= at);
        let requested = self.screens.iter();
        let requested = requested.filter(move |screen| screen.began <= at && screen.ended > at);
        observed.chain(requested)
    }

    /// The newest screen as an agent would see it.
    pub(super) fn newest(&self) -> Option<Arc<str>> {
        self.screens.front().map(|screen| Arc::clone(&screen.xml))
    }

    /// The window in front on the newest screen.
    pub(super) fn front(&self) -> Option<FrontWindow> {
        let screen = self.screens.front()?;
        let windows = screen.tree.windows().iter();
        let mut apps = windows.filter(|window| window.kind == WindowKind::Application);
        let window = apps.find(|window| window.active)?;
        Some(FrontWindow {
            package: screen.tree.node(window.root).owner.to_string(),
            title: window.title.trim().to_owned(),
            xml: Arc::clone(&screen.xml),
        })
    }

    /// The screen before something that is about no node.
    pub(super) fn before(&self, at: f64) -> Option<ScreenBefore> {
        self.at(at).map(|screen| screen.before(at, None))
    }

    /// The screen before a press: the newest that was visible for `REACTION_MS`, else the oldest.
    fn before_press(&self, at: f64, event: &AppEvent) -> Option<ScreenBefore> {
        let seen_from = at - REACTION_MS;
        let seen = self.screens.iter();
        let seen = seen.filter(|screen| screen.ended <= seen_from);
        let newer = self.screens.iter().rev();
        let newer = newer.filter(|screen| screen.ended > seen_from);
        let mut screens = seen.chain(newer);
        screens.find_map(|screen| screen.before_node(at, event))
    }

    /// The screen before an event: the likeliest that shows its node. Without such a screen there is none, except for events
    /// that need no node.
    pub(super) fn before_event(&self, at: f64, event: &AppEvent) -> Option<ScreenBefore> {
        let with_node = || {
            // The phone's clock may place an event before every screen that is kept.
            let later = self.screens.iter().rev().filter(|screen| screen.began > at);
            let mut screens = self.by_likelihood(at).chain(later);
            screens.find_map(|screen| screen.before_node(at, event))
        };
        match event.kind {
            AppEventKind::Clicked | AppEventKind::LongClicked => self.before_press(at, event),
            AppEventKind::TextChanged => with_node(),
            AppEventKind::Scrolled => with_node().or_else(|| self.before(at)),
            AppEventKind::WindowChanged | AppEventKind::Noticed | AppEventKind::KeyPressed => {
                self.before(at)
            }
        }
    }
}

impl Screen {
    fn before_node(&self, at: f64, event: &AppEvent) -> Option<ScreenBefore> {
        let node = find(&self.tree, event)?;
        Some(self.before(at, Some(node)))
    }

    fn before(&self, at: f64, node: Option<NodeId>) -> ScreenBefore {
        let node = node.map(|id| {
            let node = self.tree.node(id);
            EventNode {
                resource_id: Arc::clone(&node.id),
                bounds: node.bounds.unwrap_or_default(),
                password: node.is(State::PASSWORD),
            }
        });
        ScreenBefore {
            xml: Arc::clone(&self.xml),
            age: (at - self.until).max(0.0),
            node,
        }
    }
}

/// The node of an event: at its place, or the only one like it.
fn find(tree: &UiTree, event: &AppEvent) -> Option<NodeId> {
    let likely: Vec<NodeId> = tree
        .on_screen()
        .filter(|id| is_like(tree, *id, event))
        .collect();
    if let Some(source) = &event.source {
        let bounds = place(source);
        let here = |id: &&NodeId| tree.node(**id).bounds == Some(bounds);
        let mut at_place: Vec<NodeId> = likely.iter().filter(here).copied().collect();
        at_place.sort_by_key(|id| !tree.node(*id).is(State::CLICKABLE));
        if let Some(first) = at_place.first() {
            return Some(*first);
        }
    }
    let takes = match event.kind {
        AppEventKind::Clicked => State::CLICKABLE,
        AppEventKind::LongClicked => State::LONG_CLICKABLE,
        AppEventKind::TextChanged => State::EDITABLE,
        _ => State::SCROLLABLE,
    };
    let mut takers = likely.into_iter().filter(|id| tree.node(*id).is(takes));
    match (takers.next(), takers.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Whether a node may be the one of an event, wherever it is.
fn is_like(tree: &UiTree, id: NodeId, event: &AppEvent) -> bool {
    let node = tree.node(id);
    let same = |reported: &str, shown: &str| reported.is_empty() || reported == shown;
    let source = event.source.as_ref();
    let class = source.map_or(&event.class, |source| &source.class);
    if !same(&event.package, &node.owner) || !same(class, &node.class) {
        return false;
    }
    if source.is_some_and(|source| *source.resource_id != *node.id) {
        return false;
    }
    let is_field = |source: &EventSource| {
        let fields = NodeFlags::EDITABLE | NodeFlags::PASSWORD;
        source.flags.intersects(fields)
    };
    // What a field or a list holds changes.
    if matches!(
        event.kind,
        AppEventKind::TextChanged | AppEventKind::Scrolled
    ) {
        return true;
    }
    if source.is_some_and(is_field) || node.is(State::EDITABLE) {
        return source.is_some();
    }
    let text = source.map(|source| source.text.as_str());
    let text = text.filter(|text| !text.is_empty());
    let text = text.or_else(|| event.texts.first().map(String::as_str));
    let description = source.map_or(&event.description, |source| &source.description);
    let words: Vec<&str> = [text.unwrap_or_default(), description]
        .into_iter()
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect();
    // A node that is gone is known by its words alone.
    (source.is_some() || !words.is_empty()) && words.iter().all(|word| is_named(tree, id, word))
}

/// Whether a node, or one inside, has this text or description.
fn is_named(tree: &UiTree, id: NodeId, word: &str) -> bool {
    tree.subtree(id).take(MAX_INNER).any(|inner| {
        let inner = tree.node(inner);
        inner.text.trim() == word || inner.label.trim() == word
    })
}

/// The bounds of an event's node.
pub(super) fn place(source: &EventSource) -> Rect {
    let bounds = source.bounds;
    Rect::new(
        bounds.left,
        bounds.top,
        bounds.left.saturating_add(bounds.width),
        bounds.top.saturating_add(bounds.height),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The screens of these times, each `(ended, text under the button)`.
    fn screens(seen: &[(f64, &str)]) -> Screens {
        let mut screens = Screens::default();
        for (ended, text) in seen {
            let xml: Arc<str> = format!(
                "<hierarchy><node class=\"a.V\" package=\"com.x\" bounds=\"[0,0][100,200]\">\
                 <node class=\"a.Button\" package=\"com.x\" text=\"Tap\" clickable=\"true\" bounds=\"[0,0][100,100]\" />\
                 <node class=\"a.Text\" package=\"com.x\" text=\"{text}\" bounds=\"[0,100][100,200]\" />\
                 </node></hierarchy>"
            )
            .into();
            screens.screens.push_front(Screen {
                began: ended - 5.0,
                ended: *ended,
                until: *ended,
                tree: UiTree::parse_hierarchy_xml(xml.as_bytes(), None).unwrap(),
                xml,
            });
        }
        screens
    }

    #[test]
    fn screen_before_click_is_the_one_the_person_saw() {
        let mut click = AppEvent::new(AppEventKind::Clicked, "com.x");
        click.texts.push("Tap".to_owned());
        for (seen, at, expected) in [
            (
                &[(100.0, "before"), (1000.0, "after")][..],
                1010.0,
                "before",
            ),
            (&[(100.0, "old"), (500.0, "before")], 1010.0, "before"),
            (&[(950.0, "before"), (1000.0, "after")], 1010.0, "before"),
            // The clock of the phone may be late.
            (&[(1100.0, "before"), (1200.0, "after")], 1010.0, "before"),
        ] {
            let screens = screens(seen);
            let before = screens.before_event(at, &click).unwrap();
            assert!(before.xml.contains(expected), "{seen:?}: {}", before.xml);
        }
    }
}
