//! Watches the documents of a page for changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cdp::{FrameId, Session};
use dom::{Handle, ScopeKind};

use super::join::JoinedPage;
use super::locate::resolve_in;
use super::observation::{ScopeSource, ScopeSources};
use super::observer::{DocumentWatch, PageObserver};
use super::world;

impl PageObserver {
    /// Our world in a frame.
    pub(super) async fn world(&mut self, session: usize, frame: &FrameId) -> cdp::Result<i64> {
        let documents = self.events.state().documents;
        if self.worlds_documents != documents {
            // Worlds of removed documents are gone; the others are created with the same id again.
            self.worlds.clear();
            self.worlds_documents = documents;
        }
        let key = (session, frame.clone());
        if let Some(world) = self.worlds.get(&key) {
            return Ok(*world);
        }
        let state = self.events.state();
        let connection = self.session.connection();
        let session = state
            .session(connection, session)
            .unwrap_or_else(|| self.session.clone());
        let made = session.call(&world::create_world(frame)).await?;
        self.worlds.insert(key, made.execution_context_id);
        Ok(made.execution_context_id)
    }

    /// Registers our world in the root frame.
    pub(crate) fn set_main_world(&mut self, world: i64) {
        let state = self.events.state();
        if let (true, Some(page)) = (
            state.documents == self.worlds_documents,
            state.sessions.first(),
        ) {
            let frame = FrameId::from(page.target.as_str());
            self.worlds.insert((0, frame), world);
        }
    }

    /// Watches a document for changes; returns whether it was already being watched, without a reported change.
    pub(super) fn watch(&mut self, session: &Session, index: usize, world: i64) -> bool {
        let key = (index, world);
        let pending = self
            .watches
            .get(&key)
            .is_some_and(|watch| watch.pending.load(Ordering::Acquire));
        if pending {
            return true;
        }
        let roots = self
            .watches
            .remove(&key)
            .map_or_else(Vec::new, |mut watch| std::mem::take(&mut watch.roots));
        let call = world::watch(session, world, &[]);
        let pending = Arc::new(AtomicBool::new(true));
        let (events, waiting) = (Arc::clone(&self.events), Arc::clone(&pending));
        let task = tokio::spawn(async move {
            // An error means that the document is gone, which is a change, too.
            let _ = call.await;
            waiting.store(false, Ordering::Release);
            events.note_change();
        });
        let watch = DocumentWatch {
            pending,
            task: task.abort_handle(),
            roots,
        };
        self.watches.insert(key, watch);
        false
    }

    /// Watches the documents of frames and closed shadow trees.
    pub(super) async fn watch_frames(&mut self, joined: &JoinedPage, sources: &ScopeSources) {
        let mut done: Vec<(usize, i64)> = Vec::new();
        for source in &sources.scopes {
            let index = source.session as usize;
            let Some(session) = self.session_of(Handle {
                session: source.session,
                node: 0,
            }) else {
                continue;
            };
            // The removal of a document is reported separately.
            let Ok(world) = self.world(index, &source.frame).await else {
                continue;
            };
            if !done.contains(&(index, world)) {
                done.push((index, world));
                self.watch(&session, index, world);
            }
        }
        for (scope, source) in joined.dom.scopes().iter().zip(&sources.scopes) {
            if let (ScopeKind::ClosedShadow, Some(root)) = (scope.kind, source.root) {
                self.watch_root(source, root).await;
            }
        }
        self.watches.retain(|key, _| done.contains(key));
    }

    async fn watch_root(&mut self, source: &ScopeSource, root: i64) {
        let Ok(world) = self.world(source.session as usize, &source.frame).await else {
            return;
        };
        let known = |watch: &DocumentWatch| watch.roots.contains(&root);
        let key = (source.session as usize, world);
        if self.watches.get(&key).is_none_or(known) {
            return;
        }
        let Some(session) = self.session_of(Handle {
            session: source.session,
            node: root,
        }) else {
            return;
        };
        let Ok(object) = resolve_in(&session, root, world).await else {
            return;
        };
        // The promise of the document is already awaited.
        drop(world::watch(&session, world, std::slice::from_ref(&object)));
        if let Some(watch) = self.watches.get_mut(&key) {
            watch.roots.push(root);
        }
    }
}
