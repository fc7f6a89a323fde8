//! `switch`, `checkbox` and `radio`: what is on or off.

use std::sync::Arc;

use uitree::{Rect, State};

use crate::app::{Expr, Ink, Lookup, Reader, Template, Value};
use draw::{Paint, TextRole, Theme, Vertical};

use super::element::Brush;
use super::part::{Check, OneOf};
use super::read::Body;
use super::text::Lettering;

/// What is on or off.
#[derive(Debug)]
pub(crate) struct Toggle {
    pub(crate) shape: Shape,
    pub(crate) text: Template,
    /// The variable it changes.
    pub(crate) bind: Option<Arc<str>>,
    /// For a radio: the value that its variable gets.
    pub(crate) value: Option<Value>,
    /// Without a variable: the condition under which it is on.
    pub(crate) checked: Option<Expr>,
}

/// What a toggle looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Switch,
    CheckBox,
    Radio,
}

impl Toggle {
    pub(super) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let shape = match body.name {
            "checkbox" => Shape::CheckBox,
            "radio" => Shape::Radio,
            _ => Shape::Switch,
        };
        let text = body.main_or("text");
        let text = text.and_then(|at| reader.template(&at));
        let fields = &mut body.fields;
        let one_of = if shape == Shape::Radio {
            OneOf::Always
        } else {
            OneOf::Never
        };
        let Check {
            bind,
            value,
            checked,
        } = Check::read(reader, fields, one_of);
        Self {
            shape,
            text: text.unwrap_or_default(),
            bind,
            value,
            checked,
        }
    }

    pub(super) const fn class(&self) -> &'static str {
        match self.shape {
            Shape::Switch => "android.widget.Switch",
            Shape::CheckBox => "android.widget.CheckBox",
            Shape::Radio => "android.widget.RadioButton",
        }
    }

    pub(super) const fn state(on: bool) -> State {
        let state = State::CHECKABLE
            .union(State::CLICKABLE)
            .union(State::FOCUSABLE);
        if on {
            state.union(State::CHECKED)
        } else {
            state
        }
    }

    /// Whether it is on.
    pub(super) fn is_on(&self, names: &dyn Lookup) -> bool {
        match (&self.bind, &self.checked) {
            (Some(name), _) => {
                let current = names.get(name);
                match &self.value {
                    Some(value) => {
                        current.is_some_and(|current| current.to_text() == value.to_text())
                    }
                    None => current.is_some_and(|current| current.is_true()),
                }
            }
            (None, Some(checked)) => checked.holds(names),
            (None, None) => false,
        }
    }

    pub(super) fn lettering() -> Lettering {
        Lettering::new(TextRole::BodyLarge, Ink::Text)
    }

    /// Width and height of the mark.
    fn mark(&self, theme: &Theme) -> (i32, i32) {
        match self.shape {
            Shape::Switch => (theme.dp(52.0), theme.dp(32.0)),
            Shape::CheckBox | Shape::Radio => (theme.dp(20.0), theme.dp(20.0)),
        }
    }

    pub(super) fn extra(&self, has_text: bool, theme: &Theme) -> (f32, f32) {
        let (width, _) = self.mark(theme);
        let gap = if has_text { theme.px(16.0) } else { 0.0 };
        let side = match self.shape {
            Shape::Switch => 0.0,
            Shape::CheckBox | Shape::Radio => theme.px(24.0),
        };
        (width as f32 + gap + side, theme.px(48.0).round())
    }

    pub(super) fn paint(&self, text: &str, on: bool, to: &mut Brush<'_>) {
        let palette = to.theme.palette;
        let (width, height) = self.mark(to.theme);
        let middle = to.inner.center().y;
        let side = match self.shape {
            Shape::Switch => 0,
            Shape::CheckBox | Shape::Radio => to.theme.dp(12.0),
        };
        let left = match self.shape {
            Shape::Switch => to.inner.right - width,
            Shape::CheckBox | Shape::Radio => to.inner.left + side,
        };
        let mark = Rect::new(
            left,
            middle - height / 2,
            left + width,
            middle - height / 2 + height,
        );
        let line = match (to.enabled, on) {
            (false, _) => palette.text_disabled,
            (true, true) => palette.primary,
            (true, false) => palette.outline,
        };
        match self.shape {
            Shape::Switch => paint_switch(mark, on, to),
            Shape::CheckBox => {
                let radius = to.theme.px(3.0);
                if on {
                    to.fill(mark, radius, line);
                    to.icon("check", mark, palette.on_primary);
                } else {
                    to.stroke_wide(mark, radius, to.theme.px(2.0), line);
                }
            }
            Shape::Radio => {
                to.stroke_wide(mark, height as f32 / 2.0, to.theme.px(2.0), line);
                if on {
                    to.push(Paint::Circle {
                        center: mark.center(),
                        radius: to.theme.px(5.0),
                        color: line,
                    });
                }
            }
        }
        let mut words = to.inner;
        match self.shape {
            Shape::Switch => words.right = mark.left - to.theme.dp(16.0),
            Shape::CheckBox | Shape::Radio => words.left = mark.right + to.theme.dp(16.0),
        }
        let mut style = Self::lettering().style(to.theme);
        if !to.enabled {
            style.color = palette.text_disabled;
        }
        to.text(text, words, style, Vertical::Center);
    }
}

fn paint_switch(track: Rect, on: bool, to: &mut Brush<'_>) {
    let palette = to.theme.palette;
    let radius = track.height() as f32 / 2.0;
    let (ground, thumb) = match (to.enabled, on) {
        (true, true) => (palette.primary, palette.on_primary),
        (true, false) => (palette.surface_variant, palette.outline),
        (false, true) => (palette.text_disabled, palette.surface),
        (false, false) => (palette.surface_variant, palette.text_disabled),
    };
    to.fill(track, radius, ground);
    if !on {
        to.stroke_wide(track, radius, to.theme.px(2.0), thumb);
    }
    let half = track.height() / 2;
    let x = if on {
        track.right - half
    } else {
        track.left + half
    };
    to.push(Paint::Circle {
        center: uitree::Point::new(x, track.center().y),
        radius: to.theme.px(if on { 12.0 } else { 8.0 }),
        color: thumb,
    });
}
