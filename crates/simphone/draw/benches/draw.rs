//! How long a whole screen takes to paint and to encode.

#[path = "../tests/it/demo.rs"]
mod demo;

use std::hint::black_box;
use std::time::{Duration, Instant};

use draw::{Theme, paint};

fn main() {
    let theme = Theme::light(2.625);
    let background = theme.palette.background;
    let list = demo::screen(&theme);

    let start = Instant::now();
    let first = paint(&list, demo::SCREEN, background).to_png();
    let cold = start.elapsed();

    let mut paints = Vec::new();
    let mut encodes = Vec::new();
    for _ in 0..40 {
        let start = Instant::now();
        let image = paint(black_box(&list), demo::SCREEN, background);
        paints.push(start.elapsed());
        let start = Instant::now();
        black_box(image.to_png());
        encodes.push(start.elapsed());
    }
    println!("first screen, glyphs not yet drawn   {cold:>10.2?}");
    println!(
        "paint, median of {}                  {:>10.2?}",
        paints.len(),
        median(&mut paints)
    );
    println!(
        "encode, median of {}                 {:>10.2?}",
        encodes.len(),
        median(&mut encodes)
    );
    println!(
        "PNG                                  {:>10} bytes",
        first.len()
    );
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
