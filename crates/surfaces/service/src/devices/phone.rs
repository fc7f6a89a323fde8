//! Phones over adb.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use contract::{ErrorBody, ErrorCode, Execution, Transport, Warning, WarningCode};
use driver::{Cx, Driver};
use driver_android::manage::{self, PackageFilter};

use super::{DeviceConnection, DeviceKind, EventSink, OpenDevice, Purpose, ResolvedDevice};
use crate::phone::connection;
use crate::phone::{self, AndroidPhone, PlanTransport, RecorderRecords};
use crate::recorder::{self, ProcessRecorder};
use crate::secrets::LearningArtifacts;
use crate::{Device, Options, TransportChoice, TransportOptions, TransportUsed};

/// Phones, by their adb serial.
pub(super) struct PhoneKind;

#[async_trait]
impl DeviceKind for PhoneKind {
    fn owns(&self, _device: &str) -> bool {
        true
    }

    fn is_default(&self, _options: &Options) -> bool {
        true
    }

    fn noun(&self) -> &'static str {
        "a phone"
    }

    fn has_adb_shell(&self) -> bool {
        true
    }

    fn lock_name(&self, device: &str, options: &Options) -> String {
        connection::lock_name(&options.adb, device)
    }

    fn transport(&self) -> &'static str {
        "stock"
    }

    fn size_key(&self) -> &'static str {
        "wmSize"
    }

    async fn list(&self, options: &Options) -> Result<Vec<Device>, ErrorBody> {
        match connection::phones(&options.adb).await {
            // Without adb the list is empty; opening a phone by name reports the error.
            Err(error) if error.code == ErrorCode::AdbNotFound => Ok(Vec::new()),
            listed => listed,
        }
    }

    async fn resolve(
        &self,
        device: Option<&str>,
        options: &Options,
    ) -> Result<ResolvedDevice, ErrorBody> {
        let name = match device {
            Some(name) => name.to_owned(),
            None => connection::only(&options.adb).await?,
        };
        Ok(ResolvedDevice::named(name))
    }

    async fn reach(
        &self,
        resolved: &ResolvedDevice,
        options: &Options,
        cx: &Cx,
    ) -> Result<DeviceConnection, ErrorBody> {
        let (device, transport) = (&*resolved.name, resolved.transport(options));
        let phone = AndroidPhone::reach(device, &options.adb, transport, cx).await?;
        Ok(DeviceConnection { phone: Some(phone) })
    }

    async fn open(
        &self,
        resolved: &ResolvedDevice,
        reached: DeviceConnection,
        options: &Options,
        _purpose: Purpose,
        cx: &Cx,
    ) -> Result<Box<dyn OpenDevice>, ErrorBody> {
        let (device, transport) = (&*resolved.name, resolved.transport(options));
        let phone = match reached.phone {
            Some(phone) => phone,
            None => AndroidPhone::reach(device, &options.adb, transport, cx).await?,
        };
        let phone = AndroidPhone::open(device, phone, &options.adb, transport, cx);
        Ok(Box::new(with_recorders(phone.await?, device, options)))
    }

    async fn packages(
        &self,
        device: Option<&str>,
        options: &Options,
        filter: PackageFilter,
        within: Duration,
    ) -> Result<Vec<String>, ErrorBody> {
        let phone_shell = super::phone_shell(device, options, within).await?;
        let listed = manage::packages(&phone_shell.shell, &phone_shell.cx, filter).await;
        listed.map_err(|error| phone_shell.failed("listing its packages", &error))
    }

    fn check_recordings(&self, _device: Option<&str>) -> Result<(), ErrorBody> {
        Ok(())
    }
}

#[async_trait]
impl OpenDevice for AndroidPhone {
    fn driver(&mut self) -> &mut dyn Driver {
        self.driver()
    }

    async fn run(
        &mut self,
        execution: &Execution,
        transport: &TransportOptions,
        artifacts: &mut LearningArtifacts,
        cx: &Cx,
        on_event: EventSink<'_>,
    ) -> Result<(engine::Report, Option<TransportUsed>), ErrorBody> {
        self.find_app_that_records(execution, transport, cx).await?;
        let mut no_agent = None;
        let reason = match self.plan_transport(execution, transport)? {
            PlanTransport::Agent(used, reason) => {
                let fallback = self.fallback(used, &reason);
                let run = engine::run(self.driver(), execution, artifacts, cx, on_event);
                let used = TransportUsed {
                    transport: used,
                    reason,
                    fallback,
                };
                return Ok((Box::pin(run).await, Some(used)));
            }
            PlanTransport::Stock(why) => why,
            PlanTransport::Operator => {
                no_agent = self.fallback(Transport::Operator, "");
                self.quit_agent(cx).await?;
                let run = phone::operator::run(self, execution, artifacts, cx, on_event);
                let ran = Box::pin(run).await;
                if !ran.is_undone() || transport.via()? != TransportChoice::Auto {
                    let used = TransportUsed {
                        transport: Transport::Operator,
                        reason: self.app_name(),
                        fallback: no_agent,
                    };
                    return Ok((ran.report, Some(used)));
                }
                // The app itself reports that it did nothing, so a second attempt repeats nothing.
                format!(
                    "the accessibility service of {} is not running",
                    self.app_name()
                )
            }
        };
        self.refuse_recording(execution, &reason)?;
        let run = engine::run(&mut self.stock, execution, artifacts, cx, on_event);
        let mut report = Box::pin(run).await;
        if self.should_have_used_app(transport) {
            let message = format!("used stock instead of the Operator app: {reason}");
            let warning = Warning::new(WarningCode::OperatorNotUsed, message);
            report.warnings.push(warning);
        }
        let used = TransportUsed {
            transport: Transport::Stock,
            fallback: self.fallback(Transport::Stock, &reason).or(no_agent),
            reason,
        };
        Ok((report, Some(used)))
    }

    fn disconnect(&mut self) {
        self.disconnect_agent();
    }

    fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    fn outlives_connection(&self) -> bool {
        true
    }
}

/// Adds background recorders to the phone, if they can be started.
fn with_recorders(phone: AndroidPhone, device: &str, options: &Options) -> AndroidPhone {
    let Some(launcher) = &options.recorder else {
        return phone;
    };
    let records = RecorderRecords {
        folder: options.adb.locks.clone(),
        is_known: recorder::is_known,
    };
    phone.with_recorders(records, |form| {
        Arc::new(ProcessRecorder {
            device: device.to_owned(),
            folder: recorder::folder(options.recordings.as_deref(), device),
            runtime: options.adb.locks.clone(),
            launcher: launcher.clone(),
            form,
        })
    })
}
