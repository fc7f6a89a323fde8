//! Inputs in the order of their times: events, keys and touches arrive on two connections, and an event may report a touch.

use std::time::Duration;

use agent_protocol::{AppEvent, AppEventKind};
use driver::Key;
use uitree::Point;

use super::screens::ScreenBefore;
use super::touch::{Reports, Touch};

/// How long an input waits for an earlier one that arrives later.
const ORDER: Duration = Duration::from_millis(300);
/// How much earlier than its time a key is ordered, in milliseconds: before the window that it opens.
const KEY_FIRST: f64 = 50.0;

/// An input with the screen before it.
pub(super) struct PendingInput {
    /// Milliseconds since the session began.
    pub(super) at: f64,
    pub(super) input: InputKind,
    pub(super) before: Option<ScreenBefore>,
}

impl PendingInput {
    /// Its place among the inputs, as a time.
    fn order(&self) -> f64 {
        let is_key = match &self.input {
            InputKind::Key(_) => true,
            InputKind::Event { event, .. } => event.kind == AppEventKind::KeyPressed,
            InputKind::Touch(_) | InputKind::Gap(_) => false,
        };
        if is_key { self.at - KEY_FIRST } else { self.at }
    }
}

pub(super) enum InputKind {
    Event {
        lost: u64,
        event: Box<AppEvent>,
    },
    Key(Key),
    /// A touch that no event has reported yet.
    Touch(Box<Touch>),
    Gap(String),
}

/// What is written when nothing earlier can arrive any more. All times are milliseconds since the session began.
#[derive(Default)]
pub(super) struct InputQueue {
    inputs: Vec<PendingInput>,
    /// The events that may report touches.
    reports: Reports,
}

impl InputQueue {
    pub(super) fn push(&mut self, waiting: PendingInput) {
        if let InputKind::Event { event, .. } = &waiting.input {
            self.reports.add(waiting.at, event);
        }
        self.inputs.push(waiting);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// When the next input is due.
    pub(super) fn due(&self, now: f64) -> Option<f64> {
        let open = self.open_touch(now);
        let due = self.inputs.iter().map(|waiting| match open {
            Some(touch) if waiting.order() >= touch.down => touch.settles(),
            _ => waiting.order(),
        });
        due.min_by(f64::total_cmp).map(|at| at + ms(ORDER))
    }

    /// Takes the inputs that nothing earlier can arrive before.
    pub(super) fn take_due(&mut self, now: f64) -> Vec<PendingInput> {
        self.remove_reported_touches();
        let before = now - ms(ORDER);
        let open = self
            .open_touch(now)
            .map_or(f64::INFINITY, |touch| touch.down);
        self.take(|at| at <= before && at < open)
    }

    /// Takes everything.
    pub(super) fn take_all(&mut self) -> Vec<PendingInput> {
        self.remove_reported_touches();
        self.take(|_| true)
    }

    fn take(&mut self, is_due: impl Fn(f64) -> bool) -> Vec<PendingInput> {
        let (due, later): (Vec<PendingInput>, Vec<PendingInput>) = std::mem::take(&mut self.inputs)
            .into_iter()
            .partition(|waiting| is_due(waiting.order()));
        self.inputs = later;
        due
    }

    /// Sorts, and removes the touches that events report.
    fn remove_reported_touches(&mut self) {
        let mut touches: Vec<(f64, Point)> = Vec::new();
        for waiting in &self.inputs {
            if let InputKind::Touch(touch) = &waiting.input {
                touches.push((touch.down, touch.from));
            }
        }
        self.inputs
            .sort_by(|one, other| one.order().total_cmp(&other.order()));
        let reports = &mut self.reports;
        self.inputs.retain(|waiting| match &waiting.input {
            InputKind::Touch(touch) => {
                let others = touches.iter().filter(|(down, _)| *down != touch.down);
                let others: Vec<Point> = others.map(|(_, from)| *from).collect();
                !reports.claim_event(touch, &others)
            }
            InputKind::Event { .. } | InputKind::Key(_) | InputKind::Gap(_) => true,
        });
    }

    /// The first touch that an event may still report: what comes after it waits.
    fn open_touch(&self, now: f64) -> Option<&Touch> {
        let now = now - ms(ORDER);
        let open = self
            .inputs
            .iter()
            .filter_map(|waiting| match &waiting.input {
                InputKind::Touch(touch) if touch.settles() > now => Some(&**touch),
                _ => None,
            });
        open.min_by(|one, other| one.down.total_cmp(&other.down))
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
