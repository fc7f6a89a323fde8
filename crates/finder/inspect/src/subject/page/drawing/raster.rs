//! Rasterizes SVG paths.

use kurbo::{BezPath, PathEl, Point, Shape};

/// Cells on each side.
pub(super) const SIDE: usize = 24;
/// Margin in cells.
const MARGIN: f64 = 1.0;
/// Line width relative to the longer side.
const WIDTH: f64 = 0.1;
/// Samples per cell on each axis.
const FINE: usize = 2;
/// Tolerance of flattening in cells.
const EVEN: f64 = 0.15;
/// Maximum number of lines of an icon.
const MAX_RUNS: usize = 3_000;
/// Share of a cell that a blur keeps.
const BLUR_CENTER_SHARE: f32 = 0.5;
/// Number of blurs.
const BLURS: usize = 2;

const POINTS: usize = SIDE * FINE;

/// Coverage of each cell, blurred.
#[derive(Clone, Debug)]
pub(super) struct Raster([f32; SIDE * SIDE]);

/// Fill rule of SVG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum FillRule {
    #[default]
    NonZero,
    EvenOdd,
}

/// Polylines of a path.
type Runs = Vec<Vec<Point>>;

impl Raster {
    /// Rasterizes a stroked path, scaled to fit; `None` if it draws nothing.
    pub(super) fn from_stroke(path: &str) -> Option<Self> {
        let (runs, scale) = flatten(path, WIDTH)?;
        let reach = WIDTH / 2.0 * scale * FINE as f64;
        let mut seen = vec![false; POINTS * POINTS];
        for run in &runs {
            for pair in run.windows(2) {
                if let &[from, to] = pair {
                    draw(&mut seen, from, to, reach);
                }
            }
        }
        Some(Self::from_points(&seen))
    }

    /// Rasterizes a filled path.
    pub(super) fn from_fill(path: &str, fill_rule: FillRule) -> Option<Self> {
        let (runs, _) = flatten(path, 0.0)?;
        let mut seen = vec![false; POINTS * POINTS];
        for (row, points) in seen.chunks_exact_mut(POINTS).enumerate() {
            fill(points, &runs, row as f64 + 0.5, fill_rule);
        }
        Some(Self::from_points(&seen))
    }

    fn from_points(seen: &[bool]) -> Self {
        let mut cells = [0.0; SIDE * SIDE];
        for (row, points) in seen.chunks_exact(POINTS).enumerate() {
            let cells = cells.chunks_exact_mut(SIDE).nth(row / FINE);
            let cells = cells.into_iter().flatten();
            for (cell, points) in cells.zip(points.chunks_exact(FINE)) {
                let covered = points.iter().filter(|point| **point).count();
                *cell += covered as f32 / (FINE * FINE) as f32;
            }
        }
        for _ in 0..BLURS {
            blur(&mut cells);
        }
        Self(cells)
    }

    /// Its cells row by row.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.0.chunks_exact(SIDE)
    }
}

/// Flattens and centers a path. Returns its polylines in samples and its scale in cells. `width` is the relative line
/// width.
fn flatten(path: &str, width: f64) -> Option<(Runs, f64)> {
    let path = BezPath::from_svg(path).ok()?;
    let bounds = path.bounding_box();
    let size = bounds.width().max(bounds.height());
    if !size.is_finite() || size <= 0.0 {
        return None;
    }
    let cells = (SIDE as f64 - 2.0 * MARGIN) / (1.0 + width);
    let middle = bounds.center();
    let scale = cells / size;
    let place = |point: Point| {
        let at = (point - middle) * scale * FINE as f64;
        Point::new(at.x + POINTS as f64 / 2.0, at.y + POINTS as f64 / 2.0)
    };
    let mut runs = Runs::new();
    let mut count = 0;
    kurbo::flatten(path, EVEN / scale, |element| {
        count += 1;
        match element {
            PathEl::MoveTo(point) => runs.push(vec![place(point)]),
            PathEl::LineTo(point) => {
                if let Some(run) = runs.last_mut() {
                    run.push(place(point));
                }
            }
            PathEl::ClosePath => {
                if let Some(run) = runs.last_mut()
                    && let Some(first) = run.first().copied()
                {
                    run.push(first);
                }
            }
            // Flattening leaves no curves.
            PathEl::QuadTo(..) | PathEl::CurveTo(..) => {}
        }
    });
    (count <= MAX_RUNS).then_some((runs, cells))
}

/// Draws a line of half width `reach` with round ends.
fn draw(seen: &mut [bool], from: Point, to: Point, reach: f64) {
    let line = to - from;
    let length = line.hypot2().max(f64::MIN_POSITIVE);
    let within = |least: f64, most: f64| {
        let least = (least - reach).floor().max(0.0) as usize;
        least..(most + reach).ceil().clamp(0.0, POINTS as f64) as usize
    };
    for row in within(from.y.min(to.y), from.y.max(to.y)) {
        let y = row as f64 + 0.5;
        // Part of the line that can reach this row.
        let (mut least, mut most) = (from.x.min(to.x), from.x.max(to.x));
        if line.y.abs() > reach {
            let at = |y: f64| from.x + ((y - from.y) / line.y).clamp(0.0, 1.0) * line.x;
            let (above, below) = (at(y - reach), at(y + reach));
            (least, most) = (above.min(below), above.max(below));
        }
        for column in within(least, most) {
            let at = Point::new(column as f64 + 0.5, y);
            let along = ((at - from).dot(line) / length).clamp(0.0, 1.0);
            if (at - (from + line * along)).hypot2() <= reach * reach
                && let Some(point) = seen.get_mut(row * POINTS + column)
            {
                *point = true;
            }
        }
    }
}

/// Fills one row of samples.
fn fill(points: &mut [bool], runs: &Runs, y: f64, fill_rule: FillRule) {
    let mut crossings: Vec<(f64, i32)> = Vec::new();
    for run in runs {
        let ends = run.iter().skip(1).chain(run.first());
        for (from, to) in run.iter().zip(ends) {
            if (from.y <= y) != (to.y <= y) {
                let x = from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x);
                crossings.push((x, if to.y > from.y { 1 } else { -1 }));
            }
        }
    }
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut around = 0;
    let mut next = crossings.iter().peekable();
    for (column, point) in points.iter_mut().enumerate() {
        while let Some((_, way)) = next.next_if(|(x, _)| *x <= column as f64 + 0.5) {
            around += way;
        }
        *point = match fill_rule {
            FillRule::NonZero => around != 0,
            FillRule::EvenOdd => around % 2 != 0,
        };
    }
}

/// Blurs the cells.
fn blur(cells: &mut [f32; SIDE * SIDE]) {
    let beside = (1.0 - BLUR_CENTER_SHARE) / 2.0;
    for row in cells.chunks_exact_mut(SIDE) {
        let mut before = 0.0;
        let mut rest = row.iter_mut().peekable();
        while let Some(cell) = rest.next() {
            let after = rest.peek().map_or(0.0, |next| **next);
            let own = *cell;
            *cell = BLUR_CENTER_SHARE * own + beside * (before + after);
            before = own;
        }
    }
    let mut above = [0.0; SIDE];
    let mut rows = cells.chunks_exact_mut(SIDE).peekable();
    while let Some(row) = rows.next() {
        let below = rows.peek().map(|row| &**row);
        for (at, (cell, above)) in row.iter_mut().zip(&mut above).enumerate() {
            let after = below.and_then(|row| row.get(at)).copied();
            let own = *cell;
            *cell = BLUR_CENTER_SHARE * own + beside * (*above + after.unwrap_or_default());
            *above = own;
        }
    }
}
