//! Pagers that come to rest page by page.

use std::time::Duration;

use super::fling::Fling;

/// How long the content takes for an inch while it comes to rest, and for how much of it a page counts at most.
const MILLIS_PER_INCH: f64 = 100.0;
const PAGE_MILLIS: f64 = 100.0;

/// What the slowing down adds to the time.
const DECELERATION: f64 = 0.3356;

/// Where a pager with these `stops` comes to rest when the finger leaves it at `velocity` pixels a second: at the nearest
/// page, or after a throw at the next or the one before, however fast.
pub fn snap_target(stops: &[f32], offset: f32, velocity: f64, density: f32) -> f32 {
    let stops = stops.iter().copied();
    let stop = match Fling::of(velocity, density) {
        Some(_) if velocity > 0.0 => stops
            .filter(|stop| stop - offset > 0.5)
            .min_by(f32::total_cmp),
        Some(_) => stops
            .filter(|stop| offset - stop > 0.5)
            .max_by(f32::total_cmp),
        None => stops.min_by(|a, b| (a - offset).abs().total_cmp(&(b - offset).abs())),
    };
    stop.unwrap_or(offset)
}

/// How long the content takes for this many pixels.
pub fn snap_duration(distance: f64, density: f32) -> Duration {
    let inches = distance.abs() / (f64::from(density) * 160.0);
    let millis = (inches * MILLIS_PER_INCH).min(PAGE_MILLIS);
    Duration::from_millis((millis / DECELERATION).ceil() as u64)
}
