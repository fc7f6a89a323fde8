//! What commands and the process that stays say to each other: a line of JSON for each thing that is said.

use std::time::Duration;

use contract::{Action, DeviceAnswer, ErrorBody, Execution, StepResult, Warning};
use serde::{Deserialize, Serialize};

use crate::Event;
use crate::inspect::{InspectOutput, Target};

/// What a command says, once, at the beginning.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Command {
    /// To drive a page.
    Drive(Box<RunOrder>),
    /// To end: the command was started in other surroundings.
    End { secret: String },
}

/// What is to be done.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RunOrder {
    pub(super) secret: String,
    pub(super) device: String,
    pub(super) execution: Execution,
    /// Remarks about how the plan was written.
    pub(super) warnings: Vec<Warning>,
    pub(super) task: Task,
}

/// What is done with the plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// It is run.
    Run,
    /// An element is looked for, or named, on the screen that it shows.
    Find(Target),
}

/// What the process that stays says: moments of the run, and at the end what came of it.
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
    /// A moment of a run.
    pub(super) fn moment(event: &Event<'_>) -> Self {
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

    /// The moment of a run that it tells of, if it is one.
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
