//! Parses the output of `getevent`: input devices and their events.

use std::collections::BTreeMap;

/// The command that lists the devices with their capabilities.
pub(super) const LIST: &str = "getevent -lp";
/// The command that prints events with times. It buffers its output unless it writes to a terminal.
pub(super) const GETEVENT: &str = "getevent -lt";

/// A touch panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Panel {
    /// Its minimum and maximum coordinates.
    pub(super) x: (i32, i32),
    pub(super) y: (i32, i32),
    /// The current slot; `None` if it does not track several fingers.
    pub(super) slot: Option<usize>,
}

/// The touch panels of a phone, by device path.
pub(super) type Panels = BTreeMap<String, Panel>;

/// Parses the list of devices: touch screens, but not touch pads.
pub(super) fn panels(text: &str) -> Panels {
    let mut panels = Panels::new();
    let mut path = String::new();
    let mut axes: BTreeMap<String, (i32, i32, i32)> = BTreeMap::new();
    let mut beside = false;
    let mut finish = |path: &str, axes: &mut BTreeMap<String, (i32, i32, i32)>, beside: bool| {
        let axes = std::mem::take(axes);
        let range = |names: [&str; 2]| {
            names
                .iter()
                .find_map(|name| axes.get(*name))
                .map(|(_, min, max)| (*min, *max))
                .filter(|(min, max)| max > min)
        };
        let x = range(["ABS_MT_POSITION_X", "0035"]);
        let y = range(["ABS_MT_POSITION_Y", "0036"]);
        if let (Some(x), Some(y), false, false) = (x, y, beside, path.is_empty()) {
            let slot = ["ABS_MT_SLOT", "002f"]
                .iter()
                .find_map(|name| axes.get(*name))
                .map(|(value, _, _)| usize::try_from(*value).unwrap_or(0));
            panels.insert(path.to_owned(), Panel { x, y, slot });
        }
    };
    let mut in_properties = false;
    for line in text.lines().map(str::trim_end) {
        if let Some((_, device)) = line
            .strip_prefix("add device ")
            .and_then(|rest| rest.split_once(": "))
        {
            finish(&path, &mut axes, beside);
            path = device.trim().to_owned();
            beside = false;
            in_properties = false;
        } else if line.trim_start().starts_with("input props:") {
            in_properties = true;
        } else if in_properties && line.contains("INPUT_PROP_POINTER") {
            beside = true;
        } else if let Some((name, numbers)) = axis(line) {
            axes.insert(name.to_owned(), numbers);
        }
    }
    finish(&path, &mut axes, beside);
    panels
}

/// `ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0, …`, after `ABS (0003):` in the first line.
fn axis(line: &str) -> Option<(&str, (i32, i32, i32))> {
    let (name, numbers) = line.split_once(" : value ")?;
    let name = name.split_whitespace().last()?;
    let mut parts = numbers.split(", ");
    let value = parts.next()?.trim().parse().ok()?;
    let min = parts.next()?.strip_prefix("min ")?.trim().parse().ok()?;
    let max = parts.next()?.strip_prefix("max ")?.trim().parse().ok()?;
    Some((name, (value, min, max)))
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KernelEvent {
    /// Milliseconds on the phone's clock.
    pub(super) ms: f64,
    /// The path of the device.
    pub(super) device: String,
    pub(super) code: Code,
    pub(super) value: i32,
}

/// The type of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// Selects the slot of the following events.
    Slot,
    /// A finger touches, or leaves if the value is negative.
    Tracking,
    X,
    Y,
    /// Touch starts or ends.
    Touch,
    /// A button; its name without `KEY_`.
    Button(String),
    /// End of the events of one moment.
    Report,
    /// Events were lost.
    Dropped,
    /// Irrelevant for a recording.
    Other,
}

/// Parses a line such as `[   123.456789] /dev/input/event2: EV_ABS  ABS_MT_POSITION_X  000001f4`.
pub(super) fn event(line: &str) -> Option<KernelEvent> {
    let rest = line.trim().strip_prefix('[')?;
    let (time, rest) = rest.split_once(']')?;
    let (device, rest) = rest.trim_start().split_once(": ")?;
    let mut words = rest.split_whitespace();
    let (kind, code, value) = (words.next()?, words.next()?, words.next()?);
    let seconds: f64 = time.trim().parse().ok()?;
    let value = match value {
        "DOWN" => 1,
        "UP" => 0,
        "REPEAT" => 2,
        hex => u32::from_str_radix(hex, 16).ok()?.cast_signed(),
    };
    let code = match (kind, code) {
        ("EV_ABS", "ABS_MT_SLOT" | "002f") => Code::Slot,
        ("EV_ABS", "ABS_MT_TRACKING_ID" | "0039") => Code::Tracking,
        ("EV_ABS", "ABS_MT_POSITION_X" | "0035") => Code::X,
        ("EV_ABS", "ABS_MT_POSITION_Y" | "0036") => Code::Y,
        ("EV_KEY", "BTN_TOUCH" | "014a") => Code::Touch,
        ("EV_KEY", key) => match key.strip_prefix("KEY_") {
            Some(name) => Code::Button(name.to_owned()),
            None => Code::Other,
        },
        ("EV_SYN", "SYN_REPORT") => Code::Report,
        ("EV_SYN", "SYN_DROPPED") => Code::Dropped,
        _ => Code::Other,
    };
    Some(KernelEvent {
        ms: seconds * 1000.0,
        device: device.to_owned(),
        code,
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = "add device 1: /dev/input/event3\r
  name:     \"trackpad\"\r
  events:\r
    ABS (0003): ABS_MT_POSITION_X     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0\r
                ABS_MT_POSITION_Y     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0\r
  input props:\r
    INPUT_PROP_POINTER\r
add device 2: /dev/input/event2\r
  name:     \"fts: touch\"\r
  events:\r
    KEY (0001): BTN_TOUCH             KEY_WAKEUP\r
    ABS (0003): ABS_MT_SLOT           : value 3, min 0, max 9, fuzz 0, flat 0, resolution 0\r
                ABS_MT_POSITION_X     : value 0, min 0, max 4095, fuzz 0, flat 0, resolution 0\r
                ABS_MT_POSITION_Y     : value 0, min -10, max 8191, fuzz 0, flat 0, resolution 0\r
                ABS_MT_TRACKING_ID    : value 0, min 0, max 65535, fuzz 0, flat 0, resolution 0\r
  input props:\r
    INPUT_PROP_DIRECT\r
add device 3: /dev/input/event0\r
  name:     \"gpio-keys\"\r
  events:\r
    KEY (0001): KEY_VOLUMEDOWN        KEY_POWER\r
  input props:\r
    <none>\r
";

    #[test]
    fn touch_panel_is_found_among_devices() {
        let found = panels(LISTED);
        let panel = Panel {
            x: (0, 4095),
            y: (-10, 8191),
            slot: Some(3),
        };
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [("/dev/input/event2".to_owned(), panel)]
        );
        assert!(panels("sh: getevent: Permission denied").is_empty());
    }

    #[test]
    fn only_events_are_parsed() {
        let line = "[   12345.678901] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    000001f4            \r";
        let raw = event(line).unwrap();
        assert_eq!((raw.code, raw.value), (Code::X, 500));
        assert_eq!(raw.device, "/dev/input/event2");
        assert!((raw.ms - 12_345_678.901).abs() < 1e-6);
        let lifted = event("[1.0] /d: EV_ABS ABS_MT_TRACKING_ID ffffffff").unwrap();
        assert_eq!((lifted.code, lifted.value), (Code::Tracking, -1));
        let key = event("[1.0] /d: EV_KEY KEY_BACK UP").unwrap();
        assert_eq!((key.code, key.value), (Code::Button("BACK".to_owned()), 0));
        for other in [
            "",
            "add device 1: /dev/input/event2",
            "  name:     \"[x]\"",
            "[1.0] /d: EV_ABS",
            "[x] /d: EV_ABS 0035 00000000",
            "[1.0] /d: EV_ABS 0035 zz",
        ] {
            assert_eq!(event(other), None, "{other}");
        }
    }
}
