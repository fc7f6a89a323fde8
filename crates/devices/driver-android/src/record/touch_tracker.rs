//! Turns kernel events into strokes of fingers and key presses.

use std::collections::BTreeMap;

use driver::Key;
use uitree::{Point, Size};

use super::kernel::{Code, KernelEvent, Panel, Panels};

/// One finger from touch to release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    /// The times of touch and release: milliseconds on the phone's clock.
    pub(super) down: f64,
    pub(super) up: f64,
    /// The position, as fractions of the panel from 0 to 1; `None` if not reported.
    pub(super) from: Option<(f64, f64)>,
    pub(super) to: Option<(f64, f64)>,
    /// The maximum number of simultaneous fingers meanwhile.
    pub(super) fingers: usize,
}

/// An input of the user.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Input {
    Stroke(Stroke),
    Button {
        at: f64,
        key: Key,
    },
    /// The kernel lost events.
    Lost {
        at: f64,
    },
}

/// Tracks all fingers on all panels.
#[derive(Debug, Default)]
pub(super) struct TouchTracker {
    glasses: BTreeMap<String, PanelState>,
}

#[derive(Debug)]
struct PanelState {
    panel: Panel,
    slot: usize,
    slots: BTreeMap<usize, Slot>,
    /// Whether a panel without slots is touched.
    touches: bool,
}

/// A finger. Its position is kept after it leaves, since only changes are reported.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    x: Option<i32>,
    y: Option<i32>,
    /// It touches now, or did until this report.
    stroke: Option<Stroke>,
    leaves: bool,
}

impl TouchTracker {
    pub(super) fn on(panels: &Panels) -> Self {
        let glass = |panel: &Panel| PanelState {
            slot: panel.slot.unwrap_or(0),
            panel: panel.clone(),
            slots: BTreeMap::new(),
            touches: false,
        };
        let glasses = panels
            .iter()
            .map(|(path, panel)| (path.clone(), glass(panel)));
        Self {
            glasses: glasses.collect(),
        }
    }

    /// Processes an event; returns the completed inputs.
    pub(super) fn take(&mut self, raw: &KernelEvent) -> Vec<Input> {
        if let Code::Button(name) = &raw.code {
            // A button counts when it is released.
            let key = (raw.value == 0).then(|| button(name)).flatten();
            return key
                .map(|key| Input::Button { at: raw.ms, key })
                .into_iter()
                .collect();
        }
        let Some(glass) = self.glasses.get_mut(&raw.device) else {
            return Vec::new();
        };
        glass.take(raw)
    }
}

/// The keys that are recorded.
fn button(name: &str) -> Option<Key> {
    Some(match name {
        "BACK" => Key::Back,
        "HOME" | "HOMEPAGE" => Key::Home,
        "APPSELECT" | "APP_SWITCH" => Key::Recents,
        "ENTER" | "KPENTER" => Key::Enter,
        "TAB" => Key::Tab,
        "ESC" => Key::Escape,
        "MENU" => Key::Menu,
        "SEARCH" => Key::Search,
        "POWER" => Key::Power,
        "VOLUMEUP" => Key::VolumeUp,
        "VOLUMEDOWN" => Key::VolumeDown,
        _ => return None,
    })
}

impl PanelState {
    fn take(&mut self, raw: &KernelEvent) -> Vec<Input> {
        let alone = self.panel.slot.is_none();
        match &raw.code {
            Code::Slot => self.slot = usize::try_from(raw.value).unwrap_or(0),
            Code::Tracking if raw.value < 0 => self.current().leaves = true,
            Code::Tracking => self.comes(raw.ms),
            Code::X => self.current().x = Some(raw.value),
            Code::Y => self.current().y = Some(raw.value),
            Code::Touch if alone => {
                self.touches = raw.value != 0;
                if self.touches {
                    self.comes(raw.ms);
                } else {
                    self.current().leaves = true;
                }
            }
            Code::Report => return self.report(raw.ms),
            Code::Dropped => {
                let there = self.slots.values().any(|slot| slot.stroke.is_some());
                self.slots.clear();
                return there
                    .then_some(Input::Lost { at: raw.ms })
                    .into_iter()
                    .collect();
            }
            Code::Touch | Code::Button(_) | Code::Other => {}
        }
        Vec::new()
    }

    fn current(&mut self) -> &mut Slot {
        self.slots.entry(self.slot).or_default()
    }

    fn comes(&mut self, at: f64) {
        self.current().stroke = Some(Stroke {
            down: at,
            up: at,
            from: None,
            to: None,
            fingers: 1,
        });
    }

    /// Ends the events of one moment.
    fn report(&mut self, at: f64) -> Vec<Input> {
        let there = self
            .slots
            .values()
            .filter(|slot| slot.stroke.is_some())
            .count();
        let (x, y) = (self.panel.x, self.panel.y);
        let mut ended = Vec::new();
        for slot in self.slots.values_mut() {
            let place = slot
                .x
                .zip(slot.y)
                .map(|(at_x, at_y)| (share(at_x, x), share(at_y, y)));
            let leaves = std::mem::take(&mut slot.leaves);
            let Some(stroke) = &mut slot.stroke else {
                continue;
            };
            stroke.fingers = stroke.fingers.max(there);
            stroke.from = stroke.from.or(place);
            stroke.to = place;
            stroke.up = at;
            if leaves {
                ended.push(Input::Stroke(*stroke));
                slot.stroke = None;
            }
        }
        ended
    }
}

/// The position in a range, from 0 to 1, in the middle of its unit.
fn share(value: i32, (least, most): (i32, i32)) -> f64 {
    let count = f64::from(most - least) + 1.0;
    ((f64::from(value - least) + 0.5) / count).clamp(0.0, 1.0)
}

/// The pixel under a position of the panel, which does not rotate with the screen. `screen` is the rotated
/// size; `rotation` counts quarter turns as a dump does.
pub(super) fn pixel((x, y): (f64, f64), screen: Size, rotation: u8) -> Point {
    let (across, down) = match rotation {
        1 => (y, 1.0 - x),
        2 => (1.0 - x, 1.0 - y),
        3 => (1.0 - y, x),
        _ => (x, y),
    };
    let along = |share: f64, length: i32| {
        let at = (share * f64::from(length)).floor() as i32;
        at.clamp(0, (length - 1).max(0))
    };
    Point::new(along(across, screen.width), along(down, screen.height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::kernel;

    fn fingers() -> TouchTracker {
        let panel = Panel {
            x: (0, 999),
            y: (0, 1999),
            slot: Some(0),
        };
        TouchTracker::on(&Panels::from([("/d".to_owned(), panel)]))
    }

    fn play(fingers: &mut TouchTracker, lines: &[&str]) -> Vec<Input> {
        let events = lines.iter().enumerate().map(|(ms, line)| {
            let line = format!("[{}.{:03}000] /d: {line}", ms / 1000, ms % 1000);
            kernel::event(&line).unwrap_or_else(|| panic!("{line}"))
        });
        events.flat_map(|event| fingers.take(&event)).collect()
    }

    #[test]
    fn tap_is_a_stroke_with_unchanged_values_kept() {
        let mut fingers = fingers();
        let tap = |x: &'static str, y: &'static str| {
            [
                "EV_ABS ABS_MT_TRACKING_ID 00000001",
                x,
                y,
                "EV_KEY BTN_TOUCH DOWN",
                "EV_SYN SYN_REPORT 00000000",
                "EV_ABS ABS_MT_TRACKING_ID ffffffff",
                "EV_KEY BTN_TOUCH UP",
                "EV_SYN SYN_REPORT 00000000",
            ]
        };
        let first = tap(
            "EV_ABS ABS_MT_POSITION_X 000001f4",
            "EV_ABS ABS_MT_POSITION_Y 000003e8",
        );
        let ended = play(&mut fingers, &first);
        let [Input::Stroke(stroke)] = ended.as_slice() else {
            panic!("{ended:?}");
        };
        assert_eq!((stroke.down, stroke.up, stroke.fingers), (0.0, 7.0, 1));
        let screen = Size::new(500, 1000);
        let at = |stroke: &Stroke| pixel(stroke.from.unwrap(), screen, 0);
        assert_eq!(at(stroke), Point::new(250, 500));
        // The next finger touches in the same column, which the kernel does not repeat.
        let second = tap("EV_SYN 0007 00000000", "EV_ABS ABS_MT_POSITION_Y 00000000");
        let ended = play(&mut fingers, &second);
        let [Input::Stroke(stroke)] = ended.as_slice() else {
            panic!("{ended:?}");
        };
        assert_eq!(at(stroke), Point::new(250, 0));
    }

    #[test]
    fn two_fingers_are_two_strokes_with_finger_count() {
        let ended = play(
            &mut fingers(),
            &[
                "EV_ABS ABS_MT_TRACKING_ID 00000001",
                "EV_ABS ABS_MT_POSITION_X 00000001",
                "EV_ABS ABS_MT_POSITION_Y 00000001",
                "EV_SYN SYN_REPORT 00000000",
                "EV_ABS ABS_MT_SLOT 00000001",
                "EV_ABS ABS_MT_TRACKING_ID 00000002",
                "EV_ABS ABS_MT_POSITION_X 00000064",
                "EV_ABS ABS_MT_POSITION_Y 00000064",
                "EV_SYN SYN_REPORT 00000000",
                "EV_ABS ABS_MT_TRACKING_ID ffffffff",
                "EV_ABS ABS_MT_SLOT 00000000",
                "EV_ABS ABS_MT_TRACKING_ID ffffffff",
                "EV_SYN SYN_REPORT 00000000",
            ],
        );
        assert_eq!(ended.len(), 2);
        for input in ended {
            assert!(matches!(input, Input::Stroke(stroke) if stroke.fingers == 2));
        }
    }

    #[test]
    fn buttons_count_on_release_and_lost_events_are_reported() {
        let mut fingers = fingers();
        let ended = play(
            &mut fingers,
            &[
                "EV_KEY KEY_BACK DOWN",
                "EV_KEY KEY_BACK UP",
                "EV_KEY KEY_A UP",
                "EV_ABS ABS_MT_TRACKING_ID 00000001",
                "EV_SYN SYN_DROPPED 00000000",
                "EV_ABS ABS_MT_TRACKING_ID ffffffff",
                "EV_SYN SYN_REPORT 00000000",
            ],
        );
        let back = Input::Button {
            at: 1.0,
            key: Key::Back,
        };
        assert_eq!(ended, [back, Input::Lost { at: 4.0 }]);
    }

    #[test]
    fn single_touch_panel_is_tracked() {
        let panel = Panel {
            x: (0, 99),
            y: (0, 99),
            slot: None,
        };
        let mut fingers = TouchTracker::on(&Panels::from([("/d".to_owned(), panel)]));
        let ended = play(
            &mut fingers,
            &[
                "EV_KEY BTN_TOUCH DOWN",
                "EV_ABS ABS_MT_POSITION_X 00000032",
                "EV_ABS ABS_MT_POSITION_Y 00000032",
                "EV_SYN SYN_REPORT 00000000",
                "EV_KEY BTN_TOUCH UP",
                "EV_SYN SYN_REPORT 00000000",
            ],
        );
        assert!(matches!(ended.as_slice(), [Input::Stroke(stroke)] if stroke.from.is_some()));
    }

    #[test]
    fn panel_does_not_rotate_with_the_screen() {
        let corner = (0.0, 0.0);
        let (upright, wide) = (Size::new(1000, 2000), Size::new(2000, 1000));
        assert_eq!(pixel(corner, upright, 0), Point::new(0, 0));
        assert_eq!(pixel(corner, wide, 1), Point::new(0, 999));
        assert_eq!(pixel(corner, upright, 2), Point::new(999, 1999));
        assert_eq!(pixel(corner, wide, 3), Point::new(1999, 0));
    }
}
