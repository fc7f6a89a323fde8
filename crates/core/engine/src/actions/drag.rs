//! `drag`: press at one place, move to another, release there.

use contract::actions::Drag;
use contract::keys::ParamKey;
use contract::{ErrorCode, NodeMatcher, Place, StepData};
use driver::{Gesture, MouseAct, MouseTarget, Observation, Platform};
use uitree::{NodeId, Point, Rect, Refs};

use crate::backoff::Backoff;
use crate::context::StepContext;
use crate::cover::{covering, describe_covered};
use crate::describe::describe_node;
use crate::failure::Failure;
use crate::find_with_retries::OffScreenPolicy;
use crate::node_rest::content_bounds;
use crate::screen_lookup::{LookupResult, NodeTarget, look_up};

pub(super) async fn perform(ctx: &mut StepContext<'_>, params: &Drag) -> Result<StepData, Failure> {
    ctx.observe_before_blind_change().await;
    let mut backoff = Backoff::new(&params.retry());
    let pressed = loop {
        let (from, to) = find_ends(ctx, params, &mut backoff).await?;
        match drag(ctx, params, &from, &to).await {
            Ok(pressed) => break pressed,
            Err(failure) => ctx.back_off(failure, &mut backoff).await?,
        }
    };
    let mut data = StepData::default();
    if let Some(at) = pressed {
        data.push("coordinate", at.to_string());
    }
    data.push("duration_ms", params.duration().to_string());
    Ok(data)
}

/// An end of a drag.
enum End {
    Node { seen: Observation, id: NodeId },
    Point(Point),
}

impl End {
    /// The end for the mouse.
    fn for_mouse(&self) -> MouseTarget {
        match self {
            End::Node { seen, id } => MouseTarget::Node(seen.node_ref(*id)),
            End::Point(at) => MouseTarget::Point(*at),
        }
    }

    /// The node, and the screen that it is on.
    fn node(&self) -> Option<(&Observation, NodeId)> {
        match self {
            End::Node { seen, id } => Some((seen, *id)),
            End::Point(_) => None,
        }
    }

    /// Where a finger meets the end, which nothing may cover.
    fn for_finger(&self, refs: Option<&Refs>) -> Result<Point, Failure> {
        let (tree, id) = match self {
            End::Node { seen, id } => (&seen.tree, *id),
            End::Point(at) => return Ok(*at),
        };
        let node = describe_node(tree.node(id));
        let Some(at) = tree.visible_bounds(id).map(|bounds| bounds.center()) else {
            let message = format!("{node} has no bounds on the screen");
            return Err(Failure::new(ErrorCode::NodeNotClickable, message).retryable());
        };
        match covering(tree, id, at) {
            None => Ok(at),
            Some(above) => {
                let message = describe_covered(tree, id, above, refs);
                Err(Failure::new(ErrorCode::NodeNotClickable, message).retryable_after_change())
            }
        }
    }
}

const fn on_whole_screen(matcher: &NodeMatcher) -> NodeTarget<'_> {
    NodeTarget {
        matcher,
        container: None,
    }
}

/// Finds both ends on one screen, the start last, so that it is in view.
async fn find_ends(
    ctx: &mut StepContext<'_>,
    params: &Drag,
    backoff: &mut Backoff,
) -> Result<(End, End), Failure> {
    let to = find_end(ctx, ParamKey::To, &params.to, backoff).await?;
    let from = find_end(ctx, ParamKey::From, &params.from, backoff).await?;
    let (Place::Node(matcher), End::Node { seen, .. }) = (&params.to, &from) else {
        return Ok((from, to));
    };
    match look_up(seen.clone(), on_whole_screen(matcher)) {
        LookupResult::Found(found) => Ok((
            from,
            End::Node {
                id: found.first,
                seen: found.seen,
            },
        )),
        LookupResult::Missing(_, failure) | LookupResult::Unreadable(failure) => {
            Err(failure
                .with_reason("the start and the end of a drag must be visible at the same time"))
        }
    }
}

async fn find_end(
    ctx: &mut StepContext<'_>,
    key: ParamKey,
    place: &Place,
    backoff: &mut Backoff,
) -> Result<End, Failure> {
    let matcher = match place {
        Place::Point(at) => return Ok(End::Point(super::point(*at))),
        Place::Node(matcher) => matcher,
    };
    let found = ctx
        .find_with_backoff(
            on_whole_screen(matcher),
            backoff,
            OffScreenPolicy::ScrollIntoView,
        )
        .await?;
    ctx.warn_on_several_matches(
        key,
        matcher,
        (&found.seen.tree, &found.all),
        (found.first, "the first one in reading order"),
    );
    Ok(End::Node {
        id: found.first,
        seen: found.seen,
    })
}

/// The bounds of an end and its content on a screen; `None` if it is missing, or covered at the point that a finger touches.
fn free_bounds_of(seen: &Observation, place: &Place, at: Point) -> Option<Vec<Option<Rect>>> {
    let Place::Node(matcher) = place else {
        return Some(Vec::new());
    };
    let LookupResult::Found(found) = look_up(seen.clone(), on_whole_screen(matcher)) else {
        return None;
    };
    let tree = &found.seen.tree;
    let is_free = covering(tree, found.first, at).is_none();
    is_free.then(|| content_bounds(tree, found.first))
}

/// Drags from one end to the other, once; returns where it pressed, if the device reports it.
async fn drag(
    ctx: &mut StepContext<'_>,
    params: &Drag,
    from: &End,
    to: &End,
) -> Result<Option<Point>, Failure> {
    let duration = params.duration().to_duration();
    if ctx.device.platform() == Platform::Web {
        let to = to.for_mouse();
        let dragged = ctx
            .mouse(from.for_mouse(), MouseAct::DragTo { to, duration })
            .await;
        return match (dragged, from) {
            (Ok(dragged), _) => Ok(dragged.touched),
            (Err(failure), End::Node { seen, id }) => {
                Err(ctx.with_cover(&seen.tree, *id, Platform::Web, failure))
            }
            (Err(failure), End::Point(_)) => Err(failure),
        };
    }
    let refs = ctx.refs_for_answers();
    let refs = refs.as_ref();
    let (start, end) = (from.for_finger(refs)?, to.for_finger(refs)?);
    if let Some((seen, id)) = from.node().or(to.node()) {
        let places = |seen: &Observation| {
            let from = free_bounds_of(seen, &params.from, start)?;
            let to = free_bounds_of(seen, &params.to, end)?;
            Some([from, to].concat())
        };
        if !ctx.is_stable(seen, places).await? {
            let message = format!("{} keeps moving", describe_node(seen.tree.node(id)));
            return Err(Failure::new(ErrorCode::NodeNotClickable, message).retryable());
        }
    }
    let gesture = Gesture::Drag {
        from: start,
        to: end,
        duration,
    };
    ctx.touch(&gesture).await?;
    Ok(Some(start))
}
