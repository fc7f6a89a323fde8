//! Records of a run: the plan, the driver calls and the times of its steps.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use contract::{Execution, Invalid, StepResult, Warning};
use driver::{
    Dispatch, DriverError, Gesture, Key, NodeAct, NodeRef, Observation, Orientation, Recording,
    RecordingError, Target,
};
use engine::Report;
use serde_json::Value;
use uitree::ScreenRefs;

/// A plan that ran, with its result and the recorded driver calls.
pub(crate) struct Run {
    pub(crate) payload: Value,
    pub(crate) execution: Option<Execution>,
    /// Why parsing failed.
    pub(crate) parse_error: Option<String>,
    pub(crate) report: Option<Report>,
    pub(crate) warnings: Vec<Warning>,
    /// Driver calls in order.
    pub(crate) calls: Vec<Call>,
    /// Start and end of each step.
    pub(crate) marks: Vec<Mark>,
    /// Whether `observe` waits until the screen is idle.
    pub(crate) observe_settles: bool,
    /// Duration in virtual time.
    pub(crate) duration: Duration,
    /// Time limit of the caller, if it overrides the plan's timeout.
    pub(crate) budget: Option<Duration>,
    /// Time after which the caller cancelled the run.
    pub(crate) cancel_after: Option<Duration>,
    pub(crate) screenshots: Vec<(String, Vec<u8>)>,
    /// References that were given for two widgets.
    pub(crate) moved_refs: Vec<String>,
}

impl Run {
    pub(crate) fn rejected(payload: &Value, invalid: &Invalid) -> Self {
        Self {
            payload: payload.clone(),
            execution: None,
            parse_error: Some(format!("{invalid:?}")),
            report: None,
            warnings: Vec::new(),
            calls: Vec::new(),
            marks: Vec::new(),
            observe_settles: false,
            duration: Duration::ZERO,
            budget: None,
            cancel_after: None,
            screenshots: Vec::new(),
            moved_refs: Vec::new(),
        }
    }

    /// The result, error or parse error as JSON.
    pub(crate) fn result_json(&self) -> Value {
        match self.report.as_ref().map(|report| &report.outcome) {
            Some(Ok(envelope)) => serde_json::to_value(envelope).unwrap_or_default(),
            Some(Err(error)) => serde_json::to_value(error).unwrap_or_default(),
            None => self.parse_error.clone().into(),
        }
    }

    /// Results of the completed steps, also of a stopped run.
    pub(crate) fn step_results(&self) -> Vec<StepResult> {
        match self.report.as_ref().map(|report| &report.outcome) {
            Some(Ok(envelope)) => envelope.step_results.clone(),
            Some(Err(error)) => serde_json::to_value(&error.details)
                .ok()
                .and_then(|details| details.get("stepResults").cloned())
                .and_then(|results| serde_json::from_value(results).ok())
                .unwrap_or_default(),
            None => Vec::new(),
        }
    }

    pub(crate) fn calls_of_step(&self, step: usize) -> impl Iterator<Item = &Call> + Clone {
        self.calls
            .iter()
            .filter(move |call| call.step == Some(step))
    }
}

/// Start and end of a step, and what it gave.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) index: usize,
    pub(crate) started: Duration,
    pub(crate) ended: Option<Duration>,
    /// The references that the step gave.
    pub(crate) refs: ScreenRefs,
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) step: Option<usize>,
    pub(crate) started: Duration,
    pub(crate) ended: Duration,
    /// Journal entries written during the call.
    pub(crate) journal: Range<usize>,
    pub(crate) request: DriverRequest,
    /// `None` if the future was dropped before it completed.
    pub(crate) reply: Option<DriverReply>,
    /// Whether the screen was frozen at the start or end of the call.
    pub(crate) frozen: bool,
    /// Whether the touch point of the call is on a system bar.
    pub(crate) on_system_bar: bool,
    /// The phone's foreground app at the end of the call.
    pub(crate) foreground: Option<String>,
    /// The phone's screen directly after a focus or text action.
    pub(crate) screen_after: Option<Arc<Observation>>,
}

#[derive(Clone, Debug)]
pub(crate) enum DriverRequest {
    Observe,
    Screenshot,
    Act(NodeRef, NodeAct),
    Touch(Gesture),
    Key(Key),
    Open(Target),
    Close(String),
    Clipboard,
    SetClipboard(String),
    SetOrientation(Orientation),
    Foreground,
    Changed,
    StartRecording(Option<String>),
    StopRecording(Option<String>),
}

#[derive(Clone, Debug)]
pub(crate) enum DriverReply {
    Done,
    Observed(Arc<Observation>),
    /// The image, and whether rendering the phone's screen again gives the same bytes.
    Screenshot {
        png: Arc<Vec<u8>>,
        matches_screen: bool,
    },
    Recording(Recording),
    Failed(DriverError),
}

impl Call {
    pub(crate) const fn changes_device(&self) -> bool {
        match self.request {
            DriverRequest::Act(..)
            | DriverRequest::Touch(_)
            | DriverRequest::Key(_)
            | DriverRequest::Open(_)
            | DriverRequest::Close(_)
            | DriverRequest::SetClipboard(_)
            | DriverRequest::SetOrientation(_)
            | DriverRequest::StartRecording(_)
            | DriverRequest::StopRecording(_) => true,
            DriverRequest::Observe
            | DriverRequest::Screenshot
            | DriverRequest::Clipboard
            | DriverRequest::Foreground
            | DriverRequest::Changed => false,
        }
    }

    pub(crate) const fn is_touch(&self) -> bool {
        matches!(self.request, DriverRequest::Touch(_))
    }

    pub(crate) const fn is_successful(&self) -> bool {
        !matches!(self.reply, None | Some(DriverReply::Failed(_)))
    }

    /// Whether the call may have taken effect without a confirmation.
    pub(crate) const fn is_unknown(&self) -> bool {
        matches!(
            self.reply,
            None | Some(DriverReply::Failed(
                DriverError::Deadline
                    | DriverError::Cancelled
                    | DriverError::Lost {
                        dispatch: Dispatch::Unknown,
                        ..
                    }
            ))
        )
    }

    /// Whether the device reported that the call had no effect.
    pub(crate) const fn is_refused(&self) -> bool {
        match &self.reply {
            Some(DriverReply::Failed(error)) => {
                !self.is_unknown()
                    && !matches!(
                        error,
                        DriverError::LaunchFailed(_)
                            | DriverError::Recording(RecordingError::StopFailed { .. })
                    )
            }
            _ => false,
        }
    }

    /// The observation, unless its tree is empty.
    pub(crate) fn observation(&self) -> Option<&Arc<Observation>> {
        match &self.reply {
            Some(DriverReply::Observed(observation)) if !observation.tree.is_empty() => {
                Some(observation)
            }
            _ => None,
        }
    }
}

pub(crate) const fn driver_orientation(orientation: contract::Orientation) -> Orientation {
    match orientation {
        contract::Orientation::Portrait => Orientation::Portrait,
        contract::Orientation::Landscape => Orientation::Landscape,
        contract::Orientation::Auto => Orientation::Auto,
    }
}

pub(crate) const fn driver_key(key: contract::Key) -> Key {
    match key {
        contract::Key::Back => Key::Back,
        contract::Key::Home => Key::Home,
        contract::Key::Recents => Key::Recents,
        contract::Key::Enter => Key::Enter,
        contract::Key::Delete => Key::Delete,
        contract::Key::Tab => Key::Tab,
        contract::Key::Escape => Key::Escape,
        contract::Key::VolumeUp => Key::VolumeUp,
        contract::Key::VolumeDown => Key::VolumeDown,
        contract::Key::Power => Key::Power,
        contract::Key::Menu => Key::Menu,
        contract::Key::Search => Key::Search,
    }
}
