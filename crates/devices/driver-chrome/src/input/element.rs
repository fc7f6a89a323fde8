//! Input to one element: aims first, then sends events.

use std::time::Duration;

use cdp::protocol::page::BringToFront;
use cdp::protocol::runtime::{CallArgument, Evaluated};
use cdp::{Call, Session};
use driver::{Dispatch, DriverError, Result, ScrollOutcome};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::dispatcher::{self, CssPoint, MouseButtons, conclude, was_closed};
use super::script_call::{Element, PageFunction, PageInput, Realm, read};
use super::{error_mapping, keys};
use crate::browser::{TabState, TabStatus};

/// Maximum time to wait for the next frame of a front page, on a loaded machine.
const FRAME_TIMEOUT: Duration = Duration::from_millis(150);

/// Maximum time to wait for a frame of a page that has come to the front.
const FRONT_FRAME_TIMEOUT: Duration = Duration::from_secs(2);

/// The target element of an input.
#[derive(Clone, Debug)]
pub(crate) struct ElementTarget {
    /// The element.
    pub(crate) element: Element,
    /// The elements of the frames around it, the nearest first.
    pub(crate) frames: Vec<Element>,
    /// Its center at the last observation, in CSS pixels of its session's viewport.
    pub(crate) last_center: Option<CssPoint>,
}

impl ElementTarget {
    /// Whether it is in a frame of another process than the page.
    fn is_remote(&self) -> bool {
        let own = self.element.realm.session.id();
        let mut frames = self.frames.iter();
        frames.any(|frame| frame.realm.session.id() != own)
    }
}

/// Where to press an element.
#[derive(Debug)]
pub(super) struct Aim {
    /// The point in the page.
    pub(super) at: CssPoint,
    /// The documents that watch for a press there: of the frames around it, from the inside out, then its own.
    pub(super) watchers: Vec<Realm>,
}

/// What aiming does besides finding the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AimMode {
    /// It scrolls the element into view.
    Scroll,
    /// It also blocks the next press unless that hits the element.
    GuardPress,
    /// Nothing is scrolled.
    InPlace,
}

impl AimMode {
    /// The name in the functions of the page.
    fn argument(self) -> CallArgument {
        CallArgument::value(match self {
            Self::Scroll => "scroll",
            Self::GuardPress => "press",
            Self::InPlace => "place",
        })
    }
}

/// The duration of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PressLength {
    Short,
    Long,
}

/// Whether to replace or append text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryMode {
    Set,
    Append,
}

/// The result of aiming.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum AimResult {
    /// A point in the outermost window that may be accessed, with this many frames around the element up to there.
    At {
        x: f64,
        y: f64,
        frames: usize,
    },
    Option,
    Refused(Refusal),
    Gone,
}

/// Why an element takes no input.
#[derive(Debug, Deserialize)]
pub(super) struct Refusal {
    why: String,
    /// Whether it may pass by itself, as a message or a movement does.
    #[serde(default)]
    passes: bool,
}

impl From<Refusal> for DriverError {
    fn from(Refusal { why, passes }: Refusal) -> Self {
        if passes {
            DriverError::Refused(why)
        } else {
            DriverError::Unreachable(why)
        }
    }
}

/// The result of aiming at the only match of a selector.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum OnlyHitResult {
    /// The point in CSS pixels, and the number of device pixels per CSS pixel.
    At {
        x: f64,
        y: f64,
        scale: f64,
    },
    Unclear,
}

/// Which parts of a press reached their target.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum PressResult {
    Hit,
    /// It was hit, and submits a form.
    Submit,
    /// It was pressed, and moved away before the release.
    Moved,
    /// It was pressed, and something covered it before the release: it was not clicked.
    Covered,
    /// It was pressed, and something else was in its place before the release.
    Replaced,
    /// It hit another element.
    Missed,
    /// Its document received no event of it.
    Unseen,
}

/// The outcome of a press that reached its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClickOutcome {
    /// A click.
    Clicked,
    /// Not clicked: the element was covered, moved or replaced during the press, which may have acted.
    PressedOnly,
}

/// The result of scrolling.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScrollResult {
    Moved,
    Edge,
    /// It could scroll, but did not move.
    Still,
    Gone,
}

/// Maximum time to wait for a page to report the target of a press: its handlers may be slow.
const PRESS_RESULT_TIMEOUT: Duration = Duration::from_secs(10);

/// Message about a list whose selection cannot be verified.
const SELECTED_BY_KEYS: &str = "an option of the list was selected by keys";

/// The result of preparing a field.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum FieldState {
    /// It has the focus, and the text to replace is selected.
    #[serde(rename = "ready")]
    Focused,
    /// It has the focus and is empty.
    Empty,
    /// It has the focus, with the cursor at the end of its text.
    End,
    /// Nothing else to do. A list shows the requested option.
    Done {
        #[serde(default)]
        label: Option<String>,
    },
    /// It has the focus, and its value is set as a whole.
    Assign {
        value: String,
    },
    /// The list has the focus; the requested option is this many steps after its first one.
    Choose {
        steps: usize,
        open: bool,
        /// The text of the list after choosing it.
        label: String,
    },
    /// The list shows its options in the page, where they are clicked.
    Listed,
    Refused(Refusal),
    Unwritable {
        why: String,
    },
    Gone,
}

/// The answer to a call, if it was made and has one.
async fn answer<A: DeserializeOwned>(pending: Option<Call<Evaluated>>) -> Option<A> {
    read(pending?.await.ok()?).ok()
}

/// Whether every session has reported that the press reached its target, after their tab was closed.
async fn all_pressed(pending: &mut Vec<Option<Call<Evaluated>>>) -> bool {
    let mut all = !pending.is_empty();
    for call in pending.drain(..) {
        // A session reports nothing after its end; those of frames may end a moment later.
        let result = tokio::time::timeout(PRESS_RESULT_TIMEOUT, answer(call)).await;
        all &= matches!(result, Ok(Some(PressResult::Hit | PressResult::Submit)));
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
        let at = match self.aim(target, AimMode::GuardPress).await? {
            AimResult::Option => return self.choose_option(target).await.map(|()| None),
            other => other,
        };
        let aim = self.map_to_page(target, at, AimMode::GuardPress).await?;
        let at = aim.at;
        let outcome = match length {
            PressLength::Short => {
                self.click_and_confirm(page, &aim, MouseButtons::Left)
                    .await?
            }
            PressLength::Long => {
                self.long_press_at(page, at).await?;
                let outcome = self.press_outcome(&aim.watchers, Vec::new()).await?;
                // A long press is complete when it is released, whatever happened before.
                outcome.map(|_| ClickOutcome::Clicked)
            }
        };
        match outcome {
            Some(press) => Ok(Some((at, press))),
            None => Err(DriverError::Refused(
                "something else covered it before the press, and nothing was pressed".to_owned(),
            )),
        }
    }

    /// Aims at an element, scrolling it into view.
    async fn aim(&mut self, target: &ElementTarget, mode: AimMode) -> Result<AimResult> {
        let last_center = match target.last_center {
            Some(last_center) => serde_json::json!({"x": last_center.x, "y": last_center.y}),
            None => serde_json::Value::Null,
        };
        let arguments = vec![
            CallArgument::value(last_center),
            CallArgument::value(target.is_remote()),
            mode.argument(),
        ];
        self.call(&target.element, PageFunction::Aim, arguments)
            .await
    }

    /// Aims at an element through the frames around it.
    pub(super) async fn aim_at(&mut self, target: &ElementTarget, mode: AimMode) -> Result<Aim> {
        let at = match self.aim(target, mode).await? {
            AimResult::Option => {
                return Err(DriverError::Refused(
                    "it is an option of a closed list, which a click selects".to_owned(),
                ));
            }
            other => other,
        };
        self.map_to_page(target, at, mode).await
    }

    /// Clicks the only match of a selector if the result is certain; returns the point and the number of
    /// device pixels per CSS pixel. `None`: nothing was done.
    pub(crate) async fn click_selector(
        &mut self,
        page: &Session,
        css: &str,
    ) -> Result<Option<(CssPoint, f64, ClickOutcome)>> {
        let arguments = vec![CallArgument::value(css)];
        let document = Realm::root(page);
        // If the page does not answer, an observation reports the reason better.
        let Ok(OnlyHitResult::At { x, y, scale }) = self
            .call_in_document(&document, PageFunction::AimAtOnlyHit, arguments)
            .await
        else {
            return Ok(None);
        };
        if !self.is_settled() {
            return Ok(None);
        }
        let aim = Aim {
            at: CssPoint { x, y },
            watchers: vec![document],
        };
        let outcome = self
            .click_and_confirm(page, &aim, MouseButtons::Left)
            .await?;
        Ok(outcome.map(|press| (aim.at, scale, press)))
    }

    /// Clicks where a press is expected; `None` if it did not reach its target.
    pub(super) async fn click_and_confirm(
        &mut self,
        page: &Session,
        aim: &Aim,
        button: MouseButtons,
    ) -> Result<Option<ClickOutcome>> {
        self.cx.check()?;
        let click = dispatcher::click(page, aim.at, button);
        // The press watcher reports as soon as the press reached its target, mostly before the browser
        // answers.
        let mut pending = Vec::new();
        for document in &aim.watchers {
            let arguments = vec![CallArgument::value(true)];
            let call = self.start_in_document(document, PageFunction::PressResult, arguments);
            pending.push(call.await.ok());
        }
        let (outcomes, interruption) = self.outcomes(click, 1).await?;
        if was_closed(&outcomes, interruption.as_ref())
            && (outcomes.iter().any(cdp::Result::is_ok) || all_pressed(&mut pending).await)
        {
            // It was pressed, and that may have closed it.
            return Ok(Some(ClickOutcome::Clicked));
        }
        conclude(outcomes, interruption, 1)?;
        self.press_outcome(&aim.watchers, pending).await
    }

    /// The outcome of a press that was handled; `None` if it did not reach its target, so that the page received nothing. The
    /// documents in `watchers` expected it; `pending` are their reports that were already requested.
    pub(super) async fn press_outcome(
        &mut self,
        watchers: &[Realm],
        pending: Vec<Option<Call<Evaluated>>>,
    ) -> Result<Option<ClickOutcome>> {
        let mut press = ClickOutcome::Clicked;
        let mut form = None;
        let mut pending = pending.into_iter();
        for document in watchers {
            let pending = pending.next().flatten();
            if !self.is_settled() {
                return self.outcome_of_left_page();
            }
            let mut tab = self.tab.clone();
            let has_unsettled = tab.wait_for(|state| !is_settled(state));
            let now = self.call_in_document(document, PageFunction::PressResult, Vec::new());
            let outcome = tokio::select! {
                biased;
                Some(hit @ (PressResult::Hit | PressResult::Submit)) = answer(pending) => Ok(Ok(hit)),
                outcome = tokio::time::timeout(PRESS_RESULT_TIMEOUT, now) => outcome,
                _ = has_unsettled => return self.outcome_of_left_page(),
            };
            match outcome {
                Ok(Ok(PressResult::Missed)) => return Ok(None),
                Ok(Ok(PressResult::Covered | PressResult::Moved | PressResult::Replaced)) => {
                    press = ClickOutcome::PressedOnly;
                }
                Ok(Ok(PressResult::Unseen)) => {
                    return Err(DriverError::Partial(
                        "the mouse was pressed there, but its document did not receive it: another document may have come over it and been pressed"
                            .to_owned(),
                    ));
                }
                // Its document disappeared with the press.
                Ok(Ok(PressResult::Hit) | Err(DriverError::Stale)) => {}
                Ok(Ok(PressResult::Submit)) => form = Some(document),
                Ok(Err(_)) if !self.is_settled() => return self.outcome_of_left_page(),
                Ok(Err(error)) => {
                    return Err(error_mapping::partial("the mouse was pressed", error));
                }
                Err(_) => {
                    return Err(DriverError::Partial(format!(
                        "the mouse was pressed, and the page did not answer within {} s what it hit",
                        PRESS_RESULT_TIMEOUT.as_secs()
                    )));
                }
            }
        }
        if let Some(document) = form {
            self.note_refusal(document).await;
        }
        Ok(Some(press))
    }

    /// The outcome of a press after which the tab shows another document or a dialog: it reached its target. Unknown if the page
    /// is lost.
    fn outcome_of_left_page(&self) -> Result<Option<ClickOutcome>> {
        match &self.tab.borrow().status {
            TabStatus::Open | TabStatus::Closed => Ok(Some(ClickOutcome::Clicked)),
            lost => match error_mapping::tab_error(lost, Dispatch::Unknown) {
                Some(lost) => Err(lost),
                None => Ok(Some(ClickOutcome::Clicked)),
            },
        }
    }

    /// Whether the page is loaded, not navigating, and without a dialog.
    pub(super) fn is_settled(&self) -> bool {
        is_settled(&self.tab.borrow())
    }

    /// Maps the point where an element is pressed to the viewport of the page.
    async fn map_to_page(
        &mut self,
        target: &ElementTarget,
        aim: AimResult,
        mode: AimMode,
    ) -> Result<Aim> {
        let (mut at, mut passed) = point_in_frames(aim)?;
        let mut watchers = Vec::new();
        while let Some(frame) = target.frames.get(passed) {
            let arguments = vec![
                CallArgument::value(at.x),
                CallArgument::value(at.y),
                mode.argument(),
            ];
            let aim: AimResult = self
                .call(frame, PageFunction::MapThroughFrame, arguments)
                .await?;
            let (outer, more) = point_in_frames(aim)?;
            at = outer;
            passed += 1 + more;
            watchers.push(frame.realm.clone());
        }
        watchers.push(target.element.realm.clone());
        Ok(Aim { at, watchers })
    }

    /// Focuses an element.
    pub(crate) async fn focus(&mut self, target: &ElementTarget) -> Result<()> {
        match self.prepare_field(target, "focus", "").await? {
            FieldState::Gone => Err(DriverError::Stale),
            FieldState::Refused(refusal) => Err(refusal.into()),
            FieldState::Unwritable { why } => Err(DriverError::Unreachable(why)),
            _ => Ok(()),
        }
    }

    /// Enters text into a field, or selects the option with this text or value; returns the text of a list.
    pub(crate) async fn enter(
        &mut self,
        target: &ElementTarget,
        mode: EntryMode,
        text: &str,
    ) -> Result<Option<String>> {
        let mode_word = match mode {
            EntryMode::Set => "set",
            EntryMode::Append => "append",
        };
        let session = &target.element.realm.session;
        let written = match self.prepare_field(target, mode_word, text).await? {
            FieldState::Focused if text.is_empty() && mode == EntryMode::Set => {
                self.press(session, &[keys::BACKSPACE]).await
            }
            FieldState::Focused | FieldState::Empty | FieldState::End if text.is_empty() => Ok(()),
            FieldState::Focused | FieldState::Empty => self.type_text(target, text).await,
            FieldState::End => {
                self.press(session, &[keys::END]).await?;
                self.type_text(target, text).await
            }
            FieldState::Done { label } => return Ok(label),
            FieldState::Assign { value } => {
                return self.assign(target, &value).await.map(|()| None);
            }
            FieldState::Choose { steps, open, label } => {
                self.step_to_option(target, text, steps, open).await?;
                return Ok(Some(label));
            }
            FieldState::Listed => Err(DriverError::Unwritable(
                "the list shows all its options: click the wanted one".to_owned(),
            )),
            FieldState::Refused(refusal) => Err(refusal.into()),
            FieldState::Unwritable { why } => Err(DriverError::Unwritable(why)),
            FieldState::Gone => Err(DriverError::Stale),
        };
        written.map(|()| None)
    }

    /// Types text into an element that has the focus, and checks that the text did not follow the focus to another.
    async fn type_text(&mut self, target: &ElementTarget, text: &str) -> Result<()> {
        self.write(&target.element.realm.session, text).await?;
        match self.prepare_field(target, "verify", "").await {
            Ok(FieldState::Refused(Refusal { why, .. })) => Err(DriverError::Partial(format!(
                "the page moved the focus while text was typed, and {why}"
            ))),
            // A dialog or another document may have followed the text.
            Ok(_)
            | Err(DriverError::Stale | DriverError::Refused(_) | DriverError::Incomplete(_)) => {
                Ok(())
            }
            Err(error) => Err(error_mapping::partial("text was typed", error)),
        }
    }

    /// Sets the value of an input that is made of parts.
    async fn assign(&mut self, target: &ElementTarget, value: &str) -> Result<()> {
        let arguments = vec![CallArgument::value(value)];
        let element = &target.element;
        let state: FieldState = self
            .change(element, PageFunction::SetValue, arguments)
            .await?;
        if let FieldState::Gone = state {
            return Err(DriverError::Stale);
        }
        let _: Option<bool> = self.wait_for_result(&element.realm).await?;
        Ok(())
    }

    /// Selects an option of a closed list.
    async fn choose_option(&mut self, target: &ElementTarget) -> Result<()> {
        match self.prepare_field(target, "choose", "").await? {
            FieldState::Choose { steps, open, .. } => {
                self.step_to_option(target, "", steps, open).await
            }
            FieldState::Focused
            | FieldState::Empty
            | FieldState::End
            | FieldState::Assign { .. }
            | FieldState::Done { .. }
            | FieldState::Listed => Ok(()),
            FieldState::Refused(refusal) => Err(refusal.into()),
            FieldState::Unwritable { why } => Err(DriverError::Unreachable(why)),
            FieldState::Gone => Err(DriverError::Stale),
        }
    }

    /// Opens a list with the keyboard, moves to an option and selects it, then verifies the selection.
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
        self.press(&target.element.realm.session, &presses).await?;
        // A dialog may block the page, or it may show another document: nothing to verify then.
        if !self.is_settled() {
            return Ok(());
        }
        let mode_word = if text.is_empty() { "choose" } else { "set" };
        match self.prepare_field(target, mode_word, text).await {
            Ok(FieldState::Choose { .. }) => Err(DriverError::Partial(
                "the list was opened, but another option than the requested one is selected now"
                    .to_owned(),
            )),
            Ok(FieldState::Refused(Refusal { why, .. }) | FieldState::Unwritable { why }) => Err(
                DriverError::Partial(format!("{SELECTED_BY_KEYS}, and {why}")),
            ),
            Ok(_) | Err(DriverError::Stale) => Ok(()),
            Err(_) if !self.is_settled() => Ok(()),
            Err(error) => Err(error_mapping::partial(SELECTED_BY_KEYS, error)),
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

    /// Waits for the first paint of the page, before which presses are dropped. `root` is its root element.
    pub(crate) async fn wait_for_paint(&mut self, root: &Element) -> Result<()> {
        self.check()?;
        let _: bool = self
            .call(root, PageFunction::WaitForPaint, Vec::new())
            .await?;
        Ok(())
    }

    /// Makes the page leave full screen; returns whether it was in full screen. `root` is its root element.
    pub(crate) async fn exit_fullscreen(&mut self, root: &Element) -> Result<bool> {
        self.check()?;
        self.call(root, PageFunction::ExitFullscreen, Vec::new())
            .await
    }

    /// Scrolls an element by this many CSS pixels. `page` is the session of the page.
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

    /// Scrolls an element into view. `page` is the session of the page.
    pub(crate) async fn reveal(&mut self, page: &Session, element: &Element) -> Result<()> {
        self.check()?;
        let is_found: bool = self.call(element, PageFunction::Reveal, Vec::new()).await?;
        if !is_found {
            return Err(DriverError::Stale);
        }
        self.wait_for_frame(page, element).await;
        Ok(())
    }

    /// Waits for the next frame of an element's document, in which the page receives the scroll event. A background tab draws at
    /// most once a second; if it is too slow, it comes to the front.
    async fn wait_for_frame(&mut self, page: &Session, element: &Element) {
        if !self.draws_frame_within(element, FRAME_TIMEOUT).await {
            drop(page.call(&BringToFront {}));
            self.draws_frame_within(element, FRONT_FRAME_TIMEOUT).await;
        }
    }

    /// Whether a frame is drawn within this time. A page that does not answer is not waited for: it was
    /// scrolled in any case, and the next observation shows the result.
    async fn draws_frame_within(&mut self, element: &Element, timeout: Duration) -> bool {
        let timeout = vec![CallArgument::value(timeout.as_secs_f64() * 1000.0)];
        self.call(element, PageFunction::WaitForFrame, timeout)
            .await
            .unwrap_or(true)
    }
}

/// Whether a tab is loaded, not navigating, and without a dialog.
fn is_settled(state: &TabState) -> bool {
    state.status == TabStatus::Open && !state.busy && state.dialog.is_none()
}

/// A point in the outermost window that may be accessed, and how many frames are around the element up to there.
fn point_in_frames(aim: AimResult) -> Result<(CssPoint, usize)> {
    match aim {
        AimResult::At { x, y, frames } => Ok((CssPoint { x, y }, frames)),
        AimResult::Refused(refusal) => Err(refusal.into()),
        AimResult::Gone => Err(DriverError::Stale),
        AimResult::Option => Err(DriverError::Refused(
            "it is an option, not a frame".to_owned(),
        )),
    }
}
