//! The mouse and the keyboard: events as the browser takes them from a user.

use std::time::Duration;

use cdp::protocol::Nothing;
use cdp::protocol::input::{DispatchMouseEvent, InsertText, MouseButton, MouseEventType};
use cdp::{Call, Session};
use driver::{Dispatch, DriverError, Result};

use super::ask::{Asking, Instead, stopped};
use super::fault;
use super::keys::Press;
use crate::browser::Standing;

/// How long a press is held that is meant to be a long one.
const LONG: Duration = Duration::from_millis(600);

/// A place in the viewport of the page, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

fn mouse(kind: MouseEventType, at: Place) -> DispatchMouseEvent {
    let pressed = match kind {
        MouseEventType::MousePressed | MouseEventType::MouseReleased => true,
        MouseEventType::MouseMoved | MouseEventType::MouseWheel => false,
    };
    DispatchMouseEvent {
        kind,
        x: at.x,
        y: at.y,
        modifiers: None,
        button: if pressed {
            MouseButton::Left
        } else {
            MouseButton::None
        },
        buttons: None,
        click_count: pressed.then_some(1),
        delta_x: None,
        delta_y: None,
        pointer_type: None,
    }
}

/// Sends the mouse there, and has it pressed and released.
pub(super) fn click(page: &Session, at: Place) -> [Call<Nothing>; 2] {
    // A move is answered with the next picture; what comes behind it does not wait for that, nor does anybody here.
    drop(page.call(&mouse(MouseEventType::MouseMoved, at)));
    let events = [MouseEventType::MousePressed, MouseEventType::MouseReleased];
    events.map(|kind| page.call(&mouse(kind, at)))
}

impl Asking<'_> {
    /// Moves the mouse there, presses and releases it.
    pub(crate) async fn click_at(&self, page: &Session, at: Place) -> Result<()> {
        self.cx.check()?;
        self.made(click(page, at)).await
    }

    /// The same, with the button held long enough to count as a long press.
    pub(crate) async fn hold_at(&self, page: &Session, at: Place) -> Result<()> {
        self.cx.check()?;
        let down = [MouseEventType::MouseMoved, MouseEventType::MousePressed];
        let calls = down.map(|kind| page.call(&mouse(kind, at)));
        let held = Held::new(|| drop(page.call(&mouse(MouseEventType::MouseReleased, at))));
        self.taken(calls).await?;
        self.cx.sleep(LONG).await?;
        held.by_itself();
        self.taken([page.call(&mouse(MouseEventType::MouseReleased, at))])
            .await
    }

    /// Presses keys, one after the other.
    pub(crate) async fn press(&self, to: &Session, keys: &[Press]) -> Result<()> {
        self.cx.check()?;
        let calls: Vec<Call<Nothing>> = keys
            .iter()
            .flat_map(|key| key.events())
            .map(|event| to.call(&event))
            .collect();
        match keys {
            [_] => self.made(calls).await,
            _ => self.taken(calls).await,
        }
    }

    /// Writes text where the focus is.
    pub(crate) async fn write(&self, to: &Session, text: &str) -> Result<()> {
        self.cx.check()?;
        let text = text.to_owned();
        self.taken([to.call(&InsertText { text })]).await
    }

    /// Waits until the browser has taken these events, all of which are on their way. One that opens a dialog is not
    /// answered before the dialog is: the page stands still in the middle of it.
    pub(super) async fn taken(&self, calls: impl IntoIterator<Item = Call<Nothing>>) -> Result<()> {
        let (outcomes, instead) = self.outcomes(calls).await?;
        concluded(outcomes, instead)
    }

    /// The same for events that are one press, from its beginning to its end: a tab that takes the beginning and is closed has
    /// been pressed, and may close for that very reason.
    pub(super) async fn made(&self, calls: impl IntoIterator<Item = Call<Nothing>>) -> Result<()> {
        let (outcomes, instead) = self.outcomes(calls).await?;
        if was_closed(&outcomes, instead.as_ref()) && outcomes.iter().any(cdp::Result::is_ok) {
            return Ok(());
        }
        concluded(outcomes, instead)
    }

    /// What became of each of these events, as far as the browser says so, and what came instead of the others.
    pub(super) async fn outcomes(
        &self,
        calls: impl IntoIterator<Item = Call<Nothing>>,
    ) -> Result<(Vec<cdp::Result<Nothing>>, Option<Instead>)> {
        let mut outcomes = Vec::new();
        let answers = async {
            for call in calls {
                outcomes.push(call.await);
            }
        };
        let instead = tokio::select! {
            biased;
            all = self.cx.run(answers) => all.map(|()| None)?,
            instead = stopped(self.tab.clone()) => Some(instead),
        };
        Ok((outcomes, instead))
    }
}

/// Whether the tab was closed before it had answered all of these.
pub(super) fn was_closed(outcomes: &[cdp::Result<Nothing>], instead: Option<&Instead>) -> bool {
    let detached = |outcome: &cdp::Result<Nothing>| match outcome {
        Err(cdp::Error::Gone { reason, .. }) => *reason == cdp::Gone::Detached,
        _ => false,
    };
    matches!(instead, Some(Instead::Gone(Standing::Closed))) || outcomes.iter().any(detached)
}

/// What became of several events, of which all were answered or something came instead.
pub(super) fn concluded(
    outcomes: Vec<cdp::Result<Nothing>>,
    instead: Option<Instead>,
) -> Result<()> {
    match instead {
        None => together(outcomes),
        Some(Instead::Dialog(_)) => Ok(()),
        Some(Instead::Gone(standing)) => match fault::of_standing(&standing, Dispatch::Unknown) {
            Some(lost) => Err(lost),
            None => Ok(()),
        },
    }
}

/// What became of several events together: none of them has left only if that is so of each.
fn together(outcomes: Vec<cdp::Result<Nothing>>) -> Result<()> {
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
    Err(match fault::of_act(error) {
        DriverError::Lost { message, .. } => DriverError::Lost {
            message,
            // Some of it may have been done, and what was done of the rest nobody can tell.
            dispatch: if left {
                Dispatch::Unknown
            } else {
                Dispatch::NotSent
            },
        },
        other => other,
    })
}

/// Something that is held down and let go when this is dropped, whatever ends the call that holds it.
struct Held<F: FnMut()> {
    let_go: Option<F>,
}

impl<F: FnMut()> Held<F> {
    const fn new(let_go: F) -> Self {
        Self {
            let_go: Some(let_go),
        }
    }

    /// The holder lets go by itself now.
    fn by_itself(mut self) {
        self.let_go = None;
    }
}

impl<F: FnMut()> Drop for Held<F> {
    fn drop(&mut self) {
        if let Some(mut let_go) = self.let_go.take() {
            let_go();
        }
    }
}
