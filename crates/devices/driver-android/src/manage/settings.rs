//! Reads and writes the phone's settings with `settings get` and `settings put`.

use adb::command;
use driver::{Cx, DriverError, Result};

use crate::shell::{Shell, error_text};

/// A table of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Settings of all users.
    Global,
    /// Settings that apps may only read.
    Secure,
    /// The user's preferences.
    System,
}

impl Table {
    /// Its name on the phone.
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
    /// The settings of this phone, within the context.
    pub const fn new(shell: &'a Shell, cx: &'a Cx) -> Self {
        Self { shell, cx }
    }

    /// A value; `None` if it is not set.
    ///
    /// # Errors
    /// `Refused` with the phone's message, `Lost`, and the end of the context.
    pub async fn get(&self, table: Table, key: &str) -> Result<Option<String>> {
        let words = ["settings", "get", table.as_str(), key];
        let output = self.shell.query(self.cx, &command(words)).await?;
        if output.status != 0 {
            return Err(DriverError::Refused(error_text(&output)));
        }
        let text = output.text();
        let value = text.trim();
        // Tools before Android 11 print exceptions and exit with 0.
        if value.contains("Exception") {
            return Err(DriverError::Refused(error_text(&output)));
        }
        Ok((!value.is_empty() && value != "null").then(|| value.to_owned()))
    }

    /// Writes a value and reads it back: phones whose vendor forbids it report no error.
    ///
    /// # Errors
    /// `Refused` if the phone refuses or keeps another value, `Lost`, and the end of the context.
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
