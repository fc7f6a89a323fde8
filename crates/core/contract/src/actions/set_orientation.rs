//! `set_orientation`: turns the screen of a phone.

use super::prelude::*;

params! {
    |reader|
    /// Turns the screen of a phone, and waits up to 3 s until it is turned; on phones only.
    ///
    /// `data.orientation` is read from the screen. While an app is in front that is made for one orientation alone, the step fails,
    /// and the screen turns with the next app. What was set stays for later commands: on phones with our agent until the agent ends,
    /// else until `auto`.
    pub struct SetOrientation {
        /// The orientation; `auto` lets the screen follow how the phone is held.
        orientation: Orientation = reader.required(ParamKey::Orientation, ParamReader::word::<Orientation>),
    }
}

impl ActionParams for SetOrientation {
    const FACTS: KindFacts = KindFacts {
        performer: Performer::Nowhere,
        foreign_keys: &[(&["rotation", "mode"], ParamKey::Orientation)],
        found,
        ..KindFacts::new("orientation=portrait|landscape|auto", r#"{"orientation":"landscape"}"#)
    };

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

fn found(data: &StepData) -> Option<ReturnedData<'_>> {
    data.get("orientation").map(ReturnedData::Outcome)
}
