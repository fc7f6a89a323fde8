//! `resize_window`: sets the size of the page in the window of a browser.

use super::prelude::*;

params! {
    |reader|
    /// Resizes the window of the tab, so that its page has this size (`innerWidth`, `innerHeight`); on web pages only.
    ///
    /// The size persists and applies to all tabs of the window.
    pub struct ResizeWindow {
        /// The width of the page in CSS pixels.
        #[schemars(range(min = limits::MIN_WINDOW_SIDE, max = limits::MAX_WINDOW_SIDE))]
        width: u32 = reader.required(ParamKey::Width, read_side),
        /// The height of the page in CSS pixels.
        #[schemars(range(min = limits::MIN_WINDOW_SIDE, max = limits::MAX_WINDOW_SIDE))]
        height: u32 = reader.required(ParamKey::Height, read_side),
    }
}

impl ActionParams for ResizeWindow {
    const FACTS: KindFacts = KindFacts {
        found,
        ..KindFacts::new("width height", r#"{"width":390,"height":844}"#)
    };

    fn facts(&self) -> StepFacts<'_> {
        let requirement = Requirement::of_pages("type", "only browsers have windows that can be resized");
        StepFacts {
            effects: vec![Effect::ResizeWindow(self.width, self.height)],
            requirements: vec![requirement],
            ..StepFacts::default()
        }
    }
}

/// A side of the page.
fn read_side(reader: &mut ParamReader<'_>, key: ParamKey) -> FieldValue<u32> {
    reader.whole_within(key, limits::MIN_WINDOW_SIDE, limits::MAX_WINDOW_SIDE)
}

fn found(data: &StepData) -> Option<ReturnedData<'_>> {
    data.get("size").map(ReturnedData::Outcome)
}
