//! A whole phone screen made of drawing primitives: what the drawing tests and the benchmark
//! paint.

use draw::{
    Align, Color, Direction, DisplayList, Paint, TextRole, TextStyle, Theme, Vertical, Weight,
};
use uitree::{Point, Rect, Size};

/// Size of the screen.
pub(crate) const SCREEN: Size = Size::new(1080, 2340);

/// The screen in a theme of density 2.625.
pub(crate) fn screen(theme: &Theme) -> DisplayList {
    let mut page = Page {
        theme,
        list: DisplayList::default(),
    };
    page.status_bar();
    page.app_bar();
    page.search_field(226);
    page.chips(378);
    page.card(500);
    for (row, (icon, title, note, on)) in [
        ("wifi", "Wi-Fi", "Connected to Café Größenwahn", true),
        (
            "notifications",
            "Notifications",
            "Уведомления и звуки",
            true,
        ),
        ("lock", "Screen lock", "Fingerprint, PIN • Ωμέγα", false),
    ]
    .into_iter()
    .enumerate()
    {
        page.row(910 + row as i32 * 168, icon, title, note, on);
    }
    page.text_field(1436);
    page.buttons(1626);
    page.keyboard(1750);
    page.navigation_bar();
    page.list
}

struct Page<'a> {
    theme: &'a Theme,
    list: DisplayList,
}

impl Page<'_> {
    fn fill(&mut self, rect: Rect, radius: f32, color: Color) {
        self.list.push(Paint::Fill {
            rect,
            radius,
            color,
        });
    }

    fn icon(&mut self, name: &'static str, center: (i32, i32), side: f32, color: Color) {
        let half = self.theme.dp(side) / 2;
        let (x, y) = center;
        self.list.push(Paint::Icon {
            name: name.into(),
            rect: Rect::new(x - half, y - half, x + half, y + half),
            color,
        });
    }

    fn text(&mut self, text: &str, rect: Rect, style: TextStyle) {
        self.list.push(Paint::Text {
            text: text.to_owned(),
            rect,
            style,
            vertical: Vertical::Center,
        });
    }

    fn status_bar(&mut self) {
        let ink = self.theme.palette.text;
        let style = self.theme.text(TextRole::TitleSmall);
        self.text("12:30", Rect::new(58, 0, 300, 74), style);
        self.icon("wifi", (930, 38), 15.0, ink);
        self.icon("signal", (976, 38), 15.0, ink);
        self.icon("battery_full", (1020, 38), 15.0, ink);
    }

    fn app_bar(&mut self) {
        let ink = self.theme.palette.text;
        self.icon("arrow_back", (74, 147), 24.0, ink);
        let style = self.theme.text(TextRole::TitleLarge).max_lines(1);
        self.text("Settings", Rect::new(147, 74, 760, 221), style);
        self.icon("share", (890, 147), 24.0, ink);
        self.icon("more_vert", (1006, 147), 24.0, ink);
    }

    fn search_field(&mut self, top: i32) {
        let palette = self.theme.palette;
        let rect = Rect::new(42, top, 1038, top + 126);
        self.fill(rect, 63.0, palette.surface_variant);
        self.icon("search", (110, top + 63), 24.0, palette.text_secondary);
        let style = self
            .theme
            .text(TextRole::BodyLarge)
            .color(palette.text_secondary);
        self.text(
            "Search settings",
            Rect::new(178, top, 900, top + 126),
            style,
        );
        self.icon("mic", (970, top + 63), 24.0, palette.text_secondary);
    }

    fn chips(&mut self, top: i32) {
        let palette = self.theme.palette;
        let style = self.theme.text(TextRole::LabelLarge).align(Align::Center);
        let mut left = 42;
        for (label, chosen) in [
            ("All", true),
            ("Network", false),
            ("Display", false),
            ("5 ★", false),
        ] {
            let width = draw::measure(label, &style, None).0.ceil() as i32 + 84;
            let rect = Rect::new(left, top, left + width, top + 84);
            if chosen {
                self.fill(rect, 21.0, palette.secondary_container);
            } else {
                self.list.push(Paint::Stroke {
                    rect,
                    radius: 21.0,
                    width: 2.625,
                    color: palette.outline,
                });
            }
            self.text(label, rect, style);
            left += width + 21;
        }
    }

    fn card(&mut self, top: i32) {
        let palette = self.theme.palette;
        let rect = Rect::new(42, top, 1038, top + 368);
        self.list.push(Paint::Shadow {
            rect,
            radius: 32.0,
            elevation: 8.0,
        });
        self.fill(rect, 32.0, palette.surface);
        self.list.push(Paint::Picture {
            seed: 11,
            rect: Rect::new(74, top + 32, 378, top + 336),
            radius: 21.0,
        });
        let column = |from: i32, to: i32| Rect::new(420, top + from, 996, top + to);
        let title = self.theme.text(TextRole::TitleMedium).max_lines(1);
        self.text("Mountain view wallpaper", column(32, 95), title);
        let body = self
            .theme
            .text(TextRole::BodyMedium)
            .color(palette.text_secondary);
        let words =
            "A quiet place far from every notification, with a lake, a forest and €0.00 fees.";
        self.text(words, column(98, 256), body.max_lines(3));
        for star in 0..5 {
            let name = ["star", "star", "star", "star_half", "star_outline"][star as usize];
            self.icon(name, (438 + star * 46, top + 300), 17.0, palette.accent);
        }
        let rating = self.theme.text(TextRole::LabelLarge).align(Align::End);
        self.text(
            "3.5 (1,204)",
            column(268, 332),
            rating.color(palette.text_secondary),
        );
    }

    fn row(&mut self, top: i32, icon: &'static str, title: &str, note: &str, on: bool) {
        let palette = self.theme.palette;
        self.icon(icon, (95, top + 84), 24.0, palette.text_secondary);
        let line = |from: i32, to: i32| Rect::new(178, top + from, 850, top + to);
        self.text(title, line(26, 89), self.theme.text(TextRole::BodyLarge));
        let style = self
            .theme
            .text(TextRole::BodyMedium)
            .color(palette.text_secondary);
        self.text(note, line(89, 142), style.max_lines(1));
        self.switch(Rect::new(901, top + 42, 1038, top + 126), on);
        self.list.push(Paint::Line {
            from: Point::new(178, top + 167),
            to: Point::new(1038, top + 167),
            width: 2.0,
            color: palette.divider,
        });
    }

    fn switch(&mut self, rect: Rect, on: bool) {
        let palette = self.theme.palette;
        let middle = rect.center().y;
        if on {
            self.fill(rect, 42.0, palette.primary);
            self.list.push(Paint::Circle {
                center: Point::new(rect.right - 42, middle),
                radius: 31.5,
                color: palette.on_primary,
            });
            self.icon("check", (rect.right - 42, middle), 16.0, palette.primary);
        } else {
            self.fill(rect, 42.0, palette.surface_variant);
            self.list.push(Paint::Stroke {
                rect,
                radius: 42.0,
                width: 5.25,
                color: palette.outline,
            });
            self.list.push(Paint::Circle {
                center: Point::new(rect.left + 42, middle),
                radius: 21.0,
                color: palette.outline,
            });
        }
    }

    fn text_field(&mut self, top: i32) {
        let palette = self.theme.palette;
        let rect = Rect::new(42, top, 1038, top + 147);
        self.list.push(Paint::Stroke {
            rect,
            radius: 11.0,
            width: 5.25,
            color: palette.primary,
        });
        self.fill(
            Rect::new(73, top - 10, 282, top + 10),
            0.0,
            palette.background,
        );
        let label = self.theme.text(TextRole::BodySmall).color(palette.primary);
        self.text("Device name", Rect::new(84, top - 21, 400, top + 21), label);
        let style = self.theme.text(TextRole::BodyLarge);
        self.text("Pixel of Zoë", Rect::new(84, top, 900, top + 147), style);
        let caret = 84 + draw::measure("Pixel of Zoë", &style, None).0.ceil() as i32 + 2;
        self.fill(
            Rect::new(caret, top + 42, caret + 5, top + 105),
            0.0,
            palette.primary,
        );
        self.icon("close", (975, top + 73), 24.0, palette.text_secondary);
    }

    fn buttons(&mut self, top: i32) {
        let palette = self.theme.palette;
        let label = self.theme.text(TextRole::LabelLarge).align(Align::Center);
        let save = Rect::new(708, top, 1038, top + 105);
        self.fill(save, 52.5, palette.primary);
        self.text("Save", save, label.color(palette.on_primary));
        let cancel = Rect::new(357, top, 687, top + 105);
        self.list.push(Paint::Stroke {
            rect: cancel,
            radius: 52.5,
            width: 2.625,
            color: palette.outline,
        });
        self.text("Cancel", cancel, label.color(palette.primary));
        let ring = Rect::new(42, top, 147, top + 105);
        for (sweep, color) in [(360.0, palette.surface_variant), (250.0, palette.primary)] {
            self.list.push(Paint::Arc {
                rect: ring,
                start: 0.0,
                sweep,
                width: 10.5,
                color,
            });
        }
        let percent = self.theme.text(TextRole::LabelSmall).align(Align::Center);
        self.text("69%", ring, percent);
    }

    fn keyboard(&mut self, top: i32) {
        let palette = self.theme.palette;
        self.fill(Rect::new(0, top, 1080, 2214), 0.0, palette.keyboard);
        let style = TextStyle::new(self.theme.px(22.0), palette.text)
            .align(Align::Center)
            .weight(Weight::Regular);
        let pitch = 106;
        for (row, keys) in ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
            .into_iter()
            .enumerate()
        {
            let y = top + 16 + row as i32 * 112;
            let count = keys.len() as i32;
            let mut x = (1080 - count * pitch) / 2;
            for key in keys.chars() {
                let rect = Rect::new(x + 7, y + 6, x + pitch - 7, y + 106);
                self.key(rect, palette.key);
                self.text(&key.to_string(), rect, style);
                x += pitch;
            }
        }
        let y = top + 16 + 2 * 112;
        for (rect, icon) in [
            (Rect::new(17, y + 6, 159, y + 106), "shift"),
            (Rect::new(921, y + 6, 1063, y + 106), "backspace"),
        ] {
            self.key(rect, palette.function_key);
            self.icon(icon, (rect.center().x, rect.center().y), 24.0, palette.text);
        }
        let y = y + 112;
        for (left, right, label, color) in [
            (17, 159, "?123", palette.function_key),
            (173, 265, ",", palette.function_key),
            (279, 801, "English", palette.key),
            (815, 907, ".", palette.function_key),
        ] {
            let rect = Rect::new(left, y + 6, right, y + 106);
            self.key(rect, color);
            let small = self.theme.text(TextRole::LabelLarge).align(Align::Center);
            self.text(label, rect, small);
        }
        let enter = Rect::new(921, y + 6, 1063, y + 106);
        self.fill(enter, 50.0, palette.primary);
        self.icon(
            "enter",
            (enter.center().x, enter.center().y),
            24.0,
            palette.on_primary,
        );
    }

    fn key(&mut self, rect: Rect, color: Color) {
        self.list.push(Paint::Shadow {
            rect,
            radius: 14.0,
            elevation: 1.5,
        });
        self.fill(rect, 14.0, color);
    }

    fn navigation_bar(&mut self) {
        let palette = self.theme.palette;
        self.list.push(Paint::Gradient {
            rect: Rect::new(0, 2214, 1080, 2340),
            radius: 0.0,
            from: palette.keyboard,
            to: palette.surface_variant,
            direction: Direction::Vertical,
        });
        self.icon("triangle_back", (216, 2277), 22.0, palette.text_secondary);
        self.icon("circle", (540, 2277), 22.0, palette.text_secondary);
        self.icon("square", (864, 2277), 22.0, palette.text_secondary);
    }
}
