//! Tells what drawings show: a line each from standard input, `NAME<tab>DATA OF AN SVG PATH`, with what it is told to be.

use std::io::BufRead;

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if let Some((name, path)) = line.split_once('\t') {
            println!("{name}\t{}", inspect::shown_by(path).unwrap_or("-"));
        }
    }
    Ok(())
}
