//! Derives the lines of a session file from screen captures and touches.
//!
//! A touch belongs to the screen before it. It is resolved immediately if a recent capture ended before it and
//! no input happened since that capture began. Otherwise it waits for the next capture of an idle phone: a
//! node that is equal before and after was also there in between. What cannot be resolved is written as a
//! coordinate without a node, and a gap gives the reason.

mod lines;

use std::sync::Arc;

use driver::Key;
use serde_json::{Value, json};
use uitree::{Point, State, UiTree, WindowKind};

use super::event_writer::{EventCounts, numbered};
use super::keys::key_name;
use super::target::{self, TouchTarget};
use super::touch_tracker::{Input, Stroke, pixel};
use lines::{click_event, distance, field_text, or_null, put, way};

/// The maximum age of a capture at a touch, in milliseconds.
const YOUNG: f64 = 5_000.0;
/// How long captures may fail before a gap is reported, in milliseconds.
const BLIND: f64 = 5_000.0;
/// The minimum duration of a long press, in milliseconds.
const LONG: f64 = 500.0;
/// The maximum movement of a press, in density-independent pixels.
const SLOP: f64 = 8.0;
/// The distance from an edge within which a navigation gesture begins, and its minimum length, in
/// density-independent pixels.
const EDGE: f64 = 24.0;
const FAR: f64 = 48.0;
/// The package of the system bars.
const SYSTEM_UI: &str = "com.android.systemui";

/// A screen capture. Times are milliseconds since the session began.
#[derive(Clone, Debug)]
pub(super) struct ScreenCapture {
    pub(super) began: f64,
    pub(super) ended: f64,
    /// The whole screen, including system bars.
    pub(super) tree: Arc<UiTree>,
    /// The document that an agent would see, with passwords masked.
    pub(super) xml: Arc<str>,
    pub(super) package: String,
    pub(super) class: Option<String>,
    pub(super) title: Option<String>,
}

/// Settings of the phone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PhoneSettings {
    /// Dots per inch; 0 if unknown.
    pub(super) density: u32,
    /// Whether edge swipes navigate.
    pub(super) gestures: bool,
}

/// Input that waits for the next capture.
#[derive(Clone, Debug)]
enum PendingInput {
    Stroke(Stroke, String),
    Button(f64, Key),
}

/// Turns captures and input into lines.
#[derive(Debug)]
pub(super) struct SessionWriter {
    habits: PhoneSettings,
    epoch_ms: u64,
    tally: EventCounts,
    lines: Vec<Value>,
    last: Option<ScreenCapture>,
    prior: Option<ScreenCapture>,
    /// The time of the last input.
    touched: f64,
    waiting: Vec<PendingInput>,
    /// The last touch of the keyboard since the last capture.
    typed: Option<f64>,
    /// Since when captures have failed, and whether that was reported.
    blind: Option<(f64, GapReport)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GapReport {
    Not,
    Yes,
}

/// The meaning of a stroke.
enum StrokeKind {
    Typing,
    Click(TouchTarget, Press),
    Scroll(TouchTarget, &'static str),
    Button(&'static str),
    Nothing(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Press {
    Short,
    Long,
}

/// How a stroke was matched with captures.
#[derive(Clone, Copy, PartialEq)]
enum MatchBasis {
    /// By a capture before it.
    Before,
    /// By equal captures before and after it.
    Both,
}

impl SessionWriter {
    pub(super) fn new(epoch_ms: u64, habits: PhoneSettings) -> Self {
        Self {
            habits,
            epoch_ms,
            tally: EventCounts::default(),
            lines: Vec::new(),
            last: None,
            prior: None,
            touched: f64::NEG_INFINITY,
            waiting: Vec::new(),
            typed: None,
            blind: None,
        }
    }

    /// Takes the lines since the last call.
    pub(super) fn lines(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.lines)
    }

    pub(super) const fn tally(&self) -> EventCounts {
        self.tally
    }

    /// Whether there was input after the last capture.
    pub(super) fn wants_look(&self) -> bool {
        !self.waiting.is_empty()
            || self
                .last
                .as_ref()
                .is_none_or(|look| look.began < self.touched)
    }

    /// Adds an input. Its times are milliseconds since the session began.
    pub(super) fn input(&mut self, input: &Input) {
        let before = self.touched;
        match input {
            Input::Lost { at } => {
                self.touched = before.max(*at);
                self.gap(*at, "the phone lost events of its touch screen", None, None);
            }
            Input::Button { at, key } => {
                self.touched = before.max(*at);
                if self.waiting.is_empty() {
                    let look = self.young(before, *at).ok();
                    self.key(*at, key_name(*key), look.as_ref(), None);
                } else {
                    self.waiting.push(PendingInput::Button(*at, *key));
                }
            }
            Input::Stroke(stroke) => {
                self.touched = before.max(stroke.up);
                let young = if self.waiting.is_empty() {
                    self.young(before, stroke.down)
                } else {
                    Err("the phone was touched again before the screen was captured".to_owned())
                };
                match young {
                    Ok(look) => self.stroke(stroke, &look, MatchBasis::Before),
                    Err(why) => self.waiting.push(PendingInput::Stroke(*stroke, why)),
                }
            }
        }
    }

    /// The capture that shows the screen at a moment, or why there is none.
    fn young(&self, touched: f64, at: f64) -> Result<ScreenCapture, String> {
        let fits = |look: &&ScreenCapture| look.ended <= at;
        let look = [&self.last, &self.prior]
            .into_iter()
            .flatten()
            .find(fits)
            .ok_or("the screen had not been captured yet")?;
        if look.began < touched {
            return Err("the phone was touched again before the screen was captured".to_owned());
        }
        let age = at - look.ended;
        if age > YOUNG {
            return Err(format!("the last screen capture was {age:.0} ms old"));
        }
        Ok(look.clone())
    }

    /// Adds a capture.
    pub(super) fn look(&mut self, look: ScreenCapture) {
        self.blind = None;
        if look.began < self.touched {
            // It is unknown whether the capture shows the screen before or after the input.
            return;
        }
        let before = self.last.clone();
        for waits in std::mem::take(&mut self.waiting) {
            match waits {
                PendingInput::Button(at, key) => {
                    self.typed_so_far(before.as_ref(), &look);
                    self.key(at, key_name(key), None, None);
                }
                PendingInput::Stroke(stroke, why) => {
                    self.late(&stroke, &why, before.as_ref(), &look)
                }
            }
        }
        self.typed_so_far(before.as_ref(), &look);
        let differs = before.as_ref().is_none_or(|before| {
            (&before.package, &before.class, &before.title)
                != (&look.package, &look.class, &look.title)
        });
        if differs {
            let event = json!({
                "snapshot": &*look.xml,
                "packageName": look.package,
                "className": look.class,
                "title": look.title,
                "type": "window_change",
            });
            self.add(look.ended, event);
        }
        self.prior = self.last.replace(look);
    }

    /// Reports a failed capture.
    pub(super) fn screen_lost(&mut self, began: f64, now: f64, why: &str) {
        let (since, reported) = *self.blind.get_or_insert((began, GapReport::Not));
        if reported == GapReport::Not && now - since >= BLIND {
            self.blind = Some((since, GapReport::Yes));
            self.gap(
                now,
                &format!("the screen cannot be captured: {why}"),
                None,
                None,
            );
        }
    }

    /// Reports that touches cannot be recorded from now on.
    pub(super) fn touches_lost(&mut self, now: f64, why: &str) {
        self.gap(now, why, None, None);
    }

    /// Reports that the recording ends by itself.
    pub(super) fn cut_short(&mut self, now: f64, why: &str) {
        self.gap(
            now,
            &format!("the recording ended by itself: {why}"),
            None,
            None,
        );
    }

    /// Ends the recording.
    pub(super) fn end(&mut self, now: f64) {
        for waits in std::mem::take(&mut self.waiting) {
            match waits {
                PendingInput::Button(at, key) => self.key(at, key_name(key), None, None),
                PendingInput::Stroke(stroke, why) => {
                    let why = format!("{why}, and the recording ended before the next capture");
                    self.unknown(&stroke, &why);
                }
            }
        }
        if self.typed.take().is_some() {
            self.gap(
                now,
                "the last typed text was not captured before the recording ended",
                None,
                None,
            );
        }
    }

    /// Resolves a stroke that waited for a later capture.
    fn late(
        &mut self,
        stroke: &Stroke,
        why: &str,
        before: Option<&ScreenCapture>,
        after: &ScreenCapture,
    ) {
        let Some(before) = before else {
            return self.unknown(stroke, why);
        };
        let turned = before.tree.rotation() != after.tree.rotation();
        let at = stroke
            .from
            .map(|from| pixel(from, before.tree.screen(), before.tree.rotation()));
        let both = at.filter(|_| !turned).and_then(|at| {
            Some((
                target::touch_target(&before.tree, at)?,
                target::touch_target(&after.tree, at)?,
            ))
        });
        let agree = both.is_some_and(|(one, other)| {
            if one.window == WindowKind::InputMethod && other.window == WindowKind::InputMethod {
                return true;
            }
            let same_scroll = match (one.scrolls, other.scrolls) {
                (Some(one), Some(other)) => {
                    let (a, b) = (before.tree.node(one), after.tree.node(other));
                    a.id == b.id && a.class == b.class && a.bounds == b.bounds
                }
                (None, None) => true,
                _ => false,
            };
            let moved = matches!(self.was(stroke, before), StrokeKind::Scroll(..));
            if moved {
                same_scroll
            } else {
                target::same((&before.tree, one.node), (&after.tree, other.node))
            }
        });
        if agree {
            let typing = matches!(self.was(stroke, before), StrokeKind::Typing);
            if !typing {
                self.typed_so_far(Some(before), after);
            }
            self.stroke(stroke, before, MatchBasis::Both);
        } else {
            self.typed_so_far(Some(before), after);
            let why = format!("{why}, and the next capture differs there");
            self.unknown(stroke, &why);
        }
    }

    /// Writes a stroke without a known node: its coordinate and the reason.
    fn unknown(&mut self, stroke: &Stroke, why: &str) {
        let look = self.last.as_ref();
        let at = look
            .zip(stroke.from)
            .map(|(look, from)| pixel(from, look.tree.screen(), look.tree.rotation()));
        let age = look.map(|look| stroke.down - look.ended);
        if let (Some(at), Some(look), 1) = (at, look, stroke.fingers)
            && let Some(to) = stroke.to
        {
            let to = pixel(to, look.tree.screen(), look.tree.rotation());
            if distance(at, to) <= self.slop() {
                let event = click_event(None, &Value::Null, at, Press::Short);
                self.add_with(stroke.down, event, age, None);
            }
        }
        self.gap(
            stroke.down,
            &format!("a touch belongs to no node: {why}"),
            age,
            at,
        );
    }

    /// Writes a stroke on a known screen.
    fn stroke(&mut self, stroke: &Stroke, look: &ScreenCapture, by: MatchBasis) {
        let age = Some(stroke.down - look.ended);
        let xml = Value::from(&*look.xml);
        let at = stroke
            .from
            .map(|from| pixel(from, look.tree.screen(), look.tree.rotation()));
        match self.was(stroke, look) {
            StrokeKind::Typing => self.typed = Some(stroke.up),
            StrokeKind::Button(key) => self.key(stroke.down, key, Some(look), Some(by)),
            StrokeKind::Click(met, press) => {
                let Some(at) = at else { return };
                let event = click_event(Some((&look.tree, met.node)), &xml, at, press);
                self.add_with(stroke.down, event, age, Some(by));
            }
            StrokeKind::Scroll(met, direction) => {
                let container = met.scrolls.unwrap_or(met.node);
                let node = look.tree.node(container);
                let event = json!({
                    "snapshot": null,
                    "packageName": &*node.owner,
                    "resourceId": or_null(&node.id),
                    "scrollX": -1,
                    "scrollY": -1,
                    "maxScrollX": -1,
                    "maxScrollY": -1,
                    "type": "scroll",
                    "direction": direction,
                });
                self.add_with(stroke.down, event, age, Some(by));
            }
            StrokeKind::Nothing(why) => self.gap(stroke.down, &why, age, at),
        }
    }

    /// Classifies a stroke on a screen.
    fn was(&self, stroke: &Stroke, look: &ScreenCapture) -> StrokeKind {
        if stroke.fingers > 1 {
            return StrokeKind::Nothing(format!("a gesture of {} fingers", stroke.fingers));
        }
        let (screen, rotation) = (look.tree.screen(), look.tree.rotation());
        let place = |share| pixel(share, screen, rotation);
        let (Some(from), Some(to)) = (stroke.from.map(place), stroke.to.map(place)) else {
            return StrokeKind::Nothing("a touch without a reported position".to_owned());
        };
        let strays = distance(from, to) > self.slop();
        if strays && let Some(key) = self.gesture(stroke, look, from, to) {
            return StrokeKind::Button(key);
        }
        let Some(met) = target::touch_target(&look.tree, from) else {
            return StrokeKind::Nothing("a touch outside of any window".to_owned());
        };
        if met.window == WindowKind::InputMethod {
            return StrokeKind::Typing;
        }
        let node = look.tree.node(met.node);
        if met.window == WindowKind::System && &*node.owner == SYSTEM_UI && !strays {
            let id = node.id.rsplit_once('/').map_or("", |(_, id)| id);
            match id {
                "back" => return StrokeKind::Button("back"),
                "home" | "home_button" | "home_handle" => return StrokeKind::Button("home"),
                "recent_apps" => return StrokeKind::Button("recents"),
                _ => {}
            }
        }
        if strays {
            if met.scrolls.is_some() {
                return StrokeKind::Scroll(met, way(from, to));
            }
            // A finger that moves within its target still presses it.
            let stays =
                target::touch_target(&look.tree, to).is_some_and(|other| other.node == met.node);
            if !(stays && node.is(State::CLICKABLE)) {
                return StrokeKind::Nothing(format!(
                    "a swipe from {},{} to {},{} outside of any scroll container",
                    from.x, from.y, to.x, to.y
                ));
            }
        }
        let long = stroke.up - stroke.down >= LONG && node.is(State::LONG_CLICKABLE);
        StrokeKind::Click(met, if long { Press::Long } else { Press::Short })
    }

    /// The key that a navigation gesture stands for.
    fn gesture(
        &self,
        stroke: &Stroke,
        look: &ScreenCapture,
        from: Point,
        to: Point,
    ) -> Option<&'static str> {
        if !self.habits.gestures {
            return None;
        }
        let (screen, edge) = (look.tree.screen(), self.pixels(EDGE));
        let (x, y) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
        let far = self.pixels(FAR);
        let left = f64::from(from.x) < edge && x > far;
        let right = f64::from(screen.width - from.x) <= edge && -x > far;
        if (left || right) && x.abs() > y.abs() {
            return Some("back");
        }
        let below = f64::from(screen.height - from.y) <= edge;
        // Holding it opens the recent apps.
        let key = if stroke.up - stroke.down < LONG {
            "home"
        } else {
            "recents"
        };
        (below && -y > far && y.abs() > x.abs()).then_some(key)
    }

    /// Writes the result of typing: the fields whose text changed.
    fn typed_so_far(&mut self, before: Option<&ScreenCapture>, after: &ScreenCapture) {
        let Some(at) = self.typed.take() else {
            return;
        };
        let Some(before) = before else {
            return self.gap(
                at,
                "text was typed before the first screen capture",
                None,
                None,
            );
        };
        let mut seen = false;
        for id in after.tree.ids() {
            let node = after.tree.node(id);
            if !node.is(State::EDITABLE) {
                continue;
            }
            let was = before.tree.ids().find(|old| {
                let old = before.tree.node(*old);
                old.is(State::EDITABLE)
                    && old.id == node.id
                    && old.owner == node.owner
                    && (!node.id.is_empty() || old.bounds == node.bounds)
            });
            let Some(was) = was.map(|was| before.tree.node(was)) else {
                continue;
            };
            // The focused field counts as seen, whether its text changed or not.
            seen |= node.is(State::FOCUSED) || was.is(State::FOCUSED);
            if field_text(was) == field_text(node) {
                continue;
            }
            seen = true;
            let password = node.is(State::PASSWORD);
            let mut event = json!({
                "snapshot": null,
                "packageName": &*node.owner,
                "resourceId": or_null(&node.id),
                "text": if password { "" } else { field_text(node) },
                "type": "text_change",
            });
            if password {
                put(&mut event, "password", json!(true));
            }
            self.add(at, event);
        }
        if !seen {
            let why = "text was typed, and the field was gone in the next capture";
            self.gap(at, why, None, None);
        }
    }

    fn key(&mut self, at: f64, key: &str, look: Option<&ScreenCapture>, by: Option<MatchBasis>) {
        let event = json!({
            "snapshot": look.map(|look| &*look.xml),
            "key": key,
            "type": "press_key",
        });
        let age = look.map(|look| at - look.ended);
        self.add_with(at, event, age, by);
    }

    fn gap(&mut self, at: f64, reason: &str, age: Option<f64>, place: Option<Point>) {
        let mut event = json!({ "snapshot": null, "reason": reason, "type": "gap" });
        if let Some(Point { x, y }) = place {
            put(&mut event, "coordinate", json!({ "x": x, "y": y }));
        }
        self.tally.gaps += 1;
        self.add_with(at, event, age, None);
    }

    fn add(&mut self, at: f64, event: Value) {
        self.add_with(at, event, None, None);
    }

    /// Adds an event, with the age of the matched capture and the basis of the match.
    fn add_with(&mut self, at: f64, event: Value, age: Option<f64>, by: Option<MatchBasis>) {
        let mut line = numbered(self.epoch_ms, at, &mut self.tally, event);
        if let Some(age) = age {
            line.insert("treeAgeMs".to_owned(), json!(age.round() as i64));
        }
        if by == Some(MatchBasis::Both) {
            line.insert("confirmed".to_owned(), json!("by the next look"));
        }
        self.lines.push(Value::Object(line));
    }

    fn pixels(&self, dp: f64) -> f64 {
        let density = match self.habits.density {
            0 => 420,
            density => density,
        };
        dp * f64::from(density) / 160.0
    }

    fn slop(&self) -> f64 {
        self.pixels(SLOP)
    }
}

#[cfg(test)]
mod tests;
