//! Static data of a phone: what its properties tell at once, and its screen, which only a tool of the framework or the agent knows.

use driver::{Capabilities, Cx, DeviceInfo, DriverError, Platform, Result};
use uitree::Size;

use crate::shell::Shell;

/// Static data of a phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its model name, such as `Pixel 7`.
    pub model: String,
    /// Its Android version, such as `14`.
    pub release: String,
    /// Its API level, such as 34.
    pub sdk: u32,
    /// Its screen in device pixels as configured, unrotated.
    pub screen: Size,
    /// Dots per inch as configured; 0 if unknown.
    pub density: u32,
}

/// Separates the outputs within one command.
pub(crate) const PART_SEPARATOR: &str = "--clawperator--";

/// What a phone is, from its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) model: String,
    pub(crate) release: String,
    pub(crate) sdk: u32,
}

impl Identity {
    /// The script, with [`PART_SEPARATOR`] between its parts. It starts no tool of the framework.
    pub(crate) const SCRIPT: &str = "getprop ro.product.model; echo --clawperator--; \
         getprop ro.build.version.release; echo --clawperator--; getprop ro.build.version.sdk";
    /// The number of parts.
    pub(crate) const PARTS: usize = 3;

    /// Parses the beginning of `text`.
    pub(crate) fn read_or_refuse(text: &str, output: &adb::Output) -> Result<Self> {
        Self::read(&mut parts(text)).ok_or_else(|| no_phone(output))
    }

    fn read<'a>(parts: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        let (model, release, sdk) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self {
            model: model.to_owned(),
            release: release.to_owned(),
            sdk: sdk.parse().ok()?,
        })
    }

    /// The profile of a phone with this screen.
    pub(crate) fn with_screen(self, screen: Size, density: u32) -> Profile {
        Profile {
            model: self.model,
            release: self.release,
            sdk: self.sdk,
            screen,
            density,
        }
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(PART_SEPARATOR).map(str::trim)
}

fn no_phone(output: &adb::Output) -> DriverError {
    let output_text: String = output.error_text().chars().take(200).collect();
    DriverError::Refused(format!(
        "this does not answer as an Android phone: {output_text:?}"
    ))
}

impl Profile {
    /// The number of parts of the script.
    pub(crate) const PARTS: usize = Identity::PARTS + 2;

    /// The script, with [`PART_SEPARATOR`] between its parts.
    pub(crate) fn script() -> String {
        let identity = Identity::SCRIPT;
        format!("{identity}; echo {PART_SEPARATOR}; wm size; echo {PART_SEPARATOR}; wm density")
    }

    /// Requests the data from the phone.
    ///
    /// # Errors
    /// `Lost` if it cannot be reached, `Refused` if the output is unexpected.
    pub async fn query(shell: &Shell, cx: &Cx) -> Result<Self> {
        let output = shell.query(cx, &Self::script()).await?;
        Self::read_or_refuse(&output.text(), &output)
    }

    /// Parses the beginning of `text`.
    pub(crate) fn read_or_refuse(text: &str, output: &adb::Output) -> Result<Self> {
        Self::read(text).ok_or_else(|| no_phone(output))
    }

    /// What is known of the phone with this serial.
    pub(crate) fn device(&self, serial: &str, capabilities: Capabilities) -> DeviceInfo {
        DeviceInfo {
            id: serial.to_owned(),
            platform: Platform::Android,
            model: self.model.clone(),
            screen: self.screen,
            density: self.density,
            capabilities,
        }
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = parts(text);
        let identity = Identity::read(&mut parts)?;
        let (size, density) = (parts.next()?, parts.next()?);
        let density = set(density).and_then(|density| density.parse().ok());
        Some(identity.with_screen(screen(size)?, density.unwrap_or(0)))
    }
}

/// The size in the output of `wm size`, which may contain other lines.
pub(crate) fn screen(output_text: &str) -> Option<Size> {
    let (width, height) = set(output_text)?.split_once('x')?;
    let size = Size::new(width.trim().parse().ok()?, height.trim().parse().ok()?);
    (!size.to_rect().is_empty()).then_some(size)
}

/// The effective value of `Physical size: 1080x2400` and, if overridden, `Override size: 720x1600`.
fn set(text: &str) -> Option<&str> {
    let value = |name: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| {
            let (what, value) = line.split_once(':')?;
            what.trim().starts_with(name).then(|| value.trim())
        })
    };
    value("Override").or_else(|| value("Physical"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_is_parsed() {
        let text = "Pixel 7\r\n--clawperator--\n14\n--clawperator--\n34\n--clawperator--\n\
                    Physical size: 1080x2400\nOverride size: 720x1600\n--clawperator--\nPhysical density: 420\n";
        let profile = Profile::read(text).unwrap();
        assert_eq!(profile.model, "Pixel 7");
        assert_eq!((profile.sdk, profile.density), (34, 420));
        assert_eq!(profile.screen, Size::new(720, 1600));
        assert_eq!(Profile::read("sh: getprop: not found"), None);
    }
}
