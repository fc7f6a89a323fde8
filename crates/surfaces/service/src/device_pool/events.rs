//! The events of a device pool: numbered, in one order, in a ring buffer of bounded size.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use contract::{Execution, ResultEnvelope, StepResult};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::device_changes::Watchers;
use super::run::{Outcome, StepSummary};
use crate::secrets::{DeviceSecrets, SecretsByDevice};

/// The maximal number of events that are kept.
const MAX_EVENTS: usize = 4_096;
/// Their maximal size in bytes, about.
const MAX_BYTES: usize = 8 << 20;

#[derive(Debug)]
pub struct PoolEvent {
    /// Its number; consecutive, from 1.
    pub id: u64,
    /// Its content.
    pub kind: EventKind,
    secrets: Option<DeviceSecrets>,
    text: OnceLock<Arc<[u8]>>,
}

/// The content of an event.
#[derive(Debug)]
pub enum EventKind {
    /// A run got its device and starts.
    Started {
        device: Arc<str>,
        /// The plan.
        execution: Arc<Execution>,
    },
    /// A step has ended.
    Step {
        device: Arc<str>,
        /// The plan.
        execution: Arc<Execution>,
        /// The result of the step.
        step: Arc<StepSummary>,
    },
    /// A run that had started has ended.
    Result {
        device: Arc<str>,
        /// The plan.
        execution: Arc<Execution>,
        /// The indices of the steps whose text events may contain.
        plain: Vec<usize>,
        outcome: Arc<Outcome>,
    },
    /// A request for a run was answered.
    Execution {
        /// The device, if it is known.
        device: Option<Arc<str>>,
        /// The request.
        input: Input,
        /// The answer.
        outcome: Arc<Outcome>,
    },
    /// A device was added, removed, or changed state.
    Device {
        /// Its name.
        device: Arc<str>,
        /// Its state; `None` if it was removed.
        state: Option<Arc<str>>,
    },
}

/// A request.
#[derive(Debug)]
pub enum Input {
    Plan {
        /// The plan.
        execution: Arc<Execution>,
        /// The indices of the steps whose text events may contain.
        plain: Vec<usize>,
    },
    /// A request that is not a plan.
    Refused(Value),
}

impl PoolEvent {
    /// Its kind.
    pub const fn name(&self) -> &'static str {
        match self.kind {
            EventKind::Started { .. } => "clawperator:started",
            EventKind::Step { .. } => "clawperator:step",
            EventKind::Result { .. } => "clawperator:result",
            EventKind::Execution { .. } => "clawperator:execution",
            EventKind::Device { .. } => "clawperator:device",
        }
    }

    /// The event as one line of JSON, without the contents of password fields of the device.
    pub fn json(&self) -> String {
        let mut document = self.kind.document();
        if let Some(secrets) = &self.secrets {
            secrets.mask(&mut document);
        }
        document.to_string()
    }

    /// The event as a surface writes it: made once and shared by all subscribers. A pool has one such surface.
    pub fn rendered(&self, make: impl FnOnce(&Self) -> Vec<u8>) -> Arc<[u8]> {
        Arc::clone(self.text.get_or_init(|| Arc::from(make(self))))
    }

    /// The size of the event in memory, about.
    fn weight(&self) -> usize {
        256 + match &self.kind {
            EventKind::Started { .. } | EventKind::Device { .. } | EventKind::Step { .. } => 512,
            // It is kept as a value and as text.
            EventKind::Result { outcome, .. } => 2 * outcome.weight(),
            EventKind::Execution { input, outcome, .. } => {
                let input = match input {
                    Input::Plan { execution, .. } => 512 * execution.actions().len(),
                    Input::Refused(_) => 1024,
                };
                2 * (input + outcome.weight())
            }
        }
    }
}

impl EventKind {
    /// The device of the event, if it is known.
    pub fn device(&self) -> Option<&str> {
        match self {
            Self::Started { device, .. }
            | Self::Step { device, .. }
            | Self::Result { device, .. }
            | Self::Device { device, .. } => Some(device),
            Self::Execution { device, .. } => device.as_deref(),
        }
    }

    fn document(&self) -> Value {
        match self {
            Self::Started { device, execution } => json!({
                "deviceId": device,
                "commandId": execution.command_id(),
                "taskId": execution.task_id(),
                "source": execution.source(),
                "actionCount": execution.actions().len(),
                "timeoutMs": execution.timeout(),
            }),
            Self::Step {
                device,
                execution,
                step,
            } => json!({
                "deviceId": device,
                "commandId": execution.command_id(),
                "taskId": execution.task_id(),
                "index": step.index,
                "of": step.of,
                "step": step,
            }),
            Self::Result {
                device,
                execution,
                plain,
                outcome,
            } => {
                let mut envelope = envelope(execution, outcome);
                mask_typed(&mut envelope, &typed(execution, plain));
                json!({ "deviceId": device, "envelope": envelope })
            }
            Self::Execution {
                device,
                input,
                outcome,
            } => {
                let mut result = outcome.body();
                let input = match input {
                    Input::Plan { execution, plain } => {
                        mask_typed(&mut result, &typed(execution, plain));
                        masked(execution, plain)
                    }
                    Input::Refused(value) => value.clone(),
                };
                json!({ "deviceId": device, "input": input, "result": result })
            }
            Self::Device { device, state } => match state {
                Some(state) => json!({ "deviceId": device, "state": state }),
                None => json!({ "deviceId": device, "state": "gone" }),
            },
        }
    }
}

/// The envelope of a run, or one with the reason why there is none.
fn envelope(execution: &Execution, outcome: &Outcome) -> Value {
    let made = match outcome {
        Outcome::Answer(answer) => return json!(answer.envelope),
        Outcome::Inspection(_) => ResultEnvelope::from_steps(execution, Vec::<StepResult>::new()),
        Outcome::Failed(error) => ResultEnvelope::failed(execution, Vec::new(), error),
    };
    json!(made)
}

/// A plan without the texts that may be passwords.
fn masked(execution: &Execution, plain: &[usize]) -> Value {
    let mut plan = json!(execution);
    let actions = plan.get_mut("actions").and_then(Value::as_array_mut);
    for (index, action) in actions.into_iter().flatten().enumerate() {
        if plain.contains(&index) {
            continue;
        }
        if let Some(text) = action.pointer_mut("/params/text") {
            *text = "***".into();
        }
    }
    plan
}

/// The ids of the steps that may have typed a password.
fn typed<'e>(execution: &'e Execution, plain: &[usize]) -> Vec<&'e str> {
    let actions = execution.actions().iter().enumerate();
    let typed = actions.filter(|(index, action)| {
        action.params().facts().entered().is_some() && !plain.contains(index)
    });
    typed.map(|(_, action)| action.id()).collect()
}

/// Masks the typed text in the results of these steps.
fn mask_typed(document: &mut Value, steps: &[&str]) {
    match document {
        Value::Array(values) => values.iter_mut().for_each(|value| mask_typed(value, steps)),
        Value::Object(fields) => {
            let is_step = fields.contains_key("actionType");
            let id = fields.get("id").and_then(Value::as_str);
            if is_step && id.is_some_and(|id| steps.contains(&id)) {
                let data = fields.get_mut("data").and_then(Value::as_object_mut);
                if let Some(text) = data.and_then(|data| data.get_mut("text")) {
                    *text = "***".into();
                }
                return;
            }
            fields
                .values_mut()
                .for_each(|value| mask_typed(value, steps));
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The events of a pool.
#[derive(Debug)]
pub(super) struct Ring {
    secrets: SecretsByDevice,
    kept: Mutex<RingEntries>,
    last: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct RingEntries {
    events: VecDeque<Arc<PoolEvent>>,
    bytes: usize,
    last: u64,
}

impl Ring {
    /// An empty ring for devices with these secrets.
    pub(super) fn new(secrets: SecretsByDevice) -> Self {
        Self {
            secrets,
            kept: Mutex::default(),
            last: watch::Sender::new(0),
        }
    }

    pub(super) fn publish(&self, kind: EventKind) {
        let secrets = match &kind {
            EventKind::Result { .. } | EventKind::Execution { .. } | EventKind::Step { .. } => {
                kind.device()
            }
            EventKind::Started { .. } | EventKind::Device { .. } => None,
        };
        let secrets = secrets.map(|device| self.secrets.of(device));
        let mut kept = self.lock_entries();
        kept.last += 1;
        let event = Arc::new(PoolEvent {
            id: kept.last,
            kind,
            secrets,
            text: OnceLock::new(),
        });
        kept.bytes += event.weight();
        kept.events.push_back(event);
        while kept.events.len() > MAX_EVENTS || (kept.bytes > MAX_BYTES && kept.events.len() > 1) {
            if let Some(oldest) = kept.events.pop_front() {
                kept.bytes = kept.bytes.saturating_sub(oldest.weight());
            }
        }
        let last = kept.last;
        drop(kept);
        // Numbers only grow, even if publishers overtake each other here.
        self.last.send_if_modified(|current| {
            let newer = *current < last;
            *current = last.max(*current);
            newer
        });
    }

    fn lock_entries(&self) -> MutexGuard<'_, RingEntries> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A subscription to the events of a pool. A slow subscriber keeps no events alive; it receives the number of missed events.
#[derive(Debug)]
pub struct Events {
    ring: Arc<Ring>,
    seen: u64,
    last: watch::Receiver<u64>,
    _watchers: Option<Arc<Watchers>>,
}

/// The next item of a subscription.
#[derive(Debug)]
pub enum Delivery {
    Event(Arc<PoolEvent>),
    /// This many events are no longer kept; the next item follows them.
    Missed(u64),
}

impl Events {
    /// Subscribes to the events after this number, or to those from now on.
    pub(super) fn after(ring: &Arc<Ring>, seen: Option<u64>) -> Self {
        let last = ring.last.subscribe();
        let newest = ring.lock_entries().last;
        Self {
            ring: Arc::clone(ring),
            // A number from before a restart of the server is unrelated to these events: deliver all of them.
            seen: match seen {
                Some(seen) if seen > newest => 0,
                Some(seen) => seen,
                None => newest,
            },
            last,
            _watchers: None,
        }
    }

    /// Keeps these watchers running.
    pub(super) fn with_watchers(self, watchers: Arc<Watchers>) -> Self {
        Self {
            _watchers: Some(watchers),
            ..self
        }
    }

    /// The number of the last event that was delivered.
    pub const fn last_delivered(&self) -> u64 {
        self.seen
    }

    /// The next item, if there is one.
    pub fn poll(&mut self) -> Option<Delivery> {
        let kept = self.ring.lock_entries();
        if self.seen >= kept.last {
            return None;
        }
        let oldest = kept.events.front().map_or(kept.last + 1, |event| event.id);
        let next = self.seen + 1;
        if next < oldest {
            self.seen = oldest - 1;
            return Some(Delivery::Missed(oldest - next));
        }
        let at = usize::try_from(next - oldest).ok()?;
        let event = kept.events.get(at)?;
        self.seen = event.id;
        Some(Delivery::Event(Arc::clone(event)))
    }

    /// Waits for the next item.
    pub async fn next(&mut self) -> Delivery {
        loop {
            self.last.borrow_and_update();
            if let Some(item) = self.poll() {
                return item;
            }
            if self.last.changed().await.is_err() {
                // The last publisher is gone.
                std::future::pending::<()>().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(ring: &Ring, name: &str) {
        ring.publish(EventKind::Device {
            device: Arc::from(name),
            state: None,
        });
    }

    fn received(events: &mut Events) -> Vec<String> {
        std::iter::from_fn(|| events.poll())
            .map(|item| match item {
                Delivery::Event(event) => format!("{} {}", event.id, event.json()),
                Delivery::Missed(count) => format!("missed {count}"),
            })
            .collect()
    }

    #[test]
    fn subscribers_receive_every_event_once_and_in_order() {
        let ring = Arc::new(Ring::new(SecretsByDevice::default()));
        let mut early = Events::after(&ring, None);
        device(&ring, "a");
        let mut late = Events::after(&ring, None);
        let mut resumed = Events::after(&ring, Some(0));
        device(&ring, "b");
        let both = [
            r#"1 {"deviceId":"a","state":"gone"}"#,
            r#"2 {"deviceId":"b","state":"gone"}"#,
        ];
        assert_eq!(received(&mut early), both);
        assert_eq!(received(&mut resumed), both);
        assert_eq!(received(&mut late), both[1..]);
        assert!(received(&mut late).is_empty());
    }

    #[test]
    fn slow_subscriber_learns_the_number_of_missed_events() {
        let ring = Arc::new(Ring::new(SecretsByDevice::default()));
        let mut slow = Events::after(&ring, None);
        for _ in 0..MAX_EVENTS + 3 {
            device(&ring, "a");
        }
        assert_eq!(ring.lock_entries().events.len(), MAX_EVENTS);
        let lines = received(&mut slow);
        assert_eq!(lines[0], "missed 3");
        assert_eq!(lines.len(), MAX_EVENTS + 1);
    }

    #[test]
    fn unknown_event_number_starts_at_the_oldest_event() {
        let ring = Arc::new(Ring::new(SecretsByDevice::default()));
        device(&ring, "a");
        assert_eq!(received(&mut Events::after(&ring, Some(900))).len(), 1);
        assert_eq!(received(&mut Events::after(&ring, Some(1))).len(), 0);
    }
}
