//! Downscales images: models pay per pixel, and can read the screenshot of a phone at a third of its size.

use uitree::Size;

use super::canvas::Canvas;

/// The image scaled down to a size. Each pixel is the mean of the pixels it covers.
pub(super) fn downscale(picture: &Canvas, size: Size) -> Canvas {
    let sides =
        |size: Size| [size.width, size.height].map(|side| usize::try_from(side).unwrap_or(0));
    let ([width, height], [wide, high]) = (sides(picture.size), sides(size));
    let mut pixels = Vec::with_capacity(wide * high * 3);
    let span = |place: usize, count: usize, over: usize| {
        let begin = place * over / count;
        begin..((place + 1) * over / count).max(begin + 1)
    };
    for y in 0..high {
        let rows = span(y, high, height);
        for x in 0..wide {
            let columns = span(x, wide, width);
            let mut sum = [0_u64; 3];
            for row in rows.clone() {
                let line = (row * width + columns.start) * 3..(row * width + columns.end) * 3;
                for pixel in picture.pixels.get(line).unwrap_or_default().chunks(3) {
                    for (sum, part) in sum.iter_mut().zip(pixel) {
                        *sum += u64::from(*part);
                    }
                }
            }
            let count = (rows.len() * columns.len()) as u64;
            pixels
                .extend(sum.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX)));
        }
    }
    Canvas { size, pixels }
}
