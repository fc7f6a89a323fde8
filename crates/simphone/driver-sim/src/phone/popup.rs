//! Popups at a widget: menus and the dropdowns of spinners.

use std::sync::Arc;

use uitree::State;

use crate::phone::input::find;
use draw::TextRole;
use sim_format::app::{Page, PageKind};
use sim_format::effects::{Effect, Effects, ValueSource};
use sim_format::expr::{Expr, Names, Scope, Template, Value};
use sim_format::style::{Alignment, ColorRole, Dim, Frame, Sides};
use sim_format::widget::{
    Axis, Check, Group, Icon, IconLook, Key, Kind, Scroller, Shape, Source, Spec, Text, TextLook,
    Toggle,
};
use sim_view::env::records;

use super::{Context, Phone};

/// The slots of an entry's widgets, above those of app files and below those of the snackbar. All entries share
/// them; the row distinguishes the entries.
const ENTRY_SLOTS: u32 = u32::MAX - 64;

/// The slots of the list and its container, above those of an entry.
const LIST_SLOTS: u32 = ENTRY_SLOTS + 16;

#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) text: Arc<str>,
    pub(crate) icon: Option<Arc<str>>,
    pub(crate) enabled: bool,
    pub(crate) checked: Option<bool>,
    pub(crate) selected: bool,
    pub(crate) effects: Effects,
    pub(crate) row: RowLook,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowLook {
    /// An entry of a menu: a title with optional icon and checkbox.
    Menu,
    /// An entry of a spinner, of which one is checked.
    Checked,
}

impl Phone {
    /// Opens a popup at the widget `key` of `window`. Choosing an entry closes it and runs the entry's effects in
    /// `scope`. Back and a touch outside close it too.
    pub(crate) fn open_choices(
        &mut self,
        window: u64,
        key: Key,
        scope: &Arc<Scope>,
        choices: &[Choice],
    ) {
        let view = self.view();
        let anchor = view.item(window, key).map(|(_, item)| item.bounds);
        let owner = self.tasks.of_window(window);
        let Some(app) = owner.map(|task| Arc::clone(&task.package)) else {
            return;
        };
        if self.is_full(&app) {
            return;
        }
        let width = self.popup_width(choices, anchor);
        let page = Arc::new(page(choices, width));
        let mut open = self.open_page(&app, Arc::clone(&page), Arc::clone(scope));
        open.anchor = anchor;
        let id = open.id;
        let activity = self.task_mut(&app).and_then(|task| {
            let of = |activity: &&mut super::Activity| {
                activity.open.id == window || activity.dialogs.iter().any(|each| each.id == window)
            };
            task.stack.iter_mut().find(of)
        });
        if let Some(activity) = activity {
            activity.dialogs.push(open);
            self.opened(&app, id, &page);
        }
    }

    /// The width of a popup: that of the widest entry, in steps of 56 dp, and at least that of its anchor.
    fn popup_width(&mut self, choices: &[Choice], anchor: Option<uitree::Rect>) -> f32 {
        let theme = self.theme;
        let style = TextLook::new(TextRole::BodyLarge, ColorRole::Text).style(&theme);
        let mut widest = 0.0_f32;
        for choice in choices {
            let (text, _) = self.ruler.measure(&choice.text, &style, None);
            let icon = if choice.icon.is_some() { 36.0 } else { 0.0 };
            let mark = if choice.checked.is_some() { 60.0 } else { 0.0 };
            widest = widest.max(text + theme.px(32.0 + icon + mark));
        }
        let step = theme.px(56.0);
        let steps = (widest / step).ceil().clamp(2.0, 5.0);
        let anchor = anchor.map_or(0, |anchor| anchor.width()) as f32;
        let max_width = self.display.size().width as f32 - theme.px(16.0);
        (steps * step).max(anchor).min(max_width) / theme.density
    }

    pub(super) fn open_menu(&mut self, context: &Context, name: &str) {
        let menu = self
            .task(&context.app)
            .and_then(|task| task.app.menus.get(name).cloned());
        let (Some(menu), Some((window, key))) = (menu, self.gestures.pressed()) else {
            return;
        };
        let mut choices = Vec::new();
        for entry in &menu.entries {
            let is_met = |condition: &Option<Expr>| {
                let condition = condition.as_ref()?;
                self.with_names(context, |names| condition.holds(names))
            };
            if is_met(&entry.visible) == Some(false) {
                continue;
            }
            choices.push(Choice {
                text: self.text(context, &entry.text).unwrap_or_default(),
                icon: entry.icon.clone(),
                enabled: is_met(&entry.enabled).unwrap_or(true),
                checked: is_met(&entry.checked),
                selected: false,
                effects: Arc::clone(&entry.on_click),
                row: RowLook::Menu,
            });
        }
        self.open_choices(window, key, &context.scope, &choices);
    }

    pub(crate) fn open_dropdown(&mut self, window: u64, key: Key) {
        let view = self.view();
        let Some((dropdown, scope)) = find(&view, window, key).and_then(|element| {
            let dropdown = element.spec.dropdown.as_ref()?;
            Some((Arc::clone(dropdown), Arc::clone(&element.scope)))
        }) else {
            return;
        };
        let context = self.context(window, &scope);
        let Some(task) = self.task(&context.app) else {
            return;
        };
        let records = dropdown
            .source()
            .map(|source| records(&task.app, &task.vars, &self.system, source));
        let records = records.as_deref().map_or(&[][..], Vec::as_slice);
        let names = Names {
            vars: &task.vars,
            scope: &scope,
        };
        let entries = dropdown.entries(&names, &scope, records);
        let choices: Vec<Choice> = entries
            .into_iter()
            .map(|entry| {
                let value = ValueSource::Template(Template::Fixed(entry.value.to_text()));
                let mut effects = Vec::new();
                // Choosing the current entry changes nothing.
                if !entry.chosen {
                    effects.push(Effect::Set(vec![(Arc::clone(dropdown.bind()), value)]));
                    effects.extend(dropdown.on_change.iter().cloned());
                }
                Choice {
                    text: entry.text,
                    icon: None,
                    enabled: true,
                    checked: None,
                    selected: entry.chosen,
                    effects: Effects::from(effects),
                    row: RowLook::Checked,
                }
            })
            .collect();
        self.open_choices(window, key, &scope, &choices);
    }
}

fn dismiss_then(choice: &Choice) -> Effects {
    let mut effects = vec![Effect::Dismiss];
    effects.extend(choice.effects.iter().cloned());
    Effects::from(effects)
}

struct PopupBuilder {
    slot: u32,
}

impl PopupBuilder {
    fn spec(&mut self, kind: impl Into<Kind>) -> Spec {
        self.slot += 1;
        Spec::new(self.slot, kind)
    }

    fn icon(&mut self, name: &str, color: ColorRole) -> Arc<Spec> {
        let mut icon = Icon::new(Template::fixed(name), IconLook::Plain, 24.0);
        icon.color = color;
        let mut spec = self.spec(icon);
        spec.decorative = true;
        Arc::new(spec)
    }

    fn line(&mut self, text: &Arc<str>) -> Spec {
        self.spec(Text {
            text: Template::Fixed(Arc::clone(text)),
            style: TextLook::new(TextRole::BodyLarge, ColorRole::Text).lines(1),
            heading: false,
        })
    }

    /// The clickable text of a spinner's entry.
    fn checked_text(&mut self, choice: &Choice) -> Spec {
        let mut text = self.line(&choice.text);
        text.id = Arc::from("android:id/text1");
        text.frame = Frame {
            padding: Some(Sides::axes(Dim::Dp(12.0), Dim::Dp(16.0))),
            background: choice.selected.then_some(ColorRole::SurfaceVariant),
            ..Frame::default()
        };
        text.clickable = Some(true);
        text.class = Some(Arc::from("android.widget.CheckedTextView"));
        text.flags |= State::CHECKABLE;
        text.flags.set(State::CHECKED, choice.selected);
        text
    }

    fn entry(&mut self, choice: &Choice) -> Spec {
        if choice.row == RowLook::Checked {
            let mut text = self.checked_text(choice);
            text.on_click = dismiss_then(choice);
            return text;
        }
        let mut row = self.spec(Group::new(Axis::Horizontal));
        row.frame = Frame {
            min_height: Dim::Dp(48.0),
            padding: Some(Sides::axes(Dim::Dp(4.0), Dim::Dp(16.0))),
            gap: Dim::Dp(12.0),
            align: Some(Alignment::Center),
            background: choice.selected.then_some(ColorRole::SurfaceVariant),
            ..Frame::default()
        };
        row.solid = true;
        row.enabled = (!choice.enabled).then_some(Expr::Value(Value::Bool(false)));
        row.selected = choice.selected.then_some(Expr::Value(Value::Bool(true)));
        row.on_click = dismiss_then(choice);
        if let Some(icon) = &choice.icon {
            row.children.push(self.icon(icon, ColorRole::Muted));
        }
        let mut title = self.line(&choice.text);
        title.id = Arc::from("android:id/title");
        title.frame.grow = Some(1.0);
        row.push(title);
        if let Some(checked) = choice.checked {
            let mut mark = self.spec(Toggle {
                shape: Shape::CheckBox,
                text: Template::default(),
                check: Check {
                    checked: Some(Expr::Value(Value::Bool(checked))),
                    ..Check::default()
                },
            });
            mark.id = Arc::from("android:id/checkbox");
            // The row handles the press.
            mark.clickable = Some(false);
            row.push(mark);
        }
        row
    }
}

/// The page of a popup, `width` density-independent pixels wide.
fn page(choices: &[Choice], width: f32) -> Page {
    let rows = choices.iter().map(|choice| {
        let entry = PopupBuilder { slot: ENTRY_SLOTS }.entry(choice);
        (Arc::new(entry), Vec::new())
    });
    let rows = rows.collect();
    let mut builder = PopupBuilder { slot: LIST_SLOTS };
    let mut list = builder.spec(Scroller {
        alike: true,
        ..Scroller::of_rows(Source::Written(rows))
    });
    list.frame.padding = Some(Sides::axes(Dim::Dp(8.0), Dim::Dp(0.0)));
    list.class = Some(Arc::from("android.widget.ListView"));
    let mut frame = builder.spec(Group::new(Axis::Vertical));
    frame.solid = true;
    frame.class = Some(Arc::from("android.widget.FrameLayout"));
    frame.frame = Frame {
        width: Dim::Dp(width),
        background: Some(ColorRole::SurfaceContainer),
        radius: Some(Dim::Dp(4.0)),
        elevation: Some(3.0),
        ..Frame::default()
    };
    frame.push(list);
    popup_page(frame)
}

pub(super) fn popup_page(root: Spec) -> Page {
    const CLASS: &str = "android.widget.PopupWindow$PopupDecorView";
    Page {
        scrolls: true,
        ..Page::new("menu", PageKind::Popup, CLASS, root)
    }
}
