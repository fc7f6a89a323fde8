//! What an agent cannot do on its phone, done with the phone's own tools.

use std::time::Duration;

use driver::{Cx, DriverError, Image, Key, Result};
use uitree::Point;

use crate::phone::keys;
use crate::shell::Shell;

/// A finger that goes down, holds still, moves along its points, rests, and lifts.
pub(super) struct Finger {
    pub(super) points: Vec<Point>,
    pub(super) hold: Duration,
    /// How long it moves, or holds still at its only point.
    pub(super) duration: Duration,
    pub(super) rest: Duration,
}

impl Finger {
    /// A finger at a point.
    pub(super) fn still(at: Point, duration: Duration) -> Self {
        Self {
            points: vec![at],
            hold: Duration::ZERO,
            duration,
            rest: Duration::ZERO,
        }
    }
}

/// Moves one finger along a line, or holds it at a point.
pub(super) async fn finger(shell: &Shell, cx: &Cx, finger: &Finger, sdk: u32) -> Result<()> {
    let millis = finger.duration.as_millis();
    let command = match *finger.points.as_slice() {
        [at] => format!("input swipe {} {} {} {} {millis}", at.x, at.y, at.x, at.y),
        [from, to] if finger.hold.is_zero() => format!(
            "input swipe {} {} {} {} {millis}",
            from.x, from.y, to.x, to.y
        ),
        [from, to] => keys::drag(from, to, finger.duration, sdk)?,
        _ => {
            return Err(DriverError::Unsupported(
                "a gesture with more than one segment",
            ));
        }
    };
    shell.change(cx, &command).await.map(|_| ())
}

/// Presses a key.
pub(super) async fn key(shell: &Shell, cx: &Cx, key: Key) -> Result<()> {
    shell.change(cx, &keys::event(key)).await.map(|_| ())
}

/// Takes a screenshot.
pub(super) async fn screenshot(shell: &Shell, cx: &Cx) -> Result<Image> {
    let taken = shell.raw(cx, "screencap -p").await?;
    let message: String = taken.error_text().chars().take(300).collect();
    Image::of_file(taken.stdout)?
        .ok_or_else(|| DriverError::Refused(format!("screencap gave no picture: {message}")))
}
