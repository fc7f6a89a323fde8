//! The built-in app files, embedded in the binary.

use crate::app::{App, parse};
use crate::problem::AppError;

/// A file of `assets/apps`.
#[derive(Clone, Copy, Debug)]
pub struct BundledFile {
    pub name: &'static str,
    pub text: &'static str,
}

/// Embeds the file of `assets/apps` with this name.
macro_rules! file {
    ($name:expr) => {
        $crate::bundled::BundledFile {
            name: $name,
            text: include_str!(concat!("../assets/apps/", $name)),
        }
    };
}
pub(crate) use file;

impl BundledFile {
    /// Returns the first sentence of the file's leading comment.
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

    pub(crate) fn app(&self) -> Result<App, AppError> {
        parse(self.name, self.text)
    }
}

/// Returns the app of the system windows.
pub fn system_app() -> Result<App, AppError> {
    file!("system.yaml").app()
}
