//! Recognizes drawings: reads lines `NAME<tab>SVG PATH DATA` from standard input and prints the recognized
//! names.

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
