//! The phone's settings, by `settings get` and `settings put`.

use adb::command;
use driver::{Cx, DriverError, Result};

use crate::shell::{Shell, error_text};

/// A table of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// What concerns all users.
    Global,
    /// What apps may read and not write.
    Secure,
    /// What a user prefers.
    System,
}

impl Table {
    /// How the phone calls it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Secure => "secure",
            Self::System => "system",
        }
    }
}

/// The settings of a phone.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    shell: &'a Shell,
    cx: &'a Cx,
}

impl<'a> Settings<'a> {
    /// Those of the phone with this shell, for as long as the context lasts.
    pub const fn of(shell: &'a Shell, cx: &'a Cx) -> Self {
        Self { shell, cx }
    }

    /// A value; `None` where the phone has none.
    ///
    /// # Errors
    /// `Refused` in the phone's words, `Lost`, and the ends of the context.
    pub async fn get(&self, table: Table, key: &str) -> Result<Option<String>> {
        let words = ["settings", "get", table.as_str(), key];
        let output = self.shell.query(self.cx, &command(words)).await?;
        if output.status != 0 {
            return Err(DriverError::Refused(error_text(&output)));
        }
        let text = output.text();
        let value = text.trim();
        // Tools before Android 11 print the exception and end with 0.
        if value.contains("Exception") {
            return Err(DriverError::Refused(error_text(&output)));
        }
        Ok((!value.is_empty() && value != "null").then(|| value.to_owned()))
    }

    /// Writes a value and reads it back: phones whose maker forbids it say nothing.
    ///
    /// # Errors
    /// `Refused` when the phone refuses or keeps another value, `Lost`, and the ends of the context.
    pub async fn put(&self, table: Table, key: &str, value: &str) -> Result<()> {
        let words = ["settings", "put", table.as_str(), key, value];
        self.shell.change(self.cx, &command(words)).await?;
        let kept = self.get(table, key).await?;
        if kept.as_deref() == Some(value) {
            return Ok(());
        }
        let kept = kept.as_deref().unwrap_or("null");
        Err(DriverError::Refused(format!(
            "{key} is {kept:?} after {value:?} was written"
        )))
    }
}
