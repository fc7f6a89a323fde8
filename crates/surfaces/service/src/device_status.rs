//! Every device with what it is and whether it can be driven now: all of them are asked at once, and one that does not
//! answer costs nobody else anything.

use std::time::Duration;

use contract::{ErrorBody, ErrorCode};
use driver::{Cx, DriverError};
use driver_android::{Presence, Shell};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::operator_package::OperatorPackage;
use crate::{Device, DeviceList, Options, Service, android, compat, devices, phone_shell};

/// A device, and what it says of itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceStatus {
    /// Its name and state.
    #[serde(flatten)]
    pub device: Device,
    /// What it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The version of Android as people say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub android_version: Option<String>,
    /// The level of its API.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sdk: Option<u32>,
    /// By which way it would be driven: `operator`, `stock` or `embedded`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way: Option<&'static str>,
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
            way: None,
            ready: false,
            problem: Some(problem),
        }
    }
}

impl Service {
    /// Every device that can be named now, each asked what it is, all at once and for `within` at most.
    ///
    /// # Errors
    /// As [`Service::devices`]; what is wrong with one device stands with it.
    pub async fn survey(
        &self,
        package: &OperatorPackage,
        within: Duration,
    ) -> Result<DeviceList<DeviceStatus>, ErrorBody> {
        let list = devices::list(&self.options).await?;
        let attached = list.devices.len();
        let devices = [list.devices, list.embedded].concat();
        let mut asked = tokio::task::JoinSet::new();
        let mut found: Vec<Option<DeviceStatus>> = devices.iter().map(|_| None).collect();
        for (place, device) in devices.iter().cloned().enumerate() {
            let (options, package) = (self.options.clone(), package.clone());
            asked.spawn(async move { (place, look(device, &options, &package, within).await) });
        }
        while let Some(ended) = asked.join_next().await {
            // One that ends without an answer is said to have none.
            if let Ok((place, surveyed)) = ended
                && let Some(slot) = found.get_mut(place)
            {
                *slot = Some(surveyed);
            }
        }
        let named = found.into_iter().zip(devices);
        let mut devices: Vec<DeviceStatus> = named
            .map(|(surveyed, device)| {
                surveyed.unwrap_or_else(|| {
                    let message = format!("{} was not asked to the end", device.serial);
                    DeviceStatus::unready(device, ErrorBody::new(ErrorCode::InternalError, message))
                })
            })
            .collect();
        let embedded = devices.split_off(attached);
        Ok(DeviceList { devices, embedded })
    }
}

async fn look(
    device: Device,
    options: &Options,
    package: &OperatorPackage,
    within: Duration,
) -> DeviceStatus {
    let kind = devices::kind_of(&device.serial);
    if !kind.has_adb_shell() {
        let way = kind.is_embedded().then(|| kind.way());
        return opened(device, way, options, within).await;
    }
    if device.state != android::READY {
        let problem = android::not_ready(&device.serial, &device.state);
        return DeviceStatus::unready(device, problem);
    }
    let asking = ask(&device, options, package, within);
    match tokio::time::timeout(within, asking).await {
        Ok(Ok(surveyed)) => surveyed,
        Ok(Err(problem)) => DeviceStatus::unready(device, problem),
        Err(_) => {
            let problem =
                phone_shell::failed(&device.serial, "asking what it is", &DriverError::Deadline);
            DeviceStatus::unready(device, problem)
        }
    }
}

async fn ask(
    device: &Device,
    options: &Options,
    package: &OperatorPackage,
    within: Duration,
) -> Result<DeviceStatus, ErrorBody> {
    // It is listed as ready; it is not asked for once more.
    let link = android::server(&options.adb)?.link(&device.serial);
    let shell = Shell::new(adb::Phone::new(std::sync::Arc::new(link)));
    let cx = Cx::new(within, CancellationToken::new());
    let found = driver_android::probe(&shell, &cx, package.name())
        .await
        .map_err(|error| phone_shell::failed(&device.serial, "asking what it is", &error))?;
    let (profile, presence) = (found.profile, found.operator.presence);
    let compatible = compat::judged(&device.serial, package.name(), &presence).compatible;
    let way = match presence {
        Presence::Installed(app) if compatible && app.serves() => "operator",
        _ => "stock",
    };
    Ok(DeviceStatus {
        device: device.clone(),
        model: Some(profile.model),
        android_version: Some(profile.release),
        sdk: Some(profile.sdk),
        way: Some(way),
        ready: true,
        problem: None,
    })
}

/// A device without a shell: it is ready when it can be opened.
async fn opened(
    device: Device,
    way: Option<&'static str>,
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
            way,
            ready: true,
            problem: None,
            device,
        },
        Err(problem) => DeviceStatus::unready(device, problem),
    }
}
