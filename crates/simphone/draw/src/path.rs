//! Chains of many points: areas that they enclose, and lines along them.

use super::Color;
use super::geometry::{distance_squared, to_coverage, within};
use super::outline::{Outline, Spot};
use super::shapes::fill_outline;
use super::surface::Surface;

/// The widest line.
const WIDEST: f32 = 4096.0;

fn outline(chains: &[Vec<Spot>]) -> Outline {
    let mut outline = Outline::default();
    for chain in chains {
        let mut spots = chain.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
        if let Some(first) = spots.next() {
            outline.move_to(*first);
        }
        for spot in spots {
            outline.line_to(*spot);
        }
    }
    outline
}

/// Fills what the chains enclose.
pub(super) fn fill(surface: &mut Surface, chains: &[Vec<Spot>], color: Color) {
    fill_outline(surface, &outline(chains), color);
}

/// Draws lines along the chains with round ends and joints. Where they cross the colour counts once, so that
/// translucent streets have no darker crossings.
///
/// Each piece touches only the pixels near it, so that a whole town of streets costs what its asphalt costs.
pub(super) fn lines(surface: &mut Surface, chains: &[Vec<Spot>], width: f32, color: Color) {
    let half = within(width, 0.0, WIDEST) / 2.0;
    let outline = outline(chains);
    let Some((left, top, right, bottom)) = outline.extent().filter(|_| half > 0.0) else {
        return;
    };
    let reach = half + 1.0;
    let columns = surface.columns(pixel(left - reach), pixel(right + reach) + 1);
    let rows = surface.rows(pixel(top - reach), pixel(bottom + reach) + 1);
    if columns.is_empty() || rows.is_empty() {
        return;
    }
    let (near, far) = (columns.start as f32, columns.end as f32);
    let mut pieces: Vec<(Spot, Spot)> = outline
        .pieces()
        .filter(|(a, b)| a.0.max(b.0) + reach >= near && a.0.min(b.0) - reach <= far)
        .collect();
    pieces.sort_by(|one, other| {
        let top = |(a, b): &(Spot, Spot)| a.1.min(b.1);
        top(one).total_cmp(&top(other))
    });
    let mut coverage = vec![0_u8; columns.len()];
    let mut first = 0;
    let longest = pieces
        .iter()
        .map(|(a, b)| (a.1 - b.1).abs())
        .fold(0.0, f32::max);
    for y in rows {
        let middle = y as f32 + 0.5;
        // Pieces are sorted by where they begin: what ends above for certain is passed over for good.
        while pieces
            .get(first)
            .is_some_and(|(a, b)| a.1.min(b.1) + longest + reach < middle)
        {
            first += 1;
        }
        let mut touched: Option<(usize, usize)> = None;
        for (a, b) in pieces.iter().skip(first) {
            if a.1.min(b.1) - reach > middle {
                break;
            }
            if a.1.max(b.1) + reach < middle {
                continue;
            }
            let (from, to) = across(*a, *b, middle, reach);
            let (from, to) = (
                pixel(from).max(columns.start),
                pixel(to).min(columns.end - 1),
            );
            if from > to {
                continue;
            }
            let (from, to) = (
                (from - columns.start) as usize,
                (to - columns.start) as usize,
            );
            touched = Some(touched.map_or((from, to), |(l, r)| (l.min(from), r.max(to))));
            for (at, cell) in coverage.iter_mut().enumerate().take(to + 1).skip(from) {
                if *cell < 255 {
                    let point = ((columns.start + at as i32) as f32 + 0.5, middle);
                    let distance = distance_squared(point, *a, *b).sqrt();
                    *cell = (*cell).max(to_coverage(half + 0.5 - distance));
                }
            }
        }
        if let Some((from, to)) = touched {
            let start = columns.start;
            surface.shade(y, start + from as i32, start + to as i32 + 1, |x| {
                let share = coverage.get((x - start) as usize).copied();
                color.covered(share.unwrap_or(0))
            });
            if let Some(used) = coverage.get_mut(from..=to) {
                used.fill(0);
            }
        }
    }
}

/// The columns in which a piece comes near to a row.
fn across(a: Spot, b: Spot, row: f32, reach: f32) -> (f32, f32) {
    let (top, bottom) = if a.1 <= b.1 { (a, b) } else { (b, a) };
    let rise = bottom.1 - top.1;
    let at = |y: f32| {
        let share = if rise > 0.0 {
            within((y - top.1) / rise, 0.0, 1.0)
        } else {
            0.0
        };
        top.0 + (bottom.0 - top.0) * share
    };
    let (one, other) = if rise > 0.0 {
        (at(row - reach), at(row + reach))
    } else {
        (a.0, b.0)
    };
    (one.min(other) - reach, one.max(other) + reach)
}

fn pixel(at: f32) -> i32 {
    within(at, -1.0e6, 1.0e6).floor() as i32
}

#[cfg(test)]
mod tests {
    use uitree::{Rect, Size};

    use super::*;

    fn surface() -> Surface {
        Surface::new(Size::new(40, 40), Color::WHITE)
    }

    fn dark(surface: Surface) -> Vec<(usize, usize)> {
        let image = surface.into_image();
        (image.rgba.chunks(4).enumerate())
            .filter(|(_, pixel)| pixel[0] < 128)
            .map(|(at, _)| (at % 40, at / 40))
            .collect()
    }

    #[test]
    fn a_line_covers_what_is_near_to_it_and_nothing_else() {
        let chain = vec![(5.0, 5.0), (30.0, 12.0), (8.0, 35.0)];
        let mut painted = surface();
        lines(
            &mut painted,
            std::slice::from_ref(&chain),
            4.0,
            Color::BLACK,
        );
        let dark = dark(painted);
        for y in 0..40 {
            for x in 0..40 {
                let point = (x as f32 + 0.5, y as f32 + 0.5);
                let distance = chain
                    .windows(2)
                    .map(|pair| distance_squared(point, pair[0], pair[1]).sqrt())
                    .fold(f32::INFINITY, f32::min);
                if distance < 1.9 {
                    assert!(dark.contains(&(x, y)), "{x},{y}");
                } else if distance > 2.6 {
                    assert!(!dark.contains(&(x, y)), "{x},{y}");
                }
            }
        }
    }

    #[test]
    fn crossings_of_translucent_lines_are_as_light_as_the_lines() {
        let mut painted = surface();
        let chains = [
            vec![(0.0, 20.0), (40.0, 20.0)],
            vec![(20.0, 0.0), (20.0, 40.0)],
        ];
        lines(&mut painted, &chains, 6.0, Color::rgba(0, 0, 0, 128));
        let image = painted.into_image();
        let at = |x: usize, y: usize| image.rgba[(y * 40 + x) * 4];
        assert_eq!(at(20, 20), at(5, 20));
        assert_eq!(at(20, 20), 127);
    }

    #[test]
    fn polygons_have_holes_and_stay_within_the_clip() {
        let mut painted = surface();
        painted.push_clip(Rect::new(0, 0, 40, 15), 0.0);
        let chains = [
            vec![(10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0)],
            vec![(12.0, 12.0), (12.0, 28.0), (28.0, 28.0), (28.0, 12.0)],
        ];
        fill(&mut painted, &chains, Color::BLACK);
        let dark = dark(painted);
        assert!(dark.contains(&(11, 14)) && dark.contains(&(20, 11)));
        assert!(!dark.contains(&(20, 14)), "the hole");
        assert!(!dark.contains(&(11, 16)), "beyond the clip");
    }

    #[test]
    fn broken_numbers_paint_nothing() {
        let mut painted = surface();
        let chain = vec![(f32::NAN, 3.0), (f32::INFINITY, 4.0)];
        lines(
            &mut painted,
            std::slice::from_ref(&chain),
            3.0,
            Color::BLACK,
        );
        fill(&mut painted, &[chain], Color::BLACK);
        assert_eq!(dark(painted), []);
    }
}
