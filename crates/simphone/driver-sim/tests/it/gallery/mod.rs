//! The gallery: pictures of the phone in `docs/gallery`, which must equal what the code draws, byte for byte.
//! `cargo xtask gallery` draws them anew; `gallery/shots.txt` lists them.
//!
//! Drawing all of them is slow without optimisation. So `docs/gallery/sums.txt` has for each picture the hash of its
//! display list and that of its file; a test run compares these for all pictures and draws a few of them.

mod list;
mod palette;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use draw::Image;
use driver_sim::Phone;

use list::{Shot, shots};

const SHRINK: usize = 2;

const MAX_BYTES: usize = 3 << 20;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs")
}

/// Scales an image down by averaging squares of pixels.
fn shrunk(image: &Image) -> (usize, usize, Vec<[u8; 3]>) {
    let across = image.width as usize;
    let (width, height) = (across / SHRINK, image.height as usize / SHRINK);
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let mut sums = [0_u32; 3];
            for dy in 0..SHRINK {
                let at = ((y * SHRINK + dy) * across + x * SHRINK) * 4;
                for pixel in image.rgba[at..at + SHRINK * 4].chunks_exact(4) {
                    for (sum, part) in sums.iter_mut().zip(pixel) {
                        *sum += u32::from(*part);
                    }
                }
            }
            let count = (SHRINK * SHRINK) as u32;
            pixels.push(sums.map(|sum| ((sum + count / 2) / count) as u8));
        }
    }
    (width, height, pixels)
}

fn picture(phone: &mut Phone) -> Vec<u8> {
    let (width, height, pixels) = shrunk(&phone.draw());
    palette::png(width, height, &pixels)
}

/// The pictures that every test run draws: together they have every kind of paint.
const REDRAWN: [&str; 3] = ["launcher", "widgets-dark", "text-scripts"];

fn hash(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn content(phone: &mut Phone) -> u64 {
    hash(format!("{:?}", phone.display_list()).as_bytes())
}

/// The hash of each display list, and the picture if it is to be drawn: if the hash is not in `sums`, or always. Uses
/// a few threads, as pictures are independent.
fn render(shots: &[Shot], sums: &str) -> Vec<(u64, Option<Vec<u8>>)> {
    let one = |shot: &Shot| {
        let mut player = shot.phone();
        let phone = player.phone();
        let content = content(phone);
        let known = format!("{} {content:016x} ", shot.name);
        let same = sums.lines().any(|line| line.starts_with(&known));
        let drawn = (!same || REDRAWN.contains(&shot.name)).then(|| picture(phone));
        (content, drawn)
    };
    std::thread::scope(|scope| {
        let parts = shots.chunks(shots.len().div_ceil(4));
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().map(one).collect::<Vec<_>>()))
            .collect();
        let done = threads.into_iter().map(|thread| thread.join());
        done.flat_map(|part| part.expect("every shot can be taken"))
            .collect()
    })
}

const COLUMNS: usize = 3;

fn page(shots: &[Shot]) -> String {
    let mut page = String::from(
        "# Gallery\n\nWhat the simulated phone shows, drawn by its own code. `cargo xtask gallery` draws this page \
         and its pictures anew; a test compares them with the code.\n",
    );
    for part in shots.chunk_by(|one, next| one.part == next.part) {
        writeln!(page, "\n## {}\n\n<table>", part[0].part).expect("it works");
        // A wide picture takes two columns.
        let mut column = 0;
        for shot in part {
            let columns = if shot.is_wide() { 2 } else { 1 };
            if column == 0 || column + columns > COLUMNS {
                page.push_str("<tr>\n");
                column = 0;
            }
            column += columns;
            writeln!(
                page,
                "<td valign=\"top\" colspan=\"{columns}\"><img src=\"gallery/{}.png\" width=\"{}\" alt=\"{}\"><br>{}</td>",
                shot.name,
                270 * columns,
                shot.caption,
                shot.caption
            )
            .expect("it works");
        }
        page.push_str("</table>\n");
    }
    page
}

#[test]
fn gallery_shows_what_the_code_draws() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1");
    let folder = docs().join("gallery");
    let mut stale = Vec::new();
    let mut sums = String::new();
    let mut bytes = 0;
    if update {
        std::fs::create_dir_all(&folder).expect("it works");
    }
    let old = std::fs::read_to_string(folder.join("sums.txt")).unwrap_or_default();
    let shots = shots();
    for (shot, (content, drawn)) in shots.iter().zip(render(&shots, &old)) {
        let path = folder.join(format!("{}.png", shot.name));
        if let (true, Some(drawn)) = (update, &drawn) {
            std::fs::write(&path, drawn).expect("it works");
        }
        let committed = std::fs::read(&path).unwrap_or_default();
        if drawn.is_some_and(|drawn| drawn != committed) {
            stale.push(format!("{}.png is drawn differently", shot.name));
        }
        bytes += committed.len();
        writeln!(
            sums,
            "{} {content:016x} {:016x}",
            shot.name,
            hash(&committed)
        )
        .expect("it works");
    }
    for (path, text) in [
        (folder.join("sums.txt"), sums),
        (docs().join("gallery.md"), page(&shots)),
    ] {
        if update {
            std::fs::write(&path, text).expect("it works");
            continue;
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = committed.lines().zip(text.lines());
        stale.extend(
            lines
                .filter(|(committed, now)| committed != now)
                .map(|(committed, now)| format!("{}: {committed} is now {now}", path.display())),
        );
        if committed.len() != text.len() {
            stale.push(format!("{}: not as long as it was", path.display()));
        }
    }
    for entry in std::fs::read_dir(&folder).expect("it works") {
        let path = entry.expect("it works").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let known = name == "sums" || shots.iter().any(|shot| shot.name == name);
        if !known && update {
            std::fs::remove_file(&path).expect("it works");
        } else if !known {
            stale.push(format!("{} is in no list", path.display()));
        }
    }
    assert!(
        stale.is_empty(),
        "stale; `cargo xtask gallery` draws anew:\n{}",
        stale.join("\n")
    );
    assert!(bytes < MAX_BYTES, "{bytes} bytes are too many");
}
