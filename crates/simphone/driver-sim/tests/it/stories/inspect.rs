//! Steps that check or print the state of the phone.

use draw::{TextRole, Theme, caret_positions};
use driver::{Driver, NodeRef, Observation, Revision};
use driver_sim::JournalEntry;
use driver_sim::journal::Event;
use uitree::{Node, NodeId, Point, State};

use super::steps::{Printed, unescaped};
use crate::fixture::{Fixture, bounds};

fn matches(node: &Node, name: &str) -> bool {
    match name.strip_prefix('#') {
        Some(id) => node.id.ends_with(&format!("/{id}")) || &*node.id == id,
        None => &*node.text == name || &*node.label == name,
    }
}

/// The visible nodes with this name.
fn all(seen: &Observation, name: &str) -> Vec<NodeId> {
    let name = unescaped(name);
    let ids = seen.tree.ids().filter(|id| {
        let node = seen.tree.node(*id);
        matches(node, &name) && node.is(State::VISIBLE)
    });
    ids.collect()
}

fn line(node: &Node) -> String {
    let class = node.class.trim_start_matches("android.");
    let class = class.trim_start_matches("widget.");
    let mut parts = vec![format!("{:?} {class}", node.role).to_lowercase()];
    for (sign, value) in [("", &node.text), ("~", &node.label), ("hint ", &node.hint)] {
        if !value.is_empty() {
            parts.push(format!("{sign}{value:?}"));
        }
    }
    if !node.id.is_empty() {
        parts.push(format!(
            "#{}",
            node.id.trim_start_matches("com.test.app:id/")
        ));
    }
    parts.push(bounds(node).to_string());
    if !node.is(State::ENABLED) {
        parts.push("disabled".to_owned());
    }
    let state = node.state - State::ENABLED - State::VISIBLE;
    parts.extend(state.iter_names().map(|(name, _)| name.to_lowercase()));
    parts.join(" ")
}

type Checked = Result<(), String>;

impl Fixture {
    /// Performs a step that checks or prints; returns `None` for any other.
    pub(super) async fn inspect(
        &mut self,
        verb: &str,
        rest: &str,
    ) -> Result<Option<Vec<String>>, String> {
        if let Some(checked) = self.check(verb, rest).await {
            return checked.map(|()| Some(Vec::new()));
        }
        self.printed(verb, rest).await.transpose()
    }

    async fn check(&mut self, verb: &str, rest: &str) -> Option<Checked> {
        let require = |is_met: bool, or: &str| if is_met { Ok(()) } else { Err(or.to_owned()) };
        Some(match verb {
            "shows" | "hides" => self.shown(rest, verb == "shows"),
            "front" => {
                let front = self.front().await;
                require(front == rest, &front)
            }
            "still" => {
                let next = self.driver.phone().next_event();
                require(next.is_none(), "an event is scheduled")
            }
            "moves" => require(self.driver.phone().is_moving(), "nothing moves"),
            "noted" => require(self.noted(rest), "no entry of the journal contains this"),
            _ => return None,
        })
    }

    /// Checks that all of these are visible, or none.
    fn shown(&mut self, names: &str, expected: bool) -> Checked {
        let seen = self.screen()?;
        for name in names.split(" | ") {
            if all(&seen, name).is_empty() == expected {
                return Err(format!("wrong for `{name}`:\n{}", seen.tree.to_compact()));
            }
        }
        Ok(())
    }

    async fn printed(&mut self, verb: &str, rest: &str) -> Option<Printed> {
        let one = |line: String| Ok(vec![line]);
        Some(match verb {
            "see" => self.lines(rest),
            "texts" | "ids" | "keys" => self.texts(verb, rest),
            "windows" => self.windows(),
            "tree" => {
                let seen = self.screen();
                seen.map(|seen| seen.tree.to_notation().lines().map(str::to_owned).collect())
            }
            "clock" => one(format!("{} ms", self.driver.phone().now().as_millis())),
            "observe" => {
                let nodes = self.try_see().await.map(|seen| seen.tree.len());
                one(nodes.map_or_else(|error| error.to_string(), |count| format!("{count} nodes")))
            }
            "listen" => {
                let revision = self.driver.phone().revision();
                let changed = self.driver.changed(&self.cx, Revision(revision)).await;
                one(changed.map_or_else(|error| error.to_string(), |_| "it changed".to_owned()))
            }
            "record" => {
                let started = self.record(None).await;
                one(started.map_or_else(|error| error.to_string(), |started| started.session))
            }
            "screenshot" => {
                let size = self
                    .driver
                    .screenshot(&self.cx)
                    .await
                    .map(|image| image.size);
                one(size.map_or_else(
                    |error| error.to_string(),
                    |size| format!("{}x{}", size.width, size.height),
                ))
            }
            "struck" => {
                let fired: Vec<&str> = self.driver.phone().log().faults(0).collect();
                one(fired.join(" "))
            }
            "settings" => Ok(self.configured()),
            _ => return None,
        })
    }

    fn lines(&mut self, names: &str) -> Printed {
        let seen = self.screen()?;
        let mut lines = Vec::new();
        for name in names.split(" | ") {
            if name.contains(" @") {
                lines.push(line(&self.called(name)?.1));
                continue;
            }
            let found = all(&seen, name);
            if found.is_empty() {
                return Err(format!("no `{name}`:\n{}", seen.tree.to_compact()));
            }
            lines.extend(found.iter().map(|id| line(seen.tree.node(*id))));
        }
        Ok(lines)
    }

    /// The visible texts, the ids that contain a word, or the keys of the keyboard.
    fn texts(&mut self, verb: &str, word: &str) -> Printed {
        let seen = self.screen()?;
        let nodes = seen.tree.nodes().iter();
        Ok(vec![match verb {
            "texts" => {
                let shown = nodes.filter(|node| node.is(State::VISIBLE) && !node.text.is_empty());
                shown
                    .map(|node| &*node.text)
                    .collect::<Vec<_>>()
                    .join(" | ")
            }
            "ids" => {
                let ids = nodes.map(|node| &*node.id);
                let ids = ids.filter(|id| !id.is_empty() && id.contains(word));
                ids.collect::<Vec<_>>().join(" ")
            }
            _ => {
                let keys = nodes.filter(|node| node.class.ends_with(".Key"));
                keys.map(|node| &*node.label).collect::<Vec<_>>().join(" ")
            }
        }])
    }

    fn windows(&mut self) -> Printed {
        let seen = self.screen()?;
        let windows = seen.tree.windows().iter();
        let lines = windows.map(|window| {
            let root = seen.tree.node(window.root);
            let active = if window.active { " active" } else { "" };
            let place = bounds(root);
            format!("{:?} {} {place}{active}", window.kind, root.owner)
        });
        Ok(lines.collect())
    }

    fn configured(&self) -> Vec<String> {
        let configured = |entry: &&JournalEntry| matches!(entry.what, Event::Configured { .. });
        let entries = self.driver.phone().journal().iter();
        let lines = entries.filter(configured).map(ToString::to_string);
        lines
            .map(|line| line.get(10..).unwrap_or_default().to_owned())
            .collect()
    }

    /// Observes the screen without lifting a finger.
    pub(super) fn screen(&mut self) -> Result<Observation, String> {
        self.catch_up();
        let seen = self.driver.phone_mut().observe();
        seen.ok_or_else(|| "the screen is off".to_owned())
    }

    pub(super) fn called(&mut self, name: &str) -> Result<(NodeRef, Node), String> {
        let (name, nth) = match name.rsplit_once(" @") {
            Some((name, nth)) => (name, nth.parse().map_err(|_| "which one?")?),
            None => (name, 1_usize),
        };
        let seen = self.screen()?;
        let found = all(&seen, name).get(nth - 1).copied();
        let id =
            found.ok_or_else(|| format!("no node has this name:\n{}", seen.tree.to_compact()))?;
        Ok((seen.node_ref(id), seen.tree.node(id).clone()))
    }

    pub(super) fn center(&mut self, name: &str) -> Result<Point, String> {
        Ok(bounds(&self.called(name)?.1).center())
    }

    /// The position of a field's cursor after these characters of its first line.
    pub(super) fn place_after(&mut self, name: &str, before: &str) -> Result<Point, String> {
        let field = bounds(&self.called(name)?.1);
        let style = Theme::light(2.625).text(TextRole::BodyLarge);
        let places = caret_positions(before, &style, 10_000.0, None);
        let width = places.cursor(before.len()).0.round() as i32;
        Ok(Point::new(field.left + 42 + width, field.center().y))
    }

    fn catch_up(&mut self) {
        let now = self.now();
        self.driver.phone_mut().advance_to(now);
    }
}
