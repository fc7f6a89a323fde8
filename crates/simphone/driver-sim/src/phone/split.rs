//! Two apps on one screen: where each stands, and which of them the user works in.

use std::sync::Arc;

use driver::DriverError;
use uitree::{Point, Rect};

use crate::catalog::LAUNCHER;
use crate::journal::Happening;

use super::Phone;
use super::navigate::Entry;

/// How wide the bar between the two apps is, in density-independent pixels.
const DIVIDER: f32 = 10.0;

/// Two apps that share the screen.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    /// Above; on the left when the screen is wider than high.
    pub(crate) first: Arc<str>,
    pub(crate) second: Arc<str>,
}

impl Phone {
    /// Shows two apps at once, `upper` above `lower`, started if they do not run; in landscape `upper` stands on the
    /// left. The lower one is the active one. A touch makes the app that it meets the active one, and the back key goes
    /// to it. Home, another app, or the end of one of the two leaves the split.
    pub fn split(&mut self, upper: &str, lower: &str) -> Result<(), DriverError> {
        if upper == lower || upper == LAUNCHER || lower == LAUNCHER {
            let message = format!("{upper} and {lower} cannot share the screen");
            return Err(DriverError::Refused(message));
        }
        let first = self.launch(upper, Entry::Start)?;
        let second = self.launch(lower, Entry::Start)?;
        self.leave_split();
        self.bring(&first);
        self.bring(&second);
        self.note(Happening::Split {
            upper: Arc::clone(&first),
            lower: Arc::clone(&second),
        });
        self.split = Some(Split { first, second });
        self.bump();
        self.settle();
        Ok(())
    }

    /// Gives the whole screen to the active one of two apps that share it.
    pub fn unsplit(&mut self) {
        self.leave_split();
        self.settle();
    }

    pub(super) fn leave_split(&mut self) {
        if self.split.take().is_some() {
            self.touch_cancel();
            self.note(Happening::SplitLeft);
            self.bump();
        }
    }

    /// Leaves the split if `package` has no place in it.
    pub(super) fn keep_split_for(&mut self, package: &str) {
        if self.beside(package).is_none() {
            self.leave_split();
        }
    }

    /// The app that shares the screen with `package`.
    pub(crate) fn beside(&self, package: &str) -> Option<Arc<str>> {
        let split = self.split.as_ref()?;
        if *split.first == *package {
            Some(Arc::clone(&split.second))
        } else if *split.second == *package {
            Some(Arc::clone(&split.first))
        } else {
            None
        }
    }

    /// The part of the screen that an app has.
    pub(crate) fn area_of(&self, package: &str) -> Rect {
        let screen = self.screen.to_rect();
        let Some(split) = &self.split else {
            return screen;
        };
        let bar = self.divider();
        let sideways = bar.top == 0;
        if *split.first == *package {
            if sideways {
                Rect::new(0, 0, bar.left, screen.bottom)
            } else {
                Rect::new(0, 0, screen.right, bar.top)
            }
        } else if *split.second == *package {
            if sideways {
                Rect::new(bar.right, 0, screen.right, screen.bottom)
            } else {
                Rect::new(0, bar.bottom, screen.right, screen.bottom)
            }
        } else {
            screen
        }
    }

    /// The bar between two apps.
    pub(crate) fn divider(&self) -> Rect {
        let (width, height) = (self.screen.width, self.screen.height);
        let half = self.theme.dp(DIVIDER) / 2;
        if width > height {
            Rect::new(width / 2 - half, 0, width / 2 + half, height)
        } else {
            Rect::new(0, height / 2 - half, width, height / 2 + half)
        }
    }

    /// A finger comes down: the app that it meets becomes the active one.
    pub(crate) fn activate_at(&mut self, at: Point) {
        if self.split.is_none() || self.system_window().is_some() {
            return;
        }
        let view = self.view();
        let above = view
            .windows
            .iter()
            .any(|shown| shown.kind != uitree::WindowKind::Application && shown.area.contains(at));
        let front = Arc::clone(&self.front);
        if let Some(other) = self.beside(&front)
            && !above
            && self.area_of(&other).contains(at)
        {
            self.bring(&other);
            self.settle();
        }
    }
}
