//! Mouse and keyboard events, sent through the browser.

use std::time::Duration;

use cdp::protocol::EmptyResult;
use cdp::protocol::input::{
    DispatchKeyEvent, DispatchMouseEvent, InsertText, MouseButton, MouseEventType,
};
use cdp::{Call, Session};
use driver::{Dispatch, DriverError, Result};

use super::error_mapping;
use super::keys::{self, KeyPress};
use super::script_call::{Interruption, PageInput, interruption};
use crate::browser::TabStatus;

/// Maximum delay between a dialog and the answers to events before it, on a loaded machine.
const LATE_ANSWER_TIMEOUT: Duration = Duration::from_secs(1);

/// The duration of a long press.
const LONG_PRESS: Duration = Duration::from_millis(600);

/// A point in the viewport of the page, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CssPoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The button of a mouse event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MouseButtons {
    /// None: the mouse only moves.
    None,
    /// The left one.
    Left,
    /// The left one for the second time, as the second click of a double click.
    SecondLeft,
    /// The right one.
    Right,
}

impl MouseButtons {
    const fn button(self) -> MouseButton {
        match self {
            Self::None => MouseButton::None,
            Self::Left | Self::SecondLeft => MouseButton::Left,
            Self::Right => MouseButton::Right,
        }
    }

    /// The bits of the buttons that are down.
    const fn bits(self) -> Option<u8> {
        match self {
            Self::None => None,
            Self::Left | Self::SecondLeft => Some(1),
            Self::Right => Some(2),
        }
    }

    const fn count(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Left | Self::Right => 1,
            Self::SecondLeft => 2,
        }
    }
}

fn mouse(kind: MouseEventType, at: CssPoint, button: MouseButton) -> DispatchMouseEvent {
    DispatchMouseEvent {
        kind,
        x: at.x,
        y: at.y,
        modifiers: None,
        button,
        buttons: None,
        click_count: None,
        delta_x: None,
        delta_y: None,
        pointer_type: None,
    }
}

/// A move while this button is down.
pub(super) fn moved(at: CssPoint, held: MouseButtons) -> DispatchMouseEvent {
    DispatchMouseEvent {
        buttons: held.bits(),
        ..mouse(MouseEventType::MouseMoved, at, held.button())
    }
}

/// A press of a button.
pub(super) fn pressed(at: CssPoint, button: MouseButtons) -> DispatchMouseEvent {
    DispatchMouseEvent {
        click_count: Some(button.count()),
        ..mouse(MouseEventType::MousePressed, at, button.button())
    }
}

/// The release of a button.
pub(super) fn released(at: CssPoint, button: MouseButtons) -> DispatchMouseEvent {
    DispatchMouseEvent {
        click_count: Some(button.count()),
        ..mouse(MouseEventType::MouseReleased, at, button.button())
    }
}

/// Moves the mouse to a point, presses and releases it.
pub(super) fn click(page: &Session, at: CssPoint, button: MouseButtons) -> [Call<EmptyResult>; 2] {
    // A move is answered with the next frame; later events need not wait for that.
    drop(page.call(&moved(at, MouseButtons::None)));
    [pressed(at, button), released(at, button)].map(|event| page.call(&event))
}

impl PageInput<'_> {
    /// Clicks at a point.
    pub(crate) async fn click_at(&self, page: &Session, at: CssPoint) -> Result<()> {
        self.cx.check()?;
        self.dispatch_press(click(page, at, MouseButtons::Left), 1)
            .await
    }

    /// Long-presses at a point.
    pub(crate) async fn long_press_at(&self, page: &Session, at: CssPoint) -> Result<()> {
        self.cx.check()?;
        let down = [
            moved(at, MouseButtons::None),
            pressed(at, MouseButtons::Left),
        ];
        let release = released(at, MouseButtons::Left);
        let calls = down.map(|event| page.call(&event));
        let held = ReleaseGuard::new(|| drop(page.call(&release)));
        self.dispatch(calls, 2).await?;
        self.cx.sleep(LONG_PRESS).await?;
        held.disarm();
        self.dispatch([page.call(&release)], 0).await
    }

    /// Presses the keys of a chord.
    pub(crate) async fn press_chord(
        &self,
        to: &Session,
        events: &[DispatchKeyEvent],
    ) -> Result<()> {
        self.cx.check()?;
        let calls: Vec<Call<EmptyResult>> = events.iter().map(|event| to.call(event)).collect();
        // The modifiers come first.
        self.dispatch_press(calls, (events.len() / 2).saturating_sub(1))
            .await
    }

    /// Presses keys in order.
    pub(crate) async fn press(&self, to: &Session, keys: &[KeyPress]) -> Result<()> {
        self.cx.check()?;
        let mut calls: Vec<Call<EmptyResult>> = Vec::new();
        let mut handled = 0;
        for key in keys {
            // The last one may open a dialog.
            handled = calls.len();
            calls.extend(key.events().iter().map(|event| to.call(event)));
        }
        match keys {
            [_] => self.dispatch_press(calls, handled).await,
            _ => self.dispatch(calls, handled).await,
        }
    }

    /// Inserts text at the focus. The press of a key without a name follows, as from the keyboard of a phone: pages that listen
    /// for keys then read the text. It types nothing and is no shortcut, if the page has moved the focus.
    pub(crate) async fn write(&self, to: &Session, text: &str) -> Result<()> {
        self.cx.check()?;
        let text = text.to_owned();
        let mut calls = vec![to.call(&InsertText { text })];
        calls.extend(keys::UNNAMED.events().iter().map(|event| to.call(event)));
        self.dispatch(calls, 0).await
    }

    /// Waits until the browser has handled these pending events. If one opens a dialog, it is answered only
    /// after the dialog, since the page is blocked. Which one did is unknown; it counts as handled like the rest if the
    /// first `handled` were answered.
    pub(super) async fn dispatch(
        &self,
        calls: impl IntoIterator<Item = Call<EmptyResult>>,
        handled: usize,
    ) -> Result<()> {
        let (outcomes, interruption) = self.outcomes(calls, handled).await?;
        conclude(outcomes, interruption, handled)
    }

    /// Like [`dispatch`](Self::dispatch), for the events of one press: if the tab closes after the first one
    /// was handled, the press took place and may be why it closed.
    pub(super) async fn dispatch_press(
        &self,
        calls: impl IntoIterator<Item = Call<EmptyResult>>,
        handled: usize,
    ) -> Result<()> {
        let (outcomes, interruption) = self.outcomes(calls, handled).await?;
        if was_closed(&outcomes, interruption.as_ref()) && outcomes.iter().any(cdp::Result::is_ok) {
            return Ok(());
        }
        conclude(outcomes, interruption, handled)
    }

    /// The outcomes of these events, as far as the browser reports them, and the interruption of the others. The browser may
    /// report a dialog before the answers to the first `handled` ones, which come from another thread of the page.
    pub(super) async fn outcomes(
        &self,
        calls: impl IntoIterator<Item = Call<EmptyResult>>,
        handled: usize,
    ) -> Result<(Vec<cdp::Result<EmptyResult>>, Option<Interruption>)> {
        let mut outcomes = Vec::new();
        let mut interrupted = None;
        // All events are sent already; only the answers are awaited in order.
        for call in calls.into_iter().collect::<Vec<_>>() {
            let mut call = std::pin::pin!(call);
            let answer = match interrupted {
                None => tokio::select! {
                    biased;
                    answer = self.cx.run(call.as_mut()) => Some(answer?),
                    now = interruption(self.tab.clone()) => {
                        interrupted = Some(now);
                        None
                    }
                },
                Some(_) => None,
            };
            let answer = match (answer, &interrupted) {
                (Some(answer), _) => answer,
                (None, Some(Interruption::Dialog(_))) if outcomes.len() < handled => {
                    match tokio::time::timeout(LATE_ANSWER_TIMEOUT, call).await {
                        Ok(answer) => answer,
                        Err(_) => break,
                    }
                }
                (None, _) => break,
            };
            outcomes.push(answer);
        }
        Ok((outcomes, interrupted))
    }
}

/// Whether the tab was closed before it answered all events.
pub(super) fn was_closed(
    outcomes: &[cdp::Result<EmptyResult>],
    interruption: Option<&Interruption>,
) -> bool {
    let detached = |outcome: &cdp::Result<EmptyResult>| match outcome {
        Err(cdp::Error::Gone { reason, .. }) => *reason == cdp::GoneReason::Detached,
        _ => false,
    };
    matches!(
        interruption,
        Some(Interruption::Unreachable(TabStatus::Closed))
    ) || outcomes.iter().any(detached)
}

/// The result of several events that were all answered or interrupted, by a dialog after at least `handled` of them.
pub(super) fn conclude(
    outcomes: Vec<cdp::Result<EmptyResult>>,
    interruption: Option<Interruption>,
    handled: usize,
) -> Result<()> {
    match interruption {
        None => merge_outcomes(outcomes),
        Some(Interruption::Dialog(message)) if outcomes.len() < handled => {
            Err(DriverError::Partial(format!(
                "a dialog of the page opened before all of the input was handled; the rest may follow when it is answered: {message:?}"
            )))
        }
        Some(Interruption::Dialog(_)) => merge_outcomes(outcomes),
        Some(Interruption::Unreachable(status)) => {
            match error_mapping::tab_error(&status, Dispatch::Unknown) {
                Some(lost) => Err(lost),
                None => Ok(()),
            }
        }
    }
}

/// Merges the outcomes of several events: nothing was sent only if that holds for each.
fn merge_outcomes(outcomes: Vec<cdp::Result<EmptyResult>>) -> Result<()> {
    let mut left = false;
    let mut first = None;
    for outcome in outcomes {
        match outcome {
            Ok(_) => left = true,
            Err(error) => {
                left |= error.dispatch() != cdp::Dispatch::NotSent;
                first.get_or_insert(error);
            }
        }
    }
    let Some(error) = first else {
        return Ok(());
    };
    Err(match error_mapping::act_error(error) {
        DriverError::Lost { message, .. } => DriverError::Lost {
            message,
            // Some may have taken effect, and the rest is unknown.
            dispatch: if left {
                Dispatch::Unknown
            } else {
                Dispatch::NotSent
            },
        },
        DriverError::Refused(why) if left => {
            DriverError::Partial(format!("some of the input was handled, and {why}"))
        }
        other => other,
    })
}

/// Holds a key or button and releases it when dropped, however the call ends.
pub(super) struct ReleaseGuard<F: FnMut()> {
    release: Option<F>,
}

impl<F: FnMut()> ReleaseGuard<F> {
    pub(super) const fn new(release: F) -> Self {
        Self {
            release: Some(release),
        }
    }

    /// The holder releases it itself.
    pub(super) fn disarm(mut self) {
        self.release = None;
    }
}

impl<F: FnMut()> Drop for ReleaseGuard<F> {
    fn drop(&mut self) {
        if let Some(mut release) = self.release.take() {
            release();
        }
    }
}
