//! New apps: a small one to begin with, and those that are made from screens of a real device.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Replace, SimError, refused, write_new};
use contract::{ErrorBody, ErrorCode};
use driver_sim::import::{Import, ImportedScreen, Tap, read_picture};
use driver_sim::{LARGEST_APP, is_built_in};
use serde::Serialize;

/// The app that `create` writes, with places for its package and label.
const STARTER: &str = include_str!("starter.yaml");

/// An app file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedApp {
    /// The file.
    pub file: String,
    /// The app's package.
    pub package: String,
}

/// Writes a small app to begin with.
///
/// # Errors
/// `SIM_FILE_NOT_WRITTEN`; `USAGE` for a name that is none of an app file.
pub fn create(file: &Path, replace: Replace) -> Result<CreatedApp, ErrorBody> {
    if !file
        .extension()
        .is_some_and(|end| end == "yaml" || end == "yml")
    {
        let message = format!(
            "{}: the name of an app file ends in .yaml or .yml",
            file.display()
        );
        let name = file.with_extension("yaml");
        let hint = format!("Write {}", name.display());
        return Err(ErrorBody::new(ErrorCode::Usage, message).with_hint(hint));
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let part = match plain.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => plain,
        Some(_) => format!("app{plain}"),
        None => "app".to_owned(),
    };
    let package = format!("com.example.{part}");
    // An app with the package of one of the phone's own would replace that one.
    let package = match is_built_in(&package) {
        true => format!("{package}.own"),
        false => package,
    };
    let plain = |c: char| !c.is_control() && c != char::REPLACEMENT_CHARACTER;
    let name: String = name.chars().filter(|c| plain(*c)).collect();
    let label = serde_json::Value::from(capital(&name)).to_string();
    let yaml = STARTER
        .replace("com.example.starter", &package)
        .replace("\"Starter\"", &label);
    write_new(file, yaml.as_bytes(), replace)?;
    Ok(CreatedApp {
        file: file.display().to_string(),
        package,
    })
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "App".to_owned(),
    }
}

/// A dump of a screen of a real device.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The file with its `hierarchy_xml`.
    pub file: PathBuf,
    /// What the screen is to be called; without it as the file.
    pub name: Option<String>,
    /// The file with its picture.
    pub picture: Option<PathBuf>,
}

/// An app that was made from dumps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// The app file.
    pub file: String,
    /// Its screens, each with the number of its nodes.
    pub screens: Vec<ImportedPage>,
    /// How many ways there are between them.
    pub taps: usize,
}

/// A screen of an imported app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedPage {
    /// Its name.
    pub name: String,
    /// How many nodes it has.
    pub nodes: usize,
}

/// Where it is written what a way may be.
const TAPS: &str = "`clawperator sim import --help` says how names, packages and ways are written";

/// Whether two paths lead to the same file that is there.
fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Makes an app from dumps and writes it to `out`.
///
/// # Errors
/// `SIM_APP_INVALID` for a dump or picture that cannot be used, `USAGE` for names and taps that do not fit,
/// `SIM_FILE_NOT_WRITTEN`. A picture from elsewhere is copied beside `out`, as an app reads none from elsewhere.
pub fn import(
    dumps: &[Dump],
    taps: &[&str],
    (package, label): (Option<&str>, Option<&str>),
    out: &Path,
    replace: Replace,
) -> Result<Imported, ErrorBody> {
    for dump in dumps {
        for input in std::iter::once(&dump.file).chain(&dump.picture) {
            if same_file(input, out) {
                let message = format!("--out {} is a file that is imported", out.display());
                return Err(ErrorBody::new(ErrorCode::Usage, message)
                    .with_hint("Give the app file a name of its own with --out"));
            }
        }
    }
    let mut errors = Vec::new();
    let mut screens = Vec::new();
    let mut copies = BTreeMap::new();
    for dump in dumps {
        match read(dump, out, &mut copies) {
            Ok(screen) => screens.push(screen),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        let hint = "Take the dump or the picture again, and name it as it is called";
        return Err(refused(&errors).with_hint(hint));
    }
    let names: Vec<&str> = screens.iter().map(|screen| &*screen.name).collect();
    let usage = |message: String| ErrorBody::new(ErrorCode::Usage, message);
    if let Some(index) = (0..names.len()).find(|index| names[..*index].contains(&names[*index])) {
        let message = format!(
            "two screens are called `{}`, that of {} and an earlier one",
            names[index],
            dumps[index].file.display()
        );
        let hint = format!(
            "Give one of them another name: --name other={}",
            dumps[index].file.display()
        );
        return Err(usage(message).with_hint(hint));
    }
    let taps: Vec<Tap> = taps
        .iter()
        .map(|tap| Tap::parse(tap, &names))
        .collect::<Result<_, _>>()
        .map_err(|error| usage(error).with_hint(TAPS))?;
    let import = Import {
        package: package.map(str::to_owned),
        label: label.map(str::to_owned),
        screens,
        taps,
    };
    let yaml = import
        .to_yaml()
        .map_err(|error| usage(error.to_string()).with_hint(TAPS))?;
    if yaml.len() as u64 > LARGEST_APP {
        let message = format!(
            "the app would have {} bytes, and an app file has {LARGEST_APP} bytes at most",
            yaml.len()
        );
        let error = SimError::whole(out, message);
        return Err(refused(&[error]).with_hint("Import fewer screens into one app"));
    }
    write_new(out, yaml.as_bytes(), replace)?;
    for (path, bytes) in &copies {
        write_new(path, bytes, Replace::No)?;
    }
    Ok(Imported {
        file: out.display().to_string(),
        screens: import
            .screens
            .iter()
            .map(|screen| ImportedPage {
                name: screen.name.clone(),
                nodes: screen.nodes(),
            })
            .collect(),
        taps: import.taps.len(),
    })
}

/// How large a dump may be, in bytes.
const LARGEST_DUMP: u64 = 64 << 20;

/// A dump, or so much of it that it is too large.
fn read_dump(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(file)?;
    file.take(LARGEST_DUMP + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read(dump: &Dump, out: &Path, copies: &mut Copies) -> Result<ImportedScreen, SimError> {
    let wrong = |message: String| SimError::whole(&dump.file, message);
    let bytes = read_dump(&dump.file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => wrong("there is no such file".to_owned()),
        _ => wrong(format!("cannot be read: {error}")),
    })?;
    if bytes.len() as u64 > LARGEST_DUMP {
        let message = format!("the dump has more than {LARGEST_DUMP} bytes");
        return Err(wrong(message));
    }
    let stem = || {
        let stem = dump.file.file_stem().unwrap_or_default();
        stem.to_string_lossy().replace([' ', '.'], "_")
    };
    let picture = dump
        .picture
        .as_deref()
        .map(|picture| seen_from(out, picture, copies))
        .transpose()?;
    let name = dump.name.clone().unwrap_or_else(stem);
    ImportedScreen::from_xml(name, &bytes, picture).map_err(wrong)
}

/// The pictures that are still to be copied beside the app file.
type Copies = BTreeMap<PathBuf, Vec<u8>>;

/// A picture's path as seen from where the app file will lie; one that lies elsewhere is to be copied there.
fn seen_from(out: &Path, picture: &Path, copies: &mut Copies) -> Result<String, SimError> {
    let wrong = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => SimError::whole(picture, "there is no such file"),
        _ => SimError::whole(picture, format!("cannot be read: {error}")),
    };
    let whole = picture.canonicalize().map_err(wrong)?;
    let (bytes, _) = read_picture(&whole).map_err(|why| SimError::whole(picture, why))?;
    let folder = match out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    let near = folder
        .canonicalize()
        .ok()
        .and_then(|folder| whole.strip_prefix(folder).ok().map(Path::to_owned));
    let path = match near {
        Some(path) => path,
        None => {
            let name = PathBuf::from(whole.file_name().unwrap_or_default());
            let copy = folder.join(&name);
            let planned = copies.get(&copy).is_some_and(|other| *other != bytes);
            if planned || !copy_is_there(&copy, &bytes, copies) {
                let message = format!(
                    "it would be copied to {}, where another file is; copy it beside the app file under a name of its own",
                    copy.display()
                );
                return Err(SimError::whole(picture, message));
            }
            name
        }
    };
    match path.to_str() {
        Some(path) => Ok(path.replace('\\', "/")),
        None => Err(SimError::whole(picture, "the path is not UTF-8")),
    }
}

/// Sees to it that the picture will lie at `copy`; not so when another file is there.
fn copy_is_there(copy: &Path, bytes: &[u8], copies: &mut Copies) -> bool {
    match std::fs::symlink_metadata(copy) {
        Ok(meta) => meta.is_file() && read_picture(copy).is_ok_and(|(there, _)| there == bytes),
        Err(_) => {
            copies.insert(copy.to_owned(), bytes.to_owned());
            true
        }
    }
}
