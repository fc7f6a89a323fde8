//! Whether a phone's screen is on and unlocked, and how it is woken.

use std::time::Duration;

use driver::{Cx, DriverError, Result};

use crate::profile::NEXT;
use crate::shell::Shell;

/// Asks for the state of the screen, in two parts with [`NEXT`] between them. Each version of Android says of its lock
/// screen elsewhere.
pub(crate) const ASK: &str = "dumpsys power | grep mWakefulness=; echo --clawperator--; \
     dumpsys window policy | grep -E 'KeyguardServiceDelegate|showing=|occluded=|secure=|mIsShowing='; \
     dumpsys window | grep -E 'mDreamingLockscreen|mShowingLockscreen|isStatusBarKeyguard|isKeyguardShowing'";
/// Refuses what comes behind it while the screen is off: `input` itself ends with 0 then, and nothing happens.
pub(crate) const UNLESS_OFF: &str = "dumpsys power | grep -qE 'mWakefulness=(Asleep|Dozing|Dreaming)' && { echo clawperator-screen-off; exit 1; }; ";
/// What [`UNLESS_OFF`] says.
pub(crate) const OFF: &str = "clawperator-screen-off";
/// How long a phone is given to wake, and to put its lock screen away.
const CHANGES_WITHIN: Duration = Duration::from_secs(5);
/// How often it is asked meanwhile.
const POLL: Duration = Duration::from_millis(100);

/// What a phone says of its screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenState {
    /// `Awake`, `Asleep`, `Dozing`, `Dreaming`; `None` where it does not say.
    pub wakefulness: Option<String>,
    /// The lock screen; `None` where it does not say.
    pub lock: Option<Lock>,
}

/// The lock screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Whether it is shown, with no app such as an alarm over it.
    pub showing: bool,
    /// Whether it asks for a PIN, a pattern or a password, where the phone says.
    pub secure: Option<bool>,
}

impl ScreenState {
    /// Asks a phone.
    ///
    /// # Errors
    /// `Lost` when the phone cannot be reached, and the ends of the context.
    pub async fn of(shell: &Shell, cx: &Cx) -> Result<Self> {
        Ok(Self::read(&shell.query(cx, ASK).await?.text()))
    }

    /// Reads the answer to [`ASK`].
    pub(crate) fn read(output: &str) -> Self {
        let (power, window) = output.split_once(NEXT).unwrap_or((output, ""));
        Self {
            wakefulness: wakefulness(power).map(str::to_owned),
            lock: lock(window),
        }
    }

    /// Whether the screen is off, or shows a screen saver.
    pub fn is_off(&self) -> bool {
        self.wakefulness
            .as_deref()
            .is_some_and(|word| word != "Awake")
    }

    /// Whether the lock screen is shown.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some_and(|lock| lock.showing)
    }

    /// Whether the lock screen is shown and goes away without a secret, as far as the phone says.
    pub fn is_dismissible(&self) -> bool {
        self.lock
            .is_some_and(|lock| lock.showing && lock.secure != Some(true))
    }

    /// What keeps the screen from being driven.
    ///
    /// # Errors
    /// `ScreenOff`, `Locked`.
    pub fn check(&self) -> Result<()> {
        if self.is_off() {
            Err(DriverError::ScreenOff)
        } else if self.is_locked() {
            Err(DriverError::Locked)
        } else {
            Ok(())
        }
    }
}

/// Switches the screen on where it is off, and puts a lock screen away that needs no secret. Gives what the phone says then.
///
/// # Errors
/// `InputDenied`, `Refused`, `Lost`, and the ends of the context.
pub async fn wake(shell: &Shell, cx: &Cx) -> Result<ScreenState> {
    let mut state = ScreenState::of(shell, cx).await?;
    if state.is_off() {
        shell.change(cx, "input keyevent KEYCODE_WAKEUP").await?;
        state = changed(shell, cx, ScreenState::is_off).await?;
    }
    if !state.is_off() && state.is_dismissible() {
        shell.change(cx, "wm dismiss-keyguard").await?;
        state = changed(shell, cx, ScreenState::is_locked).await?;
    }
    Ok(state)
}

/// Asks until something no longer holds, or the phone has had its time.
async fn changed(
    shell: &Shell,
    cx: &Cx,
    still: impl Fn(&ScreenState) -> bool,
) -> Result<ScreenState> {
    let end = tokio::time::Instant::now() + CHANGES_WITHIN;
    loop {
        let state = ScreenState::of(shell, cx).await?;
        if !still(&state) || tokio::time::Instant::now() >= end {
            return Ok(state);
        }
        cx.sleep(POLL).await?;
    }
}

/// What `dumpsys power` calls the state of the phone: `Awake`, `Asleep`, `Dozing`, `Dreaming`.
fn wakefulness(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim);
    let value = lines.find_map(|line| line.strip_prefix("mWakefulness="))?;
    value.split_whitespace().next()
}

/// What the window manager says of the lock screen; each version of Android calls it something else.
fn lock(text: &str) -> Option<Lock> {
    let mut showing = None;
    let mut secure = None;
    let mut occluded = false;
    let mut delegate = false;
    for line in text.lines() {
        delegate |= line.contains("KeyguardServiceDelegate");
        for word in line.split_whitespace() {
            let Some((name, value)) = word.split_once('=') else {
                continue;
            };
            let on = match value.trim_end_matches(',') {
                "true" => true,
                "false" => false,
                _ => continue,
            };
            match name {
                "mShowingLockscreen"
                | "mDreamingLockscreen"
                | "isStatusBarKeyguard"
                | "isKeyguardShowing"
                | "mIsShowing" => {
                    showing = Some(showing.unwrap_or(false) || on);
                }
                "showing" if delegate => showing = Some(showing.unwrap_or(false) || on),
                "secure" if delegate => secure = Some(on),
                "occluded" if delegate => occluded = on,
                _ => {}
            }
        }
    }
    showing.map(|showing| Lock {
        showing: showing && !occluded,
        secure,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_read_from_what_each_android_prints() {
        let power =
            "Power Manager State:\n  Settings power_manager_constants:\n  mWakefulness=Asleep\n";
        assert_eq!(wakefulness(power), Some("Asleep"));
        assert_eq!(wakefulness("Power Manager State:\n"), None);
        let of = |showing, secure| Some(Lock { showing, secure });
        let today = "    KeyguardServiceDelegate\n      showing=true\n      showingAndNotOccluded=true\n      inputRestricted=true\n      occluded=false\n      secure=true\n";
        assert_eq!(lock(today), of(true, Some(true)));
        assert_eq!(
            lock(&today.replace("showing=true", "showing=false")),
            of(false, Some(true))
        );
        let alarm = today.replace("occluded=false", "occluded=true");
        assert_eq!(lock(&alarm), of(false, Some(true)));
        let before = "    mShowingLockscreen=true mShowingDream=false mDreamingLockscreen=false";
        assert_eq!(lock(before), of(true, None));
        assert_eq!(
            lock("    mDreamingLockscreen=false mDreamingSleepToken=null"),
            of(false, None)
        );
        // Another window's word is not the lock screen's.
        assert_eq!(lock("  ImeInsetsSourceProvider showing=true"), None);
        assert_eq!(lock(""), None);
    }
}
