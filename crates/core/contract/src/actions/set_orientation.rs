//! `set_orientation`: turns the screen of a phone.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{DeviceKind, Effect, Found, KindFacts, Performer, Requirement, StepFacts},
};
use crate::{
    params::ParamReader, payload_keys::ParamKey, step_data::StepData, words::Orientation,
};

/// Turns the screen of a phone, and waits up to 3 s until it is turned; on phones only.
///
/// `data.orientation` is read from the screen. While an app is in front that is made for one orientation alone, the step fails,
/// and the screen turns with the next app. What was set stays for later commands: on phones with our agent until the agent ends,
/// else until `auto`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct SetOrientation {
    /// The orientation; `auto` lets the screen follow how the phone is held.
    pub orientation: Orientation,
}

impl ActionParams for SetOrientation {
    const FACTS: KindFacts = KindFacts {
        performer: Performer::Nowhere,
        foreign_keys: &[(&["rotation", "mode"], ParamKey::Orientation)],
        found,
        ..KindFacts::of(r#"{"orientation":"landscape"}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let orientation = reader.word::<Orientation>(ParamKey::Orientation);
        if orientation.is_absent() {
            reader.refuse_missing(ParamKey::Orientation);
        }
        Some(Self {
            orientation: orientation.required()?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let requirement = Requirement {
            path: "type".to_owned(),
            device: DeviceKind::Phone,
            what: "a page has no orientation; resize_window gives it another size",
        };
        StepFacts {
            effects: vec![Effect::SetOrientation(self.orientation)],
            requirements: vec![requirement],
            ..StepFacts::default()
        }
    }
}

fn found(data: &StepData) -> Option<Found<'_>> {
    data.get("orientation").map(Found::Outcome)
}
