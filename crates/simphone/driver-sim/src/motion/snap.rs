//! Scrollers that come to rest with a row at an edge, in the middle, or page by page.

use std::time::Duration;

use crate::layout::{Scene, ScrollBox};

use super::fling::Fling;

/// Where a scroller comes to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Snap {
    /// With a row at its beginning.
    Start,
    /// With a row in its middle.
    Center,
    /// With a row at its beginning, the next or the one before after a throw, however fast.
    Page,
}

/// The words of the app format.
pub(crate) const SNAPS: [(&str, Snap); 3] = [
    ("start", Snap::Start),
    ("center", Snap::Center),
    ("page", Snap::Page),
];

/// How long the content takes for an inch while it comes to rest, and for how much of it a page counts at most.
const MILLIS_PER_INCH: f64 = 100.0;
const PAGE_MILLIS: f64 = 100.0;

/// What the slowing down adds to the time.
const DECELERATION: f64 = 0.3356;

impl Snap {
    /// Where the content comes to rest when the finger leaves it at `velocity` pixels a second.
    pub(crate) fn target(
        self,
        scene: &Scene,
        scroll: &ScrollBox,
        velocity: f64,
        density: f32,
    ) -> f32 {
        let stops = scene.stops(scroll, self);
        let fling = Fling::of(velocity, density);
        let nearest = |to: f32| {
            let far = |stop: &&f32| (**stop - to).abs();
            let best = stops.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
            best.copied().unwrap_or(to)
        };
        match (self, fling) {
            (Snap::Page, Some(_)) => {
                let ahead = velocity > 0.0;
                let beyond = stops.iter().copied().filter(|stop| {
                    let way = stop - scroll.offset;
                    if ahead { way > 0.5 } else { way < -0.5 }
                });
                let next = if ahead {
                    beyond.min_by(f32::total_cmp)
                } else {
                    beyond.max_by(f32::total_cmp)
                };
                next.unwrap_or(scroll.offset)
            }
            (_, Some(fling)) => nearest(scroll.offset + fling.distance as f32),
            (_, None) => nearest(scroll.offset),
        }
    }

    /// How long the content takes for this many pixels.
    pub(crate) fn duration(self, distance: f64, density: f32) -> Duration {
        let inches = distance.abs() / (f64::from(density) * 160.0);
        let millis = match self {
            Snap::Page => (inches * MILLIS_PER_INCH).min(PAGE_MILLIS),
            Snap::Start | Snap::Center => inches * MILLIS_PER_INCH,
        };
        Duration::from_millis((millis / DECELERATION).ceil() as u64)
    }
}
