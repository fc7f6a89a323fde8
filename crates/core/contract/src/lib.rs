//! The contract: the execution payload, its validation, results, errors, schemas.
//!
//! This crate is pure: no device, no IO, no clock.
//!
//! The entry point is [`Execution::parse`]: it takes JSON text and returns a validated plan, or [`Invalid`]
//! with every broken rule. The plan is canonical, whatever spellings the input used.
#![warn(missing_docs)]

mod action;
pub mod actions;
mod answer;
mod chord;
mod condition;
mod coordinate;
mod error;
mod execution;
mod inspection;
mod interrupts;
mod invalid;
mod json;
mod key_suggestions;
pub mod limits;
mod matcher;
mod number;
mod operation;
mod params;
mod payload_keys;
mod place;
mod plan_warnings;
mod printed;
mod problem;
mod read;
pub mod recording;
pub mod reference;
mod responses;
mod result;
mod retry;
pub mod schema;
mod step_data;
mod step_summary;
mod suggest;
mod surface_hints;
mod syntax;
mod tab_selector;
mod warning;
mod words;

pub use action::Action;
pub use actions::{
    ActionKind, ClickTarget, DeviceKind, Effect, Params, Performer, Requirement, ReturnedData,
    TextTarget, Validator,
};
pub use answer::{
    DeviceAnswer, DryRunResult, Plan, TerminalSource, Transport, ValidationResult, ViaReason,
    ViaReasonCode,
};
pub use chord::{ChordKey, KeyPress, KeyboardKey, Modifier, Modifiers, NoKey};
pub use condition::{
    Condition, CountCondition, CountTest, StateCondition, TextCondition, TextTest,
};
pub use coordinate::Coordinate;
pub use error::{Details, ErrorBody, ErrorClass, ErrorCode};
pub use escape::{truncate, truncate_input};
pub use execution::{Execution, Overrides, ParsedExecution};
pub use inspection::{
    AttributeRequest, Boundary, ChainLink, InspectRequest, InspectVerdict, InspectedElement,
    Inspection, NearRequest, SelectorCandidate,
};
pub use interrupts::{Interrupt, InterruptAction, InterruptOutcome, InterruptRule};
pub use invalid::Invalid;
pub use json::read as read_json;
pub use matcher::NodeMatcher;
pub use number::{Millis, Ratio, whole_number};
pub use place::Place;
pub use printed::{NameKind, PrintedElement, PrintedName};
pub use problem::Problem;
pub use responses::{ErrorResponse, InspectionResponse, RunResponse};
pub use result::{ResultEnvelope, Status, StepResult, UNSETTLED};
pub use retry::{Retry, RetryParams};
pub use step_data::StepData;
pub use step_summary::{choices, line, lines};
pub use suggest::{nearest as nearest_name, nearest_command, nearest_field, nearest_flag};
pub use surface_hints::Surface;
pub use tab_selector::TabSelector;
pub use warning::{Warning, WarningCode};
pub use words::{
    ClickType, Direction, ExpectedFormat, Key, Mode, Observe, OnFailure, OnMissing, Orientation,
    ScreenView,
};

/// The keys of every object of a payload, with all accepted spellings.
pub mod keys {
    pub use crate::{
        actions::ValidatorName,
        condition::{ConditionField, ConditionKey},
        coordinate::CoordinateKey,
        interrupts::InterruptKey,
        matcher::MatcherKey,
        payload_keys::{ActionKey, ExecutionKey, ParamKey},
        place::PlaceKey,
        retry::RetryKey,
        tab_selector::TabKey,
    };
}
