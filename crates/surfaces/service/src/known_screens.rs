//! The screens that a client has, to which changes refer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::chrome::without_tab;

/// The maximum number of devices whose screens a client is known to have.
const MAX_DEVICES: usize = 64;

/// The maximum number of screens of a device, the last ones.
const MAX_SCREENS: usize = 8;

/// The last screens of each device that a client has.
#[derive(Clone, Debug, Default)]
pub struct KnownScreens(Arc<Mutex<HashMap<String, DeviceScreens>>>);

/// The screens of a device that a client has.
#[derive(Clone, Debug, Default)]
struct DeviceScreens {
    /// The last ones, as they were shown.
    last: Vec<String>,
    /// The last one that includes offscreen elements.
    with_offscreen: Option<String>,
    /// Whether that one is newer than the last one and differs from it.
    is_outdated: bool,
    /// The lines of all of them.
    shown_lines: uitree::ShownLines,
}

/// The update that a client gets for a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScreenUpdate {
    /// What changed on one that the client has.
    Changes {
        /// The name of the earlier screen that is shown again; `None` if it is the last one.
        again: Option<String>,
        /// Its new lines and the number of its removed ones; empty if there are none.
        lines: String,
    },
    /// The whole screen with runs of known lines replaced by their number, without the lines of a known window.
    Screen(String),
}

impl KnownScreens {
    /// Stores the screen that the client gets now; returns what is new since the last one, or since an earlier one with the
    /// same name.
    pub fn update(&self, device: &str, screen: &str) -> ScreenUpdate {
        self.store(device, screen, |known| {
            changes(known, screen)
                .unwrap_or_else(|| ScreenUpdate::Screen(without_known(known, screen)))
        })
    }

    /// Stores the screen that the client gets now; returns it with runs of known lines replaced by their number.
    pub fn screen(&self, device: &str, screen: &str) -> ScreenUpdate {
        self.store(device, screen, |known| {
            ScreenUpdate::Screen(without_known(known, screen))
        })
    }

    /// Stores the screen that the client gets now, which includes offscreen elements; returns it with runs of known lines
    /// replaced by their number.
    pub fn screen_with_offscreen(&self, device: &str, screen: &str) -> ScreenUpdate {
        self.with_screens_of(device, |known| {
            let update = ScreenUpdate::Screen(without_known(known, screen));
            known.with_offscreen = Some(screen.to_owned());
            known.shown_lines.note(screen);
            let mut shown = uitree::ShownLines::default();
            shown.note(screen);
            let last = known.last.last();
            known.is_outdated = last.is_some_and(|last| !shown.has_all(last));
            update
        })
    }

    /// Stores a screen of a device and returns its update.
    fn store(
        &self,
        device: &str,
        screen: &str,
        update: impl FnOnce(&DeviceScreens) -> ScreenUpdate,
    ) -> ScreenUpdate {
        self.with_screens_of(device, |known| {
            let update = update(known);
            known.shown_lines.note(screen);
            // A name means the last screen that has it.
            let name = name_of(screen);
            let screens = &mut known.last;
            screens.retain(|earlier| name_of(earlier).is_some_and(|other| Some(other) != name));
            screens.push(screen.to_owned());
            known.is_outdated = false;
            if screens.len() > MAX_SCREENS {
                screens.remove(0);
            }
            update
        })
    }

    fn with_screens_of<T>(&self, device: &str, work: impl FnOnce(&mut DeviceScreens) -> T) -> T {
        let device = without_tab(device);
        let mut screens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if screens.len() >= MAX_DEVICES && !screens.contains_key(device) {
            // Their next changes are whole screens.
            screens.clear();
        }
        work(screens.entry(device.to_owned()).or_default())
    }
}

/// The screen with runs of known lines replaced by their number, without window and page lines that the last screen has.
fn without_known(known: &DeviceScreens, screen: &str) -> String {
    let outdated = usize::from(known.is_outdated);
    let shorter = known.last[..known.last.len().saturating_sub(outdated)]
        .iter()
        .chain(&known.with_offscreen)
        .filter_map(|earlier| uitree::without_known(earlier, screen));
    let shortest = shorter.min_by_key(String::len);
    let written = shortest.unwrap_or_else(|| screen.to_owned());
    let Some(last) = known.last.last() else {
        return written;
    };
    let mut rest = &*written;
    for (at, known) in last.lines().take(2).enumerate() {
        let Some((line, inside)) = rest.split_once('\n') else {
            break;
        };
        let is_known = match at {
            0 => line == known,
            _ => is_known_page(line, known),
        };
        if !is_known || inside.is_empty() {
            break;
        }
        rest = inside;
    }
    rest.to_owned()
}

/// Whether a line is that of the same page, without new counts of offscreen elements.
fn is_known_page(line: &str, known: &str) -> bool {
    let parts = known.split_once(" (").zip(known.rsplit_once(')'));
    let known_start = parts.map(|((start, _), (_, end))| format!("{start}{end}"));
    line.starts_with("webview ")
        && (line == known || known_start.is_some_and(|start| start == line))
}

/// The changes since the last known screen, or since an earlier one with its name if that is shorter; `None` if the screen
/// itself is shorter.
fn changes(known: &DeviceScreens, screen: &str) -> Option<ScreenUpdate> {
    if known.is_outdated {
        return None;
    }
    let (known, shown_lines) = (&known.last, &known.shown_lines);
    let last = known.last()?;
    let since_last =
        uitree::difference_for_reader(last, screen, shown_lines).map(|lines| (None, lines));
    let name = name_of(screen);
    let mut others = known.iter().rev().skip(1);
    let earlier = others.find(|earlier| name.is_some() && name_of(earlier) == name);
    let since_earlier =
        earlier.and_then(|earlier| uitree::difference_for_reader(earlier, screen, shown_lines));
    let since_earlier = since_earlier.map(|lines| (name, lines));
    let length = |(again, lines): &(Option<String>, String)| {
        lines.len() + again.as_ref().map_or(0, String::len)
    };
    let (again, lines) = since_last
        .into_iter()
        .chain(since_earlier)
        .min_by_key(length)?;
    Some(ScreenUpdate::Changes { again, lines })
}

/// The name of a screen: the path of its page, and its dialog, its title, or its heading; without any, its first text.
fn name_of(screen: &str) -> Option<String> {
    let lines = || screen.lines().map(str::trim_start);
    let page = lines().find_map(|line| {
        let path = line.strip_prefix("webview ")?.split(' ').next()?;
        path.starts_with('/').then(|| format!("page {path}"))
    });
    let first = |role: &&str| lines().find(|line| line.starts_with(*role));
    let title = ["dialog ", "title ", "heading "].iter().find_map(first);
    let title = title.or_else(|| first(&"\"").filter(|_| page.is_none()));
    // Up to the end of the first string.
    let title = title.map(|line| line.find("\" ").map_or(line, |at| &line[..=at]));
    match (page, title) {
        (Some(page), Some(title)) => Some(format!("{page}, {title}")),
        (page, title) => page.or_else(|| title.map(str::to_owned)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of the earlier screen and the changed lines.
    fn changes(update: ScreenUpdate) -> (Option<String>, String) {
        match update {
            ScreenUpdate::Changes { again, lines } => (again, lines),
            ScreenUpdate::Screen(screen) => panic!("a whole screen: {screen}"),
        }
    }

    #[test]
    fn tabs_share_the_screens_of_a_client() {
        let known = KnownScreens::default();
        let list = "application shop\nwebview /list\nheading \"List\"\nbutton \"Open\" e1\n";
        let item = "application shop\nwebview /item\nheading \"Item\"\nbutton \"Buy\" e2\n";
        known.update("chrome:1", list);
        // A step opens another tab, and the next one closes it.
        known.update("chrome:1", item);
        let again = |name: &str| (Some(name.to_owned()), String::new());
        let list_again = changes(known.update("chrome:2", list));
        assert_eq!(list_again, again("page /list, heading \"List\""));
        let item_again = changes(known.update("chrome:1", item));
        assert_eq!(item_again, again("page /item, heading \"Item\""));
    }

    #[test]
    fn earlier_screen_that_is_shown_again_is_not_repeated() {
        let known = KnownScreens::default();
        let list = "application com.a\n title \"List\"\n listitem \"One\" e1\n listitem \"Two\" e2\n listitem \"Three\" e3\n";
        let item = "application com.a\n title \"Two\"\n text \"Second\"\n";
        let whole = |screen: &str| ScreenUpdate::Screen(screen.to_owned());
        assert_eq!(known.update("sim", list), whole(list));
        // Without the line of the window, which the last screen has.
        let inside = item.split_once('\n').unwrap().1;
        assert_eq!(known.update("sim", item), whole(inside));
        let back = list.replace("\"Two\"", "\"Two\" \"seen\"");
        let (again, lines) = changes(known.update("sim", &back));
        assert_eq!(again.as_deref(), Some("title \"List\""));
        assert_eq!(lines, "+ listitem \"Two\" \"seen\" e2\n");
        let same = changes(known.update("sim", &back));
        assert_eq!(same, (None, String::new()));
        assert_eq!(known.update("other", &back), whole(&back));
        // The screen before is the last one with this name.
        assert_eq!(changes(known.update("sim", item)).1, "");
    }

    #[test]
    fn lines_that_were_beyond_the_screen_are_known() {
        let known = KnownScreens::default();
        let page = |rows: &[&str]| {
            let rows = rows.iter().map(|row| format!("  text \"Row {row}\"\n"));
            let rows: String = rows.collect();
            format!("application com.a\n webview / e1\n{rows}")
        };
        let long = "one with a long text ".repeat(9);
        known.update("sim", &page(&["a", "b"]));
        let all = page(&["a", "b", "c", "d", &long, "f"]);
        let ScreenUpdate::Screen(_) = known.screen_with_offscreen("sim", &all) else {
            panic!("changes");
        };
        let ScreenUpdate::Screen(scrolled) = known.screen("sim", &page(&["c", "d", &long, "new"]))
        else {
            panic!("changes");
        };
        let expected = " webview / e1\n  text \"Row c\" … 3 lines as before\n  text \"Row new\"\n";
        assert_eq!(scrolled, expected);
        let again = changes(known.update("sim", &page(&["c", &long, "f", "new"]))).1;
        assert_eq!(again, "+  text \"Row f\"\n- 1 line: \"Row d\"\n");
    }

    #[test]
    fn screen_with_what_is_beyond_is_newer_than_the_last_one() {
        let known = KnownScreens::default();
        let page = |state: &str, more: &str| {
            format!("application com.a\n webview / e1\n  switch \"Wi-Fi\" {state} e2\n{more}")
        };
        known.update("sim", &page("on", ""));
        known.screen_with_offscreen("sim", &page("off", "  text \"Below\"\n"));
        let update = known.update("sim", &page("on", ""));
        let ScreenUpdate::Screen(screen) = update else {
            panic!("{update:?}");
        };
        assert!(screen.contains("switch \"Wi-Fi\" on e2"), "{screen}");
    }

    #[test]
    fn line_of_a_known_page_is_left_out() {
        let known = KnownScreens::default();
        let rows = "text of a page that is longer than all of its dialog ".repeat(9);
        let page = |counts: &str, rest: &str| {
            format!("application a.test \"A\"\nwebview / scrollable{counts} e1\n{rest}\n")
        };
        known.update(
            "chrome",
            &page(" (9 elements below)", &format!("\"{rows}\"")),
        );
        let dialog = "dialog\n heading \"Delete?\"\n button \"Yes\" e2";
        let shown = known.screen("chrome", &page("", dialog));
        assert_eq!(shown, ScreenUpdate::Screen(format!("{dialog}\n")));
        let scrolled = page(
            " (3 elements above)",
            &format!("\"{}\"", "another ".repeat(99)),
        );
        let ScreenUpdate::Screen(scrolled) = known.screen("chrome", &scrolled) else {
            panic!("changes");
        };
        assert!(
            scrolled.starts_with("webview / scrollable (3 elements above) e1\n"),
            "{scrolled}"
        );
    }

    #[test]
    fn pages_have_names() {
        for (screen, name) in [
            ("webview /#/mail/6 scrollable e1\n\"A\"", "page /#/mail/6"),
            (
                "webview /\n\"A\"\nheading \"Mail\" e2",
                "page /, heading \"Mail\"",
            ),
            ("webview\n\"A\" \"B\"", "\"A\""),
        ] {
            let screen = format!("application a.test \"A\"\n{screen}\n");
            assert_eq!(name_of(&screen).as_deref(), Some(name), "{screen}");
        }
        assert_eq!(name_of("application com.a\n"), None);
    }

    #[test]
    fn known_lines_of_a_new_screen_are_counted() {
        let known = KnownScreens::default();
        let page = |rest: &str| {
            let links = " link \"In\" e1\n link \"Out\" e2\n link \"Spam\" e3\n";
            format!("application com.a\n{links} heading \"{rest}\"\n text \"{rest}\"\n")
        };
        known.update("sim", &page("a"));
        // A dialog hides them for a while.
        known.update(
            "sim",
            "application com.a\n dialog \"b\"\n  button \"OK\" e4\n",
        );
        let long = "another page with a long text ".repeat(9);
        let ScreenUpdate::Screen(screen) = known.update("sim", &page(&long)) else {
            panic!("changes");
        };
        let start = " link \"In\" e1 … 3 lines as before\n heading";
        assert!(screen.starts_with(start), "{screen}");
    }

    #[test]
    fn requested_screen_counts_known_lines() {
        let known = KnownScreens::default();
        let rows = " text \"One\"\n text \"Two\"\n text \"Three\"\n";
        let list = format!("application com.a\n title \"List\"\n{rows}");
        assert_eq!(
            known.screen("sim", &list),
            ScreenUpdate::Screen(list.clone())
        );
        let ScreenUpdate::Screen(again) = known.screen("sim", &format!("{list} text \"Four\"\n"))
        else {
            panic!("changes");
        };
        assert_eq!(
            again,
            " title \"List\" … 4 lines as before\n text \"Four\"\n"
        );
    }
}
