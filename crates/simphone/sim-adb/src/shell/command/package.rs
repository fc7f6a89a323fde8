//! `pm` and `cmd package`: lists, installs and resolves packages.

use driver_sim::{Grant, Permission};

use super::Call;
use super::intent::{Intent, MAIN};
use crate::adb_phone::{InstalledPackage, RuntimeApp, is_runtime_app};
use crate::apk::Apk;
use crate::fault::WireFault;
use crate::files::Errno;
use crate::packages::{self, Package, short};
use crate::shell::io::CommandResult;

const LARGEST: usize = 64 * 1024 * 1024;

/// Permissions by their Android names. Source: `android.Manifest.permission`.
pub(super) const PERMISSIONS: [(&str, Permission); 16] = [
    ("CAMERA", Permission::Camera),
    ("RECORD_AUDIO", Permission::Microphone),
    ("ACCESS_FINE_LOCATION", Permission::Location),
    ("ACCESS_COARSE_LOCATION", Permission::Location),
    ("POST_NOTIFICATIONS", Permission::Notifications),
    ("READ_CONTACTS", Permission::Contacts),
    ("WRITE_CONTACTS", Permission::Contacts),
    ("READ_CALENDAR", Permission::Calendar),
    ("WRITE_CALENDAR", Permission::Calendar),
    ("READ_MEDIA_IMAGES", Permission::Photos),
    ("READ_MEDIA_VIDEO", Permission::Photos),
    ("CALL_PHONE", Permission::Phone),
    ("READ_PHONE_STATE", Permission::Phone),
    ("SEND_SMS", Permission::Sms),
    ("READ_SMS", Permission::Sms),
    ("BLUETOOTH_CONNECT", Permission::NearbyDevices),
];

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let command = call.arg(1).unwrap_or_default();
    match command {
        "list" => list(call).await,
        "path" => {
            let Some(found) = find(call, 2).await else {
                return Ok(1);
            };
            call.done(format!("package:{}", found.path())).await
        }
        "grant" | "revoke" => grant(call, command).await,
        "install" => install(call).await,
        "uninstall" => uninstall(call).await,
        "resolve-activity" => resolve(call, command).await,
        other => call.unknown_command(other).await,
    }
}

/// The words that are neither flags nor values of flags.
pub(super) fn plain(words: &[String]) -> Vec<&str> {
    let mut plain = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--user" | "-i" => {
                words.next();
            }
            word if word.starts_with('-') && word.len() > 1 => {}
            word => plain.push(word),
        }
    }
    plain
}

async fn find(call: Call<'_>, place: usize) -> Option<Package> {
    let name = plain(call.from(place)).into_iter().next()?;
    packages::find(call.adb_phone(), call.driver().await.phone(), name)
}

async fn list(call: Call<'_>) -> CommandResult {
    let words = call.from(3);
    let has = |flag: &str| words.iter().any(|word| word == flag);
    let kind = call.arg(2).unwrap_or("null");
    if kind != "packages" {
        let why = format!("Error: unknown list type '{kind}'");
        return call.fail(why, 255).await;
    }
    let all = packages::all(call.adb_phone(), call.driver().await.phone());
    let filter = plain(words).into_iter().next().unwrap_or_default();
    for each in all {
        let is_listed = (!has("-3") || !each.system) && (!has("-s") || each.system) && !has("-d");
        if !is_listed || !each.name.contains(filter) {
            continue;
        }
        call.print_line(format!("package:{}", each.name)).await?;
    }
    Ok(0)
}

async fn grant(call: Call<'_>, command: &str) -> CommandResult {
    let words = plain(call.from(2));
    let [package, name, ..] = words.as_slice() else {
        let why = "Error: no package or permission specified";
        return call.fail(why, 1).await;
    };
    let mut driver = call.driver().await;
    let phone = driver.phone_mut();
    if packages::find(call.adb_phone(), phone, package).is_none() {
        drop(driver);
        let why = format!("java.lang.IllegalArgumentException: Unknown package: {package}");
        return call.throws(command, &why).await;
    }
    let short = name.strip_prefix("android.permission.").unwrap_or_default();
    let known = PERMISSIONS.iter().find(|(known, _)| *known == short);
    let Some((_, permission)) = known else {
        drop(driver);
        let why = if short.is_empty() {
            format!("java.lang.IllegalArgumentException: Unknown permission: {name}")
        } else {
            format!(
                "java.lang.SecurityException: Permission {name} requested by {package} is not a changeable permission type"
            )
        };
        return call.throws(command, &why).await;
    };
    let answer = match command {
        "grant" => Grant::Allowed,
        _ => Grant::Denied,
    };
    phone.set_permission(package, *permission, answer);
    Ok(0)
}

async fn install(call: Call<'_>) -> CommandResult {
    let words = call.from(2);
    let size = words.iter().position(|word| word == "-S");
    let size = size.and_then(|place| words.get(place + 1));
    let mut name = "base.apk".to_owned();
    let bytes = match size.map(|size| size.parse::<usize>()) {
        Some(Ok(size)) if size <= LARGEST => call.io.input.exactly(size).await,
        Some(_) => return call.fail("Error: invalid size of the app", 1).await,
        None => {
            let Some(file) = plain(words).into_iter().next() else {
                return call.fail("Error: no package specified", 1).await;
            };
            name = file.to_owned();
            match call.adb_phone().files().read(&call.path(file)) {
                Ok(bytes) => bytes.to_vec(),
                Err(errno) => {
                    let why = format!(
                        "Error: Unable to open file: {file}\nError: Consider using a file under \
                                       /data/local/tmp/\n{errno}"
                    );
                    return call.fail(why, 255).await;
                }
            }
        }
    };
    if call.adb_phone().faults().has(&WireFault::FullDisk) {
        let why = format!("INSTALL_FAILED_INSUFFICIENT_STORAGE: {}", Errno::NoSpace);
        return failed(call, &why).await;
    }
    if Apk::is_apk(&bytes) {
        return install_apk(call, &bytes).await;
    }
    let Ok(yaml) = String::from_utf8(bytes) else {
        let why = "INSTALL_PARSE_FAILED_NOT_APK: the file is not an app of the simulated phone";
        return failed(call, why).await;
    };
    let done = call.driver().await.phone_mut().install(&name, &yaml);
    let package = match done {
        Ok(package) => package,
        Err(error) => {
            let why = error.to_string().replace('\n', "; ");
            let why = format!("INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION: {why}");
            return failed(call, &why).await;
        }
    };
    {
        let mut state = call.adb_phone().state();
        let old = state.installed.get(&*package);
        let version = old.map_or(1, |old| old.version + 1);
        let app = InstalledPackage { yaml, version };
        state.installed.insert(package.to_string(), app);
    }
    call.done("Success").await
}

/// Installs the Operator app or the agent's app form; refuses other APKs, which the phone cannot run.
async fn install_apk(call: Call<'_>, bytes: &[u8]) -> CommandResult {
    let apk = match Apk::read(bytes) {
        Ok(apk) => apk,
        Err(why) => {
            let why = format!("INSTALL_PARSE_FAILED_MANIFEST_MALFORMED: {why}");
            return failed(call, &why).await;
        }
    };
    let adb_phone = call.adb_phone();
    if is_runtime_app(&apk.package) {
        adb_phone.install_runtime_app(RuntimeApp::of_file(bytes));
        return call.done("Success").await;
    }
    let maker = adb_phone.options().installable.clone();
    let Some(maker) = maker.filter(|_| apk.is_operator) else {
        let why = "INSTALL_FAILED_INVALID_APK: the simulated phone runs only its own app files and the Operator app";
        return failed(call, why).await;
    };
    let fresh = (maker.0)(&apk);
    if let Some(old) = adb_phone.operator() {
        if old.package != fresh.package {
            let why =
                "INSTALL_FAILED_INVALID_APK: the simulated phone has one Operator app at a time";
            return failed(call, why).await;
        }
        if old.version_code() > fresh.version_code() {
            let why = "INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected";
            return failed(call, why).await;
        }
    }
    adb_phone.install_operator(fresh);
    call.done("Success").await
}

async fn failed(call: Call<'_>, why: &str) -> CommandResult {
    call.print_line(format!("Failure [{why}]")).await?;
    Ok(1)
}

async fn uninstall(call: Call<'_>) -> CommandResult {
    let words = plain(call.from(2));
    let package = words.first().copied().unwrap_or_default();
    let Some(found) = find(call, 2).await else {
        return failed(call, "DELETE_FAILED_INTERNAL_ERROR").await;
    };
    let adb_phone = call.adb_phone();
    let operator = adb_phone.operator();
    if is_runtime_app(package) {
        adb_phone.uninstall_runtime_app();
    } else if operator.is_some_and(|operator| operator.package == package) {
        adb_phone.uninstall_operator();
    } else if call.driver().await.phone_mut().uninstall(package) {
        adb_phone.state().installed.remove(package);
    } else {
        let why = match found.system {
            true => "DELETE_FAILED_INTERNAL_ERROR",
            false => "DELETE_FAILED_DEVICE_POLICY_MANAGER",
        };
        return failed(call, why).await;
    }
    call.done("Success").await
}

async fn resolve(call: Call<'_>, command: &str) -> CommandResult {
    let mut intent = match Intent::read(call.from(2)) {
        Ok(read) => read,
        Err(why) => return call.throws(command, &why).await,
    };
    if intent.action.is_none() && intent.data.is_none() && intent.component.is_none() {
        intent.action = Some(MAIN.to_owned());
    }
    let activities = intent.resolve(call.adb_phone(), call.driver().await.phone());
    let Some((package, class)) = activities.first() else {
        return call.done("No activity found").await;
    };
    call.print_line("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true")
        .await?;
    call.done(short(&package.name, class)).await
}
