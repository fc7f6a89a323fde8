//! Derives steps from events: the user's actions without their consequences.
//!
//! Where the events are ambiguous, a warning explains what was left out.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::event::{Event, EventKind, EventNode, Place};
use crate::number::json_number;
use crate::words::{Direction, Key};

/// How long after an input a window change counts as its consequence.
const FOLLOWS_MS: f64 = 10_000.0;
/// The shortest pause that is reported.
const PAUSE_MS: f64 = 10_000.0;
/// The package of the system bars, the notifications and the shade. Its windows come by themselves and are no app.
const SYSTEM_UI: &str = "com.android.systemui";
/// The warning of a click that the recorder knows from the touch screen.
const UNREPORTED: &str = "some clicks are touches that no app reported (clicks with a coordinate): each names the node that was at \
    the place of the touch, and the app may not have taken it";
/// Mask characters of password fields.
const BULLETS: [char; 4] = ['•', '●', '∙', '⬤'];

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The sequence number of its event.
    pub seq: f64,
    /// The index of that event in the input.
    pub event: usize,
    /// The time since the event before it, in milliseconds.
    pub pause: f64,
    /// The action.
    pub kind: StepKind,
}

/// The action of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// The recording starts in this app, or it came to the front without a recorded input and was used.
    Open {
        /// The app.
        package: String,
    },
    /// A node was clicked.
    Click {
        /// The node.
        node: EventNode,
        /// Its bounds.
        bounds: Place,
        /// Whether it was a long press.
        long: bool,
        /// The position of the finger, if known.
        at: Option<(i32, i32)>,
    },
    /// A text was entered.
    Enter {
        /// The field, as far as it is known.
        node: EventNode,
        /// The final text of the field.
        text: String,
        /// The event index of the last click before it in the same app, which may have focused the field.
        chosen: Option<usize>,
    },
    /// Content was scrolled.
    Scroll {
        /// The container, as far as it is known.
        node: EventNode,
        /// The direction: `down` shows content further down.
        direction: Direction,
    },
    /// A key was pressed.
    Press(Key),
    /// An input opened another app.
    Arrive {
        /// The app.
        package: String,
    },
}

/// An event that became no step, or an inexact one.
#[derive(Clone, Debug, PartialEq)]
pub struct StepWarning {
    /// The sequence number of the event; `None` for the whole recording.
    pub seq: Option<f64>,
    /// The message.
    pub message: String,
}

impl std::fmt::Display for StepWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.seq {
            Some(seq) => write!(f, "seq {seq}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// The steps of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// The steps, in the order of their events.
    pub steps: Vec<Step>,
    /// Events that became no step, or inexact ones.
    pub warnings: Vec<StepWarning>,
}

impl Step {
    /// The name of the type, equal to that of the corresponding action.
    pub const fn name(&self) -> &'static str {
        match self.kind {
            StepKind::Open { .. } => "open_app",
            StepKind::Click { .. } => "click",
            StepKind::Enter { .. } => "enter_text",
            StepKind::Scroll { .. } => "scroll",
            StepKind::Press(_) => "press_key",
            StepKind::Arrive { .. } => "wait_for_navigation",
        }
    }

    /// The step as an entry of a step log, with the screen before it.
    pub fn to_json(&self, before: Option<&str>) -> Value {
        let mut step = json!({ "seq": json_number(self.seq), "type": self.name() });
        let more = match &self.kind {
            StepKind::Open { package } | StepKind::Arrive { package } => {
                json!({ "packageName": package })
            }
            StepKind::Click {
                node,
                bounds,
                long,
                at,
            } => {
                let mut click = json!({
                    "packageName": node.package,
                    "resourceId": node.resource_id,
                    "text": node.text,
                    "contentDesc": node.content_desc,
                    "bounds": {
                        "left": json_number(bounds.left),
                        "top": json_number(bounds.top),
                        "right": json_number(bounds.right),
                        "bottom": json_number(bounds.bottom),
                    },
                });
                if *long {
                    put(&mut click, "clickType", json!("long_click"));
                }
                if let Some((x, y)) = at {
                    put(&mut click, "coordinate", json!({ "x": x, "y": y }));
                }
                click
            }
            StepKind::Enter { node, text, .. } => json!({
                "packageName": node.package,
                "resourceId": node.resource_id,
                "text": text,
            }),
            StepKind::Scroll { node, direction } => json!({
                "packageName": node.package,
                "resourceId": node.resource_id,
                "direction": direction.as_str(),
            }),
            StepKind::Press(key) => json!({ "key": key.as_str() }),
        };
        if let (Value::Object(step), Value::Object(mut more)) = (&mut step, more) {
            step.append(&mut more);
            step.insert("uiStateBefore".to_owned(), json!(before));
        }
        step
    }

    /// A description for people, without typed text.
    pub fn described(&self) -> String {
        let quoted = |text: &Option<String>| text.as_ref().map(|text| format!("{text:?}"));
        let known = |node: &EventNode| {
            quoted(&node.text)
                .or_else(|| quoted(&node.content_desc))
                .or_else(|| node.resource_id.clone())
        };
        match &self.kind {
            StepKind::Open { package } | StepKind::Arrive { package } => package.clone(),
            StepKind::Click {
                node, bounds, at, ..
            } => known(node).unwrap_or_else(|| match at {
                Some((x, y)) => format!("{x} {y}"),
                None => format!(
                    "[{},{}][{},{}]",
                    bounds.left, bounds.top, bounds.right, bounds.bottom
                ),
            }),
            StepKind::Enter { node, .. } => known(node).unwrap_or_else(|| node.package.clone()),
            StepKind::Scroll { direction, .. } => direction.as_str().to_owned(),
            StepKind::Press(key) => key.as_str().to_owned(),
        }
    }
}

fn put(object: &mut Value, key: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.insert(key.to_owned(), value);
    }
}

/// Derives the steps of events, ordered by sequence number; equal numbers keep the order of the file.
pub fn steps(events: &[Event]) -> Steps {
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by(|one, other| {
        let seq = |at: &usize| events.get(*at).map_or(0.0, |event| event.seq);
        seq(one).total_cmp(&seq(other))
    });
    let mut maker = StepBuilder {
        has_snapshots: events.iter().any(|event| event.has_snapshot),
        ..StepBuilder::default()
    };
    for (place, event) in order
        .iter()
        .filter_map(|at| events.get(*at).map(|event| (*at, event)))
    {
        maker.take(place, event);
    }
    maker.made
}

/// Turns events into steps, one by one.
#[derive(Default)]
struct StepBuilder {
    made: Steps,
    /// The app in front.
    front: Option<String>,
    /// The time of the previous event.
    before: Option<f64>,
    /// The time and kind of the last input; `None` once it has led to a home screen.
    input: Option<(f64, InputKind)>,
    /// The app that came to the front without a recorded input, with the event and its index.
    uncaused: Option<(String, f64, usize)>,
    /// The last click: its app and its event index.
    click: Option<(String, usize)>,
    /// The last known scroll positions of containers.
    offsets: BTreeMap<(String, Option<String>), (f64, f64)>,
    /// Whether any event has a snapshot.
    has_snapshots: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum InputKind {
    /// A touch or a text.
    Touch,
    /// A key that leads away from the app.
    LeavingKey,
    /// Another key.
    Key,
}

/// Whether a package is a home screen, by its name.
pub fn is_home_screen(package: &str) -> bool {
    package.contains("launcher") || package == "com.miui.home"
}

/// Whether the windows of a package are dialogs of the system, which cannot be opened like an app.
fn is_system_dialog(package: &str) -> bool {
    package == "android"
        || package.contains("permissioncontroller")
        || package.contains("packageinstaller")
}

impl StepBuilder {
    fn warn(&mut self, seq: f64, message: impl Into<String>) {
        self.made.warnings.push(StepWarning {
            seq: Some(seq),
            message: message.into(),
        });
    }

    fn add(&mut self, place: usize, event: &Event, kind: StepKind) {
        let pause = self.before.map_or(0.0, |before| event.ts - before);
        if pause >= PAUSE_MS {
            let seconds = (pause / 1000.0).round();
            self.warn(
                event.seq,
                format!("it came {seconds} s after the previous event; no step waits for it"),
            );
        }
        self.made.steps.push(Step {
            seq: event.seq,
            event: place,
            pause,
            kind,
        });
    }

    fn take(&mut self, place: usize, event: &Event) {
        match &event.kind {
            EventKind::Window { package, .. } => self.window(place, event, package),
            EventKind::Click {
                node,
                bounds,
                long,
                at,
            } => {
                self.without_snapshot(event);
                if at.is_some() {
                    self.warn_of_recording(UNREPORTED);
                }
                self.open_uncaused(&node.package);
                if self.made.steps.is_empty() {
                    self.warn(
                        event.seq,
                        "no window was recorded before it, so no step opens its app",
                    );
                }
                self.add(
                    place,
                    event,
                    StepKind::Click {
                        node: node.clone(),
                        bounds: *bounds,
                        long: *long,
                        at: *at,
                    },
                );
                self.click = Some((node.package.clone(), place));
                self.input = Some((event.ts, InputKind::Touch));
            }
            EventKind::Scroll {
                node,
                offset,
                direction,
                ..
            } => {
                self.open_uncaused(&node.package);
                self.scroll(place, event, node, *offset, *direction);
                self.input = Some((event.ts, InputKind::Touch));
            }
            EventKind::Key(key) => {
                self.add(place, event, StepKind::Press(*key));
                let leads = match key {
                    Key::Home | Key::Recents | Key::Power => InputKind::LeavingKey,
                    _ => InputKind::Key,
                };
                self.input = Some((event.ts, leads));
                self.click = None;
            }
            EventKind::Text {
                node,
                text,
                password,
            } => {
                self.open_uncaused(&node.package);
                self.text(place, event, node, text, *password);
                self.input = Some((event.ts, InputKind::Touch));
            }
            EventKind::Gap { reason } => {
                self.warn(event.seq, format!("the recorder missed events: {reason}"));
            }
        }
        self.before = Some(event.ts);
    }

    fn without_snapshot(&mut self, event: &Event) {
        if event.has_snapshot {
            return;
        }
        let why = match self.has_snapshots {
            true => StepWarning {
                seq: Some(event.seq),
                message: format!("the {} has no snapshot", event.kind.name()),
            },
            false => return self.warn_of_recording("the recording has no snapshots"),
        };
        if !self.made.warnings.contains(&why) {
            self.made.warnings.push(why);
        }
    }

    /// Adds a warning of the whole recording once.
    fn warn_of_recording(&mut self, message: &str) {
        let warning = StepWarning {
            seq: None,
            message: message.to_owned(),
        };
        if !self.made.warnings.contains(&warning) {
            self.made.warnings.push(warning);
        }
    }

    fn window(&mut self, place: usize, event: &Event, package: &str) {
        self.without_snapshot(event);
        // A keyboard appears and disappears with its field.
        if package.is_empty() || package.contains("inputmethod") || package == SYSTEM_UI {
            return;
        }
        let before = self.front.replace(package.to_owned());
        self.offsets.clear();
        let Some(before) = before else {
            let kind = StepKind::Open {
                package: package.to_owned(),
            };
            if self.made.steps.is_empty() {
                self.add(place, event, kind);
            }
            return;
        };
        if before == package {
            return;
        }
        self.uncaused = None;
        let recent = self
            .input
            .filter(|(at, _)| event.ts - at <= FOLLOWS_MS)
            .map(|(_, kind)| kind);
        if is_home_screen(package) {
            match (self.input.take(), recent) {
                (Some((_, InputKind::LeavingKey)), _) => {}
                (_, Some(InputKind::Key)) => self.arrive(place, event, package),
                // A touch in an app rarely leads here, and pressing home here changes nothing.
                _ => {
                    self.uncaused(event, package, "the step presses home");
                    self.add(place, event, StepKind::Press(Key::Home));
                }
            }
            return;
        }
        match (self.input, recent) {
            (Some((_, InputKind::LeavingKey)), _) => {}
            (_, Some(_)) => self.arrive(place, event, package),
            _ if is_system_dialog(package) => self.uncaused(event, package, "no step waits for it"),
            _ => {
                self.uncaused(event, package, "it is opened before the next input in it");
                self.uncaused = Some((package.to_owned(), event.seq, place));
            }
        }
    }

    fn arrive(&mut self, place: usize, event: &Event, package: &str) {
        let package = package.to_owned();
        self.add(place, event, StepKind::Arrive { package });
    }

    fn uncaused(&mut self, event: &Event, package: &str, then: &str) {
        self.warn(
            event.seq,
            format!(
                "{package} came to the foreground without a recorded cause; a recorder on the phone does not see Home, \
                Recents and navigation gestures: {then}"
            ),
        );
    }

    /// Opens the app that came to the front without a recorded input, when there is an input in it.
    fn open_uncaused(&mut self, package: &str) {
        if let Some((package, seq, event)) = self.uncaused.take_if(|(app, ..)| app == package) {
            self.made.steps.push(Step {
                seq,
                event,
                pause: 0.0,
                kind: StepKind::Open { package },
            });
        }
    }

    fn scroll(
        &mut self,
        place: usize,
        event: &Event,
        node: &EventNode,
        offset: (f64, f64),
        seen: Option<Direction>,
    ) {
        let key = (node.package.clone(), node.resource_id.clone());
        let known = offset.0 >= 0.0 && offset.1 >= 0.0;
        let before = match known {
            true => self.offsets.insert(key, offset),
            false => None,
        };
        let from = before.unwrap_or_default();
        let moved = (offset.0 - from.0, offset.1 - from.1);
        let direction = seen.or_else(|| known.then(|| direction(moved)).flatten());
        let Some(direction) = direction else {
            if before.is_none() {
                self.warn(
                    event.seq,
                    "the scroll was dropped: its direction is not recorded",
                );
            }
            return;
        };
        if let Some(Step {
            kind:
                StepKind::Scroll {
                    node: last,
                    direction: way,
                },
            ..
        }) = self.made.steps.last()
            && last == node
            && *way == direction
        {
            return;
        }
        if seen.is_none() && before.is_none() {
            let message = format!(
                "the scroll is assumed to go {direction}: it is the first one of its container"
            );
            self.warn(event.seq, message);
        }
        self.add(
            place,
            event,
            StepKind::Scroll {
                node: node.clone(),
                direction,
            },
        );
    }

    fn text(&mut self, place: usize, event: &Event, node: &EventNode, text: &str, password: bool) {
        if password || is_masked(text) {
            let message =
                "a password was typed; recordings do not contain passwords, so no step enters it";
            let again = |why: &StepWarning| why.message == message;
            // Typing one password is many events.
            let typing = matches!(self.made.warnings.last(), Some(why) if again(why));
            if !typing {
                self.warn(event.seq, message);
            }
            return;
        }
        let chosen = self
            .click
            .as_ref()
            .and_then(|(package, click)| (*package == node.package).then_some(*click));
        if let Some(Step {
            kind:
                StepKind::Enter {
                    node: last,
                    text: so_far,
                    chosen: choice,
                },
            ..
        }) = self.made.steps.last_mut()
            && last == node
            && *choice == chosen
        {
            text.clone_into(so_far);
            return;
        }
        self.add(
            place,
            event,
            StepKind::Enter {
                node: node.clone(),
                text: text.to_owned(),
                chosen,
            },
        );
    }
}

/// The direction of a scroll by this distance.
fn direction((x, y): (f64, f64)) -> Option<Direction> {
    if y.abs() >= x.abs() {
        match y {
            y if y > 0.0 => Some(Direction::Down),
            y if y < 0.0 => Some(Direction::Up),
            _ => None,
        }
    } else if x > 0.0 {
        Some(Direction::Right)
    } else {
        Some(Direction::Left)
    }
}

/// Whether this is the mask of a password field: bullets, perhaps with the last letter shown for a moment.
fn is_masked(text: &str) -> bool {
    let bullets = text
        .chars()
        .filter(|letter| BULLETS.contains(letter))
        .count();
    bullets > 0 && text.chars().count() <= bullets + 1
}

#[cfg(test)]
mod tests;
