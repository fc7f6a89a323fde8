//! Lists installed packages with `pm list packages`.

use adb::command;
use driver::{Cx, DriverError, Result};

use crate::shell::{Shell, error_text};

/// A filter of packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageFilter {
    /// All of them.
    All,
    /// Those not preinstalled.
    ThirdParty,
}

/// The installed packages, in the phone's order.
///
/// # Errors
/// `Refused` with the package manager's message, `Lost`, and the end of the context.
pub async fn packages(shell: &Shell, cx: &Cx, which: PackageFilter) -> Result<Vec<String>> {
    let words: &[&str] = match which {
        PackageFilter::All => &["pm", "list", "packages"],
        PackageFilter::ThirdParty => &["pm", "list", "packages", "-3"],
    };
    listed(shell, cx, words).await
}

/// Whether a package with exactly this name is installed.
pub async fn is_installed(shell: &Shell, cx: &Cx, package: &str) -> Result<bool> {
    // The argument matches anywhere in names.
    let found = listed(shell, cx, &["pm", "list", "packages", package]).await?;
    Ok(found.iter().any(|name| name == package))
}

async fn listed(shell: &Shell, cx: &Cx, words: &[&str]) -> Result<Vec<String>> {
    let output = shell.query(cx, &command(words.iter().copied())).await?;
    if output.status != 0 {
        return Err(DriverError::Refused(error_text(&output)));
    }
    let text = output.text();
    let names = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("package:"))
        .filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}
