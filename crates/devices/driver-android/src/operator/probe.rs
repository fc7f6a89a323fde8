//! Probes a phone and its Operator app: everything needed to open it, in one command.

use driver::{Cx, DriverError, Result};

use crate::names::check_package;
use crate::operator::SERVICE;
use crate::profile::{PART_SEPARATOR, Profile};
use crate::shell::Shell;

/// Data of a phone and its Operator app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The phone.
    pub profile: Profile,
    /// The Operator app.
    pub operator: OperatorState,
}

/// The state of the Operator app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorState {
    /// The requested package.
    pub package: String,
    /// Whether it is installed.
    pub presence: Presence,
}

/// Whether the app is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is.
    Installed(InstalledOperator),
    /// It is not, but its release or debug variant with this package is.
    Other(String),
    /// Neither is.
    Missing,
    /// The package manager failed.
    Unknown {
        /// Its exit status.
        status: u8,
        /// Its message.
        message: String,
    },
}

/// An installed app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledOperator {
    /// Its `versionName`, if known.
    pub version: Option<String>,
    /// Its `versionCode`, if known.
    pub version_code: Option<String>,
    /// Whether its accessibility service is enabled in the phone's settings.
    pub service: Switch,
    /// Its process, if it runs.
    pub pid: Option<u32>,
}

/// Whether a service is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Enabled.
    On,
    /// Disabled.
    Off,
}

impl InstalledOperator {
    /// Whether its accessibility service runs, according to settings and process list.
    pub fn serves(&self) -> bool {
        self.service == Switch::On && self.pid.is_some()
    }
}

/// The release or debug variant of a package: without or with the suffix `.dev`.
pub fn sibling_package(package: &str) -> String {
    match package.strip_suffix(".dev") {
        Some(release) => release.to_owned(),
        None => format!("{package}.dev"),
    }
}

/// Probes a phone and its Operator app with this package, in one command.
///
/// # Errors
/// `NotInstalled` if it is not a package name, `Lost` if the phone cannot be reached, `Refused` if the output
/// is unexpected, and the end of the context.
pub async fn probe(shell: &Shell, cx: &Cx, package: &str) -> Result<Probe> {
    let script = format!(
        "{}; echo {PART_SEPARATOR}; {}",
        Profile::script(),
        script(package)?
    );
    let output = shell.query(cx, &script).await?;
    let text = output.text();
    let profile = Profile::read_or_refuse(&text, &output)?;
    let operator = state(package, &text, Profile::PARTS)?;
    Ok(Probe { profile, operator })
}

/// Probes the Operator app with this package.
pub async fn operator_state(shell: &Shell, cx: &Cx, package: &str) -> Result<OperatorState> {
    let output = shell.query(cx, &script(package)?).await?;
    state(package, &output.text(), 0)
}

/// The part of the script about the app, which does more only if it is installed.
fn script(package: &str) -> Result<String> {
    check_package(package).map_err(|_| DriverError::NotInstalled(package.to_owned()))?;
    // The filter matches substrings: both variants contain the release name.
    let release = package.strip_suffix(".dev").unwrap_or(package);
    Ok(format!(
        "a=$(pm list packages {release} 2>&1); echo $?; echo \"$a\"; \
         if echo \"$a\" | grep -q '^package:{package}$'; then \
         echo {PART_SEPARATOR}; dumpsys package {package} | grep -E 'versionName=|versionCode='; \
         echo {PART_SEPARATOR}; settings get secure enabled_accessibility_services; echo {PART_SEPARATOR}; pidof {package}; fi"
    ))
}

/// Parses the output about the app, after `others` other parts.
fn state(package: &str, text: &str, other_parts: usize) -> Result<OperatorState> {
    let mut parts = text.split(PART_SEPARATOR).skip(other_parts).map(str::trim);
    let presence = read(package, &mut parts).ok_or_else(|| {
        let begin = text.char_indices().rev().nth(200).map_or(0, |(at, _)| at);
        let message = text.get(begin..).unwrap_or_default();
        DriverError::Refused(format!("the package manager did not answer: {message:?}"))
    })?;
    Ok(OperatorState {
        package: package.to_owned(),
        presence,
    })
}

/// Parses the parts after those about the phone.
fn read<'a>(package: &str, parts: &mut impl Iterator<Item = &'a str>) -> Option<Presence> {
    let listed = parts.next()?;
    let (status, listed) = listed.split_once('\n').unwrap_or((listed, ""));
    let status: u8 = status.trim().parse().ok()?;
    let has = |name: &str| {
        let mut names = listed
            .lines()
            .filter_map(|line| line.trim().strip_prefix("package:"));
        names.any(|its| its == name)
    };
    if has(package) {
        let dump = parts.next()?;
        let value = |key: &str| {
            let mut lines = dump.lines().map(str::trim);
            lines.find_map(|line| line.strip_prefix(key)).map(str::trim)
        };
        let services = parts.next()?;
        let service = format!("{package}/{SERVICE}");
        let on = services.split(':').any(|each| each.trim() == service);
        // An app may have several processes; the first is the main one.
        let pid = parts.next().unwrap_or_default();
        let code = value("versionCode=").and_then(|code| code.split_whitespace().next());
        return Some(Presence::Installed(InstalledOperator {
            version: value("versionName=").map(str::to_owned),
            version_code: code.map(str::to_owned),
            service: if on { Switch::On } else { Switch::Off },
            pid: pid
                .split_whitespace()
                .next()
                .and_then(|pid| pid.parse().ok()),
        }));
    }
    let sibling = sibling_package(package);
    if has(&sibling) {
        return Some(Presence::Other(sibling));
    }
    if status != 0 {
        let message = listed.trim().chars().take(300).collect();
        return Some(Presence::Unknown { status, message });
    }
    Some(Presence::Missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "com.clawperator.operator";

    fn read(package: &str, text: &str) -> Option<Presence> {
        super::read(package, &mut text.split(PART_SEPARATOR).map(str::trim))
    }

    #[test]
    fn probe_output_is_parsed() {
        let whole = format!(
            "0\r\npackage:{PACKAGE}\r\n{PART_SEPARATOR}\n    versionCode=503900 minSdk=24\n    versionName=0.5.3\n{PART_SEPARATOR}\n\
             a.b/.C:{PACKAGE}/{SERVICE}\n{PART_SEPARATOR}\n2477\n"
        );
        let Some(Presence::Installed(installed)) = read(PACKAGE, &whole) else {
            panic!("{whole}");
        };
        assert_eq!(installed.version.as_deref(), Some("0.5.3"));
        assert_eq!(installed.version_code.as_deref(), Some("503900"));
        assert!(installed.serves());
        let off = whole.replace(&format!(":{PACKAGE}/{SERVICE}"), "");
        let Some(Presence::Installed(installed)) = read(PACKAGE, &off) else {
            panic!("{off}");
        };
        assert_eq!(installed.service, Switch::Off);
        let dead = whole.replace("2477\n", "");
        let Some(Presence::Installed(installed)) = read(PACKAGE, &dead) else {
            panic!("{dead}");
        };
        assert!(!installed.serves(), "{installed:?}");
    }

    #[test]
    fn package_names_are_compared_exactly() {
        let other_parts = format!("0\npackage:{PACKAGE}.dev\npackage:{PACKAGE}.device\n");
        let dev = format!("{PACKAGE}.dev");
        assert_eq!(
            read(PACKAGE, &other_parts),
            Some(Presence::Other(dev.clone()))
        );
        let release = format!("0\npackage:{PACKAGE}\n");
        assert_eq!(
            read(&dev, &release),
            Some(Presence::Other(PACKAGE.to_owned()))
        );
        assert_eq!(read(PACKAGE, "0\n"), Some(Presence::Missing));
        assert_eq!(
            read(PACKAGE, "20\ncmd: Can't find service: package"),
            Some(Presence::Unknown {
                status: 20,
                message: "cmd: Can't find service: package".to_owned()
            })
        );
        assert_eq!(read(PACKAGE, "sh: pm: not found"), None);
    }
}
