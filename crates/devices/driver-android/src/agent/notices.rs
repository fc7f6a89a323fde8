//! Toasts and notifications, which observations do not show.

use agent_protocol::{AppEvent, AppEventKind};
use driver::{Notice, NoticeKind, SideEffect};

use crate::phone::agent_client::ReceivedEvent;

/// The class that the platform gives for toasts.
const TOAST: &str = "android.widget.Toast";

/// The side effect of an event, if it is a notice with a text.
pub(super) fn side_effect(received: ReceivedEvent) -> Option<SideEffect> {
    let ReceivedEvent { at, event, .. } = received;
    let AppEvent {
        kind: AppEventKind::Noticed,
        package,
        class,
        texts,
        description,
        ..
    } = event
    else {
        return None;
    };
    let mut text = texts.join(" ").trim().to_owned();
    if text.is_empty() {
        text = description.trim().to_owned();
    }
    let kind = match class == TOAST || class.starts_with("android.widget.Toast$") {
        true => NoticeKind::Toast,
        false => NoticeKind::Notification,
    };
    (!text.is_empty()).then_some(SideEffect::Noticed(Notice {
        kind,
        app: package,
        text,
        at,
    }))
}
