//! Runs the effects of apps.

use std::sync::Arc;

use driver::DriverError;

use crate::journal::{Event, Setting};
use crate::phone::clock::TimerKind;
use draw::TextRole;
use sim_format::ThemeChoice;
use sim_format::app::PageKind;
use sim_format::effects::{Call, Configure, Effect, Effects, ValueSource};
use sim_format::expr::{Names, Scope, Template, Value};
use sim_format::style::{Alignment, ColorRole, Dim, Frame, Sides};
use sim_format::widget::{Axis, Button, ButtonLook, Group, Spec, Text, TextLook};
use sim_format::words::{Words, capital};
use sim_view::window::Toast;

use super::pull::Drawer;
use super::{Activity, Open, Phone, Snackbar};

/// The most effects that one event may cause, including nested ones.
const MAX_EFFECTS: u32 = 1000;

/// The deepest nesting of effects, as when a screen opens itself in its `on_open`.
const MAX_DEPTH: u32 = 16;

/// The most screens and dialogs that an app may have open.
const MAX_WINDOWS: usize = 200;

/// The most pending effects (`after`) and network requests of an app.
const MAX_PENDING: usize = 1000;

// How long messages are shown.
const TOAST: std::time::Duration = std::time::Duration::from_millis(2000);
const SNACKBAR: std::time::Duration = std::time::Duration::from_millis(2750);

/// The slots of the snackbar's widgets, above those of app files.
const SNACKBAR_SLOT: u32 = u32::MAX - 8;

#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(crate) app: Arc<str>,
    /// The row and parameters that they see.
    pub(crate) scope: Arc<Scope>,
}

/// Limits the number and nesting of the effects of one event.
#[derive(Debug, Default)]
pub(super) struct EffectBudget {
    depth: u32,
    /// How many effects the event may still run.
    left: u32,
}

impl EffectBudget {
    /// Uses up one effect; returns false if none is left.
    const fn take(&mut self) -> bool {
        let is_left = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_left
    }
}

impl Phone {
    /// Runs effects. Nested effects share the limits of their event: a screen that opens itself three times in its
    /// `on_open` would otherwise do so a million times.
    pub(crate) fn run(&mut self, context: &Context, effects: &Effects) {
        if self.effects.depth == 0 {
            self.effects.left = MAX_EFFECTS;
        }
        if self.effects.depth >= MAX_DEPTH {
            self.note(Event::EffectsStopped(Arc::clone(&context.app)));
            return;
        }
        self.effects.depth += 1;
        self.run_some(context, effects);
        self.effects.depth -= 1;
        if self.effects.depth == 0 && self.effects.left == 0 {
            self.note(Event::EffectsStopped(Arc::clone(&context.app)));
        }
    }

    fn run_some(&mut self, context: &Context, effects: &Effects) {
        for effect in effects.iter() {
            if !self.effects.take() {
                return;
            }
            self.run_one(context, effect);
        }
    }

    fn run_one(&mut self, context: &Context, effect: &Effect) {
        match effect {
            Effect::Set(pairs) => {
                for (name, value) in pairs {
                    if let Some(value) = self.evaluate(context, value) {
                        self.set(&context.app, name, value);
                    }
                }
            }
            Effect::Toggle(name) => {
                let value = self.variable(&context.app, name);
                if let Some(value) = value {
                    self.set(&context.app, name, Value::Bool(!value.is_true()));
                }
            }
            Effect::Clear(name) => {
                if let Some(value) = self.variable(&context.app, name) {
                    self.set(&context.app, name, value.empty());
                }
            }
            Effect::Append(pairs) => {
                for (name, what) in pairs {
                    self.append(context, name, what);
                }
            }
            Effect::Update(update) => self.update(context, update),
            Effect::Remove(name, condition) => self.remove(context, name, condition.as_ref()),
            Effect::Fetch(_) if self.has_max_pending(&context.app) => {}
            Effect::Fetch(fetch) => self.fetch(context, fetch),
            Effect::RequestPermission(asked) => self.request_permission(context, asked),
            Effect::PopTo(screen) => self.pop_to(&context.app, screen),
            Effect::Push(call) => self.push(context, call),
            Effect::Replace(call) => {
                self.close_top_screen(&context.app);
                self.push(context, call);
            }
            Effect::Pop => self.pop(&context.app),
            Effect::Dialog(call) => self.open_dialog(context, call),
            Effect::Menu(name) => self.open_menu(context, name),
            Effect::Dismiss => self.dismiss(&context.app),
            Effect::Toast(text) => {
                if let Some(text) = self.text(context, text) {
                    self.show_toast(text);
                }
            }
            Effect::Snackbar(bar) => self.show_snackbar(context, bar),
            Effect::Open(uri) => {
                if let Some(uri) = self.text(context, uri)
                    && let Err(error) = self.open_uri(&uri)
                {
                    self.show_error(&error);
                }
            }
            Effect::OpenApp(package) => {
                if let Some(package) = self.text(context, package) {
                    self.open_or_toast(&package);
                }
            }
            Effect::Home => self.go_home(),
            Effect::After(..) if self.has_max_pending(&context.app) => {}
            Effect::After(delay, effects) => {
                let due = TimerKind::Effects {
                    app: Arc::clone(&context.app),
                    window: None,
                    effects: Arc::clone(effects),
                    scope: Arc::clone(&context.scope),
                    every: None,
                };
                self.clock.add_in(*delay, due);
            }
            Effect::If(condition, then, otherwise) => {
                let is_met = self.with_names(context, |names| condition.holds(names));
                if let Some(is_met) = is_met {
                    self.run_some(context, if is_met { then } else { otherwise });
                }
            }
            Effect::Do(name) => {
                let task = self.task(&context.app);
                if let Some(effects) = task.and_then(|task| task.app.actions.get(name).cloned()) {
                    self.run_some(context, &effects);
                }
            }
            Effect::OpenDrawer => self.move_drawer_of(&context.app, Drawer::Open),
            Effect::CloseDrawer => self.move_drawer_of(&context.app, Drawer::Closed),
            Effect::OpenShade => self.open_shade(),
            Effect::Notify(notify) => self.notify(context, notify),
            Effect::HideKeyboard => self.hide_keyboard(),
            Effect::Focus(id) => self.focus_id(id),
            Effect::Copy(text) => {
                if let Some(text) = self.text(context, text) {
                    self.copy(&context.app, text);
                }
            }
            Effect::Fault(faults) => {
                for fault in faults.iter() {
                    self.request_fault(fault);
                }
            }
            Effect::Configure(set) => self.configure_from(context, set),
            Effect::StopApp(package) => {
                if let Some(package) = self.text(context, package) {
                    self.stop_app(&package);
                }
            }
        }
    }

    /// Applies the settings that an app requests; an invalid value is noted and changes nothing.
    fn configure_from(&mut self, context: &Context, set: &Configure) {
        let value = |phone: &Self, computed: &Option<ValueSource>| {
            phone.evaluate(context, computed.as_ref()?)
        };
        let mut refused = None;
        if let Some(theme) = value(self, &set.theme) {
            match ThemeChoice::of_word(&theme.to_text()) {
                Some(theme) => self.set_theme(theme),
                None => refused = Some((Setting::Theme, theme)),
            }
        }
        if let Some(scale) = value(self, &set.font_scale) {
            let number = scale.number();
            if number > 0.0 {
                self.set_font_scale(number as f32);
            } else {
                refused = Some((Setting::FontScale, scale));
            }
        }
        if let Some(language) = value(self, &set.language)
            && self.set_language(&language.to_text()).is_err()
        {
            refused = Some((Setting::Language, language));
        }
        if let Some(follows) = value(self, &set.auto_rotate) {
            self.set_auto_rotate(follows.is_true());
        }
        if let Some((setting, value)) = refused {
            self.note(Event::NotConfigured {
                app: Arc::clone(&context.app),
                setting,
                value: value.to_text(),
            });
        }
    }

    /// Evaluates with the names in scope of the effects.
    pub(crate) fn with_names<T>(
        &self,
        context: &Context,
        ask: impl FnOnce(&Names<'_>) -> T,
    ) -> Option<T> {
        let task = self.task(&context.app)?;
        Some(ask(&Names {
            vars: &task.vars,
            scope: &context.scope,
        }))
    }

    pub(super) fn evaluate(&self, context: &Context, value: &ValueSource) -> Option<Value> {
        self.with_names(context, |names| value.value(names))
    }

    pub(super) fn text(&self, context: &Context, template: &Template) -> Option<Arc<str>> {
        self.with_names(context, |names| template.text(names))
    }

    pub(super) fn variable(&self, app: &str, name: &str) -> Option<Value> {
        self.task(app)?.vars.get(name).cloned()
    }

    /// Cuts a value to the size limit of variables.
    pub(super) fn capped(&mut self, app: &Arc<str>, value: Value) -> Value {
        let (value, cut) = value.capped();
        self.note_limit(app, cut);
        value
    }

    /// Whether an app has reached the limit of open windows, which is noted.
    pub(super) fn is_full(&mut self, app: &Arc<str>) -> bool {
        let full = self.task(app).is_some_and(|task| {
            let windows = task.stack.iter().map(|each| 1 + each.dialogs.len());
            windows.sum::<usize>() >= MAX_WINDOWS
        });
        self.note_limit(app, full)
    }

    pub(super) fn note_limit(&mut self, app: &Arc<str>, reached: bool) -> bool {
        if reached {
            self.note(Event::EffectsStopped(Arc::clone(app)));
        }
        reached
    }

    /// Whether an app has reached the limit of pending effects, which is noted.
    fn has_max_pending(&mut self, app: &Arc<str>) -> bool {
        self.note_limit(app, self.clock.pending(app) >= MAX_PENDING)
    }

    pub(crate) fn set(&mut self, app: &Arc<str>, name: &Arc<str>, value: Value) {
        let value = self.capped(app, value);
        let Some(task) = self.task_mut(app) else {
            return;
        };
        let Some(old) = task.vars.set(name, value) else {
            return;
        };
        let to = task.vars.get(name).map(Value::to_text).unwrap_or_default();
        self.note(Event::Changed {
            app: Arc::clone(app),
            name: Arc::clone(name),
            from: old.to_text(),
            to,
        });
        self.bump();
    }

    fn params(&self, context: &Context, call: &Call) -> Arc<Scope> {
        let params: Vec<_> = call
            .with
            .iter()
            .filter_map(|(name, value)| Some((Arc::clone(name), self.evaluate(context, value)?)))
            .collect();
        Scope::of(Arc::new(params))
    }

    fn push(&mut self, context: &Context, call: &Call) {
        let scope = self.params(context, call);
        self.push_screen(&context.app, &call.screen, scope);
    }

    pub(crate) fn push_screen(&mut self, app: &Arc<str>, screen: &str, scope: Arc<Scope>) {
        let task = self.task(app);
        let page = task.and_then(|task| task.app.screens.get(screen).cloned());
        let Some(page) = page.filter(|_| !self.is_full(app)) else {
            return;
        };
        let open = self.open_page(app, page, scope);
        let (id, page) = (open.id, Arc::clone(&open.page));
        if let Some(task) = self.task_mut(app) {
            task.stack.push(Activity {
                open,
                dialogs: Vec::new(),
                snackbar: None,
            });
        }
        self.opened(app, id, &page);
    }

    fn open_dialog(&mut self, context: &Context, call: &Call) {
        let scope = if call.with.is_empty() {
            Arc::clone(&context.scope)
        } else {
            self.params(context, call)
        };
        let task = self.task(&context.app);
        let page = task.and_then(|task| task.app.dialogs.get(&call.screen).cloned());
        let Some(page) = page.filter(|_| !self.is_full(&context.app)) else {
            return;
        };
        let open = self.open_page(&context.app, page, scope);
        let (id, page) = (open.id, Arc::clone(&open.page));
        let activity = self
            .task_mut(&context.app)
            .and_then(|task| task.stack.last_mut());
        if let Some(activity) = activity {
            // A banner belongs to the screen: it is below the dialogs, which cover it.
            let is_banner = |open: &Open| open.page.kind == PageKind::Banner;
            let place = match is_banner(&open) {
                true => activity.dialogs.partition_point(is_banner),
                false => activity.dialogs.len(),
            };
            activity.dialogs.insert(place, open);
            self.opened(&context.app, id, &page);
        }
    }

    pub(crate) fn dismiss(&mut self, app: &Arc<str>) {
        let closed = self
            .task_mut(app)
            .and_then(|task| task.stack.last_mut())
            .and_then(|activity| activity.dialogs.pop());
        if let Some(open) = closed {
            self.closed(app, &open);
        }
    }

    pub(super) fn show_error(&mut self, error: &DriverError) {
        self.show_toast(match error {
            DriverError::NotHandled(_) => Arc::from("No app can open this"),
            other => Arc::from(capital(&other.to_string())),
        });
    }

    pub(crate) fn show_toast(&mut self, text: Arc<str>) {
        self.clock.keep(|due| !matches!(due, TimerKind::ToastEnds));
        self.clock.add_in(TOAST, TimerKind::ToastEnds);
        self.note(Event::Message(Arc::clone(&text)));
        self.overlays.toast = Some(Toast { text });
        self.bump();
    }

    fn show_snackbar(&mut self, context: &Context, bar: &sim_format::effects::Snackbar) {
        let Some(text) = self.text(context, &bar.text) else {
            return;
        };
        let action = bar
            .action
            .as_ref()
            .and_then(|action| self.text(context, action));
        let root = snackbar(&context.app, &text, action.as_deref(), &bar.on_action);
        let window = self
            .task_mut(&context.app)
            .and_then(|task| task.stack.last_mut())
            .map(|activity| {
                activity.snackbar = Some(Snackbar {
                    root: Arc::new(root),
                    scope: Arc::clone(&context.scope),
                });
                activity.open.id
            });
        if let Some(window) = window {
            self.clock
                .keep(|due| !matches!(due, TimerKind::SnackbarEnds(each) if *each == window));
            self.clock.add_in(SNACKBAR, TimerKind::SnackbarEnds(window));
            self.note(Event::Message(text));
            self.snackbar_enters(&context.app, window);
            self.bump();
        }
    }

    pub(crate) fn end_snackbar(&mut self, window: u64) {
        let activity = self
            .tasks
            .iter_mut()
            .flat_map(|task| &mut task.stack)
            .find(|activity| activity.open.id == window);
        if activity.is_some_and(|activity| activity.snackbar.take().is_some()) {
            self.bump();
        }
        self.clock
            .keep(|due| !matches!(due, TimerKind::SnackbarEnds(each) if *each == window));
    }

    pub(crate) const fn is_in_snackbar(spec: &Spec) -> bool {
        spec.slot >= SNACKBAR_SLOT
    }
}

fn snackbar(app: &str, text: &str, action: Option<&str>, on_action: &Effects) -> Spec {
    let mut label = Spec::new(
        SNACKBAR_SLOT + 1,
        Text::new(
            Template::Fixed(Arc::from(text)),
            TextLook::new(TextRole::BodyMedium, ColorRole::OnInverse),
        ),
    );
    label.id = Arc::from(format!("{app}:id/snackbar_text"));
    label.frame.grow = Some(1.0);
    let mut row = Spec::new(SNACKBAR_SLOT, Group::new(Axis::Horizontal));
    row.solid = true;
    row.frame = Frame {
        background: Some(ColorRole::Inverse),
        radius: Some(Dim::Dp(6.0)),
        elevation: Some(6.0),
        min_height: Dim::Dp(48.0),
        padding: Some(Sides::axes(Dim::Dp(4.0), Dim::Dp(16.0))),
        margin: Some(Sides::all(Dim::Dp(8.0))),
        align: Some(Alignment::Center),
        ..Frame::default()
    };
    row.push(label);
    if let Some(action) = action {
        let mut button = Spec::new(
            SNACKBAR_SLOT + 2,
            Button::new(Template::Fixed(Arc::from(action)), ButtonLook::Inverse),
        );
        button.id = Arc::from(format!("{app}:id/snackbar_action"));
        button.on_click = Arc::clone(on_action);
        row.push(button);
    }
    row
}
