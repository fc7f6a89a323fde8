//! Turns a recording into a plan: each step becomes an action, each node a matcher that is unique on the recorded screen. If an
//! event has no screen, its matcher consists of what the event reports.
//!
//! Steps without a reliable matcher are left out or use coordinates, with a warning.

use contract::recording::{
    EventNode, Header, Place, Step, StepKind, StepWarning, Steps, is_home_screen,
};
use contract::{NodeMatcher, limits};
use serde_json::{Map, Value, json};
use uitree::{NodeId, Rect, State, UiTree};

use crate::matcher_to_query::matcher_query;

/// The shortest pause after which the plan waits for the next node, in milliseconds.
const MIN_PAUSE_MS: f64 = 3_000.0;
/// The wait for an app, and the extra wait for a node beyond the recorded pause.
const WAIT_MS: f64 = 10_000.0;
/// The time budget of one action.
const ACTION_BUDGET_MS: f64 = 10_000.0;

/// The warning of a matcher that no snapshot proves.
const UNVERIFIED: &str = "the matcher is what the app reported of the node: without a snapshot it is not known whether it is unique";

/// A plan made from a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayPlan {
    /// The payload, not yet validated.
    pub payload: Value,
    /// The differences from the recording.
    pub warnings: Vec<StepWarning>,
    /// Whether every step of the recording became an action.
    pub coverage: Coverage,
}

/// How much of a recording a plan covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every step.
    Complete,
    /// Not every step; the warnings list the missing ones.
    Partial,
}

/// Makes a plan. `screen` returns the hierarchy before the event with this index.
pub fn plan_from_recording(
    header: &Header,
    steps: &Steps,
    screen: &mut dyn FnMut(usize) -> Option<String>,
) -> ReplayPlan {
    let mut builder = PlanBuilder {
        screen,
        last: None,
        actions: Vec::new(),
        warnings: Vec::new(),
        coverage: Coverage::Complete,
    };
    let mut rest = steps.steps.iter().peekable();
    while let Some(step) = rest.next() {
        match &step.kind {
            StepKind::Scroll { node, direction } => {
                // The target of a scroll is that of the next click.
                let click = rest.next_if(|next| matches!(next.kind, StepKind::Click { .. }));
                builder.scroll(step, node, direction.as_str(), click);
            }
            _ => builder.step(step),
        }
    }
    let budget = (builder.actions.len() as f64 * ACTION_BUDGET_MS)
        .clamp(30_000.0, f64::from(limits::MAX_EXECUTION_TIMEOUT_MS));
    let payload = json!({
        "commandId": format!("replay-{}", header.session_id).chars().take(limits::MAX_ID_LENGTH).collect::<String>(),
        "taskId": header.session_id,
        "source": "clawperator-recording",
        "expectedFormat": "android-ui-automator",
        "timeoutMs": budget as u64,
        "actions": builder.actions,
    });
    ReplayPlan {
        payload,
        warnings: builder.warnings,
        coverage: builder.coverage,
    }
}

struct PlanBuilder<'a> {
    screen: &'a mut dyn FnMut(usize) -> Option<String>,
    /// The last parsed screen, by its event, to parse large screens only once.
    last: Option<(usize, Option<UiTree>)>,
    actions: Vec<Value>,
    warnings: Vec<StepWarning>,
    coverage: Coverage,
}

impl PlanBuilder<'_> {
    fn warn(&mut self, step: &Step, message: impl Into<String>) {
        self.warnings.push(StepWarning {
            seq: Some(step.seq),
            message: message.into(),
        });
    }

    fn add(&mut self, step: &Step, kind: &str, params: Value) {
        let mut id = format!("{kind}-{}", step.seq);
        id = id.replace('.', "_");
        self.actions
            .push(json!({ "id": id, "type": kind, "params": params }));
    }

    /// The screen before an event, cached.
    fn screen_before(&mut self, event: usize) -> Option<&UiTree> {
        if self.last.as_ref().is_none_or(|(last, _)| *last != event) {
            let text = (self.screen)(event);
            let tree =
                text.and_then(|text| UiTree::parse_hierarchy_xml(text.as_bytes(), None).ok());
            self.last = Some((event, tree));
        }
        self.last.as_ref().and_then(|(_, tree)| tree.as_ref())
    }

    fn step(&mut self, step: &Step) {
        match &step.kind {
            // A home screen is not an app that can be opened.
            StepKind::Open { package } if is_home_screen(package) => {
                self.add(step, "press_key", json!({ "key": "home" }));
            }
            StepKind::Open { package } => {
                self.add(step, "open_app", json!({ "applicationId": package }));
            }
            StepKind::Arrive { package } => {
                let params = json!({ "expectedPackage": package, "timeoutMs": WAIT_MS as u64 });
                self.add(step, "wait_for_navigation", params);
            }
            StepKind::Press(key) => self.add(step, "press_key", json!({ "key": key.as_str() })),
            StepKind::Click { .. } => {
                if let Some(params) = self.click(step) {
                    self.wait(step, &params);
                    self.add(step, "click", params);
                }
            }
            StepKind::Enter { node, text, chosen } => self.enter(step, node, text, *chosen),
            StepKind::Scroll { node, direction } => {
                self.scroll(step, node, direction.as_str(), None)
            }
        }
    }

    /// Waits for the next node after a long pause.
    fn wait(&mut self, step: &Step, params: &Value) {
        let Some(matcher) = params.get("matcher").filter(|_| step.pause >= MIN_PAUSE_MS) else {
            return;
        };
        let max_timeout = f64::from(limits::MAX_EXECUTION_TIMEOUT_MS) / 4.0;
        let timeout = (step.pause + WAIT_MS).min(max_timeout).round() as u64;
        let mut params = Map::new();
        params.insert("matcher".to_owned(), matcher.clone());
        params.insert("timeoutMs".to_owned(), json!(timeout));
        let id = format!("wait_for_node-{}", step.seq).replace('.', "_");
        self.actions
            .push(json!({ "id": id, "type": "wait_for_node", "params": params }));
    }

    /// The params of a click: a unique matcher, or else a coordinate.
    fn click(&mut self, step: &Step) -> Option<Value> {
        let StepKind::Click {
            node,
            bounds,
            long,
            at,
        } = &step.kind
        else {
            return None;
        };
        let has_screen = self.screen_before(step.event).is_some();
        let found = match self.screen_before(step.event) {
            None => reported_matcher(node).ok_or("the recording has no snapshot before it"),
            Some(tree) => match find_clicked(tree, node, bounds) {
                None => Err("the node is not on the screen recorded before it"),
                Some(id) if click_target(tree, id).is_none() => {
                    Err("nothing at its place takes clicks")
                }
                Some(id) => matcher(tree, id, MatchGoal::ClickTarget)
                    .ok_or("no matcher is unique for this node on the screen"),
            },
        };
        let mut params = Map::new();
        match found {
            Ok(matcher) => {
                params.insert("matcher".to_owned(), json!(matcher));
                if !has_screen {
                    self.warn(step, UNVERIFIED);
                }
            }
            Err(why) => {
                let place = at.or_else(|| center_of(bounds));
                let Some((x, y)) = place else {
                    self.coverage = Coverage::Partial;
                    self.warn(step, format!("the click is left out: {why}, nor its place"));
                    return None;
                };
                self.warn(
                    step,
                    format!("the click uses the coordinate {x} {y}, where another screen may have something else: {why}"),
                );
                params.insert("coordinate".to_owned(), json!({ "x": x, "y": y }));
            }
        }
        if *long {
            params.insert("clickType".to_owned(), json!("long_click"));
        }
        Some(Value::Object(params))
    }

    fn enter(&mut self, step: &Step, node: &EventNode, text: &str, chosen: Option<usize>) {
        let event = chosen.unwrap_or(step.event);
        let has_screen = self.screen_before(event).is_some();
        // A click that opened the field's screen was made before the field was there.
        let own = self.screen_before(step.event).map(|tree| field(tree, node));
        let found = match (own, self.screen_before(event)) {
            (Some(Ok(matcher)), _) => Ok(matcher),
            (Some(Err(PASSWORD_FIELD)), _) => Err(PASSWORD_FIELD),
            (_, Some(tree)) => field(tree, node),
            (_, None) => by_id(node).ok_or("the recording has no snapshot that shows the field"),
        };
        // If the event does not name the field, the click before it does.
        let found = match (found, chosen) {
            (Err(_), Some(_)) if node.resource_id.is_none() => self.chosen_field(event),
            (found, _) => found,
        };
        match found {
            Ok(matcher) => {
                let params = json!({ "matcher": matcher, "text": text });
                self.add(step, "enter_text", params);
                if !has_screen {
                    self.warn(step, UNVERIFIED);
                }
            }
            // Apps made with Compose report no ids.
            Err(_) if !has_screen && node.resource_id.is_none() => {
                let (params, why) = match chosen {
                    Some(_) => (
                        json!({ "focused": true, "text": text }),
                        "the text goes to the field with the input focus: the recording does not name the field",
                    ),
                    None => (
                        json!({ "matcher": { "role": "textfield" }, "text": text }),
                        "the text goes to the first field of the screen: the recording does not name the field",
                    ),
                };
                self.add(step, "enter_text", params);
                self.warn(step, why);
            }
            Err(why) => {
                self.coverage = Coverage::Partial;
                self.warn(step, format!("the text is not entered: {why}"));
            }
        }
    }

    /// The clicked field, from the last click among the actions.
    fn chosen_field(&mut self, event: usize) -> Result<NodeMatcher, &'static str> {
        let clicked = self.actions.iter().rev().find_map(|action| {
            (action.get("type") == Some(&json!("click")))
                .then(|| action.pointer("/params/matcher").cloned())
        });
        let matcher = clicked
            .flatten()
            .and_then(|value| NodeMatcher::from_value(&value).ok())
            .ok_or("it is not known which field it was")?;
        let Some(tree) = self.screen_before(event) else {
            return Err("the recording has no snapshot that shows the field");
        };
        let id = tree
            .find(&matcher_query(&matcher))
            .ok_or("it is not known which field it was")?;
        let node = tree.node(id);
        if node.is(State::PASSWORD) {
            Err(PASSWORD_FIELD)
        } else if node.is(State::EDITABLE) {
            Ok(matcher)
        } else {
            Err("the node clicked before it is not a field")
        }
    }

    fn scroll(&mut self, step: &Step, node: &EventNode, direction: &str, click: Option<&Step>) {
        let event = click.map_or(step.event, |click| click.event);
        let container = by_id(node).filter(|matcher| {
            let tree = self.screen_before(event);
            tree.is_none_or(|tree| tree.count(&matcher_query(matcher)) == 1)
        });
        let mut params = Map::new();
        let target = click.and_then(|click| self.click(click));
        if let (Some(click), Some(Value::Object(target))) = (click, &target) {
            let Some(matcher) = target.get("matcher") else {
                // A coordinate cannot be scrolled to.
                params.insert("direction".to_owned(), json!(direction));
                self.add(step, "scroll", Value::Object(params));
                self.add(click, "click", Value::Object(target.clone()));
                return;
            };
            params.insert("matcher".to_owned(), matcher.clone());
            if let Some(kind) = target.get("clickType") {
                params.insert("clickType".to_owned(), kind.clone());
            }
        }
        if let Some(container) = container {
            params.insert("container".to_owned(), json!(container));
        }
        params.insert("direction".to_owned(), json!(direction));
        match (click, target) {
            (Some(click), Some(_)) => self.add(click, "scroll_and_click", Value::Object(params)),
            _ => self.add(step, "scroll", Value::Object(params)),
        }
    }
}

/// A text that is valid in a matcher.
fn matchable(text: &str) -> Option<String> {
    let fits = !limits::is_blank(text) && limits::length(text) <= limits::MAX_MATCHER_VALUE_LENGTH;
    fits.then(|| text.to_owned())
}

/// A matcher by the id that an event names.
fn by_id(node: &EventNode) -> Option<NodeMatcher> {
    Some(NodeMatcher {
        resource_id: Some(node.resource_id.clone()?),
        ..NodeMatcher::default()
    })
}

/// A matcher for the properties that an event reports: the text, which may be that of a descendant, else the id.
fn reported_matcher(node: &EventNode) -> Option<NodeMatcher> {
    let words = |words: &Option<String>| words.as_deref().and_then(matchable);
    if let Some(text) = words(&node.text) {
        return Some(NodeMatcher {
            text_equals: Some(text),
            ..NodeMatcher::default()
        });
    }
    match words(&node.content_desc) {
        Some(name) => Some(NodeMatcher {
            content_desc_equals: Some(name),
            ..NodeMatcher::default()
        }),
        None => by_id(node),
    }
}

/// The center of bounds; `None` for empty ones.
fn center_of(bounds: &Place) -> Option<(i32, i32)> {
    let (x, y) = (
        f64::midpoint(bounds.left, bounds.right),
        f64::midpoint(bounds.top, bounds.bottom),
    );
    (bounds.right > bounds.left && bounds.bottom > bounds.top && x >= 0.0 && y >= 0.0)
        .then_some((x as i32, y as i32))
}

/// The node of an event on the screen before it, by bounds and id.
fn find_clicked(tree: &UiTree, node: &EventNode, bounds: &Place) -> Option<NodeId> {
    let place = Rect::new(
        bounds.left as i32,
        bounds.top as i32,
        bounds.right as i32,
        bounds.bottom as i32,
    );
    let is_clicked = |id: &NodeId| {
        let on_screen = tree.node(*id);
        let has_id = node.resource_id.as_deref().unwrap_or_default() == &*on_screen.id;
        has_id && on_screen.bounds == Some(place)
    };
    let mut all: Vec<NodeId> = tree
        .ids()
        .filter(is_clicked)
        .filter(|id| tree.is_on_screen(*id))
        .collect();
    // Of several nodes with the same bounds, the clickable one.
    all.sort_by_key(|id| !tree.node(*id).is(State::CLICKABLE));
    all.first().copied()
}

/// Why no text is entered into a password field.
const PASSWORD_FIELD: &str = "it is a password field";

/// A matcher for the field with the event's id.
fn field(tree: &UiTree, node: &EventNode) -> Result<NodeMatcher, &'static str> {
    let id = node
        .resource_id
        .as_deref()
        .ok_or("it is not known which field it was")?;
    let mut fields = tree.on_screen().filter(|node_id| {
        &*tree.node(*node_id).id == id && tree.node(*node_id).is(State::EDITABLE)
    });
    let (Some(field), None) = (fields.next(), fields.next()) else {
        return Err("the screen shows no field with its id, or several");
    };
    if tree.node(field).is(State::PASSWORD) {
        return Err(PASSWORD_FIELD);
    }
    matcher(tree, field, MatchGoal::Node).ok_or("no matcher is unique for this field on the screen")
}

/// What a matcher must match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MatchGoal {
    /// The node itself.
    Node,
    /// The node, or a descendant whose clicks it receives.
    ClickTarget,
}

/// The simplest matcher that is unique for this node on this screen.
fn matcher(tree: &UiTree, id: NodeId, goal: MatchGoal) -> Option<NodeMatcher> {
    let node = tree.node(id);
    let text = matchable;
    // The content of a field does not identify it.
    let own_text = match node.is(State::EDITABLE) || node.is(State::PASSWORD) {
        true => None,
        false => text(&node.text),
    };
    let resource_id = text(&node.id);
    let label = text(&node.label);
    let role = text(node.role.as_str());
    let combine = |resource_id: &Option<String>,
                   text_equals: &Option<String>,
                   label: &Option<String>,
                   role: &Option<String>| NodeMatcher {
        resource_id: resource_id.clone(),
        text_equals: text_equals.clone(),
        content_desc_equals: label.clone(),
        role: role.clone(),
        ..NodeMatcher::default()
    };
    let none = None;
    let mut candidates = vec![
        combine(&resource_id, &none, &none, &none),
        combine(&none, &own_text, &none, &none),
        combine(&none, &none, &label, &none),
    ];
    let mut within = Vec::new();
    if goal == MatchGoal::ClickTarget {
        // A row is identified by its content.
        for inner in tree.subtree(id).skip(1).take(40) {
            let inner = tree.node(inner);
            if inner.is(State::EDITABLE) || inner.is(State::PASSWORD) {
                continue;
            }
            let text_equals = text(&inner.text);
            let name = text(&inner.label);
            within.push(combine(&none, &text_equals, &none, &none));
            within.push(combine(&none, &none, &name, &none));
            let inner_id = text(&inner.id);
            if text_equals.is_some() || name.is_some() {
                within.push(combine(&inner_id, &text_equals, &name, &none));
            }
        }
    }
    candidates.append(&mut within);
    candidates.extend([
        combine(&resource_id, &own_text, &none, &none),
        combine(&resource_id, &none, &label, &none),
        combine(&resource_id, &own_text, &label, &role),
        combine(&none, &own_text, &none, &role),
        combine(&none, &none, &label, &role),
        combine(&none, &none, &none, &role),
    ]);
    candidates.into_iter().find(|matcher| {
        if *matcher == NodeMatcher::default() {
            return false;
        }
        let found = tree.find_all(&matcher_query(matcher));
        let [only] = found.as_slice() else {
            return false;
        };
        *only == id || (goal == MatchGoal::ClickTarget && click_target(tree, *only) == Some(id))
    })
}

/// The node that receives a click on this node, as the click action resolves it.
fn click_target(tree: &UiTree, id: NodeId) -> Option<NodeId> {
    crate::click_target::nearest(tree, id, |node| node.is(State::CLICKABLE))
}

#[cfg(test)]
mod tests;
