//! App files that lie packed in the binary, each by itself: an app that nobody starts is not unpacked.

use crate::app::AppError;

/// A file of `assets/apps`, packed by the build script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundled {
    pub(crate) name: &'static str,
    pub(crate) packed: &'static [u8],
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
    /// What the file says.
    pub(crate) fn text(&self) -> Result<String, AppError> {
        let damaged = |what: &str| {
            let message = format!("the packed file is damaged: {what}");
            AppError::whole(self.name, message)
        };
        let bytes = miniz_oxide::inflate::decompress_to_vec(self.packed)
            .map_err(|error| damaged(&error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| damaged(&error.to_string()))
    }
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
            let written = std::fs::read_to_string(format!("{folder}/{}", file.name)).unwrap();
            assert_eq!(file.text().unwrap(), written, "{}", file.name);
            assert!(file.packed.len() * 2 < written.len(), "{}", file.name);
        }
    }

    #[test]
    fn a_file_that_is_damaged_is_an_error() {
        let whole = file!("shop.yaml");
        let short = Bundled {
            packed: &whole.packed[..whole.packed.len() / 2],
            ..whole
        };
        let error = short.text().unwrap_err().to_string();
        assert!(
            error.contains("shop.yaml") && error.contains("damaged"),
            "{error}"
        );
    }
}
