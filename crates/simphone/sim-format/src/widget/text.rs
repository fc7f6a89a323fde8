//! `text`.

use uitree::State;

use crate::expr::Template;
use crate::reader::{Fields, Reader};
use crate::style::{Alignment, ColorRole, Dim};
use draw::{Align, TextRole, TextStyle, Theme, Weight};

use super::read::Body;

#[derive(Clone, Debug)]
pub struct Text {
    pub text: Template,
    pub style: TextLook,
    pub heading: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct TextLook {
    pub role: TextRole,
    pub size: Dim,
    pub line: Dim,
    pub color: ColorRole,
    pub align: Align,
    pub weight: Option<Weight>,
    pub lines: Option<u32>,
    /// The colour while its container is selected or on.
    pub lit: Option<ColorRole>,
}

const STYLES: [(&str, TextRole); 12] = [
    ("display", TextRole::Display),
    ("headline", TextRole::HeadlineLarge),
    ("subhead", TextRole::HeadlineSmall),
    ("title", TextRole::TitleLarge),
    ("section", TextRole::TitleMedium),
    ("small_title", TextRole::TitleSmall),
    ("body", TextRole::BodyLarge),
    ("detail", TextRole::BodyMedium),
    ("caption", TextRole::BodySmall),
    ("label", TextRole::LabelLarge),
    ("small_label", TextRole::LabelMedium),
    ("tiny_label", TextRole::LabelSmall),
];

const ALIGNS: [(&str, Align); 3] = [
    ("start", Align::Start),
    ("center", Align::Center),
    ("end", Align::End),
];

impl TextLook {
    pub const fn new(role: TextRole, color: ColorRole) -> Self {
        Self {
            role,
            size: Dim::Auto,
            line: Dim::Auto,
            color,
            align: Align::Start,
            weight: None,
            lines: None,
            lit: None,
        }
    }

    pub const fn lines(mut self, lines: u32) -> Self {
        self.lines = Some(lines);
        self
    }

    pub const fn centered(mut self) -> Self {
        self.align = Align::Center;
        self
    }

    /// Reads the keys of a text style.
    pub(crate) fn read(reader: &mut Reader, fields: &mut Fields<'_>, role: TextRole) -> Self {
        let color = fields.read(reader, "color", ColorRole::read);
        let bold = |bold| if bold { Weight::Bold } else { Weight::Regular };
        Self {
            size: fields.dim(reader, "size"),
            line: fields.dim(reader, "line"),
            align: fields
                .word(reader, "text_align", &ALIGNS)
                .unwrap_or_default(),
            weight: fields.flag(reader, "bold").map(bold),
            lines: fields.read(reader, "lines", Reader::positive),
            ..Self::new(role, color.unwrap_or(ColorRole::Text))
        }
    }

    pub fn style(&self, theme: &Theme) -> TextStyle {
        let mut style = theme
            .text(self.role)
            .color(self.color.color(&theme.palette));
        if self.size != Dim::Auto {
            style.size = self.size.px(theme.density) * theme.font_scale;
            style.line_height = Some((style.size * 1.3).round());
        }
        if self.line != Dim::Auto {
            style.line_height = Some((self.line.px(theme.density) * theme.font_scale).round());
        }
        style.weight = self.weight.unwrap_or(style.weight);
        style.align = self.align;
        style.max_lines = self.lines;
        style
    }
}

impl Text {
    pub const fn new(text: Template, style: TextLook) -> Self {
        Self {
            text,
            style,
            heading: false,
        }
    }

    pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let text = body.template(reader, "text");
        let role = body.fields.word(reader, "style", &STYLES);
        let role = role.unwrap_or(TextRole::BodyLarge);
        Self {
            text: text.unwrap_or_default(),
            style: TextLook::read(reader, &mut body.fields, role),
            heading: body.fields.flag(reader, "heading").unwrap_or(false),
        }
    }

    pub const fn state(&self) -> State {
        if self.heading {
            State::HEADING
        } else {
            State::empty()
        }
    }
}

/// Converts the alignment of content to that of text.
impl From<Alignment> for Align {
    fn from(alignment: Alignment) -> Self {
        match alignment {
            Alignment::Start | Alignment::Stretch | Alignment::Between => Align::Start,
            Alignment::Center => Align::Center,
            Alignment::End => Align::End,
        }
    }
}
