//! The rows of the trial, each with one thing to try.

use std::time::Duration;

use driver::{
    Cx, Driver, DriverError, Image, ImageFormat, ImageRequest, Key, NodeAct, Observation,
    Orientation, Result, Target,
};
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use uitree::{Rect, Window, WindowKind};

use super::super::phone::why;
use super::report::{Verdict, median, millis};
use super::settings::{self, OPEN_SEARCH, SETTINGS};
use super::{EFFECT_TIME, RotationSettings, Trial};

/// The text of each script. None of it is submitted.
const TEXTS: [(&str, &str); 10] = [
    ("ascii", "a 1%s'\"$x"),
    ("latin", "Grüße, œuvre, żółw"),
    ("cyrillic", "Привет"),
    ("greek", "Καλημέρα"),
    ("arabic", "مرحبا"),
    ("hebrew", "שלום"),
    ("devanagari", "नमस्ते"),
    ("thai", "สวัสดี"),
    ("cjk", "你好こんにちは안녕"),
    ("emoji", "👩‍👩‍👧 🇪🇺"),
];
/// The longest side of the smaller image.
const SMALL_SIDE: u32 = 720;
/// What is put into the clipboard.
const CLIP: &str = "clawperator trial ü";
/// How long the agent is silent before `changed` returns without an event; a wait that ends earlier heard one.
const SILENCE: Duration = Duration::from_millis(900);
/// Back, without the agent.
const PRESS_BACK: &str = "input keyevent 4";
const UNCHANGED_COUNT: usize = 10;
const TAP_COUNT: usize = 5;
const SCREENSHOT_COUNT: usize = 3;

const NOT_OPEN: &str = "the settings were not seen";
const NO_FIELD: &str = "the search field of the settings was not found";

impl Trial<'_> {
    /// Reads the WebView that is on the screen before anything is opened.
    pub(super) async fn webview(&mut self, cx: &Cx) -> Result<Verdict> {
        let seen = self.driver.observe(cx).await?;
        let mut views = settings::nodes(&seen).filter(|(_, node)| node.class.ends_with("WebView"));
        let Some((id, _)) = views.next() else {
            return Ok(Verdict::not_tried(
                "no WebView on the screen; open an app that shows one, and run it again",
            ));
        };
        let nodes = seen.tree.subtree(id).count();
        let problem = (nodes < 2).then_some("the WebView has no content");
        let verdict = Verdict::unless(problem, format!("the WebView has {nodes} nodes"));
        Ok(verdict.with(json!({ "nodes": nodes })))
    }

    /// Opens the settings and reads their windows.
    pub(super) async fn windows(&mut self, cx: &Cx) -> Result<Verdict> {
        self.driver.close(cx, SETTINGS).await?;
        self.driver
            .open(cx, &Target::App(SETTINGS.to_owned()))
            .await?;
        let is_shown = |seen: &Observation| {
            seen.foreground.as_deref() == Some(SETTINGS) && seen.tree.len() > 2
        };
        let (seen, is_shown) = self.observe_until(cx, is_shown).await?;
        self.is_open = is_shown;
        let front = self.driver.foreground(cx).await?.app;
        let evidence = json!({
            "windows": windows(&seen),
            "systemBars": seen.windows.len().saturating_sub(seen.tree.windows().len()),
            "otherDisplays": seen.other_displays.len(),
        });
        if !is_shown && front.as_deref() == Some(SETTINGS) {
            self.is_stale = true;
            let why =
                "the system says that the settings are in front, and no observation shows them";
            return Ok(Verdict::fail(why).with(evidence));
        }
        let list = seen.tree.windows();
        let active = list.iter().filter(|window| window.active).count();
        let mut layers: Vec<i32> = list.iter().map(|window| window.layer).collect();
        layers.sort_unstable();
        layers.dedup();
        let problem = match () {
            () if !is_shown => Some("the settings did not open".to_owned()),
            () if active != 1 => Some(format!("{active} windows are active")),
            () if layers.len() < list.len() => Some("two windows have the same layer".to_owned()),
            () => None,
        };
        let summary = format!(
            "every window that the system lists was read: {}",
            list.iter().map(in_words).collect::<Vec<_>>().join(", ")
        );
        Ok(Verdict::unless(problem, summary).with(evidence))
    }

    pub(super) async fn screenshot(&mut self, cx: &Cx) -> Result<Verdict> {
        if !self.has("SCREENSHOTS") {
            return Err(DriverError::Unsupported("screenshots"));
        }
        let screen = self.driver.observe(cx).await?.tree.screen();
        let small = ImageRequest {
            format: ImageFormat::Jpeg,
            max_side: Some(SMALL_SIDE),
        };
        let mut evidence = Map::new();
        let mut problem = None;
        for (name, request) in [("png", ImageRequest::default()), ("jpeg", small)] {
            let started_at = Instant::now();
            let image = self.driver.screenshot_as(cx, request).await?;
            let took = millis(started_at.elapsed());
            let Image {
                bytes,
                format,
                size,
            } = &image;
            let expected = request.target_size(screen);
            if *format != request.format || *size != expected {
                let (expected, size) = (in_pixels(expected), in_pixels(*size));
                let media = format.media_type();
                problem.get_or_insert(format!("{media} of {size} instead of {name} of {expected}"));
            }
            let found =
                json!({ "size": in_pixels(*size), "bytes": bytes.len(), "elapsedMs": took });
            evidence.insert(name.to_owned(), found);
        }
        let summary = format!(
            "PNG of {}, JPEG with sides up to {SMALL_SIDE}",
            in_pixels(screen)
        );
        Ok(Verdict::unless(problem, summary).with(evidence.into()))
    }

    /// Opens the search. Where a tap does not, the field is found all the same, for the rows that need it.
    pub(super) async fn tap(&mut self, cx: &Cx) -> Result<Verdict> {
        if !self.is_open {
            return Ok(Verdict::not_tried(NOT_OPEN));
        }
        let seen = self.driver.observe(cx).await?;
        let has_field = |seen: &Observation| settings::field(seen).is_some();
        let button = settings::search_button(&seen).filter(|_| !has_field(&seen));
        let mut tapped = None;
        if let Some(button) = button {
            match self.tap_at(cx, button.center()).await {
                Ok(took) => {
                    let (_, opened) = self.observe_until(cx, has_field).await?;
                    tapped = Some(match opened {
                        true => Verdict::pass("a tap opened the search of the settings"),
                        false => Verdict::fail("a tap on the search button opened no text field"),
                    });
                    tapped = tapped.map(|verdict| verdict.with(json!({ "tapMs": millis(took) })));
                }
                Err(denied @ DriverError::InputDenied(_)) => {
                    tapped = Some(Verdict::fail(denied.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
        let mut seen = self.driver.observe(cx).await?;
        if !has_field(&seen) {
            // The system has no such screen before Android 10.
            match self.shell.change(cx, OPEN_SEARCH).await {
                Ok(_) | Err(DriverError::Refused(_)) => {}
                Err(error) => return Err(error),
            }
            seen = self.observe_until(cx, has_field).await?.0;
        }
        let Some(place) = settings::field(&seen).and_then(|(_, node)| node.bounds) else {
            return Ok(tapped.unwrap_or_else(|| Verdict::not_tried(NO_FIELD)));
        };
        self.search = Some(place.center());
        if let Some(verdict) = tapped {
            return Ok(verdict);
        }
        let took = self.tap_at(cx, place.center()).await?;
        let is_focused = |seen: &Observation| {
            settings::field(seen).is_some_and(|(_, node)| node.is(uitree::State::FOCUSED))
        };
        let (_, focused) = self.observe_until(cx, is_focused).await?;
        let problem = (!focused).then_some("a tap on the search field did not focus it");
        let verdict = Verdict::unless(problem, "a tap put the focus into the search field");
        Ok(verdict.with(json!({ "tapMs": millis(took) })))
    }

    pub(super) async fn keyboard(&mut self, cx: &Cx) -> Result<Verdict> {
        if self.search.is_none() {
            return Ok(Verdict::not_tried(NO_FIELD));
        }
        let (seen, shown) = self
            .observe_until(cx, |seen| keyboard(seen).is_some())
            .await?;
        let Some(window) = keyboard(&seen).filter(|_| shown) else {
            return Ok(Verdict::fail(
                "the system lists no window of a keyboard; with a hardware keyboard there may be none",
            ));
        };
        let root = seen.tree.node(window.root).bounds;
        let touchable = window.bounds.or(root);
        let field = settings::field(&seen).and_then(|(_, node)| node.bounds);
        let covers = touchable
            .zip(field)
            .is_some_and(|(keys, field)| keys.intersect(&field).is_some());
        let problem = covers.then_some("the touchable part of the keyboard covers the text field");
        let summary = format!("the keyboard is a window, {}", in_words(window));
        Ok(Verdict::unless(problem, summary).with(json!({
            "root": in_bounds(root),
            "touchable": in_bounds(window.bounds),
            "layer": window.layer,
            "nodes": seen.tree.subtree(window.root).count(),
            "field": in_bounds(field),
        })))
    }

    /// Sets each text and reads it back, then empties the field.
    pub(super) async fn text(&mut self, cx: &Cx) -> Result<Verdict> {
        if self.search.is_none() {
            return Ok(Verdict::not_tried(NO_FIELD));
        }
        let mut evidence = Map::new();
        let mut failed = Vec::new();
        for (script, text) in TEXTS {
            let outcome = match self.set_text(cx, text).await {
                Ok(true) => "ok".to_owned(),
                Ok(false) => "another text was read back".to_owned(),
                Err(end @ (DriverError::Cancelled | DriverError::Deadline)) => return Err(end),
                // A message may quote the text of the field, which is ours.
                Err(error) => why(&error),
            };
            if outcome != "ok" {
                failed.push(script);
            }
            evidence.insert(script.to_owned(), outcome.into());
        }
        let emptied = self.set_text(cx, "").await?;
        let problem = match () {
            () if !failed.is_empty() => Some(format!("not entered: {}", failed.join(", "))),
            () if !emptied => Some("the field could not be emptied".to_owned()),
            () => None,
        };
        let summary = format!("{} scripts were set and read back", TEXTS.len());
        Ok(Verdict::unless(problem, summary).with(evidence.into()))
    }

    /// Sets the text of the field; whether it has it. The agent has read the field itself, so that the first observation
    /// has to show the text.
    async fn set_text(&mut self, cx: &Cx, text: &str) -> Result<bool> {
        let seen = self.driver.observe(cx).await?;
        let Some((id, _)) = settings::field(&seen) else {
            return Err(DriverError::Stale);
        };
        let act = NodeAct::SetText(text.to_owned());
        self.driver.act(cx, seen.node_ref(id), &act).await?;
        let has_text = |seen: &Observation| {
            let field = settings::field(seen);
            field.is_some_and(|(_, node)| {
                *node.text == *text || (text.is_empty() && node.is(uitree::State::SHOWING_HINT))
            })
        };
        let started_at = Instant::now();
        let first = self.driver.observe(cx).await?;
        self.observe_times.push(started_at.elapsed());
        if has_text(&first) {
            return Ok(true);
        }
        let (_, later) = self.observe_until(cx, has_text).await?;
        self.is_stale |= later;
        Ok(later)
    }

    pub(super) async fn cache(&mut self, _: &Cx) -> Result<Verdict> {
        if self.search.is_none() && !self.is_stale {
            return Ok(Verdict::not_tried(NO_FIELD));
        }
        let problem = self
            .is_stale
            .then_some("an observation showed an earlier screen: the node cache was not cleared");
        Ok(Verdict::unless(
            problem,
            "each observation showed what was done before it",
        ))
    }

    pub(super) async fn times(&mut self, cx: &Cx) -> Result<Verdict> {
        let Some(at) = self.search else {
            return Ok(Verdict::not_tried(NO_FIELD));
        };
        let mut taps = Vec::new();
        for _ in 0..TAP_COUNT {
            taps.push(self.tap_at(cx, at).await?);
        }
        let mut unchanged = Vec::new();
        self.driver.observe(cx).await?;
        for _ in 0..UNCHANGED_COUNT {
            let started_at = Instant::now();
            self.driver.observe(cx).await?;
            unchanged.push(started_at.elapsed());
        }
        let mut screenshots = Vec::new();
        for _ in 0..SCREENSHOT_COUNT {
            let started_at = Instant::now();
            self.driver.screenshot(cx).await?;
            screenshots.push(started_at.elapsed());
        }
        let [observe, unchanged, tap, screenshot] =
            [&self.observe_times, &unchanged, &taps, &screenshots].map(|times| median(times));
        let summary = format!(
            "medians: observation {observe} ms, unchanged {unchanged} ms, tap {tap} ms, screenshot {screenshot} ms"
        );
        Ok(Verdict::pass(summary).with(json!({
            "observeMs": observe,
            "unchangedMs": unchanged,
            "tapMs": tap,
            "screenshotMs": screenshot,
        })))
    }

    /// Presses Back without the agent, which hides the keyboard or leaves the search, and waits for the agent's message.
    pub(super) async fn events(&mut self, cx: &Cx) -> Result<Verdict> {
        if self.search.is_none() {
            return Ok(Verdict::not_tried(NO_FIELD));
        }
        let mut since = self.driver.observe(cx).await?.revision;
        // What was done before may still move.
        let quiet = cx.within(EFFECT_TIME);
        while self.hears(cx, since).await? && !quiet.remaining().is_zero() {
            since = self.driver.observe(cx).await?.revision;
        }
        let (shell, started_at) = (self.shell, Instant::now());
        let press = async {
            let pressed = shell.change(cx, PRESS_BACK).await;
            pressed.map(|_| started_at.elapsed())
        };
        let limit = cx.within(EFFECT_TIME);
        let hear = async {
            while !self.hears(&limit, since).await? {}
            Ok(started_at.elapsed())
        };
        let (pressed, heard) = tokio::join!(press, hear);
        let pressed = pressed?;
        let heard = match heard {
            Err(DriverError::Deadline) if !cx.remaining().is_zero() => None,
            heard => Some(heard?),
        };
        let evidence = json!({
            "commandMs": millis(pressed),
            "eventMs": heard.map(millis),
        });
        let Some(heard) = heard else {
            let why = format!("no event within {EFFECT_TIME:?} of a key");
            return Ok(Verdict::fail(why).with(evidence));
        };
        let summary = format!(
            "a change was reported {} ms after the start of `{PRESS_BACK}`, which took {} ms",
            millis(heard),
            millis(pressed)
        );
        Ok(Verdict::pass(summary).with(evidence))
    }

    /// Waits for an event or the end of the silence after which the driver gives up.
    async fn hears(&mut self, cx: &Cx, since: driver::Revision) -> Result<bool> {
        let started_at = Instant::now();
        self.driver.changed(cx, since).await?;
        Ok(started_at.elapsed() < SILENCE)
    }

    pub(super) async fn rotation(&mut self, cx: &Cx) -> Result<Verdict> {
        if !self.is_open {
            return Ok(Verdict::not_tried(NOT_OPEN));
        }
        if !self.has("ROTATION") {
            return Err(DriverError::Unsupported("rotation"));
        }
        let before = RotationSettings::read(self.shell, cx).await?;
        let screen = self.driver.observe(cx).await?.tree.screen();
        if before.orientation().is_none() || screen.width > screen.height {
            return Ok(Verdict::not_tried(
                "the screen is in landscape; hold the phone upright",
            ));
        }
        self.undo.rotation = Some(before.clone());
        let started_at = Instant::now();
        self.driver
            .set_orientation(cx, Orientation::Landscape)
            .await?;
        let is_wide = |seen: &Observation| {
            let screen = seen.tree.screen();
            screen.width > screen.height
        };
        let (_, turned) = self.observe_until(cx, is_wide).await?;
        let took = millis(started_at.elapsed());
        self.restore_rotation(cx, &before).await?;
        let (_, is_back) = self.observe_until(cx, |seen| !is_wide(seen)).await?;
        let kept = RotationSettings::read(self.shell, cx).await? == before;
        let problem = match (turned, is_back && kept) {
            (true, true) => None,
            (false, _) => Some("the screen did not turn to landscape"),
            (true, false) => Some("the screen, or its settings, did not turn back"),
        };
        let verdict = Verdict::unless(problem, format!("landscape after {took} ms, and back"));
        Ok(verdict.with(json!({ "landscapeMs": took, "settingsRestored": kept })))
    }

    pub(super) async fn keys(&mut self, cx: &Cx) -> Result<Verdict> {
        if !self.is_open {
            return Ok(Verdict::not_tried(NOT_OPEN));
        }
        let before = self.driver.observe(cx).await?;
        self.driver.key(cx, Key::Back).await?;
        let back = self.changes(cx, before.revision).await?;
        self.driver.key(cx, Key::Home).await?;
        let is_home = |seen: &Observation| {
            let front = seen.foreground.as_deref();
            front.is_some_and(|app| app != SETTINGS)
        };
        let (_, home) = self.observe_until(cx, is_home).await?;
        let problem = match (back, home) {
            (true, true) => None,
            (false, true) => Some("Back changed nothing"),
            (true, false) => Some("Home did not leave the settings"),
            (false, false) => Some("Back and Home changed nothing"),
        };
        let verdict = Verdict::unless(problem, "Back and Home had their effects");
        Ok(verdict.with(json!({ "back": back, "home": home })))
    }

    pub(super) async fn clipboard(&mut self, cx: &Cx) -> Result<Verdict> {
        let before = self.driver.clipboard(cx).await?;
        if before.is_empty() {
            return Ok(Verdict::not_tried(
                "the clipboard has no text, and anything else in it could not be restored; copy a text, and run it again",
            ));
        }
        self.undo.clipboard = Some(before.clone());
        self.driver.set_clipboard(cx, CLIP).await?;
        let read = self.driver.clipboard(cx).await? == CLIP;
        self.driver.set_clipboard(cx, &before).await?;
        let restored = self.driver.clipboard(cx).await? == before;
        if restored {
            self.undo.clipboard = None;
        }
        let problem = match (read, restored) {
            (true, true) => None,
            (false, _) => Some("another text was read than the one that was put in"),
            (true, false) => Some("the text that was in it could not be restored"),
        };
        let verdict = Verdict::unless(
            problem,
            "a text was put in and read, and the one before restored",
        );
        Ok(verdict.with(json!({ "read": read, "restored": restored })))
    }
}

/// The keyboard's window.
fn keyboard(seen: &Observation) -> Option<&Window> {
    let mut windows = seen.tree.windows().iter();
    windows.find(|window| window.kind == WindowKind::InputMethod)
}

/// The windows without their titles and packages, which may be private.
fn windows(seen: &Observation) -> Vec<Value> {
    let of_window = |window: &Window| {
        json!({
            "kind": window.kind.as_str(),
            "layer": window.layer,
            "active": window.active,
            "root": in_bounds(seen.tree.node(window.root).bounds),
            "touchable": in_bounds(window.bounds),
            "nodes": seen.tree.subtree(window.root).count(),
        })
    };
    seen.tree.windows().iter().map(of_window).collect()
}

fn in_words(window: &Window) -> String {
    let active = if window.active { ", active" } else { "" };
    format!("{} at layer {}{active}", window.kind.as_str(), window.layer)
}

fn in_bounds(bounds: Option<Rect>) -> Option<String> {
    bounds.map(|bounds| bounds.to_string())
}

fn in_pixels(size: uitree::Size) -> String {
    format!("{}x{}", size.width, size.height)
}
