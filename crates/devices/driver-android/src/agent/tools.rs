//! What an agent cannot do on its phone, done with the phone's own tools.

use std::time::Duration;

use driver::{Cx, DriverError, Image, Key, Result};
use uitree::Point;

use crate::phone::keys;
use crate::shell::Shell;

/// Moves one finger along a line, or holds it at a point.
pub(super) async fn finger(
    shell: &Shell,
    cx: &Cx,
    points: &[Point],
    duration: Duration,
) -> Result<()> {
    let millis = duration.as_millis();
    let command = match points {
        [at] => format!("input swipe {} {} {} {} {millis}", at.x, at.y, at.x, at.y),
        [from, to] => format!(
            "input swipe {} {} {} {} {millis}",
            from.x, from.y, to.x, to.y
        ),
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
