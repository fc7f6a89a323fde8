//! What a phone is: asked once, in one command.

use driver::{Cx, DriverError, Result};
use uitree::Size;

use crate::shell::Shell;

/// What a phone is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// What it calls itself, such as `Pixel 7`.
    pub model: String,
    /// The version of Android as people say it, such as `14`.
    pub release: String,
    /// The level of its API, such as 34.
    pub sdk: u32,
    /// Its screen in device pixels, unrotated, as it is set.
    pub screen: Size,
    /// Dots per inch, as set; 0 where the phone does not say.
    pub density: u32,
}

/// Stands between the answers of one command.
pub(crate) const NEXT: &str = "--clawperator--";

impl Profile {
    /// What it is asked, in so many parts with [`NEXT`] between them.
    pub(crate) const SCRIPT: &str = "getprop ro.product.model; echo --clawperator--; \
         getprop ro.build.version.release; echo --clawperator--; getprop ro.build.version.sdk; echo --clawperator--; \
         wm size; echo --clawperator--; wm density";
    /// The parts of the answer.
    pub(crate) const PARTS: usize = 5;

    /// Asks the phone.
    ///
    /// # Errors
    /// `Lost` when it cannot be reached, `Refused` when its answers are not those of a phone.
    pub async fn of(shell: &Shell, cx: &Cx) -> Result<Self> {
        let output = shell.query(cx, Self::SCRIPT).await?;
        Self::read_or_refuse(&output.text(), &output)
    }

    /// Reads the answer, which `text` begins with.
    pub(crate) fn read_or_refuse(text: &str, output: &adb::Output) -> Result<Self> {
        Self::read(text).ok_or_else(|| {
            let said: String = output.error_text().chars().take(200).collect();
            DriverError::Refused(format!(
                "this does not answer as an Android phone: {said:?}"
            ))
        })
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(NEXT).map(str::trim);
        let (model, release, sdk) = (parts.next()?, parts.next()?, parts.next()?);
        let (size, density) = (parts.next()?, parts.next()?);
        Some(Self {
            model: model.to_owned(),
            release: release.to_owned(),
            sdk: sdk.parse().ok()?,
            screen: screen(size)?,
            density: set(density)
                .and_then(|density| density.parse().ok())
                .unwrap_or(0),
        })
    }
}

/// The size in the words of `wm size`, which other words may stand around.
pub(crate) fn screen(said: &str) -> Option<Size> {
    let (width, height) = set(said)?.split_once('x')?;
    let size = Size::new(width.trim().parse().ok()?, height.trim().parse().ok()?);
    (!size.to_rect().is_empty()).then_some(size)
}

/// The value that counts in `Physical size: 1080x2400` and, where somebody has set another, `Override size: 720x1600`.
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
    fn a_phone_says_what_it_is() {
        let text = "Pixel 7\r\n--clawperator--\n14\n--clawperator--\n34\n--clawperator--\n\
                    Physical size: 1080x2400\nOverride size: 720x1600\n--clawperator--\nPhysical density: 420\n";
        let profile = Profile::read(text).unwrap();
        assert_eq!(profile.model, "Pixel 7");
        assert_eq!((profile.sdk, profile.density), (34, 420));
        assert_eq!(profile.screen, Size::new(720, 1600));
        assert_eq!(Profile::read("sh: getprop: not found"), None);
    }
}
