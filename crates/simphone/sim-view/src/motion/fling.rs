//! How far and how long content runs on after it was thrown.

use std::time::Duration;

/// How much of the way a fling would come at its first speed.
const INFLEXION: f64 = 0.35;

/// Friction times the pull of the earth, in density-independent pixels: 0.015 of 9.80665 m/s², 39.37 inches to the
/// metre, 160 pixels to the inch, and 0.84 as the feel of it.
const BRAKE: f64 = 0.015 * 9.806_65 * 39.37 * 160.0 * 0.84;

/// The slowest speed that throws content and the fastest one there is, in density-independent pixels a second.
const SLOWEST: f64 = 50.0;
const FASTEST: f64 = 8000.0;

/// The way and the time of content that was thrown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fling {
    /// Pixels, in the direction of the throw.
    pub distance: f64,
    pub duration: Duration,
}

impl Fling {
    /// The fling of content that moves at `velocity` pixels a second; `None` when it is too slow to run on.
    pub fn of(velocity: f64, density: f32) -> Option<Self> {
        let density = f64::from(density);
        let speed = (velocity.abs() / density).min(FASTEST);
        if speed < SLOWEST {
            return None;
        }
        let seconds = power(INFLEXION * speed / BRAKE);
        let distance = INFLEXION * speed * density * seconds;
        Some(Self {
            distance: distance.copysign(velocity),
            duration: Duration::from_millis((seconds * 1000.0).round() as u64),
        })
    }
}

/// `x` to the power of 0.736: the share that makes a fling of the double speed last two thirds longer. The power is
/// taken in roots, 754 parts of 1024, because square roots are rounded alike on every machine and logarithms are not.
fn power(x: f64) -> f64 {
    const PARTS: u32 = 754;
    let mut root = x;
    let mut product = 1.0;
    for bit in (0..10).rev() {
        root = root.sqrt();
        if PARTS & (1 << bit) != 0 {
            product *= root;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fling_of_two_thousand_pixels_a_second_runs_320_pixels_in_half_a_second() {
        let fling = Fling::of(2000.0, 2.625).unwrap();
        assert_eq!(
            (fling.distance.round(), fling.duration.as_millis()),
            (318.0, 454)
        );
        let back = Fling::of(-2000.0, 2.625).unwrap();
        assert_eq!(back.distance, -fling.distance);
    }

    #[test]
    fn what_is_slow_does_not_run_and_what_is_fast_has_a_limit() {
        assert_eq!(Fling::of(131.0, 2.625), None);
        assert!(Fling::of(132.0, 2.625).is_some());
        assert_eq!(Fling::of(21_000.0, 2.625), Fling::of(1e9, 2.625));
    }

    #[test]
    fn the_power_is_that_of_the_platform_within_a_thousandth() {
        for (x, power_of_x) in [
            (0.0225, 0.061_21),
            (0.3426, 0.454_5),
            (1.0, 1.0),
            (3.6, 2.567),
        ] {
            let error: f64 = power(x) / power_of_x - 1.0;
            assert!(error.abs() < 0.002, "{x}: {} not {power_of_x}", power(x));
        }
    }
}
