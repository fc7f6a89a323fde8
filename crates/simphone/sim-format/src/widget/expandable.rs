//! `expandable`: a row that opens and closes what is below it.

use std::sync::Arc;

use crate::expr::Template;
use crate::reader::Reader;
use crate::style::{Dim, Ink};
use draw::TextRole;

use super::read::{Body, read_all};
use super::{Axis, Part, PartAction, Spec, make};

pub(crate) fn read(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let title = body.main_or("title");
    let title = title
        .and_then(|at| reader.template(&at))
        .unwrap_or_default();
    let summary = body.fields.template(reader, "summary");
    let icon = body.fields.template(reader, "icon");
    let inside = body
        .fields
        .take("body")
        .map_or_else(Vec::new, |at| read_all(reader, &at));
    let mut head = make::group(reader, Axis::Horizontal, "android.widget.LinearLayout");
    head.part = Some(Part::new(PartAction::Unfold, slot));
    head.frame.padding = make::padding(12.0, 16.0);
    head.frame.gap = Dim::Dp(16.0);
    head.frame.min_height = Dim::Dp(56.0);
    if let Some(icon) = icon {
        let icon = make::icon(reader, icon, 24.0, (Ink::Primary, Ink::Primary));
        head.children.push(Arc::new(make::seen(icon)));
    }
    let mut words = make::frame(reader, Axis::Vertical);
    words.frame.grow = Some(1.0);
    let mut title = make::words(reader, title, TextRole::BodyLarge, Ink::Text);
    title.id = Arc::from("android:id/title");
    words.children.push(Arc::new(title));
    if let Some(summary) = summary {
        let mut summary = make::words(reader, summary, TextRole::BodyMedium, Ink::Muted);
        summary.id = Arc::from("android:id/summary");
        words.children.push(Arc::new(summary));
    }
    head.children.push(Arc::new(words));
    for (action, icon, says) in [
        (PartAction::Shut, "chevron_down", "Expand"),
        (PartAction::Folded, "chevron_up", "Collapse"),
    ] {
        let colors = (Ink::Muted, Ink::Muted);
        let mut arrow = make::icon(reader, Template::fixed(icon), 24.0, colors);
        arrow.label = Template::fixed(says);
        arrow.part = Some(Part::new(action, slot));
        head.children.push(Arc::new(arrow));
    }
    let mut below = make::group(reader, Axis::Vertical, "android.widget.LinearLayout");
    below.part = Some(Part::new(PartAction::Folded, slot));
    below.frame.padding = make::padding(0.0, 16.0);
    below.children = inside;
    let mut spec = make::group_at(slot, Axis::Vertical, "android.widget.LinearLayout");
    spec.children = vec![Arc::new(head), Arc::new(below)];
    spec
}
