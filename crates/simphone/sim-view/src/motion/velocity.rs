//! How fast a finger moves, by where it was in the last tenth of a second.

use std::collections::VecDeque;
use std::time::Duration;

use uitree::Point;

/// How far back places of the finger count.
const HORIZON: Duration = Duration::from_millis(100);

/// A finger that was not heard of for so long has stopped.
const STOPPED: Duration = Duration::from_millis(40);

/// How many places are kept.
const MOST: usize = 20;

/// Where a finger was, and when.
#[derive(Debug, Default)]
pub struct Track {
    places: VecDeque<(Duration, Point)>,
}

impl Track {
    /// The finger is here now.
    pub fn add(&mut self, now: Duration, at: Point) {
        match self.places.back_mut() {
            // Of two places at one moment the later one counts.
            Some(last) if last.0 == now => last.1 = at,
            _ => self.places.push_back((now, at)),
        }
        if self.places.len() > MOST {
            self.places.pop_front();
        }
    }

    /// Pixels a second to the right and down.
    pub fn velocity(&self, now: Duration) -> (f64, f64) {
        let Some((last, _)) = self.places.back() else {
            return (0.0, 0.0);
        };
        if now.saturating_sub(*last) > STOPPED {
            return (0.0, 0.0);
        }
        let mut places = Vec::new();
        let mut after = *last;
        for (at, point) in self.places.iter().rev() {
            if last.saturating_sub(*at) > HORIZON || after.saturating_sub(*at) > STOPPED {
                break;
            }
            after = *at;
            places.push((-last.saturating_sub(*at).as_secs_f64(), *point));
        }
        let along = |axis: fn(&Point) -> i32| {
            let of_axis = |(time, point): &(f64, Point)| (*time, f64::from(axis(point)));
            slope(&places.iter().map(of_axis).collect::<Vec<_>>())
        };
        (along(|point| point.x), along(|point| point.y))
    }
}

/// The slope at time 0 of the parabola that fits the places best, as the platform tells it; of two places, that of the
/// line through them.
fn slope(places: &[(f64, f64)]) -> f64 {
    let count = places.len() as f64;
    // Taken from their mean, the sums stay small enough to be exact.
    let mean = places.iter().map(|(_, y)| y).sum::<f64>() / count.max(1.0);
    let mut t = [0.0; 5];
    let mut y = [0.0; 3];
    for (time, place) in places {
        let mut power = 1.0;
        for (order, sum) in t.iter_mut().enumerate() {
            *sum += power;
            if let Some(sum) = y.get_mut(order) {
                *sum += power * (place - mean);
            }
            power *= time;
        }
    }
    let [n, t1, t2, t3, t4] = t;
    let [y0, y1, y2] = y;
    let whole = determinant([n, t1, t2], [t1, t2, t3], [t2, t3, t4]);
    if places.len() > 2 && whole.abs() > 1e-18 {
        return determinant([n, y0, t2], [t1, y1, t3], [t2, y2, t4]) / whole;
    }
    let line = n * t2 - t1 * t1;
    if line.abs() > 1e-12 {
        (n * y1 - t1 * y0) / line
    } else {
        0.0
    }
}

fn determinant(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(places: &[(u64, i32)]) -> Track {
        let mut track = Track::default();
        for (at, y) in places {
            track.add(Duration::from_millis(*at), Point::new(7, *y));
        }
        track
    }

    fn down(places: &[(u64, i32)], now: u64) -> f64 {
        track(places).velocity(Duration::from_millis(now)).1.round()
    }

    #[test]
    fn a_steady_finger_has_the_speed_that_it_moves_with() {
        let steady: Vec<_> = (0..20_i32).map(|n| (n as u64 * 16, n * 32)).collect();
        assert_eq!(down(&steady, 304), 2000.0);
        assert_eq!(track(&steady).velocity(Duration::from_millis(304)).0, 0.0);
        assert_eq!(down(&[(0, 0), (10, -30)], 10), -3000.0);
    }

    #[test]
    fn a_finger_that_rests_before_it_leaves_is_slow() {
        let steady = [(0, 0), (16, 40), (32, 80)];
        assert_eq!(down(&steady, 72), 2500.0);
        assert_eq!(down(&steady, 73), 0.0);
        assert_eq!(down(&[(0, 0), (16, 40), (32, 80), (100, 80)], 100), 0.0);
        assert_eq!(down(&[], 0), 0.0);
    }

    #[test]
    fn a_finger_that_becomes_faster_has_the_speed_of_its_end() {
        let faster: Vec<_> = (0..6_i32).map(|n| (n as u64 * 16, n * n * 4)).collect();
        assert_eq!(down(&faster, 80), 2500.0);
    }
}
