//! Determines the app in front with `dumpsys window`.

use driver::{Cx, Foreground, Result};
use uitree::Size;

use crate::shell::Shell;

/// Prints the focus of each display under its heading; before Android 10 there is one focus, among the
/// windows.
const SCRIPT: &str =
    "dumpsys window | grep -E 'Display: mDisplayId=|WINDOW MANAGER|mCurrentFocus=|mFocusedApp='";

pub(crate) async fn foreground(shell: &Shell, cx: &Cx) -> Result<Foreground> {
    let output = shell.query(cx, SCRIPT).await?;
    Ok(Foreground {
        app: read(&output.text()),
    })
}

/// The app and the activity of the focused window; `None` if it is not an activity.
pub(crate) async fn activity(shell: &Shell, cx: &Cx) -> Result<Option<(String, String)>> {
    let output = shell.query(cx, SCRIPT).await?;
    Ok(focused_activity(&output.text()))
}

/// The display id of the driven display for `screencap -d`, from the viewports of `dumpsys display`.
pub(crate) fn physical_display(viewports: &str) -> Option<u64> {
    let mut each = viewports.split("DisplayViewport{");
    each.find_map(|viewport| {
        let driven = viewport.split(", ").any(|field| field == "displayId=0");
        let (_, id) = viewport.split_once("uniqueId='local:")?;
        let id = id.split('\'').next()?.parse().ok()?;
        driven.then_some(id)
    })
}

/// Prints the screen size, unrotated and rotated.
pub(crate) const SIZE_COMMAND: &str =
    "wm size; dumpsys window displays | grep -E 'Display: mDisplayId=|WINDOW MANAGER| cur='";

/// The rotated size of the driven display, from the output of [`SIZE_COMMAND`].
pub(crate) fn size(text: &str) -> Option<Size> {
    let mut words = default_display(text).flat_map(str::split_whitespace);
    let (width, height) = words
        .find_map(|word| word.strip_prefix("cur="))?
        .split_once('x')?;
    Some(Size::new(width.parse().ok()?, height.parse().ok()?))
}

/// The lines about the driven display, or about no display.
fn default_display(text: &str) -> impl Iterator<Item = &str> {
    let mut driven = true;
    text.lines().map(str::trim).filter(move |line| {
        if let Some(display) = line.strip_prefix("Display: mDisplayId=") {
            driven = !display.starts_with(|c: char| c.is_ascii_digit() && c != '0');
        } else if line.starts_with("WINDOW MANAGER") {
            driven = true;
        }
        driven
    })
}

fn focused_activity(text: &str) -> Option<(String, String)> {
    let windows = default_display(text).filter_map(|line| line.strip_prefix("mCurrentFocus="));
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
    windows.filter_map(name).last()
}

/// The package of the focused window; if that has none, as with popups, of the focused app.
fn read(text: &str) -> Option<String> {
    let mut app = None;
    for line in default_display(text) {
        if let Some(window) = line.strip_prefix("mCurrentFocus=") {
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

/// The package before the `/` of a component.
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
    fn foreground_app_is_parsed() {
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
            focused_activity("  mCurrentFocus=Window{3f1 u0 com.x/.Main}\n"),
            whole
        );
        assert_eq!(focused_activity(popup), None);
    }

    #[test]
    fn driven_display_is_found_by_viewport() {
        let viewport = |display: u32, id: &str| {
            format!(
                "DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId={display}, uniqueId='{id}', physicalPort=0}}"
            )
        };
        let of =
            |one: String, two: String| physical_display(&format!("  mViewports=[{one}, {two}]\n"));
        let folded = of(
            viewport(3, "local:4619827259835644672"),
            viewport(0, "local:4619827551948147201"),
        );
        assert_eq!(folded, Some(4_619_827_551_948_147_201));
        let cast = of(viewport(0, "local:7"), viewport(2, "virtual:com.x"));
        assert_eq!(cast, Some(7));
        assert_eq!(
            of(viewport(0, "virtual:x"), viewport(1, "local:7;id")),
            None
        );
    }

    #[test]
    fn rotated_size_of_driven_display_is_parsed() {
        let display = |id: u32, size: &str| {
            format!(
                "  Display: mDisplayId={id} (organized)\n    init=1080x2340 420dpi cur={size} app={size} rng=1-2\n"
            )
        };
        let text = format!("Physical size: 1080x2340\n{}", display(2, "1920x1080"));
        assert_eq!(size(&text), None);
        let text = format!("{text}{}", display(0, "2340x1080"));
        assert_eq!(size(&text), Some(Size::new(2340, 1080)));
        assert_eq!(size("Physical size: 1080x2340\n"), None);
    }

    #[test]
    fn focus_of_another_display_is_ignored() {
        let of = |displays: [(&str, &str); 2]| {
            let displays = displays.map(|(id, app)| {
                format!(
                    "  Display: mDisplayId={id} (organized)\n  mCurrentFocus=Window{{3f1 u0 {app}/{app}.Main}}\n  \
                     mFocusedApp=ActivityRecord{{9 u0 {app}/.Main t12}}\n"
                )
            });
            format!(
                "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n{}WINDOW MANAGER TOKENS\n",
                displays.concat()
            )
        };
        for text in [
            of([("0", "com.x"), ("2", "com.till")]),
            of([("12", "com.till"), ("0", "com.x")]),
        ] {
            assert_eq!(read(&text).as_deref(), Some("com.x"), "{text}");
            let activity = Some(("com.x".to_owned(), "com.x.Main".to_owned()));
            assert_eq!(focused_activity(&text), activity, "{text}");
        }
        let elsewhere = of([("2", "com.till"), ("3", "com.y")]);
        assert_eq!(read(&elsewhere), None);
        let before_android_10 = format!(
            "{elsewhere}WINDOW MANAGER WINDOWS (dumpsys window windows)\n  mCurrentFocus=Window{{3f1 u0 com.x/.Main}}\n"
        );
        assert_eq!(read(&before_android_10).as_deref(), Some("com.x"));
    }
}
