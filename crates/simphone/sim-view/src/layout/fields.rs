//! Scrolling of multi-line text fields.

use draw::TextStyle;
use sim_format::widget::{Axis, Kind};

use super::{Scene, ScrollBox};
use crate::cursor::{Cursor, byte_of};
use crate::env::Local;
use crate::ruler::Ruler;

/// Makes fields with hidden lines scrollable, and scrolls a moved cursor into view.
pub fn scroll_fields(scene: &mut Scene, local: &mut Local, ruler: &mut Ruler) {
    let theme = *ruler.theme();
    let mut boxes = Vec::new();
    for (index, item) in scene.items.iter().enumerate() {
        let element = item.element();
        let Kind::Field(field) = &element.spec.kind else {
            continue;
        };
        if !field.multiline || !item.is_visible() {
            continue;
        }
        let Some(words) = element.text_box(item.rect, &theme) else {
            continue;
        };
        let style = TextStyle {
            max_lines: None,
            ..words.style
        };
        let width = words.words.width().max(1) as f32;
        let high = ruler.measure(&words.text, &style, Some(width)).1;
        let view = words.words.height() as f32;
        let reach = (high - view).max(0.0);
        let mut offset = local.scroll.get(&element.key).copied().unwrap_or(0.0);
        if local.follow == Some(element.key) {
            let cursor = match local.focus == Some(element.key) {
                true => local.cursor,
                false => Cursor::default(),
            };
            let place = cursor.place(words.text.chars().count());
            let written = words.written(Some(cursor), 0.0);
            let (_, top) = written.places.cursor(byte_of(&words.text, place));
            let line = written.places.line_height();
            offset = offset.min(top).max(top + line - view);
        }
        offset = offset.clamp(0.0, reach).round();
        if reach > 0.0 {
            boxes.push(ScrollBox {
                item: index,
                key: element.key,
                axis: Axis::Vertical,
                offset,
                reach,
            });
        }
    }
    local.follow = None;
    for found in boxes {
        local.scroll.insert(found.key, found.offset);
        scene.scrolls.push(found);
    }
}
