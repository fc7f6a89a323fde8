//! Captures the screen with `uiautomator dump`. The tool always exits with 0, reports success even if its file
//! could not be written, and gives up on a screen that is not idle for a second within ten. A shell without a
//! terminal has no `/dev/tty`, so the dump goes through a separate, empty file.

use std::sync::Arc;

use driver::{Cx, DriverError, Image, OtherDisplay, Result};
use uitree::{Size, UiTree, XmlErrorKind};

use crate::phone::ui_automation::{TAKEN, release};
use crate::phone::windows::Screen;
use crate::profile;
use crate::shell::Shell;

/// Dumps every window (phones before Android 11 ignore `--windows` and dump the active one), prints the size
/// of the screen, and removes the file even if the connection breaks. `$$` is the phone's process id, so that
/// two computers never share a file; only the shell may read it.
const SCRIPT: &str = "trap '' HUP; umask 077; f=/data/local/tmp/clawperator-$$.xml; : > $f || exit; \
     uiautomator dump --windows $f >&2; wm size; cat $f; rm -f $f";
/// The same on a terminal, for phones with full storage. There the tool's messages are mixed with the dump.
const WITHOUT_FILE: &str = "wm size; uiautomator dump --windows /dev/tty";

/// A dump from the phone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dump {
    /// The complete document.
    text: Vec<u8>,
    /// The size of the screen, unrotated.
    pub(crate) screen: Size,
}

impl Dump {
    /// Takes a dump. `known` is the size of the screen if the phone does not report it.
    ///
    /// The tool needs the phone's only UiAutomation. If our own agent holds it, the agent quits first; whether it
    /// runs is asked only after the tool was refused, since a dump in vain is over at once.
    pub(crate) async fn take(shell: &Shell, cx: &Cx, known: Size) -> Result<Self> {
        match Self::take_once(shell, cx, known).await {
            Err(DriverError::Refused(why)) if why == TAKEN => {
                release(shell, cx).await?;
                Self::take_once(shell, cx, known).await
            }
            taken => taken,
        }
    }

    async fn take_once(shell: &Shell, cx: &Cx, known: Size) -> Result<Self> {
        let output = shell.query(cx, SCRIPT).await?;
        if let Some(dump) = Self::parse(&output.stdout, known) {
            return Ok(dump);
        }
        let mut messages = [output.stdout, output.stderr].concat();
        if let Some(error) = failure(&messages) {
            return Err(error);
        }
        let shown = shell.exec(cx, WITHOUT_FILE).await?;
        if let Some(dump) = Self::parse(&shown, known) {
            return Ok(dump);
        }
        messages.extend(shown);
        Err(failure(&messages).unwrap_or_else(|| {
            let messages = String::from_utf8_lossy(&messages);
            if messages.contains("dumped to:") {
                let why = "uiautomator wrote nothing, neither to a file nor to a terminal";
                return DriverError::Incomplete(why.to_owned());
            }
            let messages: String = messages.trim().chars().take(200).collect();
            DriverError::Incomplete(format!("uiautomator gave no screen and said {messages:?}"))
        }))
    }

    /// The dump in the output of the script, if it is complete.
    fn parse(output: &[u8], known: Size) -> Option<Self> {
        let (before, document) = document(output)?;
        Some(Self {
            text: document.to_vec(),
            screen: profile::screen(&String::from_utf8_lossy(before)).unwrap_or(known),
        })
    }

    /// Parses the dump; an error if an app window of the driven display is missing.
    pub(crate) fn read(&self) -> Result<Screen> {
        let parse = |screen| {
            UiTree::parse_displays_xml(&self.text, Some(screen)).map_err(|error| match error.kind {
                XmlErrorKind::NullRootNode | XmlErrorKind::NoNode => DriverError::NoWindow,
                _ => DriverError::Incomplete(error.to_string()),
            })
        };
        let mut displays = parse(self.screen)?;
        let turned = displays
            .iter()
            .any(|display| display.id == 0 && display.tree.rotation() % 2 == 1);
        if turned {
            displays = parse(Size::new(self.screen.height, self.screen.width))?;
        }
        let mut driven = None;
        let mut undriven = Vec::new();
        for display in displays {
            if display.id != 0 {
                undriven.push(OtherDisplay {
                    id: display.id,
                    tree: Arc::new(display.tree),
                });
            } else if driven.is_none() {
                driven = Some(display);
            }
        }
        let driven = driven.ok_or(DriverError::NoWindow)?;
        if let Some(title) = driven.unread.first() {
            return Err(DriverError::Incomplete(format!(
                "the app window {title:?} came without its nodes"
            )));
        }
        if driven.tree.is_empty() {
            return Err(DriverError::NoWindow);
        }
        Ok(Screen {
            tree: driven.tree,
            undriven,
        })
    }
}

/// The document in an output, and the text before it; `None` if it is missing or incomplete.
fn document(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let begin = [b"<?xml".as_slice(), b"<hierarchy", b"<displays"]
        .iter()
        .filter_map(|start| find(bytes, start))
        .min()?;
    let end = [b"</hierarchy>".as_slice(), b"</displays>", b"<displays />"]
        .iter()
        .filter_map(|end| find_last(bytes, end).map(|at| at + end.len()))
        .max()?;
    let before = bytes.get(..begin)?;
    Some((before, bytes.get(begin..end)?)).filter(|_| failure(before).is_none())
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn find_last(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).rposition(|window| window == what)
}

/// The error in the tool's messages, if any.
fn failure(messages: &[u8]) -> Option<DriverError> {
    let messages = String::from_utf8_lossy(messages);
    let has = |words: &str| messages.contains(words);
    if has("null root node") {
        Some(DriverError::NoWindow)
    } else if has("could not get idle state") {
        let why = "something on it moves without end; wait for it, pause it, or act by coordinate";
        Some(DriverError::NotIdle(why.to_owned()))
    } else if has("UiAutomationService") && has("already registered") {
        Some(DriverError::Refused(TAKEN.to_owned()))
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

/// The two-part screen state before a PNG, and the PNG.
pub(super) fn split_state(output: &[u8]) -> Option<(String, Vec<u8>)> {
    let mark = format!("{}\n", profile::PART_SEPARATOR);
    let first = find(output, mark.as_bytes())? + mark.len();
    let second = first + find(output.get(first..)?, mark.as_bytes())?;
    let state = String::from_utf8_lossy(output.get(..second)?);
    Some((
        state.into_owned(),
        output.get(second + mark.len()..)?.to_vec(),
    ))
}

/// The screenshot, if the output is complete.
pub(super) fn read_screenshot(output: adb::Output) -> Result<Image> {
    let messages: String = output.error_text().chars().take(200).collect();
    Image::of_file(output.stdout)?.ok_or_else(|| {
        DriverError::Refused(format!("screencap gave no picture and said {messages:?}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use driver::Revision;
    use uitree::Rect;

    const WHOLE: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" \
                         text=\"Hi\" class=\"android.widget.TextView\" package=\"com.x\" bounds=\"[0,0][100,100]\" /></hierarchy>";

    fn screen(text: &str) -> Result<Screen> {
        let dump = Dump {
            text: text.into(),
            screen: Size::new(1000, 2000),
        };
        dump.read()
    }

    #[test]
    fn app_window_without_nodes_is_incomplete() {
        let keys = "<window title='Keys' bounds='[0,1500][1000,2000]' type='TYPE_INPUT_METHOD' layer='3'><hierarchy rotation='0'>\
                    <node package='com.keys' bounds='[0,1500][1000,2000]'/></hierarchy></window>";
        let app = "<window title='Shop' bounds='[0,0][1000,2000]' active='true' type='TYPE_APPLICATION' layer='1'></window>";
        for active in ["true", "false"] {
            let app = app.replace("'true'", &format!("'{active}'"));
            let text = format!("<displays><display id='0'>{keys}{app}</display></displays>");
            let error = screen(&text).unwrap_err();
            assert!(
                matches!(&error, DriverError::Incomplete(why) if why.contains("Shop")),
                "{error}"
            );
        }
        let elsewhere = format!(
            "<displays><display id='0'>{keys}</display><display id='1'>{app}</display></displays>"
        );
        assert!(screen(&elsewhere).is_ok());
    }

    #[test]
    fn other_displays_are_separate() {
        let window = |package: &str, active: bool| {
            format!(
                "<window title='' bounds='[0,0][1000,2000]' active='{active}' type='TYPE_APPLICATION' layer='1'><hierarchy \
                 rotation='0'><node text='Pay' package='{package}' bounds='[0,0][1000,2000]'/></hierarchy></window>"
            )
        };
        let text = format!(
            "<displays><display id='2'>{}</display><display id='0'>{}</display></displays>",
            window("com.till", true),
            window("com.x", false),
        );
        let seen = screen(&text).unwrap().describe(Revision(1));
        assert_eq!(seen.foreground.as_deref(), Some("com.x"));
        assert_eq!((seen.windows.len(), seen.tree.len()), (1, 1));
        let other = &seen.other_displays[0];
        assert_eq!((other.id, other.tree.len()), (2, 1));
        let alone = format!(
            "<displays><display id='2'>{}</display></displays>",
            window("com.x", true)
        );
        assert!(matches!(screen(&alone), Err(DriverError::NoWindow)));
    }

    #[test]
    fn complete_document_is_extracted() {
        let messages = format!("{WHOLE}UI hierchary dumped to: /dev/tty\n");
        let found = |messages: &str| {
            document(messages.as_bytes()).map(|(before, all)| (before.to_vec(), all.to_vec()))
        };
        assert_eq!(found(&messages), Some((Vec::new(), WHOLE.into())));
        let noisy = format!("WARNING: linker: x\n{WHOLE}\n");
        assert_eq!(
            found(&noisy),
            Some(("WARNING: linker: x\n".into(), WHOLE.into()))
        );
    }

    #[test]
    fn truncation_is_always_detected() {
        for cut in 1..WHOLE.len() {
            assert_eq!(document(&WHOLE.as_bytes()[..cut]), None, "cut at {cut}");
        }
    }

    #[test]
    fn stale_document_after_failure_is_refused() {
        let messages = format!("ERROR: could not get idle state.\n{WHOLE}");
        assert_eq!(document(messages.as_bytes()), None);
        assert!(matches!(
            failure(messages.as_bytes()),
            Some(DriverError::NotIdle(_))
        ));
        let messages = b"ERROR: null root node returned by UiTestAutomationBridge.";
        assert_eq!(failure(messages), Some(DriverError::NoWindow));
        let messages = b"java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1already registered!";
        assert!(matches!(failure(messages), Some(DriverError::Refused(_))));
    }

    #[test]
    fn bars_are_removed_and_rotated_screen_is_wide() {
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
        let (bars, screen) = screen(&text).unwrap().split_bars().unwrap();
        assert_eq!(bars, [Rect::new(0, 0, 2000, 60)]);
        assert_eq!(screen.tree.screen(), Size::new(2000, 1000));
        let seen = screen.describe(Revision(1));
        assert_eq!(seen.windows.len(), 1);
        assert_eq!(seen.foreground.as_deref(), Some("com.x"));
    }

    #[test]
    fn incomplete_screenshots_are_refused() {
        let picture = |png: &[u8]| {
            read_screenshot(adb::Output {
                stdout: png.to_vec(),
                stderr: b"[Warning] Multiple displays were found".to_vec(),
                status: 0,
            })
        };
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        png.extend_from_slice(b"\0\0\0\rIHDR\0\0\x04\x38\0\0\x09\x60");
        assert!(matches!(picture(&png), Err(DriverError::Incomplete(_))));
        png.extend_from_slice(b"IEND\xaeB`\x82");
        assert_eq!(picture(&png).unwrap().size, Size::new(1080, 2400));
        assert!(matches!(picture(b"Error"), Err(DriverError::Refused(_))));
    }
}
