//! Matches selectors in documents, through shadow hosts and frames.

use cdp::protocol::dom::DescribeNode;
use cdp::protocol::runtime::{GetProperties, ReleaseObjectGroup};
use dom::{Dom, ElementId, Handle, ScopeId, ScopeKind};
use driver::{Cx, DriverError, Result};

use super::locate::resolve_in;
use super::observation::{ScopeSource, ScopeSources};
use super::observer::PageObserver;
use super::process_capture::CaptureError;
use super::world::{self, Hits};

/// The matches of a selector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectorHits {
    /// The matches that are part of the last observation, in document order without duplicates.
    pub elements: Vec<ElementId>,
    /// The number of other matches.
    pub unknown: usize,
}

impl PageObserver {
    /// The current matches of a selector, without another observation.
    ///
    /// # Errors
    /// [`DriverError::CssInvalid`] for an invalid selector, [`DriverError::Stale`] without an observation, and
    /// errors of an unresponsive page.
    pub async fn select(&mut self, cx: &Cx, css: &str) -> Result<SelectorHits> {
        let last = self.last.clone().ok_or(DriverError::Stale)?;
        let found = cx.run(self.find(&last.dom, &last.sources, css)).await?;
        match found {
            Ok(selected) => Ok(selected),
            Err(CaptureError::Changed(why)) => Err(DriverError::Incomplete(why)),
            Err(CaptureError::Failed(error)) => Err(error),
        }
    }

    /// The matches of a selector on an observed page.
    pub(super) async fn find(
        &mut self,
        dom: &Dom,
        sources: &ScopeSources,
        css: &str,
    ) -> std::result::Result<SelectorHits, CaptureError> {
        let wrong = |reason: String| {
            CaptureError::Failed(DriverError::CssInvalid {
                selector: css.to_owned(),
                reason,
            })
        };
        let steps: Vec<&str> = css.split(">>>").map(str::trim).collect();
        if steps.iter().any(|step| step.is_empty()) {
            return Err(wrong("a part of it is empty".to_owned()));
        }
        let mut scopes: Vec<ScopeId> = vec![dom.page()];
        let mut selected = SelectorHits::default();
        for (at, step) in steps.iter().enumerate() {
            selected = SelectorHits::default();
            for scope in &scopes {
                match self.find_in(dom, sources, *scope, step).await? {
                    Ok((elements, unknown)) => {
                        selected.elements.extend(elements);
                        selected.unknown += unknown;
                    }
                    Err(reason) => return Err(wrong(reason)),
                }
            }
            selected.elements.sort_unstable();
            selected.elements.dedup();
            if at + 1 < steps.len() {
                scopes = dom.hosted(&selected.elements);
                // Without a scope the selector still has to be valid.
                if scopes.is_empty() {
                    for step in steps.iter().skip(at + 1) {
                        if let Err(reason) = self.find_in(dom, sources, dom.page(), step).await? {
                            return Err(wrong(reason));
                        }
                    }
                    return Ok(SelectorHits::default());
                }
            }
        }
        Ok(selected)
    }

    /// The matches of a selector in one scope: elements, and the number of unknown ones. The inner error says
    /// why the selector is invalid.
    async fn find_in(
        &mut self,
        dom: &Dom,
        sources: &ScopeSources,
        scope: ScopeId,
        selector: &str,
    ) -> std::result::Result<std::result::Result<(Vec<ElementId>, usize), String>, CaptureError>
    {
        let moved = || CaptureError::Changed("a frame is gone".to_owned());
        let source = sources.scopes.get(scope.index()).ok_or_else(moved)?;
        let handle = Handle {
            session: source.session,
            node: 0,
        };
        let session = self.session_of(handle).ok_or_else(moved)?;
        let world = self
            .world(source.session as usize, &source.frame)
            .await
            .map_err(CaptureError::of)?;
        let shadow = dom.scope(scope).kind != ScopeKind::Document;
        let root = match (shadow, source.root) {
            (false, _) => None,
            (true, Some(root)) => Some(
                resolve_in(&session, root, world)
                    .await
                    .map_err(CaptureError::of)?,
            ),
            (true, None) => return Err(moved()),
        };
        let answer = world::select(&session, world, root.as_ref(), selector)
            .await
            .map_err(CaptureError::of)?;
        match world::read_hits(&answer) {
            Some(Hits::Invalid(reason)) => Ok(Err(reason)),
            Some(Hits::Indexes(all, places)) => {
                let known: Vec<ElementId> = dom.in_scope(scope).collect();
                if known.len() != all {
                    // Some are in no snapshot, or appeared later: each match is identified by its object.
                    let objects = world::hits(&session, world, root.as_ref(), selector);
                    return self.name_hits(dom, sources, source, objects).await.map(Ok);
                }
                let hits = places.iter().map(|(index, name)| {
                    let id = *known.get(*index)?;
                    dom.element(id).tag.eq_ignore_ascii_case(name).then_some(id)
                });
                let hits: Vec<Option<ElementId>> = hits.collect();
                let unknown = hits.iter().filter(|hit| hit.is_none()).count();
                Ok(Ok((hits.into_iter().flatten().collect(), unknown)))
            }
            None => Err(CaptureError::Changed(
                "no answer from the document".to_owned(),
            )),
        }
    }

    /// Identifies the elements of matched objects, and counts unknown ones.
    async fn name_hits(
        &self,
        dom: &Dom,
        sources: &ScopeSources,
        source: &ScopeSource,
        objects: cdp::Call<cdp::protocol::runtime::Evaluated>,
    ) -> std::result::Result<(Vec<ElementId>, usize), CaptureError> {
        let moved = || CaptureError::Changed("the document changed".to_owned());
        let handle = Handle {
            session: source.session,
            node: 0,
        };
        let session = self.session_of(handle).ok_or_else(moved)?;
        let list = objects.await.map_err(CaptureError::of)?.result.object_id;
        let list = GetProperties {
            object_id: list.ok_or_else(moved)?,
            own_properties: Some(true),
        };
        let list = session.call(&list).await.map_err(CaptureError::of)?.result;
        let hits = list
            .iter()
            .filter(|property| property.name.parse::<u32>().is_ok());
        let hits = hits.filter_map(|property| property.value.as_ref()?.object_id.as_ref());
        let calls: Vec<_> = hits
            .map(|object| {
                session.call(&DescribeNode {
                    node: object.into(),
                    ..DescribeNode::default()
                })
            })
            .collect();
        let mut found = (Vec::new(), 0);
        for answer in calls {
            let node = answer
                .await
                .map_err(CaptureError::of)?
                .node
                .backend_node_id
                .0;
            let handle = Handle { node, ..handle };
            match sources.by_handle.get(&handle) {
                Some(id) if dom.get(id.index()).is_some() => found.0.push(*id),
                _ => found.1 += 1,
            }
        }
        let group = ReleaseObjectGroup {
            object_group: world::HITS_GROUP,
        };
        drop(session.call(&group));
        Ok(found)
    }
}
