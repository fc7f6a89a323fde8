//! The screens that a client has, to which changes refer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of devices whose screens a client is known to have.
const MAX_DEVICES: usize = 64;

/// The maximum number of screens of a device, the last ones.
const MAX_SCREENS: usize = 4;

/// The last screens of each device that a client has.
#[derive(Clone, Debug, Default)]
pub struct KnownScreens(Arc<Mutex<HashMap<String, Vec<String>>>>);

/// What changed on a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenChanges {
    /// The name of the earlier screen that is shown again; `None` if it is the last one.
    pub again: Option<String>,
    /// Its new lines and the number of its removed ones; empty if there are none.
    pub lines: String,
}

impl KnownScreens {
    /// Stores the screen that the client gets now; returns what changed since the last one, or since an earlier one with the
    /// same name. `None` if there is none, or if the whole screen says it better.
    pub fn changes(&self, device: &str, screen: &str) -> Option<ScreenChanges> {
        let mut screens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if screens.len() >= MAX_DEVICES && !screens.contains_key(device) {
            // Their next changes are whole screens.
            screens.clear();
        }
        let known = screens.entry(device.to_owned()).or_default();
        let name = name_of(screen);
        let since_last = known
            .last()
            .and_then(|last| uitree::difference(last, screen));
        let changes = since_last.map(|lines| ScreenChanges { again: None, lines });
        let changes = changes.or_else(|| {
            let name = name?;
            let earlier = known
                .iter()
                .rev()
                .find(|earlier| name_of(earlier) == Some(name))?;
            let lines = uitree::difference(earlier, screen)?;
            let again = Some(name.to_owned());
            Some(ScreenChanges { again, lines })
        });
        // A name means the last screen that has it.
        known.retain(|earlier| name_of(earlier).is_some_and(|other| Some(other) != name));
        known.push(screen.to_owned());
        if known.len() > MAX_SCREENS {
            known.remove(0);
        }
        changes
    }
}

/// What names a screen: its dialog, its title, its heading, or else its first text.
fn name_of(screen: &str) -> Option<&str> {
    let lines = || screen.lines().map(str::trim_start);
    let line = ["dialog ", "title ", "heading ", "text "]
        .iter()
        .find_map(|role| lines().find(|line| line.starts_with(role)))?;
    // Up to the end of the first string.
    let end = line.find("\" ").map_or(line.len(), |at| at + 1);
    line.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_screen_that_is_shown_again_is_not_repeated() {
        let known = KnownScreens::default();
        let list = "application com.a\n title \"List\"\n listitem \"One\" e1\n listitem \"Two\" e2\n listitem \"Three\" e3\n";
        let item = "application com.a\n title \"Two\"\n text \"Second\"\n";
        assert_eq!(known.changes("sim", list), None);
        assert_eq!(known.changes("sim", item), None);
        let back = list.replace("\"Two\"", "\"Two\" \"seen\"");
        let changes = known.changes("sim", &back).unwrap();
        assert_eq!(changes.again.as_deref(), Some("title \"List\""));
        assert_eq!(changes.lines, "+ listitem \"Two\" \"seen\" e2\n- 1 line\n");
        let same = known.changes("sim", &back).unwrap();
        assert_eq!((same.again, &*same.lines), (None, ""));
        assert_eq!(known.changes("other", &back), None);
        // The screen before is the last one with this name.
        assert_eq!(known.changes("sim", item).unwrap().lines, "");
    }
}
