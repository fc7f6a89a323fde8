//! The delays of a real phone: how long its programs take to start.
//!
//! | programs | start | reason |
//! |---|---|---|
//! | `app_process`, `content`, `input` | 300 ms | they start a virtual machine: 226 ms for `input tap` on one phone (mobilecli issue 412), 300 to 400 ms on another (madb issue 56) |
//! | `uiautomator` | 600 ms | it starts one, and connects to the accessibility of the system |
//! | `dumpsys` | 80 ms | it calls a service, which writes its whole state: 78 ms with the time of the adb program (appium-adb pull request 355) |
//! | `am`, `cmd`, `pm`, `settings`, `wm` | 50 ms | since Android 8 to 10 they call a service, the low end of 30 to 300 ms; before they started a virtual machine, 1.1 s on Android 7 (the same pull request) |
//! | all others | 0 | small native programs, such as `getprop`: a few milliseconds |

use std::time::Duration;

use sim_format::PaceChoice;
use sim_format::fault::Calls;

const INPUT_START: Duration = Duration::from_millis(300);
const DUMP_START: Duration = Duration::from_millis(600);
/// How long the screen must be still before it is dumped, counted from the start of the dump.
pub const DUMP_REST: Duration = Duration::from_secs(1);
/// How long a dump waits for a still screen.
pub const DUMP_LIMIT: Duration = Duration::from_secs(10);

/// The delay before a program of the phone's shell does anything.
pub fn start_of_program(pace: PaceChoice, name: &str) -> Duration {
    match (pace, name) {
        (PaceChoice::Instant, _) => Duration::ZERO,
        (PaceChoice::Phone, "app_process" | "content" | "input") => INPUT_START,
        (PaceChoice::Phone, "uiautomator") => DUMP_START,
        (PaceChoice::Phone, "dumpsys") => Duration::from_millis(80),
        (PaceChoice::Phone, "am" | "cmd" | "pm" | "settings" | "wm") => Duration::from_millis(50),
        (PaceChoice::Phone, _) => Duration::ZERO,
    }
}

/// The delay before a call of this kind does anything.
pub(crate) fn start_of(pace: PaceChoice, calls: Calls) -> Duration {
    let input = Calls::ACT.and(Calls::TOUCH).and(Calls::KEY);
    match pace {
        PaceChoice::Instant => Duration::ZERO,
        PaceChoice::Phone if calls == Calls::OBSERVE => DUMP_START,
        PaceChoice::Phone if input.intersects(calls) => INPUT_START,
        PaceChoice::Phone => Duration::ZERO,
    }
}
