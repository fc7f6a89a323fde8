//! What `--fix` does: the remedies that need nobody, done by this program itself.

use std::time::Duration;

use adb::client::locate;
use contract::ErrorBody;
use driver::DriverError;
use driver_android::ScreenState;
use driver_android::manage::{self, GrantOutcome, NOTIFICATIONS, Settings, Table};

use super::phone;
use crate::phone_shell::PhoneShell;
use crate::{Options, android};

/// How long a phone is given to come back, or to change as it was told.
const COMES_BACK: Duration = Duration::from_secs(10);
/// How often it is looked at meanwhile.
const GLANCE: Duration = Duration::from_millis(200);
/// How long one remedy on a phone may take.
const REMEDY: Duration = Duration::from_secs(30);

/// The settings that granting the Operator app what it needs may change.
const GRANTS: [&str; 3] = [
    "enabled_accessibility_services",
    "accessibility_enabled",
    "enabled_notification_listeners",
];

/// A remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    /// The adb server is ended and started.
    Restart,
    /// The server tries a phone again that is offline.
    Reconnect(String),
    /// The server connects to a phone with an address.
    Connect(String),
    /// The screen is switched on.
    Wake,
    /// A lock screen without a secret is put away.
    Unlock,
    /// Animations are switched off.
    Still,
    /// The Operator app is granted what it needs.
    Grant,
}

impl Repair {
    /// What is done, in words.
    pub(super) fn action(&self) -> String {
        match self {
            Self::Restart => "ended the adb server and started it".to_owned(),
            Self::Reconnect(serial) => format!("had adb try {serial} again"),
            Self::Connect(address) => format!("had adb connect to {address}"),
            Self::Wake => "woke the phone".to_owned(),
            Self::Unlock => "put the lock screen away".to_owned(),
            Self::Still => format!("set {} to 0", phone::ANIMATIONS.join(", ")),
            Self::Grant => "granted the Operator app what it needs".to_owned(),
        }
    }

    /// Does it; an error says why it could not be done. `undo` gets the command lines that take back what was changed, also
    /// where only a part of it was done.
    pub(super) async fn perform(
        &self,
        options: &Options,
        device: Option<&str>,
        package: &str,
        undo: &mut Vec<String>,
    ) -> Result<(), String> {
        let said = |error: adb::Error| error.to_string();
        match self {
            Self::Restart => {
                let server = android::server(&options.adb).map_err(|error| error.message)?;
                let program = options.adb.places.find().map_err(said)?;
                locate::restart(&program, server.address())
                    .await
                    .map_err(said)?;
                crate::sim::running::attach_all(&options.adb).await;
                Ok(())
            }
            Self::Reconnect(serial) => {
                let server = android::server(&options.adb).map_err(|error| error.message)?;
                if android::is_address(serial) {
                    // The server tries only phones at its USB ports again. One that it does not know is connected all
                    // the same.
                    let _ = server.detach(serial).await;
                    server.attach(serial).await.map_err(said)?;
                } else {
                    server.reconnect_offline().await.map_err(said)?;
                }
                android::comes_back(&server, serial, COMES_BACK).await
            }
            Self::Connect(address) => {
                let server = android::server(&options.adb).map_err(|error| error.message)?;
                server.attach(address).await.map_err(said)?;
                undo.push(format!("adb disconnect {}", adb::quote(address)));
                android::comes_back(&server, address, COMES_BACK).await
            }
            Self::Wake | Self::Unlock | Self::Still | Self::Grant => {
                let done = self.on_phone(options, device, package, undo).await;
                done.map_err(|error| error.message)
            }
        }
    }

    async fn on_phone(
        &self,
        options: &Options,
        device: Option<&str>,
        package: &str,
        undo: &mut Vec<String>,
    ) -> Result<(), ErrorBody> {
        let phone_shell = PhoneShell::open(device, options, REMEDY).await?;
        let _lock = phone_shell.lock(options, "doctor --fix").await?;
        let failed = |error| phone_shell.failed(&self.action(), &error);
        let before = self.changes(&phone_shell, package).await.map_err(failed)?;
        let done = match self {
            Self::Wake => {
                self.screen(&phone_shell, "input keyevent KEYCODE_WAKEUP")
                    .await
            }
            Self::Unlock => self.screen(&phone_shell, "wm dismiss-keyguard").await,
            Self::Still => still(&phone_shell).await,
            Self::Grant => {
                let granted = manage::grant(&phone_shell.shell, &phone_shell.cx, package).await;
                granted.and_then(|grants| match grants.outcome() {
                    GrantOutcome::Not(what) => {
                        Err(DriverError::Refused(format!("{what} could not be granted")))
                    }
                    GrantOutcome::Already | GrantOutcome::Now => Ok(()),
                })
            }
            Self::Restart | Self::Reconnect(_) | Self::Connect(_) => Ok(()),
        };
        let after = self.changes(&phone_shell, package).await;
        if let Ok(after) = &after {
            let changed = before.iter().zip(after);
            let changed = changed.filter(|(before, after)| before != after);
            undo.extend(
                changed.filter_map(|(before, _)| before.set_again(&phone_shell.serial, package)),
            );
        }
        done.and(after.map(|_| ())).map_err(failed)
    }

    /// What it may change on a phone, as it is now.
    async fn changes(
        &self,
        phone_shell: &PhoneShell,
        package: &str,
    ) -> driver::Result<Vec<Changeable>> {
        let PhoneShell { shell, cx, .. } = phone_shell;
        let settings = Settings::of(shell, cx);
        let (table, keys) = match self {
            Self::Restart | Self::Reconnect(_) | Self::Connect(_) => return Ok(Vec::new()),
            Self::Wake | Self::Unlock => {
                let state = ScreenState::of(shell, cx).await?;
                let is_driven = !state.is_off() && !state.is_locked();
                return Ok(vec![Changeable::Screen { is_driven }]);
            }
            Self::Still => (Table::Global, &phone::ANIMATIONS),
            Self::Grant => (Table::Secure, &GRANTS),
        };
        let mut now = Vec::new();
        for key in keys {
            let value = settings.get(table, key).await?;
            now.push(Changeable::Setting { table, key, value });
        }
        if *self == Self::Grant {
            let words = ["dumpsys", "package", package];
            let dump = shell.query(cx, &adb::command(words)).await?.text();
            let granted = format!("{NOTIFICATIONS}: granted=true");
            now.push(Changeable::Notifications {
                granted: dump.contains(&granted),
            });
        }
        Ok(now)
    }

    /// Changes the screen, and waits until the phone says that it has changed.
    async fn screen(&self, phone_shell: &PhoneShell, command: &str) -> driver::Result<()> {
        let PhoneShell { shell, cx, serial } = phone_shell;
        shell.change(cx, command).await?;
        let patience = cx.within(COMES_BACK);
        while phone::screen(shell, &patience, serial)
            .await
            .repair
            .as_ref()
            == Some(self)
        {
            patience.sleep(GLANCE).await?;
        }
        Ok(())
    }
}

/// Something that a remedy may change.
#[derive(Debug, PartialEq, Eq)]
enum Changeable {
    Setting {
        table: Table,
        key: &'static str,
        value: Option<String>,
    },
    /// The permission of the Operator app to show notifications.
    Notifications {
        granted: bool,
    },
    Screen {
        is_driven: bool,
    },
}

impl Changeable {
    /// The command line that brings it back to this; `None` where there is none.
    fn set_again(&self, serial: &str, package: &str) -> Option<String> {
        let command = match self {
            Self::Setting { table, key, value } => match value {
                Some(value) => adb::command(["settings", "put", table.as_str(), key, value]),
                None => adb::command(["settings", "delete", table.as_str(), key]),
            },
            Self::Notifications { granted: false } => {
                adb::command(["pm", "revoke", package, NOTIFICATIONS])
            }
            Self::Screen { is_driven: false } => "input keyevent KEYCODE_SLEEP".to_owned(),
            Self::Notifications { granted: true } | Self::Screen { is_driven: true } => {
                return None;
            }
        };
        let (serial, command) = (adb::quote(serial), adb::quote(&command));
        Some(format!("adb -s {serial} shell {command}"))
    }
}

async fn still(phone_shell: &PhoneShell) -> driver::Result<()> {
    let settings = Settings::of(&phone_shell.shell, &phone_shell.cx);
    for key in phone::ANIMATIONS {
        settings.put(Table::Global, key, "0").await?;
    }
    Ok(())
}
