//! App files packed into the binary, each unpacked when its app starts.

use crate::app::{App, parse_in};
use crate::problem::AppError;
use crate::yaml::Document;

/// A file of `assets/apps`, packed by the build script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundled {
    pub name: &'static str,
    pub packed: &'static [u8],
}

/// The file of `assets/apps` with this name.
macro_rules! file {
    ($name:expr) => {
        $crate::bundled::Bundled {
            name: $name,
            packed: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".deflate")),
        }
    };
}
pub(crate) use file;

impl Bundled {
    /// What is packed.
    pub(crate) fn unpack(&self) -> Result<Unpacked, AppError> {
        let damaged = |what: &str| {
            let message = format!("the packed file is damaged: {what}");
            AppError::whole(self.name, message)
        };
        let bytes = miniz_oxide::inflate::decompress_to_vec(self.packed)
            .map_err(|error| damaged(&error.to_string()))?;
        // The purpose ends with a byte that no text has.
        let purpose = bytes.iter().position(|byte| *byte == 0xff);
        let purpose = purpose.ok_or_else(|| damaged("it does not say what it is for"))?;
        Ok(Unpacked { bytes, purpose })
    }
}

/// An app file as the build script has read it.
#[derive(Debug)]
pub struct Unpacked {
    bytes: Vec<u8>,
    /// How many of the bytes say what it is for.
    purpose: usize,
}

impl Unpacked {
    /// What the app is for: the first sentence of the comment that the file begins with.
    pub fn purpose(&self) -> &str {
        let text = self.bytes.get(..self.purpose).unwrap_or_default();
        std::str::from_utf8(text).unwrap_or_default()
    }

    /// What is in the file.
    pub(crate) fn document(&self) -> Document<'_> {
        Document::Packed(self.bytes.get(self.purpose + 1..).unwrap_or_default())
    }

    /// The app that it describes; errors call the file `name`.
    pub fn app(&self, name: &str) -> Result<App, AppError> {
        parse_in(name, self.document(), None)
    }
}

/// The app of the system's own windows.
///
/// # Errors
/// When the packed file is damaged.
pub fn system_app() -> Result<App, AppError> {
    file!("system.yaml").unpack()?.app("system.yaml")
}

/// A file of `assets/apps` as its author wrote it.
#[cfg(test)]
pub(crate) fn written(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/apps");
    std::fs::read_to_string(format!("{folder}/{name}")).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files that the program holds, in the order of their names.
    const FILES: &[Bundled] = &[
        file!("browser.yaml"),
        file!("chat.yaml"),
        file!("forms.yaml"),
        file!("launcher.yaml"),
        file!("mail.yaml"),
        file!("maps.yaml"),
        file!("settings.yaml"),
        file!("shop.yaml"),
        file!("system.yaml"),
        file!("torture.yaml"),
    ];

    #[test]
    fn what_is_unpacked_is_the_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/apps");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".yaml"))
            .collect();
        names.sort();
        let held: Vec<&str> = FILES.iter().map(|file| file.name).collect();
        assert_eq!(held, names);
        for file in FILES {
            let unpacked = file.unpack().unwrap();
            let text = written(file.name);
            let packed = unpacked.document().read().unwrap();
            let read = Document::Text(&text).read().unwrap();
            assert!(packed.says(&read), "{}", file.name);
            assert!(file.packed.len() * 2 < text.len(), "{}", file.name);
            let words: String = text.replace("\n#", "");
            assert!(words.contains(unpacked.purpose()), "{}", file.name);
            assert!(unpacked.purpose().len() > 10, "{}", file.name);
        }
    }

    #[test]
    fn a_file_that_is_damaged_is_an_error() {
        let whole = file!("shop.yaml");
        let short = Bundled {
            packed: &whole.packed[..whole.packed.len() / 2],
            ..whole
        };
        let error = short.unpack().unwrap_err().to_string();
        assert!(
            error.contains("shop.yaml") && error.contains("damaged"),
            "{error}"
        );
    }
}
