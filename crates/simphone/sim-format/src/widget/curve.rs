//! How a value goes from one end to the other: interpolators without functions that machines round differently.

/// The course of a change over its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// Slow at both ends.
    Smooth,
    /// Fast at first, then slower and slower.
    Decelerate,
    /// Content that was thrown: the cubic with which the platform's scroller runs out.
    Fling,
}

/// Where the two inner points of the fling's cubic are in time.
const FLING_TIME: [f64; 2] = [0.175, 0.35];

/// Where they are along the way.
const FLING_WAY: [f64; 2] = [0.5, 1.0];

impl Curve {
    /// The share of the way at a share of the time, both from 0 to 1.
    pub fn at(self, time: f64) -> f64 {
        let time = time.clamp(0.0, 1.0);
        match self {
            Curve::Smooth => time * time * (3.0 - 2.0 * time),
            Curve::Decelerate => 1.0 - (1.0 - time) * (1.0 - time),
            Curve::Fling => {
                if time >= 1.0 {
                    return 1.0;
                }
                // The cubic gives time and way as functions of a third thing, which is found by halving.
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..40 {
                    let middle = (low + high) / 2.0;
                    if cubic(FLING_TIME, middle) < time {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                cubic(FLING_WAY, low)
            }
        }
    }
}

/// A cubic from 0 to 1 with two points between them.
fn cubic([a, b]: [f64; 2], x: f64) -> f64 {
    let rest = 1.0 - x;
    3.0 * x * rest * (rest * a + x * b) + x * x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_runs_from_end_to_end_and_never_back() {
        for curve in [Curve::Smooth, Curve::Decelerate, Curve::Fling] {
            assert_eq!((curve.at(-1.0), curve.at(2.0)), (0.0, 1.0), "{curve:?}");
            let way: Vec<f64> = (0..=1000)
                .map(|n| curve.at(f64::from(n) / 1000.0))
                .collect();
            assert!(
                way.windows(2).all(|pair| pair[0] <= pair[1]),
                "{curve:?} runs back"
            );
        }
    }

    #[test]
    fn a_fling_is_fast_at_first() {
        let way = |time| (Curve::Fling.at(time) * 1000.0).round();
        assert_eq!(
            [way(0.1), way(0.25), way(0.5), way(0.75)],
            [274.0, 584.0, 858.0, 971.0]
        );
    }
}
