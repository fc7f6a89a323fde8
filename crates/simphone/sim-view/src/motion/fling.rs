//! Distance and duration of flings.

use std::time::Duration;

/// The inflexion point of the fling curve.
const INFLEXION: f64 = 0.35;

/// Deceleration in dp/s²: friction 0.015, gravity 9.80665 m/s², 39.37 inches per metre, 160 dp per inch, factor 0.84.
const BRAKE: f64 = 0.015 * 9.806_65 * 39.37 * 160.0 * 0.84;

/// Minimum and maximum fling velocity in dp/s.
const SLOWEST: f64 = 50.0;
const FASTEST: f64 = 8000.0;

/// The distance and duration of a fling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fling {
    /// Signed distance in pixels.
    pub distance: f64,
    pub duration: Duration,
}

impl Fling {
    /// Returns the fling that starts at `velocity` pixels/s; `None` if it is too slow.
    pub fn new(velocity: f64, density: f32) -> Option<Self> {
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

/// Computes `x` to the power of 754/1024 (0.736) with square roots, which round identically on every machine, unlike
/// logarithms.
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
    fn fling_at_2000_pixels_per_second_moves_320_pixels_in_half_a_second() {
        let fling = Fling::new(2000.0, 2.625).unwrap();
        assert_eq!(
            (fling.distance.round(), fling.duration.as_millis()),
            (318.0, 454)
        );
        let back = Fling::new(-2000.0, 2.625).unwrap();
        assert_eq!(back.distance, -fling.distance);
    }

    #[test]
    fn slow_movement_does_not_fling_and_fast_velocity_is_limited() {
        assert_eq!(Fling::new(131.0, 2.625), None);
        assert!(Fling::new(132.0, 2.625).is_some());
        assert_eq!(Fling::new(21_000.0, 2.625), Fling::new(1e9, 2.625));
    }

    #[test]
    fn power_approximates_powf() {
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
