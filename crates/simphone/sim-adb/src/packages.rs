//! The packages of the package manager: apps of the phone, of the system, and the Operator app.

use std::sync::Arc;

use agent_protocol::APP_PACKAGE;
use driver_sim::journal::Event;
use driver_sim::{PackageInfo, Phone};

use crate::adb_phone::AdbPhone;
use crate::adb_phone::system::{RELEASE, SDK, SYSTEM_PID};

/// System packages without a screen, each with its process id, or 0 without a process.
const SYSTEM: [(&str, u32); 5] = [
    ("android", SYSTEM_PID),
    ("com.android.inputmethod.latin", 1502),
    ("com.android.permissioncontroller", 0),
    ("com.android.shell", 0),
    ("com.android.systemui", 1431),
];
/// Added to the index of the journal entry of a start, it gives the process id.
const FIRST_PID: u32 = 3000;

#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) system: bool,
    /// Its process id, while it runs.
    pub(crate) pid: Option<u32>,
    pub(crate) version: (String, u64),
    /// The classes of its activities, the first of which the launcher starts.
    pub(crate) activities: Vec<String>,
}

impl Package {
    pub(crate) fn path(&self) -> String {
        if self.system {
            let short = self.name.rsplit('.').next().unwrap_or(&self.name);
            return format!("/system/app/{short}/{short}.apk");
        }
        let name = &self.name;
        format!("/data/app/~~c2ltdWxhdGVk==/{name}-cGhvbmU==/base.apk")
    }

    /// Its activity of this class; a leading dot abbreviates the package.
    pub(crate) fn activity(&self, class: &str) -> Option<&str> {
        let whole = full_class(&self.name, class);
        let mut classes = self.activities.iter().map(String::as_str);
        classes.find(|each| *each == whole)
    }
}

/// A component as `package/class`, where a leading dot abbreviates the package.
pub(crate) fn short(package: &str, class: &str) -> String {
    match class.strip_prefix(package) {
        Some(rest) if rest.starts_with('.') => format!("{package}/{rest}"),
        _ => format!("{package}/{class}"),
    }
}

/// The full name of a class that may start with a dot.
pub(crate) fn full_class(package: &str, class: &str) -> String {
    match class.starts_with('.') {
        true => format!("{package}{class}"),
        false => class.to_owned(),
    }
}

pub(crate) fn all(adb_phone: &AdbPhone, phone: &Phone) -> Vec<Package> {
    let of_phone = |info| of_phone(adb_phone, phone, info);
    let mut all: Vec<Package> = phone.packages().into_iter().map(of_phone).collect();
    for (name, pid) in SYSTEM {
        all.push(Package {
            name: name.to_owned(),
            system: true,
            pid: (pid != 0).then_some(pid),
            version: (RELEASE.to_owned(), u64::from(SDK)),
            activities: Vec::new(),
        });
    }
    if let Some(operator) = adb_phone.operator() {
        all.push(Package {
            name: operator.package.clone(),
            system: false,
            pid: adb_phone.operator_pid(),
            version: (operator.version.clone(), operator.version_code()),
            activities: vec![crate::operator_names::ACTIVITY.to_owned()],
        });
    }
    if adb_phone.state().runtime_app.is_some() {
        all.push(Package {
            name: APP_PACKAGE.to_owned(),
            system: false,
            pid: None,
            version: ("1".to_owned(), 1),
            activities: vec!["clawperator.agent.StatusActivity".to_owned()],
        });
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

pub(crate) fn find(adb_phone: &AdbPhone, phone: &Phone, name: &str) -> Option<Package> {
    let all = all(adb_phone, phone);
    all.into_iter().find(|each| each.name == name)
}

pub fn is_system_app(info: &PackageInfo) -> bool {
    info.built_in && info.package.starts_with("com.android.")
}

fn of_phone(adb_phone: &AdbPhone, phone: &Phone, info: PackageInfo) -> Package {
    let system = is_system_app(&info);
    let state = adb_phone.state();
    let version = match state.installed.get(&*info.package).map(|app| app.version) {
        Some(version) => (format!("1.{}", version - 1), version),
        None if system => (RELEASE.to_owned(), u64::from(SDK)),
        None => ("1.0".to_owned(), 1),
    };
    Package {
        system,
        pid: info.running.then(|| pid_of(phone, &info.package)),
        version,
        name: info.package.to_string(),
        activities: info.activities.iter().map(ToString::to_string).collect(),
    }
}

/// The process id of a running app, which differs after each start.
fn pid_of(phone: &Phone, package: &Arc<str>) -> u32 {
    let log = phone.log();
    let started = log
        .since(0)
        .filter(|(_, entry)| matches!(&entry.what, Event::Started(app) if app == package));
    let place = started.last().map_or(0, |(place, _)| place);
    FIRST_PID + u32::try_from(place % 29_000).unwrap_or(0)
}
