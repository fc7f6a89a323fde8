//! Settings of the whole phone: theme, text scale, language, auto-rotation. When they change, apps keep their state and
//! are laid out again.

use std::sync::Arc;

use crate::journal::{Event, Setting};
use draw::{Brightness, Theme};
use sim_format::expr::{CONFIG, Value};
use sim_format::words::Words;
use sim_format::{ThemeChoice, UnknownLanguage, canonical, flow};
use sim_view::layout::Cache;
use sim_view::ruler::Ruler;

use super::Phone;

/// The smallest and the largest text scale.
const SCALES: (f32, f32) = (0.85, 2.0);

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Config {
    pub(crate) theme: ThemeChoice,
    pub(crate) font_scale: f32,
    pub(crate) language: Arc<str>,
    pub(crate) auto_rotate: bool,
}

impl Config {
    pub(crate) fn new(
        theme: ThemeChoice,
        font_scale: f32,
        language: &str,
    ) -> Result<Self, UnknownLanguage> {
        Ok(Self {
            theme,
            font_scale: scale(font_scale),
            language: canonical(language)?,
            auto_rotate: true,
        })
    }

    pub(crate) fn drawing_theme(&self, density: f32) -> Theme {
        Theme {
            font_scale: self.font_scale,
            flow: flow(&self.language),
            ..Theme::light(density).with_brightness(match self.theme {
                ThemeChoice::Light => Brightness::Light,
                ThemeChoice::Dark => Brightness::Dark,
            })
        }
    }

    /// The values of the variables in [`CONFIG`].
    pub(crate) fn values(&self) -> [Value; 4] {
        // Rounded, so that 1.15 reads as 1.15 and not as its nearest binary fraction.
        let scale = (f64::from(self.font_scale) * 1000.0).round() / 1000.0;
        [
            Value::text(self.theme.word()),
            Value::Number(scale),
            Value::Text(Arc::clone(&self.language)),
            Value::Bool(self.auto_rotate),
        ]
    }
}

impl Phone {
    pub fn set_theme(&mut self, theme: ThemeChoice) {
        let to = Config {
            theme,
            ..self.config.clone()
        };
        self.configure(to);
    }

    /// Sets the text scale: 1 is the size as designed. It is clamped to 0.85 to 2; NaN counts as 1.
    pub fn set_font_scale(&mut self, scale_to: f32) {
        let to = Config {
            font_scale: scale(scale_to),
            ..self.config.clone()
        };
        self.configure(to);
    }

    /// Sets the language by its BCP 47 tag. Languages that are written from right to left mirror the layout.
    ///
    /// # Errors
    ///
    /// `tag` is not a well-formed language tag; nothing changes.
    pub fn set_language(&mut self, tag: &str) -> Result<(), UnknownLanguage> {
        let to = Config {
            language: canonical(tag)?,
            ..self.config.clone()
        };
        self.configure(to);
        Ok(())
    }

    /// Sets whether the screen rotates with the phone; without that it keeps its rotation.
    pub fn set_auto_rotate(&mut self, auto_rotate: bool) {
        if !auto_rotate {
            self.display.lock();
        }
        let to = Config {
            auto_rotate,
            ..self.config.clone()
        };
        self.configure(to);
        self.update_rotation();
    }

    pub const fn theme(&self) -> ThemeChoice {
        self.config.theme
    }

    pub const fn font_scale(&self) -> f32 {
        self.config.font_scale
    }

    pub fn language(&self) -> &str {
        &self.config.language
    }

    fn configure(&mut self, to: Config) {
        if to == self.config {
            return;
        }
        let from = std::mem::replace(&mut self.config, to);
        let names = [
            Setting::Theme,
            Setting::FontScale,
            Setting::Language,
            Setting::AutoRotate,
        ];
        let pairs = from.values().into_iter().zip(self.config.values());
        for (setting, (from, to)) in names.into_iter().zip(pairs) {
            if from != to {
                self.note(Event::Configured {
                    setting,
                    from: from.to_text(),
                    to: to.to_text(),
                });
            }
        }
        self.theme = self.config.drawing_theme(self.theme.density);
        self.ruler = Ruler::new(self.theme);
        // Invalidates every layout made with the old theme, those of sheets and menus too.
        self.system.version += 1;
        let values = self.config.values();
        for task in self.tasks.iter_mut() {
            task.vars.provide(CONFIG.into_iter().zip(values.clone()));
            task.invalidate_layout();
        }
        if let Some(keyboard) = &mut self.editor.keyboard {
            keyboard.cache = Cache::default();
        }
        self.bump();
    }
}

fn scale(requested: f32) -> f32 {
    if requested.is_nan() {
        1.0
    } else {
        requested.clamp(SCALES.0, SCALES.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_scales_are_clamped() {
        for (requested, kept) in [(1.3, 1.3), (0.1, 0.85), (9.0, 2.0), (f32::NAN, 1.0)] {
            assert_eq!(scale(requested), kept);
        }
    }
}
