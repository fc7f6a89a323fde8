//! Turning the phone and changing its screen: every window is laid out anew, what it holds stays.

use uitree::{Rect, Size};

use crate::journal::Event;
use draw::Theme;
use sim_format::app::{Orientation, PageKind};
use sim_format::style::SIDES;
use sim_format::{AppError, Rotation};
use sim_view::env::Insets;
use sim_view::layout::Cache;
use sim_view::ruler::Ruler;
use sim_view::window::Bars;

use super::Phone;

/// What a screen shows that is made for `orientation` while the phone is held like this.
const fn within(held: Rotation, orientation: Orientation) -> Rotation {
    match (orientation, held.is_sideways()) {
        (Orientation::Portrait, true) => Rotation::Portrait,
        (Orientation::Landscape, false) => Rotation::Landscape,
        (Orientation::Any | Orientation::Portrait | Orientation::Landscape, _) => held,
    }
}

/// The screen of the phone, and how it is turned.
#[derive(Debug)]
pub(crate) struct Display {
    /// The screen when the phone is held upright.
    upright: Size,
    /// How the screen is turned.
    rotation: Rotation,
    /// How the phone is held.
    held: Rotation,
    /// How the screen stays turned while it does not follow.
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

    /// The size of the screen as it is turned.
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

    /// Keeps the screen as it is turned for the time that it does not follow.
    pub(super) const fn lock(&mut self) {
        self.locked = self.rotation;
    }
}

/// Whether a screen of this size and density can be simulated.
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
    /// Turns the phone. What is in front follows unless its screen is made for one orientation alone; texts, focus,
    /// dialogs and how far things are scrolled stay, menus close. A touch that is going on ends without a press.
    pub fn rotate(&mut self, held: Rotation) {
        self.display.held = held;
        self.turn();
        self.settle();
    }

    /// Turns the screen, however the phone is held. What is in front follows unless its screen is made for one orientation
    /// alone.
    pub fn lock_rotation(&mut self, rotation: Rotation) {
        self.set_auto_rotate(false);
        self.display.locked = rotation;
        self.turn();
        self.settle();
    }

    /// How the screen is turned now.
    pub const fn rotation(&self) -> Rotation {
        self.display.rotation()
    }

    /// Gives the phone another screen, as unfolding it does: `screen` in device pixels and upright, `density` in device
    /// pixels per density-independent pixel.
    pub fn resize(&mut self, screen: Size, density: f32) -> Result<(), AppError> {
        check_screen(screen, density)?;
        self.display.upright = screen;
        self.theme = Theme {
            density,
            ..self.theme
        };
        self.ruler = Ruler::new(self.theme);
        self.set_screen(self.display.rotation());
        self.settle();
        Ok(())
    }

    /// Turns the screen to where it belongs: as the phone is held, as far as what is in front allows.
    pub(crate) fn turn(&mut self) {
        let wants = self
            .front_top()
            .map_or(Orientation::Any, |_| self.front_orientation());
        let held = if self.config.auto_rotate {
            self.display.held
        } else {
            self.display.locked
        };
        let rotation = within(held, wants);
        if rotation != self.display.rotation() {
            self.set_screen(rotation);
        }
    }

    fn front_orientation(&self) -> Orientation {
        let top = self.front_task().and_then(|task| task.stack.last());
        top.map_or(Orientation::Any, |activity| activity.open.page.orientation)
    }

    fn set_screen(&mut self, rotation: Rotation) {
        self.touch_cancel();
        self.display.rotation = rotation;
        let (screen, density) = (self.display.size(), self.theme.density);
        for task in self.tasks.iter_mut() {
            task.vars.set_screen(screen, density);
            task.lay_out_anew();
        }
        if let Some(keyboard) = &mut self.editor.keyboard {
            keyboard.cache = Cache::default();
        }
        self.note(Event::ScreenTurned { screen, rotation });
        self.close_popups();
        self.bump();
    }

    /// Closes every list of entries: the widget it belongs to is elsewhere now.
    fn close_popups(&mut self) {
        let packages: Vec<_> = self
            .tasks
            .iter()
            .map(|task| std::sync::Arc::clone(&task.package))
            .collect();
        for app in packages {
            let mut gone = Vec::new();
            if let Some(task) = self.task_mut(&app) {
                for activity in &mut task.stack {
                    let dialogs = std::mem::take(&mut activity.dialogs);
                    let popup = |open: &super::Open| open.page.kind == PageKind::Popup;
                    let (closes, stays) = dialogs.into_iter().partition(popup);
                    activity.dialogs = stays;
                    gone.extend::<Vec<_>>(closes);
                }
            }
            for open in gone {
                self.closed(&app, &open);
            }
        }
    }

    /// What the system's bars take of a window that has this part of the screen.
    pub(super) fn insets_of(&self, area: Rect) -> Insets {
        let bars = Bars::of(&self.theme);
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
