//! `tabs`, `pager` and `bottom_navigation`: pages and the controls that select one.
//!
//! A variable has the value of the selected page. The other pages of a pager are absent.

use std::sync::Arc;

use uitree::State;

use crate::effects::{Effect, Effects, ValueSource, take as take_effects};
use crate::expr::{Expr, Function, Op, Template, Value};
use crate::reader::{Fields, Reader};
use crate::style::{Alignment, ColorRole, Dim, Sides};
use draw::TextRole;

use super::choice::{Choice, bound, choices};
use super::part::is;
use super::read::{Body, read_all};
use super::small::badge_of;
use super::{Anchor, Axis, Group, Scroller, Skin, Spec, make};

/// Icon, badge and label of a tab or a navigation entry.
struct TabContent {
    icon: Option<Template>,
    badge: Option<Template>,
    label: Template,
}

impl TabContent {
    fn read(reader: &mut Reader, choice: &mut Choice<'_>) -> Self {
        let mut take = |key| {
            let rest = choice.rest.as_mut()?;
            rest.template(reader, key)
        };
        let (icon, badge, desc) = (take("icon"), take("badge"), take("desc"));
        let name = desc.unwrap_or_else(|| choice.text.clone());
        let label = match &badge {
            Some(badge) => label_with_badge(&name, badge),
            None => name,
        };
        if let Some(rest) = choice.rest.take() {
            rest.finish(reader);
        }
        Self { icon, badge, label }
    }
}

fn label_with_badge(name: &Template, badge: &Template) -> Template {
    let join = |a, b| Expr::Pair(Op::Plus, Box::new((a, b)));
    let text = |words: &str| Expr::Value(Value::text(words));
    let news = join(join(name.expr(), text(", ")), badge.expr());
    let news = join(news, text(" new notifications"));
    let arguments = vec![badge.is_not_empty(), news, name.expr()];
    Template::from_expr(Expr::Call(Function::If, arguments))
}

/// Makes a click on `spec` select `value`; the selected entry is not clickable.
fn selects_on_click(spec: &mut Spec, bind: &Arc<str>, value: &Value, then: &Effects) {
    let set = ValueSource::Template(Template::Fixed(value.to_text()));
    let mut effects = vec![Effect::Set(vec![(Arc::clone(bind), set)])];
    effects.extend(then.iter().cloned());
    spec.on_click = Effects::from(effects);
    spec.selected = Some(is(Expr::Name(Arc::clone(bind)), value));
    spec.not_clickable_when_selected = true;
}

/// Creates a badge at the upper corner of an icon.
fn pinned(reader: &mut Reader, badge: Template) -> Spec {
    let slot = reader.slot();
    let shown = badge.is_not_empty();
    let number = |share: f64| Some(Expr::Value(Value::Number(share)));
    let mut badge = make::decorative(badge_of(reader, slot, badge));
    badge.visible = Some(shown);
    let spot = [number(68.0), number(20.0), None, None];
    badge.anchor = Some(Anchor::At(Box::new(spot)));
    badge
}

pub(crate) fn tabs(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let bind = bound(reader, body.fields.take("bind"));
    let modes = [("fixed", Axis::Depth), ("scrollable", Axis::Horizontal)];
    let mode = body.fields.word(reader, "mode", &modes);
    let then = take_effects(reader, &mut body.fields, "on_change");
    let options = body.main_or("options");
    let mut row = make::group(reader, Axis::Horizontal, "android.widget.LinearLayout");
    let scrolls = mode == Some(Axis::Horizontal);
    for mut choice in options.map_or_else(Vec::new, |at| choices(reader, &at, "page option")) {
        let extra = TabContent::read(reader, &mut choice);
        let (slot, class) = (reader.slot(), "android.widget.LinearLayout");
        let mut tab = make::skinned(slot, Axis::Vertical, class, Skin::Tab);
        tab.clickable = None;
        selects_on_click(&mut tab, &bind, &choice.value, &then);
        tab.id = choice.id.unwrap_or_else(|| Arc::from(""));
        tab.label = extra.label;
        tab.frame.grow = (!scrolls).then_some(1.0);
        tab.frame.height = Dim::Dp(if extra.icon.is_some() { 72.0 } else { 48.0 });
        tab.frame.align = Some(Alignment::Center);
        tab.frame.justify = Some(Alignment::Center);
        tab.frame.padding = make::padding(0.0, if scrolls { 20.0 } else { 12.0 });
        tab.frame.gap = Dim::Dp(4.0);
        let colors = (ColorRole::Muted, ColorRole::Primary);
        if let Some(icon) = extra.icon {
            tab.push(make::icon(reader, icon, 24.0, colors));
        }
        if choice.text != Template::default() {
            let words = make::label(reader, choice.text, TextRole::TitleSmall, colors);
            tab.push(words);
        }
        if let Some(badge) = extra.badge {
            tab.push(pinned(reader, badge));
        }
        row.push(tab);
    }
    let mut spec = if scrolls {
        Spec::new(slot, Scroller::along(Axis::Horizontal, Arc::new(row)))
    } else {
        let mut bar = make::group_at(slot, Axis::Depth, "android.widget.HorizontalScrollView");
        bar.push(row);
        bar.flags = State::FOCUSABLE;
        bar
    };
    spec.frame.grow = Some(0.0);
    spec
}

/// The pages of a pager, which swipes change.
#[derive(Debug)]
pub struct Pages {
    pub bind: Arc<str>,
    /// The value of each page, in order.
    pub values: Vec<Arc<str>>,
    pub on_change: Effects,
}

impl Pages {
    /// Returns the index of the selected page; the first one if the variable has no page's value.
    pub fn chosen(&self, value: Option<&Value>) -> usize {
        let value = value.map(Value::to_text);
        let same = |each: &Arc<str>| Some(each) == value.as_ref();
        self.values.iter().position(same).unwrap_or(0)
    }
}

pub(crate) fn pager(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let bind = bound(reader, body.main_or("bind"));
    let pages = body.fields.read(reader, "pages", Fields::names);
    let mut values = Vec::new();
    let mut shown = Vec::new();
    for (value, at) in pages.map_or_else(Vec::new, |mut pages| pages.take_all()) {
        let mut page = make::group(reader, Axis::Vertical, "android.widget.FrameLayout");
        page.children = read_all(reader, &at);
        page.visible = Some(is(Expr::Name(Arc::clone(&bind)), &Value::text(value)));
        values.push(Arc::from(value));
        shown.push(page);
    }
    // The first page is shown if the variable has no page's value.
    let others = shown.iter().skip(1).filter_map(|page| page.visible.clone());
    let others = others.map(|chosen| Expr::Not(Box::new(chosen)));
    let first = others.reduce(Expr::and);
    if let Some(page) = shown.first_mut() {
        page.visible = first;
    }
    let several = shown.len() > 1;
    let mut spec = Spec::new(
        slot,
        Group {
            class: "androidx.viewpager.widget.ViewPager",
            pages: Some(Arc::new(Pages {
                bind,
                values,
                on_change: take_effects(reader, &mut body.fields, "on_change"),
            })),
            ..Group::new(Axis::Depth)
        },
    );
    spec.flags = State::FOCUSABLE;
    spec.flags.set(State::SCROLLABLE, several);
    spec.frame.grow = Some(1.0);
    spec.children = shown.into_iter().map(Arc::new).collect();
    spec
}

pub(crate) fn navigation(reader: &mut Reader, body: &mut Body<'_>, slot: u32) -> Spec {
    let bind = bound(reader, body.fields.take("bind"));
    let then = take_effects(reader, &mut body.fields, "on_change");
    let options = body.main_or("options");
    let mut menu = make::group(reader, Axis::Horizontal, "android.view.ViewGroup");
    for mut choice in options.map_or_else(Vec::new, |at| choices(reader, &at, "page option")) {
        let extra = TabContent::read(reader, &mut choice);
        let mut item = make::group(reader, Axis::Depth, "android.widget.FrameLayout");
        selects_on_click(&mut item, &bind, &choice.value, &then);
        item.id = choice.id.unwrap_or_else(|| Arc::from(""));
        item.label = extra.label;
        item.frame.height = Dim::Dp(80.0);
        item.frame.grow = Some(1.0);
        let chosen = item.selected.clone();
        item.push(entry(reader, choice.text, extra.icon, extra.badge, chosen));
        menu.push(item);
    }
    let mut spec = make::group_at(slot, Axis::Depth, "android.widget.FrameLayout");
    spec.frame.background = Some(ColorRole::SurfaceContainer);
    spec.push(menu);
    spec
}

/// Creates the icon of a navigation entry and the text below it.
fn entry(
    reader: &mut Reader,
    text: Template,
    icon: Option<Template>,
    badge: Option<Template>,
    chosen: Option<Expr>,
) -> Spec {
    let mut column = make::frame(reader, Axis::Vertical);
    column.frame.align = Some(Alignment::Center);
    column.frame.justify = Some(Alignment::Center);
    column.frame.gap = Dim::Dp(4.0);
    let mut holder = make::group(reader, Axis::Depth, "android.widget.FrameLayout");
    holder.frame.width = Dim::Dp(64.0);
    holder.frame.height = Dim::Dp(32.0);
    holder.frame.align = Some(Alignment::Stretch);
    let slot = reader.slot();
    let mut pill = make::skinned(slot, Axis::Depth, "android.view.View", Skin::Pill);
    pill.clickable = None;
    pill.visible.clone_from(&chosen);
    let pill = make::named(reader, pill, "navigation_bar_item_active_indicator_view");
    holder.push(pill);
    if let Some(icon) = icon {
        let icon = make::icon(reader, icon, 24.0, (ColorRole::Muted, ColorRole::Text));
        let mut icon = make::named(reader, icon, "navigation_bar_item_icon_view");
        icon.frame.margin = Some(Sides::axes(Dim::Dp(4.0), Dim::Dp(20.0)));
        holder.push(icon);
    }
    if let Some(badge) = badge {
        holder.push(pinned(reader, badge));
    }
    let holder = make::named(reader, holder, "navigation_bar_item_icon_container");
    column.push(holder);
    if text != Template::default() {
        let labels = make::group(reader, Axis::Depth, "android.view.ViewGroup");
        let mut labels = make::named(reader, labels, "navigation_bar_item_labels_group");
        // There is one label view for the selected state and one for the other.
        let other = chosen.clone().map(|chosen| Expr::Not(Box::new(chosen)));
        for (id, shown) in [
            ("navigation_bar_item_small_label_view", other),
            ("navigation_bar_item_large_label_view", chosen),
        ] {
            let colors = (ColorRole::Muted, ColorRole::Text);
            let words = make::label(reader, text.clone(), TextRole::LabelMedium, colors);
            let mut words = make::named(reader, words, id);
            words.visible = shown;
            labels.push(words);
        }
        column.push(labels);
    }
    column
}
