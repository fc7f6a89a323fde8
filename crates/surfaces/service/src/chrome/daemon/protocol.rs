//! The protocol between commands and the daemon: one line of JSON for each message. A command may send a stop order instead.

use std::time::Duration;

use contract::{Action, DeviceAnswer, ErrorBody, Execution, StepResult, Warning};
use serde::{Deserialize, Serialize};

use crate::Event;
use crate::inspect::{InspectOutput, Target};

/// The request of a command.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) secret: String,
    pub(super) device: String,
    pub(super) execution: Execution,
    /// Warnings from parsing the plan.
    pub(super) warnings: Vec<Warning>,
    pub(super) task: Task,
}

/// What to do with the plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    Run,
    /// Run it and find an element on the screen that it shows.
    Find(Target),
}

/// A message of the daemon: events of the run, then its outcome.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    Started {
        index: usize,
        of: usize,
        action: Box<Action>,
    },
    Ended {
        index: usize,
        of: usize,
        result: Box<StepResult>,
        elapsed: Option<Duration>,
    },
    Answer(Box<DeviceAnswer>),
    Found(Box<InspectOutput>),
    Failed(Box<ErrorBody>),
}

impl Reply {
    /// The message for an event.
    pub(super) fn from_event(event: &Event<'_>) -> Self {
        match *event {
            Event::StepStarted { index, of, action } => Self::Started {
                index,
                of,
                action: Box::new(action.clone()),
            },
            Event::StepEnded {
                index,
                of,
                result,
                elapsed,
            } => Self::Ended {
                index,
                of,
                result: Box::new(result.clone()),
                elapsed,
            },
        }
    }

    /// The event, if it is one.
    pub(super) fn event(&self) -> Option<Event<'_>> {
        match self {
            Self::Started { index, of, action } => Some(Event::StepStarted {
                index: *index,
                of: *of,
                action,
            }),
            Self::Ended {
                index,
                of,
                result,
                elapsed,
            } => Some(Event::StepEnded {
                index: *index,
                of: *of,
                result,
                elapsed: *elapsed,
            }),
            Self::Answer(_) | Self::Found(_) | Self::Failed(_) => None,
        }
    }
}
