//! Screen state: on, unlocked, and waking it.

use std::time::Duration;

use driver::{Cx, DriverError, Result};

use crate::profile::PART_SEPARATOR;
use crate::shell::Shell;

/// Requests the state of the screen, in two parts with [`PART_SEPARATOR`] between them. The state of the lock screen
/// differs by Android version.
pub(crate) const STATE_COMMAND: &str = "dumpsys power | grep mWakefulness=; echo --clawperator--; \
     dumpsys window policy | grep -E 'KeyguardServiceDelegate|showing=|occluded=|secure=|mIsShowing='; \
     dumpsys window | grep -E 'mDreamingLockscreen|mShowingLockscreen|isStatusBarKeyguard|isKeyguardShowing'";
/// Skips the following commands while the screen is off: `input` would exit with 0 and do nothing.
pub(crate) const SKIP_IF_SCREEN_OFF: &str = "dumpsys power | grep -qE 'mWakefulness=(Asleep|Dozing|Dreaming)' && { echo clawperator-screen-off; exit 1; }; ";
/// The output of [`SKIP_IF_SCREEN_OFF`].
pub(crate) const OFF: &str = "clawperator-screen-off";
/// Timeout of waking, and of dismissing the lock screen.
const CHANGES_WITHIN: Duration = Duration::from_secs(5);
/// The poll interval.
const POLL: Duration = Duration::from_millis(100);

/// The state of a phone's screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenState {
    /// `Awake`, `Asleep`, `Dozing`, `Dreaming`; `None` if unknown.
    pub wakefulness: Option<String>,
    /// The lock screen; `None` if unknown.
    pub lock: Option<Lock>,
}

/// The lock screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// Whether it is shown and not covered by an app such as an alarm.
    pub showing: bool,
    /// Whether it requires a PIN, a pattern or a password, if known.
    pub secure: Option<bool>,
}

impl ScreenState {
    /// Requests the state from a phone.
    ///
    /// # Errors
    /// `Lost` if the phone cannot be reached, and the end of the context.
    pub async fn query(shell: &Shell, cx: &Cx) -> Result<Self> {
        Ok(Self::read(&shell.query(cx, STATE_COMMAND).await?.text()))
    }

    /// Parses the output of [`STATE_COMMAND`].
    pub(crate) fn read(output: &str) -> Self {
        let (power, window) = output.split_once(PART_SEPARATOR).unwrap_or((output, ""));
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

    /// Whether the lock screen is shown and can be dismissed without a secret, as far as known.
    pub fn is_dismissible(&self) -> bool {
        self.lock
            .is_some_and(|lock| lock.showing && lock.secure != Some(true))
    }

    /// Checks that the screen can be driven.
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

/// Turns the screen on, and dismisses a lock screen without a secret. Returns the final state.
///
/// # Errors
/// `InputDenied`, `Refused`, `Lost`, and the end of the context.
pub async fn wake(shell: &Shell, cx: &Cx) -> Result<ScreenState> {
    let mut state = ScreenState::query(shell, cx).await?;
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

/// Polls until a condition no longer holds, or the timeout.
async fn changed(
    shell: &Shell,
    cx: &Cx,
    still: impl Fn(&ScreenState) -> bool,
) -> Result<ScreenState> {
    let end = tokio::time::Instant::now() + CHANGES_WITHIN;
    loop {
        let state = ScreenState::query(shell, cx).await?;
        if !still(&state) || tokio::time::Instant::now() >= end {
            return Ok(state);
        }
        cx.sleep(POLL).await?;
    }
}

/// The wakefulness in the output of `dumpsys power`: `Awake`, `Asleep`, `Dozing`, `Dreaming`.
fn wakefulness(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim);
    let value = lines.find_map(|line| line.strip_prefix("mWakefulness="))?;
    value.split_whitespace().next()
}

/// The lock screen in the output of the window manager, whose names differ by Android version.
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
    fn screen_state_is_parsed_for_every_android() {
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
        // The state of another window is not that of the lock screen.
        assert_eq!(lock("  ImeInsetsSourceProvider showing=true"), None);
        assert_eq!(lock(""), None);
    }
}
