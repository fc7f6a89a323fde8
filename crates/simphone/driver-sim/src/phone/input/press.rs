//! Clicks and long clicks on widgets, by touch and by accessibility.

use std::sync::Arc;

use driver::{DriverError, NodeAct, NodeRef, Result};
use uitree::State;

use super::slide::slides;
use crate::journal::{ClickSource, Event, Widget};
use crate::phone::{Context, Phone, View};
use sim_format::Toolkit;
use sim_format::app::PageKind;
use sim_format::expr::Scope;
use sim_format::widget::{Key, Kind};
use sim_view::widget::{Element, Press};
use sim_view::window::{INPUT_METHOD, KEYBOARD_WINDOW};

impl Phone {
    /// Acts on a node of an observation, as the accessibility interface does.
    pub fn act(&mut self, node: NodeRef, act: &NodeAct) -> Result<()> {
        let (seen, place) = self.widget_of(node).ok_or(DriverError::Stale)?;
        let (window, key) = place;
        let done = if self.shows_other_entry(&seen, window, key) {
            // The row now shows another entry.
            Err(DriverError::Stale)
        } else {
            self.act_on(window, key, act)
        };
        self.settle();
        done
    }

    fn widget_of(&self, node: NodeRef) -> Option<(Arc<View>, (u64, Key))> {
        let index = node.node.index();
        if let Some(tree) = &self.faults.false_tree
            && tree.revision == node.revision.0
        {
            return Some((Arc::clone(&tree.view), *tree.keys.get(index)?));
        }
        let view = self.frames.observed(node.revision.0)?;
        Some((Arc::clone(view), *view.keys.get(index)?))
    }

    /// Whether a row of a list shows another entry than when it was observed.
    fn shows_other_entry(&mut self, seen: &Arc<View>, window: u64, key: Key) -> bool {
        if seen.revision == self.frames.revision() {
            return false;
        }
        let now = self.view();
        let (Some(before), Some(after)) = (find(seen, window, key), find(&now, window, key)) else {
            return false;
        };
        // Row keys follow their entry when it moves; on a device the view stays and shows another entry.
        if !same_rows(&before.scope, &after.scope) {
            return true;
        }
        let (Some(old), Some(new)) = (&before.scope.record, &after.scope.record) else {
            return false;
        };
        if before.scope.outer.is_none() || Arc::ptr_eq(old, new) || old == new {
            return false;
        }
        // An entry changed in place is the same one: its names are unchanged.
        let names = |view: &View, element: &Element| {
            Some(element.name())
                .filter(|own| !own.is_empty())
                .or_else(|| first_name_in(view, window, key))
        };
        names(seen, before) != names(&now, after)
    }

    fn act_on(&mut self, window: u64, key: Key, act: &NodeAct) -> Result<()> {
        let view = self.view();
        let element = find(&view, window, key).ok_or(DriverError::Stale)?.clone();
        if !element.state.contains(State::ENABLED) {
            return Err(DriverError::Refused("the node is disabled".to_owned()));
        }
        let refuse = |can: &str| Err(DriverError::Refused(format!("the node {can}")));
        match act {
            NodeAct::Click if !element.state.contains(State::CLICKABLE) => {
                refuse("takes no clicks")
            }
            NodeAct::Click => {
                self.click(window, &element, ClickSource::Accessibility);
                Ok(())
            }
            NodeAct::LongClick if !element.state.contains(State::LONG_CLICKABLE) => {
                refuse("takes no long clicks")
            }
            NodeAct::LongClick => {
                self.long_click(window, &element, ClickSource::Accessibility);
                self.select_on_hold(window, &element);
                Ok(())
            }
            NodeAct::Focus if !element.state.contains(State::FOCUSABLE) => refuse("takes no focus"),
            // A banner takes no focus, and of two apps on the screen only the active one has it.
            NodeAct::Focus if self.active_id() != Some(window) => {
                refuse("is in a window without the input focus")
            }
            NodeAct::Focus => {
                self.focus(window, &element);
                Ok(())
            }
            NodeAct::SetText(text) if slides(&element.spec.kind) => {
                self.slide_to(window, &element, text)
            }
            NodeAct::SetText(text) => self.write(window, &element, text),
            NodeAct::AppendText(text) => {
                let before = super::text::field_text(&element).unwrap_or_default();
                self.write(window, &element, &format!("{before}{text}"))
            }
            NodeAct::Submit if !matches!(element.spec.kind, Kind::Field(_)) => {
                refuse("is no text field")
            }
            NodeAct::Submit => {
                self.submit(window, &element);
                Ok(())
            }
        }
    }

    pub(crate) fn click(&mut self, window: u64, element: &Element, by: ClickSource) {
        let widget = self.widget(window, element);
        if window == KEYBOARD_WINDOW {
            self.note(Event::Clicked { widget, by });
            if let Press::Key(code) = element.press() {
                self.type_key(code);
            }
            return;
        }
        self.keep_passwords();
        self.gestures.pressed = Some((window, element.key));
        self.record_click(window, element.key);
        self.note(Event::Clicked { widget, by });
        self.leave_drawer(window, element);
        let context = self.context(window, &element.scope);
        match element.press() {
            Press::Assign(name, value) => self.set(&context.app, &name, value),
            Press::Focus => self.focus(window, element),
            Press::Reveal(key) => self.toggle_open(window, key),
            Press::Empty(key) => {
                if let Some(field) = find(&self.view(), window, key).cloned() {
                    let written = self.write(window, &field, "");
                    debug_assert!(written.is_ok(), "it is a field");
                }
            }
            Press::Dropdown(key) => self.open_dropdown(window, key),
            Press::Switch(switches) => self.switch(window, switches),
            Press::Effects | Press::Key(_) => {}
        }
        if self.press_system(window, element) {
            return;
        }
        if Phone::is_in_snackbar(&element.spec) {
            self.end_snackbar(window);
        }
        self.run(&context, &element.spec.on_click);
    }

    /// Toggles folded content or a hidden password.
    fn toggle_open(&mut self, window: u64, key: Key) {
        if let Some(open) = self.open_mut(window) {
            if !open.local.open.remove(&key) {
                open.local.open.insert(key);
            }
            open.local.version += 1;
        }
        self.bump();
    }

    pub(crate) fn long_click(&mut self, window: u64, element: &Element, by: ClickSource) {
        self.gestures.pressed = Some((window, element.key));
        let widget = self.widget(window, element);
        self.note(Event::LongClicked { widget, by });
        if element.press() == Press::Focus {
            self.focus(window, element);
        }
        let context = self.context(window, &element.scope);
        self.run(&context, &element.spec.on_long_click);
    }

    pub(crate) fn context(&self, window: u64, scope: &Arc<Scope>) -> Context {
        let owner = self.tasks.of_window(window);
        Context {
            app: owner.map_or_else(
                || Arc::clone(self.tasks.front()),
                |task| Arc::clone(&task.package),
            ),
            scope: Arc::clone(scope),
        }
    }

    pub(crate) fn widget(&self, window: u64, element: &Element) -> Widget {
        let mut tasks = self.tasks.iter();
        let found = tasks.find_map(|task| Some((task, task.find(window)?)));
        let owner = || match window {
            KEYBOARD_WINDOW => Arc::from(INPUT_METHOD),
            _ => Arc::clone(self.tasks.front()),
        };
        let (app, screen) = found.map_or_else(
            || (owner(), Arc::default()),
            |(task, open)| {
                (
                    Arc::clone(open.page.owner.as_ref().unwrap_or(&task.package)),
                    Arc::clone(&open.page.name),
                )
            },
        );
        let mut name = element.name();
        if name.is_empty() {
            // A widget without a name is called by the first name inside it.
            let view = self.frames.current();
            name = view
                .and_then(|view| first_name_in(view, window, element.key))
                .unwrap_or(name);
        }
        let id = self.id_of(window, &app, element);
        let toolkit = found.map_or(Toolkit::Views, |(_, open)| open.page.toolkit);
        let shown_id = match toolkit {
            Toolkit::Views => Arc::clone(&id),
            Toolkit::Compose => self.tag_of(window, element).unwrap_or_default(),
        };
        let mut text = element.text();
        if text.is_empty() && name != element.label {
            text = Arc::clone(&name);
        }
        Widget {
            app,
            screen,
            id,
            shown_id,
            reports_touches: toolkit == Toolkit::Views,
            name,
            text,
            description: Arc::clone(&element.label),
            row: element.scope.outer.as_ref().map(|_| element.scope.index),
            window,
            bounds: self
                .frames
                .current()
                .and_then(|view| bounds_of(view, window, element.key)),
        }
    }

    /// Handles a tap outside the active window, which closes it if it is cancelable.
    pub(crate) fn tap_outside(&mut self) {
        let above = self.active().map(|open| open.page.kind);
        if self.system_window().is_none() && above.is_some_and(PageKind::cancelable) {
            let front = Arc::clone(self.tasks.front());
            self.dismiss(&front);
        }
    }
}

pub(crate) fn find(view: &View, window: u64, key: Key) -> Option<&Element> {
    view.item(window, key).map(|(_, item)| item.element())
}

pub(super) fn bounds_of(view: &View, window: u64, key: Key) -> Option<uitree::Rect> {
    let (_, item) = view.item(window, key)?;
    item.is_visible().then_some(item.bounds)
}

pub(crate) fn first_name_in(view: &View, window: u64, key: Key) -> Option<Arc<str>> {
    let shown = view.window(window)?;
    let item = shown.scene.find(key)?;
    let end = shown.scene.items.get(item)?.end;
    let mut names = shown
        .scene
        .items
        .get(item..end)?
        .iter()
        .map(|item| item.element().name());
    names.find(|name| !name.is_empty())
}

/// Whether two widgets are in rows with the same indexes, from the outermost list.
fn same_rows(left: &Scope, right: &Scope) -> bool {
    match (&left.outer, &right.outer) {
        (Some(a), Some(b)) => left.index == right.index && same_rows(a, b),
        (None, None) => true,
        _ => false,
    }
}
