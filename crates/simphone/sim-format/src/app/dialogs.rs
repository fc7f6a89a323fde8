//! Reads dialogs: alerts, bottom sheets, banners, full-screen dialogs, and drawers.

use std::sync::Arc;

use super::model::{Page, PageKind};
use super::page::{self, blank, decor, group};
use crate::effects::{self, Effect, Effects};
use crate::expr::template::Template;
use crate::reader::{Fields, Located, Reader};
use crate::schema::Topic;
use crate::style::{Alignment, ColorRole, Corners, Dim, Frame, Sides};
use crate::widget::{Axis, Group, Inset, Scroller, Spec, TextLook, make, read_all};
use crate::words::{Words, words};
use draw::TextRole;

words! {
    enum Form {
        /// Title, message and buttons, centred.
        Alert = "alert",
        /// Only the body, centred.
        Plain = "plain",
        /// A body at the lower edge.
        Sheet = "sheet",
        /// A body that fills the screen.
        Full = "full",
        /// A body at the upper edge.
        Banner = "banner",
    }
}

pub(crate) fn read_dialog(
    reader: &mut Reader,
    name: &str,
    at: &Located<'_>,
) -> Option<(Page, Vec<Arc<str>>)> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("dialog"))?;
    let params = fields.texts(reader, "params");
    reader.scopes.push(params.clone());
    let owner = fields.text(reader, "package");
    // Ids without a package get the package of the window.
    let app = owner
        .as_deref()
        .map(|owner| std::mem::replace(&mut reader.package, owner.to_owned()));
    let form = fields
        .word(reader, "kind", Form::TABLE)
        .unwrap_or(Form::Alert);
    let mut page = match form {
        Form::Alert => page::read_alert(reader, name, at, fields),
        Form::Plain | Form::Sheet | Form::Full | Form::Banner => {
            read_body(reader, name, at, fields, form)
        }
    };
    page.owner = owner;
    if let Some(app) = app {
        reader.package = app;
    }
    reader.scopes.pop();
    Some((page, params))
}

/// Reads the common keys of dialogs and reports unknown ones.
pub(crate) fn common(reader: &mut Reader, page: &mut Page, mut fields: Fields<'_>) {
    if let Some(class) = fields.text(reader, "activity") {
        page.class = class;
    }
    page.on_open = effects::take(reader, &mut fields, "on_open");
    page.on_back = effects::take(reader, &mut fields, "on_back");
    page.timers = page::read_timers(reader, &mut fields);
    fields.finish(reader);
    page::finish(reader, page);
}

fn read_body(
    reader: &mut Reader,
    name: &str,
    at: &Located<'_>,
    mut fields: Fields<'_>,
    form: Form,
) -> Page {
    let title = fields.template(reader, "title").unwrap_or_default();
    let cancelable = match form {
        Form::Banner => false,
        _ => fields.flag(reader, "cancelable").unwrap_or(true),
    };
    let mut page = blank(reader, name, at);
    let mut content = group(reader, Group::new(Axis::Vertical));
    content.children = fields.list(reader, "body", read_all);
    content.frame = Frame::read(reader, &mut fields);
    let (root, kind, class) = match form {
        Form::Sheet => (
            sheet(reader, &title, content, cancelable),
            PageKind::Sheet { cancelable },
            "com.google.android.material.bottomsheet.BottomSheetDialog",
        ),
        Form::Full => (
            full(reader, content),
            PageKind::Full { cancelable },
            "android.app.Dialog",
        ),
        Form::Banner => (
            decor(reader, content, false),
            PageKind::Banner,
            "android.widget.FrameLayout",
        ),
        Form::Alert | Form::Plain => {
            let rounded = Frame {
                background: Some(ColorRole::Surface),
                radius: Some(Dim::Dp(28.0)),
                ..Frame::default()
            };
            content.frame = content.frame.over(rounded);
            (
                decor(reader, content, false),
                PageKind::Dialog { cancelable },
                "android.app.Dialog",
            )
        }
    };
    page.root = Arc::new(root);
    page.title = title;
    page.kind = kind;
    page.class = Arc::from(class);
    common(reader, &mut page, fields);
    page
}

fn full(reader: &mut Reader, mut content: Spec) -> Spec {
    let ground = content.frame.background.take();
    content.frame.grow = content.frame.grow.or(Some(1.0));
    let mut column = group(reader, Group::new(Axis::Vertical).inset(Inset::Both));
    column.push(content);
    let mut outermost = decor(reader, column, true);
    outermost.frame.background = Some(ground.unwrap_or(ColorRole::Background));
    outermost
}

/// Builds a sheet with handle and title, and the area above it that closes it.
fn sheet(reader: &mut Reader, title: &Template, content: Spec, cancelable: bool) -> Spec {
    let package = reader.package.clone();
    let id = |name: &str| -> Arc<str> { Arc::from(format!("{package}:id/{name}")) };
    let mut handle = group(reader, Group::new(Axis::Depth));
    handle.class = Some(Arc::from("android.widget.ImageView"));
    handle.id = id("drag_handle");
    handle.label = Template::fixed("Drag handle");
    handle.frame = Frame {
        width: Dim::Dp(32.0),
        height: Dim::Dp(4.0),
        margin: Some(Sides::axes(Dim::Dp(16.0), Dim::Dp(0.0))),
        background: Some(ColorRole::Outline),
        radius: Some(Dim::Dp(2.0)),
        ..Frame::default()
    };
    let mut grip = make::frame(reader, Axis::Vertical);
    grip.frame.align = Some(Alignment::Center);
    grip.push(handle);
    let panel = Group::new(Axis::Vertical).class("android.widget.FrameLayout");
    let mut panel = group(reader, panel.inset(Inset::Bottom));
    panel.id = id("design_bottom_sheet");
    panel.solid = true;
    panel.frame = Frame {
        background: Some(ColorRole::Surface),
        radius: Some(Dim::Dp(28.0)),
        corners: Some(Corners::Top),
        max_height: Dim::Percent(100.0),
        ..Frame::default()
    };
    panel.push(grip);
    if *title != Template::default() {
        let style = TextLook::new(TextRole::TitleLarge, ColorRole::Text);
        let mut text = page::words(reader, title.clone(), style, "");
        text.id = id("title");
        text.frame.padding = Some(Sides::dp(0.0, 24.0, 12.0, 24.0));
        panel.push(text);
    }
    // Content that is too long shrinks, so that scrollers in it scroll.
    let mut content = content;
    content.frame.grow = content.frame.grow.or(Some(1.0));
    panel.push(content);

    let mut outside = group(reader, Group::new(Axis::Depth));
    outside.class = Some(Arc::from("android.view.View"));
    outside.id = id("touch_outside");
    outside.solid = true;
    if cancelable {
        outside.on_click = Effects::from(vec![Effect::Dismiss]);
    }
    let mut stand = make::frame(reader, Axis::Vertical);
    stand.frame.justify = Some(Alignment::End);
    // A sheet stays below the status bar.
    stand.frame.padding = Some(Sides::dp(72.0, 0.0, 0.0, 0.0));
    stand.push(panel);
    let class = "androidx.coordinatorlayout.widget.CoordinatorLayout";
    let mut coordinator = make::group(reader, Axis::Depth, class);
    coordinator.id = id("coordinator");
    coordinator.children = vec![Arc::new(outside), Arc::new(stand)];
    let mut container = group(reader, Group::new(Axis::Depth));
    container.id = id("container");
    container.push(coordinator);
    decor(reader, container, true)
}

/// Wraps a screen's content in a layout with its drawer.
pub(crate) fn around_drawer(reader: &mut Reader, screen: Spec, widgets: Vec<Arc<Spec>>) -> Spec {
    let mut scrim = group(reader, Group::new(Axis::Depth));
    scrim.class = Some(Arc::from("android.view.View"));
    scrim.decorative = true;
    scrim.solid = true;
    scrim.drawer = true;
    scrim.frame.background = Some(ColorRole::Scrim);
    scrim.on_click = Effects::from(vec![Effect::CloseDrawer]);

    let mut column = make::frame(reader, Axis::Vertical);
    column.frame.padding = Some(Sides::axes(Dim::Dp(12.0), Dim::Dp(0.0)));
    column.children = widgets;
    let slot = reader.slot();
    let scroller = Scroller::around(Arc::new(column));
    let mut menu = Spec::new(slot, scroller);
    menu.id = Arc::from(format!("{}:id/design_navigation_view", reader.package));
    let view = Group::new(Axis::Vertical).class("android.widget.FrameLayout");
    let mut view = group(reader, view.inset(Inset::Both));
    view.id = Arc::from(format!("{}:id/nav_view", reader.package));
    view.solid = true;
    view.frame = Frame {
        width: Dim::Dp(300.0),
        background: Some(ColorRole::Surface),
        ..Frame::default()
    };
    view.push(menu);
    let mut edge = make::frame(reader, Axis::Horizontal);
    edge.drawer = true;
    edge.frame.align = Some(Alignment::Stretch);
    edge.push(view);

    let class = "androidx.drawerlayout.widget.DrawerLayout";
    let mut layout = make::group(reader, Axis::Depth, class);
    layout.id = Arc::from(format!("{}:id/drawer_layout", reader.package));
    layout.children = vec![Arc::new(screen), Arc::new(scrim), Arc::new(edge)];
    layout
}
