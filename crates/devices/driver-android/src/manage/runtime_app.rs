//! The runtime app: its file, and its accessibility service in the phone's settings.

use std::io::{self, Read};
use std::path::Path;

use adb::command;
use agent_protocol::{APP_PACKAGE, APP_SERVICE};
use driver::{Cx, Result};
use sha2::{Digest, Sha256};

use crate::manage::grants::{self, Grant, Grants};
use crate::manage::settings::{Settings, Table};
use crate::shell::Shell;

/// The list of accessibility services that are switched on.
const SERVICES: &str = "enabled_accessibility_services";

/// The SHA-256 of an APK, which the installed app reports.
pub fn apk_sha256(file: &Path) -> io::Result<[u8; 32]> {
    let mut file = std::fs::File::open(file)?;
    let mut digest = Sha256::new();
    let mut piece = [0; 64 * 1024];
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(digest.finalize().into());
        }
        digest.update(piece.get(..read).unwrap_or_default());
    }
}

/// Switches the app's accessibility service on and lets it show notifications. Other services stay switched on.
///
/// # Errors
/// `Lost`, and the end of the context; a refusal is part of the result.
pub async fn grant_runtime_app(shell: &Shell, cx: &Cx) -> Result<Grants> {
    let class = APP_SERVICE.rsplit('/').next().unwrap_or_default();
    Ok(Grants {
        accessibility: grants::accessibility(shell, cx, APP_PACKAGE, class).await?,
        notification: grants::notification(shell, cx, APP_PACKAGE).await?,
        // It has none.
        notification_listener: Grant {
            ok: true,
            already_enabled: None,
            skipped: Some(true),
            error: None,
        },
    })
}

/// Switches the app's service off and on again: Android does not start one anew that it ended before.
///
/// # Errors
/// `Refused` with the phone's message, `Lost`, and the end of the context.
pub async fn restart_runtime_app(shell: &Shell, cx: &Cx) -> Result<()> {
    let settings = Settings::new(shell, cx);
    let list = settings.get(Table::Secure, SERVICES).await?;
    let list = list.unwrap_or_default();
    let others: Vec<&str> = list
        .split(':')
        .map(str::trim)
        .filter(|entry| !entry.is_empty() && *entry != APP_SERVICE)
        .collect();
    if others.is_empty() {
        let words = ["settings", "delete", Table::Secure.as_str(), SERVICES];
        shell.change(cx, &command(words)).await?;
    } else {
        let without = others.join(":");
        settings.put(Table::Secure, SERVICES, &without).await?;
    }
    let with: Vec<&str> = others.into_iter().chain([APP_SERVICE]).collect();
    settings.put(Table::Secure, SERVICES, &with.join(":")).await
}
