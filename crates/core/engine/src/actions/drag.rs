//! `drag`: press at one place, move to another, release there.

use contract::actions::Drag;
use contract::keys::ParamKey;
use contract::{ErrorCode, Place, StepData};
use driver::{Gesture, MouseAct, MouseTarget, Observation, Platform};
use uitree::{NodeId, Point};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::cover::{covering, describe_cover};
use crate::describe::describe_node;
use crate::failure::Failure;
use crate::find::OffScreenPolicy;
use crate::lookup::{LookupResult, NodeTarget, look_up};

pub(super) async fn perform(ctx: &mut StepContext<'_>, params: &Drag) -> Result<StepData, Failure> {
    let mut backoff = Backoff::of(&params.retry());
    let ends = loop {
        let ends = find_ends(ctx, params, &mut backoff).await?;
        match drag(ctx, params, &ends).await {
            Ok(()) => break ends,
            Err(failure) => ctx.back_off(failure, &mut backoff).await?,
        }
    };
    let mut data = StepData::default();
    let pressed = match ends.from {
        End::Point(at) => Some(at),
        End::Node(_) => ctx.driver.last_touch().or_else(|| ends.center(ends.from)),
    };
    if let Some(at) = pressed {
        data.push("coordinate", at.to_string());
    }
    data.push("duration_ms", params.duration().to_string());
    Ok(data)
}

/// An end of a drag.
#[derive(Clone, Copy)]
enum End {
    Node(NodeId),
    Point(Point),
}

/// Both ends, whose nodes are on one screen.
struct Ends {
    seen: Option<Observation>,
    from: End,
    to: End,
}

impl Ends {
    /// The center of an end.
    fn center(&self, end: End) -> Option<Point> {
        match (end, &self.seen) {
            (End::Point(at), _) => Some(at),
            (End::Node(id), Some(seen)) => Some(seen.tree.visible_bounds(id)?.center()),
            (End::Node(_), None) => None,
        }
    }

    /// An end for the mouse.
    fn mouse(&self, end: End) -> Option<MouseTarget> {
        match (end, &self.seen) {
            (End::Point(at), _) => Some(MouseTarget::Point(at)),
            (End::Node(id), Some(seen)) => Some(MouseTarget::Node(seen.node_ref(id))),
            (End::Node(_), None) => None,
        }
    }
}

/// Finds both ends, the start last, so that it is on the screen.
async fn find_ends(
    ctx: &mut StepContext<'_>,
    params: &Drag,
    backoff: &mut Backoff,
) -> Result<Ends, Failure> {
    let mut ends = Ends {
        seen: None,
        from: End::Point(Point::new(0, 0)),
        to: End::Point(Point::new(0, 0)),
    };
    for (key, place) in [(ParamKey::To, &params.to), (ParamKey::From, &params.from)] {
        let end = match place {
            Place::Point(at) => End::Point(super::point(*at)),
            Place::Node(matcher) => {
                let target = NodeTarget {
                    matcher,
                    container: None,
                };
                let found = ctx
                    .find_with_backoff(target, backoff, OffScreenPolicy::ScrollIntoView)
                    .await?;
                let taken = "the first one in reading order";
                ctx.warn_on_several_matches(key, matcher, found.all.len(), taken);
                ends.seen = Some(found.seen);
                End::Node(found.first)
            }
        };
        match key {
            ParamKey::To => ends.to = end,
            _ => ends.from = end,
        }
    }
    if let (Place::Node(matcher), End::Node(_), Some(seen)) = (&params.to, ends.from, &ends.seen) {
        let target = NodeTarget {
            matcher,
            container: None,
        };
        match look_up(seen.clone(), target) {
            LookupResult::Found(found) => ends.to = End::Node(found.first),
            LookupResult::Missing(_, failure) | LookupResult::Unreadable(failure) => {
                return Err(failure.with_reason(
                    "the start and the end of a drag must be visible at the same time",
                ));
            }
        }
    }
    Ok(ends)
}

/// Drags from one end to the other, once.
async fn drag(ctx: &mut StepContext<'_>, params: &Drag, ends: &Ends) -> Result<(), Failure> {
    let duration = params.duration().to_duration();
    if ctx.driver.info().platform == Platform::Web
        && let (Some(from), Some(to)) = (ends.mouse(ends.from), ends.mouse(ends.to))
    {
        let act = MouseAct::DragTo { to, duration };
        return ctx.mouse(from, act).await.map_err(|failure| {
            failure.recode(ErrorCode::GestureFailed, ErrorCode::NodeNotClickable)
        });
    }
    let from = touch_point(ends, ends.from)?;
    let to = touch_point(ends, ends.to)?;
    if let (End::Node(id), Some(seen)) = (ends.from, &ends.seen)
        && !ctx.is_stable(seen, id, from).await?
    {
        let message = format!("{} keeps moving", describe_node(seen.tree.node(id)));
        return Err(Failure::new(ErrorCode::NodeNotClickable, message).retryable());
    }
    ctx.touch(&Gesture::Drag { from, to, duration }).await
}

/// Where a finger meets an end, which nothing may cover.
fn touch_point(ends: &Ends, end: End) -> Result<Point, Failure> {
    let (End::Node(id), Some(seen)) = (end, &ends.seen) else {
        return Ok(ends.center(end).unwrap_or(Point::new(-1, -1)));
    };
    let tree = &seen.tree;
    let refuse = |why: String| Failure::new(ErrorCode::NodeNotClickable, why);
    let Some(at) = ends.center(end) else {
        let message = format!(
            "{} has no bounds on the screen",
            describe_node(tree.node(id))
        );
        return Err(refuse(message).retryable());
    };
    match covering(tree, id, at) {
        None => Ok(at),
        Some(above) => {
            let message = format!(
                "{} is covered by {}",
                describe_node(tree.node(id)),
                describe_cover(tree, above)
            );
            Err(refuse(message).retryable_after_change())
        }
    }
}
