//! Applies the faults that fired to a driver call.

use std::time::Duration;

use driver::{Dispatch, DriverError, Gesture, NodeAct, NodeRef, Observation};
use uitree::Point;

use super::armed::QueuedInput;
use crate::phone::Phone;
use crate::seeded_rng::SeededRng;
use sim_format::fault::{Answer, Calls, DropPart, FaultKind, MissingTree, Recorder};

const CONNECTION_LOST: &str = "the connection broke";

const BUSY: &str = "it is busy";

#[derive(Debug, Default)]
pub(crate) struct FiredFaults(Vec<(FaultKind, SeededRng)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Actual,
    Refused,
    /// No answer until the caller's deadline.
    Unanswered,
    Lost,
}

impl Phone {
    pub(crate) fn latency_of(&mut self, calls: Calls) -> Duration {
        if self.faults.is_empty() {
            return Duration::ZERO;
        }
        let late = |kind: &FaultKind| matches!(kind, FaultKind::Latency { .. });
        let front = self.tasks.front().clone();
        let fired = self.faults.fire(self.clock.now(), calls, &front, late);
        let mut total = Duration::ZERO;
        for (kind, _, mut rng) in fired {
            if let FaultKind::Latency { least, most } = kind {
                let time = rng.between(least, most);
                self.note_fault(&kind, Some(format!("{calls} {} ms", time.as_millis())));
                total += time;
            }
        }
        total
    }

    /// Fires the faults on a call and returns those that change it; those that change the phone are applied.
    pub(crate) fn fire_faults(&mut self, calls: Calls) -> FiredFaults {
        if self.faults.is_empty() {
            return FiredFaults::default();
        }
        let own = |kind: &FaultKind| {
            !matches!(
                kind,
                FaultKind::Latency { .. }
                    | FaultKind::SlowStart { .. }
                    | FaultKind::LaunchFails
                    | FaultKind::NoKeyboard
            )
        };
        let front = self.tasks.front().clone();
        let mut left = FiredFaults::default();
        for (kind, lasts, rng) in self.faults.fire(self.clock.now(), calls, &front, own) {
            if kind.row().moment || kind == FaultKind::Reorder {
                self.apply_to_phone(&kind, lasts, rng);
            } else {
                self.note_fault(&kind, None);
                left.0.push((kind, rng));
            }
        }
        left
    }

    /// Observes the screen as changed by faults.
    pub(crate) fn observe_with_faults(
        &mut self,
        fired: FiredFaults,
    ) -> Result<Observation, DriverError> {
        self.faults.false_tree = None;
        let view = self.view();
        self.faults.remember(self.clock.now(), &view);
        let awake = self.is_awake();
        for (kind, mut rng) in fired.0 {
            match kind {
                FaultKind::HalfTree => {
                    let all = view.tree.len();
                    let read = rng.below(all as u64);
                    let message = format!("{read} of {all} nodes");
                    return Err(DriverError::Incomplete(message));
                }
                FaultKind::NoWindow(MissingTree::Refused) => return Err(DriverError::NoWindow),
                FaultKind::NoWindow(MissingTree::Empty) if awake => return Ok(self.report_empty()),
                FaultKind::WrongWindow if awake => return Ok(self.report_launcher()),
                FaultKind::MissingSubtree { of } if awake => {
                    return Ok(self.report_part(&of, &mut rng));
                }
                FaultKind::StaleTree { age } if awake => {
                    if let Some(old) = self.faults.view_before(self.clock.now(), age) {
                        return Ok(self.report_old(&old));
                    }
                }
                _ => {}
            }
        }
        self.observe().ok_or(if awake {
            DriverError::NoWindow
        } else {
            DriverError::ScreenOff
        })
    }

    /// Acts on a node, unless faults prevent it.
    pub(crate) fn act_with_faults(
        &mut self,
        fired: &FiredFaults,
        node: NodeRef,
        act: &NodeAct,
    ) -> Result<(), DriverError> {
        let act = fired.alter_act(act);
        let times = self.repetitions(fired, QueuedInput::Act(node, act.clone()));
        if times == 0 {
            return Ok(());
        }
        let done = self.act(node, &act);
        for _ in 1..times {
            // The second act applies to the changed screen.
            drop(self.act(node, &act));
        }
        done
    }

    /// How often an input is performed now: 0 if it is lost or a frozen screen queues it.
    pub(crate) fn repetitions(&mut self, fired: &FiredFaults, input: QueuedInput) -> u32 {
        if fired.has(&FaultKind::LoseGesture) || self.queue_if_frozen(input) {
            0
        } else if fired.has(&FaultKind::DoubleGesture) {
            2
        } else {
            1
        }
    }
}

impl FiredFaults {
    fn has(&self, fault: &FaultKind) -> bool {
        self.0.iter().any(|(kind, _)| kind == fault)
    }

    /// The error of a call that never reaches the device.
    pub(crate) fn call_error(&self) -> Result<(), DriverError> {
        for (kind, _) in &self.0 {
            match kind {
                FaultKind::Disconnect(Answer::Unsent) => {
                    return Err(connection_lost(Dispatch::NotSent));
                }
                FaultKind::Refuse => return Err(DriverError::Refused(BUSY.to_owned())),
                _ => {}
            }
        }
        Ok(())
    }

    /// The error of a call without effects on the device: a lost answer counts as not sent.
    pub(crate) fn query_error(&self) -> Result<(), DriverError> {
        self.call_error()?;
        if self.has(&FaultKind::Disconnect(Answer::Lost)) {
            return Err(connection_lost(Dispatch::NotSent));
        }
        Ok(())
    }

    /// The answer to an input that was performed.
    pub(crate) fn reply(&self) -> Reply {
        for (kind, _) in &self.0 {
            match kind {
                FaultKind::Disconnect(Answer::Lost) => return Reply::Lost,
                FaultKind::Unanswered => return Reply::Unanswered,
                FaultKind::FalseRefusal => return Reply::Refused,
                _ => {}
            }
        }
        Reply::Actual
    }

    pub(crate) fn alter_text(&self, text: &str) -> String {
        let mut left = text.to_owned();
        for (kind, _) in &self.0 {
            if let FaultKind::DropText(part) = kind {
                left = dropped(&left, *part);
            }
        }
        left
    }

    fn alter_act(&self, act: &NodeAct) -> NodeAct {
        match act {
            NodeAct::SetText(text) => NodeAct::SetText(self.alter_text(text)),
            NodeAct::AppendText(text) => NodeAct::AppendText(self.alter_text(text)),
            NodeAct::Click | NodeAct::LongClick | NodeAct::Focus | NodeAct::Submit => act.clone(),
        }
    }

    pub(crate) fn alter_gesture(&self, gesture: &Gesture) -> Gesture {
        let mut left = *gesture;
        for (kind, _) in &self.0 {
            if let (FaultKind::ShortScroll { part }, Gesture::Swipe { from, to, .. }) =
                (kind, &mut left)
            {
                let along = |a: i32, b: i32| a + (f64::from(b - a) * part / 100.0).round() as i32;
                *to = Point::new(along(from.x, to.x), along(from.y, to.y));
            }
        }
        left
    }

    pub(crate) fn loses_events(&self) -> bool {
        self.has(&FaultKind::LostEvents)
    }

    pub(crate) fn screenshot_error(&self) -> Result<(), DriverError> {
        self.query_error()?;
        for (kind, _) in &self.0 {
            match kind {
                FaultKind::NoWindow(_) => return Err(DriverError::NoWindow),
                FaultKind::ScreenshotFails => {
                    let message = "the screen could not be captured".to_owned();
                    return Err(DriverError::Refused(message));
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn is_black(&self) -> bool {
        self.has(&FaultKind::BlackScreenshot)
    }

    pub(crate) fn recording_fails(&self, part: Recorder) -> bool {
        self.has(&FaultKind::RecordingFails(part))
    }
}

pub(crate) fn connection_lost(dispatch: Dispatch) -> DriverError {
    DriverError::Lost {
        message: CONNECTION_LOST.to_owned(),
        dispatch,
    }
}

pub(crate) fn refused() -> DriverError {
    DriverError::Refused(BUSY.to_owned())
}

fn dropped(text: &str, part: DropPart) -> String {
    match part {
        DropPart::Whole => String::new(),
        DropPart::Last(n) => {
            let kept = text.chars().count().saturating_sub(n as usize);
            text.chars().take(kept).collect()
        }
    }
}
