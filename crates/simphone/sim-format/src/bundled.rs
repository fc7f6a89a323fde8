//! The app files in the binary, each read when its app starts.

use crate::app::{App, parse};
use crate::problem::AppError;

/// A file of `assets/apps`.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    pub name: &'static str,
    pub text: &'static str,
}

/// The file of `assets/apps` with this name.
macro_rules! file {
    ($name:expr) => {
        $crate::bundled::Bundled {
            name: $name,
            text: include_str!(concat!("../assets/apps/", $name)),
        }
    };
}
pub(crate) use file;

impl Bundled {
    /// What the app is for: the first sentence of the comment that the file begins with.
    pub fn purpose(&self) -> String {
        let comment: Vec<&str> = self
            .text
            .lines()
            .map_while(|line| line.strip_prefix('#'))
            .map(str::trim)
            .collect();
        let comment = comment.join(" ");
        let sentence = comment.split(". ").next().unwrap_or_default();
        sentence.trim_end_matches('.').to_owned()
    }

    /// The app that it describes.
    pub(crate) fn app(&self) -> Result<App, AppError> {
        parse(self.name, self.text)
    }
}

/// The app of the system's own windows.
///
/// # Errors
/// When its file is wrong.
pub fn system_app() -> Result<App, AppError> {
    file!("system.yaml").app()
}
