//! Which app is in front, by `dumpsys window`.

use driver::{Cx, Foreground, Result};

use crate::shell::Shell;

pub(super) async fn of(shell: &Shell, cx: &Cx) -> Result<Foreground> {
    let command = "dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'";
    let output = shell.ask(cx, command).await?;
    Ok(Foreground {
        app: read(&output.text()),
    })
}

/// The app and the activity of the window that has the focus; `None` where it is none of an activity.
pub(crate) async fn activity(shell: &Shell, cx: &Cx) -> Result<Option<(String, String)>> {
    let output = shell.ask(cx, "dumpsys window | grep mCurrentFocus").await?;
    Ok(focused(&output.text()))
}

fn focused(text: &str) -> Option<(String, String)> {
    let windows = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("mCurrentFocus="));
    let name = |window: &str| {
        let mut words = window.split([' ', '}', '{']);
        let (package, class) = words.find_map(|word| word.split_once('/'))?;
        crate::check_package(package).ok()?;
        let class = match class.strip_prefix('.') {
            Some(short) => format!("{package}.{short}"),
            None => class.to_owned(),
        };
        Some((package.to_owned(), class))
    };
    windows.filter_map(name).next_back()
}

/// The package of the window that has the focus; where that window does not name one, as popups do not, of the app that
/// has it.
fn read(text: &str) -> Option<String> {
    let mut app = None;
    for line in text.lines().map(str::trim) {
        if let Some(window) = line.strip_prefix("mCurrentFocus=") {
            // The last one counts: a phone with several displays names each.
            if let Some(package) = component(window) {
                return Some(package);
            }
            let system = ["NotificationShade", "StatusBar", "VolumeDialog"];
            if system.iter().any(|name| window.contains(name)) {
                return Some("com.android.systemui".to_owned());
            }
        } else if let Some(record) = line.strip_prefix("mFocusedApp=") {
            app = app.or_else(|| component(record));
        }
    }
    app
}

/// The package in front of the `/` of a component.
fn component(text: &str) -> Option<String> {
    let mut words = text.split([' ', '}', '{']);
    let package = words.find_map(|word| word.split_once('/').map(|(package, _)| package))?;
    crate::check_package(package)
        .is_ok()
        .then(|| package.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_app_in_front() {
        let focus =
            "  mCurrentFocus=Window{3f1 u0 com.android.settings/com.android.settings.Settings}\n";
        assert_eq!(read(focus).as_deref(), Some("com.android.settings"));
        let popup = "  mCurrentFocus=Window{3f1 u0 PopupWindow:1a2b}\n  mFocusedApp=ActivityRecord{9 u0 com.x/.Main t12}\n";
        assert_eq!(read(popup).as_deref(), Some("com.x"));
        let shade = "  mCurrentFocus=Window{3f1 u0 NotificationShade}\n  mFocusedApp=ActivityRecord{9 u0 com.x/.Main t12}\n";
        assert_eq!(read(shade).as_deref(), Some("com.android.systemui"));
        assert_eq!(read("  mCurrentFocus=null\n"), None);
        assert_eq!(read(""), None);
        let whole = Some(("com.x".to_owned(), "com.x.Main".to_owned()));
        assert_eq!(
            focused("  mCurrentFocus=Window{3f1 u0 com.x/.Main}\n"),
            whole
        );
        assert_eq!(focused(popup), None);
    }
}
