//! Outlines as chains of straight pieces, and the exact share of each pixel they enclose.

use super::geometry::{on_circle, to_coverage};
use super::surface::Mask;

/// A point in the outline's own unit.
pub(super) type Spot = (f32, f32);

/// How far a straight piece may stray from the curve it represents.
const STRAY: f32 = 0.04;

/// The most pieces one curve is cut into.
const MOST_PIECES: f32 = 48.0;

/// One or more chains of points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outline {
    chains: Vec<Vec<Spot>>,
}

impl Outline {
    /// Starts a new chain.
    pub(super) fn move_to(&mut self, to: Spot) {
        self.chains.push(vec![to]);
    }

    /// Goes straight on.
    pub(super) fn line_to(&mut self, to: Spot) {
        if let Some(chain) = self.chains.last_mut() {
            chain.push(to);
        }
    }

    /// Goes on along a curve with one control point.
    pub(super) fn quad_to(&mut self, control: Spot, to: Spot) {
        let from = self.last();
        let bend = bend(from, control, to);
        let pieces = pieces(bend / 4.0);
        for step in 1..=pieces {
            let t = step as f32 / pieces as f32;
            let u = 1.0 - t;
            let along = |a: f32, b: f32, c: f32| u * u * a + 2.0 * u * t * b + t * t * c;
            self.line_to((
                along(from.0, control.0, to.0),
                along(from.1, control.1, to.1),
            ));
        }
    }

    /// Goes on along a curve with two control points.
    pub(super) fn cubic_to(&mut self, first: Spot, second: Spot, to: Spot) {
        let from = self.last();
        let bend = bend(from, first, second).max(bend(first, second, to));
        let pieces = pieces(bend * 0.75);
        for step in 1..=pieces {
            let t = step as f32 / pieces as f32;
            let u = 1.0 - t;
            let along = |a: f32, b: f32, c: f32, d: f32| {
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            self.line_to((
                along(from.0, first.0, second.0, to.0),
                along(from.1, first.1, second.1, to.1),
            ));
        }
    }

    /// Goes on along a circle between two angles, clockwise from twelve o'clock when growing;
    /// a chain is begun when there is none.
    pub(super) fn arc_to(&mut self, center: Spot, radius: f32, start: f32, end: f32) {
        let turn = (end - start).abs() / 360.0;
        let pieces = ((radius.max(0.1) / STRAY).sqrt() * 2.3 * turn)
            .ceil()
            .clamp(1.0, 720.0) as usize;
        for step in 0..=pieces {
            let (x, y) = on_circle(start + (end - start) * step as f32 / pieces as f32);
            let spot = (center.0 + x * radius, center.1 + y * radius);
            if self.chains.is_empty() {
                self.move_to(spot);
            } else {
                self.line_to(spot);
            }
        }
    }

    /// Joins the last chain's end to its beginning.
    pub(super) fn close(&mut self) {
        if let Some(first) = self.chains.last().and_then(|chain| chain.first()).copied() {
            self.line_to(first);
        }
    }

    /// The outline with each point put elsewhere.
    pub(super) fn mapped(mut self, to: impl Fn(Spot) -> Spot) -> Self {
        for spot in self.chains.iter_mut().flatten() {
            *spot = to(*spot);
        }
        self
    }

    /// The outline moved.
    pub(super) fn moved(self, by: Spot) -> Self {
        self.mapped(|(x, y)| (x + by.0, y + by.1))
    }

    /// Every straight piece.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (Spot, Spot)> + '_ {
        self.chains.iter().flat_map(|chain| {
            let single = match chain.as_slice() {
                [only] => Some((*only, *only)),
                _ => None,
            };
            single
                .into_iter()
                .chain(chain.iter().copied().zip(chain.iter().skip(1).copied()))
        })
    }

    /// The smallest box around it as left, top, right, bottom; nothing without points.
    pub(super) fn extent(&self) -> Option<(f32, f32, f32, f32)> {
        let mut spots = self.chains.iter().flatten();
        let (x, y) = *spots.next()?;
        Some(spots.fold((x, y, x, y), |(l, t, r, b), (x, y)| {
            (l.min(*x), t.min(*y), r.max(*x), b.max(*y))
        }))
    }

    /// The share of each pixel inside the outline; chains are taken as closed, and a chain that
    /// runs the other way inside another one cuts a hole.
    pub(super) fn filled(&self, width: usize, height: usize) -> Mask {
        let mut sums = Sums {
            width,
            height,
            cells: vec![0.0; (width + 1) * height],
        };
        for chain in &self.chains {
            let shifted = chain.iter().skip(1).chain(chain.first());
            for (from, to) in chain.iter().zip(shifted) {
                sums.add(*from, *to);
            }
        }
        sums.into_mask()
    }

    fn last(&self) -> Spot {
        self.chains
            .last()
            .and_then(|chain| chain.last())
            .copied()
            .unwrap_or_default()
    }
}

/// How far the middle point strays from the straight way, doubled.
fn bend(a: Spot, b: Spot, c: Spot) -> f32 {
    let (x, y) = (a.0 - 2.0 * b.0 + c.0, a.1 - 2.0 * b.1 + c.1);
    (x * x + y * y).sqrt()
}

/// Pieces needed for a curve that strays by `stray` when drawn as one piece.
fn pieces(stray: f32) -> usize {
    (stray / STRAY).sqrt().ceil().clamp(1.0, MOST_PIECES) as usize
}

/// For each pixel, what the outline's pieces add to the share of it and of all pixels to its
/// right; summed along a row these become the shares themselves.
struct Sums {
    width: usize,
    height: usize,
    cells: Vec<f32>,
}

impl Sums {
    /// Takes in one straight piece, row by row.
    fn add(&mut self, from: Spot, to: Spot) {
        if from.1 == to.1 || !(from.0 + from.1 + to.0 + to.1).is_finite() {
            return;
        }
        let (top, bottom, sign) = if from.1 < to.1 {
            (from, to, 1.0)
        } else {
            (to, from, -1.0)
        };
        let slope = (bottom.0 - top.0) / (bottom.1 - top.1);
        let first = top.1.max(0.0) as usize;
        let last = (bottom.1.ceil().max(0.0) as usize).min(self.height);
        for row in first..last {
            let y0 = top.1.max(row as f32);
            let y1 = bottom.1.min((row + 1) as f32);
            if y0 < y1 {
                let x0 = top.0 + (y0 - top.1) * slope;
                let x1 = top.0 + (y1 - top.1) * slope;
                self.add_in_row(row, (x0, x1), (y1 - y0) * sign);
            }
        }
    }

    /// Takes in the part of a piece within one row, column by column. `rise` is its height.
    fn add_in_row(&mut self, row: usize, (x0, x1): (f32, f32), rise: f32) {
        let limit = self.width as f32;
        let (left, right) = (x0.min(x1).clamp(0.0, limit), x0.max(x1).clamp(0.0, limit));
        let first = left as usize;
        if right <= (first + 1) as f32 {
            return self.add_in_cell(row, first, (left + right) / 2.0, rise);
        }
        let share = rise / (right - left);
        let mut from = left;
        let mut column = first;
        while from < right {
            let to = right.min((column + 1) as f32);
            self.add_in_cell(row, column, (from + to) / 2.0, (to - from) * share);
            from = to;
            column += 1;
        }
    }

    /// Takes in a part within one cell; `x` is its middle.
    fn add_in_cell(&mut self, row: usize, column: usize, x: f32, rise: f32) {
        let at = row * (self.width + 1) + column;
        let beyond = rise * (x - column as f32);
        if let Some(cell) = self.cells.get_mut(at) {
            *cell += rise - beyond;
        }
        // The extra cell at the end of each row takes what is right of the mask.
        if column < self.width
            && let Some(cell) = self.cells.get_mut(at + 1)
        {
            *cell += beyond;
        }
    }

    fn into_mask(self) -> Mask {
        let mut coverage = Vec::with_capacity(self.width * self.height);
        for row in self.cells.chunks_exact(self.width + 1) {
            let mut sum = 0.0_f32;
            for cell in row.iter().take(self.width) {
                sum += cell;
                coverage.push(to_coverage(sum.abs()));
            }
        }
        Mask {
            width: self.width,
            height: self.height,
            coverage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(chains: &[&[Spot]]) -> Outline {
        Outline {
            chains: chains.iter().map(|chain| chain.to_vec()).collect(),
        }
    }

    #[test]
    fn a_square_covers_its_share_of_each_pixel() {
        let square = outline(&[&[(0.5, 0.0), (2.0, 0.0), (2.0, 1.5), (0.5, 1.5)]]);
        let mask = square.filled(3, 2);
        assert_eq!(mask.coverage, [128, 255, 0, 64, 128, 0]);
    }

    #[test]
    fn a_slope_halves_the_pixels_it_crosses() {
        let triangle = outline(&[&[(0.0, 0.0), (4.0, 4.0), (0.0, 4.0)]]);
        let mask = triangle.filled(4, 4);
        for (at, coverage) in mask.coverage.iter().enumerate() {
            let expected = match (at % 4).cmp(&(at / 4)) {
                std::cmp::Ordering::Less => 255,
                std::cmp::Ordering::Equal => 128,
                std::cmp::Ordering::Greater => 0,
            };
            assert_eq!(*coverage, expected, "pixel {at}");
        }
    }

    #[test]
    fn a_flat_slope_crosses_many_columns() {
        let triangle = outline(&[&[(0.0, 0.0), (4.0, 1.0), (0.0, 1.0)]]);
        assert_eq!(triangle.filled(4, 1).coverage, [223, 159, 96, 32]);
    }

    #[test]
    fn an_inner_chain_the_other_way_is_a_hole() {
        let ring = outline(&[
            &[(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0)],
            &[(1.0, 1.0), (1.0, 2.0), (2.0, 2.0), (2.0, 1.0)],
        ]);
        let coverage = ring.filled(3, 3).coverage;
        assert_eq!(coverage, [255, 255, 255, 255, 0, 255, 255, 255, 255]);
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let large = outline(&[&[(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)]]);
        assert_eq!(large.filled(2, 2).coverage, [255; 4]);
        let beside = outline(&[&[(5.0, 0.0), (9.0, 0.0), (9.0, 9.0), (5.0, 9.0)]]);
        assert_eq!(beside.filled(2, 2).coverage, [0; 4]);
        let broken = outline(&[&[(f32::NAN, 0.0), (f32::INFINITY, 2.0), (0.0, 2.0)]]);
        assert_eq!(broken.filled(2, 2).coverage.len(), 4);
    }

    #[test]
    fn curves_end_where_they_should() {
        let mut curve = Outline::default();
        curve.move_to((0.0, 0.0));
        curve.quad_to((10.0, 0.0), (10.0, 10.0));
        curve.cubic_to((10.0, 20.0), (0.0, 20.0), (0.0, 10.0));
        curve.close();
        assert_eq!(
            curve.extent().map(|(l, t, r, _)| (l, t, r)),
            Some((0.0, 0.0, 10.0))
        );
        assert_eq!(curve.last(), (0.0, 0.0));
        assert!(curve.pieces().count() > 10);
    }
}
