//! The repairs of `--fix`.

use std::time::Duration;

use adb::client::locate;
use contract::ErrorBody;
use driver::DriverError;
use driver_android::manage::{self, GrantOutcome, NOTIFICATIONS, Settings, Table};
use driver_android::{
    APP_PACKAGE, AgentDriver, AgentSource, AgentUnavailable, AttachTarget, ScreenState,
};

use super::phone;
use crate::environment::AdbSetup;
use crate::phone::shell::PhoneShell;
use crate::phone::{attach, connection};
use crate::{Options, devices};

/// How long a phone may take to reconnect or to change its screen.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause between checks of the screen.
const SCREEN_POLL: Duration = Duration::from_millis(200);
/// The time limit of a repair on a phone.
const REPAIR_TIMEOUT: Duration = Duration::from_secs(30);

/// The settings that granting permissions to one of the apps may change.
const GRANTS: [&str; 3] = [
    "enabled_accessibility_services",
    "accessibility_enabled",
    "enabled_notification_listeners",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    /// Restart the adb server.
    RestartServer,
    /// Have the server reconnect to an offline phone.
    Reconnect(String),
    /// Have the server connect to an address.
    Connect(String),
    /// Turn the screen on.
    Wake,
    /// Dismiss a lock screen without a secret.
    Unlock,
    /// Turn animations off.
    DisableAnimations,
    /// Grant permissions to the Operator app.
    Grant,
    /// Switch the accessibility service of the runtime app on.
    EnableRuntimeApp,
}

impl Repair {
    /// What was done, for the report.
    pub(super) fn action(&self) -> String {
        match self {
            Self::RestartServer => "restarted the adb server".to_owned(),
            Self::Reconnect(serial) => format!("reconnected adb to {serial}"),
            Self::Connect(address) => format!("connected adb to {address}"),
            Self::Wake => "woke the phone".to_owned(),
            Self::Unlock => "dismissed the lock screen".to_owned(),
            Self::DisableAnimations => format!("set {} to 0", phone::ANIMATIONS.join(", ")),
            Self::Grant => "granted the permissions of the Operator app".to_owned(),
            Self::EnableRuntimeApp => {
                "switched the accessibility service of the runtime app on".to_owned()
            }
        }
    }

    /// Applies the repair. `undo` gets the command lines that restore what was changed, also if the repair fails halfway.
    pub(super) async fn perform(
        &self,
        options: &Options,
        device: Option<&str>,
        package: &str,
        undo: &mut Vec<String>,
    ) -> Result<(), String> {
        let text_of = |error: adb::Error| error.to_string();
        match self {
            Self::RestartServer => {
                let server = connection::server(&options.adb).map_err(|error| error.message)?;
                let program = options.adb.places.find().map_err(text_of)?;
                locate::restart(&program, server.address())
                    .await
                    .map_err(text_of)?;
                crate::sim_registry::attach_all(&options.adb).await;
                Ok(())
            }
            Self::Reconnect(serial) => {
                let server = connection::server(&options.adb).map_err(|error| error.message)?;
                if connection::is_address(serial) {
                    // `reconnect offline` only retries phones on USB. Detaching fails for an unknown address, which is then
                    // attached all the same.
                    let _ = server.detach(serial).await;
                    server.attach(serial).await.map_err(text_of)?;
                } else {
                    server.reconnect_offline().await.map_err(text_of)?;
                }
                connection::wait_until_ready(&server, serial, RECOVERY_TIMEOUT).await
            }
            Self::Connect(address) => {
                let server = connection::server(&options.adb).map_err(|error| error.message)?;
                server.attach(address).await.map_err(text_of)?;
                undo.push(format!("adb disconnect {}", adb::quote(address)));
                connection::wait_until_ready(&server, address, RECOVERY_TIMEOUT).await
            }
            Self::EnableRuntimeApp => {
                let done = self.on_phone(options, device, APP_PACKAGE, undo).await;
                done.map_err(|error| error.message)
            }
            Self::Wake | Self::Unlock | Self::DisableAnimations | Self::Grant => {
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
        let phone_shell = devices::phone_shell(device, options, REPAIR_TIMEOUT).await?;
        let _lock = phone_shell.lock(&options.adb, "doctor --fix").await?;
        let failed = |error| phone_shell.failed(&self.action(), &error);
        let before = self.changes(&phone_shell, package).await.map_err(failed)?;
        let done = match self {
            Self::Wake => {
                self.screen(&phone_shell, "input keyevent KEYCODE_WAKEUP")
                    .await
            }
            Self::Unlock => self.screen(&phone_shell, "wm dismiss-keyguard").await,
            Self::DisableAnimations => disable_animations(&phone_shell).await,
            Self::Grant => {
                let granted = manage::grant(&phone_shell.shell, &phone_shell.cx, package).await;
                granted.and_then(|grants| match grants.outcome() {
                    GrantOutcome::Not(what) => {
                        Err(DriverError::Refused(format!("{what} could not be granted")))
                    }
                    GrantOutcome::Already | GrantOutcome::Now => Ok(()),
                })
            }
            Self::EnableRuntimeApp => enable_runtime_app(&phone_shell, &options.adb).await,
            Self::RestartServer | Self::Reconnect(_) | Self::Connect(_) => Ok(()),
        };
        let after = self.changes(&phone_shell, package).await;
        if let Ok(after) = &after {
            let changed = before.iter().zip(after);
            let changed = changed.filter(|(before, after)| before != after);
            undo.extend(
                changed
                    .filter_map(|(before, _)| before.restore_command(&phone_shell.serial, package)),
            );
        }
        done.and(after.map(|_| ())).map_err(failed)
    }

    /// The current state of what the repair may change on a phone.
    async fn changes(
        &self,
        phone_shell: &PhoneShell,
        package: &str,
    ) -> driver::Result<Vec<SavedState>> {
        let PhoneShell { shell, cx, .. } = phone_shell;
        let settings = Settings::new(shell, cx);
        let (table, keys) = match self {
            Self::RestartServer | Self::Reconnect(_) | Self::Connect(_) => return Ok(Vec::new()),
            Self::Wake | Self::Unlock => {
                let state = ScreenState::query(shell, cx).await?;
                let is_driven = !state.is_off() && !state.is_locked();
                return Ok(vec![SavedState::Screen { is_driven }]);
            }
            Self::DisableAnimations => (Table::Global, &phone::ANIMATIONS),
            Self::Grant | Self::EnableRuntimeApp => (Table::Secure, &GRANTS),
        };
        let mut now = Vec::new();
        for key in keys {
            let value = settings.get(table, key).await?;
            now.push(SavedState::Setting { table, key, value });
        }
        if matches!(self, Self::Grant | Self::EnableRuntimeApp) {
            let words = ["dumpsys", "package", package];
            let dump = shell.query(cx, &adb::command(words)).await?.text();
            let granted = format!("{NOTIFICATIONS}: granted=true");
            now.push(SavedState::Notifications {
                granted: dump.contains(&granted),
            });
        }
        Ok(now)
    }

    /// Changes the screen, and waits until the phone reports the change.
    async fn screen(&self, phone_shell: &PhoneShell, command: &str) -> driver::Result<()> {
        let PhoneShell { shell, cx, serial } = phone_shell;
        shell.change(cx, command).await?;
        let recovery = cx.within(RECOVERY_TIMEOUT);
        while phone::screen(shell, &recovery, serial)
            .await
            .repair
            .as_ref()
            == Some(self)
        {
            recovery.sleep(SCREEN_POLL).await?;
        }
        Ok(())
    }
}

/// A state that a repair may change.
#[derive(Debug, PartialEq, Eq)]
enum SavedState {
    Setting {
        table: Table,
        key: &'static str,
        value: Option<String>,
    },
    /// The notification permission of the app that gets the grants.
    Notifications {
        granted: bool,
    },
    Screen {
        is_driven: bool,
    },
}

impl SavedState {
    /// The command line that restores this state; `None` if nothing has to be restored.
    fn restore_command(&self, serial: &str, package: &str) -> Option<String> {
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

async fn disable_animations(phone_shell: &PhoneShell) -> driver::Result<()> {
    let settings = Settings::new(&phone_shell.shell, &phone_shell.cx);
    for key in phone::ANIMATIONS {
        settings.put(Table::Global, key, "0").await?;
    }
    Ok(())
}

/// Switches the service of the runtime app on, and waits until it answers.
async fn enable_runtime_app(phone_shell: &PhoneShell, setup: &AdbSetup) -> driver::Result<()> {
    let PhoneShell { shell, cx, serial } = phone_shell;
    match manage::grant_runtime_app(shell, cx).await?.outcome() {
        GrantOutcome::Now => {}
        // Android ended it, and starts it only when it is switched on anew.
        GrantOutcome::Already => manage::restart_runtime_app(shell, cx).await?,
        GrantOutcome::Not(what) => {
            return Err(DriverError::Refused(format!("{what} could not be granted")));
        }
    }
    attach::forget_app_failures(setup, serial);
    let target = AttachTarget::query(shell, cx).await?;
    let recovery = cx.within(RECOVERY_TIMEOUT);
    loop {
        let phone = shell.phone().clone();
        let source = AgentSource::App;
        match AgentDriver::open(serial, phone, target.clone(), source, &recovery).await {
            Err(AgentUnavailable::Phone(error)) => return Err(error),
            Err(AgentUnavailable::ServiceOff(_) | AgentUnavailable::NotReached(_)) => {
                recovery.sleep(SCREEN_POLL).await?;
            }
            // The next round of checks says what it is otherwise.
            _ => return Ok(()),
        }
    }
}
