//! Animation interpolators, with operations that round identically on every machine.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    Smooth,
    Decelerate,
    /// The cubic spline of Android's fling.
    Fling,
}

/// Time coordinates of the inner control points of the fling's spline.
const FLING_TIME: [f64; 2] = [0.175, 0.35];

/// Distance coordinates of the inner control points.
const FLING_WAY: [f64; 2] = [0.5, 1.0];

impl Curve {
    /// Returns the fraction of the distance at a fraction of the time.
    pub fn at(self, time: f64) -> f64 {
        let time = time.clamp(0.0, 1.0);
        match self {
            Curve::Smooth => time * time * (3.0 - 2.0 * time),
            Curve::Decelerate => 1.0 - (1.0 - time) * (1.0 - time),
            Curve::Fling => {
                if time >= 1.0 {
                    return 1.0;
                }
                // The spline gives time and distance as functions of a parameter, which is found by bisection.
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

/// Evaluates a cubic from 0 to 1 with two inner control points.
fn cubic([a, b]: [f64; 2], x: f64) -> f64 {
    let rest = 1.0 - x;
    3.0 * x * rest * (rest * a + x * b) + x * x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_monotonic_from_0_to_1() {
        for curve in [Curve::Smooth, Curve::Decelerate, Curve::Fling] {
            assert_eq!((curve.at(-1.0), curve.at(2.0)), (0.0, 1.0), "{curve:?}");
            let way: Vec<f64> = (0..=1000)
                .map(|n| curve.at(f64::from(n) / 1000.0))
                .collect();
            assert!(
                way.windows(2).all(|pair| pair[0] <= pair[1]),
                "{curve:?} decreases"
            );
        }
    }

    #[test]
    fn fling_starts_fast() {
        let way = |time| (Curve::Fling.at(time) * 1000.0).round();
        assert_eq!(
            [way(0.1), way(0.25), way(0.5), way(0.75)],
            [274.0, 584.0, 858.0, 971.0]
        );
    }
}
