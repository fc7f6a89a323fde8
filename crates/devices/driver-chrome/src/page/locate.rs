//! Current positions of elements, and script objects for them.

use cdp::protocol::dom::{GetBoxModel, GetContentQuads, GetFrameOwner, NodeRef, ResolveNode};
use cdp::{FrameId, ObjectId, Session};
use dom::Handle;
use driver::{Cx, DriverError, Result};
use uitree::Rect;

use super::affine::{Affine, Area, bounding_area};
use super::observer::{PageObserver, lost_error};
use super::world;

/// The position of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementBox {
    /// Its border box, in device pixels of the page's viewport.
    pub bounds: Rect,
    /// The part within the viewports of the page and of all ancestor frames. Other clips are ignored.
    pub visible: Option<Rect>,
}

impl PageObserver {
    /// The current position of an element.
    ///
    /// # Errors
    /// [`DriverError::Stale`] if it is gone or has no box.
    pub async fn locate(&mut self, cx: &Cx, handle: Handle) -> Result<ElementBox> {
        let session = self.session_of(handle).ok_or(DriverError::Stale)?;
        let quads = GetContentQuads {
            node: number(handle.node),
        };
        let quads = cx.run(session.call(&quads)).await?.map_err(stale)?.quads;
        let mut boxes = quads.iter().map(bounding_area);
        let first = boxes.next().ok_or(DriverError::Stale)?;
        let border_box = boxes.fold(first, |all, next| all.join(&next));
        let mut clips = Vec::new();
        let map = self
            .process_map(cx, handle.session as usize, &mut clips)
            .await?;
        let bounds = map.area(&border_box);
        let mut visible = bounds;
        for clip in clips {
            visible = visible.intersect(&clip);
        }
        let screen = self.screen();
        let visible = visible.to_rect().intersect(&screen.to_rect());
        Ok(ElementBox {
            bounds: bounds.to_rect(),
            visible,
        })
    }

    /// An object for an element in our world of its frame, to call functions on it.
    ///
    /// # Errors
    /// [`DriverError::Stale`] if it is gone.
    pub async fn resolve(&mut self, cx: &Cx, handle: Handle) -> Result<(Session, ObjectId)> {
        let last = self.last.clone().ok_or(DriverError::Stale)?;
        let session = self.session_of(handle).ok_or(DriverError::Stale)?;
        let element = last.element_of(handle).ok_or(DriverError::Stale)?;
        let scope = last.dom.element(element).scope;
        let source = last.sources.scopes.get(scope.index()).cloned();
        let frame = source.ok_or(DriverError::Stale)?.frame;
        let world = cx
            .run(self.world(handle.session as usize, &frame))
            .await?
            .map_err(stale)?;
        let resolve = ResolveNode {
            node: number(handle.node),
            object_group: Some(world::GROUP),
            execution_context_id: Some(world),
        };
        let resolved = cx.run(session.call(&resolve)).await?.map_err(stale)?;
        let object = resolved.object.object_id.ok_or(DriverError::Stale)?;
        Ok((session, object))
    }

    /// Maps CSS pixels of the viewport of a process to device pixels of the page, through all frames in
    /// between.
    async fn process_map(&self, cx: &Cx, index: usize, clips: &mut Vec<Area>) -> Result<Affine> {
        let state = self.events.state();
        let mut steps = Vec::new();
        let mut at = index;
        while at != 0 {
            let frames = state.sessions.get(at).ok_or(DriverError::Stale)?;
            let parent = state
                .session(self.session.connection(), frames.parent)
                .ok_or(DriverError::Stale)?;
            let owner = GetFrameOwner {
                frame_id: FrameId::from(frames.target.as_str()),
            };
            let owner = cx.run(parent.call(&owner)).await?.map_err(stale)?;
            let model = GetBoxModel {
                node: owner.backend_node_id.into(),
            };
            let model = cx.run(parent.call(&model)).await?.map_err(stale)?.model;
            let quad =
                <[f64; 8]>::try_from(model.content.as_slice()).map_err(|_| DriverError::Stale)?;
            let view = self.views.get(at).copied().unwrap_or_default();
            steps.push((quad, view));
            at = frames.parent;
        }
        let mut map = self.views.first().copied().unwrap_or_default().to_device();
        for (quad, view) in steps.iter().rev() {
            clips.push(bounding_area(&map.quad(quad)));
            let onto = Affine::onto(quad, (0.0, 0.0), view.width, view.height);
            map = onto.ok_or(DriverError::Stale)?.then(&map);
        }
        Ok(map)
    }
}

fn number(node: i64) -> NodeRef {
    cdp::protocol::BackendNodeId(node).into()
}

pub(super) async fn resolve_in(session: &Session, node: i64, world: i64) -> cdp::Result<ObjectId> {
    let resolve = ResolveNode {
        node: number(node),
        object_group: Some(world::GROUP),
        execution_context_id: Some(world),
    };
    let resolved = session.call(&resolve).await?;
    resolved.object.object_id.ok_or(cdp::Error::Malformed {
        method: "DOM.resolveNode",
        message: "it returned no object".to_owned(),
    })
}

/// As [`lost_error`], for a query about one node.
fn stale(error: cdp::Error) -> DriverError {
    match error {
        cdp::Error::Protocol { .. } => DriverError::Stale,
        cdp::Error::Gone {
            reason: cdp::GoneReason::Detached | cdp::GoneReason::Navigated,
            ..
        } => DriverError::Stale,
        error => lost_error(error),
    }
}
