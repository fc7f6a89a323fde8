//! Mouse input: double clicks, right clicks, hovers and drags.

use std::time::Duration;

use cdp::Session;
use driver::{DriverError, Result};
use tokio::time::Instant;

use super::dispatcher::{self, CssPoint, MouseButtons, ReleaseGuard};
use super::element::{Aim, AimMode, ClickOutcome, ElementTarget, PressLength};
use super::error_mapping;
use super::script_call::PageInput;

/// The time between two moves of a drag: a frame.
const MOVE_INTERVAL: Duration = Duration::from_millis(16);

/// Minimum number of moves of a drag: pages start a drag only after some moves.
const MIN_MOVES: u32 = 5;

/// A point outside of every page.
const OUTSIDE: CssPoint = CssPoint { x: -1.0, y: -1.0 };

/// Maximum number of attempts to scroll both ends of a drag into view.
const MAX_ATTEMPTS: u32 = 2;

/// Where the mouse is used.
#[derive(Debug)]
pub(crate) enum MouseEnd {
    Element(Box<ElementTarget>),
    Point(CssPoint),
}

impl PageInput<'_> {
    /// Double-clicks: on an element, a second click follows a first one that reached it.
    pub(crate) async fn double_click(
        &mut self,
        page: &Session,
        target: &MouseEnd,
    ) -> Result<Option<(CssPoint, ClickOutcome)>> {
        self.check()?;
        let target = match target {
            MouseEnd::Element(target) => target,
            MouseEnd::Point(at) => {
                let first = dispatcher::click(page, *at, MouseButtons::Left);
                let second = dispatcher::click(page, *at, MouseButtons::SecondLeft);
                self.dispatch_press(first.into_iter().chain(second), 3)
                    .await?;
                return Ok(Some((*at, ClickOutcome::Clicked)));
            }
        };
        let first = self.click(page, target, PressLength::Short).await?;
        match first {
            Some((_, ClickOutcome::Clicked)) if self.is_settled() => {}
            // The option of a list, a covered element, or a page that is replaced.
            other => return Ok(other),
        }
        let aim = self
            .aim_at(target, AimMode::GuardPress)
            .await
            .map_err(clicked_once)?;
        let outcome = self
            .click_and_confirm(page, &aim, MouseButtons::SecondLeft)
            .await?;
        match outcome {
            Some(press) => Ok(Some((aim.at, press))),
            None => Err(clicked_once(covered())),
        }
    }

    /// Clicks with the right button.
    pub(crate) async fn right_click(
        &mut self,
        page: &Session,
        target: &MouseEnd,
    ) -> Result<(CssPoint, ClickOutcome)> {
        self.check()?;
        let target = match target {
            MouseEnd::Element(target) => target,
            MouseEnd::Point(at) => {
                let click = dispatcher::click(page, *at, MouseButtons::Right);
                self.dispatch_press(click, 1).await?;
                return Ok((*at, ClickOutcome::Clicked));
            }
        };
        let aim = self.aim_at(target, AimMode::GuardPress).await?;
        let outcome = self
            .click_and_confirm(page, &aim, MouseButtons::Right)
            .await?;
        match outcome {
            Some(press) => Ok((aim.at, press)),
            None => Err(covered()),
        }
    }

    /// Moves the mouse without a press.
    pub(crate) async fn hover(&mut self, page: &Session, target: &MouseEnd) -> Result<CssPoint> {
        self.check()?;
        let at = match target {
            MouseEnd::Element(target) => self.aim_at(target, AimMode::Scroll).await?.at,
            MouseEnd::Point(at) => *at,
        };
        self.dispatch([page.call(&dispatcher::moved(at, MouseButtons::None))], 0)
            .await?;
        Ok(at)
    }

    /// Drags from one end to the other; returns where it pressed.
    pub(crate) async fn drag(
        &mut self,
        page: &Session,
        from: &MouseEnd,
        to: &MouseEnd,
        duration: Duration,
    ) -> Result<CssPoint> {
        self.check()?;
        let (aim, end) = self.aim_at_ends(from, to).await?;
        let start = aim.at;
        let calls = [
            page.call(&dispatcher::moved(start, MouseButtons::None)),
            page.call(&dispatcher::pressed(start, MouseButtons::Left)),
        ];
        // An interrupted drag is released outside of the page: on an element it would be a drop or a click.
        let release = dispatcher::released(OUTSIDE, MouseButtons::Left);
        let held = ReleaseGuard::new(|| drop(page.call(&release)));
        self.dispatch(calls, 2).await?;
        if !aim.watchers.is_empty()
            && self
                .press_outcome(&aim.watchers, Vec::new())
                .await?
                .is_none()
        {
            return Err(covered());
        }
        let steps =
            u32::try_from(duration.as_millis() / MOVE_INTERVAL.as_millis()).unwrap_or(u32::MAX);
        let steps = steps.max(MIN_MOVES);
        let started = Instant::now();
        for step in 1..=steps {
            let progress = f64::from(step) / f64::from(steps);
            let along = |from: f64, to: f64| from + (to - from) * progress;
            let at = CssPoint {
                x: along(start.x, end.x),
                y: along(start.y, end.y),
            };
            self.dispatch([page.call(&dispatcher::moved(at, MouseButtons::Left))], 1)
                .await?;
            let at_time = started + duration.mul_f64(progress);
            self.cx
                .sleep(at_time.saturating_duration_since(Instant::now()))
                .await?;
        }
        held.disarm();
        // Some pages use the position of the last move only when another move follows.
        let drop_there = [
            page.call(&dispatcher::moved(end, MouseButtons::Left)),
            page.call(&dispatcher::released(end, MouseButtons::Left)),
        ];
        self.dispatch(drop_there, 1).await?;
        Ok(start)
    }

    /// The points of both ends, in view at the same time; the press of the start is guarded.
    async fn aim_at_ends(&mut self, from: &MouseEnd, to: &MouseEnd) -> Result<(Aim, CssPoint)> {
        for _ in 0..=MAX_ATTEMPTS {
            let end = match to {
                MouseEnd::Element(target) => self.aim_at(target, AimMode::Scroll).await?.at,
                MouseEnd::Point(at) => *at,
            };
            let start = match from {
                MouseEnd::Element(target) => self.aim_at(target, AimMode::GuardPress).await?,
                MouseEnd::Point(at) => Aim {
                    at: *at,
                    watchers: Vec::new(),
                },
            };
            // Aiming at the start may have scrolled the end, which is not scrolled back: that would scroll the start.
            let now = match to {
                MouseEnd::Element(target) => self.aim_at(target, AimMode::InPlace).await,
                MouseEnd::Point(_) => return Ok((start, end)),
            };
            match now {
                Ok(now) if now.at == end => return Ok((start, end)),
                Ok(_) | Err(DriverError::Refused(_) | DriverError::Unreachable(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Err(DriverError::Unreachable(
            "the start and the end of the drag cannot be seen at the same time".to_owned(),
        ))
    }
}

/// The error of a press on an element that covered the target; the page did not receive it.
fn covered() -> DriverError {
    DriverError::Refused(
        "something else covered it before the press, and nothing was pressed".to_owned(),
    )
}

/// The error of a double click whose second click failed.
fn clicked_once(error: DriverError) -> DriverError {
    error_mapping::partial("it was clicked once", error)
}
