//! `canvas` and `web`: single views with virtual nodes.

use std::sync::Arc;

use uitree::State;

use crate::reader::{Fields, Reader, Surface};
use crate::schema::Topic;
use crate::style::{Alignment, Dim};
use draw::Flow;

use super::read::Body;
use super::{Anchor, Axis, Group, IconLook, Kind, Scroller, Spec, make};

/// Reads `at`, the position of a widget in its parent.
pub(crate) fn place(reader: &mut Reader, fields: &mut Fields<'_>) -> Option<Anchor> {
    let at = fields.take("at")?;
    let mut place = Fields::read_keys(reader, &at, Topic::Part("place"))?;
    let sides = ["x", "y", "width", "height"].map(|key| place.expr(reader, key));
    place.finish(reader);
    Some(Anchor::At(Box::new(sides)))
}

fn children(reader: &mut Reader, body: &mut Body<'_>, surface: Surface) -> Vec<Arc<Spec>> {
    let outer_surface = std::mem::replace(&mut reader.surface, surface);
    let children = body.children(reader);
    reader.surface = outer_surface;
    children
}

pub(crate) fn canvas(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let children = children(reader, body, Surface::Canvas);
    let mut spec = Spec::new(
        slot,
        Group {
            class: "android.view.View",
            canvas: true,
            ..Group::new(Axis::Depth)
        },
    );
    spec.frame.align = Some(Alignment::Start);
    spec.frame.justify = Some(Alignment::Start);
    // A canvas is not mirrored in right-to-left languages.
    spec.frame.direction = Some(Flow::LeftToRight);
    spec.children = children;
    spec
}

pub(crate) fn web(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    const CLASS: &str = "android.webkit.WebView";
    let title = body.fields.template(reader, "title");
    let children = children(reader, body, Surface::Web);
    let mut page = make::group(reader, Axis::Vertical, "android.view.View");
    page.children = children;
    page.frame.gap = Dim::Dp(12.0);
    let mut document = make::group(reader, Axis::Vertical, CLASS);
    document.says = title.unwrap_or_default();
    document.flags = State::FOCUSABLE;
    document.push(page);
    let mut view = Spec::new(slot, Scroller::along(Axis::Vertical, Arc::new(document)));
    view.class = Some(Arc::from(CLASS));
    view
}

pub(crate) fn set_class(surface: Surface, spec: &mut Spec) {
    let class = match surface {
        Surface::Views => return,
        Surface::Canvas => "android.view.View",
        Surface::Web => match &spec.kind {
            // A link is a view with the text of the link.
            Kind::Text(_) if !spec.on_click.is_empty() => "android.view.View",
            Kind::Icon(icon) if icon.look == IconLook::Button => "android.widget.Button",
            Kind::Icon(_) => "android.widget.Image",
            Kind::Group(_) | Kind::Scroller(_) => "android.view.View",
            Kind::Text(_)
            | Kind::Button(_)
            | Kind::Field(_)
            | Kind::Toggle(_)
            | Kind::Range(_)
            | Kind::Key(_)
            | Kind::Node(_) => return,
        },
    };
    if spec.class.is_none() {
        spec.class = Some(Arc::from(class));
    }
}
