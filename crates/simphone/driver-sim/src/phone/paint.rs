//! Paints the screen: wallpaper, windows, keyboard, messages and system bars.

use uitree::{Point, Rect, State, WindowKind};

use draw::{
    Align, Brightness, Color, DisplayList, Flow, Image, Paint, TextRole, Theme, Vertical, paint,
};
use sim_format::LAUNCHER;
use sim_format::widget::Kind;
use sim_view::widget::{Painter, inside};

use super::{Phone, clock};
use sim_view::window::{Bars, ScreenWindow};

impl Phone {
    pub fn draw(&mut self) -> Image {
        let background = if self.awake {
            self.theme.palette.background
        } else {
            Color::BLACK
        };
        let list = self.display_list();
        paint(&list, self.display.size(), background)
    }

    /// The display list of the screen, back to front.
    pub fn display_list(&mut self) -> DisplayList {
        let mut list = DisplayList::default();
        if !self.awake {
            return list;
        }
        let front = std::sync::Arc::clone(self.tasks.front());
        let screen = self.display.size().to_rect();
        let view = self.view();
        // Pages of the home screen are transparent unless they have a background.
        let home = &*front == LAUNCHER
            && self
                .front_top()
                .is_some_and(|open| open.page.root.frame.background.is_none());
        let color = self.task(&front).and_then(|task| task.app.color);
        let theme = color.map_or(self.theme, |color| in_color(self.theme, color));
        if home {
            list.push(Paint::Gradient {
                rect: screen,
                radius: 0.0,
                from: Color::rgb(0x1d, 0x3b, 0x70),
                to: Color::rgb(0xc8, 0x6b, 0x7a),
            });
        }
        let modal = self.system_window();
        let depth = self.paint_app(&mut list, &front, &theme, usize::from(modal.is_some()));
        let under: Vec<(u64, bool)> = self
            .overlays_shown()
            .into_iter()
            .take_while(|(window, _)| Some(*window) != modal)
            .filter(|(_, modal)| *modal)
            .collect();
        for (window, _) in under {
            dim(&mut list, screen);
            if let Some(shown) = self.overlay_window(window) {
                paint_window(&mut list, &shown, &self.theme);
            }
        }
        if modal.is_some() {
            dim(&mut list, screen);
        }
        for shown in &view.windows {
            let own = shown.package == front || shown.kind == WindowKind::InputMethod;
            let tint = if own { &theme } else { &self.theme };
            paint_window(&mut list, shown, tint);
        }
        let bars = Bars::new(&theme);
        if let Some(toast) = &self.overlays.toast {
            paint_toast(&mut list, &toast.text, screen, &bars, &theme);
        }
        let ink = if home {
            Color::WHITE
        } else {
            theme.palette.text
        };
        let dimmed = modal.is_some() || (depth > 0 && self.window_dims(&front, depth));
        let ink = if dimmed {
            ink.mix(Color::BLACK, 0.3)
        } else {
            ink
        };
        if self.shows_static_screen() {
            return list;
        }
        let before_status = list.0.len();
        paint_status(
            &mut list,
            &clock::wall_time(self.clock.now()),
            screen,
            &bars,
            &theme,
            ink,
        );
        if theme.flow == Flow::RightToLeft {
            list.mirror(before_status, bars.status_area(self.display.size()));
        }
        paint_navigation(&mut list, bars.buttons(self.display.size()), &theme, ink);
        list
    }

    /// Paints an app's windows below its topmost one, and that too if `more` is 1. Returns how many windows are above
    /// its screen.
    fn paint_app(
        &mut self,
        list: &mut DisplayList,
        app: &str,
        theme: &Theme,
        more: usize,
    ) -> usize {
        let task = self.task(app).filter(|task| task.ready);
        let Some(depth) = task
            .and_then(|task| task.stack.last())
            .map(|activity| match more {
                0 => activity.top_depth(),
                _ => activity.dialogs.len(),
            })
        else {
            return 0;
        };
        let area = self.display.size().to_rect();
        list.push(Paint::PushClip {
            rect: area,
            radius: 0.0,
        });
        for below in 0..depth + more {
            if self.window_dims(app, below) {
                dim(list, area);
            }
            // Windows that the tree omits because they are covered are painted.
            if let Some(shown) = self.page_window(app, None, below) {
                paint_window(list, &shown, theme);
            }
        }
        if more == 0 && self.window_dims(app, depth) {
            dim(list, area);
        }
        list.push(Paint::PopClip);
        depth
    }
}

fn dim(list: &mut DisplayList, rect: Rect) {
    list.push(Paint::Dim { rect, alpha: 0.42 });
}

/// The theme in an app's key colour, which is lightened for a dark background.
fn in_color(theme: Theme, color: Color) -> Theme {
    theme.with_primary(match theme.brightness() {
        Brightness::Light => color,
        Brightness::Dark => color.mix(Color::WHITE, 0.5),
    })
}

fn paint_window(list: &mut DisplayList, shown: &ScreenWindow, theme: &Theme) {
    let mut clips: Vec<usize> = Vec::new();
    let picture = shown
        .static_screen
        .as_ref()
        .and_then(|static_screen| static_screen.picture.as_ref());
    if let Some(image) = picture {
        list.push(Paint::Bitmap {
            image: std::sync::Arc::clone(image),
            rect: shown.area,
        });
    }
    for (index, item) in shown.scene.items.iter().enumerate() {
        if picture.is_some() && shown.is_in_picture(index) {
            continue;
        }
        while clips.pop_if(|end| *end <= index).is_some() {
            list.push(Paint::PopClip);
        }
        if !item.is_visible() {
            continue;
        }
        let element = item.element();
        let theme = &Theme {
            flow: element.flow,
            ..*theme
        };
        let painted = list.0.len();
        let mut painter = Painter {
            list,
            theme,
            rect: item.rect,
            inner: inside(item.rect, element.spec.frame.padding, theme.density),
            enabled: element.state.contains(State::ENABLED),
            focused: shown.focus == Some(element.key),
            lit: element.lit,
            radius: None,
            cursor: (shown.focus == Some(element.key)).then_some(shown.cursor),
            scrolled: shown.scrolled(index),
        };
        element.paint(&mut painter);
        let ringed = shown.ring && painter.focused && !shown.is_field(index);
        if ringed {
            let round = match &element.spec.kind {
                Kind::Button(_) => item.rect.height() as f32 / 2.0,
                _ => theme.px(4.0),
            };
            let radius = painter.radius.unwrap_or(0.0).max(round);
            let gap = theme.dp(2.0);
            let ring = Rect::new(
                item.rect.left - gap,
                item.rect.top - gap,
                item.rect.right + gap,
                item.rect.bottom + gap,
            );
            painter.stroke_wide(ring, radius, theme.px(2.0), theme.palette.primary);
        }
        if element.flow == Flow::RightToLeft {
            // Widgets paint from left to right; right-to-left layouts are mirrored afterwards.
            list.mirror(painted, item.rect);
        }
        let clipped = match &element.spec.kind {
            Kind::Scroller(_) => true,
            Kind::Group(group) => group.collapses.is_some() || group.canvas,
            _ => false,
        };
        if clipped {
            list.push(Paint::PushClip {
                rect: item.bounds,
                radius: 0.0,
            });
            clips.push(item.end);
        }
    }
    for _ in clips {
        list.push(Paint::PopClip);
    }
}

fn paint_toast(list: &mut DisplayList, text: &str, screen: Rect, bars: &Bars, theme: &Theme) {
    let style = theme
        .text(TextRole::BodyMedium)
        .color(theme.palette.on_inverse_surface)
        .align(Align::Center)
        .max_lines(2);
    let max_width = screen.width() - theme.dp(112.0);
    let (width, height) = draw::measure(text, &style, Some(max_width as f32));
    let (w, h) = (
        // Rounds the padding before doubling it, so that the text gets its measured width.
        width.ceil() as i32 + 2 * theme.dp(20.0),
        height.ceil() as i32 + theme.dp(24.0),
    );
    let bottom = screen.bottom - bars.navigation - theme.dp(88.0);
    let left = (screen.width() - w) / 2;
    let rect = Rect::new(left, bottom - h, left + w, bottom);
    list.push(Paint::Shadow {
        rect,
        radius: theme.px(24.0),
        elevation: theme.px(4.0),
    });
    list.push(Paint::Fill {
        rect,
        radius: theme.px(24.0),
        color: theme.palette.inverse_surface,
    });
    list.push(Paint::Text {
        text: text.to_owned(),
        rect: Rect::new(
            rect.left + theme.dp(20.0),
            rect.top,
            rect.right - theme.dp(20.0),
            rect.bottom,
        ),
        style,
        vertical: Vertical::Center,
    });
}

fn paint_status(
    list: &mut DisplayList,
    time: &str,
    screen: Rect,
    bars: &Bars,
    theme: &Theme,
    ink: Color,
) {
    let style = theme.text(TextRole::TitleSmall).color(ink).max_lines(1);
    let side = theme.dp(24.0);
    list.push(Paint::Text {
        text: time.to_owned(),
        rect: Rect::new(side, 0, screen.width() / 2, bars.status),
        style,
        vertical: Vertical::Center,
    });
    let size = theme.dp(16.0);
    let top = (bars.status - size) / 2;
    let mut right = screen.width() - side;
    for name in ["battery", "signal", "wifi"] {
        list.push(Paint::Icon {
            name: name.into(),
            rect: Rect::new(right - size, top, right, top + size),
            color: ink,
        });
        right -= size + theme.dp(4.0);
    }
}

fn paint_navigation(list: &mut DisplayList, buttons: [Point; 3], theme: &Theme, ink: Color) {
    let half = theme.dp(7.0);
    let width = theme.px(1.8);
    let [back, home, recents] = buttons;
    let tip = Point::new(back.x - half, back.y);
    let (upper, lower) = (
        Point::new(back.x + half / 2, back.y - half),
        Point::new(back.x + half / 2, back.y + half),
    );
    for (from, to) in [(tip, upper), (upper, lower), (lower, tip)] {
        list.push(Paint::Line {
            from,
            to,
            width,
            color: ink,
        });
    }
    for (at, radius) in [(home, half as f32), (recents, theme.px(2.0))] {
        list.push(Paint::Stroke {
            rect: Rect::new(at.x - half, at.y - half, at.x + half, at.y + half),
            radius,
            width,
            color: ink,
        });
    }
}
