//! The printed form of an inspection.

use contract::{ErrorBody, ErrorCode, Inspection};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An inspection in two forms, for models and for programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InspectOutput {
    /// Text for models and people.
    pub text: String,
    /// JSON for programs: the inspection, or the error that says why not to act on it.
    pub document: Value,
    /// Whether the first element is the requested one.
    pub good: bool,
}

impl InspectOutput {
    /// The output of an inspection.
    pub fn new(inspection: &Inspection) -> Result<Self, ErrorBody> {
        let refusal = inspection.refusal();
        let document = match &refusal {
            None => serde_json::to_value(inspection),
            Some(error) => serde_json::to_value(error),
        };
        let document = document
            .map_err(|error| ErrorBody::new(ErrorCode::InternalError, error.to_string()))?;
        Ok(Self {
            text: inspection.to_text(),
            document,
            good: refusal.is_none(),
        })
    }
}
