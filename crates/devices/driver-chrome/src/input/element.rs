//! What is done to one element: aimed at first, then with the events of a user.

use std::time::Duration;

use cdp::protocol::page::BringToFront;
use cdp::protocol::runtime::{CallArgument, Evaluated};
use cdp::{Call, Session};
use driver::{DriverError, Result, ScrollOutcome};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ask::{Asking, Element, Tool, read};
use super::hand::{self, Place, concluded, was_closed};
use super::keys;
use crate::browser::{Standing, TabState};

/// How long the next picture of a page takes that is in front, on a machine that has other things to do.
const SOON: Duration = Duration::from_millis(150);

/// How long it is waited for a picture of a page that has come to the front.
const LATE: Duration = Duration::from_secs(2);

/// An element that something is done to.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The element.
    pub(crate) element: Element,
    /// The frames of other processes that hold it, the nearest first, each in the session around it.
    pub(crate) frames: Vec<Element>,
    /// Where its middle was when it was looked at, in CSS pixels of its session's window.
    pub(crate) seen: Option<Place>,
}

/// How long a press lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Short,
    Long,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Set,
    Append,
}

/// What aiming comes to.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum Aim {
    At { x: f64, y: f64 },
    Option,
    Refused { why: String },
    Gone,
}

/// What aiming at the only hit of a selector comes to.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum Only {
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
enum Met {
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
pub(crate) enum Press {
    /// A click.
    Clicked,
    /// No click: something came to lie over the element while it was pressed.
    Covered,
}

/// What scrolling comes to.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scroll {
    Moved,
    Edge,
    /// There was room, and it did not move.
    Still,
    Gone,
}

/// How long a page may take to say what a press met that was taken, on a machine that has other things to do.
const MET: Duration = Duration::from_secs(2);

/// What making a field ready comes to.
#[derive(Debug, Deserialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum Ready {
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
async fn answer<A: DeserializeOwned>(asked: Option<Call<Evaluated>>) -> Option<A> {
    read(asked?.await.ok()?).ok()
}

/// Whether each of those who were asked has said that the press met what it was meant for; their tab is closed.
async fn all_met(asked: &mut Vec<Option<Call<Evaluated>>>) -> bool {
    let mut all = !asked.is_empty();
    for told in asked.drain(..) {
        // Nothing comes after the end of a session; those of frames may end a moment later.
        let told = tokio::time::timeout(MET, answer(told)).await;
        all &= matches!(told, Ok(Some(Met::All)));
    }
    all
}

impl Asking<'_> {
    /// Clicks an element, or holds it.
    pub(crate) async fn click(
        &mut self,
        page: &Session,
        goal: &Goal,
        length: Length,
    ) -> Result<Option<(Place, Press)>> {
        self.check()?;
        let seen = match goal.seen {
            Some(seen) => serde_json::json!({"x": seen.x, "y": seen.y}),
            None => serde_json::Value::Null,
        };
        let aim: Aim = self
            .ask(
                &goal.element,
                Tool::Aim,
                vec![
                    CallArgument::value(seen),
                    CallArgument::value(!goal.frames.is_empty()),
                ],
            )
            .await?;
        let at = match aim {
            Aim::Option => return self.choose(goal).await.map(|()| None),
            other => place(other)?,
        };
        let at = self.out_of_frames(goal, at).await?;
        let around = goal.frames.iter().map(|frame| &frame.session);
        let sessions: Vec<&Session> = around.chain([&goal.element.session]).collect();
        let met = match length {
            Length::Short => self.click_and_ask(page, at, &sessions).await?,
            Length::Long => {
                self.hold_at(page, at).await?;
                let met = self.met(&sessions, Vec::new()).await?;
                // A long press is made when it is let go, whatever came of it until then.
                met.map(|_| Press::Clicked)
            }
        };
        match met {
            Some(press) => Ok(Some((at, press))),
            None => Err(DriverError::Refused(
                "something else came to lie there as it was to be pressed, and nothing was"
                    .to_owned(),
            )),
        }
    }

    /// Clicks the only element that a selector hits, where it is plain what that comes to; gives where, and the width of a CSS
    /// pixel in device pixels. `None`: nothing was done.
    pub(crate) async fn click_only(
        &mut self,
        page: &Session,
        css: &str,
    ) -> Result<Option<(Place, f64, Press)>> {
        let given = vec![CallArgument::value(css)];
        // Whatever keeps the page from answering, whoever looks at it tells better.
        let Ok(Only::At { x, y, scale }) = self.ask_document(page, Tool::Only, given).await else {
            return Ok(None);
        };
        if !self.stands_still() {
            return Ok(None);
        }
        let at = Place { x, y };
        let met = self.click_and_ask(page, at, &[page]).await?;
        Ok(met.map(|press| (at, scale, press)))
    }

    /// Clicks a place where a press is expected in all of these sessions; `None` where it did not meet what it was meant for.
    async fn click_and_ask(
        &mut self,
        page: &Session,
        at: Place,
        sessions: &[&Session],
    ) -> Result<Option<Press>> {
        self.cx.check()?;
        let click = hand::click(page, at);
        // Who watches over the press tells of it as soon as it has met its target: mostly before the browser has taken it.
        let mut asked = Vec::new();
        for session in sessions {
            let told = self
                .in_document(session, Tool::Met, vec![CallArgument::value(true)])
                .await;
            asked.push(told.ok());
        }
        let (outcomes, instead) = self.outcomes(click).await?;
        if was_closed(&outcomes, instead.as_ref())
            && (outcomes.iter().any(cdp::Result::is_ok) || all_met(&mut asked).await)
        {
            // It was pressed, and may have been closed by that very press.
            return Ok(Some(Press::Clicked));
        }
        concluded(outcomes, instead)?;
        self.met(sessions, asked).await
    }

    /// What the press that was made came to; `None` where it did not meet what it was meant for, and the page has heard nothing
    /// of it. It was expected in all of these sessions, which may have been asked already.
    async fn met(
        &mut self,
        sessions: &[&Session],
        asked: Vec<Option<Call<Evaluated>>>,
    ) -> Result<Option<Press>> {
        let mut press = Press::Clicked;
        let mut asked = asked.into_iter();
        for session in sessions {
            let asked = asked.next().flatten();
            if !self.stands_still() {
                return Ok(Some(Press::Clicked));
            }
            let mut tab = self.tab.clone();
            let goes = tab.wait_for(|state| !stands_still(state));
            let now = self.ask_document(session, Tool::Met, vec![CallArgument::value(false)]);
            let met = tokio::select! {
                biased;
                Some(Met::All) = answer(asked) => continue,
                met = tokio::time::timeout(MET, now) => met,
                // The press has the tab show another document, or a dialog: that is what it met.
                _ = goes => return Ok(Some(Press::Clicked)),
            };
            match met {
                Ok(Ok(Met::Nothing)) => return Ok(None),
                Ok(Ok(Met::Covered)) => press = Press::Covered,
                Ok(Ok(Met::Half)) => {
                    return Err(DriverError::Partial(
                        "it was pressed, and moved away before the mouse was let go".to_owned(),
                    ));
                }
                // Its document went with the press, or does not answer before another one is there.
                Ok(Ok(Met::All) | Err(_)) | Err(_) => {}
            }
        }
        Ok(Some(press))
    }

    /// Whether the page is there, waits for no other, and no dialog is open.
    fn stands_still(&self) -> bool {
        stands_still(&self.tab.borrow())
    }

    /// A place in the window of the page instead of one in that of the element's session.
    async fn out_of_frames(&mut self, goal: &Goal, mut at: Place) -> Result<Place> {
        for frame in &goal.frames {
            let arguments = vec![CallArgument::value(at.x), CallArgument::value(at.y)];
            let aim: Aim = self.ask(frame, Tool::Through, arguments).await?;
            at = place(aim)?;
        }
        Ok(at)
    }

    /// Gives an element the focus.
    pub(crate) async fn focus(&mut self, goal: &Goal) -> Result<()> {
        match self.ready(goal, "focus", "").await? {
            Ready::Gone => Err(DriverError::Stale),
            Ready::Refused { why } | Ready::Unwritable { why } => Err(DriverError::Refused(why)),
            _ => Ok(()),
        }
    }

    /// Presses Enter in an element.
    pub(crate) async fn submit(&mut self, goal: &Goal) -> Result<()> {
        self.focus(goal).await?;
        self.press(&goal.element.session, &[keys::ENTER]).await
    }

    /// Writes into a field, or chooses the option with this text or value; gives what a list shows then.
    pub(crate) async fn enter(
        &mut self,
        goal: &Goal,
        mode: Mode,
        text: &str,
    ) -> Result<Option<String>> {
        let word = match mode {
            Mode::Set => "set",
            Mode::Append => "append",
        };
        let session = &goal.element.session;
        let written = match self.ready(goal, word, text).await? {
            Ready::Focused if text.is_empty() && mode == Mode::Set => {
                self.press(session, &[keys::BACKSPACE]).await
            }
            Ready::Focused | Ready::Empty | Ready::End if text.is_empty() => Ok(()),
            Ready::Focused | Ready::Empty => self.write(session, text).await,
            Ready::End => {
                self.press(session, &[keys::END]).await?;
                self.write(session, text).await
            }
            Ready::Done { shows } => return Ok(shows),
            Ready::Choose { steps, open, shows } => {
                self.step_to(goal, text, steps, open).await?;
                return Ok(Some(shows));
            }
            Ready::Listed => Err(DriverError::Unwritable(
                "the list shows all its options: click the one that is meant".to_owned(),
            )),
            Ready::Refused { why } => Err(DriverError::Refused(why)),
            Ready::Unwritable { why } => Err(DriverError::Unwritable(why)),
            Ready::Gone => Err(DriverError::Stale),
        };
        written.map(|()| None)
    }

    /// Chooses an option of a list that is closed.
    async fn choose(&mut self, goal: &Goal) -> Result<()> {
        match self.ready(goal, "choose", "").await? {
            Ready::Choose { steps, open, .. } => self.step_to(goal, "", steps, open).await,
            Ready::Focused | Ready::Empty | Ready::End | Ready::Done { .. } | Ready::Listed => {
                Ok(())
            }
            Ready::Refused { why } | Ready::Unwritable { why } => Err(DriverError::Refused(why)),
            Ready::Gone => Err(DriverError::Stale),
        }
    }

    /// Opens a list with the keyboard, steps down to an option and takes it, and looks whether it was taken.
    async fn step_to(&mut self, goal: &Goal, text: &str, steps: usize, open: bool) -> Result<()> {
        let mut presses: Vec<keys::Press> = Vec::with_capacity(steps + 3);
        if !open {
            presses.push(keys::OPEN);
        }
        presses.push(keys::HOME);
        presses.extend(std::iter::repeat_n(keys::DOWN, steps));
        presses.push(keys::ENTER);
        self.press(&goal.element.session, &presses).await?;
        // A page may stand still behind a dialog now, or show another document: then there is nothing to look at.
        let word = if text.is_empty() { "choose" } else { "set" };
        match self.ready(goal, word, text).await {
            Ok(Ready::Choose { .. }) => Err(DriverError::Partial(
                "the list was opened, and another option than the one that is meant is chosen now"
                    .to_owned(),
            )),
            Ok(_) | Err(DriverError::Stale | DriverError::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn ready(&mut self, goal: &Goal, mode: &'static str, text: &str) -> Result<Ready> {
        self.check()?;
        let arguments = vec![CallArgument::value(mode), CallArgument::value(text)];
        self.ask(&goal.element, Tool::Field, arguments).await
    }

    /// Waits until the page was painted once, as what is pressed before is dropped. `root` is its outermost element.
    pub(crate) async fn painted(&mut self, root: &Element) -> Result<()> {
        self.check()?;
        let _: bool = self.ask(root, Tool::Painted, Vec::new()).await?;
        Ok(())
    }

    /// Has the page leave the full screen, if it is there; gives whether it was. `root` is its outermost element.
    pub(crate) async fn windowed(&mut self, root: &Element) -> Result<bool> {
        self.check()?;
        self.ask(root, Tool::Windowed, Vec::new()).await
    }

    /// Scrolls an element by so many CSS pixels. `page` is the session of the page.
    pub(crate) async fn scroll(
        &mut self,
        page: &Session,
        container: &Element,
        by: Place,
    ) -> Result<ScrollOutcome> {
        self.check()?;
        let arguments = [by.x, by.y].map(CallArgument::value).to_vec();
        let scroll: Scroll = self.ask(container, Tool::Scroll, arguments).await?;
        match scroll {
            Scroll::Moved => {
                self.drawn(page, container).await;
                Ok(ScrollOutcome::Moved)
            }
            Scroll::Edge => Ok(ScrollOutcome::AtEdge),
            Scroll::Still => Ok(ScrollOutcome::NotMoved),
            Scroll::Gone => Err(DriverError::Stale),
        }
    }

    /// Brings an element into view. `page` is the session of the page.
    pub(crate) async fn reveal(&mut self, page: &Session, element: &Element) -> Result<()> {
        self.check()?;
        let is_there: bool = self.ask(element, Tool::Reveal, Vec::new()).await?;
        if !is_there {
            return Err(DriverError::Stale);
        }
        self.drawn(page, element).await;
        Ok(())
    }

    /// Waits until the document of an element is drawn: with its next picture a page hears that it was scrolled. A tab
    /// behind another is drawn once a second, or when it likes; one that is not drawn soon comes to the front.
    async fn drawn(&mut self, page: &Session, of: &Element) {
        if !self.drawn_within(of, SOON).await {
            drop(page.call(&BringToFront {}));
            self.drawn_within(of, LATE).await;
        }
    }

    /// Whether it is drawn within this time. A page that cannot be asked is not waited for: it was scrolled in any case, and
    /// the next look tells what became of it.
    async fn drawn_within(&mut self, of: &Element, most: Duration) -> bool {
        let most = vec![CallArgument::value(most.as_secs_f64() * 1000.0)];
        self.ask(of, Tool::Drawn, most).await.unwrap_or(true)
    }
}

/// Whether a tab shows its page, waits for no other, and has no dialog open.
fn stands_still(state: &TabState) -> bool {
    state.standing == Standing::Open && !state.busy && state.dialog.is_none()
}

/// The place that aiming found.
fn place(aim: Aim) -> Result<Place> {
    match aim {
        Aim::At { x, y } => Ok(Place { x, y }),
        Aim::Refused { why } => Err(DriverError::Refused(why)),
        Aim::Gone => Err(DriverError::Stale),
        Aim::Option => Err(DriverError::Refused(
            "it is an option, and no frame".to_owned(),
        )),
    }
}
