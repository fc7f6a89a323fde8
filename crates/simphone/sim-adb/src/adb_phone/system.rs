//! System properties and settings.

use std::collections::BTreeMap;

use agent_protocol::APP_SERVICE;

use super::{Operator, Options};
use crate::operator_names::SERVICES;

pub(crate) const SYSTEM_PID: u32 = 1200;
const IME: &str = "com.android.inputmethod.latin/.LatinIME";
pub(crate) const RELEASE: &str = "16";
pub(crate) const SDK: u32 = 36;
const BUILD: &str = "CP1A.260105.004";

pub(crate) fn properties(options: &Options) -> BTreeMap<String, String> {
    let Options {
        model,
        product,
        device,
        serial,
        ..
    } = options;
    let rows = [
        ("persist.sys.locale", options.sim.language.clone()),
        (
            "ro.build.fingerprint",
            format!("Android/{product}/{device}:{RELEASE}/{BUILD}/1:user/release-keys"),
        ),
        ("ro.build.id", BUILD.to_owned()),
        ("ro.build.version.release", RELEASE.to_owned()),
        ("ro.build.version.sdk", SDK.to_string()),
        ("ro.product.cpu.abi", "arm64-v8a".to_owned()),
        ("ro.product.device", device.clone()),
        ("ro.product.manufacturer", "Clawperator".to_owned()),
        ("ro.product.model", model.clone()),
        ("ro.product.name", product.clone()),
        ("ro.serialno", serial.clone()),
        ("sys.boot_completed", "1".to_owned()),
    ];
    rows.into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

pub(crate) const TABLES: [&str; 3] = ["system", "secure", "global"];

/// The settings of a new phone, by table and key.
pub(crate) fn settings(options: &Options) -> BTreeMap<(String, String), String> {
    let rows = [
        ("system", "accelerometer_rotation", "1".to_owned()),
        ("system", "font_scale", options.sim.font_scale.to_string()),
        (
            "system",
            "user_rotation",
            options.sim.rotation.quarter_turns().to_string(),
        ),
        ("secure", "accessibility_enabled", "0".to_owned()),
        ("secure", "default_input_method", IME.to_owned()),
        ("global", "adb_enabled", "1".to_owned()),
        ("global", "animator_duration_scale", "1.0".to_owned()),
        ("global", "development_settings_enabled", "1".to_owned()),
        ("global", "device_name", options.model.clone()),
        ("global", "transition_animation_scale", "1.0".to_owned()),
        ("global", "window_animation_scale", "1.0".to_owned()),
    ];
    let mut settings: BTreeMap<(String, String), String> = rows
        .into_iter()
        .map(|(table, key, value)| ((table.to_owned(), key.to_owned()), value))
        .collect();
    let operator = options.operator.as_ref().map(Operator::service);
    let runtime_app = options.runtime_app.then(|| APP_SERVICE.to_owned());
    let services: Vec<String> = operator.into_iter().chain(runtime_app).collect();
    if !services.is_empty() {
        let mut put = |(table, key): (&str, &str), value: String| {
            settings.insert((table.to_owned(), key.to_owned()), value);
        };
        put(SERVICES, services.join(":"));
        put(("secure", "accessibility_enabled"), "1".to_owned());
    }
    settings
}
