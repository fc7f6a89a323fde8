//! Small windows beside a text field that leave it the focus: the toolbar of what is selected, and what is suggested for
//! what was typed.

use std::sync::Arc;

use uitree::{Rect, WindowKind};

use crate::app::{Dim, Frame, Ink, Scope, Sides, Stand, Template};
use crate::draw::TextRole;
use crate::layout::{Cache, Env, Local, Scene, build, lay_out};
use crate::widget::{
    Axis, Edit, Element, Group, Key, Kind, Lettering, Scroller, Source, Spec, Text, byte_of,
};
use crate::window::{Shown, Toolkit, keyboard_height};

use super::popup::popup_page;
use super::{Insets, Open, Phone};

/// Slots of these widgets, beyond those of any app file and below those of menus: what surrounds the entries, then the
/// entries.
const SLOTS: u32 = u32::MAX - 90_000;
const ENTRIES: u32 = SLOTS + 16;

/// What a button of the toolbar does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextAct {
    Cut,
    Copy,
    Paste,
    SelectAll,
}

impl TextAct {
    const fn words(self) -> &'static str {
        match self {
            TextAct::Cut => "Cut",
            TextAct::Copy => "Copy",
            TextAct::Paste => "Paste",
            TextAct::SelectAll => "Select all",
        }
    }
}

/// A text that is suggested, and the names that are known when it is chosen.
#[derive(Clone, Debug)]
pub(crate) struct Suggested {
    pub(crate) text: Arc<str>,
    pub(crate) scope: Arc<Scope>,
}

/// What a small window shows.
#[derive(Clone, Debug)]
pub(crate) enum Floating {
    Toolbar(Vec<TextAct>),
    Suggestions(Vec<Suggested>),
}

/// A small window beside a field.
#[derive(Debug)]
pub(crate) struct Float {
    pub(crate) open: Open,
    /// The window and the field that it belongs to.
    pub(crate) window: u64,
    pub(crate) key: Key,
    pub(crate) what: Floating,
}

/// Which of them is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FloatSort {
    Toolbar,
    Suggestions,
}

impl Float {
    const fn sort(&self) -> FloatSort {
        match self.what {
            Floating::Toolbar(_) => FloatSort::Toolbar,
            Floating::Suggestions(_) => FloatSort::Suggestions,
        }
    }
}

/// What was pressed in a small window.
#[derive(Clone, Debug)]
pub(crate) enum FloatPress {
    Act(TextAct),
    Take(Suggested),
}

impl Phone {
    /// Shows a small window beside a field, in place of one of the same sort.
    pub(crate) fn open_float(&mut self, window: u64, key: Key, what: Floating) {
        let root = match &what {
            Floating::Toolbar(acts) => toolbar(acts),
            Floating::Suggestions(texts) => suggestions(texts),
        };
        let page = Arc::new(popup_page(root));
        let float = Float {
            open: Open {
                id: self.window_id(),
                page,
                scope: Arc::default(),
                since: self.now,
                anchor: None,
                local: Local::default(),
                cache: Cache::default(),
                picker: None,
            },
            window,
            key,
            what,
        };
        let sort = float.sort();
        self.floats.retain(|each| each.sort() != sort);
        self.floats.push(float);
        self.bump();
    }

    /// Takes a small window away; whether it was there.
    pub(crate) fn close_float(&mut self, sort: FloatSort) -> bool {
        let before = self.floats.len();
        self.floats.retain(|each| each.sort() != sort);
        let closed = self.floats.len() < before;
        if closed {
            self.bump();
        }
        closed
    }

    /// Takes the small windows away that belong to a field which is no longer the one in use.
    pub(crate) fn tend_floats(&mut self) {
        if self.floats.is_empty() {
            return;
        }
        let active = self.active_id();
        let focus = self.active().and_then(|open| open.local.focus);
        let before = self.floats.len();
        let awake = self.awake;
        self.floats
            .retain(|each| awake && Some(each.window) == active && Some(each.key) == focus);
        if self.floats.len() < before {
            self.bump();
        }
    }

    /// Whether a window is a small one beside a field.
    pub(crate) fn is_float(&self, window: u64) -> bool {
        self.floats.iter().any(|each| each.open.id == window)
    }

    /// A finger comes down beside the list of suggestions: it closes, and the touch goes on.
    pub(crate) fn touch_outside_floats(&mut self, at: uitree::Point) {
        let list = |each: &&Float| each.sort() == FloatSort::Suggestions;
        let Some(id) = self.floats.iter().find(list).map(|each| each.open.id) else {
            return;
        };
        let view = self.view();
        let mut list = view.windows.iter().filter(|shown| shown.id == id);
        let inside = list.any(|shown| shown.area.contains(at));
        let keyboard = view
            .windows
            .iter()
            .any(|shown| shown.kind == WindowKind::InputMethod && shown.area.contains(at));
        if !inside && !keyboard {
            self.close_float(FloatSort::Suggestions);
        }
    }

    /// The field that a small window belongs to, and what a press on one of its widgets means.
    pub(crate) fn pressed_in_float(
        &self,
        window: u64,
        element: &Element,
    ) -> Option<(u64, Key, FloatPress)> {
        let float = self.floats.iter().find(|each| each.open.id == window)?;
        let index = element.spec.slot.checked_sub(ENTRIES)? as usize;
        let press = match &float.what {
            Floating::Toolbar(acts) => FloatPress::Act(*acts.get(index / 2)?),
            Floating::Suggestions(texts) => FloatPress::Take(texts.get(index)?.clone()),
        };
        Some((float.window, float.key, press))
    }

    /// The small windows as they stand on the screen.
    pub(super) fn float_windows(&mut self, windows: &[Shown]) -> Vec<Shown> {
        if self.floats.is_empty() {
            return Vec::new();
        }
        let Some(base) = windows.iter().find(|shown| shown.active) else {
            return Vec::new();
        };
        let area = self.screen.to_rect();
        let insets = self.insets_of(area);
        let (top, right) = (
            area.top + insets.top as i32,
            area.right - insets.right as i32,
        );
        let bottom = match self.keyboard {
            Some(_) => self.screen.height - keyboard_height(self.screen),
            None => area.bottom - insets.bottom as i32,
        };
        let room = Rect::new(area.left, top, right, bottom.min(area.bottom));
        let Phone {
            floats,
            tasks,
            ruler,
            system,
            front,
            ..
        } = self;
        let Some(task) = tasks.iter().find(|task| task.package == *front) else {
            return Vec::new();
        };
        let theme = *ruler.theme();
        let mut made = Vec::new();
        for float in floats.iter_mut().filter(|float| float.window == base.id) {
            let item = base.scene.find(float.key);
            let Some((index, item)) = item.and_then(|at| Some((at, base.scene.items.get(at)?)))
            else {
                continue;
            };
            if !item.is_visible() {
                continue;
            }
            let anchor = match float.what {
                Floating::Suggestions(_) => item.bounds,
                Floating::Toolbar(_) => {
                    let words = item.element().text_box(item.rect, &theme);
                    let Some(words) = words else { continue };
                    let written = words.written(Some(base.edit), base.scrolled(index) as f32);
                    let text = words.text();
                    let caret = base.edit.caret(text.chars().count());
                    let (from_x, from_y, high) = written.cursor(byte_of(text, caret.from));
                    let (to_x, to_y, _) = written.cursor(byte_of(text, caret.to));
                    let (left, right) = if from_y == to_y {
                        (from_x.min(to_x), from_x.max(to_x))
                    } else {
                        (words.words.left as f32, words.words.right as f32)
                    };
                    Rect::new(
                        (left as i32).max(item.bounds.left),
                        (from_y as i32).max(item.bounds.top),
                        (right as i32).min(item.bounds.right),
                        ((to_y + high) as i32).min(item.bounds.bottom),
                    )
                }
            };
            let Open {
                id,
                page,
                scope,
                local,
                cache,
                ..
            } = &mut float.open;
            let mut env = Env {
                app: &task.app,
                vars: &task.vars,
                local,
                system,
                ruler,
                cache,
                insets: Insets::default(),
                collapse_range: 0.0,
                age: std::time::Duration::ZERO,
                passed: 0,
            };
            let elements = build(&env, &page.root, scope, Key(0));
            let edge = theme.dp(8.0);
            let (fragment, left, upper) = match float.what {
                Floating::Toolbar(_) => {
                    let fragment = lay_out(&mut env, elements, None, None);
                    let (width, height) = (fragment.width as i32, fragment.height as i32);
                    let most = (room.right - edge - width).max(room.left + edge);
                    let left = (anchor.center().x - width / 2).clamp(room.left + edge, most);
                    let above = anchor.top - height - edge;
                    // Below the handles where there is no room above.
                    let below = anchor.bottom + theme.dp(28.0);
                    let lowest = (room.bottom - height).max(room.top);
                    let upper = if above >= room.top {
                        above
                    } else {
                        below.min(lowest)
                    };
                    (fragment, left, upper)
                }
                Floating::Suggestions(_) => {
                    let width = Some(anchor.width() as f32);
                    let natural = lay_out(&mut env, elements.clone(), width, None);
                    let below = room.bottom - anchor.bottom;
                    let above = anchor.top - room.top;
                    let wanted = natural.height as i32;
                    let upwards = below < wanted && above > below;
                    let most = if upwards { above } else { below }.max(theme.dp(48.0));
                    let fragment = if wanted > most {
                        lay_out(&mut env, elements, width, Some(most as f32))
                    } else {
                        natural
                    };
                    let height = fragment.height as i32;
                    let upper = if upwards {
                        anchor.top - height
                    } else {
                        anchor.bottom
                    };
                    (fragment, anchor.left, upper)
                }
            };
            let place = Rect::new(
                left,
                upper,
                left + fragment.width as i32,
                upper + fragment.height as i32,
            );
            let mut scene = Scene::default();
            let at = (left as f32, upper as f32);
            scene.put(&Arc::new(fragment), at, area, local);
            made.push(Shown {
                id: *id,
                kind: WindowKind::Application,
                package: Arc::clone(&base.package),
                class: Arc::clone(&page.class),
                title: Arc::from("Popup Window"),
                layer: base.layer + 1,
                active: false,
                area: place,
                scene,
                still: None,
                focus: None,
                edit: Edit::default(),
                ring: false,
                toolkit: Toolkit::Views,
            });
        }
        made
    }
}

fn spec(slot: u32, kind: Kind) -> Spec {
    Spec::new(SLOTS + slot, kind)
}

fn group(slot: u32, class: &'static str, axis: Axis) -> Spec {
    spec(
        slot,
        Kind::Group(Group {
            class,
            ..Group::new(axis)
        }),
    )
}

fn words(slot: u32, text: &str, role: TextRole) -> Spec {
    Spec::new(
        slot,
        Kind::Text(Text {
            text: Template::Fixed(Arc::from(text)),
            style: Lettering {
                lines: Some(1),
                ..Lettering::new(role, Ink::Text)
            },
            heading: false,
        }),
    )
}

/// The toolbar of a text selection: views and ids are those of Android's floating toolbar.
fn toolbar(acts: &[TextAct]) -> Spec {
    let mut row = group(4, "android.widget.LinearLayout", Axis::Horizontal);
    for (index, act) in acts.iter().enumerate() {
        let slot = ENTRIES + 2 * u32::try_from(index).unwrap_or(0);
        let mut button = Spec::new(slot, Kind::Group(Group::new(Axis::Horizontal)));
        button.clickable = Some(true);
        button.label = Template::fixed(act.words());
        button.frame = Frame {
            min_height: Dim::Dp(48.0),
            padding: Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(14.0))),
            align: Some(Stand::Center),
            ..Frame::default()
        };
        let mut text = words(slot + 1, act.words(), TextRole::LabelLarge);
        text.id = Arc::from("android:id/floating_toolbar_menu_item_text");
        button.children.push(Arc::new(text));
        row.children.push(Arc::new(button));
    }
    let mut container = group(3, "android.widget.RelativeLayout", Axis::Depth);
    container.id = Arc::from("android:id/floating_popup_container");
    container.solid = true;
    container.frame = Frame {
        background: Some(Ink::SurfaceContainer),
        radius: Some(Dim::Dp(24.0)),
        padding: Some(Sides::axes(Dim::Dp(0.0), Dim::Dp(6.0))),
        elevation: Some(3.0),
        ..Frame::default()
    };
    container.children.push(Arc::new(row));
    let mut holder = group(2, "android.widget.LinearLayout", Axis::Vertical);
    holder.children.push(Arc::new(container));
    let mut decor = group(1, "android.widget.FrameLayout", Axis::Vertical);
    decor.children.push(Arc::new(holder));
    decor
}

/// The list of suggestions of a text field.
fn suggestions(texts: &[Suggested]) -> Spec {
    let rows = texts.iter().zip(ENTRIES..).map(|(text, slot)| {
        let mut row = words(slot, &text.text, TextRole::BodyLarge);
        row.id = Arc::from("android:id/text1");
        row.clickable = Some(true);
        row.frame.padding = Some(Sides::axes(Dim::Dp(12.0), Dim::Dp(16.0)));
        (Arc::new(row), Vec::new())
    });
    let mut list = spec(
        2,
        Kind::Scroller(Scroller::of_rows(Source::Written(rows.collect()))),
    );
    list.class = Some(Arc::from("android.widget.ListView"));
    let mut decor = group(1, "android.widget.FrameLayout", Axis::Vertical);
    decor.solid = true;
    decor.frame = Frame {
        background: Some(Ink::SurfaceContainer),
        radius: Some(Dim::Dp(4.0)),
        elevation: Some(3.0),
        ..Frame::default()
    };
    decor.children.push(Arc::new(list));
    decor
}
