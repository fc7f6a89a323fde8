//! What was found, as it is printed.

use contract::{ErrorBody, ErrorCode, Inspection};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What was found, for models and for programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InspectOutput {
    /// For models and people.
    pub text: String,
    /// For programs: the inspection, or the error that says why nobody should act on it.
    pub document: Value,
    /// Whether the first element is what was asked for.
    pub good: bool,
}

impl InspectOutput {
    /// What an inspection comes to.
    ///
    /// # Errors
    /// `INTERNAL_ERROR` when it cannot be written as JSON.
    pub fn of(inspection: &Inspection) -> Result<Self, ErrorBody> {
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
