//! What is done to one element: aimed at first, then with the events of a user.

use std::time::Duration;

use cdp::protocol::page::BringToFront;
use cdp::protocol::runtime::{CallArgument, Evaluated};
use cdp::{Call, Session};
use driver::{DriverError, Result, ScrollOutcome};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::dispatcher::{self, CssPoint, conclude, was_closed};
use super::keys;
use super::script_call::{Element, PageFunction, PageInput, read};
use crate::browser::{TabState, TabStatus};

/// How long the next picture of a page takes that is in front, on a machine that has other things to do.
const FRAME_TIMEOUT: Duration = Duration::from_millis(150);

/// How long it is waited for a picture of a page that has come to the front.
const FRONT_FRAME_TIMEOUT: Duration = Duration::from_secs(2);

/// An element that something is done to.
#[derive(Clone, Debug)]
pub(crate) struct ElementTarget {
    /// The element.
    pub(crate) element: Element,
    /// The frames of other processes that hold it, the nearest first, each in the session around it.
    pub(crate) frames: Vec<Element>,
    /// Where its middle was when it was looked at, in CSS pixels of its session's window.
    pub(crate) last_center: Option<CssPoint>,
}

/// How long a press lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PressLength {
    Short,
    Long,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryMode {
    Set,
    Append,
}

/// What aiming comes to.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum AimResult {
    At { x: f64, y: f64 },
    Option,
    Refused { why: String },
    Gone,
}

/// What aiming at the only hit of a selector comes to.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum OnlyHitResult {
    /// In CSS pixels, and how many device pixels each of them is wide.
    At {
        x: f64,
        y: f64,
        scale: f64,
    },
    Unclear,
}

/// How much of a press met what it was meant for.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum PressResult {
    All,
    /// It was pressed, and moved away before the press was let go.
    Half,
    /// It was pressed, and something came to lie over it before the press was let go: it was not clicked.
    Covered,
    /// It never reached the page.
    Nothing,
}

/// What a press came to that reached its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClickOutcome {
    /// A click.
    Clicked,
    /// No click: something came to lie over the element while it was pressed.
    Covered,
}

/// What scrolling comes to.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScrollResult {
    Moved,
    Edge,
    /// There was room, and it did not move.
    Still,
    Gone,
}

/// How long a page may take to say what a press met that was taken, on a machine that has other things to do.
const PRESS_RESULT_TIMEOUT: Duration = Duration::from_secs(2);

/// What making a field ready comes to.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum FieldState {
    /// It has the focus, and what is to be replaced is selected.
    #[serde(rename = "ready")]
    Focused,
    /// It has the focus and holds nothing.
    Empty,
    /// It has the focus; the text belongs behind what it holds.
    End,
    /// Nothing is left to be done. A list shows the option that is meant.
    Done {
        #[serde(default)]
        shows: Option<String>,
    },
    /// The list has the focus; so many steps behind its first option is the one that is meant.
    Choose {
        steps: usize,
        open: bool,
        /// What the list shows once it is chosen.
        shows: String,
    },
    /// The list shows its options in the page, where they are clicked.
    Listed,
    Refused {
        why: String,
    },
    Unwritable {
        why: String,
    },
    Gone,
}

/// The answer to a question, if one was asked that has one.
async fn answer<A: DeserializeOwned>(pending: Option<Call<Evaluated>>) -> Option<A> {
    read(pending?.await.ok()?).ok()
}

/// Whether each of those who were asked has said that the press met what it was meant for; their tab is closed.
async fn all_pressed(pending: &mut Vec<Option<Call<Evaluated>>>) -> bool {
    let mut all = !pending.is_empty();
    for call in pending.drain(..) {
        // Nothing comes after the end of a session; those of frames may end a moment later.
        let result = tokio::time::timeout(PRESS_RESULT_TIMEOUT, answer(call)).await;
        all &= matches!(result, Ok(Some(PressResult::All)));
    }
    all
}

impl PageInput<'_> {
    /// Clicks an element, or holds it.
    pub(crate) async fn click(
        &mut self,
        page: &Session,
        target: &ElementTarget,
        length: PressLength,
    ) -> Result<Option<(CssPoint, ClickOutcome)>> {
        self.check()?;
        let seen = match target.last_center {
            Some(seen) => serde_json::json!({"x": seen.x, "y": seen.y}),
            None => serde_json::Value::Null,
        };
        let aim: AimResult = self
            .call(
                &target.element,
                PageFunction::Aim,
                vec![
                    CallArgument::value(seen),
                    CallArgument::value(!target.frames.is_empty()),
                ],
            )
            .await?;
        let at = match aim {
            AimResult::Option => return self.choose_option(target).await.map(|()| None),
            other => place(other)?,
        };
        let at = self.map_to_page(target, at).await?;
        let around = target.frames.iter().map(|frame| &frame.session);
        let sessions: Vec<&Session> = around.chain([&target.element.session]).collect();
        let outcome = match length {
            PressLength::Short => self.click_and_confirm(page, at, &sessions).await?,
            PressLength::Long => {
                self.long_press_at(page, at).await?;
                let outcome = self.press_outcome(&sessions, Vec::new()).await?;
                // A long press is made when it is let go, whatever came of it until then.
                outcome.map(|_| ClickOutcome::Clicked)
            }
        };
        match outcome {
            Some(press) => Ok(Some((at, press))),
            None => Err(DriverError::Refused(
                "something else came to lie there as it was to be pressed, and nothing was"
                    .to_owned(),
            )),
        }
    }

    /// Clicks the only element that a selector hits, where it is plain what that comes to; gives where, and the width of a CSS
    /// pixel in device pixels. `None`: nothing was done.
    pub(crate) async fn click_selector(
        &mut self,
        page: &Session,
        css: &str,
    ) -> Result<Option<(CssPoint, f64, ClickOutcome)>> {
        let arguments = vec![CallArgument::value(css)];
        // Whatever keeps the page from answering, whoever looks at it tells better.
        let Ok(OnlyHitResult::At { x, y, scale }) = self
            .call_in_document(page, PageFunction::AimAtOnlyHit, arguments)
            .await
        else {
            return Ok(None);
        };
        if !self.is_settled() {
            return Ok(None);
        }
        let at = CssPoint { x, y };
        let outcome = self.click_and_confirm(page, at, &[page]).await?;
        Ok(outcome.map(|press| (at, scale, press)))
    }

    /// Clicks a place where a press is expected in all of these sessions; `None` where it did not meet what it was meant for.
    async fn click_and_confirm(
        &mut self,
        page: &Session,
        at: CssPoint,
        sessions: &[&Session],
    ) -> Result<Option<ClickOutcome>> {
        self.cx.check()?;
        let click = dispatcher::click(page, at);
        // Who watches over the press tells of it as soon as it has met its target: mostly before the browser has taken it.
        let mut pending = Vec::new();
        for session in sessions {
            let call = self
                .start_in_document(
                    session,
                    PageFunction::PressResult,
                    vec![CallArgument::value(true)],
                )
                .await;
            pending.push(call.ok());
        }
        let (outcomes, interruption) = self.outcomes(click).await?;
        if was_closed(&outcomes, interruption.as_ref())
            && (outcomes.iter().any(cdp::Result::is_ok) || all_pressed(&mut pending).await)
        {
            // It was pressed, and may have been closed by that very press.
            return Ok(Some(ClickOutcome::Clicked));
        }
        conclude(outcomes, interruption)?;
        self.press_outcome(sessions, pending).await
    }

    /// What the press that was made came to; `None` where it did not meet what it was meant for, and the page has heard nothing
    /// of it. It was expected in all of these sessions, which may have been asked already.
    async fn press_outcome(
        &mut self,
        sessions: &[&Session],
        pending: Vec<Option<Call<Evaluated>>>,
    ) -> Result<Option<ClickOutcome>> {
        let mut press = ClickOutcome::Clicked;
        let mut pending = pending.into_iter();
        for session in sessions {
            let pending = pending.next().flatten();
            if !self.is_settled() {
                return Ok(Some(ClickOutcome::Clicked));
            }
            let mut tab = self.tab.clone();
            let goes = tab.wait_for(|state| !is_settled(state));
            let now = self.call_in_document(
                session,
                PageFunction::PressResult,
                vec![CallArgument::value(false)],
            );
            let outcome = tokio::select! {
                biased;
                Some(PressResult::All) = answer(pending) => continue,
                outcome = tokio::time::timeout(PRESS_RESULT_TIMEOUT, now) => outcome,
                // The press has the tab show another document, or a dialog: that is what it met.
                _ = goes => return Ok(Some(ClickOutcome::Clicked)),
            };
            match outcome {
                Ok(Ok(PressResult::Nothing)) => return Ok(None),
                Ok(Ok(PressResult::Covered)) => press = ClickOutcome::Covered,
                Ok(Ok(PressResult::Half)) => {
                    return Err(DriverError::Partial(
                        "it was pressed, and moved away before the mouse was let go".to_owned(),
                    ));
                }
                // Its document went with the press, or does not answer before another one is there.
                Ok(Ok(PressResult::All) | Err(_)) | Err(_) => {}
            }
        }
        Ok(Some(press))
    }

    /// Whether the page is there, waits for no other, and no dialog is open.
    fn is_settled(&self) -> bool {
        is_settled(&self.tab.borrow())
    }

    /// A place in the window of the page instead of one in that of the element's session.
    async fn map_to_page(&mut self, target: &ElementTarget, mut at: CssPoint) -> Result<CssPoint> {
        for frame in &target.frames {
            let arguments = vec![CallArgument::value(at.x), CallArgument::value(at.y)];
            let aim: AimResult = self
                .call(frame, PageFunction::MapThroughFrame, arguments)
                .await?;
            at = place(aim)?;
        }
        Ok(at)
    }

    /// Gives an element the focus.
    pub(crate) async fn focus(&mut self, target: &ElementTarget) -> Result<()> {
        match self.prepare_field(target, "focus", "").await? {
            FieldState::Gone => Err(DriverError::Stale),
            FieldState::Refused { why } | FieldState::Unwritable { why } => {
                Err(DriverError::Refused(why))
            }
            _ => Ok(()),
        }
    }

    /// Presses Enter in an element.
    pub(crate) async fn submit(&mut self, target: &ElementTarget) -> Result<()> {
        self.focus(target).await?;
        self.press(&target.element.session, &[keys::ENTER]).await
    }

    /// Writes into a field, or chooses the option with this text or value; gives what a list shows then.
    pub(crate) async fn enter(
        &mut self,
        target: &ElementTarget,
        mode: EntryMode,
        text: &str,
    ) -> Result<Option<String>> {
        let word = match mode {
            EntryMode::Set => "set",
            EntryMode::Append => "append",
        };
        let session = &target.element.session;
        let written = match self.prepare_field(target, word, text).await? {
            FieldState::Focused if text.is_empty() && mode == EntryMode::Set => {
                self.press(session, &[keys::BACKSPACE]).await
            }
            FieldState::Focused | FieldState::Empty | FieldState::End if text.is_empty() => Ok(()),
            FieldState::Focused | FieldState::Empty => self.write(session, text).await,
            FieldState::End => {
                self.press(session, &[keys::END]).await?;
                self.write(session, text).await
            }
            FieldState::Done { shows } => return Ok(shows),
            FieldState::Choose { steps, open, shows } => {
                self.step_to_option(target, text, steps, open).await?;
                return Ok(Some(shows));
            }
            FieldState::Listed => Err(DriverError::Unwritable(
                "the list shows all its options: click the one that is meant".to_owned(),
            )),
            FieldState::Refused { why } => Err(DriverError::Refused(why)),
            FieldState::Unwritable { why } => Err(DriverError::Unwritable(why)),
            FieldState::Gone => Err(DriverError::Stale),
        };
        written.map(|()| None)
    }

    /// Chooses an option of a list that is closed.
    async fn choose_option(&mut self, target: &ElementTarget) -> Result<()> {
        match self.prepare_field(target, "choose", "").await? {
            FieldState::Choose { steps, open, .. } => {
                self.step_to_option(target, "", steps, open).await
            }
            FieldState::Focused
            | FieldState::Empty
            | FieldState::End
            | FieldState::Done { .. }
            | FieldState::Listed => Ok(()),
            FieldState::Refused { why } | FieldState::Unwritable { why } => {
                Err(DriverError::Refused(why))
            }
            FieldState::Gone => Err(DriverError::Stale),
        }
    }

    /// Opens a list with the keyboard, steps down to an option and takes it, and looks whether it was taken.
    async fn step_to_option(
        &mut self,
        target: &ElementTarget,
        text: &str,
        steps: usize,
        open: bool,
    ) -> Result<()> {
        let mut presses: Vec<keys::KeyPress> = Vec::with_capacity(steps + 3);
        if !open {
            presses.push(keys::OPEN);
        }
        presses.push(keys::HOME);
        presses.extend(std::iter::repeat_n(keys::DOWN, steps));
        presses.push(keys::ENTER);
        self.press(&target.element.session, &presses).await?;
        // A page may stand still behind a dialog now, or show another document: then there is nothing to look at.
        let word = if text.is_empty() { "choose" } else { "set" };
        match self.prepare_field(target, word, text).await {
            Ok(FieldState::Choose { .. }) => Err(DriverError::Partial(
                "the list was opened, and another option than the one that is meant is chosen now"
                    .to_owned(),
            )),
            Ok(_) | Err(DriverError::Stale | DriverError::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn prepare_field(
        &mut self,
        target: &ElementTarget,
        mode: &'static str,
        text: &str,
    ) -> Result<FieldState> {
        self.check()?;
        let arguments = vec![CallArgument::value(mode), CallArgument::value(text)];
        self.call(&target.element, PageFunction::PrepareField, arguments)
            .await
    }

    /// Waits until the page was painted once, as what is pressed before is dropped. `root` is its outermost element.
    pub(crate) async fn wait_for_paint(&mut self, root: &Element) -> Result<()> {
        self.check()?;
        let _: bool = self
            .call(root, PageFunction::WaitForPaint, Vec::new())
            .await?;
        Ok(())
    }

    /// Has the page leave the full screen, if it is there; gives whether it was. `root` is its outermost element.
    pub(crate) async fn exit_fullscreen(&mut self, root: &Element) -> Result<bool> {
        self.check()?;
        self.call(root, PageFunction::ExitFullscreen, Vec::new())
            .await
    }

    /// Scrolls an element by so many CSS pixels. `page` is the session of the page.
    pub(crate) async fn scroll(
        &mut self,
        page: &Session,
        container: &Element,
        by: CssPoint,
    ) -> Result<ScrollOutcome> {
        self.check()?;
        let arguments = [by.x, by.y].map(CallArgument::value).to_vec();
        let scroll: ScrollResult = self
            .call(container, PageFunction::Scroll, arguments)
            .await?;
        match scroll {
            ScrollResult::Moved => {
                self.wait_for_frame(page, container).await;
                Ok(ScrollOutcome::Moved)
            }
            ScrollResult::Edge => Ok(ScrollOutcome::AtEdge),
            ScrollResult::Still => Ok(ScrollOutcome::NotMoved),
            ScrollResult::Gone => Err(DriverError::Stale),
        }
    }

    /// Brings an element into view. `page` is the session of the page.
    pub(crate) async fn reveal(&mut self, page: &Session, element: &Element) -> Result<()> {
        self.check()?;
        let is_there: bool = self.call(element, PageFunction::Reveal, Vec::new()).await?;
        if !is_there {
            return Err(DriverError::Stale);
        }
        self.wait_for_frame(page, element).await;
        Ok(())
    }

    /// Waits until the document of an element is drawn: with its next picture a page hears that it was scrolled. A tab
    /// behind another is drawn once a second, or when it likes; one that is not drawn soon comes to the front.
    async fn wait_for_frame(&mut self, page: &Session, of: &Element) {
        if !self.is_drawn_within(of, FRAME_TIMEOUT).await {
            drop(page.call(&BringToFront {}));
            self.is_drawn_within(of, FRONT_FRAME_TIMEOUT).await;
        }
    }

    /// Whether it is drawn within this time. A page that cannot be asked is not waited for: it was scrolled in any case, and
    /// the next look tells what became of it.
    async fn is_drawn_within(&mut self, of: &Element, most: Duration) -> bool {
        let most = vec![CallArgument::value(most.as_secs_f64() * 1000.0)];
        self.call(of, PageFunction::WaitForFrame, most)
            .await
            .unwrap_or(true)
    }
}

/// Whether a tab shows its page, waits for no other, and has no dialog open.
fn is_settled(state: &TabState) -> bool {
    state.status == TabStatus::Open && !state.busy && state.dialog.is_none()
}

/// The place that aiming found.
fn place(aim: AimResult) -> Result<CssPoint> {
    match aim {
        AimResult::At { x, y } => Ok(CssPoint { x, y }),
        AimResult::Refused { why } => Err(DriverError::Refused(why)),
        AimResult::Gone => Err(DriverError::Stale),
        AimResult::Option => Err(DriverError::Refused(
            "it is an option, and no frame".to_owned(),
        )),
    }
}
