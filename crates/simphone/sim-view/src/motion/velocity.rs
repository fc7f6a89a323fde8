//! Finger velocity, from the positions of the last 100 ms.

use std::collections::VecDeque;
use std::time::Duration;

use uitree::Point;

/// The age up to which positions count.
const HORIZON: Duration = Duration::from_millis(100);

/// A finger without a new position for this long has stopped.
const STOPPED: Duration = Duration::from_millis(40);

const MAX: usize = 20;

/// The recent positions of a finger.
#[derive(Debug, Default)]
pub struct VelocityTracker {
    places: VecDeque<(Duration, Point)>,
}

impl VelocityTracker {
    /// Records the position of the finger.
    pub fn add(&mut self, now: Duration, at: Point) {
        match self.places.back_mut() {
            // Of two positions at the same time, the later one counts.
            Some(last) if last.0 == now => last.1 = at,
            _ => self.places.push_back((now, at)),
        }
        if self.places.len() > MAX {
            self.places.pop_front();
        }
    }

    /// Returns the velocity in pixels/s, to the right and downwards.
    pub fn velocity(&self, now: Duration) -> (f64, f64) {
        let Some((last, end)) = self.places.back() else {
            return (0.0, 0.0);
        };
        if now.saturating_sub(*last) > STOPPED {
            return (0.0, 0.0);
        }
        let mut first = (*last, *end);
        for (at, point) in self.places.iter().rev() {
            if last.saturating_sub(*at) > HORIZON || first.0.saturating_sub(*at) > STOPPED {
                break;
            }
            first = (*at, *point);
        }
        let seconds = (*last - first.0).as_secs_f64();
        let speed = |from: i32, to: i32| match seconds > 0.0 {
            true => f64::from(to - from) / seconds,
            false => 0.0,
        };
        (speed(first.1.x, end.x), speed(first.1.y, end.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(places: &[(u64, i32)]) -> VelocityTracker {
        let mut track = VelocityTracker::default();
        for (at, y) in places {
            track.add(Duration::from_millis(*at), Point::new(7, *y));
        }
        track
    }

    fn down(places: &[(u64, i32)], now: u64) -> f64 {
        track(places).velocity(Duration::from_millis(now)).1.round()
    }

    #[test]
    fn steady_movement_has_its_velocity() {
        let steady: Vec<_> = (0..20_i32).map(|n| (n as u64 * 16, n * 32)).collect();
        assert_eq!(down(&steady, 304), 2000.0);
        assert_eq!(track(&steady).velocity(Duration::from_millis(304)).0, 0.0);
        assert_eq!(down(&[(0, 0), (10, -30)], 10), -3000.0);
    }

    #[test]
    fn pause_before_release_reduces_velocity() {
        let steady = [(0, 0), (16, 40), (32, 80)];
        assert_eq!(down(&steady, 72), 2500.0);
        assert_eq!(down(&steady, 73), 0.0);
        assert_eq!(down(&[(0, 0), (16, 40), (32, 80), (100, 80)], 100), 0.0);
        assert_eq!(down(&[], 0), 0.0);
    }
}
