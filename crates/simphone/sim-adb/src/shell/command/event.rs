//! `getevent` and `sendevent`: read and write the kernel's input devices.

use driver::{Driver, Key};
use driver_sim::Rotation;

use super::Call;
use crate::input_devices::{
    ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_SLOT, ABS_MT_TOUCH_MAJOR, ABS_MT_TRACKING_ID,
    BTN_TOUCH, BUTTONS, DeviceInput, EV_ABS, EV_KEY, EV_SYN, KEYS, KernelEvent, SLOTS, SYN_REPORT,
    TOUCH_SCREEN, range,
};
use crate::shell::io::CommandResult;

const DEVICES: [(&str, &str); 2] = [(BUTTONS, "gpio-keys"), (TOUCH_SCREEN, "sim_touch")];

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    if call.name() == "sendevent" {
        return send(call).await;
    }
    match call.from(1) {
        [flags] if flags == "-lp" => {
            let text = devices(call).await;
            call.io.out.bytes(text).await?;
            Ok(0)
        }
        [flags] if flags == "-lt" => watch(call).await,
        _ => {
            let why = "getevent: only -lp and -lt are supported on this phone";
            call.fail(why, 1).await
        }
    }
}

/// `getevent -lt`: the names of the devices, then each event with its time.
async fn watch(call: Call<'_>) -> CommandResult {
    let input_devices = call.adb_phone().input_devices();
    let mut changes = input_devices.watch();
    // A reader gets the events after it opened the device.
    let (_, mut next) = input_devices.since(u64::MAX);
    for (number, device) in (1..).zip(DEVICES) {
        call.print_line(header(number, device)).await?;
    }
    loop {
        changes.mark_unchanged();
        let (events, after) = input_devices.since(next);
        next = after;
        for event in events {
            call.print_line(line(&event)).await?;
        }
        if changes.changed().await.is_err() {
            return Ok(0);
        }
    }
}

fn header(number: usize, (path, name): (&str, &str)) -> String {
    format!("add device {number}: {path}\n  name:     \"{name}\"")
}

/// `getevent -lp`: the devices with their possible events.
async fn devices(call: Call<'_>) -> String {
    let (screen, rotation) = {
        let driver = call.driver().await;
        (driver.phone().screen(), driver.phone().rotation())
    };
    let (most_x, most_y) = range(screen, rotation);
    let mut text = String::new();
    for (number, device) in (1..).zip(DEVICES) {
        text.push_str(&format!("{}\n  events:\n", header(number, device)));
        if device.0 == BUTTONS {
            let names = KEYS.map(|(_, name, _)| format!("{name:<20}"));
            text.push_str(&format!("    KEY (0001): {}\n", names.join(" ").trim_end()));
            text.push_str("  input props:\n    <none>\n");
            continue;
        }
        text.push_str("    KEY (0001): BTN_TOUCH\n");
        let axes = [
            (ABS_MT_SLOT, i32::try_from(SLOTS).unwrap_or(1) - 1),
            (ABS_MT_TOUCH_MAJOR, 255),
            (ABS_MT_POSITION_X, most_x),
            (ABS_MT_POSITION_Y, most_y),
            (ABS_MT_TRACKING_ID, 65_535),
        ];
        for (place, (code, most)) in axes.into_iter().enumerate() {
            let head = if place == 0 { "ABS (0003):" } else { "" };
            let name = label(EV_ABS, code).unwrap_or_default();
            text.push_str(&format!(
                "    {head:11} {name:<20} : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0\n"
            ));
        }
        text.push_str("  input props:\n    INPUT_PROP_DIRECT\n");
    }
    text
}

fn label(kind: u16, code: u16) -> Option<&'static str> {
    Some(match (kind, code) {
        (EV_SYN, SYN_REPORT) => "SYN_REPORT",
        (EV_KEY, BTN_TOUCH) => "BTN_TOUCH",
        (EV_KEY, code) => KEYS.iter().find(|(number, _, _)| *number == code)?.1,
        (EV_ABS, ABS_MT_SLOT) => "ABS_MT_SLOT",
        (EV_ABS, ABS_MT_TOUCH_MAJOR) => "ABS_MT_TOUCH_MAJOR",
        (EV_ABS, ABS_MT_POSITION_X) => "ABS_MT_POSITION_X",
        (EV_ABS, ABS_MT_POSITION_Y) => "ABS_MT_POSITION_Y",
        (EV_ABS, ABS_MT_TRACKING_ID) => "ABS_MT_TRACKING_ID",
        _ => return None,
    })
}

fn line(event: &KernelEvent) -> String {
    let KernelEvent {
        micros,
        device,
        kind,
        code,
        value,
    } = *event;
    let (seconds, micros) = (micros / 1_000_000, micros % 1_000_000);
    let named = match kind {
        EV_SYN => format!("{:<12}", "EV_SYN"),
        EV_KEY => format!("{:<12}", "EV_KEY"),
        EV_ABS => format!("{:<12}", "EV_ABS"),
        other => format!("{other:04x}        "),
    };
    let code_named = match label(kind, code) {
        Some(label) => format!("{label:<20}"),
        None => format!("{code:04x}                "),
    };
    let worded = match (kind, value) {
        (EV_KEY, 0) => format!("{:<20}", "UP"),
        (EV_KEY, 1) => format!("{:<20}", "DOWN"),
        (EV_KEY, 2) => format!("{:<20}", "REPEAT"),
        _ => format!("{value:08x}            "),
    };
    format!("[{seconds:8}.{micros:06}] {device}: {named} {code_named} {worded}")
}

/// `sendevent DEVICE TYPE CODE VALUE`, all in decimal digits.
async fn send(call: Call<'_>) -> CommandResult {
    let (Some(path), 5) = (call.arg(1), call.args.len()) else {
        let why = format!("use: {} device type code value", call.name());
        return call.fail(why, 1).await;
    };
    let Some((device, _)) = DEVICES.into_iter().find(|(known, _)| *known == path) else {
        let why = format!("could not open {path}, No such file or directory");
        return call.fail(why, 1).await;
    };
    // Invalid numbers count as 0, as on Android.
    let number = |place| {
        call.arg(place)
            .and_then(|text| text.parse::<i64>().ok())
            .unwrap_or(0)
    };
    let event = (number(2) as u16, number(3) as u16, number(4) as i32);
    let mut driver = call.driver().await;
    let (screen, rotation): (_, Rotation) = (driver.phone().screen(), driver.phone().rotation());
    match call
        .adb_phone()
        .input_devices()
        .write(device, event, screen, rotation)
    {
        None => Ok(0),
        Some(DeviceInput::Finger(finger)) => {
            driver.finger(finger);
            Ok(0)
        }
        Some(DeviceInput::Key(key)) => {
            if !driver.phone().is_awake() && key != Key::Power {
                return Ok(0);
            }
            let cx = call.adb_phone().cx();
            let done = driver.key(&cx, key).await;
            drop(driver);
            match done {
                Ok(_) => Ok(0),
                Err(error) => call.refused("sendevent", &error).await,
            }
        }
    }
}
