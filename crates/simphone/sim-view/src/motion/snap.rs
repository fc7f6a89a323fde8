//! Scrollers that come to rest with a row at an edge, in the middle, or page by page.

use std::time::Duration;

use sim_format::widget::Snap;

use super::fling::Fling;

/// How long the content takes for an inch while it comes to rest, and for how much of it a page counts at most.
const MILLIS_PER_INCH: f64 = 100.0;
const PAGE_MILLIS: f64 = 100.0;

/// What the slowing down adds to the time.
const DECELERATION: f64 = 0.3356;

/// Where content with these `stops` comes to rest when the finger leaves it at `velocity` pixels a second.
pub fn snap_target(snap: Snap, stops: &[f32], offset: f32, velocity: f64, density: f32) -> f32 {
    let fling = Fling::of(velocity, density);
    let nearest = |to: f32| {
        let far = |stop: &&f32| (**stop - to).abs();
        let best = stops.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        best.copied().unwrap_or(to)
    };
    match (snap, fling) {
        (Snap::Page, Some(_)) => {
            let ahead = velocity > 0.0;
            let beyond = stops.iter().copied().filter(|stop| {
                let way = stop - offset;
                if ahead { way > 0.5 } else { way < -0.5 }
            });
            let next = if ahead {
                beyond.min_by(f32::total_cmp)
            } else {
                beyond.max_by(f32::total_cmp)
            };
            next.unwrap_or(offset)
        }
        (_, Some(fling)) => nearest(offset + fling.distance as f32),
        (_, None) => nearest(offset),
    }
}

/// How long the content takes for this many pixels.
pub fn snap_duration(snap: Snap, distance: f64, density: f32) -> Duration {
    let inches = distance.abs() / (f64::from(density) * 160.0);
    let millis = match snap {
        Snap::Page => (inches * MILLIS_PER_INCH).min(PAGE_MILLIS),
        Snap::Start | Snap::Center => inches * MILLIS_PER_INCH,
    };
    Duration::from_millis((millis / DECELERATION).ceil() as u64)
}
