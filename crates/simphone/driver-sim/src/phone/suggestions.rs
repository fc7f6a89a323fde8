//! The list of suggestions below a text field; the field keeps the focus.

use std::sync::Arc;

use uitree::{Rect, WindowKind};

use crate::app::{Dim, Frame, Ink, Names, Sides, Template};
use crate::input::find;
use crate::layout::{Cache, Env, Insets, Local, Scene, build, lay_out, records};
use crate::widget::{
    Axis, Edit, Element, Field, Group, Key, Kind, Lettering, Scroller, Source, Spec, Suggestion,
    Text,
};
use crate::window::{Shown, Toolkit, keyboard_height};
use draw::TextRole;

use super::popup::popup_page;
use super::{Open, Phone};

/// Slots of these widgets, beyond those of any app file and below those of menus: what surrounds the entries, then the
/// entries.
const SLOTS: u32 = u32::MAX - 90_000;
const ENTRIES: u32 = SLOTS + 16;

/// An open list of suggestions.
#[derive(Debug)]
pub(crate) struct SuggestionList {
    pub(crate) open: Open,
    /// The window and the field that it belongs to.
    pub(crate) window: u64,
    key: Key,
    entries: Vec<Suggestion>,
}

fn field_of(element: &Element) -> Option<&Field> {
    match &element.spec.kind {
        Kind::Field(field) => Some(field),
        _ => None,
    }
}

impl Phone {
    /// Shows what fits the text that was typed into a field, if the field has the focus.
    pub(crate) fn suggest(&mut self, window: u64, key: Key, text: &str) {
        let focused = self
            .active()
            .is_some_and(|open| open.id == window && open.local.focus == Some(key));
        let view = self.view();
        let Some(element) = find(&view, window, key).filter(|_| focused) else {
            return;
        };
        let Some(suggest) = field_of(element).and_then(|field| field.suggest.as_ref()) else {
            return;
        };
        let context = self.context(window, &element.scope);
        let Some(task) = self.task(&context.app) else {
            return;
        };
        let listed = suggest
            .source()
            .map(|source| records(&task.app, &task.vars, &self.system, source));
        let listed = listed.as_deref().map_or(&[][..], Vec::as_slice);
        let names = Names {
            vars: &task.vars,
            scope: &element.scope,
        };
        let entries = suggest.fitting(text, &names, &element.scope, listed);
        if entries.is_empty() {
            self.close_suggestions();
        } else {
            self.open_suggestions(window, key, entries);
        }
    }

    fn open_suggestions(&mut self, window: u64, key: Key, entries: Vec<Suggestion>) {
        let open = Open {
            id: self.window_id(),
            page: Arc::new(popup_page(list(&entries))),
            scope: Arc::default(),
            since: self.clock.now(),
            anchor: None,
            local: Local::default(),
            cache: Cache::default(),
            picker: None,
        };
        self.suggestions = Some(SuggestionList {
            open,
            window,
            key,
            entries,
        });
        self.bump();
    }

    /// Closes the list; whether it was open.
    pub(crate) fn close_suggestions(&mut self) -> bool {
        let closed = self.suggestions.take().is_some();
        if closed {
            self.bump();
        }
        closed
    }

    /// Closes the list of a field that is no longer the one in use.
    pub(crate) fn tend_suggestions(&mut self) {
        let Some(list) = &self.suggestions else {
            return;
        };
        let active = self.active();
        let stays = self.awake
            && active
                .is_some_and(|open| open.id == list.window && open.local.focus == Some(list.key));
        if !stays {
            self.close_suggestions();
        }
    }

    /// Whether a window is the list of suggestions.
    pub(crate) fn is_suggestions(&self, window: u64) -> bool {
        let list = self.suggestions.as_ref();
        list.is_some_and(|list| list.open.id == window)
    }

    /// A finger comes down beside the list: it closes, and the touch goes on.
    pub(crate) fn touch_outside_suggestions(&mut self, at: uitree::Point) {
        let Some(id) = self.suggestions.as_ref().map(|list| list.open.id) else {
            return;
        };
        let within = self.view().windows.iter().any(|shown| {
            (shown.id == id || shown.kind == WindowKind::InputMethod) && shown.area.contains(at)
        });
        if !within {
            self.close_suggestions();
        }
    }

    /// A press on an entry of the list: its text goes into the field.
    pub(crate) fn press_suggestion(&mut self, element: &Element) {
        let Some(list) = &self.suggestions else {
            return;
        };
        let index = element.spec.slot.checked_sub(ENTRIES);
        let Some(taken) = index
            .and_then(|index| list.entries.get(index as usize))
            .cloned()
        else {
            return;
        };
        let (window, key) = (list.window, list.key);
        self.close_suggestions();
        let view = self.view();
        let Some(element) = find(&view, window, key).cloned() else {
            return;
        };
        let written = self.write_with(window, &element, &taken.text, None);
        debug_assert!(written.is_ok(), "it is a field");
        // The text was chosen, not typed: nothing is suggested for it.
        self.close_suggestions();
        let effects = field_of(&element)
            .and_then(|field| field.suggest.as_ref())
            .map(|suggest| Arc::clone(&suggest.on_choose));
        if let Some(effects) = effects {
            let context = self.context(window, &taken.scope);
            self.run(&context, &effects);
        }
    }

    /// The list as it stands on the screen.
    pub(super) fn suggestion_window(&mut self, windows: &[Shown]) -> Option<Shown> {
        self.suggestions.as_ref()?;
        let base = windows.iter().find(|shown| shown.active)?;
        let area = self.display.size().to_rect();
        let insets = self.insets_of(area);
        let top = area.top + insets.top as i32;
        let bottom = match self.keyboard {
            Some(_) => self.display.size().height - keyboard_height(self.display.size()),
            None => area.bottom - insets.bottom as i32,
        };
        let Phone {
            suggestions,
            tasks,
            ruler,
            system,
            ..
        } = self;
        let list = suggestions.as_mut().filter(|list| list.window == base.id)?;
        let task = tasks.get(tasks.front())?;
        let item = base.scene.items.get(base.scene.find(list.key)?)?;
        if !item.is_visible() {
            return None;
        }
        let anchor = item.bounds;
        let least = ruler.theme().dp(48.0);
        let Open {
            id,
            page,
            scope,
            local,
            cache,
            ..
        } = &mut list.open;
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
        let width = Some(anchor.width() as f32);
        let natural = lay_out(&mut env, elements.clone(), width, None);
        let (below, above) = (bottom - anchor.bottom, anchor.top - top);
        let wanted = natural.height as i32;
        let upwards = below < wanted && above > below;
        let most = if upwards { above } else { below }.max(least);
        let fragment = if wanted > most {
            lay_out(&mut env, elements, width, Some(most as f32))
        } else {
            natural
        };
        let (width, height) = (fragment.width as i32, fragment.height as i32);
        let upper = if upwards {
            anchor.top - height
        } else {
            anchor.bottom
        };
        let place = Rect::new(anchor.left, upper, anchor.left + width, upper + height);
        let mut scene = Scene::default();
        let at = (anchor.left as f32, upper as f32);
        scene.put(&Arc::new(fragment), at, area, local);
        Some(Shown {
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
        })
    }
}

/// The widgets of the list.
fn list(entries: &[Suggestion]) -> Spec {
    let rows = entries.iter().zip(ENTRIES..).map(|(entry, slot)| {
        let text = Text {
            text: Template::Fixed(Arc::clone(&entry.text)),
            style: Lettering {
                lines: Some(1),
                ..Lettering::new(TextRole::BodyLarge, Ink::Text)
            },
            heading: false,
        };
        let mut row = Spec::new(slot, Kind::Text(text));
        row.id = Arc::from("android:id/text1");
        row.clickable = Some(true);
        row.frame.padding = Some(Sides::axes(Dim::Dp(12.0), Dim::Dp(16.0)));
        (Arc::new(row), Vec::new())
    });
    let rows = Scroller::of_rows(Source::Written(rows.collect()));
    let mut list = Spec::new(SLOTS + 2, Kind::Scroller(rows));
    list.class = Some(Arc::from("android.widget.ListView"));
    let group = Group {
        class: "android.widget.FrameLayout",
        ..Group::new(Axis::Vertical)
    };
    let mut decor = Spec::new(SLOTS + 1, Kind::Group(group));
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
