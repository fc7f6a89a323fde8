//! What the drivers of a phone share: what they run in its shell, where they touch, how they see its windows, who holds its
//! UiAutomation.

pub(crate) mod agent_client;
pub(crate) mod foreground;
pub(crate) mod keys;
pub(crate) mod orientation;
pub(crate) mod picture;
pub(crate) mod running_agent;
pub(crate) mod start;
pub(crate) mod text;
pub(crate) mod touch_point;
pub(crate) mod ui_automation;
pub(crate) mod windows;

use std::time::Duration;

use driver::{DriverError, Result};
use uitree::{Point, Size};

/// The duration of a long press: longer than the 500 ms of Android, since it includes the startup of `input`.
pub(crate) const LONG_PRESS: Duration = Duration::from_millis(700);

/// The package of the status bar, the notification shade and the lock screen.
pub(crate) const SYSTEM_UI: &str = "com.android.systemui";

/// Checks that a point is on a screen of this size.
pub(crate) fn on_screen(size: Size, at: Point) -> Result<Point> {
    if size.to_rect().contains(at) {
        Ok(at)
    } else {
        Err(DriverError::OffScreen(at))
    }
}

/// Checks the end of a swipe, which may be on the edge itself, one past the last pixel.
pub(crate) fn swipe_end(size: Size, at: Point) -> Result<Point> {
    let inside = |at: i32, length: i32| if at == length { at - 1 } else { at };
    let end = Point::new(inside(at.x, size.width), inside(at.y, size.height));
    on_screen(size, end)
}
