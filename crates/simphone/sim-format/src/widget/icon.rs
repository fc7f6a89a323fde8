//! `icon`, `icon_button` and `image`.

use uitree::State;

use crate::expr::Template;
use crate::reader::Reader;
use crate::style::{ColorRole, Dim};

use super::read::Body;

#[derive(Debug)]
pub struct Icon {
    pub name: Template,
    pub look: IconLook,
    pub size: Dim,
    pub color: ColorRole,
    /// The colour while its container is selected or on.
    pub lit: Option<ColorRole>,
    /// Whether it has a coloured background, as app icons have.
    pub tile: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconLook {
    Plain,
    Button,
    Picture,
    /// The initials of a name on a round background.
    Avatar,
}

impl Icon {
    pub const fn new(name: Template, look: IconLook, size: f32) -> Self {
        Self {
            name,
            look,
            size: Dim::Dp(size),
            color: ColorRole::Text,
            lit: None,
            tile: false,
        }
    }

    pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>) -> Self {
        let look = match body.name {
            "icon_button" => IconLook::Button,
            "image" => IconLook::Picture,
            _ => IconLook::Plain,
        };
        let name = body.template(reader, "name");
        let fields = &mut body.fields;
        let size = fields.dim(reader, "size");
        Self {
            name: name.unwrap_or_default(),
            look,
            size: if size == Dim::Auto {
                Dim::Dp(24.0)
            } else {
                size
            },
            color: fields
                .read(reader, "color", ColorRole::read)
                .unwrap_or(ColorRole::Text),
            lit: None,
            tile: fields.flag(reader, "tile").unwrap_or(false),
        }
    }

    pub const fn class(&self) -> &'static str {
        match self.look {
            IconLook::Plain | IconLook::Picture | IconLook::Avatar => "android.widget.ImageView",
            IconLook::Button => "android.widget.ImageButton",
        }
    }

    pub const fn state(&self) -> State {
        match self.look {
            IconLook::Plain | IconLook::Picture | IconLook::Avatar => State::empty(),
            IconLook::Button => State::CLICKABLE.union(State::FOCUSABLE),
        }
    }
}
