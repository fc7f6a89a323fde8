//! What `--fix` does: the remedies that need nobody, done by this program itself.

use std::time::Duration;

use adb::client::locate;
use contract::ErrorBody;
use driver::DriverError;
use driver_android::manage::{self, Granted, Settings, Table};

use super::phone;
use crate::patient::Patient;
use crate::{Options, android};

/// How long a phone is given to come back, or to change as it was told.
const COMES_BACK: Duration = Duration::from_secs(10);
/// How often it is looked at meanwhile.
const GLANCE: Duration = Duration::from_millis(200);
/// How long one remedy on a phone may take.
const REMEDY: Duration = Duration::from_secs(30);

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

    /// Does it; an error says why it could not be done.
    pub(super) async fn perform(
        &self,
        options: &Options,
        device: Option<&str>,
        package: &str,
    ) -> Result<(), String> {
        let said = |error: adb::Error| error.to_string();
        match self {
            Self::Restart => {
                let server = android::server(&options.adb).map_err(|error| error.message)?;
                let program = options.adb.places.find().map_err(said)?;
                locate::restart(&program, server.address())
                    .await
                    .map_err(said)?;
                crate::sim::running::tell_all(&options.adb).await;
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
                android::comes_back(&server, address, COMES_BACK).await
            }
            Self::Wake | Self::Unlock | Self::Still | Self::Grant => {
                let done = self.on_phone(options, device, package).await;
                done.map_err(|error| error.message)
            }
        }
    }

    async fn on_phone(
        &self,
        options: &Options,
        device: Option<&str>,
        package: &str,
    ) -> Result<(), ErrorBody> {
        let patient = Patient::open(device, options, REMEDY).await?;
        let _lock = patient.lock(options, "doctor --fix").await?;
        let done = match self {
            Self::Wake => self.screen(&patient, "input keyevent KEYCODE_WAKEUP").await,
            Self::Unlock => self.screen(&patient, "wm dismiss-keyguard").await,
            Self::Still => still(&patient).await,
            Self::Grant => {
                let granted = manage::grant(&patient.shell, &patient.cx, package).await;
                granted.and_then(|grants| match grants.outcome() {
                    Granted::Not(what) => {
                        Err(DriverError::Refused(format!("{what} could not be granted")))
                    }
                    Granted::Already | Granted::Now => Ok(()),
                })
            }
            Self::Restart | Self::Reconnect(_) | Self::Connect(_) => Ok(()),
        };
        done.map_err(|error| patient.failed(&self.action(), &error))
    }

    /// Changes the screen, and waits until the phone says that it has changed.
    async fn screen(&self, patient: &Patient, command: &str) -> driver::Result<()> {
        let Patient { shell, cx, serial } = patient;
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

async fn still(patient: &Patient) -> driver::Result<()> {
    let settings = Settings::of(&patient.shell, &patient.cx);
    for key in phone::ANIMATIONS {
        settings.put(Table::Global, key, "0").await?;
    }
    Ok(())
}
