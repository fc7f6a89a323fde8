//! The accessibility events of the phone's apps, read from its journal.

use std::sync::Arc;

use agent_protocol::{AppEvent, AppEventKind, Bounds, EventSource, NodeFlags};
use driver_sim::Phone;
use driver_sim::journal::{ClickSource, Event, Widget};
use tokio::sync::broadcast::{self, error::TryRecvError};
use tokio::time::Instant;

use crate::adb_phone::AdbPhone;
use crate::agent_slot::RunningAgent;

/// The classes of events that do not come from a view.
const TOAST: &str = "android.widget.Toast";
const NOTIFICATION: &str = "android.app.Notification";

/// Reads new entries of the phone's journal as app events.
pub(super) struct EventFeed {
    /// The index of the next journal entry.
    next: u64,
    sent: u64,
    /// The event types to send, as the platform's bits.
    types: u64,
    keys: broadcast::Receiver<(Instant, u32)>,
}

impl EventFeed {
    pub(super) async fn from_now_on(
        adb_phone: &AdbPhone,
        agent: &RunningAgent,
        types: u64,
    ) -> Self {
        Self {
            keys: agent.keys(),
            next: adb_phone.peek(|phone| phone.log().next_index()).await,
            sent: 0,
            types,
        }
    }

    /// The events since the last call, and the time of the next scheduled event.
    pub(super) async fn poll(&mut self, adb_phone: &AdbPhone) -> (Vec<AppEvent>, Option<Instant>) {
        let seen = adb_phone.peek(|phone| (self.read(phone), phone.next_event(), phone.now()));
        let (mut events, next, now) = seen.await;
        self.add_keys(&mut events);
        let next = next.map(|at| Instant::now() + at.saturating_sub(now));
        (events, next)
    }

    fn add_keys(&mut self, events: &mut Vec<AppEvent>) {
        let mut lost = 0;
        loop {
            let (at, code) = match self.keys.try_recv() {
                Ok(key) => key,
                Err(TryRecvError::Lagged(keys)) => {
                    lost += keys;
                    continue;
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            };
            if AppEventKind::KeyPressed as u64 & self.types == 0 {
                continue;
            }
            self.sent += 1;
            let age = u64::try_from(at.elapsed().as_millis()).unwrap_or(u64::MAX);
            events.push(AppEvent {
                number: self.sent,
                lost: std::mem::take(&mut lost),
                age_ms: age,
                texts: vec![code.to_string()],
                ..AppEvent::new(AppEventKind::KeyPressed, "")
            });
        }
    }

    fn read(&mut self, phone: &Phone) -> Vec<AppEvent> {
        let log = phone.log();
        let front: Arc<str> = phone.foreground().unwrap_or_default().into();
        let focused = phone.focused_screen();
        let mut lost = 0;
        if log.next_index() < self.next {
            // The phone has rebooted.
            self.next = 0;
        }
        let mut events = Vec::new();
        for (index, entry) in log.since(self.next) {
            // Entries that are no longer kept.
            lost += index - self.next;
            self.next = index + 1;
            let Some(event) = app_event(&entry.what, &front, focused.as_ref()) else {
                continue;
            };
            if event.kind as u64 & self.types == 0 {
                continue;
            }
            self.sent += 1;
            let age = phone.now().saturating_sub(entry.at);
            events.push(AppEvent {
                number: self.sent,
                lost: std::mem::take(&mut lost),
                age_ms: u64::try_from(age.as_millis()).unwrap_or(u64::MAX),
                ..event
            });
        }
        self.next = log.next_index();
        events
    }
}

/// The event that the platform sends; a toast belongs to the foreground app. `focused` is the screen that is used now.
fn app_event(
    what: &Event,
    front: &Arc<str>,
    focused: Option<&(Arc<str>, Arc<str>)>,
) -> Option<AppEvent> {
    Some(match what {
        Event::Message(text) => AppEvent {
            class: TOAST.to_owned(),
            texts: vec![text.to_string()],
            ..event(AppEventKind::Noticed, front)
        },
        Event::Notified { app, title } => AppEvent {
            class: NOTIFICATION.to_owned(),
            texts: vec![title.to_string()],
            ..event(AppEventKind::Noticed, app)
        },
        // Services get only the events that they requested.
        Event::Clicked { by, widget } | Event::LongClicked { by, widget }
            if *by == ClickSource::Touch && !widget.reports_touches =>
        {
            return None;
        }
        Event::Clicked { widget, .. } => of_widget(AppEventKind::Clicked, widget),
        Event::LongClicked { widget, .. } => of_widget(AppEventKind::LongClicked, widget),
        Event::Scrolled { dx, dy, widget } => AppEvent {
            scroll_by: (*dx, *dy),
            ..of_widget(AppEventKind::Scrolled, widget)
        },
        Event::TextChanged {
            text,
            password,
            widget,
        } => {
            let texts = match password {
                true => Vec::new(),
                false => vec![text.to_string()],
            };
            AppEvent {
                password: *password,
                source: Some(EventSource {
                    text: texts.concat(),
                    flags: match password {
                        true => NodeFlags::EDITABLE | NodeFlags::PASSWORD,
                        false => NodeFlags::EDITABLE,
                    } | source(widget).flags,
                    ..source(widget)
                }),
                texts,
                ..event(AppEventKind::TextChanged, &widget.app)
            }
        }
        Event::Opened { app, screen } => AppEvent {
            class: screen.to_string(),
            ..event(AppEventKind::WindowChanged, app)
        },
        // The screen of the app below gets the focus.
        Event::Closed { app, .. } => {
            let (_, screen) = focused.filter(|(owner, _)| owner == app)?;
            AppEvent {
                class: screen.to_string(),
                ..event(AppEventKind::WindowChanged, app)
            }
        }
        Event::Front(app) => event(AppEventKind::WindowChanged, app),
        _ => return None,
    })
}

fn event(kind: AppEventKind, app: &Arc<str>) -> AppEvent {
    AppEvent::new(kind, &**app)
}

fn of_widget(kind: AppEventKind, widget: &Widget) -> AppEvent {
    let source = source(widget);
    let text = Some(source.text.clone()).filter(|text| !text.is_empty());
    AppEvent {
        texts: text.into_iter().collect(),
        source: Some(source),
        ..event(kind, &widget.app)
    }
}

fn source(widget: &Widget) -> EventSource {
    let bounds = widget.bounds.unwrap_or_default();
    EventSource {
        window: i32::try_from(widget.window).unwrap_or(i32::MAX),
        class: String::new(),
        resource_id: widget.shown_id.to_string(),
        text: widget.text.to_string(),
        description: widget.description.to_string(),
        flags: NodeFlags::ENABLED | NodeFlags::VISIBLE,
        bounds: Bounds {
            left: bounds.left,
            top: bounds.top,
            width: bounds.width(),
            height: bounds.height(),
        },
    }
}
