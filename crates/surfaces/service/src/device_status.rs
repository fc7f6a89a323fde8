//! The status of every device. All devices are queried concurrently, so that one that does not answer delays no other.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, DriverError};
use driver_android::{OLDEST_AGENT_SDK, Presence, Shell};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::operator_package::OperatorPackage;
use crate::phone::operator::compat;
use crate::phone::{agent_failures, connection, shell};
use crate::{Device, DeviceList, Options, Service, devices};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceStatus {
    /// Its name and state.
    #[serde(flatten)]
    pub device: Device,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub android_version: Option<String>,
    /// Its API level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sdk: Option<u32>,
    /// The transport that a command would use, as far as is known without an attempt: `agent`, `operator`, `stock` or
    /// `embedded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<&'static str>,
    /// Whether a command could drive it now.
    pub ready: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ErrorBody>,
}

impl DeviceStatus {
    fn unready(device: Device, problem: ErrorBody) -> Self {
        Self {
            device,
            model: None,
            android_version: None,
            sdk: None,
            via: None,
            ready: false,
            problem: Some(problem),
        }
    }
}

impl Service {
    /// The status of every device that can be named now, within a time limit.
    ///
    /// # Errors
    /// As [`Service::devices`]; the error of one device is part of its status.
    pub async fn device_statuses(
        &self,
        package: &OperatorPackage,
        within: Duration,
    ) -> Result<DeviceList<DeviceStatus>, ErrorBody> {
        let list = devices::list(&self.options).await?;
        let attached = list.devices.len();
        let devices = [list.devices, list.embedded].concat();
        let mut queries = tokio::task::JoinSet::new();
        let mut found: Vec<Option<DeviceStatus>> = devices.iter().map(|_| None).collect();
        for (place, device) in devices.iter().cloned().enumerate() {
            let (options, package) = (self.options.clone(), package.clone());
            queries.spawn(async move { (place, query(device, &options, &package, within).await) });
        }
        while let Some(ended) = queries.join_next().await {
            // A query that panics counts as no answer.
            if let Ok((place, status)) = ended
                && let Some(slot) = found.get_mut(place)
            {
                *slot = Some(status);
            }
        }
        let named = found.into_iter().zip(devices);
        let mut devices: Vec<DeviceStatus> = named
            .map(|(status, device)| {
                status.unwrap_or_else(|| {
                    let message = format!("the status of {} could not be read", device.serial);
                    DeviceStatus::unready(device, ErrorBody::new(ErrorCode::InternalError, message))
                })
            })
            .collect();
        let embedded = devices.split_off(attached);
        Ok(DeviceList { devices, embedded })
    }
}

async fn query(
    device: Device,
    options: &Options,
    package: &OperatorPackage,
    within: Duration,
) -> DeviceStatus {
    let kind = devices::kind_of(&device.serial);
    if !kind.has_adb_shell() {
        let via = kind.is_embedded().then(|| kind.transport());
        return opened(device, via, options, within).await;
    }
    if device.state != connection::READY {
        let problem = connection::not_ready(&device.serial, &device.state);
        return DeviceStatus::unready(device, problem);
    }
    let asking = query_phone(&device, options, package, within);
    match tokio::time::timeout(within, asking).await {
        Ok(Ok(status)) => status,
        Ok(Err(problem)) => DeviceStatus::unready(device, problem),
        Err(_) => {
            let problem = shell::failed(
                &device.serial,
                "reading its properties",
                &DriverError::Deadline,
            );
            DeviceStatus::unready(device, problem)
        }
    }
}

async fn query_phone(
    device: &Device,
    options: &Options,
    package: &OperatorPackage,
    within: Duration,
) -> Result<DeviceStatus, ErrorBody> {
    // It was listed as ready just now.
    let link = connection::server(&options.adb)?.link(&device.serial);
    let shell = Shell::new(adb::Phone::new(std::sync::Arc::new(link)));
    let cx = Cx::new(within, CancellationToken::new());
    let found = driver_android::probe(&shell, &cx, package.name())
        .await
        .map_err(|error| shell::failed(&device.serial, "reading its properties", &error))?;
    let (profile, presence) = (found.profile, found.operator.presence);
    let compatible = compat::from_presence(&device.serial, package.name(), &presence).compatible;
    let failed_before = agent_failures::recent(&options.adb.locks, &device.serial).is_some();
    let via = match presence {
        _ if profile.sdk >= OLDEST_AGENT_SDK && !failed_before => "agent",
        Presence::Installed(app) if compatible && app.serves() => "operator",
        _ => "stock",
    };
    Ok(DeviceStatus {
        device: device.clone(),
        model: Some(profile.model),
        android_version: Some(profile.release),
        sdk: Some(profile.sdk),
        via: Some(via),
        ready: true,
        problem: None,
    })
}

/// A device without a shell: it is ready if it can be opened.
async fn opened(
    device: Device,
    via: Option<&'static str>,
    options: &Options,
    within: Duration,
) -> DeviceStatus {
    let cx = Cx::new(within, CancellationToken::new());
    let opened = async {
        let resolved = devices::resolve(Some(&device.serial), options).await?;
        devices::open_within(&resolved, options, devices::Purpose::Any, &cx).await
    };
    match opened.await {
        Ok(mut opened) => DeviceStatus {
            model: Some(opened.driver().info().model.clone()),
            android_version: None,
            sdk: None,
            via,
            ready: true,
            problem: None,
            device,
        },
        Err(problem) => DeviceStatus::unready(device, problem),
    }
}
