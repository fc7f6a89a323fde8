//! The light and dark themes of the phone: colours, text styles, density.

use super::color::Color;
use super::text_style::{Flow, TextStyle, Weight};

macro_rules! palette {
    ($($(#[$about:meta])* $name:ident: $light:literal, $dark:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Palette {
            $($(#[$about])* pub $name: Color),+
        }

        const LIGHT: Palette = Palette { $($name: argb($light)),+ };
        const DARK: Palette = Palette { $($name: argb($dark)),+ };
    };
}

// Each colour on light and on dark backgrounds, as alpha, red, green and blue.
palette! {
    background: 0xfff8f9fc, 0xff111317;
    /// Cards, dialogs, sheets, bars.
    surface: 0xffffffff, 0xff1b1d22;
    /// Raised or grouped areas on the surface: search fields, chips, switches that are off.
    surface_variant: 0xffe6e8ef, 0xff33363e;
    /// The app bar once content has scrolled below it, and the navigation bar of an app.
    surface_container: 0xffeef0f6, 0xff23262c;
    /// The key colour: buttons, active switches, links.
    primary: 0xff1f5fbf, 0xffa8c7fa;
    /// Content on the key colour.
    on_primary: 0xffffffff, 0xff0a2f66;
    /// A muted area in the key colour: selected rows, tonal buttons.
    primary_container: 0xffd5e3fb, 0xff21457f;
    on_primary_container: 0xff0b2a5b, 0xffd8e5fd;
    /// A second muted area: selected chips and the active entry of a navigation bar.
    secondary_container: 0xffdbe2f2, 0xff3a4457;
    on_secondary_container: 0xff1a2740, 0xffdbe3f5;
    text: 0xff1b1c20, 0xffe4e5ea;
    /// Less important text and icons.
    text_secondary: 0xff50535c, 0xffb9bcc6;
    text_disabled: 0xff9a9da6, 0xff7c7f89;
    /// Borders of fields and outlined buttons.
    outline: 0xff777b86, 0xff8d919c;
    /// Thin lines between rows.
    divider: 0xffdcdee5, 0xff36393f;
    error: 0xffb3261e, 0xfff2b8b5;
    success: 0xff1e7d3c, 0xff82d49b;
    /// Stars of a rating and warnings.
    accent: 0xffe39a0c, 0xfff6c35b;
    /// The overlay that darkens the screen behind a dialog.
    scrim: 0x6b000000, 0x8c000000;
    /// The background of a toast or snackbar.
    inverse_surface: 0xff2f3036, 0xffe3e4e9;
    /// Text on a toast or snackbar.
    on_inverse_surface: 0xfff1f1f6, 0xff2f3036;
    keyboard: 0xffe4e7ee, 0xff1d2025;
    key: 0xffffffff, 0xff3a3e47;
    function_key: 0xffcdd3df, 0xff2b2f37;
}

const fn argb(value: u32) -> Color {
    let [a, r, g, b] = value.to_be_bytes();
    Color::rgba(r, g, b, a)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextRole {
    /// The clock of a lock screen, a large sum.
    Display,
    HeadlineLarge,
    /// A dialog's title.
    HeadlineSmall,
    TitleLarge,
    /// The title of a section or a card.
    TitleMedium,
    TitleSmall,
    BodyLarge,
    /// Descriptions and second lines.
    BodyMedium,
    BodySmall,
    /// Buttons, tabs, chips.
    LabelLarge,
    /// Entries of a navigation bar.
    LabelMedium,
    /// Badges, the status bar.
    LabelSmall,
}

impl TextRole {
    /// Returns font size and line height in scaled pixels, and weight.
    const fn scale(self) -> (f32, f32, Weight) {
        match self {
            TextRole::Display => (45.0, 52.0, Weight::Regular),
            TextRole::HeadlineLarge => (32.0, 40.0, Weight::Regular),
            TextRole::HeadlineSmall => (24.0, 32.0, Weight::Regular),
            TextRole::TitleLarge => (22.0, 28.0, Weight::Regular),
            TextRole::TitleMedium => (16.0, 24.0, Weight::Medium),
            TextRole::TitleSmall => (14.0, 20.0, Weight::Medium),
            TextRole::BodyLarge => (16.0, 24.0, Weight::Regular),
            TextRole::BodyMedium => (14.0, 20.0, Weight::Regular),
            TextRole::BodySmall => (12.0, 16.0, Weight::Regular),
            TextRole::LabelLarge => (14.0, 20.0, Weight::Medium),
            TextRole::LabelMedium => (12.0, 16.0, Weight::Medium),
            TextRole::LabelSmall => (11.0, 16.0, Weight::Medium),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brightness {
    /// Dark content on a light background.
    Light,
    /// Light content on a dark background.
    Dark,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// Pixels per design unit (dp).
    pub density: f32,
    /// The factor by which text is enlarged.
    pub font_scale: f32,
    pub flow: Flow,
    pub palette: Palette,
}

impl Theme {
    pub const fn light(density: f32) -> Self {
        Self {
            density,
            font_scale: 1.0,
            flow: Flow::LeftToRight,
            palette: LIGHT,
        }
    }

    pub const fn dark(density: f32) -> Self {
        Self::light(density).with_brightness(Brightness::Dark)
    }

    /// Returns the theme in another brightness, without app colours.
    pub const fn with_brightness(self, brightness: Brightness) -> Self {
        Self {
            palette: match brightness {
                Brightness::Light => LIGHT,
                Brightness::Dark => DARK,
            },
            ..self
        }
    }

    pub fn brightness(&self) -> Brightness {
        if super::color::is_light(self.palette.background) {
            Brightness::Light
        } else {
            Brightness::Dark
        }
    }

    /// Returns the theme with `primary` as its key colour.
    pub fn with_primary(self, primary: Color) -> Self {
        let ink = if super::color::is_light(primary) {
            Color::rgb(0x1d, 0x1b, 0x20)
        } else {
            Color::WHITE
        };
        let container = primary.mix(self.palette.surface, 0.78);
        Self {
            palette: Palette {
                primary,
                on_primary: ink,
                primary_container: container,
                on_primary_container: self.palette.text,
                secondary_container: primary.mix(self.palette.surface, 0.85),
                on_secondary_container: self.palette.text,
                ..self.palette
            },
            ..self
        }
    }

    pub fn dp(&self, units: f32) -> i32 {
        self.px(units).round() as i32
    }

    pub fn px(&self, units: f32) -> f32 {
        units * self.density
    }

    pub fn text(&self, role: TextRole) -> TextStyle {
        let (size, line_height, weight) = role.scale();
        let scale = self.density * self.font_scale;
        TextStyle {
            flow: self.flow,
            line_height: Some((line_height * scale).round()),
            ..TextStyle::new(size * scale, self.palette.text).weight(weight)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contrast ratio of two colours, from 1 to 21.
    fn contrast(a: Color, b: Color) -> f64 {
        let part = |value: u8| (f64::from(value) / 255.0).powf(2.2);
        let light = |c: Color| 0.2126 * part(c.r) + 0.7152 * part(c.g) + 0.0722 * part(c.b) + 0.05;
        let (a, b) = (light(a), light(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_has_enough_contrast_in_both_themes() {
        for theme in [Theme::light(2.625), Theme::dark(2.625)] {
            let p = theme.palette;
            for (ink, ground) in [
                (p.text, p.background),
                (p.text, p.surface),
                (p.text, p.surface_variant),
                (p.text_secondary, p.surface),
                (p.text_secondary, p.background),
                (p.on_primary, p.primary),
                (p.on_primary_container, p.primary_container),
                (p.on_secondary_container, p.secondary_container),
                (p.on_inverse_surface, p.inverse_surface),
                (p.primary, p.surface),
                (p.error, p.surface),
                (p.success, p.surface),
                (p.text, p.key),
                (p.text, p.function_key),
            ] {
                assert!(contrast(ink, ground) >= 4.5, "{ink:?} on {ground:?}");
            }
        }
    }

    #[test]
    fn app_key_colours_have_enough_contrast() {
        for hex in ["#ffd400", "#00a651", "#e60023", "#101010", "#9ad1ff"] {
            let primary = Color::from_hex(hex).unwrap();
            for theme in [Theme::light(3.0), Theme::dark(3.0)] {
                let p = theme.with_primary(primary).palette;
                assert!(contrast(p.on_primary, p.primary) >= 3.0, "{hex}");
                assert!(
                    contrast(p.on_primary_container, p.primary_container) >= 4.5,
                    "{hex}"
                );
            }
        }
    }

    #[test]
    fn dp_are_converted_to_pixels() {
        let theme = Theme::light(2.625);
        assert_eq!(
            (theme.dp(16.0), theme.dp(56.0), theme.dp(0.0)),
            (42, 147, 0)
        );
        let style = theme.text(TextRole::BodyLarge);
        assert_eq!((style.size, style.line_height), (42.0, Some(63.0)));
        assert_eq!(style.color, theme.palette.text);
    }
}
