//! Packs the app files of the phone: as text they would be a thirtieth of the program, and every start would parse them.
//! What is packed are the events of the YAML parser, which `src/yaml/packed.rs` reads.

use std::error::Error;
use std::path::{Path, PathBuf};

use granit_parser::{Event, Parser, ScalarStyle, Tag};

/// As small as the packer can make it.
const LEVEL: u8 = 10;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=assets/apps");
    let to = PathBuf::from(std::env::var("OUT_DIR")?);
    for entry in std::fs::read_dir("assets/apps")? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "yaml") {
            pack(&path, &to).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

fn pack(path: &Path, to: &Path) -> Result<()> {
    let name = path.file_name().ok_or("a file has a name")?;
    let text = std::fs::read_to_string(path)?;
    let mut bytes = purpose(&text).into_bytes();
    // No text has this byte.
    bytes.push(0xff);
    bytes.extend(events(&text)?);
    let packed = miniz_oxide::deflate::compress_to_vec(&bytes, LEVEL);
    let mut file = name.to_owned();
    file.push(".deflate");
    std::fs::write(to.join(file), packed)?;
    Ok(())
}

/// What an app is for: the first sentence of the comment that its file begins with.
fn purpose(text: &str) -> String {
    let comment: Vec<&str> = text
        .lines()
        .map_while(|line| line.strip_prefix('#'))
        .map(str::trim)
        .collect();
    let comment = comment.join(" ");
    let sentence = comment.split(". ").next().unwrap_or_default();
    sentence.trim_end_matches('.').to_owned()
}

/// What the parser says of a file.
fn events(text: &str) -> Result<Vec<u8>> {
    let mut packer = Packer::default();
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        packer.event(&event)?;
    }
    Ok(packer.packed)
}

#[derive(Default)]
struct Packer {
    packed: Vec<u8>,
}

impl Packer {
    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                untagged(tag.as_deref())?;
                let plain = *style == ScalarStyle::Plain;
                self.begin(if plain { b'p' } else { b'q' }, *anchor)?;
                self.number(text.len())?;
                self.packed.extend_from_slice(text.as_bytes());
            }
            Event::SequenceStart(_, anchor, tag) => {
                untagged(tag.as_deref())?;
                self.begin(b'[', *anchor)?;
            }
            Event::MappingStart(_, anchor, tag) => {
                untagged(tag.as_deref())?;
                self.begin(b'{', *anchor)?;
            }
            Event::Alias(anchor) => self.begin(b'*', *anchor)?,
            Event::SequenceEnd => self.packed.push(b']'),
            Event::MappingEnd => self.packed.push(b'}'),
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, letter: u8, anchor: usize) -> Result<()> {
        self.packed.push(letter);
        self.number(anchor)
    }

    fn number(&mut self, number: usize) -> Result<()> {
        let mut rest = u32::try_from(number)
            .ok()
            .filter(|number| *number < 1 << 28);
        while let Some(number) = rest {
            let [low, ..] = number.to_le_bytes();
            rest = (number >= 0x80).then_some(number >> 7);
            self.packed
                .push((low & 0x7f) | if rest.is_some() { 0x80 } else { 0 });
        }
        if number >= 1 << 28 {
            return Err(format!("{number} is too large to be packed").into());
        }
        Ok(())
    }
}

fn untagged(tag: Option<&Tag>) -> Result<()> {
    match tag {
        None => Ok(()),
        Some(tag) => Err(format!("the tag `{}` cannot be packed", tag.original()).into()),
    }
}
