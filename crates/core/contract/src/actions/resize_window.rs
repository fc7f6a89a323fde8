//! `resize_window`: sets the size of the page in the window of a browser.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ActionParams,
    facts::{Effect, Found, KindFacts, Requirement, StepFacts},
};
use crate::{limits, params::ParamReader, payload_keys::ParamKey, step_data::StepData};

/// Resizes the window of the tab, so that its page has this size (`innerWidth`, `innerHeight`); on web pages only.
///
/// The size stays for later commands. Other tabs of the same window get it, too.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct ResizeWindow {
    /// The width of the page in CSS pixels.
    #[schemars(range(min = limits::MIN_WINDOW_SIDE, max = limits::MAX_WINDOW_SIDE))]
    pub width: u32,
    /// The height of the page in CSS pixels.
    #[schemars(range(min = limits::MIN_WINDOW_SIDE, max = limits::MAX_WINDOW_SIDE))]
    pub height: u32,
}

impl ActionParams for ResizeWindow {
    const FACTS: KindFacts = KindFacts {
        found,
        ..KindFacts::of(r#"{"width":390,"height":844}"#)
    };

    fn read(reader: &mut ParamReader<'_>) -> Option<Self> {
        let mut side = |key| {
            let side =
                reader.whole_within(key, limits::MIN_WINDOW_SIDE, limits::MAX_WINDOW_SIDE);
            if side.is_absent() {
                reader.refuse_missing(key);
            }
            side.required()
        };
        let (width, height) = (side(ParamKey::Width), side(ParamKey::Height));
        Some(Self {
            width: width?,
            height: height?,
        })
    }

    fn facts(&self) -> StepFacts<'_> {
        let requirement = Requirement::of_pages("type", "only browsers have windows that can be resized");
        StepFacts {
            effects: vec![Effect::ResizeWindow(self.width, self.height)],
            requirements: vec![requirement],
            ..StepFacts::default()
        }
    }
}

fn found(data: &StepData) -> Option<Found<'_>> {
    data.get("size").map(Found::Outcome)
}
