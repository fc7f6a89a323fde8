//! One run of a pool: its state, and a handle to wait for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use contract::{
    ActionKind, DeviceAnswer, ErrorBody, ErrorClass, ErrorCode, ErrorResponse, Execution,
    Inspection, InspectionResponse, RunResponse, StepResult,
};
use engine::Event;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::secrets::StepRunner;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A run with an envelope.
    Answer(DeviceAnswer),
    /// The result of finding an element.
    Inspection(Inspection),
    /// A run without a result.
    Failed(ErrorBody),
}

impl Outcome {
    /// The error, if it is one; not finding exactly one element also counts.
    pub fn error(&self) -> Option<std::borrow::Cow<'_, ErrorBody>> {
        use std::borrow::Cow;
        match self {
            Self::Answer(_) => None,
            Self::Inspection(inspection) => inspection.refusal().map(Cow::Owned),
            Self::Failed(error) => Some(Cow::Borrowed(error)),
        }
    }

    /// The body of a server's answer.
    pub fn bytes(&self) -> serde_json::Result<Vec<u8>> {
        match (self.error(), self) {
            (Some(error), _) => serde_json::to_vec(&ErrorResponse::from(error.as_ref())),
            (None, Self::Answer(answer)) => serde_json::to_vec(&RunResponse::from(answer)),
            (None, Self::Inspection(found)) => serde_json::to_vec(&InspectionResponse::from(found)),
            (None, Self::Failed(error)) => serde_json::to_vec(&ErrorResponse::from(error)),
        }
    }

    pub fn body(&self) -> Value {
        match (self.error(), self) {
            (Some(error), _) => json!(ErrorResponse::from(error.as_ref())),
            (None, Self::Answer(answer)) => json!(RunResponse::from(answer)),
            (None, Self::Inspection(found)) => json!(InspectionResponse::from(found)),
            (None, Self::Failed(error)) => json!(ErrorResponse::from(error)),
        }
    }

    /// Its size in bytes, about.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Answer(answer) => {
                let steps = answer.envelope.step_results.iter();
                let data = steps.map(|step| {
                    let entries = step.data.iter();
                    128 + entries
                        .map(|(key, value)| 48 + key.len() + value.len())
                        .sum::<usize>()
                });
                512 + data.sum::<usize>()
            }
            Self::Inspection(inspection) => 1024 + 2048 * inspection.elements.len(),
            Self::Failed(_) => 1024,
        }
    }
}

/// A finished step, without the data that it read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepSummary {
    /// Its index in the plan, from 0.
    #[serde(skip)]
    pub index: usize,
    /// The number of steps of the plan.
    #[serde(skip)]
    pub of: usize,
    /// The id of the action.
    pub id: String,
    pub action_type: ActionKind,
    /// Whether it succeeded.
    pub success: bool,
    /// The code of its failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The message of its failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How long it took in the device's time; `None` if the device does not report it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// Whether it may concern a password.
    #[serde(skip)]
    secret: bool,
}

/// The phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It waits for its device.
    Queued,
    /// It has its device.
    Running,
    Ended,
}

impl Phase {
    /// Its name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Ended => "ended",
        }
    }
}

/// The phase of a run and the number of its finished steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Progress {
    phase: Phase,
    steps: usize,
}

#[derive(Debug)]
pub(super) struct RunState {
    /// Its number in the pool.
    pub(super) number: u64,
    /// The plan.
    pub(super) execution: Arc<Execution>,
    /// The device of the request.
    pub(super) requested: Option<Arc<str>>,
    pub(super) cancel: CancellationToken,
    device: OnceLock<Arc<str>>,
    progress: watch::Sender<Progress>,
    steps: Mutex<Vec<Arc<StepSummary>>>,
    outcome: OnceLock<Arc<Outcome>>,
    had_device: AtomicBool,
    has_started: AtomicBool,
}

/// Whether a step may have typed a password. The field is unknown if the text was not entered, and the Operator app need not
/// report the kind of field.
fn may_be_password(result: &StepResult, elapsed: Option<Duration>) -> bool {
    let by_app = StepRunner::of(elapsed) == StepRunner::App;
    by_app || !result.success || result.data.get("password").is_some()
}

impl RunState {
    /// A run that waits for its device.
    pub(super) fn new(number: u64, execution: Arc<Execution>, requested: Option<Arc<str>>) -> Self {
        let progress = Progress {
            phase: Phase::Queued,
            steps: 0,
        };
        Self {
            number,
            execution,
            requested,
            cancel: CancellationToken::new(),
            device: OnceLock::new(),
            progress: watch::Sender::new(progress),
            steps: Mutex::default(),
            outcome: OnceLock::new(),
            had_device: AtomicBool::new(false),
            has_started: AtomicBool::new(false),
        }
    }

    /// The resolved device, once it is known.
    pub(super) fn device(&self) -> Option<&Arc<str>> {
        self.device.get()
    }

    /// Whether it is for a device, by the requested or the resolved name.
    pub(super) fn is_for(&self, device: &str) -> bool {
        let names = [self.requested.as_ref(), self.device()];
        names.into_iter().flatten().any(|name| **name == *device)
    }

    /// Sets the resolved device.
    pub(super) fn has_device(&self, device: Arc<str>) {
        // It is resolved once.
        let _ = self.device.set(device);
    }

    /// Marks the run as running.
    pub(super) fn runs(&self) {
        self.had_device.store(true, Ordering::Relaxed);
        self.progress
            .send_modify(|progress| progress.phase = Phase::Running);
    }

    /// Records an event of the run; returns the step that has finished.
    pub(super) fn record_event(&self, event: &Event<'_>) -> Option<Arc<StepSummary>> {
        let (index, of, result, elapsed) = match event {
            Event::StepStarted { .. } => {
                self.has_started.store(true, Ordering::Relaxed);
                return None;
            }
            Event::StepEnded {
                index,
                of,
                result,
                elapsed,
            } => (*index, *of, *result, *elapsed),
        };
        let text = |key: &str| {
            let text = result.data.get(key).filter(|_| !result.success);
            text.map(str::to_owned)
        };
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let note = Arc::new(StepSummary {
            index,
            of,
            id: result.id.clone(),
            action_type: result.action_type,
            success: result.success,
            error: text("error"),
            message: text("message"),
            elapsed_ms: elapsed.map(millis),
            secret: may_be_password(result, elapsed),
        });
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.push(Arc::clone(&note));
        let count = steps.len();
        drop(steps);
        self.progress.send_modify(|progress| progress.steps = count);
        Some(note)
    }

    /// The finished steps.
    fn steps(&self) -> Vec<Arc<StepSummary>> {
        let steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.clone()
    }

    /// The indices of the steps whose text is known not to be a password.
    pub(super) fn plain(&self) -> Vec<usize> {
        let steps = self.steps();
        let plain = steps.iter().filter(|step| !step.secret);
        plain.map(|step| step.index).collect()
    }

    /// Ends the run.
    pub(super) fn ends(&self, outcome: Arc<Outcome>) {
        // It ends once.
        let _ = self.outcome.set(outcome);
        self.progress
            .send_modify(|progress| progress.phase = Phase::Ended);
    }

    /// The outcome, once it has ended.
    pub(super) fn outcome(&self) -> Option<&Arc<Outcome>> {
        self.outcome.get()
    }

    pub(super) fn phase(&self) -> Phase {
        self.progress.borrow().phase
    }

    /// Whether it ended without having had its device, or because another process drove it.
    pub(super) fn was_refused(&self) -> bool {
        self.outcome().is_some_and(|outcome| {
            let had_device = self.had_device.load(Ordering::Relaxed);
            !had_device || self.had_no_effect(outcome)
        })
    }

    /// Whether it ended before anything was done, so that the request may be repeated.
    pub(super) fn had_no_effect(&self, outcome: &Outcome) -> bool {
        let Outcome::Failed(error) = outcome else {
            return false;
        };
        if self.has_started.load(Ordering::Relaxed) {
            return false;
        }
        // Errors of a device or a deadline may come after something was done.
        match error.code.class() {
            ErrorClass::Usage
            | ErrorClass::Unsupported
            | ErrorClass::NotFound
            | ErrorClass::Conflict => true,
            ErrorClass::Cancelled => !self.had_device.load(Ordering::Relaxed),
            ErrorClass::Timeout | ErrorClass::Step | ErrorClass::Device | ErrorClass::Internal => {
                false
            }
        }
    }
}

/// A handle of a run. Dropping it does not cancel the run.
#[derive(Debug)]
pub struct Run {
    state: Arc<RunState>,
    returned: usize,
    progress: watch::Receiver<Progress>,
    repeated: bool,
}

impl Run {
    pub(super) fn new(state: Arc<RunState>, repeated: bool) -> Self {
        let progress = state.progress.subscribe();
        Self {
            state,
            returned: 0,
            progress,
            repeated,
        }
    }

    /// Whether the run comes from an earlier request with the same key.
    pub const fn is_repeated(&self) -> bool {
        self.repeated
    }

    /// The plan.
    pub fn execution(&self) -> &Execution {
        &self.state.execution
    }

    /// The resolved device, once it is known.
    pub fn device(&self) -> Option<&str> {
        self.state.device().map(AsRef::as_ref)
    }

    /// Its phase and the number of its finished steps.
    pub fn phase(&self) -> Phase {
        self.progress.borrow().phase
    }

    /// The steps that have finished so far.
    pub fn steps(&self) -> Vec<Arc<StepSummary>> {
        self.state.steps()
    }

    /// Waits for the next step to finish; `None` when the run has ended and all steps were returned.
    pub async fn next_step(&mut self) -> Option<Arc<StepSummary>> {
        loop {
            let progress = *self.progress.borrow_and_update();
            if self.returned < progress.steps {
                let steps = self.state.steps();
                let next = steps.get(self.returned).cloned();
                self.returned += 1;
                return next;
            }
            if progress.phase == Phase::Ended || self.progress.changed().await.is_err() {
                return None;
            }
        }
    }

    /// The outcome, if it has ended.
    pub fn ended(&self) -> Option<Arc<Outcome>> {
        self.state.outcome().cloned()
    }

    /// Waits for its end.
    pub async fn outcome(&self) -> Arc<Outcome> {
        let mut progress = self.progress.clone();
        // The sender is owned by the run, so that this returns when the run ends.
        let _ = progress
            .wait_for(|progress| progress.phase == Phase::Ended)
            .await;
        self.ended().unwrap_or_else(|| {
            let error = ErrorBody::new(ErrorCode::InternalError, "the run ended without a result");
            Arc::new(Outcome::Failed(error))
        })
    }

    /// Cancels it. The current touch is completed; the outcome says how far it came.
    pub fn cancel(&self) {
        self.state.cancel.cancel();
    }
}
