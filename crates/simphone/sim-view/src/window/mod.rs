//! Windows, system bars, the keyboard and static screens.

mod keyboard;
mod static_screen;
mod toolkit;

use std::sync::Arc;

use uitree::{Point, Rect, Size, WindowKind};

use crate::cursor::Cursor;
use crate::layout::Scene;
use draw::Theme;
use sim_format::Toolkit;
use sim_format::app::StaticScreen;
use sim_format::widget::{Key, Kind};

pub use keyboard::{Keyboard, KeyboardPage};
pub use static_screen::{lay_out_static, place_static, write_static};
pub use toolkit::Drafts;

/// The package of the on-screen keyboard.
pub const INPUT_METHOD: &str = "com.android.inputmethod.latin";

/// The package of the system's bars.
pub const SYSTEM_UI: &str = "com.android.systemui";

/// The window id of the keyboard; windows of apps count from 1.
pub const KEYBOARD_WINDOW: u64 = 0;

#[derive(Clone, Debug)]
pub struct Toast {
    pub text: Arc<str>,
}

#[derive(Clone, Copy, Debug)]
pub struct Bars {
    pub status: i32,
    pub navigation: i32,
    /// The minimum width of a tablet screen.
    tablet: i32,
}

impl Bars {
    pub fn new(theme: &Theme) -> Self {
        Self {
            status: theme.dp(32.0),
            // 144 pixels at the density of the reference screen.
            navigation: theme.dp(54.857),
            tablet: theme.dp(600.0),
        }
    }

    /// Whether the navigation bar is at the right edge, as on a phone in landscape.
    pub const fn is_rail(&self, screen: Size) -> bool {
        screen.width > screen.height && screen.height < self.tablet
    }

    /// Returns the centres of the buttons: back, home, recent apps.
    pub fn buttons(&self, screen: Size) -> [Point; 3] {
        let area = self.navigation_area(screen);
        let center = area.center();
        if self.is_rail(screen) {
            // Back stays at the same end of the device as in portrait.
            let third = area.height() / 3;
            [2, 1, 0].map(|place| Point::new(center.x, area.top + third * place + third / 2))
        } else {
            let third = area.width() / 3;
            [0, 1, 2].map(|place| Point::new(area.left + third * place + third / 2, center.y))
        }
    }

    /// Returns the navigation bar button at a point: 0 back, 1 home, 2 recent apps.
    pub fn button_at(&self, screen: Size, at: Point) -> usize {
        let far = |button: &Point| (button.x - at.x).abs() + (button.y - at.y).abs();
        let buttons = self.buttons(screen).into_iter().enumerate();
        buttons
            .min_by_key(|(_, button)| far(button))
            .map_or(0, |(place, _)| place)
    }

    pub const fn status_area(&self, screen: Size) -> Rect {
        Rect::new(0, 0, screen.width, self.status)
    }

    pub const fn navigation_area(&self, screen: Size) -> Rect {
        if self.is_rail(screen) {
            return Rect::new(
                screen.width - self.navigation,
                0,
                screen.width,
                screen.height,
            );
        }
        Rect::new(
            0,
            screen.height - self.navigation,
            screen.width,
            screen.height,
        )
    }
}

/// Returns the height of the keyboard, including the navigation bar.
pub fn keyboard_height(screen: Size) -> i32 {
    let share = if screen.width > screen.height {
        0.5
    } else {
        0.4
    };
    (screen.height as f32 * share).round() as i32
}

#[derive(Debug)]
pub struct ScreenWindow {
    pub id: u64,
    pub kind: WindowKind,
    pub package: Arc<str>,
    pub class: Arc<str>,
    pub title: Arc<str>,
    pub layer: i32,
    pub active: bool,
    pub area: Rect,
    pub scene: Scene,
    /// The static screen; its nodes are the first items of the scene.
    pub static_screen: Option<Arc<StaticScreen>>,
    pub focus: Option<Key>,
    /// The cursor or selection of the focused field.
    pub cursor: Cursor,
    /// Whether the focus was moved by keys and shows as a ring.
    pub ring: bool,
    pub toolkit: Toolkit,
}

impl ScreenWindow {
    /// Creates a window without content.
    pub fn empty(id: u64, kind: WindowKind, package: Arc<str>, area: Rect) -> Self {
        Self {
            id,
            kind,
            package,
            class: Arc::default(),
            title: Arc::default(),
            layer: 0,
            active: false,
            area,
            scene: Scene::default(),
            static_screen: None,
            focus: None,
            cursor: Cursor::default(),
            ring: false,
            toolkit: Toolkit::Views,
        }
    }

    /// Whether the item at `index` is a text field; multi-line fields scroll but are not reported as scrollable.
    pub fn is_field(&self, index: usize) -> bool {
        let item = self.scene.items.get(index);
        item.is_some_and(|item| matches!(item.element().spec.kind, Kind::Field(_)))
    }

    /// Returns the scroll offset of the field at `index`; 0 for other items.
    pub fn scrolled(&self, index: usize) -> i32 {
        let mut scrolls = self.scene.scrolls.iter();
        let scroll = scrolls.rfind(|scroll| scroll.item == index);
        scroll
            .filter(|_| self.is_field(index))
            .map_or(0, |scroll| scroll.offset as i32)
    }
}
