//! Paints texts.

use draw::Vertical;
use sim_format::widget::Text;

use super::Painter;

pub(super) fn paint(shown: &Text, text: &str, to: &mut Painter<'_>) {
    let mut style = shown.style.style(to.theme);
    if let (true, Some(ink)) = (to.lit, shown.style.lit) {
        style.color = ink.color(&to.theme.palette);
    }
    if !to.enabled {
        style.color = to.theme.palette.text_disabled;
    }
    to.text(text, to.inner, style, Vertical::Top);
}
