//! Reads screens and alert dialogs, and builds the views around their content.

use std::sync::Arc;

use super::model::{Header, Orientation, Page, PageKind, Timer};
use super::{dialogs, static_screen};
use crate::choices::Toolkit;
use crate::effects::{self, Effect, Effects};
use crate::expr::template::Template;
use crate::reader::{Fields, ItemKind, Located, Reader};
use crate::schema::Topic;
use crate::style::{Alignment, ColorRole, Dim, Frame, Sides};
use crate::widget::{
    Axis, Button, ButtonLook, Collapse, Group, Icon, IconLook, Inset, Kind, Scroller, Spec, Text,
    TextLook, make, read_all,
};
use crate::words::Words;
use draw::{Align, TextRole};

/// Heights of the large header, expanded and collapsed, and of the plain header.
pub const LARGE: Collapse = Collapse {
    open: Dim::Px(800.0),
    closed: Dim::Px(192.0),
};
const PLAIN: Dim = Dim::Dp(64.0);

/// The button in front of the title.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NavigationButton {
    None,
    Back,
    Drawer,
}

pub(crate) fn read_screen(
    reader: &mut Reader,
    name: &str,
    at: &Located<'_>,
) -> Option<(Page, Vec<Arc<str>>)> {
    let mut fields = Fields::read_keys(reader, at, Topic::Part("screen"))?;
    let params = fields.texts(reader, "params");
    reader.scopes.push(params.clone());
    if fields.has("tree") {
        let page = read_static(reader, name, at, fields);
        reader.scopes.pop();
        return Some((page, params));
    }
    let toolkit = fields.word(reader, "toolkit", Toolkit::TABLE);
    let title = fields.template(reader, "title");
    let header = fields.word(reader, "header", Header::TABLE);
    let header = header.unwrap_or(match title {
        Some(_) => Header::Plain,
        None => Header::None,
    });
    let title = title.unwrap_or_default();
    let back = fields.flag(reader, "back").unwrap_or(false);
    let mut actions = fields.list(reader, "actions", read_all);
    let overflow = fields.take("menu").and_then(|at| {
        let named = effects::named(reader, &at, ItemKind::Menu);
        if header == Header::None {
            let message = "a menu opens from the header, which this screen does not have";
            reader.problem(&at, message);
        }
        named
    });
    if let Some(menu) = overflow {
        actions.push(Arc::new(more_options(reader, menu)));
    }
    let class = fields.text(reader, "activity");
    let drawer = fields.take("drawer").map(|at| read_all(reader, &at));
    let start = match (back, &drawer) {
        (true, _) => NavigationButton::Back,
        (false, Some(_)) => NavigationButton::Drawer,
        (false, None) => NavigationButton::None,
    };
    let mut page = blank(reader, name, at);
    page.drawer = drawer.is_some();
    let orientation = fields.word(reader, "orientation", Orientation::TABLE);
    page.orientation = orientation.unwrap_or_default();
    let mut children = Vec::new();
    match header {
        Header::None => {}
        Header::Plain => {
            let bar = toolbar(reader, &title, start, actions, PLAIN);
            children.push(Arc::new(bar));
        }
        Header::Large => children.push(Arc::new(large_header(reader, &title, start, actions))),
    }
    let body = fields.list(reader, "body", read_all);
    let mut content = group(reader, Group::new(Axis::Vertical));
    content.children = body;
    content.frame = Frame {
        grow: Some(1.0),
        ..Frame::read(reader, &mut fields)
    };
    // The background extends behind the system bars.
    let ground = content.frame.background.take();
    children.push(Arc::new(content));
    let mut column = group(reader, Group::new(Axis::Vertical).inset(Inset::Both));
    column.children = children;
    if let Some(widgets) = drawer {
        column = dialogs::around_drawer(reader, column, widgets);
    }
    let mut outermost = decor(reader, column, true);
    outermost.frame.background = ground;
    page.root = Arc::new(outermost);
    page.title = title;
    page.toolkit = toolkit.unwrap_or(page.toolkit);
    page.header = header;
    page.class = class.unwrap_or_else(|| Arc::from(format!("{}.MainActivity", reader.package)));
    page.on_open = effects::take(reader, &mut fields, "on_open");
    page.on_resume = effects::take(reader, &mut fields, "on_resume");
    page.on_pause = effects::take(reader, &mut fields, "on_pause");
    page.on_back = effects::take(reader, &mut fields, "on_back");
    page.timers = read_timers(reader, &mut fields);
    fields.finish(reader);
    reader.scopes.pop();
    finish(reader, &mut page);
    Some((page, params))
}

fn read_static(reader: &mut Reader, name: &str, at: &Located<'_>, mut fields: Fields<'_>) -> Page {
    let mut page = blank(reader, name, at);
    page.static_screen = Some(Arc::new(static_screen::read(reader, &mut fields)));
    let class = fields.text(reader, "activity");
    page.class = class.unwrap_or_else(|| Arc::from(format!("{}.MainActivity", reader.package)));
    page.on_open = effects::take(reader, &mut fields, "on_open");
    page.timers = read_timers(reader, &mut fields);
    fields.finish(reader);
    finish(reader, &mut page);
    page
}

pub(crate) fn read_alert(
    reader: &mut Reader,
    name: &str,
    at: &Located<'_>,
    mut fields: Fields<'_>,
) -> Page {
    let title = fields.template(reader, "title").unwrap_or_default();
    let message = fields.template(reader, "message");
    let cancelable = fields.flag(reader, "cancelable").unwrap_or(true);
    let mut page = blank(reader, name, at);
    let body = fields.list(reader, "body", read_all);
    let mut panel = group(reader, Group::new(Axis::Vertical));
    panel.id = Arc::from("android:id/parentPanel");
    panel.frame = Frame {
        background: Some(ColorRole::Surface),
        radius: Some(Dim::Dp(28.0)),
        padding: Some(Sides::dp(24.0, 0.0, 18.0, 0.0)),
        ..Frame::default()
    };
    if title != Template::default() {
        let style = TextLook::new(TextRole::HeadlineSmall, ColorRole::Text);
        let mut text = words(reader, title.clone(), style, "android:id/alertTitle");
        text.frame.padding = Some(Sides::dp(0.0, 24.0, 16.0, 24.0));
        panel.push(text);
    }
    let mut content = group(reader, Group::new(Axis::Vertical));
    content.frame.padding = Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(24.0)));
    if let Some(message) = message {
        let style = TextLook::new(TextRole::BodyMedium, ColorRole::Muted);
        content.push(words(reader, message, style, "android:id/message"));
    }
    content.children.extend(body);
    let slot = reader.slot();
    let mut scroll = Spec::new(slot, Scroller::around(Arc::new(content)));
    scroll.id = Arc::from("android:id/scrollView");
    panel.push(scroll);
    let buttons = fields.take("buttons");
    let buttons = buttons.map_or_else(Vec::new, |at| at.entries());
    if !buttons.is_empty() {
        panel.push(buttons_of(reader, &buttons));
    }
    page.root = Arc::new(decor(reader, panel, false));
    page.title = title;
    page.kind = PageKind::Dialog { cancelable };
    page.class = Arc::from("android.app.AlertDialog");
    super::dialogs::common(reader, &mut page, fields);
    page
}

pub(crate) fn blank(reader: &mut Reader, name: &str, at: &Located<'_>) -> Page {
    reader.moments.clear();
    reader.here = at.node.at;
    let root = group(reader, Group::new(Axis::Depth));
    Page {
        toolkit: reader.toolkit,
        ..Page::new(name, PageKind::Screen, "", root)
    }
}

pub(crate) fn finish(reader: &mut Reader, page: &mut Page) {
    page.moments = std::mem::take(&mut reader.moments);
    page.moments.sort_unstable();
    page.moments.dedup();
    page.scrolls = scrolls(&page.root);
    page.auto_focus = has_auto_focus(&page.root);
    page.has_movement = page.root.has_movement();
}

fn has_auto_focus(spec: &Spec) -> bool {
    matches!(&spec.kind, Kind::Field(field) if field.auto_focus)
        || spec.children.iter().any(|child| has_auto_focus(child))
        || spec.row_specs().into_iter().any(|row| has_auto_focus(row))
}

fn scrolls(spec: &Spec) -> bool {
    match &spec.kind {
        Kind::Scroller(_) => true,
        _ => spec.children.iter().any(|child| scrolls(child)),
    }
}

pub(crate) fn read_timers(reader: &mut Reader, fields: &mut Fields<'_>) -> Vec<Timer> {
    let Some(at) = fields.take("timers") else {
        return Vec::new();
    };
    let mut timers = Vec::new();
    for entry in at.entries() {
        let Some(mut fields) = Fields::read_keys(reader, &entry, Topic::Part("timer")) else {
            continue;
        };
        let every = fields.take("every").and_then(|at| {
            let every = reader.duration(&at)?;
            if every.is_zero() {
                reader.problem(&at, "a timer comes again after 1ms or more");
            }
            Some(every)
        });
        let after = fields.duration(reader, "after");
        let effects = effects::take(reader, &mut fields, "do");
        fields.finish(reader);
        match every.or(after) {
            Some(delay) if every.is_none() || after.is_none() => timers.push(Timer {
                delay: delay.max(std::time::Duration::from_millis(1)),
                repeats: every.is_some(),
                effects,
            }),
            _ => reader.problem(&entry, "a timer has either `every` or `after`"),
        }
    }
    timers
}

pub(crate) fn group(reader: &mut Reader, group: Group) -> Spec {
    Spec::new(reader.slot(), group)
}

pub(crate) fn words(reader: &mut Reader, text: Template, style: TextLook, id: &str) -> Spec {
    let mut spec = Spec::new(reader.slot(), Text::new(text, style));
    spec.id = Arc::from(id);
    spec
}

/// Builds the outermost views of a window.
pub(crate) fn decor(reader: &mut Reader, inner: Spec, solid: bool) -> Spec {
    let mut content = group(reader, Group::new(Axis::Depth));
    content.id = Arc::from("android:id/content");
    content.push(inner);
    let mut decor = group(reader, Group::new(Axis::Depth));
    decor.push(content);
    decor.solid = solid;
    decor
}

fn toolbar(
    reader: &mut Reader,
    title: &Template,
    start: NavigationButton,
    actions: Vec<Arc<Spec>>,
    height: Dim,
) -> Spec {
    let mut bar = make::group(reader, Axis::Horizontal, "android.view.ViewGroup");
    bar.id = Arc::from(format!("{}:id/action_bar", reader.package));
    bar.solid = true;
    bar.frame.height = height;
    let first = match start {
        NavigationButton::None => None,
        NavigationButton::Back => Some(("back", "Navigate up", Effect::Pop)),
        NavigationButton::Drawer => Some(("menu", "Open navigation drawer", Effect::OpenDrawer)),
    };
    if let Some((icon, label, effect)) = first {
        let icon = Icon::new(Template::fixed(icon), IconLook::Button, 24.0);
        let mut up = Spec::new(reader.slot(), icon);
        up.label = Template::fixed(label);
        up.on_click = Effects::from(vec![effect]);
        up.frame.width = Dim::Dp(56.0);
        up.frame.height = Dim::Dp(56.0);
        bar.push(up);
    }
    let style = TextLook::new(TextRole::TitleLarge, ColorRole::Text).lines(1);
    let mut text = words(reader, title.clone(), style, "");
    let beside = match start {
        NavigationButton::None => 24.0,
        _ => 8.0,
    };
    text.frame.margin = make::padding(0.0, beside);
    text.frame.grow = Some(1.0);
    if height == LARGE.closed {
        text.collapsed = Some(true);
        // Keeps the actions at the end while the title is above the bar.
        let mut gap = make::frame(reader, Axis::Depth);
        gap.frame.grow = Some(1.0);
        gap.collapsed = Some(false);
        bar.push(gap);
    }
    bar.push(text);
    bar.children.extend(actions);
    bar
}

/// Builds the button of a header that opens its menu.
fn more_options(reader: &mut Reader, menu: Arc<str>) -> Spec {
    let icon = Icon::new(Template::fixed("more_vert"), IconLook::Button, 24.0);
    let mut more = Spec::new(reader.slot(), icon);
    more.class = Some(Arc::from("android.widget.ImageView"));
    more.label = Template::fixed("More options");
    more.on_click = Effects::from(vec![Effect::Menu(menu)]);
    more.frame.width = Dim::Dp(48.0);
    more.frame.height = Dim::Dp(48.0);
    more
}

/// Builds a header with a large title above the bar until the content scrolls.
fn large_header(
    reader: &mut Reader,
    title: &Template,
    start: NavigationButton,
    actions: Vec<Arc<Spec>>,
) -> Spec {
    let mut header = Group::new(Axis::Vertical);
    header.collapses = Some(LARGE);
    let mut header = group(reader, header);
    header.id = Arc::from(format!("{}:id/app_bar", reader.package));
    header.solid = true;
    let style = TextLook {
        align: Align::Center,
        size: Dim::Dp(34.0),
        ..TextLook::new(TextRole::HeadlineLarge, ColorRole::Text)
    };
    let id = format!("{}:id/collapsing_appbar_extended_title", reader.package);
    let mut text = words(reader, title.clone(), style, &id);
    text.collapsed = Some(false);
    let mut room = make::frame(reader, Axis::Vertical);
    room.frame.grow = Some(1.0);
    room.frame.justify = Some(Alignment::Center);
    room.push(text);
    header.push(room);
    header.push(toolbar(reader, title, start, actions, LARGE.closed));
    header
}

/// Reads the buttons of a dialog; each closes it before its effects run.
pub(crate) fn buttons_of(reader: &mut Reader, buttons: &[Located<'_>]) -> Spec {
    let mut row = group(reader, Group::new(Axis::Horizontal));
    row.id = Arc::from("android:id/buttonPanel");
    row.frame.justify = Some(Alignment::End);
    row.frame.padding = Some(Sides::dp(18.0, 24.0, 0.0, 24.0));
    row.frame.gap = Dim::Dp(8.0);
    for (index, entry) in buttons.iter().enumerate() {
        let Some(mut fields) = Fields::read_keys(reader, entry, Topic::Part("dialog button"))
        else {
            continue;
        };
        let text = fields.template(reader, "text").unwrap_or_default();
        let enabled = fields.expr(reader, "enabled");
        let then = effects::take(reader, &mut fields, "on_click");
        fields.finish(reader);
        let button = Button::new(text, ButtonLook::Text);
        let mut spec = Spec::new(reader.slot(), button);
        // The last button is the positive one.
        let place = buttons.len() - 1 - index;
        spec.id = Arc::from(format!("android:id/button{}", place + 1));
        if place > 2 {
            reader.problem(entry, "a dialog has at most three buttons");
        }
        spec.enabled = enabled;
        let mut all = vec![Effect::Dismiss];
        all.extend(then.iter().cloned());
        spec.on_click = Effects::from(all);
        row.push(spec);
    }
    row
}
