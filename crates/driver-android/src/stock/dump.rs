//! The screen by `uiautomator dump`, which is not to be believed without a second look: it ends with 0 whatever happens, may
//! leave an older file behind, and waits for a screen that never rests.

use driver::{Cx, DriverError, Image, Observation, Result, Revision, WindowInfo};
use uitree::{Size, UiTree, Window, WindowKind, XmlErrorKind};

use crate::profile::Profile;
use crate::shell::Shell;

/// The API level from which on `dump` knows `--windows`; before, it leaves out words that it does not know.
const WINDOWS_SINCE: u32 = 30;
/// A window of the system that is lower than this share of the screen, at an edge, is a bar.
const BAR_SHARE: i32 = 6;
/// What comes before a picture's bytes, and after them.
const PNG_BEGIN: &[u8] = b"\x89PNG\r\n\x1a\n";
const PNG_END: &[u8] = b"IEND\xaeB`\x82";

/// How this phone gives its dumps.
#[derive(Debug)]
pub(crate) struct Dumper {
    windows: bool,
    way: Way,
    /// Counts the files, so that none is taken for a later one.
    count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Straight to us.
    Terminal,
    /// By a file, on phones whose tool cannot write to a terminal.
    File,
}

impl Dumper {
    pub(crate) fn new(profile: &Profile) -> Self {
        Self {
            windows: profile.sdk >= WINDOWS_SINCE,
            way: Way::Terminal,
            count: 0,
        }
    }

    /// The text of a dump, which is whole.
    pub(crate) async fn dump(&mut self, shell: &Shell, cx: &Cx) -> Result<Vec<u8>> {
        let options = if self.windows { "--windows " } else { "" };
        if self.way == Way::Terminal {
            let command = format!("uiautomator dump {options}/dev/tty");
            let output = shell.ask(cx, &command).await?;
            if let Some(document) = document(&output.stdout) {
                return Ok(document.to_vec());
            }
            let said = [output.stdout, output.stderr].concat();
            match failure(&said) {
                // What was said is about the screen, not about the way.
                Some(error) => return Err(error),
                None => self.way = Way::File,
            }
        }
        self.count += 1;
        let file = format!(
            "/data/local/tmp/clawperator-{}-{}.xml",
            std::process::id(),
            self.count
        );
        let command = format!(
            "rm -f {file}; uiautomator dump {options}{file} >&2; cat {file}; status=$?; rm -f {file}; exit $status"
        );
        let output = shell.ask(cx, &command).await?;
        if let Some(document) = document(&output.stdout) {
            return Ok(document.to_vec());
        }
        let said = [output.stdout, output.stderr].concat();
        Err(failure(&said).unwrap_or_else(|| {
            let said = String::from_utf8_lossy(&said)
                .trim()
                .chars()
                .take(200)
                .collect::<String>();
            DriverError::Incomplete(format!("uiautomator gave no screen and said {said:?}"))
        }))
    }
}

/// The document in an output, without what stands around it; `None` when there is none or when it is not whole.
fn document(bytes: &[u8]) -> Option<&[u8]> {
    let begin = [b"<?xml".as_slice(), b"<hierarchy", b"<displays"]
        .iter()
        .filter_map(|start| find(bytes, start))
        .min()?;
    let end = [b"</hierarchy>".as_slice(), b"</displays>"]
        .iter()
        .filter_map(|end| find_last(bytes, end).map(|at| at + end.len()))
        .max()?;
    // A failure that is told before a document makes it an older one.
    let before = bytes.get(..begin)?;
    failure(before).is_none().then(|| bytes.get(begin..end))?
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn find_last(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).rposition(|window| window == what)
}

/// What the words of the tool say about the screen, if they do.
fn failure(said: &[u8]) -> Option<DriverError> {
    let said = String::from_utf8_lossy(said);
    let has = |words: &str| said.contains(words);
    if has("null root node") {
        Some(DriverError::NoWindow)
    } else if has("could not get idle state") {
        let why =
            "something on it moves without end, and uiautomator waits for a screen that rests";
        Some(DriverError::Incomplete(why.to_owned()))
    } else if has("UiAutomationService") && has("already registered") {
        let why = "another tool holds the phone's UI automation (an Appium or uiautomator2 server, a test that runs)";
        Some(DriverError::Refused(why.to_owned()))
    } else if has("NullPointerException") || has("StaleObjectException") {
        let why = "the screen changed while uiautomator read it";
        Some(DriverError::Incomplete(why.to_owned()))
    } else if has("</hierarchy>") || has("</displays>") {
        None
    } else if has("<hierarchy") || has("<displays") {
        let why = "the dump ends before it is complete";
        Some(DriverError::Incomplete(why.to_owned()))
    } else {
        None
    }
}

/// The tree of a dump, without the bars of the system.
pub(super) fn read(text: &[u8], upright: Size) -> Result<UiTree> {
    without_bars(all_windows(text, upright)?)
}

/// The tree of a dump with all that is in it.
pub(crate) fn all_windows(text: &[u8], upright: Size) -> Result<UiTree> {
    let parse = |screen| UiTree::parse_hierarchy_xml(text, Some(screen));
    let mut tree = parse(upright).map_err(|error| match error.kind {
        XmlErrorKind::NullRootNode | XmlErrorKind::NoNode => DriverError::NoWindow,
        _ => DriverError::Incomplete(error.to_string()),
    })?;
    if tree.rotation() % 2 == 1 {
        let turned = Size::new(upright.height, upright.width);
        tree = parse(turned).map_err(|error| DriverError::Incomplete(error.to_string()))?;
    }
    Ok(tree)
}

/// A tree without the bars of the system.
pub(crate) fn without_bars(tree: UiTree) -> Result<UiTree> {
    if tree.windows().iter().any(|window| is_bar(&tree, window)) {
        let kept = tree.with_windows(|window| !is_bar(&tree, window));
        if kept.is_empty() {
            return Err(DriverError::NoWindow);
        }
        return Ok(kept);
    }
    Ok(tree)
}

/// Whether a window is the bar of the clock or of the keys of navigation.
fn is_bar(tree: &UiTree, window: &Window) -> bool {
    if window.kind != WindowKind::System || window.active {
        return false;
    }
    let Some(bounds) = tree.node(window.root).bounds else {
        return true;
    };
    let screen = tree.screen();
    let low = bounds.height() * BAR_SHARE <= screen.height;
    let narrow = bounds.width() * BAR_SHARE <= screen.width;
    let at_edge = bounds.top <= 0
        || bounds.left <= 0
        || bounds.bottom >= screen.height
        || bounds.right >= screen.width;
    at_edge && (low || narrow)
}

/// What a tree says of itself.
pub(super) fn describe(tree: UiTree, revision: Revision) -> Observation {
    let package = |window: &Window| {
        let owner = &tree.node(window.root).owner;
        (!owner.is_empty()).then(|| owner.to_string())
    };
    let mut windows: Vec<&Window> = tree.windows().iter().collect();
    windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
    let windows: Vec<WindowInfo> = windows
        .into_iter()
        .map(|window| WindowInfo {
            kind: window.kind,
            package: package(window),
            active: window.active,
        })
        .collect();
    let foreground = tree
        .windows()
        .iter()
        .find(|window| window.active)
        .and_then(package);
    Observation {
        foreground,
        windows,
        other_displays: Vec::new(),
        tree: std::sync::Arc::new(tree),
        revision,
    }
}

/// A picture, if these bytes are all of one.
pub(super) fn picture(png: Vec<u8>) -> Result<Image> {
    let number = |at: usize| {
        let bytes = png.get(at..at + 4)?;
        let number = bytes
            .iter()
            .fold(0_u32, |all, byte| all << 8 | u32::from(*byte));
        i32::try_from(number).ok()
    };
    let size = png
        .starts_with(PNG_BEGIN)
        .then(|| Some(Size::new(number(16)?, number(20)?)))
        .flatten();
    let Some(size) = size else {
        let said = String::from_utf8_lossy(png.get(..200.min(png.len())).unwrap_or_default());
        let said = said.trim();
        return Err(DriverError::Refused(format!(
            "screencap gave no picture and said {said:?}"
        )));
    };
    if !png.ends_with(PNG_END) {
        return Err(DriverError::Incomplete(
            "the picture ends before it is complete".to_owned(),
        ));
    }
    Ok(Image { png, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" \
                         text=\"Hi\" class=\"android.widget.TextView\" package=\"com.x\" bounds=\"[0,0][100,100]\" /></hierarchy>";

    #[test]
    fn a_whole_document_is_taken_out_of_what_stands_around_it() {
        let said = format!("{WHOLE}UI hierchary dumped to: /dev/tty\n");
        assert_eq!(document(said.as_bytes()), Some(WHOLE.as_bytes()));
        let noisy = format!("WARNING: linker: x\n{WHOLE}\n");
        assert_eq!(document(noisy.as_bytes()), Some(WHOLE.as_bytes()));
    }

    #[test]
    fn every_cut_is_seen() {
        for cut in 1..WHOLE.len() {
            assert_eq!(document(&WHOLE.as_bytes()[..cut]), None, "cut at {cut}");
        }
    }

    #[test]
    fn an_older_document_behind_a_failure_is_not_the_screen() {
        let said = format!("ERROR: could not get idle state.\n{WHOLE}");
        assert_eq!(document(said.as_bytes()), None);
        assert!(matches!(
            failure(said.as_bytes()),
            Some(DriverError::Incomplete(_))
        ));
        let said = b"ERROR: null root node returned by UiTestAutomationBridge.";
        assert_eq!(failure(said), Some(DriverError::NoWindow));
        let said = b"java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1already registered!";
        assert!(matches!(failure(said), Some(DriverError::Refused(_))));
    }

    #[test]
    fn bars_are_left_out_and_a_screen_that_is_turned_is_wide() {
        let node = |package: &str, bounds: &str| {
            format!(
                "<node index=\"0\" class=\"android.view.View\" package=\"{package}\" bounds=\"{bounds}\" />"
            )
        };
        let text = format!(
            "<displays><display id=\"0\"><window index=\"0\" title=\"\" type=\"TYPE_APPLICATION\" layer=\"1\" active=\"true\">\
             <hierarchy rotation=\"1\">{}</hierarchy></window><window index=\"1\" title=\"\" type=\"TYPE_SYSTEM\" layer=\"9\" \
             active=\"false\"><hierarchy rotation=\"1\">{}</hierarchy></window></display></displays>",
            node("com.x", "[0,0][2000,1000]"),
            node("com.android.systemui", "[0,0][2000,60]"),
        );
        let tree = read(text.as_bytes(), Size::new(1000, 2000)).unwrap();
        assert_eq!(tree.screen(), Size::new(2000, 1000));
        let seen = describe(tree, Revision(1));
        assert_eq!(seen.windows.len(), 1);
        assert_eq!(seen.foreground.as_deref(), Some("com.x"));
    }

    #[test]
    fn pictures_are_whole_or_none() {
        let mut png = PNG_BEGIN.to_vec();
        png.extend_from_slice(b"\0\0\0\rIHDR\0\0\x04\x38\0\0\x09\x60");
        assert!(matches!(
            picture(png.clone()),
            Err(DriverError::Incomplete(_))
        ));
        png.extend_from_slice(PNG_END);
        assert_eq!(picture(png).unwrap().size, Size::new(1080, 2400));
        assert!(matches!(
            picture(b"Error".to_vec()),
            Err(DriverError::Refused(_))
        ));
    }
}
