//! Redraws the gallery with the test that compares its pictures.

use std::path::Path;
use std::process::Command;

/// Runs the test in update mode; returns the errors.
pub(crate) fn draw(root: &Path) -> Vec<String> {
    let arguments = [
        "test",
        "--quiet",
        "--package",
        "driver-sim",
        "--test",
        "it",
        "gallery",
    ];
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root)
        .env("UPDATE_EXPECT", "1")
        .status();
    match status {
        Ok(status) if status.success() => Vec::new(),
        Ok(status) => vec![format!("gallery: the pictures were not drawn: {status}")],
        Err(error) => vec![format!("gallery: cargo does not start: {error}")],
    }
}
