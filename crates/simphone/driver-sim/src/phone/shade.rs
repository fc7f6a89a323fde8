//! The notification shade: its quick-settings tiles and the notifications of apps.

use std::sync::Arc;
use std::time::Duration;

use super::{Context, Phone, clock};
use crate::journal::Event;
use sim_format::effects::Effects;
use sim_format::expr::{Record, Scope, Value};
use sim_view::widget::Element;
use sim_view::window::SYSTEM_UI;

use sim_format::SystemWindow;

/// The page of the system's app file that shows the shade.
const SHADE: &str = "shade";

/// The most notifications that are kept; the oldest is dropped first.
const MAX_NOTIFICATIONS: usize = 50;

#[derive(Debug, Default)]
pub(crate) struct Shade {
    window: Option<u64>,
    /// Notifications that were not dismissed, oldest first.
    notifications: Vec<Notification>,
}

impl Shade {
    pub(crate) const fn window(&self) -> Option<u64> {
        self.window
    }

    fn add(&mut self, notification: Notification) {
        if self.notifications.len() >= MAX_NOTIFICATIONS {
            self.notifications.remove(0);
        }
        self.notifications.push(notification);
    }

    fn take(&mut self, key: u64) -> Option<Notification> {
        let place = self.notifications.iter().position(|each| each.key == key)?;
        Some(self.notifications.remove(place))
    }

    /// Removes the notifications of an app; returns whether there were any.
    fn forget(&mut self, app: &str) -> bool {
        let before = self.notifications.len();
        self.notifications.retain(|each| *each.app != *app);
        self.notifications.len() != before
    }
}

#[derive(Debug)]
struct Notification {
    key: u64,
    app: Arc<str>,
    title: Arc<str>,
    text: Arc<str>,
    /// Effects that run in the app when it is tapped.
    on_click: Effects,
    scope: Arc<Scope>,
    at: Duration,
}

pub(super) fn notification_key(scope: &Scope) -> Option<u64> {
    let record = scope.record.as_ref()?;
    let (_, key) = record.iter().find(|(name, _)| &**name == "notification")?;
    key.to_text().parse().ok()
}

impl Phone {
    /// Opens the notification shade, as pulling down the status bar does.
    pub fn open_shade(&mut self) {
        if self.shade.window().is_some() || !self.awake {
            return;
        }
        self.start_system();
        self.touch_cancel();
        self.hide_keyboard();
        for window in self.banners() {
            self.end_overlay(window);
        }
        self.update_notifications();
        let time = Value::text(&clock::wall_time(self.clock.now()));
        let record: Record = Arc::new(vec![(Arc::from("time"), time)]);
        self.shade.window = self.open_system_page(SHADE, record);
        self.settle();
    }

    pub fn close_shade(&mut self) {
        if let Some(window) = self.shade.window.take() {
            self.end_system_page(window);
            self.settle();
        }
    }

    /// Adds a notification of an app and returns its key.
    pub(super) fn post(
        &mut self,
        app: &Arc<str>,
        (title, text): (Arc<str>, Arc<str>),
        on_click: Effects,
        scope: Arc<Scope>,
    ) -> u64 {
        let key = self.window_id();
        self.note(Event::Notified {
            app: Arc::clone(app),
            title: Arc::clone(&title),
        });
        self.shade.add(Notification {
            key,
            app: Arc::clone(app),
            title,
            text,
            on_click,
            scope,
            at: self.clock.now(),
        });
        self.update_notifications();
        key
    }

    pub(super) fn forget_notifications_of(&mut self, app: &str) {
        if self.shade.forget(app) {
            self.update_notifications();
        }
    }

    /// Handles a tap on a notification: moves its app to the foreground and runs its effects.
    pub(super) fn follow_notification(&mut self, key: u64) {
        let Some(notification) = self.shade.take(key) else {
            return;
        };
        self.update_notifications();
        self.open_or_toast(&notification.app);
        let context = Context {
            app: notification.app,
            scope: notification.scope,
        };
        self.run(&context, &notification.on_click);
    }

    /// Handles a press in the shade that its page has no effects for.
    pub(super) fn press_in_shade(&mut self, element: &Element) {
        let id = element.spec.id.rsplit('/').next().unwrap_or_default();
        match id {
            "dismiss_text" => {
                self.shade.notifications.clear();
                self.update_notifications();
                self.close_shade();
            }
            "expandableNotificationRow" => {
                if let Some(key) = notification_key(&element.scope) {
                    self.close_shade();
                    self.follow_notification(key);
                }
            }
            "settings_button" => {
                self.close_shade();
                self.open_or_toast(super::system::SETTINGS);
            }
            _ => {}
        }
    }

    /// Updates the list in the shade, newest first.
    fn update_notifications(&mut self) {
        let text = |name: &str, text: &str| (Arc::from(name), Value::text(text));
        let newest_first = self.shade.notifications.iter().rev();
        let rows = newest_first.filter_map(|each| {
            let sender = self.installed(&each.app)?;
            Some(Arc::new(vec![
                text("notification", &each.key.to_string()),
                text("package", &each.app),
                text("label", &sender.label),
                text("icon", &sender.icon),
                text("title", &each.title),
                text("text", &each.text),
                text("time", &clock::wall_time(each.at)),
            ]))
        });
        self.system.notifications = Arc::new(rows.collect());
        let waiting = Value::Bool(!self.shade.notifications.is_empty());
        if let Some(system) = self.task_mut(SYSTEM_UI) {
            system.vars.set("waiting", waiting);
        }
        self.system.version += 1;
        self.bump();
    }

    pub(super) fn banner_notification(&self, window: u64) -> Option<u64> {
        let overlay = self.overlays.get(window)?;
        match overlay.what {
            SystemWindow::Banner { .. } => Some(overlay.notification),
            _ => None,
        }
    }

    pub(super) fn is_shade(&self, window: u64) -> bool {
        self.shade.window() == Some(window)
    }

    /// Sends a notification of an app, which appears as a heads-up banner or only in the shade.
    pub(super) fn notify(&mut self, context: &Context, notify: &sim_format::effects::Notify) {
        let title = self.text(context, &notify.title).unwrap_or_default();
        let text = self.text(context, &notify.text).unwrap_or_default();
        self.start_system();
        let key = self.post(
            &context.app,
            (Arc::clone(&title), Arc::clone(&text)),
            Arc::clone(&notify.on_click),
            Arc::clone(&context.scope),
        );
        if notify.heads_up && self.shade.window().is_none() {
            self.show_banner(&context.app, &title, &text, key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimOptions;
    use sim_format::effects::Effects;

    #[test]
    fn oldest_notification_is_dropped_at_the_limit() {
        let mut phone = Phone::start(&SimOptions::default()).unwrap();
        let app: Arc<str> = Arc::from(crate::phone::system::SETTINGS);
        for number in 1..=60 {
            let content = (Arc::from(number.to_string()), Arc::from(""));
            phone.post(&app, content, Effects::default(), Arc::default());
        }
        let kept = phone.shade.notifications.iter();
        let titles: Vec<&str> = kept.map(|each| &*each.title).collect();
        assert_eq!(titles.len(), 50);
        assert_eq!((titles[0], titles[49]), ("11", "60"));
    }
}
