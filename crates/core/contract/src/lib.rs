//! What may be asked of a device and what it answers: the execution payload, its validation, results, errors, schemas.
//!
//! Everything here is a value or a function of values: no device, no IO, no clock.
//!
//! The one way in is [`Execution::parse`]: it takes JSON text and gives a plan that needs no further
//! checks, or [`Invalid`] with every rule the payload breaks. What comes out is canonical, whatever
//! spellings went in.

mod action;
pub mod actions;
mod answer;
mod coordinate;
mod error;
mod execution;
mod foreign;
mod hint;
mod inspection;
mod invalid;
mod json;
pub mod limits;
mod matcher;
mod number;
mod params;
mod problem;
mod read;
pub mod recording;
pub mod reference;
mod remarks;
mod result;
mod retry;
pub mod schema;
mod served;
mod step_data;
mod suggest;
mod syntax;
mod warning;
mod words;

pub use action::Action;
pub use actions::{ActionKind, ClickTarget, Effect, Found, Params, Performer, Validator};
pub use answer::{DeviceAnswer, Plan, Planned, TerminalSource, Validated, Way};
pub use coordinate::Coordinate;
pub use error::{Details, ErrorBody, ErrorClass, ErrorCode};
pub use execution::{Execution, Instead, Parsed};
pub use hint::Surface;
pub use inspection::{
    AttributeRequest, ChainLink, Entered, InspectRequest, InspectVerdict, Inspected, Inspection,
    NearRequest, SelectorCandidate,
};
pub use invalid::Invalid;
pub use json::read as read_json;
pub use matcher::NodeMatcher;
pub use number::{Millis, Ratio, whole_number};
pub use problem::Problem;
pub use result::{ResultEnvelope, Status, StepResult, UNSETTLED};
pub use retry::{Retry, RetryParams};
pub use served::{Refused, Served, ServedInspection};
pub use step_data::StepData;
pub use suggest::{nearest as nearest_name, nearest_command, nearest_flag};
pub use warning::{Warning, WarningCode};
pub use words::{ClickType, Direction, ExpectedFormat, Key, Mode, OnFailure};

/// The keys of every object of a payload, with all spellings that are accepted.
pub mod keys {
    pub use crate::{
        action::ActionKey, actions::ValidatorName, coordinate::CoordinateKey,
        execution::ExecutionKey, matcher::MatcherKey, params::ParamKey, retry::RetryKey,
    };
}
