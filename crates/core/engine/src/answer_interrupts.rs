//! Runs the rules for interruptions before a look-up.

use std::time::Duration;

use contract::{
    ClickType, Effect, ErrorCode, InterruptOutcome, InterruptRule, KeyPress, Params, Retry,
};
use driver::{Dispatch, Observation};
use tokio::time::Instant;
use uitree::{NodeId, Point, State};

use crate::actions::point;
use crate::backoff::Backoff;
use crate::click_target::{click_target, first_clickable};
use crate::context::StepContext;
use crate::device_session::ChangeWait;
use crate::failure::Failure;
use crate::interrupts::{is_forbidden, is_shown};
use crate::screen_lookup::{LookupResult, NodeMatches, NodeTarget, look_up};

/// How long to wait until an answered interruption disappears.
const DISAPPEAR_TIMEOUT: Duration = Duration::from_secs(2);

/// What the action of a rule touches on a screen.
enum Touch<'a> {
    /// A match of its matcher.
    Node(NodeTarget<'a>, NodeMatches, ClickType),
    /// A point.
    Point(Point, ClickType),
    /// Keys.
    Keys(KeyPress),
}

/// Whether a rule may touch its target.
enum Permission<'a> {
    Granted(Touch<'a>),
    /// Its target is not on the screen.
    NoTarget,
    /// Its target must never be touched.
    Forbidden,
}

impl StepContext<'_> {
    /// Observes the screen for a look-up, after the rules for interruptions have run.
    pub(crate) async fn observe_uninterrupted(&mut self) -> Result<Observation, Failure> {
        let seen = self.observe().await?;
        self.answer_interrupts(seen).await
    }

    /// Runs the rules that apply to a screen; returns the screen after them.
    pub(crate) async fn answer_interrupts(
        &mut self,
        mut seen: Observation,
    ) -> Result<Observation, Failure> {
        // Rules that cannot run on this screen.
        let mut left_out = Vec::new();
        loop {
            self.interrupts.note_gone(&seen.tree);
            let Some(index) = self.interrupts.next(&seen.tree, &left_out) else {
                return Ok(seen);
            };
            seen = self.run_rule(index, seen, &mut left_out).await?;
        }
    }

    /// Runs a rule, with the retries of its action; returns the screen after it.
    async fn run_rule(
        &mut self,
        index: usize,
        mut seen: Observation,
        left_out: &mut Vec<usize>,
    ) -> Result<Observation, Failure> {
        let Some(rule) = self.interrupts.rule(index) else {
            return Ok(seen);
        };
        let mut backoff = Backoff::new(&retry_of(rule.params()));
        let mut has_begun = false;
        loop {
            let mut permission = self.permission(rule, &seen);
            if let Permission::Granted(Touch::Node(target, found, click)) = permission {
                // The permission is decided on the screen that is touched.
                seen = match self.wait_for_rest(target, found, click).await {
                    Ok(found) => found.seen,
                    Err(failure) => {
                        let retried = self.back_off(failure, &mut backoff).await;
                        retried.map_err(|failure| not_answered(index, failure))?;
                        self.observe_when_readable().await?
                    }
                };
                if !is_shown(&seen.tree, rule) {
                    return Ok(self.withdraw_if_begun(has_begun, seen));
                }
                permission = self.permission(rule, &seen);
            }
            let touch = match permission {
                Permission::Granted(touch) => touch,
                Permission::NoTarget => {
                    left_out.push(index);
                    return Ok(self.withdraw_if_begun(has_begun, seen));
                }
                Permission::Forbidden => {
                    let seen = self.withdraw_if_begun(has_begun, seen);
                    self.interrupts.refuse(index, self.index);
                    return Ok(seen);
                }
            };
            if !std::mem::replace(&mut has_begun, true) {
                self.interrupts.begin(index, self.index);
            }
            self.interrupts.set_outcome(InterruptOutcome::Unknown);
            self.interrupts.answering = true;
            let done = self.perform_touch(&touch).await;
            self.interrupts.answering = false;
            match done {
                Ok(()) => return self.wait_until_gone(rule).await,
                Err(failure) => {
                    if self.device.dispatch() != Dispatch::Unknown {
                        self.interrupts.set_outcome(InterruptOutcome::Failed);
                    }
                    let retried = self.back_off(failure, &mut backoff).await;
                    retried.map_err(|failure| not_answered(index, failure))?;
                }
            }
            seen = self.observe_when_readable().await?;
            if !is_shown(&seen.tree, rule) {
                return Ok(self.withdraw_if_begun(has_begun, seen));
            }
        }
    }

    /// Forgets a rule that has begun: nothing was sent, and it does not run on this screen.
    fn withdraw_if_begun(&mut self, has_begun: bool, seen: Observation) -> Observation {
        if has_begun {
            self.interrupts.withdraw();
        }
        seen
    }

    /// What the action of a rule touches, if that is allowed.
    fn permission<'a>(&self, rule: &'a InterruptRule, seen: &Observation) -> Permission<'a> {
        let tree = &seen.tree;
        let facts = rule.params().facts();
        let (touch, touched): (_, Vec<NodeId>) = match (facts.effects.first(), facts.matchers) {
            (Some(Effect::Press(click)), [Some(matcher), container]) => {
                let target = NodeTarget { matcher, container };
                let LookupResult::Found(found) = look_up(seen.clone(), target) else {
                    return Permission::NoTarget;
                };
                let touched = self.clicked_nodes(&found, *click);
                (Touch::Node(target, found, *click), touched)
            }
            (Some(Effect::PressAt(click, at)), _) => {
                let at = point(*at);
                let is_hit = |id: &NodeId| {
                    let bounds = tree.visible_bounds(*id);
                    bounds.is_some_and(|bounds| bounds.contains(at))
                };
                let hit: Vec<NodeId> = tree.on_screen().filter(is_hit).collect();
                let is_innermost = |id: &NodeId| {
                    let mut others = hit.iter().filter(|other| *other != id);
                    !others.any(|other| tree.contains(*id, *other))
                };
                // Their ancestors are checked with them.
                let touched = hit.iter().copied().filter(is_innermost).collect();
                (Touch::Point(at, *click), touched)
            }
            (Some(Effect::Key(key)), _) => {
                let focused = |id: &NodeId| tree.node(*id).is(State::FOCUSED);
                let touched = tree.on_screen().filter(focused).collect();
                (Touch::Keys(*key), touched)
            }
            // The contract accepts no other action in a rule.
            _ => return Permission::NoTarget,
        };
        let mut touched = touched.into_iter();
        if touched.any(|id| is_forbidden(tree, rule, id)) {
            return Permission::Forbidden;
        }
        Permission::Granted(touch)
    }

    /// The match that a click is for, and the node that receives it.
    fn clicked_nodes(&self, found: &NodeMatches, click: ClickType) -> Vec<NodeId> {
        let platform = self.device.platform();
        let matched = first_clickable(found, click, platform);
        let receiver = click_target(&found.seen.tree, matched, click, platform);
        let receiver = receiver.ok().map(|target| target.receiver());
        std::iter::once(matched).chain(receiver).collect()
    }

    async fn perform_touch(&mut self, touch: &Touch<'_>) -> Result<(), Failure> {
        match touch {
            Touch::Node(target, found, click) => {
                self.click_match(*target, found, *click).await.map(drop)
            }
            Touch::Point(at, click) => self.press_point(*at, *click).await,
            Touch::Keys(keys) => self.press_keys(*keys).await.map(drop).map_err(|failure| {
                failure.recode(ErrorCode::GestureFailed, ErrorCode::GlobalActionFailed)
            }),
        }
    }

    /// Waits until the node of a rule that ran is gone; returns the screen then.
    async fn wait_until_gone(&mut self, rule: &InterruptRule) -> Result<Observation, Failure> {
        let until = Instant::now() + DISAPPEAR_TIMEOUT;
        loop {
            let seen = self
                .observe_when_readable()
                .await
                .map_err(Failure::not_retryable)?;
            if !is_shown(&seen.tree, rule) {
                self.interrupts.set_outcome(InterruptOutcome::Done);
                return Ok(seen);
            }
            if self.device.wait_for_change(&seen, until).await? == ChangeWait::TimedOut
                || Instant::now() >= until
            {
                self.interrupts.set_outcome(InterruptOutcome::StillShown);
                return Ok(seen);
            }
        }
    }
}

/// The failure of a step whose interruption could not be answered. It is not repeated.
fn not_answered(index: usize, failure: Failure) -> Failure {
    failure
        .with_reason(&format!(
            "this was the action of the rule interrupts.{index}, not of the step"
        ))
        .with_data("interrupt_rule", index.to_string())
        .not_retryable()
}

/// The retry policy of the action of a rule.
fn retry_of(params: &Params) -> Retry {
    params.facts().retry.unwrap_or(Retry::NONE)
}
