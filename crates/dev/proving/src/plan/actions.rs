//! Generates actions with their parameters.

use contract::ActionKind;
use serde_json::{Map, Value, json};

use super::matchers::Purpose;
use super::{Planner, View, samples};

/// Weights of the actions. Screenshots are the slowest and rarest.
const WEIGHTS: &[(&str, u64)] = &[
    ("click", 240),
    ("enter_text", 90),
    ("read_text", 80),
    ("read_key_value_pair", 50),
    ("wait_for_node", 80),
    ("wait_for_navigation", 50),
    ("scroll", 70),
    ("scroll_until", 50),
    ("scroll_and_click", 60),
    ("press_key", 60),
    ("open_app", 50),
    ("open_uri", 40),
    ("close_app", 20),
    ("snapshot_ui", 30),
    ("sleep", 40),
    ("take_screenshot", 2),
    ("wait_until", 60),
    // A phone has no mouse and shows no page: neither tabs nor a console, lists nor file inputs; its screen has one size.
    ("hover", 0),
    ("read_console", 0),
    ("resize_window", 0),
    ("select_options", 0),
    ("tab", 0),
    ("upload", 0),
];

const OTHER_WEIGHT: u64 = 14;

fn weights() -> impl Iterator<Item = (&'static str, u64)> {
    let listed = |name: &str| WEIGHTS.iter().any(|(known, _)| *known == name);
    let names = ActionKind::ALL.iter().map(|kind| kind.as_str());
    let others = names.filter(move |name| !listed(name));
    WEIGHTS
        .iter()
        .copied()
        .chain(others.map(|name| (name, OTHER_WEIGHT)))
}

/// The example params of an action without a generator.
fn example_params(kind: &str) -> Map<String, Value> {
    let kind = ActionKind::from_word(kind);
    let params = kind.and_then(|kind| serde_json::from_str(kind.example()).ok());
    params.unwrap_or_default()
}

impl Planner {
    /// Chooses an action: type and params.
    pub(super) fn action(&mut self, view: &View<'_>) -> (&'static str, Value) {
        let all: u64 = weights().map(|(_, weight)| weight).sum();
        let mut remaining = self.below(all);
        let chosen = weights().find(|(_, weight)| match remaining.checked_sub(*weight) {
            Some(rest) => {
                remaining = rest;
                false
            }
            None => true,
        });
        let kind = chosen.map_or("sleep", |(name, _)| name);
        let mut params = Map::new();
        match kind {
            "click" => self.click(view, &mut params),
            "enter_text" => self.enter_text(view, &mut params),
            "read_text" => self.read_text(view, &mut params),
            "read_key_value_pair" => {
                let matcher = self.matcher(view, Purpose::Read);
                insert(&mut params, "labelMatcher", matcher);
                self.container(view, &mut params, 15);
                self.flag(&mut params, "all", 30);
                self.retry(&mut params, "retry", 30);
            }
            "wait_for_node" => {
                let matcher = self.matcher(view, Purpose::Any);
                insert(&mut params, "matcher", matcher);
                self.container(view, &mut params, 10);
                if self.chance(60) {
                    let time = self.pick(&[0.5, 1.0, 250.0, 1000.5, 3000.0, 9000.0]);
                    insert(&mut params, "timeoutMs", time);
                }
                self.retry(&mut params, "retry", 30);
            }
            "wait_until" => self.wait_until(view, &mut params),
            "wait_for_navigation" => self.wait_for_navigation(view, &mut params),
            "scroll" => {
                self.scrolling(view, &mut params);
                self.retry(&mut params, "retry", 30);
            }
            "scroll_until" => self.scroll_until(view, &mut params),
            "scroll_and_click" => self.scroll_and_click(view, &mut params),
            "press_key" => {
                let key = self.pick(&samples::KEYS);
                let key = if self.chance(5) {
                    key.to_uppercase()
                } else {
                    key.to_owned()
                };
                insert(&mut params, "key", key);
                self.retry(&mut params, "retry", 20);
            }
            "open_app" | "close_app" => {
                let app = self.package();
                insert(&mut params, "applicationId", app);
                self.retry(&mut params, "retry", 20);
            }
            "open_uri" => {
                let uri = self.uri();
                insert(&mut params, "uri", uri);
                self.retry(&mut params, "retry", 20);
            }
            "sleep" => {
                let time = self.pick(&[0.0, 0.25, 16.0, 300.0, 1234.5, 4000.0]);
                insert(&mut params, "durationMs", time);
            }
            "snapshot_ui" => {
                if self.chance(40) {
                    let format = self.pick(&["text", "actionable"]);
                    insert(&mut params, "view", format);
                    if self.chance(30) {
                        insert(&mut params, "budget", 80.0);
                    }
                }
                self.retry(&mut params, "retry", 30);
            }
            "start_recording" | "stop_recording" => {
                if self.chance(60) {
                    let session = self.pick(&samples::SESSIONS);
                    insert(&mut params, "sessionId", session);
                }
            }
            "take_screenshot" => {
                if self.chance(50) {
                    let path = self.pick(&["shot.png", "/unwritable/shot.png"]);
                    insert(&mut params, "path", path);
                }
                self.retry(&mut params, "retry", 20);
            }
            // These are not tried again.
            "read_clipboard" | "set_clipboard" | "set_orientation" => {
                return (kind, Value::Object(example_params(kind)));
            }
            // It neither waits nor skips.
            "explain" => {
                let matcher = self.matcher(view, Purpose::Any);
                insert(&mut params, "matcher", matcher);
                self.container(view, &mut params, 10);
                return (kind, Value::Object(params));
            }
            _ => {
                params = example_params(kind);
                self.retry(&mut params, "retry", 30);
            }
        }
        let looks_for_node = params.contains_key("matcher") || params.contains_key("labelMatcher");
        if looks_for_node && self.chance(20) {
            let outcome = self.pick(&["skip", "skip", "fail"]);
            insert(&mut params, "onMissing", outcome);
        }
        (kind, Value::Object(params))
    }

    fn wait_until(&mut self, view: &View<'_>, params: &mut Map<String, Value>) {
        let count = 1 + self.below(3);
        let conditions: Vec<Value> = (0..count).map(|_| self.condition(view)).collect();
        insert(params, "anyOf", conditions);
        self.container(view, params, 10);
        let time = self.pick(&[0.5, 100.0, 999.9, 2500.0, 9000.0]);
        insert(params, "timeoutMs", time);
    }

    fn condition(&mut self, view: &View<'_>) -> Value {
        let kind = self.pick(&[
            "visible", "visible", "gone", "text", "count", "enabled", "checked", "app", "quiet",
        ]);
        let matcher = self.matcher(view, Purpose::Any);
        let value = match kind {
            "visible" | "gone" => matcher,
            "text" => json!({ "matcher": matcher, "contains": self.pick(&["a", "1", "zq"]) }),
            "count" => {
                let test = self.pick(&["exactly", "atLeast", "atMost"]);
                json!({ "matcher": matcher, test: self.below(4) })
            }
            "app" => json!(self.package()),
            "quiet" => json!(self.pick(&[1.0, 50.5, 300.0, 2000.0])),
            _ => json!({ "matcher": matcher, "is": self.chance(70) }),
        };
        json!({ kind: value })
    }

    fn click(&mut self, view: &View<'_>, params: &mut Map<String, Value>) {
        let by_point = self.chance(15);
        if by_point {
            let (x, y) = (
                self.pixel(0, view.width + 30),
                self.pixel(0, view.height + 30),
            );
            insert(params, "coordinate", json!({ "x": x, "y": y }));
        } else {
            let matcher = self.matcher(view, Purpose::Click);
            insert(params, "matcher", matcher);
            self.container(view, params, 10);
        }
        self.click_type(params, by_point);
        self.retry(params, "retry", 35);
    }

    fn click_type(&mut self, params: &mut Map<String, Value>, by_point: bool) {
        if self.chance(30) {
            let kind = self.pick(&["default", "click", "long_click", "longclick", "focus"]);
            if !(by_point && kind == "focus") {
                insert(params, "clickType", kind);
            }
        }
    }

    fn enter_text(&mut self, view: &View<'_>, params: &mut Map<String, Value>) {
        let matcher = self.matcher(view, Purpose::EnterText);
        insert(params, "matcher", matcher);
        let text = if self.chance(25) {
            // A text that occurs nowhere else, for the judge's check of secrets.
            format!("zq{:x}", self.rng.next())
        } else {
            self.pick(&samples::TEXTS).to_owned()
        };
        insert(params, "text", text);
        self.container(view, params, 10);
        self.flag(params, "submit", 40);
        self.flag(params, "clear", 40);
        self.retry(params, "retry", 35);
    }

    fn read_text(&mut self, view: &View<'_>, params: &mut Map<String, Value>) {
        let matcher = self.matcher(view, Purpose::Read);
        insert(params, "matcher", matcher);
        self.container(view, params, 15);
        self.flag(params, "all", 30);
        if self.chance(20) {
            let validator = self.pick(&["temperature", "version", "regex", "regex"]);
            insert(params, "validator", validator);
            if validator == "regex" {
                let pattern = self.pick(&samples::PATTERNS);
                insert(params, "validatorPattern", pattern);
            }
        }
        self.retry(params, "retry", 35);
    }

    fn wait_for_navigation(&mut self, view: &View<'_>, params: &mut Map<String, Value>) {
        let both = self.chance(20);
        let package = self.chance(50);
        if package || both {
            let app = self.package();
            insert(params, "expectedPackage", app);
        }
        if !package || both {
            let matcher = self.matcher(view, Purpose::Any);
            insert(params, "expectedNode", matcher);
        }
        let time = self.pick(&[0.5, 100.0, 999.9, 2500.0, 30_000.0]);
        insert(params, "timeoutMs", time);
    }

    fn scroll_until(&mut self, view: &View<'_>, params: &mut Map<String, Value>) {
        let has_matcher = self.chance(75);
        if has_matcher {
            let matcher = self.matcher(view, Purpose::Click);
            insert(params, "matcher", matcher);
            self.flag(params, "clickAfter", 50);
            self.click_type(params, false);
        }
        self.scrolling(view, params);
        if self.chance(60) {
            insert(params, "maxScrolls", 1 + self.below(8));
        }
        if self.chance(30) {
            let time = self.pick(&[0, 1, 500, 3000, 20_000]);
            insert(params, "maxDurationMs", time);
        }
        if self.chance(30) {
            insert(params, "noPositionChangeThreshold", 1 + self.below(5));
        }
    }

    fn scroll_and_click(&mut self, view: &View<'_>, params: &mut Map<String, Value>) {
        let matcher = self.matcher(view, Purpose::Click);
        insert(params, "matcher", matcher);
        self.scrolling(view, params);
        self.click_type(params, false);
        if self.chance(60) {
            insert(params, "maxSwipes", self.below(8));
        }
        self.flag(params, "clickAfter", 30);
        self.retry(params, "scrollRetry", 30);
        self.retry(params, "clickRetry", 30);
    }

    /// Parameters that the scroll actions share.
    fn scrolling(&mut self, view: &View<'_>, params: &mut Map<String, Value>) {
        self.container(view, params, 30);
        if self.chance(70) {
            let direction = self.pick(&samples::DIRECTIONS);
            insert(params, "direction", direction);
        }
        if self.chance(40) {
            let ratio = self.pick(&[0.0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0]);
            insert(params, "distanceRatio", ratio);
        }
        if self.chance(40) {
            let time = self.pick(&[0.0, 1.0, 33.3, 250.0, 1500.0]);
            insert(params, "settleDelayMs", time);
        }
        self.flag(params, "findFirstScrollableChild", 30);
    }

    fn container(&mut self, view: &View<'_>, params: &mut Map<String, Value>, percent: u64) {
        if self.chance(percent) {
            let container = self.matcher(view, Purpose::Container);
            insert(params, "container", container);
        }
    }

    fn flag(&mut self, params: &mut Map<String, Value>, name: &str, percent: u64) {
        if self.chance(percent) {
            let on = self.chance(60);
            insert(params, name, on);
        }
    }

    fn retry(&mut self, params: &mut Map<String, Value>, name: &str, percent: u64) {
        if !self.chance(percent) {
            return;
        }
        let mut retry = Map::new();
        if self.chance(80) {
            insert(&mut retry, "maxAttempts", 1 + self.below(4));
        }
        if self.chance(60) {
            let time = self.pick(&[0.0, 1.0, 99.9, 400.0, 2000.0]);
            insert(&mut retry, "initialDelayMs", time);
        }
        if self.chance(30) {
            let time = self.pick(&[0, 100, 5000]);
            insert(&mut retry, "maxDelayMs", time);
        }
        if self.chance(30) {
            let factor = self.pick(&[1.0, 1.5, 5.0]);
            insert(&mut retry, "backoffMultiplier", factor);
        }
        if self.chance(30) {
            let ratio = self.pick(&[0.0, 0.5, 1.0]);
            insert(&mut retry, "jitterRatio", ratio);
        }
        insert(params, name, Value::Object(retry));
    }
}

fn insert(params: &mut Map<String, Value>, name: &str, value: impl Into<Value>) {
    params.insert(name.to_owned(), value.into());
}
