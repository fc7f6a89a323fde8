//! Has the documents of a page tell when they change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cdp::{FrameId, Session};
use dom::{Handle, ScopeKind};

use super::eye::{PageEye, Watched};
use super::join::Joined;
use super::locate::resolve_in;
use super::seen::{Source, Sources};
use super::world;

impl PageEye {
    /// The number of the world of ours in a frame.
    pub(super) async fn world(&mut self, session: usize, frame: &FrameId) -> cdp::Result<i64> {
        let documents = self.ears.heard().documents;
        if self.worlds_of != documents {
            // Documents that are gone took their worlds along; those that stay give the same one again.
            self.worlds.clear();
            self.worlds_of = documents;
        }
        let key = (session, frame.clone());
        if let Some(world) = self.worlds.get(&key) {
            return Ok(*world);
        }
        let heard = self.ears.heard();
        let connection = self.session.connection();
        let session = heard
            .session(connection, session)
            .unwrap_or_else(|| self.session.clone());
        let made = session.call(&world::create(frame)).await?;
        self.worlds.insert(key, made.execution_context_id);
        Ok(made.execution_context_id)
    }

    /// Notes the number of the world of ours in the outermost frame, as the answer just told.
    pub(crate) fn know_world(&mut self, world: i64) {
        let heard = self.ears.heard();
        if let (true, Some(page)) = (heard.documents == self.worlds_of, heard.sessions.first()) {
            let frame = FrameId::from(page.target.as_str());
            self.worlds.insert((0, frame), world);
        }
    }

    /// Has a document tell when it changes, unless it waits for that already.
    pub(super) fn watch(&mut self, session: &Session, place: usize, world: i64) {
        let key = (place, world);
        let waits = self
            .watched
            .get(&key)
            .is_some_and(|watched| watched.waits.load(Ordering::Acquire));
        if waits {
            return;
        }
        let roots = self
            .watched
            .remove(&key)
            .map_or_else(Vec::new, |mut watched| std::mem::take(&mut watched.roots));
        let call = world::watch(session, world, &[]);
        let waits = Arc::new(AtomicBool::new(true));
        let (ears, waiting) = (Arc::clone(&self.ears), Arc::clone(&waits));
        let task = tokio::spawn(async move {
            // An error means that the document is gone, which is a change, too.
            let _ = call.await;
            waiting.store(false, Ordering::Release);
            ears.note_change();
        });
        let watched = Watched {
            waits,
            task: task.abort_handle(),
            roots,
        };
        self.watched.insert(key, watched);
    }

    /// Has the documents of frames, and closed shadow trees, tell when they change.
    pub(super) async fn watch_frames(&mut self, joined: &Joined, sources: &Sources) {
        let mut done: Vec<(usize, i64)> = Vec::new();
        for source in &sources.scopes {
            let place = source.session as usize;
            let Some(session) = self.session_of(Handle {
                session: source.session,
                node: 0,
            }) else {
                continue;
            };
            // A document that is gone again says so by itself.
            let Ok(world) = self.world(place, &source.frame).await else {
                continue;
            };
            if !done.contains(&(place, world)) {
                done.push((place, world));
                self.watch(&session, place, world);
            }
        }
        for (scope, source) in joined.dom.scopes().iter().zip(&sources.scopes) {
            if let (ScopeKind::ClosedShadow, Some(root)) = (scope.kind, source.root) {
                self.watch_root(source, root).await;
            }
        }
        self.watched.retain(|key, _| done.contains(key));
    }

    async fn watch_root(&mut self, source: &Source, root: i64) {
        let Ok(world) = self.world(source.session as usize, &source.frame).await else {
            return;
        };
        let known = |watched: &Watched| watched.roots.contains(&root);
        let key = (source.session as usize, world);
        if self.watched.get(&key).is_none_or(known) {
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
        // The promise is that of the document, which is waited for already.
        drop(world::watch(&session, world, std::slice::from_ref(&object)));
        if let Some(watched) = self.watched.get_mut(&key) {
            watched.roots.push(root);
        }
    }
}
