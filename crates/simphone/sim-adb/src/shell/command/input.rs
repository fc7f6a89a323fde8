//! `input`: injects gestures, keys and text.

use std::time::Duration;

use driver::{Driver, DriverError, Gesture, Key};
use driver_sim::Finger;
use uitree::{Point, Size};

use super::Call;
use super::keys::{self, KeyFunction};
use crate::adb_phone::AdbPhone;
use crate::fault::WireFault;
use crate::shell::io::CommandResult;

const DENIED: &str = "java.lang.SecurityException: Injecting input events requires the caller (or the source of the \
                      instrumentation, if any) to have the INJECT_EVENTS permission.";
const SWIPE: Duration = Duration::from_millis(300);

/// Why an input is not made.
enum InputError {
    Missing,
    Thrown(String),
    Driver(DriverError),
}

impl From<DriverError> for InputError {
    fn from(error: DriverError) -> Self {
        Self::Driver(error)
    }
}

pub(super) async fn run(call: Call<'_>) -> CommandResult {
    let [command, args @ ..] = call.from(1) else {
        return call.fail("Usage: input <command> [<arg>...]", 255).await;
    };
    if call.adb_phone().faults().has(&WireFault::DenyInput) {
        return call.fail(DENIED, 255).await;
    }
    let done = match command.as_str() {
        "tap" | "swipe" | "draganddrop" => gesture(call, command, args).await,
        "motionevent" => motion(call, args).await,
        "keyevent" => keyevent(call, args).await,
        "keycombination" => keycombination(call, args).await,
        "text" => text(call, args).await,
        other => return call.unknown_command(other).await,
    };
    match done {
        // A point off the screen is a success.
        Ok(()) | Err(InputError::Driver(DriverError::OffScreen(_))) => Ok(0),
        Err(InputError::Driver(error)) => call.refused(command, &error).await,
        Err(InputError::Thrown(exception)) => call.throws(command, &exception).await,
        Err(InputError::Missing) => {
            let why = format!(
                "java.lang.IllegalArgumentException: Argument expected after \"{command}\""
            );
            call.throws(command, &why).await
        }
    }
}

fn no_number(text: &str) -> InputError {
    let why = format!("java.lang.NumberFormatException: For input string: \"{text}\"");
    InputError::Thrown(why)
}

fn number(args: &[String], place: usize) -> InputResult<i32> {
    let text = args.get(place).ok_or(InputError::Missing)?;
    let number = text.parse::<f32>().ok().filter(|number| number.is_finite());
    let number = number.map(|number| number as i32);
    number.ok_or_else(|| no_number(text))
}

fn point(args: &[String], place: usize) -> InputResult<Point> {
    Ok(Point::new(number(args, place)?, number(args, place + 1)?))
}

fn length(args: &[String], place: usize) -> InputResult<Duration> {
    let Some(text) = args.get(place) else {
        return Ok(SWIPE);
    };
    let millis = text.parse::<i64>().map_err(|_| no_number(text))?;
    // A negative duration selects the default, as on Android.
    Ok(u64::try_from(millis).map_or(SWIPE, Duration::from_millis))
}

fn within(at: Point, screen: Size) -> Point {
    Point::new(
        at.x.clamp(0, (screen.width - 1).max(0)),
        at.y.clamp(0, (screen.height - 1).max(0)),
    )
}

async fn gesture(call: Call<'_>, command: &str, args: &[String]) -> InputResult {
    let from = point(args, 0)?;
    let mut gesture = if command == "tap" {
        Gesture::Tap { at: from }
    } else {
        let (to, duration) = (point(args, 2)?, length(args, 4)?);
        match command {
            "draganddrop" => Gesture::Drag { from, to, duration },
            _ => Gesture::Swipe {
                from,
                to,
                duration,
                rest: Duration::ZERO,
            },
        }
    };
    let mut driver = call.driver().await;
    if !driver.phone().is_awake() {
        return Ok(());
    }
    if let Gesture::Swipe { to, .. } | Gesture::Drag { to, .. } = &mut gesture {
        *to = within(*to, driver.phone().screen());
    }
    Ok(driver.touch(&call.adb_phone().cx(), &gesture).await?)
}

type InputResult<T = ()> = Result<T, InputError>;

async fn motion(call: Call<'_>, args: &[String]) -> InputResult {
    let action = args.first().ok_or(InputError::Missing)?;
    let event = match action.to_ascii_uppercase().as_str() {
        "DOWN" => Finger::Down(point(args, 1)?),
        "MOVE" => Finger::Move(point(args, 1)?),
        "UP" => Finger::Up(point(args, 1)?),
        "CANCEL" => Finger::Cancel,
        _ => return Err(InputError::Missing),
    };
    call.driver().await.finger(event);
    Ok(())
}

async fn keyevent(call: Call<'_>, args: &[String]) -> InputResult {
    if args.is_empty() {
        return Err(InputError::Missing);
    }
    for name in args {
        press(call.adb_phone(), keys::key(name)).await?;
    }
    Ok(())
}

async fn keycombination(call: Call<'_>, args: &[String]) -> InputResult {
    let codes: Result<Vec<u16>, _> = args.iter().map(|code| code.parse()).collect();
    let Some(codes) = codes.ok().filter(|codes| codes.len() > 1) else {
        let why = "java.lang.IllegalArgumentException: keycombination requires at least 2 keycodes";
        return Err(InputError::Thrown(why.to_owned()));
    };
    Ok(press(call.adb_phone(), keys::together(&codes)).await?)
}

/// Presses the key of an Android key code with these meta keys.
pub(crate) async fn press_code(
    adb_phone: &AdbPhone,
    code: u32,
    meta: u32,
) -> Result<(), DriverError> {
    let function =
        u16::try_from(code).map_or(KeyFunction::Nothing, |code| keys::with_meta(code, meta));
    press(adb_phone, function).await
}

/// Presses one key. A screen that is off accepts only keys that switch it on.
async fn press(adb_phone: &AdbPhone, function: KeyFunction) -> Result<(), DriverError> {
    let cx = adb_phone.cx();
    let mut driver = adb_phone.driver().await;
    let awake = driver.phone().is_awake();
    match function {
        KeyFunction::Key(key) if awake || key == Key::Power => driver.key(&cx, key).await.map(drop),
        KeyFunction::Code(code) if awake => driver.keycode(&cx, code).await,
        KeyFunction::Screen { on } if on != awake => driver.key(&cx, Key::Power).await.map(drop),
        KeyFunction::Types(letter) if awake => driver.type_text(&cx, &letter.to_string()).await,
        KeyFunction::Key(_)
        | KeyFunction::Code(_)
        | KeyFunction::Types(_)
        | KeyFunction::Screen { .. }
        | KeyFunction::Nothing => Ok(()),
    }
}

async fn text(call: Call<'_>, args: &[String]) -> InputResult {
    let text = args.first().ok_or(InputError::Missing)?.replace("%s", " ");
    if !text.chars().all(|letter| matches!(letter, ' '..='~')) {
        // No key of the virtual keyboard types other characters.
        let why = "java.lang.NullPointerException: Attempt to get length of null array\n\tat \
                   com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:324)\n\tat \
                   com.android.server.input.InputShellCommand.runText(InputShellCommand.java:300)";
        return Err(InputError::Thrown(why.to_owned()));
    }
    let cx = call.adb_phone().cx();
    let mut driver = call.driver().await;
    if driver.phone().is_awake() {
        driver.type_text(&cx, &text).await?;
    }
    Ok(())
}
