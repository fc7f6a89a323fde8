//! What becomes of a driver's call that faults have struck.

use std::time::Duration;

use driver::{Dispatch, DriverError, Gesture, NodeAct, NodeRef, Observation};
use uitree::Point;

use super::armed::QueuedInput;
use crate::phone::Phone;
use crate::seed::Dice;
use sim_format::fault::{Answer, Calls, DropPart, FaultKind, Recorder, Unseen};

/// What the device says when it is gone.
const GONE: &str = "the connection broke";

/// What the device says when it refuses.
const BUSY: &str = "it is busy";

/// The faults that struck one call.
#[derive(Debug, Default)]
pub(crate) struct Strikes(Vec<(FaultKind, Dice)>);

/// What a driver answers to an input that was struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// As the device answered.
    True,
    /// That it was refused.
    Refused,
    /// Nothing, until the caller's time is over.
    Never,
    /// That the connection broke on the way.
    Gone,
}

impl Phone {
    /// How much longer a call takes. Without faults nothing is asked and nothing thrown.
    pub(crate) fn latency_of(&mut self, calls: Calls) -> Duration {
        if self.faults.is_empty() {
            return Duration::ZERO;
        }
        let late = |kind: &FaultKind| matches!(kind, FaultKind::Latency { .. });
        let front = self.tasks.front().clone();
        let struck = self.faults.strike(self.clock.now(), calls, &front, late);
        let mut total = Duration::ZERO;
        for (kind, _, mut dice) in struck {
            if let FaultKind::Latency { least, most } = kind {
                let time = dice.between(least, most);
                self.note_fault(&kind, Some(format!("{calls} {} ms", time.as_millis())));
                total += time;
            }
        }
        total
    }

    /// Which faults strike a call; what happens to the phone has happened when this returns.
    pub(crate) fn struck(&mut self, calls: Calls) -> Strikes {
        if self.faults.is_empty() {
            return Strikes::default();
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
        let mut left = Strikes::default();
        for (kind, lasts, dice) in self.faults.strike(self.clock.now(), calls, &front, own) {
            if kind.row().moment || kind == FaultKind::Reorder {
                self.fall(&kind, lasts, dice);
            } else {
                self.note_fault(&kind, None);
                left.0.push((kind, dice));
            }
        }
        left
    }

    /// What a look sees.
    pub(crate) fn observe_struck(&mut self, struck: Strikes) -> Result<Observation, DriverError> {
        self.faults.mask = None;
        let view = self.view();
        self.faults.remember(self.clock.now(), &view);
        let awake = self.is_awake();
        for (kind, mut dice) in struck.0 {
            match kind {
                FaultKind::HalfTree => {
                    let all = view.tree.len();
                    let read = dice.below(all as u64);
                    let message = format!("{read} of {all} nodes");
                    return Err(DriverError::Incomplete(message));
                }
                FaultKind::NoWindow(Unseen::Refused) => return Err(DriverError::NoWindow),
                FaultKind::NoWindow(Unseen::Empty) if awake => return Ok(self.report_nothing()),
                FaultKind::WrongWindow if awake => return Ok(self.report_launcher()),
                FaultKind::MissingSubtree { of } if awake => {
                    return Ok(self.report_part(&of, &mut dice));
                }
                FaultKind::StaleTree { age } if awake => {
                    if let Some(old) = self.faults.seen_before(self.clock.now(), age) {
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

    /// Does something to a node, unless faults keep it from arriving.
    pub(crate) fn act_struck(
        &mut self,
        struck: &Strikes,
        node: NodeRef,
        act: &NodeAct,
    ) -> Result<(), DriverError> {
        let act = struck.text_left(act);
        let Some(times) = struck.times() else {
            return Ok(());
        };
        if self.keeps(QueuedInput::Act(node, act.clone())) {
            return Ok(());
        }
        let done = self.act(node, &act);
        for _ in 1..times {
            // The second one meets whatever is there by then.
            drop(self.act(node, &act));
        }
        done
    }

    /// Whether the input never arrives now: lost, or kept by a screen that is frozen.
    pub(crate) fn swallows(&mut self, struck: &Strikes, input: QueuedInput) -> bool {
        struck.times().is_none() || self.keeps(input)
    }
}

impl Strikes {
    fn has(&self, wanted: &FaultKind) -> bool {
        self.0.iter().any(|(kind, _)| kind == wanted)
    }

    /// An error instead of the call: nothing of it has reached the device.
    pub(crate) fn refusal(&self) -> Result<(), DriverError> {
        for (kind, _) in &self.0 {
            match kind {
                FaultKind::Disconnect(Answer::Unsent) => {
                    return Err(lost(Dispatch::NotSent));
                }
                FaultKind::Refuse => return Err(DriverError::Refused(BUSY.to_owned())),
                _ => {}
            }
        }
        Ok(())
    }

    /// A look has nothing that could have arrived: without a connection there is no answer to it.
    pub(crate) fn look_refusal(&self) -> Result<(), DriverError> {
        self.refusal()?;
        if self.has(&FaultKind::Disconnect(Answer::Lost)) {
            return Err(lost(Dispatch::NotSent));
        }
        Ok(())
    }

    /// What the caller hears of an input that was made.
    pub(crate) fn reply(&self) -> Reply {
        for (kind, _) in &self.0 {
            match kind {
                FaultKind::Disconnect(Answer::Lost) => return Reply::Gone,
                FaultKind::Unanswered => return Reply::Never,
                FaultKind::FalseRefusal => return Reply::Refused,
                _ => {}
            }
        }
        Reply::True
    }

    /// How often a gesture arrives; `None` when it does not.
    pub(crate) fn times(&self) -> Option<u32> {
        if self.has(&FaultKind::LoseGesture) {
            None
        } else if self.has(&FaultKind::DoubleGesture) {
            Some(2)
        } else {
            Some(1)
        }
    }

    /// What is left of the text that an act writes.
    pub(crate) fn text_left(&self, act: &NodeAct) -> NodeAct {
        let Some(text) = Phone::writes(act) else {
            return act.clone();
        };
        let mut left = text.clone();
        for (kind, _) in &self.0 {
            if let FaultKind::DropText(part) = kind {
                left = dropped(&left, *part);
            }
        }
        match act {
            NodeAct::AppendText(_) => NodeAct::AppendText(left),
            _ => NodeAct::SetText(left),
        }
    }

    /// The gesture as it arrives.
    pub(crate) fn gesture_left(&self, gesture: &Gesture) -> Gesture {
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

    /// Whether changes are not reported.
    pub(crate) fn is_deaf(&self) -> bool {
        self.has(&FaultKind::LostEvents)
    }

    /// Whether a picture cannot be taken.
    pub(crate) fn picture_refusal(&self) -> Result<(), DriverError> {
        self.look_refusal()?;
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

    /// Whether a picture is black.
    pub(crate) fn is_black(&self) -> bool {
        self.has(&FaultKind::BlackScreenshot)
    }

    /// Whether this part of a recording fails.
    pub(crate) fn recording_fails(&self, part: Recorder) -> bool {
        self.has(&FaultKind::RecordingFails(part))
    }
}

/// The device is gone.
pub(crate) fn lost(dispatch: Dispatch) -> DriverError {
    DriverError::Lost {
        message: GONE.to_owned(),
        dispatch,
    }
}

/// The device says that it refused.
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
