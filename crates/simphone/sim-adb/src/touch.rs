//! What a person does to the phone: the glass and the buttons as the kernel sees them, below everything that the system
//! injects. `sendevent` acts here, `getevent` tells of it, and `input` does neither.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use driver::Key;
use driver_sim::{Finger, Rotation};
use tokio::sync::watch;
use tokio::time::Instant;
use uitree::{Point, Size};

/// How many events are kept for those who listen late.
const MAX_BYTES: usize = 16 * 1024;
/// How many fingers the glass tells apart.
pub(crate) const SLOTS: usize = 10;
/// How many places of the glass one pixel has, in each direction.
const FINENESS: i32 = 4;
/// The buttons.
pub(crate) const BUTTONS: &str = "/dev/input/event0";
/// The glass.
pub(crate) const GLASS: &str = "/dev/input/event1";

/// Types of events. Source: `linux/input-event-codes.h`, as everything below.
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

/// The buttons that it has, and what they do.
pub(crate) const KEYS: [(u16, &str, Key); 6] = [
    (102, "KEY_HOME", Key::Home),
    (114, "KEY_VOLUMEDOWN", Key::VolumeDown),
    (115, "KEY_VOLUMEUP", Key::VolumeUp),
    (116, "KEY_POWER", Key::Power),
    (158, "KEY_BACK", Key::Back),
    (580, "KEY_APPSELECT", Key::Recents),
];

/// An event as the kernel has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KernelEvent {
    /// Microseconds since the phone was switched on.
    pub(crate) micros: u64,
    /// Which device.
    pub(crate) device: &'static str,
    pub(crate) kind: u16,
    pub(crate) code: u16,
    pub(crate) value: i32,
}

/// What an event comes to, at the end of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TouchEvent {
    Finger(Finger),
    Key(Key),
}

/// The devices. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    inner: Arc<Mutex<Inner>>,
    next: watch::Sender<u64>,
    started: Instant,
}

#[derive(Debug, Default)]
struct Inner {
    events: VecDeque<KernelEvent>,
    /// The number of the first one that is kept.
    first: u64,
    slot: usize,
    slots: [Contact; SLOTS],
    /// The finger that the phone follows, and its last place.
    follows: Option<(usize, Point)>,
    pressed: Option<Key>,
}

/// What the kernel knows of a finger; where one was stays known when it has left.
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

impl Touched {
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

    /// Something happens to a device; gives what it comes to. `screen` is as the phone is turned.
    pub(crate) fn write(
        &self,
        device: &'static str,
        (kind, code, value): (u16, u16, i32),
        screen: Size,
        rotation: Rotation,
    ) -> Option<TouchEvent> {
        let mut inner = self.inner();
        // The kernel tells of what changes.
        if inner.knows(kind, code, value) {
            return None;
        }
        inner.events.push_back(KernelEvent {
            micros: u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX),
            device,
            kind,
            code,
            value,
        });
        if inner.events.len() > MAX_BYTES {
            inner.events.pop_front();
            inner.first += 1;
        }
        let next = inner.first + inner.events.len() as u64;
        let comes = inner.apply(device, (kind, code, value), screen, rotation);
        drop(inner);
        self.next.send_replace(next);
        comes
    }

    /// The events from number `from` on that are still there, and the number that follows them.
    pub(crate) fn since(&self, from: u64) -> (Vec<KernelEvent>, u64) {
        let inner = self.inner();
        let skip = usize::try_from(from.saturating_sub(inner.first)).unwrap_or(usize::MAX);
        let next = inner.first + inner.events.len() as u64;
        (inner.events.iter().skip(skip).copied().collect(), next)
    }

    /// Told of every event, by the number that the next one gets.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.next.subscribe()
    }
}

impl Inner {
    /// Whether this is so already.
    fn knows(&self, kind: u16, code: u16, value: i32) -> bool {
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
    ) -> Option<TouchEvent> {
        match event {
            (EV_KEY, code, value) if device == BUTTONS => {
                let (_, _, key) = KEYS.iter().find(|(number, _, _)| *number == code)?;
                // A button acts when it is let go.
                if value == 1 {
                    self.pressed = Some(*key);
                    return None;
                }
                self.pressed
                    .take()
                    .filter(|pressed| pressed == key)
                    .map(TouchEvent::Key)
            }
            (EV_ABS, ABS_MT_SLOT, value) => {
                self.slot = usize::try_from(value).unwrap_or(0).min(SLOTS - 1);
                None
            }
            (EV_ABS, ABS_MT_TRACKING_ID, value) => {
                if let Some(contact) = self.slots.get_mut(self.slot) {
                    contact.id = value.max(-1);
                }
                None
            }
            (EV_ABS, code, value) => {
                if let Some(contact) = self.slots.get_mut(self.slot) {
                    match code {
                        ABS_MT_POSITION_X => contact.x = value,
                        ABS_MT_POSITION_Y => contact.y = value,
                        _ => {}
                    }
                }
                None
            }
            (EV_SYN, SYN_REPORT, _) if device == GLASS => {
                self.report(screen, rotation).map(TouchEvent::Finger)
            }
            _ => None,
        }
    }

    /// The phone follows the first finger; readers of the events see the others, too.
    fn report(&mut self, screen: Size, rotation: Rotation) -> Option<Finger> {
        match self.follows {
            None => {
                let (slot, contact) =
                    self.slots.iter().enumerate().find_map(|(slot, contact)| {
                        (contact.id >= 0).then_some((slot, *contact))
                    })?;
                let at = shown(contact, screen, rotation);
                self.follows = Some((slot, at));
                Some(Finger::Down(at))
            }
            Some((slot, last)) => match self
                .slots
                .get(slot)
                .copied()
                .filter(|contact| contact.id >= 0)
            {
                None => {
                    self.follows = None;
                    Some(Finger::Up(last))
                }
                Some(contact) => {
                    let at = shown(contact, screen, rotation);
                    self.follows = Some((slot, at));
                    (at != last).then_some(Finger::Move(at))
                }
            },
        }
    }
}

/// The largest coordinates of the glass, which does not turn with the screen.
pub(crate) const fn range(screen: Size, rotation: Rotation) -> (i32, i32) {
    let upright = upright(screen, rotation);
    (upright.width * FINENESS - 1, upright.height * FINENESS - 1)
}

const fn upright(screen: Size, rotation: Rotation) -> Size {
    match rotation {
        Rotation::Portrait | Rotation::ReversePortrait => screen,
        Rotation::Landscape | Rotation::ReverseLandscape => Size::new(screen.height, screen.width),
    }
}

/// Where a place of the glass is on the screen.
fn shown(contact: Contact, screen: Size, rotation: Rotation) -> Point {
    let (x, y) = (
        contact.x.div_euclid(FINENESS),
        contact.y.div_euclid(FINENESS),
    );
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
    fn the_glass_does_not_turn_with_the_screen() {
        let corner = Contact::default();
        let (upright, wide) = (Size::new(1000, 2000), Size::new(2000, 1000));
        for (rotation, screen, at) in [
            (Rotation::Portrait, upright, Point::new(0, 0)),
            (Rotation::Landscape, wide, Point::new(0, 999)),
            (Rotation::ReversePortrait, upright, Point::new(999, 1999)),
            (Rotation::ReverseLandscape, wide, Point::new(1999, 0)),
        ] {
            assert_eq!(shown(corner, screen, rotation), at, "{rotation:?}");
            assert_eq!(range(screen, rotation), (3999, 7999));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_second_finger_is_seen_and_not_followed() {
        let touched = Touched::new();
        let screen = Size::new(1000, 2000);
        let mut came = Vec::new();
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
            came.extend(touched.write(GLASS, event, screen, Rotation::Portrait));
        }
        assert_eq!(
            came,
            [
                TouchEvent::Finger(Finger::Down(Point::new(100, 200))),
                TouchEvent::Finger(Finger::Move(Point::new(100, 400))),
                TouchEvent::Finger(Finger::Up(Point::new(100, 400))),
            ]
        );
        let (events, next) = touched.since(0);
        assert_eq!((events.len(), next), (13, 13));
        assert_eq!(touched.since(12).0.len(), 1);
    }
}
