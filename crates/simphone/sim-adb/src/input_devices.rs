//! The kernel's input devices: touch screen and buttons. `sendevent` writes to them and `getevent` reads from them; `input`
//! bypasses them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use driver::Key;
use driver_sim::{Finger, Rotation};
use tokio::sync::watch;
use tokio::time::Instant;
use uitree::{Point, Size};

const MAX_EVENTS: usize = 16 * 1024;
/// How many fingers the touch screen distinguishes.
pub(crate) const SLOTS: usize = 10;
/// How many touch coordinates one pixel has, in each direction.
const UNITS_PER_PIXEL: i32 = 4;
pub(crate) const BUTTONS: &str = "/dev/input/event0";
pub(crate) const TOUCH_SCREEN: &str = "/dev/input/event1";

/// Types and codes of events. Source: `linux/input-event-codes.h`.
pub(crate) const EV_SYN: u16 = 0;
pub(crate) const EV_KEY: u16 = 1;
pub(crate) const EV_ABS: u16 = 3;
pub(crate) const SYN_REPORT: u16 = 0;
pub(crate) const BTN_TOUCH: u16 = 330;
pub(crate) const ABS_MT_SLOT: u16 = 47;
pub(crate) const ABS_MT_TOUCH_MAJOR: u16 = 48;
pub(crate) const ABS_MT_POSITION_X: u16 = 53;
pub(crate) const ABS_MT_POSITION_Y: u16 = 54;
pub(crate) const ABS_MT_TRACKING_ID: u16 = 57;

pub(crate) const KEYS: [(u16, &str, Key); 6] = [
    (102, "KEY_HOME", Key::Home),
    (114, "KEY_VOLUMEDOWN", Key::VolumeDown),
    (115, "KEY_VOLUMEUP", Key::VolumeUp),
    (116, "KEY_POWER", Key::Power),
    (158, "KEY_BACK", Key::Back),
    (580, "KEY_APPSELECT", Key::Recents),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KernelEvent {
    /// Microseconds since boot.
    pub(crate) micros: u64,
    pub(crate) device: &'static str,
    pub(crate) kind: u16,
    pub(crate) code: u16,
    pub(crate) value: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceInput {
    Finger(Finger),
    Key(Key),
}

/// The input devices of one phone. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct InputDevices {
    inner: Arc<Mutex<Inner>>,
    next: watch::Sender<u64>,
    started: Instant,
}

#[derive(Debug, Default)]
struct Inner {
    events: VecDeque<KernelEvent>,
    /// The number of the first kept event.
    first: u64,
    slot: usize,
    slots: [Contact; SLOTS],
    /// The slot of the finger that the phone follows, and its last position.
    followed: Option<(usize, Point)>,
    pressed: Option<Key>,
}

/// The state of a finger; its position remains after it is lifted.
#[derive(Clone, Copy, Debug)]
struct Contact {
    id: i32,
    x: i32,
    y: i32,
}

impl Default for Contact {
    fn default() -> Self {
        Self { id: -1, x: 0, y: 0 }
    }
}

impl InputDevices {
    pub(crate) fn new() -> Self {
        Self {
            inner: Arc::default(),
            next: watch::Sender::new(0),
            started: Instant::now(),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an event to a device; returns the input that it causes. `screen` is the size in this rotation.
    pub(crate) fn write(
        &self,
        device: &'static str,
        (kind, code, value): (u16, u16, i32),
        screen: Size,
        rotation: Rotation,
    ) -> Option<DeviceInput> {
        let mut inner = self.inner();
        // The kernel drops events that the device does not have, or that change nothing.
        if (kind == EV_ABS && device != TOUCH_SCREEN) || inner.is_current(kind, code, value) {
            return None;
        }
        inner.events.push_back(KernelEvent {
            micros: u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX),
            device,
            kind,
            code,
            value,
        });
        if inner.events.len() > MAX_EVENTS {
            inner.events.pop_front();
            inner.first += 1;
        }
        let next = inner.first + inner.events.len() as u64;
        let input = inner.apply(device, (kind, code, value), screen, rotation);
        drop(inner);
        self.next.send_replace(next);
        input
    }

    /// The events from number `from` on that are still kept, and the number after them.
    pub(crate) fn since(&self, from: u64) -> (Vec<KernelEvent>, u64) {
        let inner = self.inner();
        let skip = usize::try_from(from.saturating_sub(inner.first)).unwrap_or(usize::MAX);
        let next = inner.first + inner.events.len() as u64;
        (inner.events.iter().skip(skip).copied().collect(), next)
    }

    /// Notifies of every event with the number of the next one.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }
}

impl Inner {
    fn is_current(&self, kind: u16, code: u16, value: i32) -> bool {
        let contact = self.slots.get(self.slot).copied().unwrap_or_default();
        match (kind, code) {
            (EV_ABS, ABS_MT_SLOT) => usize::try_from(value) == Ok(self.slot),
            (EV_ABS, ABS_MT_TRACKING_ID) => contact.id == value,
            (EV_ABS, ABS_MT_POSITION_X) => contact.x == value,
            (EV_ABS, ABS_MT_POSITION_Y) => contact.y == value,
            _ => false,
        }
    }

    fn apply(
        &mut self,
        device: &str,
        event: (u16, u16, i32),
        screen: Size,
        rotation: Rotation,
    ) -> Option<DeviceInput> {
        match (device, event) {
            (BUTTONS, (EV_KEY, code, value)) => {
                let (_, _, key) = KEYS.iter().find(|(number, _, _)| *number == code)?;
                match value {
                    // A button acts when it is released.
                    0 => {
                        let released = self.pressed.take_if(|pressed| pressed == key);
                        return released.map(DeviceInput::Key);
                    }
                    1 => self.pressed = Some(*key),
                    // It repeats while it is held.
                    _ => {}
                }
                None
            }
            (TOUCH_SCREEN, (EV_ABS, ABS_MT_SLOT, value)) => {
                self.slot = usize::try_from(value).unwrap_or(0).min(SLOTS - 1);
                None
            }
            (TOUCH_SCREEN, (EV_ABS, code, value)) => {
                let contact = self.slots.get_mut(self.slot)?;
                match code {
                    ABS_MT_TRACKING_ID => contact.id = value.max(-1),
                    ABS_MT_POSITION_X => contact.x = value,
                    ABS_MT_POSITION_Y => contact.y = value,
                    _ => {}
                }
                None
            }
            (TOUCH_SCREEN, (EV_SYN, SYN_REPORT, _)) => {
                self.report(screen, rotation).map(DeviceInput::Finger)
            }
            _ => None,
        }
    }

    /// The phone follows the first finger; readers of events see all.
    fn report(&mut self, screen: Size, rotation: Rotation) -> Option<Finger> {
        match self.followed {
            None => {
                let mut slots = self.slots.iter().enumerate();
                let (slot, contact) = slots.find(|(_, contact)| contact.id >= 0)?;
                let at = to_screen(*contact, screen, rotation);
                self.followed = Some((slot, at));
                Some(Finger::Down(at))
            }
            Some((slot, last)) => match self.slots.get(slot).filter(|contact| contact.id >= 0) {
                None => {
                    self.followed = None;
                    Some(Finger::Up(last))
                }
                Some(contact) => {
                    let at = to_screen(*contact, screen, rotation);
                    self.followed = Some((slot, at));
                    (at != last).then_some(Finger::Move(at))
                }
            },
        }
    }
}

/// The largest touch coordinates, which do not rotate with the screen.
pub(crate) const fn range(screen: Size, rotation: Rotation) -> (i32, i32) {
    let Size { width, height } = upright(screen, rotation);
    (width * UNITS_PER_PIXEL - 1, height * UNITS_PER_PIXEL - 1)
}

const fn upright(screen: Size, rotation: Rotation) -> Size {
    match rotation {
        Rotation::Portrait | Rotation::ReversePortrait => screen,
        Rotation::Landscape | Rotation::ReverseLandscape => Size::new(screen.height, screen.width),
    }
}

fn to_screen(contact: Contact, screen: Size, rotation: Rotation) -> Point {
    let [x, y] = [contact.x, contact.y].map(|units| units.div_euclid(UNITS_PER_PIXEL));
    let Size { width, height } = upright(screen, rotation);
    match rotation {
        Rotation::Portrait => Point::new(x, y),
        Rotation::Landscape => Point::new(y, width - 1 - x),
        Rotation::ReversePortrait => Point::new(width - 1 - x, height - 1 - y),
        Rotation::ReverseLandscape => Point::new(height - 1 - y, x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touch_coordinates_do_not_rotate_with_the_screen() {
        let corner = Contact::default();
        let (upright, wide) = (Size::new(1000, 2000), Size::new(2000, 1000));
        for (rotation, screen, at) in [
            (Rotation::Portrait, upright, Point::new(0, 0)),
            (Rotation::Landscape, wide, Point::new(0, 999)),
            (Rotation::ReversePortrait, upright, Point::new(999, 1999)),
            (Rotation::ReverseLandscape, wide, Point::new(1999, 0)),
        ] {
            assert_eq!(to_screen(corner, screen, rotation), at, "{rotation:?}");
            assert_eq!(range(screen, rotation), (3999, 7999));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn devices_ignore_events_of_other_devices_and_repetitions() {
        let devices = InputDevices::new();
        let screen = Size::new(1000, 2000);
        let mut inputs = Vec::new();
        for (device, event) in [
            (TOUCH_SCREEN, (EV_ABS, ABS_MT_TRACKING_ID, 1)),
            (TOUCH_SCREEN, (EV_ABS, ABS_MT_POSITION_X, 400)),
            (BUTTONS, (EV_ABS, ABS_MT_POSITION_X, 800)),
            (BUTTONS, (EV_ABS, ABS_MT_SLOT, 1)),
            (TOUCH_SCREEN, (EV_ABS, ABS_MT_POSITION_Y, 800)),
            (TOUCH_SCREEN, (EV_SYN, SYN_REPORT, 0)),
            (BUTTONS, (EV_ABS, ABS_MT_TRACKING_ID, -1)),
            (TOUCH_SCREEN, (EV_SYN, SYN_REPORT, 0)),
            (BUTTONS, (EV_KEY, 102, 1)),
            (BUTTONS, (EV_KEY, 102, 2)),
            // It was not pressed.
            (BUTTONS, (EV_KEY, 116, 0)),
            (BUTTONS, (EV_KEY, 102, 0)),
            (BUTTONS, (EV_KEY, 102, 0)),
        ] {
            inputs.push(devices.write(device, event, screen, Rotation::Portrait));
        }
        let done: Vec<(usize, DeviceInput)> = inputs
            .into_iter()
            .enumerate()
            .filter_map(|(index, input)| Some((index, input?)))
            .collect();
        assert_eq!(devices.since(0).1, 10);
        assert_eq!(
            done,
            [
                (5, DeviceInput::Finger(Finger::Down(Point::new(100, 200)))),
                (11, DeviceInput::Key(Key::Home)),
            ]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn second_finger_is_recorded_and_not_followed() {
        let devices = InputDevices::new();
        let screen = Size::new(1000, 2000);
        let mut inputs = Vec::new();
        for event in [
            (EV_ABS, ABS_MT_TRACKING_ID, 1),
            (EV_ABS, ABS_MT_POSITION_X, 400),
            (EV_ABS, ABS_MT_POSITION_Y, 800),
            (EV_SYN, SYN_REPORT, 0),
            (EV_ABS, ABS_MT_SLOT, 1),
            (EV_ABS, ABS_MT_TRACKING_ID, 2),
            (EV_ABS, ABS_MT_POSITION_X, 40),
            (EV_SYN, SYN_REPORT, 0),
            (EV_ABS, ABS_MT_SLOT, 0),
            (EV_ABS, ABS_MT_POSITION_Y, 1600),
            (EV_SYN, SYN_REPORT, 0),
            (EV_ABS, ABS_MT_TRACKING_ID, -1),
            (EV_SYN, SYN_REPORT, 0),
        ] {
            inputs.extend(devices.write(TOUCH_SCREEN, event, screen, Rotation::Portrait));
        }
        assert_eq!(
            inputs,
            [
                DeviceInput::Finger(Finger::Down(Point::new(100, 200))),
                DeviceInput::Finger(Finger::Move(Point::new(100, 400))),
                DeviceInput::Finger(Finger::Up(Point::new(100, 400))),
            ]
        );
        let (events, next) = devices.since(0);
        assert_eq!((events.len(), next), (13, 13));
        assert_eq!(devices.since(12).0.len(), 1);
    }
}
