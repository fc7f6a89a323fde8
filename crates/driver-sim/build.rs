//! Packs the app files of the phone: as text they would be a thirtieth of the program.

use std::error::Error;
use std::path::{Path, PathBuf};

/// As small as the packer can make it.
const LEVEL: u8 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=assets/apps");
    let to = PathBuf::from(std::env::var("OUT_DIR")?);
    for entry in std::fs::read_dir("assets/apps")? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "yaml") {
            pack(&path, &to)?;
        }
    }
    Ok(())
}

fn pack(path: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let name = path.file_name().ok_or("a file has a name")?;
    let packed = miniz_oxide::deflate::compress_to_vec(&std::fs::read(path)?, LEVEL);
    let mut file = name.to_owned();
    file.push(".deflate");
    std::fs::write(to.join(file), packed)?;
    Ok(())
}
