//! Creating app files: from a template, or from screens of a real device.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Replace, SimError, refused, write_new};
use contract::{ErrorBody, ErrorCode};
use driver_sim::import::{Import, ImportedScreen, Tap, read_picture};
use driver_sim::{LARGEST_APP, is_built_in};
use serde::Serialize;

/// The template of `create`, with placeholders for package and label.
const TEMPLATE: &str = include_str!("starter.yaml");

/// An app file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedApp {
    pub file: String,
    /// The app's package.
    pub package: String,
}

/// Creates an app file from the template.
///
/// # Errors
/// `SIM_FILE_NOT_WRITTEN`; `USAGE` for an invalid file name.
pub fn create(file: &Path, replace: Replace) -> Result<CreatedApp, ErrorBody> {
    if !file
        .extension()
        .is_some_and(|end| end == "yaml" || end == "yml")
    {
        let message = format!(
            "{}: the name of an app file must end in .yaml or .yml",
            file.display()
        );
        let name = file.with_extension("yaml");
        let hint = format!("Write {}", name.display());
        return Err(ErrorBody::new(ErrorCode::Usage, message).with_hint(hint));
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let slug: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let part = match slug.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => slug,
        Some(_) => format!("app{slug}"),
        None => "app".to_owned(),
    };
    let package = format!("com.example.{part}");
    // An app with the package of a built-in one would replace it.
    let package = match is_built_in(&package) {
        true => format!("{package}.own"),
        false => package,
    };
    let slug = |c: char| !c.is_control() && c != char::REPLACEMENT_CHARACTER;
    let name: String = name.chars().filter(|c| slug(*c)).collect();
    let label = serde_json::Value::from(capital(&name)).to_string();
    let yaml = TEMPLATE
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
    /// The screen's name; by default that of the file.
    pub name: Option<String>,
    /// Its screenshot.
    pub picture: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedApp {
    /// The app file.
    pub file: String,
    /// Its screens with their numbers of nodes.
    pub screens: Vec<ImportedPage>,
    /// The number of links between them.
    pub taps: usize,
}

/// A screen of an imported app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedPage {
    pub name: String,
    /// Its number of nodes.
    pub nodes: usize,
}

/// The documentation of links.
const TAPS: &str = "`clawperator sim import --help` shows the syntax of names, packages and links";

/// Whether two paths lead to the same existing file.
fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Creates an app from dumps and writes it to `out`.
///
/// # Errors
/// `SIM_APP_INVALID` for an invalid dump or screenshot, `USAGE` for wrong names and taps, `SIM_FILE_NOT_WRITTEN`. A
/// screenshot from another folder is copied beside `out`, because apps only use pictures beside them.
pub fn import(
    dumps: &[Dump],
    taps: &[&str],
    (package, label): (Option<&str>, Option<&str>),
    out: &Path,
    replace: Replace,
) -> Result<ImportedApp, ErrorBody> {
    for dump in dumps {
        for input in std::iter::once(&dump.file).chain(&dump.picture) {
            if same_file(input, out) {
                let message = format!("--out {} is a file that is imported", out.display());
                return Err(ErrorBody::new(ErrorCode::Usage, message)
                    .with_hint("Choose another file with --out"));
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
        let hint = "Check the path, or take the dump or the screenshot again";
        return Err(refused(&errors).with_hint(hint));
    }
    let names: Vec<&str> = screens.iter().map(|screen| &*screen.name).collect();
    let usage = |message: String| ErrorBody::new(ErrorCode::Usage, message);
    if let Some(index) = (0..names.len()).find(|index| names[..*index].contains(&names[*index])) {
        let message = format!(
            "two screens have the name `{}`: that of {} and an earlier one",
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
            "the app would have {} bytes (at most {LARGEST_APP} are allowed)",
            yaml.len()
        );
        let error = SimError::whole(out, message);
        return Err(refused(&[error]).with_hint("Import fewer screens into one app"));
    }
    write_new(out, yaml.as_bytes(), replace)?;
    for (path, bytes) in &copies {
        write_new(path, bytes, Replace::No)?;
    }
    Ok(ImportedApp {
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

/// The maximal size of a dump, in bytes.
const LARGEST_DUMP: u64 = 64 << 20;

/// Reads a dump, up to just above the maximal size.
fn read_dump(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(file)?;
    file.take(LARGEST_DUMP + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read(dump: &Dump, out: &Path, copies: &mut Copies) -> Result<ImportedScreen, SimError> {
    let invalid = |message: String| SimError::whole(&dump.file, message);
    let bytes = read_dump(&dump.file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => invalid("the file does not exist".to_owned()),
        _ => invalid(format!("cannot be read: {error}")),
    })?;
    if bytes.len() as u64 > LARGEST_DUMP {
        let message = format!("the dump has more than {LARGEST_DUMP} bytes");
        return Err(invalid(message));
    }
    let stem = || {
        let stem = dump.file.file_stem().unwrap_or_default();
        stem.to_string_lossy().replace([' ', '.'], "_")
    };
    let picture = dump
        .picture
        .as_deref()
        .map(|picture| relative_path(out, picture, copies))
        .transpose()?;
    let name = dump.name.clone().unwrap_or_else(stem);
    ImportedScreen::from_xml(name, &bytes, picture).map_err(invalid)
}

/// The screenshots to copy beside the app file.
type Copies = BTreeMap<PathBuf, Vec<u8>>;

/// A screenshot's path relative to the app file; one from another folder will be copied.
fn relative_path(out: &Path, picture: &Path, copies: &mut Copies) -> Result<String, SimError> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => SimError::whole(picture, "the file does not exist"),
        _ => SimError::whole(picture, format!("cannot be read: {error}")),
    };
    let whole = picture.canonicalize().map_err(unreadable)?;
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
            if planned || !plan_copy(&copy, &bytes, copies) {
                let message = format!(
                    "it would be copied to {}, which exists; copy it beside the app file with another name",
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

/// Adds a copy; `false` if another file exists at its path.
fn plan_copy(copy: &Path, bytes: &[u8], copies: &mut Copies) -> bool {
    match std::fs::symlink_metadata(copy) {
        Ok(meta) => meta.is_file() && read_picture(copy).is_ok_and(|(copied, _)| copied == bytes),
        Err(_) => {
            copies.insert(copy.to_owned(), bytes.to_owned());
            true
        }
    }
}
