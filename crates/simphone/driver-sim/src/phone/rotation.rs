//! Rotation and size of the screen; every window is laid out again and keeps its state.

use uitree::{Rect, Size};

use crate::journal::Event;
use sim_format::app::{Orientation, PageKind};
use sim_format::style::SIDES;
use sim_format::{AppError, Rotation};
use sim_view::env::Insets;
use sim_view::layout::Cache;
use sim_view::ruler::Ruler;
use sim_view::window::Bars;

use super::Phone;

/// The rotation of a screen that supports `orientation`, for a phone held like this.
const fn screen_rotation(held: Rotation, orientation: Orientation) -> Rotation {
    match (orientation, held.is_sideways()) {
        (Orientation::Portrait, true) => Rotation::Portrait,
        (Orientation::Landscape, false) => Rotation::Landscape,
        (Orientation::Any | Orientation::Portrait | Orientation::Landscape, _) => held,
    }
}

#[derive(Debug)]
pub(crate) struct Display {
    /// The size of the screen in portrait.
    upright: Size,
    rotation: Rotation,
    held: Rotation,
    /// The rotation of the screen while auto-rotation is off.
    locked: Rotation,
}

impl Display {
    pub(super) const fn new(upright: Size) -> Self {
        Self {
            upright,
            rotation: Rotation::Portrait,
            held: Rotation::Portrait,
            locked: Rotation::Portrait,
        }
    }

    /// The size of the screen in its current rotation.
    pub(crate) const fn size(&self) -> Size {
        if self.rotation.is_sideways() {
            Size::new(self.upright.height, self.upright.width)
        } else {
            self.upright
        }
    }

    pub(crate) const fn upright(&self) -> Size {
        self.upright
    }

    pub(crate) const fn rotation(&self) -> Rotation {
        self.rotation
    }

    /// Keeps the current rotation while auto-rotation is off.
    pub(super) const fn lock(&mut self) {
        self.locked = self.rotation;
    }
}

pub(crate) fn check_screen(screen: Size, density: f32) -> Result<(), AppError> {
    let sane = (0.5..=8.0).contains(&density);
    let size = SIDES;
    if sane && size.contains(&screen.width) && size.contains(&screen.height) {
        return Ok(());
    }
    let message = "the screen must be 200 to 8000 pixels wide and high, the density 0.5 to 8";
    Err(AppError::whole("options", message.to_owned()))
}

impl Phone {
    /// Rotates the phone. The screen follows unless the activity supports a single orientation; texts, focus, dialogs
    /// and scroll positions stay, menus close. A touch in progress is cancelled.
    pub fn rotate(&mut self, held: Rotation) {
        self.display.held = held;
        self.update_rotation();
        self.settle();
    }

    /// Rotates the screen independently of the phone, unless the activity supports a single orientation.
    pub fn lock_rotation(&mut self, rotation: Rotation) {
        self.set_auto_rotate(false);
        self.display.locked = rotation;
        self.update_rotation();
        self.settle();
    }

    pub const fn rotation(&self) -> Rotation {
        self.display.rotation()
    }

    /// Changes the screen, as unfolding does: `screen` in device pixels and in portrait, `density` in device pixels per
    /// density-independent pixel.
    pub fn resize(&mut self, screen: Size, density: f32) -> Result<(), AppError> {
        check_screen(screen, density)?;
        self.display.upright = screen;
        self.theme.density = density;
        self.ruler = Ruler::new(self.theme);
        self.set_screen(self.display.rotation());
        self.settle();
        Ok(())
    }

    /// Rotates the screen to match the phone and the orientation of the activity.
    pub(crate) fn update_rotation(&mut self) {
        let screen = self
            .front_top()
            .and_then(|_| self.front_task()?.stack.last());
        let wants = screen.map_or(Orientation::Any, |screen| screen.open.page.orientation);
        let held = match self.config.auto_rotate {
            true => self.display.held,
            false => self.display.locked,
        };
        let rotation = screen_rotation(held, wants);
        if rotation != self.display.rotation() {
            self.set_screen(rotation);
        }
    }

    fn set_screen(&mut self, rotation: Rotation) {
        self.touch_cancel();
        self.display.rotation = rotation;
        let (screen, density) = (self.display.size(), self.theme.density);
        for task in self.tasks.iter_mut() {
            task.vars.set_screen(screen, density);
            task.invalidate_layout();
        }
        if let Some(keyboard) = &mut self.editor.keyboard {
            keyboard.cache = Cache::default();
        }
        self.note(Event::ScreenTurned { screen, rotation });
        self.close_popups();
        self.bump();
    }

    /// Closes every popup, as its anchor has moved.
    fn close_popups(&mut self) {
        let is_popup = |open: &mut super::Open| open.page.kind == PageKind::Popup;
        let mut gone = Vec::new();
        for task in self.tasks.iter_mut() {
            for activity in &mut task.stack {
                let popups = activity.dialogs.extract_if(.., is_popup);
                gone.extend(popups.map(|open| (std::sync::Arc::clone(&task.package), open)));
            }
        }
        for (app, open) in gone {
            self.closed(&app, &open);
        }
    }

    /// The insets of the system bars in a window with this area.
    pub(super) fn insets_of(&self, area: Rect) -> Insets {
        let bars = Bars::new(&self.theme);
        let navigation = bars.navigation_area(self.display.size());
        let upright = !bars.is_rail(self.display.size());
        let at = |there: bool, length: i32| if there { length as f32 } else { 0.0 };
        Insets {
            top: at(area.top == 0, bars.status),
            right: at(!upright && area.right > navigation.left, bars.navigation),
            bottom: at(upright && area.bottom > navigation.top, bars.navigation),
        }
    }
}
