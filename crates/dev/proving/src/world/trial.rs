//! One plan that was run, and all that was seen of it.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use contract::{Execution, Invalid, Warning};
use driver::{
    Dispatch, DriverError, Gesture, Key, NodeAct, NodeRef, Observation, Recording, RecordingError,
    Target,
};
use engine::Report;
use serde_json::Value;

/// A plan and what came of it.
pub(crate) struct Trial {
    pub(crate) payload: Value,
    /// The plan as it was read.
    pub(crate) execution: Option<Execution>,
    /// Why it was not read.
    pub(crate) refusal: Option<String>,
    pub(crate) report: Option<Report>,
    /// What the reader remarked.
    pub(crate) warnings: Vec<Warning>,
    /// What the engine asked of the device, in order.
    pub(crate) calls: Vec<Call>,
    /// When its steps began and ended.
    pub(crate) marks: Vec<Mark>,
    /// Whether a look waits until the screen rests.
    pub(crate) rested_looks: bool,
    /// How long the run took, in virtual time.
    pub(crate) took: Duration,
    /// What the caller gave it, where that is not the plan's own time.
    pub(crate) budget: Option<Duration>,
    /// When the caller called it off.
    pub(crate) cancel: Option<Duration>,
    /// The pictures that were kept.
    pub(crate) album: Vec<(String, Vec<u8>)>,
}

impl Trial {
    pub(super) fn refused(payload: &Value, invalid: &Invalid) -> Self {
        Self {
            payload: payload.clone(),
            execution: None,
            refusal: Some(format!("{invalid:?}")),
            report: None,
            warnings: Vec::new(),
            calls: Vec::new(),
            marks: Vec::new(),
            rested_looks: false,
            took: Duration::ZERO,
            budget: None,
            cancel: None,
            album: Vec::new(),
        }
    }

    /// The answer as JSON.
    pub(crate) fn answer(&self) -> Value {
        match self.report.as_ref().map(|report| &report.outcome) {
            Some(Ok(envelope)) => serde_json::to_value(envelope).unwrap_or_default(),
            Some(Err(error)) => serde_json::to_value(error).unwrap_or_default(),
            None => self.refusal.clone().into(),
        }
    }

    /// The calls of one step.
    pub(crate) fn calls_of(&self, step: usize) -> impl Iterator<Item = &Call> + Clone {
        self.calls
            .iter()
            .filter(move |call| call.step == Some(step))
    }
}

/// A step that began, and its end.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) index: usize,
    pub(crate) began: Duration,
    pub(crate) ended: Option<Duration>,
}

/// One call to the device.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) step: Option<usize>,
    pub(crate) began: Duration,
    pub(crate) ended: Duration,
    /// What was written into the journal while it ran.
    pub(crate) journal: Range<usize>,
    pub(crate) what: DriverRequest,
    /// `None` when it was dropped before it answered.
    pub(crate) done: Option<DriverReply>,
    /// Whether the screen was frozen when the call began or when it ended.
    pub(crate) frozen: bool,
    /// Whether a finger of this call comes down on a bar of the system.
    pub(crate) barred: bool,
    /// The app in front by the phone's own account when the call ended.
    pub(crate) front: Option<String>,
    /// The phone's screen right behind a call that changes it.
    pub(crate) truth: Option<Arc<Observation>>,
}

/// A call of the driver.
#[derive(Clone, Debug)]
pub(crate) enum DriverRequest {
    Observe,
    Screenshot,
    Act(NodeRef, NodeAct),
    Touch(Gesture),
    Key(Key),
    Open(Target),
    Close(String),
    Foreground,
    Changed,
    StartRecording(Option<String>),
    StopRecording(Option<String>),
}

/// The result of a call.
#[derive(Clone, Debug)]
pub(crate) enum DriverReply {
    Well,
    Seen(Arc<Observation>),
    /// The picture, and whether a second look at the phone gives the same.
    Picture {
        png: Arc<Vec<u8>>,
        same: bool,
    },
    Recorded(Recording),
    Badly(DriverError),
}

impl Call {
    /// Whether the call is one that changes the device.
    pub(crate) const fn changes(&self) -> bool {
        match self.what {
            DriverRequest::Act(..)
            | DriverRequest::Touch(_)
            | DriverRequest::Key(_)
            | DriverRequest::Open(_)
            | DriverRequest::Close(_)
            | DriverRequest::StartRecording(_)
            | DriverRequest::StopRecording(_) => true,
            DriverRequest::Observe
            | DriverRequest::Screenshot
            | DriverRequest::Foreground
            | DriverRequest::Changed => false,
        }
    }

    /// Whether the call is a touch.
    pub(crate) const fn is_touch(&self) -> bool {
        matches!(self.what, DriverRequest::Touch(_))
    }

    /// Whether the device did it.
    pub(crate) const fn is_done(&self) -> bool {
        match &self.done {
            None | Some(DriverReply::Badly(_)) => false,
            Some(
                DriverReply::Well
                | DriverReply::Seen(_)
                | DriverReply::Picture { .. }
                | DriverReply::Recorded(_),
            ) => true,
        }
    }

    /// Whether the device may have done it although it did not say so.
    pub(crate) const fn is_in_doubt(&self) -> bool {
        match &self.done {
            None => true,
            Some(DriverReply::Badly(error)) => matches!(
                error,
                DriverError::Deadline
                    | DriverError::Cancelled
                    | DriverError::Lost {
                        dispatch: Dispatch::Unknown,
                        ..
                    }
            ),
            Some(
                DriverReply::Well
                | DriverReply::Seen(_)
                | DriverReply::Picture { .. }
                | DriverReply::Recorded(_),
            ) => false,
        }
    }

    /// Whether the device said that it did nothing of it.
    pub(crate) const fn is_refused(&self) -> bool {
        match &self.done {
            Some(DriverReply::Badly(error)) => {
                !self.is_in_doubt()
                    && !matches!(
                        error,
                        DriverError::LaunchFailed(_)
                            | DriverError::Recording(RecordingError::StopFailed { .. })
                    )
            }
            _ => false,
        }
    }

    /// What was seen. A tree without a node shows no screen.
    pub(crate) fn seen(&self) -> Option<&Arc<Observation>> {
        match &self.done {
            Some(DriverReply::Seen(seen)) if !seen.tree.is_empty() => Some(seen),
            _ => None,
        }
    }
}
